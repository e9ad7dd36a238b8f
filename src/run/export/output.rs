//! The files that an export writes: the document, and what belongs beside it.

use std::path::Path;

use super::Wanted;
use crate::protocol::{FileBeside, Request};
use crate::run::context::{RunContext, check_absolute};
use crate::run::destination::{Inputs, OutputFile, Replaces, save, taken};
use crate::run::failure::Failure;
use crate::settings::OwnFile;

/// The files of an export, none of which is in the way of another.
pub(super) struct Output {
    document: OutputFile,
    beside: Vec<(OutputFile, String)>,
}

impl Output {
    /// The files of an export to a path.
    ///
    /// # Errors
    /// One of them would take the place of something else, or naming files would count for the documents of others.
    pub(super) fn of(
        path: &Path,
        wanted: &Wanted,
        files: &[FileBeside],
        request: &Request,
        context: &RunContext,
    ) -> Result<Output, Failure> {
        check_absolute(path, "path")?;
        let inputs = Inputs::of(request, context, []);
        let replaces = Replaces::of_switch(wanted.overwrite);
        let document = OutputFile::at(path, OwnFile::Export, replaces, &inputs)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if !files.is_empty() {
            check_alone(folder, path, files, replaces)?;
        }
        let is_missing = |file: &&FileBeside| !folder.join(&file.path).exists();
        let beside = files.iter().filter(is_missing).map(|file| {
            let output = OutputFile::at(&folder.join(&file.path), OwnFile::Export, Replaces::Nothing, &inputs)?;
            Ok((output, file.text.clone()))
        });
        Ok(Output { document, beside: beside.collect::<Result<_, Failure>>()? })
    }

    /// Writes them, all or none.
    pub(super) async fn save(self, text: &str) -> Result<(), Failure> {
        let mut files = self.beside;
        files.push((self.document, text.to_owned()));
        save(files).await
    }
}

/// Whether a folder has nothing but an earlier export of the same document, where that is to be replaced, and nothing at all otherwise:
/// naming files count for every document beside them.
fn check_alone(folder: &Path, document: &Path, files: &[FileBeside], replaces: Replaces) -> Result<(), Failure> {
    let not_empty = |found: &Path| {
        let reason = format!(
            "'{}' is there, and the names of '_names' would be those of every document beside it",
            found.display()
        );
        taken(folder, &reason, "Name a file in a new or empty folder with -Path.")
    };
    let Ok(entries) = folder.read_dir() else { return Ok(()) };
    let same_text = |file: &FileBeside| {
        let path = folder.join(&file.path);
        !path.exists() || std::fs::read_to_string(path).is_ok_and(|text| text == file.text)
    };
    for entry in entries.flatten().map(|entry| entry.path()) {
        let is_beside = files.iter().any(|file| folder.join(&file.path).parent() == Some(entry.as_path()));
        let is_earlier = entry == document || (is_beside && files.iter().all(same_text));
        if replaces == Replaces::Nothing || !is_earlier {
            return Err(not_empty(&entry));
        }
    }
    Ok(())
}
