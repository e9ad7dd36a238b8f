//! Everything that exists in a subscription, as an environment.

use std::collections::BTreeMap;
use std::path::Path;

use svc_engine::protocol::{Code, ErrorReport};

use super::*;
use crate::environment::{Environment, shop};
use crate::support::estate::landing_zone;

/// The line that the head of a document has above what it does not have.
const LEFT_OUT: &str = "# What it does not say:\n";

/// Exports everything to a folder, with these members besides.
fn export_all(folder: &Path, members: Value, cloud: &LocalCloud) -> Outcome {
    let request = json!({
        "all": true,
        "path": folder,
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    });
    export_with(&with(request, members))
}

/// The texts of the documents of an export, by their files.
fn texts(outcome: &Outcome) -> BTreeMap<String, String> {
    let document = |message: &Message| match message {
        Message::Document { text, path: Some(path), .. } => {
            Some((Path::new(path).file_name()?.to_str()?.to_owned(), text.clone()))
        }
        _ => None,
    };
    outcome.messages.iter().filter_map(document).collect()
}

/// The sentences of an export on what plans of its documents change.
fn differences(outcome: &Outcome) -> impl Iterator<Item = &String> {
    outcome.messages.iter().flat_map(|message| match message {
        Message::Document { differences, .. } => differences.as_slice(),
        _ => &[],
    })
}

/// The plan of everything that a cloud has, exported; what is wrong where that is neither empty nor told, or where the same documents,
/// deployed to a cloud that was as that one, are exported otherwise.
pub(crate) fn check_all(cloud: &LocalCloud, before: impl Fn() -> LocalCloud) -> Result<(), String> {
    let environment = Environment::of(&[]);
    let outcome = export_all(&environment.project.path(""), json!({}), cloud);
    let failed = outcome.errors().first().map(|error| error.failure.code.as_str().to_owned());
    if failed.is_some_and(|code| code != "NothingToExport") {
        return Err(format!("an export of everything fails: {:?}", outcome.errors()));
    }
    if texts(&outcome).is_empty() {
        return Ok(());
    }
    let plan = environment.rehearse(cloud);
    let is_told = differences(&outcome).next().is_some();
    // Two that are published under one name were so before, and stand in two documents now. So does a group with a front door and a solution:
    // what is in it need not be where the group is.
    let of_two = ["and a dependency on it would find two", "; the two want it differently in 'location'"];
    if plan.errors().first().is_some_and(|error| of_two.iter().any(|of_two| error.failure.message.contains(of_two))) {
        return Ok(());
    }
    let is_empty = || plan.descriptions().is_empty() && plan.counts().kept == 0;
    // A document of its own keeps what leads to the apps of another one.
    let is_of_one = || differences(&outcome).all(|text| text.contains(" lead elsewhere than to apps of the document"));
    if !plan.errors().is_empty() || is_told == is_empty() && !(is_told && is_of_one()) {
        let texts: Vec<String> = texts(&outcome).into_values().collect();
        return Err(format!(
            "the plan of an export, which tells differences: {is_told}: {:?}, {:?}\n{}",
            plan.errors(),
            plan.descriptions(),
            texts.join("\n")
        ));
    }
    if is_told {
        return Ok(());
    }
    let other = before();
    let again = environment.deploy(&other);
    let needs_more = |error: &ErrorReport| error.failure.code == Code::ServiceNotFound;
    let is_left_out = || {
        let of_the_group =
            |warning: &&str| warning.ends_with(" is left out: the naming convention does not generate its name.");
        texts(&outcome).values().any(|text| text.contains(LEFT_OUT)) || outcome.warnings().iter().any(of_the_group)
    };
    if again.errors().iter().any(|error| needs_more(error)) && is_left_out() {
        return Ok(());
    }
    if !again.errors().is_empty() {
        let texts = texts(&outcome).into_values().collect::<String>();
        return Err(format!("an export cannot be deployed: {:?}\n{texts}", again.errors()));
    }
    let second = Environment::of(&[]);
    let (texts, again) = (texts(&outcome), texts(&export_all(&second.project.path(""), json!({}), &other)));
    // What a document does not have is not there the second time, and nobody tells of it.
    let is_same = |text: &str, again: &str| {
        let keys = |text: &str| text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<String>();
        text == again || (text.contains(LEFT_OUT) && keys(text) == keys(again))
    };
    match texts.iter().find(|(file, text)| !again.get(*file).is_some_and(|again| is_same(text, again))) {
        None => Ok(()),
        Some((file, text)) => Err(format!("'{file}' is exported otherwise once more:\n{text}\n{:?}", again.get(file))),
    }
}

