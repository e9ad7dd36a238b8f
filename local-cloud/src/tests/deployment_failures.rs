//! Template deployments that are refused, that fail, and that go on all the same.

use super::common::{Bench, STORAGE, absolute, account_path, quick};
use super::deployments::{DEPLOYMENTS, account, bench, body, deploy, path, refused, template};
use crate::{Fault, FaultKind, LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn parameters_are_checked_before_anything_is_deployed() {
    let bench = bench();
    let with = |declaration: Value| template(json!({}), json!({"parameters": {"p": declaration}}));
    let value = |value: Value| json!({"p": {"value": value}});
    let of = |declaration: Value, given: Value| refused(&bench, &with(declaration), given);
    let missing = of(json!({"type": "string"}), json!({}));
    assert!(missing.contains("The value for the template parameter 'p' is not provided"), "{missing}");
    assert!(missing.contains("The place is 'parameters.p'."), "{missing}");
    assert!(of(json!({"type": "string"}), json!({"p": {}})).contains("'p' is not provided"));
    assert!(
        of(json!({"type": "string"}), json!({"p": {"value": "a"}, "q": {"value": 1}}))
            .contains("The template parameters 'q' in the parameters file are not valid")
    );
    let secret = of(json!({"type": "securestring"}), value(json!(["hunter2"])));
    assert!(secret.contains("Expected 'SecureString'. Actual 'Array'") && !secret.contains("hunter2"), "{secret}");
    let reference = json!({"p": {"reference": {"keyVault": {"id": "x"}, "secretName": "s"}}});
    assert!(of(json!({"type": "securestring"}), reference).contains("secrets of key vaults"));
}

#[test]
fn a_wrong_template_is_refused_with_the_place() {
    let bench = bench();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut resource = account("sta");
        change(&mut resource);
        template(json!({"sta": resource}), json!({}))
    };
    let tag = |text: &str| changed(&|r| r["tags"] = json!({ "a": text }));
    for (template, expected) in [
        (tag("[concat('x'"), ""),
        (changed(&|r| r["dependsOn"] = json!(["sta"])), ""),
        (tag("[reference('x', '2026-04-01').y]"), "The template reference 'x' is not valid"),
        (
            tag("[parameters('none')]"),
            "The template parameter 'none' is not found. The place is 'resources.sta.tags.a'.",
        ),
        (
            tag("[concat(subscription().id, reference('sta', '2026-04-01').id)]"),
            "The template function 'concat' is not valid",
        ),
        (
            tag("[format('{0}', concat(reference('sta', '2026-04-01').id))]"),
            "The template function 'concat' is not valid",
        ),
        (tag("[split('a')]"), "'split' does not take these 1 arguments"),
        (tag("[split(subscription(), '/')]"), "of the type 'Object', not 'String'"),
        (tag("[last('abc')]"), "'last' does not take these 1 arguments"),
        (tag("[format('{0} {1}', 'a')]"), "'{0} {1}' of the template function 'format' does not fit its values"),
        (tag("[format('{0:N2}', 'a')]"), "does not fit its values"),
        (tag("[format('a } b')]"), "does not fit its values"),
        (tag("[subscription().none]"), "property \"none\" doesn't exist, available properties are 'id, subscriptionId"),
        (tag("[split('a/b', '/')[2]]"), "property 2 doesn't exist, available properties are '0 to 1'"),
        (
            changed(&|r| r["name"] = "[reference('sta', '2026-04-01').x]".into()),
            "'reference' is not expected at this location",
        ),
        (changed(&|r| r["name"] = "[split('a/b', '/')]".into()), "'name' must be a text and is [\"a\",\"b\"]."),
        (changed(&|r| drop(r.as_object_mut().unwrap().remove("name"))), "A resource needs a name."),
        (changed(&|r| r["dependsOn"] = json!(["other"])), "The resource 'other' is not defined in the template"),
        (changed(&|r| r["dependsOn"] = "other".into()), "'dependsOn' must be a list."),
        (changed(&|r| r["type"] = "[format('a')]".into()), "needs the member 'type'"),
        (changed(&|r| drop(r.as_object_mut().unwrap().remove("apiVersion"))), "needs the member 'apiVersion'"),
        (changed(&|r| r["name"] = "a/b".into()), "incorrect segment lengths"),
        (changed(&|r| r["scope"] = "/".into()), "The scope '/' is not the id of"),
        (template(json!({"a": account("sta"), "b": account("STA")}), json!({})), "is defined multiple times"),
        (json!({"contentVersion": "1.0.0.0", "resources": {}}), "Required property '$schema' not found"),
        (json!([]), "The template must be a JSON object."),
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
}

#[test]
fn resources_that_wait_for_each_other_are_refused() {
    let bench = bench();
    let (mut one, mut other) = (account("sta"), account("stb"));
    one["dependsOn"] = json!(["stb"]);
    other["tags"] = json!({"a": "[reference('sta', '2026-04-01').x]"});
    let message = refused(&bench, &template(json!([one, other]), json!({})), json!({}));
    assert!(message.contains("Circular dependency detected"), "{message}");
}

#[test]
fn what_is_in_no_template_of_ours_is_refused_by_its_name() {
    let bench = bench();
    let more = |more: Value| template(json!({}), more);
    let with = |member: &str, value: Value| {
        let mut resource = account("sta");
        resource[member] = value;
        template(json!({"sta": resource}), json!({}))
    };
    let parameter = |declaration: Value| template(json!({}), json!({"parameters": {"p": declaration}}));
    let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": "inside",
        "properties": {"mode": "Incremental", "expressionEvaluationOptions": {"scope": "outer"}, "template": more(json!({}))}});
    let subnets = json!({"copy": [{"name": "subnets", "count": 2, "input": {"name": "a"}}]});
    for (template, expected) in [
        (more(json!({"variables": {"a": 1}})), "the element 'variables' of templates"),
        (more(json!({"outputs": {}})), "the element 'outputs' of templates"),
        (more(json!({"functions": []})), "the element 'functions' of templates"),
        (more(json!({"definitions": {}})), "the element 'definitions' of templates"),
        (more(json!({"imports": {}})), "the element 'imports' of templates"),
        (more(json!({"resource": []})), "the element 'resource' of templates"),
        (more(json!({"languageVersion": "1.0"})), "a list of resources"),
        (more(json!({"resources": []})), "a list of resources"),
        (with("condition", json!(true)), "'condition' of resources"),
        (with("copy", json!({"name": "c", "count": 2})), "'copy' of resources"),
        (with("existing", json!(true)), "'existing' of resources"),
        (with("resources", json!([])), "'resources' of resources"),
        (with("import", json!("kubernetes")), "'import' of resources"),
        (with("properties", subnets), "loops in properties"),
        (parameter(json!({"type": "int", "defaultValue": 1})), "the type \"int\" of parameters"),
        (parameter(json!({"type": "object"})), "the type \"object\" of parameters"),
        (parameter(json!({"type": "string", "maxLength": 3})), "'maxLength' of parameters"),
        (parameter(json!({"type": "string", "defaultValue": "[utcNow()]"})), "default values with expressions"),
        (template(json!({ "inside": nested }), json!({})), "the value 'outer' of 'expressionEvaluationOptions.scope'"),
    ] {
        let message = refused(&bench, &template, json!({}));
        let whole = format!(
            "The local cloud deploys templates as 'svc template' writes them, and does not carry out {expected}"
        );
        assert!(message.contains(&whole), "{expected}: {message}");
    }
}

