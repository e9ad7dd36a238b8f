//! The members of the context that the request leaves out, from the variables of the caller.

use std::collections::BTreeMap;

use super::context::invalid;
use crate::protocol::{Code, Context, ErrorReport};

/// The members that the request leaves out, from the `SVC_*` variables. Empty texts are the same as absent, but for members that guard a run.
pub(super) fn with_defaults(
    mut context: Context,
    variables: &BTreeMap<String, String>,
) -> Result<Context, Box<ErrorReport>> {
    for (member, value) in context.members() {
        match value.is_nothing() {
            Some(false) => continue,
            Some(true) if member.guards => return Err(nothing(member.name)),
            Some(true) | None => value.unset(),
        }
        match variables.get(member.variable).map(String::as_str) {
            None => {}
            Some("") if member.guards => return Err(nothing(member.variable)),
            Some("") => {}
            Some(text) if value.set(text) => {}
            Some(text) => {
                let message = format!("The variable {} must be true or false, found '{text}'.", member.variable);
                return Err(invalid(Code::ContextInvalid, message, member.variable));
            }
        }
    }
    Ok(context)
}

/// The refusal of a guard that is set to nothing.
pub(super) fn nothing(name: &str) -> Box<ErrorReport> {
    Box::new(
        invalid(Code::ContextInvalid, format!("{name} is set to nothing, so it is not known what was meant."), name)
            .recommending(format!("Give {name} a value, or do not set it at all.")),
    )
}
