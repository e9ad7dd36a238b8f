//! Completions and manual pages.

use std::path::Path;
use std::process::{Command, Stdio};

use super::support::*;

/// Runs a program of the machine with a text on standard input; none where the machine has no such program.
fn run(program: &str, arguments: &[&str], input: &str) -> Option<Output> {
    let mut command = Command::new(program);
    let spawned = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = spawned else {
        eprintln!("SKIPPED: there is no '{program}' on this machine");
        return None;
    };
    use std::io::Write;
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Some(finish(child))
}

#[test]
fn completions_of_every_shell_are_what_the_shell_takes() {
    let folder = Folder::new();
    for (shell, program, arguments) in [
        ("bash", "bash", &["-n"][..]),
        ("zsh", "zsh", &["-n"]),
        ("fish", "fish", &["--no-execute"]),
        ("elvish", "elvish", &["-compileonly", "/dev/stdin"]),
        ("powershell", "pwsh", &["-NoProfile", "-Command", "[void][scriptblock]::Create([Console]::In.ReadToEnd())"]),
    ] {
        let output = folder.svc(&["completions", shell]);
        assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{shell}");
        for word in ["new-iaas-storage", "validate", "detailed-exitcode"] {
            assert!(output.stdout.contains(word), "{word} for {shell}");
        }
        if let Some(parsed) = run(program, arguments, &output.stdout) {
            assert_eq!((parsed.status, parsed.stderr.as_str()), (0, ""), "{shell}");
        }
    }
    assert_eq!(folder.svc(&["completions", "tcsh"]).status, 2);
}

#[test]
fn bash_completes_verbs_options_and_values() {
    let folder = Folder::new();
    let completions = folder.svc(&["completions", "bash"]).stdout;
    for (words, expected) in [
        ("svc va", "validate"),
        ("svc plan --detailed", "--detailed-exitcode"),
        ("svc apply -o g", "github"),
        ("svc plan --cloud lo", "local"),
        ("svc apply --environment prod", "production"),
        ("svc new sto", "storage"),
        ("svc New-SvcIaasSt", "New-SvcIaasStorage"),
        ("svc New-SvcIaasStorage --environment prod", "production"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = format!(
            "{completions}\nCOMP_WORDS=({}); COMP_CWORD={}; _svc svc '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1
        );
        let Some(output) = run("bash", &[], &script) else { return };
        assert_eq!(output.stdout.trim(), expected, "{words:?}: {output:?}");
    }
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
