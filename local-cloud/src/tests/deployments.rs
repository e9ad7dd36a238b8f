//! Template deployments: what they write and how they are followed.

use super::common::{Bench, RESOURCES, STORAGE, absolute, account_path};
use crate::LOCAL_SUBSCRIPTION_ID;
use serde_json::{Value, json};
use std::time::Duration;

/// The api-version of deployments.
pub(super) const DEPLOYMENTS: &str = "2025-04-01";
pub(super) const SCHEMA: &str = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

/// A cloud with the group `g`.
pub(super) fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

/// A template as `svc template` writes it, with these resources; those of a list are called by their names. `more` is merged into it.
pub(super) fn template(resources: Value, more: Value) -> Value {
    let resources = match resources {
        Value::Array(list) => {
            list.into_iter().map(|resource| (resource["name"].as_str().unwrap().to_owned(), resource)).collect()
        }
        named => named,
    };
    let mut template =
        json!({"$schema": SCHEMA, "languageVersion": "2.0", "contentVersion": "1.0.0.0", "resources": resources});
    template.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    template
}

/// The body of a deployment of a resource group.
pub(super) fn body(template: &Value, parameters: Value) -> Value {
    json!({"properties": {"mode": "Incremental", "template": template, "parameters": parameters}})
}

/// The path of a deployment of the group `g`.
pub(super) fn path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Resources/deployments/{name}")
}

pub(super) fn account(name: &str) -> Value {
    json!({"type": "Microsoft.Storage/storageAccounts", "apiVersion": STORAGE, "name": name, "location": "uksouth",
        "kind": "StorageV2", "sku": {"name": "Standard_LRS"}})
}

/// Deploys and gives what the deployment looks like when it has ended.
pub(super) fn deployed(bench: &Bench, path: &str, body: &Value) -> Value {
    let started = bench.put(path, DEPLOYMENTS, body);
    assert!([200, 201].contains(&started.status), "{started:?}");
    assert_eq!(started.json()["properties"]["provisioningState"], "Accepted");
    ended(bench, path, started.header("azure-asyncoperation").unwrap())
}

