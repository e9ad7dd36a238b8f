//! The way back is the document of yesterday.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::*;
use crate::support::examples::{Example, documents};
use crate::support::with;

/// One change of a document: the value at a pointer is another one, or is not there.
struct Edit {
    pointer: String,
    value: Option<Value>,
}

/// The scalars that documents of a command have under a key.
type Known = BTreeMap<String, BTreeSet<String>>;

fn collect(key: &str, value: &Value, known: &mut Known) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| collect(key, member, known)),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, known)),
        other => drop(known.entry(key.to_owned()).or_default().insert(other.to_string())),
    }
}

/// Every key and item taken out, and every scalar with each other value that a document has there.
fn edits(pointer: &str, key: &str, value: &Value, known: &Known, found: &mut Vec<Edit>) {
    if !pointer.is_empty() {
        found.push(Edit { pointer: pointer.to_owned(), value: None });
    }
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            edits(&format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), key, member, known, found);
        }),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| edits(&format!("{pointer}/{index}"), key, item, known, found));
        }
        other => {
            let mut others: Vec<Value> =
                known.get(key).into_iter().flatten().filter_map(|text| serde_json::from_str(text).ok()).collect();
            match other {
                Value::Bool(is_on) => others.push(Value::Bool(!is_on)),
                Value::Number(number) => others.extend(number.as_i64().map(|number| Value::from(number + 1))),
                _ => {}
            }
            others.retain(|value| value != other);
            others.dedup();
            found.extend(others.into_iter().map(|value| Edit { pointer: pointer.to_owned(), value: Some(value) }));
        }
    }
}

/// A document after an edit.
fn edited(document: &Value, edit: &Edit) -> Value {
    let mut document = document.clone();
    let (parent, last) = edit.pointer.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent).unwrap(), &edit.value) {
        (Value::Object(members), None) => drop(members.remove(&last.replace("~1", "/").replace("~0", "~"))),
        (Value::Array(items), None) => drop(items.remove(last.parse().unwrap())),
        (_, value) => *document.pointer_mut(&edit.pointer).unwrap() = value.clone().unwrap(),
    }
    document
}

fn bodies(cloud: &LocalCloud) -> BTreeMap<String, Value> {
    cloud.ids().into_iter().map(|id| (id.clone(), cloud.resource(&id).unwrap())).collect()
}

/// Whatever Azure sets by itself, or others see of a resource: it is what happened since, and not what a document says.
const SET_BY_AZURE: &[&str] = &[
    "createdAt",
    "customDnsConfigs",
    "etag",
    "ipConfigurations",
    // What Azure cannot turn off again (Storage documentation, "Enable and create large file shares").
    "largeFileSharesState",
    "lastModifiedAt",
    "lastModifiedTime",
    "lastModifiedTimeUtc",
    "lastUpdatedTime",
    "modifiedDate",
    "numberOfRecordSets",
    "numberOfSites",
    "numberOfVirtualNetworkLinks",
    "privateEndpointConnections",
    "privateEndpoints",
    "subnets",
];

/// The properties that are kept on the way back, as docs/incidents.md says it: what was put in the place of what went, and what Azure cannot change.
const DOES_NOT_COME_BACK: &[&str] = &[
    "which Azure cannot change",
    "origins that lead elsewhere than to apps of the document",
    "although the settings ask for none. It stays as it is",
];

/// Settings whose values stay where yesterday's document does not say them, and what they are in the bodies, as docs/incidents.md says it.
const NOT_SAID_STAYS: &[(&str, &[&str])] = &[
    ("/description", &["/properties/description: "]),
    (
        "/replication",
        &[
            "/sku/name: ",
            "/properties/secondaryLocation: ",
            "/properties/secondaryEndpoints: ",
            "/properties/statusOfSecondary: ",
        ],
    ),
    ("/enableAppInsight", &["/config/appsettings/properties/"]),
];

