//! Putting existing resources in, so that a run finds what it depends on.

use super::lookup::{identity, look_up};
use super::moment::Moment;
use super::path::{GROUP_TYPE, ResourceId};
use super::resource_types::{self, LocationRule, Write};
use super::resources::{apply, with_companions};
use super::state::{Body, Resource, State, references};
use super::store::{StateFile, apart, in_plain_words};
use super::{LocalCloudError, files, locations, telemetry};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The content of a file that was imported, with the number of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// Resources.
    Resources(usize),
    /// Time series of metrics, events of the activity log and rows of tables.
    Past(usize),
}

/// Why resources cannot be imported. Positions count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read.
    #[error("The file {} cannot be read.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is neither JSON nor YAML with resources.
    #[error("The file {} is not JSON or YAML with resources: an array, an object with the array in 'value', or one resource.", path.display())]
    NotResources {
        /// The file.
        path: PathBuf,
        /// The error in it, with its place.
        source: serde_json::Error,
    },
    /// The telemetry to import is not in the form for it.
    #[error("The past cannot be imported: {problem}.")]
    Telemetry {
        /// The error, with its place.
        problem: String,
    },
    /// A resource is in the form of the Azure CLI's own commands, which has lost the names of the properties.
    #[error(
        "{id} has its properties at the top, as 'az ... show' prints them. Use what 'az resource show --ids {id}' or 'az rest' prints."
    )]
    Flattened {
        /// The resource.
        id: String,
    },
    /// A resource is in a region that is nearly one of Azure.
    #[error("{id} is in '{region}', which is not a region of Azure; did you mean '{nearest}'?")]
    UnknownRegion {
        /// The resource.
        id: String,
        /// The region that it says.
        region: String,
        /// The region that was meant.
        nearest: &'static str,
    },
    /// A resource is not an object with an id.
    #[error("Resource {position} has no 'id' with a resource id: {found}.")]
    NoId {
        /// Its place in the list.
        position: usize,
        /// The kind of value that is there instead.
        found: String,
    },
    /// A resource's group is neither there nor among the resources, and its location is not known.
    #[error(
        "The resource group of {id} does not exist and is not in the list, and the resource has no region to create it in."
    )]
    NoGroup {
        /// The resource.
        id: String,
    },
    /// A resource's parent is neither there nor among the resources.
    #[error("The parent of {id} does not exist and is not in the list.")]
    NoParent {
        /// The resource.
        id: String,
    },
}

/// Puts the resources of a file, JSON or YAML, into a state file, which is made when it is missing: an array of them, what a listing
/// answers, or one resource. A file with `metrics`, `activityLog` or `tables` is one of the past. Returns what it has.
pub fn import_file(file: &Path, state_file: &Path) -> Result<Imported, LocalCloudError> {
    apart(state_file, file, "the list of resources")?;
    let text = files::read(file).map_err(|source| ImportError::Unreadable { path: file.to_owned(), source })?;
    let document = read(&text).map_err(|source| not_resources(file, source))?;
    let (state_file, mut state) = StateFile::open(state_file)?;
    let imported = if is_telemetry(&document) {
        Imported::Past(telemetry(&mut state, document)?)
    } else {
        let resources = listed(document).map_err(|source| not_resources(file, source))?;
        Imported::Resources(import(&mut state, &resources)?)
    };
    state_file
        .save(&state)
        .map_err(|source| LocalCloudError::StateUnwritable { path: state_file.path().to_owned(), source })?;
    Ok(imported)
}

/// The error of a file that has neither resources nor the past in it.
fn not_resources(file: &Path, source: serde_json::Error) -> ImportError {
    let (line, column) = (source.line(), source.column());
    let place = if line > 0 { format!(" at line {line} column {column}") } else { String::new() };
    let source = serde::de::Error::custom(format!("{}{place}", in_plain_words(source)));
    ImportError::NotResources { path: file.to_owned(), source }
}

