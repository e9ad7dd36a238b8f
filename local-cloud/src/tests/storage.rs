use super::common::{Bench, STORAGE, absolute, account_body, account_path};
use serde_json::{Value, json};

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

#[test]
fn an_account_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let sent = json!({
        "location": "UK South",
        "sku": {"name": "standard_ragrs"},
        "properties": {"networkAcls": {"defaultAction": "deny", "bypass": "metrics,logging", "ipRules": [{"value": "1.2.3.4"}]}},
    });
    let account = bench.account("myaccount", sent);
    assert_eq!(account["id"], absolute(&account_path("myaccount")));
    assert_eq!(account["type"], "Microsoft.Storage/storageAccounts");
    assert_eq!(account["location"], "uksouth");
    assert_eq!(account["sku"], json!({"name": "Standard_RAGRS", "tier": "Standard"}));
    assert_eq!(account["tags"], json!({}));
    let properties = &account["properties"];
    assert_eq!(properties["provisioningState"], "Succeeded");
    assert_eq!(properties["minimumTlsVersion"], "TLS1_0");
    assert_eq!(properties["supportsHttpsTrafficOnly"], true);
    assert_eq!(properties["allowBlobPublicAccess"], false);
    assert_eq!(properties["accessTier"], "Hot");
    assert_eq!(properties["primaryEndpoints"]["blob"], "https://myaccount.blob.core.windows.net/");
    assert_eq!(properties["secondaryEndpoints"]["table"], "https://myaccount-secondary.table.core.windows.net/");
    assert_eq!(properties["secondaryEndpoints"].get("file"), None);
    assert_eq!(
        (&properties["primaryLocation"], &properties["secondaryLocation"]),
        (&json!("uksouth"), &json!("ukwest"))
    );
    assert_eq!(
        properties["networkAcls"],
        json!({
            "defaultAction": "Deny",
            "bypass": "Metrics, Logging",
            "ipRules": [{"value": "1.2.3.4", "action": "Allow"}],
            "virtualNetworkRules": [],
            "ipv6Rules": [],
        })
    );
    assert_eq!(bench.cloud.resource(&absolute(&account_path("MYACCOUNT"))), Some(account));
}

#[test]
fn an_account_is_reached_by_the_networks_and_in_the_zone_that_it_asks_for() {
    let bench = bench();
    let routing = |microsoft: bool, internet: bool| {
        let preference = json!({"publishMicrosoftEndpoints": microsoft, "publishInternetEndpoints": internet});
        json!({"properties": {"routingPreference": preference}})
    };
    let both = bench.account("both", routing(true, true));
    let endpoints = &both["properties"]["primaryEndpoints"];
    assert_eq!(endpoints["microsoftEndpoints"]["queue"], "https://both-microsoftrouting.queue.core.windows.net/");
    assert_eq!(endpoints["microsoftEndpoints"]["file"], "https://both-microsoftrouting.file.core.windows.net/");
    assert_eq!(
        endpoints["internetEndpoints"],
        json!({
            "dfs": "https://both-internetrouting.dfs.core.windows.net/",
            "web": "https://both-internetrouting.z33.web.core.windows.net/",
            "blob": "https://both-internetrouting.blob.core.windows.net/",
            "file": "https://both-internetrouting.file.core.windows.net/",
        })
    );
    let neither = bench.account("neither", routing(false, false));
    assert_eq!(neither["properties"]["primaryEndpoints"].get("microsoftEndpoints"), None);
    assert_eq!(neither["properties"]["primaryEndpoints"].get("internetEndpoints"), None);
    let zone = json!({"sku": {"name": "Standard_RAGRS"}, "properties": {"dnsEndpointType": "AzureDnsZone"}});
    let zoned = bench.account("zoned", zone);
    let blob = |which: &str| zoned["properties"][which]["blob"].as_str().unwrap().to_owned();
    let rest = blob("primaryEndpoints").strip_prefix("https://zoned.z").unwrap().to_owned();
    let (number, rest) = rest.split_once('.').unwrap();
    assert!(number.len() == 2 && number.parse::<u8>().is_ok() && rest == "blob.storage.azure.net/", "{rest}");
    assert_eq!(blob("secondaryEndpoints"), format!("https://zoned-secondary.z{number}.{rest}"));
}

#[test]
fn identities_of_an_account_have_ids() {
    let bench = bench();
    let own = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/own";
    let identity = json!({"type": "SystemAssigned,UserAssigned", "userAssignedIdentities": {own: {}}});
    let account = bench.account("abc", json!({"identity": identity}));
    let ids = &account["identity"]["userAssignedIdentities"][own];
    for id in [&account["identity"]["principalId"], &ids["principalId"], &ids["clientId"]] {
        assert_eq!(id.as_str().unwrap().len(), 36);
    }
    let again = bench.put(&account_path("abc"), STORAGE, &account).json();
    assert_eq!(again["identity"], account["identity"], "they stay");
}

