//! Every example that can be exported: deployed, exported, and planned again.

use svc_engine::commands::COMMANDS;
use svc_local_cloud::LocalCloudOptions;

use super::*;
use crate::environment::Environment;
use crate::support::estate::*;
use crate::support::examples::{Example, documents};
use crate::support::spellings::Spellings;

/// The groups that have something of types.
fn groups(types: &[String], cloud: &LocalCloud) -> Vec<String> {
    let ids = there(types, cloud).into_iter();
    let mut groups: Vec<String> = ids.filter_map(|id| id.split('/').nth(4).map(str::to_owned)).collect();
    groups.sort();
    groups.dedup();
    groups
}

/// Everything that exists of types.
fn there(types: &[String], cloud: &LocalCloud) -> Vec<String> {
    let is = |id: &str, of_type: &String| id.split(of_type).nth(1).is_some_and(|rest| !rest.contains('/'));
    cloud.ids().into_iter().filter(|id| types.iter().any(|of_type| is(&id.to_ascii_lowercase(), of_type))).collect()
}

/// A plan is empty, but for what no document can say: receivers that have a secret, of which the export has told.
fn check_told(example: &Example, outcome: &Outcome, plan: &Outcome) {
    let (text, told, file) = (outcome.document(), outcome.differences().join("\n"), &example.file);
    if !text.contains(", and no export has one") {
        assert_eq!((plan.descriptions(), told), (Vec::new(), String::new()), "{file}: {text}");
        return;
    }
    assert_eq!(example.command, "New-SvcCoreMonitor", "{file}: {text}");
    let changes: Vec<_> = plan.plan().iter().flat_map(|action| &action.changes).collect();
    assert!(!changes.is_empty(), "{file}: {text}");
    for change in changes {
        let is_secret = ["azureFunction", "logicApp", "automationRunbook", "webhook"];
        let of = change.path.strip_prefix("properties.").and_then(|path| path.split_once("Receivers["));
        assert!(of.is_some_and(|(kind, _)| is_secret.contains(&kind)), "{file} {}: {text}", change.path);
        let path = change.path.trim_start_matches("properties.");
        assert!(told.contains(path), "{file} {path}: {told}");
    }
}

/// A cloud with what an example needs.
fn zone_of(example: &Example) -> LocalCloud {
    if example.is_example() { landing_zone() } else { fields_zone_with(LocalCloudOptions::default()) }
}

/// Deployed where there was nothing, documents are exported as the same text once more; the groups are those that they are of.
fn check_again(example: &Example, component: &str, documents: &[(String, String)]) {
    let cloud = zone_of(example);
    let files: Vec<(String, &str)> =
        documents.iter().map(|(group, text)| (format!("{group}.yml"), text.as_str())).collect();
    let environment = Environment::of(&files.iter().map(|(file, text)| (file.as_str(), *text)).collect::<Vec<_>>());
    let outcome = environment.deploy(&cloud);
    assert_eq!(outcome.errors().len(), 0, "{}: {:#?}", example.file, outcome.errors());
    for (group, text) in documents {
        assert_eq!(export(component, group, &cloud).document(), text, "{} {group}", example.file);
    }
}

fn check(example: &Example, component: &str, types: &[String]) {
    let cloud = zone_of(example);
    let before = there(types, &cloud);
    deploy(example.command, &example.text(), &cloud);
    let made: Vec<String> = there(types, &cloud).into_iter().filter(|id| !before.contains(id)).collect();
    assert!(!made.is_empty(), "{}", example.file);
    let spellings = Spellings::of(&cloud);
    let seed = fastrand::u64(..);
    spellings.spell_by(seed);
    let (mut documents, mut whole) = (String::new(), Vec::new());
    for group in groups(types, &cloud) {
        let outcome = export(component, &group, &cloud);
        // A group in which there was something before, and nothing was made, has names of others only.
        if !made.iter().any(|id| id.split('/').nth(4).is_some_and(|of| of.eq_ignore_ascii_case(&group))) {
            assert_eq!(outcome.failed_with().0, "NothingToExport", "{} {group}", example.file);
            continue;
        }
        let text = outcome.document();
        let plan = plan_of(example.command, &outcome, &cloud);
        check_told(example, &outcome, &plan);
        assert!(plan.errors().is_empty(), "{} {group}: {:?}\n{text}", example.file, plan.errors());
        documents.push_str(text);
        if outcome.differences().is_empty() {
            whole.push((group.clone(), text.to_owned()));
        }
        // Azure might spell what it answers in another way.
        let mut behind = request(component, &group, &cloud);
        behind["context"]["cloud"] = json!(spellings.endpoint());
        let outcome = export_with(&behind);
        let plan = plan_of(example.command, &outcome, &cloud);
        check_told(example, &outcome, &plan);
    }
    // What would be taken away is not there the second time.
    if !whole.is_empty() {
        check_again(example, component, &whole);
    }
    // What the command has made its document can say.
    for id in &made {
        let name = id.rsplit('/').next().unwrap();
        let is_told = documents.contains(", and no export has one") && name.starts_with("agrp-");
        assert!(is_told || !documents.contains(&format!("'{name}'")), "{} {name}: {documents}", example.file);
    }
}

#[test]
fn the_plan_of_an_exported_example_is_empty() {
    for command in COMMANDS {
        let types: Vec<String> =
            command.export.subjects().map(|kind| format!("/{}/", kind.name.to_ascii_lowercase())).collect();
        let documents = documents();
        let mut examples = documents.iter().filter(|example| example.command == command.name).peekable();
        assert!(examples.peek().is_some(), "{} has no example", command.name);
        examples.for_each(|example| check(example, command.component, &types));
    }
}
