//! Definitions of log alerts: the built-in ones, and those of a project's own file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::old_definitions;
use super::parameters::{ParameterType, reversed};
use super::query::{fill, mentions};
use super::settings::{Schedule, Suppress, Threshold};
use crate::commands::shared::alerts::Severity;
use crate::kusto::Query;
use crate::protocol::FindingCode;
use crate::protocol::nearest;
use crate::settings::{Document, Finding, LoadError, Place, SettingsPath, check, project_file, schema_of};

const BUILT_IN: &str = include_str!("definitions.yml");
/// A project's own definitions, without the ending.
pub(super) const PROJECT_FILE: &str = "logAlertDefinitions";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DefinitionsFile {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["logAlertDefinitions"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    component: Option<String>,
    /// The definitions. One with the type and the name of a built-in one replaces it.
    definitions: Vec<Definition>,
}

/// A definition: a query, and the defaults of the alerts that use it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Definition {
    /// Type of the alert sets that use the definition.
    #[serde(rename = "type")]
    #[schemars(extend("examples" = ["Queues"]))]
    pub(super) kind: String,
    /// Name of the definition, as alerts set it.
    #[schemars(extend("examples" = ["Too_Long"]))]
    pub(super) name: String,
    /// Description of the rule, which notifications quote.
    #[schemars(extend("examples" = ["A queue is too long."]))]
    pub(super) description: String,
    /// The severity of the alert.
    pub(super) severity: Severity,
    /// Interval at which the query runs, and its window.
    pub(super) schedule: Schedule,
    /// The number of rows on which the alert fires.
    pub(super) threshold: Threshold,
    /// Time for which the alert is muted after it fired.
    pub(super) suppress: Option<Suppress>,
    /// Placeholders in the query and their defaults.
    #[schemars(extend("x-values" = "given scalars"))]
    pub(super) parameters: Option<BTreeMap<String, Value>>,
    /// Time that the query must see back, in minutes, if that is further than the window.
    #[schemars(range(min = 1, max = 2880))]
    pub(super) look_back_in_minutes: Option<i64>,
    /// Columns of the result that alerts may use: exclusions require Computer, monitorOnPrem requires _ResourceId.
    #[schemars(extend("examples" = [["Computer"]]))]
    pub(super) columns: Option<Vec<String>>,
    /// The query, in KQL.
    #[schemars(extend("examples" = ["Queues_CL | where Length_d > _length"]))]
    pub(super) query: String,
}

impl Definition {
    fn is(&self, kind: &str, name: &str) -> bool {
        self.kind.eq_ignore_ascii_case(kind) && self.name.eq_ignore_ascii_case(name)
    }

    /// Whether it is one of the engine's own.
    pub(super) fn is_built_in(&self) -> bool {
        built_in().iter().any(|known| std::ptr::eq(known, self))
    }

    /// Whether the result of its query has a column.
    pub(super) fn has_column(&self, column: &str) -> bool {
        self.columns.iter().flatten().any(|known| known.eq_ignore_ascii_case(column))
    }

    /// The values that its parameters have unless an alert says otherwise.
    pub(super) fn defaults(&self) -> BTreeMap<String, String> {
        let text = |value: &Value| ParameterType::of(value).text_of(value).ok();
        self.parameters.iter().flatten().filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
    }
}

/// The built-in definitions. They are read once; a test holds them to be right.
pub(super) fn built_in() -> &'static [Definition] {
    static DEFINITIONS: OnceLock<Vec<Definition>> = OnceLock::new();
    DEFINITIONS.get_or_init(|| {
        let document = Document::parse(Some("definitions.yml".into()), BUILT_IN.to_owned());
        document.and_then(|document| read(&document)).unwrap_or_default()
    })
}

