//! At every request of the example environment, one failure: the next run with the same approved plan finishes what is missing, and needs no
//! other approval.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use svc_engine::protocol::ErrorReport;
use svc_local_cloud::LocalCloud;

use super::every_request::{Position, TRIED_ONCE, positions, seed, tell};
use crate::environment::run_deployment;
use crate::support::estate::{Deployment, METRIC_ALERTS, delete_by_id, landing_zone};
use crate::support::*;

/// The number of cases in a sample.
const SAMPLED: usize = 4;
/// The number of cases that are under way at once.
const AT_ONCE: usize = 4;
/// A request that is refused, and an operation that fails.
const FAULTS: [&str; 2] = ["status=403", "fails=QuotaExceeded"];

/// The api-version with which a metric alert is deleted.
const METRIC_ALERTS_VERSION: &str = "2018-03-01";

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
    if first.errors().iter().any(|error| error.failure.code.as_str() == "PlanChanged") {
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

/// Every request of a review of the environment and of the run after it.
fn positions_of_the_environment() -> Vec<Position> {
    let cloud = landing_zone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    run_deployment(&request(&cloud, json!({"whatIf": true, "context": {"planReport": file}})));
    run_deployment(&request(&cloud, json!({"context": {"approvedPlan": file}})));
    positions(&cloud.requests())
}

#[test]
fn an_environment_that_failed_anywhere_goes_on_with_the_same_approved_plan() {
    let positions = positions_of_the_environment();
    let written = positions.iter().filter(|position| position.method != "GET");
    let mut cases: Vec<(&str, &Position)> = positions.iter().map(|position| (FAULTS[0], position)).collect();
    cases.extend(written.map(|position| (FAULTS[1], position)));
    let count = cases.len();
    if let Some(seed) = seed() {
        // Most requests only read, and what they read is all that is approved or not.
        cases.retain(|(_, position)| position.method != "GET");
        // The one that is not tried again, and is in the approved plan all the same.
        let once = cases.iter().find(|(_, position)| position.url.contains(TRIED_ONCE)).copied();
        cases = fastrand::Rng::with_seed(seed).choose_multiple(cases, SAMPLED);
        cases.extend(once);
        tell(&format!("{} of {count} cases of the approved environment, chosen by seed {seed}", cases.len()));
    }
    all_converge(&cases, interrupted);
}

/// Fails with every case that does not end as it should.
fn all_converge(cases: &[(&str, &Position)], case: impl Fn(&str, &Position) -> Result<(), String> + Sync) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((fault, position)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(what) = case(fault, position) {
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

/// Rules in a landing zone of which one is to be changed, one to be created and one to be deleted, with the approved plan of that.
struct Reviewed {
    deployment: Deployment,
    cloud: LocalCloud,
    file: PathBuf,
}

impl Reviewed {
    fn new() -> Reviewed {
        let (cloud, text) =
            (landing_zone(), std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap());
        let deployment = Deployment::new(METRIC_ALERTS, &text);
        let made = deployment.deploy(&cloud);
        let rule = made.plan().last().unwrap().resource.resource_id.clone();
        let mut surplus = cloud.resource(&rule).unwrap();
        surplus["id"] = json!(format!("{rule}-surplus"));
        surplus["name"] = json!("surplus");
        cloud.import(&[surplus]).unwrap();
        delete_by_id(&cloud, &rule, METRIC_ALERTS_VERSION);
        deployment.rewrite(&text.replace("severity: Warning", "severity: Critical"));
        let file = deployment.project.path("plan.json");
        let plan = deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"planReport": file}}));
        let kinds: BTreeSet<String> = plan.plan().iter().map(|action| format!("{:?}", action.action)).collect();
        assert_eq!(kinds.len(), 3, "{kinds:?}");
        Reviewed { deployment, cloud, file }
    }

    fn apply(&self) -> Outcome {
        self.deployment.deploy_with(&self.cloud, json!({"context": {"approvedPlan": self.file}}))
    }
}

#[test]
fn a_change_with_a_deletion_that_failed_anywhere_goes_on_with_the_same_approved_plan() {
    let whole = Reviewed::new();
    let before = whole.cloud.requests().len();
    assert!(whole.apply().errors().is_empty());
    let positions = positions(&whole.cloud.requests()[before..]);
    let cases: Vec<(&str, &Position)> = positions.iter().map(|position| (FAULTS[0], position)).collect();
    all_converge(&cases, |fault_of_case, Position { method, url, earlier }| {
        let reviewed = Reviewed::new();
        reviewed.cloud.misbehave(fault(&format!("{fault_of_case},method={method},path={url},skip={earlier}")));
        let outcomes = [reviewed.apply(), reviewed.apply(), reviewed.apply()];
        let changed = |error: &&ErrorReport| error.failure.code.as_str() == "PlanChanged";
        if outcomes[0].errors().iter().any(changed) || !outcomes[1].errors().is_empty() {
            return Err(format!("{outcomes:#?}"));
        }
        if outcomes[2].errors().is_empty() && outcomes[2].plan().is_empty() {
            Ok(())
        } else {
            Err(format!("{outcomes:#?}"))
        }
    });
}
