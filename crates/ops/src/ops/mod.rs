//! What an administrator DOES: one file per noun, each operation a struct.
//!
//! Owns: every rule about what may be done, in the order in which the rules are checked, and what it then does to the value.
//! Must not know: who transports the request, wall time, locks, files. Time and actor come in through [`Ctx`].
//! Read first: [`Operation`], then [`raid_group`] as the plainest example.

mod address;
pub mod affinity;
mod any;
mod belonging;
pub mod clock;
#[cfg(test)]
mod connect_tests;
pub mod container;
pub mod container_migration;
pub mod controller;
pub mod copy_session;
mod default_name;
pub mod drive;
pub mod drive_choice;
pub mod drive_install;
pub mod enclosure;
mod health_rules;
pub mod host;
pub mod host_group;
mod host_group_rules;
pub mod host_port;
pub mod host_response;
pub mod interface;
mod interface_rules;
pub mod job;
pub mod lun_group;
pub mod mapping;
mod members;
pub mod note;
pub mod part;
pub mod password;
pub mod password_policy;
mod paths;
pub mod permission;
pub mod pool;
pub mod pool_balance;
mod pool_members;
pub mod port_group;
mod port_group_rules;
mod port_settings;
pub mod qos_policy;
pub mod raid_group;
pub mod record;
pub mod role;
mod room;
mod rules;
pub mod service;
pub mod settings;
pub mod snapshot;
pub mod tenant;
#[cfg(test)]
pub(crate) mod test_world;
pub mod user;
pub mod volume;
pub mod what_if;
pub mod workload;
mod workload_course;

pub use any::{AnyOperation, OPERATIONS, OperationFacts};

use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use self::password::Salt;
use crate::engine::{self, Job, Work};
pub use crate::engine::{Actor, Authority, Ctx};
use crate::model::{
    Affinity, Container, Controller, CopySession, Drive, Enclosure, Head, Host, HostGroup, HostPort, HostResponse, Interface, Key, LunGroup, Mapping, Notes,
    Noun, Object, OpError, Part, Place, Policy, PolicySet, Pool, PortGroup, QosPolicy, RaidGroup, Record, Role, Snapshot, Table, TargetService, Tenant, User,
    Volume, Workload,
};

/// The value that operations act on.
pub type World = engine::World<AnyOperation>;

/// Something an administrator does.
///
/// The order is check -> (the journal) -> apply. `check` resolves references, then refuses in a documented order, and changes
/// nothing; `apply` cannot fail, and only it draws sequence numbers.
pub trait Operation: Clone + Serialize + DeserializeOwned + Into<AnyOperation> + 'static {
    /// Its tag in journals, scenarios and scripts: `noun.verb`.
    const NAME: &'static str;
    /// What the actor must be allowed to do.
    const POLICY: Policy;
    /// What it changes when its output does not name it: something of which there is only one.
    const SINGLETON: Option<Noun> = None;
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
    /// The same, its secrets hidden: how it is shown.
    #[must_use]
    fn masked(&self) -> Self {
        self.clone()
    }
}

/// Checks and applies an operation, then lets the array notice what follows from it.
pub fn execute<O: Operation>(operation: &O, world: &mut World, ctx: &Ctx) -> Result<O::Output, OpError> {
    if operation.carries_plain_text() {
        let salt = operation.salt(world);
        return execute(&operation.clone().sealed(&salt), world, ctx);
    }
    let plan = plan(operation, world, ctx)?;
    Ok(apply::<O>(plan, world, ctx))
}

/// The first half of [`execute`]: what concerns all operations, then the operation's own check. While no controller runs, nothing but the
/// emulation itself can be operated.
pub fn plan<O: Operation>(operation: &O, world: &World, ctx: &Ctx) -> Result<O::Plan, OpError> {
    if !matches!(O::POLICY, Policy::Emulation | Policy::StatusDisplay) {
        rules::array_is_ready(&world.array)?;
    }
    operation.check(world, ctx)
}

/// The second half of [`execute`].
pub fn apply<O: Operation>(plan: O::Plan, world: &mut World, ctx: &Ctx) -> O::Output {
    let output = act::<O>(plan, world, ctx);
    engine::settle(world);
    output
}

/// Applies an operation and moves the revisions of what it changed: the one place where they move.
fn act<O: Operation>(plan: O::Plan, world: &mut World, ctx: &Ctx) -> O::Output {
    let output = O::apply(plan, world, ctx);
    let revision = world.revisions.count();
    output.touch(world, revision);
    if let Some(noun) = O::SINGLETON {
        world.revisions.touch(noun, revision);
    }
    output
}

