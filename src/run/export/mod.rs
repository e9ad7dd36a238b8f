//! Writes the settings document of what exists. The command whose document it is judges it: what its plan would change is taken out of
//! the document, with the reason, or told.

mod judge;
mod output;
mod problem;

use std::collections::HashSet;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use self::judge::{Judge, Verdict};
use self::output::Output;
use super::connect::connect;
use super::context::RunContext;
use super::failure::{Failure, failure, reading_failed};
use crate::azure::types::RESOURCE_GROUP;
use crate::azure::{ArmError, ResourceId, ResourceType};
use crate::commands::{COMMANDS, Command, Compiled, Estate, Export, NOT_GENERATED, Needs, Project, Services, There};
use crate::naming::{Convention, NAMING_FOLDER};
use crate::protocol::{Code, ErrorReport, FileBeside, Host, Message, Request, alternatives, listed, not_valid, plural};
use crate::settings::{has_no_items, to_yaml};
use crate::world::{Reads, Wants, in_group, one, read_each, read_services};

/// What an export wants, beside what every request has.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    component: String,
    resource_group: String,
    /// Names are to be those of the settings, whoever has given them; the naming files for that belong beside the document.
    #[serde(default)]
    names: Option<bool>,
    /// Absolute path of the file that gets the document.
    #[serde(default)]
    path: Option<PathBuf>,
    /// An earlier export at the path is replaced.
    #[serde(default)]
    overwrite: Option<bool>,
}

/// The members of a request that only an export has.
const OWN_MEMBERS: &[&str] = &["component", "resourceGroup", "names", "path", "overwrite"];

/// What an export wants, and the rest of its request.
pub(super) fn read_request(request: &[u8]) -> Result<(Wanted, Request), Failure> {
    let invalid =
        |error: serde_json::Error| failure(Code::RequestInvalid, format!("The request cannot be read: {error}."));
    let members: Map<String, Value> = super::read_request(request)?;
    let (own, rest): (Map<_, _>, Map<_, _>) =
        members.into_iter().partition(|(key, _)| OWN_MEMBERS.contains(&key.as_str()));
    let wanted = serde_json::from_value(Value::Object(own)).map_err(invalid)?;
    let request: Request = serde_json::from_value(Value::Object(rest)).map_err(invalid)?;
    if request.settings.is_some() || request.settings_file.is_some() || request.settings_files.is_some() {
        return Err(failure(Code::RequestInvalid, "An export writes settings, so its request has none."));
    }
    Ok((wanted, request))
}

/// Reads what exists, and sends its document.
pub(super) async fn export(wanted: Wanted, request: Request, host: &Host) -> Result<(), Failure> {
    let (command, export) = command_of(&wanted.component)?;
    let context = RunContext::of(&Request { what_if: Some(true), ..request.clone() })?;
    if context.offline {
        let message = "An export writes what exists, so it cannot be made offline.";
        return Err(Box::new(ErrorReport {
            target: Some("offline".to_owned()),
            ..ErrorReport::terminating(Code::ContextInvalid, message)
        }));
    }
    let request = judge::without_plans(request);
    let names_as_they_are = wanted.names.unwrap_or_default();
    let files = if names_as_they_are { naming_files() } else { Vec::new() };
    let output =
        wanted.path.as_deref().map(|path| Output::of(path, &wanted, &files, &request, &context)).transpose()?;
    // The files of the project are read, and what is wrong with them is told, before anything is contacted.
    let mut judge = Judge { command, request, subscription_id: None, host, names_as_they_are };
    let made_with = judge.check_project().await?;
    let connection = connect(&judge.request, &context, &made_with, host).await?;
    let Some(client) = connection.client() else {
        return Err(failure(Code::InternalError, "There is no connection."));
    };
    judge.subscription_id = connection.subscription_id().map(str::to_owned);
    let project = judge.project().await?;
    let mut reads = Reads::new(client.clone());
    let (group, there) = read(&wanted, command, export, &project, &mut reads).await?;
    let services = published(&project, &mut reads).await?;
    let mut estate = Estate { group: &group, there, project: &project, services: &services, left_out: Vec::new() };
    read_further(export, &mut estate, &mut reads).await?;
    let verdict = judge.document(export.write, &mut estate, &mut reads).await?;
    host.warnings(verdict.notes.iter().map(|note| note.as_str().into()));
    if has_no_items(&verdict.keys) {
        return Err(nothing_left(command, export, &estate, &verdict, names_as_they_are));
    }
    host.warnings(verdict.differences.iter().chain(&verdict.comments).map(|told| told.as_str().into()));
    let text = to_yaml(&head(command, group.id.name(), &verdict), &verdict.keys);
    let path = wanted.path.as_ref().map(|path| path.display().to_string());
    if let Some(output) = output {
        output.save(&text).await?;
    }
    let (component, differences) = (command.component.to_owned(), verdict.differences);
    host.send(Message::Document { component, text, path, files, differences });
    Ok(())
}

/// The naming files of names that are those of the settings.
fn naming_files() -> Vec<FileBeside> {
    let file = |(name, text): (&str, String)| FileBeside { path: format!("{NAMING_FOLDER}/{name}"), text };
    Convention::files_as_they_are().into_iter().map(file).collect()
}

