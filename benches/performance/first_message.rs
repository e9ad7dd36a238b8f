//! From the start of an operation to its first message, and to its plan: through Rust and through the C ABI.
//!
//! The C side is `first_message.c`, which loads the library as a host does. It is compiled here; the library has to be
//! there: `cargo build --release -p svc-deploy-ffi`, or the variable `SVC_LIBRARY` with its path.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{BenchmarkGroup, Criterion, measurement::WallTime};
use serde_json::json;
use svc_engine::protocol::Message;

use crate::runs;

/// The event that is waited for, as `first_message.c` calls it.
#[derive(Clone, Copy, PartialEq)]
enum Until {
    First,
    Plan,
}

impl Until {
    fn word(self) -> &'static str {
        match self {
            Until::First => "first",
            Until::Plan => "plan",
        }
    }
}

pub(crate) fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first message");
    group.sample_size(30).measurement_time(Duration::from_secs(5));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let context = json!({ "cloud": "local", "localStateFile": folder.path().join("state.json") });
    let request = runs::request(&runs::example(), true, &context);
    for until in [Until::First, Until::Plan] {
        group.bench_function(format!("run::start to the {} message", until.word()), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| through_rust(&request, until)).sum());
        });
    }
    match prepare(folder.path(), &request) {
        Ok(host) => through_c(&mut group, &host),
        Err(reason) => println!("first message: THE C ABI IS NOT MEASURED: {reason}"),
    }
    group.finish();
}

/// The time to a message; the operation is then let run to its end, which is not measured.
fn through_rust(request: &[u8], until: Until) -> Duration {
    let start = Instant::now();
    let operation = runs::start(request);
    let mut took = None;
    while let Some(message) = runs::next(&operation) {
        let is_plan = matches!(message, Message::Plan { .. });
        if is_plan || until == Until::First {
            took.get_or_insert_with(|| start.elapsed());
        }
        if let Message::Plan { id, .. } = message {
            let answer = json!({ "id": id, "approved": [] }).to_string();
            operation.answer(&answer).expect("the plan waits for its answer");
        }
    }
    took.expect("the message comes")
}

/// The compiled C program and what it is called with.
struct Host {
    program: PathBuf,
    library: PathBuf,
    request: PathBuf,
}

impl Host {
    /// Has the C program measure so many operations in one process; gives the sum.
    fn measure(&self, until: &str, times: u64) -> Duration {
        let output = Command::new(&self.program)
            .arg(&self.library)
            .arg(&self.request)
            .args([until, &times.to_string()])
            .output()
            .expect("the C program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        Duration::from_nanos(text.trim().parse().expect("the C program prints nanoseconds"))
    }
}

fn through_c(group: &mut BenchmarkGroup<'_, WallTime>, host: &Host) {
    for until in [Until::First, Until::Plan] {
        group.bench_function(format!("C ABI to the {} message", until.word()), |bencher| {
            bencher.iter_custom(|times| host.measure(until.word(), times));
        });
    }
    group.bench_function("C ABI to the first message, with dlopen in a fresh process", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| host.measure("load", 1)).sum());
    });
}

/// Finds the library and compiles the C program, or says what is missing.
fn prepare(folder: &Path, request: &[u8]) -> Result<Host, String> {
    let name = format!("{}svc_deploy{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    // Benchmarks are in the folder `deps` of the profile that the library is built with.
    let beside = || std::env::current_exe().ok().and_then(|this| Some(this.parent()?.parent()?.join(&name)));
    let library =
        std::env::var_os("SVC_LIBRARY").map(PathBuf::from).or_else(beside).unwrap_or_else(|| PathBuf::from(&name));
    if !library.is_file() {
        return Err(format!(
            "'{}' is not there; build it with `cargo build --release -p svc-deploy-ffi`.",
            library.display()
        ));
    }
    let program = folder.join("first_message");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/performance/first_message.c");
    let compiled =
        Command::new("cc").args(["-O2", "-Wall", "-Wextra", "-o"]).arg(&program).arg(source).arg("-ldl").output();
    match compiled {
        Err(error) => return Err(format!("the C compiler 'cc' cannot be started: {error}.")),
        Ok(output) if !output.status.success() => return Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Ok(_) => {}
    }
    let request_file = folder.join("request.json");
    std::fs::write(&request_file, request).expect("the request can be written");
    let host = Host { program, library, request: request_file };
    let tried = Command::new(&host.program).arg(&host.library).arg(&host.request).args(["first", "1"]).output();
    match tried {
        Ok(output) if output.status.success() => Ok(host),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
