//! The output of the program. Texts for people go through [`Line`], because messages of servers and values of documents are in
//! them: neither may move the cursor, turn the reading direction or command the pipeline that reads the log.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use console::Style;
use svc_engine::protocol::{ExitStatus, Message, escaped_json, is_misleading};

/// Something that was to be printed is not on its device.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// One or more lines for people, without a line break at the end.
#[derive(Debug)]
pub(super) struct Line {
    shown: String,
    /// Nothing but white space stands in the line so far.
    at_start: bool,
}

impl Line {
    /// A line with nothing in it.
    pub(super) fn new() -> Line {
        Line { shown: String::new(), at_start: true }
    }

    /// Adds a text.
    pub(super) fn text(mut self, text: &str) -> Line {
        let mut rest = text.chars();
        while let Some(character) = rest.next() {
            match character {
                '\r' if rest.as_str().starts_with('\n') => {}
                '\n' => {
                    self.shown.push('\n');
                    self.at_start = true;
                }
                ':' if self.at_start && rest.as_str().starts_with(':') => self.escaped(character),
                '#' if is_pipeline_command(rest.as_str()) => self.escaped(character),
                '\t' => self.shown.push('\t'),
                _ if is_misleading(character) => self.escaped(character),
                _ => {
                    self.shown.push(character);
                    self.at_start &= character.is_whitespace();
                }
            }
        }
        self
    }

    /// Adds a text in a style.
    pub(super) fn styled(mut self, style: &Style, text: &str) -> Line {
        let part = Line { shown: String::new(), at_start: self.at_start }.text(text);
        self.shown.push_str(&style.apply_to(part.shown).to_string());
        self.at_start = part.at_start;
        self
    }

    /// A text whose parts were made harmless already, such as one that a crate has styled.
    pub(super) fn harmless(shown: String) -> Line {
        Line { shown, at_start: false }
    }

    /// The text as it is printed.
    pub(super) fn into_shown(self) -> String {
        self.shown
    }

    fn escaped(&mut self, character: char) {
        self.shown.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        self.at_start = false;
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::new().text(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line::from(text.as_str())
    }
}

/// A line without anything that a terminal or a pipeline carries out, in which every other character is in the column where it was.
pub(super) fn in_place(line: &str) -> String {
    let mut rest = line.chars();
    let mut shown = String::with_capacity(line.len());
    while let Some(character) = rest.next() {
        let is_command = character == '#' && is_pipeline_command(rest.as_str());
        let is_shown = character == '\t' || !(is_command || is_misleading(character));
        shown.push(if is_shown { character } else { '\u{fffd}' });
    }
    shown
}

/// Whether this, behind a `#`, makes a command of Azure Pipelines, of an older GitHub runner or of TeamCity. They are looked for
/// in the whole line; those of GitHub that begin with `::` are not.
fn is_pipeline_command(rest: &str) -> bool {
    let name = rest.strip_prefix('#').map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()));
    name.is_some_and(|rest| rest.starts_with('['))
}

/// Writes a line for people to standard output.
pub(super) fn say(line: impl Into<Line>) {
    say_raw(&line.into().shown);
}

/// Writes many lines for people to standard output, not one by one: there may be millions.
pub(super) fn say_all(mut lines: impl Iterator<Item = Line>) {
    say_with(|output| lines.try_for_each(|line| writeln!(output, "{}", line.shown)));
}

/// Writes a message for programs to standard output, in one line.
pub(super) fn say_json(message: &Message) {
    say_with(|output| writeln!(output, "{}", escaped_json(serde_json::to_string(message)?)));
}

/// Writes text for programs to standard output, as it is.
pub(super) fn say_raw(line: &str) {
    say_with(|output| writeln!(output, "{line}"));
}

fn say_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut output = BufWriter::new(io::stdout().lock());
    let written = write(&mut output).and_then(|()| output.flush());
    // What is left in it cannot be written either.
    let _ = output.into_parts();
    if let Some(error) = lost(written) {
        complain(format!("WARNING: Some of the output is lost: standard output cannot be written: {error}."));
    }
}

/// Writes a line for people to standard error.
pub(super) fn complain(line: impl Into<Line>) {
    lost(writeln!(io::stderr(), "{}", line.into().shown));
}

