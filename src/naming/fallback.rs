//! The entries that names are made with where a project's own naming files lack something.

use super::convention::{Convention, NameRequest, Source};
use super::kind::ResourceKind;

/// The defaults for kinds that a project's own file of kinds does not have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Defaults {
    /// The file, as it is shown.
    pub(super) file: String,
    pub(super) short_name: Option<String>,
    pub(super) generator: Option<String>,
}

/// The entry that the names of one kind are made with.
pub(super) struct Entry<'a> {
    pub(super) short_name: &'a str,
    pub(super) generator: &'a str,
    /// In characters; none where only Azure limits it.
    pub(super) longest: Option<usize>,
}

impl Convention {
    /// The parts of a name that the project's own naming files lack, a sentence each: the replaced module made the name without it, too.
    #[must_use]
    pub fn fallbacks(&self, request: &NameRequest<'_>) -> Vec<String> {
        let mut fallbacks = Vec::new();
        let Entry { short_name, generator, .. } = self.entry(request.kind);
        if let Some(defaults) = self.defaults_of(request.kind) {
            fallbacks.push(format!(
                "{}: the kind {} is not in the file, so its names are made from the defaults of the file: the short name '{short_name}' and the generator '{generator}'",
                defaults.file,
                request.kind.name(),
            ));
        }
        let uses_architecture = self
            .format(generator)
            .is_some_and(|format| format.components.iter().any(|component| component.source == Source::Architecture));
        let key = request.architecture.key();
        if let Some(file) = &self.tokens_file
            && uses_architecture
            && !self.tokens.architecture.iter().any(|(known, _)| known.eq_ignore_ascii_case(key))
        {
            fallbacks
                .push(format!("{file}: there is no token for the architecture '{key}', so names have no such part"));
        }
        fallbacks
    }

    /// The entry that names of a kind are made with: each field from its own entry, else from the built-in convention; of a kind that the project's
    /// own file lacks, from the defaults of the file.
    pub(super) fn entry(&self, kind: ResourceKind) -> Entry<'_> {
        let builtin = kind.builtin();
        let (short_name, generator, longest) = match (self.resource(kind), self.defaults_of(kind)) {
            (Some(own), _) => (&own.short_name, &own.generator, Some(own.max_length.unwrap_or(builtin.max_length))),
            (None, Some(defaults)) => (&defaults.short_name, &defaults.generator, None),
            (None, None) => (&None, &None, Some(builtin.max_length)),
        };
        Entry {
            short_name: short_name.as_deref().unwrap_or(builtin.short_name),
            generator: generator.as_deref().unwrap_or(builtin.generator),
            longest,
        }
    }

    /// The defaults of the project's own file, for a kind that it lacks.
    fn defaults_of(&self, kind: ResourceKind) -> Option<&Defaults> {
        self.defaults.as_ref().filter(|_| self.resource(kind).is_none())
    }
}
