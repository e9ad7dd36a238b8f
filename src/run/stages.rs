//! One run of a command, stage after stage.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::compile::{Checked, Purpose, announce_replaced, check, resolve};
use super::connect::{Connection, connect};
use super::deployment::Job;
use super::failure::{Failure, failure};
use super::left_behind::LookBehind;
use super::other_environment::other_environment;
use super::plan_report::{Written, check_approved, file_of, new_key, report_of};
use super::planning::{Planned, make_plan};
use super::policies::check_policies;
use super::prepare::{DocumentNames, Prepared, prepare};
use super::rehearse::rehearse;
use super::template::TemplateRun;
use crate::apply::{ApprovedPlan, InFlight, Record, apply};
use crate::protocol::{Code, ErrorCategory, ErrorReport, Host, MadeWith, Message, Request, Target, first_of, plural};
use crate::report::{PlanHead, markdown};
use crate::world::Reads;

/// The time that the rest of a cancelled run may take to go away.
const SHUTDOWN: Duration = Duration::from_millis(500);

/// The sentence about a run that was stopped before it changed anything.
const STOPPED: &str = "The command was stopped. Nothing was changed.";

/// The sentence about a run that was stopped.
fn stopped(record: &Record) -> &'static str {
    if record.has_changes() { "The command was stopped. Run the command again to finish." } else { STOPPED }
}

/// The ways in which a run ends.
enum Ending {
    /// Everything that could be done is done.
    Finished,
    /// The host wanted it to stop.
    Cancelled,
    /// Something made it impossible, before anything was changed.
    Impossible(Failure),
}

/// Runs a command or a deployment to its end, or until the host cancels it.
pub(super) fn run(job: Job, request: Request, host: &Host) {
    let Some(runtime) = runtime(host) else { return };
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
            outcome = deploy(job, request, host, &in_flight, &record) => match outcome {
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
    } else if matches!(ending, Ending::Cancelled) && !record.has_failures() {
        host.warning(stopped(&record));
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

/// The runtime with which the operation's own thread runs its stages; where there is none, that is told.
pub(super) fn runtime(host: &Host) -> Option<Runtime> {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => Some(runtime),
        Err(error) => {
            let message = format!("The operation cannot be started: {error}.");
            host.send(Message::Error(
                ErrorReport::terminating(Code::InternalError, message).of_category(ErrorCategory::ResourceUnavailable),
            ));
            None
        }
    }
}

/// Checks the documents of a request and the files of their projects, and contacts nothing.
pub(super) async fn validate(job: Job, request: Request, host: &Host) -> Result<(), Failure> {
    let prepared = prepare(job, request, host).await?;
    prepared.warn(host);
    let checked = check(&prepared, host)?;
    host.warnings(checked.compiled.warnings);
    Ok(())
}

/// Runs what changes nothing to its end, or until the host cancels it.
pub(super) fn look(host: &Host, work: impl Future<Output = Result<(), Failure>>) {
    look_and_note(host, &Record::default(), work);
}

/// The same of what may change something, which is in the record then.
pub(super) fn look_and_note(host: &Host, record: &Record, work: impl Future<Output = Result<(), Failure>>) {
    let Some(runtime) = runtime(host) else { return };
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = host.cancellation().cancelled() => host.warning(stopped(record)),
            outcome = work => match outcome {
                // An answer that did not come because of the cancellation is no failure.
                Err(failure) if !host.cancellation().is_cancelled() => {
                    host.send(Message::Error(ErrorReport { terminating: true, ..*failure }));
                }
                Ok(()) => {}
                Err(_) => host.warning(stopped(record)),
            }
        }
    });
    runtime.shutdown_timeout(SHUTDOWN);
}

/// Makes the template of the documents of a request, and changes nothing.
pub(super) async fn template(mut request: Request, host: &Host) -> Result<(), Failure> {
    let options = request.template.take();
    request.what_if = Some(true);
    let mut prepared = prepare(Job::of(&request), request, host).await?;
    let run = TemplateRun::of(options, &prepared)?;
    prepared.warn(host);
    let Entered { checked, connection } = enter(&mut prepared, host).await?;
    let mut reads = connection.client().map(|client| Reads::new(client.clone()));
    // A template that has a placeholder in it could not be deployed.
    let resolved = resolve(&prepared, checked, reads.as_mut(), Purpose::Template, host).await?;
    run.finish(&prepared, resolved, host).await
}

/// A run that is connected, or is to be offline, and whose documents are right.
pub(super) struct Entered {
    pub(super) checked: Checked,
    pub(super) connection: Connection,
}

/// Checks the documents and connects; with the names that they have in the subscription.
pub(super) async fn enter(prepared: &mut Prepared, host: &Host) -> Result<Entered, Failure> {
    let mut checked = check(prepared, host)?;
    let connection = connect(&prepared.request, &prepared.context, &prepared.head.made_with, host).await?;
    if let Some(subscription_id) = connection.subscription_id() {
        // Names that are made of the subscription are others now, and so is what has to be read for them.
        if prepared.enter(subscription_id) {
            checked = check(prepared, host)?;
        }
    }
    Ok(Entered { checked, connection })
}

