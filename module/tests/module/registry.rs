//! The functions, their parameters and the exports are what the registry says, read off the syntax tree.

use std::collections::BTreeSet;

use svc_deploy_module::VERSION;
use svc_engine::run::registry::{
    COMMANDS, DEPLOYMENT, Described, Parameter, ParameterKind, ParameterSet, TEMPLATE, all_commands,
};
use svc_engine::run::registry::{CONTEXT_MEMBERS, ContextMemberKind, completions_of, default_of};

use crate::script::{Attribute, Function, Script, child, find};
use crate::{module, read};

const CONTEXT_FUNCTIONS: [&str; 6] = [
    "Set-SvcContext",
    "Get-SvcContext",
    "Clear-SvcContext",
    "Register-SvcAlias",
    "Start-SvcLocalCloud",
    "Stop-SvcLocalCloud",
];

fn script() -> Script {
    Script::parse(&read(&module().join("SvcDeploy.psm1")))
}

fn attribute(function: &Function<'_>, name: &str) -> String {
    let found: Vec<_> = function.attributes.iter().filter(|attribute| attribute.name == name).collect();
    assert_eq!(found.len(), 1, "{} has to have one {name}", function.name);
    found[0].written()
}

/// The argument of `CmdletBinding` that leads to the help; nothing while Cargo.toml names no repository.
fn help_uri() -> String {
    match env!("CARGO_PKG_REPOSITORY") {
        "" => String::new(),
        repository => format!(", HelpUri = '{repository}/blob/HEAD/README.md#commands'"),
    }
}

#[test]
fn every_command_has_its_function() {
    let script = script();
    for command in all_commands() {
        let function = script.function_named(command.name);
        assert_eq!(
            attribute(&function, "CmdletBinding"),
            format!("DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium'{}", help_uri())
        );
        assert_eq!(attribute(&function, "OutputType"), "'Svc.DeployedResource', 'Svc.PlannedAction'");
        let plural = function.attributes.iter().any(|attribute| attribute.written().contains("PSUseSingularNouns"));
        assert_eq!(plural, command.name.ends_with('s'), "{}", command.name);
    }
}

#[test]
fn every_parameter_is_declared_as_the_registry_says() {
    let script = script();
    for command in all_commands() {
        let function = script.function_named(command.name);
        let declared: Vec<(String, String)> = function
            .parameters
            .iter()
            .map(|parameter| {
                let attributes = parameter.attributes.iter();
                let written: Vec<String> =
                    attributes.map(|attribute| format!("{}({})", attribute.name, attribute.written())).collect();
                (format!("{} {}", parameter.type_name, parameter.name), written.join(" "))
            })
            .collect();
        let of_context = command.context_members().map(|member| {
            let kind = match member.kind {
                ContextMemberKind::Paths => "string[]",
                ContextMemberKind::Flag => "switch",
                _ => "string",
            };
            (format!("{kind} {}", member.parameter), String::new())
        });
        let options = command.options.iter().map(|option| (format!("switch {}", option.name), String::new()));
        let wanted: Vec<(String, String)> = command
            .parameters
            .iter()
            .map(|parameter| wanted_declaration(&command, parameter))
            .chain(of_context)
            .chain(options)
            .collect();
        assert_eq!(declared, wanted, "{}", command.name);
        // A parameter that is hidden would take the common parameters out of completion.
        let dynamic: Vec<&str> = find(function.node, "named_block")
            .into_iter()
            .map(|block| script.text(block))
            .filter(|text| text.starts_with("dynamicparam"))
            .collect();
        let wanted = "dynamicparam { if ($PSBoundParameters.ContainsKey('OmitTags')) { Get-SvcModuleLegacyBoolean } }";
        assert_eq!(dynamic, vec![wanted; switches(&command)], "{}", command.name);
    }
}

fn switches(command: &Described) -> usize {
    command.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::Switch).count()
}

