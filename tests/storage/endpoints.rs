//! The private endpoints that storage accounts declare.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

const BLOB_ZONE: &str = "privatelink.blob.core.windows.net";

/// A document with the account `hot` in the group of the landing zone and these endpoints, from line 12 on.
fn document(endpoints: &str) -> String {
    let mut text = "\
location: UK South
service:
  dependencies:
    resourceGroup: landing-zone
    vnet: hub-network
    privateZones: [privatelink.blob.core.windows.net]
  publish: {storage: hot-files, privateEndpoint: hot-endpoint}
storageAccounts:
  - storageAccountName: hot
    accountType: Standard
    privateEndpoints:
"
    .to_owned();
    for line in endpoints.lines() {
        text.push_str(&format!("      {line}\n"));
    }
    text
}

fn deployment(endpoints: &str) -> Deployment {
    Deployment::new(STORAGE, &document(endpoints))
}

/// The private endpoints of a plan: their resource groups and names.
fn endpoints(outcome: &Outcome) -> Vec<(&str, &str)> {
    outcome
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type.ends_with("/privateEndpoints"))
        .map(|action| (action.resource.resource_group.as_deref().unwrap(), action.resource.name.as_str()))
        .collect()
}

/// The properties of a private endpoint that was made.
fn endpoint(cloud: &LocalCloud, name: &str) -> Value {
    resource(cloud, &network(&format!("privateEndpoints/{name}")))
}

const BLOB: &str = "- {subnetName: endpoints, subResourceName: blob}\n";

#[test]
fn the_example_converges_in_one_run() {
    let (cloud, deployment) = (landing_zone(), Deployment::example(STORAGE, "examples/storage-private.yml"));
    let outcome = deployment.deploy(&cloud);
    // The account with its container, two endpoints with their zone groups, two zones with their links.
    assert_eq!(outcome.summary(), "created 10", "{:#?}", outcome.errors());
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let order: Vec<&str> = outcome.resources().iter().map(|report| report.resource.resource_type.as_str()).collect();
    let first = |kind: &str| order.iter().position(|known| known.ends_with(kind)).unwrap();
    assert!(
        first("/storageAccounts") < first("/privateEndpoints"),
        "the account comes before its endpoints: {order:?}"
    );
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 10");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn names_count_the_unnamed_ones() {
    let cloud = landing_zone();
    let outcome = deployment(
        "- {subnetName: endpoints, subResourceName: blob}\n- {name: Tables, subnetName: endpoints, subResourceName: table}\n\
         - {subnetName: endpoints, subResourceName: file}\n- {name: '', subnetName: endpoints, subResourceName: queue}",
    )
    .deploy(&cloud);
    let names: Vec<&str> = endpoints(&outcome).into_iter().map(|(_, name)| name).collect();
    assert_eq!(
        names,
        [
            "ped-0-sthotb348982a-dev-uks-76becfd6",
            "ped-tables-dev-uks-2e93cf31",
            "ped-1-sthotb348982a-dev-uks-fcb7c951",
            "ped-2-sthotb348982a-dev-uks-c3e13840",
        ]
    );
    let properties = &endpoint(&cloud, names[2])["properties"];
    let connection = &properties["privateLinkServiceConnections"][0];
    assert_eq!(connection["name"], names[2]);
    assert_eq!(connection["properties"]["groupIds"], json!(["file"]));
    let account = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/sthotb348982a"));
    assert_eq!(connection["properties"]["privateLinkServiceId"], account);
}

#[test]
fn an_endpoint_with_a_name_of_its_own_does_not_move_to_another_account() {
    let (cloud, text) = (landing_zone(), document(&BLOB.replace("{subnetName", "{name: files, subnetName")));
    assert_eq!(Deployment::new(STORAGE, &text).deploy(&cloud).counts().failed, 0);
    let renamed = text.replace("storageAccountName: hot", "storageAccountName: cold");
    let outcome = Deployment::new(STORAGE, &renamed).deploy(&cloud);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "CannotBeChanged");
    // At the setting that changed.
    assert!(
        message.contains("[1] 9:25 storageAccounts[0].storageAccountName: the private endpoint 'ped-files-"),
        "{message}"
    );
    assert!(message.contains(".privateLinkServiceId '"), "{message}");
}