/// The names of the built-in definitions, each once.
pub(in crate::commands) fn names() -> Vec<String> {
    let mut names: Vec<String> = built_in().iter().map(|definition| definition.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The JSON Schema of the project's file.
pub(in crate::commands) fn schema() -> Schema {
    schema_of::<DefinitionsFile>()
}

/// The definitions of the project with their file, when it has any.
///
/// # Errors
/// The file cannot be read, or everything that is wrong with it.
pub(super) fn of_project(folders: &[PathBuf]) -> Result<Option<(PathBuf, Vec<Definition>)>, LoadError> {
    let Some(path) = project_file(folders, PROJECT_FILE) else { return Ok(None) };
    let definitions = read(&Document::load(&path, "log alert definitions")?).map_err(LoadError::Findings)?;
    Ok(Some((path, definitions)))
}

/// The descriptions of every definition, the project's own and the built-in ones.
pub(super) fn descriptions(own: &[Definition]) -> Vec<String> {
    own.iter().chain(built_in()).map(|definition| definition.description.clone()).collect()
}

/// The definitions that alerts can name: the project's own, and the built-in ones in whose place it has none.
pub(super) fn all(own: &[Definition]) -> impl Iterator<Item = &Definition> {
    let is_replaced = |known: &&Definition| own.iter().any(|one| one.is(&known.kind, &known.name));
    own.iter().chain(built_in().iter().filter(move |known| !is_replaced(known)))
}

/// The definition of a type and a name, the project's own before the built-in ones.
///
/// # Errors
/// A sentence about what there is instead.
pub(super) fn find<'a>(own: &'a [Definition], kind: &str, name: &str) -> Result<&'a Definition, String> {
    let all = || own.iter().chain(built_in());
    if let Some(found) = all().find(|definition| definition.is(kind, name)) {
        return Ok(found);
    }
    let of_kind: Vec<&str> = all()
        .filter(|definition| definition.kind.eq_ignore_ascii_case(kind))
        .map(|definition| definition.name.as_str())
        .collect();
    let hint = if of_kind.is_empty() {
        let mut kinds: Vec<&str> = all().map(|definition| definition.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        format!("; there are definitions for the types {}", kinds.join(", "))
    } else {
        match nearest(name, of_kind.iter().copied()) {
            Some(near) => format!(", did you mean '{near}'?"),
            None => format!("; known definitions are {}", of_kind.join(", ")),
        }
    };
    Err(format!("the type '{kind}' has no log alert definition '{name}'{hint}"))
}

pub(super) fn read(document: &Arc<Document>) -> Result<Vec<Definition>, Vec<Finding>> {
    if let Some(finding) = old_definitions::finding(document) {
        return Err(vec![finding]);
    }
    let file: DefinitionsFile = check(document)?;
    let mut findings = Vec::new();
    for (index, definition) in file.definitions.iter().enumerate() {
        let place = Place::value(document, SettingsPath::root().key("definitions").index(index));
        let earlier = &file.definitions[..index];
        if earlier.iter().any(|other| other.is(&definition.kind, &definition.name)) {
            let message = format!("duplicate definition '{}' of the type '{}'", definition.name, definition.kind);
            findings.push(Finding { place: place.dotted("name"), code: FindingCode::DuplicateName, message });
        }
        definition.check(&place, &mut findings);
    }
    if findings.is_empty() { Ok(file.definitions) } else { Err(findings) }
}

impl Definition {
    /// Checks what its type does not say.
    fn check(&self, place: &Place, findings: &mut Vec<Finding>) {
        let mut add = |place: Place, code: FindingCode, message: String| {
            findings.push(Finding { place, code, message });
        };
        let Schedule { frequency_in_minutes: frequency, time_window_in_minutes: window } = self.schedule;
        if window < frequency {
            let message =
                format!("the window of {window} minutes is shorter than the frequency of {frequency} minutes");
            add(place.dotted("schedule.timeWindowInMinutes"), FindingCode::OutOfRange, message);
        }
        if self.look_back_in_minutes.is_some_and(|minutes| minutes <= window) {
            let message = "it is not further back than the window, so it has no effect; leave it out".to_owned();
            add(place.dotted("lookBackInMinutes"), FindingCode::OutOfRange, message);
        }
        if let Some(problem) = too_long(&self.description) {
            add(place.dotted("description"), FindingCode::OutOfRange, problem);
        }
        // A word that is a parameter may stand where only a value is allowed.
        if let Some(problem) = Query::read(&fill(&self.query, &self.defaults())).problem() {
            add(place.dotted("query"), FindingCode::QueryRefused, problem);
        }
        for (name, value) in self.parameters.iter().flatten() {
            let at = || place.dotted("parameters").member(name);
            if let Err(problem) = ParameterType::of(value).text_of(value) {
                add(at(), FindingCode::WrongType, problem);
            } else if !mentions(&self.query, name) {
                add(at(), FindingCode::ParameterUnused, "the parameter is not in the query".to_owned());
            }
        }
        for wrong in reversed(&self.defaults()) {
            let ((minimum, least), (maximum, most)) = (wrong.minimum, wrong.maximum);
            let message = format!("{minimum} ({least}) must be less than {maximum} ({most})");
            add(place.dotted("parameters").member(minimum), FindingCode::OutOfRange, message);
        }
    }
}

/// The problem of a description that Azure does not take (Azure Monitor, "Service limits").
pub(super) fn too_long(description: &str) -> Option<String> {
    const LONGEST: usize = 4096;
    let length = description.chars().count();
    (length > LONGEST).then(|| format!("{length} characters are too many; a log alert takes at most {LONGEST}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::log_alerts::parameters::written;
    use crate::commands::shared::alerts::whole;

    fn read_text(text: &str) -> Result<Vec<Definition>, Vec<String>> {
        let document = Document::parse(Some("d.yml".into()), text.to_owned()).unwrap();
        read(&document).map_err(|findings| {
            let line =
                |finding: &Finding| format!("{} {}: {}", finding.place.show(), finding.place.path(), finding.message);
            findings.iter().map(line).collect()
        })
    }

    /// Types, names, severities, schedules and parameters of the specification, and that nothing is beside them.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn the_built_in_definitions_are_those_that_documents_use() {
        let vm = [
            ("High_CPU_Usage_Percent", 0, (10, 60), "_minPercentage=100 _timeWindow=1h"),
            ("High_CPU_Usage_Percent_Range", 2, (10, 60), "_maxPercentage=99 _minPercentage=95 _timeWindow=30m"),
            ("Low_Disk_Space", 2, (10, 60), "_maxPercentage=15 _maxValueMB=153600 _timeWindow=1h"),
            ("High_Memory_Usage_Percent", 0, (10, 60), "_minPercentage=1 _timeWindow=1h"),
            ("High_Memory_Usage_Percent_Range", 2, (10, 60), "_maxPercentage=5 _minPercentage=1 _timeWindow=30m"),
            ("Corrupt_NTFS", 2, (60, 120), ""),
            ("Unexpected_Shutdown", 2, (60, 120), ""),
            ("VM_NonResponsive", 2, (5, 30), "_timeWindow=15m"),
            ("VM_Missing_Backup", 2, (1440, 1440), ""),
            ("VM_Antimalware_Not_Up_To_Date", 2, (1440, 1440), ""),
            ("VM_Updates_Failed", 2, (360, 1440), ""),
            ("VM_Reboot", 2, (30, 45), ""),
        ];
        let events = [
            ("Failed_Recovery", "3417"),
            ("nFgs_In_System_FGs", "8932"),
            ("nMark_Suspect_Db", "3413"),
            ("nRvr_DB_UnRs_Txn", "3431"),
            ("Low_Memory_Or_Disk", "945"),
            ("Low_Memory_CLR", "6289"),
            ("Failed_DB_Recovery", "3414"),
            ("Max_User_Connection", "17809"),
            ("Failed_Backup", "3267"),
            ("nCleanup", "6103"),
            ("nForeign_Key", "439"),
            ("nSpace_For_Logfile", "3619"),
            ("Exceeded_Capacity", "60120"),
            ("Failed_MSDTC_Txn", "8510"),
            ("Exceeded_Log_Capacity", "60110"),
            ("SQL_Microsoft_SQLServer_2014_Monitoring_Event_17063_DatabaseConsistencyErrors", "70000"),
            ("SQL_Microsoft_SQLServer_2014_Monitoring_Event_17063_SQLOpsJobExecutionfailures", "61001"),
            ("SQL_Microsoft_SQLServer_2014_Monitoring_Override_Custom_Error_60200", "60200"),
            ("SQL_Microsoft_SQLServer_2014_Monitoring_Override_Event14151_ExpiredSubscription", "14151"),
            ("Failed_SQL_Server_Agent", "103"),
            ("Unavailable_DB_Log", "9001"),
            ("Exceeded_Txn_Repxn_Thd", "60201"),
            ("Failed_Service_Broker", "9736"),
            ("Exceeded_Blocking_Thd", "60100"),
            ("nPage_Available_FG", "1101"),
            ("fileGroupFull", "1105"),
        ];
        assert_eq!(built_in().len(), vm.len() + events.len());
        for (name, severity, schedule, parameters) in vm {
            let found = find(&[], "virtualmachines", name).unwrap();
            let known: Vec<String> = found
                .parameters
                .iter()
                .flatten()
                .map(|(name, value)| format!("{name}={}", written(value).unwrap()))
                .collect();
            assert_eq!(
                (found.severity.number(), (found.schedule.frequency_in_minutes, found.schedule.time_window_in_minutes)),
                (serde_json::json!(severity), schedule),
                "{name}"
            );
            assert_eq!(known.join(" "), parameters, "{name}");
        }
        for (name, event) in events {
            let found = find(&[], "sql", name).unwrap();
            assert_eq!((found.severity, found.schedule.frequency_in_minutes), (Severity::Informational, 30), "{name}");
            assert_eq!(found.schedule.time_window_in_minutes, 240, "{name}");
            assert!(found.parameters.is_none(), "{name}");
            let carried = event.len() == 5 && event != "17809" && event != "14151";
            let condition =
                if carried { format!("RenderedDescription has \"{event}\"") } else { format!("EventID == {event}\n") };
            assert!(found.query.contains(&condition), "{name}: {}", found.query);
            assert_eq!(found.query.contains("EventID == 17063"), carried, "{name}");
        }
        for definition in built_in() {
            assert!(!definition.suppress.as_ref().unwrap().enabled, "{}", definition.name);
            assert_eq!(
                (definition.threshold.operator.wire(), whole(definition.threshold.value)),
                ("GreaterThan", json!(0))
            );
            assert!(definition.columns.as_ref().unwrap().len() >= 2, "{}", definition.name);
        }
    }

    #[test]
    fn the_manual_has_a_row_for_each_built_in_definition() {
        let manual = include_str!("../../../docs/log-alerts.md");
        let rows: Vec<&str> =
            manual.lines().filter(|line| line.starts_with("| `SQL` |") || line.starts_with("| `Virt")).collect();
        assert_eq!(rows.len(), built_in().len());
        for (row, definition) in rows.iter().zip(built_in()) {
            let parameters: Vec<&str> = row.rsplit(" | ").next().unwrap().split('`').skip(1).step_by(2).collect();
            let known = definition.parameters.as_ref();
            assert!(
                row.contains(&format!(
                    "| `{}` | `{}`: {} | {:?} | {} / {} |",
                    definition.kind,
                    definition.name,
                    definition.description,
                    definition.severity,
                    definition.schedule.frequency_in_minutes,
                    definition.schedule.time_window_in_minutes
                )),
                "{row}"
            );
            assert_eq!(parameters.len(), known.map_or(0, BTreeMap::len), "{row}");
            for (name, value) in known.into_iter().flatten() {
                assert!(row.contains(&format!("`{name}` {}", written(value).unwrap())), "{row}");
            }
        }
    }

    #[test]
    fn the_manual_shows_each_query_with_the_tables_it_reads_and_what_fills_them() {
        let manual = include_str!("../../../docs/log-alerts.md");
        let tables: Vec<&str> =
            ["InsightsMetrics", "Heartbeat", "Event", "AddonAzureBackupJobs", "ProtectionStatus", "AzureActivity"]
                .into();
        for table in &tables {
            assert!(manual.contains(&format!("\n| `{table}` | ")), "{table}");
        }
        for definition in built_in() {
            let is_read = |table: &&&str| definition.query.lines().any(|line| line.trim() == **table);
            let read: Vec<String> = tables.iter().filter(is_read).map(|table| format!("`{table}`")).collect();
            let section = format!(
                "\n### `{}`\n\nReads {}.\n\n```kusto\n{}\n```\n",
                definition.name,
                read.join(" and "),
                definition.query.trim_end()
            );
            assert!(!read.is_empty() && manual.contains(&section), "{section}");
        }
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let error = |kind: &str, name: &str| find(&[], kind, name).unwrap_err();
        assert_eq!(
            error("VirtualMachines", "High_CPU_Usage_Percents"),
            "the type 'VirtualMachines' has no log alert definition 'High_CPU_Usage_Percents', did you mean 'High_CPU_Usage_Percent'?"
        );
        assert_eq!(
            error("Queues", "Low"),
            "the type 'Queues' has no log alert definition 'Low'; there are definitions for the types SQL, VirtualMachines"
        );
        assert!(error("SQL", "x").contains("; known definitions are Failed_Recovery, "));
    }

    const WHOLE: &str = "description: d\n    severity: Error\n    threshold: {operator: equal, value: 3}\n";

    #[test]
    fn a_projects_own_definition_wins() {
        let text = format!(
            "definitions:\n  - type: sql\n    name: failed_backup\n    {WHOLE}    schedule: {{frequencyInMinutes: 5, timeWindowInMinutes: 5}}\n    query: Event\n"
        );
        let own = read_text(&text).unwrap();
        assert_eq!(find(&own, "SQL", "Failed_Backup").unwrap().query, "Event");
        assert!(find(&own, "SQL", "nCleanup").is_ok());
    }

    #[test]
    fn everything_that_is_wrong_with_a_file_is_told_at_once() {
        let item = |query: &str, frequency: i64, parameters: &str| {
            format!(
                "  - type: T\n    name: N\n    {WHOLE}    schedule: {{frequencyInMinutes: {frequency}, timeWindowInMinutes: 10}}\n    parameters: {parameters}\n    query: {query}\n"
            )
        };
        let text = format!(
            "definitions:\n{}{}",
            item("T | evaluate pivot(_a)", 15, "{_a: [1]}"),
            item("T | where _b", 10, "{_a: 1, _b: 2}")
        );
        assert_eq!(
            read_text(&text).unwrap_err(),
            [
                "d.yml:7:61 definitions[0].schedule.timeWindowInMinutes: the window of 10 minutes is shorter than the frequency of 15 minutes",
                "d.yml:9:12 definitions[0].query: the query uses 'pivot', which Azure's log alerts do not support",
                "d.yml:8:22 definitions[0].parameters._a: expected text, a number, true or false",
                "d.yml:11:11 definitions[1].name: duplicate definition 'N' of the type 'T'",
                "d.yml:16:22 definitions[1].parameters._a: the parameter is not in the query",
            ]
        );
        assert_eq!(
            read_text("definitions:\n  - type: T\n    querry: x\n").unwrap_err()[0],
            "d.yml:3:5 definitions[0].querry: unknown key, did you mean 'query'?"
        );
    }
}
