use super::*;
use crate::azure::resource_type;
use crate::desired::body::{drop_nulls, overlay, writable};

fn account(desired: Value, existing: Value) -> Vec<(String, Option<Value>, Option<Value>)> {
    found(storage_account(), &desired, &existing)
}

fn storage_account() -> &'static ResourceType {
    resource_type("Microsoft.Storage/storageAccounts").unwrap()
}

fn found(kind: &ResourceType, desired: &Value, existing: &Value) -> Vec<(String, Option<Value>, Option<Value>)> {
    differences(kind, desired, existing).into_iter().map(|found| (found.path, found.before, found.after)).collect()
}

#[test]
fn spelling_that_azure_normalises_is_no_difference() {
    let desired = json!({"location": "UK South", "properties": {"a": {"id": "/subscriptions/X"}, "window": "PT24H", "n": 1, "networkAcls": {"bypass": "Logging, Metrics"}, "z": null, "none": []}});
    let existing = json!({"location": "uksouth", "properties": {"A": {"id": "/Subscriptions/x"}, "window": "P1D", "n": 1.0, "networkAcls": {"bypass": "Metrics,Logging"}, "more": 5}});
    assert_eq!(account(desired, existing), []);
}

#[test]
fn a_role_is_one_in_every_subscription() {
    let kind = resource_type("Microsoft.Authorization/roleAssignments").unwrap();
    let role = |id: &str| json!({"properties": {"roleDefinitionId": id}});
    let ours = role("/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/0b-1C");
    assert_eq!(found(kind, &ours, &role("/providers/Microsoft.Authorization/RoleDefinitions/0B-1c")), []);
    assert_eq!(found(kind, &ours, &role("/providers/Microsoft.Authorization/roleDefinitions/0b-1d")).len(), 1);
    assert_eq!(found(kind, &ours, &role("/providers/Microsoft.Authorization/other/0b-1c")).len(), 1);
}

#[test]
fn skus_ignore_case_and_a_tier_that_is_not_shown_is_the_usual_one() {
    let profile = resource_type("Microsoft.Cdn/profiles").unwrap();
    let sku = |name: &str| json!({"sku": {"name": name}});
    assert_eq!(found(profile, &sku("Standard_AzureFrontDoor"), &sku("standard_azurefrontdoor")), []);
    let address = resource_type("Microsoft.Network/publicIPAddresses").unwrap();
    let tier = |tier: &str| json!({"sku": {"name": "Standard", "tier": tier}});
    assert_eq!(found(address, &tier("Regional"), &sku("Standard")), []);
    assert_eq!(found(address, &tier("Global"), &sku("Standard")).len(), 1);
}

#[test]
fn parts_that_are_resources_have_names_in_any_case() {
    let host = resource_type("Microsoft.Network/bastionHosts").unwrap();
    let part = |name: &str, more: Value| {
        let mut part = json!({"name": name, "properties": {"on": true}});
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"properties": {"ipConfigurations": [part]}})
    };
    let wanted = part("ipConfig", json!({}));
    assert_eq!(found(host, &wanted, &part("IPCONFIG", json!({"id": "/x/IPCONFIG"}))), []);
    assert_eq!(found(host, &wanted, &part("IPCONFIG", json!({}))).len(), 1, "a name of people");
}

#[test]
fn nulls_that_azure_prints_are_not_shown() {
    let desired = json!({"properties": {"acls": {"rules": []}, "cache": null}});
    let existing =
        json!({"properties": {"acls": {"rules": [{"id": "/a", "state": null}]}, "cache": {"on": true, "off": null}}});
    assert_eq!(
        account(desired, existing),
        [
            ("properties.acls.rules[/a]".to_owned(), Some(json!({"id": "/a"})), None),
            ("properties.cache".to_owned(), Some(json!({"on": true})), None),
        ]
    );
}

