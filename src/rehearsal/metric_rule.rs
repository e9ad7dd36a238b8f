//! Rules over metrics with fixed thresholds.
//!
//! Sources: azure-rest-api-specs, specification/monitor, Microsoft.Insights stable 2018-03-01, metricAlert_API.json (the rule), and 2024-02-01,
//! metrics_API.json (the values, of a resource or of all of a type and a region of a subscription); Azure Monitor, "Overview of Azure Monitor
//! alerts": a metric alert resolves when its condition is not met for three consecutive checks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use url::form_urlencoded;

use super::course::{Course, Ending, Series};
use super::moments::{Minute, Span, minute_of};
use super::rule::{Answers, Dimension, Question, complete_id, minutes, passes, text};
use crate::azure::ResourceId;

/// The lengths of time that Azure keeps values for, in minutes.
const GRAINS: &[(i64, &str)] = &[
    (1440, "P1D"),
    (720, "PT12H"),
    (360, "PT6H"),
    (60, "PT1H"),
    (30, "PT30M"),
    (15, "PT15M"),
    (5, "PT5M"),
    (1, "PT1M"),
];
/// The consecutive checks after which an alert resolves.
const CHECKS_TO_RESOLVE: i64 = 3;
/// The dimension that tells the resources of a subscription apart.
const RESOURCE: &str = "Microsoft.ResourceId";
/// The most time series of an answer.
const MOST_SERIES: usize = 1000;
/// A rule that does not resolve its alerts notifies at most every so many minutes.
const LEAST_BETWEEN: i64 = 5;

/// A rule.
#[derive(Debug)]
pub(super) struct MetricRule {
    scopes: Vec<ResourceId>,
    /// The type and the region of several resources.
    several: Option<(String, String)>,
    frequency: i64,
    window: i64,
    resolves: bool,
    criteria: Vec<Criterion>,
}

#[derive(Debug)]
struct Criterion {
    metric: String,
    namespace: String,
    aggregation: Aggregation,
    operator: String,
    threshold: f64,
    dimensions: Vec<Dimension>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aggregation {
    Average,
    Count,
    Maximum,
    Minimum,
    Total,
}

impl Aggregation {
    fn of(text: &str) -> Option<Aggregation> {
        Some(match text {
            "Average" => Aggregation::Average,
            "Count" => Aggregation::Count,
            "Maximum" => Aggregation::Maximum,
            "Minimum" => Aggregation::Minimum,
            "Total" => Aggregation::Total,
            _ => return None,
        })
    }

    /// The aggregations that have to be asked for it: an average of several grains is made of their totals and counts.
    fn asked(self) -> &'static str {
        match self {
            Aggregation::Average => "Average,Total,Count",
            Aggregation::Count => "Count",
            Aggregation::Maximum => "Maximum",
            Aggregation::Minimum => "Minimum",
            Aggregation::Total => "Total",
        }
    }

    /// The value of a window of points; none of no points.
    fn over(self, points: &[&Value]) -> Option<f64> {
        let numbers = |name: &str| points.iter().filter_map(|point| point[name].as_f64()).collect::<Vec<f64>>();
        let some = |values: Vec<f64>| Some(values).filter(|values| !values.is_empty());
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        match self {
            Aggregation::Average => match (some(numbers("total")), some(numbers("count"))) {
                (Some(totals), Some(counts)) if sum(&counts) > 0.0 => Some(sum(&totals) / sum(&counts)),
                _ => some(numbers("average")).map(|values| sum(&values) / values.len() as f64),
            },
            Aggregation::Count => some(numbers("count")).map(|values| sum(&values)),
            Aggregation::Total => some(numbers("total")).map(|values| sum(&values)),
            Aggregation::Maximum => numbers("maximum").into_iter().reduce(f64::max),
            Aggregation::Minimum => numbers("minimum").into_iter().reduce(f64::min),
        }
    }
}

