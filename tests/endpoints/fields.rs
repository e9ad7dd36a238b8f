//! The private endpoint document: names, locations, tags, the forms that it may have, and what is refused.

use serde_json::{Value, json};

use crate::endpoints::private_endpoints::{BLOB_ZONE, HUB, VAULT, example, vault_endpoints};
use crate::support::estate::*;
use crate::support::*;

#[test]
fn names_are_those_of_the_replaced_module() {
    let cloud = landing_zone();
    let west = "resourceGroups/west/providers/Microsoft.Network/virtualNetworks/vnet-west";
    cloud.import(&[virtual_network(west, "ukwest", "west-network")]).unwrap();
    let in_west = "service: {dependencies: {resource: central-vault, vnet: west-network}}";
    let text = vault_endpoints(&[
        ("vault", ""),
        ("ledger-blob", ""),
        ("Core-Test-Auto042021-1", ""),
        ("0-my.endpoint", ""),
        ("Iaas-Test-St4", in_west),
        ("shop-front", ""),
    ]);
    let names = |environment: &str| -> Vec<String> {
        let context = json!({"whatIf": true, "context": {"environment": environment}});
        let outcome = Deployment::new(PRIVATE_ENDPOINTS, &text).deploy_with(&cloud, context);
        outcome.plan().iter().map(|action| action.resource.name.clone()).collect()
    };
    assert_eq!(
        names("development")[..5],
        [
            "ped-vault-dev-uks-eaccc69d",
            "ped-ledger-blob-dev-uks-18f5168b",
            "ped-core-test-auto042021-1-dev-uks-d2293267",
            "ped-0-my.endpoint-dev-uks-cee70fbd",
            "ped-iaas-test-st4-dev-ukw-16b4553e",
        ]
    );
    assert_eq!(names("test")[5], "ped-shop-front-tst-uks-b7f46860");
}

#[test]
fn one_name_is_two_in_two_locations() {
    let cloud = landing_zone();
    let west = "resourceGroups/west/providers/Microsoft.Network/virtualNetworks/vnet-west";
    cloud.import(&[virtual_network(west, "ukwest", "west-network")]).unwrap();
    let in_west = "service: {dependencies: {resource: central-vault, vnet: west-network}}";
    let deployment = Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", ""), ("vault", in_west)]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn the_location_is_that_of_the_network() {
    let cloud = landing_zone();
    let planned_location = |line: &str| {
        let outcome = Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", line)])).rehearse(&cloud);
        let location = planned(&outcome, "ped-vault-dev-uks-eaccc69d")["location"].clone();
        (location, outcome.warnings().join("\n"))
    };
    let here = r#""uksouth""#.to_owned();
    for line in ["", "location:", "location: ''", "location: UK South", "location: uksouth"] {
        assert_eq!(planned_location(line), (here.clone(), String::new()), "{line}");
    }
    let warning = "settings.yml:10:15: privateEndpoints[0].location: a private endpoint must be in the location of its virtual network; 'uksouth' is used instead of 'westeurope'";
    assert_eq!(planned_location("location: West Europe"), (here, warning.to_owned()));
    let outcome =
        Deployment::new(PRIVATE_ENDPOINTS, &vault_endpoints(&[("vault", "location: UK Suoth")])).rehearse(&cloud);
    assert_eq!(
        outcome.failed_with(),
        (
            "SettingsInvalid",
            "settings.yml has 1 problem:\n[1] 10:15 privateEndpoints[0].location: 'UK Suoth' is not an Azure location, did you mean UK South (uksouth)?"
        )
    );
}

#[test]
fn tags_of_a_tag_file_are_put_on_the_endpoints_only() {
    let (cloud, deployment) = (landing_zone(), example());
    deployment.project.write("tags.yml", "tags: {mandatory: {owner: net, SVC-Service: other}}");
    let tagged = json!({"tagSettingsFile": deployment.project.path("tags.yml")});
    assert_eq!(deployment.deploy_with(&cloud, tagged.clone()).summary(), "created 9");
    let tags = |path: &str| resource(&cloud, &network(path))["tags"].clone();
    // The name of the item wins over that of the root, and both over the file.
    assert_eq!(tags(HUB), json!({"owner": "net", "svc-service": "landing-zone-endpoints"}));
    assert_eq!(tags(VAULT), json!({"owner": "net", "svc-service": "vault-endpoint"}));
    assert_eq!(tags(BLOB_ZONE), json!({"svc-service": "privatelink.blob.core.windows.net"}));
    assert_eq!(tags(&format!("{BLOB_ZONE}/virtualNetworkLinks/vnet-hub-link")), Value::Null);
    assert_eq!(deployment.deploy_with(&cloud, tagged).summary(), "unchanged 9");

    // Tags of others stay; a changed one is one change of each endpoint.
    tamper(&cloud, &network(HUB), |body| body["tags"]["theirs"] = json!("1"));
    deployment.project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: ops}}");
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 3, unchanged 6");
    assert!(outcome.plan().iter().all(|action| action.changes.len() == 1 && action.changes[0].path == "tags.owner"));
    assert_eq!(tags(HUB), json!({"owner": "ops", "svc-service": "landing-zone-endpoints", "theirs": "1"}));

    let cloud = landing_zone();
    for (omit, warnings, owner) in [
        (
            true,
            &["Tag settings are skipped, as was asked for; only the tag for publish names is written."][..],
            json!(null),
        ),
        (false, &[], json!("ops")),
    ] {
        let outcome = deployment.deploy_with(&cloud, json!({"omitTags": omit}));
        assert_eq!(outcome.warnings(), warnings);
        let tags = resource(&cloud, &network(VAULT))["tags"].clone();
        assert_eq!((&tags["owner"], &tags["svc-service"]), (&owner, &json!("vault-endpoint")));
    }
}

