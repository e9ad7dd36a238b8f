//! Whole environments: documents that depend on one another.

pub(crate) mod shop;
