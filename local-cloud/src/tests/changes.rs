//! The changes of resources and who made them: the answers of Azure Resource Graph and of the activity log.

use super::common::{Bench, STORAGE, absolute, account_body, account_path, quick};
use crate::LocalCloudOptions;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// The headers of somebody with these claims, and this client.
fn headers(claims: &str, agent: &str) -> [(String, String); 2] {
    let token = format!("Bearer e30.{}.secret-signature", URL_SAFE_NO_PAD.encode(claims));
    [("Authorization".to_owned(), token), ("User-Agent".to_owned(), agent.to_owned())]
}

fn send(bench: &Bench, method: &str, path: &str, body: &Value, headers: &[(String, String)]) {
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let answer = bench.raw(method, &format!("{}?api-version={STORAGE}", absolute(path)), &headers, &body.to_string());
    assert!((200..300).contains(&answer.status), "{answer:?}");
}

fn ask(bench: &Bench, query: &str) -> super::common::Reply {
    let body = json!({"subscriptions": [crate::LOCAL_SUBSCRIPTION_ID], "query": query});
    bench.call("POST", "/providers/Microsoft.ResourceGraph/resources", "2024-04-01", Some(&body))
}

fn rows(bench: &Bench) -> Vec<Value> {
    let query = "resourcechanges | extend at = tostring(properties.changeAttributes.timestamp) | order by at asc | project properties";
    ask(bench, query).json()["data"].as_array().unwrap().iter().map(|row| row["properties"].clone()).collect()
}

fn events(bench: &Bench, of: &str) -> Vec<Value> {
    let path = format!(
        "providers/Microsoft.Insights/eventtypes/management/values?$filter=eventTimestamp ge '2020-01-01T00:00:00Z' and eventTimestamp le '2099-01-01T00:00:00Z' and resourceUri eq '{}'",
        absolute(of)
    );
    bench.get(&path, "2015-04-01").json()["value"].as_array().unwrap().clone()
}

