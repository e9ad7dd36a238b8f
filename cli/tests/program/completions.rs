//! Completions and manual pages.

use std::path::Path;
use std::process::{Command, Stdio};

use super::support::*;

/// Runs a program of the machine with a text on standard input; none where the machine has no such program. It finds `svc`.
fn run(program: &str, arguments: &[&str], input: &str) -> Option<Output> {
    let ours = Path::new(env!("CARGO_BIN_EXE_svc")).parent().unwrap();
    let path = format!("{}:{}", ours.display(), std::env::var("PATH").unwrap());
    let empty = tempfile::tempdir().unwrap();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&empty).env("PATH", path);
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = spawned else {
        eprintln!("SKIPPED: there is no '{program}' on this machine");
        return None;
    };
    use std::io::Write;
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Some(finish(child))
}

fn script(shell: &str) -> String {
    let output = Folder::new().svc(&["completions", shell]);
    assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{shell}");
    output.stdout
}

/// Words of a command line, of which the last is being typed, and what is offered for it.
const TABLE: &[(&str, &[&str])] = &[
    ("svc va", &["validate"]),
    ("svc plan --detailed", &["--detailed-exitcode"]),
    ("svc apply -o g", &["github"]),
    ("svc apply -yqo g", &["github"]),
    ("svc plan --cloud lo", &["local"]),
    ("svc plan --cloud=lo", &["--cloud=local"]),
    ("svc apply s.yml --environment prod", &["production"]),
    ("svc new sto", &["storage"]),
    ("svc schema locat", &["locations"]),
    ("svc export metric", &["metricAlerts"]),
    ("svc help exp", &["explain", "export"]),
    ("svc completions e", &["elvish"]),
    // What no program reads is left to the shell: files.
    ("svc plan --path", &[]),
    ("svc plan s.yml --subscription-id pu", &[]),
    ("svc plan -- --cl", &[]),
    // As PowerShell spells it, in any letter case.
    ("svc New-SvcIaasSt", &["New-SvcIaasStorage"]),
    ("svc new-svciaasst", &["New-SvcIaasStorage"]),
    ("svc New-SvcIaasStorage -W", &["-WhatIf"]),
    ("svc New-SvcIaasStorage -Cloud lo", &["local"]),
    ("svc New-SvcIaasStorage -SettingsFile s.yml -cloud:lo", &["-cloud:local"]),
    ("svc New-SvcIaasStorage --environment prod", &["production"]),
    ("svc new-iaas-storage -Environment Prod", &["production"]),
    ("svc plan -Cloud lo", &["local"]),
    ("svc plan -Pl", &["-PlanReport"]),
    ("svc plan -whatif:", &["-whatif:true", "-whatif:false"]),
    ("svc plan -WhatIf:f", &["-WhatIf:false"]),
    ("svc export storage -Over", &["-Overwrite"]),
    ("svc template -Late", &["-LateBinding"]),
    // It is not read there.
    ("svc local -Sta", &[]),
    ("svc plan -Settings", &[]),
];

/// Asks a shell for each line of the table, with its words and the last of them; it prints a line for each.
fn offers_what_the_table_says(shell: &str, arguments: &[&str], before: &str, ask: impl Fn(&[&str], &str) -> String) {
    let mut text = format!("{before}\n{}\n", script(shell));
    for (words, _) in TABLE {
        let words: Vec<&str> = words.split(' ').collect();
        text += &(ask(&words, words[words.len() - 1]) + "\n");
    }
    let Some(output) = run(shell, arguments, &text) else { return };
    assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{shell}: {output:?}");
    assert_eq!(output.stdout.lines().count(), TABLE.len(), "{shell}: {output:?}");
    for (line, (words, expected)) in output.stdout.lines().zip(TABLE) {
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), *expected, "{shell}: {words}");
    }
}

