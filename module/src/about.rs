//! The text of `about_SvcDeploy`.

use svc_engine::run::registry::ContextMember;

use crate::started;
use crate::template::{fill, lines, wrap};

/// Where the about file ends: it is shown as it is in an ordinary terminal.
const ABOUT_WIDTH: usize = 76;

/// The text of `about_SvcDeploy`.
pub(crate) fn text(context: &[ContextMember]) -> String {
    let described = started().map(|command| entry(command.name, command.synopsis));
    let members =
        context.iter().map(|member| entry(&format!("-{} ({})", member.parameter, member.variable), member.help));
    let names = started().map(|command| format!("    {}", command.name));
    fill(
        include_str!("../templates/about_SvcDeploy.help.txt.in"),
        &[("COMMANDS", &lines(described)), ("CONTEXT", &lines(members)), ("SEE_ALSO", &lines(names))],
    )
}

/// A name, and what it is in the lines below it.
fn entry(name: &str, text: &str) -> String {
    format!("    {name}\n{}", wrap(text, 8, ABOUT_WIDTH))
}
