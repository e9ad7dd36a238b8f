//! The week of the example: what happened in it, rule by rule.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use svc_engine::protocol::{Message, Rehearsal};
use svc_local_cloud::LocalCloudOptions;

use super::brute_force::{State, aggregated, checks, outcome as counts};
use super::generated::counted;
use super::{now, text_of};
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
    let all = json!({"whatIf": true, "context": {"cloud": cloud.endpoint(), "rehearse": "7d", "rehearseAll": true, "rehearseFor": "10m"}});
    let outcome = run_deployment(&with(request, all));
    assert!(outcome.errors().is_empty(), "{outcome:?}");
    let rehearsed: BTreeMap<String, Rehearsal> = outcome
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Unchanged(rule) => Some((rule.resource.name.clone(), *rule.rehearsal.clone()?)),
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

/// The minutes before the import that a time of the week counts back: `-P1DT2H10M`.
fn minutes_back(text: &str) -> Option<i64> {
    let (days, hours) = text.strip_prefix("-P")?.split_once('T').unwrap_or((&text[2..], ""));
    let part = |text: &str, unit: char| -> i64 {
        let digits: Vec<&str> = text.split_inclusive(char::is_alphabetic).filter(|part| part.ends_with(unit)).collect();
        digits.first().map_or(0, |part| part.trim_end_matches(unit).parse().unwrap())
    };
    Some(part(days, 'D') * 1440 + part(hours, 'H') * 60 + part(hours, 'M'))
}

/// The week with times that stay what they are.
fn absolute(value: Value, now: i64) -> Value {
    match value {
        Value::String(text) => minutes_back(&text).map_or(json!(text), |back| json!(text_of((now - back) as f64))),
        Value::Array(items) => items.into_iter().map(|item| absolute(item, now)).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, absolute(value, now))).collect(),
        other => other,
    }
}

/// The seconds of a span such as `PT7M`.
fn seconds_of(text: &str) -> i64 {
    let number: i64 = text.trim_matches(char::is_alphabetic).parse().unwrap();
    number * [('S', 1), ('M', 60), ('H', 3600)].iter().find(|(unit, _)| text.ends_with(*unit)).unwrap().1
}

/// The value that the week has of a metric in a minute: the entry that was written last holds.
fn value_in(week: &Value, resource: &str, metric: &str, at: i64, now: i64) -> Option<f64> {
    let back = |entry: &Value, key: &str| minutes_back(entry[key].as_str().unwrap_or("-P0D")).unwrap();
    let entries = week["metrics"].as_array().unwrap().iter().rev();
    let mut of_it =
        entries.filter(|entry| entry["resource"].as_str().unwrap().contains(resource) && entry["metric"] == metric);
    let entry = of_it.find(|entry| (now - back(entry, "from")..now - back(entry, "to")).contains(&at))?;
    let values = entry["values"].as_array().unwrap();
    let index = (at - (now - back(entry, "from"))) * 60 / seconds_of(entry["every"].as_str().unwrap());
    values[usize::try_from(index).unwrap() % values.len()].as_f64()
}

/// The moments at which the rows of a table that fail, or that nothing caught, were written, in minutes.
fn rows_of(week: &Value, table: &str, now: i64) -> Vec<f64> {
    let tables = week["tables"].as_object().unwrap().values().next().unwrap();
    let mut times = Vec::new();
    for row in tables[table].as_array().unwrap() {
        let at = |key: &str| row[key].as_str().map(|text| now - minutes_back(text).unwrap());
        match (at("TimeGenerated"), at("from")) {
            (Some(at), _) => times.push(at as f64),
            (None, Some(from)) => {
                let (step, to) =
                    (seconds_of(row["every"].as_str().unwrap()) as f64 / 60.0, at("to").unwrap_or(now) as f64);
                let steps = (0..).map(|step_number| from as f64 + f64::from(step_number) * step);
                times.extend(steps.take_while(|time| *time < to));
            }
            other => panic!("{other:?}"),
        }
    }
    times
}

