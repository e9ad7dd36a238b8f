//! Checks objects: their keys, those that are missing, and those that mean nothing.

use serde_json::{Map, Value};

use super::super::hidden::ADDRESS;
use super::{Checker, describe};
use crate::protocol::{FindingCode, nearest};
use crate::settings::document::counts_as_absent;
use crate::settings::finding::{Finding, Place};
use crate::settings::path::SettingsPath;
use crate::settings::shape::{Field, Shape};

impl Checker<'_> {
    pub(super) fn object(&mut self, fields: &[Field], value: &Value, path: &SettingsPath) -> Option<Value> {
        let Some(members) = value.as_object() else {
            return self.wrong_object(value, path, "an object", "its", fields);
        };
        let mut object = Map::new();
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let mut misspelled: Vec<&str> = Vec::new();
        for (key, member) in members {
            let Some(field) = fields.iter().find(|field| field.is_called(key)) else {
                misspelled.extend(self.unknown_key(fields, key, path));
                continue;
            };
            if let Some((_, first)) = seen.iter().find(|(name, _)| *name == field.name) {
                let message = if first.eq_ignore_ascii_case(key) {
                    format!("duplicate key '{}'; letter case makes no difference", field.name)
                } else {
                    format!("'{key}' and '{first}' are two names of one setting; remove one of them")
                };
                self.add(Place::key(self.document, path.key(key)), FindingCode::DuplicateKey, message);
                continue;
            }
            seen.push((&field.name, key));
            self.member(field, member, path, &mut object);
        }
        for field in fields.iter().filter(|field| !seen.iter().any(|(name, _)| *name == field.name)) {
            let is_misspelled = misspelled.contains(&field.name.as_str());
            if is_misspelled && !self.ignores_unknown_keys {
                // The finding of its key says it already.
                self.stand_in(&path.key(&field.name), &field.shape, field.required);
            } else if field.required || field.required_key {
                self.missing(field, path);
            } else if is_misspelled {
                self.stand_in(&path.key(&field.name), &field.shape, false);
            }
        }
        Some(Value::Object(object))
    }

    /// Puts a member into its object.
    pub(super) fn member(
        &mut self,
        field: &Field,
        value: &Value,
        path: &SettingsPath,
        object: &mut Map<String, Value>,
    ) {
        let path = &path.key(&field.name);
        if let Some(value) = self.value(&field.shape, value, path) {
            object.insert(field.name.clone(), value);
        } else if !counts_as_absent(value) {
            self.stand_in(path, &field.shape, field.required);
        } else if field.required && is_empty_list(&field.shape, value) {
            object.insert(field.name.clone(), Value::Array(Vec::new()));
        } else if field.required {
            self.missing_at(field, path);
        }
    }

    pub(super) fn map(&mut self, values: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        let Some(members) = value.as_object() else {
            return self.wrong_type(value, path, "an object with keys and values");
        };
        let mut object = Map::new();
        for (key, member) in members {
            // Values without a type are for the one who reads them, null included.
            let member =
                if *values == Shape::Any { Some(member.clone()) } else { self.value(values, member, &path.key(key)) };
            match member {
                Some(member) => drop(object.insert(key.clone(), member)),
                None if !counts_as_absent(&members[key]) => self.stand_in(&path.key(key), values, false),
                None => {}
            }
        }
        Some(Value::Object(object))
    }

    pub(super) fn wrong_object(
        &mut self,
        value: &Value,
        path: &SettingsPath,
        wanted: &str,
        whose: &str,
        fields: &[Field],
    ) -> Option<Value> {
        let keys: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let keys = if keys.is_empty() { String::new() } else { format!("; {whose} keys are {}", keys.join(", ")) };
        // Something in the place of a document may be anything, such as the file of a token.
        let found = if value.is_string() && path.0.is_empty() { "a text".to_owned() } else { describe(value) };
        let message = format!("expected {wanted}, found {found}{keys}");
        self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
        None
    }

    /// Notes a key that means nothing. Returns the field that was meant, where one is near.
    pub(super) fn unknown_key<'f>(&mut self, fields: &'f [Field], key: &str, path: &SettingsPath) -> Option<&'f str> {
        if key.contains(ADDRESS) {
            // `{serviceUri:https://…}` is one key; the place shows it no more than the message.
            let message = "unknown key with a URL in it; is a space missing after a colon?".to_owned();
            self.add(Place::value(self.document, path.clone()), FindingCode::UnknownKey, message);
            return None;
        }
        let names = || fields.iter().map(|field| field.name.as_str());
        let near = nearest(key, names());
        let message = match near {
            Some(near) => format!("unknown key, did you mean '{near}'?"),
            None if fields.is_empty() => "unknown key; no keys are allowed here".to_owned(),
            None => format!("unknown key; known keys are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let place = Place::key(self.document, path.key(key));
        if self.ignores_unknown_keys {
            let message = format!("{message}{}", if near.is_some() { " It is ignored" } else { "; it is ignored" });
            self.warnings.push(Finding { place, code: FindingCode::UnknownKey, message });
        } else {
            self.add(place, FindingCode::UnknownKey, message);
        }
        near
    }

    pub(super) fn missing(&mut self, field: &Field, path: &SettingsPath) {
        self.missing_at(field, &path.key(&field.name));
    }

    pub(super) fn missing_at(&mut self, field: &Field, path: &SettingsPath) {
        self.add(Place::value(self.document, path.clone()), FindingCode::Missing, "required, but not set".to_owned());
        self.stand_in(path, &field.shape, field.required);
    }
}

