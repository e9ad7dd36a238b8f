//! The problems that keep a written document from being right, or its plan from being empty.

use super::super::failure::Failure;
use crate::azure::ResourceId;
use crate::desired::{Desired, World};
use crate::plan::{Plan, Siblings, full_name, unsaid};
use crate::protocol::{Action, ActionKind, ErrorReport, FindingReport, PropertyChange, ResourceName};
use crate::report::{Difference, Sign, difference, short_path};
use crate::settings::{left_out, left_out_as_changed};

/// Stands for a value that is not there, as in a plan.
const NONE: &str = "(none)";

/// Something that is wrong with a document, or that a plan of it would change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    /// The path in the document; empty where it is not a place in it.
    pub(super) path: String,
    /// The fragment of a sentence.
    pub(super) message: String,
    /// Azure or the command would refuse the document; else the plan would change something.
    pub(super) is_wrong: bool,
    /// The subject, which is the same as long as it is there, whatever else changes.
    pub(super) of: String,
    /// The change of a resource that it is a part of.
    change: Option<Change>,
}

/// A change of a resource.
#[derive(Debug, Clone, PartialEq)]
struct Change {
    /// The sentence about it, without its full stop.
    sentence: String,
    /// The properties that change.
    properties: String,
    /// The place of the resource in the document.
    resource: String,
}

impl Problem {
    fn new(path: &str, message: String, of: String) -> Problem {
        Problem { path: path.to_owned(), message, is_wrong: false, of, change: None }
    }

    /// The problem that makes the document wrong at a place.
    pub(super) fn wrong(path: &str, message: &str) -> Problem {
        let of = format!("{path}: {message}");
        Problem { is_wrong: true, ..Problem::new(path, message.to_owned(), of) }
    }

    /// The comment where a key was that is left out for it.
    pub(super) fn comment(&self) -> String {
        if self.is_wrong { left_out(&self.message) } else { left_out_as_changed(&self.message) }
    }

    /// The sentence about it with the document.
    pub(super) fn sentence(&self) -> String {
        let whole = self.change.as_ref().map_or(&self.message, |change| &change.sentence);
        let whole = whole.trim_end_matches('.');
        match (self.is_wrong, self.path.is_empty()) {
            (false, _) => format!("A plan of the document is not empty: {whole}."),
            (true, true) => format!("The document is not right: {whole}."),
            (true, false) => format!("The document is not right: {}: {whole}.", self.path),
        }
    }

    /// The comment above the resource that a plan would change, and its place.
    pub(super) fn at_its_resource(&self) -> Option<(&str, String)> {
        let change = self.change.as_ref()?;
        Some((&change.resource, format!("A plan would change this: {}.", change.properties)))
    }
}

/// The changes of a plan, each property with the place that says it.
pub(super) fn in_plan(plan: Plan) -> Vec<Problem> {
    let kept = plan.kept.iter().map(|kept| Problem::new("", kept.reason.clone(), kept.reason.clone()));
    let mut problems: Vec<Problem> = kept.collect();
    for action in plan.into_actions() {
        match action.action {
            ActionKind::Modify => problems.extend(in_change(action)),
            // Of something new every property is a change.
            ActionKind::Create => {
                let Action { description, origin, resource, .. } = action;
                problems.push(Problem::new(&origin.unwrap_or_default(), description, resource.resource_id));
            }
            ActionKind::Delete => problems.push(Problem::new("", action.description, action.resource.resource_id)),
        }
    }
    problems
}

/// The problems of a change, each of which is told with all others of it.
fn in_change(action: Action) -> impl Iterator<Item = Problem> {
    let Action { changes, origin, resource, .. } = action;
    let ResourceName { resource_id, label, .. } = resource;
    let id = ResourceId::new(resource_id.clone());
    let properties = changes.iter().map(|change| said(change, &id)).collect::<Vec<_>>().join(", ");
    let sentence = format!("Change {}: {properties}", full_name(&id, &label));
    let whole = Change { sentence, properties, resource: origin.unwrap_or_default() };
    changes.into_iter().map(move |change| {
        let path = change.origin.clone().unwrap_or_default();
        let problem = Problem::new(&path, said(&change, &id), format!("{resource_id} {}", change.path));
        Problem { change: Some(whole.clone()), ..problem }
    })
}

/// The change of a property, in the words of a plan.
fn said(change: &PropertyChange, of: &ResourceId) -> String {
    let path = short_path(&change.path);
    let none = || NONE.to_owned();
    match difference(change, of) {
        Difference::Value { before, after } => {
            format!("{path} {} -> {}", before.unwrap_or_else(none), after.unwrap_or_else(none))
        }
        Difference::Parts(parts) => {
            let parts = parts.iter().filter_map(|part| match part.sign {
                Sign::Added => Some(format!("+ {}", part.text)),
                Sign::Removed => Some(format!("- {}", part.text)),
                Sign::Kept | Sign::Left => None,
            });
            format!("{path} {}", parts.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The problem that stands against every plan of a document.
pub(super) fn not_possible(message: String) -> Problem {
    Problem::new("", message.clone(), message)
}

/// The findings of a failure as problems of the document; any other failure is one of the export.
///
/// # Errors
/// The failure.
pub(super) fn wrong(failure: Failure) -> Result<Vec<Problem>, Failure> {
    let ErrorReport { findings, .. } = failure.as_ref();
    if findings.is_empty() || findings.iter().any(|finding| finding.file.is_some()) {
        return Err(failure);
    }
    let problem = |FindingReport { path, message, .. }: &FindingReport| Problem::wrong(path, message);
    Ok(findings.iter().map(problem).collect())
}

/// The properties that the resources of a document in its group have and no setting says, each with the place of the resource.
pub(super) fn unsaid_in(desired: &[Desired], world: &World, group: &ResourceId) -> Vec<(String, String)> {
    let in_group = desired.iter().filter(|resource| resource.id != *group && resource.id.is_within(group));
    let siblings = Siblings::in_world(world);
    in_group.filter_map(|resource| Some((resource.place.show(), unsaid(resource, &siblings)?))).collect()
}

#[cfg(test)]
impl Problem {
    /// The only change of a resource, by the place of its setting.
    pub(super) fn of_change(path: &str, message: &str) -> Problem {
        let resource = path.rsplit_once('.').map_or("", |(resource, _)| resource).to_owned();
        let change = Change { sentence: "Change this".to_owned(), properties: message.to_owned(), resource };
        Problem { change: Some(change), ..Problem::new(path, message.to_owned(), message.to_owned()) }
    }
}