/// Every rule of the shop that is not sampled counts what the most direct way of counting finds in the same week.
#[test]
fn the_rules_of_the_shop_count_as_by_hand() {
    let cloud = landing_zone_with(LocalCloudOptions::default());
    let request = json!({"settingsFiles": [repository("examples/environment")], "context": {"cloud": cloud.endpoint()}, "environment": {}});
    run_deployment(&request);
    let text = std::fs::read_to_string(repository("examples/environment/_past/week.yml")).unwrap();
    let (week, now): (Value, i64) = (serde_yaml::from_str(&text).unwrap(), now());
    cloud.import_telemetry(absolute(week.clone(), now)).unwrap();
    let all = json!({"whatIf": true, "context": {"cloud": cloud.endpoint(), "rehearse": "7d", "rehearseAll": true, "rehearseFor": "10m"}});
    let outcome = run_deployment(&with(request, all));
    let rehearsed = |part: &str| {
        let mut found = outcome.messages.iter().filter_map(|message| match message {
            Message::Unchanged(rule) if rule.resource.name.contains(part) => rule.rehearsal.as_ref(),
            _ => None,
        });
        found.next().unwrap_or_else(|| panic!("no {part}"))
    };
    // Of each: how often it runs, over which window, how it ends, what it watches, and when that is too much.
    let rows = |part: &str, table: &str, frequency: i64, window: i64, threshold: usize| {
        let times = rows_of(&week, table, now);
        let met = move |_: &str, at: i64| {
            let within = times.iter().filter(|time| **time >= (at - window) as f64 && **time < at as f64);
            Some(within.count() > threshold)
        };
        (part.to_owned(), frequency, State::Stateless { muted: 0 }, vec![String::new()], Box::new(met) as Met<'_>)
    };
    type Met<'a> = Box<dyn Fn(&str, i64) -> Option<bool> + 'a>;
    let average = |resource: &str, metric: &str, (at, window): (i64, i64)| {
        let values: Vec<f64> = (at - window..at).filter_map(|at| value_in(&week, resource, metric, at, now)).collect();
        aggregated(&values, "Average")
    };
    let metrics = State::Stateful { checks: 3 };
    let busy = |plan: &str, at: i64| Some(average(plan, "CpuPercentage", (at, 15))? > 85.0);
    let unavailable = |account: &str, at: i64| {
        let (answers, takes) =
            (average(account, "Availability", (at, 5))?, average(account, "SuccessE2ELatency", (at, 5))?);
        Some(answers < 99.0 && takes > 500.0)
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (part, frequency, state, things, met) in [
        rows("shop-failed", "AppRequests", 5, 15, 20),
        rows("shop-unhandled", "AppExceptions", 30, 30, 0),
        ("plans-cpu".to_owned(), 15, metrics, names(&["plan-front", "plan-jobs"]), Box::new(busy) as Met<'_>),
        ("orders-availability".to_owned(), 1, metrics, names(&["stcontosoorders"]), Box::new(unavailable) as Met<'_>),
    ] {
        let rehearsal = rehearsed(&part);
        let ((from, to), counted) = counted(rehearsal);
        let expected = counts(&checks(from, to, frequency), frequency, state, &things, met);
        assert_eq!((counted.fired, counted.minutes), (expected.fired, expected.minutes), "{part}: {rehearsal:?}");
        assert!(expected.fired > 0, "{part}");
    }
    let events = expected_events(&week);
    events.into_iter().for_each(|(part, expected)| assert_eq!(rehearsed(part).fired, Some(expected), "{part}"));
}

/// The number of events of the week that the rules over the activity log are about.
fn expected_events(week: &Value) -> [(&'static str, usize); 5] {
    let events = |is_meant: &dyn Fn(&Value) -> bool| {
        week["activityLog"].as_array().unwrap().iter().filter(|event| is_meant(event)).count()
    };
    let of_the_shop = |event: &Value| {
        let resource = event["resourceId"].as_str().unwrap_or_default();
        let is_worse = ["Degraded", "Unavailable"]
            .contains(&event["properties"]["currentHealthStatus"].as_str().unwrap_or_default());
        event["category"] == "ResourceHealth" && event["status"] == "Active" && resource.contains("orders") && is_worse
    };
    [
        ("alt-shop-dev", events(&of_the_shop)),
        ("servicehealth", events(&|event| event["category"] == "ServiceHealth")),
        ("shop-resourcehealth", events(&|event| event["category"] == "ResourceHealth")),
        ("keyvaultadmin", events(&|event| event["category"] == "Administrative")),
        ("alt-monitoring", events(&|event| event["resourceId"].as_str().is_some_and(|id| id.contains("rg-shop-core")))),
    ]
}
