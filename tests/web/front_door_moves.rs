//! Patterns and domains that move between the rules of a front door: in one run, in an order that Azure takes.

use serde_json::{Value, json};
use svc_engine::protocol::ActionKind;
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;
use crate::web::front_door::*;

/// A document whose rules have these names, patterns and endpoints.
fn with_rules(rules: &[(&str, &str, &str)]) -> String {
    let mut door = "\
name: contoso-edge
region: UK South
sessionAffinity: Disabled
customDomains:
  - {domainName: www.contoso.com, sessionAffinity: Disabled}
  - {domainName: shop.contoso.com, sessionAffinity: Disabled}
backEndPools: [{name: shop}, {name: api}]
rules:
"
    .to_owned();
    for (name, patterns, endpoints) in rules {
        door.push_str(&format!(
            "  - {{name: {name}, pattern: [{patterns}], backEndPoolname: shop, endpoints: [{endpoints}]}}\n"
        ));
    }
    door.push_str("  - {name: api, pattern: [/api], backEndPoolname: api}\n");
    web_document(APPS, &door)
}

const WWW: &str = "www.contoso.com";
const SHOP: &str = "shop.contoso.com";

/// Deploys a document over another one, and looks that everything is done and stays so. Returns what was written and deleted in the
/// front door, with the names only.
fn moved(before: &[(&str, &str, &str)], after: &[(&str, &str, &str)]) -> (LocalCloud, Vec<String>) {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &with_rules(before)));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    let sent = cloud.requests().len();
    deployment.rewrite(&with_rules(after));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
    assert!(outcome.plan().iter().all(|action| action.resource.label == "route"), "{:#?}", outcome.descriptions());
    let lines = shown(&requests_after(&cloud, sent));
    let changes = lines.iter().filter(|line| line.starts_with("PUT ") || line.starts_with("DELETE "));
    let changes = changes.map(|line| {
        let (method, name) = (line.split(' ').next().unwrap(), line.rsplit('/').next().unwrap());
        format!("{method} {name}")
    });
    let changes = changes.collect();
    let again = deployment.deploy(&cloud);
    assert!(again.plan().is_empty(), "{:#?}", again.descriptions());
    (cloud, changes)
}

fn patterns(cloud: &LocalCloud, name: &str) -> Value {
    properties(cloud, &format!("afdEndpoints/{DOOR}/routes/{name}"))["patternsToMatch"].clone()
}

