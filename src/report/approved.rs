//! Whether a plan is the one that was approved: everything that is planned has to be in the approved plan, with the same properties. What only
//! that has has to be done already.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use uuid::Uuid;

use super::plan_file::{FileAction, FileChange, PlanFile, secret_digest};
use super::{PlanHead, REPORT_FORMAT, Report};
use crate::azure::{ResourceId, ResourceType, resource_type};
use crate::desired::Existing;
use crate::desired::body::member_of;
use crate::plan::{Plan, is_there, shown};
use crate::protocol::{Action, ActionKind};

/// The state of a resource, which Azure sets. A resource whose last operation failed is sent again to mend it.
const STATE: &str = "/properties/provisioningState";
/// Longer values are shown from where they differ first.
const LONGEST_VALUE: usize = 60;
/// The length of what is shown before that.
const LEAD: usize = 20;

/// Why a file cannot approve a plan, whatever it plans: the end of a sentence about the file. Nothing where it can. `target` of the plan
/// counts only where it is known already.
#[must_use]
pub fn unfit(approved: &PlanFile, planned: &PlanHead) -> Option<String> {
    let PlanFile { head, digest_key, actions, .. } = approved;
    if head.format != REPORT_FORMAT {
        return Some(format!("its format is {}, expected {REPORT_FORMAT}", head.format));
    }
    let Some(theirs) = head.target.as_ref().filter(|_| !head.offline) else {
        return Some("it was made offline, so it does not say what exists".to_owned());
    };
    if head.command != planned.command {
        return Some(format!("it is a plan of {}, not of {}", head.command, planned.command));
    }
    // A folder, or the same files in another order, are the same run.
    let sorted = |documents: &[String]| {
        let mut documents = documents.to_vec();
        documents.sort_unstable();
        documents
    };
    if sorted(&head.documents) != sorted(&planned.documents) {
        return Some(format!("it is a plan for {}, not for {}", names(&head.documents), names(&planned.documents)));
    }
    // Names need not have the environment in them, so two environments can have one plan.
    let (theirs_of, ours_of) = (&head.made_with.environment, &planned.made_with.environment);
    if !theirs_of.is_empty() && theirs_of != ours_of {
        return Some(format!("it is a plan for the environment {theirs_of}, not for {ours_of}"));
    }
    if Uuid::try_parse(digest_key).is_err() {
        return Some("its digestKey is no key, so its digests say nothing".to_owned());
    }
    let mut ids = HashSet::new();
    if let Some(twice) = actions.iter().find(|action| !ids.insert(action.resource.resource_id.to_lowercase())) {
        return Some(format!("it has two actions for '{}'", twice.resource.resource_id));
    }
    let ours = planned.target.as_ref()?;
    if theirs.cloud != ours.cloud {
        return Some(format!("it is a plan for the cloud '{}', not for '{}'", theirs.cloud, ours.cloud));
    }
    if !theirs.subscription_id.eq_ignore_ascii_case(&ours.subscription_id) {
        return Some(format!(
            "it is a plan for the subscription {}, not for {}",
            theirs.subscription(),
            ours.subscription()
        ));
    }
    None
}

fn names(documents: &[String]) -> String {
    match documents {
        [] => "a settings object".to_owned(),
        _ => documents.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", "),
    }
}

/// A plan that is held against the approved one.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// As people are shown it.
    pub report: &'a Report,
    /// As a file, whose digests have the key of the approved one.
    pub file: &'a PlanFile,
    /// The existing resources among those that are changed or approved.
    pub seen: &'a Existing,
    /// The approved resources that are not there.
    pub gone: &'a HashSet<ResourceId>,
    /// The wanted resources that no run makes any more: Azure has refused them, and nothing needs them.
    pub never_made: &'a HashSet<ResourceId>,
}

