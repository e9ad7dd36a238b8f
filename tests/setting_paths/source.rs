//! The texts in the source of the commands that are paths of settings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, ExprTuple, ItemConst, ItemMod, Lit};

/// A path of settings in the source.
pub(crate) struct SettingText {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Every path in the files below a folder: what is handed to `dotted`, and the second part of each origin.
pub(crate) fn setting_texts(folder: &Path) -> Vec<SettingText> {
    let sources: Vec<(PathBuf, syn::File)> = files_below(folder)
        .into_iter()
        .map(|file| {
            let parsed = syn::parse_file(&std::fs::read_to_string(&file).unwrap()).unwrap();
            (file, parsed)
        })
        .collect();
    let mut found = Vec::new();
    for (file, source) in &sources {
        let mut constants = Constants::default();
        sources.iter().for_each(|(_, other)| constants.visit_file(other));
        // A constant of the file itself goes before one of the same name elsewhere.
        constants.visit_file(source);
        let mut texts = Texts { constants: constants.0, found: Vec::new() };
        texts.visit_file(source);
        let here = texts.found.into_iter();
        found.extend(here.map(|(line, text)| SettingText { file: file.clone(), line, text }));
    }
    found
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn text_of(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Default)]
struct Constants(HashMap<String, String>);

impl Visit<'_> for Constants {
    fn visit_item_const(&mut self, item: &ItemConst) {
        if let Some(text) = text_of(&item.expr) {
            self.0.insert(item.ident.to_string(), text);
        }
    }
}

struct Texts {
    constants: HashMap<String, String>,
    found: Vec<(usize, String)>,
}

impl Texts {
    /// Notes a path that is a text, or a constant that holds one. What is put together at run time is not seen here.
    fn note(&mut self, expression: &Expr) {
        let constant = || match expression {
            Expr::Path(path) => self.constants.get(&path.path.segments.last()?.ident.to_string()).cloned(),
            _ => None,
        };
        if let Some(text) = text_of(expression).or_else(constant) {
            self.found.push((expression.span().start().line, text));
        }
    }
}

impl Visit<'_> for Texts {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
        if ["dotted", "from_root"].iter().any(|name| call.method == name)
            && let Some(argument) = call.args.first()
        {
            self.note(argument);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_tuple(&mut self, tuple: &ExprTuple) {
        let parts: Vec<&Expr> = tuple.elems.iter().collect();
        if let [path, setting] = parts[..]
            && text_of(path)
                .is_some_and(|path| path.starts_with("properties.") || path == "location" || path == "sku.name")
        {
            self.note(setting);
        }
        visit::visit_expr_tuple(self, tuple);
    }
}
