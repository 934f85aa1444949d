//! Drives that fail one after the other, on RAID groups of all levels: nothing is lost count of, and what can be healed is healed.

use arrayplane::engine;
use arrayplane::model::capacity::capacity;
use arrayplane::model::{Drive, DriveState, DriveStatus, GroupStatus, Object, Standing, health};
use arrayplane::ops::World;
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::json;

use super::dice::Dice;
use super::{History, config, generate, simply, sums};
use crate::given;

/// RAID groups of all levels, a pool, volumes, and 19 drives beside.
fn world(seed: u64) -> World {
    let mut world = given::with_many_drives("eternus-af250", 48, seed);
    for (number, (level, drives)) in [("raid0", 2), ("raid1", 2), ("raid1+0", 4), ("raid5", 4), ("raid5+0", 6), ("raid6", 6)].into_iter().enumerate() {
        given::done(&mut world, &json!({"raid-group.create": {"name": format!("RG{number}"), "level": level, "drive_count": drives}}));
        given::done(&mut world, &json!({"volume.create": {"name": format!("V{number}"), "raid_group": format!("RG{number}"), "size": "1TB"}}));
    }
    given::done(&mut world, &json!({"pool.create": {"name": "P0", "level": "raid6", "drive_count": 5}}));
    given::done(&mut world, &json!({"volume.create": {"name": "T", "pool": "P0", "size": "1TB"}}));
    world
}

/// Puts back and replaces what can be, until nothing is left to be done: where there is one spare, one drive after the other.
fn heal(world: &mut World) {
    for _ in 0..world.array.drives.len() {
        let stale = |drive: &Drive| drive.state == DriveState::PredictiveFailure && health::drive_status(&world.array, drive) == DriveStatus::NotAvailable;
        let bad = |drive: &&Drive| drive.pulled || matches!(drive.state, DriveState::Failed | DriveState::FailedUsable) || stale(drive);
        let drives: Vec<(u32, bool)> = world.array.drives.iter().filter(bad).map(|drive| (drive.number(), drive.pulled)).collect();
        if drives.is_empty() && world.agenda.next_time().is_none() {
            return;
        }
        for (number, pulled) in drives {
            let verb = if pulled { "drive.insert" } else { "drive.replace" };
            given::done(world, &json!({ verb: {"drive": number.to_string()} }));
        }
        given::done(world, &json!({"clock.advance": {"until": "idle"}}));
    }
}

proptest! {
    #![proptest_config(Config { cases: config().cases.div_ceil(4), ..config() })]

    #[test]
    fn drives_fail_and_come_back_without_losing_count(seed in 0_u64..4, steps in prop::collection::vec(Dice::any(), 20..=60)) {
        let mut world = world(seed);
        let mut history = History::default();
        let (drives, bays) = (world.array.drives.len(), capacity(&world.array).drives.total);
        for dice in &steps {
            let operation = generate::failure(&world, dice);
            history.0.push(operation.clone());
            let data: Vec<_> = world.array.raid_groups.iter().map(|group| group.capacity).collect();
            simply(&mut world, &operation);
            let problems = [engine::problems(&world), sums::problems(&world.array)].concat();
            if !problems.is_empty() {
                return Err(history.failure(problems.join("\n")));
            }
            let after: Vec<_> = world.array.raid_groups.iter().map(|group| group.capacity).collect();
            if data.iter().zip(&after).any(|(before, after)| after < before) || world.array.drives.len() != drives {
                return Err(history.failure("space for data or a bay is gone"));
            }
        }
        heal(&mut world);
        for group in world.array.raid_groups.iter() {
            let standing = Standing::of(&world.array, group);
            let healed = if standing.is_lost() { GroupStatus::Broken } else { GroupStatus::Available };
            if standing.status() != healed {
                return Err(history.failure(format!("{} is {} after all drives were replaced", group.name(), standing.status())));
            }
        }
        prop_assert_eq!(capacity(&world.array).drives.total, bays, "every bay holds a drive again");
    }
}
