//! The existing resource that a desired one is about, and what is said of those that are only looked at.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

use super::{Plan, sentences};
use crate::azure::ResourceId;
use crate::desired::{Desired, Watch, World};

/// The parent and the type of a resource, in lower case.
type Family = (Option<ResourceId>, String);

/// The existing resources by parent and type, brought into that order when one is asked for first: a document may have thousands of resources, and
/// each may ask for what is beside it.
pub struct Siblings<'a> {
    world: &'a World,
    families: OnceCell<HashMap<Family, Vec<(&'a ResourceId, &'a Value)>>>,
}

impl<'a> Siblings<'a> {
    /// The siblings of what is in a world; nobody has any where it is not known.
    #[must_use]
    pub fn in_world(world: &'a World) -> Siblings<'a> {
        Siblings { world, families: OnceCell::new() }
    }

    /// The other existing resources of the same type below the same parent, by id.
    pub(super) fn of<'s>(
        &'s self,
        resource: &Desired,
    ) -> impl Iterator<Item = (&'a ResourceId, &'a Value)> + use<'s, 'a> {
        let families = self.families.get_or_init(|| {
            let mut families: HashMap<Family, Vec<_>> = HashMap::new();
            let World::Known(existing) = self.world else { return families };
            for (id, body) in existing {
                let family = (id.parent(), id.resource_type().to_ascii_lowercase());
                families.entry(family).or_default().push((id, body));
            }
            families.values_mut().for_each(|family| family.sort_unstable_by_key(|(id, _)| *id));
            families
        });
        let family = (resource.id.parent(), resource.resource_type.name.to_ascii_lowercase());
        let own = resource.id.clone();
        families.get(&family).into_iter().flatten().copied().filter(move |(id, _)| **id != own)
    }
}

/// A desired resource with what exists of it. Where there can be only one of its type below its parent, the one that is there is
/// meant, whatever it is called.
pub(super) fn found<'d, 'w>(desired: &'d Desired, siblings: &Siblings<'w>) -> (Cow<'d, Desired>, Option<&'w Value>) {
    let World::Known(existing) = siblings.world else { return (Cow::Borrowed(desired), None) };
    let own = existing.get(&desired.id);
    if own.is_none()
        && desired.resource_type.only_one
        && let Some((id, body)) = siblings.of(desired).next()
    {
        return (Cow::Owned(Desired { id: id.clone(), ..desired.clone() }), Some(body));
    }
    (Cow::Borrowed(desired), own)
}

