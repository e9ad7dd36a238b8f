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

use self::condition::holds;
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
    /// The comparisons of its rule, when that holds.
    evaluated: Vec<Value>,
}

/// Changes a body that is about to be written as policies say; refuses it where they deny it.
pub(super) fn enforce(state: &State, id: &ResourceId, body: &mut Body) -> Result<(), Refusal> {
    let (_, judging) = judge(state, id, body);
    let denied: Vec<&Policy<'_>> = judging.iter().filter(|policy| policy.rule.effect == "deny").collect();
    if denied.is_empty() { Ok(()) } else { Err(refusal(id, &denied)) }
}

/// Applies the policies that change a resource to its body, and judges the outcome by the others: those that have changed it, and the others whose
/// rule holds then.
fn judge<'a>(state: &'a State, id: &ResourceId, body: &mut Body) -> (Vec<Policy<'a>>, Vec<Policy<'a>>) {
    let (mut changing, mut judging) = (Vec::new(), Vec::new());
    let (changers, judges): (Vec<_>, Vec<_>) =
        policies(state, id).into_iter().partition(|policy| matches!(policy.rule.effect.as_str(), "modify" | "append"));
    let described = describe(id, body);
    for policy in changers {
        let Some(mut policy) = policy.found(body) else { continue };
        let rule = &mut policy.rule;
        if rule.effect == "append" && rule.operations.iter().any(|operation| operation.contradicts(body)) {
            // It cannot be added to what says something else.
            rule.effect = "deny".to_owned();
            judging.push(policy);
            continue;
        }
        rule.operations.iter().for_each(|operation| operation.carry_out(body));
        changing.push(policy);
    }
    judging.extend(judges.into_iter().filter_map(|policy| policy.found(body)));
    described.iter().for_each(|member| drop(body.shift_remove(*member)));
    (changing, judging)
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
    let above = |scope: &ResourceId| scope.subscription.is_some().then(|| scope.parent());
    let scopes: Vec<ResourceId> = std::iter::successors(Some(id.clone()), above).collect();
    let key = id.key();
    let is_within = |scope: &Value| {
        let scope = scope.as_str().unwrap_or_default().trim_end_matches('/').to_lowercase();
        !scope.is_empty() && key.strip_prefix(&scope).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_enforced = |properties: &Value| {
        let is_left_out = properties["notScopes"].as_array().into_iter().flatten().any(is_within);
        !is_left_out && !same(&properties["enforcementMode"], &json!("DoNotEnforce"), "")
    };
    let mut found = Vec::new();
    for scope in scopes.iter().rev() {
        let prefix = format!("{}{ASSIGNMENTS}", scope.key());
        let assigned = state.below(&prefix).filter(|(_, assignment)| is_enforced(properties(&assignment.body)));
        let of = assigned.filter_map(|(_, assignment)| policy(state, &assignment.body));
        found.extend(of.filter(|policy| policy.is_about(id)));
    }
    found
}

fn policy<'a>(state: &'a State, assignment: &'a Body) -> Option<Policy<'a>> {
    let id = ResourceId::parse(properties(assignment)["policyDefinitionId"].as_str()?)?;
    let definition = &state.get(&id.key())?.body;
    let rule = Rule::assigned(definition, assignment).ok()?;
    (rule.effect != "disabled").then_some(Policy { assignment, definition, rule, evaluated: Vec::new() })
}

impl Policy<'_> {
    /// The policy, where its rule holds of a resource.
    fn found(mut self, body: &Body) -> Option<Self> {
        let holds = holds(&self.rule.condition, &Content::of(body), &mut self.evaluated);
        holds.unwrap_or_default().then_some(self)
    }

    /// Whether resources of this type are judged: those without tags and location only in the mode `All`.
    fn is_about(&self, id: &ResourceId) -> bool {
        let is_indexed = same(&properties(self.definition)["mode"], &json!("Indexed"), "");
        !is_indexed || !id.is_container() && resource_types::of(id).location != LocationRule::Absent
    }

    /// The message of the assignment to whom it refuses something.
    fn message(&self) -> Option<&str> {
        properties(self.assignment)["nonComplianceMessages"][0]["message"].as_str()
    }
}

/// Azure's refusal of a write that policies deny.
fn refusal(id: &ResourceId, denied: &[&Policy<'_>]) -> Refusal {
    let info = |policy: &&Policy<'_>| {
        let Policy { assignment, definition, rule, evaluated } = policy;
        json!({
            "evaluationDetails": {"evaluatedExpressions": evaluated, "reason": policy.message()},
            "policyDefinitionId": definition["id"],
            "policyDefinitionName": definition["name"],
            "policyDefinitionDisplayName": properties(definition)["displayName"],
            "policyDefinitionEffect": rule.effect,
            "policyAssignmentId": assignment["id"],
            "policyAssignmentName": assignment["name"],
            "policyAssignmentDisplayName": properties(assignment)["displayName"],
        })
    };
    let infos = || denied.iter().map(info);
    let named = |info: &Value, of: &str| json!({"name": info[format!("{of}Name")], "id": info[format!("{of}Id")]});
    let identifier = |info: Value| json!({"policyAssignment": named(&info, "policyAssignment"), "policyDefinition": named(&info, "policyDefinition")});
    let messages: Vec<&str> = denied.iter().filter_map(|policy| policy.message()).collect();
    let why = match messages.is_empty() {
        true => format!("Policy identifiers: '{}'.", infos().map(identifier).collect::<Value>()),
        false => format!("Reasons: '{}'. See error details for policy resource IDs.", messages.join("', '")),
    };
    let policies = infos().map(|info| json!({"type": "PolicyViolation", "info": info})).collect();
    let message = format!("Resource '{}' was disallowed by policy. {why}", id.name());
    let denied = Denied { target: id.name().to_owned(), policies };
    Refusal { denied: Some(Box::new(denied)), ..Refusal::new(403, "RequestDisallowedByPolicy", message) }
}
