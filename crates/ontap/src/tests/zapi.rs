//! What else stands on the port.

use super::Lab;

const SERVLET: &str = "/servlets/netapp.servlets.admin.XMLrequest_filer";

fn call(lab: &Lab, inner: &str, attributes: &str) -> String {
    let body = format!("<netapp xmlns=\"http://www.netapp.com/filer/admin\" version=\"1.15\"{attributes}>{inner}</netapp>");
    let answer = lab.send("POST", SERVLET, body.into_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("text/xml"));
    answer.body
}

#[test]
fn the_three_calls_before_rest_are_answered() {
    let lab = Lab::factory();
    assert!(
        call(&lab, "<system-get-ontapi-version/>", "")
            .contains("<results status=\"passed\"><major-version>1</major-version><minor-version>261</minor-version>")
    );
    let version = call(&lab, "<system-get-version/>", "");
    assert!(version.contains("<generation>9</generation><major>16</major><minor>1</minor>") && version.contains("<is-clustered>true</is-clustered>"));
    assert!(call(&lab, "<system-get-version/>", " vfiler=\"nobody\"").contains("status=\"failed\""));
    let nodes = call(&lab, "<system-node-get-iter><max-records>50</max-records></system-node-get-iter>", "");
    assert!(nodes.contains("<node>lab-01</node>") && nodes.contains("<num-records>2</num-records>") && !nodes.contains("next-tag"));
    assert!(call(&lab, "<vserver-get-iter/>", "").contains("errno=\"13005\" reason=\"Unable to find API: vserver-get-iter\""));
    assert_eq!(lab.send("GET", SERVLET, Vec::new()).status, 404);
}

#[test]
fn the_api_describes_itself() {
    for path in ["/docs/api", "/docs/api/"] {
        let page = Lab::factory().send("GET", path, Vec::new());
        assert!(page.status == 200 && page.body.contains("href=\"/docs/api/swagger.yaml\""), "{}", page.body);
    }
    let answer = Lab::factory().send("GET", "/docs/api/swagger.yaml", Vec::new());
    let document: serde_json::Value = serde_json::from_str(&answer.body).expect("JSON, which is YAML");
    assert!(document["paths"].as_object().is_some_and(|paths| paths.len() > 10));
}
