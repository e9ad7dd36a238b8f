//! Which existing resource a desired one is about, and what is said of those that are only looked at.

use std::borrow::Cow;

use serde_json::Value;

use super::{Plan, sentences};
use crate::azure::ResourceId;
use crate::desired::{Desired, Existing, Watch, World};

/// A desired resource with what exists of it. Where there can be only one of its type below its parent, the one that is there is
/// meant, whatever it is called.
pub(super) fn found<'a>(desired: &'a Desired, world: &'a World) -> (Cow<'a, Desired>, Option<&'a Value>) {
    let World::Known(existing) = world else { return (Cow::Borrowed(desired), None) };
    let own = existing.get(&desired.id);
    if own.is_none()
        && desired.resource_type.only_one
        && let Some((id, body)) = siblings(desired, existing).first()
    {
        return (Cow::Owned(Desired { id: (*id).clone(), ..desired.clone() }), Some(body));
    }
    (Cow::Borrowed(desired), own)
}

/// Warns of a resource that is only looked at, where it is not as it should be.
pub(super) fn look_at(watch: &Watch, resource: &Desired, existing: Option<&Value>, world: &World, plan: &mut Plan) {
    let World::Known(world) = world else { return };
    match watch {
        Watch::Expected(consequence) => {
            let bodies: Vec<&Value> = siblings(resource, world).into_iter().map(|(_, body)| body).collect();
            let is_there = match resource.resource_type.remainder {
                Some(remainder) => remainder(&resource.body, existing, &bodies).is_none(),
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

/// What else exists of the same type below the same parent, by id.
pub(super) fn siblings<'a>(resource: &Desired, existing: &'a Existing) -> Vec<(&'a ResourceId, &'a Value)> {
    let (parent, name) = (resource.id.parent(), resource.resource_type.name);
    let is_one =
        |id: &ResourceId| *id != resource.id && id.parent() == parent && id.resource_type().eq_ignore_ascii_case(name);
    let mut siblings: Vec<_> = existing.iter().filter(|(id, _)| is_one(id)).collect();
    siblings.sort_by_key(|(id, _)| *id);
    siblings
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

    #[test]
    fn the_only_one_is_meant_under_whatever_name() {
        let resource = desired("privateEndpoints/e/privateDnsZoneGroups/default", &PRIVATE_DNS_ZONE_GROUP, None);
        let theirs = "privateEndpoints/e/privateDnsZoneGroups/theirs";
        for (existing, name) in [
            (vec![(theirs, json!({}))], "theirs"),
            (vec![("privateEndpoints/other/privateDnsZoneGroups/theirs", json!({}))], "default"),
            (vec![("privateEndpoints/e/privateDnsZoneGroups/default", json!({})), (theirs, json!({}))], "default"),
        ] {
            assert_eq!(found(&resource, &world(&existing)).0.id.name(), name);
        }
        assert_eq!(found(&resource, &World::Unknown).0.id.name(), "default");
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
