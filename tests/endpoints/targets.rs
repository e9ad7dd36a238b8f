//! The targets of private endpoints: the resource by its publish name, and the group id.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::offline;
use crate::support::*;

/// A document with one endpoint that has these further lines, and these at the root.
fn document(root: &str, lines: &str, dependencies: &str) -> String {
    format!(
        "\
{root}
service: {{dependencies: {{resourceGroup: landing-zone, vnet: hub-network}}}}
privateEndpoints:
  - name: one
    {lines}
    subnetName: endpoints
    service:
      dependencies: {{{dependencies}}}
"
    )
}

fn rehearse(cloud: &LocalCloud, lines: &str, dependencies: &str) -> Outcome {
    Deployment::new(PRIVATE_ENDPOINTS, &document("", lines, dependencies)).rehearse(cloud)
}

fn run(cloud: &LocalCloud, lines: &str, dependencies: &str) -> Outcome {
    let outcome = Deployment::new(PRIVATE_ENDPOINTS, &document("", lines, dependencies)).deploy(cloud);
    assert!(writes(&cloud.requests()).is_empty());
    outcome
}

/// The target of the planned endpoint: the path of the resource in its resource group, and the group ids.
fn connection(outcome: &Outcome) -> (String, Value) {
    let connections = &planned(outcome, "ped-one-dev-uks-fb4a9ed0")["properties.privateLinkServiceConnections"];
    let connections: Value = serde_json::from_str(connections).unwrap();
    let properties = &connections[0]["properties"];
    let id = properties["privateLinkServiceId"].as_str().unwrap();
    (id.trim_start_matches(&in_subscription("resourceGroups/")).to_owned(), properties["groupIds"].clone())
}

/// A resource of any type, for an import.
fn target(resource_type: &str, name: &str, location: &str, service: &str) -> Value {
    let mut resource =
        published(&format!("{LANDING_ZONE}/providers/{resource_type}/{name}"), location, service, json!({}));
    if resource_type.ends_with("storageAccounts") {
        resource["kind"] = json!("StorageV2");
        resource["sku"] = json!({"name": "Standard_LRS"});
    }
    resource
}

/// The message of a document with one problem with a dependency, which is in line 8 or, below further lines, later.
fn problem(place: &str, setting: &str, message: &str) -> String {
    format!("settings.yml has 1 problem:\n[1] {place} privateEndpoints[0].service.dependencies.{setting}: {message}")
}

#[test]
fn names_that_are_not_found() {
    let cloud = landing_zone();
    let sub = "subResourceName: blob";
    let not_found = |lines: &str, dependencies: &str, message: &str| {
        assert_eq!(run(&cloud, lines, dependencies).failed_with(), ("ServiceNotFound", message));
    };
    for (service, hint) in [
        ("central-fils", ", did you mean 'central-files'?"),
        ("nobody", ""),
        // Groups are looked up among groups only, and everything else among resources.
        ("landing-zone", ""),
    ] {
        let message = format!("no resource in this subscription is published as '{service}'{hint}");
        not_found(sub, &format!("resource: {service}"), &problem("8:32", "resource", &message));
    }
    let vaults = "; the published ones are 'central-vault', 'web-keyvault'";
    for (namespace, what, service, hint) in [
        ("Microsoft.KeyVault", "resource of Microsoft.KeyVault", "central-files", vaults),
        ("Microsoft.KeyVault", "resource of Microsoft.KeyVault", "central-valt", ", did you mean 'central-vault'?"),
        ("Microsoft.KeyVault/vaults", "key vault", "central-files", vaults),
        (
            "Microsoft.Storage/storageAccounts",
            "storage account",
            "central-vault",
            "; the published ones are 'central-files', 'web-storage'",
        ),
        ("Microsoft.Sql/servers", "resource of the type Microsoft.Sql/servers", "sql", ""),
    ] {
        let message = format!("no {what} in this subscription is published as '{service}'{hint}");
        not_found(
            &format!("resourceNameSpace: {namespace}\n    {sub}"),
            &format!("resource: {service}"),
            &problem("9:32", "resource", &message),
        );
    }
    not_found(
        sub,
        "resource: central-files, resourceGroup: hub-network",
        &problem(
            "8:62",
            "resourceGroup",
            "no resource group in this subscription is published as 'hub-network'; the only published one is 'landing-zone'",
        ),
    );
    not_found(
        sub,
        "resource: central-files, vnet: hub-netwrk",
        &problem(
            "8:53",
            "vnet",
            "no virtual network in this subscription is published as 'hub-netwrk', did you mean 'hub-network'?",
        ),
    );
    // All of them are told at once, in the order of the document.
    not_found(
        sub,
        "resource: no, resourceGroup: no, vnet: no",
        "settings.yml has 3 problems:\n\
         [1] 8:32 privateEndpoints[0].service.dependencies.resource: no resource in this subscription is published as 'no'\n\
         [2] 8:51 privateEndpoints[0].service.dependencies.resourceGroup: no resource group in this subscription is published as 'no'; the only published one is 'landing-zone'\n\
         [3] 8:61 privateEndpoints[0].service.dependencies.vnet: no virtual network in this subscription is published as 'no'; the published ones are 'hub-network', 'spoke-network'",
    );
}

