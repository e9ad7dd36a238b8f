//! PowerShell's spelling of a command line and the program's own are one.

use super::support::*;

#[test]
fn both_spellings_deploy_the_same() {
    let table: &[&[&str]] = &[
        &[
            "New-SvcIaasStorage",
            "-SettingsFile",
            "storage.yml",
            "-Cloud",
            "local",
            "-Confirm:$false",
            "-Output",
            "json",
        ],
        &[
            "new-iaas-storage",
            "--settings-file",
            "storage.yml",
            "--cloud",
            "local",
            "--confirm=false",
            "--output",
            "json",
        ],
        &["new-svciaasstorage", "-settingsfile", "storage.yml", "-CLOUD:local", "-confirm:false", "-out", "json"],
        &["new-iaas-STORAGE", "--settings-file=storage.yml", "--cloud=local", "-Confirm:0", "--output=json"],
    ];
    let deployed = |arguments: &&[&str]| {
        let folder = Folder::new();
        let output = folder.svc(arguments);
        assert_eq!(output.status, 0, "{arguments:?}: {output:?}");
        let mut ids: Vec<String> =
            output.with_event("resource").iter().map(|message| message["resourceId"].to_string()).collect();
        ids.sort();
        assert_eq!(ids.len(), 3, "{arguments:?}");
        ids
    };
    let first = deployed(&table[0]);
    for arguments in &table[1..] {
        assert_eq!(deployed(arguments), first, "{arguments:?}");
    }
}

/// However they were typed: the engine says them as PowerShell does.
#[test]
fn messages_say_options_in_the_spelling_of_the_program() {
    let folder = Folder::new();
    let unknown = folder.svc(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "nowhere"]).stderr;
    assert!(unknown.ends_with("  Set the cloud with --cloud or SVC_CLOUD.\n"), "{unknown}");
    let arguments = ["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Cloud", "nowhere", "-Output", "json"];
    let json = folder.svc(&arguments).messages().pop().unwrap();
    assert_eq!(json["recommendation"], "Set the cloud with --cloud or SVC_CLOUD.");
    let help = folder.svc(&["help", "template"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("One that exists is not overwritten, unless --overwrite says so."), "{help}");
}

/// PowerShell itself hands over a list as one word each; other shells leave the commas on the words.
#[test]
fn several_documents_as_powershell_writes_a_list() {
    let folder = Folder::new();
    std::fs::copy(folder.path("storage.yml"), folder.path("other.yml")).unwrap();
    let planned = |words: &[&str]| {
        let output = folder.svc(&[&["New-SvcDeployment"], words, &["-Cloud", "local", "-WhatIf"]].concat());
        output.stderr
    };
    // Both lack the word that says which command they are for, and both are named.
    let expected = planned(&["-SettingsFile", "storage.yml,other.yml"]);
    assert!(expected.contains("2 problems in other.yml and storage.yml"), "{expected}");
    for words in [
        &["-SettingsFile", "storage.yml,", "other.yml"][..],
        &["-SettingsFile", "storage.yml", "other.yml"],
        &["-SettingsFile", "storage.yml", ",", "other.yml"],
        &["storage.yml,", "other.yml"],
    ] {
        assert_eq!(planned(words), expected, "{words:?}");
    }
    let nothing = planned(&["-SettingsFile", ""]);
    assert!(nothing.contains("The path '' cannot be used"), "{nothing}");
}

/// A report is read by people who run the program and by people who run the module.
#[test]
fn reports_name_no_option_of_one_host() {
    let folder = Folder::new();
    let output = folder.deploy(&["-OmitTags", "-WhatIf", "-PlanReport", "plan.md", "-PlanReport", "plan.json"]);
    assert!(output.stderr.contains("WARNING: Tag settings are skipped, as was asked for; "), "{output:?}");
    for report in ["plan.md", "plan.json"] {
        let text = std::fs::read_to_string(folder.path(report)).unwrap();
        assert!(text.contains("Tag settings are skipped, as was asked for; "), "{text}");
        assert!(!["-OmitTags", "--omit-tags"].iter().any(|option| text.contains(option)), "{text}");
    }
}

#[test]
fn what_if_in_both_spellings_changes_nothing() {
    let folder = Folder::new();
    for flag in ["-WhatIf", "-WhatIf:$true", "-wh", "--what-if", "--what-if=true", "-WhatIf:1"] {
        let output = folder.deploy(&[flag]);
        assert_eq!(output.status, 0, "{flag}: {output:?}");
        assert!(output.stdout.contains("Plan: 3 to create, 0 to change, 0 to delete."), "{flag}: {output:?}");
        assert!(output.stdout.contains("Nothing was changed: 3 to create ("), "{flag}: {output:?}");
    }
    for flag in ["-WhatIf:$false", "--what-if=false"] {
        let folder = Folder::new();
        assert!(folder.deploy(&[flag]).stdout.contains("Result: 3 created ("), "{flag}");
    }
}

