//! A project's own naming files, in the format of the replaced module: `_names/generators.yml`, `resources.yml`,
//! `locations.yml` and `tokens.yml`. Each overrides its part of the built-in convention.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde_json::Value;

use super::convention::{Component, Convention, Format, LocationCode, Resource, Tokens, same_kind};
use super::fallback::Defaults;
use super::location::normalise_location;
use super::naming_files::{
    ComponentEntry, DefaultsEntry, GeneratorsFile, LocationsFile, ResourcesFile, TokensEntry, TokensFile,
};
use crate::protocol::{FindingCode, Warning, nearest};
use crate::settings::{Document, Finding, LoadError, Place, SettingsPath, check_known_keys, misnamed, project_file};

/// The folder of the naming files of a project.
pub const NAMING_FOLDER: &str = "_names";

/// The naming of a project.
#[derive(Debug)]
pub struct ProjectNames {
    /// The built-in convention with the project's own parts in place of its own.
    pub convention: Convention,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The warnings about what its files have and nothing uses.
    pub warnings: Vec<Warning>,
}

impl Default for ProjectNames {
    /// Those of a project without naming files.
    fn default() -> ProjectNames {
        ProjectNames { convention: Convention::builtin(), files: Vec::new(), warnings: Vec::new() }
    }
}

