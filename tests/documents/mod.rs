//! Documents of every command: how they are read, what they may say, and the names and tags that come of them.

mod all_findings;
mod bombs;
mod files;
mod findings;
mod lists;
mod names;
mod naming;
mod project_folder;
mod scaffold;
mod scripts;
mod single_items;
mod tags;
mod values;
