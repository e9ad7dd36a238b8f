//! Azure Policy over a whole environment: what it denies is known before anything is asked, each finding with its line.

use serde_json::{Map, Value, json};
use svc_engine::protocol::{ErrorReport, PropertyChange};
use svc_local_cloud::LocalCloud;

use super::run_deployment;
use super::shop::folder;
use crate::support::estate::landing_zone;
use crate::support::*;

const QUESTION: &str = "/providers/Microsoft.PolicyInsights/checkPolicyRestrictions?";

/// A policy on each line: the type that it is about, the start of the name, a field, and what of it is denied; then a file, and lines of it, each after the
/// one before, of which the last one says it.
const DENIALS: &str = r#"
Microsoft.Storage/storageAccounts | stcontosoorders | /sku.name | {"in": ["Standard_ZRS"]} | storage.yml | Orders > replication:
Microsoft.Storage/storageAccounts | stcontosoledger | /networkAcls.bypass | {"notEquals": "None"} | storage.yml | networkAclsBypass
Microsoft.Storage/storageAccounts | stcontosoledger | /networkAcls.defaultAction | {"equals": "deny"} | storage.yml | networkAclsDefaultAction
Microsoft.Storage/storageAccounts | stcontosoorders | /allowBlobPublicAccess | {"equals": "false"} | storage.yml | Orders > allowBlobPublicAccess
Microsoft.Storage/storageAccounts/queueServices/queues | returns | name | {"exists": true} | storage.yml | - returns
Microsoft.Storage/storageAccounts/blobServices/containers | entries | name | {"exists": true} | storage.yml | name: entries
Microsoft.OperationalInsights/workspaces | log-shop | /retentionInDays | {"less": 365} | core-monitor.yml | workspaceDataRetentionInDays
Microsoft.Web/serverfarms | plan-front | /sku.name | {"like": "P1*"} | web.yml | sku: P1v3
Microsoft.Web/serverfarms | plan-jobs | location | {"notIn": ["UK West", "north europe"]} | web.yml | name: Jobs > region:
Microsoft.Web/sites | app-contoso-checkout | /siteConfig.linuxFxVersion | {"like": "DOTNETCORE*"} | web.yml | runTime: DOTNETCORE
Microsoft.Web/sites/slots | staging | fullName | {"like": "app-contoso-storefront*"} | web.yml | - staging
Microsoft.Insights/actionGroups | agrp-operations | /groupShortName | {"equals": "SHOP-OPS"} | core-monitor.yml | shortname: shop-ops
Microsoft.Insights/actionGroups | agrp-on-call | /smsReceivers[*].countryCode | {"equals": "44"} | core-monitor.yml | sms: > countryCode
Microsoft.Insights/scheduledQueryRules | alt-log-shop-failed | /severity | {"lessOrEquals": 1} | log-alerts.yml | severity: Error
Microsoft.Insights/scheduledQueryRules | alt-log-shop-unhandled | /windowSize | {"equals": "PT30M"} | log-alerts.yml | name: Unhandled > timeWindowInMinutes
Microsoft.Insights/metricAlerts | alt- | /evaluationFrequency | {"equals": "PT15M"} | metric-alerts.yml | frequencyInMinutes: 15
Microsoft.Network/bastionHosts | bastion-hub | kind | {"exists": false} | bastion-hosts.yml | bastionHostName: Hub
Microsoft.Network/virtualNetworks/subnets | AzureBastionSubnet | /addressPrefix | {"equals": "10.10.250.0/26"} | bastion-hosts.yml | bastionHostSubnetPrefix
Microsoft.Resources/subscriptions/resourceGroups | rg-shop-data | tags['cost-centre'] | {"equals": "4711"} | _tags/globalTags.yml | cost-centre
Microsoft.Network/privateEndpoints | ped-vault | tags.department | {"exists": false} | private-endpoints.yml | name: vault
"#;

/// The columns of each policy.
fn denials() -> Vec<[&'static str; 6]> {
    DENIALS.trim().lines().map(|line| line.split(" | ").collect::<Vec<_>>().try_into().unwrap()).collect()
}

/// A definition and its assignment in the subscription, as Azure shows them.
pub(crate) fn policy(name: &str, mode: &str, rule: Value, more: Value) -> [Value; 2] {
    let id = |kind: &str| in_subscription(&format!("providers/Microsoft.Authorization/{kind}/{name}"));
    let mut properties = json!({"displayName": format!("Corp {name}"), "policyDefinitionId": id("policyDefinitions")});
    properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    [
        json!({"id": id("policyDefinitions"), "name": name, "type": "Microsoft.Authorization/policyDefinitions",
            "properties": {"displayName": format!("Rule {name}"), "mode": mode, "policyRule": rule}}),
        json!({"id": id("policyAssignments"), "name": name, "type": "Microsoft.Authorization/policyAssignments", "properties": properties}),
    ]
}

fn assign(cloud: &LocalCloud, more: &Value) {
    for (index, [kind, start, field, denied, ..]) in denials().into_iter().enumerate() {
        let field = if field.starts_with('/') { format!("{kind}{field}") } else { field.to_owned() };
        let mut condition = json!({"field": field});
        let denied: Map<String, Value> = serde_json::from_str(denied).unwrap();
        condition.as_object_mut().unwrap().extend(denied);
        let parts = [
            json!({"field": "type", "equals": kind}),
            json!({"field": "name", "like": format!("{start}*")}),
            condition,
        ];
        let rule = json!({"if": {"allOf": parts}, "then": {"effect": "deny"}});
        cloud.import(&policy(&format!("p{index:02}"), "All", rule, more.clone())).unwrap();
    }
}

