//! Documents of storage accounts.

use serde_json::json;

use super::*;
use crate::support::estate::{LANDING_ZONE, STORAGE, landing_zone};

#[test]
#[expect(clippy::too_many_lines, reason = "a whole document")]
fn the_document_says_everything_of_an_account() {
    let cloud = cloud();
    let text = "location: UK South\nresourceGroupName: Shop\nservice: {publish: {resourceGroup: shop, storage: all}}\nstorageAccounts:\n  \
                - storageAccountName: My-Orders\n    accountType: Standard\n    replication: ZRS\n    kind: StorageV2\n    \
                blobContainer: [{name: a-b}, {name: open, publicAccess: Blob}]\n    fileShare: [{name: files, size: 7}]\n    \
                table: [customers]\n    queue: [orders]\n    supportsHttpsTrafficOnly: false\n    networkAclsBypass: Logging, AzureServices\n    \
                networkAclsDefaultAction: Deny\n    service: {publish: {storage: own}}\n  \
                - storageAccountName: Elsewhere\n    accountType: Premium\n    kind: FileStorage\n    location: UK West\n    fileShare: [{name: files, size: 100}]\n";
    deploy(STORAGE, text, &cloud);
    let text = whole(STORAGE, "storage", GROUP, &cloud);
    assert_eq!(
        text,
        "\
# Settings of New-SvcIaasStorage, written by an export of the resource group 'rg-shop-iaas-99b8167f'.
# A plan of it changes nothing.
component: storage
location: uksouth
resourceGroupName: shop
service:
  publish:
    resourceGroup: shop
storageAccounts:
  - storageAccountName: elsewhere
    location: ukwest
    accountType: Premium
    replication: LRS
    kind: FileStorage
    minimumTlsVersion: TLS1_2
    supportsHttpsTrafficOnly: true
    allowBlobPublicAccess: true
    networkAclsBypass: AzureServices
    networkAclsDefaultAction: Allow
    fileShare:
      - name: files
        size: 100
    service:
      publish:
        storage: all
  - storageAccountName: my-orders
    accountType: Standard
    replication: ZRS
    kind: StorageV2
    minimumTlsVersion: TLS1_2
    supportsHttpsTrafficOnly: false
    allowBlobPublicAccess: true
    networkAclsBypass: Logging, AzureServices
    networkAclsDefaultAction: Deny
    blobContainer:
      - name: a-b
      - name: open
        publicAccess: Blob
    fileShare:
      - name: files
        size: 7
    table:
      - customers
    queue:
      - orders
    service:
      publish:
        storage: own
"
    );
}

