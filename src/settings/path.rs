//! Paths into a settings document.

use std::fmt;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list, counted from 0.
    Index(usize),
}

/// A path into a settings document, shown as `storageAccounts[2].accountType`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SettingsPath(pub Vec<Segment>);

impl SettingsPath {
    /// The whole document.
    #[must_use]
    pub fn root() -> SettingsPath {
        SettingsPath::default()
    }

    /// The value of a key below.
    #[must_use]
    pub fn key(&self, key: &str) -> SettingsPath {
        self.with(Segment::Key(key.to_owned()))
    }

    /// An item of the list below.
    #[must_use]
    pub fn index(&self, index: usize) -> SettingsPath {
        self.with(Segment::Index(index))
    }

    /// A path relative to this one, written with dots: `service.publish.storage`.
    #[must_use]
    pub fn dotted(&self, relative: &str) -> SettingsPath {
        relative.split('.').filter(|part| !part.is_empty()).fold(self.clone(), |path, part| path.key(part))
    }

    fn with(&self, segment: Segment) -> SettingsPath {
        let mut segments = Vec::with_capacity(self.0.len() + 1);
        segments.extend_from_slice(&self.0);
        segments.push(segment);
        SettingsPath(segments)
    }
}

impl fmt::Display for SettingsPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if position == 0 => formatter.write_str(key)?,
                Segment::Key(key) => write!(formatter, ".{key}")?,
                Segment::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}