#[test]
fn under_what_if_they_are_warnings_and_placeholders() {
    let cloud = landing_zone();
    let dependencies = "resource: no, resourceGroup: no, vnet: no, privateZones: [privatelink.blob.core.windows.net]";
    let outcome = rehearse(&cloud, "subResourceName: blob", dependencies);
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:8:51: privateEndpoints[0].service.dependencies.resourceGroup: no resource group in this subscription is published as 'no'; the only published one is 'landing-zone'; the plan shows a placeholder",
            "settings.yml:8:32: privateEndpoints[0].service.dependencies.resource: no resource in this subscription is published as 'no'; the plan shows a placeholder",
            "settings.yml:8:61: privateEndpoints[0].service.dependencies.vnet: no virtual network in this subscription is published as 'no'; the published ones are 'hub-network', 'spoke-network'; the plan shows a placeholder",
        ]
    );
    let endpoint = "private endpoint '<name of 'one' in the location of 'no'>'";
    let zone = "private DNS zone 'privatelink.blob.core.windows.net'";
    assert_eq!(
        outcome.descriptions(),
        [
            endpoint,
            zone,
            &format!("virtual network link '<virtual network published as 'no'>-link' of {zone}"),
            &format!("private DNS zone group 'default' of {endpoint}"),
        ]
        .map(|name| format!("Create {name} in resource group '<resource group published as 'no'>'."))
    );
    let changes = planned(&outcome, "<name of 'one' in the location of 'no'>");
    assert_eq!(changes["location"], "\"<location of its network>\"");
    assert!(
        changes["properties.subnet.id"]
            .ends_with("/virtualNetworks/<virtual network published as 'no'>/subnets/endpoints\"")
    );
    assert!(changes["properties.privateLinkServiceConnections"].contains("<resource published as 'no'>"));
    assert!(writes(&cloud.requests()).is_empty());
}

const STORAGE: &str = "rg-landing-zone/providers/Microsoft.Storage/storageAccounts";
const KEY_VAULT: &str = "rg-landing-zone/providers/Microsoft.KeyVault";

/// A landing zone with several resources that are published as 'shared'.
fn shared_targets() -> LocalCloud {
    let cloud = landing_zone();
    cloud
        .import(&[
            target("Microsoft.Storage/storageAccounts", "stsouth", "uksouth", "shared"),
            target("Microsoft.Storage/storageAccounts", "stwest", "ukwest", "shared"),
            target("Microsoft.KeyVault/vaults", "kv-west", "ukwest", "shared"),
            target("Microsoft.KeyVault/managedHSMs", "hsm-west", "ukwest", "shared"),
            // Nothing that can be connected to privately.
            target("Microsoft.Insights/components", "appi", "ukwest", "shared"),
        ])
        .unwrap();
    cloud
}

