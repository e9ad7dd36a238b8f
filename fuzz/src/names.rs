use svc_engine::commands::Services;
use svc_engine::naming::{NameContext, project_convention};

use super::{COMMANDS, project};

/// The naming files of a project, each behind a line with its name: `==== generators`, `==== resources`, `==== locations`, `==== tokens`. Names
/// are made with them for every example.
pub fn names(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = tempfile::tempdir().unwrap();
    let names = folder.path().join("_names");
    std::fs::create_dir(&names).unwrap();
    for part in text.split("==== ") {
        let (name, content) = super::first_line(part);
        if ["generators", "resources", "locations", "tokens"].contains(&name) {
            std::fs::write(names.join(format!("{name}.yml")), content).unwrap();
        }
    }
    let Ok(found) = project_convention(&[folder.path().to_owned()]) else { return };
    let Some(environment) = ["production", "own", ""].iter().find_map(|name| found.convention.environment(name).ok())
    else {
        return;
    };
    let name_context = NameContext {
        environment,
        subscription_name: Some("Übung 1".to_owned()),
        subscription_id: Some(super::SUBSCRIPTION.to_owned()),
    };
    let project = svc_engine::commands::Project { convention: found.convention, name_context, ..project() };
    for command in COMMANDS {
        let compiled = command.read(&command.example().unwrap()).compile(&project, &Services::NotRead);
        for resource in &compiled.desired {
            // What Azure does not take as a name is a finding; nothing leads elsewhere.
            assert!(!compiled.findings.is_empty() || !resource.id.as_str().contains("/../"), "{}", resource.id);
        }
    }
}
