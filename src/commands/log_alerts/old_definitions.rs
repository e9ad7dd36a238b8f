//! Definition files of the replaced module, rewritten: a list of definitions for each type of alert sets, with `@@@word@@@` for the parameters.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::definitions::{self, PROJECT_FILE};
use super::query::{COMPUTER, mentions};
use crate::protocol::FindingCode;
use crate::settings::{Document, Finding, LoadError, Place, SettingsPath, WrittenKey, project_file, to_yaml};

/// The file of the replaced module, without the ending.
const OLD_FILE: &str = "standardDefinitions";
/// The key that such a file has.
const QUERIES: &str = "Queries";
/// The mark on both sides of a parameter in a query.
const MARK: &str = "@@@";
/// Severities by their numbers.
const SEVERITIES: [&str; 5] = ["Critical", "Error", "Warning", "Informational", "Verbose"];
/// The column by which rows of machines outside Azure are told.
const RESOURCE_ID: &str = "_ResourceId";

/// The way out with a file of the replaced module.
fn way_out(file: &str) -> String {
    format!("'svc new definitions --from {file} --path {PROJECT_FILE}.yml' rewrites it (docs/migrating.md, step 5)")
}

/// Whether a file is one of the replaced module.
fn is_old(file: &Value) -> bool {
    member(file, QUERIES).is_some()
}

/// The finding about the file of a project's definitions, where it has the format of the replaced module.
pub(super) fn finding(document: &Arc<Document>) -> Option<Finding> {
    is_old(document.value()).then(|| Finding {
        place: Place::value(document, SettingsPath::root()),
        code: FindingCode::UnknownKey,
        message: format!(
            "the definitions have the format of the replaced module; {}",
            way_out(&document.display_name())
        ),
    })
}

/// The warning that a project has definitions of the replaced module, and none that are read.
#[must_use]
pub fn unread_definitions(folders: &[PathBuf]) -> Option<String> {
    let old = project_file(folders, OLD_FILE).filter(|_| project_file(folders, PROJECT_FILE).is_none())?;
    let document = Document::load(&old, "log alert definitions").ok()?;
    is_old(document.value()).then(|| {
        let file = old.display().to_string();
        format!(
            "The definitions in '{file}' are not read: they have the format of the replaced module; {}.",
            way_out(&file)
        )
    })
}

/// A file of the replaced module as `logAlertDefinitions.yml`, and what is left to mend in it, a sentence each.
///
/// # Errors
/// The file cannot be read, or is none of the replaced module.
pub fn rewrite_definitions(file: &Path) -> Result<(String, Vec<String>), LoadError> {
    let document = Document::load(file, "log alert definitions")?;
    let place = || Place::value(&document, SettingsPath::root());
    let Some(queries) = member(document.value(), QUERIES) else {
        let message = format!("there is no '{QUERIES}', so this is no file of definitions of the replaced module");
        return Err(LoadError::Findings(vec![Finding { place: place(), code: FindingCode::Missing, message }]));
    };
    let mut items = Vec::new();
    of_types(queries, &mut |kind, old| items.push(rewritten(kind, old)));
    let head = format!(
        "The log alert definitions of the project, rewritten from {}.\nA parameter is a word of the query; documents use it under this name.\n",
        document.display_name()
    );
    let text = to_yaml(&head, &[WrittenKey::new("definitions", (&Value::Array(items)).into())]);
    let left = match Document::parse(Some(format!("{PROJECT_FILE}.yml").into()), text.clone()) {
        Ok(written) => definitions::read(&written).err().unwrap_or_default(),
        Err(findings) => findings,
    };
    Ok((text, left.iter().map(|finding| finding.warning().message).collect()))
}

/// Hands on each definition with its type. The types are members of a list, of an object, or, in some files, of the list of another type.
fn of_types(types: &Value, each: &mut impl FnMut(&str, &Map<String, Value>)) {
    let lists = types.as_array().map_or_else(|| vec![types], |list| list.iter().collect());
    for (kind, definitions) in lists.into_iter().filter_map(Value::as_object).flatten() {
        for definition in definitions.as_array().into_iter().flatten() {
            match definition.as_object() {
                Some(old) if member(definition, "query").is_some() => each(kind, old),
                _ => of_types(definition, each),
            }
        }
    }
}

