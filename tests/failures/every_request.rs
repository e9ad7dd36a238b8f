//! At every request of every example, one fault of each kind: the command goes on as if nothing had been, or ends with a
//! clear report, and the next run finishes what is missing, with nothing twice.
//!
//! Which requests there are is taken from a run without faults; a command is covered as soon as it has an example. All cases
//! together take minutes, so `cargo test` runs a sample and prints its seed. The variable [`CHOICE`] is `all` for every case
//! (`.ci/extended`), or the seed of a sample to repeat.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use svc_engine::protocol::{ErrorCategory, ErrorReport, FailureReport};
use svc_local_cloud::{LocalCloud, RecordedRequest};

use crate::support::estate::{Deployment, WEB, landing_zone};
use crate::support::everything::{State, state};
use crate::support::examples::{Example, examples};
use crate::support::*;
use crate::web::front_door_leaving::front_door_that_loses_and_moves;

/// The cases that are run: `all`, or the seed of a sample.
pub(crate) const CHOICE: &str = "SVC_TEST_FAULTS";
/// The number of cases of each example and kind in a sample.
const SAMPLED: usize = 1;
/// The number of cases after which a run of all says how far it is.
const TOLD_EVERY: usize = 500;
/// The number of cases that are under way at once: most of the time they wait.
const AT_ONCE: usize = 16;
/// The time that an answer is waited for where one does not come.
const REQUEST_TIMEOUT: &str = "PT3S";
/// The time for which an operation is followed where one does not end.
const OPERATION_TIMEOUT: &str = "PT0.3S";

/// The effects of a fault on the run that meets it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It passes, and nobody notices.
    Passes,
    /// The command reports it.
    Fails,
    /// The command reports it, if the request starts an operation.
    FailsOperation,
}

/// A kind of fault.
struct Kind {
    fault: &'static str,
    effect: Effect,
    /// The context that makes it quick.
    context: &'static [(&'static str, &'static str)],
}

const fn passes(fault: &'static str) -> Kind {
    Kind { fault, effect: Effect::Passes, context: &[] }
}

const KINDS: &[Kind] = &[
    passes("status=429,retry-after=5ms"),
    passes("status=429"),
    passes("status=500"),
    passes("status=503"),
    passes("reset"),
    passes("reset-after"),
    passes("truncated"),
    Kind { context: &[("requestTimeout", REQUEST_TIMEOUT)], ..passes("delay=60000") },
    Kind { effect: Effect::Fails, ..passes("status=403") },
    Kind { effect: Effect::FailsOperation, ..passes("fails=QuotaExceeded") },
    Kind {
        effect: Effect::FailsOperation,
        context: &[("operationTimeout", OPERATION_TIMEOUT)],
        ..passes("never-ends")
    },
];

/// The reads that are made only to tell more beforehand, so that a refusal is no failure: whether a name is free, whether a zone of somebody else
/// is linked to the network, what else is in the group of the landing zone, which no example completes.
const ONLY_LOOKED_AT: &[&str] =
    &["/checkNameAvailability", "/virtualNetworkLinks?", "/resourceGroups/rg-landing-zone/resources?"];

/// The type that is not tried again where Azure has refused it: solutions, of a workspace that is finished.
pub(crate) const TRIED_ONCE: &str = "/Microsoft.OperationsManagement/solutions/";
/// The end of the warning about what is only nice to have.
pub(crate) const WITHOUT_IT: &str = " The command continues without it.";

/// The parts that the URLs that follow operations have in common.
const OPERATIONS: &[&str] =
    &["/operationResults/", "/operationStatuses/", "/privateDnsOperationResults/", "/privateDnsOperationStatuses/"];

/// A request of the run without faults: the how many-th of its kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) method: String,
    /// Path and query; for requests that follow operations, whose ids are random, what they have in common.
    pub(crate) url: String,
    pub(crate) earlier: usize,
}

