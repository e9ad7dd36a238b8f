//! The properties that Azure cannot change: such a change is left out, or it ends the run before anything is changed. The facts are in the entries of
//! the types.

use serde_json::{Value, json};

use super::compare::{self, Difference};
use super::{Plan, sentences};
use crate::azure::ResourceId;
use crate::azure::types::{Fixed, Otherwise, Refused};
use crate::desired::{Desired, Existing, Required, body, is_unknown};
use crate::protocol::{FindingCode, Warning};
use crate::settings::Finding;

/// Takes out of the desired body what is as good as it is, and puts what others have added to lists of words into it.
pub(super) fn take_what_is_right(resource: &Desired, existing: &Value, wanted: &mut Value) {
    for (path, value) in &resource.also_right {
        let is_right = match body::at(existing, path).filter(|has| !has.is_null()) {
            Some(has) => compare::is_same(resource.resource_type, path, value, has),
            None => value.is_null(),
        };
        if is_right {
            body::take(wanted, path);
        }
    }
    for text in &resource.any_case {
        if let Some(has) = existing.pointer(text.pointer).and_then(Value::as_str)
            && let Some(asked) = wanted.pointer_mut(text.pointer)
            && asked.as_str().is_some_and(|asked| text.is_same(asked, has))
        {
            *asked = json!(has);
        }
    }
    for path in &resource.enough {
        if body::at(existing, path).is_some_and(|value| !value.is_null()) {
            body::take(wanted, path);
        }
    }
    for (path, ours) in &resource.follows {
        let has = body::at(existing, path).and_then(Value::as_str).unwrap_or_default();
        if !has.is_empty() && !ours.has(has) {
            body::take(wanted, path);
        }
    }
    for path in resource.resource_type.joined {
        let words = |body: &Value| body::at(body, path).and_then(Value::as_str).map(str::to_owned);
        if let (Some(asked), Some(has)) = (words(wanted), words(existing))
            && !asked.is_empty()
            && !has.is_empty()
        {
            body::put(wanted, path, json!(compare::joined(&has, &asked)));
        }
    }
}

/// Takes out of the desired body what stays as it is, and notes in the plan what the user should know of it and what is
/// refused.
pub(super) fn keep_what_cannot_change(resource: &Desired, existing: &Value, wanted: &mut Value, plan: &mut Plan) {
    let found = compare::differences(resource.resource_type, wanted, existing);
    for fixed in resource.resource_type.fixed_properties() {
        let mut allowed = true;
        for Changed { path, has, asked } in changes(fixed, &found, wanted, existing) {
            // What a rehearsal could not look up may well be what is there; the plan shows that it is not known.
            if is_unknown(&asked) || (fixed.allows)(&has, &asked) {
                continue;
            }
            allowed = false;
            match fixed.otherwise {
                Otherwise::Left => {}
                Otherwise::Kept => {
                    let reason = kept(resource, &path, &has, &asked);
                    plan.kept.push(super::kept::property(resource, &path, &has, &asked, reason));
                }
                Otherwise::Refused(way_out) => {
                    let reason = format!("has {path} '{}', which Azure cannot {}", text(&has), goal(&asked));
                    let finding = finding(resource, &path, &reason, way_out);
                    plan.refused.push((resource.id.clone(), finding));
                }
            }
        }
        // A location in another spelling is the same one, and is sent back as it is.
        let is_there = |path| body::at(existing, path).is_some_and(|value| !is_empty(value));
        if !allowed || (fixed.path == "location" && is_there(fixed.path)) {
            body::take(wanted, fixed.path);
        }
    }
}

