//! A convention for names that others have given: each is what the settings say, and nothing else.

use serde_json::{Value, json};
use strum::VariantArray;

use super::convention::{Component, Convention, Format, Resource, Source};
use super::kind::ResourceKind;
use crate::settings::{WrittenKey, to_yaml};

/// The generator.
const GENERATOR: &str = "asItIs";
/// No name of Azure's is longer.
const LONGEST: usize = 260;

impl Convention {
    /// The convention whose names are those of the settings.
    #[must_use]
    pub fn as_they_are() -> Convention {
        let mut convention = Convention::builtin();
        convention.formats.push(Format {
            name: GENERATOR.to_owned(),
            separator: String::new(),
            components: vec![Component { source: Source::Name, max_length: None }],
            remove_characters: Vec::new(),
        });
        convention.resources = ResourceKind::VARIANTS
            .iter()
            .map(|kind| Resource {
                name: kind.name().to_owned(),
                short_name: None,
                max_length: Some(LONGEST),
                generator: Some(GENERATOR.to_owned()),
            })
            .collect();
        convention
    }

    /// The naming files of that convention: their names in the folder `_names`, and what is in them.
    #[must_use]
    pub fn files_as_they_are() -> [(&'static str, String); 2] {
        let generators = json!([{ "name": GENERATOR, "separator": "", "components": [{ "source": "name" }] }]);
        let resource =
            |kind: &ResourceKind| json!({ "name": kind.name(), "generator": GENERATOR, "maxLength": LONGEST });
        let resources: Vec<Value> = ResourceKind::VARIANTS.iter().map(resource).collect();
        let file = |head: &str, key: &str, value: Value| to_yaml(head, &[WrittenKey::new(key, (&value).into())]);
        [
            (
                "generators.yml",
                file(
                    "Names are what the settings say: they are those of resources that others have made.",
                    "formats",
                    generators,
                ),
            ),
            (
                "resources.yml",
                file("Every kind of resource has its name from that generator.", "resources", resources.into()),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::project_convention;
    use super::*;

    #[test]
    fn the_files_are_the_convention() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("_names")).unwrap();
        for (name, text) in Convention::files_as_they_are() {
            std::fs::write(folder.path().join("_names").join(name), text).unwrap();
        }
        let names = project_convention(&[folder.path().to_owned()]).unwrap();
        assert_eq!(names.convention, Convention::as_they_are());
        assert_eq!(names.warnings, []);
    }
}
