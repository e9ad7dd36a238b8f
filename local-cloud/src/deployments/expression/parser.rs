//! From words to the parts of an expression.

use super::Node;
use super::lexer::{Token, words};
use serde_json::Value;

/// How deep brackets may be in each other; the stack holds far more.
const DEEPEST: usize = 200;

/// The expression, or a reason and its place.
pub(super) fn parse(text: &str) -> Result<Node, (String, usize)> {
    let end = text.chars().count();
    let mut parser = Parser { words: words(text)?, next: 0, end, depth: 0 };
    let node = parser.expression()?;
    match parser.peek() {
        None => Ok(node),
        Some(token) => Err((format!("'{}' is left over", token.shown()), parser.place())),
    }
}

struct Parser {
    words: Vec<(Token, usize)>,
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.words.get(self.next).map(|(token, _)| token)
    }

    fn place(&self) -> usize {
        self.words.get(self.next).map_or(self.end, |(_, at)| *at)
    }

    fn take(&mut self) -> Result<Token, (String, usize)> {
        let token = self.peek().cloned().ok_or_else(|| ("the expression ends too early".to_owned(), self.end))?;
        self.next += 1;
        Ok(token)
    }

    fn takes(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, mark: char, wanted: &str) -> Result<(), (String, usize)> {
        if self.takes(mark) {
            return Ok(());
        }
        let at = self.place();
        let found = self.take()?;
        Err((format!("expected {wanted} and found '{}'", found.shown()), at))
    }

    fn expression(&mut self) -> Result<Node, (String, usize)> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(("the expression is nested too deeply".to_owned(), self.place()));
        }
        let mut node = self.primary()?;
        loop {
            if self.takes('.') {
                let at = self.place();
                node = match self.take()? {
                    Token::Name(name) => Node::Member { of: Box::new(node), name },
                    other => {
                        return Err((format!("expected the name of a member and found '{}'", other.shown()), at));
                    }
                };
            } else if self.takes('[') {
                let index = self.expression()?;
                self.expect(']', "']'")?;
                node = Node::Index { of: Box::new(node), index: Box::new(index) };
            } else {
                self.depth -= 1;
                return Ok(node);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, (String, usize)> {
        let at = self.place();
        match self.take()? {
            Token::Text(text) => Ok(Node::Literal(Value::String(text))),
            Token::Number(number) => Ok(Node::Literal(Value::Number(number))),
            Token::Name(first) => {
                let (namespace, name) = match self.peek() {
                    Some(Token::Mark('.')) => {
                        self.next += 1;
                        let at = self.place();
                        match self.take()? {
                            Token::Name(name) => (Some(first), name),
                            other => return Err((format!("'{}' is not the name of a function", other.shown()), at)),
                        }
                    }
                    _ => (None, first),
                };
                self.expect('(', "'('")?;
                Ok(Node::Call { namespace, name, arguments: self.arguments()? })
            }
            other @ Token::Mark(_) => Err((format!("'{}' means nothing here", other.shown()), at)),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Node>, (String, usize)> {
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
