//! What work inside the array, faults and full pools do to hosts: each by the law.

use super::report::{Report, Sample};
use super::rig::{REDUCED, Rig, custom};
use crate::model::{
    CopyKind, CopyPriority, CopySession, CopyStatus, CopyTask, DriveState, Enclosure, EnclosureKind, Home, Key, Layer, Layout, Migration, Part, PartFault,
    PartKind, PartPlace, RaidLevel, RebuildPriority, Reduction, Savings, Slot, StandIn, Volume,
};
use crate::units::{Bytes, PartsPerMillion, SimTime};

fn named<'a>(samples: &'a [Sample], name: &str) -> &'a Sample {
    samples.iter().find(|sample| sample.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn within(got: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((got / wanted - 1.0).abs() <= tolerance, "{what}: {got} instead of {wanted}");
}

fn busy(samples: &[Sample], name: &str) -> f64 {
    named(samples, name).utilization.unwrap_or_else(|| panic!("{name} is no resource"))
}

fn volume(rig: &Rig, name: &str) -> Key<Volume> {
    crate::model::Object::key(rig.array.volumes.named(name, None).expect("volume"))
}

/// RG0 and RG1 on CM0 and CM1 with V0 and V1, and 16 requests of 8 KiB on V0, of that share of reads.
fn rig(read_ppm: u64) -> Rig {
    let mut rig = Rig::reference();
    rig.start("W0", custom(8192, read_ppm, 0), 16, &["V0"]);
    rig
}

fn session(rig: &mut Rig, kind: CopyKind, task: Option<CopyTask>) -> Key<CopySession> {
    let (source, destination, identity) = (volume(rig, "V0"), volume(rig, "V1"), rig.array.identity);
    rig.array.copy_sessions.insert(identity, "S0".into(), |head| CopySession {
        head,
        kind,
        source,
        destination,
        status: CopyStatus::Active,
        task,
        amount: Bytes::gib(1),
        left: Bytes::ZERO,
        image: None,
        ending: false,
        priority: CopyPriority::Middle,
        requestor: String::new(),
        created: SimTime::START,
        failed: None,
    })
}

/// How busy the drives of a RAID group are per write of the workload.
fn per_write(report: &Report, group: &str) -> f64 {
    busy(&report.raid_groups, group) / report.total.write_iops
}

#[test]
fn a_mirror_writes_everything_once_more_where_its_destination_lies() {
    let mut rig = rig(300_000);
    let alone = rig.measure();
    session(&mut rig, CopyKind::Ec, None);
    let mirrored = rig.measure();
    assert_eq!(busy(&alone.raid_groups, "RG1"), 0.0);
    let write = 2.0 / 32e3 / 12.0;
    within(per_write(&mirrored, "RG1"), write, 1e-6, "two drive writes for each write");
    within(per_write(&mirrored, "RG0"), per_write(&alone, "RG0"), 1e-6, "the source's drives do what they did");
    assert!(busy(&mirrored.controllers, "CM1") > 0.0 && mirrored.total.iops < alone.total.iops);
    rig.array.copy_sessions.get_mut(Key::from_raw(0)).expect("session").status = CopyStatus::Suspend;
    assert_eq!(rig.measure().raid_groups, alone.raid_groups);
}

#[test]
fn reads_do_not_feel_a_mirror() {
    let mut rig = rig(1_000_000);
    let alone = rig.measure();
    session(&mut rig, CopyKind::Ec, None);
    assert_eq!(rig.measure(), alone);
}

#[test]
fn a_snapshot_costs_less_the_more_of_the_source_has_been_overwritten() {
    let run = |overwritten: u64| {
        let mut rig = rig(0);
        let (v0, taken) = (volume(&rig, "V0"), Layout::filled(Bytes::gib(10), 1));
        let key = session(&mut rig, CopyKind::SnapOpc, None);
        rig.array.copy_sessions.get_mut(key).expect("session").image = Some(taken.clone());
        let source = rig.array.volumes.get_mut(v0).expect("V0");
        (source.layout, source.size) = (taken.after_write(Bytes::gib(overwritten), Bytes::gib(10), 2), Bytes::gib(10));
        per_write(&rig.measure(), "RG1")
    };
    let write = 2.0 / 32e3 / 12.0;
    within(run(0), write, 1e-6, "everything is kept");
    within(run(5), 0.5 * write, 1e-6, "half of it is kept already");
    assert_eq!(run(10), 0.0);
}

#[test]
fn a_copy_of_everything_reads_the_source_writes_the_destination_and_loads_both_controllers() {
    let mut rig = Rig::reference();
    session(&mut rig, CopyKind::Opc, Some(CopyTask::Copy));
    let rate = rig.array.personality.copy_rate.get() as f64;
    let report = rig.measure();
    within(busy(&report.raid_groups, "RG0"), rate / 1e9 / 12.0, 1e-6, "reads");
    within(busy(&report.raid_groups, "RG1"), 2.0 * rate / 0.85e9 / 12.0, 1e-6, "writes of mirrored data");
    assert!(busy(&report.controllers, "CM0") > 0.0 && busy(&report.controllers, "CM1") > 0.0);
    assert_eq!(report.total.iops, 0.0);
    let task = |task| {
        let mut rig = rig.clone();
        rig.array.copy_sessions.get_mut(Key::from_raw(0)).expect("session").task = task;
        rig.measure()
    };
    let back = task(Some(CopyTask::Restore));
    within(busy(&back.raid_groups, "RG1"), rate / 1e9 / 12.0, 1e-6, "a restore reads the destination");
    assert_eq!(busy(&task(None).raid_groups, "RG0"), 0.0);
    rig.lose(0);
    rig.lose(1);
    assert_eq!(busy(&rig.measure().raid_groups, "RG0"), 0.0, "nothing moves without a controller");
}

#[test]
fn a_migration_loads_where_the_volume_is_and_where_it_goes() {
    let mut rig = rig(700_000);
    let alone = rig.measure();
    let groups = rig.array.volumes[volume(&rig, "V1")].home.clone();
    let v0 = volume(&rig, "V0");
    let migration = Migration { target: groups, reduction: Reduction::NONE, allocation: crate::model::Allocation::Thick };
    rig.array.volumes.get_mut(v0).expect("V0").migration = Some(migration);
    let moving = rig.measure();
    let rate = rig.array.personality.copy_rate.get() as f64;
    within(busy(&moving.raid_groups, "RG1"), 2.0 * rate / 0.85e9 / 12.0, 1e-6, "the target");
    assert!(moving.total.iops < alone.total.iops && busy(&moving.controllers, "CM1") > 0.0);
}

#[test]
fn a_format_writes_at_its_rate() {
    let mut rig = rig(700_000);
    let alone = rig.measure();
    let v1 = volume(&rig, "V1");
    rig.array.volumes.get_mut(v1).expect("V1").formatting = true;
    let formatting = rig.measure();
    let rate = rig.array.personality.format_rate.get() as f64;
    within(busy(&formatting.raid_groups, "RG1"), 2.0 * rate / 0.85e9 / 12.0, 1e-6, "drives");
    assert_eq!(formatting.total.iops, alone.total.iops, "nothing is shared with V0");
}

/// A pool of RG0 with data, expanded by RG1, with a volume under 64 requests.
fn expanded(layers: Vec<Layer>, balancing: bool) -> Report {
    let mut rig = Rig::new();
    let groups = [rig.group("RG0", RaidLevel::Raid10, 4, 0), rig.group("RG1", RaidLevel::Raid10, 4, 1)];
    let key = rig.pool("P0", &groups);
    rig.home("V0", Home::Pool(key), Reduction::NONE);
    rig.map("V0", &[0, 1, 2, 3]);
    rig.start("W0", custom(8192, 0, 0), 64, &["V0"]);
    let pool = rig.array.pools.get_mut(key).expect("pool");
    (pool.allocated, pool.layers, pool.balancing) = (Bytes::gib(100), layers, balancing);
    rig.measure()
}

#[test]
fn an_expanded_pool_is_no_faster_until_it_is_balanced() {
    let layer = |data| vec![Layer { raid_groups: 1, data: Bytes::gib(data) }];
    let (old, half, even) = (expanded(layer(100), false), expanded(layer(50), false), expanded(vec![], false));
    assert_eq!(busy(&old.raid_groups, "RG1"), 0.0);
    within(named(&half.raid_groups, "RG1").iops, 0.25 * half.total.iops, 1e-9, "half of the data lies evenly");
    within(named(&even.raid_groups, "RG1").iops, 0.5 * even.total.iops, 1e-9, "all of it does");
    assert!(old.total.iops < half.total.iops && half.total.iops < even.total.iops);
    let balancing = expanded(layer(100), true);
    assert!(balancing.total.iops < old.total.iops && busy(&balancing.raid_groups, "RG1") > 0.0);
    // More data than there is now: some of it has gone.
    assert_eq!(expanded(layer(200), false), old);
}

fn second_enclosure(rig: &mut Rig) -> Key<Enclosure> {
    let identity = rig.array.identity;
    let key = rig.array.enclosures.insert(identity, "DE1".into(), |head| Enclosure {
        head,
        kind: EnclosureKind::Drive,
        bays: 24,
        serial_number: String::new(),
        locate: false,
    });
    rig.array.parts.insert(identity, "DE1-IOM#0".into(), |head| Part {
        head,
        kind: PartKind::IoModule,
        place: PartPlace::Enclosure(key),
        serial_number: None,
        fault: Some(PartFault::Error),
        expires: None,
        temperature: None,
        charging: false,
    });
    key
}

#[test]
fn drives_of_an_enclosure_that_cannot_be_reached_do_not_serve() {
    let run = |out: &[u32]| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", RaidLevel::Raid5, 8, 0);
        rig.volume("V0", &[group]);
        rig.map("V0", &[0, 1, 2, 3]);
        rig.start("W0", custom(8192, 1_000_000, 0), 64, &["V0"]);
        let enclosure = second_enclosure(&mut rig);
        for drive in out {
            rig.array.drives.get_mut(Key::from_raw(*drive)).expect("drive").enclosure = enclosure;
        }
        let report = rig.measure();
        (report.total.iops, busy(&report.raid_groups, "RG0"))
    };
    let (whole, one) = (run(&[]), run(&[3]));
    within(one.1 / one.0, 2.0 * whole.1 / whole.0, 1e-6, "as if the drive had failed");
    assert_eq!(run(&[3, 4]), (0.0, 0.0));
}

