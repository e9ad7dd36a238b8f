//! The document of the private endpoints of a resource group.

use crate::azure::types::{PRIVATE_DNS_ZONE_GROUP, PRIVATE_ENDPOINT};
use crate::commands::shared::export::{Estate, Export, Exported, Names, Reading, There, plain, required};
use crate::commands::shared::private_link::WrittenEndpoint;
use crate::settings::{Written, WrittenKey};

pub(super) const EXPORT: Export = Export {
    reads: &[Reading::of(&PRIVATE_ENDPOINT).with(|_| vec![&PRIVATE_DNS_ZONE_GROUP])],
    further: |_| Vec::new(),
    write,
};

fn write(estate: &Estate<'_>) -> Exported {
    let mut exported = Exported { keys: vec![plain("component", "privateEndpoints")], ..Exported::default() };
    match estate.published(estate.group) {
        Some(name) => {
            let names = Names { dependencies: vec![plain("resourceGroup", name)], ..Names::default() };
            exported.keys.extend(names.key());
        }
        None => exported.notes.push(format!(
            "The document names no resource group: {}.",
            estate.not_published("the resource group", &estate.group.id)
        )),
    }
    let mut endpoints = Vec::new();
    for there in estate.of_type(&PRIVATE_ENDPOINT) {
        match endpoint(there, estate) {
            Ok(keys) => endpoints.push(Written::Object(keys)),
            Err(why) => exported.leave_out(&PRIVATE_ENDPOINT, there, &why),
        }
    }
    let endpoints = WrittenKey { is_required: true, ..WrittenKey::new("privateEndpoints", Written::List(endpoints)) };
    exported.keys.push(endpoints);
    exported
}

/// The keys of an endpoint.
///
/// # Errors
/// Why the settings cannot say it.
fn endpoint(there: &There, estate: &Estate<'_>) -> Result<Vec<WrittenKey>, String> {
    let endpoint = WrittenEndpoint::of(there, there.location(), true, estate)?;
    let mut keys = vec![
        required("name", endpoint.name.clone()),
        plain("location", there.location()),
        plain("resourceNameSpace", endpoint.target.resource_type()),
        required("subnetName", endpoint.subnet.clone()),
    ];
    keys.extend(endpoint.group_id.map(|group_id| required("subResourceName", group_id)));
    keys.extend(endpoint.service());
    Ok(keys)
}
