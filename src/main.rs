//! The program: see `arrayplane --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arrayplane::cli::run()
}
