//! Azure's own refusals: its code and request id stay, the message says what to do, and the place is the line of the settings
//! that it is about.

use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, ErrorReport};
use svc_local_cloud::LocalCloud;

use crate::support::*;

const CREATING: &str =
    "the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created";

fn project() -> Project {
    Project::with(&document("minimumTlsVersion: TLS1_2\n"))
}

/// A fault of requests that fit: Azure's envelope with this error.
fn refuse(cloud: &LocalCloud, when: &str, status: u16, error: &Value) {
    cloud.misbehave(fault(&format!("status={status},{when},body={}", json!({"error": error}))));
}

/// The error of a run whose storage account is refused like this.
fn refused(status: u16, error: &Value) -> ErrorReport {
    let cloud = cloud();
    refuse(&cloud, "method=PUT,path=storageAccounts/stordersdb8e13ec", status, error);
    let outcome = project().deploy(&cloud);
    let [report] = outcome.errors()[..] else { panic!("not one error: {outcome:#?}") };
    assert!(report.failure.request_id.is_some(), "{report:?}");
    assert!(report.failure.resource_id.as_ref().unwrap().ends_with("/storageAccounts/stordersdb8e13ec"), "{report:?}");
    report.clone()
}

#[test]
fn each_refusal_keeps_its_code_and_says_what_to_do() {
    let account = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";
    let cases = [
        (
            403,
            "AuthorizationFailed",
            format!(
                "The client 'c' with object id 'o' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/write' over scope '{account}' or the scope is invalid."
            ),
            ErrorCategory::PermissionDenied,
            // The account does not exist yet, so a role can only be given at its group.
            "Give the identity a role with the action Microsoft.Storage/storageAccounts/write at /subscriptions/s/resourceGroups/g,".to_owned(),
        ),
        (
            409,
            "StorageAccountAlreadyTaken",
            "The storage account named stordersdb8e13ec is already taken.".to_owned(),
            ErrorCategory::ResourceExists,
            "This name must be unique across Azure and is already taken. Choose another name in the settings,".to_owned(),
        ),
        (
            403,
            "QuotaExceeded",
            "Subscription already contains 250 storage accounts in location uksouth and the maximum allowed is 250.".to_owned(),
            ErrorCategory::LimitsExceeded,
            "A quota of the subscription is used up.".to_owned(),
        ),
        (
            409,
            "ScopeLocked",
            "The scope '/s/a' cannot perform write operation because following scope(s) are locked: '/subscriptions/s/resourceGroups/g'. Please remove the lock and try again.".to_owned(),
            ErrorCategory::ResourceBusy,
            "A lock protects /subscriptions/s/resourceGroups/g. Remove it".to_owned(),
        ),
        (
            409,
            "ReadOnlyDisabledSubscription",
            "The subscription 's' is disabled and therefore marked as read only.".to_owned(),
            ErrorCategory::ResourceBusy,
            "The subscription is disabled".to_owned(),
        ),
    ];
    for (status, code, message, category, advice) in cases {
        let report = refused(status, &json!({"code": code, "message": message}));
        assert_eq!((report.failure.code.as_str(), report.failure.category), (code, category));
        assert_eq!(report.failure.message, format!("storage.yml:4:5: {CREATING}: {message}"));
        assert!(report.failure.recommendation.as_ref().unwrap().starts_with(&advice), "{report:?}");
    }
}

#[test]
fn a_policy_is_named_and_points_at_the_setting_that_it_denies() {
    let error = json!({
        "code": "RequestDisallowedByPolicy",
        "target": "stordersdb8e13ec",
        "message": "Resource 'stordersdb8e13ec' was disallowed by policy. Policy identifiers: '[{\"policyAssignment\":{\"name\":\"corp-tls\"}}]'.",
        "additionalInfo": [{"type": "PolicyViolation", "info": {
            "policyDefinitionDisplayName": "Storage accounts have TLS 1.3",
            "policyAssignmentDisplayName": "Corp baseline",
            "evaluationDetails": {"evaluatedExpressions": [{"result": "True", "expressionKind": "Field",
                "expression": "Microsoft.Storage/storageAccounts/minimumTlsVersion",
                "path": "properties.minimumTlsVersion", "expressionValue": "TLS1_2", "operator": "NotEquals"}]},
        }}],
    });
    let report = refused(403, &error);
    assert_eq!(report.failure.code.as_str(), "RequestDisallowedByPolicy");
    assert_eq!(report.failure.target.as_deref(), Some("storage.yml:6:24"));
    assert_eq!(
        report.failure.message,
        format!(
            "storage.yml:6:24: {CREATING}: Resource 'stordersdb8e13ec' was disallowed by policy. Denied by the policy 'Storage accounts have TLS 1.3' (assigned as \
             'Corp baseline'): properties.minimumTlsVersion is \"TLS1_2\"."
        )
    );
    assert_eq!(
        report.failure.recommendation.as_deref(),
        Some(
            "Change the settings to what the policy 'Storage accounts have TLS 1.3' (assigned as 'Corp baseline') allows, or ask its owner for an exemption."
        )
    );
}

