//! The paths that a source file uses, as they are seen from the root of its crate.

use std::path::Path;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree};

/// One path: `crate`, or the name of another crate, and what is in it.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

/// The paths of a file below `source`, the folder `src` of its crate.
pub(crate) fn uses_of(file: &Path, source: &Path) -> Vec<Use> {
    let text = std::fs::read_to_string(file).unwrap();
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut module: Vec<String> = file
        .strip_prefix(source)
        .unwrap()
        .components()
        .map(|part| part.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned())
        .collect();
    if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        module.pop();
    }
    let mut collector = Collector { module, uses: Vec::new() };
    collector.visit_file(&parsed);
    collector.uses
}

struct Collector {
    /// The module in which the visitor is, below the root of the crate.
    module: Vec<String>,
    uses: Vec<Use>,
}

impl Collector {
    fn add(&mut self, segments: &[String], line: usize) {
        let supers = segments.iter().take_while(|segment| *segment == "super").count();
        let path = match segments.first().map(String::as_str) {
            Some("super") => {
                let kept = self.module.len().saturating_sub(supers);
                let rest = segments[supers..].iter();
                std::iter::once("crate".to_owned()).chain(self.module[..kept].iter().chain(rest).cloned()).collect()
            }
            _ => segments.to_vec(),
        };
        self.uses.push(Use { path, line });
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let line = tree.span().start().line;
        let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.add(&with(&name.ident), line),
            UseTree::Rename(rename) => self.add(&with(&rename.ident), line),
            UseTree::Glob(_) => self.add(before, line),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(before, tree)),
        }
    }
}

impl Visit<'_> for Collector {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(&segments, path.span().start().line);
        visit::visit_path(self, path);
    }
}
