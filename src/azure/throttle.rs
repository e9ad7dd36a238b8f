//! Keeps requests below the limits of Azure Resource Manager: a token bucket for each kind of request.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::Method;
use tokio::time::Instant;

/// The bucket of reads: 250 requests at once, 25 more each second (Azure Resource Manager, "Understand how Azure Resource
/// Manager throttles requests", limits of 2024 per subscription, principal and kind).
const READS: Limits = Limits { size: 250.0, per_second: 25.0 };
/// The bucket of writes, and that of deletions: 200 at once, 10 more each second (same source).
const WRITES: Limits = Limits { size: 200.0, per_second: 10.0 };

#[derive(Debug, Clone, Copy)]
struct Limits {
    size: f64,
    per_second: f64,
}

/// The buckets of one subscription and principal.
#[derive(Debug)]
pub(super) struct Throttle {
    enabled: bool,
    reads: Bucket,
    writes: Bucket,
    deletes: Bucket,
}

#[derive(Debug)]
struct Bucket {
    limits: Limits,
    state: Mutex<Fill>,
}

#[derive(Debug)]
struct Fill {
    tokens: f64,
    at: Instant,
    /// Azure asked to wait until then.
    closed_until: Option<Instant>,
}

impl Throttle {
    /// `enabled` is false for a Resource Manager on this machine, which has no quota to save.
    pub(super) fn new(enabled: bool) -> Throttle {
        Throttle { enabled, reads: Bucket::new(READS), writes: Bucket::new(WRITES), deletes: Bucket::new(WRITES) }
    }

    /// Waits until a request of this kind may be sent.
    pub(super) async fn admit(&self, method: &Method) {
        while let Some(wait) = self.bucket(method).take(self.enabled) {
            tokio::time::sleep(wait).await;
        }
    }

    /// Azure refused a request of this kind and asked to wait: all of the kind wait, and then go on one after another.
    pub(super) fn pause(&self, method: &Method, wait: Duration) {
        self.bucket(method).pause(wait);
    }

    /// Azure said how many requests of this kind are left.
    pub(super) fn learn(&self, method: &Method, remaining: f64) {
        self.bucket(method).learn(remaining);
    }

    fn bucket(&self, method: &Method) -> &Bucket {
        match *method {
            Method::GET | Method::HEAD => &self.reads,
            Method::DELETE => &self.deletes,
            _ => &self.writes,
        }
    }
}

impl Bucket {
    fn new(limits: Limits) -> Bucket {
        Bucket { limits, state: Mutex::new(Fill { tokens: limits.size, at: Instant::now(), closed_until: None }) }
    }

    /// Takes a token, or says how long to wait before trying again.
    fn take(&self, limited: bool) -> Option<Duration> {
        let mut fill = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        fill.refill(self.limits, now);
        if let Some(until) = fill.closed_until {
            if until > now {
                return Some(until - now);
            }
            fill.closed_until = None;
        }
        if !limited {
            return None;
        }
        if fill.tokens >= 1.0 {
            fill.tokens -= 1.0;
            return None;
        }
        Some(Duration::from_secs_f64((1.0 - fill.tokens) / self.limits.per_second))
    }

    fn pause(&self, wait: Duration) {
        let mut fill = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let until = now + wait;
        fill.refill(self.limits, now);
        // What had been saved up is gone: after the pause requests go at the rate of the refill, not in a storm.
        fill.tokens = fill.tokens.min(1.0);
        fill.closed_until = Some(fill.closed_until.map_or(until, |known| known.max(until)));
    }

    fn learn(&self, remaining: f64) {
        let mut fill = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        fill.refill(self.limits, Instant::now());
        fill.tokens = fill.tokens.min(remaining);
    }
}

impl Fill {
    fn refill(&mut self, limits: Limits, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + seconds * limits.per_second).min(limits.size);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused_clock(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(test);
    }

    #[test]
    fn a_burst_and_then_the_rate_of_the_refill() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            let start = Instant::now();
            for _ in 0..200 {
                throttle.admit(&Method::PUT).await;
            }
            assert_eq!(start.elapsed(), Duration::ZERO);
            for _ in 0..50 {
                throttle.admit(&Method::PUT).await;
            }
            let elapsed = start.elapsed().as_secs_f64();
            assert!((4.9..5.2).contains(&elapsed), "{elapsed}");
            throttle.admit(&Method::GET).await;
            assert_eq!(start.elapsed().as_secs_f64(), elapsed, "reads have a bucket of their own");
        });
    }

    #[test]
    fn no_storm_after_a_pause() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            throttle.pause(&Method::PUT, Duration::from_secs(10));
            let start = Instant::now();
            throttle.admit(&Method::PUT).await;
            assert!(start.elapsed() >= Duration::from_secs(10));
        });
    }

    #[test]
    fn what_azure_says_is_left_counts() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            throttle.learn(&Method::PUT, 0.0);
            let start = Instant::now();
            throttle.admit(&Method::PUT).await;
            assert!(start.elapsed() >= Duration::from_millis(90));
        });
    }
}
