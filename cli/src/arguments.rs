//! The command line as clap knows it, made from the registry.

use std::ffi::OsStr;

use clap::builder::{BoolishValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use svc_engine::run::registry::{
    CONTEXT_MEMBERS, ContextMember, ContextMemberKind, Described, HostOption, HostOptionKind, Parameter, ParameterKind,
    ParameterSet, all_commands,
};

use super::completions::{COMPLETE, CompletedPlace, ShellArguments};
use super::explain;
use super::export;
use super::help;
use super::local_arguments::LocalArguments;
use super::man::ManArguments;
use super::new_document::{NewArguments, SchemaArguments};
use super::options::{Form, Switch};
use super::parameters::kebab;
use super::template;
use super::verbs;
use super::wording::in_own_words;

/// A command by any of its spellings.
pub(super) fn command_called(name: &str) -> Option<Described> {
    all_commands()
        .find(|command| command.name.eq_ignore_ascii_case(name) || command.subcommand().eq_ignore_ascii_case(name))
}

/// The whole command line.
pub(super) fn program() -> Command {
    Command::new("svc")
        .about("Deploys Azure infrastructure from settings documents.")
        .max_term_width(help::WIDEST)
        .after_help("PowerShell's spelling also works: svc New-SvcIaasStorage -SettingsFile storage.yml -WhatIf")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(verbs::subcommands())
        .subcommand(template::subcommand())
        .subcommands(all_commands().map(|command| deployment(&command)))
        .subcommand(LocalArguments::augment_args(Command::new("local")))
        .subcommand(NewArguments::augment_args(Command::new("new")))
        .subcommand(SchemaArguments::augment_args(Command::new("schema")))
        .subcommand(explain::subcommand())
        .subcommand(export::subcommand())
        .subcommand(ShellArguments::augment_args(Command::new("completions")))
        .subcommand(CompletedPlace::augment_args(Command::new(COMPLETE)))
        .subcommand(ManArguments::augment_args(Command::new("man")))
}

fn deployment(command: &Described) -> Command {
    Command::new(command.subcommand())
        .about(command.synopsis)
        .long_about(format!("{}\n\n{}", command.synopsis, in_own_words(command.description)))
        .after_help(help::of_command(command))
        .args(command.parameters.iter().map(parameter))
        .args(Switch::OF_COMMANDS.map(Switch::arg))
        .arg(Form::arg(Form::OF_COMMANDS, FORMS))
        .args(context(|_| true))
}

/// The help of the forms that every command has.
pub(super) const FORMS: &str = "json prints the messages of the engine to standard output, one per line; github adds annotations and the summary of the job to the text.";

/// The values that shells complete for a member of the context, which takes others, too.
fn offered(member: &str) -> &'static [&'static str] {
    match member {
        "cloud" => &["public", "usgovernment", "china", "local"],
        "environment" => &["development", "integration", "test", "production", "default"],
        _ => &[],
    }
}

/// Takes any text, and offers some.
#[derive(Clone)]
struct Offered(&'static [&'static str]);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|value| PossibleValue::new(*value))))
    }
}

/// The options of the context. Those that are of no use are taken all the same, and not shown: a script may set them for every verb.
pub(super) fn context(is_of_use: impl Fn(&ContextMember) -> bool) -> impl Iterator<Item = Arg> {
    CONTEXT_MEMBERS.iter().map(move |member| context_member(member).hide(!is_of_use(member)))
}

/// Whether a member of the context says what a plan has, or what is told of it or becomes of it.
pub(super) fn is_about_plans(member: &ContextMember) -> bool {
    member.is_of_plans || ["allowForeignDeletes", "enforceDefaults"].contains(&member.name)
}

/// An option that sets a member of the context.
fn context_member(member: &'static ContextMember) -> Arg {
    let arg = match member.kind {
        ContextMemberKind::Flag => switch(member.parameter, member.help),
        kind => {
            let arg = Arg::new(member.parameter)
                .long(kebab(member.parameter))
                .value_name(if kind.is_path() { "PATH" } else { "TEXT" })
                .help(in_own_words(&format!("{} [variable: {}]", member.help, member.variable)));
            let arg = match offered(member.name) {
                [] => arg,
                values => arg.value_parser(Offered(values)).hide_possible_values(true),
            };
            // A list of PowerShell's, or the option more than once.
            if matches!(kind, ContextMemberKind::Paths | ContextMemberKind::Texts) {
                arg.action(ArgAction::Append).value_delimiter(',')
            } else {
                arg
            }
        }
    };
    arg.help_heading("Context")
}

/// An option for a parameter of a command.
pub(super) fn parameter(parameter: &'static Parameter) -> Arg {
    match parameter.kind {
        ParameterKind::Switch => switch(parameter.name, parameter.help),
        ParameterKind::Path | ParameterKind::Paths | ParameterKind::Settings => {
            let is_settings = parameter.kind == ParameterKind::Settings;
            let help = if is_settings { "The settings as JSON or YAML from standard input: -" } else { parameter.help };
            let mut arg = Arg::new(parameter.name)
                .long(kebab(parameter.name))
                .value_name(if is_settings { "-" } else { "PATH" })
                .help(in_own_words(help));
            if parameter.kind == ParameterKind::Paths {
                // A list of PowerShell's, or the option more than once.
                arg = arg.action(ArgAction::Append).value_delimiter(',').num_args(1..);
            }
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

/// An option for what a command takes beside its parameters.
pub(super) fn host_option(option: &'static HostOption) -> Arg {
    let value = match option.kind {
        HostOptionKind::Switch => return switch(option.name, option.help),
        HostOptionKind::Path => "FILE",
        HostOptionKind::Text | HostOptionKind::Texts => "NAME",
    };
    let argument = Arg::new(option.name);
    let argument = if option.kind == HostOptionKind::Texts { argument.num_args(1..) } else { argument };
    argument.long(kebab(option.name)).value_name(value).required(option.is_required).help(in_own_words(option.help))
}

/// An option that is on or off: its name alone, or with `=true`, `=false` and what PowerShell writes for these.
pub(super) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(kebab(name))
        .help(in_own_words(help))
        .value_name("BOOL")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("true")
        .hide_possible_values(true)
        .value_parser(BoolishValueParser::new())
        .action(ArgAction::Set)
}

/// The arguments of a subcommand as its type has them. Clap has checked them already.
pub(super) fn of<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}
