//! A walk through every documented operation, each once at least, in an order in which it succeeds.

use serde_json::{Value, json};

use super::{Answer, Server};

/// One request: the template of its path, the path, the body, and the status that it must be answered with.
pub(crate) struct Step {
    pub(crate) method: &'static str,
    pub(crate) template: String,
    pub(crate) status: u16,
    path: String,
    body: Value,
}

/// `{..}` in a template, filled in the order of the values; what follows `?` is not of the template.
fn step(method: &'static str, template: &str, values: &[&str], body: Value, status: u16) -> Step {
    let (template, query) = template.split_once('?').unwrap_or((template, ""));
    let mut path = String::new();
    let mut values = values.iter();
    for part in template.split('/').skip(1) {
        let part = if part.starts_with('{') { values.next().unwrap_or_else(|| panic!("no value for {part} in {template}")) } else { &part };
        path.push_str(&format!("/{part}"));
    }
    if !query.is_empty() {
        path.push_str(&format!("?{query}"));
    }
    Step { method, template: template.to_owned(), status, path, body }
}

/// Below the array `t`, or `o`, which has containers.
fn on(array: &str, method: &'static str, template: &str, values: &[&str], body: Value, status: u16) -> Step {
    let values: Vec<&str> = [array].into_iter().chain(values.iter().copied()).collect();
    step(method, &format!("/v1/arrays/{{array}}/{template}"), &values, body, status)
}

/// Lists, reads and changes one.
fn tour(array: &str, plural: &str, noun: &str, one: &str, change: Value) -> Vec<Step> {
    let of_one = format!("{plural}/{{{noun}}}");
    vec![
        on(array, "GET", plural, &[], Value::Null, 200),
        on(array, "GET", &format!("{plural}?limit=1&fields=name"), &[], Value::Null, 200),
        on(array, "GET", &of_one, &[one], Value::Null, 200),
        on(array, "PATCH", &of_one, &[one], change, 200),
    ]
}

/// Makes one, lists, reads and changes it.
fn life(array: &str, plural: &str, noun: &str, make: Value) -> Vec<Step> {
    let one = make["name"].as_str().unwrap_or("0").to_owned();
    let mut steps = vec![on(array, "POST", plural, &[], make, 201)];
    steps.extend(tour(array, plural, noun, &one, json!({})));
    steps
}

fn server_and_catalogue() -> Vec<Step> {
    vec![
        step("POST", "/v1/arrays", &[], json!({"name": "t", "model": "eternus-af250", "drives": 48}), 201),
        step("POST", "/v1/arrays", &[], json!({"name": "o", "model": "aff-a250"}), 201),
        step("POST", "/v1/arrays", &[], json!({"name": "demo", "scenario": "af250"}), 201),
        step("GET", "/v1/arrays", &[], Value::Null, 200),
        on("o", "PUT", "ontap", &[], json!({"port": 0}), 200),
        on("o", "GET", "ontap", &[], Value::Null, 200),
        step("GET", "/v1/arrays/{array}", &["o"], Value::Null, 200),
        on("o", "DELETE", "ontap", &[], Value::Null, 204),
        step("GET", "/v1/arrays/{array}", &["t"], Value::Null, 200),
        step("GET", "/v1/models", &[], Value::Null, 200),
        step("GET", "/v1/models/{model}", &["aff-a250"], Value::Null, 200),
        step("GET", "/v1/scenarios", &[], Value::Null, 200),
        step("GET", "/v1/scenarios/{scenario}", &["af250"], Value::Null, 200),
        step("GET", "/v1/profiles", &[], Value::Null, 200),
        step("GET", "/v1/calibration", &[], Value::Null, 200),
        step("GET", "/v1/calibration/charts/{chart}", &["af250"], Value::Null, 200),
        step("POST", "/v1/what-if", &[], json!({"scenario": "af250", "compare": [{"name": "one controller", "controllers": 1}]}), 200),
        on("t", "GET", "clock", &[], Value::Null, 200),
        on("t", "PATCH", "clock", &[], json!({"mode": "manual"}), 200),
        on("t", "GET", "settings", &[], Value::Null, 200),
        on("t", "PATCH", "settings", &[], json!({"data_reduction": true}), 200),
    ]
}

