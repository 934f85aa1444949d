//! Jobs: work that takes virtual time, or waits for its turn.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Actor;
use crate::model::{Container, Controller, CopySession, Head, Key, Noun, Object, OpError, Part, Pool, RaidGroup, Restoration, Volume};
use crate::units::{Bytes, SimSpan, SimTime};

/// A job. Its progress is never stored: it follows from the times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job<O> {
    /// Identity; the name is the kind of work (`volume.migrate`).
    pub head: Head,
    /// What it does.
    pub work: Work<O>,
    /// What it works on.
    pub noun: Noun,
    /// The name of that when the job was made.
    pub target: String,
    /// How it stands.
    pub status: JobStatus,
    /// When it was made.
    pub created: SimTime,
    /// When it begins, or began.
    pub starts: SimTime,
    /// When its work is done, by plan.
    pub ends: SimTime,
    /// Since when it stands still, because no controller runs or somebody has paused it.
    #[serde(default)]
    pub held: Option<SimTime>,
    /// When it was over.
    pub ended: Option<SimTime>,
    /// Why it failed.
    pub error: Option<OpError>,
    /// Who asked for it.
    pub actor: Actor,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work<O> {
    /// Writes a whole volume anew.
    Format(Key<Volume>),
    /// Moves a volume to another home.
    Migrate(Key<Volume>),
    /// Moves a container to another pool.
    MigrateContainer(Key<Container>, Key<Pool>),
    /// Copies what a clone shares, so that it becomes independent.
    Split(Key<Container>),
    /// Applies firmware of that version, one controller after the other.
    Firmware(String),
    /// Starts a controller.
    Boot(Key<Controller>),
    /// Lets the partner of a controller take its RAID groups over.
    TakeOver(Key<Controller>),
    /// Gives a controller its RAID groups back.
    GiveBack(Key<Controller>),
    /// Charges a battery.
    Charge(Key<Part>),
    /// Brings one member of a RAID group up to date.
    Restore(Restoration),
    /// Lays a RAID group out anew over more drives.
    Expand(Key<RaidGroup>),
    /// Gives a RAID group to another controller.
    MoveOwner(Key<RaidGroup>),
    /// Copies for a copy session, or back, or clears a generation away.
    Copy(Key<CopySession>),
    /// Spreads the data of a pool over all its RAID groups.
    Balance(Key<Pool>),
    /// An operation whose turn comes.
    Operation(Box<O>),
    /// A request of a front that was carried out: what it asked for.
    Request(String),
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobStatus {
    /// It waits for its turn.
    Queued,
    /// It works.
    Running,
    /// It has done its work.
    Succeeded,
    /// It was refused or broke off.
    Failed,
    /// Somebody stopped it.
    Canceled,
}

impl JobStatus {
    /// Whether it will change no more.
    pub const fn is_over(self) -> bool {
        matches!(self, JobStatus::Succeeded | JobStatus::Failed | JobStatus::Canceled)
    }
}

impl<O: Clone> Work<O> {
    /// Whether controllers do it, so that it stands still while none runs.
    pub const fn is_of_controllers(&self) -> bool {
        matches!(
            self,
            Work::Format(_)
                | Work::Migrate(_)
                | Work::MigrateContainer(..)
                | Work::Split(_)
                | Work::Copy(_)
                | Work::Restore(_)
                | Work::Expand(_)
                | Work::MoveOwner(_)
                | Work::Balance(_)
        )
    }
}

impl<O: Clone> Job<O> {
    /// The most finished jobs that are kept; the oldest go first.
    pub const KEPT: usize = 1000;

    /// Percent done at `now`; of a canceled one, how far it came.
    pub fn percent(&self, now: SimTime) -> u32 {
        match self.status {
            JobStatus::Queued | JobStatus::Failed => 0,
            JobStatus::Succeeded => 100,
            JobStatus::Running | JobStatus::Canceled => {
                let at = self.stands_at(now).min(self.ends);
                let (done, whole) = (at.since(self.starts).0, self.ends.since(self.starts).0);
                u32::try_from((u128::from(done) * 100).checked_div(u128::from(whole)).unwrap_or(0)).unwrap_or(100)
            }
        }
    }
    /// What it has still to do at `now` of work that was `amount`, rounded up.
    pub fn left(&self, amount: Bytes, now: SimTime) -> Bytes {
        let (left, whole) = (self.ends.since(now.max(self.starts)).0, self.ends.since(self.starts).0);
        let exact = (u128::from(amount.get()) * u128::from(left)).div_ceil(u128::from(whole.max(1)));
        Bytes::new(u64::try_from(exact).unwrap_or(u64::MAX)).min(amount)
    }
    /// Time until it ends.
    pub fn remaining(&self, now: SimTime) -> SimSpan {
        if self.status.is_over() { SimSpan::ZERO } else { self.ends.since(self.stands_at(now)) }
    }
    /// The time to which it has come: now, or when it was over or began to stand still.
    fn stands_at(&self, now: SimTime) -> SimTime {
        let at = self.ended.unwrap_or(now);
        self.held.map_or(at, |held| held.min(at))
    }
}

impl<O: Clone> Object for Job<O> {
    const NOUN: Noun = Noun::Job;
    const REUSES_NUMBERS: bool = false;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        Some(self.key().raw())
    }
}
