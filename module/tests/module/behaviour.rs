//! The behaviour of the script that a real PowerShell was seen to need; `docs/powershell-module.md` has the reasons.

use svc_engine::run::registry::{COMMANDS, COMPARE, DEPLOYMENT, TEMPLATE, TEST};
use tree_sitter::Node;

use crate::registry::exported;
use crate::script::{Script, child, children, find};
use crate::{module, read};

fn script() -> Script {
    Script::parse(&read(&module().join("SvcDeploy.psm1")))
}

/// The methods that a part of the script calls, as in `$Cmdlet.WriteError`.
fn methods<'script>(script: &'script Script, node: Node<'_>) -> Vec<&'script str> {
    let called = find(node, "invokation_expression").into_iter().filter_map(|call| child(call, "member_name"));
    called.map(|name| script.text(name)).collect()
}

/// A user's alias goes before a function of its name, inside of the module as well.
#[test]
fn helpers_have_a_prefix_that_no_alias_has() {
    let script = script();
    let exported = exported();
    let helpers: Vec<&str> = script.functions().iter().map(|function| function.name).collect();
    let others: Vec<&&str> = helpers
        .iter()
        .filter(|name| !exported.iter().any(|known| known == *name))
        .filter(|name| !name.contains("-SvcModule"))
        .collect();
    assert_eq!(others, [] as [&&str; 0]);
    assert!(helpers.len() > exported.len());
}

/// `begin` would run in the function, where the preferences are typed and an error ends one statement only. What collects the pipeline
/// begins with nothing and does its work in `end`. The eight are one call.
#[test]
fn functions_have_nothing_but_process() {
    let script = script();
    let collect = [DEPLOYMENT.name, COMPARE.name, TEMPLATE.name, TEST.name]
        .map(|name| script.function_named(name).node.byte_range());
    let (collecting, others): (Vec<_>, Vec<_>) = find(script.root(), "named_block")
        .into_iter()
        .filter(|block| !script.text(*block).starts_with("dynamicparam "))
        .partition(|block| collect.iter().any(|own| own.contains(&block.start_byte())));
    assert!(others.len() > COMMANDS.len(), "{}", others.len());
    for block in others {
        let text = script.text(block);
        assert!(text.starts_with("process {"), "{text}");
    }
    let kinds: Vec<&str> =
        collecting.iter().filter_map(|block| script.text(*block).split_whitespace().next()).collect();
    assert_eq!(kinds, ["begin", "process", "end"].repeat(collect.len()));
    assert_eq!(script.text(collecting[0]), "begin { $request = @{}; $ending = @{} }");
    for command in COMMANDS {
        let function = script.function_named(command.name);
        let calls = script.calls(function.node);
        let calls: Vec<_> = calls.iter().filter(|(name, _)| *name != "Get-SvcModuleLegacyBoolean").collect();
        assert_eq!(
            calls,
            [&("Invoke-SvcModuleDocumentCommand", vec!["Cmdlet", "Command", "Bound"])],
            "{}",
            command.name
        );
    }
}

