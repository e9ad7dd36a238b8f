//! Every built-in query over made-up rows: what it fires on, and what it does not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value as Json;

use super::super::definitions::{Definition, built_in};
use super::super::query::{Columns, fill, filtered};
use super::evaluate::{Rows, run};
use super::expression::Value;
use super::tables::{TABLES, Type};

type Row = BTreeMap<String, Json>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    usual: BTreeMap<String, Row>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    definition: String,
    fires: bool,
    when: String,
    rows: BTreeMap<String, Vec<Row>>,
}

fn file() -> File {
    serde_yaml::from_str(include_str!("rows.yml")).unwrap()
}

fn value(kind: Type, given: Option<&Json>) -> Value {
    match (kind, given) {
        (Type::Text, None) => Value::Text(String::new()),
        (Type::Text, Some(Json::String(text))) => Value::Text(text.clone()),
        (Type::Number | Type::Time, None) => Value::Null,
        (Type::Number, Some(Json::Number(number))) => Value::Number(number.as_f64().unwrap()),
        (Type::Time, Some(Json::Number(minutes))) => Value::Time(minutes.as_f64().unwrap()),
        (kind, given) => panic!("{given:?} is no {kind:?}"),
    }
}

/// A table with some rows of a case, so far as a rule sees them that looks back so many minutes.
fn table(name: &str, file: &File, rows: &[Row], seen: i64) -> Option<Rows> {
    let (_, columns) = TABLES.iter().find(|(known, _)| *known == name)?;
    let usual = &file.usual[name];
    let is_known = |column: &String| columns.iter().any(|(known, _)| known == column);
    assert!(rows.iter().chain([usual]).all(|row| row.keys().all(is_known)), "a column that {name} does not have");
    let is_seen = |row: &&Row| {
        let time = row.get("TimeGenerated").or(usual.get("TimeGenerated")).and_then(Json::as_i64).unwrap();
        time >= -seen
    };
    let cells =
        |row: &Row| columns.iter().map(|(name, kind)| value(*kind, row.get(*name).or(usual.get(*name)))).collect();
    Some(Rows {
        columns: columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
        rows: rows.iter().filter(is_seen).map(cells).collect(),
    })
}

/// The query of a definition as it is sent, with the filters of an alert that says nothing of them and excludes a machine.
fn sent(definition: &Definition) -> String {
    let columns = Columns::Named(definition.columns.as_deref().unwrap());
    filtered(&fill(&definition.query, &definition.defaults()), columns, true, &["vm-out".to_owned()]).query
}

fn result(definition: &Definition, file: &File, rows: &BTreeMap<String, Vec<Row>>) -> Rows {
    let window = definition.schedule.time_window_in_minutes;
    let seen = definition.look_back_in_minutes.unwrap_or(window);
    let workspace = |name: &str| table(name, file, rows.get(name).map_or(&[], Vec::as_slice), seen);
    let query = sent(definition);
    run(&query, &workspace).unwrap_or_else(|error| panic!("{}: {error}\n{query}", definition.name))
}

#[test]
fn every_built_in_query_fires_on_what_it_is_for_and_on_nothing_else() {
    let file = file();
    for case in &file.cases {
        let definition = built_in().iter().find(|definition| definition.name == case.definition);
        let definition = definition.unwrap_or_else(|| panic!("no definition {}", case.definition));
        for name in case.rows.keys() {
            assert!(definition.query.contains(name), "{} does not read {name}", case.definition);
        }
        let found = result(definition, &file, &case.rows);
        assert_eq!(!found.rows.is_empty(), case.fires, "{}: {}\n{found:?}", case.definition, case.when);
    }
    for definition in built_in() {
        let fires =
            |wanted: bool| file.cases.iter().any(|case| case.definition == definition.name && case.fires == wanted);
        assert!(fires(true) && fires(false), "{} has no case of each kind", definition.name);
    }
}

#[test]
fn the_result_of_every_built_in_query_has_the_columns_of_its_definition() {
    let file = file();
    for definition in built_in() {
        let found = result(definition, &file, &BTreeMap::new());
        for column in definition.columns.iter().flatten() {
            assert!(found.columns.contains(column), "{}: {column}", definition.name);
        }
        let query = sent(definition);
        let words = query.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let left: BTreeSet<&str> = words.filter(|word| word.starts_with('_') && *word != "_ResourceId").collect();
        assert!(left.is_empty(), "{}: {left:?}", definition.name);
        assert!(super::Query::read(&query).problem().is_none(), "{query}");
        // By this column Azure tells windows apart; one definition has to look at what lies before its window.
        let expected = definition.name != "VM_NonResponsive";
        assert_eq!(found.columns.iter().any(|column| column == "TimeGenerated"), expected, "{}", definition.name);
        assert_eq!(
            super::Query::read(&definition.query).gives_column("TimeGenerated"),
            expected,
            "{}",
            definition.name
        );
    }
}

/// What the evaluator does not know, or what is a mistake, is not skipped.
#[test]
fn mistakes_are_found() {
    let file = file();
    let rows = BTreeMap::from([("Event".to_owned(), vec![Row::new()])]);
    let workspace = |name: &str| table(name, &file, rows.get(name).map_or(&[], Vec::as_slice), 60);
    let table = [
        ("Evnt", "no table Evnt"),
        ("Event more", "something after the table Event"),
        ("Event | were EventID == 1", "no operator were"),
        ("Event | where EventId == 1", "no column EventId"),
        ("Heartbeat | where EventID == 1", "no column EventID"),
        ("Event | where Computer == 1", "Text(\"vm-1\") == Number(1.0)"),
        ("Event | where Computer", "where Text(\"vm-1\")"),
        ("Event | where (EventID == 1", ") expected, found the end"),
        ("Event | where Source == 'a'", "the string 'a' is of another form"),
        ("Event | where Source == \"a", "a value expected, found \"a"),
        ("Event | where Source in~ (\"a\", 1)", "Text(\"MSSQLSERVER\") =~ Number(1.0)"),
        ("Event | where TimeGenerated > 1h", "Time(-5.0) > Span(60.0)"),
        ("Event | where Source == \"a\" matches", "something after the end of an operator"),
        ("Event | summarize A = avg(Computer) by Source", "avg of Text(\"vm-1\")"),
        ("Event | summarize A = median(EventID) by Source", "no aggregate median"),
        ("Event | summarize A = max(TimeGenerated) by Source | where Computer == \"\"", "no column Computer"),
        ("Event | project Source | extend A = EventID", "no column EventID"),
        ("Event | project Source, Source", "Source stands twice"),
        ("Event | extend A = tostrin(EventID)", "tostrin([Null])"),
        ("Event | extend A = Source[0]", "Text(\"MSSQLSERVER\")[Number(0.0)]"),
        ("Event | extend A = 1 + Source", "Number(1.0) + Text(\"MSSQLSERVER\")"),
        ("Event | where EventID == 1 and", "the query ends too soon"),
        ("Event | project-away Source", "a value expected, found -"),
        ("Event | join kind=inner (Heartbeat) on Computer", "a join of another form"),
    ];
    for (query, expected) in table {
        assert_eq!(run(query, &workspace).unwrap_err(), expected, "{query}");
    }
}
