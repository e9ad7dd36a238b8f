//! Paths into a settings document.

use std::fmt;
use std::sync::Arc;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Into the value of a key.
    Key(Arc<str>),
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
        self.with(Segment::Key(key.into()))
    }

    /// An item of the list below.
    #[must_use]
    pub fn index(&self, index: usize) -> SettingsPath {
        self.with(Segment::Index(index))
    }

    /// A path relative to this one, written with dots: `service.publish.storage`; a number is an item of a list. Each
    /// `../` before it leads to what is above: from an item to its list, from there to the object that has it. A key of the
    /// user's own may hold a dot or be a number, so it is for [`SettingsPath::key`].
    #[must_use]
    pub fn dotted(&self, relative: &str) -> SettingsPath {
        if let Some(rest) = relative.strip_prefix("../") {
            let above = self.0.split_last().map_or(&[][..], |(_, above)| above);
            return SettingsPath(above.to_vec()).dotted(rest);
        }
        relative.split('.').filter(|part| !part.is_empty()).fold(self.clone(), |path, part| match part.parse() {
            Ok(index) => path.index(index),
            Err(_) => path.key(part),
        })
    }

    /// The same with its keys in lower case.
    #[must_use]
    pub(super) fn folded(&self) -> SettingsPath {
        let fold = |segment: &Segment| match segment {
            Segment::Key(key) => Segment::Key(key.to_ascii_lowercase().into()),
            index @ Segment::Index(_) => index.clone(),
        };
        SettingsPath(self.0.iter().map(fold).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_lead_down_and_up() {
        let item = SettingsPath::root().key("plans").index(2).key("apps").index(0);
        assert_eq!(item.dotted("service.publish").to_string(), "plans[2].apps[0].service.publish");
        assert_eq!(item.dotted("slots.1.name").to_string(), "plans[2].apps[0].slots[1].name");
        assert_eq!(item.key("1").to_string(), "plans[2].apps[0].1", "a key, not an item");
        assert_eq!(item.dotted("../../region").to_string(), "plans[2].region");
        assert_eq!(item.dotted("../../").to_string(), "plans[2]");
        assert_eq!(SettingsPath::root().dotted("../region").to_string(), "region");
    }
}