/// An empty folder with the names and tags of the environment of the examples.
fn project() -> Environment {
    let environment = Environment::of(&[]);
    for file in ["_names/generators.yml", "_names/tokens.yml"] {
        environment.project.write(file, std::fs::read(shop::folder().join(file)).unwrap());
    }
    environment
}

fn deployed() -> LocalCloud {
    let cloud = landing_zone();
    let request = json!({
        "settingsFiles": [shop::folder()],
        "context": { "cloud": cloud.endpoint() },
        "environment": {},
    });
    let outcome = crate::environment::run_deployment(&request);
    assert_eq!(outcome.errors().len(), 0, "{:#?}", outcome.errors());
    cloud
}

#[test]
fn the_environment_of_the_examples_comes_back() {
    let cloud = deployed();
    let environment = project();
    let outcome = export_all(&environment.project.path(""), json!({}), &cloud);
    let exported = texts(&outcome);
    let files: Vec<&str> = exported.keys().map(String::as_str).collect();
    let every_component = [
        "bastionHosts.yml",
        "logAlerts.yml",
        "metricAlerts.yml",
        "monitor.yml",
        "privateEndpoints.yml",
        "resourceHealthAlerts.yml",
        "storage.yml",
        "web.yml",
    ];
    assert_eq!(files, every_component);
    assert!(differences(&outcome).next().is_none(), "{:#?}", outcome.warnings());
    let plan = environment.rehearse(&cloud);
    assert_eq!(plan.descriptions(), Vec::<&str>::new());
    assert!(plan.counts().unchanged >= 80, "{:?}", plan.counts());
    // The endpoints of accounts and apps are with these; the one of the key vault is with nobody.
    assert_eq!(exported["privateEndpoints.yml"].matches("- name: ").count(), 1, "{}", exported["privateEndpoints.yml"]);
    assert!(
        exported["web.yml"].contains("            privateEndpoints:\n              - name: 0-checkout\n"),
        "{}",
        exported["web.yml"]
    );

    // Deployed from nothing, they are the same once more.
    let other = landing_zone();
    let again = environment.deploy(&other);
    assert_eq!(again.errors().len(), 0, "{:#?}", again.errors());
    let second = project();
    assert_eq!(texts(&export_all(&second.project.path(""), json!({}), &other)), exported);
    assert_eq!(shop::names(&other), shop::names(&cloud));
}

#[test]
fn an_earlier_export_is_replaced_only_where_that_is_said() {
    let cloud = deployed();
    let environment = project();
    let folder = environment.project.path("");
    let first = texts(&export_all(&folder, json!({}), &cloud));
    let outcome = export_all(&folder, json!({}), &cloud);
    assert_eq!(outcome.failed_with().0, "FileExists");
    assert_eq!(texts(&export_all(&folder, json!({"overwrite": true}), &cloud)), first);
    // Nothing is written where one of the files is somebody's.
    environment.project.write("web.yml", "component: web\n");
    environment.project.write("monitor.yml", &first["storage.yml"]);
    let outcome = export_all(&folder, json!({"overwrite": true}), &cloud);
    assert_eq!(outcome.failed_with().0, "FileExists");
    assert_eq!(std::fs::read_to_string(environment.project.path("web.yml")).unwrap(), "component: web\n");
    assert_eq!(std::fs::read_to_string(environment.project.path("monitor.yml")).unwrap(), first["storage.yml"]);
}

