//! The refusals of templates, and what is told of one that does something otherwise than the command.

use serde_json::json;

use super::*;

/// A document that every cloud takes.
fn storage(lines: &str) -> String {
    format!("component: storage\n{}", document(lines))
}

#[test]
fn a_template_is_made_without_asking_anybody() {
    let project = Project::with(&storage("replication: LRS"));
    let request = json!({
        "settingsFile": project.path("storage.yml"),
        "context": {"offline": true},
        "environment": {},
    });
    let made = make(&request);
    assert!(
        !made.template().to_string().contains("00000000-0000"),
        "it is for every subscription: {}",
        made.template()
    );
    assert_eq!(types(made.template()).len(), 2);
    // A resource of a resource group is in a deployment of its own.
    let root = &made.template()["resources"];
    assert_eq!(root["deployment_rg_shop_iaas_99b8167f"]["dependsOn"], json!(["resourceGroup_rg_shop_iaas_99b8167f"]));
}

#[test]
fn what_depends_on_others_is_no_template_without_looking() {
    let text = std::fs::read_to_string(repository("examples/bastion-hosts.yml")).unwrap();
    let project = Project::with(&text);
    let request = json!({
        "settingsFile": project.path("storage.yml"),
        "context": {"offline": true},
        "environment": {},
        "template": {"lateBinding": true},
    });
    let made = make(&request);
    let (code, message) = made.outcome.failed_with();
    assert_eq!(code, "TemplateImpossible");
    assert!(
        message.starts_with("A template cannot be made offline of a document that depends on others: '"),
        "{message}"
    );
    assert!(message.contains("service.dependencies.workspace (storage.yml:"), "{message}");
}

#[test]
fn what_is_missing_is_an_error_and_no_placeholder() {
    let text = std::fs::read_to_string(repository("examples/bastion-hosts.yml")).unwrap();
    let made = make_of(&text, &cloud(), json!({}));
    assert_eq!(made.outcome.failed_with().0, "ServiceNotFound");
}

#[test]
fn a_wrong_document_is_no_template() {
    let made = make_of(&storage("replication: XYZ"), &cloud(), json!({}));
    assert_eq!(made.outcome.failed_with().0, "SettingsInvalid");
    let made = make_of(&document("replication: LRS"), &cloud(), json!({}));
    assert_eq!(made.outcome.failed_with().0, "ComponentMissing");
}

#[test]
fn only_a_template_has_options_of_one() {
    let cloud = cloud();
    let project = Project::with(&document("replication: LRS"));
    let outcome = run(&with(project.request(&cloud), json!({"template": {"stack": true}})));
    assert_eq!(outcome.failed_with().0, "RequestInvalid");
    let made = make_of(&storage("replication: LRS"), &cloud, json!({"colour": 1}));
    assert_eq!(made.outcome.failed_with().0, "RequestInvalid");
    let made = make_of(&storage("replication: LRS"), &cloud, json!({"path": "t.json"}));
    assert_eq!(made.outcome.failed_with().0, "PathNotAbsolute");
}

#[test]
fn the_file_is_written_as_a_whole_or_not_at_all() {
    let (cloud, folder) = (cloud(), Project::new());
    let file = folder.path("t.json");
    let made = make_of(&storage("replication: LRS"), &cloud, json!({"path": file}));
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(&written, made.template());
    assert_eq!(made.report().path.as_deref(), file.to_str());
    assert!(made.report().calls[0].command.contains(&format!("--template-file {}", file.display())));
    let made = make_of(&storage("replication: LRS"), &cloud, json!({"path": folder.path("new/folder/t.json")}));
    assert!(!made.template().is_null() && folder.path("new/folder/t.json").is_file());
    let made = make_of(&storage("replication: LRS"), &cloud, json!({"path": folder.path("t.json/t.json")}));
    assert_eq!(made.outcome.failed_with().0, "FileNotWritten");
}

