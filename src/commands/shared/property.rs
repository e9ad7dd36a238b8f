//! Properties of resources that one setting says each. A list of them is the one place that knows setting, path and default: of it are made
//! the body, the places of the body, the document of an export, and the defaults in the schema.

use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

use super::compilation::Compilation;
use super::export::{off, plain, said};
use crate::azure::ResourceType;
use crate::desired::Desired;
use crate::settings::WrittenKey;

/// A property that a setting of `S` says.
pub(in crate::commands) struct Property<S: 'static> {
    /// The setting, from that of the resource: `minimumTlsVersion`; from the root behind a slash.
    setting: &'static str,
    /// The path in the body: `properties.minimumTlsVersion`.
    path: &'static str,
    /// The value as the settings spell it; none where they leave it open.
    said: fn(&S) -> Option<Value>,
    unsaid: Unsaid,
    /// A value that Azure has retired stays where it exists; else the default takes its place there, too.
    keeps_retired: bool,
    spelling: Spelling,
}

/// The value of a property that the settings leave open.
#[derive(Debug, Clone, Copy)]
enum Unsaid {
    /// A new resource gets it; an existing one keeps its own.
    New(Literal),
    /// Every resource gets it.
    Every(Literal),
    /// The settings always say it.
    Nothing,
}

/// The words of the settings for the values of Azure.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Spelling {
    /// The value of Azure for one of the settings.
    pub(in crate::commands) azures: fn(&Value) -> Value,
    /// The value of the settings for one of Azure; none where they have no word for it.
    pub(in crate::commands) ours: fn(&Value) -> Option<Value>,
}

const SAME: Spelling = Spelling { azures: Value::clone, ours: |value| Some(value.clone()) };

/// A value in the source.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) enum Literal {
    Text(&'static str),
    Whole(i64),
    Flag(bool),
}

impl Literal {
    fn value(self) -> Value {
        match self {
            Literal::Text(text) => text.into(),
            Literal::Whole(number) => number.into(),
            Literal::Flag(flag) => flag.into(),
        }
    }
}

impl<S> Property<S> {
    /// A property with its value, and with what a new resource gets where the settings leave it open.
    pub(in crate::commands) const fn new(
        setting: &'static str,
        path: &'static str,
        default: Literal,
        said: fn(&S) -> Option<Value>,
    ) -> Property<S> {
        Property { unsaid: Unsaid::New(default), ..Property::required(setting, path, said) }
    }

    /// The same where an existing resource gets the default as well.
    pub(in crate::commands) const fn always(
        setting: &'static str,
        path: &'static str,
        default: Literal,
        said: fn(&S) -> Option<Value>,
    ) -> Property<S> {
        Property { unsaid: Unsaid::Every(default), ..Property::required(setting, path, said) }
    }

    /// The same of a setting without a default.
    pub(in crate::commands) const fn required(
        setting: &'static str,
        path: &'static str,
        said: fn(&S) -> Option<Value>,
    ) -> Property<S> {
        Property { setting, path, said, unsaid: Unsaid::Nothing, keeps_retired: false, spelling: SAME }
    }

    /// The same where the settings have words of their own.
    pub(in crate::commands) const fn spelled(self, spelling: Spelling) -> Property<S> {
        Property { spelling, ..self }
    }

    /// The key of the setting.
    fn key(&self) -> &'static str {
        self.setting.trim_start_matches('/')
    }

    fn default(&self) -> Option<Value> {
        match self.unsaid {
            Unsaid::New(default) | Unsaid::Every(default) => Some(default.value()),
            Unsaid::Nothing => None,
        }
    }

    /// The same where a retired value stays as it is on what exists.
    pub(in crate::commands) const fn keeping_retired(self) -> Property<S> {
        Property { keeps_retired: true, ..self }
    }
}

/// The value of a setting as it is sent; none where it is left open.
pub(in crate::commands) fn sent<T: Serialize>(setting: Option<T>) -> Option<Value> {
    serde_json::to_value(setting?).ok()
}

