//! Private endpoints that other documents declare beside what they connect to: storage accounts, web apps, slots and
//! function apps.

use super::endpoint::{Endpoint, add_endpoint};
use crate::azure::ResourceId;
use crate::commands::compilation::{Compilation, Published};
use crate::commands::service::{Named, NestedEndpoint, NestedEndpointPublish, NetworkDependencies};
use crate::settings::Place;

/// What the document says for all of its endpoints.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Defaults<'a> {
    /// `service.dependencies` of the document.
    pub(in crate::commands) dependencies: &'a NetworkDependencies,
    /// `service.publish.privateEndpoint` of the document.
    pub(in crate::commands) publish: Option<&'a String>,
    /// `service.publish.resourceGroup` of the document.
    pub(in crate::commands) publish_group: Option<&'a String>,
    /// The document.
    pub(in crate::commands) root: &'a Place,
    /// Whether the endpoints carry the tags of the tag settings, beside their publish name.
    pub(in crate::commands) tagged: bool,
}

/// What the endpoints connect to, and where that comes from.
pub(in crate::commands) struct Owner<'a> {
    /// Its `privateEndpoints`.
    pub(in crate::commands) endpoints: Option<&'a Vec<NestedEndpoint>>,
    /// What endpoints without a name are called after.
    pub(in crate::commands) name: &'a str,
    /// What to connect to where an endpoint does not say.
    pub(in crate::commands) group_id: Option<&'a str>,
    /// The resource.
    pub(in crate::commands) id: &'a ResourceId,
    /// The resource group of the owner.
    pub(in crate::commands) group: &'a ResourceId,
    /// The publish name of that group.
    pub(in crate::commands) group_publish: Option<&'a String>,
    /// Where the owner is.
    pub(in crate::commands) location: &'a str,
    /// The object that has the endpoints.
    pub(in crate::commands) place: &'a Place,
}

/// Adds the endpoints of an owner.
pub(in crate::commands) fn add_nested(owner: &Owner<'_>, defaults: &Defaults<'_>, compilation: &mut Compilation<'_>) {
    // Endpoints without a name are counted by themselves, as the replaced module did.
    let mut unnamed = 0;
    for (index, endpoint) in owner.endpoints.into_iter().flatten().enumerate() {
        let name = endpoint.name.clone().unwrap_or_else(|| {
            unnamed += 1;
            format!("{}-{}", unnamed - 1, owner.name)
        });
        let place = owner.place.dotted("privateEndpoints").index(index);
        owner.add(endpoint, &name, &place, defaults, compilation);
    }
}

impl Owner<'_> {
    fn add(
        &self,
        endpoint: &NestedEndpoint,
        name: &str,
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
            name_location: Some(self.location),
            near: Some(self.location),
            group,
            network: Published::first(NETWORK, (own.vnet.as_ref(), place), (root.vnet.as_ref(), defaults.root)),
            subnet: &endpoint.subnet_name,
            target: self.id.clone(),
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

    /// The group published under the endpoint's own name, else under the document's; else the dependency, else the group of
    /// the owner. The document's name is that of a group this run deploys, where it deploys one.
    fn endpoint_group(
        &self,
        own_publish: Option<&String>,
        own: Option<&String>,
        place: &Place,
        defaults: &Defaults<'_>,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        const PUBLISH: &str = "service.publish.resourceGroup";
        const DEPENDENCY: &str = "service.dependencies.resourceGroup";
        let root = defaults.dependencies.resource_group.as_ref();
        let is_own = |name: &String| root.is_none() && self.group_publish.or(defaults.publish_group) == Some(name);
        match (own_publish, own) {
            (Some(name), _) if !is_own(name) => compilation.dependency_group(name, &place.dotted(PUBLISH)).id,
            (None, Some(name)) => compilation.dependency_group(name, &place.dotted(DEPENDENCY)).id,
            // A group found by one name and published under another keeps the first, so it cannot be found by the second.
            _ => self.group.clone(),
        }
    }
}
