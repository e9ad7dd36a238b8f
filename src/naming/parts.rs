//! The parts of a generated name, each with what says it, and how far a name that others have made fits the convention.

use serde::Serialize;
use strum::VariantArray as _;

use super::convention::{
    Component, Convention, Format, HASH_LENGTH, NameContext, NameError, NameRequest, Segment, Source, hash,
};
use super::fallback::Entry;
use super::kind::ResourceKind;
use super::location::{Location, normalise_location};

/// A part of a generated name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NamePart {
    /// As it is in the name; what Azure does not take, or what is cut off, is not there.
    pub text: String,
    /// The thing that it stands for: `the kind StorageAccount`, `the environment test`, `a hash`.
    #[serde(rename = "of")]
    pub source: String,
    /// The place in the naming files that says it; none where the built-in convention does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The text that it is a hash of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash_of: Option<String>,
}

/// A generated name in its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameParts {
    /// The parts that are seen in the name.
    pub parts: Vec<NamePart>,
    /// The text between them.
    pub separator: String,
}

impl NameParts {
    /// The name that the parts make.
    #[must_use]
    pub fn name(&self) -> String {
        let texts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        texts.join(&self.separator)
    }
}

/// The word for a source, what it stands for in a name, and the key of what says it in the naming files.
fn described(source: Source, request: &NameRequest<'_>, context: &NameContext) -> (&'static str, String, String) {
    let (word, of, key) = match source {
        Source::Resource => ("the kind", request.kind.name(), "kind"),
        Source::Environment => ("the environment", context.environment.key(), "environment"),
        Source::Location | Source::Region => ("the location", request.location.unwrap_or_default(), "location"),
        Source::Architecture => ("the architecture", request.architecture.key(), "architecture"),
        Source::Organisation => ("the organisation", "", "organisation"),
        Source::Project => ("the project", "", "project"),
        Source::Name => (OF_NAME, "", ""),
        Source::SubscriptionName => ("the name of the subscription", "", ""),
        Source::SubscriptionId => ("the id of the subscription", "", ""),
        Source::PackageVersion => ("the version of the program", "", ""),
        Source::Timestamp => ("the time", "", ""),
        Source::Hash | Source::BuildId => (OF_HASH, "", ""),
        Source::App => ("nothing", "", ""),
    };
    let of = if key == "location" { normalise_location(of) } else { of.to_owned() };
    let key = if of.is_empty() { key.to_owned() } else { format!("{key}/{}", of.to_lowercase()) };
    (word, of, key)
}

/// The source of the part that the settings say.
pub const OF_NAME: &str = "the name in the settings";
const OF_HASH: &str = "a hash";

impl Convention {
    /// The parts of a generated name.
    ///
    /// # Errors
    /// [`NameError`]
    pub fn parts(
        &self,
        request: &NameRequest<'_>,
        context: &NameContext,
        takes: impl Fn(char) -> bool,
    ) -> Result<NameParts, NameError> {
        let (format, segments, is_unknown) = self.segments(request, context)?;
        let seen = |text: &str| {
            let mut text = text.to_owned();
            for removed in &format.remove_characters {
                text = text.replace(removed.as_str(), "");
            }
            text.retain(|character| takes(character) || is_unknown && matches!(character, '<' | '>'));
            text
        };
        let separator = seen(&format.separator);
        let name = self.generate(request, context, &takes)?;
        let mut left = name.chars().count();
        let mut parts: Vec<NamePart> = Vec::new();
        for Segment { source, text, hash_of } in segments {
            let text = seen(&text);
            if text.is_empty() {
                continue;
            }
            if !parts.is_empty() {
                left = left.saturating_sub(separator.chars().count());
            }
            let text: String = text.chars().take(left).collect();
            left -= text.chars().count();
            if !text.is_empty() {
                let (word, of, key) = described(source, request, context);
                let source = if of.is_empty() { word.to_owned() } else { format!("{word} {of}") };
                parts.push(NamePart { text, source, place: self.places.get(&key).cloned(), hash_of });
            }
        }
        Ok(NameParts { parts, separator })
    }

