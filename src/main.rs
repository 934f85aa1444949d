//! The program: see `arrayplane --help`.

use std::process::ExitCode;

/// Answers are many small pieces of memory for a short time, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    arrayplane::cli::run()
}