/// Whether a document is about the past: values of metrics, events, rows of tables.
fn is_telemetry(document: &Value) -> bool {
    ["metrics", "activityLog", "tables"].iter().any(|name| document.get(name).is_some())
}

/// Adds the past of a document. Returns how many series, events and rows it has.
pub(super) fn telemetry(state: &mut State, document: Value) -> Result<usize, ImportError> {
    telemetry::import(state.telemetry_mut(), document, Moment::now())
        .map_err(|problem| ImportError::Telemetry { problem })
}

/// A text as JSON or YAML.
fn read(text: &[u8]) -> Result<Value, serde_json::Error> {
    // What is wrong with JSON is told as such, and a text that begins like it is no YAML.
    let is_json = text.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| b"[{\xef".contains(byte));
    match serde_json::from_slice(text) {
        Err(_) if !is_json => serde_yaml::from_slice(text).map_err(serde::de::Error::custom),
        read => read,
    }
}

/// The resources of a document, in any of the forms in which Azure gives them.
fn listed(document: Value) -> Result<Vec<Value>, serde_json::Error> {
    match document {
        Value::Array(resources) => Ok(resources),
        Value::Object(mut answer) if !answer.contains_key("id") => answer
            .get_mut("value")
            .map(Value::take)
            .map_or_else(|| Err(serde::de::Error::custom("it has neither 'id' nor 'value'")), serde_json::from_value),
        Value::Object(resource) => Ok(vec![Value::Object(resource)]),
        _ => Err(serde::de::Error::custom("it is neither an array nor an object")),
    }
}

/// That a resource is as Azure Resource Manager gives it, and in a region there is.
fn check(id: &ResourceId, body: &Body) -> Result<(), ImportError> {
    // Every command of the Azure CLI adds the group; only the general ones leave the properties where they are.
    let is_flattened = body.contains_key("resourceGroup") && !body.contains_key("properties");
    if is_flattened && !id.is_container() {
        return Err(ImportError::Flattened { id: id.text() });
    }
    let region = body.get("location").and_then(Value::as_str).filter(|region| locations::find(region).is_none());
    match region.and_then(|region| Some((region, locations::nearest(region)?))) {
        Some((region, nearest)) => {
            Err(ImportError::UnknownRegion { id: id.text(), region: region.to_owned(), nearest })
        }
        None => Ok(()),
    }
}

/// All of the resources or none.
pub(super) fn import(state: &mut State, resources: &[Value]) -> Result<usize, ImportError> {
    let mut list = Vec::with_capacity(resources.len());
    for (index, resource) in resources.iter().enumerate() {
        let id = resource.get("id").and_then(Value::as_str);
        match (id.and_then(ResourceId::parse), resource.as_object()) {
            (Some(id), Some(body)) => {
                check(&id, body)?;
                list.push((id, body));
            }
            _ => {
                let found = id.map_or_else(|| resource.to_string(), |id| format!("'{id}'"));
                let found = found.chars().take(200).collect();
                return Err(ImportError::NoId { position: index + 1, found });
            }
        }
    }
    let mut changed = state.clone();
    for (id, body) in in_order(&list) {
        make_group(&mut changed, id, body, &list)?;
        add(&mut changed, id, body);
    }
    for (id, _) in &list {
        let parent = id.parent();
        // Deleted services are kept in a location, which is no resource.
        let is_there = || parent.type_name().ends_with("/locations") || look_up(&changed, &parent).is_ok();
        if !id.is_container() && !is_there() {
            return Err(ImportError::NoParent { id: id.text() });
        }
    }
    *state = changed;
    Ok(list.len())
}