/// Type and name, and the attributes.
fn wanted_declaration(command: &Described, parameter: &Parameter) -> (String, String) {
    let mut attributes = Vec::new();
    match parameter.set {
        Some(ParameterSet::File) => {
            attributes.push("Parameter(Mandatory, Position = 0, ParameterSetName = 'File')".to_owned());
        }
        Some(ParameterSet::Object) => {
            attributes.push("Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)".to_owned());
        }
        None => {}
    }
    if !parameter.aliases.is_empty() {
        attributes.push(format!("Alias('{}')", parameter.aliases.join("', '")));
    }
    let type_name = match parameter.kind {
        ParameterKind::Path => {
            // Only the document itself has to be there: a wrapper hands over an unset variable for the others.
            let rule = if parameter.set.is_some() { "ValidateNotNullOrEmpty()" } else { "AllowEmptyString()" };
            attributes.push(rule.to_owned());
            "string"
        }
        ParameterKind::Paths => {
            attributes.push("ValidateNotNullOrEmpty()".to_owned());
            "string[]"
        }
        ParameterKind::Settings => {
            // An item that PowerShell refuses is left out of a pipeline, and an environment without a document is another one.
            let is_one = command.component.is_some();
            attributes.push(if is_one { "ValidateNotNull()" } else { "AllowNull()" }.to_owned());
            "object"
        }
        ParameterKind::Switch => "switch",
    };
    (format!("{type_name} {}", parameter.name), attributes.join(" "))
}

/// Only one value can be left over after a switch, and a script may shorten names as long as they are unique.
#[test]
fn scripts_of_the_replaced_module_bind() {
    for command in all_commands() {
        assert!(switches(&command) <= 1, "{}", command.name);
        for prefix in ["SettingsF", "SettingsO", "Tag", "Omit"] {
            let matching = command.parameters.iter().filter(|parameter| parameter.name.starts_with(prefix)).count();
            assert!(matching <= 1, "{} has several parameters that begin with {prefix}", command.name);
        }
        assert!(!command.parameters.iter().any(|parameter| parameter.name.starts_with("Legacy")), "{}", command.name);
    }
}

/// The functions hand over what was bound, and helpers put it into the request.
#[test]
fn every_parameter_reaches_its_member_of_the_request() {
    let script = script();
    for command in all_commands() {
        let helpers: &[&str] = match command.component {
            Some(_) => &["Add-SvcModuleDocument", "Add-SvcModuleSettingsObject", "Add-SvcModuleTagOption"],
            None => &[
                "Add-SvcModuleBoundDocument",
                "Add-SvcModuleSettingsDocument",
                "Add-SvcModuleSettingsObject",
                "Add-SvcModuleTagOption",
            ],
        };
        let keys = |variable: &str| -> BTreeSet<&str> {
            let nodes = helpers.iter().map(|helper| script.function_named(helper).node);
            nodes.flat_map(|node| script.keys_of(node, variable)).collect()
        };
        let bound = keys("$Bound");
        let mut members = &keys("$request") | &keys("$Request");
        // The lists are named where they are chosen from.
        members.extend(["settingsFiles", "settings"]);
        for parameter in command.parameters {
            assert!(bound.contains(parameter.name), "{}: nothing reads {}", command.name, parameter.name);
            assert!(
                members.contains(parameter.request_member),
                "{}: nothing sets {}",
                command.name,
                parameter.request_member
            );
        }
        let text = script.text(script.function_named(command.name).node);
        assert!(text.contains(&format!("-Command '{}'", command.name)), "{text}");
        assert!(text.contains("Bound = $PSBoundParameters") || text.contains("-Bound $PSBoundParameters"), "{text}");
    }
}

/// Objects of the pipeline become one list, files and folders the other, and the request has both under the names of the registry.
#[test]
fn documents_of_a_deployment_are_collected() {
    let script = script();
    let text = script.text(script.function_named("Add-SvcModuleSettingsDocument").node);
    let members: Vec<&str> =
        DEPLOYMENT.parameters.iter().filter(|known| known.set.is_some()).map(|known| known.request_member).collect();
    assert_eq!(members, ["settingsFiles", "settings"]);
    assert!(text.contains("foreach ($part in ('settingsFile', 'settingsFiles'), ('settings', 'settings'))"), "{text}");
    let function = script.function_named(DEPLOYMENT.name);
    let blocks: Vec<&str> = find(function.node, "named_block").into_iter().map(|block| script.text(block)).collect();
    let [_, _, process, end] = blocks.as_slice() else { panic!("{blocks:#?}") };
    assert!(process.contains("'Add-SvcModuleBoundDocument'") && !process.contains("-SvcModuleOperation"), "{process}");
    assert!(end.contains("Invoke-SvcModuleOperation "), "{end}");
}

