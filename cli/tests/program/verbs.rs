//! `svc plan`, `apply` and `validate` choose the command by the document.

use svc_local_cloud::LocalCloudOptions;

use super::support::*;

fn with_component(component: &str) -> String {
    format!("component: {component}\n{DOCUMENT}")
}

#[test]
fn the_document_chooses_the_command() {
    for component in ["storage", "STORAGE", "Iaas.Storage", "iaas.STORAGE"] {
        let folder = Folder::new();
        folder.write("storage.yml", &with_component(component));
        for arguments in [
            &["plan", "storage.yml", "--cloud", "local"][..],
            &["plan", "-f", "storage.yml", "--cloud=local", "-o", "text"],
            &["plan", "--file", "storage.yml", "--cloud", "local"],
        ] {
            let output = folder.svc(arguments);
            assert_eq!(output.status, 0, "{output:?}");
            assert!(output.stdout.contains("Plan: 3 to create, 0 to change, 0 to delete."), "{output:?}");
            assert!(output.stdout.contains("Nothing was changed"), "{output:?}");
        }
        let applied = folder.svc(&["apply", "storage.yml", "--cloud", "local", "-y"]);
        assert_eq!(applied.status, 0, "{applied:?}");
        assert!(applied.stdout.contains("Result: 3 created ("), "{applied:?}");
        let input = with_component(component);
        let again = folder.svc_reading(&input, &["apply", "-", "--cloud", "local", "--output", "json"]);
        assert_eq!(again.with_event("result")[0]["unchanged"], 3, "{again:?}");
    }
}

#[test]
fn a_document_that_does_not_say_its_command() {
    let folder = Folder::new();
    for verb in ["plan", "apply", "validate"] {
        let output = folder.svc(&[verb, "storage.yml", "--cloud", "local", "-q"]);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{output:?}");
        assert_eq!(
            output.stderr,
            "ERROR ComponentMissing: storage.yml has no 'component', so it is not known which command it is for.\n  \
             Add 'component: storage', which its keys look like.\n"
        );
    }
    folder.write("storage.yml", &with_component("stroage"));
    let output = folder.svc(&["plan", "storage.yml"]);
    assert_eq!(output.status, 2);
    assert!(
        output.stderr.contains("\nstorage.yml:1:12: component: 'stroage' is not valid, did you mean 'storage'?"),
        "{output:?}"
    );
    let missing = folder.svc(&["apply", "missing.yml", "-o", "json"]);
    assert_eq!(
        (missing.status, missing.messages()[0]["code"].as_str()),
        (2, Some("SettingsFileNotFound")),
        "{missing:?}"
    );
}

#[test]
fn every_option_is_taken_in_both_spellings() {
    let folder = Folder::new();
    folder.write("storage.yml", &with_component("storage"));
    folder.write("_tags/globalTags.yml", "tags: {mandatory: {owner: shop}}");
    let run = |arguments: &[&str]| folder.svc(&[arguments, &["storage.yml", "--cloud", "local"]].concat());
    for planned in [&["plan", "--what-if"][..], &["plan", "-WhatIf"], &["plan", "-WhatIf", "true"]] {
        let output = run(planned);
        assert_eq!((output.status, output.told().as_str()), (0, ""), "{planned:?}: {output:?}");
        assert!(output.stdout.contains("Nothing was changed: 3 to create ("), "{planned:?}: {output:?}");
    }
    let output = run(&["plan", "--what-if=false"]);
    let refusal = "ERROR RequestInvalid: 'svc plan' changes nothing: use 'svc apply' to deploy the documents.\n";
    assert_eq!((output.status, output.stderr.as_str()), (2, refusal), "{output:?}");

    let full = run(&["plan", "-Full"]).stdout;
    assert!(full.lines().count() > run(&["plan"]).stdout.lines().count() && full.contains("owner"), "{full}");
    assert!(!run(&["plan", "-Full", "-OmitTags", "true"]).stdout.contains("owner"));
    for report in [&["-PlanReport", "a.json,b.md"][..], &["--plan-report", "c.json,d.md"]] {
        assert_eq!(run(&[&["plan"], report].concat()).status, 0);
        for file in report[1].split(',') {
            assert!(folder.path(file).is_file(), "{file}");
            std::fs::remove_file(folder.path(file)).unwrap();
        }
    }
    let quiet = run(&["apply", "-Yes", "-Quiet"]);
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.told().as_str()), (0, "", ""), "{quiet:?}");
    assert_eq!(run(&["apply", "-Yes:$true", "-Confirm:$false"]).status, 0);
    let both = run(&["apply", "-y", "-Confirm"]);
    assert!(both.status == 2 && both.stderr.contains("--yes and --confirm contradict each other"), "{both:?}");
}

