//! Template deployments that are refused, that fail, and that go on all the same.

use super::common::{Bench, STORAGE, absolute, account_path, quick};
use super::deployments::{DEPLOYMENTS, account, bench, body, deploy, deployed, outputs, path, refused, template};
use crate::{Fault, FaultKind, LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn parameters_are_checked_before_anything_is_deployed() {
    let bench = bench();
    let with = |declaration: Value| template(json!([]), json!({"parameters": {"p": declaration}}));
    let value = |value: Value| json!({"p": {"value": value}});
    assert!(
        refused(&bench, &with(json!({"type": "string"})), json!({}))
            .contains("The value for the template parameter 'p' is not provided")
    );
    assert!(
        refused(&bench, &with(json!({"type": "string"})), json!({"p": {"value": "a"}, "q": {"value": 1}}))
            .contains("The template parameters 'q' in the parameters file are not valid")
    );
    assert!(
        refused(&bench, &with(json!({"type": "int"})), value(json!("1"))).contains("Expected 'Int'. Actual 'String'")
    );
    assert!(
        refused(&bench, &with(json!({"type": "string", "allowedValues": ["a", "b"]})), value(json!("c")))
            .contains("not part of the allowed value(s): 'a,b'")
    );
    assert!(
        refused(&bench, &with(json!({"type": "string", "minLength": 3})), value(json!("ab")))
            .contains("greater than or equal to '3'")
    );
    assert!(
        refused(&bench, &with(json!({"type": "int", "maxValue": 5})), value(json!(6)))
            .contains("less than or equal to '5'")
    );
    let secret = refused(&bench, &with(json!({"type": "securestring", "maxLength": 3})), value(json!("hunter2")));
    assert!(secret.contains("The provided value '***'") && !secret.contains("hunter2"), "{secret}");
    let reference = json!({"p": {"reference": {"keyVault": {"id": "x"}, "secretName": "s"}}});
    assert!(refused(&bench, &with(json!({"type": "securestring"})), reference).contains("no secrets of key vaults"));
    let circle = template(
        json!([]),
        json!({"parameters": {"a": {"type": "string", "defaultValue": "[parameters('b')]"}, "b": {"type": "string", "defaultValue": "[parameters('a')]"}}}),
    );
    assert!(refused(&bench, &circle, json!({})).contains("need each other"));
    let typed = template(
        json!({}),
        json!({"definitions": {"point": {"type": "object", "properties": {"x": {"type": "int"}, "y": {"type": "int", "nullable": true}}, "additionalProperties": false}},
        "parameters": {"p": {"type": "array", "items": {"$ref": "#/definitions/point"}}}}),
    );
    assert!(refused(&bench, &typed, value(json!([{"x": 1}, {"x": "1"}]))).contains("parameters.p[1].x"));
    assert!(refused(&bench, &typed, value(json!([{"x": 1, "z": 1}]))).contains("has no member 'z'"));
    let good = deployed(&bench, &path("d"), &body(&typed, value(json!([{"x": 1, "y": null}, {"x": 2}]))));
    assert_eq!(good["properties"]["parameters"]["p"]["value"], json!([{"x": 1, "y": null}, {"x": 2}]));
}

#[test]
fn a_wrong_template_is_refused_with_the_place() {
    let bench = bench();
    let one = |resource: Value| template(json!([resource]), json!({}));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut resource = account("sta");
        change(&mut resource);
        one(resource)
    };
    for (template, expected) in [
        (
            changed(&|r| r["sku"]["name"] = "[nothing('x')]".into()),
            "The template function 'nothing' is not valid: the local cloud knows none of this name. The place is 'resources[0].sku.name'.",
        ),
        (changed(&|r| r["tags"] = json!({"a": "[concat('x'"})), ""),
        (changed(&|r| r["name"] = "[reference('x')]".into()), "could not find template resource"),
        (changed(&|r| r["dependsOn"] = json!(["other"])), "The resource 'other' is not defined in the template"),
        (changed(&|r| r["dependsOn"] = json!(["sta"])), ""),
        (changed(&|r| r["type"] = "[concat('a', 'b')]".into()), "needs the member 'type'"),
        (changed(&|r| drop(r.as_object_mut().unwrap().remove("apiVersion"))), "needs the member 'apiVersion'"),
        (changed(&|r| r["name"] = "a/b".into()), "incorrect segment lengths"),
        (changed(&|r| r["condition"] = "yes".into()), "A condition must be true or false"),
        (changed(&|r| r["copy"] = json!({"name": "c", "count": 801})), "must be a number from 0 to 800"),
        (changed(&|r| r["copy"] = json!({"name": "c", "count": 2})), "is defined multiple times"),
        (json!({"contentVersion": "1.0.0.0", "resources": []}), "Required property '$schema' not found"),
        (template(json!([]), json!({"resource": []})), "Could not find member 'resource'"),
        (template(json!([]), json!({"languageVersion": "2.0"})), "an object of symbolic names"),
        (template(json!([]), json!({"imports": {}})), "does not carry out the element 'imports'"),
        (
            template(json!([]), json!({"outputs": {"o": {"type": "string", "value": "[variables('none')]"}}})),
            "The place is 'outputs.o.value'.",
        ),
    ] {
        if expected.is_empty() {
            // An open bracket is a text, and a resource does not wait for itself.
            let shown = deploy(&bench, &template);
            assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
            bench.delete(&path("d"), DEPLOYMENTS);
            continue;
        }
        let message = refused(&bench, &template, json!({}));
        assert!(message.contains(expected), "{message}");
    }
    let two = |a: &str, b: &str| {
        let (mut one, mut other) = (account("sta"), account("stb"));
        one["dependsOn"] = json!([a]);
        other["dependsOn"] = json!([b]);
        template(json!([one, other]), json!({}))
    };
    assert!(
        refused(&bench, &two("stb", "[resourceId('Microsoft.Storage/storageAccounts', 'sta')]"), json!({}))
            .contains("Circular dependency detected")
    );
}

