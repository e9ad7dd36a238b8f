//! From words to the parts of an expression.

use super::Node;
use super::lexer::{Token, words};
use serde_json::Value;

/// How many parts of an expression may be around another: brackets, members, indexes. The stack holds far more.
const DEEPEST: usize = 200;

/// A part of an expression, and how many levels of parts it has.
type Part = (Node, usize);

/// The expression, or a reason and its place.
pub(super) fn parse(text: &str) -> Result<Node, (String, usize)> {
    let end = text.chars().count();
    let mut parser = Parser { words: words(text)?, next: 0, end, depth: 0 };
    let (node, _) = parser.expression()?;
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

    fn expression(&mut self) -> Result<Part, (String, usize)> {
        self.depth += 1;
        self.check(self.depth)?;
        let (mut node, mut levels) = self.primary()?;
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
                let (index, levels_of_index) = self.expression()?;
                self.expect(']', "']'")?;
                node = Node::Index { of: Box::new(node), index: Box::new(index) };
                levels = levels.max(levels_of_index);
            } else {
                self.depth -= 1;
                return Ok((node, levels));
            }
            levels += 1;
            self.check(levels)?;
        }
    }

    fn check(&self, levels: usize) -> Result<(), (String, usize)> {
        if levels > DEEPEST { Err(("the expression is nested too deeply".to_owned(), self.place())) } else { Ok(()) }
    }

    fn primary(&mut self) -> Result<Part, (String, usize)> {
        let at = self.place();
        match self.take()? {
            Token::Text(text) => Ok((Node::Literal(Value::String(text)), 1)),
            Token::Number(number) => Ok((Node::Literal(Value::Number(number)), 1)),
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
                let (arguments, levels) = self.arguments()?;
                self.check(levels + 1)?;
                Ok((Node::Call { namespace, name, arguments }, levels + 1))
            }
            other @ Token::Mark(_) => Err((format!("'{}' means nothing here", other.shown()), at)),
        }
    }

    /// The arguments of a function, and the levels of that with the most.
    fn arguments(&mut self) -> Result<(Vec<Node>, usize), (String, usize)> {
        let (mut arguments, mut levels) = (Vec::new(), 0);
        if self.takes(')') {
            return Ok((arguments, levels));
        }
        loop {
            let (argument, levels_of_argument) = self.expression()?;
            arguments.push(argument);
            levels = levels.max(levels_of_argument);
            if self.takes(')') {
                return Ok((arguments, levels));
            }
            self.expect(',', "',' or ')'")?;
        }
    }
}
