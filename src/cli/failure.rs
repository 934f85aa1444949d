//! Why a command did not do what it was asked to.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// A message for the terminal, and an exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: u8,
    pub(super) message: String,
}

impl Failure {
    /// The arguments ask for something that cannot be.
    pub(super) fn arguments(message: impl Display) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }
    /// The data directory cannot be used.
    pub(super) fn of_data(message: impl Display) -> Failure {
        Failure { code: 3, message: message.to_string() }
    }
    /// It was tried, and failed or was refused.
    pub(super) fn of_work(message: impl Display) -> Failure {
        Failure { code: 1, message: message.to_string() }
    }
    /// Tells it.
    pub(super) fn report(&self) -> ExitCode {
        let told = writeln!(std::io::stderr().lock(), "error: {}", self.message);
        ExitCode::from(if told.is_ok() { self.code } else { 1 })
    }
}
