//! The first stage: reads the files of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::RunContext;
use super::context::check_absolute;
use super::failure::{Failure, defect, failure};
use crate::azure::ResourceId;
use crate::commands::{self, Command, Compile, Component, Project};
use crate::naming::{Convention, Environment, NameContext, project_convention};
use crate::protocol::{Code, ErrorReport, Host, Request};
use crate::settings::{Document, LoadError, settings_invalid};

/// Stands for a subscription that is not known: in a plan that is made offline, and before the connection is made.
const NO_SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000000";

/// Everything of a run that was read from files, and what its request says.
pub(super) struct Prepared {
    /// What is to be said of the files before anything else.
    warnings: Vec<String>,
    pub(super) request: Request,
    pub(super) context: RunContext,
    pub(super) settings: Box<dyn Compile>,
    pub(super) project: Project,
}

impl Prepared {
    /// Warns of what the request or the document has that is not what the command expects.
    pub(super) fn warn(&self, host: &Host) {
        self.warnings.iter().for_each(|warning| host.warning(warning));
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

/// The document of a request, which has exactly one.
pub(super) fn document_of(request: &mut Request) -> Result<Arc<Document>, Failure> {
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
    document.map_err(|error| Box::new(error.report()))
}

fn read_files(command: &'static Command, mut request: Request, context: RunContext) -> Result<Prepared, Failure> {
    let document = document_of(&mut request)?;
    let mut warnings = Vec::new();
    match commands::check_component(&document, command) {
        Ok(()) => {}
        // Nothing else that is wrong with it means anything to the one who has taken the wrong command.
        Err(Component::OfAnother(finding)) => return Err(Box::new(settings_invalid(&[finding]))),
        Err(Component::Unknown(warning)) => warnings.push(warning.warning()),
    }
    let mut settings = command.read(&document);
    settings.read_project_files(&context.project_folders)?;
    let names = project_convention(&context.project_folders)?;
    warnings.extend(names.warnings);
    let convention = names.convention;
    let environment = environment(&context, &convention)?;
    let tags = if request.omit_tags.unwrap_or_default() {
        Default::default()
    } else {
        // A wrapper hands over an unset variable as an empty text.
        let file = request.tag_settings_file.as_deref().filter(|file| !file.as_os_str().is_empty());
        let file = file.map(|file| absolute(file, "tagSettingsFile")).transpose()?;
        commands::tags_of(file.as_deref(), &context.project_folders)?
    };
    let subscription_id = context.subscription_id.as_deref().unwrap_or(NO_SUBSCRIPTION);
    let project = Project {
        convention,
        name_context: NameContext {
            environment,
            subscription_name: context.subscription_name.clone(),
            subscription_id: Some(subscription_id.to_owned()),
        },
        subscription: ResourceId::subscription(subscription_id),
        service_tag_key: context.service_tag_key.clone(),
        exception_tag_key: context.exception_tag_key.clone(),
        tags,
    };
    Ok(Prepared { warnings, request, context, settings, project })
}

/// The environment of the names.
fn environment(context: &RunContext, convention: &Convention) -> Result<Environment, Failure> {
    let Some(name) = &context.environment else { return Ok(Environment::default()) };
    convention.environment(name).map_err(|error| {
        Box::new(ErrorReport {
            target: Some("environment".to_owned()),
            ..ErrorReport::terminating(Code::EnvironmentUnknown, format!("{error}."))
        })
    })
}

fn absolute(path: &Path, member: &str) -> Result<PathBuf, Failure> {
    check_absolute(path, member).map(|()| path.to_owned())
}