fn request(cloud: &LocalCloud, members: Value) -> Value {
    let context = json!({"cloud": cloud.endpoint(), "checkPolicies": true});
    with(json!({"settingsFiles": [folder()], "context": context, "environment": {}}), members)
}

/// The line, from 1, of the last of these texts, each looked for after the one before.
fn line(file: &str, texts: &str) -> usize {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let mut lines = text.lines().enumerate();
    let mut find =
        |part: &str| lines.find(|(_, line)| line.contains(part)).unwrap_or_else(|| panic!("{file}: {part}")).0 + 1;
    texts.split(" > ").map(&mut find).last().unwrap()
}

fn only_error(outcome: &Outcome) -> &ErrorReport {
    let [error] = outcome.errors()[..] else { panic!("{:#?}", outcome.errors()) };
    error
}

#[test]
fn twenty_policies_are_twenty_findings_in_one_plan_and_the_run_succeeds_without_them() {
    let cloud = landing_zone();
    assign(&cloud, &json!({"nonComplianceMessages": [{"message": "See the wiki."}]}));
    let before = cloud.ids();
    for what_if in [true, false] {
        let outcome = run_deployment(&request(&cloud, json!({"whatIf": what_if})));
        let error = only_error(&outcome);
        assert_eq!(
            (error.failure.code.as_str(), error.terminating, error.findings.len()),
            ("PolicyDenied", true, 20),
            "{error:#?}"
        );
        for (index, [_, start, _, _, file, texts]) in denials().into_iter().enumerate() {
            let assigned = format!("(assigned as 'Corp p{index:02}')");
            let found = error
                .findings
                .iter()
                .find(|finding| finding.message.contains(&assigned))
                .unwrap_or_else(|| panic!("{assigned}: {error:#?}"));
            assert!(found.file.as_ref().unwrap().replace('\\', "/").ends_with(file), "{found:?}");
            assert_eq!(found.line, Some(line(file, texts)), "{found:?}");
            assert!(found.message.contains(&format!("'{start}")) || found.message.contains('/'), "{found:?}");
            assert!(found.message.contains(&format!("is denied by the policy 'Rule p{index:02}'")), "{found:?}");
            assert!(found.message.ends_with("; it says: See the wiki"), "{found:?}");
        }
    }
    assert_eq!(cloud.ids(), before, "nothing was changed");
    assign(&cloud, &json!({"enforcementMode": "DoNotEnforce"}));
    let outcome = run_deployment(&request(&cloud, json!({})));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
}

#[test]
fn what_policies_add_is_shown_as_theirs_and_is_no_difference_afterwards() {
    let cloud = landing_zone();
    let rule = json!({"if": {"field": "tags['department']", "exists": false}, "then": {"effect": "modify", "details": {
        "operations": [{"operation": "add", "field": "tags['department']", "value": "sales"}]}}});
    cloud.import(&policy("department", "Indexed", rule, json!({}))).unwrap();
    let rule = json!({"if": {"field": "type", "equals": "Microsoft.Web/sites"}, "then": {"effect": "append", "details": [
        {"field": "Microsoft.Web/sites/clientAffinityProxyEnabled", "value": true}]}});
    cloud.import(&policy("affinity", "All", rule, json!({}))).unwrap();
    // The value is known only when application insights is there.
    let field = "Microsoft.Web/sites/config/APPLICATIONINSIGHTS_CONNECTION_STRING";
    let parts = json!([{"field": "type", "equals": "Microsoft.Web/sites/config"}, {"field": field, "exists": false}]);
    let rule = json!({"if": {"allOf": parts}, "then": {"effect": "deny"}});
    cloud.import(&policy("insights", "All", rule, json!({}))).unwrap();
    let outcome = run_deployment(&request(&cloud, json!({})));
    assert!(outcome.errors().is_empty(), "{:#?}", outcome.errors());
    let may = |line: &&&str| line.contains("may be denied by the policy 'Rule insights'");
    assert_eq!(outcome.verbose().iter().filter(may).count(), 3, "{:#?}", outcome.verbose());
    let by_policy = |path: &str| {
        let of = |change: &&PropertyChange| change.by_policy && change.path == path;
        outcome.plan().iter().flat_map(|action| &action.changes).filter(of).cloned().collect::<Vec<_>>()
    };
    let tags = by_policy("tags.department");
    let policy = "policy 'Corp department'";
    assert!(
        tags.len() > 20
            && tags.iter().all(|change| change.origin.as_deref() == Some(policy)
                && change.after.as_ref().map(ToString::to_string).as_deref() == Some("\"sales\""))
    );
    assert_eq!(by_policy("properties.clientAffinityProxyEnabled").len(), 3);
    for check in [true, false] {
        let again = run_deployment(&request(&cloud, json!({"context": {"checkPolicies": check}})));
        assert!(again.plan().is_empty() && again.kept().is_empty(), "{:#?} {:#?}", again.descriptions(), again.kept());
    }
    let asked = cloud.requests().into_iter().filter(|request| request.url.contains(QUESTION)).count();
    assert_eq!(asked, outcome.plan().len(), "one question for each change, and none where nothing changes");
}
