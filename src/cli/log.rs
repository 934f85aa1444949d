//! The log, on standard error. A thread of its own writes it, as many lines at once as there are, so that nobody who answers a request waits for it.

use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

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

/// How many lines may wait to be written; whoever has one more waits.
const LINES_MAX: usize = 8192;
/// How long the writer rests after writing. Whoever logs meanwhile need not wake it.
const REST: Duration = Duration::from_millis(2);

/// Standard error, written as many lines at once as have come while it rested.
struct Unhurried(BufWriter<Stderr>);

impl Write for Unhurried {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write(text)
    }
    /// Asked for when no line is left.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()?;
        thread::sleep(REST);
        Ok(())
    }
}

/// Begins to log what `filter` lets through, for as long as the guard is kept; it sees to the last lines.
pub(super) fn start(filter: &str, format: LogFormat) -> Result<WorkerGuard, Failure> {
    let refuse = |cause: &dyn std::fmt::Display| {
        let message =
            format!("--log: '{filter}' is not understood: {cause}; give error, warn, info, debug or trace, or directives such as info,arrayplane::access=off");
        Failure::arguments(message)
    };
    if let Some(word) = filter.split(',').map(str::trim).find(|one| !one.contains('=') && one.parse::<LevelFilter>().is_err()) {
        return Err(refuse(&format!("'{word}' is no level")));
    }
    let filter = EnvFilter::try_new(format!("{QUIET},{filter}")).map_err(|cause| refuse(&cause))?;
    let (lines, guard) =
        NonBlockingBuilder::default().lossy(false).buffered_lines_limit(LINES_MAX).thread_name("log").finish(Unhurried(BufWriter::new(io::stderr())));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines).with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().with_ansi(false).try_init(),
    }
    .map_err(Failure::of_work)?;
    Ok(guard)
}
