//! The order of the documents of a run: what one publishes is known before what depends on it is compiled.

use std::collections::BTreeSet;

use crate::commands::{Compiled, Project, Sought, provides};
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
pub(super) fn order(compiled: &[Compiled], projects: &[&Project]) -> Result<Vec<usize>, Vec<Finding>> {
    let edges = edges(compiled, projects);
    let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); compiled.len()];
    for edge in &edges {
        before[edge.needs].insert(edge.gives);
    }
    let mut order = Vec::with_capacity(compiled.len());
    while order.len() < compiled.len() {
        let is_free =
            |document: &usize| !order.contains(document) && before[*document].iter().all(|other| order.contains(other));
        match (0..compiled.len()).find(is_free) {
            Some(document) => order.push(document),
            None => return Err(vec![cycle(&edges, &order)]),
        }
    }
    Ok(order)
}

/// Who needs what of whom. What a document would make itself it need not wait for: whoever is first makes it.
fn edges<'a>(compiled: &'a [Compiled], projects: &[&Project]) -> Vec<Edge<'a>> {
    let mut edges = Vec::new();
    for (needs, one) in compiled.iter().enumerate() {
        for sought in &one.sought {
            if provides(one, projects[needs], sought) {
                continue;
            }
            let others = (0..compiled.len()).filter(|gives| *gives != needs);
            let givers = others.filter(|gives| provides(&compiled[*gives], projects[*gives], sought));
            edges.extend(givers.map(|gives| Edge { needs, gives, sought }));
        }
    }
    edges
}

/// The finding about documents that wait for each other. Each that is not in order waits for another one that is not.
fn cycle(edges: &[Edge<'_>], ordered: &[usize]) -> Finding {
    let waits = |document: usize| edges.iter().find(|edge| edge.needs == document && !ordered.contains(&edge.gives));
    let start = edges.iter().find(|edge| !ordered.contains(&edge.needs) && !ordered.contains(&edge.gives));
    let mut way: Vec<&Edge<'_>> = Vec::new();
    let mut next = start;
    while let Some(edge) = next {
        if let Some(position) = way.iter().position(|known| known.needs == edge.needs) {
            way.drain(..position);
            break;
        }
        way.push(edge);
        next = waits(edge.gives);
    }
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
