//! Proxies and certificates, as the caller's variables say.

use serde_json::{Value, json};
use svc_engine::protocol::ErrorCategory;

use crate::sign_in::run_impatient;
use crate::support::internet::Internet;
use crate::support::*;

fn run_with(internet: &Internet, variables: &Value) -> Outcome {
    let project = Project::with(&document(""));
    let mut environment = internet.signed_in();
    for (name, value) in variables.as_object().unwrap() {
        environment[name] = value.clone();
    }
    run_impatient(&internet.request(&project.path("storage.yml"), environment))
}

#[test]
fn a_proxy_that_asks_for_a_password_gets_it() {
    let cloud = cloud();
    let internet = Internet::behind_password(&cloud, "proxy-user:planted/proxy-password");
    let proxy = format!("proxy-user:planted%2Fproxy-password@127.0.0.1:{}", internet.port());
    // Both spellings are read; an empty variable is none.
    let outcome = run_with(&internet, &json!({"HTTPS_PROXY": "", "https_proxy": proxy}));
    assert_eq!(outcome.summary(), "created 2");
    let tunnels = internet.tunnels();
    assert!(tunnels.iter().any(|host| host == "login.microsoftonline.com"), "{tunnels:?}");
    assert!(tunnels.iter().any(|host| host == "management.azure.com"), "{tunnels:?}");
}

#[test]
fn a_proxy_that_refuses_is_told_without_the_password() {
    let cloud = cloud();
    let internet = Internet::behind_password(&cloud, "proxy-user:another-password");
    let proxy = format!("http://proxy-user:planted-proxy-password@127.0.0.1:{}", internet.port());
    let outcome = run_with(&internet, &json!({"HTTPS_PROXY": proxy}));
    let report = outcome.last_error();
    assert_eq!(
        (report.failure.code.as_str(), report.failure.category),
        ("ConnectionFailed", ErrorCategory::ConnectionError)
    );
    assert!(report.failure.message.contains("login.microsoftonline.com cannot be reached: "), "{report:?}");
    assert!(
        report
            .failure
            .message
            .ends_with("the proxy requires a user name and a password, or refused those in the proxy variable."),
        "{report:?}"
    );
    assert!(report.failure.recommendation.as_ref().unwrap().contains("proxy variables"));
    assert!(!format!("{outcome:?}").contains("planted-proxy-password"));
}

#[test]
fn a_proxy_that_is_not_there_or_does_not_connect_is_not_taken_for_the_server() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    // Nobody listens on a port that was just free.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let report = run_with(&internet, &json!({"HTTPS_PROXY": format!("http://{free}")})).last_error().clone();
    let refused = "login.microsoftonline.com cannot be reached: the proxy refused the connection.";
    assert!(report.failure.message.ends_with(refused), "{report:?}");
    assert!(report.failure.recommendation.unwrap().starts_with("Check the proxy variables"));
    // The proxy knows no such host.
    let report = run_with(&internet, &json!({"AZURE_AUTHORITY_HOST": "nowhere.example"})).last_error().clone();
    let unknown = "nowhere.example cannot be reached: the proxy refused to connect to it.";
    assert!(report.failure.message.ends_with(unknown), "{report:?}");
}

#[test]
fn what_the_exceptions_name_is_reached_past_the_proxy() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let authority = format!("https://localhost:{}", internet.port());
    let outcome =
        run_with(&internet, &json!({"AZURE_AUTHORITY_HOST": authority, "NO_PROXY": "other.example, localhost"}));
    assert_eq!(outcome.summary(), "created 2");
    assert_eq!(internet.seen_by("localhost").len(), 1);
    assert!(internet.tunnels().iter().all(|host| host == "management.azure.com"), "{:?}", internet.tunnels());
    run_with(&internet, &json!({"AZURE_AUTHORITY_HOST": authority}));
    assert!(internet.tunnels().iter().any(|host| host == "localhost"), "{:?}", internet.tunnels());
}

#[test]
fn all_proxy_is_for_what_has_no_proxy_of_its_own() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let proxy = format!("http://127.0.0.1:{}", internet.port());
    assert_eq!(run_with(&internet, &json!({"HTTPS_PROXY": "", "ALL_PROXY": proxy})).summary(), "created 2");
    assert!(!internet.tunnels().is_empty());
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &json!({"SSL_CERT_FILE": ""}));
    let report = outcome.last_error();
    assert_eq!(report.failure.code.as_str(), "ConnectionFailed");
    assert!(report.failure.message.contains("certificate"), "{report:?}");
    assert!(internet.seen().is_empty(), "nothing is sent to who may be anybody");
}

#[test]
fn a_proxy_of_another_kind_is_said_to_be_none() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let outcome = run_with(&internet, &json!({"HTTPS_PROXY": "socks5://user:planted-proxy-password@127.0.0.1:1080"}));
    assert_eq!(outcome.failed_with(), ("ProxyInvalid", "The value of HTTPS_PROXY is not the URL of a proxy."));
    assert!(!format!("{outcome:?}").contains("planted-proxy-password"));
}
