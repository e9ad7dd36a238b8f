//! The conditions of metric alert rules: thresholds that are said or learned, namespaces, dimensions, and their names and texts.

use serde_json::{Value, json};
use svc_engine::protocol::JsonText;
use svc_local_cloud::LocalCloud;

use crate::alerts::groups_and_rules::{CPU, METRIC_GROUP, deploy, deploy_with, estate, metric};
use crate::support::estate::METRIC_ALERTS as METRIC;
use crate::support::*;

const TARGETS: &str = "service: {dependencies: {targetResources: [servers]}}";
const PATH: &str = "providers/Microsoft.Insights/metricAlerts/alt-mtr-compute-servers-0-dev-uks-1f5ca30e";

fn criterion(cloud: &LocalCloud) -> Value {
    resource(cloud, &format!("{METRIC_GROUP}/{PATH}"))["properties"]["criteria"]["allOf"][0].take()
}

fn with_condition(condition: &str) -> String {
    metric(&format!("conditions: [{{metricName: Percentage CPU, {condition}}}]\n{TARGETS}"))
}

/// The paths of the properties that the plan changes, with both values.
fn changes(outcome: &Outcome) -> Vec<(String, String, String)> {
    let text = |value: &Option<JsonText>| value.as_ref().map(JsonText::to_string).unwrap_or_default();
    let change = |change: &svc_engine::protocol::PropertyChange| {
        (change.path.clone(), text(&change.before), text(&change.after))
    };
    outcome.plan()[0].changes.iter().map(change).collect()
}

#[test]
fn a_threshold_that_azure_learns_takes_the_place_of_one_that_is_said_and_back() {
    let cloud = estate();
    let fixed = with_condition("threshold: {operator: GreaterThan, value: 90, timeAggregation: Maximum}");
    let learned = with_condition("dynamicThreshold: {operator: GreaterOrLessThan}");
    deploy(METRIC, &fixed, &cloud);
    assert_eq!(deploy(METRIC, &learned, &cloud).summary(), "modified 1, unchanged 1");
    let expected = json!({
        "criterionType": "DynamicThresholdCriterion", "name": "Alert Criteria 0", "metricName": "Percentage CPU",
        "metricNamespace": "Microsoft.Compute/virtualMachines", "timeAggregation": "Average", "operator": "GreaterOrLessThan",
        "alertSensitivity": "Medium", "failingPeriods": {"numberOfEvaluationPeriods": 4, "minFailingPeriodsToAlert": 4}, "dimensions": [],
    });
    assert_eq!(criterion(&cloud), expected);
    assert_eq!(deploy(METRIC, &learned, &cloud).summary(), "unchanged 2");
    let all = with_condition(
        "dynamicThreshold: {operator: lessthan, sensitivity: high, timeAggregation: Total, failingPeriods: {minFailingPeriodsToAlert: 2, numberOfEvaluationPeriods: 3}}",
    );
    let path = |end: &str| format!("properties.criteria.allOf[Alert Criteria 0].{end}");
    let texts = |end: &str, before: &str, after: &str| (path(end), before.to_owned(), after.to_owned());
    assert_eq!(
        changes(&deploy(METRIC, &all, &cloud)),
        [
            texts("timeAggregation", "\"Average\"", "\"Total\""),
            texts("operator", "\"GreaterOrLessThan\"", "\"LessThan\""),
            texts("alertSensitivity", "\"Medium\"", "\"High\""),
            texts("failingPeriods.numberOfEvaluationPeriods", "4", "3"),
            texts("failingPeriods.minFailingPeriodsToAlert", "4", "2"),
        ]
    );
    deploy(METRIC, &fixed, &cloud);
    let back = criterion(&cloud);
    assert_eq!((&back["criterionType"], &back["threshold"]), (&json!("StaticThresholdCriterion"), &json!(90)));
    assert!(back.get("alertSensitivity").is_none() && back.get("failingPeriods").is_none(), "{back}");
    assert_eq!(deploy(METRIC, &fixed, &cloud).summary(), "unchanged 2");
}

