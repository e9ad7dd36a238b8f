//! `svc local`: serves the local cloud, and puts resources into its state.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use svc_engine::protocol::ExitStatus;
use svc_local_cloud::{
    Imported, LocalCloud, LocalCloudError, LocalCloudOptions, OperationTime, Throttling, import_file,
};

use super::local_arguments::{ImportArguments, Instead, LocalArguments};
use super::output::{self, complain, say};
use super::signals;

/// Serves the local cloud until a signal comes, or imports into its state.
pub(super) fn run(arguments: LocalArguments) -> ExitStatus {
    if let Some(Instead::Import(ImportArguments { file, state })) = arguments.instead {
        return import(&file, &state);
    }
    let asked = arguments.serve;
    let mut options = LocalCloudOptions {
        listen: asked.listen,
        state_file: asked.state,
        request_log: asked.request_log,
        request_log_secrets: asked.request_log_secrets,
        host_names: asked.host_names,
        latency: Duration::from_millis(asked.latency_ms),
        throttling: asked.throttling.then(Throttling::azure),
        faults: asked.faults,
        ..LocalCloudOptions::default()
    };
    if let Some(factor) = asked.operation_time {
        options.operation_time = OperationTime::Factor(factor);
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
