//! The log, on standard error.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use super::failure::Failure;

/// The web server tells of its threads and sockets; only its warnings are of interest unless somebody asks for more.
const QUIET: &str = "actix_server=warn";

/// Begins to log what `filter` lets through.
pub(super) fn start(filter: &str) -> Result<(), Failure> {
    let refuse = |cause: &dyn std::fmt::Display| {
        let message =
            format!("--log: '{filter}' is not understood: {cause}; give error, warn, info, debug or trace, or directives such as info,arrayplane::access=off");
        Failure::arguments(message)
    };
    let filter = EnvFilter::try_new(format!("{QUIET},{filter}")).map_err(|cause| refuse(&cause))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    log.try_init().map_err(Failure::of_work)
}
