//! The number of rounds of requests that a second run waits for, one after another, for each of the examples.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::commands;
use svc_engine::run::{self, Job, Start, Work};
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::runs;

/// The number of times that each second run is made; the quickest counts.
const RUNS: usize = 3;

/// Prints for each example what a second run takes at this latency of every request, less what it takes without, in latencies.
pub(crate) fn report(latency: Duration) {
    println!("\nrounds of a second run, at {} ms a request", latency.as_millis());
    for command in commands::COMMANDS {
        let (file, command) = (format!("{}.yml", command.documents.name), command.name);
        let (slow, requests) = second_run(&file, command, latency);
        let (quick, _) = second_run(&file, command, Duration::ZERO);
        let rounds = slow.saturating_sub(quick).as_secs_f64() / latency.as_secs_f64();
        println!("{file:30} {rounds:4.1} rounds, {requests:3} requests");
    }
}

/// The time that a second run takes, and the number of requests that it sends.
fn second_run(file: &str, command: &str, latency: Duration) -> (Duration, usize) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let command = commands::find(command).expect("the registry has the command");
    let landing_zone = std::fs::read_to_string(examples.join("landing-zone.json")).expect("the landing zone is there");
    let landing_zone: Vec<Value> = serde_json::from_str(&landing_zone).expect("the landing zone is JSON");
    let options = LocalCloudOptions {
        latency,
        operation_time: OperationTime::Fixed(Duration::ZERO),
        record_requests: 100_000,
        ..LocalCloudOptions::default()
    };
    let cloud = LocalCloud::start(options).expect("the local cloud starts");
    cloud.import(&landing_zone).expect("the landing zone can be imported");
    let request = runs::request(&examples.join(file), false, &json!({ "cloud": cloud.endpoint() }));
    runs::finish(&run::start(Start::new(Work::Deploy(Job::Command(command)), &request)));
    let before = cloud.requests().len();
    let mut quickest = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let counts = runs::finish(&run::start(Start::new(Work::Deploy(Job::Command(command)), &request)));
        quickest = quickest.min(start.elapsed());
        assert_eq!((counts.created, counts.modified, counts.deleted), (0, 0, 0), "{file}: {counts:?}");
    }
    (quickest, (cloud.requests().len() - before) / RUNS)
}
