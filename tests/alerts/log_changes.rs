//! Log alerts that exist already: what a change of the document, or of the rule, comes to.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::alerts::log_rules::{OWN, changes, log_alerts, rule, rule_path};
use crate::support::estate::*;
use crate::support::*;

/// An alert with a query of its own whose threshold has a fraction.
const OWN_MEASURED: &str = "description: Mine\nseverity: Error\nthreshold: {operator: greaterThan, value: 0.5}\nschedule: {frequencyInMinutes: 5, timeWindowInMinutes: 5}\nquery: InsightsMetrics";

/// A cloud with the rule of an alert.
fn existing(alert: &str) -> (LocalCloud, Deployment) {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&[alert]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
    (cloud, deployment)
}

/// The properties that another document changes: path, before and after. It is right afterwards.
fn changed(cloud: &LocalCloud, deployment: &Deployment, alert: &str) -> Vec<(String, Option<String>, Option<String>)> {
    deployment.rewrite(&log_alerts(&[alert]));
    let outcome = deployment.deploy(cloud);
    let changes = changes(&outcome);
    assert_eq!(outcome.summary(), "modified 1, unchanged 1");
    assert_eq!(deployment.deploy(cloud).summary(), "unchanged 2");
    changes
}

fn change(path: &str, before: Option<&str>, after: Option<&str>) -> (String, Option<String>, Option<String>) {
    (path.to_owned(), before.map(str::to_owned), after.map(str::to_owned))
}