#[test]
fn one_of_several_by_namespace_type_and_location() {
    let cloud = shared_targets();
    for (lines, found) in [
        // The endpoint is where its network is, which is UK South.
        ("resourceNameSpace: Microsoft.Storage\n    subResourceName: blob", format!("{STORAGE}/stsouth")),
        (
            "resourceNameSpace: Microsoft.Storage\n    subResourceName: blob\n    location: UK West",
            format!("{STORAGE}/stwest"),
        ),
        (
            "resourceNameSpace: microsoft.keyvault/VAULTS\n    subResourceName: vault",
            format!("{KEY_VAULT}/vaults/kv-west"),
        ),
        (
            "resourceNameSpace: Microsoft.KeyVault/managedHSMs\n    subResourceName: managedhsm",
            format!("{KEY_VAULT}/managedHSMs/hsm-west"),
        ),
        ("subResourceName: blob", format!("{STORAGE}/stsouth")),
    ] {
        assert_eq!(connection(&rehearse(&cloud, lines, "resource: shared")).0, found, "{lines}");
    }
}

#[test]
fn several_that_nothing_tells_apart_are_all_named() {
    let cloud = shared_targets();
    let ambiguous = |lines: &str, several: &str, ids: &[String]| {
        let ids: Vec<String> = ids.iter().map(|path| in_subscription(&format!("resourceGroups/{path}"))).collect();
        let message = format!("several {several} are published as 'shared': {}", ids.join(", "));
        let message = problem("9:32", "resource", &message);
        for outcome in [run(&cloud, lines, "resource: shared"), rehearse(&cloud, lines, "resource: shared")] {
            assert_eq!(outcome.failed_with(), ("ServiceAmbiguous", message.as_str()));
        }
    };
    let (hsm, vault) = (format!("{KEY_VAULT}/managedHSMs/hsm-west"), format!("{KEY_VAULT}/vaults/kv-west"));
    let (south, west) = (format!("{STORAGE}/stsouth"), format!("{STORAGE}/stwest"));
    ambiguous(
        "resourceNameSpace: Microsoft.KeyVault\n    subResourceName: vault",
        "resources of Microsoft.KeyVault",
        &[hsm.clone(), vault.clone()],
    );
    ambiguous("location: UK West\n    subResourceName: blob", "resources", &[hsm, vault, west]);
    cloud.import(&[target("Microsoft.Storage/storageAccounts", "stother", "uksouth", "shared")]).unwrap();
    ambiguous(
        "resourceNameSpace: Microsoft.Storage/storageAccounts\n    subResourceName: blob",
        "storage accounts",
        &[format!("{STORAGE}/stother"), south],
    );
    cloud.import(&[target("Microsoft.KeyVault/vaults", "kv-second", "ukwest", "shared")]).unwrap();
    ambiguous(
        "resourceNameSpace: Microsoft.KeyVault/vaults\n    subResourceName: vault",
        "key vaults",
        &[format!("{KEY_VAULT}/vaults/kv-second"), format!("{KEY_VAULT}/vaults/kv-west")],
    );
}

#[test]
fn one_of_several_networks_by_the_location() {
    let cloud = landing_zone();
    let path = |name: &str| network(&format!("virtualNetworks/{name}"));
    cloud
        .import(&[virtual_network(&path("south"), "uksouth", "nets"), virtual_network(&path("west"), "ukwest", "nets")])
        .unwrap();
    let sub = "subResourceName: blob";
    let outcome = rehearse(&cloud, &format!("{sub}\n    location: UK West"), "resource: central-files, vnet: nets");
    assert_eq!(outcome.plan()[0].resource.name, "ped-one-dev-ukw-ae509dcc");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let outcome = run(&cloud, sub, "resource: central-files, vnet: nets");
    let message = format!(
        "several virtual networks are published as 'nets': {}, {}",
        in_subscription(&path("south")),
        in_subscription(&path("west"))
    );
    assert_eq!(outcome.failed_with(), ("ServiceAmbiguous", problem("8:53", "vnet", &message).as_str()));
}

