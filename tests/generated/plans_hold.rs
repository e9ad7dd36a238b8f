//! The plans hold: what `-WhatIf` shows without an error, and without a dependency that is missing, a run carries out without an error; and a
//! second run finds everything as it should be. An export of everything that is there then has an empty plan, or tells of it.
//!
//! `cargo test` runs a sample and prints its seed. The variable [`CHOICE`] is `all` for many (`.ci/extended`), or the seed of a
//! sample to repeat.

use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use serde_json::Value;
use svc_engine::protocol::{Code, ErrorReport};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use super::documents::{Source, sources};
use crate::export::folder_of_documents::check_all;
use crate::support::Outcome;
use crate::support::estate::{Deployment, fields_zone_with};

/// The cases that are run: `all`, or the seed of a sample.
const CHOICE: &str = "SVC_TEST_PLANS";
/// The number of cases of each command in a sample.
const SAMPLED: usize = 2;
/// The number of cases of each command in all.
const ALL: usize = 63;
/// The most cases of a command that are tried until a document is deployed. A case in ten that is makes it one run in a thousand
/// million in which none is.
const TRIED: u64 = 200;
/// The number of cases that are under way at once.
const AT_ONCE: usize = 8;

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

/// Whether Azure refused a custom domain that another front door has. It answers whether a host name is free only to those who may read
/// the other front door, which may be anybody's.
fn is_taken_domain(error: &ErrorReport) -> bool {
    let of_domain = error.failure.resource_id.as_deref().is_some_and(|id| id.contains("/customDomains/"));
    of_domain && error.failure.message.contains(" is already in use by an Azure Front Door profile")
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
    if !errors.is_empty() && errors.iter().all(|error| is_taken_domain(error) || is_told(error)) {
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

/// One document, or two after each other in one cloud, of which the second may be what has become of the first.
fn run(source: &Source, seed: u64) -> Result<End, String> {
    let mut random = Rng::with_seed(seed);
    let cloud = fields_zone_with(LocalCloudOptions::default());
    let mut end = End::Refused;
    let mut earlier = Value::Null;
    for round in 0..random.usize(1..=2) {
        let document = if earlier.is_null() || random.bool() {
            source.document(&mut random)
        } else {
            source.changed(earlier.clone(), &mut random)
        };
        let deployment = Deployment::new(source.command, &document.to_string());
        let explain = |what: String| format!("{what}\n    document {round}: {document}\n    the one before: {earlier}");
        end = deploy(&deployment, &cloud).map_err(explain)?;
        earlier = document;
    }
    Ok(end)
}

/// The seeds to run, for each command.
fn seeds() -> Vec<u64> {
    let sample = |first: u64, count: usize| (0..count as u64).map(|index| first.wrapping_add(index)).collect();
    match std::env::var(CHOICE) {
        Ok(choice) if choice == "all" => sample(0, ALL),
        Ok(seed) => {
            sample(seed.parse().unwrap_or_else(|_| panic!("{CHOICE} is '{seed}'; use 'all' or a seed")), SAMPLED)
        }
        Err(_) => sample(fastrand::u64(..), SAMPLED),
    }
}

#[test]
fn a_plan_that_is_shown_can_be_carried_out() {
    let (sources, seeds) = (sources(), seeds());
    // Past the test harness, which hides what a passing test prints.
    let _ = writeln!(
        std::io::stderr(),
        "plans_hold: {} documents a command, from seed {}; {CHOICE}={} repeats them, {CHOICE}=all runs {ALL} of each",
        seeds.len(),
        seeds[0],
        seeds[0]
    );
    let cases: Vec<(&Source, u64)> =
        sources.iter().flat_map(|source| seeds.iter().map(move |seed| (source, *seed))).collect();
    let next = AtomicUsize::new(0);
    let (failures, ends) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((source, seed)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match run(source, *seed) {
                        Ok(end) => ends.lock().unwrap().push((source.command, end)),
                        Err(what) => failures.lock().unwrap().push(format!("{} (seed {seed}): {what}", source.command)),
                    }
                }
            });
        }
    });
    let (failures, ends) = (failures.into_inner().unwrap(), ends.into_inner().unwrap());
    assert!(failures.is_empty(), "{} of {} documents:\n{}", failures.len(), cases.len(), failures.join("\n"));
    // Documents that are all refused would say little: of each command one is deployed, however many it takes.
    for source in &sources {
        let further = (seeds.len() as u64..TRIED).map(|index| seeds[0].wrapping_add(index));
        let is_deployed = ends.contains(&(source.command, End::Deployed))
            || further.into_iter().any(|seed| {
                let end = run(source, seed).unwrap_or_else(|what| panic!("{} (seed {seed}): {what}", source.command));
                end == End::Deployed
            });
        assert!(is_deployed, "none of {TRIED} documents of {} was deployed", source.command);
    }
    // These are the same documents every time.
    let deployed = ends.iter().filter(|(_, end)| *end == End::Deployed).count();
    assert!(
        seeds.len() < ALL || deployed * 5 >= ends.len(),
        "only {deployed} of {} documents were deployed; the test says little",
        ends.len()
    );
}
