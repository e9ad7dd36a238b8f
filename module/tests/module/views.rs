//! The views are what PowerShell reads, and fit a terminal.

use std::collections::BTreeSet;

use roxmltree::Document;

use crate::markup::{Content, Element, Grammar, below, content, inside};
use crate::script::{Script, child, find, mistakes};
use crate::{module, read, root};

const NAME: &str = "SvcDeploy.Format.ps1xml";

/// The columns of an ordinary terminal.
const TERMINAL: usize = 80;

/// The longest label and the narrowest column that a person reads with ease.
const NARROWEST_COLUMN: usize = 30;

const fn element(name: &'static str, content: Content) -> Element {
    Element { name, attributes: &[], content }
}

/// The part of PowerShell's format files that views need (its Format.xsd has the whole of it). The order is the schema's
/// where that has one.
pub(crate) const GRAMMAR: Grammar = Grammar {
    root: "Configuration",
    namespaces: &[],
    elements: &[
        element("Configuration", Content::Elements(&["ViewDefinitions"])),
        element("ViewDefinitions", Content::Elements(&["View+"])),
        element("View", Content::Elements(&["Name", "ViewSelectedBy", "TableControl|ListControl|CustomControl"])),
        element("Name", Content::Text),
        element("ViewSelectedBy", Content::Elements(&["TypeName+"])),
        element("TypeName", Content::Text),
        element("TableControl", Content::Elements(&["AutoSize?", "TableHeaders", "TableRowEntries"])),
        element("AutoSize", Content::Empty),
        element("TableHeaders", Content::Elements(&["TableColumnHeader+"])),
        element("TableColumnHeader", Content::Elements(&["Label", "Width?", "Alignment?"])),
        element("Label", Content::Text),
        element("Width", Content::Number),
        element("Alignment", Content::OneOf(&["Left", "Right", "Center"])),
        element("TableRowEntries", Content::Elements(&["TableRowEntry"])),
        element("TableRowEntry", Content::Elements(&["Wrap?", "TableColumnItems"])),
        element("Wrap", Content::Empty),
        element("TableColumnItems", Content::Elements(&["TableColumnItem+"])),
        element("TableColumnItem", Content::Elements(&["PropertyName|ScriptBlock", "FormatString?", "Alignment?"])),
        element("PropertyName", Content::Text),
        element("ScriptBlock", Content::Text),
        element("FormatString", Content::Text),
        element("ListControl", Content::Elements(&["ListEntries"])),
        element("ListEntries", Content::Elements(&["ListEntry"])),
        element("ListEntry", Content::Elements(&["ListItems"])),
        element("ListItems", Content::Elements(&["ListItem+"])),
        element("ListItem", Content::Elements(&["Label?", "PropertyName|ScriptBlock", "FormatString?"])),
        element("CustomControl", Content::Elements(&["CustomEntries"])),
        element("CustomEntries", Content::Elements(&["CustomEntry"])),
        element("CustomEntry", Content::Elements(&["CustomItem"])),
        element("CustomItem", Content::Elements(&["ExpressionBinding|NewLine|Text|Frame+"])),
        element("NewLine", Content::Empty),
        element("Text", Content::Text),
        element("Frame", Content::Elements(&["LeftIndent?", "CustomItem"])),
        element("LeftIndent", Content::Number),
        element("ExpressionBinding", Content::Elements(&["PropertyName|ScriptBlock"])),
    ],
};

fn with_views(check: impl FnOnce(&Document<'_>)) {
    let text = read(&module().join(NAME));
    check(&GRAMMAR.read(&text).unwrap_or_else(|problem| panic!("{NAME}: {problem}")));
}

/// What kept the module from being imported was the first of these.
#[test]
fn a_broken_view_is_found() {
    let text = read(&module().join(NAME));
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        GRAMMAR.read(&text.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to} is not noticed"))
    };
    broken("do not edit.", "run it with -- generate");
    broken("-&gt;", "&arrow;");
    broken("</ViewDefinitions>", "");
    assert!(broken("<Wrap />", "<Wraps />").contains("Wraps"));
    assert!(broken("<Width>7</Width>", "<Width>wide</Width>").contains("'wide'"));
    assert!(broken("<Alignment>Right</Alignment>", "<Alignment>End</Alignment>").contains("'End'"));
    assert!(broken("<Label>Seconds</Label>", "").contains("Label"));
    assert!(broken("<Configuration>", "<Configuration xmlns=\"urn:views\">").contains("urn:views"));
    assert!(broken("<Label>Seconds</Label>", "Seconds <Label>Seconds</Label>").contains("text"));
}

#[test]
fn the_scripts_of_the_views_parse() {
    with_views(|views| {
        let scripts: Vec<String> = below(views.root(), "ScriptBlock").map(content).collect();
        assert!(!scripts.is_empty());
        for script in scripts {
            let parsed = Script::parse(&script);
            let found = mistakes(parsed.root());
            assert!(found.is_empty(), "{script}\n{}", found.join("\n"));
        }
    });
}