/// The resources so that each comes after its parents and after what it refers to, as far as these do not refer to it.
fn in_order<'a>(list: &'a [(ResourceId, &'a Body)]) -> Vec<&'a (ResourceId, &'a Body)> {
    let places: BTreeMap<String, usize> = list.iter().enumerate().map(|(place, (id, _))| (id.key(), place)).collect();
    let mut ordered = Vec::with_capacity(list.len());
    let mut begun = vec![false; list.len()];
    // True: what the resource needs has been put before it, so that it is its turn.
    let mut open: Vec<(usize, bool)> = (0..list.len()).rev().map(|place| (place, false)).collect();
    while let Some((place, ready)) = open.pop() {
        let item = &list[place];
        if ready {
            ordered.push(item);
        } else if !begun[place] {
            begun[place] = true;
            open.push((place, true));
            let (id, body) = item;
            let key = id.key();
            let needed = references(&key, body).into_iter().map(|target| target.to_string());
            for target in needed.chain([key.clone()]) {
                // What stands in the body of another resource, such as a subnet, comes with that resource.
                let mut target = ResourceId::parse(&target).unwrap_or_default();
                while target != ResourceId::default() {
                    let there = places.get(&target.key()).filter(|other| **other != place);
                    open.extend(there.map(|other| (*other, false)));
                    target = target.parent();
                }
            }
        }
    }
    ordered
}

fn make_group(
    state: &mut State,
    id: &ResourceId,
    body: &Body,
    list: &[(ResourceId, &Body)],
) -> Result<(), ImportError> {
    let group = id.container();
    let listed = || list.iter().any(|(other, _)| other.key() == group.key());
    if id.group.is_none() || id.is_container() || state.get(&group.key()).is_some() || listed() {
        return Ok(());
    }
    let region = body.get("location").and_then(Value::as_str).and_then(locations::find);
    let region = region.ok_or_else(|| ImportError::NoGroup { id: id.text() })?;
    add(state, &group, &Body::from_iter([("location".to_owned(), region.name.into())]));
    Ok(())
}

fn add(state: &mut State, id: &ResourceId, body: &Body) {
    let entry = resource_types::of(id);
    let mut wanted = body.clone();
    for name in ["id", "name", "type"] {
        wanted.shift_remove(name);
    }
    if let Some(region) = wanted.get("location").and_then(Value::as_str).and_then(locations::find) {
        let printed = if entry.location == LocationRule::DisplayedRegion { region.display_name } else { region.name };
        wanted.insert("location".to_owned(), printed.into());
    }
    if id.type_name() == GROUP_TYPE {
        wanted.entry("properties").or_insert_with(|| json!({}));
    }
    // It counts as what exists, so that times and keys it has already stay.
    let mut existing = identity(id, entry);
    existing.extend(wanted.clone());
    let now = Moment::now();
    let write = Write { id, body: &wanted, existing: Some(&existing), state, now, api_version: "" };
    let (mut body, companions) = with_companions(&write, entry);
    keep(&wanted, &mut body);
    state.put(Resource::new(body));
    apply(state, companions, now);
}

/// Members that are kept as children or follow from other resources, that are spelled as the type spells them, or are for the write only.
const KEPT_ELSEWHERE: &[&str] = &[
    "subnets",
    "siteConfig",
    "privateEndpointConnections",
    "location",
    "provisioningState",
    "encodedCertificate",
    "certificatePassword",
    "restore",
    "cloningInfo",
    "createMode",
];

/// Puts what an answer of Azure says over what was filled in, also that something is null: it is older than a rule, or has values that
/// only Azure knows.
fn keep(given: &Body, body: &mut Body) {
    for (member, given) in given.iter().filter(|(member, _)| !KEPT_ELSEWHERE.contains(&member.as_str())) {
        match (given, body.get_mut(member)) {
            (Value::Object(given), Some(Value::Object(value))) => keep(given, value),
            (Value::Array(given), Some(Value::Array(value))) if given.len() == value.len() => {
                for (given, value) in given.iter().zip(value) {
                    match (given, value) {
                        (Value::Object(given), Value::Object(value)) => keep(given, value),
                        (given, value) => *value = given.clone(),
                    }
                }
            }
            _ => drop(body.insert(member.clone(), given.clone())),
        }
    }
}
