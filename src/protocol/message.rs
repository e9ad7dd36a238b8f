//! The messages an operation sends to its host, as `docs/abi.md` describes them.

use serde::Serialize;

use super::action::Action;
use super::counts::{Counts, with_sentence};
use super::drift::Drift;
use super::error_report::ErrorReport;
use super::kept::Kept;
use super::resource_report::{ResourceReport, UnchangedReport};
use super::target::{MadeWith, Target, with_description};
use super::template::TemplateReport;
use super::under_way::UnderWay;
use super::warning::Warning;

/// A file beside a settings document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileBeside {
    /// Relative to the folder of the document, with `/`: `_names/generators.yml`.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// One message. Its JSON form has an `event` member that names the variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// A milestone, for people who asked for detail.
    Verbose {
        /// A complete sentence.
        message: String,
    },
    /// Detail for a report of a problem: request ids, timings.
    Debug {
        /// A complete sentence.
        message: String,
    },
    /// Something the user should know although the command goes on.
    Warning(Warning),
    /// The progress of an activity. At most five a second are sent.
    Progress {
        /// Tells activities apart that are shown at the same time.
        activity_id: u32,
        /// The activity as a whole.
        activity: String,
        /// The progress, in words.
        status: String,
        /// The step that is being done right now.
        #[serde(skip_serializing_if = "Option::is_none")]
        current_operation: Option<String>,
        /// 0 to 100.
        #[serde(skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
        /// Every resource that is being changed right now.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        under_way: Vec<UnderWay>,
        /// The activity is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        completed: Option<bool>,
    },
    /// The target that the run deploys to; once, when it is connected, before anything is read.
    #[serde(serialize_with = "with_description")]
    Target(Target),
    /// Something that the settings want otherwise stays as it is.
    Kept(Kept),
    /// The changes that would be made; answered with the indexes of the approved actions.
    Plan {
        /// The version of the shape of a plan: [`PLAN_FORMAT`](super::PLAN_FORMAT).
        format: u32,
        /// Repeated by the answer.
        id: u64,
        /// The target of [`Message::Target`]; none for a plan that is made offline.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
        /// The environment, and the files of the project.
        #[serde(flatten)]
        made_with: MadeWith,
        /// It is not the approved plan: it is only shown, and nothing of it is made whatever the answer.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
        /// The changes, in the order in which they would be made.
        actions: Vec<Action>,
    },
    /// Asks the host for an access token of its Azure session.
    Token {
        /// Repeated by the answer.
        id: u64,
        /// The audience: the Resource Manager endpoint, without `/.default`.
        resource: String,
        /// The tenant the token is for, when it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        tenant_id: Option<String>,
    },
    /// One resource was created, changed or deleted.
    Resource(ResourceReport),
    /// One resource is as the settings want it; sent only when `includeUnchanged` asks for it.
    Unchanged(UnchangedReport),
    /// The settings document of what exists, of an export.
    Document {
        /// The `component` of the document.
        component: String,
        /// The document, YAML with comments.
        text: String,
        /// The absolute path of the file that has it, where the request named one.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// Files that belong beside it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        files: Vec<FileBeside>,
        /// The differences that keep a plan of the document from being empty: complete sentences.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        differences: Vec<String>,
    },
    /// The template that was asked for.
    Template(TemplateReport),
    /// The result of a comparison: what exists against the documents.
    Drift(Box<Drift>),
    /// Something failed.
    Error(ErrorReport),
    /// The counts when everything that could be done is done. After it comes at most a terminating `DeploymentFailed`.
    #[serde(serialize_with = "with_sentence")]
    Result(Counts),
}
