//! The resources that exist already: what Azure has retired, what it cannot change, and what it is still working on.

use serde_json::json;

use crate::support::*;

/// A local cloud with the group of [`document`] and an account in it, made of a plain one and a change.
fn cloud_with_account(change: serde_json::Value) -> svc_local_cloud::LocalCloud {
    let cloud = cloud();
    let group = json!({"id": in_subscription(GROUP), "location": "uksouth"});
    let mut account = json!({
        "id": in_subscription(ACCOUNT),
        "location": "uksouth",
        "kind": "StorageV2",
        "sku": {"name": "Standard_LRS"},
        "properties": {"minimumTlsVersion": "TLS1_2", "allowBlobPublicAccess": true},
    });
    account.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    cloud.import(&[group, account]).unwrap();
    cloud
}

const V1_RETIRED: &str = "storage.yml:6:11: storageAccounts[0].kind: general-purpose v1 accounts (kind Storage) were retired in September 2026; a new storage account gets StorageV2, an existing one stays as it is";
const BLOB_RETIRED: &str = "storage.yml:6:11: storageAccounts[0].kind: legacy blob accounts (kind BlobStorage) were retired in September 2026; a new storage account gets StorageV2, an existing one stays as it is";

#[test]
fn a_retired_kind_is_a_warning_and_a_new_account_gets_its_successor() {
    for (kind, warning) in [("Storage", V1_RETIRED), ("BlobStorage", BLOB_RETIRED)] {
        let cloud = cloud();
        let project = Project::with(&document(&format!("kind: {kind}")));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.warnings(), [warning]);
        assert_eq!(resource(&cloud, ACCOUNT)["kind"], "StorageV2");
        let again = project.deploy(&cloud);
        assert_eq!(again.summary(), "unchanged 2");
        assert_eq!(again.warnings(), [warning]);
    }
}

