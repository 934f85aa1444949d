//! What controllers do by themselves: start when they have power, work for a partner that does not run, and give RAID groups back.
//!
//! [`settle`] looks at the array as it is and starts or stops what follows; it changes nothing when nothing follows. What takes time
//! is a job of the array's own.

use super::{Actor, Job, JobStatus, NewJob, Work, World};
use crate::model::{Controller, ControllerState, Key, Noun, Object, Possession, Severity};
use crate::units::SimSpan;

/// Lets every controller do what follows from its power, its state and its partner.
pub(super) fn settle<O: Clone>(world: &mut World<O>) {
    let keys: Vec<Key<Controller>> = world.array.controllers.iter().map(Object::key).collect();
    for key in &keys {
        follow_power(world, *key);
    }
    for key in keys {
        follow_partner(world, key);
    }
}

/// A controller goes off with its enclosure, and starts when power is back.
fn follow_power<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    let Some(controller) = world.array.controllers.get(key) else { return };
    match (controller.state, world.array.enclosure_is_powered(controller.enclosure)) {
        (ControllerState::Online | ControllerState::Starting, false) => {
            stop_jobs(world, |work| matches!(work, Work::Boot(booting) if *booting == key));
            set_state(world, key, ControllerState::Off);
            tell(world, key, Severity::Error, "controller_off", |name| format!("controller '{name}' has lost power"));
        }
        (ControllerState::Off, true) => {
            let span = world.array.personality.parts.boot_time;
            set_state(world, key, ControllerState::Starting);
            start(world, key, "controller.boot", Work::Boot(key), span);
        }
        _ => {}
    }
}

/// A controller that does not run loses its RAID groups to its partner; one that runs gets them back.
fn follow_partner<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    let Some(controller) = world.array.controllers.get(key) else { return };
    let (online, automatic, has_partner) = (controller.is_online(), controller.auto_giveback, world.array.partner_of(key).is_some());
    match controller.possession {
        Possession::Own if !online && has_partner => {
            set_possession(world, key, Possession::Leaving);
            let span = world.array.personality.parts.takeover_time;
            start(world, key, "controller.takeover", Work::TakeOver(key), span);
        }
        Possession::Leaving if online || !has_partner => keep(world, key),
        Possession::Away | Possession::Returning if !has_partner => keep(world, key),
        Possession::Returning if !online => {
            stop_jobs(world, |work| matches!(work, Work::GiveBack(returning) if *returning == key));
            set_possession(world, key, Possession::Away);
        }
        Possession::Away if !online => stop_jobs(world, |work| matches!(work, Work::GiveBack(returning) if *returning == key)),
        Possession::Away if automatic && !has_job(world, |work| matches!(work, Work::GiveBack(returning) if *returning == key)) => {
            give_back_by_itself(world, key);
        }
        _ => {}
    }
}

/// A controller keeps its RAID groups, because nobody else can have them, or because it is back before they were gone.
fn keep<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    stop_jobs(world, |work| matches!(work, Work::TakeOver(moving) | Work::GiveBack(moving) if *moving == key));
    set_possession(world, key, Possession::Own);
}

fn give_back_by_itself<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    let (delay, now) = (world.array.personality.parts.giveback_delay, world.now());
    if delay == SimSpan::ZERO {
        give_back(world, key, &by_itself());
        return;
    }
    let name = name(world, key);
    world.queue_job(NewJob { kind: GIVEBACK, work: Work::GiveBack(key), target: (Noun::Controller, &name) }, now + delay, &by_itself());
}

const GIVEBACK: &str = "controller.giveback";

/// Begins to give a controller its RAID groups back; one that waits for its turn is superseded.
pub fn give_back<O: Clone>(world: &mut World<O>, key: Key<Controller>, actor: &Actor) -> Key<Job<O>> {
    stop_jobs(world, |work| matches!(work, Work::GiveBack(waiting) if *waiting == key));
    set_possession(world, key, Possession::Returning);
    let (span, name) = (world.array.personality.parts.giveback_time, name(world, key));
    world.start_job(NewJob { kind: GIVEBACK, work: Work::GiveBack(key), target: (Noun::Controller, &name) }, span, actor)
}

/// The turn of a giveback that waited has come.
pub(super) fn begin_giveback<O: Clone>(world: &mut World<O>, job: Key<Job<O>>, controller: Key<Controller>) {
    set_possession(world, controller, Possession::Returning);
    let span = world.array.personality.parts.giveback_time;
    world.begin_job(job, span);
}

/// A controller has started.
pub(super) fn started<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    set_state(world, key, ControllerState::Online);
    tell(world, key, Severity::Information, "controller_online", |name| format!("controller '{name}' runs"));
}

/// The partner works for a controller's RAID groups now.
pub(super) fn taken_over<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    set_possession(world, key, Possession::Away);
    let partner = world.array.partner_of(key).map(|partner| self::name(world, partner)).unwrap_or_default();
    tell(world, key, Severity::Warning, "controller_taken_over", |name| format!("controller '{partner}' works for the RAID groups of controller '{name}'"));
}

/// A controller works for its own RAID groups again.
pub(super) fn given_back<O: Clone>(world: &mut World<O>, key: Key<Controller>) {
    set_possession(world, key, Possession::Own);
    tell(world, key, Severity::Information, "controller_given_back", |name| format!("controller '{name}' works for its own RAID groups again"));
}

fn by_itself() -> Actor {
    Actor::new("array", "array", "by itself")
}

fn start<O: Clone>(world: &mut World<O>, key: Key<Controller>, kind: &str, work: Work<O>, span: SimSpan) {
    let name = name(world, key);
    world.start_job(NewJob { kind, work, target: (Noun::Controller, &name) }, span, &by_itself());
}

fn has_job<O: Clone>(world: &World<O>, matches: impl Fn(&Work<O>) -> bool) -> bool {
    world.job_on(matches).is_some()
}

fn stop_jobs<O: Clone>(world: &mut World<O>, matches: impl Fn(&Work<O>) -> bool) {
    while let Some(job) = world.job_on(&matches).map(Object::key) {
        world.end_job(job, JobStatus::Canceled, None);
    }
}

fn set_state<O: Clone>(world: &mut World<O>, key: Key<Controller>, state: ControllerState) {
    if let Some(controller) = world.array.controllers.get_mut(key) {
        controller.state = state;
    }
}

fn set_possession<O: Clone>(world: &mut World<O>, key: Key<Controller>, possession: Possession) {
    if let Some(controller) = world.array.controllers.get_mut(key) {
        controller.possession = possession;
    }
}

fn name<O: Clone>(world: &World<O>, key: Key<Controller>) -> String {
    world.array.controllers.get(key).map(|controller| controller.name().to_owned()).unwrap_or_default()
}

fn tell<O: Clone>(world: &mut World<O>, key: Key<Controller>, severity: Severity, code: &str, message: impl FnOnce(&str) -> String) {
    let (now, name) = (world.now(), name(world, key));
    let message = message(&name);
    world.array.events.tell(now, severity, code, (Noun::Controller, &name), message);
}