#[test]
fn a_template_takes_the_place_of_an_earlier_template_only_where_that_is_said() {
    let (cloud, folder) = (cloud(), Project::new());
    let file = folder.path("t.json");
    let to = |path: &std::path::Path, overwrite: bool, document: &str| {
        make_of(&storage(document), &cloud, json!({"path": path, "overwrite": overwrite})).outcome
    };
    to(&file, true, "replication: LRS");
    let first = std::fs::read_to_string(&file).unwrap();
    let before = cloud.requests().len();
    assert_eq!(to(&file, false, "replication: ZRS").failed_with().0, "FileExists");
    // A template that somebody else has written is no template of ours.
    let schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
    let foreign = json!({"$schema": schema, "contentVersion": "1.0.0.0", "resources": []}).to_string();
    std::fs::write(folder.path("main.json"), &foreign).unwrap();
    assert_eq!(to(&folder.path("main.json"), true, "replication: ZRS").failed_with().0, "FileExists");
    assert_eq!(cloud.requests().len(), before, "nothing is asked for what cannot be written");
    assert_eq!(std::fs::read_to_string(folder.path("main.json")).unwrap(), foreign);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first);
    to(&file, true, "replication: ZRS");
    assert!(std::fs::read_to_string(&file).unwrap().contains("Standard_ZRS"));
}

#[test]
fn nothing_is_written_to_azure() {
    let cloud = landing_zone();
    let before = cloud.requests().len();
    make_of(&storage("replication: LRS"), &cloud, json!({}));
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn what_a_deployment_would_overwrite_is_told() {
    let cloud = cloud();
    let text = storage("replication: LRS");
    let project = Project::with(&text);
    project.deploy(&cloud);
    let overwritten = |made: &Made| -> Vec<String> {
        let warnings = made.outcome.warnings().into_iter().filter(|warning| warning.contains("overwrites"));
        warnings.map(str::to_owned).collect()
    };
    assert_eq!(overwritten(&make_of(&text, &cloud, json!({}))), [""; 0], "all of it is ours");
    tamper(&cloud, ACCOUNT, |body| {
        body["tags"]["theirs"] = json!("x");
        body["properties"]["minimumTlsVersion"] = json!("TLS1_3");
    });
    let told = overwritten(&make_of(&text, &cloud, json!({})));
    assert_eq!(
        told,
        ["storage.yml:5:5: a deployment of the template overwrites what the command keeps of the storage account \
          'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f': properties.minimumTlsVersion \"TLS1_3\" by \"TLS1_2\"; the tags \
          'theirs'."]
    );
}

#[test]
fn what_azure_cannot_change_is_told() {
    let cloud = cloud();
    Project::with(&storage("")).deploy(&cloud);
    let made = make_of(&storage("").replace("Standard", "Premium"), &cloud, json!({}));
    let warned = made.outcome.warnings().join("\n");
    let told = "exists with sku.name 'Standard_LRS', which Azure cannot change to 'Premium_LRS'. It stays as it is. A deployment of the \
                template tries to change it all the same.";
    assert!(warned.contains(told), "{warned}");
}

#[test]
fn texts_that_look_like_expressions_stay_texts() {
    let project = Project::with(&storage("replication: LRS"));
    project.write("_tags/globalTags.yml", "tags: {mandatory: {owner: \"[parameters('x')]\"}}");
    let made = make(&project.request(&cloud()));
    assert!(made.template().to_string().contains(r#""owner":"[[parameters('x')]""#), "{}", made.template());
}

#[test]
fn a_secret_that_stands_elsewhere_is_not_written_out() {
    let hook = "https://hooks.example/alerts/secret-token-of-the-hook";
    let text = std::fs::read_to_string(repository("examples/all-fields/core-monitor-all-fields.yml")).unwrap();
    let secret = text.lines().find_map(|line| line.split("serviceUri: ").nth(1)).unwrap();
    let secret = secret.split([',', '}', ' ']).next().unwrap().trim_matches('"').to_owned();
    let zone = fields_zone_with(svc_local_cloud::LocalCloudOptions::default());
    let project = Project::with(&text.replace(&secret, hook));
    project.write("_tags/globalTags.yml", format!("tags: {{mandatory: {{owner: {hook}}}}}"));
    let made = make(&project.request(&zone));
    let (code, message) = made.outcome.failed_with();
    assert_eq!(code, "TemplateImpossible");
    assert!(message.contains("also stands where it is none") && !message.contains(hook), "{message}");
}
