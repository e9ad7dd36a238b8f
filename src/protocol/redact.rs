//! The last line of defence for secrets: values that were announced never leave in a message.

use std::sync::{PoisonError, RwLock};

use super::message::{Action, ErrorReport, FailureReport, Message, PropertyChange};

/// What stands in the place of a secret.
pub const REDACTED: &str = "***";

/// Shorter values are not replaced: they would blank out ordinary words.
const SHORTEST: usize = 6;

/// Values that must not be shown.
#[derive(Default)]
pub struct Secrets {
    values: RwLock<Vec<String>>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// From now on the value is replaced wherever it would be shown.
    pub fn add(&self, value: &str) {
        if value.len() < SHORTEST {
            return;
        }
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        // Plans show values as JSON text, where quotation marks and the like are written otherwise.
        let as_json = serde_json::Value::from(value).to_string();
        for value in [value, as_json.trim_matches('"')] {
            if !values.iter().any(|known| known == value) {
                values.push(value.to_owned());
            }
        }
        // A secret that contains another one has to go first.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// The text without secrets.
    #[must_use]
    pub fn redact_text(&self, text: String) -> String {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        values
            .iter()
            .fold(text, |text, secret| if text.contains(secret) { text.replace(secret, REDACTED) } else { text })
    }

    /// The message without secrets.
    #[must_use]
    pub fn redact(&self, message: Message) -> Message {
        if self.values.read().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return message;
        }
        let clean = |text: String| self.redact_text(text);
        match message {
            Message::Verbose { message } => Message::Verbose { message: clean(message) },
            Message::Debug { message } => Message::Debug { message: clean(message) },
            Message::Warning { message } => Message::Warning { message: clean(message) },
            Message::Progress { activity_id, activity, status, current_operation, percent, completed } => {
                Message::Progress {
                    activity_id,
                    activity: clean(activity),
                    status: clean(status),
                    current_operation: current_operation.map(clean),
                    percent,
                    completed,
                }
            }
            Message::Plan { format, id, actions } => {
                let actions = actions.into_iter().map(|action| self.redact_action(action)).collect();
                Message::Plan { format, id, actions }
            }
            Message::Resource(mut report) => {
                if let Some(properties) = &mut report.properties {
                    self.redact_value(properties);
                }
                Message::Resource(report)
            }
            Message::Unchanged(mut report) => {
                if let Some(properties) = &mut report.properties {
                    self.redact_value(properties);
                }
                Message::Unchanged(report)
            }
            Message::Error(report) => Message::Error(ErrorReport {
                message: clean(report.message),
                target: report.target.map(clean),
                recommendation: report.recommendation.map(clean),
                findings: report
                    .findings
                    .into_iter()
                    .map(|mut finding| {
                        finding.message = clean(finding.message);
                        finding
                    })
                    .collect(),
                failures: report.failures.into_iter().map(|failure| self.redact_failure(failure)).collect(),
                ..report
            }),
            other @ (Message::Token { .. } | Message::Result(_)) => other,
        }
    }

    fn redact_action(&self, action: Action) -> Action {
        Action {
            description: self.redact_text(action.description),
            question: self.redact_text(action.question),
            changes: action
                .changes
                .into_iter()
                .map(|change| PropertyChange {
                    before: change.before.map(|text| self.redact_text(text)),
                    after: change.after.map(|text| self.redact_text(text)),
                    ..change
                })
                .collect(),
            ..action
        }
    }

    fn redact_failure(&self, failure: FailureReport) -> FailureReport {
        FailureReport {
            message: self.redact_text(failure.message),
            target: failure.target.map(|text| self.redact_text(text)),
            recommendation: failure.recommendation.map(|text| self.redact_text(text)),
            ..failure
        }
    }

    fn redact_value(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => *text = self.redact_text(std::mem::take(text)),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            serde_json::Value::Object(members) => members.values_mut().for_each(|member| self.redact_value(member)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Code;

    #[test]
    fn announced_values_are_replaced_everywhere() {
        let secrets = Secrets::default();
        secrets.add("hunter2-key");
        secrets.add("short");
        let error = ErrorReport::new(Code::InternalError, "key hunter2-key is short");
        let summary = ErrorReport { failures: vec![FailureReport::from(&error)], ..error.clone() };
        let Message::Error(error) = secrets.redact(Message::Error(error)) else { panic!("another message") };
        assert_eq!(error.message, "key *** is short");
        let Message::Error(summary) = secrets.redact(Message::Error(summary)) else { panic!("another message") };
        assert_eq!(summary.failures[0].message, "key *** is short");
    }

    #[test]
    fn a_secret_is_found_as_json_text_too() {
        let secrets = Secrets::default();
        secrets.add(r#"{"key":"x"}"#);
        assert_eq!(secrets.redact_text(r#"["{\"key\":\"x\"}"]"#.to_owned()), r#"["***"]"#);
    }

    #[test]
    fn a_secret_inside_another_one_does_not_break_it() {
        let secrets = Secrets::default();
        secrets.add("abcdef");
        secrets.add("xxabcdefyy");
        assert_eq!(secrets.redact_text("xxabcdefyy abcdef".to_owned()), "*** ***");
    }
}
