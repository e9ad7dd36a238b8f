//! At every request of the example environment, one failure: the next run with the same approved plan finishes what is missing, and needs no
//! other approval.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use super::every_request::{Position, positions, seed, tell};
use crate::environment::run_deployment;
use crate::support::estate::landing_zone;
use crate::support::*;

/// How many cases a sample has.
const SAMPLED: usize = 12;
/// How many cases are under way at once.
const AT_ONCE: usize = 4;
/// A request that is refused, and an operation that fails.
const FAULTS: [&str; 2] = ["status=403", "fails=QuotaExceeded"];

fn request(cloud: &LocalCloud, more: Value) -> Value {
    let settings = json!({"settingsFiles": [repository("examples/environment")], "environment": {}, "context": {"cloud": cloud.endpoint()}});
    with(settings, more)
}

/// Reviews the environment, carries it out with a fault at a request, and then again without.
fn interrupted(fault_of_case: &str, position: &Position) -> Result<(), String> {
    let (cloud, folder) = (landing_zone(), tempfile::tempdir().unwrap());
    let file = folder.path().join("plan.json");
    run_deployment(&request(&cloud, json!({"whatIf": true, "context": {"planReport": file}})));
    let before = cloud.requests().len();
    let Position { method, url, earlier } = position;
    // The review has read the same.
    let read = cloud.requests()[..before].iter().filter(|seen| seen.method == *method && seen.url == *url).count();
    let skip = earlier.saturating_sub(read);
    cloud.misbehave(fault(&format!("{fault_of_case},method={method},path={url},skip={skip}")));
    let approved = request(&cloud, json!({"context": {"approvedPlan": file}}));
    let first = run_deployment(&approved);
    if first.errors().iter().any(|error| error.code.as_str() == "PlanChanged") {
        return Err(format!("the first run: {:#?}", first.errors()));
    }
    cloud.end_operations();
    let second = run_deployment(&approved);
    if !second.errors().is_empty() {
        return Err(format!("the second run: {:#?}", second.errors()));
    }
    let third = run_deployment(&approved);
    if third.errors().is_empty() && third.plan().is_empty() {
        Ok(())
    } else {
        Err(format!("the third run: {third:#?}"))
    }
}

#[test]
fn an_environment_that_failed_anywhere_goes_on_with_the_same_approved_plan() {
    let cloud = landing_zone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    run_deployment(&request(&cloud, json!({"whatIf": true, "context": {"planReport": file}})));
    run_deployment(&request(&cloud, json!({"context": {"approvedPlan": file}})));
    let positions = positions(&cloud.requests());
    let written = positions.iter().filter(|position| position.method != "GET");
    let mut cases: Vec<(&str, &Position)> = positions.iter().map(|position| (FAULTS[0], position)).collect();
    cases.extend(written.map(|position| (FAULTS[1], position)));
    let count = cases.len();
    if let Some(seed) = seed() {
        // Most requests only read, and what they read is all that is approved or not.
        cases.retain(|(_, position)| position.method != "GET");
        cases = fastrand::Rng::with_seed(seed).choose_multiple(cases, SAMPLED);
        tell(&format!("{} of {count} cases of the approved environment, chosen by seed {seed}", cases.len()));
    }
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((fault, position)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(what) = interrupted(fault, position) {
                        let case = format!("{fault} at {} {} ({})", position.method, position.url, position.earlier);
                        failures.lock().unwrap().push(format!("{case}: {what}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
