//! `serve`: plays arrays and answers for them.

mod certificate;
mod ontap;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;

use super::array_argument::ArrayArgument;
use super::failure::Failure;
use super::log::{self, LogFormat};
use super::password::{self, Password};
use crate::front::{self, http};
use crate::site::{DataOptions, Found, Journal, Options, Site};
use crate::units::{Bytes, SimSpan, SimTime};

const EXAMPLES: &str = "\
Examples:
  arrayplane serve                               the scenario af250, as the array 'af250'
  arrayplane serve lab=eternus-af250             a new array of that model, called 'lab'
  arrayplane serve af250 dr=af250-dr aff-a250    three arrays
  arrayplane serve a=model:aff-a250              the model, should a scenario have the same name
  arrayplane serve --listen 127.0.0.1:0          on a free port; the line with 'ready' names it
  arrayplane serve --password-file secret        only for who knows the password of 'admin'
  arrayplane serve --listen 0.0.0.0:8443 --password-file secret --tls --tls-name lab.example --cert-out lab.pem
  arrayplane serve --listen 0.0.0.0:8080 --open  for everybody who can reach this machine
  arrayplane serve lab=aff-a250 --cert-out lab.pem
                                                 an ONTAP array, for ONTAP's own clients at https://127.0.0.1:8443/api
  arrayplane serve --data-dir ./arrays lab=eternus-af250
                                                 'lab' is found again at the next start

Arrays get the seeds 1, 2, 3, ... in this order, so that no two have the same serial numbers and addresses.
More arrays can be made while it runs: POST /v1/arrays. SIGINT and SIGTERM end it.
With --data-dir, an array that is found in the directory wins over what its name stands for here. Virtual time stands still while nothing runs.
Arrays of ONTAP models also answer ONTAP's own clients over HTTPS, each at an address of its own. Who comes there needs a name and a password: 'admin' with
the password of the server, 'netapp1!' when it has none; or a user of the array.
Exit codes: 0 ended when told to, 1 failed, 2 wrong arguments, 3 the data directory is in use or damaged.";

/// The arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Serve {
    /// Arrays to play; a scenario's name wins over a model's, 'model:' and 'scenario:' before it decide
    #[arg(value_name = "NAME=SCENARIO-or-MODEL", env = "ARRAYPLANE_ARRAYS", value_delimiter = ',', default_value = "af250")]
    arrays: Vec<ArrayArgument>,
    /// Where to listen; may be given several times
    #[arg(long, value_name = "ADDR:PORT", env = "ARRAYPLANE_LISTEN", value_delimiter = ',', default_value = "127.0.0.1:8080", value_parser = address)]
    listen: Vec<SocketAddr>,
    /// Allow to listen on other addresses than loopback without a password: whoever reaches the port may do anything
    #[arg(long, env = "ARRAYPLANE_OPEN", value_parser = FalseyValueParser::new())]
    open: bool,
    /// The password of the server's user 'admin', and of the users of new arrays; everything but /healthz and /readyz then demands credentials. The
    /// variable or a file keep it out of the list of processes
    #[arg(long, value_name = "TEXT", env = "ARRAYPLANE_PASSWORD", hide_env_values = true, conflicts_with = "password_file")]
    password: Option<Password>,
    /// A file whose first line is that password
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_PASSWORD_FILE")]
    password_file: Option<PathBuf>,
    /// How long a bearer token lasts, in wall time
    #[arg(long, value_name = "SPAN", env = "ARRAYPLANE_SESSION_LIFETIME", default_value = "30m")]
    session_lifetime: SimSpan,
    /// Speak TLS on every address, with a certificate that the server makes for itself unless one is given
    #[arg(long, env = "ARRAYPLANE_TLS", value_parser = FalseyValueParser::new())]
    tls: bool,
    /// A further name or address that the server's own certificate is for, besides localhost; may be given several times
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_TLS_NAME", value_delimiter = ',', conflicts_with = "tls_cert")]
    tls_name: Vec<String>,
    /// A PEM file with the certificate, and those that it rests on
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_TLS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// A PEM file with the key of that certificate
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Where to write the certificate that clients must trust, as PEM
    #[arg(long, value_name = "FILE", env = "ARRAYPLANE_CERT_OUT")]
    cert_out: Option<PathBuf>,
    /// The seed of the first array; every further one has the next
    #[arg(long, value_name = "NUMBER", env = "ARRAYPLANE_SEED", default_value_t = 1)]
    seed: u64,
    /// Threads that answer requests; as many as there are processors if left out
    #[arg(long, value_name = "NUMBER", env = "ARRAYPLANE_WORKERS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// What to log, on standard error: error, warn, info, debug or trace, or directives such as info,arrayplane::access=off
    #[arg(long, value_name = "LEVEL", env = "ARRAYPLANE_LOG", default_value = "info")]
    log: String,
    /// How a line of the log is written
    #[arg(long, value_name = "FORMAT", env = "ARRAYPLANE_LOG_FORMAT", value_enum, default_value = "text")]
    log_format: LogFormat,
    /// How much one array's journal may take in memory before it begins anew with the array as it is
    #[arg(long, value_name = "SIZE", env = "ARRAYPLANE_JOURNAL_BUDGET", default_value_t = Journal::BUDGET)]
    journal_budget: Bytes,
    /// Where to keep arrays over restarts; without it everything is in memory
    #[arg(long, value_name = "DIR", env = "ARRAYPLANE_DATA_DIR")]
    data_dir: Option<PathBuf>,
    /// Answer changes only when they are on the disk, so that they also survive a power failure
    #[arg(long, env = "ARRAYPLANE_SYNC", value_parser = FalseyValueParser::new(), requires = "data_dir")]
    sync: bool,
    /// An array of the data directory to leave as it is, unread; may be given several times
    #[arg(long, value_name = "NAME", env = "ARRAYPLANE_SKIP_ARRAY", value_delimiter = ',', requires = "data_dir")]
    skip_array: Vec<String>,
    #[command(flatten)]
    ontap: ontap::Ontap,
}

