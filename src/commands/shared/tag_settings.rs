//! Tag settings: the tags that a command puts on what it deploys.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use crate::desired::{Tag, Tags};
use crate::protocol::FindingCode;
use crate::settings::{Document, Finding, Place, SettingsPath, check, misnamed, project_file, schema_of};

/// A project's own tag settings, without the ending.
const PROJECT_FILE: &str = "_tags/globalTags";

/// Longest value of a tag, in characters (Azure Resource Manager, "Use tags", limitations).
pub(super) const LONGEST_VALUE: usize = 256;
/// Longest key of a tag on any type (same source).
const LONGEST_KEY: usize = 512;
/// Characters a key may not hold (same source).
const REFUSED_IN_KEYS: &[char] = &['<', '>', '%', '&', '\\', '?', '/'];

/// A tag settings file. Other commands of the replaced module used more of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TagSettings {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["tags"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    component: Option<String>,
    /// The tags, in two lists. No key may be in both.
    tags: Option<TagLists>,
    /// Accepted, but ignored: resources that are tagged by other means.
    #[schemars(extend("deprecated" = true))]
    #[expect(dead_code, reason = "only the tagging command of the replaced module used it")]
    resource_ids: Option<Value>,
    /// Accepted, but ignored: resource groups that are tagged by other means.
    #[schemars(extend("deprecated" = true))]
    #[expect(dead_code, reason = "only the tagging command of the replaced module used it")]
    resource_group_ids: Option<Value>,
}

/// Tags by their keys.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TagLists {
    /// Tags that must have a value: text, a number, true or false.
    #[schemars(extend("x-values" = "given scalars"))]
    mandatory: Option<BTreeMap<String, Value>>,
    /// Other tags; one without a value is left out.
    #[schemars(extend("x-values" = "scalars"))]
    custom: Option<BTreeMap<String, Value>>,
}

/// The JSON Schema of a tag settings file.
pub(in crate::commands) fn schema() -> Schema {
    schema_of::<TagSettings>()
}

/// The project's `_tags/globalTags.yml`, where there is one.
#[must_use]
pub fn tag_file(project_folders: &[PathBuf]) -> Option<PathBuf> {
    project_file(project_folders, PROJECT_FILE)
}

/// The tags of a tag settings file.
///
/// # Errors
/// What is wrong with it, or what Azure refuses of it.
pub fn tags_of(document: &Arc<Document>) -> Result<Tags, Vec<Finding>> {
    let settings: TagSettings = check(document)?;
    let lists = settings.tags.unwrap_or_default();
    let mut reader = Reader { document, tags: Tags::new(), findings: Vec::new() };
    reader.take("mandatory", lists.mandatory.unwrap_or_default());
    reader.take("custom", lists.custom.unwrap_or_default());
    if reader.findings.is_empty() { Ok(reader.tags) } else { Err(reader.findings) }
}

/// Warnings of files in the `_tags` folders of a project that are not called as its tag settings are; none where there are such.
#[must_use]
pub fn misnamed_tags(project_folders: &[PathBuf]) -> Vec<String> {
    let (folder, name) = PROJECT_FILE.split_once('/').unwrap_or_default();
    let before =
        project_folders.iter().take_while(|project| project_file(&[(*project).clone()], PROJECT_FILE).is_none());
    before.flat_map(|project| misnamed(&project.join(folder), &[name])).collect()
}

/// Whether a document is a tag settings file: it has tags, and nothing that such a file has not.
#[must_use]
pub fn is_tag_settings(document: &Value) -> bool {
    const KEYS: &[&str] = &["component", "tags", "resourceIds", "resourceGroupIds"];
    let is = |key: &str, known: &str| key.eq_ignore_ascii_case(known);
    document.as_object().is_some_and(|members| {
        members.keys().any(|key| is(key, "tags")) && members.keys().all(|key| KEYS.iter().any(|known| is(key, known)))
    })
}

