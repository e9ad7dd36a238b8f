//! The counts of a run.

use serde::Serialize;

use super::action::ActionKind;
use super::words::plural;

/// How many resources ended in which state; under what-if, how many would.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Made in this run.
    pub created: usize,
    /// Changed in this run.
    pub modified: usize,
    /// Found as the document wants them; not sent.
    pub unchanged: usize,
    /// Removed in this run.
    pub deleted: usize,
    /// Not approved, or a prerequisite failed or was not approved.
    pub skipped: usize,
    /// Refused or lost.
    pub failed: usize,
    /// What the settings want otherwise, and Azure cannot change: it stays as it is.
    pub kept: usize,
    /// The whole run.
    pub seconds: f64,
    /// Nothing was changed: the counts are those of the plan.
    pub what_if: bool,
}

/// The counts of a run, with the sentence that hosts show where there is nothing else to say.
pub(super) fn with_sentence<S: serde::Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithSentence<'a> {
        #[serde(flatten)]
        counts: &'a Counts,
        #[serde(skip_serializing_if = "Option::is_none")]
        up_to_date: Option<String>,
    }
    WithSentence { counts, up_to_date: counts.up_to_date() }.serialize(serializer)
}

impl Counts {
    /// The sentence about a run that found everything as it should be; none where anything was changed, would be, failed, was
    /// skipped or is kept as it is.
    #[must_use]
    pub fn up_to_date(&self) -> Option<String> {
        let Counts { created, modified, unchanged, deleted, skipped, failed, kept, seconds: _, what_if: _ } = *self;
        let is_quiet = [created, modified, deleted, skipped, failed, kept].iter().all(|count| *count == 0);
        is_quiet.then(|| format!("Everything is up to date: {unchanged} resource{}.", plural(unchanged)))
    }

    /// Counts a change.
    pub fn add(&mut self, kind: ActionKind) {
        match kind {
            ActionKind::Create => self.created += 1,
            ActionKind::Modify => self.modified += 1,
            ActionKind::Delete => self.deleted += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::Message;

    #[test]
    fn everything_is_up_to_date_only_where_nothing_else_is_to_be_told() {
        let quiet = Counts { unchanged: 12, seconds: 0.25, ..Counts::default() };
        for what_if in [true, false] {
            let counts = Counts { what_if, ..quiet };
            assert_eq!(counts.up_to_date().as_deref(), Some("Everything is up to date: 12 resources."));
        }
        assert_eq!(Counts { unchanged: 1, ..quiet }.up_to_date().unwrap(), "Everything is up to date: 1 resource.");
        let others = [
            Counts { created: 1, ..quiet },
            Counts { modified: 1, ..quiet },
            Counts { deleted: 1, ..quiet },
            Counts { skipped: 1, ..quiet },
            Counts { failed: 1, ..quiet },
            Counts { kept: 1, ..quiet },
        ];
        for counts in others {
            assert_eq!(counts.up_to_date(), None, "{counts:?}");
            assert!(serde_json::to_value(Message::Result(counts)).unwrap().get("upToDate").is_none());
        }
        assert_eq!(
            serde_json::to_value(Message::Result(quiet)).unwrap(),
            json!({"event": "result", "created": 0, "modified": 0, "unchanged": 12, "deleted": 0, "skipped": 0, "failed": 0, "kept": 0,
                "seconds": 0.25, "whatIf": false, "upToDate": "Everything is up to date: 12 resources."})
        );
    }
}