/// PowerShell writes what ends a command into the transcript once for each function that it passes through, so only the function that was
/// called throws: behind each call of what may end the command stands the same statement, and what is called leaves a label around it.
#[test]
fn what_ends_a_command_is_thrown_by_the_function_that_was_called() {
    const END: &str = "if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }";
    let script = script();
    let exported = exported();
    let mut throwing = Vec::new();
    for function in script.functions() {
        let ends = methods(&script, function.node).contains(&"ThrowTerminatingError");
        assert!(!ends || exported.contains(&function.name), "{}", function.name);
        if !exported.contains(&function.name) {
            continue;
        }
        let may_end = |name: &str| name.starts_with("Invoke-SvcModule");
        let blocks = find(function.node, "named_block").into_iter();
        for block in blocks.filter(|block| script.calls(*block).iter().any(|(name, _)| may_end(name))) {
            let text = script.text(block);
            let last =
                find(block, "command").into_iter().rfind(|call| script.text(*call).starts_with("Invoke-SvcModule"));
            let rest = &text[last.unwrap().end_byte() - block.start_byte()..];
            assert!(rest.trim_start_matches([';', ' ', '\n']).starts_with(END), "{}: {rest}", function.name);
            assert_eq!(text.matches(END).count(), 1, "{}", function.name);
            let whole = script.text(function.node);
            assert!(whole.find("$ending = @{}").unwrap() < whole.find("Invoke-SvcModule").unwrap(), "{whole}");
            throwing.push(function.name);
        }
        let direct = script.calls(function.node).into_iter().map(|(name, _)| name);
        let direct = direct.filter(|name| name.contains("-SvcModule") && !may_end(name));
        let direct: Vec<&str> = direct.filter(|name| !name.starts_with("Get-")).collect();
        assert_eq!(direct, Vec::<&str>::new(), "{} calls what may end it without a label around it", function.name);
    }
    throwing.dedup();
    let quiet = exported.iter().copied().filter(|name| !throwing.contains(name));
    assert_eq!(quiet.collect::<Vec<_>>(), ["Get-SvcContext"]);
    let exit = script.text(script.function_named("Exit-SvcModuleCommand").node);
    assert!(exit.ends_with("$ending['Record'] = $Record\n    break 'SvcModule'\n}"), "{exit}");
    for (function, loops) in [("Invoke-SvcModuleGuarded", 1), ("Invoke-SvcModuleOperation", 2)] {
        assert_eq!(
            script.text(script.function_named(function).node).matches(":SvcModule ").count(),
            loops,
            "{function}"
        );
    }
    // An exception of a helper would pass through the functions between.
    let thrown = find(script.root(), "flow_control_statement").into_iter().filter_map(|flow| {
        let is_own = script.text(flow).starts_with("throw ");
        let around =
            std::iter::successors(flow.parent(), Node::parent).find(|node| node.kind() == "function_statement");
        around.filter(|_| is_own).map(|_| script.text(flow))
    });
    assert_eq!(thrown.collect::<Vec<_>>(), Vec::<&str>::new());
}

/// The first command of a session waits for what it loads: the module of `Select-Object` and the like takes 45 ms.
#[test]
fn setting_the_context_loads_no_other_module() {
    let script = script();
    let functions = script.functions();
    let mut open = vec!["Edit-SvcModuleContext"];
    let mut seen = Vec::new();
    while let Some(name) = open.pop() {
        let Some(function) = functions.iter().find(|function| function.name == name) else {
            // What it says of a parameter without effect is said to scripts of the replaced module.
            let is_core = name.starts_with("Microsoft.PowerShell.Core\\");
            assert!(is_core || name == "Microsoft.PowerShell.Utility\\Write-Verbose", "{name}");
            continue;
        };
        if !seen.contains(&name) {
            seen.push(name);
            open.extend(script.calls(function.node).into_iter().map(|(called, _)| called));
        }
    }
    assert!(seen.contains(&"Confirm-SvcModuleChange") && seen.contains(&"Save-SvcModuleContextTable"), "{seen:?}");
}

/// A script block that replaces what a pattern finds costs a delegate at each call, 0.85 ms of each record.
#[test]
fn nothing_is_replaced_by_a_script_block() {
    let script = script();
    let text = script.text(script.root());
    assert!(!text.contains("[regex]::"), "the pattern is made once, in the bindings");
    let bindings = read(&module().join("Interop.cs"));
    assert_eq!(bindings.matches("new Regex(").count(), bindings.matches("private static readonly Regex ").count());
    assert!(bindings.contains("private static readonly Regex Misleading = new Regex("), "it is made once");
}

/// The console has nothing better to say of an input that is closed than a reference to nothing.
#[test]
fn an_input_that_is_closed_is_told_in_words() {
    let script = script();
    let text = script.text(script.function_named("Deny-SvcModuleConfirmation").node);
    assert!(
        text.contains(
            "if ($Problem.GetBaseException() -is [NullReferenceException]) { 'there is no input to answer from.' }"
        ),
        "{text}"
    );
}