#[test]
fn put_replaces_and_patch_merges() {
    let bench = bench();
    let made = bench.account(
        "abc",
        json!({"tags": {"a": "1"}, "properties": {"accessTier": "Cool", "minimumTlsVersion": "TLS1_2"}}),
    );
    let patch = json!({"tags": {"b": "2"}, "properties": {"allowBlobPublicAccess": true}});
    let patched = bench.call("PATCH", &account_path("abc"), STORAGE, Some(&patch));
    assert_eq!(patched.status, 200);
    let patched = patched.json();
    assert_eq!(patched["tags"], json!({"b": "2"}));
    assert_eq!(patched["properties"]["accessTier"], "Cool");
    assert_eq!(patched["properties"]["allowBlobPublicAccess"], true);
    // What was read may be sent back: read-only members have no effect.
    let mut whole = patched.clone();
    whole["properties"]["primaryLocation"] = json!("elsewhere");
    let replaced = bench.put(&account_path("abc"), STORAGE, &whole);
    assert_eq!(replaced.status, 200);
    assert_eq!(replaced.json(), patched);
    let replaced = bench.put(&account_path("abc"), STORAGE, &account_body(json!({}))).json();
    assert_eq!(replaced["properties"]["accessTier"], "Hot");
    assert_eq!(replaced["properties"]["allowBlobPublicAccess"], false);
    assert_eq!(replaced["properties"]["creationTime"], made["properties"]["creationTime"]);
    assert_eq!(replaced["tags"], json!({}));
}

#[test]
fn accounts_azure_has_not_are_refused() {
    let bench = bench();
    let refuse = |name: &str, change: Value| bench.put(&account_path(name), STORAGE, &account_body(change)).refusal();
    let values = |change: Value| refuse("abc", change);
    let invalid = (400, "InvalidValuesForRequestParameters".to_owned());
    assert_eq!(refuse("Abc", json!({})), (400, "AccountNameInvalid".into()));
    assert_eq!(refuse("ab", json!({})), (400, "AccountNameInvalid".into()));
    assert_eq!(values(json!({"sku": {}})), (400, "AccountTypeMissing".into()));
    assert_eq!(values(json!({"kind": null})), invalid);
    assert_eq!(values(json!({"location": null})), (400, "LocationRequired".into()));
    assert_eq!(values(json!({"location": "global"})), (400, "LocationNotAvailableForResourceType".into()));
    assert_eq!(values(json!({"kind": "FileStorage"})), invalid);
    assert_eq!(values(json!({"kind": "BlockBlobStorage"})), invalid);
    assert_eq!(values(json!({"sku": {"name": "Premium_GRS"}})), invalid);
    assert_eq!(values(json!({"kind": "BlobStorage"})), invalid);
    assert_eq!(values(json!({"properties": {"minimumTlsVersion": "TLS1_3"}})), invalid);
    assert_eq!(values(json!({"properties": {"networkAcls": {"bypass": "None"}}})), invalid);
    assert_eq!(values(json!({"properties": {"networkAcls": {"defaultAction": "Deny", "bypass": null}}})), invalid);
    assert_eq!(
        values(json!({"properties": {"networkAcls": {"defaultAction": "Deny", "bypass": "None, Metrics"}}})),
        invalid
    );
    assert_eq!(values(json!({"properties": {"allowBlobPublicAccess": "yes"}})), (400, "InvalidRequestContent".into()));
    for name in ["a/b", "hidden-title:a/b", "hidden-link:/a?b"] {
        assert_eq!(values(json!({"tags": {name: ""}})), (400, "InvalidTagNameCharacters".into()), "{name}");
    }
    let elsewhere = account_path("abc").replace("/g/", "/none/");
    assert_eq!(
        bench.put(&elsewhere, STORAGE, &account_body(json!({}))).refusal(),
        (404, "ResourceGroupNotFound".into())
    );
}

#[test]
fn what_is_fixed_at_creation_stays() {
    let bench = bench();
    bench.account("abc", json!({"kind": "Storage"}));
    let put = |change: Value| bench.put(&account_path("abc"), STORAGE, &account_body(change));
    let fixed = (400, "AccountPropertyCannotBeUpdated".to_owned());
    assert_eq!(put(json!({"location": "ukwest"})).refusal(), (409, "InvalidResourceLocation".into()));
    assert_eq!(put(json!({"kind": "BlobStorage", "properties": {"accessTier": "Hot"}})).refusal(), fixed);
    assert_eq!(put(json!({"kind": "Storage", "sku": {"name": "Premium_LRS"}})).refusal(), fixed);
    assert_eq!(put(json!({"kind": "Storage", "sku": {"name": "Standard_GRS"}})).status, 200);
    assert_eq!(put(json!({"kind": "StorageV2"})).status, 200);
    assert_eq!(put(json!({"kind": "Storage"})).refusal(), fixed);
    assert_eq!(put(json!({"sku": {"name": "Standard_ZRS"}})).refusal(), fixed);
    assert_eq!(put(json!({"properties": {"isHnsEnabled": true}})).refusal(), fixed);
    assert_eq!(put(json!({"properties": {"isHnsEnabled": false}})).status, 200);
}

