//! The manners of a rehearsal: what is told of it, what it asks, and what it does where nothing can be known.

use serde_json::{Value, json};
use svc_engine::protocol::{ActionKind, Rehearsal};
use svc_local_cloud::LocalCloud;

use super::{now, rehearsals, rehearse, text_of};
use crate::alerts::groups_and_rules::{estate, health, metric};
use crate::alerts::log_rules::{OWN, log_alerts};
use crate::support::estate::*;
use crate::support::*;

const LOAD: &str = "conditions: [{metricName: Load, threshold: {operator: GreaterThan, value: 90, timeAggregation: Average}}]\nservice: {dependencies: {targetResources: [servers]}}";

fn workspace() -> String {
    in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"))
}

/// A landing zone with a beat of one machine each minute of so many hours.
fn with_beats(hours: &str) -> LocalCloud {
    let cloud = landing_zone();
    let beats = json!([{"from": hours, "every": "PT1M", "row": {"Computer": "vm-1", "_ResourceId": "/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/vm-1"}}]);
    cloud.import_telemetry(json!({"tables": {workspace(): {"Heartbeat": beats}}})).unwrap();
    cloud
}

fn only(outcome: &Outcome) -> &Rehearsal {
    let [rehearsal] = rehearsals(outcome)[..] else { panic!("{outcome:?}") };
    rehearsal
}

fn log(alert: &str) -> Deployment {
    Deployment::new(LOG_ALERTS, &log_alerts(&[alert]))
}

#[test]
fn a_changed_rule_is_told_before_and_after() {
    let cloud = with_beats("-P2D");
    let deployment = log(OWN);
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
    deployment.rewrite(&log_alerts(&[&OWN.replace("value: 1", "value: 9")]));
    let outcome = rehearse(&deployment, &cloud, json!({"rehearse": "1d"}));
    let rehearsal = only(&outcome);
    assert_eq!((rehearsal.fired, rehearsal.fired_before), (Some(0), Some(288)));
    assert_eq!(rehearsal.sentence, "In the last day it would never have fired instead of 288 times.");
    deployment.rewrite(&log_alerts(&[&OWN.replace("value: 1", "value: 2")]));
    let outcome = rehearse(&deployment, &cloud, json!({"rehearse": "1d"}));
    let rehearsal = only(&outcome);
    assert!(
        rehearsal.sentence.starts_with("In the last day it would have fired 288 times, all the time, last at "),
        "{rehearsal:?}"
    );
    let [[0, 996..=1000]] = rehearsal.strip[..] else { panic!("{rehearsal:?}") };
    assert_eq!(rehearsal.notifications, 288);
}

#[test]
fn rules_that_stay_are_rehearsed_where_that_is_asked_for() {
    let cloud = with_beats("-P2D");
    let deployment = log(OWN);
    deployment.deploy(&cloud);
    let none = rehearse(&deployment, &cloud, json!({"rehearse": "1d"}));
    assert!(none.unchanged().is_empty(), "{none:?}");
    let all = rehearse(&deployment, &cloud, json!({"rehearse": "1d", "rehearseAll": true}));
    let [rule] = all.unchanged()[..] else { panic!("{all:?}") };
    assert_eq!(rule.rehearsal.as_ref().unwrap().fired, Some(288));
    assert!(all.plan().is_empty());
}

/// What has no answer is told at the rule, and the plan is made.
#[test]
fn why_nothing_is_known_is_told() {
    let reason = |cloud: &LocalCloud, command: &'static str, text: &str| {
        let outcome = rehearse(&Deployment::new(command, text), cloud, json!({}));
        let rehearsal = only(&outcome).clone();
        assert!(outcome.warnings().is_empty(), "{outcome:?}");
        (rehearsal.fired, rehearsal.reason.unwrap_or_default())
    };
    let quiet = landing_zone();
    let told = |alert: &str| reason(&quiet, LOG_ALERTS, &log_alerts(&[alert]));
    assert_eq!(told(OWN), (Some(0), "Its table Heartbeat has had no row for 30 days.".to_owned()));
    assert_eq!(told(&format!("{OWN}\nenabled: false")), (Some(0), "It is disabled.".to_owned()));
    let (fired, missing) = told(&OWN.replace("query: Heartbeat", "query: Bets_CL"));
    assert_eq!(fired, None);
    assert!(
        missing.starts_with("Azure Monitor could not be asked: ") && missing.contains("no table Bets_CL"),
        "{missing}"
    );
    let (fired, other) = told(&OWN.replace("query: Heartbeat", "query: workspace('x').Heartbeat | take 1"));
    assert_eq!((fired, other.as_str()), (None, "Its query reads 'workspace', which is not known here."));
    let learned = metric(
        "conditions: [{metricName: Load, dynamicThreshold: {operator: GreaterThan}}]\nservice: {dependencies: {targetResources: [servers]}}",
    );
    let expected = (None, "Its threshold is one that Azure learns, so only Azure knows.".to_owned());
    assert_eq!(reason(&estate(), METRIC_ALERTS, &learned), expected);
    let refused = estate();
    refused.misbehave(fault("status=403,path=/metrics?"));
    let (fired, forbidden) = reason(&refused, METRIC_ALERTS, &metric(LOAD));
    assert_eq!(fired, None);
    assert!(forbidden.starts_with("Azure Monitor could not be asked: "), "{forbidden}");
}

