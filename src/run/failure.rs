//! What ends a run early.

use crate::azure::ArmError;
use crate::protocol::{Code, ErrorReport};
use crate::settings::{Finding, settings_invalid};

/// What ends a run early.
pub(super) type Failure = Box<ErrorReport>;

pub(super) fn failure(code: Code, message: impl Into<String>) -> Failure {
    Box::new(ErrorReport::terminating(code, message))
}

/// A request that was needed to make the plan failed.
pub(super) fn reading_failed(what: &str, error: &ArmError) -> Failure {
    let mut report = error.report(what);
    report.terminating = true;
    Box::new(report)
}

/// Names that the settings refer to and that cannot be resolved: the code is that of the first.
pub(super) fn unresolved(findings: &[Finding]) -> Failure {
    let mut report = settings_invalid(findings);
    report.recommendation = Some("Correct the settings and run the command again. Nothing was changed.".to_owned());
    if let Some(code) = findings.iter().find_map(|finding| finding.code.of_error()) {
        report.category = code.category();
        report.code = code;
        report.recommendation = Some(
            "Check the name, the subscription and the tag key of the context. Dependencies must be deployed and published first."
                .to_owned(),
        );
    }
    Box::new(report)
}

/// A task that ended without a result: a panic in it.
pub(super) fn defect(error: &tokio::task::JoinError) -> Failure {
    failure(Code::InternalError, format!("The engine has a bug: {error}."))
}
