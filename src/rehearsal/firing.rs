//! The alerts of a course.
//!
//! Source: Azure Monitor, "Overview of Azure Monitor alerts", "Alerts and state".

use super::course::{Course, Ending, Series};
use super::moments::Minute;

/// The alerts that would have fired.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Firings {
    pub(super) fired: usize,
    /// The messages to each action group: of alerts that fire, and of those that resolve.
    pub(super) messages: usize,
    /// The minutes in which the condition was met for anything.
    pub(super) minutes: usize,
    pub(super) last: Option<Minute>,
    /// The names that alerts fired for, with their number, the most first.
    pub(super) by_name: Vec<(String, usize)>,
    /// The parts of the time in which the condition was met.
    pub(super) parts: Vec<(Minute, Minute)>,
}

impl Firings {
    pub(super) fn of(course: &Course) -> Firings {
        let mut firings = Firings::default();
        for series in &course.series {
            let fired = firings.add(course, series);
            if fired > 0 && !series.name.is_empty() {
                firings.by_name.push((series.name.clone(), fired));
            }
            firings.fired += fired;
        }
        firings.by_name.sort_by(|(name, fired), (other, others)| others.cmp(fired).then(name.cmp(other)));
        let any = |index: usize| course.series.iter().any(|series| series.met[index] == Some(true));
        for (index, moment) in course.moments.iter().enumerate().filter(|(index, _)| any(*index)) {
            let from = *moment - course.spacing;
            firings.minutes += usize::try_from(course.spacing).unwrap_or_default();
            match firings.parts.last_mut() {
                Some((_, end)) if *end >= from && index > 0 => *end = *moment,
                _ => firings.parts.push((from, *moment)),
            }
        }
        firings
    }

    /// Adds the alerts of a series, and returns their number.
    fn add(&mut self, course: &Course, series: &Series) -> usize {
        let mut fired = 0;
        let (mut open, mut quiet, mut silent_until) = (false, 0, Minute::MIN);
        for (moment, met) in course.moments.iter().zip(&series.met) {
            match (met, course.ending) {
                (Some(true), Ending::Resolves { .. }) => {
                    quiet = 0;
                    if !std::mem::replace(&mut open, true) {
                        fired += 1;
                        self.messages += 1;
                        self.last = self.last.max(Some(*moment));
                    }
                }
                (Some(false), Ending::Resolves { after }) if open => {
                    quiet += course.spacing;
                    if quiet >= after {
                        open = false;
                        self.messages += 1;
                    }
                }
                (Some(true), Ending::Stateless { .. } | Ending::Events) => {
                    fired += 1;
                    self.last = self.last.max(Some(*moment));
                    let muted = if let Ending::Stateless { muted } = course.ending { muted } else { 0 };
                    if *moment >= silent_until {
                        self.messages += 1;
                        silent_until = moment + muted;
                    }
                }
                _ => {}
            }
        }
        fired
    }
}