fn domains(cloud: &LocalCloud, name: &str) -> Vec<String> {
    let route = properties(cloud, &format!("afdEndpoints/{DOOR}/routes/{name}"));
    let ids = route["customDomains"].as_array().unwrap().iter().map(|domain| domain["id"].as_str().unwrap().to_owned());
    ids.map(|id| id.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn a_pattern_that_moves_is_taken_away_first() {
    let (cloud, changes) = moved(&[("a", "/a", WWW), ("b", "/b, /c", WWW)], &[("a", "/a, /b", WWW), ("b", "/c", WWW)]);
    assert_eq!(changes, ["PUT b", "PUT a"]);
    assert_eq!((patterns(&cloud, "a"), patterns(&cloud, "b")), (json!(["/a", "/b"]), json!(["/c"])));
}

#[test]
fn a_domain_that_moves_is_taken_away_first() {
    let both = format!("{WWW}, {SHOP}");
    let (cloud, changes) =
        moved(&[("a", "'/*'", WWW), ("b", "'/*'", SHOP)], &[("a", "'/*'", &both), ("b", "'/*'", "contoso-edge")]);
    assert_eq!(changes, ["PUT b", "PUT a"]);
    assert_eq!(domains(&cloud, "a"), ["www-contoso-com", "shop-contoso-com"]);
}

#[test]
fn a_renamed_rule_is_deleted_and_made_at_once() {
    let (_, changes) = moved(&[("old", "'/*'", WWW)], &[("new", "'/*'", WWW)]);
    assert_eq!(changes, ["DELETE old", "PUT new"]);
}

#[test]
fn nothing_is_taken_away_before_its_next_owner_can_have_it() {
    for rules in [
        [("new", "'/*'", WWW), ("swap", "/b", SHOP), ("swop", "/a", SHOP)],
        [("old", "'/*'", WWW), ("swap", "/b", SHOP), ("swop", "/a", SHOP)],
    ] {
        let (cloud, deployment) = (
            landing_zone(),
            Deployment::new(WEB, &with_rules(&[("old", "'/*'", WWW), ("swap", "/a", SHOP), ("swop", "/b", SHOP)])),
        );
        deployment.deploy(&cloud);
        let routes: Vec<String> = cloud.ids().into_iter().filter(|id| id.contains("/routes/")).collect();
        let before: Vec<Value> = routes.iter().map(|id| cloud.resource(id).unwrap()).collect();
        // All of them go to a new pool, which cannot be made.
        let later = with_rules(&rules)
            .replace("backEndPoolname: shop", "backEndPoolname: late")
            .replace("[{name: shop}, {name: api}]", "[{name: late}, {name: api}]")
            .replace("backendpool: shop", "backendpool: late")
            .replace("backendpool: Shop", "backendpool: late");
        deployment.rewrite(&later);
        cloud.misbehave(fault("status=400,method=PUT,path=originGroups/late"));
        let outcome = deployment.deploy(&cloud);
        assert_eq!(outcome.counts().failed, 1, "{:#?}", outcome.errors());
        let after: Vec<Value> = routes.iter().map(|id| cloud.resource(id).unwrap()).collect();
        assert_eq!(before, after, "every route is as it was");
        let again = deployment.deploy(&cloud);
        assert_eq!(again.counts().failed, 0, "{:#?}", again.errors());
        assert!(deployment.deploy(&cloud).plan().is_empty());
    }
}

#[test]
fn a_rule_goes_when_those_that_take_its_place_are_there() {
    let (_, changes) = moved(&[("old", "'/*'", WWW)], &[("one", "/a", WWW), ("two", "'/b/*'", WWW)]);
    assert_eq!((changes.len(), changes[2].as_str()), (3, "DELETE old"), "{changes:?}");
}

#[test]
fn a_swap_of_patterns_takes_a_step_between_of_the_rule_that_keeps_some() {
    let (cloud, changes) =
        moved(&[("a", "/a", WWW), ("b", "/b, /kept", WWW)], &[("a", "/b", WWW), ("b", "/a, /kept", WWW)]);
    assert_eq!(changes, ["PUT b", "PUT a", "PUT b"]);
    assert_eq!((patterns(&cloud, "a"), patterns(&cloud, "b")), (json!(["/b"]), json!(["/a", "/kept"])));
}

#[test]
fn a_swap_of_domains_takes_one_of_the_rules_out_for_a_moment() {
    let (cloud, changes) =
        moved(&[("a", "'/*'", WWW), ("b", "'/*'", SHOP)], &[("a", "'/*'", SHOP), ("b", "'/*'", WWW)]);
    assert_eq!(changes, ["DELETE a", "PUT b", "PUT a"]);
    assert_eq!(
        (domains(&cloud, "a"), domains(&cloud, "b")),
        (vec!["shop-contoso-com".to_owned()], vec!["www-contoso-com".to_owned()])
    );
}

#[test]
fn a_swap_is_made_as_a_whole_or_not_at_all() {
    let (cloud, deployment) =
        (landing_zone(), Deployment::new(WEB, &with_rules(&[("a", "/a", WWW), ("b", "/b", WWW)])));
    deployment.deploy(&cloud);
    let sent = cloud.requests().len();
    deployment.rewrite(&with_rules(&[("a", "/b", WWW), ("b", "/a", WWW)]));
    let outcome = deployment.deploy_approving(&cloud, |action| action.resource.name == "a");
    assert_eq!((outcome.counts().failed, outcome.counts().skipped, outcome.counts().modified), (0, 2, 0));
    assert!(writes(&requests_after(&cloud, sent)).is_empty());
}

#[test]
fn a_swap_that_fails_in_the_middle_is_finished_by_the_next_run() {
    for (fault_at, failed, skipped) in [("method=DELETE,path=routes/a", 1, 1), ("method=PUT,path=routes/b", 1, 1)] {
        let (cloud, deployment) =
            (landing_zone(), Deployment::new(WEB, &with_rules(&[("a", "/a", WWW), ("b", "/b", WWW)])));
        deployment.deploy(&cloud);
        deployment.rewrite(&with_rules(&[("a", "/b", WWW), ("b", "/a", WWW)]));
        cloud.misbehave(fault(&format!("status=400,{fault_at}")));
        let outcome = deployment.deploy(&cloud);
        let counts = outcome.counts();
        assert_eq!((counts.failed, counts.skipped, counts.modified), (failed, skipped, 0), "{fault_at}: {outcome:#?}");
        let again = deployment.deploy(&cloud);
        assert_eq!(again.counts().failed, 0, "{:#?}", again.errors());
        assert_eq!((patterns(&cloud, "a"), patterns(&cloud, "b")), (json!(["/b"]), json!(["/a"])));
        assert!(deployment.deploy(&cloud).plan().is_empty());
    }
}

#[test]
fn a_rule_that_does_not_give_anything_to_others_goes_after_everything_else_was_asked_for() {
    let (cloud, deployment) = (landing_zone(), Deployment::new(WEB, &with_rules(&[("old", "/old", WWW)])));
    deployment.deploy(&cloud);
    deployment.rewrite(&with_rules(&[("new", "/new", WWW)]));
    let outcome = deployment.rehearse(&cloud);
    let kinds: Vec<(ActionKind, &str)> =
        outcome.plan().iter().map(|action| (action.action, action.resource.name.as_str())).collect();
    assert_eq!(kinds, [(ActionKind::Create, "new"), (ActionKind::Delete, "old")]);
}
