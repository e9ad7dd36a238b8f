//! Diagnostic settings of Microsoft.Insights.

use std::collections::HashSet;

use serde_json::Value;

use super::{Listing, ResourceType};

/// Diagnostic settings, which extend another resource or a subscription.
pub static DIAGNOSTIC_SETTING: ResourceType = ResourceType {
    name: "Microsoft.Insights/diagnosticSettings",
    label: "diagnostic setting",
    // No stable version has the categories of metrics.
    api_version: "2021-05-01-preview",
    listing: Listing::InParent,
    // Of the resource that the setting extends; a request may not have them.
    read_only: &[
        "identity",
        "kind",
        "location",
        "tags",
        // Azure has retired them, and takes none that is on.
        "properties.logs[].retentionPolicy",
        "properties.metrics[].retentionPolicy",
    ],
    item_keys: &[("properties.logs", name_of), ("properties.metrics", name_of)],
    remainder: Some(not_sent_yet),
    ..ResourceType::PLAIN
};

/// The sinks that a setting sends to.
const SINKS: &[&str] = &["workspaceId", "storageAccountId", "eventHubAuthorizationRuleId"];

/// Logs that are the category group `audit` of their types, in lower case (Azure Monitor, "Supported Resource log
/// categories"). No type has two of them.
const AUDIT_LOGS: &[&str] = &["audit", "auditevent", "bastionauditlogs"];

/// Lists of logs that are as good as the category group `allLogs`, in lower case: those of application insights before the
/// logs of OpenTelemetry came (same source).
const ALL_LOGS: &[&[&str]] = &[&[
    "appavailabilityresults",
    "appbrowsertimings",
    "appdependencies",
    "appevents",
    "appexceptions",
    "appmetrics",
    "apppageviews",
    "appperformancecounters",
    "apprequests",
    "appsystemevents",
    "apptraces",
]];

/// The body of what is left to be sent beside what the resource's settings send already; none when that is nothing. Azure refuses a
/// second setting that sends the same to the same sink, so such a sink is taken out of the wanted setting, and of what is sent
/// to the others only what no other setting sends there is left.
fn not_sent_yet(desired: &Value, own: Option<&Value>, others: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    let others: Vec<&Value> = others.collect();
    let is_sent = |list: &str, wanted: &str, sink: &str| {
        others.iter().any(|other| goes_to(other, sink, desired) && sends(other, list, wanted))
    };
    let logs = sent(desired, "logs");
    let wanted = if logs.is_empty() { ("metrics", sent(desired, "metrics")) } else { ("logs", logs) };
    let (done, left): (Vec<&str>, Vec<&str>) = SINKS
        .iter()
        .filter(|sink| text(desired, sink).is_some())
        .partition(|sink| wanted.1.iter().all(|name| is_sent(wanted.0, name, sink)));
    if left.is_empty() {
        return None;
    }
    let mut body = desired.clone();
    let properties = body.get_mut("properties").and_then(Value::as_object_mut)?;
    properties.retain(|name, _| !done.contains(&name.as_str()));
    for list in ["logs", "metrics"] {
        let Some(entries) = properties.get_mut(list).and_then(Value::as_array_mut) else { continue };
        let is_left =
            |entry: &Value| name_of(entry).is_none_or(|name| left.iter().all(|sink| !is_sent(list, &name, sink)));
        // Where the sinks differ in what they lack, Azure says what it will not take.
        if list == "metrics" || entries.iter().any(is_left) {
            entries.retain(is_left);
        }
    }
    let is_done = own.is_some_and(|own| {
        left.iter().all(|sink| goes_to(own, sink, desired))
            && ["logs", "metrics"].iter().all(|list| sent(&body, list).iter().all(|name| sends(own, list, name)))
    });
    (!is_done).then_some(body)
}

fn text(setting: &Value, member: &str) -> Option<String> {
    setting.get("properties")?.get(member)?.as_str().map(str::to_ascii_lowercase)
}

/// Whether a setting sends to the sink that the desired one sends to.
fn goes_to(setting: &Value, sink: &str, desired: &Value) -> bool {
    text(setting, sink).is_some_and(|id| text(desired, sink) == Some(id))
}

/// The category, or category group, of an entry, in lower case. Azure writes both members, and null for the one that is not
/// there.
fn name_of(entry: &Value) -> Option<String> {
    let text = |member: &str| entry.get(member).and_then(Value::as_str);
    text("category").or_else(|| text("categoryGroup")).map(str::to_ascii_lowercase)
}

/// The categories of a list that a setting sends.
fn sent(setting: &Value, list: &str) -> HashSet<String> {
    let entries = setting.get("properties").and_then(|properties| properties.get(list)).and_then(Value::as_array);
    let is_on = |entry: &&Value| entry.get("enabled").and_then(Value::as_bool).unwrap_or_default();
    entries.into_iter().flatten().filter(is_on).filter_map(name_of).collect()
}

