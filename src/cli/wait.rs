//! `wait` and `healthcheck`: whether a server is ready.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::FalseyValueParser;

use super::connection::{Client, Connection};
use super::failure::Failure;

const WAIT_EXAMPLES: &str = "\
Examples:
  arrayplane wait http://127.0.0.1:8080 --timeout 60      before the tests of a pipeline begin
  arrayplane wait https://127.0.0.1:8443 --cacert lab.pem";

const HEALTHCHECK_EXAMPLES: &str = "\
Examples:
  arrayplane healthcheck                                  the server of this container
  arrayplane healthcheck http://127.0.0.1:8080";

/// How long to wait between two questions, and for one answer.
const PAUSE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(3);

/// The arguments of `wait`.
#[derive(Debug, Args)]
#[command(after_help = WAIT_EXAMPLES)]
pub(super) struct Wait {
    /// The server: http://HOST:PORT or https://HOST:PORT
    #[arg(value_parser = server_url)]
    url: String,
    /// How many seconds to wait at most
    #[arg(long, value_name = "SECONDS", env = "ARRAYPLANE_TIMEOUT", default_value_t = 60)]
    timeout: u64,
    #[command(flatten)]
    connection: Connection,
}

/// The arguments of `healthcheck`.
#[derive(Debug, Args)]
#[command(after_help = HEALTHCHECK_EXAMPLES)]
pub(super) struct Healthcheck {
    /// The server; left out: the one that listens where the environment says
    #[arg(value_parser = server_url)]
    url: Option<String>,
    /// Where that server listens; of several addresses the first counts
    #[arg(long, value_name = "ADDRESS:PORT", env = "ARRAYPLANE_LISTEN", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Whether that server speaks TLS; its certificate is then trusted as it is
    #[arg(long, env = "ARRAYPLANE_TLS", value_parser = FalseyValueParser::new())]
    tls: bool,
}

/// Waits until a server is ready; fails when it is not in time.
pub(super) fn wait(arguments: &Wait) -> Result<(), Failure> {
    let client = arguments.connection.client(&arguments.url, PATIENCE)?;
    actix_web::rt::System::new().block_on(async {
        let began = Instant::now();
        let patience = Duration::from_secs(arguments.timeout);
        loop {
            match ready(&client, &arguments.url).await {
                Ok(()) => return Ok(()),
                Err(cause) if began.elapsed() >= patience => {
                    return Err(Failure::of_work(format!("not ready after {} s: {}", arguments.timeout, cause.message)));
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    })
}

/// Asks once whether a server is ready.
pub(super) fn healthcheck(arguments: &Healthcheck) -> Result<(), Failure> {
    let url = match &arguments.url {
        Some(url) => url.clone(),
        None => own_url(&arguments.listen, arguments.tls).map_err(Failure::arguments)?,
    };
    let client = Connection::trusting().client(&url, PATIENCE)?;
    actix_web::rt::System::new().block_on(ready(&client, &url))
}

async fn ready(client: &Client, url: &str) -> Result<(), Failure> {
    let answer = client.get(&format!("{url}/readyz")).await?;
    if answer.status == 200 { Ok(()) } else { Err(Failure::of_work(format!("{url}/readyz answers {}: {}", answer.status, answer.body.trim()))) }
}

/// The URL by which the machine itself reaches a server that listens on `listen`.
fn own_url(listen: &str, tls: bool) -> Result<String, String> {
    let first = listen.split(',').next().unwrap_or(listen).replace("localhost:", "127.0.0.1:");
    let mut address: SocketAddr = first.parse().map_err(|_| format!("'{first}' is no address with a port"))?;
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { [127, 0, 0, 1].into() } else { [0, 0, 0, 0, 0, 0, 0, 1].into() });
    }
    Ok(format!("{}://{address}", if tls { "https" } else { "http" }))
}

/// Reads the URL of a server.
fn server_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    match url.split_once("://") {
        Some(("http" | "https", rest)) if !rest.is_empty() && !rest.contains('/') => Ok(url.to_owned()),
        _ => Err("give http://HOST:PORT or https://HOST:PORT".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{own_url, server_url};

    #[test]
    fn the_own_server_is_asked_over_loopback() {
        assert_eq!(own_url("0.0.0.0:8080", false), Ok("http://127.0.0.1:8080".into()));
        assert_eq!(own_url("[::]:8443,127.0.0.1:9", true), Ok("https://[::1]:8443".into()));
        assert_eq!(own_url("localhost:80", false), Ok("http://127.0.0.1:80".into()));
        assert_eq!(own_url("10.0.0.1:80", false), Ok("http://10.0.0.1:80".into()));
        assert!(own_url("8080", false).is_err());
    }

    #[test]
    fn a_server_has_a_url_without_a_path() {
        assert_eq!(server_url("http://127.0.0.1:8080/"), Ok("http://127.0.0.1:8080".into()));
        for wrong in ["127.0.0.1:8080", "ftp://a:1", "http://a:1/v1/arrays/lab", "http://"] {
            assert!(server_url(wrong).is_err(), "{wrong}");
        }
    }
}