#[test]
fn the_group_id_and_its_defaults() {
    let cloud = landing_zone();
    let group_ids = |root: &str, lines: &str| {
        let outcome =
            Deployment::new(PRIVATE_ENDPOINTS, &document(root, lines, "resource: central-files")).rehearse(&cloud);
        (connection(&outcome).1, outcome.warnings().join("\n"))
    };
    let nothing = String::new();
    assert_eq!(group_ids("", "subResourceName: FILE"), (json!(["file"]), nothing.clone()));
    assert_eq!(group_ids("globalSubResourceName: Blob_Secondary", ""), (json!(["blob_secondary"]), nothing.clone()));
    assert_eq!(group_ids("globalSubResourceName: blob", "subResourceName: table"), (json!(["table"]), nothing.clone()));
    assert_eq!(group_ids("globalSubResourceName: blob", "subResourceName: ''"), (json!(["blob"]), nothing));
    // What the table does not know is for Azure to judge.
    let warning = "settings.yml:5:22: privateEndpoints[0].subResourceName: 'vault' is not a known sub-resource of Microsoft.Storage/storageAccounts; known ones are blob, blob_secondary, file, queue, queue_secondary, table, table_secondary, web, web_secondary, dfs, dfs_secondary";
    assert_eq!(group_ids("", "subResourceName: vault"), (json!(["vault"]), warning.to_owned()));
    cloud
        .import(&[
            target("Microsoft.Test/things", "thing", "uksouth", "thing"),
            target("Microsoft.Web/sites", "app", "uksouth", "app"),
        ])
        .unwrap();
    for (lines, dependencies) in
        [("subResourceName: anything", "resource: thing"), ("subResourceName: sites-staging", "resource: app")]
    {
        assert!(rehearse(&cloud, lines, dependencies).warnings().is_empty(), "{lines}");
    }
}

#[test]
fn without_a_group_id_those_of_the_type_are_named() {
    let cloud = landing_zone();
    cloud.import(&[target("Microsoft.Test/things", "thing", "uksouth", "thing")]).unwrap();
    let missing = |lines: &str, dependencies: &str, choice: &str| {
        let outcome = run(&cloud, lines, dependencies);
        let message = format!(
            "settings.yml has 1 problem:\n[1] 4:5 privateEndpoints[0].subResourceName: \
             a sub-resource to connect to is required, here or as globalSubResourceName{choice}"
        );
        assert_eq!(outcome.failed_with(), ("SettingsInvalid", message.as_str()));
    };
    let account = "; Microsoft.Storage/storageAccounts has blob, blob_secondary, file, queue, queue_secondary, table, table_secondary, \
        web, web_secondary, dfs, dfs_secondary";
    missing("", "resource: central-files", account);
    missing("", "resource: central-vault", "; Microsoft.KeyVault/vaults has vault");
    missing("", "resource: thing", "");
    // A full type says what there is before anything is looked up.
    let requests = cloud.requests().len();
    missing(
        "resourceNameSpace: Microsoft.KeyVault/vaults",
        "resource: central-vault",
        "; Microsoft.KeyVault/vaults has vault",
    );
    missing("resourceNameSpace: Microsoft.Storage/storageAccounts", "resource: central-files", account);
    assert_eq!(cloud.requests().len(), requests);
}

