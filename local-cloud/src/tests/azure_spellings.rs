//! Answers as Azure spells them: ids, types, locations and tags of the types that print themselves in another way than requests
//! do, and what is read or written only.

use super::common::{ACTION_GROUPS, Bench, DNS, RESOURCES, absolute, action_group_body, insights_path, network_path};
use super::front_door::{CDN, PREMIUM, front_door, front_door_path};
use super::web::{WEB, site_body, web_bench, web_path};
use crate::resource_types;
use serde_json::{Value, json};

/// A type in requests, in answers and in ids of answers, and the example that has it. Those of an example that is named are
/// in azure-rest-api-specs, below `specification`.
const SPELLINGS: &[(&str, &str, &str, &str)] = &[
    (
        "Microsoft.Cdn/profiles",
        "Microsoft.Cdn/profiles",
        "resourcegroups Microsoft.Cdn/profiles",
        "cdn/resource-manager/Microsoft.Cdn/stable/2021-06-01/examples/Profiles_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/afdEndpoints",
        "Microsoft.Cdn/profiles/afdendpoints",
        "resourcegroups Microsoft.Cdn/profiles/afdendpoints",
        "cdn/resource-manager/Microsoft.Cdn/stable/2021-06-01/examples/AFDEndpoints_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/afdEndpoints/routes",
        "Microsoft.Cdn/profiles/afdendpoints/routes",
        "resourcegroups Microsoft.Cdn/profiles/afdendpoints/routes",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/Routes_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/originGroups",
        "Microsoft.Cdn/profiles/origingroups",
        "resourcegroups Microsoft.Cdn/profiles/origingroups",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/AFDOriginGroups_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/originGroups/origins",
        "Microsoft.Cdn/profiles/origingroups/origins",
        "resourcegroups Microsoft.Cdn/profiles/origingroups/origins",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/AFDOrigins_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/secrets",
        "Microsoft.Cdn/profiles/secrets",
        "resourcegroups Microsoft.Cdn/profiles/secrets",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/Secrets_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/securityPolicies",
        "Microsoft.Cdn/profiles/securitypolicies",
        "resourcegroups Microsoft.Cdn/profiles/securitypolicies",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/SecurityPolicies_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/customDomains",
        "Microsoft.Cdn/profiles/customdomains",
        "resourcegroups Microsoft.Cdn/profiles/customdomains",
        // As the domains of a security policy have it; the examples of domains themselves are older.
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/SecurityPolicies_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/ruleSets",
        "Microsoft.Cdn/profiles/rulesets",
        "resourcegroups Microsoft.Cdn/profiles/rulesets",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/RuleSets_Create.json",
    ),
    (
        "Microsoft.Cdn/profiles/ruleSets/rules",
        "Microsoft.Cdn/profiles/rulesets/rules",
        "resourcegroups Microsoft.Cdn/profiles/rulesets/rules",
        "cdn/resource-manager/Microsoft.Cdn/stable/2024-02-01/examples/Rules_Create.json",
    ),
    (
        "Microsoft.Network/frontDoorWebApplicationFirewallPolicies",
        "Microsoft.Network/frontdoorwebapplicationfirewallpolicies",
        "resourceGroups Microsoft.Network/FrontDoorWebApplicationFirewallPolicies",
        "frontdoor/resource-manager/Microsoft.Network/stable/2024-02-01/examples/WafPolicyCreateOrUpdate.json",
    ),
    (
        "Microsoft.Insights/actionGroups",
        "Microsoft.Insights/ActionGroups",
        "resourceGroups microsoft.insights/actionGroups",
        "monitor/resource-manager/Microsoft.Insights/stable/2023-01-01/examples/getActionGroup.json",
    ),
    (
        "Microsoft.Insights/activityLogAlerts",
        "Microsoft.Insights/ActivityLogAlerts",
        "resourceGroups microsoft.insights/activityLogAlerts",
        "monitor/resource-manager/Microsoft.Insights/stable/2020-10-01/examples/ActivityLogAlertRule_CreateOrUpdate.json",
    ),
    (
        "Microsoft.Insights/metricAlerts",
        "Microsoft.Insights/metricAlerts",
        "resourceGroups microsoft.insights/metricalerts",
        "monitor/resource-manager/Microsoft.Insights/stable/2018-03-01/examples/createOrUpdateMetricAlertSingleResource.json",
    ),
    (
        "Microsoft.Insights/scheduledQueryRules",
        "microsoft.insights/scheduledqueryrules",
        "resourcegroups microsoft.insights/scheduledqueryrules",
        "monitor/resource-manager/Microsoft.Insights/stable/2023-12-01/examples/createOrUpdateScheduledQueryRule.json",
    ),
    (
        "Microsoft.Insights/components",
        "microsoft.insights/components",
        "resourceGroups microsoft.insights/components",
        "what `az monitor app-insights component show` prints",
    ),
    (
        "Microsoft.Insights/workbooks",
        "Microsoft.Insights/workbooks",
        "resourcegroups microsoft.insights/workbooks",
        "applicationinsights/resource-manager/Microsoft.Insights/stable/2022-04-01/examples/WorkbookAdd.json",
    ),
    (
        "Microsoft.Insights/diagnosticSettings",
        "Microsoft.Insights/diagnosticSettings",
        "resourceGroups microsoft.insights/diagnosticSettings",
        "monitor/resource-manager/Microsoft.Insights/preview/2021-05-01-preview/examples/createOrUpdateDiagnosticSetting.json",
    ),
];

