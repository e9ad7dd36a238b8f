//! The files that `svc` has written: they are no settings documents, and are known again.

use super::support::*;

/// A folder with a document, and beside it one of everything that `svc` writes.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let local = ["--cloud", "local", "--local-state-file", "state.json"];
    for arguments in [
        &["apply", "storage.yml", "--yes"][..],
        &["template", "storage.yml", "--path", "template.json"],
        &["plan", ".", "--plan-report", "plan.json", "--plan-report", "plan.html", "--plan-report", "plan.md"],
    ] {
        let output = folder.svc(&[arguments, &local].concat());
        assert_eq!(output.status, 0, "{output:?}");
    }
    for (file, arguments) in [
        ("storage.schema.json", &["schema", "storage"][..]),
        ("values.schema.json", &["schema", "values", "--for", "."]),
    ] {
        let output = folder.svc(arguments);
        assert_eq!(output.status, 0, "{output:?}");
        folder.write(file, &output.stdout);
    }
    folder
}

const OWN: [(&str, &str); 7] = [
    ("plan.json", "a plan report"),
    ("plan.html", "a plan report"),
    ("plan.md", "a plan report"),
    ("template.json", "a template that was made of settings"),
    ("state.json", "the state of a local cloud"),
    ("storage.schema.json", "a JSON Schema of settings"),
    ("values.schema.json", "a JSON Schema of settings"),
];

#[test]
fn in_a_folder_it_is_left_out() {
    let folder = folder();
    let local = ["--cloud", "local", "--local-state-file", "state.json"];
    for verb in ["plan", "validate"] {
        let output = folder.svc(&[&[verb, "."][..], &local].concat());
        assert_eq!(output.status, 0, "{output:?}");
    }
    std::fs::remove_file(folder.path("storage.yml")).unwrap();
    let output = folder.svc(&["validate", "."]);
    assert!(output.status == 2 && output.stderr.contains("has no settings documents"), "{output:?}");
}

#[test]
fn named_alone_it_is_called_what_it_is() {
    let folder = folder();
    for (file, what) in OWN {
        for arguments in [
            &["validate", file][..],
            &["plan", file, "storage.yml"],
            &["plan", "storage.yml", "--tag-settings-file", file],
        ] {
            let output = folder.svc(arguments);
            assert_eq!(output.status, 2, "{file}: {output:?}");
            let sentence = format!("{file}' is {what}, not a ");
            assert!(output.stderr.contains(&sentence), "{file}: {output:?}");
        }
    }
}

#[test]
fn one_kind_does_not_take_the_place_of_another() {
    let folder = folder();
    let local = ["--cloud", "local", "--local-state-file", "state.json"];
    for (file, _) in OWN {
        let before = std::fs::read(folder.path(file)).unwrap();
        let template = ["template", "storage.yml", "--overwrite", "--path", file];
        let plan = ["plan", "storage.yml", "--plan-report", file];
        for arguments in [&template[..], &plan] {
            let output = folder.svc(&[arguments, &local].concat());
            let same_kind = (arguments[0] == "template") == (file == "template.json");
            let is_other = !same_kind || file == "state.json" || file.ends_with(".schema.json");
            assert_eq!(output.status, if is_other { 2 } else { 0 }, "{arguments:?}: {output:?}");
            if is_other {
                assert_eq!(std::fs::read(folder.path(file)).unwrap(), before, "{arguments:?}");
            }
        }
    }
}
