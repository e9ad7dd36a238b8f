//! The schema of the messages: it knows every message the engine can send, and it is not content with anything.

#![cfg(test)]

use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};
use svc_engine::protocol::{
    Action, ActionKind, Attribution, Code, Confirm, Counts, Difference, DifferenceKind, Drift, ErrorReport,
    FailureReport, FileBeside, FilePlace, FindingCode, FindingReport, JsonText, Kept, MadeWith, Message, PLAN_FORMAT,
    PropertyChange, Rehearsal, ResourceName, ResourceReport, Sampled, Target, TemplateCall, TemplateParameter,
    TemplateReport, UnchangedReport, UnderWay, Warning,
};

fn schema() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/abi/messages.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn resource_id() -> String {
    text("/subscriptions/0/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/a")
}

/// One message of every kind, with every optional member when `full` and without when not.
#[expect(clippy::too_many_lines, reason = "a list of messages")]
fn messages(full: bool) -> Vec<Message> {
    let optional = |value: &str| full.then(|| text(value));
    let json = |value: &str| full.then(|| JsonText::read(value));
    let place = full.then(|| FilePlace { file: text("/shop/storage.yml"), line: 3, column: 5 });
    let change = PropertyChange {
        path: text("properties.minimumTlsVersion"),
        before: json("\"TLS1_0\""),
        after: json("\"TLS1_2\""),
        origin: optional("storage.yml:12:5"),
        by_policy: full,
    };
    let rehearsal = full.then(|| {
        Box::new(Rehearsal {
            from: text("2026-11-20T08:00:00Z"),
            to: text("2026-11-27T08:00:00Z"),
            fired: Some(3),
            fired_before: Some(41),
            minutes: 45,
            last_fired: optional("2026-11-26T22:14:00Z"),
            fired_for: vec![text("vm-1")],
            notifications: 6,
            sampled: Some(Sampled { moments: 48, of: 2016 }),
            strip: vec![[0, 12]],
            reason: optional("Its table Heartbeat has had no row for 30 days."),
            sentence: text("In the last 7 days it would have fired 3 times instead of 41 times."),
        })
    });
    let names = |resource_type: &str, label: &str, full_name: &str| ResourceName {
        resource_type: text(resource_type),
        label: text(label),
        name: text("a"),
        full_name: text(full_name),
        resource_group: optional("rg"),
        resource_id: resource_id(),
    };
    let account = || names("Microsoft.Storage/storageAccounts", "storage account", "a");
    let action = Action {
        index: 0,
        action: ActionKind::Create,
        resource: account(),
        description: text("Creating a storage account."),
        question: text("Create the storage account?"),
        confirm: if full { Confirm::Always } else { Confirm::Normal },
        depends_on: if full { vec![0, 2] } else { Vec::new() },
        together: if full { vec![0] } else { Vec::new() },
        last: full,
        changes: if full { vec![change] } else { Vec::new() },
        state_unknown: full,
        origin: optional("storage.yml:10:3"),
        document: optional("/shop/storage.yml"),
        rehearsal: rehearsal.clone(),
    };
    let finding = FindingReport {
        file: optional("storage.yml"),
        line: full.then_some(3),
        column: full.then_some(5),
        path: text("storageAcounts"),
        code: FindingCode::UnknownKey,
        message: text("unknown key, did you mean 'storageAccounts'?"),
    };
    let report = ResourceReport {
        action: ActionKind::Modify,
        resource: names("Microsoft.Storage/storageAccounts/blobServices/containers", "blob container", "x/default/a"),
        seconds: 1.5,
        properties: full.then(|| json!({ "host": "a.example" })),
        document: optional("/shop/storage.yml"),
    };
    let wrong =
        ErrorReport::new(Code::SettingsInvalid, "storage.yml has 1 problem:\n[1] 3:5 storageAcounts: unknown key");
    let failure = FailureReport {
        target: optional("storage.yml"),
        recommendation: optional("Correct it."),
        resource_id: full.then(resource_id),
        request_id: optional("r"),
        document: optional("0"),
        ..wrong.failure.clone()
    };
    let error = ErrorReport {
        terminating: full,
        failure: failure.clone(),
        findings: if full { vec![finding] } else { Vec::new() },
        ..wrong
    };
    let failed = ErrorReport {
        failures: vec![failure],
        done: if full { vec![ResourceReport { properties: None, ..report.clone() }] } else { Vec::new() },
        ..ErrorReport::terminating(Code::DeploymentFailed, "1 of 2 resources failed.")
    };
    let target = Target {
        cloud: text("public"),
        endpoint: text("https://management.azure.com"),
        subscription_id: text("00000000-0000-0000-0000-000000000001"),
        subscription_name: optional("Production"),
        tenant_id: optional("00000000-0000-0000-0000-000000000002"),
        identity: optional("deploy@example.com (Azure CLI)"),
        made_with: MadeWith::default(),
    };
    let made_with = MadeWith {
        environment: text("development"),
        project_files: if full { vec![text("_names/tokens.yml")] } else { Vec::new() },
        left_out: usize::from(full),
    };
    let kept = Kept {
        resource: account(),
        path: text(if full { "sku.name" } else { "" }),
        wanted: json("\"Standard_ZRS\""),
        existing: json("\"Standard_LRS\""),
        orphan: full,
        reason: text("It stays as it is."),
        place: place.clone(),
        document: optional("/shop/storage.yml"),
    };
    let difference = Difference {
        fingerprint: text("0123456789abcdef"),
        kind: DifferenceKind::Changed,
        resource: account(),
        path: text("properties.minimumTlsVersion"),
        wanted: json("\"TLS1_2\""),
        existing: json("\"TLS1_0\""),
        origin: optional("storage.yml:12:5"),
        place: place.clone(),
        document: optional("/shop/storage.yml"),
        changed: full.then(|| Attribution {
            by: optional("jane@contoso.com"),
            client: optional("Azure Portal"),
            operation: text("microsoft.storage/storageaccounts/write"),
            at: text("2026-11-21T22:14:00Z"),
        }),
        sentence: text("properties.minimumTlsVersion: TLS1_2 -> TLS1_0"),
    };
    vec![
        Message::Verbose { message: text("One.") },
        Message::Debug { message: text("Two.") },
        Message::Warning(Warning {
            message: text("Three."),
            place: place.clone(),
            path: optional("storageAccounts[0].kind"),
            code: full.then_some(FindingCode::UnknownKey),
        }),
        Message::Progress {
            activity_id: 1,
            activity: text("New-SvcIaasStorage"),
            status: text("1 of 2"),
            current_operation: optional("a"),
            percent: full.then_some(50),
            under_way: if full {
                vec![UnderWay {
                    resource_id: text("/subscriptions/1"),
                    name: text("storage account 'stx'"),
                    seconds: 1.5,
                    usual_seconds: Some(60),
                }]
            } else {
                Vec::new()
            },
            completed: full.then_some(false),
        },
        Message::Target(Target { made_with: made_with.clone(), ..target.clone() }),
        Message::Kept(kept.clone()),
        Message::Plan {
            format: PLAN_FORMAT,
            id: 1,
            target: full.then(|| target.clone()),
            made_with: made_with.clone(),
            refused: full,
            actions: [ActionKind::Create, ActionKind::Modify, ActionKind::Delete]
                .map(|kind| Action { action: kind, ..action.clone() })
                .to_vec(),
        },
        Message::Token { id: 2, resource: text("https://management.azure.com"), tenant_id: optional("t") },
        Message::Resource(report),
        Message::Template(TemplateReport {
            template: text("{}"),
            path: optional("/shop/storage.json"),
            parameters: vec![TemplateParameter {
                name: text("shopFilesPublishName"),
                secret: !full,
                default: optional("shop-files"),
                description: text("A publish name."),
            }],
            calls: ["Azure CLI", "Az PowerShell"]
                .map(|tool| TemplateCall { tool: text(tool), command: text("deploy") })
                .to_vec(),
        }),
        Message::Unchanged(UnchangedReport {
            resource: account(),
            properties: full.then(|| json!({ "host": "a.example" })),
            document: optional("/shop/storage.yml"),
            rehearsal,
        }),
        Message::Document {
            component: text("storage"),
            text: text("component: storage\nlocation: uksouth\n"),
            path: optional("/shop/storage.yml"),
            files: if full {
                vec![FileBeside { path: text("_names/generators.yml"), text: text("formats: []\n") }]
            } else {
                Vec::new()
            },
            differences: optional("A plan of the document is not empty: Delete a.").into_iter().collect(),
        },
        Message::Drift(Box::new(Drift {
            target: full.then(|| target.clone()),
            made_with,
            has_differences: full,
            differences: if full { vec![difference] } else { Vec::new() },
            kept: if full { vec![kept] } else { Vec::new() },
            unchanged: 3,
            sentence: text("1 changed value, 1 kept, 3 up to date."),
        })),
        Message::Error(error),
        Message::Error(failed),
        Message::Result(Counts {
            created: 1,
            left_out: usize::from(full),
            open_defaults: usize::from(full),
            orphans: usize::from(full),
            seconds: 2.5,
            ..Counts::default()
        }),
    ]
}

