//! Listings, and what is not in them because the local cloud does not know it.

use super::authorization::ROLES;
use super::common::{
    Bench, DNS, LOGS, NETWORK, RESOURCES, STORAGE, absolute, account_path, network_path, workspace_path,
};
use serde_json::{Value, json};

const WEB: &str = "2025-03-01";
const CATEGORIES: &str = "2021-05-01-preview";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

fn service_path() -> String {
    "resourceGroups/g/providers/Microsoft.ApiManagement/service/api-one".to_owned()
}

/// A member of every item of a listing.
fn listed(bench: &Bench, path: &str, version: &str, member: &str) -> Vec<Value> {
    let reply = bench.get(path, version);
    assert_eq!(reply.status, 200, "{path}: {reply:?}");
    reply.json()["value"].as_array().unwrap().iter().map(|item| item.pointer(member).unwrap().clone()).collect()
}

#[test]
fn what_is_not_known_to_be_a_collection_is_not_an_empty_one() {
    let bench = bench();
    bench.network("v", "10.0.0.0/16", &[("s", "10.0.0.0/24")]);
    bench.account("abc", json!({}));
    bench.made(&workspace_path("logs-one"), LOGS, &json!({"location": "uksouth"}));
    let publisher = json!({"publisherEmail": "a@example.com", "publisherName": "a"});
    let service = json!({"location": "uksouth", "sku": {"name": "Developer", "capacity": 1}, "properties": publisher});
    bench.made(&service_path(), "2024-05-01", &service);
    let network = network_path("virtualNetworks", "v");
    for (path, version) in [
        (format!("{network}/nonsense"), NETWORK),
        (format!("{}/networkstatus", service_path()), "2024-05-01"),
        (format!("{}/intelligencePacks", workspace_path("logs-one")), LOGS),
        (format!("{}/availableServiceTiers", workspace_path("logs-one")), LOGS),
        (format!("{network}/privateEndpointConnections"), NETWORK),
        (format!("{}/networkstatus", account_path("abc")), STORAGE),
        (format!("{}/providers/Microsoft.Insights/metricDefinitions", account_path("abc")), "2018-01-01"),
        ("providers/Microsoft.Storage/skus".to_owned(), STORAGE),
    ] {
        assert_eq!(bench.get(&path, version).refusal(), (404, "NotFound".into()), "{path}");
    }
    for (path, version) in [
        (format!("{network}/subnets/s/providers/Microsoft.Authorization/locks"), "2020-05-01"),
        (format!("{network}/virtualNetworkPeerings"), NETWORK),
        (format!("{}/privateEndpointConnections", account_path("abc")), STORAGE),
        (format!("{}/localUsers", account_path("abc")), STORAGE),
        ("resourceGroups/g/providers/Microsoft.Compute/virtualMachines".to_owned(), "2024-07-01"),
    ] {
        assert_eq!(listed(&bench, &path, version, ""), Vec::<Value>::new(), "{path}");
    }
}

#[test]
fn an_unknown_namespace_is_refused() {
    let bench = bench();
    let path = "resourceGroups/g/providers/Contoso.Things/widgets";
    for (method, path) in
        [("GET", path.to_owned()), ("PUT", format!("{path}/w")), ("GET", "providers/Contoso.Things".to_owned())]
    {
        let body = json!({"location": "uksouth"});
        let reply = bench.call(method, &path, RESOURCES, (method == "PUT").then_some(&body));
        assert_eq!(reply.refusal(), (404, "InvalidResourceNamespace".into()), "{method} {path}");
        assert!(reply.text.contains("'Contoso.Things' is invalid"));
    }
}

