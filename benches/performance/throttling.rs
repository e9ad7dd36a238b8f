//! A first create under Azure's limits, in real time: the local cloud counts requests as Azure documents it.

use std::time::Instant;

use serde_json::json;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, Throttling};

use crate::runs;

/// The resource group and the account, which are writes as well.
const OTHERS: usize = 2;

/// Prints how long so many writes take, how long they have to take, and how many of them were refused.
pub(crate) fn report(writes: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("storage.json");
    let queues: Vec<String> = (0..writes - OTHERS).map(|number| format!("queue{number}")).collect();
    let accounts = json!([{ "storageAccountName": "Limits", "accountType": "Standard", "queue": queues }]);
    let document = json!({ "location": "UK South", "resourceGroupName": "Limits", "storageAccounts": accounts });
    std::fs::write(&file, document.to_string()).expect("the document can be written");
    let limits = Throttling::azure();
    let options =
        LocalCloudOptions { throttling: Some(limits), record_requests: 10 * writes, ..LocalCloudOptions::default() };
    let cloud = LocalCloud::start(options).expect("the local cloud starts");
    let start = Instant::now();
    runs::deploy(&file, &json!({ "cloud": cloud.endpoint() }), writes, 0);
    let seconds = start.elapsed().as_secs_f64();
    let refused = cloud.requests().iter().filter(|request| request.status == 429).count();
    let waiting = u32::try_from(writes).unwrap_or(u32::MAX).saturating_sub(limits.writes);
    let floor = f64::from(waiting) / f64::from(limits.writes_per_second);
    let ratio = if floor > 0.0 { format!("{:.3} of the floor", seconds / floor) } else { "no floor".to_owned() };
    println!("\nthrottling: {writes} writes, floor {floor:.1} s: {seconds:.2} s, {ratio}, {refused} answers of 429");
}
