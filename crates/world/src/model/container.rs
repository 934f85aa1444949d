//! Containers: sized spaces inside a pool that hold volumes, are snapshotted and cloned as a whole.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Head, Key, Noun, Object, Pool, QosPolicy, Reduction, Savings, Snapshot, Tenant, UsedStatus, Volume};
use crate::units::{Bytes, SimTime};

/// A container (ONTAP: FlexVol volume).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// Identity.
    pub head: Head,
    /// The pool that it lives in.
    pub pool: Key<Pool>,
    /// Its size: the most that its volumes and snapshots may take.
    pub size: Bytes,
    /// Whether the pool keeps its whole size for it.
    pub guarantee: Guarantee,
    /// Which reductions are on.
    pub reduction: Reduction,
    /// Data of its own: unique and snapshot bytes, before and after reduction.
    pub savings: Savings,
    /// Unwritten space promised to thick volumes in it.
    pub reserved: Bytes,
    /// The volumes that live in it.
    pub volumes: BTreeSet<Key<Volume>>,
    /// Set while it is a clone that shares blocks with its origin.
    pub clone: Option<Clone>,
    /// When it was made.
    pub created: SimTime,
    /// Whose it is, with all volumes in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<Key<Tenant>>,
    /// How much of the array its volumes may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qos_policy: Option<Key<QosPolicy>>,
    /// Whether its volumes are served.
    #[serde(default, skip_serializing_if = "ContainerState::is_online")]
    pub state: ContainerState,
    /// Set while it moves to another pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
    /// How full it was when an event last told it.
    #[serde(default, skip_serializing_if = "UsedStatus::is_normal")]
    pub reported: UsedStatus,
}

/// Whether a container's volumes are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContainerState {
    /// They are.
    #[default]
    Online,
    /// Nothing in it is reached.
    Offline,
    /// Only the array itself reaches what is in it.
    Restricted,
}

impl ContainerState {
    /// Its name, as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            ContainerState::Online => "online",
            ContainerState::Offline => "offline",
            ContainerState::Restricted => "restricted",
        }
    }
    /// Whether hosts are served.
    pub const fn is_online(&self) -> bool {
        matches!(self, ContainerState::Online)
    }
}

/// What a clone still shares with the snapshot it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clone {
    /// The snapshot; it cannot be deleted while the clone shares its blocks.
    pub snapshot: Key<Snapshot>,
    /// Shared bytes that are still in use, before reduction. They are in the books of the snapshot's container.
    pub shared: Bytes,
    /// All that it shared when it was made, before and after the origin's reduction; shared bytes count against the clone's size by it.
    pub origin: Savings,
    /// Whether the shared blocks are being copied, so that the clone becomes independent; its pool has already set the space aside.
    pub splitting: bool,
}

/// A move to another pool under way. The container goes on where it is until all data is there; what it will take there is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migration {
    /// Where it goes.
    pub pool: Key<Pool>,
    /// Whether somebody has made it stand still.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
}

/// What a container takes of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The pool.
    pub pool: Key<Pool>,
    /// What the pool has promised to it.
    pub promised: Bytes,
    /// What the pool has given to it, or set aside.
    pub taken: Bytes,
}

/// Whether a pool keeps a container's whole size for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Guarantee {
    /// It does.
    Thick,
    /// Space is taken as data comes in.
    Thin,
}

impl Clone {
    /// What the shared bytes take after the origin's reduction.
    pub fn size_of_shared(&self) -> Bytes {
        self.origin.attributed(self.shared)
    }
}

impl Container {
    /// Used so far, it is nearly full.
    pub const NEARLY_FULL_PERCENT: u64 = 95;
    /// Used so far, it is as good as full.
    pub const FULL_PERCENT: u64 = 98;

    /// Space taken out of its size: its own data, what it shares with its origin, and what it keeps for thick volumes.
    pub fn used(&self) -> Bytes {
        self.used_with(self.savings, self.reserved, self.shared())
    }
    /// Space taken out of its size if these were its books.
    pub fn used_with(&self, savings: Savings, reserved: Bytes, shared: Bytes) -> Bytes {
        let shared = self.clone.map_or(Bytes::ZERO, |clone| clone.origin.attributed(shared));
        savings.after + reserved + shared
    }
    /// Shared bytes in use, before reduction.
    pub fn shared(&self) -> Bytes {
        self.clone.map_or(Bytes::ZERO, |clone| clone.shared)
    }
    /// What `held` bytes of its data, own and shared, take by its average after reduction.
    pub fn reduced(&self, held: Bytes) -> Bytes {
        self.independent().attributed(held)
    }
    /// How full it is, by the thresholds that all containers have.
    pub fn used_status(&self) -> UsedStatus {
        match self.used().percent_of(self.size) {
            Container::FULL_PERCENT.. => UsedStatus::Warning,
            Container::NEARLY_FULL_PERCENT.. => UsedStatus::Attention,
            _ => UsedStatus::Normal,
        }
    }
    /// Space left in it.
    pub fn free(&self) -> Bytes {
        self.size - self.used()
    }
    /// Takes other books: its own data, and shared bytes in use.
    pub fn enter(&mut self, (savings, shared): (Savings, Bytes)) {
        self.savings = savings;
        if let Some(clone) = &mut self.clone {
            clone.shared = shared;
        }
    }
    /// Its data if it shared nothing with an origin.
    pub fn independent(&self) -> Savings {
        let shared = self.clone.map_or(Bytes::ZERO, |clone| clone.size_of_shared());
        Savings { before: self.savings.before + self.shared(), after: self.savings.after + shared }
    }
    /// What its pool gives it. A splitting clone also keeps room for the blocks still to be copied.
    pub fn charge(&self) -> Bytes {
        let splits = self.clone.is_some_and(|clone| clone.splitting);
        self.charge_for(if splits { self.independent().after } else { self.savings.after })
    }
    /// What a pool gives it for so much data.
    fn charge_for(&self, data: Bytes) -> Bytes {
        match self.guarantee {
            Guarantee::Thick => self.size.max(data),
            Guarantee::Thin => data,
        }
    }
    /// The pool that it lives in, and the one to which it moves.
    pub fn pools(&self) -> impl Iterator<Item = Key<Pool>> + use<> {
        std::iter::once(self.pool).chain(self.migration.map(|migration| migration.pool))
    }
    /// What it takes of these pools. Where it moves to, it will share nothing with an origin.
    pub fn claims(&self) -> Vec<Claim> {
        let claim = |pool, taken| Claim { pool, promised: self.size, taken };
        let there = self.migration.map(|migration| claim(migration.pool, self.charge_for(self.independent().after)));
        std::iter::once(claim(self.pool, self.charge())).chain(there).collect()
    }
}

impl Object for Container {
    const NOUN: Noun = Noun::Container;
    fn head(&self) -> &Head {
        &self.head
    }
    fn head_mut(&mut self) -> &mut Head {
        &mut self.head
    }
    fn scope(&self) -> Option<u32> {
        self.tenant.map(Key::raw)
    }
}
