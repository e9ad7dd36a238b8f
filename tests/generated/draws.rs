//! The documents that are made at random have in them what once was planned and could not be carried out, or meant something else than it
//! said.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::documents::{changes, draws, sources};
use crate::support::estate::{BASTION_HOSTS, PRIVATE_ENDPOINTS, RESOURCE_HEALTH_ALERTS, WEB};

/// The number of documents of a command that are looked at.
const LOOKED_AT: usize = 6000;
/// The most letters of a label of a host name (RFC 1035).
const LONGEST_LABEL: usize = 63;

/// Whether a document that follows another has what is looked for.
type IsDrawn = fn(&Value, &Value) -> bool;

/// The values of a key, wherever it stands.
fn values<'a>(document: &'a Value, key: &str) -> Vec<&'a Value> {
    let inner: Vec<&Value> = match document {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let own = document.get(key).into_iter();
    own.chain(inner.into_iter().flat_map(|inner| values(inner, key))).collect()
}

/// The items of the lists of a key, wherever these stand.
fn items<'a>(document: &'a Value, key: &str) -> Vec<&'a Value> {
    values(document, key).into_iter().filter_map(Value::as_array).flatten().collect()
}

fn name(value: &Value) -> &str {
    value["name"].as_str().or(value.as_str()).unwrap_or_default()
}

fn has_text(document: &Value, key: &str, is: impl Fn(&str) -> bool) -> bool {
    values(document, key).into_iter().filter_map(Value::as_str).any(is)
}

fn has_long_slot(document: &Value) -> bool {
    items(document, "webapps")
        .into_iter()
        .any(|app| items(app, "slots").into_iter().any(|slot| name(app).len() + 1 + name(slot).len() > LONGEST_LABEL))
}

/// The targets that an endpoint leads to, by their names.
fn targets(document: &Value) -> Vec<(&str, &Value)> {
    let endpoints = items(document, "privateEndpoints").into_iter();
    endpoints.map(|endpoint| (name(endpoint), &endpoint["service"]["dependencies"]["resource"])).collect()
}

/// The pools of a document, and the apps that are in one.
fn pools(document: &Value) -> (Vec<&Value>, Vec<&str>) {
    let pools = items(document, "backEndPools").into_iter().map(|pool| &pool["name"]).collect();
    let apps = items(document, "webapps").into_iter().filter(|app| app["backendpool"].is_string());
    (pools, apps.map(name).collect())
}

const DRAWN: &[(&str, &str, IsDrawn)] = &[
    (BASTION_HOSTS, "a name that is no label of a domain", |_, document| {
        has_text(document, "bastionHostName", |name| name.contains(['_', '.']))
    }),
    (BASTION_HOSTS, "a name that is cut", |_, document| has_text(document, "bastionHostName", |name| name.len() > 64)),
    (WEB, "a slot whose host name is too long", |_, document| has_long_slot(document)),
    (WEB, "a stack that does not exist", |_, document| {
        has_text(document, "runTime", |stack| ["PYTHN|3.12", "nonsense|1"].contains(&stack))
    }),
    (WEB, "a rule of a front door without a pattern", |_, document| {
        values(document, "pattern").contains(&&json!(["none"]))
    }),
    (WEB, "an app that leaves while its pool stays", |before, after| {
        let ((pools_before, apps_before), (pools_after, _)) = (pools(before), pools(after));
        let apps_after: Vec<&str> = items(after, "webapps").into_iter().map(name).collect();
        apps_before.iter().any(|app| !apps_after.contains(app))
            && pools_after.iter().any(|pool| pools_before.contains(pool))
    }),
    (RESOURCE_HEALTH_ALERTS, "an empty list of targets", |_, document| {
        values(document, "targetResources").contains(&&json!([]))
    }),
    (PRIVATE_ENDPOINTS, "an endpoint that leads elsewhere", |before, after| {
        let before = targets(before);
        targets(after).into_iter().any(|(name, target)| {
            before
                .iter()
                .any(|(other, earlier)| name == *other && !earlier.is_null() && !target.is_null() && target != *earlier)
        })
    }),
];

#[test]
fn what_once_could_not_be_carried_out_is_drawn() {
    let sources = sources();
    for (command, what, is_drawn) in DRAWN {
        let source = sources.iter().find(|source| source.command == *command).unwrap();
        let mut runner = TestRunner::deterministic();
        let drawn = (0..LOOKED_AT).any(|_| {
            let (draw, changes) = (draws(), changes()).new_tree(&mut runner).unwrap().current();
            let before = source.document(&draw);
            is_drawn(&before, &source.changed(before.clone(), &changes))
        });
        assert!(drawn, "{command}: {what} is in none of {LOOKED_AT} documents");
    }
}
