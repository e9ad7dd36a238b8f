//! The tests for incidents: what a run is not to do, what has left the documents, and who has changed what.

mod drift;
mod limits;
mod orphans;
mod selection;
mod way_back;

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::environment::run_deployment;
use crate::support::*;

/// The request for the environment of the examples, with members of the context.
fn of_the_shop(cloud: &LocalCloud, members: Value) -> Value {
    let mut context = json!({ "cloud": cloud.endpoint() });
    context.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap());
    json!({"settingsFiles": [repository("examples/environment")], "context": context, "environment": {}})
}

/// Deploys a part of the environment of the examples, or all of it.
fn deploy_shop(cloud: &LocalCloud, members: Value) -> Outcome {
    run_deployment(&of_the_shop(cloud, members))
}
