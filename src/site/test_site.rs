//! A small world and a wall clock held in the hand, for the tests of this room.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::{Hosted, Options, Site, TimeSource};
use crate::catalogue::{self, BuildOptions};
use crate::engine::{Actor, ClockMode, Ctx, Job};
use crate::model::{Key, RaidLevel};
use crate::ops::{self, AnyOperation, World, job, raid_group, settings};
use crate::units::{Bytes, SimSpan, SimTime};

/// Wall time that a test moves.
#[derive(Debug, Default)]
pub(super) struct HeldTime(Mutex<Duration>);

impl HeldTime {
    pub(super) fn pass(&self, seconds: u64) {
        *self.0.lock() += Duration::from_secs(seconds);
    }
}

impl TimeSource for HeldTime {
    fn elapsed(&self) -> Duration {
        *self.0.lock()
    }
}

/// A site on held time with one array, `lab`.
pub(super) fn lab(world: World, journal_budget: Bytes) -> (Arc<HeldTime>, Arc<Site>, Arc<Hosted>) {
    let time = Arc::new(HeldTime::default());
    let site = Site::on(Arc::clone(&time) as Arc<dyn TimeSource>, Options { journal_budget });
    let hosted = site.create("lab", world).expect("a valid name");
    (time, site, hosted)
}

pub(super) fn somebody() -> Actor {
    Actor::new("api", "tester", "POST /v1/arrays/lab/raid-groups")
}

pub(super) fn group(name: &str) -> raid_group::Create {
    raid_group::Create {
        name: name.into(),
        level: RaidLevel::Raid10,
        drives: None,
        drive_count: Some(4),
        drive_type: None,
        drive_capacity: None,
        controller: Some("CM0".into()),
    }
}

pub(super) fn renamed(system: &str) -> settings::Update {
    settings::Update { system_name: Some(system.into()), ..settings::Update::default() }
}

/// A new AF250 whose clock is `mode`.
pub(super) fn world(mode: ClockMode) -> World {
    let model = catalogue::model("eternus-af250").expect("the model is known");
    let mut world = World::new(model.build(&BuildOptions::default()).expect("its own drives fit"));
    world.clock.mode = mode;
    world
}

/// Queues an operation for a later time.
pub(super) fn queue(world: &mut World, operation: AnyOperation, after: SimSpan) -> Key<Job<AnyOperation>> {
    let ctx = Ctx { now: world.now(), actor: somebody() };
    ops::execute(&job::Submit { operation: Box::new(operation), after: Some(after) }, world, &ctx).expect("it can wait")
}

/// When the world believes that it is.
pub(super) fn now(hosted: &Hosted) -> SimTime {
    hosted.read(|world| world.now())
}
