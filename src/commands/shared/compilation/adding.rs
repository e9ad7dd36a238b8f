//! Adding desired resources, each once.

use serde_json::Value;

use super::names::given_key;
use super::{Compilation, WayOut};
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, ResourceType};
use crate::desired::Desired;
use crate::naming::same_location;
use crate::protocol::FindingCode;

impl Compilation<'_> {
    /// Adds a resource; a finding when there is one of its name already, or its tags are more than its type takes.
    pub(crate) fn add(&mut self, resource: Desired) {
        self.add_named(resource, &WayOut::default());
    }

    /// The same, with what helps where two have one name.
    pub(crate) fn add_named(&mut self, mut resource: Desired, way_out: &WayOut) {
        self.tag_with_environment(&mut resource);
        let known = resource.resource_type;
        let key = if known.worldwide_name {
            ResourceId::new(format!("{}/{}", known.name, resource.id.name()))
        } else {
            resource.id.clone()
        };
        let first = self.names.insert(key, resource.place.clone());
        // What is in a resource that is here twice is here twice for that reason.
        let in_repeated = || {
            std::iter::successors(resource.id.parent(), ResourceId::parent)
                .any(|parent| self.repeated.contains(&parent))
        };
        if let Some(first) = first.filter(|_| !in_repeated()) {
            self.repeated.insert(resource.id.clone());
            let message = format!(
                "duplicate {} '{}', first used by {} ({}){}",
                resource.resource_type.label,
                resource.id.name(),
                first.path(),
                first.show(),
                self.advice(&resource, way_out)
            );
            self.finding(resource.place.clone(), FindingCode::DuplicateName, message);
        }
        self.check_tags(&resource);
        self.check_group_location(&resource);
        self.desired.push(resource.compacted());
    }

    /// The advice for a name that two resources have: the end of the finding about the second.
    fn advice(&self, resource: &Desired, way_out: &WayOut) -> String {
        let given = self.given.get(&given_key(resource.resource_type, resource.id.name()));
        let is_cut = given.is_some_and(|given| given.len() > 1);
        match (is_cut, way_out.shorten.as_str(), way_out.rename.as_str()) {
            (true, "", "") => "; they differ only in what is cut off".to_owned(),
            (false, _, "") => String::new(),
            (false, _, rename) | (true, "", rename) => format!("; {rename}"),
            (true, shorten, _) => format!("; they differ only in what is cut off: shorten {shorten}"),
        }
    }

    /// A finding when a resource group would have no region: what is in it may be global, the group itself is somewhere.
    fn check_group_location(&mut self, resource: &Desired) {
        let location = resource.body.get("location").and_then(Value::as_str);
        if resource.resource_type.name == RESOURCE_GROUP_TYPE
            && location.is_some_and(|text| same_location(text, "Global"))
        {
            let message = "a resource group cannot be in Global; use a region, such as uksouth";
            self.finding(resource.origin("location"), FindingCode::ValueRefused, message);
        }
    }

    /// The id of a resource of a type and name that this compilation has added already.
    #[must_use]
    pub(crate) fn planned(&self, resource_type: &'static ResourceType, name: &str) -> Option<ResourceId> {
        let is_it = |known: &&Desired| {
            known.resource_type.name == resource_type.name && known.id.name().eq_ignore_ascii_case(name)
        };
        self.desired.iter().find(is_it).map(|known| known.id.clone())
    }

    /// The resource that this compilation has added under an id.
    #[must_use]
    pub(crate) fn added(&self, id: &ResourceId) -> Option<&Desired> {
        self.desired.iter().find(|known| known.id == *id)
    }

    /// Adds a resource that several settings may ask for, once. What one of them deploys is not just looked at.
    pub(crate) fn add_once(&mut self, resource: Desired) {
        match self.desired.iter_mut().find(|known| known.id == resource.id) {
            Some(known) if known.watch.is_some() => *known = resource,
            Some(_) => {}
            None => self.add(resource),
        }
    }
}
