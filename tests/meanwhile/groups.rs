//! Groups that hold what the document says, and a rule that somebody else changes or deletes.

use serde_json::json;
use svc_engine::protocol::Code;

use crate::support::estate::*;
use crate::support::*;

/// The rules of the example, deployed, and the document without one of them.
fn without_a_rule() -> (svc_local_cloud::LocalCloud, Deployment, String) {
    let cloud = landing_zone();
    let text = std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap();
    let deployment = Deployment::new(METRIC_ALERTS, &text);
    deployment.deploy(&cloud).counts();
    let start = text.find("  - name: Storage\n").unwrap();
    deployment.rewrite(&text[..start]);
    let is_rule = |id: &&String| id.contains("/metricAlerts/") && id.contains("files");
    let rule = cloud.ids().iter().find(is_rule).unwrap_or_else(|| panic!("{:?}", cloud.ids())).clone();
    let rule = rule.trim_start_matches(&in_subscription("")).to_owned();
    (cloud, deployment, rule)
}

#[test]
fn a_rule_that_somebody_changes_is_not_deleted() {
    let (cloud, deployment, rule) = without_a_rule();
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, &rule, |body| body["properties"]["severity"] = json!(4));
    });
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.code, Code::ChangedMeanwhile);
    assert!(
        report.failure.message.contains("was not deleted: somebody else changed properties.severity from "),
        "{}",
        report.failure.message
    );
    assert!(cloud.resource(&in_subscription(&rule)).is_some());
    assert!(outcome.summary().ends_with("failed 1"));
}

#[test]
fn a_rule_that_is_gone_is_deleted() {
    let (cloud, deployment, rule) = without_a_rule();
    let outcome = deployment.deploy_while(&cloud, || {
        delete_by_id(&cloud, &in_subscription(&rule), "2018-03-01");
    });
    assert!(outcome.errors().is_empty() && outcome.counts().deleted == 1, "{outcome:#?}");
}

#[test]
fn a_receiver_that_somebody_adds_stays() {
    let cloud = landing_zone();
    let deployment = Deployment::example(CORE_MONITOR, "examples/core-monitor.yml");
    deployment.deploy(&cloud).counts();
    let is_group = |id: &&String| id.contains("/actionGroups/") && !id.contains("rg-landing-zone");
    let group = cloud.ids().iter().find(is_group).unwrap_or_else(|| panic!("{:?}", cloud.ids())).clone();
    let group = group.trim_start_matches(&in_subscription("")).to_owned();
    tamper(&cloud, &group, |body| body["tags"] = json!({}));
    let theirs = json!({"name": "theirs", "emailAddress": "theirs@example.com", "useCommonAlertSchema": true});
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, &group, |body| {
            body["properties"]["emailReceivers"].as_array_mut().unwrap().push(theirs);
        });
    });
    assert!(outcome.errors().is_empty(), "{outcome:#?}");
    let now = resource(&cloud, &group);
    assert!(now["tags"]["svc-service"].is_string(), "{now}");
    let now = &now["properties"];
    let names: Vec<&str> =
        now["emailReceivers"].as_array().unwrap().iter().filter_map(|receiver| receiver["name"].as_str()).collect();
    assert!(names.contains(&"theirs") && names.len() > 1, "{names:?}");
    assert!(
        outcome.warnings().iter().any(|warning| warning.contains("emailReceivers[theirs]")),
        "{:?}",
        outcome.warnings()
    );
}
