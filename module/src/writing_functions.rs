//! The functions that write documents: `Export-SvcSettings`, `New-SvcSettings` and `Get-SvcSettingsSchema`, with the names that they take.

use svc_engine::run::registry::{COMMANDS, EXPORT, NEW, PROJECT_FILES, SCHEMA};

use crate::function::END;
use crate::template::{fill, quote};
use crate::{links, maml};

/// The code of the functions.
pub(crate) fn code(repository: Option<&str>) -> String {
    let components: Vec<String> = COMMANDS.iter().map(|command| quote(command.component)).collect();
    let files = PROJECT_FILES.iter().map(|file| quote(file.name));
    let schemas: Vec<String> = components.iter().cloned().chain(files).collect();
    let values = [
        ("HELP_FILE", maml::FILE),
        ("HELP_URI", &links::help_uri(repository, EXPORT.name)),
        ("NEW_URI", &links::help_uri(repository, NEW.name)),
        ("SCHEMA_URI", &links::help_uri(repository, SCHEMA.name)),
        ("COMPONENTS", &components.join(", ")),
        ("SCHEMAS", &schemas.join(", ")),
        ("END", END),
    ];
    let templates = [include_str!("../templates/export.psm1.in"), include_str!("../templates/scaffold.psm1.in")];
    templates.map(|template| fill(template, &values)).join("\n")
}
