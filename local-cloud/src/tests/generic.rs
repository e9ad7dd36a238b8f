use super::common::{ACTION_GROUPS, Bench, NETWORK, RESOURCES, STORAGE, absolute, account_path, action_group_body};
use serde_json::json;

const ANY: &str = "2030-01-01";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

#[test]
fn any_other_type_is_stored_as_it_comes() {
    let bench = bench();
    let path = "resourceGroups/g/providers/Microsoft.Maps/accounts/w";
    let body = json!({"location": "UK South", "tags": {"a": "1"}, "properties": {"size": [1, 2]}, "odd": null});
    let made = bench.put(path, ANY, &body);
    assert_eq!(made.status, 201);
    assert_eq!(
        made.json(),
        json!({
            "id": absolute(path), "name": "w", "type": "Microsoft.Maps/accounts", "location": "uksouth", "tags": {"a": "1"},
            "properties": {"size": [1, 2], "provisioningState": "Succeeded"}, "odd": null,
        })
    );
    assert_eq!(bench.put(path, ANY, &body).status, 200);
    assert_eq!(bench.get("resources", RESOURCES).json()["value"][0]["name"], "w");
    assert_eq!(bench.put(&path.replace("/w", "/x"), ANY, &json!({})).refusal(), (400, "LocationRequired".into()));
    let moved = bench.put(path, ANY, &json!({"location": "eastus"}));
    assert_eq!(moved.refusal(), (409, "InvalidResourceLocation".into()));
    assert_eq!(bench.call("DELETE", path, ANY, None).status, 200);
    assert_eq!(bench.get(path, ANY).refusal(), (404, "ResourceNotFound".into()));
    assert_eq!(bench.call("PATCH", path, ANY, Some(&json!({}))).refusal(), (404, "ResourceNotFound".into()));
}

#[test]
fn children_need_a_parent_and_go_with_it() {
    let bench = bench();
    let parent = "resourceGroups/g/providers/Microsoft.Maps/accounts/w";
    let child = format!("{parent}/creators/p");
    assert_eq!(bench.put(&child, ANY, &json!({})).refusal(), (404, "ParentResourceNotFound".into()));
    bench.put(parent, ANY, &json!({"location": "uksouth"}));
    assert_eq!(bench.put(&child, ANY, &json!({})).status, 201);
    assert_eq!(
        bench.get(&format!("{parent}/creators"), ANY).json()["value"][0]["type"],
        "Microsoft.Maps/accounts/creators"
    );
    bench.call("DELETE", parent, ANY, None);
    bench.put(parent, ANY, &json!({"location": "uksouth"}));
    assert_eq!(bench.get(&child, ANY).status, 404);
}

#[test]
fn extensions_are_on_resources_and_subscriptions() {
    let bench = bench();
    bench.account("abc", json!({}));
    let lock = "providers/Microsoft.Authorization/locks/l";
    let body = json!({"properties": {"level": "CanNotDelete"}});
    let made = bench.put(&format!("{}/{lock}", account_path("abc")), ANY, &body);
    assert_eq!((made.status, &made.json()["type"]), (201, &json!("Microsoft.Authorization/locks")));
    assert_eq!(bench.put(lock, ANY, &body).json()["id"], absolute(lock));
    let on_nothing = bench.put(&format!("{}/{lock}", account_path("none")), ANY, &body);
    assert_eq!(on_nothing.refusal(), (404, "ResourceNotFound".into()));
    let listed = bench.get(&format!("{}/providers/microsoft.authorization/LOCKS", account_path("abc")), ANY);
    assert_eq!(listed.json()["value"].as_array().unwrap().len(), 1);
    bench.call("DELETE", &account_path("abc"), STORAGE, None);
    assert_eq!(bench.cloud.resource(&absolute(&format!("{}/{lock}", account_path("abc")))), None);
    let advisor = "providers/Microsoft.Advisor/configurations/default";
    assert_eq!(bench.put(advisor, "2025-01-01", &json!({"properties": {"lowCpuThreshold": "5"}})).status, 200);
}

#[test]
fn providers_print_locations_in_their_own_way() {
    let bench = bench();
    let plan = "resourceGroups/g/providers/Microsoft.Web/serverfarms/p";
    let made = bench.made(plan, "2025-03-01", &json!({"location": "uksouth", "sku": {"name": "B1"}}));
    assert_eq!(made["location"], "UK South");
    let group = "resourceGroups/g/providers/Microsoft.Insights/actionGroups/a";
    let made = bench.put(group, ACTION_GROUPS, &action_group_body(json!({})));
    assert_eq!((made.status, &made.json()["location"]), (201, &json!("Global")));
    assert_eq!(made.json()["properties"].get("provisioningState"), None);
}

#[test]
fn what_has_no_route_is_not_found() {
    let bench = bench();
    bench.account("abc", json!({}));
    for path in ["/favicon.ico", "/subscriptions/x/y/z", "resourceGroups/g/nothing", "resourceGroups/g/a/b/c"] {
        let reply = bench.get(path, RESOURCES);
        assert!([400, 404].contains(&reply.status), "{path}: {reply:?}");
    }
    let links =
        bench.get("resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/privateLinkResources", NETWORK);
    assert_eq!(links.status, 404);
    let action = bench.call("POST", &format!("{}/explode", account_path("abc")), STORAGE, None);
    assert_eq!(action.refusal(), (404, "NotFound".into()));
}

#[test]
fn a_resource_group_is_in_a_region() {
    let refused = Bench::new().put("resourceGroups/g", RESOURCES, &json!({"location": "Global"}));
    assert_eq!(refused.refusal(), (400, "LocationNotAvailableForResourceGroup".into()));
}
