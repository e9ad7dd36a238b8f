//! Bastion hosts: what is created, what is left alone, and the forms a document may have.

use std::time::Duration;

use serde_json::{Value, json};
use svc_engine::local::{LocalCloud, LocalCloudOptions, OperationTime};
use svc_engine::session::Message;

use super::landing_zone::*;
use super::offline;
use super::support::*;

const HOST: &str = "bastionHosts/bastion-hub-dev-uks-366c5f0f";
const ADDRESS: &str = "publicIPAddresses/pip-hub-dev-uks-27d3efa2";
const SUBNET: &str = "virtualNetworks/vnet-hub/subnets/AzureBastionSubnet";
/// The setting below the host.
const SETTING: &str =
    "bastionHosts/bastion-hub-dev-uks-366c5f0f/providers/Microsoft.Insights/diagnosticSettings/Service";
const WORKSPACE: &str = "providers/Microsoft.OperationalInsights/workspaces/log-landing-zone";

fn example() -> Deployment {
    Deployment::example(BASTION_HOSTS, "examples/bastion-hosts.yml")
}

/// A document with one host, Hub in the network of that name, with these further lines.
fn document(lines: &str) -> String {
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

fn hub() -> Deployment {
    Deployment::new(BASTION_HOSTS, &document("bastionHostSubnetPrefix: 10.10.250.0/26"))
}

/// The body that was sent for a resource of the landing zone; it has to be sent once.
fn sent(cloud: &LocalCloud, path: &str) -> Value {
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
                "Create subnet 'CloudBastionSubnet' of virtual network 'vnet-{name}' in resource group 'rg-landing-zone'."
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
        "Create subnet 'CloudBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone'?"
    );
    let before = cloud.requests().len();
    let again = deployment.deploy(&cloud);
    assert_eq!(again.summary(), "unchanged 8");
    assert!(again.verbose().contains(
        &"The subnet 'CloudBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone' is up to date."
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
fn a_long_name_is_cut_in_the_label_too() {
    let cloud = landing_zone();
    let name = "averyveryverylongnamethatgoesonandonandonforever-and-then-some-more";
    let text = document("bastionHostSubnetPrefix: 10.10.250.0/26")
        .replace("bastionHostName: Hub", &format!("bastionHostName: {name}"));
    let outcome = Deployment::new(BASTION_HOSTS, &text).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    let address = "publicIPAddresses/pip-averyveryverylongnamethatgoesonandonandonforever-and-then-so";
    let label = sent(&cloud, address)["properties"]["dnsSettings"]["domainNameLabel"].clone();
    assert_eq!(label, "pip-averyveryverylongnamethatgoesonandonandonforever-and-then-s");
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
    let names: Vec<&str> = outcome.plan().iter().map(|action| action.name.as_str()).collect();
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
        deployment.deploy_approving(&cloud, |action| action.name != "Service");
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
    deployment.deploy_approving(&cloud, |action| action.name != "Service");
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
fn the_network_has_to_be_in_the_region_and_should_be_in_the_group() {
    let cloud = landing_zone();
    let west = network("virtualNetworks/vnet-west");
    let other = "resourceGroups/other/providers/Microsoft.Network/virtualNetworks/vnet-other";
    cloud
        .import(&[virtual_network(&west, "ukwest", "west-network"), virtual_network(other, "uksouth", "other-network")])
        .unwrap();
    let with_network = |name: &str| document("bastionHostSubnetPrefix: 10.30.250.0/26").replace("hub-network", name);
    for outcome in [
        Deployment::new(BASTION_HOSTS, &with_network("west-network")).deploy(&cloud),
        Deployment::new(BASTION_HOSTS, &with_network("west-network")).rehearse(&cloud),
    ] {
        assert_eq!(
            outcome.failed_with(),
            (
                "SettingsInvalid",
                "settings.yml has 1 problem:\n[1] 2:86 service.dependencies.vnet: the virtual network 'vnet-west' is in 'ukwest', \
                 and a bastion host has to be where its network is; the location of the document is 'uksouth'"
            )
        );
    }
    assert!(writes(&cloud.requests()).is_empty());
    let outcome = Deployment::new(BASTION_HOSTS, &with_network("other-network")).rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:86: service.dependencies.vnet: the virtual network 'vnet-other' is in the resource group 'other'; \
            Azure documents that a bastion host has to be in the group of its network, and may refuse it in 'rg-landing-zone'"
        ]
    );
    assert_eq!(outcome.plan().len(), 4);
    // Of two networks of a name the one in the region is meant.
    let second = network("virtualNetworks/vnet-second");
    cloud.import(&[virtual_network(&second, "uksouth", "west-network")]).unwrap();
    let outcome = Deployment::new(BASTION_HOSTS, &with_network("west-network")).rehearse(&cloud);
    assert!(outcome.action("AzureBastionSubnet").resource_id.contains("/vnet-second/"));
}

#[test]
fn a_network_takes_one_host() {
    let cloud = landing_zone();
    let second = "bastionHostSubnetPrefix: 10.10.250.0/26\n  - bastionHostName: Second\n    bastionHostSubnetPrefix: 10.10.251.0/26";
    let requests = cloud.requests().len();
    let outcome = Deployment::new(BASTION_HOSTS, &document(second)).deploy(&cloud);
    let message = |place: &str| {
        format!(
            "settings.yml has 1 problem:\n[1] {place} bastionHosts[1]: the virtual network published as 'hub-network' \
             has the bastion host of bastionHosts[0] (settings.yml:4:5) already, and Azure takes one"
        )
    };
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message("6:5").as_str()));
    // Nor when its subnet is there and no range is needed.
    let without = "service:\n  - bastionHostName: Second";
    let outcome = Deployment::new(BASTION_HOSTS, &document(without)).deploy(&cloud);
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message("6:5").as_str()));
    assert_eq!(cloud.requests().len(), requests, "nothing is asked for");
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
    let outcome = deployment.deploy_approving(&cloud, |action| action.name != "AzureBastionSubnet");
    assert_eq!(outcome.summary(), "created 1, skipped 3");
    assert_eq!(
        outcome.warnings(),
        [
            "2 resources were skipped because the subnet 'CloudBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone' \
            was not approved: bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone'; \
            diagnostic setting 'Service' of bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone'."
        ]
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "created 3, unchanged 1");
}

