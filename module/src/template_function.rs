//! `Export-SvcTemplate`: its function.

use svc_engine::run::registry::{HostOptionKind, Parameter, TEMPLATE};

use crate::function::{END, declaration};
use crate::template::fill;
use crate::{links, maml};

/// The function.
pub(crate) fn function(repository: Option<&str>) -> String {
    let documents: Vec<&Parameter> = TEMPLATE.parameters.iter().filter(|parameter| parameter.set.is_some()).collect();
    let others = TEMPLATE.parameters.iter().filter(|parameter| parameter.set.is_none());
    let options = TEMPLATE.options.iter().map(|option| {
        let kind = match option.kind {
            HostOptionKind::Switch => "[switch]",
            HostOptionKind::Path | HostOptionKind::Text => "[AllowEmptyString()] [string]",
        };
        format!("        {kind} ${}", option.name)
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
            ("END", END),
        ],
    )
}
