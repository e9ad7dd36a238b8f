//! New-SvcPaasWeb.

mod api_management;
mod content_delivery;
mod endpoints;
mod flex;
pub(crate) mod front_door;
mod front_door_domains;
mod front_door_existing;
pub(crate) mod front_door_leaving;
mod front_door_moves;
mod front_door_origins;
mod front_door_settings;
pub(crate) mod functions;
mod plans;
mod refusals;
mod solutions;
