//! Pools of backends: an origin group each, with the origins that name it.

use serde_json::json;

use super::{ByName, Domain, Run, Targets, hint};
use crate::azure::ResourceId;
use crate::azure::types::{API_MANAGEMENT, ORIGIN, ORIGIN_GROUP};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::property::Literal::Text;
use crate::commands::shared::property::{self, Property, sent};
use crate::commands::web::Backend;
use crate::commands::web::profile::{self, OriginHost};
use crate::commands::web::settings::{BackEndPool, Switch};
use crate::desired::Desired;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The properties of an origin group that one setting of its pool says each.
pub(in crate::commands::web) const OF_POOL: &[Property<BackEndPool>] = &[
    Property::new(
        "healthCheckPath",
        "properties.healthProbeSettings.probePath",
        Text("/index.html"),
        |pool: &BackEndPool| sent(pool.health_check_path.as_ref()),
    ),
    Property::new("protocol", "properties.healthProbeSettings.probeProtocol", Text("Https"), |pool| {
        sent(pool.protocol)
    }),
];

/// The interval at which that is asked, in seconds.
const PROBE_INTERVAL: i64 = 120;

/// The settings that the properties of an origin come from.
const ORIGIN_ORIGINS: &[(&str, &str)] =
    &[("properties.hostName", "name"), ("properties.originHostHeader", "backendHostHeader")];

/// A pool of the document.
pub(super) struct Pool {
    pub(super) id: ResourceId,
    pub(super) origins: Vec<ResourceId>,
    /// The API management service in it, by its name in the settings.
    pub(super) api: Option<String>,
}

impl Run<'_> {
    /// The pools of the document.
    pub(super) fn pool_names(&self) -> impl Iterator<Item = &str> {
        self.door.back_end_pools.iter().map(|pool| pool.name.as_str())
    }

    pub(super) fn add_pools(
        &self,
        backends: &[Backend],
        targets: &[Targets],
        domains: &[Domain<'_>],
        compilation: &mut Compilation<'_>,
    ) -> ByName<Pool> {
        let mut pools = ByName::new();
        for (index, pool) in self.door.back_end_pools.iter().enumerate() {
            let place = &self.place.dotted("backEndPools").index(index);
            compilation.check_name(&ORIGIN_GROUP, &pool.name, &place.dotted("name"));
            let id = ORIGIN_GROUP.child_of(self.profile, &pool.name);
            let affinity = self.session_affinity(pool, targets, domains, compilation);
            add_pool(pool, &id, affinity, place, compilation);
            let of_pool: Vec<&Backend> = backends.iter().filter(|backend| backend.is_in(&pool.name)).collect();
            let origins: Vec<ResourceId> =
                of_pool.iter().map(|backend| add_origin(backend, &id, compilation)).collect();
            if origins.is_empty() {
                let message =
                    format!("no web app or API management service in the document names the pool '{}'", pool.name);
                compilation.finding(place.dotted("name"), FindingCode::PoolNotNamed, message);
            }
            let api = of_pool.iter().find(|backend| backend.resource_type.name == API_MANAGEMENT.name);
            pools.insert(pool.name.to_lowercase(), Pool { id, origins, api: api.map(|api| api.name.clone()) });
        }
        let with_pool = backends.iter().filter_map(|backend| Some((backend, backend.routing.pool.as_ref()?)));
        for (backend, pool) in with_pool.filter(|(_, pool)| !pools.contains_key(&pool.to_lowercase())) {
            let message = format!(
                "the front door has no pool '{pool}', so '{}' gets no requests from it{}",
                backend.name,
                hint(pool, self.pool_names())
            );
            compilation.warning(&backend.place.dotted("backendpool"), message);
        }
        pools
    }

    /// Azure has session affinity for each pool, the settings have it for each domain: it is on when the front door or a domain
    /// that is sent to the pool asks for it.
    fn session_affinity(
        &self,
        pool: &BackEndPool,
        targets: &[Targets],
        domains: &[Domain<'_>],
        compilation: &mut Compilation<'_>,
    ) -> bool {
        let own = (self.door.session_affinity, "the front door".to_owned(), self.place.dotted("sessionAffinity"));
        let rules = self.door.rules.iter().zip(targets);
        let to_pool = rules.filter(|(rule, _)| rule.back_end_pool_name.eq_ignore_ascii_case(&pool.name));
        let mut sent: Vec<usize> = to_pool.flat_map(|(_, targets)| targets.domains.iter().copied()).collect();
        sent.sort_unstable();
        sent.dedup();
        let of_domains = sent.into_iter().filter_map(|index| domains.get(index)).map(|domain| {
            let place = domain.place.dotted("sessionAffinity");
            (domain.settings.session_affinity, format!("the domain '{}'", domain.host), place)
        });
        let voters: Vec<(Switch, String, Place)> = std::iter::once(own).chain(of_domains).collect();
        let Some(asks) = voters.iter().find(|(switch, ..)| switch.is_on()).map(|(_, who, _)| who.clone()) else {
            return false;
        };
        for (_, _, place) in voters.iter().filter(|(switch, ..)| !switch.is_on()) {
            let message = format!(
                "Azure has one session affinity for each pool, and {asks} enables it, so it is also on for the pool '{}' here",
                pool.name
            );
            compilation.warning(place, message);
        }
        true
    }
}

/// Adds the origin group of a pool.
fn add_pool(pool: &BackEndPool, id: &ResourceId, affinity: bool, place: &Place, compilation: &mut Compilation<'_>) {
    let body = json!({ "properties": { "sessionAffinityState": if affinity { "Enabled" } else { "Disabled" } } });
    let probe = json!({ "probeRequestType": "HEAD", "probeIntervalInSeconds": PROBE_INTERVAL });
    if let Some(path) = pool.health_check_path.as_ref().filter(|path| !path.starts_with('/')) {
        let message = format!("'{path}' is not a path; it must begin with a slash");
        compilation.finding(place.dotted("healthCheckPath"), FindingCode::PathRefused, message);
    }
    let mut group = Desired {
        creation_body: json!({ "properties": {
            "loadBalancingSettings": profile::load_balancing(),
            "healthProbeSettings": probe,
        } }),
        origins: vec![
            ("properties.sessionAffinityState", "/frontdoor.customDomains[].sessionAffinity"),
            ("properties.sessionAffinityState", "/frontdoor.sessionAffinity"),
        ],
        ..Desired::new(id.clone(), &ORIGIN_GROUP, body, place.clone())
    };
    property::put(OF_POOL, pool, &mut group, compilation);
    compilation.add(group);
}

/// Adds a backend to the origin group of its pool.
pub(super) fn add_origin(backend: &Backend, group: &ResourceId, compilation: &mut Compilation<'_>) -> ResourceId {
    // The generated name: several services, of this document and of others, may have one name in their settings.
    let name = backend.id.name();
    compilation.check_name(&ORIGIN, name, &backend.place.dotted("name"));
    let id = ORIGIN.child_of(group, name);
    let host = OriginHost {
        of: &backend.id,
        resource_type: backend.resource_type,
        host: &backend.host,
        routing: &backend.routing,
    };
    let mut origin = profile::origin(&id, &host, &backend.place, compilation);
    origin.origins.extend_from_slice(ORIGIN_ORIGINS);
    compilation.add(origin);
    id
}