/// The differences, a fragment each: planned and not approved, or approved and neither planned nor done; nothing where the plan is the approved one.
///
/// Values are compared as the planner compares them with what exists. A value that was not known when the plan was approved equals any that
/// comes from the same resource. Secrets are compared by their digests and by where they come from.
#[must_use]
pub fn differences(approved: &PlanFile, planned: Planned<'_>) -> Vec<String> {
    let mut by_id: HashMap<String, Vec<&FileAction>> = HashMap::new();
    for action in &approved.actions {
        by_id.entry(action.resource.resource_id.to_lowercase()).or_default().push(action);
    }
    let mut found = Vec::new();
    for (index, action) in planned.file.actions.iter().enumerate() {
        let (Some(change), Some(shown)) = (planned.plan.changes.get(index), planned.report.actions.get(index)) else {
            continue;
        };
        let comparison = Comparison {
            key: &approved.digest_key,
            kind: change.resource_type.known,
            action,
            shown,
            existing: planned.seen.get(&change.id),
        };
        let known = by_id.get(&action.resource.resource_id.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let name = format!("{} '{}'", action.resource.label, action.resource.full_name);
        let is_made = |id: &ResourceId| {
            by_id.get(&id.as_str().to_lowercase()).is_some_and(|of| of.iter().any(|of| of.action == ActionKind::Create))
        };
        // What comes with a resource is there as soon as that is: app settings, the parts of a network.
        let comes_with = || std::iter::successors(change.id.parent(), ResourceId::parent).any(|id| is_made(&id));
        match comparison.with(known, comes_with) {
            Ok(differences) => found.extend(differences.into_iter().map(|difference| format!("{name}: {difference}"))),
            Err(action) => found.push(format!("{name} {action}")),
        }
    }
    let is_planned: HashSet<String> =
        planned.file.actions.iter().map(|action| action.resource.resource_id.to_lowercase()).collect();
    let up_to_date: HashSet<&ResourceId> = planned.plan.unchanged.iter().map(|unchanged| &unchanged.id).collect();
    for action in
        approved.actions.iter().filter(|action| !is_planned.contains(&action.resource.resource_id.to_lowercase()))
    {
        let left = left(action, planned, &up_to_date, &approved.digest_key);
        found.extend(
            left.into_iter().map(|left| format!("{} '{}'{left}", action.resource.label, action.resource.full_name)),
        );
    }
    found
}

/// The missing parts of an approved action that is not planned: the ends of sentences.
fn left(approved: &FileAction, planned: Planned<'_>, up_to_date: &HashSet<&ResourceId>, key: &str) -> Vec<String> {
    let id = ResourceId::new(&approved.resource.resource_id);
    let is_up_to_date = up_to_date.contains(&id);
    let not_any_more =
        |done: &str| vec![format!(" is not to be {done} any more; the approved plan {}", does(approved.action))];
    match (approved.action, planned.seen.get(&id)) {
        (ActionKind::Delete, _) if planned.gone.contains(&id) => Vec::new(),
        (ActionKind::Delete, _) => not_any_more("deleted"),
        (ActionKind::Create, _) if is_up_to_date || planned.never_made.contains(&id) => Vec::new(),
        (ActionKind::Create, None) => not_any_more("created"),
        (ActionKind::Modify, None) => not_any_more("changed"),
        (ActionKind::Create | ActionKind::Modify, Some(existing)) => {
            let there = There { kind: resource_type(&approved.resource.resource_type), existing: Some(existing), key };
            let changes = approved.changes.iter().filter(|change| is_ours(change) && !there.is_done(change));
            changes.map(|change| format!(": {}", not_planned(change))).collect()
        }
    }
}

/// Whether the documents want the property so: Azure sets the state and what policies change.
fn is_ours(change: &FileChange) -> bool {
    change.path != STATE && !change.by_policy
}

/// The words for what a plan does with a resource.
fn does(action: ActionKind) -> &'static str {
    match action {
        ActionKind::Create => "creates it",
        ActionKind::Modify => "changes it",
        ActionKind::Delete => "deletes it",
    }
}

