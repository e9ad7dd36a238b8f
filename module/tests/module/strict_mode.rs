//! The mistakes that strict mode and PSScriptAnalyzer would refuse where the module is run: names that are not there, and rules that are passed over.

use std::collections::BTreeSet;

use crate::script::{Script, child, find};
use crate::{module, read};

fn script() -> Script {
    Script::parse(&read(&module().join("SvcDeploy.psm1")))
}

#[test]
fn rules_of_the_analyzer_are_passed_over_only_with_a_reason() {
    let script = script();
    let suppressions: Vec<String> = script
        .functions()
        .iter()
        .flat_map(|function| &function.attributes)
        .filter(|attribute| attribute.name.ends_with("SuppressMessageAttribute"))
        .map(|attribute| attribute.written())
        .collect();
    assert!(!suppressions.is_empty());
    for suppression in suppressions {
        let reason = suppression.split_once("Justification = '").map(|(_, reason)| reason);
        assert!(reason.is_some_and(|reason| reason.len() > "'".len()), "{suppression}");
    }
}

/// PSScriptAnalyzer wants `@{}`, which takes two names for one that differ in case only; a dictionary does not.
#[test]
fn no_table_is_made_that_the_analyzer_refuses() {
    let script = read(&module().join("SvcDeploy.psm1")).to_lowercase();
    assert!(!script.contains("hashtable]::new") && !script.contains("new-object"));
}

/// What strict mode would refuse at run time: a parameter that a function of the module does not have.
#[test]
fn calls_inside_the_module_name_parameters_that_exist() {
    let script = script();
    let functions = script.functions();
    let known: BTreeSet<&str> = functions.iter().map(|function| function.name).collect();
    let mut checked = 0;
    for (name, parameters) in script.calls(script.root()) {
        let name = name.strip_prefix("SvcDeploy\\").unwrap_or(name);
        let Some(function) = functions.iter().find(|function| function.name == name) else {
            assert!(CMDLETS.contains(&name), "{name} is neither in the module nor a cmdlet that it is known to use");
            continue;
        };
        let declared: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name).collect();
        for parameter in parameters {
            assert!(declared.contains(&parameter), "{name} has no parameter {parameter}");
            checked += 1;
        }
    }
    assert!(checked > known.len());
    // What is called by its name gets a table.
    let guarded = find(script.root(), "command").into_iter().map(|call| script.text(call));
    let guarded: Vec<&str> =
        guarded.filter_map(|call| call.strip_prefix("Invoke-SvcModuleGuarded -Function '")).collect();
    assert!(guarded.len() > 5, "{guarded:?}");
    for call in guarded {
        let (name, rest) = call.split_once("' -Arguments @{ ").unwrap();
        let function = functions.iter().find(|function| function.name == name).unwrap_or_else(|| panic!("no {name}"));
        let given = rest.trim_end_matches(" }").split("; ").map(|entry| entry.split_once(" = ").unwrap().0);
        let declared = function.parameters.iter().map(|parameter| parameter.name);
        assert_eq!(given.collect::<BTreeSet<_>>(), declared.collect::<BTreeSet<_>>(), "{name}");
    }
}

/// The commands of other modules that the module calls, with the names of their modules: a user's own `ConvertTo-Json` must
/// not come in between. Those of Az run inside their module, which finds its own first.
const CMDLETS: [&str; 23] = [
    "Export-ModuleMember",
    "Get-AzAccessToken",
    "Get-AzContext",
    "Microsoft.PowerShell.Core\\ForEach-Object",
    "Invoke-AzRestMethod",
    "Microsoft.PowerShell.Core\\Get-Command",
    "Microsoft.PowerShell.Core\\Get-Module",
    "Microsoft.PowerShell.Core\\Import-Module",
    "Microsoft.PowerShell.Core\\Register-ArgumentCompleter",
    "Microsoft.PowerShell.Utility\\Set-Alias",
    "Microsoft.PowerShell.Core\\Set-StrictMode",
    "Microsoft.PowerShell.Core\\Where-Object",
    "Microsoft.PowerShell.Management\\Get-Item",
    "Microsoft.PowerShell.Management\\Set-Location",
    "Microsoft.PowerShell.Security\\ConvertFrom-SecureString",
    "Microsoft.PowerShell.Utility\\Add-Type",
    "Microsoft.PowerShell.Utility\\ConvertFrom-Json",
    "Microsoft.PowerShell.Utility\\ConvertTo-Json",
    "Microsoft.PowerShell.Utility\\Select-Object",
    "Microsoft.PowerShell.Utility\\Sort-Object",
    "Microsoft.PowerShell.Utility\\Write-Debug",
    "Microsoft.PowerShell.Utility\\Write-Verbose",
    "Microsoft.PowerShell.Utility\\Write-Warning",
];

/// Variables that PowerShell sets.
const AUTOMATIC: [&str; 14] = [
    "$_",
    "$null",
    "$true",
    "$false",
    "$PSCmdlet",
    "$PSBoundParameters",
    "$PSScriptRoot",
    "$ExecutionContext",
    "$HOME",
    "$WhatIfPreference",
    "$ConfirmPreference",
    "$ErrorActionPreference",
    "$IsWindows",
    "$IsMacOS",
];

/// Names that a function should not use, because PowerShell gives them values of its own.
const TAKEN: [&str; 20] = [
    "args",
    "error",
    "event",
    "eventArgs",
    "eventSubscriber",
    "executionContext",
    "foreach",
    "home",
    "host",
    "input",
    "matches",
    "myInvocation",
    "pid",
    "profile",
    "pwd",
    "sender",
    "shellId",
    "stackTrace",
    "switch",
    "this",
];

/// What strict mode would refuse at run time: a variable that nothing sets.
#[test]
fn variables_are_set_before_they_are_read() {
    let script = script();
    let shared: BTreeSet<&str> = find(script.root(), "left_assignment_expression")
        .into_iter()
        .map(|node| script.text(node))
        .filter(|name| name.starts_with("$script:"))
        .collect();
    for function in script.functions() {
        let mut set: BTreeSet<String> =
            function.parameters.iter().map(|parameter| format!("${}", parameter.name)).collect();
        // One assignment may set several.
        set.extend(
            find(function.node, "left_assignment_expression")
                .into_iter()
                .flat_map(|node| script.text(node).split(", ").map(str::to_owned).collect::<Vec<_>>()),
        );
        set.extend(
            find(function.node, "foreach_statement")
                .into_iter()
                .filter_map(|node| child(node, "variable"))
                .map(|node| script.text(node).to_owned()),
        );
        // Those of script blocks, too.
        set.extend(
            find(function.node, "script_parameter")
                .into_iter()
                .filter_map(|node| child(node, "variable"))
                .map(|node| script.text(node).to_owned()),
        );
        for name in &set {
            let taken = TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(name.trim_start_matches('$')));
            assert!(!taken, "{}: PowerShell itself sets {name}", function.name);
        }
        for variable in find(function.node, "variable") {
            // A splatted variable is written with another sign.
            let name = &script.text(variable).replace('@', "$");
            // The one variable of a caller: the function that was called has it for what ends it.
            let is_ending = name == "$ending";
            let known =
                set.contains(name) || shared.contains(name.as_str()) || AUTOMATIC.contains(&name.as_str()) || is_ending;
            assert!(known, "{}: nothing sets {name}", function.name);
        }
    }
}