fn sections() -> Vec<Step> {
    let section = |method: &'static str, path: &str, body: Value, status: u16| on("t", method, &format!("settings/{path}"), &[], body, status);
    vec![
        section("PATCH", "network", json!({"ntp_servers": ["ntp.example.com"]}), 200),
        section("PATCH", "notification", json!({"syslog": [{"server": "log.example.com"}]}), 200),
        section("PATCH", "certificate", json!({"subject": {"common_name": "array.example.com"}}), 200),
        section("PATCH", "encryption", json!({"key_servers": ["kms.example.com"]}), 200),
        section("PATCH", "thin-provisioning", json!({"maximum_pool_capacity": "1536TiB"}), 200),
        section("POST", "licences", json!({"licence": "storage_cluster", "key": "ABCD-EFGH-IJKL-MNOP"}), 200),
        on("t", "DELETE", "settings/licences/{licence}", &["storage_cluster"], Value::Null, 204),
        section("PATCH", "firmware", json!({"version": "V10L90-0000"}), 202),
        on("t", "POST", "clock/advance", &[], json!({"until": "idle"}), 200),
    ]
}

fn tenants() -> Vec<Step> {
    let mut steps = life("t", "tenants", "tenant", json!({"name": "T0", "pools": ["P0"]}));
    steps.extend(life("t", "qos-policies", "qos_policy", json!({"name": "Q0", "level": 3, "tenant": "T0"})));
    steps.extend(life("t", "host-responses", "host_response", json!({"name": "R0", "manners": {"flat_space_addressing": true}})));
    let interface = json!({"name": "I0", "services": ["management"], "home_controller": "CM0", "address": "10.0.0.1", "prefix_length": 24});
    steps.extend(life("t", "interfaces", "interface", interface));
    steps.push(on("t", "POST", "interfaces/{interface}/migrate", &["I0"], json!({"controller": "CM1"}), 200));
    steps.push(on("t", "POST", "interfaces/{interface}/revert", &["I0"], json!({}), 200));
    steps.extend(life("t", "records", "record", json!({"kind": "schedule", "name": "S0", "tenant": "T0", "notes": {"minutes": [5]}})));
    steps.push(on("t", "PATCH", "notes/{noun}/{object}", &["tenant", "T0"], json!({"notes": {"language": "c.utf_8"}}), 200));
    steps.push(on("t", "GET", "notes/{noun}/{object}", &["tenant", "T0"], Value::Null, 200));
    steps.push(on("t", "GET", "tenants/{tenant}", &["T0"], Value::Null, 200));
    steps.push(on("t", "DELETE", "records/{record}", &["S0"], Value::Null, 204));
    let gone =
        [("interfaces", "interface", "I0"), ("qos-policies", "qos_policy", "Q0"), ("host-responses", "host_response", "R0"), ("tenants", "tenant", "T0")];
    steps.extend(gone.map(|(plural, noun, one)| on("t", "DELETE", &format!("{plural}/{{{noun}}}"), &[one], Value::Null, 204)));
    steps
}

fn space() -> Vec<Step> {
    let mut steps = life("t", "raid-groups", "raid_group", json!({"name": "RG0", "level": "raid1", "drive_count": 2}));
    steps.extend(life("t", "pools", "pool", json!({"name": "P0", "level": "raid5", "drive_count": 4, "compression": true})));
    steps.extend(life("t", "volumes", "volume", json!({"name": "V0", "pool": "P0", "size": "1TB"})));
    let volume = |verb: &str, body: Value, status: u16| on("t", "POST", &format!("volumes/{{volume}}/{verb}"), &["V0"], body, status);
    steps.push(on("t", "POST", "volumes", &[], json!({"name": "T", "raid_group": "RG0", "size": "1GB", "count": 2}), 201));
    steps.push(volume("write", json!({"bytes": "10GB"}), 200));
    steps.push(on("t", "POST", "pools/{pool}/expand", &["P0"], json!({"drive_count": 4}), 200));
    steps.push(on("t", "POST", "pools/{pool}/balance", &["P0"], json!({}), 202));
    steps.push(on("t", "POST", "pools/{pool}/balance/stop", &["P0"], json!({}), 200));
    steps.push(volume("unmap", json!({"bytes": "5GB"}), 200));
    steps.push(volume("expand", json!({"size": "1.5TB"}), 200));
    steps.push(volume("migrate", json!({"raid_group": "RG0"}), 202));
    steps.push(on("t", "GET", "volumes/{volume}", &["V0"], Value::Null, 200));
    steps.push(volume("migrate/stop", json!({}), 200));
    steps.push(volume("format", json!({}), 202));
    steps.push(on("t", "POST", "clock/advance", &[], json!({"until": "idle"}), 200));
    steps
}

