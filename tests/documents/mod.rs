//! Documents of every command: how they are read, what they may say, and the names and tags that come of them.

mod files;
mod findings;
mod names;
mod naming;
mod single_items;
mod tags;
