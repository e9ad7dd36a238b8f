//! The parts that the three alert commands have in common: severities, the resource group they own, and action groups.

pub(in crate::commands) mod export;
mod group;
mod rule;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(in crate::commands) use self::group::{AlertGroup, Group, NamesGroup, alert_group};
pub(in crate::commands) use self::rule::{AlertRule, check_description, check_window, rule_name, way_out};
use crate::azure::ResourceId;
use crate::azure::types::ACTION_GROUP;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::found::Found;
use crate::commands::shared::property::{Spelling, spelled};
use crate::commands::shared::service::is_nothing;
use crate::commands::shared::wanted::Wanted;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The severity of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::commands) enum Severity {
    /// Severity 0.
    Critical,
    /// Severity 1.
    Error,
    /// Severity 2.
    Warning,
    /// Severity 3.
    Informational,
    /// Severity 4.
    Verbose,
}

/// The severities by the numbers that Azure has for them.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::Error, Severity::Warning, Severity::Informational, Severity::Verbose];

impl Severity {
    /// The words of the settings for the numbers of Azure.
    pub(in crate::commands) const SPELLING: Spelling = Spelling {
        azures: |word| SEVERITIES.iter().position(|known| spelled(known) == *word).into(),
        ours: |number| Some(spelled(SEVERITIES.get(usize::try_from(number.as_u64()?).ok()?)?).into()),
    };

    /// The number that Azure has for it.
    pub(in crate::commands) fn number(self) -> Value {
        (Severity::SPELLING.azures)(&spelled(self).into())
    }
}

/// A finding where a dimension chooses no value: `none` in a list leaves none.
pub(in crate::commands) fn check_values(values: &[String], dimension: &Place, compilation: &mut Compilation<'_>) {
    if values.is_empty() {
        let message = "at least one value is required; use '*' for all";
        compilation.finding(dimension.dotted("values"), FindingCode::Missing, message);
    }
}

/// The aggregation of the values in the window, as Azure spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::commands) enum TimeAggregation {
    Average,
    Maximum,
    Minimum,
    Total,
    Count,
}

/// Publish names of what the alerts of a document depend on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct AlertDependencies {
    /// Publish names of the action groups of every alert that sets none.
    pub(in crate::commands) action_groups: Option<Vec<String>>,
    /// Publish name of an existing resource group for the rules. A rule in it that is not in the document is deleted.
    #[schemars(extend("examples" = ["alert-rules"]))]
    pub(in crate::commands) resource_group: Option<String>,
}

impl NamesGroup for AlertDependencies {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// Publish names of what one alert depends on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct TargetDependencies {
    /// Publish names of the action groups that this alert notifies, in place of those of the document.
    pub(in crate::commands) action_groups: Option<Vec<String>>,
    /// Publish names of the resources that the alert watches.
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(in crate::commands) target_resources: Option<Vec<String>>,
    /// Publish names of the resource groups that the alert watches.
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(in crate::commands) target_resource_groups: Option<Vec<String>>,
}

/// An ISO 8601 duration of whole minutes, in the spelling that Azure lists: `PT5M`, `PT1H`, `P1D`.
pub(in crate::commands) fn duration(minutes: i64) -> String {
    match minutes {
        minutes if minutes % 1440 == 0 => format!("P{}D", minutes / 1440),
        minutes if minutes % 60 == 0 => format!("PT{}H", minutes / 60),
        minutes => format!("PT{minutes}M"),
    }
}

/// A number without a fraction where it has none: Azure gives back what people wrote.
pub(in crate::commands) fn whole(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the comparison shows that nothing is lost")]
    let integer = value as i64;
    #[expect(clippy::cast_precision_loss, reason = "the comparison shows that nothing is lost")]
    let same = integer as f64 == value;
    if same { json!(integer) } else { json!(value) }
}

/// Azure takes no more action groups in one rule ("Action groups").
const MOST_ACTION_GROUPS: usize = 5;

