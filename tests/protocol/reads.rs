//! The reads of a run: each thing once, nothing that cannot be there, and what turns out not to be needed harms nobody.

use std::collections::BTreeMap;

use crate::alerts::log_rules::log_alerts;
use crate::support::estate::*;
use crate::support::examples::examples;
use crate::support::*;

/// The number of requests that a second run of an example sends, and a rehearsal of its first.
const REQUESTS: &[(&str, usize, usize)] = &[
    ("bastion-hosts.yml", 10, 9),
    ("core-monitor.yml", 15, 15),
    ("log-alerts.yml", 6, 6),
    ("metric-alerts.yml", 5, 5),
    ("private-endpoints.yml", 12, 9),
    ("resource-health-alerts.yml", 5, 5),
    ("storage-private.yml", 12, 9),
    ("storage.yml", 9, 7),
    ("web.yml", 57, 40),
];

#[test]
fn every_example_reads_each_thing_once() {
    let mut sent = Vec::new();
    for example in examples() {
        let cloud = landing_zone();
        let deployment = Deployment::new(example.command, &example.text());
        let requests = |run: &dyn Fn() -> Outcome| {
            let before = cloud.requests().len();
            run().counts();
            let requests = requests_after(&cloud, before);
            let mut times: BTreeMap<(&str, &str, String), usize> = BTreeMap::new();
            for request in &requests {
                // The question whether a name is free has the name in its body.
                let body = request.body.as_ref().map(ToString::to_string).unwrap_or_default();
                *times.entry((&request.method, &request.url, body)).or_default() += 1;
            }
            times.retain(|_, times| *times > 1);
            assert!(times.is_empty(), "{}: {times:#?}", example.file);
            requests.len()
        };
        let first = requests(&|| deployment.rehearse(&cloud));
        deployment.deploy(&cloud);
        let second = requests(&|| deployment.deploy(&cloud));
        // Of the example of a command that is new nobody has counted them.
        if REQUESTS.iter().any(|(file, ..)| *file == example.file) {
            sent.push((example.file, second, first));
        }
    }
    assert_eq!(sent, REQUESTS);
}

#[test]
fn what_is_read_ahead_and_not_needed_may_fail() {
    let document = log_alerts(&["definition: VM_Reboot"]);
    let cloud = landing_zone();
    // Without this group the run would make one of its own, with a name that it reads ahead.
    cloud.import(&[group("rg-by-hand", "logs")]).unwrap();
    cloud.misbehave(fault("status=403,method=GET,path=/resourceGroups/rg-log-alerts-mon-b215e283,times=always"));
    let outcome = Deployment::new(LOG_ALERTS, &document).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 1, unchanged 1", "{:?}", outcome.descriptions());
    let read = shown(&cloud.requests());
    assert!(read.iter().any(|request| request.contains("rg-log-alerts-mon-b215e283")), "{read:#?}");
}
