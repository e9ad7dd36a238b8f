//! The week of the example: what happened in it, rule by rule.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_engine::protocol::{Message, Rehearsal};
use svc_local_cloud::LocalCloudOptions;

use crate::environment::run_deployment;
use crate::support::estate::landing_zone_with;
use crate::support::*;

/// What `_past/week.yml` tells in its comments, counted by hand.
#[test]
fn the_rules_of_the_shop_ring_when_something_happened() {
    let cloud = landing_zone_with(LocalCloudOptions::default());
    let request = json!({"settingsFiles": [repository("examples/environment")], "context": {"cloud": cloud.endpoint()}, "environment": {}});
    assert_eq!(run_deployment(&request).summary(), "created 82");
    let text = std::fs::read_to_string(repository("examples/environment/_past/week.yml")).unwrap();
    let week: Value = serde_yaml::from_str(&text).unwrap();
    cloud.import_telemetry(week).unwrap();
    let all = json!({"whatIf": true, "context": {"cloud": cloud.endpoint(), "rehearse": "7d", "rehearseAll": true}});
    let outcome = run_deployment(&with(request, all));
    assert!(outcome.errors().is_empty(), "{outcome:?}");
    let rehearsed: BTreeMap<String, Rehearsal> = outcome
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Unchanged(rule) => Some((rule.name.clone(), rule.rehearsal.clone()?)),
            _ => None,
        })
        .collect();
    let of = |part: &str| {
        let (_, rehearsal) =
            rehearsed.iter().find(|(name, _)| name.contains(part)).unwrap_or_else(|| panic!("no {part}"));
        assert!(rehearsal.fired.is_some(), "{part}: {rehearsal:?}");
        rehearsal
    };
    let fired = |part: &str| of(part).fired.unwrap();
    // Ten minutes with 60 failed requests are in more than one window of 15 minutes, which are counted every 5.
    assert!((3..=5).contains(&fired("shop-failed")), "{:?}", of("shop-failed"));
    // Two days with exceptions, of which one may lie on both sides of a half hour.
    assert!((2..=3).contains(&fired("shop-unhandled")), "{:?}", of("shop-unhandled"));
    assert_eq!((fired("plans-cpu"), fired("orders-availability")), (1, 1));
    assert_eq!(of("plans-cpu").fired_for, ["plan-front-dev-uks-b6c207fd"]);
    assert_eq!((fired("servicehealth"), fired("shop-resourcehealth"), fired("alt-shop-dev")), (1, 2, 1));
    assert_eq!((fired("keyvaultadmin"), fired("alt-monitoring")), (0, 0));
    assert_eq!(of("log-servers-1").reason.as_deref(), Some("Its table InsightsMetrics has had no row for 30 days."));
    assert!(of("log-servers-0").sampled.is_some());
}
