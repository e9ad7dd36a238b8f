//! What somebody else changes while the plan waits for its answer, or while it is carried out.

mod etags;
mod groups;
mod runs;
mod storage;
