//! The deviations of a template: what its deployment does otherwise than the engine.

use serde_json::Value;

use super::{Input, REPLACED_WHOLE};
use crate::desired::{Desired, World};
use crate::plan::{full_name, overwritten};
use crate::protocol::{Warning, listed};

/// The warnings that the user should know before they deploy the template of these resources: complete sentences.
pub(super) fn deviations(input: &Input<'_>, resources: &[Desired]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for resource in resources {
        let name = full_name(&resource.id, resource.resource_type.label);
        let remark = |what: String| resource.place.remark(what);
        let existing = match input.world {
            World::Known(existing) => existing.get(&resource.id),
            World::Unknown => None,
        };
        match existing {
            Some(existing) => warnings.extend(overwrites(resource, existing).map(|what| {
                remark(format!("a deployment of the template overwrites what the command keeps of the {name}: {what}."))
            })),
            None if REPLACED_WHOLE.iter().any(|kind| kind.name == resource.resource_type.name) => {
                warnings.push(remark(format!(
                    "each deployment of the template replaces all app settings of '{}'; those that others set later are lost, and \
                     the command keeps them.",
                    resource.id.parent().map_or_else(String::new, |app| app.full_name())
                )));
            }
            None => {}
        }
        if resource.keep_existing {
            warnings.push(remark(format!(
                "each deployment of the template writes the {name} as the document has it; the command only makes it where it is missing."
            )));
        }
        if resource.best_effort {
            warnings.push(remark(format!(
                "the deployment of the template fails where the {name} cannot be made; for the command that is a warning."
            )));
        }
    }
    warnings.extend(leaving(input));
    warnings
}

/// The words for what a template overwrites of an existing resource; none where it is nothing.
fn overwrites(resource: &Desired, existing: &Value) -> Option<String> {
    let overwritten = overwritten(resource, existing);
    if overwritten.is_empty() {
        return None;
    }
    let names = |what: &str, names: &[String]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        (!names.is_empty()).then(|| format!("{what} {}", listed(&quoted)))
    };
    let parts = [
        (!overwritten.properties.is_empty()).then(|| listed(&overwritten.properties)),
        names("the tags", &overwritten.tags),
        names("the app settings", &overwritten.settings),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(parts.join("; "))
}

/// The warnings about what the command takes away and a template does not.
fn leaving(input: &Input<'_>) -> impl Iterator<Item = Warning> {
    let groups = input.complete.iter().map(|complete| {
        let (label, group) = (complete.rules.label, complete.group.name());
        let what = match input.stack {
            true => format!(
                "the stack deletes the {label}s of the resource group '{group}' that it made and that leave the document; those that \
                 it never managed stay, and the command would delete them."
            ),
            false => format!(
                "{label}s of the resource group '{group}' that are not in the document stay; the command deletes them, and so does a \
                 deployment stack those that it made."
            ),
        };
        complete.place.remark(what)
    });
    let doors = input.owned.iter().map(|owned| {
        owned.place.remark(format_args!(
            "what is in the front door '{}' and not in the document stays; the command takes it out.",
            owned.profile.name()
        ))
    });
    groups.chain(doors)
}
