//! Management solutions of the workspace. All are retired or superseded, so that one cannot be made is only a warning.

use serde_json::{Value, json};

use super::Run;
use super::foundation::Workspace;
use crate::azure::types::SOLUTION;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::retirements::{Retired, notice};
use crate::desired::Desired;

/// A solution.
struct Solution {
    name: &'static str,
    /// Why it should not be asked for any more.
    retired: Option<Retired>,
    /// Azure has switched it off: one that exists is kept, and none is made.
    is_off: bool,
}

/// In the order of the specification. Sources: Azure/EOL, service_list.json, and the Enterprise-Scale landing zones.
const SOLUTIONS: &[Solution] = &[
    Solution { name: "KeyVaultAnalytics", retired: None, is_off: false },
    Solution { name: "AzureActivity", retired: Some(Retired::ActivitySolution), is_off: true },
    Solution { name: "AgentHealthAssessment", retired: Some(Retired::AgentSolutions), is_off: false },
    Solution { name: "Updates", retired: Some(Retired::UpdatesSolution), is_off: true },
    Solution { name: "VMInsights", retired: Some(Retired::AgentSolutions), is_off: false },
];

impl Run<'_> {
    /// Adds the solutions of the workspace, also of one that was found: they are resources of their own. Azure wants them in
    /// its resource group.
    pub(super) fn solutions(&self, workspace: &Workspace, compilation: &mut Compilation<'_>) {
        let publish = self.published("solution", &self.settings.service.publish.solution);
        let tags = compilation.tags(Some(&publish));
        let Some(group) = workspace.id.group_id() else { return };
        for solution in SOLUTIONS {
            if let Some(retired) = solution.retired {
                compilation.warning(&publish.place, notice(retired));
            }
            let name = format!("{}({})", solution.name, workspace.id.name());
            let (body, creation_body) = if solution.is_off {
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
            compilation.add(Desired {
                creation_body,
                never_made: solution.is_off,
                best_effort: true,
                tags: tags.clone(),
                depends_on: vec![workspace.id.clone()],
                ..Desired::new(SOLUTION.child_of(&group, &name), &SOLUTION, body, publish.place.clone())
            });
        }
    }
}
