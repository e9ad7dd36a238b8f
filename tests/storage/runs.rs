//! A first run creates, a second does nothing, a changed value is one change.

use serde_json::json;
use svc_engine::protocol::{Action, ActionKind, Confirm, JsonText, PropertyChange};

use crate::support::*;

/// Lines 5 to 15 of the document.
const WITH_CHILDREN: &str = "\
blobContainer:
  - name: data
    publicAccess: Blob
fileShare:
  - name: shared
    size: 200
queue:
  - orders
table:
  - customers
";

fn project() -> Project {
    Project::with(&document(WITH_CHILDREN))
}

/// The requests without those that follow operations, whose ids are random; sorted, since many are parallel.
fn sorted(mut requests: Vec<String>) -> Vec<String> {
    requests.retain(|request| !request.contains("/operationResults/"));
    requests.sort();
    requests
}

#[test]
fn a_first_run_creates_everything() {
    let (cloud, project) = (cloud(), project());
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 6");
    assert!(outcome.warnings().is_empty());
    assert_eq!(
        outcome.descriptions(),
        [
            "Create resource group 'rg-shop-iaas-99b8167f'.",
            "Create storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'.",
            "Create blob container 'data' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'.",
            "Create file share 'shared' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'.",
            "Create queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'.",
            "Create table 'customers' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'.",
        ]
    );
    let account = outcome.action("stordersdb8e13ec");
    let named = |action: &Action| (action.resource.label.clone(), action.resource.full_name.clone());
    assert_eq!(named(account), ("storage account".to_owned(), "stordersdb8e13ec".to_owned()));
    assert_eq!((account.confirm, account.depends_on.as_slice()), (Confirm::Normal, &[0][..]));
    let share = outcome.action("shared");
    assert_eq!(named(share), ("file share".to_owned(), "stordersdb8e13ec/default/shared".to_owned()));
    assert_eq!(share.depends_on, [0, 1], "the group and the account");
    assert_eq!(account.resource.resource_group.as_deref(), Some("rg-shop-iaas-99b8167f"));
    assert_eq!(account.resource.resource_id, in_subscription(ACCOUNT));
    assert_eq!(
        account.question,
        "Create storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f'?"
    );
    let tier = account.changes.iter().find(|change| change.path == "sku.name");
    let origin = Some("storage.yml:5:18".to_owned());
    assert_eq!(
        tier,
        Some(&PropertyChange {
            path: "sku.name".into(),
            before: None,
            after: Some(JsonText::from("Standard_LRS")),
            origin,
            by_policy: false
        })
    );
    assert_eq!(
        sorted(shown(&cloud.requests())),
        sorted(vec![
            // What is in an account that does not exist is not asked for.
            format!("GET {GROUP}"),
            format!("GET {GROUP}/providers/Microsoft.Storage/storageAccounts"),
            // What carries a publish name of the run's, and may have left the documents.
            "GET resources".to_owned(),
            "POST providers/Microsoft.Storage/checkNameAvailability".to_owned(),
            format!("PUT {GROUP}"),
            format!("PUT {ACCOUNT}"),
            format!("PUT {ACCOUNT}/blobServices/default/containers/data"),
            format!("PUT {ACCOUNT}/fileServices/default/shares/shared"),
            format!("PUT {ACCOUNT}/queueServices/default/queues/orders"),
            format!("PUT {ACCOUNT}/tableServices/default/tables/customers"),
        ])
    );
    let kinds: Vec<ActionKind> = outcome.resources().iter().map(|report| report.action).collect();
    assert_eq!(kinds, [ActionKind::Create; 6]);
    let order: Vec<&str> = outcome.resources().iter().map(|report| report.resource.name.as_str()).collect();
    assert_eq!(order[..2], ["rg-shop-iaas-99b8167f", "stordersdb8e13ec"], "prerequisites come first");
}

#[test]
fn a_second_run_sends_no_write_and_reads_by_listings() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    let before = cloud.requests().len();
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 6");
    assert!(outcome.plan().is_empty());
    assert_eq!(outcome.verbose().last(), Some(&"Everything is up to date: 6 resources."));
    assert!(outcome.verbose().contains(
        &"The queue 'orders' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' is up to date."
    ));
    assert_eq!(
        sorted(shown(&requests_after(&cloud, before))),
        [
            format!("GET {GROUP}"),
            format!("GET {GROUP}/providers/Microsoft.Storage/storageAccounts"),
            format!("GET {ACCOUNT}/blobServices/default/containers"),
            format!("GET {ACCOUNT}/fileServices/default/shares"),
            format!("GET {ACCOUNT}/queueServices/default/queues"),
            format!("GET {ACCOUNT}/tableServices/default/tables"),
            "GET resources".to_owned(),
        ]
    );
}

