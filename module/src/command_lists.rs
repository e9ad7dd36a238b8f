//! The lists of commands in files that people write: the table of the README, and the contents of the site.

use std::path::Path;
use std::{fs, io};

use svc_engine::run::registry::{COMMANDS, PROJECT_FILES};

use crate::GeneratedFile;

/// The list in a file: the lines that begin with `item`, below the line `head`.
struct List {
    path: &'static str,
    head: &'static str,
    item: &'static str,
    lines: fn() -> String,
}

const LISTS: &[List] = &[
    List {
        path: "README.md",
        head: "| Command | What it deploys | Example |\n|---|---|---|\n",
        item: "| `New-",
        lines: rows,
    },
    List { path: "docs/SUMMARY.md", head: "- [Settings](settings/README.md)\n", item: "  - ", lines: pages },
];

/// The files with their lists as they have to be.
///
/// # Errors
/// A file cannot be read, or has no such list.
pub(crate) fn files(repository: &Path) -> io::Result<Vec<GeneratedFile>> {
    LISTS.iter().map(|list| list.file(repository)).collect()
}

impl List {
    fn file(&self, repository: &Path) -> io::Result<GeneratedFile> {
        let text = fs::read_to_string(repository.join(self.path))?;
        let (before, list) = text.split_once(self.head).ok_or_else(|| {
            io::Error::other(format!("{} has no line '{}'", self.path, self.head.lines().next().unwrap_or_default()))
        })?;
        let after: String = list.split_inclusive('\n').skip_while(|line| line.starts_with(self.item)).collect();
        Ok(GeneratedFile {
            path: self.path.to_owned(),
            text: format!("{before}{}{}{after}", self.head, (self.lines)()),
        })
    }
}

/// A row for each command, and one for all documents of a folder.
fn rows() -> String {
    let row = |name: &str, what: &str, example: &str, file: &str| {
        format!("| `{name}` | {what} | [{example}](examples/{file}) |\n")
    };
    let of_commands = COMMANDS.iter().map(|command| {
        let what = command.synopsis.trim_start_matches("Deploys ").trim_end_matches('.');
        let file = format!("{}.yml", command.documents.name);
        row(command.name, what, &file, &file)
    });
    let of_all = row(
        "New-SvcDeployment",
        "all documents of a folder as one environment, in the order that they need",
        "environment",
        "environment",
    );
    of_commands.chain([of_all]).collect()
}

/// The pages of the reference of the settings.
fn pages() -> String {
    let page = |title: &str, name: &str| format!("  - [{title}](settings/{name}.md)\n");
    let of_commands = COMMANDS.iter().map(|command| page(command.component, command.component));
    let of_files = PROJECT_FILES.iter().map(|file| page(file.title, file.name));
    of_commands.chain(of_files).chain([page("The context", "context")]).collect()
}