/// These ask at every record under `-Debug`, and what `WriteObject` is thrown at comes back wrapped.
#[test]
fn records_are_not_written_by_methods_that_ask() {
    let script = script();
    let used = methods(&script, script.root());
    for method in ["WriteVerbose", "WriteDebug", "WriteWarning", "WriteObject"] {
        assert!(!used.contains(&method), "{method}");
    }
    for method in ["WriteError", "WriteInformation", "WriteProgress", "ShouldProcess", "ShouldContinue"] {
        assert!(used.contains(&method), "{method}");
    }
}

/// Texts of servers and documents reach a terminal, or a pipeline that reads the log, escaped.
#[test]
fn texts_for_people_are_escaped() {
    let script = script();
    let shown = "[SvcDeploy.ShownText]::Of(";
    for (function, parts) in [
        (
            "Receive-SvcModuleMessage",
            &["Write-Verbose -Message (", "Write-Debug -Message (", "Write-Warning -Message ("][..],
        ),
        ("Close-SvcModuleOperation", &["WriteWarningLine(("]),
        ("ConvertTo-SvcModuleProgressRecord", &["$Message['activityId'], (", "$record.CurrentOperation = "]),
        ("Confirm-SvcModulePlan", &["$question = ", "$Cmdlet.ShouldProcess(("]),
        ("Show-SvcModulePlan", &["{ Write-SvcModuleLine -Cmdlet $Cmdlet -Text ("]),
        ("ConvertTo-SvcModuleDeploymentError", &["-Code (", "-Recommendation ("]),
    ] {
        let text = script.text(script.function_named(function).node);
        for part in parts {
            assert!(text.contains(&format!("{part}{shown}")), "{part} in {text}");
        }
    }
}

