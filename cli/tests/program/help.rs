//! Help and schemas: what the registry knows is in them.

use serde_json::Value;
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::COMMANDS;
use svc_engine::run::registry::CONTEXT_MEMBERS;

use super::support::*;

#[test]
fn the_help_of_a_command_lists_every_parameter() {
    let folder = Folder::new();
    for command in COMMANDS {
        let own = command.subcommand();
        for arguments in [
            [command.name, "--help"],
            [own.as_str(), "-?"],
            [command.name, "-h"],
            ["help", command.name],
            ["help", own.as_str()],
        ] {
            let output = folder.svc(&arguments);
            assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{arguments:?}");
            let names = command.parameters.iter().map(|parameter| parameter.name);
            let names = names.chain(CONTEXT_MEMBERS.iter().map(|member| member.parameter));
            for name in names.chain(["WhatIf", "Confirm", "Verbose", "Debug", "Output"]) {
                let option: String = name
                    .chars()
                    .flat_map(|character| {
                        let hyphen = character.is_ascii_uppercase().then_some('-');
                        hyphen.into_iter().chain([character.to_ascii_lowercase()])
                    })
                    .collect();
                assert!(output.stdout.contains(&format!("-{option}")), "-{option} is not in the help of {arguments:?}");
            }
            assert!(one_line(&output.stdout).contains(command.synopsis));
        }
    }
}

#[test]
fn the_help_of_the_program_lists_every_command() {
    let folder = Folder::new();
    let output = folder.svc(&["--help"]);
    assert_eq!(output.status, 0);
    for name in
        COMMANDS.iter().map(svc_engine::run::registry::Command::subcommand).chain(["local".into(), "schema".into()])
    {
        assert!(output.stdout.contains(&name), "{name} is not in {}", output.stdout);
    }
    assert!(output.stdout.contains("svc New-SvcIaasStorage -SettingsFile storage.yml -WhatIf"));
    assert_eq!(folder.svc(&["--version"]).stdout, format!("svc {}\n", env!("CARGO_PKG_VERSION")));
    // Without arguments it is help as well, and a mistake.
    let nothing = folder.svc(&[]);
    assert_eq!(nothing.status, 2);
    assert!(nothing.stderr.contains("Usage: svc"), "{nothing:?}");
}

#[test]
fn the_schema_takes_what_the_engine_takes() {
    let folder = Folder::new();
    let output = folder.svc(&["schema", "New-SvcIaasStorage"]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""));
    assert_eq!(folder.svc(&["schema", "new-iaas-storage"]).stdout, output.stdout);
    let schema: Value = serde_json::from_str(&output.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(repository.join("examples/storage.yml")).unwrap();
    let document = svc_engine::run::settings_object(text).unwrap();
    let problems: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    for (wrong, what) in [
        (serde_json::json!({"location": "uksouth"}), "a missing field"),
        (serde_json::json!({"location": "uksouth", "storageAccounts": [], "colour": "red"}), "an unknown field"),
        (
            serde_json::json!({"location": "uksouth", "storageAccounts": [{"storageAccountName": "a", "accountType": "Gold"}]}),
            "an unknown value",
        ),
        (
            serde_json::json!({"location": "uksouth", "storageAccounts":
                [{"storageAccountName": "a", "accountType": "Standard", "supportsHttpsTrafficOnly": "yes"}]}),
            "text where a boolean is wanted",
        ),
    ] {
        assert!(!validator.is_valid(&wrong), "{what} passes");
    }
}

/// Help is wrapped; what it says is compared without the breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_has_examples_and_exit_statuses_and_fits_the_terminal() {
    let folder = Folder::new();
    for command in COMMANDS {
        let help = folder.svc(&[command.name, "-?"]).stdout;
        let example = command.examples.first().unwrap();
        assert!(help.contains(&format!("\n  svc {} --settings-file ", command.subcommand())), "{help}");
        assert!(one_line(&help).contains(example.text), "{help}");
    }
    for topic in ["plan", "apply", "validate", "New-SvcIaasStorage"] {
        let help = folder.svc(&["help", topic]).stdout;
        assert!(help.contains("\nExamples:\n  svc ") && help.contains("\nExit status:\n  0    "), "{help}");
        for status in ExitStatus::ALL {
            assert!(help.contains(&format!("\n  {:<5}", status.number())), "{help}");
        }
        let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= 120, "{longest} in {topic}");
    }
}

