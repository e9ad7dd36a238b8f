//! Azure Policy asked about a plan: what it changes, what cannot be known, and who may not ask.

use serde_json::{Value, json};
use svc_engine::protocol::ActionKind;
use svc_local_cloud::LocalCloud;

use crate::environment::policies::policy;
use crate::support::*;

const STORAGE: &str = "Microsoft.Storage/storageAccounts";
const QUESTION: &str = "/providers/Microsoft.PolicyInsights/checkPolicyRestrictions?";

/// A cloud with a policy about storage accounts.
fn governed(name: &str, condition: Value, then: Value) -> LocalCloud {
    let cloud = cloud();
    let rule = json!({"if": {"allOf": [{"field": "type", "equals": STORAGE}, condition]}, "then": then});
    cloud.import(&policy(name, "All", rule, json!({}))).unwrap();
    cloud
}

fn modify(operation: &str, field: &str, value: Value) -> Value {
    json!({"effect": "modify", "details": {"operations": [{"operation": operation, "field": field, "value": value}]}})
}

fn checked(project: &Project, cloud: &LocalCloud, members: Value) -> Outcome {
    run(&with(with(project.request(cloud), json!({"context": {"checkPolicies": true}})), members))
}

fn questions(cloud: &LocalCloud) -> Vec<String> {
    cloud.requests().into_iter().map(|request| request.url).filter(|url| url.contains(QUESTION)).collect()
}

#[test]
fn what_a_policy_sets_otherwise_than_the_document_is_kept_and_not_planned_for_ever() {
    let field = format!("{STORAGE}/allowBlobPublicAccess");
    let cloud =
        governed("public", json!({"field": field, "notEquals": false}), modify("addOrReplace", &field, json!(false)));
    let project = Project::with(&document("allowBlobPublicAccess: true\n"));
    for plans in [2, 0, 0] {
        let outcome = checked(&project, &cloud, json!({}));
        assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
        assert_eq!(outcome.plan().len(), plans, "{:#?}", outcome.descriptions());
        let [kept] = outcome.kept()[..] else { panic!("{:#?}", outcome.kept()) };
        let told = (kept.path.as_str(), kept.wanted.as_deref(), kept.existing.as_deref());
        assert_eq!(told, ("properties.allowBlobPublicAccess", Some(&json!(true)), Some(&json!(false))));
        assert_eq!(
            kept.reason,
            "storage.yml:6:28: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' is to have properties.allowBlobPublicAccess true, \
             and the policy 'Rule public' (assigned as 'Corp public') sets it to false with every write. It stays as the policy has it."
        );
    }
    // Who does not ask plans it each time; another change of the account is still made.
    assert_eq!(project.rehearse(&cloud).plan().len(), 1);
    project.write("storage.yml", document("allowBlobPublicAccess: true\nnetworkAclsDefaultAction: Deny\n"));
    let outcome = checked(&project, &cloud, json!({"whatIf": true}));
    let paths: Vec<&str> = outcome.plan()[0].changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((outcome.plan().len(), paths), (1, vec!["properties.networkAcls.defaultAction"]));
}

#[test]
fn a_tag_that_a_policy_takes_away_is_kept_as_it_is() {
    let cloud = governed(
        "tags",
        json!({"field": "tags['svc-service']", "exists": true}),
        modify("remove", "tags['svc-service']", json!(null)),
    );
    let project = Project::with(&document("service:\n  publish:\n    storage: orders\n"));
    for plans in [2, 0] {
        let outcome = checked(&project, &cloud, json!({}));
        assert_eq!(outcome.plan().len(), plans, "{:#?}", outcome.descriptions());
        let [kept] = outcome.kept()[..] else { panic!("{:#?}", outcome.kept()) };
        assert!(
            kept.reason.contains("is to have tags.svc-service \"orders\", and the policy 'Rule tags'"),
            "{}",
            kept.reason
        );
        assert!(kept.reason.contains("takes it away with every write"), "{}", kept.reason);
    }
}

#[test]
fn what_is_audited_is_a_note_and_nothing_is_changed_for_it() {
    let field = format!("{STORAGE}/networkAcls.defaultAction");
    let cloud = governed("network", json!({"field": field, "notEquals": "Deny"}), json!({"effect": "audit"}));
    let outcome = checked(&Project::with(&document("")), &cloud, json!({}));
    assert_eq!(outcome.summary(), "created 2");
    let note = "The storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' does not comply with the policy 'Rule network' (assigned as \
                'Corp network') (audit): properties.networkAcls.defaultAction is \"Allow\".";
    assert!(outcome.verbose().contains(&note), "{:#?}", outcome.verbose());
    assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
}

