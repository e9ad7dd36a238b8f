//! Says of a name, or of a line of a document, what is made of it and why. Nothing is changed.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::compile::{Purpose, resolve};
use super::deployment::Job;
use super::export::without_plans;
use super::failure::Failure;
use super::planning::make_plan;
use super::prepare::{PreparedDocument, prepare};
use super::stages::{Entered, enter};
use crate::azure::resource_type;
use crate::commands::{GivenName, Project};
use crate::desired::World;
use crate::naming::{NamePart, OF_NAME};
use crate::protocol::{Action, Host, JsonText, PropertyChange, Request, ResourceName, nearest};
use crate::world::Reads;

/// The answer to names and lines that were asked for.
#[derive(Debug, Default)]
pub struct Explained {
    /// The resources that the documents make.
    pub resources: Vec<Explanation>,
    /// The sentences about each name and line of which they make nothing.
    pub foreign: Vec<String>,
}

/// A resource that a document makes, and why it is as it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The resource; what is not known before it is deployed stands in angle brackets.
    #[serde(flatten)]
    pub resource: ResourceName,
    /// The version of Azure's interface that it is sent to; none of a type that the engine does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_version: Option<String>,
    /// The command that makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The item that it comes from: `storage.yml:12:5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The parts of its name.
    pub name_parts: Vec<NamePart>,
    /// The text between the parts.
    pub separator: String,
    /// The ids of what is made before it.
    pub depends_on: Vec<String>,
    /// Its tags.
    pub tags: Vec<ExplainedProperty>,
    /// The properties that it gets in Azure.
    pub properties: Vec<ExplainedProperty>,
}

