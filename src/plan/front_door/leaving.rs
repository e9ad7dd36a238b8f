//! The routes, pools, origins and domains that leave a front door.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Departures, Door};
use crate::azure::ResourceId;
use crate::azure::types::{CUSTOM_DOMAIN, ORIGIN, ORIGIN_GROUP, ROUTE};
use crate::desired::Desired;
use crate::plan::kept::resource_kept;

/// The resources that leave, by type.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    pub(super) routes: Vec<ResourceId>,
    pub(super) pools: Vec<ResourceId>,
    pub(super) origins: Vec<ResourceId>,
    pub(super) domains: Vec<ResourceId>,
}

impl Leaving {
    pub(super) fn of(door: &Door<'_>, desired: &[Desired], departures: &mut Departures) -> Leaving {
        let (mut leaving, elsewhere) = (Leaving::default(), Elsewhere::of(door));
        let is_own = |id: &ResourceId| id.parent().as_ref() == Some(&door.owned.endpoint);
        let routes = door.surplus(&ROUTE, desired).into_iter().map(|(id, _)| id);
        leaving.routes = routes.filter(|id| is_own(id)).cloned().collect();
        for (id, _) in door.surplus(&CUSTOM_DOMAIN, desired) {
            match elsewhere.0.get(id) {
                None => leaving.domains.push(id.clone()),
                Some(route) => departures.kept.push(door.kept(
                    id,
                    &CUSTOM_DOMAIN,
                    &format!(
                        "the document does not have the custom domain '{}', but {}; it is kept",
                        id.name(),
                        used_by(route)
                    ),
                )),
            }
        }
        leaving.add_pools(door, desired, &elsewhere, departures);
        leaving
    }

    /// The pools that the document does not have, and the origins of apps that left their pools.
    fn add_pools(&mut self, door: &Door<'_>, desired: &[Desired], elsewhere: &Elsewhere, departures: &mut Departures) {
        let (hosts, mut used) = (Hosts::of(door, desired), HashSet::new());
        let surplus = door.surplus(&ORIGIN_GROUP, desired);
        for (id, _) in &surplus {
            if let Some(route) = elsewhere.0.get(*id) {
                used.insert(*id);
                departures.kept.push(door.kept(
                    id,
                    &ORIGIN_GROUP,
                    &format!(
                        "the document does not have the pool '{}', but {}; it is kept with its origins",
                        id.name(),
                        used_by(route)
                    ),
                ));
            }
        }
        let mut stays: HashMap<ResourceId, Vec<String>> = HashMap::new();
        // Those of them that get requests.
        let mut served = stays.clone();
        for (id, origin) in door.surplus(&ORIGIN, desired) {
            let Some(pool) = id.parent() else { continue };
            if hosts.has_left(origin, &pool) {
                if !used.contains(&pool) {
                    self.origins.push(id.clone());
                }
            } else {
                if origin["properties"]["enabledState"] != "Disabled" {
                    served.entry(pool.clone()).or_default().push(format!("'{}'", id.name()));
                }
                stays.entry(pool).or_default().push(format!("'{}'", id.name()));
            }
        }
        for pool in desired.iter().filter(|resource| resource.resource_type.name == ORIGIN_GROUP.name) {
            let Some(origins) = served.get(&pool.id) else { continue };
            let reason = pool.place.warning(format_args!(
                "the pool '{}' has origins that lead elsewhere than to apps of the document: {}; they are kept, and requests go to them, too",
                pool.id.name(),
                origins.join(", ")
            ));
            departures.kept.push(resource_kept(&pool.id, &ORIGIN_GROUP, &pool.place, reason));
        }
        // Another document of the run may have apps in a pool that this one does not have.
        for origin in desired.iter().filter(|resource| resource.resource_type.name == ORIGIN.name) {
            let pool = origin.id.parent().filter(|pool| surplus.iter().any(|(id, _)| *id == pool));
            let Some(pool) = pool else { continue };
            stays.entry(pool).or_default().push(format!("'{}'", origin.id.name()));
        }
        for (id, _) in surplus.into_iter().filter(|(id, _)| !used.contains(id)) {
            match stays.get(id) {
                None => self.pools.push(id.clone()),
                Some(origins) => departures.kept.push(door.kept(id, &ORIGIN_GROUP, &format!(
                    "the document does not have the pool '{}', but it has origins that lead elsewhere than to apps of the document: {}; it is kept",
                    id.name(),
                    origins.join(", ")
                ))),
            }
        }
    }
}

/// The things that routes of other endpoints use: their pools and domains, each with a route.
struct Elsewhere(HashMap<ResourceId, ResourceId>);

impl Elsewhere {
    fn of(door: &Door<'_>) -> Elsewhere {
        let mut used = HashMap::new();
        for (id, route) in door.parts(&ROUTE) {
            if id.parent().as_ref() == Some(&door.owned.endpoint) {
                continue;
            }
            let properties = &route["properties"];
            let domains = properties["customDomains"].as_array().into_iter().flatten();
            for reference in domains.chain(std::iter::once(&properties["originGroup"])) {
                if let Some(part) = reference["id"].as_str() {
                    used.entry(ResourceId::new(part)).or_insert_with(|| id.clone());
                }
            }
        }
        Elsewhere(used)
    }
}

fn used_by(route: &ResourceId) -> String {
    let endpoint = route.parent();
    let endpoint = endpoint.as_ref().map_or("", ResourceId::name);
    format!("the route '{}' of the endpoint '{endpoint}' uses it", route.name())
}

/// The host names of the apps of the document.
struct Hosts {
    own: HashSet<String>,
    /// Those that are wanted in each pool.
    wanted: HashSet<(ResourceId, String)>,
}

impl Hosts {
    fn of(door: &Door<'_>, desired: &[Desired]) -> Hosts {
        let known: HashMap<&ResourceId, String> = door
            .owned
            .apps
            .iter()
            .filter_map(|(id, source)| Some((id, source.read(door.existing.get(id)?)?.to_lowercase())))
            .collect();
        let origins = desired.iter().filter(|resource| resource.resource_type.name == ORIGIN.name);
        let wanted = origins.filter_map(|origin| {
            let host = origin.references.iter().find_map(|reference| known.get(&reference.of))?;
            Some((origin.id.parent()?, host.clone()))
        });
        Hosts { wanted: wanted.collect(), own: known.into_values().collect() }
    }

    /// Whether an origin leads to an app of the document that does not name this pool.
    fn has_left(&self, origin: &Value, pool: &ResourceId) -> bool {
        let host = origin["properties"]["hostName"].as_str().unwrap_or_default().to_lowercase();
        self.own.contains(&host) && !self.wanted.contains(&(pool.clone(), host))
    }
}
