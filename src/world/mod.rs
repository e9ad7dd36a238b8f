//! Everything that is read: look-ups, the resources that exist, the contents of groups.

mod existing;
mod group_content;
mod names;
mod reads;
mod services;

pub use existing::{ReadTimes, look_again, read};
pub use group_content::{group_content, type_facts};
pub use names::taken_names;
pub use reads::Reads;
pub use services::read_services;