#[test]
fn what_takes_too_long_is_left_out() {
    let cloud = estate();
    cloud.misbehave(fault("delay=5000,path=/metrics?"));
    let outcome = rehearse(&Deployment::new(METRIC_ALERTS, &metric(LOAD)), &cloud, json!({"rehearseFor": "1s"}));
    let reason = only(&outcome).reason.as_deref();
    assert_eq!(reason, Some("There was no answer within 1 s; rehearseFor gives more time."));
}

/// Also the run that is to change something ends, and nothing is changed.
#[test]
fn more_alerts_than_are_allowed_end_the_command() {
    let cloud = with_beats("-P2D");
    let deployment = log(OWN);
    let context = |most: u32| json!({"rehearse": "1d", "maxAlerts": most});
    let before = cloud.ids();
    let outcome = deployment.deploy_with(&cloud, json!({"context": context(287)}));
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "TooManyAlerts");
    assert!(
        message
            .starts_with("The alert rules of the plan would have sent 288 notifications in the last day; at most 287 "),
        "{message}"
    );
    assert_eq!(cloud.ids(), before);
    assert_eq!(outcome.plan().len(), 2, "the plan is shown");
    assert_eq!(deployment.deploy_with(&cloud, json!({"context": context(288)})).summary(), "created 2");
}

/// A gate that cannot look does not look like one that has.
#[test]
fn what_the_gate_does_not_count_is_told() {
    let cloud = estate();
    cloud.misbehave(fault("status=403,path=/metrics?"));
    let outcome = rehearse(&Deployment::new(METRIC_ALERTS, &metric(LOAD)), &cloud, json!({"maxAlerts": 0}));
    let expected = "maxAlerts counts 0 of 1 alert rules: how often the others would have fired is not known, and the plan says why at each.";
    assert_eq!(outcome.warnings(), [expected]);
}

#[test]
fn contexts_that_make_no_sense_are_refused() {
    let cloud = landing_zone();
    let refused = |context: Value| {
        let outcome = log(OWN).deploy_with(&cloud, json!({"whatIf": true, "context": context}));
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "ContextInvalid");
        message.to_owned()
    };
    assert_eq!(refused(json!({"rehearse": "31d"})), "rehearse must be from 1h to 30d, found '31d'.");
    assert_eq!(refused(json!({"rehearse": "30m"})), "rehearse must be from 1h to 30d, found '30m'.");
    assert!(refused(json!({"rehearse": "a week"})).starts_with("'a week' is not a valid duration"));
    assert!(refused(json!({"rehearse": "7d", "offline": true})).starts_with("Azure Monitor is asked for a rehearsal"));
    assert_eq!(
        refused(json!({"rehearse": "7d", "maxAlerts": "many"})),
        "maxAlerts must be a whole number from 0, found 'many'."
    );
    assert!(refused(json!({"maxAlerts": 3})).starts_with("maxAlerts counts the alerts of a rehearsal"));
}

