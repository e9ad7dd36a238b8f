//! New-SvcIaasBastionHost: bastion hosts with their subnet, public IP address and audit log.

mod export;
mod settings;
mod subnet;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use serde_json::json;

use self::settings::{BastionHost, BastionHostSettings};
use self::subnet::BASTION_SUBNET;
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::{Compilation, Published};
use super::shared::found::Found;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::shared::service::Named;
use super::shared::wanted::Wanted;
use crate::azure::ResourceId;
use crate::azure::types::{BASTION_HOST, DIAGNOSTIC_SETTING, PUBLIC_IP_ADDRESS, SUBNET, VIRTUAL_NETWORK, WORKSPACE};
use crate::desired::{Desired, placeholder};
use crate::naming::{Architecture, NameRequest, ResourceKind, same_location};
use crate::plan::resource_kept;
use crate::protocol::{FindingCode, Kept};
use crate::settings::Place;

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcIaasBastionHost",
    component: "bastionHosts",
    synopsis: "Deploys bastion hosts with their subnet, public IP address and audit log.",
    description: "Reads a settings document and creates or updates bastion hosts of existing virtual networks, which give browser-based RDP and SSH to the \
        virtual machines in them. The subnet AzureBastionSubnet is created where the network has none. \
        Resources that already match the document are not changed, so a second run of the same document does nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE],
    examples: &[
        Example {
            code: "New-SvcIaasBastionHost -SettingsFile bastion-hosts.yml -WhatIf",
            text: "Shows what would be created or changed, property by property.",
        },
        Example {
            code: "New-SvcIaasBastionHost -SettingsFile bastion-hosts.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on the hosts and their public IP addresses.",
        },
        Example {
            code: "Get-Content bastion-hosts.json -Raw | ConvertFrom-Json | New-SvcIaasBastionHost",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content bastion-hosts.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.location = 'UK West'\nNew-SvcIaasBastionHost -SettingsObject $settings",
            text: "Deploys a document to another location. The script changes the settings object first.",
        },
    ],
    documents: documents!("bastion-hosts"),
    settings: settings_of::<BastionHostSettings>(),
    properties: &[],
    publishes: &[&BASTION_HOST, &PUBLIC_IP_ADDRESS],
    export: export::EXPORT,
};

/// Names of parts, as the replaced module gave them: another name would add a second part.
const IP_CONFIGURATION: &str = "IpConf";
const DIAGNOSTIC_SETTING_NAME: &str = "Service";

/// All of it is where the document says.
const LOCATION_ORIGIN: &[(&str, &str)] = &[("location", "/location")];

/// The length of the label that the DNS name of a public IP address begins with (ARM templates, "Best practices": a letter, then letters,
/// digits and hyphens, and no hyphen at the end).
const DNS_LABEL: RangeInclusive<usize> = 3..=63;
/// The beginning of a label whose name begins with something else, or is too short.
const DNS_LABEL_START: &str = "pip-";

impl Settings for BastionHostSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let dependencies = &self.service.dependencies;
        let location = compilation.location(&self.location, root.dotted("location"));
        let group_place = root.dotted("service.dependencies.resourceGroup");
        let group = compilation.find(Wanted::GROUP).published_as(&dependencies.resource_group, &group_place).one().id;
        let workspace_place = root.dotted("service.dependencies.workspace");
        let workspace = compilation
            .find(Wanted::Type(WORKSPACE.name))
            .published_as(&dependencies.workspace, &workspace_place)
            .near(Some(&location))
            .one();
        let run = Run { settings: self, root, location: &location, group: &group, workspace: &workspace.id };
        let mut networks = HashMap::new();
        for (index, host) in self.bastion_hosts.iter().enumerate() {
            run.compile_host(host, &root.dotted("bastionHosts").index(index), &mut networks, compilation);
        }
    }
}

/// The facts that all hosts of a document have in common.
struct Run<'a> {
    settings: &'a BastionHostSettings,
    root: &'a Place,
    location: &'a str,
    group: &'a ResourceId,
    workspace: &'a ResourceId,
}

