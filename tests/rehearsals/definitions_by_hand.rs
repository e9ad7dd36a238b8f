//! The built-in definitions of log alerts over random rows: the rehearsal counts what the sentences of the definitions say, computed here
//! without any query. The numbers of events are those that the descriptions name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::brute_force::{State, checks, outcome};
use super::definitions::{BuiltIn, built_in};
use super::generated::{counted, in_order, one_of};
use super::{now, rehearse, text_of};
use crate::alerts::log_rules::log_alerts;
use crate::support::estate::*;
use crate::support::*;

/// The seed of the rows. Any other is as good.
const SEED: u64 = 4038;
const DAY: i64 = 24 * 60;
/// The event that has its meaning from a number in its text.
const NUMBERED: i64 = 17063;
const MACHINES: [&str; 4] = ["vm-1", "vm-2", "vm-out", "arc"];

/// A row of a table: when, of which machine, and what else it says.
struct Row {
    table: &'static str,
    /// Minutes since 1970.
    at: f64,
    machine: &'static str,
    values: Map<String, Value>,
}

impl Row {
    fn text(&self, column: &str) -> &str {
        self.values.get(column).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, column: &str) -> f64 {
        self.values.get(column).and_then(Value::as_f64).unwrap_or_default()
    }

    /// The rows of machines that a rule reports: those in Azure that nobody has excluded.
    fn is_reported(&self) -> bool {
        !["vm-out", "arc"].contains(&self.machine)
    }
}

fn resource_id(machine: &str) -> String {
    let provider =
        if machine == "arc" { "Microsoft.HybridCompute/machines" } else { "Microsoft.Compute/virtualMachines" };
    format!("/subscriptions/s/resourceGroups/g/providers/{provider}/{machine}")
}

/// Rows of the last days, so many that every definition fires now and then.
struct Rows<'a> {
    random: &'a mut fastrand::Rng,
    now: f64,
    rows: Vec<Row>,
}

