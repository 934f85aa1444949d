//! What an administrator DOES: one file per noun, each operation a struct.
//!
//! Owns: every rule about what may be done, in the order in which the rules are checked, and what it then does to the value.
//! Must not know: who transports the request, wall time, locks, files. Time and actor come in through [`Ctx`].
//! Read first: [`Operation`], then [`raid_group`] as the plainest example.

pub mod affinity;
mod any;
pub mod clock;
#[cfg(test)]
mod connect_tests;
pub mod container;
pub mod controller;
mod default_name;
pub mod drive;
pub mod drive_choice;
pub mod enclosure;
pub mod host;
pub mod host_group;
pub mod host_port;
pub mod job;
pub mod lun_group;
pub mod mapping;
mod members;
pub mod password;
pub mod password_policy;
mod paths;
pub mod permission;
pub mod pool;
mod pool_members;
pub mod port_group;
pub mod raid_group;
pub mod role;
mod room;
mod rules;
pub mod settings;
pub mod snapshot;
#[cfg(test)]
pub(crate) mod test_world;
pub mod user;
pub mod volume;
pub mod workload;

pub use any::{AnyOperation, OPERATIONS, OperationFacts};

use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::engine::{self, Job};
pub use crate::engine::{Actor, Authority, Ctx};
use crate::model::{
    Affinity, Container, Controller, Drive, Enclosure, Host, HostGroup, HostPort, Key, LunGroup, Mapping, Noun, Object, OpError, Policy, PolicySet, Pool,
    PortGroup, RaidGroup, Role, Snapshot, Table, User, Volume, Workload,
};
use password::Salt;

/// The value that operations act on.
pub type World = engine::World<AnyOperation>;

/// Something an administrator does.
///
/// The order is check -> (the journal) -> apply. `check` resolves references, then refuses in a documented order, and changes
/// nothing; `apply` cannot fail, and only it draws sequence numbers.
pub trait Operation: Clone + Serialize + DeserializeOwned + Into<AnyOperation> {
    /// Its tag in journals, scenarios and scripts: `noun.verb`.
    const NAME: &'static str;
    /// What the actor must be allowed to do.
    const POLICY: Policy;
    /// What `check` found out.
    type Plan;
    /// What comes of it.
    type Output: Output;
    /// Whether what it demands depends on the request; otherwise it is [`Operation::POLICY`] alone.
    const DEMANDS_DEPEND: bool = false;
    /// What the actor must be allowed to do for this very request.
    fn demands(&self, _: &World, _: &Actor) -> PolicySet {
        PolicySet::of(Self::POLICY)
    }
    /// Whether it carries a password as somebody typed it. Such an operation is sealed before anybody keeps it.
    fn carries_plain_text(&self) -> bool {
        false
    }
    /// The salt for the password that it carries.
    fn salt(&self, world: &World) -> Salt {
        Salt::of(world.array.identity, "")
    }
    /// The same with its password sealed.
    #[must_use]
    fn sealed(self, _: &Salt) -> Self {
        self
    }
    /// Resolves what it refers to, then refuses or plans.
    fn check(&self, world: &World, ctx: &Ctx) -> Result<Self::Plan, OpError>;
    /// Does it.
    fn apply(plan: Self::Plan, world: &mut World, ctx: &Ctx) -> Self::Output;
}

/// Checks and applies an operation, then lets the array notice what follows from it.
pub fn execute<O: Operation>(operation: &O, world: &mut World, ctx: &Ctx) -> Result<O::Output, OpError> {
    if operation.carries_plain_text() {
        let salt = operation.salt(world);
        return execute(&operation.clone().sealed(&salt), world, ctx);
    }
    let plan = operation.check(world, ctx)?;
    Ok(apply::<O>(plan, world, ctx))
}

/// The second half of [`execute`].
pub fn apply<O: Operation>(plan: O::Plan, world: &mut World, ctx: &Ctx) -> O::Output {
    let output = O::apply(plan, world, ctx);
    engine::settle(world);
    output
}

/// What comes of an operation.
pub trait Output: Serialize {
    /// The objects that it made or changed.
    fn references(&self, world: &World) -> Vec<Reference>;
}

/// How an object is known outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Reference {
    /// Its noun.
    #[schema(value_type = String, example = "volume")]
    pub noun: Noun,
    /// Its identifier.
    pub id: Uuid,
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
}

/// A noun that is listed in a world.
pub trait Listed: Object + 'static {
    /// All of them.
    fn table(world: &World) -> &Table<Self>;
}

macro_rules! listed {
    ($($noun:ty => $($field:ident).+;)+) => { $(
        impl Listed for $noun {
            fn table(world: &World) -> &Table<Self> {
                &world.$($field).+
            }
        }
    )+ };
}

listed! {
    Enclosure => array.enclosures;
    Controller => array.controllers;
    HostPort => array.host_ports;
    Drive => array.drives;
    RaidGroup => array.raid_groups;
    Pool => array.pools;
    Container => array.containers;
    Snapshot => array.snapshots;
    Volume => array.volumes;
    Host => array.hosts;
    HostGroup => array.host_groups;
    PortGroup => array.port_groups;
    LunGroup => array.lun_groups;
    Affinity => array.affinities;
    Mapping => array.mappings;
    Role => array.roles;
    User => array.users;
    Workload => workloads;
    Job<AnyOperation> => jobs;
}

impl Output for () {
    fn references(&self, _: &World) -> Vec<Reference> {
        Vec::new()
    }
}
impl<T: Listed> Output for Key<T> {
    fn references(&self, world: &World) -> Vec<Reference> {
        T::table(world)
            .get(*self)
            .map(|item| Reference { noun: T::NOUN, id: item.id(), number: item.number(), name: item.name().to_owned() })
            .into_iter()
            .collect()
    }
}
impl<T: Listed> Output for Vec<Key<T>> {
    fn references(&self, world: &World) -> Vec<Reference> {
        self.iter().flat_map(|key| key.references(world)).collect()
    }
}
