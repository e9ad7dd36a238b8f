//! New-SvcIaasPrivateEndpoints.

mod fields;
mod private_dns_zones;
mod private_endpoints;
mod targets;
