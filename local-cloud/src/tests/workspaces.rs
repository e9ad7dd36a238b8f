use super::common::{Bench, LOGS, RESOURCES, workspace_path as workspace};
use crate::{LocalCloudOptions, OperationTime};
use serde_json::json;
use std::time::Duration;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

#[test]
fn a_workspace_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let path = workspace("more");
    let made = bench.made(&path, LOGS, &json!({"location": "UK South", "properties": {"sku": {"name": "pergb2018"}}}));
    let properties = &made["properties"];
    assert_eq!((&properties["sku"]["name"], &properties["retentionInDays"]), (&json!("PerGB2018"), &json!(30)));
    assert_eq!(properties["customerId"].as_str().unwrap().len(), 36);
    assert_eq!(properties["publicNetworkAccessForQuery"], "Enabled");
    assert_eq!(properties["features"]["enableLogAccessUsingOnlyResourcePermissions"], true);
    let again = bench.made(&path, LOGS, &json!({"location": "uksouth", "properties": {"retentionInDays": 730}}));
    assert_eq!(again["properties"]["customerId"], properties["customerId"]);
    assert_eq!(again["properties"]["retentionInDays"], 730);
    assert_eq!(again["properties"]["sku"]["lastSkuUpdate"], properties["sku"]["lastSkuUpdate"]);
    for properties in [
        json!({"retentionInDays": 29}),
        json!({"retentionInDays": 731}),
        json!({"retentionInDays": "90"}),
        json!({"sku": {"name": "Best"}}),
        json!({"sku": {"name": "Free"}, "retentionInDays": 30}),
        json!({"publicNetworkAccessForQuery": "Maybe"}),
        json!({"workspaceCapping": {"dailyQuotaGb": 0}}),
        json!({"sku": {"name": "CapacityReservation"}}),
        json!({"sku": {"name": "CapacityReservation", "capacityReservationLevel": 150}}),
    ] {
        let body = json!({"location": "uksouth", "properties": properties});
        assert_eq!(bench.put(&path, LOGS, &body).refusal(), (400, "InvalidParameter".into()), "{body}");
    }
    let wrong =
        bench.put(&path, LOGS, &json!({"location": "uksouth", "properties": {"features": {"disableLocalAuth": "no"}}}));
    assert_eq!(wrong.refusal(), (400, "InvalidRequestContent".into()));
    for name in ["abc", "-abcd", "a_bcd"] {
        let refused = bench.put(&workspace(name), LOGS, &json!({"location": "uksouth"}));
        assert_eq!(refused.refusal(), (400, "InvalidResourceName".into()), "{name}");
    }
}

#[test]
fn capacities_quotas_and_features_are_kept() {
    let bench = bench();
    let body = json!({"location": "uksouth", "properties": {
        "sku": {"name": "capacityreservation", "capacityReservationLevel": 100},
        "workspaceCapping": {"dailyQuotaGb": 0.5},
        "features": {"disableLocalAuth": true, "enableLogAccessUsingOnlyResourcePermissions": false},
    }});
    let properties = bench.made(&workspace("logs"), LOGS, &body)["properties"].clone();
    assert_eq!(properties["sku"]["name"], "CapacityReservation");
    assert_eq!(properties["workspaceCapping"], json!({"dailyQuotaGb": 0.5, "dataIngestionStatus": "RespectQuota"}));
    assert_eq!(properties["features"]["enableLogAccessUsingOnlyResourcePermissions"], false);
    assert_eq!(properties["features"]["searchVersion"], 1);
}

#[test]
fn a_workspace_is_made_and_deleted_by_operations() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(5));
    let bench = Bench::with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    bench.group("g");
    let started = bench.put(&workspace("logs"), LOGS, &json!({"location": "uksouth"}));
    assert_eq!((started.status, &started.json()["properties"]["provisioningState"]), (201, &json!("Creating")));
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while bench.get(&workspace("logs"), LOGS).json()["properties"]["provisioningState"] != "Succeeded" {
        assert!(std::time::Instant::now() < deadline, "the workspace does not become ready");
    }
    let deleted = bench.delete(&workspace("logs"), LOGS);
    assert_eq!(deleted.status, 202);
    assert!([200, 204].contains(&bench.finish(&deleted).status));
    assert_eq!(bench.delete(&workspace("logs"), LOGS).status, 204);
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"], json!([]));
}
