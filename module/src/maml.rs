//! The help file that `Get-Help` reads, in MAML (Microsoft Assistance Markup Language).

use std::borrow::Cow;

use svc_engine::protocol::alternatives;
use svc_engine::run::registry::{
    COMMANDS, COMPARE, ContextMember, ContextMemberKind, Described, EXPORT, HostOptionKind, NEW, PROJECT_FILES,
    Parameter, ParameterKind, ParameterSet, SCHEMA, TEMPLATE, TEST, all_commands,
};

use crate::context_functions::{CONTEXT_FUNCTIONS, ContextFunction};
use crate::function::CONTEXT_PARAMETERS;
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

/// A parameter as the help shows it.
#[derive(Clone)]
struct Entry {
    name: &'static str,
    help: Cow<'static, str>,
    type_name: &'static str,
    /// Mandatory in the sets it belongs to.
    required: bool,
    by_value: bool,
    by_name: bool,
    position: Option<u32>,
    aliases: Vec<&'static str>,
}

impl Entry {
    fn named(name: &'static str, type_name: &'static str, help: &'static str) -> Entry {
        Entry {
            name,
            help: help.into(),
            type_name,
            required: false,
            by_value: false,
            by_name: false,
            position: None,
            aliases: Vec::new(),
        }
    }

    fn of(parameter: &Parameter) -> Entry {
        let type_name = match parameter.kind {
            ParameterKind::Path => "String",
            ParameterKind::Paths => "String[]",
            ParameterKind::Settings => "Object",
            ParameterKind::Switch => SWITCH,
        };
        let in_a_set = parameter.set.is_some();
        Entry {
            required: in_a_set,
            by_value: in_a_set && parameter.kind == ParameterKind::Settings,
            position: (in_a_set && parameter.kind != ParameterKind::Settings).then_some(0),
            aliases: parameter.aliases.to_vec(),
            ..Entry::named(parameter.name, type_name, parameter.help)
        }
    }

    /// What a command takes beside its parameters. What has to be given may be given without its name.
    fn of_options(command: &Described) -> impl Iterator<Item = Entry> {
        (0..).zip(command.options).map(|(position, option)| {
            let type_name = match option.kind {
                HostOptionKind::Switch => SWITCH,
                HostOptionKind::Texts => "String[]",
                HostOptionKind::Text | HostOptionKind::Path => "String",
            };
            Entry {
                required: option.is_required,
                position: option.is_required.then_some(position),
                ..Entry::named(option.name, type_name, option.help)
            }
        })
    }

    fn of_context(member: &ContextMember) -> Entry {
        let type_name = match member.kind {
            ContextMemberKind::Flag => SWITCH,
            ContextMemberKind::Paths | ContextMemberKind::Texts => "String[]",
            _ => "String",
        };
        Entry::named(member.parameter, type_name, member.help)
    }

    /// The element, as it stands in the syntax (where a switch has no value) or in the list of parameters.
    fn element(&self, in_syntax: bool) -> Element {
        let switch = self.type_name == SWITCH;
        let value = text("command:parameterValue", self.type_name)
            .with([("required", (!switch).to_string()), ("variableLength", "false".to_owned())]);
        let aliases = if self.aliases.is_empty() { "none".to_owned() } else { self.aliases.join(", ") };
        let pipeline = match (self.by_value, self.by_name) {
            (true, _) => "True (ByValue)",
            (false, true) => "True (ByPropertyName)",
            (false, false) => "False",
        };
        let mut parts = vec![text("maml:name", self.name), described("maml:description", &self.help)];
        parts.extend((!switch || !in_syntax).then_some(value));
        parts.push(element("dev:type", [text("maml:name", self.type_name), text("maml:uri", "")]));
        parts.push(text("dev:defaultValue", if switch { "False" } else { "None" }));
        element("command:parameter", parts).with([
            ("required", self.required.to_string()),
            ("variableLength", "false".to_owned()),
            ("globbing", "false".to_owned()),
            ("pipelineInput", pipeline.to_owned()),
            ("position", self.position.map_or("named".to_owned(), |position| position.to_string())),
            ("aliases", aliases),
        ])
    }
}

const SWITCH: &str = "SwitchParameter";

/// The parameters that `SupportsShouldProcess` adds.
fn should_process() -> [Entry; 2] {
    let what_if = "Shows what the command would do, without doing it.";
    let confirm = "Asks before each change.";
    [
        Entry { aliases: vec!["wi"], ..Entry::named("WhatIf", SWITCH, what_if) },
        Entry { aliases: vec!["cf"], ..Entry::named("Confirm", SWITCH, confirm) },
    ]
}

