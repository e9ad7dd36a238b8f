//! What the mode Complete deletes. Sources: learn.microsoft.com, "Azure Resource Manager deployment modes", "Deletion of Azure resources
//! for complete mode deployments".

use super::dependencies::check_circles;
use super::record::{Deployment, Kind, Step};
use crate::path::ResourceId;
use crate::state::State;
use crate::{published, resource_types};

/// Children that are deleted by themselves; others go with their parents.
const CHILDREN: &[&str] = &[
    "Microsoft.Cdn/profiles/afdEndpoints",
    "Microsoft.Cdn/profiles/endpoints",
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
    "Microsoft.Web/sites/slots",
];

/// Steps that delete what is in the resource group and not in the template.
pub(super) fn deletions(state: &State, deployment: &Deployment) -> Vec<Step> {
    let group = deployment.scope().key();
    let known =
        |key: &str| deployment.steps.iter().any(|step| step.kind != Kind::LeftOut && step.id.to_lowercase() == key);
    let mut leaving: Vec<(String, ResourceId)> = Vec::new();
    for (key, resource) in state.below(&format!("{group}/")) {
        let Some(id) = ResourceId::parse(resource.text("id")) else { continue };
        let goes_along = resource_types::goes_with(&resource.body).is_some() || resource.body.contains_key("managedBy");
        if is_deleted(&id) && !known(key) && !goes_along {
            leaving.push((key.to_owned(), id));
        }
    }
    let first = deployment.steps.len();
    // What refers to a resource goes before it, unless they refer to each other.
    let after = |key: &str, index: usize| {
        let referrers: Vec<&str> = state.referrers(key).map(|(other, _)| other).collect();
        let needs = |other: &str| state.referrers(other).any(|(third, _)| third == key);
        let before = |(at, (other, _)): (usize, &(String, ResourceId))| {
            let refers =
                referrers.iter().any(|referrer| *referrer == other || referrer.starts_with(&format!("{other}/")));
            (at != index && refers && !needs(other)).then_some(first + at)
        };
        leaving.iter().enumerate().filter_map(before).collect::<Vec<usize>>()
    };
    let mut steps: Vec<Step> =
        leaving.iter().enumerate().map(|(index, (key, id))| step(id, after(key, index))).collect();
    let all: Vec<Step> = deployment.steps.iter().chain(&steps).cloned().collect();
    if check_circles(&all).is_err() {
        // They need each other in a circle: what is refused at first is tried again.
        steps.iter_mut().for_each(|step| step.after.clear());
    }
    steps
}

fn is_deleted(id: &ResourceId) -> bool {
    let type_name = id.type_name();
    let is_top = !id.is_child() && !id.is_extension() && !id.is_container();
    is_top || CHILDREN.iter().any(|child| child.eq_ignore_ascii_case(&type_name))
}

fn step(id: &ResourceId, after: Vec<usize>) -> Step {
    let type_name = id.type_name();
    let version = resource_types::find(&type_name).and_then(|entry| entry.api_versions().last().copied());
    let version = version.unwrap_or(published::ANY_VERSION);
    Step { after, ..Step::new(id, &id.names().join("/"), &type_name, version, Kind::Deleted) }
}
