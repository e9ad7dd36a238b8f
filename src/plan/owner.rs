//! Whose a resource group is: the publish name that it carries already, and the one that the document gives it.

use crate::desired::{Desired, World};
use crate::protocol::Warning;

/// A resource group of the document that is there under another publish name.
#[derive(Debug)]
pub struct PublishedOtherwise<'a> {
    /// The group as the document wants it.
    pub group: &'a Desired,
    /// The publish name that it carries.
    pub before: String,
    /// The publish name that the document gives it.
    pub after: String,
}

/// The resource groups that are there under other publish names; `tag_key` is the tag that carries them.
#[must_use]
pub fn published_otherwise<'a>(desired: &'a [Desired], world: &World, tag_key: &str) -> Vec<PublishedOtherwise<'a>> {
    let World::Known(existing) = world else { return Vec::new() };
    let is_key = |key: &str| key.eq_ignore_ascii_case(tag_key);
    let groups = desired.iter().filter(|resource| resource.id.group_id().as_ref() == Some(&resource.id));
    let otherwise = groups.filter_map(|group| {
        let (_, after) = group.tags.iter().find(|(key, _)| is_key(key))?;
        let tags = existing.get(&group.id)?.get("tags")?.as_object()?;
        let (_, before) = tags.iter().find(|(key, _)| is_key(key))?;
        let before = before.as_str().filter(|before| !before.is_empty() && *before != after.value)?;
        Some(PublishedOtherwise { group, before: before.to_owned(), after: after.value.clone() })
    });
    otherwise.collect()
}

/// The resources that are there with their very publish name in a tag of another key.
#[derive(Debug)]
pub struct OtherTagKey<'a> {
    /// The first of them as the document wants it.
    pub first: &'a Desired,
    /// Its publish name.
    pub service: &'a str,
    /// The key of the tag that carries it.
    pub key: String,
    /// Their number.
    pub count: usize,
}

/// The resources that would be tagged with their publish name by `tag_key` although a tag of another key has it already, as the
/// replaced module left them; none where there are no such resources. Tags of the document's own say nothing.
#[must_use]
pub fn other_tag_key<'a>(desired: &'a [Desired], world: &World, tag_key: &str) -> Option<OtherTagKey<'a>> {
    let World::Known(existing) = world else { return None };
    let mut found: Option<OtherTagKey<'a>> = None;
    for resource in desired {
        let Some((_, tag)) = resource.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key)) else { continue };
        let Some(tags) = existing.get(&resource.id).and_then(|body| body.get("tags")?.as_object()) else { continue };
        if tags.keys().any(|key| key.eq_ignore_ascii_case(tag_key)) {
            continue;
        }
        let is_own = |key: &str| resource.tags.keys().any(|own| own.eq_ignore_ascii_case(key));
        let Some((key, _)) = tags.iter().find(|(key, value)| value.as_str() == Some(&tag.value) && !is_own(key)) else {
            continue;
        };
        match &mut found {
            Some(found) => found.count += 1,
            None => found = Some(OtherTagKey { first: resource, service: &tag.value, key: key.clone(), count: 1 }),
        }
    }
    found
}

/// The resources that are there and belong to another environment of the subscription.
#[derive(Debug)]
pub struct OtherEnvironment<'a> {
    /// The first of them as the document wants it.
    pub first: &'a Desired,
    /// The environment that it belongs to.
    pub theirs: String,
    /// The environment of the run.
    pub own: &'a str,
    /// Their number.
    pub count: usize,
}

/// The resources that the document would change and that a tag says to be of another environment; none where there are no such.
#[must_use]
pub fn other_environment<'a>(desired: &'a [Desired], world: &World, tag_key: &str) -> Option<OtherEnvironment<'a>> {
    let World::Known(existing) = world else { return None };
    let mut found: Option<OtherEnvironment<'a>> = None;
    for resource in desired.iter().filter(|resource| !resource.keep_existing && resource.watch.is_none()) {
        let Some((_, tag)) = resource.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key)) else { continue };
        let Some(tags) = existing.get(&resource.id).and_then(|body| body.get("tags")?.as_object()) else { continue };
        let Some((_, theirs)) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key)) else { continue };
        let Some(theirs) = theirs.as_str().filter(|theirs| !theirs.is_empty() && *theirs != tag.value) else {
            continue;
        };
        match &mut found {
            Some(found) => found.count += 1,
            None => {
                let theirs = theirs.to_owned();
                found = Some(OtherEnvironment { first: resource, theirs, own: &tag.value, count: 1 });
            }
        }
    }
    found
}

impl PublishedOtherwise<'_> {
    /// The warning of what the change of the name means for others.
    #[must_use]
    pub fn warning(&self) -> Warning {
        let PublishedOtherwise { group, before, after } = self;
        group.place.remark(format_args!(
            "the resource group '{}' is published as '{before}' and becomes '{after}'; what depends on '{before}' no longer finds it.",
            group.id.name()
        ))
    }
}
