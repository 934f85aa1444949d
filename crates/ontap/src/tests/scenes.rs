//! The scenarios of ONTAP arrays as clients find them.

use serde_json::{Value, json};

use super::Lab;

#[test]
fn the_reviewed_a250_has_one_svm_with_interfaces_of_both_kinds() {
    let lab = Lab::scene("aff-a250");
    let svms = lab.get("/svm/svms?fields=**");
    assert_eq!((&svms["num_records"], &svms["records"][0]["name"], &svms["records"][0]["state"]), (&json!(1), &json!("svm1"), &json!("running")));
    assert_eq!(svms["records"][0]["aggregates"].as_array().map(Vec::len), Some(2));
    for (word, enabled) in [("fcp", true), ("nvme", true), ("iscsi", false)] {
        assert_eq!(svms["records"][0][word]["enabled"], json!(enabled), "{word}");
    }
    for protocol in ["fcp", "fc_nvme"] {
        let interfaces = lab.get(&format!("/network/fc/interfaces?svm.name=svm1&data_protocol={protocol}&state=up"));
        assert_eq!(interfaces["num_records"], json!(8), "{protocol}");
    }
    assert_eq!(lab.get("/storage/volumes?is_svm_root=false&fields=size")["num_records"], json!(2));
    assert_eq!(lab.get("/storage/volumes?is_svm_root=true")["num_records"], json!(1));
    assert_eq!(lab.get("/network/fc/logins?fields=*")["num_records"], json!(16), "two hosts, each at eight interfaces");
    assert_eq!(lab.get("/protocols/san/lun-maps")["num_records"], json!(4));
    assert_eq!(lab.get("/protocols/nvme/subsystem-maps")["num_records"], json!(2));
}

#[test]
fn a_new_a250_has_twelve_spares_a_node_and_nothing_else() {
    let lab = Lab::scene("aff-a250-factory");
    for path in ["/svm/svms", "/storage/aggregates", "/storage/volumes", "/network/fc/interfaces"] {
        assert_eq!(lab.get(path)["num_records"], json!(0), "{path}");
    }
    assert_eq!(lab.get("/cluster/nodes")["num_records"], json!(2));
    assert_eq!(lab.get("/network/fc/ports")["num_records"], json!(8));
    assert_eq!(lab.refused("GET", "/svm/svms/nobody", &Value::Null).0, 404);
}

#[test]
fn the_a200_is_laid_out_as_the_a250() {
    let lab = Lab::scene("aff-a200");
    assert_eq!(lab.get("/network/fc/interfaces?svm.name=svm1&state=up")["num_records"], json!(8));
    assert_eq!(lab.get("/protocols/san/lun-maps")["num_records"], json!(4));
}