/// The stages, one after another.
async fn deploy(
    job: Job,
    request: Request,
    host: &Host,
    in_flight: &InFlight,
    record: &Record,
) -> Result<Ending, Failure> {
    if request.template.is_some() {
        return Err(failure(
            Code::RequestInvalid,
            "The member 'template' is only for svc_export_template, which changes nothing.",
        ));
    }
    let mut prepared = prepare(job, request, host).await?;
    prepared.warn(host);
    let is_what_if = prepared.is_what_if();
    let Entered { checked, mut connection } = enter(&mut prepared, host).await?;
    let mut reads = connection.client().map(|client| Reads::new(client.clone()));
    let purpose = if is_what_if { Purpose::WhatIf } else { Purpose::Run };
    let behind = LookBehind::start(&prepared, reads.as_mut());
    let mut resolved = resolve(&prepared, checked, reads.as_mut(), purpose, host).await?;
    let other = other_environment(&mut prepared.documents, &resolved, reads.as_mut()).await;
    resolved.compiled.warnings.extend(other);
    let (head, names) = (prepared.head.clone(), std::mem::take(&mut prepared.names));
    let made_with = head.made_with.clone();
    // They may be many, and nothing is compiled any more.
    drop(std::mem::take(&mut prepared.documents));
    let condition = prepared.approved.as_ref().map(|(_, approved)| approved);
    let mut planned = make_plan(resolved, &prepared.context, condition, behind, reads.as_mut()).await?;
    announce_replaced(&planned.plan, &prepared.secrets, host);
    // What was read ahead and turned out not to be needed ends here.
    drop(reads);
    let denied = check_policies(&mut planned, &prepared.context, connection.client(), host).await.err();
    let rung = match connection.client() {
        Some(client) => rehearse(&mut planned, &prepared.context, client, host).await.err(),
        None => None,
    };
    let refused = denied.or(planned.over_limits(&prepared.context)).or(rung);
    planned.tell(&prepared.context, host);
    planned.note(&prepared, record, host);
    connection.learn_name().await;
    let changed = write_down(&planned, &prepared, (head, &names), connection.target(), host).await?;
    if let Some(changed) = changed.or(refused) {
        // What it is now is shown as without an approval.
        if !planned.plan.changes.is_empty() {
            host.show_refused(connection.target().cloned(), made_with, planned.plan.into_actions()).await;
        }
        return Err(changed);
    }
    if planned.is_empty() {
        planned.tell_nothing_to_do(record, host);
        return Ok(Ending::Finished);
    }
    if is_what_if {
        show(planned, connection.target(), made_with, host).await;
        return Ok(if host.cancellation().is_cancelled() { Ending::Cancelled } else { Ending::Finished });
    }
    let approved = approved(&planned, connection.target(), made_with, host).await;
    if host.cancellation().is_cancelled() {
        return Ok(Ending::Cancelled);
    }
    if let Connection::Online { client, .. } = &connection {
        let Planned { plan, seen, .. } = &planned;
        apply(client, ApprovedPlan { plan, seen, indexes: &approved }, prepared.job.name(), host, in_flight, record)
            .await;
    }
    Ok(Ending::Finished)
}

/// Writes the plan to the files of the run, and holds it against the approved one. Returns the refusal where it is another plan.
async fn write_down(
    planned: &Planned,
    prepared: &Prepared,
    of_documents: (PlanHead, &DocumentNames),
    target: Option<&Target>,
    host: &Host,
) -> Result<Option<Failure>, Failure> {
    let Prepared { plan_files: files, approved, .. } = prepared;
    let keeps_markdown = prepared.request.keeps_markdown;
    if files.is_empty() && approved.is_none() && !keeps_markdown {
        return Ok(None);
    }
    let report = report_of(planned, of_documents, target, host);
    if keeps_markdown {
        host.keep_markdown(markdown(&report));
    }
    if !files.is_empty() {
        let file = file_of(planned, &report, &new_key(), host);
        let written = Written { report: &report, file: &file };
        files.write(written, approved.as_ref().map(|(path, _)| path.as_path()), host).await?;
    }
    let Some((path, approved)) = approved else { return Ok(None) };
    Ok(check_approved(path, approved, planned, &report, host).err())
}

/// Shows the host what would be changed. Whatever it approves, nothing is.
async fn show(planned: Planned, target: Option<&Target>, made_with: MadeWith, host: &Host) {
    if !planned.plan.changes.is_empty() {
        host.confirm(target.cloned(), made_with, planned.plan.into_actions()).await;
    }
}

/// The indexes of the changes that the host approves. There is no question where there is only something to wait for.
async fn approved(planned: &Planned, target: Option<&Target>, made_with: MadeWith, host: &Host) -> HashSet<usize> {
    if planned.plan.changes.is_empty() {
        return HashSet::new();
    }
    host.confirm(target.cloned(), made_with, planned.plan.actions()).await.into_iter().collect()
}