/// The difference of an approved property that is neither planned nor there.
fn not_planned(change: &FileChange) -> String {
    let (path, before) = (readable(&change.path), text(change.before.as_ref()));
    format!("{path} is {before} -> {} in the approved plan, and not in this one", wanted(change))
}

/// One action of the plan, to be compared.
struct Comparison<'a> {
    key: &'a str,
    kind: Option<&'static ResourceType>,
    action: &'a FileAction,
    shown: &'a Action,
    existing: Option<&'a Value>,
}

impl Comparison<'_> {
    /// The difference from the actions that were approved of the same resource; the error where they are other actions.
    fn with(&self, known: &[&FileAction], comes_with: impl Fn() -> bool) -> Result<Vec<String>, String> {
        let of_kind = |kind| known.iter().find(|approved| approved.action == kind);
        let kind = self.action.action;
        if kind == ActionKind::Modify
            && (of_kind(ActionKind::Create).or_else(|| of_kind(ActionKind::Modify)).is_some())
            && self.is_sent_again()
        {
            return Ok(Vec::new());
        }
        if let Some(approved) = of_kind(kind) {
            return Ok(match kind {
                ActionKind::Delete if approved.content_digest != self.action.content_digest => {
                    vec!["what is to be deleted is not what was there when the plan was approved".to_owned()]
                }
                ActionKind::Delete => Vec::new(),
                ActionKind::Create | ActionKind::Modify => self.properties(approved),
            });
        }
        match (kind, of_kind(ActionKind::Create)) {
            (ActionKind::Modify, Some(approved)) if comes_with() || self.has_failed() => Ok(self.properties(approved)),
            _ => Err(self.otherwise(known.first().map(|approved| approved.action))),
        }
    }

    fn otherwise(&self, approved: Option<ActionKind>) -> String {
        let ours = match self.action.action {
            ActionKind::Create => "created",
            ActionKind::Modify => "changed",
            ActionKind::Delete => "deleted",
        };
        let theirs = approved.map_or("has no such resource", does);
        format!("is to be {ours}; the approved plan {theirs}")
    }

    /// Whether a change only sends a resource again whose last operation failed, as it may have in a run with the same approved plan.
    fn is_sent_again(&self) -> bool {
        !self.action.changes.is_empty() && self.action.changes.iter().all(|change| change.path == STATE)
    }

    /// Whether the last operation on the resource failed, such as the creation of a run with the same approved plan.
    fn has_failed(&self) -> bool {
        self.action.changes.iter().any(|change| change.path == STATE)
    }

    fn properties(&self, approved: &FileAction) -> Vec<String> {
        let is_new = approved.action == ActionKind::Create;
        let is_at = |one: &FileChange, other: &FileChange| one.path.eq_ignore_ascii_case(&other.path);
        let planned = self.action.changes.iter().zip(&self.shown.changes).filter(|(change, _)| is_ours(change));
        let mut found: Vec<String> = planned
            .filter_map(|(change, shown)| match approved.changes.iter().find(|approved| is_at(approved, change)) {
                Some(approved) => self.property(&shown.path, approved, change, is_new),
                None => Some(format!(
                    "{} is to be {} -> {}; the approved plan does not change it",
                    shown.path,
                    text(change.before.as_ref()),
                    wanted(change)
                )),
            })
            .collect();
        let is_planned = |change: &&FileChange| self.action.changes.iter().any(|planned| is_at(planned, change));
        let missing = approved.changes.iter().filter(|change| is_ours(change) && !is_planned(change));
        let there = There { kind: self.kind, existing: self.existing, key: self.key };
        found.extend(missing.filter(|change| !there.is_done(change)).map(not_planned));
        found
    }

    /// The difference of a property from the approved one.
    fn property(&self, path: &str, approved: &FileChange, planned: &FileChange, is_new: bool) -> Option<String> {
        let before = is_new
            || approved.before_digest == planned.before_digest
                && self.is_same(path, approved.before.as_ref(), planned.before.as_ref());
        if !before {
            let (theirs, ours) = apart(&text(approved.before.as_ref()), &text(planned.before.as_ref()));
            return Some(format!("{path} is {ours} now, and was {theirs} in the approved plan"));
        }
        let source = |change: &FileChange| {
            change.after_from.as_ref().map(|source| (source.resource_id.to_lowercase(), source.value.clone()))
        };
        let is_same = if approved.after_unknown || planned.after_unknown {
            approved.after_unknown
        } else {
            approved.after_digest == planned.after_digest
                && self.is_same(path, approved.after.as_ref(), planned.after.as_ref())
        };
        if is_same && source(approved) == source(planned) {
            return None;
        }
        let (theirs, ours) = (wanted(approved), wanted(planned));
        if theirs == ours {
            return Some(format!("{path} is to be another secret than in the approved plan ({ours})"));
        }
        let (theirs, ours) = apart(&theirs, &ours);
        Some(format!("{path} is to be {ours}; in the approved plan {theirs}"))
    }

    /// Whether two values at a path are the same, in any spelling that makes no difference to Azure.
    fn is_same(&self, path: &str, one: Option<&Value>, other: Option<&Value>) -> bool {
        match (self.kind, one, other) {
            (Some(kind), Some(one), Some(other)) => {
                is_there(kind, path, one, Some(other)) && is_there(kind, path, other, Some(one))
            }
            _ => one == other,
        }
    }
}

