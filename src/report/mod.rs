//! The plan as people and pipelines keep it: plain data, and what is made of it. Nothing here reads or writes anything.

pub mod approved;
mod difference;
mod drift;
mod graph;
mod html;
mod markdown;
mod plan_file;
#[cfg(test)]
mod samples;
mod sections;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod value;
mod wrap;

pub use difference::{Difference, Part, Sign, difference};
pub use drift::{drift_html, drift_json, drift_markdown};
pub use html::write as html;
pub use markdown::{cell as markdown_cell, code as markdown_code, write as markdown};
pub use plan_file::{FileAction, FileChange, FileKept, PlanFile, ValueSource};
pub use sections::{Section, document_names, sections};
pub use text::{Layout, Line, Span, Style, deletions, head, name, plan, sign};
pub use tree::{Node, by_type, tree};
pub use value::{is_default, short_path, value};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::{Action, Kept, MadeWith, Target, UnchangedReport};

/// The version of the shape of a [`PlanHead`] and what is below it. It changes when a reader of the old shape would misread the new one.
pub const REPORT_FORMAT: u32 = 2;

/// The head of a plan: what it is of, how it was made, and what it says of it all.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanHead {
    /// The version of this shape: 2. A reader refuses every other one.
    pub format: u32,
    /// The version of the program that made the plan.
    pub version: String,
    /// The name of the command, as in `New-SvcIaasStorage`.
    pub command: String,
    /// The file names of the settings documents, without their folders unless two have one name; empty for settings objects.
    pub documents: Vec<String>,
    /// The time of the plan: RFC 3339, UTC, whole seconds.
    pub created: String,
    /// The target of the plan; none for one that was made offline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The environment, and the files of the project.
    #[serde(flatten)]
    pub made_with: MadeWith,
    /// Nothing was read: whether the resources exist is not known.
    pub offline: bool,
    /// The plan was made to be looked at, and is not carried out by the run that made it.
    pub what_if: bool,
    /// The numbers of resources by their state.
    pub counts: PlanCounts,
    /// The warnings: complete sentences.
    pub warnings: Vec<String>,
    /// The alert rules that stay as they are and were rehearsed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rehearsed: Vec<UnchangedReport>,
}

/// A plan with everything that belongs to it. Secrets in it are `***`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The head.
    #[serde(flatten)]
    pub head: PlanHead,
    /// The changes, in the order in which they would be made.
    pub actions: Vec<Action>,
    /// The properties and resources that the settings want otherwise and that stay as they are.
    pub kept: Vec<Kept>,
}

/// The numbers of resources that a plan finds, by their state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanCounts {
    /// To be made; offline also what may exist.
    pub create: usize,
    /// To be changed.
    pub modify: usize,
    /// To be deleted.
    pub delete: usize,
    /// As the settings want them.
    pub unchanged: usize,
    /// Values and resources that the settings want otherwise and that stay as they are.
    pub kept: usize,
    /// In no document of the run although one has made it, and kept.
    #[serde(default, skip_serializing_if = "crate::protocol::is_zero")]
    pub orphans: usize,
}
