//! The plan as a comment on a pull request, or the summary of a job: Markdown as GitHub and Azure DevOps read it.

mod blocks;
mod escape;
mod mermaid;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::Write;

use super::graph::{Graph, Limits};
use super::summary::{self, OFFLINE, Tally};
use super::{Node, Report, tree, value};
use crate::azure::ResourceId;
use crate::protocol::{Action, ActionKind, JsonText, Kept, Rehearsal, plural};
use blocks::Rows;
pub(super) use escape::clip;
use escape::label;
pub use escape::{cell, code};

/// The length that a comment may have: GitHub takes 65,536 characters; pipelines put a line or two of their own before it.
pub(super) const LONGEST: usize = 65_000;
/// The number of groups that are named of those whose resources are left out.
const NAMED_GROUPS: usize = 5;
/// The limits of what forges draw and people can still read. Mermaid draws fewer than 500 edges, and older ones fewer than 280.
const DRAWN: Limits = Limits { nodes: 80, edges: 200 };

/// The amount of a plan that is told.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// The number of properties of a created resource.
    created: usize,
    /// The number of those of a changed or deleted one.
    changed: usize,
    has_graph: bool,
    /// The number of items of a list: deletions, what is kept, warnings.
    listed: usize,
    /// The missing parts, for people; nothing where all is there.
    missing: &'static [&'static str],
}

const EVERYTHING: Detail =
    Detail { created: usize::MAX, changed: usize::MAX, has_graph: true, listed: usize::MAX, missing: &[] };
const WITHOUT_GRAPH: Detail = Detail {
    created: 0,
    has_graph: false,
    missing: &["the properties of created resources", "the graph"],
    ..EVERYTHING
};
const WITHOUT_PROPERTIES: Detail = Detail {
    changed: 0,
    listed: 100,
    missing: &["all properties", "the graph", "the ends of long lists"],
    ..WITHOUT_GRAPH
};

/// From everything to less, what matters least first.
const DETAILS: &[Detail] = &[
    EVERYTHING,
    Detail { created: 4, missing: &["most properties of created resources"], ..EVERYTHING },
    Detail { created: 0, missing: &["the properties of created resources"], ..EVERYTHING },
    WITHOUT_GRAPH,
];

/// The same for plans of which not even the names of all resources fit.
const DETAILS_OF_PARTS: &[Detail] = &[
    WITHOUT_GRAPH,
    Detail { changed: 4, missing: &["most properties", "the graph"], ..WITHOUT_GRAPH },
    WITHOUT_PROPERTIES,
    Detail { listed: 15, ..WITHOUT_PROPERTIES },
];

/// The report as Markdown, in at most [`LONGEST`] characters: what does not fit is left out, from the least important on, and
/// said at the end. Of resources as many as fit are there, group by group, those that are changed or deleted before those that are created.
#[must_use]
pub fn write(report: &Report) -> String {
    let fits = |text: &String| text.chars().count() <= LONGEST;
    let whole = report.actions.len();
    if let Some(text) = DETAILS.iter().map(|detail| with(report, detail, &Told::all(report))).find(fits) {
        return text;
    }
    let by_group = by_group(report);
    let changed = by_group.iter().take_while(|action| action.action != ActionKind::Create).count();
    let part = |detail: &Detail| {
        let told =
            |count: usize| Told { shown: by_group[..count].iter().map(|action| action.index).collect(), of: whole };
        let most = last_that(whole, |count| fits(&with(report, detail, &told(count))));
        (most, with(report, detail, &told(most)))
    };
    let mut parts = DETAILS_OF_PARTS.iter().map(part);
    let (_, shortest) = parts.clone().next_back().unwrap_or_default();
    parts.find(|(most, _)| *most > 0 && *most >= changed).map_or(shortest, |(_, text)| text)
}

/// The resources that are told.
struct Told {
    /// The indexes of their changes.
    shown: HashSet<usize>,
    /// The number of resources that there are.
    of: usize,
}

impl Told {
    fn all(report: &Report) -> Told {
        Told { shown: report.actions.iter().map(|action| action.index).collect(), of: report.actions.len() }
    }
}

/// The largest number up to `most` for which something holds that holds for all smaller ones; zero where it never does.
fn last_that(most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut holding, mut failing) = (0, most + 1);
    while failing - holding > 1 {
        let middle = holding + (failing - holding) / 2;
        if holds(middle) { holding = middle } else { failing = middle }
    }
    holding
}

