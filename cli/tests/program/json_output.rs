//! `--output json`: the messages of the protocol, one a line, and nothing else on standard output.

use serde_json::Value;

use super::support::*;

/// The members each message may have, and those it must have.
const MEMBERS: &[(&str, &[&str], &[&str])] = &[
    ("verbose", &["message"], &[]),
    ("debug", &["message"], &[]),
    ("warning", &["message"], &[]),
    ("progress", &["activityId", "activity", "status"], &["currentOperation", "percent", "underWay", "completed"]),
    (
        "target",
        &["cloud", "endpoint", "subscriptionId", "description", "environment"],
        &["projectFiles", "leftOut", "subscriptionName", "tenantId", "identity"],
    ),
    ("kept", &["resourceId", "type", "label", "fullName", "path", "wanted", "existing", "reason"], &[]),
    ("plan", &["format", "id", "environment", "actions"], &["target", "projectFiles"]),
    (
        "resource",
        &["action", "type", "label", "name", "fullName", "resourceId", "seconds"],
        &["resourceGroup", "properties"],
    ),
    ("unchanged", &["type", "label", "name", "fullName", "resourceId"], &["resourceGroup", "properties"]),
    (
        "error",
        &["terminating", "code", "category", "message"],
        &["target", "recommendation", "resourceId", "requestId", "findings", "failures", "done"],
    ),
    (
        "result",
        &["created", "modified", "unchanged", "deleted", "skipped", "failed", "kept", "seconds", "whatIf", "sentence"],
        &["leftOut", "openDefaults"],
    ),
];

const ACTION: (&[&str], &[&str]) = (
    &[
        "index",
        "action",
        "type",
        "label",
        "name",
        "fullName",
        "resourceId",
        "description",
        "question",
        "confirm",
        "dependsOn",
        "changes",
    ],
    &["resourceGroup", "origin"],
);
const CHANGE: (&[&str], &[&str]) = (&["path", "before", "after"], &["origin"]);
const FINDING: (&[&str], &[&str]) = (&["file", "line", "column", "path", "code", "message"], &[]);

fn check_members(value: &Value, (required, optional): (&[&str], &[&str])) {
    let object = value.as_object().unwrap();
    for name in required {
        assert!(object.contains_key(*name), "{name} is missing in {value}");
    }
    for name in object.keys().filter(|name| *name != "event") {
        assert!(
            required.contains(&name.as_str()) || optional.contains(&name.as_str()),
            "{name} is too much in {value}"
        );
    }
}

fn check(output: &Output) {
    for message in output.messages() {
        let event = message["event"].as_str().unwrap();
        let known = MEMBERS.iter().find(|(name, _, _)| *name == event);
        let (_, required, optional) = known.unwrap_or_else(|| panic!("no message of the protocol: {message}"));
        check_members(&message, (required, optional));
        for action in message["actions"].as_array().into_iter().flatten() {
            check_members(action, ACTION);
            for change in action["changes"].as_array().unwrap() {
                check_members(change, CHANGE);
                for value in [&change["before"], &change["after"]] {
                    assert!(
                        value.is_null() || serde_json::from_str::<Value>(value.as_str().unwrap()).is_ok(),
                        "{value} is no JSON text"
                    );
                }
            }
        }
        for finding in message["findings"].as_array().into_iter().flatten() {
            check_members(finding, FINDING);
        }
        if let Some(text) = message["message"].as_str().filter(|_| event != "error") {
            assert!(!text.contains('\n') && !text.contains('\u{1b}'), "{text}");
        }
    }
}

fn counts(output: &Output) -> [i64; 3] {
    let result = output.messages().pop().unwrap();
    assert_eq!(result["event"], "result");
    ["created", "modified", "unchanged"].map(|name| result[name].as_i64().unwrap())
}

#[test]
fn a_first_run_a_second_run_and_one_after_a_changed_value() {
    let folder = Folder::new();
    let first = folder.deploy(&["-Output", "json"]);
    check(&first);
    assert_eq!((first.status, counts(&first)), (0, [3, 0, 0]));
    assert_eq!(first.with_event("resource").len(), 3);
    assert_eq!(first.stderr, "");

    let second = folder.deploy(&["-Output", "json"]);
    check(&second);
    assert_eq!((second.status, counts(&second)), (0, [0, 0, 3]));
    assert!(second.with_event("plan").is_empty() && second.with_event("resource").is_empty());

    folder.write("storage.yml", &DOCUMENT.replace("    queue:", "    networkAclsDefaultAction: Deny\n    queue:"));
    let third = folder.deploy(&["-Output", "json"]);
    check(&third);
    assert_eq!((third.status, counts(&third)), (0, [0, 1, 2]));
    let plan = &third.with_event("plan")[0];
    assert_eq!(plan["actions"].as_array().unwrap().len(), 1);
    let action = &plan["actions"][0];
    assert_eq!((&action["action"], &action["name"]), (&"modify".into(), &"stordersdb8e13ec".into()));
    assert_eq!(
        action["changes"],
        serde_json::json!([{
            "path": "properties.networkAcls.defaultAction",
            "before": "\"Allow\"",
            "after": "\"Deny\"",
            "origin": "storage.yml:6:31",
        }])
    );
}

#[test]
fn errors_are_messages_too() {
    let folder = Folder::new();
    folder.write("storage.yml", "location: UK South\n");
    let output = folder.deploy(&["-Output", "json"]);
    check(&output);
    assert_eq!(output.status, 2);
    let error = output.messages().pop().unwrap();
    assert_eq!((&error["event"], &error["terminating"]), (&"error".into(), &true.into()));
    assert_eq!(error["findings"][0]["line"], 1);
    assert_eq!(output.stderr, "");
}

#[test]
fn what_if_has_a_plan_and_a_result() {
    let output = Folder::new().deploy(&["-WhatIf", "-Output", "json"]);
    check(&output);
    assert_eq!((output.status, counts(&output)), (0, [3, 0, 0]), "what would be done");
    assert_eq!(output.with_event("result")[0]["whatIf"], true);
    assert_eq!(output.with_event("plan").len(), 1);
}

#[test]
fn what_is_up_to_date_is_told_where_it_is_asked_for() {
    let folder = Folder::new();
    folder.deploy(&[]);
    let output = folder.deploy(&["-Output", "json", "-IncludeUnchanged"]);
    check(&output);
    let reported = output.with_event("unchanged");
    let names: Vec<&str> = reported.iter().filter_map(|report| report["fullName"].as_str()).collect();
    assert_eq!(names, ["rg-shop-iaas-99b8167f", "stordersdb8e13ec", "stordersdb8e13ec/default/orders"]);
    assert_eq!(reported[2]["label"], "queue");
    assert!(folder.deploy(&["-Output", "json"]).with_event("unchanged").is_empty());
}
