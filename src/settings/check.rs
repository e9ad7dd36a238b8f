//! Checks a document against its type, reports every finding at once, and spells it canonically.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::document::Document;
use super::finding::{Finding, Place};
use super::path::SettingsPath;
use super::shape::{Field, Shape, schema_of};
use super::vocabulary;
use crate::protocol::{FindingCode, alternatives, nearest, not_valid};

/// Reads a document as a settings type. Keys and enumerations are matched ignoring case; null, an empty list and, for
/// text, `""` count as absent; numbers and booleans may be quoted; a single item is a list of one.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn check<T: DeserializeOwned + JsonSchema>(document: &Arc<Document>) -> Result<T, Vec<Finding>> {
    let shape = Shape::from_schema(schema_of::<T>().as_value());
    let mut checker = Checker { document, findings: Vec::new() };
    let root = SettingsPath::root();
    let value = checker.value(&shape, document.value(), &root).unwrap_or_else(|| Value::Object(Map::new()));
    if !checker.findings.is_empty() {
        return Err(checker.findings);
    }
    serde_json::from_value(value).map_err(|error| {
        // The shape comes from the type, so this can only be a type whose schema says more than serde accepts.
        vec![Finding { place: Place::value(document, root), code: FindingCode::WrongType, message: error.to_string() }]
    })
}

/// What tells a web address. One may carry a key, and in the wrong place it is no less a secret, so none is quoted.
const ADDRESS: &str = "://";

