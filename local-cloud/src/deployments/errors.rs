//! The errors of a deployment, as Azure words it. Source: learn.microsoft.com, "Troubleshoot common Azure deployment errors".

use super::expression::Halt;
use super::presentation::without_nulls;
use super::record::Progress;
use crate::reply::Refusal;
use serde_json::{Value, json};

/// 400 `InvalidDeployment`.
pub(super) fn invalid_deployment(message: String) -> Refusal {
    Refusal::bad_request("InvalidDeployment", message)
}

/// The refusal of what the local cloud does not carry out.
pub(super) fn not_supported(what: &str) -> Refusal {
    Refusal::new(501, "DeploymentFeatureNotSupported", format!("The local cloud does not carry out {what}."))
}

/// The refusal of a template with an expression that has no value.
pub(super) fn of_halt(halt: Halt) -> Refusal {
    match halt {
        Halt::Wrong(reason) => {
            Refusal::bad_request("InvalidTemplate", format!("Deployment template validation failed: '{reason}'."))
        }
        Halt::Unknown => {
            of_halt(Halt::Wrong("An expression needs what is known only when the resource is deployed.".to_owned()))
        }
        Halt::Refused(refusal) => refusal,
    }
}

/// A refusal as an error within another one.
pub(super) fn of_refusal(refusal: &Refusal, target: &str) -> Value {
    let details = (!refusal.details.is_empty()).then_some(&refusal.details);
    let policies = refusal.denied.as_ref().map(|denied| &denied.policies);
    without_nulls(
        json!({"code": refusal.code, "target": target, "message": refusal.message, "details": details, "additionalInfo": policies}),
    )
}

/// The error of a deployment with steps that failed.
pub(super) fn deployment_failed(id: &str, details: Vec<Value>) -> Value {
    json!({
        "code": "DeploymentFailed",
        "target": id,
        "message": "At least one resource deployment operation failed. Please list deployment operations for details. Please see \
                    https://aka.ms/arm-deployment-operations for usage details.",
        "details": details,
    })
}

/// The error of a step whose operation or nested deployment failed.
pub(super) fn resource_failed(id: &str, state: Progress, detail: Option<Value>) -> Value {
    json!({
        "code": "ResourceDeploymentFailure",
        "target": id,
        "message": format!("The resource write operation failed to complete successfully, because it reached terminal provisioning state '{state:?}'."),
        "details": detail.into_iter().collect::<Vec<_>>(),
    })
}

/// The refusal of a deployment that was tried on a copy of the state and failed.
pub(super) fn invalid_deployment_of(name: &str, tracking: &str, error: &Value) -> Refusal {
    let mut causes = Vec::new();
    collect_causes(error, &mut causes);
    if let [cause] = causes.as_slice()
        && cause["code"] == "InvalidTemplate"
    {
        return Refusal::bad_request("InvalidTemplate", cause["message"].as_str().unwrap_or_default());
    }
    let codes: Vec<&str> = causes.iter().filter_map(|cause| cause["code"].as_str()).collect();
    let (code, message) = if codes.len() > 1 {
        ("MultipleErrorsOccurred", format!("Multiple error occurred: {}. Please see details.", codes.join(",")))
    } else {
        let message = format!(
            "The template deployment '{name}' is not valid according to the validation procedure. The tracking id is '{tracking}'. See \
             inner errors for details."
        );
        ("InvalidTemplateDeployment", message)
    };
    Refusal { details: causes, ..Refusal::bad_request(code, message) }
}

/// The errors that have none within them.
fn collect_causes(error: &Value, causes: &mut Vec<Value>) {
    match error.get("details").and_then(Value::as_array) {
        Some(details) if !details.is_empty() => details.iter().for_each(|detail| collect_causes(detail, causes)),
        _ => causes.push(error.clone()),
    }
}
