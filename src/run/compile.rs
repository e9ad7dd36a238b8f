//! The second stage finds everything that can be wrong without looking at Azure; the fourth looks, and compiles again.

use super::failure::{Failure, reading_failed, unresolved};
use super::prepare::Prepared;
use crate::commands::{Compiled, Services};
use crate::desired::{Desired, World};
use crate::protocol::{FindingCode, Host};
use crate::settings::{Finding, settings_invalid};
use crate::world::{ReadTimes, Reads, read, read_services, taken_names};

/// What is wanted, with what it refers to, and what exists of it.
pub(super) struct Resolved {
    pub(super) compiled: Compiled,
    pub(super) world: World,
    /// When what exists was read.
    pub(super) read_times: ReadTimes,
    /// The names that somebody else has.
    pub(super) taken: Vec<Finding>,
}

/// What is found in generated names. It means nothing where it is not known how names are made.
const OF_NAMES: &[FindingCode] = &[
    FindingCode::DuplicateName,
    FindingCode::NameCannotBeGenerated,
    FindingCode::NameRefused,
    FindingCode::NameReserved,
];

/// Compiles before anything is contacted. What it needs to know of Azure is in the result.
pub(super) fn check(prepared: &Prepared, host: &Host) -> Result<Compiled, Failure> {
    let mut compiled = prepared.settings.compile(&prepared.project, &Services::NotRead);
    announce_secrets(&compiled.desired, host);
    if prepared.names_are_wrong {
        compiled.findings.retain(|finding| !OF_NAMES.contains(&finding.code));
    }
    compiled.findings.extend(prepared.findings.iter().cloned());
    if compiled.findings.is_empty() { Ok(compiled) } else { Err(Box::new(settings_invalid(&compiled.findings))) }
}

/// Reads what the settings refer to, compiles with it, and reads what exists. Without reads nothing of it is known.
pub(super) async fn resolve(
    prepared: &Prepared,
    checked: Compiled,
    reads: Option<&mut Reads>,
    host: &Host,
) -> Result<Resolved, Failure> {
    let Prepared { settings, project, .. } = prepared;
    let Some(reads) = reads else {
        return Ok(Resolved {
            compiled: checked,
            world: World::Unknown,
            read_times: ReadTimes::default(),
            taken: Vec::new(),
        });
    };
    // The rest of it is made anew, and there may be much of it.
    let needs = { checked }.needs;
    let services = read_services(reads, settings.as_ref(), project, &needs, prepared.is_what_if())
        .await
        .map_err(|error| reading_failed("The published services cannot be read", &error))?;
    let mut compiled = settings.compile(project, &services);
    announce_secrets(&compiled.desired, host);
    if !compiled.findings.is_empty() {
        return Err(unresolved(&compiled.findings));
    }
    let (mut existing, read_times) = read(reads, &mut compiled).await?;
    let taken = taken_names(reads, &compiled, &mut existing, host).await;
    for resource in &compiled.desired {
        let secrets = existing.get(&resource.id).map(|body| resource.resource_type.secrets_of(body));
        secrets.into_iter().flatten().for_each(|secret| host.secrets().add(secret));
    }
    Ok(Resolved { compiled, world: World::Known(existing), read_times, taken })
}

/// From now on the secrets of the bodies are shown nowhere.
fn announce_secrets(desired: &[Desired], host: &Host) {
    for resource in desired {
        for body in [&resource.body, &resource.creation_body] {
            resource.resource_type.secrets_of(body).into_iter().for_each(|secret| host.secrets().add(secret));
        }
    }
}
