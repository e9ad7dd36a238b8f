//! Invoke policies: a token holds for just one request.

use super::common::{Bench, STORAGE, absolute, account_body, account_path};
use crate::Fault;
use serde_json::{Value, json};

const ACQUIRE: &str = "providers/Microsoft.Authorization/acquirePolicyToken";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    bench.cloud.misbehave("policy-token=Microsoft.Storage".parse::<Fault>().unwrap());
    bench
}

/// The status of the write of an account with a body as it is, under a token.
fn put(bench: &Bench, name: &str, body: &str, token: &str) -> u16 {
    let path = format!("{}?api-version={STORAGE}", absolute(&account_path(name)));
    bench.raw("PUT", &path, &[("x-ms-policy-external-evaluations", token)], body).status
}

/// The token for the write of an account.
fn token(bench: &Bench, name: &str, method: &str, body: &str) -> String {
    let uri = format!("{}{}?api-version={STORAGE}", bench.cloud.endpoint(), absolute(&account_path(name)));
    let asked = format!(r#"{{"operation":{{"uri":"{uri}","httpMethod":"{method}","content":{body}}}}}"#);
    let answer = bench.raw("POST", &format!("{}?api-version=2025-03-01", absolute(ACQUIRE)), &[], &asked).json();
    assert_eq!(answer["result"], "Succeeded", "{answer}");
    answer["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_token_is_for_one_method_address_and_body_byte_for_byte() {
    let bench = bench();
    let body = account_body(json!({})).to_string();
    let refused = bench.put(&account_path("one"), STORAGE, &account_body(json!({})));
    let error = refused.json()["error"].clone();
    assert_eq!((refused.status, &error["code"]), (403, &json!("RequestDisallowedByPolicy")));
    assert_eq!(
        error["additionalInfo"][0]["info"]["evaluationDetails"]["missingPolicyTokenDetails"]["shouldDeny"],
        true
    );
    let token_of = |method: &str| token(&bench, "one", method, &body);
    for (name, body, token) in [
        ("one", body.clone(), "PoP made-up".to_owned()),
        ("one", body.clone(), token_of("delete")),
        ("one", format!("{body} "), token_of("put")),
        ("two", body.clone(), token_of("put")),
    ] {
        assert_eq!(put(&bench, name, &body, &token), 403, "{name} {token}");
    }
    assert!((200..300).contains(&put(&bench, "one", &body, &token_of("put"))));
    // Reads and other namespaces need none.
    assert_eq!(bench.get(&account_path("one"), STORAGE).status, 200);
    bench.group("other");
}

#[test]
fn a_request_for_a_token_that_is_none_is_refused() {
    let bench = bench();
    for body in ["", "{", "[]", "{}", r#"{"operation":{}}"#, r#"{"operation":{"uri":1,"httpMethod":"put"}}"#] {
        let answer = bench.raw("POST", &format!("{}?api-version=2025-03-01", absolute(ACQUIRE)), &[], body);
        assert_eq!(answer.status, 400, "{body}: {answer:?}");
    }
}

#[test]
fn what_a_token_is_for_is_in_the_request_log_without_its_secrets() {
    let uri = "https://x/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/sites/a/config/appsettings?api-version=2024-04-01";
    let body =
        json!({"operation": {"uri": uri, "httpMethod": "put", "content": {"properties": {"KEY": "hidden-value"}}}});
    let shown = crate::secrets::without_secrets(
        "/subscriptions/s/providers/Microsoft.Authorization/acquirePolicyToken?api-version=1",
        &body,
    );
    assert_eq!(shown["operation"]["content"], json!({"properties": {"KEY": "***"}}));
    assert_eq!(shown["operation"]["uri"], Value::from(uri));
}
