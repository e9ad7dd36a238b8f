//! The technology stacks of Linux apps: the names that Azure has, and the versions that are known. Azure gets new versions all the
//! time, so others are accepted with a warning; a name that it does not have is refused.
//!
//! Sources, lists that users of Azure have published: of `az webapp list-runtimes --os linux` with Azure CLI 2.90 (Node, .NET), of the
//! runtimes of web apps and function apps on Linux on 16 December 2025 (DRCP, "Use cases App Service"), of JBoss in the types of Bicep
//! modules, and settings of apps that run (Java 25, PHP 8.5, PowerShell 7.6); learn.microsoft.com, "Supported languages in Azure
//! Functions", "Configure a custom container" (containers) and "Language runtime support policy for App Service".

use crate::commands::shared::retirements::stack_notice;
use crate::protocol::{alternatives, nearest};

/// An app that runs a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    /// A web app.
    WebApp,
    /// A function app.
    FunctionApp,
}

/// The versions behind the name of a stack.
#[derive(Debug, Clone, Copy)]
enum Versions {
    /// Those that are offered, and those of these numbers, which nobody would choose anew.
    Also(&'static [&'static str]),
    /// Whatever the user has: an image, a list of containers, a version of their own.
    Any,
    /// Nothing is needed.
    Optional,
}

/// A technology stack.
struct Stack {
    name: &'static str,
    /// The versions that editors offer for web apps; none where these do not run it.
    of_web_apps: Option<&'static [&'static str]>,
    /// The same for function apps.
    of_function_apps: Option<&'static [&'static str]>,
    versions: Versions,
}

