//! Exclusions of log alerts: how they are looked up, and what becomes of them.

use serde_json::json;

use crate::alerts::log_rules::{AZURE_ONLY, OWN, deployed, log_alerts, query, rule};
use crate::support::estate::*;
use crate::support::*;

#[test]
fn exclusions_are_found_by_their_tag_then_by_their_publish_name() {
    let excluded = |exclusions: &str| {
        let (rule, warnings) = deployed(&format!("definition: VM_NonResponsive\nexclusions: {exclusions}"));
        assert_eq!(warnings, [""; 0]);
        query(&rule).lines().last().unwrap().to_owned()
    };
    let filter =
        |names: &str| format!("| where Computer !in~ ({names}) and tostring(split(Computer, \".\")[0]) !in~ ({names})");
    assert_eq!(excluded("[maintenance]"), filter("\"vm-shop-2\""));
    assert_eq!(excluded("[shop-servers]"), filter("\"vm-shop-1\", \"vm-shop-2\""));
    assert_eq!(
        excluded("[shop-servers, maintenance, central-vault]"),
        filter("\"kv-landing-zone\", \"vm-shop-1\", \"vm-shop-2\"")
    );
}

#[test]
fn the_tag_of_exclusions_can_be_another_one() {
    let cloud = landing_zone();
    let server = in_subscription(&format!("{LANDING_ZONE}/providers/Microsoft.Compute/virtualMachines/vm-old"));
    cloud.import(&[json!({"id": server, "location": "uksouth", "tags": {"cm-monitor-exception": "maintenance"}, "properties": {}})]).unwrap();
    let deployment =
        Deployment::new(LOG_ALERTS, &log_alerts(&["definition: VM_NonResponsive\nexclusions: [maintenance]"]));
    let outcome = deployment.deploy_with(&cloud, json!({"context": {"exceptionTagKey": "cm-monitor-exception"}}));
    assert_eq!(outcome.summary(), "created 2");
    assert!(query(&rule(&cloud)).contains("(\"vm-old\")"), "{}", query(&rule(&cloud)));
}

#[test]
fn an_exclusion_that_nothing_carries_is_a_warning() {
    let cloud = landing_zone();
    let deployment =
        Deployment::new(LOG_ALERTS, &log_alerts(&["definition: VM_NonResponsive\nexclusions: [maintenance, nobody]"]));
    let warning = "settings.yml:13:39: groups[0].alertSets[0].alerts[0].exclusions[1]: no resource in this subscription is published as 'nobody'; none has it in the tag 'svc-monitor-exception' either, so nothing is excluded";
    let rehearsed = deployment.rehearse(&cloud);
    assert_eq!(rehearsed.warnings(), [warning]);
    assert!(!planned(&rehearsed, &rehearsed.plan()[1].resource.name)["properties.criteria.allOf"].contains("nobody"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.warnings()), ("created 2", vec![warning]));
    assert!(query(&rule(&cloud)).contains("!in~ (\"vm-shop-2\")"), "{}", query(&rule(&cloud)));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn exclusions_of_only_none_are_none() {
    let (rule, warnings) = deployed("definition: VM_NonResponsive\nexclusions: [None]");
    assert_eq!(warnings, [""; 0]);
    assert!(query(&rule).ends_with(AZURE_ONLY), "{}", query(&rule));
}

#[test]
fn exclusions_without_a_column_for_them_are_a_warning() {
    let (rule, warnings) = deployed(&format!("{OWN}\nexclusions: [maintenance]"));
    assert!(
        warnings[0]
            .ends_with("exclusions: the definition has no column Computer, which exclusions need; nothing is excluded")
    );
    assert!(!query(&rule).contains("Computer"));
}

#[test]
fn the_exception_tag_is_listed_once_and_only_when_something_is_excluded() {
    let cloud = landing_zone();
    let listings = |alerts: &[&str]| {
        let before = cloud.requests().len();
        Deployment::new(LOG_ALERTS, &log_alerts(alerts)).rehearse(&cloud);
        let requests = requests_after(&cloud, before);
        requests.iter().filter(|request| request.url.contains("svc%2Dmonitor%2Dexception")).count()
    };
    assert_eq!(listings(&["definition: VM_Reboot"]), 0);
    let alert = "definition: VM_NonResponsive\nexclusions: [maintenance, shop-servers]";
    assert_eq!(listings(&[alert, alert, alert]), 1);
}
