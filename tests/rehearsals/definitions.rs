//! Every built-in definition of log alerts: what it fires on, and what it does not.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{now, rehearsals, rehearse, text_of};
use crate::alerts::log_rules::log_alerts;
use crate::support::estate::*;
use crate::support::*;

type Row = Map<String, Value>;

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

/// A built-in definition, without its query.
pub(super) struct BuiltIn {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) description: String,
    /// In minutes, like the window.
    pub(super) frequency: i64,
    pub(super) window: i64,
}

/// The definitions as the project has them.
pub(super) fn built_in() -> Vec<BuiltIn> {
    let text = std::fs::read_to_string(repository("src/commands/log_alerts/definitions.yml")).unwrap();
    let file: Value = serde_yaml::from_str(&text).unwrap();
    let of = |definition: &Value| {
        let text = |name: &str| definition[name].as_str().unwrap().to_owned();
        let minutes = |name: &str| definition["schedule"][name].as_i64().unwrap();
        BuiltIn {
            kind: text("type"),
            name: text("name"),
            description: text("description"),
            frequency: minutes("frequencyInMinutes"),
            window: minutes("timeWindowInMinutes"),
        }
    };
    file["definitions"].as_array().unwrap().iter().map(of).collect()
}

/// The rows of a case, at a moment from which their times count.
fn tables(file: &File, case: &Case, moment: i64) -> Value {
    let row = |table: &str, row: &Row| {
        let mut whole = file.usual[table].clone();
        whole.extend(row.clone());
        for (name, value) in &mut whole {
            // Columns of times have minutes.
            if name.starts_with("Time") || name.ends_with("DateTime") {
                *value = json!(text_of(moment as f64 + value.as_f64().unwrap()));
            }
        }
        whole
    };
    case.rows
        .iter()
        .map(|(table, rows)| (table.clone(), rows.iter().map(|one| row(table, one)).collect::<Value>()))
        .collect()
}

/// Whether the rule of a case fires at the last moment at which it would have run.
fn fires(file: &File, case: &Case, BuiltIn { kind, frequency, .. }: &BuiltIn) -> bool {
    loop {
        let cloud = landing_zone();
        let machine =
            |name: &str| in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Compute/virtualMachines/{name}"));
        let excluded = json!({"id": machine("vm-out"), "location": "uksouth", "tags": {"svc-monitor-exception": "out"}, "properties": {}});
        cloud.import(&[excluded]).unwrap();
        let workspace = in_subscription(&format!(
            "{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"
        ));
        let moment = now().div_euclid(*frequency) * frequency;
        let rows = json!({workspace: tables(file, case, moment)});
        cloud.import_telemetry(json!({"tables": rows})).unwrap();
        let alert = format!("definition: {}\nexclusions: [out]", case.definition);
        let text = log_alerts(&[&alert]).replace("type: VirtualMachines", &format!("type: {kind}"));
        let hours = (frequency + 59) / 60;
        let outcome = rehearse(&Deployment::new(LOG_ALERTS, &text), &cloud, json!({"rehearse": format!("{hours}h")}));
        // The clock may have gone on to the next run meanwhile.
        if now().div_euclid(*frequency) * frequency == moment {
            let [rehearsal] = rehearsals(&outcome)[..] else { panic!("{outcome:?}") };
            assert!(rehearsal.fired.is_some(), "{}: {rehearsal:?}", case.definition);
            return rehearsal.last_fired.as_deref() == Some(text_of(moment as f64).as_str());
        }
    }
}

#[test]
fn every_built_in_definition_fires_on_what_it_is_for_and_on_nothing_else() {
    let file: File = serde_yaml::from_str(include_str!("definition_rows.yml")).unwrap();
    let definitions: BTreeMap<String, BuiltIn> = built_in().into_iter().map(|one| (one.name.clone(), one)).collect();
    let wrong: Vec<String> = file
        .cases
        .iter()
        .filter(|case| fires(&file, case, &definitions[&case.definition]) != case.fires)
        .map(|case| format!("{}: {}", case.definition, case.when))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for fires in [true, false] {
        let covered: BTreeSet<&str> =
            file.cases.iter().filter(|case| case.fires == fires).map(|case| case.definition.as_str()).collect();
        assert_eq!(covered, definitions.keys().map(String::as_str).collect::<BTreeSet<_>>());
    }
}