/// The members are those of the page "Get resource changes".
#[test]
fn a_change_has_who_with_what_and_each_value() {
    let bench = Bench::new();
    bench.group("g");
    let jane = headers(r#"{"upn":"jane@contoso.com","appid":"c44b4083-3bb0-49c1-b47d-974e53cbdf3c"}"#, "Mozilla/5.0");
    let robot = headers(r#"{"appid":"7d3a0000-0000-4000-8000-00000000beef","oid":"1"}"#, "curl/8");
    let account = account_path("one");
    let with = |version: &str| account_body(json!({"properties": {"minimumTlsVersion": version}}));
    send(&bench, "PUT", &account, &with("TLS1_2"), &robot);
    assert_eq!(rows(&bench).len(), 0, "what is made is no change of something");
    send(&bench, "PUT", &account, &with("TLS1_2"), &jane);
    assert_eq!(rows(&bench).len(), 0, "nothing is different");
    send(&bench, "PUT", &account, &with("TLS1_0"), &jane);
    send(&bench, "DELETE", &account, &Value::Null, &robot);
    let found = rows(&bench);
    assert_eq!(found.len(), 2, "{found:?}");
    // Both may be of one moment.
    let of = |kind: &str| found.iter().find(|row| row["changeType"] == kind).unwrap();
    let (update, deletion) = (of("Update"), of("Delete"));
    assert_eq!(update["targetResourceId"], absolute(&account));
    let change = &update["changes"]["properties.minimumTlsVersion"];
    assert_eq!((&change["previousValue"], &change["newValue"]), (&json!("TLS1_2"), &json!("TLS1_0")));
    assert_eq!(update["changes"].as_object().unwrap().len(), 1, "{update}");
    let attributes = &update["changeAttributes"];
    assert_eq!((&attributes["changedBy"], &attributes["changedByType"]), (&json!("jane@contoso.com"), &json!("User")));
    assert_eq!((&attributes["clientType"], &attributes["changesCount"]), (&json!("Azure Portal"), &json!(1)));
    assert_eq!(attributes["operation"], "microsoft.storage/storageaccounts/write");
    let attributes = &deletion["changeAttributes"];
    assert_eq!(attributes["changedBy"], "7d3a0000-0000-4000-8000-00000000beef");
    assert_eq!(
        (&attributes["changedByType"], &attributes["clientType"]),
        (&json!("Application"), &json!("Unspecified"))
    );
    let told = events(&bench, &account);
    assert_eq!(
        told.iter().map(|event| event["operationName"]["value"].as_str().unwrap()).collect::<Vec<_>>(),
        ["microsoft.storage/storageaccounts/delete", "microsoft.storage/storageaccounts/write"]
    );
    assert_eq!(
        (&told[1]["caller"], &told[1]["claims"]["appid"]),
        (&json!("jane@contoso.com"), &json!("c44b4083-3bb0-49c1-b47d-974e53cbdf3c"))
    );
    assert!(events(&bench, &account_path("other")).is_empty());
}

#[test]
fn children_are_in_the_activity_log_only() {
    let bench = Bench::new();
    bench.group("g");
    bench.account("one", json!({}));
    let queue = format!("{}/queueServices/default/queues/orders", account_path("one"));
    send(&bench, "PUT", &queue, &json!({"properties": {}}), &[]);
    send(&bench, "DELETE", &queue, &Value::Null, &headers("{\"unique_name\":\"omar@contoso.com\"}", "AZURECLI/2.80"));
    assert!(rows(&bench).is_empty());
    let told = events(&bench, &queue);
    assert_eq!((told.len(), &told[0]["caller"]), (1, &json!("omar@contoso.com")));
}

#[test]
fn a_token_that_is_none_names_nobody() {
    let bench = Bench::new();
    bench.group("g");
    bench.account("one", json!({}));
    let wrong = [
        "",
        "Bearer",
        "Bearer a.b",
        "Bearer e30.%%%.e30",
        "Bearer e30.bnVsbA.e30",
        "Bearer e30.W10.e30",
        "Basic e30.eyJ1cG4iOjF9.e30",
    ];
    for (index, token) in wrong.into_iter().enumerate() {
        let tags = account_body(json!({"tags": {"number": index.to_string()}}));
        send(&bench, "PUT", &account_path("one"), &tags, &[("Authorization".to_owned(), token.to_owned())]);
    }
    let found = rows(&bench);
    assert_eq!(found.len(), wrong.len());
    assert!(found.iter().all(|row| row["changeAttributes"]["changedBy"] == ""), "{found:?}");
}

#[test]
fn what_is_asked_of_the_graph_otherwise_is_refused() {
    let bench = Bench::new();
    let refused = |body: Value| {
        bench.call("POST", "/providers/Microsoft.ResourceGraph/resources", "2024-04-01", Some(&body)).refusal()
    };
    for body in [
        json!({}),
        json!({"query": 1}),
        json!({"query": "resources"}),
        json!({"query": "resourcechanges | frobnicate"}),
    ] {
        assert_eq!(refused(body.clone()), (400, "BadRequest".to_owned()), "{body}");
    }
    let other = json!({"subscriptions": ["00000000-0000-0000-0000-000000000009"], "query": "resourcechanges"});
    let answer = bench.call("POST", "/providers/Microsoft.ResourceGraph/resources", "2024-04-01", Some(&other));
    assert_eq!(answer.json()["data"], json!([]));
}

#[test]
fn changes_are_kept_without_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let options = || LocalCloudOptions { state_file: Some(path.clone()), ..quick() };
    let bench = Bench::with(options());
    bench.group("g");
    bench.account("one", json!({}));
    send(
        &bench,
        "PUT",
        &account_path("one"),
        &account_body(json!({"tags": {"a": "b"}})),
        &headers("{\"upn\":\"jane@contoso.com\"}", ""),
    );
    drop(bench);
    assert!(!std::fs::read_to_string(&path).unwrap().contains("secret-signature"));
    assert_eq!(rows(&Bench::with(options())).len(), 1);
}
