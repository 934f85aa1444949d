//! Accounts, roles, and what else belongs to security.

use serde_json::{Value, json};

use super::Lab;

fn path_of(lab: &Lab, collection: &str, name: &str) -> String {
    let found = lab.get(&format!("/security/{collection}?name={name}&fields=*"));
    let owner = found["records"][0]["owner"]["uuid"].as_str().unwrap_or_else(|| panic!("no {name} in {found}")).to_owned();
    format!("/security/{collection}/{owner}/{name}")
}

#[test]
fn accounts_are_users_of_the_array() {
    let lab = Lab::factory();
    assert_eq!(lab.get("/security/accounts?fields=role.name,scope")["records"][0]["role"]["name"], json!("admin"));
    let body = json!({
        "name": "watcher", "role.name": "readonly", "password": "Watch-closely-7", "comment": "reads",
        "applications": [{"application": "http", "authentication_methods": ["password"]}],
    });
    let (status, answer) = lab.ask("POST", "/security/accounts", &body);
    assert_eq!(status, 201, "{answer}");
    let path = path_of(&lab, "accounts", "watcher");
    let account = lab.get(&format!("{path}?fields=role,applications,locked,comment"));
    assert_eq!(account["applications"], json!([{"application": "http", "authentication_methods": ["password"], "second_authentication_method": "none"}]));
    assert_eq!((&account["role"]["name"], &account["locked"], &account["comment"]), (&json!("readonly"), &json!(false), &json!("reads")));
    assert!(!lab.get("/security/accounts?fields=**").to_string().contains("Watch-closely-7"));
    assert_eq!(lab.refused("POST", "/security/accounts", &body).0, 409);
    let mut watcher = Lab::factory();
    watcher.post("/security/accounts", body);
    watcher.headers = vec![("authorization", "Basic d2F0Y2hlcjpXYXRjaC1jbG9zZWx5LTc=".to_owned())];
    let (status, refused) = watcher.ask("POST", "/cluster/schedules", &json!({"name": "s", "interval": "PT1H"}));
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("6")), "{refused}");
    assert!(message.starts_with("User is not authorized.") && message.ends_with("is not authorized for that command."), "{message}");
    lab.patch(
        &format!("{path}?name=watcher"),
        json!({"role.name": "backup", "applications": [{"application": "ssh", "authentication_methods": ["password"]}]}),
    );
    let account = lab.get(&path);
    assert_eq!((&account["role"]["name"], &account["applications"][0]["second_authentication_method"]), (&json!("backup"), &json!("none")));
    lab.patch(&path, json!({"locked": true}));
    assert_eq!(lab.get(&path)["locked"], json!(true));
    let (status, answer) = lab.ask("PATCH", &path, &json!({"password": "Watch-closely-7"}));
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(status == 400 && message.starts_with("New password must be different than the old password."), "{answer}");
    assert_eq!(lab.refused("PATCH", &path, &json!({"password": "short"})).0, 400);
    lab.patch(&path, json!({"password": "Watch-closely-8"}));
    assert_eq!(lab.refused("PATCH", &path, &json!({"role": "nobody"})), (400, "5636129".into(), "role.name".into()));
    lab.delete(&path);
    assert_eq!(lab.refused("GET", &path, &Value::Null), (404, "4".into(), String::new()));
    let admin = path_of(&lab, "accounts", "admin");
    assert_eq!(lab.refused("DELETE", &admin, &json!({})), (409, "5636098".into(), String::new()));
}

#[test]
fn roles_keep_their_privileges_and_let_do_what_they_say() {
    let lab = Lab::factory();
    let privileges = json!([{"path": "/api/storage/luns", "access": "all"}, {"path": "/api/cluster", "access": "readonly"}]);
    lab.post("/security/roles", json!({"name": "san", "privileges": privileges}));
    let path = path_of(&lab, "roles", "san");
    let role = lab.get("/security/roles?name=san&scope=cluster&fields=name,owner,privileges.path,privileges.access,privileges.query");
    assert_eq!(role["records"][0]["privileges"], privileges);
    lab.array().read(|world| {
        use crate::model::{Object, Policy};
        let role = world.array.roles.iter().find(|role| role.name() == "san").expect("there");
        assert!(role.policies.has(Policy::VolumeCreateModify) && role.policies.has(Policy::StatusDisplay) && !role.policies.has(Policy::UserManagement));
    });
    lab.post(&format!("{path}/privileges"), json!({"path": "/api/storage/volumes", "access": "readonly"}));
    assert_eq!(lab.get(&format!("{path}/privileges?return_records=false"))["num_records"], json!(3));
    lab.patch(&format!("{path}/privileges/%2Fapi%2Fstorage%2Fluns"), json!({"access": "readonly"}));
    assert_eq!(lab.get(&format!("{path}/privileges/%2Fapi%2Fstorage%2Fluns"))["access"], json!("readonly"));
    lab.delete(&format!("{path}/privileges/%2Fapi%2Fstorage%2Fvolumes"));
    assert_eq!(lab.get(&path)["privileges"].as_array().map(Vec::len), Some(2));
    let bad = json!({"name": "bad", "privileges": [{"path": "/api", "access": "sometimes"}]});
    assert_eq!(lab.refused("POST", "/security/roles", &bad), (400, "262185".into(), "privileges.access".into()));
    let account = json!({"name": "operator", "role": "san", "password": "Operate-well-5", "applications": [{"application": "http", "authentication_methods": ["password"]}]});
    lab.post("/security/accounts", account);
    assert_eq!(lab.refused("DELETE", &path, &json!({})), (409, "5636170".into(), String::new()));
    lab.delete(&path_of(&lab, "accounts", "operator"));
    lab.delete(&path);
    assert_eq!(lab.refused("DELETE", &path_of(&lab, "roles", "readonly"), &json!({})).1, "1263347");
}

