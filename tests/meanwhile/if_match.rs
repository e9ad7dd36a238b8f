//! Resources whose etag Azure looks at: nothing has to be old for a change of somebody else to be noticed.

use serde_json::json;
use svc_engine::protocol::Code;
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

/// The bastion hosts of the example, deployed, with the tag of an address changed so that the next run puts it right.
fn address_to_change() -> (LocalCloud, Deployment, String) {
    let cloud = landing_zone();
    let deployment = Deployment::example(BASTION_HOSTS, "examples/bastion-hosts.yml");
    deployment.deploy(&cloud).counts();
    let address = cloud.ids().iter().find(|id| id.contains("/publicIPAddresses/pip-hub")).unwrap().clone();
    let address = address.trim_start_matches(&in_subscription("")).to_owned();
    tamper(&cloud, &address, |body| body["tags"] = json!({}));
    (cloud, deployment, address)
}

/// Approves everything, at once, after something was done.
fn quickly(cloud: &LocalCloud, deployment: &Deployment, meanwhile: impl Fn()) -> Outcome {
    follow(&deployment.start(&deployment.request(cloud)), |actions| {
        meanwhile();
        actions.iter().map(|action| action.index).collect()
    })
}

fn count(cloud: &LocalCloud, before: usize, method: &str, path: &str) -> usize {
    let ends = format!("{path}?");
    requests_after(cloud, before)
        .iter()
        .filter(|request| request.method == method && request.url.contains(&ends))
        .count()
}

#[test]
fn a_change_of_a_moment_ago_is_noticed_and_stays() {
    let (cloud, deployment, address) = address_to_change();
    let before = cloud.requests().len();
    let outcome = quickly(&cloud, &deployment, || {
        tamper(&cloud, &address, |body| body["properties"]["idleTimeoutInMinutes"] = json!(30));
    });
    assert!(outcome.errors().is_empty() && outcome.counts().modified == 1, "{outcome:#?}");
    let now = resource(&cloud, &address);
    assert_eq!(
        (&now["properties"]["idleTimeoutInMinutes"], &now["tags"]["svc-service"]),
        (&json!(30), &json!("bastion-address"))
    );
    assert_eq!(count(&cloud, before, "PUT", &address), 2, "the first was refused");
    assert_eq!(count(&cloud, before, "GET", &address), 2, "before the second, and at the end of its operation");
}

#[test]
fn a_change_of_the_same_is_an_error() {
    let (cloud, deployment, address) = address_to_change();
    let outcome = quickly(&cloud, &deployment, || {
        tamper(&cloud, &address, |body| body["tags"] = json!({"svc-service": "theirs"}));
    });
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.code, Code::ChangedMeanwhile);
    assert!(
        report
            .failure
            .message
            .ends_with("somebody else changed tags.svc-service from nothing to \"theirs\" after the plan was made."),
        "{}",
        report.failure.message
    );
    assert_eq!(resource(&cloud, &address)["tags"]["svc-service"], "theirs");
}

#[test]
fn refusals_in_flight_are_bounded() {
    for (times, fails) in [("2", false), ("always", true)] {
        let (cloud, deployment, address) = address_to_change();
        cloud.misbehave(fault(&format!("status=412,method=PUT,path={address}?,times={times}")));
        let before = cloud.requests().len();
        let outcome = deployment.deploy(&cloud);
        let puts = count(&cloud, before, "PUT", &address);
        if fails {
            let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
            assert_eq!(report.failure.code, Code::ChangedMeanwhile);
            assert!(
                report.failure.message.ends_with("was not changed: somebody else keeps changing it."),
                "{}",
                report.failure.message
            );
            assert_eq!(puts, 6);
        } else {
            assert!(outcome.errors().is_empty() && puts == 3, "{puts} {outcome:#?}");
        }
    }
}

#[test]
fn a_try_whose_answer_was_lost_is_our_own() {
    let (cloud, deployment, address) = address_to_change();
    cloud.misbehave(fault(&format!("reset-after,method=PUT,path={address}?")));
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.errors().is_empty() && outcome.counts().modified == 1, "{outcome:#?}");
    assert_eq!(resource(&cloud, &address)["tags"]["svc-service"], "bastion-address");
}

/// Of a type without etags a refusal with 412 is Azure's own.
#[test]
fn other_refusals_with_412_are_told_as_they_are() {
    let cloud = cloud();
    cloud.misbehave(fault("status=412,method=PUT,path=/storageAccounts/,times=always"));
    let outcome = Deployment::new(STORAGE, &document("queue: [orders]")).deploy(&cloud);
    let [report] = outcome.errors()[..] else { panic!("{outcome:#?}") };
    assert_eq!(report.failure.code.as_str(), "PreconditionFailed");
    assert_eq!(count(&cloud, 0, "PUT", "stordersdb8e13ec"), 1);
}
