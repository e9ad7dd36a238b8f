//! Compares what exists with the documents of a run, and says who has changed it. Nothing is changed.

use std::time::{SystemTime, UNIX_EPOCH};

use super::compile::{Purpose, announce_replaced, resolve};
use super::connect::Connection;
use super::deployment::Job;
use super::failure::{Failure, failure};
use super::left_behind::LookBehind;
use super::planning::make_plan;
use super::prepare::prepare;
use super::registry::COMPARE;
use super::stages::{Entered, enter};
use crate::azure::{ArmClient, ResourceId};
use crate::plan::{attribute_by_events, attribute_by_rows, differences};
use crate::protocol::{
    Code, Difference, DifferenceKind, Drift, Host, Message, PropertyChange, Request, grouped, plural,
};
use crate::report::{drift_html, drift_json, drift_markdown, is_default};
use crate::world::{MOST_ASKED, Reads, changes_of, events_of};

/// Sends what differs as one message, and writes it to the files of the run.
pub(super) async fn compare(job: Job, mut request: Request, host: &Host) -> Result<(), Failure> {
    request.what_if = Some(true);
    let mut prepared = prepare(job, request, host).await?;
    if prepared.context.offline {
        return Err(failure(Code::ContextInvalid, "What exists cannot be compared offline. Leave offline out."));
    }
    // What somebody has changed is a difference also where the documents leave it to a default. Nothing is deleted, approved or rehearsed.
    prepared.context.enforce_defaults = true;
    prepared.context.prune = false;
    prepared.context.check_policies = false;
    prepared.context.approved_plan = None;
    prepared.warn(host);
    let Entered { checked, mut connection } = enter(&mut prepared, host).await?;
    let mut reads = connection.client().map(|client| Reads::new(client.clone()));
    let behind = LookBehind::start(&prepared, reads.as_mut()).map(LookBehind::everywhere);
    let resolved = resolve(&prepared, checked, reads.as_mut(), Purpose::WhatIf, host).await?;
    let planned = make_plan(resolved, &prepared.context, None, behind, reads.as_mut()).await?;
    announce_replaced(&planned.plan, &prepared.secrets, host);
    planned.warn(host);
    let mut found = differences(&planned.plan);
    if let Connection::Online { client, .. } = &connection {
        attribute(client, &mut found, host).await;
    }
    connection.learn_name().await;
    let unchanged = planned.plan.unchanged.len();
    let sentence = sentence(&found, &planned.plan.kept, unchanged);
    let drift = Drift {
        target: connection.target().cloned(),
        made_with: prepared.head.made_with.clone(),
        has_differences: !found.is_empty(),
        differences: found,
        kept: planned.plan.kept,
        unchanged,
        sentence,
    };
    let Message::Drift(drift) = host.secrets().redact(Message::Drift(Box::new(drift))) else { return Ok(()) };
    if prepared.request.keeps_markdown {
        host.keep_markdown(drift_markdown(&drift));
    }
    let text = |extension: &str| match extension {
        "md" => drift_markdown(&drift),
        "html" => drift_html(&drift),
        _ => drift_json(COMPARE.name, &drift),
    };
    prepared.plan_files.save(text, "The comparison", host).await?;
    host.send(Message::Drift(drift));
    Ok(())
}

/// Asks who has made each difference. That this cannot be known fails nothing.
async fn attribute(client: &ArmClient, found: &mut [Difference], host: &Host) {
    let unknown = |found: &[Difference]| {
        let mut ids: Vec<ResourceId> = Vec::new();
        for difference in found.iter().filter(|difference| difference.changed.is_none()) {
            let id = ResourceId::new(difference.resource.resource_id.clone());
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    };
    let mut reasons = Vec::new();
    match changes_of(client, &unknown(found)).await {
        Ok(rows) => attribute_by_rows(found, &rows),
        Err(error) => reasons.push(format!("Azure Resource Graph: {error}")),
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let open = unknown(found);
    match events_of(client, &open, i64::try_from(now).unwrap_or_default()).await {
        Ok(events) => attribute_by_events(found, &events),
        Err(error) => reasons.push(format!("The activity log: {error}")),
    }
    if open.len() > MOST_ASKED {
        reasons.push(format!("The activity log was asked about the first {MOST_ASKED} of {} resources.", open.len()));
    }
    if !reasons.is_empty() && !unknown(found).is_empty() {
        host.warning(format!("Who has changed it is not known for every difference. {}", reasons.join(" ")));
    }
}

/// The sentence on what the comparison has found.
fn sentence(found: &[Difference], kept: &[crate::protocol::Kept], unchanged: usize) -> String {
    let count = |kind: DifferenceKind| found.iter().filter(|difference| difference.kind == kind).count();
    let orphans = kept.iter().filter(|kept| kept.orphan).count();
    let counts = [
        (count(DifferenceKind::Changed), "changed value"),
        (count(DifferenceKind::Missing), "missing resource"),
        (count(DifferenceKind::Surplus), "surplus resource"),
    ];
    let mut parts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}{}", grouped(count), plural(count)))
        .collect();
    if parts.is_empty() {
        parts.push("No differences".to_owned());
    }
    let others = [(kept.len() - orphans, "kept"), (orphans, "in no document"), (unchanged, "up to date")];
    parts.extend(
        others.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(count))),
    );
    let is_default = |difference: &&Difference| {
        let Difference { path, existing, wanted, origin, .. } = (*difference).clone();
        is_default(&PropertyChange { path, before: existing, after: wanted, origin, by_policy: false })
    };
    let defaults = match found.iter().filter(is_default).count() {
        0 => String::new(),
        1 => " 1 of them is a default, which a run sets back only with enforceDefaults.".to_owned(),
        more => format!(" {} of them are defaults, which a run sets back only with enforceDefaults.", grouped(more)),
    };
    format!("{}.{defaults}", parts.join(", "))
}
