//! The program `svc` from outside: arguments in, standard output, standard error and the exit status out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests fail the test that calls them"
)]

mod support;

#[cfg(unix)]
mod action;
mod completions;
mod confirmation;
mod documented;
mod drift;
mod environment;
mod exit_status;
mod explain;
mod export;
mod github;
mod golden;
mod help;
mod hostile_texts;
mod interruption;
mod json_output;
mod local;
mod lost_output;
mod new_document;
mod own_files;
mod pipelines;
mod plan_files;
mod sarif;
mod settings_object;
mod several;
mod spellings;
mod template;
mod text_output;
mod verbs;
