//! The Pester tests hold no fact of the engine. They run where PowerShell is, which is seldom, and compare what the module makes of a run
//! with what the library says; a name, a count or a word of the engine in them would be wrong before anybody notices.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use svc_engine::protocol::{Code, FindingCode};
use tree_sitter::Node;

use crate::script::{Script, child, find};
use crate::{module, read, root};

/// The commands that a test may call inside of the module beside the module's own functions.
const CALLED_INSIDE: [&str; 1] = ["Get-ChildItem"];

/// The shortest text that is taken for words of the engine.
const WORDS: usize = 12;

/// The scripts of the suite, each with its name.
fn suite() -> Vec<(String, String)> {
    let paths = files_below(&root().join("tests/pester"), &["ps1", "psm1"]);
    assert!(paths.len() > 15, "{paths:?}");
    paths.into_iter().map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path))).collect()
}

/// Those that run commands. The objects of the views are made up.
fn runs() -> impl Iterator<Item = (String, String)> {
    suite().into_iter().filter(|(name, _)| name != "Views.Tests.ps1")
}

fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, extensions));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The texts of a script but for the names of its tests.
fn texts<'script>(script: &'script Script, part: Node<'_>) -> Vec<&'script str> {
    let names: BTreeSet<usize> = find(part, "command")
        .into_iter()
        .filter(|command| {
            let name = child(*command, "command_name").map(|name| script.text(name));
            name.is_some_and(|name| ["It", "Describe", "Context"].contains(&name))
        })
        .filter_map(|command| find(command, "string_literal").first().map(Node::start_byte))
        .collect();
    let literals = find(part, "string_literal").into_iter().filter(|literal| !names.contains(&literal.start_byte()));
    literals.map(|literal| script.text(literal)).collect()
}

/// Names that nothing has: the helpers of the module had been renamed, and every test that asked the library failed.
#[test]
fn what_tests_call_inside_of_the_module_is_there() {
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    let functions: BTreeSet<&str> = script.functions().iter().map(|function| function.name).collect();
    let mut checked = 0;
    for (name, text) in suite() {
        let tests = Script::parse(&text);
        let own: BTreeSet<&str> = tests.functions().iter().map(|function| function.name).collect();
        let inside = find(tests.root(), "command").into_iter().filter(|command| {
            let text = tests.text(*command);
            text.starts_with("& $module {") || text.starts_with("InModuleScope ")
        });
        for (called, _) in
            inside.flat_map(|command| tests.calls(command)).filter(|(called, _)| *called != "InModuleScope")
        {
            let known = functions.contains(called) || own.contains(called) || CALLED_INSIDE.contains(&called);
            assert!(known || called.starts_with("$"), "{name}: the module has no {called}");
            checked += 1;
        }
        // In scripts for other processes as well.
        for part in text.split("-SvcModule").collect::<Vec<_>>().windows(2) {
            let verb: String = part[0].chars().rev().take_while(char::is_ascii_alphabetic).collect();
            let verb: String = verb.chars().rev().collect();
            let noun: String = part[1].chars().take_while(char::is_ascii_alphanumeric).collect();
            if !verb.is_empty() && !noun.is_empty() {
                let called = format!("{verb}-SvcModule{noun}");
                assert!(functions.contains(called.as_str()), "{name}: the module has no {called}");
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn no_test_expects_a_code_of_the_engine() {
    let of_module = read(&module().join("SvcDeploy.psm1"));
    let codes = Code::all().map(|code| code.as_str().to_owned());
    let codes: Vec<String> = codes.filter(|code| !of_module.contains(&format!("-Code '{code}'"))).collect();
    let findings: Vec<String> = FindingCode::all().map(|code| code.as_str().to_owned()).collect();
    assert!(codes.len() > 20 && findings.len() > 10);
    for (name, text) in suite() {
        let script = Script::parse(&text);
        for literal in texts(&script, script.root()) {
            let words: Vec<&str> = literal.split(|sign: char| !sign.is_ascii_alphanumeric()).collect();
            for code in &codes {
                assert!(!words.contains(&code.as_str()), "{name} expects {code}: {literal}");
            }
            let bare = literal.trim_matches(['\'', '"']);
            assert!(!findings.iter().any(|code| code == bare), "{name} expects the finding {literal}");
        }
    }
}

#[test]
fn no_test_knows_a_name_that_the_engine_makes() {
    let state: Value = serde_json::from_str(&read(&root().join("tests/pester/landing-zone-state.json"))).unwrap();
    let landing_zone: Vec<&str> = state["resources"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|resource| resource["body"]["type"].as_str().unwrap().matches('/').count() == 1)
        .map(|resource| resource["body"]["name"].as_str().unwrap())
        .filter(|name| !name.contains('.'))
        .collect();
    assert!(landing_zone.len() > 10, "{landing_zone:?}");
    assert!(is_generated("rg-log-alerts-mon-b215e283") && is_generated("'*ped-spoke-0a1b2c3d'"));
    assert!(is_generated("stpester97de097b") && !is_generated("11111111-1111-1111-1111-111111111111"));
    for (name, text) in runs() {
        let script = Script::parse(&text);
        for literal in texts(&script, script.root()) {
            assert!(!is_generated(literal), "{name} knows {literal}");
            for known in &landing_zone {
                let is_there =
                    literal.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').any(|word| word == *known);
                assert!(!is_there, "{name} knows {known}: {literal}");
            }
        }
    }
}

/// Whether a text has a name with the hash that the naming convention puts at its end.
fn is_generated(text: &str) -> bool {
    let is_hash =
        |word: &str| word.len() == 8 && word.chars().all(|sign| sign.is_ascii_hexdigit() && !sign.is_ascii_uppercase());
    text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').any(|word| {
        let parts: Vec<&str> = word.split('-').collect();
        let is_guid = parts.len() == 5 && parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]);
        let ends = parts.len() > 1 && parts.last().is_some_and(|part| is_hash(part));
        let account = word.strip_prefix("st").filter(|rest| rest.len() > 8 && !rest.contains('-'));
        let is_account = account.is_some_and(|rest| {
            let hash = &rest[rest.len() - 8..];
            is_hash(hash) && hash.contains(|sign: char| sign.is_ascii_digit())
        });
        !is_guid && (ends || is_account)
    })
}