#[test]
fn an_export_offers_the_components_that_can_be_exported() {
    let script = script();
    let function = script.function_named("Export-SvcSettings");
    let component = function.parameters.iter().find(|parameter| parameter.name == "Component").unwrap();
    let offered = component.attributes.iter().find(|attribute| attribute.name == "ArgumentCompletions").unwrap();
    let known: Vec<String> = COMMANDS.iter().map(|command| format!("'{}'", command.component)).collect();
    assert_eq!(offered.written(), known.join(", "));
    assert!(script.calls(function.node).contains(&("Invoke-SvcModuleOperation", vec!["Cmdlet", "Command", "Request"])));
}

/// What the engine is asked for a template by is in the function, and every option is in the request.
#[test]
fn a_template_is_exported_with_its_options() {
    let script = script();
    let function = script.function_named(TEMPLATE.name);
    assert_eq!(attribute(&function, "OutputType"), "'Svc.Template'");
    let declared: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name).collect();
    assert_eq!(
        declared,
        ["SettingsFile", "SettingsObject", "Path", "Overwrite", "LateBinding", "Stack", "TagSettingsFile", "OmitTags"]
    );
    let text = script.text(script.function_named("Add-SvcModuleTemplateOption").node);
    for part in [
        "lateBinding = [bool] $Bound['LateBinding']",
        "stack = [bool] $Bound['Stack']",
        "overwrite = [bool] $Bound['Overwrite']",
        "$file = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $Bound['Path']",
        "['path'] = $file",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let calls = script.calls(function.node);
    assert!(calls.contains(&("Invoke-SvcModuleOperation", vec!["Cmdlet", "Command", "Request"])));
}

#[test]
fn every_command_that_the_replaced_module_had_gets_an_alias() {
    let script = script();
    let function = script.function_named("Register-SvcModuleAlias");
    let names: Vec<&str> =
        script.strings(function.node).into_iter().filter(|text| text.contains("-Svc") && *text != "-Svc").collect();
    let of_context = ["Set-SvcContext", "Get-SvcContext", "Clear-SvcContext"];
    let expected: Vec<&str> = all_commands().map(|command| command.name).chain(of_context).collect();
    assert_eq!(names, expected);
    assert!(expected.contains(&"New-SvcDeployment"));
    // A module that is only installed must not be loaded by looking for its commands.
    let calls = script.calls(function.node);
    assert!(!calls.iter().any(|(name, _)| name.ends_with("Get-Command")), "{calls:?}");
}

/// The functions that the module exports, in their order.
pub(crate) fn exported() -> Vec<&'static str> {
    let exports = [
        "Compare-SvcDeployment",
        "Export-SvcSettings",
        TEMPLATE.name,
        "Test-SvcSettings",
        "New-SvcSettings",
        "Get-SvcSettingsSchema",
    ];
    all_commands().map(|command| command.name).chain(exports).chain(CONTEXT_FUNCTIONS).collect()
}

#[test]
fn the_manifest_and_the_script_export_the_commands() {
    let script = script();
    let export = find(script.root(), "command")
        .into_iter()
        .find(|command| script.text(*command).starts_with("Export-ModuleMember -Function"))
        .unwrap();
    assert_eq!(script.strings(export), exported());
    let manifest = Script::parse(&read(&module().join("SvcDeploy.psd1")));
    assert_eq!(entry(&manifest, "FunctionsToExport"), exported());
    for other in ["CmdletsToExport", "VariablesToExport", "AliasesToExport"] {
        assert_eq!(entry(&manifest, other), Vec::<&str>::new(), "{other}");
    }
}

