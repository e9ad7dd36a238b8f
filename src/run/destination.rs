//! The destinations that a run may write to: the one rule for plans, templates and exports. It is checked before anything is contacted, because what
//! is read would be lost, and once more when the file is written.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::context::RunContext;
use super::failure::{Failure, defect, failure};
use crate::commands::PROJECT_FILES;
use crate::protocol::{Code, Request};
use crate::settings::OwnFile;

/// A file that a run writes.
#[derive(Debug, Clone)]
pub(super) struct OutputFile {
    /// As it was named.
    path: PathBuf,
    kind: OwnFile,
    replaces: Replaces,
}

/// The files that may be at the path of one that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replaces {
    /// Nothing.
    Nothing,
    /// An earlier file of the same kind.
    SameKind,
}

impl Replaces {
    /// The meaning of the switch `-Overwrite`.
    pub(super) fn of_switch(overwrite: Option<bool>) -> Replaces {
        if overwrite.unwrap_or_default() { Replaces::SameKind } else { Replaces::Nothing }
    }
}

/// The files that a run reads, or keeps by itself: each with what it is.
#[derive(Debug, Default)]
pub(super) struct Inputs(Vec<(PathBuf, &'static str)>);

impl Inputs {
    /// The files that a request and its context name, and its documents.
    pub(super) fn of<'a>(
        request: &'a Request,
        context: &'a RunContext,
        documents: impl IntoIterator<Item = &'a Path>,
    ) -> Inputs {
        const DOCUMENT: &str = "a settings document of this run";
        let named = request.settings_file.iter().chain(request.settings_files.iter().flat_map(|files| &files.0));
        let named = named.map(PathBuf::as_path).filter(|path| !path.is_dir());
        let documents = named.chain(documents).map(|path| (path, DOCUMENT));
        let tags = request.tag_settings_file.iter().map(|path| (path.as_path(), "the tag settings of this run"));
        let state = [(context.local_state_file.as_path(), "the state of the local cloud")];
        Inputs(documents.chain(tags).chain(state).map(|(path, what)| (resolved(path), what)).collect())
    }

    /// The word for what a file is to the run; none where it is nothing.
    fn what(&self, path: &Path) -> Option<&'static str> {
        let path = resolved(path);
        self.0.iter().find(|(input, _)| *input == path).map(|(_, what)| *what)
    }
}

/// Whether two paths are one file, which need not be there.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || resolved(one) == resolved(other)
}

/// A path without links and detours, also that of a file that does not exist.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

impl OutputFile {
    /// A file that may be written.
    ///
    /// # Errors
    /// What is at the path must stay as it is.
    pub(super) fn at(path: &Path, kind: OwnFile, replaces: Replaces, inputs: &Inputs) -> Result<OutputFile, Failure> {
        if let Some(what) = inputs.what(path) {
            return Err(taken(path, &format!("it is {what}"), ANOTHER));
        }
        if kind != OwnFile::Export
            && let Some(what) = of_project(path)
        {
            return Err(taken(path, &format!("as a file of {what} every later run would read it"), ANOTHER));
        }
        let file = OutputFile { path: path.to_owned(), kind, replaces };
        file.real_path()?;
        if kind == OwnFile::Plan && path.parent().is_some_and(|folder| !folder.is_dir()) {
            return Err(file.not_written(&std::io::Error::new(ErrorKind::NotFound, "its folder does not exist")));
        }
        Ok(file)
    }

    /// As it was named.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path at which the file is in the end: a link is followed, so that it stays one.
    fn real_path(&self) -> Result<PathBuf, Failure> {
        let path = &self.path;
        let refused = |reason: &str, advice: &str| Err(taken(path, reason, advice));
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(_) if path.is_symlink() => return refused("it is a link that leads nowhere", ANOTHER),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(path.clone());
            }
            Err(error) => return refused(&format!("what is there cannot be seen: {error}"), ANOTHER),
        };
        if metadata.is_dir() {
            return refused("it is a folder", "Name a file.");
        }
        if !metadata.is_file() {
            return refused("it is a pipe or a device, not a file", ANOTHER);
        }
        if self.replaces == Replaces::Nothing {
            return refused("it exists already", "Name another file with -Path, or replace this one with -Overwrite.");
        }
        // Nothing is lost with a file that has nothing, such as one that `mktemp` has made.
        if metadata.len() > 0 && OwnFile::at(path) != Some(self.kind) {
            let reason = format!("it exists already, and is not {}", self.kind.called());
            return refused(&reason, "Name another file, or delete this one first.");
        }
        path.canonicalize().or_else(|error| refused(&format!("its link cannot be followed: {error}"), ANOTHER))
    }

    /// Writes the file, as a whole or not at all: readers see the old file or the new one.
    fn write(&self, text: &str) -> Result<(), Failure> {
        // Somebody may have put something there meanwhile.
        let real = self.real_path()?;
        let written = place(&real, text, self.replaces);
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => taken(&self.path, "it exists by now", ANOTHER),
            _ => self.not_written(&error),
        })
    }

    /// The system does not let the run write the file.
    fn not_written(&self, error: &std::io::Error) -> Failure {
        let path = self.path.display();
        let (code, what) = match self.kind {
            OwnFile::Plan => (Code::PlanReportFailed, format!("The plan cannot be written to '{path}'")),
            _ => (Code::FileNotWritten, format!("'{path}' cannot be written")),
        };
        Box::new(
            failure(code, format!("{what}: {error}. Nothing was changed."))
                .about(path.to_string())
                .recommending("Use a path in a folder that exists and that you may write to."),
        )
    }
}

