//! The resource group of log alerts: it holds exactly those of the document, however many there are.

use serde_json::json;
use svc_engine::protocol::ActionKind;

use crate::alerts::log_rules::{RULES, log_alerts};
use crate::support::estate::*;
use crate::support::*;

const GROUP: &str = "resourceGroups/rg-log-alerts-mon-b215e283";

#[test]
fn an_alert_that_is_taken_out_is_a_planned_deletion() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&["definition: VM_Reboot", "definition: Corrupt_NTFS"]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 3");
    deployment.rewrite(&log_alerts(&["definition: VM_Reboot"]));
    let rehearsed = deployment.rehearse(&cloud);
    assert_eq!(rehearsed.plan().iter().map(|action| action.action).collect::<Vec<_>>(), [ActionKind::Delete]);
    let path = format!("{RULES}/{}", rehearsed.plan()[0].resource.name);
    assert!(path.contains("/alt-log-servers-compute-1-dev-uks-"), "{path}");
    resource(&cloud, &path);
    assert_eq!(deployment.deploy_approving(&cloud, |_| false).summary(), "unchanged 2, skipped 1");
    resource(&cloud, &path);
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2, deleted 1");
    assert!(cloud.resource(&in_subscription(&path)).is_none());
}

#[test]
fn an_account_put_into_the_group_by_hand_stops_the_command_before_any_change() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&["definition: VM_Reboot"]));
    deployment.deploy(&cloud);
    let id = in_subscription(&format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/stbyhand"));
    let account = json!({"id": id, "location": "uksouth", "sku": {"name": "Standard_LRS"}, "kind": "StorageV2", "properties": {}});
    cloud.import(&[account]).unwrap();
    deployment.rewrite(&log_alerts(&["definition: VM_Reboot\nseverity: Error", "definition: Corrupt_NTFS"]));
    let before = cloud.requests().len();
    let (code, message) = {
        let outcome = deployment.deploy(&cloud);
        let report = outcome.last_error();
        (report.failure.code.as_str().to_owned(), report.failure.message.clone())
    };
    assert_eq!(code, "CompleteModeWouldDelete");
    assert!(message.ends_with("may contain only the log alerts of the document, but contains 1 other resource: Microsoft.Storage/storageAccounts 'stbyhand'. Nothing was changed."), "{message}");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    let allowed = deployment.deploy_with(&cloud, json!({"context": {"allowForeignDeletes": true}}));
    assert_eq!(allowed.summary(), "created 1, modified 1, unchanged 1, deleted 1");
}

/// 15 alerts to a set.
fn many(sets: usize, alerts: usize) -> String {
    let mut text = "component: logAlerts\nlocation: UK South\nservice:\n  dependencies: {workspace: central-logs, actionGroups: [ops-team, on-call]}\n  \
        publish: {resourceGroup: logs, logAlert: many}\ngroups:\n  - name: Many\n    alertSets:\n"
        .to_owned();
    for set in 0..sets {
        text.push_str(&format!("      - type: VirtualMachines\n        name: Set{set}\n        alerts:\n"));
        for alert in 0..alerts {
            text.push_str(&format!(
                "          - {{name: Alert{alert}, definition: High_CPU_Usage_Percent, parameters: {{_minPercentage: {alert}}}, exclusions: [maintenance]}}\n"
            ));
        }
    }
    text
}

#[test]
fn three_hundred_alerts_in_twenty_sets_converge_with_the_reads_of_three() {
    let reads = |text: &str, alerts: usize| {
        let cloud = landing_zone();
        let deployment = Deployment::new(LOG_ALERTS, text);
        assert_eq!(deployment.deploy(&cloud).summary(), format!("created {}", alerts + 1));
        let before = cloud.requests().len();
        let second = deployment.deploy(&cloud);
        assert_eq!(second.summary(), format!("unchanged {}", alerts + 1));
        let requests = requests_after(&cloud, before);
        assert!(writes(&requests).is_empty());
        requests.len()
    };
    assert_eq!(reads(&many(20, 15), 300), reads(&many(1, 3), 3));
}
