//! The changes of a plan as blocks that open and close, with the properties as a diff.

use super::escape::{clip, html_code, label, longest_ticks};
use crate::azure::ResourceId;
use crate::protocol::{Action, ActionKind, PropertyChange, visible};
use crate::report::summary::{Tally, defaults, sign};
use crate::report::{Difference, Node, Sign, difference, is_default, short_path};

/// The number of properties of a resource that are told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pub(super) created: usize,
    pub(super) changed: usize,
}

/// A resource group, or the subscription, with everything in it.
pub(super) fn group(node: &Node<'_>, rows: Rows) -> String {
    let tally = Tally::of(node);
    let own = node.action.map(|action| format!("{} ", sign(action.action))).unwrap_or_default();
    let open = if tally.is_sensitive() { " open" } else { "" };
    let mut parts = vec![format!(
        "<details{open}><summary>{own}{} {}: {}</summary>",
        label(&node.label, html_code),
        html_code(&clip(&node.name)),
        tally.words()
    )];
    if let Some(action) = node.action {
        let mut lines = Vec::new();
        properties(action, 0, rows, &mut lines);
        parts.extend(fenced(&lines));
    }
    parts.extend(node.children.iter().map(|child| resource(child, rows)));
    parts.push("</details>".to_owned());
    parts.join("\n\n")
}

/// A resource with everything in it as one diff.
fn resource(node: &Node<'_>, rows: Rows) -> String {
    let own = node.action.map(|action| format!("{} ", sign(action.action))).unwrap_or_default();
    let title = format!("{own}{} {}", label(&node.label, html_code), html_code(&clip(&node.name)));
    let inside = match (Tally::of(node), node.action) {
        (_, Some(_)) if node.children.is_empty() => String::new(),
        (tally, None) => format!(": {}", tally.words()),
        (tally, Some(_)) => format!(", in all {}", tally.words()),
    };
    let mut lines = Vec::new();
    resource_lines(node, 0, rows, &mut lines);
    let open = if Tally::of(node).is_sensitive() { " open" } else { "" };
    match fenced(&lines) {
        Some(block) if lines.len() > 1 => {
            format!("<details{open}><summary>{title}{inside}</summary>\n\n{block}\n\n</details>")
        }
        // There is nothing to open.
        _ => format!("<p>{title}</p>"),
    }
}

fn resource_lines(node: &Node<'_>, depth: usize, rows: Rows, lines: &mut Vec<String>) {
    let mark = match node.action.map(|action| action.action) {
        None => ' ',
        Some(ActionKind::Create) => '+',
        // What GitHub shows as changed.
        Some(ActionKind::Modify) => '!',
        Some(ActionKind::Delete) => '-',
    };
    let origin = node.action.and_then(|action| action.origin.as_deref());
    lines.push(line(mark, depth, &format!("{} {}", node.label, node.name), origin));
    if let Some(action) = node.action {
        properties(action, depth + 1, rows, lines);
    }
    node.children.iter().for_each(|child| resource_lines(child, depth + 1, rows, lines));
}

/// The properties that the document says, and the number of the others; of a changed resource all.
fn properties(action: &Action, depth: usize, rows: Rows, lines: &mut Vec<String>) {
    let is_created = action.action == ActionKind::Create;
    let most = if is_created { rows.created } else { rows.changed };
    let id = ResourceId::new(&action.resource.resource_id);
    let is_short = |change: &&PropertyChange| is_created && is_default(change);
    let (short, told): (Vec<&PropertyChange>, Vec<&PropertyChange>) = action.changes.iter().partition(is_short);
    told.iter().take(most).for_each(|change| property(change, &id, depth, lines));
    let more = told.len().saturating_sub(most);
    if more > 0 && most > 0 {
        lines.push(line(' ', depth, &format!("… {more} more"), None));
    }
    if !short.is_empty() && most > 0 {
        lines.push(line(' ', depth, &format!("… {}", defaults(short.len())), None));
    }
}

fn property(change: &PropertyChange, id: &ResourceId, depth: usize, lines: &mut Vec<String>) {
    let path = short_path(&change.path);
    let origin = change.origin.as_deref();
    match difference(change, id) {
        Difference::Value { before, after } => {
            let last = if after.is_none() { origin } else { None };
            lines.extend(before.map(|value| line('-', depth, &format!("{path}: {value}"), last)));
            lines.extend(after.map(|value| line('+', depth, &format!("{path}: {value}"), origin)));
        }
        Difference::Parts(parts) => {
            lines.push(line(' ', depth, &format!("{path}:"), origin));
            for part in parts {
                let (mark, text) = match part.sign {
                    Sign::Added => ('+', part.text),
                    Sign::Removed => ('-', part.text),
                    Sign::Kept => (' ', part.text),
                    Sign::Left => (' ', format!("… {}", part.text)),
                };
                lines.push(line(mark, depth + 1, &text, None));
            }
        }
    }
}

/// A line of a diff: its mark, and where the document says so.
fn line(mark: char, depth: usize, text: &str, origin: Option<&str>) -> String {
    let origin = origin.map(|origin| format!("  # {}", visible(origin))).unwrap_or_default();
    format!("{mark} {}{}{origin}", "  ".repeat(depth), visible(&clip(text)))
}

/// The lines as a diff; none without a line. Its fence is longer than any in it.
fn fenced(lines: &[String]) -> Option<String> {
    let fence = "`".repeat(lines.iter().map(|line| longest_ticks(line) + 1).max()?.max(3));
    Some(format!("{fence}diff\n{}\n{fence}", lines.join("\n")))
}
