//! The reading of web hosting besides the content of the resource group.

use super::{front_door, is_function};
use crate::azure::types::{
    API_MANAGEMENT, APP_SERVICE_PLAN, APP_SETTINGS, CDN_PROFILE, COMPONENT, CUSTOM_DOMAIN, FRONT_DOOR_ENDPOINT,
    FRONT_DOOR_SECRET, ORIGIN, ORIGIN_GROUP, PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT, ROUTE, SECURITY_POLICY, SLOT,
    WEB_APP,
};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::export::Estate;

/// The types below a profile, but for what is below these again.
const BELOW_PROFILE: &[&ResourceType] =
    &[&FRONT_DOOR_ENDPOINT, &ORIGIN_GROUP, &CUSTOM_DOMAIN, &FRONT_DOOR_SECRET, &SECURITY_POLICY];
/// The types that make a solution.
const IN_GROUP: &[&ResourceType] = &[&APP_SERVICE_PLAN, &CDN_PROFILE, &API_MANAGEMENT, &WEB_APP, &PRIVATE_ENDPOINT];

/// Stands for everything that is listed with it; it is also the name of all app settings.
const ANY: &str = "appsettings";

/// The slots and settings of apps, the parts of profiles and of the front doors that others publish, the application insights that apps may
/// report to, and the groups of the apps behind a front door.
pub(super) fn further(estate: &Estate<'_>) -> Vec<(ResourceId, &'static ResourceType)> {
    let mut wanted = Vec::new();
    let mut below = |parent: &ResourceId, resource_type: &'static ResourceType| {
        wanted.push((resource_type.child_of(parent, ANY), resource_type));
    };
    for app in estate.of_type(&WEB_APP) {
        wanted_of_app(app, &mut below);
    }
    for endpoint in estate.of_type(&PRIVATE_ENDPOINT) {
        below(&endpoint.id, &PRIVATE_DNS_ZONE_GROUP);
    }
    for profile in estate.of_type(&CDN_PROFILE) {
        BELOW_PROFILE.iter().for_each(|part| below(&profile.id, part));
    }
    for (profile, _) in estate.services.published_of(&CDN_PROFILE) {
        below(profile, &ORIGIN_GROUP);
    }
    for group in estate.of_type(&ORIGIN_GROUP) {
        below(&group.id, &ORIGIN);
    }
    for endpoint in estate.of_type(&FRONT_DOOR_ENDPOINT) {
        below(&endpoint.id, &ROUTE);
    }
    for (component, _) in estate.services.published_of(&COMPONENT) {
        below(&component.group_id().unwrap_or_else(|| component.clone()), &COMPONENT);
    }
    let door = front_door::find(estate).filter(|door| door.is_own);
    for group in door.iter().flat_map(|door| &door.backends).filter_map(ResourceId::group_id) {
        // Of the group itself everything is known.
        IN_GROUP.iter().filter(|_| group != estate.group.id).for_each(|kind| below(&group, kind));
    }
    wanted
}

fn wanted_of_app(
    app: &crate::commands::shared::export::There,
    below: &mut impl FnMut(&ResourceId, &'static ResourceType),
) {
    below(&app.id, &APP_SETTINGS);
    if !is_function(app) {
        below(&app.id, &SLOT);
    }
}
