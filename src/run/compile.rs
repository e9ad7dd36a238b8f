//! The second stage finds everything that can be wrong without looking at Azure; the fourth looks, and compiles again.

use std::collections::HashSet;

use serde_json::Value;

use super::failure::{Failure, reading_failed, unresolved};
use super::join::join;
use super::order::order;
use super::prepare::{Prepared, PreparedDocument};
use crate::azure::{ResourceId, ResourceType, is_being_deleted};
use crate::commands::{Compiled, EnvironmentTag, Needs, RunFacts, Services};
use crate::desired::{Desired, Existing, World};
use crate::plan::Plan;
use crate::protocol::{Code, ErrorReport, FindingCode, Host, is_secret_member};
use crate::settings::{Finding, settings_invalid};
use crate::template::REPLACED_WHOLE;
use crate::world::{ReadTimes, Reads, Wants, read, read_services, taken_names};

/// The resources that are wanted, with what they refer to, and what exists of them.
pub(super) struct Resolved {
    pub(super) compiled: Compiled,
    pub(super) world: World,
    /// The times at which what exists was read.
    pub(super) read_times: ReadTimes,
    /// The names that somebody else has.
    pub(super) taken: Vec<(ResourceId, Finding)>,
    /// The resources that are being deleted, and count as not there.
    pub(super) leaving: HashSet<ResourceId>,
}

/// The purposes for which a document is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A run that may change Azure, or is compared with it.
    Run,
    /// A plan that is only shown: a placeholder will do for what is not found.
    WhatIf,
    /// A template. It has to have everything in it that a deployment of it replaces, also what is right already.
    Template,
}

/// The resources that are wanted, before anything was looked at.
pub(super) struct Checked {
    pub(super) compiled: Compiled,
    /// The positions of the documents in the order in which they are compiled.
    order: Vec<usize>,
}

/// The findings in generated names. They mean nothing where it is not known how names are made.
const OF_NAMES: &[FindingCode] = &[
    FindingCode::DuplicateName,
    FindingCode::NameCannotBeGenerated,
    FindingCode::NameRefused,
    FindingCode::NameReserved,
];

/// The documents of a run in an order in which they can be compiled.
struct Ordered<'a> {
    run: &'a RunFacts,
    documents: &'a [PreparedDocument],
    order: &'a [usize],
    needs: &'a Needs,
}

impl Ordered<'_> {
    /// Compiles each document with what those before it make, in their order, and without the names that any of them takes away.
    fn each(&self, services: &mut Services) -> Vec<Compiled> {
        let compiled = self.in_order(services);
        if !services.forget_planned(made(&compiled), self.run) {
            return compiled;
        }
        // Something may have been found by a name that a document, this one or another, takes away.
        let compiled = self.in_order(services);
        services.forget_planned(made(&compiled), self.run);
        compiled
    }

    fn in_order(&self, services: &mut Services) -> Vec<Compiled> {
        let compiled = self.order.iter().map(|position| {
            let document = &self.documents[*position];
            let compiled = document.compile(services);
            if !self.is_alone() {
                services.plan(&compiled.desired, self.run, self.needs);
            }
            compiled
        });
        compiled.collect()
    }

    /// The same as one, in which what they cannot want together is a finding.
    fn together(&self, services: &mut Services) -> Compiled {
        join(self.each(services), &self.run.service_tag_key)
    }
}

/// Everything that the documents make.
fn made(compiled: &[Compiled]) -> impl Iterator<Item = &Desired> {
    compiled.iter().flat_map(|compiled| &compiled.desired)
}

/// The tags of the environments of documents, of which projects may have words of their own: each once.
pub(super) fn environments(documents: &[PreparedDocument]) -> Vec<&EnvironmentTag> {
    let mut tags = Vec::new();
    for tag in documents.iter().filter_map(|document| document.project.environment_tag.as_ref()) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

impl Wants for Ordered<'_> {
    fn run(&self) -> &RunFacts {
        self.run
    }

    fn environments(&self) -> Vec<&EnvironmentTag> {
        environments(self.documents)
    }

    fn is_alone(&self) -> bool {
        self.documents.len() == 1
    }

    fn compile(&self, services: &mut Services) -> Compiled {
        self.together(services)
    }
}