fn command_topic(command: &Described, repository: Option<&str>) -> Topic {
    let of_set = |set: ParameterSet| {
        let belonging = command.parameters.iter().filter(|parameter| parameter.set.is_none_or(|own| own == set));
        belonging.map(Entry::of).chain(beside(command)).chain(command_switches()).collect()
    };
    let inputs = match command.component {
        Some(_) => "The settings as an object, or a settings document as Get-Item returns it.",
        None => {
            "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one deployment."
        }
    };
    Topic {
        name: command.name,
        synopsis: command.synopsis,
        description: command.description,
        syntax: vec![of_set(ParameterSet::File), of_set(ParameterSet::Object)],
        parameters: command.parameters.iter().map(Entry::of).chain(beside(command)).chain(command_switches()).collect(),
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
        examples: command.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: vec!["about_SvcDeploy", "about_SvcDeploy_Settings", "Set-SvcContext"],
        online: repository.map(|repository| links::help_page(repository, command.name)),
    }
}

/// What a command takes beside its parameters: members of the context for one run, and options.
fn beside(command: &Described) -> impl Iterator<Item = Entry> {
    command.context_members().map(Entry::of_context).chain(Entry::of_options(command))
}

/// Where the settings of the documents of a command are described.
fn reference(command: &Described, repository: Option<&str>) -> Option<String> {
    let component = command.component?;
    let document = format!("docs/settings/{component}.md");
    let page =
        repository.map_or_else(|| format!("{document} of the source"), |repository| links::page(repository, &document));
    Some(format!(
        "Settings: every key of its documents is in {page}; Get-SvcSettingsSchema {component} returns their schema, and New-SvcSettings {component} a new document."
    ))
}

/// The two of `SupportsShouldProcess`, with what they do to a deployment.
fn command_switches() -> [Entry; 2] {
    let [what_if, confirm] = should_process();
    [
        Entry {
            help: "Changes nothing. Shows every planned action and writes it as an object with the changes of each \
                property."
                .into(),
            ..what_if
        },
        Entry {
            help: "Asks before each change. Default: asks before deletions only. -Confirm:$false never asks, for unattended runs.".into(),
            ..confirm
        },
    ]
}

/// What the identity of a command may have to be given: the roles that the documentation names.
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
    let from_objects = Entry::of_options(&EXPORT).map(|entry| {
        let aliases = if entry.name == "ResourceGroup" { vec!["ResourceGroupName"] } else { Vec::new() };
        let help = if entry.name == "Component" {
            let known: Vec<&str> = COMMANDS.iter().map(|command| command.component).collect();
            format!("{} It is {}.", entry.help, alternatives(&known)).into()
        } else {
            entry.help
        };
        let position = ["Component", "ResourceGroup"].iter().zip(0..).find(|(name, _)| **name == entry.name);
        Entry { by_name: position.is_some(), position: position.map(|(_, position)| position), aliases, help, ..entry }
    });
    let parameters: Vec<Entry> = from_objects.chain(should_process()).collect();
    Topic {
        name: EXPORT.name,
        synopsis: EXPORT.synopsis,
        description: EXPORT.description,
        syntax: vec![parameters.clone()],
        parameters,
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
        examples: EXPORT.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: vec!["about_SvcDeploy", "Set-SvcContext"],
        online: repository.map(|repository| links::help_page(repository, EXPORT.name)),
    }
}

/// The topic of what writes something for people who write documents, and contacts nobody.
fn writing_topic(
    command: &Described,
    known: &[&str],
    outputs: Vec<(&'static str, &'static str)>,
    further: Vec<Entry>,
    repository: Option<&str>,
) -> Topic {
    let with_names = |entry: Entry| {
        let help =
            if entry.required { format!("{} It is {}.", entry.help, alternatives(known)).into() } else { entry.help };
        Entry { help, ..entry }
    };
    let parameters: Vec<Entry> = Entry::of_options(command).map(with_names).chain(further).collect();
    Topic {
        name: command.name,
        synopsis: command.synopsis,
        description: command.description,
        syntax: vec![parameters.clone()],
        parameters,
        inputs: vec![("None", "Nothing is taken from the pipeline.")],
        outputs,
        notes: vec!["Permissions: none, because nobody is asked.".to_owned()],
        examples: command.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: vec!["about_SvcDeploy", "Test-SvcSettings"],
        online: repository.map(|repository| links::help_page(repository, command.name)),
    }
}