/// The word of the settings for one of the values that a setting may have.
pub(in crate::commands) fn spelled(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        _ => String::new(),
    }
}

/// Puts the properties of a list into what is wanted, with the settings that they come from. What Azure has retired is told, and replaced by
/// the default.
pub(in crate::commands) fn put<S>(
    properties: &[Property<S>],
    settings: &S,
    desired: &mut Desired,
    compilation: &mut Compilation<'_>,
) {
    for property in properties {
        desired.origins.push((property.path, property.setting));
        let azures = |value: &Value| (property.spelling.azures)(value);
        let default = property.default().as_ref().map_or(Value::Null, azures);
        let mut said = (property.said)(settings).as_ref().map(azures);
        if let Some(value) = &said
            && let Some(notice) = desired.resource_type.retirement(property.path, value)
        {
            let used = default.as_str().unwrap_or_default();
            let what = if property.keeps_retired {
                desired.also_right.push((property.path, value.clone()));
                format!("a new {} gets {used}, an existing one stays as it is", desired.resource_type.label)
            } else {
                format!("{used} is used")
            };
            compilation.warning(&desired.place.dotted(property.setting), format!("{notice}; {what}"));
            said = Some(default.clone());
        }
        match property.unsaid {
            Unsaid::New(_) => desired.set(property.path, said, default),
            Unsaid::Every(_) | Unsaid::Nothing => desired.set(property.path, said.or(Some(default)), Value::Null),
        }
    }
}

/// The keys of a document that says what a body has. What Azure has retired does not count: saying it would ask for what has taken its place.
pub(in crate::commands) fn keys<S>(
    properties: &[Property<S>],
    resource_type: &ResourceType,
    existing: &Value,
) -> Vec<WrittenKey> {
    let key = |property: &Property<S>| {
        let value = said(existing, property.path)?;
        let notice = resource_type.retirement(property.path, &value);
        let key = plain(property.key(), (property.spelling.ours)(&value)?);
        let key = WrittenKey { is_required: matches!(property.unsaid, Unsaid::Nothing), ..key };
        Some(match notice {
            Some(notice) => off(key, &format!("{notice}; what is there stays")),
            None => key,
        })
    };
    properties.iter().filter_map(key).collect()
}

/// The properties of what stands at one place of the settings, for the schema.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct PropertiesAt {
    /// The place, without the numbers of items: `storageAccounts.fileShare`.
    at: &'static str,
    defaults: fn() -> Vec<(&'static str, Value)>,
}