/// `.../resourcegroups/g/providers/N/a/one/b/two` as `resourcegroups N/a/b`.
fn spelling_of(id: &str) -> String {
    let (group, own) = id.split_once("/providers/").unwrap();
    let word = group.rsplit('/').nth(1).unwrap();
    let mut segments = own.split('/');
    let namespace = segments.next().unwrap();
    let types: Vec<&str> = segments.step_by(2).collect();
    format!("{word} {namespace}/{}", types.join("/"))
}

/// A resource of a type in an import, with the parents it needs.
fn imported(type_name: &str) -> Vec<Value> {
    let (namespace, levels) = type_name.split_once('/').unwrap();
    let mut id = absolute(&format!("resourceGroups/g/providers/{namespace}"));
    let levels = levels.split('/').map(|level| {
        id.push_str(&format!("/{level}/default"));
        json!({"id": id, "location": "uksouth", "properties": {}})
    });
    levels.collect()
}

#[test]
fn ids_and_types_are_spelled_as_in_the_answers_of_azure() {
    let bench = Bench::new();
    bench.group("g");
    for (type_name, printed, in_id, example) in SPELLINGS {
        let parts = imported(type_name);
        let id = parts.last().unwrap()["id"].as_str().unwrap().to_owned();
        bench.cloud.import(&parts).unwrap();
        let version = resource_types::find(type_name).unwrap().api_versions().last().unwrap();
        let shown = bench.get(&id, version).json();
        assert_eq!(
            (shown["type"].as_str().unwrap(), spelling_of(shown["id"].as_str().unwrap()).as_str()),
            (*printed, *in_id),
            "{example}"
        );
        let list = id.rsplit_once('/').unwrap().0;
        let listed = bench.get(list, version).json()["value"][0].clone();
        assert_eq!((&listed["type"], &listed["id"]), (&shown["type"], &shown["id"]), "in a listing");
        // Both spellings lead to it.
        assert_eq!(bench.get(shown["id"].as_str().unwrap(), version).json()["id"], shown["id"]);
    }
    let known = resource_types::all().filter(|entry| entry.printed.is_some()).map(|entry| entry.name);
    let unknown: Vec<&str> = known.filter(|name| SPELLINGS.iter().all(|(listed, ..)| listed != name)).collect();
    assert!(unknown.is_empty(), "no example is given for {unknown:?}");
    let all = bench.get("resources?$filter=resourceType eq 'Microsoft.Insights/actionGroups'", RESOURCES).json();
    assert_eq!(all["value"][0]["type"], "Microsoft.Insights/ActionGroups", "{all}");
}

#[test]
fn what_is_everywhere_is_global_and_has_tags() {
    let bench = front_door(PREMIUM);
    for below in ["", "afdEndpoints/e"] {
        let shown = bench.get(&front_door_path(below), CDN).json();
        assert_eq!((&shown["location"], &shown["tags"]), (&json!("Global"), &json!({})), "{below}");
    }
    assert_eq!(bench.get(&front_door_path("originGroups/o"), CDN).json().get("tags"), None);
    let mut body = action_group_body(json!({}));
    body["location"] = json!("global");
    let made = bench.made(&insights_path("actionGroups", "a"), ACTION_GROUPS, &body);
    assert_eq!((&made["location"], &made["tags"]), (&json!("Global"), &json!({})));
    // What is read can be sent back, and stays what it is.
    let again = bench.made(&insights_path("actionGroups", "a"), ACTION_GROUPS, &made);
    assert_eq!(again, made);
}