#[test]
fn services_that_are_not_found() {
    let cloud = landing_zone();
    let text = document("bastionHostSubnetPrefix: 10.10.250.0/26")
        .replace("landing-zone", "landing-zon")
        .replace("central-logs", "central-vault")
        .replace("hub-network", "no-network");
    let outcome = Deployment::new(BASTION_HOSTS, &text).deploy(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "ServiceNotFound",
            "settings.yml has 3 problems:\n\
             [1] 2:41 service.dependencies.resourceGroup: no resource group of this subscription is published as 'landing-zon', did you mean 'landing-zone'?\n\
             [2] 2:65 service.dependencies.workspace: no Log Analytics workspace of this subscription is published as 'central-vault'\n\
             [3] 2:86 service.dependencies.vnet: no virtual network of this subscription is published as 'no-network', did you mean 'hub-network'?"
        )
    );
    let outcome = Deployment::new(BASTION_HOSTS, &text).rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:41: service.dependencies.resourceGroup: no resource group of this subscription is published as 'landing-zon', did you mean 'landing-zone'?; the plan shows a placeholder",
            "settings.yml:2:65: service.dependencies.workspace: no Log Analytics workspace of this subscription is published as 'central-vault'; the plan shows a placeholder",
            "settings.yml:2:86: service.dependencies.vnet: no virtual network of this subscription is published as 'no-network', did you mean 'hub-network'?; the plan shows a placeholder",
        ]
    );
    let group = "in resource group '<resource group published as 'landing-zon'>'.";
    assert_eq!(
        outcome.descriptions(),
        [
            "Create subnet 'CloudBastionSubnet' of virtual network '<virtual network published as 'no-network'>' in resource group '<its resource group>'.",
            &format!("Create public IP address 'pip-hub-dev-uks-27d3efa2' {group}"),
            &format!("Create bastion host 'bastion-hub-dev-uks-366c5f0f' {group}"),
            &format!("Create diagnostic setting 'Service' of bastion host 'bastion-hub-dev-uks-366c5f0f' {group}"),
        ]
    );
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn a_rehearsal_without_a_credential_plans_without_knowing_what_exists() {
    for (lines, subnet) in [("bastionHostSubnetPrefix: 10.10.250.0/26", true), ("", false)] {
        let project = Project::new();
        project.write("settings.yml", document(lines));
        let (messages, status) = offline::command(BASTION_HOSTS, &project, "settings.yml", &["-WhatIf"]);
        assert_eq!(status, 0, "{messages:#?}");
        assert_eq!(offline::with_event(&messages, "warning").len(), 1);
        let plan = offline::with_event(&messages, "plan")[0];
        let descriptions: Vec<&str> =
            plan["actions"].as_array().unwrap().iter().map(|action| action["description"].as_str().unwrap()).collect();
        let group = "in resource group '<resource group published as 'landing-zone'>' (current state unknown).";
        let expected = [
            "Create or update subnet 'CloudBastionSubnet' of virtual network '<virtual network published as 'hub-network'>' \
             in resource group '<its resource group>' (current state unknown)."
                .to_owned(),
            format!("Create or update public IP address 'pip-hub-dev-uks-27d3efa2' {group}"),
            format!("Create or update bastion host 'bastion-hub-dev-uks-366c5f0f' {group}"),
            format!("Create or update diagnostic setting 'Service' of bastion host 'bastion-hub-dev-uks-366c5f0f' {group}"),
        ];
        assert_eq!(descriptions, if subnet { &expected[..] } else { &expected[1..] });
    }
}

