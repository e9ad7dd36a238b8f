//! The functions that take several documents and have options of their own: `Export-SvcTemplate` and `Test-SvcSettings`.

use svc_engine::run::registry::{Described, Parameter, TEMPLATE};

use crate::function::{END, declaration, option_declaration};
use crate::template::fill;
use crate::{links, maml};

/// The function of a command.
pub(crate) fn function(command: &Described, repository: Option<&str>) -> String {
    let documents: Vec<&Parameter> = command.parameters.iter().filter(|parameter| parameter.set.is_some()).collect();
    let others = command.parameters.iter().filter(|parameter| parameter.set.is_none());
    let options = command.options.iter().map(option_declaration);
    let declared = documents.iter().map(|parameter| declaration(parameter, true));
    let declared: Vec<String> =
        declared.chain(options).chain(others.map(|parameter| declaration(parameter, true))).collect();
    fill(
        if command.name == TEMPLATE.name {
            include_str!("../templates/template.psm1.in")
        } else {
            include_str!("../templates/test.psm1.in")
        },
        &[
            ("NAME", command.name),
            ("HELP_FILE", maml::FILE),
            ("HELP_URI", &links::help_uri(repository, command.name)),
            ("PARAMETERS", &declared.join(",\n")),
            ("END", END),
        ],
    )
}
