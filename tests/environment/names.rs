//! Names that a run takes away, or gives to what is there: look-ups find what they would find when the run is over.

use super::look_ups::ENDPOINTS;
use super::*;
use crate::support::estate::{Deployment, group, landing_zone, published};
use svc_engine::protocol::JsonText;

/// [`STORAGE`], whose accounts get another publish name.
fn renamed() -> String {
    STORAGE.replace("storage: shop-files", "storage: renamed-files")
}

#[test]
fn a_name_that_another_document_takes_away_is_not_found() {
    for endpoints in ["a.yml", "z.yml"] {
        let environment = Environment::of(&[("storage.yml", STORAGE), (endpoints, ENDPOINTS)]);
        let cloud = landing_zone();
        environment.deploy_twice(&cloud);
        environment.project.write("storage.yml", renamed());
        let before = cloud.requests().len();
        let outcome = environment.deploy(&cloud);
        let report = outcome.last_error();
        assert_eq!(report.failure.code.as_str(), "ServiceNotFound", "{report:#?}");
        let said = "is published as 'shop-files' when the run is over: 'stordersdb8e13ec' becomes 'renamed-files' (storage.yml:7:14)";
        assert!(
            report.failure.message.contains(said) && report.failure.message.contains(endpoints),
            "{}",
            report.failure.message
        );
        assert!(writes(&requests_after(&cloud, before)).is_empty());
        // Nobody makes it before the next run, so the plan shows no placeholder.
        let rehearsed = environment.rehearse(&cloud);
        assert!(rehearsed.last_error().failure.message.contains(said), "{:#?}", rehearsed.messages);
    }
}

