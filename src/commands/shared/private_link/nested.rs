//! Private endpoints that other documents declare beside what they connect to: storage accounts, web apps, slots and
//! function apps.

use super::endpoint::{Endpoint, Unnamed, add_endpoint};
use crate::azure::ResourceId;
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::service::{Named, NestedEndpoint, NestedEndpointPublish, NetworkDependencies};
use crate::commands::shared::wanted::Wanted;
use crate::settings::Place;

/// The settings that the document has for all of its endpoints.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Defaults<'a> {
    /// `service.dependencies` of the document.
    pub(in crate::commands) dependencies: &'a NetworkDependencies,
    /// `service.publish.privateEndpoint` of the document.
    pub(in crate::commands) publish: Option<&'a String>,
    /// Resource groups that the run deploys, by their publish names.
    pub(in crate::commands) groups: &'a [(String, ResourceId)],
    /// The document.
    pub(in crate::commands) root: &'a Place,
    /// Whether the endpoints carry the tags of the tag settings, beside their publish name.
    pub(in crate::commands) tagged: bool,
}

/// The resource that the endpoints connect to, and where that comes from.
pub(in crate::commands) struct Owner<'a> {
    /// Its `privateEndpoints`.
    pub(in crate::commands) endpoints: Option<&'a Vec<NestedEndpoint>>,
    /// The name that endpoints without one are called after.
    pub(in crate::commands) name: &'a str,
    /// The group id to connect to where an endpoint does not say one.
    pub(in crate::commands) group_id: Option<&'a str>,
    /// The resource to connect to.
    pub(in crate::commands) id: &'a ResourceId,
    /// The setting that names it, from an endpoint on.
    pub(in crate::commands) origin: &'static str,
    /// The resource group of endpoints that do not say. It is looked for only where there is such an endpoint.
    pub(in crate::commands) group: &'a dyn Fn(&mut Compilation<'_>) -> ResourceId,
    /// The location of the owner.
    pub(in crate::commands) location: &'a str,
    /// The object that has the endpoints.
    pub(in crate::commands) place: &'a Place,
}

/// Adds the endpoints of an owner.
pub(in crate::commands) fn add_nested(owner: &Owner<'_>, defaults: &Defaults<'_>, compilation: &mut Compilation<'_>) {
    // Endpoints without a name are counted by themselves, as the replaced module did.
    let mut unnamed = 0;
    for (index, endpoint) in owner.endpoints.into_iter().flatten().enumerate() {
        let place = owner.place.dotted("privateEndpoints").index(index);
        let numbered = |number: usize| format!("{number}-{}", owner.name);
        let (name, number) = match &endpoint.name {
            Some(name) => (name.clone(), None),
            None => (numbered(unnamed), Some(Unnamed { next: numbered(unnamed + 1) })),
        };
        unnamed += usize::from(number.is_some());
        owner.add(endpoint, (&name, number), &place, defaults, compilation);
    }
}

impl Owner<'_> {
    fn add(
        &self,
        endpoint: &NestedEndpoint,
        (name, unnamed): (&str, Option<Unnamed>),
        place: &Place,
        defaults: &Defaults<'_>,
        compilation: &mut Compilation<'_>,
    ) {
        const NETWORK: &str = "service.dependencies.vnet";
        const ZONES: &str = "service.dependencies.privateZones";
        const PUBLISH: &str = "service.publish.privateEndpoint";
        let (none, no_publish) = (NetworkDependencies::default(), NestedEndpointPublish::default());
        let own = endpoint.service.dependencies().unwrap_or(&none);
        let own_publish = endpoint.service.publish().unwrap_or(&no_publish);
        let root = defaults.dependencies;
        let zones = match (&own.private_zones, &root.private_zones) {
            (Some(zones), _) => Some((zones.as_slice(), place.dotted(ZONES))),
            (None, Some(zones)) => Some((zones.as_slice(), defaults.root.dotted(ZONES))),
            (None, None) => None,
        };
        let publish = Published::first(
            PUBLISH,
            (own_publish.private_endpoint.as_ref(), place),
            (defaults.publish, defaults.root),
        );
        let group = self.endpoint_group(
            own_publish.resource_group.as_ref(),
            own.resource_group.as_ref(),
            place,
            defaults,
            compilation,
        );
        let endpoint = Endpoint {
            name,
            unnamed,
            name_location: Some(self.location),
            near: Some(self.location),
            group,
            network: Published::first(NETWORK, (own.vnet.as_ref(), place), (root.vnet.as_ref(), defaults.root)),
            subnet: &endpoint.subnet_name,
            target: self.id.clone(),
            target_origin: self.origin,
            group_id: endpoint.sub_resource_name.as_deref().or(self.group_id),
            global_group_id: None,
            zones,
            tags: if defaults.tagged {
                compilation.tags(publish.as_ref())
            } else {
                compilation.service_tag(publish.as_ref())
            },
            place: place.clone(),
        };
        add_endpoint(endpoint, compilation);
    }

    /// The group published under the endpoint's own name, else the dependency, both of which this run may deploy; else the group
    /// of the owner.
    fn endpoint_group(
        &self,
        publish: Option<&String>,
        dependency: Option<&String>,
        place: &Place,
        defaults: &Defaults<'_>,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        const PUBLISH: &str = "service.publish.resourceGroup";
        const DEPENDENCY: &str = "service.dependencies.resourceGroup";
        match (publish, dependency) {
            (Some(name), _) => published_group(name, defaults.groups, &place.dotted(PUBLISH), compilation),
            (None, Some(name)) => published_group(name, defaults.groups, &place.dotted(DEPENDENCY), compilation),
            (None, None) => (self.group)(compilation),
        }
    }
}

/// The group of a publish name: one that this run deploys, else an existing one.
pub(in crate::commands) fn published_group(
    name: &str,
    groups: &[(String, ResourceId)],
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> ResourceId {
    match groups.iter().find(|(publish, _)| publish == name) {
        Some((_, group)) => group.clone(),
        None => compilation.find(Wanted::GROUP).published_as(name, place).one().id,
    }
}
