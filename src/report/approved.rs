//! Whether a plan is the one that was approved: everything that is planned has to be in the approved plan. What only that has is done
//! already.

use std::collections::HashMap;

use serde_json::Value;

use super::{REPORT_FORMAT, Report};
use crate::desired::KNOWN_AFTER_APPLY;
use crate::protocol::{Action, ActionKind, PropertyChange};

/// The state of a resource, which Azure sets. A resource whose last operation failed is sent again to mend it.
const STATE: &str = "properties.provisioningState";
/// Longer values are cut in a sentence.
const LONGEST_VALUE: usize = 60;

/// Why a file cannot approve a plan, whatever it plans: the end of a sentence about the file. Nothing where it can. `target` of the plan
/// counts only where it is known already.
#[must_use]
pub fn unfit(approved: &Report, planned: &Report) -> Option<String> {
    if approved.format != REPORT_FORMAT {
        return Some(format!("its format is {}, expected {REPORT_FORMAT}", approved.format));
    }
    let Some(theirs) = approved.target.as_ref().filter(|_| !approved.offline) else {
        return Some("it was made offline, so it does not say what exists".to_owned());
    };
    if approved.command != planned.command {
        return Some(format!("it is a plan of {}, not of {}", approved.command, planned.command));
    }
    // A folder, or the same files in another order, are the same run.
    let sorted = |documents: &[String]| {
        let mut documents = documents.to_vec();
        documents.sort_unstable();
        documents
    };
    if sorted(&approved.documents) != sorted(&planned.documents) {
        return Some(format!("it is a plan for {}, not for {}", names(&approved.documents), names(&planned.documents)));
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

/// What is planned and not approved, a fragment each; nothing where everything that is planned is approved.
///
/// Compared are, for each resource id, the action, and the path, before and after of its changes. A value that was not known when the plan
/// was approved equals any. Of a secret only that it changes is known, so only that is compared.
#[must_use]
pub fn differences(approved: &[Action], planned: &[Action]) -> Vec<String> {
    let mut by_id: HashMap<String, Vec<&Action>> = HashMap::new();
    for action in approved {
        by_id.entry(action.resource_id.to_lowercase()).or_default().push(action);
    }
    planned
        .iter()
        .flat_map(|action| {
            let known = by_id.get(&action.resource_id.to_lowercase()).map_or(&[][..], Vec::as_slice);
            of_action(known, action)
        })
        .collect()
}

fn of_action(known: &[&Action], planned: &Action) -> Vec<String> {
    let name = format!("{} '{}'", planned.label, planned.full_name);
    if known.iter().any(|approved| approved.action != ActionKind::Delete) && is_sent_again(planned) {
        return Vec::new();
    }
    match known.iter().find(|approved| approved.action == planned.action) {
        Some(approved) => planned
            .changes
            .iter()
            .filter_map(|change| of_change(&approved.changes, change))
            .map(|difference| format!("{name}: {difference}"))
            .collect(),
        None => {
            let theirs = known.first().map_or("has no such resource", |approved| match approved.action {
                ActionKind::Create => "creates it",
                ActionKind::Modify => "changes it",
                ActionKind::Delete => "deletes it",
            });
            let ours = match planned.action {
                ActionKind::Create => "created",
                ActionKind::Modify => "changed",
                ActionKind::Delete => "deleted",
            };
            vec![format!("{name} is to be {ours}; the approved plan {theirs}")]
        }
    }
}

/// Whether a change only sends a resource again whose last operation failed, as it may have in a run with the same approved plan.
fn is_sent_again(planned: &Action) -> bool {
    planned.action == ActionKind::Modify
        && !planned.changes.is_empty()
        && planned.changes.iter().all(|change| change.path == STATE)
}

fn of_change(approved: &[PropertyChange], planned: &PropertyChange) -> Option<String> {
    let ours = shown(planned);
    let Some(theirs) = approved.iter().find(|change| change.path == planned.path) else {
        return Some(format!("{} is to be {ours}; the approved plan does not change it", planned.path));
    };
    let is_same = equals(theirs.before.as_deref(), planned.before.as_deref())
        && equals(theirs.after.as_deref(), planned.after.as_deref());
    (!is_same).then(|| format!("{} is to be {ours}; in the approved plan {}", planned.path, shown(theirs)))
}

/// Whether a value of the approved plan and one of this plan, JSON text each, are the same.
fn equals(approved: Option<&str>, planned: Option<&str>) -> bool {
    let value = |text: Option<&str>| text.map(|text| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)));
    match (value(approved), value(planned)) {
        (None, None) => true,
        (Some(approved), Some(planned)) => same(&approved, &planned),
        // Nothing is there yet where a value is known only after its resource was made.
        (Some(approved), None) => is_unknown(&approved),
        (None, Some(_)) => false,
    }
}