/// Every request of a run. The requests that follow one operation are counted once: how many there are is a matter of time.
pub(crate) fn positions(requests: &[RecordedRequest]) -> Vec<Position> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut followed = Vec::new();
    let mut positions = Vec::new();
    for request in requests {
        let operation = OPERATIONS.iter().copied().find(|word| request.url.contains(word));
        if operation.is_some() {
            if followed.contains(&request.url) {
                continue;
            }
            followed.push(request.url.clone());
        }
        let url = operation.unwrap_or(&request.url).to_owned();
        let count = counts.entry((request.method.clone(), url.clone())).or_default();
        positions.push(Position { method: request.method.clone(), url, earlier: *count });
        *count += 1;
    }
    // Requests that are sent in parallel arrive in any order, and a seed has to mean the same sample every time.
    positions.sort();
    positions
}

/// A document, and what a run without faults made of it.
struct Undisturbed {
    /// The file of an example, or what the document is about.
    name: &'static str,
    deployment: Deployment,
    /// The resources that are there beside the landing zone.
    surplus: Vec<Value>,
    /// Everything that exists, apart from what is made up anew in every run.
    state: State,
    /// The paths of what is made up anew: what differs between two runs without faults.
    made_up: BTreeSet<String>,
    unchanged: String,
    positions: Vec<Position>,
}

/// A rule that the document does not have, in the group of an alert command: something to delete. Nothing for other commands.
fn surplus(deployment: &Deployment, command: &str) -> Vec<Value> {
    if !command.starts_with("New-SvcMonitor") {
        return Vec::new();
    }
    let cloud = landing_zone();
    let outcome = deployment.deploy(&cloud);
    let made = |id: &str| cloud.resource(id).unwrap_or_else(|| panic!("{id} does not exist"));
    let (group, rule) = (&outcome.plan()[0], outcome.plan().last().unwrap());
    let mut surplus = made(&rule.resource.resource_id);
    surplus["id"] = json!(format!("{}-surplus", rule.resource.resource_id));
    surplus["name"] = json!(format!("{}-surplus", rule.resource.name));
    vec![made(&group.resource.resource_id), surplus]
}

impl Undisturbed {
    /// The cloud that a run of the example finds.
    fn cloud(surplus: &[Value]) -> LocalCloud {
        let cloud = landing_zone();
        cloud.import(surplus).unwrap();
        cloud
    }
}

fn undisturbed_example(example: Example) -> Undisturbed {
    let deployment = Deployment::new(example.command, &example.text());
    let surplus = surplus(&deployment, example.command);
    undisturbed(example.file, deployment, surplus)
}

/// A document over what an earlier one made.
fn undisturbed_change(name: &'static str, command: &'static str, earlier: &str, later: &str) -> Undisturbed {
    let deployment = Deployment::new(command, earlier);
    let cloud = landing_zone();
    let before: BTreeSet<String> = cloud.ids().into_iter().collect();
    assert_eq!(deployment.deploy(&cloud).errors(), [] as [&ErrorReport; 0], "{name}");
    let made = cloud.ids().into_iter().filter(|id| !before.contains(id));
    let made = made.map(|id| cloud.resource(&id).unwrap_or_else(|| panic!("{id} does not exist"))).collect();
    deployment.rewrite(later);
    undisturbed(name, deployment, made)
}

fn undisturbed(name: &'static str, deployment: Deployment, surplus: Vec<Value>) -> Undisturbed {
    let cloud = Undisturbed::cloud(&surplus);
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.errors(), [] as [&ErrorReport; 0], "{name}");
    let positions = positions(&cloud.requests());
    assert!(!positions.is_empty(), "{name}");
    let before = cloud.requests().len();
    let unchanged = deployment.deploy(&cloud).summary();
    assert!(unchanged.starts_with("unchanged "), "{name}: {unchanged}");
    assert!(writes(&requests_after(&cloud, before)).is_empty(), "{name}");
    let other = Undisturbed::cloud(&surplus);
    deployment.deploy(&other);
    let (mut state, other) = (state(&cloud), state(&other));
    let made_up: BTreeSet<String> =
        state.keys().chain(other.keys()).filter(|key| state.get(*key) != other.get(*key)).cloned().collect();
    state.retain(|key, _| !made_up.contains(key));
    Undisturbed { name, deployment, surplus, state, made_up, unchanged, positions }
}

