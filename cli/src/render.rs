//! Shows messages: for people, or as JSON lines.

use std::path::{Path, PathBuf};
use std::time::Instant;

use console::{Style, Term, colors_enabled_stderr};
use serde_json::Value;
use svc_engine::protocol::leaves;
use svc_engine::protocol::{Action, ActionKind, Drift, ErrorReport, FindingReport, MadeWith, Message, ResourceName};
use svc_engine::report::{self, Layout};

use super::findings::Documents;
use super::output::{Line, complain, prompt, say, say_all, say_json};
use super::progress::{Progress, Report};
use super::template;

/// Shows what an operation says.
pub(super) trait Renderer {
    fn show(&mut self, message: &Message);

    /// Shows what is deleted once more, before it is asked for.
    fn deletions(&mut self, actions: &[Action]);

    /// Shows the text of a prompt, without a line break behind it.
    fn ask(&mut self, prompt: &str);

    /// Whether the plan is shown otherwise than as messages: as Markdown, before the end.
    fn wants_markdown(&self) -> bool {
        false
    }

    /// The plan as Markdown.
    fn markdown(&mut self, plan: String) {
        let _ = plan;
    }

    /// Names the documents that everything shown from now on is about: these, and those in these folders; none where it is not in files.
    fn begin(&mut self, documents: Vec<PathBuf>) {
        let _ = documents;
    }

    /// Time has passed, whether or not anything was said.
    fn tick(&mut self, now: Instant) {
        let _ = now;
    }

    /// The operation has ended.
    fn finish(&mut self);

    /// Every operation has ended.
    fn conclude(&mut self) {}
}

/// The messages of the protocol, one a line on standard output.
pub(super) struct Json;

impl Renderer for Json {
    fn show(&mut self, message: &Message) {
        say_json(message);
    }

