//! Rules and answers in the forms of Azure's own documentation, and queries that are read. The counts over generated rules are in
//! `tests/rehearsals/`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::log_query::TimedQuery;
use super::rule::Rule;
use super::{Question, Span, rehearsed};

const SUBSCRIPTION: &str = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001";

/// Each table is marked instead of cut to the time.
fn timed(query: &str) -> Result<(String, bool), String> {
    let read = TimedQuery::of(query)?;
    let mut text = read.text.clone();
    for table in &read.tables {
        let cut = format!("({table} | where TimeGenerated >= _svcFrom and TimeGenerated < _svcTo)");
        text = text.replace(&cut, &format!("[{table}]"));
    }
    Ok((text, read.is_row_by_row))
}

#[test]
fn tables_and_the_present_are_found_in_a_query() {
    for (query, expected, is_row_by_row) in [
        ("Heartbeat", "[Heartbeat]", true),
        (
            "Heartbeat | where A == \"Heartbeat\" // Heartbeat",
            "[Heartbeat] | where A == \"Heartbeat\" // Heartbeat",
            true,
        ),
        ("T | where Time > ago(1h) and now() > Time;", "[T] | where Time > (_svcTo - (1h)) and _svcTo > Time", false),
        ("T | summarize count() by T", "[T] | summarize count() by T", false),
        ("T | extend a = 1 | render timechart", "[T] | extend a = 1 | where true", true),
        ("union T, (U | where A), withsource", "union [T], ([U] | where A), [withsource]", true),
        ("union withsource=X isfuzzy=true T, U", "union withsource=X isfuzzy=true [T], [U]", true),
        ("T | join kind=leftouter (U | project A) on A", "[T] | join kind=leftouter ([U] | project A) on A", false),
        ("T | join U on A", "[T] | join [U] on A", false),
        (
            "let x = 5m; let f = () { T | where A }; f() | union U",
            "let x = 5m; let f = () { [T] | where A }; f() | union [U]",
            false,
        ),
        ("let R = T; R | where A in ((U | project A))", "let R = [T]; R | where A in (([U] | project A))", false),
        (
            "let m = toscalar(T | summarize max(A)); U | where A > m",
            "let m = toscalar([T] | summarize max(A)); [U] | where A > m",
            false,
        ),
        ("T | where A in (\"a\", \"b\")", "[T] | where A in (\"a\", \"b\")", true),
        ("T | project-away A | order by B", "[T] | project-away A | order by B", true),
    ] {
        assert_eq!(timed(query), Ok((expected.to_owned(), is_row_by_row)), "{query}");
    }
    for (query, expected) in [
        ("workspace('x').T | take 1", "Its query reads 'workspace', which is not known here."),
        ("search \"x\"", "Its query reads 'search', which is not known here."),
        ("datatable (a: long) [1]", "Its query reads 'datatable', which is not known here."),
        ("", "Its query reads no table that is known here."),
    ] {
        assert_eq!(timed(query), Err(expected.to_owned()), "{query}");
    }
}

/// Whatever the words of a query are, it is read or refused.
#[test]
fn no_query_is_too_odd() {
    const WORDS: &[&str] = &[
        "T", "let", "x", "=", "(", ")", "{", "}", "|", ";", ",", "union", "join", "on", "render", "now", "ago", "1h",
        "'a", "\"b\"", "in", "toscalar", "-", "where", "é", "..",
    ];
    let mut random = fastrand::Rng::with_seed(40);
    for _ in 0..20_000 {
        let count = random.usize(0..14);
        let words: Vec<&str> = (0..count).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
        let _ = TimedQuery::of(&words.join([" ", ""][random.usize(..2)]));
    }
    assert_eq!(timed("T | render timechart with (title = now())").unwrap().0, "[T] | where true");
}

fn rehearse(
    resource_type: &str,
    properties: Value,
    answers: &[Value],
    span: Span,
) -> (Vec<Question>, crate::protocol::Rehearsal) {
    let rule = Rule::of(resource_type, &json!({"properties": properties}), span).unwrap();
    let answers: Vec<Arc<Value>> = answers.iter().cloned().map(Arc::new).collect();
    (rule.questions(), rehearsed(&rule, &answers, None, span))
}

/// The service health alert of Azure's documentation ("Resource Manager template samples for Service Health alert rules"), and an event of
/// "Azure activity log event schema".
#[test]
fn a_service_health_alert_looks_into_the_text_of_an_event() {
    let properties = json!({
        "scopes": [SUBSCRIPTION], "enabled": true, "actions": {"actionGroups": [{"actionGroupId": "a"}, {"actionGroupId": "b"}]},
        "condition": {"allOf": [
            {"field": "category", "equals": "ServiceHealth"},
            {"field": "properties.incidentType", "equals": "Incident"},
            {"field": "properties.impactedServices[*].ImpactedRegions[*].RegionName", "containsAny": ["UK South", "Global"]},
        ]},
    });
    let event = |minute: u32, region: &str, kind: &str| {
        json!({"eventTimestamp": format!("2026-11-20T10:{minute:02}:31.5Z"), "category": {"value": "ServiceHealth", "localizedValue": "Service Health"},
            "properties": {"incidentType": kind, "impactedServices": format!("[{{\"ImpactedRegions\":[{{\"RegionName\":\"North Europe\"}},{{\"RegionName\":\"{region}\"}}],\"ServiceName\":\"Virtual Machines\"}}]")}})
    };
    let events =
        json!([event(5, "UK South", "Incident"), event(6, "UK West", "Incident"), event(7, "uk south", "Maintenance")]);
    // 2026-11-20.
    let span = Span::before(29_918_880 + 1440, 1440);
    let (questions, rehearsal) = rehearse("microsoft.insights/activitylogalerts", properties, &[events], span);
    let Question::Events { path, query } = &questions[0] else { panic!("{questions:?}") };
    assert_eq!(*path, format!("{SUBSCRIPTION}/providers/Microsoft.Insights/eventtypes/management/values"));
    assert_eq!(query, "$filter=eventTimestamp ge '2026-11-20T00:00:00Z' and eventTimestamp le '2026-11-21T00:00:00Z'");
    assert_eq!((rehearsal.fired, rehearsal.notifications), (Some(1), 2));
    assert_eq!(rehearsal.last_fired.as_deref(), Some("2026-11-20T10:05:00Z"));
    assert_eq!(rehearsal.sentence, "In the last day it would have fired once, last at 2026-11-20 10:05 UTC.");
}

