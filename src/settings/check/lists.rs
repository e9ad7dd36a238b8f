//! Checks lists: a single item instead of one, empty items, and lists that say that there is nothing.

use serde_json::Value;

use super::Checker;
use crate::protocol::{FindingCode, plural};
use crate::settings::document::counts_as_absent;
use crate::settings::finding::{Finding, Place};
use crate::settings::path::SettingsPath;
use crate::settings::shape::{EmptyItems, Shape};

/// The word of a list that holds nothing.
const NOTHING: &str = "none";

impl Checker<'_> {
    pub(super) fn list(
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
        let is_empty: Vec<usize> = (0..items.len()).filter(|index| empty.is_empty(&items[*index])).collect();
        let mut left_out = 0;
        if !is_empty.is_empty() {
            let written = self.document.written(path);
            for item in is_empty.into_iter().map(|index| written.index(index)) {
                if self.document.leaves_out(&item) {
                    left_out += 1;
                } else {
                    self.empty_item(empty == EmptyItems::Refused, &item);
                }
            }
        }
        let items: Vec<&Value> = items.iter().filter(|item| !empty.is_empty(item)).collect();
        if items.len() < least {
            // One that is empty is not there at all.
            if !items.is_empty() {
                let here =
                    if left_out > 0 { format!("; {left_out} left out of this environment") } else { String::new() };
                let message = format!("expected at least {least} item{}, found {}{here}", plural(least), items.len());
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
    pub(super) fn empty_item(&mut self, refused: bool, path: &SettingsPath) {
        let place = Place::as_written(self.document, path.clone());
        if refused {
            self.add(place, FindingCode::EmptyItem, "the item is empty; give it a value or remove it".to_owned());
        } else {
            let message = "the item is empty and is ignored".to_owned();
            self.warnings.push(Finding { place, code: FindingCode::EmptyItem, message });
        }
    }

    /// A list that is written as its only item: PowerShell unrolls lists of one, and the replaced module looped over either.
    pub(super) fn single(&mut self, shape: &Shape, value: &Value, path: &SettingsPath) -> Option<Value> {
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
}

/// Whether the only item of a list says that there is none. Where `none` is a value of the items it is that.
fn stands_for_nothing(shape: &Shape, item: &Value) -> bool {
    let is_choice = || match shape {
        Shape::Text(choices) => choices.iter().any(|choice| choice.eq_ignore_ascii_case(NOTHING)),
        _ => false,
    };
    item.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case(NOTHING)) && !is_choice()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Mode, Settings, Tier, read};
    use crate::settings::Document;

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
        let checked = super::super::read::<Settings>(&document);
        let warnings: Vec<String> = checked.warnings.iter().map(|finding| finding.warning().message).collect();
        assert_eq!(
            warnings,
            [
                "s.yml:2:12: queue[1]: the item is empty and is ignored",
                "s.yml:4:12: patterns[0]: the item is empty and is ignored"
            ]
        );
        let findings: Vec<String> = checked.findings.iter().map(|finding| finding.warning().message).collect();
        assert_eq!(findings, ["s.yml:3:14: targets[1]: the item is empty; give it a value or remove it"]);
        assert_eq!(checked.readings[0].queue.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
        assert_eq!(
            read("accounts: []\nqueue: ['', true]\n").unwrap_err(),
            ["s.yml:2:13 queue[1]: expected text, found true; write \"true\" to use it as text"]
        );
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
}
