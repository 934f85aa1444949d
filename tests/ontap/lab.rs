//! A cluster on a free port, and a client that objects to answers which ONTAP would not give.

use std::sync::Arc;

use arrayplane::front::ontap::{self, Options, Version};
use arrayplane::site::Site;
use serde_json::{Value, json};

use super::facts;
use crate::api::{Answer, Server};
use crate::given;

/// A cluster called `lab`.
pub(crate) struct Lab {
    server: Server,
}

impl Lab {
    /// A new AFF A250 with nothing configured.
    pub(crate) fn factory() -> Lab {
        Lab::playing("aff-a250")
    }
    /// A new array of a model; its clock stands still.
    pub(crate) fn playing(model: &str) -> Lab {
        let site = Site::new();
        let mut world = given::model(model, 7);
        world.clock.mode = arrayplane::engine::ClockMode::Manual;
        site.create("lab", world).expect("a new array");
        Lab::of(site, Version::DEFAULT)
    }
    /// The arrays of a site, as a release of ONTAP.
    pub(crate) fn of(site: Arc<Site>, version: Version) -> Lab {
        let mount = ontap::configure(&site, Options { version });
        Lab { server: Server::mounted(site, 1, mount) }
    }
    /// Sends a request below `/api`; the answer must be one that ONTAP could give.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.raw(method, path, body);
        let value: Value = if answer.body.trim().is_empty() { Value::Null } else { serde_json::from_str(&answer.body).expect("JSON") };
        assert!(answer.status < 500, "{method} {path} broke: {} {value}", answer.status);
        if answer.status >= 400 {
            assert!(value["error"]["message"].is_string() && value["error"]["code"].is_string(), "{method} {path}: {value} is no error of ONTAP");
        } else {
            assert!(value.get("error").is_none(), "{method} {path}: an error in a success: {value}");
            assert_eq!(facts::objections(path, &value), Vec::<String>::new(), "{method} {path}: {value}");
        }
        (answer.status, value)
    }
    /// The same as it comes.
    pub(crate) fn raw(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.server.ask(method, &format!("/api{path}"), body)
    }
    /// Reads something that is there.
    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, &Value::Null);
        assert_eq!(status, 200, "GET {path}: {body}");
        body
    }
    /// Makes something, waiting for its job; gives the record.
    pub(crate) fn post(&self, path: &str, body: Value) -> Value {
        let sign = if path.contains('?') { '&' } else { '?' };
        let (status, answer) = self.ask("POST", &format!("{path}{sign}return_records=true&return_timeout=15"), &body);
        assert_eq!(status, 201, "POST {path} {body}: {answer}");
        answer["records"][0].clone()
    }
    /// Changes something.
    pub(crate) fn patch(&self, path: &str, body: Value) {
        let (status, answer) = self.ask("PATCH", path, &body);
        assert!(matches!(status, 200 | 202), "PATCH {path} {body}: {status} {answer}");
    }
    /// Deletes something.
    pub(crate) fn delete(&self, path: &str) {
        let (status, answer) = self.ask("DELETE", path, &json!({}));
        assert!(matches!(status, 200 | 202), "DELETE {path}: {status} {answer}");
    }
    /// What a call is refused with: status, number, and field.
    pub(crate) fn refused(&self, method: &str, path: &str, body: &Value) -> (u16, String, String) {
        let (status, answer) = self.ask(method, path, body);
        assert!(status >= 400, "{method} {path} {body} was not refused: {status} {answer}");
        let text = |name: &str| answer["error"][name].as_str().unwrap_or_default().to_owned();
        (status, text("code"), text("target"))
    }
}