#[test]
fn an_existing_account_of_a_retired_kind_is_left_as_it_is() {
    for kind in ["Storage", "BlobStorage"] {
        let tier = if kind == "BlobStorage" { json!("Hot") } else { json!(null) };
        let properties = json!({"minimumTlsVersion": "TLS1_2", "allowBlobPublicAccess": true, "accessTier": tier});
        let cloud = cloud_with_account(json!({"kind": kind, "properties": properties}));
        let project = Project::with(&document(&format!("kind: {kind}")));
        assert_eq!(project.deploy(&cloud).summary(), "unchanged 2");
        // Another change does not upgrade it in passing.
        project.write("storage.yml", document(&format!("kind: {kind}\nsupportsHttpsTrafficOnly: false")));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1, unchanged 1", "{:#?}", outcome.errors());
        assert_eq!(outcome.action("stordersdb8e13ec").changes.len(), 1);
        assert_eq!(resource(&cloud, ACCOUNT)["kind"], kind);
        // A document that says StorageV2 does.
        project.write("storage.yml", document("kind: StorageV2\nsupportsHttpsTrafficOnly: false"));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1, unchanged 1", "{:#?}", outcome.errors());
        assert_eq!(resource(&cloud, ACCOUNT)["kind"], "StorageV2");
    }
}

#[test]
fn a_retired_tls_version_is_a_warning_and_tls_1_2_is_used() {
    for version in ["TLS1_0", "TLS1_1"] {
        let cloud =
            cloud_with_account(json!({"properties": {"minimumTlsVersion": version, "allowBlobPublicAccess": true}}));
        let outcome = Project::with(&document(&format!("minimumTlsVersion: {version}"))).deploy(&cloud);
        assert_eq!(
            outcome.warnings(),
            [
                "storage.yml:6:24: storageAccounts[0].minimumTlsVersion: Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026; TLS1_2 is used"
            ]
        );
        assert_eq!(outcome.summary(), "modified 1, unchanged 1");
        assert_eq!(resource(&cloud, ACCOUNT)["properties"]["minimumTlsVersion"], "TLS1_2");
    }
}

#[test]
fn a_kind_that_the_tier_has_not_is_a_warning() {
    for kind in ["FileStorage", "BlockBlobStorage"] {
        let outcome = Project::with(&document(&format!("kind: {kind}"))).rehearse(&cloud());
        let expected = format!(
            "storage.yml:6:11: storageAccounts[0].kind: Standard accounts do not support the kind {kind}; StorageV2 is used"
        );
        assert_eq!(outcome.warnings(), [expected]);
    }
}

#[test]
fn what_azure_cannot_change_is_kept_with_a_warning() {
    // What exists, the lines of the document, the warning.
    let table = [
        (
            json!({"sku": {"name": "Standard_ZRS"}}),
            "accountType: Standard\nreplication: LRS",
            "storage.yml:6:18: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' exists with sku.name 'Standard_ZRS', which Azure cannot change to 'Standard_LRS'. It stays as it is.",
        ),
        (
            json!({"sku": {"name": "Premium_LRS"}}),
            "accountType: Standard",
            "storage.yml:5:18: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' exists with sku.name 'Premium_LRS', which Azure cannot change to 'Standard_LRS'. It stays as it is.",
        ),
        // As the replaced module made it, whatever the document said.
        (
            json!({"sku": {"name": "Premium_LRS"}}),
            "accountType: Premium\nreplication: ZRS",
            "storage.yml:6:18: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' exists with sku.name 'Premium_LRS', which Azure cannot change to 'Premium_ZRS'. It stays as it is.",
        ),
        (
            json!({"kind": "BlockBlobStorage", "sku": {"name": "Premium_LRS"}}),
            "accountType: Premium\nkind: StorageV2",
            "storage.yml:6:11: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' exists with kind 'BlockBlobStorage', which Azure cannot change to 'StorageV2'. It stays as it is.",
        ),
        (
            json!({"location": "ukwest"}),
            "accountType: Standard\nlocation: UK South",
            "storage.yml:6:15: storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' exists with location 'ukwest', which Azure cannot change to 'uksouth'. It stays as it is.",
        ),
    ];
    for (existing, lines, warning) in table {
        let cloud = cloud_with_account(existing.clone());
        let project = Project::with(&document_of(&[("Orders", lines)]));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.warnings(), [warning]);
        assert_eq!(outcome.summary(), "unchanged 2, kept 1", "{existing}");
        let [kept] = outcome.kept()[..] else { panic!("not one: {outcome:#?}") };
        assert!(kept.existing.is_some() && kept.wanted.is_some() && kept.wanted != kept.existing, "{kept:?}");
        assert!(!outcome.verbose().iter().any(|line| line.contains("Everything is up to date")), "{existing}");
        assert!(!outcome.verbose().iter().any(|line| line.starts_with("Everything")), "{:?}", outcome.verbose());
        // Another property can be changed all the same, and what is kept is what is sent.
        project.write("storage.yml", document_of(&[("Orders", &format!("{lines}\nsupportsHttpsTrafficOnly: false"))]));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1, unchanged 1, kept 1", "{existing}: {:#?}", outcome.errors());
        let changed: Vec<&str> = outcome.plan()[0].changes.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(changed, ["properties.supportsHttpsTrafficOnly"]);
        for (key, value) in existing.as_object().unwrap() {
            let now = resource(&cloud, ACCOUNT)[key].clone();
            let kept = if key == "sku" { now["name"] == value["name"] } else { now == *value };
            assert!(kept, "{key}: {now}");
        }
    }
}

#[test]
fn redundancy_that_azure_can_change_is_changed() {
    for (before, replication, after) in [
        ("Standard_LRS", "RAGRS", "Standard_RAGRS"),
        ("Standard_RAGRS", "LRS", "Standard_LRS"),
        ("Standard_GRS", "LRS", "Standard_LRS"),
    ] {
        let cloud = cloud_with_account(json!({"sku": {"name": before}}));
        let outcome = Project::with(&document(&format!("replication: {replication}"))).deploy(&cloud);
        assert_eq!(outcome.summary(), "modified 1, unchanged 1", "{before}");
        assert!(outcome.warnings().is_empty());
        assert_eq!(resource(&cloud, ACCOUNT)["sku"]["name"], after);
    }
}