/// The refusal of a new resource that would be the second one of the same settings: there is one in another location, which the
/// document no longer has.
pub(super) fn moved(resource: &Desired, desired: &[Desired], existing: &Existing) -> Option<Finding> {
    let location = resource.resource_type.fixed_properties().find(|fixed| fixed.path == "location")?;
    let Otherwise::Refused(way_out) = location.otherwise else { return None };
    let is_wanted = |id: &ResourceId| desired.iter().any(|other| other.id == *id);
    let mut others = resource.elsewhere.iter().filter(|id| !is_wanted(id));
    let (old, body) = others.find_map(|id| existing.get_key_value(id))?;
    let text_of = |body: &Value| body::at(body, "location").map(text).unwrap_or_default();
    let (has, asked) = (text_of(body), text_of(&resource.body));
    let reason = format!("has location '{has}', which Azure cannot change to '{asked}'");
    Some(finding(&Desired { id: old.clone(), ..resource.clone() }, "location", &reason, way_out))
}

/// The finding that a refusal is for the user.
pub(super) fn refusal(resource: &Desired, refused: &Refused) -> Finding {
    finding(resource, refused.path, &refused.reason, &refused.way_out)
}

/// The findings about what is refused because another resource, as it is, does not go with it.
pub(super) fn unmet(resource: &Desired, existing: &Existing) -> Vec<Finding> {
    let is_unmet = |required: &&Required| {
        existing.get(&required.of).and_then(|other| body::at(other, required.path)) == Some(&required.not)
    };
    let refused = |required: &Required| finding(resource, required.needed_by, &required.reason, required.way_out);
    resource.requires.iter().filter(is_unmet).map(refused).collect()
}

/// A fixed property that has another value than is asked for.
struct Changed {
    path: String,
    has: Value,
    asked: Value,
}

/// The places where a fixed property differs: once, or once in each item of a list. What has no value yet can be given one.
fn changes(fixed: &Fixed, found: &[Difference], wanted: &Value, existing: &Value) -> Vec<Changed> {
    let mut changes: Vec<Changed> = Vec::new();
    for difference in found {
        let general = body::without_names(&difference.path);
        let change = match general.strip_prefix(fixed.path) {
            Some(rest) if rest.starts_with(['.', '[']) && !fixed.path.contains("[]") => Changed {
                path: fixed.path.to_owned(),
                has: body::at(existing, fixed.path).cloned().unwrap_or_default(),
                asked: body::at(wanted, fixed.path).cloned().unwrap_or_default(),
            },
            Some(rest) if rest.is_empty() || rest.starts_with(['.', '[']) => Changed {
                path: difference.path.clone(),
                has: difference.before.clone().unwrap_or_default(),
                asked: difference.after.clone().unwrap_or_default(),
            },
            _ => continue,
        };
        if !is_empty(&change.has) && changes.iter().all(|known| known.path != change.path) {
            changes.push(change);
        }
    }
    changes
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(str::is_empty)
}

fn kept(resource: &Desired, path: &str, has: &Value, asked: &Value) -> Warning {
    let name = sentences::full_name(&resource.id, resource.resource_type.label);
    resource.origin(path).remark(format_args!(
        "{name} exists with {path} '{}', which Azure cannot {}. It stays as it is.",
        text(has),
        goal(asked)
    ))
}

fn finding(resource: &Desired, path: &str, reason: &str, way_out: &str) -> Finding {
    let name = sentences::full_name(&resource.id, resource.resource_type.label);
    Finding {
        place: resource.origin(path),
        code: FindingCode::CannotBeChanged,
        message: format!("the {name} {reason}; {way_out}{}", resource.advice.as_deref().unwrap_or_default()),
    }
}

/// "change to 'x'", "remove".
fn goal(asked: &Value) -> String {
    if asked.is_null() { "remove".to_owned() } else { format!("change to '{}'", text(asked)) }
}

