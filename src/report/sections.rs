//! A plan of several documents, document by document.

use std::collections::HashMap;

use crate::protocol::Action;

/// The changes of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Section<'a> {
    /// The document, as its actions name it; none for what belongs to no single one, which is everything where a plan is of one document.
    pub document: Option<&'a str>,
    /// Its changes, in the order of the plan.
    pub actions: Vec<&'a Action>,
}

/// The changes of a plan by their documents, which are in the order of their first changes.
#[must_use]
pub fn sections(actions: &[Action]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut known: HashMap<Option<&str>, usize> = HashMap::new();
    for action in actions {
        let document = action.document.as_deref();
        let at = *known.entry(document).or_insert_with(|| {
            sections.push(Section { document, actions: Vec::new() });
            sections.len() - 1
        });
        sections[at].actions.push(action);
    }
    sections
}

/// The names of documents for people: each by the name of its file, and by as many folders before it as tell it from the others; an object by
/// its number.
#[must_use]
pub fn document_names(documents: &[&str]) -> Vec<String> {
    let name = |document: &&str| {
        if document.bytes().all(|byte| byte.is_ascii_digit()) {
            return format!("settings object [{document}]");
        }
        let others = || documents.iter().filter(|other| *other != document);
        let is_its_own = |tail: &&str| others().all(|other| !tails(other).any(|theirs| theirs == *tail));
        tails(document).find(is_its_own).unwrap_or(document).replace('\\', "/")
    };
    documents.iter().map(name).collect()
}

/// The ends of a path that begin with a whole name, from the shortest.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    let starts = path.char_indices().rev().filter(|(_, character)| matches!(character, '/' | '\\'));
    starts.map(|(at, _)| &path[at + 1..]).filter(|tail| !tail.is_empty()).chain([path])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::action;

    #[test]
    fn documents_are_called_by_as_little_as_tells_them_apart() {
        let names = |documents: &[&str]| document_names(documents).join(", ");
        assert_eq!(names(&["/shop/storage.yml", "/shop/web.yml"]), "storage.yml, web.yml");
        assert_eq!(names(&["/shop/uk/web.yml", "/shop/us/web.yml", "/x/a.yml"]), "uk/web.yml, us/web.yml, a.yml");
        assert_eq!(names(&["/web.yml", "/shop/web.yml"]), "/web.yml, shop/web.yml");
        assert_eq!(names(&["C:\\shop\\uk\\web.yml", "C:\\shop\\us\\web.yml"]), "uk/web.yml, us/web.yml");
        assert_eq!(names(&["storage.yml", "0", "1"]), "storage.yml, settings object [0], settings object [1]");
        assert_eq!(names(&["/a/x.yml", "/a/x.yml"]), "x.yml, x.yml", "one document, named twice");
    }

    #[test]
    fn each_document_has_its_changes_in_their_order() {
        let of = |index: usize, document: Option<&str>| {
            let mut action = action(index, &format!("resourceGroups/rg-{index}"), &[]);
            action.document = document.map(str::to_owned);
            action
        };
        let actions = [of(0, Some("/b.yml")), of(1, Some("/a.yml")), of(2, None), of(3, Some("/b.yml"))];
        let found: Vec<(Option<&str>, Vec<usize>)> = sections(&actions)
            .into_iter()
            .map(|section| (section.document, section.actions.iter().map(|action| action.index).collect()))
            .collect();
        assert_eq!(found, [(Some("/b.yml"), vec![0, 3]), (Some("/a.yml"), vec![1]), (None, vec![2])]);
        assert_eq!(sections(&[]), []);
    }
}
