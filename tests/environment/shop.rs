//! The environment of the examples, over the landing zone alone.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;
use svc_engine::protocol::Message;
use svc_engine::run::{self, Job, Start, Work};
use svc_local_cloud::LocalCloud;

use crate::support::estate::landing_zone;
use crate::support::*;

/// The documents, each with those that publish what it depends on: an order in which each finds what it needs.
pub(crate) const DOCUMENTS: &[(&str, &[&str])] = &[
    ("core-monitor", &[]),
    ("storage", &[]),
    ("web", &["core-monitor", "storage"]),
    ("private-endpoints", &["storage"]),
    ("bastion-hosts", &["core-monitor"]),
    ("log-alerts", &["core-monitor"]),
    ("metric-alerts", &["core-monitor", "storage", "web"]),
    ("resource-health-alerts", &["core-monitor", "storage", "web"]),
];

/// The number of other orders that are tried.
pub(crate) const SHUFFLES: usize = 3;

/// The folder of the documents.
pub(crate) fn folder() -> PathBuf {
    repository("examples/environment")
}

/// Runs one document of the environment, with the names and tags beside it, and approves everything.
fn deploy(document: &str, cloud: &LocalCloud) -> Outcome {
    let request = json!({
        "settingsFile": folder().join(document).with_extension("yml"),
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    });
    let operation = crate::start_at(Work::Deploy(Job::Component), request.to_string().as_bytes(), UNHURRIED);
    follow(&operation, |actions| actions.iter().map(|action| action.index).collect())
}

/// Deploys all documents, one after another. What they say is told in that order.
pub(crate) fn deploy_in_turn(cloud: &LocalCloud) -> Vec<Outcome> {
    DOCUMENTS.iter().map(|(document, _)| deploy(document, cloud)).collect()
}

/// The names of what exists. The name of the network interface of an endpoint ends in a new GUID.
pub(crate) fn names(cloud: &LocalCloud) -> BTreeSet<String> {
    let settled = |id: String| id.rsplit_once(".nic.").map_or(id.clone(), |(endpoint, _)| endpoint.to_owned());
    cloud.ids().into_iter().map(settled).collect()
}

#[test]
fn each_document_is_listed_and_valid() {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name.ends_with(".yml")).collect();
    let listed: BTreeSet<String> = DOCUMENTS.iter().map(|(document, _)| format!("{document}.yml")).collect();
    assert_eq!(files, listed);
    for document in listed {
        let request = json!({ "settingsFile": folder().join(&document), "environment": {} }).to_string();
        let operation = run::start(Start::new(Work::Validate(Job::Component), request.as_bytes()));
        while let Some(message) = next(&operation) {
            assert!(!matches!(message, Message::Error(_)), "{document}: {message:?}");
        }
    }
}

#[test]
fn in_turn_it_deploys_from_the_landing_zone_alone_and_again_nothing() {
    let cloud = landing_zone();
    for (outcome, (document, _)) in deploy_in_turn(&cloud).iter().zip(DOCUMENTS) {
        let counts = outcome.counts();
        assert!(counts.created >= 3 && counts.failed + counts.skipped == 0, "{document}: {counts:?}");
    }
    let before = cloud.requests().len();
    for (outcome, (document, _)) in deploy_in_turn(&cloud).iter().zip(DOCUMENTS) {
        assert!(outcome.summary().starts_with("unchanged "), "{document}: {}", outcome.summary());
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    // The names and tags of the folders beside the documents.
    let account = cloud.ids().into_iter().find(|id| id.contains("/storageAccounts/stcontosoorders")).unwrap();
    let tags = &cloud.resource(&account).unwrap()["tags"];
    assert_eq!((&tags["application"], &tags["cost-centre"]), (&json!("shop"), &json!("4711")), "{tags}");
}

#[test]
fn in_any_order_that_its_dependencies_allow_the_same_comes_of_it() {
    let cloud = landing_zone();
    deploy_in_turn(&cloud);
    let expected = names(&cloud);
    let seed = fastrand::u64(..);
    // Past the test harness, which hides what a passing test prints.
    let _ = writeln!(std::io::stderr(), "environment: orders of seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..SHUFFLES {
        let cloud = landing_zone();
        let mut done: Vec<&str> = Vec::new();
        while done.len() < DOCUMENTS.len() {
            let can_be_next = |(document, needs): &&(&'static str, &[&str])| {
                !done.contains(document) && needs.iter().all(|needed| done.contains(needed))
            };
            let possible: Vec<&str> = DOCUMENTS.iter().filter(can_be_next).map(|(document, _)| *document).collect();
            let document = *random.choice(&possible).unwrap();
            let counts = deploy(document, &cloud).counts();
            assert_eq!(counts.failed + counts.skipped, 0, "seed {seed}, {document} after {done:?}: {counts:?}");
            done.push(document);
        }
        assert_eq!(names(&cloud), expected, "seed {seed}, {done:?}");
        for document in done {
            let again = deploy(document, &cloud).summary();
            assert!(again.starts_with("unchanged "), "seed {seed}, {document}: {again}");
        }
    }
}

#[test]
fn a_document_before_those_that_it_needs_changes_nothing() {
    for (document, _) in DOCUMENTS.iter().filter(|(_, needs)| !needs.is_empty()) {
        let cloud = landing_zone();
        let outcome = deploy(document, &cloud);
        assert_eq!(outcome.failed_with().0, "ServiceNotFound", "{document}");
        assert!(writes(&cloud.requests()).is_empty(), "{document}");
    }
}
