//! The sentences people read about a change.

use super::Change;
use crate::azure::{RESOURCE_GROUP_TYPE, ResourceId, label_of_type};
use crate::protocol::{ActionKind, Confirm, JsonText, PropertyChange};

/// The remark of a plan without credentials at each resource that it would create or update.
pub const STATE_UNKNOWN: &str = "(current state unknown)";

/// "storage account 'stx' in resource group 'rg-x'", "blob container 'data' of storage account 'stx' in …", "diagnostic
/// setting 'x' of the subscription".
pub(super) fn full_name(id: &ResourceId, label: &str) -> String {
    let mut name = short_name(id, label);
    match id.group_id() {
        Some(group) if group != *id => name.push_str(&format!(" in resource group '{}'", group.name())),
        Some(_) => {}
        None => name.push_str(" of the subscription"),
    }
    name
}

/// "storage account 'stx'", "blob container 'data' of storage account 'stx'".
pub(super) fn short_name(id: &ResourceId, label: &str) -> String {
    let mut name = format!("{label} '{}'", id.name());
    for parent in std::iter::successors(id.parent(), ResourceId::parent) {
        let kind = parent.resource_type();
        if kind == RESOURCE_GROUP_TYPE {
            break;
        }
        if let Some(label) = label_of_type(&kind) {
            name.push_str(&format!(" of {label} '{}'", parent.name()));
        }
    }
    name
}

/// The sentences that a host says of a change.
pub(super) struct Sentences {
    /// The sentence after `What if:`.
    pub(super) description: String,
    /// The text of the confirmation prompt.
    pub(super) question: String,
}

/// The sentences that a host says of a change with these properties.
pub(super) fn of(change: &Change, properties: &[PropertyChange]) -> Sentences {
    let name = full_name(&change.id, &change.resource_type.label);
    let (description, question) = match change.kind {
        ActionKind::Create => {
            let description = match change.unknown {
                true => format!("Create or update {name} {STATE_UNKNOWN}."),
                false => format!("Create {name}."),
            };
            (description, format!("Create {name}?"))
        }
        ActionKind::Modify => {
            let changed = changed(properties);
            (format!("Change {name}: {changed}."), format!("Change {name} ({changed})?"))
        }
        ActionKind::Delete => {
            let consequence = if change.confirm == Confirm::Normal { "" } else { " This cannot be undone." };
            (format!("Delete {name}."), format!("Delete {name}?{consequence}"))
        }
    };
    Sentences { description, question }
}

/// The beginning of the error of a change that failed because of a setting.
pub(super) fn failed(change: &Change, place: &str) -> String {
    let done = match change.kind {
        ActionKind::Create => "created",
        ActionKind::Modify => "changed",
        ActionKind::Delete => "deleted",
    };
    format!("{place}: the {} was not {done}", full_name(&change.id, &change.resource_type.label))
}

fn changed(properties: &[PropertyChange]) -> String {
    let one = |value: &Option<JsonText>| value.as_ref().map_or_else(|| "nothing".to_owned(), JsonText::to_string);
    let parts: Vec<String> = properties
        .iter()
        .map(|change| format!("{} from {} to {}", change.path, one(&change.before), one(&change.after)))
        .collect();
    parts.join(", ")
}
