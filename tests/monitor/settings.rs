//! The mistakes in settings of core monitoring, which are found before anything is contacted.

use crate::monitor::core_monitor::{core, document};
use crate::support::estate::*;
use crate::support::*;

/// The findings of a document, each as its path and message.
fn findings(text: &str) -> Vec<String> {
    let cloud = landing_zone();
    let before = cloud.requests().len();
    let outcome = Deployment::new(CORE_MONITOR, text).deploy(&cloud);
    assert_eq!(cloud.requests().len(), before, "nothing is contacted");
    outcome.last_error().findings.iter().map(|finding| format!("{}: {}", finding.path, finding.message)).collect()
}

#[test]
fn publish_names_are_mandatory_unless_something_existing_is_named() {
    let text = document("").replace("storage: core-logs, workspace: core-workspace, appInsights: core-insights,", "");
    assert_eq!(
        findings(&text),
        [
            "service.publish.storage: required, unless service.dependencies.storage names an existing storage account",
            "service.publish.workspace: required, unless service.dependencies.workspace names an existing Log Analytics workspace",
            "service.publish.appInsights: required, unless service.dependencies.appInsights names an existing application insights",
        ]
    );
    let text = document("").replace("keyvault: central-vault", "keyvault: ''");
    assert_eq!(findings(&text), ["service.dependencies.keyvault: required, but not set"]);
}

#[test]
fn alerts_name_action_groups_of_the_document() {
    let text =
        document("").replace("keyvaultAdmin: {actionGroupName: Security}", "keyvaultAdmin: {actionGroupName: Securty}");
    assert_eq!(
        findings(&text),
        [
            "alerts.keyvaultAdmin.actionGroupName: no action group of actionGroups has the name 'Securty', did you mean 'Security'?"
        ]
    );
    let text =
        document("").replace("resourceHealth: {actionGroupName: Security", "resourceHealth: {actionGroupName: Nobody");
    assert_eq!(
        findings(&text),
        [
            "alerts.resourceHealth.actionGroupName: no action group of actionGroups has the name 'Nobody'; known names are Security"
        ]
    );
    let text = document("");
    let (text, _) = text.split_once("actionGroups:").unwrap();
    let found = findings(text);
    assert_eq!(found.len(), 3);
    assert_eq!(
        found[0],
        "alerts.keyvaultAdmin.actionGroupName: no action group has the name 'Security', because actionGroups is empty; add it there"
    );
}

#[test]
fn numbers_and_locations_are_those_that_azure_has() {
    let text = document("")
        .replace("location: UK South", "location: UK Sout\nworkspaceDataRetentionInDays: 29")
        .replace("Percentage: 10", "Percentage: 7");
    assert_eq!(
        findings(&text),
        [
            "location: 'UK Sout' is not an Azure location, did you mean UK South (uksouth)?",
            "workspaceDataRetentionInDays: 29 is out of range; use 30 to 730",
            "advisorLowCPUThresholdPercentage: 7 is not valid; use 0, 5, 10, 15 or 20",
        ]
    );
    let text = document("").replace("location: UK South", "location: UK Sout").replace(
        "serviceHealth: {actionGroupName: security}",
        "serviceHealth: {actionGroupName: security, impactedLocations: [Global, Atlantis]}",
    );
    assert_eq!(
        findings(&text),
        [
            "location: 'UK Sout' is not an Azure location, did you mean UK South (uksouth)?",
            "alerts.serviceHealth.impactedLocations[1]: 'Atlantis' is not an Azure location",
        ]
    );
}

#[test]
fn action_groups_have_the_limits_of_azure() {
    let emails = |count: usize| vec!["{emailAddress: a@example.com}"; count].join(", ");
    let phones = |count: usize| vec!["{countryCode: 44, phoneNumber: 1234}"; count].join(", ");
    let text = document(&format!("sms: [{}]\nvoice: [{}]\nemails: [{}]", phones(11), phones(10), emails(1001)))
        .replace("shortname: security", "shortname: security-team");
    assert_eq!(
        findings(&text),
        [
            "actionGroups[0].shortname: short names can have at most 12 characters; this one has 13",
            "actionGroups[0].sms: 11 receivers are too many; an action group takes at most 10 of them",
            "actionGroups[0].emails: 1001 receivers are too many; an action group takes at most 1000 of them",
        ]
    );
    let text = document(
        "emails: [{emailAddress: nobody}]\nitsm: [{workspaceId: w, connectionId: c, ticketConfiguration: x, region: UK Sout}]",
    );
    assert_eq!(
        findings(&text),
        [
            "actionGroups[0].emails[0].emailAddress: expected an email address of at most 64 characters",
            "actionGroups[0].itsm[0].ticketConfiguration: expected a JSON object as text",
            "actionGroups[0].itsm[0].region: not valid, did you mean 'uksouth'? Use australiasoutheast, canadacentral, centralindia, eastus, japaneast, \
             southeastasia, uksouth, westcentralus or westeurope",
        ]
    );
}

#[test]
fn receivers_that_would_share_a_name_are_refused() {
    let name = "A-Name-That-Leaves-No-Room-For-What-Tells-Receivers-From-Each-Other";
    let text = document("emails: [{emailAddress: a@example.com}, {emailAddress: b@example.com}]")
        .replace("name: Security", &format!("name: {name}"))
        .replace("actionGroupName: Security", &format!("actionGroupName: {name}"))
        .replace("actionGroupName: security", &format!("actionGroupName: {name}"));
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("actionGroups[0].emails[1]: its generated name 'agrprec-a-name-"), "{found:#?}");
    assert!(found[0].ends_with("; give the group a shorter name"), "{found:#?}");
    // The same group twice is the same name twice.
    let found = findings(&format!("{}  - name: SECURITY\n    shortname: other\n", document("")));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("duplicate action group"), "{found:#?}");
}

#[test]
fn what_is_accepted_without_effect_is_told() {
    let text = document("").replace("resourceGroup: core,", "resourceGroup: core, workbook: usage,");
    let deployment = Deployment::new(CORE_MONITOR, &format!("storageDataRetentionInDays: 30\n{text}"));
    let cloud = landing_zone();
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 18");
    for (path, reason) in [
        ("storageDataRetentionInDays", "was retired in September 2025"),
        ("service.publish.workbook", "no workbook is deployed"),
    ] {
        let is_it = |warning: &&str| warning.contains(&format!(": {path}: ")) && warning.contains(reason);
        assert!(outcome.warnings().iter().any(is_it), "{path}: {:#?}", outcome.warnings());
    }
    assert!(!shown(&cloud.requests()).iter().any(|request| request.contains("/workbooks/")));
    // A threshold of 0 is one of documents of the replaced module.
    let outcome = core("").rehearse(&cloud);
    assert!(!outcome.warnings().iter().any(|warning| warning.contains("threshold")));
    deployment.rewrite(&document("").replace("Percentage: 10", "Percentage: '0'"));
    let outcome = deployment.rehearse(&cloud);
    assert_eq!(planned(&outcome, "default")["properties.lowCpuThreshold"], "\"5\"");
    let warning = "settings.yml:4:35: advisorLowCPUThresholdPercentage: Azure Advisor does not support a threshold of 0 percent; 5 is used";
    assert!(outcome.warnings().contains(&warning), "{:#?}", outcome.warnings());
}
