//! The resources that all documents of a run want together: one resource where several want the same, and what they cannot want together.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::azure::types::ACTIVITY_LOG_ALERT;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId};
use crate::commands::{Compiled, published};
use crate::desired::{Desired, Tags, Watch};
use crate::naming::{generator_of_worldwide, same_location};
use crate::protocol::{FindingCode, Warning, leaves};
use crate::settings::{Finding, Place};

/// One compilation of all documents, which come in the order in which they were compiled. What they cannot want together is among the
/// findings.
pub(super) fn join(mut compiled: Vec<Compiled>, service_tag_key: &str) -> Compiled {
    if compiled.len() < 2 {
        return compiled.pop().unwrap_or_default();
    }
    let ids = ids(&compiled);
    for (number, one) in compiled.iter_mut().enumerate() {
        wait_for_others(&ids, number, one);
    }
    let mut whole = Joined::default();
    for one in compiled {
        whole.add(one);
    }
    whole.finish(service_tag_key)
}

/// Everything that the documents make, each with the number of its document.
fn ids(compiled: &[Compiled]) -> HashMap<ResourceId, HashSet<usize>> {
    let mut ids: HashMap<ResourceId, HashSet<usize>> = HashMap::new();
    for (number, one) in compiled.iter().enumerate() {
        for resource in one.desired.iter().filter(|resource| resource.watch.is_none()) {
            ids.entry(resource.id.clone()).or_default().insert(number);
        }
    }
    ids
}

/// Lets the resources of a document wait for those of other documents that their bodies name.
fn wait_for_others(ids: &HashMap<ResourceId, HashSet<usize>>, number: usize, one: &mut Compiled) {
    for resource in &mut one.desired {
        let mut named = Vec::new();
        for body in [&resource.body, &resource.creation_body] {
            leaves("", body, &mut |path, value| {
                if !is_only_named(resource, path) {
                    named_ids(value, &mut named);
                }
            });
        }
        for id in named {
            // A part of a resource, such as a rule in it, is there when the resource is.
            let made = std::iter::successors(Some(id), ResourceId::parent).find_map(|id| Some((ids.get(&id)?, id)));
            let Some((owners, id)) = made else { continue };
            if !owners.contains(&number) && !resource.depends_on.contains(&id) {
                resource.depends_on.push(id);
            }
        }
    }
}

/// Whether Azure does not look at what the property names: an alert may be about what is not there yet.
fn is_only_named(resource: &Desired, path: &str) -> bool {
    resource.resource_type.name == ACTIVITY_LOG_ALERT.name && path.starts_with("properties.condition")
}

/// The ids in a value.
fn named_ids(value: &Value, found: &mut Vec<ResourceId>) {
    match value {
        Value::String(text) if text.starts_with("/subscriptions/") => found.extend(ResourceId::checked(text)),
        Value::Array(items) => items.iter().for_each(|item| named_ids(item, found)),
        Value::Object(members) => members.values().for_each(|member| named_ids(member, found)),
        _ => {}
    }
}

/// The resources that were joined so far.
#[derive(Default)]
struct Joined {
    whole: Compiled,
    /// The index of each resource in the list.
    by_id: HashMap<ResourceId, usize>,
    /// The position of the first of each worldwide name.
    worldwide: HashMap<String, usize>,
}

impl Joined {
    fn add(&mut self, one: Compiled) {
        let Compiled {
            desired,
            warnings,
            namesakes,
            notes,
            kept,
            findings,
            needs,
            sought,
            looked_up,
            complete,
            owned,
            names,
        } = one;
        self.whole.names.extend(names);
        self.whole.namesakes.extend(namesakes);
        for resource in desired {
            match self.by_id.get(&resource.id) {
                Some(position) => self.merge(*position, resource),
                None => self.push(resource),
            }
        }
        // Several documents read the same naming and tag files.
        let new: Vec<Warning> = warnings.into_iter().filter(|warning| !self.whole.warnings.contains(warning)).collect();
        self.whole.warnings.extend(new);
        self.whole.notes.extend(notes);
        self.whole.kept.extend(kept);
        self.whole.findings.extend(findings);
        self.whole.needs.join(needs);
        self.whole.sought.extend(sought);
        self.whole.looked_up.extend(looked_up);
        for complete in complete {
            self.check_complete(&complete.group, &complete.place);
            self.whole.complete.push(complete);
        }
        for owned in owned {
            if let Some(other) = self.whole.owned.iter().find(|other| other.profile == owned.profile) {
                let message = format!(
                    "the front door '{}' is also that of {}, and each would take out what the other has; use another name",
                    owned.profile.name(),
                    other.place.show()
                );
                self.whole.findings.push(Finding {
                    place: owned.place.clone(),
                    code: FindingCode::OwnedTwice,
                    message,
                });
            }
            self.whole.owned.push(owned);
        }
    }

