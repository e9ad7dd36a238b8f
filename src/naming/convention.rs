//! The naming convention: plain data, the same for the built-in one and for a project's own, and the one function that
//! makes names from it.

use std::collections::{BTreeMap, BTreeSet};

use md5::{Digest, Md5};
use schemars::JsonSchema;
use serde::Deserialize;
use thiserror::Error;

use super::fallback::{Defaults, Entry};
use super::kind::{Architecture, Environment, ResourceKind, UnknownEnvironment};
use super::location::{Location, normalise_location};

/// A naming convention.
#[derive(Debug, Clone, PartialEq)]
pub struct Convention {
    pub(super) formats: Vec<Format>,
    /// The kinds for which a project says something; the rest is [`ResourceKind::builtin`].
    pub(super) resources: Vec<Resource>,
    /// A project's own codes; locations it does not name have those of the built-in table.
    pub(super) locations: Vec<LocationCode>,
    pub(super) tokens: Tokens,
    /// The defaults for kinds that the project's own file of kinds does not have; none where it has no such file, or no defaults.
    pub(super) defaults: Option<Defaults>,
    /// The project's own file of tokens, as it is shown; none where it has none.
    pub(super) tokens_file: Option<String>,
    /// The places in the project's files of what names are made of, by what that is: `environment/test`.
    pub(super) places: BTreeMap<String, String>,
}

/// The format in which names of one generator are put together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Format {
    pub(super) name: String,
    pub(super) separator: String,
    pub(super) components: Vec<Component>,
    pub(super) remove_characters: Vec<String>,
}

/// One segment of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Component {
    pub(super) source: Source,
    /// In characters; of a hash its length.
    pub(super) max_length: Option<usize>,
}

/// A segment of a name that was made.
pub(super) struct Segment {
    pub(super) source: Source,
    pub(super) text: String,
    /// The text that it is a hash of.
    pub(super) hash_of: Option<String>,
}

/// The sources of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Source {
    /// The word that stands for the kind of resource.
    Resource,
    /// The name in the settings, in lower case.
    Name,
    /// The word for the environment.
    Environment,
    /// The code of the location; nothing for what has none.
    Location,
    /// Deprecated; use location.
    Region,
    /// The word for the architecture.
    Architecture,
    /// The word for the organisation.
    Organisation,
    /// The word for the project.
    Project,
    /// The first four characters of the subscription's name; empty, unless the context sets the name.
    SubscriptionName,
    /// The subscription's id up to its first hyphen.
    SubscriptionId,
    /// The version of the program.
    PackageVersion,
    /// The time, which names of resources cannot have.
    Timestamp,
    /// A hash of the parts before it.
    Hash,
    /// The same as hash.
    BuildId,
    /// Deprecated; an empty part, as in the files of 2020.
    App,
}

/// The entry of one kind in a project's convention; what it leaves out is as in the built-in one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) short_name: Option<String>,
    pub(super) max_length: Option<usize>,
    pub(super) generator: Option<String>,
}

/// A project's code of one location.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LocationCode {
    pub(super) names: Vec<String>,
    pub(super) short_name: String,
}

/// Words that stand for something in every name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Tokens {
    pub(super) organisation: String,
    pub(super) project: String,
    /// Key and token.
    pub(super) architecture: Vec<(String, String)>,
    /// Key and token.
    pub(super) environments: Vec<(String, String)>,
}

/// The request of a name.
#[derive(Debug, Clone, Copy)]
pub struct NameRequest<'a> {
    /// Decides the generator, the short name and the length.
    pub kind: ResourceKind,
    /// As given in the settings.
    pub name: &'a str,
    /// The architecture it belongs to.
    pub architecture: Architecture,
    /// Any spelling.
    pub location: Option<&'a str>,
}

impl<'a> NameRequest<'a> {
    /// A request with all that names are made of.
    #[must_use]
    pub fn new(
        kind: ResourceKind,
        name: &'a str,
        architecture: Architecture,
        location: Option<&'a str>,
    ) -> NameRequest<'a> {
        NameRequest { kind, name, architecture, location }
    }

    /// A request of no name in particular, for what is the same in all.
    pub(super) const fn of_nothing() -> NameRequest<'static> {
        NameRequest { kind: ResourceKind::ResourceGroup, name: "", architecture: Architecture::Core, location: None }
    }
}

