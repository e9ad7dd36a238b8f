//! All findings about a document: those about its shape and those about its meaning are told together, and a wrong value hides
//! only what depends on it.

use serde_json::{Value, json};

use crate::support::estate::*;
use crate::support::*;

/// The findings about a document, without its first line. Nothing may have been contacted.
fn findings(command: &'static str, text: &str) -> Vec<String> {
    let cloud = cloud();
    let outcome = Deployment::new(command, text).deploy(&cloud);
    assert!(cloud.requests().is_empty(), "nothing is contacted");
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid", "{message}");
    message.lines().skip(1).map(str::to_owned).collect()
}

fn of_storage(accounts: &str) -> Vec<String> {
    findings(STORAGE, &format!("location: UK South\nresourceGroupName: Shop\nstorageAccounts:\n{accounts}"))
}

#[test]
fn shape_and_meaning_are_one_list() {
    let account =
        "  - accountType: Premium\n    replication: GRS\n    blobContainer: [{name: a--b}]\n    unknownKey: 1\n";
    assert_eq!(
        of_storage(account),
        [
            "[1] 4:5 storageAccounts[0].storageAccountName: required, but not set",
            "[2] 5:18 storageAccounts[0].replication: Premium accounts do not support GRS; use LRS or ZRS",
            "[3] 6:28 storageAccounts[0].blobContainer[0].name: blob container names must begin and end with a letter or digit and have no two hyphens in a row; found 'a--b'",
            "[4] 7:5 storageAccounts[0].unknownKey: unknown key; known keys are storageAccountName, location, accountType, kind, replication, blobContainer, fileShare, table, queue, minimumTlsVersion, supportsHttpsTrafficOnly, allowBlobPublicAccess, networkAclsBypass, networkAclsDefaultAction, service, privateEndpoints",
        ]
    );
}

#[test]
fn a_wrong_value_hides_what_depends_on_it_and_nothing_else() {
    // Whether shares and queues are possible depends on the kind and the tier; the other account has nothing to do with it.
    let accounts = "  - {storageAccountName: a, accountType: Premium, kind: FileStroage, fileShare: [{name: data}]}\n  \
        - {storageAccountName: b, accountType: Gold, queue: [orders], fileShare: [{name: x}]}\n  \
        - {storageAccountName: c, accountType: Premium, queue: [orders]}\n";
    let found = of_storage(accounts);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found[0].starts_with("[1] 4:57 storageAccounts[0].kind: 'FileStroage' is not valid"), "{found:#?}");
    assert!(found[1].starts_with("[2] 5:42 storageAccounts[1].accountType: 'Gold' is not valid"), "{found:#?}");
    assert!(found[2].contains("storageAccounts[1].fileShare[0].name: file share names must have 3"), "{found:#?}");
    assert_eq!(found[3], "[4] 6:59 storageAccounts[2].queue[0]: Premium accounts do not support queues");
    // A misspelled key was meant to be there.
    let text = "location: UK South\nresourceGroupNmae: Shop\nstorageAccounts:\n  - {storageAccountName: a, accountType: Premium, queue: [orders]}\n";
    let found = findings(STORAGE, text);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[0], "[1] 2:1 resourceGroupNmae: unknown key, did you mean 'resourceGroupName'?");
    // Without a location nothing is said of one, and of names only what does not depend on it.
    let text =
        "resourceGroupName: Shop\nstorageAccounts:\n  - {storageAccountName: a, accountType: Premium, table: [1st]}\n";
    let found = findings(STORAGE, text);
    assert_eq!(found[0], "[1] 1:1 location: required, but not set");
    assert_eq!(found.len(), 3, "{found:#?}");
    // A group that is not named has no part in it.
    let text = "location: UK South\nstorageAccounts: [{storageAccountName: a, accountType: Premium, table: [first]}]\n";
    assert_eq!(findings(STORAGE, text).len(), 2);
}