    /// The sentences about how far a name that others have made fits the convention, by the kind whose names begin like it. None where those of no kind do.
    #[must_use]
    pub fn fit(&self, existing: &str, context: &NameContext) -> Option<Vec<String>> {
        let existing = existing.to_lowercase();
        let begins = |kind: &&ResourceKind| {
            let Entry { short_name, generator, .. } = self.entry(**kind);
            let starts = self.format(generator).is_some_and(|format| {
                existing.starts_with(&format!("{short_name}{}", format.separator).to_lowercase())
            });
            starts && !short_name.is_empty()
        };
        let kinds = ResourceKind::VARIANTS.iter().filter(begins);
        let kind = kinds.max_by_key(|kind| self.entry(**kind).short_name.len())?;
        Some(self.fit_of(&existing, *kind, context))
    }

    fn fit_of(&self, existing: &str, kind: ResourceKind, context: &NameContext) -> Vec<String> {
        let Entry { short_name, generator, .. } = self.entry(kind);
        let Some(format) = self.format(generator) else { return Vec::new() };
        let mut sentences = vec![format!("It begins with '{short_name}', as names of the kind {} do.", kind.name())];
        let mut reading =
            Reading { convention: self, context, short_name, rest: existing, separator: &format.separator };
        let at_name = format.components.iter().position(|part| part.source == Source::Name).unwrap_or(0);
        let (front, back) = format.components.split_at(at_name);
        let (mut before, mut behind) = (Vec::new(), Vec::new());
        for component in front {
            match reading.take(component, true) {
                Ok(text) => before.push((component, text)),
                Err(misfit) => return [sentences, vec![misfit]].concat(),
            }
        }
        for component in back.iter().skip(1).rev() {
            match reading.take(component, false) {
                Ok(text) => behind.insert(0, (component, text)),
                Err(misfit) => return [sentences, vec![misfit]].concat(),
            }
        }
        sentences.push(format!("The name in the settings would be '{}'.", reading.rest));
        let name = Component { source: Source::Name, max_length: None };
        let all: Vec<(&Component, String)> =
            before.into_iter().chain([(&name, reading.rest.to_owned())]).chain(behind).collect();
        let misfit = misfit_of_hash(&all, format);
        sentences.push(misfit.unwrap_or_else(|| "Every part fits the naming convention.".to_owned()));
        sentences
    }
}

/// The sentence about a hash that is not that of what stands before it.
fn misfit_of_hash(parts: &[(&Component, String)], format: &Format) -> Option<String> {
    let at = parts.iter().position(|(part, _)| matches!(part.source, Source::Hash | Source::BuildId))?;
    let before: Vec<&str> = parts[..at].iter().map(|(_, text)| text.as_str()).collect();
    let before = before.join(&format.separator);
    let (component, found) = &parts[at];
    let expected = hash(&before, component.max_length.unwrap_or(HASH_LENGTH));
    (expected != *found).then(|| {
        format!("The hash '{found}' does not fit: that of '{before}' is '{expected}'. Letters that are cut off or that Azure does not take count for it.")
    })
}

/// A name that is read part by part.
struct Reading<'a> {
    convention: &'a Convention,
    context: &'a NameContext,
    short_name: &'a str,
    rest: &'a str,
    separator: &'a str,
}

