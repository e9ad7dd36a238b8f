//! Shows messages: for people, or as JSON lines.

use std::io::Write;

use console::{Style, Term};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use svc_engine::protocol::leaves;
use svc_engine::protocol::{Action, ActionKind, Counts, ErrorReport, Message};

use super::{complain, say};

/// Shows what an operation says.
pub(super) trait Renderer {
    /// Shows a message.
    fn show(&mut self, message: &Message);

    /// Shows the text of a prompt, without a line break behind it.
    fn ask(&mut self, prompt: &str);

    /// The operation has ended.
    fn finish(&mut self);
}

/// The messages of the protocol, one a line on standard output.
pub(super) struct Json;

impl Renderer for Json {
    fn show(&mut self, message: &Message) {
        match serde_json::to_string(message) {
            Ok(line) => say(&line),
            Err(error) => complain(&error.to_string()),
        }
    }

    fn ask(&mut self, prompt: &str) {
        let _ = write!(std::io::stderr(), "{prompt}");
        let _ = std::io::stderr().flush();
    }

    fn finish(&mut self) {}
}

/// For people: the plan and the results on standard output, everything else on standard error.
pub(super) struct Text {
    verbose: bool,
    debug: bool,
    styles: Styles,
    bar: Option<ProgressBar>,
}

struct Styles {
    create: Style,
    modify: Style,
    delete: Style,
    faint: Style,
    warning: Style,
    error: Style,
}

impl Text {
    pub(super) fn new(verbose: bool, debug: bool) -> Text {
        // console decides for each stream whether it takes colours, and honours NO_COLOR.
        let styles = Styles {
            create: Style::new().green(),
            modify: Style::new().yellow(),
            delete: Style::new().red(),
            faint: Style::new().dim(),
            warning: Style::new().for_stderr().yellow(),
            error: Style::new().for_stderr().red(),
        };
        Text { verbose, debug, styles, bar: None }
    }