    fn push(&mut self, resource: Desired) {
        if resource.resource_type.worldwide_name {
            let key = format!("{}/{}", resource.resource_type.name, resource.id.name()).to_ascii_lowercase();
            match self.worldwide.get(&key) {
                Some(first) => {
                    let first = &self.whole.desired[*first];
                    let finding = twice(&resource, &first.place, &advice_for_regions(&resource, first));
                    self.whole.findings.push(finding);
                }
                None => {
                    self.worldwide.insert(key, self.whole.desired.len());
                }
            }
        }
        self.by_id.insert(resource.id.clone(), self.whole.desired.len());
        self.whole.desired.push(resource);
    }

    /// Two documents want one resource.
    fn merge(&mut self, position: usize, other: Desired) {
        let known = &mut self.whole.desired[position];
        if known.place.is_beside(&other.place) {
            // A document that has something twice has said so.
            return self.whole.desired.push(other);
        }
        match (&known.watch, &other.watch) {
            (Some(_), None) => return *known = other,
            (_, Some(_)) => return,
            (None, None) => {}
        }
        if let Some(difference) = difference(known, &other) {
            let finding = twice(&other, &known.place, &format!("; the two want it differently in {difference}"));
            return self.whole.findings.push(finding);
        }
        let tags_of = |tags: &mut Tags, other: Tags| {
            for (key, tag) in other {
                if !tags.keys().any(|known| known.eq_ignore_ascii_case(&key)) {
                    tags.insert(key, tag);
                }
            }
        };
        tags_of(&mut known.tags, other.tags);
        tags_of(&mut known.creation_tags, other.creation_tags);
        for id in other.depends_on {
            if !known.depends_on.contains(&id) {
                known.depends_on.push(id);
            }
        }
    }

    /// A finding when two documents own a group: each would delete the rules of the other.
    fn check_complete(&mut self, group: &ResourceId, place: &Place) {
        let Some(other) = self.whole.complete.iter().find(|other| other.group == *group) else { return };
        let message = format!(
            "the resource group '{}' is also that of the rules of {}, and each document would delete the rules of the other; use a resource \
             group for each",
            group.name(),
            other.place.show()
        );
        self.whole.findings.push(Finding { place: place.clone(), code: FindingCode::OwnedTwice, message });
    }

    fn finish(mut self, service_tag_key: &str) -> Compiled {
        self.check_publish_names(service_tag_key);
        self.check_strangers();
        self.drop_fulfilled();
        self.forget_own_namesakes();
        self.whole
    }

    /// Whoever gives one name to several resources of a run means it, in one document as in several.
    fn forget_own_namesakes(&mut self) {
        let Compiled { desired, namesakes, .. } = &mut self.whole;
        let own: HashSet<&ResourceId> = desired.iter().filter(|one| one.watch.is_none()).map(|one| &one.id).collect();
        namesakes.iter_mut().for_each(|namesake| namesake.others.retain(|id| !own.contains(id)));
        namesakes.retain(|namesake| !namesake.others.is_empty());
    }

    /// A finding when two groups have one publish name: nobody could tell which one is meant.
    fn check_publish_names(&mut self, service_tag_key: &str) {
        let mut first: BTreeMap<&str, &Desired> = BTreeMap::new();
        let mut findings = Vec::new();
        let groups = |(resource, _): &(&Desired, _)| resource.resource_type.name == RESOURCE_GROUP_TYPE;
        for (group, tag) in published(&self.whole.desired, service_tag_key).filter(groups) {
            let known = *first.entry(&tag.value).or_insert(group);
            if known.id != group.id && !known.place.is_beside(&group.place) {
                let message = format!(
                    "the resource groups '{}' ({}) and '{}' would both be published as '{}', and a dependency on it would find two; use another name",
                    known.id.name(),
                    known.place.show(),
                    group.id.name(),
                    tag.value
                );
                findings.push(Finding { place: tag.place.clone(), code: FindingCode::ServiceAmbiguous, message });
            }
        }
        self.whole.findings.extend(findings);
    }

