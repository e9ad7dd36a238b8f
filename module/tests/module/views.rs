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
        element("CustomEntries", Content::Elements(&["CustomEntry+"])),
        element("CustomEntry", Content::Elements(&["EntrySelectedBy", "CustomItem"])),
        element("EntrySelectedBy", Content::Elements(&["TypeName+"])),
        element("CustomItem", Content::Elements(&["ExpressionBinding|NewLine|Text|Frame+"])),
        element("NewLine", Content::Empty),
        element("Text", Content::Text),
        element("Frame", Content::Elements(&["LeftIndent?", "CustomItem"])),
        element("LeftIndent", Content::Number),
        element("ExpressionBinding", Content::Elements(&["PropertyName|ScriptBlock"])),
    ],
};

/// The part of PowerShell's type files that lists need.
pub(crate) const TYPES_GRAMMAR: Grammar = Grammar {
    root: "Types",
    namespaces: &[],
    elements: &[
        element("Types", Content::Elements(&["Type+"])),
        element("Type", Content::Elements(&["Name", "Members"])),
        element("Name", Content::Text),
        element("Members", Content::Elements(&["MemberSet|PropertySet+"])),
        element("MemberSet", Content::Elements(&["Name", "Members"])),
        element("PropertySet", Content::Elements(&["Name", "ReferencedProperties"])),
        element("ReferencedProperties", Content::Elements(&["Name+"])),
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
    broken("<Name>Svc</Name>", "<Name>&arrow;</Name>");
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

/// The first object chooses the view, and what the view does not know is a list of all properties. Results of jobs have come through
/// another process.
#[test]
fn one_view_shows_everything_of_ours_in_lines() {
    with_views(|views| {
        let types = |node| -> Vec<String> { below(node, "TypeName").map(content).collect() };
        for selected in below(views.root(), "EntrySelectedBy").chain(below(views.root(), "ViewSelectedBy")) {
            for pair in types(selected).chunks(2) {
                assert_eq!(pair[1], format!("Deserialized.{}", pair[0]));
            }
        }
        let first = below(views.root(), "View").next().unwrap();
        assert_eq!(below(first, "CustomControl").count(), 1, "lines are what PowerShell chooses");
        let chosen: BTreeSet<String> = types(inside(first, "ViewSelectedBy").next().unwrap()).into_iter().collect();
        let entries: Vec<String> = below(first, "EntrySelectedBy").flat_map(types).collect();
        assert_eq!(entries.len(), chosen.len(), "an entry twice");
        assert_eq!(entries.into_iter().collect::<BTreeSet<String>>(), chosen);
        let written = crate::interop::classes();
        let of_bindings = [
            "PlannedAction",
            "DeployedResource",
            "PropertyChange",
            "Finding",
            "Failure",
            "TemplateCall",
            "TemplateParameter",
            "Drift",
            "Difference",
        ];
        for class in of_bindings {
            assert!(written.contains_key(class) && chosen.contains(&format!("Svc.{class}")), "{class}");
        }
        assert_eq!(chosen.len(), 2 * (of_bindings.len() + 3), "and the template, the context and its values");
    });
}

/// What is a list after all, because something foreign came first, is a short one.
#[test]
fn the_lists_name_properties_that_there_are() {
    let text = read(&module().join("SvcDeploy.Types.ps1xml"));
    let types = TYPES_GRAMMAR.read(&text).unwrap();
    let classes = crate::interop::classes();
    let mut checked = 0;
    for known in below(types.root(), "Type") {
        let name = inside(known, "Name").map(content).next().unwrap();
        let shown: Vec<String> =
            below(known, "ReferencedProperties").flat_map(|list| inside(list, "Name")).map(content).collect();
        let Some((_, properties)) = classes.get(name.trim_start_matches("Deserialized.").trim_start_matches("Svc."))
        else {
            continue;
        };
        for property in shown {
            assert!(properties.contains(&property), "{name}.{property}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
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
                // A path that is broken is none that an editor finds.
                assert!(
                    !["Path", "Resource", "Name"].contains(&label.as_str()),
                    "{label} is in a column that breaks it"
                );
            }
            assert!(left >= NARROWEST_COLUMN, "{left} columns are left for the last one");
        }
    });
}

/// The property keeps the protocol's words, which scripts filter by; people read these.
#[test]
fn the_words_of_the_views_are_those_of_people() {
    with_views(|views| {
        let scripts: String = below(views.root(), "ScriptBlock").map(content).collect();
        for word in [
            "'+ created'",
            "'~ changed'",
            "'- deleted'",
            "'+ create'",
            "'~ change'",
            "'- delete'",
            "'! keep'",
            "'= up to date'",
        ] {
            assert!(scripts.contains(word), "{word}");
        }
        // A resource group is not in itself.
        assert!(scripts.contains("'Microsoft.Resources/resourceGroups' -ne $_.Type"));
    });
}

/// What a view reads of an object is what the object has, and users are told of all of that.
#[test]
fn the_views_and_the_classes_know_the_members_of_the_documentation() {
    let documentation = read(&root().join("docs/powershell-module.md"));
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    let classes = crate::interop::classes();
    let of_script = |function: &str| -> BTreeSet<String> {
        let entries = find(script.function_named(function).node, "hash_entry").into_iter();
        let keys = entries.map(|entry| script.text(child(entry, "key_expression").unwrap()).to_owned());
        keys.filter(|key| key != "PSTypeName").collect()
    };
    let mut given: Vec<(String, BTreeSet<String>)> = vec![
        ("Svc.ContextValue".to_owned(), of_script("Get-SvcModuleContextSource")),
        ("Svc.Template".to_owned(), of_script("ConvertTo-SvcModuleTemplate")),
    ];
    for class in [
        "DeployedResource",
        "PlannedAction",
        "PropertyChange",
        "Finding",
        "Failure",
        "TemplateParameter",
        "TemplateCall",
        "Drift",
        "Difference",
    ] {
        given.push((format!("Svc.{class}"), classes[class].1.clone()));
    }
    for (name, given) in given {
        let row = documentation.lines().find(|line| line.starts_with('|') && line.contains(&name));
        let row = row.unwrap_or_else(|| panic!("docs/powershell-module.md has no row about {name}"));
        let documented: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
        for member in &given {
            assert!(documented.contains(member.as_str()), "{name}.{member} is not in docs/powershell-module.md");
        }
        with_views(|views| {
            let of_type = |entry: &roxmltree::Node<'_, '_>| below(*entry, "TypeName").any(|node| content(node) == name);
            let entries: Vec<_> = below(views.root(), "CustomEntry").filter(of_type).collect();
            let [entry] = entries.as_slice() else { panic!("{name} has {} entries", entries.len()) };
            // Some types have one entry, which leaves it to the object how it is shown.
            if below(*entry, "TypeName").count() > 2 {
                return;
            }
            for member in members(*entry) {
                let known = given.contains(&member)
                    || (name == "Svc.PlannedAction" && classes["PropertyChange"].1.contains(&member));
                assert!(known, "{name} has no {member}");
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
