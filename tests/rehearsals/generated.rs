//! Generated rules over generated rows: the rehearsal counts what the brute force counts.

use serde_json::{Value, json};

use super::brute_force::{Outcome as Counted, State, aggregated, checks, checks_of_log_alert, outcome, passes};
use super::{now, rehearse, text_of};
use crate::alerts::groups_and_rules::{estate, health, metric};
use crate::alerts::log_rules::log_alerts;
use crate::support::estate::{
    Deployment, LANDING_ZONE, LOG_ALERTS, METRIC_ALERTS, RESOURCE_HEALTH_ALERTS, landing_zone,
};
use crate::support::*;
use svc_engine::protocol::Rehearsal;

/// The seed of the rules and rows. Any other is as good.
const SEED: u64 = 40;

pub(super) fn one_of<'a>(random: &mut fastrand::Rng, choices: &[&'a str]) -> &'a str {
    choices[random.usize(..choices.len())]
}

fn number(random: &mut fastrand::Rng, choices: &[i64]) -> i64 {
    choices[random.usize(..choices.len())]
}

fn minute_of(text: &str) -> i64 {
    let time = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).unwrap();
    time.unix_timestamp() / 60
}

/// The time of a rehearsal, and what it counts.
pub(super) fn counted(rehearsal: &Rehearsal) -> ((i64, i64), Counted) {
    let counted = Counted {
        fired: rehearsal.fired.unwrap_or_else(|| panic!("{rehearsal:?}")),
        notifications: rehearsal.notifications,
        minutes: rehearsal.minutes as i64,
    };
    ((minute_of(&rehearsal.from), minute_of(&rehearsal.to)), counted)
}

/// Compares each rehearsal with what is expected over its time, and looks that it was worth it.
fn compare(found: &[&Rehearsal], rules: &[String], expected: impl Fn(usize, (i64, i64)) -> Counted) {
    assert_eq!(found.len(), rules.len());
    let mut firing = 0;
    for (index, rehearsal) in found.iter().enumerate() {
        let (time, counted) = counted(rehearsal);
        let expected = expected(index, time);
        assert_eq!(counted, expected, "{}\n{}", rules[index], rehearsal.sentence);
        firing += usize::from(expected.fired > 0 && expected.minutes < time.1 - time.0);
    }
    assert!(firing * 4 > rules.len(), "only {firing} of {} rules fire now and then", rules.len());
}

/// The values of a metric: a machine, one of its disks, and the value of each minute from a start.
type Values = (&'static str, &'static str, Vec<Option<f64>>);

struct MetricRule {
    frequency: i64,
    window: i64,
    aggregation: &'static str,
    operator: &'static str,
    threshold: i64,
    only: Option<&'static str>,
}

impl MetricRule {
    fn new(random: &mut fastrand::Rng) -> MetricRule {
        let frequency = number(random, &[1, 5, 15]);
        let window = frequency.max(number(random, &[1, 5, 15, 30]));
        let aggregation = one_of(random, &["Average", "Total", "Count", "Maximum", "Minimum"]);
        let threshold = random.i64(30..70);
        MetricRule {
            frequency,
            window,
            aggregation,
            operator: one_of(random, &["GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"]),
            threshold: match aggregation {
                "Total" => threshold * window,
                "Count" => window - 1,
                _ => threshold,
            },
            only: [None, Some("os"), Some("data")][random.usize(..3)],
        }
    }

    fn alert(&self, name: &str) -> String {
        let only = self.only.unwrap_or("*");
        format!(
            "name: {name}\nschedule: {{frequencyInMinutes: {}, timeWindowInMinutes: {}}}\nconditions: [{{metricName: Load, threshold: {{operator: {}, value: {}, timeAggregation: {}}}, \
             dimensions: [{{name: Disk, values: ['{only}']}}]}}]\nservice: {{dependencies: {{targetResources: [servers]}}}}",
            self.frequency, self.window, self.operator, self.threshold, self.aggregation
        )
    }

