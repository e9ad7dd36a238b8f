//! The PowerShell functions: one for each command, and those of the context.

use svc_engine::run::registry::{
    COMPARE, ContextMember, ContextMemberKind, Described, HostOption, HostOptionKind, Parameter, ParameterKind,
    ParameterSet, START_LOCAL_CLOUD, all_commands, az_cloud_names, cloud_names, completions_of, default_of,
    path_variables, plan_extensions,
};

use crate::context_functions::{CONTEXT_FUNCTIONS, WITHOUT_ALIAS};
use crate::template::{fill, lines, quote};
use crate::{links, maml};

/// The parameters of `Set-SvcContext` that are no members of the context, with their help.
pub(crate) const CONTEXT_PARAMETERS: [(&str, &str); 2] = [
    (
        "InputObject",
        "An object with properties of these names, such as Get-SvcContext returns. An empty property removes the value, but for one that guards a run, which is an error; a missing one changes nothing.",
    ),
    ("PassThru", "Returns the context as Get-SvcContext does."),
];

/// Parameters of `Set-SvcContext` that scripts of the replaced module pass: taken, and without effect.
pub(crate) const IGNORED_PARAMETERS: [&str; 6] = [
    "BuildId",
    "BuildRepoName",
    "BuildDefinitionName",
    "BuildDefinitionNumber",
    "ProjectConfirmation",
    "ProjectConfigName",
];

/// The end of a function: it throws what has ended the run. Thrown by a helper, a transcript would have a record for each function
/// between. With `-ErrorAction Stop` the other method would end the caller's statement only, and the script would go on.
pub(crate) const END: &str = "if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }";

/// The state of the script: the ABI, the environment and the context.
pub(crate) fn state(version: &str, members: &[ContextMember]) -> String {
    let variables: Vec<String> = path_variables().map(quote).collect();
    let plans: Vec<String> = plan_extensions().map(|extension| quote(&format!(".{extension}"))).collect();
    let clouds: Vec<String> = cloud_names().chain(az_cloud_names()).map(quote).collect();
    fill(
        include_str!("../templates/state.psm1.in"),
        &[
            ("VERSION", version),
            ("PATH_VARIABLES", &variables.join(", ")),
            ("PLAN_EXTENSIONS", &plans.join(", ")),
            ("CLOUD_NAMES", &clouds.join(", ")),
            ("CONTEXT_MEMBERS", &lines(members.iter().map(context_member))),
            ("IGNORED_PARAMETERS", &IGNORED_PARAMETERS.map(quote).join(", ")),
        ],
    )
}

fn context_member(member: &ContextMember) -> String {
    let variables: Vec<String> = member.variables().into_iter().map(quote).collect();
    format!(
        "    @{{ Name = {name}; Parameter = {parameter}; Kind = {kind}; Variables = @({variables}); FromAz = ${from_az}; Guards = ${guards}; Default = {default} }}",
        name = quote(member.name),
        parameter = quote(member.parameter),
        kind = quote(kind_name(member.kind)),
        variables = variables.join(", "),
        from_az = member.is_of_session(),
        guards = member.guards,
        default = default_of(member).map_or_else(|| "$null".to_owned(), quote),
    )
}

/// The name that `ConvertTo-SvcModuleContextValue` has for the kind of a member.
fn kind_name(kind: ContextMemberKind) -> &'static str {
    match kind {
        ContextMemberKind::Text => "text",
        ContextMemberKind::Path => "path",
        ContextMemberKind::Paths => "paths",
        ContextMemberKind::Folder => "folder",
        ContextMemberKind::Flag => "flag",
        ContextMemberKind::Cloud => "cloud",
        ContextMemberKind::Endpoint => "endpoint",
        ContextMemberKind::Guid => "guid",
        ContextMemberKind::Duration => "duration",
        ContextMemberKind::TagKey => "tagKey",
        ContextMemberKind::Number => "number",
        ContextMemberKind::Texts => "texts",
    }
}

/// The function of a command, of the deployment of several documents, each for a command of its own, or of their comparison. `repository` is where the source
/// is published.
pub(crate) fn command(command: &Described, repository: Option<&str>) -> String {
    let takes_several = command.component.is_none();
    let changes = command.name != COMPARE.name;
    let declarations: Vec<String> = command
        .parameters
        .iter()
        .map(|parameter| declaration(parameter, takes_several))
        .chain(command.context_members().map(context_declaration))
        .chain(command.options.iter().map(option_declaration))
        .collect();
    let dynamic = legacy_switch(command).map_or_else(String::new, |switch| {
        format!(
            "    dynamicparam {{ if ($PSBoundParameters.ContainsKey({name})) {{ Get-SvcModuleLegacyBoolean }} }}\n",
            name = quote(switch.name)
        )
    });
    // It leaves nothing for the operation to do.
    let job = if command.options.iter().any(|option| option.name == "AsJob") {
        "        if ($AsJob) { Invoke-SvcModuleGuarded -Function 'Start-SvcModuleJob' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request; Own = $own } }\n"
    } else {
        ""
    };
    let template = if takes_several {
        include_str!("../templates/deployment.psm1.in")
    } else {
        include_str!("../templates/command.psm1.in")
    };
    fill(
        template,
        &[
            ("NAME", command.name),
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, command.name)),
            ("SUPPRESSIONS", suppressions(command)),
            ("CONFIRMS", if changes { ", SupportsShouldProcess, ConfirmImpact = 'Medium'" } else { "" }),
            ("OUTPUT", if changes { "'Svc.DeployedResource', 'Svc.PlannedAction'" } else { "'Svc.Drift'" }),
            ("PARAMETERS", &declarations.join(",\n")),
            ("JOB", job),
            ("DYNAMIC", &dynamic),
            ("END", END),
        ],
    )
}

