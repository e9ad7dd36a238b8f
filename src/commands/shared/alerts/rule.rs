//! What the rules of the three alert commands have in common.

use serde_json::{Value, json};

use crate::azure::types::SCHEDULED_QUERY_RULE;
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published, WayOut};
use crate::desired::{Desired, OurDefault};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// A rule, so far as the commands differ.
pub(in crate::commands) struct AlertRule<'a> {
    /// The resource group.
    pub(in crate::commands) group: &'a ResourceId,
    /// The type of the rule.
    pub(in crate::commands) resource_type: &'static ResourceType,
    /// Its generated name.
    pub(in crate::commands) name: String,
    /// Where Azure has it.
    pub(in crate::commands) location: &'a str,
    /// Its properties, without the description.
    pub(in crate::commands) properties: Value,
    /// More properties, which it gets only when this run creates it; an object, or null.
    pub(in crate::commands) creation_properties: Value,
    /// The description that the alert gives.
    pub(in crate::commands) description: Option<&'a String>,
    /// The description of a rule whose alert gives none.
    pub(in crate::commands) default_description: String,
    /// Whether a description is one that a run writes, or wrote, where the alert gives none.
    pub(in crate::commands) is_our_description: fn(&str) -> bool,
    /// What helps where another rule has the same generated name.
    pub(in crate::commands) way_out: WayOut,
    /// The name it is published under.
    pub(in crate::commands) publish: Option<Published>,
    /// Which settings the properties come from, relative to `place`.
    pub(in crate::commands) origins: Vec<(&'static str, &'static str)>,
    /// The alert in the settings.
    pub(in crate::commands) place: &'a Place,
}

impl AlertRule<'_> {
    /// Adds the rule to the compilation.
    pub(in crate::commands) fn add(self, compilation: &mut Compilation<'_>) {
        let AlertRule { mut properties, mut creation_properties, place, .. } = self;
        let mut our_defaults = Vec::new();
        match self.description {
            Some(description) => {
                check_description(self.resource_type, description, place, compilation);
                properties["description"] = json!(description);
            }
            // Somebody may have written a better one; one of ours follows what it describes.
            None => {
                creation_properties["description"] = json!(self.default_description);
                our_defaults.push(OurDefault { path: "properties.description", is: self.is_our_description });
            }
        }
        let creation_body =
            if creation_properties.is_null() { Value::Null } else { json!({ "properties": creation_properties }) };
        let body = json!({ "location": self.location, "properties": properties });
        let rule = Desired {
            creation_body,
            our_defaults,
            tags: compilation.tags(self.publish.as_ref()),
            origins: self.origins,
            ..Desired::new(self.resource_type.child_of(self.group, &self.name), self.resource_type, body, place.clone())
        };
        compilation.add_named(rule, &self.way_out);
    }
}

/// A finding when Azure would refuse the description (azure-monitor-docs, limits of alerts).
fn check_description(kind: &ResourceType, description: &str, place: &Place, compilation: &mut Compilation<'_>) {
    let most = if kind.name == SCHEDULED_QUERY_RULE.name { 4096 } else { 2048 };
    let length = description.chars().count();
    if length > most {
        let message = format!("{length} characters are too many; {} takes at most {most}", with_article(kind.label));
        compilation.finding(place.dotted("description"), FindingCode::OutOfRange, message);
    }
}

fn with_article(label: &str) -> String {
    format!("{} {label}", if label.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

/// What helps where two rules of [`rule_name`] are called alike.
pub(in crate::commands) fn way_out(group: &str, set: Option<&String>, alert: Option<&String>) -> WayOut {
    let parts = [("group", Some(group)), ("alert set", set.map(String::as_str)), ("alert", alert.map(String::as_str))];
    let longest = parts.iter().filter_map(|(what, name)| Some((what, (*name)?))).max_by_key(|(_, name)| name.len());
    let shorten = longest.map(|(what, name)| format!("the name of the {what}, '{name}'")).unwrap_or_default();
    let rename = if set.is_none() {
        "set a name for each alert set".to_owned()
    } else {
        "use another name for the group, the alert set or the alert".to_owned()
    };
    WayOut { shorten, rename }
}

/// `<prefix>-<group>[-<set>][-<alert>]-<index>`, of which the name of a rule is generated.
pub(in crate::commands) fn rule_name(
    prefix: &str,
    group: &str,
    set: Option<&String>,
    alert: Option<&String>,
    index: usize,
) -> String {
    let parts = [Some(prefix), Some(group), set.map(String::as_str), alert.map(String::as_str)];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    format!("{}-{index}", parts.join("-"))
}

/// A finding when a rule would run less often than its window is long. `place` is that of the window.
pub(in crate::commands) fn check_window(frequency: i64, window: i64, place: Place, compilation: &mut Compilation<'_>) {
    if window < frequency {
        let message = format!("the window of {window} minutes is shorter than the frequency of {frequency} minutes");
        compilation.finding(place, FindingCode::OutOfRange, message);
    }
}