/// The paths at which two bodies differ.
fn different(path: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(members), Value::Object(others)) => {
            let keys: BTreeSet<&String> = members.keys().chain(others.keys()).collect();
            for key in keys.into_iter().filter(|key| !SET_BY_AZURE.contains(&key.as_str())) {
                let of = |body: &Value| body.get(key).cloned().unwrap_or_default();
                different(&format!("{path}/{key}"), &of(one), &of(other), found);
            }
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            let pairs = items.iter().zip(others).enumerate();
            pairs.for_each(|(index, (one, other))| different(&format!("{path}[{index}]"), one, other, found));
        }
        _ if one != other => found.push(format!("{path}: {one} -> {other}")),
        _ => {}
    }
}

/// The properties that did not come back, after a document was deployed, an edit of it, and the document again; none where the edit cannot be made.
fn go_back(example: &Example, edit: &Edit, yesterday: &Value) -> Option<Vec<String>> {
    let cloud = fields_zone_with(LocalCloudOptions::default());
    let deployment = Deployment::new(example.command, &yesterday.to_string());
    let first = deployment.deploy(&cloud);
    assert!(first.errors().is_empty(), "{}: {:?}", example.file, first.errors());
    let before = bodies(&cloud);
    deployment.rewrite(&edited(yesterday, edit).to_string());
    if !deployment.deploy(&cloud).errors().is_empty() {
        return None;
    }
    deployment.rewrite(&yesterday.to_string());
    // What yesterday's document leaves to a default, and today's does not.
    let members = json!({"context": {"enforceDefaults": true}});
    let back = deployment.deploy_with(&cloud, members.clone());
    let again = deployment.deploy_with(&cloud, with(json!({"whatIf": true, "context": {}}), members));
    let is_said = |reason: &str| DOES_NOT_COME_BACK.iter().any(|known| reason.contains(known));
    let mut missing: Vec<String> = back.errors().iter().map(|error| error.failure.message.clone()).collect();
    missing.extend(
        again.kept().iter().filter(|kept| !kept.orphan && !is_said(&kept.reason)).map(|kept| kept.reason.clone()),
    );
    missing.extend(again.plan().iter().map(|action| action.description.clone()));
    if again.kept().iter().all(|kept| kept.orphan) {
        let after = bodies(&cloud);
        for (id, body) in &before {
            different(id, body, after.get(id).unwrap_or(&Value::Null), &mut missing);
        }
    }
    let stays =
        NOT_SAID_STAYS.iter().filter(|(setting, _)| edit.pointer.ends_with(setting)).flat_map(|(_, paths)| *paths);
    let stays: Vec<&&str> = stays.collect();
    missing.retain(|lost| !stays.iter().any(|path| lost.contains(**path)));
    Some(missing)
}

/// One edit in [`EVERY`]; `SVC_TEST_REVERTS=1` makes all of them.
const EVERY: usize = 500;

#[test]
fn yesterdays_document_brings_yesterday_back() {
    let every = std::env::var("SVC_TEST_REVERTS").map_or(EVERY, |every| every.parse().unwrap());
    let (mut tried, mut made, mut lost) = (0, 0, Vec::new());
    for example in documents() {
        let yesterday: Value = serde_yaml::from_str(&example.text()).unwrap();
        let mut known = Known::new();
        for other in documents().iter().filter(|other| other.command == example.command) {
            collect("", &serde_yaml::from_str(&other.text()).unwrap(), &mut known);
        }
        let mut found = Vec::new();
        edits("", "", &yesterday, &known, &mut found);
        for edit in found.iter().skip(tried % every).step_by(every) {
            tried += 1;
            let Some(missing) = go_back(&example, edit, &yesterday) else { continue };
            made += 1;
            if !missing.is_empty() {
                lost.push(format!("{}: {} {:?}\n{}", example.file, edit.pointer, edit.value, missing.join("\n")));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n\n"));
    eprintln!("way_back: {made} of {tried} edits could be made and were taken back");
    assert!(made > 5 && made * 2 > tried, "{made} of {tried}");
}
