//! Copy sessions: a volume that is copied to another volume of the array, once or for as long as the session lives.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Head, Key, Layout, Noun, Object, Volume};
use crate::units::{Bytes, SimTime};

/// A copy session. How far it is follows from the times of the job that works on it, and from the layouts of its volumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopySession {
    /// Identity.
    pub head: Head,
    /// How it copies.
    pub kind: CopyKind,
    /// What it copies.
    pub source: Key<Volume>,
    /// Where to.
    pub destination: Key<Volume>,
    /// How it stands.
    pub status: CopyStatus,
    /// What a job is doing for it now.
    pub task: Option<CopyTask>,
    /// Bytes that this, or the last, task moves.
    pub amount: Bytes,
    /// Bytes that a copy which was broken off has left uncopied.
    pub left: Bytes,
    /// Of a snapshot: what the source held when it was taken, and what hosts have written to it since. What the destination holds of
    /// it are only the blocks that the next newer generation, or the source, no longer has.
    pub image: Option<Layout>,
    /// Whether it goes as soon as its copy is complete.
    pub ending: bool,
    /// How fast it copies.
    pub priority: CopyPriority,
    /// The front that it was asked for through.
    pub requestor: String,
    /// When it began.
    pub created: SimTime,
    /// When its failure was noticed; only of one whose status says so.
    pub failed: Option<SimTime>,
}

/// How a session copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CopyKind {
    /// Everything once, as it was at the start (ETERNUS: OPC); the session disappears when that is done.
    Opc,
    /// Everything, then it keeps track of differences, which a restart copies (ETERNUS: QuickOPC).
    QuickOpc,
    /// A snapshot: what is overwritten in the source is kept in the destination (ETERNUS: SnapOPC).
    SnapOpc,
    /// A snapshot that is one generation of several, which share what they keep (ETERNUS: SnapOPC+).
    SnapOpcPlus,
    /// A mirror that follows every write until it is suspended (ETERNUS: EC).
    Ec,
}

/// How a session stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CopyStatus {
    /// It copies, mirrors, tracks or keeps.
    #[default]
    Active,
    /// Somebody suspended it.
    Suspend,
    /// The array suspended it, because the destination ran out of space; it can be resumed.
    ErrorSuspend,
    /// A snapshot that ran out of space: what it held is lost.
    Error,
}

/// Where a session is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CopyPhase {
    /// Source and destination have nothing to do with each other any more.
    NoPair,
    /// It copies; a snapshot does as long as it lives.
    Copying,
    /// The destination equals the source and follows it.
    Equivalent,
    /// It keeps track of what differs.
    Tracking,
    /// It copies, and keeps track of what differs.
    CopyingAndTracking,
    /// It restores, or makes itself ready to go.
    Readying,
}

/// What a job does for a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyTask {
    /// Copies everything for the first time.
    Copy,
    /// Copies what differs.
    Catch,
    /// Copies back to the source.
    Restore,
    /// Clears a generation away.
    Clean,
}

/// How fast a session copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CopyPriority {
    /// Slowly.
    Low,
    /// As usual.
    #[default]
    Middle,
    /// Fast.
    High,
}

impl CopyKind {
    /// Whether it keeps what is overwritten instead of copying everything.
    pub const fn is_snapshot(self) -> bool {
        matches!(self, CopyKind::SnapOpc | CopyKind::SnapOpcPlus)
    }
    /// Its name as people write it.
    pub const fn words(self) -> &'static str {
        match self {
            CopyKind::Opc => "OPC",
            CopyKind::QuickOpc => "QuickOPC",
            CopyKind::SnapOpc => "SnapOPC",
            CopyKind::SnapOpcPlus => "SnapOPC+",
            CopyKind::Ec => "EC",
        }
    }
}

impl CopyStatus {
    /// Whether something went wrong.
    pub const fn is_failure(self) -> bool {
        matches!(self, CopyStatus::ErrorSuspend | CopyStatus::Error)
    }
    /// The word.
    pub const fn words(self) -> &'static str {
        match self {
            CopyStatus::Active => "active",
            CopyStatus::Suspend => "suspended",
            CopyStatus::ErrorSuspend => "suspended by an error",
            CopyStatus::Error => "in error",
        }
    }
}

impl CopySession {
    /// Where it is on its way.
    pub fn phase(&self) -> CopyPhase {
        match (self.status, self.task, self.kind) {
            (CopyStatus::Error, ..) => CopyPhase::NoPair,
            (_, Some(CopyTask::Restore | CopyTask::Clean), _) => CopyPhase::Readying,
            (CopyStatus::Suspend | CopyStatus::ErrorSuspend, ..) => CopyPhase::Tracking,
            (_, Some(_), CopyKind::QuickOpc) => CopyPhase::CopyingAndTracking,
            (_, None, CopyKind::QuickOpc) => CopyPhase::Tracking,
            (_, None, CopyKind::Ec) => CopyPhase::Equivalent,
            _ => CopyPhase::Copying,
        }
    }
    /// Whether the destination follows every write to the source.
    pub fn mirrors(&self) -> bool {
        self.kind == CopyKind::Ec && self.status == CopyStatus::Active
    }
    /// Whether it is a generation that others can build on.
    pub const fn is_generation(&self) -> bool {
        matches!(self.kind, CopyKind::SnapOpcPlus) && self.image.is_some()
    }
    /// Whether a volume is its source or its destination.
    pub fn involves(&self, volume: Key<Volume>) -> bool {
        self.source == volume || self.destination == volume
    }
}

impl Object for CopySession {
    const NOUN: Noun = Noun::CopySession;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
}