#[test]
fn the_manifest_describes_the_module() {
    let manifest = Script::parse(&read(&module().join("SvcDeploy.psd1")));
    let numbers = VERSION.split('-').next().unwrap();
    assert_eq!(entry(&manifest, "ModuleVersion"), [numbers]);
    assert_eq!(entry(&manifest, "PowerShellVersion"), ["7.4"]);
    assert_eq!(entry(&manifest, "CompatiblePSEditions"), ["Core"]);
    assert_eq!(entry(&manifest, "GUID"), ["8d4f6a52-9c1b-4e7e-a3d0-5b27c96e41fa"], "it stays for ever");
    let known: Vec<String> = svc_deploy_module::generated_files().into_iter().map(|file| file.path).collect();
    assert_eq!(entry(&manifest, "FileList"), known);
    for name in ["RootModule", "FormatsToProcess", "TypesToProcess", "FileList"] {
        let files = entry(&manifest, name);
        assert!(!files.is_empty(), "{name}");
        for file in files {
            assert!(module().join(file).is_file(), "{name} names {file}, which does not exist");
        }
    }
    for name in ["Author", "Description", "Copyright", "Tags", "ReleaseNotes"] {
        assert!(!entry(&manifest, name).is_empty(), "{name}");
    }
}

/// The strings of an entry of the manifest, at any depth.
pub(crate) fn entry<'script>(manifest: &'script Script, name: &str) -> Vec<&'script str> {
    let found = find(manifest.root(), "hash_entry")
        .into_iter()
        .find(|entry| child(*entry, "key_expression").is_some_and(|key| manifest.text(key) == name));
    manifest.strings(child(found.unwrap_or_else(|| panic!("{name} is missing")), "pipeline").unwrap())
}

#[test]
fn the_context_has_every_member() {
    let script = script();
    let set = script.function_named("Set-SvcContext");
    let declared: Vec<(&str, &str)> =
        set.parameters.iter().map(|parameter| (parameter.name, parameter.type_name)).collect();
    let mut wanted: Vec<(&str, &str)> = CONTEXT_MEMBERS
        .iter()
        .map(|member| {
            let type_name = match member.kind {
                ContextMemberKind::Flag => "switch",
                ContextMemberKind::Paths | ContextMemberKind::Texts => "string[]",
                _ => "string",
            };
            (member.parameter, type_name)
        })
        .collect();
    wanted.extend([("InputObject", "object"), ("PassThru", "switch")]);
    let ignored = [
        "BuildId",
        "BuildRepoName",
        "BuildDefinitionName",
        "BuildDefinitionNumber",
        "ProjectConfirmation",
        "ProjectConfigName",
    ];
    wanted.extend(ignored.map(|name| (name, "object")));
    assert_eq!(declared, wanted);
    for (member, parameter) in CONTEXT_MEMBERS.iter().zip(&set.parameters) {
        let completions: Vec<String> = parameter.attributes.iter().map(Attribute::written).collect();
        let known: Vec<String> = completions_of(member).iter().map(|value| format!("'{value}'")).collect();
        let wanted = if known.is_empty() { Vec::new() } else { vec![known.join(", ")] };
        assert_eq!(completions, wanted, "{}", member.parameter);
    }
    let known = script.table("$script:ContextMember");
    assert_eq!(known.len(), CONTEXT_MEMBERS.len());
    for (member, entry) in CONTEXT_MEMBERS.iter().zip(known) {
        let quoted = |text: &str| format!("'{text}'");
        let variables: Vec<String> = member.variables().into_iter().map(quoted).collect();
        let wanted = [
            ("Name", quoted(member.name)),
            ("Parameter", quoted(member.parameter)),
            ("Kind", serde_json::to_string(&member.kind).unwrap().replace('"', "'")),
            ("Variables", format!("@({})", variables.join(", "))),
            ("FromAz", format!("${}", member.is_of_session())),
            ("Guards", format!("${}", member.guards)),
            ("Default", default_of(member).map_or("$null".to_owned(), quoted)),
        ];
        for (key, value) in wanted {
            assert_eq!(entry[key], value, "{}: {key}", member.name);
        }
    }
}

/// A kind of value without a rule would be taken as it is.
#[test]
fn every_kind_of_context_member_is_checked() {
    let script = script();
    let checked: BTreeSet<String> =
        find(script.function_named("ConvertTo-SvcModuleContextValue").node, "switch_clause")
            .into_iter()
            .map(|clause| script.text(child(clause, "switch_clause_condition").unwrap()).replace('\'', "\""))
            .collect();
    for member in CONTEXT_MEMBERS.iter().filter(|member| member.kind != ContextMemberKind::Text) {
        assert!(checked.contains(&serde_json::to_string(&member.kind).unwrap()), "{}", member.name);
    }
}
