//! Rules over log queries.
//!
//! Sources: azure-rest-api-specs, specification/monitor, Microsoft.Insights, scheduledQueryRule_API.json (the rule); Azure Monitor, "Azure Monitor
//! Log Analytics API request format" and "Cross-resource queries" (the question), and "Overview of Azure Monitor alerts" for when alerts resolve.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::course::{Course, Ending, Series};
use super::log_query::TimedQuery;
use super::moments::{Minute, Span, minute_of, text_of};
use super::rule::{Answers, Dimension, Question, complete_id, minutes, passes, text};
use crate::azure::ResourceId;
use crate::protocol::Sampled;

/// The most moments at which a query is looked at: all of them are one request.
const MOST_MOMENTS: usize = 48;
/// The time in which a table that is in use has a row, in minutes.
const TIME_OF_A_TABLE: i64 = 30 * 1440;
/// The column of the time, by which Azure tells windows apart.
const TIME: &str = "TimeGenerated";

/// A rule.
#[derive(Debug)]
pub(super) struct LogRule {
    scope: ResourceId,
    query: TimedQuery,
    frequency: i64,
    window: i64,
    /// The minutes that the query sees back.
    seen: i64,
    /// The windows that are looked at, and of how many of them the condition has to be met.
    periods: (i64, i64),
    aggregate: Aggregate,
    operator: String,
    threshold: f64,
    dimensions: Vec<Dimension>,
    /// Whether the result tells by its time in which window a row is.
    has_time: bool,
    ending: Ending,
    span: Span,
    moments: Vec<Minute>,
    sampled: Option<Sampled>,
}

/// The aggregate that is compared with the threshold.
#[derive(Debug, Clone, PartialEq)]
enum Aggregate {
    Rows,
    Of { function: &'static str, column: String },
}

impl LogRule {
    pub(super) fn of(properties: &Value, span: Span) -> Result<LogRule, String> {
        let condition = &properties["criteria"]["allOf"][0];
        let not_known = || "Its condition is in a form that is not known.".to_owned();
        let scope = complete_id(&properties["scopes"][0])?;
        let written = condition["query"].as_str().ok_or_else(not_known)?;
        let query = TimedQuery::of(written)?;
        let length = |member: &str| minutes(&properties[member]).ok_or_else(|| format!("Its {member} is not known."));
        let (frequency, window) = (length("evaluationFrequency")?, length("windowSize")?);
        let has_time = crate::kusto::Query::read(written).gives_column(TIME);
        let failing = &condition["failingPeriods"];
        let number = |member: &str| failing[member].as_i64().filter(|number| *number > 0).unwrap_or(1);
        let periods =
            if has_time { (number("numberOfEvaluationPeriods"), number("minFailingPeriodsToAlert")) } else { (1, 1) };
        let overridden = minutes(&properties["overrideQueryTimeRange"]);
        let mut dimensions = Dimension::all(condition);
        if let Some(column) = condition["resourceIdColumn"].as_str() {
            dimensions.push(Dimension { name: column.to_owned(), excludes: false, values: vec!["*".to_owned()] });
        }
        let function = match text(condition, "timeAggregation") {
            "" | "Count" => None,
            "Average" => Some("avg"),
            "Maximum" => Some("max"),
            "Minimum" => Some("min"),
            "Total" => Some("sum"),
            _ => return Err(not_known()),
        };
        let aggregate = function.map_or(Aggregate::Rows, |function| Aggregate::Of {
            function,
            column: text(condition, "metricMeasureColumn").to_owned(),
        });
        let mut moments = span.evaluations(frequency);
        let all = moments.len();
        let is_exact = aggregate == Aggregate::Rows && query.is_row_by_row && has_time && overridden.is_none();
        if !is_exact && all > MOST_MOMENTS {
            moments = (0..MOST_MOMENTS).map(|index| moments[(index + 1) * all / MOST_MOMENTS - 1]).collect();
        }
        let sampled = (moments.len() < all).then_some(Sampled { moments: moments.len(), of: all });
        Ok(LogRule {
            scope,
            query,
            frequency,
            window,
            seen: overridden.unwrap_or_default().max(window * periods.0),
            periods,
            aggregate,
            operator: text(condition, "operator").to_owned(),
            threshold: condition["threshold"].as_f64().ok_or_else(not_known)?,
            dimensions,
            has_time,
            ending: ending(properties, frequency),
            span,
            moments,
            sampled,
        })
    }