#[test]
fn a_document_with_every_key_and_hardly_a_value_is_accepted() {
    let text = "\
component:
service:
  dependencies:
    resourceGroup:
    vnet:
    privateZones:
  publish:
    privateEndpoint:
globalSubResourceName:
privateEndpoints:
  - name: vault
    location:
    resourceNameSpace:
    subResourceName: vault
    subnetName: endpoints
    service:
      dependencies:
        vnet: hub-network
        resourceGroup: landing-zone
        resource: central-vault
        privateZones:
      publish:
        privateEndpoint:
";
    let expected = ["Create private endpoint 'ped-vault-dev-uks-eaccc69d' in resource group 'rg-landing-zone'."];
    for text in [text.to_owned(), text.replace(":\n", ": ''\n").replace("''\n ", "\n ").replace("''\n-", "\n-")] {
        let cloud = landing_zone();
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.descriptions(), expected);
        assert!(outcome.warnings().is_empty());
        assert_eq!(outcome.action("ped-vault-dev-uks-eaccc69d").changes.len(), 3);
        assert_eq!(resource(&cloud, &network(VAULT))["tags"], Value::Null);
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 1");
    }
}

/// The findings of a document.
fn refused(text: &str) -> String {
    let outcome = Deployment::new(PRIVATE_ENDPOINTS, text).deploy(&landing_zone());
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid");
    message.to_owned()
}

#[test]
fn what_is_wrong_with_a_document_is_told_at_once() {
    let text = "\
component: privateEndpoints
service:
  dependencies:
    vnets: hub-network
globalSubResource: vault
privateEndpoints:
  - name: vault
    subnetName: 'my subnet'
    location: Nowhere
    service:
      dependencies:
        resource: central-vault
  - subnetName: endpoints
    service:
      publish: {privateEndpoint: x}
";
    assert_eq!(
        refused(text),
        "settings.yml has 7 problems:\n\
         [1] 4:5 service.dependencies.vnets: unknown key, did you mean 'vnet'?\n\
         [2] 5:1 globalSubResource: unknown key, did you mean 'globalSubResourceName'?\n\
         [3] 8:17 privateEndpoints[0].subnetName: subnet names can contain only letters, digits, '_', '.' and '-'; 'my subnet' contains ' '\n\
         [4] 9:15 privateEndpoints[0].location: 'Nowhere' is not an Azure location\n\
         [5] 12:9 privateEndpoints[0].service.dependencies.resourceGroup: a resource group is required, here or at the root\n\
         [6] 13:5 privateEndpoints[1].name: required, but not set\n\
         [7] 15:7 privateEndpoints[1].service.dependencies: required, but not set"
    );
    let text = text
        .replace("    vnets: hub-network\n", "    privateZones: [none]\n    resourceGroup: landing-zone\n")
        .replace("globalSubResource:", "globalSubResourceName:")
        .replace("        resource: central-vault", "        resource: central-vault\n        vnet: hub-network")
        .replace("  - subnetName", "  - name: other\n    subnetName")
        .replace("      publish: {", "      dependencies: {resource: central-vault}\n      publish: {");
    assert_eq!(
        refused(&text),
        "settings.yml has 3 problems:\n\
         [1] 9:17 privateEndpoints[0].subnetName: subnet names can contain only letters, digits, '_', '.' and '-'; 'my subnet' contains ' '\n\
         [2] 10:15 privateEndpoints[0].location: 'Nowhere' is not an Azure location\n\
         [3] 18:21 privateEndpoints[1].service.dependencies.vnet: a virtual network is required, here or at the root"
    );
    assert_eq!(
        refused(&text.replace("    resourceGroup: landing-zone\n", "")),
        "settings.yml has 5 problems:\n\
         [1] 8:17 privateEndpoints[0].subnetName: subnet names can contain only letters, digits, '_', '.' and '-'; 'my subnet' contains ' '\n\
         [2] 9:15 privateEndpoints[0].location: 'Nowhere' is not an Azure location\n\
         [3] 12:9 privateEndpoints[0].service.dependencies.resourceGroup: a resource group is required, here or at the root\n\
         [4] 17:21 privateEndpoints[1].service.dependencies.resourceGroup: a resource group is required, here or at the root\n\
         [5] 17:21 privateEndpoints[1].service.dependencies.vnet: a virtual network is required, here or at the root"
    );
}

#[test]
fn two_endpoints_of_one_name_are_found_as_soon_as_their_location_is_known() {
    assert_eq!(
        refused(&vault_endpoints(&[("vault", ""), ("Vault", "")])),
        "settings.yml has 1 problem:\n\
         [1] 10:5 privateEndpoints[1]: duplicate private endpoint '<name of 'Vault' in the location of 'hub-network'>', first used by privateEndpoints[0] (settings.yml:6:5)"
    );
    // In another network of the same location it is known when that was looked up.
    let spoke = "service: {dependencies: {resource: central-vault, vnet: spoke-network}}";
    assert_eq!(
        refused(&vault_endpoints(&[("vault", ""), ("Vault", spoke)])),
        "settings.yml has 1 problem:\n\
         [1] 10:5 privateEndpoints[1]: duplicate private endpoint 'ped-vault-dev-uks-eaccc69d', first used by privateEndpoints[0] (settings.yml:6:5)"
    );
}
