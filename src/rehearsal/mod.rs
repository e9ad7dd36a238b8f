//! The rehearsal of an alert rule: how often it would have fired in a time that has passed, what Azure is asked for it, and what follows from the answers. Nothing
//! here asks anybody; a rule is the body that Azure has of it.

mod activity_log;
mod course;
mod firing;
mod log_query;
mod log_rule;
mod metric_rule;
mod moments;
mod rule;
#[cfg(test)]
mod tests;
mod wording;

pub use moments::Span;
pub use rule::{Question, Rule, is_rule};
pub use wording::{disabled, rehearsed, unknown};
