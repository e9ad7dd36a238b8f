//! Rules: which requests go to which pool.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{ByName, Domain, Pool, Route, Run, Targets, hint};
use crate::azure::ResourceId;
use crate::azure::types::ROUTE;
use crate::commands::shared::compilation::Compilation;
use crate::commands::web::profile::{self, QueryStrings};
use crate::commands::web::settings::{Protocol, Rule};
use crate::desired::Desired;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The protocols of a rule that names none.
const BOTH: &[Protocol] = &[Protocol::Http, Protocol::Https];

/// The settings that the properties of a route come from.
const ORIGINS: &[(&str, &str)] = &[
    ("name", "name"),
    ("properties.originGroup", "backEndPoolname"),
    ("properties.patternsToMatch", "pattern"),
    ("properties.supportedProtocols", "acceptedProtocols"),
    ("properties.httpsRedirect", "acceptedProtocols"),
    ("properties.customDomains", "endpoints"),
    ("properties.linkToDefaultDomain", "endpoints"),
    ("properties.cacheConfiguration", "enableCaching"),
];

impl Run<'_> {
    /// The targets of each rule, in the order of the rules.
    pub(super) fn targets(&self, domains: &[Domain<'_>], compilation: &mut Compilation<'_>) -> Vec<Targets> {
        let rules = self.door.rules.iter().enumerate();
        rules.map(|(index, rule)| self.targets_of(rule, &self.rule_place(index), domains, compilation)).collect()
    }

    fn rule_place(&self, index: usize) -> Place {
        self.place.dotted("rules").index(index)
    }

    fn targets_of(
        &self,
        rule: &Rule,
        place: &Place,
        domains: &[Domain<'_>],
        compilation: &mut Compilation<'_>,
    ) -> Targets {
        let Some(endpoints) = rule.endpoints.as_ref().filter(|endpoints| !endpoints.is_empty()) else {
            return Targets { own: true, domains: Vec::new() };
        };
        let mut targets = Targets { own: false, domains: Vec::new() };
        for (index, endpoint) in endpoints.iter().enumerate() {
            if let Some(domain) = domains.iter().position(|domain| domain.host.eq_ignore_ascii_case(endpoint)) {
                if !targets.domains.contains(&domain) {
                    targets.domains.push(domain);
                }
            } else if self.is_own(endpoint) {
                targets.own = true;
            } else {
                let names = domains.iter().map(|domain| domain.host.as_str()).chain([self.door.name.as_str()]);
                let message = format!(
                    "'{endpoint}' is neither a custom domain of the front door nor the front door '{}' itself{}",
                    self.door.name,
                    hint(endpoint, names)
                );
                compilation.finding(place.dotted("endpoints").index(index), FindingCode::EndpointNotFound, message);
            }
        }
        targets
    }

    /// Whether an endpoint of a rule is the front door itself. The replaced module gave it a host name of its own name.
    fn is_own(&self, endpoint: &str) -> bool {
        const CLASSIC_SUFFIX: &str = ".azurefd.net";
        let lower = endpoint.to_lowercase();
        let name = lower.strip_suffix(CLASSIC_SUFFIX).unwrap_or(&lower);
        [self.door.name.as_str(), self.profile.name()].iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    pub(super) fn add_routes(
        &self,
        targets: &[Targets],
        pools: &ByName<Pool>,
        domains: &[Domain<'_>],
        compilation: &mut Compilation<'_>,
    ) -> Vec<Route> {
        let mut taken: HashMap<Taken, Place> = HashMap::new();
        let mut routes = Vec::new();
        for (index, (rule, targets)) in self.door.rules.iter().zip(targets).enumerate() {
            let place = &self.rule_place(index);
            compilation.check_name(&ROUTE, &rule.name, &place.dotted("name"));
            check_patterns(rule, targets, place, &mut taken, compilation);
            let Some(pool) = pools.get(&rule.back_end_pool_name.to_lowercase()) else {
                let wanted = &rule.back_end_pool_name;
                let message = format!("the front door has no pool '{wanted}'{}", hint(wanted, self.pool_names()));
                compilation.finding(place.dotted("backEndPoolname"), FindingCode::PoolNotFound, message);
                continue;
            };
            let id = ROUTE.child_of(self.endpoint, &rule.name);
            let of_route: Vec<&ResourceId> =
                targets.domains.iter().filter_map(|index| domains.get(*index)).map(|domain| &domain.id).collect();
            let mut body = json!({ "properties": {
                "originGroup": { "id": pool.id.as_str() },
                "patternsToMatch": rule.pattern,
                "customDomains": of_route.iter().map(|id| json!({ "id": id.as_str() })).collect::<Vec<Value>>(),
                "linkToDefaultDomain": if targets.own { "Enabled" } else { "Disabled" },
            } });
            let mut creation = json!({ "properties": {} });
            let said = given(rule).is_some();
            (if said { &mut body } else { &mut creation })["properties"]["supportedProtocols"] = json!(protocols(rule));
            if said && !BOTH.iter().all(|protocol| protocols(rule).contains(protocol)) {
                // Azure refuses a redirect from a protocol, or to one, that a route does not have.
                body["properties"]["httpsRedirect"] = json!("Disabled");
            }
            tell_cached_api(rule, pool, &id, place, compilation);
            let caching = rule.enable_caching.unwrap_or(true).then(|| profile::caching(QueryStrings::Used));
            let said = rule.enable_caching.is_some();
            (if said { &mut body } else { &mut creation })["properties"]["cacheConfiguration"] = json!(caching);
            // Azure refuses a route to an origin group that is empty.
            let depends_on = [&pool.id].into_iter().chain(&pool.origins).chain(of_route).cloned().collect();
            let route = profile::route(&id, body, creation, depends_on, place);
            // A rule says that there is a cache, not how it is.
            let enough = caching.iter().map(|_| "properties.cacheConfiguration").collect();
            compilation.add(Desired { origins: ORIGINS.to_vec(), enough, ..route });
            routes.push(Route { id, domains: targets.domains.clone() });
        }
        routes
    }
}

/// Warns where the answers of an API are cached because nobody has said otherwise: of an existing route the cache stays as it is.
fn tell_cached_api(rule: &Rule, pool: &Pool, id: &ResourceId, place: &Place, compilation: &mut Compilation<'_>) {
    let (None, Some(api)) = (rule.enable_caching, &pool.api) else { return };
    let cache = |route: &Value| route.pointer("/properties/cacheConfiguration").is_some_and(|cache| !cache.is_null());
    if compilation.before(&ROUTE, id).is_none_or(cache) {
        let message = format!(
            "not set, so answers of the API management service '{api}' are cached at the edge, which the replaced module did not do; set it to false, or to true if they may be"
        );
        compilation.warning(&place.dotted("enableCaching"), message);
    }
}

/// A protocol, a domain (none is the front door's own) and a pattern, which one rule of a front door may have.
type Taken = (Protocol, Option<usize>, String);

/// Azure takes patterns that begin with a slash, with a star only at the end, and each of them once for each domain and
/// protocol (Azure Front Door documentation, "How requests get matched to a route configuration").
fn check_patterns(
    rule: &Rule,
    targets: &Targets,
    place: &Place,
    taken: &mut HashMap<Taken, Place>,
    compilation: &mut Compilation<'_>,
) {
    if rule.pattern.is_empty() {
        let message = "at least one pattern is required; use /* for all requests";
        compilation.finding(place.dotted("pattern"), FindingCode::Missing, message);
    }
    let own = targets.own.then_some(None);
    let hosts: Vec<Option<usize>> = own.into_iter().chain(targets.domains.iter().copied().map(Some)).collect();
    for (index, pattern) in rule.pattern.iter().enumerate() {
        let place = place.dotted("pattern").index(index);
        let path = pattern.strip_suffix("/*").unwrap_or(pattern);
        if !pattern.starts_with('/') || path.contains('*') {
            let message = format!(
                "'{pattern}' is not a pattern such as / or /api/*; it must begin with a slash, and can end with a star after a slash"
            );
            compilation.finding(place.clone(), FindingCode::PatternRefused, message);
        }
        let mut other: Option<Place> = None;
        for protocol in protocols(rule) {
            for host in &hosts {
                let key = (*protocol, *host, pattern.to_lowercase());
                other = other.or_else(|| taken.get(&key).cloned());
                taken.entry(key).or_insert_with(|| place.clone());
            }
        }
        if let Some(other) = other {
            let message = format!(
                "the pattern '{pattern}' is already used for the same host name by {} ({})",
                other.path(),
                other.show()
            );
            compilation.finding(place, FindingCode::PatternTaken, message);
        }
    }
}

/// The protocols that a rule answers.
fn protocols(rule: &Rule) -> &[Protocol] {
    given(rule).unwrap_or(BOTH)
}

/// The protocols that a rule names.
fn given(rule: &Rule) -> Option<&[Protocol]> {
    rule.accepted_protocols.as_deref().filter(|protocols| !protocols.is_empty())
}
