//! Notes, records, and jobs of requests that were carried out.

use arrayplane::model::Object;
use arrayplane::ops::World;
use serde_json::{Map, Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    [note_set(), record_create(), record_update(), record_delete(), tenant_delete(), job_note()].concat()
}

#[test]
fn notes_records_and_jobs_of_requests_refuse_in_the_documented_order() {
    ladders();
}

/// The tenant T0 with the record `own`, to which V refers; the schedule `hourly` of the array, to which the policy `default` refers.
fn world() -> World {
    let mut world = given::with(
        "eternus-af250",
        &[
            json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
            json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GiB"}}),
            json!({"tenant.create": {"name": "T0"}}),
            json!({"record.create": {"kind": "schedule", "name": "hourly", "notes": {"minutes": [5]}}}),
            json!({"record.create": {"kind": "schedule", "name": "daily"}}),
            json!({"record.create": {"kind": "ipspace", "name": "own", "tenant": "T0"}}),
        ],
    );
    let copies = json!([{"count": 6, "schedule": reference(&world, "hourly")}]);
    given::done(&mut world, &json!({"record.create": {"kind": "snapshot_policy", "name": "default", "notes": {"copies": copies}}}));
    let own = reference(&world, "own");
    given::done(&mut world, &json!({"note.set": {"noun": "volume", "object": "V", "notes": {"space": own}}}));
    world
}

fn reference(world: &World, name: &str) -> Value {
    let record = world.array.records.iter().find(|record| record.name() == name).expect("a record");
    json!({"record": record.id()})
}

/// Many notes, one letter each.
fn many(count: usize) -> Value {
    (0..count).map(|index| (format!("n{index}"), json!("x"))).collect::<Map<_, _>>().into()
}

fn note_set() -> Vec<Refusal> {
    Ladder::new(world(), "note.set", json!({"noun": "virtual-volume", "object": "X", "notes": {"Comment": 0}}))
        .refused(("value_invalid", "note", "noun"), json!({"noun": "volume"}))
        .refused(("not_found", "volume", ""), json!({"object": "V"}))
        .also(("value_invalid", "note", "notes"), json!({"notes": {"": 1}}))
        .also(("value_invalid", "note", "notes"), json!({"notes": {"a".repeat(65): 1}}))
        .refused(("value_invalid", "note", "notes"), json!({"notes": {"a": [{"b": 1.5}], "c": {"record": "hourly"}}}))
        .refused(("value_invalid", "note", "notes.a"), json!({"notes": {"c": {"record": "hourly"}}}))
        .also(("not_found", "record", "notes.c"), json!({"notes": {"c": [{"d": {"record": "5e0a9ddc-7a1d-5f0f-8a53-0d4ee8a9b2a2"}}]}}))
        .refused(("not_found", "record", "notes.c"), json!({"notes": many(64)}))
        .refused(("limit_reached", "note", ""), json!({"notes": {"text": "x".repeat(16 * 1024)}}))
        .refused(("out_of_range", "note", "notes"), json!({"notes": {"text": "x".repeat(15 * 1024), "space": null}}))
        .done()
}

