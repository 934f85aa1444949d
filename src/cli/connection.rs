//! How a command reaches a running server: as whom, and whose certificate it trusts.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;
use reqwest::{Certificate, RequestBuilder};
use serde::Serialize;

use super::failure::Failure;
use super::password::{self, Password};

/// The arguments by which a command reaches a server.
#[derive(Debug, Args)]
pub(super) struct Connection {
    /// The user to log in as, when a password is given
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_USER", default_value = "admin")]
    user: String,
    /// The user's password; the variable or a file keep it out of the list of processes
    #[arg(long, value_name = "TEXT", env = "ARRAYPLANE_PASSWORD", hide_env_values = true, conflicts_with = "password_file")]
    password: Option<Password>,
    /// A file whose first line is the user's password
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_PASSWORD_FILE")]
    password_file: Option<PathBuf>,
    /// A PEM file with the certificate to trust, such as 'serve --cert-out' writes
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_CACERT")]
    cacert: Option<PathBuf>,
    /// Trust any certificate
    #[arg(long, env = "ARRAYPLANE_INSECURE", value_parser = FalseyValueParser::new())]
    insecure: bool,
}

/// A client of one server.
pub(super) struct Client {
    http: reqwest::Client,
    login: Option<(String, Password)>,
}

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) body: String,
}

impl Connection {
    /// A client for URLs that begin like `url`; it waits at most `timeout` for an answer.
    pub(super) fn client(&self, url: &str, timeout: Duration) -> Result<Client, Failure> {
        let login = password::given(self.password.as_ref(), self.password_file.as_deref())?.map(|password| (self.user.clone(), password));
        let builder = reqwest::Client::builder().no_proxy().timeout(timeout);
        let builder = match &self.cacert {
            _ if self.insecure => builder.tls_danger_accept_invalid_certs(true),
            Some(_) => builder.tls_certs_only(self.trusted()?),
            // The certificates of the machine are looked for only where they are needed: in a container there may be none.
            None if !url.starts_with("https://") => builder.tls_certs_only([]),
            None => builder,
        };
        let http = builder.build().map_err(|cause| Failure::of_work(format!("no client for {url}: {}", innermost(&cause))))?;
        Ok(Client { http, login })
    }
    fn trusted(&self) -> Result<Vec<Certificate>, Failure> {
        let Some(file) = &self.cacert else { return Ok(Vec::new()) };
        let refuse = |cause: &dyn std::fmt::Display| Failure::arguments(format!("--cacert {}: {cause}", file.display()));
        let text = fs::read(file).map_err(|cause| refuse(&cause))?;
        match Certificate::from_pem_bundle(&text) {
            Ok(found) if found.is_empty() => Err(refuse(&"there is no certificate in it")),
            Ok(found) => Ok(found),
            Err(cause) => Err(refuse(&innermost(&cause))),
        }
    }
    /// As nobody in particular.
    #[cfg(test)]
    pub(super) fn plain() -> Connection {
        Connection { insecure: false, ..Connection::trusting() }
    }
    /// As nobody in particular, and whatever certificate there is.
    pub(super) fn trusting() -> Connection {
        Connection { user: "admin".to_owned(), password: None, password_file: None, cacert: None, insecure: true }
    }
}

impl Client {
    /// Sends JSON.
    pub(super) async fn post<B: Serialize + ?Sized>(&self, url: &str, body: &B) -> Result<Response, Failure> {
        self.send(url, self.http.post(url).json(body)).await
    }
    /// Asks.
    pub(super) async fn get(&self, url: &str) -> Result<Response, Failure> {
        self.send(url, self.http.get(url)).await
    }
    async fn send(&self, url: &str, request: RequestBuilder) -> Result<Response, Failure> {
        let request = match &self.login {
            Some((user, password)) => request.basic_auth(user, Some(password.plain())),
            None => request,
        };
        let unreachable = |cause: reqwest::Error| Failure::of_work(format!("{url} cannot be reached: {}", innermost(&cause)));
        let answer = request.send().await.map_err(unreachable)?;
        let status = answer.status().as_u16();
        Ok(Response { status, body: answer.text().await.map_err(unreachable)? })
    }
}

/// The cause of the cause, to the last.
fn innermost(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}
