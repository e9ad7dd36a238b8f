//! The tags of resources, and what Azure takes of them.

use super::{Compilation, EnvironmentTag, Published};
use crate::azure::types::PRIVATE_DNS_ZONE;
use crate::commands::shared::tag_settings::LONGEST_VALUE as LONGEST_TAG_VALUE;
use crate::desired::{Desired, Tag, Tags};
use crate::protocol::FindingCode;
use crate::settings::Finding;

impl Compilation<'_> {
    /// The tag with the publish name, when there is one.
    #[must_use]
    pub(crate) fn service_tag(&self, publish: Option<&Published>) -> Tags {
        publish
            .map(|publish| {
                (
                    self.project.run.service_tag_key.clone(),
                    Tag { value: publish.name.clone(), place: publish.place.clone(), publishes: true },
                )
            })
            .into_iter()
            .collect()
    }

    /// The tags of the tag settings, with the publish name over them.
    #[must_use]
    pub(crate) fn tags(&self, publish: Option<&Published>) -> Tags {
        let mut tags = self.project.tags.clone();
        let service_tag = self.service_tag(publish);
        tags.retain(|key, _| !service_tag.keys().any(|other| other.eq_ignore_ascii_case(key)));
        tags.extend(service_tag);
        tags
    }

    /// Says of a resource which environment has it, whatever the tag settings say.
    pub(super) fn tag_with_environment(&self, resource: &mut Desired) {
        let Some(EnvironmentTag { key, value }) = &self.project.environment_tag else { return };
        // A network is linked to one zone of a name, so environments that share a network share its zones.
        let is_zone = resource.resource_type.name == PRIVATE_DNS_ZONE.name;
        if resource.resource_type.tags.is_none() || resource.watch.is_some() || is_zone {
            return;
        }
        for tags in [&mut resource.tags, &mut resource.creation_tags] {
            tags.retain(|known, _| !known.eq_ignore_ascii_case(key));
        }
        let tag = Tag { value: value.clone(), place: resource.place.clone(), publishes: false };
        resource.tags.insert(key.clone(), tag);
    }

    /// The tag with the publish name of a resource.
    pub(super) fn service_tag_of<'b>(&self, resource: &'b Desired) -> Option<&'b Tag> {
        let key = &self.project.run.service_tag_key;
        resource.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, tag)| tag)
    }

    pub(super) fn check_tags(&mut self, resource: &Desired) {
        if let Some(tag) = self.service_tag_of(resource) {
            let length = tag.value.chars().count();
            let place = tag.place.show();
            let is_told = |finding: &Finding| finding.code == FindingCode::TagsRefused && finding.place.show() == place;
            if length > LONGEST_TAG_VALUE && !self.findings.iter().any(is_told) {
                let message = format!(
                    "the publish name has {length} characters; it is the value of a tag, which can have at most {LONGEST_TAG_VALUE}"
                );
                self.finding(tag.place.clone(), FindingCode::TagsRefused, message);
            }
        }
        let mut keys: Vec<&String> = resource.creation_tags.keys().chain(resource.tags.keys()).collect();
        keys.sort();
        keys.dedup();
        let Some(limits) = resource.resource_type.tags else { return };
        let label = resource.resource_type.label;
        let mut problems = Vec::new();
        if keys.len() > limits.count {
            problems.push(format!("{} tags are too many; a {label} takes at most {}", keys.len(), limits.count));
        }
        for key in keys.iter().filter(|key| key.chars().count() > limits.key_length) {
            problems.push(format!(
                "the tag key '{key}' is too long; a {label} takes at most {} characters",
                limits.key_length
            ));
        }
        for problem in problems {
            self.finding(resource.place.clone(), FindingCode::TagsRefused, problem);
        }
    }
}
