//! Waits between the tries of requests. Those that take long are shown, so that nobody takes a run that waits for one that hangs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::protocol::{Host, Message};

/// A wait that takes as long as this is shown.
const SHOWN_FROM: Duration = Duration::from_secs(3);
/// The time between two words on what is left of a wait.
const INTERVAL: Duration = Duration::from_secs(5);
/// The least time between two messages, however many requests wait.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// Beside the progress of the changes, which has 1.
const ACTIVITY_ID: u32 = 2;

/// The waits that are under way. Clones are one list.
#[derive(Clone)]
pub(super) struct Waits {
    host: Host,
    /// Whom the requests are for.
    server: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    last: u64,
    /// A number, the end and the reason of each.
    under_way: Vec<(u64, Instant, String)>,
    told: Option<Instant>,
}

impl Waits {
    pub(super) fn new(host: Host, server: String) -> Waits {
        Waits { host, server, state: Arc::default() }
    }

    /// Waits so long. `why` is told where that takes more than a moment.
    pub(super) async fn wait(&self, pause: Duration, why: impl FnOnce() -> String) {
        if pause < SHOWN_FROM {
            return tokio::time::sleep(pause).await;
        }
        let end = Instant::now() + pause;
        let _shown = self.show(end, why());
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            self.tell();
            tokio::time::sleep(left.min(INTERVAL)).await;
        }
    }

    fn show(&self, end: Instant, why: String) -> Shown {
        let mut state = self.state();
        state.last += 1;
        let number = state.last;
        state.under_way.push((number, end, why));
        Shown { waits: self.clone(), number }
    }

    /// Tells of the wait that takes longest.
    fn tell(&self) {
        let mut state = self.state();
        let now = Instant::now();
        if state.told.is_some_and(|told| now - told < SHORTEST_INTERVAL) {
            return;
        }
        let Some((_, end, why)) = state.under_way.iter().max_by_key(|(_, end, _)| *end) else { return };
        // A second that has begun is one to wait.
        let seconds = (*end - now).as_millis().div_ceil(1000);
        let status = format!("trying again in {seconds} s ({why})");
        self.host.send(self.message(status, None));
        state.told = Some(now);
    }

    fn message(&self, status: String, completed: Option<bool>) -> Message {
        Message::Progress {
            activity_id: ACTIVITY_ID,
            activity: format!("Waiting for {}", self.server),
            status,
            current_operation: None,
            percent: None,
            under_way: Vec::new(),
            completed,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps a wait in the list until it is dropped, at its end or when the run is cancelled.
struct Shown {
    waits: Waits,
    number: u64,
}

impl Drop for Shown {
    fn drop(&mut self) {
        let mut state = self.waits.state();
        state.under_way.retain(|(number, _, _)| *number != self.number);
        if state.under_way.is_empty() && state.told.take().is_some() {
            self.waits.host.send(self.waits.message("trying again".to_owned(), Some(true)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Next, Operation};

    /// The messages during waits of these lengths that begin together.
    fn told(pauses: &'static [u64]) -> Vec<String> {
        let operation = Operation::start(|host| {
            let waits = Waits::new(host, "arm".to_owned());
            let clock = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
            let wait = |seconds: &u64| {
                let (waits, pause) = (waits.clone(), Duration::from_secs(*seconds));
                async move { waits.wait(pause, || "TooManyRequests".to_owned()).await }
            };
            clock.block_on(futures::future::join_all(pauses.iter().map(wait)));
        });
        let mut told = Vec::new();
        while let Next::Message(message) = operation.next(Duration::from_secs(60)) {
            let Message::Progress { activity, status, completed, .. } = *message else { panic!("{message:?}") };
            told.push(format!("{activity}: {status}{}", if completed == Some(true) { "." } else { "" }));
        }
        told
    }

    #[test]
    fn a_wait_is_shown_from_a_few_seconds_on() {
        assert!(told(&[2, 1]).is_empty());
        let said = |text: &str| format!("Waiting for arm: trying again{text}");
        let twelve = [12, 7, 2].map(|left| said(&format!(" in {left} s (TooManyRequests)")));
        assert_eq!(told(&[12]), [twelve.to_vec(), vec![said(".")]].concat());
        // Several are one activity.
        let both = told(&[5, 12]);
        assert_eq!(both.iter().filter(|text| text.ends_with('.')).count(), 1, "{both:?}");
        assert_eq!(both.len(), 4, "{both:?}");
    }
}
