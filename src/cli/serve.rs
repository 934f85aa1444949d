//! `serve`: plays arrays and answers for them.

use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;
use clap::builder::FalseyValueParser;

use super::array_argument::ArrayArgument;
use super::failure::Failure;
use super::log::{self, LogFormat};
use crate::front::{api, http};
use crate::site::{Journal, Options, Site};
use crate::units::Bytes;

const EXAMPLES: &str = "\
Examples:
  arrayplane serve                               the scenario af250, as the array 'af250'
  arrayplane serve lab=eternus-af250             a new array of that model, called 'lab'
  arrayplane serve af250 dr=af250-dr aff-a250    three arrays
  arrayplane serve a=model:aff-a250              the model, should a scenario have the same name
  arrayplane serve --listen 127.0.0.1:0          on a free port; the line with 'ready' names it
  arrayplane serve --listen 0.0.0.0:8080 --open  for everybody who can reach this machine

Arrays get the seeds 1, 2, 3, ... in this order, so that no two have the same serial numbers and addresses.
More arrays can be made while it runs: POST /v1/arrays. SIGINT and SIGTERM end it.";

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
    /// Allow to listen on other addresses than loopback: there are no passwords, whoever reaches the port may do anything
    #[arg(long, env = "ARRAYPLANE_OPEN", value_parser = FalseyValueParser::new())]
    open: bool,
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
}

/// Serves until the process is told to end.
pub(super) fn run(arguments: &Serve) -> Result<(), Failure> {
    arguments.listens_where_it_may()?;
    log::start(&arguments.log, arguments.log_format)?;
    let site = Site::with(Options { journal_budget: arguments.journal_budget });
    arguments.fill(&site)?;
    let config = http::Config { listen: arguments.listen.clone(), workers: arguments.workers.map(usize::from) };
    let served = actix_web::rt::System::new().block_on(async {
        let signals = http::Signals::listen()?;
        let running = http::start(&config, api::configure(&site))?;
        tracing::info!("{}", ready(&running.urls(), &site));
        running.until(signals).await
    });
    served.map_err(Failure::of_work)
}

impl Serve {
    /// Every address must be a loopback address unless others are allowed.
    fn listens_where_it_may(&self) -> Result<(), Failure> {
        match self.listen.iter().find(|address| !address.ip().to_canonical().is_loopback()) {
            Some(address) if !self.open => Err(Failure::arguments(format!(
                "--listen {address}: there are no passwords, so only loopback addresses are served; add --open to let everybody who can reach that address do anything"
            ))),
            _ => Ok(()),
        }
    }
    /// Makes all arrays.
    fn fill(&self, site: &Site) -> Result<(), Failure> {
        for (array, place) in self.arrays.iter().zip(0..) {
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
    format!("ready: {} (documentation: {})", arrays.join(" "), documents.join(" "))
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
            assert_eq!(read(&["--listen", loopback]).expect(loopback).listens_where_it_may(), Ok(()), "{loopback}");
        }
        for open in ["0.0.0.0:80", "[::]:80", "192.168.1.1:80"] {
            let refusal = read(&["--listen", "127.0.0.1:1", "--listen", open]).expect(open).listens_where_it_may().expect_err(open);
            assert_eq!(refusal.code, 2);
            assert!(refusal.message.contains(open) && refusal.message.contains("--open"), "{}", refusal.message);
            assert_eq!(read(&["--open", "--listen", open]).expect(open).listens_where_it_may(), Ok(()), "{open}");
        }
        assert!(read(&["--listen", "8080"]).expect_err("no address").contains("127.0.0.1:8080"));
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