#[test]
fn what_is_up_to_date_is_reported_when_it_is_asked_for() {
    let (cloud, project) = (cloud(), project());
    let request = with(project.request(&cloud), json!({"context": {"includeUnchanged": true}}));
    assert!(run(&request).unchanged().is_empty(), "everything is new");
    let outcome = run(&request);
    let names: Vec<(&str, &str)> = outcome
        .unchanged()
        .iter()
        .map(|report| (report.resource.label.as_str(), report.resource.full_name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            ("resource group", "rg-shop-iaas-99b8167f"),
            ("storage account", "stordersdb8e13ec"),
            ("blob container", "stordersdb8e13ec/default/data"),
            ("file share", "stordersdb8e13ec/default/shared"),
            ("queue", "stordersdb8e13ec/default/orders"),
            ("table", "stordersdb8e13ec/default/customers"),
        ]
    );
    let account = outcome.unchanged()[1];
    assert_eq!(account.resource.resource_id, in_subscription(ACCOUNT));
    assert_eq!(account.resource.resource_group.as_deref(), Some("rg-shop-iaas-99b8167f"));
    let by_variable = with(project.request(&cloud), json!({"environment": {"SVC_INCLUDE_UNCHANGED": "true"}}));
    assert_eq!(run(&by_variable).unchanged().len(), 6);
    assert!(project.deploy(&cloud).unchanged().is_empty(), "nobody asked");
}

#[test]
fn many_accounts_are_read_with_one_listing() {
    let accounts: Vec<String> = (0..12).map(|number| format!("Number{number}")).collect();
    let accounts: Vec<(&str, &str)> = accounts.iter().map(|name| (name.as_str(), "accountType: Standard")).collect();
    let (cloud, project) = (cloud(), Project::with(&document_of(&accounts)));
    assert_eq!(project.deploy(&cloud).summary(), "created 13");
    let before = cloud.requests().len();
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 13");
    assert_eq!(
        requests_after(&cloud, before).len(),
        3,
        "one for the group, one for all accounts, one for what is tagged"
    );
}

/// Replaces one text of the document and runs it again. Returns the one change that is planned, and what was sent.
fn change(old: &str, new: &str) -> (Vec<PropertyChange>, String, serde_json::Value) {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    let text = document(WITH_CHILDREN);
    assert_eq!(text.matches(old).count(), 1, "{old}");
    project.write("storage.yml", text.replace(old, new));
    let before = cloud.requests().len();
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 5");
    let [action] = outcome.plan() else { panic!("not one action: {outcome:#?}") };
    assert_eq!(action.action, ActionKind::Modify);
    let sent = writes(&requests_after(&cloud, before));
    let [request] = sent.as_slice() else { panic!("not one write: {sent:#?}") };
    let body = request.body.clone().unwrap();
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 6");
    (action.changes.clone(), action.description.clone(), body)
}

fn changed(path: &str, before: &str, after: &str, origin: &str) -> PropertyChange {
    PropertyChange {
        path: path.to_owned(),
        before: Some(JsonText::read(before)),
        after: Some(JsonText::read(after)),
        origin: Some(origin.to_owned()),
        by_policy: false,
    }
}

#[test]
fn a_changed_share_size_is_one_modify_with_this_property() {
    let (changes, description, body) = change("size: 200", "size: 300");
    assert_eq!(changes, [changed("properties.shareQuota", "200", "300", "storage.yml:11:15")]);
    assert_eq!(
        description,
        "Change file share 'shared' of storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f': properties.shareQuota from 200 to 300."
    );
    assert_eq!(body["properties"]["shareQuota"], 300);
    assert!(body["properties"].get("lastModifiedTime").is_none(), "read-only properties are not sent: {body}");
}

#[test]
fn a_changed_public_access_is_one_modify_with_this_property() {
    let (changes, _, _) = change("publicAccess: Blob", "publicAccess: Container");
    assert_eq!(changes, [changed("properties.publicAccess", "\"Blob\"", "\"Container\"", "storage.yml:8:23")]);
}

#[test]
fn a_changed_redundancy_is_one_modify_that_names_its_own_setting() {
    let (changes, _, body) = change("accountType: Standard", "accountType: Standard\n    replication: GRS");
    assert_eq!(changes, [changed("sku.name", "\"Standard_LRS\"", "\"Standard_GRS\"", "storage.yml:6:18")]);
    assert_eq!(body["sku"], json!({"name": "Standard_GRS"}), "the tier is Azure's to say");
}

