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
    /// Azure Front Door (classic).
    ClassicFrontDoor,
    /// Azure CDN from Microsoft (classic).
    MicrosoftCdn,
    /// Azure CDN from Edgio, which was Verizon's.
    EdgioCdn,
    /// Azure CDN from Akamai.
    AkamaiCdn,
    /// Azure CDN in China.
    ChinaCdn,
}

/// Sources: the retirement list of Microsoft (Azure/EOL, service_list.json of 2025-12), the Storage documentation, and the
/// retirement FAQs of Azure Front Door (classic), Azure CDN and Azure CDN from Edgio.
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
        Retired::ClassicFrontDoor,
        "Azure Front Door (classic) takes no new front doors since 1 April 2025 and ends on 31 March 2027; a front door of the settings is Azure Front Door \
         Standard or Premium",
    ),
    (
        Retired::MicrosoftCdn,
        "Azure CDN from Microsoft (classic) takes no new profiles since 15 August 2025 and ends on 30 September 2027",
    ),
    (Retired::EdgioCdn, "Azure CDN from Edgio, formerly Verizon, was shut down on 15 January 2025"),
    (Retired::AkamaiCdn, "Azure CDN from Akamai ended on 31 October 2023"),
    (Retired::ChinaCdn, "Azure CDN in China ended on 1 December 2025"),
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
            Retired::ClassicFrontDoor,
            Retired::MicrosoftCdn,
            Retired::EdgioCdn,
            Retired::AkamaiCdn,
            Retired::ChinaCdn,
        ] {
            assert!(RETIREMENTS.iter().any(|(known, _)| *known == retired));
            assert!(notice(retired).contains("20"));
        }
    }
}