#[test]
fn operations_on_private_dns_have_urls_of_their_own_and_both_headers() {
    let bench = Bench::new();
    bench.group("g");
    let started = bench.put(&network_path("privateDnsZones", "a.b"), DNS, &json!({"location": "Global"}));
    assert_eq!((started.status, started.text.as_str()), (202, ""));
    let group = absolute("resourceGroups/g/providers/Microsoft.Network");
    let status = started.header("azure-asyncoperation").unwrap();
    assert!(status.contains(&format!("{group}/privateDnsOperationStatuses/")), "{status}");
    assert_eq!(bench.follow(status).json()["status"], "Succeeded");
    let result = started.header("location").unwrap();
    assert!(result.contains(&format!("{group}/privateDnsOperationResults/")), "{result}");
    assert_eq!(bench.follow(result).json()["location"], "global");
    let unknown = format!("{group}/privateDnsOperationStatuses/22222222-2222-4222-8222-222222222222");
    assert_eq!(bench.get(&unknown, DNS).refusal(), (404, "OperationNotFound".into()));
}

#[test]
fn an_import_keeps_what_azure_says_of_a_resource() {
    let bench = front_door(PREMIUM);
    let group = json!({
        "id": absolute("resourceGroups/g/providers/microsoft.insights/actionGroups/a"), "location": "Global",
        "properties": {"groupShortName": "a", "enabled": true, "emailReceivers": [
            {"name": "left", "emailAddress": "left@example.com", "status": "Disabled"},
            {"name": "stays", "emailAddress": "stays@example.com"},
        ]},
    });
    let origin = json!({
        "id": absolute(&front_door_path("origingroups/o/origins/old")),
        "properties": {"hostName": "old.example.com", "priority": null, "weight": null, "enabledState": "Enabled"},
    });
    bench.cloud.import(&[group, origin]).unwrap();
    let path = insights_path("actionGroups", "a");
    let statuses = |group: &Value| {
        let receivers = group["properties"]["emailReceivers"].as_array().unwrap().iter();
        receivers.map(|receiver| receiver["status"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut read = bench.get(&path, ACTION_GROUPS).json();
    assert_eq!(statuses(&read), ["Disabled", "Enabled"]);
    // The receiver has unsubscribed; a write does not subscribe them again.
    read["properties"]["emailReceivers"][0]["status"] = json!("Enabled");
    assert_eq!(statuses(&bench.made(&path, ACTION_GROUPS, &read)), ["Disabled", "Enabled"]);
    let origin = bench.get(&front_door_path("originGroups/o/origins/old"), CDN).json()["properties"].clone();
    assert_eq!((&origin["priority"], &origin["weight"]), (&Value::Null, &Value::Null));
    assert_eq!((&origin["httpPort"], &origin["enforceCertificateNameCheck"]), (&json!(80), &json!(true)));
}

#[test]
fn what_is_for_the_write_only_is_in_no_answer() {
    let bench = web_bench();
    let source = absolute(&web_path("sites", "old"));
    let started = bench.put(
        &web_path("sites", "new"),
        WEB,
        &site_body(json!({"cloningInfo": {"sourceWebAppId": source}, "siteConfig": {
            "appSettings": [{"name": "KEY", "value": "secret-value"}],
            "connectionStrings": [{"name": "db", "connectionString": "secret-value", "type": "SQLAzure"}],
        }})),
    );
    assert_eq!(started.status, 202, "{started:?}");
    let read = bench.get(&web_path("sites", "new"), WEB);
    let listed = bench.get(&web_path("sites", ""), WEB);
    for answer in [&started, &read, &listed] {
        assert!(!answer.text.contains("cloningInfo") && !answer.text.contains("secret-value"), "{}", answer.text);
    }
    let vault = "resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-new";
    let body = json!({"location": "uksouth", "properties": {
        "tenantId": crate::LOCAL_TENANT_ID, "sku": {"family": "A", "name": "standard"}, "createMode": "default",
    }});
    let started = bench.put(vault, "2024-11-01", &body);
    assert_eq!(started.status, 201, "{started:?}");
    assert_eq!(started.json()["properties"].get("createMode"), None);
    assert_eq!(bench.get(vault, "2024-11-01").json()["properties"].get("createMode"), None);
}