/// The action groups that an alert notifies: those of the alert, else those of the document. A name may stand for several.
pub(in crate::commands) fn action_groups(
    own: (Option<&Vec<String>>, &Place),
    root: (Option<&Vec<String>>, &Place),
    compilation: &mut Compilation<'_>,
) -> Vec<ResourceId> {
    const SETTING: &str = "service.dependencies.actionGroups";
    let Some((names, place)) = [own, root].into_iter().find_map(|(names, place)| Some((names?, place.dotted(SETTING))))
    else {
        return Vec::new();
    };
    let found = all_published(names, Wanted::Type(ACTION_GROUP.name), &place, compilation);
    if found.len() > MOST_ACTION_GROUPS {
        let ids: Vec<&str> = found.iter().map(|target| target.found.id.as_str()).collect();
        let message = format!(
            "a rule notifies at most {MOST_ACTION_GROUPS} action groups, and these names stand for {}: {}",
            ids.len(),
            ids.join(", ")
        );
        // Every alert that has none of its own notifies those of the document; that is one mistake.
        compilation.finding_once(place, FindingCode::OutOfRange, message);
    }
    found.into_iter().map(|target| target.found.id).collect()
}

/// The thing that a name of a list stands for.
pub(in crate::commands) struct Target {
    pub(in crate::commands) found: Found,
    /// The name in the list.
    pub(in crate::commands) place: Place,
}

/// Everything that the names of a list stand for, each resource once; nothing for a list that says so. `place` is that of
/// the list.
pub(in crate::commands) fn all_published(
    names: &[String],
    wanted: Wanted<'_>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> Vec<Target> {
    each_published(names, place, compilation, |name, place, compilation| {
        compilation.find(wanted).published_as(name, place).all()
    })
}

/// The same of resource groups, with what is in them.
pub(in crate::commands) fn all_groups(
    names: &[String],
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> Vec<Target> {
    each_published(names, place, compilation, |name, place, compilation| {
        compilation.find(Wanted::GROUP).published_as(name, place).with_contents().all()
    })
}

fn each_published(
    names: &[String],
    place: &Place,
    compilation: &mut Compilation<'_>,
    find: impl Fn(&str, &Place, &mut Compilation<'_>) -> Vec<Found>,
) -> Vec<Target> {
    let mut all: Vec<Target> = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !is_nothing(name)) {
        let place = place.index(index);
        let mut found = find(name, &place, compilation);
        // What a run makes itself is found in another order than what is there, and a rule is the same for both.
        found.sort_by_key(|found| found.id.as_str().to_lowercase());
        for found in found {
            if all.iter().all(|known| known.found.id != found.id) {
                all.push(Target { found, place: place.clone() });
            }
        }
    }
    all
}

/// Whether a text has the form of a resource type: a namespace, and a type in it.
pub(in crate::commands) fn is_resource_type(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && !part.contains(char::is_whitespace))
}

/// Says that a text is not one.
pub(in crate::commands) fn not_a_resource_type(text: &str) -> String {
    format!("'{text}' is not a resource type with its namespace, such as Microsoft.Compute/virtualMachines")
}

/// The ids as the objects that activity log and metric alerts want.
pub(in crate::commands) fn as_actions(action_groups: &[ResourceId]) -> Value {
    action_groups.iter().map(|id| json!({ "actionGroupId": id.as_str() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_type_has_a_namespace() {
        for text in ["Microsoft.Compute/virtualMachines", "microsoft.sql/servers/databases"] {
            assert!(is_resource_type(text), "{text}");
        }
        for text in ["virtualMachines", "Microsoft.Compute", "Microsoft.Compute/", "/virtualMachines", "a/b c", "none"]
        {
            assert!(!is_resource_type(text), "{text}");
        }
    }

    #[test]
    fn durations_are_spelled_as_azure_lists_them() {
        for (minutes, text) in [(1, "PT1M"), (45, "PT45M"), (60, "PT1H"), (360, "PT6H"), (1440, "P1D"), (2880, "P2D")] {
            assert_eq!(duration(minutes), text);
        }
    }
}
