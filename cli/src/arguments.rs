//! The command line as clap knows it, made from the registry.

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{Arg, ArgAction, Command, value_parser};
use svc_engine::run::registry::{self as commands, COMMANDS, Parameter, ParameterKind, ParameterSet};
use svc_engine::run::registry::{CONTEXT_MEMBERS, ContextMemberKind};

use super::parameters::kebab;

/// A command by any of its spellings.
pub(super) fn command_called(name: &str) -> Option<&'static commands::Command> {
    COMMANDS
        .iter()
        .find(|command| command.name.eq_ignore_ascii_case(name) || command.subcommand().eq_ignore_ascii_case(name))
}

/// The whole command line.
pub(super) fn program() -> Command {
    Command::new("svc")
        .about("Deploys Azure infrastructure from settings documents.")
        .after_help("PowerShell's spelling also works: svc New-SvcIaasStorage -SettingsFile storage.yml -WhatIf")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(deployment))
        .subcommand(local())
        .subcommand(
            Command::new("schema")
                .about("Prints the JSON Schema of a command's settings document, for editors.")
                .arg(Arg::new("command").value_name("COMMAND").required(true)),
        )
}

fn deployment(command: &'static commands::Command) -> Command {
    let mut subcommand = Command::new(command.subcommand())
        .about(command.synopsis)
        .long_about(format!("{}\n\n{}", command.synopsis, command.description))
        .args(command.parameters.iter().map(parameter));
    subcommand = subcommand
        .arg(switch("WhatIf", "Shows what would be done and changes nothing."))
        .arg(switch("Confirm", "Asks before each change; --confirm=false never asks. Default: asks before deletions, and for nothing on the local cloud."))
        .arg(switch("Full", "Shows every value of new resources, defaults included."))
        .arg(switch("Verbose", "Shows milestones and what is up to date."))
        .arg(switch("Debug", "Shows each request with its id and time."))
        .arg(
            Arg::new("Output")
                .long("output")
                .value_name("FORM")
                .value_parser(PossibleValuesParser::new(["text", "json"]))
                .default_value("text")
                .help("json prints the messages of the engine to standard output, one per line."),
        );
    subcommand.args(CONTEXT_MEMBERS.iter().map(|member| {
        let heading = "Context";
        match member.kind {
            ContextMemberKind::Flag => switch(member.parameter, member.help).help_heading(heading),
            kind => Arg::new(member.parameter)
                .long(kebab(member.parameter))
                .value_name(if kind.is_path() { "PATH" } else { "TEXT" })
                .help(format!("{} [variable: {}]", member.help, member.variable))
                .help_heading(heading),
        }
    }))
}

fn parameter(parameter: &'static Parameter) -> Arg {
    match parameter.kind {
        ParameterKind::Switch => switch(parameter.name, parameter.help),
        ParameterKind::Path | ParameterKind::Settings => {
            let is_settings = parameter.kind == ParameterKind::Settings;
            let help = if is_settings { "The settings as JSON or YAML from standard input: -" } else { parameter.help };
            let mut arg = Arg::new(parameter.name)
                .long(kebab(parameter.name))
                .value_name(if is_settings { "-" } else { "PATH" })
                .help(help);
            if is_settings {
                arg = arg
                    .value_parser(PossibleValuesParser::new(["-"]))
                    .allow_hyphen_values(true)
                    .hide_possible_values(true);
            }
            let other = match parameter.set {
                Some(ParameterSet::File) => "SettingsObject",
                Some(ParameterSet::Object) => "SettingsFile",
                None => return arg,
            };
            // Which of them is missing is told by the run, as an event where that is asked for.
            arg.conflicts_with(other)
        }
    }
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(kebab(name))
        .help(help)
        .value_name("BOOL")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("true")
        .hide_possible_values(true)
        .value_parser(BoolishValueParser::new())
        .action(ArgAction::Set)
}

fn local() -> Command {
    let state = || {
        Arg::new("state")
            .long("state")
            .value_name("FILE")
            .help("The file that keeps the resources. Default: they are lost when the local cloud stops.")
    };
    Command::new("local")
        .about("Serves the local cloud until it is stopped.")
        .args_conflicts_with_subcommands(true)
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS")
                .value_parser(value_parser!(std::net::SocketAddr))
                .default_value("127.0.0.1:8090")
                .help("The address to listen on; loopback only."),
        )
        .arg(state())
        .arg(
            Arg::new("request-log")
                .long("request-log")
                .value_name("FILE")
                .help("Appends every request to this file, one JSON object per line. Secrets are replaced by ***."),
        )
        .arg(
            Arg::new("request-log-secrets")
                .long("request-log-secrets")
                .requires("request-log")
                .action(ArgAction::SetTrue)
                .help("Writes secrets to the request log as they are."),
        )
        .arg(
            Arg::new("host-name")
                .long("host-name")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Another host name to answer to, such as that of a proxy; can be used several times."),
        )
        .arg(
            Arg::new("latency-ms")
                .long("latency-ms")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("0")
                .help("The delay of every request, in milliseconds."),
        )
        .arg(
            Arg::new("operation-time")
                .long("operation-time")
                .value_name("FACTOR")
                .value_parser(value_parser!(f64))
                .help("How long slow operations take, as a fraction of their time in Azure; 1 is as slow as Azure."),
        )
        .arg(
            Arg::new("throttling").long("throttling").action(ArgAction::SetTrue).help("Limits requests as Azure does."),
        )
        .arg(
            Arg::new("fault")
                .long("fault")
                .value_name("FAULT")
                .action(ArgAction::Append)
                .help("A fault to inject, as described in docs/local-cloud.md; can be used several times."),
        )
        .subcommand(
            Command::new("import")
                .about("Imports existing resources into a state file.")
                .arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .required(true)
                        .help("A JSON array of ARM resources with their ids."),
                )
                .arg(state().required(true)),
        )
}
