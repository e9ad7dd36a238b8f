//! The same as `shapes` for the files that a project has beside its documents: tag settings, naming files, definitions of log alerts.
//! They are read from a folder, as every run reads them.

use std::path::Path;

use serde_json::Value;
use svc_engine::commands::{self, PROJECT_FILES, ProjectFile, tag_file, tags_of};
use svc_engine::naming::project_convention;
use svc_engine::settings::{Document, Environments, LoadError, Values};

use super::shapes::Looked;

/// Each file with every key that it can have.
const WITH_EVERY_KEY: &[(&str, &str)] = &[
    (
        "tags",
        "component: tags
tags: {mandatory: {owner: platform, cost-centre: 4711, live: true}, custom: {stage: production, none: null}}
resourceIds: [a]
resourceGroupIds: [b]
",
    ),
    ("values", "name: shop\ncount: 1\nlive: true\nlist: [a, 1]\nobject: {a: [{b: c}]}\nnothing:\n"),
    (
        "generators",
        "component: generators
formats:
  - {name: short, separator: '-', case: lower, minLength: 1, maxLength: 64, salt: true, removeCharacters: ['_', ' '], components: [
      {source: resource, case: lower, minLength: 1, maxLength: 10, salt: false}, {source: name}, {source: hash, maxLength: 8}]}
",
    ),
    (
        "resources",
        "component: resources
defaults: {generator: standard, shortname: res}
resources:
  - {name: StorageAccount, shortname: st, maxLength: 24, minLength: 3, generator: storage, case: lower, salt: true}
  - {name: BastionHost, shortname: bastion}
",
    ),
    (
        "locations",
        "component: locations
locations:
  - {name: UK South, shortname: uks, alias: [uksouth, London]}
  - {name: Global, shortname: gbl}
",
    ),
    (
        "tokens",
        "component: tokens
salt: 1f0c5
organisation: contoso
project: shop
architecture: {core: core}
environments: {production: prd}
tokens: {organisation: contoso, project: shop, architecture: {iaas: iaas}, environments: {acceptance: acc, development: dev}}
",
    ),
    (
        "logAlertDefinitions",
        "component: logAlertDefinitions
definitions:
  - type: Queues
    name: Too_Long
    description: A queue is too long.
    severity: Error
    schedule: {frequencyInMinutes: 15, timeWindowInMinutes: 30}
    threshold: {operator: greaterThan, value: 0}
    suppress: {enabled: true, mins: 60, windows: 2}
    parameters: {_length: 100, _computer: A}
    lookBackInMinutes: 120
    columns: [Computer]
    query: Queues_CL | where Length_d > _length and Computer == '_computer'
",
    ),
];

/// Rules over two values, which no schema can have.
const RULES: &[&str] = &["is not a generator", "duplicate", "the parameter is not in the query"];

/// Whether the program reads the file, which is the only one in its folder.
fn program_takes(file: &ProjectFile, folder: &Path, content: &Value) -> Result<(), String> {
    let path = folder.join(format!("{}.json", file.path));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content.to_string()).unwrap();
    let folders = [folder.to_owned()];
    let read: Result<(), LoadError> = match file.path {
        path if path.starts_with("_names/") => project_convention(&folders).map(drop),
        path if path.starts_with("_tags/") => tag_file(&folders).map_or(Ok(()), |file| {
            let document = Document::load(&file, "tag settings")?;
            tags_of(&document).map(drop).map_err(LoadError::Findings)
        }),
        path if path.starts_with("_values/") => {
            let environments = Environments::new("development", vec!["development".to_owned()]);
            Values::read(&folders, environments).and_then(|mut values| match values.take_findings() {
                findings if findings.is_empty() => Ok(()),
                findings => Err(LoadError::Findings(findings)),
            })
        }
        _ => {
            let command = commands::find("New-SvcMonitorLogAlerts").unwrap();
            command.read(&Document::nothing()).read_project_files(&folders).map(drop)
        }
    };
    read.map_err(|error| error.report().failure.message)
}

#[test]
fn the_schemas_of_the_files_take_what_the_program_takes() {
    let looked = Looked::default();
    let names: Vec<&str> = WITH_EVERY_KEY.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, PROJECT_FILES.iter().map(|file| file.name).collect::<Vec<_>>());
    for (file, (_, text)) in PROJECT_FILES.iter().zip(WITH_EVERY_KEY) {
        let folder = tempfile::tempdir().unwrap();
        let schema = file.schema().to_value();
        let document = Document::parse(None, (*text).to_owned()).unwrap();
        assert_has_every_key(file.name, &schema, document.value());
        looked.hold(document.value(), &schema, |changed| {
            let taken = program_takes(file, folder.path(), changed);
            let is_rule = |message: &String| RULES.iter().any(|rule| message.contains(rule));
            (!taken.as_ref().is_err_and(is_rule)).then_some(taken)
        });
    }
    looked.assert_enough();
}

/// That a document says everything that its schema has, so that all of it is tried.
fn assert_has_every_key(name: &str, schema: &Value, value: &Value) {
    let kinds = std::iter::once(schema).chain(schema["anyOf"].as_array().into_iter().flatten());
    for schema in kinds {
        if let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object()) {
            // The other name of a setting, which is not said beside it.
            let is_alias = |property: &Value| {
                property["description"].as_str().is_some_and(|text| text.starts_with("Deprecated; use "))
            };
            for (key, property) in properties.iter().filter(|(_, property)| !is_alias(property)) {
                let member = members.get(key).unwrap_or_else(|| panic!("{name}: nothing says {key}"));
                assert_has_every_key(name, property, member);
            }
        }
        let items = schema.get("items").or_else(|| schema["else"].get("items"));
        if let (Some(items), Some(first)) = (items, value.get(0)) {
            assert_has_every_key(name, items, first);
        }
    }
}
