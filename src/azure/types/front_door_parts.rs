//! The things that only one part of a front door may have at a time: the requests that a route answers, the domains that a security policy
//! protects. Azure refuses to give them to a second one (Azure Front Door documentation, "How requests get matched to a route
//! configuration"; a domain belongs to one security policy).

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Stands for the host name of the endpoint itself.
const OWN_HOST: &str = "";

/// The requests that a route answers: a protocol, a host and a pattern each.
pub(super) fn requests_of(route: &Value) -> BTreeSet<String> {
    let (hosts, patterns) = (hosts(route), patterns(route));
    let mut requests = BTreeSet::new();
    for protocol in texts(route, "supportedProtocols", &["Http", "Https"]) {
        for host in &hosts {
            requests.extend(patterns.iter().map(|pattern| request(&protocol, host, pattern)));
        }
    }
    requests
}

/// Whether some requests are answered by both: a pattern that ends in a star has every path that begins like it.
pub(super) fn same_requests(one: &str, other: &str) -> bool {
    let parts = |requests: &str| requests.rsplit_once(' ').map(|(host, pattern)| (host.to_owned(), pattern.to_owned()));
    let (Some((host, one)), Some((other_host, other))) = (parts(one), parts(other)) else { return false };
    let covers = |wide: &str, narrow: &str| wide.strip_suffix('*').is_some_and(|start| narrow.starts_with(start));
    host == other_host && (one == other || covers(&one, &other) || covers(&other, &one))
}

/// A route without these requests, and with as many of the others as can be had by taking patterns or hosts out.
pub(super) fn without_requests(route: &Value, taken: &BTreeSet<String>) -> Option<Value> {
    let is_free = |narrowed: &Value| requests_of(narrowed).is_disjoint(taken);
    let narrowed = [without_patterns(route, taken), without_hosts(route, taken)];
    narrowed.into_iter().flatten().filter(is_free).max_by_key(|narrowed| requests_of(narrowed).len())
}

/// The ids of the domains that a security policy protects, in lower case.
pub(super) fn protected_domains(policy: &Value) -> BTreeSet<String> {
    associations(policy).iter().flat_map(domains_of).map(str::to_ascii_lowercase).collect()
}

/// A security policy without these domains.
pub(super) fn without_domains(policy: &Value, taken: &BTreeSet<String>) -> Option<Value> {
    let left = narrowed_associations(policy, |domain| !taken.contains(&domain.to_ascii_lowercase()));
    let mut policy = policy.clone();
    policy["properties"]["parameters"]["associations"] = Value::Array(left);
    (!protected_domains(&policy).is_empty()).then_some(policy)
}

/// The associations of a security policy with only those domains that are to stay; without those that have none left.
#[must_use]
pub fn narrowed_associations(policy: &Value, stays: impl Fn(&str) -> bool) -> Vec<Value> {
    let narrowed = associations(policy).iter().map(|association| {
        let domains: Vec<Value> =
            domains_of(association).filter(|domain| stays(domain)).map(|domain| json!({ "id": domain })).collect();
        let mut association = association.clone();
        association["domains"] = Value::Array(domains);
        association
    });
    narrowed.filter(|association| domains_of(association).next().is_some()).collect()
}

/// The ids of the domains of an association of a security policy.
pub fn domains_of(association: &Value) -> impl Iterator<Item = &str> {
    ids(&association["domains"])
}

fn associations(policy: &Value) -> &[Value] {
    list(&policy["properties"]["parameters"]["associations"])
}

fn request(protocol: &str, host: &str, pattern: &str) -> String {
    format!("{protocol} {host} {pattern}")
}

fn without_patterns(route: &Value, taken: &BTreeSet<String>) -> Option<Value> {
    let hosts = hosts(route);
    let protocols = texts(route, "supportedProtocols", &["Http", "Https"]);
    let is_taken = |pattern: &str| {
        hosts.iter().any(|host| protocols.iter().any(|protocol| taken.contains(&request(protocol, host, pattern))))
    };
    let left: Vec<&Value> = list(&route["properties"]["patternsToMatch"])
        .iter()
        .filter(|pattern| pattern.as_str().is_some_and(|pattern| !is_taken(&pattern.to_lowercase())))
        .collect();
    // No patterns at all would be every pattern.
    if left.is_empty() {
        return None;
    }
    let left = json!(left);
    let mut route = route.clone();
    route["properties"]["patternsToMatch"] = left;
    Some(route)
}

