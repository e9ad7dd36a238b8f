//! Web application firewall policies: which holds for which domains.

use serde_json::{Value, json};

use super::{Domain, Route, Run};
use crate::azure::ResourceId;
use crate::azure::types::{FIREWALL_POLICY, PREMIUM_FRONT_DOOR, SECURITY_POLICY, STANDARD_FRONT_DOOR};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::service::Named;
use crate::commands::shared::wanted::Wanted;
use crate::commands::web::profile::{self, Tier};
use crate::desired::Desired;
use crate::protocol::FindingCode;
use crate::settings::Place;

const POLICY: &str = "service.dependencies.webApplicationFirewallPolicy";

/// A firewall policy that holds for domains.
pub(super) struct Policy {
    /// Its publish name.
    service: String,
    id: ResourceId,
    /// The name of its sku; empty when it was not read.
    tier: String,
    /// The first setting that names it.
    place: Place,
    /// The setting that the tier of the front door comes from, as an origin of its properties.
    pub(super) origin: &'static str,
    /// The domains it holds for, as indexes.
    domains: Vec<usize>,
}

impl Policy {
    /// Whether the front door has to be of the higher tier for it.
    pub(super) fn is_premium(&self) -> bool {
        self.tier.eq_ignore_ascii_case(PREMIUM_FRONT_DOOR)
    }
}

impl Run<'_> {
    /// The policies that domains use, and the tier that the front door needs for them.
    pub(super) fn policies(&self, domains: &[Domain<'_>], compilation: &mut Compilation<'_>) -> (Vec<Policy>, Tier) {
        let document =
            self.settings.service.dependencies.as_ref().and_then(|all| all.web_application_firewall_policy.as_ref());
        let mut policies: Vec<Policy> = Vec::new();
        let (mut by_default, mut unguarded) = (Vec::new(), Vec::new());
        for (index, domain) in domains.iter().enumerate() {
            let own =
                domain.settings.service.dependencies().and_then(|all| all.web_application_firewall_policy.as_ref());
            let Some(wanted) = Published::first(POLICY, (own, &domain.place), (document, self.root)) else {
                unguarded.push((domain, policies.last().map(|policy| policy.service.clone())));
                continue;
            };
            if own.is_none() {
                by_default.push(domain.host.as_str());
            }
            match policies.iter_mut().find(|policy| policy.service == wanted.name) {
                Some(policy) => policy.domains.push(index),
                None => policies.push(look_up(wanted, own.is_some(), index, compilation)),
            }
        }
        if !policies.is_empty() {
            unguarded.into_iter().for_each(|(domain, before)| tell_unguarded(domain, before.as_deref(), compilation));
        }
        if let Some(document) = document {
            self.tell_root_policy(document, &by_default, domains.is_empty(), compilation);
        }
        let premium = policies.iter().find(|policy| policy.is_premium()).map(|policy| policy.service.clone());
        let Some(premium) = premium else { return (policies, Tier::Standard) };
        for policy in policies.iter().filter(|policy| policy.tier.eq_ignore_ascii_case(STANDARD_FRONT_DOOR)) {
            let message = format!(
                "the web application firewall policy published as '{}' is of the tier {STANDARD_FRONT_DOOR}, but the one published as '{premium}' makes the \
                 front door {PREMIUM_FRONT_DOOR}: the policies of a front door have its tier",
                policy.service
            );
            compilation.finding(policy.place.clone(), FindingCode::CombinationNotInAzure, message);
        }
        (policies, Tier::Premium)
    }

    /// Tells what the policy at the root holds for. That is easily overlooked, and what it does not hold for even more.
    fn tell_root_policy(&self, service: &str, hosts: &[&str], no_domains: bool, compilation: &mut Compilation<'_>) {
        let message = match (hosts, no_domains) {
            ([], true) => format!(
                "the web application firewall policy published as '{service}' has no effect: the front door has no custom domains, and its own host name is not covered"
            ),
            // Every domain has its own.
            ([], false) => return,
            _ => format!(
                "the web application firewall policy published as '{service}' applies to the domains that name no policy: {}; the own host name of the front door is \
                 not covered",
                hosts.join(", ")
            ),
        };
        compilation.warning(&self.root.dotted(POLICY), message);
    }

    pub(super) fn add_policies(
        &self,
        policies: &[Policy],
        domains: &[Domain<'_>],
        routes: &[Route],
        compilation: &mut Compilation<'_>,
    ) {
        for policy in policies {
            let name = profile::child_name(&policy.service);
            compilation.check_name(&SECURITY_POLICY, &name, &policy.place);
            let covered: Vec<&ResourceId> =
                policy.domains.iter().filter_map(|index| domains.get(*index)).map(|domain| &domain.id).collect();
            let body = json!({ "properties": { "parameters": {
                "type": "WebApplicationFirewall",
                "wafPolicy": { "id": policy.id.as_str() },
                "associations": [{
                    "domains": covered.iter().map(|id| json!({ "id": id.as_str() })).collect::<Vec<Value>>(),
                    "patternsToMatch": ["/*"],
                }],
            } } });
            // A domain can be protected once it belongs to an endpoint, and it does by its routes.
            let with_domain = |route: &&Route| route.domains.iter().any(|domain| policy.domains.contains(domain));
            let routes = routes.iter().filter(with_domain).map(|route| &route.id);
            compilation.add(Desired {
                depends_on: covered.iter().copied().chain(routes).cloned().collect(),
                origins: vec![("properties.parameters.wafPolicy", "")],
                ..Desired::new(
                    SECURITY_POLICY.child_of(self.profile, &name),
                    &SECURITY_POLICY,
                    body,
                    policy.place.clone(),
                )
            });
        }
    }
}

/// Warns of a domain without a policy beside domains that have one. `before` is the policy that the replaced module would have given it: that of
/// the last domain with one.
fn tell_unguarded(domain: &Domain<'_>, before: Option<&str>, compilation: &mut Compilation<'_>) {
    let inherited = before.map_or(String::new(), |policy| {
        format!("; the replaced module let it have '{policy}', the policy of a domain before it; set it here to have it again")
    });
    let message = format!(
        "no web application firewall policy guards the domain '{}', although other domains of the front door have one{inherited}",
        domain.host
    );
    compilation.warning(&domain.place.dotted(POLICY), message);
}

fn look_up(wanted: Published, own: bool, index: usize, compilation: &mut Compilation<'_>) -> Policy {
    let policy = compilation.find(Wanted::Type(FIREWALL_POLICY.name)).published_as(&wanted.name, &wanted.place);
    let found = policy.whole().one();
    let tier = found.details.as_ref().and_then(|policy| policy.pointer("/sku/name")?.as_str()).unwrap_or_default();
    let front_door = [STANDARD_FRONT_DOOR, PREMIUM_FRONT_DOOR];
    if !tier.is_empty() && !front_door.iter().any(|known| known.eq_ignore_ascii_case(tier)) {
        let message = format!(
            "the web application firewall policy '{}' is of the tier {tier}, which is the tier of the classic Front Door; migrate it, or use one of the tier {STANDARD_FRONT_DOOR} or {PREMIUM_FRONT_DOOR}",
            found.id.name()
        );
        compilation.finding(wanted.place.clone(), FindingCode::ClassicPolicy, message);
    }
    Policy {
        tier: tier.to_owned(),
        id: found.id,
        origin: if own { "customDomains" } else { "/service.dependencies.webApplicationFirewallPolicy" },
        service: wanted.name,
        place: wanted.place,
        domains: vec![index],
    }
}
