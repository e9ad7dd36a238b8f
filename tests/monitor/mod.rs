//! New-SvcCoreMonitor.

mod core_monitor;
mod existing;
mod receivers;
mod settings;