impl Field {
    fn is_called(&self, key: &str) -> bool {
        self.name.eq_ignore_ascii_case(key) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(key))
    }
}

/// Whether an empty list, or one of empty items, is written where a list is expected.
fn is_empty_list(shape: &Shape, value: &Value) -> bool {
    matches!(shape, Shape::List { least: 0, .. }) && value.is_array()
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::super::fixture::{Settings, read};
    use super::super::{check, check_known_keys};
    use crate::settings::{Document, Editor, editor_schema, schema_of};

    #[test]
    fn a_key_that_has_to_be_there_may_be_empty() {
        #[derive(Debug, Deserialize, JsonSchema)]
        struct Marked {
            #[schemars(extend("x-required-key" = true))]
            component: Option<String>,
        }
        let read = |text: &str| {
            let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
            check::<Marked>(&document).map_err(|findings| findings[0].warning().message)
        };
        assert_eq!(read("component:\n").unwrap().component, None);
        assert_eq!(read("{}").unwrap_err(), "s.yml:1:1: component: required, but not set");
        let offered = |_: &str| Vec::new();
        let editor = Editor {
            id: "urn:t",
            title: "T",
            documents: &[],
            example: |_, _| None,
            offered,
            ignores_unknown_keys: false,
        };
        let schema = editor_schema(&schema_of::<Marked>(), &editor);
        assert_eq!(schema.as_value()["required"], json!(["component"]));
    }

    #[test]
    fn keys_that_mean_nothing_may_be_warnings() {
        let document = Document::parse(Some("n.yml".into()), "accounts: []\nqueu: a\n".to_owned()).unwrap();
        let (_, warnings) = check_known_keys::<Settings>(&document).unwrap();
        assert_eq!(warnings[0].warning().message, "n.yml:2:1: queu: unknown key, did you mean 'queue'? It is ignored");
    }

    #[test]
    fn mandatory_fields_may_not_be_empty() {
        for text in ["region: x\n", "accounts:\n", "accounts: []\npatterns: []\nregion: [x]\n"] {
            assert_eq!(read(text).unwrap_err().len(), 1, "{text}");
        }
        assert_eq!(
            read("accounts: [{accountName: ''}]\n").unwrap_err(),
            ["s.yml:1:26 accounts[0].accountName: required, but not set"]
        );
    }
}
