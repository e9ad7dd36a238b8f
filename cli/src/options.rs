//! The options of one run of the engine. Nothing else asks clap for them, and each is asked for by its entry in a table, so that one which does not
//! exist does not compile.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches};
use svc_engine::run::registry::{
    ContextMember, ContextMemberKind, HostOption, HostOptionKind, Parameter, ParameterKind,
};

use super::arguments::switch;

/// The files that a document may be in, as operands and behind `-f`.
const FILES: &str = "Files";
const MORE_FILES: &str = "MoreFiles";
/// The option that chooses the form of the output, in PowerShell's spelling.
pub(super) const FORM: &str = "Output";

/// A switch that several subcommands have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    WhatIf,
    Confirm,
    Full,
    Verbose,
    Debug,
    DetailedExitcode,
    Yes,
    Quiet,
}

impl Switch {
    /// The switches of the commands, in the order of their help.
    pub(super) const OF_COMMANDS: [Switch; 7] = [
        Switch::Yes,
        Switch::WhatIf,
        Switch::Confirm,
        Switch::Full,
        Switch::Verbose,
        Switch::Debug,
        Switch::DetailedExitcode,
    ];

    /// The name in PowerShell's spelling, with the help.
    const fn described(self) -> (&'static str, &'static str) {
        match self {
            Switch::WhatIf => ("WhatIf", "Shows what would be done and changes nothing."),
            Switch::Confirm => (
                "Confirm",
                "Asks before each change; --confirm=false never asks. Default: one question for the whole plan, none on the local cloud.",
            ),
            Switch::Full => ("Full", "Shows every value of new resources, defaults included."),
            Switch::Verbose => ("Verbose", "Shows milestones and what is up to date."),
            Switch::Debug => ("Debug", "Shows each request with its id and time."),
            Switch::DetailedExitcode => (
                "DetailedExitcode",
                "Ends with status 4 where something is planned, was changed or is kept although the settings say otherwise.",
            ),
            Switch::Yes => ("Yes", "Makes every change without a question, deletions too."),
            Switch::Quiet => ("Quiet", "Shows warnings and errors only, and the plan where there is a question."),
        }
    }

    /// The name in PowerShell's spelling.
    pub(super) const fn name(self) -> &'static str {
        self.described().0
    }

    /// The option.
    pub(super) fn arg(self) -> Arg {
        let (name, help) = self.described();
        switch(name, help)
    }
}

/// The form of what a run prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    Github,
    Sarif,
}

impl Form {
    const ALL: [Form; 4] = [Form::Text, Form::Json, Form::Github, Form::Sarif];

    /// The forms of every command.
    pub(super) const OF_COMMANDS: &[Form] = &[Form::Text, Form::Json, Form::Github];
    /// Those of what checks or compares.
    pub(super) const OF_CHECKS: &[Form] = &Form::ALL;
    /// Those of what writes a text.
    pub(super) const OF_TEXTS: &[Form] = &[Form::Text, Form::Json];

    const fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Json => "json",
            Form::Github => "github",
            Form::Sarif => "sarif",
        }
    }

    /// The option that chooses one of some forms.
    pub(super) fn arg(some: &'static [Form], help: &'static str) -> Arg {
        let called = |name: String| Form::ALL.into_iter().find(|form| form.name() == name).ok_or("unknown");
        let names = some.iter().map(|form| PossibleValue::new(form.name()));
        Arg::new(FORM)
            .long("output")
            .value_name("FORM")
            .value_parser(PossibleValuesParser::new(names).try_map(called))
            .default_value(Form::Text.name())
            .help(help)
    }

    /// Whether the messages, and with them standard output, are for a program.
    pub(super) fn is_for_programs(self) -> bool {
        matches!(self, Form::Json | Form::Sarif)
    }
}

/// The options that name documents.
pub(super) fn documents() -> [Arg; 2] {
    [
        Arg::new(FILES)
            .value_name("FILE")
            .num_args(1..)
            .required_unless_present(MORE_FILES)
            .help("A settings document, JSON or YAML, or a folder of them; - reads a document from standard input."),
        more_files(),
    ]
}

/// The option that names further documents.
pub(super) fn more_files() -> Arg {
    Arg::new(MORE_FILES)
        .short('f')
        .long("file")
        .value_name("FILE")
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .help("Another document or folder, named by an option; can be used several times.")
}

/// The value that is said of an option.
pub(super) enum Given<'a> {
    Flag(bool),
    Texts(Vec<&'a str>),
}

impl<'a> Given<'a> {
    /// The text that counts: the last; none for an empty one, as a wrapper hands over an unset variable.
    pub(super) fn text(&self) -> Option<&'a str> {
        match self {
            Given::Flag(_) => None,
            Given::Texts(texts) => texts.last().copied().filter(|text| !text.is_empty()),
        }
    }
}

/// The options of a run, as far as its subcommand has them.
#[derive(Clone, Copy)]
pub(super) struct Options<'a>(&'a ArgMatches);

impl<'a> Options<'a> {
    /// The options that clap found.
    pub(super) fn of(matches: &'a ArgMatches) -> Options<'a> {
        Options(matches)
    }

    /// The form of the output.
    pub(super) fn form(self) -> Form {
        self.0.try_get_one(FORM).ok().flatten().copied().unwrap_or(Form::Text)
    }

    /// The documents and folders that are named.
    pub(super) fn files(self) -> Vec<&'a str> {
        [FILES, MORE_FILES].into_iter().filter_map(|name| self.texts(name)).flatten().collect()
    }

    /// The values without a name in front of them, by the name of the operand.
    pub(super) fn operands(self, name: &'static str) -> Vec<&'a str> {
        self.texts(name).unwrap_or_default()
    }

    /// The value that is said of a switch.
    pub(super) fn said(self, switch: Switch) -> Option<bool> {
        self.flag(switch.name())
    }

    /// Whether a switch is on.
    pub(super) fn is_on(self, switch: Switch) -> bool {
        self.said(switch).unwrap_or_default()
    }

    /// The value that is said of a parameter of a command.
    pub(super) fn parameter(self, parameter: &Parameter) -> Option<Given<'a>> {
        self.given(parameter.name, parameter.kind == ParameterKind::Switch)
    }

    /// The value that is said of a member of the context.
    pub(super) fn context_member(self, member: &ContextMember) -> Option<Given<'a>> {
        self.given(member.parameter, member.kind == ContextMemberKind::Flag)
    }

    /// The value that is said of an option that a subcommand has beside its parameters.
    pub(super) fn option(self, option: &HostOption) -> Option<Given<'a>> {
        self.given(option.name, option.kind == HostOptionKind::Switch)
    }

    fn given(self, name: &str, is_switch: bool) -> Option<Given<'a>> {
        if is_switch { self.flag(name).map(Given::Flag) } else { self.texts(name).map(Given::Texts) }
    }

    fn flag(self, name: &str) -> Option<bool> {
        self.0.try_get_one(name).ok().flatten().copied()
    }

    fn texts(self, name: &str) -> Option<Vec<&'a str>> {
        Some(self.0.try_get_many::<String>(name).ok().flatten()?.map(String::as_str).collect())
    }
}
