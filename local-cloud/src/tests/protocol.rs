use super::common::{Bench, RESOURCES, STORAGE, absolute, account_body, account_path};
use crate::{LOCAL_SUBSCRIPTION_ID, LOCAL_TENANT_ID, LocalCloud, LocalCloudError, LocalCloudOptions};
use serde_json::{Value, json};

#[test]
fn api_versions_are_required_checked_and_known() {
    let bench = Bench::new();
    let code = |path: &str| bench.raw("GET", path, &[], "").refusal();
    let groups = absolute("resourceGroups");
    assert_eq!(code(&groups), (400, "MissingApiVersionParameter".into()));
    assert_eq!(code(&format!("{groups}?api-version=newest")), (400, "InvalidApiVersionParameter".into()));
    assert_eq!(code(&format!("{groups}?api-version=1999-01-01")), (400, "NoRegisteredProviderFound".into()));
    let refused = bench.get(&account_path("a"), "2031-01-01");
    assert_eq!(refused.refusal().1, "NoRegisteredProviderFound");
    assert!(refused.text.contains("2026-04-01"), "{refused:?}");
}

#[test]
fn every_answer_has_azures_headers() {
    let bench = Bench::new();
    let path = format!("{}?api-version={RESOURCES}", absolute("resourceGroups/none"));
    let headers =
        [("x-ms-client-request-id", "mine"), ("x-ms-correlation-request-id", "ours"), ("authorization", "Bearer s")];
    let reply = bench.raw("GET", &path, &headers, "");
    assert_eq!(reply.refusal(), (404, "ResourceGroupNotFound".into()));
    assert_eq!(reply.header("x-ms-client-request-id"), Some("mine"));
    assert_eq!(reply.header("x-ms-correlation-request-id"), Some("ours"));
    assert!(reply.header("x-ms-request-id").is_some_and(|id| id.len() == 36));
    assert_eq!(reply.header("x-ms-ratelimit-remaining-subscription-reads"), Some("249"));
    assert_eq!(reply.header("content-type"), Some("application/json; charset=utf-8"));
    let deleted = bench.call("DELETE", &account_path("a"), STORAGE, None);
    assert_eq!(deleted.header("x-ms-ratelimit-remaining-subscription-deletes"), Some("199"));
}

#[test]
fn paths_ignore_case_and_ids_keep_the_casing_first_sent() {
    let bench = Bench::new();
    assert_eq!(bench.put("resourcegroups/MyGroup", RESOURCES, &json!({"location": "UK South"})).status, 201);
    let again = bench.put("resourceGroups/MYGROUP", RESOURCES, &json!({"location": "uksouth"}));
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["name"], "MyGroup");
    assert_eq!(again.json()["location"], "uksouth");
    let upper = format!("{}?API-VERSION={RESOURCES}", absolute("RESOURCEGROUPS/mygroup").to_uppercase());
    assert_eq!(bench.raw("GET", &upper, &[], "").json()["id"], absolute("resourceGroups/MyGroup"));
    assert_eq!(bench.call("HEAD", "resourceGroups/mygroup", RESOURCES, None).status, 204);
    assert_eq!(bench.call("HEAD", "resourceGroups/other", RESOURCES, None).status, 404);
}

#[test]
fn groups_stay_where_they_are() {
    let bench = Bench::new();
    bench.group("g");
    let put = |path: &str, body: Value| bench.put(path, RESOURCES, &body).refusal();
    assert_eq!(put("resourceGroups/g", json!({"location": "ukwest"})), (409, "InvalidResourceGroupLocation".into()));
    assert_eq!(put("resourceGroups/h", json!({})), (400, "LocationRequired".into()));
    assert_eq!(
        put("resourceGroups/h", json!({"location": "moon"})),
        (400, "LocationNotAvailableForResourceGroup".into())
    );
    assert_eq!(put("resourceGroups/h.", json!({"location": "ukwest"})), (400, "InvalidResourceGroup".into()));
    let patched = bench.call("PATCH", "resourceGroups/g", RESOURCES, Some(&json!({"tags": {"a": "1"}})));
    assert_eq!((patched.status, &patched.json()["tags"]), (200, &json!({"a": "1"})));
}

