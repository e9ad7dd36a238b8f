//! Checks a document against its type, reports every finding at once, and spells it canonically.

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::document::{Document, counts_as_absent};
use super::finding::{Finding, Place};
use super::path::{Segment, SettingsPath};
use super::shape::{EmptyItems, Field, Shape, schema_of};
use super::stand_in::{StandIn, repaired};
use super::vocabulary;
use crate::protocol::{FindingCode, alternatives, nearest, not_valid, plural};

/// What was read of a document by its type.
#[derive(Debug)]
pub struct Checked<T> {
    /// The document as its type. Where something in it is wrong, there are several, each with other legal values in the wrong
    /// places: what is the same in all of them does not depend on what is wrong.
    pub readings: Vec<T>,
    /// Everything that is wrong with its shape.
    pub findings: Vec<Finding>,
    /// What is left out or ignored.
    pub warnings: Vec<Finding>,
    /// The wrong places, as the document has them.
    wrong: HashSet<Vec<Segment>>,
}

impl<T> Checked<T> {
    /// Whether a finding is about a place that is known to be wrong.
    #[must_use]
    pub fn is_known(&self, finding: &Finding) -> bool {
        let path = finding.place.path();
        !self.wrong.is_empty() && (0..=path.0.len()).any(|length| self.wrong.contains(&path.0[..length]))
    }
}

/// Reads a document as a settings type. Keys and enumerations are matched ignoring case; null, an empty list and, for
/// text, `""` count as absent; numbers and booleans may be quoted; a single item is a list of one; a list that holds only
/// `none` is empty.
#[must_use]
pub fn read<T: DeserializeOwned + JsonSchema>(document: &Arc<Document>) -> Checked<T> {
    checked(document, false)
}

/// Reads a document as a type; all of it has to be right.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn check<T: DeserializeOwned + JsonSchema>(document: &Arc<Document>) -> Result<T, Vec<Finding>> {
    only(read(document)).map(|(value, _)| value)
}

/// The same for files that may have keys which mean nothing: these are in the warnings.
///
/// # Errors
/// Everything else that is wrong with the document.
pub fn check_known_keys<T: DeserializeOwned + JsonSchema>(
    document: &Arc<Document>,
) -> Result<(T, Vec<Finding>), Vec<Finding>> {
    only(checked(document, true))
}

fn only<T>(mut checked: Checked<T>) -> Result<(T, Vec<Finding>), Vec<Finding>> {
    match checked.readings.pop() {
        Some(value) if checked.findings.is_empty() => Ok((value, checked.warnings)),
        _ => Err(checked.findings),
    }
}

fn checked<T: DeserializeOwned + JsonSchema>(document: &Arc<Document>, ignores_unknown_keys: bool) -> Checked<T> {
    let shape = Shape::from_schema(schema_of::<T>().as_value());
    let mut checker = Checker::new(document, ignores_unknown_keys);
    let root = SettingsPath::root();
    let value = match checker.value(&shape, document.value(), &root) {
        Some(value) => value,
        None => {
            checker.stand_in(&root, &shape, true);
            Value::Null
        }
    };
    let Checker { mut findings, warnings, stand_ins, .. } = checker;
    let mut readings = Vec::new();
    for tree in repaired(value, &stand_ins) {
        match serde_json::from_value(tree) {
            Ok(reading) => readings.push(reading),
            // The shape comes from the type, so this can only be a type whose schema says more than serde accepts.
            Err(error) if findings.is_empty() => findings.push(Finding {
                place: Place::value(document, root.clone()),
                code: FindingCode::WrongType,
                message: error.to_string(),
            }),
            Err(_) => {}
        }
    }
    let wrong = stand_ins.iter().map(|stand_in| document.written(&stand_in.path).0).collect();
    Checked { readings, findings, warnings, wrong }
}

/// What tells a web address. One may carry a key, and in the wrong place it is no less a secret, so none is quoted.
const ADDRESS: &str = "://";

/// What a list says that holds nothing.
const NOTHING: &str = "none";

struct Checker<'a> {
    document: &'a Arc<Document>,
    /// A key that means nothing is a warning.
    ignores_unknown_keys: bool,
    findings: Vec<Finding>,
    warnings: Vec<Finding>,
    stand_ins: Vec<StandIn>,
}

