//! Notes beside objects, records, and jobs of requests that were carried out.

use serde_json::{Value, json};

use super::{Server, names};

fn furnished() -> Server {
    let server = Server::playing("eternus-af250");
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GiB"})).json(201);
    server
}

#[test]
fn notes_are_shown_where_an_object_is_read_and_only_when_there_are_any() {
    let server = furnished();
    let bare = server.get("volumes/V").json(200);
    assert!(bare.get("notes").is_none());
    let before = server.get("volumes/V").header("etag").map(str::to_owned);
    let noted = server.patch("notes/volume/V", json!({"notes": {"comment": "logs", "os_type": "linux", "none": null}}));
    assert_eq!(noted.json(200)["notes"], json!({"comment": "logs", "os_type": "linux"}));
    assert_ne!(noted.header("etag").map(str::to_owned), before, "its revision moves");
    let mut shown = bare;
    shown["notes"] = json!({"comment": "logs", "os_type": "linux"});
    assert_eq!(server.get("volumes/V").json(200), shown);
    assert_eq!(server.get("volumes?name=V").json(200)["items"], json!([shown]));
    assert_eq!(server.get("volumes/V?fields=notes,name").json(200), json!({"notes": shown["notes"], "name": "V"}));
    assert_eq!(server.patch("volumes/V", json!({"name": "W"})).json(200)["notes"], shown["notes"], "other changes leave them");
    let one = server.get("notes/volume/W").json(200);
    assert_eq!([&one["noun"], &one["id"], &one["notes"]], [&json!("volume"), &shown["id"], &shown["notes"]]);
    server.patch("notes/volume/W", json!({"notes": {"comment": null, "os_type": null}})).json(200);
    assert!(server.get("volumes/W").json(200).get("notes").is_none());
    assert_eq!(server.patch("notes/letter/W", json!({"notes": {}})).refused("invalid_value")["field"], "noun");
    assert_eq!(server.get("notes/volume/X").refused("not_found")["status"], 404);
    assert_eq!(server.patch("notes/volume/W", json!({"notes": {"a": 1.5}})).refused("invalid_value")["value"], "1.5");
}

#[test]
fn records_are_listed_by_kind_and_tenant_and_stay_while_something_refers_to_them() {
    let server = furnished();
    server.post("tenants", json!({"name": "T0"})).json(201);
    let hourly = server.post("records", json!({"kind": "schedule", "name": "hourly", "notes": {"minutes": [5]}})).json(201);
    server.post("records", json!({"kind": "schedule", "name": "hourly", "tenant": "T0"})).json(201);
    server.post("records", json!({"kind": "qtree", "name": "hourly"})).json(201);
    assert_eq!(server.post("records", json!({"kind": "qtree", "name": "hourly"})).refused("name_taken")["field"], "name");
    assert_eq!(names(&server.get("records?kind=schedule").json(200)).len(), 2);
    assert_eq!(server.get("records?tenant=T0").json(200)["items"][0]["kind"], "schedule");
    assert_eq!(server.get("records?limit=1&name=hourly").json(200)["items"][0], hourly);
    assert_eq!(server.get("records/schedule%2Fhourly").json(200), hourly);
    let reference = json!({"record": hourly["id"]});
    server.patch("notes/volume/V", json!({"notes": {"schedules": [{"of": reference}]}})).json(200);
    let refused = server.delete("records/schedule%2Fhourly").refused("in_use");
    assert_eq!(refused["detail"], "the record 'hourly' is in use by the volume 'V'");
    let unknown = server.post("records", json!({"kind": "route", "name": "r", "notes": {"via": {"record": "x"}}})).refused("reference_not_found");
    assert_eq!(unknown["field"], "notes.via");
    server.delete("volumes/V").json(204);
    assert_eq!(server.delete("records/schedule%2Fhourly").status, 204);
}

#[test]
fn a_job_of_a_request_is_kept_as_one_that_is_over() {
    let server = furnished();
    let job = server.post("jobs/requests", json!({"description": "PATCH /api/storage/luns/V", "noun": "volume", "object": "V"})).json(201);
    assert_eq!([&job["status"], &job["description"], &job["target"]], [&json!("succeeded"), &json!("PATCH /api/storage/luns/V"), &json!("V")]);
    assert_eq!([&job["name"], &job["percent"], &job["operation"]], [&json!("request"), &json!(100), &Value::Null]);
    let list = server.post("operations", json!([{"volume.delete": {"volume": "V"}}, {"job.note": {"description": "DELETE"}}]));
    assert_eq!(list.status, 200, "{}", list.body);
    assert_eq!(server.get("jobs?description=DELETE").json(200)["items"][0]["noun"], "array");
}
