//! PowerShell's spelling of arguments: `-SettingsFile x`, `-Confirm:$false`, prefixes and aliases, in any letter case. It
//! is turned into the spelling of the command line, which clap reads.

use std::ffi::{OsStr, OsString};

use svc_engine::protocol::nearest;
use svc_engine::run::registry::{CONTEXT_MEMBERS, ContextMemberKind, EXPORT, HostOption, HostOptionKind, TEMPLATE};
use svc_engine::run::registry::{Described, ParameterKind, ParameterSet, all_commands};

use super::arguments;
use super::options::{FORM, Switch};
use super::verbs::Verb;
use super::{export, template};

/// A parameter as far as its spelling goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spelling {
    /// `SettingsFile`.
    pub(super) name: &'static str,
    /// Takes true, false or nothing.
    pub(super) is_switch: bool,
}

impl Spelling {
    const fn switch(switch: Switch) -> Spelling {
        Spelling { name: switch.name(), is_switch: true }
    }

    const fn text(name: &'static str) -> Spelling {
        Spelling { name, is_switch: false }
    }
}

/// The parameters that every command has beside those of the registry.
fn common() -> impl Iterator<Item = Spelling> {
    Switch::OF_COMMANDS.into_iter().map(Spelling::switch).chain([Spelling::text(FORM)])
}

/// The parameters that the verbs have besides.
const OF_VERBS: [Spelling; 2] = [Spelling::switch(Switch::Quiet), Spelling::text("File")];

/// The options of an export as parameters.
fn spellings(options: &'static [HostOption]) -> Vec<Spelling> {
    let spelling =
        |option: &HostOption| Spelling { name: option.name, is_switch: option.kind == HostOptionKind::Switch };
    options.iter().map(spelling).collect()
}

/// `settings-file` of `SettingsFile`.
pub(super) fn kebab(name: &str) -> String {
    let mut text = String::new();
    for (position, character) in name.chars().enumerate() {
        if character.is_ascii_uppercase() && position > 0 {
            text.push('-');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}

/// Turns PowerShell's spelling into that of the command line. What is in the latter already stays as it is.
pub(super) fn normalise(arguments: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut arguments = arguments.into_iter();
    let Some(first) = arguments.next() else { return Ok(Vec::new()) };
    let Some(command) = first.to_str().and_then(arguments::command_called) else {
        if let Some(taken) = first.to_str().and_then(taken_by) {
            let translated = in_own_spelling(arguments, |name| Ok(whole_name(name, &taken)))?;
            return Ok(std::iter::once(first).chain(translated).collect());
        }
        let topic = |argument: OsString| match argument.to_str().and_then(arguments::command_called) {
            Some(command) if first == "help" => command.subcommand().into(),
            _ => asked_for_help(argument),
        };
        let others: Vec<OsString> = arguments.map(topic).collect();
        return Ok(std::iter::once(asked_for_help(first)).chain(others).collect());
    };
    // The document may stand without its parameter, as the first thing.
    let mut arguments = arguments.peekable();
    let is_document = arguments.peek().is_some_and(|first| !first.as_encoded_bytes().starts_with(b"-"));
    let file = command.parameters.iter().find(|parameter| parameter.set == Some(ParameterSet::File));
    let option = file.filter(|_| is_document).map(|file| format!("--{}", kebab(file.name)).into());
    let translated = in_own_spelling(arguments, |name| find(command.name, name).map(Some))?;
    Ok(std::iter::once(command.subcommand().into()).chain(option).chain(translated).collect())
}

/// The arguments after the first, with the parameters that are found in the spelling of the command line.
fn in_own_spelling(
    arguments: impl Iterator<Item = OsString>,
    find: impl Fn(&str) -> Result<Option<Spelling>, String>,
) -> Result<Vec<OsString>, String> {
    let (mut arguments, mut normalised) = (arguments.peekable(), Vec::new());
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str().filter(|text| is_powershell(text)) else {
            normalised.push(asked_for_help(argument));
            continue;
        };
        let (name, value) = match text[1..].split_once(':') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&text[1..], None),
        };
        let Some(spelling) = find(name)? else {
            normalised.push(argument);
            continue;
        };
        let option = kebab(spelling.name);
        if !spelling.is_switch {
            normalised.push(format!("--{option}").into());
            normalised.extend(value.map(OsString::from));
            continue;
        }
        // Scripts written for a boolean parameter pass its value as an argument of its own.
        let value = match value {
            Some(value) => Some(value),
            None => arguments.next_if(|next| is_boolean(next)).and_then(|next| next.into_string().ok()),
        };
        normalised.push(match value {
            Some(value) => format!("--{option}={}", boolean(spelling.name, &value)?).into(),
            None => format!("--{option}").into(),
        });
    }
    Ok(normalised)
}

