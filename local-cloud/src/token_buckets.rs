//! Azure's token buckets: so many requests at once, then so many a second.
//!
//! Source: learn.microsoft.com, "Understand how Azure Resource Manager throttles requests".

use super::Throttling;
use super::reply::Refusal;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The kinds of requests that a bucket counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BucketKind {
    Reads,
    Writes,
    Deletes,
}

impl BucketKind {
    /// The bucket a method belongs to.
    pub(super) fn of(method: &str) -> BucketKind {
        match method {
            "GET" | "HEAD" => BucketKind::Reads,
            "DELETE" => BucketKind::Deletes,
            _ => BucketKind::Writes,
        }
    }

    /// The header that says how many requests are left.
    pub(super) fn header(self) -> &'static str {
        match self {
            BucketKind::Reads => "x-ms-ratelimit-remaining-subscription-reads",
            BucketKind::Writes => "x-ms-ratelimit-remaining-subscription-writes",
            BucketKind::Deletes => "x-ms-ratelimit-remaining-subscription-deletes",
        }
    }

    fn word(self) -> &'static str {
        match self {
            BucketKind::Reads => "read",
            BucketKind::Writes => "write",
            BucketKind::Deletes => "delete",
        }
    }
}

/// The tokens that are left in the buckets, per subscription and kind.
#[derive(Debug, Default)]
pub(super) struct Buckets(HashMap<(String, BucketKind), (f64, Instant)>);

impl Buckets {
    /// Takes a token. Says how many are left, or how long to wait.
    pub(super) fn take(
        &mut self,
        limits: &Throttling,
        subscription: &str,
        kind: BucketKind,
        now: Instant,
    ) -> Result<u32, Duration> {
        // A bucket that holds nothing or never fills would make clients wait for ever.
        let size = f64::from(limits.size(kind).max(1));
        let per_second = f64::from(limits.per_second(kind).max(1));
        let (left, since) = self.0.entry((subscription.to_lowercase(), kind)).or_insert((size, now));
        let refilled = now.saturating_duration_since(*since).as_secs_f64() * per_second;
        *left = (*left + refilled).min(size);
        *since = now;
        if *left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - *left) / per_second));
        }
        *left -= 1.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small and not negative")]
        Ok(left.floor() as u32)
    }
}

/// The refusal of a request that comes too early.
pub(super) fn refusal(subscription: &str, kind: BucketKind, wait: Duration) -> Refusal {
    Refusal::new(
        429,
        "SubscriptionRequestsThrottled",
        format!(
            "Number of '{}' requests for subscription '{subscription}' exceeded. Please try again after '{}' seconds after \
             additional tokens are available.",
            kind.word(),
            wait.as_secs().max(1)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let limits = Throttling { writes: 2, writes_per_second: 10, ..Throttling::azure() };
        let mut buckets = Buckets::default();
        let start = Instant::now();
        let mut take = |subscription: &str, kind, after: u64| {
            buckets.take(&limits, subscription, kind, start + Duration::from_millis(after))
        };
        assert_eq!(take("s", BucketKind::Writes, 0), Ok(1));
        assert_eq!(take("S", BucketKind::Writes, 0), Ok(0));
        assert_eq!(take("s", BucketKind::Writes, 0), Err(Duration::from_millis(100)));
        assert_eq!(take("other", BucketKind::Writes, 0), Ok(1));
        assert_eq!(take("s", BucketKind::Reads, 0), Ok(249));
        assert_eq!(take("s", BucketKind::Writes, 200), Ok(1));
    }
}