#[test]
fn single_properties_are_told_apart() {
    let desired = json!({"sku": {"name": "Standard_LRS"}, "properties": {"on": false, "acls": {"action": "Deny"}, "list": [1, 2]}});
    let existing =
        json!({"sku": {"name": "Standard_GRS", "tier": "Standard"}, "properties": {"on": true, "list": [2, 1]}});
    assert_eq!(
        account(desired, existing),
        [
            ("sku.name".to_owned(), Some(json!("Standard_GRS")), Some(json!("Standard_LRS"))),
            ("properties.on".to_owned(), Some(json!(true)), Some(json!(false))),
            ("properties.acls.action".to_owned(), None, Some(json!("Deny"))),
            ("properties.list".to_owned(), Some(json!([2, 1])), Some(json!([1, 2]))),
        ]
    );
}

#[test]
fn a_null_is_a_property_that_is_not_to_be_there() {
    let desired = json!({"properties": {"cache": null, "header": null, "list": []}});
    for existing in [json!({"properties": {}}), json!({"properties": {"cache": {}, "header": "", "list": []}})] {
        assert_eq!(account(desired.clone(), existing), []);
    }
    let existing = json!({"properties": {"cache": {"on": true}, "header": "h", "list": [1], "more": 1}});
    assert_eq!(
        account(desired.clone(), existing.clone()),
        [
            ("properties.cache".to_owned(), Some(json!({"on": true})), None),
            ("properties.header".to_owned(), Some(json!("h")), None),
            ("properties.list".to_owned(), Some(json!([1])), Some(json!([]))),
        ]
    );
    let mut sent = existing;
    overlay(storage_account(), &mut sent, &desired);
    drop_nulls(&mut sent);
    assert_eq!(sent, json!({"properties": {"list": [], "more": 1}}));
}

#[test]
fn lists_of_objects_are_matched_by_name() {
    let desired = json!({"rules": [{"name": "a", "on": true}, {"name": "b", "on": true}]});
    let existing = json!({"rules": [{"name": "b", "on": true, "etag": 1}, {"name": "a", "on": false}, {"name": "c"}]});
    assert_eq!(
        account(desired.clone(), existing.clone()),
        [
            ("rules[a].on".to_owned(), Some(json!(false)), Some(json!(true))),
            ("rules[c]".to_owned(), Some(json!({"name": "c"})), None)
        ]
    );
    let mut sent = existing;
    overlay(storage_account(), &mut sent, &desired);
    assert_eq!(sent, json!({"rules": [{"name": "a", "on": true}, {"name": "b", "on": true, "etag": 1}]}));
}

#[test]
fn one_changed_value_in_an_item_without_a_key_is_that_value_and_what_others_set_in_it_stays() {
    let rule = resource_type("Microsoft.Insights/scheduledQueryRules").unwrap();
    let desired =
        json!({"properties": {"criteria": {"allOf": [{"query": "Heartbeat", "threshold": 5, "dimensions": null}]}}});
    let existing = json!({"properties": {"criteria": {"allOf": [
        {"query": "Heartbeat", "threshold": 3.0, "resourceIdColumn": "_ResourceId", "dimensions": []}]}}});
    let path = "properties.criteria.allOf[0].threshold".to_owned();
    assert_eq!(found(rule, &desired, &existing), [(path, Some(json!(3.0)), Some(json!(5)))]);
    let mut sent = existing;
    overlay(rule, &mut sent, &desired);
    drop_nulls(&mut sent);
    let item = json!({"query": "Heartbeat", "threshold": 5, "resourceIdColumn": "_ResourceId"});
    assert_eq!(sent["properties"]["criteria"]["allOf"], json!([item]));
    // One more item is that item, without what is not to be there.
    let two = json!({"properties": {"criteria": {"allOf": [item, {"query": "Event", "dimensions": null}]}}});
    let path = "properties.criteria.allOf[1]".to_owned();
    assert_eq!(found(rule, &two, &sent), [(path.clone(), None, Some(json!({"query": "Event"})))]);
    let gone = found(rule, &sent, &json!({"properties": {"criteria": {"allOf": [item, {"query": "Event"}]}}}));
    assert_eq!(gone, [(path, Some(json!({"query": "Event"})), None)]);
}