/// The switch whose value `LegacyBoolean` takes. The stray boolean of a second one could not be told apart.
fn legacy_switch(command: &Described) -> Option<&'static Parameter> {
    command.parameters.iter().find(|parameter| parameter.kind == ParameterKind::Switch)
}

/// `PSScriptAnalyzer` wants singular nouns; the names are what the users of the replaced module know.
fn suppressions(command: &Described) -> &'static str {
    if command.name.ends_with('s') && !command.name.ends_with("ss") {
        "    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]\n"
    } else {
        ""
    }
}

fn set_name(set: ParameterSet) -> &'static str {
    match set {
        ParameterSet::File => "File",
        ParameterSet::Object => "Object",
    }
}

/// The parameter in the `param` block. A file that is mandatory in its set may be given without the name. What PowerShell itself refuses is
/// left out of the pipeline and the rest goes on, so of several objects it refuses none.
pub(crate) fn declaration(parameter: &Parameter, takes_several: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(set) = parameter.set {
        let set = set_name(set);
        parts.push(match parameter.kind {
            ParameterKind::Settings => {
                format!("[Parameter(Mandatory, ParameterSetName = '{set}', ValueFromPipeline)]")
            }
            ParameterKind::Path | ParameterKind::Paths | ParameterKind::Switch => {
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
            // A wrapper hands over an unset variable; only the document itself has to be there.
            ParameterKind::Path if parameter.set.is_none() => "[AllowEmptyString()] [string]",
            ParameterKind::Path => "[ValidateNotNullOrEmpty()] [string]",
            ParameterKind::Paths => "[ValidateNotNullOrEmpty()] [string[]]",
            ParameterKind::Settings if takes_several => "[AllowNull()] [object]",
            ParameterKind::Settings => "[ValidateNotNull()] [object]",
            ParameterKind::Switch => "[switch]",
        }
        .to_owned(),
    );
    format!("        {} ${}", parts.join(" "), parameter.name)
}

/// An option of a host in the `param` block.
pub(crate) fn option_declaration(option: &HostOption) -> String {
    let kind = match option.kind {
        HostOptionKind::Switch => "[switch]",
        HostOptionKind::Path | HostOptionKind::Text => "[AllowEmptyString()] [string]",
        HostOptionKind::Texts => "[string[]]",
    };
    format!("        {kind} ${}", option.name)
}

/// The functions that keep the context.
pub(crate) fn context(members: &[ContextMember]) -> String {
    let mut parameters: Vec<String> = members.iter().map(context_declaration).collect();
    parameters.push("        [Parameter(ValueFromPipeline)] [object] $InputObject".to_owned());
    parameters.push("        [switch] $PassThru".to_owned());
    let names: Vec<String> = members.iter().map(|member| quote(member.parameter)).collect();
    let ignored = IGNORED_PARAMETERS.map(|name| format!("[Parameter(DontShow)] [object] ${name}"));
    parameters.push(format!("        {}", ignored.join(", ")));
    let templates = [include_str!("../templates/context.psm1.in"), include_str!("../templates/local-cloud.psm1.in")];
    fill(
        &templates.join("\n"),
        &[
            ("HELP_FILE", maml::FILE),
            ("START", START_LOCAL_CLOUD),
            ("PARAMETERS", &parameters.join(",\n")),
            ("MEMBERS", &names.join(", ")),
            ("ALIASED", &aliased().join(", ")),
            ("END", END),
        ],
    )
}

/// The functions that the replaced module had under another prefix.
fn aliased() -> Vec<String> {
    let of_context =
        CONTEXT_FUNCTIONS.iter().map(|function| function.name).filter(|name| !WITHOUT_ALIAS.contains(name));
    all_commands().map(|command| command.name).chain(of_context).map(quote).collect()
}

fn context_declaration(member: &ContextMember) -> String {
    let type_name = match member.kind {
        ContextMemberKind::Flag => "switch",
        ContextMemberKind::Paths | ContextMemberKind::Texts => "string[]",
        _ => "string",
    };
    let completions: Vec<String> = completions_of(member).into_iter().map(quote).collect();
    let completion = match completions.as_slice() {
        [] => String::new(),
        known => format!("[ArgumentCompletions({})] ", known.join(", ")),
    };
    format!("        {completion}[{type_name}] ${}", member.parameter)
}

#[cfg(test)]
mod tests {
    use svc_engine::run::registry::{SETTINGS_FILE, SETTINGS_OBJECT};

    use super::*;

    /// A command as the registry need not have one at any time: a plural name, and no switch.
    fn alerts() -> Described {
        Described {
            name: "New-SvcMadeUpAlerts",
            component: Some("madeUpAlerts"),
            synopsis: "Deploys alerts.",
            description: "Deploys alerts.",
            parameters: &[SETTINGS_FILE, SETTINGS_OBJECT],
            options: &[],
            of_context: &[],
            examples: &[],
        }
    }

    #[test]
    fn a_plural_name_is_excused() {
        let text = command(&alerts(), None);
        assert!(text.contains("SuppressMessageAttribute('PSUseSingularNouns', '', Justification = "), "{text}");
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
    }
}
