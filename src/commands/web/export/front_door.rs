//! The front door of a document: its own, or one that others have and the apps of the document are behind.

use serde_json::Value;

use super::{Document, below};
use crate::azure::ResourceId;
use crate::azure::types::{
    API_MANAGEMENT, CDN_PROFILE, CUSTOM_DOMAIN, FRONT_DOOR_ENDPOINT, FRONT_DOOR_SECRET, ORIGIN, ORIGIN_GROUP,
    RESOURCE_GROUP, ROUTE, SECURITY_POLICY, WEB_APP,
};
use crate::commands::shared::alerts::export::ids;
use crate::commands::shared::export::{Estate, Names, There, id_at, list, plain, required, said};
use crate::commands::shared::property;
use crate::commands::web::front_door::OF_POOL;
use crate::commands::web::profile::{OF_ORIGIN, endpoint_name};
use crate::naming::{Architecture, Location, ResourceKind};
use crate::settings::{Written, WrittenKey};

/// A front door.
pub(super) struct Door<'a> {
    pub(super) profile: ResourceId,
    /// Whether it is in the group of the document, so that the document makes it.
    pub(super) is_own: bool,
    /// The name and the region in the settings; of others' nobody needs them.
    name: String,
    region: String,
    /// The apps and API management services that it sends requests to.
    pub(super) backends: Vec<ResourceId>,
    origins: Vec<&'a There>,
}

/// The front door in the group, else a published one that has something of the group behind it.
pub(super) fn find<'a>(estate: &'a Estate<'a>) -> Option<Door<'a>> {
    let of_group =
        estate.of_type(&CDN_PROFILE).filter(|profile| profile.id.group_id().as_ref() == Some(&estate.group.id));
    let own = of_group.filter_map(|profile| Some((profile, own_name(profile, estate)?))).next();
    if let Some((profile, named)) = own {
        return Some(door(&profile.id, Some(named), estate));
    }
    let mut others = estate.services.published_of(&CDN_PROFILE).map(|(profile, _)| door(profile, None, estate));
    others.find(|door| door.backends.iter().any(|backend| backend.group_id().as_ref() == Some(&estate.group.id)))
}

/// The name from which a profile, its endpoint and its group are all generated, and the region. A group that a solution has as well may be
/// in another one.
fn own_name(profile: &There, estate: &Estate<'_>) -> Option<(String, String)> {
    let endpoint = endpoint_name(profile.id.name());
    let mut endpoints =
        estate.of_type(&FRONT_DOOR_ENDPOINT).filter(|there| there.id.parent().as_ref() == Some(&profile.id));
    if !endpoints.any(|there| there.id.name().eq_ignore_ascii_case(&endpoint)) {
        return None;
    }
    let (group, likely) = (estate.group.id.name(), estate.group.location());
    let both = |(name, region): &(String, String)| {
        let is = |resource_type, kind, own: &str| {
            let made = (kind, Architecture::Paas, Some(region.as_str()));
            estate.generate(resource_type, name, made).is_some_and(|made| made.eq_ignore_ascii_case(own))
        };
        is(&RESOURCE_GROUP, ResourceKind::ResourceGroup, group)
            && is(&CDN_PROFILE, ResourceKind::FrontDoor, profile.id.name())
    };
    let of_profile = estate.name_and_region_behind(profile.id.name(), &CDN_PROFILE, ResourceKind::FrontDoor, likely);
    // The names of groups keep characters that those of profiles do not take, and say no region.
    let of_group = || {
        let made = (ResourceKind::ResourceGroup, Architecture::Paas, Some(likely));
        let name = estate.name_behind(group, &RESOURCE_GROUP, made)?;
        let regions = std::iter::once(likely).chain(Location::all().map(|location| location.name()));
        regions.map(|region| (name.clone(), region.to_owned())).find(both)
    };
    of_profile.filter(both).or_else(of_group)
}

