//! Names of accounts are worldwide.

use serde_json::json;

use crate::support::*;

/// The same account in a group of another subscription: somebody else's.
fn taken(cloud: &svc_local_cloud::LocalCloud) {
    taken_in(cloud, "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/elsewhere");
}

fn taken_in(cloud: &svc_local_cloud::LocalCloud, group: &str) {
    let account = format!("{group}/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec");
    cloud
        .import(&[
            json!({"id": group, "location": "uksouth"}),
            json!({"id": account, "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "properties": {}}),
        ])
        .unwrap();
}

#[test]
fn a_name_that_is_taken_elsewhere_is_an_error_of_the_plan() {
    let cloud = cloud();
    taken(&cloud);
    let project =
        Project::with(&document_of(&[("Orders", "accountType: Standard"), ("Ledger", "accountType: Standard")]));
    for outcome in [project.rehearse(&cloud), project.deploy(&cloud)] {
        let message = "storage.yml has 1 problem:\n[1] 4:25 storageAccounts[0].storageAccountName: the name 'stordersdb8e13ec' for the storage \
            account is taken elsewhere, and no two in the world can have one name; use another name, or set the organisation in a naming file and use \
            it in the names";
        assert_eq!(outcome.failed_with(), ("NameTaken", message));
        assert!(outcome.plan().is_empty());
        assert_eq!(outcome.last_error().findings.len(), 1);
    }
    assert!(writes(&cloud.requests()).is_empty());
}

/// What a document finds whose group is changed.
#[test]
fn an_account_that_exists_in_another_group_is_named_without_a_wait() {
    let cloud = cloud();
    taken_in(&cloud, &in_subscription("resourceGroups/Elsewhere"));
    let project = Project::with(&document(""));
    for outcome in [project.rehearse(&cloud), project.deploy(&cloud)] {
        let message = "storage.yml has 1 problem:\n[1] 4:25 storageAccounts[0].storageAccountName: the storage account 'stordersdb8e13ec' exists in \
            resource group 'Elsewhere', and no two in the world can have one name; deploy it to that group, move it in Azure, or use another name";
        assert_eq!(outcome.failed_with(), ("NameTaken", message));
    }
    assert!(writes(&cloud.requests()).is_empty());
}

#[test]
fn names_are_asked_about_only_for_what_is_created() {
    let cloud = cloud();
    let project =
        Project::with(&document_of(&[("Orders", "accountType: Standard"), ("Ledger", "accountType: Standard")]));
    let questions = |from: usize| {
        let asked = shown(&requests_after(&cloud, from));
        asked.iter().filter(|line| line.contains("checkNameAvailability")).count()
    };
    assert_eq!(project.rehearse(&cloud).plan().len(), 3);
    assert_eq!(questions(0), 2, "each once");
    project.deploy(&cloud);
    let before = cloud.requests().len();
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 3");
    assert_eq!(questions(before), 0);
}

#[test]
fn who_may_not_ask_about_a_name_finds_out_when_it_is_made() {
    let cloud = cloud();
    cloud.misbehave(fault("status=403,method=POST,path=checkNameAvailability"));
    let outcome = Project::with(&document("")).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 2");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let told = "Whether the name 'stordersdb8e13ec' for the storage account is free is not known: ";
    assert!(outcome.verbose().iter().any(|line| line.starts_with(told)), "{:#?}", outcome.verbose());
}

#[test]
fn an_account_has_the_same_name_in_every_subscription() {
    let cloud = cloud();
    let accounts = [("Orders", "accountType: Standard"), ("MyStorageaccount", "accountType: Standard")];
    let project = Project::with(&document_of(&accounts));
    let request =
        |subscription: &str| with(project.request(&cloud), json!({"context": {"subscriptionId": subscription}}));
    let (first, second) = ("11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222");
    let names = |subscription: &str| {
        let outcome = run(&with(request(subscription), json!({"whatIf": true})));
        let accounts = outcome.plan().iter().filter(|action| action.resource.label == "storage account");
        accounts.map(|action| action.resource.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(first), ["stordersdb8e13ec", "stmystorageaccountbd0fa5"]);
    assert_eq!(names(second), names(first));
    // So one document cannot go to both as it is.
    assert_eq!(run(&request(first)).summary(), "created 3");
    let outcome = run(&request(second));
    assert_eq!((outcome.failed_with().0, outcome.last_error().findings.len()), ("NameTaken", 2));
}