    fn deletions(&mut self, actions: &[Action]) {
        for line in report::deletions(actions, usize::MAX) {
            complain(line.iter().map(|span| span.text.as_str()).collect::<String>());
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
    quiet: bool,
    styles: Styles,
    progress: Progress,
    /// The plan, as long as nobody is asked about it and only warnings and errors are shown.
    held_back: Vec<Action>,
    /// The choices that the plan is made with.
    made_with: MadeWith,
    /// The documents of the plan, as messages call them.
    documents: Vec<String>,
}

/// The amount of detail that is shown.
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
    heading: Style,
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
            heading: Style::new().bold(),
            warning: Style::new().for_stderr().yellow(),
            error: Style::new().for_stderr().red(),
        };
        Text {
            detail,
            quiet: false,
            styles,
            progress: Progress::new(),
            held_back: Vec::new(),
            made_with: MadeWith::default(),
            documents: Vec::new(),
        }
    }

    /// Shows warnings and errors only, and the plan where there is a question.
    pub(super) fn quiet(self) -> Text {
        Text { quiet: true, ..self }
    }

    /// Prints above the progress bars, where there are any.
    fn above_bars(&self, print: impl FnOnce()) {
        self.progress.above(print);
    }

    fn show_held_back(&mut self) {
        let held_back = std::mem::take(&mut self.held_back);
        if !held_back.is_empty() {
            self.plan(&held_back);
        }
    }

    fn plan(&self, actions: &[Action]) {
        let layout = Layout { width: width(), full: self.detail.full };
        say_all(report::head(&self.made_with, layout.width).iter().map(|line| self.styled(line)));
        say_all(report::plan(actions, layout).iter().map(|line| self.styled(line)));
    }

    /// Lines as the room `report` lays them out, in the styles of this program.
    fn styled(&self, line: &report::Line) -> Line {
        line.iter().fold(Line::new(), |line, span| line.styled(self.styles.of(span.style), &span.text))
    }

    /// The name by which people call the document that a message is about: as the plan does.
    fn name_of(&self, document: Option<&String>) -> Option<String> {
        let document = document?;
        let mut known: Vec<&str> = self.documents.iter().map(String::as_str).collect();
        let at = known.iter().position(|known| known == document).unwrap_or_else(|| {
            known.push(document);
            known.len() - 1
        });
        Some(report::document_names(&known).swap_remove(at))
    }

    fn warning(&self, message: &str) {
        self.above_bars(|| {
            complain(Line::new().styled(&self.styles.warning, "WARNING:").text(&format!(" {message}")));
        });
    }

    /// Shows what differs, resource by resource, and the sentence last; `--quiet` leaves the sentence.
    fn drift(&mut self, drift: &Drift) {
        self.finish();
        let mut last = None;
        for difference in drift.differences.iter().filter(|_| !self.quiet) {
            if last.replace(&difference.resource.resource_id) != Some(&difference.resource.resource_id) {
                say(report::name(&difference.resource.resource_id, &difference.resource.label));
            }
            let origin = difference.origin.as_deref().map(|origin| format!("  {origin}")).unwrap_or_default();
            say(format!("    {}{origin}", difference.sentence));
        }
        drift.kept.iter().for_each(|kept| self.warning(&kept.reason));
        say(drift.sentence.as_str());
    }

    fn error(&self, report: &ErrorReport) {
        let code = format!("ERROR {}:", report.failure.code);
        let is_in_file = report.findings.iter().any(|finding| finding.line.is_some());
        let message = if is_in_file {
            report.failure.message.lines().next().unwrap_or_default()
        } else {
            &report.failure.message
        };
        complain(Line::new().styled(&self.styles.error, &code).text(&format!(" {message}")));
        if is_in_file {
            self.findings(report);
        }
        if let Some(document) =
            self.name_of(report.failure.document.as_ref()).filter(|name| !report.failure.message.contains(name))
        {
            complain(format!("  document: {document}"));
        }
        if let Some(request_id) = &report.failure.request_id {
            complain(format!("  request id: {request_id}"));
        }
        if let Some(recommendation) = &report.failure.recommendation {
            complain(format!("  {recommendation}"));
        }
    }

    /// Shows what is wrong, each problem with its place and the line of the document.
    fn findings(&self, report: &ErrorReport) {
        let is_coloured = colors_enabled_stderr();
        let width = columns(&Term::stderr()).unwrap_or(WIDTH_WITHOUT_TERMINAL);
        let mut documents = Documents::default();
        for finding in &report.findings {
            complain(place_and_message(finding));
            if let Some(snippet) = documents.snippet(finding, width, is_coloured) {
                complain(Line::harmless(snippet));
            }
        }
        // More of them than are shown are counted in the last line.
        if let Some(rest) = report.failure.message.lines().last().filter(|line| line.starts_with("and ")) {
            complain(rest);
        }
    }

    /// Whether a message is not shown to those who want to see only what needs them. A plan is kept for the question.
    fn is_held_back(&mut self, message: &Message) -> bool {
        match message {
            Message::Plan { actions, .. } => {
                self.held_back.clone_from(actions);
                true
            }
            Message::Target(_)
            | Message::Progress { .. }
            | Message::Resource(_)
            | Message::Unchanged(_)
            | Message::Result(_) => true,
            _ => false,
        }
    }

    /// A line of a result with its document at the end, and what is told of the resource below it.
    fn result(&self, line: &str, style: &Style, document: Option<&String>, properties: Option<&Value>) {
        let mut shown = Line::new().styled(style, line);
        if let Some(name) = self.name_of(document) {
            shown = shown.styled(&self.styles.faint, &format!("  {name}"));
        }
        self.above_bars(|| {
            say(shown);
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
            report::Style::Heading => &self.heading,
        }
    }
}

/// The columns of a line of the plan. What goes to a file is as wide as a line may be.
fn width() -> usize {
    columns(&Term::stdout()).unwrap_or(usize::MAX)
}

/// The columns that COLUMNS says, else those of the terminal.
fn columns(terminal: &Term) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let has = || terminal.size_checked().map(|(_, columns)| usize::from(columns));
    said.or_else(has).filter(|columns| *columns > 0)
}

/// The width of what is read in a log.
const WIDTH_WITHOUT_TERMINAL: usize = 120;