#[test]
fn a_full_pool_stops_writes_and_what_writes_with_its_reads() {
    let run = |free: bool, profile: &str, written: bool| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", RaidLevel::Raid10, 12, 0);
        let key = rig.pool("P0", &[group]);
        rig.home("V0", Home::Pool(key), Reduction::NONE);
        rig.map("V0", &[0, 1, 2, 3]);
        let pool = rig.array.pools.get_mut(key).expect("pool");
        pool.allocated = if free { Bytes::ZERO } else { pool.capacity };
        if written {
            let size = rig.array.volumes[Key::from_raw(0)].size;
            rig.array.volumes.get_mut(Key::<Volume>::from_raw(0)).expect("V0").layout = Layout::filled(size, 1);
        }
        match profile {
            "mixed" => rig.start("W0", custom(8192, 750_000, 0), 64, &["V0"]),
            named => rig.run("W0", named, Some(64), &["V0"]),
        };
        rig.workload()
    };
    let (open, full) = (run(true, "mixed", false), run(false, "mixed", false));
    assert!(open.write_iops > 0.0 && full.write_iops == 0.0 && full.read_iops > 0.0, "{full:?}");
    within(full.outstanding, 48.0, 1e-6, "those that want to read go on");
    assert_eq!(run(false, "4k-random-write", false).iops, 0.0);
    assert!(run(false, "4k-random-read", false).iops > 0.0);
    assert_eq!(run(false, "sqlserver-tpcc", false).iops, 0.0, "a transaction that writes stands still");
    assert!(run(false, "mixed", true).write_iops > 0.0, "what is written already can be overwritten");
}

