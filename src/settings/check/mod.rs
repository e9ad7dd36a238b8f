//! Checks a document against its type, reports every finding at once, and spells it canonically.

#[cfg(test)]
mod fixture;
mod lists;
mod objects;
mod scalars;

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::Document;
use super::finding::{Finding, Place};
use super::hidden::ADDRESS;
use super::path::{Segment, SettingsPath};
use super::shape::{Shape, schema_of};
use super::stand_in::{StandIn, repaired};
use crate::protocol::{FindingCode, cut};

/// The longest number that is repeated, in characters.
const LONGEST_NUMBER: usize = 40;

/// The outcome of reading a document by its type.
#[derive(Debug)]
pub struct Checked<T> {
    /// The document as its type. Where something in it is wrong, there are several, each with other legal values in the wrong
    /// places: what is the same in all of them does not depend on what is wrong.
    pub readings: Vec<T>,
    /// Everything that is wrong with its shape.
    pub findings: Vec<Finding>,
    /// The findings about what is left out or ignored.
    pub warnings: Vec<Finding>,
    /// The wrong places, as the document has them.
    wrong: HashSet<Vec<Segment>>,
}

impl<T> Checked<T> {
    /// Whether the document is read as it is, with nothing else in the place of anything.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.findings.is_empty() && self.wrong.is_empty()
    }

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
        if value.is_null() || self.document.lacks(path) {
            return None;
        }
        match shape {
            Shape::Object(fields) => self.object(fields, value, path),
            Shape::Map(values) => self.map(values, value, path),
            Shape::List { items, least, empty } => self.list(items, *least, *empty, value, path),
            Shape::Text(choices) => self.text(choices, value, path),
            Shape::Integer { minimum, maximum, choices, also } => {
                self.integer((*minimum, *maximum), (choices, also), value, path)
            }
            Shape::Number => self.number(value, path),
            Shape::Boolean => self.boolean(value, path),
            Shape::OneOf(shapes) => match shapes.iter().find(|shape| fits(shape, value)).or_else(|| shapes.first()) {
                Some(shape) => self.value(shape, value, path),
                None => Some(value.clone()),
            },
            Shape::Any => Some(value.clone()),
        }
    }

    fn wrong_type(&mut self, value: &Value, path: &SettingsPath, wanted: &str) -> Option<Value> {
        let message = format!("expected {wanted}, found {}", describe(value));
        self.add(Place::value(self.document, path.clone()), FindingCode::WrongType, message);
        None
    }

    fn add(&mut self, place: Place, code: FindingCode, message: String) {
        self.findings.push(Finding { place, code, message });
    }
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
        Value::Number(number) => cut(&number.to_string(), LONGEST_NUMBER).into_owned(),
        Value::String(text) if text.contains(ADDRESS) => "a URL".to_owned(),
        Value::String(text) => format!("'{text}'"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::{Account, Settings, Tier, read};
    use super::*;

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
    fn numbers_are_text_as_they_are_written() {
        let text = "accounts: []\nregion: 1e3\nqueue: [~, 1.10, 007, -0, +42, 10]\ntags: {a: 0o17, b: .5, c: 1_000}\n";
        let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
        let checked = super::read::<Settings>(&document);
        let settings = &checked.readings[0];
        assert_eq!(settings.region.as_deref(), Some("1e3"));
        assert_eq!(settings.queue.as_deref().unwrap(), ["1.10", "007", "-0", "+42", "10"]);
        let tags: Vec<&str> = settings.tags.as_ref().unwrap().values().map(String::as_str).collect();
        assert_eq!(tags, ["0o17", ".5", "1_000"]);
        let warned = |written: &str, value: &str| {
            format!(
                "the number {written} is taken as text, as it is written, and others may read {value}; write \"{written}\""
            )
        };
        let warnings: Vec<String> = checked.warnings.iter().map(|warning| warning.message.clone()).collect();
        assert_eq!(
            warnings,
            [
                warned("1e3", "1000.0"),
                "the item is empty and is ignored".to_owned(),
                warned("+42", "42"),
                warned("0o17", "15"),
                warned(".5", "0.5")
            ]
        );
    }

    #[test]
    fn numbers_of_json_and_of_aliases_are_text_as_they_are_written() {
        let json =
            "{\n\t\"accounts\": [], // none\n\t\"queue\": [1.10, 1E3, 100000000000000000000],\n\t\"region\": 2.50\n}";
        let document = Document::parse(Some("s.json".into()), json.to_owned()).unwrap();
        let settings: Settings = check(&document).unwrap();
        assert_eq!(settings.queue.unwrap(), ["1.10", "1E3", "100000000000000000000"]);
        assert_eq!(settings.region.as_deref(), Some("2.50"));
        let settings =
            read("accounts: [{accountName: &name 1.10}, {accountName: *name}, {<<: {accountName: 2.0}}]\n").unwrap();
        let names: Vec<&str> = settings.accounts.iter().map(|account| account.account_name.as_str()).collect();
        assert_eq!(names, ["1.10", "1.10", "2.0"]);
        // An object has no text.
        let document = Document::from_object(serde_json::json!({"accounts": [], "region": 1.5})).unwrap();
        assert_eq!(check::<Settings>(&document).unwrap().region.as_deref(), Some("1.5"));
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
    fn a_misspelt_mandatory_key_is_one_finding() {
        assert_eq!(
            read("accounts: [{acountName: a}]\n").unwrap_err(),
            ["s.yml:1:13 accounts[0].acountName: unknown key, did you mean 'accountName'?"]
        );
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
}
