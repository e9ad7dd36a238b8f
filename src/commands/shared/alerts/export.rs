//! The parts that the documents of the three alert commands have in common where they are written of what exists.

use serde_json::Value;

use crate::azure::types::{ACTION_GROUP, RESOURCE_GROUP};
use crate::azure::{ResourceId, ResourceType, parse_duration};
use crate::commands::shared::export::{
    Estate, Exported, NOT_GENERATED, Names, There, list, plain, required, said_once,
};
use crate::naming::{Architecture, ResourceKind};
use crate::settings::{Written, WrittenKey};

/// The keys of the resource group, which a document owns: its location, and its publish name. `made_as` is what it is generated of where the
/// document makes it.
pub(in crate::commands) fn group_names(estate: &Estate<'_>, made_as: &str, exported: &mut Exported) -> Names {
    let group = estate.group;
    exported.keys.push(plain("location", group.location()));
    let mut names = Names::default();
    let Some(service) = estate.published(group) else {
        let why = estate.not_published("the resource group", &group.id);
        exported.notes.push(format!("The document names no resource group: {why}."));
        return names;
    };
    let made = (ResourceKind::ResourceGroup, Architecture::Monitor, Some(group.location()));
    let is_made = estate.name_behind(group.id.name(), &RESOURCE_GROUP, made);
    let is_made = is_made.is_some_and(|name| name.eq_ignore_ascii_case(made_as));
    let list = if is_made { &mut names.publish } else { &mut names.dependencies };
    list.push(required("resourceGroup", service));
    names
}

/// The names of the action groups that a rule notifies; those of ids.
///
/// # Errors
/// Why the settings cannot say one of them.
pub(in crate::commands) fn action_group_names(
    ids: &[ResourceId],
    estate: &Estate<'_>,
) -> Result<Option<WrittenKey>, String> {
    published_names("actionGroups", ids, ACTION_GROUP.label, estate)
}

/// A list of the publish names of resources, each once: one name may stand for several.
///
/// # Errors
/// Why the settings cannot say one of them.
pub(in crate::commands) fn published_names(
    key: &str,
    ids: &[ResourceId],
    label: &str,
    estate: &Estate<'_>,
) -> Result<Option<WrittenKey>, String> {
    let mut names: Vec<&str> = Vec::new();
    let found: Vec<Result<&str, String>> =
        ids.iter().map(|id| estate.needed_name(&format!("the {label}"), id)).collect();
    for name in found {
        let name = name?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let items = names.into_iter().map(|name| Written::Plain(name.into())).collect();
    Ok(list(key, items).map(|key| WrittenKey { is_required: true, ..key }))
}

/// The ids in a list of a body: of texts, or of objects that have them in a member.
pub(in crate::commands) fn ids(body: &Value, pointer: &str, member: &str) -> Vec<ResourceId> {
    let items = body.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let texts = items.filter_map(|item| item.as_str().or_else(|| item.get(member)?.as_str()));
    texts.filter_map(ResourceId::checked).collect()
}

/// The schedule of a rule, in minutes.
pub(in crate::commands) fn schedule(there: &There) -> Option<WrittenKey> {
    let minutes = |path: &str| minutes(there.said(path)?.as_str()?);
    let (frequency, window) = (minutes("properties.evaluationFrequency")?, minutes("properties.windowSize")?);
    let keys = vec![required("frequencyInMinutes", frequency), required("timeWindowInMinutes", window)];
    Some(WrittenKey::new("schedule", Written::Object(keys)))
}

/// The whole minutes of a duration.
pub(in crate::commands) fn minutes(text: &str) -> Option<u64> {
    let length = parse_duration(text)?;
    (length.as_secs() % 60 == 0).then_some(length.as_secs() / 60)
}

/// The place of a rule in a document, as its generated name says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::commands) struct RulePlace {
    /// `<group>[-<set>][-<alert>]`.
    base: String,
    /// The position in its set; none where that part of the name was cut off, so that any will do.
    index: Option<usize>,
    /// The kind that all alerts of a set have in common; none for an alert that may be in any.
    kind: Option<String>,
}

