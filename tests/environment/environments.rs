//! One set of documents for several environments: the shop as development and as production.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_local_cloud::LocalCloud;

use super::{Environment, run_deployment, shop};
use crate::support::estate::landing_zone;
use crate::support::*;

/// The tag that tells the environments apart.
const TAG: &str = "environment";

/// A request for the shop in an environment.
fn request(cloud: &LocalCloud, environment: &str) -> Value {
    json!({
        "settingsFiles": [shop::folder()],
        "context": { "cloud": cloud.endpoint(), "environment": environment },
        "environment": {},
    })
}

fn in_one(cloud: &LocalCloud, environment: &str) -> Value {
    with(request(cloud, environment), json!({"context": {"environmentTagKey": TAG}}))
}

/// Deploys, and finds nothing to change the second time.
fn deploy_twice(request: &Value) -> Outcome {
    let outcome = run_deployment(request);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let again = run_deployment(request);
    assert!(again.errors().is_empty() && again.plan().is_empty(), "{:#?} {:#?}", again.errors(), again.descriptions());
    outcome
}

/// The host names of the custom domains of a cloud.
fn domains(cloud: &LocalCloud) -> BTreeSet<String> {
    let ids = cloud.ids().into_iter().filter(|id| id.to_lowercase().contains("/customdomains/"));
    ids.map(|id| cloud.resource(&id).unwrap()["properties"]["hostName"].as_str().unwrap().to_owned()).collect()
}

/// A vault writes its audit log to one workspace, so production has one of its own.
fn vault_of_production(cloud: &LocalCloud) {
    let id = cloud.ids().into_iter().find(|id| id.contains("/vaults/")).unwrap();
    let vault = cloud.resource(&id).unwrap();
    let own = format!("{}/kv-production", id.rsplit_once('/').unwrap().0);
    let tags = json!({"svc-service": "central-vault", TAG: "prd"});
    let body = json!({"id": own, "location": vault["location"], "tags": tags, "properties": vault["properties"]});
    cloud.import(&[body]).unwrap();
}

#[test]
fn two_environments_in_one_subscription_do_not_see_each_other() {
    let cloud = landing_zone();
    vault_of_production(&cloud);
    let development = deploy_twice(&in_one(&cloud, "development"));
    let before: BTreeSet<String> = cloud.ids().into_iter().collect();
    let production = deploy_twice(&in_one(&cloud, "production"));
    assert_eq!(domains(&cloud), ["shop.contoso.com", "shop.dev.contoso.com"].map(str::to_owned).into());
    // Development is as it was.
    let again = run_deployment(&in_one(&cloud, "development"));
    assert!(again.plan().is_empty(), "{:#?}", again.descriptions());
    // Whatever carries tags says whose it is, and names nothing of the other environment.
    let ids = |outcome: &Outcome| -> BTreeSet<String> {
        outcome.resources().iter().map(|report| report.resource.resource_id.to_lowercase()).collect()
    };
    let (theirs, own) = (ids(&development), ids(&production));
    let shared: Vec<_> = theirs.intersection(&own).collect();
    assert!(shared.is_empty(), "{shared:#?}");
    for id in cloud.ids().into_iter().filter(|id| !before.contains(id) && !id.contains("/networkInterfaces/")) {
        let body = cloud.resource(&id).unwrap();
        let text = body.to_string().to_lowercase();
        let other = theirs
            .iter()
            .filter(|id| !id.contains("/privatednszones/"))
            .find(|other| text.contains(&format!("\"{other}\"")));
        assert_eq!(other, None, "{id}: {body:#}");
        let tag = body["tags"].get(TAG);
        assert!(tag.is_none_or(|tag| tag == "prd"), "{id}: {body:#}");
    }
    assert!(
        cloud.ids().iter().filter(|id| cloud.resource(id).unwrap()["tags"].get(TAG) == Some(&json!("dev"))).count()
            > 20
    );
}

#[test]
fn without_the_tag_what_is_found_twice_says_the_way_out() {
    let cloud = landing_zone();
    run_deployment(&request(&cloud, "development"));
    let outcome = run_deployment(&request(&cloud, "production"));
    let error = outcome.last_error();
    assert_eq!(error.failure.code.as_str(), "ServiceAmbiguous", "{error:#?}");
    assert!(error.failure.recommendation.as_deref().unwrap().contains("environmentTagKey"), "{error:#?}");
}

