//! Telling how the whole array stands, whenever that is no longer what was last told.

use super::World;
use crate::model::{Condition, Noun, Object, Severity, Told, array_status};

/// Tells of what has changed: enclosures that cannot be reached, readiness, the mode of the cache, the status of the whole.
pub(super) fn tell<O: Clone>(world: &mut World<O>) {
    let now_is = Told::of(&world.array);
    if now_is == world.array.told {
        return;
    }
    let was = std::mem::replace(&mut world.array.told, now_is.clone());
    enclosures(world, &was, &now_is);
    let product = world.array.facts.product.clone();
    let mut told = Vec::new();
    if was.not_ready != now_is.not_ready {
        told.push(if now_is.not_ready {
            (Severity::Error, "array_not_ready".to_owned(), "no controller runs: the array is not ready".to_owned())
        } else {
            (Severity::Information, "array_ready".to_owned(), "the array is ready again".to_owned())
        });
    }
    if was.write_through != now_is.write_through {
        told.push(cache(world));
    }
    if was.status != now_is.status {
        told.push(whole(world, now_is.status));
    }
    for (severity, code, message) in told {
        let now = world.now();
        world.array.events.tell(now, severity, &code, (Noun::Array, &product), message);
    }
}

fn enclosures<O: Clone>(world: &mut World<O>, was: &Told, now_is: &Told) {
    let now = world.now();
    for key in was.enclosures_down.symmetric_difference(&now_is.enclosures_down) {
        let Some(name) = world.array.enclosures.get(*key).map(|enclosure| enclosure.name().to_owned()) else { continue };
        let (severity, code, message) = if now_is.enclosures_down.contains(key) {
            (Severity::Error, "enclosure_down", format!("enclosure '{name}' cannot be reached"))
        } else {
            (Severity::Information, "enclosure_up", format!("enclosure '{name}' can be reached again"))
        };
        world.array.events.tell(now, severity, code, (Noun::Enclosure, &name), message);
    }
}

fn cache<O: Clone>(world: &World<O>) -> (Severity, String, String) {
    let reasons: Vec<&str> = world.array.write_through_reasons().into_iter().map(crate::model::WriteThrough::words).collect();
    if reasons.is_empty() {
        (Severity::Information, "write_back".to_owned(), "writes are answered from the cache again (write-back)".to_owned())
    } else {
        (Severity::Warning, "write_through".to_owned(), format!("writes are answered when they are on drives (write-through): {}", reasons.join(", ")))
    }
}

fn whole<O: Clone>(world: &World<O>, status: Condition) -> (Severity, String, String) {
    let severity = match status {
        Condition::Normal | Condition::Maintenance => Severity::Information,
        Condition::Warning => Severity::Warning,
        Condition::Error => Severity::Error,
    };
    let mut because: Vec<String> =
        array_status::contributions(&world.array).filter(|one| one.noun != Noun::Array).map(|one| format!("{} '{}'", one.noun, one.name)).collect();
    because.dedup();
    let because = if because.is_empty() { String::new() } else { format!(": {}", because.join(", ")) };
    (severity, format!("array_{}", status.name()), format!("the status of the array is '{}'{because}", status.name()))
}
