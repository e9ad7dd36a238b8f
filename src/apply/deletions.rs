//! The deletions, which come last.

use std::collections::HashSet;

use super::schedule::Schedule;
use crate::azure::{ArmClient, ResourceId};
use crate::plan::{Plan, full_name};
use crate::world::{Reads, group_content};

impl Schedule<'_> {
    /// Frees the deletions when everything else has succeeded, after another look at the group: what came into it since the
    /// plan was made was shown to nobody, so it is left alone and told.
    pub(super) async fn begin_deletions(&mut self, client: &ArmClient, plan: &Plan) {
        let deletions = std::mem::take(&mut self.deletions);
        let counts = self.record.counts();
        if counts.failed + counts.skipped > 0 {
            return self.withhold(&deletions, "not all other changes were made");
        }
        if let Some(completed) = &plan.completed {
            match group_content(&mut Reads::new(client.clone()), &completed.id).await {
                Ok(content) => {
                    let made: HashSet<&ResourceId> = plan.changes.iter().map(|change| &change.id).collect();
                    let content = content.ids();
                    let mut appeared: Vec<&ResourceId> =
                        content.iter().filter(|id| !completed.content.contains(id) && !made.contains(id)).collect();
                    appeared.sort();
                    for id in appeared {
                        self.host.warning(format!(
                            "{id} appeared in the resource group after the plan was made. It is not deleted."
                        ));
                    }
                }
                Err(error) => {
                    let (place, group) = (completed.place.show(), completed.id.name());
                    let what =
                        format!("{place}: the resource group '{group}' cannot be listed again before the deletions");
                    let mut report = error.report(&what);
                    report.resource_id = Some(completed.id.to_string());
                    report.target = Some(place);
                    self.record.fail(full_name(&completed.id, "resource group"), report, self.host);
                    return self.withhold(&deletions, "the resource group could not be listed again");
                }
            }
        }
        self.ready.extend(deletions);
    }

    fn withhold(&mut self, deletions: &[usize], why: &str) {
        self.record.count(|counts| counts.skipped += deletions.len());
        let names: Vec<String> = deletions.iter().map(|index| self.steps[*index].name()).collect();
        self.host.warning(format!("Nothing was deleted because {why}: {}.", names.join("; ")));
    }
}