impl RulePlace {
    /// The same in a set of a kind.
    pub(in crate::commands) fn of_kind(self, kind: Option<String>) -> RulePlace {
        RulePlace { kind, ..self }
    }
}

/// The place of a rule in a document, by its generated name.
///
/// # Errors
/// The name is not generated, or not of a rule of the command.
pub(in crate::commands) fn rule_place(
    there: &There,
    resource_type: &ResourceType,
    prefix: &str,
    location: &str,
    estate: &Estate<'_>,
) -> Result<RulePlace, String> {
    let made = (ResourceKind::Alert, Architecture::Monitor, Some(location));
    let name = estate.name_behind(there.id.name(), resource_type, made).ok_or(NOT_GENERATED)?;
    let rest = name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-')).filter(|rest| !rest.is_empty());
    let rest = rest.ok_or_else(|| format!("its name has not the form {prefix}-<group>-<alert>-<number>"))?;
    let numbered = rest.rsplit_once('-').and_then(|(base, index)| Some((base, index.parse().ok()?)));
    let (base, index) = numbered.map_or((rest, None), |(base, index)| (base, Some(index)));
    Ok(RulePlace { base: base.to_owned(), index, kind: None })
}

/// A rule that a document can say.
pub(in crate::commands) struct WrittenRule<'a> {
    pub(in crate::commands) there: &'a There,
    pub(in crate::commands) place: RulePlace,
    /// The keys of its alert, without the name.
    pub(in crate::commands) keys: Vec<WrittenKey>,
    /// The names of its `service`.
    pub(in crate::commands) names: Names,
}

/// Adds the names of the document, and rules in the groups and sets in which they get their names again; `set` writes the key of a set of a
/// kind, and `publish` is the key of the publish name of a rule.
pub(in crate::commands) fn write_groups(
    mut rules: Vec<WrittenRule<'_>>,
    (resource_type, publish): (&ResourceType, &str),
    names: Names,
    set: impl Fn(Option<String>) -> WrittenKey,
    exported: &mut Exported,
) {
    let once = said_once(rules.iter_mut().map(|rule| &mut rule.names), &["actionGroups", publish]);
    exported.keys.extend(names.and(once).key());
    let places: Vec<RulePlace> = rules.iter().map(|rule| rule.place.clone()).collect();
    let (groups, left) = grouped(&places);
    left.into_iter().for_each(|rule| exported.leave_out(resource_type, rules[rule].there, NO_PLACE));
    let of_list =
        |key: &str, items: Vec<Written>| WrittenKey { is_required: true, ..WrittenKey::new(key, Written::List(items)) };
    let mut written = Vec::new();
    for (group_at, (name, sets)) in groups.into_iter().enumerate() {
        let mut of_group = Vec::new();
        for (set_at, SetOfRules { kind, name, alerts }) in sets.into_iter().enumerate() {
            let mut of_set = Vec::new();
            for (at, (rule, name)) in alerts.into_iter().enumerate() {
                // Without it, those after it would get other names.
                let place = format!("groups[{group_at}].alertSets[{set_at}].alerts[{at}]");
                exported.wholes.push((place, rules[rule].there.id.clone()));
                let WrittenRule { keys, names, .. } = &rules[rule];
                let name = name.map(|name| plain("name", name));
                of_set.push(names.clone().item(name.into_iter().chain(keys.iter().cloned())));
            }
            let name = name.map(|name| plain("name", name));
            let keys = [Some(set(kind)), name, Some(of_list("alerts", of_set))];
            of_group.push(Written::Object(keys.into_iter().flatten().collect()));
        }
        written.push(Written::Object(vec![required("name", name), of_list("alertSets", of_group)]));
    }
    exported.keys.push(of_list("groups", written));
}

/// Alerts that stand in one set, from the first on.
#[derive(Debug, Default)]
struct Chain {
    words: Vec<String>,
    kind: Option<String>,
    rules: Vec<usize>,
}

