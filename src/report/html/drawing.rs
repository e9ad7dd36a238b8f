//! A graph as a drawing in the page. Its colours are those of the page.

use std::fmt::Write;

use maud::{Markup, html};

use super::change_tree::class;
use super::layout::{BOX_HEIGHT, BOX_WIDTH, Layout, layout};
use crate::protocol::visible;
use crate::report::graph::{Graph, Node};
use crate::report::summary::sign;

/// The number of characters that fit into a box.
const SHOWN: usize = 25;

/// The drawing: a link to each change, and a line from what comes first to what needs it.
pub(super) fn write(graph: &Graph) -> Markup {
    let Layout { width, height, boxes, lines } = layout(graph);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(pixels(width)) height=(pixels(height))
            viewBox={ "0 0 " (pixels(width)) " " (pixels(height)) } role="group" aria-labelledby="graph"
        {
            defs {
                marker #arrow viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                    path d="M0 0L8 4L0 8z" {}
                }
            }
            g.lines { @for points in &lines { path d=(curve(points)) marker-end="url(#arrow)" {} } }
            @for (node, (x, y)) in graph.nodes.iter().zip(&boxes) { (node_box(node, *x, *y)) }
        }
    }
}

fn node_box(node: &Node, x: f64, y: f64) -> Markup {
    let kind = node.kind.map_or("several", class);
    let mark = node.kind.map(|kind| format!("{} ", sign(kind))).unwrap_or_default();
    html! {
        a href={ "#change-" (node.action) } {
            g.box.(kind) transform={ "translate(" (pixels(x)) " " (pixels(y)) ")" } {
                title { (visible(&node.title)) }
                rect width=(pixels(BOX_WIDTH)) height=(pixels(BOX_HEIGHT)) rx="4" {}
                text.label x="8" y="15" { (short(&visible(&node.label))) }
                text.name x="8" y="31" { (mark) (short(&visible(&node.name))) }
            }
        }
    }
}

/// A text that fits into a box: the middle of a long one is left out, because names differ at their ends.
fn short(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= SHOWN {
        return text.to_owned();
    }
    let (left, right) = (SHOWN / 2, SHOWN - SHOWN / 2 - 1);
    let ends = characters[..left].iter().chain(['…'].iter()).chain(&characters[characters.len() - right..]);
    ends.collect()
}

/// A line through points: straight along a column, bent between two.
fn curve(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let (x, y) = (*x, *y);
        let to = format!("{} {}", pixels(x), pixels(y));
        let Some((last_x, last_y)) = at.checked_sub(1).map(|last| points[last]) else {
            let _ = write!(path, "M{to}");
            continue;
        };
        // Both ends of a line in one column are on the right of their boxes.
        let (bend, end) = if (x - last_x).abs() < 0.5 {
            (last_x + 40.0, x + 40.0)
        } else {
            (f64::midpoint(last_x, x), f64::midpoint(last_x, x))
        };
        if (y - last_y).abs() < 0.5 {
            let _ = write!(path, "L{to}");
        } else {
            let _ = write!(path, "C{} {} {} {} {to}", pixels(bend), pixels(last_y), pixels(end), pixels(y));
        }
    }
    path
}

/// A length with at most one digit behind the point.
fn pixels(length: f64) -> String {
    let text = format!("{length:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
