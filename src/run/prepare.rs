//! The first stage: reads the files of a run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::RunContext;
use super::deployment::{Job, Source, absolute};
use super::destination::Inputs;
use super::failure::{Failure, defect};
use super::plan_report::{PlanFiles, now, read_approved};
use crate::azure::ResourceId;
use crate::commands::{self, Command, Compile, Component, EnvironmentTag, Project};
use crate::desired::Tags;
use crate::naming::{Convention, Environment, NameContext, ProjectNames, project_convention};
use crate::protocol::{Code, ErrorReport, Host, MadeWith, Request, Warning};
use crate::report::{PlanFile, PlanHead, REPORT_FORMAT, document_names};
use crate::settings::{Document, Environments, Finding, LeftOut, LoadError, Values, Variables, settings_invalid};

/// The id that generated names have for a subscription that is not known.
const NO_SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000000";

/// The component of the documents that use definitions of a file of their own.
const LOG_ALERTS: &str = "logAlerts";

/// The names that reports have for the documents of a deployment, by those that messages have.
pub(super) type DocumentNames = HashMap<String, String>;

/// Everything of a run that was read from files, and what its request says.
pub(super) struct Prepared {
    /// The warnings about the files before anything else.
    warnings: Vec<Warning>,
    /// Whose documents it has.
    pub(super) job: Job,
    pub(super) request: Request,
    pub(super) context: RunContext,
    /// The documents; each stands for one that was read.
    pub(super) documents: Vec<PreparedDocument>,
    /// The files that it has read, and those that it keeps.
    pub(super) inputs: Inputs,
    pub(super) plan_files: PlanFiles,
    /// The plan that was approved, with its file.
    pub(super) approved: Option<(PathBuf, PlanFile)>,
    /// The names that reports have for the documents; of a single one they say nothing.
    pub(super) names: DocumentNames,
    /// The parts that the environment does not have.
    left_out: Vec<LeftOut>,
    /// The variables of the caller that stand in the documents.
    pub(super) secrets: Vec<String>,
    /// The head of the plan of this run, which is known before it is made.
    pub(super) head: PlanHead,
}

/// A document of a run.
pub(super) struct PreparedDocument {
    /// The id that tells it from others.
    pub(super) id: Option<String>,
    /// None where it is not known which command it is for.
    pub(super) settings: Option<Box<dyn Compile>>,
    /// Its command; none where that is not known.
    pub(super) command: Option<&'static Command>,
    pub(super) project: Project,
    /// Its file; none of an object.
    pub(super) source: Option<PathBuf>,
    /// The files of its project that were read for it.
    pub(super) files: Vec<PathBuf>,
    /// The findings about it as a whole, or with the files beside it.
    pub(super) findings: Vec<Finding>,
    /// The naming files are wrong, so nobody knows what the names are.
    pub(super) names_are_wrong: bool,
}

impl Prepared {
    /// Warns of what the request or a document has that is not what its command expects.
    pub(super) fn warn(&self, host: &Host) {
        self.tell_inputs(host);
        self.left_out.iter().for_each(|left_out| host.verbose(left_out.sentence()));
        host.warnings(self.warnings.iter().cloned());
        if self.request.omit_tags.unwrap_or_default() {
            host.warning("Tag settings are skipped, as was asked for; only the tag for publish names is written.");
        }
    }

    /// Tells which environment and which files the run uses.
    fn tell_inputs(&self, host: &Host) {
        let environment = &self.head.made_with.environment;
        if !environment.is_empty() {
            let default = if self.context.environment.is_none() { ", the default" } else { "" };
            host.verbose(format!("The environment is {environment}{default}."));
        }
        let mut told: Vec<&PathBuf> = Vec::new();
        for file in self.documents.iter().flat_map(|document| document.source.iter().chain(&document.files)) {
            if !told.contains(&file) {
                host.verbose(format!("The file '{}' is used.", file.display()));
                told.push(file);
            }
        }
    }

