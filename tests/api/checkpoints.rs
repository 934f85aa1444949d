//! Checkpoints of a whole array: saved, listed, shown, gone back to.

use serde_json::json;

use super::{Server, names};

#[test]
fn an_array_goes_back_to_a_checkpoint_and_to_its_beginning() {
    let server = Server::playing("eternus-af250");
    server.patch("clock", json!({"mode": "manual"})).json(200);
    server.post("pools", json!({"name": "P0", "level": "raid1", "drive_count": 2})).json(201);
    let made = server.post("checkpoints", json!({"name": "with-pool"}));
    let view = made.json(201);
    let place = made.header("location").expect("a place");
    assert_eq!(server.get(place).json(200), view);
    assert_eq!([&view["number"], &view["name"], &view["epoch"], &view["journal_entry"]], [&json!(0), &json!("with-pool"), &json!(0), &json!(2)]);
    assert!(view["size"].as_u64().is_some_and(|size| size > 10_000), "{view}");
    let volume = server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GB"}));
    server.post("clock/advance", json!({"by": "1d"})).json(200);
    let restored = server.post("checkpoints/with-pool/restore", json!({}));
    assert_eq!((&restored.json(200)["epoch"], &restored.json(200)["now"]), (&json!(1), &view["time"]));
    server.get("volumes/V").refused("not_found");
    assert_eq!(names(&server.get("pools").json(200)), ["P0"]);
    assert_eq!(server.get("journal").json(200)["items"], json!([]), "the journal begins with that state");
    let again = server.post("volumes", json!({"name": "V", "pool": "P0", "size": "1GB"}));
    assert_eq!(again.json(201)["id"], volume.json(201)["id"], "the same deeds have the same ids");
    assert_ne!(again.header("etag"), volume.header("etag"), "but no tag means two things");
    assert_eq!(server.get("journal").json(200)["items"][0]["number"], 6);
    let reset = server.post("reset", json!({})).json(200);
    assert_eq!((&reset["epoch"], &reset["volumes"]), (&json!(2), &json!(0)));
    assert_eq!(names(&server.get("pools").json(200)), Vec::<&str>::new());
    assert_eq!(names(&server.get("checkpoints").json(200)), ["with-pool"], "checkpoints stay");
    assert_eq!(server.get("consistency").json(200)["problems"], json!([]));
}

#[test]
fn checkpoints_are_listed_filtered_shown_and_deleted() {
    let server = Server::playing("aff-a250");
    for name in ["a", "b", "c"] {
        server.post("checkpoints", json!({"name": name})).json(201);
    }
    assert_eq!(names(&server.get("checkpoints?name=!b").json(200)), ["a", "c"]);
    let page = server.get("checkpoints?limit=2").json(200);
    let rest = server.get(&format!("checkpoints?cursor={}", page["next_cursor"].as_str().expect("more"))).json(200);
    assert_eq!((names(&page), names(&rest)), (vec!["a", "b"], vec!["c"]));
    let content = server.get("checkpoints/a/content").json(200);
    assert_eq!((&content["format"], &content["version"]), (&json!("arrayplane-world"), &json!(1)));
    assert_eq!(server.delete("checkpoints/1").status, 204);
    server.get("checkpoints/b").refused("not_found");
    server.post("checkpoints/b/restore", json!({})).refused("not_found");
    server.post("checkpoints", json!({"name": "a"})).refused("name_taken");
    server.post("checkpoints", json!({"name": "a b"})).refused("invalid_name");
    server.post("checkpoints", json!({})).refused("missing_field");
    server.post("reset", json!({"to": "zero"})).refused("unknown_field");
}
