//! One run of a command, stage after stage.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::connect::{Connection, connect};
use super::context::RunContext;
use crate::apply::{InFlight, Record, apply, first_of, skipped};
use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::commands::{self, Command, Compile, Compiled, CompleteMode, Project, Services};
use crate::desired::{Desired, World};
use crate::naming::{NameContext, project_convention};
use crate::plan::{CompletedGroup, Plan, TypeFacts, deletion, full_name, plan, short_name, surplus};
use crate::protocol::{ErrorCategory, ErrorReport, Host, Message, Request, plural};
use crate::settings::{Document, Finding, LoadError, settings_invalid};
use crate::world::{group_content, read, read_services, type_facts};

/// How long what is left of a cancelled run may take to go away.
const SHUTDOWN: Duration = Duration::from_millis(500);

/// What ends a run early.
pub(super) type Failure = Box<ErrorReport>;

/// Stands for a subscription that is not known: in a plan that is made offline, and before the connection is made.
const NO_SUBSCRIPTION: &str = "00000000-0000-0000-0000-000000000000";

/// How a run ended.
enum Ending {
    /// Everything that could be done is done.
    Finished,
    /// The host wanted it to stop.
    Cancelled,
    /// Something made it impossible, before anything was changed.
    Impossible(Failure),
}

/// Runs a command to its end, or until the host cancels it.
pub(super) fn run(command: &'static Command, request: Request, host: &Host) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let message = format!("The operation cannot be started: {error}.");
            return host.send(Message::Error(*failure("InternalError", ErrorCategory::ResourceUnavailable, message)));
        }
    };
    let start = Instant::now();
    let (in_flight, record) = (InFlight::default(), Record::default());
    let ending = runtime.block_on(async {
        // Frozen before the other branch is dropped, which takes what is under way out of the list.
        let cancelled = async {
            host.cancellation().cancelled().await;
            in_flight.freeze();
        };
        tokio::select! {
            biased;
            () = cancelled => Ending::Cancelled,
            outcome = deploy(command, request, host, &in_flight, &record) => match outcome {
                Ok(ending) => ending,
                // An answer that did not come because of the cancellation is no failure.
                Err(_) if host.cancellation().is_cancelled() => Ending::Cancelled,
                Err(failure) => Ending::Impossible(failure),
            }
        }
    });
    let names = in_flight.names();
    if !names.is_empty() {
        host.warning(format!(
            "The command was stopped. Azure may still be working on {} resource{}: {}. Run the command again to finish.",
            names.len(),
            plural(names.len()),
            first_of(&names, "; ")
        ));
    }
    record.count(|counts| counts.seconds = (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0);
    match ending {
        Ending::Finished => record.conclude(host),
        Ending::Cancelled if record.has_failures() => record.conclude(host),
        Ending::Cancelled => {}
        Ending::Impossible(failure) => host.send(Message::Error(ErrorReport { terminating: true, ..*failure })),
    }
    runtime.shutdown_timeout(SHUTDOWN);
}