#[test]
fn who_may_not_ask_is_told_once_and_goes_on() {
    for status in ["403", "401"] {
        let (cloud, project) = (cloud(), Project::with(&document("queue: [orders, returns]\n")));
        cloud.misbehave(fault(&format!("status={status},method=POST,path=checkPolicyRestrictions,times=always")));
        let outcome = checked(&project, &cloud, json!({}));
        let told: Vec<&str> =
            outcome.verbose().into_iter().filter(|line| line.starts_with("Azure Policy is not asked")).collect();
        assert_eq!((outcome.summary().as_str(), told.len()), ("created 4", 1), "{:#?}", outcome.verbose());
        assert!(outcome.warnings().is_empty(), "{:#?}", outcome.warnings());
    }
}

#[test]
fn an_answer_that_is_none_is_a_warning_and_the_run_goes_on() {
    for (about, expected) in [
        ("status=404,path=checkPolicyRestrictions,times=always", "has no answer about 2 of 2 resources"),
        ("html=200,path=checkPolicyRestrictions,times=always", "has no answer about 2 of 2 resources"),
    ] {
        let (cloud, project) = (cloud(), Project::with(&document("")));
        cloud.misbehave(fault(about));
        let outcome = checked(&project, &cloud, json!({}));
        assert_eq!(outcome.summary(), "created 2");
        assert!(outcome.warnings().iter().any(|warning| warning.contains(expected)), "{:#?}", outcome.warnings());
    }
    let outcome =
        checked(&Project::with(&document("")), &cloud(), json!({"whatIf": true, "context": {"offline": true}}));
    assert!(
        outcome.warnings().contains(&"Azure Policy is not asked, because the plan is made offline."),
        "{:#?}",
        outcome.warnings()
    );
}

#[test]
fn groups_that_are_there_are_asked_themselves_and_for_new_ones_the_subscription() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    checked(&project, &cloud, json!({}));
    let of_subscription = in_subscription(QUESTION.trim_start_matches('/'));
    assert_eq!(questions(&cloud).iter().filter(|url| url.starts_with(&of_subscription)).count(), 2);
    project.write("storage.yml", document("queue: [orders]\n"));
    checked(&project, &cloud, json!({}));
    let asked = questions(&cloud);
    assert_eq!(asked.len(), 3);
    assert!(asked[2].starts_with(&in_subscription(&format!("{GROUP}{QUESTION}"))), "{asked:?}");
    let bodies: Vec<Value> = cloud
        .requests()
        .into_iter()
        .filter(|request| request.url.contains(QUESTION))
        .filter_map(|request| request.body)
        .collect();
    let details = |index: usize, name: &str| bodies[index]["resourceDetails"][name].clone();
    assert_eq!(details(0, "resourceContent")["type"], "Microsoft.Resources/subscriptions/resourceGroups");
    assert_eq!(
        (details(1, "resourceContent")["name"].clone(), details(1, "scope")),
        (json!("stordersdb8e13ec"), json!(in_subscription(GROUP)))
    );
    assert_eq!(details(2, "scope"), json!(in_subscription(&format!("{ACCOUNT}/queueServices/default"))));
    assert_eq!(details(2, "resourceContent")["type"], "Microsoft.Storage/storageAccounts/queueServices/queues");
}

#[test]
fn what_azure_adds_is_no_part_of_what_was_approved() {
    let field = "tags['team']";
    let new_cloud = || governed("team", json!({"field": field, "exists": false}), modify("add", field, json!("core")));
    let project = Project::with(&document(""));
    let plan = project.path("plan.json");
    for (planned, applied) in [(true, false), (false, true)] {
        let cloud = new_cloud();
        let of = |check: bool, more: Value| {
            run(&with(with(project.request(&cloud), json!({"context": {"checkPolicies": check}})), more))
        };
        let outcome = of(planned, json!({"whatIf": true, "context": {"planReport": [plan]}}));
        assert_eq!(outcome.plan()[0].action, ActionKind::Create);
        let file: Value = serde_json::from_slice(&std::fs::read(&plan).unwrap()).unwrap();
        let has = file["actions"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|action| action["changes"].as_array().unwrap())
            .any(|change| change["byPolicy"] == true);
        assert_eq!(has, planned);
        let approved = of(applied, json!({"context": {"approvedPlan": plan}}));
        assert!(approved.errors().is_empty(), "{:#?}", approved.errors());
        assert_eq!(of(applied, json!({"context": {"approvedPlan": plan}})).summary(), "unchanged 2");
    }
}
