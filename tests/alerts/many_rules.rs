//! Documents with many alert rules: they converge, and what is read does not grow with them.

use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

/// Metric rules in sets of `alerts` each, alternating between servers and an account.
fn metric_alerts(sets: usize, alerts: usize) -> String {
    let mut text = "component: metricAlerts\nlocation: UK South\nservice:\n  dependencies: {actionGroups: [ops-team, on-call]}\n  \
        publish: {resourceGroup: many, metricAlert: many}\ngroups:\n  - name: Many\n    alertSets:\n"
        .to_owned();
    for set in 0..sets {
        let (resource_type, metric, target) = if set % 2 == 0 {
            ("Microsoft.Compute/virtualMachines", "Percentage CPU", "shop-servers")
        } else {
            ("Microsoft.Storage/storageAccounts", "Transactions", "central-files")
        };
        text.push_str(&format!("      - resourceType: {resource_type}\n        name: Set{set}\n        alerts:\n"));
        for alert in 0..alerts {
            text.push_str(&format!(
                "          - name: Alert{alert}\n            conditions: [{{metricName: {metric}, threshold: {{operator: GreaterThan, value: {alert}, timeAggregation: Average}}}}]\n            \
                 service: {{dependencies: {{targetResources: [{target}]}}}}\n"
            ));
        }
    }
    text
}

/// Health rules of the whole subscription.
fn health_alerts(alerts: usize) -> String {
    let rules: String = (0..alerts).map(|alert| format!("  - name: Alert{alert}\n")).collect();
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice:\n  dependencies: {{actionGroups: [ops-team]}}\n  publish: {{resourceGroup: many}}\nalerts:\n{rules}"
    )
}

/// Deploys a document twice. Returns what the two runs read: all but the requests that change something and what follows them.
fn reads(command: &'static str, text: &str, alerts: usize) -> (usize, usize) {
    let cloud: LocalCloud = landing_zone();
    let deployment = Deployment::new(command, text);
    let reads = |before: usize| {
        let requests = requests_after(&cloud, before);
        requests.iter().filter(|request| request.method == "GET" && !request.url.contains("/operation")).count()
    };
    let before = cloud.requests().len();
    let first = deployment.deploy(&cloud);
    assert_eq!(first.summary(), format!("created {}", alerts + 1));
    let first = reads(before);
    let before = cloud.requests().len();
    let second = deployment.deploy(&cloud);
    assert_eq!(second.summary(), format!("unchanged {}", alerts + 1));
    assert_eq!(second.warnings(), [""; 0]);
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    (first, reads(before))
}

#[test]
fn three_hundred_metric_rules_in_twenty_sets_converge_with_the_reads_of_three() {
    let few = reads(METRIC_ALERTS, &metric_alerts(3, 1), 3);
    assert_eq!(reads(METRIC_ALERTS, &metric_alerts(20, 15), 300), few);
}

#[test]
fn sixty_health_rules_converge_with_the_reads_of_three() {
    let few = reads(RESOURCE_HEALTH_ALERTS, &health_alerts(3), 3);
    assert_eq!(reads(RESOURCE_HEALTH_ALERTS, &health_alerts(60), 60), few);
}
