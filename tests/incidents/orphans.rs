//! The resources that have left the documents.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_engine::protocol::{ActionKind, Confirm};
use svc_local_cloud::LocalCloud;

use super::deploy_shop;
use crate::environment::{Environment, run_deployment};
use crate::support::estate::*;
use crate::support::examples::documents;
use crate::support::*;

/// An account of a document: its name, and its containers and queues.
type Account = (String, BTreeSet<String>, BTreeSet<String>);

/// A document in which every account has a publish name.
fn text_of(accounts: &[Account]) -> String {
    let mut text = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n".to_owned();
    for (name, containers, queues) in accounts {
        text += &format!("  - storageAccountName: {name}\n    accountType: Standard\n    replication: LRS\n");
        text += &format!("    service:\n      publish:\n        storage: of-{}\n", name.to_lowercase());
        for (key, items, prefix) in [("blobContainer", containers, "- name: "), ("queue", queues, "- ")] {
            if !items.is_empty() {
                text += &format!("    {key}:\n");
                items.iter().for_each(|item| text += &format!("      {prefix}{item}\n"));
            }
        }
    }
    text
}

fn account(name: &str, containers: &[&str], queues: &[&str]) -> Account {
    let owned = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
    (name.to_owned(), owned(containers), owned(queues))
}

fn run_with(environment: &Environment, cloud: &LocalCloud, members: Value) -> Outcome {
    run_deployment(&with(environment.request(cloud), members))
}

fn prune(environment: &Environment, cloud: &LocalCloud) -> Outcome {
    run_with(environment, cloud, json!({"context": {"prune": true}}))
}

#[test]
fn what_left_a_document_is_told_and_kept_and_pruned_where_that_is_asked_for() {
    let cloud = cloud();
    let before = [account("Orders", &["invoices", "receipts"], &[]), account("Ledger", &[], &[])];
    let environment = Environment::of(&[("storage.yml", &text_of(&before))]);
    environment.deploy(&cloud);
    let all = cloud.ids();
    environment.project.write("storage.yml", text_of(&[account("Orders", &["receipts"], &[])]));
    let plan = run_with(&environment, &cloud, json!({"whatIf": true}));
    assert!(plan.plan().is_empty(), "{:?}", plan.descriptions());
    let told: Vec<(String, bool)> =
        plan.kept().iter().map(|kept| (kept.resource.full_name.clone(), kept.orphan)).collect();
    let ledger = all.iter().find(|id| id.contains("/stledger")).unwrap();
    let name = ledger.rsplit_once('/').unwrap().1;
    assert_eq!(told, [(name.to_owned(), true), ("stordersdb8e13ec/default/invoices".to_owned(), true)]);
    assert!(plan.kept()[0].reason.ends_with("is in no document. It is kept."), "{}", plan.kept()[0].reason);
    let counts = plan.counts();
    assert_eq!((counts.orphans, counts.kept), (2, 0));
    let sentence = counts.sentence();
    assert!(sentence.starts_with("Everything is up to date: 3 resources ("), "{sentence}");
    assert!(sentence.ends_with(" 2 resources are in no document; they are kept."), "{sentence}");

    let pruned = run_with(&environment, &cloud, json!({"whatIf": true, "context": {"prune": true}}));
    assert!(
        pruned
            .plan()
            .iter()
            .all(|action| action.action == ActionKind::Delete && action.confirm == Confirm::Always && action.last)
    );
    let warnings = pruned.warnings().join("\n");
    assert!(warnings.contains("is deleted with all that it holds; Azure does not say how much that is."), "{warnings}");
    assert_eq!(cloud.ids(), all, "a plan deletes nothing");
    assert_eq!(prune(&environment, &cloud).counts().deleted, 2);
    let left: Vec<&String> = all.iter().filter(|id| *id != ledger && !id.ends_with("/invoices")).collect();
    let there = cloud.ids();
    assert_eq!(there.iter().filter(|id| !id.contains("Services/default")).count(), 2, "{there:?}");
    assert!(left.iter().filter(|id| !id.contains("stledger")).all(|id| there.contains(*id)), "{there:?}");
    assert!(prune(&environment, &cloud).plan().is_empty());
}

#[test]
fn how_much_an_account_holds_is_told_before_it_is_deleted() {
    let cloud = cloud();
    let environment =
        Environment::of(&[("storage.yml", &text_of(&[account("Orders", &[], &[]), account("Ledger", &[], &[])]))]);
    environment.deploy(&cloud);
    let ledger = cloud.ids().into_iter().find(|id| id.contains("/stledger")).unwrap();
    let metrics = json!({"metrics": [{"resource": ledger, "metric": "UsedCapacity", "from": "-PT6H", "every": "PT1H", "values": [1e9, 2e9, 3_221_225_472_u64]}]});
    cloud.import_telemetry(metrics).unwrap();
    environment.project.write("storage.yml", text_of(&[account("Orders", &[], &[])]));
    let pruned = run_with(&environment, &cloud, json!({"whatIf": true, "context": {"prune": true}}));
    let warnings = pruned.warnings().join("\n");
    assert!(warnings.contains("is deleted with all that it holds: 3.0 GiB."), "{warnings}");
}

