//! Finds the files that a project has beside its settings documents.

use std::path::PathBuf;

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

#[cfg(test)]
mod tests {
    use super::*;

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
