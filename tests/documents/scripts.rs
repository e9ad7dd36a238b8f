//! The arguments that scripts and wrappers of the replaced module hand over.

use serde_json::{Value, json};
use svc_engine::run::registry;

use crate::support::estate::*;
use crate::support::*;

#[test]
fn an_empty_path_of_tag_settings_is_none() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let outcome = run(&with(project.request(&cloud), json!({"tagSettingsFile": ""})));
    assert_eq!(outcome.summary(), "created 2");
}

#[test]
fn the_component_may_have_its_building_block() {
    for component in ["storage", "STORAGE", "Iaas.Storage", "iaas.storage", "' storage '", "''"] {
        let text = format!("component: {component}\n{}", document(""));
        let outcome = Deployment::new(STORAGE, &text).rehearse(&cloud());
        assert_eq!((outcome.plan().len(), outcome.warnings().len()), (2, 0), "{component}: {outcome:#?}");
    }
    let text = format!("component: Paas.Storage\n{}", document(""));
    let outcome = Deployment::new(STORAGE, &text).rehearse(&cloud());
    assert_eq!(
        outcome.warnings(),
        ["settings.yml:1:12: component: 'Paas.Storage' is not a component; 'storage' is used"]
    );
    assert_eq!(outcome.plan().len(), 2);
}

#[test]
fn the_component_of_another_command_is_the_one_error() {
    for component in ["web", "Paas.Web", "paas.WEB"] {
        let text = format!("component: {component}\nwebSolutions: []\nunknown: 1\n");
        let cloud = cloud();
        let outcome = Deployment::new(STORAGE, &text).deploy(&cloud);
        assert_eq!(
            outcome.failed_with(),
            (
                "SettingsInvalid",
                format!(
                    "settings.yml has 1 problem:\n[1] 1:12 component: '{component}' is the component of New-SvcPaasWeb; use that command, or 'storage' for New-SvcIaasStorage"
                )
                .as_str()
            )
        );
        assert_eq!(outcome.last_error().findings[0].code.as_str(), "OtherCommand");
        assert!(cloud.requests().is_empty());
    }
}

#[test]
fn a_component_without_a_value_is_given_in_the_alert_documents() {
    let documents = [(LOG_ALERTS, "groups: []"), (METRIC_ALERTS, "groups: []"), (RESOURCE_HEALTH_ALERTS, "alerts: []")];
    for (command, rest) in documents {
        let service = "service: {publish: {resourceGroup: alerts}, dependencies: {workspace: central-logs}}\n";
        let service = if command == LOG_ALERTS { service } else { "service: {publish: {resourceGroup: alerts}}\n" };
        let text = |component: &str| format!("{component}location: UK South\n{service}{rest}\n");
        for component in ["component:\n", "component: ''\n", "component: null\n"] {
            let outcome = Deployment::new(command, &text(component)).rehearse(&landing_zone());
            assert!(outcome.errors().is_empty(), "{command} {component}: {outcome:#?}");
        }
        let outcome = Deployment::new(command, &text("")).rehearse(&landing_zone());
        assert_eq!(
            outcome.failed_with(),
            ("SettingsInvalid", "settings.yml has 1 problem:\n[1] 1:1 component: required, but not set")
        );
    }
}

#[test]
fn relative_paths_of_the_context_are_refused() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let of_context = registry::CONTEXT_MEMBERS.iter().filter(|member| member.kind.is_path());
    let of_context: Vec<(&str, Value)> =
        of_context.map(|member| (member.name, json!({"context": {member.name: "./here"}}))).collect();
    assert!(of_context.len() >= 2);
    let of_request =
        ["settingsFile", "tagSettingsFile", "baseDirectory"].map(|member| (member, json!({member: "./here"})));
    for (member, members) in of_context.into_iter().chain(of_request) {
        let outcome = run(&with(project.request(&cloud), members));
        let message =
            format!("'./here' must be an absolute path; the host must resolve {member} before it sends the request.");
        assert_eq!(outcome.failed_with(), ("PathNotAbsolute", message.as_str()));
    }
    let request =
        json!({"settings": {"location": "UK South"}, "baseDirectory": "here", "context": {"cloud": cloud.endpoint()}});
    assert_eq!(run(&request).failed_with().0, "PathNotAbsolute");
    let request = json!({"environment": {"SVC_PROJECT_ROOT": "here"}});
    assert_eq!(run(&with(project.request(&cloud), request)).failed_with().0, "PathNotAbsolute");
}

#[test]
fn everything_is_up_to_date_is_said_only_where_it_is() {
    let (project, cloud) = (Project::with(&document("")), cloud());
    let sentence = |outcome: &Outcome| {
        let result =
            outcome.messages.iter().find(|message| matches!(message, svc_engine::protocol::Message::Result(_)));
        let result = serde_json::to_value(result.unwrap()).unwrap();
        let sentence = result["sentence"].as_str().unwrap().rsplit_once(" (").unwrap().0;
        Some(sentence.to_owned()).filter(|sentence| sentence.starts_with("Everything"))
    };
    assert_eq!(sentence(&project.deploy(&cloud)), None);
    let again = project.deploy(&cloud);
    assert_eq!(sentence(&again), Some("Everything is up to date: 2 resources".to_owned()));
    assert_eq!(again.verbose().last(), Some(&"Everything is up to date: 2 resources."));
    // The kind of an account cannot be changed to this one.
    project.write("storage.yml", document("").replace("Standard", "Premium"));
    let kept = project.deploy(&cloud);
    assert!(kept.counts().kept > 0, "{kept:#?}");
    assert_eq!(sentence(&kept), None);
    assert!(!kept.verbose().iter().any(|line| line.contains("up to date: ")), "{kept:#?}");
}
