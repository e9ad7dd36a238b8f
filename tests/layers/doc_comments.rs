//! The first words of doc comments: those of public items name the thing.

use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Lit, Meta, Visibility};

use super::{repository, rust_files};

const FIRST_WORDS_RULE: &str = "The doc comment of a public item names the thing first: \"The retired values of a property\", not \"What Azure has retired\".";

/// Words that a description begins with, and no name.
const NO_NAMES: &[&str] = &["What", "How", "Where", "Who", "Which", "When"];

/// The packages whose items others read.
const SOURCES: &[&str] = &["src", "cli/src", "ffi/src", "module/src", "local-cloud/src"];

#[test]
fn public_items_are_named_first() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in SOURCES {
        for file in rust_files(&repository(source)) {
            let (descriptions, documented) = descriptions_in(&file, &std::fs::read_to_string(&file).unwrap());
            wrong.extend(descriptions);
            seen += documented;
        }
    }
    assert!(seen > 1000, "only {seen} public items have a doc comment");
    assert!(wrong.is_empty(), "{FIRST_WORDS_RULE}\n{}", wrong.join("\n"));
}

#[test]
fn a_description_in_the_place_of_a_name_is_noticed() {
    let of = |text: &str| descriptions_in(Path::new("x.rs"), text).0.len();
    assert_eq!(of("/// What a plan has.\npub struct Plan {\n/// How it is called.\npub name: u8 }"), 2);
    assert_eq!(of("impl Plan {\n/// Where it is.\npub fn place(&self) {} }\n/// Which.\npub enum A { B }"), 2);
    assert_eq!(of("/// The plan: what a run has.\npub struct Plan;\n/// What only this file reads.\nstruct Own;"), 0);
    assert_eq!(of("/// Whether it is there.\npub fn is() {}\n#[doc = include_str!(\"x\")]\npub const C: u8 = 0;"), 0);
}

/// The public items of a file whose doc comment begins with a description, each with its text, and how many public items have one at all.
fn descriptions_in(file: &Path, text: &str) -> (Vec<String>, usize) {
    let mut items = Items::default();
    items.visit_file(&syn::parse_file(text).unwrap());
    let first = |text: &str| {
        text.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty()).map(str::to_owned)
    };
    let begins = |text: &&String| first(text).is_some_and(|first| NO_NAMES.contains(&first.as_str()));
    let wrong = items.0.iter().filter(begins).map(|text| format!("{}: {}", file.display(), text.trim()));
    (wrong.collect(), items.0.len())
}

/// The first lines of the doc comments of public items.
#[derive(Default)]
struct Items(Vec<String>);

impl Items {
    fn note(&mut self, visibility: &Visibility, attributes: &[Attribute]) {
        if !matches!(visibility, Visibility::Public(_)) {
            return;
        }
        let first = attributes.iter().find_map(|attribute| match &attribute.meta {
            Meta::NameValue(named) if named.path.is_ident("doc") => Some(&named.value),
            _ => None,
        });
        if let Some(Expr::Lit(literal)) = first
            && let Lit::Str(text) = &literal.lit
        {
            self.0.push(text.value());
        }
    }
}

macro_rules! note {
    ($($visit:ident: $item:ident),* $(,)?) => {
        impl Visit<'_> for Items {
            $(fn $visit(&mut self, item: &syn::$item) {
                self.note(&item.vis, &item.attrs);
                visit::$visit(self, item);
            })*
        }
    };
}

note! {
    visit_item_const: ItemConst,
    visit_item_enum: ItemEnum,
    visit_item_fn: ItemFn,
    visit_item_static: ItemStatic,
    visit_item_struct: ItemStruct,
    visit_item_trait: ItemTrait,
    visit_item_type: ItemType,
    visit_impl_item_const: ImplItemConst,
    visit_impl_item_fn: ImplItemFn,
    visit_field: Field,
}
