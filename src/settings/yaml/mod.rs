//! Reads YAML: the events of the parser become values and their places. What is wrong is noted with its place and, unless
//! nothing can be read after it, hides nothing else.

mod mapping;

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::Value;

use self::mapping::Mapping;
use super::lenient;
use super::locate::{NodeId, Places, Position};
use super::parse::{DEEPEST, ParseError, RECURSION_LIMIT, is_deeper};
use super::{syntax_error, yaml_scalar};
use crate::protocol::{FindingCode, cut};

/// The amount that aliases may add to any document, how much more for each value that is written in it, and how much at most.
const EXPANSION: (usize, usize, usize) = (100_000, 10, 5_000_000);
/// A text counts as one value, and as one more for each so many bytes.
const BYTES_OF_A_VALUE: usize = 64;

/// The most of a text that a problem repeats, in characters.
const LONGEST_SHOWN: usize = 40;

/// The values and places of a text.
#[derive(Debug, Default)]
pub(super) struct Yaml {
    /// The values of the first document; none when they end in the middle.
    pub(super) value: Option<Value>,
    /// The problems, in the order of the text.
    pub(super) problems: Vec<ParseError>,
    /// The places of everything, as far as the text can be read.
    pub(super) places: Places,
}

#[must_use]
pub(super) fn read(text: &str) -> Yaml {
    Reader::new(true).read(text)
}

/// The places of everything in a text of JSON, which has been read already, and what is wrong with it.
#[must_use]
pub(super) fn look_over(text: &str) -> Yaml {
    // Tabs are legal between the tokens of JSON only; as spaces they leave every position as it is.
    Reader::new(false).read(&text.replace('\t', " "))
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
    ParseError::new(position, format!("invalid YAML: {}", syntax_error::yaml_mistake(error.info())))
}

/// Nothing more is read.
struct End;

type Step = Result<(), End>;

struct Reader {
    /// Otherwise only the places are of interest.
    keeps_values: bool,
    open: Vec<Open>,
    anchors: HashMap<usize, Finished>,
    root: Option<Value>,
    places: Places,
    is_document_read: bool,
    problems: Vec<ParseError>,
    /// The amount that is written, and the one that aliases have added.
    written: usize,
    expanded: usize,
}

/// A value that was read.
#[derive(Clone)]
struct Finished {
    value: Value,
    size: usize,
    node: NodeId,
}

/// A list or a mapping whose end has not come.
struct Open {
    position: Position,
    anchor: usize,
    size: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Value>, Vec<NodeId>),
    Mapping(Box<Mapping>),
}

impl Reader {
    fn new(keeps_values: bool) -> Reader {
        Reader {
            keeps_values,
            open: Vec::new(),
            anchors: HashMap::new(),
            root: None,
            places: Places::default(),
            is_document_read: false,
            problems: Vec::new(),
            written: 0,
            expanded: 0,
        }
    }

    fn read(mut self, text: &str) -> Yaml {
        for event in Parser::new_from_str(text) {
            let step = match event {
                Ok((event, span)) => self.take(event, span),
                Err(error) => {
                    let problem = scan_error(&error, text);
                    if self.keeps_values
                        && problem.code == FindingCode::SyntaxError
                        && self.problems.is_empty()
                        && let Some(value) = lenient::read(text)
                    {
                        self.root = Some(value);
                        self.is_document_read = true;
                    } else {
                        self.problems.push(problem);
                    }
                    Err(End)
                }
            };
            if step.is_err() {
                return self.give_up();
            }
        }
        Yaml { value: Some(self.root.unwrap_or_default()), problems: self.problems, places: self.places }
    }