#[test]
fn a_document_with_every_key_and_hardly_a_value_is_accepted() {
    let text = "\
component:
location: UK South
service:
  dependencies:
    resourceGroup: landing-zone
    workspace: central-logs
    vnet:
  publish:
    bastion:
    bastionPublicIP:
bastionHosts:
  - bastionHostName: Hub
    bastionHostSubnetPrefix: 10.10.250.0/26
    service:
      dependencies:
        vnet: hub-network
      publish:
        bastion:
        bastionPublicIP:
";
    let (cloud, deployment) = (landing_zone(), Deployment::new(BASTION_HOSTS, text));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    assert!(outcome.warnings().is_empty());
    assert_eq!(resource(&cloud, &network(HOST))["tags"], Value::Null);
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
    // The subnet is there by now.
    deployment.rewrite(&text.replace("Prefix: 10.10.250.0/26", "Prefix:"));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 3");
}

#[test]
fn what_is_wrong_with_a_document_is_told_at_once() {
    let refused = |text: &str| {
        let outcome = Deployment::new(BASTION_HOSTS, text).deploy(&landing_zone());
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "SettingsInvalid");
        message.to_owned()
    };
    assert_eq!(
        refused(
            "service: {dependencies: {vnet: hub-network}}\nbastionHosts:\n  - bastionHostSubnetPrefix: x\n    sku: Basic\n"
        ),
        "settings.yml has 5 problems:\n\
         [1] 1:1 location: it is mandatory and missing\n\
         [2] 1:25 service.dependencies.resourceGroup: it is mandatory and missing\n\
         [3] 1:25 service.dependencies.workspace: it is mandatory and missing\n\
         [4] 3:5 bastionHosts[0].bastionHostName: it is mandatory and missing\n\
         [5] 4:5 bastionHosts[0].sku: unknown key; known are bastionHostName, bastionHostSubnetPrefix, service"
    );
    let text = document("bastionHostSubnetPrefix: x").replace(", vnet: hub-network", "").replace("UK South", "UK Soth");
    assert_eq!(
        refused(&text),
        "settings.yml has 3 problems:\n\
         [1] 1:11 location: 'UK Soth' is no location of Azure, did you mean UK South (uksouth)?\n\
         [2] 4:5 bastionHosts[0].service.dependencies.vnet: a virtual network is needed, here or at the root\n\
         [3] 5:30 bastionHosts[0].bastionHostSubnetPrefix: 'x' is no address range; write it as 10.0.1.0/26"
    );
}