struct Checker<'a> {
    document: &'a Arc<Document>,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    /// The canonical form of a value; none when it counts as absent or is wrong.
    fn value(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        match shape {
            Shape::Object(fields) => self.object(fields, value, path),
            Shape::Map(values) => self.map(values, value, path),
            Shape::List(items) => self.list(items, value, path),
            Shape::Text(choices) => self.text(choices, value, path),
            Shape::Integer { minimum, maximum, choices } => self.integer(*minimum, *maximum, choices, value, path),
            Shape::Number => self.number(value, path),
            Shape::Boolean => self.boolean(value, path),
            Shape::OneOf(shapes) => match shapes.iter().find(|shape| fits(shape, value)).or_else(|| shapes.first()) {
                Some(shape) => self.value(shape, value, path),
                None => Some(value.clone()),
            },
            Shape::Any => Some(value.clone()),
        }
    }

    fn object(&mut self, fields: &[Field], value: &Value, path: &SettingsPath) -> Option<Value> {
        let Some(members) = value.as_object() else {
            return self.wrong_object(value, path, "an object", "its", fields);
        };
        let mut object = Map::new();
        let mut seen: Vec<&str> = Vec::new();
        for (key, member) in members {
            let Some(field) = fields.iter().find(|field| field.is_called(key)) else {
                self.unknown_key(fields, key, path);
                continue;
            };
            if seen.contains(&field.name.as_str()) {
                let message = format!("duplicate key '{}'; letter case makes no difference", field.name);
                self.add(Place::key(self.document, path.key(key)), FindingCode::DuplicateKey, message);
                continue;
            }
            seen.push(&field.name);
            if let Some(member) = self.value(&field.shape, member, &path.key(&field.name)) {
                object.insert(field.name.clone(), member);
            } else if field.required && matches!(field.shape, Shape::List(_)) && *member == Value::Array(Vec::new()) {
                // Who writes an empty list means one.
                object.insert(field.name.clone(), member.clone());
            } else if field.required && counts_as_absent(member) {
                self.missing(&field.name, path);
            }
        }
        for field in fields.iter().filter(|field| field.required && !seen.contains(&field.name.as_str())) {
            self.missing(&field.name, path);
        }
        Some(Value::Object(object))
    }

    fn map(&mut self, values: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        let Some(members) = value.as_object() else {
            return self.wrong_type(value, path, "an object with keys and values");
        };
        let mut object = Map::new();
        for (key, member) in members {
            // Values without a type are for the one who reads them, null included.
            let member =
                if *values == Shape::Any { Some(member.clone()) } else { self.value(values, member, &path.key(key)) };
            if let Some(member) = member {
                object.insert(key.clone(), member);
            }
        }
        Some(Value::Object(object))
    }

    fn list(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        let Some(items) = value.as_array() else {
            return self.single(shape, value, path);
        };
        // `key:` with an empty item below it is how the replaced module's templates wrote an absent list.
        if items.iter().all(counts_as_absent) {
            return None;
        }
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let path = path.index(index);
            match self.value(shape, item, &path) {
                Some(item) => list.push(item),
                None if counts_as_absent(item) => {
                    self.add(
                        Place::value(self.document, path),
                        FindingCode::EmptyItem,
                        "the item is empty; give it a value or remove it".to_owned(),
                    );
                }
                None => {}
            }
        }
        Some(Value::Array(list))
    }

    /// A list that is written as its only item: PowerShell unrolls lists of one, and the replaced module looped over either.
    fn single(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        if counts_as_absent(value) {
            return None;
        }
        match shape {
            Shape::Object(fields) if !value.is_object() => {
                self.wrong_object(value, path, "a list of objects", "their", fields)
            }
            // No item is to be seen there, so its place is that of the list.
            _ => self.value(shape, value, path).map(|item| Value::Array(vec![item])),
        }
    }

    fn text(&mut self, choices: &[String], value: &Value, path: &SettingsPath) -> Option<Value> {
        let text = match value {
            Value::String(text) if text.is_empty() => return None,
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => {
                let message = format!("expected text, found {flag}; write \"{flag}\" to use it as text");
                self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
                return None;
            }
            _ => return self.wrong_type(value, path, "text"),
        };
        if choices.is_empty() {
            return Some(Value::String(text));
        }
        // `In Progress` and `InProgress` are one: Azure itself has words in both spellings.
        let folded = |text: &str| text.replace(' ', "").to_ascii_lowercase();
        let choice = |text: &str| choices.iter().find(|choice| folded(choice) == folded(text));
        if let Some(choice) = choice(&text).or_else(|| choice(vocabulary::accepted(&text)?)) {
            return Some(Value::String(choice.clone()));
        }
        self.add(Place::value(self.document, path.clone()), FindingCode::UnknownValue, not_valid(&text, choices));
        None
    }

    fn integer(
        &mut self,
        minimum: Option<i64>,
        maximum: Option<i64>,
        choices: &[i64],
        value: &Value,
        path: &SettingsPath,
    ) -> Option<Value> {
        let number = match value {
            #[expect(clippy::cast_possible_truncation, reason = "the comparison shows that nothing is lost")]
            Value::Number(number) => number
                .as_i64()
                .or_else(|| number.as_f64().filter(|float| (*float as i64) as f64 == *float).map(|float| float as i64)),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number else {
            return self.wrong_type(value, path, "a whole number");
        };
        let place = || Place::value(self.document, path.clone());
        if !choices.is_empty() && !choices.contains(&number) {
            let known: Vec<String> = choices.iter().map(i64::to_string).collect();
            let message = format!("{number} is not valid; use {}", alternatives(&known));
            self.add(place(), FindingCode::UnknownValue, message);
            return None;
        }
        let below = minimum.is_some_and(|minimum| number < minimum);
        let above = maximum.is_some_and(|maximum| number > maximum);
        if below || above {
            let rule = match (minimum, maximum) {
                (Some(minimum), Some(maximum)) => format!("{number} is out of range; use {minimum} to {maximum}"),
                (Some(minimum), None) => format!("{number} is too small; use {minimum} or more"),
                (_, maximum) => format!("{number} is too large; use {} or less", maximum.unwrap_or_default()),
            };
            self.add(place(), FindingCode::OutOfRange, rule);
            return None;
        }
        Some(Value::Number(number.into()))
    }

    fn number(&mut self, value: &Value, path: &SettingsPath) -> Option<Value> {
        match value {
            Value::Number(_) => Some(value.clone()),
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) => match text.trim().parse().ok().and_then(serde_json::Number::from_f64) {
                Some(number) => Some(Value::Number(number)),
                None => self.wrong_type(value, path, "a number"),
            },
            _ => self.wrong_type(value, path, "a number"),
        }
    }

    fn boolean(&mut self, value: &Value, path: &SettingsPath) -> Option<Value> {
        match value {
            Value::Bool(_) => Some(value.clone()),
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
            Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
            _ => self.wrong_type(value, path, "true or false"),
        }
    }

    fn wrong_object(
        &mut self,
        value: &Value,
        path: &SettingsPath,
        wanted: &str,
        whose: &str,
        fields: &[Field],
    ) -> Option<Value> {
        let keys: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let keys = if keys.is_empty() { String::new() } else { format!("; {whose} keys are {}", keys.join(", ")) };
        let message = format!("expected {wanted}, found {}{keys}", describe(value));
        self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
        None
    }

    fn wrong_type(&mut self, value: &Value, path: &SettingsPath, wanted: &str) -> Option<Value> {
        let message = format!("expected {wanted}, found {}", describe(value));
        self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
        None
    }

    fn unknown_key(&mut self, fields: &[Field], key: &str, path: &SettingsPath) {
        if key.contains(ADDRESS) {
            // `{serviceUri:https://…}` is one key; the place shows it no more than the message.
            let message = "unknown key with a URL in it; is a space missing after a colon?".to_owned();
            return self.add(Place::value(self.document, path.clone()), FindingCode::UnknownKey, message);
        }
        let names = || fields.iter().map(|field| field.name.as_str());
        let message = match nearest(key, names()) {
            Some(nearest) => format!("unknown key, did you mean '{nearest}'?"),
            None if fields.is_empty() => "unknown key; no keys are allowed here".to_owned(),
            None => format!("unknown key; known keys are {}", names().collect::<Vec<_>>().join(", ")),
        };
        self.add(Place::key(self.document, path.key(key)), FindingCode::UnknownKey, message);
    }

    fn missing(&mut self, key: &str, path: &SettingsPath) {
        let message = "required, but not set".to_owned();
        self.add(Place::value(self.document, path.key(key)), FindingCode::Missing, message);
    }

    fn add(&mut self, place: Place, code: FindingCode, message: String) {
        self.findings.push(Finding { place, code, message });
    }
}

