//! Azure Policy: rules of the shape of Azure's built-in ones are enforced, and asked beforehand.

use super::common::{Bench, RESOURCES, Reply, STORAGE, absolute, account_body, account_path};
use serde_json::{Value, json};

const POLICIES: &str = "2025-03-01";
const ACCOUNT: &str = "Microsoft.Storage/storageAccounts";

fn definition_path(name: &str) -> String {
    format!("providers/Microsoft.Authorization/policyDefinitions/{name}")
}

fn assignment_path(name: &str) -> String {
    format!("providers/Microsoft.Authorization/policyAssignments/{name}")
}

fn define(bench: &Bench, name: &str, properties: Value) -> Reply {
    bench.put(&definition_path(name), POLICIES, &json!({"properties": properties}))
}

/// Assigns a definition, with further properties.
fn assign(bench: &Bench, name: &str, more: Value) {
    let mut properties =
        json!({"policyDefinitionId": absolute(&definition_path(name)), "displayName": format!("The {name}")});
    properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = bench.put(&assignment_path(name), POLICIES, &json!({"properties": properties}));
    assert_eq!(answer.status, 201, "{answer:?}");
}

/// Defines and assigns a rule about storage accounts.
fn put_rule(bench: &Bench, name: &str, condition: Value, then: Value) {
    let rule = json!({"if": {"allOf": [{"field": "type", "equals": ACCOUNT}, condition]}, "then": then});
    let made = define(bench, name, json!({"mode": "All", "policyRule": rule}));
    assert_eq!(made.status, 201, "{made:?}");
    assign(bench, name, json!({}));
}

fn put_account(bench: &Bench, name: &str, more: Value) -> Reply {
    bench.put(&account_path(name), STORAGE, &account_body(more))
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench
}

/// Whether the question and the write say the same of an account: the answer to the question.
fn ask(bench: &Bench, name: &str, more: Value) -> Value {
    let mut content = account_body(more);
    content["type"] = ACCOUNT.into();
    content["name"] = name.into();
    let body =
        json!({"resourceDetails": {"resourceContent": content, "apiVersion": STORAGE}, "includeAuditEffect": true});
    let path = "resourceGroups/g/providers/Microsoft.PolicyInsights/checkPolicyRestrictions";
    bench.call("POST", path, "2024-10-01", Some(&body)).json()
}

fn effects(answer: &Value) -> Vec<&str> {
    let list = answer["contentEvaluationResult"]["policyEvaluations"].as_array().unwrap();
    list.iter().map(|evaluation| evaluation["effectDetails"]["policyEffect"].as_str().unwrap()).collect()
}

/// The restrictions of each field: the field, the result, the value, the effect.
fn restrictions(answer: &Value) -> Vec<(String, Value, Value, Value)> {
    let told = |told: &Value| {
        let of = |name: &str| told["restrictions"][0][name].clone();
        (told["field"].as_str().unwrap().to_owned(), of("result"), of("defaultValue"), of("policyEffect"))
    };
    answer["fieldRestrictions"].as_array().unwrap().iter().map(told).collect()
}

/// The rules of "Allowed locations", "Require a tag on resources", "Storage accounts should have the specified minimum TLS version".
fn put_built_in(bench: &Bench) {
    let locations = json!({"allOf": [
        {"field": "location", "notIn": "[parameters('listOfAllowedLocations')]"},
        {"field": "location", "notEquals": "global"}]});
    let tag = json!({"field": "[concat('tags[', parameters('tagName'), ']')]", "exists": "false"});
    let version = json!({"allOf": [
        {"field": "type", "equals": ACCOUNT},
        {"anyOf": [
            {"field": format!("{ACCOUNT}/minimumTlsVersion"), "notEquals": "[parameters('minimumTlsVersion')]"},
            {"field": format!("{ACCOUNT}/minimumTlsVersion"), "exists": "false"}]}]});
    let of_effect = json!({"effect": {"type": "String", "allowedValues": ["Audit", "Deny", "Disabled"], "defaultValue": "Audit"},
        "minimumTlsVersion": {"type": "String", "defaultValue": "TLS1_2"}});
    for (name, condition, effect, parameters, given) in [
        (
            "locations",
            locations,
            "deny",
            json!({"listOfAllowedLocations": {"type": "Array"}}),
            json!({"listOfAllowedLocations": {"value": ["uk south", "ukwest"]}}),
        ),
        ("tag", tag, "deny", json!({"tagName": {"type": "String"}}), json!({"tagName": {"value": "costCenter"}})),
        ("version", version, "[parameters('effect')]", of_effect, json!({"effect": {"value": "Deny"}})),
    ] {
        let rule = json!({"if": condition, "then": {"effect": effect}});
        let properties = json!({"displayName": format!("Rule of {name}"), "mode": "Indexed", "parameters": parameters, "policyRule": rule});
        assert_eq!(define(bench, name, properties).status, 201);
        let messages = json!([{"message": format!("See wiki/{name}.")}]);
        assign(bench, name, json!({"parameters": given, "nonComplianceMessages": messages}));
    }
}

