//! One account, changed, created and deleted by somebody else.

use serde_json::{Value, json};
use svc_engine::protocol::{Code, ErrorCategory};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

/// A cloud with the account of [`document`], deployed from these lines, and a deployment of other ones.
fn changed(before: &str, after: &str) -> (LocalCloud, Deployment) {
    let cloud = cloud();
    let deployment = Deployment::new(STORAGE, &document(before));
    deployment.deploy(&cloud).counts();
    deployment.rewrite(&document(after));
    (cloud, deployment)
}

fn properties(cloud: &LocalCloud) -> Value {
    resource(cloud, ACCOUNT)["properties"].clone()
}

const NOT_MODIFIED: &str =
    "the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not changed: somebody else";

#[test]
fn a_firewall_that_is_closed_while_the_question_waits_stays_closed() {
    let (cloud, deployment) = changed("supportsHttpsTrafficOnly: true", "supportsHttpsTrafficOnly: false");
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, ACCOUNT, |body| {
            body["properties"]["networkAcls"]["defaultAction"] = json!("Deny");
            body["tags"] = json!({"closed-by": "security"});
        });
    });
    assert_eq!(outcome.summary(), "modified 1, unchanged 1");
    assert!(outcome.warnings().is_empty(), "{:?}", outcome.warnings());
    let now = properties(&cloud);
    assert_eq!(
        (&now["networkAcls"]["defaultAction"], &now["supportsHttpsTrafficOnly"]),
        (&json!("Deny"), &json!(false))
    );
    assert_eq!(resource(&cloud, ACCOUNT)["tags"]["closed-by"], "security");
}

#[test]
fn the_same_property_is_an_error_of_the_resource() {
    let (cloud, deployment) =
        changed("networkAclsBypass: AzureServices", "networkAclsBypass: Metrics\nqueue: [orders]");
    let before = cloud.requests().len();
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, ACCOUNT, |body| body["properties"]["networkAcls"]["bypass"] = json!("Logging"));
    });
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    let changed = "properties.networkAcls.bypass from \"AzureServices\" to \"Logging\" after the plan was made.";
    assert_eq!(report.failure.message, format!("settings.yml:6:24: {NOT_MODIFIED} changed {changed}"));
    assert_eq!((&report.failure.code, report.failure.category), (&Code::ChangedMeanwhile, ErrorCategory::ResourceBusy));
    assert_eq!(report.failure.target.as_deref(), Some("settings.yml:6:24"));
    assert_eq!(
        report.failure.recommendation.as_deref(),
        Some("Run the command again; its plan shows what is there now.")
    );
    assert_eq!(outcome.summary(), "unchanged 1, skipped 1, failed 1");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    // The next run sees it.
    tamper(&cloud, ACCOUNT, |body| body["properties"]["networkAcls"]["bypass"] = json!("AzureServices"));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, modified 1, unchanged 1");
}

#[test]
fn what_the_document_wants_and_somebody_else_changed_stays_and_is_told() {
    let lines = "networkAclsDefaultAction: Deny\nsupportsHttpsTrafficOnly: ";
    let (cloud, deployment) = changed(&format!("{lines}true"), &format!("{lines}false"));
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, ACCOUNT, |body| body["properties"]["networkAcls"]["defaultAction"] = json!("Allow"));
    });
    assert_eq!(outcome.summary(), "modified 1, unchanged 1");
    assert_eq!(
        outcome.warnings(),
        [
            "settings.yml:4:5: somebody else changed properties.networkAcls.defaultAction from \"Deny\" to \"Allow\" of the storage account \
          'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' after the plan was made. It stays as it is; run the command again to \
          see a plan with it."
        ]
    );
    let now = properties(&cloud);
    assert_eq!(
        (&now["networkAcls"]["defaultAction"], &now["supportsHttpsTrafficOnly"]),
        (&json!("Allow"), &json!(false))
    );
}

