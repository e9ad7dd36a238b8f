//! Defaults shape what is created; on what exists, what the document does not say stays as it is.

use serde_json::json;

use crate::support::*;

/// An account that an administrator closed, and what is in it.
fn closed(cloud: &svc_local_cloud::LocalCloud) {
    tamper(cloud, ACCOUNT, |body| {
        let properties = &mut body["properties"];
        properties["allowBlobPublicAccess"] = json!(false);
        properties["minimumTlsVersion"] = json!("TLS1_0");
        properties["networkAcls"]["defaultAction"] = json!("Deny");
        properties["networkAcls"]["bypass"] = json!("None");
        body["sku"] = json!({"name": "Standard_GRS"});
    });
}

#[test]
fn an_account_that_somebody_closed_stays_closed() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    project.deploy(&cloud);
    closed(&cloud);
    let before = (resource(&cloud, ACCOUNT), cloud.requests().len());
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 2");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    assert!(writes(&requests_after(&cloud, before.1)).is_empty());
    assert_eq!(resource(&cloud, ACCOUNT), before.0);
    let expected = "The storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' keeps what the document does not set: \
        sku.name \"Standard_GRS\" (default: \"Standard_LRS\"), properties.minimumTlsVersion \"TLS1_0\" (default: \"TLS1_2\"), \
        properties.allowBlobPublicAccess false (default: true), properties.networkAcls.bypass \"None\" (default: \"AzureServices\"), \
        properties.networkAcls.defaultAction \"Deny\" (default: \"Allow\").";
    let lines: Vec<&str> = outcome.verbose().into_iter().filter(|line| line.contains("keeps what")).collect();
    assert_eq!(lines, [expected], "one line for a resource");
}

#[test]
fn what_the_document_says_is_changed_and_nothing_else() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    project.deploy(&cloud);
    closed(&cloud);
    project.write("storage.yml", document("networkAclsDefaultAction: Allow\nallowBlobPublicAccess: true"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 1", "{:#?}", outcome.errors());
    let changed: Vec<&str> = outcome.plan()[0].changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(changed, ["properties.allowBlobPublicAccess", "properties.networkAcls.defaultAction"]);
    let account = resource(&cloud, ACCOUNT);
    assert_eq!(account["properties"]["networkAcls"]["bypass"], "None");
    assert_eq!(
        (&account["sku"]["name"], &account["properties"]["minimumTlsVersion"]),
        (&json!("Standard_GRS"), &json!("TLS1_0"))
    );
    // Taken out of the document again, it stays as the document made it.
    project.write("storage.yml", document(""));
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 2");
    assert_eq!(resource(&cloud, ACCOUNT), account);
}

#[test]
fn a_share_is_not_made_smaller_and_keeps_its_tier() {
    let share = format!("{ACCOUNT}/fileServices/default/shares/files");
    let (cloud, project) = (cloud(), Project::with(&document("fileShare: [{name: files}]")));
    project.deploy(&cloud);
    tamper(&cloud, &share, |body| {
        body["properties"]["shareQuota"] = json!(2000);
        body["properties"]["accessTier"] = json!("Cool");
    });
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 3");
    let expected = "The file share 'files' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' keeps what the document does not \
        set: properties.shareQuota 2000 (default: 100), properties.accessTier \"Cool\" (default: \"TransactionOptimized\").";
    assert!(outcome.verbose().contains(&expected), "{:#?}", outcome.verbose());
    project.write("storage.yml", document("fileShare: [{name: files, size: 3000}]"));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 2");
    let share = resource(&cloud, &share);
    assert_eq!(
        (&share["properties"]["shareQuota"], &share["properties"]["accessTier"]),
        (&json!(3000), &json!("Cool"))
    );
}

#[test]
fn a_public_container_does_not_open_an_account() {
    let container = format!("{ACCOUNT}/blobServices/default/containers/data");
    let (cloud, project) = (cloud(), Project::with(&document("blobContainer: [{name: data}]")));
    project.deploy(&cloud);
    tamper(&cloud, &container, |body| body["properties"]["publicAccess"] = json!("Blob"));
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 3", "somebody opened the container");
    tamper(&cloud, &container, |body| body["properties"]["publicAccess"] = json!("None"));
    closed(&cloud);
    project.write("storage.yml", document("blobContainer: [{name: data, publicAccess: Blob}]"));
    let before = cloud.requests().len();
    for outcome in [project.rehearse(&cloud), project.deploy(&cloud)] {
        let message = "storage.yml has 1 problem:\n[1] 6:48 storageAccounts[0].blobContainer[0].publicAccess: the blob container 'data' of storage account \
            'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' cannot have the public access Blob, because the account exists and does not \
            allow public access; set allowBlobPublicAccess of the account to true, or the public access to None";
        assert_eq!(outcome.failed_with(), ("CannotBeChanged", message));
        assert!(outcome.plan().is_empty());
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    project.write(
        "storage.yml",
        document("allowBlobPublicAccess: true\nblobContainer: [{name: data, publicAccess: Blob}]"),
    );
    assert_eq!(project.deploy(&cloud).summary(), "modified 2, unchanged 1");
}
