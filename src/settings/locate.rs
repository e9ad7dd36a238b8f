//! The places in the text of the paths of a settings document.

use std::collections::HashMap;

use super::path::{Segment, SettingsPath};

/// A mapping with more members than this is looked up by hash while it is read.
const FEW: usize = 16;

/// A position in a text; both numbers count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Whether the place of a member is that of its key or that of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Key,
    Value,
    /// A position that the parser found, for problems that have no path.
    Exactly(Position),
}

/// The positions of everything in a text. A document has many, so they are kept small, and each key is kept once.
#[derive(Debug, Default)]
pub(super) struct Places {
    nodes: Vec<Node>,
    keys: Keys,
    root: Option<NodeId>,
    /// The numbers that their values would be spelled otherwise, as they are written: `1.10`, `0x1F`.
    spellings: HashMap<u32, Box<str>>,
}

/// A value in the text. Aliases lead to the one that they repeat.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeId(u32);

/// The number of a key, whichever mapping it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct KeyId(u32);

#[derive(Debug)]
struct Node {
    position: Small,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Scalar,
    Sequence(Box<[NodeId]>),
    /// Sorted by key.
    Mapping(Box<[Member]>),
}

/// A member of a mapping.
#[derive(Debug, Clone, Copy)]
struct Member {
    key: KeyId,
    position: Small,
    value: NodeId,
}

/// A position in half the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Small {
    line: u32,
    column: u32,
}

impl From<Position> for Small {
    fn from(position: Position) -> Small {
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Small { line: small(position.line), column: small(position.column) }
    }
}

impl From<Small> for Position {
    fn from(small: Small) -> Position {
        Position { line: small.line as usize, column: small.column as usize }
    }
}

#[derive(Debug, Default)]
struct Keys {
    exact: HashMap<String, KeyId>,
    /// The keys that differ in letter case only, by their lower case.
    folded: HashMap<String, Vec<KeyId>>,
}

impl Keys {
    fn add(&mut self, key: &str) -> KeyId {
        if let Some(known) = self.exact.get(key) {
            return *known;
        }
        let id = KeyId(u32::try_from(self.exact.len()).unwrap_or(u32::MAX));
        self.exact.insert(key.to_owned(), id);
        self.folded.entry(key.to_ascii_lowercase()).or_default().push(id);
        id
    }
}

/// The members of a mapping that is being read.
#[derive(Debug, Default)]
pub(super) struct Members {
    list: Vec<Member>,
    /// The index of each key in the list, once there are many.
    index: HashMap<KeyId, usize>,
}

impl Members {
    fn get(&self, key: KeyId) -> Option<&Member> {
        if self.list.len() <= FEW {
            return self.list.iter().find(|member| member.key == key);
        }
        self.list.get(*self.index.get(&key)?)
    }

    /// The position of a key, if it is there.
    #[must_use]
    pub(super) fn position(&self, key: KeyId) -> Option<Position> {
        self.get(key).map(|member| member.position.into())
    }

    fn push(&mut self, member: Member) {
        self.list.push(member);
        if self.list.len() == FEW + 1 {
            self.index = self.list.iter().enumerate().map(|(place, member)| (member.key, place)).collect();
        } else if self.list.len() > FEW {
            self.index.insert(member.key, self.list.len() - 1);
        }
    }

    /// Adds a member that is not there.
    pub(super) fn add(&mut self, key: KeyId, position: Position, value: NodeId) {
        self.push(Member { key, position: position.into(), value });
    }

    fn finish(self) -> Content {
        let mut list = self.list;
        list.sort_unstable_by_key(|member| member.key);
        Content::Mapping(list.into_boxed_slice())
    }
}

impl Places {
    /// The number of a key.
    pub(super) fn key(&mut self, key: &str) -> KeyId {
        self.keys.add(key)
    }

    pub(super) fn scalar(&mut self, position: Position) -> NodeId {
        self.add(position, Content::Scalar)
    }

    /// Keeps how a number is written.
    pub(super) fn spell(&mut self, node: NodeId, text: &str) {
        self.spellings.insert(node.0, text.into());
    }

    pub(super) fn sequence(&mut self, position: Position, items: Vec<NodeId>) -> NodeId {
        self.add(position, Content::Sequence(items.into_boxed_slice()))
    }

    /// A mapping, with what is merged into it: of several the first has a member, and its own are before all.
    pub(super) fn mapping(&mut self, position: Position, mut members: Members, merged: &[NodeId]) -> NodeId {
        for source in merged {
            if let Content::Mapping(more) = &self.nodes[source.0 as usize].content {
                for member in more {
                    if members.get(member.key).is_none() {
                        members.push(*member);
                    }
                }
            }
        }
        self.add(position, members.finish())
    }

