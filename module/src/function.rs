//! The PowerShell functions: one for each command, and those of the context.

use svc_engine::commands::registry::{ContextMember, ContextMemberKind, ParameterKind};
use svc_engine::commands::{Command, ConfirmImpact, Parameter, ParameterSet};

use crate::template::{fill, lines, quote};
use crate::{links, maml};

const CALLER_PREFERENCES: &str = include_str!("../templates/caller-preferences.psm1.in");

/// The function of a command. `repository` is where the source is published.
pub(crate) fn command(command: &Command, repository: Option<&str>) -> String {
    let mut declarations: Vec<String> = command.parameters.iter().map(declaration).collect();
    if legacy_switch(command).is_some() {
        declarations.push("        [Parameter(Position = 1, DontShow)] [Nullable[bool]] $LegacyBoolean".to_owned());
    }
    fill(
        include_str!("../templates/command.psm1.in"),
        &[
            ("NAME", command.name),
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, command.name)),
            ("SUPPRESSIONS", suppressions(command)),
            ("CONFIRM_IMPACT", confirm_impact(command.confirm_impact)),
            ("PARAMETERS", &declarations.join(",\n")),
            ("CALLER_PREFERENCES", CALLER_PREFERENCES.trim_end()),
            ("REQUEST", &lines(command.parameters.iter().map(request_member))),
        ],
    )
}

/// The switch whose value `LegacyBoolean` takes. The stray boolean of a second one could not be told apart.
fn legacy_switch(command: &Command) -> Option<&Parameter> {
    command.parameters.iter().find(|parameter| parameter.kind == ParameterKind::Switch)
}

/// `PSScriptAnalyzer` wants singular nouns; the names are what the users of the replaced module know.
fn suppressions(command: &Command) -> &'static str {
    if command.name.ends_with('s') && !command.name.ends_with("ss") {
        "    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]\n"
    } else {
        ""
    }
}

fn confirm_impact(impact: ConfirmImpact) -> &'static str {
    match impact {
        ConfirmImpact::Medium => "Medium",
        ConfirmImpact::High => "High",
    }
}

fn set_name(set: ParameterSet) -> &'static str {
    match set {
        ParameterSet::File => "File",
        ParameterSet::Object => "Object",
    }
}

/// The parameter in the `param` block. A file that is mandatory in its set may be given without the name.
fn declaration(parameter: &Parameter) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(set) = parameter.set {
        let set = set_name(set);
        parts.push(match parameter.kind {
            ParameterKind::Settings => {
                format!("[Parameter(Mandatory, ParameterSetName = '{set}', ValueFromPipeline)]")
            }
            ParameterKind::Path | ParameterKind::Switch => {
                format!("[Parameter(Mandatory, Position = 0, ParameterSetName = '{set}')]")
            }
        });
    }
    if !parameter.aliases.is_empty() {
        let aliases: Vec<String> = parameter.aliases.iter().map(|alias| quote(alias)).collect();
        parts.push(format!("[Alias({})]", aliases.join(", ")));
    }
    parts.push(
        match parameter.kind {
            ParameterKind::Path => "[ValidateNotNullOrEmpty()] [string]",
            ParameterKind::Settings => "[ValidateNotNull()] [object]",
            ParameterKind::Switch => "[switch]",
        }
        .to_owned(),
    );
    format!("        {} ${}", parts.join(" "), parameter.name)
}

/// The lines that put a parameter into the request.
fn request_member(parameter: &Parameter) -> String {
    let name = parameter.name;
    let member = quote(parameter.request_member);
    match (parameter.kind, parameter.set) {
        (ParameterKind::Path, _) => {
            format!("        if (${name}) {{ $request[{member}] = Resolve-FilePath -Cmdlet $PSCmdlet -Path ${name} }}")
        }
        (ParameterKind::Settings, set) => {
            let add = format!("Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject ${name}");
            match set.map(set_name) {
                // An object may be empty, so the set tells whether it was given.
                Some(set) => format!("        if ($PSCmdlet.ParameterSetName -eq '{set}') {{ {add} }}"),
                None => format!("        if ($null -ne ${name}) {{ {add} }}"),
            }
        }
        (ParameterKind::Switch, _) => format!(
            "        if ($null -ne $LegacyBoolean -and -not $PSBoundParameters.ContainsKey({switch})) {{\n\
            \x20           Deny-LooseBoolean -Cmdlet $PSCmdlet -Value $LegacyBoolean -SwitchName {switch}\n\
            \x20       }}\n\
            \x20       $request[{member}] = ${name}.IsPresent -and ($null -eq $LegacyBoolean -or $LegacyBoolean)",
            switch = quote(name)
        ),
    }
}

