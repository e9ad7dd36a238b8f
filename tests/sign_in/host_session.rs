//! Tokens of the host's Azure session, and tokens that Azure refuses while a run goes on.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_local_cloud::{LOCAL_SUBSCRIPTION_ID, LocalCloud};

use crate::support::internet::Internet;
use crate::support::*;

const MANAGEMENT: &str = "management.azure.com";
const FAR: i64 = 4_102_444_800;

fn request(internet: &Internet, project: &Project) -> Value {
    let request = internet.request(&project.path("storage.yml"), internet.environment(&json!({})));
    with(request, json!({"azSession": {"tenantId": "session-tenant", "cloud": "AzureCloud"}}))
}

fn project() -> Project {
    Project::with(&document("queue: [orders]"))
}

/// Runs a request; `answer` says what the host answers to the token messages, counted from 1.
fn run_session(request: &Value, mut answer: impl FnMut(u32) -> Value) -> (Outcome, Vec<Message>) {
    let operation = start(request);
    let (mut messages, mut asked) = (Vec::new(), Vec::new());
    while let Some(message) = next(&operation) {
        match &message {
            Message::Plan { id, actions, .. } => {
                let approved: Vec<usize> = actions.iter().map(|action| action.index).collect();
                operation.answer(&json!({"id": id, "approved": approved}).to_string()).unwrap();
            }
            Message::Token { id, .. } => {
                asked.push(message.clone());
                let mut answer = answer(u32::try_from(asked.len()).unwrap());
                answer["id"] = json!(id);
                operation.answer(&answer.to_string()).unwrap();
            }
            _ => {}
        }
        messages.push(message);
    }
    (Outcome { messages }, asked)
}

fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap()
}

fn good(number: u32) -> Value {
    json!({"token": format!("planted-session-token-{number}"), "expiresOn": FAR})
}

fn started(cloud: &LocalCloud) -> (Internet, Project) {
    (Internet::with(cloud), project())
}

#[test]
fn the_session_is_asked_once_and_for_its_own_tenant() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    let mut request = request(&internet, &project);
    // What is set up for other credentials does not matter while the session has a token.
    request["environment"]["AZURE_TENANT_ID"] = json!("contoso-tenant");
    let (outcome, asked) = run_session(&request, good);
    assert_eq!(outcome.summary(), "created 3");
    assert!(outcome.verbose().contains(&"Signed in with the session of Connect-AzAccount."));
    let [Message::Token { resource, tenant_id, .. }] = &asked[..] else { panic!("not asked once: {asked:?}") };
    assert_eq!((resource.as_str(), tenant_id.as_deref()), ("https://management.azure.com", Some("session-tenant")));
    assert!(internet.seen_by(MANAGEMENT).iter().all(|request| request.token() == "planted-session-token-1"));
}

#[test]
fn the_tenant_of_the_context_goes_before_that_of_the_session() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    let request = with(request(&internet, &project), json!({"context": {"tenantId": "context-tenant"}}));
    let (_, asked) = run_session(&request, good);
    assert!(matches!(&asked[0], Message::Token { tenant_id: Some(tenant), .. } if tenant == "context-tenant"));
}

#[test]
fn a_token_that_ends_is_renewed_while_the_run_goes_on() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    // The first token has ended already when it comes; the second is good.
    let (outcome, asked) = run_session(&request(&internet, &project), |number| {
        let mut answer = good(number);
        if number == 1 {
            answer["expiresOn"] = json!(now() - 1);
        }
        answer
    });
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(asked.len(), 2);
    assert!(internet.seen_by(MANAGEMENT).iter().all(|request| request.token() == "planted-session-token-2"));
}

#[test]
fn a_token_that_ends_when_no_clock_does_is_passed_over() {
    for moment in [i64::MAX, i64::MIN, 253_402_300_800] {
        let cloud = cloud();
        let (internet, project) = started(&cloud);
        let (outcome, _) = run_session(&request(&internet, &project), |number| {
            let mut answer = good(number);
            answer["expiresOn"] = json!(moment);
            answer
        });
        let (code, message) = outcome.failed_with();
        assert_eq!(code, "CredentialUnavailable", "{moment}");
        assert!(message.contains("session of Connect-AzAccount ("), "{message}");
        assert!(internet.seen_by(MANAGEMENT).is_empty());
    }
}

