//! The CDN of a web app: a Front Door profile of its own, since Azure has closed every classic CDN.

use serde_json::json;

use super::profile::{self, OriginHost, QueryStrings, Tier};
use super::settings::{ContentDeliveryNetwork, ContentDeliveryPublish, RootPublish};
use crate::azure::types::{CDN_PROFILE, FRONT_DOOR_ENDPOINT, ORIGIN, ORIGIN_GROUP, ROUTE};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::service::Named;
use crate::desired::{Desired, Source};
use crate::naming::{Architecture, NameRequest, ResourceKind, normalise_location};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The one origin group of a CDN, and its one route.
const DEFAULT_NAME: &str = "default";

/// The web app that a CDN is in front of.
pub(super) struct App<'a> {
    /// The app; the CDN goes to its resource group.
    pub(super) id: &'a ResourceId,
    /// The facts of its type.
    pub(super) resource_type: &'static ResourceType,
    /// The property in which Azure says under which host name it answers.
    pub(super) host: Source,
}

/// Adds the CDN of an app. `place` is that of the `contentDeliveryNetwork` object, `publish` holds for the whole document.
pub(super) fn compile(
    cdn: &ContentDeliveryNetwork,
    place: &Place,
    app: &App<'_>,
    publish: &RootPublish,
    root: &Place,
    compilation: &mut Compilation<'_>,
) {
    check_region(&cdn.region, &place.dotted("region"), compilation);
    let request = NameRequest::new(ResourceKind::CdnProfile, &cdn.name, Architecture::Paas, Some(&cdn.region));
    let name = compilation.name(&CDN_PROFILE, &request, &place.dotted("name"));
    let group = app.id.group_id().unwrap_or_else(|| app.id.clone());
    let profile_id = CDN_PROFILE.child_of(&group, &name);
    let tier = tier(&cdn.sku, &place.dotted("sku"), compilation);
    let published = |setting: &str, own: fn(&ContentDeliveryPublish) -> Option<&String>, document: Option<&String>| {
        Published::first(setting, (cdn.service.publish().and_then(own), place), (document, root))
    };
    let own = published("service.publish.cdn", |publish| publish.cdn.as_ref(), publish.cdn.as_ref());
    compilation.add(Desired {
        tags: compilation.tags(own.as_ref()),
        origins: vec![("sku.name", "sku")],
        ..profile::profile(&profile_id, tier, place)
    });
    let endpoint_name = name_of_endpoint(app.id.name());
    compilation.check_name(&FRONT_DOOR_ENDPOINT, &endpoint_name, place);
    let endpoint = FRONT_DOOR_ENDPOINT.child_of(&profile_id, &endpoint_name);
    let own = published("service.publish.endpoint", |publish| publish.endpoint.as_ref(), publish.endpoint.as_ref());
    compilation.add(Desired { tags: compilation.tags(own.as_ref()), ..profile::endpoint(&endpoint, place) });
    // One origin needs no questions about who is well.
    let origin_group = ORIGIN_GROUP.child_of(&profile_id, DEFAULT_NAME);
    compilation.add(Desired {
        creation_body: json!({ "properties": { "loadBalancingSettings": profile::load_balancing() } }),
        ..Desired::new(origin_group.clone(), &ORIGIN_GROUP, json!({}), place.clone())
    });
    let origin = ORIGIN.child_of(&origin_group, app.id.name());
    compilation.check_name(&ORIGIN, app.id.name(), place);
    let host = OriginHost {
        of: app.id,
        resource_type: app.resource_type,
        host: &app.host,
        routing: &super::Routing::default(),
    };
    // No setting is about it.
    let of_app = Desired { origins: Vec::new(), ..profile::origin(&origin, &host, place, compilation) };
    compilation.add(of_app);
    let body = json!({ "properties": { "originGroup": { "id": origin_group.as_str() } } });
    let creation = json!({ "properties": {
        "patternsToMatch": ["/*"],
        "supportedProtocols": ["Http", "Https"],
        "linkToDefaultDomain": "Enabled",
        "cacheConfiguration": profile::caching(QueryStrings::Ignored),
    } });
    let route = ROUTE.child_of(&endpoint, DEFAULT_NAME);
    compilation.add(profile::route(&route, body, creation, vec![origin_group, origin], place));
}

/// The name of the endpoint of the CDN of an app.
pub(super) fn name_of_endpoint(app: &str) -> String {
    profile::endpoint_name(&format!("endpoint-cdn-{app}"))
}

/// The spelling of the settings reaches the name, so only one is taken.
fn check_region(region: &str, place: &Place, compilation: &mut Compilation<'_>) {
    let name = normalise_location(region);
    // What is no location in any spelling is told as that.
    if compilation.known_location(region, place.clone()).is_some() && name != region {
        let message = format!("the region of a CDN is in lower case without spaces: use '{name}', not '{region}'");
        compilation.finding(place.clone(), FindingCode::RegionSpelling, message);
    }
}

/// The tier that stands for a sku.
fn tier(sku: &str, place: &Place, compilation: &mut Compilation<'_>) -> Tier {
    let lower = sku.to_lowercase();
    let tier = if lower.contains("premium") { Tier::Premium } else { Tier::Standard };
    let is_front_door =
        matches!(lower.as_str(), "standard" | "premium" | "standard_azurefrontdoor" | "premium_azurefrontdoor");
    if let Some(notice) = CDN_PROFILE.retirement("sku.name", &json!(sku)) {
        compilation.warning(place, format!("{notice}; Azure Front Door {} is used", tier.name()));
    } else if !is_front_door {
        let message =
            format!("'{sku}' is not a CDN tier, so Azure Front Door {} is used; use Standard or Premium", tier.name());
        compilation.warning(place, message);
    }
    tier
}
