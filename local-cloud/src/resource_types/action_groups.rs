//! Microsoft.Insights/actionGroups: who is told when an alert fires, and how.
//!
//! Sources: members of receivers, azure-rest-api-specs 2023-01-01 and 2024-10-01-preview; limits, MicrosoftDocs
//! azure-monitor-docs includes/azure-monitor-limits-action-groups.md; the codes `GroupShortNameIsTooLong` and
//! `AutomationRunbookReceiverNameIsNullOrEmpty`, issues Azure/bellhop 72 and MicrosoftDocs/azure-docs 37405.

use super::alert_rules::bad_request;
use super::shape;
use super::{Call, Companion, Refusal, Write, changed, fill, list, list_mut, properties_mut, text};
use crate::state::Body;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const ACTION_GROUP: &str = "Microsoft.Insights/actionGroups";

/// The regions of a group beside `Global`. Source: learn.microsoft.com, "Action groups".
pub(super) const REGIONS: &[&str] = &["germanywestcentral", "northcentralus", "southcentralus", "swedencentral"];

pub(super) const ILLEGAL_IN_NAMES: &str = "/&%\\?";

const LONGEST_SHORT_NAME: usize = 12;
const LONGEST_EMAIL_ADDRESS: usize = 64;
/// The most receivers of a kind.
fn most(list: &str) -> usize {
    if list == "emailReceivers" { 1000 } else { 10 }
}

/// The error code for a receiver without a name: `AutomationRunbookReceiverNameIsNullOrEmpty`.
fn code_for_no_name(list: &str) -> String {
    let (first, rest) = list.split_at(1);
    format!("{}{}NameIsNullOrEmpty", first.to_uppercase(), rest.trim_end_matches('s'))
}

/// The formats of the members of receivers. Ids of what receivers run are taken as they are written.
#[derive(Clone, Copy)]
enum Format {
    EmailAddress,
    Guid,
    Json,
    PhoneNumber,
    WebAddress,
}

const FORMATS: &[(&str, Format)] = &[
    ("emailAddress", Format::EmailAddress),
    ("roleId", Format::Guid),
    ("objectId", Format::Guid),
    ("tenantId", Format::Guid),
    ("subscriptionId", Format::Guid),
    ("ticketConfiguration", Format::Json),
    ("countryCode", Format::PhoneNumber),
    ("phoneNumber", Format::PhoneNumber),
    ("serviceUri", Format::WebAddress),
    ("callbackUrl", Format::WebAddress),
    ("httpTriggerUrl", Format::WebAddress),
];

impl Format {
    fn fits(self, text: &str) -> bool {
        match self {
            Format::EmailAddress => {
                text.chars().count() <= LONGEST_EMAIL_ADDRESS
                    && !text.contains(char::is_whitespace)
                    && text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
            }
            Format::Guid => uuid::Uuid::try_parse(text).is_ok(),
            Format::Json => serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object()),
            Format::PhoneNumber => {
                text.contains(|letter: char| letter.is_ascii_digit())
                    && text.chars().all(|letter| letter.is_ascii_digit() || " +-()".contains(letter))
            }
            Format::WebAddress => ["https://", "http://"].iter().any(|scheme| {
                text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
                    && text.len() > scheme.len()
            }),
        }
    }

    /// The words for the format, for people.
    fn description(self) -> &'static str {
        match self {
            Format::EmailAddress => "an email address of at most 64 characters",
            Format::Guid => "a GUID",
            Format::Json => "a JSON object as text",
            Format::PhoneNumber => "a number to call",
            Format::WebAddress => "an http or https address",
        }
    }
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let short_name = text(write.body, "properties/groupShortName").unwrap_or_default();
    if short_name.chars().count() > LONGEST_SHORT_NAME {
        return Err(Refusal::bad_request(
            "GroupShortNameIsTooLong",
            format!(
                "The action group short name '{short_name}' is too long. Please specify a short name with \
                 '{LONGEST_SHORT_NAME}' or less characters"
            ),
        ));
    }
    let mut names = BTreeSet::new();
    // Every list of objects is a kind of receiver. `name` is required of all, but a missing one has an error code of its own.
    for (kind, _) in shape::lists(ACTION_GROUP) {
        if list(write.body, kind).count() > most(kind) {
            return Err(bad_request(format!("An action group has at most {} {kind}.", most(kind))));
        }
        for receiver in list(write.body, kind) {
            let name = text(receiver, "name").unwrap_or_default();
            if name.trim().is_empty() {
                let code = code_for_no_name(kind);
                return Err(Refusal::bad_request(&code, code.clone()));
            }
            if !names.insert(name.to_lowercase()) {
                return Err(bad_request(format!(
                    "The receiver name '{name}' is used twice. Names must be unique across all receivers within an action \
                     group."
                )));
            }
            check_formats(receiver, kind)?;
        }
    }
    Ok(())
}

fn check_formats(receiver: &Body, list: &str) -> Result<(), Refusal> {
    for (member, format) in FORMATS {
        if let Some(value) = text(receiver, member).filter(|value| !value.is_empty())
            && !format.fits(value)
        {
            return Err(bad_request(format!(
                "The {member} of the receiver '{}' of {list} is not {}.",
                text(receiver, "name").unwrap_or_default(),
                format.description()
            )));
        }
    }
    Ok(())
}

/// `POST {group}/subscribe`: who unsubscribed is notified again. Source: azure-rest-api-specs 2022-06-01, `enableReceiver`.
pub(super) fn subscribe(call: &Call<'_>) -> Result<Vec<Companion>, Refusal> {
    let wanted = call.body.get("receiverName").and_then(Value::as_str).unwrap_or_default();
    let group = call.state.get(&call.id.key()).map(|group| &group.body);
    let all =
        group.into_iter().flat_map(|group| shape::lists(ACTION_GROUP).flat_map(move |(kind, _)| list(group, kind)));
    let receiver = all.filter(|receiver| receiver.contains_key("status")).find(|r| text(r, "name") == Some(wanted));
    match receiver.and_then(|receiver| text(receiver, "status")) {
        None => Err(Refusal::not_found("ReceiverNotFound", format!("There is no receiver '{wanted}' to enable."))),
        Some("Enabled") => {
            Err(Refusal::conflict("ReceiverAlreadyEnabled", format!("The receiver '{wanted}' is enabled already.")))
        }
        Some(_) => Ok(changed(call, |properties| {
            let lists = properties.values_mut().filter_map(Value::as_array_mut).flatten();
            for receiver in lists.filter(|receiver| receiver["name"] == wanted) {
                receiver["status"] = "Enabled".into();
            }
        })),
    }
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let Some(properties) = properties_mut(body) else { return };
    // The owner of an address may have unsubscribed, which only they take back.
    let status_before = |kind: &str, name: &Value| {
        let receivers = write.existing.into_iter().flat_map(|existing| list(existing, kind));
        receivers.filter(|receiver| receiver.get("name") == Some(name)).find_map(|receiver| receiver.get("status"))
    };
    for (kind, receiver_shape) in shape::lists(ACTION_GROUP) {
        let has = |name: &str| shape::has(receiver_shape, name);
        fill(properties, kind, json!([]));
        for receiver in list_mut(properties, kind) {
            for name in ["useCommonAlertSchema", "useAadAuth"].into_iter().filter(|name| has(name)) {
                fill(receiver, name, false);
            }
            if has("status") {
                let before = status_before(kind, receiver.get("name").unwrap_or(&Value::Null)).cloned();
                receiver.insert("status".to_owned(), before.unwrap_or_else(|| "Enabled".into()));
            }
        }
    }
}