    fn expected(&self, series: &[Values], start: i64, (from, to): (i64, i64)) -> Counted {
        let is_meant = |index: &usize| self.only.is_none_or(|only| only == series[*index].1);
        let things: Vec<String> = (0..series.len()).filter(is_meant).map(|index| index.to_string()).collect();
        let met = |thing: &str, at: i64| {
            let (_, _, values) = &series[thing.parse::<usize>().unwrap()];
            let value = |minute: i64| *values.get(usize::try_from(minute - start).ok()?)?;
            let window: Vec<f64> = (at - self.window..at).filter_map(value).collect();
            Some(passes(aggregated(&window, self.aggregation)?, self.operator, self.threshold as f64))
        };
        outcome(&checks(from, to, self.frequency), self.frequency, State::Stateful { checks: 3 }, &things, met)
    }
}

#[test]
fn rules_over_metrics() {
    let random = &mut fastrand::Rng::with_seed(SEED);
    let start = now() - 5 * 60;
    let mut series: Vec<Values> = Vec::new();
    for (machine, disk) in [("vm-1", "os"), ("vm-1", "data"), ("vm-2", "os"), ("vm-2", "data")] {
        let mut value = 50.0;
        let values = (0..5 * 60).map(|_| {
            value = (value + random.f64() * 30.0 - 15.0_f64).clamp(0.0, 100.0);
            (random.usize(..12) > 0).then_some(value)
        });
        series.push((machine, disk, values.collect()));
    }
    let cloud = estate();
    let machines = in_subscription("resourceGroups/rg-estate/providers/Microsoft.Compute/virtualMachines");
    let imported = series.iter().map(|(machine, disk, values)| {
        json!({"resource": format!("{machines}/{machine}"), "metric": "Load", "dimensions": {"Disk": disk}, "from": text_of(start as f64), "every": "PT1M", "values": values})
    });
    cloud.import_telemetry(json!({"metrics": imported.collect::<Value>()})).unwrap();
    let rules: Vec<MetricRule> = std::iter::repeat_with(|| MetricRule::new(random)).take(70).collect();
    let alerts: Vec<String> =
        rules.iter().enumerate().map(|(index, rule)| rule.alert(&format!("Rule{index}"))).collect();
    // Each alert is an item of a list, whose first line has the mark.
    let lines = alerts.iter().flat_map(|alert| alert.lines().enumerate());
    let items: String =
        lines.map(|(line, text)| format!("          {}{text}\n", if line == 0 { "- " } else { "  " })).collect();
    let document = metric("@").replace("          - @\n", &items);
    let outcome = rehearse(&Deployment::new(METRIC_ALERTS, &document), &cloud, json!({"rehearse": "4h"}));
    compare(&in_order(&outcome, rules.len()), &alerts, |index, time| rules[index].expected(&series, start, time));
}

/// The rehearsals of rules that are called `Rule0`, `Rule1` and so on: a plan has an order of its own.
pub(super) fn in_order(outcome: &Outcome, count: usize) -> Vec<&Rehearsal> {
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    let of = |index: usize| {
        let name = format!("rule{index}-");
        let is_it = |action: &&svc_engine::protocol::Action| action.resource.name.to_lowercase().contains(&name);
        outcome.plan().iter().find(is_it).unwrap_or_else(|| panic!("no {name}")).rehearsal.as_deref().unwrap()
    };
    (0..count).map(of).collect()
}

struct LogRule {
    frequency: i64,
    window: i64,
    /// The column whose values are aggregated, and how; none where rows are counted.
    measure: Option<&'static str>,
    least: i64,
    operator: &'static str,
    threshold: i64,
    by_area: bool,
    periods: (i64, i64),
    state: State,
}

impl LogRule {
    fn new(random: &mut fastrand::Rng) -> LogRule {
        let frequency = number(random, &[5, 10, 15, 30]);
        let window = frequency * random.i64(1..4);
        let window = number(random, &[5, 10, 15, 30, 45, 60]).max(window);
        let window = [5, 10, 15, 30, 45, 60, 120].into_iter().find(|known| *known >= window).unwrap();
        let measure = [None, None, Some("Average"), Some("Maximum"), Some("Total")][random.usize(..5)];
        let number_of_periods = random.i64(1..4);
        let state = match random.usize(..3) {
            0 => State::Stateful { checks: checks_of_log_alert(frequency) },
            1 => State::Stateless { muted: number(random, &[30, 60, 120]) },
            _ => State::Stateless { muted: 0 },
        };
        LogRule {
            frequency,
            window,
            measure,
            least: random.i64(1..5),
            operator: one_of(random, &["greaterThan", "lessThan"]),
            threshold: if measure.is_some() { random.i64(1..9) } else { random.i64(0..1 + window / 4) },
            by_area: random.bool(),
            periods: (number_of_periods, random.i64(1..=number_of_periods)),
            state,
        }
    }

