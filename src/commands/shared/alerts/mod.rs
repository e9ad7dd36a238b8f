//! What the three alert commands have in common: severities, the resource group they own, and action groups.

mod group;
mod rule;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(in crate::commands) use self::group::{AlertGroup, NamesGroup, alert_group};
pub(in crate::commands) use self::rule::{AlertRule, check_window, rule_name};
use crate::azure::ResourceId;
use crate::azure::types::ACTION_GROUP;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::lookup::{Found, Wanted};
use crate::commands::shared::service::is_nothing;
use crate::settings::Place;

/// How bad it is when an alert fires.
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

impl Severity {
    /// The number Azure has for it.
    pub(in crate::commands) fn number(self) -> u8 {
        match self {
            Severity::Critical => 0,
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Informational => 3,
            Severity::Verbose => 4,
        }
    }
}

/// Existing resources that the alerts of a document need.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct AlertDependencies {
    /// The action groups of every alert that names none.
    pub(in crate::commands) action_groups: Option<Vec<String>>,
    /// The resource group; it ends up holding exactly the rules of the document.
    pub(in crate::commands) resource_group: Option<String>,
}

impl NamesGroup for AlertDependencies {
    fn resource_group(&self) -> Option<&String> {
        self.resource_group.as_ref()
    }
}

/// Existing resources that one alert needs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands) struct TargetDependencies {
    /// The action groups of the alert.
    pub(in crate::commands) action_groups: Option<Vec<String>>,
    /// The resources it watches.
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(in crate::commands) target_resources: Option<Vec<String>>,
    /// The resource groups it watches.
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
    all_published(names, Wanted::Type(ACTION_GROUP.name), &place, compilation)
        .into_iter()
        .map(|found| found.id)
        .collect()
}

/// Everything that the names of a list stand for, each resource once; nothing for a list that says so. `place` is that of
/// the list.
pub(in crate::commands) fn all_published(
    names: &[String],
    wanted: Wanted<'_>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !is_nothing(name)) {
        for found in compilation.find(wanted).published_as(name, &place.index(index)).all() {
            if all.iter().all(|known| known.id != found.id) {
                all.push(found);
            }
        }
    }
    all
}

/// The ids as the objects that activity log and metric alerts want.
pub(in crate::commands) fn as_actions(action_groups: &[ResourceId]) -> Value {
    action_groups.iter().map(|id| json!({ "actionGroupId": id.as_str() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_spelled_as_azure_lists_them() {
        for (minutes, text) in [(1, "PT1M"), (45, "PT45M"), (60, "PT1H"), (360, "PT6H"), (1440, "P1D"), (2880, "P2D")] {
            assert_eq!(duration(minutes), text);
        }
    }
}
