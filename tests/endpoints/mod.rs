//! New-SvcIaasPrivateEndpoints.

mod existing;
mod fields;
mod private_dns_zones;
mod private_endpoints;
mod targets;
