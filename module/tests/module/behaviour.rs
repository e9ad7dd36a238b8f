//! How the script does what a real PowerShell was seen to need; `docs/powershell-module.md` has the reasons.

use svc_engine::run::registry::{COMMANDS, DEPLOYMENT, TEMPLATE};
use tree_sitter::Node;

use crate::script::{Script, child, find};
use crate::{module, read};

fn script() -> Script {
    Script::parse(&read(&module().join("SvcDeploy.psm1")))
}

/// The methods that a part of the script calls, as in `$Cmdlet.WriteError`.
fn methods<'script>(script: &'script Script, node: Node<'_>) -> Vec<&'script str> {
    let called = find(node, "invokation_expression").into_iter().filter_map(|call| child(call, "member_name"));
    called.map(|name| script.text(name)).collect()
}

/// `begin` would run in the function, where the preferences are typed and an error ends one statement only. What collects the pipeline
/// begins with nothing and does its work in `end`.
#[test]
fn functions_have_nothing_but_process() {
    let script = script();
    let collect = [DEPLOYMENT.name, TEMPLATE.name].map(|name| script.function_named(name).node.byte_range());
    let (collecting, others): (Vec<_>, Vec<_>) = find(script.root(), "named_block")
        .into_iter()
        .partition(|block| collect.iter().any(|own| own.contains(&block.start_byte())));
    assert!(others.len() > COMMANDS.len(), "{}", others.len());
    for block in others {
        let text = script.text(block);
        assert!(text.starts_with("process {"), "{text}");
    }
    let kinds: Vec<&str> =
        collecting.iter().filter_map(|block| script.text(*block).split_whitespace().next()).collect();
    assert_eq!(kinds, ["begin", "process", "end", "begin", "process", "end"]);
    assert_eq!(script.text(collecting[0]), "begin { $request = @{} }");
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
    let shown = "ConvertTo-ShownText -Text ";
    for (function, parts) in [
        ("Receive-Message", &["Write-Verbose -Message (", "Write-Debug -Message (", "Write-Warning -Message ("][..]),
        ("Stop-Operation", &["WriteWarningLine(("]),
        ("ConvertTo-ProgressRecord", &["$Message['activityId'], (", "$record.CurrentOperation = "]),
        ("Confirm-Plan", &["$question = ", "$Cmdlet.ShouldProcess(("]),
        ("ConvertTo-DeploymentError", &["::new((", "-Code (", "-Recommendation ("]),
    ] {
        let text = script.text(script.function_named(function).node);
        for part in parts {
            assert!(text.contains(&format!("{part}{shown}")), "{part} in {text}");
        }
    }
}

/// Otherwise an error before the operation starts would end one statement, and the command would go on without it.
#[test]
fn what_prepares_a_run_ends_the_command_when_it_fails() {
    let script = script();
    let names = COMMANDS.iter().map(|command| command.name).chain(["Invoke-Operation", "Set-SvcContext"]);
    let mut parts: Vec<(&str, Node<'_>)> = names.map(|name| (name, script.function_named(name).node)).collect();
    let deployment = find(script.function_named(DEPLOYMENT.name).node, "named_block");
    parts.extend(deployment[1..].iter().map(|block| (DEPLOYMENT.name, *block)));
    for (name, part) in parts {
        let guard = find(part, "try_statement")[0];
        let caught: Vec<&str> = find(guard, "catch_clause").into_iter().map(|clause| script.text(clause)).collect();
        assert_eq!(caught[0], "catch [Management.Automation.PipelineStoppedException] { throw }", "{name}");
        assert!(
            caught[1].starts_with("catch { $") && caught[1].ends_with("Cmdlet.ThrowTerminatingError($_) }"),
            "{name}"
        );
        assert_eq!(caught.len(), 2, "{name}");
        let guarded = child(guard, "statement_block").unwrap().byte_range();
        let outside = find(part, "command")
            .into_iter()
            .filter(|command| !guarded.contains(&command.start_byte()))
            .filter(|command| command.start_byte() < guard.end_byte());
        assert_eq!(outside.map(|command| script.text(command)).collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
    }
}

/// The preferences are taken over before anything reads one of them.
#[test]
fn the_preferences_are_those_of_the_caller_before_they_are_read() {
    let script = script();
    let text = script.text(script.function_named("Invoke-Operation").node);
    let taken_over = text.find("PSVariable.Set($name, $Cmdlet.GetVariableValue($name))").unwrap();
    assert!(taken_over < text.find("[bool] $WhatIfPreference").unwrap());
}

/// Errors of single resources are held back where the first one would end the command.
#[test]
fn under_stop_only_the_last_error_is_written() {
    let script = script();
    let text = script.text(script.function_named("Receive-Message").node);
    assert!(text.contains("if (-not $stops) { $Cmdlet.WriteError("), "{text}");
    assert!(text.contains("-ListFailures:$stops"), "{text}");
}

/// Outside of `try` a call that the library refuses would end its statement only, and the command would wait for ever.
#[test]
fn calls_of_the_library_stand_where_a_refusal_is_caught() {
    let script = script();
    let called = |call: &Node<'_>| child(*call, "member_name").map(|name| script.text(name)).unwrap_or_default();
    for (method, count) in [("Next", 2), ("Answer", 1)] {
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
