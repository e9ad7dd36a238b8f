//! The query of a rule, known again: the definition it was made of, with the values of its parameters and its filters.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::definitions::Definition;
use super::query::{COMPUTER, Columns, fill, filtered, words};
use crate::commands::shared::export::{list, plain, required};
use crate::settings::{Written, WrittenKey};

/// The values that make a query of a definition.
pub(super) struct KnownQuery<'a> {
    pub(super) definition: &'a Definition,
    /// The values that differ from those of the definition.
    parameters: BTreeMap<String, String>,
    only_azure: bool,
    /// The words that stand for the names of the excluded machines.
    exclusions: Vec<String>,
}

impl KnownQuery<'_> {
    /// The keys that say it.
    pub(super) fn keys(&self) -> Vec<WrittenKey> {
        // A number as one, where it is the same text again.
        let value = |text: &String| {
            let number = serde_json::from_str::<Value>(text).ok().filter(Value::is_number);
            let number = number.map(|number| (number.to_string(), number)).filter(|(again, _)| again == text);
            number.map_or_else(|| json!(text), |(_, number)| number)
        };
        let parameters = self.parameters.iter().map(|(name, text)| plain(name, value(text))).collect::<Vec<_>>();
        let parameters = (!parameters.is_empty())
            .then(|| WrittenKey { is_required: true, ..WrittenKey::new("parameters", Written::Object(parameters)) });
        let exclusions = self.exclusions.iter().map(|name| Written::Plain(name.as_str().into())).collect();
        let exclusions = list("exclusions", exclusions).map(|key| WrittenKey { is_required: true, ..key });
        let on_premises = (!self.only_azure).then(|| required("monitorOnPrem", true));
        [parameters, exclusions, on_premises].into_iter().flatten().collect()
    }
}

/// The definition of which a query is made; none where it is not made of this one.
pub(super) fn known<'a>(
    definition: &'a Definition,
    query: &str,
    candidates: &[(&str, Vec<&str>)],
) -> Option<KnownQuery<'a>> {
    let columns = Columns::Named(definition.columns.as_deref().unwrap_or_default());
    let defaults = definition.defaults();
    let values = values(definition.query.trim_end(), &defaults, query)?;
    let excluded = excluded(query);
    // Where rows have no column for it, all of them count either way, which is the default.
    let only_azure = [true, false].into_iter().find(|only_azure| {
        filtered(&fill(&definition.query, &values), columns, *only_azure, &excluded).query == query
    })?;
    let exclusions = exclusions(&excluded, candidates)?;
    let parameters = values.into_iter().filter(|(name, value)| defaults.get(name) != Some(value)).collect();
    Some(KnownQuery { definition, parameters, only_azure, exclusions })
}

/// The values that the parameters of a template have in a query that begins like it; none where it does not.
fn values(template: &str, defaults: &BTreeMap<String, String>, query: &str) -> Option<BTreeMap<String, String>> {
    let mut values: BTreeMap<String, String> = defaults.clone();
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    let is_parameter = |word: &str| defaults.keys().find(|name| name.eq_ignore_ascii_case(word));
    let places: Vec<(usize, &str, &String)> =
        words(template).filter_map(|(start, word)| Some((start, word, is_parameter(word)?))).collect();
    let (mut rest, mut end) = (query, 0);
    for (index, (start, word, name)) in places.iter().enumerate() {
        rest = rest.strip_prefix(&template[end..*start])?;
        end = start + word.len();
        let next = places.get(index + 1).map_or(template.len(), |(next, ..)| *next);
        let literal = &template[end..next];
        // What is behind the last parameter of a line ends with the line at the latest.
        let length = match literal {
            "" => rest.find('\n').unwrap_or(rest.len()),
            literal => rest.find(literal)?,
        };
        let value = &rest[..length];
        if *found.entry(name.as_str()).or_insert(value) != value {
            return None;
        }
        rest = &rest[length..];
    }
    rest.strip_prefix(&template[end..])?;
    for (name, value) in found {
        values.insert(name.to_owned(), value.to_owned());
    }
    Some(values)
}