#[test]
fn what_is_not_json_or_too_large_is_refused() {
    let bench = Bench::new();
    let path = format!("{}?api-version={RESOURCES}", absolute("resourceGroups/g"));
    assert_eq!(bench.raw("PUT", &path, &[], "{location:").refusal(), (400, "InvalidRequestContent".into()));
    assert_eq!(bench.raw("PUT", &path, &[], "[]").refusal(), (400, "InvalidRequestContent".into()));
    let large = json!({"location": "uksouth", "x": "x".repeat(4 * 1024 * 1024)});
    assert_eq!(bench.raw("PUT", &path, &[], &large.to_string()).refusal().0, 413);
    assert_eq!(bench.cloud.resource(&absolute("resourceGroups/g")), None);
}

#[test]
fn subscriptions_are_guids_and_exist() {
    let bench = Bench::new();
    let malformed = bench.get("/subscriptions/mine/resourceGroups", RESOURCES);
    assert_eq!(malformed.refusal(), (400, "InvalidSubscriptionId".into()));
    let other = "/subscriptions/22222222-2222-4222-8222-222222222222";
    assert_eq!(bench.put(&format!("{other}/resourceGroups/g"), RESOURCES, &json!({"location": "uksouth"})).status, 201);
    assert_eq!(bench.get(other, "2022-12-01").json()["state"], "Enabled");
    let all = bench.get("/subscriptions", "2022-12-01").json();
    let ids: Vec<&str> =
        all["value"].as_array().unwrap().iter().filter_map(|one| one["subscriptionId"].as_str()).collect();
    assert_eq!(ids, [LOCAL_SUBSCRIPTION_ID, &other[15..]]);
}

#[test]
fn a_client_can_sign_in() {
    let bench = Bench::new();
    let metadata = bench.get("/metadata/endpoints", "2022-09-01").json();
    let login = metadata["authentication"]["loginEndpoint"].as_str().unwrap();
    assert_eq!(login, bench.cloud.endpoint());
    let openid = bench.raw("GET", &format!("/{LOCAL_TENANT_ID}/v2.0/.well-known/openid-configuration"), &[], "").json();
    let url = openid["token_endpoint"].as_str().unwrap();
    let token = bench.try_raw("POST", url, &[], b"client_secret=s".to_vec()).unwrap().json();
    assert_eq!(token["token_type"], "Bearer");
    assert_eq!(token["access_token"].as_str().unwrap().split('.').count(), 3);
    assert_eq!(bench.get("/tenants", "2022-12-01").json()["value"][0]["tenantId"], LOCAL_TENANT_ID);
    let behind_proxy =
        bench.raw("GET", "/metadata/endpoints?api-version=2022-09-01", &[("x-forwarded-proto", "https")], "");
    assert!(behind_proxy.json()["resourceManager"].as_str().unwrap().starts_with("https://127.0.0.1:"));
}

#[test]
fn providers_are_there_and_registered() {
    let bench = Bench::new();
    let provider = bench.get("providers/microsoft.storage", RESOURCES).json();
    assert_eq!(
        (&provider["namespace"], &provider["registrationState"]),
        (&json!("Microsoft.Storage"), &json!("Registered"))
    );
    assert_eq!(provider["resourceTypes"][0]["apiVersions"][0], "2026-09-01");
    assert_eq!(bench.call("POST", "providers/Microsoft.Web/register", RESOURCES, None).status, 200);
    assert!(bench.get("providers", RESOURCES).json()["value"].as_array().unwrap().len() > 5);
    assert!(bench.get("locations", "2022-12-01").text.contains("UK South"));
}

#[test]
fn requests_are_recorded_in_order_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("logs/requests.jsonl");
    let options = LocalCloudOptions { request_log: Some(log.clone()), record_requests: 3, ..super::common::quick() };
    let bench = Bench::with(options);
    bench.raw("POST", "/t/oauth2/v2.0/token", &[], "{\"client_secret\":\"s3cret\"}");
    bench.group("g");
    bench.put(&account_path("abc"), STORAGE, &account_body(json!({})));
    bench.raw("GET", "/nothing", &[("authorization", "Bearer s3cret")], "");
    let recorded = bench.cloud.requests();
    let seen: Vec<(&str, u16)> = recorded.iter().map(|request| (request.method.as_str(), request.status)).collect();
    assert_eq!(seen, [("PUT", 201), ("PUT", 202), ("GET", 400)]);
    assert_eq!(recorded[1].url, format!("{}?api-version={STORAGE}", absolute(&account_path("abc"))));
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        (&lines[0]["body"], &lines[2]["body"]["kind"], &lines[2]["status"]),
        (&Value::Null, &json!("StorageV2"), &json!(202))
    );
}

