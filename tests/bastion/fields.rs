//! The bastion host document: what it depends on, the forms that it may have, and what is refused.

use serde_json::Value;

use crate::bastion::hosts::{HOST, document, hub, sent};
use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;

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
fn the_label_of_an_address_has_the_characters_of_a_domain_name() {
    // What Azure takes: a letter, then letters, digits and hyphens, and no hyphen at the end.
    let is_label = |label: &str| {
        let inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        (3..=63).contains(&label.len())
            && label.starts_with(|first: char| first.is_ascii_lowercase())
            && label.chars().all(inner)
            && !label.ends_with('-')
    };
    for name in ["Hub_West", "hub.west", "hub_.-_west", "_"] {
        let cloud = landing_zone();
        let text = document("bastionHostSubnetPrefix: 10.10.250.0/26")
            .replace("bastionHostName: Hub", &format!("bastionHostName: {name}"));
        let outcome = Deployment::new(BASTION_HOSTS, &text).deploy(&cloud);
        assert_eq!(outcome.summary(), "created 4", "{name}: {:#?}", outcome.errors());
        let address = outcome.plan().iter().find(|action| action.resource.label == "public IP address").unwrap();
        let label = resource(&cloud, &network(&format!("publicIPAddresses/{}", address.resource.name)));
        let label = label["properties"]["dnsSettings"]["domainNameLabel"].as_str().unwrap().to_owned();
        assert!(is_label(&label) && label.starts_with("pip-"), "{name}: {label}");
    }
    // Short words of a project's own convention may begin with anything.
    let cloud = landing_zone();
    let deployment = hub();
    deployment.project.write("_names/resources.yml", "resources: [{name: PublicIPAddress, shortname: 4_IP}]\n");
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    let address = outcome.plan().iter().find(|action| action.resource.label == "public IP address").unwrap();
    let label =
        sent(&cloud, &format!("publicIPAddresses/{}", address.resource.name))["properties"]["dnsSettings"]["domainNameLabel"]
            .take();
    let label = label.as_str().unwrap();
    assert!(is_label(label) && label.starts_with("pip-4-ip-hub-dev-uks-"), "{label}");
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
                 but a bastion host must be in the location of its network; the location of the document is 'uksouth'"
            )
        );
    }
    assert!(writes(&cloud.requests()).is_empty());
    let outcome = Deployment::new(BASTION_HOSTS, &with_network("other-network")).rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:86: service.dependencies.vnet: the virtual network 'vnet-other' is in the resource group 'other'; \
            Azure documents that a bastion host must be in the group of its network, and may refuse it in 'rg-landing-zone'"
        ]
    );
    assert_eq!(outcome.plan().len(), 4);
    // Of two networks of a name the one in the region is meant.
    let second = network("virtualNetworks/vnet-second");
    cloud.import(&[virtual_network(&second, "uksouth", "west-network")]).unwrap();
    let outcome = Deployment::new(BASTION_HOSTS, &with_network("west-network")).rehearse(&cloud);
    assert!(outcome.action("AzureBastionSubnet").resource.resource_id.contains("/vnet-second/"));
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
             already has the bastion host of bastionHosts[0] (settings.yml:4:5), and Azure allows one"
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
             [1] 2:41 service.dependencies.resourceGroup: no resource group in this subscription is published as 'landing-zon', did you mean 'landing-zone'?\n\
             [2] 2:65 service.dependencies.workspace: no Log Analytics workspace in this subscription is published as 'central-vault'; the only published one is 'central-logs'\n\
             [3] 2:86 service.dependencies.vnet: no virtual network in this subscription is published as 'no-network', did you mean 'hub-network'?"
        )
    );
    let outcome = Deployment::new(BASTION_HOSTS, &text).rehearse(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:2:41: service.dependencies.resourceGroup: no resource group in this subscription is published as 'landing-zon', did you mean 'landing-zone'?; the plan shows a placeholder",
            "settings.yml:2:65: service.dependencies.workspace: no Log Analytics workspace in this subscription is published as 'central-vault'; the only published one is 'central-logs'; the plan shows a placeholder",
            "settings.yml:2:86: service.dependencies.vnet: no virtual network in this subscription is published as 'no-network', did you mean 'hub-network'?; the plan shows a placeholder",
        ]
    );
    let group = "in resource group '<resource group published as 'landing-zon'>'.";
    assert_eq!(
        outcome.descriptions(),
        [
            "Create subnet 'AzureBastionSubnet' of virtual network '<virtual network published as 'no-network'>' in resource group '<its resource group>'.",
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
        let (messages, status) = offline::command(BASTION_HOSTS, &project, "settings.yml");
        assert_eq!(status, 0, "{messages:#?}");
        assert_eq!(offline::with_event(&messages, "warning").len(), 1);
        let plan = offline::with_event(&messages, "plan")[0];
        let descriptions: Vec<&str> =
            plan["actions"].as_array().unwrap().iter().map(|action| action["description"].as_str().unwrap()).collect();
        let group = "in resource group '<resource group published as 'landing-zone'>' (current state unknown).";
        let expected = [
            "Create or update subnet 'AzureBastionSubnet' of virtual network '<virtual network published as 'hub-network'>' \
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
            "service: {dependencies: {vnet: hub-network}}\nbastionHosts:\n  - bastionHostSubnetPrefix: 10.0.1.0/26\n    sku: Basic\n"
        ),
        "settings.yml has 5 problems:\n\
         [1] 1:1 location: required, but not set\n\
         [2] 1:25 service.dependencies.resourceGroup: required, but not set\n\
         [3] 1:25 service.dependencies.workspace: required, but not set\n\
         [4] 3:5 bastionHosts[0].bastionHostName: required, but not set\n\
         [5] 4:5 bastionHosts[0].sku: unknown key; known keys are bastionHostName, bastionHostSubnetPrefix, service"
    );
    let text = document("bastionHostSubnetPrefix: x").replace(", vnet: hub-network", "").replace("UK South", "UK Soth");
    assert_eq!(
        refused(&text),
        "settings.yml has 3 problems:\n\
         [1] 1:11 location: 'UK Soth' is not an Azure location, did you mean UK South (uksouth)?\n\
         [2] 4:5 bastionHosts[0].service.dependencies.vnet: a virtual network is required, here or at the root\n\
         [3] 5:30 bastionHosts[0].bastionHostSubnetPrefix: 'x' is not an address range; use the form 10.0.1.0/26"
    );
}
