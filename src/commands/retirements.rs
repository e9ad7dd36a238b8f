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
    /// The payload template of the webhooks of log alerts.
    LogAlertPayload,
    /// Suppression of log alerts by a number of evaluations.
    LogAlertSuppressWindows,
}

/// Sources: the retirement list of Microsoft (Azure/EOL, service_list.json of 2025-12) and the documentation of
/// Storage and of Azure Monitor ("Sample alert payloads", "Upgrade to the current Log Alerts API").
const RETIREMENTS: &[(Retired, &str)] = &[
    (
        Retired::GeneralPurposeV1Account,
        "general-purpose v1 accounts (kind Storage) were retired in September 2026; a new account gets the kind StorageV2, an existing one is left as it is",
    ),
    (
        Retired::BlobStorageAccount,
        "legacy blob accounts (kind BlobStorage) were retired in September 2026; a new account gets the kind StorageV2, an existing one is left as it is",
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
            Retired::LogAlertPayload,
            Retired::LogAlertSuppressWindows,
        ] {
            assert!(RETIREMENTS.iter().any(|(known, _)| *known == retired));
            assert!(notice(retired).contains("20"));
        }
    }
}
