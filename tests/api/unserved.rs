//! Calls of other fronts that are not served.

use serde_json::json;

use super::Server;

#[test]
fn what_is_not_served_is_listed_with_a_count() {
    let server = Server::start();
    server.make_still("t", "aff-a250", 7);
    assert_eq!(server.get("unserved").json(200)["items"], json!([]));
    let hosted = server.site.array("t").expect("it is there");
    hosted.count_unserved("GET", "/api/protocols/nfs/services");
    hosted.count_unserved("GET", "/api/protocols/nfs/services");
    hosted.count_unserved("POST", "/api/cluster/mediators");
    let all = server.get("unserved").json(200);
    assert_eq!(
        all["items"],
        json!([
            {"number": 1, "method": "POST", "path": "/api/cluster/mediators", "count": 1},
            {"number": 2, "method": "GET", "path": "/api/protocols/nfs/services", "count": 2},
        ])
    );
    assert_eq!(server.get("unserved?method=GET&fields=count").json(200)["items"], json!([{"count": 2}]));
    let page = server.get("unserved?limit=1").json(200);
    let next = page["next"].as_str().or_else(|| page["next_cursor"].as_str()).map(str::to_owned);
    assert!(next.is_some() && page["items"].as_array().map(Vec::len) == Some(1), "{page}");
    assert_eq!(server.get("unserved?sort=-count").json(200)["items"][0]["count"], json!(2));
}
