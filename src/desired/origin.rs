//! The origins: which setting a value of a body comes from.
//!
//! `origins` has pairs of a path and a setting. In a path, `[]` stands for any item of a list, and `[x]` for the one with this key. A setting is
//! relative to the place of the resource (`../` leads to what is above) or, with a `/` before it, to the document; its first `[]` stands for the
//! number of the item that the first `[]` of the path stands for. The longest path that fits counts, and of equal ones the last that the
//! document says. What is below it and has the same names in the settings comes from there.

use std::borrow::Cow;

use serde_json::Value;

use super::Desired;
use super::body::{member_of, without_names};
use super::items::{items_of, pairs};
use crate::azure::ResourceType;
use crate::settings::Place;

impl Desired {
    /// The setting that a path of the body comes from, or that could set it; where there is none, that of the resource.
    #[must_use]
    pub fn origin(&self, path: &str) -> Place {
        self.setting(path).unwrap_or_else(|| self.place.clone())
    }

    /// The setting of the document that says the value at a path of the body; none for a default.
    #[must_use]
    pub fn said(&self, path: &str) -> Option<Place> {
        self.setting(path).filter(Place::is_said)
    }

    fn setting(&self, path: &str) -> Option<Place> {
        let general = if path.contains('[') { Cow::Owned(without_names(path)) } else { Cow::Borrowed(path) };
        let begins = |path: &str, prefix: &str| {
            path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let fitting =
            || self.origins.iter().filter(|(prefix, _)| begins(path, prefix) || begins(&general, prefix)).rev();
        let longest = fitting().map(|(prefix, _)| prefix.len()).max()?;
        let mut unsaid = None;
        for (prefix, setting) in fitting().filter(|(prefix, _)| prefix.len() == longest) {
            let items = if setting.contains("[]") { self.items(path) } else { Vec::new() };
            let place = self.place_of(setting, items.iter().map(|item| Some(item.as_ref()?.number)));
            if place.is_said() {
                return Some(self.below(path, prefix, place));
            }
            unsaid.get_or_insert(place);
        }
        unsaid
    }

    /// Every entry of `origins`: the path, and the place of the setting, both without items.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (String, Place)> {
        let place = |setting: &str| self.place_of(&setting.replace("[]", ""), std::iter::empty());
        self.origins.iter().map(move |(path, setting)| (without_items(path), place(setting)))
    }

    /// The place of a setting of `origins`, with the numbers of the items that it is in.
    fn place_of(&self, setting: &str, numbers: impl Iterator<Item = Option<usize>>) -> Place {
        let mut parts = setting.split("[]");
        let first = parts.next().unwrap_or_default();
        let mut place = match first.strip_prefix('/') {
            Some(setting) => self.place.in_same_document(setting),
            None => self.place.dotted(first),
        };
        for (part, number) in parts.zip(numbers) {
            let Some(number) = number else { break };
            place = place.index(number).dotted(part);
        }
        place
    }

    /// The setting of the rest of a path, as far as it has the same names below that of its beginning.
    fn below(&self, path: &str, prefix: &str, place: Place) -> Place {
        let (all, begun) = (steps(path), steps(prefix));
        let Some(rest) = all.get(begun.len()..).filter(|rest| !rest.is_empty()) else { return place };
        let mut items = self.items(path).into_iter().skip(begun.iter().filter(|step| step.starts_with('[')).count());
        let (mut said, mut next) = (place.clone(), place);
        for step in rest {
            if !step.starts_with('[') {
                next = next.member(step);
                if !next.is_said() {
                    break;
                }
                said = next.clone();
                continue;
            }
            match items.next().flatten() {
                // In lists of one length the items are the same ones.
                Some(Item { number, of }) if !next.index(of).is_said() => next = next.index(number),
                _ => break,
            }
        }
        said
    }

    /// The items on a path; none for one that is not wanted.
    fn items(&self, path: &str) -> Vec<Option<Item>> {
        let (mut general, mut items) = (String::new(), Vec::new());
        let mut values = vec![&self.body, &self.creation_body];
        for step in steps(path) {
            match step.strip_prefix('[') {
                Some(key) => {
                    let key = key.strip_suffix(']').unwrap_or(key);
                    let found = values.iter().find_map(|list| item(self.resource_type, &general, list, key));
                    general = items_of(&general);
                    values = found.iter().map(|(value, _)| *value).collect();
                    items.push(found.map(|(_, item)| item));
                }
                None => {
                    let dot = if general.is_empty() { "" } else { "." };
                    general = format!("{general}{dot}{step}");
                    values = values.into_iter().filter_map(|value| member_of(value.as_object()?, step)).collect();
                }
            }
        }
        items
    }
}

/// A path without the items on it: `criteria.allOf.threshold`.
pub(crate) fn without_items(path: &str) -> String {
    without_names(path).replace("[]", "")
}

/// A wanted item: its number, and how many there are.
struct Item {
    number: usize,
    of: usize,
}

