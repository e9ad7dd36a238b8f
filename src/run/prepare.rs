//! The first stage: reads the files of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::RunContext;
use super::context::check_absolute;
use super::failure::{Failure, defect, failure};
use super::plan_report::{PlanFiles, now, read_approved};
use crate::azure::ResourceId;
use crate::commands::{self, Command, Compile, Component, Project};
use crate::desired::Tags;
use crate::naming::{Convention, Environment, NameContext, project_convention};
use crate::protocol::{Code, ErrorReport, Host, Request};
use crate::report::{REPORT_FORMAT, Report};
use crate::settings::{Document, Finding, Label, LoadError, settings_invalid};

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
    /// What is wrong with the files beside the document.
    pub(super) findings: Vec<Finding>,
    /// The naming files are wrong, so nobody knows what the names are.
    pub(super) names_are_wrong: bool,
    pub(super) plan_files: PlanFiles,
    /// The plan that was approved, with its file.
    pub(super) approved: Option<(PathBuf, Report)>,
    /// What is known of the plan of this run before it is made.
    report: Report,
}

impl Prepared {
    /// Warns of what the request or the document has that is not what the command expects.
    pub(super) fn warn(&self, host: &Host) {
        host.warnings(self.warnings.iter().cloned());
        if self.request.omit_tags.unwrap_or_default() {
            host.warning("Tag settings are skipped because of -OmitTags; only the tag for publish names is written.");
        }
    }

    /// The report of a plan without what is planned.
    pub(super) fn empty_report(&self) -> Report {
        self.report.clone()
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
    read_settings(request)?.map_err(|error| Box::new(error.report()))
}

fn read_files(command: &'static Command, mut request: Request, context: RunContext) -> Result<Prepared, Failure> {
    let mut findings = Vec::new();
    let document = usable(read_settings(&mut request)?, &mut findings)?;
    let mut warnings = Vec::new();
    match document.as_ref().map_or(Ok(()), |document| commands::check_component(document, command)) {
        Ok(()) => {}
        // Nothing else that is wrong with it means anything to the one who has taken the wrong command.
        Err(Component::OfAnother(finding)) => return Err(Box::new(settings_invalid(&[finding]))),
        Err(Component::Unknown(warning)) => warnings.push(warning.warning()),
    }
    let has_document = document.is_some();
    let document = document.unwrap_or_else(Document::nothing);
    let mut settings = command.read(&document);
    usable(settings.read_project_files(&context.project_folders), &mut findings)?;
    let names = usable(project_convention(&context.project_folders), &mut findings)?;
    let names_are_wrong = names.is_none();
    let (convention, ignored) =
        names.map_or_else(|| (Convention::builtin(), Vec::new()), |names| (names.convention, names.warnings));
    warnings.extend(ignored);
    let environment = if names_are_wrong { Environment::default() } else { environment(&context, &convention)? };
    let tags = usable(read_tags(&request, &context)?, &mut findings)?.unwrap_or_default();
    if !has_document {
        return Err(Box::new(settings_invalid(&findings)));
    }
    let report = empty_report(command, &document, &request, &context);
    let plan_files = PlanFiles::of(&context.plan_report, document.path(), command.name)?;
    let approved = match &context.approved_plan {
        Some(path) => Some((path.clone(), read_approved(path, &report)?)),
        None => None,
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
    Ok(Prepared {
        warnings,
        request,
        context,
        settings,
        project,
        findings,
        names_are_wrong,
        plan_files,
        approved,
        report,
    })
}

/// The plan of a run as far as it is known before it is made.
fn empty_report(command: &Command, document: &Document, request: &Request, context: &RunContext) -> Report {
    Report {
        format: REPORT_FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.name.to_owned(),
        documents: document.file_name().into_iter().collect(),
        created: now(),
        offline: context.offline,
        what_if: request.what_if.unwrap_or_default(),
        ..Report::default()
    }
}

/// What was read, where it can be used. What is wrong with it is kept for the one error about all files.
fn usable<T>(read: Result<T, LoadError>, findings: &mut Vec<Finding>) -> Result<Option<T>, Failure> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(LoadError::Findings(found)) => {
            findings.extend(found);
            Ok(None)
        }
        Err(error) => Err(Box::new(error.report())),
    }
}

/// The document of the request.
fn read_settings(request: &mut Request) -> Result<Result<Arc<Document>, LoadError>, Failure> {
    // Of a deployment; other commands refuse it.
    if let Some([file]) = request.settings_files.as_deref() {
        let read = Document::load(&absolute(file, "settingsFiles")?, "settings");
        if let Ok(document) = &read {
            let name = document.file_name().unwrap_or_default();
            document.call(Label { id: file.display().to_string(), name });
        }
        return Ok(read);
    }
    match (&request.settings_file, request.settings.take()) {
        (Some(file), None) => Ok(Document::load(&absolute(file, "settingsFile")?, "settings")),
        (None, Some(settings)) => Ok(Document::from_object(settings).map_err(LoadError::Findings)),
        (Some(_), Some(_)) => {
            let message = "Both a settings file and a settings object are given; use one of them.";
            Err(failure(Code::SettingsAmbiguous, message))
        }
        (None, None) => {
            let message = "Neither a settings file nor a settings object is given; use one of them.";
            Err(failure(Code::SettingsMissing, message))
        }
    }
}

/// The tags of the file that the request names, or of the project's.
fn read_tags(request: &Request, context: &RunContext) -> Result<Result<Tags, LoadError>, Failure> {
    if request.omit_tags.unwrap_or_default() {
        return Ok(Ok(Tags::new()));
    }
    // A wrapper hands over an unset variable as an empty text.
    let file = request.tag_settings_file.as_deref().filter(|file| !file.as_os_str().is_empty());
    let file = file.map(|file| absolute(file, "tagSettingsFile")).transpose()?;
    Ok(commands::tags_of(file.as_deref(), &context.project_folders))
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
