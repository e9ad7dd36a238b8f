//! The parts that the tests of the boundary share: where things are, the C compiler, and how a test says that it was skipped.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options every C program is compiled with.
pub(crate) const C_OPTIONS: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-pedantic-errors", "-Werror"];

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a folder of the repository")
}

/// The folder of the C programs and the fixtures.
pub(crate) fn abi_folder() -> PathBuf {
    repository().join("tests/abi")
}

/// The folder that holds the header.
pub(crate) fn include_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Whether the program can be run at all. When not, says so past the test harness, which hides what a passing test
/// prints.
pub(crate) fn available(program: &str, skipped: &str) -> bool {
    let available = Command::new(program).arg("--version").output().is_ok();
    if !available {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {skipped}, because there is no `{program}` on this machine.");
    }
    available
}

/// Builds the shipped library and an example of this package, in the profile and the target folder that this test was built in.
/// The whole workspace with an example has the features that the tests have, so that nothing below it is built a second time.
pub(crate) fn build(example: &str, features: &[&str]) -> PathBuf {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(repository()).args(["build", "--quiet", "--workspace", "--lib", "--example", example]);
    command.args(features);
    command.arg("--target-dir").arg(profile_folder().parent().expect("the profile's folder is in the target folder"));
    if profile_folder().ends_with("release") {
        command.arg("--release");
    }
    let output = command.output().expect("cargo can be run");
    assert!(output.status.success(), "{example} does not build:\n{}", text(&output.stderr));
    profile_folder().join("examples")
}

/// `target/debug` or `target/release`: this test is `<there>/deps/<name>-<hash>`.
pub(crate) fn profile_folder() -> PathBuf {
    let program = std::env::current_exe().expect("the path of the test is known");
    program.ancestors().nth(2).expect("the test is in the target folder").to_path_buf()
}

/// The text that a program wrote, for messages.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
