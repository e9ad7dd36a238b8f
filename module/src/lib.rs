//! Writes the PowerShell module from the command registry.
//!
//! What no command changes stands in `module/templates`; this library fills in what depends on the registry.
//! `docs/powershell-module.md` has the whole story.

mod about;
mod command_lists;
mod context_functions;
mod exports;
mod function;
mod help_parameters;
mod links;
mod maml;
mod manifest;
mod package;
mod reference;
mod stage;
mod targets;
mod template;
mod template_function;
mod writing_functions;
mod xml;

use std::path::Path;
use std::{fs, io};

use svc_engine::run::registry::{
    COMMANDS, COMPARE, CONTEXT_MEMBERS, DEPLOYMENT, Described, EXPORT, NEW, PROJECT_FILES, SCHEMA, START_LOCAL_CLOUD,
    TEMPLATE, TEST, all_commands, function_of,
};

pub use package::{Packaged, package};
pub use reference::reference_pages;
pub use stage::{StageError, Staged, stage};
pub use targets::{Target, all as targets};

use context_functions::CONTEXT_FUNCTIONS;
use template::{fill, lines, quote};

/// The version of the module, which is that of the workspace: three numbers and, for a preview, a word such as `-rc1`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// One file of the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Relative to the folder of the module, for pages of the reference to that of the repository, with `/`.
    pub path: String,
    /// ASCII text.
    pub text: String,
}

/// Every file of the module that is made from the registry and the templates.
#[must_use]
pub fn generated_files() -> Vec<GeneratedFile> {
    let file = |path: &str, text: String| GeneratedFile { path: path.to_owned(), text };
    let mut files = vec![
        file("SvcDeploy.psm1", script()),
        file("Interop.cs", interop()),
        file("SvcDeploy.Format.ps1xml", include_str!("../templates/SvcDeploy.Format.ps1xml").to_owned()),
        file("SvcDeploy.Types.ps1xml", include_str!("../templates/SvcDeploy.Types.ps1xml").to_owned()),
        file(&format!("en-US/{}", maml::FILE), maml::file(CONTEXT_MEMBERS, links::repository())),
        file("en-US/about_SvcDeploy.help.txt", about::text(CONTEXT_MEMBERS)),
    ];
    files.extend(about::TOPICS.map(|(name, text)| file(&format!("en-US/{name}.help.txt"), text.to_owned())));
    files.extend(COMMANDS.iter().map(|command| {
        let schema = format!("{:#}\n", command.editor_schema().as_value());
        file(&format!("schemas/{}.schema.json", command.component), schema)
    }));
    files.extend(PROJECT_FILES.iter().map(|known| {
        file(&format!("schemas/{}.schema.json", known.name), format!("{:#}\n", known.schema().as_value()))
    }));
    let manifest = manifest::text(files.iter().map(|file| file.path.as_str()), links::repository());
    files.insert(0, file(manifest::FILE, manifest));
    files
}

/// Writes [`generated_files`] into a folder, which is made when it does not exist.
///
/// # Errors
/// Whatever keeps a file or a folder from being written.
pub fn generate(folder: &Path) -> io::Result<()> {
    write(folder, generated_files())
}

/// Every file of the repository outside the module that is made from the registry, or has a list that is.
///
/// # Errors
/// A file with such a list cannot be read, or has lost it.
pub fn repository_files(repository: &Path) -> io::Result<Vec<GeneratedFile>> {
    let mut files = reference_pages();
    files.push(exports::file());
    files.extend(command_lists::files(repository)?);
    Ok(files)
}

/// Writes [`repository_files`].
///
/// # Errors
/// Whatever keeps a file or a folder from being read or written.
pub fn generate_repository_files(repository: &Path) -> io::Result<()> {
    write(repository, repository_files(repository)?)
}

fn write(folder: &Path, files: Vec<GeneratedFile>) -> io::Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, file.text)?;
    }
    Ok(())
}

fn script() -> String {
    let commands: Vec<String> =
        all_commands().map(|command| function::command(&command, links::repository())).collect();
    let parts = [
        function::state(VERSION, CONTEXT_MEMBERS),
        include_str!("../templates/library.psm1.in").to_owned(),
        include_str!("../templates/request.psm1.in").to_owned(),
        include_str!("../templates/environment.psm1.in").to_owned(),
        include_str!("../templates/az-session.psm1.in").to_owned(),
        include_str!("../templates/operation.psm1.in").to_owned(),
        fill(include_str!("../templates/messages.psm1.in"), &[("DEPLOYMENT", DEPLOYMENT.name)]),
        commands.join("\n"),
        function::command(&COMPARE, links::repository()),
        writing_functions::code(links::repository()),
        template_function::function(&TEMPLATE, links::repository()),
        template_function::function(&TEST, links::repository()),
        include_str!("../templates/session-context.psm1.in").to_owned(),
        function::context(CONTEXT_MEMBERS),
        fill(include_str!("../templates/job.psm1.in"), &[("DEPLOYMENT", DEPLOYMENT.name)]),
        fill(include_str!("../templates/completion.psm1.in"), &[("EXPORT", EXPORT.name)]),
        format!("Export-ModuleMember -Function {}\n", exported_functions().map(quote).collect::<Vec<_>>().join(", ")),
    ];
    parts.join("\n")
}

/// Everything that starts an operation: the commands, what compares and tests, and what writes templates, documents and schemas.
fn started() -> impl Iterator<Item = Described> {
    all_commands().chain([COMPARE, EXPORT, TEMPLATE, TEST, NEW, SCHEMA])
}

fn exported_functions() -> impl Iterator<Item = &'static str> {
    let of_context = CONTEXT_FUNCTIONS.iter().map(|function| function.name);
    started().map(|command| command.name).chain(of_context)
}

fn interop() -> String {
    let names = || started().map(|command| command.name).chain([START_LOCAL_CLOUD]);
    let natives = || names().map(|name| (name, function_of(name)));
    let imports = natives().map(|(_, function)| {
        let declaration = "[DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern";
        format!("        {declaration} ulong {function}(byte[] request);")
    });
    let cases = natives()
        .map(|(name, function)| format!("                case \"{name}\": id = Native.{function}(text); break;"));
    let template = include_str!("../templates/Interop.cs.in");
    fill(template, &[("VERSION", VERSION), ("IMPORTS", &lines(imports)), ("CASES", &lines(cases))])
}