/// The steps of a path: names of members, and the keys of items in their brackets. Keys may have dots and brackets in them.
fn steps(path: &str) -> Vec<&str> {
    let (mut steps, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, character) in path.char_indices() {
        match character {
            '.' | '[' if depth == 0 => {
                steps.extend(path.get(start..at));
                start = if character == '.' { at + 1 } else { at };
            }
            _ => {}
        }
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    steps.extend(path.get(start..));
    steps.retain(|step| !step.is_empty());
    steps
}

/// The wanted item of a list with a key.
fn item<'a>(resource_type: &ResourceType, path: &str, list: &'a Value, key: &str) -> Option<(&'a Value, Item)> {
    let list = list.as_array()?;
    let number = pairs(resource_type, path, list, &[])?.into_iter().position(|pair| pair.label == key)?;
    Some((list.get(number)?, Item { number, of: list.len() }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::types::METRIC_ALERT;
    use crate::settings::{Document, SettingsPath};

    const SETTINGS: &str = r"
severity: 2
rules:
  - limits:
      - {metric: cpu, over: 90, dimensions: [{name: disk, values: [a]}, {name: host, values: [b]}]}
      - {metric: memory, under: 10}
    groups: [one, two]
";

    fn rule(origins: &[(&'static str, &'static str)]) -> Desired {
        let document = Document::parse(None, SETTINGS.to_owned()).unwrap();
        let place = Place::value(&document, SettingsPath::root().dotted("rules.0"));
        let id = METRIC_ALERT.child_of(&crate::azure::ResourceId::new("/subscriptions/s/resourceGroups/g"), "a");
        let body = json!({
            "severity": 2,
            "window": "PT5M",
            "criteria": [
                { "name": "first", "threshold": 90, "dimensions": [{ "name": "disk", "values": ["a"] }, { "name": "host.b]", "values": ["b"] }] },
                { "name": "second", "threshold": 10, "unit": "%" },
            ],
            "actions": [{ "id": "/x/one" }, { "id": "/x/two" }],
        });
        Desired { origins: origins.to_vec(), ..Desired::new(id, &METRIC_ALERT, body, place) }
    }

    fn origin(resource: &Desired, path: &str) -> String {
        resource.origin(path).path().to_string()
    }

    #[test]
    fn an_item_comes_from_the_setting_of_its_number() {
        let rule = rule(&[
            ("criteria", "limits"),
            ("criteria[].threshold", "limits[].over"),
            ("criteria[].threshold", "limits[].under"),
        ]);
        assert_eq!(origin(&rule, "criteria[first].threshold"), "rules[0].limits[0].over");
        assert_eq!(origin(&rule, "criteria[second].threshold"), "rules[0].limits[1].under");
        // What is not wanted has no setting of its own, and what the settings do not name is in what is around it.
        assert_eq!(origin(&rule, "criteria[third].threshold"), "rules[0].limits");
        assert_eq!(origin(&rule, "criteria[second].unit"), "rules[0].limits");
        assert_eq!(origin(&rule, "window"), "rules[0]");
        assert_eq!(rule.said("window").map(|place| place.path().to_string()), None);
    }

    #[test]
    fn what_has_the_same_names_below_is_found_without_being_told() {
        let rule = rule(&[("criteria", "limits"), ("actions", "groups")]);
        assert_eq!(origin(&rule, "criteria[first].dimensions[disk].values"), "rules[0].limits[0].dimensions[0].values");
        assert_eq!(
            origin(&rule, "criteria[first].dimensions[host.b]].values"),
            "rules[0].limits[0].dimensions[1].values"
        );
        // Texts have no members, whatever an object has that is made of them.
        assert_eq!(origin(&rule, "actions[/x/two].id"), "rules[0].groups");
    }

    #[test]
    fn of_several_settings_the_last_that_is_said_counts() {
        let rule = rule(&[
            ("severity", "/severity"),
            ("severity", "severity"),
            ("window", "window"),
            ("criteria[second]", "groups"),
            ("criteria", "limits"),
        ]);
        assert_eq!(origin(&rule, "severity"), "severity");
        assert_eq!(origin(&rule, "window"), "rules[0].window");
        assert!(rule.said("window").is_none(), "a default");
        assert_eq!(origin(&rule, "criteria[second].threshold"), "rules[0].groups", "the longest goes before");
    }

    #[test]
    fn lists_of_other_lengths_are_not_paired() {
        let mut rule = rule(&[("criteria", "limits")]);
        rule.body["criteria"].as_array_mut().unwrap().remove(0);
        assert_eq!(origin(&rule, "criteria[second].name"), "rules[0].limits");
    }

    #[test]
    fn steps_end_where_brackets_and_dots_outside_of_them_are() {
        assert_eq!(steps("a.b[x.y[0]].c"), ["a", "b", "[x.y[0]]", "c"]);
        assert_eq!(steps("[0]"), ["[0]"]);
        assert_eq!(steps(""), Vec::<&str>::new());
    }
}