#[test]
fn what_the_local_cloud_does_not_carry_out_is_said() {
    let bench = bench();
    for (name, value) in [
        ("templateLink", json!({"uri": "https://example.com/t.json"})),
        ("parametersLink", json!({"uri": "https://example.com/p.json"})),
        ("onErrorDeployment", json!({"type": "LastSuccessful"})),
    ] {
        let mut body = body(&template(json!([]), json!({})), json!({}));
        body["properties"][name] = value;
        assert_eq!(
            bench.put(&path("d"), DEPLOYMENTS, &body).refusal(),
            (501, "DeploymentFeatureNotSupported".into()),
            "{name}"
        );
    }
    let body = body(&template(json!([]), json!({})), json!({}));
    let tenant = bench.put("/providers/Microsoft.Resources/deployments/d", DEPLOYMENTS, &body);
    assert_eq!(tenant.refusal(), (501, "DeploymentFeatureNotSupported".into()));
    assert_eq!(bench.put(&path("no%20name"), DEPLOYMENTS, &body).status, 400);
    assert_eq!(bench.put(&path("d"), "2001-01-01", &body).refusal(), (400, "NoRegisteredProviderFound".into()));
    assert_eq!(
        bench.put(&path("d").replace("/g/", "/missing/"), DEPLOYMENTS, &body).refusal(),
        (404, "ResourceGroupNotFound".into())
    );
    let mut with_location = body.clone();
    with_location["location"] = "uksouth".into();
    assert_eq!(bench.put(&path("d"), DEPLOYMENTS, &with_location).refusal(), (400, "InvalidDeployment".into()));
    let commented = format!(
        "// what the Azure CLI sends\n{}",
        json!({"properties": {"mode": "incremental", "template": template(json!([]), json!({})).to_string()}})
    );
    let url = format!("{}?api-version={DEPLOYMENTS}", absolute(&path("d")));
    assert_eq!(bench.raw("PUT", &url, &[], &commented).status, 201);
}

#[test]
fn a_step_that_fails_stops_those_after_it() {
    let bench = bench();
    let mut wrong = account("stwrong");
    wrong["kind"] = "NoSuchKind".into();
    let mut after = account("stafter");
    after["dependsOn"] = json!(["stwrong"]);
    let shown = deploy(
        &bench,
        &template(json!([wrong, after, account("stgood")]), json!({"outputs": {"x": {"type": "int", "value": 1}}})),
    );
    let properties = &shown["properties"];
    assert_eq!(properties["provisioningState"], "Failed");
    assert_eq!((&properties["error"]["code"], properties.get("outputs")), (&json!("DeploymentFailed"), None));
    let details = properties["error"]["details"].as_array().unwrap();
    assert_eq!(details.len(), 1, "{details:?}");
    assert_eq!(details[0]["target"], absolute(&account_path("stwrong")));
    assert_eq!(bench.get(&account_path("stafter"), STORAGE).status, 404);
    assert_eq!(bench.get(&account_path("stgood"), STORAGE).status, 200);
    let operations = bench.get(&format!("{}/operations", path("d")), DEPLOYMENTS).json();
    let failed: Vec<&Value> = operations["value"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["properties"]["provisioningState"] == "Failed")
        .collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["properties"]["statusMessage"]["error"]["code"], details[0]["code"]);
    assert_eq!(failed[0]["properties"]["statusCode"], "BadRequest");
}

