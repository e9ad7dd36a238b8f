//! The permissions that `docs/running-in-azure.md` lists for each command: an identity that has no others can deploy every
//! example.

use std::collections::{BTreeMap, BTreeSet};

use svc_engine::azure::ResourceId;

use crate::support::estate::{Deployment, landing_zone};
use crate::support::examples::examples;
use crate::support::*;

/// The actions of each command: the lines of the code block below the heading with its name.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(repository("docs/running-in-azure.md")).unwrap();
    let mut actions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (mut command, mut in_block) = (None, false);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            command = Some(heading.trim_start_matches('#').trim().trim_matches('`').to_owned());
        } else if line.starts_with("```") {
            in_block = !in_block;
        } else if let (true, Some(command)) = (in_block, &command)
            && line.starts_with("Microsoft.")
        {
            actions.entry(command.clone()).or_default().insert(line.trim().to_lowercase());
        }
    }
    actions
}

/// The action that a request needs, in lower case; none for a read, which `*/read` allows.
fn action(method: &str, url: &str) -> Option<String> {
    let path = url.split('?').next().unwrap_or_default();
    let kind = |id: &str| match ResourceId::new(id).resource_type().to_lowercase() {
        // The one type that has another name in permissions (Azure RBAC, "Microsoft.Resources").
        group if group == "microsoft.resources/resourcegroups" => {
            "microsoft.resources/subscriptions/resourcegroups".to_owned()
        }
        other => other,
    };
    match method {
        "GET" | "HEAD" => None,
        "PUT" | "PATCH" => Some(format!("{}/write", kind(path))),
        "DELETE" => Some(format!("{}/delete", kind(path))),
        _ => {
            let (id, name) = path.rsplit_once('/')?;
            // In permissions this question is a read (`Microsoft.Storage/checknameavailability/read`).
            if name == "checkNameAvailability" {
                return None;
            }
            Some(format!("{}/{}/action", kind(id), name.to_lowercase()))
        }
    }
}

#[test]
fn what_every_example_asks_for_is_documented() {
    let documented = documented();
    for example in examples() {
        let cloud = landing_zone();
        let outcome = Deployment::new(example.command, &example.text()).deploy(&cloud);
        assert_eq!(outcome.counts().failed, 0, "{example:?}");
        let asked: BTreeSet<String> =
            cloud.requests().iter().filter_map(|request| action(&request.method, &request.url)).collect();
        assert!(!asked.is_empty(), "{example:?}");
        let allowed =
            documented.get(example.command).unwrap_or_else(|| panic!("{} is not in the document", example.command));
        let missing: Vec<&String> = asked.difference(allowed).collect();
        assert!(missing.is_empty(), "{example:?} asks for {missing:#?}");
    }
}
