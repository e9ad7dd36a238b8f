//! The arguments of `svc local`.

use std::net::SocketAddr;

use clap::{Arg, ArgAction, Command, value_parser};

/// `svc local`, with `svc local import`.
pub(super) fn local() -> Command {
    Command::new("local")
        .about("Serves the local cloud until it is stopped.")
        .args_conflicts_with_subcommands(true)
        .arg(
            option("listen", "ADDRESS", "The address to listen on; loopback only.")
                .value_parser(value_parser!(SocketAddr))
                .default_value("127.0.0.1:8090"),
        )
        .arg(state())
        .args(request_log())
        .arg(
            option(
                "host-name",
                "NAME",
                "Another host name to answer to, such as that of a proxy; can be used several times.",
            )
            .action(ArgAction::Append),
        )
        .args(behaviour())
        .subcommand(import())
}

fn state() -> Arg {
    option("state", "FILE", "The file that keeps the resources. Default: they are lost when the local cloud stops.")
}

fn request_log() -> [Arg; 2] {
    [
        option(
            "request-log",
            "FILE",
            "Appends every request to this file, one JSON object per line. Secrets are replaced by ***.",
        ),
        Arg::new("request-log-secrets")
            .long("request-log-secrets")
            .requires("request-log")
            .action(ArgAction::SetTrue)
            .help("Writes secrets to the request log as they are."),
    ]
}

/// How the local cloud behaves: its times, its limits, its faults.
fn behaviour() -> [Arg; 4] {
    [
        option("latency-ms", "N", "The delay of every request, in milliseconds.")
            .value_parser(value_parser!(u64))
            .default_value("0"),
        option(
            "operation-time",
            "FACTOR",
            "How long slow operations take, as a fraction of their time in Azure; 1 is as slow as Azure.",
        )
        .value_parser(factor),
        Arg::new("throttling").long("throttling").action(ArgAction::SetTrue).help("Limits requests as Azure does."),
        option("fault", "FAULT", "A fault to inject, as described in docs/local-cloud.md; can be used several times.")
            .action(ArgAction::Append),
    ]
}

/// A part of the time that something takes in Azure.
fn factor(text: &str) -> Result<f64, String> {
    /// Hours become months.
    const LARGEST: f64 = 1000.0;
    let factor = text.parse::<f64>().ok().filter(|factor| (0.0..=LARGEST).contains(factor));
    factor.ok_or_else(|| format!("expected a number from 0 to {LARGEST}"))
}

fn import() -> Command {
    Command::new("import")
        .about("Imports existing resources, or what happened to them, into a state file.")
        .after_help(
            "Examples:\n  az rest --url '<id of a resource>?api-version=<version>' > account.json\n  svc local import account.json --state landing-zone-state.json",
        )
        .arg(Arg::new("file").value_name("FILE").required(true).help(
            "ARM resources with their ids, as a GET or a listing answers, JSON or YAML: an array, an object with the array in 'value', or one resource. Or the past: metrics, activityLog and tables, as docs/rehearsal.md has them.",
        ))
        .arg(option("state", "FILE", "The file that gets the resources; required. It is created if it does not exist.").required(true))
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}