/// The names of the machines that a query excludes.
fn excluded(query: &str) -> Vec<String> {
    let between = || {
        let (_, rest) = query.split_once(&format!("| where {COMPUTER} !in~ ("))?;
        let (names, _) = rest.split_once(") and tostring(")?;
        // A literal of a query is one of JSON.
        serde_json::from_str(&format!("[{names}]")).ok()
    };
    between().unwrap_or_default()
}

/// The words that stand for machines in the settings; none where nothing stands for one of them.
fn exclusions(excluded: &[String], candidates: &[(&str, Vec<&str>)]) -> Option<Vec<String>> {
    let is_excluded = |name: &&str| excluded.iter().any(|known| known.eq_ignore_ascii_case(name));
    let mut left: Vec<&String> = excluded.iter().collect();
    let mut chosen = Vec::new();
    for (candidate, names) in candidates {
        let is_new = |name: &&str| left.iter().any(|known| known.eq_ignore_ascii_case(name));
        if names.iter().all(&is_excluded) && names.iter().any(is_new) {
            left.retain(|known| !names.iter().any(|name| known.eq_ignore_ascii_case(name)));
            chosen.push((*candidate).to_owned());
        }
    }
    left.is_empty().then_some(chosen)
}

#[cfg(test)]
mod tests {
    use super::super::definitions::built_in;
    use super::*;

    /// Whatever the parameters and filters are, the query is made again of what is found.
    #[test]
    fn every_definition_is_known_again() {
        let machines = ["Vm-A".to_owned(), "vm-b".to_owned()];
        let candidates = [("maintenance", vec!["vm-a"]), ("all", vec!["vm-a", "vm-b", "vm-c"]), ("b", vec!["VM-B"])];
        for definition in built_in() {
            let columns = Columns::Named(definition.columns.as_deref().unwrap_or_default());
            let defaults = definition.defaults();
            let other = defaults.iter().map(|(name, value)| {
                let other = value.parse::<f64>().map_or_else(|_| value.clone(), |number| (number + 0.5).to_string());
                (name.clone(), other)
            });
            for values in [defaults.clone(), other.collect()] {
                for (only_azure, excluded) in [(true, &machines[..0]), (false, &machines[..0]), (true, &machines)] {
                    let query = filtered(&fill(&definition.query, &values), columns, only_azure, excluded).query;
                    let found = built_in().iter().find_map(|known_one| known(known_one, &query, &candidates));
                    let found = found.unwrap_or_else(|| panic!("{} is not known again: {query}", definition.name));
                    let mut all = found.definition.defaults();
                    all.extend(found.parameters.clone());
                    let columns = Columns::Named(found.definition.columns.as_deref().unwrap_or_default());
                    let names = if found.exclusions.is_empty() { &machines[..0] } else { &machines };
                    let again = filtered(&fill(&found.definition.query, &all), columns, found.only_azure, names).query;
                    assert_eq!(again, query);
                }
            }
        }
    }

    #[test]
    fn machines_that_nothing_stands_for_cannot_be_said() {
        let excluded = ["a".to_owned(), "b".to_owned()];
        assert_eq!(exclusions(&excluded, &[("one", vec!["A"]), ("two", vec!["b", "c"])]), None);
        assert_eq!(
            exclusions(&excluded, &[("one", vec!["A"]), ("two", vec!["b"]), ("more", vec!["a"])]),
            Some(vec!["one".to_owned(), "two".to_owned()])
        );
        assert_eq!(exclusions(&[], &[("one", vec!["A"])]), Some(Vec::new()));
    }

    #[test]
    fn a_query_of_somebody_else_is_not_known() {
        for query in ["", "Heartbeat | count", "InsightsMetrics\n| where Origin == \"vm.azm.ms\""] {
            assert!(built_in().iter().all(|definition| known(definition, query, &[]).is_none()), "{query}");
        }
    }
}
