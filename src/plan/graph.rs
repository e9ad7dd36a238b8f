//! Orders and cycles of things that wait for each other, as numbers from 0.

use std::collections::BTreeSet;

/// The findings of a walk over everything.
#[derive(Debug, PartialEq, Eq)]
pub struct Walk {
    /// All, each after those that it leads to, and otherwise in their order.
    pub ordered: Vec<usize>,
    /// The first that lead to each other in a circle, each to the next one.
    pub cycle: Option<Vec<usize>>,
}

/// Walks over everything, as deep as it goes first. `next` has where each leads to.
#[must_use]
pub fn walk(next: &[Vec<usize>]) -> Walk {
    let (mut ordered, mut cycle) = (Vec::with_capacity(next.len()), None);
    let mut seen = vec![false; next.len()];
    for start in 0..next.len() {
        // Each with how many of those after it were looked at.
        let mut way = if std::mem::replace(&mut seen[start], true) { Vec::new() } else { vec![(start, 0)] };
        while let Some((at, looked_at)) = way.last_mut() {
            let to = next[*at].get(*looked_at).copied();
            *looked_at += 1;
            match to {
                None => {
                    ordered.push(*at);
                    way.pop();
                }
                Some(to) if !seen[to] => {
                    seen[to] = true;
                    way.push((to, 0));
                }
                Some(to) if cycle.is_none() => {
                    let start = way.iter().position(|(at, _)| *at == to);
                    cycle = start.map(|start| way[start..].iter().map(|(at, _)| *at).collect());
                }
                Some(_) => {}
            }
        }
    }
    Walk { ordered, cycle }
}

/// All, each after those that it needs, and the lowest first of those that need nothing more; none where some need each other.
#[must_use]
pub fn lowest_first(needs: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
    let mut needed_by = vec![Vec::new(); needs.len()];
    for (at, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|before| needed_by[*before].push(at));
    }
    let mut left: Vec<usize> = needs.iter().map(BTreeSet::len).collect();
    let mut free: BTreeSet<usize> = (0..needs.len()).filter(|at| left[*at] == 0).collect();
    let mut ordered = Vec::with_capacity(needs.len());
    while let Some(at) = free.pop_first() {
        ordered.push(at);
        for after in &needed_by[at] {
            left[*after] -= 1;
            if left[*after] == 0 {
                free.insert(*after);
            }
        }
    }
    (ordered.len() == needs.len()).then_some(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_before() {
        let needs = [vec![2, 3], vec![], vec![3], vec![]];
        assert_eq!(walk(&needs), Walk { ordered: vec![3, 2, 0, 1], cycle: None });
        let needs = needs.map(|needs| needs.into_iter().collect());
        assert_eq!(lowest_first(&needs), Some(vec![1, 3, 2, 0]));
        assert_eq!((walk(&[]).ordered, lowest_first(&[])), (vec![], Some(vec![])));
    }

    #[test]
    fn circles_are_found() {
        let needs = [vec![1], vec![2, 3], vec![], vec![4], vec![1]];
        let Walk { ordered, cycle } = walk(&needs);
        assert_eq!((ordered, cycle), (vec![2, 4, 3, 1, 0], Some(vec![1, 3, 4])));
        assert_eq!(lowest_first(&needs.map(|needs| needs.into_iter().collect())), None);
        assert_eq!(walk(&[vec![0]]).cycle, Some(vec![0]));
        // Two ways to one are no circle.
        assert_eq!(walk(&[vec![1, 2], vec![3], vec![3], vec![]]).cycle, None);
    }
}
