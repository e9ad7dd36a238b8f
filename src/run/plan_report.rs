//! The plan on file: where it is written, and the one that was approved.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::destination::{Inputs, OutputFile, Replaces, is_same_file, save};
use super::failure::{Failure, failure};
use super::planning::Planned;
use super::prepare::DocumentNames;
use crate::plan::Unchanged;
use crate::protocol::{Code, Host, Target, alternatives, cut, escaped_json, plural};
use crate::report::{PlanFile, PlanHead, REPORT_FORMAT, Report, approved, html, markdown};
use crate::settings::{OwnFile, json_mistake, read_file};

/// No plan is larger.
const LARGEST_PLAN: u64 = 64 << 20;
/// The number of differences from an approved plan that are told; the rest is counted.
const DIFFERENCES_TOLD: usize = 20;
/// The forms in which a plan is written.
const KINDS: &[FileForm] = &[
    FileForm { extension: "md", write: |written| markdown(written.report) },
    FileForm { extension: "html", write: |written| html(written.report) },
    FileForm { extension: "json", write: json },
];

/// A form of a plan on file.
struct FileForm {
    /// Of the files that have it.
    extension: &'static str,
    write: fn(Written<'_>) -> String,
}

/// A plan that is written.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    /// As people read it.
    pub(super) report: &'a Report,
    /// As programs do.
    pub(super) file: &'a PlanFile,
}

/// The extensions of the files that a plan is written to.
pub(super) fn extensions() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.extension)
}

fn json(written: Written<'_>) -> String {
    escaped_json(serde_json::to_string_pretty(written.file).unwrap_or_default()) + "\n"
}