#[test]
fn names_are_worldwide() {
    let bench = bench();
    bench.account("taken", json!({}));
    let other = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/x";
    assert_eq!(bench.put(other, "2025-04-01", &json!({"location": "eastus"})).status, 201);
    let path = format!("{other}/providers/Microsoft.Storage/storageAccounts/taken");
    assert_eq!(
        bench.put(&path, STORAGE, &account_body(json!({}))).refusal(),
        (409, "StorageAccountAlreadyTaken".into())
    );
    let check = |name: &str| {
        let body = json!({"name": name, "type": "Microsoft.Storage/storageAccounts"});
        bench.call("POST", "providers/Microsoft.Storage/checkNameAvailability", STORAGE, Some(&body)).json()
    };
    assert_eq!(check("free1"), json!({"nameAvailable": true}));
    assert_eq!(check("taken")["reason"], "AlreadyExists");
    assert_eq!(check("No")["reason"], "AccountNameInvalid");
    assert_eq!(bench.call("DELETE", &account_path("taken"), STORAGE, None).status, 200);
    assert_eq!(bench.call("DELETE", &account_path("taken"), STORAGE, None).status, 204);
    assert_eq!(check("taken"), json!({"nameAvailable": true}));
}

#[test]
fn keys_are_the_accounts_own_and_stay() {
    let bench = bench();
    bench.account("abc", json!({}));
    let list = |name: &str| bench.call("POST", &format!("{}/listKeys", account_path(name)), STORAGE, None);
    let keys = list("abc").json();
    assert_eq!(keys["keys"][0]["keyName"], "key1");
    assert_eq!(keys["keys"][0]["value"].as_str().unwrap().len(), 88);
    assert_ne!(keys["keys"][0]["value"], keys["keys"][1]["value"]);
    assert_eq!(list("abc").json(), keys);
    assert_eq!(list("none").refusal(), (404, "ResourceNotFound".into()));
    // Keys that the data plane refuses are listed all the same.
    bench.account("keyless", json!({"properties": {"allowSharedKeyAccess": false}}));
    assert_eq!(list("keyless").json()["keys"].as_array().unwrap().len(), 2);
}

#[test]
fn containers_shares_queues_and_tables_come_with_their_defaults() {
    let bench = bench();
    bench.account("abc", json!({"properties": {"allowBlobPublicAccess": true}}));
    let child = |path: &str| format!("{}/{path}", account_path("abc"));
    let put = |path: &str, body: Value| bench.put(&child(path), STORAGE, &body);
    let container = put("blobServices/default/containers/logs", json!({"properties": {"publicAccess": "container"}}));
    assert_eq!(container.status, 201);
    let container = container.json();
    assert_eq!(container["type"], "Microsoft.Storage/storageAccounts/blobServices/containers");
    assert_eq!(container["properties"]["publicAccess"], "Container");
    assert_eq!(container["properties"]["leaseStatus"], "Unlocked");
    assert_eq!(container["properties"]["hasImmutabilityPolicy"], false);
    assert!(container["etag"].as_str().unwrap().starts_with("\"0x8"));
    let again = put("blobServices/default/containers/logs", json!({"properties": {}}));
    assert_eq!((again.status, &again.json()["properties"]["publicAccess"]), (200, &json!("None")));
    assert_ne!(again.json()["etag"], container["etag"]);
    let share = put("fileServices/default/shares/data", json!({}));
    assert_eq!(share.status, 201);
    let share = share.json();
    assert_eq!(share["properties"]["shareQuota"], 5120);
    assert_eq!(share["properties"]["accessTier"], "TransactionOptimized");
    assert_eq!(share["properties"]["enabledProtocols"], "SMB");
    assert_eq!(put("queueServices/default/queues/jobs", json!({"properties": {}})).status, 200);
    let table = put("tableServices/default/tables/Rows", json!({}));
    assert_eq!((table.status, &table.json()["properties"]["tableName"]), (200, &json!("Rows")));
    let bare = bench.call("PUT", &child("tableServices/default/tables/Bare"), STORAGE, None);
    assert_eq!(bare.status, 200);
    let list = |path: &str| bench.get(&child(path), STORAGE).json()["value"].as_array().unwrap().len();
    assert_eq!(list("blobServices/default/containers"), 1);
    assert_eq!(list("fileServices/default/shares"), 1);
    assert_eq!(list("queueServices/default/queues"), 1);
    assert_eq!(list("tableServices/default/tables"), 2);
    assert_eq!(list("blobServices"), 1);
    let delete = |path: &str| bench.call("DELETE", &child(path), STORAGE, None).status;
    assert_eq!(delete("queueServices/default/queues/jobs"), 204);
    assert_eq!(delete("blobServices/default/containers/logs"), 200);
    assert_eq!(delete("blobServices/default/containers/logs"), 204);
    let gone = bench.get(&child("blobServices/default/containers/logs"), STORAGE);
    assert_eq!(gone.refusal(), (404, "ContainerNotFound".into()));
}