    /// Whether the files beside the documents are right.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub(super) fn check_files(&self) -> Result<(), Failure> {
        let findings: Vec<Finding> = self.documents.iter().flat_map(|document| document.findings.clone()).collect();
        if findings.is_empty() { Ok(()) } else { Err(Box::new(settings_invalid(&findings))) }
    }

    /// The number of items and documents the environment does not have.
    pub(super) fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Whether the run plans and changes nothing.
    pub(super) fn is_what_if(&self) -> bool {
        self.request.what_if.unwrap_or_default()
    }

    /// Takes the subscription that the run is connected to. Returns whether names change with it.
    pub(super) fn enter(&mut self, subscription_id: &str) -> bool {
        self.context.run.subscription = ResourceId::subscription(subscription_id);
        let mut changes = false;
        for document in &mut self.documents {
            changes |= document.project.enter(&self.context.run, subscription_id);
        }
        changes
    }
}

/// Reads every file of the run, beside the thread that listens for cancellation.
pub(super) async fn prepare(job: Job, request: Request, host: &Host) -> Result<Prepared, Failure> {
    let context = RunContext::of(&request)?;
    let mut found = Found::default();
    let read = tokio::task::spawn_blocking(move || {
        let prepared = read_files(job, request, context, &mut found);
        (prepared, found.secrets())
    });
    let (prepared, secrets) = read.await.map_err(|error| defect(&error))?;
    // Before anything is said of the documents.
    secrets.iter().for_each(|secret| host.secrets().add(secret));
    prepared
}

/// The findings while documents are read.
#[derive(Default)]
struct Found {
    warnings: Vec<Warning>,
    left_out: Vec<LeftOut>,
    /// The values of each project, by the folders in which it has its files.
    values: Vec<(Vec<PathBuf>, Values)>,
}

impl Found {
    fn secrets(&self) -> Vec<String> {
        let secrets = self.values.iter().flat_map(|(_, values)| values.secrets());
        secrets.cloned().collect()
    }

    /// Notes warnings, each once: documents may have one project.
    fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// The values of a project, which are read once.
    fn values(&mut self, folders: &[PathBuf], environments: Environments) -> Result<&mut Values, LoadError> {
        let known = self.values.iter().position(|(of, _)| of == folders);
        let index = match known {
            Some(index) => index,
            None => {
                self.values.push((folders.to_vec(), Values::read(folders, environments)?));
                self.values.len() - 1
            }
        };
        Ok(&mut self.values[index].1)
    }
}

fn read_files(job: Job, mut request: Request, context: RunContext, found: &mut Found) -> Result<Prepared, Failure> {
    let sources = job.sources(&mut request)?;
    let job = job.with_command(&sources)?;
    let (mut documents, mut read) = (Vec::new(), Vec::new());
    let variables = variables(&request);
    for source in sources {
        let mut reader = Reader { job, request: &request, context: &context, variables: &variables, found };
        let (prepared, document) = reader.document(source)?;
        documents.push(prepared);
        read.push(document);
    }
    let unused: Vec<Warning> = found.values.iter().flat_map(|(_, values)| values.unused()).collect();
    found.warn(unused);
    // Of the only document nothing else can be said.
    if let ([only], [None]) = (documents.as_slice(), read.as_slice()) {
        return Err(Box::new(settings_invalid(&only.findings)));
    }
    let ids: Vec<&str> = documents.iter().filter_map(|document| document.id.as_deref()).collect();
    let called = document_names(&ids);
    let names = ids.iter().map(|id| (*id).to_owned()).zip(called.iter().cloned()).collect();
    let files = || read.iter().flatten().filter_map(|document| document.file_name()).collect();
    let called = if job.is_single() { files() } else { called };
    let left_out = std::mem::take(&mut found.left_out);
    let made_with = MadeWith { left_out: left_out.len(), ..made_with(&documents) };
    let head = PlanHead { made_with, ..head_of(job, called, &request, &context) };
    let inputs = Inputs::of(&request, &context, read.iter().flatten().filter_map(|document| document.path()));
    let plan_files = PlanFiles::of(&context.plan_report, job.plan_name(&request).as_deref(), job.name(), &inputs)?;
    let approved = match &context.approved_plan {
        Some(path) => Some((path.clone(), read_approved(path, &head)?)),
        None => None,
    };
    let (warnings, secrets) = (std::mem::take(&mut found.warnings), found.secrets());
    Ok(Prepared {
        warnings,
        job,
        request,
        context,
        documents,
        inputs,
        plan_files,
        approved,
        names,
        left_out,
        secrets,
        head,
    })
}

