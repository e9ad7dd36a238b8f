//! Rehearsals of alert rules: how often they would have fired, through the whole way, over rows that the local cloud has of the past.

mod brute_force;
mod definitions;
mod definitions_by_hand;
mod generated;
mod manners;
mod week_of_the_shop;

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use svc_engine::protocol::Rehearsal;
use svc_local_cloud::LocalCloud;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::estate::Deployment;
use crate::support::*;

/// The present, in minutes since 1970.
fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 60).unwrap()
}

/// A moment as Azure writes it.
fn text_of(minute: f64) -> String {
    let nanoseconds = (minute * 60.0).round() as i64;
    OffsetDateTime::from_unix_timestamp(nanoseconds).unwrap().format(&Rfc3339).unwrap()
}

/// The plan of a document with a rehearsal.
fn rehearse(deployment: &Deployment, cloud: &LocalCloud, members: Value) -> Outcome {
    // What a slow machine has not counted in a minute is no failure here.
    let mut context = json!({"rehearse": "1h", "rehearseFor": "10m"});
    context.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap());
    deployment.deploy_with(cloud, json!({"whatIf": true, "context": context}))
}

/// The rehearsals of a plan, in the order of the rules.
fn rehearsals(outcome: &Outcome) -> Vec<&Rehearsal> {
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    outcome.plan().iter().filter_map(|action| action.rehearsal.as_deref()).collect()
}
