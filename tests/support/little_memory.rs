//! Tests of what is made to exhaust whoever reads it. They run in a child process that has little memory, so that a crash does not
//! take the other tests along.

use std::process::Command;

/// Says to this program that it is the child.
const CHILD: &str = "SVC_TEST_IN_LITTLE_MEMORY";

/// Runs the body of a test, named with its modules, in a child process with this many KiB of address space. glibc would give each
/// thread 64 MiB of it in advance, so its threads share one heap.
pub(crate) fn in_little_memory(test: &str, kib: u32, body: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        return body();
    }
    let output = Command::new("sh")
        .args(["-c", "ulimit -v \"$1\" && exec \"$0\" --exact \"$2\" --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .args([&kib.to_string(), test])
        .env(CHILD, "1")
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}{}", String::from_utf8_lossy(&output.stderr));
    // A name that no test has passes as well.
    assert!(shown.contains("1 passed"), "{shown}");
}

#[test]
fn the_child_has_no_more() {
    in_little_memory("support::little_memory::the_child_has_no_more", 500_000, || {
        assert!(Vec::<u8>::new().try_reserve_exact(600 << 20).is_err());
        assert!(Vec::<u8>::new().try_reserve_exact(100 << 20).is_ok());
    });
}