#[test]
fn what_a_policy_denies_is_refused_with_every_policy_in_azures_error_body() {
    let bench = bench();
    put_built_in(&bench);
    let fine = json!({"tags": {"COSTCENTER": "1"}, "properties": {"minimumTlsVersion": "tls1_2"}});
    assert_eq!(put_account(&bench, "stfine", fine.clone()).status, 202);
    let wrong = json!({"location": "westeurope", "properties": {"minimumTlsVersion": "TLS1_0"}});
    let refused = put_account(&bench, "stwrong", wrong.clone());
    let error = refused.json()["error"].clone();
    assert_eq!(
        (refused.status, &error["code"], &error["target"]),
        (403, &json!("RequestDisallowedByPolicy"), &json!("stwrong"))
    );
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with(
            "Resource 'stwrong' was disallowed by policy. Reasons: 'See wiki/locations.', 'See wiki/tag.'"
        ),
        "{message}"
    );
    let infos = error["additionalInfo"].as_array().unwrap();
    let told: Vec<_> =
        infos.iter().map(|info| (info["type"].as_str(), info["info"]["policyAssignmentName"].as_str())).collect();
    assert_eq!(told, ["locations", "tag", "version"].map(|name| (Some("PolicyViolation"), Some(name))));
    let version = &infos[2]["info"];
    assert_eq!(
        (&version["policyDefinitionDisplayName"], &version["policyAssignmentDisplayName"]),
        (&json!("Rule of version"), &json!("The version"))
    );
    let told = version["evaluationDetails"]["evaluatedExpressions"].as_array().unwrap();
    assert_eq!(
        *told.iter().find(|told| told["operator"] == "notEquals").unwrap(),
        json!({"result": "True", "expressionKind": "Field", "expression": format!("{ACCOUNT}/minimumTlsVersion"), "path": "properties.minimumTlsVersion",
            "expressionValue": "TLS1_0", "targetValue": "TLS1_2", "operator": "notEquals"})
    );
    assert_eq!(bench.get(&account_path("stwrong"), STORAGE).status, 404);
    // Groups have no location and tags that are looked at in the mode Indexed; an existing account is judged by its update.
    bench.group("other");
    let update = bench.call(
        "PATCH",
        &account_path("stfine"),
        STORAGE,
        Some(&json!({"properties": {"minimumTlsVersion": "TLS1_1"}})),
    );
    assert_eq!(update.refusal(), (403, "RequestDisallowedByPolicy".to_owned()));
    assert_eq!(effects(&ask(&bench, "stwrong", wrong.clone())), ["Deny"; 3]);
    assert_eq!(effects(&ask(&bench, "stfine2", fine)), Vec::<&str>::new());
    // It ends with the assignments, and with what they leave out.
    bench.call("DELETE", &assignment_path("tag"), POLICIES, None);
    let not_here = json!({"parameters": {"effect": {"value": "Deny"}}, "notScopes": [absolute("resourceGroups/G")]});
    assign(&bench, "version", not_here);
    let not_now = json!({"parameters": {"listOfAllowedLocations": {"value": []}}, "enforcementMode": "DoNotEnforce"});
    assign(&bench, "locations", not_now);
    assert_eq!(put_account(&bench, "stwrong", wrong).status, 202);
}

