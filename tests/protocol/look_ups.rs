//! The resource group by its publish name: found, missing, ambiguous; and how listings are read.

use serde_json::{Value, json};
use svc_engine::protocol::ErrorCategory;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::{BASTION_HOSTS, Deployment, landing_zone, network_id};
use crate::support::*;

/// A document whose account goes into the group that is published as `shop-group`.
const DOCUMENT: &str = "\
location: UK South
service:
  dependencies:
    resourceGroup: shop-group
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
    queue: [orders]
";

fn group(name: &str, tags: Value) -> Value {
    json!({"id": in_subscription(&format!("resourceGroups/{name}")), "location": "ukwest", "tags": tags})
}

fn import(cloud: &LocalCloud, groups: &[Value]) {
    cloud.import(groups).unwrap();
}

#[test]
fn the_group_is_found_by_its_publish_name_and_left_alone() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    import(
        &cloud,
        &[group("Existing", json!({"svc-service": "shop-group"})), group("other", json!({"svc-service": "other"}))],
    );
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 2");
    assert!(outcome.warnings().is_empty());
    let account = "resourceGroups/Existing/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec";
    assert_eq!(resource(&cloud, account)["location"], "uksouth");
    let before = cloud.requests().len();
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 2");
    let reads = shown(&requests_after(&cloud, before));
    assert_eq!(
        reads,
        [
            "GET resources",
            "GET resourcegroups",
            "GET resourceGroups/Existing/providers/Microsoft.Storage/storageAccounts",
            &format!("GET {account}/queueServices/default/queues"),
        ]
    );
    let index = &requests_after(&cloud, before)[0].url;
    assert!(index.contains("tagName%20eq%20%27svc%2Dservice%27"), "the index is filtered by the tag: {index}");
}

#[test]
fn a_service_that_is_not_found_fails_before_anything_is_changed() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    let missing = |groups: &[Value]| {
        import(&cloud, groups);
        let outcome = project.deploy(&cloud);
        let report = outcome.last_error();
        assert_eq!(
            (report.failure.code.as_str(), report.failure.category),
            ("ServiceNotFound", ErrorCategory::ObjectNotFound)
        );
        assert_eq!(
            report.failure.recommendation.as_deref(),
            Some(
                "Check the name, the subscription and the tag key of the context. Dependencies must be deployed and published first."
            )
        );
        assert!(outcome.plan().is_empty());
        report.failure.message.clone()
    };
    assert_eq!(
        missing(&[]),
        "storage.yml has 1 problem:\n[1] 4:20 service.dependencies.resourceGroup: no resource group in this subscription is published as 'shop-group'"
    );
    // Another tag key, another case of the value, and resources that are no groups do not count.
    let account = json!({"id": in_subscription("resourceGroups/a/providers/Microsoft.Storage/storageAccounts/other"), "location": "uksouth",
        "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "tags": {"svc-service": "shop-group"}});
    let near = [
        group("a", json!({"cm-service": "shop-group"})),
        group("b", json!({"svc-service": "Shop-Group"})),
        group("c", json!({"svc-service": "shop-grop"})),
        account,
    ];
    assert_eq!(
        missing(&near),
        "storage.yml has 1 problem:\n[1] 4:20 service.dependencies.resourceGroup: no resource group in this subscription is published as 'shop-group', did you mean 'Shop-Group'?"
    );
    assert!(writes(&cloud.requests()).is_empty());
}

/// Azure goes on listing a group, and a network, while it deletes them.
#[test]
fn what_is_being_deleted_is_not_found() {
    let listed = |state: &str| {
        let group = with(
            group("Existing", json!({"svc-service": "shop-group"})),
            json!({"name": "Existing",
            "type": "Microsoft.Resources/resourceGroups", "properties": {"provisioningState": state}}),
        );
        fault(&format!("status=200,method=GET,path=resourcegroups?,times=always,body={}", json!({"value": [group]})))
    };
    let run = |state: &str| {
        let (cloud, project) = (cloud(), Project::with(DOCUMENT));
        import(&cloud, &[group("Existing", json!({"svc-service": "shop-group"}))]);
        cloud.misbehave(listed(state));
        (project.rehearse(&cloud), project.deploy(&cloud), writes(&cloud.requests()).len())
    };
    let (_, there, _) = run("Succeeded");
    assert_eq!(there.summary(), "created 2");
    let (rehearsed, outcome, written) = run("Deleting");
    let told =
        "no resource group in this subscription is published as 'shop-group', because 'Existing' is being deleted";
    assert_eq!((outcome.failed_with().0, written), ("ServiceNotFound", 0));
    assert!(outcome.last_error().failure.message.ends_with(told), "{}", outcome.last_error().failure.message);
    assert!(rehearsed.warnings().iter().any(|warning| warning.contains(told)), "{:?}", rehearsed.warnings());
}

#[test]
fn a_network_that_is_being_deleted_is_not_found() {
    let run = |state: &str| {
        let cloud = landing_zone();
        let name = "vnet-hub";
        let mut body = cloud.resource(&network_id(&format!("virtualNetworks/{name}"))).unwrap();
        body["properties"]["provisioningState"] = json!(state);
        cloud
            .misbehave(fault(&format!("status=200,method=GET,path=/virtualNetworks/{name}?,times=always,body={body}")));
        let text = "location: UK South\nservice: {dependencies: {resourceGroup: landing-zone, workspace: central-logs, vnet: hub-network}}\n\
            bastionHosts: [{bastionHostName: Hub, bastionHostSubnetPrefix: 10.10.250.0/26}]\n";
        (Deployment::new(BASTION_HOSTS, text).deploy(&cloud), name)
    };
    assert_eq!(run("Succeeded").0.summary(), "created 4");
    let (outcome, name) = run("Deleting");
    let told = format!(
        "no virtual network in this subscription is published as 'hub-network', because '{name}' is being deleted"
    );
    assert!(outcome.last_error().failure.message.ends_with(&told), "{}", outcome.last_error().failure.message);
}

#[test]
fn an_ambiguous_service_names_the_ids() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    import(
        &cloud,
        &[group("b", json!({"svc-service": "shop-group"})), group("a", json!({"SVC-SERVICE": "shop-group"}))],
    );
    for outcome in [project.deploy(&cloud), project.rehearse(&cloud)] {
        let message = format!(
            "storage.yml has 1 problem:\n[1] 4:20 service.dependencies.resourceGroup: several resource groups are published as 'shop-group': {}, {}",
            in_subscription("resourceGroups/a"),
            in_subscription("resourceGroups/b")
        );
        assert_eq!(outcome.failed_with(), ("ServiceAmbiguous", message.as_str()));
    }
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn under_what_if_a_missing_service_is_a_warning_and_a_placeholder() {
    let cloud = cloud();
    let outcome = Project::with(DOCUMENT).rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "storage.yml:4:20: service.dependencies.resourceGroup: no resource group in this subscription is published as 'shop-group'; the plan shows a placeholder"
        ]
    );
    assert_eq!(
        outcome.descriptions(),
        [
            "Create storage account 'stordersdb8e13ec' in resource group '<resource group published as 'shop-group'>'.",
            "Create queue 'orders' of storage account 'stordersdb8e13ec' in resource group '<resource group published as 'shop-group'>'.",
        ]
    );
    assert_eq!(outcome.summary(), "created 2");
    assert!(outcome.counts().what_if);
}

