//! The past after random operations: what was counted never falls, and adds up at every level.

use arrayplane::model::{Amounts, Gauge, Noun};
use arrayplane::ops::World;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::{Case, cases, config, generate};
use crate::given;

/// What was counted for everything of a kind that there ever was, work left out.
fn sum(world: &World, noun: Noun) -> Amounts {
    let array = &world.array;
    let keys = match noun {
        Noun::Controller => array.controllers.next_key().raw(),
        Noun::HostPort => array.host_ports.next_key().raw(),
        Noun::RaidGroup => array.raid_groups.next_key().raw(),
        Noun::Volume => array.volumes.next_key().raw(),
        Noun::Workload => world.workloads.next_key().raw(),
        _ => 1,
    };
    let mut sum = Amounts::NONE;
    (0..keys).for_each(|key| sum.add(&world.load.tally(noun, key, world.now())));
    sum.with(Gauge::Busy, 0)
}

fn play(case: &Case) -> Result<(), TestCaseError> {
    let mut world = case.start.world();
    let mut before = Amounts::NONE;
    for dice in &case.steps {
        let operation = generate::operation(&world, dice);
        let ctx = given::ctx(&world);
        drop(operation.run(&mut world, &ctx));
        let total = sum(&world, Noun::Array);
        let step = given::written(&operation);
        prop_assert!(before.without(&total).is_none(), "fell after {step}: {before:?} to {total:?}");
        for noun in [Noun::Controller, Noun::HostPort, Noun::RaidGroup, Noun::Volume, Noun::Workload] {
            prop_assert_eq!(sum(&world, noun), total, "{} after {}", noun, step);
        }
        before = total;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_was_counted_never_falls_and_adds_up(case in cases()) {
        play(&case)?;
    }
}
