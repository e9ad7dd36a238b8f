//! Names that others have given.

use serde_json::json;
use svc_engine::protocol::FileBeside;

use super::*;
use crate::support::estate::{Deployment, STORAGE, landing_zone};

/// A group and accounts in it, as `az group create` and `az storage account create` make them: the defaults of the Azure CLI 2.6x, and
/// those of versions before it, which had TLS 1.0 and public access.
fn of_the_azure_cli(cloud: &LocalCloud) {
    let account = |name: &str, sku: &str, tls: &str, public: bool| {
        json!({
            "id": in_subscription(&format!("resourceGroups/MyGroup/providers/Microsoft.Storage/storageAccounts/{name}")),
            "location": "uksouth",
            "kind": "StorageV2",
            "sku": {"name": sku, "tier": "Standard"},
            "tags": {},
            "properties": {
                "accessTier": "Hot",
                "allowBlobPublicAccess": public,
                "encryption": {"keySource": "Microsoft.Storage", "services": {
                    "blob": {"enabled": true, "keyType": "Account"}, "file": {"enabled": true, "keyType": "Account"}}},
                "minimumTlsVersion": tls,
                "networkAcls": {"bypass": "AzureServices", "defaultAction": "Allow", "ipRules": [], "virtualNetworkRules": []},
                "supportsHttpsTrafficOnly": true,
            },
        })
    };
    let group = json!({"id": in_subscription("resourceGroups/MyGroup"), "location": "uksouth"});
    let container = json!({
        "id": in_subscription("resourceGroups/MyGroup/providers/Microsoft.Storage/storageAccounts/mystorage2026/blobServices/default/containers/data"),
        "properties": {"publicAccess": "None"},
    });
    let accounts = [
        account("mystorage2026", "Standard_RAGRS", "TLS1_2", false),
        account("myoldstorage", "Standard_LRS", "TLS1_0", true),
    ];
    cloud.import(&[group]).unwrap();
    cloud.import(&accounts).unwrap();
    cloud.import(&[container]).unwrap();
}

#[test]
fn accounts_of_the_azure_cli_keep_their_names() {
    let cloud = cloud();
    of_the_azure_cli(&cloud);
    let outcome = export_with(&with(request("storage", "MyGroup", &cloud), json!({"names": true})));
    let text = outcome.document();
    let tls = "'minimumTlsVersion' of 'myoldstorage' is left out: Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026; what is there stays.";
    assert_eq!(outcome.warnings(), [tls], "{text}");
    assert!(text.contains("resourceGroupName: mygroup\n"), "{text}");
    assert!(text.contains("  - storageAccountName: mystorage2026\n"), "{text}");
    assert!(text.contains("    blobContainer:\n      - name: data\n"), "{text}");
    assert!(text.contains("    #minimumTlsVersion: TLS1_0\n"), "{text}");
    let files: Vec<&str> = outcome.files().iter().map(|file: &FileBeside| file.path.as_str()).collect();
    assert_eq!(files, ["_names/generators.yml", "_names/resources.yml"]);
    let plan = plan_of(STORAGE, &outcome, &cloud);
    assert_eq!(plan.descriptions(), Vec::<&str>::new(), "{text}");
    assert_eq!(plan.summary(), "unchanged 4", "the group, two accounts and a container: {text}");
}

/// Without them the convention of the project counts, which has not made these names.
#[test]
fn names_of_others_are_left_out_unless_they_are_asked_for() {
    let cloud = cloud();
    of_the_azure_cli(&cloud);
    let outcome = export("storage", "MyGroup", &cloud);
    let warnings = outcome.warnings();
    assert_eq!(warnings.len(), 3, "the group and both accounts: {warnings:#?}");
    let failure = outcome.last_error();
    assert_eq!(failure.failure.code.as_str(), "NothingToExport");
    assert_eq!(
        failure.failure.message,
        "None of the 2 storage accounts in the resource group 'MyGroup' can be in a document of 'storage', so there is none."
    );
    assert!(failure.failure.recommendation.as_ref().unwrap().contains("-Names"), "{failure:?}");
}

/// The name of a group keeps what that of a front door cannot have, and both are made of one name in the settings. A group that a solution has
/// as well may be in another region.
#[test]
fn a_front_door_is_called_as_its_group_where_its_own_name_has_lost_something() {
    let example = std::fs::read_to_string(repository("examples/web.yml")).unwrap();
    let shared = example
        .replace("- name: Shop\n", "- name: _Edge-\n")
        .replace("name: Contoso-Edge\n  region: UK South", "name: Contoso-Edge\n  region: North Europe");
    for (document, region) in [(example, "uksouth"), (shared, "northeurope")] {
        let cloud = landing_zone();
        let command = "New-SvcPaasWeb";
        let document = document.replace("name: Contoso-Edge", "name: _Edge-");
        let outcome = Deployment::new(command, &document).deploy(&cloud);
        assert_eq!(outcome.errors().len(), 0, "{:#?}", outcome.errors());
        let profile = cloud.ids().into_iter().find(|id| id.contains("-_edge-") && id.contains("/profiles/")).unwrap();
        let exported = export("web", profile.split('/').nth(4).unwrap(), &cloud);
        let text = exported.document();
        let door = format!("frontdoor:\n  name: '_edge-'\n  sessionAffinity: Disabled\n  region: {region}\n");
        assert!(text.contains(&door), "{text}");
        assert_eq!(plan_of(command, &exported, &cloud).descriptions(), Vec::<&str>::new(), "{text}");
    }
}