/// PowerShell's question for help, in the spelling of the command line.
fn asked_for_help(argument: OsString) -> OsString {
    if argument == "-?" { "--help".into() } else { argument }
}

/// One hyphen and a letter, and no help that clap knows.
fn is_powershell(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next() == Some('-')
        && characters.next().is_some_and(|character| character.is_ascii_alphabetic())
        && text != "-h"
}

fn is_boolean(text: &OsStr) -> bool {
    let word = text.to_str().map(|text| text.strip_prefix('$').unwrap_or(text));
    word.is_some_and(|word| word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false"))
}

fn boolean(name: &str, text: &str) -> Result<bool, String> {
    match text.trim_start_matches('$').to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        // Another shell than PowerShell replaces $true and $false by nothing.
        "" => Err(format!("-{name}: has no value. Outside PowerShell use -{name}:false or --{}=false.", kebab(name))),
        _ => Err(format!("-{name}: expected true or false, found '{text}'.")),
    }
}

/// The parameters that a subcommand takes in PowerShell's spelling too, with their names and aliases; none where it takes none.
pub(super) fn taken_by(subcommand: &str) -> Option<Vec<(&'static str, Spelling)>> {
    if let Some(command) = arguments::command_called(subcommand) {
        return Some(known(std::iter::once(command)));
    }
    let more = match subcommand {
        export::NAME => spellings(EXPORT.options),
        template::NAME => [spellings(TEMPLATE.options), OF_VERBS.to_vec()].concat(),
        other => Verb::called(other).map(|_| OF_VERBS.to_vec())?,
    };
    // What is its own goes before an alias that others have for it.
    Some(more.into_iter().map(|own| (own.name, own)).chain(known(all_commands())).collect())
}

