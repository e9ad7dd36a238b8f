use super::common::{Bench, LOGS, RESOURCES, absolute, change_members, insights_path, workspace_path};
use crate::LOCAL_SUBSCRIPTION_ID;
use serde_json::{Value, json};

const VERSION: &str = "2020-02-02";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&workspace_path("logs"), LOGS, &json!({"location": "westeurope"}));
    bench
}

fn path() -> String {
    insights_path("components", "app")
}

/// A component. `change` sets members of its properties.
pub(super) fn body(change: Value) -> Value {
    let mut body = json!({"location": "uksouth", "kind": "web", "properties": {
        "Application_Type": "web", "WorkspaceResourceId": absolute(&workspace_path("logs")),
    }});
    change_members(&mut body["properties"], change);
    body
}

#[test]
fn a_component_has_keys_that_follow_from_its_id() {
    let bench = bench();
    let made = bench.put(&path(), VERSION, &body(json!({})));
    assert_eq!(made.status, 200, "{made:?}");
    let made = made.json();
    let properties = &made["properties"];
    let text = |name: &str| properties[name].as_str().unwrap();
    assert_eq!(
        text("ConnectionString"),
        format!(
            "InstrumentationKey={};IngestionEndpoint=https://uksouth-0.in.applicationinsights.azure.com/;\
             LiveEndpoint=https://uksouth.livediagnostics.monitor.azure.com/;ApplicationId={}",
            text("InstrumentationKey"),
            text("AppId")
        )
    );
    assert_ne!(text("InstrumentationKey"), text("AppId"));
    assert_eq!([text("ApplicationId"), text("Name")], ["app", "app"]);
    assert_eq!(text("TenantId"), LOCAL_SUBSCRIPTION_ID);
    assert_eq!([text("IngestionMode"), text("Flow_Type")], ["LogAnalytics", "Bluefield"]);
    assert_eq!((&properties["RetentionInDays"], text("provisioningState")), (&json!(90), "Succeeded"));
    let mut changed = made.clone();
    changed["properties"]["RetentionInDays"] = 30.into();
    changed["properties"]["InstrumentationKey"] = "mine".into();
    let again = bench.put(&path(), VERSION, &changed).json();
    assert_eq!(again["properties"]["RetentionInDays"], 30);
    for name in ["InstrumentationKey", "ConnectionString", "CreationDate"] {
        assert_eq!(again["properties"][name], properties[name]);
    }
    // The same component in another cloud has the same keys, and another component others.
    let other = self::bench();
    assert_eq!(
        other.put(&path(), VERSION, &body(json!({}))).json()["properties"]["ConnectionString"],
        properties["ConnectionString"]
    );
    let sibling = other.put(&insights_path("components", "app2"), VERSION, &body(json!({}))).json();
    assert_ne!(sibling["properties"]["InstrumentationKey"], properties["InstrumentationKey"]);
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 2);
    assert_eq!([bench.delete(&path(), VERSION).status, bench.delete(&path(), VERSION).status], [200, 204]);
}

#[test]
fn a_component_needs_a_workspace_that_exists() {
    let bench = bench();
    let refused = |change: Value| bench.put(&path(), VERSION, &body(change)).refusal();
    let missing = absolute(&workspace_path("none"));
    assert_eq!(refused(json!({"WorkspaceResourceId": missing})), (404, "ResourceNotFound".into()));
    assert_eq!(refused(json!({"WorkspaceResourceId": null})), (400, "InvalidRequestContent".into()));
    assert_eq!(refused(json!({"WorkspaceResourceId": absolute("resourceGroups/g")})), (400, "BadRequest".into()));
    for change in [json!({"Application_Type": null}), json!({"Kind": "web"}), json!({"DisableLocalAuth": "no"})] {
        assert_eq!(refused(change.clone()), (400, "InvalidRequestContent".into()), "{change}");
    }
    for change in [
        json!({"Application_Type": "app"}),
        json!({"RetentionInDays": 31}),
        json!({"IngestionMode": "ApplicationInsights"}),
    ] {
        assert_eq!(refused(change.clone()), (400, "BadRequest".into()), "{change}");
    }
    let mut kindless = body(json!({}));
    kindless["kind"] = Value::Null;
    assert_eq!(bench.put(&path(), VERSION, &kindless).refusal(), (400, "BadRequest".into()));
    assert_eq!(
        bench.put(&insights_path("components", "a."), VERSION, &body(json!({}))).refusal(),
        (400, "BadRequest".into())
    );
}

#[test]
fn tags_alone_are_for_a_component_that_exists() {
    let bench = bench();
    let tags = json!({"location": "uksouth", "tags": {"hidden-link:/a/b": "Resource"}});
    assert_eq!(bench.put(&path(), VERSION, &tags).refusal(), (400, "BadRequest".into()));
    let made = bench.put(&path(), VERSION, &body(json!({"RetentionInDays": 30}))).json();
    let tagged = bench.put(&path(), VERSION, &tags);
    assert_eq!((tagged.status, &tagged.json()["tags"]), (200, &tags["tags"]), "{tagged:?}");
    assert_eq!([&tagged.json()["properties"], &tagged.json()["kind"]], [&made["properties"], &made["kind"]]);
    let of_a_kind = json!({"location": "uksouth", "kind": "java", "tags": {}});
    let tagged = bench.put(&path(), VERSION, &of_a_kind).json();
    assert_eq!([&tagged["properties"], &tagged["kind"]], [&made["properties"], &json!("java")]);
    let kindless = json!({"location": "uksouth", "properties": made["properties"]});
    assert_eq!(bench.put(&path(), VERSION, &kindless).refusal(), (400, "BadRequest".into()));
}

#[test]
fn a_patch_changes_tags_only() {
    let bench = bench();
    bench.put(&path(), VERSION, &body(json!({})));
    let patch = json!({"tags": {"a": "1"}, "properties": {"RetentionInDays": 30}});
    let patched = bench.call("PATCH", &path(), VERSION, Some(&patch)).json();
    assert_eq!((&patched["tags"], &patched["properties"]["RetentionInDays"]), (&json!({"a": "1"}), &json!(90)));
}
