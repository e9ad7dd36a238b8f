//! Runs the developer's command lines with the caller's environment.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::process::{Command, Output, Stdio};

use azure_identity::Executor;

/// Runs a program with the caller's variables over those of the process: `AZURE_CONFIG_DIR`, for one, says where the Azure
/// CLI keeps its sign-in. A thread waits for it, because the library sets no signal handlers.
#[derive(Debug)]
pub(super) struct CommandLine {
    pub(super) environment: BTreeMap<String, String>,
}

#[async_trait::async_trait]
impl Executor for CommandLine {
    async fn run(&self, program: &OsStr, arguments: &[&OsStr]) -> io::Result<Output> {
        let mut command = Command::new(program);
        command.args(arguments).envs(&self.environment).stdin(Stdio::null());
        tokio::task::spawn_blocking(move || command.output()).await.map_err(io::Error::other)?
    }
}