#[test]
fn the_cluster_and_each_svm_have_a_login_message() {
    let lab = Lab::factory();
    lab.does(json!({"tenant.create": {"name": "vs1"}}));
    let of = |scope: &str| lab.get(&format!("/security/login/messages?scope={scope}&fields=banner,message,show_cluster_message,uuid"))["records"].clone();
    let cluster = of("cluster");
    assert_eq!(cluster.as_array().map(Vec::len), Some(1));
    let path = format!("/security/login/messages/{}", cluster[0]["uuid"].as_str().expect("text"));
    lab.patch(&path, json!({"banner": "For work only.", "message": "Good day."}));
    lab.patch(&path, json!({"show_cluster_message": false}));
    let message = lab.get(&path);
    assert_eq!((&message["banner"], &message["message"], &message["show_cluster_message"]), (&json!("For work only."), &json!("Good day."), &json!(false)));
    let svm = of("svm&svm.name=vs1");
    lab.patch(&format!("/security/login/messages/{}", svm[0]["uuid"].as_str().expect("text")), json!({"banner": "Ours."}));
    assert_eq!((&of("svm")[0]["banner"], &of("cluster")[0]["banner"]), (&json!("Ours."), &json!("For work only.")));
    assert_eq!(lab.get("/security/ssh/svms?fields=*")["num_records"], json!(1));
}

#[test]
fn certificates_and_audit_destinations_are_kept() {
    let lab = Lab::factory();
    let body = json!({"type": "server_ca", "common_name": "localhost", "name": "play_ca", "public_certificate": "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----"});
    let made = lab.post("/security/certificates", body.clone());
    let path = format!("/security/certificates/{}", made["uuid"].as_str().expect("text"));
    let shown = lab.get(&path);
    assert_eq!((&shown["common_name"], &shown["scope"], &shown["name"]), (&json!("localhost"), &json!("cluster"), &json!("play_ca")));
    assert_eq!(lab.refused("POST", "/security/certificates", &body).0, 409);
    assert_eq!(lab.get("/private/cli/security/certificate?fields=cert_name,expiration,type")["records"][0]["type"], json!("server-ca"));
    lab.delete(&path);
    assert_eq!(lab.get("/security/certificates?return_records=false")["num_records"], json!(0));
    lab.post("/security/audit/destinations", json!({"address": "10.1.1.1", "port": 6514, "protocol": "tcp_encrypted"}));
    let path = "/security/audit/destinations/10.1.1.1/6514";
    lab.patch(path, json!({"facility": "local7"}));
    let shown = lab.get(path);
    assert_eq!((&shown["facility"], &shown["protocol"]), (&json!("local7"), &json!("tcp_encrypted")));
    lab.delete(path);
    assert_eq!(lab.get("/security/audit/destinations")["num_records"], json!(0));
}

#[test]
fn accounts_and_roles_go_with_their_svm() {
    let lab = Lab::scene("aff-a250");
    lab.post("/svm/svms", json!({"name": "vs1"}));
    lab.post("/security/roles", json!({"name": "r1", "owner.name": "vs1", "privileges": [{"path": "/api/storage/luns", "access": "all"}]}));
    for (name, role) in [("ann", "vsadmin"), ("bob", "r1")] {
        let account = json!({"name": name, "owner.name": "vs1", "role": role, "password": "netapp-1234", "applications": [{"application": "http"}]});
        lab.post("/security/accounts", account);
    }
    lab.delete("/svm/svms?name=vs1");
    for path in ["/security/accounts?name=ann|bob", "/security/roles?name=r1"] {
        assert_eq!(lab.get(path)["num_records"], json!(0), "{path}");
    }
    lab.post("/security/accounts", json!({"name": "ann", "password": "netapp-1234", "applications": [{"application": "http"}]}));
    assert_eq!(lab.get("/security/accounts?name=ann&fields=scope")["records"][0]["scope"], json!("cluster"));
}