    /// Whether one look at the whole time tells every window: their rows are counted by steps of which all of them are made.
    fn step(&self) -> Option<i64> {
        let every_moment = self.moments.len() > MOST_MOMENTS;
        every_moment.then(|| gcd(self.frequency, self.window))
    }

    pub(super) fn question(&self) -> Question {
        let now = self.span.to;
        let legs: Vec<String> = match (self.step(), self.moments.first(), self.moments.last()) {
            (Some(step), Some(first), Some(last)) => {
                let by = format!("_at = bin({TIME}, {step}m)");
                vec![self.leg(first - self.seen, *last, &by, "")]
            }
            _ => self.moments.iter().map(|moment| self.at_moment(*moment)).collect(),
        };
        let tables = self.query.tables.iter().map(|table| {
            let from = literal(now - TIME_OF_A_TABLE);
            format!("({table} | where {TIME} >= {from} | take 1 | summarize _value = todouble(count()) | extend _table = '{table}')")
        });
        let legs: Vec<String> = legs.into_iter().chain(tables).collect();
        let query = format!(
            "let _svcRule = (_svcFrom: datetime, _svcTo: datetime) {{\n{}\n}};\nunion\n{}",
            self.query.text,
            legs.join(",\n")
        );
        let first = self.moments.first().copied().unwrap_or(now);
        let span = Span { from: (first - self.seen).min(now - TIME_OF_A_TABLE), to: now };
        Question::Log {
            path: format!("{}/providers/Microsoft.Insights/logs", self.scope),
            body: json!({"query": query, "timespan": span.text()}),
        }
    }

    /// The values at one moment.
    fn at_moment(&self, moment: Minute) -> String {
        let first = moment - self.window * self.periods.0;
        let by = if self.periods.0 > 1 {
            format!("_period = tolong(bin(({TIME} - {}) / {}m, 1))", literal(first), self.window)
        } else {
            String::new()
        };
        self.leg(moment - self.seen, moment, &by, &format!(" | extend _at = {}", literal(moment)))
    }

    /// The values of the query over some time, told apart by the dimensions and something more.
    fn leg(&self, from: Minute, to: Minute, by: &str, after: &str) -> String {
        let mut leg = format!("(_svcRule({}, {})", literal(from), literal(to));
        if self.has_time && self.seen > self.window * self.periods.0 {
            leg.push_str(&format!(" | where {TIME} >= {}", literal(to - self.window * self.periods.0)));
        }
        for dimension in self.dimensions.iter().filter(|dimension| !dimension.is_all()) {
            let values: Vec<String> = dimension.values.iter().map(|value| json!(value).to_string()).collect();
            let operator = if dimension.excludes { "!in" } else { "in" };
            leg.push_str(&format!(" | where tostring({}) {operator} ({})", dimension.name, values.join(", ")));
        }
        let value = match &self.aggregate {
            Aggregate::Rows => "todouble(count())".to_owned(),
            Aggregate::Of { function, column } => format!("todouble({function}({column}))"),
        };
        let names = self.dimensions.iter().enumerate();
        let by: Vec<String> = names
            .map(|(index, dimension)| format!("_{index} = tostring({})", dimension.name))
            .chain(Some(by.to_owned()).filter(|by| !by.is_empty()))
            .collect();
        let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
        leg.push_str(&format!(" | summarize _value = {value}{by}{after})"));
        leg
    }

