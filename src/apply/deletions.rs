//! The deletions, which come last: those of a document when everything else of it has succeeded.

use std::collections::HashSet;

use super::schedule::{End, Schedule};
use super::step::Step;
use crate::azure::{ArmClient, ResourceId};
use crate::plan::{CompletedGroup, Plan, full_name};
use crate::world::{Reads, group_content};

/// The deletions that were not begun yet, those of each document together.
pub(super) struct Deletions(Vec<OfDocument>);

/// The deletions of one document.
struct OfDocument {
    deletions: Vec<usize>,
    /// Everything else of the document.
    others: Vec<usize>,
    /// The group in which they are, as it was when the plan was made.
    completed: Option<CompletedGroup>,
    /// What was planned for the document in the group, so that it is no surprise there.
    made: HashSet<ResourceId>,
    /// Something of the document cannot be changed at all.
    is_incomplete: bool,
}

impl Deletions {
    /// Whether all were begun, or withheld.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of these steps that are deletions which come last.
    pub(super) fn of(deletions: &[usize], steps: &[Step<'_>], plan: &Plan) -> Deletions {
        let mut documents: Vec<OfDocument> = Vec::new();
        for deletion in deletions {
            let place = steps[*deletion].place();
            let is_beside = |other: usize| steps[other].place().is_beside(place);
            match documents.iter_mut().find(|known| known.deletions.iter().any(|other| is_beside(*other))) {
                Some(known) => known.deletions.push(*deletion),
                None => documents.push(OfDocument {
                    deletions: vec![*deletion],
                    others: (0..steps.len()).filter(|index| !deletions.contains(index) && is_beside(*index)).collect(),
                    completed: plan.completed.iter().find(|completed| completed.place.is_beside(place)).cloned(),
                    made: plan.changes.iter().map(|change| change.id.clone()).collect(),
                    is_incomplete: plan.left_alone.iter().any(|left| left.place.is_beside(place)),
                }),
            }
        }
        Deletions(documents)
    }
}

impl Schedule<'_> {
    /// Frees the deletions of each document of which everything else has succeeded, after another look at the group: what came into it
    /// since the plan was made was shown to nobody, so it is left alone and told.
    pub(super) async fn begin_deletions(&mut self, client: &ArmClient) {
        let ends = &self.ends;
        let is_due = |document: &mut OfDocument| document.others.iter().all(|index| ends[*index].is_some());
        let due: Vec<OfDocument> = self.deletions.0.extract_if(.., is_due).collect();
        for document in due {
            self.begin_deletions_of(document, client).await;
        }
    }

    async fn begin_deletions_of(&mut self, document: OfDocument, client: &ArmClient) {
        let OfDocument { deletions, others, completed, made, is_incomplete } = document;
        if is_incomplete || others.iter().any(|index| self.ends[*index] != Some(End::Done)) {
            return self.withhold(&deletions, "not all other changes were made");
        }
        if let Some(completed) = completed {
            match group_content(&mut Reads::new(client.clone()), &completed.id).await {
                Ok(content) => {
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
                    report.document = completed.place.document();
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
