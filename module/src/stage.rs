//! Making a folder that PowerShell can import: the generated files, the native library and the compiled bindings.

use std::env::consts;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde_json::Value;
use thiserror::Error;

use crate::targets::{self, Target};
use crate::{links, manifest};

const INTEROP_ASSEMBLY: &str = "SvcDeploy.Interop.dll";

/// The folder of the native libraries.
pub(crate) const RUNTIMES: &str = "runtimes";

/// The files of [`stage`].
#[derive(Debug)]
pub struct Staged {
    /// The manifest, which `Import-Module` takes.
    pub manifest: PathBuf,
    /// The native library in the folder.
    pub library: PathBuf,
    /// Whether `SvcDeploy.Interop.dll` is there; without it the module compiles `Interop.cs` when it is first needed.
    pub interop_compiled: bool,
}

/// Why a folder could not be made.
#[derive(Debug, Error)]
pub enum StageError {
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A folder cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A program cannot be started.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// Its name.
        program: String,
        /// The reason.
        source: io::Error,
    },
    /// Cargo has said why on standard error.
    #[error("cargo cannot build the package svc-deploy-ffi.")]
    Build,
    /// Cargo has built the package without naming the library.
    #[error("cargo has built the package svc-deploy-ffi and names no library of it.")]
    NoLibrary,
    /// PowerShell refuses `Interop.cs`.
    #[error("PowerShell cannot compile Interop.cs: {0}")]
    Compile(String),
    /// A file of a package is not what it has to be.
    #[error("{}: {problem}", path.display())]
    Unfit {
        /// The file or folder.
        path: PathBuf,
        /// The problem with it.
        problem: String,
    },
    /// A package cannot be compressed.
    #[error("{} cannot be packed: {source}", path.display())]
    Pack {
        /// The package.
        path: PathBuf,
        /// The reason.
        source: zip::result::ZipError,
    },
    /// There is no PowerShell for this kind of machine.
    #[error("the module knows no folder for the library of {os} on {architecture}.")]
    UnknownMachine {
        /// The operating system, in Rust's spelling.
        os: &'static str,
        /// The processor architecture, in Rust's spelling.
        architecture: &'static str,
    },
}

/// Makes a folder `SvcDeploy` inside `folder` that PowerShell can import, for the kind of machine this runs on. Without a
/// `library` it is built.
///
/// # Errors
/// [`StageError`] says which step failed; what was written before stays.
pub fn stage(folder: &Path, library: Option<&Path>) -> Result<Staged, StageError> {
    let target = targets::of_machine(consts::OS, consts::ARCH)
        .ok_or(StageError::UnknownMachine { os: consts::OS, architecture: consts::ARCH })?;
    let built = match library {
        Some(path) => path.to_owned(),
        None => build_library()?,
    };
    let folder = folder.join("SvcDeploy");
    let interop_compiled = fill(&folder, &[(target, built)], &[])?;
    let library = folder.join(targets::library_path(target));
    Ok(Staged { manifest: folder.join(manifest::FILE), library, interop_compiled })
}

/// Fills the folder of the module: the generated files, the libraries, other files by their names, the compiled bindings, and the
/// manifest that lists them all. Says whether the bindings were compiled.
pub(crate) fn fill(
    folder: &Path,
    libraries: &[(Target, PathBuf)],
    others: &[(&str, String)],
) -> Result<bool, StageError> {
    crate::generate(folder).map_err(written(folder))?;
    for (target, library) in libraries {
        place(library, &folder.join(targets::library_path(*target)))?;
    }
    for (name, text) in others {
        let path = folder.join(name);
        fs::write(&path, text).map_err(written(&path))?;
    }
    // One of an older Interop.cs would be loaded in the place of the new one.
    remove(&folder.join(INTEROP_ASSEMBLY))?;
    let interop_compiled = compile_interop(folder)?;
    let others = others.iter().map(|(name, _)| *name);
    let manifest = folder.join(manifest::FILE);
    fs::write(&manifest, manifest_of(folder, others)?).map_err(written(&manifest))?;
    Ok(interop_compiled)
}

/// The manifest of a folder that can be imported: it lists what only such a folder has, too.
fn manifest_of<'names>(folder: &Path, others: impl Iterator<Item = &'names str>) -> Result<String, StageError> {
    let mut files: Vec<String> =
        crate::generated_files().into_iter().map(|file| file.path).filter(|path| path != manifest::FILE).collect();
    files.extend(others.map(str::to_owned));
    if folder.join(INTEROP_ASSEMBLY).exists() {
        files.push(INTEROP_ASSEMBLY.to_owned());
    }
    // Another package may have put the libraries of other kinds of machines there.
    files.extend(files_below(&folder.join(RUNTIMES), RUNTIMES)?);
    Ok(manifest::text(files.iter().map(String::as_str), links::repository()))
}