    /// A finding for what a document puts into a group that is to hold nothing but the rules of another one.
    fn check_strangers(&mut self) {
        let mut findings = Vec::new();
        for complete in &self.whole.complete {
            let strangers = self.whole.desired.iter().filter(|resource| {
                let is_in = resource.watch.is_none() && resource.id.parent().as_ref() == Some(&complete.group);
                is_in && !resource.place.is_beside(&complete.place)
            });
            findings.extend(strangers.map(|resource| Finding {
                place: resource.place.clone(),
                code: FindingCode::OwnedTwice,
                message: format!(
                    "the {} '{}' would be in the resource group '{}', which is to hold nothing but the rules of {}; use another resource group",
                    resource.resource_type.label,
                    resource.id.name(),
                    complete.group.name(),
                    complete.place.show()
                ),
            }));
        }
        self.whole.findings.extend(findings);
    }

    /// Takes out what is only looked at and what another document makes under another name.
    fn drop_fulfilled(&mut self) {
        let expected = |resource: &Desired| matches!(resource.watch, Some(Watch::Expected(_)));
        if !self.whole.desired.iter().any(expected) {
            return;
        }
        let is_made = |wanted: &Desired| {
            let beside = self.whole.desired.iter().filter(|other| {
                other.watch.is_none()
                    && other.resource_type.name == wanted.resource_type.name
                    && other.id.parent() == wanted.id.parent()
            });
            let mut bodies = beside.map(|other| &other.body);
            wanted.resource_type.remainder.is_some_and(|remainder| remainder(&wanted.body, None, &mut bodies).is_none())
        };
        let fulfilled: HashSet<ResourceId> = self
            .whole
            .desired
            .iter()
            .filter(|resource| expected(resource) && is_made(resource))
            .map(|resource| resource.id.clone())
            .collect();
        self.whole.desired.retain(|resource| resource.watch.is_none() || !fulfilled.contains(&resource.id));
    }
}

/// The way out where two of one worldwide name are in two regions: the end of the finding.
fn advice_for_regions(one: &Desired, other: &Desired) -> String {
    let location = |resource: &Desired| resource.body.get("location").and_then(Value::as_str).map(str::to_owned);
    match (location(one), location(other), generator_of_worldwide(one.resource_type.name)) {
        (Some(one), Some(other), Some(generator)) if one != other => format!(
            "; they are in {one} and {other}: let the generator of the name, '{generator}' unless _names says otherwise, add the location ('source: location')"
        ),
        _ => String::new(),
    }
}

fn twice(resource: &Desired, first: &Place, why: &str) -> Finding {
    Finding {
        place: resource.place.clone(),
        code: FindingCode::DuplicateName,
        message: format!(
            "duplicate {} '{}', first used by {} ({}){why}",
            resource.resource_type.label,
            resource.id.name(),
            first.path(),
            first.show()
        ),
    }
}

/// The first property in which two want one resource differently; none where both can have it.
fn difference(one: &Desired, other: &Desired) -> Option<String> {
    let bodies = [(&one.body, &other.body), (&one.creation_body, &other.creation_body)];
    let body = bodies.iter().find_map(|(one, other)| differing(one, other));
    let tag = || {
        let differs = |(key, tag): (&String, &crate::desired::Tag)| {
            let known = other.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key));
            known.is_some_and(|(_, known)| known.value != tag.value).then(|| format!("the tag '{key}'"))
        };
        one.tags.iter().find_map(differs)
    };
    let references = |desired: &Desired| -> Vec<String> {
        let all = desired.references.iter().chain(&desired.creation_references);
        all.map(|reference| format!("{} {} {}", reference.path, reference.of, reference.text)).collect()
    };
    let reference = || (references(one) != references(other)).then(|| "a value of another resource".to_owned());
    let kind = || (one.keep_existing != other.keep_existing).then(|| "whether it is kept".to_owned());
    body.or_else(tag).or_else(reference).or_else(kind)
}

/// The path of the first value that two bodies have differently.
fn differing(one: &Value, other: &Value) -> Option<String> {
    let all = |body: &Value| {
        let mut found = BTreeMap::new();
        leaves("", body, &mut |path, value| {
            found.insert(path.to_owned(), value.clone());
        });
        found
    };
    let (one, other) = (all(one), all(other));
    let is_same = |path: &str, one: Option<&Value>, other: Option<&Value>| match (one, other) {
        (Some(Value::String(one)), Some(Value::String(other))) if path == "location" => same_location(one, other),
        (Some(Value::String(one)), Some(Value::String(other))) if one.starts_with('/') => {
            one.eq_ignore_ascii_case(other)
        }
        (one, other) => one == other,
    };
    let mut paths = one.keys().chain(other.keys());
    paths.find(|path| !is_same(path, one.get(*path), other.get(*path))).map(|path| format!("'{path}'"))
}