impl Run<'_> {
    /// Adds a host. `networks` has the networks that got one, each with the place of its host.
    fn compile_host(
        &self,
        host: &BastionHost,
        place: &Place,
        networks: &mut HashMap<ResourceId, Place>,
        compilation: &mut Compilation<'_>,
    ) {
        const NETWORK: &str = "service.dependencies.vnet";
        let own_network = host.service.dependencies().and_then(|dependencies| dependencies.vnet.as_ref());
        let root_network = self.settings.service.dependencies.vnet.as_ref();
        let network = Published::first(NETWORK, (own_network, place), (root_network, self.root));
        let found = match &network {
            Some(network) => {
                let wanted = compilation.find(Wanted::Type(VIRTUAL_NETWORK.name));
                wanted.published_as(&network.name, &network.place).near(Some(self.location)).whole().one()
            }
            None => {
                let message = "a virtual network is required, here or at the root";
                compilation.finding(place.dotted(NETWORK), FindingCode::Missing, message);
                // What else is wrong is told, too.
                let name = placeholder(&format!("the virtual network of {}", place.path()));
                Found::placeholder(VIRTUAL_NETWORK.child_of(self.group, &name))
            }
        };
        if let Some(network) = &network {
            if let Some(first) = networks.insert(found.id.clone(), place.clone()) {
                return two_hosts(network, &first, place, compilation);
            }
            self.check_network(&found, &network.place, compilation);
        }
        let subnet = self.subnet(host, &found, place, compilation);
        let address = self.public_ip_address(host, place, compilation);
        let request = self.name_request(ResourceKind::BastionHost, host);
        let name = compilation.name(&BASTION_HOST, &request, &place.dotted("bastionHostName"));
        let id = BASTION_HOST.child_of(self.group, &name);
        check_other_host(&found, &id, place, compilation);
        let own = host.service.publish().and_then(|publish| publish.bastion.as_ref());
        let publish = self.publish("service.publish.bastion", (own, place), |publish| publish.bastion.as_ref());
        let body = json!({
            "location": self.location,
            "properties": { "ipConfigurations": [{
                "name": IP_CONFIGURATION,
                "properties": { "subnet": { "id": subnet.as_str() }, "publicIPAddress": { "id": address.as_str() } },
            }] },
        });
        compilation.add(Desired {
            // An existing host keeps its sku: somebody may have upgraded it.
            creation_body: json!({ "sku": { "name": "Basic" } }),
            tags: compilation.tags(publish.as_ref()),
            depends_on: vec![subnet, address],
            lock: Some(found.id),
            origins: LOCATION_ORIGIN.to_vec(),
            ..Desired::new(id.clone(), &BASTION_HOST, body, place.clone())
        });
        self.add_audit_log(&id, compilation);
    }

    /// The diagnostic setting that sends the audit log of a host to the workspace.
    fn add_audit_log(&self, host: &ResourceId, compilation: &mut Compilation<'_>) {
        let body = json!({ "properties": {
            "workspaceId": self.workspace.as_str(),
            "logs": [{ "category": "BastionAuditLogs", "enabled": true }],
        } });
        let setting = DIAGNOSTIC_SETTING.child_of(host, DIAGNOSTIC_SETTING_NAME);
        let workspace_place = self.root.dotted("service.dependencies.workspace");
        compilation.add(Desired {
            origins: vec![("properties.workspaceId", "")],
            ..Desired::new(setting, &DIAGNOSTIC_SETTING, body, workspace_place)
        });
    }

    /// Azure wants a bastion host in the region and the resource group of its network.
    fn check_network(&self, network: &Found, place: &Place, compilation: &mut Compilation<'_>) {
        if network.placeholder {
            return;
        }
        if !same_location(&network.location, self.location) {
            let message = format!(
                "the virtual network '{}' is in '{}', but a bastion host must be in the location of its network; the location of the document is '{}'",
                network.id.name(),
                network.location,
                self.location
            );
            compilation.finding(place.clone(), FindingCode::LocationsDiffer, message);
        }
        if network.id.group_id().as_ref() != Some(self.group) && compilation.is_connected() {
            let message = format!(
                "the virtual network '{}' is in the resource group '{}'; Azure documents that a bastion host must be in the group of its network, and may refuse it in '{}'",
                network.id.name(),
                network.id.resource_group().unwrap_or_default(),
                self.group.name()
            );
            compilation.warning(place, message);
        }
    }

    /// The subnet of the host: the one that is there, else a new one with the range of the settings.
    fn subnet(
        &self,
        host: &BastionHost,
        network: &Found,
        place: &Place,
        compilation: &mut Compilation<'_>,
    ) -> ResourceId {
        let id = SUBNET.child_of(&network.id, BASTION_SUBNET);
        let prefix_place = place.dotted("bastionHostSubnetPrefix");
        let range = host.bastion_host_subnet_prefix.as_deref().map(subnet::range).transpose();
        let range = match range {
            Ok(range) => range,
            Err(problem) => {
                compilation.finding(prefix_place, FindingCode::PrefixRefused, problem);
                return id;
            }
        };
        let existing = network.details.as_ref().and_then(|details| subnet::subnet(details, BASTION_SUBNET));
        let network_name = network.id.name();
        let Some(range) = range else {
            // Whether the network has the subnet is known only when it was read.
            if let Some(details) = network.details.as_ref().filter(|_| existing.is_none()) {
                let message = format!(
                    "the virtual network '{network_name}' has no {BASTION_SUBNET}, so an address range of /26 or larger is required; {}",
                    subnet::choice(details)
                );
                compilation.finding(prefix_place, FindingCode::Missing, message);
            }
            return id;
        };
        if let Some(ranges) = existing.and_then(|existing| subnet::other_ranges(existing, range)) {
            let reason = format!(
                "the virtual network '{network_name}' has {BASTION_SUBNET} with {ranges}; it stays as it is, and {range} is ignored"
            );
            compilation.kept(Kept {
                path: "properties.addressPrefix".to_owned(),
                wanted: Some(range.to_string().into()),
                existing: Some(ranges.into()),
                ..resource_kept(&id, &SUBNET, &prefix_place, prefix_place.warning(&reason))
            });
        }
        if let Some(details) = network.details.as_ref().filter(|_| existing.is_none())
            && let Err(problem) = subnet::check_free(range, details, network_name)
        {
            compilation.finding(prefix_place, FindingCode::PrefixRefused, problem);
            return id;
        }
        compilation.add(Desired {
            keep_existing: true,
            lock: Some(network.id.clone()),
            // The place of the subnet is the setting of its range.
            origins: vec![("properties.addressPrefix", "")],
            ..Desired::new(
                id.clone(),
                &SUBNET,
                json!({ "properties": { "addressPrefix": range.to_string() } }),
                prefix_place,
            )
        });
        id
    }

    fn public_ip_address(&self, host: &BastionHost, place: &Place, compilation: &mut Compilation<'_>) -> ResourceId {
        let request = self.name_request(ResourceKind::PublicIPAddress, host);
        let name_place = place.dotted("bastionHostName");
        let name = compilation.name(&PUBLIC_IP_ADDRESS, &request, &name_place);
        let of_name = (&PUBLIC_IP_ADDRESS, &request);
        let label =
            compilation.made_of_name("DNS label of the public IP address", &name, of_name, dns_label, &name_place);
        let own = host.service.publish().and_then(|publish| publish.bastion_public_ip.as_ref());
        let setting = "service.publish.bastionPublicIP";
        let publish = self.publish(setting, (own, place), |publish| publish.bastion_public_ip.as_ref());
        let id = PUBLIC_IP_ADDRESS.child_of(self.group, &name);
        compilation.add(Desired {
            creation_body: json!({
                "sku": { "name": "Standard", "tier": "Regional" },
                "properties": {
                    "publicIPAllocationMethod": "Static",
                    "publicIPAddressVersion": "IPv4",
                    "dnsSettings": { "domainNameLabel": label },
                },
            }),
            tags: compilation.tags(publish.as_ref()),
            origins: LOCATION_ORIGIN.to_vec(),
            ..Desired::new(id.clone(), &PUBLIC_IP_ADDRESS, json!({ "location": self.location }), place.clone())
        });
        id
    }

    fn name_request<'a>(&'a self, kind: ResourceKind, host: &'a BastionHost) -> NameRequest<'a> {
        NameRequest::new(kind, &host.bastion_host_name, Architecture::Iaas, Some(self.location))
    }

    fn publish(
        &self,
        setting: &str,
        (own, place): (Option<&String>, &Place),
        root: impl Fn(&settings::Publish) -> Option<&String>,
    ) -> Option<Published> {
        let root = self.settings.service.publish.as_ref().and_then(root);
        Published::first(setting, (own, place), (root, self.root))
    }
}