/// The command of a component, with how its document is written.
fn command_of(component: &str) -> Result<(&'static Command, &'static Export), Failure> {
    let can = COMMANDS.iter().filter(|command| command.export.is_some());
    let all: Vec<String> = can.map(|command| command.component.to_owned()).collect();
    let wrong = |message: String| {
        Box::new(ErrorReport {
            target: Some("component".to_owned()),
            ..ErrorReport::terminating(Code::RequestInvalid, message)
        })
    };
    match COMMANDS.iter().find(|command| command.is_for(component)) {
        Some(command) => match &command.export {
            Some(export) => Ok((command, export)),
            None => Err(wrong(format!(
                "Documents of '{}' cannot be written of what exists; those of {} can.",
                command.component,
                listed(&all)
            ))),
        },
        None => Err(wrong(format!("The component {}.", not_valid(component, &all)))),
    }
}

/// The resource group, and everything in it of which the document is written.
async fn read(
    wanted: &Wanted,
    command: &Command,
    export: &Export,
    project: &Project,
    reads: &mut Reads,
) -> Result<(There, Vec<There>), Failure> {
    let name = &wanted.resource_group;
    let nothing = |message: String, recommendation: &str| {
        Box::new(ErrorReport {
            target: Some(name.clone()),
            recommendation: Some(recommendation.to_owned()),
            ..ErrorReport::terminating(Code::NothingToExport, message)
        })
    };
    RESOURCE_GROUP.check_name(name).map_err(|refused| {
        Box::new(ErrorReport {
            target: Some("resourceGroup".to_owned()),
            ..ErrorReport::terminating(Code::RequestInvalid, format!("{refused}."))
        })
    })?;
    let id = project.subscription.group(name);
    let cannot = |error: std::sync::Arc<ArmError>| {
        let mut report = reading_failed(&format!("The resource group '{name}' cannot be read"), &error);
        report.resource_id = Some(id.to_string());
        report
    };
    let Some(body) = one(reads, &id, &RESOURCE_GROUP).await.map_err(cannot)? else {
        return Err(nothing(
            format!("The resource group '{name}' does not exist."),
            "Check the name and the subscription.",
        ));
    };
    let there = in_group(reads, &id, export.reads).await.map_err(cannot)?;
    if !there.iter().any(|there| is_subject(export, there)) {
        let labels: Vec<String> = export.subjects().map(|subject| format!("{}s", subject.label)).collect();
        return Err(nothing(
            format!(
                "The resource group '{name}' has no {} to write a document of '{}' of.",
                alternatives(&labels),
                command.component
            ),
            "Check the name of the group, and the component.",
        ));
    }
    // As Azure spells it.
    let id =
        body.get("id").and_then(Value::as_str).and_then(ResourceId::checked).filter(|own| *own == id).unwrap_or(id);
    Ok((There { id, body, below: Vec::new() }, there))
}

/// No document needs as many rounds: each of them is about resources that the one before has found.
const MOST_READINGS: usize = 10;

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
        estate
            .there
            .extend(found.map_err(|error| reading_failed("What belongs to the document cannot be read", &error))?);
    }
    Ok(())
}

/// Everything that is published in the subscription.
async fn published(project: &Project, reads: &mut Reads) -> Result<Services, Failure> {
    struct Nothing<'a>(&'a Project);

    impl Wants for Nothing<'_> {
        fn project(&self) -> &Project {
            self.0
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

fn is_a(there: &There, resource_type: &ResourceType) -> bool {
    there.id.resource_type().eq_ignore_ascii_case(resource_type.name)
}

/// Whether there is a document of something alone.
fn is_subject(export: &Export, there: &There) -> bool {
    export.subjects().any(|subject| is_a(there, subject))
}

/// The error where everything is left out, for which the warnings have the reasons.
fn nothing_left(
    command: &Command,
    export: &Export,
    estate: &Estate<'_>,
    verdict: &Verdict,
    names_as_they_are: bool,
) -> Failure {
    let mut subjects =
        estate.there.iter().filter(|there| is_subject(export, there) && there.id.is_within(&estate.group.id));
    let label = subjects.next().and_then(|first| export.subjects().find(|kind| is_a(first, kind)));
    let (count, label) = (subjects.count() + 1, label.map_or(RESOURCE_GROUP.label, |kind| kind.label));
    let what = if count == 1 {
        format!("The {label} in the resource group '{}' cannot", estate.group.id.name())
    } else {
        format!("None of the {count} {label}{} in the resource group '{}' can", plural(count), estate.group.id.name())
    };
    let message = format!("{what} be in a document of '{}', so there is none.", command.component);
    let is_of_names = !names_as_they_are && verdict.notes.iter().any(|note| note.contains(NOT_GENERATED));
    let advice = if is_of_names {
        "The warnings say why. Take names as they are with -Names and a -Path in a new folder."
    } else {
        "The warnings say why."
    };
    Box::new(ErrorReport {
        recommendation: Some(advice.to_owned()),
        target: Some("resourceGroup".to_owned()),
        ..ErrorReport::terminating(Code::NothingToExport, message)
    })
}

/// What stands above the document.
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