impl Reading<'_> {
    /// Takes what a part may be off the front or the back of what is left.
    fn take(&mut self, component: &Component, is_front: bool) -> Result<String, String> {
        let choices = self.choices(component);
        // Empty parts are not seen in a name.
        if choices.iter().all(String::is_empty) && !is_hash(component) {
            return Ok(String::new());
        }
        let rest = self.rest;
        let end = |text: &str| {
            let (text, separator) = (text.to_lowercase(), self.separator);
            let left = if is_front {
                rest.strip_prefix(text.as_str()).and_then(|rest| rest.strip_prefix(separator))
            } else {
                rest.strip_suffix(text.as_str()).and_then(|rest| rest.strip_suffix(separator))
            };
            left.map(|left| (text, left))
        };
        if is_hash(component) {
            let length = component.max_length.unwrap_or(HASH_LENGTH);
            let start = rest.len().checked_sub(length).filter(|start| rest.is_char_boundary(*start));
            let found =
                start.map(|start| &rest[start..]).filter(|text| text.chars().all(|digit| digit.is_ascii_hexdigit()));
            let (text, left) = found.and_then(end).ok_or_else(|| {
                format!("Its end does not fit: a hash of {length} digits is expected, such as 0a1b2c3d.")
            })?;
            self.rest = left;
            return Ok(text);
        }
        let mut sorted: Vec<&String> = choices.iter().filter(|text| !text.is_empty()).collect();
        sorted.sort_by_key(|text| std::cmp::Reverse(text.len()));
        match sorted.into_iter().find_map(|text| end(text)) {
            Some((text, left)) => {
                self.rest = left;
                Ok(text)
            }
            None => {
                let (word, ..) = described(component.source, &NameRequest::of_nothing(), self.context);
                let expected = if choices.len() > 8 {
                    "one of its codes".to_owned()
                } else {
                    format!("'{}'", choices.join("' or '"))
                };
                let place = if is_front { "beginning" } else { "end" };
                Err(format!(
                    "The {place} of '{}' does not fit: the part for {word} is expected there, {expected}.",
                    self.rest
                ))
            }
        }
    }

    /// Everything that a part may be.
    fn choices(&self, component: &Component) -> Vec<String> {
        let Convention { tokens, locations, .. } = self.convention;
        let words = |pairs: &[(String, String)]| pairs.iter().map(|(_, token)| token.clone()).collect();
        let all: Vec<String> = match component.source {
            Source::Resource => vec![self.short_name.to_owned()],
            Source::Environment => words(&tokens.environments),
            Source::Architecture => words(&tokens.architecture),
            Source::Location | Source::Region => {
                let own = locations.iter().map(|location| location.short_name.clone());
                own.chain(Location::all().map(|location| location.code().to_owned())).collect()
            }
            Source::Organisation => vec![tokens.organisation.clone()],
            Source::Project => vec![tokens.project.clone()],
            source => self
                .convention
                .segment(source, self.short_name, &NameRequest::of_nothing(), self.context)
                .into_iter()
                .collect(),
        };
        let length = component.max_length.unwrap_or(usize::MAX);
        all.into_iter().map(|text| text.chars().take(length).collect()).collect()
    }
}

fn is_hash(component: &Component) -> bool {
    matches!(component.source, Source::Hash | Source::BuildId)
}

#[cfg(test)]
mod tests {
    use super::super::kind::Architecture;
    use super::*;

    fn request(kind: ResourceKind, name: &str) -> NameRequest<'_> {
        NameRequest::new(kind, name, Architecture::Iaas, Some("uksouth"))
    }

    #[test]
    fn the_parts_of_a_name_make_it_again() {
        let (convention, context) = (Convention::builtin(), NameContext::default());
        let lower: fn(char) -> bool = |character| character.is_ascii_lowercase() || character.is_ascii_digit();
        let any: fn(char) -> bool = |_| true;
        for (kind, name, takes) in [
            (ResourceKind::StorageAccount, "Orders", lower),
            (ResourceKind::StorageAccount, "my-orders", lower),
            (ResourceKind::StorageAccount, "averylongnameofastorageaccount", lower),
            (ResourceKind::PrivateEndpoint, "files-hub", any),
            (ResourceKind::ResourceGroup, "Shop", any),
        ] {
            let request = request(kind, name);
            let parts = convention.parts(&request, &context, takes).unwrap();
            assert_eq!(parts.name(), convention.generate(&request, &context, takes).unwrap());
            let hash = parts.parts.iter().find_map(|part| part.hash_of.clone());
            assert!(hash.is_none_or(|of| of.contains(&name.to_lowercase())), "{parts:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let (convention, context) = (Convention::builtin(), NameContext::default());
        let last = |name: &str| convention.fit(name, &context).unwrap().pop().unwrap();
        let made = |kind, name| convention.generate(&request(kind, name), &context, |_| true).unwrap();
        let endpoint = made(ResourceKind::PrivateEndpoint, "files-hub");
        assert_eq!(last(&endpoint), "Every part fits the naming convention.");
        assert!(last(&endpoint.replace("files-hub", "other")).starts_with("The hash '"));
        let (front, _) = endpoint.rsplit_once('-').unwrap();
        assert_eq!(
            last(&format!("{front}-mine")),
            "Its end does not fit: a hash of 8 digits is expected, such as 0a1b2c3d."
        );
        assert!(last(&endpoint.replace("-uks-", "-mars-")).contains("the part for the location is expected there"));
        assert_eq!(convention.fit("contoso", &context), None);
    }
}
