//! The sections of the settings.

use serde_json::{Value, json};

use super::Server;

#[test]
fn a_new_array_has_thin_provisioning_licences_and_a_certificate() {
    let server = Server::playing("eternus-af250");
    let settings = server.get("settings").json(200);
    assert_eq!([&settings["thin_provisioning"]["enabled"], &settings["operation_mode"]], [&json!(true), &json!("normal")]);
    assert_eq!(settings["thin_provisioning"]["chunk_size"], 22_020_096);
    assert_eq!(settings["network"]["ports"][0], json!({"name": "MNT", "address": {"address": "192.168.1.1", "prefix_length": 24, "gateway": null}}));
    assert_eq!(settings["certificate"]["until"], "2035-12-30T00:00:00Z");
    let registered: Vec<&Value> =
        settings["licences"].as_array().into_iter().flatten().filter(|one| one["registered"] == true).map(|one| &one["name"]).collect();
    assert_eq!(registered, ["advanced_copy", "data_reduction"]);
}

#[test]
fn each_section_is_changed_by_itself_and_answers_with_all() {
    let server = Server::playing("eternus-af250");
    let network = server.patch("settings/network", json!({"domain": "example.com", "services": {"http": true}})).json(200);
    assert_eq!(network["network"]["domain"], "example.com");
    assert_eq!(server.get("settings").json(200), network);
    assert_eq!(
        server.patch("settings/thin-provisioning", json!({"maximum_pool_capacity": "1536TiB"})).json(200)["thin_provisioning"]["chunk_size"],
        44_040_192
    );
    server.patch("settings/thin-provisioning", json!({"enabled": false})).json(200);
    assert_eq!(server.post("pools", json!({"name": "P", "level": "raid1", "drive_count": 2})).refused("switched_off")["status"], 409);
    assert_eq!(server.patch("settings", json!({"operation_mode": "maintenance"})).json(200)["operation_mode"], "maintenance");
    assert_eq!(server.get("/v1/arrays/t").json(200)["status"], "maintenance");
    let subject = json!({"subject": {"common_name": "lab.example.com"}, "days": 1});
    assert_eq!(server.patch("settings/certificate", subject).json(200)["certificate"]["subject"]["common_name"], "lab.example.com");
    server.patch("settings/colour", json!({})).refused("no_such_route");
    server.patch("settings/network", json!({"colour": "red"})).refused("unknown_field");
}

#[test]
fn a_licence_is_registered_and_removed() {
    let server = Server::playing("eternus-af250");
    let key = "ABCD-EFGH-IJKL-MNOP";
    let body = json!({"licence": "storage_cluster", "key": key});
    assert!(!server.post("settings/licences", body.clone()).json(200).to_string().contains(key));
    assert_eq!(server.post("settings/licences", body).refused("name_taken")["noun"], "licence");
    assert_eq!(server.delete("settings/licences/storage_cluster").status, 204);
    assert_eq!(server.delete("settings/licences/storage_cluster").refused("not_found")["status"], 404);
    server.delete("settings/licences/data_reduction");
    let refused = server.patch("settings", json!({"data_reduction": true})).refused("licence_missing");
    assert_eq!(refused["cure"], "register the licence 'data_reduction' in the array's settings first");
    let events = server.get("events?code=licence_*&fields=code").json(200);
    assert_eq!(events["items"], json!([{"code": "licence_registered"}, {"code": "licence_removed"}, {"code": "licence_removed"}]));
}

#[test]
fn firmware_is_applied_by_a_job() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let answer = server.patch("settings/firmware", json!({"version": "V10L90-0000"}));
    assert_eq!(answer.json(202)["name"], "firmware.update");
    assert!(answer.header("location").is_some_and(|place| place.starts_with("/v1/arrays/t/jobs/")));
    assert_eq!(server.patch("settings/firmware", json!({"version": "V10L91-0000"})).refused("busy")["noun"], "array");
    assert_eq!(server.get("settings").json(200)["firmware"], json!({"version": "V10L70-0000", "applied_at": null}));
    server.post("clock/advance", json!({"by": "30m"})).json(200);
    assert_eq!(server.get("settings").json(200)["firmware"], json!({"version": "V10L90-0000", "applied_at": "2026-01-01T00:30:00Z"}));
    assert_eq!(server.get("/v1/arrays/t").json(200)["firmware"], "V10L90-0000");
}

#[test]
fn secrets_are_written_and_never_shown() {
    let server = Server::start();
    server.make_still("t", "eternus-af250", 7);
    let secrets = ["open-sesame-community", "open-sesame-proof", "open-sesame-privacy", "open-sesame-chap"];
    let snmp = json!({"snmp": {"enabled": true, "communities": [{"community": secrets[0]}], "users": [
        {"name": "m", "authentication": "sha", "authentication_secret": secrets[1], "privacy": "aes", "privacy_secret": secrets[2]}
    ]}});
    let answered = server.patch("settings/notification", snmp.clone());
    assert_eq!(answered.json(200)["notification"]["snmp"]["communities"][0]["community"], "********");
    let host = json!({"name": "I", "protocol": "iscsi", "iscsi_name": "iqn.1991-05.com.example:i", "chap_user": "i", "chap_secret": secrets[3]});
    let made = server.post("hosts", host);
    assert_eq!(made.json(201)["chap_user"], "i");
    let later = server.post("jobs", json!({"operation": {"notification.update": snmp}, "after": "1h"}));
    later.json(202);
    let shown = [answered, made, later].map(|answer| answer.body).into_iter();
    let shown = shown.chain(["settings", "journal", "jobs", "hosts", "events"].map(|path| server.get(path).body));
    for text in shown {
        assert!(secrets.iter().all(|secret| !text.contains(secret)), "{text}");
    }
    let journal = server.get("journal").json(200);
    assert_eq!(journal["items"][0]["operation"]["notification.update"]["snmp"]["users"][0]["privacy_secret"], "********");
    let refused = server.patch("hosts/I", json!({"chap_secret": "********"})).refused("invalid_value");
    assert_eq!(refused["field"], "chap_secret");
    assert!(!server.patch("hosts/I", json!({"chap_secret": "short"})).body.contains("short"), "a refused secret is not quoted");
}
