//! Documents of alert rules.

use serde_json::json;

use super::*;
use crate::support::estate::*;

fn example(command: &str, file: &str) -> (LocalCloud, String) {
    let cloud = landing_zone();
    deploy(command, &std::fs::read_to_string(repository("examples").join(file)).unwrap(), &cloud);
    let is_rule =
        |id: &String| id.to_ascii_lowercase().contains("/providers/microsoft.insights/") && id.contains("/alt-");
    let rule = cloud.ids().into_iter().find(is_rule).unwrap();
    let group = rule.split('/').nth(4).unwrap().to_owned();
    (cloud, group)
}

fn rule(cloud: &LocalCloud, part: &str) -> String {
    let id = cloud.ids().into_iter().find(|id| id.contains("/alt-") && id.contains(part)).unwrap();
    id.trim_start_matches(&in_subscription("")).to_owned()
}

#[test]
fn metric_rules_get_their_places_again() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    let text = whole(METRIC_ALERTS, "metricAlerts", &group, &cloud);
    // What all rules have is said once, as in the document that they come from.
    let expected = "component: metricAlerts
location: uksouth
service:
  publish:
    resourceGroup: metric-alerts
    metricAlert: metrics
groups:
";
    assert!(text.contains(expected), "{text}");
    assert_eq!(text.matches("metricAlert:").count(), 1, "{text}");
    for part in [
        "      - resourceType: Microsoft.Compute/virtualMachines\n        alerts:\n          - name: cpu\n",
        "                dimensions:\n                  - name: ApiName\n",
        "                targetResources:\n                  - central-files\n",
        "                actionGroups:\n                  - on-call\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn health_rules_say_what_they_report() {
    let (cloud, group) = example(RESOURCE_HEALTH_ALERTS, "resource-health-alerts.yml");
    let text = whole(RESOURCE_HEALTH_ALERTS, "resourceHealthAlerts", &group, &cloud);
    let expected = "    eventStatus:
      - Active
      - In Progress
    reasonType:
      - Platform Initiated
      - Unknown
    healthStatus:
      current:
        - Degraded
        - Unavailable
      previous:
        - Available
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn log_rules_name_their_definitions_again() {
    let (cloud, group) = example(LOG_ALERTS, "log-alerts.yml");
    let text = whole(LOG_ALERTS, "logAlerts", &group, &cloud);
    for part in [
        "definition: VM_NonResponsive\n",
        "            parameters:\n              '_minPercentage': 90\n              '_timeWindow': 30m\n",
        "            exclusions:\n              - maintenance\n",
        "              emailSubject: A backup failed\n",
        "            query: |",
        "              mins: 120\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// The plan of a document without a rule would delete it, so it is said what is left out, and that.
#[test]
fn a_rule_that_cannot_be_said_is_told_with_what_would_become_of_it() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    let action_group = format!("{LANDING_ZONE}/providers/Microsoft.Insights/actionGroups/ag-on-call");
    tamper(&cloud, &action_group, |body| body["tags"] = json!({}));
    let outcome = export("metricAlerts", &group, &cloud);
    let warnings = outcome.warnings();
    let name = rule(&cloud, "storage-files").rsplit('/').next().unwrap().to_owned();
    assert_eq!(
        warnings[0],
        format!(
            "The metric alert '{name}' is left out: the action group 'ag-on-call' has no publish name; export again with -Tag, or give it the tag svc-service before."
        )
    );
    assert!(warnings[1].starts_with("A plan of the document is not empty: Delete "), "{warnings:#?}");
    assert_eq!(outcome.document().matches("Delete ").count(), 1, "{}", outcome.document());
    assert_eq!(outcome.differences(), &warnings[1..]);
    assert_eq!(plan_of(METRIC_ALERTS, &outcome, &cloud).descriptions().len(), 1);
}

/// A condition as Azure's documents have it ("Create or update rule - Subscription", examples of scheduledQueryRules).
#[test]
fn a_rule_that_aggregates_a_column_says_so() {
    let (cloud, group) = example(LOG_ALERTS, "log-alerts.yml");
    tamper(&cloud, &rule(&cloud, "failed-0"), |body| {
        let condition = &mut body["properties"]["criteria"]["allOf"][0];
        condition["query"] = json!("Perf | where ObjectName == \"Processor\"");
        condition["timeAggregation"] = json!("Average");
        condition["metricMeasureColumn"] = json!("% Processor Time");
        condition["resourceIdColumn"] = json!("resourceId");
        condition["threshold"] = json!(70.5);
    });
    let outcome = export("logAlerts", &group, &cloud);
    let (text, warnings) = (outcome.document(), outcome.warnings());
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(warnings[0].ends_with(": properties.criteria.allOf[0].resourceIdColumn \"resourceId\"."), "{warnings:#?}");
    assert_eq!(plan_of(LOG_ALERTS, &outcome, &cloud).descriptions(), Vec::<&str>::new(), "{text}");
    let expected =
        "              value: 70.5\n            measure: '% Processor Time'\n            timeAggregation: Average\n";
    assert!(text.contains(expected), "{text}");
}

/// A query that nobody has in a definition is the alert's own.
#[test]
fn a_query_that_was_changed_by_hand_is_written_as_it_is() {
    let (cloud, group) = example(LOG_ALERTS, "log-alerts.yml");
    tamper(&cloud, &rule(&cloud, "failed-0"), |body| {
        body["properties"]["criteria"]["allOf"][0]["query"] = json!("Event\n| where EventID == 1 and Source == \"x\"");
        body["properties"]["severity"] = json!(4);
    });
    let text = whole(LOG_ALERTS, "logAlerts", &group, &cloud);
    assert!(text.contains("              | where EventID == 1 and Source == \"x\"\n"), "{text}");
    assert!(text.contains("            severity: Verbose\n"), "{text}");
}

/// The portal calls criteria `Metric1` and so on; Azure prints enumerations in letter cases of its own.
#[test]
fn a_metric_rule_of_the_portal_is_adopted() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    for (part, names) in [("compute-", ["Metric1", ""]), ("storage-files", ["Metric2", "Alert Criteria 0"])] {
        tamper(&cloud, &rule(&cloud, part), |body| {
            let criteria = body["properties"]["criteria"]["allOf"].as_array_mut().unwrap();
            for (criterion, name) in criteria.iter_mut().zip(names) {
                criterion["name"] = json!(name);
                for key in ["operator", "timeAggregation", "criterionType"] {
                    criterion[key] = json!(criterion[key].as_str().unwrap().to_ascii_lowercase());
                }
            }
        });
    }
    whole(METRIC_ALERTS, "metricAlerts", &group, &cloud);
    // In another order, each is known again by what it says.
    tamper(&cloud, &rule(&cloud, "storage-files"), |body| {
        body["properties"]["criteria"]["allOf"].as_array_mut().unwrap().reverse();
    });
    let text = std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap();
    let project = Project::with(&text);
    assert_eq!(super::planned(METRIC_ALERTS, &project.path("storage.yml"), &cloud).descriptions(), Vec::<&str>::new());
}

/// A change of an adopted rule keeps the names, and a new condition gets one that is free.
#[test]
fn an_adopted_rule_keeps_the_names_of_its_criteria() {
    let (cloud, _) = example(METRIC_ALERTS, "metric-alerts.yml");
    let files = rule(&cloud, "storage-files");
    tamper(&cloud, &files, |body| {
        body["properties"]["criteria"]["allOf"].as_array_mut().unwrap().truncate(1);
        body["properties"]["criteria"]["allOf"][0]["name"] = json!("Alert Criteria 1");
        body["properties"]["criteria"]["allOf"][0]["threshold"] = json!(98);
    });
    deploy(METRIC_ALERTS, &std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap(), &cloud);
    let body = resource(&cloud, &files);
    let criteria = body["properties"]["criteria"]["allOf"].as_array().unwrap();
    let told: Vec<_> =
        criteria.iter().map(|of| (of["name"].as_str().unwrap(), of["metricName"].as_str().unwrap())).collect();
    assert_eq!(told, [("Alert Criteria 1", "Availability"), ("Alert Criteria 0", "Transactions")]);
}

/// What no key of a document would change is told once in its head, as a plan says it, and at the rule.
#[test]
fn what_a_plan_would_change_is_told_at_the_rule() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    let id = rule(&cloud, "compute-");
    tamper(&cloud, &id, |body| {
        body["properties"]["autoMitigate"] = json!(false);
        body["properties"]["actions"][0]["webHookProperties"] = json!({"team": "shop"});
    });
    let outcome = export("metricAlerts", &group, &cloud);
    let (text, name) = (outcome.document(), id.rsplit('/').next().unwrap());
    let head = format!("Change metric alert '{name}' in resource group '{group}': autoMitigate false -> true.");
    assert_eq!(outcome.differences(), [format!("A plan of the document is not empty: {head}")]);
    let unwrapped = text.lines().map(|line| line.trim_start_matches([' ', '#'])).collect::<Vec<_>>().join(" ");
    assert_eq!(unwrapped.matches(&head).count(), 1, "{text}");
    assert!(
        text.contains("          # A plan would change this: autoMitigate false -> true.\n          - name: cpu\n"),
        "{text}"
    );
    assert!(unwrapped.contains(".webHookProperties.team \"shop\"."), "{text}");
    assert!(!text.contains("A plan of it changes nothing"), "{text}");
    assert_eq!(plan_of(METRIC_ALERTS, &outcome, &cloud).descriptions().len(), 1);
}

