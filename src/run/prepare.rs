//! The first stage: reads the files of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::RunContext;
use super::failure::{Failure, defect, failure};
use crate::azure::ResourceId;
use crate::commands::{self, Command, Compile, Project};
use crate::naming::{NameContext, project_convention};
use crate::protocol::{Code, Host, Request};
use crate::settings::{Document, LoadError, settings_invalid};

/// Stands for a subscription that is not known: in a plan that is made offline, and before the connection is made.
const NO_SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000000";

/// Everything of a run that was read from files, and what its request says.
pub(super) struct Prepared {
    pub(super) request: Request,
    pub(super) context: RunContext,
    pub(super) settings: Box<dyn Compile>,
    pub(super) project: Project,
}

impl Prepared {
    /// Warns of what the request or the document has that is not what the command expects.
    pub(super) fn warn(&self, command: &Command, host: &Host) {
        let component = self.settings.component();
        if let Some(component) = component.filter(|component| !component.eq_ignore_ascii_case(command.component)) {
            host.warning(format!(
                "The settings are for the component '{component}', but {} is for '{}'.",
                command.name, command.component
            ));
        }
        if self.request.omit_tags.unwrap_or_default() {
            host.warning("Tag settings are skipped because of -OmitTags; only the tag for publish names is written.");
        }
    }

    /// Whether the run plans and changes nothing.
    pub(super) fn is_what_if(&self) -> bool {
        self.request.what_if.unwrap_or_default()
    }
}

/// Reads every file of the run, beside the thread that listens for cancellation.
pub(super) async fn prepare(command: &'static Command, request: Request) -> Result<Prepared, Failure> {
    let context = RunContext::of(&request)?;
    tokio::task::spawn_blocking(move || read_files(command, request, context)).await.map_err(|error| defect(&error))?
}

fn read_files(command: &Command, mut request: Request, context: RunContext) -> Result<Prepared, Failure> {
    let document = match (&request.settings_file, request.settings.take()) {
        (Some(file), None) => Document::load(&absolute(file, "settingsFile")?, "settings"),
        (None, Some(settings)) => Document::from_object(settings).map_err(LoadError::Findings),
        (Some(_), Some(_)) => {
            let message = "Both a settings file and a settings object are given; use one of them.";
            return Err(failure(Code::SettingsAmbiguous, message));
        }
        (None, None) => {
            let message = "Neither a settings file nor a settings object is given; use one of them.";
            return Err(failure(Code::SettingsMissing, message));
        }
    };
    let document: Arc<Document> = document.map_err(|error| Box::new(error.report()))?;
    let mut settings = command.read(&document).map_err(|findings| Box::new(settings_invalid(&findings)))?;
    settings.read_project_files(&context.project_folders)?;
    let convention = project_convention(&context.project_folders)?;
    let tags = if request.omit_tags.unwrap_or_default() {
        Default::default()
    } else {
        let file = request.tag_settings_file.as_deref().map(|file| absolute(file, "tagSettingsFile")).transpose()?;
        commands::tags_of(file.as_deref(), &context.project_folders)?
    };
    let project = Project {
        convention,
        name_context: NameContext {
            environment: context.environment,
            subscription_name: context.subscription_name.clone(),
        },
        subscription: ResourceId::subscription(context.subscription_id.as_deref().unwrap_or(NO_SUBSCRIPTION)),
        service_tag_key: context.service_tag_key.clone(),
        exception_tag_key: context.exception_tag_key.clone(),
        tags,
    };
    Ok(Prepared { request, context, settings, project })
}

/// The location of a host is not the working directory of its process, so a relative path would mean the wrong file.
fn absolute(path: &Path, member: &str) -> Result<PathBuf, Failure> {
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    let message = format!(
        "'{}' must be an absolute path; the host must resolve {member} before it sends the request.",
        path.display()
    );
    Err(failure(Code::PathNotAbsolute, message))
}
