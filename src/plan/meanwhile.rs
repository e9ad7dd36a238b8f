//! What is left to be sent of an approved change when the resource was read again: what somebody else changed elsewhere stays, and
//! what they changed in the same place makes it an error.

use serde_json::Value;

use super::change::{put_over, shown};
use super::rebase::{Changed, rebase};
use super::{Change, compare, sentences};
use crate::azure::{ArmError, Listing, ResourceType, is_success, is_terminal, provisioning_state};
use crate::desired::body;

/// What was approved of one resource, with the values that were not known when the plan was made.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'a> {
    /// The facts of its type.
    pub kind: &'static ResourceType,
    /// What the settings want of it, as far as it can be changed.
    pub wanted: &'a Value,
    /// The body for a resource that is as the plan saw it.
    pub body: &'a Value,
    /// It is left alone where it exists, whatever it is like.
    pub keep_existing: bool,
    /// A try to write it may have been carried out already.
    pub was_sent: bool,
}

/// What is left of an approved change.
#[derive(Debug, Default, PartialEq)]
pub struct Left {
    /// The body to send; none where nothing is left to be done.
    pub body: Option<Value>,
    /// What somebody else changed to what the settings do not want, and what stays: the ends of sentences.
    pub kept: Vec<String>,
}

impl Approved<'_> {
    /// What is left to be sent: the plan saw the resource as `seen`, and it is there as `now`; none where it does not exist.
    ///
    /// # Errors
    /// [`ArmError::ChangedMeanwhile`].
    pub fn left(&self, seen: Option<&Value>, now: Option<&Value>) -> Result<Left, ArmError> {
        match (seen, now) {
            (None, None) => Ok(Left { body: Some(self.body.clone()), kept: Vec::new() }),
            (None, Some(now)) => self.left_of_new(now),
            (Some(_), None) => Err(changed_meanwhile("deleted it", Vec::new())),
            (Some(seen), Some(now)) => self.left_of_old(seen, now),
        }
    }

    /// What was not there when the plan was made, and is there now.
    fn left_of_new(&self, now: &Value) -> Result<Left, ArmError> {
        if self.keep_existing {
            return Ok(Left::default());
        }
        // How what exists has named its own parts.
        let own = self.kind.remainder.map_or_else(|| Some(self.body.clone()), |own| own(self.body, Some(now), &[]));
        let Some(mut wanted) = own else { return Ok(Left::default()) };
        if let Some(tags) = self.body.get("tags") {
            wanted["tags"] = tags.clone();
        }
        let found = compare::differences(self.kind, &wanted, now);
        if found.is_empty() {
            return Ok(Left::default());
        }
        // Part of what is above it, such as the settings of an app that was just made; or made by the try whose answer was lost.
        if self.kind.listing == Listing::ListAction || self.was_sent {
            return Ok(Left { body: Some(put_over(self.kind, now, &wanted)), kept: Vec::new() });
        }
        let paths: Vec<String> = found.iter().map(|difference| difference.path.clone()).collect();
        let told: Vec<String> = found
            .iter()
            .map(|difference| {
                let text = |value| text(self.kind, &difference.path, value);
                format!(
                    "{} {}, not {}",
                    difference.path,
                    text(difference.before.as_ref()),
                    text(difference.after.as_ref())
                )
            })
            .collect();
        Err(changed_meanwhile(&format!("created it with {}", told.join(" and ")), paths))
    }

    fn left_of_old(&self, seen: &Value, now: &Value) -> Result<Left, ArmError> {
        let sendable = body::writable(self.kind, now);
        let rebased = rebase(self.kind, self.wanted, seen, now, &sendable);
        if !rebased.conflicts.is_empty() {
            return Err(conflict(self.kind, &rebased.conflicts));
        }
        // One whose last operation failed is sent again although it is right.
        let is_whole = provisioning_state(now).is_none_or(|state| is_success(state) || !is_terminal(state));
        let is_done = is_whole && compare::differences(self.kind, &rebased.wanted, now).is_empty();
        Ok(Left {
            body: (!is_done).then(|| put_over(self.kind, now, &rebased.wanted)),
            kept: rebased.kept.iter().map(|changed| tell(self.kind, changed)).collect(),
        })
    }
}

fn tell(kind: &ResourceType, changed: &Changed) -> String {
    let Changed { path, before, now } = changed;
    format!("{path} from {} to {}", text(kind, path, before.as_ref()), text(kind, path, now.as_ref()))
}

/// A value as people read it; a secret is none.
fn text(kind: &ResourceType, path: &str, value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| shown(kind, path, value))
}

fn conflict(kind: &ResourceType, changed: &[Changed]) -> ArmError {
    let paths: Vec<String> = changed.iter().map(|changed| changed.path.clone()).collect();
    let told: Vec<String> = changed.iter().map(|changed| tell(kind, changed)).collect();
    changed_meanwhile(&format!("changed {}", told.join(" and ")), paths)
}

/// Whether something that is to be deleted is still what the plan saw.
///
/// # Errors
/// [`ArmError::ChangedMeanwhile`].
pub fn still_to_go(kind: &'static ResourceType, seen: &Value, now: &Value) -> Result<(), ArmError> {
    let found = compare::differences(kind, &body::writable(kind, seen), &body::writable(kind, now));
    let mut changed: Vec<Changed> = found
        .into_iter()
        .map(|difference| Changed { path: difference.path, before: difference.after, now: difference.before })
        .collect();
    // A listing may show less than the resource itself, but it shows all tags.
    let tags = |body: &Value| body.get("tags").and_then(Value::as_object).cloned().unwrap_or_default();
    let before = tags(seen);
    let added = tags(now).into_iter().filter(|(key, _)| !before.contains_key(key));
    changed.extend(added.map(|(key, value)| Changed { path: format!("tags.{key}"), before: None, now: Some(value) }));
    if changed.is_empty() { Ok(()) } else { Err(conflict(kind, &changed)) }
}

/// The warning about what somebody else changed to what the settings do not want.
#[must_use]
pub fn kept_meanwhile(change: &Change, kept: &[String]) -> String {
    format!(
        "{}: somebody else changed {} of the {} after the plan was made. It stays as it is; run the command again to see a plan with it.",
        change.place.show(),
        kept.join(" and "),
        sentences::full_name(&change.id, &change.resource_type.label)
    )
}

fn changed_meanwhile(what: &str, paths: Vec<String>) -> ArmError {
    ArmError::ChangedMeanwhile { reason: format!("somebody else {what} after the plan was made"), paths }
}
