//! The resources that are there before a run: hosts and addresses that somebody else made or changed, and another run beside it.

use std::time::Duration;

use serde_json::{Value, json};
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::bastion::hosts::{ADDRESS, HOST, SUBNET, document, example, hub, sent};
use crate::support::estate::*;
use crate::support::*;

/// The bastion host of the hub's network under another name, as an import.
fn other_host(cloud: &LocalCloud) {
    let address = published(
        &network("publicIPAddresses/pip-old"),
        "uksouth",
        "",
        json!({"publicIPAllocationMethod": "Static", "publicIPAddressVersion": "IPv4"}),
    );
    let host = published(
        &network("bastionHosts/bastion-old"),
        "uksouth",
        "",
        json!({"ipConfigurations": [{"name": "IpConf", "properties": {
            "subnet": {"id": network_id(SUBNET)}, "publicIPAddress": {"id": network_id("publicIPAddresses/pip-old")}}}]}),
    );
    let subnet = json!({"id": network_id(SUBNET), "properties": {"addressPrefix": "10.10.250.0/26"}});
    cloud.import(&[subnet, address, host]).unwrap();
}

#[test]
fn a_network_that_has_another_host_already() {
    let cloud = landing_zone();
    other_host(&cloud);
    let message = "settings.yml has 1 problem:\n[1] 4:22 bastionHosts[0].bastionHostName: the virtual network 'vnet-hub' already has \
        the bastion host 'bastion-old' in resource group 'rg-landing-zone', and Azure allows one; delete that one first, or take this one out of the document";
    for outcome in [hub().deploy(&cloud), hub().rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
    }
    assert!(writes(&cloud.requests()).is_empty());
    // The same, as Azure says it.
    let mut body = resource(&cloud, &network("bastionHosts/bastion-old"));
    body.as_object_mut().unwrap().retain(|member, _| ["location", "properties", "sku"].contains(&member.as_str()));
    let refused = put_by_hand(&cloud, &network(HOST), &body);
    assert_eq!(refused, (400, "BastionHostAlreadyExistsInVirtualNetwork".to_owned()));
}

#[test]
fn a_host_cannot_move_to_another_network() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    let text = document("bastionHostSubnetPrefix: 10.20.250.0/26").replace("vnet: hub-network", "vnet: spoke-network");
    let before = cloud.requests().len();
    let spoke = network_id(&SUBNET.replace("vnet-hub", "vnet-spoke"));
    let message = format!(
        "settings.yml has 1 problem:\n[1] 4:5 bastionHosts[0]: the bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone' \
         has properties.ipConfigurations[IpConf].properties.subnet.id '{}', which Azure cannot change to '{spoke}'; \
         use another bastionHostName for a host there, or delete this one first",
        network_id(SUBNET)
    );
    let moved = Deployment::new(BASTION_HOSTS, &text);
    for outcome in [moved.deploy(&cloud), moved.rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", message.as_str()));
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    // The same, as Azure says it.
    cloud.import(&[json!({"id": spoke, "properties": {"addressPrefix": "10.20.250.0/26"}})]).unwrap();
    let mut body = sent(&cloud, HOST);
    body["properties"]["ipConfigurations"][0]["properties"]["subnet"]["id"] = json!(spoke);
    let refused = put_by_hand(&cloud, &network(HOST), &body);
    assert_eq!(refused, (400, "BastionHostIpConfigurationCannotBeChanged".to_owned()));
}

#[test]
fn an_existing_address_that_no_host_can_have_is_found_in_the_plan() {
    let other = network_id("bastionHosts/bastion-other/bastionHostIpConfigurations/IpConf");
    for (sku, method, user, what, code) in [
        (
            "Basic",
            "Dynamic",
            None,
            "has the sku Basic and is Dynamic, and a host takes Standard and Static; delete it first, or use another bastionHostName".to_owned(),
            "BastionHostPublicIPAddressNotStandardStatic",
        ),
        (
            "Standard",
            "Static",
            Some("bastion-other"),
            format!("is used by {other}; take it away there, or use another bastionHostName"),
            "PublicIPAddressInUse",
        ),
    ] {
        let cloud = landing_zone();
        let mut address =
            published(&network(ADDRESS), "uksouth", "", json!({"publicIPAllocationMethod": method}));
        address["sku"] = json!({"name": sku});
        cloud.import(&[address]).unwrap();
        if let Some(user) = user {
            let spoke = network_id(&SUBNET.replace("vnet-hub", "vnet-spoke"));
            let configuration = json!({"subnet": {"id": spoke}, "publicIPAddress": {"id": network_id(ADDRESS)}});
            let host = published(
                &network(&format!("bastionHosts/{user}")),
                "uksouth",
                "",
                json!({"ipConfigurations": [{"name": "IpConf", "properties": configuration}]}),
            );
            cloud.import(&[json!({"id": spoke, "properties": {"addressPrefix": "10.20.250.0/26"}}), host]).unwrap();
        }
        let message = format!(
            "settings.yml has 1 problem:\n[1] 4:5 bastionHosts[0]: the bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone' \
             cannot have the public IP address 'pip-hub-dev-uks-27d3efa2', which {what}"
        );
        for outcome in [hub().deploy(&cloud), hub().rehearse(&cloud)] {
            assert_eq!(outcome.failed_with(), ("CannotBeChanged", message.as_str()));
        }
        assert!(writes(&cloud.requests()).is_empty());
        // The same, as Azure says it.
        cloud.import(&[json!({"id": network_id(SUBNET), "properties": {"addressPrefix": "10.10.250.0/26"}})]).unwrap();
        let configuration =
            json!({"subnet": {"id": network_id(SUBNET)}, "publicIPAddress": {"id": network_id(ADDRESS)}});
        let body = json!({"location": "uksouth", "sku": {"name": "Basic"},
            "properties": {"ipConfigurations": [{"name": "IpConf", "properties": configuration}]}});
        assert_eq!(put_by_hand(&cloud, &network(HOST), &body), (400, code.to_owned()));
    }
}

