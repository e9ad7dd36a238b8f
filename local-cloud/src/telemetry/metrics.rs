//! Values of metrics, as `Microsoft.Insights/metrics` answers them.
//!
//! Source: azure-rest-api-specs, specification/monitor, Microsoft.Insights stable 2024-02-01, metrics_API.json.

use super::super::kusto::time_text;
use super::super::locations;
use super::super::path::ResourceId;
use super::super::query::Query;
use super::super::reply::{Answer, Refusal};
use super::super::state::State;
use super::{Series, Telemetry, timespan};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The name of the dimension that tells the resources of a subscription apart.
const RESOURCE: &str = "microsoft.resourceid";
/// The time for which values are kept, in minutes ("Azure Monitor Metrics overview", "Retention of metrics").
const LONGEST: f64 = 93.0 * 1440.0;
/// The lengths of time that values are kept for, in minutes.
const INTERVALS: &[(&str, u64)] = &[
    ("PT1M", 1),
    ("PT5M", 5),
    ("PT15M", 15),
    ("PT30M", 30),
    ("PT1H", 60),
    ("PT6H", 360),
    ("PT12H", 720),
    ("P1D", 1440),
];
const AGGREGATIONS: &[&str] = &["average", "count", "maximum", "minimum", "total"];
/// The most metrics of one request, and the most time series without `top`.
const MOST_METRICS: usize = 20;
const USUAL_TOP: usize = 10;

/// The values that a request asks for.
struct Wanted {
    names: Vec<String>,
    namespace: Option<String>,
    from: f64,
    to: f64,
    interval: (&'static str, u64),
    aggregations: Vec<&'static str>,
    /// The dimensions by which the time series are told apart, with the values that count; none for all.
    split: Vec<(String, Option<String>)>,
    top: usize,
}

/// The numbers of some minutes of a metric.
#[derive(Clone, Copy)]
struct Numbers {
    count: f64,
    total: f64,
    minimum: f64,
    maximum: f64,
}

/// The metrics of one resource.
pub(in super::super) fn of_resource(state: &State, id: &ResourceId, query: &Query) -> Result<Answer, Refusal> {
    super::super::lookup::look_up(state, id)?;
    let key = id.key();
    answer(state.telemetry(), query, &id.text(), |series| series.resource.eq_ignore_ascii_case(&key))
}

/// The metrics of every resource of a type in a region of a subscription.
pub(in super::super) fn of_subscription(state: &State, scope: &ResourceId, query: &Query) -> Result<Answer, Refusal> {
    let (region, namespace) = match (query.get("region"), query.get("metricnamespace")) {
        (Some(region), Some(namespace)) => (region, namespace),
        _ => return Err(Refusal::bad_request("BadRequest", "region and metricnamespace are required.")),
    };
    // Some types print the name for people.
    let name = |text: &str| locations::find(text).map(|region| region.name);
    let is_region = |text: &str| name(text).is_some() && name(text) == name(region);
    let below = format!("{}/", scope.key());
    let is_in = |series: &Series| {
        let resource = state.get(&series.resource.to_lowercase());
        series.namespace.eq_ignore_ascii_case(namespace)
            && series.resource.to_lowercase().starts_with(&below)
            && resource.is_some_and(|resource| is_region(resource.text("location")))
    };
    answer(state.telemetry(), query, &scope.text(), is_in)
}

fn answer(
    telemetry: &Telemetry,
    query: &Query,
    scope: &str,
    is_meant: impl Fn(&Series) -> bool,
) -> Result<Answer, Refusal> {
    let wanted = Wanted::of(query)?;
    let values: Vec<Value> =
        wanted.names.iter().map(|name| metric(telemetry, &wanted, scope, name, &is_meant)).collect();
    Ok(Answer::json(
        200,
        json!({
            "cost": 0,
            "timespan": format!("{}/{}", time_text(wanted.from), time_text(wanted.to)),
            "interval": wanted.interval.0,
            "namespace": wanted.namespace,
            "value": values,
        }),
    ))
}

impl Wanted {
    fn of(query: &Query) -> Result<Wanted, Refusal> {
        let wrong = |message: String| Refusal::bad_request("BadRequest", message);
        let names: Vec<String> = query.get("metricnames").unwrap_or_default().split(',').map(str::to_owned).collect();
        if names.len() > MOST_METRICS || names.iter().any(String::is_empty) {
            return Err(wrong(format!("metricnames has to name 1 to {MOST_METRICS} metrics.")));
        }
        let (from, to) = timespan(query.get("timespan").unwrap_or_default())?;
        if to - from > LONGEST {
            return Err(wrong("Values are kept for 93 days.".to_owned()));
        }
        let interval = query.get("interval").unwrap_or("PT1M");
        let interval = INTERVALS.iter().find(|(name, _)| *name == interval);
        let interval = *interval.ok_or_else(|| wrong("Detected invalid time grain input.".to_owned()))?;
        let asked = query.get("aggregation").unwrap_or("average").to_lowercase();
        let aggregations: Option<Vec<&'static str>> =
            asked.split(',').map(|name| AGGREGATIONS.iter().find(|known| **known == name.trim()).copied()).collect();
        let aggregations =
            aggregations.ok_or_else(|| wrong(format!("Detected invalid aggregations input '{asked}'.")))?;
        let split = query.get("$filter").map_or_else(|| Ok(Vec::new()), |filter| split(filter).map_err(wrong))?;
        let top =
            query.get("top").map_or(Ok(USUAL_TOP), str::parse).map_err(|_| wrong("top is no number.".to_owned()))?;
        let namespace = query.get("metricnamespace").map(str::to_owned);
        Ok(Wanted { names, namespace, from, to, interval, aggregations, split, top })
    }
}

/// `A eq '*' and B eq 'x'`.
fn split(filter: &str) -> Result<Vec<(String, Option<String>)>, String> {
    let part = |part: &str| {
        let (name, value) = part.split_once(" eq ")?;
        let value = value.trim().strip_prefix('\'')?.strip_suffix('\'')?;
        Some((name.trim().to_owned(), (value != "*").then(|| value.to_owned())))
    };
    filter
        .split(" and ")
        .map(|text| part(text).ok_or_else(|| format!("The filter '{filter}' is not known here.")))
        .collect()
}

fn metric(
    telemetry: &Telemetry,
    wanted: &Wanted,
    scope: &str,
    name: &str,
    is_meant: &impl Fn(&Series) -> bool,
) -> Value {
    let is_of_namespace =
        |series: &Series| wanted.namespace.as_ref().is_none_or(|wanted| series.namespace.eq_ignore_ascii_case(wanted));
    let meant: Vec<&Series> = telemetry
        .metrics
        .iter()
        .filter(|series| series.metric.eq_ignore_ascii_case(name) && is_of_namespace(series) && is_meant(series))
        .collect();
    let mut apart: BTreeMap<Vec<String>, Vec<&Series>> = BTreeMap::new();
    for series in meant {
        let value = |dimension: &str| match dimension.to_lowercase().as_str() {
            RESOURCE => Some(series.resource.as_str()),
            _ => series
                .dimensions
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(dimension))
                .map(|(_, value)| value.as_str()),
        };
        let values: Option<Vec<String>> = wanted
            .split
            .iter()
            .map(|(dimension, only)| {
                let fits = |found: &&str| only.as_ref().is_none_or(|only| only.eq_ignore_ascii_case(found));
                value(dimension).filter(fits).map(str::to_owned)
            })
            .collect();
        if let Some(values) = values {
            apart.entry(values).or_default().push(series);
        }
    }
    let timeseries: Vec<Value> = apart
        .into_iter()
        .take(if wanted.split.is_empty() { usize::MAX } else { wanted.top })
        .map(|(values, series)| {
            let named = wanted.split.iter().zip(values);
            let metadata: Vec<Value> = named
                .map(|((name, _), value)| json!({"name": {"value": name, "localizedValue": name}, "value": value}))
                .collect();
            json!({"metadatavalues": metadata, "data": data(&series, wanted)})
        })
        .collect();
    json!({
        "id": format!("{scope}/providers/Microsoft.Insights/metrics/{name}"),
        "type": "Microsoft.Insights/metrics",
        "name": {"value": name, "localizedValue": name},
        "unit": "Unspecified",
        "timeseries": timeseries,
        "errorCode": "Success",
    })
}

