//! `svc new` and `svc schema`: a document that is written is valid, and can be planned as it is.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_engine::run::registry::{COMMANDS, PROJECT_FILES};

use super::support::*;

#[test]
fn new_documents_are_valid_and_can_be_planned() {
    for command in COMMANDS {
        for form in [&[][..], &["--all"]] {
            let folder = Folder::new();
            let printed = folder.svc(&[&["new", command.component], form].concat());
            assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{printed:?}");
            let written = folder.svc(&[&["new", command.component, "--path", "new.yml"], form].concat());
            let hint = "The document is in 'new.yml'. Change its values, then: svc plan new.yml\n";
            assert_eq!((written.status, written.stdout.as_str()), (0, hint), "{written:?}");
            assert_eq!(std::fs::read_to_string(folder.path("new.yml")).unwrap(), printed.stdout);
            let valid = folder.svc(&["validate", "new.yml"]);
            assert_eq!((valid.status, valid.stdout.as_str()), (0, "The document is valid.\n"), "{valid:?}");
            assert_eq!(valid.stderr, "", "{valid:?}");
            let plan = folder.svc(&["plan", "new.yml", "--cloud", "local", "--offline"]);
            assert_eq!(plan.status, 0, "{plan:?}");
            assert!(plan.stdout.contains("to create, 0 to change, 0 to delete."), "{plan:?}");
        }
    }
}

