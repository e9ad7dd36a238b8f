//! The refusals of plans that would delete, tag or take what is somebody else's. Nothing was changed.

use super::context::RunContext;
use super::failure::{Failure, failure};
use crate::azure::ResourceId;
use crate::commands::CompleteMode;
use crate::plan::{OtherEnvironment, OtherTagKey, PublishedOtherwise, full_name};
use crate::protocol::{Code, first_of, plural};

/// The refusal to delete what others put into the group.
pub(super) fn foreign(others: &[(ResourceId, String)], complete: &CompleteMode) -> Failure {
    let list: Vec<String> = others.iter().map(|(id, kind)| format!("{kind} '{}'", id.name())).collect();
    refusal(
        Code::CompleteModeWouldDelete,
        complete,
        format!(
            "the resource group '{}' may contain only the {}s of the document, but contains {} other resource{}: {}.",
            complete.group.name(),
            complete.rules.label,
            list.len(),
            plural(list.len()),
            list.join(", ")
        ),
        "Use a resource group of its own for the rules, or move the others away. To delete them, set AllowForeignDeletes in the context; each \
         deletion is then planned and confirmed.",
    )
}

/// The refusal to delete every rule of a group that has several.
pub(super) fn keeps_none(rules: &[ResourceId], complete: &CompleteMode) -> Failure {
    let names: Vec<String> = rules.iter().map(|id| format!("'{}'", id.name())).collect();
    refusal(
        Code::ResourceGroupTaken,
        complete,
        format!(
            "the document has none of the {} {}s in the resource group '{}', so all of them would be deleted: {}.",
            rules.len(),
            complete.rules.label,
            complete.group.name(),
            first_of(&names, ", ")
        ),
        "If they are the rules of another document, or of this one in another environment, use a resource group of its own: name an existing one in \
         service.dependencies.resourceGroup, or give generated groups other names with a naming file. To delete them, set AllowForeignDeletes in the \
         context; each deletion is then planned and confirmed.",
    )
}

/// The refusal to give resources a second tag with their publish name.
pub(super) fn tagged_otherwise(other: &OtherTagKey<'_>, context: &RunContext) -> Failure {
    let OtherTagKey { first, service, key, count } = other;
    let (place, ours) = (first.place.show(), &context.run.service_tag_key);
    let name = full_name(&first.id, first.resource_type.label);
    let others = match count - 1 {
        0 => String::new(),
        more => format!(", and so it is for {more} other resource{}", plural(more)),
    };
    let message = format!(
        "{place}: the publish name '{service}' of the {name} is in its tag '{key}'{others}; the run would put it into the tag '{ours}' as well, because \
         serviceTagKey is not set. Nothing was changed."
    );
    let way_out = format!(
        "If publish names are in the tag '{key}', set it: Set-SvcContext -ServiceTagKey {key} or SVC_SERVICE_TAG_KEY. \
         To have both tags, set it to {ours}."
    );
    let report = failure(Code::ServiceTagKeyDiffers, message).about_resource(&first.id, first.place.document());
    Box::new(report.recommending(way_out))
}

/// The refusal to change what belongs to another environment.
pub(super) fn of_other_environment(other: &OtherEnvironment<'_>, key: &str) -> Failure {
    let OtherEnvironment { first, theirs, own, count } = other;
    let name = full_name(&first.id, first.resource_type.label);
    let others = match count - 1 {
        0 => String::new(),
        1 => ", and so does 1 other resource".to_owned(),
        more => format!(", and so do {more} other resources"),
    };
    let message = format!(
        "{}: the {name} belongs to the environment '{theirs}' by its tag '{key}'{others}; this run is for '{own}'. Nothing was changed.",
        first.place.show()
    );
    let way_out = format!(
        "Give it a name of its own in each environment: put a value of _values into its name, or the environment into the generator of its name in \
         _names. If it is to belong to '{own}' from now on, change its tag '{key}'."
    );
    let report = failure(Code::OtherEnvironment, message).about_resource(&first.id, first.place.document());
    Box::new(report.recommending(way_out))
}

/// The refusal to take over a group that is published under another name.
pub(super) fn taken(otherwise: &PublishedOtherwise<'_>, context: &RunContext) -> Failure {
    let PublishedOtherwise { group, before, after } = otherwise;
    let (place, name, tag_key) = (group.place.show(), group.id.name(), &context.run.service_tag_key);
    let message = format!(
        "{place}: the resource group '{name}' is published as '{before}', and this document would publish it as '{after}': the two documents would \
         delete each other's rules. Nothing was changed."
    );
    let way_out = format!(
        "Use a resource group of its own: name an existing one in service.dependencies.resourceGroup, or give generated groups other names with a \
         naming file. If only the publish name of this document has changed, set the tag {tag_key} of the group to '{after}'."
    );
    let report = failure(Code::ResourceGroupTaken, message).about_resource(&group.id, group.place.document());
    Box::new(report.recommending(way_out))
}

fn refusal(code: Code, complete: &CompleteMode, message: String, recommendation: &str) -> Failure {
    let message = format!("{}: {message} Nothing was changed.", complete.place.show());
    let report = failure(code, message).about_resource(&complete.group, complete.place.document());
    Box::new(report.recommending(recommendation))
}
