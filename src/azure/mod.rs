//! The Azure layer: clouds, credentials, the client of Azure Resource Manager, and the table of resource types.

mod advice;
mod client;
pub mod cloud;
mod connection;
mod credential;
mod duration;
mod error;
mod long_running;
mod payload;
mod policy_restrictions;
mod policy_token;
mod rate_limits;
mod refusal;
mod registration;
mod resource_id;
mod response;
mod retry;
mod roles;
mod secret_answer;
pub mod types;
mod understood;
mod unreachable;
mod waiting;

pub use client::{ArmClient, READS_AT_ONCE, Timeouts};
pub use connection::{http_client, plain_http_client};
pub use credential::{Sources, Tokens};
pub use duration::{parse_duration, parse_written_duration};
pub use error::ArmError;
pub use long_running::{is_being_deleted, is_success, is_terminal, provisioning_state};
pub use payload::{Write, Writing};
pub(crate) use policy_restrictions::found_in_words;
pub use policy_restrictions::{PolicyEvaluation, PolicyField, PolicyReference, PolicyRestrictions};
pub use resource_id::{RESOURCE_GROUP_TYPE, ResourceId, SUBSCRIPTION_TYPE};
pub use response::{LARGEST_SMALL_ANSWER, read_bytes};
pub use roles::{
    Role, STORAGE_BLOB_DATA_OWNER, STORAGE_QUEUE_DATA_CONTRIBUTOR, STORAGE_TABLE_DATA_CONTRIBUTOR, role_name,
};
pub use types::{ENVELOPE_READ_ONLY, Exclusive, LeftAlone, Listing, ResourceType, Told, label_of_type, resource_type};
pub use understood::Entries;
