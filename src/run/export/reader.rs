//! Reads what one document is written of, and has it judged.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use serde_json::Value;

use super::Writer;
use super::judge::{Judge, Verdict};
use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ArmError, ResourceId, ResourceType};
use crate::commands::{
    Command, Compiled, EnvironmentTag, Estate, Export, NOT_GENERATED, Needs, Project, RunFacts, Services, There,
};
use crate::protocol::{Code, ErrorReport, Warning, alternatives, plural};
use crate::run::failure::{Failure, reading_failed};
use crate::settings::{has_no_items, to_yaml};
use crate::world::{Reads, Wants, in_group, one, read_each, read_services};

/// No document needs as many rounds: each of them is about resources that the one before has found.
const MOST_READINGS: usize = 10;

/// The answers that are read once for all documents of an export.
pub(super) struct Reader<'a> {
    pub(super) judge: Judge<'a>,
    pub(super) project: Project,
    pub(super) reads: Reads,
    folders: Vec<PathBuf>,
    pub(super) services: Services,
    /// The warnings about the documents so far.
    pub(super) warnings: Vec<Warning>,
    /// The resources whose publish names the documents lack.
    pub(super) unpublished: BTreeSet<ResourceId>,
}

/// A document that was written.
pub(super) struct Written {
    pub(super) command: &'static Command,
    /// The resource group that it is of, by its name.
    pub(super) group: String,
    pub(super) text: String,
    /// The changes that a plan of it would make: a sentence each.
    pub(super) differences: Vec<String>,
    /// The resources that it is about.
    pub(super) claims: Vec<ResourceId>,
}

impl<'a> Reader<'a> {
    /// A reader that knows everything that is published in the subscription.
    ///
    /// # Errors
    /// The subscription cannot be read.
    pub(super) async fn new(
        judge: Judge<'a>,
        project: Project,
        folders: Vec<PathBuf>,
        mut reads: Reads,
    ) -> Result<Reader<'a>, Failure> {
        let services = published(&project, &mut reads).await?;
        Ok(Reader { judge, project, reads, folders, services, warnings: Vec::new(), unpublished: BTreeSet::new() })
    }

    /// Reads everything once more.
    ///
    /// # Errors
    /// The subscription cannot be read.
    pub(super) async fn begin_again(&mut self, mut reads: Reads) -> Result<(), Failure> {
        self.services = published(&self.project, &mut reads).await?;
        self.reads = reads;
        self.warnings.clear();
        self.unpublished.clear();
        Ok(())
    }

    /// The document of a resource group, without what others are about.
    ///
    /// # Errors
    /// There is nothing that could be in it, or something cannot be read.
    pub(super) async fn document(
        &mut self,
        (command, export): Writer,
        group: &ResourceId,
        others: &[ResourceId],
    ) -> Result<Written, Failure> {
        let (group, mut there) = read(group, (command, export), &mut self.reads).await?;
        there.retain(|there| !others.contains(&there.id));
        let Reader { judge, project, reads, folders, services, warnings, unpublished } = self;
        let (left_out, lacking) = Default::default();
        let mut estate = Estate { group: &group, there, project, folders, services, left_out, unpublished: lacking };
        read_further(export, &mut estate, reads).await?;
        judge.command = command;
        let verdict = judge.document(export.write, &mut estate, reads).await?;
        unpublished.append(&mut estate.unpublished.take());
        warnings.extend(verdict.notes.iter().map(|note| note.as_str().into()));
        if has_no_items(&verdict.keys) {
            return Err(nothing_left((command, export), &estate, &verdict, judge.names_as_they_are));
        }
        warnings.extend(verdict.differences.iter().chain(&verdict.comments).map(|told| told.as_str().into()));
        let group = group.id.name().to_owned();
        let text = to_yaml(&head(command, &group, &verdict), &verdict.keys);
        Ok(Written { command, group, text, differences: verdict.differences, claims: verdict.claims })
    }
}

/// The error of a group of which there is no document.
pub(super) fn nothing_to_export(group: &str, message: String, recommendation: &str) -> Failure {
    Box::new(ErrorReport::terminating(Code::NothingToExport, message).about(group).recommending(recommendation))
}