/// The leaves that are not as after a run without faults.
fn difference(undisturbed: &Undisturbed, cloud: &LocalCloud) -> Vec<String> {
    let Undisturbed { state: expected, made_up, .. } = undisturbed;
    let found = state(cloud);
    let keys: BTreeSet<&String> = expected.keys().chain(found.keys()).filter(|key| !made_up.contains(*key)).collect();
    keys.into_iter().filter(|key| expected.get(*key) != found.get(*key)).cloned().collect()
}

/// Runs an example with one fault at one request, then without. Says whether the fault came to anything.
fn disturb(undisturbed: &Undisturbed, kind: &Kind, position: &Position) -> Result<bool, String> {
    let Position { method, url, earlier } = position;
    let Undisturbed { deployment, .. } = undisturbed;
    let cloud = Undisturbed::cloud(&undisturbed.surplus);
    cloud.misbehave(fault(&format!("{},method={method},path={url},skip={earlier}", kind.fault)));
    let context: serde_json::Map<String, Value> =
        kind.context.iter().map(|(member, value)| ((*member).to_owned(), json!(value))).collect();
    let outcome = deployment.deploy_with(&cloud, json!({"context": context}));
    let came = cloud.faults_left() == 0;
    let errors = outcome.errors();
    // What is only nice to have is a warning.
    let tolerated = outcome.warnings().iter().any(|warning| warning.ends_with(WITHOUT_IT));
    let is_question = ONLY_LOOKED_AT.iter().any(|part| url.contains(part));
    let expects_errors = match kind.effect {
        Effect::Passes => false,
        Effect::Fails | Effect::FailsOperation if is_question => false,
        Effect::Fails | Effect::FailsOperation => came,
    };
    if !came && kind.effect != Effect::FailsOperation {
        return Err("the fault did not come to anything".to_owned());
    }
    if (tolerated || !errors.is_empty()) != expects_errors {
        return Err(format!("errors were expected: {expects_errors}; {outcome:#?}"));
    }
    for report in errors {
        check(report).map_err(|what| format!("{what}: {report:#?}"))?;
    }
    if expects_errors {
        cloud.end_operations();
        let again = deployment.deploy(&cloud);
        if !again.errors().is_empty() {
            return Err(format!("the second run does not finish: {again:#?}"));
        }
    }
    let mut difference = difference(undisturbed, &cloud);
    if tolerated {
        difference.retain(|path| !path.contains(TRIED_ONCE));
    }
    if difference.is_empty() {
        // Exactly what is there after a run without faults, where another run sends nothing.
        return Ok(came);
    }
    // What exists is the same; what is in it may have come about in another order, such as addresses.
    if let Some(id) = difference.iter().find(|path| path.strip_suffix(" id").is_some_and(|id| !id.contains(' '))) {
        return Err(format!("there is too much or too little: {id}"));
    }
    let before = cloud.requests().len();
    let last = deployment.deploy(&cloud);
    if last.summary() != undisturbed.unchanged {
        return Err(format!("the last run: {last:#?}"));
    }
    let sent = writes(&requests_after(&cloud, before));
    if !sent.is_empty() {
        return Err(format!("the last run sends {sent:#?}"));
    }
    Ok(came)
}

/// A clear report says where, what, why and what to do, in one line.
fn check(report: &ErrorReport) -> Result<(), &'static str> {
    let FailureReport { code, category, message, recommendation, .. } = &report.failure;
    if code.as_str().is_empty() || *category == ErrorCategory::NotSpecified {
        return Err("without code or category");
    }
    if message.contains('\n') || !message.ends_with('.') {
        return Err("not one sentence");
    }
    if recommendation.as_ref().is_none_or(String::is_empty) {
        return Err("without advice");
    }
    if report.terminating && message.starts_with("The published services cannot be read: ") {
        // The one thing that is read for all of the document.
        return Ok(());
    }
    let name = report.failure.resource_id.as_deref().and_then(|id| id.rsplit('/').next()).unwrap_or_default();
    if name.is_empty()
        || !message.contains(&format!("'{}'", name.replace("Azure", "Cloud")))
            && !message.contains(&format!("'{name}'"))
    {
        return Err("the resource is not named");
    }
    if !message.starts_with("settings.yml:") {
        return Err("without its place");
    }
    Ok(())
}

