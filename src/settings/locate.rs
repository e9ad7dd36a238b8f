//! Where in the text a path of a settings document is. Built only when a place is shown.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, Span};

use super::path::{Segment, SettingsPath};

/// A position in a text; both numbers count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    /// The line.
    pub(super) line: usize,
    /// The column.
    pub(super) column: usize,
}

/// Whether the place of a member is that of its key or that of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// The key.
    Key,
    /// The value.
    Value,
    /// A position that the parser found, for problems that have no path.
    Exactly(Position),
}

/// The positions of everything in a text.
#[derive(Debug, Default)]
pub(super) struct Locator {
    nodes: Vec<Node>,
    root: Option<usize>,
}

#[derive(Debug)]
struct Node {
    position: Position,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Scalar(String),
    Sequence(Vec<usize>),
    Mapping(Vec<(usize, usize)>),
}

impl Locator {
    /// Reads YAML or JSON text as far as it can be read.
    #[must_use]
    pub(super) fn new(text: &str) -> Locator {
        let mut builder = Builder::default();
        // A JSON file may be indented with tabs, which the YAML parser refuses; as blanks they leave every position as it is.
        let text = text.replace('\t', " ");
        for event in Parser::new_from_str(&text) {
            match event {
                Ok((event, span)) => builder.take(event, span),
                Err(_) => break,
            }
            if builder.done {
                break;
            }
        }
        while !builder.open.is_empty() {
            builder.close();
        }
        builder.locator
    }

    /// The position of a path, or of the nearest thing above it that is there.
    #[must_use]
    pub(super) fn locate(&self, path: &SettingsPath, at: At) -> Option<Position> {
        let mut node = self.root?;
        let mut position = self.nodes[node].position;
        for (depth, segment) in path.0.iter().enumerate() {
            let last = depth + 1 == path.0.len();
            match segment {
                Segment::Index(index) => match &self.nodes[node].content {
                    Content::Sequence(items) if *index < items.len() => node = items[*index],
                    _ => return Some(position),
                },
                Segment::Key(key) => match self.member(node, key) {
                    Some((key, value)) => {
                        node = value;
                        if last && at == At::Key {
                            return Some(self.nodes[key].position);
                        }
                    }
                    None => return Some(position),
                },
            }
            position = self.nodes[node].position;
        }
        Some(position)
    }

    /// A member of a mapping: by its exact key, then ignoring case, then through merge keys.
    fn member(&self, node: usize, key: &str) -> Option<(usize, usize)> {
        let Content::Mapping(members) = &self.nodes[node].content else { return None };
        let named = |matches: &dyn Fn(&str) -> bool| {
            members
                .iter()
                .copied()
                .find(|(key, _)| matches!(&self.nodes[*key].content, Content::Scalar(text) if matches(text)))
        };
        named(&|text| text == key).or_else(|| named(&|text| text.eq_ignore_ascii_case(key))).or_else(|| {
            let (_, merged) = named(&|text| text == "<<")?;
            match &self.nodes[merged].content {
                Content::Sequence(sources) => sources.iter().find_map(|source| self.member(*source, key)),
                _ => self.member(merged, key),
            }
        })
    }
}

#[derive(Default)]
struct Builder {
    locator: Locator,
    anchors: HashMap<usize, usize>,
    open: Vec<Open>,
    done: bool,
}

struct Open {
    node: usize,
    /// The key that waits for its value, in a mapping.
    key: Option<usize>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) {
        // The column of saphyr's markers counts from 0.
        let position = Position { line: span.start.line(), column: span.start.col() + 1 };
        match event {
            Event::Alias(anchor) => {
                if let Some(node) = self.anchors.get(&anchor).copied() {
                    self.place(node);
                }
            }
            Event::Scalar(text, _, anchor, _) => {
                let node = self.add(position, Content::Scalar(text.into_owned()), anchor);
                self.place(node);
            }
            Event::SequenceStart(anchor, _) => self.begin(position, Content::Sequence(Vec::new()), anchor),
            Event::MappingStart(anchor, _) => self.begin(position, Content::Mapping(Vec::new()), anchor),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::DocumentEnd => self.done = true,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
    }

    fn add(&mut self, position: Position, content: Content, anchor: usize) -> usize {
        let node = self.locator.nodes.len();
        self.locator.nodes.push(Node { position, content });
        if anchor > 0 {
            self.anchors.insert(anchor, node);
        }
        node
    }

    fn begin(&mut self, position: Position, content: Content, anchor: usize) {
        let node = self.add(position, content, anchor);
        self.open.push(Open { node, key: None });
    }

    fn close(&mut self) {
        if let Some(closed) = self.open.pop() {
            self.place(closed.node);
        }
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: usize) {
        let Some(parent) = self.open.last_mut() else {
            self.locator.root.get_or_insert(node);
            return;
        };
        match &mut self.locator.nodes[parent.node].content {
            Content::Sequence(items) => items.push(node),
            Content::Mapping(members) => match parent.key.take() {
                None => parent.key = Some(node),
                Some(key) => members.push((key, node)),
            },
            Content::Scalar(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, path: &SettingsPath, at: At) -> (usize, usize) {
        let position = Locator::new(text).locate(path, at).unwrap();
        (position.line, position.column)
    }

    #[test]
    fn keys_values_and_items() {
        let text = "location: uksouth\nstorageAccounts:\n  - storageAccountName: a\n    AccountType: Standrd\n";
        let account = SettingsPath::root().key("storageAccounts").index(0);
        assert_eq!(at(text, &SettingsPath::root().key("location"), At::Key), (1, 1));
        assert_eq!(at(text, &SettingsPath::root().key("location"), At::Value), (1, 11));
        assert_eq!(at(text, &account.key("accountType"), At::Value), (4, 18));
        assert_eq!(at(text, &account.key("accountType"), At::Key), (4, 5));
        assert_eq!(at(text, &account, At::Value), (3, 5));
        assert_eq!(at(text, &account.key("missing"), At::Value), (3, 5));
    }

    #[test]
    fn json_and_multi_byte_text() {
        let text = "{\n  \"ü\": \"ä\", \"name\": [1, {\"x\": true}]\n}";
        assert_eq!(at(text, &SettingsPath::root().key("name").index(1).key("x"), At::Value), (2, 31));
    }

    #[test]
    fn json_indented_with_tabs() {
        let text = "{\n\t\"a\": [\n\t\t{\n\t\t\t\"b\":\t1\n\t\t}\n\t]\n}\n";
        assert_eq!(at(text, &SettingsPath::root().key("a").index(0).key("b"), At::Value), (4, 9));
    }

    #[test]
    fn merge_keys_and_aliases_lead_to_where_it_is_written() {
        let text = "base: &base\n  accountType: Standard\nitem:\n  <<: *base\n  name: x\nother: *base\n";
        assert_eq!(at(text, &SettingsPath::root().key("item").key("accountType"), At::Value), (2, 16));
        assert_eq!(at(text, &SettingsPath::root().key("other").key("accountType"), At::Value), (2, 16));
    }
}