#[test]
fn what_another_document_may_have_made_is_neither_told_nor_pruned() {
    let cloud = cloud();
    let mut other = text_of(&[account("Ledger", &[], &[])]);
    let environment =
        Environment::of(&[("orders.yml", &text_of(&[account("Orders", &[], &[])])), ("ledger.yml", &other)]);
    environment.deploy(&cloud);
    let one = |members: Value| {
        let request = json!({"settingsFiles": [environment.path("orders.yml")]});
        run_deployment(&with(with(environment.request(&cloud), request), members))
    };
    assert!(one(json!({"whatIf": true})).kept().is_empty());
    let refused = one(json!({"context": {"prune": true}}));
    let (code, message) = refused.failed_with();
    assert_eq!(code, "PruneIncomplete");
    assert!(message.contains("they do not know the publish names 'of-ledger' (storage account 'stledger"), "{message}");
    let advice = refused.last_error().failure.recommendation.clone().unwrap();
    assert!(advice.contains("ledger.yml is not among those of this run"), "{advice}");
    assert!(cloud.ids().iter().any(|id| id.contains("/stledger")));
    // The whole folder knows.
    other = text_of(&[account("Books", &[], &[])]);
    environment.project.write("ledger.yml", other);
    let counts = prune(&environment, &cloud).counts();
    assert_eq!((counts.created, counts.deleted), (1, 1));
    // What no document of the run could have made is somebody else's.
    let network = published(
        "resourceGroups/rg-shop-iaas-99b8167f/providers/Microsoft.Network/virtualNetworks/net",
        "uksouth",
        "of-network",
        json!({}),
    );
    cloud.import(&[network]).unwrap();
    let refused = prune(&environment, &cloud);
    let (code, message) = refused.failed_with();
    assert_eq!(code, "PruneIncomplete");
    assert!(message.contains("'of-network' (virtual network 'net'"), "{message}");
    assert!(run_with(&environment, &cloud, json!({"whatIf": true})).kept().is_empty());
}

#[test]
fn what_others_made_is_no_orphan() {
    let cloud = cloud();
    let environment = Environment::of(&[("storage.yml", &text_of(&[account("Orders", &["invoices"], &[])]))]);
    environment.deploy(&cloud);
    let in_account = |path: &str| json!({"id": in_subscription(&format!("{ACCOUNT}/{path}")), "properties": {}});
    let untagged = json!({"id": in_subscription("resourceGroups/rg-shop-iaas-99b8167f/providers/Microsoft.Storage/storageAccounts/stofothers"), "location": "uksouth", "properties": {}});
    let others = [
        untagged,
        in_account("blobServices/default/containers/$logs"),
        in_account("blobServices/default/containers/azure-webjobs-hosts"),
        in_account("blobServices/default/containers/insights-logs-storageread"),
        in_account("queueServices/default/queues/orders-poison"),
    ];
    cloud.import(&others).unwrap();
    let plan = prune(&environment, &cloud);
    assert!(plan.plan().is_empty() && plan.kept().is_empty() && plan.errors().is_empty(), "{plan:?}");
}

#[test]
fn what_cannot_be_listed_fails_no_plan_but_a_pruning_one() {
    let cloud = cloud();
    let text = text_of(&[account("Orders", &[], &[])]);
    let unpublished = text.replace("    service:\n      publish:\n        storage: of-orders\n", "");
    let environment = Environment::of(&[("storage.yml", &unpublished)]);
    cloud.misbehave(fault("status=403,method=GET,path=10ca1c10-0d00-4000-8000-000000000001/resources,times=always"));
    let outcome = environment.deploy(&cloud);
    assert!(outcome.errors().is_empty(), "{:?}", outcome.errors());
    assert!(outcome.verbose().iter().any(|told| told.starts_with("What has left the documents is not known: ")));
    let outcome = prune(&environment, &cloud);
    let message = &outcome.last_error().failure.message;
    assert!(message.starts_with("What has left the documents cannot be read"), "{message}");
    assert!(outcome.plan().is_empty());
}

#[test]
fn every_published_resource_of_the_examples_is_one_that_its_command_publishes() {
    for example in documents() {
        let command = svc_engine::run::registry::find(example.command).unwrap();
        let (events, _) = offline::command(example.command, &Project::with(&example.text()), "settings.yml");
        let actions = offline::with_event(&events, "plan")
            .into_iter()
            .flat_map(|plan| plan["actions"].as_array().cloned().unwrap_or_default());
        for action in actions {
            let is_published =
                action["changes"].as_array().unwrap().iter().any(|change| change["path"] == "tags.svc-service");
            let kind = action["type"].as_str().unwrap();
            let is_shared = [
                "Microsoft.Resources/resourceGroups",
                "Microsoft.Network/privateDnsZones",
                "Microsoft.Cdn/profiles/afdEndpoints",
            ]
            .contains(&kind);
            assert!(
                !is_published || is_shared || command.publishes.iter().any(|own| own.name == kind),
                "{}: {kind}",
                example.command
            );
        }
    }
}

