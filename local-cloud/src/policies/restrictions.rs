//! `checkPolicyRestrictions`: what policies would do to a resource that is not written yet.

use super::{Finding, judge};
use crate::path::{ResourceId, SUBSCRIPTION_TYPE};
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
    let mut names = text("name").unwrap_or(NAMELESS).split('/');
    let of_groups = format!("{SUBSCRIPTION_TYPE}/resourceGroups");
    if type_name.eq_ignore_ascii_case(&of_groups) {
        return Ok(scope.with_group(names.next()));
    }
    let above = format!("{}/", scope.type_name());
    if let Some(kind) =
        type_name.get(above.len()..).filter(|_| type_name.to_lowercase().starts_with(&above.to_lowercase()))
    {
        return Ok(scope.with(None, kind, names.next_back().unwrap_or(NAMELESS)));
    }
    let mut words = type_name.split('/');
    let (Some(namespace), Some(first)) = (words.next(), words.next()) else {
        return Err(wrong("resourceContent.type"));
    };
    let top = scope.with(Some(namespace), first, names.next().unwrap_or(NAMELESS));
    Ok(words.fold(top, |id, kind| id.with(None, kind, names.next().unwrap_or(NAMELESS))))
}

fn reference(finding: &Finding<'_>) -> Value {
    let policy = &finding.policy;
    json!({"policyDefinitionId": policy.of_definition("id"), "policyAssignmentId": policy.of_assignment("id")})
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