/// Serves until the process is told to end.
pub(super) fn run(arguments: &Serve) -> Result<(), Failure> {
    let password = password::given(arguments.password.as_ref(), arguments.password_file.as_deref())?;
    arguments.listens_where_it_may(password.is_some())?;
    arguments.ontap.can_be(password.is_some() || arguments.open)?;
    let _log = log::start(&arguments.log, arguments.log_format)?;
    let site = arguments.open()?;
    arguments.guard(&site, password.as_ref())?;
    arguments.fill(&site)?;
    let speaking = arguments.ontap.speaking(&site, arguments.arrays.iter().map(|array| array.name.as_str()));
    let tls = arguments.certificate(&site, speaking.len())?;
    let of_listeners = tls.clone().filter(|_| arguments.speaks_tls());
    let listen = arguments.listen.iter().map(|address| http::Listener { address: *address, tls: of_listeners.clone() }).collect();
    let doors = (!arguments.ontap.no_ontap).then(|| arguments.doors(&site, tls, password.is_some()));
    let config = http::Config { listen, workers: arguments.workers(), doors: doors.clone() };
    let served = actix_web::rt::System::new().block_on(async {
        let signals = http::Signals::listen().map_err(Failure::of_work)?;
        let running = http::bind(&config, front::configure(&site)).map_err(Failure::of_work)?;
        if let Some(doors) = &doors {
            arguments.ontap.open(doors, &site, &speaking)?;
            arguments.ontap.open_again(doors, &site);
        }
        running.now_ready();
        tracing::info!("{}", ready(&running.urls(), &site));
        let waited_for = Arc::clone(&site);
        running.before_stop(move || waited_for.end_waiting()).until(signals).await.map_err(Failure::of_work)
    });
    site.close();
    served
}