/// Finds a parameter by its whole name or an alias. The verbs have short forms of one letter, which prefixes would hide.
fn whole_name(name: &str, taken: &[(&'static str, Spelling)]) -> Option<Spelling> {
    taken.iter().find(|(spelled, _)| spelled.eq_ignore_ascii_case(name)).map(|(_, spelling)| *spelling)
}

/// The parameters of commands, of the context and of everything, with their names and aliases.
fn known(commands: impl Iterator<Item = Described>) -> Vec<(&'static str, Spelling)> {
    let mut known: Vec<(&'static str, Spelling)> = Vec::new();
    for parameter in commands.flat_map(|command| command.parameters) {
        for spelled in std::iter::once(&parameter.name).chain(parameter.aliases) {
            known
                .push((spelled, Spelling { name: parameter.name, is_switch: parameter.kind == ParameterKind::Switch }));
        }
    }
    known.extend(CONTEXT_MEMBERS.iter().map(|member| {
        (member.parameter, Spelling { name: member.parameter, is_switch: member.kind == ContextMemberKind::Flag })
    }));
    known.extend(common().map(|common| (common.name, common)));
    known
}

/// Every name of a parameter, as messages of the engine and its help say it.
pub(super) fn names() -> Vec<&'static str> {
    let more = [spellings(EXPORT.options), spellings(TEMPLATE.options), OF_VERBS.to_vec()].concat();
    let known = known(all_commands()).into_iter().map(|(_, spelling)| spelling);
    known.chain(more).map(|spelling| spelling.name).collect()
}

/// Finds a parameter by its name, an alias, or a prefix that only one has.
fn find(command_name: &str, name: &str) -> Result<Spelling, String> {
    let mut known = known(all_commands().filter(|command| command.name == command_name));
    if let Some(exact) = known.iter().position(|(spelled, _)| spelled.eq_ignore_ascii_case(name)) {
        return Ok(known.swap_remove(exact).1);
    }
    let begins = |spelled: &str| spelled.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let mut matching: Vec<usize> = (0..known.len()).filter(|index| begins(known[*index].0)).collect();
    matching.dedup_by_key(|index| known[*index].1.name);
    match matching.as_slice() {
        [only] => Ok(known.swap_remove(*only).1),
        [] => {
            let hint = nearest(name, known.iter().map(|(spelled, _)| *spelled))
                .map_or(String::new(), |near| format!(", did you mean -{near}?"));
            Err(format!("{command_name} has no parameter -{name}{hint}"))
        }
        several => {
            let names: Vec<String> = several.iter().map(|index| format!("-{}", known[*index].0)).collect();
            Err(format!("-{name} is ambiguous: {}.", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Vec<String>, String> {
        let arguments = arguments.iter().map(OsString::from).collect();
        normalise(arguments).map(|list| list.into_iter().map(|argument| argument.into_string().unwrap()).collect())
    }

    #[test]
    fn both_spellings_are_one() {
        let expected = [
            "new-iaas-storage",
            "--settings-file",
            "s.yml",
            "--what-if",
            "--confirm=false",
            "--tag-settings-file",
            "t.yml",
            "--cloud",
            "local",
        ];
        let powershell = [
            "New-SvcIaasStorage",
            "-SettingsFile",
            "s.yml",
            "-WhatIf",
            "-Confirm:$false",
            "-TagSettingFile",
            "t.yml",
            "-Cloud:local",
        ];
        assert_eq!(read(&powershell).unwrap(), expected);
        let lower = ["new-svciaasstorage", "-settingsf", "s.yml", "-w", "-confirm:0", "-tag", "t.yml", "-cl", "local"];
        assert_eq!(read(&lower).unwrap(), expected);
        assert_eq!(read(&expected).unwrap(), expected);
        // The document has the first position, as in the module.
        let first = [&["New-SvcIaasStorage", "s.yml"][..], &powershell[3..]].concat();
        assert_eq!(read(&first).unwrap(), expected);
    }

    #[test]
    fn verbs_take_whole_names_and_short_forms() {
        assert_eq!(
            read(&["apply", "s.yml", "-Cloud", "local", "-yq", "-Confirm:$false", "-subscriptionid:x", "-f", "t.yml"])
                .unwrap(),
            ["apply", "s.yml", "--cloud", "local", "-yq", "--confirm=false", "--subscription-id", "x", "-f", "t.yml"]
        );
        assert_eq!(
            read(&["apply", "-File", "s.yml", "-Full", "-Yes", "-Quiet", "-OmitTags", "true"]).unwrap(),
            ["apply", "--file", "s.yml", "--full", "--yes", "--quiet", "--omit-tags=true"]
        );
        assert_eq!(
            read(&["plan", "-Cl", "local", "-?"]).unwrap(),
            ["plan", "-Cl", "local", "--help"],
            "clap says what is wrong"
        );
        assert_eq!(
            read(&["template", "s.yml", "-Path", "t.json", "-LateBinding", "-Stack:$true", "-Cloud:local", "-q"])
                .unwrap(),
            ["template", "s.yml", "--path", "t.json", "--late-binding", "--stack=true", "--cloud", "local", "-q"]
        );
        assert_eq!(
            read(&["export", "storage", "-ResourceGroup", "rg", "-Names", "-Overwrite", "-g", "rg"]).unwrap(),
            ["export", "storage", "--resource-group", "rg", "--names", "--overwrite", "-g", "rg"]
        );
    }

    #[test]
    fn every_spelling_of_a_switch() {
        let read =
            |arguments: &[&str]| read(&[&["New-SvcIaasStorage"], arguments].concat()).map(|list| list[1..].join(" "));
        assert_eq!(read(&["-OmitTags"]).unwrap(), "--omit-tags");
        assert_eq!(read(&["-OmitTags", "$true"]).unwrap(), "--omit-tags=true");
        assert_eq!(read(&["-OmitTags", "true", "-WhatIf", "False"]).unwrap(), "--omit-tags=true --what-if=false");
        assert_eq!(read(&["-Full", "-Yes", "-Full:$false"]).unwrap(), "--full --yes --full=false");
        assert_eq!(read(&["-OmitTags", "$false", "-WhatIf"]).unwrap(), "--omit-tags=false --what-if");
        assert_eq!(read(&["-OmitTags:$False"]).unwrap(), "--omit-tags=false");
        assert_eq!(read(&["-OmitTags", "s.yml"]).unwrap(), "--omit-tags s.yml");
        assert_eq!(
            read(&["-Confirm:"]).unwrap_err(),
            "-Confirm: has no value. Outside PowerShell use -Confirm:false or --confirm=false."
        );
        assert_eq!(read(&["-Confirm:no"]).unwrap_err(), "-Confirm: expected true or false, found 'no'.");
    }

    #[test]
    fn what_is_no_parameter() {
        assert_eq!(
            read(&["New-SvcIaasStorage", "-SetingsFile"]).unwrap_err(),
            "New-SvcIaasStorage has no parameter -SetingsFile, did you mean -SettingsFile?"
        );
        assert_eq!(
            read(&["New-SvcIaasStorage", "-Settings"]).unwrap_err(),
            "-Settings is ambiguous: -SettingsFile, -SettingsObject."
        );
        assert_eq!(read(&["local", "-x"]).unwrap(), ["local", "-x"]);
    }
}
