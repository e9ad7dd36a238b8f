//! New-SvcIaasPrivateEndpoints: private endpoints with their private DNS zones.

mod export;
mod settings;

use self::settings::{PrivateEndpoint, PrivateEndpointSettings};
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::{Compilation, Published};
use super::shared::found::Found;
use super::shared::parameters::{OMIT_TAGS, SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::shared::private_link::{Endpoint, add_endpoint};
use super::shared::service::{Named, NetworkDependencies};
use super::shared::wanted::{Wanted, unknown_group};
use crate::azure::ResourceId;
use crate::azure::types::{self, VIRTUAL_NETWORK, private_link};
use crate::naming::same_location;
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcIaasPrivateEndpoints",
    component: "privateEndpoints",
    synopsis: "Deploys private endpoints with their private DNS zones and the links of these to virtual networks.",
    description: "Reads a settings document and connects existing resources privately to subnets of existing virtual networks. \
        Private DNS zones that the document names and that do not exist are created and linked to the network. \
        Resources that already match the document are not changed, so a second run of the same document does nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE, OMIT_TAGS],
    examples: &[
        Example {
            code: "New-SvcIaasPrivateEndpoints -SettingsFile private-endpoints.yml -WhatIf",
            text: "Shows which endpoints, zones and links would be created or changed.",
        },
        Example {
            code: "New-SvcIaasPrivateEndpoints -SettingsFile private-endpoints.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on the endpoints.",
        },
        Example {
            code: "Get-Content private-endpoints.json -Raw | ConvertFrom-Json | New-SvcIaasPrivateEndpoints -OmitTags",
            text: "Deploys settings that are already an object, from the pipeline, and skips the tag settings.",
        },
        Example {
            code: "$settings = Get-Content private-endpoints.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.service.dependencies.vnet = 'spoke-network'\nNew-SvcIaasPrivateEndpoints -SettingsObject $settings",
            text: "Deploys a document to another virtual network. The script changes the settings object first.",
        },
    ],
    documents: documents!("private-endpoints"),
    settings: settings_of::<PrivateEndpointSettings>(),
    properties: &[],
    publishes: &[&types::PRIVATE_ENDPOINT],
    export: export::EXPORT,
};

impl Settings for PrivateEndpointSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        for (index, endpoint) in self.private_endpoints.iter().enumerate() {
            self.compile_endpoint(endpoint, root, &root.dotted("privateEndpoints").index(index), compilation);
        }
    }
}

impl PrivateEndpointSettings {
    fn compile_endpoint(
        &self,
        endpoint: &PrivateEndpoint,
        root: &Place,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        const GROUP: &str = "service.dependencies.resourceGroup";
        const NETWORK: &str = "service.dependencies.vnet";
        const ZONES: &str = "service.dependencies.privateZones";
        const PUBLISH: &str = "service.publish.privateEndpoint";
        const TARGET: &str = "service.dependencies.resource";
        let none = NetworkDependencies::default();
        let NetworkDependencies { resource_group, vnet, private_zones } = self.service.dependencies().unwrap_or(&none);
        let own = &endpoint.service.dependencies;
        let near = endpoint.location.as_deref();
        let group = Published::first(GROUP, (own.resource_group.as_ref(), place), (resource_group.as_ref(), root));
        let group = find_group(group, near, &place.dotted(GROUP), compilation);
        let network = Published::first(NETWORK, (own.vnet.as_ref(), place), (vnet.as_ref(), root));
        let target_place = place.dotted(TARGET);
        let found_network = network.as_ref().and_then(|network| {
            let wanted = compilation.find(Wanted::Type(VIRTUAL_NETWORK.name));
            wanted.published_as(&network.name, &network.place).near(near).one_known()
        });
        self.warn_of_location(endpoint, found_network.as_ref(), place, compilation);
        // The endpoint is where its network is, whatever the settings say; they may say where the target is.
        let near_target = near.or(found_network.as_ref().map(|found| found.location.as_str()));
        let target = compilation.find(endpoint.target_type()).published_as(&own.resource, &target_place);
        let target = target.near(near_target).preferring(private_link::is_connectable).one();
        let zones = match (&own.private_zones, private_zones) {
            (Some(zones), _) => Some((zones.as_slice(), place.dotted(ZONES))),
            (None, Some(zones)) => Some((zones.as_slice(), root.dotted(ZONES))),
            (None, None) => None,
        };
        let own_publish = endpoint.service.publish.as_ref().and_then(|publish| publish.private_endpoint.as_ref());
        let root_publish = self.service.publish().and_then(|publish| publish.private_endpoint.as_ref());
        let publish = Published::first(PUBLISH, (own_publish, place), (root_publish, root));
        let tags = compilation.tags(publish.as_ref());
        let endpoint = Endpoint {
            name: &endpoint.name,
            unnamed: None,
            name_location: None,
            near,
            group,
            network,
            subnet: &endpoint.subnet_name,
            target: target.id,
            target_origin: TARGET,
            group_id: endpoint.sub_resource_name.as_deref(),
            global_group_id: Some(("/globalSubResourceName", self.global_sub_resource_name.as_deref())),
            zones,
            tags,
            place: place.clone(),
        };
        add_endpoint(endpoint, compilation);
    }

    /// Azure wants an endpoint where its network is, whatever the settings say.
    fn warn_of_location(
        &self,
        endpoint: &PrivateEndpoint,
        network: Option<&Found>,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) {
        let Some(location) = &endpoint.location else { return };
        let place = place.dotted("location");
        let asked = compilation.location(location, place.clone());
        if let Some(network) = network.filter(|network| !same_location(&network.location, &asked)) {
            let message = format!(
                "a private endpoint must be in the location of its virtual network; '{}' is used instead of '{asked}'",
                network.location
            );
            compilation.warning(&place, message);
        }
    }
}

/// The resource group that the settings name.
fn find_group(
    group: Option<Published>,
    near: Option<&str>,
    place: &Place,
    compilation: &mut Compilation<'_>,
) -> ResourceId {
    if let Some(group) = group {
        return compilation.find(Wanted::GROUP).published_as(&group.name, &group.place).near(near).one().id;
    }
    compilation.finding(place.clone(), FindingCode::Missing, "a resource group is required, here or at the root");
    // What else is wrong is told, too.
    compilation.subscription().group(&unknown_group())
}

impl PrivateEndpoint {
    /// The type of the resource to connect to, as far as the settings say.
    fn target_type(&self) -> Wanted<'_> {
        match self.resource_name_space.as_deref() {
            Some(namespace) if namespace.contains('/') => Wanted::Type(namespace),
            Some(namespace) => Wanted::Namespace(namespace),
            None => Wanted::Any,
        }
    }
}
