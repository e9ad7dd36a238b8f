//! The reference of the settings in `docs/settings`: a page for each settings document, for each file that a project has beside
//! them, and for the context.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use svc_engine::run::registry::{
    COMMANDS, CONTEXT_MEMBERS, Command, ContextMemberKind, PROJECT_FILES, ProjectFile, default_of,
};

use crate::GeneratedFile;

/// The folder of the pages, in the repository.
const FOLDER: &str = "docs/settings";
const COMMENT: &str = "<!-- Generated from the source; changes go there. -->\n\n";
/// The paragraph on what is the same in every document.
const FORMS: &str = "The letter case of keys and of the values of a choice does not matter, numbers may be quoted, and a list of one item may be \
    written as that item.";
/// The sections on what holds for every setting.
const OF_ALL: &str = "## Values and environments\n\nIn every document and in tag settings `$(name)` stands for a value of the environment, and `onlyIn` \
    and `notIn` say which environments have an item of a list, or the document: [environments.md](../environments.md).\n\n## Defaults\n\nA setting \
    that a document leaves out has the default of its page. Defaults shape what is created. What exists keeps the values that a document leaves \
    open, so that nobody's change by hand is undone without a word in the document: the last line of a run counts those that differ from their \
    defaults, verbose output lists them, and `--detailed-exitcode` takes no notice of them. With `enforceDefaults` in the \
    [context](context.md) they are part of the plan; what Azure cannot change stays as it is. What a document says is always enforced.\n\n";
/// Pages with more about a setting: the component, the path and the end of its text.
const MORE: &[(&str, &str, &str)] = &[(
    "logAlerts",
    "groups.alertSets.alerts.definition",
    "[Definitions of log alerts](../log-alerts.md) has what each of them is.",
)];
/// Longer lists of values are left to editors.
const MOST_VALUES: usize = 48;
/// Choices whose meanings stand below the table are only there where they take more than this.
const WIDEST_VALUES: usize = 100;
/// A longer example would push the table apart.
const LONGEST_EXAMPLE: usize = 40;

/// Every page, by its path in the repository.
#[must_use]
pub fn reference_pages() -> Vec<GeneratedFile> {
    let page = |name: &str, text: String| GeneratedFile { path: format!("{FOLDER}/{name}.md"), text };
    let mut pages = vec![page("README", contents()), page("context", context())];
    pages.extend(COMMANDS.iter().map(|command| page(command.component, of_command(command))));
    pages.extend(PROJECT_FILES.iter().map(|file| page(file.name, of_file(file))));
    pages
}

fn contents() -> String {
    let mut text = format!(
        "{COMMENT}# Reference of the settings\n\nEach page has the keys of one document: a table of each object in it, and what each key means and \
        becomes in Azure. The schemas that editors use have the same texts; `svc schema` writes them.\n\n{FORMS} Editors mark a key in \
        another letter case than the schema's, and nothing else that a command takes.\n\n{OF_ALL}## Settings documents\n\n"
    );
    for command in COMMANDS {
        text += &format!("- [{}]({}.md): {}\n", command.component, command.component, command.synopsis);
    }
    text += "\n## Files beside them\n\n";
    for file in PROJECT_FILES {
        text += &format!("- [`{}.yml`]({}.md): {}\n", file.path, file.name, file.synopsis);
    }
    text + "\n## The context\n\n- [The context](context.md): what holds for every document of a session.\n"
}

fn context() -> String {
    let mut text = format!(
        "{COMMENT}# The context\n\nThe members of the context, which `Set-SvcContext` sets for a session, `svc` takes as options, and \
        environment variables set where neither does.\n\n"
    );
    let rows = CONTEXT_MEMBERS.iter().map(|member| {
        let variables: Vec<String> = member.variables().iter().map(|variable| code_in_table(variable)).collect();
        let default = default_of(member).map(code_in_table).unwrap_or_default();
        [
            code_in_table(&format!("-{}", member.parameter)),
            code_in_table(member.name),
            in_words(member.kind).to_owned(),
            default,
            variables.join(", "),
        ]
    });
    text += &table(["Parameter of `Set-SvcContext`", "Member", "Type", "Default", "Variables"], rows.collect());
    text.push('\n');
    for member in CONTEXT_MEMBERS {
        text += &format!("- `{}`: {}\n", member.name, member.help);
    }
    text
}

/// The words for a kind of member of the context, for people.
fn in_words(kind: ContextMemberKind) -> &'static str {
    match kind {
        ContextMemberKind::Text => "text",
        ContextMemberKind::Path => "file",
        ContextMemberKind::Paths => "files or folders",
        ContextMemberKind::Folder => "folder",
        ContextMemberKind::Flag => "true or false",
        ContextMemberKind::Cloud => "cloud or URL",
        ContextMemberKind::Endpoint => "URL",
        ContextMemberKind::Guid => "GUID",
        ContextMemberKind::Duration => "duration",
        ContextMemberKind::TagKey => "key of a tag",
        ContextMemberKind::Number => "whole number",
        ContextMemberKind::Texts => "texts",
    }
}

