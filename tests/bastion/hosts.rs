//! Bastion hosts: what is created, what is left alone, and what a second run does.

use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::support::estate::*;
use crate::support::*;

pub(crate) const HOST: &str = "bastionHosts/bastion-hub-dev-uks-366c5f0f";
pub(crate) const ADDRESS: &str = "publicIPAddresses/pip-hub-dev-uks-27d3efa2";
pub(crate) const SUBNET: &str = "virtualNetworks/vnet-hub/subnets/AzureBastionSubnet";
/// The setting below the host.
const SETTING: &str =
    "bastionHosts/bastion-hub-dev-uks-366c5f0f/providers/Microsoft.Insights/diagnosticSettings/Service";
const WORKSPACE: &str = "providers/Microsoft.OperationalInsights/workspaces/log-landing-zone";

pub(crate) fn example() -> Deployment {
    Deployment::example(BASTION_HOSTS, "examples/bastion-hosts.yml")
}

/// A document with one host, Hub in the network of that name, with these further lines.
pub(crate) fn document(lines: &str) -> String {
    format!(
        "\
location: UK South
service: {{dependencies: {{resourceGroup: landing-zone, workspace: central-logs, vnet: hub-network}}}}
bastionHosts:
  - bastionHostName: Hub
    {lines}
"
    )
}

pub(crate) fn hub() -> Deployment {
    Deployment::new(BASTION_HOSTS, &document("bastionHostSubnetPrefix: 10.10.250.0/26"))
}

/// The body that was sent for a resource of the landing zone; it has to be sent once.
pub(crate) fn sent(cloud: &LocalCloud, path: &str) -> Value {
    let sent: Vec<Value> = writes(&cloud.requests())
        .into_iter()
        .filter(|request| request.url.split('?').next() == Some(network_id(path).as_str()))
        .map(|request| request.body.unwrap())
        .collect();
    let [only] = &sent[..] else { panic!("{path} was not sent once: {sent:#?}") };
    only.clone()
}

#[test]
fn the_example_converges_in_one_run() {
    let (cloud, deployment) = (landing_zone(), example());
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let host = |name: &str, host: &str, address: &str| {
        [
            format!(
                "Create subnet 'AzureBastionSubnet' of virtual network 'vnet-{name}' in resource group 'rg-landing-zone'."
            ),
            format!("Create public IP address '{address}' in resource group 'rg-landing-zone'."),
            format!("Create bastion host '{host}' in resource group 'rg-landing-zone'."),
            format!(
                "Create diagnostic setting 'Service' of bastion host '{host}' in resource group 'rg-landing-zone'."
            ),
        ]
    };
    let expected = [
        host("hub", "bastion-hub-dev-uks-366c5f0f", "pip-hub-dev-uks-27d3efa2"),
        host("spoke", "bastion-spoke-dev-uks-3ec81e2a", "pip-spoke-dev-uks-519a6d2a"),
    ];
    assert_eq!(outcome.descriptions(), expected.concat());
    assert_eq!(outcome.summary(), "created 8", "{:#?}", outcome.errors());
    assert_eq!(
        outcome.action("AzureBastionSubnet").question,
        "Create subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone'?"
    );
    let before = cloud.requests().len();
    let again = deployment.deploy(&cloud);
    assert_eq!(again.summary(), "unchanged 8");
    assert!(again.verbose().contains(
        &"The subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone' is up to date."
    ));
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn what_is_sent_is_what_azure_wants() {
    let cloud = landing_zone();
    example().deploy(&cloud);
    assert_eq!(sent(&cloud, SUBNET), json!({"properties": {"addressPrefix": "10.10.250.0/26"}}));
    assert_eq!(
        sent(&cloud, ADDRESS),
        json!({
            "location": "uksouth",
            "sku": {"name": "Standard", "tier": "Regional"},
            "tags": {"svc-service": "bastion-address"},
            "properties": {
                "publicIPAllocationMethod": "Static",
                "publicIPAddressVersion": "IPv4",
                "dnsSettings": {"domainNameLabel": "pip-hub-dev-uks-27d3efa2"},
            },
        })
    );
    assert_eq!(
        sent(&cloud, HOST),
        json!({
            "location": "uksouth",
            "sku": {"name": "Basic"},
            "tags": {"svc-service": "bastion"},
            "properties": {"ipConfigurations": [{
                "name": "IpConf",
                "properties": {"subnet": {"id": network_id(SUBNET)}, "publicIPAddress": {"id": network_id(ADDRESS)}},
            }]},
        })
    );
    assert_eq!(
        sent(&cloud, SETTING),
        json!({"properties": {
            "workspaceId": in_subscription(&format!("{LANDING_ZONE}/{WORKSPACE}")),
            "logs": [{"category": "BastionAuditLogs", "enabled": true}],
        }})
    );
    assert_eq!(
        resource(&cloud, &network("bastionHosts/bastion-spoke-dev-uks-3ec81e2a"))["tags"],
        json!({"svc-service": "spoke-bastion"})
    );
}

#[test]
fn writes_to_one_network_are_made_one_after_another() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(40));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    assert_eq!(example().deploy(&cloud).summary(), "created 8");
    let refused: Vec<_> = writes(&cloud.requests()).into_iter().filter(|request| request.status >= 400).collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn the_rest_of_the_network_is_not_touched() {
    let cloud = landing_zone();
    let security = published(&network("networkSecurityGroups/nsg"), "uksouth", "", json!({"securityRules": []}));
    let routes = published(&network("routeTables/routes"), "uksouth", "", json!({"routes": []}));
    cloud.import(&[security, routes]).unwrap();
    tamper(&cloud, &network("virtualNetworks/vnet-hub/subnets/workload"), |body| {
        body["properties"]["networkSecurityGroup"] = json!({"id": network_id("networkSecurityGroups/nsg")});
        body["properties"]["routeTable"] = json!({"id": network_id("routeTables/routes")});
        body["properties"]["serviceEndpoints"] = json!([{"service": "Microsoft.Storage"}]);
    });
    let comparable = || {
        let mut vnet = resource(&cloud, &network("virtualNetworks/vnet-hub"));
        let subnets = vnet["properties"]["subnets"].as_array_mut().unwrap();
        subnets.retain(|subnet| subnet["name"] != "AzureBastionSubnet");
        vnet
    };
    let before = comparable();
    assert!(before["properties"]["subnets"][1]["properties"]["networkSecurityGroup"].is_object());
    hub().deploy(&cloud);
    assert_eq!(resource(&cloud, &network(SUBNET))["properties"]["addressPrefix"], "10.10.250.0/26");
    assert_eq!(comparable(), before);
    let vnet = network_id("virtualNetworks/vnet-hub");
    assert!(writes(&cloud.requests()).iter().all(|request| request.url.split('?').next() != Some(vnet.as_str())));
}