fn record_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.records = 4;
    Ladder::new(world, "record.create", json!({"kind": "schedule", "name": "", "tenant": "X", "notes": {"A": 1}}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": null}))
        .also(("name_invalid", "record", "name"), json!({"name": "n".repeat(256)}))
        .also(("name_invalid", "record", "name"), json!({"name": "a\nb"}))
        .refused(("name_invalid", "record", "name"), json!({"name": "daily"}))
        .refused(("name_taken", "record", "name"), json!({"kind": "route"}))
        .refused(("value_invalid", "note", "notes"), json!({"notes": null}))
        .refused_until(("limit_reached", "record", ""), |world| world.array.personality.limits.records = 5)
        .done()
}

fn record_update() -> Vec<Refusal> {
    Ladder::new(world(), "record.update", json!({"record": "X", "name": "", "notes": {"a": {"record": "?"}}}))
        .refused(("not_found", "record", ""), json!({"record": "schedule/daily"}))
        .refused(("name_invalid", "record", "name"), json!({"name": "hourly"}))
        .refused(("name_taken", "record", "name"), json!({"name": "own"}))
        .refused(("not_found", "record", "notes.a"), json!({"notes": {"a": null}}))
        .done()
}

fn record_delete() -> Vec<Refusal> {
    let free = json!({"record.update": {"record": "snapshot_policy/default", "notes": {"copies": null}}});
    Ladder::new(world(), "record.delete", json!({"record": "X"}))
        .refused(("not_found", "record", ""), json!({"record": "hourly"}))
        .refused_before(("in_use", "record", ""), [free])
        .done()
}

fn tenant_delete() -> Vec<Refusal> {
    let free = json!({"note.set": {"noun": "volume", "object": "V", "notes": {"space": null}}});
    Ladder::new(world(), "tenant.delete", json!({"tenant": "T0"})).refused_before(("in_use", "record", ""), [free]).done()
}

fn job_note() -> Vec<Refusal> {
    Ladder::new(world(), "job.note", json!({"description": "", "noun": "letter", "object": "V"}))
        .refused(("missing", "job", "description"), json!({"description": "d".repeat(1025)}))
        .refused(("out_of_range", "job", "description"), json!({"description": "PATCH /api/storage/luns/V"}))
        .refused(("value_invalid", "note", "noun"), json!({"noun": null}))
        .refused(("missing", "job", "noun"), json!({"noun": "volume", "notes": {"B": 1}}))
        .refused(("value_invalid", "note", "notes"), json!({"notes": {"b": 1}}))
        .done()
}

#[test]
fn clones_have_the_notes_of_what_they_are_made_of() {
    let mut world = given::with(
        "aff-a250",
        &[
            json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}),
            json!({"tenant.create": {"name": "T0", "pools": ["P0"]}}),
            json!({"container.create": {"name": "C0", "pool": "P0", "size": "1TB", "tenant": "T0"}}),
            json!({"volume.create": {"name": "L0", "container": "C0", "size": "1GiB"}}),
            json!({"record.create": {"kind": "application", "name": "shop", "tenant": "T0"}}),
            json!({"note.set": {"noun": "container", "object": "C0", "notes": {"comment": "of the container"}}}),
        ],
    );
    let shop = reference(&world, "shop");
    let set = |notes: Value| json!({"note.set": {"noun": "volume", "object": "C0/L0", "notes": notes}});
    given::done(&mut world, &set(json!({"os_type": "linux", "of": [shop]})));
    given::done(&mut world, &json!({"snapshot.create": {"container": "C0", "name": "S0"}}));
    given::done(&mut world, &set(json!({"os_type": "windows", "of": null})));
    given::done(&mut world, &json!({"container.clone": {"snapshot": "S0", "name": "C1"}}));
    let noted = |world: &World, volume: &str, name: &str| {
        let volume = world.array.find_volume(volume, arrayplane::model::Place::Target).expect("a volume");
        volume.note(name).cloned().unwrap_or_default()
    };
    assert_eq!(noted(&world, "C1/L0", "os_type"), "linux", "a clone has the notes of the image");
    assert!(world.array.containers.all_named("C1").next().expect("the clone").notes().is_none());
    given::done(&mut world, &json!({"volume.clone": {"volume": "C0/L0", "name": "L1"}}));
    assert_eq!(noted(&world, "C0/L1", "os_type"), "windows", "a clone has the notes of its origin");
    given::done(&mut world, &json!({"note.set": {"noun": "volume", "object": "C1/L0", "notes": {"of": null}}}));
    given::done(&mut world, &json!({"record.delete": {"record": "shop"}}));
    assert_eq!(arrayplane::engine::problems(&world), Vec::<String>::new());
}

#[test]
fn a_restored_snapshot_brings_the_notes_of_its_volumes_back() {
    let mut world = given::with(
        "aff-a250",
        &[
            json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}),
            json!({"container.create": {"name": "C0", "pool": "P0", "size": "1TB"}}),
            json!({"volume.create": {"name": "L0", "container": "C0", "size": "1GiB"}}),
            json!({"record.create": {"kind": "application", "name": "shop"}}),
        ],
    );
    let shop = reference(&world, "shop");
    let set = |notes: Value| json!({"note.set": {"noun": "volume", "object": "L0", "notes": notes}});
    given::done(&mut world, &set(json!({"os_type": "linux", "of": shop})));
    given::done(&mut world, &json!({"snapshot.create": {"container": "C0", "name": "S0"}}));
    given::done(&mut world, &set(json!({"os_type": "windows", "of": null})));
    given::done(&mut world, &json!({"record.delete": {"record": "shop"}}));
    given::done(&mut world, &json!({"snapshot.restore": {"snapshot": "S0"}}));
    let volume = world.array.volumes.iter().next().expect("a volume");
    assert_eq!((volume.note("os_type"), volume.note("of")), (Some(&json!("linux")), None), "the note about what is gone has gone with it");
}

#[test]
fn a_tenant_takes_its_records_with_it() {
    let mut world =
        given::with("eternus-af250", &[json!({"tenant.create": {"name": "T0"}}), json!({"record.create": {"kind": "route", "name": "r", "tenant": "T0"}})]);
    let route = reference(&world, "r");
    given::done(&mut world, &json!({"record.create": {"kind": "subnet", "name": "s", "tenant": "T0", "notes": {"route": route}}}));
    given::done(&mut world, &json!({"note.set": {"noun": "tenant", "object": "T0", "notes": {"route": route}}}));
    given::done(&mut world, &json!({"tenant.delete": {"tenant": "T0"}}));
    assert!(world.array.records.is_empty());
}

#[test]
fn a_job_of_a_request_is_over_and_says_what_was_asked_for() {
    let mut world = given::with("eternus-af250", &[json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}})]);
    given::done(&mut world, &json!({"job.note": {"description": "PATCH /api/storage/aggregates/P0", "noun": "pool", "object": "0"}}));
    given::done(&mut world, &json!({"job.note": {"description": "DELETE /api/storage/luns/x", "noun": "volume", "object": "x"}}));
    let told: Vec<_> = world.jobs.iter().map(|job| (job.noun.name(), job.target.as_str(), job.percent(world.now()), job.status.is_over())).collect();
    assert_eq!(told, [("pool", "P0", 100, true), ("volume", "x", 100, true)]);
    assert_eq!(arrayplane::engine::problems(&world), Vec::<String>::new());
}
