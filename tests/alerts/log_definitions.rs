//! Definitions of log alerts: every built-in one in the local cloud, and files of a project.

use serde_json::{Value, json};

use crate::alerts::log_rules::{AZURE_ONLY, log_alerts};
use crate::support::estate::*;
use crate::support::*;

/// The built-in definitions as their file has them.
fn built_in() -> Vec<Value> {
    let text = std::fs::read_to_string(repository("src/commands/log_alerts/definitions.yml")).unwrap();
    let file: Value = serde_yaml::from_str(&text).unwrap();
    file["definitions"].as_array().unwrap().clone()
}

/// A document that uses every built-in definition, with these lines after each.
fn everything(more: impl Fn(&Value) -> String) -> String {
    let mut text = "component: logAlerts\nlocation: UK South\nservice:\n  dependencies: {workspace: central-logs}\n  publish: {resourceGroup: logs}\ngroups:\n  - name: All\n    alertSets:\n"
        .to_owned();
    // Generated names are cut at 64 characters, so these are short.
    for (index, definition) in built_in().iter().enumerate() {
        let name = definition["name"].as_str().unwrap();
        let kind = definition["type"].as_str().unwrap();
        text.push_str(&format!(
            "      - type: {kind}\n        name: Set{index}\n        alerts:\n          - definition: {name}\n{}",
            more(definition)
        ));
    }
    text
}

/// The queries of a plan, in the order of the document.
fn queries(outcome: &Outcome) -> Vec<String> {
    let rules = outcome.plan().iter().filter(|action| action.resource.resource_type.ends_with("scheduledQueryRules"));
    rules
        .map(|action| {
            let criteria: Value =
                serde_json::from_str(&planned(outcome, &action.resource.name)["properties.criteria.allOf"]).unwrap();
            criteria[0]["query"].as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn every_definition_deploys() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &everything(|_| String::new()));
    let rehearsed = queries(&deployment.rehearse(&cloud));
    assert_eq!(rehearsed.len(), 38);
    assert!(rehearsed.iter().all(|query| query.ends_with(AZURE_ONLY)));
    let outcome = deployment.deploy(&cloud);
    assert_eq!(outcome.summary(), "created 39");
    // Nothing fills the table of one of them any more.
    let warnings = outcome.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].ends_with("alerts[0].definition: nothing fills the table ProtectionStatus since the Log Analytics agent was retired on 31 August 2024, so the alert never fires; Microsoft Defender for Cloud reports machines whose antimalware is out of date"),
        "{warnings:?}"
    );
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 39");
}

#[test]
fn every_parameter_of_every_definition_can_be_another_value() {
    let cloud = landing_zone();
    let value = |name: &str| match name {
        "_timeWindow" => "17m".to_owned(),
        name if name.starts_with("_min") => format!("{}.25", name.len()),
        name => format!("{}.75", name.len()),
    };
    let parameters = |definition: &Value| {
        let names = definition["parameters"].as_object().into_iter().flatten();
        let pairs: Vec<String> = names.map(|(name, _)| format!("{name}: {}", value(name))).collect();
        format!(
            "            parameters: {{{}}}\n            exclusions: [maintenance]\n            monitorOnPrem: true\n",
            pairs.join(", ")
        )
    };
    let deployment = Deployment::new(LOG_ALERTS, &everything(parameters));
    let queries = queries(&deployment.rehearse(&cloud));
    for (definition, query) in built_in().iter().zip(&queries) {
        for (name, default) in definition["parameters"].as_object().into_iter().flatten() {
            assert!(query.contains(&value(name)), "{name}: {query}");
            assert!(!query.contains(name.as_str()), "{name} ({default}): {query}");
        }
        assert!(query.contains("Computer !in~ (\"vm-shop-2\")"), "{query}");
        assert!(!query.contains("isnotempty(_ResourceId)"), "{query}");
    }
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("created 39", 1));
}

/// A definition of a project, which uses everything that one may have.
const OWN: &str = "definitions:\n  - type: Queues\n    name: Too_Long\n    description: A queue is too long.\n    severity: Error\n    \
    schedule: {frequencyInMinutes: 5, timeWindowInMinutes: 15}\n    threshold: {operator: greaterThan, value: 2}\n    suppress: {enabled: true, mins: 30}\n    \
    parameters: {_length: 100}\n    columns: [Computer]\n    query: |\n      Queues_CL\n      | where Length > _length\n";

fn own_alert(members: &str) -> String {
    log_alerts(&[]).replace("type: VirtualMachines", "type: queues")
        + &format!("          - {{definition: too_long{members}}}\n")
}

#[test]
fn a_projects_own_definition_is_used_like_a_built_in_one() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &own_alert(", parameters: {_length: 7}, exclusions: [maintenance]"));
    deployment.project.write("logAlertDefinitions.yml", OWN);
    let outcome = deployment.deploy(&cloud);
    assert_eq!((outcome.summary().as_str(), outcome.warnings().len()), ("created 2", 0));
    let rules = writes(&cloud.requests());
    let body = rules.last().unwrap().body.clone().unwrap();
    let properties = &body["properties"];
    // It has no column for the ids of resources, so nothing is filtered by them.
    assert_eq!(
        properties["criteria"]["allOf"][0]["query"],
        "Queues_CL\n| where Length > 7\n| where Computer !in~ (\"vm-shop-2\") and tostring(split(Computer, \".\")[0]) !in~ (\"vm-shop-2\")"
    );
    assert_eq!((&properties["muteActionsDuration"], &properties["severity"]), (&json!("PT30M"), &json!(1)));
    assert_eq!(properties["skipQueryValidation"], false);
}

