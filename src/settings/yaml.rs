//! Reads YAML: the events of the parser become values. What is wrong is noted with its place and, unless nothing can be read
//! after it, hides nothing else.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Map, Value};

use super::lenient;
use super::locate::Position;
use super::parse::{DEEPEST, ParseError, RECURSION_LIMIT, is_deeper};
use super::scalar;
use crate::protocol::FindingCode;

/// How many values aliases may add to any document, and how many for each value that is written in it.
const EXPANSION: (usize, usize) = (100_000, 10);
/// The key whose value is merged into its mapping.
const MERGE: &str = "<<";

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Yaml {
    /// The values of the first document; none when they end in the middle.
    pub(super) value: Option<Value>,
    /// What is wrong, in the order of the text.
    pub(super) problems: Vec<ParseError>,
}

/// Reads a text.
#[must_use]
pub(super) fn read(text: &str) -> Yaml {
    let mut reader = Reader::default();
    for event in Parser::new_from_str(text) {
        let step = match event {
            Ok((event, span)) => reader.take(event, span),
            Err(error) => {
                let problem = scan_error(&error, text);
                if problem.code == FindingCode::SyntaxError
                    && reader.problems.is_empty()
                    && let Some(value) = lenient::read(text)
                {
                    return Yaml { value: Some(value), problems: Vec::new() };
                }
                reader.problems.push(problem);
                Err(End)
            }
        };
        if step.is_err() {
            return Yaml { value: reader.root.filter(|_| reader.is_document_read), problems: reader.problems };
        }
    }
    Yaml { value: Some(reader.root.unwrap_or_default()), problems: reader.problems }
}

fn scan_error(error: &ScanError, text: &str) -> ParseError {
    let marker = error.marker();
    let position = Position { line: marker.line(), column: marker.col() + 1 };
    let indented_with_tab = |line: usize| {
        let content = text.lines().nth(line.checked_sub(1)?)?;
        let column = content.chars().position(|character| character != ' ')?;
        (content.chars().nth(column) == Some('\t')).then_some(Position { line, column: column + 1 })
    };
    if error.info().contains(RECURSION_LIMIT) {
        return ParseError { position: Some(position), ..ParseError::too_deep() };
    }
    if let Some(tab) = indented_with_tab(position.line) {
        return ParseError::new(tab, "indented with a tab; YAML allows spaces only");
    }
    ParseError::new(position, format!("invalid YAML: {}", error.info()))
}

/// Nothing more is read.
struct End;

type Step = Result<(), End>;

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    root: Option<Value>,
    is_document_read: bool,
    problems: Vec<ParseError>,
    /// How many values are written, and how many aliases have added.
    written: usize,
    expanded: usize,
}

/// A value that aliases may repeat.
struct Anchored {
    value: Value,
    nodes: usize,
}

/// A list or a mapping whose end has not come.
struct Open {
    position: Position,
    anchor: usize,
    /// How many values are in it.
    nodes: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Value>),
    Mapping(Mapping),
}

#[derive(Default)]
struct Mapping {
    members: Map<String, Value>,
    /// Where each key stands first.
    keys: HashMap<String, Position>,
    /// What is merged into it, where it has nothing of its own.
    merged: Vec<Map<String, Value>>,
    waiting: Option<Key>,
}

