//! Everything that PowerShell or a C# compiler will read can be parsed.

use std::path::{Path, PathBuf};

use tree_sitter::Parser;

use crate::script::{Script, mistakes};
use crate::{module, read, root};

fn assert_parses(what: &str, text: &str) {
    let script = Script::parse(text);
    let found = mistakes(script.root());
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn a_mistake_is_found() {
    assert!(!mistakes(Script::parse("function A { if ($x { } }").root()).is_empty());
}

#[test]
fn the_scripts_parse() {
    for name in ["SvcDeploy.psm1", "SvcDeploy.psd1"] {
        assert_parses(name, &read(&module().join(name)));
    }
}

#[test]
fn the_pester_tests_parse() {
    let folder = root().join("tests/pester");
    let scripts: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ps1" || extension == "psm1"))
        .collect();
    assert!(scripts.iter().any(|path| path.to_str().unwrap().ends_with(".Tests.ps1")));
    for path in scripts {
        let text = read(&path);
        assert!(text.is_ascii(), "{} has characters that are not ASCII", path.display());
        assert_parses(path.to_str().unwrap(), &text);
    }
}

#[test]
fn the_bindings_parse() {
    assert_c_sharp_parses("Interop.cs", &read(&module().join("Interop.cs")));
    assert_c_sharp_parses("TestHost.cs", &read(&root().join("tests/pester/TestHost.cs")));
}

fn assert_c_sharp_parses(what: &str, text: &str) {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let found = mistakes(tree.root_node());
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn the_examples_parse() {
    for command in svc_engine::run::registry::COMMANDS {
        for example in command.examples {
            assert!(!example.code.contains('\n'), "the help takes the first line only: {}", example.code);
            assert_parses(example.code, example.code);
        }
    }
}

/// Nothing here reads XML, and the format file uses little of it: elements, text, comments and `&gt;`.
#[test]
fn the_views_are_well_formed_and_their_scripts_parse() {
    let text = read(&module().join("SvcDeploy.Format.ps1xml"));
    let mut open: Vec<&str> = Vec::new();
    let mut scripts = 0;
    for part in text.split('<').skip(1) {
        let (tag, content) = part.split_once('>').unwrap();
        if tag.starts_with(['?', '!']) || tag.ends_with('/') {
            continue;
        }
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "an element is closed that is not the last one opened"),
            None => open.push(tag),
        }
        assert!(!content.replace("&gt;", "").contains(['&', '>']), "a sign is not escaped: {content}");
        if tag == "ScriptBlock" {
            assert_parses("a view", &content.replace("&gt;", ">"));
            scripts += 1;
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    assert!(scripts > 0);
}

#[test]
fn the_about_topic_fits_a_terminal() {
    let path: &Path = &module().join("en-US/about_SvcDeploy.help.txt");
    for line in read(path).lines() {
        assert!(line.len() <= 80, "{line}");
    }
}
