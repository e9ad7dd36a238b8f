//! The activity log of a subscription.
//!
//! Source: azure-rest-api-specs, specification/monitor, Microsoft.Insights stable 2015-04-01, activityLogs_API.json.

use super::super::kusto::minutes_of;
use super::super::lists::Paging;
use super::super::path::ResourceId;
use super::super::query::Query;
use super::super::reply::{Answer, Refusal};
use super::super::state::State;
use super::changes::as_events;
use serde_json::{Map, Value, json};

/// The events of a subscription in some time, the newest first, a page of them.
pub(in super::super) fn events(
    state: &State,
    scope: &ResourceId,
    query: &Query,
    (base, path): (&str, &str),
    paging: Paging,
) -> Result<Answer, Refusal> {
    let filter = query.get("$filter").unwrap_or_default();
    let wrong = || Refusal::bad_request("BadRequest", format!("The filter '{filter}' is not known here."));
    let (mut from, mut to, mut of) = (f64::MIN, f64::MAX, None);
    for part in filter.split(" and ") {
        let text = |prefix: &str| part.trim().strip_prefix(prefix).map(|text| text.trim().trim_matches('\''));
        if let Some(text) = text("eventTimestamp ge ") {
            from = minutes_of(text).ok_or_else(wrong)?;
        } else if let Some(text) = text("eventTimestamp le ") {
            to = minutes_of(text).ok_or_else(wrong)?;
        } else if let Some(text) = text("resourceUri eq ") {
            of = Some(ResourceId::parse(text).ok_or_else(wrong)?.key());
        } else {
            return Err(wrong());
        }
    }
    let time = |event: &Map<String, Value>| event.get("eventTimestamp").and_then(Value::as_str).and_then(minutes_of);
    let is_meant = |event: &&Map<String, Value>| {
        let of_subscription = event.get("resourceId").and_then(Value::as_str).and_then(ResourceId::parse);
        let is_here = match (&of, of_subscription) {
            (Some(of), id) => id.is_some_and(|id| id.key() == *of),
            (None, id) => id.is_none_or(|id| id.subscription == scope.subscription),
        };
        is_here && time(event).is_some_and(|time| (from..=to).contains(&time))
    };
    let noted = as_events(state);
    let mut events: Vec<&Map<String, Value>> =
        state.telemetry().activity_log.iter().chain(&noted).filter(is_meant).collect();
    events.sort_by(|one, other| time(other).unwrap_or_default().total_cmp(&time(one).unwrap_or_default()));
    let first = query.get("$skiptoken").map_or(Ok(0), str::parse::<usize>).map_err(|_| wrong())?;
    let page: Vec<&Map<String, Value>> = events.iter().skip(first).take(paging.size).copied().collect();
    let next = first + page.len();
    let mut body = json!({"value": page});
    if next < events.len() {
        body["nextLink"] = json!(format!("{base}{path}?{}", query.with("$skiptoken", &next.to_string())));
    }
    Ok(Answer::json(200, body))
}
