//! Azure Policy: assignments of definitions are enforced on writes, and asked what they would do.
//!
//! The effects are deny, audit, modify and append, in the order in which Azure applies them: what is changed is changed before anything is judged.
//! Sources: learn.microsoft.com, "Azure Policy definitions effect basics" and "Azure Policy assignment structure"; "Troubleshoot errors with using Azure
//! Policy" for the refusal; azure-rest-api-specs, Microsoft.PolicyInsights stable 2024-10-01, `checkPolicyRestrictions`.

mod condition;
mod definition;
mod field;
mod restrictions;

pub(super) use self::definition::{DEFINITION, check_assignment, check_definition};
pub(super) use self::restrictions::check_restrictions;

use self::definition::{Rule, properties};
use self::field::{Content, same};
use super::path::{GROUP_TYPE, ResourceId};
use super::reply::{Denied, Refusal};
use super::resource_types::{self, LocationRule};
use super::state::{Body, State};
use serde_json::{Value, json};

/// The type of assignments as it stands in ids, in lower case.
const ASSIGNMENTS: &str = "/providers/microsoft.authorization/policyassignments/";
/// Azure calls groups so in policies.
const GROUP_IN_POLICIES: &str = "Microsoft.Resources/subscriptions/resourceGroups";

/// An assignment that is about a resource, with its definition.
struct Policy<'a> {
    assignment: &'a Body,
    definition: &'a Body,
    rule: Rule,
}

/// A policy whose rule holds.
struct Finding<'a> {
    policy: Policy<'a>,
    evaluated: Vec<Value>,
}

/// What policies do to a resource.
struct Judgement<'a> {
    /// What `modify` and `append` change.
    changing: Vec<Finding<'a>>,
    /// The others whose rule holds, after that.
    judging: Vec<Finding<'a>>,
}

/// Changes a body that is about to be written as policies say; refuses it where they deny it.
pub(super) fn enforce(state: &State, id: &ResourceId, body: &mut Body) -> Result<(), Refusal> {
    let judgement = judge(state, id, body);
    let denied: Vec<&Finding<'_>> = judgement.judging.iter().filter(|finding| finding.effect() == "deny").collect();
    if denied.is_empty() { Ok(()) } else { Err(refusal(id, &denied)) }
}

/// Applies the policies that change a resource to its body, and judges the outcome by the others.
fn judge<'a>(state: &'a State, id: &ResourceId, body: &mut Body) -> Judgement<'a> {
    let mut judgement = Judgement { changing: Vec::new(), judging: Vec::new() };
    let (changers, judges): (Vec<_>, Vec<_>) =
        policies(state, id).into_iter().partition(|policy| matches!(policy.rule.effect.as_str(), "modify" | "append"));
    let described = describe(id, body);
    for policy in changers {
        let Some(mut finding) = finding(policy, body) else { continue };
        let rule = &mut finding.policy.rule;
        if rule.effect == "append" && rule.operations.iter().any(|operation| operation.contradicts(body)) {
            // It cannot be added to what says something else.
            rule.effect = "deny".to_owned();
            judgement.judging.push(finding);
            continue;
        }
        for operation in &rule.operations {
            operation.carry_out(body);
        }
        judgement.changing.push(finding);
    }
    judgement.judging.extend(judges.into_iter().filter_map(|policy| finding(policy, body)));
    for member in described {
        body.shift_remove(member);
    }
    judgement
}

fn finding<'a>(policy: Policy<'a>, body: &Body) -> Option<Finding<'a>> {
    let mut evaluated = Vec::new();
    policy.rule.condition.holds(&Content::of(body), &mut evaluated).then_some(Finding { policy, evaluated })
}

/// Puts into a body what policies read beside it, and says what that is.
fn describe(id: &ResourceId, body: &mut Body) -> [&'static str; 4] {
    let type_name = id.type_name();
    let type_name = if type_name == GROUP_TYPE { GROUP_IN_POLICIES.to_owned() } else { type_name };
    let members =
        [("id", id.text()), ("name", id.name().to_owned()), ("fullName", id.names().join("/")), ("type", type_name)];
    members.map(|(name, value)| {
        body.insert(name.to_owned(), value.into());
        name
    })
}