fn without_hosts(route: &Value, taken: &BTreeSet<String>) -> Option<Value> {
    let patterns = patterns(route);
    let protocols = texts(route, "supportedProtocols", &["Http", "Https"]);
    let is_taken = |host: &str| {
        patterns
            .iter()
            .any(|pattern| protocols.iter().any(|protocol| taken.contains(&request(protocol, host, pattern))))
    };
    let domains: Vec<Value> = ids(&route["properties"]["customDomains"])
        .filter(|domain| !is_taken(&domain.to_ascii_lowercase()))
        .map(|domain| json!({ "id": domain }))
        .collect();
    let mut narrowed = route.clone();
    narrowed["properties"]["customDomains"] = Value::Array(domains);
    if is_taken(OWN_HOST) {
        narrowed["properties"]["linkToDefaultDomain"] = json!("Disabled");
    }
    (!hosts(&narrowed).is_empty()).then_some(narrowed)
}

/// The hosts of a route: the ids of its custom domains in lower case, and its endpoint.
fn hosts(route: &Value) -> Vec<String> {
    let own = &route["properties"]["linkToDefaultDomain"];
    let own = own.as_str().is_some_and(|own| own.eq_ignore_ascii_case("Enabled")).then(|| OWN_HOST.to_owned());
    ids(&route["properties"]["customDomains"]).map(str::to_ascii_lowercase).chain(own).collect()
}

fn patterns(route: &Value) -> Vec<String> {
    texts(route, "patternsToMatch", &["/*"])
}

/// The texts of a list in lower case, or what Azure takes where there are none.
fn texts(route: &Value, name: &str, default: &[&str]) -> Vec<String> {
    let texts: Vec<String> =
        list(&route["properties"][name]).iter().filter_map(Value::as_str).map(str::to_lowercase).collect();
    if texts.is_empty() { default.iter().map(|text| text.to_lowercase()).collect() } else { texts }
}

fn ids(references: &Value) -> impl Iterator<Item = &str> {
    list(references).iter().filter_map(|reference| reference["id"].as_str())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(patterns: &[&str], domains: &[&str], own: &str) -> Value {
        let domains: Vec<Value> = domains.iter().map(|domain| json!({ "id": domain })).collect();
        json!({ "properties": { "patternsToMatch": patterns, "customDomains": domains, "linkToDefaultDomain": own,
            "supportedProtocols": ["Https"] } })
    }

    fn set(texts: &[&str]) -> BTreeSet<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_route_answers_each_pattern_of_each_host_and_protocol() {
        let requests = requests_of(&route(&["/A", "/b/*"], &["/WWW"], "Enabled"));
        assert_eq!(requests, set(&["https  /a", "https  /b/*", "https /www /a", "https /www /b/*"]));
        let least = json!({ "properties": { "linkToDefaultDomain": "Enabled" } });
        assert_eq!(requests_of(&least), set(&["http  /*", "https  /*"]));
    }

    #[test]
    fn a_route_loses_patterns_or_hosts_whatever_leaves_more() {
        let whole = route(&["/a", "/b", "/c"], &["/www", "/shop"], "Disabled");
        let left = without_requests(&whole, &set(&["https /www /a"])).unwrap();
        assert_eq!(left, route(&["/b", "/c"], &["/www", "/shop"], "Disabled"));
        let left = without_requests(&whole, &set(&["https /www /a", "https /www /b", "https /www /c"])).unwrap();
        assert_eq!(left, route(&["/a", "/b", "/c"], &["/shop"], "Disabled"));
        let own = route(&["/*"], &["/www"], "Enabled");
        assert_eq!(without_requests(&own, &set(&["https  /*"])).unwrap(), route(&["/*"], &["/www"], "Disabled"));
        assert_eq!(without_requests(&own, &set(&["https  /*", "https /www /*"])), None);
    }

    #[test]
    fn patterns_share_requests_where_one_covers_the_other() {
        for (one, other, same) in [
            ("https /www /*", "https /www /a/*", true),
            ("https /www /a", "https /www /*", true),
            ("https /www /a/*", "https /www /b/*", false),
            ("https /www /a", "https /www /a/b", false),
            ("https /www /*", "https /shop /*", false),
            ("http  /*", "https  /*", false),
        ] {
            assert_eq!(same_requests(one, other), same, "{one} {other}");
        }
    }

    #[test]
    fn a_security_policy_loses_domains() {
        let policy = |lists: &[&[&str]]| {
            let associations: Vec<Value> = lists
                .iter()
                .map(|domains| {
                    let domains: Vec<Value> = domains.iter().map(|domain| json!({ "id": domain })).collect();
                    json!({ "domains": domains, "patternsToMatch": ["/*"] })
                })
                .collect();
            json!({ "properties": { "parameters": { "associations": associations } } })
        };
        let whole = policy(&[&["/Www", "/shop"], &["/api"]]);
        assert_eq!(protected_domains(&whole), set(&["/www", "/shop", "/api"]));
        assert_eq!(without_domains(&whole, &set(&["/api", "/www"])).unwrap(), policy(&[&["/shop"]]));
        assert_eq!(without_domains(&whole, &set(&["/api", "/www", "/shop"])), None);
    }
}