#[test]
fn conditions_of_activity_log_alerts_have_no_order() {
    let rule = resource_type("Microsoft.Insights/activityLogAlerts").unwrap();
    let any = |field: &str, values: &[&str]| -> Value {
        let leaves: Vec<Value> = values.iter().map(|value| json!({"field": field, "equals": value})).collect();
        json!({ "anyOf": leaves })
    };
    let body = |conditions: Value| json!({"properties": {"condition": {"allOf": conditions}}});
    let category = json!({"field": "category", "equals": "ResourceHealth", "containsAny": null});
    let desired = body(json!([
        {"field": "category", "equals": "ResourceHealth"},
        any("status", &["Active", "Resolved"]),
        any("resourceType", &["Microsoft.Compute/virtualMachines"]),
    ]));
    let existing = body(json!([
        any("RESOURCETYPE", &["microsoft.compute/VirtualMachines"]),
        any("status", &["Resolved", "Active"]),
        category,
    ]));
    assert_eq!(found(rule, &desired, &existing), []);
    let other =
        body(json!([category, any("status", &["Updated", "Active"]), {"field": "resourceType", "equals": "a/b"}]));
    let leaf = |value: &str| json!({"field": "status", "equals": value});
    let types = any("resourceType", &["Microsoft.Compute/virtualMachines"]);
    let path = |end: &str| format!("properties.condition.allOf[{end}");
    assert_eq!(
        found(rule, &desired, &other),
        [
            (path("any status].anyOf[Resolved]"), None, Some(leaf("Resolved"))),
            (path("any status].anyOf[Updated]"), Some(leaf("Updated")), None),
            (path("any resourceType]"), None, Some(types)),
            (path("resourceType]"), Some(json!({"field": "resourceType", "equals": "a/b"})), None),
        ]
    );
    // What is of another form is not laid over it: Azure takes one of the forms in a condition.
    let mut sent = other;
    overlay(rule, &mut sent, &desired);
    drop_nulls(&mut sent);
    assert_eq!(sent, desired);
}

#[test]
fn locations_and_resource_types_are_compared_as_such_wherever_they_stand() {
    let rule = resource_type("Microsoft.Insights/metricAlerts").unwrap();
    let desired = json!({"properties": {"targetResourceRegion": "uksouth", "targetResourceType": "Microsoft.Compute/virtualMachines",
        "criteria": {"allOf": [{"name": "Alert Criteria 0", "metricNamespace": "Microsoft.Compute/virtualMachines",
            "dimensions": [{"name": "Disk", "values": ["1", "2"]}]}]}}});
    let existing = json!({"properties": {"targetResourceRegion": "UK South", "targetResourceType": "microsoft.compute/virtualmachines",
        "criteria": {"allOf": [{"name": "Alert Criteria 0", "metricNamespace": "MICROSOFT.COMPUTE/virtualMachines",
            "dimensions": [{"name": "Disk", "values": ["2", "1", "1"]}]}]}}});
    assert_eq!(found(rule, &desired, &existing), []);
    let service = resource_type("Microsoft.ApiManagement/service").unwrap();
    let places = |text: &str| json!({"properties": {"additionalLocations": [{"location": text}]}});
    assert_eq!(found(service, &places("uksouth"), &places("UK South")), []);
    assert_eq!(found(service, &places("uksouth"), &places("UK West")).len(), 1);
}

#[test]
fn sets_inside_items_have_no_order() {
    let endpoint = resource_type("Microsoft.Network/privateEndpoints").unwrap();
    let groups = |ids: &[&str]| json!({"properties": {"privateLinkServiceConnections": [{"name": "c", "properties": {"groupIds": ids}}]}});
    assert_eq!(found(endpoint, &groups(&["blob", "file"]), &groups(&["file", "blob"])), []);
    assert_eq!(found(endpoint, &groups(&["blob"]), &groups(&["file", "blob"])).len(), 1);
}

