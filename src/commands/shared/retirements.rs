//! The things that Azure has retired and the settings may still ask for: since when, and what is used instead. What is retired of a
//! resource type as such (a kind, a tier, the type itself) is in its entry in `azure::types`.

/// Something that Azure no longer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Retired {
    /// .NET functions in the process of their host.
    InProcessDotnet,
    /// The time for which diagnostic settings keep data in storage accounts.
    DiagnosticRetention,
    /// The connector of action groups to ServiceNow.
    ItsmConnector,
    /// All management solutions but `KeyVaultAnalytics`.
    Solutions,
    /// The payload template of the webhooks of log alerts.
    LogAlertPayload,
    /// Suppression of log alerts by a number of evaluations.
    LogAlertSuppressWindows,
}

/// The sentence that names the retirement and the replacement. Sources: the retirement list of Microsoft (Azure/EOL,
/// service_list.json of 2025-12), and the documentation of Automation and of Azure Monitor ("Sample alert payloads", "Upgrade to
/// the current Log Alerts API", "Legacy collection methods").
#[must_use]
pub(in crate::commands) fn notice(retired: Retired) -> &'static str {
    match retired {
        Retired::InProcessDotnet => {
            "Azure retired .NET functions in the process of their host on 10 November 2026; they are deployed as written; change to DOTNET-ISOLATED"
        }
        Retired::DiagnosticRetention => {
            "the retention of diagnostic settings was retired in September 2025, so it is not used; a lifecycle management policy of the storage account deletes old logs"
        }
        Retired::ItsmConnector => {
            "the ITSM connector for ServiceNow was retired on 30 September 2025; the receiver is still deployed; use a webhook instead"
        }
        Retired::Solutions => {
            "the solutions AgentHealthAssessment and VMInsights (since 31 August 2024), Updates (since 28 February 2025) and AzureActivity (since 15 September 2025) are retired, so none is created and existing ones are kept; the Azure Monitor Agent, Azure Update Manager and the diagnostic setting of the subscription replace them"
        }
        Retired::LogAlertPayload => {
            "log alerts have no payload template since the API of 2021-08-01; the top-level members become custom properties of the alert, and Azure fills in no variables in them"
        }
        Retired::LogAlertSuppressWindows => {
            "log alerts are suppressed by time alone since the API of 2021-08-01; it is ignored, and suppress.mins sets the time"
        }
    }
}

/// Tables of a workspace that nothing fills any more. Source: the retirement list of Microsoft (as above), and the Azure Monitor
/// Logs reference, "ProtectionStatus".
const TABLES: &[(&str, &str)] = &[(
    "ProtectionStatus",
    "nothing fills the table ProtectionStatus since the Log Analytics agent was retired on 31 August 2024, so the alert never fires; Microsoft Defender for Cloud reports machines whose antimalware is out of date",
)];

/// The notice for a query that reads a table of these.
#[must_use]
pub(in crate::commands) fn table_notice(reads: impl Fn(&str) -> bool) -> Option<&'static str> {
    TABLES.iter().find(|(table, _)| reads(table)).map(|(_, notice)| *notice)
}

/// A technology stack of which old versions are retired.
struct Stack {
    names: &'static [&'static str],
    /// The newest version that is retired: major and minor.
    newest: (u32, u32),
    retired: &'static str,
    instead: &'static str,
}

/// Source: the retirement list of Microsoft (Azure/EOL, service_list.json of 2025-12).
const STACKS: &[Stack] = &[
    Stack { names: &["NODE"], newest: (20, u32::MAX), retired: "Node 20 on 30 April 2026", instead: "NODE|22-lts" },
    Stack {
        names: &["DOTNETCORE", "DOTNET", "DOTNET-ISOLATED"],
        newest: (6, u32::MAX),
        retired: ".NET 6 in November 2024",
        instead: "a version that .NET supports",
    },
    Stack { names: &["PHP"], newest: (8, 1), retired: "PHP 8.1 in December 2025", instead: "PHP|8.3" },
    // The last version that App Service had; its support ended with that of the community ("Language runtime support policy").
    Stack {
        names: &["RUBY"],
        newest: (2, u32::MAX),
        retired: "Ruby 2.7 on 31 March 2023",
        instead: "a container, such as DOCKER|ruby:3.4",
    },
    Stack { names: &["PYTHON"], newest: (3, 9), retired: "Python 3.9 in October 2025", instead: "PYTHON|3.12" },
];

/// The notice for a technology stack (`NODE|18-lts`) whose version is retired.
#[must_use]
pub(in crate::commands) fn stack_notice(stack: &str) -> Option<String> {
    let (name, version) = stack.split_once('|')?;
    let known = STACKS.iter().find(|known| known.names.iter().any(|known| known.eq_ignore_ascii_case(name)))?;
    let mut numbers = version.split(|character: char| !character.is_ascii_digit()).map(str::parse::<u32>);
    let major = numbers.next()?.ok()?;
    let minor = numbers.next().and_then(Result::ok).unwrap_or_default();
    let text = format!(
        "Azure retired {}, and everything older; '{stack}' is deployed as written; change to {}",
        known.retired, known.instead
    );
    ((major, minor) <= known.newest).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_up_to_the_retired_one_are_retired() {
        for stack in
            ["NODE|20-lts", "node|18-lts", "PHP|8.1", "PHP|7.4", "PYTHON|3.9", "DOTNETCORE|6.0", "DOTNETCORE|3.1"]
        {
            assert!(stack_notice(stack).is_some(), "{stack}");
        }
        for stack in
            ["NODE|22-lts", "NODE|lts", "PHP|8.2", "PYTHON|3.10", "DOTNETCORE|8.0", "JAVA|8-jre8", "DOCKER|x:1", "NODE"]
        {
            assert!(stack_notice(stack).is_none(), "{stack}");
        }
    }
}
