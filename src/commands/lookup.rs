//! The service locator: finds resources by the tag that carries their publish name. What a run needs is recorded by a
//! first compilation, read once, and handed to the second.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::azure::{ArmClient, ArmError, RESOURCE_GROUP_TYPE, ResourceId, resource_type};
use crate::settings::{Finding, Place};

/// A resource that a setting names by its publish name.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its id; that of a placeholder says so.
    pub id: ResourceId,
    /// Where it is, as Azure writes it; empty for a placeholder.
    pub location: String,
    /// It was not looked for, or not found under `-WhatIf`.
    pub placeholder: bool,
}

/// One resource of the tag index.
#[derive(Debug, Clone)]
pub struct Tagged {
    id: ResourceId,
    resource_type: String,
    location: String,
    service: String,
}

/// What a look-up can see.
#[derive(Debug, Default)]
pub enum Services {
    /// Nothing yet: every look-up is recorded and answered with a placeholder.
    #[default]
    NotRead,
    /// The tag index was read.
    Index {
        /// Everything that carries the tag.
        tagged: Vec<Tagged>,
        /// Whether a name that is not found is a warning and a placeholder, as under `-WhatIf`.
        placeholders: bool,
    },
}

/// Which listings a run needs: of groups, of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// A resource group is looked up.
    pub groups: bool,
    /// Another resource is looked up.
    pub resources: bool,
}

/// The outcome of a look-up.
pub(super) enum Outcome {
    Found(Found),
    /// Under `-WhatIf`: a placeholder, and a sentence to warn with.
    Missing(Found, String),
    Wrong(Box<Finding>),
}

impl Services {
    /// Finds the one resource of a type with a publish name; of several the one in `near`.
    pub(super) fn one(
        &self,
        wanted_type: &str,
        service: &str,
        near: Option<&str>,
        subscription: &ResourceId,
        place: &Place,
    ) -> Outcome {
        let label = resource_type(wanted_type).map_or(wanted_type, |known| known.label);
        let placeholder = || Found {
            id: placeholder_id(subscription, wanted_type, &format!("<{label} published as '{service}'>")),
            location: String::new(),
            placeholder: true,
        };
        let Services::Index { tagged, placeholders } = self else { return Outcome::Found(placeholder()) };
        let mut matching: Vec<&Tagged> = tagged
            .iter()
            .filter(|item| item.service == service && item.resource_type.eq_ignore_ascii_case(wanted_type))
            .collect();
        if matching.len() > 1
            && let Some(near) = near
        {
            let here: Vec<&Tagged> =
                matching.iter().copied().filter(|item| crate::naming::same_location(&item.location, near)).collect();
            if !here.is_empty() {
                matching = here;
            }
        }
        match matching.as_slice() {
            [only] => {
                Outcome::Found(Found { id: only.id.clone(), location: only.location.clone(), placeholder: false })
            }
            [] => {
                let message = format!(
                    "no {label} of this subscription is published as '{service}'{}",
                    self.hint(wanted_type, service)
                );
                if *placeholders {
                    return Outcome::Missing(placeholder(), message);
                }
                Outcome::Wrong(Box::new(Finding { place: place.clone(), code: "ServiceNotFound", message }))
            }
            several => {
                let ids: BTreeSet<&str> = several.iter().map(|item| item.id.as_str()).collect();
                let ids: Vec<&str> = ids.into_iter().collect();
                let message = format!("several {label}s are published as '{service}': {}", ids.join(", "));
                Outcome::Wrong(Box::new(Finding { place: place.clone(), code: "ServiceAmbiguous", message }))
            }
        }
    }

    /// The nearest name that exists for the type, when one was probably meant.
    fn hint(&self, wanted_type: &str, service: &str) -> String {
        let Services::Index { tagged, .. } = self else { return String::new() };
        let names = tagged
            .iter()
            .filter(|item| item.resource_type.eq_ignore_ascii_case(wanted_type))
            .map(|item| item.service.as_str());
        crate::settings::nearest(service, names).map_or(String::new(), |near| format!(", did you mean '{near}'?"))
    }
}

/// The id of something that is not there: its name says what it stands for.
fn placeholder_id(subscription: &ResourceId, wanted_type: &str, name: &str) -> ResourceId {
    if wanted_type.eq_ignore_ascii_case(RESOURCE_GROUP_TYPE) {
        return subscription.group(name);
    }
    subscription.group("<its resource group>").resource(wanted_type, name)
}

/// Reads the tag index: one paged listing of tagged groups and one of tagged resources, as far as they are needed.
///
/// # Errors
/// The listing that fails.
pub async fn read_index(
    client: &ArmClient,
    subscription: &ResourceId,
    tag_key: &str,
    needs: Needs,
) -> Result<Vec<Tagged>, ArmError> {
    const API_VERSION: &str = "2025-04-01";
    let mut tagged = Vec::new();
    if needs.groups {
        let groups = tagged_items(client, &format!("{subscription}/resourcegroups"), tag_key, API_VERSION).await?;
        tagged.extend(groups.iter().filter_map(|item| Tagged::read(item, tag_key, Some(RESOURCE_GROUP_TYPE))));
    }
    if needs.resources {
        let resources = tagged_items(client, &format!("{subscription}/resources"), tag_key, API_VERSION).await?;
        tagged.extend(resources.iter().filter_map(|item| Tagged::read(item, tag_key, None)));
    }
    Ok(tagged)
}

/// A listing filtered by tag. Azure documents that such a listing may leave the tags out; then the whole is listed.
async fn tagged_items(
    client: &ArmClient,
    path: &str,
    tag_key: &str,
    api_version: &str,
) -> Result<Vec<Value>, ArmError> {
    let quoted = tag_key.replace('\'', "''");
    let filter =
        percent_encoding::utf8_percent_encode(&format!("tagName eq '{quoted}'"), percent_encoding::NON_ALPHANUMERIC)
            .to_string();
    let items = client.list(path, api_version, &format!("$filter={filter}")).await?;
    if items.iter().all(|item| item.get("tags").is_some_and(Value::is_object)) {
        return Ok(items);
    }
    client.list(path, api_version, "").await
}

impl Tagged {
    fn read(item: &Value, tag_key: &str, resource_type: Option<&str>) -> Option<Tagged> {
        let id = ResourceId::new(item.get("id")?.as_str()?);
        // Tag names ignore case, tag values do not (Azure Resource Manager, "Use tags").
        let tags = item.get("tags")?.as_object()?;
        let (_, service) = tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(tag_key))?;
        Some(Tagged {
            resource_type: resource_type.map_or_else(|| id.resource_type(), str::to_owned),
            location: item.get("location").and_then(Value::as_str).unwrap_or_default().to_owned(),
            service: service.as_str()?.to_owned(),
            id,
        })
    }
}
