//! Progress messages, at most five a second.

use std::time::{Duration, Instant};

use crate::protocol::{Host, Message};

const SHORTEST_INTERVAL: Duration = Duration::from_millis(200);
const ACTIVITY_ID: u32 = 1;

pub(super) struct Progress {
    activity: String,
    total: usize,
    done: usize,
    failed: usize,
    running: Vec<String>,
    last_sent: Option<Instant>,
    /// Something has changed since the last message.
    is_due: bool,
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

    pub(super) fn begin(&mut self, host: &Host, name: String) {
        self.running.push(name);
        self.changed(host);
    }

    pub(super) fn end(&mut self, host: &Host, name: &str, is_done: bool) {
        *if is_done { &mut self.done } else { &mut self.failed } += 1;
        if let Some(position) = self.running.iter().position(|running| running == name) {
            self.running.remove(position);
        }
        self.changed(host);
    }

    pub(super) fn finish(self, host: &Host) {
        if self.last_sent.is_some() {
            host.send(self.message(true));
        }
    }

    /// Waits until what was held back may be sent; for ever when nothing was. What is under way for minutes is then what was
    /// told last.
    pub(super) async fn due(&self) {
        match self.last_sent.filter(|_| self.is_due) {
            Some(last) => tokio::time::sleep(SHORTEST_INTERVAL.saturating_sub(last.elapsed())).await,
            None => std::future::pending().await,
        }
    }

    /// Sends what was held back.
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
            [only] => Some(only.clone()),
            [first, more @ ..] => Some(format!("{first} and {} more", more.len())),
        };
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        Message::Progress {
            activity_id: ACTIVITY_ID,
            activity: self.activity.clone(),
            status: format!("{} of {} done{failed}", self.done, self.total),
            current_operation: current.filter(|_| !completed),
            percent: percent.map(|percent| percent.min(100)),
            completed: completed.then_some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_is_named() {
        let mut progress = Progress::new("New-SvcIaasStorage", 3);
        let mut current = |running: &[&str]| {
            progress.running = running.iter().map(|name| (*name).to_owned()).collect();
            let message = serde_json::to_value(progress.message(false)).unwrap();
            message.get("currentOperation").and_then(|text| text.as_str().map(str::to_owned))
        };
        assert_eq!(current(&[]), None);
        assert_eq!(current(&["storage account 'a'"]).as_deref(), Some("storage account 'a'"));
        let several = ["storage account 'a'", "storage account 'b'", "storage account 'c'"];
        assert_eq!(current(&several).as_deref(), Some("storage account 'a' and 2 more"));
        let end = serde_json::to_value(progress.message(true)).unwrap();
        assert_eq!(end.get("currentOperation"), None);
    }
}