/// Results of jobs have come through another process.
#[test]
fn every_type_looks_the_same_after_a_job() {
    with_views(|views| {
        for view in below(views.root(), "View") {
            let types: Vec<String> = below(view, "TypeName").map(content).collect();
            assert_eq!(types.len(), 2, "{types:?}");
            assert_eq!(types[1], format!("Deserialized.{}", types[0]));
            assert_eq!(inside(view, "Name").map(content).collect::<Vec<_>>(), types[..1]);
        }
    });
}

#[test]
fn the_tables_cut_nothing_off_in_an_ordinary_terminal() {
    with_views(|views| {
        let tables: Vec<_> = below(views.root(), "TableControl").collect();
        assert!(!tables.is_empty());
        for table in tables {
            let headers: Vec<_> = below(table, "TableColumnHeader").collect();
            assert_eq!(headers.len(), below(table, "TableColumnItem").count());
            assert_eq!(below(table, "Wrap").count(), 1, "what is too long has to go on in the next line");
            let (last, fixed) = headers.split_last().unwrap();
            assert_eq!(inside(*last, "Width").count(), 0, "the last column takes what is left");
            let mut left = TERMINAL;
            for header in fixed {
                let width: usize = inside(*header, "Width").map(content).next().unwrap().parse().unwrap();
                let label = inside(*header, "Label").map(content).next().unwrap();
                assert!(label.len() <= width, "{label} is wider than its column");
                left -= width + 1;
            }
            assert!(left >= NARROWEST_COLUMN, "{left} columns are left for the last one");
        }
    });
}

/// The property keeps the protocol's words, which scripts filter by; people read these.
#[test]
fn the_words_of_the_views_are_those_of_people() {
    with_views(|views| {
        let script = |name: &str| -> String {
            let view = below(views.root(), "View").find(|view| inside(*view, "Name").any(|node| content(node) == name));
            below(view.unwrap(), "ScriptBlock").map(content).next().unwrap()
        };
        let parsed = script("Svc.DeployedResource");
        let parsed = Script::parse(&parsed);
        assert_eq!(
            parsed.strings(parsed.root()),
            ["create", "created", "modify", "changed", "delete", "deleted"],
            "'unchanged' stays as it is"
        );
        let planned = script("Svc.PlannedAction");
        for word in ["'+ create'", "'~ change'", "'- delete'"] {
            assert!(planned.contains(word), "{word}");
        }
    });
}

/// What a view reads of an object is what the script gives it, and users are told of all of that.
#[test]
fn the_views_and_the_script_know_the_members_of_the_documentation() {
    let documentation = read(&root().join("docs/powershell-module.md"));
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    for (name, function) in [
        ("Svc.DeployedResource", "ConvertTo-DeployedResource"),
        ("Svc.PlannedAction", "ConvertTo-PlannedAction"),
        ("Svc.PropertyChange", "ConvertTo-PlannedAction"),
        ("Svc.Finding", "ConvertTo-Finding"),
        ("Svc.Failure", "ConvertTo-Failure"),
        ("Svc.ContextValue", "Get-ContextSource"),
        ("Svc.Template", "ConvertTo-Template"),
    ] {
        let row = documentation.lines().find(|line| line.starts_with('|') && line.contains(name));
        let row = row.unwrap_or_else(|| panic!("docs/powershell-module.md has no row about {name}"));
        let documented: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
        let entries = find(script.function_named(function).node, "hash_entry").into_iter();
        let given: BTreeSet<&str> = entries.map(|entry| script.text(child(entry, "key_expression").unwrap())).collect();
        for member in given.iter().filter(|member| **member != "PSTypeName") {
            assert!(documented.contains(member), "{name}.{member} is not in docs/powershell-module.md");
        }
        with_views(|views| {
            let view = below(views.root(), "View").find(|view| inside(*view, "Name").any(|node| content(node) == name));
            // Objects with as many members as a failure are shown as lists without a view.
            let Some(view) = view else { return assert_eq!(name, "Svc.Failure") };
            let read = members(view);
            assert!(read.len() > 2, "{name}: {read:?}");
            for member in read {
                assert!(given.contains(member.as_str()), "{name} has no {member}");
            }
        });
    }
}

/// The properties that a view names, and what its scripts read of `$_` and of what is in that.
fn members(view: roxmltree::Node<'_, '_>) -> BTreeSet<String> {
    let mut members: BTreeSet<String> = below(view, "PropertyName").map(content).collect();
    for script in below(view, "ScriptBlock").map(content) {
        for variable in ["$_.", "$change.", "$parameter.", "$call."] {
            let rests = script.split(variable).skip(1);
            members.extend(rests.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>()));
        }
    }
    members
}
