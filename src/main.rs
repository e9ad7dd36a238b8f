//! `svc`: the commands for machines without PowerShell.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os().skip(1).collect())
}
