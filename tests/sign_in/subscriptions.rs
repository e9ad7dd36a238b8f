//! The subscription that a run is for: by id, by name, of the host's session, or the only one.

use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, Message};
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use crate::support::internet::Internet;
use crate::support::*;

const OTHER: &str = "00000000-0000-0000-0000-00000000000b";
const LIST: &str = "GET management.azure.com/subscriptions?";

fn project() -> Project {
    Project::with(&document("queue: [orders]"))
}

/// A request whose context has these members, and no other way to choose a subscription.
fn request(internet: &Internet, project: &Project, context: &Value) -> Value {
    let mut request = internet.request(&project.path("storage.yml"), internet.signed_in());
    request["context"].as_object_mut().unwrap().remove("subscriptionId");
    request["context"].as_object_mut().unwrap().extend(context.as_object().unwrap().clone());
    with(request, json!({"whatIf": true}))
}

/// The id and the name of the subscription that the run said to deploy to.
fn target(outcome: &Outcome) -> (&str, Option<&str>) {
    let target = outcome.messages.iter().find_map(|message| match message {
        Message::Target(target) => Some((target.subscription_id.as_str(), target.subscription_name.as_deref())),
        _ => None,
    });
    target.unwrap_or_else(|| panic!("{outcome:?}"))
}

fn two() -> Value {
    json!({"value": [
        {"id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}"), "subscriptionId": LOCAL_SUBSCRIPTION_ID, "displayName": "Production", "state": "Enabled"},
        {"id": format!("/subscriptions/{OTHER}"), "subscriptionId": OTHER, "displayName": "Development", "state": "Enabled"}]})
}

#[test]
fn the_only_subscription_is_taken_and_of_several_one_has_to_be_chosen() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let project = project();
    let mut request = internet.request(&project.path("storage.yml"), internet.signed_in());
    request["context"].as_object_mut().unwrap().remove("subscriptionId");
    let outcome = run(&request);
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().iter().any(|line| line.contains(LOCAL_SUBSCRIPTION_ID)), "{outcome:?}");
    let two = json!({"value": [
        {"id": "/subscriptions/1", "subscriptionId": "1", "displayName": "One", "state": "Enabled"},
        {"id": "/subscriptions/2", "subscriptionId": "2", "displayName": "Two", "state": "Enabled"}]});
    internet.answer("GET management.azure.com/subscriptions?", 200, &two);
    let outcome = run(&request);
    let expected = "The credential has access to 2 subscriptions, and none is chosen: One (1), Two (2).";
    assert_eq!(outcome.failed_with(), ("SubscriptionNotChosen", expected));
    assert!(outcome.last_error().failure.recommendation.as_ref().unwrap().contains("Set-SvcContext -SubscriptionId"));
    let one = json!({"value": [
        {"id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}"), "subscriptionId": LOCAL_SUBSCRIPTION_ID, "displayName": "One", "state": "Enabled"},
        {"id": "/subscriptions/2", "subscriptionId": "2", "displayName": "Two", "state": "Disabled"}]});
    internet.answer("GET management.azure.com/subscriptions?", 200, &one);
    assert_eq!(run(&request).summary(), "unchanged 3");
    internet.answer("GET management.azure.com/subscriptions?", 200, &json!({"value": []}));
    assert_eq!(run(&request).failed_with(), ("SubscriptionNotChosen", "The credential has access to no subscription."));
}