/// Otherwise an error before the operation starts would end one statement, and the command would go on without it. What
/// `-ErrorAction Stop` throws has ended the command already.
#[test]
fn what_prepares_a_run_ends_the_command_when_it_fails() {
    let script = script();
    for name in ["Invoke-SvcModuleGuarded", "Invoke-SvcModuleOperation"] {
        let part = script.function_named(name).node;
        let guard = find(part, "try_statement")[0];
        let clauses = child(guard, "catch_clauses").unwrap();
        let caught: Vec<&str> = children(clauses, "catch_clause").map(|clause| script.text(clause)).collect();
        let expected = [
            "catch [Management.Automation.PipelineStoppedException], [Management.Automation.ActionPreferenceStopException] { throw }",
            "catch { $ending['Record'] = $_ }",
        ];
        assert_eq!(caught, expected, "{name}");
        let guarded = child(guard, "statement_block").unwrap().byte_range();
        let outside = find(part, "command")
            .into_iter()
            .filter(|command| !guarded.contains(&command.start_byte()))
            .filter(|command| command.start_byte() < guard.end_byte())
            .map(|command| script.text(command));
        assert_eq!(outside.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
    }
}

/// What can be tried without PowerShell stands in the bindings; the script asks, shows and throws.
#[test]
fn the_script_stays_small() {
    // Each command has a function of thirteen lines, a call and its parameters; each member of the context a line in its table and a parameter.
    let members = svc_engine::run::registry::CONTEXT_MEMBERS.len();
    let limit = 1420 + 2 * members + 13 * svc_engine::run::registry::COMMANDS.len().saturating_sub(8);
    let lines = read(&module().join("SvcDeploy.psm1")).lines().count();
    assert!(
        lines <= limit,
        "SvcDeploy.psm1 has {lines} lines and may have {limit}: move text and values to Interop.cs"
    );
}

/// `break` and `continue` of the next command end the nearest loop or switch. That of the operation is the only one around an object that
/// leaves the module, and it hands them on.
#[test]
fn the_flow_of_the_next_command_is_handed_on() {
    let script = script();
    let node = script.function_named("Invoke-SvcModuleOperation").node;
    let lines: Vec<&str> = script.text(node).lines().map(str::trim).collect();
    let delivered: Vec<&[&str]> = lines.windows(3).filter(|lines| lines[1] == "$objects").collect();
    assert_eq!(delivered, [["$delivering = $true", "$objects", "$delivering = $false"]]);
    let body = lines.iter().position(|line| *line == ":SvcModule while (-not $finished) {").unwrap();
    assert_eq!(lines[body + 2], "if ($delivering) { $continued = $true; break }");
    let end = lines.len();
    assert_eq!(lines[end - 3..], ["if ($continued) { continue }", "if (-not $finished) { break }", "}"]);
    // Everything else that the loop calls is kept in a variable.
    let loops = find(node, "while_statement");
    let received = script.calls(loops[0]);
    assert!(received.iter().any(|(name, _)| *name == "Receive-SvcModuleMessage"), "{received:?}");
    assert!(lines.iter().any(|line| line.starts_with("$objects = Receive-SvcModuleMessage ")));
}

/// The preferences are taken over before anything reads one of them.
#[test]
fn the_preferences_are_those_of_the_caller_before_they_are_read() {
    let script = script();
    let text = script.text(script.function_named("Invoke-SvcModuleOperation").node);
    let taken_over = text.find("PSVariable.Set($name, $Cmdlet.GetVariableValue($name))").unwrap();
    assert!(taken_over < text.find("[bool] $WhatIfPreference").unwrap());
}

/// Errors of single resources are held back where the first one would end the command.
#[test]
fn under_stop_only_the_last_error_is_written() {
    let script = script();
    let text = script.text(script.function_named("Receive-SvcModuleMessage").node);
    assert!(text.contains("elseif (-not $stops) { $Cmdlet.WriteError("), "{text}");
    assert!(text.contains("-ListFailures:$stops"), "{text}");
}

/// Outside of `try` a call that the library refuses would end its statement only, and the command would wait for ever.
#[test]
fn calls_of_the_library_stand_where_a_refusal_is_caught() {
    let script = script();
    let called = |call: &Node<'_>| child(*call, "member_name").map(|name| script.text(name)).unwrap_or_default();
    for (method, count) in [("Next", 3), ("Answer", 1)] {
        let calls = find(script.root(), "invokation_expression").into_iter().filter(|call| called(call) == method);
        let calls: Vec<Node<'_>> = calls.collect();
        assert_eq!(calls.len(), count, "{method}");
        for call in calls {
            let around = std::iter::successors(call.parent(), Node::parent).find(|node| node.kind() == "try_statement");
            let clauses = around.and_then(|guard| child(guard, "catch_clauses"));
            assert!(clauses.is_some_and(|clauses| clauses.start_byte() > call.end_byte()), "{method}");
        }
    }
}

/// PowerShell's names know no case, and the variable of a loop is the parameter of its name: a file was written over a document.
/// Whatever PowerShell sets or binds is not set by a function.
#[test]
fn nothing_assigns_to_a_parameter_or_to_what_powershell_sets() {
    let script = script();
    assert_eq!(assigned_wrongly(&script), Vec::<String>::new());
    let broken = "function A {\n param([string] $Path)\n foreach ($path in 1) { }\n $PSCmdlet = 1\n $a, $Error = 1, 2\n $b.Try([ref] $PATH)\n}\n";
    assert_eq!(assigned_wrongly(&Script::parse(broken)), ["A: $path", "A: $PSCmdlet", "A: $Error", "A: $PATH"]);
}

fn assigned_wrongly(script: &Script) -> Vec<String> {
    let mut wrong = Vec::new();
    for function in script.functions() {
        let loops = find(function.node, "foreach_statement").into_iter().filter_map(|node| child(node, "variable"));
        let assigned = find(function.node, "left_assignment_expression").into_iter().flat_map(|left| {
            let text = script.text(left);
            // An entry or a member of a value is not the variable.
            let whole = !text.contains(['[', '.']);
            if whole { find(left, "variable") } else { Vec::new() }
        });
        // A method sets what it is handed like this.
        let handed = find(function.node, "cast_expression").into_iter();
        let handed = handed.filter(|cast| script.text(*cast).to_lowercase().starts_with("[ref]"));
        let handed = handed.filter_map(|cast| find(cast, "variable").first().copied());
        for variable in loops.chain(assigned).chain(handed) {
            let name = script.text(variable).trim_start_matches('$');
            let is_name = |taken: &str| taken.eq_ignore_ascii_case(name);
            if function.parameters.iter().any(|parameter| is_name(parameter.name))
                || AUTOMATIC.iter().copied().any(is_name)
            {
                wrong.push(format!("{}: ${name}", function.name));
            }
        }
    }
    wrong
}

/// The variables that `about_Automatic_Variables` and `about_Preference_Variables` name; `$null` takes any value and keeps none.
const AUTOMATIC: [&str; 57] = [
    "args",
    "ConfirmPreference",
    "ConsoleFileName",
    "DebugPreference",
    "EnabledExperimentalFeatures",
    "Error",
    "ErrorActionPreference",
    "ErrorView",
    "Event",
    "EventArgs",
    "EventSubscriber",
    "ExecutionContext",
    "false",
    "foreach",
    "FormatEnumerationLimit",
    "HOME",
    "Host",
    "InformationPreference",
    "input",
    "IsCoreCLR",
    "IsLinux",
    "IsMacOS",
    "IsWindows",
    "LASTEXITCODE",
    "LogCommandHealthEvent",
    "Matches",
    "MaximumHistoryCount",
    "MyInvocation",
    "NestedPromptLevel",
    "OFS",
    "OutputEncoding",
    "PID",
    "PROFILE",
    "ProgressPreference",
    "PSBoundParameters",
    "PSCmdlet",
    "PSCommandPath",
    "PSCulture",
    "PSDebugContext",
    "PSDefaultParameterValues",
    "PSEdition",
    "PSEmailServer",
    "PSHOME",
    "PSItem",
    "PSModuleAutoLoadingPreference",
    "PSNativeCommandArgumentPassing",
    "PSScriptRoot",
    "PSSenderInfo",
    "PSStyle",
    "PSUICulture",
    "PSVersionTable",
    "PWD",
    "Sender",
    "ShellId",
    "StackTrace",
    "switch",
    "this",
];

/// The left side gives a comparison its type: `$true -ne 'None'` is false, and deleted without a question.
#[test]
fn constants_stand_on_the_left_of_comparisons() {
    let script = script();
    assert_eq!(compared_wrongly(&script), Vec::<&str>::new());
    let broken = "if ($a -ne 'None') { }\nif ('None' -ne $a) { }\n$b.C -eq $true\n";
    assert_eq!(compared_wrongly(&Script::parse(broken)), ["$a -ne 'None'", "$b.C -eq $true"]);
}

fn compared_wrongly(script: &Script) -> Vec<&str> {
    let compares = |node: &Node<'_>| {
        let operator = child(*node, "comparison_operator").map(|operator| script.text(operator).to_lowercase());
        operator.is_some_and(|operator| ["-eq", "-ne", "-ceq", "-cne", "-ieq", "-ine"].contains(&operator.as_str()))
    };
    let constant_is_right = |node: &Node<'_>| {
        let right = script.text(*node).rsplit(' ').next().unwrap_or_default();
        right.starts_with(['\'', '"']) || ["$true", "$false", "$null"].contains(&right.to_lowercase().as_str())
    };
    let comparisons = find(script.root(), "comparison_expression").into_iter().filter(compares);
    comparisons.filter(constant_is_right).map(|node| script.text(node)).collect()
}

