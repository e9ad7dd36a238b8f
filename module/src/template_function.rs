//! `Export-SvcTemplate`: its function, and what its help says beside the registry.

use svc_engine::run::registry::{Parameter, TEMPLATE};

use crate::function::{declaration, document};
use crate::template::{fill, lines};
use crate::{links, maml};

/// The parameters that are no members of the request by themselves: the name, whether it is a switch, and the help.
pub(crate) const OPTIONS: [(&str, bool, &str); 3] = [
    ("Path", false, "The file that gets the template; one that exists is replaced."),
    ("LateBinding", true, "Makes the ids of what is looked up parameters of the template."),
    ("Stack", true, "Writes only the rules of alert documents, for a deployment stack."),
];

/// The function.
pub(crate) fn function(repository: Option<&str>) -> String {
    let documents: Vec<&Parameter> = TEMPLATE.parameters.iter().filter(|parameter| parameter.set.is_some()).collect();
    let others = TEMPLATE.parameters.iter().filter(|parameter| parameter.set.is_none());
    let options = OPTIONS.iter().map(|(name, is_switch, _)| {
        let kind = if *is_switch { "[switch]" } else { "[AllowEmptyString()] [string]" };
        format!("        {kind} ${name}")
    });
    let declared = documents.iter().map(|parameter| declaration(parameter, true));
    let declared: Vec<String> =
        declared.chain(options).chain(others.map(|parameter| declaration(parameter, true))).collect();
    fill(
        include_str!("../templates/template.psm1.in"),
        &[
            ("NAME", TEMPLATE.name),
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, TEMPLATE.name)),
            ("PARAMETERS", &declared.join(",\n")),
            ("DOCUMENTS", &lines(documents.iter().map(|parameter| document(parameter)))),
        ],
    )
}
