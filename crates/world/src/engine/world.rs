//! The value that a server plays: an array, and everything that moves in it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Actor, Agenda, Clock, Ctx, Due, Job, JobStatus, Revisions, Seen, Work};
use crate::model::{Annotated, Array, CopySession, CopyTask, Key, LoadLog, Noun, Object, OpError, Severity, Table, Workload, notes};
use crate::units::{Bytes, SimSpan, SimTime};

/// An array with its clock, its workloads, its jobs and what is to come. `O` is an operation, which jobs can carry.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "O: Clone + Serialize + DeserializeOwned")]
pub struct World<O> {
    /// The array.
    pub array: Array,
    /// Its clock.
    pub clock: Clock,
    /// The load on it.
    pub workloads: Table<Workload>,
    /// Its jobs.
    pub jobs: Table<Job<O>>,
    /// What is to come.
    pub agenda: Agenda,
    /// How often it was changed from outside, and its epoch.
    #[serde(default, skip_serializing_if = "Revisions::is_new")]
    pub revisions: Revisions,
    /// What was there when the array looked last; nothing that is kept.
    #[serde(skip)]
    pub seen: Option<Seen>,
    /// What load it bore, and when.
    #[serde(default, skip_serializing_if = "LoadLog::is_new")]
    pub load: LoadLog,
}

/// An operation, as far as the engine needs to know: something that can be tried.
pub trait Execute: Clone + Serialize + DeserializeOwned {
    /// Checks and applies it; the answer is kept by whoever asked.
    fn execute(&self, world: &mut World<Self>, ctx: &Ctx) -> Result<(), OpError>;
}

/// What a new job is about.
pub struct NewJob<'a, O> {
    /// Its kind.
    pub kind: &'a str,
    /// What it does.
    pub work: Work<O>,
    /// What it works on.
    pub target: (Noun, &'a str),
}

