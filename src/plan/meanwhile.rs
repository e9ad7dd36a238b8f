//! The part of an approved change that is left to be sent when the resource was read again: what somebody else changed elsewhere stays, and
//! what they changed in the same place makes it an error.

use serde_json::Value;

use super::change::{put_over, shown};
use super::rebase::{Changed, rebase};
use super::{Change, compare, sentences};
use crate::azure::{ArmError, Listing, ResourceType, is_success, is_terminal, provisioning_state};
use crate::desired::body;

/// The approved change of one resource, with the values that were not known when the plan was made.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'a> {
    /// The facts of its type.
    pub kind: &'static ResourceType,
    /// The wanted part of its body, as far as it can be changed.
    pub wanted: &'a Value,
    /// The body for a resource that is as the plan saw it.
    pub body: &'a Value,
    /// It is left alone where it exists, whatever it is like.
    pub keep_existing: bool,
    /// A try to write it may have been carried out already.
    pub was_sent: bool,
}

/// The rest of an approved change.
#[derive(Debug, Default, PartialEq)]
pub struct Left {
    /// The body to send; none where nothing is left to be done.
    pub body: Option<Value>,
    /// The changes of somebody else that the settings do not want and that stay: the ends of sentences.
    pub kept: Vec<String>,
}

impl Approved<'_> {
    /// The rest that is to be sent: the plan saw the resource as `seen`, and it is there as `now`; none where it does not exist.
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

    /// The rest of a change of what was not there when the plan was made, and is there now.
    fn left_of_new(&self, now: &Value) -> Result<Left, ArmError> {
        if self.keep_existing {
            return Ok(Left::default());
        }
        // How what exists has named its own parts.
        let own = self
            .kind
            .remainder
            .map_or_else(|| Some(self.body.clone()), |own| own(self.body, Some(now), &mut std::iter::empty()));
        let Some(mut wanted) = own else { return Ok(Left::default()) };
        if let Some(tags) = self.body.get("tags") {
            wanted["tags"] = tags.clone();
        }
        let mut found = compare::differences(self.kind, &wanted, now);
        // Azure does not show all of what it sets by itself, or takes in part.
        let shown = compare::differences(self.kind, &body::writable(self.kind, &wanted), now);
        found.retain(|difference| difference.before.is_some() || shown.contains(difference));
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
    value.map_or_else(|| "nothing".to_owned(), |value| shown(kind, path, value).to_string())
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::{ACTION_GROUP, APP_SETTINGS, SCHEDULED_QUERY_RULE, STORAGE_ACCOUNT};

    fn approved<'a>(kind: &'static ResourceType, wanted: &'a Value, body: &'a Value) -> Approved<'a> {
        Approved { kind, wanted, body, keep_existing: false, was_sent: false }
    }

    /// The rest of a change of what was there as `seen` and is there as `now`.
    fn left(kind: &'static ResourceType, wanted: &Value, seen: &Value, now: &Value) -> Result<Left, String> {
        let body = put_over(kind, seen, wanted);
        approved(kind, wanted, &body).left(Some(seen), Some(now)).map_err(|error| error.to_string())
    }

    fn account(tls: &str, action: &str, rules: &[&str], tags: Value) -> Value {
        let rules: Vec<Value> =
            rules.iter().map(|id| json!({"id": id, "action": "Allow", "state": "Succeeded"})).collect();
        json!({"id": "/x", "location": "uksouth", "etag": "1", "tags": tags, "properties": {"minimumTlsVersion": tls,
            "provisioningState": "Succeeded", "networkAcls": {"defaultAction": action, "virtualNetworkRules": rules}}})
    }

    #[test]
    fn what_somebody_else_changed_elsewhere_stays() {
        let seen = account("TLS1_0", "Allow", &["/a"], json!({"owner": "me"}));
        let wanted = json!({"tags": {"cost": "1"}, "properties": {"minimumTlsVersion": "TLS1_2"}});
        let mut now = account("TLS1_0", "Deny", &["/a", "/b"], json!({"owner": "you", "new": "x"}));
        now["etag"] = json!("2");
        let left = left(&STORAGE_ACCOUNT, &wanted, &seen, &now).unwrap();
        let expected = json!({"location": "uksouth", "tags": {"owner": "you", "new": "x", "cost": "1"}, "properties": {
            "minimumTlsVersion": "TLS1_2", "networkAcls": {"defaultAction": "Deny", "virtualNetworkRules": [
                {"id": "/a", "action": "Allow"}, {"id": "/b", "action": "Allow"}]}}});
        assert_eq!(left, Left { body: Some(expected), kept: Vec::new() });
    }

    #[test]
    fn the_same_property_is_a_conflict_unless_it_is_what_is_wanted() {
        let seen = account("TLS1_0", "Allow", &[], json!({"a": "1"}));
        let of = |tls: &str| {
            left(
                &STORAGE_ACCOUNT,
                &json!({"properties": {"minimumTlsVersion": "TLS1_2"}}),
                &seen,
                &account(tls, "Allow", &[], json!({})),
            )
        };
        assert_eq!(
            of("TLS1_1"),
            Err("somebody else changed properties.minimumTlsVersion from \"TLS1_0\" to \"TLS1_1\" after the plan was made.".to_owned())
        );
        assert_eq!(of("TLS1_2"), Ok(Left::default()), "somebody else did the same");
        let tags = json!({"tags": {"A": "2"}});
        let gone = account("TLS1_0", "Allow", &[], json!({}));
        assert_eq!(
            left(&STORAGE_ACCOUNT, &tags, &seen, &gone),
            Err("somebody else changed tags.A from \"1\" to nothing after the plan was made.".to_owned())
        );
    }

    #[test]
    fn what_was_right_and_is_no_longer_stays_and_is_told() {
        let seen = account("TLS1_0", "Deny", &["/a"], json!({}));
        let wanted = json!({"properties": {"minimumTlsVersion": "TLS1_2", "networkAcls": {"defaultAction": "Deny"}}});
        let now = account("TLS1_0", "Allow", &["/a"], json!({}));
        let left = left(&STORAGE_ACCOUNT, &wanted, &seen, &now).unwrap();
        assert_eq!(left.body.unwrap()["properties"]["networkAcls"]["defaultAction"], "Allow");
        assert_eq!(left.kept, ["properties.networkAcls.defaultAction from \"Deny\" to \"Allow\""]);
    }

    fn rules(ids: &[&str]) -> Value {
        let rules: Vec<Value> = ids
            .iter()
            .map(|id| match id.split_once('=') {
                Some((id, action)) => json!({"id": id, "action": action}),
                None => json!({"id": id, "action": "Allow"}),
            })
            .collect();
        json!({"properties": {"networkAcls": {"virtualNetworkRules": rules}}})
    }

    #[test]
    fn lists_are_followed_item_by_item() {
        // What is wanted, was there, is there now; what is sent, or the path of the conflict.
        for (wanted, seen, now, expected) in [
            (&["/a", "/b"][..], &["/a"][..], &["/a", "/c"][..], Ok(&["/a", "/b", "/c"][..])),
            (&["/a", "/b"], &["/a"], &[], Ok(&["/b"])),
            (&["/a"], &["/a", "/b"], &["/b", "/c", "/a"], Ok(&["/c", "/a"])),
            (&["/a"], &["/a", "/b"], &["/a", "/b=Deny"], Err("[/b]")),
            (&["/a", "/b"], &["/a"], &["/a", "/b=Deny"], Err("[/b].action")),
            (&["/a=Deny"], &["/a"], &[], Err("[/a]")),
            (&["/a=Deny", "/b"], &["/a"], &["/b", "/a"], Ok(&["/a=Deny", "/b"])),
            (&[], &["/a"], &["/a", "/b"], Ok(&["/b"])),
        ] {
            let found = left(&STORAGE_ACCOUNT, &rules(wanted), &rules(seen), &rules(now));
            match expected {
                Ok(sent) => {
                    let mut body = found.unwrap().body.unwrap();
                    let mut sent = rules(sent);
                    for body in [&mut body, &mut sent] {
                        let list = body.pointer_mut("/properties/networkAcls/virtualNetworkRules").unwrap();
                        list.as_array_mut().unwrap().sort_by_key(ToString::to_string);
                    }
                    assert_eq!(body, sent, "{wanted:?} {seen:?} {now:?}");
                }
                Err(path) => {
                    let path = format!("somebody else changed properties.networkAcls.virtualNetworkRules{path} from ");
                    let reason = found.unwrap_err();
                    assert!(reason.starts_with(&path), "{wanted:?} {seen:?} {now:?}: {reason}");
                }
            }
        }
    }

    #[test]
    fn objects_that_are_wanted_whole_keep_what_somebody_else_put_in() {
        let rule = |members: Value| json!({"properties": {"actions": {"customProperties": members}}});
        let found = left(
            &SCHEDULED_QUERY_RULE,
            &rule(json!({"a": "2"})),
            &rule(json!({"a": "1", "b": "1"})),
            &rule(json!({"a": "1", "b": "1", "c": "1"})),
        );
        assert_eq!(found.unwrap().body, Some(rule(json!({"a": "2", "c": "1"}))));
        let found = left(
            &SCHEDULED_QUERY_RULE,
            &rule(json!({"a": "1"})),
            &rule(json!({"a": "1", "b": "1"})),
            &rule(json!({"a": "1", "b": "2"})),
        );
        assert!(found.unwrap_err().contains("customProperties.b from \"1\" to \"2\""));
    }

    #[test]
    fn secrets_are_not_told() {
        let group = |uri: &str| json!({"properties": {"webhookReceivers": [{"name": "hook", "serviceUri": uri}]}});
        let reason =
            left(&ACTION_GROUP, &group("https://new"), &group("https://old"), &group("https://other")).unwrap_err();
        assert_eq!(
            reason,
            "somebody else changed properties.webhookReceivers[hook].serviceUri from \"https://old/***\" to \"https://other/***\" after the plan was made."
        );
        let settings = |members: Value| json!({ "properties": members });
        let merged = left(
            &APP_SETTINGS,
            &settings(json!({"MINE": "2", "OLD": null})),
            &settings(json!({"MINE": "1", "OLD": "1"})),
            &settings(json!({"MINE": "1", "OLD": "1", "THEIRS": "new"})),
        );
        assert_eq!(merged.unwrap().body, Some(settings(json!({"MINE": "2", "THEIRS": "new"}))));
    }

    #[test]
    fn what_came_into_being_meanwhile_is_somebody_elses_unless_it_is_the_same() {
        let body = json!({"location": "UK South", "tags": {"a": "1"}, "properties": {"minimumTlsVersion": "TLS1_2"}});
        let of =
            |approved: Approved<'_>, now: &Value| approved.left(None, Some(now)).map_err(|error| error.to_string());
        let new = approved(&STORAGE_ACCOUNT, &body, &body);
        let same = account("TLS1_2", "Allow", &[], json!({"a": "1", "b": "2"}));
        assert_eq!(of(new, &same), Ok(Left::default()));
        let other = account("TLS1_0", "Allow", &[], json!({"a": "1"}));
        assert_eq!(
            of(new, &other),
            Err("somebody else created it with properties.minimumTlsVersion \"TLS1_0\", not \"TLS1_2\" after the plan was made.".to_owned())
        );
        assert_eq!(of(Approved { keep_existing: true, ..new }, &other), Ok(Left::default()));
        // A try whose answer was lost is our own.
        let again = of(Approved { was_sent: true, ..new }, &other).unwrap().body.unwrap();
        assert_eq!(again["properties"]["minimumTlsVersion"], "TLS1_2");
        let nothing = new.left(None, None).unwrap();
        assert_eq!(nothing.body, Some(body.clone()));
        // The settings of an app come into being with it.
        let settings = json!({"properties": {"A": "1"}});
        let found = of(approved(&APP_SETTINGS, &settings, &settings), &json!({"properties": {"A": "0", "B": "2"}}));
        assert_eq!(found.unwrap().body, Some(json!({"properties": {"A": "1", "B": "2"}})));
    }

    #[test]
    fn what_is_gone_or_failed_meanwhile() {
        let (seen, wanted) =
            (account("TLS1_0", "Allow", &[], json!({})), json!({"properties": {"minimumTlsVersion": "TLS1_2"}}));
        let gone = approved(&STORAGE_ACCOUNT, &wanted, &wanted).left(Some(&seen), None).unwrap_err();
        assert_eq!(gone.to_string(), "somebody else deleted it after the plan was made.");
        let mut failed = account("TLS1_2", "Allow", &[], json!({}));
        failed["properties"]["provisioningState"] = json!("Failed");
        assert!(left(&STORAGE_ACCOUNT, &wanted, &seen, &failed).unwrap().body.is_some(), "it is sent again");
    }

    #[test]
    fn a_deletion_is_of_what_the_plan_saw() {
        let seen = account("TLS1_2", "Allow", &[], json!({"a": "1"}));
        let of = |now: &Value| still_to_go(&STORAGE_ACCOUNT, &seen, now).map_err(|error| error.to_string());
        let mut same = seen.clone();
        same["etag"] = json!("2");
        same["properties"]["provisioningState"] = json!("Updating");
        same["properties"]["creationTime"] = json!("2026");
        assert_eq!(of(&same), Ok(()));
        let other = account("TLS1_2", "Deny", &[], json!({"a": "1"}));
        assert_eq!(of(&other), Err("somebody else changed properties.networkAcls.defaultAction from \"Allow\" to \"Deny\" after the plan was made.".to_owned()));
        let tagged = account("TLS1_2", "Allow", &[], json!({"a": "1", "b": "2"}));
        assert_eq!(
            of(&tagged),
            Err("somebody else changed tags.b from nothing to \"2\" after the plan was made.".to_owned())
        );
    }

    /// Whatever two do at once: what one of them changed and the other did not is there in the end, or the run says so.
    #[test]
    fn no_update_is_lost() {
        let mut random = fastrand::Rng::with_seed(4711);
        let properties = ["a", "b", "c"];
        let body = |values: &[u8], rules: &[(u8, u8)]| -> Value {
            let mut members = json!({});
            for (name, value) in properties.iter().zip(values).filter(|(_, value)| **value > 0) {
                members[*name] = json!(value);
            }
            members["rules"] = rules
                .iter()
                .filter(|(_, value)| *value > 0)
                .map(|(name, value)| json!({"name": name.to_string(), "value": value}))
                .collect();
            json!({ "properties": members })
        };
        for _ in 0..20_000 {
            let mut draw = || -> Value {
                let values: Vec<u8> = properties.iter().map(|_| random.u8(0..3)).collect();
                let rules: Vec<(u8, u8)> = (0..3).map(|name| (name, random.u8(0..3))).collect();
                body(&values, &rules)
            };
            let (wanted, seen, now) = (draw(), draw(), draw());
            let (sent, is_told) = match left(&STORAGE_ACCOUNT, &wanted, &seen, &now) {
                Ok(left) => (left.body.unwrap_or_else(|| now.clone()), false),
                Err(_) => (now.clone(), true),
            };
            let value = |body: &Value, name: &str, rule: Option<&str>| match rule {
                None => body["properties"].get(name).cloned(),
                Some(rule) => {
                    body["properties"]["rules"].as_array().unwrap().iter().find(|item| item["name"] == rule).cloned()
                }
            };
            let rule_names = ["0", "1", "2"].map(Some);
            for (name, rule) in properties.iter().map(|name| (*name, None)).chain(rule_names.map(|rule| ("", rule))) {
                let at = |body: &Value| value(body, name, rule);
                let (theirs, ours) =
                    (at(&now) != at(&seen), at(&wanted) != at(&seen) && (rule.is_some() || at(&wanted).is_some()));
                let expected = match (theirs, ours) {
                    _ if is_told => at(&now),
                    (_, false) => at(&now),
                    (false, true) => at(&wanted),
                    // Otherwise it would have been told.
                    (true, true) => {
                        assert_eq!(at(&now), at(&wanted), "{wanted} {seen} {now}");
                        at(&now)
                    }
                };
                assert_eq!(at(&sent), expected, "{name} {rule:?} of {sent}: {wanted} {seen} {now}");
            }
        }
    }
}
