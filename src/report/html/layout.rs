//! Places the nodes of a graph: a column for each step of the way from what comes first to what comes last, in the manner of
//! Sugiyama. An edge over several columns goes through a free place in each of them, so that it crosses no box.

use crate::report::graph::Graph;

/// The size of a box and of the space around it, in pixels.
pub(super) const BOX_WIDTH: f64 = 216.0;
pub(super) const BOX_HEIGHT: f64 = 40.0;
const COLUMN_SPACE: f64 = 64.0;
const ROW_SPACE: f64 = 12.0;
/// The height of a place that an edge goes through.
const LANE_HEIGHT: f64 = 4.0;
/// The number of times that the order in the columns, and then the places, are made better. More changes nothing that is seen.
const SWEEPS: usize = 12;

/// A drawing: where everything is, in pixels from the upper left corner.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The upper left corner of the box of each node.
    pub(super) boxes: Vec<(f64, f64)>,
    /// The points each edge goes through, from one box to the other.
    pub(super) lines: Vec<Vec<(f64, f64)>>,
}

/// A node, or a place that an edge goes through.
struct Place {
    column: usize,
    height: f64,
    /// The middle.
    y: f64,
    before: Vec<usize>,
    after: Vec<usize>,
}

/// Places the nodes and edges of a graph.
pub(super) fn layout(graph: &Graph) -> Layout {
    let columns = columns(graph);
    let node = |column: &usize| Place { column: *column, height: BOX_HEIGHT, y: 0.0, before: vec![], after: vec![] };
    let mut places: Vec<Place> = columns.iter().map(node).collect();
    let ways: Vec<Vec<usize>> = graph.edges.iter().map(|edge| way(&mut places, *edge)).collect();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); columns.iter().max().map_or(0, |last| last + 1)];
    for (index, place) in places.iter().enumerate() {
        rows[place.column].push(index);
    }
    order(&mut rows, &places);
    settle(&rows, &mut places);
    let top = places.iter().map(|place| place.y - place.height / 2.0).fold(f64::INFINITY, f64::min);
    places.iter_mut().for_each(|place| place.y -= top - ROW_SPACE);
    let bottom = places.iter().map(|place| place.y + place.height / 2.0).fold(0.0, f64::max);
    let left = |column: usize| ROW_SPACE + to_float(column) * (BOX_WIDTH + COLUMN_SPACE);
    let boxes = places[..graph.nodes.len()].iter().map(|place| (left(place.column), place.y - BOX_HEIGHT / 2.0));
    Layout {
        width: left(rows.len()) - COLUMN_SPACE + ROW_SPACE,
        height: bottom + ROW_SPACE,
        boxes: boxes.collect(),
        lines: ways.iter().zip(&graph.edges).map(|(way, edge)| line(way, *edge, &places, &left)).collect(),
    }
}

/// The column of each node: as far left as what it needs allows.
fn columns(graph: &Graph) -> Vec<usize> {
    let mut columns = vec![0; graph.nodes.len()];
    // Edges are sorted, and go forward: what a node needs has its column before the node itself.
    for node in 0..columns.len() {
        let needs = graph.edges.iter().filter(|(from, to)| *to == node && from < to);
        columns[node] = needs.map(|(from, _)| columns[*from] + 1).max().unwrap_or(0);
    }
    columns
}

/// The places of an edge, from left to right; those between its ends are made.
fn way(places: &mut Vec<Place>, (from, to): (usize, usize)) -> Vec<usize> {
    let (left, right) = if places[from].column <= places[to].column { (from, to) } else { (to, from) };
    let mut way = vec![left];
    for column in places[left].column + 1..places[right].column {
        way.push(places.len());
        places.push(Place { column, height: LANE_HEIGHT, y: 0.0, before: vec![], after: vec![] });
    }
    way.push(right);
    for pair in way.windows(2) {
        places[pair[0]].after.push(pair[1]);
        places[pair[1]].before.push(pair[0]);
    }
    way
}

