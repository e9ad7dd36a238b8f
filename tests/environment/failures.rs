//! After the first write documents are independent: what fails takes along only what depends on it.

use super::*;
use crate::support::estate::landing_zone;

#[test]
fn a_failure_skips_only_what_depends_on_it() {
    let other = STORAGE.replace("Shop", "Other").replace("shop-", "other-").replace("Orders", "Others");
    let environment = Environment::of(&[("a.yml", STORAGE), ("b.yml", &other)]);
    let cloud = cloud();
    cloud.misbehave(fault("status=403,method=PUT,times=always,path=/storageAccounts/storders"));
    let outcome = environment.deploy(&cloud);
    let report = outcome.deployment_failed();
    assert_eq!(report.failures.len(), 1, "{report:#?}");
    assert_eq!(report.failures[0].document.as_deref(), Some(environment.path("a.yml").as_str()));
    assert!(report.done.iter().any(|done| done.document.as_deref() == Some(environment.path("b.yml").as_str())));
}

#[test]
fn a_failure_of_another_document_does_not_hold_deletions_back() {
    let environment = Environment::of(&[("alerts.yml", LOG_ALERTS), ("core.yml", CORE), ("storage.yml", STORAGE)]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    environment.project.write("alerts.yml", LOG_ALERTS.replace("          - definition: Low_Disk_Space\n", ""));
    environment
        .project
        .write("storage.yml", STORAGE.to_owned() + "  - storageAccountName: More\n    accountType: Standard\n");
    cloud.misbehave(fault("status=403,method=PUT,times=always,path=/storageAccounts/stmore"));
    let outcome = environment.deploy(&cloud);
    assert_eq!(outcome.counts().deleted, 1, "{:#?}", outcome.messages);
    assert_eq!(outcome.counts().failed, 1);
}

#[test]
fn deletions_wait_for_everything_of_their_own_document() {
    let environment = Environment::of(&[("alerts.yml", LOG_ALERTS), ("core.yml", CORE)]);
    let cloud = landing_zone();
    environment.deploy_twice(&cloud);
    let changed = LOG_ALERTS
        .replace("          - definition: Low_Disk_Space\n", "")
        .replace("VM_NonResponsive", "VM_NonResponsive\n            severity: Error");
    environment.project.write("alerts.yml", changed);
    cloud.misbehave(fault("status=403,method=PUT,times=always,path=/scheduledQueryRules/"));
    let outcome = environment.deploy(&cloud);
    assert_eq!((outcome.counts().deleted, outcome.counts().failed), (0, 1), "{:#?}", outcome.messages);
    assert!(outcome.warnings().iter().any(|warning| warning.starts_with("Nothing was deleted")));
}

#[test]
fn other_documents_do_not_wait_for_the_look_before_deletions() {
    let environment = Environment::of(&[("alerts.yml", LOG_ALERTS), ("core.yml", CORE)]);
    let cloud = landing_zone();
    let alerts = environment.deploy_twice(&cloud);
    let is_rule = |action: &&Action| action.resource.resource_type.ends_with("/scheduledQueryRules");
    let group = alerts.plan().iter().find(is_rule).unwrap().resource.resource_group.clone().unwrap();
    environment.project.write("alerts.yml", LOG_ALERTS.replace("          - definition: Low_Disk_Space\n", ""));
    environment.project.write("storage.yml", STORAGE.to_owned() + "    queue: [orders]\n");
    // The first listing is that of the plan.
    cloud.misbehave(fault(&format!("delay=2000,path=/resourceGroups/{group}/resources,skip=1")));
    let before = cloud.requests().len();
    let outcome = environment.deploy(&cloud);
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    assert_eq!((outcome.counts().created, outcome.counts().deleted), (3, 1));
    let written = writes(&requests_after(&cloud, before));
    let position = |method: &str, path: &str| {
        let written = written.iter().map(|request| (&request.method, request.url.to_lowercase()));
        written.collect::<Vec<_>>().iter().position(|(known, url)| *known == method && url.contains(path)).unwrap()
    };
    assert!(position("PUT", "/queues/orders") < position("DELETE", "/scheduledqueryrules/"), "{:#?}", shown(&written));
}
