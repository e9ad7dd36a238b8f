//! Shows messages: for people, or as JSON lines.

use std::collections::BTreeMap;

use console::{Style, Term};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::Value;
use svc_engine::protocol::leaves;
use svc_engine::protocol::{ActionKind, Counts, ErrorReport, Message};
use svc_engine::report::{self, Layout};

use super::output::{Line, complain, prompt, say, say_raw};

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
            Ok(line) => say_raw(&line),
            Err(error) => complain(error.to_string()),
        }
    }

    fn ask(&mut self, question: &str) {
        prompt(question);
    }

    fn finish(&mut self) {}
}

/// For people: the plan and the results on standard output, everything else on standard error.
pub(super) struct Text {
    detail: Detail,
    styles: Styles,
    bars: Bars,
}

/// How much is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Detail {
    /// Milestones, and what is up to date.
    pub(super) verbose: bool,
    /// Each request.
    pub(super) debug: bool,
    /// Every value of a new resource.
    pub(super) full: bool,
}

struct Styles {
    plain: Style,
    create: Style,
    modify: Style,
    delete: Style,
    alarm: Style,
    faint: Style,
    warning: Style,
    error: Style,
}

impl Text {
    pub(super) fn new(detail: Detail) -> Text {
        // console decides for each stream whether it takes colours, and honours NO_COLOR.
        let styles = Styles {
            plain: Style::new(),
            create: Style::new().green(),
            modify: Style::new().yellow(),
            delete: Style::new().red(),
            alarm: Style::new().red().bold(),
            faint: Style::new().dim(),
            warning: Style::new().for_stderr().yellow(),
            error: Style::new().for_stderr().red(),
        };
        Text { detail, styles, bars: Bars::default() }
    }

    /// Prints above the progress bars, where there are any.
    fn above_bars(&self, print: impl FnOnce()) {
        self.bars.all.suspend(print);
    }

    /// Lines as the room `report` lays them out, in the styles of this program.
    fn styled(&self, line: &report::Line) -> Line {
        line.iter().fold(Line::new(), |line, span| line.styled(self.styles.of(span.style), &span.text))
    }

    fn warning(&self, message: &str) {
        self.above_bars(|| {
            complain(Line::new().styled(&self.styles.warning, "WARNING:").text(&format!(" {message}")));
        });
    }

    fn error(&self, report: &ErrorReport) {
        let code = format!("ERROR {}:", report.code);
        complain(Line::new().styled(&self.styles.error, &code).text(&format!(" {}", report.message)));
        if let Some(request_id) = &report.request_id {
            complain(format!("  request id: {request_id}"));
        }
        if let Some(recommendation) = &report.recommendation {
            complain(format!("  {recommendation}"));
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
        self.above_bars(|| {
            say(Line::new().styled(style, line));
            if let Some(properties) = properties {
                leaves("", properties, &mut |path, value| say(format!("    {path}: {value}")));
            }
        });
    }
}

impl Styles {
    fn of(&self, mark: report::Style) -> &Style {
        match mark {
            report::Style::Plain => &self.plain,
            report::Style::Create => &self.create,
            report::Style::Modify => &self.modify,
            report::Style::Delete => &self.delete,
            report::Style::Alarm => &self.alarm,
            report::Style::Faint => &self.faint,
        }
    }
}

/// The columns of a line: what COLUMNS says, else what the terminal has. What goes to a file is as wide as a line may be.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let has = || Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    said.or_else(has).filter(|columns| *columns > 0).unwrap_or(usize::MAX)
}

/// The progress of everything that is under way, a bar each.
#[derive(Default)]
struct Bars {
    all: MultiProgress,
    /// By the id of the activity.
    shown: BTreeMap<u32, ProgressBar>,
}