#[test]
fn a_value_that_was_a_default_is_one_modify_with_this_property() {
    let (changes, _, body) = change("    table:\n", "    supportsHttpsTrafficOnly: false\n    table:\n");
    assert_eq!(changes, [changed("properties.supportsHttpsTrafficOnly", "true", "false", "storage.yml:14:31")]);
    assert_eq!(body["properties"]["supportsHttpsTrafficOnly"], false);
}

#[test]
fn what_others_set_on_a_resource_survives_a_change() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    tamper(&cloud, ACCOUNT, |body| {
        body["tags"] = json!({"costCentre": "42"});
        body["properties"]["accessTier"] = json!("Cool");
        body["properties"]["allowSharedKeyAccess"] = json!(false);
        body["properties"]["networkAcls"]["ipRules"] = json!([{"value": "203.0.113.7", "action": "Allow"}]);
    });
    let container = format!("{ACCOUNT}/blobServices/default/containers/data");
    tamper(&cloud, &container, |body| body["properties"]["metadata"] = json!({"owner": "ops"}));
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 6", "none of this is in the document");

    let text = document(WITH_CHILDREN).replace("publicAccess: Blob", "publicAccess: None");
    let text = format!("{text}    networkAclsDefaultAction: Deny\n");
    project.write("storage.yml", format!("{text}    service:\n      publish:\n        storage: files\n"));
    assert_eq!(project.deploy(&cloud).summary(), "modified 2, unchanged 4");
    let account = resource(&cloud, ACCOUNT);
    assert_eq!(account["tags"], json!({"costCentre": "42", "svc-service": "files"}));
    assert_eq!(account["properties"]["accessTier"], "Cool");
    assert_eq!(account["properties"]["allowSharedKeyAccess"], false);
    assert_eq!(account["properties"]["networkAcls"]["defaultAction"], "Deny");
    assert_eq!(account["properties"]["networkAcls"]["ipRules"][0]["value"], "203.0.113.7");
    let container = resource(&cloud, &container);
    assert_eq!(container["properties"]["publicAccess"], "None");
    assert_eq!(container["properties"]["metadata"], json!({"owner": "ops"}));
}

#[test]
fn what_somebody_changed_by_hand_is_changed_back_and_nothing_else() {
    let (cloud, project) = (cloud(), Project::with(&document(&format!("{WITH_CHILDREN}minimumTlsVersion: TLS1_2\n"))));
    project.deploy(&cloud);
    tamper(&cloud, ACCOUNT, |body| body["properties"]["minimumTlsVersion"] = json!("TLS1_0"));
    let outcome = project.deploy(&cloud);
    let expected = changed("properties.minimumTlsVersion", "\"TLS1_0\"", "\"TLS1_2\"", "storage.yml:16:24");
    assert_eq!(outcome.action("stordersdb8e13ec").changes, [expected]);
    assert_eq!(outcome.summary(), "modified 1, unchanged 5");
}

#[test]
fn a_resource_group_stays_where_it_is() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    let moved = document(WITH_CHILDREN).replace("location: UK South", "location: North Europe");
    // The account says where it is, so that only the group's location differs.
    project.write("storage.yml", format!("{moved}    location: uksouth\n"));
    let before = cloud.requests().len();
    let outcome = project.deploy(&cloud);
    assert_eq!(outcome.summary(), "unchanged 6");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    assert_eq!(resource(&cloud, GROUP)["location"], "uksouth");
}

#[test]
fn what_if_plans_and_sends_no_write() {
    let (cloud, project) = (cloud(), project());
    let outcome = project.rehearse(&cloud);
    assert_eq!(outcome.plan().len(), 6);
    assert_eq!(outcome.summary(), "created 6");
    assert!(outcome.counts().what_if, "the counts are what would be done");
    assert!(writes(&cloud.requests()).is_empty());
    // Whatever the answer is.
    let request = with(project.request(&cloud), json!({"whatIf": true}));
    assert_eq!(run_approving(&request, |_| false).summary(), "created 6");

    project.deploy(&cloud);
    project.write("storage.yml", document(&WITH_CHILDREN.replace("200", "250")));
    let before = cloud.requests().len();
    let outcome = project.rehearse(&cloud);
    assert_eq!(outcome.plan().len(), 1);
    assert_eq!(outcome.summary(), "modified 1, unchanged 5");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    assert!(outcome.resources().is_empty());
}

#[test]
fn no_message_comes_after_the_result_and_progress_is_completed() {
    use svc_engine::protocol::Message;
    let outcome = project().deploy(&cloud());
    outcome.counts();
    let completed: Vec<bool> = outcome
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Progress { completed, .. } => Some(completed.unwrap_or_default()),
            _ => None,
        })
        .collect();
    assert_eq!(completed.iter().filter(|completed| **completed).count(), 1);
    assert_eq!(completed.last(), Some(&true));
}