#[test]
fn a_document_that_exists_is_not_overwritten() {
    let folder = Folder::new();
    let output = folder.svc(&["new", "storage", "--path", "storage.yml"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{output:?}");
    assert_eq!(
        output.stderr,
        "ERROR: 'storage.yml' exists already, and is not overwritten. Name another file with --path, or delete it first.\n"
    );
    assert_eq!(std::fs::read_to_string(folder.path("storage.yml")).unwrap(), DOCUMENT);
    let nowhere = folder.svc(&["new", "storage", "--path", "no/such/folder.yml"]);
    assert_eq!(nowhere.status, 1, "{nowhere:?}");
}

#[test]
fn definitions_of_the_replaced_module_are_rewritten() {
    const OLD: &str = "Queries:\n- Queues:\n  - definition: Too_Long\n    description: A queue is too long.\n    threshold: {operator: greaterThan, value: 0}\n    schedule: {frequencyInMinutes: 15, timeWindowInMinutes: 30}\n    severity: 1\n    defaults: {length: 100}\n    query: Queues_CL | where Length_d > @@@length@@@\n";
    let folder = Folder::new();
    std::fs::write(folder.path("standardDefinitions.yml"), OLD).unwrap();
    let printed = folder.svc(&["new", "definitions", "--from", "standardDefinitions.yml"]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{printed:?}");
    assert!(printed.stdout.contains("query: 'Queues_CL | where Length_d > _length'\n"), "{printed:?}");
    let to_file = ["new", "definitions", "--from", "standardDefinitions.yml", "--path", "logAlertDefinitions.yml"];
    assert_eq!(folder.svc(&to_file).status, 0);
    assert_eq!(std::fs::read_to_string(folder.path("logAlertDefinitions.yml")).unwrap(), printed.stdout);
    assert_eq!(folder.svc(&to_file).status, 2, "it is not overwritten");
    // What is wrong with it is told, and what is written has to be mended.
    std::fs::write(folder.path("wrong.yml"), OLD.replace("timeWindowInMinutes: 30", "timeWindowInMinutes: 5")).unwrap();
    let wrong = folder.svc(&["new", "definitions", "--from", "wrong.yml"]);
    assert_eq!(wrong.status, 0, "{wrong:?}");
    assert!(wrong.stderr.starts_with("WARNING: to be mended in it: logAlertDefinitions.yml:"), "{wrong:?}");
    for arguments in [
        &["new", "definitions"][..],
        &["new", "storage", "--from", "wrong.yml"],
        &["new", "definitions", "--from", "storage.yml"],
        &["new", "definitions", "--from", "none.yml"],
    ] {
        let refused = folder.svc(arguments);
        assert_eq!((refused.status, refused.stdout.as_str()), (2, ""), "{refused:?}");
    }
}

/// What nothing has an example for is not filled with its own name.
#[test]
fn no_value_is_the_name_of_its_key() {
    let folder = Folder::new();
    for command in COMMANDS {
        let text = folder.svc(&["new", command.component, "--all"]).stdout;
        let mut above = "";
        for line in text.lines().map(|line| line.trim_start_matches(['#', ' ', '-'])) {
            let (key, value) = line.split_once(':').unwrap_or((above, line));
            // The publish name of bastion hosts in the examples.
            assert!(value.trim() != key || key == "bastion", "{}: {line}", command.component);
            above = key;
        }
    }
}

#[test]
fn components_have_several_names() {
    let folder = Folder::new();
    let text = |name: &str| folder.svc(&["new", name]).stdout;
    let expected = text("storage");
    assert!(expected.contains("component: storage\n"), "{expected}");
    for name in ["STORAGE", "Iaas.Storage", "New-SvcIaasStorage", "new-iaas-storage"] {
        assert_eq!(text(name), expected, "{name}");
    }
    let unknown = folder.svc(&["new", "stroage"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("storage") && unknown.stderr.contains("bastionHosts"), "{unknown:?}");
}

#[test]
fn schemas_are_listed() {
    let folder = Folder::new();
    let list = folder.svc(&["schema"]);
    assert_eq!(list.stdout.lines().count(), COMMANDS.len() + PROJECT_FILES.len(), "{list:?}");
    for (name, what) in [("storage", "New-SvcIaasStorage"), ("tags", "_tags/globalTags.yml")] {
        assert!(list.stdout.lines().any(|line| line.split_whitespace().eq([name, what])), "{list:?}");
    }
    // Each is there by the name in the list.
    for name in list.stdout.lines().filter_map(|line| line.split_whitespace().next()) {
        let schema: Value = serde_json::from_str(&folder.svc(&["schema", name]).stdout).unwrap();
        assert_eq!(schema["$id"], format!("urn:svc-deploy:schema:{name}"));
    }
    let schema = folder.svc(&["schema", "storage"]).stdout;
    assert_eq!(schema, folder.svc(&["schema", "New-SvcIaasStorage"]).stdout);
    assert!(serde_json::from_str::<Value>(&schema).unwrap()["properties"]["storageAccounts"].is_object());
}

#[test]
fn the_schema_of_a_file_is_found_by_where_the_file_is() {
    let folder = Folder::new();
    let schema = folder.svc(&["schema", "generators"]).stdout;
    assert!(serde_json::from_str::<Value>(&schema).unwrap()["properties"]["formats"].is_object());
    for name in ["GENERATORS", "_names/generators", "_names/generators.yml"] {
        assert_eq!(folder.svc(&["schema", name]).stdout, schema, "{name}");
    }
    // There is no new document of such a file.
    assert_eq!(folder.svc(&["new", "generators"]).status, 2);
}

/// Every key of the settings stands in the long form, on or off, but those that another one replaces.
#[test]
fn the_long_form_has_every_key() {
    fn keys_of(schema: &Value, found: &mut BTreeSet<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let is_current = |(_, schema): &(&String, &Value)| schema["deprecated"] != true;
            found.extend(properties.iter().filter(is_current).map(|(key, _)| key.clone()));
        }
        match schema {
            Value::Object(members) => members.values().for_each(|value| keys_of(value, found)),
            Value::Array(items) => items.iter().for_each(|value| keys_of(value, found)),
            _ => {}
        }
    }
    let folder = Folder::new();
    for command in COMMANDS {
        let mut keys = BTreeSet::new();
        keys_of(command.settings_schema().as_value(), &mut keys);
        let text = folder.svc(&["new", command.component, "--all"]).stdout;
        for key in keys {
            let is_it = |line: &str| line.trim_start_matches([' ', '#', '-']).starts_with(&format!("{key}:"));
            assert!(text.lines().any(is_it), "{}: {key} is missing\n{text}", command.component);
        }
    }
}

#[test]
fn the_schema_of_values_is_that_of_the_settings_that_take_them() {
    let folder = Folder::new();
    folder.write(
        "shop/storage.yml",
        "component: storage\nlocation: $(region)\nresourceGroupName: Shop-$(code)\nstorageAccounts:\n  - STORAGEACCOUNTNAME: Orders\n    \
         accountType: $(tier)\n    table: $(tables)\n    blobContainer: [$(container)]\n  - storageAccountName: $(env:NAME)\n    accountType: $(tier)\n",
    );
    folder.write("_tags/globalTags.yml", "tags: {mandatory: {owner: $(owner)}}\n");
    let output = folder.svc(&["schema", "values", "--for", "shop"]);
    assert_eq!(output.status, 0, "{output:?}");
    let schema: Value = serde_json::from_str(&output.stdout).unwrap();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["code", "container", "owner", "region", "tables", "tier"]);
    let used = schema["properties"]["tier"]["description"].as_str().unwrap();
    assert_eq!(
        used,
        "Used by storageAccounts[0].accountType (storage.yml:6:18) and storageAccounts[1].accountType (storage.yml:10:18)."
    );
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (values, is_valid) in [
        (json!({"region": "UK South", "code": 7, "tier": "Premium", "tables": ["a", "b"], "owner": true}), true),
        (json!({"container": {"name": "data"}}), true),
        (json!({"tables": null}), true),
        (json!({}), true),
        (json!({"tier": "Standrd"}), false),
        (json!({"tables": {"a": "b"}}), false),
        (json!({"container": {"nam": "data"}}), false),
        (json!({"code": ["a"]}), false),
        (json!({"other": 1}), false),
    ] {
        assert_eq!(validator.is_valid(&values), is_valid, "{values}");
    }
    for (arguments, status) in [
        (&["schema", "storage", "--for", "shop"][..], 2),
        (&["schema", "values", "--for", "nowhere"], 2),
        (&["schema", "--for", "shop"], 2),
    ] {
        let output = folder.svc(arguments);
        assert_eq!(output.status, status, "{output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn a_new_document_says_which_of_its_names_every_environment_has() {
    let folder = Folder::new();
    let head = |component: &str| {
        let output = folder.svc(&["new", component]);
        output
            .stdout
            .lines()
            .take_while(|line| line.starts_with("# "))
            .collect::<Vec<_>>()
            .join(" ")
            .replace(" # ", " ")
    };
    let storage = head("storage");
    assert!(
        storage.contains("The names of its resource groups and storage accounts are the same in every environment"),
        "{storage}"
    );
    // Its names have the environment in them.
    assert!(!head("bastionHosts").contains("the same in every environment"));
}
