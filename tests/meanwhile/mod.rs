//! The changes that somebody else makes while the plan waits for its answer, or while it is carried out.

mod groups;
mod if_match;
mod runs;
mod storage;