    fn alert(&self, name: &str) -> String {
        let mut text = format!(
            "name: {name}\ndescription: Mine\nseverity: Error\nmonitorOnPrem: true\nthreshold: {{operator: {}, value: {}}}\nschedule: {{frequencyInMinutes: {}, timeWindowInMinutes: {}}}\n\
             failingPeriods: {{minFailingPeriodsToAlert: {}, numberOfEvaluationPeriods: {}}}\nquery: Shop_CL | where Level >= {} // what matters",
            self.operator, self.threshold, self.frequency, self.window, self.periods.1, self.periods.0, self.least
        );
        if let Some(measure) = self.measure {
            text.push_str(&format!("\ntimeAggregation: {measure}\nmeasure: Level"));
        }
        if self.by_area {
            text.push_str("\ndimensions: [{name: Area, operator: exclude, values: [attic]}]");
        }
        match self.state {
            State::Stateful { .. } => text.push_str("\nautoMitigate: true"),
            State::Stateless { muted: 0 } => {}
            State::Stateless { muted } => text.push_str(&format!("\nsuppress: {{enabled: true, mins: {muted}}}")),
        }
        text
    }

    fn expected(&self, rows: &[(f64, i64, &str)], (from, to): (i64, i64)) -> Counted {
        let things: Vec<String> =
            if self.by_area { ["cellar", "shop"].map(str::to_owned).to_vec() } else { vec![String::new()] };
        let met = |thing: &str, at: i64| {
            let failing = (0..self.periods.0).filter(|period| {
                let (from, to) = ((at - (period + 1) * self.window) as f64, (at - period * self.window) as f64);
                let values: Vec<f64> = rows
                    .iter()
                    .filter(|(time, level, area)| {
                        *time >= from && *time < to && *level >= self.least && (thing.is_empty() || *area == thing)
                    })
                    .map(|(_, level, _)| *level as f64)
                    .collect();
                let value = match self.measure {
                    Some(measure) => aggregated(&values, measure),
                    // Without rows there is nothing that could be told apart.
                    None if values.is_empty() && self.by_area => None,
                    None => Some(values.len() as f64),
                };
                let passes = |value| passes(value, self.operator, self.threshold as f64);
                // A total of nothing is 0, as long as nothing is told apart and only one window is looked at.
                let nothing = self.measure == Some("Total") && !self.by_area && self.periods.0 == 1;
                value.or(nothing.then_some(0.0)).is_some_and(passes)
            });
            Some(failing.count() as i64 >= self.periods.1)
        };
        outcome(&checks(from, to, self.frequency), self.frequency, self.state, &things, met)
    }
}

/// Over so much time that rows are counted step by step, or so little that every moment is looked at.
#[test]
fn rules_over_log_queries() {
    let random = &mut fastrand::Rng::with_seed(SEED);
    let cloud = landing_zone();
    let start = now() - 12 * 60;
    let rows: Vec<(f64, i64, &str)> = (0..500)
        .map(|_| {
            let busy = random.f64() * random.f64();
            let time = (start as f64 + (busy * 720.0 * 60.0).floor() / 60.0).min(now() as f64);
            (time, random.i64(1..10), one_of(random, &["cellar", "shop", "attic"]))
        })
        .collect();
    let workspace =
        in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"));
    let table: Value = rows
        .iter()
        .map(|(time, level, area)| json!({"TimeGenerated": text_of(*time), "Level": level, "Area": area}))
        .collect();
    cloud.import_telemetry(json!({"tables": {workspace: {"Shop_CL": table}}})).unwrap();
    for (time, counts_rows) in [("12h", true), ("4h", false)] {
        let rules: Vec<LogRule> = std::iter::repeat_with(|| LogRule::new(random))
            .filter(|rule| !counts_rows || rule.measure.is_none())
            .take(35)
            .collect();
        let alerts: Vec<String> =
            rules.iter().enumerate().map(|(index, rule)| rule.alert(&format!("Rule{index}"))).collect();
        let alerts_of_text: Vec<&str> = alerts.iter().map(String::as_str).collect();
        let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&alerts_of_text));
        let before = cloud.requests().len();
        let outcome = rehearse(&deployment, &cloud, json!({"rehearse": time}));
        let queries = requests_after(&cloud, before).iter().filter(|request| request.url.contains("/logs?")).count();
        assert!(queries <= rules.len(), "{queries} queries for {} rules", rules.len());
        compare(&in_order(&outcome, rules.len()), &alerts, |index, time| rules[index].expected(&rows, time));
    }
}