fn same(approved: &Value, planned: &Value) -> bool {
    match (approved, planned) {
        _ if is_unknown(approved) => true,
        (Value::Array(approved), Value::Array(planned)) => {
            approved.len() == planned.len() && approved.iter().zip(planned).all(|(one, other)| same(one, other))
        }
        (Value::Object(approved), Value::Object(planned)) => {
            approved.len() == planned.len()
                && approved.iter().all(|(key, value)| planned.get(key).is_some_and(|other| same(value, other)))
        }
        _ => approved == planned,
    }
}

fn is_unknown(value: &Value) -> bool {
    value.as_str() == Some(KNOWN_AFTER_APPLY)
}

/// A change in a sentence: `'TLS1_0' -> 'TLS1_2'`.
fn shown(change: &PropertyChange) -> String {
    let text = |value: &Option<String>| match value {
        Some(text) if text.chars().count() > LONGEST_VALUE => {
            format!("{}…", text.chars().take(LONGEST_VALUE).collect::<String>())
        }
        Some(text) => text.clone(),
        None => "(none)".to_owned(),
    };
    format!("{} -> {}", text(&change.before), text(&change.after))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::Target;

    fn action(kind: ActionKind, id: &str, changes: &[(&str, Option<Value>, Option<Value>)]) -> Action {
        let changes: Vec<Value> = changes
            .iter()
            .map(|(path, before, after)| {
                let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
                json!({"path": path, "before": text(before), "after": text(after)})
            })
            .collect();
        serde_json::from_value(json!({
            "index": 0, "action": kind, "type": "T", "label": "account", "name": id, "fullName": id, "resourceId": format!("/{id}"),
            "description": "", "question": "", "confirm": "normal", "dependsOn": [], "changes": changes,
        }))
        .unwrap()
    }

    fn modify(before: Value, after: Value) -> Action {
        action(ActionKind::Modify, "a", &[("tls", Some(before), Some(after))])
    }

    #[test]
    fn what_only_the_approved_plan_has_is_done_already() {
        let approved = [action(ActionKind::Create, "a", &[]), action(ActionKind::Delete, "b", &[])];
        assert_eq!(differences(&approved, &[]), [""; 0]);
        assert_eq!(differences(&approved, &[approved[1].clone(), approved[0].clone()]), [""; 0], "order is nothing");
        let mut elsewhere = approved[0].clone();
        elsewhere.resource_id = "/A".to_owned();
        elsewhere.description = "Other words.".to_owned();
        elsewhere.document = Some("another.yml".to_owned());
        assert_eq!(differences(&approved, &[elsewhere]), [""; 0]);
    }

    #[test]
    fn what_is_not_approved_is_named() {
        let approved = [modify(json!("1.0"), json!("1.2"))];
        assert_eq!(
            differences(&approved, &[action(ActionKind::Create, "b", &[])]),
            ["account 'b' is to be created; the approved plan has no such resource"]
        );
        assert_eq!(
            differences(&approved, &[action(ActionKind::Delete, "a", &[])]),
            ["account 'a' is to be deleted; the approved plan changes it"]
        );
        assert_eq!(
            differences(&approved, &[modify(json!("1.1"), json!("1.2"))]),
            ["account 'a': tls is to be \"1.1\" -> \"1.2\"; in the approved plan \"1.0\" -> \"1.2\""]
        );
        let more = action(ActionKind::Modify, "a", &[("sku", None, Some(json!(1)))]);
        assert_eq!(
            differences(&approved, &[more]),
            ["account 'a': sku is to be (none) -> 1; the approved plan does not change it"]
        );
    }

    #[test]
    fn a_value_that_was_not_known_equals_any() {
        let unknown = json!(KNOWN_AFTER_APPLY);
        let approved = |after: Value| [modify(json!(1), after)];
        assert_eq!(differences(&approved(unknown.clone()), &[modify(json!(1), json!("x"))]), [""; 0]);
        assert_eq!(differences(&approved(json!({"a": [unknown]})), &[modify(json!(1), json!({"a": ["x"]}))]), [""; 0]);
        assert_eq!(differences(&approved(json!({"a": [unknown]})), &[modify(json!(1), json!({"a": []}))]).len(), 1);
        assert_eq!(differences(&approved(json!("x")), &[modify(json!(1), unknown)]).len(), 1, "only in the file");
        assert_eq!(differences(&approved(json!("***")), &[modify(json!(1), json!("***"))]), [""; 0], "a secret");
    }

    #[test]
    fn a_resource_that_failed_half_way_is_sent_again() {
        let again = action(ActionKind::Modify, "a", &[(STATE, Some(json!("Failed")), Some(json!("Succeeded")))]);
        assert_eq!(differences(&[action(ActionKind::Create, "a", &[])], std::slice::from_ref(&again)), [""; 0]);
        assert_eq!(differences(&[action(ActionKind::Create, "b", &[])], std::slice::from_ref(&again)).len(), 1);
        assert_eq!(differences(&[action(ActionKind::Delete, "a", &[])], &[again]).len(), 1);
    }

    #[test]
    fn a_file_for_something_else_approves_nothing() {
        let target = |cloud: &str, id: &str| Target {
            cloud: cloud.to_owned(),
            subscription_id: id.to_owned(),
            ..Target::default()
        };
        let report = |target: Option<Target>| Report {
            format: REPORT_FORMAT,
            version: "0".to_owned(),
            command: "New-A".to_owned(),
            documents: vec!["a.yml".to_owned()],
            created: String::new(),
            offline: target.is_none(),
            target,
            what_if: true,
            counts: Default::default(),
            actions: Vec::new(),
            kept: Vec::new(),
            warnings: Vec::new(),
        };
        let planned = report(Some(target("public", "one")));
        let fit = report(Some(target("public", "ONE")));
        assert_eq!(unfit(&fit, &planned), None);
        assert_eq!(unfit(&fit, &report(None)), None, "the target is not known yet");
        let of = |documents: [&str; 2]| Report { documents: documents.map(str::to_owned).to_vec(), ..fit.clone() };
        assert_eq!(unfit(&of(["b.yml", "a.yml"]), &of(["a.yml", "b.yml"])), None, "in another order");
        assert!(unfit(&of(["a.yml", "c.yml"]), &of(["a.yml", "b.yml"])).is_some());
        let unfit = |approved: Report| unfit(&approved, &planned).unwrap_or_default();
        assert_eq!(unfit(report(None)), "it was made offline, so it does not say what exists");
        assert_eq!(unfit(Report { format: 2, ..fit.clone() }), "its format is 2, expected 1");
        assert_eq!(unfit(Report { command: "New-B".to_owned(), ..fit.clone() }), "it is a plan of New-B, not of New-A");
        assert_eq!(
            unfit(Report { documents: Vec::new(), ..fit.clone() }),
            "it is a plan for a settings object, not for 'a.yml'"
        );
        assert_eq!(unfit(report(Some(target("china", "one")))), "it is a plan for the cloud 'china', not for 'public'");
        assert_eq!(unfit(report(Some(target("public", "two")))), "it is a plan for the subscription two, not for one");
    }
}