#[test]
fn an_existing_host_keeps_what_others_changed() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    tamper(&cloud, &network(HOST), |body| {
        body["sku"]["name"] = json!("Standard");
        body["properties"]["scaleUnits"] = json!(4);
        body["properties"]["enableTunneling"] = json!(true);
        body["tags"] = json!({"theirs": "1"});
    });
    tamper(&cloud, &network(ADDRESS), |body| body["properties"]["idleTimeoutInMinutes"] = json!(10));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
    // Another change does not take it back in passing.
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: net}}");
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 2, unchanged 2", "{:#?}", outcome.errors());
    assert!(outcome.plan().iter().all(|action| action.changes.len() == 1 && action.changes[0].path == "tags.owner"));
    let host = resource(&cloud, &network(HOST));
    assert_eq!((&host["sku"]["name"], &host["properties"]["scaleUnits"]), (&json!("Standard"), &json!(4)));
    assert_eq!(host["properties"]["enableTunneling"], true);
    assert_eq!(host["tags"], json!({"theirs": "1", "owner": "net"}));
    assert_eq!(resource(&cloud, &network(ADDRESS))["properties"]["idleTimeoutInMinutes"], 10);
}

#[test]
fn tags_are_put_on_the_host_and_its_address() {
    let (cloud, deployment) = (landing_zone(), example());
    deployment.project.write("tags.yml", "tags: {mandatory: {owner: net, svc-service: other}}");
    let tagged = json!({"tagSettingsFile": deployment.project.path("tags.yml")});
    assert_eq!(deployment.deploy_with(&cloud, tagged.clone()).summary(), "created 8");
    let tags = |path: &str| resource(&cloud, &network(path))["tags"].clone();
    assert_eq!(tags(HOST), json!({"owner": "net", "svc-service": "bastion"}));
    assert_eq!(tags(ADDRESS), json!({"owner": "net", "svc-service": "bastion-address"}));
    assert_eq!(tags("virtualNetworks/vnet-hub"), json!({"svc-service": "hub-network"}));
    assert_eq!(deployment.deploy_with(&cloud, tagged).summary(), "unchanged 8");
}

#[test]
fn what_was_deleted_by_hand_is_all_that_is_restored() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    delete(&cloud, &network(HOST));
    let outcome = deployment.deploy(&cloud);
    let names: Vec<&str> = outcome.plan().iter().map(|action| action.resource.name.as_str()).collect();
    assert_eq!(names, ["bastion-hub-dev-uks-366c5f0f", "Service"]);
    assert_eq!(outcome.summary(), "created 2, unchanged 2");
}

