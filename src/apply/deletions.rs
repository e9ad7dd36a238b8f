//! The deletions, which come last: those of a document when everything else of it has succeeded.

use std::collections::HashSet;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::schedule::{End, Schedule};
use super::step::Step;
use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::desired::GroupContent;
use crate::plan::{CompletedGroup, Plan, full_name};
use crate::world::{Reads, group_content};

/// The deletions that were not begun yet, those of each document together.
pub(super) struct Deletions(Vec<OfDocument>);

/// Another look at the group in which a document deletes.
pub(super) type Look<'a> = BoxFuture<'a, (OfDocument, Result<GroupContent, Arc<ArmError>>)>;

/// The deletions of one document.
pub(super) struct OfDocument {
    deletions: Vec<usize>,
    /// Everything else of the document.
    others: Vec<usize>,
    /// The group in which they are, as it was when the plan was made.
    completed: Option<CompletedGroup>,
    /// The resources that were planned for the document in the group, so that it is no surprise there.
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

impl<'a> Schedule<'a> {
    /// Frees the deletions of each document of which everything else has succeeded, after another look at the group, which others need not
    /// wait for.
    pub(super) fn begin_deletions(&mut self, client: &'a ArmClient) -> Vec<Look<'a>> {
        let ends = &self.ends;
        let is_due = |document: &mut OfDocument| document.others.iter().all(|index| ends[*index].is_some());
        let due: Vec<OfDocument> = self.deletions.0.extract_if(.., is_due).collect();
        due.into_iter().filter_map(|document| self.begin_deletions_of(document, client)).collect()
    }

    fn begin_deletions_of(&mut self, document: OfDocument, client: &'a ArmClient) -> Option<Look<'a>> {
        let is_done = |index: &usize| self.ends[*index] == Some(End::Done);
        if document.is_incomplete || !document.others.iter().all(is_done) {
            self.withhold(&document.deletions, "not all other changes were made");
            return None;
        }
        let Some(group) = document.completed.as_ref().map(|completed| completed.id.clone()) else {
            self.make_ready(document.deletions);
            return None;
        };
        Some(Box::pin(async move {
            let content = group_content(&mut Reads::new(client.clone()), &group).await;
            (document, content)
        }))
    }

    /// Frees the deletions in a group that was looked at again. What came into it since the plan was made was shown to nobody, so it is left
    /// alone and told.
    pub(super) fn looked(&mut self, document: OfDocument, content: Result<GroupContent, Arc<ArmError>>) {
        let OfDocument { deletions, completed, made, .. } = document;
        let Some(completed) = completed else { return };
        let content = match content {
            Ok(content) => content.ids(),
            Err(error) => {
                let (place, group) = (completed.place.show(), completed.id.name());
                let what = format!("{place}: the resource group '{group}' cannot be listed again before the deletions");
                let report = error.report(&what);
                let report = report.about_resource(&completed.id, completed.place.document()).about(place);
                self.record.fail(full_name(&completed.id, "resource group"), report, self.host);
                return self.withhold(&deletions, "the resource group could not be listed again");
            }
        };
        let is_new = |id: &&ResourceId| !completed.content.contains(*id) && !made.contains(*id);
        let mut appeared: Vec<&ResourceId> = content.iter().filter(is_new).collect();
        appeared.sort();
        for id in appeared {
            self.host
                .warning(format!("{id} appeared in the resource group after the plan was made. It is not deleted."));
        }
        self.make_ready(deletions);
    }

    fn withhold(&mut self, deletions: &[usize], why: &str) {
        self.record.count(|counts| counts.skipped += deletions.len());
        let names: Vec<String> = deletions.iter().map(|index| self.steps[*index].name()).collect();
        self.host.warning(format!("Nothing was deleted because {why}: {}.", names.join("; ")));
    }
}
