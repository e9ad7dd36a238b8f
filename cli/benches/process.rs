//! Wall time of whole `svc` processes. `docs/performance.md` has the figures and says how to repeat them.

#![expect(clippy::expect_used, reason = "a benchmark that cannot be carried out has to stop")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// The program, built with the profile of the benchmarks.
const SVC: &str = env!("CARGO_BIN_EXE_svc");

/// The settings document of the README's first command.
fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/storage.yml")
}

fn svc(arguments: &[&str]) {
    let status = Command::new(SVC)
        .args(arguments)
        // No variable of the caller changes what is measured.
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("svc starts");
    assert!(status.success(), "svc {arguments:?} ended with {status}");
}

fn deploy(state_file: &Path, more: &[&str]) {
    let (file, state_file) = (example(), state_file.display().to_string());
    let file = file.display().to_string();
    let mut arguments =
        vec!["New-SvcIaasStorage", "-SettingsFile", &file, "-Cloud", "local", "-LocalStateFile", &state_file];
    arguments.extend_from_slice(more);
    svc(&arguments);
}

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("svc process");
    group.sample_size(50).measurement_time(Duration::from_secs(5));
    group.bench_function("help (the floor: nothing is read)", |bencher| bencher.iter(|| svc(&["--help"])));
    group.bench_function("what-if of a first create", |bencher| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        bencher.iter(|| deploy(&folder.path().join("state.json"), &["-WhatIf"]));
    });
    group.bench_function("no-op", |bencher| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let state_file = folder.path().join("state.json");
        deploy(&state_file, &[]);
        bencher.iter(|| deploy(&state_file, &[]));
    });
    group.bench_function("first create", |bencher| {
        bencher.iter_batched(
            || tempfile::tempdir().expect("a temporary folder can be made"),
            |folder| {
                deploy(&folder.path().join("state.json"), &[]);
                folder
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