#[test]
fn two_environments_in_two_subscriptions_need_no_tag() {
    let (one, other) = (landing_zone(), landing_zone());
    deploy_twice(&request(&one, "development"));
    let outcome = deploy_twice(&request(&other, "production"));
    assert_eq!(domains(&one), ["shop.dev.contoso.com".to_owned()].into());
    assert_eq!(domains(&other), ["shop.contoso.com".to_owned()].into());
    let targets: Vec<&str> = outcome
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Target(target) => Some(target.made_with.environment.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(targets, ["production"]);
    // The way in for administrators.
    let left_out = outcome.messages.iter().find_map(|message| match message {
        Message::Plan { made_with, .. } => Some(made_with.left_out),
        _ => None,
    });
    assert_eq!(left_out, Some(1));
}

#[test]
fn a_dependency_that_only_another_environment_has_is_told_apart() {
    let cloud = landing_zone();
    run_deployment(&in_one(&cloud, "development"));
    let file = shop::folder().join("metric-alerts.yml");
    let request = with(in_one(&cloud, "production"), json!({"settingsFiles": [file]}));
    let error = run_deployment(&request).last_error().clone();
    assert_eq!(error.failure.code.as_str(), "ServiceNotFound", "{error:#?}");
    assert!(error.failure.message.contains("is of the environment 'dev'"), "{}", error.failure.message);
}

#[test]
fn a_name_of_another_environment_is_refused_before_anything_is_changed() {
    let (cloud, project) = (cloud(), Project::with(&document("")));
    let of = |environment: &str| {
        with(project.request(&cloud), json!({"context": {"environmentTagKey": TAG, "environment": environment}}))
    };
    run(&of("development"));
    let before = cloud.requests().len();
    let outcome = run(&of("production"));
    let error = outcome.last_error();
    assert_eq!(error.failure.code.as_str(), "OtherEnvironment", "{error:#?}");
    assert!(
        error
            .failure
            .message
            .contains("belongs to the environment 'dev' by its tag 'environment', and so does 1 other"),
        "{}",
        error.failure.message
    );
    assert!(error.failure.recommendation.as_deref().unwrap().contains("_values"), "{error:#?}");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    // Without a tag it is taken over by whoever says so first.
    let other = self::cloud();
    run(&project.request(&other));
    let outcome = run(&with(
        project.request(&other),
        json!({"context": {"environmentTagKey": TAG, "environment": "production"}}),
    ));
    assert_eq!(outcome.summary(), "modified 2");
    assert_eq!(resource(&other, ACCOUNT)["tags"][TAG], "prd");
}

#[test]
fn the_tag_of_environments_is_one_of_its_own() {
    let project = Project::with(&document(""));
    for context in
        [json!({"environmentTagKey": "SVC-Service"}), json!({"environmentTagKey": "x", "exceptionTagKey": "X"})]
    {
        let outcome = run(&with(project.request(&cloud()), json!({ "context": context })));
        let (code, message) = outcome.failed_with();
        assert!(code == "ContextInvalid" && message.contains("it is the tag for something else already"), "{message}");
    }
}

/// A project with a word of its own for development, and another one beside it.
#[test]
fn projects_with_different_words_for_an_environment_see_what_each_has_published() {
    let cloud = landing_zone();
    let accounts = |publishes: &str, name: &str| {
        format!(
            "component: storage\nresourceGroupName: {name}\nlocation: UK South\n\
             service: {{publish: {{storage: {publishes}, resourceGroup: {publishes}-group}}}}\n\
             storageAccounts: [{{storageAccountName: {name}, accountType: Standard}}]\n"
        )
    };
    let needs = "component: storage\nlocation: UK South\n\
                 service: {publish: {storage: more}, dependencies: {resourceGroup: second-group}}\n\
                 storageAccounts: [{storageAccountName: More, accountType: Standard}]\n";
    let words = |word: &str| format!("tokens: {{environments: {{development: {word}}}}}\n");
    let project = Environment::of(&[
        ("one/_names/tokens.yml", &words("one")),
        ("one/storage.yml", &accounts("first", "First")),
        ("two/_names/tokens.yml", &words("two")),
        ("two/storage.yml", &accounts("second", "Second")),
        ("two/more.yml", needs),
    ]);
    let run_of = |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|file| project.path(file)).collect();
        run_deployment(&with(in_one(&cloud, "development"), json!({ "settingsFiles": files })))
    };
    let alone = run_of(&["two/storage.yml"]);
    assert!(alone.errors().is_empty(), "{:#?}", alone.errors());
    // What the second project has published is found, whichever document comes first.
    for files in [["one/storage.yml", "two/more.yml"], ["two/more.yml", "one/storage.yml"]] {
        let outcome = run_of(&files);
        assert!(outcome.errors().is_empty(), "{files:?}: {:#?}", outcome.errors());
    }
    let tags = |part: &str| -> BTreeSet<String> {
        let ids = cloud.ids().into_iter().filter(|id| id.contains(part) && id.contains("/storageAccounts/st"));
        ids.filter_map(|id| Some(cloud.resource(&id)?["tags"].get(TAG)?.as_str()?.to_owned())).collect()
    };
    assert_eq!((tags("stfirst"), tags("stmore")), (["one".to_owned()].into(), ["two".to_owned()].into()));
}
