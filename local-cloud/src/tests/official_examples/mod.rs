//! What the local cloud says to the requests of the examples of Azure's REST specifications. They are facts: what Azure publishes as a
//! request it takes, unless the example itself is wrong, and then the table says why.
//!
//! Each table has, for an example (its path below `specification` of Azure/azure-rest-api-specs), what it is about, the request and
//! what comes of it: the status with which it is taken, or status and code with which it is refused and why. Bodies are written for
//! this test: they say what the example says, with values and names of its own. `{s}` is the subscription, `{S}` the same without its first
//! slash, `{g}` the group in which [`ESTATE`] is.

use super::common::{Bench, absolute};
use crate::LOCAL_SUBSCRIPTION_ID;
use serde::Deserialize;
use serde_json::Value;

/// What the requests need, each as Azure shows it.
const ESTATE: &str = include_str!("estate.json");
/// The tables.
const TABLES: &[&str] = &[
    include_str!("storage.json"),
    include_str!("network.json"),
    include_str!("front_door.json"),
    include_str!("monitor.json"),
    include_str!("web.json"),
    include_str!("services.json"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    /// Its path.
    example: String,
    /// What it is about.
    what: String,
    #[serde(default = "put")]
    method: String,
    /// The path of the request.
    at: String,
    /// The api-version.
    version: String,
    body: Option<Value>,
    /// The status of the answer where it is taken.
    taken: Option<u16>,
    /// Status and code where it is not.
    refused: Option<String>,
    /// Why it is not.
    because: Option<String>,
}

fn put() -> String {
    "PUT".to_owned()
}

fn filled(text: &str) -> String {
    let subscription = format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}");
    let text = text.replace("{g}", &absolute("resourceGroups/g")).replace("{S}", subscription.trim_start_matches('/'));
    text.replace("{s}", &subscription)
}

fn examples() -> Vec<Example> {
    let tables = TABLES.iter().map(|table| serde_json::from_str::<Vec<Example>>(&filled(table)).unwrap());
    tables.flatten().collect()
}

/// What is wrong with the answer to an example; none where it is the one of the table.
fn differs(bench: &Bench, example: &Example) -> Option<String> {
    let answer = bench.call(&example.method, &example.at, &example.version, example.body.as_ref());
    let expected = match (example.taken, &example.refused) {
        (Some(status), None) => status.to_string(),
        (None, Some(refused)) => refused.clone(),
        _ => return Some("is neither taken nor refused, or both".to_owned()),
    };
    let found = if answer.status < 300 {
        answer.status.to_string()
    } else {
        let (status, code) = answer.refusal();
        format!("{status} {code}")
    };
    (found != expected).then(|| format!("{found}, not {expected}: {}", answer.text))
}

#[test]
fn what_azure_publishes_is_taken_or_refused_for_a_reason() {
    let estate: Vec<Value> = serde_json::from_str(&filled(ESTATE)).unwrap();
    let examples = examples();
    let mut wrong = Vec::new();
    for (index, example) in examples.iter().enumerate() {
        // Each finds the same.
        let bench = Bench::new();
        bench.cloud.import(&estate).unwrap();
        let difference = differs(&bench, example);
        let label = format!("{index} {} ({})", example.example, example.what);
        wrong.extend(difference.map(|difference| format!("{label}: {difference}")));
        if example.refused.is_some() != example.because.as_ref().is_some_and(|because| !because.is_empty()) {
            wrong.push(format!("{label}: what is refused has a reason, and nothing else has"));
        }
        if !example.example.contains("/examples/") || !example.example.ends_with(".json") {
            wrong.push(format!("{label}: this is no path of an example"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
    assert!(examples.len() > 100, "only {} examples", examples.len());
    let types = [
        "storageAccounts",
        "bastionHosts",
        "privateDnsZones",
        "afdEndpoints",
        "metricAlerts",
        "serverfarms",
        "service/",
    ];
    for name in types {
        assert!(examples.iter().any(|example| example.at.contains(name)), "no example of {name}");
    }
}
