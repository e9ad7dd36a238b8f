//! A first create and a no-op of very large documents, once each: a report, not a benchmark, because it takes long.
//!
//! The local cloud runs in this process, memory-only; the engine runs in a child, so that its memory is its own.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use svc_local_cloud::{LocalCloud, LocalCloudOptions, OperationTime};

use crate::documents::{self, Format};
use crate::memory::{peak, shown};
use crate::runs;

/// One run in a child.
pub(crate) fn deploy(file: &Path, endpoint: &str) {
    let request = runs::request(file, false, &json!({ "cloud": endpoint }));
    let start = Instant::now();
    let counts = runs::finish(&runs::start(&request));
    println!(
        "{} created, {} modified, {} unchanged, {} failed: {:.1} s, engine {}",
        counts.created,
        counts.modified,
        counts.unchanged,
        counts.failed,
        start.elapsed().as_secs_f64(),
        shown(peak())
    );
}

/// Prints a first create and a no-op of each size, with operations that are done at once and with the usual ones.
pub(crate) fn report(sizes: &[usize]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for &accounts in sizes {
        let file = documents::write(folder.path(), Format::Yaml, accounts).display().to_string();
        for milliseconds in [0, 20] {
            let operation_time = OperationTime::Fixed(Duration::from_millis(milliseconds));
            let options = LocalCloudOptions { operation_time, ..LocalCloudOptions::default() };
            let cloud = LocalCloud::start(options).expect("the local cloud starts");
            println!(
                "\nscale: {accounts} accounts ({} resources), operations of {milliseconds} ms",
                documents::resources_of(accounts)
            );
            for run in ["first run", "second run"] {
                for line in runs::in_child(&["deploy", &file, cloud.endpoint()]) {
                    println!("  {run}: {line}");
                }
            }
        }
    }
}