impl PreparedDocument {
    /// The resources that the document wants; nothing where nobody knows which command it is for.
    pub(super) fn compile(&self, services: &Services) -> Compiled {
        let settings = self.settings.as_ref();
        let mut compiled = settings.map(|settings| settings.compile(&self.project, services)).unwrap_or_default();
        if self.names_are_wrong {
            compiled.findings.retain(|finding| !OF_NAMES.contains(&finding.code));
        }
        compiled
    }
}

/// Compiles before anything is contacted. What it needs to know of Azure is in the result.
pub(super) fn check(prepared: &Prepared, host: &Host) -> Result<Checked, Failure> {
    let documents = &prepared.documents;
    let mut first: Vec<Compiled> = documents.iter().map(|document| document.compile(&Services::NotRead)).collect();
    first.iter().for_each(|compiled| announce_secrets(&compiled.desired, host));
    let (mut compiled, order) = match first.len() {
        1 => (first.swap_remove(0), vec![0]),
        _ => check_together(prepared, first),
    };
    compiled.findings.extend(documents.iter().flat_map(|document| document.findings.iter().cloned()));
    if compiled.findings.is_empty() {
        return Ok(Checked { compiled, order });
    }
    sort(&mut compiled.findings, documents);
    Err(Box::new(findings_report(&compiled.findings)))
}

/// Compiles several documents, of which each was compiled by itself, with what the others make. Where they wait for each other that is
/// a finding, and so is what they cannot want together.
fn check_together(prepared: &Prepared, first: Vec<Compiled>) -> (Compiled, Vec<usize>) {
    let (documents, run) = (&prepared.documents, &prepared.context.run);
    let mut needs = Needs::default();
    first.iter().for_each(|compiled| needs.join(compiled.needs.clone()));
    match order(&first, run) {
        Ok(order) => {
            let ordered = Ordered { run, documents, order: &order, needs: &needs };
            let mut together = ordered.together(&mut Services::NotRead);
            if documents.iter().any(|document| document.names_are_wrong) {
                together.findings.retain(|finding| !OF_NAMES.contains(&finding.code));
            }
            together.needs.join(needs);
            (together, order)
        }
        Err(mut findings) => {
            findings.extend(first.into_iter().flat_map(|compiled| compiled.findings));
            (Compiled { findings, ..Compiled::default() }, Vec::new())
        }
    }
}

/// Whichever document was compiled first, findings are told in the order of the documents; those of the files beside these come last.
fn sort(findings: &mut [Finding], documents: &[PreparedDocument]) {
    let position = |finding: &Finding| {
        let id = finding.place.document()?;
        documents.iter().position(|document| document.id.as_ref() == Some(&id))
    };
    findings.sort_by_cached_key(|finding| position(finding).unwrap_or(documents.len()));
}

/// All findings as one error: what kind of document each is has to be known before anything else of it is.
fn findings_report(findings: &[Finding]) -> ErrorReport {
    let report = settings_invalid(findings);
    let is_missing = findings.iter().all(|finding| finding.code == FindingCode::ComponentMissing);
    if is_missing { report.with_code(Code::ComponentMissing) } else { report }
}

