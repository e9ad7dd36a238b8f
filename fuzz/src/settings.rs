use std::sync::Arc;

use svc_engine::commands::Services;
use svc_engine::desired::World;
use svc_engine::plan::plan;
use svc_engine::settings::{Document, settings_invalid};

use super::{command_of, project};

/// The text of a settings document: read as YAML and as JSON, checked, compiled, planned without a cloud. What is wrong with it has a
/// place in it.
pub fn settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for file in ["settings.yml", "settings.json"] {
        let findings = match Document::parse(Some(file.into()), text.to_owned()) {
            Ok(document) => compile(&document),
            Err(findings) => findings,
        };
        let report = settings_invalid(&findings);
        // A line more than there are: where the text ends.
        let lines = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count() + 1;
        for finding in &report.findings {
            assert!(finding.line.is_none_or(|line| (1..=lines).contains(&line)), "{finding:?} in {lines} lines");
            assert!(!finding.message.is_empty(), "{finding:?}");
        }
    }
}

fn compile(document: &Arc<Document>) -> Vec<svc_engine::settings::Finding> {
    let compiled = command_of(document).read(document).compile(&project(), &Services::NotRead);
    let plan = plan(&compiled.desired, &World::Unknown);
    assert!(plan.actions().len() <= compiled.desired.len());
    let mut findings = document.problems();
    findings.extend(compiled.findings);
    findings
}