struct Reader<'a> {
    document: &'a Arc<Document>,
    tags: Tags,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn take(&mut self, list: &str, tags: BTreeMap<String, Value>) {
        for (key, value) in tags {
            let path = SettingsPath::root().key("tags").key(list).key(&key);
            let text = match value {
                Value::String(text) => text,
                Value::Number(number) => {
                    self.document.spelling(&path).map_or_else(|| number.to_string(), str::to_owned)
                }
                Value::Bool(flag) => flag.to_string(),
                // `key:` with nothing after it is as empty as `key: ""`.
                Value::Null => String::new(),
                Value::Array(_) | Value::Object(_) => {
                    self.add(path, FindingCode::WrongType, "expected text, a number, true or false".to_owned());
                    continue;
                }
            };
            if text.trim().is_empty() {
                if list == "mandatory" {
                    self.add(path, FindingCode::Missing, "the mandatory tag has no value".to_owned());
                }
                continue;
            }
            self.check_key(&path, &key);
            let length = text.chars().count();
            if length > LONGEST_VALUE {
                let message = format!("the value has {length} characters; tag values can have at most {LONGEST_VALUE}");
                self.add(path.clone(), FindingCode::TagsRefused, message);
            }
            if let Some(other) = self.tags.keys().find(|other| other.eq_ignore_ascii_case(&key)) {
                let message = format!("duplicate tag, also set as '{other}'; letter case makes no difference");
                self.add(path, FindingCode::DuplicateKey, message);
                continue;
            }
            let place = Place::value(self.document, path);
            self.tags.insert(key, Tag { value: text, place, publishes: false });
        }
    }

    fn check_key(&mut self, path: &SettingsPath, key: &str) {
        if let Some(refused) = key.chars().find(|character| REFUSED_IN_KEYS.contains(character)) {
            let message = format!(
                "a tag key must not contain '{refused}' or any other of {}",
                REFUSED_IN_KEYS.iter().collect::<String>()
            );
            self.add(path.clone(), FindingCode::TagsRefused, message);
        }
        if key.chars().count() > LONGEST_KEY {
            self.add(
                path.clone(),
                FindingCode::TagsRefused,
                format!("a tag key can have at most {LONGEST_KEY} characters"),
            );
        }
    }

    fn add(&mut self, path: SettingsPath, code: FindingCode, message: String) {
        self.findings.push(Finding { place: Place::value(self.document, path), code, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BTreeMap<String, String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tags.yml");
        std::fs::write(&path, text).unwrap();
        let document = Document::load(&path, "tag settings").map_err(|error| error.report().failure.message)?;
        let tags =
            tags_of(&document).map_err(|findings| crate::settings::settings_invalid(&findings).failure.message)?;
        Ok(tags.into_iter().map(|(key, tag)| (key, tag.value)).collect())
    }

    #[test]
    fn mandatory_and_custom_are_one_list() {
        let text = "component: tags\nresourceIds:\ntags:\n  mandatory: {Owner: ops, cost: 42}\n  custom: {live: true, version: 1.10, empty: '', nothing: }\n";
        let expected = [("Owner", "ops"), ("cost", "42"), ("live", "true"), ("version", "1.10")];
        assert_eq!(
            read(text).unwrap(),
            expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        );
        assert_eq!(read("tags:\n").unwrap(), BTreeMap::new());
    }

    #[test]
    fn what_azure_refuses() {
        let long = "x".repeat(257);
        let text = format!(
            "tags:\n  mandatory:\n    owner: ''\n    a/b: x\n  custom:\n    long: {long}\n    Owner: x\n    owner: y\n    list: [1]\n"
        );
        assert_eq!(
            read(&text).unwrap_err(),
            "tags.yml has 5 problems:\n[1] 3:12 tags.mandatory.owner: the mandatory tag has no value\n\
             [2] 4:10 tags.mandatory.a/b: a tag key must not contain '/' or any other of <>%&\\?/\n\
             [3] 6:11 tags.custom.long: the value has 257 characters; tag values can have at most 256\n\
             [4] 8:12 tags.custom.owner: duplicate tag, also set as 'Owner'; letter case makes no difference\n\
             [5] 9:11 tags.custom.list: expected text, a number, true or false"
        );
    }

    #[test]
    fn the_projects_own_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("_tags")).unwrap();
        std::fs::write(folder.path().join("_tags/globalTags.yml"), "tags: {mandatory: {a: b}}").unwrap();
        let folders = [folder.path().join("below"), folder.path().to_owned()];
        assert_eq!(tag_file(&folders), Some(folder.path().join("_tags/globalTags.yml")));
        assert_eq!(tag_file(&folders[..1]), None);
    }

    #[test]
    fn a_file_of_another_name_is_told_where_there_are_no_tag_settings() {
        let folder = tempfile::tempdir().unwrap();
        let (near, far) = (folder.path().join("near"), folder.path().to_owned());
        for (project, name) in [(&near, "tags.yml"), (&far, "globaltags.yml"), (&far, "globalTags.json")] {
            std::fs::create_dir_all(project.join("_tags")).unwrap();
            std::fs::write(project.join("_tags").join(name), "").unwrap();
        }
        // What is beside tag settings may be for -TagSettingsFile.
        let told = ["The file '_tags/tags.yml' is not read: _tags is for globalTags.yml."];
        assert_eq!(misnamed_tags(&[near, far.clone()]), told);
        std::fs::remove_file(far.join("_tags/globalTags.json")).unwrap();
        assert_eq!(
            misnamed_tags(&[far]),
            ["The file '_tags/globaltags.yml' is not read: did you mean 'globalTags.yml'?"]
        );
    }
}
