//! The restrictions of Azure Policy for a resource that is not written yet.
//!
//! Source: azure-rest-api-specs, specification/policyinsights, stable 2024-10-01 (`checkPolicyRestrictions`).

use reqwest::Method;
use serde_json::Value;

use super::client::ArmClient;
use super::error::ArmError;
use super::payload::Content;
use super::policy_token;
use super::resource_id::ResourceId;
use super::retry::Repeat;
use super::understood;
use crate::protocol::cut;

const API_VERSION: &str = "2024-10-01";
/// The longest reason of a policy that is repeated, in characters.
const LONGEST_REASON: usize = 1000;
/// The most values of a resource that are named as what a policy found.
const MOST_FOUND: usize = 5;

/// A policy by the ids of its assignment and its definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyReference {
    /// The resource id of the assignment.
    pub assignment: String,
    /// The resource id of the definition.
    pub definition: String,
}

/// A policy that a resource does not comply with.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyEvaluation {
    /// The policy.
    pub policy: PolicyReference,
    /// Its effect as Azure writes it, such as `Deny`; what else came of it where it could not be evaluated.
    pub effect: String,
    /// The message of its assignment.
    pub reason: Option<String>,
    /// The paths and values of the resource that it looked at.
    pub found: Vec<(String, Value)>,
}

/// A field that a policy sets or takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyField {
    /// The policy.
    pub policy: PolicyReference,
    /// The name or alias of the field.
    pub field: String,
    /// The value as text; none where the field is taken away.
    pub value: Option<String>,
    /// Whether it is done over a value that the request has.
    pub replaces: bool,
}

/// The policies that have something against a resource, and those that change it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolicyRestrictions {
    /// The policies that it does not comply with.
    pub evaluations: Vec<PolicyEvaluation>,
    /// The fields that policies change.
    pub fields: Vec<PolicyField>,
}

impl ArmClient {
    /// Asks what Azure Policy would do to a resource: a question that changes nothing.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn policy_restrictions(&self, scope: &ResourceId, body: &Value) -> Result<PolicyRestrictions, ArmError> {
        let path = format!("{scope}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions");
        let url = self.url(&path, API_VERSION, "")?;
        let answer = self.send_until(Method::POST, url, Content::Fixed(body), Repeat::Always, None).await?;
        let read = understood::answer_of(&path, answer.body).and_then(|answer| read(&answer));
        self.understood(answer.status, read)
    }

    /// The display name of a policy assignment or definition, by its id; none where it cannot be read.
    pub async fn policy_name(&self, id: &str) -> Option<String> {
        let body = self.get(id, policy_token::API_VERSION).await.ok().flatten()?;
        body["properties"]["displayName"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
    }
}

/// The restrictions of an answer; what it is instead where it has none of the two members.
fn read(answer: &Value) -> Result<PolicyRestrictions, String> {
    let (fields, evaluations) = (&answer["fieldRestrictions"], &answer["contentEvaluationResult"]);
    if !fields.is_array() && !evaluations.is_object() {
        return Err("an answer without 'contentEvaluationResult'".to_owned());
    }
    let changes = |of: &Value| -> Vec<PolicyField> {
        let field = of["field"].as_str().unwrap_or_default();
        items(&of["restrictions"]).filter_map(|restriction| change(field, restriction)).collect()
    };
    Ok(PolicyRestrictions {
        fields: items(fields).flat_map(changes).collect(),
        evaluations: items(&evaluations["policyEvaluations"]).map(evaluation).collect(),
    })
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn reference(policy: &Value) -> PolicyReference {
    let id = |name: &str| policy[name].as_str().unwrap_or_default().to_owned();
    PolicyReference { assignment: id("policyAssignmentId"), definition: id("policyDefinitionId") }
}

/// The change of a field; what policies deny or audit is in the evaluations.
fn change(field: &str, restriction: &Value) -> Option<PolicyField> {
    let effect = restriction["policyEffect"].as_str()?;
    if !["modify", "append"].iter().any(|changing| effect.eq_ignore_ascii_case(changing)) {
        return None;
    }
    let required = restriction["values"][0].as_str();
    let value = match restriction["result"].as_str()? {
        "Required" => Some(restriction["defaultValue"].as_str().or(required)?.to_owned()),
        "Removed" => None,
        _ => return None,
    };
    let replaces = value.is_none() || required.is_some();
    Some(PolicyField { policy: reference(&restriction["policy"]), field: field.to_owned(), value, replaces })
}

fn evaluation(told: &Value) -> PolicyEvaluation {
    let details = &told["evaluationDetails"];
    let result = told["evaluationResult"].as_str().unwrap_or_default();
    // Another result is that of an evaluation that failed, which denies nothing.
    let effect = told["effectDetails"]["policyEffect"].as_str().filter(|_| result == "NonCompliant");
    let reason = details["reason"].as_str().map(str::trim).filter(|reason| !reason.is_empty());
    PolicyEvaluation {
        policy: reference(&told["policyInfo"]),
        effect: effect.unwrap_or(result).to_owned(),
        reason: reason.map(|reason| cut(reason, LONGEST_REASON).into_owned()),
        found: found(&details["evaluatedExpressions"]),
    }
}

/// The values that a policy looked at, each path once. Its type says nothing to whoever knows the resource, and its name only where there is nothing else.
pub(super) fn found(expressions: &Value) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> = Vec::new();
    for expression in items(expressions) {
        let Some(path) = expression["path"].as_str().filter(|path| *path != "type") else { continue };
        if !found.iter().any(|(known, _)| known == path) {
            found.push((path.to_owned(), expression["expressionValue"].clone()));
        }
    }
    let is_name = |path: &str| ["id", "name", "fullName"].contains(&path);
    if found.iter().any(|(path, _)| !is_name(path)) {
        found.retain(|(path, _)| !is_name(path));
    }
    found.truncate(MOST_FOUND);
    found
}

