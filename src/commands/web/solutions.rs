//! Web solutions: a resource group each, with its plans and what is on them, and its API management services.

use serde_json::json;

use super::plan::{self, Plan};
use super::settings::{WebSettings, WebSolution};
use super::{Backend, api_management};
use crate::azure::ResourceId;
use crate::azure::types::RESOURCE_GROUP;
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::private_link::{Defaults, Owner, add_nested, published_group};
use crate::commands::shared::service::{Named, NestedEndpoint, NetworkDependencies};
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The facts that hold for everything in a solution.
pub(super) struct Solution<'a> {
    /// The document.
    pub(super) settings: &'a WebSettings,
    /// The place of the document.
    pub(super) root: &'a Place,
    pub(super) group: ResourceId,
    /// Its publish name.
    publish: Option<String>,
    /// All groups of the document that are published, this one first.
    groups: Vec<(String, ResourceId)>,
}

/// Adds the solutions, and notes what the front door is to send requests to.
pub(super) fn compile(
    settings: &WebSettings,
    root: &Place,
    backends: &mut Vec<Backend>,
    compilation: &mut Compilation<'_>,
) {
    let mut solutions = Vec::new();
    for (index, solution) in settings.web_solutions.iter().flatten().enumerate() {
        let place = root.dotted("webSolutions").index(index);
        let publish = published(solution, settings, &place, root);
        if let Some(group) = add_group(solution, publish.as_ref(), &place, compilation) {
            solutions.push((solution, place, group, publish.map(|publish| publish.name)));
        }
    }
    let published: Vec<(String, ResourceId)> =
        solutions.iter().filter_map(|(_, _, group, publish)| Some((publish.clone()?, group.clone()))).collect();
    for (solution, place, group, publish) in solutions {
        let own = publish.clone().map(|publish| (publish, group.clone()));
        let groups = own.into_iter().chain(published.iter().cloned()).collect();
        let context = Solution { settings, root, group, publish, groups };
        for (index, plan) in solution.app_service_plans.iter().flatten().enumerate() {
            plan::compile(plan, &place.dotted("appServicePlans").index(index), &context, backends, compilation);
        }
        for (index, service) in solution.api_management_services.iter().flatten().enumerate() {
            let place = place.dotted("apiManagementServices").index(index);
            api_management::compile(service, &place, &context, backends, compilation);
        }
    }
}

fn published(solution: &WebSolution, settings: &WebSettings, place: &Place, root: &Place) -> Option<Published> {
    let own = solution.service.publish().and_then(|publish| publish.resource_group.as_ref());
    let all = settings.service.publish.resource_group.as_ref();
    Published::first("service.publish.resourceGroup", (own, place), (all, root))
}

/// Adds the resource group of a solution, which is where its first plan is, or its first API management service.
fn add_group(
    solution: &WebSolution,
    publish: Option<&Published>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> Option<ResourceId> {
    const OF_PLAN: &str = "appServicePlans.0.region";
    const OF_SERVICE: &str = "apiManagementServices.0.region";
    let plan = solution.app_service_plans.iter().flatten().next().map(|plan| (&plan.region, OF_PLAN));
    let service = solution.api_management_services.iter().flatten().next().map(|service| (&service.region, OF_SERVICE));
    let Some((region, origin)) = plan.or(service) else {
        let message = "an app service plan or an API management service is required; the region of the first one becomes the region of the resource group";
        compilation.finding(place.dotted("appServicePlans"), FindingCode::Missing, message);
        return None;
    };
    let location = compilation.location(region, place.dotted(origin));
    let name_place = place.dotted("name");
    let request = NameRequest::new(ResourceKind::ResourceGroup, &solution.name, Architecture::Paas, Some(&location));
    let name = compilation.name(&RESOURCE_GROUP, &request, &name_place);
    let id = compilation.subscription().group(&name);
    compilation.add(Desired {
        tags: compilation.tags(publish),
        origins: vec![("location", origin)],
        ..Desired::new(id.clone(), &RESOURCE_GROUP, json!({ "location": location }), place.clone())
    });
    Some(id)
}

/// An app, slot or function app that may have private endpoints.
pub(super) struct Connected<'a> {
    /// Its `privateEndpoints`.
    pub(super) endpoints: Option<&'a Vec<NestedEndpoint>>,
    /// The name that endpoints without one are called after.
    pub(super) name: &'a str,
    /// The group id to connect to where an endpoint does not say one.
    pub(super) group_id: &'a str,
    /// The app.
    pub(super) id: &'a ResourceId,
    /// The plan that it runs on.
    pub(super) plan: &'a Plan,
    /// The object that has the endpoints.
    pub(super) place: &'a Place,
}

impl Solution<'_> {
    /// The publish name of an item, else that of the whole document.
    pub(super) fn publish(
        &self,
        setting: &str,
        own: Option<&String>,
        place: &Place,
        all: Option<&String>,
    ) -> Option<Published> {
        Published::first(setting, (own, place), (all, self.root))
    }

    /// Adds private endpoints, which not every plan takes.
    pub(super) fn add_endpoints(&self, connected: &Connected<'_>, compilation: &mut Compilation<'_>) {
        connected.plan.check_endpoints(connected.endpoints, connected.place, compilation);
        if connected.endpoints.is_none() {
            return;
        }
        let dependencies = self.settings.service.dependencies.clone().unwrap_or_default();
        let network = NetworkDependencies {
            resource_group: dependencies.resource_group,
            vnet: dependencies.vnet,
            private_zones: dependencies.private_zones,
        };
        let defaults = Defaults {
            dependencies: &network,
            publish: self.settings.service.publish.private_endpoint.as_ref(),
            groups: &self.groups,
            root: self.root,
            tagged: true,
        };
        let owner = Owner {
            endpoints: connected.endpoints,
            name: connected.name,
            group_id: Some(connected.group_id),
            id: connected.id,
            origin: "../../name",
            group: &|compilation| self.endpoint_group(compilation),
            location: &connected.plan.location,
            place: connected.place,
        };
        add_nested(&owner, &defaults, compilation);
    }

    /// The group of endpoints that do not say: the one that the document publishes, else the one that it depends on, else that
    /// of the solution.
    fn endpoint_group(&self, compilation: &mut Compilation<'_>) -> ResourceId {
        let dependencies = self.settings.service.dependencies.as_ref();
        match (&self.settings.service.publish.resource_group, dependencies.and_then(|all| all.resource_group.as_ref()))
        {
            (Some(name), _) if self.publish.as_ref() == Some(name) => self.group.clone(),
            (Some(name), _) => {
                let place = self.root.dotted("service.publish.resourceGroup");
                published_group(name, &self.groups, &place, compilation)
            }
            (None, Some(name)) => {
                let place = self.root.dotted("service.dependencies.resourceGroup");
                published_group(name, &self.groups, &place, compilation)
            }
            (None, None) => self.group.clone(),
        }
    }
}
