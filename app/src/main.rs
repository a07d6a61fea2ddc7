//! The `headwater` binary: parses the command line, runs one command, turns its outcome into an exit status.

mod cli;
mod clock;
mod config;
mod context;
mod deliver;
mod demo;
mod digest;
mod failure;
mod input;
mod out_file;
mod output;
mod progress;
mod prune;
mod schedule;
mod secrets;
mod sources;
mod sync;
mod synthesis;
mod telemetry;
mod timer;
mod watch;
mod wiring;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
