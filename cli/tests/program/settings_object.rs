//! `-SettingsObject -`: settings from standard input.

use std::process::Stdio;

use super::support::*;

const ARGUMENTS: [&str; 5] = ["New-SvcIaasStorage", "-SettingsObject", "-", "-Cloud", "local"];

#[test]
fn standard_input_has_the_encodings_of_files() {
    let folder = Folder::new();
    let run = |bytes: &[u8]| {
        let mut command = folder.command(&[&ARGUMENTS[..], &["-WhatIf"]].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), bytes).unwrap();
        finish(child)
    };
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let with_mark = format!("\u{FEFF}{DOCUMENT}");
    for bytes in [with_mark.clone().into_bytes(), utf16(&with_mark), utf16(DOCUMENT)] {
        let output = run(&bytes);
        assert_eq!(output.status, 0, "{output:?}");
        assert!(output.stdout.contains("Plan: 3 to create"), "{output:?}");
    }
    let message = "ERROR RequestInvalid: The settings on standard input are invalid: no text: invalid byte at offset 8 (line 2).\n";
    let output = run(b"a: 1\nb: \xE4\n");
    assert_eq!((output.status, output.stderr.as_str()), (2, message), "{output:?}");
}

#[test]
fn json_and_yaml_are_read_from_standard_input() {
    let json = r#"{"location": "UK South", "resourceGroupName": "Shop", "storageAccounts": [{"storageAccountName": "Orders", "accountType": "Standard", "queue": ["orders"]}]}"#;
    let folder = Folder::new();
    let created = folder.svc_reading(DOCUMENT, &ARGUMENTS);
    assert_eq!(created.status, 0, "{created:?}");
    assert!(created.stdout.contains("Result: 3 created ("), "{created:?}");
    // The folder the program runs in stands for that of the file, so it is one local cloud.
    let again = folder.svc_reading(json, &["new-iaas-storage", "--settings-object", "-", "--cloud", "local"]);
    assert!(again.stdout.contains("Everything is up to date: 3 resources"), "{again:?}");
    assert!(folder.deploy(&[]).stdout.contains("Everything is up to date: 3 resources"));
    // The plan names paths instead of lines.
    let changed = json.replace("\"queue\"", "\"networkAclsDefaultAction\": \"Deny\", \"queue\"");
    let changed = folder.svc_reading(&changed, &[&ARGUMENTS[..], &["-WhatIf"]].concat());
    let line = changed.stdout.lines().find(|line| line.contains("Allow -> Deny"));
    assert!(line.is_some_and(|line| line.ends_with("  storageAccounts[0].networkAclsDefaultAction")), "{changed:?}");
}

#[test]
fn tags_of_the_folder_are_used() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("_tags")).unwrap();
    folder.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    let output = folder.svc_reading(DOCUMENT, &[&ARGUMENTS[..], &["-WhatIf", "--full"]].concat());
    let line = output.stdout.lines().find(|line| line.contains("tags.owner: shop"));
    assert!(line.is_some_and(|line| line.ends_with("  globalTags.yml:1:27")), "{output:?}");
}

#[test]
fn what_is_wrong_with_standard_input() {
    let folder = Folder::new();
    let table = [
        ("", "ERROR RequestInvalid: The settings on standard input are invalid: the document is empty.\n"),
        (
            "a: 1\na: 2\n",
            "ERROR RequestInvalid: The settings on standard input are invalid: duplicate key 'a', first set in line 1.\n",
        ),
    ];
    for (input, message) in table {
        let output = folder.svc_reading(input, &ARGUMENTS);
        assert_eq!((output.status, output.stderr.as_str()), (2, message), "{input}");
    }
    let output = folder.svc_reading("location: UK South\nresourceGroupName: Shop\n", &ARGUMENTS);
    assert_eq!(output.status, 2);
    assert!(
        output.stderr.starts_with(
            "ERROR SettingsInvalid: The settings object has 1 problem:\n[1] storageAccounts: required, but not set\n"
        ),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn standard_input_without_end_is_read_to_the_limit() {
    let folder = Folder::new();
    let endless = std::fs::File::open("/dev/zero").unwrap();
    let child = folder.command(&ARGUMENTS).stdin(endless).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = finish(child.unwrap());
    let message = "ERROR RequestInvalid: The settings on standard input are larger than 64 MiB.\n";
    assert_eq!((output.status, output.stderr.as_str()), (2, message));
}
