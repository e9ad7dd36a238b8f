//! Generated names: a project's own naming files, the environment, and names that Azure would refuse.

use serde_json::{Value, json};

use crate::support::*;

/// The names of the planned group and account.
fn names(outcome: &Outcome) -> [&str; 2] {
    let [group, account] = outcome.plan() else { panic!("not two actions: {outcome:#?}") };
    [&group.resource.name, &account.resource.name]
}

const GENERATORS: &str = "\
component: naming
formats:
  - name: ours
    separator: '-'
    components:
      - source: organisation
      - source: resource
      - source: name
      - source: environment
      - source: location
    removeCharacters: ['x']
    case: lower
  - name: joined
    components:
      - source: organisation
      - source: name
      - source: subscriptionName
      - source: hash
        maxLength: 4
";
const RESOURCES: &str = "\
resources:
  - name: ResourceGroup
    shortname: group
    generator: ours
  - name: storageaccount
    generator: joined
    maxLength: 24
";
const TOKENS: &str = "tokens:\n  organisation: acme\n  environments:\n    production: live\n";

#[test]
fn the_naming_files_of_a_project_are_honoured() {
    let cloud = cloud();
    let project = Project::with(&document("").replace("Shop", "Boxes"));
    for (file, text) in [("generators", GENERATORS), ("resources", RESOURCES), ("tokens", TOKENS)] {
        project.write(&format!("_names/{file}.yml"), text);
    }
    project.write("_names/locations.yml", "locations:\n  - name: UK South\n    shortname: lon\n");
    let request = |context: Value| with(project.request(&cloud), json!({"whatIf": true, "context": context}));
    let production = run(&request(json!({"environment": "Production", "subscriptionName": "Retail Shop"})));
    let [group, account] = names(&production);
    assert_eq!(group, "acme-group-boes-live-lon");
    assert!(account.starts_with("acmeordersreta") && account.len() == "acmeordersreta".len() + 4, "{account}");
    let development = run(&request(json!({"subscriptionName": "Retail Shop"})));
    assert_eq!(names(&development)[0], "acme-group-boes-dev-lon");

    // The folder is found above the settings, too, and the one that the context names holds before it.
    project.write("a/b/storage.yml", std::fs::read(project.path("storage.yml")).unwrap());
    let below = run(&with(
        project.request_for("a/b/storage.yml", &cloud),
        json!({"whatIf": true, "context": {"subscriptionName": "Retail Shop"}}),
    ));
    assert_eq!(names(&below)[0], "acme-group-boes-dev-lon");
    // Without a name of the subscription its segment is empty, as it was in the replaced module.
    let unnamed = run(&request(json!({})));
    let [_, account] = names(&unnamed);
    assert!(account.starts_with("acmeorders") && account.len() == "acmeorders".len() + 4, "{account}");
    let empty = Project::new();
    let elsewhere = run(&request(json!({"projectRoot": empty.path("")})));
    assert!(names(&elsewhere)[0].starts_with("rg-boxes-iaas-"), "{:?}", names(&elsewhere));
}

#[test]
fn the_environment_is_not_in_storage_names_and_must_be_known() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    let of = |environment: &str| {
        run(&with(project.request(&cloud), json!({"whatIf": true, "context": {"environment": environment}})))
    };
    for environment in ["production", "TEST", "integration", "default", ""] {
        assert_eq!(names(&of(environment)), ["rg-shop-iaas-99b8167f", "stordersdb8e13ec"], "{environment}");
    }
    assert_eq!(
        of("prod").failed_with(),
        (
            "EnvironmentUnknown",
            "'prod' is not an environment; use development, integration, test, production or default."
        )
    );
}

#[test]
fn names_lose_what_azure_refuses_and_are_cut_to_the_longest_it_takes() {
    let text =
        document("").replace("Shop", "The Shop/North & South").replace("Orders", "Orders_and-Returns of the north");
    let outcome = Project::with(&text).rehearse(&cloud());
    let [group, account] = names(&outcome);
    assert!(group.starts_with("rg-theshopnorthsouth-iaas-"), "{group}");
    assert_eq!((account.len(), account), (24, "stordersandreturnsofthen"));
}

#[test]
fn letters_that_vanish_from_a_name_are_told_and_those_that_azure_takes_stay() {
    let text = document("").replace("Shop", "Ünïcode 🚀").replace("Orders", "Örders");
    let outcome = Project::with(&text).rehearse(&cloud());
    let [group, account] = names(&outcome);
    assert!(group.starts_with("rg-ünïcode-iaas-"), "{group}");
    assert!(account.starts_with("strders"), "{account}");
    let warned = |place: &str, what: &str, name: &str, lost: &str| {
        format!("storage.yml:{place}: the name of the {what} is '{name}', because Azure does not take {lost} in it")
    };
    assert_eq!(
        outcome.warnings(),
        [
            warned("2:20: resourceGroupName", "resource group", group, "'🚀'"),
            warned("4:25: storageAccounts[0].storageAccountName", "storage account", account, "'ö'"),
        ]
    );
}

