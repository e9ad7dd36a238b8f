//! The parameters of functions, as the help shows them.

use std::borrow::Cow;

use svc_engine::run::registry::{
    ContextMember, ContextMemberKind, Described, HostOptionKind, Parameter, ParameterKind,
};

use crate::maml::described;
use crate::xml::{Element, element, text};

/// A parameter as the help shows it.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) help: Cow<'static, str>,
    pub(crate) type_name: &'static str,
    /// Mandatory in the sets it belongs to.
    pub(crate) required: bool,
    pub(crate) by_value: bool,
    pub(crate) by_name: bool,
    pub(crate) position: Option<u32>,
    pub(crate) aliases: Vec<&'static str>,
}

impl Entry {
    pub(crate) fn named(name: &'static str, type_name: &'static str, help: &'static str) -> Entry {
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

    pub(crate) fn of(parameter: &Parameter) -> Entry {
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

    /// The options that a command takes beside its parameters. One that has to be given may be given without its name.
    pub(crate) fn of_options(command: &Described) -> impl Iterator<Item = Entry> {
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

    pub(crate) fn of_context(member: &ContextMember) -> Entry {
        let type_name = match member.kind {
            ContextMemberKind::Flag => SWITCH,
            ContextMemberKind::Paths | ContextMemberKind::Texts => "String[]",
            _ => "String",
        };
        Entry::named(member.parameter, type_name, member.help)
    }

    /// The element, as it stands in the syntax (where a switch has no value) or in the list of parameters.
    pub(crate) fn element(&self, in_syntax: bool) -> Element {
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

/// The type of what is on or off.
pub(crate) const SWITCH: &str = "SwitchParameter";

/// The parameters that `SupportsShouldProcess` adds.
pub(crate) fn should_process() -> [Entry; 2] {
    let what_if = "Shows what the command would do, without doing it.";
    let confirm = "Asks before each change.";
    [
        Entry { aliases: vec!["wi"], ..Entry::named("WhatIf", SWITCH, what_if) },
        Entry { aliases: vec!["cf"], ..Entry::named("Confirm", SWITCH, confirm) },
    ]
}

/// The two of `SupportsShouldProcess`, with what they do to a deployment.
pub(crate) fn command_switches() -> [Entry; 2] {
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
