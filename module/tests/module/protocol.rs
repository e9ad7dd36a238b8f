//! The protocol of the module, which is that of the engine.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_engine::protocol::{
    Action, ActionKind, Attribution, Code, Confirm, Counts, Difference, DifferenceKind, Drift, ErrorReport,
    FailureReport, FileBeside, FilePlace, FindingCode, FindingReport, JsonText, Kept, MadeWith, Message, PLAN_FORMAT,
    PropertyChange, Rehearsal, Request, ResourceName, ResourceReport, Sampled, Target, TemplateReport, UnchangedReport,
    UnderWay,
};
use svc_engine::run::registry::ContextMemberKind;

use crate::script::{Script, child, find};
use crate::{module, read};

fn resource_name() -> ResourceName {
    let text = || "text".to_owned();
    ResourceName {
        resource_type: text(),
        label: text(),
        name: text(),
        full_name: text(),
        resource_group: Some(text()),
        resource_id: text(),
    }
}

fn script() -> Script {
    Script::parse(&read(&module().join("SvcDeploy.psm1")))
}

/// The members that a part of the request may have, by the engine's own complaint about one that it has not.
fn members_of(part: Option<&str>) -> BTreeSet<String> {
    let wrong = json!({ "noSuchMember": 1 });
    let request = part.map_or(wrong.clone(), |part| json!({ part: wrong }));
    let complaint = serde_json::from_value::<Request>(request).err().unwrap().to_string();
    let (_, expected) = complaint.split_once("expected").unwrap();
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn owned(names: impl IntoIterator<Item = impl Into<String>>) -> BTreeSet<String> {
    names.into_iter().map(Into::into).collect()
}

#[test]
fn the_module_fills_every_member_of_the_request() {
    let script = script();
    let mut filled = owned(script.keys_of(script.root(), "$request"));
    filled.extend(owned(script.keys_of(script.root(), "$Request")));
    assert_eq!(filled, members_of(None));
    let session = script.function_named("Get-SvcModuleAzSession");
    assert_eq!(owned(script.keys_of(session.node, "$session")), members_of(Some("azSession")));
    let context = script.table("$script:ContextMember");
    assert_eq!(owned(context.iter().map(|member| member["Name"].trim_matches('\''))), members_of(Some("context")));
}

/// As `ConvertTo-Json` writes it: what is not set is left out or null, paths are absolute.
#[test]
fn the_engine_reads_what_the_module_writes() {
    let mut context = Map::new();
    for member in svc_engine::run::registry::CONTEXT_MEMBERS {
        let flag = member.kind == ContextMemberKind::Flag;
        context.insert(member.name.to_owned(), if flag { json!(false) } else { json!("text") });
    }
    let requests = [
        json!({ "whatIf": true, "settingsFile": "/work/storage.yml", "omitTags": false, "context": {}, "environment": {}, "azSession": null }),
        json!({ "whatIf": false, "settings": { "storageAccounts": [{ "table": ["one"] }] }, "baseDirectory": "/work", "tagSettingsFile": "/work/tags.yml",
            "omitTags": true, "context": context, "environment": { "http_proxy": "http://one", "HTTP_PROXY": "http://two" },
            "azSession": { "subscriptionId": "s", "tenantId": "t", "cloud": "AzureCloud", "resourceManagerEndpoint": "https://management.azure.com/" } }),
        json!({ "whatIf": true, "settingsFiles": ["/work/environment", "/work/web.yml"], "omitTags": false, "context": {}, "environment": {}, "azSession": null }),
        json!({ "whatIf": true, "settings": [{ "component": "storage" }], "baseDirectory": "/work", "omitTags": false, "context": {}, "environment": {},
            "azSession": null }),
    ];
    for request in requests {
        let read: Result<Request, _> = serde_json::from_value(request.clone());
        assert!(read.is_ok(), "{request}: {:?}", read.err());
    }
}

/// One of each message with everything in it that it can have.
#[expect(clippy::too_many_lines, reason = "a list of messages")]
fn messages() -> Vec<Message> {
    let text = || Some("text".to_owned());
    let json = || Some(JsonText::from("text"));
    let change =
        PropertyChange { path: "path".to_owned(), before: json(), after: json(), origin: text(), by_policy: true };
    let resource = ResourceReport {
        action: ActionKind::Delete,
        resource: resource_name(),
        seconds: 1.0,
        properties: Some(json!({})),
        document: text(),
    };
    let plain = ErrorReport::terminating(Code::SettingsInvalid, "text");
    let failure = FailureReport {
        target: text(),
        recommendation: text(),
        resource_id: text(),
        request_id: text(),
        document: text(),
        ..plain.failure.clone()
    };
    let error = ErrorReport {
        failures: vec![failure.clone()],
        failure,
        findings: vec![FindingReport {
            file: text(),
            line: Some(1),
            column: Some(1),
            path: "path".to_owned(),
            code: FindingCode::Missing,
            message: "text".to_owned(),
        }],
        done: vec![resource.clone()],
        ..plain
    };
    let rehearsal = Rehearsal {
        from: "text".to_owned(),
        to: "text".to_owned(),
        fired: Some(1),
        fired_before: Some(1),
        minutes: 1,
        last_fired: text(),
        fired_for: text().into_iter().collect(),
        notifications: 1,
        sampled: Some(Sampled { moments: 1, of: 1 }),
        strip: vec![[1, 1]],
        reason: text(),
        sentence: "text".to_owned(),
    };
    let place = Some(FilePlace { file: "text".to_owned(), line: 1, column: 1 });
    let kept = Kept {
        resource: resource_name(),
        path: "text".to_owned(),
        wanted: json(),
        existing: json(),
        orphan: true,
        reason: "text".to_owned(),
        place: place.clone(),
        document: text(),
    };
    let changed = Attribution { by: text(), client: text(), operation: "text".to_owned(), at: "text".to_owned() };
    let difference = Difference {
        fingerprint: "text".to_owned(),
        kind: DifferenceKind::Changed,
        resource: resource_name(),
        path: "text".to_owned(),
        wanted: json(),
        existing: json(),
        origin: text(),
        place,
        document: text(),
        changed: Some(changed),
        sentence: "text".to_owned(),
    };
    let target = Target {
        cloud: "text".to_owned(),
        endpoint: "text".to_owned(),
        subscription_id: "text".to_owned(),
        subscription_name: text(),
        tenant_id: text(),
        identity: text(),
        made_with: MadeWith::default(),
    };
    vec![
        Message::Verbose { message: "text".to_owned() },
        Message::Debug { message: "text".to_owned() },
        Message::Warning("text".into()),
        Message::Progress {
            activity_id: 1,
            activity: "text".to_owned(),
            status: "text".to_owned(),
            current_operation: text(),
            percent: Some(1),
            under_way: vec![UnderWay {
                resource_id: "text".to_owned(),
                name: "text".to_owned(),
                seconds: 1.0,
                usual_seconds: Some(1),
            }],
            completed: Some(true),
        },
        Message::Target(Target {
            made_with: MadeWith { environment: "text".to_owned(), project_files: vec!["text".to_owned()], left_out: 1 },
            ..target.clone()
        }),
        Message::Kept(kept.clone()),
        Message::Drift(Box::new(Drift {
            target: Some(target.clone()),
            made_with: MadeWith { environment: "text".to_owned(), project_files: vec!["text".to_owned()], left_out: 1 },
            has_differences: true,
            differences: vec![difference],
            kept: vec![kept],
            unchanged: 1,
            sentence: "text".to_owned(),
        })),
        Message::Plan {
            format: PLAN_FORMAT,
            id: 1,
            made_with: MadeWith { environment: "text".to_owned(), project_files: vec!["text".to_owned()], left_out: 1 },
            target: Some(target),
            refused: true,
            actions: vec![Action {
                index: 0,
                action: ActionKind::Create,
                resource: resource_name(),
                description: "text".to_owned(),
                question: "text".to_owned(),
                confirm: Confirm::Always,
                depends_on: vec![0],
                together: vec![0],
                last: true,
                changes: vec![change],
                state_unknown: true,
                origin: text(),
                document: text(),
                rehearsal: Some(Box::new(rehearsal.clone())),
            }],
        },
        Message::Token { id: 1, resource: "text".to_owned(), tenant_id: text() },
        Message::Resource(resource),
        Message::Unchanged(UnchangedReport {
            resource: resource_name(),
            properties: Some(json!({})),
            document: text(),
            rehearsal: Some(Box::new(rehearsal)),
        }),
        Message::Document {
            component: "text".to_owned(),
            text: "text".to_owned(),
            path: text(),
            files: vec![FileBeside { path: "text".to_owned(), text: "text".to_owned() }],
            differences: text().into_iter().collect(),
        },
        Message::Template(TemplateReport {
            template: "{}".to_owned(),
            path: text(),
            parameters: Vec::new(),
            calls: Vec::new(),
        }),
        Message::Error(error),
        Message::Result(Counts::default()),
    ]
}

fn message(event: &str) -> Value {
    let all = messages().into_iter().map(|message| serde_json::to_value(message).unwrap());
    all.into_iter().find(|message| message["event"] == event).unwrap()
}

fn names(value: &Value) -> BTreeSet<String> {
    owned(value.as_object().unwrap().keys())
}

#[test]
fn every_message_is_received() {
    let script = script();
    let receive = script.function_named("Receive-SvcModuleMessage");
    let handled: BTreeSet<String> = find(receive.node, "switch_clause")
        .into_iter()
        .map(|clause| script.text(child(clause, "switch_clause_condition").unwrap()).trim_matches('\'').to_owned())
        .collect();
    let sent: BTreeSet<String> = messages()
        .into_iter()
        .map(|message| serde_json::to_value(message).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(handled, sent);
}

/// Each function, the variable it reads, the part of a message that the variable holds, and which of its members others read:
/// `Receive-SvcModuleMessage` the event and what chooses between functions. Nothing reads `format`
/// and `target`, which are for those who keep plans, `environment` and `projectFiles`, which verbose lines say, and `dependsOn`, `together` and `last`, because PowerShell asks for
/// everything in the order of the plan.
#[test]
fn what_the_module_reads_is_there_and_all_of_it_is_read() {
    let script = script();
    let plan = message("plan");
    let error = message("error");
    let resource = message("resource");
    // What is unchanged goes through the same function, and has nothing but its rehearsal that a changed resource has not.
    let unchanged = &names(&message("unchanged")) - &owned(["rehearsal"]);
    assert!(unchanged.is_subset(&names(&resource)));
    // The message of `done` is that of a resource, and that of a failure an error without what only the last one has.
    assert_eq!(&names(&error["done"][0]) | &owned(["event"]), names(&resource));
    let document = message("document");
    let table: [(&[&str], &str, &Value, &[&str]); 5] = [
        // What is under way is in the current operation too, in words.
        (&["ConvertTo-SvcModuleProgressRecord"], "$Message", &message("progress"), &["event", "underWay"]),
        (&["Get-SvcModuleAzSessionToken"], "$Message", &message("token"), &["event"]),
        (
            &["Confirm-SvcModulePlan", "Show-SvcModulePlan"],
            "$Plan",
            &plan,
            &["event", "format", "id", "target", "environment", "projectFiles", "leftOut"],
        ),
        (&["ConvertTo-SvcModuleTemplate"], "$Message", &message("template"), &["event"]),
        // Whoever asks for a document knows of which component; the engine writes what belongs beside it, and warns of each difference.
        (&["Get-SvcModuleWrittenDocument"], "$document", &document, &["event", "component", "files", "differences"]),
    ];
    for (functions, variable, value, elsewhere) in table {
        let mut keys = BTreeSet::new();
        for function in functions {
            keys.extend(owned(script.keys_of(script.function_named(function).node, variable)));
        }
        assert_eq!(keys, &names(value) - &owned(elsewhere.iter().copied()), "{functions:?} {variable}");
    }
    // The counts are for programs; people read the sentence.
    assert!(
        names(&message("result")).contains("sentence")
            && owned(script.keys_of(script.root(), "$Message")).contains("sentence")
    );
    let classes = crate::interop::classes();
    let asked = owned(["index", "question", "description", "confirm"]);
    let confirms = owned(script.keys_of(script.function_named("Confirm-SvcModulePlan").node, "$action"));
    let needs = owned(["dependsOn", "together", "last"]);
    // Whoever is asked is not asked about what can no longer be made.
    assert_eq!(confirms, &(&asked | &needs) | &owned(["resourceId", "document"]));
    let with = |value: &Value, others: &[&str]| &names(value) | &owned(others.iter().copied());
    // Of what is kept, an action has what no action of a plan has. That a state is not known stands in the description.
    let action = &(&with(&plan["actions"][0], &["path", "existing", "wanted", "reason", "orphan"]) - &asked) - &needs;
    let action = &action - &owned(["stateUnknown"]);
    let drift = message("drift");
    assert_eq!(names(&drift["differences"][0]["changed"]), owned(["by", "client", "operation", "at"]));
    let table: [(&str, BTreeSet<String>); 7] = [
        ("PlannedAction", action),
        ("PropertyChange", names(&plan["actions"][0]["changes"][0])),
        ("DeployedResource", &with(&resource, &["rehearsal"]) - &owned(["event", "action"])),
        ("Drift", &names(&message("drift")) - &owned(["event", "projectFiles", "leftOut"])),
        ("Difference", with(&drift["differences"][0], &["by", "client", "operation", "at"])),
        ("Finding", names(&error["findings"][0])),
        ("Failure", names(&error["failures"][0])),
    ];
    for (class, wanted) in table {
        assert_eq!(classes[class].0, wanted, "{class}");
    }
    // Codes, categories, targets and advice are those of the record.
    let said = &with(&error, &["action"]) - &owned(["event", "terminating", "category", "target", "recommendation"]);
    assert_eq!(classes["DeploymentException"].0, said);
}