    /// The items of a sequence; anything else is its own only one.
    #[must_use]
    pub(super) fn items(&self, node: NodeId) -> Vec<NodeId> {
        match &self.nodes[node.0 as usize].content {
            Content::Sequence(items) => items.to_vec(),
            _ => vec![node],
        }
    }

    /// The value of the document.
    pub(super) fn set_root(&mut self, node: NodeId) {
        self.root.get_or_insert(node);
    }

    fn add(&mut self, position: Position, content: Content) -> NodeId {
        let node = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { position: position.into(), content });
        node
    }

    /// The position of a path, or of the nearest thing above it that is there.
    #[must_use]
    pub(super) fn locate(&self, path: &SettingsPath, at: At) -> Option<Position> {
        let mut node = self.nodes.get(self.root?.0 as usize)?;
        for (depth, segment) in path.0.iter().enumerate() {
            let last = depth + 1 == path.0.len();
            let below = match (segment, &node.content) {
                (Segment::Index(index), Content::Sequence(items)) => items.get(*index).copied(),
                (Segment::Key(key), Content::Mapping(members)) => match self.member(members, key) {
                    Some(member) if last && at == At::Key => return Some(member.position.into()),
                    member => member.map(|member| member.value),
                },
                _ => None,
            };
            match below {
                Some(below) => node = &self.nodes[below.0 as usize],
                None => break,
            }
        }
        Some(node.position.into())
    }

    /// The spelling of the number at a path, where its value would be spelled otherwise.
    #[must_use]
    pub(super) fn spelling(&self, path: &SettingsPath) -> Option<&str> {
        let node = path.0.iter().try_fold(self.root?, |node, segment| {
            match (segment, &self.nodes.get(node.0 as usize)?.content) {
                (Segment::Index(index), Content::Sequence(items)) => items.get(*index).copied(),
                (Segment::Key(key), Content::Mapping(members)) => self.member(members, key).map(|member| member.value),
                _ => None,
            }
        })?;
        self.spellings.get(&node.0).map(AsRef::as_ref)
    }

    /// A member of a mapping: by its exact key, then ignoring case.
    fn member<'a>(&self, members: &'a [Member], key: &str) -> Option<&'a Member> {
        let of = |key: &KeyId| members.binary_search_by_key(key, |member| member.key).ok().map(|found| &members[found]);
        self.keys.exact.get(key).and_then(of).or_else(|| {
            let alike = self.keys.folded.get(&key.to_ascii_lowercase())?;
            alike.iter().filter_map(of).min_by_key(|member| member.position)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    fn places(text: &str) -> Places {
        if text.starts_with('{') { yaml::look_over(text).places } else { yaml::read(text).places }
    }

    fn at(text: &str, path: &SettingsPath, at: At) -> (usize, usize) {
        let position = places(text).locate(path, at).unwrap();
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

    #[test]
    fn of_keys_in_several_letter_cases_the_exact_one_and_else_the_first_is_meant() {
        let text = "A: 1\na: 2\nb: {A: 3}\nother: {a: 1}\n";
        let root = SettingsPath::root();
        assert_eq!(at(text, &root.key("A"), At::Key), (1, 1));
        assert_eq!(at(text, &root.key("a"), At::Key), (2, 1));
        assert_eq!(at(text, &root.key("b").key("a"), At::Value), (3, 8));
        assert_eq!(at("b: 1\nName: 2\nNAME: 3\n", &root.key("name"), At::Key), (2, 1));
    }

    #[test]
    fn of_what_is_merged_the_first_counts_and_its_own_is_before_all() {
        let text =
            "one: &one {a: 1, b: 2}\ntwo: &two {b: 3, c: 4}\nitem:\n  <<: [*one, *two]\n  a: 5\nlast: {<<: {d: 6}}\n";
        let item = SettingsPath::root().key("item");
        assert_eq!(at(text, &item.key("a"), At::Value), (5, 6));
        assert_eq!(at(text, &item.key("b"), At::Value), (1, 21));
        assert_eq!(at(text, &item.key("c"), At::Value), (2, 21));
        assert_eq!(at(text, &SettingsPath::root().key("last").key("d"), At::Value), (6, 16));
    }

    #[test]
    fn a_text_that_cannot_be_read_to_its_end_has_places_so_far() {
        let text = "a: 1\nb:\n  c: 2\n  d: [x, {e: 1\n";
        assert_eq!(at(text, &SettingsPath::root().key("b").key("c"), At::Value), (3, 6));
    }

    /// 200,000 look-ups in a mapping of 200,000 members: were each linear, this test would not end.
    #[test]
    fn looking_up_is_not_linear_in_the_mapping() {
        let text: String = (0..200_000).map(|number| format!("key{number}: x\n")).collect();
        let places = places(&text);
        for number in 0..200_000 {
            let path = SettingsPath::root().key(&format!("KEY{number}"));
            assert_eq!(places.locate(&path, At::Key), Some(Position { line: number + 1, column: 1 }));
        }
    }
}
