//! Whose resource group it is: alert commands take over none of another document, and no document loses its rules by accident.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

const HEALTH_GROUP: &str = "resourceGroups/rg-resourcehealth-alerts-mon-3bd74222";

/// A health document of one publish name with rules of these names.
fn health(publish: &str, rules: &[&str]) -> String {
    let rules: String = rules.iter().map(|rule| format!("  - name: {rule}\n")).collect();
    let alerts = if rules.is_empty() { "alerts: []\n".to_owned() } else { format!("alerts:\n{rules}") };
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice: {{publish: {{resourceGroup: {publish}}}}}\n{alerts}"
    )
}

fn rules_of(cloud: &LocalCloud) -> usize {
    let prefix =
        in_subscription(&format!("{HEALTH_GROUP}/providers/microsoft.insights/activitylogalerts/")).to_lowercase();
    cloud.ids().iter().filter(|id| id.to_lowercase().starts_with(&prefix)).count()
}

/// Runs a document that has to end without a change, and returns its error: code, message and what to do.
fn refused(deployment: &Deployment, cloud: &LocalCloud, members: &Value) -> (String, String, String) {
    let before = cloud.requests().len();
    let outcome = deployment.deploy_with(cloud, members.clone());
    let failure = outcome.last_error();
    assert!(writes(&requests_after(cloud, before)).is_empty());
    (
        failure.failure.code.to_string(),
        failure.failure.message.clone(),
        failure.failure.recommendation.clone().unwrap_or_default(),
    )
}

#[test]
fn a_group_that_another_document_publishes_is_taken() {
    let cloud = landing_zone();
    Deployment::new(RESOURCE_HEALTH_ALERTS, &health("team-a", &["One"])).deploy(&cloud);
    let other = Deployment::new(RESOURCE_HEALTH_ALERTS, &health("team-b", &["One", "Two"]));
    for members in [json!({}), json!({"whatIf": true}), json!({"context": {"allowForeignDeletes": true}})] {
        assert_eq!(
            refused(&other, &cloud, &members),
            (
                "ResourceGroupTaken".to_owned(),
                "settings.yml:3:36: the resource group 'rg-resourcehealth-alerts-mon-3bd74222' is published as 'team-a', and this document would publish it as 'team-b': \
                 the two documents would delete each other's rules. Nothing was changed."
                    .to_owned(),
                "Use a resource group of its own: name an existing one in service.dependencies.resourceGroup, or give generated groups other names with a naming \
                 file. If only the publish name of this document has changed, set the tag svc-service of the group to 'team-b'."
                    .to_owned()
            )
        );
    }
    assert_eq!(rules_of(&cloud), 1);
    // Who is to have it says so by the tag.
    tamper(&cloud, HEALTH_GROUP, |group| group["tags"]["svc-service"] = json!("team-b"));
    assert_eq!(other.deploy(&cloud).summary(), "created 1, unchanged 2");
}

#[test]
fn a_group_that_nobody_publishes_is_published() {
    let cloud = landing_zone();
    let group = json!({"id": in_subscription(HEALTH_GROUP), "location": "uksouth", "tags": {"owner": "ops"}});
    cloud.import(&[group]).unwrap();
    let outcome = Deployment::new(RESOURCE_HEALTH_ALERTS, &health("team-a", &["One"])).deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("created 1, modified 1", 0));
    assert_eq!(resource(&cloud, HEALTH_GROUP)["tags"], json!({"owner": "ops", "svc-service": "team-a"}));
}

