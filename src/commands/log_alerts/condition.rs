//! The condition of a rule: its query with parameters and filters, how its rows are counted, how far back it sees.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Value, json};

use super::definitions::Definition;
use super::parameters::{LONGEST_LOOK_BACK, ParameterType, look_back, reversed, written};
use super::query::{COMPUTER, Columns, Filtered, TIME, fill, filtered, mentions};
use super::rule::Rule;
use super::settings::{Dimension, FailingPeriods, Threshold};
use crate::commands::shared::alerts::{TimeAggregation, check_values, duration, whole};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::table_notice;
use crate::commands::shared::service::is_nothing;
use crate::commands::shared::wanted::Wanted;
use crate::kusto::{Query, minutes};
use crate::protocol::FindingCode;

/// The times that a rule can be told to look back, in minutes (azurerm provider, scheduled_query_rules_alert_v2).
const LOOK_BACKS: &[i64] = &[5, 10, 15, 20, 30, 45, 60, 120, 180, 240, 300, 360, 1440, LONGEST_LOOK_BACK];
/// The most dimensions of a rule (Azure Monitor, "Create a log search alert rule").
const MOST_DIMENSIONS: usize = 6;

impl Rule<'_> {
    /// The condition as Azure has it, of the query of the alert or of its definition, and how far it looks back where that is
    /// further than `window` minutes. Last come the places of the excluded names in its query.
    pub(super) fn condition(
        &self,
        (query, threshold): (&str, &Threshold),
        definition: Option<&Definition>,
        (frequency, window): (i64, i64),
        compilation: &mut Compilation<'_>,
    ) -> (Value, Value, Vec<Range<usize>>) {
        let values = self.parameters(query, definition, compilation);
        let periods = self.failing_periods(frequency, window, compilation);
        self.check_time_column(query, periods, compilation);
        let override_of = definition.filter(|_| self.alert.query.is_none());
        let seen = window * periods.number_of_evaluation_periods;
        let further = override_of.and_then(|definition| self.looks_back(definition, &values, seen, compilation));
        let filtered = self.query(query, &values, definition, compilation);
        self.check_measure(compilation);
        let condition = json!({
            "query": filtered.query,
            "timeAggregation": self.alert.time_aggregation.unwrap_or(TimeAggregation::Count),
            "metricMeasureColumn": self.alert.measure,
            "dimensions": self.dimensions(compilation),
            "operator": threshold.operator.wire(),
            "threshold": whole(threshold.value),
            "failingPeriods": {
                "numberOfEvaluationPeriods": periods.number_of_evaluation_periods,
                "minFailingPeriodsToAlert": periods.min_failing_periods_to_alert,
            },
        });
        (condition, further.map_or(Value::Null, |minutes| json!(duration(minutes))), filtered.names)
    }

    /// The query as it is sent: with its parameters and its filters.
    fn query(
        &self,
        query: &str,
        values: &BTreeMap<String, String>,
        definition: Option<&Definition>,
        compilation: &mut Compilation<'_>,
    ) -> Filtered {
        let place = self.place.dotted(if self.alert.query.is_some() { "query" } else { "definition" });
        let query = fill(query, values);
        let read = Query::read(&query);
        // What a definition says is checked where it is read; a parameter may still bring something in.
        if let Some(problem) = read.problem() {
            compilation.finding(place.clone(), FindingCode::QueryRefused, problem);
        }
        if let Some(notice) = table_notice(|table| read.reads(table)) {
            compilation.warning(&place, notice);
        }
        let columns = match definition {
            Some(definition) if self.alert.query.is_none() => {
                Columns::Named(definition.columns.as_deref().unwrap_or_default())
            }
            _ => Columns::Unknown,
        };
        let has_computer = definition.is_some_and(|definition| definition.has_column(COMPUTER));
        let excluded = self.excluded(has_computer, compilation);
        filtered(&query, columns, !self.alert.monitor_on_prem.unwrap_or_default(), &excluded)
    }

    /// The values of the parameters: those of the alert, else those of the definition.
    fn parameters(
        &self,
        query: &str,
        definition: Option<&Definition>,
        compilation: &mut Compilation<'_>,
    ) -> BTreeMap<String, String> {
        let mut values = definition.map(Definition::defaults).unwrap_or_default();
        let known: Vec<String> = values.keys().cloned().collect();
        let defaults = definition.and_then(|definition| definition.parameters.as_ref());
        let mut given = Vec::new();
        for (name, value) in self.alert.parameters.iter().flatten().filter(|(_, value)| !value.is_null()) {
            let place = self.place.dotted("parameters").member(name);
            if let Err(problem) = written(value) {
                compilation.finding(place, FindingCode::WrongType, problem);
                continue;
            }
            let declared = known.iter().find(|known| known.eq_ignore_ascii_case(name));
            let in_own_query = self.alert.query.is_some() && mentions(query, name);
            let Some(declared) = declared.or(Some(name).filter(|_| in_own_query)) else {
                let has = if known.is_empty() {
                    "it has no parameters".to_owned()
                } else {
                    format!("its parameters are {}", known.join(", "))
                };
                compilation.warning(&place, format!("the query has no parameter '{name}', so it is ignored; {has}"));
                continue;
            };
            let kind =
                defaults.and_then(|defaults| defaults.get(declared)).map_or(ParameterType::Text, ParameterType::of);
            match kind.text_of(value) {
                Ok(text) => {
                    values.insert(declared.clone(), text);
                    given.push(declared.clone());
                }
                Err(problem) => compilation.finding(place, FindingCode::WrongType, problem),
            }
        }
        self.check_order(&values, &given, compilation);
        values
    }

    /// A minimum that is not under its maximum contradicts the document, where that has both; beside a default it says that the
    /// rule never fires.
    fn check_order(&self, values: &BTreeMap<String, String>, given: &[String], compilation: &mut Compilation<'_>) {
        let is_given = |name: &str| given.iter().any(|given| given == name);
        for wrong in reversed(values) {
            let ((minimum, least), (maximum, most)) = (wrong.minimum, wrong.maximum);
            let named = if is_given(minimum) { minimum } else { maximum };
            let place = self.place.dotted("parameters").member(named);
            if is_given(minimum) && is_given(maximum) {
                let message = format!("{minimum} ({least}) must be less than {maximum} ({most})");
                compilation.finding(place, FindingCode::OutOfRange, message);
            } else if is_given(named) {
                let message = format!(
                    "{minimum} ({least}) is not less than {maximum} ({most}), so the alert can never fire; set both"
                );
                compilation.warning(&place, message);
            }
        }
    }

    /// The minutes that a rule with a definition has to look back, where that is more than the minutes it sees anyway.
    fn looks_back(
        &self,
        definition: &Definition,
        values: &BTreeMap<String, String>,
        seen: i64,
        compilation: &mut Compilation<'_>,
    ) -> Option<i64> {
        let mut spans = Vec::new();
        for (name, default) in
            definition.parameters.iter().flatten().filter(|(_, value)| ParameterType::of(value) == ParameterType::Span)
        {
            let Some(value) = values.get(name) else { continue };
            let length = minutes(value).or_else(|| minutes(default.as_str()?)).unwrap_or_default();
            // A query that looks for what is older than a time has to see more than that.
            let limit = definition.look_back_in_minutes.map_or(LONGEST_LOOK_BACK, |most| most - 1);
            if length > limit as f64 {
                let most = duration_of_query(limit);
                let message = format!("'{value}' is longer than the query can look back; use at most {most}");
                compilation.finding(self.place.dotted("parameters").member(name), FindingCode::OutOfRange, message);
            }
            spans.push(length);
        }
        let wanted = look_back(spans.into_iter()).max(definition.look_back_in_minutes.unwrap_or_default());
        (wanted > seen).then(|| LOOK_BACKS.iter().copied().find(|known| *known >= wanted).unwrap_or(LONGEST_LOOK_BACK))
    }

    /// The number of times that the threshold has to be passed; once of once unless the alert says otherwise.
    fn failing_periods(&self, frequency: i64, window: i64, compilation: &mut Compilation<'_>) -> FailingPeriods {
        let once = FailingPeriods { min_failing_periods_to_alert: 1, number_of_evaluation_periods: 1 };
        let Some(periods) = self.alert.failing_periods else { return once };
        let FailingPeriods { min_failing_periods_to_alert: least, number_of_evaluation_periods: number } = periods;
        let mut refuse = |member: &str, message: String| {
            let place = self.place.dotted("failingPeriods").dotted(member);
            compilation.finding(place, FindingCode::CombinationNotInAzure, message);
        };
        if least > number {
            let message = format!("{least} is more than the {number} evaluation periods");
            refuse("minFailingPeriodsToAlert", message);
        }
        if window >= frequency && window * number > LONGEST_LOOK_BACK {
            let message = format!(
                "{number} windows of {window} minutes are longer than the two days that Azure looks back; use at most {}",
                (LONGEST_LOOK_BACK / window).max(1)
            );
            refuse("numberOfEvaluationPeriods", message);
        }
        periods
    }

    /// Azure requires a column for what is aggregated, and refuses one for rows, which are counted (azurerm provider,
    /// scheduled_query_rules_alert_v2).
    fn check_measure(&self, compilation: &mut Compilation<'_>) {
        let aggregation = self.alert.time_aggregation;
        let is_counted = matches!(aggregation, None | Some(TimeAggregation::Count));
        match (&self.alert.measure, aggregation) {
            (None, Some(_)) if !is_counted => {
                let message = "required for every timeAggregation but Count: the column whose values are aggregated";
                compilation.finding(self.place.dotted("measure"), FindingCode::Missing, message);
            }
            (Some(_), None) => {
                let message = "required with measure: Average, Maximum, Minimum or Total of its values";
                compilation.finding(self.place.dotted("timeAggregation"), FindingCode::Missing, message);
            }
            (Some(column), _) if is_counted => {
                let message = format!(
                    "Count counts rows, whatever is in the column '{column}'; leave measure out, or use Average, Maximum, Minimum or Total"
                );
                let place = self.place.dotted("timeAggregation");
                compilation.finding(place, FindingCode::CombinationNotInAzure, message);
            }
            (Some(column), _) if column.trim().is_empty() => {
                compilation.finding(self.place.dotted("measure"), FindingCode::Missing, "the column is required");
            }
            _ => {}
        }
    }

    /// Azure tells several windows apart by a column of the result only (azurerm provider,
    /// scheduled_query_rules_alert_v2).
    fn check_time_column(&self, query: &str, periods: FailingPeriods, compilation: &mut Compilation<'_>) {
        if periods.number_of_evaluation_periods == 1 || Query::read(query).gives_column(TIME) {
            return;
        }
        let place = self.place.dotted("failingPeriods.numberOfEvaluationPeriods");
        let message =
            format!("the result of the query has no column {TIME}, which Azure needs for more than one period");
        if self.alert.query.is_some() {
            // Of a query of somebody else not every operator is known.
            compilation.warning(&place, message);
        } else {
            compilation.finding(place, FindingCode::CombinationNotInAzure, format!("{message}; use 1"));
        }
    }

    /// The columns by whose values the rows are told apart.
    fn dimensions(&self, compilation: &mut Compilation<'_>) -> Value {
        let place = self.place.dotted("dimensions");
        let dimensions: &[Dimension] = self.alert.dimensions.as_deref().unwrap_or_default();
        if dimensions.len() > MOST_DIMENSIONS {
            let message =
                format!("{} dimensions are too many; a log alert takes at most {MOST_DIMENSIONS}", dimensions.len());
            compilation.finding(place.clone(), FindingCode::OutOfRange, message);
        }
        for (index, dimension) in dimensions.iter().enumerate() {
            let place = place.index(index);
            if dimensions[..index].iter().any(|other| other.name == dimension.name) {
                let message = format!("duplicate dimension '{}'; put its values into one", dimension.name);
                compilation.finding(place.dotted("name"), FindingCode::DuplicateName, message);
            }
            check_values(&dimension.values, &place, compilation);
        }
        json!(dimensions)
    }

    /// The names of the resources that the alert is not for, each once.
    fn excluded(&self, has_computer: bool, compilation: &mut Compilation<'_>) -> Vec<String> {
        let place = self.place.dotted("exclusions");
        let exclusions: Vec<(usize, &String)> =
            self.alert.exclusions.iter().flatten().enumerate().filter(|(_, name)| !is_nothing(name)).collect();
        if exclusions.is_empty() {
            return Vec::new();
        }
        if !has_computer {
            let message = "the definition has no column Computer, which exclusions need; nothing is excluded";
            compilation.warning(&place, message);
            return Vec::new();
        }
        let mut names: Vec<String> = Vec::new();
        for (index, exclusion) in exclusions {
            for found in compilation.find(Wanted::Any).excepted_as(exclusion, &place.index(index)) {
                if !names.iter().any(|known| known.eq_ignore_ascii_case(found.id.name())) {
                    names.push(found.id.name().to_owned());
                }
            }
        }
        // Azure gives no order to what it lists, and another order would be another query.
        names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
        names
    }
}

/// Minutes as a literal of a query.
fn duration_of_query(minutes: i64) -> String {
    match minutes {
        minutes if minutes % 1440 == 0 => format!("{}d", minutes / 1440),
        minutes if minutes % 60 == 0 => format!("{}h", minutes / 60),
        minutes => format!("{minutes}m"),
    }
}
