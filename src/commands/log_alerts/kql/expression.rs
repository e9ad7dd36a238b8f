//! Expressions of queries, so far as the built-in ones use them: parsed, and computed for a row. Anything else is an error.
//! No crate parses all of it: kqlparser has neither `has` nor `in~`.

use serde_json::Value as Json;

use super::lexer::{Kind, Token, minutes};

/// A value of a column or an expression. Times are minutes from now, those that have passed under 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Text(String),
    Number(f64),
    Time(f64),
    Span(f64),
    Flag(bool),
    Dynamic(Json),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Literal(Value),
    Column(String),
    Call(String, Vec<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    In(String, Box<Expression>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
}

const COMPARISONS: &[&str] = &["==", "!=", "=~", "!~", "<", ">", "<=", ">="];
const TEXT_OPERATORS: &[&str] =
    &["has", "!has", "contains", "!contains", "startswith", "!startswith", "endswith", "!endswith"];

/// Reads the tokens of one operator.
pub(super) struct Reader<'a, 'q> {
    tokens: &'a [Token<'q>],
    position: usize,
}

impl<'a, 'q> Reader<'a, 'q> {
    pub(super) fn new(tokens: &'a [Token<'q>]) -> Reader<'a, 'q> {
        Reader { tokens, position: 0 }
    }

    pub(super) fn is_at_the_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    fn peek(&self) -> Option<&Token<'q>> {
        self.tokens.get(self.position)
    }

    pub(super) fn takes(&mut self, kind: Kind, text: &str) -> bool {
        let is_it = self.peek().is_some_and(|token| token.is(kind, text));
        self.position += usize::from(is_it);
        is_it
    }

    /// One of some words or signs, when it is next.
    fn one_of(&mut self, choices: &[&str]) -> Option<String> {
        let found =
            self.peek().filter(|token| token.kind != Kind::Text && choices.contains(&token.text))?.text.to_owned();
        self.position += 1;
        Some(found)
    }

    pub(super) fn sign(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(Kind::Sign, sign) { Ok(()) } else { Err(format!("{sign} expected, found {}", self.next_text())) }
    }

    pub(super) fn word(&mut self) -> Result<&'q str, String> {
        let found = self.peek().filter(|token| token.kind == Kind::Word).map(|token| token.text);
        self.position += usize::from(found.is_some());
        found.ok_or_else(|| format!("a name expected, found {}", self.next_text()))
    }

    fn next_text(&self) -> &str {
        self.peek().map_or("the end", |token| token.text)
    }

    pub(super) fn expression(&mut self) -> Result<Expression, String> {
        self.joined(&["or"], |reader| reader.joined(&["and"], Reader::comparison))
    }

    fn joined(
        &mut self,
        operators: &[&str],
        part: impl Fn(&mut Self) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        let mut left = part(self)?;
        while let Some(operator) = self.one_of(operators) {
            left = Expression::Binary(operator, Box::new(left), Box::new(part(self)?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        if let Some(operator) = self.one_of(COMPARISONS).or_else(|| self.one_of(TEXT_OPERATORS)) {
            return Ok(Expression::Binary(operator, Box::new(left), Box::new(self.sum()?)));
        }
        if let Some(operator) = self.one_of(&["in", "in~", "!in", "!in~"]) {
            self.sign("(")?;
            return Ok(Expression::In(operator, Box::new(left), self.arguments()?));
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.joined(&["+", "-"], |reader| reader.joined(&["*", "/"], Reader::operand))
    }

    fn operand(&mut self) -> Result<Expression, String> {
        let token = *self.peek().ok_or("the query ends too soon")?;
        self.position += 1;
        let mut found = match token.kind {
            Kind::Number => Expression::Literal(Value::Number(token.text.parse().map_err(|_| "a strange number")?)),
            Kind::Span => Expression::Literal(Value::Span(minutes(token.text).unwrap_or_default())),
            Kind::Text => Expression::Literal(Value::Text(unquoted(token.text)?)),
            Kind::Word if self.takes(Kind::Sign, "(") => Expression::Call(token.text.to_owned(), self.arguments()?),
            Kind::Word => Expression::Column(token.text.to_owned()),
            Kind::Sign if token.text == "(" => {
                let inner = self.expression()?;
                self.sign(")")?;
                inner
            }
            Kind::Sign | Kind::Unfinished => return Err(format!("a value expected, found {}", token.text)),
        };
        while self.takes(Kind::Sign, "[") {
            found = Expression::Index(Box::new(found), Box::new(self.expression()?));
            self.sign("]")?;
        }
        Ok(found)
    }

    /// What is between brackets of which the first is read; `*` is a column here.
    fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        let mut found = Vec::new();
        if self.takes(Kind::Sign, ")") {
            return Ok(found);
        }
        loop {
            found.push(if self.takes(Kind::Sign, "*") {
                Expression::Column("*".to_owned())
            } else {
                self.expression()?
            });
            if !self.takes(Kind::Sign, ",") {
                return self.sign(")").map(|()| found);
            }
        }
    }
}

fn unquoted(text: &str) -> Result<String, String> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let inner = inner.ok_or_else(|| format!("the string {text} is of another form"))?;
    Ok(inner.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// The value of an expression; `column` gives those of the row.
pub(super) fn compute(
    expression: &Expression,
    column: &dyn Fn(&str) -> Result<Value, String>,
) -> Result<Value, String> {
    let value = |expression: &Expression| compute(expression, column);
    match expression {
        Expression::Literal(literal) => Ok(literal.clone()),
        Expression::Column(name) => column(name),
        // Both sides are computed, so that a mistake is found in either.
        Expression::Binary(operator, left, right) => binary(operator, value(left)?, value(right)?),
        Expression::In(operator, left, list) => {
            let left = value(left)?;
            let equals = if operator.ends_with('~') { "=~" } else { "==" };
            let mut is_in = false;
            for item in list {
                is_in |= binary(equals, left.clone(), value(item)?)? == Value::Flag(true);
            }
            Ok(Value::Flag(is_in != operator.starts_with('!')))
        }
        Expression::Index(whole, key) => match (value(whole)?, value(key)?) {
            (Value::Dynamic(whole), Value::Text(key)) => Ok(Value::Dynamic(whole[key].clone())),
            (Value::Dynamic(whole), Value::Number(index)) => Ok(Value::Dynamic(whole[index as usize].clone())),
            (whole, key) => Err(format!("{whole:?}[{key:?}]")),
        },
        Expression::Call(name, arguments) => {
            let arguments: Result<Vec<Value>, String> = arguments.iter().map(value).collect();
            call(name, &arguments?)
        }
    }
}

fn binary(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    use Value::{Flag, Null, Number, Span, Text, Time};
    let wrong = Err(format!("{left:?} {operator} {right:?}"));
    if let Some(opposite) = operator.strip_prefix('!').filter(|rest| TEXT_OPERATORS.contains(rest)) {
        return match binary(opposite, left, right)? {
            Flag(flag) => Ok(Flag(!flag)),
            other => Err(format!("{other:?} is no flag")),
        };
    }
    Ok(match (operator, left, right) {
        ("and", Flag(one), Flag(other)) => Flag(one && other),
        ("or", Flag(one), Flag(other)) => Flag(one || other),
        ("==" | "!=" | "<" | ">" | "<=" | ">=", Null, _) | ("==" | "!=" | "<" | ">" | "<=" | ">=", _, Null) => {
            Flag(false)
        }
        ("==", Text(one), Text(other)) => Flag(one == other),
        ("!=", Text(one), Text(other)) => Flag(one != other),
        ("=~", Text(one), Text(other)) => Flag(one.eq_ignore_ascii_case(&other)),
        ("!~", Text(one), Text(other)) => Flag(!one.eq_ignore_ascii_case(&other)),
        ("has", Text(text), Text(word)) => Flag(has(&text.to_lowercase(), &word.to_lowercase())),
        ("contains", Text(text), Text(part)) => Flag(text.to_lowercase().contains(&part.to_lowercase())),
        ("startswith", Text(text), Text(part)) => Flag(text.to_lowercase().starts_with(&part.to_lowercase())),
        ("endswith", Text(text), Text(part)) => Flag(text.to_lowercase().ends_with(&part.to_lowercase())),
        ("==" | "!=" | "<" | ">" | "<=" | ">=", Number(one), Number(other))
        | ("==" | "!=" | "<" | ">" | "<=" | ">=", Time(one), Time(other))
        | ("==" | "!=" | "<" | ">" | "<=" | ">=", Span(one), Span(other)) => Flag(match operator {
            "==" => one == other,
            "!=" => one != other,
            "<" => one < other,
            ">" => one > other,
            "<=" => one <= other,
            _ => one >= other,
        }),
        ("+", Number(one), Number(other)) => Number(one + other),
        ("-", Number(one), Number(other)) => Number(one - other),
        ("*", Number(one), Number(other)) => Number(one * other),
        ("/", Number(one), Number(other)) => Number(one / other),
        ("-", Time(one), Time(other)) => Span(one - other),
        ("-", Time(one), Span(other)) => Time(one - other),
        ("+", Time(one), Span(other)) => Time(one + other),
        _ => return wrong,
    })
}

/// Whether a word is in a text: nothing of a word stands before or after it.
fn has(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let of_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !of_word(text[..start].chars().next_back()) && !of_word(text[start + word.len()..].chars().next())
    })
}

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    use Value::{Dynamic, Flag, Null, Number, Span, Text, Time};
    Ok(match (name, arguments) {
        ("now", []) => Time(0.0),
        ("ago", [Span(span)]) => Time(-span),
        ("bin_at", [Time(time), Span(size), Time(fixed)]) => Time(fixed + ((time - fixed) / size).floor() * size),
        ("iff", [Flag(flag), yes, no]) => {
            if *flag {
                yes.clone()
            } else {
                no.clone()
            }
        }
        ("isnull", [value]) => Flag(*value == Null),
        ("isnotempty", [Text(text)]) => Flag(!text.is_empty()),
        ("tolower", [Text(text)]) => Text(text.to_lowercase()),
        ("parse_json", [Text(text)]) => Dynamic(serde_json::from_str(text).unwrap_or_default()),
        ("split", [Text(text), Text(by)]) => Dynamic(text.split(by.as_str()).collect()),
        ("tostring", [Text(text)]) => Text(text.clone()),
        ("tostring", [Dynamic(Json::String(text))]) => Text(text.clone()),
        ("tostring", [Dynamic(Json::Null)]) => Text(String::new()),
        ("todouble", [Dynamic(Json::Number(number))]) => Number(number.as_f64().ok_or("a strange number")?),
        ("todouble", [Dynamic(Json::Null)]) => Null,
        ("extract", [Text(pattern), Number(1.0), Text(text)]) => {
            // Of the regular expressions only the one for what comes last.
            let by = pattern.strip_prefix("([^").and_then(|rest| rest.strip_suffix("]+)$"));
            let by = by.ok_or_else(|| format!("the pattern {pattern}"))?;
            Text(text.rsplit(by).next().unwrap_or_default().to_owned())
        }
        _ => return Err(format!("{name}({arguments:?})")),
    })
}