#[test]
fn the_number_of_an_endpoint_that_left_the_document_is_not_taken_over() {
    let cloud = landing_zone();
    let file = "- {subnetName: endpoints, subResourceName: file}\n";
    assert_eq!(deployment(&format!("{BLOB}{file}")).deploy(&cloud).counts().failed, 0);
    let before = cloud.requests().len();
    let name = "ped-0-sthotb348982a-dev-uks-76becfd6";
    let message = format!(
        "settings.yml has 1 problem:\n[1] 12:50 storageAccounts[0].privateEndpoints[0].subResourceName: the private endpoint '{name}' in resource group 'rg-landing-zone' \
         has properties.privateLinkServiceConnections[{name}].properties.groupIds 'blob', which Azure cannot change to 'file'; \
         use another name for an endpoint to that, or delete this one first; \
         endpoints without a name are numbered, and this number was another's before: set name ('1-sthotb348982a' if it was the next)"
    );
    for outcome in [deployment(file).deploy(&cloud), deployment(file).rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", message.as_str()));
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    // The name of the message is the one that it has.
    let named = "- {name: 1-sthotb348982a, subnetName: endpoints, subResourceName: file}\n";
    assert_eq!(deployment(named).deploy(&cloud).plan(), []);
}

#[test]
fn names_have_the_location_of_the_account_and_endpoints_that_of_the_network() {
    let cloud = landing_zone();
    let text = document(BLOB).replace("accountType: Standard", "accountType: Standard\n    location: UK West");
    Deployment::new(STORAGE, &text).deploy(&cloud);
    let endpoint = endpoint(&cloud, "ped-0-sthotb348982a-dev-ukw-9bb1fead");
    assert_eq!(endpoint["location"], "uksouth");
}

#[test]
fn what_the_root_says_holds_unless_the_item_says_otherwise() {
    let cloud = landing_zone();
    let own = "- name: own
  subnetName: endpoints
  subResourceName: vault
  service:
    dependencies: {vnet: spoke-network, privateZones: [none]}
    publish: {privateEndpoint: own-endpoint}
"
    .replace("vault", "blob");
    let deployment = deployment(&format!("{BLOB}{own}"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 6", "{:#?}", outcome.errors());
    let of = |name: &str| {
        let endpoint = endpoint(&cloud, name);
        (endpoint["properties"]["subnet"]["id"].clone(), endpoint["tags"].clone())
    };
    let subnet = |network: &str| json!(network_id(&format!("virtualNetworks/{network}/subnets/endpoints")));
    assert_eq!(
        of("ped-0-sthotb348982a-dev-uks-76becfd6"),
        (subnet("vnet-hub"), json!({"svc-service": "hot-endpoint"}))
    );
    assert_eq!(of("ped-own-dev-uks-2bfda00c"), (subnet("vnet-spoke"), json!({"svc-service": "own-endpoint"})));
    let groups: Vec<&str> = outcome
        .plan()
        .iter()
        .filter(|action| action.resource.resource_type.ends_with("/privateDnsZoneGroups"))
        .map(|action| action.resource.resource_id.as_str())
        .collect();
    assert_eq!(
        groups,
        [network_id("privateEndpoints/ped-0-sthotb348982a-dev-uks-76becfd6/privateDnsZoneGroups/default")]
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 6");
}

#[test]
fn a_tag_file_is_not_put_on_the_endpoints() {
    let (cloud, deployment) = (landing_zone(), deployment(BLOB));
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    deployment.deploy(&cloud);
    let account = format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/sthotb348982a");
    assert_eq!(resource(&cloud, &account)["tags"], json!({"owner": "shop", "svc-service": "hot-files"}));
    let endpoint = endpoint(&cloud, "ped-0-sthotb348982a-dev-uks-76becfd6");
    assert_eq!(endpoint["tags"], json!({"svc-service": "hot-endpoint"}));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 5");
}

#[test]
fn the_resource_group_of_an_endpoint() {
    let other = |service: &str| {
        format!("{}  service: {service}\n", BLOB.replace("- {", "- ").replace(", ", "\n  ").replace('}', ""))
    };
    // Publishes the group of the document under a name.
    let publishing = |name: &str, text: String| {
        text.replace("publish: {storage", &format!("publish: {{resourceGroup: {name}, storage"))
    };
    // Without an existing group the run deploys one of its own, published as the root says.
    let own_group = |text: String| {
        text.replace("    resourceGroup: landing-zone\n", "")
            .replace("location: UK South\n", "location: UK South\nresourceGroupName: Shop\n")
    };
    let shop = "rg-shop-iaas-99b8167f";
    let cloud = || {
        let cloud = landing_zone();
        cloud.import(&[group("rg-first", "first"), group("rg-second", "second")]).unwrap();
        cloud
    };
    let placed = |text: String, expected: &str| {
        let cloud = cloud();
        let deployment = Deployment::new(STORAGE, &text);
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.counts().failed, 0, "{text}: {:#?}", outcome.errors());
        let [(found, _)] = endpoints(&outcome)[..] else { panic!("not one endpoint: {text}\n{outcome:#?}") };
        assert_eq!(found, expected, "{text}");
        assert_eq!(deployment.deploy(&cloud).plan(), [], "{text}");
        // The zone that the endpoint needs is in its group.
        let zone = format!("resourceGroups/{expected}/providers/Microsoft.Network/privateDnsZones/{BLOB_ZONE}");
        resource(&cloud, &zone);
    };
    placed(document(BLOB), "rg-landing-zone");
    placed(document(&other("{dependencies: {resourceGroup: first}}")), "rg-first");
    placed(document(&other("{publish: {resourceGroup: second}}")), "rg-second");
    placed(document(&other("{dependencies: {resourceGroup: first}, publish: {resourceGroup: second}}")), "rg-second");
    placed(publishing("landing-zone", document(BLOB)), "rg-landing-zone");
    // The name of another group is where endpoints go that do not say; nobody has to carry it.
    placed(publishing("second", document(BLOB)), "rg-second");
    placed(publishing("second", document(&other("{dependencies: {resourceGroup: first}}"))), "rg-first");
    placed(publishing("nobody", document(BLOB)), "rg-landing-zone");
    placed(own_group(document(BLOB)), shop);
    placed(publishing("shop", own_group(document(BLOB))), shop);
    placed(publishing("shop", own_group(document(&other("{publish: {resourceGroup: shop}}")))), shop);
    placed(publishing("shop", own_group(document(&other("{publish: {resourceGroup: first}}")))), "rg-first");
    placed(publishing("shop", own_group(document(&other("{dependencies: {resourceGroup: first}}")))), "rg-first");
    let outcome = Deployment::new(STORAGE, &document(&other("{publish: {resourceGroup: thrid}}"))).deploy(&cloud());
    assert_eq!(
        outcome.failed_with(),
        (
            "ServiceNotFound",
            "settings.yml has 1 problem:\n[1] 14:44 storageAccounts[0].privateEndpoints[0].service.publish.resourceGroup: \
             no resource group in this subscription is published as 'thrid'; the published ones are 'first', 'landing-zone', 'second'"
        )
    );
}

#[test]
fn a_subnet_that_the_network_does_not_have_is_found_in_the_plan() {
    let cloud = landing_zone();
    let message = "settings.yml has 1 problem:\n[1] 12:22 storageAccounts[0].privateEndpoints[0].subnetName: \
        the virtual network 'vnet-hub' has no subnet 'nowhere'; use endpoints or workload";
    let deployment = deployment(&BLOB.replace("subnetName: endpoints", "subnetName: nowhere"));
    for outcome in [deployment.deploy(&cloud), deployment.rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
    }
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn what_is_wrong_with_an_endpoint_of_an_account() {
    let table = [
        (
            document("- subnetName: endpoints"),
            "SettingsInvalid",
            "12:9 storageAccounts[0].privateEndpoints[0].subResourceName: a sub-resource to connect to is required; \
             Microsoft.Storage/storageAccounts has blob, blob_secondary, file, queue, queue_secondary, table, table_secondary, \
             web, web_secondary, dfs, dfs_secondary",
        ),
        (
            document("- subResourceName: blob"),
            "SettingsInvalid",
            "12:9 storageAccounts[0].privateEndpoints[0].subnetName: required, but not set",
        ),
        (
            document(BLOB).replace("    vnet: hub-network\n", ""),
            "SettingsInvalid",
            "11:9 storageAccounts[0].privateEndpoints[0].service.dependencies.vnet: a virtual network is required, here or at the root",
        ),
        (
            document("- {subnetName: endpoints, subResourceName: blob, location: UK South}"),
            "SettingsInvalid",
            "12:56 storageAccounts[0].privateEndpoints[0].location: unknown key; known keys are name, subnetName, subResourceName, service",
        ),
        (
            document(&format!("{}{}", BLOB.replace('{', "{name: same, "), BLOB.replace('{', "{name: Same, "))),
            "SettingsInvalid",
            "13:9 storageAccounts[0].privateEndpoints[1]: duplicate private endpoint 'ped-same-dev-uks-73e3dc6e', first used by storageAccounts[0].privateEndpoints[0] (settings.yml:12:9)",
        ),
        (
            document(BLOB).replace("hub-network", "hub-netwrk"),
            "ServiceNotFound",
            "5:11 service.dependencies.vnet: no virtual network in this subscription is published as 'hub-netwrk', did you mean 'hub-network'?",
        ),
    ];
    for (text, code, message) in table {
        let cloud = landing_zone();
        let outcome = Deployment::new(STORAGE, &text).deploy(&cloud);
        let message = format!("settings.yml has 1 problem:\n[1] {message}");
        assert_eq!(outcome.failed_with(), (code, message.as_str()));
        assert!(writes(&cloud.requests()).is_empty());
    }
}

#[test]
fn an_unknown_sub_resource_is_a_warning() {
    let outcome = deployment("- {subnetName: endpoints, subResourceName: blobs}").rehearse(&landing_zone());
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:12:50: storageAccounts[0].privateEndpoints[0].subResourceName: 'blobs' is not a known sub-resource of Microsoft.Storage/storageAccounts; known ones are blob, blob_secondary, file, queue, queue_secondary, table, table_secondary, \
            web, web_secondary, dfs, dfs_secondary"
        ]
    );
}

#[test]
fn a_declined_account_takes_its_endpoints_along() {
    let (cloud, deployment) = (landing_zone(), deployment(BLOB));
    let outcome =
        deployment.deploy_approving(&cloud, |action| !action.resource.resource_type.ends_with("/storageAccounts"));
    assert_eq!(outcome.summary(), "created 2, skipped 3");
    assert_eq!(
        outcome.warnings(),
        [
            "2 resources were skipped because the storage account 'sthotb348982a' in resource group 'rg-landing-zone' was not approved: \
            private endpoint 'ped-0-sthotb348982a-dev-uks-76becfd6' in resource group 'rg-landing-zone'; \
            private DNS zone group 'default' of private endpoint 'ped-0-sthotb348982a-dev-uks-76becfd6' in resource group 'rg-landing-zone'."
        ]
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "created 3, unchanged 2");
}

#[test]
fn the_predecessors_empty_keys_are_accepted() {
    let empty = "\
- name:
  subnetName: endpoints
  subResourceName: blob
  service:
    dependencies:
      vnet:
      resourceGroup:
      privateZones:
    publish:
      privateEndpoint:
      resourceGroup:
";
    let outcome = deployment(empty).rehearse(&landing_zone());
    let plain = deployment(BLOB).rehearse(&landing_zone());
    assert_eq!(outcome.descriptions(), plain.descriptions());
    assert!(outcome.warnings().is_empty());
    for list in ["", "privateEndpoints: []", "privateEndpoints:"] {
        let text = document("").replace("    privateEndpoints:\n", &format!("    {list}\n"));
        assert!(endpoints(&Deployment::new(STORAGE, &text).rehearse(&landing_zone())).is_empty(), "{list}");
    }
}

#[test]
fn the_name_of_a_group_beside_a_dependency_is_ignored_with_a_warning() {
    let text = "location: UK South\nresourceGroupName: Shop\nservice: {dependencies: {resourceGroup: landing-zone}}\nstorageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n    replication: LRS\n";
    let outcome = Deployment::new(STORAGE, text).deploy(&landing_zone());
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:20: resourceGroupName: the resource group is the one published as 'landing-zone' (service.dependencies.resourceGroup); 'Shop' is ignored"
        ]
    );
    assert_eq!(outcome.action("stordersdb8e13ec").resource.resource_group.as_deref(), Some("rg-landing-zone"));
}
