//! The subnet of a bastion host: created with the range of the settings, left alone where it is, refused where Azure would.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

const SUBNET: &str = "virtualNetworks/vnet-hub/subnets/AzureBastionSubnet";

/// A document with a host in the network of the hub; its range is in line 5.
fn deployment(prefix: &str) -> Deployment {
    let text = format!(
        "\
location: UK South
service: {{dependencies: {{resourceGroup: landing-zone, workspace: central-logs, vnet: hub-network}}}}
bastionHosts:
  - bastionHostName: Hub
    bastionHostSubnetPrefix: {prefix}
"
    );
    Deployment::new(BASTION_HOSTS, &text)
}

/// The landing zone with these subnets in the hub, which has 10.10.0.0/16 and 10.11.0.0/24.
fn hub_with(subnets: Value) -> LocalCloud {
    let cloud = landing_zone();
    tamper(&cloud, &network("virtualNetworks/vnet-hub"), |body| {
        body["properties"]["addressSpace"]["addressPrefixes"] = json!(["10.10.0.0/16", "10.11.0.0/24"]);
        body["properties"]["subnets"] = subnets;
    });
    cloud
}

fn subnet(name: &str, prefix: &str) -> Value {
    json!({"name": name, "properties": {"addressPrefix": prefix}})
}

#[test]
fn it_is_created_with_the_range() {
    for prefix in ["10.10.250.0/26", "10.10.128.0/17", "10.11.0.0/24", "' 10.10.250.0/26 '"] {
        let cloud = hub_with(json!([subnet("endpoints", "10.10.1.0/24")]));
        let outcome = deployment(prefix).deploy(&cloud);
        assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
        let prefix = prefix.trim_matches(['\'', ' ']);
        assert_eq!(resource(&cloud, &network(SUBNET))["properties"]["addressPrefix"], prefix);
    }
}

/// A plan shows of what is new only what the document says.
#[test]
fn its_range_is_that_of_a_line() {
    let cloud = hub_with(json!([subnet("endpoints", "10.10.1.0/24")]));
    let outcome = deployment("10.10.250.0/26").deploy(&cloud);
    let range = outcome.plan()[0].changes.iter().find(|change| change.path == "properties.addressPrefix").unwrap();
    assert_eq!(range.origin.as_deref(), Some("settings.yml:5:30"));
}

#[test]
fn it_is_left_alone_where_it_is() {
    for prefix in ["10.10.250.0/26", "10.10.200.0/24", "10.10.128.0/17", ""] {
        let cloud =
            hub_with(json!([subnet("AzureBastionSubnet", "10.10.200.0/24"), subnet("endpoints", "10.10.1.0/24")]));
        let before = resource(&cloud, &network(SUBNET));
        let deployment = deployment(prefix);
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.counts().created, 3, "{prefix}: {outcome:#?}");
        // Another range than the settings want is kept, and told on every run.
        let is_other = !["10.10.200.0/24", ""].contains(&prefix);
        let warning = format!(
            "settings.yml:5:30: bastionHosts[0].bastionHostSubnetPrefix: the virtual network 'vnet-hub' has AzureBastionSubnet with 10.10.200.0/24; it stays as it is, and {prefix} is ignored"
        );
        assert_eq!(outcome.warnings(), if is_other { vec![warning.as_str()] } else { vec![] });
        assert_eq!(outcome.counts().kept, usize::from(is_other));
        assert!(writes(&cloud.requests()).iter().all(|request| !request.url.contains("/subnets/")));
        let mut after = resource(&cloud, &network(SUBNET));
        after["properties"].as_object_mut().unwrap().remove("ipConfigurations");
        after["etag"] = before["etag"].clone();
        assert_eq!(after, before);
        assert_eq!(deployment.deploy(&cloud).plan(), []);
    }
}

