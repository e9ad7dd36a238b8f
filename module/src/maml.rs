//! The help file that `Get-Help` reads, in MAML (Microsoft Assistance Markup Language).

use std::borrow::Cow;

use svc_engine::protocol::alternatives;
use svc_engine::run::registry::{
    COMMANDS, COMPARE, ContextMember, Described, EXPORT, NEW, PROJECT_FILES, Parameter, ParameterSet, SCHEMA, TEMPLATE,
    TEST, all_commands,
};

use crate::context_functions::{CONTEXT_FUNCTIONS, ContextFunction};
use crate::function::CONTEXT_PARAMETERS;
use crate::help_parameters::{Entry, SWITCH, command_switches, should_process};
use crate::links;
use crate::xml::{Element, element, text};

/// The name of the file; it stands in a folder named after the culture, and each function names it.
pub(crate) const FILE: &str = "SvcDeploy-help.xml";

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!-- Generated from the command registry by the generator in module/src; do not edit. -->\n";

/// The prefixes of the elements of a topic.
const NAMESPACES: [(&str, &str); 3] = [
    ("xmlns:command", "http://schemas.microsoft.com/maml/dev/command/2004/10"),
    ("xmlns:maml", "http://schemas.microsoft.com/maml/2004/10"),
    ("xmlns:dev", "http://schemas.microsoft.com/maml/dev/2004/10"),
];

const PERMISSIONS: &str = include_str!("../../docs/running-in-azure.md");

/// The help of one function.
struct Topic {
    name: &'static str,
    synopsis: &'static str,
    description: &'static str,
    /// The parameters of each set, in the order of the syntax.
    syntax: Vec<Vec<Entry>>,
    /// Every parameter once.
    parameters: Vec<Entry>,
    /// Types, each with what it stands for.
    inputs: Vec<(&'static str, &'static str)>,
    /// The same of what the function writes.
    outputs: Vec<(&'static str, &'static str)>,
    notes: Vec<String>,
    /// Code, and what it does.
    examples: Vec<(&'static str, &'static str)>,
    /// Other topics.
    links: Vec<&'static str>,
    /// The page that `Get-Help -Online` opens.
    online: Option<String>,
}

/// The facts that the help of a function has beside its parameters: types, each with what it stands for, and more.
struct Facts {
    inputs: Vec<(&'static str, &'static str)>,
    outputs: Vec<(&'static str, &'static str)>,
    notes: Vec<String>,
    links: Vec<&'static str>,
}

/// The topic of what starts an operation. `parameters` are those of a set, or all of them.
fn topic(
    command: &Described,
    parameters: impl Fn(Option<ParameterSet>) -> Vec<Entry>,
    facts: Facts,
    repository: Option<&str>,
) -> Topic {
    let syntax = if command.parameters.is_empty() {
        vec![parameters(None)]
    } else {
        [ParameterSet::File, ParameterSet::Object].into_iter().map(|set| parameters(Some(set))).collect()
    };
    let Facts { inputs, outputs, notes, links } = facts;
    Topic {
        name: command.name,
        synopsis: command.synopsis,
        description: command.description,
        syntax,
        parameters: parameters(None),
        inputs,
        outputs,
        notes,
        examples: command.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: std::iter::once("about_SvcDeploy").chain(links).collect(),
        online: repository.map(|repository| links::help_page(repository, command.name)),
    }
}

/// The parameters of a command that belong to a set, or all of them.
fn of_set(command: &Described, set: Option<ParameterSet>) -> impl Iterator<Item = &'static Parameter> {
    let is_in = move |parameter: &&Parameter| set.is_none() || parameter.set.is_none() || parameter.set == set;
    command.parameters.iter().filter(is_in)
}

fn command_topic(command: &Described, repository: Option<&str>) -> Topic {
    let inputs = match command.component {
        Some(_) => "The settings as an object, or a settings document as Get-Item returns it.",
        None => {
            "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one deployment."
        }
    };
    let facts = Facts {
        inputs: vec![("System.Object", inputs)],
        outputs: vec![
            (
                "Svc.DeployedResource",
                "One for each resource that was created, changed or deleted; with IncludeUnchanged in the context also for \
                    each that is up to date.",
            ),
            ("Svc.PlannedAction", "With -WhatIf, one for each resource that would be."),
        ],
        notes: permissions(command.name, repository).into_iter().chain(reference(command, repository)).collect(),
        links: vec!["about_SvcDeploy_Settings", "Set-SvcContext"],
    };
    let beside = || command.context_members().map(Entry::of_context).chain(Entry::of_options(command));
    let parameters = |set| of_set(command, set).map(Entry::of).chain(beside()).chain(command_switches()).collect();
    topic(command, parameters, facts, repository)
}