#[test]
fn a_publish_name_that_is_a_number_is_the_text_that_is_written() {
    for (written, value) in [("0x1F", "31"), ("1e3", "1000.0")] {
        let text = document(&format!("service: {{publish: {{storage: {written}}}}}"));
        let planned = Project::with(&text).rehearse(&cloud());
        let mut values =
            planned.plan().iter().flat_map(|action| &action.changes).filter_map(|change| change.after.as_deref());
        assert!(values.any(|after| after == written), "{:#?}", planned.plan());
        assert_eq!(
            planned.warnings(),
            [format!(
                "storage.yml:6:34: storageAccounts[0].service.publish.storage: the number {written} is taken as text, as it is written, and others may read {value}; write \"{written}\""
            )]
        );
    }
}

#[test]
fn a_generated_name_that_azure_refuses_is_a_finding_with_the_rule() {
    let cloud = cloud();
    let project = Project::with(&document(""));
    project.write("_names/generators.yml", "formats:\n  - name: short\n    components:\n      - source: resource\n");
    project.write(
        "_names/resources.yml",
        "resources:\n  - name: StorageAccount\n    shortname: st\n    generator: short\n",
    );
    assert_eq!(
        project.deploy(&cloud).failed_with(),
        (
            "SettingsInvalid",
            "storage.yml has 1 problem:\n[1] 4:25 storageAccounts[0].storageAccountName: storage account names must have 3 to 24 characters; 'st' has 2"
        )
    );
    assert!(cloud.requests().is_empty());
}

#[test]
fn what_is_wrong_with_naming_files_is_said_at_once() {
    let project = Project::with(&document(""));
    project.write("_names/generators.yml", "formats:\n  - name: ours\n    components:\n      - source: nmae\n");
    project.write("_names/resources.yml", "resources:\n  - name: StorageAccount\n    generator: theirs\n");
    project.write("_names/tokens.yml", "tokens:\n  organisation: [acme, other]\n");
    let outcome = project.deploy(&cloud());
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid");
    assert_eq!(
        message.lines().collect::<Vec<_>>(),
        [
            "3 problems in _names/generators.yml, _names/resources.yml and _names/tokens.yml:",
            "[1] _names/generators.yml 4:17 formats[0].components[0].source: 'nmae' is not valid, did you mean 'name'? Use resource, name, environment, location, region, architecture, organisation, project, subscriptionName, subscriptionId, packageVersion, timestamp, hash, buildId or app",
            "[2] _names/resources.yml 3:16 resources[0].generator: 'theirs' is not a generator; known generators are standard, resourcegroup, app, storage, deployment, ours",
            "[3] _names/tokens.yml 2:17 tokens.organisation: expected text, found a list",
        ]
    );
}

#[test]
fn a_name_that_is_taken_elsewhere_is_an_error_that_says_what_to_do() {
    let cloud = cloud();
    let theirs = "resourceGroups/theirs/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec";
    let body = json!({"id": in_subscription(theirs), "location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}});
    cloud.import(&[body]).unwrap();
    // Who may ask learns it in the plan; who may not, when the account is made.
    cloud.misbehave(fault("status=403,method=POST,path=checkNameAvailability,times=always"));
    let outcome = Project::with(&document("")).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 1, failed 1");
    let error = outcome.errors()[0];
    assert_eq!(
        (error.failure.code.as_str(), error.failure.message.as_str()),
        (
            "StorageAccountAlreadyTaken",
            "storage.yml:4:5: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created: \
             The storage account named stordersdb8e13ec is already taken."
        )
    );
    assert_eq!(
        error.failure.recommendation.as_deref(),
        Some(
            "This name must be unique across Azure and is already taken. Choose another name in the settings, or add the organisation to names with a naming file (_names)."
        )
    );
}

#[test]
fn of_very_many_warnings_the_first_hundred_are_shown() {
    let project = Project::with(&document(""));
    let keys: String = (0..5_000).map(|number| format!("key{number}: x\n")).collect();
    project.write("_names/tokens.yml", format!("tokens: {{architecture: {{iaas: iaas}}}}\n{keys}"));
    let outcome = project.rehearse(&cloud());
    let warnings = outcome.warnings();
    assert_eq!(warnings.len(), 101, "{:?}", &warnings[..3]);
    assert!(warnings[99].starts_with("tokens.yml:101:1: key99: "), "{}", warnings[99]);
    assert_eq!(warnings[100], "… and 4,900 more warnings.");
}

#[test]
fn of_a_warning_for_each_item_the_first_hundred_are_shown() {
    let accounts: Vec<String> = (0..150).map(|number| format!("Orders{number}")).collect();
    // Standard accounts do not have this kind.
    let accounts: Vec<(&str, &str)> =
        accounts.iter().map(|name| (name.as_str(), "accountType: Standard\nkind: FileStorage")).collect();
    let outcome = Project::with(&document_of(&accounts)).rehearse(&cloud());
    let warnings = outcome.warnings();
    assert_eq!((warnings.len(), warnings[100]), (101, "… and 50 more warnings."), "{:?}", &warnings[..3]);
}