#[test]
fn a_name_chooses_among_the_subscriptions_of_the_tenant() {
    let cloud = cloud();
    let (internet, project) = (Internet::with(&cloud), project());
    internet.answer(LIST, 200, &two());
    let outcome = run(&request(&internet, &project, &json!({"subscriptionName": "production"})));
    assert_eq!(target(&outcome), (LOCAL_SUBSCRIPTION_ID, Some("Production")));
    assert_eq!(outcome.plan().len(), 3);

    internet.answer(LIST, 200, &two());
    let outcome = run(&request(&internet, &project, &json!({"subscriptionName": "Staging"})));
    let expected = format!(
        "No subscription that the credential has access to is named 'Staging'. It has access to Production ({LOCAL_SUBSCRIPTION_ID}), Development ({OTHER})."
    );
    assert_eq!(outcome.failed_with(), ("SubscriptionNotChosen", expected.as_str()));

    let same = json!({"value": [
        {"id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}"), "subscriptionId": LOCAL_SUBSCRIPTION_ID, "displayName": "Production", "state": "Enabled"},
        {"id": format!("/subscriptions/{OTHER}"), "subscriptionId": OTHER, "displayName": "PRODUCTION", "state": "Enabled"}]});
    internet.answer(LIST, 200, &same);
    let outcome = run(&request(&internet, &project, &json!({"subscriptionName": "Production"})));
    let expected =
        format!("2 subscriptions are named 'Production': Production ({LOCAL_SUBSCRIPTION_ID}), PRODUCTION ({OTHER}).");
    assert_eq!(outcome.failed_with(), ("SubscriptionNotChosen", expected.as_str()));

    // What is disabled cannot be deployed to, whatever it is called.
    let disabled = json!({"value": [{"id": format!("/subscriptions/{OTHER}"), "subscriptionId": OTHER, "displayName": "Production", "state": "Disabled"}]});
    internet.answer(LIST, 200, &disabled);
    let outcome = run(&request(&internet, &project, &json!({"subscriptionName": "Production"})));
    let expected = "No subscription is named 'Production': the credential has access to no subscription.";
    assert_eq!(outcome.failed_with(), ("SubscriptionNotChosen", expected));
}

#[test]
fn a_name_beside_an_id_is_checked_before_anything_is_read() {
    let cloud = cloud();
    let (internet, project) = (Internet::with(&cloud), project());
    let both = |name: &str| json!({"subscriptionId": LOCAL_SUBSCRIPTION_ID, "subscriptionName": name});
    let outcome = run(&request(&internet, &project, &both("Production")));
    let expected = format!(
        "The subscription {LOCAL_SUBSCRIPTION_ID} is named 'Local cloud', but the name that is given with the id is 'Production'."
    );
    assert_eq!(outcome.failed_with(), ("SubscriptionNameDiffers", expected.as_str()));
    assert_eq!(outcome.last_error().failure.category, ErrorCategory::InvalidArgument);
    assert_eq!(internet.seen_by("management.azure.com").len(), 1);
    let outcome = run(&request(&internet, &project, &both("local CLOUD")));
    assert_eq!(target(&outcome), (LOCAL_SUBSCRIPTION_ID, Some("Local cloud")));
    // So is the id of a pipeline.
    let mut of_pipeline = request(&internet, &project, &json!({"subscriptionName": "Production"}));
    of_pipeline["environment"]["AZURE_SUBSCRIPTION_ID"] = json!(LOCAL_SUBSCRIPTION_ID);
    assert_eq!(run(&of_pipeline).failed_with().0, "SubscriptionNameDiffers");
    // What has no name for this credential is not the one that was meant.
    internet.answer(
        &format!("GET management.azure.com/subscriptions/{LOCAL_SUBSCRIPTION_ID}?"),
        200,
        &json!({"subscriptionId": LOCAL_SUBSCRIPTION_ID, "id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}")}),
    );
    let outcome = run(&request(&internet, &project, &both("Local cloud")));
    assert!(outcome.failed_with().1.contains("has no name that this credential can read"), "{outcome:?}");
}

#[test]
fn on_the_local_cloud_a_name_is_a_label() {
    let project = project();
    let local = json!({"cloud": "local", "subscriptionName": "Production"});
    let outcome = run(&json!({"settingsFile": project.path("storage.yml"), "context": local, "environment": {}}));
    assert_eq!(target(&outcome), (LOCAL_SUBSCRIPTION_ID, Some("Production")));
    assert_eq!(outcome.summary(), "created 3");
}