#[test]
fn what_policies_change_is_stored_and_told_before() {
    let bench = bench();
    let field = |name: &str| format!("{ACCOUNT}/{name}");
    let modify =
        |operations: Value| json!({"effect": "modify", "details": {"roleDefinitionIds": [], "operations": operations}});
    put_rule(
        &bench,
        "public",
        json!({"field": field("publicNetworkAccess"), "notEquals": "Disabled"}),
        modify(json!([{"operation": "addOrReplace", "field": field("publicNetworkAccess"), "value": "Disabled"}])),
    );
    put_rule(
        &bench,
        "team",
        json!({"field": "tags['team']", "exists": false}),
        modify(json!([{"operation": "Add", "field": "tags['team']", "value": "core"}])),
    );
    put_rule(
        &bench,
        "junk",
        json!({"field": "tags.junk", "exists": true}),
        modify(json!([{"operation": "remove", "field": "tags.junk"}])),
    );
    put_rule(
        &bench,
        "rules",
        json!({"field": field("networkAcls.defaultAction"), "notEquals": "Allow"}),
        json!({"effect": "append", "details": [{"field": field("networkAcls.defaultAction"), "value": "Deny"}]}),
    );
    put_rule(
        &bench,
        "late",
        json!({"field": field("publicNetworkAccess"), "equals": "Enabled"}),
        json!({"effect": "deny"}),
    );
    let more = json!({"tags": {"junk": "1", "mine": "2"}, "properties": {"publicNetworkAccess": "Enabled"}});
    let told = ask(&bench, "st", more.clone());
    let restrictions = restrictions(&told);
    let expected = [
        (field("publicNetworkAccess"), json!("Required"), json!("Disabled"), json!("Modify")),
        ("tags.junk".to_owned(), json!("Removed"), Value::Null, json!("Modify")),
        ("tags['team']".to_owned(), json!("Required"), json!("core"), json!("Modify")),
        (field("networkAcls.defaultAction"), json!("Required"), json!("Deny"), json!("Append")),
    ];
    assert!(
        restrictions.len() == expected.len() && expected.iter().all(|one| restrictions.contains(one)),
        "{restrictions:?}"
    );
    assert_eq!(effects(&told), Vec::<&str>::new(), "denied by what it is after the changes");
    let made = put_account(&bench, "stone", more);
    assert_eq!(made.status, 202, "{made:?}");
    let stored = bench.get(&account_path("stone"), STORAGE).json();
    assert_eq!(stored["tags"], json!({"mine": "2", "team": "core"}));
    assert_eq!(stored["properties"]["publicNetworkAccess"], "Disabled");
    assert_eq!(stored["properties"]["networkAcls"]["defaultAction"], "Deny");
    // What is appended to something else is denied.
    let other = json!({"properties": {"networkAcls": {"defaultAction": "Audit"}}});
    assert_eq!(put_account(&bench, "sx", other).refusal(), (403, "RequestDisallowedByPolicy".to_owned()));
}

#[test]
fn lists_are_counted_and_texts_are_like_patterns() {
    let bench = bench();
    let rules = format!("{ACCOUNT}/networkAcls.ipRules[*]");
    let wide = json!({"count": {"field": rules, "where": {"field": format!("{rules}.value"), "like": "*/8"}}, "greaterOrEquals": 2});
    put_rule(&bench, "wide", wide, json!({"effect": "deny"}));
    let each = json!({"not": {"field": format!("{rules}.action"), "in": ["allow"]}});
    put_rule(&bench, "each", each, json!({"effect": "audit"}));
    put_rule(&bench, "name", json!({"field": "name", "notLike": "st*"}), json!({"effect": "deny"}));
    let with = |values: &[&str]| {
        let list: Vec<Value> = values.iter().map(|value| json!({"value": value, "action": "Allow"})).collect();
        json!({"properties": {"networkAcls": {"defaultAction": "Deny", "ipRules": list}}})
    };
    for (name, values, expected) in [
        ("sta", &["11.0.0.0/8", "12.0.0.1"][..], &[][..]),
        ("stb", &["11.0.0.0/8", "12.0.0.0/8"], &["Deny"]),
        ("xst", &[], &["Deny"]),
    ] {
        let asked = ask(&bench, name, with(values));
        assert_eq!(effects(&asked), expected, "{name}");
        let status = put_account(&bench, name, with(values)).status;
        assert_eq!(status == 403, expected == ["Deny"], "{name} {status}");
    }
}

