//! `--output github`: what GitHub Actions shows beside the log, as annotations of the documents and as the summary of the job, which has
//! the plan.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use svc_engine::protocol::{Action, Counts, ErrorReport, FilePlace, FindingReport, Message};
use svc_engine::report::{self, markdown_cell, markdown_code};

use super::output::{Line, complain, say, say_raw};
use super::render::{Renderer, Text};

/// The largest summary of a step: 1 MiB (GitHub: "Workflow commands", "Step isolation and limits").
const LARGEST_SUMMARY: u64 = 1024 * 1024;

/// Told where the rest does not fit.
const CUT: &str = "\nThe rest is in the log: the summary is full.\n";

/// The text for people, with annotations in the place of warnings and errors.
pub(super) struct Github {
    text: Text,
    /// The checked-out repository: annotations have paths from there.
    workspace: Option<PathBuf>,
    /// The file that the runner shows as the summary of the job.
    summary: Option<PathBuf>,
    /// The plan, for the summary: empty where there is none.
    plan: String,
    /// The command that is run, as in `svc plan`.
    title: String,
    /// The documents that are under way, and folders of them.
    documents: Vec<PathBuf>,
    counts: Option<Counts>,
    problems: Vec<Problem>,
    /// The number of problems that the plan tells already.
    in_plan: Option<usize>,
}

/// A line of the summary.
struct Problem {
    kind: &'static str,
    place: String,
    message: String,
}

impl Github {
    /// Around a text, with the folders and files that the runner names in its variables.
    pub(super) fn new(text: Text, title: String) -> Github {
        let path = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let summary = path("GITHUB_STEP_SUMMARY");
        Github {
            text,
            workspace: path("GITHUB_WORKSPACE"),
            summary,
            plan: String::new(),
            title,
            documents: Vec::new(),
            counts: None,
            problems: Vec::new(),
            in_plan: None,
        }
    }

    fn warning(&mut self, message: &str, place: Option<&FilePlace>) {
        let (properties, message) = match place {
            Some(place) => (self.place(Path::new(&place.file), place.line, place.column), place.rest_of(message)),
            None => (Vec::new(), message),
        };
        self.annotate("warning", &properties, message);
    }

    fn error(&mut self, report: &ErrorReport) {
        for finding in &report.findings {
            let mut properties = match (&finding.file, finding.line, finding.column) {
                (Some(file), Some(line), Some(column)) => self.place(Path::new(file), line, column),
                _ => Vec::new(),
            };
            properties.push(("title", report.failure.code.to_string()));
            self.annotate("error", &properties, &with_path(finding));
        }
        let advice = report.failure.recommendation.as_deref().unwrap_or_default();
        if report.findings.is_empty() {
            let message = format!("{}\n{advice}", report.failure.message);
            self.annotate("error", &[("title", report.failure.code.to_string())], message.trim_end());
        } else if !advice.is_empty() {
            complain(format!("  {advice}"));
        }
    }

    fn place(&self, file: &Path, line: usize, column: usize) -> Vec<(&'static str, String)> {
        let file = self.workspace.as_deref().and_then(|root| file.strip_prefix(root).ok()).unwrap_or(file);
        let file = file.display().to_string().replace('\\', "/");
        vec![("file", file), ("line", line.to_string()), ("col", column.to_string())]
    }

    fn annotate(&mut self, kind: &'static str, properties: &[(&str, String)], message: &str) {
        say_raw(&command(kind, properties, message));
        let of = |name: &str| properties.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str());
        let place = match (of("file"), of("line")) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => of("title").unwrap_or_default().to_owned(),
        };
        self.problems.push(Problem { kind, place, message: message.to_owned() });
    }

    /// The part of the summary that is about one document: what came of it, and the plan.
    fn section(&self) -> String {
        let plan = &self.plan;
        let document = match self.documents.as_slice() {
            [] => String::new(),
            [only] => {
                only.file_name().map(|name| format!(" {}", markdown_code(&name.to_string_lossy()))).unwrap_or_default()
            }
            several => format!(" of {} documents", several.len()),
        };
        let mut section = format!("### {}{document}\n\n", self.title);
        if let Some(counts) = &self.counts {
            let (head, row) = table(counts);
            section.push_str(&format!("{head}\n{}\n{row}\n\n", "|---".repeat(head.matches('|').count() - 1) + "|"));
        }
        let in_plan = if plan.is_empty() { 0 } else { self.in_plan.unwrap_or_default() };
        let is_new = |(index, problem): &(usize, &Problem)| *index >= in_plan || problem.kind == "error";
        let problems: Vec<&Problem> =
            self.problems.iter().enumerate().filter(is_new).map(|(_, problem)| problem).collect();
        if !problems.is_empty() {
            section.push_str("| | Where | What |\n|---|---|---|\n");
        }
        for problem in &problems {
            let (place, message) = (lines(&problem.place), lines(&problem.message));
            section.push_str(&format!("| {} | {place} | {message} |\n", problem.kind));
        }
        if self.counts.is_none() && self.problems.is_empty() {
            section.push_str("No problems.\n");
        }
        section.push('\n');
        if !plan.is_empty() {
            section.push_str(plan);
            section.push('\n');
        }
        section
    }

    fn write_summary(&self) {
        let Some(file) = &self.summary else { return };
        if let Err(error) = append(file, &self.section()) {
            let message = format!("The summary of the job cannot be written to '{}': {error}.", file.display());
            say_raw(&command("warning", &[], &message));
        }
    }
}

