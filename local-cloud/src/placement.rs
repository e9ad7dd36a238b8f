//! The locations in which a resource may be, and the one in which it stays.

use super::locations;
use super::path::{GROUP_TYPE, ResourceId};
use super::reply::Refusal;
use super::resource_types::{LocationRule, ResourceType};
use super::state::Body;
use serde_json::Value;

/// Checks `location` and gives it in the spelling the type prints.
pub(super) fn check_location(
    wanted: &Body,
    existing: Option<&Body>,
    id: &ResourceId,
    entry: &ResourceType,
) -> Result<Option<String>, Refusal> {
    if entry.location == LocationRule::Absent {
        return Ok(None);
    }
    let before = existing.and_then(|existing| existing.get("location")).and_then(Value::as_str);
    let Some(wanted) = wanted.get("location").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) else {
        if entry.location == LocationRule::Optional {
            return Ok(None);
        }
        return Err(Refusal::bad_request("LocationRequired", "The location property is required for this definition."));
    };
    let region = locations::find(wanted);
    let global = wanted.eq_ignore_ascii_case("global");
    let printed = match (entry.location, region) {
        (LocationRule::Global, _) if global => "global".to_owned(),
        (LocationRule::Global, _) => return Err(location_not_available(wanted, id, "global")),
        (LocationRule::GlobalOr(_), _) if global => "Global".to_owned(),
        (LocationRule::GlobalOr(regions), region) => match region.filter(|region| regions.contains(&region.name)) {
            Some(region) => region.name.to_owned(),
            None => return Err(location_not_available(wanted, id, &format!("global,{}", regions.join(",")))),
        },
        (LocationRule::DisplayedRegion, Some(region)) => region.display_name.to_owned(),
        (_, Some(region)) => region.name.to_owned(),
        (LocationRule::RegionOrGlobal | LocationRule::Optional, None) if global => wanted.to_owned(),
        // A type without an entry may well be a global one.
        (LocationRule::Region, None) if global && entry.name.is_empty() => wanted.to_owned(),
        _ => {
            let regions = locations::all().map(|region| region.name).collect::<Vec<_>>().join(",");
            return Err(location_not_available(wanted, id, &regions));
        }
    };
    match before {
        Some(before) if locations::run_together(before) != locations::run_together(&printed) => {
            Err(location_differs(before, wanted, id))
        }
        _ => Ok(Some(before.map_or(printed, str::to_owned))),
    }
}

pub(super) fn location_not_available(wanted: &str, id: &ResourceId, regions: &str) -> Refusal {
    if id.type_name() == GROUP_TYPE {
        return Refusal::bad_request(
            "LocationNotAvailableForResourceGroup",
            format!(
                "The provided location '{wanted}' is not available for resource group. List of available regions is '{regions}'."
            ),
        );
    }
    Refusal::bad_request(
        "LocationNotAvailableForResourceType",
        format!(
            "The provided location '{wanted}' is not available for resource type '{}'. List of available regions for the \
             resource type is '{regions}'.",
            id.type_name()
        ),
    )
}

fn location_differs(before: &str, wanted: &str, id: &ResourceId) -> Refusal {
    let name = id.name();
    match &id.group {
        Some(group) if !id.is_container() => Refusal::conflict(
            "InvalidResourceLocation",
            format!(
                "The resource '{name}' already exists in location '{before}' in resource group '{group}'. A resource with the \
                 same name cannot be created in location '{wanted}'. Please select a new resource name."
            ),
        ),
        _ => Refusal::conflict(
            "InvalidResourceGroupLocation",
            format!(
                "Invalid resource group location '{wanted}'. The Resource group already exists in location '{before}'."
            ),
        ),
    }
}
