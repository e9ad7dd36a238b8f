//! A local cloud that serves the runs of a session, until its operation is cancelled.

use std::path::PathBuf;

use serde::Deserialize;
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use super::connect::start_local;
use super::context::check_absolute;
use super::failure::Failure;
use super::stages::runtime;
use crate::azure::cloud;
use crate::protocol::{Host, Message, Target};

/// The members of a request that only a local cloud has.
pub(super) const OWN: &[&str] = &["stateFile"];

/// A local cloud that is wanted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WantedCloud {
    /// Absolute path of the file that keeps its resources; without one they are gone with it.
    state_file: Option<PathBuf>,
}

/// Starts it, says where it is, and serves until the host cancels, which is how it ends and nothing to warn of.
pub(super) fn serve(wanted: WantedCloud, host: &Host) -> Result<(), Failure> {
    if let Some(file) = &wanted.state_file {
        check_absolute(file, "stateFile")?;
    }
    let Some(runtime) = runtime(host) else { return Ok(()) };
    runtime.block_on(async {
        let local = tokio::select! {
            biased;
            () = host.cancellation().cancelled() => return Ok(()),
            started = start_local(wanted.state_file, host) => started?,
        };
        host.send(Message::Target(Target {
            cloud: cloud::LOCAL_NAME.to_owned(),
            endpoint: local.endpoint().trim_end_matches('/').to_owned(),
            subscription_id: LOCAL_SUBSCRIPTION_ID.to_owned(),
            ..Target::default()
        }));
        host.cancellation().cancelled().await;
        Ok(())
    })
}
