//! Everything that is read: look-ups, the resources that exist, the contents of groups.

mod existing;
mod group_content;
mod history;
mod names;
mod of_type;
mod orphans;
mod policies;
mod read_services;
mod reads;
mod who_changed;

pub use existing::{ReadTimes, look_again, read};
pub use group_content::{group_content, groups_of, resources_of, type_facts};
pub use history::ask;
pub use names::taken_names;
pub use of_type::{in_group, one, read_each};
pub use orphans::{Tagged, holdings, read_below};
pub use policies::{ask_policies, policy_names};
pub use read_services::{Wants, read_services};
pub use reads::Reads;
pub use who_changed::{MOST_ASKED, changes_of, events_of};