#[test]
fn a_plan_lists_its_sites_and_a_site_its_host_names() {
    let bench = bench();
    let web = |path: &str| format!("resourceGroups/g/providers/Microsoft.Web/{path}");
    for plan in ["p", "other"] {
        bench.made(&web(&format!("serverfarms/{plan}")), WEB, &json!({"location": "uksouth", "sku": {"name": "S1"}}));
    }
    let plan = absolute(&web("serverfarms/p"));
    bench.made(&web("sites/shop"), WEB, &json!({"location": "uksouth", "properties": {"serverFarmId": plan}}));
    assert_eq!(listed(&bench, &web("serverfarms/p/sites"), WEB, "/name"), ["shop"]);
    assert_eq!(listed(&bench, &web("serverfarms/other/sites"), WEB, "/name"), Vec::<Value>::new());

    let binding = web("sites/shop/hostNameBindings/www.contoso.com");
    bench.made(&binding, WEB, &json!({"properties": {"siteName": "shop"}}));
    let own = "shop.azurewebsites.net";
    let names = listed(&bench, &web("sites/shop/hostNameBindings"), WEB, "/id");
    let ids: Vec<String> = names.iter().map(|id| id.as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(ids, [own, "www.contoso.com"]);
    assert_eq!(bench.get(&web("sites/shop"), WEB).json()["properties"]["hostNames"], json!(ids));
    let read = bench.get(&web(&format!("sites/shop/hostNameBindings/{own}")), WEB).json();
    assert_eq!(read["properties"]["siteName"], "shop");
    bench.delete(&binding, WEB);
    assert_eq!(bench.get(&web("sites/shop"), WEB).json()["properties"]["hostNames"], json!([own]));
}

#[test]
fn a_zone_counts_the_record_sets_that_it_lists() {
    let bench = bench();
    let zone = network_path("privateDnsZones", "contoso.com");
    bench.finish(&bench.put(&zone, DNS, &json!({"location": "global"})));
    let record = json!({"properties": {"ttl": 60, "aRecords": [{"ipv4Address": "10.0.0.4"}]}});
    bench.made(&format!("{zone}/A/www"), DNS, &record);
    let sets = listed(&bench, &format!("{zone}/ALL"), DNS, "/name");
    assert_eq!(sets, ["www", "@"]);
    assert_eq!(bench.get(&zone, DNS).json()["properties"]["numberOfRecordSets"], 2);
    assert_eq!(listed(&bench, &format!("{zone}/A"), DNS, "/name"), ["www"]);
    assert_eq!(listed(&bench, &format!("{zone}/MX"), DNS, "/name"), Vec::<Value>::new());
    let authority = bench.get(&format!("{zone}/SOA/@"), DNS).json();
    assert_eq!(authority["properties"]["soaRecord"]["host"], "azureprivatedns.net");
    assert_eq!(bench.get(&format!("{zone}/SPF"), DNS).status, 404);
}

#[test]
fn the_categories_that_are_checked_are_listed() {
    let bench = bench();
    bench.account("abc", json!({}));
    let categories = |resource: &str| {
        listed(
            &bench,
            &format!("{resource}/providers/microsoft.insights/diagnosticSettingsCategories"),
            CATEGORIES,
            "/name",
        )
    };
    let blobs = format!("{}/blobServices/default", account_path("abc"));
    assert_eq!(categories(&blobs), ["StorageRead", "StorageWrite", "StorageDelete", "Transaction", "Capacity"]);
    assert_eq!(categories(&account_path("abc")), ["Transaction", "Capacity"]);
    let one = format!("{blobs}/providers/microsoft.insights/diagnosticSettingsCategories/StorageRead");
    assert_eq!(bench.get(&one, CATEGORIES).json()["properties"]["categoryType"], "Logs");
    assert_eq!(bench.put(&one, CATEGORIES, &json!({})).status, 404);
}

#[test]
fn built_in_roles_are_found_by_name() {
    let bench = bench();
    let path = "providers/Microsoft.Authorization/roleDefinitions";
    let found =
        listed(&bench, &format!("{path}?$filter=roleName%20eq%20'storage%20blob%20data%20owner'"), ROLES, "/id");
    assert_eq!(found, [absolute(&format!("{path}/b7e6dc6d-f1e8-4753-8033-0f276bb0955b"))]);
    let role = bench.get(found[0].as_str().unwrap(), ROLES).json();
    assert_eq!(
        (&role["properties"]["roleName"], &role["properties"]["type"]),
        (&json!("Storage Blob Data Owner"), &json!("BuiltInRole"))
    );
    assert_eq!(bench.get(&format!("{path}?$filter=colour%20eq%20'red'"), ROLES).refusal().1, "BadRequestFormat");
}

#[test]
fn what_is_on_a_group_has_no_location() {
    let bench = bench();
    for (path, version, body) in [
        ("locks/l", "2020-05-01", json!({"properties": {"level": "ReadOnly"}})),
        (
            "policyAssignments/p",
            "2020-09-01",
            json!({"properties": {"policyDefinitionId": "/providers/Microsoft.Authorization/policyDefinitions/x"}}),
        ),
    ] {
        let path = format!("resourceGroups/g/providers/Microsoft.Authorization/{path}");
        assert_eq!(bench.put(&path, version, &body).status, 201);
        assert_eq!(bench.get(&path, version).json().get("location"), None);
        let list = path.rsplit_once('/').unwrap().0;
        assert_eq!(listed(&bench, list, version, "/id"), [absolute(&path)]);
    }
}

#[test]
fn a_provider_has_every_type_that_is_stored() {
    let bench = bench();
    let types = listed(&bench, "providers/Microsoft.Network/resourceTypes", RESOURCES, "/resourceType");
    for name in ["virtualNetworks", "routeTables", "virtualNetworks/virtualNetworkPeerings"] {
        assert!(types.contains(&json!(name)), "{name}");
    }
    let provider = bench.get("providers/Microsoft.Network", RESOURCES).json();
    assert_eq!(provider["resourceTypes"].as_array().unwrap().len(), types.len());
    // What nobody knows is found as soon as there is one.
    let galleries = "resourceGroups/g/providers/Microsoft.Compute/galleries/one";
    let kinds = || listed(&bench, "providers/Microsoft.Compute/resourceTypes", RESOURCES, "/resourceType");
    assert!(kinds().contains(&json!("virtualMachines")) && !kinds().contains(&json!("galleries")));
    bench.made(galleries, "2024-07-01", &json!({"location": "uksouth"}));
    assert!(kinds().contains(&json!("galleries")));
    let namespaces = listed(&bench, "providers", RESOURCES, "/namespace");
    assert!(namespaces.contains(&json!("Microsoft.Compute")) && namespaces.contains(&json!("Microsoft.Web")));
}

#[test]
fn a_client_of_any_age_works() {
    let bench = bench();
    let body = super::common::network_body("10.0.0.0/16", &[("s", "10.0.0.0/24")]);
    for version in ["2015-06-15", "2017-10-01", "2019-11-01", "2020-11-01", "2024-05-01"] {
        let path = network_path("virtualNetworks", &format!("v{version}"));
        assert_eq!(bench.put(&path, version, &body).status, 201, "{version}");
        assert_eq!(bench.get(&format!("{path}/subnets"), version).status, 200, "{version}");
    }
    let host = network_path("bastionHosts", "b");
    assert_eq!(bench.get(&host, "2018-08-01").refusal().1, "NoRegisteredProviderFound");
    assert_eq!(bench.get(&host, "2019-04-01").refusal().1, "ResourceNotFound");
    let service = "resourceGroups/g/providers/Microsoft.ApiManagement/service/s";
    assert_eq!(bench.get(service, "2020-12-01").refusal().1, "NoRegisteredProviderFound");
}