fn unregistered() -> Value {
    let message = "The subscription is not registered to use namespace 'Microsoft.Storage'. See https://aka.ms/rps-not-found for how to register subscriptions.";
    json!({"code": "MissingSubscriptionRegistration", "message": message})
}

/// The methods and paths of requests below the provider.
fn registrations(cloud: &LocalCloud) -> Vec<String> {
    let shown = shown(&cloud.requests());
    let others = ["/locations/", "/checkNameAvailability"];
    shown
        .into_iter()
        .filter(|line| line.contains(" providers/") && !others.iter().any(|other| line.contains(other)))
        .collect()
}

#[test]
fn a_provider_that_is_not_registered_is_registered_once_and_waited_for() {
    let cloud = cloud();
    let text = document_of(&[("Orders", "accountType: Standard"), ("Bills", "accountType: Standard")]);
    let project = Project::with(&text);
    for name in ["stordersdb8e13ec", "stbills"] {
        refuse(&cloud, &format!("method=PUT,path=storageAccounts/{name}"), 409, &unregistered());
    }
    let id = in_subscription("providers/Microsoft.Storage");
    let registering = json!({"id": id, "namespace": "Microsoft.Storage", "registrationState": "Registering"});
    cloud.misbehave(fault(&format!("status=200,method=GET,path=providers/Microsoft.Storage?,body={registering}")));
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(
        registrations(&cloud),
        [
            "POST providers/Microsoft.Storage/register",
            "GET providers/Microsoft.Storage",
            "GET providers/Microsoft.Storage"
        ]
    );
    assert!(outcome.verbose().contains(&"The subscription is registered for Microsoft.Storage."));
}

#[test]
fn a_provider_is_registered_for_a_region_that_is_new_to_it() {
    let cloud = cloud();
    let error = json!({"code": "MissingRegistrationForLocation", "message":
        "The subscription is not registered for the resource type 'storageAccounts' in the location 'uksouth'."});
    // It takes a moment until the region knows.
    for _ in 0..2 {
        refuse(&cloud, "method=PUT,path=storageAccounts/stordersdb8e13ec", 409, &error);
    }
    assert_eq!(project().deploy(&cloud).summary(), "created 2");
    assert_eq!(registrations(&cloud).len(), 2, "once, although it was refused twice");
}

#[test]
fn a_registration_that_is_refused_says_who_has_to_do_what() {
    let cloud = cloud();
    refuse(&cloud, "method=PUT,path=storageAccounts/stordersdb8e13ec", 409, &unregistered());
    let denied = json!({"code": "AuthorizationFailed", "message":
        "The client 'c' does not have authorization to perform action 'Microsoft.Storage/register/action' over scope '/subscriptions/s'."});
    refuse(&cloud, "method=POST,path=/register", 403, &denied);
    let outcome = project().deploy(&cloud);
    let [report] = outcome.errors()[..] else { panic!("not one error: {outcome:#?}") };
    assert_eq!(report.failure.code.as_str(), "MissingSubscriptionRegistration");
    assert!(report.failure.message.contains("not registered to use namespace 'Microsoft.Storage'"), "{report:?}");
    assert!(report.failure.message.contains("perform action 'Microsoft.Storage/register/action'"), "{report:?}");
    let advice = report.failure.recommendation.as_ref().unwrap();
    assert!(advice.contains("Register-AzResourceProvider -ProviderNamespace Microsoft.Storage"), "{advice}");
    assert!(advice.contains("az provider register --namespace Microsoft.Storage"), "{advice}");
}

#[test]
fn what_is_not_registered_never_ends_in_a_loop() {
    let cloud = cloud();
    refuse(&cloud, "method=PUT,path=storageAccounts/stordersdb8e13ec,times=always", 409, &unregistered());
    let outcome = project().deploy(&cloud);
    assert_eq!(outcome.errors()[0].failure.code.as_str(), "MissingSubscriptionRegistration");
    let account = format!("PUT {ACCOUNT}");
    let tries = shown(&cloud.requests()).iter().filter(|line| **line == account).count();
    assert_eq!((tries, registrations(&cloud).len()), (9, 2));
}

#[test]
fn planning_registers_nothing_and_finds_nothing_where_nothing_can_be() {
    let cloud = cloud();
    refuse(&cloud, "method=GET,path=Microsoft.Storage/storageAccounts,times=always", 409, &unregistered());
    let outcome = project().rehearse(&cloud);
    assert_eq!(outcome.plan().len(), 2);
    assert!(writes(&cloud.requests()).is_empty());
}
