//! Keeps requests below the limits of Azure Resource Manager: a token bucket for each kind of request.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Method;
use tokio::time::Instant;

/// The bucket of reads: 250 requests at once, 25 more each second (Azure Resource Manager, "Understand how Azure Resource
/// Manager throttles requests", limits of 2024 per subscription, principal and kind).
const READS: Limits = Limits { size: 250.0, per_second: 25.0 };
/// The bucket of writes, and that of deletions: 200 at once, 10 more each second (same source).
const WRITES: Limits = Limits { size: 200.0, per_second: 10.0 };

/// The bucket of log queries: 200 in 30 seconds (Azure Monitor service limits, "Log queries and language", of an identity).
const QUERIES: Limits = Limits { size: 200.0, per_second: 200.0 / 30.0 };

/// So many requests of a full bucket are not used: Azure's bucket begins to fill only when the first request is there, and
/// requests do not arrive as evenly as they are sent.
const RESERVE: f64 = 2.0;
/// The end of the path of a log query, which is sent like a write.
pub(super) const LOG_QUERY: &str = "/providers/Microsoft.Insights/logs";
/// The end of the path of a query of Azure Resource Graph: 15 in 5 seconds ("Guidance for throttled requests in Azure Resource Graph").
pub(super) const RESOURCE_GRAPH: &str = "/providers/Microsoft.ResourceGraph/resources";
/// Azure rounds down what it says is left.
const ROUNDED_OFF: f64 = 0.5;

/// The shortest wait: the missing part of a token may be too little for any clock.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

#[derive(Debug, Clone, Copy)]
struct Limits {
    size: f64,
    per_second: f64,
}

/// The buckets of one subscription and principal.
#[derive(Debug)]
pub(super) struct Throttle {
    reads: Bucket,
    writes: Bucket,
    deletes: Bucket,
    queries: Bucket,
}

/// The kinds of requests that Azure counts each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Traffic {
    Reads,
    Writes,
    Deletes,
    Queries,
}

impl Traffic {
    /// The kind of a request.
    pub(super) fn of(method: &Method, path: &str) -> Traffic {
        match *method {
            Method::GET | Method::HEAD => Traffic::Reads,
            Method::DELETE => Traffic::Deletes,
            _ if path.ends_with(LOG_QUERY) || path.ends_with(RESOURCE_GRAPH) => Traffic::Queries,
            _ => Traffic::Writes,
        }
    }
}

#[derive(Debug)]
struct Bucket {
    limits: Limits,
    state: Mutex<Fill>,
}

#[derive(Debug)]
struct Fill {
    /// Whether requests wait for tokens.
    limited: bool,
    tokens: f64,
    /// The moment at which the tokens were counted; in the future while nothing is to be sent.
    at: Instant,
}

impl Throttle {
    /// `limited` is false for a Resource Manager on this machine: it has no quota to save, unless its answers show that it
    /// counts.
    pub(super) fn new(limited: bool) -> Throttle {
        let bucket = |limits: Limits| Bucket::new(limits, limited);
        Throttle { reads: bucket(READS), writes: bucket(WRITES), deletes: bucket(WRITES), queries: bucket(QUERIES) }
    }

    /// Waits until a request of this kind may be sent.
    pub(super) async fn admit(&self, traffic: Traffic) {
        while let Some(wait) = self.bucket(traffic).take() {
            tokio::time::sleep(wait).await;
        }
    }

    /// Azure refused a request of this kind and asked to wait: all of the kind wait, and then go on one after another.
    pub(super) fn pause(&self, traffic: Traffic, wait: Duration) {
        self.bucket(traffic).pause(wait);
    }

    /// Azure said how many requests of this kind are left. What is no number of requests says nothing.
    pub(super) fn learn(&self, traffic: Traffic, remaining: f64) {
        if remaining.is_finite() {
            self.bucket(traffic).learn(remaining.max(0.0));
        }
    }

    fn bucket(&self, traffic: Traffic) -> &Bucket {
        match traffic {
            Traffic::Reads => &self.reads,
            Traffic::Writes => &self.writes,
            Traffic::Deletes => &self.deletes,
            Traffic::Queries => &self.queries,
        }
    }
}

impl Bucket {
    fn new(limits: Limits, limited: bool) -> Bucket {
        let limits = Limits { size: limits.size - RESERVE, ..limits };
        Bucket { limits, state: Mutex::new(Fill { limited, tokens: limits.size, at: Instant::now() }) }
    }

    /// Takes a token, or says how long to wait before trying again.
    fn take(&self) -> Option<Duration> {
        let mut fill = self.fill();
        let now = Instant::now();
        fill.refill(self.limits, now);
        if fill.at > now {
            return Some(fill.at - now);
        }
        if fill.tokens < 1.0 && fill.limited {
            let wait = Duration::from_secs_f64((1.0 - fill.tokens) / self.limits.per_second);
            return Some(wait.max(SHORTEST_WAIT));
        }
        fill.tokens = (fill.tokens - 1.0).max(0.0);
        None
    }

    fn pause(&self, wait: Duration) {
        let mut fill = self.fill();
        fill.refill(self.limits, Instant::now());
        // What had been saved up is gone, and nothing is saved up while nobody may send: after the pause requests go at the
        // rate of the refill, not in a storm.
        fill.tokens = fill.tokens.min(1.0);
        let now = Instant::now();
        fill.at = fill.at.max(now.checked_add(wait).unwrap_or(now));
    }

    fn learn(&self, remaining: f64) {
        let mut fill = self.fill();
        fill.refill(self.limits, Instant::now());
        // A bucket without limits is always full but for the one request.
        fill.limited |= remaining < self.limits.size;
        fill.tokens = fill.tokens.min(remaining + ROUNDED_OFF);
    }