/// The requests are those that Azure documents, and a query is asked once for all of its moments.
#[test]
fn what_is_asked() {
    let cloud = with_beats("-PT6H");
    let before = cloud.requests().len();
    let deployment =
        log(&OWN.replace("query: Heartbeat", "query: Heartbeat | summarize N = count() by Computer | where N > 3"));
    let outcome = rehearse(&deployment, &cloud, json!({"rehearse": "7d"}));
    let rehearsal = only(&outcome);
    assert!(rehearsal.reason.is_none(), "{rehearsal:?}");
    assert_eq!(rehearsal.sampled.map(|sampled| (sampled.moments, sampled.of)), Some((48, 2016)));
    assert!(rehearsal.sentence.ends_with(", sampled at 48 of 2016 moments."), "{rehearsal:?}");
    let asked: Vec<_> =
        requests_after(&cloud, before).into_iter().filter(|request| request.url.contains("/logs?")).collect();
    let [query] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(
        (query.method.as_str(), query.url.as_str()),
        ("POST", format!("{}/providers/Microsoft.Insights/logs?api-version=2018-03-01-preview", workspace()).as_str())
    );
    let body = query.body.as_ref().unwrap();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["query", "timespan"]);
    let cloud = estate();
    let before = cloud.requests().len();
    rehearse(&Deployment::new(METRIC_ALERTS, &metric(LOAD)), &cloud, json!({}));
    let asked: Vec<_> =
        requests_after(&cloud, before).into_iter().filter(|request| request.url.contains("/metrics?")).collect();
    let [metrics] = &asked[..] else { panic!("{asked:?}") };
    let wanted = [
        "metricnames=Load",
        "metricnamespace=Microsoft.Compute/virtualMachines",
        "region=uksouth",
        "interval=PT1M",
        "api-version=2024-02-01",
        "aggregation=Average,Count,Total",
        "Microsoft.ResourceId%20eq%20%27*%27",
    ];
    for part in wanted {
        assert!(
            metrics.url.replace("%2F", "/").replace("%2C", ",").replace('\'', "%27").replace('+', "%20").contains(part),
            "{part}: {}",
            metrics.url
        );
    }
    let before = cloud.requests().len();
    rehearse(&Deployment::new(RESOURCE_HEALTH_ALERTS, &health("- name: All\n")), &cloud, json!({}));
    let asked: Vec<_> =
        requests_after(&cloud, before).into_iter().filter(|request| request.url.contains("/eventtypes/")).collect();
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0]
            .url
            .contains("/providers/Microsoft.Insights/eventtypes/management/values?$filter=eventTimestamp%20ge%20"),
        "{}",
        asked[0].url
    );
}

/// What a secret of the caller is is hidden, also where it is the value of a dimension.
#[test]
fn secrets_are_not_told() {
    let cloud = landing_zone();
    let row = json!({"TimeGenerated": text_of((now() - 30) as f64), "Customer": "hunter2-of-ours"});
    cloud.import_telemetry(json!({"tables": {workspace(): {"Shop_CL": [row]}}})).unwrap();
    let alert = OWN
        .replace("query: Heartbeat", "query: Shop_CL | where Customer == '$(env:CUSTOMER)'")
        .replace("value: 1", "value: 0");
    let deployment = log(&format!("{alert}\nmonitorOnPrem: true\ndimensions: [{{name: Customer, values: ['*']}}]"));
    deployment.write_beside("_values/all.yml", "nothing: 1\n");
    let outcome = deployment.deploy_with(
        &cloud,
        json!({"whatIf": true, "context": {"rehearse": "1h"}, "environment": {"CUSTOMER": "hunter2-of-ours"}}),
    );
    let rehearsal = only(&outcome);
    assert_eq!((rehearsal.fired, rehearsal.fired_for.as_slice()), (Some(1), &["***".to_owned()][..]), "{rehearsal:?}");
    assert!(!format!("{outcome:?}").contains("hunter2"));
}

/// A week of a log that needs many pages is read to its end.
#[test]
fn every_page_of_the_activity_log_counts() {
    let cloud = estate();
    let server = in_subscription("resourceGroups/rg-estate/providers/Microsoft.Compute/virtualMachines/vm-1");
    let event = json!({"category": "ResourceHealth", "resourceId": server, "status": "Active", "properties": {}});
    let log =
        json!([{"from": text_of((now() - 50) as f64), "every": "PT1S", "to": text_of(now() as f64), "row": event}]);
    cloud.import_telemetry(json!({"activityLog": log})).unwrap();
    let outcome = rehearse(&Deployment::new(RESOURCE_HEALTH_ALERTS, &health("- name: All\n")), &cloud, json!({}));
    let rehearsal = only(&outcome);
    assert_eq!((rehearsal.fired, rehearsal.fired_for.as_slice()), (Some(3000), &["vm-1".to_owned()][..]));
    let rule = outcome.plan().iter().find(|action| action.rehearsal.is_some()).unwrap();
    assert_eq!(rule.action, ActionKind::Create);
}