/// The name of a public IP address as a label of a DNS name.
fn dns_label(name: &str) -> String {
    // Of a name that is not known yet nobody knows the label.
    if name.contains('<') {
        return name.to_owned();
    }
    let fit = |character: char| if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' };
    let cut = |text: &str| {
        let label: String = text.chars().map(fit).take(*DNS_LABEL.end()).collect();
        label.trim_end_matches('-').to_owned()
    };
    let label = cut(name);
    let is_label = label.len() >= *DNS_LABEL.start() && label.starts_with(|first: char| first.is_ascii_alphabetic());
    if is_label { label } else { cut(&format!("{DNS_LABEL_START}{name}")) }
}

/// Azure allows one bastion host for each network, and it is made for good: another name would make a second one.
fn check_other_host(network: &Found, id: &ResourceId, place: &Place, compilation: &mut Compilation<'_>) {
    let details = network.details.as_ref();
    let subnet = details.and_then(|details| subnet::subnet(details, BASTION_SUBNET));
    let Some(other) = subnet.and_then(subnet::host_in).filter(|other| other != id) else { return };
    let message = format!(
        "the virtual network '{}' already has the bastion host '{}' in resource group '{}', and Azure allows one; \
         delete that one first, or take this one out of the document",
        network.id.name(),
        other.name(),
        other.resource_group().unwrap_or_default()
    );
    compilation.finding(place.dotted("bastionHostName"), FindingCode::CombinationNotInAzure, message);
}

/// The finding for a second host of one network.
fn two_hosts(network: &Published, first: &Place, place: &Place, compilation: &mut Compilation<'_>) {
    let message = format!(
        "the virtual network published as '{}' already has the bastion host of {} ({}), and Azure allows one",
        network.name,
        first.path(),
        first.show()
    );
    compilation.finding(place.clone(), FindingCode::CombinationNotInAzure, message);
}