    fn fill(&self) -> MutexGuard<'_, Fill> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fill {
    fn refill(&mut self, limits: Limits, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + seconds * limits.per_second).min(limits.size);
        self.at = self.at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused_clock(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(test);
    }

    /// Azure's end: a bucket that begins with the first request, and refuses.
    struct Azure {
        limits: Limits,
        fill: Option<(f64, Instant)>,
        refused: usize,
    }

    impl Azure {
        fn new(limits: Limits) -> Azure {
            Azure { limits, fill: None, refused: 0 }
        }

        /// The tokens that are left, or the time to wait in whole seconds.
        fn ask(&mut self) -> Result<f64, Duration> {
            let now = Instant::now();
            let (tokens, at) = self.fill.unwrap_or((self.limits.size, now));
            let tokens = (tokens + (now - at).as_secs_f64() * self.limits.per_second).min(self.limits.size);
            self.fill = Some((if tokens < 1.0 { tokens } else { tokens - 1.0 }, now));
            if tokens < 1.0 {
                self.refused += 1;
                return Err(Duration::from_secs(1));
            }
            Ok((tokens - 1.0).floor())
        }
    }

    /// Sends so many writes, 16 at once, as the client does; answers take 10 to 150 ms each way. Returns what it took and
    /// how many were refused.
    async fn send_writes(count: usize, throttle: &Throttle, azure: Limits) -> (f64, usize) {
        use futures::StreamExt;
        let azure = Mutex::new(Azure::new(azure));
        let start = Instant::now();
        let way = |number: usize| tokio::time::sleep(Duration::from_millis(10 + (number * 37 % 141) as u64));
        let send = async |number: usize| loop {
            throttle.admit(Traffic::Writes).await;
            way(number).await;
            let answer = azure.lock().unwrap().ask();
            way(number + 1).await;
            match answer {
                Ok(remaining) => break throttle.learn(Traffic::Writes, remaining),
                Err(wait) => {
                    throttle.pause(Traffic::Writes, wait);
                    tokio::time::sleep(wait).await;
                }
            }
        };
        futures::stream::iter(0..count).map(send).buffer_unordered(16).collect::<Vec<()>>().await;
        let refused = azure.lock().unwrap().refused;
        (start.elapsed().as_secs_f64(), refused)
    }

    #[test]
    fn five_hundred_writes_take_as_long_as_azure_lets_them_and_none_is_refused() {
        paused_clock(async {
            let (seconds, refused) = send_writes(500, &Throttle::new(true), WRITES).await;
            assert_eq!(refused, 0);
            assert!((30.0..31.5).contains(&seconds), "{seconds} s; (500 - 200) / 10 = 30");
        });
    }

    #[test]
    fn a_quota_that_is_smaller_than_documented_or_shared_is_learned_and_hardly_ever_hit() {
        paused_clock(async {
            let (seconds, refused) = send_writes(300, &Throttle::new(true), Limits { size: 50.0, ..WRITES }).await;
            assert!((25.0..27.5).contains(&seconds), "{seconds} s; (300 - 50) / 10 = 25");
            assert!(refused <= 16, "only those that were under way: {refused}");
        });
    }

    #[test]
    fn a_server_on_this_machine_is_throttled_only_when_it_counts() {
        paused_clock(async {
            let throttle = Throttle::new(false);
            let start = Instant::now();
            for _ in 0..1000 {
                throttle.admit(Traffic::Writes).await;
                throttle.learn(Traffic::Writes, 199.0);
            }
            assert_eq!(start.elapsed(), Duration::ZERO);
            let (seconds, refused) = send_writes(500, &Throttle::new(false), WRITES).await;
            assert_eq!(refused, 0);
            assert!((30.0..31.5).contains(&seconds), "{seconds}");
        });
    }

    #[test]
    fn a_burst_and_then_the_rate_of_the_refill() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            let start = Instant::now();
            for _ in 0..198 {
                throttle.admit(Traffic::Writes).await;
            }
            assert_eq!(start.elapsed(), Duration::ZERO);
            for _ in 0..50 {
                throttle.admit(Traffic::Writes).await;
            }
            let elapsed = start.elapsed().as_secs_f64();
            assert!((4.9..5.2).contains(&elapsed), "{elapsed}");
            throttle.admit(Traffic::Reads).await;
            assert_eq!(start.elapsed().as_secs_f64(), elapsed, "reads have a bucket of their own");
        });
    }

    #[test]
    fn no_storm_after_a_pause() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            throttle.pause(Traffic::Writes, Duration::from_secs(10));
            let start = Instant::now();
            throttle.admit(Traffic::Writes).await;
            assert!(start.elapsed() >= Duration::from_secs(10));
            for _ in 0..10 {
                throttle.admit(Traffic::Writes).await;
            }
            assert!(start.elapsed() >= Duration::from_secs(11), "one after another");
        });
    }

    #[test]
    fn what_azure_says_is_left_counts() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            throttle.learn(Traffic::Writes, 0.0);
            let start = Instant::now();
            throttle.admit(Traffic::Writes).await;
            assert!(start.elapsed() >= Duration::from_millis(50));
        });
    }

    #[test]
    fn numbers_that_are_no_numbers_of_requests_stop_nothing() {
        paused_clock(async {
            let throttle = Throttle::new(true);
            let start = Instant::now();
            for remaining in [-1e300, f64::NEG_INFINITY, f64::INFINITY, f64::NAN, -1.0] {
                throttle.learn(Traffic::Writes, remaining);
                throttle.admit(Traffic::Writes).await;
            }
            assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
            throttle.pause(Traffic::Writes, Duration::MAX);
            throttle.admit(Traffic::Writes).await;
            assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        });
    }
}