/// A key whose absence changes nothing stays in the document.
#[test]
fn what_does_not_help_is_not_left_out() {
    let (cloud, group) = example(LOG_ALERTS, "log-alerts.yml");
    tamper(&cloud, &rule(&cloud, "failed-0"), |body| {
        body["properties"]["autoMitigate"] = json!(true);
        body["properties"]["muteActionsDuration"] = json!(null);
        body["properties"]["ruleResolveConfiguration"] = json!({"autoResolved": true, "timeToResolve": "PT10M"});
    });
    let outcome = export("logAlerts", &group, &cloud);
    let text = outcome.document();
    assert!(text.contains("            autoMitigate: true\n"), "{text}");
    assert!(!text.contains("Left out"), "{text}");
    assert_eq!(outcome.differences().len(), 1, "{:#?}", outcome.differences());
    assert!(outcome.differences()[0].contains("ruleResolveConfiguration"), "{:#?}", outcome.differences());
}

/// The number in a name is a place in a set: where a rule is left out, those after it are not given the names of others.
#[test]
fn a_rule_that_is_not_valid_moves_no_other() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    let text = std::fs::read_to_string(repository("examples/metric-alerts.yml")).unwrap();
    let alert = text.split_once("        alerts:\n").unwrap().1.split_once("\n  - name: Storage").unwrap().0;
    deploy(METRIC_ALERTS, &text.replace(alert, &format!("{alert}{}", alert.replace("Cpu", "Memory"))), &cloud);
    tamper(&cloud, &rule(&cloud, "servers-cpu-0"), |body| {
        body["properties"]["criteria"]["allOf"][0]["operator"] = json!("OfALaterVersion");
    });
    let outcome = export("metricAlerts", &group, &cloud);
    let warnings = outcome.warnings().join("\n");
    assert!(warnings.contains("is left out: 'OfALaterVersion' is not valid; use "), "{warnings}");
    assert!(warnings.contains("is left out: the number at the end of its name is its position"), "{warnings}");
    let plan = plan_of(METRIC_ALERTS, &outcome, &cloud);
    let descriptions = plan.descriptions();
    assert!(
        descriptions.len() == 2 && descriptions.iter().all(|text| text.starts_with("Delete ")),
        "{descriptions:#?}"
    );
}

