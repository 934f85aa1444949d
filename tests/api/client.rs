//! A client that speaks plain HTTP/1.1: one connection a request, so that it can also send what no library would.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;

/// A client of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Client {
    /// Asks for something. A path that does not begin with `/` lies below the array `t`.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &Value::Null)
    }
    /// Makes or does something.
    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, &body)
    }
    /// Changes something.
    pub(crate) fn patch(&self, path: &str, body: Value) -> Answer {
        self.ask("PATCH", path, &body)
    }
    /// Deletes something.
    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, &Value::Null)
    }
    /// Sends a body as JSON; null sends none.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let (content_type, text) = if body.is_null() { ("", String::new()) } else { ("Content-Type: application/json\r\n", body.to_string()) };
        self.send(method, path, content_type, text.as_bytes())
    }
    /// Sends any bytes under any headers, each ended by CR LF.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let head = format!("{}{headers}Content-Length: {}\r\n\r\n", Client::head(method, path), body.len());
        self.exchange(&[head.as_bytes(), body].concat(), false)
    }
    /// Sends less than the head promises, and no more.
    pub(crate) fn send_half(&self, method: &str, path: &str, body: &str) -> Answer {
        let head = format!("{}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", Client::head(method, path), body.len() + 1);
        self.exchange(&[head.as_bytes(), body.as_bytes()].concat(), true)
    }
    fn head(method: &str, path: &str) -> String {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/v1/arrays/t/{path}") };
        format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n")
    }
    fn exchange(&self, request: &[u8], only_half: bool) -> Answer {
        let mut socket = TcpStream::connect(self.address).expect("the server listens");
        socket.write_all(request).expect("the server reads");
        if only_half {
            socket.shutdown(Shutdown::Write).expect("an open connection");
        }
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).expect("the server answers");
        Answer::read(String::from_utf8(bytes).expect("answers are text"))
    }
}

impl Answer {
    fn read(text: String) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("this is no answer: {text}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("no status: {head}"));
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }
    /// A header, if it is there.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
    /// The body as JSON, of an answer that must have that status.
    pub(crate) fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.body);
        if self.body.is_empty() { Value::Null } else { serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body)) }
    }
    /// The code of a problem, which must look like one.
    pub(crate) fn problem(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}\n{}", self.head, self.body);
        let problem = self.json(self.status);
        assert_eq!(problem["status"], self.status, "{problem}");
        for field in ["type", "title", "detail", "code", "cure"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "no {field} in {problem}");
        }
        problem
    }
    /// The problem must be of that kind; answers with the whole of it.
    pub(crate) fn refused(&self, code: &str) -> Value {
        let problem = self.problem();
        assert_eq!(problem["code"], code, "{problem}");
        problem
    }
}

/// The names in a list.
pub(crate) fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().expect("a list").iter().filter_map(|item| item["name"].as_str()).collect()
}

/// The header of a name and a password.
pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Authorization: Basic {}\r\n", BASE64.encode(format!("{user}:{password}")))
}
