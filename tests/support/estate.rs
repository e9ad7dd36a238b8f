//! The landing zone of the examples in a local cloud, and runs of the commands that build on it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use svc_engine::protocol::{Action, Operation};
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::support::*;

/// The command of log alerts.
pub(crate) const LOG_ALERTS: &str = "New-SvcMonitorLogAlerts";
/// The command of private endpoints.
pub(crate) const PRIVATE_ENDPOINTS: &str = "New-SvcIaasPrivateEndpoints";
/// The command of core monitoring.
pub(crate) const CORE_MONITOR: &str = "New-SvcCoreMonitor";
/// The command of storage accounts.
pub(crate) const STORAGE: &str = "New-SvcIaasStorage";
/// The command of bastion hosts.
pub(crate) const BASTION_HOSTS: &str = "New-SvcIaasBastionHost";
/// The command of metric alerts.
pub(crate) const METRIC_ALERTS: &str = "New-SvcMonitorMetricAlerts";
/// The command of resource health alerts.
pub(crate) const RESOURCE_HEALTH_ALERTS: &str = "New-SvcMonitorResourceHealthAlerts";
/// The command of web apps and front doors.
pub(crate) const WEB: &str = "New-SvcPaasWeb";

/// The resource group of the landing zone.
pub(crate) const LANDING_ZONE: &str = "resourceGroups/rg-landing-zone";
/// The api-version of Microsoft.Network that deletions in these tests use.
const NETWORK_API_VERSION: &str = "2024-05-01";
/// The same of private DNS zones and their links.
const PRIVATE_DNS_API_VERSION: &str = "2024-06-01";

/// The path of a resource of Microsoft.Network in the landing zone, from its type on.
pub(crate) fn network(path: &str) -> String {
    format!("{LANDING_ZONE}/providers/Microsoft.Network/{path}")
}

/// The id of a resource of Microsoft.Network in the landing zone, from its type on.
pub(crate) fn network_id(path: &str) -> String {
    in_subscription(&network(path))
}

/// A local cloud with the landing zone of the examples.
pub(crate) fn landing_zone() -> LocalCloud {
    landing_zone_with(LocalCloudOptions::default())
}

/// The same with other options.
pub(crate) fn landing_zone_with(options: LocalCloudOptions) -> LocalCloud {
    let cloud = cloud_with(options);
    let text = std::fs::read(repository("examples/landing-zone.json")).unwrap();
    let resources: Vec<Value> = serde_json::from_slice(&text).unwrap();
    cloud.import(&resources).unwrap();
    cloud
}

/// The landing zone with what the documents with every field need beside it.
pub(crate) fn fields_zone_with(options: LocalCloudOptions) -> LocalCloud {
    let cloud = landing_zone_with(options);
    let fields = virtual_network(&network("virtualNetworks/vnet-fields"), "uksouth", "fields-network");
    let group_name = "rg-fields";
    let zones = [
        ("privatelink.blob.core.windows.net", "fields-zone"),
        ("privatelink.vaultcore.azure.net", "fields-zones"),
        ("privatelink.vaultcore.usgovcloudapi.net", "fields-zones"),
    ];
    cloud.import(&[group(group_name, "fields-group"), fields]).unwrap();
    cloud.import(&zones.map(|(name, service)| zone(group_name, name, service))).unwrap();
    let network = in_subscription(&network("virtualNetworks/vnet-fields"));
    cloud.import(&zones.map(|(name, _)| link(group_name, name, &network))).unwrap();
    let subnet = network_id("virtualNetworks/vnet-fields/subnets/AzureBastionSubnet");
    cloud.import(&[json!({"id": subnet, "properties": {"addressPrefix": "10.30.2.0/24"}})]).unwrap();
    cloud
}

/// A resource group, for an import.
pub(crate) fn group(name: &str, service: &str) -> Value {
    published(&format!("resourceGroups/{name}"), "uksouth", service, json!({}))
}

/// A virtual network with one subnet, `endpoints`, for an import.
pub(crate) fn virtual_network(path: &str, location: &str, service: &str) -> Value {
    let subnets = json!([{"name": "endpoints", "properties": {"addressPrefix": "10.30.1.0/24"}}]);
    let properties = json!({"addressSpace": {"addressPrefixes": ["10.30.0.0/16"]}, "subnets": subnets});
    published(path, location, service, properties)
}

/// A private DNS zone, for an import; not published where the publish name is empty.
pub(crate) fn zone(group: &str, name: &str, service: &str) -> Value {
    let path = format!("resourceGroups/{group}/providers/Microsoft.Network/privateDnsZones/{name}");
    published(&path, "global", service, json!({}))
}

/// The link of a private DNS zone to a virtual network, for an import.
pub(crate) fn link(group: &str, zone: &str, network: &str) -> Value {
    let path = format!(
        "resourceGroups/{group}/providers/Microsoft.Network/privateDnsZones/{zone}/virtualNetworkLinks/by-hand"
    );
    let properties = json!({"virtualNetwork": {"id": network}, "registrationEnabled": false});
    published(&path, "global", "", properties)
}