/// Polls until a deployment has ended.
pub(super) fn ended(bench: &Bench, path: &str, link: &str) -> Value {
    for _ in 0..2000 {
        let status = bench.follow(link);
        assert_eq!(status.status, 200, "{status:?}");
        let word = status.json()["status"].as_str().unwrap().to_owned();
        if ["Succeeded", "Failed", "Canceled"].contains(&word.as_str()) {
            let shown = bench.get(path, DEPLOYMENTS).json();
            assert_eq!(shown["properties"]["provisioningState"], word.as_str());
            assert_eq!(shown["properties"].get("error"), status.json().get("error"));
            return shown;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the deployment does not end: {}", bench.get(path, DEPLOYMENTS).text);
}

/// Deploys resources of the group `g` as `d`.
pub(super) fn deploy(bench: &Bench, template: &Value) -> Value {
    deployed(bench, &path("d"), &body(template, json!({})))
}

/// The error of a template that is refused before anything is deployed.
pub(super) fn refused(bench: &Bench, template: &Value, parameters: Value) -> String {
    let (status, code, message) = bench.refused(&path("d"), DEPLOYMENTS, &body(template, parameters));
    assert_eq!((status, code.as_str()), (400, "InvalidTemplate"), "{message}");
    assert_eq!(bench.get(&path("d"), DEPLOYMENTS).refusal(), (404, "DeploymentNotFound".into()));
    message
}

#[test]
fn writes_resources_as_clients_do_and_says_what_it_did() {
    let bench = bench();
    let parameters = json!({"name": {"type": "string"}, "secret": {"type": "securestring"},
        "tier": {"type": "string", "defaultValue": "[[gold]", "metadata": {"description": "A tier."}}});
    let mut store = account("[parameters('name')]");
    store["tags"] = json!({"tier": "[PARAMETERS('Tier')]", "[[key]": "[[literal]", "open": "[text"});
    let container = json!({"type": "Microsoft.Storage/storageAccounts/blobServices/containers", "apiVersion": STORAGE,
        "name": "[format('{0}/default/logs', parameters('name'))]", "dependsOn": ["store"], "properties": {}});
    let mut reads = account("streads");
    reads["tags"] = json!({
        "endpoint": "[reference('store', '2026-04-01').primaryEndpoints.blob]",
        "host": "[split(reference('store', '2026-04-01').primaryEndpoints.blob, '/')[2]]",
        "kind": "[reference('store', '2026-04-01', 'Full').kind]",
        "key": "[format('{{it''s}}={0}', listKeys('store', '2026-04-01').keys[0].keyName)]",
        "last": "[last(split(subscription().id, '/'))]",
    });
    // The child is first: what counts is what depends on what.
    let template =
        template(json!({"container": container, "reads": reads, "store": store}), json!({"parameters": parameters}));
    let given = json!({"name": {"value": "stdeploys"}, "secret": {"value": "hunter2 is secret"}});
    let shown = deployed(&bench, &path("first"), &body(&template, given));
    let properties = &shown["properties"];
    assert_eq!(properties["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(properties["parameters"]["secret"], json!({"type": "SecureString"}));
    assert_eq!(properties["parameters"]["tier"], json!({"type": "String", "value": "[gold]"}));
    let container = absolute(&format!("{}/blobServices/default/containers/logs", account_path("stdeploys")));
    let written = [container.clone(), absolute(&account_path("streads")), absolute(&account_path("stdeploys"))];
    assert_eq!(properties["outputResources"], written.iter().map(|id| json!({"id": id})).collect::<Value>());
    assert_eq!(properties["dependencies"][0]["dependsOn"][0]["resourceName"], "stdeploys");
    // Nobody says that it depends on it, but it reads it.
    assert_eq!(properties["dependencies"][1]["dependsOn"][0]["resourceName"], "stdeploys");
    assert_eq!(properties["providers"][0]["namespace"], "Microsoft.Storage");
    let account = bench.get(&account_path("stdeploys"), STORAGE).json();
    assert_eq!(account["tags"], json!({"tier": "[gold]", "[key]": "[literal]", "open": "[text"}));
    let reads = bench.get(&account_path("streads"), STORAGE).json();
    let endpoint = "https://stdeploys.blob.core.windows.net/";
    assert_eq!(
        reads["tags"],
        json!({"endpoint": endpoint, "host": "stdeploys.blob.core.windows.net", "kind": "StorageV2", "key": "{it's}=key1",
            "last": LOCAL_SUBSCRIPTION_ID})
    );
    assert!(bench.cloud.ids().contains(&container));
}

#[test]
fn a_deployment_can_be_listed_and_deleted() {
    let bench = bench();
    let mut container = json!({"type": "Microsoft.Storage/storageAccounts/blobServices/containers", "apiVersion": STORAGE, "properties": {}});
    container["name"] = "stdeploys/default/logs".into();
    container["dependsOn"] = json!(["STDEPLOYS"]);
    let template = template(json!([container, account("stdeploys")]), json!({}));
    let shown = deployed(&bench, &path("first"), &body(&template, json!({})));
    // The list of resources has no deployments; their own has.
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 1);
    let all = "resourceGroups/g/providers/Microsoft.Resources/deployments";
    assert_eq!(bench.get(all, DEPLOYMENTS).json()["value"], json!([shown]));
    let filtered = bench.get(&format!("{all}?$filter=provisioningState%20eq%20'Failed'"), DEPLOYMENTS);
    assert_eq!(filtered.refusal(), (501, "DeploymentFeatureNotSupported".into()));
    assert_eq!(bench.put(all, DEPLOYMENTS, &json!({})).status, 404);
    let operations = bench.get(&format!("{}/operations", path("first")), DEPLOYMENTS).json();
    let words: Vec<(&str, &str)> = operations["value"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["properties"]["provisioningOperation"].as_str().unwrap(),
                one["properties"]["statusCode"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(words, [("EvaluateDeploymentOutput", "OK"), ("Create", "Accepted"), ("Create", "Created")]);
    let one = format!("{}/operations/{}", path("first"), operations["value"][1]["operationId"].as_str().unwrap());
    let target = &bench.get(&one, DEPLOYMENTS).json()["properties"]["targetResource"];
    assert_eq!((&target["resourceName"], &target["symbolicName"]), (&json!("stdeploys"), &json!("stdeploys")));
    assert_eq!(bench.call("HEAD", &path("first"), DEPLOYMENTS, None).status, 204);
    assert_eq!(bench.call("HEAD", &path("none"), DEPLOYMENTS, None).status, 404);
    assert_eq!(bench.delete(&path("first"), DEPLOYMENTS).status, 204);
    assert_eq!(bench.get(&path("first"), DEPLOYMENTS).refusal(), (404, "DeploymentNotFound".into()));
    assert!(!bench.get(&account_path("stdeploys"), STORAGE).text.contains("error"), "resources stay");
}

#[test]
fn a_subscription_with_nested_deployments() {
    let bench = Bench::new();
    let inner = template(
        json!({
            "store": account("[parameters('name')]"),
            "assignment": {"type": "Microsoft.Authorization/roleAssignments", "apiVersion": "2022-04-01",
                "scope": "Microsoft.Storage/storageAccounts/stnested", "name": "5c1ee3ff-31ae-5d8a-9a0b-1c2b4d9d7e0f", "dependsOn": ["store"],
                "properties": {"principalId": "[parameters('principal')]", "principalType": "ServicePrincipal",
                    "roleDefinitionId": "[format('{0}/providers/Microsoft.Authorization/roleDefinitions/b7e6dc6d-f1e8-4753-8033-0f276bb0955b', parameters('own'))]"}},
        }),
        json!({"parameters": {"name": {"type": "string"}, "own": {"type": "string"}, "principal": {"type": "securestring"}}}),
    );
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside",
        "subscriptionId": "[split(subscription().id, '/')[2]]", "resourceGroup": "rg-one", "dependsOn": ["group"],
        "properties": {"mode": "Incremental", "expressionEvaluationOptions": {"scope": "inner"}, "template": inner,
            "parameters": {"name": {"value": "stnested"}, "own": {"value": "[subscription().id]"}, "principal": {"value": "[parameters('principal')]"}}}});
    let template = template(
        json!({
            "nested": nested,
            "group": {"type": "Microsoft.Resources/resourceGroups", "apiVersion": RESOURCES, "name": "rg-one", "location": "ukwest"},
            "tags": {"type": "Microsoft.Resources/tags", "apiVersion": RESOURCES, "name": "default", "dependsOn": ["nested"],
                "properties": {"tags": {"blob": "[reference(format('{0}/resourceGroups/rg-one/providers/Microsoft.Storage/storageAccounts/stnested', subscription().id), '2026-04-01').primaryEndpoints.blob]"}}},
        }),
        json!({"parameters": {"principal": {"type": "securestring"}}}),
    );
    let mut body = body(&template, json!({"principal": {"value": "11111111-2222-3333-4444-555555555555"}}));
    let path = "providers/Microsoft.Resources/deployments/whole";
    let (status, code, message) = bench.refused(path, DEPLOYMENTS, &body);
    assert_eq!((status, code.as_str()), (400, "InvalidDeployment"), "{message}");
    body["location"] = "ukwest".into();
    let shown = deployed(&bench, path, &body);
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(shown["location"], "ukwest");
    let tags = bench.get("providers/Microsoft.Resources/tags/default", RESOURCES).json();
    assert_eq!(tags["properties"]["tags"], json!({"blob": "https://stnested.blob.core.windows.net/"}));
    let inside =
        bench.get("resourceGroups/rg-one/providers/Microsoft.Resources/deployments/inside", DEPLOYMENTS).json();
    assert_eq!(inside["properties"]["parameters"]["principal"], json!({"type": "SecureString"}));
    assert_eq!(inside["properties"]["correlationId"], shown["properties"]["correlationId"]);
    let assignments =
        bench.get("resourceGroups/rg-one/providers/Microsoft.Authorization/roleAssignments", "2022-04-01").json();
    assert_eq!(assignments["value"][0]["properties"]["principalId"], "11111111-2222-3333-4444-555555555555");
    assert!(assignments["value"][0]["id"].as_str().unwrap().contains("/storageAccounts/stnested/providers/"));
    body["location"] = "uksouth".into();
    assert_eq!(bench.refused(path, DEPLOYMENTS, &body).1, "InvalidDeploymentLocation");
    // A group goes with its deployments.
    bench.delete("resourceGroups/rg-one", RESOURCES);
    bench.cloud.end_operations();
    bench.group("rg-one");
    assert_eq!(
        bench.get("resourceGroups/rg-one/providers/Microsoft.Resources/deployments", DEPLOYMENTS).json()["value"],
        json!([])
    );
}

/// The templates in the templates of a folder, with the files that they are in.
fn written_templates(folder: &std::path::Path) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(written_templates(&path));
            continue;
        }
        let whole: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let nested = whole["template"]["resources"].as_object().unwrap().iter();
        let nested = nested.filter_map(|(symbol, one)| Some((symbol, one.pointer("/properties/template")?)));
        found.extend(nested.map(|(symbol, template)| (format!("{name}: {symbol}"), template.clone())));
        found.push((name, whole["template"].clone()));
    }
    found
}

#[test]
fn every_template_that_svc_writes_can_be_read() {
    let bench = bench();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/arm");
    let templates = written_templates(&folder);
    assert!(templates.len() > 60, "{}", templates.len());
    for (name, template) in templates {
        let declared = template["parameters"].as_object().unwrap().iter().enumerate();
        let given: Value = declared
            .filter(|(_, (_, one))| one.get("defaultValue").is_none())
            .map(|(index, (name, _))| {
                let id = absolute(&format!("resourceGroups/g/providers/Microsoft.Insights/actionGroups/a{index}"));
                (name.clone(), json!({ "value": id }))
            })
            .collect();
        let mut body = body(&template, given);
        body["properties"]["validationLevel"] = "Template".into();
        let reply = bench.call("POST", &format!("{}/validate", path("v")), DEPLOYMENTS, Some(&body));
        assert_eq!(reply.status, 200, "{name}: {reply:?}");
    }
}
