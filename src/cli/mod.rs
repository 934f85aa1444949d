//! The command line: arguments -> configuration -> site -> servers.
//!
//! Owns: what a person types and reads at a terminal, exit codes, and the log. It is the only room that sees all others.
//! Must not know: any rule; what it refuses are arguments.
//! Read first: [`Cli`], then `serve`.

mod apply;
mod array_argument;
mod calibrate;
mod connection;
mod failure;
mod log;
mod openapi;
mod password;
mod serve;
mod tables;
mod wait;
mod what_if;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A stand-in storage array for tests and demonstrations: its REST API, its jobs on a clock that you hold, and its speed.
#[derive(Debug, Parser)]
#[command(name = "arrayplane", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  arrayplane serve                               one ETERNUS AF250 with volumes and a load, on http://127.0.0.1:8080
  arrayplane serve lab=eternus-af250             a new array called 'lab' with nothing on it
  arrayplane scenarios                           what there is to play
  arrayplane apply http://127.0.0.1:8080/v1/arrays/lab layout.yaml

Then open http://127.0.0.1:8080/docs, or ask: curl http://127.0.0.1:8080/v1/arrays

There is no iSCSI, Fibre Channel or NVMe target behind the addresses that an array shows: hosts cannot log in.
Every option can also be given in the environment: --listen as ARRAYPLANE_LISTEN, and so on.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Play arrays and answer for them over HTTP
    Serve(serve::Serve),
    /// List the hardware models that arrays can be made of
    Models(tables::Listing),
    /// List the scenarios: models with a layout and a load
    Scenarios(tables::Listing),
    /// Compare every published figure with the modelled arrays, or fit the model again
    Calibrate(calibrate::Calibrate),
    /// Print the OpenAPI document of the native API, or of the ONTAP front
    Openapi(openapi::Openapi),
    /// Print the JSON Schema of scenarios and lists of operations, by which editors complete them
    Schema,
    /// Do a list of operations on an array of a running server, all or nothing
    Apply(apply::Apply),
    /// Wait until a server is ready
    Wait(wait::Wait),
    /// Ask a server once whether it is ready: for containers
    Healthcheck(wait::Healthcheck),
    /// Find out how fast an array would be, configured otherwise or under another load
    WhatIf(Box<what_if::WhatIf>),
}

/// Does what the command line says. Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 3 the data directory is in use or damaged.
pub fn run() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Models(listing) => tables::models(listing),
        Command::Scenarios(listing) => tables::scenarios(listing),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Openapi(arguments) => openapi::run(&arguments),
        Command::Schema => tables::print(&crate::front::api::scenario_schema()),
        Command::Apply(arguments) => apply::run(&arguments),
        Command::Wait(arguments) => wait::wait(&arguments),
        Command::Healthcheck(arguments) => wait::healthcheck(&arguments),
        Command::WhatIf(arguments) => what_if::run(&arguments),
    };
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_can_be_given_in_the_environment() {
        for command in Cli::command().get_subcommands() {
            for option in command.get_opts().filter(|option| option.get_long().is_some_and(|name| name != "help" && name != "version")) {
                let expected = option.get_long().map(|name| format!("ARRAYPLANE_{}", name.replace('-', "_").to_uppercase()));
                let found = option.get_env().map(|name| name.to_string_lossy().into_owned());
                assert_eq!(found, expected, "{} {option}", command.get_name());
            }
        }
    }

    #[test]
    fn every_command_teaches_by_example() {
        for command in Cli::command().get_subcommands().filter(|command| command.get_arguments().any(|argument| argument.is_positional())) {
            assert!(command.get_after_help().is_some_and(|text| text.to_string().contains("Examples:")), "{}", command.get_name());
        }
    }
}