#[test]
fn a_changed_threshold_shows_the_threshold_and_keeps_what_others_set_in_the_condition() {
    let (cloud, deployment) = existing("definition: VM_Reboot");
    tamper(&cloud, &rule_path(&cloud), |rule| {
        rule["properties"]["criteria"]["allOf"][0]["resourceIdColumn"] = json!("_ResourceId");
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    let found = changed(&cloud, &deployment, "definition: VM_Reboot\nthreshold: {operator: greaterThan, value: 3}");
    assert_eq!(found, [change("properties.criteria.allOf[0].threshold", Some("0"), Some("3"))]);
    assert_eq!(rule(&cloud)["properties"]["criteria"]["allOf"][0]["resourceIdColumn"], "_ResourceId");
}

#[test]
fn a_changed_value_names_its_setting() {
    let (cloud, deployment) = existing("definition: VM_Reboot");
    deployment.rewrite(&log_alerts(&[
        "definition: VM_Reboot\nthreshold: {operator: greaterThan, value: 3}\nfailingPeriods: {minFailingPeriodsToAlert: 2, numberOfEvaluationPeriods: 2}",
    ]));
    let outcome = deployment.rehearse(&cloud);
    let origins: Vec<_> = outcome.plan()[0].changes.iter().map(|change| change.origin.clone().unwrap()).collect();
    assert_eq!(origins, ["settings.yml:13:55", "settings.yml:14:86", "settings.yml:14:56"]);
}

#[test]
fn dimensions_and_failing_periods_follow_the_document() {
    let more = "definition: VM_Reboot\nschedule: {frequencyInMinutes: 30, timeWindowInMinutes: 30}\ndimensions:\n  - {name: Computer, operator: include, values: ['*']}\n  \
        - {name: Caller, operator: Exclude, values: [robot, other]}\nfailingPeriods: {minFailingPeriodsToAlert: 2, numberOfEvaluationPeriods: 3}";
    let plain = "definition: VM_Reboot\nschedule: {frequencyInMinutes: 30, timeWindowInMinutes: 30}";
    let (cloud, deployment) = existing(more);
    let condition = rule(&cloud)["properties"]["criteria"]["allOf"][0].clone();
    assert_eq!(
        condition["dimensions"],
        json!([
            {"name": "Computer", "operator": "Include", "values": ["*"]},
            {"name": "Caller", "operator": "Exclude", "values": ["robot", "other"]}
        ])
    );
    assert_eq!(condition["failingPeriods"], json!({"numberOfEvaluationPeriods": 3, "minFailingPeriodsToAlert": 2}));
    // Neither the order of the dimensions nor that of their values matters.
    tamper(&cloud, &rule_path(&cloud), |rule| {
        let dimensions = &mut rule["properties"]["criteria"]["allOf"][0]["dimensions"];
        *dimensions = json!([
            {"name": "Caller", "operator": "Exclude", "values": ["other", "robot"]},
            {"name": "Computer", "operator": "Include", "values": ["*"]}
        ]);
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    let paths: Vec<String> = changed(&cloud, &deployment, plain).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(
        paths,
        [
            "properties.criteria.allOf[0].dimensions[Caller]",
            "properties.criteria.allOf[0].dimensions[Computer]",
            "properties.criteria.allOf[0].failingPeriods.numberOfEvaluationPeriods",
            "properties.criteria.allOf[0].failingPeriods.minFailingPeriodsToAlert",
        ]
    );
    let condition = rule(&cloud)["properties"]["criteria"]["allOf"][0].clone();
    assert_eq!(condition["dimensions"], json!([]));
}

#[test]
fn a_measure_is_aggregated_and_rows_are_counted_again_without_one() {
    let measured = format!("{OWN_MEASURED}\nmeasure: Val\ntimeAggregation: average");
    let (cloud, deployment) = existing(&measured);
    let condition = |cloud: &LocalCloud| rule(cloud)["properties"]["criteria"]["allOf"][0].clone();
    let found = condition(&cloud);
    assert_eq!(
        (&found["timeAggregation"], &found["metricMeasureColumn"], &found["threshold"]),
        (&json!("Average"), &json!("Val"), &json!(0.5))
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    let other = measured.replace("average", "Maximum").replace("measure: Val", "measure: Highest");
    assert_eq!(
        changed(&cloud, &deployment, &other),
        [
            change("properties.criteria.allOf[0].timeAggregation", Some("\"Average\""), Some("\"Maximum\"")),
            change("properties.criteria.allOf[0].metricMeasureColumn", Some("\"Val\""), Some("\"Highest\"")),
        ]
    );
    // Azure takes no column beside rows that are counted.
    assert_eq!(
        changed(&cloud, &deployment, OWN_MEASURED),
        [
            change("properties.criteria.allOf[0].timeAggregation", Some("\"Maximum\""), Some("\"Count\"")),
            change("properties.criteria.allOf[0].metricMeasureColumn", Some("\"Highest\""), None),
        ]
    );
    assert!(condition(&cloud)["metricMeasureColumn"].is_null());
    // Azure may write what is empty.
    tamper(&cloud, &rule_path(&cloud), |rule| {
        rule["properties"]["criteria"]["allOf"][0]["metricMeasureColumn"] = json!("");
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn what_is_taken_out_of_the_customised_actions_goes() {
    let with = |members: &str| format!("definition: VM_Reboot\ncustomisedActions: {{{members}}}");
    let (cloud, deployment) = existing(&with(
        "emailSubject: Look, webhookJsonPayload: '{\"team\": \"shop\", \"level\": 2, \"Where\": \"here\"}'",
    ));
    let actions = |cloud: &LocalCloud| rule(cloud)["properties"]["actions"].clone();
    assert_eq!(actions(&cloud)["customProperties"], json!({"team": "shop", "level": "2", "Where": "here"}));
    let found = changed(&cloud, &deployment, &with("webhookJsonPayload: '{\"team\": \"shop\", \"more\": 1}'"));
    assert_eq!(
        found,
        [
            change("properties.actions.actionProperties", Some("{\"Email.Subject\":\"Look\"}"), None),
            change("properties.actions.customProperties.more", None, Some("\"1\"")),
            change("properties.actions.customProperties.level", Some("\"2\""), None),
            change("properties.actions.customProperties.Where", Some("\"here\""), None),
        ]
    );
    assert_eq!(actions(&cloud)["customProperties"], json!({"team": "shop", "more": "1"}));
    assert!(actions(&cloud).get("actionProperties").is_none_or(Value::is_null), "{}", actions(&cloud));
    let found = changed(&cloud, &deployment, "definition: VM_Reboot");
    assert_eq!(
        found,
        [change("properties.actions.customProperties", Some("{\"team\":\"shop\",\"more\":\"1\"}"), None)]
    );
    assert!(actions(&cloud).get("customProperties").is_none_or(Value::is_null), "{}", actions(&cloud));
}

#[test]
fn rules_resolve_by_themselves_only_when_asked_to() {
    let (cloud, deployment) = existing("definition: VM_Reboot\nautoMitigate: true");
    assert_eq!(rule(&cloud)["properties"]["autoMitigate"], true);
    let found = changed(&cloud, &deployment, "definition: VM_Reboot");
    assert_eq!(found, [change("properties.autoMitigate", Some("true"), Some("false"))]);
}

#[test]
fn another_way_to_resolve_goes_and_is_not_sent_back_whatever_it_was_called() {
    let (cloud, deployment) = existing("definition: VM_Reboot");
    // Rules that were written with api-version 2023-12-01 have the one, those of later versions the other.
    for name in ["ruleResolveConfiguration", "resolveConfiguration"] {
        tamper(&cloud, &rule_path(&cloud), |rule| {
            rule["properties"][name] = json!({"autoResolved": true, "timeToResolve": "PT10M"});
            rule["properties"]["autoMitigate"] = Value::Null;
        });
        let before = format!("properties.{name}");
        let found = changed(&cloud, &deployment, "definition: VM_Reboot");
        assert!(
            found.iter().any(|(path, before_it, after)| *path == before && before_it.is_some() && after.is_none()),
            "{found:?}"
        );
        let properties = rule(&cloud)["properties"].clone();
        assert_eq!(
            (properties.get(name).filter(|value| !value.is_null()), &properties["autoMitigate"]),
            (None, &json!(false))
        );
    }
}

#[test]
fn queries_are_validated_by_azure_unless_they_are_built_in_on_every_write() {
    let (cloud, deployment) = existing("definition: VM_Reboot");
    tamper(&cloud, &rule_path(&cloud), |rule| rule["properties"]["skipQueryValidation"] = json!(false));
    let found = changed(&cloud, &deployment, "definition: VM_Reboot\nseverity: Error");
    assert!(found.contains(&change("properties.skipQueryValidation", Some("false"), Some("true"))), "{found:?}");
    let found = changed(&cloud, &deployment, "definition: VM_Reboot\nseverity: Error\nquery: Heartbeat");
    assert!(found.contains(&change("properties.skipQueryValidation", Some("true"), Some("false"))), "{found:?}");
}

#[test]
fn what_looks_back_further_than_its_window_says_so() {
    let seen = |alert: &str| existing(alert).0;
    let range = |cloud: &LocalCloud| rule(cloud)["properties"].get("overrideQueryTimeRange").cloned();
    for (alert, expected) in [
        ("definition: VM_NonResponsive", Some("P2D")),
        ("definition: VM_NonResponsive\nschedule: {frequencyInMinutes: 5, timeWindowInMinutes: 2880}", None),
        ("definition: High_CPU_Usage_Percent", None),
        ("definition: High_CPU_Usage_Percent\nparameters: {_timeWindow: 61m}", Some("PT2H")),
        ("definition: Low_Disk_Space\nparameters: {_timeWindow: 7h}", Some("P1D")),
        (
            "definition: High_CPU_Usage_Percent\nparameters: {_timeWindow: 2h}\nfailingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 2}",
            None,
        ),
        ("definition: VM_NonResponsive\nquery: Heartbeat", None),
    ] {
        assert_eq!(range(&seen(alert)), expected.map(|range| json!(range)), "{alert}");
    }
    let (cloud, deployment) = existing("definition: VM_NonResponsive");
    let found = changed(&cloud, &deployment, "definition: VM_NonResponsive\nquery: Heartbeat");
    assert!(found.contains(&change("properties.overrideQueryTimeRange", Some("\"P2D\""), None)), "{found:?}");
}

#[test]
fn a_description_of_a_definition_follows_it() {
    let (cloud, deployment) = existing("definition: VM_Reboot");
    let of = |name: &str| {
        let text = std::fs::read_to_string(repository("src/commands/log_alerts/definitions.yml")).unwrap();
        let file: Value = serde_yaml::from_str(&text).unwrap();
        let all = file["definitions"].as_array().unwrap();
        let found = all.iter().find(|definition| definition["name"] == name).unwrap();
        found["description"].as_str().unwrap().to_owned()
    };
    // Another definition under the same generated name.
    deployment.rewrite(&log_alerts(&["definition: Corrupt_NTFS"]));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 1");
    assert_eq!(rule(&cloud)["properties"]["description"], of("Corrupt_NTFS"));
    // What the document said before is not one of ours.
    let found = changed(&cloud, &deployment, "definition: Corrupt_NTFS\ndescription: Mine");
    assert_eq!(found.len(), 1);
    deployment.rewrite(&log_alerts(&["definition: Corrupt_NTFS"]));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    assert_eq!(rule(&cloud)["properties"]["description"], "Mine");
}

#[test]
fn a_description_of_a_projects_definition_follows_it() {
    let cloud = landing_zone();
    let definition = |name: &str, description: &str| {
        format!(
            "  - type: VirtualMachines\n    name: {name}\n    description: {description}\n    severity: Error\n    threshold: {{operator: greaterThan, value: 0}}\n    \
             schedule: {{frequencyInMinutes: 5, timeWindowInMinutes: 5}}\n    query: Heartbeat\n"
        )
    };
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&["definition: First"]));
    let file = format!("definitions:\n{}{}", definition("First", "One."), definition("Second", "Two."));
    deployment.project.write("logAlertDefinitions.yml", &file);
    deployment.deploy(&cloud);
    let found = changed(&cloud, &deployment, "definition: Second");
    assert_eq!(found, [change("properties.description", Some("\"One.\""), Some("\"Two.\""))]);
}

#[test]
fn a_description_is_as_long_as_azure_takes() {
    let cloud = landing_zone();
    let with = |length: usize| OWN.replace("description: Mine", &format!("description: {}", "ü".repeat(length)));
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&[&with(4097)]));
    let outcome = deployment.deploy(&cloud);
    assert!(
        outcome
            .last_error()
            .failure
            .message
            .ends_with("alerts[0].description: 4097 characters are too many; a log alert takes at most 4096"),
        "{}",
        outcome.last_error().failure.message
    );
    assert!(cloud.requests().is_empty());
    deployment.rewrite(&log_alerts(&[&with(4096)]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
}
