//! The resources that have left the documents of a run: they are told, or their deletion is planned where the context wants that.

use std::path::{Path, PathBuf};

use super::compile::environments;
use super::deployment::files_of;
use super::destination::is_same_file;
use super::failure::{Failure, failure, reading_failed};
use super::prepare::Prepared;
use crate::azure::types::HOLDS_DATA;
use crate::azure::{ResourceId, ResourceType};
use crate::commands::{CompleteMode, EnvironmentTag, command_for};
use crate::desired::{Desired, Existing};
use crate::plan::{Orphan, OrphanSearch, Plan, orphans, prune};
use crate::protocol::{Code, first_of, listed};
use crate::world::{Reads, Tagged, holdings, read_below};

/// The look for what has left the documents, under way.
pub(super) struct LookBehind {
    tagged: Tagged,
    subscription: ResourceId,
    environments: Vec<EnvironmentTag>,
    /// The types that the documents of the run can publish.
    publishes: Vec<&'static ResourceType>,
    /// The files of the run.
    files: Vec<PathBuf>,
    tag_key: String,
    /// Its deletion is planned.
    prunes: bool,
    /// Also what costs requests of its own is read.
    everywhere: bool,
}

impl LookBehind {
    /// Starts it beside the other reads; none where a run that is about a part of its documents cannot know what has left them.
    pub(super) fn start(prepared: &Prepared, reads: Option<&mut Reads>) -> Option<LookBehind> {
        let context = &prepared.context;
        let (reads, run) = (reads?, &context.run);
        let commands = prepared.documents.iter().filter_map(|document| document.command);
        (context.prune || context.selection.is_everything()).then(|| LookBehind {
            tagged: Tagged::start(reads, &run.subscription, &run.service_tag_key),
            subscription: run.subscription.clone(),
            environments: environments(&prepared.documents).into_iter().cloned().collect(),
            publishes: commands.flat_map(|command| command.publishes).copied().collect(),
            files: prepared.documents.iter().filter_map(|document| document.source.clone()).collect(),
            tag_key: run.service_tag_key.clone(),
            prunes: context.prune,
            everywhere: context.prune,
        })
    }

    /// The same look, also below what has nothing of a kind any more.
    pub(super) fn everywhere(self) -> LookBehind {
        LookBehind { everywhere: true, ..self }
    }

    /// Notes in a plan what has left the documents, or plans its deletion.
    pub(super) async fn look(
        self,
        plan: &mut Plan,
        desired: &[Desired],
        existing: &mut Existing,
        complete: &[CompleteMode],
        reads: &mut Reads,
    ) -> Result<(), Failure> {
        let LookBehind { tagged, subscription, environments, publishes, files, tag_key, prunes, everywhere } = self;
        let read = async {
            let listed = tagged.read(reads, &subscription).await?;
            if everywhere {
                read_below(reads, desired, existing).await?;
            }
            Ok(listed)
        };
        let mut listed = match read.await {
            Ok(listed) => listed,
            Err(error) if prunes => {
                let error: std::sync::Arc<crate::azure::ArmError> = error;
                return Err(reading_failed("What has left the documents cannot be read", &error));
            }
            Err(error) => {
                plan.notes.push(format!("What has left the documents is not known: {error}"));
                return Ok(());
            }
        };
        let environments: Vec<&EnvironmentTag> = environments.iter().collect();
        listed.retain(|item| EnvironmentTag::other(&environments, item).is_none());
        let completed: Vec<&ResourceId> = complete.iter().map(|complete| &complete.group).collect();
        let search = OrphanSearch { tag_key: &tag_key, completed: &completed };
        let found = orphans(&search, desired, &listed, existing);
        let is_ours = |orphan: &Orphan| publishes.iter().any(|own| own.name == orphan.resource_type.name);
        let is_below = |orphan: &Orphan| orphan.publish_name.is_none();
        let beside = if found.iter().all(is_below) { Vec::new() } else { documents_beside(&files) };
        // What another document may have made is left to a run that has it.
        let (known, unknown): (Vec<Orphan>, Vec<Orphan>) =
            found.into_iter().partition(|orphan| is_below(orphan) || beside.is_empty() && is_ours(orphan));
        if !prunes {
            known.iter().for_each(|orphan| orphan.keep(plan));
            return Ok(());
        }
        if !unknown.is_empty() {
            return Err(incomplete(&unknown, &beside));
        }
        for orphan in known.iter().filter(|orphan| !is_below(orphan)) {
            if let Some(body) = reads.look(&orphan.id, orphan.resource_type.api_version).await {
                existing.insert(orphan.id.clone(), body);
            }
        }
        plan.changes.extend(prune(&known, existing));
        for orphan in known.iter().filter(|orphan| HOLDS_DATA.iter().any(|kind| kind.name == orphan.resource_type.name))
        {
            let what = holdings(reads, &orphan.id, orphan.resource_type).await;
            let what =
                what.map_or_else(|| "; Azure does not say how much that is".to_owned(), |what| format!(": {what}"));
            let name = orphan.full_name();
            plan.warnings
                .push(orphan.place.remark(format_args!("the {name} is deleted with all that it holds{what}.")));
        }
        Ok(())
    }
}

/// The documents in the folders of a run that it does not have.
fn documents_beside(files: &[PathBuf]) -> Vec<String> {
    let mut folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    let mut beside = Vec::new();
    for folder in folders {
        // What cannot be read may be anything.
        let Ok(sources) = files_of(&[folder.to_owned()]) else { continue };
        for source in sources {
            let Some(id) = source.id.filter(|id| !files.iter().any(|file| is_same_file(file, Path::new(id)))) else {
                continue;
            };
            if source.document.is_ok_and(|document| command_for(&document).is_ok()) {
                beside.push(Path::new(&id).file_name().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
    }
    beside
}

/// The refusal to delete what may be another document's.
fn incomplete(unknown: &[Orphan], beside: &[String]) -> Failure {
    let name = |orphan: &Orphan| {
        let publish_name = orphan.publish_name.as_deref().unwrap_or_default();
        format!("'{publish_name}' ({})", orphan.full_name())
    };
    let names: Vec<String> = unknown.iter().map(name).collect();
    let advice = match beside {
        [] => "Run it with the documents that publish them as well, or delete what nothing needs any more by hand."
            .to_owned(),
        files => format!(
            "Run it with all documents of the folder, as 'svc apply FOLDER' does: {} {} not among those of this run.",
            listed(files),
            if files.len() == 1 { "is" } else { "are" }
        ),
    };
    let message = format!(
        "The documents of this run may not be all of those that deploy into their resource groups: they do not know the publish names {}. Nothing \
         was changed.",
        first_of(&names, ", ")
    );
    Box::new(failure(Code::PruneIncomplete, message).recommending(advice))
}
