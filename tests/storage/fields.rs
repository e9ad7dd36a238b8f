//! Every field of the storage document: its values, its defaults, and the forms a document may have.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::fields_zone_with;
use crate::support::*;

/// The planned properties of the resource of a name, by path; the values are JSON text.
fn planned(outcome: &Outcome, name: &str) -> BTreeMap<String, String> {
    outcome
        .action(name)
        .changes
        .iter()
        .map(|change| (change.path.clone(), change.after.as_ref().map(ToString::to_string).unwrap()))
        .collect()
}

/// The planned properties of an account with these lines.
fn account(cloud: &LocalCloud, lines: &str) -> BTreeMap<String, String> {
    let outcome = Project::with(&document_of(&[("Orders", lines)])).rehearse(cloud);
    planned(&outcome, "stordersdb8e13ec")
}

#[test]
fn an_account_gets_the_documented_defaults() {
    let expected = [
        ("kind", r#""StorageV2""#),
        ("location", r#""uksouth""#),
        ("properties.allowBlobPublicAccess", "true"),
        ("properties.minimumTlsVersion", r#""TLS1_2""#),
        ("properties.networkAcls.bypass", r#""AzureServices""#),
        ("properties.networkAcls.defaultAction", r#""Allow""#),
        ("properties.supportsHttpsTrafficOnly", "true"),
        ("sku.name", r#""Standard_LRS""#),
    ];
    let expected: BTreeMap<String, String> =
        expected.into_iter().map(|(path, value)| (path.to_owned(), value.to_owned())).collect();
    let cloud = cloud();
    assert_eq!(account(&cloud, "accountType: Standard"), expected);
    let nothing = "accountType: Standard\nkind: ''\nreplication: \"\"\nminimumTlsVersion:\nsupportsHttpsTrafficOnly: null\nallowBlobPublicAccess: ~\n\
        networkAclsBypass: ''\nnetworkAclsDefaultAction: ''\nblobContainer:\nfileShare: []\ntable: ['']\nqueue: [~]\nlocation: ''\nservice:\nprivateEndpoints: []";
    assert_eq!(account(&cloud, nothing), expected, "empty is absent");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn every_value_of_every_field_in_every_case() {
    let standard = |line: &str| format!("accountType: Standard\n{line}");
    let premium = |line: &str| format!("accountType: Premium\n{line}");
    // The lines of an account, the property they set, and its value.
    let table: &[(String, &str, &str)] = &[
        ("accountType: Standard".into(), "sku.name", "Standard_LRS"),
        ("accountType: standard".into(), "sku.name", "Standard_LRS"),
        ("accountType: PREMIUM".into(), "sku.name", "Premium_LRS"),
        ("accountType: premium".into(), "sku.name", "Premium_LRS"),
        ("ACCOUNTTYPE: standard".into(), "sku.name", "Standard_LRS"),
        (standard("kind: StorageV2"), "kind", "StorageV2"),
        (standard("kind: storagev2"), "kind", "StorageV2"),
        (standard("kind: Storage"), "kind", "StorageV2"),
        (standard("kind: storage"), "kind", "StorageV2"),
        (standard("kind: BlobStorage"), "kind", "StorageV2"),
        (standard("kind: blobstorage"), "kind", "StorageV2"),
        (standard("kind: FileStorage"), "kind", "StorageV2"),
        (standard("kind: BlockBlobStorage"), "kind", "StorageV2"),
        (premium("kind: FileStorage"), "kind", "FileStorage"),
        (premium("kind: filestorage"), "kind", "FileStorage"),
        (premium("kind: BlockBlobStorage"), "kind", "BlockBlobStorage"),
        (premium("kind: blockblobstorage"), "kind", "BlockBlobStorage"),
        (premium("kind: StorageV2"), "kind", "StorageV2"),
        (standard("replication: LRS"), "sku.name", "Standard_LRS"),
        (standard("replication: lrs"), "sku.name", "Standard_LRS"),
        (standard("replication: ZRS"), "sku.name", "Standard_ZRS"),
        (standard("replication: zrs"), "sku.name", "Standard_ZRS"),
        (standard("replication: GRS"), "sku.name", "Standard_GRS"),
        (standard("replication: grs"), "sku.name", "Standard_GRS"),
        (standard("replication: RAGRS"), "sku.name", "Standard_RAGRS"),
        (standard("replication: ragrs"), "sku.name", "Standard_RAGRS"),
        (premium("replication: ZRS"), "sku.name", "Premium_ZRS"),
        (standard("minimumTlsVersion: TLS1_2"), "properties.minimumTlsVersion", "TLS1_2"),
        (standard("minimumTlsVersion: tls1_2"), "properties.minimumTlsVersion", "TLS1_2"),
        (standard("minimumTlsVersion: TLS1_1"), "properties.minimumTlsVersion", "TLS1_2"),
        (standard("minimumTlsVersion: TLS1_0"), "properties.minimumTlsVersion", "TLS1_2"),
        (standard("networkAclsBypass: None"), "properties.networkAcls.bypass", "None"),
        (standard("networkAclsBypass: none"), "properties.networkAcls.bypass", "None"),
        (standard("networkAclsBypass: Logging"), "properties.networkAcls.bypass", "Logging"),
        (standard("networkAclsBypass: logging"), "properties.networkAcls.bypass", "Logging"),
        (standard("networkAclsBypass: Metrics"), "properties.networkAcls.bypass", "Metrics"),
        (standard("networkAclsBypass: metrics"), "properties.networkAcls.bypass", "Metrics"),
        (standard("networkAclsBypass: CloudServices"), "properties.networkAcls.bypass", "AzureServices"),
        (standard("networkAclsBypass: cloudservices"), "properties.networkAcls.bypass", "AzureServices"),
        (standard("networkAclsBypass: AzureServices"), "properties.networkAcls.bypass", "AzureServices"),
        (standard("networkAclsDefaultAction: Allow"), "properties.networkAcls.defaultAction", "Allow"),
        (standard("networkAclsDefaultAction: allow"), "properties.networkAcls.defaultAction", "Allow"),
        (standard("networkAclsDefaultAction: Deny"), "properties.networkAcls.defaultAction", "Deny"),
        (standard("networkAclsDefaultAction: deny"), "properties.networkAcls.defaultAction", "Deny"),
        (standard("location: North Europe"), "location", "northeurope"),
        (standard("location: westeurope"), "location", "westeurope"),
    ];
    let cloud = cloud();
    for (lines, path, value) in table {
        assert_eq!(account(&cloud, lines)[*path], format!("\"{value}\""), "{lines}");
    }
    let flags = ["true", "True", "\"true\"", "'TRUE'"].map(|text| (text, "true"));
    let flags = flags.into_iter().chain(["false", "False", "\"false\"", "'FALSE'"].map(|text| (text, "false")));
    for (text, value) in flags {
        let changes = account(&cloud, &standard(&format!("supportsHttpsTrafficOnly: {text}")));
        assert_eq!(changes["properties.supportsHttpsTrafficOnly"], value, "supportsHttpsTrafficOnly: {text}");
        let changes = account(&cloud, &standard(&format!("allowBlobPublicAccess: {text}")));
        assert_eq!(changes["properties.allowBlobPublicAccess"], value, "allowBlobPublicAccess: {text}");
    }
}

#[test]
fn what_is_in_an_account_has_names_in_lower_case_and_its_defaults() {
    let lines = "blobContainer:\n  - name: Plain\n  - name: Open\n    publicAccess: container\n  - name: Closed\n    publicAccess: none\n  - {name: $web, publicAccess: ''}\n\
        fileShare:\n  - name: Plain-Share\n  - {name: Large, size: '6000'}\n  - {name: Small, size: 5.0}\ntable: [Customers]\nqueue: [New-Orders]\n";
    let outcome = Project::with(&document(lines)).rehearse(&cloud());
    let only = |name: &str| {
        let changes: Vec<String> =
            planned(&outcome, name).into_iter().map(|(path, value)| format!("{path}={value}")).collect();
        changes.join(" ")
    };
    assert_eq!(only("plain"), r#"properties.publicAccess="None""#);
    assert_eq!(only("open"), r#"properties.publicAccess="Container""#);
    assert_eq!(only("closed"), r#"properties.publicAccess="None""#);
    assert_eq!(only("$web"), r#"properties.publicAccess="None""#);
    assert_eq!(only("plain-share"), r#"properties.accessTier="TransactionOptimized" properties.shareQuota=100"#);
    assert_eq!(only("large"), r#"properties.accessTier="TransactionOptimized" properties.shareQuota=6000"#);
    assert_eq!(only("small"), r#"properties.accessTier="TransactionOptimized" properties.shareQuota=5"#);
    assert_eq!((only("customers"), only("new-orders")), (String::new(), String::new()));
    // A share over 5 TiB needs an account with large shares, and says so.
    assert_eq!(planned(&outcome, "stordersdb8e13ec")["properties.largeFileSharesState"], r#""Enabled""#);
}

#[test]
fn premium_shares_are_premium() {
    let lines = "accountType: Premium\nkind: FileStorage\nfileShare:\n  - name: originals\n";
    let outcome = Project::with(&document_of(&[("Orders", lines)])).rehearse(&cloud());
    assert_eq!(planned(&outcome, "originals")["properties.accessTier"], r#""Premium""#);
}

#[test]
fn lists_that_hold_only_none_deploy_nothing() {
    let cloud = cloud();
    for lines in [
        "blobContainer:\n  - name: none\n",
        "blobContainer:\n  - name: NONE\n",
        "fileShare:\n  - name: none\n    size: 5\n",
        "queue: [none]\n",
        "table: [None]\n",
    ] {
        let outcome = Project::with(&document(lines)).rehearse(&cloud);
        assert_eq!(outcome.plan().len(), 2, "{lines}: {:?}", outcome.descriptions());
    }
    // Beside other names it is nothing, too.
    let outcome = Project::with(&document("queue: [none, orders]\n")).rehearse(&cloud);
    assert_eq!(outcome.plan().len(), 3);
}

#[test]
fn an_item_without_a_name_is_ignored_with_a_warning() {
    for (lines, place) in [
        ("blobContainer:\n  - name: data\n  - publicAccess: Blob\n", "8:9: storageAccounts[0].blobContainer[1]"),
        ("blobContainer: [{name: data}, {name: ''}]\n", "6:35: storageAccounts[0].blobContainer[1]"),
        ("blobContainer: [{name: data}]\nfileShare: [{size: 5}]\n", "7:17: storageAccounts[0].fileShare[0]"),
    ] {
        let outcome = Project::with(&document(lines)).rehearse(&cloud());
        let warning = format!("storage.yml:{place}: the item has no name; it is ignored");
        assert_eq!(outcome.warnings(), [warning], "{lines}");
        assert_eq!(outcome.plan().len(), 3, "{lines}");
    }
}

#[test]
fn several_things_may_bypass_the_network_rules() {
    let cloud = cloud();
    for (value, planned) in [
        ("Logging, Metrics", "Logging, Metrics"),
        ("metrics,logging,AZURESERVICES", "Metrics, Logging, AzureServices"),
        ("'Logging, ,logging,'", "Logging"),
    ] {
        let changes = account(&cloud, &format!("accountType: Standard\nnetworkAclsBypass: {value}"));
        assert_eq!(changes["properties.networkAcls.bypass"], format!("\"{planned}\""), "{value}");
    }
    for (value, problem) in [
        ("Logging, None", "None stands alone; remove the other values"),
        ("Logging, Metric", "'Metric' is not valid; use None, Logging, Metrics or AzureServices"),
        ("Everybody", "'Everybody' is not valid; use None, Logging, Metrics or AzureServices"),
    ] {
        let outcome = Project::with(&document(&format!("networkAclsBypass: {value}"))).rehearse(&cloud);
        let message = format!("storage.yml has 1 problem:\n[1] 6:24 storageAccounts[0].networkAclsBypass: {problem}");
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
    }
    // The order makes no difference, and neither does Azure's spelling.
    let project = Project::with(&document("networkAclsBypass: Metrics, Logging"));
    project.deploy(&cloud);
    project.write("storage.yml", document("networkAclsBypass: logging,metrics"));
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn a_table_has_not_the_name_that_azure_keeps_for_itself() {
    let outcome = Project::with(&document("table: [Tables, tables2]")).rehearse(&cloud());
    let message = "storage.yml has 1 problem:\n[1] 6:13 storageAccounts[0].table[0]: table names must begin with a letter and not be 'tables'; found 'tables'";
    assert_eq!(outcome.failed_with(), ("SettingsInvalid", message));
}

#[test]
fn false_stays_false_after_a_run() {
    let cloud = cloud();
    let project = Project::with(&document("supportsHttpsTrafficOnly: false\nallowBlobPublicAccess: 'False'\n"));
    project.deploy(&cloud);
    let properties = resource(&cloud, ACCOUNT)["properties"].clone();
    assert_eq!(properties["supportsHttpsTrafficOnly"], false);
    assert_eq!(properties["allowBlobPublicAccess"], false);
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 2");
}

const AS_YAML: &str = "\
defaults: &defaults
  accountType: Standard
  replication: GRS
";

#[test]
fn merge_keys_fill_in_what_an_account_does_not_say() {
    // Keys of the document's own have no place in it, so the anchor stands on the first account.
    let text = "location: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - &first\n    storageAccountName: Orders\n    accountType: Standard\n    replication: GRS\n    queue: [orders]\n  - <<: *first\n    storageAccountName: Ledger\n    replication: ZRS\n";
    let outcome = Project::with(text).rehearse(&cloud());
    assert_eq!(planned(&outcome, "stordersdb8e13ec")["sku.name"], r#""Standard_GRS""#);
    assert_eq!(planned(&outcome, "stledger4239756b")["sku.name"], r#""Standard_ZRS""#);
    assert_eq!(outcome.plan().len(), 5, "the queue is in both");
    let tier = outcome.action("stledger4239756b").changes.iter().find(|change| change.path == "kind").unwrap();
    assert_eq!(tier.origin, None, "neither account says it");
    assert_eq!(outcome.action("stledger4239756b").origin.as_deref(), Some("storage.yml:9:5"));
    // An anchor on a key that is no setting is one finding, of the key.
    let outcome = Project::with(&format!("{AS_YAML}{text}")).rehearse(&cloud());
    assert!(outcome.failed_with().1.contains("defaults: unknown key"), "{}", outcome.failed_with().1);
}

#[test]
fn yaml_json_and_objects_are_one_document() {
    let cloud = cloud();
    let object = json!({
        "Component": "STORAGE",
        "location": "uksouth",
        "resourceGroupName": "Shop",
        "service": null,
        "storageAccounts": [
            {"StorageAccountName": "Orders", "accountType": "standard", "queue": ["orders"], "fileShare": [{"name": "shared", "size": "300"}]}
        ],
    });
    let project = Project::with(&document("queue: [orders]\nfileShare: [{name: shared, size: 300}]\n"));
    let yaml = project.rehearse(&cloud);

    project.write("storage.json", format!("// Comments are fine.\n{object:#}"));
    let json = run(&with(project.request_for("storage.json", &cloud), json!({"whatIf": true})));
    assert_eq!(json.descriptions(), yaml.descriptions());

    let request = json!({"settings": object, "baseDirectory": project.path(""), "whatIf": true, "context": {"cloud": cloud.endpoint()}, "environment": {}});
    let given = run(&request);
    assert_eq!(given.descriptions(), yaml.descriptions());
    let origin = |outcome: &Outcome| {
        let share = outcome.action("shared").changes.iter().find(|change| change.path == "properties.shareQuota");
        share.unwrap().origin.clone().unwrap()
    };
    assert_eq!(origin(&yaml), "storage.yml:7:38");
    assert!(origin(&json).starts_with("storage.json:"), "{}", origin(&json));
    assert_eq!(origin(&given), "storageAccounts[0].fileShare[0].size", "an object has no lines");
}

#[test]
fn the_document_that_uses_every_field_deploys_and_is_then_up_to_date() {
    let cloud = fields_zone_with(LocalCloudOptions::default());
    let project =
        Project::with(&std::fs::read_to_string(repository("examples/all-fields/storage-all-fields.yml")).unwrap());
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert_eq!(outcome.summary(), "created 27");
    let everything: Value = resource(
        &cloud,
        &outcome
            .plan()
            .iter()
            .find(|action| action.resource.name.starts_with("steverything"))
            .unwrap()
            .resource
            .resource_id[in_subscription("").len()..],
    );
    assert_eq!(everything["sku"]["name"], "Standard_RAGRS");
    assert_eq!(everything["location"], "northeurope");
    assert_eq!(everything["tags"], json!({"svc-service": "fields-everything"}));
    assert_eq!(everything["properties"]["supportsHttpsTrafficOnly"], false);
    assert_eq!(everything["properties"]["networkAcls"]["defaultAction"], "Deny");
    assert_eq!(everything["properties"]["networkAcls"]["bypass"], "Logging, Metrics");
    let again = project.deploy(&cloud);
    assert_eq!(again.summary(), "unchanged 27", "{:#?}", again.descriptions());
}
