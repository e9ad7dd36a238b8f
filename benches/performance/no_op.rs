//! A second run of an unchanged document in this process, request to result, against the local cloud.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion};
use serde_json::json;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

use crate::documents::{self, Format};
use crate::runs;

pub(crate) fn benchmark(criterion: &mut Criterion, accounts: usize) {
    let mut group = criterion.benchmark_group("no-op");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    let resources = documents::resources_of(accounts);
    for with_file in [false, true] {
        let name = if with_file { "local cloud with a state file" } else { "memory-only local cloud" };
        group.bench_function(BenchmarkId::new(name, accounts), |bencher| {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let state_file = with_file.then(|| folder.path().join("state.json"));
            let options = LocalCloudOptions { state_file, ..LocalCloudOptions::default() };
            let cloud = LocalCloud::start(options).expect("the local cloud starts");
            let context = json!({ "cloud": cloud.endpoint() });
            let file = documents::write(folder.path(), Format::Yaml, accounts);
            runs::deploy(&file, &context, resources, 0);
            bencher.iter(|| runs::deploy(&file, &context, 0, resources));
        });
    }
    group.bench_function(BenchmarkId::new("local cloud started from its state file", accounts), |bencher| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let context = json!({ "cloud": "local", "localStateFile": folder.path().join("state.json") });
        let file = documents::write(folder.path(), Format::Yaml, accounts);
        runs::deploy(&file, &context, resources, 0);
        bencher.iter(|| runs::deploy(&file, &context, 0, resources));
    });
    group.finish();
}
