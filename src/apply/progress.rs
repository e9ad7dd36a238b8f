//! Progress messages, at most five a second.

use std::time::{Duration, Instant};

use crate::protocol::{Host, Message};

const SHORTEST_INTERVAL: Duration = Duration::from_millis(200);
const ACTIVITY_ID: u32 = 1;

pub(super) struct Progress {
    activity: String,
    total: usize,
    ended: usize,
    running: Vec<String>,
    last_sent: Option<Instant>,
}

impl Progress {
    pub(super) fn new(activity: &str, total: usize) -> Progress {
        Progress { activity: activity.to_owned(), total, ended: 0, running: Vec::new(), last_sent: None }
    }

    pub(super) fn begin(&mut self, host: &Host, name: String) {
        self.running.push(name);
        self.send(host);
    }

    pub(super) fn end(&mut self, host: &Host, name: &str) {
        self.ended += 1;
        if let Some(position) = self.running.iter().position(|running| running == name) {
            self.running.remove(position);
        }
        self.send(host);
    }

    pub(super) fn finish(self, host: &Host) {
        if self.last_sent.is_some() {
            host.send(self.message(true));
        }
    }

    fn send(&mut self, host: &Host) {
        if self.last_sent.is_none_or(|last| last.elapsed() >= SHORTEST_INTERVAL) {
            self.last_sent = Some(Instant::now());
            host.send(self.message(false));
        }
    }

    fn message(&self, completed: bool) -> Message {
        let percent = (self.ended * 100).checked_div(self.total).and_then(|percent| u8::try_from(percent).ok());
        let current = match self.running.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            [first, more @ ..] => Some(format!("{first} and {} more", more.len())),
        };
        Message::Progress {
            activity_id: ACTIVITY_ID,
            activity: self.activity.clone(),
            status: format!("{} of {} done", self.ended, self.total),
            current_operation: current.filter(|_| !completed),
            percent: percent.map(|percent| percent.min(100)),
            completed: completed.then_some(true),
        }
    }
}
