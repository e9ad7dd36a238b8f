//! From a text to the parts of an expression.

use super::Node;
use serde_json::Value;

/// The most parts of an expression, so that they cannot be too deep in each other either. The stack holds far more.
const MOST: usize = 200;

/// A reason, and the byte that it is about.
type Wrong = (String, usize);

/// The expression.
pub(super) fn parse(text: &str) -> Result<Node, Wrong> {
    let mut parser = Parser { text, at: 0, parts: 0 };
    let node = parser.expression()?;
    match parser.peek() {
        None => Ok(node),
        Some(letter) => Err((format!("'{letter}' is left over"), parser.at)),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    parts: usize,
}

impl<'t> Parser<'t> {
    /// The next letter that is no blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn takes(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(mark);
        self.at += if is_next { mark.len_utf8() } else { 0 };
        is_next
    }

    fn expect(&mut self, mark: char, wanted: &str) -> Result<(), Wrong> {
        if self.takes(mark) {
            Ok(())
        } else {
            Err(self.wrong(|found| format!("expected {wanted} and found '{found}'")))
        }
    }

    fn wrong(&mut self, reason: impl Fn(char) -> String) -> Wrong {
        let reason = self.peek().map_or_else(|| "the expression ends too early".to_owned(), reason);
        (reason, self.at)
    }

    /// The letters from here that are part of a word.
    fn word(&mut self, is_part: fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn expression(&mut self) -> Result<Node, Wrong> {
        let mut node = self.primary()?;
        loop {
            let name = if self.takes('.') {
                match self.peek() {
                    Some(letter) if letter.is_alphabetic() => Node::Literal(self.word(is_of_name).into()),
                    _ => return Err(self.wrong(|found| format!("expected a name and found '{found}'"))),
                }
            } else if self.takes('[') {
                let index = self.expression()?;
                self.expect(']', "']'")?;
                index
            } else {
                return Ok(node);
            };
            self.count()?;
            node = Node::Member { of: Box::new(node), name: Box::new(name) };
        }
    }

    fn count(&mut self) -> Result<(), Wrong> {
        self.parts += 1;
        if self.parts > MOST { Err((format!("the expression has more than {MOST} parts"), self.at)) } else { Ok(()) }
    }

    fn primary(&mut self) -> Result<Node, Wrong> {
        self.count()?;
        match self.peek() {
            Some('\'') => self.literal().map(|text| Node::Literal(text.into())),
            Some('0'..='9') => {
                let at = self.at;
                let digits = self.word(|letter| letter.is_ascii_digit());
                let number: u32 = digits.parse().map_err(|_| (format!("the number {digits} is too large"), at))?;
                Ok(Node::Literal(Value::from(number)))
            }
            Some(letter) if letter.is_alphabetic() => {
                let name = self.word(is_of_name).to_owned();
                self.expect('(', "'('")?;
                Ok(Node::Call { name, arguments: self.arguments()? })
            }
            _ => Err(self.wrong(|found| format!("'{found}' means nothing here"))),
        }
    }

    /// A text in quotation marks; two of them in it are one.
    fn literal(&mut self) -> Result<String, Wrong> {
        let begin = self.at;
        let mut text = String::new();
        while self.text[self.at..].starts_with('\'') {
            let rest = &self.text[self.at + 1..];
            let end = rest.find('\'').ok_or_else(|| ("the text that begins here never ends".to_owned(), begin))?;
            text.push_str(if text.is_empty() && self.at == begin { "" } else { "'" });
            text.push_str(&rest[..end]);
            self.at += end + 2;
        }
        Ok(text)
    }

    fn arguments(&mut self) -> Result<Vec<Node>, Wrong> {
        let mut arguments = Vec::new();
        if self.takes(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if self.takes(')') {
                return Ok(arguments);
            }
            self.expect(',', "',' or ')'")?;
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
