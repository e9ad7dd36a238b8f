//! The function that writes the settings document of what exists. Its code is a template; this is what others have to know of it.

use svc_engine::run::registry::COMMANDS;

use crate::template::{fill, quote};
use crate::{links, maml};

/// The cmdlet name.
pub(crate) const NAME: &str = "Export-SvcSettings";
/// The C function that it calls.
pub(crate) const FUNCTION: &str = "svc_export_settings";
/// One sentence of help.
pub(crate) const SYNOPSIS: &str = "Writes the settings document of what exists in a resource group.";
/// A paragraph of help.
pub(crate) const DESCRIPTION: &str = "Reads what a resource group holds and writes the settings document of it, so that a plan of the document changes nothing. \
    What the settings cannot say is a comment in the document, and a warning. Nothing in Azure is changed. Without -Path the document is the output.";
/// The parameters, each with its type and its help.
pub(crate) const PARAMETERS: [(&str, &str, &str); 4] = [
    (
        "Component",
        "String",
        "What the document is about, as in its component: storage, privateEndpoints, bastionHosts, logAlerts, metricAlerts or resourceHealthAlerts.",
    ),
    ("ResourceGroup", "String", "The resource group that is read, by its name in Azure."),
    (
        "Path",
        "String",
        "The file to write; one that exists is never overwritten. The naming files of its project count. Default: the document is the output.",
    ),
    (
        "Names",
        "SwitchParameter",
        "Takes every name as it is, and writes a folder '_names' beside the document that makes just these names. The folder of the document has to be empty.",
    ),
];
/// The parameters that have to be given; they may be given without their names, in this order.
pub(crate) const REQUIRED: [&str; 2] = ["Component", "ResourceGroup"];
/// Code, and what it does.
pub(crate) const EXAMPLES: [(&str, &str); 3] = [
    (
        "Export-SvcSettings -Component storage -ResourceGroup rg-shop -Path storage.yml",
        "Writes the document of the storage accounts in a resource group.",
    ),
    (
        "Export-SvcSettings bastionHosts rg-network | Out-Host -Paging",
        "Shows the document of the bastion hosts in a resource group.",
    ),
    (
        "Export-SvcSettings storage rg-old -Path old/storage.yml -Names\nNew-SvcIaasStorage -SettingsFile old/storage.yml -WhatIf",
        "Writes the document of accounts that others have named, with naming files that keep their names, and shows that there is nothing to do.",
    ),
];

/// The code of the function.
pub(crate) fn code(repository: Option<&str>) -> String {
    let components: Vec<String> =
        COMMANDS.iter().filter(|command| command.export.is_some()).map(|command| quote(command.component)).collect();
    fill(
        include_str!("../templates/export.psm1.in"),
        &[
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, NAME)),
            ("COMPONENTS", &components.join(", ")),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_component() {
        let (_, _, help) = PARAMETERS[0];
        for command in COMMANDS {
            assert_eq!(help.contains(command.component), command.export.is_some(), "{}", command.component);
        }
    }
}
