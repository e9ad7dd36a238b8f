//! The manifest of the module, `SvcDeploy.psd1`.

use crate::template::{fill, lines, quote};
use crate::{VERSION, exported_functions, links};

/// The name of the file.
pub(crate) const FILE: &str = "SvcDeploy.psd1";

/// The picture that the PowerShell Gallery shows beside the module.
const ICON: &str = "docs/icon.png";

/// The description of the module, in a sentence.
pub(crate) const DESCRIPTION: &str = "Deploys Azure infrastructure from settings documents in JSON or YAML.";

/// The authors of the module.
pub(crate) const AUTHOR: &str = "Svc Deploy contributors";

/// The copyright and the licence of the module.
pub(crate) const COPYRIGHT: &str = "(c) Svc Deploy contributors. MIT licence.";

/// The tags by which it is found in a gallery.
pub(crate) const TAGS: [&str; 10] =
    ["Azure", "ARM", "Deployment", "Infrastructure", "IaC", "YAML", "PSEdition_Core", "Windows", "Linux", "MacOS"];

const CHANGELOG: &str = include_str!("../../CHANGELOG.md");

/// The text of the manifest. `files` are those of the module beside the manifest, relative to its folder; `repository` is
/// where the source is published.
pub(crate) fn text<'files>(files: impl Iterator<Item = &'files str>, repository: Option<&str>) -> String {
    let paths = std::iter::once(FILE).chain(files);
    let (numbers, preview) = version_parts(VERSION);
    fill(
        include_str!("../templates/SvcDeploy.psd1.in"),
        &[
            ("VERSION", numbers),
            ("DESCRIPTION", DESCRIPTION),
            ("FUNCTIONS", &lines(exported_functions().map(item))),
            ("FILES", &lines(paths.map(item))),
            ("TAGS", &TAGS.map(quote).join(", ")),
            ("PRERELEASE", &preview.map(|word| entry("Prerelease", word)).unwrap_or_default()),
            ("LINKS", &repository.map(addresses).unwrap_or_default()),
            ("AUTHOR", AUTHOR),
            ("COPYRIGHT", COPYRIGHT),
            ("RELEASE_NOTES", &quote(&notes())),
        ],
    )
}

/// A quoted item of a list, on a line of its own.
fn item(text: &str) -> String {
    format!("        {}", quote(text))
}

/// The addresses that lead to the source: the licence, the project, the picture, as the manifest names them.
pub(crate) fn source_addresses(repository: &str) -> [(&'static str, String); 3] {
    [
        ("LicenseUri", links::page(repository, "LICENSE")),
        ("ProjectUri", repository.to_owned()),
        ("IconUri", links::raw(repository, ICON)),
    ]
}

/// The entries that lead to the source, each behind a line break.
fn addresses(repository: &str) -> String {
    source_addresses(repository).iter().map(|(name, address)| entry(name, address)).collect()
}

/// An entry of what galleries read, behind a line break.
fn entry(name: &str, value: &str) -> String {
    format!("\n            {name:12} = {}", quote(value))
}

/// The three numbers of a version, and the word of a preview: `0.2.0-rc1` is `0.2.0` and `rc1`. The manifest has them apart.
pub(crate) fn version_parts(version: &str) -> (&str, Option<&str>) {
    version.split_once('-').map_or((version, None), |(numbers, preview)| (numbers, Some(preview)))
}

/// The notes on what is new in this version.
pub(crate) fn notes() -> String {
    release_notes(CHANGELOG, VERSION)
}

/// The part of the changelog about a version. Before the version has a part of its own its changes are the unreleased ones.
fn release_notes(changelog: &str, version: &str) -> String {
    let part = |title: &str| -> Option<String> {
        let headed = |line: &str| {
            let words = line.strip_prefix("## ")?.split_whitespace().next()?;
            Some(words.trim_matches(['[', ']']) == title)
        };
        let mut rest = changelog.lines().skip_while(|line| headed(line) != Some(true));
        rest.next()?;
        let text: Vec<&str> = rest.take_while(|line| !line.starts_with("## ")).collect();
        Some(text.join("\n").trim().to_owned())
    };
    part(version).or_else(|| part("Unreleased")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_a_version_are_its_part_of_the_changelog() {
        let changelog =
            "# Changelog\n\n## Unreleased\n\nnew\n\n## [0.2.0] - 2027-01-01\n\n### Added\n- two\n\n## 0.1.0\n\none\n";
        assert_eq!(release_notes(changelog, "0.2.0"), "### Added\n- two");
        assert_eq!(release_notes(changelog, "0.1.0"), "one");
        assert_eq!(release_notes(changelog, "0.3.0"), "new");
        assert_eq!(release_notes("# Changelog\n", "0.3.0"), "");
    }

    #[test]
    fn there_are_no_addresses_before_the_source_is_published() {
        let manifest = text(std::iter::empty(), None);
        assert!(!manifest.contains("Uri"), "{manifest}");
        assert!(!manifest.contains("\n\n            "), "{manifest}");
    }

    #[test]
    fn addresses_come_from_the_repository() {
        let manifest = text(std::iter::empty(), Some("https://example.org/svc"));
        assert!(
            manifest.contains("            LicenseUri   = 'https://example.org/svc/blob/HEAD/LICENSE'\n"),
            "{manifest}"
        );
        assert!(manifest.contains("            ProjectUri   = 'https://example.org/svc'\n"), "{manifest}");
        assert!(
            manifest.contains("            IconUri      = 'https://example.org/svc/raw/HEAD/docs/icon.png'\n"),
            "{manifest}"
        );
    }

    #[test]
    fn a_preview_has_its_word_apart() {
        assert_eq!(version_parts("0.2.0"), ("0.2.0", None));
        assert_eq!(version_parts("0.2.0-rc1"), ("0.2.0", Some("rc1")));
        assert_eq!(entry("Prerelease", "rc1"), "\n            Prerelease   = 'rc1'");
    }

    #[test]
    fn the_icon_is_a_square_png() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(ICON);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{}", path.display());
        assert_eq!(bytes[16..20], bytes[20..24], "width and height of {}", path.display());
    }
}
