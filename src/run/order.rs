//! The order of the documents of a run: what one publishes is known before what depends on it is compiled.

use std::collections::BTreeSet;

use crate::commands::{Compiled, RunFacts, Sought, provides};
use crate::plan::graph::{lowest_first, walk};
use crate::protocol::FindingCode;
use crate::settings::Finding;

/// One document needs what another one publishes.
struct Edge<'a> {
    needs: usize,
    gives: usize,
    sought: &'a Sought,
}

/// The positions of the documents, those that others depend on before these, otherwise as they come.
///
/// # Errors
/// Documents that wait for each other, with the names that they need.
pub(super) fn order(compiled: &[Compiled], run: &RunFacts) -> Result<Vec<usize>, Vec<Finding>> {
    let edges = edges(compiled, run);
    let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); compiled.len()];
    for edge in &edges {
        before[edge.needs].insert(edge.gives);
    }
    lowest_first(&before).ok_or_else(|| vec![cycle(&edges, &before)])
}

/// The needs of the documents: who needs what of whom. What a document would make itself it need not wait for: whoever is first makes it.
fn edges<'a>(compiled: &'a [Compiled], run: &RunFacts) -> Vec<Edge<'a>> {
    let mut edges = Vec::new();
    for (needs, one) in compiled.iter().enumerate() {
        for sought in &one.sought {
            if provides(one, run, sought) {
                continue;
            }
            let others = (0..compiled.len()).filter(|gives| *gives != needs);
            let givers = others.filter(|gives| provides(&compiled[*gives], run, sought));
            edges.extend(givers.map(|gives| Edge { needs, gives, sought }));
        }
    }
    edges
}

/// The finding about documents that wait for each other.
fn cycle(edges: &[Edge<'_>], before: &[BTreeSet<usize>]) -> Finding {
    let before: Vec<Vec<usize>> = before.iter().map(|before| before.iter().copied().collect()).collect();
    let circle = walk(&before).cycle.unwrap_or_default();
    let link = |(at, needs): (usize, &usize)| {
        let gives = circle[(at + 1) % circle.len()];
        edges.iter().find(|edge| edge.needs == *needs && edge.gives == gives)
    };
    let mut way: Vec<&Edge<'_>> = circle.iter().enumerate().filter_map(link).collect();
    // It is told from the document that comes first, whichever was looked at first.
    let first = way.iter().enumerate().min_by_key(|(_, edge)| edge.needs).map_or(0, |(position, _)| position);
    way.rotate_left(first);
    let name = |edge: &Edge<'_>| edge.sought.place.document_name();
    let mut message = String::new();
    for (position, edge) in way.iter().enumerate() {
        let owner = name(way[(position + 1) % way.len()]);
        let link = if position == 0 { format!("{} needs", name(edge)) } else { ", which needs".to_owned() };
        message.push_str(&format!("{link} '{}' of {owner}", edge.sought.service));
    }
    message
        .push_str("; documents of one run cannot need each other, so move what both need into a document of its own");
    let place = way.first().map(|edge| edge.sought.place.clone());
    // There is an edge wherever a document waits.
    let place = place.unwrap_or_else(|| edges[0].sought.place.clone());
    Finding { place, code: FindingCode::DependencyCycle, message }
}