/// Writes a question to standard error; the answer is typed behind it.
pub(super) fn prompt(line: impl Into<Line>) {
    lost(write!(io::stderr(), "{}", line.into().shown));
}

/// Notes that something is lost. Returns why, the first time. A closed pipe is no loss: its reader has seen enough, and what is
/// under way has to go on.
pub(super) fn lost(written: io::Result<()>) -> Option<io::Error> {
    let error = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe)?;
    (!IS_LOST.swap(true, Ordering::SeqCst)).then_some(error)
}

/// The exit status of the program: a success is none where the output is lost.
pub(super) fn end(status: ExitStatus, changed: bool) -> ExitStatus {
    match status {
        ExitStatus::Done | ExitStatus::Different if IS_LOST.load(Ordering::SeqCst) => {
            if changed {
                ExitStatus::PartlyFailed
            } else {
                ExitStatus::Failed
            }
        }
        status => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Line::from(text).into_shown()
    }

    #[test]
    fn what_a_terminal_carries_out_is_escaped() {
        assert_eq!(shown("\u{1b}]0;owned\u{7}"), r"\u{1b}]0;owned\u{7}");
        assert_eq!(shown("a\rb\u{8}c\u{7f}\u{9b}2J"), r"a\u{d}b\u{8}c\u{7f}\u{9b}2J");
        assert_eq!(shown("one\r\ntwo\n\tthree"), "one\ntwo\n\tthree");
        assert_eq!(
            shown("user\u{202e}gpj.exe\u{2066}\u{200b}\u{feff}\u{2028}"),
            r"user\u{202e}gpj.exe\u{2066}\u{200b}\u{feff}\u{2028}"
        );
        assert_eq!(shown("Größe 漢字 👩‍👩‍👧 \\u{1b} 'é'"), "Größe 漢字 👩‍👩‍👧 \\u{1b} 'é'");
    }

    #[test]
    fn what_a_pipeline_carries_out_is_escaped() {
        assert_eq!(shown("::error::x\n  ::set-output name=a::b"), "\\u{3a}:error::x\n  \\u{3a}:set-output name=a::b");
        assert_eq!(shown("Reason:\r\n\u{a0}::add-mask::e"), "Reason:\n\u{a0}\\u{3a}:add-mask::e");
        assert_eq!(shown("Microsoft::Web, fe80::1\n:one"), "Microsoft::Web, fe80::1\n:one");
        assert_eq!(shown("say ##vso[task.setvariable]##[error]x"), r"say \u{23}#vso[task.setvariable]\u{23}#[error]x");
        assert_eq!(shown("###vso[x] ## heading, ##teamcity['"), r"#\u{23}#vso[x] ## heading, \u{23}#teamcity['");
    }

    #[test]
    fn columns_stay_where_they_are() {
        assert_eq!(in_place("a\u{1b}[2J\tb ##[error]c\u{202e}"), "a\u{fffd}[2J\tb \u{fffd}#[error]c\u{fffd}");
        assert_eq!(in_place("## é"), "## é");
    }

    #[test]
    fn only_the_styles_of_the_program_reach_the_terminal() {
        let red = Style::new().red().force_styling(true);
        let line = Line::new().styled(&red, "ERROR \u{1b}[2J:").text(" ::error::").into_shown();
        assert_eq!(line, "\u{1b}[31mERROR \\u{1b}[2J:\u{1b}[0m ::error::");
        assert_eq!(Line::new().text("  ").styled(&Style::new(), "::x").into_shown(), r"  \u{3a}:x");
    }

    #[test]
    fn only_what_would_be_fine_ends_otherwise_where_output_is_lost() {
        assert!(lost(Err(ErrorKind::BrokenPipe.into())).is_none());
        assert_eq!(end(ExitStatus::Done, true), ExitStatus::Done);
        assert!(lost(Err(ErrorKind::StorageFull.into())).is_some());
        assert!(lost(Err(ErrorKind::StorageFull.into())).is_none(), "it is told once");
        assert_eq!(end(ExitStatus::Done, true), ExitStatus::PartlyFailed);
        assert_eq!(end(ExitStatus::Done, false), ExitStatus::Failed);
        for status in [ExitStatus::Usage, ExitStatus::Failed, ExitStatus::PartlyFailed, ExitStatus::HungUp] {
            assert_eq!(end(status, true), status);
        }
    }
}