/// What a caller asks of a dry run, and a question that cannot be asked, hold for files and the context as well.
#[test]
fn nothing_is_written_before_the_caller_has_been_asked() {
    let script = script();
    let asks = methods(&script, script.function_named("Confirm-SvcModuleChange").node);
    assert!(asks.contains(&"ShouldProcess"), "{asks:?}");
    for (name, helper, answer) in [
        ("Export-SvcSettings", "Add-SvcModuleWrittenFile", "{ $ending['IsSkipped'] = $true }"),
        ("New-SvcSettings", "Add-SvcModuleWrittenFile", "{ $ending['IsSkipped'] = $true }"),
        (TEMPLATE.name, "Add-SvcModuleTemplateOption", "{ $ending['IsSkipped'] = $true; return }"),
        ("Set-SvcContext", "Edit-SvcModuleContext", "{ return }"),
        ("Clear-SvcContext", "Clear-SvcModuleContext", "{ Save-SvcModuleContextTable "),
        ("Register-SvcAlias", "Register-SvcModuleAlias", "{ return }"),
        ("Start-SvcLocalCloud", "Start-SvcModuleLocalCloud", "{ return }"),
        ("Stop-SvcLocalCloud", "Stop-SvcModuleLocalCloud", "{ return }"),
    ] {
        let function = script.function_named(name);
        let binding = function.attributes.iter().find(|attribute| attribute.name == "CmdletBinding").unwrap().written();
        assert!(binding.contains("SupportsShouldProcess"), "{name}: {binding}");
        assert!(script.text(function.node).contains(&format!("-Function '{helper}'")), "{name}");
        let text = script.text(script.function_named(helper).node);
        let (_, asked) = text.split_once("(Confirm-SvcModuleChange ").unwrap();
        let refuses = text.contains("if (-not (Confirm-SvcModuleChange ");
        assert_eq!(refuses, answer.contains("$true") || answer.contains("return"), "{text}");
        assert!(asked.lines().next().unwrap().contains(answer), "{asked}");
    }
    // Nothing is asked of the library where the answer was no.
    let operation = script.text(script.function_named("Invoke-SvcModuleOperation").node);
    let started = operation.find("[SvcDeploy.Operation]::new").unwrap();
    assert!(operation.find("if ($ending.Count) { return }").unwrap() < started, "{operation}");
    // Asked anywhere else, the preferences of the caller and a question that fails would be lost.
    let callers =
        script.functions().into_iter().filter(|function| methods(&script, function.node).contains(&"ShouldProcess"));
    assert_eq!(
        callers.map(|function| function.name).collect::<Vec<_>>(),
        ["Confirm-SvcModulePlan", "Confirm-SvcModuleChange"]
    );
}