#[test]
fn a_host_of_the_sku_developer_is_found_in_the_plan() {
    let cloud = landing_zone();
    let mut host = published(
        &network(HOST),
        "uksouth",
        "",
        json!({"virtualNetwork": {"id": network_id("virtualNetworks/vnet-hub")}, "ipConfigurations": []}),
    );
    host["sku"] = json!({"name": "Developer"});
    cloud.import(&[host]).unwrap();
    let message = "settings.yml has 1 problem:\n[1] 4:5 bastionHosts[0]: the bastion host 'bastion-hub-dev-uks-366c5f0f' in resource group 'rg-landing-zone' \
        has the sku Developer, which has no subnet and no address of its own; upgrade it to Basic or higher, or delete it first";
    for outcome in [hub().deploy(&cloud), hub().rehearse(&cloud)] {
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", message));
    }
    assert!(writes(&cloud.requests()).is_empty());
    // The same, as Azure says it.
    let subnet = json!({"id": network_id(SUBNET), "properties": {"addressPrefix": "10.10.250.0/26"}});
    cloud.import(&[subnet]).unwrap();
    let configuration = json!({"name": "IpConf", "properties": {"subnet": {"id": network_id(SUBNET)}}});
    let body = json!({"location": "uksouth", "sku": {"name": "Developer"}, "properties": {"ipConfigurations": [configuration]}});
    assert_eq!(put_by_hand(&cloud, &network(HOST), &body), (400, "InvalidRequestFormat".to_owned()));
}

#[test]
fn an_existing_host_keeps_its_address() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    let theirs = network("publicIPAddresses/pip-theirs");
    let mut address = published(&theirs, "uksouth", "", json!({"publicIPAllocationMethod": "Static"}));
    address["sku"] = json!({"name": "Standard", "tier": "Regional"});
    cloud.import(&[address]).unwrap();
    let of = |cloud: &LocalCloud| {
        let host = resource(cloud, &network(HOST));
        host["properties"]["ipConfigurations"][0]["properties"]["publicIPAddress"]["id"].clone()
    };
    tamper(&cloud, &network(HOST), |body| {
        body["properties"]["ipConfigurations"][0]["properties"]["publicIPAddress"]["id"] =
            json!(in_subscription(&theirs));
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: net}}");
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 2, unchanged 2");
    assert_eq!(of(&cloud), json!(in_subscription(&theirs)));
}

#[test]
fn what_the_document_does_not_say_of_an_address_stays() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    tamper(&cloud, &network(ADDRESS), |body| {
        body["properties"]["dnsSettings"]["domainNameLabel"] = json!("of-somebody-else");
        body["sku"]["tier"] = json!("Global");
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
    tamper(&cloud, &network(ADDRESS), |body| {
        body["properties"].as_object_mut().unwrap().remove("dnsSettings");
    });
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: net}}");
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 2, unchanged 2");
    assert_eq!(resource(&cloud, &network(ADDRESS))["properties"]["dnsSettings"], Value::Null);
}

#[test]
fn the_configuration_of_a_host_is_that_one_whatever_it_is_called() {
    let (cloud, deployment) = (landing_zone(), hub());
    deployment.deploy(&cloud);
    tamper(&cloud, &network(HOST), |body| {
        body["properties"]["ipConfigurations"][0]["name"] = json!("bastion_ip_config");
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 4");
}

#[test]
fn two_runs_at_once_end_well() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(60));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    for outcome in example().deploy_beside(&example(), &cloud) {
        assert_eq!((outcome.counts().failed, outcome.counts().skipped), (0, 0), "{:#?}", outcome.errors());
    }
    assert_eq!(example().deploy(&cloud).summary(), "unchanged 8");
}
