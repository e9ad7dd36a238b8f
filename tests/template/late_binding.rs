//! Ids of look-ups as parameters.

use serde_json::json;

use super::*;
use crate::support::examples::documents;

fn late(file: &str) -> Made {
    let all = documents();
    let example = all.iter().find(|example| example.file == file).unwrap();
    make_example(example, &zone_of(example), json!({"lateBinding": true}))
}

#[test]
fn the_ids_of_look_ups_are_parameters_with_what_was_found() {
    let made = late("bastion-hosts.yml");
    let parameter = |name: &str| made.report().parameters.iter().find(|known| known.name == name).cloned();
    let workspace = parameter("centralLogsLogAnalyticsWorkspaceId");
    assert!(workspace.is_some(), "{:?}", made.report().parameters);
    // Nothing of the landing zone is in the resources.
    let resources = made.template()["resources"].to_string();
    assert!(!resources.contains("log-landing-zone") && !resources.contains("vnet-hub/"), "{resources}");
}

#[test]
fn nothing_names_the_subscription_of_the_run() {
    for example in documents() {
        let made = make_example(&example, &zone_of(&example), json!({"lateBinding": true}));
        let mut ids = Vec::new();
        texts(&made.template()["resources"], &mut ids);
        // Queries and conditions have ids in their texts, and what the document names by its id is no look-up.
        let is_said = |text: &str| example.text().contains(text);
        let own: Vec<&&str> = ids.iter().filter(|text| text.starts_with("/subscriptions/") && !is_said(text)).collect();
        assert!(own.is_empty(), "{}: {own:?}", example.file);
    }
}
