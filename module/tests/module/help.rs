//! The help file is what PowerShell's help reads, and says what the registry says.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};
use svc_engine::run::registry::{COMMANDS, Command, ParameterKind, ParameterSet, all_commands};
use svc_engine::run::registry::{CONTEXT_MEMBERS, ContextMemberKind};

use crate::markup::{Content, Element, Grammar, below, content, inside};
use crate::registry::exported;
use crate::script::{Script, mistakes};
use crate::{module, read, root};

const NAME: &str = "en-US/SvcDeploy-help.xml";

const PARAMETER_ATTRIBUTES: &[&str] =
    &["required", "variableLength", "globbing", "pipelineInput", "position", "aliases"];

const fn element(name: &'static str, content: Content) -> Element {
    Element { name, attributes: &[], content }
}

/// The part of MAML that commands need, in the order in which PowerShell's own help files have it.
pub(crate) const GRAMMAR: Grammar = Grammar {
    root: "helpItems",
    namespaces: &[
        ("http://msh", ""),
        ("http://schemas.microsoft.com/maml/dev/command/2004/10", "command:"),
        ("http://schemas.microsoft.com/maml/2004/10", "maml:"),
        ("http://schemas.microsoft.com/maml/dev/2004/10", "dev:"),
    ],
    elements: &[
        Element { name: "helpItems", attributes: &["schema"], content: Content::Elements(&["command:command+"]) },
        element(
            "command:command",
            Content::Elements(&[
                "command:details",
                "maml:description",
                "command:syntax",
                "command:parameters",
                "command:inputTypes",
                "command:returnValues",
                "maml:alertSet",
                "command:examples",
                "command:relatedLinks",
            ]),
        ),
        element(
            "command:details",
            Content::Elements(&["command:name", "command:verb", "command:noun", "maml:description"]),
        ),
        element("command:name", Content::Text),
        element("command:verb", Content::Text),
        element("command:noun", Content::Text),
        element("maml:description", Content::Elements(&["maml:para+"])),
        element("maml:para", Content::OptionalText),
        element("command:syntax", Content::Elements(&["command:syntaxItem+"])),
        element("command:syntaxItem", Content::Elements(&["maml:name", "command:parameter*"])),
        element("maml:name", Content::Text),
        element("command:parameters", Content::Elements(&["command:parameter*"])),
        Element {
            name: "command:parameter",
            attributes: PARAMETER_ATTRIBUTES,
            content: Content::Elements(&[
                "maml:name",
                "maml:description",
                "command:parameterValue?",
                "dev:type",
                "dev:defaultValue",
            ]),
        },
        Element { name: "command:parameterValue", attributes: &["required", "variableLength"], content: Content::Text },
        element("dev:type", Content::Elements(&["maml:name", "maml:uri?"])),
        element("maml:uri", Content::OptionalText),
        element("dev:defaultValue", Content::OneOf(&["None", "False"])),
        element("command:inputTypes", Content::Elements(&["command:inputType+"])),
        element("command:inputType", Content::Elements(&["dev:type", "maml:description"])),
        element("command:returnValues", Content::Elements(&["command:returnValue+"])),
        element("command:returnValue", Content::Elements(&["dev:type", "maml:description"])),
        element("maml:alertSet", Content::Elements(&["maml:alert"])),
        element("maml:alert", Content::Elements(&["maml:para+"])),
        element("command:examples", Content::Elements(&["command:example+"])),
        element("command:example", Content::Elements(&["maml:title", "dev:code", "dev:remarks"])),
        element("maml:title", Content::Text),
        element("dev:code", Content::Text),
        element("dev:remarks", Content::Elements(&["maml:para+"])),
        element("command:relatedLinks", Content::Elements(&["maml:navigationLink+"])),
        element("maml:navigationLink", Content::Elements(&["maml:linkText", "maml:uri"])),
        element("maml:linkText", Content::Text),
    ],
};

