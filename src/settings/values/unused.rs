//! Values that no document uses.

use std::path::{Path, PathBuf};

use super::{VALUES_FOLDER, Values, pieces};
use crate::protocol::Warning;
use crate::settings::finding::Place;
use crate::settings::path::SettingsPath;
use crate::settings::text;

/// So many files are looked through; of a larger project nothing is said.
const MOST_FILES: usize = 1_000;
/// So deep below the folder that has the values.
const DEEPEST: usize = 8;

impl Values {
    /// A warning for each name that no document of the run has taken, and that is in no other document of the project either.
    #[must_use]
    pub fn unused(&self) -> Vec<Warning> {
        let mut unused = Vec::new();
        for file in &self.files {
            let names = file.value().as_object().into_iter().flat_map(serde_json::Map::keys);
            let names = names.filter(|name| !self.used.contains(&name.to_ascii_lowercase()));
            unused.extend(names.map(|name| (file, name.clone())));
        }
        let folders = self.files.iter().filter_map(|file| file.path()?.parent()?.parent());
        let Some(root) = folders.min_by_key(|folder| folder.components().count()).filter(|_| !unused.is_empty()) else {
            return Vec::new();
        };
        let mut files = Vec::new();
        if !collect(root, DEEPEST, &mut files) {
            return Vec::new();
        }
        for path in files {
            let Ok(text) = text::read(&path, "settings") else { continue };
            for name in pieces::names(&text) {
                unused.retain(|(_, other)| !other.eq_ignore_ascii_case(name));
            }
        }
        let warning = |(file, name): (&std::sync::Arc<_>, String)| {
            Place::key(file, SettingsPath::root().key(&name)).warning("no document uses this value")
        };
        unused.into_iter().map(warning).collect()
    }
}

/// Collects the settings documents and tag settings below a folder. Returns whether these are all.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_ascii_lowercase());
        // Links may lead in circles.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            let is_passed_over = name.starts_with('.') || name == VALUES_FOLDER || name == "node_modules";
            if !is_passed_over && (depth == 0 || !collect(&path, depth - 1, files)) {
                return false;
            }
        } else if [".yml", ".yaml", ".json"].iter().any(|ending| name.ends_with(ending)) {
            if files.len() >= MOST_FILES {
                return false;
            }
            files.push(path);
        }
    }
    true
}
