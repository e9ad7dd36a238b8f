//! Documents of bastion hosts.

use serde_json::json;

use super::*;
use crate::support::estate::*;

const HOSTS: &str = "bastionHosts";

fn example(cloud: &LocalCloud) {
    deploy(BASTION_HOSTS, &std::fs::read_to_string(repository("examples/bastion-hosts.yml")).unwrap(), cloud);
}

#[test]
fn the_document_says_everything_of_the_hosts() {
    let cloud = landing_zone();
    example(&cloud);
    let text = whole(BASTION_HOSTS, HOSTS, LANDING_ZONE, &cloud);
    let expected = "component: bastionHosts
location: uksouth
service:
  dependencies:
    resourceGroup: landing-zone
    workspace: central-logs
bastionHosts:
  - bastionHostName: hub
    bastionHostSubnetPrefix: 10.10.250.0/26
    service:
      dependencies:
        vnet: hub-network
      publish:
        bastion: bastion
        bastionPublicIP: bastion-address
  - bastionHostName: spoke
    bastionHostSubnetPrefix: 10.20.250.0/26
    service:
      dependencies:
        vnet: spoke-network
      publish:
        bastion: spoke-bastion
        bastionPublicIP: bastion-address
";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_host_without_its_audit_log_is_left_out() {
    let cloud = landing_zone();
    example(&cloud);
    let is_setting = |id: &&String| id.contains("/bastionHosts/bastion-hub") && id.contains("/diagnosticSettings/");
    let setting = cloud.ids().iter().find(is_setting).unwrap().trim_start_matches(&in_subscription("")).to_owned();
    let other = format!("{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-other");
    cloud.import(&[published(&other, "uksouth", "other-logs", json!({"sku": {"name": "PerGB2018"}}))]).unwrap();
    tamper(&cloud, &setting, |body| body["properties"]["workspaceId"] = json!(in_subscription(&other)));
    let outcome = export(HOSTS, LANDING_ZONE, &cloud);
    let warnings = outcome.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(
        warnings[0].starts_with("The bastion host 'bastion-")
            && warnings[0].ends_with("is left out: the hosts of one document have one workspace, here 'other-logs'."),
        "{warnings:#?}"
    );
    assert_eq!(plan_of(BASTION_HOSTS, &outcome, &cloud).descriptions(), Vec::<&str>::new(), "{}", outcome.document());
}