/// A deletion is confirmed by somebody who chooses to: with a security impact, PowerShell offers No.
#[test]
fn the_answer_that_is_offered_for_a_deletion_is_no() {
    let script = script();
    let text = script.text(script.function_named("Confirm-SvcModulePlan").node);
    assert!(
        text.contains("ShouldContinue($question, 'Confirm deletion', $true, [ref] $yesToAll, [ref] $noToAll)"),
        "{text}"
    );
    // An environment is asked for once, deletions included.
    assert!(
        text.contains(
            "ShouldContinue($question, 'Confirm deployment', $deletions -gt 0, [ref] $yesToAll, [ref] $noToAll)"
        ),
        "{text}"
    );
    assert_eq!(text.matches("ShouldContinue(").count(), 2);
}

/// A filter like `Action -EQ 'keep'` finds what stays as it is, and a pipeline that counts objects does not stay green.
#[test]
fn a_dry_run_writes_planned_actions_only() {
    let script = script();
    let text = script.text(script.function_named("Receive-SvcModuleMessage").node);
    for part in [
        "if ([bool] $WhatIfPreference) { [Svc.PlannedAction]::new($Message, 'keep') }",
        "if ([bool] $WhatIfPreference) { [Svc.PlannedAction]::new($Message, 'unchanged') } else {",
    ] {
        assert!(text.contains(part), "{part}");
    }
}