/// The same as the end of a sentence: `: location is "uksouth"`.
pub(crate) fn found_in_words(found: &[(String, Value)]) -> String {
    let word = |(path, value): &(String, Value)| match value {
        Value::Null => format!("{path} is missing"),
        value => format!("{path} is {value}"),
    };
    let words: Vec<String> = found.iter().map(word).collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The shape of the examples `PolicyRestrictions_CheckAtResourceGroupScope` and `...IncludeAuditEffect`, with names of our own.
    #[test]
    fn the_published_answer_is_read() {
        let policy = json!({"policyDefinitionId": "/s/d", "policyAssignmentId": "/s/a", "policySetDefinitionId": "/s/set", "policyDefinitionReferenceId": "ref"});
        let answer = json!({
            "fieldRestrictions": [
                {"field": "tags.newtag", "restrictions": [
                    {"result": "Required", "defaultValue": "x", "policy": policy, "policyEffect": "Deny", "reason": "tags.newtag is required"},
                    {"result": "Required", "defaultValue": "y", "policy": policy, "policyEffect": "Append"}]},
                {"field": "location", "restrictions": [{"result": "Deny", "values": ["west europe"], "policy": policy, "policyEffect": "Deny"}]},
                {"field": "tags.old", "restrictions": [{"result": "Removed", "policy": policy, "policyEffect": "modify"}]},
                {"field": "sku", "restrictions": [{"result": "Required", "values": ["a"], "policy": policy, "policyEffect": "Modify"}]}],
            "contentEvaluationResult": {"policyEvaluations": [
                {"policyInfo": policy, "evaluationResult": "NonCompliant", "effectDetails": {"policyEffect": "Deny"}, "evaluationDetails": {
                    "evaluatedExpressions": [
                        {"result": "True", "expressionKind": "field", "expression": "type", "path": "type", "expressionValue": "a", "targetValue": "a", "operator": "equals"},
                        {"result": "True", "path": "location", "expressionValue": "x"}, {"result": "True", "path": "location", "expressionValue": "x"},
                        {"result": "True", "path": "tags.a", "expressionValue": null}],
                    "reason": "Not allowed."}},
                {"policyInfo": policy, "evaluationResult": "Error", "effectDetails": {"policyEffect": "Deny"}}]}});
        let policy = PolicyReference { assignment: "/s/a".to_owned(), definition: "/s/d".to_owned() };
        let field = |field: &str, value: Option<&str>, replaces| PolicyField {
            policy: policy.clone(),
            field: field.to_owned(),
            value: value.map(str::to_owned),
            replaces,
        };
        let restrictions = read(&answer).unwrap();
        assert_eq!(
            restrictions.fields,
            [field("tags.newtag", Some("y"), false), field("tags.old", None, true), field("sku", Some("a"), true)]
        );
        let [denied, failed] = restrictions.evaluations.as_slice() else { panic!("{restrictions:?}") };
        assert_eq!((denied.effect.as_str(), denied.reason.as_deref()), ("Deny", Some("Not allowed.")));
        assert_eq!(found_in_words(&denied.found), ": location is \"x\", tags.a is missing");
        assert_eq!((failed.effect.as_str(), failed.found.len()), ("Error", 0));
    }

    #[test]
    fn an_answer_may_be_nothing_but_must_be_one() {
        for nothing in [
            json!({"contentEvaluationResult": {}}),
            json!({"fieldRestrictions": []}),
            json!({"contentEvaluationResult": {"policyEvaluations": null}, "fieldRestrictions": null}),
        ] {
            assert_eq!(read(&nothing).unwrap(), PolicyRestrictions::default());
        }
        for wrong in [json!({}), json!([]), json!({"contentEvaluationResult": 1}), json!({"fieldRestrictions": null})] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
        // What is half there denies nothing and changes nothing.
        let half = json!({"contentEvaluationResult": {"policyEvaluations": [{}, 1]}, "fieldRestrictions": [{"field": 1}, {"restrictions": [{"result": "Required"}]}]});
        let read = read(&half).unwrap();
        assert!(read.fields.is_empty() && read.evaluations.iter().all(|one| one.effect.is_empty()), "{read:?}");
    }
}
