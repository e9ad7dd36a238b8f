//! The command registry: what the exported C functions, the PowerShell functions, the command line, the help and the
//! JSON Schemas are made from.

use std::sync::Arc;

use serde_json::Value;

use super::COMMANDS;
use super::replaced::{WEB_OF_2020_MESSAGE, is_web_of_2020, stays_with};
use super::shared::command::Command;
use crate::protocol::{Code, ErrorReport, FindingCode, alternatives, not_valid};
use crate::settings::{Document, Finding, Place, SettingsPath, settings_invalid};

/// The command with this cmdlet name, ignoring case.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name.eq_ignore_ascii_case(name))
}

/// Why a document is not one for a command.
#[derive(Debug)]
pub enum Component {
    /// It says that it is for another one.
    OfAnother(Finding),
    /// It says something that no command has.
    Unknown(Finding),
}

/// The key by which a document says which command it is for.
const COMPONENT: &str = "component";

/// The `component` of a document; none where it says nothing.
fn component_of(document: &Document) -> Option<&str> {
    let members = document.value().as_object().into_iter().flatten();
    let mut said =
        members.filter(|(key, _)| key.eq_ignore_ascii_case(COMPONENT)).filter_map(|(_, value)| value.as_str());
    said.next().map(str::trim).filter(|said| !said.is_empty())
}

/// The command that a document is for, by its `component`.
///
/// # Errors
/// It has none, or one that no command has.
pub fn command_of(document: &Arc<Document>) -> Result<&'static Command, Box<ErrorReport>> {
    let Some(said) = component_of(document) else { return Err(component_missing(document)) };
    let known: Vec<&str> = COMMANDS.iter().map(|command| command.component).collect();
    COMMANDS.iter().find(|command| command.is_for(said)).ok_or_else(|| {
        Box::new(settings_invalid(&[Finding {
            place: Place::value(document, SettingsPath::root().key(COMPONENT)),
            code: FindingCode::UnknownValue,
            message: stays_with(said).unwrap_or_else(|| not_valid(said, &known)),
        }]))
    })
}

/// The same for one of several documents.
///
/// # Errors
/// It has no `component`, or one that no command has: a finding that names the likely command.
pub fn command_for(document: &Arc<Document>) -> Result<&'static Command, Finding> {
    let said = component_of(document);
    if let Some(command) = said.and_then(|said| COMMANDS.iter().find(|command| command.is_for(said))) {
        return Ok(command);
    }
    let known: Vec<&str> = COMMANDS.iter().map(|command| command.component).collect();
    let likely: Vec<String> = likely_commands(document).iter().map(|command| command.component.to_owned()).collect();
    let message = match (said, likely.as_slice()) {
        _ if is_web_of_2020(document.value()) => WEB_OF_2020_MESSAGE.to_owned(),
        (Some(said), _) if stays_with(said).is_some() => stays_with(said).unwrap_or_default(),
        (None, []) => {
            format!("not set, so it is not known which command the document is for; use {}", alternatives(&known))
        }
        (None, likely) => format!("not set; the keys of the document look like {}", alternatives(likely)),
        (Some(said), []) => not_valid(said, &known),
        (Some(said), likely) => {
            format!("{}; the keys of the document look like {}", not_valid(said, &known), alternatives(likely))
        }
    };
    let place = Place::value(document, SettingsPath::root().key(COMPONENT));
    Err(Finding { place, code: FindingCode::ComponentMissing, message })
}

fn component_missing(document: &Document) -> Box<ErrorReport> {
    let likely: Vec<String> =
        likely_commands(document).into_iter().map(|command| format!("'component: {}'", command.component)).collect();
    let name = document.display_name();
    let message = format!("{name} has no 'component', so it is not known which command it is for.");
    let mut report = ErrorReport::terminating(Code::ComponentMissing, message);
    report.failure.target = document.path().map(|path| path.display().to_string());
    Box::new(report.recommending(match likely.as_slice() {
        [] => "Add it: the examples and docs/settings show the documents of each command.".to_owned(),
        likely => format!("Add {}, which its keys look like.", alternatives(likely)),
    }))
}

