//! New-SvcPaasWeb.

mod api_management;
mod content_delivery;
mod endpoints;
mod front_door;
mod front_door_existing;
mod front_door_settings;
mod functions;
mod refusals;
mod solutions;