/// An export to a folder of the project names the definitions that count there. One that has taken the place of a built-in one is no
/// definition of rules that were made of that.
#[test]
fn an_export_names_the_definitions_of_the_project() {
    let cloud = landing_zone();
    let builtin =
        "      - type: VirtualMachines\n        alerts:\n          - {name: Silent, definition: VM_NonResponsive}\n";
    let text = own_alert(", parameters: {_length: 7}, exclusions: [maintenance]") + builtin;
    let deployment = Deployment::new(LOG_ALERTS, &text);
    deployment.project.write("logAlertDefinitions.yml", OWN);
    let deployed = deployment.deploy(&cloud);
    let group = deployed.resources().iter().find_map(|report| report.resource.resource_group.clone()).unwrap();
    let exported = |definitions: &str| {
        let project = Project::new();
        project.write("logAlertDefinitions.yml", definitions);
        let path = project.path("log-alerts.yml");
        let request = with(crate::export::request("logAlerts", &group, &cloud), json!({ "path": path }));
        let outcome = crate::export::export_with(&request);
        let plan =
            json!({"settingsFile": path, "whatIf": true, "context": {"cloud": cloud.endpoint()}, "environment": {}});
        let plan = follow(&start_command(LOG_ALERTS, &plan, UNHURRIED), |_| Vec::new());
        assert_eq!(plan.descriptions().is_empty(), outcome.differences().is_empty(), "{}", outcome.document());
        (outcome.document().to_owned(), outcome.differences().len())
    };
    let (text, differences) = exported(OWN);
    assert_eq!(differences, 0);
    for part in [
        "type: Queues\n",
        "definition: Too_Long\n",
        "'_length': 7\n",
        "- maintenance\n",
        "definition: VM_NonResponsive\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("query: "), "{text}");
    let replaced = OWN.replace("type: Queues", "type: VirtualMachines").replace("Too_Long", "VM_NonResponsive");
    let (text, _) = exported(&replaced);
    assert_eq!((text.matches("definition: ").count(), text.matches("query: ").count()), (1, 1), "{text}");
    assert!(text.contains("            query: |-\n              Heartbeat\n"), "{text}");
}

#[test]
fn definitions_are_found_beside_the_settings_above_them_and_in_the_project_root() {
    let cloud = landing_zone();
    let text = own_alert("");
    for (settings, definitions) in [
        ("a/b/settings.yml", "a/b/logAlertDefinitions.yaml"),
        ("a/b/settings.yml", "a/logAlertDefinitions.yml"),
        ("a/b/settings.yml", "logAlertDefinitions.json"),
    ] {
        let project = Project::new();
        project.write(settings, &text);
        let file: Value = serde_yaml::from_str(OWN).unwrap();
        project.write(definitions, if definitions.ends_with("json") { file.to_string() } else { OWN.to_owned() });
        let deployment = Deployment::new(LOG_ALERTS, "");
        let request = with(project.request_for(settings, &cloud), json!({"whatIf": true}));
        let outcome = follow(&deployment.start(&request), |_| Vec::new());
        assert_eq!(outcome.plan().len(), 2, "{definitions}: {outcome:?}");
    }
    let deployment = Deployment::new(LOG_ALERTS, &text);
    deployment.project.write("elsewhere/logAlertDefinitions.yml", OWN);
    let missing = deployment.rehearse(&cloud);
    assert!(
        missing.last_error().failure.message.contains("there are definitions for the types SQL, VirtualMachines"),
        "{missing:?}"
    );
    let root = deployment.project.path("elsewhere");
    let found = deployment.deploy_with(&cloud, json!({"whatIf": true, "context": {"projectRoot": root}}));
    assert_eq!(found.plan().len(), 2);
}

#[test]
fn a_file_of_definitions_that_is_wrong_is_told_with_every_place() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &own_alert(""));
    let wrong =
        OWN.replace("severity: Error", "severity: Bad").replace("timeWindowInMinutes: 15", "timeWindowInMinutes: 16");
    deployment.project.write("logAlertDefinitions.yml", wrong);
    assert_eq!(
        deployment.deploy(&cloud).failed_with(),
        (
            "SettingsInvalid",
            "logAlertDefinitions.yml has 2 problems:\n[1] 5:15 definitions[0].severity: 'Bad' is not valid; use Critical, Error, Warning, Informational or Verbose\n\
             [2] 6:60 definitions[0].schedule.timeWindowInMinutes: 16 is not valid; use 5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360, 1440 or 2880"
        )
    );
    deployment.project.write("logAlertDefinitions.yml", "definitions: [");
    assert_eq!(deployment.deploy(&cloud).last_error().failure.code.as_str(), "SettingsInvalid");
    assert!(cloud.requests().is_empty());
    // The other commands have no business with it.
    let health = "component: resourceHealthAlerts\nlocation: UK South\nservice: {publish: {resourceGroup: health}}\nalerts: [{name: One}]\n";
    let other = Deployment::new("New-SvcMonitorResourceHealthAlerts", health);
    other.project.write("logAlertDefinitions.yml", "definitions: [");
    assert_eq!(other.deploy(&cloud).summary(), "created 2");
}
