//! Putting the past in: `{"metrics": …, "activityLog": …, "tables": …}`, with times as they are or counted back from the import.

use super::super::kusto::minutes_of;
use super::super::moment::Moment;
use super::super::path::ResourceId;
use super::{Series, Table, Telemetry};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The most rows and events of one import: a state file with more would take minutes to write.
const MOST_ROWS: usize = 1_000_000;

/// A file of the past.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Document {
    #[serde(default)]
    metrics: Vec<Metric>,
    #[serde(default)]
    activity_log: Vec<Rows>,
    /// By the id of a workspace, and the name of a table.
    #[serde(default)]
    tables: BTreeMap<String, BTreeMap<String, Vec<Rows>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Metric {
    resource: String,
    metric: String,
    /// Default: the type of the resource.
    namespace: Option<String>,
    #[serde(default)]
    dimensions: BTreeMap<String, String>,
    from: String,
    to: Option<String>,
    every: String,
    values: Vec<Option<f64>>,
}

/// A row, or one that is repeated.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a row, or from, to, every and row")]
enum Rows {
    Repeated(Repeated),
    One(Map<String, Value>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeated {
    from: String,
    to: Option<String>,
    every: String,
    row: Map<String, Value>,
}

/// Adds what a document of the past has. Returns how many series, events and rows.
///
/// # Errors
/// What is wrong with it, and where.
pub(in super::super) fn import(telemetry: &mut Telemetry, document: Value, now: Moment) -> Result<usize, String> {
    // To serde a list is an object without names.
    if !document.is_object() {
        return Err("it is not an object".to_owned());
    }
    let document: Document =
        serde_json::from_value(document).map_err(|error| super::super::store::in_plain_words(error).to_string())?;
    let mut added = Telemetry::default();
    for (index, metric) in document.metrics.into_iter().enumerate() {
        let series = series(metric, now).map_err(|error| format!("metrics[{index}]: {error}"))?;
        added.metrics.push(series);
    }
    let mut count = added.metrics.len();
    for (index, rows) in document.activity_log.into_iter().enumerate() {
        let events = expanded(rows, "eventTimestamp", now).map_err(|error| format!("activityLog[{index}]: {error}"))?;
        added.activity_log.extend(events.into_iter().map(as_azure_has_it));
    }
    count += added.activity_log.len();
    for (workspace, tables) in document.tables {
        if ResourceId::parse(&workspace).is_none() {
            return Err(format!("tables: '{workspace}' is not the id of a workspace"));
        }
        for (name, rows) in tables {
            let mut table = Table { workspace: workspace.to_lowercase(), name, rows: Vec::new() };
            for (index, rows) in rows.into_iter().enumerate() {
                let rows = expanded(rows, "TimeGenerated", now)
                    .map_err(|error| format!("tables, {}[{index}]: {error}", table.name))?;
                table.rows.extend(rows);
                if count + table.rows.len() > MOST_ROWS {
                    return Err(format!("more than {MOST_ROWS} rows; import less"));
                }
            }
            count += table.rows.len();
            added.tables.push(table);
        }
    }
    telemetry.metrics.extend(added.metrics);
    telemetry.activity_log.extend(added.activity_log);
    telemetry.tables.extend(added.tables);
    Ok(count)
}

fn series(metric: Metric, now: Moment) -> Result<Series, String> {
    let id =
        ResourceId::parse(&metric.resource).ok_or_else(|| format!("'{}' is not a resource id", metric.resource))?;
    let minutes = step(&metric.every)?.as_secs() / 60;
    if minutes == 0 || metric.values.is_empty() {
        return Err("at least a minute and a value are needed".to_owned());
    }
    Ok(Series {
        namespace: metric.namespace.unwrap_or_else(|| id.type_name()),
        resource: metric.resource,
        metric: metric.metric,
        dimensions: metric.dimensions,
        from: moment(&metric.from, now)?,
        to: metric.to.as_deref().map_or(Ok(now), |to| moment(to, now))?,
        minutes,
        values: metric.values,
    })
}

/// The rows with their times.
fn expanded(rows: Rows, time: &str, now: Moment) -> Result<Vec<Map<String, Value>>, String> {
    let (from, to, every, row) = match rows {
        Rows::One(mut row) => {
            let text = row.get(time).and_then(Value::as_str).ok_or_else(|| format!("'{time}' is missing"))?;
            row.insert(time.to_owned(), json!(moment(text, now)?.text()));
            return Ok(vec![row]);
        }
        Rows::Repeated(Repeated { from, to, every, row }) => {
            (moment(&from, now)?, to.map_or(Ok(now), |to| moment(&to, now))?, step(&every)?, row)
        }
    };
    if every.is_zero() || from.until(to).as_nanos() / every.as_nanos() > MOST_ROWS as u128 {
        return Err(format!("more than {MOST_ROWS} rows; repeat it less often"));
    }
    let mut made = Vec::new();
    let mut at = from;
    while at < to {
        let mut row = row.clone();
        row.insert(time.to_owned(), json!(at.text()));
        made.push(row);
        at = at.after(every);
    }
    Ok(made)
}

/// An event as Azure answers it: what has a name for people is an object with both.
fn as_azure_has_it(mut event: Map<String, Value>) -> Map<String, Value> {
    for name in
        ["category", "operationName", "status", "subStatus", "resourceType", "resourceProviderName", "eventName"]
    {
        if let Some(Value::String(text)) = event.get(name) {
            let named = json!({"value": text, "localizedValue": text});
            event.insert(name.to_owned(), named);
        }
    }
    if let Some(id) = event.get("resourceId").and_then(Value::as_str).and_then(ResourceId::parse) {
        let kind = id.type_name();
        event.entry("resourceType").or_insert_with(|| json!({"value": kind, "localizedValue": kind}));
        if let Some(group) = id.group {
            event.entry("resourceGroupName").or_insert_with(|| json!(group));
        }
    }
    event
}

/// A time in RFC 3339, or a duration before now such as `-P7D`.
fn moment(text: &str, now: Moment) -> Result<Moment, String> {
    if let Some(duration) = text.strip_prefix('-') {
        return Ok(now.before(step(duration)?));
    }
    minutes_of(text).and_then(Moment::at_minutes).ok_or_else(|| {
        format!("'{text}' is neither a time such as 2026-11-20T08:00:00Z nor one before now such as -P7D")
    })
}

/// An ISO 8601 duration of days, hours, minutes and seconds.
fn step(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a duration such as PT5M or P7D");
    let (days, time) = text.strip_prefix('P').ok_or_else(wrong)?.split_once('T').unwrap_or((&text[1..], ""));
    let mut seconds = 0;
    for (part, units) in [(days, &[('D', 86_400)][..]), (time, &[('H', 3_600), ('M', 60), ('S', 1)])] {
        let mut rest = part;
        for (unit, length) in units {
            if let Some((number, more)) = rest.split_once(*unit) {
                let number: u64 = number.parse().map_err(|_| wrong())?;
                seconds += number.checked_mul(*length).filter(|length| *length < 1 << 40).ok_or_else(wrong)?;
                rest = more;
            }
        }
        if !rest.is_empty() {
            return Err(wrong());
        }
    }
    Ok(Duration::from_secs(seconds))
}