impl Rows<'_> {
    fn add(&mut self, table: &'static str, minutes_ago: f64, machine: &'static str, values: Value) {
        let Value::Object(values) = values else { panic!("{values}") };
        // In whole seconds, as they are written, and never on a whole minute, where a window may begin.
        let at = self.now - minutes_ago.floor() + (self.random.u32(1..60) as f64) / 60.0 - 1.0;
        self.rows.push(Row { table, at, machine, values });
    }

    fn some(&mut self, count: usize, days: f64, mut add: impl FnMut(&mut Self, f64, &'static str)) {
        for _ in 0..count {
            let ago = 2.0 + self.random.f64() * days * DAY as f64;
            let machine = one_of(self.random, &MACHINES);
            add(self, ago, machine);
        }
    }

    /// A value every six minutes, which stays on one level for a while.
    fn insights(&mut self, hours: i64) {
        for machine in MACHINES {
            let mut level = 0;
            for ago in (1..hours * 10).rev().map(|step| step as f64 * 6.0) {
                if self.random.usize(..9) == 0 {
                    level = self.random.usize(..3);
                }
                let is_odd = self.random.usize(..25) == 0;
                let of = |levels: [f64; 3]| if is_odd { levels[2] } else { levels[level] };
                let metric = |namespace: &str, name: &str, value: f64, tags: Value| json!({"Origin": "vm.azm.ms", "Namespace": namespace, "Name": name, "Val": value, "Tags": tags.to_string()});
                let processor = metric("Processor", "UtilizationPercentage", of([100.0, 97.0, 40.0]), json!({}));
                let memory =
                    metric("Memory", "AvailableMB", of([5.0, 30.0, 600.0]), json!({"vm.azm.ms/memorySizeMB": 1000}));
                self.add("InsightsMetrics", ago, machine, processor);
                self.add("InsightsMetrics", ago, machine, memory);
                for (disk, megabytes) in [("C:", [1000.0, 1000.0, 900_000.0]), ("D:", [200_000.0, 900.0, 900_000.0])] {
                    let disk = json!({"vm.azm.ms/mountId": disk});
                    let free = metric("LogicalDisk", "FreeSpaceMB", of(megabytes), disk.clone());
                    let share = metric("LogicalDisk", "FreeSpacePercentage", of([5.0, 14.0, 80.0]), disk);
                    self.add("InsightsMetrics", ago, machine, free);
                    self.add("InsightsMetrics", ago, machine, share);
                }
            }
        }
    }

    fn events(&mut self, ids: &[i64], numbers: &[i64]) {
        self.some(1_800, 3.0, |rows, ago, machine| {
            let id = if rows.random.usize(..3) == 0 { NUMBERED } else { ids[rows.random.usize(..ids.len())] };
            let number = numbers[rows.random.usize(..numbers.len())];
            let (before, after) = (one_of(rows.random, &["error ", "x", "(", "4"]), one_of(rows.random, &[".", "y", ")", ""]));
            let source = match rows.random.usize(..16) {
                0 => one_of(rows.random, &["Disk", "Ntfs", "Microsoft-Windows-Ntfs", "EventLog"]),
                1..4 => one_of(rows.random, &["SQLSERVERAGENT", "SQLAgent$SHOP", "EventLog", "Ntfs"]),
                _ => one_of(rows.random, &["MSSQLSERVER", "MSSQL$SHOP"]),
            };
            let log = if rows.random.usize(..10) == 0 { "Other" } else if source.contains("SQL") { "Application" } else { "System" };
            let event = json!({"EventLog": log, "Source": source, "EventID": id, "RenderedDescription": format!("The {before}{number}{after}")});
            rows.add("Event", ago, machine, event);
        });
    }

    fn activity(&mut self) {
        let compute = "Microsoft.Compute/virtualMachines";
        let write = |rows: &mut Self, ago: f64, machine: &'static str, operation: String, status: &str, run: usize| {
            let caller = one_of(rows.random, &["jane", "joe"]);
            let row = json!({"OperationNameValue": operation, "ActivityStatusValue": status, "CorrelationId": format!("c-{run}"), "Caller": caller});
            rows.add("AzureActivity", ago, machine, row);
        };
        self.some(60, 3.0, |rows, ago, machine| {
            let operation = one_of(rows.random, &["deallocate/action", "start/action", "DELETE", "write"]);
            let status = one_of(rows.random, &["Success", "Succeeded", "Failure", "Start"]);
            write(rows, ago, machine, format!("{compute}/{operation}"), status, 0);
        });
        self.some(90, 2.0, |rows, ago, machine| {
            let run = 1 + rows.random.usize(..40);
            write(rows, ago, machine, format!("{compute}/restart/action"), "Success", run);
        });
        for run in 0..14 {
            let (begun, machine) = (DAY as f64 * self.random.f64() * 7.0 + 400.0, one_of(self.random, &MACHINES));
            let patches = format!("{compute}/installPatches/action");
            write(self, begun, machine, patches.clone(), "Start", 100 + run);
            let end = ["Success", "Succeeded", "Succeeded", "Failed"].get(self.random.usize(..5));
            if let Some(end) = end {
                let length = self.random.f64() * 300.0;
                write(self, begun - length, machine, patches, end, 100 + run);
            }
        }
    }

    fn states(&mut self) {
        for machine in MACHINES {
            let mut is_gone = false;
            for ago in (1..3 * DAY / 10).rev().map(|step| step as f64 * 10.0) {
                if self.random.usize(..if is_gone { 4 } else { 40 }) == 0 {
                    is_gone = !is_gone;
                }
                if !is_gone {
                    self.add("Heartbeat", ago, machine, json!({"OSType": "Linux"}));
                }
            }
        }
        self.some(40, 8.0, |rows, ago, machine| {
            let item = format!("uksouth;1;iaasvmcontainerv2;g;{machine}");
            let (operation, kind) = (one_of(rows.random, &["Backup", "Backup", "Restore"]), one_of(rows.random, &["IaaSVM", "iaasvm", "MAB"]));
            let status = one_of(rows.random, &["Failed", "Completed", "InProgress"]);
            let job = json!({"JobOperation": operation, "BackupManagementType": kind, "JobStatus": status, "BackupItemUniqueId": item});
            rows.add("AddonAzureBackupJobs", ago, machine, job);
        });
        self.some(60, 8.0, |rows, ago, machine| {
            let status = one_of(
                rows.random,
                &["Signatures out of date", "signatures out of date", "Real time protection", "No status"],
            );
            rows.add("ProtectionStatus", ago, machine, json!({"ProtectionStatus": status}));
        });
    }
}