/// A value in a sentence.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::azure::types::STORAGE_ACCOUNT;
    use crate::azure::{ResourceId, ResourceType};
    use crate::desired::{AnyCase, World};
    use crate::plan::plan;
    use crate::settings::{Document, Place, SettingsPath};

    const ID: &str = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/this";

    fn never(_: &Value, _: &Value) -> bool {
        false
    }

    fn only_upwards(before: &Value, after: &Value) -> bool {
        before.get("count").and_then(Value::as_i64) <= after.get("count").and_then(Value::as_i64)
    }

    /// Together they would be more than there is room for.
    fn no_room(
        _: &ResourceId,
        desired: &Value,
        own: Option<&Value>,
        others: &HashMap<ResourceId, Value>,
    ) -> Option<Refused> {
        let is_large = desired.pointer("/properties/size") == Some(&json!("large"));
        (is_large && own.is_none() && !others.is_empty()).then(|| Refused {
            path: "properties.size",
            reason: format!("has no room beside {} other", others.len()),
            way_out: "use small".to_owned(),
        })
    }

    static KIND: ResourceType = ResourceType {
        fixed: &[
            Fixed { path: "location", allows: never, otherwise: Otherwise::Refused("use another name") },
            Fixed { path: "sku", allows: only_upwards, otherwise: Otherwise::Refused("keep it") },
            Fixed {
                path: "properties.links[].to.groups",
                allows: never,
                otherwise: Otherwise::Refused("make another"),
            },
            Fixed { path: "properties.subnet.id", allows: never, otherwise: Otherwise::Refused("make another") },
            Fixed { path: "properties.kept", allows: never, otherwise: Otherwise::Kept },
            Fixed { path: "properties.left", allows: never, otherwise: Otherwise::Left },
        ],
        refuses: Some(no_room),
        ..STORAGE_ACCOUNT
    };

    fn desired(body: Value) -> Desired {
        let document = Document::from_object(json!({})).unwrap();
        let place = Place::value(&document, SettingsPath::root());
        Desired {
            origins: vec![("location", "region"), ("properties.links", "targets")],
            ..Desired::new(ResourceId::new(ID), &KIND, body, place)
        }
    }

    fn planned(wanted: Value, existing: Value) -> Plan {
        let world: Existing = [(ResourceId::new(ID), existing)].into();
        plan(&[desired(wanted)], &World::Known(world))
    }

    fn refused(wanted: Value, existing: Value) -> Vec<(String, String)> {
        let plan = planned(wanted, existing);
        plan.refused.into_iter().map(|(_, finding)| (finding.place.path().to_string(), finding.message)).collect()
    }

    #[test]
    fn a_change_that_azure_refuses_is_told_with_the_way_out() {
        let subject = "the storage account 'this' in resource group 'g'";
        assert_eq!(
            refused(json!({"location": "ukwest"}), json!({"location": "UK South"})),
            [(
                "region".to_owned(),
                format!("{subject} has location 'UK South', which Azure cannot change to 'ukwest'; use another name")
            )]
        );
        assert_eq!(
            refused(json!({"properties": {"subnet": {"id": "/a"}}}), json!({"properties": {"subnet": {"id": "/b"}}})),
            [(
                String::new(),
                format!("{subject} has properties.subnet.id '/b', which Azure cannot change to '/a'; make another")
            )]
        );
        let links = |groups: &[&str]| json!({"properties": {"links": [{"name": "a.b", "to": {"groups": groups}}]}});
        assert_eq!(
            refused(links(&["blob"]), links(&["file", "web"])),
            [(
                "targets".to_owned(),
                format!(
                    "{subject} has properties.links[a.b].to.groups 'file, web', which Azure cannot change to 'blob'; make another"
                )
            )]
        );
        assert_eq!(
            refused(json!({"properties": {"subnet": null}}), json!({"properties": {"subnet": {"id": "/b"}}})),
            [],
            "what is above it goes"
        );
        assert_eq!(
            refused(json!({"properties": {"subnet": {"id": null}}}), json!({"properties": {"subnet": {"id": "/b"}}})),
            [(
                String::new(),
                format!("{subject} has properties.subnet.id '/b', which Azure cannot remove; make another")
            )]
        );
    }

    #[test]
    fn values_of_more_than_one_member_are_judged_as_a_whole() {
        let sku = |name: &str, count: i64| json!({"sku": {"name": name, "count": count}});
        assert_eq!(refused(sku("a", 2), sku("a", 1)), []);
        assert_eq!(refused(sku("b", 1), sku("a", 2)).len(), 1, "one refusal for both members");
    }

    #[test]
    fn what_is_alike_or_not_there_yet_is_not_refused() {
        for (wanted, existing) in [
            (json!({"location": "uksouth"}), json!({"location": "UK South"})),
            (json!({"properties": {"subnet": {"id": "/A"}}}), json!({"properties": {"subnet": {"id": "/a"}}})),
            (json!({"properties": {"subnet": {"id": "/a"}}}), json!({"properties": {}})),
            (json!({"properties": {"subnetting": 1}}), json!({"properties": {"subnetting": 2}})),
        ] {
            assert_eq!(refused(wanted, existing), []);
        }
    }

    #[test]
    fn the_case_of_letters_makes_no_difference_only_where_it_is_said() {
        let query = |text: &str| json!({"properties": {"allOf": [{"query": text}]}});
        let is_quiet = |has: &str| {
            let names = AnyCase { pointer: "/properties/allOf/0/query", spans: vec![13..17, 22..26] };
            let wanted = Desired { any_case: vec![names], ..desired(query("T | where é vm-a and vm-a")) };
            let world: Existing = [(ResourceId::new(ID), query(has))].into();
            plan(&[wanted], &World::Known(world)).changes.is_empty()
        };
        assert!(is_quiet("T | where é vm-a and vm-a"));
        assert!(is_quiet("T | where é VM-a and vm-A"));
        for has in
            ["t | where é vm-a and vm-a", "T | where É vm-a and vm-a", "T | where é vm-b and vm-a", "T | where é vm-a"]
        {
            assert!(!is_quiet(has), "{has}");
        }
    }

    #[test]
    fn what_is_sent_keeps_the_case_of_what_exists() {
        let body = |text: &str, size: u8| json!({"properties": {"query": text, "size": size}});
        let names = AnyCase { pointer: "/properties/query", spans: vec![0..1, 1..2] };
        let wanted = Desired { any_case: vec![names], ..desired(body("vm", 1)) };
        let world: Existing = [(ResourceId::new(ID), body("VM", 2))].into();
        let plan = plan(&[wanted], &World::Known(world));
        let [change] = plan.changes.as_slice() else { panic!("not one: {:?}", plan.changes) };
        let changed: Vec<&str> = change.changes.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(changed, ["properties.size"]);
        assert_eq!(change.body.as_ref().unwrap().pointer("/properties/query"), Some(&json!("VM")));
    }

    #[test]
    fn what_stays_as_it_is_is_not_sent() {
        let values = |kept: &str, left: &str| json!({"properties": {"kept": kept, "left": left}});
        let plan = planned(values("a", "a"), values("b", "b"));
        assert!(plan.changes.is_empty() && plan.refused.is_empty());
        let [kept] = plan.kept.as_slice() else { panic!("not one: {:?}", plan.kept) };
        assert!(kept.reason.contains("exists with properties.kept 'b', which Azure cannot change to 'a'."));
        let values = (kept.path.as_str(), kept.wanted.as_deref(), kept.existing.as_deref());
        assert_eq!(values, ("properties.kept", Some(&json!("a")), Some(&json!("b"))));
        assert!(plan.warnings.is_empty(), "it is told once");
    }

    #[test]
    fn what_takes_more_than_one_property_to_tell_is_refused_too() {
        let wanted = json!({"properties": {"size": "large"}});
        let other = ResourceId::new(ID.replace("this", "other"));
        let world: Existing = [(other, json!({}))].into();
        let plan = plan(&[desired(wanted.clone())], &World::Known(world));
        assert_eq!(
            plan.refused[0].1.message,
            "the storage account 'this' in resource group 'g' has no room beside 1 other; use small"
        );
        assert!(plan.changes.is_empty());
        assert_eq!(refused(wanted.clone(), wanted), []);
    }

    #[test]
    fn the_names_of_items_are_not_part_of_a_path_of_the_table() {
        for (path, general) in [("sku.name", "sku.name"), ("a[b.c].d[0].e", "a[].d[].e"), ("a[x[1].y].d", "a[].d")] {
            assert_eq!(body::without_names(path), general);
        }
    }
}