impl<O: Clone> World<O> {
    /// A world at rest.
    pub fn new(array: Array) -> World<O> {
        World {
            array,
            clock: Clock::default(),
            workloads: Table::new(),
            jobs: Table::new(),
            agenda: Agenda::default(),
            revisions: Revisions::default(),
            seen: None,
            load: LoadLog::default(),
        }
    }
    /// Virtual time.
    pub const fn now(&self) -> SimTime {
        self.clock.now
    }
    /// Begins a new epoch: what was told and tagged before can no longer be mistaken for what comes.
    pub fn begin_epoch(&mut self, epoch: u32) {
        self.revisions.epoch = epoch;
        self.array.events.begin_epoch(epoch);
    }
    /// The job that works on something now, if one does.
    pub fn job_on(&self, matches: impl Fn(&Work<O>) -> bool) -> Option<&Job<O>> {
        self.agenda
            .iter()
            .filter_map(|entry| match entry.due {
                Due::JobEnds(job) | Due::JobStarts(job) => self.jobs.get(Key::from_raw(job)),
                Due::WorkloadTurns(_) | Due::DataArrives => None,
            })
            .find(|job| matches(&job.work))
    }
    /// The job that works for a copy session, if one does.
    pub fn copy_job(&self, session: Key<CopySession>) -> Option<&Job<O>> {
        self.job_on(|work| matches!(work, Work::Copy(copied) if *copied == session))
    }
    /// Bytes that a copy session's task has still to move.
    pub fn uncopied(&self, session: &CopySession) -> Bytes {
        self.copy_job(session.key()).map_or(Bytes::ZERO, |job| job.left(session.amount, self.now()))
    }
    /// Breaks off what is being done for a copy session; what is not copied yet is left.
    pub fn stop_copy(&mut self, key: Key<CopySession>, status: JobStatus) {
        let Some(session) = self.array.copy_sessions.get(key) else { return };
        let (uncopied, job) = (self.uncopied(session), self.copy_job(key).map(Object::key));
        if let Some(session) = self.array.copy_sessions.get_mut(key)
            && let Some(CopyTask::Copy | CopyTask::Catch) = session.task.take()
        {
            session.left = uncopied;
        }
        if let Some(job) = job {
            self.end_job(job, status, None);
        }
    }
    /// Starts a job that takes `span`.
    pub fn start_job(&mut self, new: NewJob<'_, O>, span: SimSpan, actor: &Actor) -> Key<Job<O>> {
        let (now, ends) = (self.now(), self.now() + span);
        let key = self.add_job(new, JobStatus::Running, (now, ends), actor);
        self.agenda.add(ends, Due::JobEnds(key.raw()));
        key
    }
    /// Queues a job whose turn comes at `starts`.
    pub fn queue_job(&mut self, new: NewJob<'_, O>, starts: SimTime, actor: &Actor) -> Key<Job<O>> {
        let key = self.add_job(new, JobStatus::Queued, (starts, starts), actor);
        self.agenda.add(starts, Due::JobStarts(key.raw()));
        key
    }
    /// Keeps a job of work that is over already: done, or failed.
    pub fn keep_job(&mut self, new: NewJob<'_, O>, status: JobStatus, actor: &Actor) -> Key<Job<O>> {
        let now = self.now();
        let key = self.add_job(new, status, (now, now), actor);
        if let Some(job) = self.jobs.get_mut(key) {
            job.ended = Some(now);
        }
        key
    }
    /// Everything that has notes.
    pub fn annotated(&self) -> Vec<Annotated<'_>> {
        let mut found = self.array.annotated();
        notes::annotated(&self.workloads, &mut found);
        notes::annotated(&self.jobs, &mut found);
        found
    }
    /// Begins the work of a job that waited for its turn.
    pub fn begin_job(&mut self, key: Key<Job<O>>, span: SimSpan) {
        let (now, ends) = (self.now(), self.now() + span);
        let Some(job) = self.jobs.get_mut(key) else { return };
        (job.status, job.starts, job.ends) = (JobStatus::Running, now, ends);
        self.agenda.add(ends, Due::JobEnds(key.raw()));
    }
    fn add_job(&mut self, new: NewJob<'_, O>, status: JobStatus, (starts, ends): (SimTime, SimTime), actor: &Actor) -> Key<Job<O>> {
        self.drop_old_jobs();
        let (noun, target) = (new.target.0, new.target.1.to_owned());
        let (created, actor) = (self.now(), actor.clone());
        let identity = self.array.identity;
        self.jobs.insert(identity, new.kind.to_owned(), |head| Job {
            head,
            work: new.work,
            noun,
            target,
            status,
            created,
            starts,
            ends,
            held: None,
            ended: None,
            error: None,
            actor,
        })
    }
    fn drop_old_jobs(&mut self) {
        while self.jobs.len() >= Job::<O>::KEPT {
            let Some(oldest) = self.jobs.iter().find(|job| job.status.is_over()).map(Object::key) else { return };
            self.jobs.remove(oldest);
        }
    }
    /// Marks a job as over at the present time. Of one that has not done its work, an event tells.
    pub fn end_job(&mut self, key: Key<Job<O>>, status: JobStatus, error: Option<OpError>) {
        let now = self.now();
        self.agenda.forget_job(key.raw());
        let Some(job) = self.jobs.get_mut(key) else { return };
        job.ended = Some(now);
        job.status = status;
        let what = format!("job {} ({} of the {} '{}')", job.number(), job.name(), job.noun, job.target);
        let told = match (status, &error) {
            (JobStatus::Failed, Some(error)) => Some((Severity::Error, "job_failed", format!("{what} has failed: {error}"))),
            (JobStatus::Canceled, _) => Some((Severity::Information, "job_canceled", format!("{what} was stopped"))),
            _ => None,
        };
        let number = job.number().to_string();
        job.error = error;
        if let Some((severity, code, message)) = told {
            self.array.events.tell(now, severity, code, (Noun::Job, &number), message);
        }
    }
}