#[test]
fn the_request_log_is_private_and_hides_secrets_unless_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let log = |with_secrets: bool| {
        let log = folder.path().join(format!("{with_secrets}.jsonl"));
        std::fs::write(&log, "").unwrap();
        let options = LocalCloudOptions {
            request_log: Some(log.clone()),
            request_log_secrets: with_secrets,
            ..super::common::quick()
        };
        let bench = Bench::with(options);
        bench.group("g");
        let group = json!({"location": "Global", "properties": {"groupShortName": "s", "enabled": true,
            "webhookReceivers": [{"name": "w", "serviceUri": "https://hooks.example/s3cret"}]}});
        bench.put("resourceGroups/g/providers/Microsoft.Insights/actionGroups/a", "2023-01-01", &group);
        drop(bench);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::read_to_string(&log).unwrap()
    };
    assert!(log(true).contains("s3cret"));
    let hidden = log(false);
    assert!(!hidden.contains("s3cret") && hidden.contains("\"serviceUri\":\"***\""), "{hidden}");
}

#[test]
fn it_answers_only_under_its_own_names() {
    let options = LocalCloudOptions { host_names: vec!["proxy.example".to_owned()], ..super::common::quick() };
    let bench = Bench::with(options);
    let status = |host: &str| bench.raw("GET", "/subscriptions?api-version=2022-12-01", &[("host", host)], "").status;
    for own in ["localhost", "LOCALHOST:8090", "127.0.0.1:1", "[::1]:8090", "[::1]", "proxy.example:443"] {
        assert_eq!(status(own), 200, "{own}");
    }
    for foreign in ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example"] {
        assert_eq!(status(foreign), 421, "{foreign}");
    }
}

/// A simple POST of a page reaches any server on the machine; only the `Origin` of the browser tells (Fetch standard, "Origin header").
#[test]
fn a_page_of_somebody_else_cannot_change_anything() {
    let bench = Bench::new();
    let own = bench.cloud.endpoint().to_owned();
    let post = |origin: Option<&str>| {
        let mut headers = vec![("content-type", "text/plain")];
        headers.extend(origin.map(|origin| ("origin", origin)));
        let url = format!(
            "/subscriptions/{LOCAL_SUBSCRIPTION_ID}/providers/Microsoft.Storage/register?api-version=2021-04-01"
        );
        bench.raw("POST", &url, &headers, "{}").status
    };
    assert_eq!((post(None), post(Some(&own))), (200, 200));
    for foreign in ["https://evil.example", "http://localhost:1", "http://127.0.0.1", "null", ""] {
        assert_eq!(post(Some(foreign)), 403, "{foreign}");
    }
}

#[test]
fn only_loopback_is_listened_on() {
    let listen = "0.0.0.0:0".parse().unwrap();
    let refused = LocalCloud::start(LocalCloudOptions { listen, ..LocalCloudOptions::default() });
    assert!(matches!(refused, Err(LocalCloudError::NotLoopback { .. })));
    let bench = Bench::new();
    let taken = bench.cloud.endpoint().trim_start_matches("http://").parse().unwrap();
    let refused = LocalCloud::start(LocalCloudOptions { listen: taken, ..LocalCloudOptions::default() });
    assert!(matches!(refused, Err(LocalCloudError::Listen { .. })));
}

#[test]
fn throttling_is_azures() {
    let throttling = crate::Throttling { writes: 1, writes_per_second: 1, ..crate::Throttling::azure() };
    let bench = Bench::with(LocalCloudOptions { throttling: Some(throttling), ..super::common::quick() });
    let body = json!({"location": "uksouth"});
    let refused = (0..100)
        .map(|_| bench.put("resourceGroups/a", RESOURCES, &body))
        .find(|reply| reply.status >= 300)
        .expect("a hundred writes take less than a hundred seconds");
    assert_eq!(refused.refusal(), (429, "SubscriptionRequestsThrottled".into()));
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.header("x-ms-ratelimit-remaining-subscription-writes"), Some("0"));
    assert_eq!(bench.get("resourceGroups/a", RESOURCES).status, 200);
}

#[test]
fn any_thread_may_use_it() {
    fn shareable<T: Send + Sync>(_: &T) {}
    shareable(&Bench::new().cloud);
}