/// Reads what the settings refer to, compiles with it, and reads what exists. Without reads nothing of it is known. What is not found is
/// a finding, unless the purpose takes a placeholder.
pub(super) async fn resolve(
    prepared: &Prepared,
    checked: Checked,
    reads: Option<&mut Reads>,
    purpose: Purpose,
    host: &Host,
) -> Result<Resolved, Failure> {
    let Checked { compiled, order } = checked;
    let Some(reads) = reads else {
        let (read_times, taken, leaving) = Default::default();
        return Ok(Resolved { compiled, world: World::Unknown, read_times, taken, leaving });
    };
    // The rest of it is made anew, and there may be much of it.
    let needs = { compiled }.needs;
    let ordered = Ordered { run: &prepared.context.run, documents: &prepared.documents, order: &order, needs: &needs };
    let mut services = read_services(reads, &ordered, &needs, purpose == Purpose::WhatIf)
        .await
        .map_err(|error| reading_failed("The published services cannot be read", &error))?;
    if purpose == Purpose::Template {
        services.forget_own(REPLACED_WHOLE);
    }
    let mut compiled = ordered.together(&mut services);
    announce_secrets(&compiled.desired, host);
    if !compiled.findings.is_empty() {
        sort(&mut compiled.findings, &prepared.documents);
        return Err(unresolved(&compiled.findings, &prepared.context));
    }
    let (mut existing, read_times) = read(reads, &mut compiled).await?;
    let taken = taken_names(reads, &compiled, &mut existing, purpose == Purpose::Run, host).await;
    let leaving = take_leaving(&mut existing);
    let there = compiled.desired.iter().filter_map(|wanted| Some((wanted.resource_type, existing.get(&wanted.id)?)));
    announce(there, &compiled.desired, host);
    Ok(Resolved { compiled, world: World::Known(existing), read_times, taken, leaving })
}

/// Takes out what is being deleted, with everything below it.
fn take_leaving(existing: &mut Existing) -> HashSet<ResourceId> {
    let leaving = existing.iter().filter(|(_, body)| is_being_deleted(body)).map(|(id, _)| id.clone());
    let leaving: HashSet<ResourceId> = leaving.collect();
    if !leaving.is_empty() {
        existing.retain(|id, _| !leaving.iter().any(|gone| id == gone || id.is_within(gone)));
    }
    leaving
}

/// From now on the secrets of what is wanted are shown nowhere.
fn announce_secrets(desired: &[Desired], host: &Host) {
    let of = |wanted: &Desired| wanted.resource_type;
    let bodies = desired.iter().flat_map(|wanted| [(of(wanted), &wanted.body), (of(wanted), &wanted.creation_body)]);
    announce(bodies, desired, host);
    let tags = desired.iter().flat_map(|wanted| wanted.tags.values().chain(wanted.creation_tags.values()));
    for tag in tags.filter(|tag| !tag.publishes && is_secret_member("", &tag.value)) {
        host.secrets().add(&tag.value);
    }
}

/// From now on what variables of the caller replace is shown nowhere either: it is the secret of yesterday.
pub(super) fn announce_replaced(plan: &Plan, variables: &[String], host: &Host) {
    if variables.is_empty() {
        return;
    }
    for change in plan.changes.iter().flat_map(|change| &change.changes) {
        if let (Some(before), Some(after)) = (&change.before, &change.after) {
            announce_old(before, after, variables, host);
        }
    }
}

fn announce_old(before: &Value, after: &Value, variables: &[String], host: &Host) {
    match (before, after) {
        (Value::String(before), Value::String(after)) if variables.iter().any(|variable| after.contains(variable)) => {
            host.secrets().add(before);
        }
        (Value::Array(before), Value::Array(after)) => {
            before.iter().zip(after).for_each(|(before, after)| announce_old(before, after, variables, host));
        }
        (Value::Object(before), Value::Object(after)) => {
            let both = before.iter().filter_map(|(key, before)| Some((before, after.get(key)?)));
            both.for_each(|(before, after)| announce_old(before, after, variables, host));
        }
        _ => {}
    }
}

/// From now on the secrets of bodies are shown nowhere. What only looks like one and is a part of the name of something that is wanted is
/// none, and could not be told from the name.
fn announce<'a>(bodies: impl Iterator<Item = (&'static ResourceType, &'a Value)>, desired: &[Desired], host: &Host) {
    let mut likely = HashSet::new();
    for (kind, body) in bodies {
        kind.secrets_of(body).into_iter().for_each(|secret| host.secrets().add(secret));
        likely.extend(kind.likely_secrets_of(body));
    }
    if !likely.is_empty() {
        let names: String = desired.iter().flat_map(|wanted| [wanted.id.as_str(), "\n"]).collect();
        let names = names.to_lowercase();
        let secrets = likely.into_iter().filter(|text| !names.contains(&text.to_lowercase()));
        secrets.for_each(|secret| host.secrets().add(secret));
    }
}
