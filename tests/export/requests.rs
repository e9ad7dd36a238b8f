//! The requests of exports, and what is wrong with them.

use serde_json::json;

use super::*;
use crate::support::estate::STORAGE;

#[test]
fn what_cannot_be_exported_is_one_error() {
    let cloud = cloud();
    deploy(STORAGE, &document(""), &cloud);
    let account = "resourceGroups/others/providers/Microsoft.Storage/storageAccounts/somebodyelses";
    cloud
        .import(&[
            json!({"id": in_subscription("resourceGroups/empty"), "location": "uksouth"}),
            json!({"id": in_subscription("resourceGroups/others"), "location": "uksouth"}),
            json!({"id": in_subscription(account), "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}}),
        ])
        .unwrap();
    for (component, group, code, message) in [
        ("storge", GROUP, "RequestInvalid", "The component 'storge' is not valid"),
        (
            "web",
            GROUP,
            "NothingToExport",
            "The resource group 'rg-shop-iaas-99b8167f' has no app service plans, API management services or Front Door profiles to write",
        ),
        ("storage", "missing", "NothingToExport", "The resource group 'missing' does not exist."),
        (
            "Iaas.Storage",
            "empty",
            "NothingToExport",
            "The resource group 'empty' has no storage accounts to write a document of 'storage' of.",
        ),
        (
            "storage",
            "others",
            "NothingToExport",
            "The storage account in the resource group 'others' cannot be in a document of 'storage', so there is none.",
        ),
        ("storage", "a/b", "RequestInvalid", "resource group names can contain "),
        ("storage", "", "RequestInvalid", "resource group names must have 1 to 90 characters; '' has 0."),
    ] {
        let outcome = export(component, group, &cloud);
        let (found, text) = outcome.failed_with();
        assert_eq!(found, code, "{text}");
        assert!(text.starts_with(message), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_request() {
    let cloud = cloud();
    let good = request("storage", "x", &cloud);
    for (members, code, message) in [
        (json!({"component": 1}), "RequestInvalid", "The request cannot be read: invalid type: integer `1`"),
        (json!({"component": null}), "RequestInvalid", "Several documents may be written, and there is no folder"),
        (json!({"colour": "red"}), "RequestInvalid", "The request cannot be read: unknown field `colour`"),
        (json!({"settings": {}}), "RequestInvalid", "An export writes settings, so its request has none."),
        (
            json!({"context": {"offline": true}}),
            "ContextInvalid",
            "An export writes what exists, so it cannot be made offline. Leave offline out.",
        ),
        (json!({"baseDirectory": "here"}), "PathNotAbsolute", "'here' must be an absolute path"),
    ] {
        let outcome = export_with(&with(good.clone(), members));
        let (found, text) = outcome.failed_with();
        assert_eq!(found, code, "{text}");
        assert!(text.starts_with(message), "{text}");
    }
    let outcome = export_with(&json!({"component": "storage"}));
    assert_eq!(outcome.failed_with().1, "An export needs to know which resource groups it is of.");
}

#[test]
fn wrong_naming_files_are_told_before_anything_is_contacted() {
    let cloud = cloud();
    let project = Project::new();
    project.write("_names/generators.yml", "formats: 1\n");
    let before = cloud.requests().len();
    let outcome = export_with(&with(request("storage", "x", &cloud), json!({"baseDirectory": project.path("")})));
    assert_eq!(outcome.failed_with().0, "SettingsInvalid");
    assert_eq!(cloud.requests().len(), before);
}

#[test]
fn a_refused_read_is_the_error_of_azure() {
    for path in [GROUP, "/storageAccounts?", "/containers?"] {
        let cloud = cloud();
        deploy(STORAGE, &document(""), &cloud);
        cloud.misbehave(fault(&format!("status=403,times=always,path={path}")));
        let outcome = export("storage", GROUP, &cloud);
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "AuthorizationFailed", "{path}: {message}");
        assert!(
            message.starts_with("The resource group 'rg-shop-iaas-99b8167f' cannot be read: "),
            "{path}: {message}"
        );
    }
}

/// An export only reads, and what the request says of plans is not about its own.
#[test]
fn nothing_is_changed_and_no_plan_is_written() {
    let cloud = cloud();
    deploy(STORAGE, &document(""), &cloud);
    let project = Project::new();
    let before = cloud.requests().len();
    let members = json!({
        "context": {"planReport": project.path("plan.md"), "approvedPlan": project.path("missing.json")},
        "environment": {"SVC_PLAN_REPORT": project.path("other.md")},
    });
    let outcome = export_with(&with(request("storage", GROUP, &cloud), members));
    assert!(!outcome.document().is_empty());
    assert_eq!(writes(&requests_after(&cloud, before)).len(), 0);
    assert_eq!(std::fs::read_dir(project.path("")).unwrap().count(), 0);
}
