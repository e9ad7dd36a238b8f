//! From the text of a document to the plan, stage by stage, without any request.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput};
use serde_json::Value;
use svc_engine::azure::ResourceId;
use svc_engine::commands::{self, Command, Compile, Compiled, Project, RunFacts, Services};
use svc_engine::desired::World;
use svc_engine::plan;
use svc_engine::plan::Plan;
use svc_engine::protocol::ErrorReport;
use svc_engine::settings::{Document, settings_invalid};

use crate::documents::{self, Format};

pub(crate) fn storage_command() -> &'static Command {
    commands::find("New-SvcIaasStorage").expect("the registry has the storage command")
}

pub(crate) fn project() -> Project {
    Project { run: RunFacts::of("10ca1c10-0d00-4000-8000-000000000001"), ..Project::without_files() }
}

fn parse(format: Format, text: String) -> Arc<Document> {
    Document::parse(Some(PathBuf::from(format.file_name())), text).expect("the document is right")
}

pub(crate) fn validate(document: &Arc<Document>) -> Box<dyn Compile> {
    storage_command().read(document)
}

pub(crate) fn compile(settings: &dyn Compile) -> Compiled {
    let compiled = settings.compile(&project(), &Services::NotRead);
    assert!(compiled.findings.is_empty(), "{:?}", compiled.findings);
    compiled
}

/// Text to settings, which keep their document, and to what they compile to.
fn all(format: Format, text: String) -> (Box<dyn Compile>, Compiled) {
    let settings = validate(&parse(format, text));
    let compiled = compile(settings.as_ref());
    (settings, compiled)
}

fn findings(text: String, count: usize) -> ErrorReport {
    let document = parse(Format::Yaml, text);
    let compiled = storage_command().read(&document).compile(&project(), &Services::NotRead);
    let report = settings_invalid(&compiled.findings);
    // Of more only the first hundred are shown.
    assert_eq!(report.findings.len(), count.min(100));
    report
}

/// A world in which everything is as it is desired.
fn as_desired(compiled: &Compiled) -> World {
    let existing: HashMap<ResourceId, Value> = compiled
        .desired
        .iter()
        .map(|resource| {
            let mut body = resource.body.clone();
            body["tags"] =
                resource.tags.iter().map(|(key, tag)| (key.clone(), Value::from(tag.value.clone()))).collect();
            (resource.id.clone(), body)
        })
        .collect();
    World::Known(existing)
}

fn no_op(compiled: &Compiled, world: &World) -> Plan {
    let plan = plan::plan(&compiled.desired, world);
    assert!(plan.changes.is_empty(), "the first of {} changes is {:?}", plan.changes.len(), plan.changes[0]);
    plan
}

pub(crate) fn benchmark(criterion: &mut Criterion, sizes: &[usize]) {
    let mut group = criterion.benchmark_group("settings");
    // Every iteration is a batch of its own: what it made is dropped before the next, and the drop is not timed.
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2));
    for &accounts in sizes {
        group.throughput(Throughput::Elements(accounts as u64));
        for format in Format::ALL {
            group.bench_function(BenchmarkId::new(format!("parse {}", format.name()), accounts), |bencher| {
                let text = documents::text(format, accounts);
                bencher.iter_batched(|| text.clone(), |text| parse(format, text), BatchSize::PerIteration);
            });
        }
        group.bench_function(BenchmarkId::new("validate", accounts), |bencher| {
            let document = parse(Format::Json, documents::text(Format::Json, accounts));
            bencher.iter_batched(|| (), |()| validate(&document), BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("compile", accounts), |bencher| {
            let (settings, _) = all(Format::Json, documents::text(Format::Json, accounts));
            bencher.iter_batched(|| (), |()| compile(settings.as_ref()), BatchSize::PerIteration);
        });
        // One wrong value in every account: all findings with their places, as the one error that is shown.
        group.bench_function(
            BenchmarkId::new("parse, validate and report a finding for each account", accounts),
            |bencher| {
                let text = documents::text(Format::Yaml, accounts).replace("accountType: ", "accountType: Wrong");
                bencher.iter_batched(|| text.clone(), |text| findings(text, accounts), BatchSize::PerIteration);
            },
        );
        for format in Format::ALL {
            let name = format!("parse, validate and compile {}", format.name());
            group.bench_function(BenchmarkId::new(name, accounts), |bencher| {
                let text = documents::text(format, accounts);
                bencher.iter_batched(|| text.clone(), |text| all(format, text), BatchSize::PerIteration);
            });
        }
        // A fresh document each time, as a run has it.
        group.bench_function(BenchmarkId::new("plan of a first create, offline", accounts), |bencher| {
            let text = documents::text(Format::Yaml, accounts);
            bencher.iter_batched(
                || all(Format::Yaml, text.clone()),
                |(settings, compiled)| {
                    let plan = plan::plan(&compiled.desired, &World::Unknown);
                    let actions = plan.actions();
                    assert_eq!(actions.len(), documents::resources_of(accounts));
                    (settings, compiled, plan, actions)
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("plan of a no-op, without reading", accounts), |bencher| {
            let (_settings, compiled) = all(Format::Json, documents::text(Format::Json, accounts));
            let world = as_desired(&compiled);
            bencher.iter_batched(|| (), |()| no_op(&compiled, &world), BatchSize::PerIteration);
        });
    }
    group.finish();
}