#[test]
fn what_stands_in_for_something_is_never_told() {
    for text in ["{}", "just text", "storageAccounts: 7\n", "storageAccounts: [1, {}, {accountType: []}]\nservice: 3\n"]
    {
        let found = findings(STORAGE, text);
        assert!(found.iter().all(|finding| !finding.contains("standin")), "{found:#?}");
        assert!(!found.is_empty());
    }
    // Two without a name are not two of one name.
    let found = of_storage("  - {accountType: Standard}\n  - {accountType: Standard}\n");
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn a_duplicate_key_hides_nothing_else() {
    let json = "{\"location\": \"UK South\", \"location\": \"UK West\",\n\"resourceGroupName\": \"Shop\",\n\
        \"storageAccounts\": [{\"storageAccountName\": \"a\", \"accountType\": \"Premium\", \"replication\": \"GRS\", \"other\": 1}]}";
    let deployment = Deployment::new(STORAGE, "");
    deployment.project.write("settings.json", json);
    let yaml = findings(STORAGE, json);
    let cloud = cloud();
    let request = deployment.project.request_for("settings.json", &cloud);
    let outcome = run(&request);
    let of_json: Vec<&str> = outcome.last_error().failure.message.lines().skip(1).collect();
    assert_eq!(of_json, yaml);
    assert_eq!(yaml.len(), 3, "{yaml:#?}");
    assert_eq!(yaml[0], "[1] 1:26 duplicate key 'location', first set in line 1");
    assert!(yaml[1].contains("replication: Premium accounts do not support GRS"), "{yaml:#?}");
    assert!(yaml[2].contains("other: unknown key"), "{yaml:#?}");
}

#[test]
fn a_document_with_fourteen_mistakes_has_fourteen_findings() {
    let text = "\
component: monitor
name: Platform
flavour: sweet
location: UK Suoth
advisorLowCPUThresholdPercentage: 12
workspaceDataRetentionInDays: 7
service:
  publish: {resourceGroup: core, solution: core-solutions, workspace: core-workspace, appInsights: core-insights,
    keyvaultAdminAlert: vault-alert, resourceHealthAlert: health-alert}
  dependencies: {keyvault: ''}
alerts:
  keyvaultAdmin: {actionGroupName: Securty}
  resourceHealth: {actionGroupName: Security, enabled: perhaps}
  serviceHealth: {actionGroupName: Security, impactedLocations: [UK South, Atlantis]}
actionGroups:
  - name: Security
    shortname: security
    emails: [{emailAddress: nobody}]
    sms: [{countryCode: '44', phoneNumber: none}]
    webhooks: [{serviceUri: hooks.example.net}]
    colour: red
";
    let found = findings(CORE_MONITOR, text);
    let places = [
        "3:1 flavour: unknown key",
        "4:11 location: 'UK Suoth'",
        "5:35 advisorLowCPUThresholdPercentage: 12",
        "6:31 workspaceDataRetentionInDays: 7",
        "8:12 service.publish.serviceHealthAlert: required",
        "8:12 service.publish.storage: required",
        "10:28 service.dependencies.keyvault: required",
        "12:36 alerts.keyvaultAdmin.actionGroupName: no action group of actionGroups has the name 'Securty'",
        "13:56 alerts.resourceHealth.enabled: expected true or false",
        "14:76 alerts.serviceHealth.impactedLocations[1]: 'Atlantis'",
        "18:29 actionGroups[0].emails[0].emailAddress: expected an email address",
        "19:44 actionGroups[0].sms[0].phoneNumber: expected a phone number",
        "20:29 actionGroups[0].webhooks[0].serviceUri: expected a URL",
        "21:5 actionGroups[0].colour: unknown key",
    ];
    for place in places {
        assert!(found.iter().any(|finding| finding.contains(&format!("] {place}"))), "{place}: {found:#?}");
    }
    assert_eq!((places.len(), found.len()), (14, 14), "{found:#?}");
}

/// A request of `storage.yml` for a cloud that nobody reaches.
fn request_for(project: &Project) -> Value {
    json!({"settingsFile": project.path("storage.yml"), "context": {"cloud": "http://127.0.0.1:9"}, "environment": {}})
}

#[test]
fn what_is_wrong_with_all_files_of_a_run_is_said_at_once() {
    let project = Project::with(&document("minimumTlsVersion: TLS9"));
    project.write("_names/resources.yml", "resources:\n  - name: StorageAccount\n    generator: theirs\n");
    project.write("_tags/globalTags.yml", "tags:\n  mandatory:\n    owner: ''\n");
    let request = request_for(&project);
    let outcome = run(&request);
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid");
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "3 problems in storage.yml, _names/resources.yml and _tags/globalTags.yml:");
    assert!(lines[1].starts_with("[1] storage.yml 6:24 storageAccounts[0].minimumTlsVersion: "), "{message}");
    assert!(lines[2].starts_with("[2] _names/resources.yml 3:16 resources[0].generator: 'theirs' is not"), "{message}");
    assert_eq!(lines[3], "[3] _tags/globalTags.yml 3:12 tags.mandatory.owner: the mandatory tag has no value");
    let files: Vec<_> = outcome.last_error().findings.iter().map(|finding| finding.file.clone().unwrap()).collect();
    let expected = ["storage.yml", "_names/resources.yml", "_tags/globalTags.yml"];
    assert_eq!(files, expected.map(|file| project.path(file).display().to_string()));
    // A document without values hides nothing of the others, and a wrong environment is none while the tokens are wrong.
    project.write("storage.yml", "location: [\n");
    project.write("_names/tokens.yml", "tokens:\n  organisation: [acme]\n");
    let outcome = run(&with(request.clone(), json!({"context": {"environment": "ours"}})));
    let (_, message) = outcome.failed_with();
    let first = "4 problems in storage.yml, _names/resources.yml, _names/tokens.yml and _tags/globalTags.yml:";
    assert_eq!(message.lines().next(), Some(first), "{message}");
}