#[test]
fn a_setting_that_sends_the_audit_log_already_is_left_alone() {
    let logs = |category: &str, name: &str, enabled: bool| json!([{category: name, "enabled": enabled}]);
    let audit = "BastionAuditLogs";
    for (name, logs, is_left_alone) in [
        ("theirs", logs("category", audit, true), true),
        ("theirs", logs("categoryGroup", "allLogs", true), true),
        ("theirs", logs("categoryGroup", "audit", true), true),
        ("theirs", logs("category", audit, false), false),
    ] {
        let (cloud, deployment) = (landing_zone(), hub());
        deployment.deploy_approving(&cloud, |action| action.resource.name != "Service");
        let setting = |name: &str| SETTING.replace("Service", name);
        cloud
            .import(&[json!({
                "id": network_id(&setting(name)),
                "properties": {"workspaceId": in_subscription(&format!("{LANDING_ZONE}/{WORKSPACE}")).to_uppercase(), "logs": logs},
            })])
            .unwrap();
        let before = resource(&cloud, &network(&setting(name)));
        let outcome = deployment.deploy(&cloud);
        assert_eq!(
            outcome.summary(),
            if is_left_alone { "unchanged 4" } else { "created 1, unchanged 3" },
            "{logs}: {:#?}",
            outcome.errors()
        );
        assert_eq!(resource(&cloud, &network(&setting(name))), before);
        assert_eq!(cloud.resource(&network_id(SETTING)).is_none(), is_left_alone);
        assert_eq!(deployment.deploy(&cloud).plan(), []);
    }
    // One that sends it somewhere else does not count.
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy_approving(&cloud, |action| action.resource.name != "Service");
    let elsewhere = format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/other");
    let other = json!({"id": network_id(&SETTING.replace("Service", "theirs")),
        "properties": {"workspaceId": in_subscription(&elsewhere), "logs": logs("category", audit, true)}});
    cloud.import(&[published(&elsewhere, "uksouth", "", json!({"sku": {"name": "PerGB2018"}})), other]).unwrap();
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 3");
}

#[test]
fn our_setting_is_corrected_and_keeps_what_others_added() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    let storage = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Storage/storageAccounts/stlandingzone"));
    tamper(&cloud, &network(SETTING), |body| {
        body["properties"]["logs"][0]["enabled"] = json!(false);
        body["properties"]["storageAccountId"] = json!(storage);
    });
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 3", "{:#?}", outcome.errors());
    let setting = resource(&cloud, &network(SETTING));
    assert_eq!(setting["properties"]["logs"][0]["enabled"], true);
    assert_eq!(setting["properties"]["storageAccountId"], storage);
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
}

#[test]
fn a_host_that_is_still_being_created_is_waited_for_by_the_next_run() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(1500));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let deployment = hub();
    let operation = deployment.start(&deployment.request(&cloud));
    let mut messages = Vec::new();
    while let Some(message) = next(&operation) {
        if let Message::Plan { id, .. } = &message {
            operation.answer(&json!({"id": id, "approved": [0, 1, 2, 3]}).to_string()).unwrap();
            wait_until("the host being created", || {
                let path = format!("PUT {}", network(HOST));
                shown(&cloud.requests()).contains(&path) && cloud.resource(&network_id(HOST)).is_some()
            });
            operation.cancel();
        }
        messages.push(message);
    }
    let cancelled = Outcome { messages };
    assert_eq!(
        cancelled.warnings(),
        ["The command was stopped. Azure may still be working on 1 resource: \
            bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone'. Run the command again to finish."]
    );
    let before = cloud.requests().len();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 1, unchanged 3", "{:#?}", outcome.errors());
    assert_eq!(shown(&writes(&requests_after(&cloud, before))), [format!("PUT {}", network(SETTING))]);
    assert_eq!(resource(&cloud, &network(HOST))["properties"]["provisioningState"], "Succeeded");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
}

#[test]
fn a_declined_subnet_takes_the_host_along() {
    let (cloud, deployment) = (landing_zone(), hub());
    let outcome = deployment.deploy_approving(&cloud, |action| action.resource.name != "AzureBastionSubnet");
    assert_eq!(outcome.summary(), "created 1, skipped 3");
    assert_eq!(
        outcome.warnings(),
        [
            "2 resources were skipped because the subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone' \
            was not approved: bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone'; \
            diagnostic setting 'Service' of bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone'."
        ]
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "created 3, unchanged 1");
}