    pub(super) fn course(&self, answers: &Answers) -> Result<Course, String> {
        let passes = passes(&self.operator, self.threshold)?;
        let rows = rows_of(answers)?;
        // Of each time series, the values at a time, or at a moment and in one of its periods.
        let mut values: BTreeMap<Vec<String>, BTreeMap<(Minute, i64), f64>> = BTreeMap::new();
        for row in rows
            .iter()
            .filter(|row| row.get("_table").is_none_or(|table| table.as_str().unwrap_or_default().is_empty()))
        {
            let Some(at) = row.get("_at").and_then(|at| minute_of(at.as_str()?)) else { continue };
            let of =
                |index: usize| row.get(format!("_{index}").as_str()).and_then(|name| name.as_str()).unwrap_or_default();
            let key = (0..self.dimensions.len()).map(|index| of(index).to_owned()).collect();
            let period = row.get("_period").and_then(|period| period.as_f64()).unwrap_or_default();
            if let Some(value) = row.get("_value").and_then(|value| value.as_f64()) {
                values.entry(key).or_default().insert((at, period as i64), value);
            }
        }
        if self.dimensions.is_empty() {
            values.entry(Vec::new()).or_default();
        }
        let is_met = |found: &BTreeMap<(Minute, i64), f64>, moment: Minute| {
            let failing = (0..self.periods.0).filter(|period| {
                let value = self.value(found, moment, *period);
                value.is_some_and(&passes)
            });
            failing.count() as i64 >= self.periods.1
        };
        let series = values.iter().map(|(key, found)| Series {
            name: key.iter().map(|name| name.rsplit('/').next().unwrap_or_default()).collect::<Vec<_>>().join(", "),
            met: self.moments.iter().map(|moment| Some(is_met(found, *moment))).collect(),
        });
        let spacing = match self.sampled {
            Some(_) => self.span.minutes() / i64::try_from(self.moments.len().max(1)).unwrap_or(1),
            None => self.frequency,
        };
        let series = series.collect();
        Ok(Course {
            span: self.span,
            moments: self.moments.clone(),
            spacing,
            series,
            ending: self.ending,
            sampled: self.sampled,
        })
    }

    /// The value of a time series in a period of a moment, of which the last one ends with it.
    fn value(&self, found: &BTreeMap<(Minute, i64), f64>, moment: Minute, period: i64) -> Option<f64> {
        // Where nothing tells rows apart there are none in a window without any; a thing that is told apart is not there.
        let none = (self.aggregate == Aggregate::Rows && self.dimensions.is_empty()).then_some(0.0);
        if self.step().is_none() {
            return found.get(&(moment, period)).copied().or(none);
        }
        let end = moment - self.window * (self.periods.0 - 1 - period);
        let window = found.range((end - self.window, 0)..(end, 0)).map(|(_, count)| *count);
        window.reduce(|one, other| one + other).or(none)
    }

    /// All of its tables, where none of them has had a row for thirty days.
    pub(super) fn empty_tables(&self, answers: &Answers) -> Vec<String> {
        let rows = rows_of(answers).unwrap_or_default();
        let is_empty = |table: &String| {
            let count = rows.iter().find(|row| row.get("_table").and_then(|name| name.as_str()) == Some(table));
            count.and_then(|row| row.get("_value")?.as_f64()) == Some(0.0)
        };
        if self.query.tables.iter().all(is_empty) { self.query.tables.clone() } else { Vec::new() }
    }
}

/// The way in which the alerts of a rule end. The time without the condition after which they resolve depends on how often the rule runs.
fn ending(properties: &Value, frequency: i64) -> Ending {
    if properties["autoMitigate"].as_bool().unwrap_or_default() {
        let after = match frequency {
            ..5 => 10,
            5..=15 => 3 * frequency,
            16..=660 => 2 * frequency,
            _ => frequency,
        };
        return Ending::Resolves { after };
    }
    Ending::Stateless { muted: minutes(&properties["muteActionsDuration"]).unwrap_or_default() }
}

/// The rows of an answer, by the names of their columns.
fn rows_of(answers: &Answers) -> Result<Vec<BTreeMap<&str, &Value>>, String> {
    let not_known = "The answer to its query is not in the form of one.";
    let table = answers.first().map(|answer| &answer["tables"][0]).ok_or(not_known)?;
    let (columns, rows) = table["columns"].as_array().zip(table["rows"].as_array()).ok_or(not_known)?;
    let names: Vec<&str> = columns.iter().map(|column| text(column, "name")).collect();
    if !rows.iter().all(Value::is_array) {
        return Err(not_known.to_owned());
    }
    Ok(rows.iter().map(|row| names.iter().copied().zip(row.as_array().into_iter().flatten()).collect()).collect())
}

fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// A moment as a literal of a query.
fn literal(minute: Minute) -> String {
    format!("datetime({})", text_of(minute))
}
