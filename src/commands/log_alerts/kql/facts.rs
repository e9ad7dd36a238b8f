//! Tables, columns and functions of the query language, so far as the built-in queries use them.

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Number,
    Time,
    Span,
    Flag,
    Dynamic,
}
use Type::{Dynamic, Flag, Number, Span, Text, Time};

/// Source: Azure Monitor Logs reference (MicrosoftDocs/azure-monitor-docs, reference/tables, of 2026; where it includes its
/// columns from elsewhere, MicrosoftDocs/azure-reference-other, azure-monitor-ref/tables, of 2020 to 2023).
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

/// What a function gives.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    Always(Type),
    /// The type of one of its arguments.
    Argument(usize),
}

/// Functions, whether they aggregate, what they take (none: anything), and what they give. Source: Kusto query language reference.
pub(super) const FUNCTIONS: &[(&str, bool, &[Option<Type>], Gives)] = &[
    ("avg", true, &[Some(Number)], Gives::Always(Number)),
    ("avgif", true, &[Some(Number), Some(Flag)], Gives::Always(Number)),
    ("countif", true, &[Some(Flag)], Gives::Always(Number)),
    ("max", true, &[None], Gives::Argument(0)),
    ("maxif", true, &[None, Some(Flag)], Gives::Argument(0)),
    ("min", true, &[None], Gives::Argument(0)),
    ("ago", false, &[Some(Span)], Gives::Always(Time)),
    ("extract", false, &[Some(Text), Some(Number), Some(Text)], Gives::Always(Text)),
    ("iff", false, &[Some(Flag), None, None], Gives::Argument(1)),
    ("isnotempty", false, &[None], Gives::Always(Flag)),
    ("isnull", false, &[None], Gives::Always(Flag)),
    ("now", false, &[], Gives::Always(Time)),
    ("parse_json", false, &[Some(Text)], Gives::Always(Dynamic)),
    ("split", false, &[Some(Text), Some(Text)], Gives::Always(Dynamic)),
    ("todouble", false, &[None], Gives::Always(Number)),
    ("tostring", false, &[None], Gives::Always(Text)),
];
