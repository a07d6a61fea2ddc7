//! The `headwater` binary: parses the command line, runs one command, turns its outcome into an exit status.

mod cli;
mod clock;
mod config;
mod context;
mod failure;
mod output;
mod telemetry;
mod wiring;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
