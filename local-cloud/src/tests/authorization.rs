//! Permissions and role assignments.

use super::common::{Bench, RESOURCES, absolute, account_path, change_members};
use serde_json::{Value, json};

pub(super) const ROLES: &str = "2022-04-01";
pub(super) const ONE: &str = "11111111-1111-4111-8111-111111111111";
const TWO: &str = "22222222-2222-4222-8222-222222222222";
const PRINCIPAL: &str = "33333333-3333-4333-8333-333333333333";
const READER: &str = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.account("abc", json!({}));
    bench
}

pub(super) fn on(scope: &str, name: &str) -> String {
    let separator = if scope.is_empty() { "" } else { "/" };
    format!("{scope}{separator}providers/Microsoft.Authorization/roleAssignments/{name}")
}

pub(super) fn body(change: Value) -> Value {
    let role = absolute(&format!("providers/Microsoft.Authorization/roleDefinitions/{READER}"));
    let mut body = json!({"properties": {"principalId": PRINCIPAL, "roleDefinitionId": role}});
    change_members(&mut body["properties"], change);
    body
}

#[test]
fn a_role_is_assigned_at_any_scope() {
    let bench = bench();
    for (scope, name) in [("", ONE), ("resourceGroups/g", TWO), (&account_path("abc"), PRINCIPAL)] {
        let made = bench.put(&on(scope, name), ROLES, &body(json!({})));
        assert_eq!(made.status, 201, "{made:?}");
        let made = made.json();
        assert_eq!((&made["type"], &made["name"]), (&json!("Microsoft.Authorization/roleAssignments"), &json!(name)));
        assert_eq!(made["properties"]["scope"], absolute(scope).trim_end_matches('/'));
        assert_eq!(made["properties"]["principalType"], "ServicePrincipal");
        assert_eq!(bench.put(&on(scope, name), ROLES, &body(json!({}))).status, 200);
    }
    let nowhere = bench.put(&on(&account_path("none"), ONE), ROLES, &body(json!({})));
    assert_eq!(nowhere.refusal(), (404, "ResourceNotFound".into()));
    assert_eq!(bench.delete(&on("resourceGroups/g", TWO), ROLES).status, 200);
    assert_eq!(bench.delete(&on("resourceGroups/g", TWO), ROLES).status, 204);
    // It goes with what it is on.
    bench.delete(&account_path("abc"), super::common::STORAGE);
    assert_eq!(bench.cloud.resource(&absolute(&on(&account_path("abc"), PRINCIPAL))), None);
}

#[test]
fn assignments_azure_refuses_are_refused() {
    let bench = bench();
    let refused = |name: &str, change: Value| {
        let (status, code, message) = bench.refused(&on("resourceGroups/g", name), ROLES, &body(change));
        (status, code, message)
    };
    assert_eq!(refused("reader", json!({})).1, "InvalidRoleAssignmentId");
    assert_eq!(refused(ONE, json!({"principalId": null})).1, "InvalidPrincipalId");
    assert_eq!(refused(ONE, json!({"principalId": "me"})).1, "InvalidPrincipalId");
    assert_eq!(refused(ONE, json!({"roleDefinitionId": null})).1, "RoleDefinitionDoesNotExist");
    assert_eq!(refused(ONE, json!({"roleDefinitionId": "Reader"})).1, "RoleDefinitionDoesNotExist");
    assert_eq!(refused(ONE, json!({"principalType": "Robot"})).1, "InvalidPrincipalType");
    bench.made(&on("resourceGroups/g", ONE), ROLES, &body(json!({})));
    let (status, code, message) = refused(TWO, json!({}));
    assert_eq!((status, code.as_str()), (409, "RoleAssignmentExists"));
    assert!(message.ends_with("is 11111111111141118111111111111111."), "{message}");
    assert_eq!(refused(ONE, json!({"principalId": TWO})).1, "RoleAssignmentUpdateNotPermitted");
    assert_eq!(bench.refused(&on("", ONE), ROLES, &body(json!({}))).1, "RoleAssignmentUpdateNotPermitted");
    bench.made(&on("", TWO), ROLES, &body(json!({})));
}