#[test]
fn what_the_settings_cannot_say_is_left_out_with_the_reason() {
    let cloud = cloud();
    deploy(STORAGE, &document(""), &cloud);
    tamper(&cloud, ACCOUNT, |body| {
        body["sku"] = json!({"name": "Standard_GZRS"});
        body["properties"]["minimumTlsVersion"] = json!("TLS1_0");
    });
    cloud
        .import(&[json!({
            "id": in_subscription(&format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/somebodyelses")),
            "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"},
        })])
        .unwrap();
    let outcome = export("storage", GROUP, &cloud);
    let text = outcome.document();
    assert_eq!(
        outcome.warnings(),
        [
            "The storage account 'somebodyelses' is left out: the naming convention does not generate its name.",
            "'replication' of 'orders' is left out: 'GZRS' is not valid; use LRS, ZRS, GRS or RAGRS.",
            "'minimumTlsVersion' of 'orders' is left out: Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026; what is there stays.",
        ]
    );
    for line in [
        "# What it does not say:",
        "#   - The storage account 'somebodyelses' is left out: the naming convention does not generate its",
        "    # Left out: 'GZRS' is not valid; use LRS, ZRS, GRS or RAGRS.",
        "    #replication: GZRS",
        "    # Left out: Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026; what is there stays.",
        "    #minimumTlsVersion: TLS1_0",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    assert_eq!(plan_of(STORAGE, &outcome, &cloud).descriptions(), Vec::<&str>::new(), "{text}");
}

/// Each is one line at its resource, and one warning.
#[test]
fn what_no_setting_says_is_told_at_the_resource() {
    let cloud = cloud();
    deploy(STORAGE, &document("blobContainer: [{name: data}]"), &cloud);
    tamper(&cloud, ACCOUNT, |body| {
        body["identity"] = json!({"type": "SystemAssigned"});
        let properties = &mut body["properties"];
        properties["isHnsEnabled"] = json!(true);
        properties["isSftpEnabled"] = json!(true);
        properties["publicNetworkAccess"] = json!("Disabled");
        properties["encryption"]["keySource"] = json!("Microsoft.Keyvault");
        properties["encryption"]["keyvaultproperties"] = json!({"keyname": "own", "keyvaulturi": "https://kv.example"});
        properties["networkAcls"]["ipRules"] = json!([{"value": "198.51.100.7", "action": "Allow"}]);
    });
    tamper(&cloud, &format!("{ACCOUNT}/blobServices/default/containers/data"), |body| {
        body["properties"]["metadata"] = json!({"team": "shop"});
        body["properties"]["hasImmutabilityPolicy"] = json!(true);
        body["properties"]["hasLegalHold"] = json!(true);
    });
    cloud
        .import(&[json!({
            "id": in_subscription(&format!("{ACCOUNT}/blobServices/default")),
            "properties": {"deleteRetentionPolicy": {"enabled": true, "days": 30}, "isVersioningEnabled": true},
        })])
        .unwrap();
    let outcome = export("storage", GROUP, &cloud);
    let text = outcome.document();
    let name = ACCOUNT.rsplit('/').next().unwrap();
    let expected = [
        format!(
            "The blob service 'default' of storage account '{name}' keeps what no setting says: \
             properties.deleteRetentionPolicy.days 30, properties.deleteRetentionPolicy.enabled true, properties.isVersioningEnabled true."
        ),
        format!(
            "The storage account '{name}' keeps what no setting says: identity.type \"SystemAssigned\", \
             properties.encryption.keySource \"Microsoft.Keyvault\", properties.encryption.keyvaultproperties.keyname \"own\", \
             properties.encryption.keyvaultproperties.keyvaulturi \"https://kv.example\", properties.isHnsEnabled true, \
             properties.isSftpEnabled true, properties.networkAcls.ipRules [\"198.51.100.7\"], properties.publicNetworkAccess \"Disabled\"."
        ),
        "The blob container 'data' keeps its immutability policy and its legal hold, which no setting says.".to_owned(),
        format!(
            "The blob container 'data' of storage account '{name}' keeps what no setting says: properties.metadata.team \"shop\"."
        ),
    ];
    let sorted = |text: &str| {
        let Some((head, list)) = text.trim_end_matches('.').split_once(": ") else { return text.to_owned() };
        let mut parts: Vec<String> = list.split(", ").map(str::to_owned).collect();
        parts.sort();
        format!("{head}: {}", parts.join(", "))
    };
    let warnings: Vec<String> = outcome.warnings().into_iter().map(sorted).collect();
    assert_eq!(warnings, expected.iter().map(|text| sorted(text)).collect::<Vec<_>>(), "{text}");
    assert!(text.contains("# A plan of it changes nothing.\n"), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let at = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("# The blob service") < at("# The storage account"), "{text}");
    assert!(lines[at("- storageAccountName: ") - 1].starts_with("  # "), "{text}");
    assert!(lines[at("- name: data") - 1].starts_with("      # "), "{text}");
    assert_eq!(plan_of(STORAGE, &outcome, &cloud).descriptions(), Vec::<&str>::new(), "{text}");
}

#[test]
fn a_group_of_others_is_named_by_its_publish_name() {
    let cloud = landing_zone();
    deploy(STORAGE, &document(""), &cloud);
    let mut account = resource(&cloud, ACCOUNT);
    account["id"] = json!(in_subscription(&ACCOUNT.replace(GROUP, LANDING_ZONE)));
    cloud.import(&[account]).unwrap();
    let outcome = export("storage", LANDING_ZONE, &cloud);
    assert!(
        outcome.document().contains("service:\n  dependencies:\n    resourceGroup: landing-zone\n"),
        "{}",
        outcome.document()
    );
    tamper(&cloud, LANDING_ZONE, |body| body["tags"] = json!({}));
    let outcome = export("storage", LANDING_ZONE, &cloud);
    assert_eq!(
        outcome.warnings()[0],
        "The document names no resource group: the naming convention does not generate its name, and the resource group 'rg-landing-zone' \
         has no publish name; export again with -Tag, or give it the tag svc-service before."
    );
}

/// The naming files of the folder in which the document will be count.
#[test]
fn names_are_taken_back_by_the_naming_files_of_the_project() {
    let cloud = cloud();
    let project = Project::with(&document(""));
    project.write(
        "_names/generators.yml",
        "formats:\n  - name: storage\n    separator: ''\n    components: [{source: organisation}, {source: resource}, {source: name}]\n",
    );
    project.write("_names/tokens.yml", "organisation: acme\narchitecture: {iaas: iaas}\n");
    assert_eq!(project.deploy(&cloud).counts().failed, 0);
    let request = |base: serde_json::Value| with(request("storage", GROUP, &cloud), json!({"baseDirectory": base}));
    let outcome = export_with(&request(json!(project.path(""))));
    assert_eq!(outcome.warnings(), Vec::<&str>::new());
    assert!(outcome.document().contains("storageAccountName: orders\n"), "{}", outcome.document());
    let elsewhere = Project::new();
    let outcome = export_with(&request(json!(elsewhere.path(""))));
    assert_eq!(outcome.warnings().len(), 1, "{outcome:#?}");
    assert_eq!(outcome.failed_with().0, "NothingToExport");
}
