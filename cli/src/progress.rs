//! The progress of what is under way, while a run works: bars at a terminal, lines in a log.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use svc_engine::protocol::UnderWay;

use super::output::{Line, complain};

/// The time between two lines in a log about what still goes on.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// The time from which a change has a line of its own while it goes on. One that is over sooner has a line for its result only,
/// so that a log of a hundred quick changes stays readable.
const LOG_FROM: Duration = Duration::from_secs(3);

/// The number of resources with a line of their own at a terminal.
const MOST_LINES: usize = 8;

/// One message of progress.
pub(super) struct Report<'a> {
    /// Tells activities apart.
    pub(super) id: u32,
    pub(super) activity: &'a str,
    pub(super) status: &'a str,
    pub(super) current: Option<&'a str>,
    /// None for waits, whose end nobody knows.
    pub(super) percent: Option<u8>,
    pub(super) under_way: &'a [UnderWay],
}

/// Shows what is under way.
pub(super) enum Progress {
    /// Bars that are drawn again and again, for a terminal.
    Terminal(Bars),
    /// A line now and then, for a log.
    Log(Log),
}

impl Progress {
    /// For the device that standard error is.
    pub(super) fn new() -> Progress {
        if Term::stderr().is_term() { Progress::Terminal(Bars::default()) } else { Progress::Log(Log::default()) }
    }

    /// Prints above what is shown.
    pub(super) fn above(&self, print: impl FnOnce()) {
        match self {
            Progress::Terminal(bars) => bars.all.suspend(print),
            Progress::Log(_) => print(),
        }
    }

    /// Notes what is under way now.
    pub(super) fn show(&mut self, report: &Report<'_>, now: Instant) {
        match self {
            Progress::Terminal(bars) => bars.show(report, now),
            Progress::Log(log) => tell(log.note(report, now)),
        }
    }

    /// The result of a resource is shown, so nothing has to be said of its end.
    pub(super) fn reported(&mut self, resource_id: &str) {
        if let Progress::Log(log) = self {
            log.reported.insert(resource_id.to_owned());
        }
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: Instant) {
        match self {
            Progress::Terminal(bars) => bars.tick(now),
            Progress::Log(log) => tell(log.tick(now)),
        }
    }

    /// An activity is over.
    pub(super) fn end(&mut self, id: u32, now: Instant) {
        match self {
            Progress::Terminal(bars) => bars.end(id),
            Progress::Log(log) => tell(log.end(id, now)),
        }
    }

    /// Nothing is under way any more.
    pub(super) fn clear(&mut self) {
        match self {
            Progress::Terminal(bars) => bars.clear(),
            Progress::Log(log) => *log = Log::default(),
        }
    }
}

fn tell(lines: Vec<String>) {
    lines.into_iter().for_each(complain);
}

/// Something that is under way, since when, and how long it usually takes.
struct Item {
    name: String,
    begun: Instant,
    usual: Option<Duration>,
    /// The moment at which the log was told of it last.
    told: Option<Instant>,
}

impl Item {
    fn of(under_way: &UnderWay, now: Instant) -> Item {
        let elapsed = Duration::try_from_secs_f64(under_way.seconds).unwrap_or_default();
        Item {
            name: under_way.name.clone(),
            begun: now.checked_sub(elapsed).unwrap_or(now),
            usual: under_way.usual_seconds.map(Duration::from_secs),
            told: None,
        }
    }

    fn elapsed(&self, now: Instant) -> String {
        spoken(now.saturating_duration_since(self.begun))
    }

    fn usually(&self) -> String {
        self.usual.map(|usual| format!(" (usually {})", spoken(usual))).unwrap_or_default()
    }
}

/// `45 s`, `2 min 5 s`, `1 h 12 min`.
fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let parts = match (hours, minutes) {
        (0, 0) => [(rest, "s"), (0, "")],
        (0, _) => [(minutes, "min"), (rest, "s")],
        _ => [(hours, "h"), (minutes, "min")],
    };
    let shown = parts.iter().enumerate().filter(|(place, (number, _))| *place == 0 || *number > 0);
    shown.map(|(_, (number, unit))| format!("{number} {unit}")).collect::<Vec<_>>().join(" ")
}

fn one_line(text: &str) -> String {
    Line::from(text).into_shown().replace('\n', " ")
}

/// A bar for each activity, and a line for each resource that is under way.
#[derive(Default)]
pub(super) struct Bars {
    all: MultiProgress,
    /// By the id of the activity.
    activities: BTreeMap<u32, Activity>,
}

struct Activity {
    bar: ProgressBar,
    items: Vec<Item>,
    lines: Vec<ProgressBar>,
}

