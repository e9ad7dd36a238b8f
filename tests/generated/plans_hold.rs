//! The plans hold: what `-WhatIf` shows without an error, and without a dependency that is missing, a run carries out without an error; and a
//! second run finds everything as it should be. An export of everything that is there then has an empty plan, or tells of it.
//!
//! `cargo test` runs a sample and prints its seed. The variable [`CHOICE`] is `all` for many (`.ci/extended`), or the seed of a
//! sample to repeat.

use std::cell::RefCell;
use std::io::Write as _;

use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use svc_engine::protocol::{Code, ErrorReport};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use super::documents::{Changes, Draw, Source, changes, draws, sources};
use crate::export::folder_of_documents::check_all;
use crate::support::Outcome;
use crate::support::estate::{Deployment, fields_zone_with};

/// The cases that are run: `all`, or the seed of a sample.
const CHOICE: &str = "SVC_TEST_PLANS";
/// The number of cases of each command in a sample.
const SAMPLED: u32 = 2;
/// The number of cases of each command in all.
const ALL: u32 = 63;
/// The most cases of a command that are tried until a document is deployed. A case in ten that is makes it one run in a thousand
/// million in which none is.
const TRIED: u32 = 200;
/// The most simpler cases that are tried of one that fails.
const SIMPLER: u32 = 50;

/// A document, and the one that follows it in the same cloud.
type Case = (Draw, Option<Next>);

/// The document that follows another.
#[derive(Debug, Clone)]
enum Next {
    /// The first one, as it is some time later.
    Changed(Changes),
    /// Another one.
    Other(Draw),
}

fn cases() -> impl Strategy<Value = Case> {
    (draws(), option::of(prop_oneof![changes().prop_map(Next::Changed), draws().prop_map(Next::Other)]))
}

/// The ends of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The document was refused before anything was changed.
    Refused,
    /// Something that the document needs does not exist.
    Missing,
    /// It was deployed, and a second run did nothing.
    Deployed,
}

/// Whether an outcome is an error that is a defect of the engine, whatever the document is like.
fn defect(outcome: &Outcome) -> Option<String> {
    outcome
        .errors()
        .into_iter()
        .find(|error| error.failure.code == Code::InternalError)
        .map(|error| format!("a defect: {}", error.failure.message))
}

/// Whether Azure refused a custom domain or an endpoint for its name, which another front door has. It answers whether a host name is free
/// only to those who may read the other front door, which may be anybody's; about the names of endpoints nobody is asked.
fn is_taken_name(error: &ErrorReport) -> bool {
    let is = |kind: &str, message: &str| {
        error.failure.resource_id.as_deref().is_some_and(|id| id.contains(kind))
            && error.failure.message.contains(message)
    };
    is("/customDomains/", " is already in use by an Azure Front Door profile")
        || is("/afdEndpoints/", " That resource name isn't available.")
}

fn messages(errors: &[&ErrorReport]) -> String {
    errors
        .iter()
        .map(|error| format!("{}: {}", error.failure.code.as_str(), error.failure.message))
        .collect::<Vec<_>>()
        .join("; ")
}

/// Rehearses a document and then deploys it.
fn deploy(deployment: &Deployment, cloud: &LocalCloud) -> Result<End, String> {
    let rehearsal = deployment.rehearse(cloud);
    if let Some(defect) = defect(&rehearsal) {
        return Err(defect);
    }
    if !rehearsal.errors().is_empty() {
        return Ok(End::Refused);
    }
    let before = cloud.ids();
    let outcome = deployment.deploy(cloud);
    let errors = outcome.errors();
    if errors.iter().any(|error| error.failure.code == Code::ServiceNotFound) {
        let told = |error: &&ErrorReport| {
            let warns_of = |message: &str| rehearsal.warnings().iter().any(|warning| warning.contains(message));
            !error.findings.is_empty() && error.findings.iter().all(|finding| warns_of(&finding.message))
        };
        return if !errors.iter().all(|error| error.failure.code == Code::ServiceNotFound && told(error)) {
            Err(format!("what-if did not warn of what is missing: {}", messages(&errors)))
        } else if cloud.ids() != before {
            Err("something was changed although a dependency is missing".to_owned())
        } else {
            Ok(End::Missing)
        };
    }
    // The table of group ids may be older than Azure, so another one is no error, but a warning.
    let has_doubts = rehearsal.warnings().iter().any(|warning| warning.contains(" is not a known sub-resource of "));
    let is_told = |error: &ErrorReport| has_doubts && error.failure.message.contains("Invalid groupId ");
    if !errors.is_empty() && errors.iter().all(|error| is_taken_name(error) || is_told(error)) {
        return Ok(End::Refused);
    }
    if !errors.is_empty() {
        return Err(format!("what-if showed a plan that cannot be carried out: {}", messages(&errors)));
    }
    let again = deployment.deploy(cloud);
    if !again.errors().is_empty() {
        return Err(format!("the second run fails: {}", messages(&again.errors())));
    }
    if !again.plan().is_empty() {
        let changes: Vec<String> =
            again.plan().iter().map(|action| format!("{}: {:?}", action.description, action.changes)).collect();
        return Err(format!("the second run is not empty: {}", changes.join("; ")));
    }
    check_all(cloud, || fields_zone_with(LocalCloudOptions::default()))?;
    Ok(End::Deployed)
}