/// The page that describes the settings of the documents of a command.
fn reference(command: &Described, repository: Option<&str>) -> Option<String> {
    let component = command.component?;
    let document = format!("docs/settings/{component}.md");
    let page =
        repository.map_or_else(|| format!("{document} of the source"), |repository| links::page(repository, &document));
    Some(format!(
        "Settings: every key of its documents is in {page}; Get-SvcSettingsSchema {component} returns their schema, and New-SvcSettings {component} a new document."
    ))
}

/// The permissions that the identity of a command may have to be given: the roles that the documentation names.
fn permissions(command: &str, repository: Option<&str>) -> Vec<String> {
    let heading = format!("### `{command}`");
    let paragraph: Vec<&str> = PERMISSIONS
        .lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    let document = "docs/running-in-azure.md";
    let place =
        repository.map_or_else(|| format!("{document} of the source"), |repository| links::page(repository, document));
    vec![
        format!("Permissions: Reader on the subscription. {}", paragraph.join(" ").replace('`', "")),
        format!("The actions for a custom role are listed in {place}."),
    ]
}

fn export_topic(repository: Option<&str>) -> Topic {
    // What says what to export comes from objects, too; results of commands have the group under its other name.
    let from_objects = |entry: Entry| {
        let aliases = if entry.name == "ResourceGroup" { vec!["ResourceGroupName"] } else { Vec::new() };
        let help = if entry.name == "Component" { with_names(&entry, &components()) } else { entry.help };
        let position = ["Component", "ResourceGroup"].iter().zip(0..).find(|(name, _)| **name == entry.name);
        Entry { by_name: position.is_some(), position: position.map(|(_, position)| position), aliases, help, ..entry }
    };
    let facts = Facts {
        inputs: vec![(
            "System.Object",
            "An object with the properties Component and ResourceGroup or ResourceGroupName.",
        )],
        outputs: vec![
            ("System.String", "Without -Path, the document."),
            ("System.IO.FileInfo", "With -Path, the files that were written."),
            ("Svc.DeployedResource", "With -Tag, what was tagged."),
        ],
        notes: vec![
            "Permissions: Reader on the subscription; for web apps also Microsoft.Web/sites/config/list/action, which their settings take.".to_owned(),
        ],
        links: vec!["Set-SvcContext"],
    };
    let parameters = |_| Entry::of_options(&EXPORT).map(from_objects).chain(should_process()).collect();
    topic(&EXPORT, parameters, facts, repository)
}

fn components() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.component).collect()
}

/// The help of a parameter with the names that it takes.
fn with_names(entry: &Entry, known: &[&str]) -> Cow<'static, str> {
    format!("{} It is {}.", entry.help, alternatives(known)).into()
}

/// The topic of what writes something for people who write documents, and contacts nobody.
fn writing_topic(
    command: &Described,
    known: &[&str],
    outputs: Vec<(&'static str, &'static str)>,
    further: &[Entry],
    repository: Option<&str>,
) -> Topic {
    let named = |entry: Entry| {
        let help = if entry.required { with_names(&entry, known) } else { entry.help };
        Entry { help, ..entry }
    };
    let facts = Facts {
        inputs: vec![("None", "Nothing is taken from the pipeline.")],
        outputs,
        notes: vec!["Permissions: none, because nobody is asked.".to_owned()],
        links: vec!["Test-SvcSettings"],
    };
    let parameters = |_| Entry::of_options(command).map(named).chain(further.iter().cloned()).collect();
    topic(command, parameters, facts, repository)
}

fn new_topic(repository: Option<&str>) -> Topic {
    let outputs = vec![
        ("System.String", "Without -Path, the document."),
        ("System.IO.FileInfo", "With -Path, the file that was written."),
    ];
    writing_topic(&NEW, &components(), outputs, &should_process(), repository)
}