/// `storage.yml:7:15: storageAccounts[0].accountType: …`, with the path of the file from the working directory.
fn place_and_message(finding: &FindingReport) -> String {
    let file = finding.file.as_deref().unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let file = Path::new(file).strip_prefix(&here).unwrap_or(Path::new(file)).display();
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
        _ => String::new(),
    };
    let path = if finding.path.is_empty() { String::new() } else { format!("{}: ", finding.path) };
    format!("{place}{path}{}", finding.message)
}

fn name_of(resource: &ResourceName) -> String {
    report::name(&resource.resource_id, &resource.label)
}

impl Renderer for Text {
    fn show(&mut self, message: &Message) {
        if let Message::Plan { actions, made_with, .. } = message {
            self.made_with.clone_from(made_with);
            let sections = report::sections(actions);
            self.documents = sections.iter().filter_map(|section| section.document.map(str::to_owned)).collect();
        }
        if self.quiet && self.is_held_back(message) {
            return;
        }
        match message {
            Message::Verbose { message } if self.detail.verbose => {
                self.above_bars(|| complain(format!("VERBOSE: {message}")))
            }
            Message::Debug { message } if self.detail.debug => {
                self.above_bars(|| complain(format!("DEBUG: {message}")))
            }
            // Whoever has asked for the document does with it what the options say.
            Message::Verbose { .. } | Message::Debug { .. } | Message::Token { .. } | Message::Document { .. } => {}
            Message::Warning(warning) => self.warning(&warning.message),
            Message::Target(target) => self.above_bars(|| complain(target.description())),
            Message::Kept(kept) => self.warning(&kept.reason),
            Message::Progress { activity_id, completed: Some(true), .. } => {
                self.progress.end(*activity_id, Instant::now());
            }
            Message::Progress { activity_id, activity, status, current_operation, percent, under_way, .. } => {
                let (id, current, percent) = (*activity_id, current_operation.as_deref(), *percent);
                self.progress.show(&Report { id, activity, status, current, percent, under_way }, Instant::now());
            }
            Message::Plan { actions, .. } => self.plan(actions),
            Message::Resource(report) => {
                self.progress.reported(&report.resource.resource_id);
                let (sign, style) = report::sign(report.action);
                let done = match report.action {
                    ActionKind::Create => "created",
                    ActionKind::Modify => "changed",
                    ActionKind::Delete => "deleted",
                };
                let name = name_of(&report.resource);
                let line = format!("{sign} {done} {name} ({:.1} s)", report.seconds);
                self.result(&line, self.styles.of(style), report.document.as_ref(), report.properties.as_ref());
            }
            Message::Unchanged(report) => {
                let line = format!("= up to date {}", name_of(&report.resource));
                self.result(&line, &self.styles.faint, report.document.as_ref(), report.properties.as_ref());
                if let Some(rehearsal) = &report.rehearsal {
                    self.above_bars(|| say(format!("    {}", rehearsal.sentence)));
                }
            }
            Message::Drift(drift) => self.drift(drift),
            Message::Template(report) => {
                self.finish();
                template::show(report, self.quiet);
            }
            // What failed and what was done stands above already.
            Message::Error(report) if !report.failures.is_empty() => {
                self.above_bars(|| complain("Run the command again when the causes are gone."));
            }
            Message::Error(report) => self.above_bars(|| self.error(report)),
            Message::Result(counts) => {
                self.finish();
                say(counts.sentence());
            }
        }
    }

    fn deletions(&mut self, actions: &[Action]) {
        self.show_held_back();
        let alarm = self.styles.alarm.clone().for_stderr();
        for line in report::deletions(actions, width()) {
            let text: String = line.iter().map(|span| span.text.as_str()).collect();
            self.above_bars(|| complain(Line::new().styled(&alarm, &text)));
        }
    }

    fn ask(&mut self, question: &str) {
        self.show_held_back();
        self.above_bars(|| prompt(question));
    }

    fn tick(&mut self, now: Instant) {
        self.progress.tick(now);
    }

    fn finish(&mut self) {
        self.progress.clear();
    }
}
