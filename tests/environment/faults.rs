//! The environment of the examples, killed or failed at its requests: the next run finishes what is missing.
//!
//! All cases together take minutes, so `cargo test` runs a sample; see `failures::every_request`, whose variable chooses the cases.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::one_run::{deploy, differences, request, settled};
use super::shop::folder;
use super::*;
use crate::failures::every_request::{CHOICE, TRIED_ONCE, WITHOUT_IT, seed};
use crate::support::estate::landing_zone;
use crate::support::everything::State;

/// The distance of the requests at which a run is disturbed.
const EVERY: usize = 10;
/// The number of requests of each kind of fault in a sample.
const SAMPLED: usize = 2;
/// The number of cases that are under way at once.
const AT_ONCE: usize = 4;
/// Says to this program that it is the run that will be killed, and where its cloud is.
const CHILD: &str = "SVC_TEST_KILLED_AT";
/// The test that this program runs as that child.
const TEST: &str = "environment::faults::killed_or_failed_at_every_tenth_request_it_converges_by_running_again";

/// The things that happen to a run.
#[derive(Clone, Copy, Debug)]
enum Disturbance {
    /// Its process is killed.
    Killed,
    /// A request is refused.
    Refused,
    /// The operation that a request starts fails, if it starts one.
    OperationFails,
}

const DISTURBANCES: &[Disturbance] = &[Disturbance::Killed, Disturbance::Refused, Disturbance::OperationFails];

/// The consequences of a disturbance.
struct Noticed {
    /// The run ended early or with an error.
    failed: bool,
    /// It met what is only nice to have.
    tolerated: bool,
}

/// Runs the environment and lets something happen at a request.
fn disturb(disturbance: Disturbance, requests: usize, cloud: &LocalCloud) -> Noticed {
    let kind = match disturbance {
        Disturbance::Killed => return Noticed { failed: kill(requests, cloud), tolerated: false },
        Disturbance::Refused => "status=403",
        Disturbance::OperationFails => "fails=QuotaExceeded",
    };
    cloud.misbehave(fault(&format!("{kind},skip={requests}")));
    let outcome = deploy(cloud);
    let tolerated = outcome.warnings().iter().any(|warning| warning.ends_with(WITHOUT_IT));
    Noticed { failed: !outcome.errors().is_empty(), tolerated }
}

/// Runs the environment in a process of its own, and kills that when the cloud has had so many requests.
fn kill(requests: usize, cloud: &LocalCloud) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST])
        .env(CHILD, cloud.endpoint())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut ended = None;
    wait_until("the request to kill at", || {
        ended = child.try_wait().unwrap();
        ended.is_some() || cloud.requests().len() > requests
    });
    let _ = child.kill();
    child.wait().unwrap();
    // A child that runs another test, or none, would end by itself.
    assert!(ended.is_none() || !cloud.requests().is_empty(), "the child did nothing: {ended:?}");
    ended.is_none()
}

/// Disturbs a run and runs again, until the end. Says whether the disturbance came to anything.
fn converge(disturbance: Disturbance, requests: usize, expected: &State) -> Result<bool, String> {
    let cloud = landing_zone();
    let noticed = disturb(disturbance, requests, &cloud);
    cloud.end_operations();
    let again = deploy(&cloud);
    if !again.errors().is_empty() {
        return Err(format!("the second run does not finish: {:#?}", again.errors()));
    }
    let mut different = differences(expected, &settled(&cloud));
    if noticed.tolerated {
        different.retain(|leaf| !leaf.contains(TRIED_ONCE));
    }
    if !different.is_empty() {
        return Err(format!("the state is another one: {different:#?}"));
    }
    let before = cloud.requests().len();
    let last = deploy(&cloud);
    let sent = writes(&requests_after(&cloud, before));
    if !last.plan().is_empty() || !last.errors().is_empty() || !sent.is_empty() {
        return Err(format!("the last run plans {:#?} and sends {:#?}", last.descriptions(), shown(&sent)));
    }
    Ok(noticed.failed)
}

/// The cases to run: every tenth request of a run of so many, in every way, or a sample of these.
fn cases(all_requests: usize) -> Vec<(Disturbance, usize)> {
    let seed = seed();
    let mut random = fastrand::Rng::with_seed(seed.unwrap_or_default());
    let all: Vec<usize> = (0..all_requests).step_by(EVERY).collect();
    let some = |disturbance: &Disturbance| {
        let requests = match seed {
            Some(_) => random.choose_multiple(all.iter().copied(), SAMPLED),
            None => all.clone(),
        };
        requests.into_iter().map(|request| (*disturbance, request)).collect::<Vec<_>>()
    };
    let cases: Vec<(Disturbance, usize)> = DISTURBANCES.iter().flat_map(some).collect();
    if let Some(seed) = seed {
        // Past the test harness, which hides what a passing test prints.
        let _ = writeln!(
            std::io::stderr(),
            "every_tenth_request: {} of {} cases, chosen by seed {seed}; {CHOICE}={seed} repeats them, {CHOICE}=all runs every case",
            cases.len(),
            all.len() * DISTURBANCES.len()
        );
    }
    cases
}

#[test]
fn killed_or_failed_at_every_tenth_request_it_converges_by_running_again() {
    if let Ok(endpoint) = std::env::var(CHILD) {
        run_deployment(&request(&[folder()], &endpoint));
        return;
    }
    let undisturbed = landing_zone();
    assert!(deploy(&undisturbed).errors().is_empty());
    let (expected, cases) = (settled(&undisturbed), cases(undisturbed.requests().len()));
    let next = AtomicUsize::new(0);
    let came = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((disturbance, requests)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match converge(*disturbance, *requests, &expected) {
                        Ok(disturbed) => drop(came.fetch_add(usize::from(disturbed), Ordering::Relaxed)),
                        Err(what) => {
                            failures.lock().unwrap().push(format!("{disturbance:?} at request {requests}: {what}"));
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
    // Few requests start operations, but nearly every kill and refusal is noticed.
    let came = came.into_inner();
    assert!(came * 3 > cases.len(), "only {came} of {} cases came to anything", cases.len());
}