/// The number that follows these words in a text.
fn number_after(text: &str, words: &str) -> Option<i64> {
    let (_, rest) = text.split_once(words)?;
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

/// The newest of some rows for each of their keys.
fn newest<'a, K: Ord>(rows: impl Iterator<Item = &'a Row>, key: impl Fn(&Row) -> K) -> Vec<&'a Row> {
    let mut found: BTreeMap<K, &Row> = BTreeMap::new();
    for row in rows {
        let known = found.entry(key(row)).or_insert(row);
        if row.at > known.at {
            *known = row;
        }
    }
    found.into_values().collect()
}

fn is_any(text: &str, of: &[&str]) -> bool {
    of.iter().any(|one| one.eq_ignore_ascii_case(text))
}

/// The look of a definition at a moment: the rows of its window that are reported.
struct Look<'a> {
    definition: &'a BuiltIn,
    at: i64,
    seen: Vec<&'a Row>,
}

/// The time of a part of a window.
type Period = (f64, f64);

impl<'a> Look<'a> {
    fn new(definition: &'a BuiltIn, rows: &'a [Row], at: i64) -> Look<'a> {
        let look_back = if definition.name == "VM_NonResponsive" { 2 * DAY } else { definition.window };
        let (from, to) = ((at - look_back) as f64, at as f64);
        let seen = rows.iter().filter(|row| row.at >= from && row.at < to && row.is_reported()).collect();
        Look { definition, at, seen }
    }

    /// The number of machines, disks or events that are reported.
    fn reported(&self) -> usize {
        self.of_metrics()
            .or_else(|| self.of_states())
            .or_else(|| self.of_activity())
            .unwrap_or_else(|| self.of_events())
    }

    fn of(&self, table: &'static str) -> impl Iterator<Item = &'a Row> {
        self.seen.iter().copied().filter(move |row| row.table == table)
    }

    /// The average of a metric of a machine, or of one of its disks, in a period.
    fn average(&self, (namespace, name): (&str, &str), disk: &str, machine: &str, (from, to): Period) -> Option<f64> {
        let is_meant = |row: &&Row| {
            row.machine == machine
                && (row.text("Namespace"), row.text("Name")) == (namespace, name)
                && row.text("Tags").contains(disk)
                && row.at >= from
                && row.at < to
        };
        let values: Vec<f64> = self.of("InsightsMetrics").filter(is_meant).map(|row| row.number("Val")).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The number of times that a machine is wrong in one of the periods of the window, which are counted back from the moment.
    fn machines_with(&self, length: i64, is_wrong: impl Fn(&str, Period) -> bool) -> usize {
        let periods = (0..self.definition.window / length)
            .map(|period| ((self.at - (period + 1) * length) as f64, (self.at - period * length) as f64));
        periods.map(|period| MACHINES.iter().filter(|machine| is_wrong(machine, period)).count()).sum()
    }

    fn of_metrics(&self) -> Option<usize> {
        let processor =
            |machine: &str, period| self.average(("Processor", "UtilizationPercentage"), "", machine, period);
        // Every machine has 1,000 MB.
        let memory = |machine: &str, period| Some(self.average(("Memory", "AvailableMB"), "", machine, period)? / 10.0);
        Some(match self.definition.name.as_str() {
            "High_CPU_Usage_Percent" => {
                self.machines_with(60, |machine, period| processor(machine, period).is_some_and(|used| used >= 100.0))
            }
            "High_CPU_Usage_Percent_Range" => self.machines_with(30, |machine, period| {
                processor(machine, period).is_some_and(|used| (95.0..=99.0).contains(&used))
            }),
            "High_Memory_Usage_Percent" => {
                self.machines_with(60, |machine, period| memory(machine, period).is_some_and(|free| free < 1.0))
            }
            "High_Memory_Usage_Percent_Range" => self.machines_with(30, |machine, period| {
                memory(machine, period).is_some_and(|free| (1.0..=5.0).contains(&free))
            }),
            "Low_Disk_Space" => {
                let is_low = |disk: &str, machine: &str, period| {
                    let free = |name| self.average(("LogicalDisk", name), disk, machine, period);
                    free("FreeSpaceMB").is_some_and(|free| free <= 153_600.0)
                        && free("FreeSpacePercentage").is_some_and(|free| free <= 15.0)
                };
                let disks = ["C:", "D:"].into_iter();
                disks.map(|disk| self.machines_with(60, |machine, period| is_low(disk, machine, period))).sum()
            }
            _ => return None,
        })
    }

    fn of_states(&self) -> Option<usize> {
        Some(match self.definition.name.as_str() {
            "VM_NonResponsive" => self.silent(),
            "VM_Missing_Backup" => {
                let is_meant = |row: &&Row| {
                    row.text("JobOperation") == "Backup"
                        && is_any(row.text("BackupManagementType"), &["IaaSVM"])
                        && row.text("JobStatus") != "InProgress"
                };
                let jobs = newest(self.of("AddonAzureBackupJobs").filter(is_meant), |row| row.machine);
                jobs.iter().filter(|row| row.text("JobStatus") == "Failed").count()
            }
            "VM_Antimalware_Not_Up_To_Date" => {
                let states = newest(self.of("ProtectionStatus"), |row| row.machine);
                states.iter().filter(|row| is_any(row.text("ProtectionStatus"), &["Signatures out of date"])).count()
            }
            _ => return None,
        })
    }

    /// The machines without a heartbeat for a quarter of an hour that nobody has stopped or deleted since the last one.
    fn silent(&self) -> usize {
        let changes = self.of("AzureActivity").filter(|row| {
            let operation = row.text("OperationNameValue").to_lowercase();
            let is_change =
                ["/deallocate/action", "/delete", "/start/action"].iter().any(|end| operation.ends_with(end));
            is_change && is_any(row.text("ActivityStatusValue"), &["Success", "Succeeded"])
        });
        let changes = newest(changes, |row| row.machine);
        let is_silent = |beat: &&&Row| {
            let last = changes.iter().find(|change| change.machine == beat.machine);
            let is_stopped = last.is_some_and(|last| {
                !last.text("OperationNameValue").to_lowercase().ends_with("/start/action") && last.at >= beat.at
            });
            beat.at < (self.at - 15) as f64 && !is_stopped
        };
        newest(self.of("Heartbeat"), |row| row.machine).iter().filter(is_silent).count()
    }

    fn of_activity(&self) -> Option<usize> {
        let of = |operation: &'static str| {
            self.of("AzureActivity").filter(move |row| row.text("OperationNameValue").contains(operation))
        };
        Some(match self.definition.name.as_str() {
            "VM_Updates_Failed" => {
                let mut runs: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
                of("installPatches").for_each(|row| runs.entry(row.text("CorrelationId")).or_default().push(row));
                let is_wrong = |run: &&Vec<&Row>| {
                    let begun = run.iter().map(|row| row.at).fold(f64::MAX, f64::min);
                    let ends = run.iter().filter(|row| row.text("ActivityStatusValue") != "Start");
                    let ended = ends.map(|row| row.at).reduce(f64::max).unwrap_or(self.at as f64);
                    run.iter().any(|row| row.text("ActivityStatusValue").starts_with("Fail")) || ended - begun > 235.0
                };
                runs.values().filter(is_wrong).count()
            }
            "VM_Reboot" => {
                let reboots = of("/restart/action");
                let each = reboots.map(|row| (row.text("CorrelationId"), row.text("Caller"), row.machine));
                each.collect::<BTreeSet<_>>().len()
            }
            _ => return None,
        })
    }

    fn of_events(&self) -> usize {
        let BuiltIn { name, description, .. } = self.definition;
        let is_of = |row: &Row, log: &str, id: i64| row.text("EventLog") == log && row.number("EventID") == id as f64;
        let is_meant = |row: &&Row| match name.as_str() {
            "Unexpected_Shutdown" => is_of(row, "System", 6008),
            "Corrupt_NTFS" => match row.text("Source") {
                "Disk" => row.text("EventLog") == "System",
                "Ntfs" | "Microsoft-Windows-Ntfs" => is_of(row, "System", 55),
                _ => false,
            },
            _ => {
                let id = number_after(description, "(event ").unwrap_or_else(|| panic!("{name}: {description}"));
                let is_agent = description.starts_with("SQL Server Agent ");
                let service =
                    if is_agent { ["SQLSERVERAGENT", "SQLAgent$SHOP"] } else { ["MSSQLSERVER", "MSSQL$SHOP"] };
                let mut words = row.text("RenderedDescription").split(|letter: char| !letter.is_alphanumeric());
                let number = number_after(description, "with the number ").map(|number| number.to_string());
                is_of(row, "Application", id)
                    && service.contains(&row.text("Source"))
                    && number.is_none_or(|number| words.any(|word| word == number))
            }
        };
        self.of("Event").filter(is_meant).count()
    }
}