impl Serve {
    /// Every address must be a loopback address unless there is a password, or others are allowed.
    fn listens_where_it_may(&self, guarded: bool) -> Result<(), Failure> {
        match self.listen.iter().find(|address| !address.ip().to_canonical().is_loopback()) {
            Some(address) if !self.open && !guarded => Err(Failure::arguments(format!(
                "--listen {address}: without a password only loopback addresses are served; add --password-file (or ARRAYPLANE_PASSWORD) to demand one, \
                 or --open to let everybody who can reach that address do anything"
            ))),
            _ => Ok(()),
        }
    }
    fn workers(&self) -> Option<usize> {
        self.workers.map(usize::from)
    }
    /// What opens ONTAP listeners, now and later. Without a certificate one is made when the first is opened.
    fn doors(&self, site: &Arc<Site>, tls: Option<http::Tls>, guarded: bool) -> http::Doors {
        let (of_site, names) = (Arc::clone(site), self.names(0));
        let certify = move || tls.clone().map_or_else(|| certificate::kept_or_made(&of_site, &names), Ok);
        let address = self.ontap.address(&self.listen);
        let config = http::DoorConfig { workers: self.workers(), address, anywhere: guarded || self.open, path: "/api" };
        http::Doors::new(config, certify, front::ontap::configure(site, front::ontap::Options { version: self.ontap.ontap_version }))
    }
    /// The site, with the arrays that are found in the data directory.
    fn open(&self) -> Result<Arc<Site>, Failure> {
        let options = Options { journal_budget: self.journal_budget };
        let Some(folder) = &self.data_dir else { return Ok(Site::with(options)) };
        let data = DataOptions { folder: folder.clone(), sync: self.sync, skip: self.skip_array.clone() };
        let (site, found) = Site::open(options, &data).map_err(|refusal| Failure::of_data(format!("{refusal}; {}", refusal.cure())))?;
        for Found { name, entries, cut, at } in found {
            let elapsed = at.since(SimTime::START);
            tracing::info!("array '{name}' was found in {}: {entries} journal entries were done again, its clock goes on at {elapsed}", folder.display());
            if cut > 0 {
                tracing::warn!("array '{name}': the last {cut} bytes of its journal were no whole record and were cut off; nobody had an answer to that");
            }
        }
        Ok(site)
    }
    /// Sets who may come in.
    fn guard(&self, site: &Site, password: Option<&Password>) -> Result<(), Failure> {
        site.set_session_lifetime(Duration::from_micros(self.session_lifetime.0));
        match password {
            Some(password) if !site.set_password(password.plain()) => Err(Failure::of_work("this machine gives no random bytes, so no password can be kept")),
            _ => Ok(()),
        }
    }
    /// Makes all arrays that were not found.
    fn fill(&self, site: &Site) -> Result<(), Failure> {
        let found = site.names();
        for (array, place) in self.arrays.iter().zip(0..) {
            if found.contains(&array.name) {
                let is_first = self.arrays.iter().find(|other| other.name == array.name).is_some_and(|first| std::ptr::eq(first, array));
                if is_first {
                    tracing::info!("array '{}' is the one that was found; what its name stands for in the arguments is left out", array.name);
                    continue;
                }
            }
            let world = array.made_of.build(self.seed.wrapping_add(place)).map_err(Failure::arguments)?;
            site.create(&array.name, world).map_err(|refusal| Failure::arguments(format!("{refusal}; {}", refusal.cure())))?;
        }
        Ok(())
    }
}

/// The line that says that everything is there, and where.
fn ready(urls: &[String], site: &Arc<Site>) -> String {
    let arrays: Vec<String> = urls.iter().flat_map(|url| site.names().into_iter().map(move |name| format!("{url}/v1/arrays/{name}"))).collect();
    let documents: Vec<String> = urls.iter().map(|url| format!("{url}/docs")).collect();
    let all: Vec<String> = arrays.into_iter().chain(ontap::told(site)).collect();
    format!("ready: {} (documentation: {})", all.join(" "), documents.join(" "))
}

