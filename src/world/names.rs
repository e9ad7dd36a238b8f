//! Asks whether worldwide names are free, of what does not exist: the end of a run is late for finding out.

use futures::future::join_all;
use serde_json::Value;

use super::reads::{Answer, Reads, Request, RequestKind};
use crate::azure::ResourceId;
use crate::commands::Compiled;
use crate::desired::{Desired, Existing, has_placeholder};
use crate::protocol::{FindingCode, Host};
use crate::settings::Finding;

/// Asks about the name of a resource as soon as it is known that it does not exist.
pub(super) fn start_name_check(reads: &mut Reads, resource: &Desired, own: &Answer) -> Option<Answer> {
    let request = name_check(resource)?;
    Some(reads.start_unless(request, own.clone(), resource.id.clone()))
}

/// The question whether a name is free; none where nobody else can have it, or the resource is not made here.
fn name_check(resource: &Desired) -> Option<Request> {
    let known = resource.resource_type;
    if known.name_check.is_none() || resource.never_made || has_placeholder(&resource.id) {
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
pub async fn taken_names(reads: &mut Reads, compiled: &Compiled, existing: &Existing, host: &Host) -> Vec<Finding> {
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
            Ok(found) if found.items.iter().any(is_taken) => taken.push(Finding {
                place: resource.origin("name"),
                code: FindingCode::NameTaken,
                message: format!(
                    "the name '{name}' for the {label} is taken elsewhere, and no two in the world can have one name; use another \
                     name, or set the organisation in a naming file and use it in the names"
                ),
            }),
            Ok(_) => {}
            Err(error) => {
                host.verbose(error.report(&format!("Whether the name '{name}' for the {label} is free is not known")).message);
            }
        }
    }
    taken
}

/// Whether the answer is that somebody has the name; that it is not a name is a finding of the settings.
fn is_taken(answer: &Value) -> bool {
    let is_free = answer.get("nameAvailable").and_then(Value::as_bool).unwrap_or(true);
    let reason = answer.get("reason").and_then(Value::as_str).unwrap_or_default();
    !is_free && reason.eq_ignore_ascii_case("AlreadyExists")
}
