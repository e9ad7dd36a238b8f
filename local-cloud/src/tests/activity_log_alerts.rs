use super::common::{ACTION_GROUPS, Bench, RESOURCES, absolute, action_group_body, change_members, insights_path};
use serde_json::{Value, json};

const VERSION: &str = "2020-10-01";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.put(&group(), ACTION_GROUPS, &action_group_body(json!({})));
    bench
}

fn group() -> String {
    insights_path("actionGroups", "ag-ops")
}

fn path(name: &str) -> String {
    insights_path("activityLogAlerts", name)
}

fn subscription() -> String {
    absolute("").trim_end_matches('/').to_owned()
}

/// A rule on the health of two types. `change` sets members of `properties`.
pub(super) fn body(change: Value) -> Value {
    let mut body = json!({"location": "Global", "properties": {
        "scopes": [subscription()],
        "condition": {"allOf": [
            {"field": "category", "equals": "ResourceHealth"},
            {"anyOf": [
                {"field": "resourceType", "equals": "Microsoft.KeyVault/vaults"},
                {"field": "resourceType", "equals": "Microsoft.Storage/storageAccounts"},
            ]},
            {"field": "properties.currentHealthStatus", "containsAny": ["Degraded", "Unavailable"]},
        ]},
        "actions": {"actionGroups": [{"actionGroupId": absolute(&group())}]},
    }});
    change_members(&mut body["properties"], change);
    body
}

#[test]
fn a_rule_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let made = bench.put(&path("rule"), VERSION, &body(json!({})));
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    assert_eq!((&made["location"], &made["properties"]["enabled"]), (&json!("Global"), &json!(true)));
    assert_eq!(
        made["properties"]["actions"]["actionGroups"],
        json!([{"actionGroupId": absolute(&group()), "webhookProperties": {}}])
    );
    assert_eq!(made["properties"].get("provisioningState"), None);
    let again = bench.put(&path("rule"), "2026-01-01", &made);
    assert_eq!((again.status, again.json()), (200, made));
    let patch = json!({"properties": {"enabled": false}});
    assert_eq!(bench.call("PATCH", &path("rule"), VERSION, Some(&patch)).json()["properties"]["enabled"], false);
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 2);
    assert_eq!([bench.delete(&path("rule"), VERSION).status, bench.delete(&path("rule"), VERSION).status], [200, 204]);
}

#[test]
fn places_names_and_scopes_are_checked() {
    let bench = bench();
    for (location, expected) in [("northeurope", 201), ("West Europe", 201), ("uksouth", 400)] {
        let mut rule = body(json!({}));
        rule["location"] = location.into();
        let reply = bench.put(&path(&location.replace(' ', "-")), VERSION, &rule);
        assert_eq!(reply.status, expected, "{reply:?}");
    }
    for name in ["with%20blank", "a+b", "a%26b"] {
        assert_eq!(bench.put(&path(name), VERSION, &body(json!({}))).refusal(), (400, "BadRequest".into()), "{name}");
    }
    assert_eq!(bench.put(&path("Some_rule-1.(a)"), VERSION, &body(json!({}))).status, 201);
    let elsewhere = "/subscriptions/20ca1c10-0d00-4000-8000-000000000001";
    for scopes in [json!([]), json!(null), json!([elsewhere]), json!([subscription(), elsewhere])] {
        let reply = bench.put(&path("rule"), VERSION, &body(json!({"scopes": scopes})));
        assert_eq!(reply.status, 400, "{scopes}");
    }
    let without_slash = subscription().trim_start_matches('/').to_owned();
    assert_eq!(bench.put(&path("rule"), VERSION, &body(json!({"scopes": [without_slash]}))).status, 201);
    assert_eq!(bench.put(&path("rule"), VERSION, &body(json!({"description": "x".repeat(2049)}))).status, 400);
}

