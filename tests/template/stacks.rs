//! Templates for deployment stacks.

use serde_json::json;

use super::*;
use crate::support::examples::documents;

#[test]
fn a_stack_is_only_for_alerts() {
    for example in documents() {
        let made = make_example(&example, &zone_of(&example), json!({"stack": true}));
        if is_of_alerts(&example) {
            let mut made: Vec<&str> = types(made.template()).into_iter().collect();
            made.retain(|kind| *kind != "Microsoft.Resources/resourceGroups");
            assert_eq!(made.len(), 1, "only rules: {made:?}");
        } else {
            assert_eq!(made.outcome.failed_with().0, "TemplateImpossible");
        }
    }
}

#[test]
fn rules_in_the_group_of_others_are_a_stack_of_that_group() {
    let cloud = landing_zone();
    let example = documents().into_iter().find(|example| example.file == "resource-health-alerts.yml").unwrap();
    let own = "  publish:\n    resourceGroup: resource-health-alerts\n";
    assert!(example.text().contains(own));
    let text = example.text().replace(own, "    resourceGroup: health-alerts\n  publish:\n");
    cloud.import(&[group("rg-rules", "health-alerts")]).unwrap();
    let made = make_of(&text, &cloud, json!({"stack": true}));
    let calls: Vec<&str> = made.report().calls.iter().map(|call| call.command.as_str()).collect();
    assert_eq!(
        calls,
        [
            "az stack group create --name svc-storage --resource-group rg-rules --template-file template.json --action-on-unmanage \
             deleteResources --deny-settings-mode none",
            "New-AzResourceGroupDeploymentStack -Name svc-storage -ResourceGroupName rg-rules -TemplateFile template.json \
             -ActionOnUnmanage DeleteResources -DenySettingsMode None",
        ]
    );
    assert_eq!(types(made.template()).into_iter().collect::<Vec<_>>(), ["Microsoft.Insights/activityLogAlerts"]);
    assert_eq!(parts(made.template()).len(), 1, "nothing is nested");
    let warned = made.outcome.warnings().join("\n");
    assert!(warned.contains("those that it never managed stay, and the command would delete them"), "{warned}");
    // The same group as a template, which would take its tags.
    let whole = make_of(&text, &cloud, json!({}));
    assert!(!types(whole.template()).contains("Microsoft.Resources/resourceGroups"), "the group is that of others");
}

#[test]
fn the_own_group_keeps_its_publish_name() {
    let cloud = landing_zone();
    let example = documents().into_iter().find(|example| example.file == "resource-health-alerts.yml").unwrap();
    let before = make_example(&example, &cloud, json!({})).template().clone();
    let deployed = Deployment::new(example.command, &example.text()).deploy(&cloud);
    assert_eq!(deployed.counts().failed, 0);
    assert_eq!(
        make_example(&example, &cloud, json!({})).template(),
        &before,
        "the template does not depend on what is deployed"
    );
}
