//! A single item where a list is expected: every list of every command, in YAML, in JSON and in an object, means the same as
//! the list of that one item.

use serde_json::{Value, json};
use svc_engine::run::{Job, Start, Work, start};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::estate::*;
use crate::support::*;

/// The documents of each command that, together, have all of its lists.
const DOCUMENTS: &[(&str, &[&str])] = &[
    (STORAGE, &["examples/all-fields/storage-all-fields.yml", "examples/storage-private.yml"]),
    (PRIVATE_ENDPOINTS, &["examples/all-fields/private-endpoints-all-fields.yml"]),
    (BASTION_HOSTS, &["examples/all-fields/bastion-hosts-all-fields.yml"]),
    (CORE_MONITOR, &["examples/all-fields/core-monitor-all-fields.yml"]),
    (LOG_ALERTS, &["examples/all-fields/log-alerts-all-fields.yml"]),
    (METRIC_ALERTS, &["examples/all-fields/metric-alerts-all-fields.yml", "examples/metric-alerts.yml"]),
    (RESOURCE_HEALTH_ALERTS, &["examples/all-fields/resource-health-alerts-all-fields.yml"]),
    (WEB, &["examples/all-fields/web-all-fields.yml"]),
];

/// A document of a command as it is, and with every list shortened to the item that says most.
fn variants(file: &str) -> [Value; 2] {
    let read = |text: &str| -> Value {
        let mut value: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
        value.apply_merge().unwrap();
        serde_json::to_value(value).unwrap()
    };
    let text = std::fs::read_to_string(repository(file)).unwrap();
    // One group of receivers and one pool of backends are left of several, so everything refers to these.
    let references =
        [("actionGroupName: Nobody", "actionGroupName: Everything"), ("pool: gateways", "pool: everything")];
    let references = references.iter().chain(&[("Poolname: gateways", "Poolname: everything")]);
    let of_one = references.fold(text.clone(), |text, (other, one)| text.replace(other, one));
    [read(&text), shortened(&read(&of_one))]
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let items = items.iter().map(shortened).max_by_key(|item| {
                let text = item.to_string();
                (text.matches('[').count(), text.len())
            });
            Value::Array(items.into_iter().collect())
        }
        Value::Object(members) => members.iter().map(|(key, member)| (key.clone(), shortened(member))).collect(),
        other => other.clone(),
    }
}

/// Writes the item of every list of one in the place of the list.
fn unrolled(value: &Value) -> Value {
    match value {
        Value::Array(items) => match &items[..] {
            [only] => unrolled(only),
            _ => Value::Array(items.iter().map(unrolled).collect()),
        },
        Value::Object(members) => members.iter().map(|(key, member)| (key.clone(), unrolled(member))).collect(),
        other => other.clone(),
    }
}

