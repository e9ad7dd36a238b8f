//! The environment of the examples in one run, in any order of its documents, and in two runs.

use std::io::Write as _;
use std::path::PathBuf;

use super::shop::{DOCUMENTS, SHUFFLES, deploy_in_turn, folder, names};
use super::*;
use crate::support::estate::landing_zone;
use crate::support::everything::{State, state};

/// The members that Azure decides anew in every run: times, addresses, and what it counts up. Names that end in a new GUID are [`settle`]d.
const MADE_UP: &[&str] = &[
    "CreationDate",
    "createdAt",
    "createdDate",
    "createdOn",
    "creationTime",
    "etag",
    "expirationDate",
    "ipAddresses",
    "keyCreationTime",
    "lastEnabledTime",
    "lastModifiedAt",
    "lastModifiedTime",
    "lastModifiedTimeUtc",
    "lastSkuUpdate",
    "lastUpdatedTime",
    "modifiedDate",
    "privateIPAddress",
    "updatedOn",
];
/// The digits and hyphens of a GUID.
const GUID: usize = 36;

/// The request for documents of the environment, or for its folder.
pub(super) fn request(files: &[PathBuf], endpoint: &str) -> Value {
    json!({ "settingsFiles": files, "context": { "cloud": endpoint }, "environment": {} })
}

/// Runs the folder as one deployment, and approves everything.
pub(super) fn deploy(cloud: &LocalCloud) -> Outcome {
    run_deployment(&request(&[folder()], cloud.endpoint()))
}

/// Everything that exists, apart from what Azure decides.
pub(super) fn settled(cloud: &LocalCloud) -> State {
    let decided = |path: &str| path.split(' ').any(|key| MADE_UP.contains(&key));
    let leaves = state(cloud).into_iter().filter(|(path, _)| !decided(path));
    leaves.map(|(path, value)| (path, settle(value))).collect()
}

/// A value with `(guid)` for each GUID in it. The ids of resources show in other ways what refers to what; they ignore case, and
/// what exists is found in Azure's spelling.
fn settle(value: Value) -> Value {
    let Value::String(text) = &value else { return value };
    let is_id = text.starts_with("/subscriptions/");
    let text = if is_id { text.to_lowercase() } else { text.clone() };
    let mut settled = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        match rest.get(..GUID) {
            Some(guid) if is_guid(guid) => {
                settled.push_str("(guid)");
                rest = &rest[GUID..];
            }
            _ => {
                settled.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    Value::String(settled)
}

fn is_guid(text: &str) -> bool {
    let is_part = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.split('-').all(is_part)
}

/// The leaves in which two states differ, each with what both have.
pub(super) fn differences(expected: &State, found: &State) -> Vec<String> {
    let other = |path: &&String| expected.get(*path) != found.get(*path);
    let paths = expected.keys().chain(found.keys().filter(|path| !expected.contains_key(*path)));
    paths.filter(other).map(|path| format!("{path}: {:?}, not {:?}", found.get(path), expected.get(path))).collect()
}

/// Runs the folder again and fails the test if anything is planned or sent.
pub(super) fn assert_nothing_is_left(cloud: &LocalCloud, what: &str) {
    let before = cloud.requests().len();
    let again = deploy(cloud);
    assert_eq!(
        again.summary(),
        format!("unchanged {}", again.counts().unchanged),
        "{what}: {:#?}",
        again.descriptions()
    );
    let sent = writes(&requests_after(cloud, before));
    assert!(sent.is_empty(), "{what}: {:#?}", shown(&sent));
}

/// Deploys documents of the environment in one run.
fn create(documents: &[&str], cloud: &LocalCloud, what: &str) {
    let files: Vec<PathBuf> = documents.iter().map(|name| folder().join(name).with_extension("yml")).collect();
    let outcome = run_deployment(&request(&files, cloud.endpoint()));
    let counts = outcome.counts();
    assert!(counts.created > 0 && counts.failed + counts.skipped == 0, "{what}: {:#?}", outcome.errors());
}

/// The state that a run of the folder makes of the landing zone.
pub(super) fn undisturbed() -> State {
    let cloud = landing_zone();
    assert!(deploy(&cloud).errors().is_empty());
    settled(&cloud)
}

#[test]
fn the_folder_deploys_from_the_landing_zone_alone_and_again_nothing() {
    let (cloud, in_turn) = (landing_zone(), landing_zone());
    let counts = deploy(&cloud).counts();
    assert!(counts.created > 60 && counts.failed + counts.skipped == 0, "{counts:?}");
    assert_nothing_is_left(&cloud, "the second run");
    // The same as document after document, for which there is nothing left to do either.
    deploy_in_turn(&in_turn);
    assert_eq!(names(&cloud), names(&in_turn));
    assert_eq!(differences(&settled(&in_turn), &settled(&cloud)), [""; 0]);
    assert!(deploy_in_turn(&cloud).iter().all(|outcome| outcome.summary().starts_with("unchanged ")));
}

#[test]
fn in_any_order_and_in_two_runs_the_same_comes_of_it() {
    let expected = undisturbed();
    let seed = fastrand::u64(..);
    // Past the test harness, which hides what a passing test prints.
    let _ = writeln!(std::io::stderr(), "environment: orders and halves of seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..SHUFFLES {
        let mut documents: Vec<&str> = DOCUMENTS.iter().map(|(document, _)| *document).collect();
        random.shuffle(&mut documents);
        let what = format!("seed {seed}, {documents:?}");
        let cloud = landing_zone();
        create(&documents, &cloud, &what);
        assert_eq!(differences(&expected, &settled(&cloud)), [""; 0], "{what}");

        // The first run has some of them and what these need, the second the rest.
        let (first, second) = halves(&documents, random.usize(1..4));
        let what = format!("seed {seed}, {first:?}, then {second:?}");
        let cloud = landing_zone();
        create(&first, &cloud, &what);
        create(&second, &cloud, &what);
        assert_eq!(differences(&expected, &settled(&cloud)), [""; 0], "{what}");
        assert_nothing_is_left(&cloud, &what);
    }
}

/// The first documents together with all that these need, and the rest. Three documents need at most three others, so something is left of eight.
fn halves<'a>(documents: &[&'a str], count: usize) -> (Vec<&'a str>, Vec<&'a str>) {
    let wanted = &documents[..count];
    let needs = |one: &str| DOCUMENTS.iter().find(|(document, _)| *document == one).map_or(&[][..], |(_, needs)| needs);
    documents
        .iter()
        .copied()
        .partition(|document| wanted.iter().any(|one| one == document || needs(one).contains(document)))
}