fn of_command(command: &Command) -> String {
    let mut becomes: Becomes = BTreeMap::new();
    for known in command.arm_properties() {
        let of_type = becomes.entry(known.setting).or_default().entry(known.resource_type).or_default();
        of_type.insert(known.property);
    }
    let schema = command.settings_schema();
    let text = format!(
        "{COMMENT}# Settings of {}\n\n{} A document says `component: {}`. `svc schema {}` prints the same as a JSON Schema. {FORMS}\n\n",
        command.name, command.synopsis, command.component, command.component
    );
    Page { text, component: command.component, becomes }.whole(schema.as_value())
}

fn of_file(file: &ProjectFile) -> String {
    let text = format!(
        "{COMMENT}# The file {}.yml\n\n{} It is looked for in the folder of the settings document, and in those above it up to the \
        root of the project; it may also end with `.yaml` or `.json`. `svc schema {}` prints the same as a JSON Schema. {FORMS}\n\n",
        file.path, file.synopsis, file.name
    );
    let page = Page { text, component: file.name, becomes: BTreeMap::new() };
    let mut text = page.whole(file.schema().as_value());
    // The tests deploy a project that has all of these files.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/migration/project/{}.yml", file.path));
    if let Ok(example) = std::fs::read_to_string(path) {
        text += &format!("\n## Example\n\n```yaml\n{}\n```\n", example.trim_end());
    }
    text
}

/// The properties in Azure that settings become: by the paths of the settings, then by the types of resources.
type Becomes = BTreeMap<String, BTreeMap<&'static str, BTreeSet<String>>>;

struct Page {
    text: String,
    /// The document that the page is about.
    component: &'static str,
    becomes: Becomes,
}

/// An object of the settings that gets a section.
struct Section {
    path: String,
    description: String,
    schema: Value,
}

impl Page {
    fn whole(mut self, schema: &Value) -> String {
        let root = Section { path: String::new(), description: String::new(), schema: schema.clone() };
        self.section(&root);
        self.text
    }

    fn section(&mut self, section: &Section) {
        if !section.path.is_empty() {
            self.text += &format!("\n## {}\n\n{}\n\n", section.path, section.description);
        }
        let Some(properties) = section.schema["properties"].as_object() else { return };
        let required: Vec<&str> =
            section.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let aliased: Vec<&str> = section.schema["allOf"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|rule| rule["else"]["required"].as_array().into_iter().flatten())
            .filter_map(Value::as_str)
            .collect();
        let (mut rows, mut meanings, mut inner) = (Vec::new(), String::new(), Vec::new());
        for (key, property) in properties {
            let path = if section.path.is_empty() { key.clone() } else { format!("{}.{key}", section.path) };
            let object = object_in(property)
                .filter(|object| object["properties"].as_object().is_some_and(|keys| !keys.is_empty()));
            let link = object.map(|object| link(&path, property, object, &mut inner));
            let is_mandatory = required.contains(&key.as_str()) || aliased.contains(&key.as_str());
            rows.push([
                code_in_table(key),
                type_of(property, link.as_deref()),
                if is_mandatory { "yes" } else { "" }.to_owned(),
                property.get("default").map(shown_in_table).unwrap_or_default(),
                values(property),
                example(property),
            ]);
            meanings += &self.meaning(key, &path, property);
        }
        self.text += &table(["Key", "Type", "Mandatory", "Default", "Values", "Example"], rows);
        self.text += &format!("\n{meanings}");
        for section in inner {
            self.section(&section);
        }
    }

