//! The clouds: which endpoint is asked, with a token for whom, of which authority.

use serde_json::{Value, json};
use svc_engine::protocol::Message;

use crate::support::internet::Internet;
use crate::support::*;

fn project() -> Project {
    Project::with(&document(""))
}

fn request(internet: &Internet, project: &Project, context: &Value) -> Value {
    with(internet.request(&project.path("storage.yml"), internet.signed_in()), json!({"context": context}))
}

#[test]
fn each_cloud_has_its_endpoint_its_audience_and_its_authority() {
    let cases = [
        ("public", "management.azure.com", "login.microsoftonline.com"),
        ("USGovernment", "management.usgovcloudapi.net", "login.microsoftonline.us"),
        ("AzureChinaCloud", "management.chinacloudapi.cn", "login.chinacloudapi.cn"),
    ];
    for (name, endpoint, authority) in cases {
        let (cloud, project) = (cloud(), project());
        let internet = Internet::with(&cloud);
        let outcome = run(&request(&internet, &project, &json!({"cloud": name})));
        assert_eq!(outcome.summary(), "created 2", "{name}");
        let [asked] = &internet.seen_by(authority)[..] else { panic!("{name}: {:?}", internet.seen()) };
        assert_eq!(asked.field("scope"), format!("https://{endpoint}/.default"));
        assert!(internet.seen().iter().all(|seen| seen.host == authority || seen.host == endpoint), "{name}");
    }
}

#[test]
fn an_endpoint_of_ones_own_says_where_to_sign_in() {
    let (cloud, project) = (cloud(), project());
    let internet = Internet::with(&cloud);
    let described = json!({"name": "Ours", "authentication":
        {"loginEndpoint": "https://login.ours.example/", "audiences": ["https://api.ours.example"]}});
    internet.answer("GET arm.ours.example/metadata/endpoints", 200, &described);
    let outcome = run(&request(&internet, &project, &json!({"cloud": "https://arm.ours.example"})));
    assert_eq!(outcome.summary(), "created 2");
    assert_eq!(internet.seen_by("login.ours.example")[0].field("scope"), "https://api.ours.example/.default");
    let line = "https://arm.ours.example says that tokens are for https://api.ours.example and come from https://login.ours.example.";
    assert!(outcome.verbose().contains(&line), "{:?}", outcome.verbose());
}

#[test]
fn an_endpoint_of_ones_own_that_asks_for_tokens_of_azure_gets_none() {
    let (cloud, project) = (cloud(), project());
    let internet = Internet::with(&cloud);
    let described = json!({"authentication":
        {"loginEndpoint": "https://login.microsoftonline.com", "audiences": ["https://management.azure.com"]}});
    internet.answer("GET arm.ours.example/metadata/endpoints", 200, &described);
    run(&request(&internet, &project, &json!({"cloud": "https://arm.ours.example"})));
    let asked = internet.seen_by("login.microsoftonline.com");
    assert_eq!(asked[0].field("scope"), "https://arm.ours.example/.default");
    assert!(asked.iter().all(|seen| !seen.field("scope").contains("azure.com")), "{asked:?}");
}

#[test]
fn an_endpoint_that_says_nothing_is_its_own_audience() {
    let (cloud, project) = (cloud(), project());
    let internet = Internet::with(&cloud);
    internet.answer("GET arm.ours.example/metadata/endpoints", 404, &json!({}));
    let mut request = request(&internet, &project, &json!({"cloud": "https://arm.ours.example"}));
    request["environment"]["AZURE_AUTHORITY_HOST"] = json!("https://login.ours.example");
    assert_eq!(run(&request).summary(), "created 2");
    assert_eq!(internet.seen_by("login.ours.example")[0].field("scope"), "https://arm.ours.example/.default");
}

#[test]
fn another_endpoint_of_a_named_cloud_keeps_its_audience() {
    let (cloud, project) = (cloud(), project());
    let internet = Internet::with(&cloud);
    let context = json!({"cloud": "public", "resourceManagerEndpoint": "https://arm.ours.example"});
    assert_eq!(run(&request(&internet, &project, &context)).summary(), "created 2");
    let asked = &internet.seen_by("login.microsoftonline.com")[0];
    assert_eq!(asked.field("scope"), "https://management.azure.com/.default");
    assert!(!internet.seen_by("arm.ours.example").is_empty() && internet.seen_by("management.azure.com").is_empty());
}

#[test]
fn the_session_of_the_host_names_the_cloud_where_the_context_does_not() {
    let (cloud, project) = (cloud(), project());
    let internet = Internet::with(&cloud);
    let mut request = internet.request(&project.path("storage.yml"), internet.environment(&json!({})));
    request["context"].as_object_mut().unwrap().remove("cloud");
    request["azSession"] = json!({"cloud": "AzureUSGovernment"});
    let operation = start(&request);
    let mut resources = Vec::new();
    while let Some(message) = next(&operation) {
        if let Message::Token { id, resource, .. } = &message {
            resources.push(resource.clone());
            operation.answer(&json!({"id": id, "error": "No."}).to_string()).unwrap();
        }
    }
    assert_eq!(resources, ["https://management.usgovcloudapi.net"]);
}
