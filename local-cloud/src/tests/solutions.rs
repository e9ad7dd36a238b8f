use super::common::{Bench, LOGS, RESOURCES, absolute, change_members, workspace_path};
use serde_json::{Value, json};

const VERSION: &str = "2015-11-01-preview";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.made(&workspace_path("logs"), LOGS, &json!({"location": "uksouth"}));
    bench
}

fn path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.OperationsManagement/solutions/{name}")
}

/// The solution of key vaults. `change` sets members of it.
pub(super) fn body(change: Value) -> Value {
    let mut body = json!({
        "location": "uksouth",
        "plan": {"name": "KeyVaultAnalytics(logs)", "publisher": "Microsoft", "product": "OMSGallery/KeyVaultAnalytics"},
        "properties": {"workspaceResourceId": absolute(&workspace_path("logs"))},
    });
    change_members(&mut body, change);
    body
}

#[test]
fn a_solution_is_made_listed_and_deleted() {
    let bench = bench();
    let path = path("KeyVaultAnalytics(logs)");
    assert_eq!(bench.put(&path, VERSION, &body(json!({}))).status, 201);
    let made = bench.get(&path, VERSION).json();
    assert_eq!(made["plan"]["promotionCode"], "");
    assert_eq!(made["properties"]["provisioningState"], "Succeeded");
    assert_eq!(made["properties"]["containedResources"], json!([]));
    assert_eq!(bench.put(&path, VERSION, &made).status, 201);
    assert_eq!(
        bench.get(&path.replace('(', "%28").replace(')', "%29"), VERSION).json(),
        bench.get(&path, VERSION).json()
    );
    let listed = bench.get("resourceGroups/g/resources", RESOURCES).json();
    let listed = listed["value"].as_array().unwrap();
    assert!(listed.iter().any(|item| item["plan"]["name"] == "KeyVaultAnalytics(logs)"), "{listed:?}");
    assert_eq!([bench.delete(&path, VERSION).status, bench.delete(&path, VERSION).status], [200, 204]);
}

#[test]
fn names_plans_and_workspaces_belong_together() {
    let bench = bench();
    bench.made(&workspace_path("more"), LOGS, &json!({"location": "uksouth"}));
    bench.group("h");
    let elsewhere = workspace_path("logs").replace("resourceGroups/g", "resourceGroups/h");
    bench.made(&elsewhere, LOGS, &json!({"location": "uksouth"}));
    for name in ["KeyVaultAnalytics", "KeyVaultAnalytics(logs", "(logs)", "KeyVaultAnalytics()", "Key Vault(logs)"] {
        assert_eq!(bench.put(&path(name), VERSION, &body(json!({}))).refusal(), (400, "BadRequest".into()), "{name}");
    }
    let refused = |change: Value| bench.put(&path("KeyVaultAnalytics(logs)"), VERSION, &body(change)).refusal();
    for change in [
        json!({"plan/name": "Updates(logs)"}),
        json!({"plan/product": "OMSGallery/keyvaultanalytics"}),
        json!({"plan/product": "KeyVaultAnalytics"}),
        json!({"properties/workspaceResourceId": absolute(&workspace_path("more"))}),
        json!({"properties/workspaceResourceId": absolute(&elsewhere)}),
        json!({"properties/workspaceResourceId": absolute("resourceGroups/g")}),
    ] {
        assert_eq!(refused(change.clone()), (400, "BadRequest".into()), "{change}");
    }
    for change in
        [json!({"plan": null}), json!({"plan/publisher": null}), json!({"properties": {}}), json!({"properties/a": 1})]
    {
        assert_eq!(refused(change.clone()), (400, "InvalidRequestContent".into()), "{change}");
    }
    bench.delete(&workspace_path("logs"), LOGS);
    assert_eq!(refused(json!({})), (404, "ResourceNotFound".into()));
}
