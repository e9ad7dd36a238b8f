//! `svc completions` and what its scripts ask: what can stand at a place of a command line. The scripts of all shells ask the program,
//! which knows both spellings, and leave files to their shell.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr};
use clap::{Arg, Args, Command};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::all_commands;

use super::arguments;
use super::output::{say_all, say_raw};
use super::parameters::{self, Spelling, kebab};

/// The subcommand that the scripts call.
pub(super) const COMPLETE: &str = "complete";

/// The scripts, with `NAME` for the name of the program.
const SCRIPTS: [(&str, &str); 5] = [
    ("bash", include_str!("completions/svc.bash")),
    ("elvish", include_str!("completions/svc.elvish")),
    ("fish", include_str!("completions/svc.fish")),
    ("powershell", include_str!("completions/svc.ps1")),
    ("zsh", include_str!("completions/svc.zsh")),
];

/// The shell whose script is printed.
#[derive(Args)]
#[command(
    about = "Prints the completions of svc for a shell.",
    after_help = "Examples:\n  svc completions bash > ~/.local/share/bash-completion/completions/svc\n  svc completions powershell >> $PROFILE"
)]
pub(super) struct ShellArguments {
    #[arg(value_parser = PossibleValuesParser::new(SCRIPTS.map(|(shell, _)| shell)))]
    shell: String,
}

/// The place that is completed.
#[derive(Args)]
#[command(
    hide = true,
    about = "Prints what can stand at a place of a command line, for the scripts of 'svc completions'."
)]
pub(super) struct CompletedPlace {
    /// The typed part of the word.
    #[arg(long, verbatim_doc_comment)]
    word: String,
    /// The words before it.
    #[arg(last = true, num_args = 0.., verbatim_doc_comment)]
    before: Vec<String>,
}

/// Prints the script for a shell. It is for the name that the program has.
pub(super) fn script(arguments: &ShellArguments) -> ExitStatus {
    let Some((_, script)) = SCRIPTS.iter().find(|(name, _)| arguments.shell == *name) else {
        return ExitStatus::Usage;
    };
    let program = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&program).file_stem().and_then(OsStr::to_str).unwrap_or("svc");
    say_raw(script.replace("NAME", name).trim_end());
    ExitStatus::Done
}

/// Prints each word that can stand where one is typed, and behind a tab what it means.
pub(super) fn complete(CompletedPlace { word, before }: &CompletedPlace) -> ExitStatus {
    let candidates = candidates(before, word);
    let lines: Vec<String> = candidates.iter().map(|(word, help)| format!("{word}\t{help}")).collect();
    say_all(lines.iter().map(|line| line.as_str().into()));
    ExitStatus::Done
}

/// A word, and what it means.
type Candidate = (String, String);

fn candidates(before: &[String], word: &str) -> Vec<Candidate> {
    let mut program = arguments::program();
    program.build();
    let place = Place::behind(&program, before);
    let found = match place.open {
        Some(option) => values(option, ""),
        None if word.starts_with('-') && !place.is_escaped => place.options(word),
        None => place.operands(word),
    };
    found.into_iter().filter(|(candidate, _)| begins(candidate, word)).collect()
}

