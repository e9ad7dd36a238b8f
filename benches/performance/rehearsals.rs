//! A plan of many alert rules that are rehearsed, where each question to Azure Monitor takes a while.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::protocol::Message;
use svc_local_cloud::{LocalCloud, OperationTime};

use crate::environment::{landing_zone, start_deployment};
use crate::runs;

/// The two plans: whether their rules are over logs, and the paths that their questions go to.
const PLANS: [(&str, bool, &[&str]); 2] =
    [("log", true, &["/logs", "/eventtypes"]), ("metric and health", false, &["/metrics", "/eventtypes"])];

/// Prints how long a plan takes in which so many rules are rehearsed over a week, and how many questions it asks.
pub(crate) fn report(rules: usize, delay: Duration) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/environment");
    let read = |file: &str| -> Value {
        let text = std::fs::read_to_string(examples.join(file)).expect("the example is there");
        serde_yaml::from_str(&text).expect("the example is YAML")
    };
    let names = std::fs::read_dir(&examples).expect("the examples are there");
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let alerts: Vec<String> = names.filter(|name| name.ends_with("-alerts.yml")).collect();
    for (kind, is_log, questions) in PLANS {
        let documents: Vec<&String> = alerts.iter().filter(|file| file.starts_with("log-") == is_log).collect();
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for file in [
            "core-monitor.yml",
            "storage.yml",
            "web.yml",
            "_names/tokens.yml",
            "_names/generators.yml",
            "_values/development.yml",
        ] {
            let to = folder.path().join(file);
            std::fs::create_dir_all(to.parent().expect("a file has a folder")).expect("a folder can be made");
            std::fs::copy(examples.join(file), to).expect("the example can be copied");
        }
        for file in &documents {
            let document = with_rules(read(file), rules / documents.len());
            std::fs::write(folder.path().join(file), document.to_string()).expect("the document can be written");
        }
        let cloud = landing_zone(Duration::ZERO, OperationTime::Fixed(Duration::ZERO));
        let request = |context: Value| {
            let what_if = context.get("rehearse").is_some();
            json!({ "settingsFiles": [folder.path()], "whatIf": what_if, "context": context }).to_string().into_bytes()
        };
        runs::finish(&start_deployment(&request(json!({ "cloud": cloud.endpoint() }))));
        cloud.import_telemetry(read("_past/week.yml")).expect("the week can be imported");
        for path in questions {
            let fault = format!("delay={},times=always,path={path}", delay.as_millis());
            cloud.misbehave(fault.parse().expect("it is a fault"));
        }
        let rehearsed = request(json!({ "cloud": cloud.endpoint(), "rehearse": "7d", "rehearseAll": true }));
        measure(kind, &rehearsed, rules, (&cloud, delay, questions));
    }
}

fn measure(kind: &str, request: &[u8], rules: usize, (cloud, delay, questions): (&LocalCloud, Duration, &[&str])) {
    let before = cloud.requests().len();
    let start = Instant::now();
    let operation = start_deployment(request);
    let mut rehearsed = 0;
    while let Some(message) = runs::next(&operation) {
        rehearsed += usize::from(matches!(&message, Message::Unchanged(rule) if rule.rehearsal.is_some()));
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(rehearsed >= rules, "{rehearsed} rules of {rules} were rehearsed");
    let is_question = |url: &str| questions.iter().any(|path| url.to_lowercase().contains(path));
    let asked = cloud.requests()[before..].iter().filter(|request| is_question(&request.url)).count();
    let milliseconds = delay.as_millis();
    println!(
        "\nrehearsals: {rehearsed} {kind} rules over 7 days, a question takes {milliseconds} ms: {seconds:.2} s, {asked} questions"
    );
}

/// A document with so many alerts, copies of those that it has.
pub(crate) fn with_rules(mut document: Value, count: usize) -> Value {
    let mut lists: Vec<&mut Vec<Value>> = Vec::new();
    if document.get("groups").is_some() {
        let groups = document["groups"].as_array_mut().into_iter().flatten();
        let sets = groups.flat_map(|group| group["alertSets"].as_array_mut().into_iter().flatten());
        lists.extend(sets.filter_map(|set| set["alerts"].as_array_mut()));
    } else {
        lists.extend(document["alerts"].as_array_mut());
    }
    let own: usize = lists.iter().map(|list| list.len()).sum();
    // What a definition says can only be said once: the answer to a question is for all rules that ask it.
    let models: Vec<(usize, Value)> = lists
        .iter()
        .enumerate()
        .flat_map(|(list, alerts)| {
            let plain = alerts.iter().filter(|alert| alert.get("definition").is_none());
            plain.map(move |alert| (list, alert.clone())).collect::<Vec<_>>()
        })
        .collect();
    for number in 0..count.saturating_sub(own) {
        let (list, mut alert) = models[number % models.len()].clone();
        alert["name"] = json!(format!("Copy{number}"));
        if let Some(query) = alert["query"].as_str() {
            alert["query"] = json!(format!("{}\n| where OperationName != \"copy{number}\"", query.trim_end()));
        }
        lists[list].push(alert);
    }
    document
}