/// The functions of Azure's reference that `svc template` does not use. Source: learn.microsoft.com, "ARM template functions".
const FUNCTIONS: &[&str] = &[
    "add",
    "and",
    "array",
    "base64",
    "base64ToJson",
    "base64ToString",
    "bool",
    "cidrHost",
    "cidrSubnet",
    "coalesce",
    "concat",
    "contains",
    "copyIndex",
    "createArray",
    "createObject",
    "dataUri",
    "dataUriToString",
    "dateTimeAdd",
    "dateTimeFromEpoch",
    "dateTimeToEpoch",
    "deployer",
    "deployment",
    "div",
    "empty",
    "endsWith",
    "environment",
    "equals",
    "extensionResourceId",
    "fail",
    "false",
    "filter",
    "first",
    "flatten",
    "float",
    "greater",
    "greaterOrEquals",
    "groupBy",
    "guid",
    "if",
    "indexFromEnd",
    "indexOf",
    "int",
    "intersection",
    "items",
    "join",
    "json",
    "lambda",
    "lambdaVariables",
    "lastIndexOf",
    "length",
    "less",
    "lessOrEquals",
    "managementGroup",
    "managementGroupResourceId",
    "map",
    "mapValues",
    "max",
    "min",
    "mod",
    "mul",
    "newGuid",
    "not",
    "null",
    "objectKeys",
    "or",
    "padLeft",
    "parseCidr",
    "pickZones",
    "providers",
    "range",
    "reduce",
    "references",
    "replace",
    "resourceGroup",
    "resourceId",
    "shallowMerge",
    "skip",
    "sort",
    "startsWith",
    "string",
    "sub",
    "subscriptionResourceId",
    "substring",
    "take",
    "tenant",
    "tenantResourceId",
    "toLogicalZone",
    "toLogicalZones",
    "toLower",
    "toObject",
    "toPhysicalZone",
    "toPhysicalZones",
    "toUpper",
    "trim",
    "true",
    "tryGet",
    "tryIndexFromEnd",
    "union",
    "uniqueString",
    "uri",
    "uriComponent",
    "uriComponentToString",
    "utcNow",
    "variables",
];

