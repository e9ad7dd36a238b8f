use super::common::{Bench, NETWORK, RESOURCES, STORAGE, absolute, account_body, account_path, quick};
use crate::{Fault, FaultKind, LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

/// A cloud whose operations end only when they are told to fail, so that nothing depends on the clock.
fn slow() -> Bench {
    let bench = Bench::with(LocalCloudOptions { operation_time: OperationTime::Factor(1000.0), ..quick() });
    bench.group("g");
    bench
}

fn quick_with_group() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

fn network(kind: &str, name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Network/{kind}/{name}")
}

fn network_body(location: &str) -> Value {
    json!({"location": location, "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}})
}

#[test]
fn a_storage_account_is_hidden_until_it_is_made() {
    let bench = slow();
    let path = account_path("abc");
    let started = bench.put(&path, STORAGE, &account_body(json!({})));
    assert_eq!((started.status, started.text.as_str()), (202, ""));
    assert_eq!(started.header("retry-after"), Some("15"));
    assert_eq!(started.header("x-ms-retry-after-ms"), Some("15000"));
    assert_eq!(started.header("azure-asyncoperation"), None);
    let polled = bench.follow(started.header("location").unwrap());
    assert_eq!((polled.status, polled.text.as_str()), (202, ""));
    assert!(polled.header("location").is_some());
    assert_eq!(bench.get(&path, STORAGE).refusal(), (404, "ResourceNotFound".into()));
    assert_eq!(bench.get("resources", RESOURCES).json()["value"], json!([]));
    let again = bench.put(&path, STORAGE, &account_body(json!({})));
    assert_eq!(again.refusal(), (409, "StorageAccountOperationInProgress".into()));
    let deleted = bench.call("DELETE", &path, STORAGE, None);
    assert_eq!(deleted.refusal(), (409, "AnotherOperationInProgress".into()));
}

#[test]
fn a_network_resource_shows_itself_while_it_is_made() {
    let bench = slow();
    let path = network("virtualNetworks", "v");
    let started = bench.put(&path, NETWORK, &network_body("UK South"));
    assert_eq!(started.status, 201);
    assert_eq!(started.json()["properties"]["provisioningState"], "Creating");
    assert_eq!(started.header("location"), None);
    let status = bench.follow(started.header("azure-asyncoperation").unwrap());
    assert_eq!((status.status, &status.json()["status"]), (200, &json!("InProgress")));
    assert_eq!(status.header("retry-after"), Some("15"));
    assert_eq!(bench.get(&path, NETWORK).json()["properties"]["provisioningState"], "Creating");
}

#[test]
fn the_three_ways_to_follow_all_end() {
    let bench = quick_with_group();
    let started = bench.put(&network("virtualNetworks", "v"), NETWORK, &network_body("uksouth"));
    assert_eq!(started.header("retry-after"), Some("1"));
    let status = bench.follow(started.header("azure-asyncoperation").unwrap()).json();
    assert_eq!(status["status"], "Succeeded");
    assert!(status["endTime"].is_string());
    let zone = bench.put(&network("privateDnsZones", "a.b"), "2024-06-01", &json!({"location": "global"}));
    assert_eq!(bench.finish(&zone).json()["properties"]["provisioningState"], "Succeeded");
    let workspace = "resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/work";
    let started =
        bench.put(workspace, "2025-07-01", &json!({"location": "uksouth", "properties": {"retentionInDays": 90}}));
    assert_eq!((started.status, &started.json()["properties"]["provisioningState"]), (201, &json!("Creating")));
    assert_eq!((started.header("location"), started.header("azure-asyncoperation")), (None, None));
    assert_eq!(bench.get(workspace, "2025-07-01").json()["properties"]["provisioningState"], "Succeeded");
}

#[test]
fn updates_and_deletions_are_followed_too() {
    let bench = quick_with_group();
    let path = network("virtualNetworks", "v");
    bench.put(&path, NETWORK, &network_body("uksouth"));
    let updated = bench.put(&path, NETWORK, &network_body("uksouth"));
    assert_eq!((updated.status, &updated.json()["properties"]["provisioningState"]), (200, &json!("Updating")));
    let deleted = bench.call("DELETE", &path, NETWORK, None);
    assert_eq!(deleted.status, 202);
    assert_eq!(bench.finish(&deleted).status, 200);
    assert_eq!(bench.get(&path, NETWORK).status, 404);
}

#[test]
fn a_group_goes_with_everything_in_it() {
    let bench = slow();
    bench.put(&network("virtualNetworks", "v"), NETWORK, &network_body("uksouth"));
    let deleted = bench.call("DELETE", "resourceGroups/g", RESOURCES, None);
    assert_eq!(deleted.status, 202);
    assert_eq!(bench.get("resourceGroups/g", RESOURCES).json()["properties"]["provisioningState"], "Deleting");
    let late = bench.put(&account_path("abc"), STORAGE, &account_body(json!({})));
    assert_eq!(late.refusal(), (409, "ResourceGroupBeingDeleted".into()));
    let again = bench.put("resourceGroups/g", RESOURCES, &json!({"location": "uksouth"}));
    assert_eq!(again.refusal(), (409, "ResourceGroupBeingDeleted".into()));
    let twice = bench.call("DELETE", "resourceGroups/g", RESOURCES, None);
    assert_eq!((twice.status, twice.header("location")), (202, deleted.header("location")));

    let bench = quick_with_group();
    bench.account("abc", json!({}));
    bench.put(&format!("{}/blobServices/default/containers/abc", account_path("abc")), STORAGE, &json!({}));
    let deleted = bench.call("DELETE", "resourceGroups/G", RESOURCES, None);
    assert_eq!(bench.finish(&deleted).status, 200);
    assert_eq!(bench.cloud.resource(&absolute(&account_path("abc"))), None);
    bench.group("g");
    assert_eq!(bench.get("resources", RESOURCES).json()["value"], json!([]));
    assert_eq!(
        bench.call("DELETE", "resourceGroups/none", RESOURCES, None).refusal(),
        (404, "ResourceGroupNotFound".into())
    );
}

#[test]
fn what_is_being_deleted_is_not_written() {
    let bench = slow();
    let path = network("networkSecurityGroups", "n");
    let body = json!({"location": "uksouth"});
    bench.put(&path, NETWORK, &body);
    assert_eq!(bench.call("DELETE", &path, NETWORK, None).status, 202);
    assert_eq!(bench.get(&path, NETWORK).json()["properties"]["provisioningState"], "Deleting");
    assert_eq!(bench.put(&path, NETWORK, &body).refusal(), (409, "AnotherOperationInProgress".into()));
}

#[test]
fn operations_fail_when_told_to() {
    let bench = quick_with_group();
    let fails = |path: &str| {
        let kind = FaultKind::OperationFails { code: "QuotaExceeded".into(), message: "No.".into() };
        bench.cloud.misbehave(Fault::new(kind).on("PUT", path));
    };
    fails("/storageAccounts/");
    let finished = bench.finish(&bench.put(&account_path("abc"), STORAGE, &account_body(json!({}))));
    assert_eq!(finished.refusal(), (409, "QuotaExceeded".into()));
    assert_eq!(bench.get(&account_path("abc"), STORAGE).status, 404);
    assert_eq!(bench.account("abc", json!({}))["name"], "abc");
    fails("/virtualNetworks/");
    let path = network("virtualNetworks", "v");
    let started = bench.put(&path, NETWORK, &network_body("uksouth"));
    let status = bench.follow(started.header("azure-asyncoperation").unwrap());
    assert_eq!(status.status, 200);
    assert_eq!(status.json()["status"], "Failed");
    assert_eq!(status.json()["error"], json!({"code": "QuotaExceeded", "message": "No."}));
    assert_eq!(bench.get(&path, NETWORK).json()["properties"]["provisioningState"], "Failed");
}

#[test]
fn operations_never_end_when_told_to() {
    let bench = quick_with_group();
    bench.cloud.misbehave(Fault::new(FaultKind::OperationNeverEnds));
    // A request that starts no operation leaves the fault for one that does.
    bench.group("h");
    let started = bench.put(&account_path("abc"), STORAGE, &account_body(json!({})));
    let polled = bench.follow(started.header("location").unwrap());
    assert_eq!((polled.status, polled.header("retry-after")), (202, Some("1")));
}

#[test]
fn an_unknown_operation_is_not_found() {
    let bench = quick_with_group();
    let path = "providers/Microsoft.Storage/locations/global/operationResults/22222222-2222-4222-8222-222222222222";
    assert_eq!(bench.get(path, STORAGE).refusal(), (404, "OperationNotFound".into()));
}

#[test]
fn a_fixed_time_is_told_to_the_client() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(40));
    let bench = Bench::with(LocalCloudOptions { operation_time, ..quick() });
    bench.group("g");
    let started = bench.put(&account_path("abc"), STORAGE, &account_body(json!({})));
    let wait: u64 = started.header("x-ms-retry-after-ms").unwrap().parse().unwrap();
    assert!((1..=40).contains(&wait), "{wait}");
    assert_eq!(started.header("retry-after"), Some("1"));
    assert_eq!(bench.finish(&started).json()["properties"]["provisioningState"], Value::from("Succeeded"));
}