    /// The values that have been read when nothing more can be.
    fn give_up(mut self) -> Yaml {
        let value = self.root.take().filter(|_| self.is_document_read);
        self.keeps_values = false;
        self.open.iter_mut().for_each(|open| open.anchor = 0);
        while !self.open.is_empty() && self.close().is_ok() {}
        Yaml { value, problems: self.problems, places: self.places }
    }

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
                let size = 1 + text.len() / BYTES_OF_A_VALUE;
                self.written += size;
                if anchor == 0 && self.expects_key() {
                    self.key(&value, Some(&text), size, position);
                } else {
                    let node = self.places.scalar(position);
                    if style == ScalarStyle::Plain && self.is_respelled(&value, &text) {
                        self.places.spell(node, &text);
                    }
                    let finished = Finished { value, size, node };
                    self.anchor(anchor, &finished, position)?;
                    self.place(finished, Some(&text), position);
                }
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Content::Sequence(Vec::new(), Vec::new()), anchor, tag, position)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(Content::Mapping(Box::default()), anchor, tag, position)?;
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
        let plain = || yaml_scalar::value(text);
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
            self.problem(
                position,
                format!("'{}' is not a value of the tag !!{}", cut(text, LONGEST_SHOWN), tag.suffix),
            );
        }
        value
    }

    /// Whether a plain scalar is a number that its value would be spelled otherwise. In JSON every one that is no number here is one that
    /// has more digits than are kept.
    fn is_respelled(&self, value: &Value, text: &str) -> bool {
        match value {
            Value::Number(number) => number.to_string() != text,
            Value::String(_) => !self.keeps_values,
            _ => false,
        }
    }

    fn unknown_tag(&mut self, tag: &Tag, position: Position) {
        self.problem(position, format!("the tag {tag} is not supported"));
    }

    fn begin(&mut self, content: Content, anchor: usize, tag: Option<Cow<'_, Tag>>, position: Position) -> Step {
        if self.open.len() >= DEEPEST {
            self.problems.push(ParseError { position: Some(position), ..ParseError::too_deep() });
            return Err(End);
        }
        let known = matches!(content, Content::Sequence(..)).then_some("seq").unwrap_or("map");
        if let Some(tag) = tag.filter(|tag| !(tag.is_yaml_core_schema() && tag.suffix == known)) {
            self.unknown_tag(&tag, position);
        }
        self.written += 1;
        self.open.push(Open { position, anchor, size: 1, content });
        Ok(())
    }

    fn close(&mut self) -> Step {
        let Some(Open { position, anchor, size, content }) = self.open.pop() else { return Ok(()) };
        let (value, node) = match content {
            Content::Sequence(items, nodes) => (Value::Array(items), self.places.sequence(position, nodes)),
            Content::Mapping(mapping) => mapping.finish(position, &mut self.places),
        };
        let finished = Finished { value, size, node };
        self.anchor(anchor, &finished, position)?;
        self.place(finished, None, position);
        Ok(())
    }

    /// Keeps a value that has an anchor.
    fn anchor(&mut self, anchor: usize, finished: &Finished, position: Position) -> Step {
        if anchor > 0 {
            self.expand(finished.size, position)?;
            self.anchors.insert(anchor, finished.clone());
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, position: Position) -> Step {
        let Some(Finished { value, size, .. }) = self.anchors.get(&anchor) else {
            self.problem(position, "the alias ('*') stands in the value that it repeats");
            let node = self.places.scalar(position);
            self.place(Finished { value: Value::Null, size: 1, node }, None, position);
            return Ok(());
        };
        if is_deeper(value, DEEPEST.saturating_sub(self.open.len())) {
            self.problems.push(ParseError { position: Some(position), ..ParseError::too_deep() });
            return Err(End);
        }
        self.expand(*size, position)?;
        if let Some(finished) = self.anchors.get(&anchor).cloned() {
            self.place(finished, None, position);
        }
        Ok(())
    }

    /// Counts values before they are copied.
    fn expand(&mut self, size: usize, position: Position) -> Step {
        self.expanded = self.expanded.saturating_add(size);
        let (any, each, most) = EXPANSION;
        if self.expanded > most.min(any + each * self.written) {
            self.problem(position, "the aliases ('*') of the document expand to too many values");
            return Err(End);
        }
        Ok(())
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Mapping(mapping), .. }) if mapping.expects_key())
    }

    /// Takes a key. `text` is that of a scalar, as it is written.
    fn key(&mut self, value: &Value, text: Option<&str>, size: usize, position: Position) {
        if let Some(Open { size: all, content: Content::Mapping(mapping), .. }) = self.open.last_mut() {
            *all += size;
            let result = mapping.key(value, text, position, self.keeps_values, &mut self.places);
            self.problems.extend(result.err());
        }
    }

    /// Puts a finished value where it belongs.
    fn place(&mut self, finished: Finished, text: Option<&str>, position: Position) {
        if self.expects_key() {
            return self.key(&finished.value, text, finished.size, position);
        }
        let Some(parent) = self.open.last_mut() else {
            self.places.set_root(finished.node);
            self.root.get_or_insert(finished.value);
            return;
        };
        parent.size = parent.size.saturating_add(finished.size);
        match &mut parent.content {
            Content::Sequence(items, nodes) => {
                nodes.push(finished.node);
                if self.keeps_values {
                    items.push(finished.value);
                }
            }
            Content::Mapping(mapping) => {
                let result = mapping.member(finished, position, self.keeps_values, &self.places);
                self.problems.extend(result.err());
            }
        }
    }
}