/// The name of the plan of a document, or of a folder of documents, in a folder of plans: as that, whatever was planned before. Settings
/// objects and lists of documents have the name of the command.
fn name_of(document: Option<&Path>, command: &str) -> String {
    document.and_then(stem).map_or_else(|| command.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The name of a file without its extension. A folder has none, whatever dots are in its name.
fn stem(path: &Path) -> Option<&OsStr> {
    if path.is_dir() { path.file_name() } else { path.file_stem() }
}

/// The files to which a run writes its plan.
pub(super) struct PlanFiles(Vec<(OutputFile, &'static FileForm)>);

impl PlanFiles {
    /// The files of the paths of a context. A folder gets a file of each kind, called after the document or, where there is none, after
    /// the command.
    ///
    /// # Errors
    /// A path whose file is no plan, or that is neither a folder nor of a known form.
    pub(super) fn of(
        paths: &[PathBuf],
        document: Option<&Path>,
        command: &str,
        inputs: &Inputs,
    ) -> Result<PlanFiles, Failure> {
        let mut files: Vec<(PathBuf, &'static FileForm)> = Vec::new();
        for path in paths {
            let text = path.to_string_lossy();
            if path.is_dir() || text.ends_with(std::path::is_separator) {
                let name = name_of(document, command);
                files.extend(KINDS.iter().map(|kind| (path.join(format!("{name}.{}", kind.extension)), kind)));
                continue;
            }
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            let kind = KINDS.iter().find(|kind| kind.extension == extension).ok_or_else(|| unknown_kind(path))?;
            files.push((path.clone(), kind));
        }
        let checked =
            |(path, kind): (PathBuf, _)| Ok((OutputFile::at(&path, OwnFile::Plan, Replaces::SameKind, inputs)?, kind));
        files.into_iter().map(checked).collect::<Result<_, Failure>>().map(PlanFiles)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes a text of its form to each file, as a whole or not at all.
    pub(super) async fn save(&self, text: impl Fn(&str) -> String, what: &str, host: &Host) -> Result<(), Failure> {
        for (file, kind) in &self.0 {
            save(vec![(file.clone(), text(kind.extension))]).await?;
            host.verbose(format!("{what} is written to '{}'.", file.path().display()));
        }
        Ok(())
    }

    /// Writes the plan, each file as a whole or not at all. The approved plan is not overwritten: it would approve what nobody has seen.
    pub(super) async fn write(
        &self,
        written: Written<'_>,
        approved: Option<&Path>,
        host: &Host,
    ) -> Result<(), Failure> {
        for (file, kind) in &self.0 {
            let path = file.path();
            if approved.is_some_and(|approved| is_same_file(approved, path)) {
                host.verbose(format!("The approved plan '{}' is not overwritten.", path.display()));
                continue;
            }
            save(vec![(file.clone(), (kind.write)(written))]).await?;
            host.verbose(format!("The plan is written to '{}'.", path.display()));
        }
        Ok(())
    }
}

fn unknown_kind(path: &Path) -> Failure {
    let kinds: Vec<String> = extensions().map(|extension| format!(".{extension}")).collect();
    let kinds = alternatives(&kinds);
    let message = format!(
        "The plan cannot be written to '{}': it is not a folder, and its extension is unknown.",
        path.display()
    );
    Box::new(
        failure(Code::PlanReportFailed, message)
            .about(path.display().to_string())
            .recommending(format!("Use a folder that exists, or a file that ends with {kinds}.")),
    )
}

/// The plan of a run with everything that belongs to it, without secrets. Documents have the names of the report, not their paths: a
/// report is read elsewhere.
pub(super) fn report_of(
    planned: &Planned,
    (head, names): (PlanHead, &DocumentNames),
    target: Option<&Target>,
    host: &Host,
) -> Report {
    let name = |document: &mut Option<String>| {
        if let Some(name) = document.as_ref().and_then(|id| names.get(id)) {
            *document = Some(name.clone());
        }
    };
    let (mut actions, mut kept) = (planned.plan.actions(), planned.plan.kept.clone());
    actions.iter_mut().for_each(|action| name(&mut action.document));
    kept.iter_mut().for_each(|kept| name(&mut kept.document));
    let mut warnings = host.warned();
    warnings.extend(planned.plan.left_alone.iter().map(|left| left.error.failure.message.clone()));
    let mut rehearsed: Vec<_> =
        planned.plan.unchanged.iter().filter(|one| one.rehearsal.is_some()).map(Unchanged::report).collect();
    rehearsed.iter_mut().for_each(|one| name(&mut one.document));
    let head = PlanHead { target: target.cloned(), counts: planned.counts(), warnings, rehearsed, ..head };
    host.secrets().redact_data(Report { head, actions, kept })
}

/// The plan of a report as programs read it, with digests of a key.
pub(super) fn file_of(planned: &Planned, report: &Report, key: &str, host: &Host) -> PlanFile {
    host.secrets().redact_data(PlanFile::of(report, &planned.plan, &planned.seen.existing, key))
}

/// A key of digests that no other file has.
pub(super) fn new_key() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// The moment at which a plan is made, as its report says it.
pub(super) fn now() -> String {
    let now = OffsetDateTime::now_utc();
    now.replace_nanosecond(0).unwrap_or(now).format(&Rfc3339).unwrap_or_default()
}

/// Reads the plan that was approved, and checks what can be checked before anything is contacted.
pub(super) fn read_approved(path: &Path, planned: &PlanHead) -> Result<PlanFile, Failure> {
    let bytes = read_file(path, LARGEST_PLAN).map_err(|error| unusable(path, &error.to_string()))?;
    // Editors put a mark before a text.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let no_plan = |reason: &str| unusable(path, &format!("it is not a plan: {reason}"));
    let text: Value = serde_json::from_slice(bytes).map_err(|error| unusable(path, &not_a_plan(&error)))?;
    // A plan of another format may have another shape.
    match text.get("format") {
        None => return Err(no_plan("it is no object with a 'format'")),
        Some(format) if *format != REPORT_FORMAT => {
            return Err(unusable(
                path,
                &format!("its format is {}, expected {REPORT_FORMAT}", cut(&format.to_string(), 40)),
            ));
        }
        Some(_) => {}
    }
    let file: PlanFile = serde_json::from_slice(bytes).map_err(|error| unusable(path, &not_a_plan(&error)))?;
    match approved::unfit(&file, planned) {
        Some(reason) => Err(unusable(path, &reason)),
        None => Ok(file),
    }
}

/// Why a file is no plan, without the words that a parser has for the shape of one.
fn not_a_plan(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    if error.is_data() {
        format!("it is not a plan: line {line}, column {column} has not what a plan has there")
    } else {
        format!("it is not a plan, because it is not JSON: line {line}, column {column}: {}", json_mistake(error))
    }
}

fn unusable(path: &Path, reason: &str) -> Failure {
    let message = format!("The approved plan '{}' cannot be used: {reason}. Nothing was changed.", path.display());
    Box::new(failure(Code::ApprovedPlanInvalid, message).about(path.display().to_string()).recommending(
        "Make the plan again with -WhatIf and -PlanReport, for the same document, environment and subscription.",
    ))
}

/// Holds a plan against the approved one.
pub(super) fn check_approved(
    path: &Path,
    approved: &PlanFile,
    planned: &Planned,
    report: &Report,
    host: &Host,
) -> Result<(), Failure> {
    if let Some(reason) = approved::unfit(approved, &report.head) {
        return Err(unusable(path, &reason));
    }
    let file = file_of(planned, report, &approved.digest_key, host);
    let differences = approved::differences(
        approved,
        approved::Planned {
            plan: &planned.plan,
            report,
            file: &file,
            seen: &planned.seen.existing,
            gone: &planned.gone,
            never_made: &planned.never_made,
        },
    );
    if differences.is_empty() {
        return Ok(());
    }
    let count = differences.len();
    let mut message = format!("The plan has {count} difference{} from the approved one:", plural(count));
    for (index, difference) in differences.iter().take(DIFFERENCES_TOLD).enumerate() {
        message.push_str(&format!("\n[{}] {difference}", index + 1));
    }
    if let Some(more) = count.checked_sub(DIFFERENCES_TOLD).filter(|more| *more > 0) {
        message.push_str(&format!("\n… and {more} more"));
    }
    Err(Box::new(
        failure(Code::PlanChanged, message)
            .about(path.display().to_string())
            .recommending("Nothing was changed. Make the plan again, have it approved, and run the command with it."),
    ))
}