/// The commands that most of a document's keys belong to. Several share them where only their items differ.
fn likely_commands(document: &Document) -> Vec<&'static Command> {
    if is_web_of_2020(document.value()) {
        return COMMANDS.iter().filter(|command| command.name == super::web::COMMAND.name).collect();
    }
    let keys: Vec<&String> = document.value().as_object().into_iter().flat_map(|members| members.keys()).collect();
    let scored: Vec<(usize, &'static Command)> = COMMANDS
        .iter()
        .map(|command| {
            let schema = command.type_schema();
            let known = schema.get("properties").and_then(Value::as_object);
            let is_known =
                |key: &&&String| known.is_some_and(|known| known.keys().any(|name| name.eq_ignore_ascii_case(key)));
            (keys.iter().filter(is_known).count(), command)
        })
        .collect();
    let most = scored.iter().map(|(score, _)| *score).max().unwrap_or_default();
    let likely: Vec<&'static Command> =
        scored.into_iter().filter(|(score, _)| *score == most).map(|(_, command)| command).collect();
    // What half of the commands share tells nothing.
    if most == 0 || likely.len() > COMMANDS.len() / 2 { Vec::new() } else { likely }
}

/// The finding about a document that says nothing of its command, where its keys are those of another one: told at once, in place
/// of every key that this one does not have.
fn of_others_by_its_keys(document: &Arc<Document>, command: &Command) -> Option<Finding> {
    let likely = likely_commands(document);
    if likely.is_empty() || likely.iter().any(|other| other.name == command.name) {
        return None;
    }
    let names: Vec<&str> = likely.iter().map(|other| other.name).collect();
    let message = format!(
        "there is no 'component', and the keys are those of {}; use that command, or add 'component: {}' if it is for {}",
        alternatives(&names),
        command.component,
        command.name
    );
    let place = Place::value(document, SettingsPath::root());
    Some(Finding { place, code: FindingCode::OtherCommand, message })
}

