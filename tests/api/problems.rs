//! Every kind of refusal, once, over the wire.

use std::collections::BTreeSet;
use std::fs;

use arrayplane::front::api::KINDS;
use arrayplane::front::http::BODY_BYTES_MAX;
use arrayplane::site::{DataOptions, Options, Site};
use arrayplane::units::Bytes;
use serde_json::{Value, json};

use super::{Answer, Server, basic};
use crate::folder::Folder;
use crate::given;

/// `t`: an AF250 with two kinds of drives; `o`: an AFF A250; `s`: an AF250 that allows pools of 1 TiB.
fn server() -> Server {
    let server = Server::start();
    let drives = json!([{"count": 40, "type": "sas_ssd", "capacity": "1.92TB"}, {"count": 8, "type": "sas_ssd", "capacity": "3.84TB"}]);
    server.make(json!({"name": "t", "model": "eternus-af250", "drives": drives}));
    server.make(json!({"name": "o", "model": "aff-a250"}));
    let mut small = given::model("eternus-af250", 1);
    small.array.personality.limits.pool_capacity = Bytes::tib(1);
    for operation in small_layout() {
        given::done(&mut small, &operation);
    }
    if let Some(copies) = &mut small.array.personality.copy {
        copies.capacity = Bytes::gib(1);
    }
    server.site.create("s", small).expect("a new array");
    server.make(json!({"name": "u", "model": "eternus-af250", "clock": {"mode": "manual"}}));
    server.patch("clock", json!({"mode": "manual"})).json(200);
    server.post("operations", layout()).json(200);
    server.post("/v1/arrays/o/operations", containers()).json(200);
    server.post("volumes/V1/format", json!({})).json(202);
    server.send("PATCH", "settings", "Content-Type: application/json\r\nIdempotency-Key: used\r\n", b"{}").json(200);
    server
}

/// Two volumes, too large to be copied where little may be.
fn small_layout() -> [Value; 3] {
    [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "A", "raid_group": "RG0", "size": "2GiB"}}),
        json!({"volume.create": {"name": "B", "raid_group": "RG0", "size": "2GiB"}}),
    ]
}

fn layout() -> Value {
    let mut operations = vec![
        json!({"settings.update": {"data_reduction": true}}),
        json!({"pool.create": {"name": "P0", "level": "raid1+0", "drive_count": 4, "over_provisioning_percent": 100, "deduplication": true, "compression": true}}),
        json!({"pool.create": {"name": "P1", "level": "raid1", "drive_count": 2}}),
        json!({"pool.create": {"name": "P2", "level": "raid1", "drive_count": 2, "deduplication": true}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"raid-group.create": {"name": "RG1", "level": "raid5", "drive_count": 3}}),
        json!({"raid-group.create": {"name": "RG2", "level": "raid5", "drive_count": 4}}),
        json!({"volume.create": {"name": "V0", "pool": "P1", "size": "1TB"}}),
        json!({"volume.create": {"name": "V1", "raid_group": "RG0", "size": "100GB"}}),
        json!({"volume.create": {"name": "E", "pool": "P1", "size": "1GB", "count": 2}}),
        json!({"copy-session.create": {"name": "E", "kind": "ec", "source": "E0", "destination": "E1"}}),
        json!({"volume.create": {"name": "D0", "pool": "P0", "size": "1TB", "deduplication": true, "compression": true}}),
        json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.1998-01.com.vmware:esx-01"}}),
        json!({"port-group.create": {"name": "PG0", "ports": ["CM0-CA0-P0"]}}),
        json!({"lun-group.create": {"name": "LG0", "luns": [{"lun": 0, "volume": "V0"}]}}),
        json!({"lun-group.create": {"name": "LG1"}}),
        json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}),
        json!({"lun-group.create": {"name": "LG9", "luns": [{"lun": 300, "volume": "V0"}]}}),
        json!({"tenant.create": {"name": "T0"}}),
    ];
    operations.extend((0..9).map(|host| json!({"host.create": {"name": format!("H{host}"), "protocol": "fc", "wwn": format!("10000090fa00000{host}")}})));
    operations.push(json!({"host-group.create": {"name": "HG0", "hosts": ["H0"]}}));
    operations.push(json!({"affinity.create": {"host_group": "HG0", "port_group": "PG0", "lun_group": "LG0"}}));
    Value::Array(operations)
}