/// Reads an address to listen on.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.strip_prefix("localhost:").map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| "give an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080; port 0 takes a free one".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Cli, Command};
    use super::*;

    fn read(arguments: &[&str]) -> Result<Serve, String> {
        let all = ["arrayplane", "serve"].iter().chain(arguments);
        match Cli::try_parse_from(all).map_err(|error| error.to_string())?.command {
            Command::Serve(serve) => Ok(serve),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn without_arguments_it_plays_one_af250_on_the_loopback_address() {
        let serve = read(&[]).expect("no arguments are fine");
        assert_eq!(serve.listen, [SocketAddr::from(([127, 0, 0, 1], 8080))]);
        let site = Site::new();
        serve.fill(&site).expect("the scenario is there");
        assert_eq!(site.names(), ["af250"]);
        assert_eq!(ready(&["http://127.0.0.1:1".into()], &site), "ready: http://127.0.0.1:1/v1/arrays/af250 (documentation: http://127.0.0.1:1/docs)");
    }

    #[test]
    fn other_addresses_than_loopback_need_to_be_allowed() {
        for loopback in ["127.0.0.1:0", "127.9.9.9:80", "[::1]:80", "localhost:80", "[::ffff:127.0.0.1]:80"] {
            assert_eq!(read(&["--listen", loopback]).expect(loopback).listens_where_it_may(false), Ok(()), "{loopback}");
        }
        for open in ["0.0.0.0:80", "[::]:80", "192.168.1.1:80"] {
            let refusal = read(&["--listen", "127.0.0.1:1", "--listen", open]).expect(open).listens_where_it_may(false).expect_err(open);
            assert_eq!(refusal.code, 2);
            assert!(refusal.message.contains(open) && refusal.message.contains("--open"), "{}", refusal.message);
            assert_eq!(read(&["--listen", open]).expect(open).listens_where_it_may(true), Ok(()), "{open} with a password");
            assert_eq!(read(&["--open", "--listen", open]).expect(open).listens_where_it_may(false), Ok(()), "{open}");
        }
        assert!(read(&["--listen", "8080"]).expect_err("no address").contains("127.0.0.1:8080"));
    }

    #[test]
    fn a_password_comes_one_way_and_a_certificate_comes_whole() {
        let both = read(&["--password", "letters1", "--password-file", "secret"]).expect_err("two passwords");
        assert!(both.contains("--password-file"), "{both}");
        assert!(read(&["--tls-cert", "cert.pem"]).expect_err("no key").contains("--tls-key"));
        let site = Site::new();
        for (arguments, word) in [(["--tls-name", "lab"], "--tls"), (["--cert-out", "/nowhere/x"], "--tls")] {
            assert!(read(&arguments).expect("well-formed").certificate(&site, 0).expect_err(word).message.contains(word));
        }
        assert!(read(&["--tls"]).expect("well-formed").certificate(&site, 0).expect("one is made").is_some());
        assert!(read(&["--tls-name", "lab"]).expect("well-formed").certificate(&site, 1).expect("one is made").is_some());
        assert!(read(&[]).expect("well-formed").certificate(&site, 0).expect("none is needed").is_none());
        assert!(!format!("{:?}", read(&["--password", "letters1"]).expect("well-formed")).contains("letters1"));
    }

    #[test]
    fn arrays_get_different_seeds_in_their_order() {
        let seeds = |arguments: &[&str]| {
            let site = Site::new();
            read(arguments).expect("well-formed").fill(&site).expect("known models");
            site.arrays().iter().map(|hosted| (hosted.name().to_owned(), hosted.read(|world| world.array.identity.seed()))).collect::<Vec<_>>()
        };
        assert_eq!(seeds(&["b=eternus-af250", "a=eternus-af250"]), [("a".into(), 2), ("b".into(), 1)]);
        assert_eq!(seeds(&["b=eternus-af250", "a=eternus-af250", "--seed", "41"]), [("a".into(), 42), ("b".into(), 41)]);
    }

    #[test]
    fn a_name_that_is_invalid_or_given_twice_is_an_error_in_the_arguments() {
        for (arguments, word) in [(["eternus-af250", "eternus-af250"], "exists already"), (["a/b=eternus-af250", "x=eternus-af250"], "is no name for an array")]
        {
            let refusal = read(&arguments).expect("well-formed").fill(&Site::new()).expect_err(word);
            assert_eq!(refusal.code, 2);
            assert!(refusal.message.contains(word), "{}", refusal.message);
        }
    }
}