#[test]
fn a_name_that_a_document_takes_away_from_itself_is_not_found() {
    let text = |published: &str| {
        format!(
            "location: UK South
resourceGroupName: Shop
service:
  publish: {{resourceGroup: {published}, storage: shop-files}}
  dependencies: {{vnet: hub-network}}
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
    privateEndpoints:
      - subnetName: endpoints
        subResourceName: blob
        service: {{publish: {{resourceGroup: shop-group}}}}
"
        )
    };
    let deployment = Deployment::new(crate::support::estate::STORAGE, &text("shop-group"));
    let cloud = landing_zone();
    assert!(deployment.deploy(&cloud).errors().is_empty());
    assert!(deployment.deploy(&cloud).plan().is_empty());
    deployment.rewrite(&text("store-group"));
    let before = cloud.requests().len();
    for outcome in [deployment.rehearse(&cloud), deployment.deploy(&cloud)] {
        let report = outcome.last_error();
        assert_eq!(report.failure.code.as_str(), "ServiceNotFound", "{report:#?}");
        let said = "no resource group in this subscription is published as 'shop-group' when the run is over: 'rg-shop-iaas-99b8167f' becomes 'store-group' (settings.yml:4:28)";
        assert!(report.failure.message.contains(said), "{}", report.failure.message);
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn of_two_the_one_that_keeps_the_name_is_found() {
    let other = STORAGE.replace("Shop", "Other").replace("shop-group", "other-group").replace("Orders", "Ledger");
    let environment = Environment::of(&[("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    environment.project.write("storage.yml", renamed());
    environment.project.write("a.yml", ENDPOINTS);
    environment.project.write("other.yml", other);
    let outcome = environment.deploy_twice(&cloud);
    let endpoint = outcome.plan().iter().find(|action| action.resource.name.starts_with("ped-files")).unwrap();
    let ledger = outcome.plan().iter().find(|action| action.resource.name.starts_with("stledger")).unwrap();
    assert!(endpoint.depends_on.contains(&ledger.index), "{endpoint:#?}");
    let already_used = |warning: &&str| warning.contains("already used");
    assert!(!outcome.warnings().iter().any(already_used), "{:#?}", outcome.warnings());
}

#[test]
fn an_exception_that_another_document_takes_away_excludes_nothing() {
    let alerts = LOG_ALERTS.replace("Low_Disk_Space\n", "Low_Disk_Space\n            exclusions: [patching]\n");
    let environment = Environment::of(&[("alerts.yml", &alerts), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    let run_with = |value: &str, what_if: bool| {
        environment.project.write("other/tags.yml", format!("tags: {{custom: {{svc-monitor-exception: {value}}}}}"));
        let tags = json!({"whatIf": what_if, "tagSettingsFile": environment.project.path("other/tags.yml")});
        run_deployment(&with(environment.request(&cloud), tags))
    };
    assert!(run_with("patching", false).errors().is_empty());
    let outcome = run_with("backups", true);
    let mut changes = outcome.plan().iter().flat_map(|action| &action.changes);
    let excludes = |query: Option<&JsonText>| query.is_some_and(|query| query.to_string().contains("stordersdb8e13ec"));
    let query = changes.find(|change| change.path.contains("criteria") && excludes(change.before.as_ref()));
    assert!(query.is_some_and(|change| !excludes(change.after.as_ref())), "{:#?}", outcome.plan());
}

#[test]
fn a_group_that_is_published_in_this_run_is_where_it_was_made() {
    let cloud = landing_zone();
    let own = published("resourceGroups/rg-shop-iaas-99b8167f", "westeurope", "", json!({}));
    cloud.import(&[own, group("rg-other", "shop-group")]).unwrap();
    let inner = "\
component: storage
location: UK South
service: {dependencies: {resourceGroup: shop-group}, publish: {storage: inner}}
storageAccounts: [{storageAccountName: Inner, accountType: Standard}]
";
    let environment = Environment::of(&[("a.yml", inner), ("storage.yml", STORAGE)]);
    let outcome = environment.deploy_twice(&cloud);
    // Of the two groups of the name it is the one where the account is, which is not that of the other document.
    let inner = outcome.plan().iter().find(|action| action.resource.name.starts_with("stinner")).unwrap();
    assert_eq!(inner.resource.resource_group.as_deref(), Some("rg-other"), "{inner:#?}");
}

#[test]
fn one_application_in_two_regions_is_told_which_generator_takes_the_location() {
    let storage = STORAGE
        .replace("UK South", "$(location)")
        .replace("resourceGroupName: Shop", "resourceGroupName: Shop-$(code)");
    let environment = Environment::of(&[("north/storage.yml", &storage), ("south/storage.yml", &storage)]);
    environment.project.write("north/_values/all.yml", "location: UK West\ncode: ukw\n");
    environment.project.write("south/_values/all.yml", "location: UK South\ncode: uks\n");
    let cloud = cloud();
    let folders = ["north", "south"].map(|folder| environment.project.path(folder));
    let request = with(environment.request(&cloud), json!({ "settingsFiles": folders }));
    let outcome = run_deployment(&request);
    let messages: Vec<&str> = outcome.last_error().findings.iter().map(|finding| finding.message.as_str()).collect();
    let advice = "let the generator of the name, 'storage' unless _names says otherwise, add the location";
    assert!(messages.iter().any(|message| message.contains(advice)), "{messages:#?}");
    environment.project.write(
        "_names/generators.yml",
        "formats: [{name: storage, separator: '', components: [{source: resource}, {source: name}, {source: location}, {source: hash}]}]\n",
    );
    let storage = storage.replace("shop-group", "shop-group-$(code)").replace("shop-files", "shop-files-$(code)");
    ["north", "south"].iter().for_each(|folder| environment.project.write(&format!("{folder}/storage.yml"), &storage));
    let outcome = run_deployment(&request);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    assert!(run_deployment(&request).plan().is_empty());
}

#[test]
fn what_is_made_beside_its_twin_is_told_before_anything_is_asked() {
    let (cloud, environment) = (cloud(), Environment::of(&[("storage.yml", STORAGE)]));
    environment.deploy(&cloud);
    // Another name in the settings: the publish name is the same.
    environment.project.write("storage.yml", STORAGE.replace("Orders", "Sales"));
    let outcome = environment.rehearse(&cloud);
    let told: Vec<&str> = outcome.warnings().into_iter().filter(|warning| warning.contains("beside")).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("with the same publish name 'shop-files'"), "{told:#?}");
    // Another publish name as well: the rest of it is the same.
    environment.project.write("storage.yml", STORAGE.replace("Orders", "Sales").replace("shop-files", "shop-sales"));
    let outcome = environment.rehearse(&cloud);
    let told: Vec<&str> = outcome.warnings().into_iter().filter(|warning| warning.contains("beside")).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(
        told[0].contains("'stordersdb8e13ec', which has everything that is wanted of it but the name"),
        "{told:#?}"
    );
    // A second account is none.
    let second = format!(
        "{}  - storageAccountName: Sales\n    accountType: Premium\n",
        STORAGE.replace("shop-files", "shop-sales")
    );
    environment.project.write("storage.yml", second);
    let outcome = environment.rehearse(&cloud);
    assert!(
        !outcome.warnings().iter().any(|warning| warning.contains("which has everything")),
        "{:#?}",
        outcome.warnings()
    );
}

#[test]
fn a_dependency_on_what_is_made_beside_its_twin_says_the_ways_out() {
    let environment = Environment::of(&[("storage.yml", STORAGE), ("endpoints.yml", ENDPOINTS)]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    environment.project.write("storage.yml", STORAGE.replace("Orders", "Sales"));
    let error = environment.deploy(&cloud).last_error().clone();
    assert_eq!(error.failure.code.as_str(), "ServiceAmbiguous", "{error:#?}");
    let way_out = "is new: let a naming file in _names make the name of the other one, or delete that first";
    assert!(error.findings.iter().any(|finding| finding.message.ends_with(way_out)), "{error:#?}");
}