/// Whether a setting sends a category or category group: by its name, or by others that are the same logs.
fn sends(setting: &Value, list: &str, wanted: &str) -> bool {
    let sent = sent(setting, list);
    let has = |name: &str| sent.contains(name);
    let same = match wanted {
        _ if list != "logs" => false,
        "alllogs" => ALL_LOGS.iter().any(|logs| logs.iter().all(|name| has(name))),
        "audit" => has("alllogs") || AUDIT_LOGS.iter().any(|name| has(name)),
        log => has("alllogs") || AUDIT_LOGS.contains(&log) && has("audit"),
    };
    same || has(wanted)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn category(name: &str) -> Value {
        json!([{"category": name, "categoryGroup": null, "enabled": true}])
    }

    fn group(name: &str) -> Value {
        json!([{"category": null, "categoryGroup": name, "enabled": true}])
    }

    /// A setting that sends logs to the workspace `/w` and to a storage account.
    fn setting(logs: Value) -> Value {
        json!({"properties": {"workspaceId": "/w", "storageAccountId": "/s", "logs": logs}})
    }

    fn to_workspace(logs: Value) -> Value {
        json!({"properties": {"workspaceId": "/W", "logs": logs}})
    }

    #[test]
    fn what_is_sent_already_is_not_sent_again() {
        let classic: Vec<Value> =
            ALL_LOGS[0].iter().map(|name| json!({"category": name.to_uppercase(), "enabled": true})).collect();
        for (wanted, sent, is_sent) in [
            (category("BastionAuditLogs"), category("bastionauditlogs"), true),
            (category("BastionAuditLogs"), group("allLogs"), true),
            (category("BastionAuditLogs"), group("audit"), true),
            (category("Other"), group("audit"), false),
            (group("audit"), category("AuditEvent"), true),
            (group("audit"), group("allLogs"), true),
            (group("audit"), category("Other"), false),
            (group("allLogs"), group("audit"), false),
            (group("allLogs"), json!(classic[1..]), false),
            (group("allLogs"), json!(classic), true),
        ] {
            let desired = to_workspace(wanted);
            let expected = (!is_sent).then(|| desired.clone());
            assert_eq!(
                not_sent_yet(&desired, None, &mut [&setting(sent.clone())].into_iter()),
                expected,
                "{desired} beside {sent}"
            );
            assert_eq!(
                not_sent_yet(&desired, Some(&setting(sent.clone())), &mut [].into_iter()),
                expected,
                "{desired} and {sent}"
            );
            let mut off = sent;
            off.as_array_mut().unwrap().iter_mut().for_each(|entry| entry["enabled"] = json!(false));
            assert_eq!(not_sent_yet(&desired, None, &mut [&setting(off)].into_iter()), Some(desired));
        }
    }

    #[test]
    fn only_the_sinks_that_nobody_serves_are_left() {
        let desired = setting(category("Audit"));
        let other = to_workspace(category("Audit"));
        let left = json!({"properties": {"storageAccountId": "/s", "logs": category("Audit")}});
        assert_eq!(not_sent_yet(&desired, None, &mut [&other].into_iter()), Some(left.clone()));
        // Two others together, and one beside what is there already.
        let third = json!({"properties": {"storageAccountId": "/S", "logs": group("audit")}});
        assert_eq!(not_sent_yet(&desired, None, &mut [&other, &third].into_iter()), None);
        assert_eq!(not_sent_yet(&desired, Some(&left), &mut [&other].into_iter()), None);
        let elsewhere = json!({"properties": {"workspaceId": "/another", "logs": category("Audit")}});
        assert_eq!(not_sent_yet(&desired, None, &mut [&elsewhere].into_iter()), Some(desired));
    }

    #[test]
    fn only_the_logs_that_nobody_sends_are_left() {
        let logs = |names: &[&str]| names.iter().flat_map(|name| category(name).as_array().unwrap().clone()).collect();
        let desired = to_workspace(logs(&["Administrative", "Security", "Alert"]));
        let other = to_workspace(logs(&["Security"]));
        let left = to_workspace(logs(&["Administrative", "Alert"]));
        assert_eq!(not_sent_yet(&desired, None, &mut [&other].into_iter()), Some(left.clone()));
        assert_eq!(not_sent_yet(&desired, Some(&left), &mut [&other].into_iter()), None);
    }

    #[test]
    fn metrics_are_compared_in_the_setting_itself() {
        let desired =
            json!({"properties": {"workspaceId": "/w", "logs": category("Audit"), "metrics": category("AllMetrics")}});
        let mut own = desired.clone();
        assert_eq!(not_sent_yet(&desired, Some(&own), &mut [].into_iter()), None);
        own["properties"]["metrics"][0]["enabled"] = json!(false);
        assert_eq!(not_sent_yet(&desired, Some(&own), &mut [].into_iter()), Some(desired));
    }
}
