//! A graph in the language of Mermaid, which GitHub and Azure DevOps draw. `graph` and not `flowchart`, and no links to
//! subgraphs: Azure DevOps does not take them.

use std::fmt::Write;

use crate::protocol::{ActionKind, visible};
use crate::report::graph::{Graph, Node};
use crate::report::summary::sign;

/// The number of characters of a name that fit into a box.
const SHOWN: usize = 40;

/// The kinds of change with their colours, each readable on a light and on a dark page.
const STYLES: &[(ActionKind, &str, &str)] = &[
    (ActionKind::Create, "create", "fill:#dafbe1,stroke:#1a7f37,color:#1f2328"),
    (ActionKind::Modify, "modify", "fill:#fff8c5,stroke:#9a6700,color:#1f2328"),
    (ActionKind::Delete, "delete", "fill:#ffebe9,stroke:#cf222e,color:#1f2328"),
];

/// The drawing; none where only a resource group comes before anything, which the boxes around the others say already.
pub(super) fn write(graph: &Graph) -> Option<String> {
    let is_drawn = |index: usize| !graph.nodes[index].is_group;
    let edges: Vec<&(usize, usize)> =
        graph.edges.iter().filter(|(from, to)| is_drawn(*from) && is_drawn(*to)).collect();
    if edges.is_empty() {
        return None;
    }
    let mut text = "```mermaid\ngraph LR\n".to_owned();
    for (number, group) in groups(graph).into_iter().enumerate() {
        let own = graph.nodes.iter().find(|node| node.is_group && node.resource_group.as_deref() == group);
        if let Some(name) = group {
            let _ = writeln!(text, "  subgraph g{number}[\"{}{}\"]", own.map(signed).unwrap_or_default(), label(name));
        }
        for (index, node) in graph.nodes.iter().enumerate() {
            if is_drawn(index) && node.resource_group.as_deref() == group {
                let (name, kind) = (label(&node.name), label(&node.label));
                let _ = writeln!(text, "    n{index}[\"{}{name}<br/>{kind}\"]", signed(node));
            }
        }
        text.push_str(if group.is_some() { "  end\n" } else { "" });
    }
    for (from, to) in edges {
        let _ = writeln!(text, "  n{from} --> n{to}");
    }
    for (kind, class, style) in STYLES {
        let nodes = graph.nodes.iter().enumerate().filter(|(index, node)| is_drawn(*index) && node.kind == Some(*kind));
        let nodes: Vec<String> = nodes.map(|(index, _)| format!("n{index}")).collect();
        if !nodes.is_empty() {
            let _ = writeln!(text, "  classDef {class} {style};\n  class {} {class};", nodes.join(","));
        }
    }
    Some(text + "```")
}

/// The resource groups in the order of the plan; none stands for what is in no group.
fn groups(graph: &Graph) -> Vec<Option<&str>> {
    let mut groups = Vec::new();
    for node in &graph.nodes {
        let group = node.resource_group.as_deref();
        if !groups.contains(&group) && (group.is_some() || !node.is_group) {
            groups.push(group);
        }
    }
    groups
}

fn signed(node: &Node) -> String {
    node.kind.map(|kind| label(&format!("{} ", sign(kind)))).unwrap_or_default()
}

/// A text in a label: everything that Mermaid, HTML or Markdown may take for its own is a number.
fn label(text: &str) -> String {
    let mut shown = String::new();
    let text = visible(text);
    let is_long = text.chars().count() > SHOWN;
    for character in text.chars().take(if is_long { SHOWN - 1 } else { SHOWN }) {
        if character.is_alphanumeric() || " -./".contains(character) {
            shown.push(character);
        } else {
            let _ = write!(shown, "#{};", u32::from(character));
        }
    }
    if is_long { shown + "…" } else { shown }
}