/// The parts of names that are not in the settings.
#[derive(Debug, Clone, Default)]
pub struct NameContext {
    /// The environment of the session, for formats that have it.
    pub environment: Environment,
    /// Display name of the subscription.
    pub subscription_name: Option<String>,
    /// GUID of the subscription; none where it is not known.
    pub subscription_id: Option<String>,
}

/// Why there is no name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameError {
    /// The location is in no table.
    #[error("{0}")]
    UnknownLocation(#[from] super::location::UnknownLocation),
    /// The naming file asks for something the run does not know.
    #[error("the naming file uses {0}, which is not known")]
    SourceUnknown(&'static str),
    /// The convention names a generator that it does not have.
    #[error("the naming convention has no generator '{0}'")]
    UnknownGenerator(String),
}

/// The text that stands in a name for the id of a subscription that is not known.
const UNKNOWN_SUBSCRIPTION_ID: &str = "<subscription>";
/// The text that stands in such a name for the hash of it.
const UNKNOWN_HASH: &str = "<hash>";
/// Characters of the MD5 hash that names carry.
pub(super) const HASH_LENGTH: usize = 8;
/// Characters of the subscription's name that names carry.
const SUBSCRIPTION_LENGTH: usize = 4;
/// Digits of the subscription's id that names carry: those before its first hyphen.
const SUBSCRIPTION_ID_LENGTH: usize = 8;

impl Convention {
    /// The convention of the replaced module.
    #[must_use]
    pub fn builtin() -> Convention {
        use Source::{
            Architecture as Arch, Environment as Env, Hash, Location as Loc, Name, PackageVersion, Resource as Short,
            Timestamp,
        };
        let format = |name: &str, separator: &str, sources: &[Source], remove: &[&str]| Format {
            name: name.to_owned(),
            separator: separator.to_owned(),
            components: sources.iter().map(|source| Component { source: *source, max_length: None }).collect(),
            remove_characters: remove.iter().map(|text| (*text).to_owned()).collect(),
        };
        let words = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(key, token)| ((*key).to_owned(), (*token).to_owned())).collect()
        };
        Convention {
            formats: vec![
                format("standard", "-", &[Short, Name, Env, Loc, Hash], &[]),
                format("resourcegroup", "-", &[Short, Name, Arch, Hash], &[]),
                format("app", "-", &[Short, Name, Env, Hash], &[]),
                format("storage", "", &[Short, Name, Hash], &[]),
                format("deployment", "-", &[Name, Env, PackageVersion, Timestamp], &[":", "."]),
            ],
            resources: Vec::new(),
            locations: Vec::new(),
            defaults: None,
            tokens_file: None,
            places: BTreeMap::new(),
            tokens: Tokens {
                organisation: String::new(),
                project: String::new(),
                architecture: words(&[("core", "core"), ("iaas", "iaas"), ("paas", "paas"), ("monitor", "mon")]),
                environments: words(&[
                    ("development", "dev"),
                    ("integration", "int"),
                    ("test", "tst"),
                    ("production", "prd"),
                    ("default", "shr"),
                ]),
            },
        }
    }

    /// Makes a name, without the characters that Azure does not take in it.
    ///
    /// # Errors
    /// [`NameError`]; whether Azure takes the name as a whole is for the rule of the resource's type to say.
    pub fn generate(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool,
    ) -> Result<String, NameError> {
        Ok(self.cut_to_length(&self.whole(request, context, takes)?, request.kind))
    }

    /// Whether a name that is generated is in this form that of other environments, too, because the end in which theirs differ is cut off.
    pub fn is_shared(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool + Copy,
        form: impl Fn(&str) -> String,
    ) -> bool {
        // Names without the environment in them are meant to be the same in all, so they need not be made for each.
        let format = self.format(self.entry(request.kind).generator);
        if !format.is_some_and(|format| format.components.iter().any(|part| part.source == Source::Environment)) {
            return false;
        }
        let whole = |environment: &str| {
            let environment = Environment::Own(environment.to_owned());
            self.whole(request, &NameContext { environment, ..context.clone() }, takes).ok()
        };
        let Some(own) = whole(context.environment.key()) else { return false };
        let cut = |whole: &str| form(&self.cut_to_length(whole, request.kind));
        let mut others = self.tokens.environments.iter().filter_map(|(key, _)| whole(key));
        others.any(|other| other != own && cut(&other) == cut(&own))
    }

    /// The letters and symbols that a generated name lacks because Azure does not take them in it. Blanks and the punctuation of ASCII
    /// separate words, and are missed by nobody.
    pub fn lost(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool,
    ) -> BTreeSet<char> {
        let separates = |character: char| character.is_whitespace() || character.is_ascii_punctuation();
        let whole = self.whole(request, context, |_| true).unwrap_or_default();
        whole.chars().filter(|character| !separates(*character) && !takes(*character)).collect()
    }

    fn cut_to_length(&self, whole: &str, kind: ResourceKind) -> String {
        // How long a name is tells nobody before all of it is known.
        let longest = self.entry(kind).longest.filter(|_| !whole.contains('<'));
        let cut = longest.map_or_else(|| whole.to_owned(), |longest| cut(whole, longest));
        cut.trim_end_matches('-').to_owned()
    }

    /// A name before it is cut to the length that its kind has.
    fn whole(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool,
    ) -> Result<String, NameError> {
        let (format, segments, is_unknown) = self.segments(request, context)?;
        let seen: Vec<String> =
            segments.into_iter().map(|segment| segment.text).filter(|text| !text.is_empty()).collect();
        let mut name = seen.join(&format.separator);
        for removed in &format.remove_characters {
            name = name.replace(removed.as_str(), "");
        }
        name.retain(|character| takes(character) || is_unknown && matches!(character, '<' | '>'));
        Ok(name)
    }

    /// The segments of a name, empty ones too, with how they are put together, and whether one is not known.
    pub(super) fn segments(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
    ) -> Result<(&Format, Vec<Segment>, bool), NameError> {
        let Entry { short_name, generator, .. } = self.entry(request.kind);
        let format = self.format(generator).ok_or_else(|| NameError::UnknownGenerator(generator.to_owned()))?;
        let mut segments: Vec<Segment> = Vec::new();
        let mut is_unknown = false;
        for component in &format.components {
            let mut hash_of = None;
            let text = match component.source {
                Source::SubscriptionId if context.subscription_id.is_none() => {
                    is_unknown = true;
                    UNKNOWN_SUBSCRIPTION_ID.to_owned()
                }
                Source::Hash | Source::BuildId if is_unknown => UNKNOWN_HASH.to_owned(),
                // Segments that are empty count for the hash although they are not seen in the name.
                Source::Hash | Source::BuildId => {
                    let before: Vec<&str> = segments.iter().map(|segment| segment.text.as_str()).collect();
                    let before = before.join(&format.separator);
                    let hash = hash(&before, component.max_length.unwrap_or(HASH_LENGTH));
                    hash_of = Some(before);
                    hash
                }
                source => {
                    let segment = self.segment(source, short_name, request, context)?;
                    component.max_length.map_or_else(|| segment.clone(), |length| cut(&segment, length))
                }
            };
            segments.push(Segment { source: component.source, text, hash_of });
        }
        Ok((format, segments, is_unknown))
    }

    /// Whether names depend on the id of the subscription.
    #[must_use]
    pub fn uses_subscription_id(&self) -> bool {
        let mut components = self.formats.iter().flat_map(|format| &format.components);
        components.any(|component| component.source == Source::SubscriptionId)
    }

    /// Whether a part of the names of a kind is not known: the id of a subscription that nobody has named offline. In them stands what it
    /// is in angle brackets, which Azure takes in no name, as in every id that is not known yet.
    #[must_use]
    pub fn is_unknown(&self, kind: ResourceKind, context: &NameContext) -> bool {
        let of_subscription =
            |format: &Format| format.components.iter().any(|part| part.source == Source::SubscriptionId);
        context.subscription_id.is_none() && self.format(self.entry(kind).generator).is_some_and(of_subscription)
    }

    /// The environment of a name: one that everybody has, or one that the naming files of the project have a token for.
    ///
    /// # Errors
    /// There is none of the name.
    pub fn environment(&self, name: &str) -> Result<Environment, UnknownEnvironment> {
        name.parse().or_else(|UnknownEnvironment { text, mut known }| {
            let own = self.tokens.environments.iter().map(|(key, _)| key);
            let own: Vec<&String> =
                own.filter(|key| !known.iter().any(|known| key.eq_ignore_ascii_case(known))).collect();
            if let Some(found) = own.iter().find(|key| key.eq_ignore_ascii_case(name.trim())) {
                return Ok(Environment::Own((*found).clone()));
            }
            known.extend(own.into_iter().cloned());
            Err(UnknownEnvironment { text, known })
        })
    }

    /// Every environment, with the word that stands for it in names.
    #[must_use]
    pub fn environments(&self) -> Vec<(Environment, String)> {
        let known = |(key, word): &(String, String)| Some((self.environment(key).ok()?, word.clone()));
        self.tokens.environments.iter().filter_map(known).collect()
    }

    pub(super) fn segment(
        &self,
        source: Source,
        short_name: &str,
        request: &NameRequest<'_>,
        context: &NameContext,
    ) -> Result<String, NameError> {
        let word = |words: &[(String, String)], key: &str| {
            words
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(key))
                .map(|(_, token)| token.clone())
                .unwrap_or_default()
        };
        Ok(match source {
            Source::Resource => short_name.to_owned(),
            Source::Name => request.name.to_lowercase(),
            Source::Environment => word(&self.tokens.environments, context.environment.key()),
            Source::Architecture => word(&self.tokens.architecture, request.architecture.key()),
            Source::Organisation => self.tokens.organisation.clone(),
            Source::Project => self.tokens.project.clone(),
            Source::Location | Source::Region => match request.location {
                Some(location) => self.location_code(location)?,
                None => String::new(),
            },
            // The naming file of the replaced module asks for it in storage names, but what it read was always empty: without
            // a name in the context it is empty here as well, so that existing accounts keep their names.
            Source::SubscriptionName => {
                cut(&context.subscription_name.as_deref().unwrap_or_default().to_lowercase(), SUBSCRIPTION_LENGTH)
            }
            Source::SubscriptionId => {
                cut(&context.subscription_id.as_deref().unwrap_or_default().to_lowercase(), SUBSCRIPTION_ID_LENGTH)
            }
            Source::PackageVersion => env!("CARGO_PKG_VERSION").to_owned(),
            // A time in a name would be another resource in every run.
            Source::Timestamp => return Err(NameError::SourceUnknown("a timestamp in the name of a resource")),
            Source::Hash | Source::BuildId | Source::App => String::new(),
        })
    }

    /// The code of a location in names.
    pub(crate) fn location_code(&self, text: &str) -> Result<String, NameError> {
        let wanted = normalise_location(text);
        let own =
            self.locations.iter().find(|location| location.names.iter().any(|name| normalise_location(name) == wanted));
        match own {
            Some(location) => Ok(location.short_name.clone()),
            None => Ok(Location::find(text)?.code().to_owned()),
        }
    }

    pub(super) fn format(&self, name: &str) -> Option<&Format> {
        self.formats.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }

    /// The project's own entry of a kind.
    pub(super) fn resource(&self, kind: ResourceKind) -> Option<&Resource> {
        self.resources.iter().find(|resource| same_kind(&resource.name, kind.name()))
    }
}

/// Whether two names are one kind: letter case makes no difference, and naming files called API management in two ways.
pub(super) fn same_kind(one: &str, other: &str) -> bool {
    let name = |text: &str| {
        if text.eq_ignore_ascii_case("APImanagementServiceInstance") { "ApiManagementService" } else { text }
            .to_ascii_lowercase()
    };
    name(one) == name(other)
}

/// The first digits of the MD5 hash of a text and a bar behind it, as the replaced module computed it.
#[must_use]
pub fn hash(text: &str, length: usize) -> String {
    let digest = u128::from_be_bytes(Md5::digest(format!("{text}|")).into());
    cut(&format!("{digest:032x}"), length)
}

fn cut(text: &str, length: usize) -> String {
    text.chars().take(length).collect()
}
