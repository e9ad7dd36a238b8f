//! The reports of plans, whole, against files in `tests/golden/reports`. `.ci/update` writes them anew.

use serde_json::json;
use svc_engine::protocol::{Action, ActionKind, MadeWith, Target};
use svc_engine::report::{self, PlanCounts, PlanFile, PlanHead, REPORT_FORMAT, Report};
use svc_local_cloud::{LOCAL_SUBSCRIPTION_ID, LocalCloudOptions};

use crate::environment::run_deployment;
use crate::support::estate::*;
use crate::support::examples::{Example, examples};
use crate::support::repository;

/// The pages are long; these two have every part of one.
const PAGES: &[&str] = &["storage", "private-endpoints"];

/// Where everything is planned, whatever the port of the test.
fn target() -> Target {
    Target {
        cloud: "the local cloud".to_owned(),
        endpoint: "http://127.0.0.1:8090".to_owned(),
        subscription_id: LOCAL_SUBSCRIPTION_ID.to_owned(),
        subscription_name: Some("Local".to_owned()),
        tenant_id: None,
        identity: None,
        made_with: MadeWith::default(),
    }
}

/// A head that is the same on every machine, and with every version.
fn everywhere(head: PlanHead) -> PlanHead {
    PlanHead { version: "0.0.0".to_owned(), created: "2026-11-22T18:00:00Z".to_owned(), target: Some(target()), ..head }
}

/// What the run itself writes down of the environment, which has a part for each document.
fn environment_report() -> Report {
    let cloud = landing_zone_with(LocalCloudOptions::default());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let outcome = run_deployment(&json!({
        "settingsFiles": [repository("examples/environment")],
        "whatIf": true,
        "context": { "cloud": cloud.endpoint(), "planReport": file },
        "environment": {},
    }));
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    let plan: PlanFile = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert!(plan.head.target.is_some() && plan.kept.is_empty(), "the run says where");
    let of_file = plan.actions.iter().map(|action| action.document.clone());
    let actions = outcome.plan().iter().zip(of_file);
    Report {
        head: everywhere(plan.head),
        actions: actions.map(|(action, document)| Action { document, ..action.clone() }).collect(),
        kept: Vec::new(),
    }
}

/// What the document of an example plans in its landing zone.
fn planned_report(example: &Example) -> Report {
    let cloud = landing_zone_with(LocalCloudOptions::default());
    let outcome = Deployment::new(example.command, &example.text()).rehearse(&cloud);
    assert!(outcome.errors().is_empty(), "{}: {:?}", example.file, outcome.errors());
    let actions = outcome.plan().to_vec();
    let count = |kind| actions.iter().filter(|action| action.action == kind).count();
    let head = PlanHead {
        format: REPORT_FORMAT,
        command: example.command.to_owned(),
        documents: vec!["settings.yml".to_owned()],
        made_with: MadeWith { environment: "development".to_owned(), ..MadeWith::default() },
        what_if: true,
        counts: PlanCounts {
            create: count(ActionKind::Create),
            modify: count(ActionKind::Modify),
            delete: count(ActionKind::Delete),
            unchanged: outcome.counts().unchanged,
            ..PlanCounts::default()
        },
        warnings: outcome.warnings().into_iter().map(str::to_owned).collect(),
        ..PlanHead::default()
    };
    Report { head: everywhere(head), actions, kept: Vec::new() }
}

#[test]
fn what_is_reported_of_every_example() {
    for example in examples() {
        let report = planned_report(&example);
        let golden = |ending| repository("tests/golden/reports").join(example.stem()).with_extension(ending);
        expectorate::assert_contents(golden("md"), &report::markdown(&report));
        if PAGES.contains(&example.stem()) {
            expectorate::assert_contents(golden("html"), &report::html(&report));
        }
    }
}

#[test]
fn what_is_reported_of_an_environment() {
    let report = environment_report();
    let golden = |ending| repository("tests/golden/reports/environment").with_extension(ending);
    expectorate::assert_contents(golden("md"), &report::markdown(&report));
    expectorate::assert_contents(golden("html"), &report::html(&report));
}