#[test]
fn a_function_that_is_in_no_template_of_ours_is_refused_by_its_name() {
    let bench = bench();
    for name in FUNCTIONS {
        let mut resource = account("sta");
        resource["tags"] = json!({"a": format!("[{name}('x')]")});
        let message = refused(&bench, &template(json!({"sta": resource}), json!({})), json!({}));
        let expected = format!(
            "The template function '{name}' is not valid: the local cloud knows those that 'svc template' uses (format, last, list*, \
             parameters, reference, split, subscription). The place is 'resources.sta.tags.a'."
        );
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn what_the_local_cloud_does_not_carry_out_is_said() {
    let bench = bench();
    for (name, value) in [
        ("templateLink", json!({"uri": "https://example.com/t.json"})),
        ("parametersLink", json!({"uri": "https://example.com/p.json"})),
        ("onErrorDeployment", json!({"type": "LastSuccessful"})),
        ("mode", json!("Complete")),
    ] {
        let mut body = body(&template(json!({}), json!({})), json!({}));
        body["properties"][name] = value;
        let refusal = bench.put(&path("d"), DEPLOYMENTS, &body).refusal();
        assert_eq!(refusal, (501, "DeploymentFeatureNotSupported".into()), "{name}");
    }
    let mut body = body(&template(json!({}), json!({})), json!({}));
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
    body["properties"].as_object_mut().unwrap().remove("mode");
    assert_eq!(bench.put(&path("d"), DEPLOYMENTS, &body).refusal(), (400, "InvalidDeployment".into()));
}

#[test]
fn the_azure_cli_puts_the_file_into_the_body_without_quotation_marks() {
    let bench = bench();
    let put = |body: &str| {
        let url = format!("{}?api-version={DEPLOYMENTS}", absolute(&path("d")));
        bench.raw("PUT", &url, &[], body)
    };
    let own = json!({"properties": {"mode": "Incremental", "parameters": {"p": {"value": "x"}}}}).to_string();
    let file = serde_json::to_string_pretty(&template(json!({}), json!({"parameters": {"p": {"type": "string"}}})));
    // Source: azure-cli, the policy for JSON with comments of the module "resource".
    let body = format!("{}, template:{}}}}}", &own[..own.len() - 2], file.unwrap());
    let reply = put(&body);
    assert_eq!(reply.status, 201, "{reply:?}");
    let commented = put(&body.replacen("template:{", "template:{ // mine", 1));
    assert_eq!(commented.refusal(), (400, "InvalidRequestContent".into()));
}

#[test]
fn a_step_that_fails_stops_those_after_it() {
    let bench = bench();
    let mut wrong = account("stwrong");
    wrong["kind"] = "NoSuchKind".into();
    let mut after = account("stafter");
    after["dependsOn"] = json!(["stwrong"]);
    let shown = deploy(&bench, &template(json!([wrong, after, account("stgood")]), json!({})));
    let properties = &shown["properties"];
    assert_eq!(properties["provisioningState"], "Failed");
    assert_eq!(properties["error"]["code"], "DeploymentFailed");
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
    let mut reads = account("streads");
    let none = absolute(&account_path("none"));
    reads["tags"] = json!({"a": format!("[reference('{none}', '2026-04-01').x]")});
    let shown = deploy(&bench, &template(json!([reads]), json!({})));
    assert_eq!(shown["properties"]["error"]["details"][0]["code"], "ResourceNotFound", "{shown}");
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