/// A small generator (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }

    fn some(&mut self, of: &[&str]) -> BTreeSet<String> {
        of.iter().filter(|_| self.below(2) == 0).map(|item| (*item).to_owned()).collect()
    }

    fn accounts(&mut self) -> Vec<Account> {
        let names = ["Orders", "Ledger", "Books", "Photos", "Mail"];
        let mut accounts: Vec<Account> = names
            .into_iter()
            .filter(|_| self.below(2) == 0)
            .map(|name| (name.to_owned(), BTreeSet::new(), BTreeSet::new()))
            .collect();
        if accounts.is_empty() {
            accounts.push(account("Orders", &[], &[]));
        }
        for (_, containers, queues) in &mut accounts {
            *containers = self.some(&["invoices", "receipts", "photos"]);
            *queues = self.some(&["new", "returns"]);
        }
        accounts
    }
}

/// One document after another: after pruning there is exactly what a deployment of the second one alone makes, and what others have made. A
/// tenth of 200 pairs, or all of them where `SVC_TEST_PAIRS` is `all`.
#[test]
fn pruning_deletes_exactly_what_a_document_lost() {
    for seed in 1..=200 / one_in(10, "SVC_TEST_PAIRS") as u64 {
        let mut random = Random(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15));
        let (before, after) = (random.accounts(), random.accounts());
        let (cloud, fresh) = (cloud(), cloud());
        let environment = Environment::of(&[("storage.yml", &text_of(&before))]);
        environment.deploy(&cloud);
        let foreign = json!({"id": in_subscription("resourceGroups/rg-shop-iaas-99b8167f/providers/Microsoft.Storage/storageAccounts/stofothers"), "location": "uksouth", "properties": {}});
        for cloud in [&cloud, &fresh] {
            if seed % 2 == 0 && !cloud.ids().is_empty() {
                cloud.import(std::slice::from_ref(&foreign)).unwrap();
            }
        }
        environment.project.write("storage.yml", text_of(&after));
        let outcome = prune(&environment, &cloud);
        assert!(outcome.errors().is_empty(), "{seed}: {:?}", outcome.errors());
        assert!(environment.deploy(&fresh).errors().is_empty());
        let mut expected = fresh.ids();
        if seed % 2 == 0 {
            expected.extend(cloud.ids().into_iter().filter(|id| id.contains("/stofothers")));
            expected.sort();
        }
        let mut there = cloud.ids();
        there.sort();
        expected.sort();
        assert_eq!(there, expected, "{seed}: {before:?} {after:?}");
        assert!(prune(&environment, &cloud).plan().is_empty(), "{seed}");
    }
}

#[test]
fn an_example_that_lost_nothing_has_no_orphans() {
    for example in documents() {
        let (cloud, deployment) = (
            fields_zone_with(svc_local_cloud::LocalCloudOptions::default()),
            Deployment::new(example.command, &example.text()),
        );
        assert!(deployment.deploy(&cloud).errors().is_empty(), "{}", example.command);
        let outcome = deployment.deploy_with(&cloud, json!({"context": {"prune": true}}));
        let is_quiet =
            outcome.plan().is_empty() && !outcome.kept().iter().any(|kept| kept.orphan) && outcome.errors().is_empty();
        assert!(is_quiet, "{}: {outcome:?}", example.command);
    }
}

#[test]
fn what_an_account_cannot_have_is_not_asked_for() {
    let cloud = cloud();
    let text = "component: storage\nlocation: UK South\nresourceGroupName: Shop\nstorageAccounts:\n  - storageAccountName: Media\n    accountType: Premium\n    kind: FileStorage\n    service:\n      publish:\n        storage: media\n";
    let share = "    fileShare:\n      - name: originals\n        size: 1024\n";
    let environment = Environment::of(&[("storage.yml", &format!("{text}{share}"))]);
    assert!(environment.deploy(&cloud).errors().is_empty());
    environment.project.write("storage.yml", text);
    let pruned = prune(&environment, &cloud);
    assert!(pruned.errors().is_empty(), "{:?}", pruned.errors());
    assert_eq!(
        pruned.resources().iter().map(|report| report.resource.name.as_str()).collect::<Vec<_>>(),
        ["originals"]
    );
}

#[test]
fn an_environment_that_lost_nothing_has_no_orphans() {
    let cloud = landing_zone();
    deploy_shop(&cloud, json!({}));
    let outcome = deploy_shop(&cloud, json!({"prune": true}));
    assert!(outcome.plan().is_empty() && outcome.kept().is_empty() && outcome.errors().is_empty(), "{outcome:?}");
}
