//! A run that is about a part of the documents.

use std::collections::BTreeSet;

use serde_json::json;
use svc_engine::protocol::ActionKind;

use super::{deploy_shop, of_the_shop};
use crate::environment::{Environment, run_deployment};
use crate::support::estate::*;
use crate::support::*;

const STORAGE_DOCUMENT: &str = "\
component: storage
location: UK South
resourceGroupName: Shop
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
    replication: LRS
    blobContainer:
      - name: invoices
      - name: receipts
    minimumTlsVersion: TLS1_2
    service:
      publish:
        storage: shop-orders
  - storageAccountName: Ledger
    accountType: Standard
    replication: LRS
    minimumTlsVersion: TLS1_2
";

fn planned_names(outcome: &Outcome) -> Vec<&str> {
    outcome.plan().iter().map(|action| action.resource.name.as_str()).collect()
}

#[test]
fn a_name_a_type_a_place_and_an_id_choose_and_what_is_needed_comes_along() {
    let cloud = cloud();
    let environment = Environment::of(&[("storage.yml", STORAGE_DOCUMENT)]);
    let plan = |context: serde_json::Value| {
        run_deployment(&with(environment.request(&cloud), json!({"whatIf": true, "context": context})))
    };
    let all = plan(json!({}));
    let named = |part: &str| all.plan().iter().find(|action| action.resource.name.contains(part)).unwrap();
    let (group, orders, ledger) = (named("rg-"), named("orders"), named("ledger"));
    let chosen = |selector: &str| {
        let outcome = plan(json!({ "only": selector }));
        assert!(outcome.errors().is_empty(), "{selector}: {:?}", outcome.errors());
        planned_names(&outcome).into_iter().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let receipts = names(&[&group.resource.name, &orders.resource.name, "receipts"]);
    assert_eq!(chosen("receipts"), receipts);
    assert_eq!(chosen(&named("receipts").resource.full_name.to_uppercase()), receipts);
    assert_eq!(chosen(&named("receipts").resource.resource_id), receipts);
    assert_eq!(chosen("storage.yml:10"), receipts);
    assert_eq!(chosen("storage.yml:10:9"), receipts);
    // The line of a setting that is not the first one of its resource.
    assert_eq!(chosen("storage.yml:18"), names(&[&group.resource.name, &ledger.resource.name]));
    // The names that the document has, too.
    assert_eq!(chosen("ledger"), names(&[&group.resource.name, &ledger.resource.name]));
    assert_eq!(chosen("Shop"), names(&[&group.resource.name]));
    assert_eq!(chosen("Shop-Orders"), names(&[&group.resource.name, &orders.resource.name]));
    for kind in ["storage account", "Microsoft.Storage/storageAccounts"] {
        assert_eq!(chosen(kind), names(&[&group.resource.name, &orders.resource.name, &ledger.resource.name]));
    }
    assert_eq!(chosen("storage.yml"), names(&planned_names(&all)));
    assert_eq!(chosen("STORAGE.yml"), names(&planned_names(&all)));
    let outcome = plan(json!({"only": ["receipts"]}));
    let warnings = outcome.warnings().join("\n");
    assert!(warnings.contains(&format!("the storage account '{}'", orders.resource.name)), "{warnings}");
    assert!(warnings.contains(" comes along: the blob container 'receipts'"), "{warnings}");
    assert!(warnings.contains("2 other changes are left out (only, except)"), "{warnings}");
}

#[test]
fn what_is_left_out_stays_out_and_is_refused_where_something_cannot_do_without_it() {
    let cloud = cloud();
    let environment = Environment::of(&[("storage.yml", STORAGE_DOCUMENT)]);
    let deploy =
        |context: serde_json::Value| run_deployment(&with(environment.request(&cloud), json!({ "context": context })));
    let group = "rg-shop-iaas-99b8167f";
    let (code, message) = {
        let outcome = deploy(json!({ "except": group }));
        let (code, message) = outcome.failed_with();
        (code.to_owned(), message.to_owned())
    };
    assert_eq!(code, "ContextInvalid");
    assert!(message.starts_with(&format!("except: the resource group '{group}' cannot be left out, because the ")));
    assert!(cloud.ids().is_empty());
    let outcome = deploy(json!({"except": ["blob container"]}));
    assert_eq!(outcome.summary(), "created 3");
    // What is there does for what needs it, whatever else it is to become.
    tamper(&cloud, &format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/stordersdb8e13ec"), |account| {
        account["properties"]["minimumTlsVersion"] = json!("TLS1_0");
    });
    let outcome = deploy(json!({"except": ["stordersdb8e13ec"]}));
    assert_eq!(outcome.summary(), "created 2, unchanged 2");
    let rest = deploy(json!({}));
    assert_eq!(
        (rest.plan()[0].action, rest.plan()[0].resource.name.as_str()),
        (ActionKind::Modify, "stordersdb8e13ec")
    );
}

