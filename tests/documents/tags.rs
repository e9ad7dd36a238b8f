//! Tags: those of a tag settings file, those of the project, and the one that carries publish names.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::*;

const PUBLISHED: &str = "\
service:
  publish:
    resourceGroup: shop-group
    storage: shop-files
";

const TAGS: &str = "tags:\n  mandatory:\n    owner: shop\n    costCentre: 42\n  custom:\n    live: true\n";

fn project() -> Project {
    let accounts = [
        ("Orders", "accountType: Standard"),
        ("Ledger", "accountType: Standard\nservice:\n  publish:\n    storage: shop-ledger"),
    ];
    Project::with(&format!("{PUBLISHED}{}", document_of(&accounts)))
}

/// The tags of the group and of the two accounts.
fn tags(cloud: &LocalCloud) -> [Value; 3] {
    let ledger = format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/stledger4239756b");
    [GROUP, ACCOUNT, &ledger].map(|path| resource(cloud, path)["tags"].clone())
}

#[test]
fn publish_names_of_the_item_win_over_those_of_the_root() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    assert_eq!(
        tags(&cloud),
        [
            json!({"svc-service": "shop-group"}),
            json!({"svc-service": "shop-files"}),
            json!({"svc-service": "shop-ledger"})
        ]
    );
}

#[test]
fn a_tag_file_is_put_on_the_accounts_and_on_a_group_that_the_run_creates() {
    let (cloud, project) = (cloud(), project());
    project.write("tags.yml", TAGS);
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    let outcome = run(&request);
    let of = |service: &str| json!({"costCentre": "42", "live": "true", "owner": "shop", "svc-service": service});
    assert_eq!(tags(&cloud), [of("shop-group"), of("shop-files"), of("shop-ledger")]);
    let origin = |key: &str| {
        let change =
            outcome.action("stledger4239756b").changes.iter().find(|change| change.path == format!("tags.{key}"));
        change.unwrap().origin.clone().unwrap()
    };
    assert_eq!(origin("owner"), "tags.yml:3:12");
    assert_eq!(origin("svc-service"), "storage.yml:14:18");
    assert_eq!(run(&request).summary(), "unchanged 3");

    // One changed tag is one modify of each account with exactly that tag; the group exists by now and is left alone.
    project.write("tags.yml", TAGS.replace("shop", "ops"));
    let outcome = run(&request);
    assert_eq!(outcome.summary(), "modified 2, unchanged 1");
    for action in outcome.plan() {
        let [change] = &action.changes[..] else { panic!("not one change: {action:#?}") };
        assert_eq!(change.path, "tags.owner");
        assert_eq!(
            (
                change.before.as_ref().map(ToString::to_string).as_deref(),
                change.after.as_ref().map(ToString::to_string).as_deref()
            ),
            (Some("\"shop\""), Some("\"ops\""))
        );
    }
}

#[test]
fn the_service_tag_wins_over_a_tag_file_in_any_case() {
    let (cloud, project) = (cloud(), project());
    project.write("tags.yml", "tags: {mandatory: {SVC-Service: from-the-file, owner: shop}}");
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    run(&request);
    assert_eq!(tags(&cloud)[1], json!({"owner": "shop", "svc-service": "shop-files"}));
    assert_eq!(run(&request).summary(), "unchanged 3");
}

