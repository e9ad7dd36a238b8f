//! The receivers of an action group: one table of their kinds, one of what their members have to look like. Their members
//! have one name in the settings and in Azure.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::settings::ActionGroup;
use crate::azure::ResourceId;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::{Retired, notice};
use crate::naming::{Architecture, NameRequest, ResourceKind, normalise_location};
use crate::protocol::{FindingCode, not_valid_unquoted};
use crate::settings::Place;

/// A kind of receivers.
struct ReceiverKind {
    /// The list in the settings, which is also part of the names of receivers.
    list: &'static str,
    /// The list in the body.
    path: &'static str,
    /// Whether Azure has the common alert schema for it; for the others the member is unknown.
    has_common_alert_schema: bool,
    /// The most that a group takes; none where Azure documents no limit.
    most: Option<usize>,
    /// The receivers that the settings have.
    of: fn(&ActionGroup) -> Vec<Value>,
}

/// Sources: REST specification 2023-01-01 of action groups, and "Azure Monitor service limits", action groups.
const KINDS: &[ReceiverKind] = &[
    kind("armRoles", "properties.armRoleReceivers", true, Some(10), |group| values(group.arm_roles.as_deref())),
    kind("emails", "properties.emailReceivers", true, Some(1000), |group| values(group.emails.as_deref())),
    kind("functions", "properties.azureFunctionReceivers", true, None, |group| values(group.functions.as_deref())),
    kind("itsm", "properties.itsmReceivers", false, Some(10), |group| values(group.itsm.as_deref())),
    kind("logicApps", "properties.logicAppReceivers", true, Some(10), |group| values(group.logic_apps.as_deref())),
    kind("notifications", "properties.azureAppPushReceivers", false, Some(10), |group| {
        values(group.notifications.as_deref())
    }),
    kind("runbooks", "properties.automationRunbookReceivers", true, Some(10), |group| {
        values(group.runbooks.as_deref())
    }),
    kind("sms", "properties.smsReceivers", false, Some(10), |group| values(group.sms.as_deref())),
    kind("voice", "properties.voiceReceivers", false, Some(10), |group| values(group.voice.as_deref())),
    kind("webhooks", "properties.webhookReceivers", true, Some(10), |group| values(group.webhooks.as_deref())),
];

const fn kind(
    list: &'static str,
    path: &'static str,
    has_common_alert_schema: bool,
    most: Option<usize>,
    of: fn(&ActionGroup) -> Vec<Value>,
) -> ReceiverKind {
    ReceiverKind { list, path, has_common_alert_schema, most, of }
}

fn values<T: Serialize>(receivers: Option<&[T]>) -> Vec<Value> {
    receivers.into_iter().flatten().filter_map(|receiver| serde_json::to_value(receiver).ok()).collect()
}

/// Locations of workspaces with ITSM connections (REST specification of action groups).
const ITSM_LOCATIONS: &[&str] = &[
    "australiasoutheast",
    "canadacentral",
    "centralindia",
    "eastus",
    "japaneast",
    "southeastasia",
    "uksouth",
    "westcentralus",
    "westeurope",
];

/// The longest email address (REST specification of action groups).
const LONGEST_EMAIL_ADDRESS: usize = 64;

/// The form that a member of a receiver has to have. The value is never quoted: an address may stand in the wrong member.
struct Rule {
    members: &'static [&'static str],
    /// Whether Azure may take it all the same, so that it is only a warning.
    is_doubtful: bool,
    fits: fn(&str) -> bool,
    needed: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        members: &["emailAddress"],
        is_doubtful: false,
        fits: is_email_address,
        needed: "expected an email address of at most 64 characters",
    },
    Rule {
        members: &["roleId", "objectId", "tenantId"],
        is_doubtful: false,
        fits: |text| uuid::Uuid::try_parse(text).is_ok(),
        needed: "expected a GUID",
    },
    Rule {
        members: &["ticketConfiguration"],
        is_doubtful: false,
        fits: is_json_object,
        needed: "expected a JSON object as text",
    },
    Rule {
        members: &["countryCode", "phoneNumber"],
        is_doubtful: false,
        fits: is_number_to_call,
        needed: "expected a phone number of digits, spaces and + - ( )",
    },
    Rule {
        members: &["automationAccountId", "functionAppResourceId", "resourceId", "webhookResourceId"],
        is_doubtful: true,
        fits: |text| ResourceId::checked(text).is_some(),
        needed: "expected a resource id that begins with /subscriptions/; it is sent as it is written",
    },
    Rule {
        members: &["callbackUrl", "httpTriggerUrl", "serviceUri"],
        is_doubtful: false,
        fits: |text| begins_with(text, "https://") || begins_with(text, "http://"),
        needed: "expected a URL that begins with https:// or http://",
    },
];