fn copies() -> Vec<Step> {
    let of = |array: &'static str, verb: &str, volume: &str, body: Value, status: u16| {
        on(array, "POST", &format!("volumes/{{volume}}/{verb}"), &[volume], body, status)
    };
    let mut steps = vec![
        of("t", "snapshot", "T0", json!({"name": "S0", "raid_group": "RG0"}), 201),
        of("t", "snapshot/rotate", "T0", json!({}), 201),
        on("t", "POST", "volumes", &[], json!({"name": "T2", "raid_group": "RG0", "size": "1GB", "count": 3, "start_number": 2}), 201),
    ];
    steps.extend(life("t", "copy-sessions", "copy_session", json!({"name": "E0", "kind": "ec", "source": "T0", "destination": "T22"})));
    steps.extend(life("t", "copy-sessions", "copy_session", json!({"name": "Q0", "kind": "quick_opc", "source": "T0", "destination": "T23"})));
    steps.push(on("t", "POST", "clock/advance", &[], json!({"until": "idle"}), 200));
    for (verb, session) in [("suspend", "E0"), ("reverse", "E0"), ("reverse", "E0"), ("resume", "E0"), ("restart", "Q0"), ("restore", "T0-S0")] {
        steps.push(on("t", "POST", &format!("copy-sessions/{{copy_session}}/{verb}"), &[session], json!({}), 200));
    }
    steps.push(on("t", "POST", "clock/advance", &[], json!({"until": "idle"}), 200));
    steps.push(of("t", "resync", "T0", json!({"backup": "T23"}), 200));
    for session in ["E0", "Q0", "T0-S0"] {
        steps.push(on("t", "DELETE", "copy-sessions/{copy_session}?force=true", &[session], Value::Null, 204));
    }
    steps.push(of("t", "initialize", "S0", json!({}), 200));
    for volume in ["S0", "T22", "T23", "T24"] {
        steps.push(on("t", "DELETE", "volumes/{volume}", &[volume], Value::Null, 204));
    }
    steps
}