fn schema_topic(repository: Option<&str>) -> Topic {
    let known = [components(), PROJECT_FILES.iter().map(|file| file.name).collect()].concat();
    writing_topic(&SCHEMA, &known, vec![("System.String", "The JSON Schema.")], &[], repository)
}

/// The topic of what looks at documents and changes nothing in Azure: what they are together, what it returns, who may, and what it has
/// beside its own parameters.
fn looking_topic(
    command: &Described,
    (together, permissions): (&'static str, &str),
    outputs: Vec<(&'static str, &'static str)>,
    further: &[Entry],
    repository: Option<&str>,
) -> Topic {
    let facts = Facts {
        inputs: vec![("System.Object", together)],
        outputs,
        notes: vec![format!("Permissions: {permissions} Nothing is changed in Azure.")],
        links: vec!["New-SvcDeployment", "Set-SvcContext"],
    };
    let parameters = |set| {
        let (documents, others): (Vec<_>, Vec<_>) = of_set(command, set).partition(|parameter| parameter.set.is_some());
        let own = documents.into_iter().map(Entry::of).chain(Entry::of_options(command));
        let own = own.chain(others.into_iter().map(Entry::of));
        own.chain(command.context_members().map(Entry::of_context)).chain(further.iter().cloned()).collect()
    };
    topic(command, parameters, facts, repository)
}

fn template_topic(repository: Option<&str>) -> Topic {
    let together = "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one template.";
    let outputs = vec![(
        "Svc.Template",
        "The template as JSON text, the file that has it, its parameters, and the calls that deploy it.",
    )];
    let of = (together, "Reader on the subscription.");
    looking_topic(&TEMPLATE, of, outputs, &should_process(), repository)
}

fn compare_topic(repository: Option<&str>) -> Topic {
    let together = "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one comparison.";
    let outputs = vec![("Svc.Drift", "The subscription, the differences, what is kept, and HasDifferences.")];
    looking_topic(&COMPARE, (together, "Reader on the subscription."), outputs, &[], repository)
}

fn test_topic(repository: Option<&str>) -> Topic {
    let together = "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are tested together.";
    let outputs = vec![
        ("Svc.Finding", "Everything that is wrong: File, Line, Column, Path, Code and Message."),
        ("System.Boolean", "With -Quiet, whether nothing is wrong."),
    ];
    looking_topic(&TEST, (together, "none, because nobody is asked."), outputs, &[], repository)
}

fn context_topic(function: &ContextFunction, members: &[ContextMember], repository: Option<&str>) -> Topic {
    let mut parameters: Vec<Entry> =
        if function.takes_members { members.iter().map(Entry::of_context).collect() } else { Vec::new() };
    if function.takes_members {
        let [(object, object_help), (pass_thru, pass_thru_help)] = CONTEXT_PARAMETERS;
        parameters.push(Entry { by_value: true, ..Entry::named(object, "Object", object_help) });
        parameters.push(Entry::named(pass_thru, SWITCH, pass_thru_help));
    }
    for (position, (name, kind, help, required)) in function.parameters.iter().copied().enumerate() {
        let position = (position == 0).then_some(0);
        parameters.push(Entry { position, required, ..Entry::named(name, kind, help) });
    }
    if function.changes {
        parameters.extend(should_process());
    }
    Topic {
        name: function.name,
        synopsis: function.synopsis,
        description: function.description,
        syntax: vec![parameters.clone()],
        parameters,
        inputs: function.inputs.to_vec(),
        outputs: function.outputs.to_vec(),
        notes: vec!["No permissions are needed: nothing is contacted.".to_owned()],
        examples: function.examples.to_vec(),
        links: std::iter::once("about_SvcDeploy").chain(function.links.iter().copied()).collect(),
        online: repository.map(|repository| links::help_page(repository, function.name)),
    }
}

/// The text of the help file. Links to pages are in it where the source is published.
pub(crate) fn file(members: &[ContextMember], repository: Option<&str>) -> String {
    let topics = all_commands()
        .map(|command| command_topic(&command, repository))
        .chain([
            compare_topic(repository),
            export_topic(repository),
            template_topic(repository),
            test_topic(repository),
            new_topic(repository),
            schema_topic(repository),
        ])
        .chain(CONTEXT_FUNCTIONS.iter().map(|function| context_topic(function, members, repository)));
    let items =
        element("helpItems", topics.map(|topic| topic.element())).with([("schema", "maml"), ("xmlns", "http://msh")]);
    format!("{HEAD}{}\n", items.write())
}

impl Topic {
    fn element(&self) -> Element {
        let (verb, noun) = self.name.split_once('-').unwrap_or((self.name, ""));
        let details = [
            text("command:name", self.name),
            text("command:verb", verb),
            text("command:noun", noun),
            described("maml:description", self.synopsis),
        ];
        let notes = element("maml:alert", self.notes.iter().map(|note| text("maml:para", note)));
        let parts = [
            element("command:details", details),
            described("maml:description", self.description),
            element("command:syntax", self.syntax.iter().map(|entries| self.syntax_item(entries))),
            element("command:parameters", self.parameters.iter().map(|entry| entry.element(false))),
            element("command:inputTypes", self.inputs.iter().map(|of| type_element("command:inputType", of))),
            element("command:returnValues", self.outputs.iter().map(|of| type_element("command:returnValue", of))),
            element("maml:alertSet", [notes]),
            element("command:examples", self.examples.iter().enumerate().map(example)),
            element("command:relatedLinks", self.links()),
        ];
        element("command:command", parts).with(NAMESPACES)
    }

    fn syntax_item(&self, entries: &[Entry]) -> Element {
        let name = std::iter::once(text("maml:name", self.name));
        element("command:syntaxItem", name.chain(entries.iter().map(|entry| entry.element(true))))
    }

    /// The first link with a URI is what `Get-Help -Online` opens.
    fn links(&self) -> impl Iterator<Item = Element> {
        let link = |(name, uri): (&str, &str)| {
            element("maml:navigationLink", [text("maml:linkText", name), text("maml:uri", uri)])
        };
        let online = self.online.as_deref().map(|uri| ("Online help", uri));
        online.into_iter().chain(self.links.iter().map(|topic| (*topic, ""))).map(link)
    }
}

/// The empty paragraph keeps the next example apart.
fn example((index, (code, remarks)): (usize, &(&str, &str))) -> Element {
    let rule = "-".repeat(26);
    let remarks = [text("maml:para", remarks), text("maml:para", "")];
    let parts = [
        text("maml:title", &format!("{rule} EXAMPLE {} {rule}", index + 1)),
        text("dev:code", code),
        element("dev:remarks", remarks),
    ];
    element("command:example", parts)
}

fn type_element(name: &str, (type_name, description): &(&str, &str)) -> Element {
    let of = element("dev:type", [text("maml:name", type_name)]);
    element(name, [of, described("maml:description", description)])
}

pub(crate) fn described(name: &str, description: &str) -> Element {
    element(name, [text("maml:para", description)])
}

#[cfg(test)]
mod tests {
    use svc_engine::run::registry::{COMMANDS, DEPLOYMENT};

    use super::*;

    #[test]
    fn every_command_has_the_permissions_of_the_documentation() {
        for command in COMMANDS {
            let notes = permissions(command.name, None);
            assert!(notes[0].contains("Contributor on the group"), "{}: {}", command.name, notes[0]);
            assert!(notes[1].contains("docs/running-in-azure.md of the source"), "{}", notes[1]);
        }
        let notes = permissions(DEPLOYMENT.name, None);
        assert!(notes[0].contains("the commands of its documents"), "{}", notes[0]);
    }

    #[test]
    fn pages_are_linked_where_the_source_is_published() {
        let topics = all_commands().count() + 6 + CONTEXT_FUNCTIONS.len();
        let without = file(&[], None);
        assert_eq!(without.matches("Online help").count(), 0);
        assert!(!without.contains("<maml:uri>"), "{without}");
        let with = file(&[], Some("https://example.org/svc"));
        assert_eq!(with.matches("Online help").count(), topics);
        assert!(with.contains("https://example.org/svc/blob/HEAD/docs/running-in-azure.md."), "{with}");
        assert!(with.contains("<maml:uri>https://example.org/svc/blob/HEAD/README.md#commands</maml:uri>"), "{with}");
    }
}
