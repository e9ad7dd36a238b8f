//! The failures that end a run early.

use super::context::RunContext;
use crate::azure::{ArmError, ResourceId};
use crate::protocol::{Code, ErrorReport};
use crate::settings::{Finding, settings_invalid};

/// The failure that ends a run early.
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
pub(super) fn unresolved(findings: &[Finding], context: &RunContext) -> Failure {
    let report = settings_invalid(findings);
    let Some(code) = findings.iter().find_map(|finding| finding.code.of_error()) else {
        let way_out = "Correct the settings and run the command again. Nothing was changed.";
        return Box::new(report.recommending(way_out));
    };
    let way_out = match code {
        Code::ServiceAmbiguous if context.environment_tag_key.is_none() => {
            "Give each of them a publish name of its own. If they are of several environments in one subscription, set environmentTagKey in the \
             context: a run then sees those of its own environment, and what belongs to none."
        }
        Code::ServiceAmbiguous => "Give each of them a publish name of its own.",
        _ => {
            "Check the name, the subscription and the tag key of the context. Dependencies must be deployed and published first."
        }
    };
    Box::new(report.with_code(code).recommending(way_out))
}

/// The failure about what Azure would refuse: the plan cannot be carried out.
pub(super) fn refused(refused: Vec<(ResourceId, Finding)>) -> Failure {
    let findings: Vec<Finding> = refused.into_iter().map(|(_, finding)| finding).collect();
    let code = findings.iter().find_map(|finding| finding.code.of_error()).unwrap_or(Code::CannotBeChanged);
    let way_out =
        "Change the settings, or what exists, as each line says, and run the command again. Nothing was changed.";
    Box::new(settings_invalid(&findings).with_code(code).recommending(way_out))
}

/// A task that ended without a result: a panic in it.
pub(super) fn defect(error: &tokio::task::JoinError) -> Failure {
    failure(Code::InternalError, format!("The engine has a bug: {error}."))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::{ErrorCategory, ExitStatus, FindingCode};
    use crate::settings::{Document, Place, SettingsPath};

    #[test]
    fn everything_that_azure_cannot_change_is_one_error() {
        let document = Document::from_object(json!({"plans": [{"region": "ukwest"}, {"region": "ukwest"}]})).unwrap();
        let place = Place::value(&document, SettingsPath::root()).dotted("plans");
        let finding = |index: usize| Finding {
            place: place.index(index).dotted("region"),
            code: FindingCode::CannotBeChanged,
            message: "the plan 'x' has location 'uksouth', which Azure cannot change to 'ukwest'; use uksouth"
                .to_owned(),
        };
        let id = || ResourceId::new("/subscriptions/0".to_owned());
        let report = refused(vec![(id(), finding(0)), (id(), finding(1))]);
        assert_eq!(
            report.failure.message,
            "The settings object has 2 problems:\n\
             [1] plans[0].region: the plan 'x' has location 'uksouth', which Azure cannot change to 'ukwest'; use uksouth\n\
             [2] plans[1].region: the plan 'x' has location 'uksouth', which Azure cannot change to 'ukwest'; use uksouth"
        );
        assert!(report.terminating && report.findings.len() == 2);
        assert_eq!(
            (report.failure.code.as_str(), report.failure.category),
            ("CannotBeChanged", ErrorCategory::InvalidOperation)
        );
        assert_eq!(report.failure.code.exit_status(), ExitStatus::Failed);
    }
}