#[test]
fn names_of_others_are_kept_in_a_folder_of_their_own() {
    let cloud = landing_zone();
    let environment = Environment::of(&[]);
    let folder = environment.project.path("new");
    let outcome = export_all(&folder, json!({"names": true, "component": "storage"}), &cloud);
    assert_eq!(texts(&outcome).len(), 1, "{outcome:#?}");
    assert!(folder.join("_names/resources.yml").exists() || folder.join("_names/generators.yml").exists());
    let request = with(environment.request(&cloud), json!({"settingsFiles": [folder], "whatIf": true}));
    let plan = crate::environment::run_deployment(&request);
    assert_eq!((plan.errors().len(), plan.descriptions()), (0, Vec::new()), "{:#?}", plan.errors());
    environment.project.write("new/mine.yml", "component: storage\n");
    let outcome = export_all(&folder, json!({"names": true, "overwrite": true}), &cloud);
    assert_eq!(outcome.failed_with().0, "FileExists");
}

/// Settings of apps may be read by few, and are needed for one document only.
#[test]
fn what_may_not_be_read_keeps_no_other_document_away() {
    let cloud = deployed();
    cloud.misbehave(fault("status=403,times=always,path=/config/appsettings/list"));
    let environment = project();
    let outcome = export_all(&environment.project.path(""), json!({}), &cloud);
    let files: Vec<String> = texts(&outcome).into_keys().collect();
    assert_eq!(files.len(), 7, "{files:?}");
    assert!(!files.contains(&"web.yml".to_owned()), "{files:?}");
    let told = outcome.warnings().join("\n");
    assert!(told.contains("What belongs to the document cannot be read: "), "{told}");
}

#[test]
fn some_groups_have_the_documents_of_these() {
    let cloud = deployed();
    let environment = project();
    let folder = environment.project.path("");
    let group = |part: &str| {
        let id = cloud.ids().into_iter().find(|id| id.contains(part)).unwrap();
        id.split('/').nth(4).unwrap().to_owned()
    };
    let groups = [group("/storageAccounts/stcontosoorders"), group("/scheduledQueryRules/"), group("/metricAlerts/")];
    let members = json!({"all": false, "resourceGroup": groups});
    let outcome = export_all(&folder, members, &cloud);
    let files: Vec<String> = texts(&outcome).into_keys().collect();
    assert!(files.contains(&"storage.yml".to_owned()) && files.contains(&"logAlerts.yml".to_owned()), "{files:?}");
    assert!(!files.contains(&"web.yml".to_owned()), "{files:?}");
}

#[test]
fn what_is_wrong_is_told_before_anything_is_written() {
    let cloud = landing_zone();
    let environment = Environment::of(&[("file", "mine")]);
    let (file, folder) = (environment.project.path("file"), environment.project.path("new"));
    let none = json!({"all": false});
    for (members, code, message) in [
        (none.clone(), "RequestInvalid", "An export needs to know which resource groups it is of."),
        (json!({"resourceGroup": ["a"]}), "RequestInvalid", "Resource groups are named, and all are wanted as well."),
        (with(none.clone(), json!({"resourceGroup": []})), "RequestInvalid", "An export needs to know"),
        (with(none.clone(), json!({"resourceGroup": ["a/b"]})), "RequestInvalid", "resource group names can contain "),
        (json!({"path": null}), "RequestInvalid", "Several documents may be written, and there is no folder for them."),
        (json!({"path": file}), "FileExists", ""),
        (json!({"component": "storge"}), "RequestInvalid", "The component 'storge' is not valid"),
        (
            with(none, json!({"resourceGroup": ["missing"]})),
            "NothingToExport",
            "The resource group 'missing' does not exist.",
        ),
        (json!({"component": "web"}), "NothingToExport", "There is no document of anything in the subscription."),
    ] {
        let outcome = export_all(&folder, members.clone(), &cloud);
        let (found, text) = outcome.failed_with();
        assert_eq!(found, code, "{members}: {text}");
        assert!(text.starts_with(message), "{members}: {text}");
        assert!(!folder.exists(), "{members}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}
