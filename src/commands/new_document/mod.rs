//! New settings documents: made from the settings types, with the values of the examples, and kept as far as the command takes them.

mod keys;
mod made_up;

use serde_json::Value;

use self::keys::Writer;
pub(super) use self::made_up::text as example_text;
use super::shared::command::Command;
use super::shared::compilation::{Compiled, Project};
use super::shared::lookup::Services;
use crate::azure::RESOURCE_GROUP_TYPE;
use crate::azure::types::STORAGE_ACCOUNT;
use crate::naming::{Environment, NameContext};
use crate::protocol::listed;
use crate::settings::{Document, Written, WrittenKey, steps, switch_off, to_yaml};

/// The keys of a new document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewDocument {
    /// Those that have to be there, and those that most documents have.
    Usual,
    /// Every key there is.
    All,
}

/// A new document of a command, in YAML with comments. It is valid: what does not go with the rest of it is switched off.
#[must_use]
pub fn new_document(command: &Command, form: NewDocument) -> String {
    // Tests deploy it, so its values go together.
    let example = command.example().map(|document| document.value().clone()).unwrap_or_default();
    let schema = command.type_schema();
    let written = |whole_lists: bool| {
        let writer = Writer { form, component: command.component, example: &example, whole_lists };
        let mut keys = writer.document(schema.as_value());
        // Each round switches something off, so there are fewer rounds than keys.
        while improve(command, &mut keys) {}
        keys
    };
    let mut keys = written(false);
    // What has to be there may name another item of a list.
    if problems(command, &keys).1 {
        keys = written(true);
    }
    to_yaml(&format!("{}{}", head(command, form), same_everywhere(command, &keys)), &keys)
}

/// The end of the head where names of the document are the same in every environment.
fn same_everywhere(command: &Command, keys: &[WrittenKey]) -> String {
    let Ok(document) = Document::parse(None, to_yaml("", keys)) else { return String::new() };
    let desired = |environment: Environment| {
        let project =
            Project { name_context: NameContext { environment, ..NameContext::default() }, ..Project::without_files() };
        command.read(&document).compile(&project, &Services::NotRead).desired
    };
    let (here, there) = (desired(Environment::Development), desired(Environment::Production));
    let mut labels: Vec<String> = Vec::new();
    let of_names = [RESOURCE_GROUP_TYPE, STORAGE_ACCOUNT.name];
    for resource in here.iter().filter(|one| of_names.contains(&one.resource_type.name)) {
        let label = format!("{}s", resource.resource_type.label);
        if !labels.contains(&label) && there.iter().any(|other| other.id.name() == resource.id.name()) {
            labels.push(label);
        }
    }
    if labels.is_empty() {
        return String::new();
    }
    format!(
        "The names of its {} are the same in every environment: docs/environments.md says how several of them have one subscription.\n",
        listed(&labels)
    )
}

fn head(command: &Command, form: NewDocument) -> String {
    let component = command.component;
    let keys = match form {
        NewDocument::Usual => format!(
            "It has the keys that most documents have, with values of an example. 'svc new {component} --all' writes every key."
        ),
        NewDocument::All => {
            "It has every key, with values of an example. Keys with a # before them do not go with the others, or are not needed."
                .to_owned()
        }
    };
    format!(
        "Settings of {}. {keys}\n'svc validate' checks the document, 'svc plan' shows what it would change, and 'svc schema {component}' prints the schema for editors.\n",
        command.name
    )
}

/// Switches something off at a path, if there is anything.
type Switch = fn(&mut [WrittenKey], &[String]) -> bool;

/// Switches something off so that no more is wrong with the document than before. Returns whether there is anything.
fn improve(command: &Command, keys: &mut Vec<WrittenKey>) -> bool {
    let (paths, _) = problems(command, keys);
    let switches: [Switch; 2] = [switch_off_below, |keys, path| switch_off(keys, path, "")];
    // What goes away may show what is wrong behind it, so as many problems as before will do where nothing makes fewer of them.
    for most in [paths.len(), paths.len() + 1] {
        for path in &paths {
            for switch in switches {
                let mut other = keys.clone();
                if switch(&mut other, path) && problems(command, &other).0.len() < most {
                    *keys = other;
                    return true;
                }
            }
        }
    }
    false
}

/// The paths of everything in a document that is wrong, or that the command would warn of, and whether anything is wrong.
fn problems(command: &Command, keys: &[WrittenKey]) -> (Vec<Vec<String>>, bool) {
    let Ok(document) = Document::parse(None, to_yaml("", keys)) else { return (Vec::new(), true) };
    let Compiled { findings, warnings, .. } =
        command.read(&document).compile(&Project::without_files(), &Services::NotRead);
    let of_findings = findings.iter().map(|finding| finding.place.path().to_string());
    let of_warnings = warnings.into_iter().filter_map(|warning| warning.path);
    (of_findings.chain(of_warnings).map(|path| steps(&path)).collect(), !findings.is_empty())
}

/// Switches off the last key below a place that may be missing: one of those that exclude each other. Returns whether there is one.
fn switch_off_below(keys: &mut [WrittenKey], path: &[String]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        let last = keys.iter_mut().rev().find(|key| !key.is_off && !key.is_required);
        return last.map(|key| key.is_off = true).is_some();
    };
    let Some(key) = keys.iter_mut().find(|key| key.key == *name && !key.is_off) else { return false };
    match (&mut key.value, rest) {
        (Written::Object(inner), _) => switch_off_below(inner, rest),
        (Written::List(items), [index, rest @ ..]) => {
            let item = index.parse::<usize>().ok().and_then(|index| items.get_mut(index));
            item.is_some_and(
                |item| if let Written::Object(inner) = item { switch_off_below(inner, rest) } else { false },
            )
        }
        _ => false,
    }
}

/// The value of the example at a key.
fn member<'a>(example: Option<&'a Value>, key: &str) -> Option<&'a Value> {
    example?.as_object()?.get(key).filter(|value| !value.is_null())
}
