//! The parts that the rules of the three alert commands have in common.

use serde_json::{Value, json};

use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::compilation::{Compilation, Published, WayOut};
use crate::commands::shared::property::{self, Property};
use crate::desired::{AnyCase, Desired, Texts};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// A rule, so far as the commands differ.
pub(in crate::commands) struct AlertRule<'a, Alert: 'static> {
    /// The alert, with the properties that one of its settings says each.
    pub(in crate::commands) alert: (&'a Alert, &'static [Property<Alert>]),
    pub(in crate::commands) group: &'a ResourceId,
    pub(in crate::commands) resource_type: &'static ResourceType,
    /// The parts that its name is generated of, and the location for it: empty where that is not known.
    pub(in crate::commands) name: (String, &'a str),
    /// The location in which Azure has it.
    pub(in crate::commands) location: &'a str,
    /// Its other properties, without the description.
    pub(in crate::commands) properties: Value,
    /// The description that the alert gives.
    pub(in crate::commands) description: Option<&'a String>,
    /// The description of a rule whose alert gives none.
    pub(in crate::commands) default_description: String,
    /// The descriptions that a rule may have without its alert saying so: one with another description was described by somebody, and
    /// keeps that.
    pub(in crate::commands) our_descriptions: Texts,
    /// The way out where another rule has the same generated name.
    pub(in crate::commands) way_out: WayOut,
    /// The name it is published under.
    pub(in crate::commands) publish: Option<Published>,
    /// The places where the case of letters makes no difference.
    pub(in crate::commands) any_case: Vec<AnyCase>,
    /// Values that are as good where a rule has them.
    pub(in crate::commands) also_right: Vec<(&'static str, Value)>,
    /// The settings that the properties come from, relative to `place`.
    pub(in crate::commands) origins: Vec<(&'static str, &'static str)>,
    /// The alert in the settings.
    pub(in crate::commands) place: &'a Place,
}

impl<Alert> AlertRule<'_, Alert> {
    pub(in crate::commands) fn add(self, compilation: &mut Compilation<'_>) {
        let AlertRule { mut properties, place, name: (name, near), .. } = self;
        let near = Some(near).filter(|location| !location.is_empty());
        let request = NameRequest::new(ResourceKind::Alert, &name, Architecture::Monitor, near);
        let name = compilation.name(self.resource_type, &request, &place.dotted("name"));
        let follows = match self.description {
            Some(_) => Vec::new(),
            None => vec![("properties.description", self.our_descriptions)],
        };
        let body = json!({ "location": self.location });
        let mut rule = Desired {
            follows,
            any_case: self.any_case,
            also_right: self.also_right,
            tags: compilation.tags(self.publish.as_ref()),
            origins: self.origins,
            ..Desired::new(self.resource_type.child_of(self.group, &name), self.resource_type, body, place.clone())
        };
        let (alert, own) = self.alert;
        property::put(own, alert, &mut rule, compilation);
        properties["description"] = json!(self.description.unwrap_or(&self.default_description));
        if let Value::Object(members) = properties {
            members
                .into_iter()
                .for_each(|(key, value)| rule.set(&format!("properties.{key}"), Some(value), Value::Null));
        }
        compilation.add_named(rule, &self.way_out);
    }
}

/// A finding when Azure would refuse the description of an activity log or metric alert (azure-monitor-docs, limits of alerts).
pub(in crate::commands) fn check_description(
    kind: &ResourceType,
    description: Option<&String>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) {
    const MOST: usize = 2048;
    let length = description.map_or(0, |description| description.chars().count());
    if length > MOST {
        let message = format!("{length} characters are too many; {} takes at most {MOST}", with_article(kind.label));
        compilation.finding(place.dotted("description"), FindingCode::OutOfRange, message);
    }
}

fn with_article(label: &str) -> String {
    format!("{} {label}", if label.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

/// The way out where two rules of [`rule_name`] are called alike.
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