/// What the help tells people to type works.
#[test]
fn examples_of_the_help_are_command_lines() {
    let folder = Folder::new();
    std::fs::remove_file(folder.path("storage.yml")).unwrap();
    let mut examples = 0;
    for topic in COMMANDS.iter().map(|command| command.name).chain(["new-deployment", "plan", "apply", "validate"]) {
        let help = folder.svc(&["help", topic]).stdout;
        let lines = help.lines().skip_while(|line| *line != "Examples:").take_while(|line| *line != "Exit status:");
        for line in lines.filter_map(|line| line.strip_prefix("  svc ")) {
            let arguments: Vec<&str> = line.split_whitespace().collect();
            // The documents are not there; everything before that is right.
            let output = folder.svc(&arguments);
            assert_eq!(output.status, 2, "{line}: {output:?}");
            let said = format!("{}{}", output.stdout, output.stderr);
            assert!(said.contains("SettingsFileNotFound"), "{line}: {output:?}");
            assert!(!output.stderr.contains("Usage:"), "{line}: {output:?}");
            let is_powershells =
                |word: &&str| word.starts_with('-') && word.contains(|letter: char| letter.is_uppercase());
            assert!(!arguments[0].contains("-Svc") && !arguments.iter().any(is_powershells), "{line}");
            examples += 1;
        }
    }
    assert!(examples > 2 * COMMANDS.len(), "{examples}");
}

/// Debian's and Homebrew's daemontools have a `svc` of their own; ours may be called otherwise beside it.
#[cfg(unix)]
#[test]
fn the_program_works_under_another_name() {
    let folder = Folder::new();
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let other = folder.path("svc-deploy");
    std::fs::copy(env!("CARGO_BIN_EXE_svc"), &other).unwrap();
    let mut command = std::process::Command::new(&other);
    command.args(["validate", "storage.yml"]).current_dir(folder.path(""));
    // A process that another test starts meanwhile holds the new file open until it is what it is to be.
    let mut attempts = (0..100).map(|_| command.output());
    let is_busy = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ExecutableFileBusy;
    let output = attempts.find(|output| {
        let is_busy = output.as_ref().is_err_and(is_busy);
        if is_busy {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        !is_busy
    });
    let output = output.unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("valid"), "{output:?}");
}

/// What `validate` would ignore is not offered, and still taken: a script may say it for every verb.
#[test]
fn validate_offers_nothing_that_it_ignores() {
    let folder = Folder::new();
    let help = folder.svc(&["help", "validate"]).stdout;
    for option in
        ["--offline", "--plan-report", "--approved-plan", "--request-timeout", "--local-state-file", "--tenant-id"]
    {
        assert!(!help.contains(option), "{option}");
        assert!(folder.svc(&["help", "plan"]).stdout.contains(option), "{option}");
    }
    for option in ["--environment", "--project-root", "--tag-settings-file"] {
        assert!(help.contains(option), "{option}");
    }
    assert!(help.contains("or a folder of them") && !help.contains("The same as an option"), "{help}");
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    let output = folder.svc(&["validate", "storage.yml", "--request-timeout", "30s"]);
    assert_eq!(output.status, 0, "{output:?}");
}

/// The same of what makes no plan, or only compares: what says of a plan what may be in it is taken, and not shown.
#[test]
fn what_makes_no_plan_offers_nothing_that_is_said_of_plans() {
    let folder = Folder::new();
    let offers = |subcommand: &str, option: &str| {
        folder.svc(&["help", subcommand]).stdout.lines().any(|line| line.trim_start().starts_with(option))
    };
    folder.write("storage.yml", &format!("component: storage\n{DOCUMENT}"));
    for option in ["--approved-plan", "--max-deletes", "--no-delete", "--prune", "--rehearse", "--check-policies"] {
        for subcommand in ["template", "explain", "export", "drift"] {
            assert!(!offers(subcommand, option), "{subcommand} {option}");
        }
        assert!(offers("plan", option), "{option}");
    }
    for subcommand in ["template", "explain", "export"] {
        for option in ["--allow-foreign-deletes", "--enforce-defaults"] {
            assert!(!offers(subcommand, option) && offers("plan", option), "{subcommand} {option}");
        }
    }
    assert!(offers("drift", "--except") && offers("drift", "--allow-foreign-deletes"));
    let guarded = ["template", "storage.yml", "--offline", "--cloud", "local", "--no-delete", "--max-deletes", "0"];
    let output = folder.svc(&guarded);
    assert_eq!(output.status, 0, "{output:?}");
    let output = folder.svc(&["export", "storage", "-g", "rg-shop", "--cloud", "local", "--offline"]);
    assert!(output.status == 2 && output.stderr.contains("Leave offline out."), "{output:?}");
}
