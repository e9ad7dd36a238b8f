//! Action groups of core monitoring: every kind of receiver, and the addresses that nobody may see.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::monitor::core_monitor::{ACTION_GROUP, EVERYTHING, core, document, in_group};
use crate::support::estate::*;
use crate::support::*;

const APP: &str =
    "/subscriptions/10ca1c10-0d00-4000-8000-000000000001/resourceGroups/g/providers/Microsoft.Web/sites/f";

/// The action group of the document as it is in the local cloud.
fn action_group(cloud: &LocalCloud) -> Value {
    resource(cloud, &in_group(ACTION_GROUP))["properties"].clone()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn every_kind_of_receiver_becomes_what_azure_has_for_it() {
    let id = json!("10ca1c10-0d00-4000-8000-0000000000aa");
    let guid = id.as_str().unwrap();
    let common = |mut receiver: Value| {
        receiver["useCommonAlertSchema"] = json!(true);
        receiver
    };
    // Names, as in `SecurityarmRoles-0`, are those that the replaced module gave.
    let cases = [
        (
            format!("armRoles: [{{roleId: {guid}}}]"),
            "armRoleReceivers",
            common(json!({"name": "agrprec-securityarmroles-0-dev-gbl-89b3874f", "roleId": guid})),
        ),
        (
            "emails: [{emailAddress: a@example.com}]".to_owned(),
            "emailReceivers",
            common(json!({"name": "agrprec-securityemails-0-dev-gbl-4c33e80f", "emailAddress": "a@example.com"})),
        ),
        (
            format!("functions: [{{functionAppResourceId: {APP}, functionName: f, httpTriggerUrl: 'https://x/f'}}]"),
            "azureFunctionReceivers",
            common(json!({"functionAppResourceId": APP, "functionName": "f", "httpTriggerUrl": "https://x/f"})),
        ),
        (
            format!(
                "itsm: [{{workspaceId: w, connectionId: c, ticketConfiguration: '{{}}', location: {}}}]",
                "West Europe"
            ),
            "itsmReceivers",
            json!({"workspaceId": "w", "connectionId": "c", "ticketConfiguration": "{}", "region": "westeurope"}),
        ),
        (
            format!("logicApps: [{{resourceId: {APP}, callbackUrl: 'https://x/l'}}]"),
            "logicAppReceivers",
            common(json!({"resourceId": APP, "callbackUrl": "https://x/l"})),
        ),
        (
            "notifications: [{emailAddress: n@example.com}]".to_owned(),
            "azureAppPushReceivers",
            json!({"emailAddress": "n@example.com"}),
        ),
        (
            format!(
                "runbooks: [{{automationAccountId: {APP}, runbookName: r, webhookResourceId: {APP}, isGlobalRunbook: 'false', serviceUri: 'https://x/r'}}]"
            ),
            "automationRunbookReceivers",
            common(
                json!({"automationAccountId": APP, "runbookName": "r", "webhookResourceId": APP, "isGlobalRunbook": false,
                "serviceUri": "https://x/r"}),
            ),
        ),
        (
            "sms: [{countryCode: 44, phoneNumber: '02079460000'}]".to_owned(),
            "smsReceivers",
            json!({"countryCode": "44", "phoneNumber": "02079460000"}),
        ),
        (
            "voice: [{countryCode: '1', phoneNumber: 425 555 0100}]".to_owned(),
            "voiceReceivers",
            json!({"countryCode": "1", "phoneNumber": "425 555 0100"}),
        ),
        (
            format!(
                "webhooks: [{{serviceUri: 'https://x/w', useAadAuth: true, objectId: {guid}, identifierUri: 'api://x', tenantId: {guid}}}]"
            ),
            "webhookReceivers",
            common(
                json!({"serviceUri": "https://x/w", "useAadAuth": true, "objectId": guid, "identifierUri": "api://x",
                "tenantId": guid}),
            ),
        ),
    ];
    let (cloud, deployment) = (landing_zone(), core(""));
    for (lines, list, expected) in cases {
        deployment.rewrite(&document(&lines));
        let outcome = deployment.deploy(&cloud);
        assert!(outcome.errors().is_empty(), "{lines}: {:#?}", outcome.errors());
        let group = action_group(&cloud);
        let [receiver] = &group[list].as_array().unwrap()[..] else { panic!("not one in {list}: {group:#}") };
        for (member, value) in expected.as_object().unwrap() {
            assert_eq!(&receiver[member], value, "{list} {member}");
        }
        let start = "agrprec-security";
        assert!(receiver["name"].as_str().unwrap().starts_with(start), "{receiver}");
        assert_eq!(receiver.get("useCommonAlertSchema"), expected.get("useCommonAlertSchema"), "{list}");
        // Those of the document before are gone: it does not have them any more.
        let all: usize = group.as_object().unwrap().values().filter_map(Value::as_array).map(Vec::len).sum();
        assert_eq!(all, 1, "{group:#}");
        assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18", "{lines}");
    }
}

#[test]
fn what_the_settings_do_not_say_of_an_action_group_stays() {
    let (cloud, deployment) = (landing_zone(), core("emails: [{emailAddress: a@example.com}]"));
    deployment.deploy(&cloud);
    let hub = json!([{"name": "hub", "eventHubNameSpace": "n", "eventHubName": "h", "subscriptionId": svc_local_cloud::LOCAL_SUBSCRIPTION_ID}]);
    tamper(&cloud, &in_group(ACTION_GROUP), |body| {
        body["properties"]["enabled"] = json!(false);
        body["properties"]["eventHubReceivers"] = hub.clone();
    });
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
    deployment.rewrite(&document("emails: [{emailAddress: b@example.com}]"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 17", "{:#?}", outcome.errors());
    let group = action_group(&cloud);
    assert_eq!((&group["enabled"], &group["eventHubReceivers"][0]["name"]), (&json!(false), &json!("hub")));
    assert_eq!(group["emailReceivers"][0]["emailAddress"], "b@example.com");
}

#[test]
fn action_groups_are_published_by_their_own_name_or_that_of_the_document() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment.deploy(&cloud);
    let tags = || resource(&cloud, &in_group(ACTION_GROUP))["tags"].clone();
    assert_eq!(tags(), json!({"svc-service": "core-team"}));
    deployment.rewrite(&document("service: {publish: {actionGroup: guards}}"));
    deployment.deploy(&cloud);
    assert_eq!(tags(), json!({"svc-service": "guards"}));
}

#[test]
fn what_is_taken_out_of_a_receiver_is_gone() {
    let guid = "10ca1c10-0d00-4000-8000-0000000000aa";
    let lines = |more: [&str; 2]| {
        format!(
            "webhooks: [{{serviceUri: 'https://x/w'{}}}]\nrunbooks: [{{automationAccountId: {APP}, runbookName: r, webhookResourceId: {APP}, isGlobalRunbook: false{}}}]",
            more[0], more[1]
        )
    };
    let directory = format!(", useAadAuth: true, objectId: {guid}, identifierUri: 'api://x', tenantId: {guid}");
    let (cloud, deployment) = (landing_zone(), core(&lines([&directory, ", serviceUri: 'https://x/r'"])));
    assert_eq!(deployment.deploy(&cloud).summary(), EVERYTHING);
    deployment.rewrite(&document(&lines(["", ""])));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "modified 1, unchanged 17", "{:#?}", outcome.errors());
    let group = action_group(&cloud);
    let (webhook, runbook) = (&group["webhookReceivers"][0], &group["automationRunbookReceivers"][0]);
    assert_eq!((&webhook["serviceUri"], &webhook["useAadAuth"]), (&json!("https://x/w"), &json!(false)));
    for member in ["objectId", "identifierUri", "tenantId"] {
        assert_eq!(webhook.get(member), None, "{webhook}");
    }
    assert_eq!(runbook.get("serviceUri"), None, "{runbook}");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
}

#[test]
fn targets_that_are_no_resource_ids_are_sent_with_a_warning() {
    let (cloud, deployment) =
        (landing_zone(), core("logicApps: [{resourceId: our-logic-app, callbackUrl: 'https://x/l'}]"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), EVERYTHING, "{:#?}", outcome.errors());
    let warning = "settings.yml:16:30: actionGroups[0].logicApps[0].resourceId: expected a resource id that begins with \
        /subscriptions/; it is sent as it is written";
    assert!(outcome.warnings().contains(&warning), "{:#?}", outcome.warnings());
    assert_eq!(action_group(&cloud)["logicAppReceivers"][0]["resourceId"], "our-logic-app");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 18");
}

#[test]
fn a_group_that_was_renamed_and_is_still_published_is_told() {
    let (cloud, deployment) = (landing_zone(), core(""));
    deployment.deploy(&cloud);
    let renamed = document("").replace("name: Security", "name: Watch").replace("Name: Security", "Name: Watch");
    deployment.rewrite(&renamed.replace("Name: security", "Name: watch"));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.counts().created, 1, "{:#?}", outcome.descriptions());
    let old = in_subscription(&in_group(ACTION_GROUP)).replace("Microsoft.Insights", "microsoft.insights");
    let (_, old_name) = old.rsplit_once('/').unwrap();
    let warnings = outcome.warnings();
    let beside = format!("would be created beside '{old}', with the same publish name 'core-team'.");
    let told = warnings.iter().find(|warning| warning.contains(&beside)).unwrap_or_else(|| panic!("{warnings:#?}"));
    assert!(
        told.starts_with("settings.yml:6:148: service.publish.actionGroup: the action group 'agrp-watch-"),
        "{told}"
    );
    for way_out in [format!("let a naming file in _names make '{old_name}'"), "delete it first".to_owned()] {
        assert!(told.contains(&way_out), "{told}");
    }
    // Once both are there, it is only said that there are two.
    let again = deployment.deploy(&cloud);
    let two = format!("the publish name 'core-team' is already used by the action group '{old}'");
    assert!(again.warnings().iter().any(|warning| warning.contains(&two)), "{:#?}", again.warnings());
}

/// Lines with every address that is a secret, each with a word of its own before `-{suffix}`.
fn secret_lines(suffix: &str) -> String {
    format!(
        "\
functions: [{{functionAppResourceId: {APP}, functionName: f, httpTriggerUrl: 'https://x.net/f?code=functionword-{suffix}'}}]
logicApps: [{{resourceId: {APP}, callbackUrl: 'https://x.net/l?sig=logicword-{suffix}'}}]
runbooks: [{{automationAccountId: {APP}, runbookName: r, webhookResourceId: {APP}, isGlobalRunbook: false, serviceUri: 'https://x.net/r?token=runbookword-{suffix}'}}]
webhooks: [{{serviceUri: 'https://x.net/w/webhookword-{suffix}'}}, {{serviceUri: \"https://x.net/w?q=%22&quoted=\\\"secondword-{suffix}\"}}]
"
    )
}

const WORDS: &[&str] = &["functionword", "logicword", "runbookword", "webhookword", "secondword"];

/// Nothing that was said has a secret in it.
fn assert_silent(said: &str, what: &str) {
    for word in WORDS {
        assert!(!said.contains(word), "{what} tells {word}: {said}");
    }
}

fn everything_said(outcome: &Outcome) -> String {
    outcome.messages.iter().map(|message| serde_json::to_string(message).unwrap()).collect::<Vec<String>>().join("\n")
}

#[test]
fn addresses_of_receivers_are_in_no_message() {
    let (cloud, deployment) = (landing_zone(), core(&secret_lines("one")));
    let planned = deployment.rehearse(&cloud);
    assert_silent(&everything_said(&planned), "the plan");
    let shown: Vec<String> = planned
        .action("agrp-security-dev-gbl-fed73849")
        .changes
        .iter()
        .filter(|change| change.path.ends_with("Receivers"))
        .map(|change| change.after.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(shown.len(), 4);
    assert!(shown.iter().all(|text| text.contains("\"https://x.net/***\"")), "{shown:#?}");
    let created = deployment.deploy(&cloud);
    assert_eq!(created.summary(), "created 18");
    assert_silent(&everything_said(&created), "the first run");
    let unchanged = deployment.deploy(&cloud);
    assert_eq!(unchanged.summary(), "unchanged 18");
    assert_silent(&everything_said(&unchanged), "the second run");
    // Other addresses: neither the old nor the new ones.
    deployment.rewrite(&document(&secret_lines("two")));
    let modified = deployment.deploy(&cloud);
    assert_eq!(modified.summary(), "modified 1, unchanged 17");
    assert!(
        modified.plan()[0]
            .changes
            .iter()
            .any(|change| change.after.as_ref().map(ToString::to_string).as_deref() == Some("\"https://x.net/***\""))
    );
    assert_silent(&everything_said(&modified), "a modification");
    deployment.rewrite(&document(""));
    let removed = deployment.deploy(&cloud);
    assert_eq!(removed.summary(), "modified 1, unchanged 17");
    assert_silent(&everything_said(&removed), "a removal");
}

#[test]
fn addresses_of_receivers_are_in_no_plan_on_file() {
    let (cloud, deployment) = (landing_zone(), core(&secret_lines("one")));
    let folder = tempfile::tempdir().unwrap();
    let look = |what: &str| {
        deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"planReport": folder.path()}}));
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 3, "{files:?}");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            assert_silent(&text, &format!("{what} in {}", file.display()));
            assert!(text.contains("***"), "{what} in {}", file.display());
        }
    };
    look("what is created");
    deployment.deploy(&cloud);
    deployment.rewrite(&document(&secret_lines("two")));
    look("what is changed");
}