impl Bars {
    fn show(&mut self, report: &Report<'_>, now: Instant) {
        let activity = self.activities.entry(report.id).or_insert_with(|| {
            let bar = self.all.add(ProgressBar::new(100));
            let template = if report.percent.is_some() { "{prefix} [{bar:30}] {msg}" } else { "{prefix} {msg}" };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            Activity { bar, items: Vec::new(), lines: Vec::new() }
        });
        activity.bar.set_prefix(one_line(report.activity));
        activity.bar.set_position(u64::from(report.percent.unwrap_or_default()));
        // What is under way has lines of its own.
        let current = report.current.filter(|_| report.under_way.is_empty());
        let message =
            current.map_or_else(|| report.status.to_owned(), |current| format!("{}: {current}", report.status));
        activity.bar.set_message(one_line(&message));
        activity.items = report.under_way.iter().map(|under_way| Item::of(under_way, now)).collect();
        activity.draw(&self.all, now);
    }

    fn tick(&mut self, now: Instant) {
        self.activities.values_mut().for_each(|activity| activity.draw(&self.all, now));
    }

    fn end(&mut self, id: u32) {
        if let Some(activity) = self.activities.remove(&id) {
            for bar in activity.lines.iter().chain([&activity.bar]) {
                bar.finish_and_clear();
                self.all.remove(bar);
            }
        }
    }

    fn clear(&mut self) {
        while let Some(id) = self.activities.keys().next().copied() {
            self.end(id);
        }
    }
}

impl Activity {
    /// Brings the lines of the resources up to date; as many as fit have one.
    fn draw(&mut self, all: &MultiProgress, now: Instant) {
        let mut texts: Vec<String> = self
            .items
            .iter()
            .take(MOST_LINES)
            .map(|item| format!("  {} {}{}", one_line(&item.name), item.elapsed(now), item.usually()))
            .collect();
        if let Some(more) = self.items.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
            texts.push(format!("  and {more} more"));
        }
        while self.lines.len() > texts.len() {
            if let Some(line) = self.lines.pop() {
                line.finish_and_clear();
                all.remove(&line);
            }
        }
        while self.lines.len() < texts.len() {
            let line = all.insert_after(self.lines.last().unwrap_or(&self.bar), ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                line.set_style(style);
            }
            self.lines.push(line);
        }
        for (line, text) in self.lines.iter().zip(texts) {
            if line.message() != text {
                line.set_message(text);
            }
        }
    }
}

/// A line when something has started that takes more than a moment, when it ends, and every half minute while it goes on.
#[derive(Default)]
pub(super) struct Log {
    /// By activity and resource.
    items: BTreeMap<(u32, String), Item>,
    /// The resources whose result is shown.
    reported: BTreeSet<String>,
    /// The moment at which each wait was told last.
    waits: BTreeMap<u32, Instant>,
}

impl Log {
    fn note(&mut self, report: &Report<'_>, now: Instant) -> Vec<String> {
        if report.percent.is_none() {
            let is_told =
                self.waits.get(&report.id).is_some_and(|told| now.saturating_duration_since(*told) < LOG_INTERVAL);
            if is_told {
                return Vec::new();
            }
            self.waits.insert(report.id, now);
            return vec![format!("{}: {}.", report.activity, report.status)];
        }
        let is_under_way = |id: &str| report.under_way.iter().any(|under_way| under_way.resource_id == id);
        let lines = self.ended(now, |(activity, id)| *activity == report.id && !is_under_way(id));
        for under_way in report.under_way {
            let key = (report.id, under_way.resource_id.clone());
            self.items.entry(key).or_insert_with(|| Item::of(under_way, now));
        }
        lines
    }

    fn tick(&mut self, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        for item in self.items.values_mut() {
            let line = match item.told {
                None if now.saturating_duration_since(item.begun) < LOG_FROM => continue,
                None => format!("Started: {}{}.", item.name, item.usually()),
                Some(told) if now.saturating_duration_since(told) < LOG_INTERVAL => continue,
                Some(_) => format!("Still under way after {}{}: {}.", item.elapsed(now), item.usually(), item.name),
            };
            item.told = Some(now);
            lines.push(line);
        }
        lines
    }

    fn end(&mut self, id: u32, now: Instant) -> Vec<String> {
        self.waits.remove(&id);
        self.ended(now, |(activity, _)| *activity == id)
    }