/// Writes files, all of them or none, beside the thread that listens for cancellation.
pub(super) async fn save(files: Vec<(OutputFile, String)>) -> Result<(), Failure> {
    tokio::task::spawn_blocking(move || write_all(&files)).await.map_err(|error| defect(&error))?
}

fn write_all(files: &[(OutputFile, String)]) -> Result<(), Failure> {
    let mut made = Made::default();
    for (file, text) in files {
        if file.kind != OwnFile::Plan {
            made.folder_of(&file.path).map_err(|error| file.not_written(&error))?;
        }
        let is_new = !file.path.exists();
        file.write(text)?;
        if is_new {
            made.files.push(file.path.clone());
        }
    }
    made.keep();
    Ok(())
}

/// The files that were made of which each needs the others: they go away again unless they are kept.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    /// Those in it come after a folder.
    folders: Vec<PathBuf>,
}

impl Made {
    /// Makes the folders that a file is in.
    fn folder_of(&mut self, file: &Path) -> std::io::Result<()> {
        let missing: Vec<&Path> = file.ancestors().skip(1).take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
        }
        Ok(())
    }

    fn keep(&mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What cannot be taken away is in the way of nothing: the error that led here is told.
        self.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
        self.folders.iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
    }
}

/// The word for what a file is to the project by its name, whether it is there or not; none where it is nothing.
fn of_project(path: &Path) -> Option<String> {
    const READ: [&str; 3] = ["yml", "yaml", "json"];
    // A link leads to the folder that counts.
    let path = resolved(path);
    let is_named = |name: Option<&OsStr>, known: &str| name.is_some_and(|name| name.eq_ignore_ascii_case(known));
    let folder = path.parent().and_then(Path::file_name);
    let is_it = |known: &&str| match known.split_once('/') {
        Some((of_project, _)) => is_named(folder, of_project),
        None => is_named(path.file_stem(), known),
    };
    let known = PROJECT_FILES.iter().map(|file| file.path).find(is_it)?;
    let what = known.split_once('/').map_or(known, |(folder, _)| folder);
    READ.iter().any(|ending| is_named(path.extension(), ending)).then(|| what.to_owned())
}

const ANOTHER: &str = "Name another file.";

/// A path whose file must stay.
pub(super) fn taken(path: &Path, reason: &str, advice: &str) -> Failure {
    let message = format!("'{}' is not overwritten: {reason}. Nothing was changed.", path.display());
    Box::new(failure(Code::FileExists, message).about(path.display().to_string()).recommending(advice))
}

/// Writes a file beside its place and moves it there.
fn place(path: &Path, text: &str, replaces: Replaces) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(OsStr::new(".svc-"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less the user's umask, like any file: whoever publishes it may be somebody else.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let placed = match replaces {
        Replaces::Nothing => file.persist_noclobber(path),
        Replaces::SameKind => file.persist(path),
    };
    placed.map(|_| ()).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_belong_together_are_all_written_or_none() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| {
            OutputFile::at(&root.path().join(path), OwnFile::Export, Replaces::SameKind, &Inputs::default()).unwrap()
        };
        let write = |paths: &[&str]| {
            write_all(&paths.iter().map(|path| (at(path), "# Text.\n".to_owned())).collect::<Vec<_>>())
        };
        // The last one is to be in a folder that is a file by then.
        let error = write(&["new/names/a.yml", "new/x.yml", "new/x.yml/y.yml"]).unwrap_err();
        assert_eq!(error.failure.code, Code::FileNotWritten, "{}", error.failure.message);
        assert_eq!(root.path().read_dir().unwrap().count(), 0);
        write(&["new/names/a.yml", "new/x.yml"]).unwrap();
        assert!(root.path().join("new/names/a.yml").is_file() && root.path().join("new/x.yml").is_file());
    }
}