/// The resource group, and everything in it of which the document is written.
async fn read(id: &ResourceId, (command, export): Writer, reads: &mut Reads) -> Result<(There, Vec<There>), Failure> {
    let name = id.name();
    let cannot = |error: std::sync::Arc<ArmError>| {
        let mut report = reading_failed(&format!("The resource group '{name}' cannot be read"), &error);
        report.failure.resource_id = Some(id.to_string());
        report
    };
    let Some(body) = one(reads, id, &RESOURCE_GROUP).await.map_err(cannot)? else {
        let message = format!("The resource group '{name}' does not exist.");
        return Err(nothing_to_export(name, message, "Check the name and the subscription."));
    };
    let there = in_group(reads, id, export.reads).await.map_err(cannot)?;
    if !there.iter().any(|there| is_subject(export, &there.id)) {
        let labels: Vec<String> = export.subjects().map(|subject| format!("{}s", subject.label)).collect();
        let message = format!(
            "The resource group '{name}' has no {} to write a document of '{}' of.",
            alternatives(&labels),
            command.component
        );
        return Err(nothing_to_export(name, message, "Check the name of the group, and the component."));
    }
    // As Azure spells it.
    let own = body.get("id").and_then(Value::as_str).and_then(ResourceId::checked).filter(|own| own == id);
    Ok((There { id: own.unwrap_or_else(|| id.clone()), body, below: Vec::new() }, there))
}

/// Reads what a document says of resources that are not in its group.
async fn read_further(export: &Export, estate: &mut Estate<'_>, reads: &mut Reads) -> Result<(), Failure> {
    let mut known: HashSet<(ResourceId, &str)> = HashSet::new();
    for _ in 0..MOST_READINGS {
        let mut wanted = (export.further)(estate);
        wanted.retain(|(id, resource_type)| known.insert((id.clone(), resource_type.name)));
        if wanted.is_empty() {
            break;
        }
        let found = read_each(reads, wanted).await;
        let found = found.map_err(|error| reading_failed("What belongs to the document cannot be read", &error))?;
        estate.there.extend(found);
    }
    Ok(())
}

/// Everything that is published in the subscription.
async fn published(project: &Project, reads: &mut Reads) -> Result<Services, Failure> {
    struct Nothing<'a>(&'a Project);

    impl Wants for Nothing<'_> {
        fn run(&self) -> &RunFacts {
            &self.0.run
        }

        fn environments(&self) -> Vec<&EnvironmentTag> {
            self.0.environment_tag.iter().collect()
        }

        fn is_alone(&self) -> bool {
            true
        }

        fn compile(&self, _: &mut Services) -> Compiled {
            Compiled::default()
        }
    }

    read_services(reads, &Nothing(project), &Needs::everything_published(), false)
        .await
        .map_err(|error| reading_failed("The published services cannot be read", &error))
}

fn is_a(id: &ResourceId, resource_type: &ResourceType) -> bool {
    id.is_of_type(resource_type.name)
}

/// Whether there is a document of something alone.
pub(super) fn is_subject(export: &Export, id: &ResourceId) -> bool {
    export.subjects().any(|subject| is_a(id, subject))
}

/// The error where everything is left out, for which the warnings have the reasons.
fn nothing_left((command, export): Writer, estate: &Estate<'_>, verdict: &Verdict, names_as_they_are: bool) -> Failure {
    let group = &estate.group.id;
    let ids = estate.there.iter().map(|there| &there.id);
    let mut subjects = ids.filter(|id| is_subject(export, id) && id.is_within(group));
    let label = subjects.next().and_then(|first| export.subjects().find(|kind| is_a(first, kind)));
    let (count, label) = (subjects.count() + 1, label.map_or(RESOURCE_GROUP.label, |kind| kind.label));
    let what = if count == 1 {
        format!("The {label} in the resource group '{}' cannot", group.name())
    } else {
        format!("None of the {count} {label}{} in the resource group '{}' can", plural(count), group.name())
    };
    let message = format!("{what} be in a document of '{}', so there is none.", command.component);
    let is_of_names = !names_as_they_are && verdict.notes.iter().any(|note| note.contains(NOT_GENERATED));
    let advice = if is_of_names {
        "The warnings say why. Take names as they are with -Names and a -Path in a new folder."
    } else {
        "The warnings say why."
    };
    Box::new(nothing_to_export(group.name(), message, advice).about("resourceGroup"))
}

/// The comment above the document.
fn head(command: &Command, group: &str, verdict: &Verdict) -> String {
    let mut head = format!("Settings of {}, written by an export of the resource group '{group}'.\n", command.name);
    if verdict.differences.is_empty() {
        head.push_str("A plan of it changes nothing.\n");
    }
    verdict.differences.iter().for_each(|difference| head.push_str(&format!("{difference}\n")));
    if !verdict.notes.is_empty() {
        head.push_str("What it does not say:\n");
        verdict.notes.iter().for_each(|note| head.push_str(&format!("  - {note}\n")));
    }
    head
}
