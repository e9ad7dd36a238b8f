//! Which setting a value of a body comes from.
//!
//! `origins` has pairs of a path and a setting. In a path, `[]` stands for any item of a list, and `[x]` for the one with this key. A setting is
//! relative to the place of the resource (`../` leads to what is above) or, with a `/` before it, to the document; its first `[]` stands for the
//! number of the item that the first `[]` of the path stands for. The longest path that fits counts, and of equal ones the last that the
//! document says. What is below it and has the same names in the settings comes from there.

use serde_json::Value;

use super::Desired;
use super::body::member_of;
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
        let at = Followed::new(self, path);
        let fits = |prefix: &str| at.ends.iter().position(|end| end.is_called(prefix));
        let fitting =
            || self.origins.iter().filter_map(|(prefix, setting)| Some((prefix.len(), fits(prefix)?, *setting)));
        let longest = fitting().map(|(length, ..)| length).max()?;
        let of_longest = fitting().filter(|(length, ..)| *length == longest);
        let places: Vec<(usize, Place)> =
            of_longest.map(|(_, end, setting)| (end, self.place_of(setting, at.numbers()))).collect();
        let said = places.iter().rev().find(|(_, place)| place.is_said());
        let (end, place) = said.or(places.last())?.clone();
        Some(at.below(end, place))
    }

    /// The place of a setting of `origins`, with the numbers of the items that it is in.
    pub(crate) fn place_of(&self, setting: &str, numbers: impl Iterator<Item = Option<usize>>) -> Place {
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
}

/// A path of a body, step by step.
struct Followed<'a> {
    ends: Vec<End<'a>>,
}

/// The end of a step.
struct End<'a> {
    step: Step<'a>,
    /// The path to here, as the tables write it: `properties.logs[].enabled`.
    general: String,
    /// The same with the keys of items: `properties.logs[Audit].enabled`.
    labelled: String,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    /// The number of the item among those that are wanted, and how many these are; none where it is not wanted.
    Item(Option<(usize, usize)>),
}

impl End<'_> {
    fn is_called(&self, path: &str) -> bool {
        self.general == path || self.labelled == path
    }
}

impl<'a> Followed<'a> {
    fn new(resource: &Desired, path: &'a str) -> Followed<'a> {
        let (mut general, mut labelled) = (String::new(), String::new());
        let mut values = vec![&resource.body, &resource.creation_body];
        // A resource as a whole has the empty path.
        let mut ends = vec![End { step: Step::Member(""), general: String::new(), labelled: String::new() }];
        for text in steps(path) {
            let step = match text.strip_prefix('[') {
                Some(label) => {
                    let label = label.strip_suffix(']').unwrap_or(label);
                    let item = values.iter().find_map(|list| item(resource.resource_type, &general, list, label));
                    general = items_of(&general);
                    labelled.push_str(text);
                    values = item.map(|(item, ..)| item).into_iter().collect();
                    Step::Item(item.map(|(_, number, of)| (number, of)))
                }
                None => {
                    let dot = if general.is_empty() { "" } else { "." };
                    general.push_str(dot);
                    general.push_str(text);
                    labelled.push_str(dot);
                    labelled.push_str(text);
                    values = values.into_iter().filter_map(|value| member_of(value.as_object()?, text)).collect();
                    Step::Member(text)
                }
            };
            ends.push(End { step, general: general.clone(), labelled: labelled.clone() });
        }
        Followed { ends }
    }

    /// The numbers of the items on the path.
    fn numbers(&self) -> impl Iterator<Item = Option<usize>> {
        self.ends.iter().filter_map(|end| match end.step {
            Step::Item(item) => Some(item.map(|(number, _)| number)),
            Step::Member(_) => None,
        })
    }

    /// The setting of the rest of the path, as far as it has the same names below that of its beginning.
    fn below(&self, end: usize, place: Place) -> Place {
        let (mut said, mut next) = (place.clone(), place);
        for End { step, .. } in self.ends.iter().skip(end + 1) {
            match step {
                Step::Member(name) if next.member(name).is_said() => {
                    next = next.member(name);
                    said = next.clone();
                }
                // In lists of one length the items are the same ones.
                Step::Item(Some((number, of))) if !next.index(*of).is_said() => next = next.index(*number),
                _ => break,
            }
        }
        said
    }
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

/// The wanted item of a list with a key, its number, and how many there are.
fn item<'a>(
    resource_type: &ResourceType,
    path: &str,
    list: &'a Value,
    label: &str,
) -> Option<(&'a Value, usize, usize)> {
    let list = list.as_array()?;
    let mut pairs = pairs(resource_type, path, list, &[])?.into_iter();
    let number = pairs.position(|pair| pair.label == label)?;
    Some((list.get(number)?, number, list.len()))
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