impl Stack {
    const fn new(
        name: &'static str,
        of_web_apps: Option<&'static [&'static str]>,
        of_function_apps: Option<&'static [&'static str]>,
        versions: Versions,
    ) -> Stack {
        Stack { name, of_web_apps, of_function_apps, versions }
    }

    /// The versions that editors offer, without what is retired; none where an app does not run the stack.
    fn offered(&self, runner: Runner) -> Option<&'static [&'static str]> {
        match runner {
            Runner::WebApp => self.of_web_apps,
            Runner::FunctionApp => self.of_function_apps,
        }
    }

    fn knows(&self, version: &str) -> bool {
        let Versions::Also(further) = self.versions else { return true };
        let offered = [self.of_web_apps, self.of_function_apps].into_iter().flatten().flatten();
        offered.chain(further).any(|known| {
            let rest = numbers(version).strip_prefix(numbers(known));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

/// The numbers of a version: `10.1` of `10.1-java21`.
fn numbers(version: &str) -> &str {
    version.split('-').next().unwrap_or_default()
}

const STACKS: &[Stack] = &[
    Stack::new("NODE", Some(&["26", "24-lts", "22-lts"]), Some(&["24", "22"]), Versions::Also(&["lts"])),
    Stack::new(
        "PYTHON",
        Some(&["3.14", "3.13", "3.12", "3.11"]),
        Some(&["3.14", "3.13", "3.12", "3.11"]),
        Versions::Also(&["3.10"]),
    ),
    Stack::new("DOTNETCORE", Some(&["11.0", "10.0", "9.0", "8.0"]), None, Versions::Also(&[])),
    Stack::new("DOTNET-ISOLATED", None, Some(&["10.0", "9.0", "8.0"]), Versions::Also(&[])),
    Stack::new("DOTNET", None, Some(&[]), Versions::Also(&["8.0"])),
    Stack::new("PHP", Some(&["8.5", "8.4", "8.3", "8.2"]), None, Versions::Also(&[])),
    Stack::new(
        "JAVA",
        Some(&["25-java25", "21-java21", "17-java17"]),
        Some(&["25", "21", "17"]),
        Versions::Also(&["11", "8"]),
    ),
    Stack::new(
        "TOMCAT",
        Some(&["11.0-java21", "11.0-java17", "10.1-java21", "10.1-java17", "9.0-java21", "9.0-java17"]),
        None,
        Versions::Also(&["10.0", "8.5"]),
    ),
    Stack::new("JBOSSEAP", Some(&["8-java21", "8-java17"]), None, Versions::Also(&["7"])),
    Stack::new("POWERSHELL", None, Some(&["7.6", "7.4"]), Versions::Also(&[])),
    Stack::new("GO", Some(&[]), Some(&[]), Versions::Any),
    Stack::new("RUBY", Some(&[]), None, Versions::Any),
    Stack::new("STATICSITE", Some(&[]), None, Versions::Also(&["1.0"])),
    Stack::new("DOCKER", Some(&[]), Some(&[]), Versions::Any),
    Stack::new("COMPOSE", Some(&[]), None, Versions::Any),
    Stack::new("SITECONTAINERS", Some(&[]), None, Versions::Optional),
    Stack::new("CUSTOM", None, Some(&[]), Versions::Any),
];

/// The stacks that editors offer for an app.
pub(super) fn offered(runner: Runner) -> Vec<String> {
    let offered = STACKS.iter().filter_map(|stack| Some((stack.name, stack.offered(runner)?)));
    offered.flat_map(|(name, versions)| versions.iter().map(move |version| format!("{name}|{version}"))).collect()
}

/// The judgements about a stack.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// Nothing.
    Known,
    /// Azure may refuse it, or has retired it.
    Doubtful(String),
    /// Azure refuses it.
    Refused(String),
}

/// The judgement about a stack and its version, `NODE|22-lts`.
pub(super) fn judge(text: &str, runner: Runner) -> Judgement {
    let (name, version) = text.split_once('|').unwrap_or((text, ""));
    let known = STACKS.iter().find(|stack| stack.name.eq_ignore_ascii_case(name));
    let is_complete = !name.is_empty() && !version.is_empty() && version == version.trim();
    match known.filter(|stack| stack.offered(runner).is_some()) {
        Some(Stack { versions: Versions::Optional, .. }) => Judgement::Known,
        _ if !is_complete => Judgement::Refused(format!(
            "expected a stack and its version, such as NODE|22-lts or PYTHON|3.12, found '{text}'"
        )),
        None => Judgement::Refused(unknown(name, known, runner)),
        Some(stack) => match stack_notice(text) {
            Some(notice) => Judgement::Doubtful(notice),
            None if stack.knows(version) => Judgement::Known,
            None => Judgement::Doubtful(unknown_version(text, stack, runner)),
        },
    }
}

fn unknown(name: &str, elsewhere: Option<&Stack>, runner: Runner) -> String {
    let apps = match runner {
        Runner::WebApp => "web apps",
        Runner::FunctionApp => "function apps",
    };
    let names: Vec<&str> =
        STACKS.iter().filter(|stack| stack.offered(runner).is_some()).map(|stack| stack.name).collect();
    let near = nearest(name, names.iter().copied()).filter(|_| elsewhere.is_none());
    let hint = near.map_or("; use ".to_owned(), |near| format!(", did you mean '{near}'? Use "));
    format!("'{name}' is not a stack of {apps}{hint}{}", alternatives(&names))
}

fn unknown_version(text: &str, stack: &Stack, runner: Runner) -> String {
    let offered = stack.offered(runner).unwrap_or_default();
    let known: Vec<String> = offered.iter().map(|version| format!("{}|{version}", stack.name)).collect();
    let known = if known.is_empty() { String::new() } else { format!("; known ones are {}", known.join(", ")) };
    format!("'{text}' is not a version of {} that is known here, and Azure may refuse it{known}", stack.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNERS: [Runner; 2] = [Runner::WebApp, Runner::FunctionApp];

    #[test]
    fn what_is_offered_is_known_and_not_retired() {
        for runner in RUNNERS {
            for stack in offered(runner) {
                assert_eq!(judge(&stack, runner), Judgement::Known, "{stack}");
            }
        }
    }

    #[test]
    fn names_are_those_of_azure_and_versions_may_be_newer() {
        let judged = |text: &str, runner| match judge(text, runner) {
            Judgement::Known => String::new(),
            Judgement::Doubtful(text) => format!("warning: {text}"),
            Judgement::Refused(text) => text,
        };
        let names = "NODE, PYTHON, DOTNETCORE, PHP, JAVA, TOMCAT, JBOSSEAP, GO, RUBY, STATICSITE, DOCKER, COMPOSE or SITECONTAINERS";
        assert_eq!(
            judged("PYTHN|3.12", Runner::WebApp),
            format!("'PYTHN' is not a stack of web apps, did you mean 'PYTHON'? Use {names}")
        );
        assert_eq!(judged("nonsense|1", Runner::WebApp), format!("'nonsense' is not a stack of web apps; use {names}"));
        assert_eq!(
            judged("dotnet-isolated|8.0", Runner::WebApp),
            format!("'dotnet-isolated' is not a stack of web apps; use {names}"),
            "it is spelled as it should be"
        );
        assert_eq!(
            judged("NODE|98", Runner::FunctionApp),
            "warning: 'NODE|98' is not a version of NODE that is known here, and Azure may refuse it; known ones are NODE|24, NODE|22"
        );
        for runner in RUNNERS {
            for text in ["NODE", "|3", "NODE|", "NODE| 22", ""] {
                assert!(judged(text, runner).starts_with("expected a stack and its version"), "{text}");
            }
        }
        for text in [
            "python|3.12.1",
            "TOMCAT|10.1.31-java17",
            "JAVA|8-jre8",
            "JBOSSEAP|7.4-java11",
            "DOCKER|nginx:1",
            "COMPOSE|dmVyc2lvbjogMw==",
            "sitecontainers",
            "SITECONTAINERS|",
            "STATICSITE|1.0",
            "GO|1.19",
            "NODE|lts",
        ] {
            assert_eq!(judged(text, Runner::WebApp), "", "{text}");
        }
        assert!(judged("PYTHON|3.1", Runner::WebApp).starts_with("warning: Azure retired Python 3.9"));
        assert!(judged("PYTHON|3.120", Runner::WebApp).starts_with("warning: 'PYTHON|3.120' is not"));
        assert!(judged("RUBY|2.7", Runner::WebApp).starts_with("warning: Azure retired Ruby 2.7"));
    }
}
