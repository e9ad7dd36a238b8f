//! API management services of New-SvcPaasWeb: their tiers, and creations that outlive a run.

use std::time::Duration;

use serde_json::json;
use svc_local_cloud::{LocalCloudOptions, OperationTime};

use crate::support::estate::*;
use crate::support::*;
use crate::web::solutions::{SHOP, bodies, document_of};

/// A document with one API management service, Gateway.
fn gateway(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    document_of(
        "storage: web-storage",
        &format!(
            "apiManagementServices:\n  - name: Gateway\n    region: UK South\n    publisherName: Contoso\n    publisherEmail: ops@contoso.com\n{lines}"
        ),
    )
}

/// The service of [`gateway`].
const GATEWAY: &str = "apim-gateway-dev-uks-b346aa27";

#[test]
fn api_management_services_are_made_in_any_tier() {
    let service = format!("{SHOP}/providers/Microsoft.ApiManagement/service/{GATEWAY}");
    for (lines, sku, warnings) in [
        ("sku: developer", json!({"name": "Developer", "capacity": 1}), 0),
        ("sku: Premium\nskuCount: '2'", json!({"name": "Premium", "capacity": 2}), 0),
        ("sku: consumption", json!({"name": "Consumption", "capacity": 0}), 0),
        ("sku: Consumption\nskuCount: 1", json!({"name": "Consumption", "capacity": 0}), 0),
        ("sku: Consumption\nskuCount: 3", json!({"name": "Consumption", "capacity": 0}), 1),
    ] {
        let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &gateway(lines)));
        let outcome = deployment.deploy(&cloud);
        assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("created 2", warnings), "{lines}");
        assert_eq!(bodies(&cloud, 0, &service)[0]["sku"], sku, "{lines}");
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2", "{lines}");
    }
}

#[test]
fn a_tier_that_cannot_be_changed_is_kept() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &gateway("sku: Consumption")));
    deployment.deploy(&cloud);
    deployment.rewrite(&gateway("sku: Developer"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 2, kept 1");
    assert!(outcome.warnings()[0].contains("Azure cannot change to"), "{:?}", outcome.warnings());
    deployment.rewrite(&gateway("sku: Developer").replace("Contoso", "Northwind"));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 1, kept 1");
}

#[test]
fn units_that_the_settings_do_not_say_are_kept() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &gateway("sku: Standard")));
    deployment.deploy(&cloud);
    let service = format!("{SHOP}/providers/Microsoft.ApiManagement/service/{GATEWAY}");
    tamper(&cloud, &service, |service| service["sku"]["capacity"] = json!(3));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2", "somebody scaled it");
    deployment.rewrite(&gateway("sku: Basic\nskuCount: 2"));
    assert_eq!(deployment.deploy(&cloud).summary(), "modified 1, unchanged 1");
    assert_eq!(resource(&cloud, &service)["sku"], json!({"name": "Basic", "capacity": 2}));
}

#[test]
fn another_region_is_an_error_before_a_second_service_is_made() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &gateway("sku: Developer")));
    deployment.deploy(&cloud);
    let before = cloud.requests().len();
    deployment.rewrite(&gateway("sku: Developer").replace("UK South", "UK West"));
    assert_eq!(
        deployment.deploy(&cloud).failed_with(),
        (
            "CannotBeChanged",
            "settings.yml has 1 problem:\n[1] 9:17 webSolutions[0].apiManagementServices[0].region: the API management service 'apim-gateway-dev-uks-b346aa27' in resource group 'rg-shop-paas-bcaf29f2' has location 'UK South', which Azure cannot change to 'ukwest'; use that region, or another name for the service, and delete the old one when the new one works"
        )
    );
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn two_runs_at_once_make_one_service_and_both_end_well() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(300));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let deployment = Deployment::new(WEB, &gateway("sku: Developer"));
    let request = deployment.request(&cloud);
    // Both plan the creation before either begins with it.
    let (first, second) = (deployment.start(&request), deployment.start(&request));
    let answers: Vec<String> = [&first, &second]
        .into_iter()
        .map(|operation| {
            loop {
                if let svc_engine::protocol::Message::Plan { id, actions, .. } = next(operation).unwrap() {
                    let approved: Vec<usize> = actions.iter().map(|action| action.index).collect();
                    break json!({"id": id, "approved": approved}).to_string();
                }
            }
        })
        .collect();
    for (operation, answer) in [&first, &second].into_iter().zip(&answers) {
        operation.answer(answer).unwrap();
    }
    for operation in [&first, &second] {
        let outcome = follow(operation, |_| Vec::new());
        assert_eq!(outcome.errors(), [] as [&svc_engine::protocol::ErrorReport; 0]);
    }
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn an_api_management_service_that_an_earlier_run_began_is_waited_for() {
    let operation_time = OperationTime::Fixed(Duration::from_millis(400));
    let cloud = landing_zone_with(LocalCloudOptions { operation_time, ..LocalCloudOptions::default() });
    let deployment = Deployment::new(WEB, &gateway("sku: Developer"));
    let first = deployment.start(&deployment.request(&cloud));
    let service = in_subscription(&format!("{SHOP}/providers/Microsoft.ApiManagement/service/{GATEWAY}"));
    let mut answered = false;
    while !answered {
        if let svc_engine::protocol::Message::Plan { id, actions, .. } = next(&first).unwrap() {
            let approved: Vec<usize> = actions.iter().map(|action| action.index).collect();
            first.answer(&json!({"id": id, "approved": approved}).to_string()).unwrap();
            answered = true;
        }
    }
    wait_until("the creation", || cloud.resource(&service).is_some());
    first.cancel();
    let warnings = follow(&first, |_| Vec::new());
    assert!(
        warnings
            .warnings()
            .iter()
            .any(|warning| warning.starts_with("The command was stopped.") && warning.contains(GATEWAY)),
        "{warnings:?}"
    );
    let before = cloud.requests().len();
    let second = deployment.deploy(&cloud);
    assert_eq!(second.summary(), "unchanged 2");
    assert!(writes(&requests_after(&cloud, before)).is_empty(), "it is not sent again");
    assert_eq!(cloud.resource(&service).unwrap()["properties"]["provisioningState"], "Succeeded");
}
