//! The plan as a comment on a pull request, or the summary of a job: Markdown as GitHub and Azure DevOps read it.

mod blocks;
mod escape;
mod mermaid;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use super::graph::{Graph, Limits};
use super::summary::{self, OFFLINE, Tally};
use super::{Report, tree, value};
use crate::azure::ResourceId;
use crate::protocol::{Action, ActionKind, Kept, plural};
use blocks::Rows;
pub use escape::{cell, code};
use escape::{clip, label};

/// How long a comment may be: GitHub takes 65,536 characters; pipelines put a line or two of their own before it.
const LONGEST: usize = 65_000;
/// What forges draw and people can still read. Mermaid draws fewer than 500 edges, and older ones fewer than 280.
const DRAWN: Limits = Limits { nodes: 80, edges: 200 };

/// How much of a plan is told.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// How many properties of a created resource; none leaves the created resources out.
    created: Option<usize>,
    /// How many of a changed or deleted one.
    changed: Option<usize>,
    has_graph: bool,
    /// How many items of a list: deletions, what is kept, warnings.
    listed: usize,
    /// What is missing, for people.
    missing: Option<&'static str>,
}

const EVERYTHING: Detail =
    Detail { created: Some(usize::MAX), changed: Some(usize::MAX), has_graph: true, listed: usize::MAX, missing: None };
const WITHOUT_GRAPH: Detail = Detail { has_graph: false, ..EVERYTHING };
const WITHOUT_CHANGES: Detail = Detail {
    created: None,
    changed: None,
    missing: Some("the single changes, the graph and the ends of long lists"),
    ..WITHOUT_GRAPH
};

/// From everything to the least, what matters least first.
const DETAILS: &[Detail] = &[
    EVERYTHING,
    Detail { created: Some(4), missing: Some("most properties of created resources"), ..EVERYTHING },
    Detail { created: Some(0), missing: Some("the properties of created resources"), ..EVERYTHING },
    Detail { created: Some(0), missing: Some("the properties of created resources and the graph"), ..WITHOUT_GRAPH },
    Detail { created: None, missing: Some("the created resources and the graph"), ..WITHOUT_GRAPH },
    Detail {
        created: None,
        changed: Some(4),
        missing: Some("the created resources, most properties and the graph"),
        ..WITHOUT_GRAPH
    },
    Detail {
        created: None,
        changed: Some(0),
        listed: 100,
        missing: Some("the created resources, all properties, the graph and the ends of long lists"),
        ..WITHOUT_GRAPH
    },
    Detail { listed: 100, ..WITHOUT_CHANGES },
    Detail { listed: 15, ..WITHOUT_CHANGES },
];

/// The report as Markdown, in at most [`LONGEST`] characters: what does not fit is left out, from the least important on, and
/// said at the end.
#[must_use]
pub fn write(report: &Report) -> String {
    let fits = |text: &String| text.chars().count() <= LONGEST;
    let shortest = DETAILS[DETAILS.len() - 1];
    DETAILS.iter().map(|detail| with(report, detail)).find(fits).unwrap_or_else(|| with(report, &shortest))
}

fn with(report: &Report, detail: &Detail) -> String {
    let mut parts = vec![heading(report), facts(report)];
    if report.offline {
        parts.push(format!("**{OFFLINE}**"));
    }
    parts.extend(deletions(report, detail));
    parts.extend(kept(report, detail));
    parts.extend(warnings(report, detail));
    parts.extend(documents(report, detail));
    parts.extend(types(report));
    parts.extend(changes(report, detail));
    if detail.has_graph {
        parts.extend(graph(report));
    }
    if let Some(missing) = detail.missing {
        parts.push(format!(
            "*Left out because a comment has a limit: {missing}. The reports in `.html` and `.json` have everything.*"
        ));
    }
    parts.join("\n\n") + "\n"
}

fn heading(report: &Report) -> String {
    let target = summary::subscription(report).map(|name| format!(" for {}", code(&clip(name)))).unwrap_or_default();
    format!("## Plan of {}{target}: {}", code(&clip(&summary::subject(report))), summary::outcome(report))
}

fn facts(report: &Report) -> String {
    let rows = summary::facts(report).into_iter().map(|(name, value)| format!("| {name} | {} |", cell(&clip(&value))));
    format!("|  |  |\n|---|---|\n{}", rows.collect::<Vec<_>>().join("\n"))
}

fn deletions(report: &Report, detail: &Detail) -> Option<String> {
    let items: Vec<String> = summary::of_kind(report, ActionKind::Delete)
        .map(|action| {
            let named = |word: &str, name: &Option<String>| {
                name.as_ref().map_or_else(String::new, |name| format!(" {word} {}", code(&clip(name))))
            };
            let (group, document) = (named("in", &action.resource_group), named("of", &action.document));
            format!("- {} {}{group}{document}", label(&action.label, code), code(&clip(&action.full_name)))
        })
        .collect();
    list("Deleted, which cannot be undone", "", items, detail)
}