impl Bars {
    fn show(&mut self, id: u32, activity: &str, status: &str, current: Option<&str>, percent: Option<u8>) {
        let bar = self.shown.entry(id).or_insert_with(|| {
            let bar = self.all.add(ProgressBar::new(100));
            // How far a wait is, nobody knows.
            let template = if percent.is_some() { "{prefix} [{bar:30}] {msg}" } else { "{prefix} {msg}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        let one_line = |text: &str| Line::from(text).into_shown().replace('\n', " ");
        bar.set_prefix(one_line(activity));
        bar.set_position(u64::from(percent.unwrap_or_default()));
        bar.set_message(one_line(&current.map_or_else(|| status.to_owned(), |current| format!("{status}: {current}"))));
    }

    fn end(&mut self, id: u32) {
        if let Some(bar) = self.shown.remove(&id) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }

    fn clear(&mut self) {
        while let Some(id) = self.shown.keys().next().copied() {
            self.end(id);
        }
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { " is" } else { "s are" }
}

impl Renderer for Text {
    fn show(&mut self, message: &Message) {
        match message {
            Message::Verbose { message } if self.detail.verbose => {
                self.above_bars(|| complain(format!("VERBOSE: {message}")))
            }
            Message::Debug { message } if self.detail.debug => {
                self.above_bars(|| complain(format!("DEBUG: {message}")))
            }
            Message::Verbose { .. } | Message::Debug { .. } | Message::Token { .. } => {}
            Message::Warning { message } => self.warning(message),
            Message::Target(target) => self.above_bars(|| complain(target.description())),
            Message::Kept(kept) => self.warning(&kept.reason),
            Message::Progress { activity_id, completed: Some(true), .. } => self.bars.end(*activity_id),
            Message::Progress { activity_id, activity, status, current_operation, percent, .. } => {
                if Term::stderr().is_term() {
                    self.bars.show(*activity_id, activity, status, current_operation.as_deref(), *percent);
                }
            }
            Message::Plan { actions, .. } => {
                let layout = Layout { width: width(), full: self.detail.full };
                report::plan(actions, layout).iter().for_each(|line| say(self.styled(line)));
            }
            Message::Resource(report) => {
                let (sign, style) = report::sign(report.action);
                let done = match report.action {
                    ActionKind::Create => "created",
                    ActionKind::Modify => "modified",
                    ActionKind::Delete => "deleted",
                };
                let name = report::name(&report.resource_id, &report.label);
                let line = format!("{sign} {done} {name} ({:.1} s)", report.seconds);
                self.result(&line, self.styles.of(style), report.properties.as_ref());
            }
            Message::Unchanged(report) => {
                let line = format!("= unchanged {}", report::name(&report.resource_id, &report.label));
                self.result(&line, &self.styles.faint, report.properties.as_ref());
            }
            // What failed and what was done stands above already.
            Message::Error(report) if !report.failures.is_empty() => {
                self.above_bars(|| complain("Run the command again when the causes are gone."));
            }
            Message::Error(report) => self.above_bars(|| self.error(report)),
            Message::Result(counts) => {
                self.finish();
                say(Text::summary(counts));
            }
        }
    }

    fn ask(&mut self, question: &str) {
        self.above_bars(|| prompt(question));
    }

    fn finish(&mut self) {
        self.bars.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_activity_takes_its_own_bar_away() {
        let mut text = Text::new(Detail::default());
        for (id, activity) in [(1, "Deploying"), (2, "Waiting\nfor \u{1b}[2J")] {
            text.bars.show(id, activity, "status", Some("current"), None);
        }
        assert_eq!(text.bars.shown[&2].prefix(), "Waiting for \\u{1b}[2J");
        text.show(&Message::Progress {
            activity_id: 2,
            activity: "Waiting".to_owned(),
            status: String::new(),
            current_operation: None,
            percent: None,
            completed: Some(true),
        });
        assert_eq!(text.bars.shown.keys().collect::<Vec<_>>(), [&1]);
        assert!(!text.bars.shown[&1].is_finished());
        text.finish();
        assert!(text.bars.shown.is_empty());
    }

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