#[test]
fn the_tags_of_the_project_hold_unless_a_file_is_named_or_tags_are_omitted() {
    let project = project();
    project.write("_tags/globalTags.yml", "tags: {mandatory: {from: project}}");
    project.write("tags.yml", "tags: {mandatory: {from: file}}");
    let from = |members: Value| {
        let cloud = cloud();
        run(&with(project.request(&cloud), members));
        tags(&cloud)[1]["from"].clone()
    };
    assert_eq!(from(json!({})), "project");
    assert_eq!(from(json!({"tagSettingsFile": project.path("tags.yml")})), "file");
    assert_eq!(from(json!({"omitTags": true})), Value::Null);
    assert_eq!(from(json!({"omitTags": false})), "project");
    // It is found in the nearest folder above the settings, or in the folder that the context names.
    project.write("below/deep/storage.yml", std::fs::read(project.path("storage.yml")).unwrap());
    let cloud = cloud();
    run(&project.request_for("below/deep/storage.yml", &cloud));
    assert_eq!(tags(&cloud)[1]["from"], "project");
    let elsewhere = Project::new();
    elsewhere.write("_tags/globalTags.json", r#"{"tags": {"custom": {"from": "elsewhere"}}}"#);
    assert_eq!(from(json!({"context": {"projectRoot": elsewhere.path("")}})), "elsewhere");
}

#[test]
fn omitted_tags_are_a_warning_and_leave_the_service_tag() {
    let (cloud, project) = (cloud(), project());
    project.write("_tags/globalTags.yml", TAGS);
    let outcome = run(&with(project.request(&cloud), json!({"omitTags": true})));
    assert_eq!(tags(&cloud)[1], json!({"svc-service": "shop-files"}));
    assert_eq!(
        outcome.warnings(),
        ["Tag settings are skipped, as was asked for; only the tag for publish names is written."]
    );
}

#[test]
fn tags_of_others_stay() {
    let (cloud, project) = (cloud(), project());
    project.deploy(&cloud);
    tamper(&cloud, ACCOUNT, |body| body["tags"] = json!({"theirs": "1", "OWNER": "them", "svc-service": "shop-files"}));
    assert_eq!(project.deploy(&cloud).summary(), "unchanged 3");
    project.write("tags.yml", "tags: {mandatory: {owner: shop}}");
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    assert_eq!(run(&request).summary(), "modified 2, unchanged 1");
    assert_eq!(tags(&cloud)[1], json!({"theirs": "1", "OWNER": "shop", "svc-service": "shop-files"}));
    assert_eq!(tags(&cloud)[0], json!({"svc-service": "shop-group"}));
}

#[test]
fn another_tag_key_carries_the_publish_names() {
    let (cloud, project) = (cloud(), project());
    let request = with(project.request(&cloud), json!({"context": {"serviceTagKey": "cm-service"}}));
    run(&request);
    assert_eq!(tags(&cloud)[1], json!({"cm-service": "shop-files"}));
    assert_eq!(run(&request).summary(), "unchanged 3");
    // The variable is the default of the member of the context.
    let request = with(project.request(&cloud), json!({"environment": {"SVC_SERVICE_TAG_KEY": "cm-service"}}));
    assert_eq!(run(&request).summary(), "unchanged 3");
}

#[test]
fn what_is_wrong_with_a_tag_file() {
    let table: &[(&str, &str)] = &[
        (
            "tags:\n  mandatory:\n    owner:\n    a/b: x\n    'c<d': x\n",
            "tags.yml has 3 problems:\n[1] 3:10 tags.mandatory.owner: the mandatory tag has no value\n\
             [2] 4:10 tags.mandatory.a/b: a tag key must not contain '/' or any other of <>%&\\?/\n\
             [3] 5:12 tags.mandatory.c<d: a tag key must not contain '<' or any other of <>%&\\?/",
        ),
        (
            "tags: {mandatory: {owner: ''}}",
            "tags.yml has 1 problem:\n[1] 1:27 tags.mandatory.owner: the mandatory tag has no value",
        ),
        (
            "tags: {mandatory: {owner: a}, custom: {Owner: b, list: [1]}}",
            "tags.yml has 2 problems:\n[1] 1:47 tags.custom.Owner: duplicate tag, also set as 'owner'; letter case makes no difference\n\
             [2] 1:56 tags.custom.list: expected text, a number, true or false",
        ),
        (
            "mandatory: {owner: a}",
            "tags.yml has 1 problem:\n[1] 1:1 mandatory: unknown key; known keys are component, tags, resourceIds, resourceGroupIds",
        ),
        (
            "tags: [a]",
            "tags.yml has 1 problem:\n[1] 1:7 tags: expected an object, found a list; its keys are mandatory, custom",
        ),
        (
            "tags: {mandatory: {a: 1}, mandatory: {b: 1}}",
            "tags.yml has 1 problem:\n[1] 1:27 duplicate key 'mandatory', first set in line 1",
        ),
    ];
    let (cloud, project) = (cloud(), project());
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    for (text, message) in table {
        project.write("tags.yml", text);
        assert_eq!(run(&request).failed_with(), ("SettingsInvalid", *message), "{text}");
    }
    let long = format!("tags:\n  custom:\n    long: {}\n    {}: x\n", "v".repeat(257), "k".repeat(513));
    project.write("tags.yml", &long);
    assert_eq!(
        run(&request).failed_with().1,
        format!(
            "tags.yml has 2 problems:\n[1] 3:11 tags.custom.long: the value has 257 characters; tag values can have at most 256\n\
             [2] 4:520 tags.custom.{}: a tag key can have at most 512 characters",
            "k".repeat(513)
        )
    );
    std::fs::remove_file(project.path("tags.yml")).unwrap();
    let (code, message) = (
        "SettingsFileNotFound",
        format!("The tag settings file '{}' does not exist.", project.path("tags.yml").display()),
    );
    assert_eq!(run(&request).failed_with(), (code, message.as_str()));
    assert!(cloud.requests().is_empty());
}

#[test]
fn more_tags_than_azure_takes_and_keys_that_are_too_long_for_storage() {
    let (cloud, project) = (cloud(), project());
    let request = with(project.request(&cloud), json!({"tagSettingsFile": project.path("tags.yml")}));
    let lines: String = (0..50).map(|number| format!("    tag{number}: x\n")).collect();
    project.write("tags.yml", format!("tags:\n  custom:\n{lines}"));
    assert_eq!(
        run(&request).failed_with().1,
        "storage.yml has 3 problems:\n[1] 6:20 resourceGroupName: 51 tags are too many; a resource group takes at most 50\n\
         [2] 8:5 storageAccounts[0]: 51 tags are too many; a storage account takes at most 50\n\
         [3] 10:5 storageAccounts[1]: 51 tags are too many; a storage account takes at most 50"
    );
    let key = "k".repeat(129);
    project.write("tags.yml", format!("tags: {{custom: {{{key}: x}}}}"));
    let too_long = format!("the tag key '{key}' is too long; a storage account takes at most 128 characters");
    assert_eq!(
        run(&request).failed_with().1,
        format!(
            "storage.yml has 2 problems:\n[1] 8:5 storageAccounts[0]: {too_long}\n[2] 10:5 storageAccounts[1]: {too_long}"
        )
    );
    assert!(cloud.requests().is_empty());
}

#[test]
fn a_tag_of_the_tag_file_with_the_publish_name_is_no_other_tag_key() {
    let (cloud, project) = (cloud(), project());
    project.write("_tags/globalTags.yml", "tags: {mandatory: {application: shop-files}}\n");
    project.deploy(&cloud);
    tamper(&cloud, ACCOUNT, |body| body["tags"] = json!({"application": "shop-files"}));
    assert_eq!(project.deploy(&cloud).summary(), "modified 1, unchanged 2");
    tamper(&cloud, ACCOUNT, |body| body["tags"] = json!({"application": "shop-files", "their-service": "shop-files"}));
    let outcome = project.deploy(&cloud);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "ServiceTagKeyDiffers");
    assert!(message.contains("is in its tag 'their-service'; the run would put it into"), "{message}");
}
