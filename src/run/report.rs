//! What hosts show of a plan to people: re-exported from the room `report`.

pub use crate::report::{Layout, Line, Span, Style, deletions, name, plan, sign};
