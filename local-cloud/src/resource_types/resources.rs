//! Microsoft.Resources: resource groups. Deployments are kept apart, see `deployments`; here they are for their api-versions.

use super::{LocationRule, Refusal, ResourceId, ResourceType, TRACKED, by_location, done};
use crate::deployment_paths;

pub(super) static TYPES: &[ResourceType] = &[
    ResourceType {
        name: "Microsoft.Resources/resourceGroups",
        create: done(201),
        delete: by_location(202),
        check_name: check_group_name,
        ..TRACKED
    },
    ResourceType {
        name: deployment_paths::TYPE,
        location: LocationRule::Optional,
        // They are answered by `deployments`.
        create: done(201),
        update: done(200),
        delete: by_location(202),
        ..TRACKED
    },
];

/// At most 90 characters; letters, digits, `-_().`, no full stop at the end.
fn check_group_name(id: &ResourceId) -> Result<(), Refusal> {
    let name = id.name();
    let legal = |letter: char| letter.is_alphanumeric() || "-_().".contains(letter);
    if name.chars().count() > 90 || !name.chars().all(legal) || name.ends_with('.') {
        return Err(Refusal::bad_request(
            "InvalidResourceGroup",
            format!(
                "The provided resource group name '{name}' is not valid: it has at most 90 letters, digits, '-', '_', '(', ')' and '.', \
                 and does not end with a full stop."
            ),
        ));
    }
    Ok(())
}
