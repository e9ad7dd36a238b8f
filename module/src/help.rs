//! Help texts: the comments that `Get-Help` reads, and `about_SvcDeploy`.

use svc_engine::run::registry::Command;
use svc_engine::run::registry::ContextMember;

use crate::template::{fill, lines, wrap};

/// Where comments end.
const COMMENT_WIDTH: usize = 120;

/// Where the about file ends: it is shown as it is in an ordinary terminal.
const ABOUT_WIDTH: usize = 76;

/// The hidden parameter beside a switch.
const LEGACY_BOOLEAN_HELP: &str =
    "Takes the value of the switch in -{} $true and -{} $false, which scripts written for a boolean parameter pass.";

/// The comment of a command's function, without its delimiters.
pub(crate) fn command(command: &Command, legacy_switch: Option<&str>) -> String {
    let mut sections = vec![section("SYNOPSIS", command.synopsis), section("DESCRIPTION", command.description)];
    sections.extend(command.parameters.iter().map(|parameter| self::parameter(parameter.name, parameter.help)));
    if let Some(switch) = legacy_switch {
        sections.push(parameter("LegacyBoolean", &LEGACY_BOOLEAN_HELP.replace("{}", switch)));
    }
    sections.push(section("INPUTS", "System.Object. Settings as an object, or the file of a settings document."));
    sections
        .push(section("OUTPUTS", "Svc.DeployedResource. One for each resource that was created, changed or deleted."));
    sections.push(section("OUTPUTS", "Svc.PlannedAction. With -WhatIf, one for each resource that would be."));
    // The first line of an example is its code, so that one is never broken.
    sections.extend(
        command
            .examples
            .iter()
            .map(|example| format!("    .EXAMPLE\n    {}\n{}", example.code, wrap(example.text, 4, COMMENT_WIDTH))),
    );
    sections.push(section("LINK", "about_SvcDeploy"));
    sections.push(section("LINK", "Set-SvcContext"));
    sections.join("\n")
}

/// The help of one parameter.
pub(crate) fn parameter(name: &str, help: &str) -> String {
    section(&format!("PARAMETER {name}"), help)
}

fn section(keyword: &str, text: &str) -> String {
    format!("    .{keyword}\n{}", wrap(text, 4, COMMENT_WIDTH))
}

/// The text of `about_SvcDeploy`.
pub(crate) fn about(commands: &[Command], context: &[ContextMember]) -> String {
    let described = commands.iter().map(|command| entry(command.name, command.synopsis));
    let members =
        context.iter().map(|member| entry(&format!("-{} ({})", member.parameter, member.variable), member.help));
    let names = commands.iter().map(|command| format!("    {}", command.name));
    fill(
        include_str!("../templates/about_SvcDeploy.help.txt.in"),
        &[("COMMANDS", &lines(described)), ("CONTEXT", &lines(members)), ("SEE_ALSO", &lines(names))],
    )
}

/// A name, and what it is in the lines below it.
fn entry(name: &str, text: &str) -> String {
    format!("    {name}\n{}", wrap(text, 8, ABOUT_WIDTH))
}