#[test]
fn what_follows_from_a_wrong_file_of_the_project_is_not_told() {
    // Names that are made otherwise are no longer the same.
    let accounts = document_of(&[("Orders", "accountType: Standard"), ("Orders", "accountType: Standard")]);
    let project = Project::with(&accounts);
    project.write("_names/resources.yml", "resources:\n  - name: StorageAccount\n    generator: theirs\n");
    let outcome = run(&request_for(&project));
    assert!(
        outcome.last_error().failure.message.starts_with("resources.yml has 1 problem:"),
        "{:?}",
        outcome.last_error()
    );
}

#[test]
fn wrong_definitions_of_log_alerts_hide_only_the_alerts_that_use_one() {
    let text = "component: logAlerts\nlocation: UK South\nservice:\n  dependencies: {workspace: central-logs}\n  publish: {resourceGroup: logs}\n\
        groups:\n  - name: All\n    alertSets:\n      - type: Ours\n        name: Set\n        alerts:\n          - definition: Own\n          - severity: Grave\n";
    let deployment = Deployment::new(LOG_ALERTS, text);
    deployment.project.write("logAlertDefinitions.yml", "definitions:\n  - type: Ours\n    name: Own\n");
    let outcome = deployment.deploy(&cloud());
    let (code, message) = outcome.failed_with();
    assert_eq!(code, "SettingsInvalid", "{message}");
    assert!(message.contains(" problems in settings.yml and logAlertDefinitions.yml:\n"), "{message}");
    assert!(message.contains(" settings.yml 13:23 groups[0].alertSets[0].alerts[1].severity: "), "{message}");
    assert!(message.contains(" logAlertDefinitions.yml 2:5 definitions[0].query: required, but not set"), "{message}");
    assert!(!message.contains("has no log alert definition"), "{message}");
}