    /// Prints above the progress bar, where there is one.
    fn above_bar(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn plan(&self, actions: &[Action]) {
        for action in actions {
            let (sign, style) = self.sign(action.action);
            say(&style.apply_to(format!("{sign} {}", action.description)).to_string());
            for change in &action.changes {
                let after = change.after.as_deref().unwrap_or("(none)");
                let value = match &change.before {
                    Some(before) => format!("{before} -> {after}"),
                    None => after.to_owned(),
                };
                let origin = change.origin.as_deref().map(|origin| format!("  ({origin})")).unwrap_or_default();
                say(&format!("    {}: {value}{}", change.path, self.styles.faint.apply_to(origin)));
            }
        }
        let count = |kind| actions.iter().filter(|action| action.action == kind).count();
        let (create, modify, delete) =
            (count(ActionKind::Create), count(ActionKind::Modify), count(ActionKind::Delete));
        say(&format!("Plan: {create} to create, {modify} to modify, {delete} to delete."));
    }

    fn sign(&self, action: ActionKind) -> (char, &Style) {
        match action {
            ActionKind::Create => ('+', &self.styles.create),
            ActionKind::Modify => ('~', &self.styles.modify),
            ActionKind::Delete => ('-', &self.styles.delete),
        }
    }

    fn error(&self, report: &ErrorReport) {
        complain(&format!("{} {}", self.styles.error.apply_to(format!("ERROR {}:", report.code)), report.message));
        if let Some(request_id) = &report.request_id {
            complain(&format!("  request id: {request_id}"));
        }
        if let Some(recommendation) = &report.recommendation {
            complain(&format!("  {recommendation}"));
        }
    }

    /// The last line, which follows from the counts.
    fn summary(counts: &Counts) -> String {
        let seconds = format!("{:.1} s", counts.seconds);
        if let Some(sentence) = counts.up_to_date() {
            return format!("{} ({seconds}).", sentence.trim_end_matches('.'));
        }
        let up_to_date = counts.unchanged;
        let changes = [(counts.created, "created"), (counts.modified, "modified"), (counts.deleted, "deleted")];
        let others = [(counts.kept, "kept"), (counts.skipped, "skipped"), (counts.failed, "failed")];
        let shown = |parts: &[(usize, &str)]| -> Vec<String> {
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
        };
        if counts.what_if {
            let parts = [vec![format!("{up_to_date} resource{} up to date", are(up_to_date))], shown(&others)].concat();
            return format!("Nothing was changed; {} ({seconds}).", parts.join(", "));
        }
        let parts = [shown(&changes), shown(&[(up_to_date, "up to date")]), shown(&others)].concat();
        format!("Result: {} ({seconds}).", parts.join(", "))
    }

    /// A line of a result, and what is told of the resource below it.
    fn result(&self, line: &str, style: &Style, properties: Option<&Value>) {
        self.above_bar(|| {
            say(&style.apply_to(line).to_string());
            if let Some(properties) = properties {
                leaves("", properties, &mut |path, value| say(&format!("    {path}: {value}")));
            }
        });
    }

    fn progress(&mut self, activity: &str, status: &str, current: Option<&str>, percent: Option<u8>) {
        if !Term::stderr().is_term() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(100);
            if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        bar.set_prefix(activity.to_owned());
        bar.set_position(u64::from(percent.unwrap_or_default()));
        bar.set_message(current.map_or_else(|| status.to_owned(), |current| format!("{status}: {current}")));
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { " is" } else { "s are" }
}

impl Renderer for Text {
    fn show(&mut self, message: &Message) {
        match message {
            Message::Verbose { message } if self.verbose => self.above_bar(|| complain(&format!("VERBOSE: {message}"))),
            Message::Debug { message } if self.debug => self.above_bar(|| complain(&format!("DEBUG: {message}"))),
            Message::Verbose { .. } | Message::Debug { .. } | Message::Token { .. } => {}
            Message::Warning { message } => {
                self.above_bar(|| complain(&format!("{} {message}", self.styles.warning.apply_to("WARNING:"))));
            }
            Message::Progress { completed: Some(true), .. } => self.finish(),
            Message::Progress { activity, status, current_operation, percent, .. } => {
                self.progress(activity, status, current_operation.as_deref(), *percent);
            }
            Message::Plan { actions, .. } => self.plan(actions),
            Message::Resource(report) => {
                let (sign, style) = self.sign(report.action);
                let done = match report.action {
                    ActionKind::Create => "created",
                    ActionKind::Modify => "modified",
                    ActionKind::Delete => "deleted",
                };
                let line = format!("{sign} {done} {} '{}' ({:.1} s)", report.label, report.full_name, report.seconds);
                self.result(&line, style, report.properties.as_ref());
            }
            Message::Unchanged(report) => {
                let line = format!("= unchanged {} '{}'", report.label, report.full_name);
                self.result(&line, &self.styles.faint, report.properties.as_ref());
            }
            // What failed and what was done stands above already.
            Message::Error(report) if !report.failures.is_empty() => {
                self.above_bar(|| complain("Run the command again when the causes are gone."));
            }
            Message::Error(report) => self.above_bar(|| self.error(report)),
            Message::Result(counts) => {
                self.finish();
                say(&Text::summary(counts));
            }
        }
    }

    fn ask(&mut self, prompt: &str) {
        let mut stream = std::io::stderr();
        let _ = write!(stream, "{prompt}");
        let _ = stream.flush();
    }

    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_follows_from_the_counts() {
        let summary = |counts: Counts| Text::summary(&Counts { unchanged: 12, seconds: 0.25, ..counts });
        let none = Counts::default();
        for what_if in [true, false] {
            assert_eq!(summary(Counts { what_if, ..none }), "Everything is up to date: 12 resources (0.2 s).");
        }
        assert_eq!(
            summary(Counts { created: 1, modified: 2, deleted: 3, skipped: 4, failed: 5, kept: 6, ..none }),
            "Result: 1 created, 2 modified, 3 deleted, 12 up to date, 6 kept, 4 skipped, 5 failed (0.2 s)."
        );
        // Where something failed, was skipped or is kept, not everything is up to date.
        assert_eq!(summary(Counts { failed: 1, ..none }), "Result: 12 up to date, 1 failed (0.2 s).");
        assert_eq!(summary(Counts { skipped: 1, ..none }), "Result: 12 up to date, 1 skipped (0.2 s).");
        assert_eq!(summary(Counts { kept: 1, ..none }), "Result: 12 up to date, 1 kept (0.2 s).");
        assert_eq!(
            summary(Counts { created: 3, failed: 1, what_if: true, ..none }),
            "Nothing was changed; 12 resources are up to date, 1 failed (0.2 s)."
        );
    }
}
