//! The words that people are told of a rehearsal.

use std::sync::Arc;

use serde_json::Value;

use super::firing::Firings;
use super::moments::{Span, length, text_of};
use super::rule::Rule;
use crate::protocol::{Rehearsal, Sampled, listed};

/// The most names that are told.
const MOST_NAMES: usize = 5;

/// The rehearsal of a rule, with that of the rule that it replaces.
#[must_use]
pub fn rehearsed(rule: &Rule, answers: &[Arc<Value>], before: Option<(&Rule, &[Arc<Value>])>, span: Span) -> Rehearsal {
    let course = match rule.course(answers) {
        Ok(course) => course,
        Err(reason) => return unknown(reason, span),
    };
    let firings = Firings::of(&course);
    let before = before.and_then(|(rule, answers)| Some(Firings::of(&rule.course(answers).ok()?).fired));
    let empty = if firings.fired == 0 { rule.empty_tables(answers) } else { Vec::new() };
    let reason = match empty.as_slice() {
        [] => None,
        [table] => Some(format!("Its table {table} has had no row for 30 days.")),
        tables => Some(format!("Its tables {} have had no row for 30 days.", listed(tables))),
    };
    let sentence = sentence(&firings, before, course.sampled, reason.as_deref(), span);
    let of_time = |minute: i64| {
        usize::try_from((minute - span.from) * 1000 / span.minutes().max(1)).unwrap_or_default().min(1000)
    };
    Rehearsal {
        fired: Some(firings.fired),
        fired_before: before,
        minutes: firings.minutes,
        last_fired: firings.last.map(text_of),
        fired_for: firings.by_name.iter().take(MOST_NAMES).map(|(name, _)| name.clone()).collect(),
        notifications: firings.messages * rule.action_groups,
        sampled: course.sampled,
        strip: firings.parts.iter().map(|(from, to)| [of_time(*from), of_time(*to)]).collect(),
        reason,
        sentence,
        ..over(span)
    }
}

/// The rehearsal of a rule of which nothing is known, for a reason.
#[must_use]
pub fn unknown(reason: impl Into<String>, span: Span) -> Rehearsal {
    let reason = reason.into();
    Rehearsal {
        sentence: format!("How often it would have fired is not known. {reason}"),
        reason: Some(reason),
        ..over(span)
    }
}

/// The rehearsal of a rule that is switched off: Azure does not evaluate it.
#[must_use]
pub fn disabled(span: Span) -> Rehearsal {
    let reason = "It is disabled.".to_owned();
    Rehearsal { fired: Some(0), sentence: format!("It never fires. {reason}"), reason: Some(reason), ..over(span) }
}

fn over(span: Span) -> Rehearsal {
    Rehearsal { from: text_of(span.from), to: text_of(span.to), ..Rehearsal::default() }
}

fn sentence(
    firings: &Firings,
    before: Option<usize>,
    sampled: Option<Sampled>,
    reason: Option<&str>,
    span: Span,
) -> String {
    let time = span.in_words();
    let times = |count: usize| match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let looked =
        sampled.map_or_else(String::new, |Sampled { moments, of }| format!(", sampled at {moments} of {of} moments"));
    let changed = before.filter(|before| *before != firings.fired);
    let is_always =
        firings.minutes > 0 && i64::try_from(firings.minutes).is_ok_and(|minutes| minutes >= span.minutes());
    let mut text = match firings.fired {
        0 => format!("In the last {time} it would never have fired"),
        fired => format!("In the last {time} it would have fired {}", times(fired)),
    };
    if let Some(before) = changed {
        text.push_str(&format!(" instead of {}", times(before)));
    }
    if firings.fired > 0 {
        if is_always {
            text.push_str(", all the time");
        } else if firings.minutes > 0 {
            text.push_str(&format!(", for {} in all", length(i64::try_from(firings.minutes).unwrap_or(i64::MAX))));
        }
        if let Some(last) = firings.last {
            text.push_str(&format!(", last at {}", text_of(last).replace('T', " ").replace(":00Z", " UTC")));
        }
        let names: Vec<&str> = firings.by_name.iter().take(MOST_NAMES).map(|(name, _)| name.as_str()).collect();
        let more = firings.by_name.len().saturating_sub(MOST_NAMES);
        if !names.is_empty() {
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            text.push_str(&format!(", on {}{more}", names.join("; ")));
        }
    }
    text.push_str(&looked);
    text.push('.');
    if let Some(reason) = reason {
        text.push_str(&format!(" {reason}"));
    }
    text
}
