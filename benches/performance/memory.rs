//! The most memory that each stage has needed, measured in a fresh process for each document.
//!
//! The kernel keeps the largest resident size of a process (`VmHWM` in `/proc/self/status`); a child of this program reads
//! it after each stage. So what is counted is what the system had to give, allocator and program included. Other systems
//! than Linux are not measured.

use std::path::Path;
use std::time::Instant;

use svc_engine::desired::World;
use svc_engine::plan;
use svc_engine::settings::Document;

use crate::documents::{self, Format};
use crate::{runs, scale, settings};

/// The largest resident size of this process so far, in MiB.
pub(crate) fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// A number of MiB as the reports show it.
pub(crate) fn shown(peak: Option<f64>) -> String {
    peak.map_or_else(|| "not measured".to_owned(), |peak| format!("{peak:.0} MiB"))
}

/// Runs a stage in a child and prints how long it took and what was needed at most until its end.
fn stage<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{name:<42} {:>9.1} ms {:>14}", start.elapsed().as_secs_f64() * 1000.0, shown(peak()));
    result
}

/// The work of a child: the task comes from [`report`] or from [`scale::report`].
pub(crate) fn child() {
    let task = runs::child_task();
    match task.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["stages", file] => stages(Path::new(file)),
        ["deploy", file, endpoint] => scale::deploy(Path::new(file), endpoint),
        other => panic!("{other:?} is no task"),
    }
}

fn stages(file: &Path) {
    stage("program started", || ());
    let document = stage("read and parsed", || Document::load(file, "settings").expect("the document is right"));
    let settings = stage("validated", || settings::validate(&document));
    let compiled = stage("compiled", || settings::compile(settings.as_ref()));
    let plan = stage("planned as a first create, offline", || plan::plan(&compiled.desired, &World::Unknown));
    stage("plan told to the host", || plan.actions());
}

/// Prints the stages of each document, each in a process of its own.
pub(crate) fn report(sizes: &[usize]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for &accounts in sizes {
        for format in Format::ALL {
            let file = documents::write(folder.path(), format, accounts);
            let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
            println!(
                "\npeak: {accounts} accounts ({} resources), {} of {:.1} MB; most memory of a fresh process",
                documents::resources_of(accounts),
                format.name(),
                bytes as f64 / 1e6
            );
            for line in runs::in_child(&["stages", &file.display().to_string()]) {
                println!("  {line}");
            }
        }
    }
}
