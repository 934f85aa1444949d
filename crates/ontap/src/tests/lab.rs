//! A cluster on a free port, and a client that objects to answers which ONTAP would not give.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{App, test};
use serde_json::{Value, json};

use super::decode;
use crate::catalogue::{self, BuildOptions};
use crate::engine::ClockMode;
use crate::ops::{Actor, AnyOperation, World};
use crate::server::{Options, configure};
use crate::site::{Hosted, Site};
use crate::version::Version;

/// `admin` with the password that a server without one documents.
const ADMIN: &str = "Basic YWRtaW46bmV0YXBwMSE=";

/// A cluster called `lab`.
pub(crate) struct Lab {
    site: Arc<Site>,
    version: Version,
    /// Headers of all requests.
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Lab {
    /// A new AFF A250 with nothing configured.
    pub(crate) fn factory() -> Lab {
        Lab::playing("aff-a250")
    }
    /// A new array of a model; its clock stands still.
    pub(crate) fn playing(model: &str) -> Lab {
        let model = catalogue::model(model).expect("the catalogue knows the model");
        Lab::of(World::new(model.build(&BuildOptions { seed: 7, ..BuildOptions::default() }).expect("the model can be built")))
    }
    /// The array of a scenario; its clock stands still.
    pub(crate) fn scene(name: &str) -> Lab {
        let scenario = catalogue::scenario(name).expect("the catalogue knows the scenario");
        Lab::of(scenario.play(Some(7)).expect("the scenario can be built"))
    }
    fn of(mut world: World) -> Lab {
        world.clock.mode = ClockMode::Manual;
        let site = Site::new();
        site.create("lab", world).expect("a new array");
        Lab { site, version: Version::DEFAULT, headers: vec![("authorization", ADMIN.to_owned())] }
    }
    /// The same as another release.
    pub(crate) fn release(self, version: &str) -> Lab {
        Lab { version: version.parse().expect("a release that is played"), ..self }
    }
    /// The array behind it.
    pub(crate) fn array(&self) -> Arc<Hosted> {
        self.site.array("lab").expect("it is there")
    }
    /// Does something that is no business of ONTAP's clients: faults, the clock, workloads.
    pub(crate) fn does(&self, operation: Value) {
        let operation: AnyOperation = serde_json::from_value(operation).expect("an operation");
        self.array().batch(Actor::new("test", "tester", "a test"), vec![operation]).expect("not refused");
    }
    /// Sends a request below `/api`; the answer must be one that ONTAP could give.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.raw(method, path, body);
        let value: Value = if answer.body.trim().is_empty() { Value::Null } else { serde_json::from_str(&answer.body).expect("JSON") };
        assert!(answer.status < 500, "{method} {path} broke: {} {value}", answer.status);
        if answer.status >= 400 {
            assert!(value["error"]["message"].is_string() && value["error"]["code"].is_string(), "{method} {path}: {value} is no error of ONTAP");
        } else {
            assert!(value.get("error").is_none() || path.starts_with("/cluster/jobs/"), "{method} {path}: an error in a success: {value}");
            assert_eq!(decode::objections(path, &value), Vec::<String>::new(), "{method} {path}: {value}");
        }
        (answer.status, value)
    }
    /// The same as it comes.
    pub(crate) fn raw(&self, method: &str, path: &str, body: &Value) -> Answer {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, &format!("/api{path}"), text.into_bytes())
    }
    /// Sends any bytes to any path.
    pub(crate) fn send(&self, method: &str, path: &str, body: Vec<u8>) -> Answer {
        let mount = configure(&self.site, Options { version: self.version });
        actix_web::rt::System::new().block_on(async {
            let app = test::init_service(App::new().configure(mount)).await;
            let mut request = test::TestRequest::with_uri(path).method(method.parse::<Method>().expect("a method")).set_payload(body);
            for (name, value) in &self.headers {
                request = request.insert_header((*name, value.as_str()));
            }
            let response = test::call_service(&app, request.to_request()).await;
            let status = response.status().as_u16();
            let headers = response.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned())).collect();
            let body = test::read_body(response).await;
            Answer { status, headers, body: String::from_utf8(body.to_vec()).expect("text") }
        })
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
    /// The whole array.
    fn whole(&self) -> String {
        self.array().read(|world| serde_json::to_string(&world.array).expect("plain data"))
    }
    /// The array agrees with itself.
    pub(crate) fn is_sound(&self) {
        assert_eq!(self.array().read(crate::engine::problems), Vec::<String>::new());
    }
    /// A call that is refused with that status, number and field, and that changes nothing.
    pub(crate) fn refuses(&self, method: &str, path: &str, body: &Value, (status, code, target): (u16, &str, &str)) {
        let before = self.whole();
        assert_eq!(self.refused(method, path, body), (status, code.to_owned(), target.to_owned()), "{method} {path} {body}");
        assert_eq!(self.whole(), before, "{method} {path} {body} changed something");
    }
    /// What a call is refused with: status, number, and field.
    pub(crate) fn refused(&self, method: &str, path: &str, body: &Value) -> (u16, String, String) {
        let (status, answer) = self.ask(method, path, body);
        assert!(status >= 400, "{method} {path} {body} was not refused: {status} {answer}");
        let text = |name: &str| answer["error"][name].as_str().unwrap_or_default().to_owned();
        (status, text("code"), text("target"))
    }
}