fn is_email_address(text: &str) -> bool {
    text.chars().count() <= LONGEST_EMAIL_ADDRESS
        && !text.contains(char::is_whitespace)
        && text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
}

fn is_json_object(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

fn is_number_to_call(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || " +-()".contains(letter))
}

fn begins_with(text: &str, start: &str) -> bool {
    text.len() > start.len() && text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Each list of the body, with the setting that it comes from.
pub(super) fn lists() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().map(|kind| (kind.path, kind.list))
}

/// Sets every list of receivers in the body of an action group. A list that the settings do not have is set empty: who
/// was taken out of the document is told no more.
pub(super) fn set(group: &ActionGroup, place: &Place, body: &mut Value, compilation: &mut Compilation<'_>) {
    let mut names: HashMap<String, Place> = HashMap::new();
    for kind in KINDS {
        let place = place.dotted(kind.list);
        let mut receivers = (kind.of)(group);
        if let Some(most) = kind.most.filter(|most| receivers.len() > *most) {
            let message =
                format!("{} receivers are too many; an action group takes at most {most} of them", receivers.len());
            compilation.finding(place.clone(), FindingCode::OutOfRange, message);
        }
        if kind.list == "itsm" && !receivers.is_empty() {
            compilation.warning(&place, notice(Retired::ItsmConnector));
        }
        for (index, receiver) in receivers.iter_mut().enumerate() {
            let place = place.index(index);
            check(receiver, &place, compilation);
            let name = format!("{}{}-{index}", group.name, kind.list);
            let (of_receiver, core) = (ResourceKind::ActionGroupReceiver, Architecture::Core);
            let request = NameRequest::new(of_receiver, &name, core, Some(super::GLOBAL));
            let name = compilation.part_name(&request, &place);
            if let Some(first) = names.insert(name.clone(), place.clone()) {
                let message = format!(
                    "its generated name '{name}' is also that of {} ({}), but names of receivers must be unique in an action group; give the group a shorter name",
                    first.path(),
                    first.show()
                );
                compilation.finding(place, FindingCode::DuplicateName, message);
            }
            receiver["name"] = json!(name);
            if kind.has_common_alert_schema {
                receiver["useCommonAlertSchema"] = json!(true);
            }
        }
        if let Some((object, list)) = kind.path.split_once('.') {
            body[object][list] = Value::Array(receivers);
        }
    }
}

/// A finding for each member that Azure would refuse, and a warning for each that is doubtful.
fn check(receiver: &mut Value, place: &Place, compilation: &mut Compilation<'_>) {
    for rule in RULES {
        for member in rule.members {
            if receiver.get(member).and_then(Value::as_str).is_some_and(|text| !(rule.fits)(text)) {
                let place = place.dotted(member);
                if rule.is_doubtful {
                    compilation.warning(&place, rule.needed);
                } else {
                    compilation.finding(place, FindingCode::ValueRefused, rule.needed);
                }
            }
        }
    }
    let Some(location) = receiver.get("region").and_then(Value::as_str).map(normalise_location) else { return };
    if !ITSM_LOCATIONS.contains(&location.as_str()) {
        compilation.finding(
            place.dotted("region"),
            FindingCode::UnknownValue,
            not_valid_unquoted(&location, ITSM_LOCATIONS),
        );
    }
    receiver["region"] = json!(location);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_from_what_azure_would_refuse() {
        let fits = |member: &str, text: &str| {
            RULES.iter().find(|rule| rule.members.contains(&member)).is_some_and(|rule| (rule.fits)(text))
        };
        for (member, good, bad) in [
            ("emailAddress", "ops@example.com", "ops"),
            ("emailAddress", "ops@example.com", "a b@example.com"),
            ("roleId", "43d0d8ad-25c7-4714-9337-8ba259a9fe05", "Reader"),
            ("ticketConfiguration", "{}", "[]"),
            ("phoneNumber", "(0)20 7946-0000", "call me"),
            ("countryCode", "+44", "+"),
            ("resourceId", "/Subscriptions/x", "logic-app"),
            ("serviceUri", "HTTPS://x", "ftp://x"),
            ("callbackUrl", "http://x", "https://"),
        ] {
            assert!(fits(member, good), "{member} {good}");
            assert!(!fits(member, bad), "{member} {bad}");
        }
        assert!(!is_email_address(&format!("{}@example.com", "x".repeat(60))));
    }
}
