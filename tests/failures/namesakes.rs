//! Publish names that several things have, or that cannot be: told in the plan, before anything depends on them.

use serde_json::json;

use crate::environment::run_deployment;
use crate::support::estate::*;
use crate::support::*;

const ACCOUNT: &str = "stordersdb8e13ec";

fn published_document(lines: &str) -> String {
    format!(
        "location: UK South\nresourceGroupName: Shop\n{lines}storageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n"
    )
}

#[test]
fn a_publish_name_that_somebody_else_carries_is_told() {
    let (cloud, project) =
        (cloud(), Project::with(&published_document("service: {publish: {storage: files, resourceGroup: shop}}\n")));
    assert!(project.deploy(&cloud).warnings().is_empty());
    // Another type, another name and what is the document's own are nobody else's.
    let theirs = |path: &str, service: &str| published(path, "uksouth", service, json!({}));
    let account = "resourceGroups/rg-theirs/providers/Microsoft.Storage/storageAccounts/sttheirs";
    let vault = "resourceGroups/rg-theirs/providers/Microsoft.KeyVault/vaults/kv-theirs";
    cloud.import(&[group("rg-theirs", "theirs"), theirs(vault, "files")]).unwrap();
    assert!(project.deploy(&cloud).warnings().is_empty());
    let mut body = theirs(account, "files");
    body["sku"] = json!({"name": "Standard_LRS"});
    body["kind"] = json!("StorageV2");
    cloud.import(&[body, group("rg-more", "shop")]).unwrap();
    for outcome in [project.rehearse(&cloud), project.deploy(&cloud)] {
        assert_eq!(
            outcome.warnings(),
            [
                format!(
                    "storage.yml:3:52: service.publish.resourceGroup: the publish name 'shop' is already used by the resource group '{}'; \
                     a dependency on it finds several",
                    in_subscription("resourceGroups/rg-more")
                ),
                format!(
                    "storage.yml:3:30: service.publish.storage: the publish name 'files' is already used by the storage account '{}'; \
                     a dependency on it finds several",
                    in_subscription(account)
                ),
            ]
        );
    }
    assert!(
        cloud
            .resource(&in_subscription(&format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/{ACCOUNT}")))
            .is_some()
    );
}

/// An export writes a document for each command, and one publish name may be in several of them.
#[test]
fn a_publish_name_of_several_documents_of_a_run_is_told_only_where_one_is_deployed_alone() {
    let cloud = cloud();
    let folder = tempfile::tempdir().unwrap();
    let document = |name: &str| {
        let text =
            published_document("service: {publish: {storage: files}}\n").replace("Orders", name).replace("Shop", name);
        std::fs::write(folder.path().join(format!("{name}.yml")), format!("component: storage\n{text}")).unwrap();
    };
    ["Orders", "Returns"].into_iter().for_each(document);
    let run = |path: &str| {
        run_deployment(&json!({
            "settingsFiles": [folder.path().join(path)],
            "context": { "cloud": cloud.endpoint() },
            "environment": {},
        }))
    };
    for outcome in [run(""), run("")] {
        assert!(outcome.errors().is_empty() && outcome.warnings().is_empty(), "{outcome:?}");
    }
    let alone = run("Orders.yml");
    let [warning] = alone.warnings()[..] else { panic!("{alone:?}") };
    assert!(warning.contains("the publish name 'files' is already used by the storage account"), "{warning}");
}

#[test]
fn a_publish_name_that_no_tag_holds_is_refused_with_its_place() {
    let cloud = cloud();
    let document =
        |length: usize| published_document(&format!("service: {{publish: {{storage: {}}}}}\n", "x".repeat(length)));
    let outcome = Project::with(&document(257)).deploy(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "SettingsInvalid",
            "storage.yml has 1 problem:\n[1] 3:30 service.publish.storage: the publish name has 257 characters; it is the value of a tag, which can have at most 256"
        )
    );
    assert!(cloud.requests().is_empty());
    assert_eq!(Project::with(&document(256)).deploy(&cloud).summary(), "created 2");
}

/// A document of health alerts for a group by this line.
fn health(line: &str) -> String {
    format!(
        "component: resourceHealthAlerts\nlocation: UK South\nservice: {{{line}}}\nalerts:\n  - name: Health\n    healthStatus: {{current: [Unavailable]}}\n"
    )
}

#[test]
fn a_group_that_several_are_published_as_is_ambiguous_unless_the_location_tells_them_apart() {
    let both = "[1] 3:";
    for (line, place) in [
        ("dependencies: {resourceGroup: ops}", "26 service.dependencies.resourceGroup"),
        ("publish: {resourceGroup: ops}", "36 service.publish.resourceGroup"),
    ] {
        let cloud = landing_zone();
        cloud.import(&[group("rg-one", "ops"), group("rg-two", "ops")]).unwrap();
        let deployment = Deployment::new(RESOURCE_HEALTH_ALERTS, &health(line));
        for outcome in [deployment.rehearse(&cloud), deployment.deploy(&cloud)] {
            let (code, message) = outcome.failed_with();
            assert_eq!(code, "ServiceAmbiguous", "{message}");
            assert_eq!(message.matches(both).count(), 1, "{message}");
            let (path, ids) = (place.split_once(' ').unwrap().1, ["rg-one", "rg-two"]);
            assert!(
                message.contains(&format!("{path}: several resource groups are published as 'ops': ")),
                "{message}"
            );
            assert!(
                ids.iter().all(|id| message.contains(&in_subscription(&format!("resourceGroups/{id}")))),
                "{message}"
            );
        }
        assert!(writes(&cloud.requests()).is_empty());
        // One of them is where the document is.
        let mut elsewhere = group("rg-two", "ops");
        elsewhere["location"] = json!("westeurope");
        cloud.import(&[elsewhere]).unwrap();
        let outcome = deployment.rehearse(&cloud);
        assert!(outcome.errors().is_empty(), "{line}: {:#?}", outcome.errors());
        assert!(
            outcome.plan().iter().all(|action| action.resource.resource_group.as_deref() == Some("rg-one")),
            "{line}"
        );
    }
}
