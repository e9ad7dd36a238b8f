//! The course of a rule: when its condition was met, and for what.

use super::moments::{Minute, Span};
use crate::protocol::Sampled;

/// The ways in which the alerts of a rule end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// They resolve when the condition was not met for so many minutes, and fire only once until then.
    Resolves { after: i64 },
    /// Each time the condition is met there is another one. For so many minutes after a notification there is none.
    Stateless { muted: i64 },
    /// Each event is an alert.
    Events,
}

/// The states of one thing that a rule watches, one for each moment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    /// Its name for people; empty where there is one only.
    pub(super) name: String,
    /// Whether the condition is met; none where there is no value to tell.
    pub(super) met: Vec<Option<bool>>,
}

/// The course of a rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Course {
    pub(super) span: Span,
    /// In ascending order.
    pub(super) moments: Vec<Minute>,
    /// The minutes that each of them stands for.
    pub(super) spacing: i64,
    pub(super) series: Vec<Series>,
    pub(super) ending: Ending,
    pub(super) sampled: Option<Sampled>,
}