/// What comes of an operation.
pub trait Output: Serialize {
    /// The objects that it made or changed.
    fn references(&self, world: &World) -> Vec<Reference>;
    /// Notes on them which operation changed them last.
    fn touch(&self, world: &mut World, revision: u64) {
        for reference in self.references(world) {
            touch_one(world, &reference, revision);
        }
    }
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
    /// All of them, to be changed.
    fn table_mut(world: &mut World) -> &mut Table<Self>;
}

macro_rules! listed {
    ($($noun:ty => $($field:ident).+;)+) => { $(
        impl Listed for $noun {
            fn table(world: &World) -> &Table<Self> {
                &world.$($field).+
            }
            fn table_mut(world: &mut World) -> &mut Table<Self> {
                &mut world.$($field).+
            }
        }
    )+

        /// Notes on an object which operation changed it last.
        fn touch_one(world: &mut World, reference: &Reference, revision: u64) {
            $( if reference.noun == <$noun as Object>::NOUN {
                let table = &mut world.$($field).+;
                if let Some(key) = table.key_of(reference.id) {
                    table.touch(key, revision);
                }
            } )+
        }

        /// The nouns that are listed.
        pub const LISTED: &[Noun] = &[$( <$noun as Object>::NOUN ),+];

        /// Finds an object of any of these nouns; without a reference, the one that was made last.
        pub fn find_listed<'w>(world: &'w World, noun: Noun, reference: &str, place: Place) -> Result<&'w Head, OpError> {
            if reference.is_empty() {
                $( if noun == <$noun as Object>::NOUN
                    && let Some(newest) = world.$($field).+.newest()
                {
                    return Ok(newest.head());
                } )+
            }
            match noun {
                Noun::Volume => return world.array.find_volume(reference, place).map(Object::head),
                Noun::Snapshot => return world.array.find_snapshot(reference, place).map(Object::head),
                Noun::Record => return world.array.find_record(reference, place).map(Object::head),
                _ => {}
            }
            $( if noun == <$noun as Object>::NOUN {
                return world.$($field).+.find(reference, place).map(Object::head);
            } )+
            Err(OpError::NotFound { noun, reference: reference.to_owned(), place })
        }

        /// The identity of one by its creation sequence.
        fn listed_head(world: &World, noun: Noun, key: u32) -> Option<&Head> {
            $( if noun == <$noun as Object>::NOUN {
                return world.$($field).+.get(Key::from_raw(key)).map(Object::head);
            } )+
            None
        }

        /// Changes what is kept beside one.
        fn annotate(world: &mut World, noun: Noun, key: u32, changes: &Notes) {
            $( if noun == <$noun as Object>::NOUN {
                world.$($field).+.annotate(Key::from_raw(key), changes);
            } )+
        }
    };
}

listed! {
    Enclosure => array.enclosures;
    Controller => array.controllers;
    HostPort => array.host_ports;
    Drive => array.drives;
    Part => array.parts;
    RaidGroup => array.raid_groups;
    Pool => array.pools;
    Container => array.containers;
    Snapshot => array.snapshots;
    Volume => array.volumes;
    CopySession => array.copy_sessions;
    Host => array.hosts;
    HostGroup => array.host_groups;
    PortGroup => array.port_groups;
    LunGroup => array.lun_groups;
    Affinity => array.affinities;
    Mapping => array.mappings;
    Tenant => array.tenants;
    Interface => array.interfaces;
    QosPolicy => array.qos_policies;
    HostResponse => array.host_responses;
    Role => array.roles;
    User => array.users;
    Record => array.records;
    TargetService => array.services;
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
    fn touch(&self, world: &mut World, revision: u64) {
        T::table_mut(world).touch(*self, revision);
        if T::NOUN == Noun::Job {
            touch_what_is_worked_on(world, Key::from_raw(self.raw()), revision);
        }
    }
}

/// An operation that begins work, or ends it, also changes what is worked on.
fn touch_what_is_worked_on(world: &mut World, job: Key<Job<AnyOperation>>, revision: u64) {
    match world.jobs.get(job).map(|job| &job.work) {
        Some(Work::Format(volume) | Work::Migrate(volume)) => {
            let volume = *volume;
            world.array.volumes.touch(volume, revision);
        }
        Some(Work::Split(container) | Work::MigrateContainer(container, _)) => {
            let container = *container;
            world.array.containers.touch(container, revision);
        }
        Some(Work::Balance(pool)) => {
            let pool = *pool;
            world.array.pools.touch(pool, revision);
        }
        _ => {}
    }
}

impl<T: Listed> Output for Vec<Key<T>> {
    fn references(&self, world: &World) -> Vec<Reference> {
        self.iter().flat_map(|key| key.references(world)).collect()
    }
    fn touch(&self, world: &mut World, revision: u64) {
        self.iter().for_each(|key| key.touch(world, revision));
    }
}