#[test]
fn what_is_no_command_line_is_refused() {
    let folder = Folder::new();
    for arguments in [&["plan"][..], &["plan", "a.yml", "-y"], &["validate", "a.yml", "--what-if"]] {
        let output = folder.svc(arguments);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(output.stderr.contains("Usage: svc"), "{output:?}");
    }
}

#[test]
fn validation_contacts_nothing_and_reports_every_document() {
    let folder = Folder::new();
    let cloud = cloud(LocalCloudOptions::default());
    folder.write("good.yml", &with_component("storage"));
    folder.write("more.yml", "component: storage\nlocation: UK South\nstorageAcounts: []\nresourceGroupName: Shop\n");
    folder.write("broken.yml", "component: storage\nlocation: 'UK\n");
    let validate = |files: &[&str]| folder.svc(&[&["validate", "--cloud", cloud.endpoint()], files].concat());
    let good = validate(&["good.yml"]);
    assert_eq!((good.status, good.stdout.as_str(), good.stderr.as_str()), (0, "The document is valid.\n", ""));
    assert_eq!(validate(&["good.yml", "good.yml"]).stdout, "All documents are valid.\n");
    let all = validate(&["more.yml", "good.yml", "broken.yml", "storage.yml"]);
    assert_eq!((all.status, all.stdout.as_str()), (2, "The documents are not valid.\n"));
    for part in [
        "\nmore.yml:3:1: storageAcounts: unknown key, did you mean 'storageAccounts'?\n  |\n3 | storageAcounts: []\n  | ^^^^^^^^^^^^^^\n",
        "\nbroken.yml:2:",
        "\nstorage.yml:1:1: component: ",
    ] {
        assert!(all.stderr.contains(part), "{part}\n{}", all.stderr);
    }
    let json = validate(&["more.yml", "good.yml", "broken.yml", "-o", "json"]);
    assert_eq!(json.status, 2);
    let errors: Vec<_> = json.messages().into_iter().filter(|message| message["event"] != "verbose").collect();
    assert_eq!(errors.len(), 1, "{json:?}");
    assert_eq!((&errors[0]["event"], &errors[0]["code"]), (&"error".into(), &"SettingsInvalid".into()));
    let findings = errors[0]["findings"].as_array().unwrap();
    for file in ["more.yml", "broken.yml"] {
        let of_file = |finding: &&serde_json::Value| finding["file"].as_str().is_some_and(|path| path.ends_with(file));
        assert!(findings.iter().find(of_file).is_some_and(|finding| finding["line"].is_u64()), "{file}: {json:?}");
    }
    assert_eq!(cloud.requests().len(), 0, "nothing is contacted");
    // No credential is needed either.
    let azure = folder.svc(&["validate", "good.yml", "--cloud", "public"]);
    assert_eq!(azure.status, 0, "{azure:?}");
}

#[test]
fn warnings_of_a_document_are_told() {
    let folder = Folder::new();
    folder.write("storage.yml", &with_component("storage").replace("[orders]", "[orders, '']"));
    let output = folder.svc(&["validate", "storage.yml"]);
    assert_eq!((output.status, output.stdout.as_str()), (0, "The document is valid.\n"));
    assert!(output.stderr.starts_with("WARNING: storage.yml:7:"), "{output:?}");
    let quiet = folder.svc(&["validate", "-q", "storage.yml"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", output.stderr.as_str()));
}

#[test]
fn quiet_runs_say_what_is_wrong_only() {
    let folder = Folder::new();
    folder.write("storage.yml", &with_component("storage"));
    for (verb, created) in [("plan", false), ("apply", true)] {
        let output = folder.svc(&[verb, "storage.yml", "--cloud", "local", "-q"]);
        assert_eq!((output.status, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""));
        assert_eq!(folder.path(".svc/local-cloud.json").exists(), created);
    }
}

/// The address of a webhook carries its key.
#[test]
fn no_secret_is_in_the_line_that_is_shown() {
    let folder = Folder::new();
    let text = "component: monitor\nactionGroups:\n  - name: ops\n    webhooks:\n      - {serviceUri: 'https://a.example/?code=s3cret', useAadAuth: perhaps}\n      - serviceUri: [s3cret]\n";
    folder.write("monitor.yml", text);
    let output = folder.svc(&["validate", "monitor.yml"]);
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("useAadAuth") && output.stderr.contains("serviceUri:"), "{output:?}");
    assert!(!format!("{output:?}").contains("s3cret"), "{}", output.stderr);
}