/// Deploys the documents of a case after each other.
fn run(source: &Source, (first, next): &Case) -> Result<End, String> {
    let cloud = fields_zone_with(LocalCloudOptions::default());
    let first = source.document(first);
    let second = next.as_ref().map(|next| match next {
        Next::Changed(changes) => source.changed(first.clone(), changes),
        Next::Other(draw) => source.document(draw),
    });
    let mut end = End::Refused;
    for document in [Some(&first), second.as_ref()].into_iter().flatten() {
        let explain = |what: String| format!("{what}\n    first: {first}\n    second: {second:?}");
        end = deploy(&Deployment::new(source.command, &document.to_string()), &cloud).map_err(explain)?;
    }
    Ok(end)
}

/// The seed of the cases, and their number for each command.
fn choice() -> (u64, u32) {
    match std::env::var(CHOICE) {
        Ok(choice) if choice == "all" => (0, ALL),
        Ok(seed) => (seed.parse().unwrap_or_else(|_| panic!("{CHOICE} is '{seed}'; use 'all' or a seed")), SAMPLED),
        Err(_) => (fastrand::u64(..), SAMPLED),
    }
}

/// Runs the cases of a command, and further ones until a document is deployed: documents that are all refused would say little.
fn run_all(source: &Source, seed: u64, count: u32) -> Result<Vec<End>, String> {
    let mut runner = TestRunner::new(Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: SIMPLER,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    });
    let ends = RefCell::new(Vec::new());
    let tried = runner.run(&cases(), |case| {
        ends.borrow_mut().push(run(source, &case).map_err(TestCaseError::fail)?);
        Ok(())
    });
    tried.map_err(|failure| failure.to_string())?;
    let mut ends = ends.into_inner();
    for _ in count..TRIED {
        if ends.contains(&End::Deployed) {
            break;
        }
        ends.push(run(source, &cases().new_tree(&mut runner).unwrap().current())?);
    }
    if ends.contains(&End::Deployed) { Ok(ends) } else { Err(format!("none of {TRIED} documents was deployed")) }
}

#[test]
fn a_plan_that_is_shown_can_be_carried_out() {
    let (seed, count) = choice();
    // Past the test harness, which hides what a passing test prints.
    let _ = writeln!(
        std::io::stderr(),
        "plans_hold: {count} documents a command, from seed {seed}; {CHOICE}={seed} repeats them, {CHOICE}=all runs {ALL} of each"
    );
    let sources = sources();
    let ends: Vec<(&str, Result<Vec<End>, String>)> = std::thread::scope(|scope| {
        let running = sources.iter().map(|source| (source.command, scope.spawn(|| run_all(source, seed, count))));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|(command, ends)| (command, ends.join().unwrap())).collect()
    });
    let failures: Vec<String> =
        ends.iter().filter_map(|(command, ends)| Some(format!("{command}: {}", ends.as_ref().err()?))).collect();
    assert!(failures.is_empty(), "with the seed {seed}:\n{}", failures.join("\n"));
    let ends: Vec<End> = ends.into_iter().flat_map(|(_, ends)| ends.unwrap_or_default()).collect();
    // These are the same documents every time.
    let deployed = ends.iter().filter(|end| **end == End::Deployed).count();
    assert!(
        count < ALL || deployed * 5 >= ends.len(),
        "only {deployed} of {} documents were deployed; the test says little",
        ends.len()
    );
}