/// Warns of a resource that is only looked at, where it is not as it should be.
pub(super) fn look_at(
    watch: &Watch,
    resource: &Desired,
    existing: Option<&Value>,
    siblings: &Siblings<'_>,
    plan: &mut Plan,
) {
    match watch {
        _ if matches!(siblings.world, World::Unknown) => {}
        Watch::Expected(consequence) => {
            let mut bodies = siblings.of(resource).map(|(_, body)| body);
            let is_there = match resource.resource_type.remainder {
                Some(remainder) => remainder(&resource.body, existing, &mut bodies).is_none(),
                None => existing.is_some(),
            };
            if !is_there {
                plan.warnings.push(resource.place.warning(consequence));
            }
        }
        Watch::Unwanted if existing.is_some() => {
            let name = sentences::full_name(&resource.id, resource.resource_type.label);
            let reason = resource.place.warning(format_args!(
                "the {name} exists, although the settings ask for none. It stays as it is; delete it if it is not needed."
            ));
            plan.kept.push(super::kept::resource_kept(&resource.id, resource.resource_type, &resource.place, reason));
        }
        Watch::Unwanted => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::azure::ResourceId;
    use crate::azure::types::{PRIVATE_DNS_ZONE_GROUP, VIRTUAL_NETWORK_LINK};
    use crate::desired::Existing;
    use crate::plan::plan;
    use crate::settings::{Document, Place, SettingsPath};

    const NETWORK: &str = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network";

    fn desired(path: &str, resource_type: &'static crate::azure::ResourceType, watch: Option<Watch>) -> Desired {
        let document = Document::from_object(json!({})).unwrap();
        let place = Place::value(&document, SettingsPath::root());
        let body = json!({ "properties": { "virtualNetwork": { "id": "/net" } } });
        Desired { watch, ..Desired::new(ResourceId::new(format!("{NETWORK}/{path}")), resource_type, body, place) }
    }

    fn world(resources: &[(&str, Value)]) -> World {
        let id = |path: &str| ResourceId::new(format!("{NETWORK}/{path}"));
        World::Known(resources.iter().map(|(path, body)| (id(path), body.clone())).collect::<Existing>())
    }

    /// The index holds what looking through everything finds, whatever the letter case is.
    #[test]
    fn siblings_are_of_the_same_type_and_parent_in_the_order_of_their_ids() {
        let paths = [
            "privateDnsZones/z/virtualNetworkLinks/b",
            "privateDnsZones/z/virtualNetworkLinks/own",
            "PRIVATEDNSZONES/Z/VirtualNetworkLinks/A",
            "privateDnsZones/other/virtualNetworkLinks/b",
            "privateDnsZones/z/A/b",
            "privateDnsZones/z",
            "privateEndpoints/e/privateDnsZoneGroups/b",
        ];
        let world = world(&paths.map(|path| (path, json!({ "at": path }))));
        let siblings = Siblings::in_world(&world);
        for (path, resource_type) in [
            ("privateDnsZones/z/virtualNetworkLinks/OWN", &VIRTUAL_NETWORK_LINK),
            ("privateDnsZones/z/virtualNetworkLinks/new", &VIRTUAL_NETWORK_LINK),
            ("privateDnsZones/none/virtualNetworkLinks/new", &VIRTUAL_NETWORK_LINK),
            ("privateEndpoints/e/privateDnsZoneGroups/new", &PRIVATE_DNS_ZONE_GROUP),
        ] {
            let resource = desired(path, resource_type, None);
            let World::Known(existing) = &world else { panic!("the world is known") };
            let mut all: Vec<&ResourceId> = existing.keys().collect();
            all.retain(|id| {
                **id != resource.id && id.parent() == resource.id.parent() && id.is_of_type(resource_type.name)
            });
            all.sort();
            let found: Vec<&ResourceId> = siblings.of(&resource).map(|(id, _)| id).collect();
            assert_eq!(found, all, "{path}");
        }
        assert_eq!(Siblings::in_world(&World::Unknown).of(&desired(paths[0], &VIRTUAL_NETWORK_LINK, None)).count(), 0);
    }

    #[test]
    fn the_only_one_is_meant_under_whatever_name() {
        let resource = desired("privateEndpoints/e/privateDnsZoneGroups/default", &PRIVATE_DNS_ZONE_GROUP, None);
        let theirs = "privateEndpoints/e/privateDnsZoneGroups/theirs";
        for (existing, name) in [
            (vec![(theirs, json!({}))], "theirs"),
            (vec![("privateEndpoints/other/privateDnsZoneGroups/theirs", json!({}))], "default"),
            (vec![("privateEndpoints/e/privateDnsZoneGroups/default", json!({})), (theirs, json!({}))], "default"),
        ] {
            assert_eq!(found(&resource, &Siblings::in_world(&world(&existing))).0.id.name(), name);
        }
        assert_eq!(found(&resource, &Siblings::in_world(&World::Unknown)).0.id.name(), "default");
    }

    #[test]
    fn what_is_only_looked_at_is_never_part_of_the_plan() {
        let link = |watch| desired("privateDnsZones/z/virtualNetworkLinks/n-link", &VIRTUAL_NETWORK_LINK, Some(watch));
        let linked = json!({ "properties": { "virtualNetwork": { "id": "/NET" } } });
        let other = "privateDnsZones/z/virtualNetworkLinks/theirs";
        let own = "privateDnsZones/z/virtualNetworkLinks/n-link";
        let expected = Watch::Expected("It is not linked.".to_owned());
        for (watch, existing, warnings, kept) in [
            (&expected, vec![], 1, 0),
            (&expected, vec![(other, linked.clone())], 0, 0),
            (&expected, vec![(own, json!({}))], 1, 0),
            (&Watch::Unwanted, vec![], 0, 0),
            (&Watch::Unwanted, vec![(own, linked.clone())], 0, 1),
        ] {
            let plan = plan(&[link(watch.clone())], &world(&existing));
            assert_eq!((plan.changes.len(), plan.unchanged.len()), (0, 0));
            assert_eq!((plan.warnings.len(), plan.kept.len()), (warnings, kept), "{watch:?} {existing:?}");
        }
        assert!(plan(&[link(expected)], &World::Unknown).warnings.is_empty());
    }
}