/// A resource as it is now.
struct There<'a> {
    kind: Option<&'static ResourceType>,
    existing: Option<&'a Value>,
    key: &'a str,
}

impl There<'_> {
    /// Whether what was approved of a property is there by now.
    fn is_done(&self, approved: &FileChange) -> bool {
        let path = readable(&approved.path);
        let now = self.existing.and_then(|existing| at(existing, &approved.path));
        if approved.after_unknown {
            return now.is_some_and(|now| !now.is_null());
        }
        let is_whole = approved.after.as_ref().is_some_and(|after| after.is_object() || after.is_array());
        match &approved.after_digest {
            // Of an item with secrets in it Azure shows more than was sent, so its digest is another one.
            Some(digest) if !is_whole => return now.is_some_and(|now| secret_digest(self.key, now) == *digest),
            _ => {}
        }
        let Some(kind) = self.kind else { return false };
        let now = now.map(|now| shown(kind, &path, now).into_value());
        self.existing.is_some() && is_there(kind, &path, approved.after.as_ref().unwrap_or(&Value::Null), now.as_ref())
    }
}

/// The value at a JSON Pointer, in which the name of an item stands for the item.
fn at<'a>(body: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').skip(1).try_fold(body, |value, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        match value {
            Value::Object(members) => member_of(members, &token),
            Value::Array(items) => {
                let is_called = |item: &&Value| {
                    ["name", "id"]
                        .iter()
                        .filter_map(|key| item.get(key)?.as_str())
                        .any(|name| name.eq_ignore_ascii_case(&token))
                };
                items.iter().find(is_called).or_else(|| items.get(token.parse::<usize>().ok()?))
            }
            _ => None,
        }
    })
}

/// A JSON Pointer as the rest of a plan writes paths.
fn readable(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
}

/// The value that is wanted, or where it comes from.
fn wanted(change: &FileChange) -> String {
    match (&change.after_from, change.after_unknown) {
        (Some(source), true) => format!("{} of {} (known after apply)", source.value, source.resource_id),
        _ => text(change.after.as_ref()),
    }
}

fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| "(none)".to_owned(), Value::to_string)
}

/// Two long texts from shortly before where they differ first.
fn apart(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let start = same.saturating_sub(LEAD);
    let part = |text: &str| {
        let length = text.chars().count();
        if length <= LONGEST_VALUE {
            return text.to_owned();
        }
        let end = if length > start + LONGEST_VALUE { "…" } else { "" };
        let begin = if start > 0 { "…" } else { "" };
        format!("{begin}{}{end}", text.chars().skip(start).take(LONGEST_VALUE).collect::<String>())
    };
    (part(one), part(other))
}

#[cfg(test)]
mod tests;