/// The changes document by document and group by group, those of what is created after all others.
fn by_group(report: &Report) -> Vec<&Action> {
    fn flat<'a>(node: &Node<'a>, actions: &mut Vec<&'a Action>) {
        actions.extend(node.action);
        node.children.iter().for_each(|child| flat(child, actions));
    }
    let documents = summary::documents(report);
    let parts: Vec<Vec<&Action>> = if documents.is_empty() {
        vec![report.actions.iter().collect()]
    } else {
        documents.iter().map(|document| document.actions.clone()).collect()
    };
    let mut actions = Vec::new();
    for part in parts {
        tree(part).iter().for_each(|node| flat(node, &mut actions));
    }
    actions.sort_by_key(|action| action.action == ActionKind::Create);
    actions
}

fn with(report: &Report, detail: &Detail, told: &Told) -> String {
    let mut parts = vec![heading(report), facts(report)];
    if report.head.offline {
        parts.push(format!("**{OFFLINE}**"));
    }
    parts.extend(deletions(report, detail));
    parts.extend(kept(report, detail));
    parts.extend(warnings(report, detail));
    parts.extend(rehearsals(report, detail));
    parts.extend(documents(report, detail));
    parts.extend(types(report));
    parts.extend(changes(report, detail, told));
    if detail.has_graph {
        parts.extend(graph(report));
    }
    parts.extend(missing(report, detail, told));
    parts.join("\n\n") + "\n"
}

/// The words on what is left out; none where everything is there.
fn missing(report: &Report, detail: &Detail, told: &Told) -> Option<String> {
    let mut missing: Vec<String> = detail.missing.iter().map(|what| (*what).to_owned()).collect();
    let left = told.of - told.shown.len();
    if left > 0 {
        let mut groups: Vec<&str> = Vec::new();
        for action in report.actions.iter().filter(|action| !told.shown.contains(&action.index)) {
            let group = action.resource.resource_group.as_deref().unwrap_or("the subscription");
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let named: Vec<String> = groups.iter().take(NAMED_GROUPS).map(|group| code(&clip(group))).collect();
        let more = match groups.len().saturating_sub(NAMED_GROUPS) {
            0 => String::new(),
            more => format!(" and {more} more resource group{}", plural(more)),
        };
        missing.push(format!("{left} of {} resources, which are in {}{more}", told.of, named.join(", ")));
    }
    let (last, before) = missing.split_last()?;
    let all = if before.is_empty() { last.clone() } else { format!("{} and {last}", before.join(", ")) };
    Some(format!(
        "*Left out because a comment has a limit: {all}. The reports in `.html` and `.json` have everything.*"
    ))
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
            let (group, document) = (named("in", &action.resource.resource_group), named("of", &action.document));
            format!(
                "- {} {}{group}{document}",
                label(&action.resource.label, code),
                code(&clip(&action.resource.full_name))
            )
        })
        .collect();
    list("Deleted, which cannot be undone", "", items, detail)
}

fn kept(report: &Report, detail: &Detail) -> Option<String> {
    let item = |kept: &Kept| {
        let of = ResourceId::new(&kept.resource.resource_id);
        let shown =
            |json: &Option<JsonText>| json.as_deref().map_or_else(String::new, |json| cell(&clip(&value(json, &of))));
        let resource = cell(&clip(&format!("{} {}", kept.resource.label, kept.resource.full_name)));
        let path = if kept.path.is_empty() { String::new() } else { cell(&clip(super::short_path(&kept.path))) };
        let (wanted, existing) = (shown(&kept.wanted), shown(&kept.existing));
        format!("| {resource} | {path} | {wanted} | {existing} | {} |", cell(&clip(&kept.reason)))
    };
    let head = "| Resource | Property | Wanted | Stays | Why |\n|---|---|---|---|---|\n";
    list("Kept as it is, although the document wants otherwise", head, report.kept.iter().map(item).collect(), detail)
}

fn rehearsals(report: &Report, detail: &Detail) -> Option<String> {
    let item = |(name, _, rehearsal): (&str, Option<usize>, &Rehearsal)| {
        format!("| {} | {} |", cell(&clip(name)), cell(&clip(&rehearsal.sentence)))
    };
    let head = "| Rule | Rehearsal |\n|---|---|\n";
    list("Alert rules, rehearsed", head, summary::rehearsals(report).map(item).collect(), detail)
}

fn warnings(report: &Report, detail: &Detail) -> Option<String> {
    let items = report.head.warnings.iter().map(|warning| format!("- {}", code(&clip(warning)))).collect();
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

/// The amount of each document; nothing where there is only one.
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

/// The number of each type; nothing where there is only one type.
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
fn changes(report: &Report, detail: &Detail, of: &Told) -> Vec<String> {
    let rows = Rows { created: detail.created, changed: detail.changed };
    let groups = |actions: &mut dyn Iterator<Item = &Action>| -> Vec<String> {
        tree(actions.filter(|action| of.shown.contains(&action.index)))
            .iter()
            .map(|node| blocks::group(node, rows))
            .collect()
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