#[test]
fn conditions_are_checked() {
    let bench = bench();
    let category = json!({"field": "category", "equals": "ResourceHealth"});
    let administrative = json!({"field": "Category", "equals": "administrative"});
    let level = json!({"field": "level", "equals": "Error"});
    for (all_of, expected) in [
        (json!([category]), 201),
        (json!([administrative, level]), 200),
        (json!([administrative]), 400),
        (json!([]), 400),
        (json!([level]), 400),
        (json!([category, category]), 400),
        (json!([{"field": "category", "equals": "Alert"}]), 400),
        (json!([{"field": "category", "equals": "Anything"}]), 400),
        (json!([{"field": "category", "containsAny": ["Security"]}]), 400),
        (json!([{"anyOf": [category]}]), 400),
        (json!([category, {"anyOf": []}]), 400),
        (json!([category, {"anyOf": [level], "field": "status", "equals": "a"}]), 400),
        (json!([category, {"anyOf": [{"anyOf": [level]}]}]), 400),
        (json!([category, {"anyOf": [{"field": "colour", "equals": "red"}]}]), 400),
        (json!([category, {"field": "status", "equals": "a", "containsAny": ["b"]}]), 400),
        (json!([category, {"field": "status"}]), 400),
        (json!([category, {"field": "status", "containsAny": []}]), 400),
        (json!([category, {"equals": "a"}]), 400),
        (json!([category, {"field": "status", "equals": 1}]), 400),
        (json!([category, {"field": "Properties.cause", "equals": "PlatformInitiated", "anyOf": null}]), 200),
        (json!([category, {"field": "status", "equals": "a", "odata.type": null}]), 200),
        (
            json!([category, {"anyOf": [{"field": "status", "equals": "a", "odata.type": null}], "odata.type": null}]),
            200,
        ),
        (json!([category, {"field": "status", "equals": "a", "odata.type": 1}]), 400),
        (json!([category, {"field": "status", "equals": "a", "odata": null}]), 400),
    ] {
        let reply = bench.put(&path("rule"), VERSION, &body(json!({"condition/allOf": all_of})));
        assert_eq!(reply.status, expected, "{all_of}: {reply:?}");
    }
    for change in
        [json!({"condition": null}), json!({"actions": null}), json!({"severity": 1}), json!({"enabled": "yes"})]
    {
        let refusal = bench.put(&path("rule"), VERSION, &body(change.clone())).refusal();
        assert_eq!(refusal, (400, "InvalidRequestContent".into()), "{change}");
    }
}

#[test]
fn action_groups_exist_and_may_go_later() {
    let bench = bench();
    let with = |ids: &[String]| {
        let groups: Vec<Value> = ids.iter().map(|id| json!({"actionGroupId": id})).collect();
        body(json!({"actions/actionGroups": groups}))
    };
    let missing = absolute(&insights_path("actionGroups", "none"));
    let (status, code, message) = bench.refused(&path("rule"), VERSION, &with(std::slice::from_ref(&missing)));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert!(message.contains(&missing), "{message}");
    assert_eq!(bench.put(&path("rule"), VERSION, &with(&[subscription()])).status, 400);
    assert_eq!(bench.put(&path("rule"), VERSION, &with(&vec![absolute(&group()); 6])).status, 400);
    assert_eq!(bench.put(&path("rule"), VERSION, &with(&[absolute(&group()).to_uppercase()])).status, 201);
    assert_eq!(bench.put(&path("rule"), VERSION, &with(&[])).status, 200);
    let made = bench.put(&path("rule"), VERSION, &body(json!({}))).json();
    assert_eq!(bench.delete(&group(), ACTION_GROUPS).status, 200);
    // The rule keeps the id of a group that is gone, and cannot be written with it any more.
    assert_eq!(bench.get(&path("rule"), VERSION).json(), made);
    assert_eq!(bench.put(&path("rule"), VERSION, &made).refusal(), (400, "BadRequest".into()));
    assert_eq!(bench.delete(&path("rule"), VERSION).status, 200);
}

#[test]
fn a_subscription_has_at_most_100_enabled_rules() {
    let bench = bench();
    let rules: Vec<Value> = (0..100)
        .map(|index| {
            let mut rule = body(json!({}));
            rule["id"] = absolute(&path(&format!("rule-{index}"))).into();
            rule
        })
        .collect();
    bench.cloud.import(&rules).unwrap();
    let one_more = bench.put(&path("one-more"), VERSION, &body(json!({})));
    assert_eq!(one_more.refusal(), (400, "BadRequest".into()));
    assert!(one_more.text.contains("100 active"), "{one_more:?}");
    assert_eq!(bench.put(&path("one-more"), VERSION, &body(json!({"enabled": false}))).status, 201);
    assert_eq!(bench.put(&path("rule-7"), VERSION, &body(json!({"description": "again"}))).status, 200);
    let elsewhere = path("one-more").replace("resourceGroups/g", "resourceGroups/h");
    let other = format!("/subscriptions/20ca1c10-0d00-4000-8000-000000000001/{elsewhere}");
    let group = other.split("/providers/").next().unwrap().to_owned();
    bench.put(&group, RESOURCES, &json!({"location": "uksouth"}));
    let scope = json!({"scopes": ["/subscriptions/20ca1c10-0d00-4000-8000-000000000001"]});
    assert_eq!(bench.put(&other, VERSION, &body(scope)).status, 201);
    bench.call("PATCH", &path("rule-7"), VERSION, Some(&json!({"properties": {"enabled": false}})));
    assert_eq!(bench.put(&path("one-more"), VERSION, &body(json!({}))).status, 200);
}