fn with_help(check: impl FnOnce(&Document<'_>)) {
    let text = read(&module().join(NAME));
    check(&GRAMMAR.read(&text).unwrap_or_else(|problem| panic!("{NAME}: {problem}")));
}

fn topic<'node, 'text>(help: &'node Document<'text>, name: &str) -> Node<'node, 'text> {
    let found = below(help.root(), "command").find(|topic| text_of(*topic, &["details", "name"]) == name);
    found.unwrap_or_else(|| panic!("there is no help of {name}"))
}

/// The text of the first element on a path.
fn text_of(node: Node<'_, '_>, path: &[&'static str]) -> String {
    content(path.iter().fold(node, |node, name| {
        inside(node, name).next().unwrap_or_else(|| panic!("<{}> has no {name}", node.tag_name().name()))
    }))
}

/// The parameters directly in an element.
fn parameters<'node, 'text>(node: Node<'node, 'text>) -> Vec<Node<'node, 'text>> {
    inside(node, "parameter").collect()
}

fn names(parameters: &[Node<'_, '_>]) -> Vec<String> {
    parameters.iter().map(|parameter| text_of(*parameter, &["name"])).collect()
}

#[test]
fn a_broken_help_file_is_found() {
    let text = read(&module().join(NAME));
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        GRAMMAR.read(&text.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to} is not noticed"))
    };
    broken("</command:syntax>", "");
    broken("<maml:para>Deploys", "<maml:para>Deploys R&D");
    assert!(broken("maml/dev/2004/10\"", "maml/dev/2005/10\"").contains("maml/dev/2005/10"));
    assert!(broken("<command:noun>", "<command:noun>X</command:noun><command:noun>").contains("noun"));
    assert!(broken("<maml:uri />", "<maml:url />").contains("maml:url"));
    assert!(broken(" aliases=\"none\"", "").contains("attributes"));
    assert!(broken("<dev:code>", "<dev:remarks><maml:para /></dev:remarks><dev:code>").contains("dev:code"));
}

#[test]
fn the_help_is_that_of_every_exported_function_and_each_names_its_file() {
    with_help(|help| {
        let described: Vec<String> =
            below(help.root(), "command").map(|topic| text_of(topic, &["details", "name"])).collect();
        assert_eq!(described, exported());
        for name in &described {
            let topic = topic(help, name);
            let (verb, noun) = (text_of(topic, &["details", "verb"]), text_of(topic, &["details", "noun"]));
            assert_eq!(&format!("{verb}-{noun}"), name);
        }
    });
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    let file = NAME.rsplit('/').next().unwrap();
    for name in exported() {
        let comment = script.function_named(name).help.unwrap_or_default();
        assert_eq!(comment, format!("# .EXTERNALHELP {file}"), "{name}");
    }
}

#[test]
fn the_help_of_a_command_is_the_registrys() {
    with_help(|help| {
        for command in all_commands() {
            let topic = topic(help, command.name);
            assert_eq!(text_of(topic, &["details", "description"]), command.synopsis);
            assert_eq!(text_of(topic, &["description"]), command.description);
            for parameter in command.parameters {
                let shown = parameters(inside(topic, "parameters").next().unwrap());
                let shown = shown.into_iter().find(|shown| text_of(*shown, &["name"]) == parameter.name).unwrap();
                assert_eq!(text_of(shown, &["description"]), parameter.help);
                let aliases = shown.attribute("aliases").unwrap();
                let known = if parameter.aliases.is_empty() { "none".to_owned() } else { parameter.aliases.join(", ") };
                assert_eq!(aliases, known);
                let type_name = match parameter.kind {
                    ParameterKind::Path => "String",
                    ParameterKind::Paths => "String[]",
                    ParameterKind::Settings => "Object",
                    ParameterKind::Switch => "SwitchParameter",
                };
                assert_eq!(text_of(shown, &["type", "name"]), type_name);
                let piped = parameter.kind == ParameterKind::Settings && parameter.set.is_some();
                assert_eq!(shown.attribute("pipelineInput"), Some(if piped { "True (ByValue)" } else { "False" }));
            }
            let examples: Vec<(String, String)> = below(topic, "example")
                .map(|example| (text_of(example, &["code"]), text_of(example, &["remarks"])))
                .collect();
            let known: Vec<(String, String)> =
                command.examples.iter().map(|example| (example.code.to_owned(), example.text.to_owned())).collect();
            assert_eq!(examples, known);
        }
    });
}

/// `LegacyBoolean` is nothing that somebody should learn of.
#[test]
fn the_syntax_of_a_command_is_that_of_its_parameter_sets() {
    with_help(|help| {
        for command in all_commands() {
            let topic = topic(help, command.name);
            let items: Vec<_> = below(topic, "syntaxItem").collect();
            assert_eq!(items.len(), 2);
            for (item, set) in items.into_iter().zip([ParameterSet::File, ParameterSet::Object]) {
                assert_eq!(text_of(item, &["name"]), command.name);
                let shown = parameters(item);
                let of_set = command.parameters.iter().filter(|parameter| parameter.set.is_none_or(|own| own == set));
                let beside = command.context_members().map(|member| member.parameter);
                let beside = beside.chain(command.options.iter().map(|option| option.name));
                let known: Vec<&str> =
                    of_set.map(|parameter| parameter.name).chain(beside).chain(["WhatIf", "Confirm"]).collect();
                assert_eq!(names(&shown), known, "{}", command.name);
                for parameter in shown {
                    let required = parameter.attribute("required") == Some("true");
                    let name = text_of(parameter, &["name"]);
                    let known = command.parameters.iter().find(|known| known.name == name);
                    assert_eq!(required, known.is_some_and(|known| known.set.is_some()), "{name}");
                    let switch = text_of(parameter, &["type", "name"]) == "SwitchParameter";
                    assert_eq!(inside(parameter, "parameterValue").count(), usize::from(!switch), "{name}");
                }
            }
        }
    });
}

#[test]
fn every_function_has_help_for_the_parameters_that_it_declares() {
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    with_help(|help| {
        for name in exported() {
            let function = script.function_named(name);
            let topic = topic(help, name);
            let shown = parameters(inside(topic, "parameters").next().unwrap());
            let binding = function.attributes.iter().find(|attribute| attribute.name == "CmdletBinding").unwrap();
            let asks = binding.written().contains("SupportsShouldProcess");
            let mut declared: Vec<&str> = function
                .parameters
                .iter()
                .filter(|parameter| !parameter.attributes.iter().any(|own| own.written().contains("DontShow")))
                .map(|parameter| parameter.name)
                .collect();
            if asks {
                declared.extend(["WhatIf", "Confirm"]);
            }
            assert_eq!(names(&shown), declared, "{name}");
            for parameter in &shown {
                let own = text_of(*parameter, &["name"]);
                assert!(!text_of(*parameter, &["description"]).is_empty(), "{name} -{own}");
                let written = function.parameters.iter().find(|known| known.name == own).map(|known| {
                    known.attributes.iter().map(|attribute| attribute.written()).collect::<Vec<_>>().join(" ")
                });
                let written = written.unwrap_or_default();
                let pipeline = parameter.attribute("pipelineInput").unwrap();
                let piped = match &written {
                    written if written.contains("ValueFromPipelineByPropertyName") => "True (ByPropertyName)",
                    written if written.contains("ValueFromPipeline") => "True (ByValue)",
                    _ => "False",
                };
                assert_eq!(pipeline, piped, "{name} -{own}");
                let position = written.split_once("Position = ").map_or("named", |(_, rest)| &rest[..1]);
                assert_eq!(parameter.attribute("position"), Some(position), "{name} -{own}");
            }
            let all: BTreeSet<String> = below(topic, "syntaxItem").flat_map(|item| names(&parameters(item))).collect();
            assert_eq!(all, names(&shown).into_iter().collect(), "{name}");
        }
        let set = topic(help, "Set-SvcContext");
        for member in CONTEXT_MEMBERS {
            let shown = parameters(inside(set, "parameters").next().unwrap());
            let shown = shown.into_iter().find(|shown| text_of(*shown, &["name"]) == member.parameter).unwrap();
            assert_eq!(text_of(shown, &["description"]), member.help);
            let switch = text_of(shown, &["type", "name"]) == "SwitchParameter";
            assert_eq!(switch, member.kind == ContextMemberKind::Flag);
        }
    });
}

#[test]
fn every_topic_has_two_examples_or_more_with_remarks_apart() {
    with_help(|help| {
        for name in exported() {
            let examples: Vec<_> = below(topic(help, name), "example").collect();
            assert!(examples.len() >= 2, "{name}");
            for example in examples {
                let (code, remarks) = (text_of(example, &["code"]), text_of(example, &["remarks"]));
                assert!(remarks.ends_with('.'), "{name}: {remarks}");
                assert!(!code.contains(&remarks), "{name}: {code}");
                assert_calls_what_exists(&code);
            }
        }
    });
}

/// Code can be parsed, and gives the module's functions parameters that they have.
fn assert_calls_what_exists(code: &str) {
    let parsed = Script::parse(code);
    assert_eq!(mistakes(parsed.root()), Vec::<String>::new(), "{code}");
    let script = Script::parse(&read(&module().join("SvcDeploy.psm1")));
    let mut called = 0;
    for (name, given) in parsed.calls(parsed.root()) {
        if exported().contains(&name) {
            called += 1;
            let function = script.function_named(name);
            for parameter in given {
                let known = function.parameters.iter().any(|known| known.name == parameter);
                assert!(known || ["WhatIf", "Confirm"].contains(&parameter), "{code}: {parameter}");
            }
        }
    }
    assert!(called > 0, "{code}");
}

#[test]
fn the_examples_of_a_command_show_every_way_to_call_it() {
    for command in all_commands() {
        let has = |part: &str| command.examples.iter().any(|example| example.code.contains(part));
        assert!(has("-WhatIf"), "{}", command.name);
        assert!(has("-SettingsFile "), "{}", command.name);
        assert!(has("-SettingsObject "), "{}", command.name);
        assert!(has(&format!("| {}", command.name)), "{}: no pipeline", command.name);
        for parameter in ["TagSettingsFile", "OmitTags"] {
            let takes = command.parameters.iter().any(|known| known.name == parameter);
            assert_eq!(has(&format!("-{parameter}")), takes, "{}: {parameter}", command.name);
        }
    }
}

/// `$settings.service.dependencies.vnet = …` in an example names keys of the command's settings.
#[test]
fn what_the_examples_set_are_keys_of_the_settings() {
    for command in COMMANDS {
        let lines = command.examples.iter().flat_map(|example| example.code.lines());
        let paths: Vec<&str> =
            lines.filter_map(|line| line.strip_prefix("$settings.")?.split_once(" = ")).map(|(path, _)| path).collect();
        assert!(!paths.is_empty(), "{}", command.name);
        for path in paths {
            assert!(is_a_key(command, path), "{} has no settings at {path}", command.name);
        }
    }
}

fn is_a_key(command: &Command, path: &str) -> bool {
    let schema = command.settings_schema();
    let found = path.split('.').try_fold(schema.as_value(), |object, key| object["properties"].get(key));
    found.is_some()
}

/// `-Cloud` and the like are parameters of `Set-SvcContext` and options of `svc`; the commands have none of them.
#[test]
fn the_documentation_says_whose_parameters_those_of_the_context_are() {
    let folder = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = folder.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut mentions = 0;
    for path in documents.chain([root().join("README.md")]) {
        let text = read(&path);
        for paragraph in text.split("\n\n") {
            for member in CONTEXT_MEMBERS.iter().filter(|member| paragraph.contains(&format!("`-{}", member.parameter)))
            {
                mentions += 1;
                let says = paragraph.contains("Set-SvcContext") || paragraph.contains("`svc`");
                assert!(says, "{}: -{} of what?\n{paragraph}", path.display(), member.parameter);
            }
        }
    }
    assert!(mentions > 0);
}
