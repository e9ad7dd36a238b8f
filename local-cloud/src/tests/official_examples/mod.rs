//! The answers of the local cloud to the requests of the examples of Azure's REST specifications. They are facts: what Azure publishes as a
//! request it takes, unless the example itself is wrong, and then the table says why.
//!
//! Each table has, for an example (its path below `specification` of Azure/azure-rest-api-specs), what it is about, the request and
//! what comes of it: the status with which it is taken, or status and code with which it is refused and why. Where the answer is compared,
//! the row has what of it is documented: a write is compared with a GET after it. Bodies are written for
//! this test: they say what the example says, with values and names of its own. `{s}` is the subscription, `{S}` the same without its first
//! slash, `{g}` the group in which [`ESTATE`] is.

use super::common::{Bench, absolute};
use crate::LOCAL_SUBSCRIPTION_ID;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The resources that the requests need, each as Azure shows it.
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
    /// The subject of the example.
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
    /// The resources that are there beside the estate, as Azure shows it.
    #[serde(default)]
    there: Vec<Value>,
    /// The documented parts of the answer: members, where `"*"` is anything but null; `"there"` for the last of what is there; a list of
    /// ids for those of what is there that a listing has.
    answer: Option<Value>,
    /// The members that the local cloud answers otherwise, by JSON pointer, and why.
    #[serde(default)]
    differs: BTreeMap<String, String>,
}

impl Example {
    /// The documented answer.
    fn documented(&self) -> Option<Value> {
        match self.answer.as_ref()? {
            Value::String(_) => self.there.last().cloned(),
            Value::Array(ids) => {
                let listed = self.there.iter().filter(|body| ids.contains(&body["id"]));
                Some(json!({"value": listed.collect::<Vec<_>>()}))
            }
            answer => Some(answer.clone()),
        }
    }
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

/// The members of a documented answer that another has otherwise.
fn misses(documented: &Value, found: &Value, at: &str, out: &mut Vec<String>) {
    match (documented, found) {
        (Value::String(any), found) if any == "*" && !found.is_null() => {}
        (Value::Object(members), Value::Object(_)) => {
            members.iter().for_each(|(name, value)| misses(value, &found[name], &format!("{at}/{name}"), out));
        }
        (Value::Array(items), Value::Array(others)) if at == "/value" => {
            for (index, item) in items.iter().enumerate() {
                // A listing also has what was there before.
                let same = |other: &&Value| is_same(&item["id"], &other["id"]);
                let other = others.iter().find(same).or(others.get(index)).unwrap_or(&Value::Null);
                misses(item, other, &format!("{at}/{index}"), out);
            }
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            for (index, (item, other)) in items.iter().zip(others).enumerate() {
                misses(item, other, &format!("{at}/{index}"), out);
            }
        }
        (documented, found) if is_same(documented, found) => {}
        _ => out.push(at.to_owned()),
    }
}

/// Whether two values are one; ids ignore case.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) if one.starts_with("/subscriptions/") => {
            one.eq_ignore_ascii_case(other)
        }
        (one, other) => one == other,
    }
}

/// The difference between the answer to an example and the documented one; none where it is the one of the table.
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
    if found != expected {
        return Some(format!("{found}, not {expected}: {}", answer.text));
    }
    let documented = example.documented();
    let written = ["PUT", "PATCH"].contains(&example.method.as_str()) && documented.is_some();
    let gone = example.method == "DELETE" && example.taken.is_some();
    let after = (written || gone).then(|| bench.get(&example.at, &example.version));
    if let Some(after) = after.as_ref().filter(|after| gone && after.status != 404) {
        return Some(format!("is still there: {}", after.text));
    }
    let found = after.filter(|_| written).unwrap_or(answer).text;
    let found = serde_json::from_str(&found).unwrap_or_default();
    let mut missed = Vec::new();
    misses(&documented.unwrap_or_default(), &found, "", &mut missed);
    let expected: Vec<&String> = example.differs.keys().collect();
    missed.sort();
    (example.answer.is_some() && missed.iter().collect::<Vec<_>>() != expected)
        .then(|| format!("differs in {missed:?}, not in {expected:?}: {found}"))
}

#[test]
fn what_azure_publishes_is_taken_or_refused_for_a_reason() {
    let estate: Vec<Value> = serde_json::from_str(&filled(ESTATE)).unwrap();
    let examples = examples();
    let mut wrong = Vec::new();
    for (index, example) in examples.iter().enumerate() {
        // Each finds the same.
        let bench = Bench::new();
        bench.cloud.import(&[estate.as_slice(), &example.there].concat()).unwrap();
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
    assert!(examples.len() >= 400, "only {} examples", examples.len());
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

#[test]
fn every_verb_and_year_has_its_share() {
    let examples = examples();
    let count = |holds: &dyn Fn(&Example) -> bool| examples.iter().filter(|example| holds(example)).count();
    for (verb, least) in [("GET", 100), ("PUT", 100), ("DELETE", 40), ("POST", 40), ("PATCH", 20)] {
        assert!(count(&|example| example.method == verb) >= least, "{verb}");
    }
    for year in 2021..=2025 {
        assert!(count(&|example| example.version.starts_with(&year.to_string())) >= 40, "{year}");
    }
    for entry in crate::resource_types::all().filter(|entry| !WITHOUT.contains(&entry.name)) {
        let of = |example: &Example| type_name(&example.at).eq_ignore_ascii_case(entry.name);
        assert!(count(&of) > 0, "no example of {}", entry.name);
    }
}

/// The types with rules of which the table has no example: they have tests of their own, or come from others.
const WITHOUT: &[&str] = &["Microsoft.Resources/deployments", "Microsoft.Web/sites/slots/config"];

/// The type that a path is of, or whose listing or action it is.
fn type_name(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    if !path.contains("/providers/") {
        return "Microsoft.Resources/resourceGroups".to_owned();
    }
    let words: Vec<&str> = path.rsplit("/providers/").next().unwrap_or_default().split('/').collect();
    let kinds = words.iter().skip(1).step_by(2).copied();
    std::iter::once(words[0]).chain(kinds).collect::<Vec<_>>().join("/")
}

#[test]
fn the_docs_say_how_many_hold() {
    let docs = include_str!("../../../../docs/local-cloud.md");
    let examples = examples();
    let count = |holds: &dyn Fn(&Example) -> bool| examples.iter().filter(|example| holds(example)).count();
    let sentence = format!(
        "Of {} requests of these examples {} are taken as documented and {} refused for a reason; of {} documented answers {} are \
         answered in every member.",
        examples.len(),
        count(&|example| example.taken.is_some()),
        count(&|example| example.refused.is_some()),
        count(&|example| example.answer.is_some()),
        count(&|example| example.answer.is_some() && example.differs.is_empty()),
    );
    assert!(
        docs.split_whitespace().collect::<Vec<_>>().join(" ").contains(&sentence),
        "docs/local-cloud.md: {sentence}"
    );
}
