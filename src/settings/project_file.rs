//! Finds the files that a project has beside its settings documents.

use std::path::{Path, PathBuf};

use super::own_file::OwnFile;
use crate::protocol::{listed, nearest};

/// In this order.
const ENDINGS: &[&str] = &["yml", "yaml", "json"];

/// The file of a name without its ending, as in `_tags/globalTags`, in the first of the folders that has one.
#[must_use]
pub fn project_file(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    folders
        .iter()
        .flat_map(|folder| ENDINGS.iter().map(move |ending| folder.join(format!("{name}.{ending}"))))
        // What is there and is not a file is not passed over: reading it says what it is.
        .find(|path| path.symlink_metadata().is_ok())
}

/// A warning for each document in a folder of a project (`_names`) that has none of the names that are read there. Where there is something
/// like it, that is named.
#[must_use]
pub fn misnamed(folder: &Path, known: &[&str]) -> Vec<String> {
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    let folder_name = text(folder.file_name());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let is_unknown = |path: &PathBuf| {
        let (stem, ending) = (text(path.file_stem()), text(path.extension()));
        let is_known = |name: &&str| {
            // Where letter case means nothing to the file system, the other spelling is there as well.
            stem == **name || stem.eq_ignore_ascii_case(name) && folder.join(format!("{name}.{ending}")).exists()
        };
        ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
            && !(known.iter().any(is_known) && ENDINGS.contains(&ending.as_str()))
            // A schema for editors lies beside what it is for.
            && OwnFile::at(path) != Some(OwnFile::Schema)
    };
    let warning = |path: PathBuf| {
        let hint = match nearest(&text(path.file_stem()), known.iter().copied()) {
            Some(near) => format!("did you mean '{near}.yml'?"),
            None => {
                let files: Vec<String> = known.iter().map(|name| format!("{name}.yml")).collect();
                format!("{folder_name} is for {}.", listed(&files))
            }
        };
        format!("The file '{folder_name}/{}' is not read: {hint}", text(path.file_name()))
    };
    files.into_iter().filter(is_unknown).map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_otherwise_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let names = folder.path().join("_names");
        std::fs::create_dir(&names).unwrap();
        let known = ["generators", "resources", "locations", "tokens"];
        for name in
            ["tokens.yml", "resources.json", "token.yml", "Locations.YML", "mine.yaml", "README.md", "tokens.yml.bak"]
        {
            std::fs::write(names.join(name), "").unwrap();
        }
        assert_eq!(
            misnamed(&names, &known),
            [
                "The file '_names/Locations.YML' is not read: did you mean 'locations.yml'?",
                "The file '_names/mine.yaml' is not read: _names is for generators.yml, resources.yml, locations.yml and tokens.yml.",
                "The file '_names/token.yml' is not read: did you mean 'tokens.yml'?",
            ]
        );
        assert!(misnamed(&folder.path().join("_nowhere"), &known).is_empty());
    }

    #[test]
    fn the_nearest_folder_wins_over_the_ending() {
        let folder = tempfile::tempdir().unwrap();
        let (near, far) = (folder.path().join("near"), folder.path().to_owned());
        std::fs::create_dir(&near).unwrap();
        for path in [far.join("names.yml"), near.join("names.json"), near.join("names.yaml")] {
            std::fs::write(path, "").unwrap();
        }
        let folders = [near.clone(), far.clone()];
        assert_eq!(project_file(&folders, "names"), Some(near.join("names.yaml")));
        assert_eq!(project_file(&folders[1..], "names"), Some(far.join("names.yml")));
        assert_eq!(project_file(&folders, "other"), None);
    }
}