/// All lists of one in a document, each by its path without numbers.
fn lists(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            if items.len() == 1 {
                found.push(path.to_owned());
            }
            items.iter().for_each(|item| lists(item, path, found));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| lists(member, &format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

/// The actions and messages of a run, without the places.
fn shown(outcome: &Outcome) -> Value {
    let mut actions = json!(outcome.plan());
    for action in actions.as_array_mut().unwrap() {
        action.as_object_mut().unwrap().remove("origin");
        for change in action["changes"].as_array_mut().unwrap() {
            change.as_object_mut().unwrap().remove("origin");
        }
    }
    let warnings: Vec<String> = outcome.warnings().into_iter().map(without_place).collect();
    json!({"warnings": warnings, "actions": actions})
}

/// A warning from its second `: ` on, where it begins with a place.
fn without_place(warning: &str) -> String {
    match warning.splitn(3, ": ").collect::<Vec<_>>()[..] {
        [place, _, words] if place.starts_with("settings.") => words.to_owned(),
        _ => warning.to_owned(),
    }
}

fn rehearse_object(cloud: &LocalCloud, command: &'static str, settings: &Value) -> Outcome {
    let deployment = Deployment::new(command, "");
    let members = json!({"settingsFile": null, "settings": settings, "baseDirectory": deployment.project.path(""), "whatIf": true});
    deployment.deploy_with(cloud, members)
}

#[test]
fn every_list_of_every_command_may_be_its_only_item() {
    let cloud = fields_zone_with(LocalCloudOptions::default());
    for (command, files) in DOCUMENTS {
        for file in *files {
            for list in variants(file) {
                let item = unrolled(&list);
                let expected = Deployment::new(command, &serde_yaml::to_string(&list).unwrap()).rehearse(&cloud);
                assert!(!expected.plan().is_empty() && expected.errors().is_empty(), "{file}: {expected:#?}");
                let expected = shown(&expected);

                let yaml = Deployment::new(command, &serde_yaml::to_string(&item).unwrap()).rehearse(&cloud);
                assert_eq!(shown(&yaml), expected, "{file}");
                let json = Deployment::new(command, "");
                json.project.write("settings.json", format!("{item:#}"));
                let members = json!({"settingsFile": json.project.path("settings.json"), "whatIf": true});
                assert_eq!(shown(&json.deploy_with(&cloud, members)), expected, "{file}, as JSON");
            }
        }
    }
}

#[test]
fn objects_that_powershell_unrolled_are_deployed_as_they_were_meant() {
    let cloud = fields_zone_with(LocalCloudOptions::default());
    for (command, files) in DOCUMENTS {
        for file in *files {
            let [_, settings] = variants(file);
            let list = rehearse_object(&cloud, command, &settings);
            let item = rehearse_object(&cloud, command, &unrolled(&settings));
            assert!(item.errors().is_empty() && !item.plan().is_empty(), "{file}: {item:#?}");
            assert_eq!(item.plan().len(), list.plan().len(), "{file}");
            for (one, other) in item.plan().iter().zip(list.plan()) {
                assert_eq!(
                    (&one.resource.resource_id, &one.description),
                    (&other.resource.resource_id, &other.description),
                    "{file}"
                );
                for (one, other) in one.changes.iter().zip(&other.changes) {
                    assert_eq!((&one.path, &one.after), (&other.path, &other.after), "{file}");
                    // The place of a setting is told as it is written: there is no list, so there is no item.
                    let origin = one.origin.as_deref().unwrap_or_default();
                    assert!(!origin.contains('['), "{file}: {origin}");
                }
            }
        }
    }
}

/// A list that is added to a command is looked at above only when a document has it: these are all that the types know.
#[test]
fn the_documents_have_every_list_of_the_schemas() {
    let mut missing = Vec::new();
    for (command, files) in DOCUMENTS {
        let schema = svc_engine::commands::find(command).unwrap().settings_schema();
        let mut known = Vec::new();
        lists_of_schema(&json!(schema), "", &mut known);
        let mut used = Vec::new();
        for file in *files {
            variants(file).iter().for_each(|settings| lists(settings, "", &mut used));
        }
        // A private endpoint is of one type wherever it is declared, so one of each command will do.
        let of_type =
            |path: &str| path.rsplit_once("privateEndpoints").map_or(path, |(_, own)| own).to_ascii_lowercase();
        let is_missing = |known: &&String| !used.iter().any(|used| of_type(used) == of_type(known));
        missing.extend(known.iter().filter(is_missing).map(|list| format!("{command} {list}")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The lists that a JSON Schema knows, each by its path without numbers.
fn lists_of_schema(schema: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(items) = schema.get("items") {
        found.push(path.to_owned());
        lists_of_schema(items, path, found);
    }
    if let Some(list) = schema.get("else").filter(|_| schema.get("type").is_some()) {
        lists_of_schema(list, path, found);
    }
    for alternative in ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten() {
        lists_of_schema(alternative, path, found);
    }
    for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        lists_of_schema(property, &format!("{path}/{key}"), found);
    }
}

#[test]
fn the_names_of_a_naming_file_and_the_definitions_of_a_project_may_be_single_items() {
    let cloud = cloud();
    let project = Project::with(
        "location: UK South\nresourceGroupName: Shop\nstorageAccounts: {storageAccountName: Orders, accountType: Standard, queue: orders}\n",
    );
    project.write(
        "_names/generators.yml",
        "formats:\n  name: storage\n  separator: ''\n  components: {source: name}\n  removeCharacters: o\n",
    );
    project.write("_names/resources.yml", "resources: {name: ResourceGroup, shortname: group}\n");
    assert_eq!(project.deploy(&cloud).summary(), "created 3");
    let group = "resourceGroups/group-shop-iaas-78a0f372";
    resource(
        &cloud,
        &format!("{group}/providers/Microsoft.Storage/storageAccounts/rders/queueServices/default/queues/orders"),
    );

    project.write("_names/generators.yml", "formats: {name: storage, components: {source: nmae}}\n");
    let outcome = project.deploy(&cloud);
    assert!(outcome.last_error().failure.message.contains("1:47 formats.components.source: 'nmae'"), "{outcome:?}");

    let zone = landing_zone();
    let deployment = Deployment::example(LOG_ALERTS, "examples/log-alerts.yml");
    deployment
        .project
        .write("logAlertDefinitions.yml", "definitions: {type: VirtualMachines, name: Own, severity: Bad}\n");
    let outcome = deployment.rehearse(&zone);
    assert!(outcome.last_error().failure.message.contains("1:59 definitions.severity: 'Bad'"), "{outcome:?}");
}

#[test]
fn what_is_wrong_in_a_single_item_is_told_with_the_place_where_it_is_written() {
    let cloud = cloud();
    let project = Project::with(
        "location: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  storageAccountName: Orders\n  accountType: Premium\n  queue: orders\n  table: [orders, others]\n  fileShare: data\n",
    );
    let outcome = project.rehearse(&cloud);
    assert_eq!(
        outcome.last_error().failure.message,
        "storage.yml has 4 problems:\n\
         [1] 6:10 storageAccounts.queue: Premium accounts do not support queues\n\
         [2] 7:11 storageAccounts.table[0]: Premium accounts do not support tables\n\
         [3] 7:19 storageAccounts.table[1]: Premium accounts do not support tables\n\
         [4] 8:14 storageAccounts.fileShare: expected a list of objects, found 'data'; their keys are name, size"
    );

    let settings = json!({"location": "UK South", "resourceGroupName": "Shop",
        "storageAccounts": {"storageAccountName": "Orders", "accountType": "Gold"}});
    let outcome = run(&json!({"settings": settings, "context": {"cloud": cloud.endpoint()}, "environment": {}}));
    let finding = &outcome.last_error().findings[0];
    assert_eq!((finding.path.as_str(), finding.line), ("storageAccounts.accountType", None));
    assert!(cloud.requests().is_empty());
}

#[test]
fn objects_that_are_too_deep_are_settings_that_are_wrong() {
    let nested = |depth: usize| (0..depth).fold(json!("x"), |value, _| json!({"inner": value}));
    let failure = |settings: Value| {
        let request = json!({"settings": settings, "context": {"cloud": "local"}, "environment": {}}).to_string();
        let command = svc_engine::commands::find(STORAGE).unwrap();
        let outcome =
            follow(&start(Start::new(Work::Deploy(Job::Command(command)), request.as_bytes())), |_| Vec::new());
        let report = outcome.last_error();
        (
            report.failure.code.as_str().to_owned(),
            report.failure.message.clone(),
            report.findings[0].code.as_str().to_owned(),
        )
    };
    let too_deep = |place: &str| {
        let message = format!("The settings object has 1 problem:\n[1] {place}nested more than 64 levels deep");
        ("SettingsInvalid".to_owned(), message, "TooDeep".to_owned())
    };
    assert_eq!(failure(json!({"location": "UK South", "storageAccounts": nested(64)})), too_deep("storageAccounts: "));
    // Deeper than requests are read at all, as an object that holds itself would be.
    assert_eq!(failure(json!({"storageAccounts": nested(1000)})), too_deep(""));
    // As deep as may be: it is looked at as any other.
    assert_ne!(failure(json!({"location": "UK South", "storageAccounts": nested(63)})).2, "TooDeep");
}
