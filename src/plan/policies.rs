//! The policies of Azure on a plan: what they would refuse, and what they change by themselves.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::change::masked;
use super::sentences::full_name;
use super::{Change, Plan, Unchanged, kept};
use crate::azure::{
    PolicyEvaluation, PolicyField, PolicyReference, PolicyRestrictions, RESOURCE_GROUP_TYPE, ResourceId, found_in_words,
};
use crate::desired::body::{at, member_of};
use crate::desired::{Desired, Existing, Tag, has_placeholder};
use crate::protocol::{ActionKind, FindingCode, Kept, PropertyChange};
use crate::settings::{Finding, Place};

/// The type of resource groups as policies have it.
const GROUP_IN_POLICIES: &str = "Microsoft.Resources/subscriptions/resourceGroups";

/// A question to Azure Policy.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyQuestion {
    /// The resource that would be written.
    pub id: ResourceId,
    /// The existing resource group or the subscription that is asked.
    pub scope: ResourceId,
    /// The body of the request.
    pub body: Value,
}

/// The answers to the questions, each with its resource.
pub type PolicyAnswers = Vec<(ResourceId, PolicyRestrictions)>;

/// The display names of assignments and definitions, by id in lower case.
pub type PolicyNames = HashMap<String, String>;

/// The questions about everything that a plan creates or changes: of what is in a new group its subscription is asked.
#[must_use]
pub fn policy_questions(plan: &Plan) -> Vec<PolicyQuestion> {
    let created = plan.changes.iter().filter(|change| change.kind == ActionKind::Create).map(|change| &change.id);
    let created: HashSet<&ResourceId> = created.collect();
    let asked = |change: &Change| {
        let body = change.body.as_ref().filter(|_| !has_placeholder(&change.id))?;
        let subscription = ResourceId::subscription(change.id.subscription_id()?);
        let group = change.id.group_id().filter(|group| *group != change.id && !created.contains(group));
        let kind = change.resource_type.name.as_ref();
        // No secret is needed to judge what it is in.
        let mut resource = masked(change, body);
        let is_group = kind.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE);
        resource["type"] = if is_group { GROUP_IN_POLICIES.into() } else { kind.into() };
        resource["name"] = change.id.name().into();
        let parent = change.id.parent().unwrap_or_else(|| subscription.clone());
        let details = json!({"resourceContent": resource, "apiVersion": change.resource_type.api_version, "scope": parent.as_str()});
        let body = json!({"resourceDetails": details, "includeAuditEffect": true});
        Some(PolicyQuestion { id: change.id.clone(), scope: group.unwrap_or(subscription), body })
    };
    plan.changes.iter().filter_map(asked).collect()
}

/// Puts into a plan what policies do: what they add, what they set otherwise than the documents, what they only audit. Returns what they
/// deny, each with its resource.
pub fn apply_policies(
    plan: &mut Plan,
    desired: &[Desired],
    existing: &Existing,
    answers: &PolicyAnswers,
    names: &PolicyNames,
) -> Vec<(ResourceId, Finding)> {
    let by_id: HashMap<&ResourceId, &Desired> = desired.iter().map(|resource| (&resource.id, resource)).collect();
    let mut denied = Vec::new();
    let mut done = HashSet::new();
    for (id, restrictions) in answers {
        let Some(resource) = by_id.get(id) else { continue };
        let Some(change) = plan.changes.iter_mut().find(|change| change.id == *id) else { continue };
        for evaluation in &restrictions.evaluations {
            match judged(resource, change, evaluation, names) {
                Ok(finding) => denied.push((id.clone(), finding)),
                Err(note) => plan.notes.push(note),
            }
        }
        for field in &restrictions.fields {
            plan.kept.extend(apply(resource, change, existing.get(id), field, names));
        }
        if change.kind == ActionKind::Modify && change.changes.is_empty() {
            done.insert(id.clone());
        }
    }
    let (gone, changes) = std::mem::take(&mut plan.changes).into_iter().partition(|change| done.contains(&change.id));
    plan.changes = changes;
    let unchanged = |change: Change| Some(Unchanged::of(by_id.get(&change.id)?, existing.get(&change.id)?));
    plan.unchanged.extend(Vec::into_iter(gone).filter_map(unchanged));
    denied
}

/// The display name of an assignment or definition, else the name in its id.
fn name_of(id: &str, names: &PolicyNames) -> String {
    let last = || id.rsplit('/').next().unwrap_or_default().to_owned();
    names.get(&id.to_lowercase()).cloned().unwrap_or_else(last)
}

/// The words for a policy: `the policy 'Allowed locations' (assigned as 'Corp')`.
fn called(policy: &PolicyReference, names: &PolicyNames) -> String {
    let assignment = name_of(&policy.assignment, names);
    let definition = name_of(&policy.definition, names);
    match assignment == definition || assignment.is_empty() {
        true => format!("the policy '{definition}'"),
        false => format!("the policy '{definition}' (assigned as '{assignment}')"),
    }
}

