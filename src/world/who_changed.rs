//! The changes and who made them: the questions to Azure Resource Graph and to the activity log.

use futures::StreamExt;
use futures::stream::iter;
use serde_json::{Value, json};

use crate::azure::{ArmClient, ArmError, READS_AT_ONCE, ResourceId};

/// The most resources of one query: an answer has at most 1,000 rows ("Working with large Azure resource data sets").
const RESOURCES_OF_A_QUERY: usize = 50;
/// The most resources whose events are asked for one by one.
pub const MOST_ASKED: usize = 50;
/// The days for which the activity log is kept.
const DAYS_OF_EVENTS: i64 = 90;

/// The rows of `resourcechanges` about these resources, of the last 14 days.
///
/// # Errors
/// The first request that fails.
pub async fn changes_of(client: &ArmClient, ids: &[ResourceId]) -> Result<Vec<Value>, ArmError> {
    let Some(subscription) = ids.first().and_then(ResourceId::subscription_id) else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for some in ids.chunks(RESOURCES_OF_A_QUERY) {
        // A quotation mark in a text is written as `\'`.
        let quoted: Vec<String> =
            some.iter().map(|id| format!("'{}'", id.as_str().replace('\\', "\\\\").replace('\'', "\\'"))).collect();
        let query = format!(
            "resourcechanges | where tostring(properties.targetResourceId) in~ ({}) | extend changed = tostring(properties.changeAttributes.timestamp) | order by changed desc | project properties",
            quoted.join(", ")
        );
        let body = json!({"subscriptions": [subscription], "query": query, "options": {"resultFormat": "objectArray", "$top": 1000}});
        let answer = client.resource_graph(&body).await?;
        rows.extend(answer.get("data").and_then(Value::as_array).into_iter().flatten().cloned());
    }
    Ok(rows)
}

/// The events of the activity log about these resources; of more than a few only those of the first.
///
/// # Errors
/// The first request that fails.
pub async fn events_of(client: &ArmClient, ids: &[ResourceId], now: i64) -> Result<Vec<Value>, ArmError> {
    let time = |second: i64| {
        let time = time::OffsetDateTime::from_unix_timestamp(second).unwrap_or(time::OffsetDateTime::UNIX_EPOCH);
        time.format(&time::format_description::well_known::Rfc3339).unwrap_or_default()
    };
    // Whole seconds: what happened in this one is to be among them.
    let (from, to) = (time(now - DAYS_OF_EVENTS * 86_400 + 60), time(now + 1));
    let ask = |id: &ResourceId| {
        let filter = format!("eventTimestamp ge '{from}' and eventTimestamp le '{to}' and resourceUri eq '{id}'");
        let path = id.subscription_id().map(|subscription| {
            format!("/subscriptions/{subscription}/providers/Microsoft.Insights/eventtypes/management/values")
        });
        async move {
            match path {
                Some(path) => client.events(&path, &format!("$filter={filter}")).await,
                None => Ok((Value::Null, false)),
            }
        }
    };
    let mut events = Vec::new();
    let mut answers = iter(ids.iter().take(MOST_ASKED).map(ask)).buffer_unordered(READS_AT_ONCE);
    while let Some(answer) = answers.next().await {
        let (found, _) = answer?;
        events.extend(found.as_array().into_iter().flatten().cloned());
    }
    Ok(events)
}
