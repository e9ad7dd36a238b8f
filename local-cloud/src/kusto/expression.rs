//! Expressions: read, and computed for a row.

use super::lexer::{Token, TokenKind};
use super::scalar::call;
use super::value::{Value, binary};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Literal(Value),
    Column(String),
    Call(String, Vec<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    In(String, Box<Expression>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// The expressions that it is made of.
    pub(super) fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Literal(_) | Expression::Column(_) => Vec::new(),
            Expression::Call(_, arguments) => arguments.iter().collect(),
            Expression::Binary(_, left, right) | Expression::Index(left, right) => vec![left, right],
            Expression::In(_, left, list) => list.iter().chain([&**left]).collect(),
        }
    }
}

/// Operators that compare, of which one may stand between two sums.
const COMPARISONS: &[&str] = &[
    "==",
    "!=",
    "=~",
    "!~",
    "<",
    ">",
    "<=",
    ">=",
    "has",
    "!has",
    "contains",
    "!contains",
    "startswith",
    "!startswith",
    "endswith",
    "!endswith",
];

/// The most brackets in each other: deeper ones are an attack on the stack.
const DEEPEST: usize = 60;

/// Reads tokens one after another.
#[derive(Clone)]
pub(super) struct Reader<'a, 'q> {
    tokens: &'a [Token<'q>],
    position: usize,
    depth: usize,
}