/// Azure prints enumerations in letter cases of its own.
#[test]
fn a_log_rule_in_another_letter_case_is_adopted() {
    let (cloud, group) = example(LOG_ALERTS, "log-alerts.yml");
    let id = rule(&cloud, "failed-0");
    tamper(&cloud, &id, |body| {
        let condition = &mut body["properties"]["criteria"]["allOf"][0];
        condition["query"] = json!("Event\n| where EventID == 1");
        condition["operator"] = json!("greaterThan");
        condition["timeAggregation"] = json!("COUNT");
    });
    let text = whole(LOG_ALERTS, "logAlerts", &group, &cloud);
    assert!(text.contains("operator: greaterThan\n"), "{text}");
}

/// Only what reports the health of resources of the whole subscription is a resource health alert.
#[test]
fn activity_log_alerts_of_other_kinds_are_left_out() {
    let category = |category: &str| json!([{"field": "category", "equals": category}]);
    let health_and = |more: serde_json::Value| json!([{"field": "category", "equals": "ResourceHealth"}, more]);
    for (conditions, scope, why) in [
        (
            category("ServiceHealth"),
            None,
            "it reports events of the category ServiceHealth, and not the health of resources",
        ),
        (json!([]), None, "it reports events of every category, and not only the health of resources"),
        (
            health_and(json!({"field": "level", "equals": "Error"})),
            None,
            "it has a condition on 'level', which the settings do not have",
        ),
        (
            health_and(json!({"field": "resourceType", "containsAny": ["a/b"]})),
            None,
            "it has a condition on 'resourceType' that the settings cannot say",
        ),
        (
            category("ResourceHealth"),
            Some("/resourceGroups/rg-landing-zone"),
            "its scope is '{scope}', and a rule of the settings watches the whole subscription",
        ),
    ] {
        let (cloud, group) = example(RESOURCE_HEALTH_ALERTS, "resource-health-alerts.yml");
        let id = rule(&cloud, "anything");
        let scope = in_subscription("").trim_end_matches('/').to_owned() + scope.unwrap_or_default();
        tamper(&cloud, &id, |body| {
            body["properties"]["condition"]["allOf"] = conditions;
            body["properties"]["scopes"] = json!([scope]);
        });
        let outcome = export("resourceHealthAlerts", &group, &cloud);
        let name = id.rsplit('/').next().unwrap();
        let why = format!("The activity log alert '{name}' is left out: {}.", why.replace("{scope}", &scope));
        assert_eq!(outcome.warnings()[0], why);
        assert!(!outcome.document().contains("- name: anything-unavailable"), "{}", outcome.document());
        let descriptions = plan_of(RESOURCE_HEALTH_ALERTS, &outcome, &cloud);
        let descriptions = descriptions.descriptions();
        assert!(descriptions.len() == 1 && descriptions[0].starts_with("Delete "), "{descriptions:#?}");
    }
}