/// The variables of the caller: those of the request, as a process may have others than its host.
fn variables(request: &Request) -> Variables {
    let of_process =
        || std::env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    request.environment.clone().unwrap_or_else(|| of_process().collect())
}

/// Reads the documents of a run and the files of their projects.
struct Reader<'a> {
    job: Job,
    request: &'a Request,
    context: &'a RunContext,
    variables: &'a Variables,
    found: &'a mut Found,
}

impl Reader<'_> {
    /// A document with what is beside it; and the document itself, where it has values.
    fn document(&mut self, source: Source) -> Result<(PreparedDocument, Option<Arc<Document>>), Failure> {
        let (id, mut findings) = (source.id, Vec::new());
        let document = usable(source.document, &mut findings).map_err(|failure| about(failure, id.as_ref()))?;
        let command = match document.as_ref().map(|document| self.job.command_of(document)) {
            Some(Ok(command)) => Some(command),
            Some(Err(finding)) => {
                findings.push(finding);
                None
            }
            None => self.job.only_command(),
        };
        if let (Some(document), Some(command)) = (&document, command) {
            self.check_component(document, command)?;
        }
        let folders = self.context.project_folders(&source.folder);
        let names = usable(project_convention(&folders), &mut findings)?;
        let names_are_wrong = names.is_none();
        let ProjectNames { convention, files, warnings: of_names } = names.unwrap_or_default();
        let environment =
            if names_are_wrong { Environment::default() } else { environment(self.context, &convention)? };
        let environments = self.environments(&convention, &environment, names_are_wrong);
        let values = usable(self.found.values(&folders, environments), &mut findings)?;
        let (value_files, of_values) = match values {
            Some(values) => {
                findings.extend(values.take_findings());
                (values.files().collect(), values.take_warnings())
            }
            None => (Vec::new(), Vec::new()),
        };
        let filled = match &document {
            Some(document) => self.fill(document, &folders, &mut findings),
            None => Some(Document::nothing()),
        };
        let mut settings = command.zip(filled).map(|(command, filled)| command.read(&filled));
        let definitions = match &mut settings {
            Some(settings) => usable(settings.read_project_files(&folders), &mut findings)?.flatten(),
            None => None,
        };
        // Definitions are for one command, and read by no other.
        if command.is_some_and(|command| command.component == LOG_ALERTS) {
            self.found.warn(commands::unread_definitions(&folders).map(Warning::from));
        }
        self.found.warn(of_names.into_iter().chain(of_values));
        let tag_file = self.tag_file(&folders)?;
        let tags = match &tag_file {
            Some(file) => self.tags(file, &folders, &mut findings)?,
            None => Tags::new(),
        };
        let files = files.into_iter().chain(tag_file).chain(value_files).chain(definitions).collect();
        let source = document.as_ref().and_then(|document| document.path()).map(Path::to_owned);
        let project = self.project(convention, environment, tags);
        let settings = settings.filter(|_| document.is_some());
        Ok((PreparedDocument { id, settings, command, project, source, files, findings, names_are_wrong }, document))
    }

    /// The environments of a project. Where its naming files are wrong only the one is known that the context names.
    fn environments(&self, convention: &Convention, environment: &Environment, names_are_wrong: bool) -> Environments {
        if names_are_wrong {
            let named = self.context.environment.clone();
            return Environments::new(named.unwrap_or_else(|| environment.to_string()), Vec::new());
        }
        let known = convention.environments().into_iter().map(|(environment, _)| environment.to_string());
        Environments::new(environment.key(), known.collect())
    }

    /// A document with its values; none where the environment does not have it.
    fn fill(
        &mut self,
        document: &Arc<Document>,
        folders: &[PathBuf],
        findings: &mut Vec<Finding>,
    ) -> Option<Arc<Document>> {
        let Some((_, values)) = self.found.values.iter_mut().find(|(of, _)| of == folders) else {
            return Some(Arc::clone(document));
        };
        let filled = values.fill(document, self.variables);
        findings.extend(filled.findings);
        self.found.left_out.extend(filled.left_out);
        self.found.warn(filled.warnings);
        filled.document
    }

    /// The tags of a file.
    fn tags(&mut self, file: &Path, folders: &[PathBuf], findings: &mut Vec<Finding>) -> Result<Tags, Failure> {
        let Some(document) = usable(Document::load(file, "tag settings"), findings)? else { return Ok(Tags::new()) };
        let Some(document) = self.fill(&document, folders, findings) else { return Ok(Tags::new()) };
        Ok(usable(commands::tags_of(&document).map_err(LoadError::Findings), findings)?.unwrap_or_default())
    }

    /// Whether the document says that it is for another command.
    fn check_component(&mut self, document: &Arc<Document>, command: &Command) -> Result<(), Failure> {
        match commands::check_component(document, command) {
            Ok(()) => Ok(()),
            // Nothing else that is wrong with it means anything to the one who has taken the wrong command.
            Err(Component::OfAnother(finding)) => Err(Box::new(settings_invalid(&[finding]))),
            Err(Component::Unknown(warning)) => {
                self.found.warn([warning.warning()]);
                Ok(())
            }
        }
    }

    /// The tag settings that the request names, or the project's.
    fn tag_file(&mut self, folders: &[PathBuf]) -> Result<Option<PathBuf>, Failure> {
        if self.request.omit_tags.unwrap_or_default() {
            return Ok(None);
        }
        // A wrapper hands over an unset variable as an empty text.
        let file = self.request.tag_settings_file.as_deref().filter(|file| !file.as_os_str().is_empty());
        if let Some(file) = file {
            return absolute(file, "tagSettingsFile").map(Some);
        }
        self.found.warn(commands::misnamed_tags(folders).into_iter().map(Warning::from));
        Ok(commands::tag_file(folders))
    }

    fn project(&self, convention: Convention, environment: Environment, tags: Tags) -> Project {
        let context = self.context;
        let word = convention.environments().into_iter().find(|(known, _)| *known == environment).map(|(_, word)| word);
        let value = word.filter(|word| !word.is_empty()).unwrap_or_else(|| environment.to_string());
        let environment_tag = context.environment_tag_key.clone().map(|key| EnvironmentTag { key, value });
        let known = context.subscription_id.as_deref();
        // Whoever connects knows it soon, and what is wrong with names until then is told before.
        let soon = (!context.offline).then_some(NO_SUBSCRIPTION);
        Project {
            run: context.run.clone(),
            convention,
            name_context: NameContext {
                environment,
                subscription_name: context.subscription_name.clone(),
                subscription_id: known.or(soon).map(str::to_owned),
            },
            environment_tag,
            tags,
        }
    }
}

