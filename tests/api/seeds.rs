//! The same seed and the same requests give the same bytes; another seed gives others.

use serde_json::json;

use super::Server;

const LISTS: [&str; 20] = [
    "enclosures",
    "controllers",
    "host-ports",
    "drives?limit=1000",
    "raid-groups",
    "pools",
    "containers",
    "snapshots",
    "volumes",
    "hosts",
    "host-groups",
    "port-groups",
    "lun-groups",
    "affinities",
    "mappings",
    "workloads",
    "jobs",
    "events",
    "performance",
    "capacity",
];

fn furnish(server: &Server, name: &str, seed: u64) -> Vec<String> {
    server.post("/v1/arrays", json!({"name": name, "model": "eternus-af250", "seed": seed, "clock": {"mode": "manual"}})).json(201);
    let path = |rest: &str| format!("/v1/arrays/{name}/{rest}");
    let operations = json!([
        {"settings.update": {"data_reduction": true}},
        {"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 12, "deduplication": true}},
        {"raid-group.create": {"name": "RG0", "level": "raid6", "drive_count": 6}},
        {"volume.create": {"name": "D", "pool": "P0", "size": "4TB", "deduplication": true, "reducibility": 3.5, "count": 3}},
        {"volume.create": {"name": "T0", "raid_group": "RG0", "size": "1TB"}},
        {"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}},
        {"mapping.create": {"volume": "D0", "host": "H0"}},
        {"workload.create": {"name": "W0", "profile": "4k-random-read", "volumes": ["D0"]}},
        {"volume.write": {"volume": "D0", "bytes": "1TB"}}
    ]);
    server.post(&path("operations"), operations).json(200);
    server.post(&path("volumes/T0/format"), json!({})).json(202);
    server.post(&path("clock/advance"), json!({"by": "1m"})).json(200);
    LISTS.iter().map(|list| server.get(&path(list))).inspect(|answer| assert_eq!(answer.status, 200)).map(|answer| answer.body.replace(name, "NAME")).collect()
}

#[test]
fn equal_seeds_give_equal_lists_and_another_seed_other_identifiers() {
    let server = Server::start();
    let (one, same, other) = (furnish(&server, "array-a", 7), furnish(&server, "array-b", 7), furnish(&server, "array-c", 8));
    for ((list, one), (same, other)) in LISTS.iter().zip(&one).zip(same.iter().zip(&other)) {
        assert_eq!(one, same, "{list}");
        let says_who_it_is = one.contains("\"id\":");
        assert_eq!(one != other, says_who_it_is, "{list}: identifiers follow from the seed, and nothing else does");
    }
}
