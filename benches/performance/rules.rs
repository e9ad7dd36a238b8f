//! A no-op of ever more alert rules in one group: each is compared with what is beside it, so the time shows whether that grows with the square.

use std::time::{Duration, Instant};

use serde_json::json;
use svc_local_cloud::OperationTime;

use crate::environment::{landing_zone, start_deployment};
use crate::rehearsals::with_rules;
use crate::runs;

/// Prints what a second run takes for each number of rules.
pub(crate) fn report(numbers: &[usize]) {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/metric-alerts.yml");
    let example = std::fs::read_to_string(example).expect("the example is there");
    for &rules in numbers {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let document = with_rules(serde_yaml::from_str(&example).expect("the example is YAML"), rules);
        std::fs::write(folder.path().join("metric-alerts.yml"), document.to_string())
            .expect("the document can be written");
        let cloud = landing_zone(Duration::ZERO, OperationTime::Fixed(Duration::ZERO));
        let request = json!({ "settingsFiles": [folder.path()], "context": { "cloud": cloud.endpoint() } })
            .to_string()
            .into_bytes();
        runs::finish(&start_deployment(&request));
        let start = Instant::now();
        let counts = runs::finish(&start_deployment(&request));
        let seconds = start.elapsed().as_secs_f64();
        assert!(counts.created == 0 && counts.unchanged > rules, "{counts:?}");
        println!("\nrules: a no-op of {rules} metric alert rules: {seconds:.2} s");
    }
}
