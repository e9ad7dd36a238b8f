//! `svc local`: serves the local cloud, and puts resources into its state.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use clap::ArgMatches;
use svc_engine::protocol::ExitStatus;
use svc_local_cloud::{
    Fault, Imported, LocalCloud, LocalCloudError, LocalCloudOptions, OperationTime, Throttling, import_file,
};

use super::output::{self, complain, say};
use super::signals;

pub(super) fn run(matches: &ArgMatches) -> ExitStatus {
    let path = |matches: &ArgMatches, name: &str| matches.get_one::<String>(name).map(PathBuf::from);
    if let Some(("import", matches)) = matches.subcommand() {
        let (Some(file), Some(state)) = (path(matches, "file"), path(matches, "state")) else {
            return ExitStatus::Usage;
        };
        return import(&file, &state);
    }
    let faults: Result<Vec<Fault>, _> =
        matches.get_many::<String>("fault").into_iter().flatten().map(|text| text.parse::<Fault>()).collect();
    let faults = match faults {
        Ok(faults) => faults,
        Err(error) => {
            complain(error.to_string());
            return ExitStatus::Usage;
        }
    };
    let mut options = LocalCloudOptions {
        state_file: path(matches, "state"),
        request_log: path(matches, "request-log"),
        request_log_secrets: matches.get_flag("request-log-secrets"),
        host_names: matches.get_many::<String>("host-name").into_iter().flatten().cloned().collect(),
        latency: Duration::from_millis(matches.get_one::<u64>("latency-ms").copied().unwrap_or_default()),
        throttling: matches.get_flag("throttling").then(Throttling::azure),
        faults,
        ..LocalCloudOptions::default()
    };
    if let Some(listen) = matches.get_one("listen") {
        options.listen = *listen;
    }
    if let Some(factor) = matches.get_one::<f64>("operation-time") {
        options.operation_time = OperationTime::Factor(*factor);
    }
    serve(options)
}

fn serve(options: LocalCloudOptions) -> ExitStatus {
    let (stop, stopped) = mpsc::channel();
    if let Err(error) = signals::listen(move |_| {
        let _ = stop.send(());
    }) {
        complain(format!("Cannot listen for signals: {error}."));
        return ExitStatus::Failed;
    }
    match LocalCloud::start(options) {
        Ok(cloud) => {
            say(format!("The local cloud is listening on {}. Stop it with Ctrl+C.", cloud.endpoint()));
            // An error would mean that the handler is gone, which ends the waiting as well.
            let _ = stopped.recv();
            ExitStatus::Done
        }
        Err(error) => failed(&error),
    }
}

fn import(file: &Path, state: &Path) -> ExitStatus {
    match import_file(file, state) {
        Ok(imported) => {
            let (count, what) = match imported {
                Imported::Resources(count) => (count, "resource"),
                Imported::Past(count) => (count, "record"),
            };
            let were = if count == 1 { " was" } else { "s were" };
            say(format!("{count} {what}{were} imported into '{}'.", state.display()));
            output::end(ExitStatus::Done, count > 0)
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &LocalCloudError) -> ExitStatus {
    complain(error.with_causes());
    ExitStatus::Failed
}