    fn meaning(&self, key: &str, path: &str, property: &Value) -> String {
        let mut text = format!("- `{key}`: {}", property["description"].as_str().unwrap_or_default());
        let documented = documented(property);
        let kinds = documented["enum"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(documented["enumDescriptions"].as_array().into_iter().flatten());
        let kinds: Vec<String> = kinds
            .filter(|(value, meaning)| !value.is_null() && *meaning != "")
            .map(|(value, meaning)| format!("{}: {}", shown(value), meaning.as_str().unwrap_or_default()))
            .collect();
        if !kinds.is_empty() {
            text += &format!(" {}", kinds.join(" "));
        }
        let offered = property.get("defaultSnippets").or_else(|| property["items"].get("defaultSnippets"));
        let offered: Vec<String> =
            offered.and_then(Value::as_array).into_iter().flatten().map(|snippet| shown(&snippet["label"])).collect();
        if !offered.is_empty() && offered.len() <= MOST_VALUES {
            text += &format!(" Editors offer {}.", offered.join(", "));
        }
        if let Some((.., more)) = MORE.iter().find(|(component, of, _)| *component == self.component && *of == path) {
            text += &format!(" {more}");
        }
        let long = example_of(property).map(shown).filter(|example| !fits_in_table(example));
        if let Some(example) = long {
            text += &format!(" Example: {}.", example.replace('\n', " "));
        }
        if let Some(becomes) = self.becomes.get(path) {
            // Types that have it at the same place are named together.
            let mut types: BTreeMap<&BTreeSet<String>, Vec<&str>> = BTreeMap::new();
            for (resource_type, properties) in becomes {
                types.entry(properties).or_default().push(resource_type);
            }
            let of_types = types.iter().map(|(properties, types)| {
                let properties: Vec<String> = properties.iter().map(|property| code(property)).collect();
                format!("{} of {}", properties.join(", "), types.join(", "))
            });
            text += &format!(" In Azure: {}.", of_types.collect::<Vec<_>>().join("; "));
        }
        text + "\n"
    }
}

/// A link to the section of an object, which is among those to come.
fn link(path: &str, property: &Value, object: &Value, inner: &mut Vec<Section>) -> String {
    let description = [object, property].iter().find_map(|schema| schema["description"].as_str()).unwrap_or_default();
    inner.push(Section { path: path.to_owned(), description: description.to_owned(), schema: object.clone() });
    format!("[{path}](#{})", path.replace('.', "").to_lowercase())
}

/// The part of a schema that has the documented values of a choice, of a list those of its items.
fn documented(schema: &Value) -> &Value {
    let has_choice = |schema: &&Value| schema.get("enum").is_some();
    schema["anyOf"].as_array().into_iter().flatten().find(has_choice).unwrap_or(schema)
}

/// The schema of the object that a value, or an item of a list, may be.
fn object_in(schema: &Value) -> Option<&Value> {
    if schema.get("properties").is_some() {
        return Some(schema);
    }
    let list = schema.get("items").or_else(|| schema.get("else")?.get("items"));
    list.and_then(object_in).or_else(|| schema["anyOf"].as_array()?.iter().find_map(object_in))
}

fn type_of(schema: &Value, link: Option<&str>) -> String {
    let is_list = schema.get("items").is_some() || schema.get("else").is_some();
    if is_list {
        let items = schema.get("items").or_else(|| schema["else"].get("items")).unwrap_or(&Value::Null);
        return match (type_of(items, link), link) {
            (_, Some(link)) if items.get("anyOf").is_none() => format!("list of objects, {link}"),
            (item, _) => format!("list of {item}"),
        };
    }
    if documented(schema).get("enum").is_some() {
        return "choice".to_owned();
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        return alternatives.iter().map(|kind| type_of(kind, link)).collect::<Vec<_>>().join(" or ");
    }
    let first = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("any");
    match (first, link) {
        ("object", None) if schema["additionalProperties"] == false => "object without keys".to_owned(),
        ("object", None) => "object, with keys of your own".to_owned(),
        ("object", Some(link)) => format!("object, {link}"),
        ("string", _) => "text".to_owned(),
        ("integer", _) => "whole number".to_owned(),
        ("boolean", _) => "true or false".to_owned(),
        (name, _) => name.to_owned(),
    }
}

fn values(schema: &Value) -> String {
    let items = schema.get("items").or_else(|| schema["else"].get("items"));
    if let Some(items) = items {
        return values(items);
    }
    let schema = documented(schema);
    let choices: Vec<String> =
        schema["enum"].as_array().into_iter().flatten().filter(|value| !value.is_null()).map(shown_in_table).collect();
    let has_meanings = schema["enumDescriptions"].is_array();
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("{least} or more"),
        _ if has_meanings && choices.join(", ").len() > WIDEST_VALUES => "see below".to_owned(),
        _ => choices.join(", "),
    }
}

fn example(schema: &Value) -> String {
    example_of(schema).map(shown_in_table).filter(|example| fits_in_table(example)).unwrap_or_default()
}

fn example_of(schema: &Value) -> Option<&Value> {
    schema["examples"].get(0).or_else(|| schema["items"]["examples"].get(0))
}

fn fits_in_table(example: &str) -> bool {
    example.chars().count() <= LONGEST_EXAMPLE && !example.contains('\n')
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => code(text),
        other => code(&other.to_string()),
    }
}

fn code(text: &str) -> String {
    format!("`{}`", text.trim())
}

fn shown_in_table(value: &Value) -> String {
    shown(value).replace('|', "\\|")
}

fn code_in_table(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A table whose columns stand under each other, without those that no row says anything in.
fn table<const COLUMNS: usize>(head: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or_default()
    };
    let said = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let columns: Vec<usize> = (0..COLUMNS).filter(said).collect();
    let line = |cells: Vec<&str>| {
        let cells = columns.iter().map(|column| format!(" {:width$} |", cells[*column], width = width(*column)));
        format!("|{}\n", cells.collect::<String>())
    };
    let rule: String = columns.iter().map(|column| format!("{}|", "-".repeat(width(*column) + 2))).collect();
    let rows = rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
    format!("{}|{rule}\n{}", line(head.to_vec()), rows.collect::<String>())
}