fn new_topic(repository: Option<&str>) -> Topic {
    let known: Vec<&str> = COMMANDS.iter().map(|command| command.component).collect();
    let outputs = vec![
        ("System.String", "Without -Path, the document."),
        ("System.IO.FileInfo", "With -Path, the file that was written."),
    ];
    writing_topic(&NEW, &known, outputs, should_process().to_vec(), repository)
}

fn schema_topic(repository: Option<&str>) -> Topic {
    let files = PROJECT_FILES.iter().map(|file| file.name);
    let known: Vec<&str> = COMMANDS.iter().map(|command| command.component).chain(files).collect();
    writing_topic(&SCHEMA, &known, vec![("System.String", "The JSON Schema.")], Vec::new(), repository)
}

fn template_topic(repository: Option<&str>) -> Topic {
    let options = |is_wanted: fn(&Parameter) -> bool| -> Vec<Entry> {
        let documents =
            TEMPLATE.parameters.iter().filter(move |parameter| parameter.set.is_some() && is_wanted(parameter));
        let others = TEMPLATE.parameters.iter().filter(|parameter| parameter.set.is_none());
        documents
            .map(Entry::of)
            .chain(Entry::of_options(&TEMPLATE))
            .chain(others.map(Entry::of))
            .chain(should_process())
            .collect()
    };
    Topic {
        name: TEMPLATE.name,
        synopsis: TEMPLATE.synopsis,
        description: TEMPLATE.description,
        syntax: vec![
            options(|parameter| parameter.set == Some(ParameterSet::File)),
            options(|parameter| parameter.set == Some(ParameterSet::Object)),
        ],
        parameters: options(|_| true),
        inputs: vec![(
            "System.Object",
            "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one template.",
        )],
        outputs: vec![(
            "Svc.Template",
            "The template as JSON text, the file that has it, its parameters, and the calls that deploy it.",
        )],
        notes: vec!["Permissions: Reader on the subscription. Nothing is changed in Azure.".to_owned()],
        examples: TEMPLATE.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: vec!["about_SvcDeploy", "New-SvcDeployment", "Set-SvcContext"],
        online: repository.map(|repository| links::help_page(repository, TEMPLATE.name)),
    }
}

/// The topic of what looks at documents and changes nothing: what it takes together, what it returns, and who may.
fn looking_topic(
    command: &Described,
    together: &'static str,
    output: Vec<(&'static str, &'static str)>,
    permissions: &str,
    repository: Option<&str>,
) -> Topic {
    let of_set = |set: Option<ParameterSet>| -> Vec<Entry> {
        let is_in = |parameter: &&Parameter| set.is_none() || parameter.set.is_none() || parameter.set == set;
        let (documents, others): (Vec<_>, Vec<_>) =
            command.parameters.iter().filter(is_in).partition(|parameter| parameter.set.is_some());
        let documents = documents.into_iter().map(Entry::of);
        let of_context = command.context_members().map(Entry::of_context);
        documents.chain(Entry::of_options(command)).chain(others.into_iter().map(Entry::of)).chain(of_context).collect()
    };
    Topic {
        name: command.name,
        synopsis: command.synopsis,
        description: command.description,
        syntax: vec![of_set(Some(ParameterSet::File)), of_set(Some(ParameterSet::Object))],
        parameters: of_set(None),
        inputs: vec![("System.Object", together)],
        outputs: output,
        notes: vec![format!("Permissions: {permissions} Nothing is changed in Azure.")],
        examples: command.examples.iter().map(|example| (example.code, example.text)).collect(),
        links: vec!["about_SvcDeploy", "New-SvcDeployment", "Set-SvcContext"],
        online: repository.map(|repository| links::help_page(repository, command.name)),
    }
}

fn compare_topic(repository: Option<&str>) -> Topic {
    let together = "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are one comparison.";
    let output = vec![("Svc.Drift", "The subscription, the differences, what is kept, and HasDifferences.")];
    looking_topic(&COMPARE, together, output, "Reader on the subscription.", repository)
}

fn test_topic(repository: Option<&str>) -> Topic {
    let together = "Settings as objects, and settings documents and folders as Get-Item returns them; all of them are tested together.";
    let output = vec![
        ("Svc.Finding", "Everything that is wrong: File, Line, Column, Path, Code and Message."),
        ("System.Boolean", "With -Quiet, whether nothing is wrong."),
    ];
    looking_topic(&TEST, together, output, "none, because nobody is asked.", repository)
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

fn described(name: &str, description: &str) -> Element {
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