fn door<'a>(profile: &ResourceId, own: Option<(String, String)>, estate: &'a Estate<'a>) -> Door<'a> {
    let origins: Vec<&There> = estate.of_type(&ORIGIN).filter(|origin| origin.id.is_within(profile)).collect();
    let there = [&WEB_APP, &API_MANAGEMENT].into_iter().flat_map(|kind| {
        let published = estate.services.published_of(kind).map(|(id, _)| id);
        estate.of_type(kind).map(|there| &there.id).chain(published)
    });
    let there: Vec<&ResourceId> = there.collect();
    // Only its name says which app an origin stands for.
    let backend =
        |origin: &&There| there.iter().find(|id| id.name().eq_ignore_ascii_case(origin.id.name())).copied().cloned();
    let backends = origins.iter().filter_map(backend).collect();
    let (is_own, (name, region)) = (own.is_some(), own.unwrap_or_default());
    Door { profile: profile.clone(), is_own, name, region, backends, origins }
}

/// The word of the settings for something that is on or off.
fn switch(is_on: bool) -> &'static str {
    if is_on { "Enabled" } else { "Disabled" }
}

fn is(body: &Value, path: &str, word: &str) -> bool {
    said(body, path).is_some_and(|value| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(word)))
}

impl<'a> Door<'a> {
    /// The names of the front door and of its group, which every document with something behind one has to have.
    pub(super) fn names(&self, estate: &'a Estate<'a>) -> Vec<WrittenKey> {
        let name = |id: &ResourceId, otherwise: &str| estate.publish_name(id).unwrap_or(otherwise).to_owned();
        let group = self.profile.group_id();
        let group = group.map_or_else(String::new, |group| name(&group, "front-door-group"));
        vec![required("frontdoor", name(&self.profile, "front-door")), required("frontdoorResourceGroup", group)]
    }

    /// The settings of an app or an API management service about the front door.
    pub(super) fn routing(&self, backend: &There) -> Vec<WrittenKey> {
        let is_it = |origin: &&&There| origin.id.name().eq_ignore_ascii_case(backend.id.name());
        let Some(origin) = self.origins.iter().find(is_it) else { return Vec::new() };
        let Some(pool) = origin.id.parent() else { return Vec::new() };
        let mut keys = vec![plain("backendpool", pool.name())];
        let header = origin.said("properties.originHostHeader").filter(|header| *header != "");
        let is_host = header.as_ref().map(|header| Some(header) == origin.said("properties.hostName").as_ref());
        // Another header than these two no setting says.
        keys.extend((is_host != Some(false)).then(|| plain("backendHostHeader", is_host.is_some())));
        keys.extend(property::keys(OF_ORIGIN, &ORIGIN, &origin.body));
        keys
    }

    /// The keys of `frontdoor`.
    pub(super) fn keys(&self, document: &Document<'a>) -> Vec<WrittenKey> {
        let estate = document.estate;
        let of = |kind| below(estate, &self.profile, kind);
        let pools: Vec<&There> = of(&ORIGIN_GROUP).collect();
        let is_sticky = |pool: &&There| is(&pool.body, "properties.sessionAffinityState", "Enabled");
        let routes: Vec<&There> = estate.of_type(&ROUTE).filter(|route| route.id.is_within(&self.profile)).collect();
        let all_sticky = !pools.is_empty() && pools.iter().all(&is_sticky);
        let sticky: Vec<&ResourceId> = pools.iter().filter(|pool| is_sticky(pool)).map(|pool| &pool.id).collect();
        let mut keys = vec![
            required("name", self.name.clone()),
            required("sessionAffinity", switch(all_sticky)),
            required("region", self.region.as_str()),
        ];
        let domains = of(&CUSTOM_DOMAIN).map(|domain| Written::Object(self.domain(domain, &routes, &sticky, estate)));
        keys.extend(list("customDomains", domains.collect()));
        let pools = pools.iter().map(|pool| Written::Object(pool_keys(pool))).collect();
        keys.push(WrittenKey { is_required: true, ..WrittenKey::new("backEndPools", Written::List(pools)) });
        let rules = routes.iter().map(|route| Written::Object(self.rule(route, estate))).collect();
        keys.push(WrittenKey { is_required: true, ..WrittenKey::new("rules", Written::List(rules)) });
        keys
    }