/// The finding of what a policy denies; the note of what it only audits, or of what nobody can know yet.
fn judged(
    resource: &Desired,
    change: &Change,
    evaluation: &PolicyEvaluation,
    names: &PolicyNames,
) -> Result<Finding, String> {
    let policy = called(&evaluation.policy, names);
    let name = full_name(&resource.id, resource.resource_type.label);
    let found = found_in_words(&evaluation.found);
    let reason = |reason: &String| format!("; it says: {}", reason.trim_end_matches('.'));
    let reason = evaluation.reason.as_ref().map(reason).unwrap_or_default();
    let is_unknown = |path: &str| change.references.iter().any(|reference| path.eq_ignore_ascii_case(reference.path));
    if !evaluation.effect.eq_ignore_ascii_case("deny") {
        let effect = evaluation.effect.to_lowercase();
        return Err(format!("The {name} does not comply with {policy} ({effect}){found}{reason}."));
    }
    if evaluation.found.iter().any(|(path, _)| is_unknown(path)) {
        return Err(format!(
            "The {name} may be denied by {policy}, which looks at a value that is known only later{found}{reason}."
        ));
    }
    let said = evaluation.found.iter().find_map(|(path, _)| place_of(resource, path));
    Ok(Finding {
        place: said.unwrap_or_else(|| resource.place.clone()),
        code: FindingCode::PolicyDenied,
        message: format!("the {name} is denied by {policy}{found}{reason}"),
    })
}

/// The setting that says the value at a path of the body.
fn place_of(resource: &Desired, path: &str) -> Option<Place> {
    tag_of(resource, path).map(|tag| tag.place.clone()).or_else(|| resource.said(path))
}

/// The tag of a path that is one of the documents.
fn tag_of<'a>(resource: &'a Desired, path: &str) -> Option<&'a Tag> {
    let key = path.strip_prefix("tags.")?;
    let mut tags = resource.tags.iter().chain(&resource.creation_tags);
    tags.find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, tag)| tag)
}

/// Puts into a change what a policy does to one field; returns what stays otherwise than the documents say.
fn apply(
    resource: &Desired,
    change: &mut Change,
    existing: Option<&Value>,
    field: &PolicyField,
    names: &PolicyNames,
) -> Option<Kept> {
    let path = path_of(&field.field, resource.resource_type.name, change.body.as_ref()?)?;
    let sent = value_at(change.body.as_ref()?, &path);
    let to = field.value.as_ref().map(|text| typed(text, sent, &path));
    if is_same(sent, to.as_ref()) || sent.is_some() && !field.replaces {
        return None;
    }
    let before = existing.and_then(|existing| value_at(existing, &path));
    let is_new = change.kind == ActionKind::Create;
    let own = if is_new { change.body.as_ref() } else { change.wanted.as_ref() };
    let own = own.and_then(|body| value_at(body, &path)).cloned();
    let shown = |value: &Value| super::shown(resource.resource_type, &path, value);
    let Some(wanted) = tag_of(resource, &path).map(|tag| json!(tag.value)).or(own) else {
        let (before, after) = (before.map(shown), to.as_ref().map(shown));
        let origin = Some(format!("policy '{}'", name_of(&field.policy.assignment, names)));
        change.changes.push(PropertyChange { path, before, after, origin, by_policy: true });
        return None;
    };
    let name = full_name(&resource.id, resource.resource_type.label);
    let place = place_of(resource, &path).unwrap_or_else(|| resource.place.clone());
    let policy = called(&field.policy, names);
    let sets = to.as_ref().map_or("takes it away".to_owned(), |to| format!("sets it to {}", shown(to)));
    let reason = place.remark(format_args!(
        "the {name} is to have {path} {}, and {policy} {sets} with every write. It stays as the policy has it.",
        shown(&wanted)
    ));
    if is_same(before, to.as_ref()) && !is_new {
        change.leave(&path);
    }
    Some(kept::property(resource, &path, to.as_ref().unwrap_or(&Value::Null), &wanted, reason))
}

impl Change {
    /// Takes a property out of the change.
    fn leave(&mut self, path: &str) {
        let Some(gone) = self.changes.iter().position(|change| change.path.eq_ignore_ascii_case(path)) else { return };
        self.changes.remove(gone);
        self.details.retain(|detail| detail.index != gone);
        self.details.iter_mut().filter(|detail| detail.index > gone).for_each(|detail| detail.index -= 1);
    }
}

/// The path of a field in a body; none where it is of another type, or in the items of a list.
fn path_of(field: &str, resource_type: &str, body: &Value) -> Option<String> {
    let without = |prefix: &str| {
        let is_it = field.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        field.get(prefix.len()..).filter(|_| is_it)
    };
    if let Some(key) = without("tags").filter(|key| key.starts_with(['.', '['])) {
        return Some(format!("tags.{}", key.trim_matches(['.', '[', ']', '\''])));
    }
    if field.contains('[') {
        return None;
    }
    let Some(rest) = without(resource_type).and_then(|rest| rest.strip_prefix('/')) else {
        return (!field.contains('/')).then(|| field.to_owned());
    };
    let first = rest.split('.').next().unwrap_or_default();
    let is_top = body.as_object().and_then(|members| member_of(members, first)).is_some();
    Some(if is_top { rest.to_owned() } else { format!("properties.{rest}") })
}

/// The value at a path; the key of a tag may have dots.
fn value_at<'a>(body: &'a Value, path: &str) -> Option<&'a Value> {
    let found = match path.strip_prefix("tags.") {
        Some(key) => body.get("tags").and_then(Value::as_object).and_then(|tags| member_of(tags, key)),
        None => at(body, path),
    };
    found.filter(|value| !value.is_null())
}

/// A value that Azure Policy writes as a text, in the type of the one that it takes the place of.
fn typed(text: &str, other: Option<&Value>, path: &str) -> Value {
    let is_text = path.starts_with("tags.") || other.is_some_and(Value::is_string);
    let parsed = serde_json::from_str(&text.to_lowercase()).ok();
    parsed.filter(|value: &Value| !is_text && !value.is_object() && !value.is_array()).unwrap_or_else(|| text.into())
}

fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one.and_then(Value::as_str), other.and_then(Value::as_str)) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => one == other,
    }
}