fn ask_bash(words: &[&str], last: &str) -> String {
    format!(
        "COMP_WORDS=({}); COMP_CWORD={}; _svc svc '{last}' before; echo \"${{COMPREPLY[*]}}\"",
        words.join(" "),
        words.len() - 1
    )
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_and_values() {
    offers_what_the_table_says("bash", &[], "", ask_bash);
    // It splits words at = and :, and a sign at the end is a word.
    for (words, last, expected) in [
        ("svc plan --cloud = lo", "lo", "local"),
        ("svc plan -Cloud : lo", "lo", "local"),
        ("svc plan -WhatIf :", "", "true false"),
        ("svc plan --cloud = local --environment = i", "i", "integration"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let output = run("bash", &[], &format!("{}\n{}\n", script("bash"), ask_bash(&words, last))).unwrap();
        assert_eq!(output.stdout.trim(), expected, "{words:?}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn zsh_completes_the_same() {
    // What it has at a terminal only: where it would show files, nothing is printed.
    let terminal = "compdef() { }; _files() { print; }; \
                    _describe() { local shown=(${found//\\\\:/%}); shown=(${shown%%:*}); print -r -- ${shown//\\%/:}; }";
    offers_what_the_table_says("zsh", &["-f"], terminal, |words, last| {
        format!("words=({}); CURRENT={}; PREFIX='{last}'; _svc", words.join(" "), words.len())
    });
}

#[cfg(unix)]
#[test]
fn fish_completes_the_same() {
    offers_what_the_table_says("fish", &["--no-config"], "", |words, _| {
        format!("echo (complete --do-complete '{}' | string replace --regex '\\t.*' '')", words.join(" "))
    });
}

#[cfg(unix)]
#[test]
fn elvish_completes_the_same() {
    // What it has at a terminal only: where it would show files, nothing is printed.
    let terminal = "var edit: = (ns [&completion:=(ns [&arg-completer=[&]]) &complete-filename~={|@words| } \
                    &complex-candidate~={|word &display=''| put $word }])";
    offers_what_the_table_says("elvish", &["/dev/stdin"], terminal, |words, _| {
        format!("echo ($edit:completion:arg-completer[svc] '{}')", words.join("' '"))
    });
}

/// There is no PowerShell where this is run: its script is parsed, and is told what the others are.
#[test]
fn the_script_of_powershell_parses() {
    let script = script("powershell");
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_powershell::LANGUAGE.into()).unwrap();
    assert!(parser.parse("function A { if ($x { } }", None).unwrap().root_node().has_error());
    let parsed = parser.parse(&script, None).unwrap();
    assert!(!parsed.root_node().has_error(), "{}", parsed.root_node().to_sexp());
    assert!(script.contains("-CommandName 'svc', 'svc.exe'") && script.contains("& $program @arguments"));
    let parse = "[void][scriptblock]::Create([Console]::In.ReadToEnd())";
    if let Some(parsed) = run("pwsh", &["-NoProfile", "-Command", parse], &script) {
        assert_eq!((parsed.status, parsed.stderr.as_str()), (0, ""));
    }
}

#[cfg(unix)]
#[test]
fn completions_are_for_the_name_that_the_program_has() {
    let folder = Folder::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_svc"), folder.path("svc-deploy")).unwrap();
    let output = Command::new(folder.path("svc-deploy")).args(["completions", "bash"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("-F _svc svc-deploy\n"));
    assert_eq!(folder.svc(&["completions", "tcsh"]).status, 2);
}

#[test]
fn manual_pages_can_be_set() {
    let folder = Folder::new();
    let page = folder.svc(&["man"]);
    assert_eq!((page.status, page.stderr.as_str()), (0, ""));
    let written = folder.svc(&["man", "--path", "pages/man1"]);
    assert_eq!(
        (written.status, written.stdout.as_str()),
        (0, "The manual pages are in 'pages/man1'.\n"),
        "{written:?}"
    );
    for name in ["svc.1", "svc-plan.1", "svc-new-iaas-storage.1", "svc-local-import.1"] {
        let text = std::fs::read_to_string(folder.path("pages/man1").join(Path::new(name))).unwrap();
        assert!(text.contains(".TH ") && !text.contains(".SH EXTRA"), "{name}");
        if name != "svc.1" {
            assert!(text.contains(".SH EXAMPLES\n.nf\n  "), "{name}: {text}");
        }
        if ["svc-plan.1", "svc-new-iaas-storage.1"].contains(&name) {
            assert!(text.contains(".fi\n.SH \"EXIT STATUS\"\n.nf\n  0 "), "{name}: {text}");
        }
        let Some(output) = run("groff", &["-man", "-Tutf8", "-ww", "-z"], &text) else { return };
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{name}");
    }
    folder.write("occupied", "");
    let failed = folder.svc(&["man", "--path", "occupied"]);
    assert_eq!(failed.status, 1);
    assert!(failed.stderr.starts_with("The manual pages cannot be written to 'occupied': "), "{failed:?}");
}
