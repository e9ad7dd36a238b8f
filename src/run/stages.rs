//! One run of a command, stage after stage.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::compile::{check, resolve};
use super::connect::{Connection, connect};
use super::failure::Failure;
use super::planning::{Planned, make_plan};
use super::prepare::prepare;
use crate::apply::{InFlight, Record, apply, first_of};
use crate::commands::Command;
use crate::protocol::{Code, ErrorCategory, ErrorReport, Host, Message, Request, plural};
use crate::world::Reads;

/// How long what is left of a cancelled run may take to go away.
const SHUTDOWN: Duration = Duration::from_millis(500);

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
            return host.send(Message::Error(ErrorReport {
                category: ErrorCategory::ResourceUnavailable,
                ..ErrorReport::terminating(Code::InternalError, message)
            }));
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

/// The stages, one after another.
async fn deploy(
    command: &'static Command,
    request: Request,
    host: &Host,
    in_flight: &InFlight,
    record: &Record,
) -> Result<Ending, Failure> {
    let mut prepared = prepare(command, request).await?;
    prepared.warn(host);
    let mut checked = check(&prepared, host)?;
    let is_what_if = prepared.is_what_if();
    let connection = connect(&prepared.request, &prepared.context, is_what_if, host).await?;
    if let Some(subscription_id) = connection.subscription_id() {
        // Names that are made of the subscription are others now, and so is what has to be read for them.
        if prepared.project.enter(subscription_id) {
            checked = check(&prepared, host)?;
        }
    }
    let mut reads = connection.client().map(|client| Reads::new(client.clone()));
    let resolved = resolve(&prepared, &checked, reads.as_mut(), host).await?;
    let planned = make_plan(resolved, &prepared.context, reads.as_mut()).await?;
    // What was read ahead and turned out not to be needed ends here.
    drop(reads);
    planned.tell(&prepared.context, host);
    planned.note(is_what_if, record, host);
    if planned.is_empty() {
        planned.tell_nothing_to_do(record, host);
        return Ok(Ending::Finished);
    }
    let approved = approved(&planned, host).await;
    if host.cancellation().is_cancelled() {
        return Ok(Ending::Cancelled);
    }
    if let (Connection::Online { client, .. }, false) = (&connection, is_what_if) {
        apply(client, &planned.plan, &approved, command.name, host, in_flight, record).await;
    }
    Ok(Ending::Finished)
}

/// The indexes of the changes that the host approves. There is no question where there is only something to wait for.
async fn approved(planned: &Planned, host: &Host) -> HashSet<usize> {
    if planned.plan.changes.is_empty() {
        return HashSet::new();
    }
    host.confirm(None, planned.plan.actions()).await.into_iter().collect()
}
