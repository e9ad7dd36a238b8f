//! `docs/pipelines.md`: what one may copy from it is right.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use svc_engine::run::registry::{CONTEXT_MEMBERS, all_commands};

use super::support::*;

const PAGE: &str = include_str!("../../../docs/pipelines.md");

/// The blocks of code in a language, as they stand in the page.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        let marked = line.strip_prefix("```").and_then(|fence| fence.split(' ').next());
        if marked == Some(language) {
            let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(code.join("\n") + "\n");
        }
    }
    assert!(!blocks.is_empty(), "{language}");
    blocks
}

/// The scripts in a pipeline, each with the shell that it is for.
fn scripts(pipeline: &Value, found: &mut Vec<(bool, String)>) {
    let is_powershell = pipeline["pwsh"] == true || pipeline["shell"] == "pwsh";
    for key in ["run", "script", "inlineScript", "Inline"] {
        if let Some(script) = pipeline[key].as_str() {
            found.push((is_powershell, script.to_owned()));
        }
    }
    pipeline.as_object().into_iter().flatten().for_each(|(_, value)| scripts(value, found));
    pipeline.as_array().into_iter().flatten().for_each(|item| scripts(item, found));
}

/// Every script of the page: of the pipelines, and those that stand alone.
fn all_scripts() -> (Vec<String>, Vec<String>) {
    let mut found: Vec<(bool, String)> = Vec::new();
    for block in blocks("yaml") {
        let pipeline =
            svc_engine::run::settings_object(block.clone()).unwrap_or_else(|problems| panic!("{problems:?}\n{block}"));
        assert!(pipeline.is_object(), "{block}");
        scripts(&pipeline, &mut found);
    }
    let (powershell, bash): (Vec<_>, Vec<_>) = found.into_iter().partition(|(is_powershell, _)| *is_powershell);
    let texts = |scripts: Vec<(bool, String)>| scripts.into_iter().map(|(_, text)| text);
    (texts(bash).chain(blocks("bash")).collect(), texts(powershell).chain(blocks("powershell")).collect())
}

/// The inputs that the pipelines of the page hand to the action of this repository.
pub(crate) fn inputs_of_the_action() -> Vec<String> {
    fn find(pipeline: &Value, found: &mut Vec<String>) {
        if pipeline["uses"].as_str().is_some_and(|uses| uses.starts_with("OWNER/NAME@")) {
            found.extend(pipeline["with"].as_object().unwrap().keys().cloned());
        }
        pipeline.as_object().into_iter().flatten().for_each(|(_, value)| find(value, found));
        pipeline.as_array().into_iter().flatten().for_each(|item| find(item, found));
    }
    let mut found = Vec::new();
    for block in blocks("yaml") {
        find(&svc_engine::run::settings_object(block).unwrap(), &mut found);
    }
    found
}

/// A workflow that one copies has what it runs: `svc`, the environment of the names, and the commit that the plan is called after.
#[test]
fn its_workflows_install_what_they_run_and_plan_the_commit_that_they_name() {
    let mut seen = 0;
    for block in blocks("yaml").into_iter().filter(|block| block.contains("runs-on:")) {
        let at = |part: &str| block.find(part);
        let install = at("uses: OWNER/NAME@").unwrap_or_else(|| panic!("nothing installs svc:\n{block}"));
        assert!(at("run: svc ").or(at("  svc ")).is_none_or(|run| install < run), "{block}");
        assert!(block.contains("\n  SVC_ENVIRONMENT: "), "{block}");
        if block.contains("pull_request:") {
            assert!(block.contains("          ref: ${{ github.event.pull_request.head.sha }}\n"), "{block}");
        }
        seen += 1;
    }
    assert!(seen >= 4, "{seen}");
}

/// A program that reads a script and says what is wrong with it; none where the machine has no such program.
fn check(program: &str, arguments: &[&str], script: &str) -> Option<Output> {
    let mut command = Command::new(program);
    let spawned = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = spawned else {
        eprintln!("SKIPPED: there is no '{program}' on this machine");
        return None;
    };
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    Some(finish(child))
}

#[test]
fn its_scripts_can_be_read() {
    let (bash, powershell) = all_scripts();
    assert!(bash.len() >= 8 && powershell.len() >= 3, "{} and {}", bash.len(), powershell.len());
    for script in &bash {
        let Some(output) = check("bash", &["-n"], script) else { break };
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{script}");
    }
    let parse = "[void][scriptblock]::Create([Console]::In.ReadToEnd())";
    for script in &powershell {
        let Some(output) = check("pwsh", &["-NoProfile", "-Command", parse], script) else { break };
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{script}");
    }
}

/// The command lines of `svc` in a script, in one line each.
fn command_lines(script: &str) -> Vec<String> {
    let joined = script.replace("\\\n", " ");
    joined.lines().map(str::trim).filter(|line| line.starts_with("svc ")).map(str::to_owned).collect()
}

#[test]
fn options_of_its_command_lines_exist() {
    let folder = Folder::new();
    let (bash, _) = all_scripts();
    let lines: Vec<String> = bash.iter().flat_map(|script| command_lines(script)).collect();
    assert!(lines.len() >= 6, "{lines:#?}");
    for line in lines {
        let verb = line.split_whitespace().nth(1).unwrap();
        let help = folder.svc(&["help", verb]);
        assert_eq!(help.status, 0, "{line}");
        for option in line.split_whitespace().filter(|word| word.starts_with("--")) {
            let is_there = help
                .stdout
                .split_whitespace()
                .any(|word| word.trim_end_matches([',', '=']).split(['=', '[']).next() == Some(option));
            assert!(is_there, "{option} of {line}");
        }
    }
}

#[test]
fn parameters_of_its_cmdlets_exist() {
    let (_, powershell) = all_scripts();
    let mut seen = 0;
    for line in powershell.iter().flat_map(|script| script.lines()).map(str::trim) {
        let name = line.split_whitespace().next().unwrap_or_default();
        let known: Vec<&str> = match all_commands().find(|command| command.name == name) {
            Some(command) => {
                let own = command.parameters.iter().map(|parameter| parameter.name);
                own.chain(["WhatIf", "Confirm", "Verbose", "OutVariable"]).collect()
            }
            None if name == "Set-SvcContext" => CONTEXT_MEMBERS.iter().map(|member| member.parameter).collect(),
            None => continue,
        };
        for word in line.split_whitespace().filter_map(|word| word.strip_prefix('-')) {
            let parameter = word.split(':').next().unwrap_or_default();
            assert!(known.contains(&parameter), "-{parameter} of {line}");
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen}");
}

/// A job that fails for ever because of what no run changes is switched off.
#[test]
fn the_drift_job_in_powershell_fails_where_something_differs() {
    let (_, powershell) = all_scripts();
    let drift = powershell.iter().find(|script| script.contains("drift.")).unwrap();
    assert!(drift.contains("$drift = Compare-SvcDeployment ") && !drift.contains("-WhatIf"), "{drift}");
    assert!(drift.contains("if ($drift.HasDifferences) { throw $drift.Sentence }"), "{drift}");
}