#[test]
fn reads_that_the_cache_answers_cost_the_drives_nothing() {
    let run = |hits: u64| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", RaidLevel::Raid5, 4, 0);
        rig.volume("V0", &[group]);
        rig.map("V0", &[0, 1, 2, 3]);
        let key = rig.start("W0", custom(4096, 1_000_000, 0), 4000, &["V0"]);
        rig.workloads.get_mut(key).expect("workload").cache_hits_ppm = PartsPerMillion(hits);
        let report = rig.measure();
        (busy(&report.raid_groups, "RG0") / report.total.iops, report.total.iops)
    };
    let (none, half, all) = (run(0), run(500_000), run(1_000_000));
    within(half.0, 0.5 * none.0, 1e-6, "half of the reads");
    assert_eq!(all.0, 0.0);
    assert!(none.1 < half.1 && half.1 <= all.1, "{none:?} {half:?} {all:?}");
}

#[test]
fn degraded_writes_and_rebuilds_are_dearer_and_a_copyback_is_cheaper_than_a_rebuild() {
    let run = |change: &dyn Fn(&mut Rig)| {
        let mut rig = Rig::new();
        let group = rig.group("RG0", RaidLevel::Raid6, 12, 0);
        rig.volume("V0", &[group]);
        rig.map("V0", &[0, 1, 2, 3]);
        rig.run("W0", "4k-random-write", Some(64), &["V0"]);
        change(&mut rig);
        rig.measure()
    };
    let (sound, degraded) = (run(&|_| {}), run(&|rig| rig.lose_member(0, None)));
    within(per_write(&degraded, "RG0") / per_write(&sound, "RG0"), (7.0 - 11.0 / 12.0) / 6.0 * 12.0 / 11.0, 1e-6, "one of twelve is missing");
    let rebuilding = run(&|rig| rig.lose_member(0, Some(RebuildPriority::Middle)));
    let copyback = run(&|rig| {
        rig.lose_member(0, Some(RebuildPriority::Middle));
        let member: Key<crate::model::Drive> = Key::from_raw(0);
        rig.array.drives.get_mut(member).expect("drive").state = DriveState::Available;
        let group = rig.array.raid_groups.get_mut(Key::from_raw(0)).expect("group");
        let drive = group.slot(0).stand_in.expect("a spare stands in").drive;
        group.set_slot(0, Slot { current: false, stand_in: Some(StandIn { drive, current: true }) });
    });
    assert!(busy(&rebuilding.controllers, "CM0") > busy(&degraded.controllers, "CM0"), "the controller makes the data anew");
    assert!(degraded.total.iops > rebuilding.total.iops && sound.total.iops > copyback.total.iops);
    assert!(copyback.total.iops > rebuilding.total.iops);
}

#[test]
fn the_better_data_can_be_reduced_the_less_reaches_the_drives_but_controllers_work_as_much() {
    let run = |ratio: u64| {
        let mut rig = Rig::reduced();
        for number in 0..2 {
            let pool = rig.array.pools.get_mut(Key::from_raw(number)).expect("pool");
            pool.savings = Savings { before: Bytes::gib(100 * ratio), after: Bytes::gib(100) };
        }
        rig.start("W0", custom(8192, 500_000, 0), 64, &["D0", "D1"]);
        rig.measure()
    };
    let (poor, good) = (run(1), run(4));
    let per = |samples: &[Sample], name: &str, report: &Report| busy(samples, name) / report.total.iops;
    within(per(&good.raid_groups, "RG0", &good), per(&poor.raid_groups, "RG0", &poor) / 4.0, 1e-6, "drives");
    within(per(&good.controllers, "CM0", &good), per(&poor.controllers, "CM0", &poor), 1e-6, "controllers");
    assert!(REDUCED.is_on());
}