#[test]
fn failures_deep_inside_come_up_with_their_cause() {
    let bench = bench();
    bench.cloud.misbehave(
        Fault::new(FaultKind::OperationFails { code: "Broken".into(), message: "It broke.".into() })
            .on("PUT", "stinner"),
    );
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside",
        "properties": {"mode": "Incremental", "template": template(json!([account("stinner")]), json!({}))}});
    let shown = deploy(&bench, &template(json!([nested]), json!({})));
    let error = &shown["properties"]["error"]["details"][0];
    assert_eq!(error["code"], "ResourceDeploymentFailure", "{shown}");
    assert_eq!(error["details"][0]["code"], "DeploymentFailed");
    let leaf = &error["details"][0]["details"][0];
    assert_eq!((&leaf["code"], &leaf["details"][0]["code"]), (&json!("ResourceDeploymentFailure"), &json!("Broken")));
    // What is wrong with a nested template shows when it is deployed.
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside",
        "properties": {"mode": "Incremental", "template": {"resources": []}}});
    let shown = deploy(&bench, &template(json!([nested]), json!({})));
    assert_eq!(shown["properties"]["error"]["details"][0]["code"], "InvalidTemplate", "{shown}");
    let output = deploy(
        &bench,
        &template(
            json!([]),
            json!({"outputs": {"o": {"type": "string", "value": "[reference(resourceId('Microsoft.Storage/storageAccounts', 'none'), '2026-04-01').x]"}}}),
        ),
    );
    assert_eq!(output["properties"]["error"]["details"][0]["code"], "DeploymentOutputEvaluationFailed");
    assert_eq!(output["properties"]["error"]["details"][0]["details"][0]["code"], "ResourceNotFound");
}

#[test]
fn what_may_pass_is_tried_again_and_providers_are_registered() {
    let bench = Bench::with(LocalCloudOptions {
        faults: vec![
            "unregistered=Microsoft.Storage".parse().unwrap(),
            "status=503,retry-after=1ms,path=stonce,times=2".parse().unwrap(),
        ],
        ..quick()
    });
    bench.group("g");
    let shown = deploy(&bench, &template(json!([account("stonce")]), json!({})));
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    bench.cloud.misbehave("status=400,path=stnever,times=always".parse().unwrap());
    let shown = deploy(&bench, &template(json!([account("stnever")]), json!({})));
    assert_eq!(shown["properties"]["provisioningState"], "Failed", "{shown}");
}

#[test]
fn writes_to_one_network_wait_for_each_other() {
    let bench =
        Bench::with(LocalCloudOptions { operation_time: OperationTime::Fixed(Duration::from_millis(30)), ..quick() });
    bench.group("g");
    let subnet = |name: &str, prefix: &str| json!({"type": "Microsoft.Network/virtualNetworks/subnets", "apiVersion": "2025-09-01", "name": format!("v/{name}"), "dependsOn": ["v"], "properties": {"addressPrefix": prefix}});
    let network = json!({"type": "Microsoft.Network/virtualNetworks", "apiVersion": "2025-09-01", "name": "v", "location": "uksouth", "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}});
    let shown = deploy(
        &bench,
        &template(
            json!([network, subnet("a", "10.0.1.0/24"), subnet("b", "10.0.2.0/24"), subnet("c", "10.0.3.0/24")]),
            json!({}),
        ),
    );
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
    assert_eq!(bench.get("resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets", "2025-09-01").json()["value"].as_array().unwrap().len(), 3);
}

#[test]
fn outputs_have_the_types_they_say() {
    let bench = bench();
    let good = outputs(
        &bench,
        json!({"outputs": {"a": {"type": "int", "value": "[add(1, 2)]"}, "b": {"type": "object", "value": {"x": "[deployment().name]"}}}}),
    );
    assert_eq!(good, json!({"a": {"type": "Int", "value": 3}, "b": {"type": "Object", "value": {"x": "d"}}}));
    let shown =
        deploy(&bench, &template(json!([]), json!({"outputs": {"a": {"type": "string", "value": "[add(1, 2)]"}}})));
    assert_eq!(shown["properties"]["provisioningState"], "Failed");
    assert!(shown["properties"]["error"].to_string().contains("Expected 'String'. Actual 'Integer'"));
}