#[test]
fn tags_context_and_variables_reach_the_engine() {
    let folder = Folder::new();
    folder.write("tags.yml", "tags: {mandatory: {owner: shop}}");
    let planned = |arguments: &[&str]| {
        let output = folder.deploy(&[&["-WhatIf", "-Output", "json"], arguments].concat());
        assert_eq!(output.status, 0, "{output:?}");
        output.with_event("plan")[0]["actions"][1].to_string()
    };
    assert!(planned(&["-TagSettingsFile", "tags.yml"]).contains("tags.owner"));
    assert!(planned(&["-TagSettingFile", "tags.yml"]).contains("tags.owner"), "the specification spells it so once");
    assert!(planned(&["--tag-settings-file", "tags.yml"]).contains("tags.owner"));
    for omit in [&["-OmitTags"][..], &["-OmitTags", "$true"], &["-OmitTags:$true"], &["--omit-tags"]] {
        let arguments = [&["-TagSettingsFile", "tags.yml"], omit].concat();
        assert!(!planned(&arguments).contains("tags.owner"), "{omit:?}");
    }
    assert!(planned(&["-TagSettingsFile", "tags.yml", "-OmitTags", "$false"]).contains("tags.owner"));
    let id = "11111111-2222-3333-4444-555555555555";
    assert!(planned(&["-SubscriptionId", id]).contains(id));
    assert!(planned(&["--subscription-id", id]).contains(id));

    let output = folder
        .command(&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-WhatIf", "-Output", "json"])
        .env("SVC_CLOUD", "local")
        .env("SVC_SUBSCRIPTION_ID", id)
        .env("UNRELATED", "x")
        .output()
        .unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains(id));
}

#[test]
fn what_is_wrong_with_a_command_line() {
    let folder = Folder::new();
    let table: &[(&[&str], &str)] = &[
        (
            &["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Confirm:"],
            "-Confirm: has no value. Outside PowerShell use -Confirm:false or --confirm=false.\n",
        ),
        (
            &["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-WhatIf:perhaps"],
            "-WhatIf: expected true or false, found 'perhaps'.\n",
        ),
        (
            &["New-SvcIaasStorage", "-SetingsFile", "storage.yml"],
            "New-SvcIaasStorage has no parameter -SetingsFile, did you mean -SettingsFile?\n",
        ),
        (
            &["New-SvcIaasStorage", "-Settings", "storage.yml"],
            "-Settings is ambiguous: -SettingsFile, -SettingsObject.\n",
        ),
    ];
    for (arguments, message) in table {
        let output = folder.svc(arguments);
        assert_eq!((output.status, output.stderr.as_str()), (2, *message), "{arguments:?}");
        assert_eq!(output.stdout, "");
    }
    // What clap says is its own; it names what is wrong.
    let table: &[(&[&str], &str)] = &[
        (&["schema", "New-SvcNothing"], "invalid value 'New-SvcNothing' for '[NAME]'"),
        (&["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-SettingsObject", "-"], "cannot be used with"),
        (&["New-SvcIaasStorage", "-SettingsObject", "{}"], "invalid value '{}'"),
        (&["New-SvcIaasStorage", "-SettingsFile"], "a value is required for '--settings-file <PATH>'"),
        (
            &["New-SvcIaasStorage", "-SettingsFile", "storage.yml", "-Output", "xml"],
            "[possible values: text, json, github]",
        ),
        (&["New-SvcIaasStorag", "-SettingsFile", "storage.yml"], "unrecognized subcommand 'New-SvcIaasStorag'"),
        (&["new-iaas-storage", "--setting-file", "storage.yml"], "'--settings-file'"),
        (&["local", "--latency-ms", "soon"], "invalid value 'soon'"),
        (&["local", "--fault", "explode"], "'explode' is not a kind of fault."),
        (&["local", "import", "resources.json"], "--state <FILE>"),
    ];
    for (arguments, part) in table {
        let output = folder.svc(arguments);
        assert_eq!(output.status, 2, "{arguments:?}: {output:?}");
        assert!(output.stderr.contains(part), "{arguments:?}: {}", output.stderr);
        assert_eq!(output.stdout, "");
    }
}

#[test]
fn what_is_missing_is_one_of_two_options() {
    let folder = Folder::new();
    let message = "A settings document is required, but not given: --settings-file <PATH> or --settings-object -.";
    for arguments in [&["New-SvcIaasStorage"][..], &["new-iaas-storage", "--what-if", "--cloud", "local"]] {
        let output = folder.svc(arguments);
        assert_eq!((output.status, output.stdout.as_str()), (2, ""), "{output:?}");
        let expected =
            format!("ERROR SettingsMissing: {message}\n  Run 'svc new-iaas-storage --help' for all options.\n");
        assert_eq!(output.stderr, expected);
    }
    let output = folder.svc(&["New-SvcIaasStorage", "-Output", "json"]);
    assert_eq!((output.status, output.stderr.as_str()), (2, ""), "{output:?}");
    let messages = output.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["event"], "error");
    assert_eq!(messages[0]["code"], "SettingsMissing");
    assert_eq!(messages[0]["message"], message);
    assert_eq!(messages[0]["terminating"], true);
    // What else makes a request impossible is an event, too.
    let output = folder.svc_reading("a: [", &["New-SvcIaasStorage", "-SettingsObject", "-", "-Output", "json"]);
    assert_eq!((output.status, output.messages()[0]["code"].as_str()), (2, Some("RequestInvalid")), "{output:?}");
}

#[test]
fn an_empty_path_of_tag_settings_is_none() {
    let folder = Folder::new();
    for spelling in ["-TagSettingsFile", "--tag-settings-file"] {
        let output = folder.deploy(&["-WhatIf", spelling, ""]);
        assert_eq!(output.status, 0, "{output:?}");
    }
}