#[test]
fn one_whose_operation_failed_is_sent_again_by_the_next_run() {
    let cloud = hub_with(json!([subnet("endpoints", "10.10.1.0/24")]));
    cloud.misbehave(fault("fails=InternalServerError,method=PUT,path=/subnets/"));
    let deployment = deployment("10.10.250.0/26");
    assert_eq!(deployment.deploy(&cloud).errors().len(), 1);
    assert_eq!(resource(&cloud, &network(SUBNET))["properties"]["provisioningState"], "Failed");
    let again = deployment.deploy(&cloud);
    assert_eq!(again.summary(), "created 2, modified 1, unchanged 1", "{:#?}", again.errors());
    let action = &again.plan()[0];
    assert_eq!(action.changes.len(), 1, "{action:#?}");
    assert_eq!(action.changes[0].path, "properties.provisioningState");
    assert_eq!(
        (
            action.changes[0].before.as_ref().map(ToString::to_string).as_deref(),
            action.changes[0].after.as_ref().map(ToString::to_string).as_deref()
        ),
        (Some("\"Failed\""), Some("\"Succeeded\""))
    );
    let properties = resource(&cloud, &network(SUBNET))["properties"].clone();
    assert_eq!(
        (&properties["provisioningState"], &properties["addressPrefix"]),
        (&json!("Succeeded"), &json!("10.10.250.0/26"))
    );
    assert_eq!(deployment.deploy(&cloud).plan(), []);
}

#[test]
fn a_range_that_is_none_is_refused_before_anything_is_contacted() {
    let cloud = landing_zone();
    for (prefix, message) in [
        ("10.10.250.0", "'10.10.250.0' is not an address range; use the form 10.0.1.0/26"),
        ("10.10.250/26", "'10.10.250/26' is not an address range; use the form 10.0.1.0/26"),
        ("10.10.250.0/33", "'10.10.250.0/33' is not an address range; use the form 10.0.1.0/26"),
        ("10.10.250.1/26", "'10.10.250.1/26' is not the first address of its range; use 10.10.250.0/26"),
        ("10.10.250.0/27", "10.10.250.0/27 is too small; AzureBastionSubnet must be /26 or larger"),
        ("fd00::/20", "fd00::/20 is an IPv6 range, which Azure Bastion does not support; use the form 10.0.1.0/26"),
    ] {
        let outcome = deployment(prefix).deploy(&cloud);
        let message =
            format!("settings.yml has 1 problem:\n[1] 5:30 bastionHosts[0].bastionHostSubnetPrefix: {message}");
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
        assert_eq!(
            outcome.last_error().failure.recommendation.as_deref(),
            Some("Correct the settings and run the command again. Nothing was contacted or changed.")
        );
    }
    assert!(cloud.requests().is_empty());
}

#[test]
fn a_range_that_is_not_free_is_refused_before_anything_is_changed() {
    let cloud = hub_with(json!([
        subnet("endpoints", "10.10.1.0/24"),
        {"name": "two", "properties": {"addressPrefixes": ["10.10.2.0/25", "10.10.3.0/25"]}},
    ]));
    for (prefix, message) in [
        (
            "10.20.250.0/26",
            "10.20.250.0/26 is outside the address space of the virtual network 'vnet-hub', which is 10.10.0.0/16, 10.11.0.0/24",
        ),
        (
            "10.8.0.0/14",
            "10.8.0.0/14 is outside the address space of the virtual network 'vnet-hub', which is 10.10.0.0/16, 10.11.0.0/24",
        ),
        (
            "10.10.1.64/26",
            "10.10.1.64/26 overlaps 10.10.1.0/24, the subnet 'endpoints' of the virtual network 'vnet-hub'",
        ),
        (
            "10.10.0.0/20",
            "10.10.0.0/20 overlaps 10.10.1.0/24, the subnet 'endpoints' of the virtual network 'vnet-hub'",
        ),
        ("10.10.3.0/26", "10.10.3.0/26 overlaps 10.10.3.0/25, the subnet 'two' of the virtual network 'vnet-hub'"),
        (
            "",
            "the virtual network 'vnet-hub' has no AzureBastionSubnet, so an address range of /26 or larger is required; \
            the address space is 10.10.0.0/16, 10.11.0.0/24, in use are 10.10.1.0/24, 10.10.2.0/25, 10.10.3.0/25",
        ),
    ] {
        // Where there is no value the place is that of the key.
        let column = if prefix.is_empty() { 28 } else { 30 };
        for outcome in [deployment(prefix).deploy(&cloud), deployment(prefix).rehearse(&cloud)] {
            let message = format!(
                "settings.yml has 1 problem:\n[1] 5:{column} bastionHosts[0].bastionHostSubnetPrefix: {message}"
            );
            assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
        }
    }
    assert!(writes(&cloud.requests()).is_empty());
    // One subnet is no other's business.
    assert_eq!(deployment("10.10.2.128/26").rehearse(&cloud).plan().len(), 4);
}