/// In any letter case, as PowerShell and `svc` take them.
fn begins(candidate: &str, word: &str) -> bool {
    candidate.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// The place of a word.
struct Place<'a> {
    command: &'a Command,
    /// The command is named as PowerShell names it.
    is_powershell: bool,
    /// The parameters that the command takes in PowerShell's spelling.
    parameters: Vec<(&'static str, Spelling)>,
    /// The number of operands before it.
    operands: usize,
    /// The option whose value is to come.
    open: Option<&'a Arg>,
    /// `--` stands before.
    is_escaped: bool,
}

impl<'a> Place<'a> {
    fn behind(program: &'a Command, before: &[String]) -> Place<'a> {
        let first = before.first().map(String::as_str).unwrap_or_default();
        let words = parameters::normalise(before.iter().map(OsString::from).collect());
        let words = words.unwrap_or_else(|_| before.iter().map(OsString::from).collect());
        let mut place = Place {
            command: program,
            is_powershell: all_commands().any(|command| command.name.eq_ignore_ascii_case(first)),
            parameters: parameters::taken_by(first).unwrap_or_default(),
            operands: 0,
            open: None,
            is_escaped: false,
        };
        for word in &words {
            place.pass(&word.to_string_lossy());
        }
        place
    }

    fn pass(&mut self, word: &str) {
        if self.open.take().is_some() {
            return;
        }
        match word.strip_prefix('-') {
            Some("-") => self.is_escaped = true,
            Some(name) if !self.is_escaped && !name.is_empty() => {
                self.open = match name.strip_prefix('-') {
                    Some(long) => self.long(long),
                    None => self.short(name),
                };
            }
            _ => match self.command.find_subcommand(word) {
                Some(subcommand) if self.operands == 0 => self.command = subcommand,
                _ => self.operands += 1,
            },
        }
    }

    /// The option with this name, where its value is the next word.
    fn long(&self, name: &str) -> Option<&'a Arg> {
        self.command.get_arguments().find(|option| option.get_long() == Some(name)).filter(|option| takes_next(option))
    }

    /// The same of short options in one word, of which the first with a value has what is behind it.
    fn short(&self, letters: &str) -> Option<&'a Arg> {
        let option = |letter: char| self.command.get_arguments().find(|option| option.get_short() == Some(letter));
        let (at, option) = letters.char_indices().find_map(|(at, letter)| {
            option(letter).filter(|option| takes_next(option)).map(|option| (at + letter.len_utf8(), option))
        })?;
        (at == letters.len()).then_some(option)
    }

    /// The options, in the spelling that a word begins, or the values behind the sign in it.
    fn options(&self, word: &str) -> Vec<Candidate> {
        if let Some((name, sign)) = word.find(['=', ':']).map(|at| (&word[..at], &word[at..=at])) {
            let is_called =
                |(_, spelled): &(&Arg, String)| sign_of(spelled) == sign && spelled.eq_ignore_ascii_case(name);
            let called = self.spelled().into_iter().find(is_called);
            return called.map(|(option, _)| values(option, &format!("{name}{sign}"))).unwrap_or_default();
        }
        let is_powershell = (word == "-" && self.is_powershell) || (word != "-" && !word.starts_with("--"));
        let spelled = self.spelled().into_iter();
        spelled
            .filter(|(_, spelled)| spelled.starts_with("--") != is_powershell)
            .map(|(option, spelled)| (spelled, summary(option.get_help())))
            .collect()
    }

    /// The options in each of their spellings.
    fn spelled(&self) -> Vec<(&'a Arg, String)> {
        let options = self.command.get_arguments().filter(|option| !option.is_hide_set());
        let spellings = |option: &'a Arg| {
            let long = option.get_long();
            let own = long.map(|long| format!("--{long}"));
            let is_it = move |(name, spelling): &&(&str, Spelling)| {
                *name == spelling.name && Some(kebab(name).as_str()) == long
            };
            let powershells = self.parameters.iter().find(is_it).map(|(name, _)| format!("-{name}"));
            own.into_iter().chain(powershells).map(move |spelled| (option, spelled))
        };
        options.flat_map(spellings).collect()
    }

    /// Subcommands and the values of an operand; options, where the command takes no operand.
    fn operands(&self, word: &str) -> Vec<Candidate> {
        let mut found = Vec::new();
        if self.operands == 0 {
            for subcommand in self.command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
                let about = summary(subcommand.get_about());
                let powershells = all_commands().find(|command| command.subcommand() == subcommand.get_name());
                found.push((subcommand.get_name().to_owned(), about.clone()));
                found.extend(powershells.filter(|_| !word.is_empty()).map(|command| (command.name.to_owned(), about)));
            }
        }
        let operands: Vec<&Arg> = self.command.get_positionals().collect();
        match operands.get(self.operands) {
            Some(operand) => found.extend(values(operand, "")),
            None if found.is_empty() && operands.is_empty() && word.is_empty() => found = self.options("-"),
            None => {}
        }
        found
    }
}

/// The sign between an option and its value in one word.
fn sign_of(spelled: &str) -> &'static str {
    if spelled.starts_with("--") { "=" } else { ":" }
}

fn takes_next(option: &Arg) -> bool {
    option.get_num_args().is_some_and(|number| number.takes_values()) && !option.is_require_equals_set()
}

/// The values that an option or operand names, each behind what stands before it in its word.
fn values(option: &Arg, before: &str) -> Vec<Candidate> {
    let takes_values = option.get_num_args().is_some_and(|number| number.takes_values());
    let values = takes_values.then(|| option.get_value_parser().possible_values()).flatten();
    let values = values.into_iter().flatten().filter(|value| !value.is_hide_set());
    let candidate = |value: PossibleValue| (format!("{before}{}", value.get_name()), summary(value.get_help()));
    values.map(candidate).collect()
}

/// The first sentence of a help.
fn summary(help: Option<&StyledStr>) -> String {
    let help = help.map(StyledStr::to_string).unwrap_or_default();
    let line = help.lines().next().unwrap_or_default();
    line.split_once(". ").map_or(line, |(sentence, _)| sentence).trim_end_matches('.').to_owned()
}
