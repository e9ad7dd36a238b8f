//! Files that the program writes, known again by how they begin: none of them is a settings document, and only they may be replaced.

use std::io::Read;
use std::path::Path;

/// In so many bytes a file says what it is.
const HEAD: u64 = 4096;

/// The kinds of files that the program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnFile {
    /// The plan of a run, as Markdown, as a page or as JSON.
    Plan,
    /// A template for Azure's own engine.
    Template,
    /// The settings document of what exists. It is a settings document like any other.
    Export,
    /// A JSON Schema for editors.
    Schema,
    /// The resources of a local cloud.
    LocalState,
    /// The requests that a local cloud got.
    RequestLog,
}

impl OwnFile {
    /// The kind of a file that begins with these bytes; none where something else has written it.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<OwnFile> {
        let head = &bytes[..bytes.len().min(HEAD as usize)];
        let head = String::from_utf8_lossy(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head));
        if head.starts_with('{') {
            return of_json(&head.chars().filter(|character| !character.is_whitespace()).collect::<String>());
        }
        let is_drift = head.starts_with("## Drift of `")
            || head.starts_with("<!DOCTYPE html>") && head.contains("<title>Drift of ");
        let is_markdown = head.starts_with("## Plan of `") && head.contains("\n| Command | `New-Svc");
        let is_page = head.starts_with("<!DOCTYPE html>") && head.contains("<title>Plan of ");
        let is_export =
            head.starts_with("# Settings of New-Svc") && head.contains("written by an export of the resource group");
        [(is_markdown || is_page || is_drift, OwnFile::Plan), (is_export, OwnFile::Export)]
            .into_iter()
            .find_map(|(is, kind)| is.then_some(kind))
    }

    /// The kind of the file at a path. None also where nothing can be read.
    #[must_use]
    pub fn at(path: &Path) -> Option<OwnFile> {
        // Opening a pipe would wait for the one who writes.
        if !std::fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let mut head = Vec::new();
        std::fs::File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        OwnFile::of(&head)
    }

    /// Whether it may be read as a settings document.
    #[must_use]
    pub fn is_document(self) -> bool {
        self == OwnFile::Export
    }

    /// The plain name, with its article.
    #[must_use]
    pub fn called(self) -> &'static str {
        match self {
            OwnFile::Plan => "a plan report",
            OwnFile::Template => "a template that was made of settings",
            OwnFile::Export => "an exported settings document",
            OwnFile::Schema => "a JSON Schema of settings",
            OwnFile::LocalState => "the state of a local cloud",
            OwnFile::RequestLog => "a request log of a local cloud",
        }
    }
}

/// The same of JSON without its spaces.
fn of_json(text: &str) -> Option<OwnFile> {
    const TEMPLATE: &str = "{\"$schema\":\"https://schema.management.azure.com/schemas/";
    let is_plan = || {
        let version = text.strip_prefix("{\"format\":")?.trim_start_matches(|digit: char| digit.is_ascii_digit());
        Some(
            version.starts_with(",\"version\":\"")
                && ["New-Svc", "Compare-Svc"]
                    .iter()
                    .any(|command| version.contains(&format!("\",\"command\":\"{command}"))),
        )
    };
    if text.starts_with("{\"format\":\"svc-local-cloud\"") {
        Some(OwnFile::LocalState)
    } else if text.starts_with("{\"method\":\"") && text.contains("\",\"url\":\"/") {
        Some(OwnFile::RequestLog)
    } else if text.contains("\"$id\":\"urn:svc-deploy:schema:") {
        Some(OwnFile::Schema)
    } else if text.starts_with(TEMPLATE) && text.contains("\"metadata\":{\"_generator\":{\"name\":\"svc\"}}") {
        Some(OwnFile::Template)
    } else {
        is_plan().unwrap_or_default().then_some(OwnFile::Plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_similar_is_none_of_ours() {
        for text in [
            "",
            "{",
            "component: storage\n",
            "{\"component\": \"storage\"}",
            "{\"format\": 1, \"version\": \"1\"}",
            "## Plan of `the week`\n",
            "<!DOCTYPE html><title>Planning</title>",
            "{\"$schema\": \"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\", \"contentVersion\": \"1.0.0.0\"}",
            "# Settings of mine\ncomponent: storage\n",
        ] {
            assert_eq!(OwnFile::of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn only_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(OwnFile::at(folder.path()), None);
        let path = folder.path().join("state.json");
        std::fs::write(&path, "{\"format\":\"svc-local-cloud\",\"version\":1,").unwrap();
        assert_eq!(OwnFile::at(&path), Some(OwnFile::LocalState));
        std::fs::write(&path, "\u{FEFF}{ \"format\": \"svc-local-cloud\"").unwrap();
        assert_eq!(OwnFile::at(&path), Some(OwnFile::LocalState), "an editor put a mark before it");
    }
}