#[test]
fn no_test_counts_what_the_engine_plans() {
    for (name, text) in runs() {
        for (number, line) in text.lines().enumerate() {
            for count in line.split(".Count | Should -Be ").skip(1) {
                let digits: String = count.chars().take_while(char::is_ascii_digit).collect();
                let is_number = !count[digits.len()..].starts_with(|sign: char| sign.is_ascii_alphanumeric());
                let counted = is_number && digits.parse::<u32>().is_ok_and(|count| count > 1);
                assert!(!counted, "{name}:{} counts: {line}", number + 1);
            }
        }
    }
}

/// Words that a test expects, and that the engine says somewhere and the module nowhere.
#[test]
fn no_test_expects_words_of_the_engine() {
    let engine: String = files_below(&root().join("src"), &["rs"]).iter().map(|path| read(path)).collect();
    let own: String =
        files_below(&root().join("module/templates"), &["in", "ps1xml"]).iter().map(|path| read(path)).collect();
    assert!(said("'*did you mean*'", &engine, &own).is_some(), "words of the engine are not noticed");
    assert!(
        said("'*is a folder; expected*'", &engine, &own).is_none(),
        "words of the module are taken for the engine's"
    );
    for (name, text) in runs() {
        let script = Script::parse(&text);
        for pipeline in find(script.root(), "pipeline") {
            let literals = texts(&script, pipeline).into_iter();
            let is_expected =
                script.text(pipeline).contains("Should -") && find(pipeline, "script_block_expression").is_empty();
            // A pattern is expected wherever it stands.
            for literal in literals.filter(|literal| is_expected || literal.trim_matches(['\'', '"']).starts_with('*'))
            {
                let found = said(literal, &engine, &own);
                assert!(found.is_none(), "{name} expects what the engine says, {found:?}: {literal}");
            }
        }
    }
}

/// The part of an expected text that only the engine says.
fn said<'text>(literal: &'text str, engine: &str, own: &str) -> Option<&'text str> {
    literal
        .split(['*', '$', '`', '\'', '"', '(', ')', '[', ']', '\\', '\n'])
        .filter(|part| part.trim().contains(' ') && part.len() >= WORDS)
        .find(|part| engine.contains(part) && !own.contains(part))
}
