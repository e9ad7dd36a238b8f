//! The technology stacks of Linux apps that editors offer. Azure gets new ones all the time, so others are accepted, too.
//!
//! Sources, lists that users of Azure have published: of `az webapp list-runtimes --os linux` with Azure CLI 2.90 (Node, .NET), of the
//! runtimes of web apps and function apps on Linux on 16 December 2025 (DRCP, "Use cases App Service"), of JBoss in the types of Bicep
//! modules, and settings of apps that run (Java 25, PHP 8.5, PowerShell 7.6); learn.microsoft.com, "Supported languages in Azure
//! Functions". Without what is retired.

/// Those of web apps.
pub(super) const OF_WEB_APPS: &[&str] = &[
    "NODE|26",
    "NODE|24-lts",
    "NODE|22-lts",
    "PYTHON|3.14",
    "PYTHON|3.13",
    "PYTHON|3.12",
    "PYTHON|3.11",
    "DOTNETCORE|11.0",
    "DOTNETCORE|10.0",
    "DOTNETCORE|9.0",
    "DOTNETCORE|8.0",
    "PHP|8.5",
    "PHP|8.4",
    "PHP|8.3",
    "PHP|8.2",
    "JAVA|25-java25",
    "JAVA|21-java21",
    "JAVA|17-java17",
    "TOMCAT|11.0-java21",
    "TOMCAT|11.0-java17",
    "TOMCAT|10.1-java21",
    "TOMCAT|10.1-java17",
    "TOMCAT|9.0-java21",
    "TOMCAT|9.0-java17",
    "JBOSSEAP|8-java21",
    "JBOSSEAP|8-java17",
];

/// Those of function apps.
pub(super) const OF_FUNCTION_APPS: &[&str] = &[
    "NODE|24",
    "NODE|22",
    "PYTHON|3.14",
    "PYTHON|3.13",
    "PYTHON|3.12",
    "PYTHON|3.11",
    "DOTNET-ISOLATED|10.0",
    "DOTNET-ISOLATED|9.0",
    "DOTNET-ISOLATED|8.0",
    "JAVA|25",
    "JAVA|21",
    "JAVA|17",
    "POWERSHELL|7.6",
    "POWERSHELL|7.4",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::shared::retirements::stack_notice;

    #[test]
    fn nothing_that_is_retired_is_offered() {
        for stack in OF_WEB_APPS.iter().chain(OF_FUNCTION_APPS) {
            assert_eq!(stack_notice(stack), None);
            assert!(stack.split_once('|').is_some_and(|(name, version)| !name.is_empty() && !version.is_empty()));
        }
    }
}