/// Orders each column by where the neighbours are, so that few edges cross.
fn order(rows: &mut [Vec<usize>], places: &[Place]) {
    let mut position: Vec<f64> = vec![0.0; places.len()];
    let number = |row: &[usize], position: &mut Vec<f64>| {
        row.iter().enumerate().for_each(|(at, place)| position[*place] = to_float(at));
    };
    rows.iter().for_each(|row| number(row, &mut position));
    for sweep in 0..SWEEPS {
        let forward = sweep % 2 == 0;
        let all: Vec<usize> = if forward { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for column in all {
            let neighbours = |place: usize| if forward { &places[place].before } else { &places[place].after };
            let wanted = |place: &usize| mean(neighbours(*place), &position).unwrap_or(position[*place]);
            rows[column].sort_by(|one, other| wanted(one).total_cmp(&wanted(other)));
            number(&rows[column], &mut position);
        }
    }
}

/// Moves every place towards its neighbours, in the order of its column and without touching others.
fn settle(rows: &[Vec<usize>], places: &mut [Place]) {
    let mut y: Vec<f64> = vec![0.0; places.len()];
    for row in rows {
        let wanted = vec![0.0; row.len()];
        keep_apart(row, &wanted, places, &mut y);
    }
    for sweep in 0..SWEEPS {
        for step in 0..rows.len() {
            let forward = sweep % 2 == 0;
            let row = &rows[if forward { step } else { rows.len() - 1 - step }];
            let neighbours = |place: usize| if forward { &places[place].before } else { &places[place].after };
            let wanted: Vec<f64> = row.iter().map(|place| mean(neighbours(*place), &y).unwrap_or(y[*place])).collect();
            keep_apart(row, &wanted, places, &mut y);
        }
    }
    places.iter_mut().zip(y).for_each(|(place, y)| place.y = y);
}

/// The places of a column as near to the wanted ones as their heights allow: the mean of what is right from above and from
/// below, which is right as well.
fn keep_apart(row: &[usize], wanted: &[f64], places: &[Place], y: &mut [f64]) {
    let apart = |one: usize, other: usize| (places[one].height + places[other].height) / 2.0 + ROW_SPACE;
    let (mut down, mut up) = (wanted.to_vec(), wanted.to_vec());
    for at in 1..row.len() {
        down[at] = down[at].max(down[at - 1] + apart(row[at - 1], row[at]));
    }
    for at in (1..row.len()).rev() {
        up[at - 1] = up[at - 1].min(up[at] - apart(row[at - 1], row[at]));
    }
    for (at, place) in row.iter().enumerate() {
        y[*place] = f64::midpoint(down[at], up[at]);
    }
}

/// The points of an edge in its own direction.
fn line(way: &[usize], (from, to): (usize, usize), places: &[Place], left: &impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for (at, place) in way.iter().map(|place| &places[*place]).enumerate() {
        let start = left(place.column);
        // A line leaves the first box on its right and ends on the left of the last; between them it runs along its lane.
        if at > 0 {
            points.push((start, place.y));
        }
        if at + 1 < way.len() {
            points.push((start + BOX_WIDTH, place.y));
        }
    }
    if places[from].column == places[to].column {
        // Both are in one column: the line goes around on the right.
        points = vec![
            (left(places[from].column) + BOX_WIDTH, places[from].y),
            (left(places[to].column) + BOX_WIDTH, places[to].y),
        ];
    } else if way.first() != Some(&from) {
        points.reverse();
    }
    points
}

fn mean(of: &[usize], values: &[f64]) -> Option<f64> {
    (!of.is_empty()).then(|| of.iter().map(|index| values[*index]).sum::<f64>() / to_float(of.len()))
}

#[expect(clippy::cast_precision_loss, reason = "a drawing has a few thousand places at most")]
fn to_float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::graph::Limits;
    use crate::report::samples::{action, many};

    fn laid_out(actions: &[crate::protocol::Action]) -> (Graph, Layout) {
        let graph = Graph::new(actions, Limits { nodes: 1000, edges: 5000 }).unwrap();
        let places = layout(&graph);
        (graph, places)
    }

    #[test]
    fn boxes_are_apart_and_lines_go_from_left_to_right() {
        let (graph, Layout { width, height, boxes, lines }) = laid_out(&many(60, 0));
        for (index, (x, y)) in boxes.iter().enumerate() {
            assert!(*x >= 0.0 && *y >= 0.0 && x + BOX_WIDTH <= width && y + BOX_HEIGHT <= height, "{index}: {x} {y}");
            for (other_x, other_y) in &boxes[index + 1..] {
                let is_apart = (x - other_x).abs() >= BOX_WIDTH || (y - other_y).abs() >= BOX_HEIGHT;
                assert!(is_apart, "{index} is on another one");
            }
        }
        for (points, (from, to)) in lines.iter().zip(&graph.edges) {
            let middle = |node: &usize| boxes[*node].1 + BOX_HEIGHT / 2.0;
            assert_eq!(points.first(), Some(&(boxes[*from].0 + BOX_WIDTH, middle(from))));
            assert_eq!(points.last(), Some(&(boxes[*to].0, middle(to))));
            assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0), "{points:?}");
        }
    }

    #[test]
    fn a_long_line_crosses_no_box() {
        let named = |index: usize, needs: &[usize]| action(index, &format!("resourceGroups/g{index}"), needs);
        let actions = [named(0, &[]), named(1, &[0]), named(2, &[1]), named(3, &[]), named(4, &[2, 3])];
        let (_, Layout { boxes, lines, .. }) = laid_out(&actions);
        let long = lines.iter().find(|points| points.len() > 2).unwrap();
        for (x, y) in &long[1..long.len() - 1] {
            let hits = |(left, top): &(f64, f64)| {
                (*left..=left + BOX_WIDTH).contains(x) && (*top..=top + BOX_HEIGHT).contains(y)
            };
            assert!(!boxes.iter().any(hits), "{long:?}");
        }
    }

    #[test]
    fn a_line_back_is_turned_around() {
        let graph = |edges| Graph { edges, ..laid_out(&many(1, 0)).0 };
        let Layout { boxes, lines, .. } = layout(&graph(vec![(0, 1), (1, 0)]));
        let back = &lines[1];
        assert_eq!(back[0].0, boxes[1].0);
        assert_eq!(back[back.len() - 1].0, boxes[0].0 + BOX_WIDTH);
    }
}
