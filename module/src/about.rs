//! The text of `about_SvcDeploy`, and the topics beside it.

use svc_engine::run::registry::ContextMember;

use crate::started;
use crate::template::{fill, lines, wrap};

/// The width of the about file: it is shown as it is in an ordinary terminal.
const ABOUT_WIDTH: usize = 76;

/// The text of `about_SvcDeploy`.
pub(crate) fn text(context: &[ContextMember]) -> String {
    let described = started().map(|command| entry(command.name, command.synopsis));
    let members =
        context.iter().map(|member| entry(&format!("-{} ({})", member.parameter, member.variable), member.help));
    let topics = TOPICS.iter().map(|(name, _)| *name);
    let names = topics.chain(started().map(|command| command.name)).map(|name| format!("    {name}"));
    fill(
        include_str!("../templates/about_SvcDeploy.help.txt.in"),
        &[("COMMANDS", &lines(described)), ("CONTEXT", &lines(members)), ("SEE_ALSO", &lines(names))],
    )
}

/// The topics beside it, each with its text.
pub(crate) const TOPICS: [(&str, &str); 5] = [
    ("about_SvcDeploy_Approval", include_str!("../templates/about_SvcDeploy_Approval.help.txt")),
    ("about_SvcDeploy_Environments", include_str!("../templates/about_SvcDeploy_Environments.help.txt")),
    ("about_SvcDeploy_Names", include_str!("../templates/about_SvcDeploy_Names.help.txt")),
    ("about_SvcDeploy_PublishNames", include_str!("../templates/about_SvcDeploy_PublishNames.help.txt")),
    ("about_SvcDeploy_Settings", include_str!("../templates/about_SvcDeploy_Settings.help.txt")),
];

/// A name, and what it is in the lines below it.
fn entry(name: &str, text: &str) -> String {
    format!("    {name}\n{}", wrap(text, 8, ABOUT_WIDTH))
}
