//! The parts that the alert rules of Microsoft.Insights have in common.

use super::action_groups::ACTION_GROUP;
use super::{Refusal, ResourceId, State, Write, properties_mut, property, text};
use crate::locations::run_together;
use crate::lookup::look_up;
use crate::state::Body;
use serde_json::Value;

/// The most action groups of a rule. Source: learn.microsoft.com, "Action groups".
const MOST_ACTION_GROUPS: usize = 5;

/// The refusal of a value that no published error code is known for.
pub(super) fn bad_request(message: String) -> Refusal {
    Refusal::bad_request("BadRequest", message)
}

/// Up to 260 characters, no blank or full stop at the end, and none of the `illegal` ones. Source: learn.microsoft.com,
/// "Naming rules and restrictions for Azure resources".
pub(super) fn check_name(id: &ResourceId, illegal: &str) -> Result<(), Refusal> {
    let name = id.name();
    if name.chars().count() <= 260
        && !name.contains(|letter: char| illegal.contains(letter) || letter.is_control())
        && !name.ends_with([' ', '.'])
    {
        return Ok(());
    }
    Err(bad_request(format!(
        "The name '{name}' is invalid: it can have at most 260 characters, none of {illegal}, and no space or full stop at the end."
    )))
}

/// Texts of at most so many characters.
pub(super) fn check_description(body: &Body, most: usize) -> Result<(), Refusal> {
    let length = text(body, "properties/description").map_or(0, |text| text.chars().count());
    if length <= most {
        return Ok(());
    }
    Err(bad_request(format!("The description has {length} characters. At most {most} are allowed.")))
}

/// From 0, critical, to 4, verbose.
pub(super) fn check_severity(body: &Body) -> Result<(), Refusal> {
    match property(body, "severity").and_then(Value::as_u64) {
        Some(0..=4) => Ok(()),
        _ => Err(bad_request("The severity of an alert rule is one of 0, 1, 2, 3 and 4.".to_owned())),
    }
}

/// The action groups of a rule exist. A rule keeps the id of one that is deleted later on.
pub(super) fn check_action_groups(write: &Write<'_>, ids: &[&str]) -> Result<(), Refusal> {
    if ids.len() > MOST_ACTION_GROUPS {
        return Err(bad_request(format!(
            "The rule has {} action groups. An alert rule has at most {MOST_ACTION_GROUPS}.",
            ids.len()
        )));
    }
    for text in ids {
        let there = ResourceId::parse(text).is_some_and(|id| {
            id.type_name().eq_ignore_ascii_case(ACTION_GROUP) && write.state.get(&id.key()).is_some()
        });
        if !there {
            // The wording is in issue Azure/azure-powershell 11102.
            return Err(bad_request(format!(
                "Arm resource {text} is invalid or in a different subscription as alert rule."
            )));
        }
    }
    Ok(())
}

/// The values of a member that the objects of a list have: ids of action groups.
pub(super) fn members<'a>(list: Option<&'a Value>, name: &str) -> Vec<&'a str> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    items.map(|item| item.get(name).and_then(Value::as_str).unwrap_or_default()).collect()
}

/// The items of a list that are texts; none where there is no list.
pub(super) fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The run-together region of what a rule watches, which has to be there; `None` for a group, a subscription and what has none.
pub(super) fn region_of_scope(state: &State, scope: &ResourceId) -> Result<Option<String>, Refusal> {
    look_up(state, scope)?;
    if scope.is_container() {
        return Ok(None);
    }
    let top = look_up(state, &scope.top())?;
    Ok(text(&top, "location").map(run_together))
}

/// A duration in minutes: `PT1H` is 60, in any letter case. `None` where it is no duration of whole minutes.
pub(super) fn minutes(duration: &str) -> Option<u32> {
    let duration = duration.to_ascii_uppercase();
    let rest = duration.strip_prefix('P')?;
    let (days, time) = match rest.split_once('T') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (rest, ""),
    };
    let mut total = 0_u32;
    let mut found = false;
    for (part, units) in [(days, &[('D', 1440)][..]), (time, &[('H', 60), ('M', 1)][..])] {
        let mut rest = part;
        for (letter, factor) in units {
            if let Some((number, more)) = rest.split_once(*letter) {
                let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                let number: u32 = number.parse().ok().filter(|_| digits)?;
                total = total.checked_add(number.checked_mul(*factor)?)?;
                (rest, found) = (more, true);
            }
        }
        if !rest.is_empty() {
            return None;
        }
    }
    found.then_some(total)
}

/// A duration as Azure prints it: 60 minutes are `PT1H`, 1440 are `P1D`.
fn duration(minutes: u32) -> String {
    let part = |number: u32, letter: char| if number == 0 { String::new() } else { format!("{number}{letter}") };
    let (days, time) =
        (part(minutes / 1440, 'D'), format!("{}{}", part(minutes % 1440 / 60, 'H'), part(minutes % 60, 'M')));
    match (days.is_empty(), time.is_empty()) {
        (true, true) => "PT0S".to_owned(),
        (_, true) => format!("P{days}"),
        _ => format!("P{days}T{time}"),
    }
}

/// Prints durations as Azure does.
pub(super) fn print_durations(body: &mut Body, names: &[&str]) {
    let Some(properties) = properties_mut(body) else { return };
    for name in names {
        if let Some(value) = properties.get(*name).and_then(Value::as_str).and_then(minutes).map(duration) {
            properties.insert((*name).to_owned(), value.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_printed() {
        for (text, expected, printed) in [
            ("PT1M", 1, "PT1M"),
            // azure-rest-api-specs, 2018-03-01 `createOrUpdateMetricAlertSingleResource`.
            ("Pt15m", 15, "PT15M"),
            ("PT60M", 60, "PT1H"),
            ("PT24H", 1440, "P1D"),
            ("P1D", 1440, "P1D"),
            ("P1DT1H30M", 1530, "P1DT1H30M"),
            ("P2D", 2880, "P2D"),
            ("PT0M", 0, "PT0S"),
        ] {
            assert_eq!(minutes(text), Some(expected), "{text}");
            assert_eq!(duration(expected), printed);
        }
        for text in
            ["", "P", "PT", "5", "PT5", "5M", "P5M", "PT5S", "PT1M1H", "PT-5M", "PT+5M", "P1DT", "PT99999999999M"]
        {
            assert_eq!(minutes(text), None, "{text}");
        }
    }
}
