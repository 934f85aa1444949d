//! The things whose performance is kept, and how a request names them: `array`, or kind and reference, such as `volume:V0`.

use uuid::Uuid;

use super::problem::{INVALID_PARAMETER, Problem};
use crate::model::{Noun, Object, OpError, Place, WorkUnit};
use crate::ops::{Listed, World};
use crate::perf::history::Subject;

/// A thing whose performance is kept.
pub(super) struct Measured {
    /// What a chart of it is about.
    pub subject: Subject,
    /// Its identifier.
    pub id: Uuid,
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
}

/// The kinds of such things.
pub(super) const KINDS: [Noun; 8] = [Noun::Array, Noun::Controller, Noun::HostPort, Noun::RaidGroup, Noun::Pool, Noun::Container, Noun::Volume, Noun::Workload];

/// All that some references name, each once. `volume:*` names all volumes.
pub(super) fn find_all(world: &World, references: &[String]) -> Result<Vec<Measured>, Problem> {
    let mut found: Vec<Measured> = Vec::new();
    for reference in references {
        let more = match reference.split_once(':') {
            None if reference == Noun::Array.name() => of_kind(world, Noun::Array),
            Some((kind, "*")) => of_kind(world, self::kind(reference, kind)?),
            Some((kind, name)) => vec![find(world, self::kind(reference, kind)?, name, &Place::field("object"))?],
            None => return Err(no_object(reference)),
        };
        for one in more {
            if !found.iter().any(|other| other.subject == one.subject) {
                found.push(one);
            }
        }
    }
    Ok(found)
}

fn kind(reference: &str, kind: &str) -> Result<Noun, Problem> {
    KINDS.into_iter().find(|noun| noun.name() == kind).ok_or_else(|| no_object(reference))
}

fn no_object(reference: &str) -> Problem {
    let kinds = KINDS.map(Noun::name);
    let cure = format!("use 'array', or kind and name such as 'volume:V0' or 'volume:*'; the kinds are {}", kinds.join(", "));
    Problem::new(INVALID_PARAMETER, format!("object: '{reference}' names nothing whose performance is kept")).field("object").value(reference).cure(cure)
}

/// The one of that kind which a reference names.
pub(super) fn find(world: &World, noun: Noun, reference: &str, place: &Place) -> Result<Measured, OpError> {
    let array = &world.array;
    match noun {
        Noun::Controller => array.controllers.find(reference, place.clone()).map(of),
        Noun::HostPort => array.host_ports.find(reference, place.clone()).map(of),
        Noun::RaidGroup => array.raid_groups.find(reference, place.clone()).map(of),
        Noun::Pool => array.pools.find(reference, place.clone()).map(of),
        Noun::Container => array.containers.find(reference, place.clone()).map(of),
        Noun::Volume => array.find_volume(reference, place.clone()).map(of),
        Noun::Workload => world.workloads.find(reference, place.clone()).map(|workload| with_requests(of(workload), world)),
        _ => Ok(total(world)),
    }
}

/// All of that kind, in order of number.
pub(super) fn of_kind(world: &World, noun: Noun) -> Vec<Measured> {
    match noun {
        Noun::Controller => all::<crate::model::Controller>(world),
        Noun::HostPort => all::<crate::model::HostPort>(world),
        Noun::RaidGroup => all::<crate::model::RaidGroup>(world),
        Noun::Pool => all::<crate::model::Pool>(world),
        Noun::Container => all::<crate::model::Container>(world),
        Noun::Volume => all::<crate::model::Volume>(world),
        Noun::Workload => world.workloads.iter().map(|workload| with_requests(of(workload), world)).collect(),
        _ => vec![total(world)],
    }
}

fn all<T: Listed>(world: &World) -> Vec<Measured> {
    T::table(world).iter().map(of).collect()
}

fn of<T: Object>(item: &T) -> Measured {
    let subject = Subject { noun: T::NOUN, key: item.key().raw(), operations: 1 };
    Measured { subject, id: item.id(), number: item.number(), name: item.name().to_owned() }
}

/// Workloads that ask for transactions wait for whole ones.
fn with_requests(mut measured: Measured, world: &World) -> Measured {
    let profile = world.workloads.get(crate::model::Key::from_raw(measured.subject.key)).map(|workload| &workload.profile);
    if let Some(profile) = profile.filter(|profile| profile.unit == WorkUnit::Transaction) {
        measured.subject.operations = profile.ios_per_unit.max(1);
    }
    measured
}

fn total(world: &World) -> Measured {
    let subject = Subject { noun: Noun::Array, key: 0, operations: 1 };
    Measured { subject, id: world.array.identity.uuid(Noun::Array, 0), number: 0, name: "total".to_owned() }
}