#[test]
fn a_session_without_a_token_is_passed_over_with_its_own_words() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    let refusal = |_| json!({"error": "Your Azure credentials have expired. Run Connect-AzAccount."});
    let (outcome, _) = run_session(&request(&internet, &project), refusal);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "CredentialUnavailable");
    let expected = "session of Connect-AzAccount (Your Azure credentials have expired. Run Connect-AzAccount), ";
    assert!(message.contains(expected), "{message}");

    // A client secret that is set up takes its place, in its own tenant.
    let mut request = request(&internet, &project);
    request["environment"] = internet.signed_in();
    let (outcome, _) = run_session(&request, refusal);
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(internet.seen_by("login.microsoftonline.com")[0].target, "/contoso-tenant/oauth2/v2.0/token");
}

const REVOKED: &str =
    r#"{"error": {"code": "InvalidAuthenticationToken", "message": "The access token has been revoked."}}"#;

#[test]
fn a_refused_token_is_replaced_once_and_the_request_sent_again() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    internet.answer_with("PUT *storageAccounts/", 401, &[], REVOKED);
    let (outcome, asked) = run_session(&request(&internet, &project), good);
    assert_eq!(outcome.summary(), "created 3");
    assert_eq!(asked.len(), 2);
    assert!(outcome.verbose().contains(&"Azure refused the token; requesting another one."));
    let puts: Vec<String> = internet
        .seen_by(MANAGEMENT)
        .iter()
        .filter(|seen| seen.method == "PUT" && seen.target.contains("storageAccounts/stordersdb8e13ec?"))
        .map(|seen| seen.token().to_owned())
        .collect();
    assert_eq!(puts, ["planted-session-token-1", "planted-session-token-2"]);
}

#[test]
fn a_token_that_stays_refused_is_an_error_with_the_answer_to_its_challenge() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    let challenge = r#"Bearer authorization_uri="https://login.microsoftonline.com/", error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#;
    for _ in 0..2 {
        internet.answer_with("PUT *storageAccounts/", 401, &[("www-authenticate", challenge)], REVOKED);
    }
    let (outcome, asked) = run_session(&request(&internet, &project), good);
    assert_eq!(asked.len(), 2, "another token is asked for once");
    let [report] = outcome.errors()[..] else { panic!("not one error: {outcome:#?}") };
    assert_eq!(report.failure.code.as_str(), "InvalidAuthenticationToken");
    assert_eq!(report.failure.request_id.as_deref(), Some("scripted-request"));
    let advice = report.failure.recommendation.as_ref().unwrap();
    assert!(advice.contains(r#"az login --claims-challenge "eyJhY2Nlc3NfdG9rZW4iOnt9fQ==""#), "{advice}");
}

#[test]
fn a_host_that_has_no_token_any_more_ends_the_request_with_its_words() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    internet.answer_with("PUT *storageAccounts/", 401, &[], REVOKED);
    let (outcome, _) = run_session(&request(&internet, &project), |number| {
        if number == 1 { good(number) } else { json!({"error": "The session is over."}) }
    });
    let report = outcome.errors()[0].clone();
    assert_eq!(report.failure.code.as_str(), "CredentialRefused");
    assert_eq!(report.failure.message, "The session of Connect-AzAccount returned no token: The session is over.");
}

#[test]
fn a_name_of_the_context_goes_before_the_subscription_of_the_session() {
    let cloud = cloud();
    let (internet, project) = started(&cloud);
    let other = "00000000-0000-0000-0000-00000000000b";
    let mut request = with(request(&internet, &project), json!({"whatIf": true}));
    request["context"].as_object_mut().unwrap().remove("subscriptionId");
    request["azSession"]["subscriptionId"] = json!(other);
    let target = |request: &Value| {
        let (outcome, _) = run_session(request, good);
        let target = outcome.messages.iter().find_map(|message| match message {
            Message::Target(target) => Some(target.subscription_id.clone()),
            _ => None,
        });
        target.unwrap_or_else(|| panic!("{outcome:?}"))
    };
    assert_eq!(target(&request), other);
    request["context"]["subscriptionName"] = json!("Production");
    let two = json!({"value": [
        {"id": format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}"), "subscriptionId": LOCAL_SUBSCRIPTION_ID, "displayName": "Production", "state": "Enabled"},
        {"id": format!("/subscriptions/{other}"), "subscriptionId": other, "displayName": "Development", "state": "Enabled"}]});
    internet.answer("GET management.azure.com/subscriptions?", 200, &two);
    assert_eq!(target(&request), LOCAL_SUBSCRIPTION_ID);
}