#[test]
fn services_exist_with_the_account_and_can_be_set() {
    let bench = bench();
    bench.account("abc", json!({}));
    let path = format!("{}/blobServices/default", account_path("abc"));
    let before = bench.get(&path, STORAGE).json();
    assert_eq!(
        (&before["name"], &before["properties"]["deleteRetentionPolicy"]["enabled"]),
        (&json!("default"), &json!(false))
    );
    let body = json!({"properties": {"deleteRetentionPolicy": {"enabled": true, "days": 7}}});
    assert_eq!(bench.put(&path, STORAGE, &body).status, 200);
    assert_eq!(bench.get(&path, STORAGE).json()["properties"]["deleteRetentionPolicy"]["days"], 7);
}

#[test]
fn children_azure_has_not_are_refused() {
    let bench = bench();
    bench.account("std", json!({}));
    bench.account("blk", json!({"kind": "BlockBlobStorage", "sku": {"name": "Premium_LRS"}}));
    bench.account("fil", json!({"kind": "FileStorage", "sku": {"name": "Premium_ZRS"}}));
    bench.account("prm", json!({"sku": {"name": "Premium_LRS"}}));
    let put = |account: &str, path: &str, body: Value| {
        let reply = bench.put(&format!("{}/{path}", account_path(account)), STORAGE, &body);
        if reply.status < 300 { (reply.status, String::new()) } else { reply.refusal() }
    };
    let unsupported = (400, "FeatureNotSupportedForAccount".to_owned());
    let wrong = (400, "InvalidHeaderValue".to_owned());
    let container = "blobServices/default/containers/abc";
    let share = "fileServices/default/shares/abc";
    assert_eq!(
        put("std", container, json!({"properties": {"publicAccess": "Blob"}})),
        (409, "PublicAccessNotPermitted".into())
    );
    assert_eq!(put("std", container, json!({"properties": {"publicAccess": "All"}})), wrong);
    assert_eq!(put("std", "blobServices/default/containers/a--b", json!({})), (400, "InvalidResourceName".into()));
    assert_eq!(put("std", "blobServices/default/containers/$web", json!({})), (201, String::new()));
    assert_eq!(put("std", "tableServices/default/tables/1abc", json!({})), (400, "InvalidResourceName".into()));
    assert_eq!(put("std", "queueServices/default/queues/ab", json!({})), (400, "OutOfRangeInput".into()));
    assert_eq!(put("std", "blobServices/other", json!({})), (400, "InvalidResourceName".into()));
    assert_eq!(put("blk", share, json!({})), unsupported);
    assert_eq!(put("blk", "fileServices/default", json!({})), unsupported);
    assert_eq!(put("fil", container, json!({})), unsupported);
    assert_eq!(put("prm", "queueServices/default/queues/abc", json!({})), unsupported);
    assert_eq!(put("prm", "tableServices/default/tables/abc", json!({})), unsupported);
    assert_eq!(put("std", share, json!({"properties": {"shareQuota": 5121}})), wrong);
    assert_eq!(put("std", share, json!({"properties": {"shareQuota": 0}})), wrong);
    assert_eq!(put("std", share, json!({"properties": {"accessTier": "Premium"}})), wrong);
    assert_eq!(put("std", share, json!({"properties": {"enabledProtocols": "NFS"}})), wrong);
    assert_eq!(
        put("fil", share, json!({"properties": {"shareQuota": 102_400, "enabledProtocols": "nfs"}})),
        (201, String::new())
    );
    assert_eq!(put("fil", share, json!({"properties": {"enabledProtocols": "SMB"}})), wrong);
    assert_eq!(put("none", container, json!({})), (404, "ParentResourceNotFound".into()));
    let list = bench.get(&format!("{}/queueServices/default/queues", account_path("fil")), STORAGE);
    assert_eq!(list.refusal(), unsupported);
}
