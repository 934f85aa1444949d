//! The log, on standard error.

use std::io::{self, IsTerminal};

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

use super::failure::Failure;

/// The web server tells of its threads and sockets; only its warnings are of interest unless somebody asks for more.
const QUIET: &str = "actix_server=warn";

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people: time, level, what speaks, what it says.
    Text,
    /// For programs: one JSON object a line with `timestamp`, `level`, `target` and `fields`, among which `message`.
    Json,
}

/// Begins to log what `filter` lets through.
pub(super) fn start(filter: &str, format: LogFormat) -> Result<(), Failure> {
    let refuse = |cause: &dyn std::fmt::Display| {
        let message =
            format!("--log: '{filter}' is not understood: {cause}; give error, warn, info, debug or trace, or directives such as info,arrayplane::access=off");
        Failure::arguments(message)
    };
    let filter = EnvFilter::try_new(format!("{QUIET},{filter}")).map_err(|cause| refuse(&cause))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().with_ansi(false).try_init(),
    }
    .map_err(Failure::of_work)
}