/// Compares what a document says of its command, alone or with the building block before it (`Iaas.Storage`).
///
/// # Errors
/// The document says something else, or nothing although its keys are those of another command.
pub fn check_component(document: &Arc<Document>, command: &Command) -> Result<(), Component> {
    if is_web_of_2020(document.value()) {
        let place = Place::value(document, SettingsPath::root());
        let message = WEB_OF_2020_MESSAGE.to_owned();
        return Err(Component::OfAnother(Finding { place, code: FindingCode::OtherCommand, message }));
    }
    let Some(said) = component_of(document) else {
        return of_others_by_its_keys(document, command).map_or(Ok(()), |finding| Err(Component::OfAnother(finding)));
    };
    if command.is_for(said) {
        return Ok(());
    }
    let finding = |message: String| Finding {
        place: Place::value(document, SettingsPath::root().key(COMPONENT)),
        code: FindingCode::OtherCommand,
        message,
    };
    Err(match COMMANDS.iter().find(|other| other.is_for(said)) {
        Some(other) => Component::OfAnother(finding(format!(
            "'{said}' is the component of {}; use that command, or '{}' for {}",
            other.name, command.component, command.name
        ))),
        None if stays_with(said).is_some() => Component::OfAnother(finding(stays_with(said).unwrap_or_default())),
        None => Component::Unknown(finding(format!("'{said}' is not a component; '{}' is used", command.component))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_three_ways() {
        let storage = find("new-sVCiaasstorage").unwrap();
        assert_eq!(storage.name, "New-SvcIaasStorage");
        assert_eq!(storage.function(), "svc_new_iaas_storage");
        assert_eq!(storage.subcommand(), "new-iaas-storage");
    }

    #[test]
    fn the_document_says_which_command_it_is_for() {
        let chosen = |text: &str| {
            let document = Document::parse(Some("d.yml".into()), text.to_owned()).unwrap();
            command_of(&document).map(|command| command.name)
        };
        for command in COMMANDS {
            assert_eq!(chosen(&format!("component: {}", command.component)).unwrap(), command.name);
        }
        for text in ["Component: ' STORAGE '", "component: Iaas.Storage", "location: x\ncomponent: iaas.storage"] {
            assert_eq!(chosen(text).unwrap(), "New-SvcIaasStorage", "{text}");
        }
        let error = chosen("component: stroage").unwrap_err();
        assert_eq!(error.failure.code, Code::SettingsInvalid);
        assert!(
            error.failure.message.starts_with(
                "d.yml has 1 problem:\n[1] 1:12 component: 'stroage' is not valid, did you mean 'storage'?"
            ),
            "{}",
            error.failure.message
        );
    }

    #[test]
    fn documents_of_the_replaced_module_are_told_as_what_they_are() {
        let checked = |text: &str, command: &str| {
            let document = Document::parse(Some("d.yml".into()), text.to_owned()).unwrap();
            match check_component(&document, find(command).unwrap()) {
                Err(Component::OfAnother(finding)) => finding.message,
                other => panic!("{text}: {other:?}"),
            }
        };
        // As the first version of the replaced module had it, in its letters.
        let of_2020 = "resourceGroupName: Shop\nlocation: uksouth\nResourceGroupTag: shop-web\nAppServicePlans: []\nfrontDoor: {}\n";
        for command in COMMANDS {
            assert_eq!(checked(of_2020, command.name), WEB_OF_2020_MESSAGE);
        }
        let document = Document::parse(Some("d.yml".into()), of_2020.to_owned()).unwrap();
        assert_eq!(command_for(&document).unwrap_err().message, WEB_OF_2020_MESSAGE);
        let today = "service: {}\nwebSolutions: []\nfrontDoor: {}\n";
        assert!(checked(today, "New-SvcIaasStorage").contains("the keys are those of New-SvcPaasWeb;"), "{today}");
        let networking = "component: networking\nlocation: uksouth\n";
        assert!(checked(networking, "New-SvcIaasStorage").contains("stays with New-<Prefix>IaasNetworking"));
        let document = Document::parse(Some("d.yml".into()), networking.to_owned()).unwrap();
        assert!(command_for(&document).unwrap_err().message.contains("stays with New-<Prefix>IaasNetworking"));
        assert!(command_of(&document).unwrap_err().failure.message.contains("stays with New-<Prefix>IaasNetworking"));
    }

    #[test]
    fn the_keys_of_a_document_tell_its_likely_command() {
        let advice = |text: &str| {
            let document = Document::parse(Some("/d/d.yml".into()), text.to_owned()).unwrap();
            let error = command_of(&document).unwrap_err();
            assert_eq!(error.failure.code, Code::ComponentMissing);
            assert_eq!(error.failure.message, "d.yml has no 'component', so it is not known which command it is for.");
            error.failure.recommendation.unwrap()
        };
        let storage = "Add 'component: storage', which its keys look like.";
        assert_eq!(advice("location: uksouth\nSTORAGEACCOUNTS: []"), storage);
        assert_eq!(advice("component:\nlocation: uksouth\nstorageAccounts: []"), storage);
        assert_eq!(advice("frontdoor: {}"), "Add 'component: web', which its keys look like.");
        for nothing in ["{}", "location: uksouth", "colour: red"] {
            assert!(advice(nothing).starts_with("Add it: "), "{nothing}");
        }
    }

    #[test]
    fn a_document_without_a_component_is_told_by_its_keys() {
        let checked = |text: &str, command: &str| {
            let document = Document::parse(Some("d.yml".into()), text.to_owned()).unwrap();
            match check_component(&document, find(command).unwrap()) {
                Ok(()) => None,
                Err(Component::OfAnother(finding) | Component::Unknown(finding)) => Some(finding.message),
            }
        };
        let storage = "location: uksouth\nresourceGroupName: x\nstorageAccounts: []\n";
        assert_eq!(
            checked(storage, "New-SvcPaasWeb").unwrap(),
            "there is no 'component', and the keys are those of New-SvcIaasStorage; use that command, or add 'component: web' if it is for New-SvcPaasWeb"
        );
        // Its own document, one that tells nothing, and one with as many of its own keys.
        for own in [storage, "location: uksouth\nstorageAcounts: []\n", "{}", "storageAccounts: []\ngroups: []\n"] {
            assert_eq!(checked(own, "New-SvcIaasStorage"), None, "{own}");
        }
        assert_eq!(checked(&format!("component: web\n{storage}"), "New-SvcPaasWeb"), None);
        assert!(
            checked("groups: []\n", "New-SvcPaasWeb")
                .unwrap()
                .contains("New-SvcMonitorLogAlerts or New-SvcMonitorMetricAlerts")
        );
    }

    /// The settings say of themselves that they are secret, in the help that editors show.
    #[test]
    fn no_line_of_a_document_shows_a_secret_setting() {
        fn secrets(schema: &Value, found: &mut Vec<String>) {
            for (key, value) in schema.as_object().into_iter().flatten() {
                if value["description"].as_str().is_some_and(|help| help.contains("shown nowhere")) {
                    found.push(key.clone());
                }
                secrets(value, found);
            }
            schema.as_array().into_iter().flatten().for_each(|item| secrets(item, found));
        }
        let mut found = Vec::new();
        for command in COMMANDS {
            secrets(command.settings_schema().as_value(), &mut found);
        }
        assert!(found.iter().any(|key| key == "serviceUri"), "{found:?}");
        for key in found {
            assert_eq!(crate::settings::hide_secrets(&format!("{key}: k"), ""), format!("{key}: *"));
        }
    }
}
