//! Documents of private endpoints.

use serde_json::json;

use super::*;
use crate::support::estate::*;

const ENDPOINTS: &str = "privateEndpoints";

fn example(cloud: &LocalCloud) {
    deploy(PRIVATE_ENDPOINTS, &std::fs::read_to_string(repository("examples/private-endpoints.yml")).unwrap(), cloud);
}

fn endpoint(cloud: &LocalCloud, part: &str) -> String {
    let is_it =
        |id: &String| id.contains("/privateEndpoints/") && id.contains(part) && !id.contains("/privateDnsZoneGroups/");
    let id = cloud.ids().into_iter().find(is_it).unwrap();
    id.trim_start_matches(&in_subscription("")).to_owned()
}

#[test]
fn the_document_says_everything_of_an_endpoint() {
    let cloud = landing_zone();
    example(&cloud);
    let text = whole(PRIVATE_ENDPOINTS, ENDPOINTS, LANDING_ZONE, &cloud);
    let expected = "  - name: vault
    location: uksouth
    resourceNameSpace: Microsoft.KeyVault/vaults
    subnetName: endpoints
    subResourceName: vault
    service:
      dependencies:
        vnet: hub-network
        resource: central-vault
        privateZones:
          - vault-zone
      publish:
        privateEndpoint: vault-endpoint
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("          - privatelink.blob.core.windows.net\n"), "{text}");
}

#[test]
fn what_is_not_published_is_left_out_with_what_helps() {
    let cloud = landing_zone();
    example(&cloud);
    tamper(&cloud, &network("virtualNetworks/vnet-spoke"), |body| body["tags"] = json!({}));
    let vault = format!("{LANDING_ZONE}/providers/Microsoft.KeyVault/vaults/kv-landing-zone");
    tamper(&cloud, &vault, |body| body["tags"] = json!({}));
    let hub = endpoint(&cloud, "files-hub");
    tamper(&cloud, &hub, |body| {
        let list = body["properties"]["privateLinkServiceConnections"].take();
        body["properties"]["privateLinkServiceConnections"] = json!([]);
        body["properties"]["manualPrivateLinkServiceConnections"] = list;
    });
    let outcome = export(ENDPOINTS, LANDING_ZONE, &cloud);
    let name = |part: &str| endpoint(&cloud, part).rsplit('/').next().unwrap().to_owned();
    let mut warnings = outcome.warnings();
    warnings.sort_unstable();
    let left_out = |part: &str, why: &str| format!("The private endpoint '{}' is left out: {why}.", name(part));
    let tag = "has no publish name; export again with -Tag, or give it the tag svc-service before";
    assert_eq!(
        warnings,
        [
            left_out("files-hub", "its connection needs the approval of somebody"),
            left_out("files-spoke", &format!("its virtual network 'vnet-spoke' {tag}")),
            left_out("vault", &format!("what it connects to, 'kv-landing-zone' {tag}")),
        ]
    );
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "NothingToExport");
    assert_eq!(
        message,
        "None of the 3 private endpoints in the resource group 'rg-landing-zone' can be in a document of 'privateEndpoints', so there is none."
    );
}

#[test]
fn addresses_and_interfaces_of_their_own_are_told() {
    let cloud = landing_zone();
    example(&cloud);
    let id = endpoint(&cloud, "vault");
    tamper(&cloud, &id, |body| {
        let address = json!({"groupId": "vault", "memberName": "default", "privateIPAddress": "10.0.1.40"});
        body["properties"]["ipConfigurations"] = json!([{"name": "fixed", "properties": address}]);
        body["properties"]["customNetworkInterfaceName"] = json!("nic-vault");
    });
    let outcome = export(ENDPOINTS, LANDING_ZONE, &cloud);
    let name = id.rsplit('/').next().unwrap();
    let warnings = outcome.warnings();
    let head = format!("The private endpoint '{name}' keeps what no setting says: ");
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(warnings[0].starts_with(&head), "{warnings:#?}");
    for part in ["properties.customNetworkInterfaceName \"nic-vault\"", "properties.ipConfigurations [\"fixed\"]"] {
        assert!(warnings[0].contains(part), "{warnings:#?}");
    }
    assert_eq!(plan_of(PRIVATE_ENDPOINTS, &outcome, &cloud).descriptions(), Vec::<&str>::new());
}

/// A connection that somebody has named otherwise would get the name that the command gives it.
#[test]
fn what_the_plan_would_change_is_told() {
    let cloud = landing_zone();
    example(&cloud);
    tamper(&cloud, &endpoint(&cloud, "vault"), |body| {
        body["properties"]["privateLinkServiceConnections"][0]["name"] = json!("by-hand");
    });
    let outcome = export(ENDPOINTS, LANDING_ZONE, &cloud);
    let plan = plan_of(PRIVATE_ENDPOINTS, &outcome, &cloud);
    let warnings = outcome.warnings();
    assert_eq!(warnings.is_empty(), plan.descriptions().is_empty(), "{warnings:#?} {:#?}", plan.descriptions());
    for warning in warnings {
        assert!(warning.starts_with("A plan of the document is not empty: "), "{warning}");
    }
}
