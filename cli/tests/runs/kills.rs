//! Killed at any moment and run again, the command converges, and nothing is created twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::support::*;

/// The members that the local cloud makes up anew for every resource: times and etags.
const MADE_UP: &[&str] =
    &["creationTime", "keyCreationTime", "lastModifiedTime", "accessTierChangeTime", "lastEnabledTime", "etag"];

fn without_what_is_made_up(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|key, _| !MADE_UP.contains(&key.as_str()));
            members.values_mut().for_each(|member| *member = without_what_is_made_up(member.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_what_is_made_up(item.take())),
        _ => {}
    }
    value
}

fn example() -> Project {
    Project::with(&std::fs::read_to_string(repository("examples/storage.yml")).unwrap())
}

/// Starts `svc` in the background; its messages can be read from its standard output.
fn svc(project: &Project, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["new-iaas-storage", "--settings-file"])
        .arg(project.path("storage.yml"))
        .args(["--output", "json"])
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

fn slow_cloud() -> LocalCloud {
    let operation_time = OperationTime::Fixed(Duration::from_millis(40));
    cloud_with(LocalCloudOptions { latency: Duration::from_millis(4), operation_time, ..LocalCloudOptions::default() })
}

/// The resources of a plan as they exist in a cloud.
fn resources(cloud: &LocalCloud, ids: &[String]) -> BTreeMap<String, Value> {
    let existing = |id: &String| cloud.resource(id).unwrap_or_else(|| panic!("{id} does not exist"));
    ids.iter().map(|id| (id.clone(), without_what_is_made_up(existing(id)))).collect()
}

/// The number of times that each resource was created. Only answers to creations have these statuses.
fn creations(cloud: &LocalCloud) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for request in cloud.requests() {
        if request.method == "PUT" && matches!(request.status, 201 | 202) {
            *counts.entry(request.url).or_default() += 1;
        }
    }
    counts
}

#[test]
fn killed_after_any_request_a_second_run_finishes_what_the_first_began() {
    let project = example();
    let undisturbed = slow_cloud();
    let outcome = project.deploy(&undisturbed);
    let ids: Vec<String> = outcome.plan().iter().map(|action| action.resource.resource_id.clone()).collect();
    let expected = resources(&undisturbed, &ids);
    let all_requests = undisturbed.requests().len();
    assert!(all_requests >= 13, "{all_requests}");
    let mut interrupted = 0;
    for requests in 1..all_requests {
        let cloud = slow_cloud();
        let mut child = svc(&project, &["--cloud", cloud.endpoint()]);
        wait_until("the request to kill at", || cloud.requests().len() >= requests);
        child.kill().unwrap();
        child.wait().unwrap();
        let again = project.deploy(&cloud);
        let counts = again.counts();
        assert_eq!((counts.failed, counts.skipped), (0, 0), "killed at request {requests}: {again:#?}");
        interrupted += usize::from(counts.created > 0);
        let last = project.deploy(&cloud);
        assert_eq!(last.summary(), format!("unchanged {}", ids.len()), "killed at request {requests}");
        assert_eq!(resources(&cloud, &ids), expected, "killed at request {requests}");
        let twice: Vec<_> = creations(&cloud).into_iter().filter(|(_, count)| *count > 1).collect();
        assert!(twice.is_empty(), "killed at request {requests}: {twice:?}");
    }
    assert!(interrupted >= 5, "only {interrupted} of the runs were killed before their end");
}

/// The resources of a state file.
fn saved(file: &Path) -> Vec<Value> {
    let state: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let resources = state["resources"].as_array().unwrap().iter();
    resources.map(|resource| without_what_is_made_up(resource["body"].clone())).collect()
}

#[test]
fn killed_together_with_its_local_cloud_the_state_file_is_whole_and_a_second_run_finishes() {
    let project = example();
    let state = |name: &str| project.path(name).display().to_string();
    let arguments =
        |file: &str| ["--cloud".to_owned(), "local".to_owned(), "--local-state-file".to_owned(), state(file)];
    let run_to_its_end = |file: &str| -> Vec<String> {
        let arguments = arguments(file);
        let mut child = svc(&project, &arguments.each_ref().map(String::as_str));
        let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
        assert!(child.wait().unwrap().success(), "{lines:#?}");
        lines
    };
    let all_lines = run_to_its_end("undisturbed.json").len();
    assert!(run_to_its_end("undisturbed.json").last().unwrap().contains(r#""unchanged":12"#));
    let expected = saved(&project.path("undisturbed.json"));
    assert_eq!(expected.len(), 12);
    for lines in (2..all_lines).step_by(3) {
        let file = format!("killed-{lines}.json");
        let arguments = arguments(&file);
        let mut child = svc(&project, &arguments.each_ref().map(String::as_str));
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..lines {
            output.read_line(&mut String::new()).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        run_to_its_end(&file);
        let last = run_to_its_end(&file);
        assert!(last.last().unwrap().contains(r#""unchanged":12"#), "killed after {lines} lines: {last:#?}");
        assert_eq!(saved(&project.path(&file)), expected, "killed after {lines} lines");
    }
}