/// The files in a folder and in those below it, sorted, behind a name for the folder and with `/`.
pub(crate) fn files_below(folder: &Path, name: &str) -> Result<Vec<String>, StageError> {
    let read = |source| StageError::Read { path: folder.to_owned(), source };
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(read)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut files = Vec::new();
    for entry in entries {
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(read)?.is_dir() {
            files.extend(files_below(&entry.path(), &path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// Copies beside the old file's name: a session that has loaded the old one keeps it, where writing into it would crash.
fn place(library: &Path, target: &Path) -> Result<(), StageError> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(written(parent))?;
    }
    remove(target)?;
    fs::copy(library, target).map_err(written(target))?;
    Ok(())
}

fn remove(path: &Path) -> Result<(), StageError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(written(path)(source)),
        _ => Ok(()),
    }
}

pub(crate) fn written(path: &Path) -> impl FnOnce(io::Error) -> StageError {
    let path = path.to_owned();
    move |source| StageError::Write { path, source }
}

/// Builds the library and asks cargo where it is, because the target directory is the user's choice.
fn build_library() -> Result<PathBuf, StageError> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(&cargo)
        .args(["build", "--release", "-p", "svc-deploy-ffi", "--message-format=json-render-diagnostics"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| StageError::Start { program: cargo, source })?;
    if !output.status.success() {
        return Err(StageError::Build);
    }
    library_of(&String::from_utf8_lossy(&output.stdout)).ok_or(StageError::NoLibrary)
}

/// Finds the library in cargo's messages, one JSON object a line.
fn library_of(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact" && message["target"]["name"] == "svc_deploy")
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|path| path.as_str().map(PathBuf::from))
        .find(|path| path.extension().is_some_and(|extension| extension == consts::DLL_EXTENSION))
}

/// Compiles `Interop.cs` with the PowerShell on the PATH; false when there is none.
fn compile_interop(folder: &Path) -> Result<bool, StageError> {
    let script = format!(
        "$ErrorActionPreference = 'Stop'; Add-Type -LiteralPath Interop.cs -OutputAssembly {INTEROP_ASSEMBLY} -OutputType Library"
    );
    let started = Command::new("pwsh")
        .args(["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", &script])
        .current_dir(folder)
        .output();
    match started {
        Ok(output) if output.status.success() => Ok(true),
        Ok(output) => Err(StageError::Compile(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(StageError::Start { program: "pwsh".to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_where_the_library_is() {
        let library = format!("/target/release/{}svc_deploy{}", consts::DLL_PREFIX, consts::DLL_SUFFIX);
        let messages = [
            r#"{"reason":"compiler-artifact","target":{"name":"svc_engine"},"filenames":["/target/release/libsvc_engine.rlib"]}"#.to_owned(),
            "warning: not a message".to_owned(),
            serde_json::json!({"reason": "compiler-artifact", "target": {"name": "svc_deploy"}, "filenames": [&library]}).to_string(),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        assert_eq!(library_of(&messages.join("\n")), Some(PathBuf::from(library)));
        assert_eq!(library_of(&messages[0]), None);
    }

    #[test]
    fn staging_writes_the_files_and_replaces_the_library() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("built");
        let module = folder.path().join("SvcDeploy");
        fs::create_dir(&module).unwrap();
        fs::write(module.join(INTEROP_ASSEMBLY), "of an older version").unwrap();
        for content in ["first", "second"] {
            fs::write(&library, content).unwrap();
            let staged = stage(folder.path(), Some(&library)).unwrap();
            assert_eq!(staged.manifest, module.join("SvcDeploy.psd1"));
            assert_eq!(fs::read_to_string(&staged.library).unwrap(), content);
            assert_eq!(staged.interop_compiled, module.join(INTEROP_ASSEMBLY).exists());
        }
        for file in crate::generated_files().iter().filter(|file| file.path != manifest::FILE) {
            assert_eq!(fs::read_to_string(module.join(&file.path)).unwrap(), file.text, "{}", file.path);
        }
    }

    #[test]
    fn the_manifest_of_a_staged_folder_lists_every_file_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("built");
        fs::write(&library, "a library").unwrap();
        let of_another_machine = folder.path().join("SvcDeploy/runtimes/none-none/native");
        fs::create_dir_all(&of_another_machine).unwrap();
        fs::write(of_another_machine.join("another"), "a library").unwrap();
        let staged = stage(folder.path(), Some(&library)).unwrap();
        let manifest = fs::read_to_string(&staged.manifest).unwrap();
        let (_, list) = manifest.split_once("FileList             = @(\n").unwrap();
        let (list, _) = list.split_once("\n    )").unwrap();
        let mut listed: Vec<&str> = list.lines().map(|line| line.trim().trim_matches('\'')).collect();
        listed.sort_unstable();
        let module = folder.path().join("SvcDeploy");
        let mut there = files_below(&module, "").unwrap();
        there.sort_unstable();
        assert_eq!(listed, there.iter().map(|path| path.trim_start_matches('/')).collect::<Vec<_>>());
        assert!(listed.contains(&"runtimes/none-none/native/another"), "{listed:?}");
    }
}
