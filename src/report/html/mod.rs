//! The plan as one page that needs nothing else: no network, no other file, and no script to be read.

mod change_tree;
mod drawing;
mod layout;
#[cfg(test)]
mod tests;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::graph::{Graph, Limits};
use super::summary::{self, OFFLINE, Tally};
use super::{Report, short_path, tree, value};
use crate::azure::ResourceId;
use crate::protocol::{ActionKind, JsonText, Kept, Rehearsal, plural, visible};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The limits of what can be drawn and still be looked at.
const DRAWN: Limits = Limits { nodes: 400, edges: 1200 };
/// In a plan with more changes than this, nothing but the resource groups is open at first.
const OPEN: usize = 300;

/// The report as a page of HTML. What documents and servers say is only ever text in it, and a browser that is told
/// otherwise loads and runs nothing but what this program wrote: see [`policy`].
#[must_use]
pub fn write(report: &Report) -> String {
    let title = summary::subject(report);
    let target = summary::subscription(report);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { "Plan of " (visible(&title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#changes" { "To the changes" }
                header {
                    h1 {
                        "Plan of " span.name { (visible(&title)) }
                        @if let Some(target) = target { " for " span.name { (visible(target)) } }
                    }
                    p.outcome { (summary::outcome(report)) }
                    (facts(report))
                }
                main {
                    @if report.head.offline { p.notice role="note" { (OFFLINE) } }
                    (deletions(report))
                    (kept(report))
                    (warnings(report))
                    (rehearsals(report))
                    (documents(report))
                    (types(report))
                    (changes_of(report))
                    (graph(report))
                }
                footer { p { "Secrets are shown as " code { "***" } ", and values that only Azure knows as (known after apply)." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The policy of what the page may load and run: its own style and script, known by their hashes, and nothing else from anywhere.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(digest(&SHA256, text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn facts(report: &Report) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in summary::facts(report) {
                div { dt { (name) } dd { (visible(&value)) } }
            }
        }
    }
}

fn deletions(report: &Report) -> Markup {
    let deleted: Vec<_> = summary::of_kind(report, ActionKind::Delete).collect();
    html! {
        @if !deleted.is_empty() {
            section.deletions aria-labelledby="deletions" {
                h2 #deletions { "Deleted, which cannot be undone (" (deleted.len()) ")" }
                ul {
                    @for action in deleted {
                        li {
                            (visible(&action.resource.label)) " " a href={ "#change-" (action.index) } { (visible(&action.resource.full_name)) }
                            @if let Some(group) = &action.resource.resource_group { " in " (visible(group)) }
                            @if let Some(document) = &action.document { " of " (visible(document)) }
                        }
                    }
                }
            }
        }
    }
}

fn kept(report: &Report) -> Markup {
    let shown = |kept: &Kept, json: &Option<JsonText>| {
        json.as_deref()
            .map(|json| visible(&value(json, &ResourceId::new(&kept.resource.resource_id))))
            .unwrap_or_default()
    };
    html! {
        @if !report.kept.is_empty() {
            section.kept aria-labelledby="kept" {
                h2 #kept { "Kept as it is, although the document wants otherwise (" (report.kept.len()) ")" }
                div.wide tabindex="0" role="group" aria-labelledby="kept" {
                    table {
                        thead { tr { th { "Resource" } th { "Property" } th { "Wanted" } th { "Stays" } th { "Why" } } }
                        tbody {
                            @for one in &report.kept {
                                tr {
                                    td { (visible(&one.resource.label)) " " b { (visible(&one.resource.full_name)) } }
                                    td { code { (visible(short_path(&one.path))) } }
                                    td { code { (shown(one, &one.wanted)) } }
                                    td { code { (shown(one, &one.existing)) } }
                                    td { (visible(&one.reason)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn warnings(report: &Report) -> Markup {
    html! {
        @if !report.head.warnings.is_empty() {
            section.warnings aria-labelledby="warnings" {
                h2 #warnings { "Warnings (" (report.head.warnings.len()) ")" }
                ul { @for warning in &report.head.warnings { li { (visible(warning)) } } }
            }
        }
    }
}

/// The amount of each document, with a link to its changes; nothing where there is only one.
fn documents(report: &Report) -> Markup {
    let documents = summary::documents(report);
    html! {
        @if !documents.is_empty() {
            section aria-labelledby="documents" {
                h2 #documents { "Documents (" (report.head.documents.len()) ")" }
                table.numbers {
                    thead { tr { th { "Document" } th { "Create" } th { "Change" } th { "Delete" } th { "Kept" } } }
                    tbody {
                        @for (index, document) in documents.iter().enumerate() {
                            @let Tally { create, modify, delete } = document.tally();
                            tr {
                                th scope="row" {
                                    @if document.actions.is_empty() { (visible(document.name)) }
                                    @else { a href={ "#document-" (index) } { (visible(document.name)) } }
                                }
                                td { (number(create)) } td { (number(modify)) } td { (number(delete)) } td { (number(document.kept)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A count in a table; what there is none of is not shown.
fn number(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

fn types(report: &Report) -> Markup {
    let types = summary::types(&report.actions);
    html! {
        @if types.len() > 1 {
            section aria-labelledby="types" {
                details {
                    summary { h2 #types { "By type (" (types.len()) ")" } }
                    table.numbers {
                        thead { tr { th { "Type" } th { "Create" } th { "Change" } th { "Delete" } } }
                        tbody {
                            @for (label, Tally { create, modify, delete }) in types {
                                tr {
                                    th scope="row" { (visible(label)) }
                                    td { (number(create)) } td { (number(modify)) } td { (number(delete)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The alert rules that were rehearsed, each with a strip of the time.
fn rehearsals(report: &Report) -> Markup {
    let rules: Vec<_> = summary::rehearsals(report).collect();
    html! {
        @if !rules.is_empty() {
            section aria-labelledby="rehearsals" {
                h2 #rehearsals { "Alert rules, rehearsed (" (rules.len()) ")" }
                div.wide {
                    table.rehearsals {
                        @for (name, index, rehearsal) in rules {
                            tr {
                                th scope="row" {
                                    @match index {
                                        Some(index) => a href={ "#change-" (index) } { (visible(name)) },
                                        None => (visible(name)),
                                    }
                                }
                                td { (strip(rehearsal)) (visible(&rehearsal.sentence)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The time from left to right, and in it the parts in which a condition was met. What is told beside it says the same.
fn strip(rehearsal: &Rehearsal) -> Markup {
    // Less than this would not be seen.
    const NARROWEST: usize = 3;
    html! {
        @if rehearsal.fired.is_some() {
            svg.strip xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                @for [from, to] in &rehearsal.strip {
                    rect x=(from.min(&(1000 - NARROWEST))) y="0" width=(to.saturating_sub(*from).max(NARROWEST)) height="10" {}
                }
            }
        }
    }
}

fn changes_of(report: &Report) -> Markup {
    let count = report.actions.len();
    html! {
        section aria-labelledby="changes" {
            h2 #changes tabindex="-1" { "Changes (" (count) ")" }
            @if count == 0 {
                p { "Nothing is changed." }
            } @else {
                (filter(report))
                div #tree { (tree_of(report)) }
            }
        }
    }
}

/// The tree of all changes; of several documents one for each.
fn tree_of(report: &Report) -> Markup {
    let opens = report.actions.len() <= OPEN;
    let documents = summary::documents(report);
    html! {
        @if documents.is_empty() {
            @for node in tree(&report.actions) { (change_tree::group(&node, opens)) }
        }
        @for (index, document) in documents.iter().enumerate().filter(|(_, document)| !document.actions.is_empty()) {
            section.document aria-labelledby={ "document-" (index) } {
                h3 id={ "document-" (index) } tabindex="-1" {
                    span.name { (visible(document.name)) } span.tally { (document.tally().words()) }
                }
                @for node in tree(document.actions.iter().copied()) { (change_tree::group(&node, opens)) }
            }
        }
    }
}

/// The controls. They are hidden until the script that they need runs.
fn filter(report: &Report) -> Markup {
    let mut total = Tally::default();
    report.actions.iter().for_each(|action| total.add(action.action));
    let kinds =
        [("create", "created", total.create), ("modify", "changed", total.modify), ("delete", "deleted", total.delete)];
    html! {
        form #filter hidden role="search" aria-label="Filter the changes" {
            label { "Text " input #text type="search" autocomplete="off" spellcheck="false" placeholder="name, property, value, line"; }
            label {
                "Type "
                select #type {
                    option value="" { "all types" }
                    @for (label, _) in summary::types(&report.actions) { option { (visible(label)) } }
                }
            }
            fieldset {
                legend { "Actions" }
                @for (value, name, count) in kinds {
                    @if count > 0 {
                        label { input type="checkbox" name="action" value=(value) checked; " " (name) " (" (count) ")" }
                    }
                }
            }
            span.buttons {
                button #open type="button" { "Open all" }
                button #close type="button" { "Close all" }
                button type="reset" { "Clear filter" }
            }
            output #shown for="text type" { }
        }
    }
}

fn graph(report: &Report) -> Markup {
    let graph = Graph::new(&report.actions, DRAWN);
    let count = report.actions.len();
    html! {
        @if let Some(graph) = &graph {
            section.graph aria-labelledby="graph" {
                details open[count <= OPEN] {
                    summary { h2 #graph { "What is made before what" } }
                    @if let Some(note) = graph.note() { p { (note) } }
                    div.wide tabindex="0" role="group" aria-labelledby="graph" { (drawing::write(graph)) }
                }
            }
        } @else if count > 1 {
            p { "There is no drawing of the dependencies: " (count) " change" (plural(count)) " that do not depend on each other, or too many to draw." }
        }
    }
}
