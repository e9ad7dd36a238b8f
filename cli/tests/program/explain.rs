//! `svc explain`: where a name comes from.

use serde_json::Value;

use crate::support::*;

fn document(folder: &Folder) {
    folder.write("storage.yml", include_str!("../../../examples/storage.yml"));
}

#[test]
fn a_name_and_a_line_are_explained() {
    let folder = Folder::new();
    document(&folder);
    let output = folder.svc(&["explain", "storage.yml:1", "--cloud", "local"]);
    assert_eq!(
        (output.status, output.stderr.lines().last()),
        (1, Some("Nothing is made of line 1 of 'storage.yml'.")),
        "{output:?}"
    );
    let text = std::fs::read_to_string(folder.path("storage.yml")).unwrap();
    let line = text.lines().position(|line| line.contains("storageAccountName: Orders")).unwrap() + 1;
    let place = format!("storage.yml:{line}");
    let output = folder.svc(&["explain", &place, "--cloud", "local"]);
    assert_eq!(output.status, 0, "{output:?}");
    // What the replaced module named it, by its own algorithm: stordersdb8e13ec.
    for part in [
        "storage account: Microsoft.Storage/storageAccounts 'stordersdb8e13ec'\n",
        "  name        st        the kind StorageAccount\n              orders    the name in the settings  storage.yml:",
        "              db8e13ec  a hash of 'storders'\n",
        ", by New-SvcIaasStorage\n",
    ] {
        assert!(output.stdout.contains(part), "{part}: {}", output.stdout);
    }
    let by_name = folder.svc(&["explain", "STORDERSDB8E13EC", "--cloud", "local"]);
    assert!(output.stdout.starts_with(&by_name.stdout), "{by_name:?}");
    let json = folder.svc(&["explain", "stordersdb8e13ec", "--cloud", "local", "-o", "json"]);
    let explained: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(explained[0]["nameParts"][2]["hashOf"], "storders", "{explained:#}");
    assert_eq!(explained[0]["command"], "New-SvcIaasStorage");
}

#[test]
fn what_nobody_makes_ends_with_a_failure() {
    let folder = Folder::new();
    document(&folder);
    let output = folder.svc(&["explain", "stordersdb8e13ed", "-f", "storage.yml", "--offline"]);
    assert_eq!((output.status, output.stdout.as_str()), (1, ""), "{output:?}");
    assert!(
        output.stderr.contains("The hash 'db8e13ed' does not fit: that of 'storders' is 'db8e13ec'."),
        "{output:?}"
    );
    assert!(output.stderr.contains("A similar name is 'stordersdb8e13ec'."), "{output:?}");
    let json = folder.svc(&["explain", "x", "-f", "storage.yml", "--offline", "-o", "json"]);
    assert_eq!((json.status, json.stdout.as_str()), (1, "[]\n"), "{json:?}");
}

#[test]
fn documents_that_cannot_be_read_are_told() {
    let folder = Folder::new();
    let output = folder.svc(&["explain", "missing.yml:3", "--cloud", "local"]);
    assert!(output.status != 0 && output.stderr.contains("missing.yml"), "{output:?}");
    assert_eq!(folder.svc(&["explain"]).status, 2);
    folder.write("wrong.yml", "component: storage\nlocation: Atlantis\n");
    let output = folder.svc(&["explain", "wrong.yml:2", "--cloud", "local"]);
    assert!(output.status != 0 && output.stderr.contains("SettingsInvalid"), "{output:?}");
}