/// The functions that keep the context.
pub(crate) fn context(members: &[ContextMember]) -> String {
    let width = members.iter().map(|member| member.parameter.len()).max().unwrap_or_default();
    let properties =
        std::iter::once(format!("                {:width$} = 'Svc.Context'", "PSTypeName")).chain(members.iter().map(
            |member| format!("                {:width$} = $script:Context[{}]", member.parameter, quote(member.name)),
        ));
    let parameters: Vec<String> = members.iter().map(context_declaration).collect();
    fill(
        include_str!("../templates/context.psm1.in"),
        &[
            ("HELP_FILE", maml::FILE),
            ("PARAMETERS", &parameters.join(",\n")),
            ("CALLER_PREFERENCES", CALLER_PREFERENCES.trim_end()),
            ("CHANGES", &lines(members.iter().map(context_change))),
            ("PROPERTIES", &lines(properties)),
        ],
    )
}

fn context_declaration(member: &ContextMember) -> String {
    let type_name = match member.kind {
        ContextMemberKind::Text | ContextMemberKind::Path => "string",
        ContextMemberKind::Flag => "switch",
    };
    format!("        [{type_name}] ${}", member.parameter)
}

fn context_change(member: &ContextMember) -> String {
    let parameter = member.parameter;
    let value = match member.kind {
        ContextMemberKind::Text => format!("${parameter}"),
        ContextMemberKind::Path => {
            format!("if (${parameter}) {{ Resolve-FilePath -Cmdlet $PSCmdlet -Path ${parameter} }} else {{ '' }}")
        }
        ContextMemberKind::Flag => format!("${parameter}.IsPresent"),
    };
    format!(
        "        if ($PSBoundParameters.ContainsKey({})) {{ $changes[{}] = {value} }}",
        quote(parameter),
        quote(member.name)
    )
}

#[cfg(test)]
mod tests {
    use svc_engine::commands::COMMANDS;
    use svc_engine::commands::registry::{SETTINGS_FILE, SETTINGS_OBJECT};

    use super::*;

    /// What the registry need not have at any time: a plural name, a high impact, no switch.
    fn alerts() -> Command {
        Command {
            name: "New-SvcMadeUpAlerts",
            component: "madeUpAlerts",
            confirm_impact: ConfirmImpact::High,
            synopsis: "Deploys alerts.",
            description: "Deploys alerts.",
            parameters: &[SETTINGS_FILE, SETTINGS_OBJECT],
            examples: &[],
            settings: COMMANDS[0].settings,
        }
    }

    #[test]
    fn a_plural_name_is_excused_and_the_impact_is_the_registrys() {
        let text = command(&alerts(), None);
        assert!(text.contains("SuppressMessageAttribute('PSUseSingularNouns', '', Justification = "), "{text}");
        assert!(text.contains("ConfirmImpact = 'High'"), "{text}");
    }

    #[test]
    fn the_page_of_the_help_is_named_where_the_source_is_published() {
        assert!(!command(&alerts(), None).contains("HelpUri"));
        let text = command(&alerts(), Some("https://example.org/svc"));
        assert!(text.contains("', HelpUri = 'https://example.org/svc/blob/HEAD/README.md#commands')]"), "{text}");
    }

    #[test]
    fn a_command_without_a_switch_takes_no_stray_boolean() {
        let text = command(&alerts(), None);
        assert!(!text.contains("LegacyBoolean"), "{text}");
        assert!(!text.contains("tagSettingsFile"), "{text}");
    }
}
