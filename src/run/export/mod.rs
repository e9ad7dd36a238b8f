//! Writes the settings documents of what exists: of one resource group, or of an environment. The command whose document it is judges it:
//! what its plan would change is taken out of the document, with the reason, or told.

mod folder_of_documents;
mod judge;
mod output;
mod problem;
mod publishing;
mod reader;

use std::collections::HashSet;
use std::path::PathBuf;

use serde::Deserialize;

use self::judge::Judge;
pub(super) use self::judge::without_plans;
use self::output::Output;
use self::publishing::Publishing;
use self::reader::{Reader, Written};
use super::connect::connect;
use super::context::RunContext;
use super::failure::{Failure, failure};
use crate::apply::Record;
use crate::azure::types::RESOURCE_GROUP;
use crate::commands::{COMMANDS, Command, Export};
use crate::protocol::{Code, ErrorReport, Host, Request, not_valid};
use crate::world::Reads;

/// The members that an export has beside those of every request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    /// Of nothing else a document is written; without it of everything that has one.
    #[serde(default)]
    component: Option<String>,
    #[serde(default)]
    resource_group: Option<Groups>,
    /// Every resource group of the subscription is read.
    #[serde(default)]
    all: Option<bool>,
    /// Names are to be those of the settings, whoever has given them; the naming files for that belong beside the document.
    #[serde(default)]
    names: Option<bool>,
    /// Absolute path of the file that gets the document, or of the folder that gets those of an environment.
    #[serde(default)]
    path: Option<PathBuf>,
    /// An earlier export at the path is replaced.
    #[serde(default)]
    overwrite: Option<bool>,
    /// Publish names that the documents lack are written, where that is approved.
    #[serde(default)]
    tag: Option<bool>,
}

/// The names of resource groups.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Groups {
    One(String),
    Several(Vec<String>),
}

/// The members of a request that only an export has.
const OWN_MEMBERS: &[&str] = &["component", "resourceGroup", "all", "names", "path", "overwrite", "tag"];

/// A command with how its document is written.
type Writer = (&'static Command, &'static Export);

/// The targets that documents are written of.
enum Target {
    /// One document of one group.
    Document(Writer, String),
    /// A folder of documents: of these commands and groups, of every group where none is named.
    Environment(Vec<Writer>, Vec<String>),
}

impl Target {
    /// The commands of which documents are written.
    fn writers(&self) -> impl Iterator<Item = Writer> {
        let (one, several) = match self {
            Target::Document(writer, _) => (Some(*writer), &[][..]),
            Target::Environment(writers, _) => (None, &writers[..]),
        };
        one.into_iter().chain(several.iter().copied())
    }
}

impl Wanted {
    /// The target that documents are written of.
    ///
    /// # Errors
    /// The request names no groups, or contradicts itself.
    fn target(&self) -> Result<Target, Failure> {
        let groups = match &self.resource_group {
            None => Vec::new(),
            Some(Groups::One(name)) => vec![name.clone()],
            Some(Groups::Several(names)) => names.clone(),
        };
        let all = self.all.unwrap_or_default();
        let wrong = |target: &str, message: &str, recommendation: &str| {
            Err(Box::new(
                ErrorReport::terminating(Code::RequestInvalid, message).about(target).recommending(recommendation),
            ))
        };
        let name_them = "Name resource groups with -ResourceGroup, or take all of the subscription with -All.";
        match (groups.is_empty(), all) {
            (true, false) => {
                return wrong("resourceGroup", "An export needs to know which resource groups it is of.", name_them);
            }
            (false, true) => {
                return wrong(
                    "all",
                    "Resource groups are named, and all are wanted as well.",
                    "Leave out one of -ResourceGroup and -All.",
                );
            }
            _ => {}
        }
        for name in &groups {
            RESOURCE_GROUP.check_name(name).map_err(|refused| {
                Box::new(ErrorReport::terminating(Code::RequestInvalid, format!("{refused}.")).about("resourceGroup"))
            })?;
        }
        let writers = match &self.component {
            Some(component) => vec![writer_of(component)?],
            None => COMMANDS.iter().map(|command| (command, &command.export)).collect(),
        };
        match (&writers[..], &groups[..], &self.path) {
            ([writer], [group], _) => Ok(Target::Document(*writer, group.clone())),
            (.., None) => wrong(
                "path",
                "Several documents may be written, and there is no folder for them.",
                "Name a folder with -Path, or one document with -Component and one resource group.",
            ),
            _ => Ok(Target::Environment(writers, groups)),
        }
    }
}