#[test]
fn a_selector_that_means_nothing_is_an_error_with_the_nearest_name() {
    let cloud = cloud();
    let environment = Environment::of(&[("storage.yml", STORAGE_DOCUMENT)]);
    let refused = |context: serde_json::Value| {
        let outcome = run_deployment(&with(environment.request(&cloud), json!({ "context": context })));
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "ContextInvalid");
        message.to_owned()
    };
    assert_eq!(
        refused(json!({"only": "reciepts"})),
        "only: nothing that the documents make has the name 'reciepts' or the type, or comes from that place. Did you mean 'receipts'? Nothing was changed."
    );
    assert!(refused(json!({"except": ["receipts", "storage.yml:1000"]})).starts_with("except: nothing"));
    assert!(refused(json!({"only": ["storage.yml:1", ""]})).starts_with("only is set to nothing"));
    assert!(cloud.ids().is_empty());
}

#[test]
fn what_cannot_be_changed_elsewhere_is_in_nobody_s_way() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    let path = |part: &str| {
        let id = cloud.ids().into_iter().find(|id| id.contains(part)).unwrap();
        id.split_once("/resourceGroups/").map(|(_, path)| format!("resourceGroups/{path}")).unwrap()
    };
    tamper(&cloud, &path("/serverfarms/plan-front"), |plan| plan["sku"] = json!({"name": "Y1", "tier": "Dynamic"}));
    tamper(&cloud, &path("/storageAccounts/stcontosoledger"), |account| {
        account["properties"]["allowBlobPublicAccess"] = json!(true)
    });
    assert_eq!(deploy_shop(&cloud, json!({})).failed_with().0, "CannotBeChanged");
    let outcome = deploy_shop(&cloud, json!({"only": "storage account"}));
    assert_eq!(outcome.summary(), "modified 1, unchanged 2");
    assert_eq!(deploy_shop(&cloud, json!({"only": "app service plan"})).failed_with().0, "CannotBeChanged");
}

#[test]
fn complete_mode_is_off_in_such_a_run() {
    let cloud = landing_zone();
    assert_eq!(deploy_shop(&cloud, json!({})).summary(), "created 82");
    let id = cloud.ids().into_iter().find(|id| id.contains("/scheduledQueryRules/")).unwrap();
    let group = id.split('/').nth(4).unwrap();
    let foreign =
        json!({"id": id.replace(id.rsplit_once('/').unwrap().1, "of-nobody"), "location": "uksouth", "properties": {}});
    cloud.import(&[foreign]).unwrap();
    let whole = run_deployment(&with(of_the_shop(&cloud, json!({})), json!({"whatIf": true})));
    assert_eq!(
        whole.plan().iter().map(|action| action.resource.name.as_str()).collect::<Vec<_>>(),
        ["of-nobody"],
        "{group}"
    );
    let part = deploy_shop(&cloud, json!({"only": "storage account"}));
    assert!(part.plan().is_empty() && part.errors().is_empty(), "{part:?}");
}

/// Resources of the environment alone, over the landing zone and nothing else: every tenth, or all where `SVC_TEST_SELECTIONS` is `all`.
#[test]
fn each_resource_of_the_environment_can_be_deployed_alone() {
    let whole = run_deployment(&with(of_the_shop(&landing_zone(), json!({})), json!({"whatIf": true})));
    assert_eq!(whole.plan().len(), 82);
    for action in whole.plan().iter().step_by(one_in(10, "SVC_TEST_SELECTIONS")) {
        let cloud = landing_zone();
        let outcome = deploy_shop(&cloud, json!({ "only": action.resource.resource_id }));
        assert!(outcome.errors().is_empty(), "{}: {:?}", action.resource.full_name, outcome.errors());
        let made = outcome.resources();
        assert!(
            made.iter().any(|made| made.resource.resource_id == action.resource.resource_id),
            "{}: {made:?}",
            action.resource.full_name
        );
        let again = deploy_shop(&cloud, json!({ "only": action.resource.resource_id }));
        assert!(again.plan().is_empty(), "{}: {:?}", action.resource.full_name, again.descriptions());
    }
}
