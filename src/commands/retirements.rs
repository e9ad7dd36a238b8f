//! What Azure has retired and the settings may still ask for: since when, and what is used instead. One table.

/// Something that Azure no longer makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retired {
    /// Storage accounts of the kind `Storage`.
    GeneralPurposeV1Account,
    /// Storage accounts of the kind `BlobStorage`.
    BlobStorageAccount,
    /// TLS 1.0 and 1.1 for storage accounts.
    StorageTlsBelow12,
    /// How long diagnostic settings keep data in storage accounts.
    DiagnosticRetention,
    /// The connector of action groups to ServiceNow.
    ItsmConnector,
    /// The management solution `AzureActivity`.
    ActivitySolution,
    /// The management solution `Updates`.
    UpdatesSolution,
    /// The management solutions `AgentHealthAssessment` and `VMInsights`.
    AgentSolutions,
    /// The payload template of the webhooks of log alerts.
    LogAlertPayload,
    /// Suppression of log alerts by a number of evaluations.
    LogAlertSuppressWindows,
}

/// Sources: the retirement list of Microsoft (Azure/EOL, service_list.json of 2025-12) and the documentation of Storage,
/// of Automation and of Azure Monitor ("Sample alert payloads", "Upgrade to the current Log Alerts API").
const RETIREMENTS: &[(Retired, &str)] = &[
    (
        Retired::GeneralPurposeV1Account,
        "general-purpose v1 accounts (kind Storage) were retired in September 2026; a new account gets the kind StorageV2, an existing one is left as it is",
    ),
    (
        Retired::BlobStorageAccount,
        "legacy blob accounts (kind BlobStorage) were retired in September 2026; a new account gets the kind StorageV2, an existing one is left as it is",
    ),
    (
        Retired::DiagnosticRetention,
        "the retention of diagnostic settings was retired in September 2025, so it is not used; a lifecycle management policy of the storage account deletes old logs",
    ),
    (
        Retired::ItsmConnector,
        "the ITSM connector for ServiceNow was retired on 30 September 2025; the receiver is deployed all the same, and a webhook replaces it",
    ),
    (
        Retired::ActivitySolution,
        "the solution AzureActivity was retired on 15 September 2026, so none is made and one that exists is kept; the diagnostic setting of the subscription replaces it",
    ),
    (
        Retired::UpdatesSolution,
        "the solution Updates was switched off on 28 February 2025, so none is made and one that exists is kept; Azure Update Manager replaces it and needs no solution",
    ),
    (
        Retired::AgentSolutions,
        "the Log Analytics agent was retired on 31 August 2024, so the solutions AgentHealthAssessment and VMInsights, which are deployed all the same, show nothing \
         of newer machines; the Azure Monitor Agent with a data collection rule replaces them",
    ),
    (Retired::StorageTlsBelow12, "Azure Storage dropped TLS 1.0 and 1.1 on 3 February 2026; TLS1_2 is used"),
    (
        Retired::LogAlertPayload,
        "log alerts have no payload template since the API of 2021-08-01; the top-level members become custom properties of the alert, and Azure fills in no variables in them",
    ),
    (
        Retired::LogAlertSuppressWindows,
        "log alerts are suppressed by time alone since the API of 2021-08-01; it is ignored, suppress.mins says for how long",
    ),
];

/// The sentence that names the retirement and the replacement.
#[must_use]
pub(super) fn notice(retired: Retired) -> &'static str {
    RETIREMENTS.iter().find(|(known, _)| *known == retired).map_or("it was retired by Azure", |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_retirement_has_its_sentence() {
        for retired in [
            Retired::GeneralPurposeV1Account,
            Retired::BlobStorageAccount,
            Retired::StorageTlsBelow12,
            Retired::DiagnosticRetention,
            Retired::ItsmConnector,
            Retired::ActivitySolution,
            Retired::UpdatesSolution,
            Retired::AgentSolutions,
            Retired::LogAlertPayload,
            Retired::LogAlertSuppressWindows,
        ] {
            assert!(RETIREMENTS.iter().any(|(known, _)| *known == retired));
            assert!(notice(retired).contains("20"));
        }
    }
}