impl Field {
    fn is_called(&self, key: &str) -> bool {
        self.name.eq_ignore_ascii_case(key) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(key))
    }
}

fn counts_as_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(counts_as_absent),
        _ => false,
    }
}

fn fits(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Object(_) | Shape::Map(_) => value.is_object(),
        Shape::List(_) => value.is_array(),
        Shape::Text(_) => value.is_string(),
        Shape::Integer { .. } | Shape::Number => value.is_number(),
        Shape::Boolean => value.is_boolean(),
        Shape::OneOf(shapes) => shapes.iter().any(|shape| fits(shape, value)),
        Shape::Any => true,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains(ADDRESS) => "a URL".to_owned(),
        Value::String(text) => format!("'{text}'"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    enum Tier {
        Standard,
        /// Documented variants come as another form of schema.
        Premium,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Account {
        account_name: String,
        tier: Option<Tier>,
        #[schemars(range(min = 1, max = 5120))]
        size: Option<i64>,
        #[schemars(extend("enum" = [5, 10, 15]))]
        minutes: Option<i64>,
        https: Option<bool>,
        ratio: Option<f64>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Settings {
        #[schemars(extend("x-aliases" = ["location"]))]
        region: Option<String>,
        accounts: Vec<Account>,
        inner: Option<Account>,
        tags: Option<BTreeMap<String, String>>,
        queue: Option<Vec<String>>,
    }

    fn read(text: &str) -> Result<Settings, Vec<String>> {
        let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
        check::<Settings>(&document).map_err(|findings| {
            findings
                .iter()
                .map(|finding| format!("{} {}: {}", finding.place.show(), finding.place.path(), finding.message))
                .collect()
        })
    }

    #[test]
    fn lenient_where_powershell_users_rely_on_it() {
        let text = "LOCATION: UK South\nAccounts:\n  - AccountName: 123\n    TIER: standard\n    size: \"5\"\n    minutes: 10.0\n    https: \"False\"\n    ratio: '0.5'\n\
            inner:\ntags: {a: 1, b: ''}\nqueue:\n  -\n";
        let settings = read(text).unwrap();
        assert_eq!(settings.region.as_deref(), Some("UK South"));
        let account = Account {
            account_name: "123".to_owned(),
            tier: Some(Tier::Standard),
            size: Some(5),
            minutes: Some(10),
            https: Some(false),
            ratio: Some(0.5),
        };
        assert_eq!(settings.accounts, [account]);
        assert_eq!(settings.inner, None);
        assert_eq!(settings.queue, None);
        assert_eq!(settings.tags.unwrap().get("a").map(String::as_str), Some("1"));
    }

    #[test]
    fn every_finding_at_once() {
        let text = "acounts: []\naccounts:\n  - tier: Gold\n    size: 9000\n    minutes: 7\n    https: yes\n    ratio: many\n    accountName: true\n    AccountName: x\n  - a\nqueue: [a, '']\nregion: [b]\nother: 1\n";
        assert_eq!(
            read(text).unwrap_err(),
            [
                "s.yml:1:1 acounts: unknown key, did you mean 'accounts'?",
                "s.yml:3:11 accounts[0].tier: 'Gold' is not valid; use Standard or Premium",
                "s.yml:4:11 accounts[0].size: 9000 is out of range; use 1 to 5120",
                "s.yml:5:14 accounts[0].minutes: 7 is not valid; use 5, 10 or 15",
                "s.yml:6:12 accounts[0].https: expected true or false, found 'yes'",
                "s.yml:7:12 accounts[0].ratio: expected a number, found 'many'",
                "s.yml:8:18 accounts[0].accountName: expected text, found true; write \"true\" to use it as text",
                "s.yml:9:5 accounts[0].AccountName: duplicate key 'accountName'; letter case makes no difference",
                "s.yml:10:5 accounts[1]: expected an object, found 'a'; its keys are accountName, tier, size, minutes, https, ratio",
                "s.yml:11:12 queue[1]: the item is empty; give it a value or remove it",
                "s.yml:12:9 region: expected text, found a list",
                "s.yml:13:1 other: unknown key; known keys are region, accounts, inner, tags, queue",
            ]
        );
    }

    #[test]
    fn a_single_item_is_a_list_of_one() {
        let object = read("accounts: {ACCOUNTNAME: a, tier: premium}\nqueue: 007\n").unwrap();
        assert_eq!((object.accounts.len(), object.accounts[0].tier.as_ref()), (1, Some(&Tier::Premium)));
        assert_eq!(object.queue.unwrap(), ["007"]);
        // What counts as absent does so without its list, too.
        for text in ["queue: ''", "queue: ' '", "queue: null", "queue:"] {
            assert_eq!(read(&format!("accounts: {{accountName: a}}\n{text}\n")).unwrap().queue, None, "{text}");
        }
        assert_eq!(read("accounts: ''\n").unwrap_err(), ["s.yml:1:11 accounts: required, but not set"]);
    }

    #[test]
    fn what_is_wrong_in_a_single_item_has_the_place_where_it_is_written() {
        assert_eq!(
            read("accounts:\n  tier: Gold\n  size: big\n  name: x\nqueue: {a: 1}\n").unwrap_err(),
            [
                "s.yml:2:9 accounts.tier: 'Gold' is not valid; use Standard or Premium",
                "s.yml:3:9 accounts.size: expected a whole number, found 'big'",
                "s.yml:4:3 accounts.name: unknown key; known keys are accountName, tier, size, minutes, https, ratio",
                "s.yml:2:3 accounts.accountName: required, but not set",
                "s.yml:5:8 queue: expected text, found an object",
            ]
        );
        assert_eq!(
            read("accounts: web\nqueue: true\n").unwrap_err(),
            [
                "s.yml:1:11 accounts: expected a list of objects, found 'web'; their keys are accountName, tier, size, minutes, https, ratio",
                "s.yml:2:8 queue: expected text, found true; write \"true\" to use it as text",
            ]
        );
    }

    #[test]
    fn mandatory_fields_may_not_be_empty() {
        assert_eq!(read("accounts: []\n").unwrap().accounts, []);
        for text in ["region: x\n", "accounts:\n", "accounts: ['']\n"] {
            assert_eq!(read(text).unwrap_err().len(), 1, "{text}");
        }
        assert_eq!(
            read("accounts: [{accountName: ''}]\n").unwrap_err(),
            ["s.yml:1:26 accounts[0].accountName: required, but not set"]
        );
    }

    #[test]
    fn vocabulary_words_are_accepted() {
        let choices = vec!["None".to_owned(), "CloudServices".to_owned()];
        let document = Document::from_object(json!({})).unwrap();
        let mut checker = Checker { document: &document, findings: Vec::new() };
        assert_eq!(
            checker.text(&choices, &json!("AZUREservices"), &SettingsPath::root()),
            Some(json!("CloudServices"))
        );
    }
}