/// A set of alerts: what they have in common, and which rules they are, each with the name of the alert.
#[derive(Debug, PartialEq, Eq)]
struct SetOfRules {
    kind: Option<String>,
    /// The part between the group and the alerts in the names of all of its rules.
    name: Option<String>,
    alerts: Vec<(usize, Option<String>)>,
}

/// The rules in groups and sets in which they get their names again: the number of a rule is its position in its set. Also the rules for
/// which there is no such position.
fn grouped(rules: &[RulePlace]) -> (Vec<(String, Vec<SetOfRules>)>, Vec<usize>) {
    let mut chains: Vec<Chain> = Vec::new();
    let mut waiting: Vec<usize> = (0..rules.len()).collect();
    // Those whose number was cut off come last: they fit in anywhere.
    waiting.sort_by_key(|rule| (rules[*rule].index.unwrap_or(usize::MAX), rules[*rule].base.clone()));
    let mut left = Vec::new();
    for rule in waiting {
        let RulePlace { base, index, kind } = &rules[rule];
        let words = stem(base);
        let fits = |chain: &&mut Chain| {
            index.is_none_or(|index| index == chain.rules.len())
                && chain.kind.as_ref().zip(kind.as_ref()).is_none_or(|(one, other)| one.eq_ignore_ascii_case(other))
                && common(&chain.words, &words) > 0
        };
        // Of several, the one that certainly is of its kind.
        let is_of_kind = |chain: &Chain| kind.is_some() && chain.kind.is_some();
        let best = chains.iter_mut().filter(fits).max_by_key(|chain| (common(&chain.words, &words), is_of_kind(chain)));
        match (best, index) {
            (Some(chain), index) if *index != Some(0) => {
                chain.words.truncate(common(&chain.words, &words));
                chain.kind = chain.kind.take().or_else(|| kind.clone());
                chain.rules.push(rule);
            }
            (_, None | Some(0)) => chains.push(Chain { words, kind: kind.clone(), rules: vec![rule] }),
            _ => left.push(rule),
        }
    }
    let mut groups: Vec<(String, Vec<SetOfRules>)> = Vec::new();
    for Chain { words, kind, rules: of_chain } in chains {
        let name = words.join("-");
        let alert = |rule: usize| {
            let rest = rules[rule].base.strip_prefix(&name).and_then(|rest| rest.strip_prefix('-'));
            (rule, rest.map(str::to_owned))
        };
        let (name_of_set, alerts) = without_set_name(of_chain.into_iter().map(alert).collect());
        let set = SetOfRules { kind, name: name_of_set, alerts };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sets)) => sets.push(set),
            None => groups.push((name, vec![set])),
        }
    }
    left.sort_unstable();
    (groups, left)
}

/// The name of a set, where all of several alerts begin with it, and the alerts without that.
fn without_set_name(alerts: Vec<(usize, Option<String>)>) -> (Option<String>, Vec<(usize, Option<String>)>) {
    let first = |(_, name): &(usize, Option<String>)| name.as_deref()?.split('-').next().map(str::to_owned);
    let Some(name) = alerts.first().and_then(first).filter(|name| !name.is_empty()) else { return (None, alerts) };
    if alerts.len() == 1 || !alerts.iter().all(|alert| first(alert).as_ref() == Some(&name)) {
        return (None, alerts);
    }
    let rest = |alert: String| alert.strip_prefix(&name).and_then(|rest| rest.strip_prefix('-')).map(str::to_owned);
    let alerts = alerts.into_iter().map(|(rule, alert)| (rule, alert.and_then(rest))).collect();
    (Some(name), alerts)
}

/// The words that a group may be called by: the last one is for the alert, where there are several.
fn stem(base: &str) -> Vec<String> {
    let mut words: Vec<String> = base.split('-').map(str::to_owned).collect();
    if words.len() > 1 {
        words.pop();
    }
    words
}

