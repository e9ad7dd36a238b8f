//! `Export-SvcSettings`: its function, with the components that it takes.

use svc_engine::run::registry::{COMMANDS, EXPORT};

use crate::function::END;
use crate::template::{fill, quote};
use crate::{links, maml};

/// The code of the function.
pub(crate) fn code(repository: Option<&str>) -> String {
    let components: Vec<String> = COMMANDS.iter().map(|command| quote(command.component)).collect();
    fill(
        include_str!("../templates/export.psm1.in"),
        &[
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, EXPORT.name)),
            ("COMPONENTS", &components.join(", ")),
            ("END", END),
        ],
    )
}