/// The points of a time series. One without values has a time only.
fn data(series: &[&Series], wanted: &Wanted) -> Vec<Value> {
    let size = wanted.interval.1;
    let (mut start, end) = ((wanted.from.floor() as u64) / size * size, wanted.to.ceil() as u64);
    let mut points = Vec::new();
    while start < end {
        let mut point = Map::from_iter([("timeStamp".to_owned(), json!(time_text(start as f64)))]);
        let numbers = (start..start + size).filter_map(|minute| numbers_at(series, minute)).reduce(Numbers::and);
        for (name, value) in
            numbers.iter().flat_map(|numbers| wanted.aggregations.iter().map(|name| (name, numbers.get(name))))
        {
            point.insert((*name).to_owned(), json!(value));
        }
        points.push(Value::Object(point));
        start += size;
    }
    points
}

/// The numbers of a minute over all time series that are taken together.
fn numbers_at(series: &[&Series], minute: u64) -> Option<Numbers> {
    let mut last: BTreeMap<(&str, &BTreeMap<String, String>), f64> = BTreeMap::new();
    for one in series {
        let (from, to) = (one.from.unix_seconds() / 60, one.to.unix_seconds() / 60);
        if (from..to).contains(&minute) {
            let index = (minute - from) / one.minutes % one.values.len() as u64;
            let key = (one.resource.as_str(), &one.dimensions);
            match one.values[index as usize] {
                Some(value) => last.insert(key, value),
                None => last.remove(&key),
            };
        }
    }
    last.into_values()
        .map(|value| Numbers { count: 1.0, total: value, minimum: value, maximum: value })
        .reduce(Numbers::and)
}

impl Numbers {
    fn and(self, other: Numbers) -> Numbers {
        Numbers {
            count: self.count + other.count,
            total: self.total + other.total,
            minimum: self.minimum.min(other.minimum),
            maximum: self.maximum.max(other.maximum),
        }
    }

    fn get(&self, aggregation: &str) -> f64 {
        match aggregation {
            "count" => self.count,
            "total" => self.total,
            "minimum" => self.minimum,
            "maximum" => self.maximum,
            _ => self.total / self.count,
        }
    }
}