/// One group of definitions in four, or each where `SVC_TEST_DEFINITIONS` is `all`.
#[test]
fn every_built_in_definition_counts_what_its_description_says() {
    let definitions = built_in();
    assert_eq!(definitions.len(), 38);
    let random = &mut fastrand::Rng::with_seed(SEED);
    let cloud = landing_zone();
    let machine = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Compute/virtualMachines/vm-out"));
    cloud
        .import(&[
            json!({"id": machine, "location": "uksouth", "tags": {"svc-monitor-exception": "out"}, "properties": {}}),
        ])
        .unwrap();
    let numbers = |words: &str| -> Vec<i64> {
        definitions.iter().filter_map(|one| number_after(&one.description, words)).collect()
    };
    let mut rows = Rows { random, now: now() as f64, rows: Vec::new() };
    rows.insights(10);
    let mut ids = numbers("(event ");
    ids.extend([55, 6008, 1]);
    rows.events(&ids, &numbers("with the number "));
    rows.activity();
    rows.states();
    let rows = rows.rows;
    let mut tables: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for Row { table, at, machine, values } in &rows {
        let mut row = values.clone();
        let known = json!({"TimeGenerated": text_of(*at), "Computer": machine, "_ResourceId": resource_id(machine)});
        row.extend(known.as_object().unwrap().clone());
        tables.entry(table).or_default().push(Value::Object(row));
    }
    let workspace =
        in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"));
    cloud.import_telemetry(json!({"tables": {workspace: tables}})).unwrap();
    let groups: BTreeSet<(String, i64)> = definitions.iter().map(|one| (one.kind.clone(), one.frequency)).collect();
    let mut dull = Vec::new();
    for (kind, frequency) in groups.into_iter().step_by(one_in(4, "SVC_TEST_DEFINITIONS")) {
        let chosen: Vec<&BuiltIn> =
            definitions.iter().filter(|one| (one.kind.as_str(), one.frequency) == (&kind, frequency)).collect();
        let alerts: Vec<String> = (chosen.iter().enumerate())
            .map(|(index, one)| format!("name: Rule{index}\ndefinition: {}\nexclusions: [out]", one.name))
            .collect();
        let texts: Vec<&str> = alerts.iter().map(String::as_str).collect();
        let text = log_alerts(&texts).replace("type: VirtualMachines", &format!("type: {kind}"));
        // So long that every moment is looked at: at most 48.
        let hours = (48 * frequency).min(6 * DAY) / 60;
        let outcome_of =
            rehearse(&Deployment::new(LOG_ALERTS, &text), &cloud, json!({"rehearse": format!("{hours}h")}));
        for (rehearsal, definition) in in_order(&outcome_of, chosen.len()).into_iter().zip(chosen) {
            let ((from, to), counted) = counted(rehearsal);
            let met = |_: &str, at: i64| Some(Look::new(definition, &rows, at).reported() > 0);
            let (moments, state) = (checks(from, to, frequency), State::Stateless { muted: 0 });
            let expected = outcome(&moments, frequency, state, &[String::new()], met);
            assert_eq!(counted, expected, "{}: {}", definition.name, rehearsal.sentence);
            if expected.fired == 0 || expected.fired == moments.len() {
                dull.push((definition.name.clone(), expected.fired, moments.len()));
            }
        }
    }
    // Which moments are looked at depends on the time of day.
    assert!(dull.len() < 8, "these fire never or always, so that little is compared: {dull:?}");
}
