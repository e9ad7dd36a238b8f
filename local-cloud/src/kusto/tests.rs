//! Queries over a few rows. What is expected is taken from the examples and rules of the language reference.

use super::{Rows, Value, run};
use std::rc::Rc;

const NOON: f64 = 29_000_000.0;

fn tables(name: &str) -> Option<Rows> {
    let text = |text: &str| Value::Text(text.to_owned());
    let row = |source: &str, id: Option<f64>, ago: f64| {
        Rc::new(vec![text(source), id.map_or(Value::Null, Value::Number), Value::Time(NOON - ago)])
    };
    (name == "Event").then(|| Rows {
        columns: ["Source", "EventID", "TimeGenerated"].map(str::to_owned).to_vec(),
        rows: vec![row("sql", Some(1.0), 5.0), row("sql", Some(3.0), 65.0), row("web server", None, 10.0)],
    })
}

/// The cells of a result, each row in a text.
fn result(query: &str) -> Result<Vec<String>, String> {
    let cell = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        other => other.json().to_string(),
    };
    let rows = run(query, &tables, NOON)?;
    Ok(rows.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect())
}

#[test]
fn queries_have_results() {
    for (query, expected) in [
        ("Event | where EventID > 1 | project Source, EventID", &["sql 3.0"][..]),
        ("Event | where TimeGenerated > ago(1h) | count", &["2.0"]),
        ("Event | summarize count() by Source", &["sql 2.0", "web server 1.0"]),
        ("Event | where EventID == 9 | summarize N = count()", &["0.0"]),
        ("Event | where EventID == 9 | summarize N = count() by Source", &[]),
        ("Event | summarize A = avg(EventID), B = sumif(EventID, EventID > 1)", &["2.0 3.0"]),
        ("Event | where Source has \"server\" | project Source", &["web server"]),
        ("Event | where Source has 'serv'", &[]),
        ("Event | where Source !contains @'WEB' | count", &["2.0"]),
        ("Event | where EventID !in (1, 2) | project EventID", &["3.0", "null"]),
        (
            "Event | summarize arg_max(TimeGenerated, EventID) by Source | project Source, EventID",
            &["sql 1.0", "web server null"],
        ),
        ("let n = 2; let f = (least: long) { Event | where EventID > least }; f(n) | project EventID", &["3.0"]),
        (
            "let f = (a: datetime, b: datetime) { Event | where TimeGenerated >= a and TimeGenerated < b };\nunion (f(ago(1h), now()) | extend w = 1), (f(ago(2h), ago(1h)) | extend w = 2) | summarize N = count() by w",
            &["1.0 2.0", "2.0 1.0"],
        ),
        ("Event | where TimeGenerated between (ago(12m) .. ago(7m)) | project Source", &["web server"]),
        (
            "Event | join kind=inner (Event | where EventID == 3 | project Source, Other = EventID) on Source | count",
            &["2.0"],
        ),
        (
            "Event | summarize N = count() by bin(TimeGenerated, 1h) | sort by TimeGenerated asc | project N",
            &["1.0", "2.0"],
        ),
        ("Event | project Source, Id = EventID | project-away Id | distinct Source", &["sql", "web server"]),
        (
            "Event | extend Day = iff(isnull(EventID), strcat(Source, \"!\"), '-') | where Day != \"-\" | project Day // end",
            &["web server!"],
        ),
        (
            "Event | where column_ifexists(\"Source\", \"\") == \"sql\" and column_ifexists(\"Other\", 7) == 7 | count",
            &["2.0"],
        ),
        ("Event | project Größe = EventID | where Größe == 3 | project Größe", &["3.0"]),
        ("Event | take 1 | project T = bin(TimeGenerated, 0m)", &["null"]),
        ("Event | sort by EventID desc | take 1 | project EventID;", &["3.0"]),
        ("Event | take 1 | project Of = tostring(todynamic('{\"a\": {\"b\": [\"c\"]}}').a.b[0])", &["c"]),
    ] {
        assert_eq!(
            result(query).as_deref(),
            Ok(expected.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>().as_slice()),
            "{query}"
        );
    }
}

#[test]
fn what_is_not_known_is_named() {
    let twice = |index: usize| format!("let f{} = () {{ union f{index}(), f{index}() }};", index + 1);
    let bomb = format!("let f0 = () {{ Event | where EventID == 9 }};{}f40()", (0..40).map(twice).collect::<String>());
    let deep = format!("Event | where {}1{}", "(".repeat(300), ")".repeat(300));
    for (query, expected) in [
        ("Evnt", "no table Evnt"),
        ("Event more", "'more' is not known here"),
        ("Event | were EventID == 1", "no operator were"),
        ("Event | make-series count() on x", "no operator make-series"),
        ("Event | where EventId == 1", "no column EventId"),
        ("Event | where Source == 1", "\"sql\" == 1 is not known here"),
        ("Event | where Source", "where wants true or false, found \"sql\""),
        ("Event | where (EventID == 1", ") expected, found the end"),
        ("Event | where Source == \"a", "the string that begins with \"a has no end"),
        ("Event | where TimeGenerated > 1h", "datetime(2025-02-19T21:15:00Z) > 60m is not known here"),
        ("Event | where Source == \"a\" matches", "'matches' is not known here"),
        ("Event | summarize A = avg(Source)", "avg of \"sql\" is not known here"),
        ("Event | summarize A = median(EventID) by Source", "no aggregate median"),
        ("Event | project Source | extend A = EventID", "no column EventID"),
        ("Event | project Source, Source", "Source stands twice"),
        ("Event | extend A = tostrin(EventID)", "tostrin(1) is not known here"),
        ("Event | where EventID == 1 and", "the query ends too soon"),
        ("Event | join kind=fullouter (Event) on Source", "a join of another form"),
        ("let f = () { f() }; f()", "no function f"),
        ("let f = (a: long) { Event }; f()", "f takes 1 values"),
        (&bomb, "more than 10000 pipelines"),
        (&deep, "brackets more than 60 deep"),
    ] {
        assert_eq!(result(query).unwrap_err(), expected, "{query}");
    }
}