async fn deploy(
    command: &'static Command,
    request: Request,
    host: &Host,
    in_flight: &InFlight,
    record: &Record,
) -> Result<Ending, Failure> {
    let context = RunContext::of(&request)?;
    let prepared =
        tokio::task::spawn_blocking(move || prepare(command, request, context)).await.map_err(|error| {
            failure("InternalError", ErrorCategory::NotSpecified, format!("The engine has a bug: {error}."))
        })??;
    let Prepared { request, context, settings, mut project } = prepared;
    if let Some(component) = settings.component().filter(|component| !component.eq_ignore_ascii_case(command.component))
    {
        host.warning(format!(
            "The settings are for the component '{component}', but {} is for '{}'.",
            command.name, command.component
        ));
    }
    if request.omit_tags.unwrap_or_default() {
        host.warning("Tag settings are skipped because of -OmitTags; only the tag for publish names is written.");
    }
    // Everything that can be wrong without looking at Azure is found before anything is contacted.
    let offline = settings.compile(&project, &Services::NotRead);
    announce_secrets(&offline.desired, host);
    if !offline.findings.is_empty() {
        return Err(Box::new(settings_invalid(&offline.findings)));
    }
    let what_if = request.what_if.unwrap_or_default();
    let connection = connect(&request, &context, what_if, host).await?;
    if let Some(subscription_id) = connection.subscription_id().or(context.subscription_id.as_deref()) {
        project.subscription = ResourceId::subscription(subscription_id);
    }
    let (compiled, world) = match &connection {
        Connection::Offline => (settings.compile(&project, &Services::NotRead), World::Unknown),
        Connection::Online { client, .. } => {
            let services = read_services(client, &project, &offline.needs, what_if)
                .await
                .map_err(|error| reading_failed("The published services cannot be read", &error))?;
            let compiled = settings.compile(&project, &services);
            announce_secrets(&compiled.desired, host);
            if !compiled.findings.is_empty() {
                return Err(unresolved(&compiled.findings));
            }
            let existing = read(client, &compiled.desired).await?;
            for resource in &compiled.desired {
                let secrets = existing.get(&resource.id).map(|body| resource.resource_type.secrets_of(body));
                secrets.into_iter().flatten().for_each(|secret| host.secrets().add(secret));
            }
            (compiled, World::Known(existing))
        }
    };
    let Compiled { desired, warnings, complete, .. } = compiled;
    let mut plan = plan(&desired, &world);
    match (&complete, &connection) {
        (Some(complete), Connection::Online { client, .. }) => {
            plan_deletions(&mut plan, &desired, complete, context.allow_foreign_deletes, client).await?;
        }
        (Some(complete), Connection::Offline) => plan.warnings.push(format!(
            "{}: the other contents of the resource group are not known, so the plan shows no deletions.",
            complete.place.show()
        )),
        (None, _) => {}
    }
    warnings.iter().chain(&plan.warnings).for_each(|warning| host.warning(warning));
    for resource in &plan.unchanged {
        host.verbose(format!("The {} is up to date.", full_name(&resource.id, resource.resource_type.label)));
        if context.include_unchanged {
            host.send(Message::Unchanged(resource.report()));
        }
    }
    let waits = plan.unchanged.iter().filter(|resource| resource.in_progress).count();
    record
        .expect(plan.changes.len() + waits + plan.left_alone.iter().map(|left| 1 + left.skipped.len()).sum::<usize>());
    record.count(|counts| {
        counts.unchanged = plan.unchanged.len();
        counts.kept = plan.kept;
        counts.what_if = what_if;
        if what_if {
            plan.changes.iter().for_each(|change| counts.add(change.kind));
        }
    });
    note_left_alone(&plan, record, host);
    if plan.changes.is_empty() && waits == 0 {
        if plan.left_alone.is_empty() && plan.kept == 0 {
            let count = plan.unchanged.len();
            host.verbose(format!("Everything is up to date: {count} resource{}.", plural(count)));
        }
    } else {
        let approved: HashSet<usize> = if plan.changes.is_empty() {
            HashSet::new()
        } else {
            host.confirm(plan.actions()).await.into_iter().collect()
        };
        if host.cancellation().is_cancelled() {
            return Ok(Ending::Cancelled);
        }
        if let (Connection::Online { client, .. }, false) = (&connection, what_if) {
            apply(client, &plan, &approved, command.name, host, in_flight, record).await;
        }
    }
    Ok(Ending::Finished)
}

/// Adds what has to go so that the group holds only what is desired. Refuses where that is more than rules of the command's
/// own type, unless the context allows it.
async fn plan_deletions(
    plan: &mut Plan,
    desired: &[Desired],
    complete: &CompleteMode,
    allow_foreign: bool,
    client: &ArmClient,
) -> Result<(), Failure> {
    let failed = |error: ArmError| {
        let (place, group) = (complete.place.show(), complete.group.name());
        let mut report =
            reading_failed(&format!("{place}: the contents of the resource group '{group}' cannot be read"), &error);
        report.resource_id = Some(complete.group.to_string());
        report.target = Some(place);
        report
    };
    let content = group_content(client, &complete.group).await.map_err(failed)?;
    let surplus = surplus(&content, desired, complete.rules);
    if !surplus.foreign.is_empty() && !allow_foreign {
        let list: Vec<String> = surplus.foreign.iter().map(|(id, kind)| format!("{kind} '{}'", id.name())).collect();
        return Err(Box::new(ErrorReport {
            target: Some(complete.group.to_string()),
            resource_id: Some(complete.group.to_string()),
            recommendation: Some(
                "Use a separate resource group for the rules, or move the other resources out. To delete them, set AllowForeignDeletes in the context; each \
                 deletion is then planned and confirmed."
                    .to_owned(),
            ),
            ..*failure(
                "CompleteModeWouldDelete",
                ErrorCategory::InvalidOperation,
                format!(
                    "{}: the resource group '{}' may contain only the {}s of the document, but contains {} other resource{}: {}. Nothing was changed.",
                    complete.place.show(),
                    complete.group.name(),
                    complete.rules.label,
                    list.len(),
                    plural(list.len()),
                    list.join(", ")
                ),
            )
        }));
    }
    for id in surplus.rules {
        plan.changes.push(deletion(id, TypeFacts::from(complete.rules), &complete.place));
    }
    let subscription = complete.group.parent().unwrap_or_else(|| complete.group.clone());
    for (id, kind) in surplus.foreign {
        let facts = type_facts(client, &subscription, &kind).await.map_err(failed)?;
        plan.changes.push(deletion(id, facts, &complete.place));
    }
    plan.completed =
        Some(CompletedGroup { id: complete.group.clone(), place: complete.place.clone(), content: content.ids() });
    Ok(())
}