/// A definition as the file of a project has it.
fn rewritten(kind: &str, old: &Map<String, Value>) -> Value {
    let old = Value::Object(old.clone());
    let text = |key: &str| member(&old, key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut query = text("query");
    let mut parameters = Map::new();
    for (name, value) in member(&old, "defaults").and_then(Value::as_object).into_iter().flatten() {
        let marked = format!("{MARK}{name}{MARK}");
        let word = word_for(name, &query.replace(&marked, ""));
        query = query.replace(&marked, &word);
        parameters.insert(word, value.clone());
    }
    let columns = member(&old, "propertiesAvailable").cloned().unwrap_or_else(|| {
        let mentioned = [COMPUTER, RESOURCE_ID].into_iter().filter(|column| mentions(&query, column));
        mentioned.collect::<Vec<_>>().into()
    });
    let name = member(&old, "definition").or_else(|| member(&old, "name")).cloned().unwrap_or_default();
    let severity = member(&old, "severity").map(|severity| {
        let number = severity.as_u64().or_else(|| severity.as_str()?.parse().ok());
        let known = number.and_then(|number| SEVERITIES.get(usize::try_from(number).ok()?));
        known.map_or_else(|| severity.clone(), |name| json!(name))
    });
    let mut new = Map::new();
    let mut add = |key: &str, value: Value| {
        new.insert(key.to_owned(), value);
    };
    add("type", json!(kind));
    add("name", name);
    add("description", json!(text("description")));
    if let Some(severity) = severity {
        add("severity", severity);
    }
    for key in ["schedule", "threshold"] {
        if let Some(value) = member(&old, key) {
            add(key, value.clone());
        }
    }
    // Nothing else of it has an effect in Azure.
    let suppress = member(&old, "suppress").filter(|suppress| member(suppress, "enabled") == Some(&json!(true)));
    if let Some(minutes) = suppress.and_then(|suppress| member(suppress, "mins")) {
        add("suppress", json!({ "enabled": true, "mins": minutes }));
    }
    if !parameters.is_empty() {
        add("parameters", parameters.into());
    }
    add("columns", columns);
    let query = query.trim_end();
    add("query", json!(if query.contains('\n') { format!("{query}\n") } else { query.to_owned() }));
    new.into()
}

/// The word that stands for a parameter in a query, which has no other word like it.
fn word_for(name: &str, rest: &str) -> String {
    let mut word = if name.starts_with('_') { name.to_owned() } else { format!("_{name}") };
    while mentions(rest, &word) {
        word.insert(0, '_');
    }
    word
}

/// A member of an object, under its name in any letter case.
fn member<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let mut members = object.as_object()?.iter();
    members.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the format of a file of the replaced module, with what such files have: types in a list, one of them within another, numbers for
    /// severities, and parameters in marks.
    const OLD: &str = "\
Severity:
  Critical: 0
Queries:
- Queues:
  - definition: Too_Long
    description: A queue is too long.
    threshold: {operator: greaterThan, value: 0}
    suppress: {enabled: true, mins: 60, windows: 0}
    schedule: {frequencyInMinutes: 15, timeWindowInMinutes: 30}
    severity: 1
    defaults:
      length: 100
      _window: 1h
    propertiesAvailable:
      - Computer
    query: |-
      Queues_CL
      | extend length = Length_d
      | where length > @@@length@@@ and TimeGenerated > ago(@@@_window@@@)
  - SQL:
    - name: Failed
      description: It failed.
      threshold: {operator: greaterThan, value: 0}
      suppress: {enabled: false}
      schedule: {frequencyInMinutes: 30, timeWindowInMinutes: 240}
      severity: Informational
      query: Event | where EventID == 1 | project Computer, _ResourceId
";

    fn rewrite(text: &str) -> Result<(String, Vec<String>), LoadError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("standardDefinitions.yml");
        std::fs::write(&file, text).unwrap();
        rewrite_definitions(&file)
    }

    #[test]
    fn a_file_of_the_replaced_module_becomes_one_that_is_read() {
        let (text, left) = rewrite(OLD).unwrap();
        assert_eq!(left, Vec::<String>::new(), "{text}");
        let document = Document::parse(Some("logAlertDefinitions.yml".into()), text.clone()).unwrap();
        let read = definitions::read(&document).unwrap();
        let names: Vec<(&str, &str)> =
            read.iter().map(|definition| (definition.kind.as_str(), definition.name.as_str())).collect();
        assert_eq!(names, [("Queues", "Too_Long"), ("SQL", "Failed")]);
        assert_eq!(
            read[0].query,
            "Queues_CL\n| extend length = Length_d\n| where length > _length and TimeGenerated > ago(_window)\n"
        );
        assert_eq!(json!(read[0].parameters), json!({"_length": 100, "_window": "1h"}));
        assert!(read[0].has_column("Computer") && !read[0].has_column("_ResourceId"));
        assert_eq!(read[0].suppress.as_ref().map(|suppress| (suppress.enabled, suppress.mins)), Some((true, Some(60))));
        assert!(read[1].has_column("Computer") && read[1].has_column("_ResourceId") && read[1].suppress.is_none());
        assert!(text.contains("severity: Error") && text.contains("severity: Informational"), "{text}");
    }

    #[test]
    fn what_is_left_to_mend_is_told() {
        let (_, left) = rewrite(&OLD.replace("timeWindowInMinutes: 30", "timeWindowInMinutes: 10")).unwrap();
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(left[0].contains("shorter than the frequency"), "{left:?}");
        let LoadError::Findings(findings) = rewrite("definitions: []").unwrap_err() else { panic!() };
        assert!(findings[0].message.starts_with("there is no 'Queries'"), "{findings:?}");
    }

    #[test]
    fn an_old_file_is_told_under_its_name_and_under_ours() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        assert_eq!(unread_definitions(&folders), None);
        std::fs::write(folder.path().join("standardDefinitions.yml"), OLD).unwrap();
        let warning = unread_definitions(&folders).unwrap();
        assert!(warning.contains("standardDefinitions.yml' are not read") && warning.contains("step 5"), "{warning}");
        std::fs::write(folder.path().join("logAlertDefinitions.yml"), OLD).unwrap();
        assert_eq!(unread_definitions(&folders), None);
        let LoadError::Findings(findings) = definitions::of_project(&folders).unwrap_err() else { panic!() };
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert!(finding.message.starts_with("the definitions have the format of the replaced module; 'svc new definitions --from logAlertDefinitions.yml"), "{finding:?}");
    }
}