#[test]
fn somebody_else_did_the_same() {
    let (cloud, deployment) = changed("supportsHttpsTrafficOnly: true", "supportsHttpsTrafficOnly: false");
    let before = cloud.requests().len();
    let outcome = deployment.deploy_while(&cloud, || {
        tamper(&cloud, ACCOUNT, |body| body["properties"]["supportsHttpsTrafficOnly"] = json!(false));
    });
    assert_eq!(outcome.summary(), "unchanged 2");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
    let told = "The storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' is up to date: somebody else made it so after \
                the plan was made.";
    assert!(outcome.verbose().contains(&told), "{:?}", outcome.verbose());
}

#[test]
fn what_is_gone_is_not_made_again_by_a_modification() {
    let (cloud, deployment) = changed("supportsHttpsTrafficOnly: true", "supportsHttpsTrafficOnly: false");
    let outcome = deployment.deploy_while(&cloud, || {
        delete_by_id(&cloud, &in_subscription(ACCOUNT), "2026-04-01");
    });
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.message, format!("settings.yml:4:5: {NOT_MODIFIED} deleted it after the plan was made."));
    assert_eq!(report.failure.code, Code::ChangedMeanwhile);
    assert!(cloud.resource(&in_subscription(ACCOUNT)).is_none());
    assert_eq!(deployment.deploy(&cloud).summary(), "created 1, unchanged 1");
}

#[test]
fn what_somebody_else_created_meanwhile_is_theirs_unless_it_is_the_same() {
    let text = document("supportsHttpsTrafficOnly: false");
    let made = {
        let cloud = cloud();
        Deployment::new(STORAGE, &text).deploy(&cloud).counts();
        [resource(&cloud, GROUP), resource(&cloud, ACCOUNT)]
    };
    for (shared_key, summary) in [(false, "unchanged 2"), (true, "unchanged 1, failed 1")] {
        let cloud = cloud();
        let deployment = Deployment::new(STORAGE, &text);
        let mut theirs = made.clone();
        theirs[1]["properties"]["supportsHttpsTrafficOnly"] = json!(shared_key);
        let outcome = deployment.deploy_while(&cloud, || {
            cloud.import(&theirs).unwrap();
        });
        assert_eq!(outcome.summary(), summary, "{outcome:#?}");
        assert!(writes(&cloud.requests()).is_empty());
        assert_eq!(properties(&cloud)["supportsHttpsTrafficOnly"], shared_key);
        for report in outcome.errors() {
            assert_eq!(
                report.failure.message,
                "settings.yml:6:31: the storage account 'stordersdb8e13ec' in resource group 'rg-shop-iaas-99b8167f' was not created: somebody \
                 else created it with properties.supportsHttpsTrafficOnly true, not false after the plan was made."
            );
        }
    }
}

#[test]
fn a_try_whose_answer_was_lost_is_not_somebody_elses() {
    for kind in ["reset-after", "truncated"] {
        let (cloud, deployment) = changed("supportsHttpsTrafficOnly: true", "supportsHttpsTrafficOnly: false");
        cloud.misbehave(fault(&format!("{kind},method=PUT,path=/stordersdb8e13ec?")));
        assert_eq!(deployment.deploy_while(&cloud, || {}).summary(), "modified 1, unchanged 1", "{kind}");
        let cloud = crate::support::cloud();
        cloud.misbehave(fault(&format!("{kind},method=PUT,path=/stordersdb8e13ec?")));
        assert_eq!(deployment.deploy_while(&cloud, || {}).summary(), "created 2", "{kind}");
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2", "{kind}");
    }
}

#[test]
fn what_is_read_again_may_fail() {
    let (cloud, deployment) = changed("supportsHttpsTrafficOnly: true", "supportsHttpsTrafficOnly: false");
    let outcome = deployment.deploy_while(&cloud, || {
        cloud.misbehave(fault("status=403,method=GET,path=/storageAccounts/stordersdb8e13ec?,times=always"));
    });
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.code.as_str(), "AuthorizationFailed");
    assert_eq!(outcome.summary(), "unchanged 1, failed 1");
}
