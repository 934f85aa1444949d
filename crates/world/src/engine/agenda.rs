//! What will happen, and when.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::units::SimTime;

/// Things to come, in order of time and, at the same time, of entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agenda {
    entered: u64,
    entries: VecDeque<Entry>,
}

/// One thing to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub time: SimTime,
    /// Its place in the order of entry.
    pub sequence: u64,
    /// What.
    pub due: Due,
}

/// What can come. Jobs are named by the raw key, so that the agenda need not know what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// A queued job's turn.
    JobStarts(u32),
    /// The end of a running job.
    JobEnds(u32),
    /// A step of a workload's timetable.
    WorkloadTurns(u32),
    /// What workloads have written is entered in the books.
    DataArrives,
}

impl Agenda {
    /// When what is held comes: never, until it is given a time again.
    pub const NEVER: SimTime = SimTime(u64::MAX);

    /// Adds something.
    pub fn add(&mut self, time: SimTime, due: Due) {
        self.entered += 1;
        let entry = Entry { time, sequence: self.entered, due };
        let place = self.entries.partition_point(|other| (other.time, other.sequence) < (entry.time, entry.sequence));
        self.entries.insert(place, entry);
    }
    /// Takes everything about a job out.
    pub fn forget_job(&mut self, job: u32) {
        self.entries.retain(|entry| !matches!(entry.due, Due::JobStarts(other) | Due::JobEnds(other) if other == job));
    }
    /// Takes something out.
    pub fn forget(&mut self, due: Due) {
        self.entries.retain(|entry| entry.due != due);
    }
    /// When something comes, if it does.
    pub fn time_of(&self, due: Due) -> Option<SimTime> {
        self.entries.iter().find(|entry| entry.due == due).map(|entry| entry.time)
    }
    /// When a job is due next; none while all are held. Workloads go on for ever and do not count.
    pub fn next_job_time(&self) -> Option<SimTime> {
        let is_job = |entry: &&Entry| matches!(entry.due, Due::JobStarts(_) | Due::JobEnds(_));
        self.entries.iter().find(is_job).map(|entry| entry.time).filter(|time| *time != Agenda::NEVER)
    }
    /// When the next thing is due; none while all is held.
    pub fn next_time(&self) -> Option<SimTime> {
        self.entries.front().map(|entry| entry.time).filter(|time| *time != Agenda::NEVER)
    }
    /// Takes the next thing out, if it is due by `until`.
    pub fn pop(&mut self, until: SimTime) -> Option<Entry> {
        if self.next_time()? <= until { self.entries.pop_front() } else { None }
    }
    /// Everything to come.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}
