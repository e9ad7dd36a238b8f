//! The private endpoints that a storage account declares.

use super::settings::{StorageAccount, StorageSettings};
use crate::azure::ResourceId;
use crate::commands::compilation::Compilation;
use crate::commands::private_endpoints::{Defaults, Owner, add_nested};
use crate::commands::service::{Named, NetworkDependencies};
use crate::settings::Place;

/// Adds the endpoints of an account, which is in the given group and location.
pub(super) fn compile(
    account: &StorageAccount,
    settings: &StorageSettings,
    id: &ResourceId,
    location: &str,
    place: &Place,
    root: &Place,
    compilation: &mut Compilation<'_>,
) {
    let Some(group) = id.group_id() else { return };
    let none = NetworkDependencies::default();
    let publish = settings.service.publish();
    let defaults = Defaults {
        dependencies: settings.service.dependencies().unwrap_or(&none),
        publish: publish.and_then(|publish| publish.private_endpoint.as_ref()),
        publish_group: publish.and_then(|publish| publish.resource_group.as_ref()),
        root,
        tagged: false,
    };
    let owner = Owner {
        endpoints: account.private_endpoints.as_ref(),
        name: id.name(),
        group_id: None,
        id,
        group: &group,
        group_publish: None,
        location,
        place,
    };
    add_nested(&owner, &defaults, compilation);
}
