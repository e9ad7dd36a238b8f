//! `checkPolicyRestrictions`: what policies would do to a resource that is not written yet.

use super::definition::Operation;
use super::field::without_prefix;
use super::{GROUP_IN_POLICIES, Policy, judge};
use crate::path::ResourceId;
use crate::reply::{Answer, Refusal};
use crate::resource_types::Call;
use crate::state::Body;
use serde_json::{Value, json};

/// The name of a resource of which none is given.
const NAMELESS: &str = "*";

/// The answer to the question what policies would do to a resource.
pub(crate) fn check_restrictions(call: &Call<'_>) -> Result<Answer, Refusal> {
    let details = &call.body["resourceDetails"];
    let mut content = details["resourceContent"].as_object().cloned().ok_or_else(|| wrong("resourceContent"))?;
    let id = id_of(call.id, details, &content)?;
    content.retain(|name, _| !["id", "name", "type"].contains(&name.as_str()));
    let (changing, judging) = judge(call.state, &id, &mut content);
    let with_audit = call.body["includeAuditEffect"] == true;
    let shown = judging.iter().filter(|policy| with_audit || policy.rule.effect != "audit");
    Ok(Answer::json(
        200,
        json!({
            "fieldRestrictions": changing.iter().flat_map(restrictions).collect::<Vec<_>>(),
            "contentEvaluationResult": {"policyEvaluations": shown.map(evaluation).collect::<Vec<_>>()},
        }),
    ))
}

fn wrong(member: &str) -> Refusal {
    Refusal::bad_request(
        "InvalidCheckRestrictionsRequest",
        format!("The request content is invalid: resourceDetails.{member} is missing or invalid."),
    )
}

/// The id of the resource that is asked about: in its parent, or in the scope of the question.
fn id_of(asked: &ResourceId, details: &Value, content: &Body) -> Result<ResourceId, Refusal> {
    let text = |name: &str| content.get(name).and_then(Value::as_str);
    let type_name = text("type").ok_or_else(|| wrong("resourceContent.type"))?;
    let scope = match details.get("scope").and_then(Value::as_str) {
        Some(scope) => ResourceId::parse(scope).ok_or_else(|| wrong("scope"))?,
        None => asked.clone(),
    };
    let name = text("name").unwrap_or(NAMELESS);
    if type_name.eq_ignore_ascii_case(GROUP_IN_POLICIES) {
        return Ok(scope.with_group(Some(name)));
    }
    if let Some(kind) = without_prefix(type_name, &format!("{}/", scope.type_name())) {
        return Ok(scope.with(None, kind, name));
    }
    let (namespace, kinds) = type_name.split_once('/').ok_or_else(|| wrong("resourceContent.type"))?;
    let (mut id, mut namespace, mut names) = (scope, Some(namespace), name.split('/'));
    for kind in kinds.split('/') {
        id = id.with(namespace.take(), kind, names.next().unwrap_or(NAMELESS));
    }
    Ok(id)
}

/// The ids of a policy, and its effect as Azure prints it.
fn told(policy: &Policy<'_>) -> (Value, String) {
    let (first, rest) = policy.rule.effect.split_at(1);
    let ids = json!({"policyDefinitionId": policy.definition["id"], "policyAssignmentId": policy.assignment["id"]});
    (ids, first.to_uppercase() + rest)
}

fn evaluation(policy: &Policy<'_>) -> Value {
    let (ids, effect) = told(policy);
    let details = json!({"evaluatedExpressions": policy.evaluated, "reason": policy.message()});
    json!({"policyInfo": ids, "evaluationResult": "NonCompliant", "evaluationDetails": details, "effectDetails": {"policyEffect": effect}})
}

/// The restrictions of a policy that changes resources, for each field.
fn restrictions(policy: &Policy<'_>) -> Vec<Value> {
    let (ids, effect) = told(policy);
    let restriction = |operation: &Operation| {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let value = operation.value.as_ref().map(text);
        let values: Option<Vec<_>> = value.as_ref().filter(|_| operation.replaces).map(|value| vec![value]);
        let result = if value.is_some() { "Required" } else { "Removed" };
        json!({"field": operation.field, "restrictions": [{"result": result, "defaultValue": value, "values": values, "policy": ids,
            "policyEffect": effect, "reason": policy.message()}]})
    };
    policy.rule.operations.iter().map(restriction).collect()
}
