//! Template deployments: what they write and how they are followed.

use super::common::{Bench, RESOURCES, STORAGE, absolute, account_path};
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

/// A template with these resources; `more` is merged into it.
pub(super) fn template(resources: Value, more: Value) -> Value {
    let mut template = json!({"$schema": SCHEMA, "contentVersion": "1.0.0.0", "resources": resources});
    if template["resources"].is_object() {
        template["languageVersion"] = "2.0".into();
    }
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
    json!({"type": "Microsoft.Storage/storageAccounts", "apiVersion": STORAGE, "name": name, "location": "[resourceGroup().location]",
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

/// The outputs of a deployment without resources, for what is only about expressions.
pub(super) fn outputs(bench: &Bench, more: Value) -> Value {
    let shown = deploy(bench, &template(json!([]), more));
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    shown["properties"]["outputs"].clone()
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
    let parameters = json!({"name": {"type": "string", "maxLength": 24}, "secret": {"type": "securestring"}, "tier": {"type": "string", "defaultValue": "[concat(parameters('name'), '-tier')]"}});
    let mut resource = account("[parameters('name')]");
    resource["tags"] = json!({"tier": "[parameters('tier')]", "[concat('key', '1')]": "[[literal]"});
    let container = json!({"type": "Microsoft.Storage/storageAccounts/blobServices/containers", "apiVersion": STORAGE,
        "name": "[format('{0}/default/{1}', parameters('name'), 'logs')]",
        "dependsOn": ["[resourceId('Microsoft.Storage/storageAccounts', parameters('name'))]"], "properties": {}});
    let outputs = json!({"endpoint": {"type": "string", "value": "[reference(parameters('name')).primaryEndpoints.blob]"},
        "key": {"type": "securestring", "value": "[listKeys(parameters('name'), '2026-04-01').keys[0].value]"}});
    // The child is first in the list: what counts is what depends on what.
    let template = template(json!([container, resource]), json!({"parameters": parameters, "outputs": outputs}));
    let given = json!({"name": {"value": "stdeploys"}, "secret": {"value": "hunter2 is secret"}});
    let shown = deployed(&bench, &path("first"), &body(&template, given));
    let properties = &shown["properties"];
    assert_eq!(properties["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(
        properties["outputs"],
        json!({"endpoint": {"type": "String", "value": "https://stdeploys.blob.core.windows.net/"}, "key": {"type": "SecureString"}})
    );
    assert_eq!(properties["parameters"]["secret"], json!({"type": "SecureString"}));
    assert_eq!(properties["parameters"]["tier"], json!({"type": "String", "value": "stdeploys-tier"}));
    let container = absolute(&format!("{}/blobServices/default/containers/logs", account_path("stdeploys")));
    assert_eq!(properties["outputResources"], json!([{"id": container}, {"id": absolute(&account_path("stdeploys"))}]));
    assert_eq!(properties["dependencies"][0]["dependsOn"][0]["resourceName"], "stdeploys");
    assert_eq!(properties["providers"][0]["namespace"], "Microsoft.Storage");
    let account = bench.get(&account_path("stdeploys"), STORAGE).json();
    assert_eq!(
        (&account["location"], &account["tags"]),
        (&json!("uksouth"), &json!({"tier": "stdeploys-tier", "key1": "[literal]"}))
    );
    assert!(bench.cloud.ids().contains(&container));
}

#[test]
fn a_deployment_can_be_listed_exported_and_deleted() {
    let bench = bench();
    let mut container = json!({"type": "Microsoft.Storage/storageAccounts/blobServices/containers", "apiVersion": STORAGE, "properties": {}});
    container["name"] = "stdeploys/default/logs".into();
    container["dependsOn"] = json!(["stdeploys"]);
    let template = template(json!([container, account("stdeploys")]), json!({}));
    let shown = deployed(&bench, &path("first"), &body(&template, json!({})));
    // The list of resources has no deployments; their own has.
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 1);
    let list = bench.get("resourceGroups/g/providers/Microsoft.Resources/deployments", DEPLOYMENTS).json();
    assert_eq!(list["value"], json!([shown]));
    let failed = bench.get(
        "resourceGroups/g/providers/Microsoft.Resources/deployments?$filter=provisioningState%20eq%20'Failed'",
        DEPLOYMENTS,
    );
    assert_eq!(failed.json()["value"], json!([]));
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
    let one = bench
        .get(
            &format!("{}/operations/{}", path("first"), operations["value"][1]["operationId"].as_str().unwrap()),
            DEPLOYMENTS,
        )
        .json();
    assert_eq!(one["properties"]["targetResource"]["resourceName"], "stdeploys");
    let exported = bench.call("POST", &format!("{}/exportTemplate", path("first")), DEPLOYMENTS, None).json();
    assert_eq!(exported["template"], template);
    assert_eq!(bench.call("HEAD", &path("first"), DEPLOYMENTS, None).status, 204);
    assert_eq!(bench.call("HEAD", &path("none"), DEPLOYMENTS, None).status, 404);
    assert_eq!(bench.delete(&path("first"), DEPLOYMENTS).status, 204);
    assert_eq!(bench.get(&path("first"), DEPLOYMENTS).refusal(), (404, "DeploymentNotFound".into()));
    assert!(!bench.get(&account_path("stdeploys"), STORAGE).text.contains("error"), "resources stay");
}

#[test]
fn loops_conditions_and_children() {
    let bench = bench();
    let mut many = account("[concat('stmany', copyIndex(1))]");
    many["copy"] =
        json!({"name": "accounts", "count": "[length(variables('names'))]", "mode": "serial", "batchSize": 1});
    let mut not = account("stnone");
    not["condition"] = "[equals(parameters('environment'), 'production')]".into();
    let network = json!({"type": "Microsoft.Network/virtualNetworks", "apiVersion": "2025-09-01", "name": "v", "location": "uksouth",
        "dependsOn": ["accounts", "stnone"],
        "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]},
            "copy": [{"name": "subnets", "count": 2, "input": {"name": "[concat('s', copyIndex('subnets'))]",
                "properties": {"addressPrefix": "[format('10.0.{0}.0/24', copyIndex('subnets'))]"}}}]},
        "resources": [{"type": "subnets", "apiVersion": "2025-09-01", "name": "extra", "dependsOn": ["v"],
            "properties": {"addressPrefix": "10.0.9.0/24"}}]});
    let shown = deploy(
        &bench,
        &template(
            json!([many, not, network]),
            json!({
                "parameters": {"environment": {"type": "string", "defaultValue": "test", "allowedValues": ["test", "production"]}},
                "variables": {"names": ["a", "b", "c"]},
                "outputs": {
                    "keys": {"type": "array", "copy": {"count": 3, "input": "[concat('stmany', copyIndex(1))]"}},
                    "left": {"condition": "[equals(1, 2)]", "type": "string", "value": "[reference('stnone').x]"},
                },
            }),
        ),
    );
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(
        shown["properties"]["outputs"],
        json!({"keys": {"type": "Array", "value": ["stmany1", "stmany2", "stmany3"]}})
    );
    for name in ["stmany1", "stmany2", "stmany3"] {
        assert_eq!(bench.get(&account_path(name), STORAGE).status, 200);
    }
    assert_eq!(bench.get(&account_path("stnone"), STORAGE).status, 404);
    let network = bench.get("resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", "2025-09-01").json();
    let subnets: Vec<&str> =
        network["properties"]["subnets"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(subnets, ["extra", "s0", "s1"]);
}

#[test]
fn a_subscription_with_symbolic_names_and_nested_deployments() {
    let bench = Bench::new();
    let inner = template(
        json!({
            "store": account("[parameters('name')]"),
            "lock": {"type": "Microsoft.Authorization/roleAssignments", "apiVersion": "2022-04-01", "scope": "[resourceId('Microsoft.Storage/storageAccounts', parameters('name'))]",
                "name": "[guid(resourceGroup().id, parameters('name'))]", "dependsOn": ["store"],
                "properties": {"principalId": "[parameters('principal')]", "principalType": "ServicePrincipal",
                    "roleDefinitionId": "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b')]"}},
        }),
        json!({
            "parameters": {"name": {"type": "string"}, "principal": {"type": "securestring"}},
            "outputs": {"blob": {"type": "string", "value": "[reference('store').primaryEndpoints.blob]"}, "group": {"type": "string", "value": "[resourceGroup().name]"}},
        }),
    );
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside", "resourceGroup": "rg-one", "dependsOn": ["group"],
        "properties": {"mode": "Incremental", "expressionEvaluationOptions": {"scope": "inner"}, "template": inner,
            "parameters": {"name": {"value": "stnested"}, "principal": {"value": "[parameters('principal')]"}}}});
    let template = template(
        json!({
            "nested": nested,
            "group": {"type": "Microsoft.Resources/resourceGroups", "apiVersion": RESOURCES, "name": "rg-one", "location": "ukwest"},
            "there": {"existing": true, "type": "Microsoft.Resources/resourceGroups", "apiVersion": RESOURCES, "name": "rg-one", "dependsOn": ["group"]},
            "tags": {"type": "Microsoft.Resources/tags", "apiVersion": RESOURCES, "name": "default",
                "properties": {"tags": {"blob": "[reference('nested').outputs.blob.value]", "state": "[reference('there', '2025-04-01', 'Full').location]"}}},
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
    assert_eq!(
        tags["properties"]["tags"],
        json!({"blob": "https://stnested.blob.core.windows.net/", "state": "ukwest"})
    );
    let inside =
        bench.get("resourceGroups/rg-one/providers/Microsoft.Resources/deployments/inside", DEPLOYMENTS).json();
    assert_eq!(inside["properties"]["outputs"]["group"]["value"], "rg-one");
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

#[test]
fn expressions_of_a_nested_template_belong_to_the_outer_one_unless_it_says_otherwise() {
    let bench = bench();
    let nested = |scope: Value| {
        let mut nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside", "properties": {"mode": "Incremental",
            "template": template(json!([]), json!({"variables": {"who": "inner"}, "outputs": {"who": {"type": "string", "value": "[variables('who')]"}}}))}});
        if !scope.is_null() {
            nested["properties"]["expressionEvaluationOptions"] = json!({"scope": scope});
        }
        template(
            json!([nested]),
            json!({"variables": {"who": "outer"}, "outputs": {"who": {"type": "string", "value": "[reference('inside').outputs.who.value]"}}}),
        )
    };
    for (scope, expected) in [(Value::Null, "outer"), (json!("outer"), "outer"), (json!("inner"), "inner")] {
        let shown = deploy(&bench, &nested(scope));
        assert_eq!(shown["properties"]["outputs"]["who"]["value"], expected, "{shown}");
    }
}
