//! `checkPolicyRestrictions`: what policies would do to a resource that is not written yet.

use super::{Finding, GROUP_IN_POLICIES, judge};
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
    for member in ["id", "name", "type"] {
        content.shift_remove(member);
    }
    let judgement = judge(call.state, &id, &mut content);
    let with_audit = call.body["includeAuditEffect"] == true;
    let told = judgement.judging.iter().filter(|finding| with_audit || finding.effect() != "audit");
    Ok(Answer::json(
        200,
        json!({
            "fieldRestrictions": judgement.changing.iter().flat_map(restrictions).collect::<Vec<_>>(),
            "contentEvaluationResult": {"policyEvaluations": told.map(evaluation).collect::<Vec<_>>()},
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
    let mut words = type_name.split('/');
    let mut names = name.split('/');
    let own = scope.type_name();
    let is_child = type_name.to_lowercase().strip_prefix(&own.to_lowercase()).is_some_and(|rest| rest.starts_with('/'));
    let (mut id, mut namespace) = (scope, words.next());
    if is_child {
        words.by_ref().take(own.split('/').count() - 1).for_each(drop);
        namespace = None;
    }
    let kinds: Vec<&str> = words.collect();
    if kinds.is_empty() {
        return Err(wrong("resourceContent.type"));
    }
    for kind in kinds {
        id = id.with(namespace.take(), kind, names.next().unwrap_or(NAMELESS));
    }
    Ok(id)
}

fn reference(finding: &Finding<'_>) -> Value {
    json!({"policyDefinitionId": finding.policy.definition["id"], "policyAssignmentId": finding.policy.assignment["id"]})
}

/// The word for an effect as Azure prints it.
fn effect(finding: &Finding<'_>) -> String {
    let effect = finding.effect();
    effect.chars().next().into_iter().flat_map(char::to_uppercase).chain(effect.chars().skip(1)).collect()
}

fn evaluation(finding: &Finding<'_>) -> Value {
    json!({
        "policyInfo": reference(finding),
        "evaluationResult": "NonCompliant",
        "evaluationDetails": {"evaluatedExpressions": finding.evaluated, "reason": finding.policy.message()},
        "effectDetails": {"policyEffect": effect(finding)},
    })
}

/// What a policy that changes resources does to each field.
fn restrictions<'f>(finding: &'f Finding<'_>) -> impl Iterator<Item = Value> + 'f {
    finding.policy.rule.operations.iter().map(|operation| {
        let value =
            operation.value.as_ref().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        let mut restriction = json!({
            "result": if value.is_some() { "Required" } else { "Removed" },
            "policy": reference(finding),
            "policyEffect": effect(finding),
            "reason": finding.policy.message(),
        });
        if let Some(value) = value {
            restriction["defaultValue"] = value.as_str().into();
            if operation.replaces {
                restriction["values"] = json!([value]);
            }
        }
        json!({"field": operation.field, "restrictions": [restriction]})
    })
}