/// The place of a message in the list above. A kind of message that is new does not compile until it has one.
fn place(message: &Message) -> usize {
    match message {
        Message::Verbose { .. } => 0,
        Message::Debug { .. } => 1,
        Message::Warning(_) => 2,
        Message::Progress { .. } => 3,
        Message::Target(_) => 4,
        Message::Kept(_) => 5,
        Message::Plan { .. } => 6,
        Message::Token { .. } => 7,
        Message::Resource(_) => 8,
        Message::Template(_) => 9,
        Message::Unchanged(_) => 10,
        Message::Document { .. } => 11,
        Message::Drift(_) => 12,
        Message::Error(report) if report.failures.is_empty() => 13,
        Message::Error(_) => 14,
        Message::Result(_) => 15,
    }
}

#[test]
fn the_schema_knows_every_message() {
    let schema = schema();
    for full in [true, false] {
        for (index, message) in messages(full).into_iter().enumerate() {
            assert_eq!(place(&message), index);
            let value = serde_json::to_value(&message).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{value}\n{errors:#?}");
        }
    }
}

#[test]
fn the_schema_knows_every_member() {
    let schema = schema();
    for message in messages(true) {
        let value = serde_json::to_value(&message).unwrap();
        let members: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        for member in &members {
            let mut wrong = value.clone();
            wrong[member] = json!([[]]);
            assert!(!schema.is_valid(&wrong), "the schema takes anything for {member} of {value}");
        }
        let mut wrong = value.clone();
        wrong["unheardOf"] = json!(1);
        assert!(!schema.is_valid(&wrong), "the schema takes any member in {value}");
    }
}

#[test]
fn the_schema_wants_every_member_that_is_always_there() {
    let schema = schema();
    for message in messages(false) {
        let value = serde_json::to_value(&message).unwrap();
        for member in value.as_object().unwrap().keys() {
            let mut wrong = value.clone();
            wrong.as_object_mut().unwrap().remove(member);
            assert!(!schema.is_valid(&wrong), "the schema does not miss {member} in {value}");
        }
    }
}

#[test]
fn the_schema_refuses_what_the_manual_rules_out() {
    let schema = schema();
    let refused = |message: Value| assert!(!schema.is_valid(&message), "{message}");
    refused(json!({ "event": "verbose", "message": "two\nlines" }));
    refused(json!({ "event": "warning", "message": "\u{1b}[33mcolour\u{1b}[0m" }));
    refused(json!({ "event": "verbose", "message": "" }));
    refused(json!({ "event": "plan", "id": 1, "actions": [] }));
    refused(json!({ "event": "news", "message": "x" }));
    refused(json!({ "message": "x" }));
    refused(json!("verbose"));
    let error = |code: &str, category: &str| json!({ "event": "error", "terminating": true, "code": code, "category": category, "message": "x" });
    assert!(schema.is_valid(&error("RequestInvalid", "InvalidArgument")));
    refused(error("requestInvalid", "InvalidArgument"));
    refused(error("RequestInvalid", "Mishap"));
    refused(error("DeploymentFailed", "NotSpecified"));
    let failure = json!({ "code": "Conflict", "category": "ResourceBusy", "message": "x" });
    let failed = json!({ "event": "error", "terminating": true, "code": "DeploymentFailed", "category": "NotSpecified", "message": "x", "failures": [failure] });
    let but = |member: &str, value: Value| {
        let mut failed = failed.clone();
        failed[member] = value;
        failed
    };
    assert!(schema.is_valid(&failed));
    refused(but("terminating", json!(false)));
    refused(but("message", json!("two\nlines")));
    refused(but("failures", json!([])));
    refused(but(
        "failures",
        json!([{ "code": "Conflict", "category": "ResourceBusy", "message": "x", "terminating": true }]),
    ));
    refused(but("code", json!("Conflict")));
}