/// The members of an export, and the rest of its request.
pub(super) fn read_request(request: &[u8]) -> Result<(Wanted, Request), Failure> {
    let (wanted, request) = super::read_parts(request, OWN_MEMBERS)?;
    if request.settings.is_some() || request.settings_file.is_some() || request.settings_files.is_some() {
        return Err(failure(Code::RequestInvalid, "An export writes settings, so its request has none."));
    }
    Ok((wanted, request))
}

/// Reads what exists, and sends its documents. What is written besides is noted in the record.
pub(super) async fn export(wanted: Wanted, request: Request, host: &Host, record: &Record) -> Result<(), Failure> {
    let target = wanted.target()?;
    let is_what_if = request.what_if == Some(true);
    let mut request = without_plans(request);
    // The naming files count of the folder that the documents are written to; of one document also the cloud of that folder.
    let path = wanted.path.as_ref().filter(|path| path.is_absolute());
    if let (Target::Document(..), Some(path)) = (&target, path) {
        request.base_directory = path.parent().map(PathBuf::from);
    }
    let context = RunContext::of(&Request { what_if: Some(true), ..request.clone() })?;
    if let (Target::Environment(..), Some(path)) = (&target, path) {
        request.base_directory = Some(path.clone());
    }
    if context.offline {
        let message = "An export writes what exists, so it cannot be made offline. Leave offline out.";
        return Err(Box::new(ErrorReport::terminating(Code::ContextInvalid, message).about("offline")));
    }
    let names_as_they_are = wanted.names.unwrap_or_default();
    let output = Output::of(&target, &wanted, &request, &context)?;
    let command = target.writers().next().map_or(&COMMANDS[0], |(command, _)| command);
    // The files of the project are read, and what is wrong with them is told, before anything is contacted.
    let mut judge = Judge { command, request, subscription_id: None, host, names_as_they_are };
    let made_with = judge.check_project().await?;
    let connection = connect(&judge.request, &context, &made_with, host).await?;
    let Some(client) = connection.client() else {
        return Err(failure(Code::InternalError, "There is no connection."));
    };
    judge.subscription_id = connection.subscription_id().map(str::to_owned);
    let project = judge.project().await?;
    let folders = judge.request.base_directory.as_ref().map(|base| context.project_folders(base)).unwrap_or_default();
    let mut reader = Reader::new(judge, project, folders, Reads::new(client.clone())).await?;
    let mut written = documents(&mut reader, &target).await;
    if wanted.tag.unwrap_or_default() {
        let asked = HashSet::new();
        let mut publishing =
            Publishing { client, target: connection.target(), made_with, is_what_if, host, record, asked };
        // With more in the documents, these may lack more.
        while publishing.publish(&mut reader).await? {
            written = documents(&mut reader, &target).await;
        }
    }
    host.warnings(reader.warnings.drain(..));
    output.save(written?, host).await
}

/// The documents of a target.
async fn documents(reader: &mut Reader<'_>, target: &Target) -> Result<Vec<Written>, Failure> {
    match target {
        Target::Document(writer, group) => {
            let group = reader.project.run.subscription.group(group);
            Ok(vec![reader.document(*writer, &group, &[]).await?])
        }
        Target::Environment(writers, groups) => folder_of_documents::documents(reader, writers, groups).await,
    }
}

/// The command of a component, with how its document is written.
fn writer_of(component: &str) -> Result<Writer, Failure> {
    let known = COMMANDS.iter().find(|command| command.is_for(component));
    known.map(|command| (command, &command.export)).ok_or_else(|| {
        let all: Vec<&str> = COMMANDS.iter().map(|command| command.component).collect();
        Box::new(
            ErrorReport::terminating(Code::RequestInvalid, format!("The component {}.", not_valid(component, &all)))
                .about("component"),
        )
    })
}