/// The convention of a project: that of the `_names` folder in the first of the folders that has one, over the built-in
/// one.
///
/// # Errors
/// Everything that is wrong with the files, each finding with its place.
pub fn project_convention(folders: &[PathBuf]) -> Result<ProjectNames, LoadError> {
    let Some(folder) = folders.iter().map(|folder| folder.join(NAMING_FOLDER)).find(|folder| folder.is_dir()) else {
        return Ok(ProjectNames::default());
    };
    let (mut convention, mut files) = (Convention::builtin(), Vec::new());
    let (mut findings, mut warnings) = (Vec::new(), Vec::new());
    let misnamed = misnamed(&folder, &["generators", "resources", "locations", "regions", "tokens"]);
    let mut load = |name: &str| -> Result<Option<Arc<Document>>, LoadError> {
        let Some(path) = project_file(std::slice::from_ref(&folder), name) else { return Ok(None) };
        match Document::load(&path, "naming") {
            Ok(document) => {
                files.push(path);
                Ok(Some(document))
            }
            Err(LoadError::Findings(found)) => {
                findings.extend(found);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    };
    let (generators, resources, locations, regions, tokens) =
        (load("generators")?, load("resources")?, load("locations")?, load("regions")?, load("tokens")?);
    if let Some(document) = &generators {
        take(document, &mut findings, &mut warnings, |file: GeneratorsFile, _| convention.take_generators(file));
    }
    // What is wrong in a generator is no reason to say that there is none of its name.
    if let Some(document) = generators.as_ref().filter(|_| !findings.is_empty()) {
        convention.know_generators(document.value());
    }
    if let Some(document) = resources {
        take(&document, &mut findings, &mut warnings, |file: ResourcesFile, findings| {
            convention.take_resources(&document, file, findings)
        });
    }
    // The older name of the same file. Where a project has both, it has gone over to the newer one.
    if let Some(document) = locations.or(regions) {
        take(&document, &mut findings, &mut warnings, |file: LocationsFile, findings| {
            convention.take_locations(&document, file, findings)
        });
    }
    if let Some(document) = tokens {
        take(&document, &mut findings, &mut warnings, |file: TokensFile, _| {
            convention.tokens_file = Some(document.display_name());
            convention.tokens.architecture.clear();
            let TokensFile { tokens, organisation, project, architecture, environments, .. } = file;
            let root = SettingsPath::root();
            convention.take_tokens(&document, &root, TokensEntry { organisation, project, architecture, environments });
            convention.take_tokens(&document, &root.key("tokens"), tokens.unwrap_or_default());
        });
    }
    if !findings.is_empty() {
        return Err(LoadError::Findings(findings));
    }
    warnings.extend(generators.iter().flat_map(|document| convention.unused_generators(document)));
    let warnings = misnamed.into_iter().map(Warning::from).chain(warnings.iter().map(Finding::warning)).collect();
    Ok(ProjectNames { convention, files, warnings })
}

/// The names of the generators of a file, as far as they can be read.
fn names_of_generators(file: &Value) -> Vec<String> {
    let member = |value: &Value, key: &str| {
        let members = value.as_object()?;
        members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.clone())
    };
    let formats = member(file, "formats").unwrap_or_default();
    let names = formats.as_array().into_iter().flatten().filter_map(|format| member(format, "name"));
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn take<T: serde::de::DeserializeOwned + JsonSchema>(
    document: &Arc<Document>,
    findings: &mut Vec<Finding>,
    warnings: &mut Vec<Finding>,
    apply: impl FnOnce(T, &mut Vec<Finding>),
) {
    match check_known_keys::<T>(document) {
        Ok((file, ignored)) => {
            warnings.extend(ignored);
            apply(file, findings);
        }
        Err(found) => findings.extend(found),
    }
}

impl Convention {
    fn take_generators(&mut self, file: GeneratorsFile) {
        for entry in file.formats {
            let component = |entry: ComponentEntry| Component { source: entry.source, max_length: entry.max_length };
            let components = entry.components.into_iter().map(component).collect();
            let format = Format {
                name: entry.name,
                separator: entry.separator.unwrap_or_default(),
                components,
                remove_characters: entry.remove_characters.unwrap_or_default(),
            };
            match self.formats.iter_mut().find(|known| known.name.eq_ignore_ascii_case(&format.name)) {
                Some(known) => *known = format,
                None => self.formats.push(format),
            }
        }
    }

    /// Takes the names of the generators of a file that cannot be read.
    fn know_generators(&mut self, file: &Value) {
        for name in names_of_generators(file) {
            if self.format(&name).is_none() {
                let separator = String::new();
                self.formats.push(Format { name, separator, components: Vec::new(), remove_characters: Vec::new() });
            }
        }
    }

    /// The generators of a file that have no name of a built-in one, and that no kind of resource names.
    fn unused_generators(&self, document: &Arc<Document>) -> Vec<Finding> {
        let builtin = Convention::builtin();
        let is_used = |name: &str| {
            let of_resource = self.resources.iter().filter_map(|resource| resource.generator.as_deref());
            let of_defaults = self.defaults.iter().filter_map(|defaults| defaults.generator.as_deref());
            builtin.format(name).is_some() || of_resource.chain(of_defaults).any(|used| used.eq_ignore_ascii_case(name))
        };
        let root = SettingsPath::root();
        let entries = names_of_generators(document.value()).into_iter().enumerate();
        entries
            .filter(|(_, name)| !is_used(name))
            .map(|(index, name)| {
                let known = builtin.formats.iter().map(|format| format.name.as_str());
                let hint = nearest(&name, known).map_or(String::new(), |near| format!(", did you mean '{near}'?"));
                Finding {
                    place: Place::value(document, root.key("formats").index(index).key("name")),
                    code: FindingCode::UnknownValue,
                    message: format!("no kind of resource uses the generator '{name}'{hint}"),
                }
            })
            .collect()
    }

    /// Each field of a kind comes from its entry, else from the file's defaults, else from the built-in convention. Of entries
    /// of one kind the last counts; the replaced module's own file lists some twice.
    fn take_resources(&mut self, document: &Arc<Document>, file: ResourcesFile, findings: &mut Vec<Finding>) {
        let has_defaults = file.defaults.is_some();
        let defaults = file.defaults.unwrap_or_default();
        let root = SettingsPath::root();
        if let Some(generator) = &defaults.generator {
            self.check_generator(generator, Place::value(document, root.dotted("defaults.generator")), findings);
        }
        for (index, entry) in file.resources.unwrap_or_default().into_iter().enumerate() {
            let at = root.key("resources").index(index);
            if entry.shortname.is_some() {
                let key = format!("kind/{}", entry.name.to_lowercase());
                self.places.insert(key, Place::value(document, at.key("shortname")).show());
            }
            if let Some(generator) = &entry.generator {
                let place = Place::value(document, at.key("generator"));
                self.check_generator(generator, place, findings);
            }
            let own = Resource {
                name: entry.name,
                short_name: entry.shortname.or_else(|| defaults.shortname.clone()),
                max_length: entry.max_length,
                generator: entry.generator.or_else(|| defaults.generator.clone()),
            };
            match self.resources.iter_mut().find(|known| same_kind(&known.name, &own.name)) {
                Some(known) => {
                    let earlier = std::mem::replace(known, own);
                    known.short_name = known.short_name.take().or(earlier.short_name);
                    known.max_length = known.max_length.or(earlier.max_length);
                    known.generator = known.generator.take().or(earlier.generator);
                }
                None => self.resources.push(own),
            }
        }
        let DefaultsEntry { generator, shortname: short_name } = defaults;
        self.defaults = has_defaults.then(|| Defaults { file: document.display_name(), short_name, generator });
    }

    fn check_generator(&self, name: &str, place: Place, findings: &mut Vec<Finding>) {
        if self.format(name).is_none() {
            let known: Vec<&str> = self.formats.iter().map(|format| format.name.as_str()).collect();
            let hint = nearest(name, known.iter().copied())
                .map_or("; known".to_owned(), |near| format!(", did you mean '{near}'? Known"));
            let message = format!("'{name}' is not a generator{hint} generators are {}", known.join(", "));
            findings.push(Finding { place, code: FindingCode::UnknownValue, message });
        }
    }

    fn take_locations(&mut self, document: &Arc<Document>, file: LocationsFile, findings: &mut Vec<Finding>) {
        for (index, entry) in file.locations.into_iter().enumerate() {
            let names: Vec<String> = std::iter::once(entry.name).chain(entry.alias.into_iter().flatten()).collect();
            let other = self.locations.iter().find(|known| {
                known.short_name != entry.shortname
                    && names.iter().any(|name| known.names.iter().any(|other| super::same_location(other, name)))
            });
            if let Some(other) = other {
                let message = format!(
                    "duplicate location '{}', as '{}' and as '{}'",
                    names[0], other.short_name, entry.shortname
                );
                let place = Place::value(document, SettingsPath::root().key("locations").index(index).key("shortname"));
                findings.push(Finding { place, code: FindingCode::DuplicateName, message });
            }
            let place = Place::value(document, SettingsPath::root().key("locations").index(index).key("shortname"));
            for name in &names {
                // The first one of a name counts.
                self.places.entry(format!("location/{}", normalise_location(name))).or_insert_with(|| place.show());
            }
            self.locations.push(LocationCode { names, short_name: entry.shortname });
        }
    }

    fn take_tokens(&mut self, document: &Arc<Document>, at: &SettingsPath, entry: TokensEntry) {
        let places = &mut self.places;
        let mut note = |key: &str, path: SettingsPath| {
            places.insert(key.to_owned(), Place::value(document, path).show());
        };
        for (key, is_said) in [("organisation", entry.organisation.is_some()), ("project", entry.project.is_some())] {
            if is_said {
                note(key, at.key(key));
            }
        }
        let mut merge =
            |known: &mut Vec<(String, String)>, own: Option<BTreeMap<String, String>>, (of, list): (&str, &str)| {
                for (key, token) in own.into_iter().flatten() {
                    note(&format!("{of}/{}", key.to_lowercase()), at.key(list).key(&key));
                    match known.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(&key)) {
                        Some((_, known)) => *known = token,
                        None => known.push((key, token)),
                    }
                }
            };
        let Tokens { organisation, project, architecture, environments } = &mut self.tokens;
        *organisation = entry.organisation.unwrap_or_else(|| std::mem::take(organisation));
        *project = entry.project.unwrap_or_else(|| std::mem::take(project));
        merge(architecture, entry.architecture, ("architecture", "architecture"));
        merge(environments, entry.environments, ("environment", "environments"));
    }
}