/// The answer of the metrics API has no value where there was none, and several conditions have to hold at once.
#[test]
fn several_conditions_hold_together() {
    let condition = |metric: &str, threshold: u32| {
        json!({"criterionType": "StaticThresholdCriterion", "name": metric, "metricName": metric, "metricNamespace": "Microsoft.Web/sites",
            "timeAggregation": "Average", "operator": "GreaterThan", "threshold": threshold})
    };
    let app = format!("{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Web/sites/shop");
    let properties = json!({
        "scopes": [app], "evaluationFrequency": "PT15M", "windowSize": "PT15M", "autoMitigate": false, "actions": [{"actionGroupId": "a"}],
        "criteria": {"allOf": [condition("CpuTime", 5), condition("Requests", 100)]},
    });
    let metric = |name: &str, values: [Option<f64>; 4]| {
        let data = values.iter().enumerate().map(|(index, value)| {
            let time = format!("2026-11-20T00:{:02}:00Z", index * 15);
            value.map_or_else(|| json!({"timeStamp": time}), |value| json!({"timeStamp": time, "average": value}))
        });
        json!({"name": {"value": name}, "timeseries": [{"metadatavalues": [], "data": data.collect::<Vec<_>>()}]})
    };
    let cpu = metric("CpuTime", [Some(9.0), Some(9.0), Some(1.0), Some(9.0)]);
    let requests = metric("Requests", [Some(200.0), None, Some(200.0), Some(101.0)]);
    let answer = json!({"value": [cpu, requests]});
    let span = Span::before(29_918_880 + 60, 60);
    let (questions, rehearsal) = rehearse("Microsoft.Insights/metricAlerts", properties, &[answer], span);
    let expected = "metricnames=CpuTime%2CRequests&metricnamespace=Microsoft.Web%2Fsites&timespan=2026-11-19T23%3A45%3A00Z%2F2026-11-20T01%3A00%3A00Z&interval=PT15M&aggregation=Average%2CCount%2CTotal";
    assert_eq!(
        questions,
        [Question::Metrics { path: format!("{app}/providers/Microsoft.Insights/metrics"), query: expected.to_owned() }]
    );
    assert_eq!((rehearsal.fired, rehearsal.minutes, rehearsal.notifications), (Some(2), 30, 2));
    assert_eq!(rehearsal.strip, [[0, 250], [750, 1000]]);
}

#[test]
fn answers_that_are_none_are_told() {
    let properties = json!({
        "scopes": [format!("{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.OperationalInsights/workspaces/w")],
        "evaluationFrequency": "PT5M", "windowSize": "PT5M",
        "criteria": {"allOf": [{"query": "Heartbeat", "timeAggregation": "Count", "operator": "LessThan", "threshold": 1}]},
    });
    let span = Span::before(29_918_880 + 60, 60);
    for answer in [
        json!({}),
        json!({"tables": []}),
        json!({"tables": [{"columns": [], "rows": [1]}]}),
        json!({"tables": [{"rows": []}]}),
    ] {
        let (_, rehearsal) = rehearse("Microsoft.Insights/scheduledQueryRules", properties.clone(), &[answer], span);
        assert_eq!(rehearsal.reason.as_deref(), Some("The answer to its query is not in the form of one."));
        assert_eq!(rehearsal.fired, None);
    }
    // Without a single row there is less than one, all the time.
    let empty = json!({"tables": [{"columns": [{"name": "_at"}, {"name": "_value"}], "rows": []}]});
    let (_, rehearsal) = rehearse("Microsoft.Insights/scheduledQueryRules", properties, &[empty], span);
    assert_eq!((rehearsal.fired, rehearsal.minutes), (Some(12), 60));
}

#[test]
fn rules_that_cannot_be_rehearsed_say_why() {
    let reason = |resource_type: &str, properties: Value| {
        Rule::of(resource_type, &json!({"properties": properties}), Span::before(29_918_880, 60))
            .map(|_| ())
            .unwrap_err()
    };
    let not_there = json!({"scopes": ["/subscriptions/<subscription>/x"]});
    let unknown = "Its condition is in a form that is not known.";
    assert_eq!(reason("Microsoft.Insights/metricAlerts", not_there), "What it watches is not there yet.");
    assert_eq!(reason("Microsoft.Insights/metricAlerts", json!({"scopes": [SUBSCRIPTION]})), unknown);
    assert_eq!(reason("Microsoft.Insights/scheduledQueryRules", json!({"scopes": [SUBSCRIPTION]})), unknown);
    assert_eq!(reason("Microsoft.Insights/activityLogAlerts", json!({})), "It has no scope.");
    let odd = json!({"scopes": [SUBSCRIPTION], "condition": {"allOf": [{"field": "category"}]}});
    assert_eq!(reason("Microsoft.Insights/activityLogAlerts", odd), unknown);
}
