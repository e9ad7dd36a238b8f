//! `generate` writes the checked-in module, `stage` makes a folder that can be imported, `package` what is handed out.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "A program tells what it did.")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: generate-module generate
       generate-module stage DIR [--library PATH]
       generate-module package OUT NOTICES TIME BUILD...

generate  writes what is made from the registry: module/SvcDeploy, docs/settings, ffi/src/exports.rs, and the lists of
          commands in README.md and docs/SUMMARY.md
stage     writes a folder DIR/SvcDeploy that PowerShell can import: the generated files, the native library (built
          with `cargo build --release -p svc-deploy-ffi`, or the one that --library names), and SvcDeploy.Interop.dll
          when pwsh is on the PATH
package   writes the folder OUT/SvcDeploy, a zip and a NuGet package of it with the libraries of several kinds of machines:
          BUILD is a folder of packaging/build, NOTICES the licences of the crates, TIME the time of every file in the
          packages, in seconds since 1970. packaging/module calls it";

enum Task {
    Generate,
    Stage { folder: PathBuf, library: Option<PathBuf> },
    Package { out: PathBuf, notices: PathBuf, time: i64, builds: Vec<PathBuf> },
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match read(&arguments) {
        Some(Task::Generate) => generate(),
        Some(Task::Stage { folder, library }) => stage(&folder, library.as_deref()),
        Some(Task::Package { out, notices, time, builds }) => package(&out, &builds, &notices, time),
        None => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[&str]) -> Option<Task> {
    match arguments {
        ["generate"] => Some(Task::Generate),
        ["stage", folder] => Some(Task::Stage { folder: folder.into(), library: None }),
        ["stage", folder, "--library", library] | ["stage", "--library", library, folder] => {
            Some(Task::Stage { folder: folder.into(), library: Some(library.into()) })
        }
        ["package", out, notices, time, builds @ ..] if !builds.is_empty() => Some(Task::Package {
            out: out.into(),
            notices: notices.into(),
            time: time.parse().ok()?,
            builds: builds.iter().map(PathBuf::from).collect(),
        }),
        _ => None,
    }
}

fn generate() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("SvcDeploy");
    svc_deploy_module::generate(&folder)
        .map_err(|error| format!("The module cannot be written to {}: {error}", folder.display()))?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    svc_deploy_module::generate_repository_files(&repository)
        .map_err(|error| format!("What else is made from the registry cannot be written: {error}"))?;
    println!(
        "Written: {}, docs/settings, ffi/src/exports.rs and the lists of commands in README.md and docs/SUMMARY.md",
        folder.display()
    );
    Ok(())
}

fn stage(folder: &Path, library: Option<&Path>) -> Result<(), String> {
    let staged = svc_deploy_module::stage(folder, library).map_err(|error| error.to_string())?;
    println!("Staged: {}", staged.manifest.display());
    note_bindings(staged.interop_compiled);
    Ok(())
}

fn package(out: &Path, builds: &[PathBuf], notices: &Path, time: i64) -> Result<(), String> {
    let packaged = svc_deploy_module::package(out, builds, notices, time).map_err(|error| error.to_string())?;
    for path in [&packaged.folder, &packaged.zip, &packaged.nupkg] {
        println!("Packaged: {}", path.display());
    }
    if !packaged.missing.is_empty() {
        println!("NOTE: the package has NO LIBRARY for {}.", packaged.missing);
    }
    note_bindings(packaged.interop_compiled);
    Ok(())
}

/// Says where the bindings are not compiled.
fn note_bindings(compiled: bool) {
    if !compiled {
        println!(
            "NOTE: SvcDeploy.Interop.dll was NOT COMPILED because there is no pwsh on the PATH; \
            the first command of each session will compile Interop.cs, which takes half a second."
        );
    }
}