#[test]
fn an_answer_of_azure_that_repeats_an_address_is_shown_without_it() {
    let (cloud, deployment) = (landing_zone(), core(&secret_lines("one")));
    let body = r#"body={"error":{"code":"Bad","message":"https://x.net/w/webhookword-one and https://x.net/l?sig=logicword-one"}}"#;
    cloud.misbehave(fault(&format!("status=400,method=PUT,path=/actionGroups/,times=1,{body}")));
    let failed = deployment.deploy(&cloud);
    let [error] = failed.errors()[..] else { panic!("not one error: {failed:#?}") };
    assert!(error.failure.message.contains("*** and ***"), "{}", error.failure.message);
    assert_silent(&everything_said(&failed), "a failure");
}

#[test]
fn findings_quote_no_address() {
    // Without a scheme, in the wrong place, in the wrong shape: whatever is wrong with it, it may be a secret.
    let lines = "\
functions: [{functionAppResourceId: 'https://x.net/functionword', functionName: f, httpTriggerUrl: x.net/functionword}]
logicApps: ['https://x.net/logicword']
runbooks: {serviceUri: 'https://x.net/runbookword'}
webhooks:
  - serviceUri: ftp://x.net/webhookword
    useAadAuth: https://x.net/secondword
  - serviceUri: [https://x.net/secondword]
  - serviceUri: https://x.net/secondword
    objectId: https://x.net/secondword
    tenantId: https://x.net/secondword
  - serviceUri:https://x.net/secondword
  - {serviceUri:https://x.net/secondword}
";
    let cloud = landing_zone();
    let shapes = core(lines).deploy(&cloud);
    assert_eq!(shapes.failed_with().0, "SettingsInvalid");
    assert_silent(&everything_said(&shapes), "a finding about a shape");
    let values = "\
functions: [{functionAppResourceId: 'https://x.net/functionword', functionName: f, httpTriggerUrl: x.net/functionword}]
logicApps: [{resourceId: 'https://x.net/logicword', callbackUrl: 'x.net/logicword'}]
runbooks: [{automationAccountId: x, runbookName: r, webhookResourceId: x, isGlobalRunbook: true, serviceUri: runbookword}]
itsm: [{workspaceId: w, connectionId: c, ticketConfiguration: 'https://x.net/secondword', region: 'https://x.net/secondword'}]
webhooks:
  - serviceUri: ftp://x.net/webhookword
    objectId: https://x.net/secondword
    tenantId: https://x.net/secondword
";
    let refused = core(values).deploy(&cloud);
    assert_silent(&everything_said(&refused), "a finding about a value");
    let findings = &refused.last_error().findings;
    assert_eq!(findings.len(), 8, "{findings:#?}");
    let of = |path: &str| findings.iter().find(|finding| finding.path == path).unwrap().message.clone();
    assert_eq!(of("actionGroups[0].webhooks[0].serviceUri"), "expected a URL that begins with https:// or http://");
}