impl PropertiesAt {
    /// Those of a list; `defaults` is [`defaults`] of it.
    pub(in crate::commands) const fn new(
        at: &'static str,
        defaults: fn() -> Vec<(&'static str, Value)>,
    ) -> PropertiesAt {
        PropertiesAt { at, defaults }
    }

    /// Writes the defaults into the schema of a settings type.
    pub(super) fn write_into(&self, schema: &mut Schema) {
        let pointer = self.pointer(schema);
        for (setting, default) in (self.defaults)() {
            if let Some(Value::Object(setting)) = schema.pointer_mut(&format!("{pointer}/{setting}")) {
                setting.insert("default".to_owned(), default);
            }
        }
    }

    /// The place of its settings in a schema.
    fn pointer(&self, schema: &Schema) -> String {
        let mut pointer = String::new();
        for key in self.at.split('.').filter(|key| !key.is_empty()) {
            pointer.push_str(&format!("/properties/{key}"));
            // A list has its items one level below.
            if schema.pointer(&format!("{pointer}/items")).is_some() {
                pointer.push_str("/items");
            }
        }
        pointer + "/properties"
    }
}

/// The settings of a list, each with its default.
pub(in crate::commands) fn defaults<S>(properties: &[Property<S>]) -> Vec<(&'static str, Value)> {
    properties.iter().filter_map(|property| Some((property.key(), property.default()?))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Literal::{Flag, Text};
    use super::*;
    use crate::azure::types::STORAGE_ACCOUNT;
    use crate::commands::shared::compilation::{Compilation, Project};
    use crate::commands::shared::lookup::Services;
    use crate::settings::{Document, Place, SettingsPath, Written};

    struct Account {
        tls: Option<&'static str>,
        https: Option<bool>,
    }

    const PROPERTIES: &[Property<Account>] = &[
        Property::new("tls", "properties.minimumTlsVersion", Text("TLS1_2"), |account| sent(account.tls)),
        Property::new("https", "properties.supportsHttpsTrafficOnly", Flag(true), |account| sent(account.https)),
    ];

    fn wanted(account: &Account) -> (Desired, Vec<String>) {
        let project = Project::without_files();
        let mut compilation = Compilation::new(&project, &Services::NotRead);
        let place = Place::value(&Document::from_object(json!({})).unwrap(), SettingsPath::root());
        let id = STORAGE_ACCOUNT.child_of(&crate::azure::ResourceId::new("/subscriptions/s/resourceGroups/g"), "a");
        let mut desired = Desired::new(id, &STORAGE_ACCOUNT, json!({}), place);
        put(PROPERTIES, account, &mut desired, &mut compilation);
        (desired, compilation.finish().warnings.into_iter().map(|warning| warning.message).collect())
    }

    #[test]
    fn an_entry_is_the_body_its_place_the_export_and_the_schema() {
        let (desired, warnings) = wanted(&Account { tls: None, https: Some(false) });
        assert_eq!(desired.body, json!({ "properties": { "supportsHttpsTrafficOnly": false } }));
        assert_eq!(desired.creation_body, json!({ "properties": { "minimumTlsVersion": "TLS1_2" } }));
        assert_eq!(desired.origin("properties.supportsHttpsTrafficOnly").path().to_string(), "https");
        assert_eq!(warnings, Vec::<String>::new());
        let written = keys(PROPERTIES, &STORAGE_ACCOUNT, &desired.body);
        let [WrittenKey { key, value: Written::Plain(value), is_off: false, .. }] = &written[..] else {
            panic!("{written:?}")
        };
        assert_eq!((key.as_str(), value), ("https", &json!(false)));
        let property = || json!({ "type": "string" });
        let mut schema = schemars::json_schema!({ "properties": { "accounts": { "items": { "properties": { "tls": property(), "https": property() } } } } });
        PropertiesAt::new("accounts", || defaults(PROPERTIES)).write_into(&mut schema);
        let described = schema.pointer("/properties/accounts/items/properties").unwrap();
        assert_eq!((&described["tls"]["default"], &described["https"]["default"]), (&json!("TLS1_2"), &json!(true)));
    }

    #[test]
    fn what_is_retired_is_told_replaced_and_left_out_of_exports() {
        let (desired, warnings) = wanted(&Account { tls: Some("TLS1_0"), https: None });
        assert_eq!(desired.body, json!({ "properties": { "minimumTlsVersion": "TLS1_2" } }));
        assert!(warnings.len() == 1 && warnings[0].ends_with("; TLS1_2 is used"), "{warnings:?}");
        let written = keys(PROPERTIES, &STORAGE_ACCOUNT, &json!({ "properties": { "minimumTlsVersion": "TLS1_0" } }));
        assert!(written.len() == 1 && written[0].is_off, "{written:?}");
    }

    #[test]
    fn every_place_and_setting_of_a_list_is_in_the_schema_of_its_command() {
        let mut lists = 0;
        for command in crate::commands::COMMANDS {
            let schema = command.type_schema();
            for properties in command.properties {
                let pointer = properties.pointer(&schema);
                for (setting, default) in (properties.defaults)() {
                    let written = schema.pointer(&format!("{pointer}/{setting}/default"));
                    assert_eq!(written, Some(&default), "{} {}.{setting}", command.name, properties.at);
                }
                lists += 1;
            }
        }
        assert!(lists > 0);
    }
}