/// One value, whether as that or as "any of" one, and a scope without its first slash: both are documented.
#[test]
fn a_health_rule_in_another_form_is_the_same() {
    let (cloud, group) = example(RESOURCE_HEALTH_ALERTS, "resource-health-alerts.yml");
    tamper(&cloud, &rule(&cloud, "anything"), |body| {
        let leaf = body["properties"]["condition"]["allOf"][1]["anyOf"][0].take();
        body["properties"]["condition"]["allOf"][1] = leaf;
        let scope = body["properties"]["scopes"][0].as_str().unwrap().trim_start_matches('/').to_owned();
        body["properties"]["scopes"] = json!([scope]);
    });
    let text = whole(RESOURCE_HEALTH_ALERTS, "resourceHealthAlerts", &group, &cloud);
    assert!(text.contains("- Unavailable\n"), "{text}");
}

/// A name that one rule does not have is no name of the document: it would get it.
#[test]
fn what_not_all_rules_have_stays_at_each() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    tamper(&cloud, &rule(&cloud, "storage-files"), |body| body["properties"]["actions"] = json!([]));
    tamper(&cloud, &rule(&cloud, "cpu"), |body| body["tags"] = json!({"svc-service": "cpu-rule"}));
    let text = whole(METRIC_ALERTS, "metricAlerts", &group, &cloud);
    let (root, rules) = text.split_once("groups:\n").unwrap();
    assert!(!root.contains("actionGroups") && !root.contains("metricAlert:"), "{text}");
    assert!(rules.contains("- ops-team") && rules.matches("metricAlert: cpu-rule").count() == 1, "{text}");
}

#[test]
fn what_all_rules_notify_is_said_once() {
    let (cloud, group) = example(METRIC_ALERTS, "metric-alerts.yml");
    let action_group = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Insights/actionGroups/ag-on-call"));
    for name in ["storage-files", "cpu"] {
        let actions = json!([{ "actionGroupId": action_group }]);
        tamper(&cloud, &rule(&cloud, name), |body| body["properties"]["actions"] = actions);
    }
    let text = whole(METRIC_ALERTS, "metricAlerts", &group, &cloud);
    assert!(text.contains("service:\n  dependencies:\n    actionGroups:\n      - on-call\n  publish:\n"), "{text}");
    assert_eq!(text.matches("on-call").count(), 1, "{text}");
}