/// The plan of a run as far as it is known before it is made.
fn head_of(job: Job, documents: Vec<String>, request: &Request, context: &RunContext) -> PlanHead {
    PlanHead {
        format: REPORT_FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: job.name().to_owned(),
        documents,
        created: now(),
        offline: context.offline,
        what_if: request.what_if.unwrap_or_default(),
        ..PlanHead::default()
    }
}

/// The environment of documents, and the files of their projects: a plan is read elsewhere, so without their folders.
fn made_with(documents: &[PreparedDocument]) -> MadeWith {
    let environment = documents.first().map(|first| first.project.name_context.environment.to_string());
    let mut project_files = Vec::new();
    for file in documents.iter().flat_map(|document| &document.files) {
        let name = name_in_project(file);
        if !project_files.contains(&name) {
            project_files.push(name);
        }
    }
    MadeWith { environment: environment.unwrap_or_default(), project_files, left_out: 0 }
}

/// `_names/tokens.yml`, `logAlertDefinitions.yml`.
fn name_in_project(file: &Path) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = file.parent().map(name).filter(|folder| folder.starts_with('_'));
    folder.map_or_else(|| name(file), |folder| format!("{folder}/{}", name(file)))
}

/// A failure that is about one of several documents.
fn about(failure: Failure, id: Option<&String>) -> Failure {
    Box::new(failure.of_document(id.cloned()))
}

/// The document that was read, where it can be used. What is wrong with it is kept for the one error about all files.
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

/// The environment of the names.
fn environment(context: &RunContext, convention: &Convention) -> Result<Environment, Failure> {
    let Some(name) = &context.environment else { return Ok(Environment::default()) };
    convention.environment(name).map_err(|error| {
        Box::new(ErrorReport::terminating(Code::EnvironmentUnknown, format!("{error}.")).about("environment"))
    })
}
