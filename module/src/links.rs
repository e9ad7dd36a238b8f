//! Addresses in the manifest and in the help. They come from `repository` in the workspace's Cargo.toml, and there are none
//! while that is empty.

use svc_engine::run::registry::{COMPARE, EXPORT, NEW, SCHEMA, TEMPLATE, TEST};

use crate::template::quote;

/// The address at which the source is published; none while Cargo.toml does not say.
pub(crate) fn repository() -> Option<&'static str> {
    address(env!("CARGO_PKG_REPOSITORY"))
}

fn address(repository: &str) -> Option<&str> {
    let repository = repository.trim_end_matches('/');
    (!repository.is_empty()).then_some(repository)
}

/// The `HelpUri` of a function among the arguments of its `CmdletBinding`; nothing where the source is not published.
pub(crate) fn help_uri(repository: Option<&str>, function: &str) -> String {
    repository.map_or_else(String::new, |repository| format!(", HelpUri = {}", quote(&help_page(repository, function))))
}

/// The page that `Get-Help -Online` opens for a function. Commands are in the README's table; the others have pages of their own.
pub(crate) fn help_page(repository: &str, function: &str) -> String {
    if function == EXPORT.name {
        page(repository, "docs/exporting.md")
    } else if function == COMPARE.name {
        page(repository, "docs/incidents.md")
    } else if function == TEST.name || function == NEW.name || function == SCHEMA.name {
        page(repository, "docs/quickstart.md")
    } else if function == TEMPLATE.name {
        page(repository, "docs/fleets.md")
    } else if crate::context_functions::CONTEXT_FUNCTIONS.iter().any(|known| known.name == function) {
        page(repository, "docs/powershell-module.md")
    } else {
        page(repository, "README.md#commands")
    }
}

/// A file of the newest version, shown.
pub(crate) fn page(repository: &str, path: &str) -> String {
    format!("{repository}/blob/HEAD/{path}")
}

/// A file of the newest version, as it is.
pub(crate) fn raw(repository: &str, path: &str) -> String {
    format!("{repository}/raw/HEAD/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_repository_is_none() {
        assert_eq!(address(""), None);
        assert_eq!(address("https://example.org/svc/"), Some("https://example.org/svc"));
    }

    #[test]
    fn what_is_no_command_has_a_page_of_its_own() {
        for (function, file) in [
            ("Export-SvcSettings", "exporting.md"),
            ("Export-SvcTemplate", "fleets.md"),
            ("Compare-SvcDeployment", "incidents.md"),
            ("Test-SvcSettings", "quickstart.md"),
            ("New-SvcSettings", "quickstart.md"),
            ("Get-SvcSettingsSchema", "quickstart.md"),
        ] {
            assert_eq!(
                help_page("https://example.org/svc", function),
                format!("https://example.org/svc/blob/HEAD/docs/{file}")
            );
        }
    }

    #[test]
    fn a_help_uri_is_an_argument_of_its_own() {
        assert_eq!(help_uri(None, "New-SvcIaasStorage"), "");
        assert_eq!(
            help_uri(Some("https://example.org/svc"), "New-SvcIaasStorage"),
            ", HelpUri = 'https://example.org/svc/blob/HEAD/README.md#commands'"
        );
    }

    #[test]
    fn commands_and_context_have_their_pages() {
        let page = |function| help_page("https://example.org/svc", function);
        assert_eq!(page("New-SvcIaasStorage"), "https://example.org/svc/blob/HEAD/README.md#commands");
        assert_eq!(page("Set-SvcContext"), "https://example.org/svc/blob/HEAD/docs/powershell-module.md");
    }
}