/// A resource in any place of the subscription, for an import; not published where the publish name is empty.
pub(crate) fn published(path: &str, location: &str, service: &str, properties: Value) -> Value {
    let tags = if service.is_empty() { json!({}) } else { json!({"svc-service": service}) };
    json!({"id": in_subscription(path), "location": location, "tags": tags, "properties": properties})
}

/// A project with one document, `settings.yml`, of one command.
pub(crate) struct Deployment {
    pub(crate) project: Project,
    command: &'static str,
}

impl Deployment {
    pub(crate) fn new(command: &'static str, text: &str) -> Deployment {
        let deployment = Deployment { project: Project::new(), command };
        deployment.rewrite(text);
        deployment
    }

    /// The document of an example.
    pub(crate) fn example(command: &'static str, file: &str) -> Deployment {
        Deployment::new(command, &std::fs::read_to_string(repository(file)).unwrap())
    }

    pub(crate) fn rewrite(&self, text: &str) {
        self.project.write("settings.yml", text);
    }

    /// Writes another file of the project.
    pub(crate) fn write_beside(&self, file: &str, text: &str) {
        self.project.write(file, text);
    }

    pub(crate) fn request(&self, cloud: &LocalCloud) -> Value {
        self.project.request_for("settings.yml", cloud)
    }

    pub(crate) fn start(&self, request: &Value) -> Operation {
        start_command(self.command, request, UNHURRIED)
    }

    /// Runs the document and approves everything after somebody else has changed something, minutes after the plan.
    pub(crate) fn deploy_while(&self, cloud: &LocalCloud, meanwhile: impl FnOnce()) -> Outcome {
        let operation = start_command(self.command, &self.request(cloud), AFTER_A_WHILE);
        let mut meanwhile = Some(meanwhile);
        follow(&operation, |actions| {
            meanwhile.take().into_iter().for_each(|meanwhile| meanwhile());
            actions.iter().map(|action| action.index).collect()
        })
    }

    /// Runs the document, with these members over the request, and approves everything.
    pub(crate) fn deploy_with(&self, cloud: &LocalCloud, members: Value) -> Outcome {
        let operation = self.start(&with(self.request(cloud), members));
        follow(&operation, |actions| actions.iter().map(|action| action.index).collect())
    }

    /// Runs the document and approves everything.
    pub(crate) fn deploy(&self, cloud: &LocalCloud) -> Outcome {
        self.deploy_with(cloud, json!({}))
    }

    /// Runs the document beside another one, at the same time, and approves everything of both.
    pub(crate) fn deploy_beside(&self, other: &Deployment, cloud: &LocalCloud) -> [Outcome; 2] {
        std::thread::scope(|scope| {
            let runs = [self, other].map(|deployment| scope.spawn(|| deployment.deploy(cloud)));
            runs.map(|run| run.join().unwrap())
        })
    }

    /// Runs the document and approves the actions that `approves` says yes to.
    pub(crate) fn deploy_approving(&self, cloud: &LocalCloud, approves: impl Fn(&Action) -> bool) -> Outcome {
        let operation = self.start(&self.request(cloud));
        follow(&operation, |actions| {
            actions.iter().filter(|action| approves(action)).map(|action| action.index).collect()
        })
    }

    /// Runs the document with `whatIf`.
    pub(crate) fn rehearse(&self, cloud: &LocalCloud) -> Outcome {
        self.deploy_with(cloud, json!({"whatIf": true}))
    }
}

/// Deletes a resource of Microsoft.Network as somebody with another client would, and waits until it is gone.
pub(crate) fn delete(cloud: &LocalCloud, path: &str) {
    let version = if path.contains("/privateDnsZones/") { PRIVATE_DNS_API_VERSION } else { NETWORK_API_VERSION };
    delete_by_id(cloud, &in_subscription(path), version);
}

/// The same of any type.
pub(crate) fn delete_by_id(cloud: &LocalCloud, id: &str, version: &str) {
    assert!(cloud.resource(id).is_some(), "{id} does not exist");
    let mut stream = TcpStream::connect(cloud.endpoint().trim_start_matches("http://")).unwrap();
    let request = format!("DELETE {id}?api-version={version} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
    wait_until("the deletion", || cloud.resource(id).is_none());
}

/// The answer of the local cloud to a PUT of a resource of Microsoft.Network: the status and the code of the refusal, if it is one.
pub(crate) fn put_by_hand(cloud: &LocalCloud, path: &str, body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(cloud.endpoint().trim_start_matches("http://")).unwrap();
    let (id, body) = (in_subscription(path), body.to_string());
    let request = format!(
        "PUT {id}?api-version={NETWORK_API_VERSION} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let json = answer.split_once("\r\n\r\n").unwrap().1;
    let json: Value = serde_json::from_str(json).unwrap_or_default();
    (status, json["error"]["code"].as_str().unwrap_or_default().to_owned())
}

/// The planned properties of the resource of a name, by path; the values are JSON text.
pub(crate) fn planned(outcome: &Outcome, name: &str) -> BTreeMap<String, String> {
    outcome
        .action(name)
        .changes
        .iter()
        .map(|change| (change.path.clone(), change.after.as_ref().unwrap().to_string()))
        .collect()
}
