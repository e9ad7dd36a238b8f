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
    let expected = "component: metricAlerts
location: uksouth
service:
  publish:
    resourceGroup: metric-alerts
groups:
";
    assert!(text.contains(expected), "{text}");
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
            "The metric alert '{name}' is left out: the action group 'ag-on-call' has no publish name; give it the tag svc-service, and export again."
        )
    );
    assert!(warnings[1].starts_with("A plan of the document is not empty: Delete "), "{warnings:#?}");
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
    let text = whole(LOG_ALERTS, "logAlerts", &group, &cloud);
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