fn containers() -> Value {
    json!([
        {"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}},
        {"container.create": {"name": "C0", "pool": "P0", "size": "1TB"}},
        {"container.create": {"name": "C1", "pool": "P0", "size": "1TB"}},
        {"volume.create": {"name": "L0", "container": "C0", "size": "1GB"}},
        {"volume.create": {"name": "L0", "container": "C1", "size": "1GB"}},
        {"tenant.create": {"name": "T0", "capacity_limit": "1GB"}},
        {"licence.remove": {"licence": "nvme_of"}},
        {"interface.create": {"name": "I0", "services": ["iscsi"], "home_port": "node-01:e0c", "address": "10.0.0.1", "prefix_length": 24}},
        {"encryption.update": {"mode": "off"}}
    ])
}

type Row = (&'static str, &'static str, &'static str, Value);

/// What is refused for its form.
fn of_form() -> Vec<Row> {
    vec![
        ("no_such_route", "GET", "/v1/nowhere", Value::Null),
        ("method_not_allowed", "PUT", "volumes", Value::Null),
        ("invalid_body", "POST", "volumes", json!({"name": 1, "pool": "P1", "size": "1TB"})),
        ("unknown_field", "POST", "volumes", json!({"name": "V", "pool": "P1", "size": "1TB", "colour": "red"})),
        ("unknown_operation", "POST", "operations", json!([{"volume.paint": {"volume": "V0"}}])),
        ("invalid_parameter", "GET", "volumes?limit=0", Value::Null),
        ("array_not_found", "GET", "/v1/arrays/nowhere/volumes", Value::Null),
        ("not_found", "GET", "volumes/nowhere", Value::Null),
        ("reference_not_found", "POST", "volumes", json!({"name": "V", "pool": "nowhere", "size": "1TB"})),
        ("ambiguous", "GET", "/v1/arrays/o/volumes/L0", Value::Null),
        ("name_taken", "POST", "hosts", json!({"name": "H0", "protocol": "fc", "wwn": "10000090fa0000ff"})),
        ("invalid_name", "POST", "hosts", json!({"name": "a,b", "protocol": "fc", "wwn": "10000090fa0000ff"})),
        ("invalid_value", "POST", "hosts", json!({"name": "H", "protocol": "fc", "wwn": "fa"})),
        ("out_of_range", "POST", "volumes", json!({"name": "V", "pool": "P1", "size": 1})),
        ("missing_field", "POST", "volumes", json!({"name": "V", "pool": "P1"})),
        ("conflicting_fields", "POST", "volumes", json!({"name": "V", "pool": "P1", "raid_group": "RG0", "size": "1TB"})),
        ("not_supported", "POST", "volumes", json!({"name": "V", "raid_group": "RG0", "size": "1TB", "allocation": "thin"})),
        (
            "drive_not_offered",
            "POST",
            "/v1/arrays",
            json!({"name": "x", "model": "eternus-af250", "drives": [{"count": 1, "type": "nvme_ssd", "capacity": "1.92TB"}]}),
        ),
    ]
}

/// What is refused for what there is.
fn of_space() -> Vec<Row> {
    vec![
        ("not_enough_drives", "POST", "raid-groups", json!({"name": "RG", "level": "raid1+0", "drive_count": 30})),
        ("drive_not_free", "POST", "raid-groups", json!({"name": "RG", "level": "raid1", "drives": ["CE-Disk#0", "CE-Disk#1"]})),
        ("drives_differ", "POST", "raid-groups", json!({"name": "RG", "level": "raid1", "drives": ["39", "47"]})),
        ("drive_count", "POST", "raid-groups", json!({"name": "RG", "level": "raid1", "drive_count": 3})),
        ("raid_groups_differ", "POST", "pools", json!({"name": "P", "raid_groups": ["RG1", "RG2"]})),
        ("raid_group_in_pool", "POST", "volumes", json!({"name": "V", "raid_group": "P0_0", "size": "1TB"})),
        ("no_space", "POST", "volumes", json!({"name": "V", "raid_group": "RG0", "size": "100TB"})),
        ("pool_full", "POST", "volumes", json!({"name": "V", "pool": "P1", "size": "10TB", "allocation": "thick"})),
        ("container_full", "POST", "/v1/arrays/o/volumes", json!({"name": "L", "container": "C0", "size": "2TB", "allocation": "thick"})),
        ("over_provisioned", "POST", "volumes", json!({"name": "V", "pool": "P0", "size": "10TB"})),
        ("pool_capacity", "POST", "/v1/arrays/s/pools", json!({"name": "P", "level": "raid1", "drive_count": 2})),
        ("threshold_order", "PATCH", "pools/P1", json!({"attention_percent": 80, "warning_percent": 50})),
        ("reduction_off", "POST", "/v1/arrays/s/pools", json!({"name": "P", "level": "raid1", "drive_count": 2, "compression": true})),
        ("reduction_on", "DELETE", "pools/P2", Value::Null),
        ("reduction_mismatch", "POST", "volumes", json!({"name": "V", "pool": "P1", "size": "1TB", "deduplication": true})),
        ("reduction_in_use", "PATCH", "pools/P0", json!({"compression": false})),
        ("reduction_promise", "POST", "volumes", json!({"name": "V", "pool": "P2", "size": "100TB", "deduplication": true})),
        ("shrinking", "POST", "volumes/V0/expand", json!({"size": "1GB"})),
        ("tenant_full", "POST", "/v1/arrays/o/containers", json!({"name": "C9", "pool": "P0", "size": "2GB", "tenant": "T0"})),
        ("tenant_mismatch", "POST", "volumes", json!({"name": "V", "pool": "P1", "size": "1GB", "tenant": "T0"})),
        ("switched_off", "POST", "/v1/arrays/o/volumes", json!({"name": "L", "container": "C1", "size": "1GB", "encryption": true})),
        ("busy", "POST", "volumes/V1/write", json!({"bytes": "1GB"})),
        ("not_running", "POST", "volumes/V0/migrate/stop", json!({})),
        ("wrong_state", "POST", "copy-sessions/E/suspend", json!({})),
        ("copy_capacity", "POST", "/v1/arrays/s/copy-sessions", json!({"kind": "opc", "source": "A", "destination": "B"})),
        ("wrong_state", "POST", "drives/47/insert", json!({})),
        ("wrong_state", "POST", "controllers/CM0/giveback", json!({})),
        ("wrong_state", "POST", "/v1/arrays/o/interfaces/I0/migrate", json!({"port": "node-02:e0c"})),
    ]
}

/// What is refused for who sees what.
fn of_access() -> Vec<Row> {
    vec![
        ("limit_reached", "POST", "host-groups", json!({"name": "HG", "hosts": ["H0", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8"]})),
        ("in_use", "DELETE", "hosts/H0", Value::Null),
        ("lun_taken", "PATCH", "lun-groups/LG0", json!({"add_luns": [{"lun": 0, "volume": "D0"}]})),
        ("already_mapped", "PATCH", "lun-groups/LG0", json!({"add_luns": [{"lun": 5, "volume": "V0"}]})),
        ("not_mapped", "POST", "workloads", json!({"name": "W", "profile": "custom", "volumes": ["D0"]})),
        ("protocol_mismatch", "POST", "host-groups", json!({"name": "HG", "hosts": ["H0", "I0"]})),
        ("initiator_taken", "POST", "hosts", json!({"name": "H", "protocol": "fc", "wwn": "10000090fa000000"})),
        ("path_taken", "POST", "affinities", json!({"host_group": "HG0", "port_group": "PG0", "lun_group": "LG1"})),
        ("lun_too_high", "PATCH", "affinities/0", json!({"lun_group": "LG9"})),
        ("licence_missing", "POST", "/v1/arrays/o/hosts", json!({"name": "N", "protocol": "nvme", "nqn": "nqn.2014-08.org.example:1"})),
        ("address_taken", "PATCH", "settings/network", json!({"ports": [{"port": "RMT", "address": "192.168.1.1", "prefix_length": 24}]})),
        ("not_calibrated", "POST", "/v1/arrays/o/workloads", json!({"name": "W", "profile": "fio-4k-read", "volumes": ["C0/L0"]})),
    ]
}

/// What is refused for who asks. `mona` is a Monitor, `lena` is locked, `olga`'s password is too old, and nobody else manages users.
fn of_users(server: &Server) -> Vec<(&'static str, Answer)> {
    let world = json!([
        {"user.create": {"name": "mona", "role": "Monitor", "password": "letters1"}},
        {"user.create": {"name": "lena", "role": "Admin", "password": "letters1"}},
        {"user.create": {"name": "olga", "role": "Admin", "password": "letters1"}},
        {"user.lock": {"user": "lena"}},
        {"user.delete": {"user": "root"}},
        {"user.delete": {"user": "lena"}},
        {"user.create": {"name": "lena", "role": "Monitor", "password": "letters1"}},
        {"user.lock": {"user": "lena"}},
        {"user.update": {"user": "admin", "role": "Monitor"}},
    ]);
    server.post("/v1/arrays/u/operations", world).json(200);
    let asked = |as_whom: &str, method: &str, path: &str| server.send(method, &format!("/v1/arrays/u/{path}"), &basic(as_whom, "letters1"), b"");
    let mut answers = vec![
        ("forbidden", asked("mona", "DELETE", "volumes/nowhere")),
        ("user_locked", asked("lena", "GET", "volumes")),
        ("invalid_credentials", asked("nobody", "GET", "volumes")),
        ("invalid_token", server.send("GET", "/v1/arrays/u", "Authorization: Bearer x\r\n", b"")),
        ("own_user", asked("olga", "DELETE", "users/olga")),
        ("wrong_state", server.post("/v1/arrays/u/users/lena/lock", json!({}))),
        ("last_administrator", server.delete("/v1/arrays/u/users/olga")),
    ];
    server.patch("/v1/arrays/u/password-policy", json!({"age_days_max": 1})).json(200);
    server.post("/v1/arrays/u/clock/advance", json!({"by": "1d"})).json(200);
    answers.push(("password_expired", asked("mona", "GET", "volumes")));
    let guarded = Server::guarded("letters1");
    answers.push(("authentication_needed", guarded.get("/v1/arrays")));
    answers
}

/// What no well-behaved client sends.
fn of_bytes(server: &Server) -> Vec<(&'static str, Answer)> {
    let json = "Content-Type: application/json\r\n";
    vec![
        ("unsupported_media_type", server.send("POST", "hosts", "Content-Type: text/plain\r\n", b"{}")),
        ("payload_too_large", server.send("POST", "hosts", json, &vec![b' '; BODY_BYTES_MAX + 1])),
        ("broken_body", server.send_half("POST", "hosts", "{\"name\":")),
        ("malformed_json", server.send("POST", "hosts", json, b"{\"name\":")),
    ]
}

/// What is refused for its headers.
fn of_terms(server: &Server) -> Vec<(&'static str, Answer)> {
    let change = |header: &str| server.send("PATCH", "settings", &format!("Content-Type: application/json\r\n{header}\r\n"), b"{\"contact\": \"me\"}");
    vec![("invalid_header", change("If-Match: none")), ("changed_meanwhile", change("If-Match: \"0-0\"")), ("key_reused", change("Idempotency-Key: used"))]
}

/// What is refused about addresses of arrays.
fn of_listeners(server: &Server) -> Vec<(&'static str, Answer)> {
    vec![("address_unusable", server.ask("PUT", "/v1/arrays/o/ontap", &json!({"address": "192.0.2.1"})))]
}

/// What a server refuses whose disk takes nothing.
fn of_disk() -> Vec<(&'static str, Answer)> {
    let folder = Folder::new();
    let data = DataOptions { folder: folder.path().to_owned(), ..DataOptions::default() };
    let server = Server::of(Site::open(Options::default(), &data).expect("an empty folder").0, 1);
    fs::remove_dir(folder.path().join("arrays")).expect("an empty folder");
    fs::write(folder.path().join("arrays"), "no folder").expect("a file");
    vec![("not_stored", server.post("/v1/arrays", json!({"name": "x", "model": "eternus-af250"})))]
}

#[test]
fn every_kind_of_refusal_comes_over_the_wire_and_changes_nothing() {
    let server = server();
    let state = || ["t", "o", "s"].map(|array| server.get(&format!("/v1/arrays/{array}/journal?limit=1000")).body);
    let before = state();
    let rows = [of_form(), of_space(), of_access()].concat();
    let answers = rows.into_iter().map(|(code, method, path, body)| (code, server.ask(method, path, &body)));
    let mut seen = BTreeSet::new();
    for (code, answer) in answers.chain(of_bytes(&server)).chain(of_users(&server)).chain(of_terms(&server)).chain(of_listeners(&server)).chain(of_disk()) {
        let problem = answer.refused(code);
        let kind = KINDS.iter().find(|kind| kind.code == code).unwrap_or_else(|| panic!("{code} is not documented"));
        assert_eq!((&problem["status"], &problem["title"]), (&json!(kind.status), &json!(kind.title)));
        assert_eq!(problem["type"], format!("urn:arrayplane:problem:{code}"));
        seen.insert(code);
    }
    assert_eq!(seen, KINDS.iter().map(|kind| kind.code).collect(), "every documented kind of refusal, once");
    assert_eq!(state(), before, "refused, yet something changed");
}

#[test]
fn a_refusal_in_a_list_says_which_operation_and_undoes_those_before_it() {
    let server = server();
    let before = server.get("journal?limit=1000").body;
    let list = json!([{"volume.create": {"name": "new", "pool": "P1", "size": "1GB"}}, {"volume.delete": {"volume": "nowhere"}}]);
    let problem = server.post("operations", list).refused("reference_not_found");
    assert_eq!((&problem["index"], &problem["operation"]), (&json!(1), &json!("volume.delete")));
    server.get("volumes/new").refused("not_found");
    let unreadable = json!([{"volume.delete": {"volume": "V0"}}, {"volume.delete": {}}]);
    assert_eq!(server.post("operations", unreadable).refused("missing_field")["index"], 1);
    assert_eq!(server.get("journal?limit=1000").body, before);
}

#[test]
fn a_method_that_a_path_does_not_take_is_answered_with_those_that_it_takes() {
    let server = server();
    for (path, allowed) in
        [("volumes", "GET, HEAD, POST"), ("volumes/V0", "GET, HEAD, PATCH, DELETE"), ("volumes/V0/format", "POST"), ("capacity", "GET, HEAD")]
    {
        let answer = server.ask("PUT", path, &Value::Null);
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{path}");
        answer.refused("method_not_allowed");
    }
}