/// A failure for each resource that is left alone, and a warning of what is skipped for it.
fn note_left_alone(plan: &Plan, record: &Record, host: &Host) {
    for untouched in &plan.left_alone {
        let (id, label) = (&untouched.id, untouched.resource_type.label);
        record.fail(short_name(id, label), untouched.error.clone(), host);
        if !untouched.skipped.is_empty() {
            record.count(|counts| counts.skipped += untouched.skipped.len());
            host.warning(skipped(&untouched.skipped, &format!("the {} cannot be changed", full_name(id, label))));
        }
    }
}

/// From now on the secrets of the bodies are shown nowhere.
fn announce_secrets(desired: &[Desired], host: &Host) {
    for resource in desired {
        for body in [&resource.body, &resource.creation_body] {
            resource.resource_type.secrets_of(body).into_iter().for_each(|secret| host.secrets().add(secret));
        }
    }
}

struct Prepared {
    request: Request,
    context: RunContext,
    settings: Box<dyn Compile>,
    project: Project,
}

/// Reads every file of the run. Blocking, so it runs beside the thread that listens for cancellation.
fn prepare(command: &Command, mut request: Request, context: RunContext) -> Result<Prepared, Failure> {
    let document = match (&request.settings_file, request.settings.take()) {
        (Some(file), None) => Document::load(&absolute(file, "settingsFile")?, "settings"),
        (None, Some(settings)) => Document::from_object(settings).map_err(LoadError::Findings),
        (Some(_), Some(_)) => {
            let message = "Both a settings file and a settings object are given; use one of them.".to_owned();
            return Err(failure("SettingsAmbiguous", ErrorCategory::InvalidArgument, message));
        }
        (None, None) => {
            let message = "Neither a settings file nor a settings object is given; use one of them.".to_owned();
            return Err(failure("SettingsMissing", ErrorCategory::InvalidArgument, message));
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
fn absolute(path: &Path, member: &str) -> Result<std::path::PathBuf, Failure> {
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    let message = format!(
        "'{}' must be an absolute path; the host must resolve {member} before it sends the request.",
        path.display()
    );
    Err(failure("PathNotAbsolute", ErrorCategory::InvalidArgument, message))
}

pub(super) fn failure(code: &str, category: ErrorCategory, message: String) -> Failure {
    Box::new(ErrorReport { terminating: true, code: code.to_owned(), category, message, ..ErrorReport::default() })
}

/// A request that was needed to make the plan failed.
pub(super) fn reading_failed(what: &str, error: &ArmError) -> Failure {
    let mut report = error.report(what);
    report.terminating = true;
    Box::new(report)
}

/// Names that the settings refer to and that cannot be resolved: the code is that of the first.
fn unresolved(findings: &[Finding]) -> Failure {
    let mut report = settings_invalid(findings);
    report.recommendation = Some("Correct the settings and run the command again. Nothing was changed.".to_owned());
    if let Some(first) = findings.iter().find(|finding| finding.code.starts_with("Service")) {
        report.code = first.code.to_owned();
        report.category = ErrorCategory::ObjectNotFound;
        report.recommendation = Some(
            "Check the name, the subscription and the tag key of the context. Dependencies must be deployed and published first."
                .to_owned(),
        );
    }
    Box::new(report)
}
