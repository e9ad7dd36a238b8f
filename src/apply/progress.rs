//! Progress messages, at most five a second.

use std::time::Duration;

use tokio::time::Instant;

use super::step::Step;
use crate::protocol::{Host, Message, UnderWay};

const SHORTEST_INTERVAL: Duration = Duration::from_millis(200);
/// The time after which it is told how long what is under way has taken, where nothing else happens.
const REFRESH: Duration = Duration::from_secs(10);
const ACTIVITY_ID: u32 = 1;

pub(super) struct Progress {
    activity: String,
    total: usize,
    done: usize,
    failed: usize,
    running: Vec<Running>,
    last_sent: Option<Instant>,
    /// Something has changed since the last message.
    is_due: bool,
}

/// A resource that is being changed.
struct Running {
    id: String,
    name: String,
    begun: Instant,
    usual: Option<Duration>,
}

impl Running {
    fn report(&self) -> UnderWay {
        UnderWay {
            resource_id: self.id.clone(),
            name: self.name.clone(),
            seconds: (self.begun.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            usual_seconds: self.usual.map(|usual| usual.as_secs()),
        }
    }

    /// With how long it has taken, where that is more than a moment.
    fn sentence(&self) -> String {
        let seconds = self.begun.elapsed().as_secs();
        match self.usual {
            _ if seconds < REFRESH.as_secs() => self.name.clone(),
            Some(usual) => format!("{} ({seconds} s, usually {} s)", self.name, usual.as_secs()),
            None => format!("{} ({seconds} s)", self.name),
        }
    }
}

impl Progress {
    pub(super) fn new(activity: &str, total: usize) -> Progress {
        Progress {
            activity: activity.to_owned(),
            total,
            done: 0,
            failed: 0,
            running: Vec::new(),
            last_sent: None,
            is_due: false,
        }
    }

    pub(super) fn begin(&mut self, host: &Host, step: &Step<'_>) {
        self.running.push(Running {
            id: step.id().as_str().to_owned(),
            name: step.name(),
            begun: Instant::now(),
            usual: step.usual(),
        });
        self.changed(host);
    }

    pub(super) fn end(&mut self, host: &Host, step: &Step<'_>, is_done: bool) {
        *if is_done { &mut self.done } else { &mut self.failed } += 1;
        if let Some(position) = self.running.iter().position(|running| running.id == step.id().as_str()) {
            self.running.remove(position);
        }
        self.changed(host);
    }

    pub(super) fn finish(self, host: &Host) {
        if self.last_sent.is_some() {
            host.send(self.message(true));
        }
    }

    /// Waits until there is something to tell: what was held back, or that time has passed for what is under way. For ever when neither
    /// will be.
    pub(super) async fn due(&self) {
        let Some(last) = self.last_sent else { return std::future::pending().await };
        let pause = match (self.is_due, self.running.is_empty()) {
            (true, _) => SHORTEST_INTERVAL,
            (false, false) => REFRESH,
            (false, true) => return std::future::pending().await,
        };
        tokio::time::sleep_until(last + pause).await;
    }

    /// Sends how far everything is.
    pub(super) fn send(&mut self, host: &Host) {
        self.last_sent = Some(Instant::now());
        self.is_due = false;
        host.send(self.message(false));
    }

    fn changed(&mut self, host: &Host) {
        self.is_due = true;
        if self.last_sent.is_none_or(|last| last.elapsed() >= SHORTEST_INTERVAL) {
            self.send(host);
        }
    }

    fn message(&self, completed: bool) -> Message {
        let ended = self.done + self.failed;
        let percent = (ended * 100).checked_div(self.total).and_then(|percent| u8::try_from(percent).ok());
        let current = match self.running.as_slice() {
            [] => None,
            [only] => Some(only.sentence()),
            [first, more @ ..] => Some(format!("{} and {} more", first.sentence(), more.len())),
        };
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        Message::Progress {
            activity_id: ACTIVITY_ID,
            activity: self.activity.clone(),
            status: format!("{} of {} done{failed}", self.done, self.total),
            current_operation: current.filter(|_| !completed),
            percent: percent.map(|percent| percent.min(100)),
            under_way: if completed { Vec::new() } else { self.running.iter().map(Running::report).collect() },
            completed: completed.then_some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(name: &str, usual: Option<u64>) -> Running {
        Running {
            id: format!("/{name}"),
            name: format!("storage account '{name}'"),
            begun: Instant::now(),
            usual: usual.map(Duration::from_secs),
        }
    }

    fn json(progress: &Progress, completed: bool) -> serde_json::Value {
        serde_json::to_value(progress.message(completed)).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_under_way_is_named() {
        let mut progress = Progress::new("New-SvcIaasStorage", 3);
        let mut current = |names: &[&str]| {
            progress.running = names.iter().map(|name| running(name, None)).collect();
            json(&progress, false).get("currentOperation").and_then(|text| text.as_str().map(str::to_owned))
        };
        assert_eq!(current(&[]), None);
        assert_eq!(current(&["a"]).as_deref(), Some("storage account 'a'"));
        assert_eq!(current(&["a", "b", "c"]).as_deref(), Some("storage account 'a' and 2 more"));
        let end = json(&progress, true);
        assert_eq!((end.get("currentOperation"), end.get("underWay")), (None, None));
    }

    #[tokio::test(start_paused = true)]
    async fn how_long_it_takes_is_told_while_nothing_happens() {
        let mut progress = Progress::new("New-SvcIaasBastionHost", 3);
        progress.running = vec![running("a", Some(600)), running("b", None)];
        progress.last_sent = Some(Instant::now());
        progress.due().await;
        let message = json(&progress, false);
        assert_eq!(message["underWay"][0]["seconds"], 10.0);
        assert_eq!(message["underWay"][0]["usualSeconds"], 600);
        assert_eq!(message["underWay"][1].get("usualSeconds"), None);
        assert_eq!(message["currentOperation"], "storage account 'a' (10 s, usually 600 s) and 1 more");
        // What was held back does not wait as long, and nothing comes when nothing is under way.
        progress.last_sent = Some(Instant::now());
        progress.is_due = true;
        let begun = Instant::now();
        progress.due().await;
        assert_eq!(begun.elapsed(), SHORTEST_INTERVAL);
        progress.running.clear();
        progress.is_due = false;
        assert!(tokio::time::timeout(REFRESH * 100, progress.due()).await.is_err());
    }
}
