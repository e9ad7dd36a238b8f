//! The tree of changes: resource groups, resources, what is in them, and their properties.

use maud::{Markup, html};

use crate::azure::ResourceId;
use crate::protocol::{Action, ActionKind, PropertyChange, visible};
use crate::report::summary::{self, Tally, defaults};
use crate::report::{Difference, Node, Part, Sign, difference, is_default, short_path};

/// A resource group, or the subscription, with everything in it. `opens` says whether what is changed or deleted is open.
pub(super) fn group(node: &Node<'_>, opens: bool) -> Markup {
    html! {
        details.group open id=[identity(node)] data-action=[action(node)] data-type=[node.action.map(|_| visible(&node.label))] {
            summary { (title(node)) span.tally { (Tally::of(node).words()) } }
            @if let Some(action) = node.action { (properties(action)) }
            @for child in &node.children { (resource(child, opens)) }
        }
    }
}

fn resource(node: &Node<'_>, opens: bool) -> Markup {
    let tally = Tally::of(node);
    html! {
        details.resource open[opens && tally.is_sensitive()] id=[identity(node)] data-action=[action(node)]
            data-type=[node.action.map(|_| visible(&node.label))]
        {
            summary {
                (title(node))
                @if !node.children.is_empty() { span.tally { (tally.words()) } }
                @if let Some(origin) = node.action.and_then(|action| action.origin.as_deref()) { span.origin { (visible(origin)) } }
            }
            @if let Some(action) = node.action { (properties(action)) }
            @for child in &node.children { (resource(child, opens)) }
        }
    }
}

/// The identity by which links of the page find the change; none for what is only there for what it holds.
fn identity(node: &Node<'_>) -> Option<String> {
    node.action.map(|action| format!("change-{}", action.index))
}

fn action(node: &Node<'_>) -> Option<&'static str> {
    node.action.map(|action| class(action.action))
}

pub(super) fn class(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Create => "create",
        ActionKind::Modify => "modify",
        ActionKind::Delete => "delete",
    }
}

fn title(node: &Node<'_>) -> Markup {
    html! {
        @if let Some(action) = node.action {
            // The sign is read out as the word behind it.
            span.sign.(class(action.action)) aria-hidden="true" { (summary::sign(action.action)) }
            span.spoken { (class(action.action)) " " }
        }
        span.label { (visible(&node.label)) } " " span.name { (visible(&node.name)) }
    }
}

/// The properties that the document says; those of a created resource that it does not say are closed away.
fn properties(action: &Action) -> Markup {
    let id = ResourceId::new(&action.resource.resource_id);
    let is_short = |change: &&PropertyChange| action.action == ActionKind::Create && is_default(change);
    let (short, told): (Vec<&PropertyChange>, Vec<&PropertyChange>) = action.changes.iter().partition(is_short);
    html! {
        @if !told.is_empty() { (table(&told, &id)) }
        @if !short.is_empty() {
            details.defaults {
                summary { (defaults(short.len())) }
                (table(&short, &id))
            }
        }
    }
}

fn table(changes: &[&PropertyChange], id: &ResourceId) -> Markup {
    html! {
        table.properties {
            @for change in changes {
                tr {
                    th scope="row" { (visible(short_path(&change.path))) }
                    td { (value(change, id)) }
                    td.origin {
                        @match &change.origin {
                            Some(origin) => (visible(origin)),
                            None => @if is_default(change) { "default" },
                        }
                    }
                }
            }
        }
    }
}

fn value(change: &PropertyChange, id: &ResourceId) -> Markup {
    match difference(change, id) {
        Difference::Value { before, after } => html! {
            @if let Some(before) = &before { del { (visible(before)) } }
            @if before.is_some() && after.is_some() { span.arrow { " → " } }
            @if let Some(after) = &after { ins { (visible(after)) } }
        },
        Difference::Parts(parts) => html! { ul.parts { @for one in &parts { (part(one)) } } },
    }
}

fn part(part: &Part) -> Markup {
    let text = visible(&part.text);
    match part.sign {
        Sign::Added => html! { li { span.mark { "+ " } ins { (text) } } },
        Sign::Removed => html! { li { span.mark { "- " } del { (text) } } },
        Sign::Kept => html! { li { span.mark { "  " } span { (text) } } },
        Sign::Left => html! { li.left { "… " (text) } },
    }
}