impl Renderer for Github {
    fn show(&mut self, message: &Message) {
        if matches!(message, Message::Plan { .. } | Message::Result(_) | Message::Error(_)) {
            self.in_plan.get_or_insert(self.problems.len());
        }
        match message {
            Message::Warning(warning) => self.warning(&warning.message, warning.place.as_ref()),
            Message::Kept(kept) => self.warning(&kept.reason, kept.place.as_ref()),
            Message::Error(report) if report.failures.is_empty() => self.error(report),
            Message::Result(counts) => {
                self.counts = Some(*counts);
                self.text.show(&Message::Result(*counts));
            }
            Message::Drift(drift) => {
                for difference in &drift.differences {
                    let name = report::name(&difference.resource.resource_id, &difference.resource.label);
                    self.warning(&format!("{name}: {}", difference.sentence), difference.place.as_ref());
                }
                drift.kept.iter().for_each(|kept| self.warning(&kept.reason, kept.place.as_ref()));
                // The comparison in the summary has them as well.
                self.in_plan = Some(self.problems.len());
                say(drift.sentence.as_str());
            }
            message => self.text.show(message),
        }
    }

    fn deletions(&mut self, actions: &[Action]) {
        self.text.deletions(actions);
    }

    fn ask(&mut self, prompt: &str) {
        self.text.ask(prompt);
    }

    fn tick(&mut self, now: Instant) {
        self.text.tick(now);
    }

    fn wants_markdown(&self) -> bool {
        self.summary.is_some()
    }

    fn markdown(&mut self, plan: String) {
        self.plan = plan;
    }

    fn begin(&mut self, documents: Vec<PathBuf>) {
        self.documents = documents;
    }

    fn finish(&mut self) {
        self.text.finish();
        self.write_summary();
        self.counts = None;
        self.problems.clear();
        self.in_plan = None;
        self.plan.clear();
    }
}

fn with_path(finding: &FindingReport) -> String {
    if finding.path.is_empty() { finding.message.clone() } else { format!("{}: {}", finding.path, finding.message) }
}

/// A workflow command, with what would end its parts escaped (GitHub: "Workflow commands"; actions/toolkit, `command.ts`).
fn command(kind: &str, properties: &[(&str, String)], message: &str) -> String {
    let harmless = |text: &str| {
        let shown = Line::from(text).into_shown();
        shown.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
    };
    let property =
        |(name, value): &(&str, String)| format!("{name}={}", harmless(value).replace(':', "%3A").replace(',', "%2C"));
    let properties: Vec<String> = properties.iter().map(property).collect();
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{kind}{blank}{}::{}", properties.join(","), harmless(message))
}

/// The counts of a run as the head and the row of a table.
fn table(counts: &Counts) -> (String, String) {
    let made = if counts.what_if { ["To create", "To change", "To delete"] } else { ["Created", "Changed", "Deleted"] };
    let columns = [
        (made[0], counts.created),
        (made[1], counts.modified),
        (made[2], counts.deleted),
        ("Up to date", counts.unchanged),
        ("Kept", counts.kept),
        ("Skipped", counts.skipped),
        ("Failed", counts.failed),
    ];
    let row = |cell: &dyn Fn(&(&str, usize)) -> String| {
        let cells: Vec<String> = columns.iter().map(cell).collect();
        format!("| {} |", cells.join(" | "))
    };
    (row(&|(name, _)| (*name).to_owned()), row(&|(_, count)| count.to_string()))
}

/// A text as one cell of a table: each of its lines as code.
fn lines(text: &str) -> String {
    text.lines().map(markdown_cell).collect::<Vec<_>>().join("<br>")
}

/// Appends as many lines as the summary still takes.
fn append(file: &Path, section: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    let room = usize::try_from(LARGEST_SUMMARY.saturating_sub(file.metadata()?.len())).unwrap_or_default();
    if section.len() <= room {
        return file.write_all(section.as_bytes());
    }
    let Some(room) = room.checked_sub(CUT.len()) else { return Ok(()) };
    let fits = section.as_bytes().get(..room).unwrap_or_default();
    let whole_lines = fits.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    file.write_all(format!("{}{CUT}", &section[..whole_lines]).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped_as_github_documents_it() {
        let place = [("file", "a,b:c/50%.yml".to_owned()), ("line", "3".to_owned())];
        assert_eq!(
            command("error", &place, "100% wrong: one, two\r\n::error::x"),
            "::error file=a%2Cb%3Ac/50%25.yml,line=3::100%25 wrong: one, two%0A\\u{3a}:error::x"
        );
        assert_eq!(command("warning", &[], "\u{1b}[31mred ##[error]"), "::warning::\\u{1b}[31mred \\u{23}#[error]");
    }

    #[test]
    fn a_cell_has_a_line_for_each_of_a_message() {
        assert_eq!(lines("a|b <img> @c\r\n*d*"), "`a\\|b <img> @c`<br>`*d*`");
        assert_eq!(lines(""), "");
    }

    #[test]
    fn the_summary_stays_within_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("summary.md");
        append(&file, "one\n").unwrap();
        append(&file, "two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        let lines = "é is a line of the table\n".repeat(60_000);
        append(&file, &lines).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.len() <= 1024 * 1024 && text.len() > 1024 * 1024 - 100, "{}", text.len());
        assert!(text.ends_with(&format!("is a line of the table\n{CUT}")));
        append(&file, &lines).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "nothing fits any more");
    }
}
