//! Points in time, as the local cloud keeps and prints them.

use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970-01-01 UTC: what the state file keeps, so that operations go on after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Moment(u64);

impl Moment {
    /// The present, or 1970 where the machine's clock is older than that.
    pub(super) fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// This moment and some time more.
    pub(super) fn after(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }

    /// This moment and some time less.
    pub(super) fn before(self, time: Duration) -> Moment {
        Moment(self.0.saturating_sub(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }

    /// So many minutes after 1970; none for a moment before it.
    pub(super) fn at_minutes(minutes: f64) -> Option<Moment> {
        (minutes >= 0.0).then(|| Moment((minutes * 60_000.0).round() as u64))
    }

    /// The time from now until this moment; zero when it has passed.
    pub(super) fn until(self, later: Moment) -> Duration {
        Duration::from_millis(later.0.saturating_sub(self.0))
    }

    /// The form Azure prints: `2026-11-20T10:15:00.123Z`.
    pub(super) fn text(self) -> String {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .ok()
            .and_then(|moment| moment.format(&Rfc3339).ok())
            .unwrap_or_default()
    }

    /// Seconds since 1970, for tokens.
    pub(super) fn unix_seconds(self) -> u64 {
        self.0 / 1000
    }
}