/// The policies that are assigned above a resource and are about it.
fn policies<'a>(state: &'a State, id: &ResourceId) -> Vec<Policy<'a>> {
    let mut scopes = vec![id.clone()];
    while let Some(scope) = scopes.last().filter(|scope| scope.subscription.is_some()) {
        let parent = scope.parent();
        scopes.push(parent);
    }
    let key = id.key();
    let is_within = |scope: &Value| {
        let scope = scope.as_str().unwrap_or_default().trim_end_matches('/').to_lowercase();
        !scope.is_empty() && key.strip_prefix(&scope).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut found = Vec::new();
    for scope in scopes.iter().rev() {
        for (_, assignment) in state.below(&format!("{}{ASSIGNMENTS}", scope.key())) {
            let properties = properties(&assignment.body);
            let is_off = same(&properties["enforcementMode"], &json!("DoNotEnforce"), "");
            let is_left_out = properties["notScopes"].as_array().into_iter().flatten().any(is_within);
            if !is_off && !is_left_out {
                found.extend(policy(state, &assignment.body).filter(|policy| policy.is_about(id)));
            }
        }
    }
    found
}

fn policy<'a>(state: &'a State, assignment: &'a Body) -> Option<Policy<'a>> {
    let id = ResourceId::parse(properties(assignment)["policyDefinitionId"].as_str()?)?;
    let definition = &state.get(&id.key())?.body;
    let rule = Rule::assigned(definition, assignment).ok()?;
    (rule.effect != "disabled").then_some(Policy { assignment, definition, rule })
}

impl Policy<'_> {
    /// Whether resources of this type are judged: those without tags and location only in the mode `All`.
    fn is_about(&self, id: &ResourceId) -> bool {
        let is_indexed = same(&properties(self.definition)["mode"], &json!("Indexed"), "");
        !is_indexed || !id.is_container() && resource_types::of(id).location != LocationRule::Absent
    }

    /// What the assignment says to whom it refuses something.
    fn message(&self) -> Option<&str> {
        properties(self.assignment)["nonComplianceMessages"][0]["message"].as_str()
    }
}

impl Finding<'_> {
    fn effect(&self) -> &str {
        &self.policy.rule.effect
    }
}

/// Azure's refusal of a write that policies deny.
fn refusal(id: &ResourceId, denied: &[&Finding<'_>]) -> Refusal {
    let info = |finding: &&Finding<'_>| {
        let Policy { assignment, definition, .. } = finding.policy;
        json!({"type": "PolicyViolation", "info": {
            "evaluationDetails": {"evaluatedExpressions": finding.evaluated, "reason": finding.policy.message()},
            "policyDefinitionId": definition["id"],
            "policyDefinitionName": definition["name"],
            "policyDefinitionDisplayName": properties(definition)["displayName"],
            "policyDefinitionEffect": finding.effect(),
            "policyAssignmentId": assignment["id"],
            "policyAssignmentName": assignment["name"],
            "policyAssignmentDisplayName": properties(assignment)["displayName"],
        }})
    };
    let named = |body: &Body| json!({"name": body["name"], "id": body["id"]});
    let identifiers = |finding: &&Finding<'_>| {
        let Policy { assignment, definition, .. } = finding.policy;
        json!({"policyAssignment": named(assignment), "policyDefinition": named(definition)})
    };
    let messages: Vec<&str> = denied.iter().filter_map(|finding| finding.policy.message()).collect();
    let why = match messages.is_empty() {
        true => format!("Policy identifiers: '{}'.", denied.iter().map(identifiers).collect::<Value>()),
        false => format!("Reasons: '{}'. See error details for policy resource IDs.", messages.join("', '")),
    };
    let name = id.name();
    let message = format!("Resource '{name}' was disallowed by policy. {why}");
    let denied = Denied { target: name.to_owned(), policies: denied.iter().map(info).collect() };
    Refusal { denied: Some(Box::new(denied)), ..Refusal::new(403, "RequestDisallowedByPolicy", message) }
}
