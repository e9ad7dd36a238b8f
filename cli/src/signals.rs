//! The signals that end the program, and how it ends with them.

use std::io;

use svc_engine::protocol::ExitStatus;

/// Calls a function for every signal to end, from now on. SIGHUP stays ignored where it was ignored at the start, as below nohup.
#[cfg(unix)]
pub(super) fn listen(mut on_signal: impl FnMut(ExitStatus) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut listened = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP) {
        listened.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(listened)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            on_signal(match signal {
                SIGHUP => ExitStatus::HungUp,
                SIGTERM => ExitStatus::Terminated,
                _ => ExitStatus::Interrupted,
            });
        }
    })?;
    Ok(())
}

/// Calls a function for every Ctrl+C, from now on.
#[cfg(not(unix))]
pub(super) fn listen(mut on_signal: impl FnMut(ExitStatus) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || on_signal(ExitStatus::Interrupted)).map_err(io::Error::other)
}

/// Whether this process ignores a signal. Where that cannot be learnt, it does not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    ignored_signals().is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// One bit for each signal. The system call that asks for one signal is not to be had without unsafe code.
#[cfg(target_os = "linux")]
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// One bit for each signal, as the system's own ps shows them.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignored_signals() -> Option<u64> {
    let process = std::process::id().to_string();
    let output = std::process::Command::new("/bin/ps").args(["-o", "sigignore=", "-p", &process]).output().ok()?;
    u64::from_str_radix(std::str::from_utf8(&output.stdout).ok()?.trim().trim_start_matches("0x"), 16).ok()
}
