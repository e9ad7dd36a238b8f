//! The tables of a workspace with their columns, so far as the built-in alert rules use them; others have the columns of their rows. Source:
//! Azure Monitor Logs reference (MicrosoftDocs/azure-monitor-docs, reference/tables, of 2026; where it includes its columns from elsewhere,
//! MicrosoftDocs/azure-reference-other, azure-monitor-ref/tables, of 2020 to 2023).

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Number,
    Time,
}
use Type::{Number, Text, Time};

pub(super) const TABLES: &[(&str, &[(&str, Type)])] = &[
    (
        "InsightsMetrics",
        &[
            ("Computer", Text),
            ("Name", Text),
            ("Namespace", Text),
            ("Origin", Text),
            ("Tags", Text),
            ("TimeGenerated", Time),
            ("Val", Number),
            ("_ResourceId", Text),
        ],
    ),
    ("Heartbeat", &[("Computer", Text), ("OSType", Text), ("TimeGenerated", Time), ("_ResourceId", Text)]),
    (
        "Event",
        &[
            ("Computer", Text),
            ("EventID", Number),
            ("EventLevelName", Text),
            ("EventLog", Text),
            ("RenderedDescription", Text),
            ("Source", Text),
            ("TimeGenerated", Time),
            ("_ResourceId", Text),
        ],
    ),
    (
        "AddonAzureBackupJobs",
        &[
            ("BackupItemFriendlyName", Text),
            ("BackupItemUniqueId", Text),
            ("BackupManagementType", Text),
            ("JobFailureCode", Text),
            ("JobOperation", Text),
            ("JobStartDateTime", Time),
            ("JobStatus", Text),
            ("JobUniqueId", Text),
            ("TimeGenerated", Time),
            ("_ResourceId", Text),
        ],
    ),
    (
        "ProtectionStatus",
        &[
            ("Computer", Text),
            ("ProtectionStatus", Text),
            ("ProtectionStatusDetails", Text),
            ("ProtectionStatusRank", Number),
            ("TimeGenerated", Time),
            ("TypeofProtection", Text),
            ("_ResourceId", Text),
        ],
    ),
    (
        "AzureActivity",
        &[
            ("ActivityStatusValue", Text),
            ("Caller", Text),
            ("CorrelationId", Text),
            ("OperationNameValue", Text),
            ("TimeGenerated", Time),
            ("_ResourceId", Text),
        ],
    ),
];