#[test]
fn listings_have_what_holds_for_a_scope() {
    let bench = bench();
    let account = account_path("abc");
    bench.made(&on("", ONE), ROLES, &body(json!({})));
    bench.made(&on("resourceGroups/g", TWO), ROLES, &body(json!({"principalId": TWO})));
    bench.made(&on(&account, PRINCIPAL), ROLES, &body(json!({})));
    let names = |scope: &str, filter: &str| {
        let listed = bench.get(&format!("{}?{filter}", on(scope, "").trim_end_matches('/')), ROLES).json();
        let mut names: Vec<String> =
            listed["value"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("resourceGroups/g", ""), [ONE, TWO, PRINCIPAL]);
    assert_eq!(names(&account, ""), [ONE, TWO, PRINCIPAL]);
    assert_eq!(names("resourceGroups/g", "$filter=atScope()"), [ONE, TWO]);
    assert_eq!(names("", "$filter=atScope()"), [ONE]);
    let of = format!("$filter=atScope() and principalId eq '{TWO}'");
    assert_eq!(names(&account, &of), [TWO]);
    assert_eq!(names("", &format!("$filter=assignedTo('{PRINCIPAL}')")), [ONE, PRINCIPAL]);
    let wrong = bench.get(&format!("{}?$filter=name eq 'a'", on("", "").trim_end_matches('/')), ROLES);
    assert_eq!(wrong.status, 400);
}

#[test]
fn permissions_are_everything_unless_a_fault_says_less() {
    let bench = bench();
    let ask = |scope: &str| bench.get(&format!("{scope}/providers/Microsoft.Authorization/permissions"), ROLES);
    let everything = json!([{"actions": ["*"], "notActions": [], "dataActions": [], "notDataActions": []}]);
    for scope in [absolute("").trim_end_matches('/').to_owned(), "resourceGroups/g".to_owned(), account_path("abc")] {
        assert_eq!(ask(&scope).json()["value"], everything, "{scope}");
    }
    assert_eq!(ask("resourceGroups/none").refusal(), (404, "ResourceGroupNotFound".into()));
    bench.cloud.misbehave(
        "permissions=*/read|Microsoft.Web/*|!Microsoft.Web/sites/delete,path=resourceGroups/g,times=2".parse().unwrap(),
    );
    // Other requests do not use it up.
    assert_eq!(bench.get("resourceGroups/g", RESOURCES).status, 200);
    for _ in 0..2 {
        let less = ask("resourceGroups/g").json();
        assert_eq!(less["value"][0]["actions"], json!(["*/read", "Microsoft.Web/*"]));
        assert_eq!(less["value"][0]["notActions"], json!(["Microsoft.Web/sites/delete"]));
    }
    assert_eq!(ask("resourceGroups/g").json()["value"], everything);
}

#[test]
fn a_namespace_can_be_unregistered_and_takes_a_while_to_register() {
    let bench = bench();
    bench.cloud.misbehave("unregistered=Microsoft.Cdn".parse().unwrap());
    let state = || bench.get("providers/microsoft.cdn", RESOURCES).json()["registrationState"].clone();
    let profile = "resourceGroups/g/providers/Microsoft.Cdn/profiles/f";
    let body = json!({"location": "Global", "sku": {"name": "Standard_AzureFrontDoor"}});
    let put = || bench.put(profile, "2025-12-01", &body);
    for _ in 0..3 {
        assert_eq!(put().refusal(), (409, "MissingSubscriptionRegistration".into()));
        assert_eq!(state(), "NotRegistered");
    }
    assert!(put().text.contains("'Microsoft.Cdn'"));
    let check = json!({"name": "e", "type": "Microsoft.Cdn/profiles/afdEndpoints"});
    let action = "resourceGroups/g/providers/Microsoft.Cdn/checkEndpointNameAvailability";
    assert_eq!(bench.call("POST", action, "2025-12-01", Some(&check)).status, 409);
    // Others are not affected.
    assert_eq!(bench.get("providers/Microsoft.Storage", RESOURCES).json()["registrationState"], "Registered");
    assert_eq!(bench.call("PATCH", "resourceGroups/g", RESOURCES, Some(&json!({"tags": {}}))).status, 200);

    let register = || bench.call("POST", "providers/Microsoft.Cdn/register", RESOURCES, None).json();
    assert_eq!(register()["registrationState"], "Registering");
    assert_eq!((state(), state()), (json!("Registering"), json!("Registering")));
    assert_eq!(put().refusal().0, 409, "it is not there yet");
    assert_eq!(state(), "Registered");
    assert_eq!(register()["registrationState"], "Registered");
    assert_eq!(put().status, 201);
}
