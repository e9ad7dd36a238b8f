//! Asks whether worldwide names are free, of what does not exist: the end of a run is late for finding out.

use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;

use super::reads::{Answer, Reads, Request, RequestKind};
use crate::azure::ResourceId;
use crate::commands::Compiled;
use crate::desired::{Desired, Existing, has_placeholder};
use crate::protocol::{FindingCode, Host};
use crate::settings::Finding;

/// The time that a resource may take to appear: the creation of a storage account takes about 20 s.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Asks about the name of a resource as soon as it is known that it does not exist.
pub(super) fn start_name_check(reads: &mut Reads, resource: &Desired, own: &Answer) -> Option<Answer> {
    let request = name_check(resource)?;
    Some(reads.start_unless(request, own.clone(), resource.id.clone()))
}

/// The question whether a name is free; none where nobody else can have it, or the resource is not made here.
fn name_check(resource: &Desired) -> Option<Request> {
    let known = resource.resource_type;
    if known.name_check.is_none() || resource.never_made || resource.watch.is_some() || has_placeholder(&resource.id) {
        return None;
    }
    let (provider, _) = known.name.split_once('/')?;
    let subscription: Vec<&str> = resource.id.as_str().split('/').take(3).collect();
    Some(Request {
        target: ResourceId::new(format!("{}/providers/{provider}", subscription.join("/"))),
        api_version: known.api_version,
        kind: RequestKind::NameCheck { kind: known.name, name: resource.id.name().to_owned() },
    })
}

/// The names of resources that do not exist and that somebody else has. Who may not ask finds out when the resource is made.
/// What turns out to be under way, of an earlier run, is added to what exists; a run that changes something waits a while for it
/// (`may_wait`).
pub async fn taken_names(
    reads: &mut Reads,
    compiled: &Compiled,
    existing: &mut Existing,
    may_wait: bool,
    host: &Host,
) -> Vec<(ResourceId, Finding)> {
    let asked: Vec<(&Desired, Answer)> = compiled
        .desired
        .iter()
        .filter(|resource| !existing.contains_key(&resource.id))
        .filter_map(|resource| Some((resource, reads.start(name_check(resource)?))))
        .collect();
    let answers = join_all(asked.iter().map(|(_, answer)| answer.clone())).await;
    let mut taken = Vec::new();
    for ((resource, _), answer) in asked.iter().zip(answers) {
        let (label, name) = (resource.resource_type.label, resource.id.name());
        match answer {
            Ok(found) if found.items.iter().any(is_taken) => taken.push(*resource),
            Ok(_) => {}
            Err(error) => {
                host.verbose(
                    error
                        .report(&format!("Whether the name '{name}' for the {label} is free is not known"))
                        .failure
                        .message,
                );
            }
        }
    }
    let (mut findings, mut elsewhere) = (Vec::new(), Vec::new());
    for resource in taken {
        match namesake(reads, resource).await {
            Some(other) => findings.push((resource.id.clone(), is_ours(resource, &other))),
            None => elsewhere.push(resource),
        }
    }
    let is_possible: Vec<bool> = elsewhere.iter().map(|resource| may_appear(resource, compiled, existing)).collect();
    let appeared = join_all(elsewhere.iter().zip(&is_possible).map(async |(resource, is_possible)| {
        if *is_possible { reads.appearing(resource, may_wait).await } else { None }
    }))
    .await;
    for ((resource, is_possible), appeared) in elsewhere.into_iter().zip(is_possible).zip(appeared) {
        match appeared {
            Some(body) => {
                existing.insert(resource.id.clone(), body);
            }
            None => findings.push((resource.id.clone(), is_elsewhere(resource, is_possible && !may_wait))),
        }
    }
    findings
}

/// The resource that has the name, where it is in another group of the subscription and can be seen: that of a document whose group was changed.
async fn namesake(reads: &mut Reads, resource: &Desired) -> Option<ResourceId> {
    let subscription = std::iter::successors(resource.id.parent(), ResourceId::parent).last()?;
    let all = ResourceId::new(format!("{subscription}/providers/{}", resource.resource_type.name));
    let listed = reads.start(Request::list(all, resource.resource_type.api_version)).await.ok()?;
    let ids = listed.items.iter().filter_map(|item| item.get("id")?.as_str());
    let has_name = |id: &&str| id.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(resource.id.name()));
    ids.filter(has_name).filter_map(ResourceId::checked).find(|id| *id != resource.id)
}

/// Whether an earlier run may still be making a resource: Azure keeps the name before it shows the resource. In a group that does not
/// exist nothing is being made.
fn may_appear(resource: &Desired, compiled: &Compiled, existing: &Existing) -> bool {
    resource
        .id
        .group_id()
        .is_some_and(|group| existing.contains_key(&group) || compiled.desired.iter().all(|other| other.id != group))
}

impl Reads {
    /// A resource whose name is taken, where it can be seen by now, or a while later.
    async fn appearing(&self, resource: &Desired, may_wait: bool) -> Option<Value> {
        let look = async || self.look(&resource.id, resource.resource_type.api_version).await;
        let found = look().await;
        if found.is_some() || !may_wait {
            return found;
        }
        let watch = async {
            loop {
                tokio::time::sleep(PAUSE).await;
                if let Some(body) = look().await {
                    return Some(body);
                }
            }
        };
        let (label, name) = (resource.resource_type.label, resource.id.name());
        let why = || format!("the name '{name}' is taken, perhaps by a run that is still creating the {label} here");
        tokio::select! {
            body = watch => body,
            () = self.wait_at_most(PATIENCE, why) => None,
        }
    }
}

fn is_ours(resource: &Desired, other: &ResourceId) -> Finding {
    let (label, name) = (resource.resource_type.label, resource.id.name());
    let group = other.resource_group().unwrap_or_default();
    Finding {
        place: resource.origin("name"),
        code: FindingCode::NameTaken,
        message: format!(
            "the {label} '{name}' exists in resource group '{group}', and no two in the world can have one name; deploy it to that group, move it \
             in Azure, or use another name"
        ),
    }
}

fn is_elsewhere(resource: &Desired, may_be_here: bool) -> Finding {
    let (label, name) = (resource.resource_type.label, resource.id.name());
    let by_whom =
        if may_be_here { "taken, elsewhere or by a run that is still creating it here" } else { "taken elsewhere" };
    Finding {
        place: resource.origin("name"),
        code: FindingCode::NameTaken,
        message: format!(
            "the name '{name}' for the {label} is {by_whom}, and no two in the world can have one name; use another name, \
             or set the organisation in a naming file and use it in the names"
        ),
    }
}

/// Whether the answer is that somebody has the name; that it is not a name is a finding of the settings.
fn is_taken(answer: &Value) -> bool {
    let is_free = answer.get("nameAvailable").and_then(Value::as_bool).unwrap_or(true);
    let reason = answer.get("reason").and_then(Value::as_str).unwrap_or_default();
    !is_free && reason.eq_ignore_ascii_case("AlreadyExists")
}