impl<'a, 'q> Reader<'a, 'q> {
    pub(super) fn new(tokens: &'a [Token<'q>]) -> Reader<'a, 'q> {
        Reader { tokens, position: 0, depth: 0 }
    }

    pub(super) fn is_at_the_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    fn peek(&self) -> Option<&'a Token<'q>> {
        self.tokens.get(self.position)
    }

    /// Whether the token so many places on is this name or sign.
    pub(super) fn sees(&self, ahead: usize, text: &str) -> bool {
        self.tokens.get(self.position + ahead).is_some_and(|token| token.is(text))
    }

    /// Reads a name or sign, if it is next.
    pub(super) fn takes(&mut self, text: &str) -> bool {
        let is_it = self.sees(0, text);
        self.position += usize::from(is_it);
        is_it
    }

    /// Reads one of some names or signs, if it is next.
    pub(super) fn one_of(&mut self, choices: &[&'static str]) -> Option<&'static str> {
        let found = choices.iter().find(|choice| self.sees(0, choice))?;
        self.position += 1;
        Some(found)
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.takes(text) { Ok(()) } else { Err(format!("{text} expected, found {}", self.next_text())) }
    }

    pub(super) fn name(&mut self) -> Result<&'q str, String> {
        let found = self.peek().filter(|token| token.kind == TokenKind::Name).map(|token| token.text);
        self.position += usize::from(found.is_some());
        found.ok_or_else(|| format!("a name expected, found {}", self.next_text()))
    }

    pub(super) fn next_text(&self) -> &str {
        self.peek().map_or("the end", |token| token.text)
    }

    /// Items that a comma stands between.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut found = vec![item(self)?];
        while self.takes(",") {
            found.push(item(self)?);
        }
        Ok(found)
    }

    /// Reads what stands in brackets deeper than what is around it.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("brackets more than {DEEPEST} deep"));
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    pub(super) fn expression(&mut self) -> Result<Expression, String> {
        self.deeper(|reader| reader.joined(&["or"], |reader| reader.joined(&["and"], Reader::comparison)))
    }

    fn joined(
        &mut self,
        operators: &[&'static str],
        part: impl Fn(&mut Self) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        let mut left = part(self)?;
        while let Some(operator) = self.one_of(operators) {
            left = Expression::Binary(operator.to_owned(), Box::new(left), Box::new(part(self)?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        let binary = |operator: &str, left: Expression, right| {
            Expression::Binary(operator.to_owned(), Box::new(left), Box::new(right))
        };
        if let Some(operator) = self.one_of(COMPARISONS) {
            return Ok(binary(operator, left, self.sum()?));
        }
        if let Some(operator) = self.one_of(&["in", "in~", "!in", "!in~"]) {
            self.expect("(")?;
            return Ok(Expression::In(operator.to_owned(), Box::new(left), self.arguments()?));
        }
        if self.takes("between") {
            self.expect("(")?;
            let least = binary(">=", left.clone(), self.sum()?);
            self.expect("..")?;
            let most = binary("<=", left, self.sum()?);
            self.expect(")")?;
            return Ok(binary("and", least, most));
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.joined(&["+", "-"], |reader| reader.joined(&["*", "/"], Reader::operand))
    }

    fn operand(&mut self) -> Result<Expression, String> {
        let token = self.peek().ok_or("the query ends too soon")?;
        self.position += 1;
        let mut found = match &token.kind {
            TokenKind::Number(number) => Expression::Literal(Value::Number(*number)),
            TokenKind::Span(span) => Expression::Literal(Value::Span(*span)),
            TokenKind::Time(time) => Expression::Literal(Value::Time(*time)),
            TokenKind::Text(text) => Expression::Literal(Value::Text(text.clone())),
            TokenKind::Name if self.takes("(") => Expression::Call(token.text.to_owned(), self.arguments()?),
            TokenKind::Name if ["true", "false"].contains(&token.text) => {
                Expression::Literal(Value::Flag(token.text == "true"))
            }
            TokenKind::Name => Expression::Column(token.text.to_owned()),
            TokenKind::Sign if token.text == "(" => {
                let inner = self.expression()?;
                self.expect(")")?;
                inner
            }
            TokenKind::Sign => return Err(format!("a value expected, found {}", token.text)),
        };
        loop {
            if self.takes("[") {
                found = Expression::Index(Box::new(found), Box::new(self.expression()?));
                self.expect("]")?;
            } else if self.takes(".") {
                let member = Expression::Literal(Value::Text(self.name()?.to_owned()));
                found = Expression::Index(Box::new(found), Box::new(member));
            } else {
                return Ok(found);
            }
        }
    }

    /// The arguments between brackets, of which the first is read; `*` is a column here.
    pub(super) fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        if self.takes(")") {
            return Ok(Vec::new());
        }
        let found =
            self.list(
                |reader| {
                    if reader.takes("*") { Ok(Expression::Column("*".to_owned())) } else { reader.expression() }
                },
            )?;
        self.expect(")")?;
        Ok(found)
    }
}

/// The value of an expression; `column` gives those of the row.
pub(super) fn compute(
    expression: &Expression,
    column: &dyn Fn(&str) -> Result<Value, String>,
    now: f64,
) -> Result<Value, String> {
    let value = |expression: &Expression| compute(expression, column, now);
    match expression {
        Expression::Literal(literal) => Ok(literal.clone()),
        Expression::Column(name) => column(name),
        // Both sides are computed, so that a mistake is found in either.
        Expression::Binary(operator, left, right) => binary(operator, &value(left)?, &value(right)?),
        Expression::In(operator, left, list) => {
            let left = value(left)?;
            let equals = if operator.ends_with('~') { "=~" } else { "==" };
            let mut is_in = false;
            for item in list {
                is_in |= binary(equals, &left, &value(item)?)? == Value::Flag(true);
            }
            Ok(Value::Flag(is_in != operator.starts_with('!')))
        }
        Expression::Index(whole, key) => match (value(whole)?, value(key)?) {
            (Value::Dynamic(whole), Value::Text(key)) => Ok(Value::Dynamic(whole[key].clone())),
            (Value::Dynamic(whole), Value::Number(index)) => Ok(Value::Dynamic(whole[index as usize].clone())),
            (whole, key) => Err(format!("{whole}[{key}] is not known here")),
        },
        Expression::Call(name, arguments) if ["column_ifexists", "columnifexists"].contains(&name.as_str()) => {
            match arguments.as_slice() {
                [Expression::Literal(Value::Text(wanted)), instead] => column(wanted).or_else(|_| value(instead)),
                _ => Err(format!("{name} of another form")),
            }
        }
        Expression::Call(name, arguments) => {
            let arguments: Result<Vec<Value>, String> = arguments.iter().map(value).collect();
            call(name, &arguments?, now)
        }
    }
}