fn access_and_work() -> Vec<Step> {
    let mut steps = life("t", "hosts", "host", json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa000001"}));
    steps.extend(life("t", "host-groups", "host_group", json!({"name": "HG0", "hosts": ["H0"]})));
    steps.extend(life("t", "port-groups", "port_group", json!({"name": "PG0", "ports": ["CM0-CA0-P0"]})));
    steps.extend(life("t", "lun-groups", "lun_group", json!({"name": "LG0", "luns": [{"volume": "V0"}]})));
    steps.extend(life("t", "affinities", "affinity", json!({"name": "A0", "host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"})));
    steps.extend(life("t", "mappings", "mapping", json!({"name": "M0", "volume": "T0", "host": "H0", "port_group": "PG0"})));
    steps.extend(life("t", "workloads", "workload", json!({"name": "W0", "profile": "sqlserver-tpcc", "volumes": ["V0"]})));
    steps.push(on("t", "GET", "performance", &[], Value::Null, 200));
    steps.push(on("demo", "GET", "performance", &[], Value::Null, 200));
    steps.push(on("demo", "POST", "clock/advance", &[], json!({"by": "1m"}), 200));
    let query = "performance/history?object=array&object=controller:*&metric=iops,latency_ms&step=10s";
    steps.push(on("demo", "GET", query, &[], Value::Null, 200));
    steps.push(on("demo", "GET", "performance/counters", &[], Value::Null, 200));
    steps.push(on("demo", "GET", "performance/counters/{kind}/{object}", &["controller", "0"], Value::Null, 200));
    let after = json!({"operation": {"volume.write": {"volume": "V0", "bytes": "3TB"}}, "after": "10m"});
    steps.push(on("t", "POST", "jobs", &[], after, 202));
    steps.push(on("t", "POST", "jobs", &[], json!({"operation": {"volume.delete": {"volume": "V0"}}}), 202));
    steps.push(on("t", "GET", "jobs", &[], Value::Null, 200));
    steps.push(on("t", "GET", "jobs/{job}", &["5"], Value::Null, 200));
    steps.push(on("t", "POST", "jobs/requests", &[], json!({"description": "PATCH /api/storage/luns/V0"}), 201));
    steps.push(on("t", "POST", "jobs/{job}/cancel", &["5"], json!({}), 200));
    steps.push(on("t", "DELETE", "jobs/{job}", &["5"], Value::Null, 204));
    steps.push(on("t", "GET", "events", &[], Value::Null, 200));
    steps.push(on("t", "GET", "events/{event}", &["1"], Value::Null, 200));
    steps
}

fn users() -> Vec<Step> {
    let mut steps = life("t", "roles", "role", json!({"name": "Mapper", "policies": ["status_display", "host_interface_management"]}));
    steps.extend(life("t", "users", "user", json!({"name": "mona", "role": "Mapper", "password": "watch-0nly"})));
    steps.push(on("t", "POST", "users/{user}/lock", &["mona"], json!({}), 200));
    steps.push(on("t", "GET", "users", &[], Value::Null, 200));
    steps.push(on("t", "PATCH", "users/{user}", &["mona"], json!({"locked": false}), 200));
    steps.push(on("t", "GET", "password-policy", &[], Value::Null, 200));
    steps.push(on("t", "PATCH", "password-policy", &[], json!({"age_days_max": 90}), 200));
    steps.push(on("t", "POST", "sessions", &[], json!({"user": "mona", "password": "watch-0nly"}), 201));
    steps.push(step("POST", "/v1/sessions", &[], Value::Null, 201));
    steps.push(on("t", "GET", "sessions", &[], Value::Null, 200));
    steps.push(step("GET", "/v1/sessions", &[], Value::Null, 200));
    steps.push(on("t", "GET", "sessions/{session}", &["1"], Value::Null, 200));
    steps.push(step("GET", "/v1/sessions/{session}", &["2"], Value::Null, 200));
    steps.push(on("t", "DELETE", "sessions/{session}", &["1"], Value::Null, 204));
    steps.push(step("DELETE", "/v1/sessions/{session}", &["2"], Value::Null, 204));
    steps.push(on("t", "POST", "sessions", &[], json!({"user": "mona", "password": "wrong"}), 401));
    steps
}

fn containers() -> Vec<Step> {
    let mut steps = vec![on("o", "POST", "operations", &[], json!([{"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}]), 200)];
    steps.extend(life("o", "containers", "container", json!({"name": "C0", "pool": "P0", "size": "1TB"})));
    steps.push(on("o", "POST", "volumes", &[], json!({"name": "lun0", "container": "C0", "size": "100GB"}), 201));
    steps.push(on("o", "POST", "volumes/{volume}/clone", &["C0%2Flun0"], json!({"name": "lun1"}), 201));
    steps.push(on("o", "POST", "volumes/{volume}/write", &["lun0"], json!({"bytes": "10GB"}), 200));
    steps.extend(life("o", "snapshots", "snapshot", json!({"container": "C0", "name": "S0"})));
    steps.push(on("o", "POST", "snapshots/{snapshot}/restore", &["S0"], json!({}), 200));
    steps.push(on("o", "POST", "snapshots/{snapshot}/clone", &["S0"], json!({"name": "C1"}), 201));
    steps.push(on("o", "GET", "containers", &[], Value::Null, 200));
    steps.push(on("o", "POST", "volumes/{volume}/move", &["C0%2Flun0"], json!({"container": "C1", "name": "moved"}), 200));
    steps.push(on("o", "GET", "unserved", &[], Value::Null, 200));
    steps.push(on("o", "POST", "containers/{container}/split", &["C1"], json!({}), 202));
    steps.push(on("o", "POST", "clock/advance", &[], json!({"until": "idle"}), 200));
    steps.push(on("o", "POST", "operations", &[], json!([{"pool.create": {"name": "P1", "level": "raid-dp", "drive_count": 3}}]), 200));
    steps.push(on("o", "POST", "containers/{container}/migrate", &["C1"], json!({"pool": "P1"}), 202));
    for verb in ["containers/{container}/migrate/pause", "containers/{container}/migrate/resume", "containers/{container}/migrate/stop"] {
        steps.push(on("o", "POST", verb, &["C1"], json!({}), 200));
    }
    steps.push(on("o", "DELETE", "snapshots/{snapshot}", &["S0"], Value::Null, 204));
    steps.push(on("o", "DELETE", "containers/{container}?with_volumes=true", &["C0"], Value::Null, 204));
    steps
}

fn cluster() -> Vec<Step> {
    let mut steps = life("o", "tenants", "tenant", json!({"name": "vs0"}));
    steps.push(on("o", "POST", "services", &[], json!({"tenant": "vs0", "protocol": "fc"}), 201));
    steps.push(on("o", "GET", "services", &[], Value::Null, 200));
    steps.push(on("o", "GET", "services/{service}", &["vs0%2Ffc"], Value::Null, 200));
    steps.push(on("o", "PATCH", "services/{service}", &["vs0%2Ffc"], json!({"enabled": false}), 200));
    steps.push(on("o", "POST", "interfaces", &[], json!({"name": "F0", "tenant": "vs0", "services": ["fc"]}), 201));
    steps.push(on("o", "POST", "port-groups", &[], json!({"name": "PS0", "tenant": "vs0", "interfaces": ["F0"]}), 201));
    steps.push(on("o", "POST", "host-groups", &[], json!({"name": "G0", "tenant": "vs0", "protocol": "mixed"}), 201));
    steps.push(on("o", "POST", "host-groups", &[], json!({"name": "G1", "tenant": "vs0", "protocol": "mixed", "groups": ["G0"], "port_group": "PS0"}), 201));
    steps.push(on("o", "GET", "host-groups", &[], Value::Null, 200));
    steps.push(on("o", "DELETE", "services/{service}", &["vs0%2Ffc"], Value::Null, 204));
    steps.push(on("o", "DELETE", "tenants/{tenant}", &["vs0"], Value::Null, 409));
    steps.push(on("o", "DELETE", "tenants/{tenant}?with_contents=true", &["vs0"], Value::Null, 204));
    steps
}

fn hardware() -> Vec<Step> {
    let broken = |array: &str, what: &str, noun: &str, one: &str, verb: &str, body: Value, status: u16| {
        on(array, "POST", &format!("{what}/{{{noun}}}/{verb}"), &[one], body, status)
    };
    let controller = |verb: &str, status: u16| broken("o", "controllers", "controller", "node-01", verb, json!({}), status);
    vec![
        on("o", "POST", "enclosures", &[], json!({}), 201),
        on("o", "POST", "drives", &[], json!({"enclosure": "1.1", "count": 2}), 201),
        on("o", "POST", "enclosures", &[], json!({}), 409),
        on("o", "GET", "parts", &[], Value::Null, 200),
        on("o", "GET", "parts/{part}", &["0"], Value::Null, 200),
        broken("o", "parts", "part", "1.0:psu0", "fail", json!({"state": "warning"}), 200),
        broken("o", "parts", "part", "1.0:psu0", "restore", json!({}), 200),
        broken("o", "parts", "part", "1.0:inlet", "temperature", json!({"celsius": 50}), 200),
        broken("o", "host-ports", "host_port", "0", "fail", json!({"fault": "hardware"}), 200),
        broken("o", "host-ports", "host_port", "0", "restore", json!({}), 200),
        on("o", "PATCH", "controllers/{controller}", &["node-01"], json!({"auto_giveback": false}), 200),
        controller("fail", 200),
        on("o", "POST", "clock/advance", &[], json!({"by": "1m"}), 200),
        controller("restore", 200),
        on("o", "POST", "clock/advance", &[], json!({"until": "idle"}), 200),
        controller("giveback", 202),
        step("POST", "/v1/arrays", &[], json!({"name": "e", "model": "eternus-af250"}), 201),
        on("e", "POST", "enclosures", &[], json!({}), 201),
        on("e", "DELETE", "enclosures/{enclosure}", &["DE01"], Value::Null, 204),
        on("t", "GET", "volumes/{volume}/paths", &["V0"], Value::Null, 200),
    ]
}

fn parts_and_whole() -> Vec<Step> {
    let mut steps = tour("t", "enclosures", "enclosure", "CE", json!({"locate": true}));
    steps.extend(hardware());
    steps.extend(tour("t", "controllers", "controller", "CM0", json!({"locate": true})));
    steps.extend(tour("t", "host-ports", "host_port", "CM1-CA0-P1", json!({"enabled": false})));
    steps.extend(tour("t", "drives", "drive", "47", json!({"spare": true})));
    steps.push(on("o", "GET", "host-ports", &[], Value::Null, 200));
    let idle = || on("t", "POST", "clock/advance", &[], json!({"until": "idle"}), 200);
    steps.push(on("t", "POST", "raid-groups/{raid_group}/expand", &["RG0"], json!({"drive_count": 2, "level": "raid1+0"}), 202));
    steps.push(idle());
    steps.push(on("t", "POST", "drives/{drive}/redundant-copy", &["0"], json!({}), 200));
    steps.push(idle());
    let faults = ["predict-failure", "pull", "insert", "fail", "replace"];
    steps.extend(faults.map(|verb| on("t", "POST", &format!("drives/{{drive}}/{verb}"), &["46"], json!({}), 200)));
    for whole in ["capacity", "consistency", "journal"] {
        steps.push(on("t", "GET", whole, &[], Value::Null, 200));
        steps.push(on("o", "GET", whole, &[], Value::Null, 200));
    }
    let deleted = [
        ("workloads", "workload", "W0"),
        ("mappings", "mapping", "M0"),
        ("affinities", "affinity", "A0"),
        ("lun-groups", "lun_group", "LG0"),
        ("port-groups", "port_group", "PG0"),
        ("host-groups", "host_group", "HG0"),
        ("hosts", "host", "H0"),
        ("volumes", "volume", "T0"),
        ("volumes", "volume", "T1"),
        ("raid-groups", "raid_group", "RG0"),
        ("volumes", "volume", "V0"),
        ("users", "user", "mona"),
        ("roles", "role", "Mapper"),
    ];
    steps.extend(deleted.map(|(plural, noun, one)| on("t", "DELETE", &format!("{plural}/{{{noun}}}"), &[one], Value::Null, 204)));
    steps.push(on("t", "POST", "checkpoints", &[], json!({"name": "K0"}), 201));
    steps.push(on("t", "GET", "checkpoints", &[], Value::Null, 200));
    steps.push(on("t", "GET", "checkpoints?limit=1&fields=name", &[], Value::Null, 200));
    steps.push(on("t", "GET", "checkpoints/{checkpoint}", &["K0"], Value::Null, 200));
    steps.push(on("t", "GET", "checkpoints/{checkpoint}/content", &["K0"], Value::Null, 200));
    steps.push(on("t", "POST", "checkpoints/{checkpoint}/restore", &["K0"], Value::Null, 200));
    steps.push(on("t", "DELETE", "checkpoints/{checkpoint}", &["K0"], Value::Null, 204));
    steps.push(on("o", "POST", "reset", &[], Value::Null, 200));
    steps.push(on("t", "PATCH", "pools/{pool}", &["P0"], json!({"compression": false}), 200));
    steps.push(on("t", "DELETE", "pools/{pool}", &["P0"], Value::Null, 204));
    steps.push(step("DELETE", "/v1/arrays/{array}", &["demo"], Value::Null, 204));
    steps
}

/// Refusals on the way, each with a status of its own.
fn refusals() -> Vec<Step> {
    vec![
        step("GET", "/v1/arrays/{array}", &["nowhere"], Value::Null, 404),
        step("POST", "/v1/arrays", &[], json!({"name": "t", "model": "eternus-af250"}), 409),
        step("GET", "/v1/arrays/{array}/volumes?colour=red", &["t"], Value::Null, 400),
        on("t", "POST", "volumes", &[], json!({"name": "V"}), 400),
        on("t", "DELETE", "volumes/{volume}", &["nowhere"], Value::Null, 404),
    ]
}

/// Walks; every step must be answered as foreseen.
pub(crate) fn walk() -> Vec<(Step, Answer)> {
    let server = Server::start();
    let steps =
        [server_and_catalogue(), sections(), space(), tenants(), access_and_work(), users(), copies(), containers(), cluster(), refusals(), parts_and_whole()];
    let done = steps.into_iter().flatten().map(|step| {
        let answer = server.ask(step.method, &step.path, &step.body);
        assert_eq!(answer.status, step.status, "{} {} {}: {}", step.method, step.path, step.body, answer.body);
        (step, answer)
    });
    done.collect()
}