#[test]
fn rules_over_the_health_of_resources() {
    let random = &mut fastrand::Rng::with_seed(SEED);
    let cloud = estate();
    let start = now() - 24 * 60;
    let kinds = ["Microsoft.Compute/virtualMachines", "Microsoft.Storage/storageAccounts", "Microsoft.KeyVault/vaults"];
    let states = ["Available", "Degraded", "Unavailable", "Unknown"];
    let statuses = ["Active", "In Progress", "Resolved", "Updated"];
    let events: Vec<(i64, String, [&str; 4])> = (0..400)
        .map(|index| {
            let kind = one_of(random, &kinds);
            let id = in_subscription(&format!("resourceGroups/rg-estate/providers/{kind}/r{}", index % 7));
            let [current, previous] = [(); 2].map(|()| one_of(random, &states));
            let category = one_of(random, &["ResourceHealth", "ResourceHealth", "Administrative"]);
            (start + random.i64(0..24 * 60), id, [category, one_of(random, &statuses), current, previous])
        })
        .collect();
    let log: Value = events
        .iter()
        .map(|(at, id, [category, status, current, previous])| {
            json!({"eventTimestamp": text_of(*at as f64), "category": category, "status": status, "resourceId": id,
                "properties": {"currentHealthStatus": current, "previousHealthStatus": previous, "cause": "PlatformInitiated"}})
        })
        .collect();
    cloud.import_telemetry(json!({"activityLog": log})).unwrap();
    let mut rules = Vec::new();
    for index in 0..60 {
        let (kind, state, status) = (one_of(random, &kinds), one_of(random, &states), one_of(random, &statuses));
        let is_previous = random.bool();
        let which = if is_previous { "previous" } else { "current" };
        let text = format!(
            "- name: Rule{index}-\n  resourceTypes: [{kind}]\n  eventStatus: [{status}, Active]\n  healthStatus: {{{which}: [{state}]}}\n"
        );
        rules.push((kind, state, status, is_previous, text));
    }
    let document = health(&rules.iter().map(|rule| rule.4.as_str()).collect::<String>());
    let before = cloud.requests().len();
    let outcome = rehearse(&Deployment::new(RESOURCE_HEALTH_ALERTS, &document), &cloud, json!({"rehearse": "20h"}));
    let listings = requests_after(&cloud, before).iter().filter(|request| request.url.contains("/eventtypes/")).count();
    assert_eq!(listings, 1, "all rules of a subscription need the same events");
    let texts: Vec<String> = rules.iter().map(|rule| rule.4.clone()).collect();
    compare_events(&in_order(&outcome, rules.len()), &texts, |index, (from, to)| {
        let (kind, state, status, is_previous, _) = &rules[index];
        let is_meant = |(at, id, [category, event_status, current, previous]): &&(i64, String, [&str; 4])| {
            (from..=to).contains(at)
                && *category == "ResourceHealth"
                && id.contains(kind)
                && (event_status == status || *event_status == "Active")
                && if *is_previous { previous == state } else { current == state }
        };
        events.iter().filter(is_meant).count()
    });
}

fn compare_events(found: &[&Rehearsal], rules: &[String], expected: impl Fn(usize, (i64, i64)) -> usize) {
    let mut firing = 0;
    for (index, rehearsal) in found.iter().enumerate() {
        let (time, counted) = counted(rehearsal);
        let expected = expected(index, time);
        assert_eq!(
            (counted.fired, counted.notifications),
            (expected, expected),
            "{}\n{}",
            rules[index],
            rehearsal.sentence
        );
        firing += usize::from(expected > 0);
    }
    assert!(firing * 2 > rules.len(), "only {firing} of {} rules fire", rules.len());
}
