//! The counts of a run.

use serde::Serialize;

use super::action::ActionKind;
use super::target::is_zero;
use super::words::{grouped, plural};

/// From how many seconds on a tenth of one says nothing.
const LONG_RUN: f64 = 10.0;

/// The numbers of resources by the state in which they ended; under what-if, in which they would.
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
    /// Wanted otherwise, and kept as it is: Azure cannot change it.
    pub kept: usize,
    /// In no document of the run although one has made it, and kept.
    #[serde(skip_serializing_if = "is_zero")]
    pub orphans: usize,
    /// Items and documents of the settings that the environment does not have.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Values of existing resources that the settings leave open and that differ from their defaults.
    #[serde(skip_serializing_if = "is_zero")]
    pub open_defaults: usize,
    /// The whole run.
    pub seconds: f64,
    /// Nothing was changed: the counts are those of the plan.
    pub what_if: bool,
}

/// The counts of a run, with the sentence that hosts show.
pub(super) fn with_sentence<S: serde::Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithSentence<'a> {
        #[serde(flatten)]
        counts: &'a Counts,
        sentence: String,
    }
    WithSentence { counts, sentence: counts.sentence() }.serialize(serializer)
}

impl Counts {
    /// The sentence about a run that found everything as it should be, with how much is left out; none where anything was changed, would be, failed, was
    /// skipped or is kept as it is.
    #[must_use]
    pub fn up_to_date(&self) -> Option<String> {
        let Counts { created, modified, unchanged, deleted, skipped, failed, kept, left_out, .. } = *self;
        let is_quiet = [created, modified, deleted, skipped, failed, kept].iter().all(|count| *count == 0);
        let left_out = if left_out > 0 { format!(", {} left out", grouped(left_out)) } else { String::new() };
        is_quiet.then(|| format!("Everything is up to date: {unchanged} resource{}{left_out}.", plural(unchanged)))
    }

    /// The last line of a run: what was done, or would be, and how long it took.
    #[must_use]
    pub fn sentence(&self) -> String {
        let digits = usize::from(self.seconds < LONG_RUN);
        let seconds = format!("{:.digits$} s", self.seconds);
        let open = match self.open_defaults {
            0 => String::new(),
            1 => " 1 value that the settings leave open differs from its default; verbose output has it.".to_owned(),
            more => format!(
                " {} values that the settings leave open differ from their defaults; verbose output has them.",
                grouped(more)
            ),
        };
        let orphans = match self.orphans {
            0 => String::new(),
            1 => " 1 resource is in no document; it is kept.".to_owned(),
            more => format!(" {} resources are in no document; they are kept.", grouped(more)),
        };
        let open = open + &orphans;
        if let Some(sentence) = self.up_to_date() {
            return format!("{} ({seconds}).{open}", sentence.trim_end_matches('.'));
        }
        let verbs =
            if self.what_if { ["to create", "to change", "to delete"] } else { ["created", "changed", "deleted"] };
        let changes = verbs.into_iter().zip([self.created, self.modified, self.deleted]);
        let others = [
            ("up to date", self.unchanged),
            ("kept", self.kept),
            ("left out", self.left_out),
            ("skipped", self.skipped),
            ("failed", self.failed),
        ];
        let parts: Vec<String> = changes
            .chain(others)
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| format!("{} {what}", grouped(count)))
            .collect();
        let head = if self.what_if { "Nothing was changed" } else { "Result" };
        format!("{head}: {} ({seconds}).{open}", parts.join(", "))
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
        let left_out = Counts { left_out: 2, ..quiet };
        assert_eq!(left_out.up_to_date().unwrap(), "Everything is up to date: 12 resources, 2 left out.");
        for counts in others {
            assert_eq!(counts.up_to_date(), None, "{counts:?}");
        }
        assert_eq!(
            serde_json::to_value(Message::Result(quiet)).unwrap(),
            json!({"event": "result", "created": 0, "modified": 0, "unchanged": 12, "deleted": 0, "skipped": 0, "failed": 0, "kept": 0,
                "seconds": 0.25, "whatIf": false, "sentence": "Everything is up to date: 12 resources (0.2 s)."})
        );
    }

    #[test]
    fn the_sentence_follows_from_the_counts() {
        let one = Counts { unchanged: 12, seconds: 0.25, ..Counts::default() };
        let every = Counts { created: 1, modified: 2, deleted: 3, skipped: 4, failed: 5, kept: 1_000, ..one };
        for (counts, sentence) in [
            (one, "Everything is up to date: 12 resources (0.2 s)."),
            (Counts { what_if: true, ..one }, "Everything is up to date: 12 resources (0.2 s)."),
            (every, "Result: 1 created, 2 changed, 3 deleted, 12 up to date, 1,000 kept, 4 skipped, 5 failed (0.2 s)."),
            (
                Counts { what_if: true, seconds: 61.4, ..every },
                "Nothing was changed: 1 to create, 2 to change, 3 to delete, 12 up to date, 1,000 kept, 4 skipped, 5 failed (61 s).",
            ),
            (Counts { failed: 1, unchanged: 0, ..one }, "Result: 1 failed (0.2 s)."),
            (
                Counts { open_defaults: 1, ..one },
                "Everything is up to date: 12 resources (0.2 s). 1 value that the settings leave open differs from its default; verbose output has it.",
            ),
            (Counts { created: 1, left_out: 3, ..one }, "Result: 1 created, 12 up to date, 3 left out (0.2 s)."),
        ] {
            assert_eq!(counts.sentence(), sentence);
        }
    }
}