impl<'a> Checker<'a> {
    fn new(document: &'a Arc<Document>, ignores_unknown_keys: bool) -> Checker<'a> {
        let findings = document.problems();
        Checker { document, ignores_unknown_keys, findings, warnings: Vec::new(), stand_ins: Vec::new() }
    }

    /// Something else has to stand at a place, so that what is wrong there hides nothing else.
    fn stand_in(&mut self, path: &SettingsPath, shape: &Shape, required: bool) {
        self.stand_ins.push(StandIn { path: path.clone(), shape: shape.clone(), required });
    }

    /// The canonical form of a value; none when it counts as absent or is wrong.
    fn value(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        match shape {
            Shape::Object(fields) => self.object(fields, value, path),
            Shape::Map(values) => self.map(values, value, path),
            Shape::List { items, least, empty } => self.list(items, *least, *empty, value, path),
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
        let mut misspelled: Vec<&str> = Vec::new();
        for (key, member) in members {
            let Some(field) = fields.iter().find(|field| field.is_called(key)) else {
                misspelled.extend(self.unknown_key(fields, key, path));
                continue;
            };
            if seen.contains(&field.name.as_str()) {
                let message = format!("duplicate key '{}'; letter case makes no difference", field.name);
                self.add(Place::key(self.document, path.key(key)), FindingCode::DuplicateKey, message);
                continue;
            }
            seen.push(&field.name);
            self.member(field, member, path, &mut object);
        }
        for field in fields.iter().filter(|field| !seen.contains(&field.name.as_str())) {
            if field.required || field.required_key {
                self.missing(field, path);
            } else if misspelled.contains(&field.name.as_str()) {
                self.stand_in(&path.key(&field.name), &field.shape, false);
            }
        }
        Some(Value::Object(object))
    }

    /// Puts a member into its object.
    fn member(&mut self, field: &Field, value: &Value, path: &SettingsPath, object: &mut Map<String, Value>) {
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

    fn map(&mut self, values: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
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

    fn list(
        &mut self,
        shape: &Shape,
        least: usize,
        empty: EmptyItems,
        value: &Value,
        path: &SettingsPath,
    ) -> Option<Value> {
        let Some(items) = value.as_array() else {
            return self.single(shape, value, path);
        };
        for (index, _) in items.iter().enumerate().filter(|(_, item)| empty.is_empty(item)) {
            self.empty_item(empty == EmptyItems::Refused, &path.index(index));
        }
        let items: Vec<&Value> = items.iter().filter(|item| !empty.is_empty(item)).collect();
        if items.len() < least {
            // One that is empty is not there at all.
            if !items.is_empty() {
                let message = format!("expected at least {least} item{}, found {}", plural(least), items.len());
                self.add(Place::value(self.document, path.clone()), FindingCode::OutOfRange, message);
            }
            return None;
        }
        if let [only] = items.as_slice()
            && stands_for_nothing(shape, only)
        {
            return Some(Value::Array(Vec::new()));
        }
        if items.is_empty() {
            return None;
        }
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let path = path.index(index);
            list.push(self.value(shape, item, &path).unwrap_or_else(|| {
                self.stand_in(&path, shape, true);
                Value::Null
            }));
        }
        Some(Value::Array(list))
    }

    /// An item without a value, as of a variable that is not set. In a list of targets it would let the others go unnoticed.
    fn empty_item(&mut self, refused: bool, path: &SettingsPath) {
        let place = Place::as_written(self.document, path.clone());
        if refused {
            self.add(place, FindingCode::EmptyItem, "the item is empty; give it a value or remove it".to_owned());
        } else {
            let message = "the item is empty and is ignored".to_owned();
            self.warnings.push(Finding { place, code: FindingCode::EmptyItem, message });
        }
    }

    /// A list that is written as its only item: PowerShell unrolls lists of one, and the replaced module looped over either.
    fn single(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
        if counts_as_absent(value) {
            return None;
        }
        if stands_for_nothing(shape, value) {
            return Some(Value::Array(Vec::new()));
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

    /// Notes a key that means nothing. Returns the field that was meant, where one is near.
    fn unknown_key<'f>(&mut self, fields: &'f [Field], key: &str, path: &SettingsPath) -> Option<&'f str> {
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

    fn missing(&mut self, field: &Field, path: &SettingsPath) {
        self.missing_at(field, &path.key(&field.name));
    }

    fn missing_at(&mut self, field: &Field, path: &SettingsPath) {
        self.add(Place::value(self.document, path.clone()), FindingCode::Missing, "required, but not set".to_owned());
        self.stand_in(path, &field.shape, field.required);
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

/// Whether the only item of a list says that there is none. Where `none` is a value of the items it is that.
fn stands_for_nothing(shape: &Shape, item: &Value) -> bool {
    let is_choice = || match shape {
        Shape::Text(choices) => choices.iter().any(|choice| choice.eq_ignore_ascii_case(NOTHING)),
        _ => false,
    };
    item.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case(NOTHING)) && !is_choice()
}

/// Whether an empty list, or one of empty items, is written where a list is expected.
fn is_empty_list(shape: &Shape, value: &Value) -> bool {
    matches!(shape, Shape::List { least: 0, .. }) && value.is_array()
}

fn fits(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Object(_) | Shape::Map(_) => value.is_object(),
        Shape::List { .. } => value.is_array(),
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
        modes: Option<Vec<Mode>>,
        #[schemars(extend("x-empty-items" = "refused"))]
        targets: Option<Vec<String>>,
        #[schemars(length(min = 1))]
        patterns: Option<Vec<String>>,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    enum Mode {
        None,
        Some,
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
                "s.yml:12:9 region: expected text, found a list",
                "s.yml:13:1 other: unknown key; known keys are region, accounts, inner, tags, queue, modes, targets, patterns",
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
    fn a_list_of_none_is_empty_and_an_absent_one_is_not_there() {
        let queue = |text: &str| read(&format!("accounts: []\n{text}\n")).unwrap().queue;
        for text in ["queue: [none]", "queue: None", "queue: ['', none]"] {
            assert_eq!(queue(text), Some(Vec::new()), "{text}");
        }
        for text in ["queue: []", "queue:", "queue: ['']"] {
            assert_eq!(queue(text), None, "{text}");
        }
        assert_eq!(queue("queue: [none, b]").unwrap(), ["none", "b"]);
        for text in ["accounts: none", "accounts: [NONE]", "accounts: []", "accounts: ['']"] {
            assert_eq!(read(&format!("{text}\n")).unwrap().accounts, [], "{text}");
        }
        // Where it is a value, it is that value.
        assert_eq!(read("accounts: []\nmodes: [none]\n").unwrap().modes, Some(vec![Mode::None]));
    }

    #[test]
    fn empty_items_are_left_out_with_a_warning_or_refused() {
        let text = "accounts: []\nqueue: [a, '', b]\ntargets: [a, '']\npatterns: ['']\n";
        let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
        let checked = super::read::<Settings>(&document);
        let warnings: Vec<String> = checked.warnings.iter().map(Finding::warning).collect();
        assert_eq!(
            warnings,
            [
                "s.yml:2:12: queue[1]: the item is empty and is ignored",
                "s.yml:4:12: patterns[0]: the item is empty and is ignored"
            ]
        );
        let findings: Vec<String> = checked.findings.iter().map(Finding::warning).collect();
        assert_eq!(findings, ["s.yml:3:14: targets[1]: the item is empty; give it a value or remove it"]);
        assert_eq!(checked.readings[0].queue.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
        assert_eq!(
            read("accounts: []\nqueue: ['', true]\n").unwrap_err(),
            ["s.yml:2:13 queue[1]: expected text, found true; write \"true\" to use it as text"]
        );
    }

    #[test]
    fn a_key_that_has_to_be_there_may_be_empty() {
        #[derive(Debug, Deserialize, JsonSchema)]
        struct Marked {
            #[schemars(extend("x-required-key" = true))]
            component: Option<String>,
        }
        let read = |text: &str| {
            let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
            check::<Marked>(&document).map_err(|findings| findings[0].warning())
        };
        assert_eq!(read("component:\n").unwrap().component, None);
        assert_eq!(read("{}").unwrap_err(), "s.yml:1:1: component: required, but not set");
        let schema = crate::settings::editor_schema(schema_of::<Marked>());
        assert_eq!(schema.as_value()["required"], json!(["component"]));
    }

    #[test]
    fn each_wrong_place_is_read_with_every_choice_and_what_is_right_stays() {
        let text = "accounts: [{accountName: a, tier: Gold, size: 7, https: maybe}, 5, {tier: Standard}]\nquue: [x]\ntags: 3\n";
        let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
        let checked = super::read::<Settings>(&document);
        assert_eq!(checked.findings.len(), 6, "{:?}", checked.findings);
        let first = |index: usize| &checked.readings[index].accounts[0];
        assert!(checked.readings.iter().all(|reading| reading.accounts.len() == 3));
        assert!(
            (0..checked.readings.len()).all(|index| first(index).size == Some(7) && first(index).account_name == "a")
        );
        for tier in [None, Some(Tier::Standard), Some(Tier::Premium)] {
            assert!((0..checked.readings.len()).any(|index| first(index).tier == tier), "{tier:?}");
        }
        for https in [None, Some(true), Some(false)] {
            assert!((0..checked.readings.len()).any(|index| first(index).https == https), "{https:?}");
        }
        let names: std::collections::HashSet<&str> =
            checked.readings.iter().map(|reading| reading.accounts[2].account_name.as_str()).collect();
        assert_eq!(names.len(), checked.readings.len(), "no two are alike: {names:?}");
        let queues: Vec<_> = checked.readings.iter().map(|reading| reading.queue.is_some()).collect();
        assert!(queues.contains(&true) && queues.contains(&false), "the key that was meant: {queues:?}");
    }

    #[test]
    fn keys_that_mean_nothing_may_be_warnings() {
        let document = Document::parse(Some("n.yml".into()), "accounts: []\nqueu: a\n".to_owned()).unwrap();
        let (_, warnings) = check_known_keys::<Settings>(&document).unwrap();
        assert_eq!(warnings[0].warning(), "n.yml:2:1: queu: unknown key, did you mean 'queue'? It is ignored");
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
        for text in ["region: x\n", "accounts:\n", "accounts: []\npatterns: []\nregion: [x]\n"] {
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
        let mut checker = Checker::new(&document, false);
        assert_eq!(
            checker.text(&choices, &json!("AZUREservices"), &SettingsPath::root()),
            Some(json!("CloudServices"))
        );
    }
}
