//! The codes of errors and of findings. Whatever depends on a code stands in its entry here; nothing else looks at how it is
//! spelled. The first line of a variant's documentation is its line in the tables of `docs/abi.md`.

use std::fmt;

use serde::Serialize;
use strum::{AsRefStr, EnumIter, EnumMessage, IntoEnumIterator, IntoStaticStr, VariantArray};

use super::error_report::ErrorCategory;

/// Declares the codes of the engine, each with the category of an error and the exit status of a run that it ends.
macro_rules! codes {
    ($($(#[$doc:meta])+ $name:ident: $category:ident, $status:ident;)+) => {
        /// The code of an error: PascalCase text on the wire, and stable.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, AsRefStr, EnumIter, EnumMessage)]
        pub enum Code {
            $($(#[$doc])+ $name,)+
            /// Azure's own code, as Azure spells it.
            #[serde(untagged)]
            #[strum(transparent)]
            Azure(String),
        }

        impl Code {
            /// The category of an error with this code, unless something is known of the single error.
            #[must_use]
            pub fn category(&self) -> ErrorCategory {
                match self {
                    $(Code::$name => ErrorCategory::$category,)+
                    Code::Azure(_) => ErrorCategory::NotSpecified,
                }
            }

            /// The exit status of `svc` after a terminating error with this code, where nothing was changed.
            #[must_use]
            pub fn exit_status(&self) -> ExitStatus {
                match self {
                    $(Code::$name => ExitStatus::$status,)+
                    Code::Azure(_) => ExitStatus::Failed,
                }
            }
        }
    };
}

codes! {
    /// The request is not UTF-8, not JSON, or not as described above.
    RequestInvalid: InvalidArgument, Usage;
    /// Neither `settingsFile` nor `settings` is there.
    SettingsMissing: InvalidArgument, Usage;
    /// Both `settingsFile` and `settings` are there.
    SettingsAmbiguous: InvalidArgument, Usage;
    /// A document does not say with `component` which command it is for, and the host does not either.
    ComponentMissing: InvalidArgument, Usage;
    /// A path in the request is relative.
    PathNotAbsolute: InvalidArgument, Usage;
    /// A member of `context`, or the variable that is its default, makes no sense.
    ContextInvalid: InvalidArgument, Usage;
    /// A plan cannot be written to a path of `planReport`. Nothing was changed.
    PlanReportFailed: WriteError, Failed;
    /// The file of `approvedPlan` cannot be read, or is a plan for something else. Nothing was changed.
    ApprovedPlanInvalid: InvalidArgument, Usage;
    /// A change is planned that is not in the plan of `approvedPlan`, or one that is in it is neither planned nor done. Nothing was changed.
    PlanChanged: InvalidOperation, Failed;
    /// No template can be made of the document, or Azure would not take it.
    TemplateImpossible: InvalidOperation, Failed;
    /// A file that would be written is there already and has to stay: it belongs to the run, something else has written it, or nobody said that it may be replaced. Nothing was changed.
    FileExists: ResourceExists, Usage;
    /// The file of a template or of an export cannot be written.
    FileNotWritten: WriteError, Failed;
    /// `environment` of the context names no environment.
    EnvironmentUnknown: InvalidArgument, Usage;
    /// `subscriptionId` of the context is not a GUID.
    SubscriptionInvalid: InvalidArgument, Usage;
    /// `cloud` of the context names no cloud.
    CloudUnknown: InvalidArgument, Usage;
    /// The URL of a Resource Manager endpoint cannot be used.
    EndpointInvalid: InvalidArgument, Usage;
    /// A proxy variable does not hold the URL of a proxy.
    ProxyInvalid: InvalidArgument, Usage;
    /// `SSL_CERT_FILE` names a file without usable certificates.
    CertificateFileInvalid: ReadError, Usage;
    /// A file does not exist, is a folder, or is a plan, a template or a state that was written by a run.
    SettingsFileNotFound: ObjectNotFound, Usage;
    /// A file cannot be read.
    SettingsFileUnreadable: ReadError, Usage;
    /// A file is larger than any settings document.
    SettingsFileTooLarge: LimitsExceeded, Usage;
    /// A file is not text.
    SettingsFileNotText: InvalidData, Usage;
    /// A settings document, or a naming, tag or definition file beside it, has findings. Those of all files are reported at once, in `findings` and, numbered, in `message`; of more than 100 the first 100, and the last line of `message` says how many more there are.
    SettingsInvalid: InvalidData, Usage;
    /// Something the settings depend on does not exist.
    ServiceNotFound: ObjectNotFound, Failed;
    /// More than one thing has a name that the settings depend on.
    ServiceAmbiguous: ObjectNotFound, Failed;
    /// The resource group of an export does not exist, or holds nothing of the kind, or nothing of it can be said in a document; `warning`s say why.
    NothingToExport: ObjectNotFound, Failed;
    /// No credential was found.
    CredentialUnavailable: SecurityError, Failed;
    /// A credential was found, and it was refused or cannot be used.
    CredentialRefused: AuthenticationError, Failed;
    /// The credential sees no subscription, or several, and the context chooses none of them by id or name.
    SubscriptionNotChosen: InvalidArgument, Failed;
    /// The subscription of `subscriptionId` has another name than `subscriptionName`. Nothing was read.
    SubscriptionNameDiffers: InvalidArgument, Failed;
    /// Connections cannot be set up on this machine.
    ConnectionSetupFailed: ConnectionError, Failed;
    /// Azure cannot be reached, or the connection was lost.
    ConnectionFailed: ConnectionError, Failed;
    /// The answer did not come from Azure Resource Manager, or is not what was asked for.
    AnswerNotUnderstood: InvalidResult, Failed;
    /// An answer, or the end of an operation, did not come in time.
    TimedOut: OperationTimeout, Failed;
    /// A resource lacks a value that another resource needs.
    ReferenceNotAvailable: InvalidResult, Failed;
    /// The resource group of an alert command holds other resources, which the command would delete.
    CompleteModeWouldDelete: InvalidOperation, Failed;
    /// The resource group of an alert command is another document's: of another publish name, or full of other rules.
    ResourceGroupTaken: InvalidOperation, Failed;
    /// Resources carry their publish name in a tag of another key than `serviceTagKey`, which the context does not set: they would be tagged a second time. Nothing was changed.
    ServiceTagKeyDiffers: InvalidOperation, Failed;
    /// Resources belong to another environment of the subscription, by the tag of `environmentTagKey`. Nothing was changed.
    OtherEnvironment: InvalidOperation, Failed;
    /// The alert rules of the plan would have sent more notifications than `maxAlerts` allows. Nothing was changed.
    TooManyAlerts: InvalidOperation, Failed;
    /// The plan has more changes or deletions than `maxChanges`, `maxDeletes` or `noDelete` allow. Nothing was changed.
    LimitExceeded: InvalidOperation, Failed;
    /// Something was to be pruned, and may be that of a document which the run does not have. Nothing was changed.
    PruneIncomplete: InvalidOperation, Failed;
    /// A classic CDN profile has the name, and cannot become a front door.
    ClassicProfile: InvalidOperation, Failed;
    /// The tier of an existing front door is too low for the settings.
    TierTooLow: InvalidOperation, Failed;
    /// The existing resource runs Windows, and cannot become Linux.
    ExistsOnWindows: InvalidOperation, Failed;
    /// Azure Policy denies what the plan creates or changes, as `checkPolicies` has asked. All of it is reported at once, like `SettingsInvalid`. Nothing was changed.
    PolicyDenied: InvalidOperation, Failed;
    /// Azure cannot change what exists into what the settings want. All of it is reported at once, like `SettingsInvalid`.
    CannotBeChanged: InvalidOperation, Failed;
    /// Somebody else has a name that is worldwide.
    NameTaken: ResourceExists, Failed;
    /// Somebody else changed the resource after the plan was made, and the approved change would undo it or no longer fits. Nothing was sent.
    ChangedMeanwhile: ResourceBusy, Failed;
    /// Nobody can be asked to confirm the plan.
    ConfirmationUnavailable: InvalidOperation, Failed;
    /// Something failed; everything else is done. Run the command again when the causes are gone.
    DeploymentFailed: NotSpecified, Failed;
    /// Another operation uses the state file of the local cloud. One operation at a time has it.
    LocalStateInUse: ResourceBusy, Failed;
    /// The state file of the local cloud cannot be understood.
    LocalStateDamaged: InvalidData, Failed;
    /// The local cloud cannot run, for instance because its state file cannot be written.
    LocalCloudFailed: ResourceUnavailable, Failed;
    /// A defect of the library. Running the command again is safe.
    InternalError: NotSpecified, Failed;
}

impl Code {
    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_ref()
    }

    /// One line: what it means.
    #[must_use]
    pub fn help(&self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// Every code but those of Azure.
    pub fn all() -> impl Iterator<Item = Code> {
        Code::iter().filter(|code| !matches!(code, Code::Azure(_)))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The exit statuses of `svc`. The number of a variant is its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumMessage, VariantArray)]
#[repr(u8)]
pub enum ExitStatus {
    /// Everything is done, or there was nothing to do.
    Done = 0,
    /// Something failed, and nothing was changed.
    Failed = 1,
    /// The arguments, the request or the settings are wrong.
    Usage = 2,
    /// Something was changed, and something failed.
    PartlyFailed = 3,
    /// Only with `--detailed-exitcode`: something is planned, was changed, or is kept although the settings say otherwise.
    Different = 4,
    /// Its terminal went away (SIGHUP).
    HungUp = 129,
    /// The user ended it with Ctrl+C (SIGINT).
    Interrupted = 130,
    /// The machine or a service ended it (SIGTERM).
    Terminated = 143,
}

impl ExitStatus {
    /// Every one, in the order of their numbers.
    pub const ALL: &[ExitStatus] = <ExitStatus as VariantArray>::VARIANTS;

    /// Those of a run that a signal has ended.
    pub const SIGNALS: [ExitStatus; 3] = [ExitStatus::HungUp, ExitStatus::Interrupted, ExitStatus::Terminated];

    /// One sentence: what it means.
    #[must_use]
    pub fn help(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// The number that the operating system gets.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// The code of a finding in a settings document: PascalCase text on the wire, and stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr, EnumIter, EnumMessage)]
pub enum FindingCode {
    /// The text cannot be parsed as YAML or JSON.
    SyntaxError,
    /// The document is empty.
    Empty,
    /// Something is nested too deeply.
    TooDeep,
    /// A key is there twice.
    DuplicateKey,
    /// The document is for another command.
    OtherCommand,
    /// A document of a deployment does not say with `component` which command it is for, or says something that no command has.
    ComponentMissing,
    /// Documents of one run need what each other publish.
    DependencyCycle,
    /// Two documents of one run own one thing, and each would delete what the other has in it.
    OwnedTwice,
    /// A key means nothing here.
    UnknownKey,
    /// A mandatory setting is not set.
    Missing,
    /// A list has an item without a value.
    EmptyItem,
    /// A value has the wrong type.
    WrongType,
    /// A value is not one of those that are allowed.
    UnknownValue,
    /// A number or a length is outside what is allowed.
    OutOfRange,
    /// A name, or a variable, that a document refers to has no value.
    ValueNotFound,
    /// A reference to a value is none, or is where there can be none.
    ReferenceInvalid,
    /// A value breaks a rule of Azure for it.
    ValueRefused,
    /// Two things have one name.
    DuplicateName,
    /// Azure refuses a name.
    NameRefused,
    /// A name has a meaning of its own in Azure.
    NameReserved,
    /// No name can be generated with the naming files.
    NameCannotBeGenerated,
    /// Azure refuses tags.
    TagsRefused,
    /// A location is unknown.
    UnknownLocation,
    /// A location is written in a way that would name another resource than before.
    RegionSpelling,
    /// Things that have to be in one location are in several.
    LocationsDiffer,
    /// The values are allowed one by one, and not together.
    CombinationNotInAzure,
    /// An Azure Policy denies the resource, as it was asked beforehand.
    PolicyDenied,
    /// Azure cannot change what exists into this.
    CannotBeChanged,
    /// Somebody else has a name that is worldwide.
    NameTaken,
    /// A name that the settings depend on is not found.
    ServiceNotFound,
    /// A name that the settings depend on is found more than once.
    ServiceAmbiguous,
    /// The resource that the settings depend on is found, and cannot be used.
    DependencyNotUsable,
    /// An address range cannot be that of the subnet.
    PrefixRefused,
    /// A private endpoint has more private DNS zones than Azure takes.
    TooManyZones,
    /// A rule has more conditions than Azure takes.
    TooManyConditions,
    /// A log alert names a definition that does not exist.
    UnknownDefinition,
    /// A query, or its pieces, cannot be used.
    QueryRefused,
    /// A definition has a parameter that its query does not use.
    ParameterUnused,
    /// A host name cannot be used.
    HostNameRefused,
    /// A path cannot be used.
    PathRefused,
    /// A pattern of a route cannot be used.
    PatternRefused,
    /// Two routes have one pattern.
    PatternTaken,
    /// A route names a back-end pool that is not in the document.
    PoolNotFound,
    /// A back-end pool has no name.
    PoolNotNamed,
    /// A route names an endpoint that is not in the document.
    EndpointNotFound,
    /// A classic CDN profile stands where a front door is needed.
    ClassicProfile,
    /// A web application firewall policy is one of a classic front door.
    ClassicPolicy,
}

impl FindingCode {
    /// The text on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// One line: what it means.
    #[must_use]
    pub fn help(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// Every code.
    pub fn all() -> impl Iterator<Item = FindingCode> {
        FindingCode::iter()
    }

    /// The code of the error that ends a run with this finding, where it is more telling than `SettingsInvalid`.
    #[must_use]
    pub fn of_error(self) -> Option<Code> {
        match self {
            FindingCode::ServiceNotFound => Some(Code::ServiceNotFound),
            FindingCode::ServiceAmbiguous => Some(Code::ServiceAmbiguous),
            FindingCode::CannotBeChanged => Some(Code::CannotBeChanged),
            FindingCode::PolicyDenied => Some(Code::PolicyDenied),
            FindingCode::NameTaken => Some(Code::NameTaken),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DOCUMENTATION: &str = include_str!("../../docs/abi.md");

    fn table(rows: impl Iterator<Item = (String, &'static str)>) -> String {
        rows.map(|(code, help)| format!("| `{code}` | {help} |\n")).collect()
    }

    #[test]
    fn the_documentation_has_every_code() {
        let errors = table(Code::all().map(|code| (code.to_string(), code.help())));
        let findings = table(FindingCode::all().map(|code| (code.as_str().to_owned(), code.help())));
        for table in [errors, findings] {
            let has_table = DOCUMENTATION.contains(&format!("\n| `code` | |\n|---|---|\n{table}\n"));
            assert!(has_table, "docs/abi.md has another table than this one, from src/protocol/code.rs:\n{table}");
        }
    }

    #[test]
    fn the_wire_has_the_text_that_people_see() {
        for code in Code::all() {
            assert_eq!(json!(code), json!(code.to_string()));
            assert!(!code.help().is_empty(), "{code}");
        }
        for code in FindingCode::all() {
            assert_eq!(json!(code), json!(code.as_str()));
            assert!(!code.help().is_empty(), "{}", code.as_str());
        }
        let azure = Code::Azure("StorageAccountAlreadyTaken".to_owned());
        assert_eq!((json!(azure), azure.as_str()), (json!("StorageAccountAlreadyTaken"), "StorageAccountAlreadyTaken"));
    }

    #[test]
    fn azure_cannot_take_a_code_of_the_engine() {
        let azure = Code::Azure("SettingsInvalid".to_owned());
        assert_ne!(azure, Code::SettingsInvalid);
        assert_eq!(azure.exit_status(), ExitStatus::Failed);
    }

    #[test]
    fn what_the_user_wrote_ends_with_the_status_of_usage() {
        for code in [Code::SettingsInvalid, Code::SettingsFileNotFound, Code::CloudUnknown, Code::ProxyInvalid] {
            assert_eq!(code.exit_status().number(), 2, "{code}");
        }
        for code in [Code::CredentialUnavailable, Code::ServiceNotFound, Code::DeploymentFailed, Code::InternalError] {
            assert_eq!(code.exit_status().number(), 1, "{code}");
        }
    }
}