/// A property, or a tag, with what says it.
#[derive(Debug, Serialize)]
pub struct ExplainedProperty {
    /// Path in the ARM body, or the key of a tag.
    pub path: String,
    /// JSON text; `***` for secrets.
    pub value: JsonText,
    /// The place that says it: `storage.yml:12:5`. None for a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// The things that can be asked for.
enum Asked {
    /// A name, or a resource id, in any letter case.
    Name(String),
    /// A line of a file.
    Line(std::path::PathBuf, usize),
}

impl Asked {
    fn of(text: &str) -> Asked {
        let numbers: Vec<&str> = text.rsplit(':').take_while(|part| part.parse::<usize>().is_ok()).collect();
        let line = numbers.last().and_then(|number| number.parse().ok());
        let length: usize = numbers.iter().map(|number| number.len() + 1).sum();
        match line {
            // A column may stand behind the line.
            Some(line) if numbers.len() <= 2 && length < text.len() => {
                Asked::Line(text[..text.len() - length].into(), line)
            }
            _ => Asked::Name(text.trim().to_owned()),
        }
    }
}

/// Explains names, ids or places of the documents of a request.
///
/// # Errors
/// What is wrong with the documents.
pub(super) async fn explain(whats: &[String], request: Request, host: &Host) -> Result<Explained, Failure> {
    let request = Request { what_if: Some(true), ..without_plans(request) };
    let mut prepared = prepare(Job::of(&request), request, host).await?;
    prepared.warn(host);
    let Entered { checked, connection } = enter(&mut prepared, host).await?;
    let mut reads = connection.client().map(|client| Reads::new(client.clone()));
    let mut resolved = resolve(&prepared, checked, reads.as_mut(), Purpose::WhatIf, host).await?;
    let compiled = &mut resolved.compiled;
    let names = Names {
        generated: std::mem::take(&mut compiled.names),
        said: compiled
            .desired
            .iter()
            .filter_map(|one| Some((one.id.to_string(), one.place.name()?.to_owned())))
            .collect(),
    };
    // Everything is explained as if it were new: what it is to be like, and not what changes.
    resolved.world = World::Unknown;
    let actions = make_plan(resolved, &prepared.context, None, None, None).await?.plan.into_actions();
    let mut explained = Explained::default();
    for what in whats {
        let asked = Asked::of(what);
        let chosen: Vec<&Action> = match &asked {
            Asked::Name(name) => actions.iter().filter(|action| is_called(action, name)).collect(),
            Asked::Line(file, line) if has_line(file, *line) => at_line(&actions, file, *line),
            Asked::Line(..) => Vec::new(),
        };
        match (chosen.is_empty(), asked) {
            (true, Asked::Name(name)) => {
                explained.foreign.extend(foreign(&name, &actions, &prepared.documents));
            }
            (true, Asked::Line(file, line)) => {
                explained.foreign.push(format!("Nothing is made of line {line} of '{}'.", file.display()));
            }
            (false, _) => explained.resources.extend(chosen.into_iter().filter_map(|action| {
                let document = prepared.documents.iter().find(|document| document.id == action.document)?;
                Some(explanation(action, &actions, &names, document))
            })),
        }
    }
    Ok(explained)
}

fn is_called(action: &Action, name: &str) -> bool {
    [&action.resource.name, &action.resource.full_name, &action.resource.resource_id]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// The place of an action: file, as it is shown, and line.
fn place_of(origin: &str) -> Option<(&str, usize)> {
    let mut parts = origin.rsplitn(3, ':');
    let (_, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((file, line.parse().ok()?))
}

/// Whether a file has as many lines. One that cannot be read may be a document that was named in another way.
fn has_line(file: &Path, line: usize) -> bool {
    super::document_text(file).is_none_or(|text| line <= text.lines().count())
}

/// The actions for the item that a line is in, and for the line itself.
fn at_line<'a>(actions: &'a [Action], file: &Path, line: usize) -> Vec<&'a Action> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let full = file.canonicalize().ok();
    let in_file = |action: &Action, origin: &str| {
        let (of, at) = place_of(origin)?;
        let is_file = match (&action.document, &full) {
            (Some(document), Some(full)) => Path::new(document).canonicalize().is_ok_and(|document| document == *full),
            _ => Path::new(of).file_name().is_some_and(|of| of.to_string_lossy() == name),
        };
        // A place in another file is the one of a value.
        (is_file && Path::new(of).file_name().is_some_and(|of| of.to_string_lossy() == name)).then_some(at)
    };
    let says = |action: &&Action| {
        action
            .changes
            .iter()
            .filter_map(|change| change.origin.as_deref())
            .any(|origin| in_file(action, origin) == Some(line))
    };
    let starts: Vec<(usize, &Action)> =
        actions.iter().filter_map(|action| Some((in_file(action, action.origin.as_deref()?)?, action))).collect();
    let start = starts.iter().map(|(start, _)| *start).filter(|start| *start <= line).max();
    let of_item: Vec<&Action> = starts.iter().filter(|(at, _)| Some(*at) == start).map(|(_, action)| *action).collect();
    if of_item.is_empty() { actions.iter().filter(says).collect() } else { of_item }
}

fn explanation(action: &Action, all: &[Action], names: &Names, document: &PreparedDocument) -> Explanation {
    let (tags, properties): (Vec<&PropertyChange>, Vec<&PropertyChange>) =
        action.changes.iter().partition(|change| change.path.starts_with("tags."));
    let property = |change: &PropertyChange, path: &str| {
        let (path, origin) = (path.to_owned(), change.origin.clone());
        Some(ExplainedProperty { path, value: change.after.clone()?, origin })
    };
    let (name_parts, separator) = parts_of(action, all, names, &document.project);
    Explanation {
        resource: action.resource.clone(),
        api_version: resource_type(&action.resource.resource_type).map(|kind| kind.api_version.to_owned()),
        command: document.command.map(|command| command.name.to_owned()),
        origin: action.origin.clone(),
        name_parts,
        separator,
        depends_on: action
            .depends_on
            .iter()
            .filter_map(|index| Some(all.get(*index)?.resource.resource_id.clone()))
            .collect(),
        tags: tags.into_iter().filter_map(|tag| property(tag, tag.path.trim_start_matches("tags."))).collect(),
        properties: properties.into_iter().filter_map(|change| property(change, &change.path)).collect(),
    }
}

/// The words for what the command puts into a name by itself.
const COMMAND: &str = "set by the command";

fn name_of(action: &Action) -> String {
    format!("the name of the {}", action.resource.label)
}

/// The facts that are known of names.
struct Names {
    /// Those that the naming convention has made.
    generated: Vec<GivenName>,
    /// The names that the documents have for what resources are made of, by the ids of these.
    said: HashMap<String, String>,
}

/// The parts of the name of a resource, and what stands between them: of the naming convention, else of the names of other resources.
fn parts_of(action: &Action, all: &[Action], names: &Names, project: &Project) -> (Vec<NamePart>, String) {
    let name = &action.resource.name;
    let generated = |action: &Action| {
        names.generated.iter().find(|given| {
            given.resource_type.eq_ignore_ascii_case(&action.resource.resource_type)
                && given.generated == action.resource.name
        })
    };
    if let Some((given, parts)) = generated(action).and_then(|given| Some((given, given.parts(project)?))) {
        let with_place = parts.parts.into_iter().map(|part| NamePart {
            place: if part.source == OF_NAME { Some(given.place.show()) } else { part.place },
            ..part
        });
        return (with_place.collect(), parts.separator);
    }
    let part = |text: &str, source: &str, place: Option<String>| NamePart {
        text: text.to_owned(),
        source: source.to_owned(),
        place,
        hash_of: None,
    };
    // The longest is the nearest: the name of an endpoint has that of its app in it, and this that of nothing.
    let others = all.iter().filter(|other| other.resource.name != *name && generated(other).is_some());
    let within = others
        .filter(|other| name.contains(other.resource.name.as_str()))
        .max_by_key(|other| other.resource.name.len());
    let same = all.iter().find(|other| other.resource.name == *name && generated(other).is_some());
    match (same, within) {
        (Some(other), _) => (vec![part(name, &name_of(other), None)], String::new()),
        (None, Some(other)) => {
            let (before, behind) = name.split_once(other.resource.name.as_str()).unwrap_or((name, ""));
            let parts = [
                part(before, COMMAND, None),
                part(&other.resource.name, &name_of(other), None),
                part(behind, COMMAND, None),
            ];
            (parts.into_iter().filter(|part| !part.text.is_empty()).collect(), String::new())
        }
        (None, None) => {
            let is_said =
                names.said.get(&action.resource.resource_id).is_some_and(|said| said.eq_ignore_ascii_case(name));
            let (source, place) = if is_said { (OF_NAME, action.origin.clone()) } else { (COMMAND, None) };
            (vec![part(name, source, place)], String::new())
        }
    }
}

/// The sentences about a name that no document makes.
fn foreign(name: &str, actions: &[Action], documents: &[PreparedDocument]) -> Vec<String> {
    let name = name.rsplit('/').next().unwrap_or(name);
    let mut sentences = vec![format!("No document here makes anything that is called '{name}'.")];
    let mut projects = documents.iter().map(|document| &document.project);
    match projects.find_map(|project| project.convention.fit(name, &project.name_context)) {
        Some(told) => sentences.extend(told),
        None => sentences.push("It begins like no name of the naming convention, so others have given it.".to_owned()),
    }
    let near = nearest(name, actions.iter().map(|action| action.resource.name.as_str()));
    sentences.extend(near.map(|near| format!("A similar name is '{near}'.")));
    sentences
}