/// The number of words that two lists both begin with.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Why a rule has no place in a document.
const NO_PLACE: &str = "the number at the end of its name is its position in a set of alerts, and no rules of the same group have the numbers before it";

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str, kind: &str) -> RulePlace {
        let numbered = name.rsplit_once('-').and_then(|(base, index)| Some((base, index.parse().ok()?)));
        let (base, index) = numbered.map_or((name, None), |(base, index)| (base, Some(index)));
        RulePlace { base: base.to_owned(), index, kind: Some(kind.to_owned()).filter(|kind| !kind.is_empty()) }
    }

    /// Whatever the sets are, each rule gets its name again.
    #[test]
    fn rules_get_their_names_again() {
        for (names, left) in [
            (&["compute-cpu-0", "storage-files-0"][..], &[][..]),
            (&["a-x-0", "a-y-1", "a-b-z-2", "a-0", "b-0", "b-1"], &[]),
            (
                &[
                    "fields-servers-0",
                    "fields-servers-everything-1",
                    "fields-operators-0",
                    "fields-learned by default-1",
                ],
                &[],
            ),
            (&["a-x-1", "b-x-0", "b-y-2"], &["a-x-1", "b-y-2"]),
            (&["a-x-0", "a-without a number"], &[]),
            (&["s-all-0", "s-all-cpu-1", "s-all-all-2", "s-one-0"], &[]),
            (&["s-plain-0", "s-plain-1", "s--x-0", "s--x-1"], &[]),
        ] {
            let places: Vec<RulePlace> = names.iter().map(|name| place(name, "")).collect();
            let (groups, without) = grouped(&places);
            let without: Vec<&str> = without.into_iter().map(|rule| names[rule]).collect();
            assert_eq!(without, left, "{names:?}");
            let mut made: Vec<String> = Vec::new();
            for (group, sets) in &groups {
                for set in sets {
                    for (index, (rule, alert)) in set.alerts.iter().enumerate() {
                        let name = super::super::rule_name("p", group, set.name.as_ref(), alert.as_ref(), index);
                        let cut = places[*rule].index.is_none();
                        made.push(if cut { names[*rule].to_owned() } else { name["p-".len()..].to_owned() });
                    }
                }
            }
            made.sort();
            let mut wanted: Vec<&str> = names.iter().filter(|name| !left.contains(name)).copied().collect();
            wanted.sort_unstable();
            assert_eq!(made, wanted);
        }
    }

    #[test]
    fn a_set_has_one_kind_in_any_letter_case() {
        let places = [place("a-x-0", "one"), place("a-y-1", "two"), place("a-z-1", "ONE"), place("a-u-2", "")];
        let (groups, left) = grouped(&places);
        assert_eq!(left, [1]);
        let [(group, sets)] = groups.as_slice() else { panic!("{groups:?}") };
        assert_eq!(group, "a");
        assert_eq!(sets[0].kind.as_deref(), Some("one"));
        assert_eq!(sets[0].alerts.len(), 3);
    }

    /// The groups and sets of the examples, by the names of their rules.
    #[test]
    fn groups_and_sets_are_as_they_were_where_the_names_allow_it() {
        let rules = [
            ("servers-standard-0", "vm"),
            ("servers-standard-cpu-1", "vm"),
            ("servers-standard-backup-2", "vm"),
            ("databases-0", "sql"),
            ("databases-1", "sql"),
            ("databases-failed-0", ""),
        ];
        let (groups, left) = grouped(&rules.map(|(name, kind)| place(name, kind)));
        assert_eq!(left, Vec::<usize>::new());
        let set = |kind: &str, name: &str, alerts: &[(usize, &str)]| {
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let alerts = alerts.iter().map(|(rule, name)| (*rule, text(name))).collect();
            SetOfRules { kind: text(kind), name: text(name), alerts }
        };
        let expected = [
            ("databases".to_owned(), vec![set("sql", "", &[(3, ""), (4, "")]), set("", "", &[(5, "failed")])]),
            ("servers".to_owned(), vec![set("vm", "standard", &[(0, ""), (1, "cpu"), (2, "backup")])]),
        ];
        assert_eq!(groups, expected);
    }

    #[test]
    fn durations_are_minutes() {
        assert_eq!(
            (minutes("PT5M"), minutes("PT1H"), minutes("P2D"), minutes("PT30S")),
            (Some(5), Some(60), Some(2880), None)
        );
    }
}
