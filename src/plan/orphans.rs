//! The resources that have left the documents: they stay in Azure, and are told, or deleted where that is asked for.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Change, Plan, TypeFacts, deletion, kept, sentences};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType, resource_type};
use crate::desired::{Desired, Existing};
use crate::settings::Place;

/// A resource that is in no document of the run, although one of them, or one that was before it, has made it.
#[derive(Debug, Clone)]
pub struct Orphan {
    /// As Azure knows it.
    pub id: ResourceId,
    /// The facts of its type.
    pub resource_type: &'static ResourceType,
    /// The name under which others find it; none of what is below a resource of a document.
    pub publish_name: Option<String>,
    /// The setting of the resource group, or of what it is below.
    pub place: Place,
}

/// The tags and types by which orphans are looked for.
#[derive(Debug)]
pub struct OrphanSearch<'a> {
    /// The tag of publish names.
    pub tag_key: &'a str,
    /// The groups that are completed: what is in them is deleted anyway.
    pub completed: &'a [&'a ResourceId],
}

/// The orphans among what `listed` has of what carries publish names, and among what exists below resources with one, in the order of their ids.
/// They are in a resource group that a document makes, or below something that one makes; what others have made is none.
#[must_use]
pub fn orphans(search: &OrphanSearch<'_>, desired: &[Desired], listed: &[Value], existing: &Existing) -> Vec<Orphan> {
    let known: HashSet<&ResourceId> = desired.iter().map(|wanted| &wanted.id).collect();
    let made: HashMap<&ResourceId, &Desired> =
        desired.iter().filter(|wanted| wanted.watch.is_none()).map(|wanted| (&wanted.id, wanted)).collect();
    let tagged = listed.iter().filter_map(|item| {
        let id = ResourceId::checked(item.get("id")?.as_str()?)?;
        let publish_name = tag(item, search.tag_key).filter(|name| !name.is_empty())?;
        let group = id.group_id().filter(|group| *group != id && !search.completed.contains(&group))?;
        let place = made.get(&group).filter(|group| group.resource_type.name == RESOURCE_GROUP_TYPE)?.place.clone();
        let resource_type = resource_type(&id.resource_type())?;
        Some(Orphan { id, resource_type, publish_name: Some(publish_name.to_owned()), place })
    });
    let below = existing.keys().filter_map(|id| {
        let resource_type = resource_type(&id.resource_type())
            .filter(|known| known.left_behind.is_some_and(|is_left| is_left(id.name())))?;
        let parent = std::iter::successors(id.parent(), ResourceId::parent).find_map(|parent| made.get(&parent))?;
        let is_published = parent.tags.values().any(|tag| tag.publishes);
        is_published.then(|| Orphan { id: id.clone(), resource_type, publish_name: None, place: parent.place.clone() })
    });
    let mut found: Vec<Orphan> = tagged.chain(below).filter(|orphan| !known.contains(&orphan.id)).collect();
    found.sort_by(|one, other| one.id.cmp(&other.id));
    found.dedup_by(|one, other| one.id == other.id);
    // What is below another one goes with it.
    let ids: HashSet<ResourceId> = found.iter().map(|orphan| orphan.id.clone()).collect();
    let above = |id: &ResourceId| std::iter::successors(id.parent(), ResourceId::parent);
    found.retain(|orphan| !above(&orphan.id).any(|other| ids.contains(&other)));
    found
}

fn tag<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    let tags = item.get("tags")?.as_object()?;
    tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).and_then(|(_, value)| value.as_str())
}

impl Orphan {
    /// Its name in sentences.
    #[must_use]
    pub fn full_name(&self) -> String {
        sentences::full_name(&self.id, self.resource_type.label)
    }

    /// Notes in a plan that it stays.
    pub fn keep(&self, plan: &mut Plan) {
        let reason = self.place.remark(format_args!("the {} is in no document. It is kept.", self.full_name()));
        let kept = kept::resource_kept(&self.id, self.resource_type, &self.place, reason);
        plan.kept.push(crate::protocol::Kept { orphan: true, ..kept });
    }
}

/// The deletions of orphans. What names another one goes before it; `bodies` has what is known of them.
#[must_use]
pub fn prune(orphans: &[Orphan], bodies: &Existing) -> Vec<Change> {
    let names = |one: &Orphan, other: &Orphan| {
        let other = other.id.as_str().to_ascii_lowercase();
        bodies.get(&one.id).is_some_and(|body| body.to_string().to_ascii_lowercase().contains(&format!("\"{other}\"")))
    };
    let deletion = |orphan: &Orphan| {
        let before =
            orphans.iter().filter(|other| other.id != orphan.id && names(other, orphan) && !names(orphan, other));
        let depends_on = before.map(|other| other.id.clone()).collect();
        Change { depends_on, ..deletion(orphan.id.clone(), TypeFacts::from(orphan.resource_type), &orphan.place) }
    };
    orphans.iter().map(deletion).collect()
}
