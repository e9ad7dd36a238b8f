//! Moments as whole minutes since 1970, and the time that is looked at.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::protocol::plural;

/// A moment: whole minutes since 1970.
pub(super) type Minute = i64;

/// A time that is looked at, from its first minute up to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first minute.
    pub from: i64,
    /// The minute after the last.
    pub to: i64,
}

impl Span {
    /// The time before a moment, in minutes since 1970.
    #[must_use]
    pub fn before(now: i64, minutes: i64) -> Span {
        Span { from: now - minutes, to: now }
    }

    /// Its length in minutes.
    #[must_use]
    pub fn minutes(self) -> i64 {
        self.to - self.from
    }

    /// Its length as it stands behind "the last": `7 days`, `day`.
    #[must_use]
    pub fn in_words(self) -> String {
        let length = length(self.minutes());
        let one = length.strip_prefix("1 ").filter(|rest| !rest.contains(' '));
        one.map_or_else(|| length.clone(), str::to_owned)
    }

    /// The moments at which a rule runs that is evaluated every so many minutes, as if it had since 1970.
    pub(super) fn evaluations(self, frequency: i64) -> Vec<Minute> {
        let first = self.from.div_euclid(frequency) + 1;
        (first..=self.to.div_euclid(frequency)).map(|count| count * frequency).collect()
    }

    /// As Azure Monitor takes it: `2026-11-20T00:00:00Z/2026-11-27T00:00:00Z`.
    #[must_use]
    pub fn text(self) -> String {
        format!("{}/{}", text_of(self.from), text_of(self.to))
    }
}

/// A moment in RFC 3339.
pub(super) fn text_of(minute: Minute) -> String {
    OffsetDateTime::from_unix_timestamp(minute * 60)
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_default()
}

/// The minute in which a moment in RFC 3339 is.
pub(super) fn minute_of(text: &str) -> Option<Minute> {
    Some(OffsetDateTime::parse(text, &Rfc3339).ok()?.unix_timestamp().div_euclid(60))
}

/// A length of time in its units that are not 0: `1 day 15 minutes`.
pub(super) fn length(minutes: i64) -> String {
    let units = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")];
    let some = units.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = some
        .map(|(number, unit)| format!("{number} {unit}{}", plural(usize::try_from(number).unwrap_or_default())))
        .collect();
    parts.join(" ")
}
