//! The errors of single resources: a change that failed, a resource that cannot be changed.

use super::{Change, sentences};
use crate::azure::{ArmError, LeftAlone};
use crate::desired::Desired;
use crate::protocol::{ActionKind, ErrorReport, PropertyChange};

/// The error for a change that failed, with the setting it comes from.
#[must_use]
pub fn failure(change: &Change, error: &ArmError) -> ErrorReport {
    let place = blamed(change, error).unwrap_or_else(|| change.place.show());
    let is_new = change.kind == ActionKind::Create;
    let report = error.report_of(&sentences::failed(change, &place), is_new);
    report.about_resource(&change.id, change.place.document()).about(place)
}

/// The error for a resource that is left alone. The rest of the plan goes on.
pub(super) fn left_alone(resource: &Desired, why: LeftAlone) -> ErrorReport {
    let (place, name) = (resource.place.show(), sentences::full_name(&resource.id, resource.resource_type.label));
    ErrorReport::new(why.code, format!("{place}: the {name} cannot be changed: {}.", why.reason))
        .about_resource(&resource.id, resource.place.document())
        .about(place)
        .recommending(why.recommendation)
}

/// The setting of the property that Azure finds wrong, or somebody else changed, where that is known.
fn blamed(change: &Change, error: &ArmError) -> Option<String> {
    let paths = match error {
        ArmError::Refused(refusal) => &refusal.paths,
        ArmError::ChangedMeanwhile { paths, .. } => paths,
        _ => return None,
    };
    paths.iter().find_map(|path| {
        let is_meant = |property: &&PropertyChange| {
            let known = property.path.as_str();
            let inner = known.strip_prefix("properties.").unwrap_or(known);
            known.eq_ignore_ascii_case(path) || inner.eq_ignore_ascii_case(path)
        };
        change.changes.iter().find(is_meant)?.origin.clone()
    })
}