#[test]
fn a_changed_value_of_a_condition_names_its_line() {
    let conditions = |limit: u8, values: &str| {
        metric(&format!(
            "service: {{dependencies: {{targetResources: [far-server]}}}}\nconditions:\n  - {{metricName: Percentage CPU, {}}}\n  - metricName: Available Memory Bytes\n    threshold:\n      operator: LessThan\n      \
             timeAggregation: Average\n      value: {limit}\n    dimensions: [{{name: VMName, values: [{values}]}}]",
            "threshold: {operator: GreaterThan, value: 90, timeAggregation: Maximum}"
        ))
    };
    let cloud = estate();
    deploy(METRIC, &conditions(10, "a"), &cloud);
    let changed = conditions(20, "b");
    let outcome = deploy(METRIC, &changed, &cloud);
    let origins: Vec<String> = outcome.plan()[0].changes.iter().filter_map(|change| change.origin.clone()).collect();
    let at = |text: &str| {
        let (line, found) = changed.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        format!("alerts.yml:{}:{}", line + 1, found.find(text).unwrap() + 1)
    };
    assert_eq!(origins, [at("20"), at("[b]")]);
}

#[test]
fn dimensions_and_namespaces_that_are_taken_out_are_gone() {
    let cloud = estate();
    let threshold = "threshold: {operator: GreaterThan, value: 90, timeAggregation: Average}";
    let plain = with_condition(threshold);
    let dimensions = "dimensions: [{name: VMName, values: [a, b]}, {name: LUN, operator: exclude, values: ['1']}]";
    deploy(
        METRIC,
        &with_condition(&format!("{threshold}, {dimensions}, metricNamespace: Azure.VM.Windows.GuestMetrics")),
        &cloud,
    );
    let found = criterion(&cloud);
    assert_eq!(found["metricNamespace"], "Azure.VM.Windows.GuestMetrics");
    assert_eq!(
        found["dimensions"],
        json!([{"name": "VMName", "operator": "Include", "values": ["a", "b"]}, {"name": "LUN", "operator": "Exclude", "values": ["1"]}])
    );
    // One dimension less is one change, and so is one value more.
    let one = with_condition(&format!(
        "{threshold}, dimensions: [{{name: VMName, values: [c, b, a]}}], metricNamespace: Azure.VM.Windows.GuestMetrics"
    ));
    let path = |end: &str| format!("properties.criteria.allOf[Alert Criteria 0].dimensions[{end}");
    assert_eq!(
        changes(&deploy(METRIC, &one, &cloud)),
        [
            (path("VMName].values"), r#"["a","b"]"#.to_owned(), r#"["c","b","a"]"#.to_owned()),
            (path("LUN]"), r#"{"name":"LUN","operator":"Exclude","values":["1"]}"#.to_owned(), String::new()),
        ]
    );
    assert_eq!(deploy(METRIC, &plain, &cloud).summary(), "modified 1, unchanged 1");
    let found = criterion(&cloud);
    assert_eq!(
        (&found["dimensions"], &found["metricNamespace"]),
        (&json!([]), &json!("Microsoft.Compute/virtualMachines"))
    );
    assert_eq!(deploy(METRIC, &plain, &cloud).summary(), "unchanged 2");
}

#[test]
fn what_azure_would_refuse_of_conditions_is_said_with_its_place() {
    let cloud = estate();
    let dynamic = "dynamicThreshold: {operator: LessThan}";
    let threshold = "threshold: {operator: LessThan, value: 1, timeAggregation: Total}";
    let place = "groups[0].alertSets[0].alerts[0].conditions";
    for (condition, expected) in [
        (String::new(), format!("{place}[0].threshold: required, unless dynamicThreshold is set")),
        (format!(", {threshold}, {dynamic}"), format!("{place}[0].dynamicThreshold: threshold and dynamicThreshold are both set; use one of them")),
        (
            format!(", {dynamic}}}, {{metricName: Network In, {threshold}"),
            format!("{place}: a rule with dynamicThreshold can have one condition, found 2"),
        ),
        (
            ", dynamicThreshold: {operator: LessThan, failingPeriods: {minFailingPeriodsToAlert: 5, numberOfEvaluationPeriods: 4}}".to_owned(),
            format!("{place}[0].dynamicThreshold.failingPeriods.minFailingPeriodsToAlert: 5 is more than numberOfEvaluationPeriods, 4"),
        ),
        (
            ", dynamicThreshold: {operator: LessThan, failingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 7}}".to_owned(),
            format!("{place}[0].dynamicThreshold.failingPeriods.numberOfEvaluationPeriods: 7 is out of range; use 1 to 6"),
        ),
        (
            ", dynamicThreshold: {operator: Equals}".to_owned(),
            format!("{place}[0].dynamicThreshold.operator: 'Equals' is not valid; use GreaterThan, LessThan or GreaterOrLessThan"),
        ),
        (
            format!(", {threshold}, dimensions: [{{name: LUN, values: []}}]"),
            format!("{place}[0].dimensions[0].values: required, but not set"),
        ),
        (
            format!(", {threshold}, dimensions: [{{name: LUN, values: [none]}}]"),
            format!("{place}[0].dimensions[0].values: at least one value is required; use '*' for all"),
        ),
        (
            format!(", {threshold}, metricNamespace: Microsoft.Storage/storageAccounts"),
            format!(
                "{place}[0].metricNamespace: 'Microsoft.Storage/storageAccounts' does not have metrics of Microsoft.Compute/virtualMachines; use that type, one below it, or \
                 a namespace of custom metrics"
            ),
        ),
    ] {
        // One resource, so that several conditions are right by themselves.
        let text = metric(&format!("conditions: [{{metricName: CPU{condition}}}]\nservice: {{dependencies: {{targetResources: [far-server]}}}}"));
        let message = deploy(METRIC, &text, &cloud).last_error().failure.message.clone();
        assert!(message.starts_with("alerts.yml has 1 problem:\n") && message.ends_with(&expected), "{message}");
    }
    let untyped = metric(&format!("{CPU}\n{TARGETS}")).replace("Microsoft.Compute/virtualMachines", "virtualMachines");
    let before = cloud.requests().len();
    assert_eq!(
        deploy(METRIC, &untyped, &cloud).last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 9:23 groups[0].alertSets[0].resourceType: 'virtualMachines' is not a resource type with its namespace, such as \
         Microsoft.Compute/virtualMachines"
    );
    let long = metric(&format!("{CPU}\ndescription: {}\n{TARGETS}", "x".repeat(2049)));
    assert_eq!(
        deploy(METRIC, &long, &cloud).last_error().failure.message,
        "alerts.yml has 1 problem:\n[1] 13:26 groups[0].alertSets[0].alerts[0].description: 2049 characters are too many; a metric alert takes at most 2048"
    );
    assert_eq!(cloud.requests().len(), before);
}

#[test]
fn a_description_that_is_a_default_of_ours_follows_and_another_stays() {
    let cloud = estate();
    let text = metric(&format!("{CPU}\n{TARGETS}"));
    deploy(METRIC, &text, &cloud);
    let path = format!("{METRIC_GROUP}/{PATH}");
    let description = |cloud: &LocalCloud| resource(cloud, &path)["properties"]["description"].take();
    assert_eq!(description(&cloud), "Alert on Microsoft.Compute/virtualMachines");
    // As it was written before, and for another type.
    tamper(&cloud, &path, |rule| rule["properties"]["description"] = json!("Alert for  on Microsoft.Web/sites"));
    let followed = deploy(METRIC, &text, &cloud);
    assert_eq!(
        changes(&followed),
        [(
            "properties.description".to_owned(),
            "\"Alert for  on Microsoft.Web/sites\"".to_owned(),
            "\"Alert on Microsoft.Compute/virtualMachines\"".to_owned()
        )]
    );
    tamper(&cloud, &path, |rule| rule["properties"]["description"] = json!("Call the shop."));
    assert_eq!(deploy(METRIC, &text, &cloud).summary(), "unchanged 2");
    assert_eq!(description(&cloud), "Call the shop.");
}

/// Two groups of alert sets, each with one alert without a name.
fn two(groups: [(&str, &str); 2]) -> String {
    let sets: String = groups
        .iter()
        .map(|(group, set)| {
            format!(
                "  - name: {group}\n    alertSets:\n      - resourceType: Microsoft.Compute/virtualMachines\n        name: {set}\n        alerts: [{{{CPU}, {TARGETS}}}]\n"
            )
        })
        .collect();
    format!(
        "component: metricAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: metrics}}}}\ngroups:\n{sets}"
    )
}

#[test]
fn names_that_collide_say_what_to_do() {
    let cloud = estate();
    let message = |groups| {
        deploy_with(METRIC, &two(groups), &cloud, json!({"whatIf": true})).last_error().failure.message.clone()
    };
    let first = "first used by groups[0].alertSets[0].alerts[0] (alerts.yml:9:18)";
    let unnamed = message([("Compute", ""), ("Compute", "")]);
    assert!(unnamed.ends_with(&format!("{first}; set a name for each alert set")), "{unnamed}");
    let same = message([("Compute", "Servers"), ("Compute", "servers")]);
    assert!(same.ends_with(&format!("{first}; use another name for the group, the alert set or the alert")), "{same}");
    let long = "The-servers-of-the-shop-in-the-south-of-the-country-and-those-in-the";
    let cut = message([(&format!("{long}-west"), "A"), (&format!("{long}-east"), "A")]);
    assert!(
        cut.ends_with(&format!(
            "{first}; they differ only in what is cut off: shorten the name of the group, '{long}-east'"
        )),
        "{cut}"
    );
}