fn kept(report: &Report, detail: &Detail) -> Option<String> {
    let item = |kept: &Kept| {
        let of = ResourceId::new(&kept.resource_id);
        let shown =
            |json: &Option<String>| json.as_ref().map_or_else(String::new, |json| cell(&clip(&value(json, &of))));
        let resource = cell(&clip(&format!("{} {}", kept.label, kept.full_name)));
        let path = if kept.path.is_empty() { String::new() } else { cell(&clip(super::short_path(&kept.path))) };
        let (wanted, existing) = (shown(&kept.wanted), shown(&kept.existing));
        format!("| {resource} | {path} | {wanted} | {existing} | {} |", cell(&clip(&kept.reason)))
    };
    let head = "| Resource | Property | Wanted | Stays | Why |\n|---|---|---|---|---|\n";
    list("Kept as it is, although the document wants otherwise", head, report.kept.iter().map(item).collect(), detail)
}

fn warnings(report: &Report, detail: &Detail) -> Option<String> {
    let items = report.warnings.iter().map(|warning| format!("- {}", code(&clip(warning)))).collect();
    list("Warnings", "", items, detail)
}

/// A section with a list or a table; none where it would be empty.
fn list(title: &str, head: &str, mut items: Vec<String>, detail: &Detail) -> Option<String> {
    if items.is_empty() {
        return None;
    }
    let count = items.len();
    let more = count.saturating_sub(detail.listed);
    items.truncate(detail.listed);
    let mut text = format!("### {title} ({count})\n\n{head}{}", items.join("\n"));
    if more > 0 {
        let _ = write!(text, "\n\n… and {more} more");
    }
    Some(text)
}

/// How much of each document; nothing where there is only one.
fn documents(report: &Report, detail: &Detail) -> Option<String> {
    let row = |document: &summary::OfDocument<'_>| {
        let Tally { create, modify, delete } = document.tally();
        let [create, modify, delete, kept] = [create, modify, delete, document.kept].map(number);
        format!("| {} | {create} | {modify} | {delete} | {kept} |", cell(&clip(document.name)))
    };
    let head = "| Document | Create | Change | Delete | Kept |\n|---|--:|--:|--:|--:|\n";
    list("Documents", head, summary::documents(report).iter().map(row).collect(), detail)
}

/// A count in a table; what there is none of is not shown.
fn number(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// How many of each type; nothing where there is only one type.
fn types(report: &Report) -> Option<String> {
    let types = summary::types(&report.actions);
    if types.len() < 2 {
        return None;
    }
    let rows = types.iter().map(|(name, tally)| {
        let (create, modify, delete) = (number(tally.create), number(tally.modify), number(tally.delete));
        format!("| {} | {create} | {modify} | {delete} |", label(name, cell))
    });
    let rows: Vec<String> = rows.collect();
    Some(format!("| Type | Create | Change | Delete |\n|---|--:|--:|--:|\n{}", rows.join("\n")))
}

/// The changes that are told, as a tree.
fn changes(report: &Report, detail: &Detail) -> Vec<String> {
    let of = |action: &Action| if action.action == ActionKind::Create { detail.created } else { detail.changed };
    let rows = Rows { created: detail.created.unwrap_or_default(), changed: detail.changed.unwrap_or_default() };
    let groups = |actions: &mut dyn Iterator<Item = &Action>| -> Vec<String> {
        tree(actions.filter(|action| of(action).is_some())).iter().map(|node| blocks::group(node, rows)).collect()
    };
    let documents = summary::documents(report);
    let mut told = Vec::new();
    if documents.is_empty() {
        told = groups(&mut report.actions.iter());
    }
    for document in &documents {
        let groups = groups(&mut document.actions.iter().copied());
        if !groups.is_empty() {
            told.push(format!("#### {}: {}", code(&clip(document.name)), document.tally().words()));
            told.extend(groups);
        }
    }
    if !told.is_empty() {
        told.insert(0, "### Changes".to_owned());
    }
    told
}

fn graph(report: &Report) -> Option<String> {
    let graph = Graph::new(&report.actions, DRAWN)?;
    let drawing = mermaid::write(&graph)?;
    let note = graph.note().map(|note| format!("{note}\n\n")).unwrap_or_default();
    let changes = report.actions.len();
    Some(format!(
        "<details><summary>What is made before what ({changes} change{})</summary>\n\n{note}{drawing}\n\n</details>",
        plural(changes)
    ))
}
