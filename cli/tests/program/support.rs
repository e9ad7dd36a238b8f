//! Runs `svc` in a folder of its own.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use svc_local_cloud::{LocalCloud, LocalCloudOptions};

/// Nothing in these tests takes longer, unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// One account with a queue.
pub(crate) const DOCUMENT: &str = "\
location: UK South
resourceGroupName: Shop
storageAccounts:
  - storageAccountName: Orders
    accountType: Standard
    queue: [orders]
";

/// A folder with `storage.yml`, gone at the end of the test.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
}

/// The output that a program left behind.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Standard error without the line about the target, which every run that connects has.
    pub(crate) fn told(&self) -> String {
        self.stderr.split_inclusive('\n').filter(|line| !line.starts_with("Target: ")).collect()
    }
}

impl Folder {
    pub(crate) fn new() -> Folder {
        let folder = Folder { folder: tempfile::tempdir().unwrap() };
        folder.write("storage.yml", DOCUMENT);
        folder
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::fs::write(self.path(file), text).unwrap();
    }

    /// `svc` with arguments, to be run in the folder with an environment that has nothing in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command.args(arguments).current_dir(self.path("")).env_clear().stdin(Stdio::null());
        command
    }

    /// Runs `svc` to its end.
    pub(crate) fn svc(&self, arguments: &[&str]) -> Output {
        self.svc_reading("", arguments)
    }

    /// Runs `svc` to its end with a text on standard input.
    pub(crate) fn svc_reading(&self, input: &str, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that does not read its input closes it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        finish(child)
    }

    /// Runs the storage command for `storage.yml` on the local cloud that keeps its state in the folder.
    pub(crate) fn deploy(&self, arguments: &[&str]) -> Output {
        let fixed = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "local"];
        self.svc(&[&fixed, arguments].concat())
    }
}

/// Waits for the end of a program, at most [`PATIENCE`].
pub(crate) fn finish(child: Child) -> Output {
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = receiver.recv_timeout(PATIENCE) else {
        signal(id, "KILL");
        panic!("svc did not end within {} seconds", PATIENCE.as_secs());
    };
    let output = output.unwrap();
    Output {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Sends a signal to a process of this test.
pub(crate) fn signal(id: u32, name: &str) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(id.to_string()).status().unwrap();
    assert!(status.success());
}

/// Waits until something is true, at most [`PATIENCE`].
pub(crate) fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_true() {
        assert!(Instant::now() < deadline, "in vain waited for: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Output {
    /// The messages of `--output json`: every line of standard output is one.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let message = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        self.stdout.lines().map(message).collect()
    }

    /// The messages with an event.
    pub(crate) fn with_event(&self, event: &str) -> Vec<Value> {
        self.messages().into_iter().filter(|message| message["event"] == event).collect()
    }
}

/// A local cloud in this process that remembers its requests.
pub(crate) fn cloud(options: LocalCloudOptions) -> LocalCloud {
    LocalCloud::start(LocalCloudOptions { record_requests: 10_000, ..options }).unwrap()
}
