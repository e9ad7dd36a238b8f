//! The example of a whole environment: a first create against the critical path of Azure's own times, and the rounds of a second run.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::protocol::{Action, Message, Operation};
use svc_engine::run::{self, Job, Start, Work};
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::runs;

/// Prints how long a first create takes and how long it has to take, and how many rounds of requests a second run waits for.
pub(crate) fn report(latency: Duration, operations: f64) {
    let cloud = landing_zone(latency, OperationTime::Factor(operations));
    let floor = floor(&actions(&cloud), &cloud, latency);
    let start = Instant::now();
    let counts = runs::finish(&start_deployment(&request(&cloud, false)));
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(counts.failed + counts.skipped, 0, "{counts:?}");
    println!(
        "\nenvironment: {} resources, latency {} ms, operations at {operations} of Azure's time: floor {:.2} s: {seconds:.2} s, {:.3} of the floor",
        counts.created,
        latency.as_millis(),
        floor.as_secs_f64(),
        seconds / floor.as_secs_f64()
    );
    let slow = second_run(&cloud);
    let quick = landing_zone(Duration::ZERO, OperationTime::Fixed(Duration::ZERO));
    runs::finish(&start_deployment(&request(&quick, false)));
    let rounds = slow.saturating_sub(second_run(&quick)).as_secs_f64() / latency.as_secs_f64();
    println!("environment: {rounds:.1} rounds of a second run, at {} ms a request", latency.as_millis());
}

pub(crate) fn start_deployment(request: &[u8]) -> Operation {
    run::start(Start::new(Work::Deploy(Job::Deployment), request))
}

pub(crate) fn landing_zone(latency: Duration, operation_time: OperationTime) -> LocalCloud {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/landing-zone.json");
    let text = std::fs::read_to_string(file).expect("the landing zone is there");
    let resources: Vec<Value> = serde_json::from_str(&text).expect("the landing zone is JSON");
    let options = LocalCloudOptions { latency, operation_time, record_requests: 1000, ..LocalCloudOptions::default() };
    let cloud = LocalCloud::start(options).expect("the local cloud starts");
    cloud.import(&resources).expect("the landing zone can be imported");
    cloud
}

fn request(cloud: &LocalCloud, what_if: bool) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/environment");
    let context = json!({ "cloud": cloud.endpoint() });
    json!({ "settingsFiles": [folder], "whatIf": what_if, "context": context }).to_string().into_bytes()
}

/// The actions of a first create.
fn actions(cloud: &LocalCloud) -> Vec<Action> {
    let operation = start_deployment(&request(cloud, true));
    let mut planned = Vec::new();
    while let Some(message) = runs::next(&operation) {
        if let Message::Plan { id, actions, .. } = message {
            operation.answer(&json!({ "id": id, "approved": [] }).to_string()).expect("the plan waits for its answer");
            planned = actions;
        }
    }
    planned
}

/// The types whose writes change a virtual network: Azure takes one such write at a time, and the example has one network.
const OF_THE_NETWORK: &[&str] = &[
    "Microsoft.Network/bastionHosts",
    "Microsoft.Network/privateEndpoints",
    "Microsoft.Network/privateEndpoints/privateDnsZoneGroups",
    "Microsoft.Network/virtualNetworks/subnets",
];

/// The least that the create can take: two rounds of reading, and then the longest chain of actions that wait for each other, each with
/// one request, its operation and one look at its end; or all that write the network, one after another, with the shortest that can come
/// before them. What values of other resources take to read is left out.
fn floor(actions: &[Action], cloud: &LocalCloud, latency: Duration) -> Duration {
    let time = |action: &Action| {
        latency + cloud.creation_time(&action.resource.resource_type).map_or(Duration::ZERO, |time| time + latency)
    };
    let mut ends = vec![Duration::ZERO; actions.len()];
    // Prerequisites come first in a plan.
    for action in actions {
        ends[action.index] = begin(action, &ends) + time(action);
    }
    let of_the_network =
        || actions.iter().filter(|action| OF_THE_NETWORK.contains(&action.resource.resource_type.as_str()));
    let first = of_the_network().map(|action| begin(action, &ends)).min().unwrap_or_default();
    let network = first + of_the_network().map(time).sum::<Duration>();
    latency * 2 + ends.into_iter().max().unwrap_or_default().max(network)
}

/// The moment at which everything has ended that an action waits for.
fn begin(action: &Action, ends: &[Duration]) -> Duration {
    action.depends_on.iter().map(|before| ends[*before]).max().unwrap_or_default()
}

/// The quickest of three second runs.
fn second_run(cloud: &LocalCloud) -> Duration {
    let run = |_| {
        let start = Instant::now();
        let counts = runs::finish(&start_deployment(&request(cloud, false)));
        assert_eq!((counts.created, counts.modified, counts.deleted), (0, 0, 0), "{counts:?}");
        start.elapsed()
    };
    (0..3).map(run).min().unwrap_or_default()
}
