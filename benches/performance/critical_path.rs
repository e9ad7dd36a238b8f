//! A first create of the example of web documents, on a cloud with latency and slow operations, against its critical path:
//! the longest chain of resources that wait for each other, each at its quickest.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_engine::azure::ResourceId;
use svc_engine::commands::{self, Command, Services};
use svc_engine::desired::World;
use svc_engine::plan::plan;
use svc_engine::run::{self, Job, Start, Work};
use svc_engine::settings::Document;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::{runs, settings};

/// Published services, and then what is needed of them, are read before anything can be sent.
const ROUNDS_BEFORE: u32 = 2;

/// Prints how long a first create takes and how long it has to take.
pub(crate) fn report(latency: Duration, operations: f64) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let file = examples.join("web.yml");
    let command = commands::find("New-SvcPaasWeb").expect("the registry has the web command");
    let landing_zone = std::fs::read_to_string(examples.join("landing-zone.json")).expect("the landing zone is there");
    let landing_zone: Vec<Value> = serde_json::from_str(&landing_zone).expect("the landing zone is JSON");
    let options = LocalCloudOptions {
        latency,
        operation_time: OperationTime::Factor(operations),
        ..LocalCloudOptions::default()
    };
    let cloud = LocalCloud::start(options).expect("the local cloud starts");
    cloud.import(&landing_zone).expect("the landing zone can be imported");
    let floor = critical_path(command, &file, &cloud, latency);
    let start = Instant::now();
    let request = runs::request(&file, false, &json!({ "cloud": cloud.endpoint() }));
    let counts = runs::finish(&run::start(Start::new(Work::Deploy(Job::Command(command)), &request)));
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(counts.failed + counts.skipped, 0, "{counts:?}");
    println!(
        "\ncritical path: {} resources, latency {} ms, operations at {operations} of Azure's time: floor {:.2} s: {seconds:.2} s, {:.3} of the floor",
        counts.created,
        latency.as_millis(),
        floor.as_secs_f64(),
        seconds / floor.as_secs_f64()
    );
}

/// The least that a create can take: a request for each resource, its operation with one look at its end, and a read for each value
/// that it takes from another resource.
fn critical_path(command: &Command, file: &Path, cloud: &LocalCloud, latency: Duration) -> Duration {
    let document = Document::load(file, "settings").expect("the document can be read");
    let compiled = command.read(&document).compile(&settings::project(), &Services::NotRead);
    let mut ends: HashMap<ResourceId, Duration> = HashMap::new();
    // Prerequisites come first in a plan.
    for change in plan(&compiled.desired, &World::Unknown).changes {
        let begin = change.depends_on.iter().filter_map(|id| ends.get(id)).max().copied().unwrap_or_default();
        let operation = cloud.creation_time(&change.resource_type.name).map_or(Duration::ZERO, |time| time + latency);
        let reads = latency * u32::try_from(change.references.len()).unwrap_or(u32::MAX);
        ends.insert(change.id, begin + reads + latency + operation);
    }
    latency * ROUNDS_BEFORE + ends.into_values().max().unwrap_or_default()
}
