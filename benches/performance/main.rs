//! The benchmarks of Svc Deploy. `docs/performance.md` has their figures and says how to repeat them.
//!
//! `cargo bench` runs all; `cargo bench -- TEXT` those whose name contains the text; `cargo bench -- peak`,
//! `cargo bench -- scale`, `cargo bench -- rounds`, `cargo bench -- rules`, `cargo bench -- rehearsals` and `cargo bench -- throttling` only the report of that name. Nothing here is asserted against a time: what is compared is
//! compared within one run.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot be carried out has to stop, and its report is what it is for"
)]

mod critical_path;
mod documents;
mod environment;
mod first_message;
mod memory;
mod no_op;
mod rehearsals;
mod rounds;
mod rules;
mod runs;
mod scale;
mod settings;
mod throttling;

use std::time::Duration;

use criterion::Criterion;

/// The number of accounts in the large documents.
const SIZES: &[usize] = &[1_000, 10_000];
/// The same when `cargo test` only tries whether the benchmarks work.
const TRIAL_SIZES: &[usize] = &[10];

fn main() {
    if runs::is_child() {
        return memory::child();
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let measuring = arguments.iter().any(|argument| argument == "--bench");
    let sizes = if measuring { SIZES } else { TRIAL_SIZES };
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |report: &str| words.is_empty() || words.iter().any(|word| *word == report);

    let mut criterion = Criterion::default().configure_from_args();
    settings::benchmark(&mut criterion, sizes);
    no_op::benchmark(&mut criterion, if measuring { 100 } else { 10 });
    first_message::benchmark(&mut criterion);
    criterion.final_summary();
    if is_wanted("peak") {
        memory::report(sizes);
    }
    if is_wanted("scale") {
        scale::report(sizes);
    }
    if is_wanted("throttling") {
        throttling::report(if measuring { 500 } else { 20 });
    }
    if is_wanted("critical-path") {
        let (latency, operations) = if measuring { (50, 0.02) } else { (1, 0.0001) };
        critical_path::report(Duration::from_millis(latency), operations);
    }
    if is_wanted("environment") {
        let (latency, operations) = if measuring { (50, 0.05) } else { (1, 0.0001) };
        environment::report(Duration::from_millis(latency), operations);
    }
    if is_wanted("rehearsals") {
        let (rules, delay) = if measuring { (60, 1000) } else { (8, 1) };
        rehearsals::report(rules, Duration::from_millis(delay));
    }
    if is_wanted("rules") {
        rules::report(if measuring { &[500, 1_000, 2_000] } else { &[10] });
    }
    if is_wanted("rounds") {
        rounds::report(Duration::from_millis(if measuring { 100 } else { 1 }));
    }
}
