//! Whether a run that creates everything anew was meant for another environment of the same groups.

use std::collections::{BTreeSet, HashSet};

use super::compile::Resolved;
use super::prepare::PreparedDocument;
use crate::azure::ResourceId;
use crate::commands::Services;
use crate::desired::{Desired, World};
use crate::naming::Environment;
use crate::protocol::Warning;
use crate::world::{Reads, group_content};

/// The number of groups that are looked at.
const MOST_GROUPS: usize = 5;

/// A type and a name, in lower case.
type Name = (String, String);

/// The warning that everything would be created anew beside resources that are called as the documents call theirs in another environment.
/// None where something of the documents is there, where nobody can be asked, and where the groups cannot be listed.
pub(super) async fn other_environment(
    documents: &mut [PreparedDocument],
    resolved: &Resolved,
    reads: Option<&mut Reads>,
) -> Option<Warning> {
    let (World::Known(existing), Some(reads)) = (&resolved.world, reads) else { return None };
    let desired = &resolved.compiled.desired;
    let is_group = |id: &ResourceId| id.group_id().as_ref() == Some(id);
    let (groups_wanted, others): (Vec<&Desired>, Vec<&Desired>) =
        desired.iter().partition(|resource| is_group(&resource.id));
    if others.iter().any(|resource| existing.contains_key(&resource.id)) {
        return None;
    }
    let is_new =
        |group: &ResourceId| groups_wanted.iter().any(|wanted| wanted.id == *group) && !existing.contains_key(group);
    let groups: BTreeSet<ResourceId> =
        others.iter().filter_map(|resource| resource.id.group_id()).filter(|group| !is_new(group)).collect();
    let mut there: HashSet<Name> = HashSet::new();
    for group in groups.iter().take(MOST_GROUPS) {
        there.extend(group_content(reads, group).await.ok()?.ids().iter().map(name_of));
    }
    if there.is_empty() {
        return None;
    }
    let own: HashSet<Name> = desired.iter().map(|resource| name_of(&resource.id)).collect();
    let project = &documents.first()?.project;
    let (run, known) = (project.name_context.environment.clone(), project.convention.environments());
    let word_of_run = known.iter().find(|(environment, _)| *environment == run).map_or("", |(_, word)| word);
    known.iter().filter(|(environment, _)| *environment != run).find_map(|(environment, word)| {
        let names = names_in(documents, environment);
        let (_, name) = names.into_iter().find(|name| there.contains(name) && !own.contains(name))?;
        Some(Warning::from(format!(
            "Everything would be created anew in the environment {run} ('{word_of_run}' in names), beside resources of the environment \
             {environment} ('{word}'), such as '{name}'. If these are meant, set the environment of the context to {environment}."
        )))
    })
}

/// The names that the documents would have for everything in another environment, as far as that is known without look-ups.
fn names_in(documents: &mut [PreparedDocument], environment: &Environment) -> Vec<Name> {
    let mut names = Vec::new();
    for document in documents {
        let own = std::mem::replace(&mut document.project.name_context.environment, environment.clone());
        names.extend(document.compile(&Services::NotRead).desired.iter().map(|resource| name_of(&resource.id)));
        document.project.name_context.environment = own;
    }
    names
}

fn name_of(id: &ResourceId) -> Name {
    (id.resource_type().to_lowercase(), id.name().to_lowercase())
}
