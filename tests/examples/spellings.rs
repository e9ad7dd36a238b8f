//! Whatever Azure ignores in the spelling of what it answers, a run ignores as well: it plans nothing over what it has deployed.
//!
//! `cargo test` runs one spelling of each document and prints the seed. The variable [`CHOICE`] is `all` for many
//! (`.ci/extended`), or the seed to repeat.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use svc_engine::azure::types::RESOURCE_TYPES;
use svc_local_cloud::LocalCloudOptions;

use crate::support::Outcome;
use crate::support::estate::{Deployment, fields_zone_with, landing_zone};
use crate::support::examples::{Example, documents};
use crate::support::spellings::{ENUMERATED, Spellings};

/// The spellings that are tried: `all`, or one seed.
const CHOICE: &str = "SVC_TEST_SPELLINGS";
/// The number of spellings in all, for each document.
const ALL: u64 = 60;
/// Types that have to be among what is spelled, beside all others: those that are answered in a spelling of their own, or seldom.
const SPELLED: &[&str] = &[
    "microsoft.advisor/configurations",
    "microsoft.cdn/profiles",
    "microsoft.cdn/profiles/afdendpoints",
    "microsoft.cdn/profiles/afdendpoints/routes",
    "microsoft.cdn/profiles/customdomains",
    "microsoft.cdn/profiles/origingroups",
    "microsoft.cdn/profiles/origingroups/origins",
    "microsoft.cdn/profiles/securitypolicies",
    "microsoft.insights/actiongroups",
    "microsoft.insights/scheduledqueryrules",
    "microsoft.operationsmanagement/solutions",
];
/// The number of documents that are under way at once.
const AT_ONCE: usize = 4;

/// The seeds to run.
fn seeds() -> Vec<u64> {
    match std::env::var(CHOICE) {
        Ok(choice) if choice == "all" => (0..ALL).collect(),
        Ok(seed) => vec![seed.parse().unwrap_or_else(|_| panic!("{CHOICE} is '{seed}'; use 'all' or a seed"))],
        Err(_) => vec![fastrand::u64(..)],
    }
}

/// The actions of a run behind other spellings, or why it would not run.
fn planned(outcome: &Outcome) -> Vec<String> {
    let errors =
        outcome.errors().into_iter().map(|error| format!("{}: {}", error.failure.code.as_str(), error.failure.message));
    let kept = outcome.kept().into_iter().map(|kept| kept.reason.clone());
    let actions = outcome.plan().iter().map(|action| {
        let changes = action.changes.iter().map(|change| {
            format!("\n      {}: {:?} -> {:?}", change.path, change.before.as_deref(), change.after.as_deref())
        });
        format!("{}{}", action.description, changes.collect::<String>())
    });
    errors.chain(kept).chain(actions).collect()
}

/// Deploys a document behind one spelling, and plans it again behind each.
fn replan(example: &Example, seeds: &[u64], types: &Mutex<BTreeSet<String>>) -> Vec<String> {
    let cloud = if example.is_example() { landing_zone() } else { fields_zone_with(LocalCloudOptions::default()) };
    let deployment = Deployment::new(example.command, &example.text());
    let spellings = Spellings::of(&cloud);
    let behind = json!({"context": {"cloud": spellings.endpoint()}});
    let mut failures = Vec::new();
    let mut failed = |seed: u64, when: &str, what: Vec<String>| {
        failures.extend(what.into_iter().map(|what| format!("{}, seed {seed}, {when}:\n    {what}", example.file)));
    };
    spellings.spell_by(seeds[0]);
    let outcome = deployment.deploy_with(&cloud, behind.clone());
    failed(seeds[0], "the deployment", outcome.errors().iter().map(|error| error.failure.message.clone()).collect());
    let straight = deployment.rehearse(&cloud);
    failed(seeds[0], "planned again as it is", planned(&straight));
    let told = straight.warnings();
    for seed in seeds.iter().flat_map(|seed| [*seed, seed.wrapping_mul(31).wrapping_add(1)]) {
        spellings.spell_by(seed);
        let mut rehearsal = behind.clone();
        rehearsal["whatIf"] = json!(true);
        let outcome = deployment.deploy_with(&cloud, rehearsal);
        failed(seed, "planned again", planned(&outcome));
        let warnings = outcome.warnings();
        if warnings.len() != told.len() {
            failed(seed, "other warnings", vec![format!("{warnings:#?}\n    and without: {told:#?}")]);
        }
    }
    types.lock().unwrap().extend(spellings.types());
    failures
}

#[test]
fn nothing_is_planned_over_what_azure_spells_in_another_way() {
    let seeds = seeds();
    // Past the test harness, which hides what a passing test prints.
    let _ = writeln!(
        std::io::stderr(),
        "spellings: {} for each document, from seed {}; {CHOICE}={} repeats it, {CHOICE}=all runs {ALL} of each",
        seeds.len(),
        seeds[0],
        seeds[0]
    );
    let documents = documents();
    let (next, failures, types) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::default());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(example) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = replan(example, &seeds, &types);
                    failures.lock().unwrap().extend(found);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let types = types.into_inner().unwrap();
    for name in SPELLED {
        assert!(types.contains(*name), "nothing of {name} was spelled in another way: {types:#?}");
    }
}

/// Of a type that is not listed nothing would be spelled.
#[test]
fn the_enumerations_of_every_type_are_listed() {
    let listed: BTreeSet<&str> = ENUMERATED.keys().map(String::as_str).collect();
    let types: BTreeSet<&str> = RESOURCE_TYPES.iter().map(|entry| entry.name).collect();
    assert_eq!(listed, types, "tests/enumerations.py reads the types in tests/support/enumerations.json");
    assert!(ENUMERATED["Microsoft.Cdn/profiles/afdEndpoints/routes"].contains("properties.supportedProtocols[]"));
}