    fn domain(
        &self,
        domain: &There,
        routes: &[&There],
        sticky: &[&ResourceId],
        estate: &Estate<'_>,
    ) -> Vec<WrittenKey> {
        let mine = routes.iter().filter(|route| domains_of(route).contains(&domain.id));
        let pools: Vec<_> = mine.filter_map(|route| id_at(&route.body, "properties.originGroup.id")).collect();
        let is_sticky = !pools.is_empty() && pools.iter().all(|pool| sticky.contains(&pool));
        let mut keys = vec![
            required("domainName", said(&domain.body, "properties.hostName").unwrap_or_default()),
            required("sessionAffinity", switch(is_sticky)),
        ];
        let mut names = Names::default();
        let secret = id_at(&domain.body, "properties.tlsSettings.secret.id").and_then(|id| {
            let secret = estate.of_type(&FRONT_DOOR_SECRET).find(|there| there.id == id)?;
            id_at(&secret.body, "properties.parameters.secretSource.id")
        });
        if let Some(secret) = secret {
            keys.push(required("customCertificateSecretName", secret.name()));
            let vault = secret.parent().and_then(|vault| estate.publish_name(&vault));
            names.dependencies.extend(vault.map(|name| plain("keyvault", name)));
        }
        let guards = |policy: &&There| {
            let associations = policy.body.pointer("/properties/parameters/associations").and_then(Value::as_array);
            associations
                .into_iter()
                .flatten()
                .any(|association| ids(association, "/domains", "id").contains(&domain.id))
        };
        let policy = estate.of_type(&SECURITY_POLICY).filter(|policy| policy.id.is_within(&self.profile)).find(guards);
        let firewall = policy.and_then(|policy| id_at(&policy.body, "properties.parameters.wafPolicy.id"));
        let firewall = firewall.and_then(|id| estate.publish_name(&id));
        names.dependencies.extend(firewall.map(|name| plain("webApplicationFirewallPolicy", name)));
        keys.extend(names.key());
        keys
    }

    fn rule(&self, route: &There, estate: &Estate<'_>) -> Vec<WrittenKey> {
        let texts = |path: &str| match said(&route.body, path) {
            Some(Value::Array(items)) => items.into_iter().map(Written::Plain).collect(),
            _ => Vec::new(),
        };
        let mut keys = vec![required("name", route.id.name())];
        let pattern = list("pattern", texts("properties.patternsToMatch"));
        keys.extend(pattern.map(|key| WrittenKey { is_required: true, ..key }));
        let pool = id_at(&route.body, "properties.originGroup.id");
        keys.extend(pool.map(|pool| required("backEndPoolname", pool.name())));
        keys.extend(list("acceptedProtocols", texts("properties.supportedProtocols")));
        let domains = domains_of(route);
        let hosts = estate.of_type(&CUSTOM_DOMAIN).filter(|domain| domains.contains(&domain.id));
        let mut hosts: Vec<Value> = hosts.filter_map(|domain| domain.said("properties.hostName")).collect();
        if !hosts.is_empty() && is(&route.body, "properties.linkToDefaultDomain", "Enabled") {
            hosts.push(self.name.clone().into());
        }
        // Without its endpoints a rule would be for the front door's own host name.
        let endpoints = list("endpoints", hosts.into_iter().map(Written::Plain).collect());
        keys.extend(endpoints.map(|key| WrittenKey { is_required: true, ..key }));
        keys.push(plain("enableCaching", said(&route.body, "properties.cacheConfiguration").is_some()));
        keys
    }
}

/// The custom domains that a route is for.
fn domains_of(route: &There) -> Vec<ResourceId> {
    ids(&route.body, "/properties/customDomains", "id")
}

fn pool_keys(pool: &There) -> Vec<WrittenKey> {
    let mut keys = vec![required("name", pool.id.name())];
    keys.extend(property::keys(OF_POOL, &ORIGIN_GROUP, &pool.body));
    keys
}