/// An example, a kind of fault, and the request that meets it.
type Case<'a> = (&'a Undisturbed, &'a Kind, &'a Position);

/// Every case there is, by example and kind.
fn all_cases(undisturbed: &[Undisturbed]) -> Vec<Vec<Case<'_>>> {
    let runs_and_kinds = undisturbed.iter().flat_map(|run| KINDS.iter().map(move |kind| (run, kind)));
    runs_and_kinds
        .map(|(run, kind)| {
            let positions = run.positions.iter();
            let met = positions.filter(|position| kind.effect != Effect::FailsOperation || position.method != "GET");
            met.map(|position| (run, kind, position)).collect()
        })
        .collect()
}

/// Past the test harness, which hides what a passing test prints.
pub(crate) fn tell(what: &str) {
    let _ = writeln!(std::io::stderr(), "every_request: {what}");
}

/// The seed of the sample; none when every case is run.
pub(crate) fn seed() -> Option<u64> {
    match std::env::var(CHOICE) {
        Ok(choice) if choice == "all" => None,
        Ok(seed) => Some(seed.parse().unwrap_or_else(|_| panic!("{CHOICE} is '{seed}'; use 'all' or a seed"))),
        Err(_) => Some(fastrand::u64(..)),
    }
}

/// The cases to run, in an order in which those that wait and those that do not are mixed.
fn chosen(undisturbed: &[Undisturbed], seed: Option<u64>) -> Vec<Case<'_>> {
    let all = all_cases(undisturbed);
    let count = all.iter().map(Vec::len).sum::<usize>();
    let mut random = fastrand::Rng::with_seed(seed.unwrap_or_default());
    let mut cases: Vec<Case<'_>> = match seed {
        Some(_) => all.into_iter().flat_map(|cases| random.choose_multiple(cases, SAMPLED)).collect(),
        None => all.into_iter().flatten().collect(),
    };
    random.shuffle(&mut cases);
    if let Some(seed) = seed {
        tell(&format!(
            "{} of {count} cases, chosen by seed {seed}; {CHOICE}={seed} repeats them, {CHOICE}=all runs every case",
            cases.len()
        ));
    }
    cases
}

#[test]
fn one_fault_of_each_kind_at_the_requests_of_every_example() {
    let mut undisturbed: Vec<Undisturbed> = examples().into_iter().map(undisturbed_example).collect();
    let [earlier, later] = front_door_that_loses_and_moves();
    undisturbed.push(undisturbed_change("a front door that loses and moves", WEB, &earlier, &later));
    let seed = seed();
    let cases = chosen(&undisturbed, seed);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let came: Mutex<BTreeMap<(&str, &str), usize>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((run, kind, position)) = cases.get(number) else { break };
                    if number > 0 && number.is_multiple_of(TOLD_EVERY) {
                        tell(&format!("{number} of {} cases are begun", cases.len()));
                    }
                    match disturb(run, kind, position) {
                        Ok(true) => *came.lock().unwrap().entry((run.name, kind.fault)).or_default() += 1,
                        Ok(false) => {}
                        Err(what) => failures.lock().unwrap().push(format!(
                            "{}, {} at {} {} ({}): {what}",
                            run.name, kind.fault, position.method, position.url, position.earlier
                        )),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
    if seed.is_some() {
        return;
    }
    // Every operation that is followed has failed once and not ended once.
    let came = came.into_inner().unwrap();
    for run in &undisturbed {
        let followed = run.positions.iter().filter(|position| OPERATIONS.contains(&position.url.as_str())).count();
        for kind in KINDS.iter().filter(|kind| kind.effect == Effect::FailsOperation) {
            let count = came.get(&(run.name, kind.fault)).copied().unwrap_or_default();
            assert!(count >= followed, "{}: {} came {count} times, {followed} operations", run.name, kind.fault);
        }
    }
}
