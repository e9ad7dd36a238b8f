//! The number of times that rules would have fired, computed in the most direct way from what was imported. It is written against Azure's documentation
//! ("Overview of Azure Monitor alerts", "Alerts and state"; "Create or edit a log search alert rule"; the metric alert rule of the REST reference)
//! and shares nothing with the engine.

use std::collections::BTreeMap;

/// The numbers that are counted of a rule.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) fired: usize,
    pub(super) notifications: usize,
    /// The minutes in which the condition was met for anything.
    pub(super) minutes: i64,
}

/// The ways in which alerts end.
#[derive(Debug, Clone, Copy)]
pub(super) enum State {
    /// Resolved after so many checks in a row without the condition.
    Stateful { checks: i64 },
    /// Notifications are muted for so many minutes after one.
    Stateless { muted: i64 },
}

/// The checks without the condition after which a log alert resolves.
pub(super) fn checks_of_log_alert(frequency: i64) -> i64 {
    match frequency {
        1 => 10,
        5..=15 => 3,
        16..=660 => 2,
        _ => 1,
    }
}

/// The outcome of a rule that is checked at these moments; `met` says for each thing whether its condition is met, nothing without a value.
pub(super) fn outcome(
    checks: &[i64],
    frequency: i64,
    state: State,
    things: &[String],
    met: impl Fn(&str, i64) -> Option<bool>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut met_at: BTreeMap<i64, bool> = BTreeMap::new();
    for thing in things {
        let states: Vec<(i64, bool)> = checks.iter().filter_map(|at| Some((*at, met(thing, *at)?))).collect();
        let mut is_open = false;
        let mut without = 0;
        let mut notified: Option<i64> = None;
        for (at, is_met) in states {
            *met_at.entry(at).or_default() |= is_met;
            match state {
                State::Stateful { .. } if is_met => {
                    without = 0;
                    if !is_open {
                        is_open = true;
                        outcome.fired += 1;
                        outcome.notifications += 1;
                    }
                }
                State::Stateful { checks } => {
                    without += 1;
                    if is_open && without == checks {
                        is_open = false;
                        outcome.notifications += 1;
                    }
                }
                State::Stateless { muted } if is_met => {
                    outcome.fired += 1;
                    if notified.is_none_or(|notified| at - notified >= muted) {
                        outcome.notifications += 1;
                        notified = Some(at);
                    }
                }
                State::Stateless { .. } => {}
            }
        }
    }
    outcome.minutes = met_at.values().filter(|met| **met).count() as i64 * frequency;
    outcome
}

/// The multiples of a frequency after `from`, up to `to`.
pub(super) fn checks(from: i64, to: i64, frequency: i64) -> Vec<i64> {
    (from + 1..=to).filter(|minute| minute % frequency == 0).collect()
}

/// Some values as one.
pub(super) fn aggregated(values: &[f64], how: &str) -> Option<f64> {
    let first = *values.first()?;
    let sum: f64 = values.iter().sum();
    Some(match how {
        "Average" => sum / values.len() as f64,
        "Total" => sum,
        "Count" => values.len() as f64,
        "Maximum" => values.iter().fold(first, |most, value| most.max(*value)),
        _ => values.iter().fold(first, |least, value| least.min(*value)),
    })
}

/// Whether a value passes a threshold.
pub(super) fn passes(value: f64, operator: &str, threshold: f64) -> bool {
    match operator.to_ascii_lowercase().as_str() {
        "greaterthan" => value > threshold,
        "greaterthanorequal" => value >= threshold,
        "lessthan" => value < threshold,
        "lessthanorequal" => value <= threshold,
        _ => value == threshold,
    }
}