#[test]
fn what_is_sent_back_keeps_what_others_set() {
    let account = resource_type("Microsoft.Storage/storageAccounts").unwrap();
    let existing = json!({"id": "/x", "type": "T", "sku": {"name": "Standard_LRS", "tier": "Standard"}, "identity": null, "properties": {
        "creationTime": "2026", "provisioningState": "Succeeded", "largeFileSharesState": "Enabled",
        "networkAcls": {"bypass": "None", "virtualNetworkRules": [{"id": "/subnet", "state": "Succeeded"}]}}});
    let mut sent = writable(account, &existing);
    overlay(account, &mut sent, &json!({"properties": {"networkAcls": {"bypass": "AzureServices"}}}));
    assert_eq!(
        sent,
        json!({"sku": {"name": "Standard_LRS"}, "properties": {"largeFileSharesState": "Enabled",
            "networkAcls": {"bypass": "AzureServices", "virtualNetworkRules": [{"id": "/subnet"}]}}})
    );
}

#[test]
fn words_that_others_added_stay() {
    assert_eq!(joined("UserAssigned", "SystemAssigned"), "UserAssigned, SystemAssigned");
    assert_eq!(joined("SystemAssigned,UserAssigned", "SystemAssigned"), "SystemAssigned,UserAssigned");
    assert_eq!(joined("", "SystemAssigned"), "SystemAssigned");
}

#[test]
fn letter_case_of_a_stack_makes_no_difference() {
    let app = resource_type("Microsoft.Web/sites").unwrap();
    let stack = |text: &str| json!({"properties": {"siteConfig": {"linuxFxVersion": text}}});
    assert_eq!(differences(app, &stack("NODE|22-lts"), &stack("node|22-LTS")), []);
    assert_eq!(differences(app, &stack("NODE|24-lts"), &stack("NODE|22-lts")).len(), 1);
}

#[test]
fn what_azure_sets_in_each_member_is_not_sent_back() {
    let app = resource_type("Microsoft.Web/sites").unwrap();
    let identity = json!({"identity": {"type": "UserAssigned", "userAssignedIdentities": {"/a.b": {"clientId": "1", "principalId": "2"}}}});
    let sent = json!({"identity": {"type": "UserAssigned", "userAssignedIdentities": {"/a.b": {}}}});
    assert_eq!(writable(app, &identity), sent);
}

/// Answers of the examples `getScheduledQueryRule` and `ActivityLogAlertRule_Get` of Microsoft.Insights.
#[test]
fn what_is_not_shown_and_what_is_spelled_in_another_way_is_the_same() {
    let rule = resource_type("Microsoft.Insights/scheduledQueryRules").unwrap();
    let validation = |skipped: Value| json!({"properties": {"skipQueryValidation": skipped}});
    for none in [json!({"properties": {}}), validation(json!(null)), validation(json!(false))] {
        assert_eq!(found(rule, &validation(json!(false)), &none), []);
        assert_eq!(found(rule, &validation(json!(true)), &none).len(), 1);
    }
    let condition =
        |operator: &str| json!({"properties": {"criteria": {"allOf": [{"operator": operator, "query": operator}]}}});
    let differences = found(rule, &condition("GreaterThan"), &condition("greaterThan"));
    assert_eq!(differences.len(), 1, "the query is one in its own letters: {differences:?}");
    let alert = resource_type("Microsoft.Insights/activityLogAlerts").unwrap();
    let scope = |scope: &str| json!({"properties": {"scopes": [scope]}});
    assert_eq!(found(alert, &scope("/subscriptions/s"), &scope("subscriptions/S")), []);
    assert_eq!(found(alert, &scope("/subscriptions/s"), &scope("subscriptions/s/resourceGroups/g")).len(), 1);
}