#[test]
fn a_plan_that_would_keep_none_of_several_rules_is_refused() {
    let cloud = landing_zone();
    let deployment = Deployment::new(RESOURCE_HEALTH_ALERTS, &health("team-a", &["One", "Two"]));
    deployment.deploy(&cloud);
    let production = json!({"context": {"environment": "production"}});
    let message = "settings.yml:3:36: the document has none of the 2 activity log alerts in the resource group 'rg-resourcehealth-alerts-mon-3bd74222', so all of them \
        would be deleted: 'alt-one-dev-uks-b200bb9b', 'alt-two-dev-uks-716d603e'. Nothing was changed.";
    let way_out = "If they are the rules of another document, or of this one in another environment, use a resource group of its own: name an existing one in \
        service.dependencies.resourceGroup, or give generated groups other names with a naming file. To delete them, set AllowForeignDeletes in the context; each \
        deletion is then planned and confirmed.";
    let expected = ("ResourceGroupTaken".to_owned(), message.to_owned(), way_out.to_owned());
    // The same document in another environment, another document of the same publish name, an empty list by accident.
    assert_eq!(refused(&deployment, &cloud, &production), expected);
    for rules in [&["Three", "Four"][..], &[]] {
        deployment.rewrite(&health("team-a", rules));
        assert_eq!(refused(&deployment, &cloud, &json!({})), expected);
        assert_eq!(refused(&deployment, &cloud, &json!({"whatIf": true})), expected);
    }
    // One that stays is enough, and so is the word of the user.
    deployment.rewrite(&health("team-a", &["Two", "Three"]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 2, deleted 1");
    deployment.rewrite(&health("team-a", &[]));
    let allowed = deployment.deploy_with(&cloud, json!({"context": {"allowForeignDeletes": true}}));
    assert_eq!(allowed.summary(), "unchanged 1, deleted 2");
    assert_eq!(rules_of(&cloud), 0);
}

#[test]
fn the_only_rule_of_a_group_may_go() {
    let cloud = landing_zone();
    let deployment = Deployment::new(RESOURCE_HEALTH_ALERTS, &health("team-a", &["One"]));
    deployment.deploy(&cloud);
    deployment.rewrite(&health("team-a", &[]));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 1, deleted 1");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 1");
}

#[test]
fn another_command_publishes_an_existing_group_anew_and_says_what_that_means() {
    let cloud = landing_zone();
    let document = |publish: &str| {
        format!(
            "location: UK South\nresourceGroupName: Shop\nservice: {{publish: {{resourceGroup: {publish}}}}}\nstorageAccounts:\n  - {{storageAccountName: Orders, accountType: Standard}}\n"
        )
    };
    let deployment = Deployment::new(STORAGE, &document("shop"));
    deployment.deploy(&cloud);
    deployment.rewrite(&document("store"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:20: the resource group 'rg-shop-iaas-99b8167f' is published as 'shop' and becomes 'store'; what depends on 'shop' no longer finds it."
        ]
    );
    assert_eq!(outcome.summary(), "modified 1, unchanged 1");
    assert_eq!(resource(&cloud, GROUP)["tags"]["svc-service"], "store");
    assert_eq!(deployment.deploy(&cloud).warnings(), [""; 0]);
}

#[test]
fn several_groups_of_a_name_are_an_error_unless_the_location_of_the_document_tells_them_apart() {
    let cloud = landing_zone();
    let west = published("resourceGroups/rg-west", "ukwest", "health", json!({}));
    cloud.import(&[group("rg-one", "health"), group("rg-two", "health"), west]).unwrap();
    let text = |service: &str, location: &str| {
        format!(
            "component: resourceHealthAlerts\nlocation: {location}\nservice: {{{service}: {{resourceGroup: health}}}}\nalerts: [{{name: One}}]\n"
        )
    };
    for (service, column) in [("dependencies", 41), ("publish", 36)] {
        let deployment = Deployment::new(RESOURCE_HEALTH_ALERTS, &text(service, "UK South"));
        assert_eq!(
            deployment.deploy(&cloud).failed_with(),
            (
                "ServiceAmbiguous",
                format!(
                    "settings.yml has 1 problem:\n[1] 3:{column} service.{service}.resourceGroup: several resource groups are published as 'health': {}, {}",
                    in_subscription("resourceGroups/rg-one"),
                    in_subscription("resourceGroups/rg-two")
                )
                .as_str()
            )
        );
        deployment.rewrite(&text(service, "UK West"));
        let rehearsed = deployment.rehearse(&cloud);
        assert_eq!(rehearsed.descriptions().len(), 1);
        assert!(
            rehearsed.descriptions()[0].ends_with(" in resource group 'rg-west'."),
            "{:?}",
            rehearsed.descriptions()
        );
    }
}

#[test]
fn a_group_has_a_region() {
    let cloud = landing_zone();
    let text = |service: &str| {
        format!(
            "component: resourceHealthAlerts\nlocation: Global\nservice: {{{service}: {{resourceGroup: landing-zone}}}}\nalerts: [{{name: One}}]\n"
        )
    };
    let before = cloud.requests().len();
    let outcome = Deployment::new(RESOURCE_HEALTH_ALERTS, &text("publish")).deploy(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "SettingsInvalid",
            "settings.yml has 1 problem:\n[1] 2:11 location: a resource group cannot be in Global; use a region, such as uksouth"
        )
    );
    assert_eq!(cloud.requests().len(), before);
    // A group that is there, and is not made, is where it is.
    let outcome = Deployment::new(RESOURCE_HEALTH_ALERTS, &text("dependencies")).rehearse(&cloud);
    assert_eq!(outcome.last_error().failure.code.as_str(), "CompleteModeWouldDelete");
}