impl MetricRule {
    pub(super) fn of(properties: &Value) -> Result<MetricRule, String> {
        let scopes = properties["scopes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let scopes: Vec<ResourceId> = scopes.iter().map(complete_id).collect::<Result<_, _>>()?;
        let criteria = properties["criteria"]["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        let criteria: Vec<Criterion> = criteria.iter().map(Criterion::of).collect::<Result<_, _>>()?;
        if criteria.is_empty() || scopes.is_empty() {
            return Err("Its condition is in a form that is not known.".to_owned());
        }
        let is_one = scopes.len() == 1 && scopes[0].group_id().is_some_and(|group| group != scopes[0]);
        let several = (!is_one).then(|| {
            (text(properties, "targetResourceType").to_owned(), text(properties, "targetResourceRegion").to_owned())
        });
        let length = |member: &str| minutes(&properties[member]).ok_or_else(|| format!("Its {member} is not known."));
        let (frequency, window) = (length("evaluationFrequency")?, length("windowSize")?);
        let resolves = properties["autoMitigate"].as_bool().unwrap_or(true);
        Ok(MetricRule { scopes, several, frequency, window, resolves, criteria })
    }

    /// The length of time of the values that are asked for: the longest of which both the window and the pause between two checks are made.
    fn grain(&self) -> (i64, &'static str) {
        let fits = |(length, _): &&(i64, &str)| self.window % length == 0 && self.frequency % length == 0;
        GRAINS.iter().find(fits).copied().unwrap_or((1, "PT1M"))
    }

    /// One question for each criterion that needs one of its own: those that differ in the metric only are asked together.
    pub(super) fn questions(&self, span: Span) -> Vec<Question> {
        let mut questions = Vec::new();
        for (criteria, _) in self.together() {
            let criterion = criteria[0];
            let names: BTreeSet<&str> = criteria.iter().map(|criterion| criterion.metric.as_str()).collect();
            let asked: BTreeSet<&str> =
                criteria.iter().flat_map(|criterion| criterion.aggregation.asked().split(',')).collect();
            let mut query = form_urlencoded::Serializer::new(String::new());
            query
                .append_pair("metricnames", &names.into_iter().collect::<Vec<_>>().join(","))
                .append_pair("metricnamespace", &criterion.namespace)
                .append_pair("timespan", &Span { from: span.from - self.window, ..span }.text())
                .append_pair("interval", self.grain().1)
                .append_pair("aggregation", &asked.into_iter().collect::<Vec<_>>().join(","));
            let split: Vec<String> = self.split(criterion).iter().map(|name| format!("{name} eq '*'")).collect();
            if !split.is_empty() {
                query.append_pair("$filter", &split.join(" and ")).append_pair("top", &MOST_SERIES.to_string());
            }
            let scope = match &self.several {
                None => self.scopes[0].to_string(),
                Some((_, region)) => {
                    query.append_pair("region", region);
                    format!("/subscriptions/{}", self.scopes[0].subscription_id().unwrap_or_default())
                }
            };
            let query = query.finish();
            questions.push(Question::Metrics { path: format!("{scope}/providers/Microsoft.Insights/metrics"), query });
        }
        questions
    }

    /// The criteria that are asked for together, and the places of each.
    fn together(&self) -> Vec<(Vec<&Criterion>, Vec<usize>)> {
        let mut groups: Vec<(Vec<&Criterion>, Vec<usize>)> = Vec::new();
        for (index, criterion) in self.criteria.iter().enumerate() {
            let key = |criterion: &Criterion| (criterion.namespace.clone(), self.split(criterion));
            match groups.iter_mut().find(|(others, _)| key(others[0]) == key(criterion)) {
                Some((others, places)) => {
                    others.push(criterion);
                    places.push(index);
                }
                None => groups.push((vec![criterion], vec![index])),
            }
        }
        groups
    }

    /// The dimensions by which time series are told apart.
    fn split(&self, criterion: &Criterion) -> Vec<String> {
        let resource = self.several.iter().map(|_| RESOURCE.to_owned());
        resource.chain(criterion.dimensions.iter().map(|dimension| dimension.name.clone())).collect()
    }

    pub(super) fn course(&self, span: Span, answers: &Answers) -> Result<Course, String> {
        let moments = span.evaluations(self.frequency);
        let mut of_criteria: Vec<BTreeMap<Vec<String>, Vec<Option<bool>>>> = vec![BTreeMap::new(); self.criteria.len()];
        for ((criteria, places), answer) in self.together().into_iter().zip(answers) {
            for (criterion, place) in criteria.into_iter().zip(places) {
                of_criteria[place] = self.states(criterion, &moments, answer)?;
            }
        }
        let name = |key: &[String]| {
            let short = |text: &String| text.rsplit('/').next().unwrap_or_default().to_owned();
            key.iter().map(short).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
        };
        // A rule with several conditions watches one time series of each of them, for each resource.
        let series = match of_criteria.as_slice() {
            [one] => one.iter().map(|(key, met)| Series { name: name(key), met: met.clone() }).collect(),
            several => {
                let resource = |key: &[String]| self.several.as_ref().and(key.first().cloned()).unwrap_or_default();
                let resources: BTreeSet<String> =
                    several.iter().flat_map(BTreeMap::keys).map(|key| resource(key)).collect();
                let of = |of_resource: &String| {
                    let at = |index: usize| {
                        let any = |states: &BTreeMap<Vec<String>, Vec<Option<bool>>>| {
                            let of = states.iter().filter(|(key, _)| resource(key) == *of_resource);
                            of.filter_map(|(_, met)| met[index]).reduce(|one, other| one || other)
                        };
                        several.iter().map(any).try_fold(true, |all, met| met.map(|met| all && met))
                    };
                    Series { name: name(std::slice::from_ref(of_resource)), met: (0..moments.len()).map(at).collect() }
                };
                resources.iter().map(of).collect()
            }
        };
        let ending = if self.resolves {
            Ending::Resolves { after: CHECKS_TO_RESOLVE * self.frequency }
        } else {
            Ending::Stateless { muted: self.frequency.max(LEAST_BETWEEN) }
        };
        Ok(Course { span, moments, spacing: self.frequency, series, ending, sampled: None })
    }

    /// The states of each time series of a criterion.
    fn states(
        &self,
        criterion: &Criterion,
        moments: &[Minute],
        answer: &Value,
    ) -> Result<BTreeMap<Vec<String>, Vec<Option<bool>>>, String> {
        let passes = passes(&criterion.operator, criterion.threshold)?;
        let is_it = |metric: &&Value| {
            metric["name"]["value"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(&criterion.metric))
        };
        let metric = answer["value"].as_array().into_iter().flatten().find(is_it);
        let mut states = BTreeMap::new();
        for one in metric.and_then(|metric| metric["timeseries"].as_array()).into_iter().flatten() {
            let Some(key) = self.key(criterion, one) else { continue };
            let points: BTreeMap<Minute, &Value> = one["data"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|point| Some((minute_of(point["timeStamp"].as_str()?)?, point)))
                .collect();
            let met = |moment: &Minute| {
                let window: Vec<&Value> =
                    points.range(moment - self.window..*moment).map(|(_, point)| *point).collect();
                criterion.aggregation.over(&window).map(&passes)
            };
            states.insert(key, moments.iter().map(met).collect());
        }
        Ok(states)
    }

    /// The values by which a time series is told apart, where the rule is about it.
    fn key(&self, criterion: &Criterion, series: &Value) -> Option<Vec<String>> {
        let value = |name: &str| {
            let metadata = series["metadatavalues"].as_array()?;
            let is_it =
                |data: &&Value| data["name"]["value"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(name));
            metadata.iter().find(is_it)?["value"].as_str().map(str::to_owned)
        };
        let mut key = Vec::new();
        if self.several.is_some() {
            let id = value(RESOURCE)?;
            let resource = ResourceId::checked(&id)?;
            if !self.scopes.iter().any(|scope| *scope == resource || resource.is_within(scope)) {
                return None;
            }
            key.push(id);
        }
        for dimension in &criterion.dimensions {
            key.push(value(&dimension.name).filter(|value| dimension.fits(value))?);
        }
        Some(key)
    }
}

impl Criterion {
    fn of(criterion: &Value) -> Result<Criterion, String> {
        if text(criterion, "criterionType") == "DynamicThresholdCriterion" {
            return Err("Its threshold is one that Azure learns, so only Azure knows.".to_owned());
        }
        let threshold = criterion["threshold"].as_f64();
        let aggregation = Aggregation::of(text(criterion, "timeAggregation"));
        match (threshold, aggregation) {
            (Some(threshold), Some(aggregation)) => Ok(Criterion {
                metric: text(criterion, "metricName").to_owned(),
                namespace: text(criterion, "metricNamespace").to_owned(),
                aggregation,
                operator: text(criterion, "operator").to_owned(),
                threshold,
                dimensions: Dimension::all(criterion),
            }),
            _ => Err("Its condition is in a form that is not known.".to_owned()),
        }
    }
}