#[test]
fn a_definition_that_would_not_be_carried_out_as_in_azure_is_refused() {
    let bench = bench();
    let deny = json!({"effect": "deny"});
    let name = json!({"field": "name", "equals": "x"});
    for (rule, why) in [
        (json!(null), "JSON object"),
        (json!({"if": {"allOf": []}, "then": deny}), "must have conditions"),
        (
            json!({"if": {"field": "name", "matchInsensitively": "x"}, "then": deny}),
            "needs an operator; the local cloud has equals",
        ),
        (json!({"if": {"value": "[field('name')]", "equals": "x"}, "then": deny}), "no policy function 'field'"),
        (json!({"if": {"field": "[parameters('none')]", "equals": "x"}, "then": deny}), "no parameter 'none'"),
        (json!({"if": {"field": "[concat(]", "equals": "x"}, "then": deny}), "Unable to parse"),
        (json!({"if": name, "then": {"effect": "deployIfNotExists"}}), "no policy effect 'deployifnotexists'"),
        (json!({"if": name, "then": {"effect": "modify"}}), "needs details"),
        (
            json!({"if": name, "then": {"effect": "append", "details": [{"field": "x[*]", "value": 1}]}}),
            "no items of lists",
        ),
    ] {
        let refused = define(&bench, "wrong", json!({"policyRule": rule}));
        assert_eq!(refused.refusal(), (400, "InvalidPolicyRule".to_owned()), "{rule}");
        assert!(refused.text.contains(why), "{refused:?}");
    }
    let missing = json!({"properties": {"policyDefinitionId": absolute(&definition_path("none"))}});
    assert_eq!(
        bench.put(&assignment_path("a"), POLICIES, &missing).refusal(),
        (404, "PolicyDefinitionNotFound".to_owned())
    );
    let parameters = json!({"kind": {"type": "String", "allowedValues": ["a"]}});
    let rule = json!({"if": {"field": "kind", "equals": "[parameters('kind')]"}, "then": deny});
    assert_eq!(define(&bench, "kind", json!({"parameters": parameters, "policyRule": rule})).status, 201);
    for given in [json!({}), json!({"kind": {"value": "b"}}), json!({"kind": {"value": "a"}, "more": {"value": 1}})] {
        let body =
            json!({"properties": {"policyDefinitionId": absolute(&definition_path("kind")), "parameters": given}});
        assert_eq!(
            bench.put(&assignment_path("a"), POLICIES, &body).refusal(),
            (400, "InvalidPolicyParameters".to_owned())
        );
    }
}

#[test]
fn the_question_is_about_one_resource_wherever_it_will_be() {
    let bench = bench();
    put_rule(&bench, "all", json!({"field": "name", "exists": true}), json!({"effect": "deny"}));
    let containers = format!("{ACCOUNT}/blobServices/containers");
    let rule = json!({"if": {"allOf": [{"field": "type", "equals": containers}, {"field": "fullName", "like": "st/default/*"}]}, "then": {"effect": "deny"}});
    assert_eq!(define(&bench, "containers", json!({"policyRule": rule})).status, 201);
    assign(&bench, "containers", json!({}));
    let groups = json!({"if": {"field": "type", "equals": "Microsoft.Resources/subscriptions/resourceGroups"}, "then": {"effect": "deny"}});
    assert_eq!(define(&bench, "groups", json!({"mode": "All", "policyRule": groups})).status, 201);
    assign(&bench, "groups", json!({}));
    let group = absolute("resourceGroups/new");
    let service = format!("{group}/providers/{ACCOUNT}/st/blobServices/default");
    for (content, scope, expected) in [
        (json!({"type": ACCOUNT, "name": "st"}), Some(&group), 1),
        (json!({"type": containers, "name": "c"}), Some(&service), 1),
        (json!({"type": containers, "name": "st/default/c"}), Some(&group), 1),
        (json!({"type": containers, "name": "other/default/c"}), Some(&group), 0),
        (json!({"type": "Microsoft.Resources/subscriptions/resourceGroups", "name": "new"}), None, 1),
        (json!({"type": "Microsoft.Network/virtualNetworks", "name": "vnet"}), Some(&group), 0),
    ] {
        let mut details = json!({"resourceContent": content});
        if let Some(scope) = scope {
            details["scope"] = json!(scope);
        }
        let body = json!({"resourceDetails": details});
        let answer =
            bench.call("POST", "providers/Microsoft.PolicyInsights/checkPolicyRestrictions", "2024-10-01", Some(&body));
        assert_eq!(effects(&answer.json()).len(), expected, "{body} {answer:?}");
    }
    assert_eq!(bench.put("resourceGroups/new", RESOURCES, &json!({"location": "uksouth"})).status, 403);
    for body in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"resourceDetails":{"resourceContent":{}}}"#,
        r#"{"resourceDetails":{"resourceContent":{"type":"x"}}}"#,
        r#"{"resourceDetails":{"resourceContent":{"type":"a/b"},"scope":"nonsense"}}"#,
    ] {
        let path = absolute("providers/Microsoft.PolicyInsights/checkPolicyRestrictions?api-version=2024-10-01");
        assert_eq!(bench.raw("POST", &path, &[], body).status, 400, "{body}");
    }
}