/// A key that waits for its value.
enum Key {
    Text(String),
    Merge,
    /// One that cannot be used: its value is read and dropped.
    Unusable,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, span: Span) -> Step {
        // The column of the parser's markers counts from 0.
        let position = Position { line: span.start.line(), column: span.start.col() + 1 };
        match event {
            Event::DocumentStart(_) if self.is_document_read => {
                self.problem(position, "expected one document, found several (separated by '---')");
                return Err(End);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let value = self.scalar(&text, style, tag.as_deref(), position);
                self.written += 1;
                self.anchor(anchor, &value, 1, position)?;
                self.place(value, Some(&text), 1, position);
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Content::Sequence(Vec::new()), anchor, tag, position)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(Content::Mapping(Mapping::default()), anchor, tag, position)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
            Event::Alias(anchor) => self.alias(anchor, position)?,
            Event::DocumentEnd => self.is_document_read = true,
            Event::DocumentStart(_) | Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
        Ok(())
    }

    fn problem(&mut self, position: Position, message: impl Into<String>) {
        self.problems.push(ParseError::new(position, message));
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>, position: Position) -> Value {
        let plain = || scalar::value(text);
        let Some(tag) = tag else {
            return if style == ScalarStyle::Plain { plain() } else { Value::String(text.to_owned()) };
        };
        let fits = match (tag.is_yaml_core_schema(), tag.suffix.as_str()) {
            (true, "str") | (false, "" | "!") => return Value::String(text.to_owned()),
            (true, "null") => Value::is_null,
            (true, "bool") => Value::is_boolean,
            (true, "int" | "float") => Value::is_number,
            _ => {
                self.unknown_tag(tag, position);
                return plain();
            }
        };
        let value = plain();
        if !fits(&value) {
            self.problem(position, format!("'{text}' is not a value of the tag !!{}", tag.suffix));
        }
        value
    }

    fn unknown_tag(&mut self, tag: &Tag, position: Position) {
        self.problem(position, format!("the tag {tag} is not supported"));
    }

    fn begin(&mut self, content: Content, anchor: usize, tag: Option<Cow<'_, Tag>>, position: Position) -> Step {
        if self.open.len() >= DEEPEST {
            self.problems.push(ParseError { position: Some(position), ..ParseError::too_deep() });
            return Err(End);
        }
        let known = matches!(content, Content::Sequence(_)).then_some("seq").unwrap_or("map");
        if let Some(tag) = tag.filter(|tag| !(tag.is_yaml_core_schema() && tag.suffix == known)) {
            self.unknown_tag(&tag, position);
        }
        self.written += 1;
        self.open.push(Open { position, anchor, nodes: 1, content });
        Ok(())
    }

    fn close(&mut self) -> Step {
        let Some(Open { position, anchor, nodes, content }) = self.open.pop() else { return Ok(()) };
        let value = match content {
            Content::Sequence(items) => Value::Array(items),
            Content::Mapping(mapping) => Value::Object(mapping.finish()),
        };
        self.anchor(anchor, &value, nodes, position)?;
        self.place(value, None, nodes, position);
        Ok(())
    }

    /// Keeps a value that has an anchor.
    fn anchor(&mut self, anchor: usize, value: &Value, nodes: usize, position: Position) -> Step {
        if anchor > 0 {
            self.expand(nodes, position)?;
            self.anchors.insert(anchor, Anchored { value: value.clone(), nodes });
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, position: Position) -> Step {
        let Some(Anchored { value, nodes }) = self.anchors.get(&anchor) else {
            self.problem(position, "the alias ('*') stands in the value that it repeats");
            self.place(Value::Null, None, 1, position);
            return Ok(());
        };
        let nodes = *nodes;
        if is_deeper(value, DEEPEST.saturating_sub(self.open.len())) {
            self.problems.push(ParseError { position: Some(position), ..ParseError::too_deep() });
            return Err(End);
        }
        self.expand(nodes, position)?;
        let value = self.anchors.get(&anchor).map(|anchored| anchored.value.clone()).unwrap_or_default();
        self.place(value, None, nodes, position);
        Ok(())
    }

    /// Counts values before they are copied.
    fn expand(&mut self, nodes: usize, position: Position) -> Step {
        self.expanded = self.expanded.saturating_add(nodes);
        let (least, each) = EXPANSION;
        if self.expanded > least + each * self.written {
            self.problem(position, "the aliases ('*') of the document expand to too many values");
            return Err(End);
        }
        Ok(())
    }

    /// Puts a finished value where it belongs. `text` is that of a scalar, as it is written.
    fn place(&mut self, value: Value, text: Option<&str>, nodes: usize, position: Position) {
        let Some(parent) = self.open.last_mut() else {
            self.root.get_or_insert(value);
            return;
        };
        parent.nodes += nodes;
        let problem = match &mut parent.content {
            Content::Sequence(items) => {
                items.push(value);
                None
            }
            Content::Mapping(mapping) => match mapping.waiting.take() {
                None => mapping.key(&value, text, position),
                Some(key) => mapping.member(key, value, position),
            },
        };
        self.problems.extend(problem);
    }
}

impl Mapping {
    fn key(&mut self, value: &Value, text: Option<&str>, position: Position) -> Option<ParseError> {
        let key = match value {
            Value::String(key) => key.clone(),
            Value::Number(_) | Value::Bool(_) => text.map_or_else(|| value.to_string(), str::to_owned),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                self.waiting = Some(Key::Unusable);
                let found = match value {
                    Value::Array(_) => "a list",
                    Value::Object(_) => "an object",
                    _ => "nothing",
                };
                return Some(ParseError::new(position, format!("expected text as a key, found {found}")));
            }
        };
        if let Some(first) = self.keys.get(&key) {
            self.waiting = Some(Key::Unusable);
            return Some(ParseError {
                code: FindingCode::DuplicateKey,
                ..ParseError::new(position, format!("duplicate key '{key}', first set in line {}", first.line))
            });
        }
        self.keys.insert(key.clone(), position);
        self.waiting = Some(if key == MERGE { Key::Merge } else { Key::Text(key) });
        None
    }

    fn member(&mut self, key: Key, value: Value, position: Position) -> Option<ParseError> {
        match key {
            Key::Unusable => {}
            Key::Text(key) => {
                self.members.insert(key, value);
            }
            Key::Merge => {
                let sources = if let Value::Array(sources) = value { sources } else { vec![value] };
                for source in sources {
                    match source {
                        Value::Object(members) => self.merged.push(members),
                        _ => {
                            let message = "a merge key ('<<') takes an object, or a list of objects";
                            return Some(ParseError::new(position, message));
                        }
                    }
                }
            }
        }
        None
    }

    /// The members, with what is merged: of several the first has a member, and its own are before all.
    fn finish(self) -> Map<String, Value> {
        let Mapping { mut members, merged, .. } = self;
        for (key, value) in merged.into_iter().flatten() {
            if !members.contains_key(&key) {
                members.insert(key, value);
            }
        }
        members
    }
}
