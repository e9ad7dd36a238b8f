//! The private endpoints that a storage account declares.

use super::settings::{AccountEndpointPublish, AccountPrivateEndpoint, StorageAccount, StorageSettings};
use crate::azure::ResourceId;
use crate::commands::compilation::{Compilation, Published};
use crate::commands::private_endpoints::{Endpoint, add_endpoint};
use crate::commands::service::{Named, NetworkDependencies};
use crate::settings::Place;

/// An account and where it comes from.
pub(super) struct Owner<'a> {
    pub(super) account: &'a StorageAccount,
    pub(super) settings: &'a StorageSettings,
    /// The resource group of the account.
    pub(super) group: &'a ResourceId,
    pub(super) location: &'a str,
    pub(super) id: &'a ResourceId,
    pub(super) place: &'a Place,
    pub(super) root: &'a Place,
}

/// Adds the endpoints of an account.
pub(super) fn compile(owner: &Owner<'_>, compilation: &mut Compilation<'_>) {
    // Endpoints without a name are counted by themselves, as the replaced module did.
    let mut unnamed = 0;
    for (index, endpoint) in owner.account.private_endpoints.iter().flatten().enumerate() {
        let name = endpoint.name.clone().unwrap_or_else(|| {
            unnamed += 1;
            format!("{}-{}", unnamed - 1, owner.id.name())
        });
        owner.compile_endpoint(endpoint, &name, &owner.place.dotted("privateEndpoints").index(index), compilation);
    }
}

impl Owner<'_> {
    fn compile_endpoint(
        &self,
        endpoint: &AccountPrivateEndpoint,
        name: &str,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        const NETWORK: &str = "service.dependencies.vnet";
        const ZONES: &str = "service.dependencies.privateZones";
        const PUBLISH: &str = "service.publish.privateEndpoint";
        let (none, no_publish) = (NetworkDependencies::default(), AccountEndpointPublish::default());
        let own = endpoint.service.dependencies().unwrap_or(&none);
        let own_publish = endpoint.service.publish().unwrap_or(&no_publish);
        let defaults = self.settings.service.dependencies().unwrap_or(&none);
        let root_publish = self.settings.service.publish();
        let zones = match (&own.private_zones, &defaults.private_zones) {
            (Some(zones), _) => Some((zones.as_slice(), place.dotted(ZONES))),
            (None, Some(zones)) => Some((zones.as_slice(), self.root.dotted(ZONES))),
            (None, None) => None,
        };
        let publish = Published::first(
            PUBLISH,
            (own_publish.private_endpoint.as_ref(), place),
            (root_publish.and_then(|publish| publish.private_endpoint.as_ref()), self.root),
        );
        let endpoint = Endpoint {
            name,
            name_location: Some(self.location),
            near: Some(self.location),
            group: self.endpoint_group(
                own_publish.resource_group.as_ref(),
                own.resource_group.as_ref(),
                place,
                compilation,
            ),
            network: Published::first(NETWORK, (own.vnet.as_ref(), place), (defaults.vnet.as_ref(), self.root)),
            subnet: &endpoint.subnet_name,
            target: self.id.clone(),
            group_id: endpoint.sub_resource_name.as_deref(),
            global_group_id: None,
            zones,
            tags: compilation.service_tag(publish.as_ref()),
            place: place.clone(),
        };
        add_endpoint(endpoint, compilation);
    }

    /// The group published under the endpoint's own name, else under the document's; else the dependency, else the group of
    /// the account. The document's name is that of the group this run deploys, where it deploys one.
    fn endpoint_group(
        &self,
        own_publish: Option<&String>,
        own: Option<&String>,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        const PUBLISH: &str = "service.publish.resourceGroup";
        const DEPENDENCY: &str = "service.dependencies.resourceGroup";
        let root_publish = self.settings.service.publish().and_then(|publish| publish.resource_group.as_ref());
        let root = self.settings.service.dependencies().and_then(|dependencies| dependencies.resource_group.as_ref());
        let is_own = |name: &String| root.is_none() && root_publish == Some(name);
        match (own_publish, own) {
            (Some(name), _) if !is_own(name) => compilation.dependency_group(name, &place.dotted(PUBLISH)).id,
            (None, Some(name)) => compilation.dependency_group(name, &place.dotted(DEPENDENCY)).id,
            // A group found by one name and published under another keeps the first, so it cannot be found by the second.
            _ => self.group.clone(),
        }
    }
}
