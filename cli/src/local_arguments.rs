//! The arguments of `svc local`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use svc_local_cloud::Fault;

/// The arguments of `svc local`.
#[derive(Args)]
#[command(about = "Serves the local cloud until it is stopped.", args_conflicts_with_subcommands = true)]
pub(super) struct LocalArguments {
    #[command(flatten)]
    pub(super) serve: ServeArguments,
    #[command(subcommand)]
    pub(super) instead: Option<Instead>,
}

/// The options for serving the local cloud.
#[derive(Args)]
pub(super) struct ServeArguments {
    /// The address to listen on; loopback only.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090", verbatim_doc_comment)]
    pub(super) listen: SocketAddr,
    /// The file that keeps the resources. Default: they are lost when the local cloud stops.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub(super) state: Option<PathBuf>,
    /// Appends every request to this file, one JSON object per line. Secrets are replaced by ***.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub(super) request_log: Option<PathBuf>,
    /// Writes secrets to the request log as they are.
    #[arg(long, requires = "request_log", verbatim_doc_comment)]
    pub(super) request_log_secrets: bool,
    /// Another host name to answer to, such as that of a proxy; can be used several times.
    #[arg(long = "host-name", value_name = "NAME", verbatim_doc_comment)]
    pub(super) host_names: Vec<String>,
    /// The delay of every request, in milliseconds.
    #[arg(long, value_name = "N", default_value = "0", verbatim_doc_comment)]
    pub(super) latency_ms: u64,
    /// The time that slow operations take, as a fraction of their time in Azure; 1 is as slow as Azure.
    #[arg(long, value_name = "FACTOR", value_parser = factor, verbatim_doc_comment)]
    pub(super) operation_time: Option<f64>,
    /// Limits requests as Azure does.
    #[arg(long, verbatim_doc_comment)]
    pub(super) throttling: bool,
    /// A fault to inject, as described in docs/local-cloud.md; can be used several times.
    #[arg(long = "fault", value_name = "FAULT", verbatim_doc_comment)]
    pub(super) faults: Vec<Fault>,
}

/// The things that are done instead of serving.
#[derive(Subcommand)]
pub(super) enum Instead {
    #[command(
        about = "Imports existing resources, or what happened to them, into a state file.",
        after_help = "Examples:\n  az rest --url '<id of a resource>?api-version=<version>' > account.json\n  svc local import account.json --state landing-zone-state.json"
    )]
    Import(ImportArguments),
}

/// The files that are imported.
#[derive(Args)]
pub(super) struct ImportArguments {
    /// ARM resources with their ids, as a GET or a listing answers, JSON or YAML: an array, an object with the array in 'value', or one resource. Or the past: metrics, activityLog and tables, as docs/rehearsal.md has them.
    #[arg(value_name = "FILE", verbatim_doc_comment)]
    pub(super) file: PathBuf,
    /// The file that gets the resources; required. It is created if it does not exist.
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub(super) state: PathBuf,
}

/// A number of times that operations may take as long as in Azure.
fn factor(text: &str) -> Result<f64, String> {
    const LARGEST: f64 = 1000.0;
    let factor = text.parse::<f64>().ok().filter(|factor| (0.0..=LARGEST).contains(factor));
    factor.ok_or_else(|| format!("expected a number from 0 to {LARGEST}"))
}
