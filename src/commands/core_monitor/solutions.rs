//! Management solutions of the workspace. All are superseded, so that one cannot be made is only a warning.

use serde_json::{Value, json};

use super::foundation::Workspace;
use super::{Run, diagnostics};
use crate::azure::ResourceId;
use crate::azure::types::{DIAGNOSTIC_SETTING, SOLUTION};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::{Retired, notice};
use crate::desired::Desired;

struct Solution {
    name: &'static str,
    /// Whether none is made any more. One that exists is kept.
    is_retired: bool,
}

/// In the order of the specification. Sources: Azure/EOL, service_list.json, the Enterprise-Scale landing zones, and Azure Monitor,
/// "Legacy collection methods".
const SOLUTIONS: &[Solution] = &[
    Solution { name: "KeyVaultAnalytics", is_retired: false },
    Solution { name: "AzureActivity", is_retired: true },
    Solution { name: "AgentHealthAssessment", is_retired: true },
    Solution { name: "Updates", is_retired: true },
    Solution { name: "VMInsights", is_retired: true },
];

/// The name of a solution of a workspace, as Azure demands it.
pub(super) fn name_of_solution(solution: &str, workspace: &str) -> String {
    format!("{solution}({workspace})")
}

impl Run<'_> {
    /// Adds the solutions where the document publishes them, and gives the ids of those that are tried. They are made together with the workspace, and told of then: a
    /// later run only keeps those right that exist, so that one that Azure refused, or that somebody removed, is no news on every
    /// run. A workspace is new until it has its diagnostic setting, which comes after the solutions: a run that is cut off between the
    /// two is finished by the next.
    pub(super) fn solutions(&self, workspace: &Workspace, compilation: &mut Compilation<'_>) -> Vec<ResourceId> {
        let mut tried = Vec::new();
        let Some(name) = &self.settings.service.publish.solution else { return tried };
        let publish = self.published("solution", name);
        let tags = compilation.tags(Some(&publish));
        let Some(group) = workspace.id.group_id() else { return tried };
        let setting = diagnostics::of_workspace(&workspace.id);
        let is_new = workspace.is_made && compilation.before(&DIAGNOSTIC_SETTING, &setting).is_none();
        if is_new {
            compilation.note(&publish.place, notice(Retired::Solutions));
        }
        for solution in SOLUTIONS {
            let name = name_of_solution(solution.name, workspace.id.name());
            let (body, creation_body) = if solution.is_retired {
                (json!({}), Value::Null)
            } else {
                let plan = json!({
                    "name": name,
                    "publisher": "Microsoft",
                    "product": format!("OMSGallery/{}", solution.name),
                    "promotionCode": "",
                });
                let body = json!({
                    "location": workspace.location,
                    "properties": { "workspaceResourceId": workspace.id.as_str() },
                });
                (body, json!({ "plan": plan }))
            };
            let id = SOLUTION.child_of(&group, &name);
            let never_made = !is_new || solution.is_retired;
            tried.extend((!never_made).then(|| id.clone()));
            compilation.add(Desired {
                creation_body,
                never_made,
                best_effort: true,
                tags: tags.clone(),
                depends_on: vec![workspace.id.clone()],
                ..Desired::new(id, &SOLUTION, body, publish.place.clone())
            });
        }
        tried
    }
}