#[test]
fn without_a_credential_the_resource_is_a_placeholder() {
    let plan = |lines: &str| {
        let project = Project::new();
        project.write("settings.yml", document("", lines, "resource: central-vault"));
        let (messages, status) = offline::command(PRIVATE_ENDPOINTS, &project, "settings.yml");
        assert_eq!(status, 0, "{messages:#?}");
        let warnings: Vec<String> = offline::with_event(&messages, "warning")
            .iter()
            .skip(1)
            .map(|message| message["message"].as_str().unwrap().to_owned())
            .collect();
        let changes = offline::with_event(&messages, "plan").first().map(|plan| plan["actions"][0]["changes"].clone());
        (changes.map(|changes| changes[2]["after"].as_str().unwrap().to_owned()), warnings)
    };
    let group = "/subscriptions/<subscription>/resourceGroups/<its resource group>";
    for (namespace, sub_resource, id) in [
        (
            "Microsoft.KeyVault/vaults",
            "vault",
            format!("{group}/providers/Microsoft.KeyVault/vaults/<key vault published as 'central-vault'>"),
        ),
        (
            "Microsoft.KeyVault/managedHSMs",
            "managedhsm",
            format!(
                "{group}/providers/Microsoft.KeyVault/managedHSMs/<resource of the type Microsoft.KeyVault managedHSMs published as 'central-vault'>"
            ),
        ),
        (
            "Microsoft.KeyVault",
            "vault",
            format!("{group}/providers/<its type>/<resource of Microsoft.KeyVault published as 'central-vault'>"),
        ),
    ] {
        let (connection, warnings) =
            plan(&format!("resourceNameSpace: {namespace}\n    subResourceName: {sub_resource}"));
        let connection: Value = serde_json::from_str(&connection.unwrap()).unwrap();
        assert_eq!(connection[0]["properties"]["privateLinkServiceId"], id);
        assert!(warnings.is_empty(), "{warnings:?}");
    }
    // Which sub-resources there are is known with the resource only.
    let (connection, warnings) = plan("resourceNameSpace: Microsoft.KeyVault");
    assert_eq!(connection, None);
    assert_eq!(
        warnings,
        [
            "settings.yml:4:5: privateEndpoints[0].subResourceName: a sub-resource to connect to is required; the plan does not show the endpoint"
        ]
    );
}

#[test]
fn a_private_link_service_is_connected_to_as_a_whole() {
    let cloud = landing_zone();
    let service = target("Microsoft.Network/privateLinkServices", "pls-orders", "uksouth", "orders");
    // Without anything that can be connected to by itself, it is what is meant.
    let other = target("Microsoft.Network/loadBalancers", "lb-orders", "uksouth", "orders");
    cloud.import(&[service, other]).unwrap();
    let warning = "settings.yml:5:22: privateEndpoints[0].subResourceName: Microsoft.Network/privateLinkServices has no sub-resources; 'blob' is ignored";
    for (root, lines, warnings) in [
        ("", "", &[][..]),
        // What holds for the endpoints that say nothing is meant for others.
        ("globalSubResourceName: blob", "", &[]),
        ("", "subResourceName: blob", &[warning]),
    ] {
        let text = document(root, lines, "resource: orders");
        let deployment = Deployment::new(PRIVATE_ENDPOINTS, &text);
        let outcome = deployment.deploy(&cloud);
        let mut found = outcome.warnings();
        found.iter_mut().for_each(|found| *found = found.trim());
        assert_eq!(found, warnings, "{text}");
        assert_eq!(outcome.counts().failed, 0, "{:#?}", outcome.errors());
        let endpoint = resource(&cloud, &network("privateEndpoints/ped-one-dev-uks-fb4a9ed0"));
        let connection = &endpoint["properties"]["privateLinkServiceConnections"][0]["properties"];
        assert_eq!(connection["privateLinkServiceId"], network_id("privateLinkServices/pls-orders"));
        assert_eq!(connection.get("groupIds"), None);
        assert_eq!(deployment.deploy(&cloud).plan(), []);
    }
}
