//! The limits on what a run may do.

use serde_json::{Value, json};

use super::{deploy_shop, of_the_shop};
use crate::environment::run_deployment;
use crate::support::estate::*;
use crate::support::*;

/// The refusal of a run, which shows its plan and changes nothing.
fn refused(cloud: &svc_local_cloud::LocalCloud, context: Value) -> String {
    let before = cloud.requests().len();
    let outcome = deploy_shop(cloud, context);
    assert!(!outcome.plan().is_empty(), "the plan is shown: {outcome:?}");
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "LimitExceeded");
    assert!(writes(&requests_after(cloud, before)).is_empty());
    message.to_owned()
}

#[test]
fn a_plan_over_a_limit_ends_before_anything() {
    let cloud = landing_zone();
    assert_eq!(
        refused(&cloud, json!({"maxChanges": 81})),
        "The plan has 82 changes; maxChanges allows 81. Nothing was changed."
    );
    let outcome = deploy_shop(&cloud, json!({"maxChanges": 82, "maxDeletes": 0, "noDelete": true}));
    assert_eq!(outcome.summary(), "created 82");
    let id = cloud.ids().into_iter().find(|id| id.contains("/scheduledQueryRules/")).unwrap();
    let surplus = |name: &str| json!({"id": id.replace(id.rsplit_once('/').unwrap().1, name), "location": "uksouth", "properties": {}});
    cloud.import(&[surplus("one"), surplus("two")]).unwrap();
    let names = "(log alert 'one'; log alert 'two')";
    let deleted = |end: &str| format!("The plan would delete 2 resources {names}{end} Nothing was changed.");
    assert_eq!(refused(&cloud, json!({"noDelete": true})), deleted(", and noDelete allows none."));
    assert_eq!(refused(&cloud, json!({"maxDeletes": 1, "maxChanges": 1})), deleted("; maxDeletes allows 1."));
    assert_eq!(refused(&cloud, json!({"maxDeletes": "0"})), deleted("; maxDeletes allows 0."));
    let outcome = deploy_shop(&cloud, json!({"maxDeletes": 2, "maxChanges": 2}));
    assert_eq!(outcome.summary(), "unchanged 82, deleted 2");
}

#[test]
fn a_limit_that_is_no_number_is_refused_before_anything_is_read() {
    let cloud = landing_zone();
    for member in ["maxChanges", "maxDeletes"] {
        for wrong in [json!("many"), json!("-1"), json!("1.5"), json!("99999999999999999999999")] {
            let outcome = run_deployment(&of_the_shop(&cloud, json!({ member: wrong })));
            let (code, message) = outcome.failed_with();
            assert_eq!(code, "ContextInvalid");
            assert!(message.starts_with(&format!("{member} must be a whole number from 0")), "{message}");
        }
    }
    assert!(cloud.requests().is_empty());
}