    /// Forgets what has ended. Of what has a result nothing more is said.
    fn ended(&mut self, now: Instant, is_ended: impl Fn(&(u32, String)) -> bool) -> Vec<String> {
        let ended: Vec<(u32, String)> = self.items.keys().filter(|key| is_ended(key)).cloned().collect();
        let mut lines = Vec::new();
        for key in ended {
            let Some(item) = self.items.remove(&key) else { continue };
            if !self.reported.remove(&key.1) && item.told.is_some() {
                lines.push(format!("Ended after {}: {}.", item.elapsed(now), item.name));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under_way(id: &str, seconds: f64, usual_seconds: Option<u64>) -> UnderWay {
        UnderWay { resource_id: id.to_owned(), name: format!("thing '{id}'"), seconds, usual_seconds }
    }

    fn report(under_way: &[UnderWay]) -> Report<'_> {
        Report { id: 1, activity: "Deploying", status: "0 of 9 done", current: Some("x"), percent: Some(0), under_way }
    }

    #[test]
    fn a_log_gets_a_line_for_each_start_and_end_and_every_half_minute() {
        let (mut log, start) = (Log::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let both = [under_way("a", 0.2, Some(600)), under_way("b", 0.0, None)];
        assert!(log.note(&report(&both), at(0)).is_empty() && log.tick(at(2)).is_empty(), "it may be over in a moment");
        assert_eq!(log.tick(at(3)), ["Started: thing 'a' (usually 10 min).", "Started: thing 'b'."]);
        assert!(log.note(&report(&both), at(4)).is_empty() && log.tick(at(32)).is_empty());
        assert_eq!(
            log.tick(at(33)),
            ["Still under way after 33 s (usually 10 min): thing 'a'.", "Still under way after 33 s: thing 'b'."]
        );
        assert!(log.tick(at(34)).is_empty());
        // The result of one is shown; the other has failed.
        log.reported.insert("a".to_owned());
        assert!(log.note(&report(&both[1..]), at(40)).is_empty());
        assert_eq!(log.tick(at(65)), ["Still under way after 1 min 5 s: thing 'b'."]);
        assert_eq!(log.end(1, at(70)), ["Ended after 1 min 10 s: thing 'b'."]);
        assert!(log.tick(at(700)).is_empty());
        // What is over in a moment has its result, or its error, and nothing else.
        assert!(log.note(&report(&both), at(800)).is_empty() && log.end(1, at(802)).is_empty());
    }

    #[test]
    fn a_log_is_told_of_waits_once_in_half_a_minute() {
        let (mut log, start) = (Log::default(), Instant::now());
        let mut told = |seconds: u64| {
            let wait = Report {
                id: 2,
                activity: "Waiting for arm",
                status: "trying again in 9 s",
                current: None,
                percent: None,
                under_way: &[],
            };
            log.note(&wait, start + Duration::from_secs(seconds)).len()
        };
        assert_eq!([0, 5, 29, 30, 31].map(&mut told), [1, 0, 0, 1, 0]);
    }

    #[test]
    fn a_terminal_is_never_stale() {
        let (mut bars, now) = (Bars::default(), Instant::now());
        let many: Vec<UnderWay> = (0..10).map(|number| under_way(&number.to_string(), 3.0, Some(90))).collect();
        let texts = |bars: &Bars| bars.activities[&1].lines.iter().map(ProgressBar::message).collect::<Vec<_>>();
        bars.show(&report(&many), now);
        assert_eq!((texts(&bars).len(), texts(&bars)[8].as_str()), (9, "  and 2 more"));
        assert_eq!(texts(&bars)[0], "  thing '0' 3 s (usually 1 min 30 s)");
        // No message comes, and time goes on.
        bars.tick(now + Duration::from_secs(60));
        assert_eq!(texts(&bars)[0], "  thing '0' 1 min 3 s (usually 1 min 30 s)");
        bars.show(&report(&many[..1]), now);
        assert_eq!(texts(&bars).len(), 1);
        bars.end(1);
        assert!(bars.activities.is_empty());
    }

    #[test]
    fn the_end_of_an_activity_takes_its_own_bar_away() {
        let (mut bars, now) = (Bars::default(), Instant::now());
        for id in [1, 2] {
            bars.show(&Report { id, activity: "Waiting\nfor \u{1b}[2J", ..report(&[]) }, now);
        }
        assert_eq!(bars.activities[&2].bar.prefix(), "Waiting for \\u{1b}[2J");
        assert_eq!(bars.activities[&2].bar.message(), "0 of 9 done: x");
        bars.end(2);
        assert_eq!(bars.activities.keys().collect::<Vec<_>>(), [&1]);
        assert!(!bars.activities[&1].bar.is_finished());
        bars.clear();
        assert!(bars.activities.is_empty());
    }

    #[test]
    fn times_are_said_in_two_units_at_most() {
        let said = [0, 45, 60, 125, 3600, 4320, 90_000].map(|seconds| spoken(Duration::from_secs(seconds)));
        assert_eq!(said, ["0 s", "45 s", "1 min", "2 min 5 s", "1 h", "1 h 12 min", "25 h"]);
    }
}
