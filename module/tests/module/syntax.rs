//! Everything that PowerShell or a C# compiler will read can be parsed.

use std::path::PathBuf;

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
fn the_powershell_of_the_docs_parses() {
    let mut parsed = 0;
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        for block in read(&path).split("\n```powershell").skip(1) {
            let (_, code) = block.split_once('\n').unwrap();
            let code = code.split("\n```").next().unwrap();
            assert_parses(&format!("{}:\n{code}", path.display()), &format!("{code}\n"));
            parsed += 1;
        }
    }
    assert!(parsed > 8, "{parsed}");
}

#[test]
fn the_bindings_parse() {
    assert_c_sharp_parses("Interop.cs", &read(&module().join("Interop.cs")));
    for name in ["TestHost.cs", "Registry.cs"] {
        assert_c_sharp_parses(name, &read(&root().join("tests/pester").join(name)));
    }
}

fn assert_c_sharp_parses(what: &str, text: &str) {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let found = mistakes(tree.root_node());
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}