#[test]
fn the_tag_key_of_the_context_is_looked_up() {
    let (cloud, project) = (cloud(), Project::with(DOCUMENT));
    import(
        &cloud,
        &[group("ours", json!({"cm-service": "shop-group"})), group("theirs", json!({"svc-service": "shop-group"}))],
    );
    let outcome = run(&with(project.request(&cloud), json!({"context": {"serviceTagKey": "CM-Service"}})));
    assert_eq!(outcome.plan()[0].resource.resource_group.as_deref(), Some("ours"));
}

#[test]
fn another_publish_name_than_the_dependency_is_a_warning() {
    let text =
        DOCUMENT.replace("service:\n", "resourceGroupName: Unused\nservice:\n  publish:\n    resourceGroup: renamed\n");
    let (cloud, project) = (cloud(), Project::with(&text));
    import(&cloud, &[group("existing", json!({"svc-service": "shop-group"}))]);
    let outcome = project.deploy(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "storage.yml:5:20: service.publish.resourceGroup: the resource group is found by its publish name 'shop-group', which it keeps",
            "storage.yml:2:20: resourceGroupName: the resource group is the one published as 'shop-group' (service.dependencies.resourceGroup); 'Unused' is ignored"
        ]
    );
    assert_eq!(resource(&cloud, "resourceGroups/existing")["tags"], json!({"svc-service": "shop-group"}));
    assert_eq!(outcome.summary(), "created 2", "the group is not created a second time under its given name");
}

#[test]
fn listings_are_read_to_their_last_page() {
    let accounts: Vec<String> = (0..7).map(|number| format!("Number{number}")).collect();
    let lines = "accountType: Standard\nblobContainer: [{name: one}, {name: two}, {name: three}]";
    let accounts: Vec<(&str, &str)> = accounts.iter().map(|name| (name.as_str(), lines)).collect();
    let text = document_of(&accounts)
        .replace("resourceGroupName: Shop\n", "service: {dependencies: {resourceGroup: shop-group}}\n");
    for (page_size, empty_first_page) in [(1, false), (2, true), (1000, true)] {
        let cloud = cloud_with(LocalCloudOptions { page_size, empty_first_page, ..LocalCloudOptions::default() });
        let mut groups: Vec<Value> = (0..5)
            .map(|number| group(&format!("g{number}"), json!({"svc-service": format!("other{number}")})))
            .collect();
        groups.push(group("last", json!({"svc-service": "shop-group"})));
        import(&cloud, &groups);
        let project = Project::with(&text);
        assert_eq!(project.deploy(&cloud).summary(), "created 28");
        let before = cloud.requests().len();
        assert_eq!(project.deploy(&cloud).summary(), "unchanged 28");
        let reads = requests_after(&cloud, before).len();
        // The index, the accounts, the containers of seven accounts: more requests the smaller the pages are.
        assert!(
            if page_size == 1 { reads >= 6 + 7 + 21 } else { reads >= 18 },
            "{reads} reads with pages of {page_size}"
        );
    }
}
