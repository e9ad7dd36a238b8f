//! Checks the built-in queries: a parser for the part of the query language that they use, which knows the tables, their
//! columns, and what functions take and give. No crate parses all of it: kqlparser has neither `has` nor `in~`.

mod facts;

use self::facts::Type::{self, Dynamic, Flag, Number, Span, Text, Time};
use self::facts::{FUNCTIONS, Gives, TABLES};
use super::definitions::built_in;
use super::query::{Columns, fill, filtered, parameter_text};

type Scope = Vec<(String, Type)>;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Literal(Type),
    Sign(String),
}

fn tokens(query: &str) -> Result<Vec<Token>, String> {
    const SIGNS: &[&str] =
        &["==", "=~", "!=", "!~", ">=", "<=", "<", ">", "=", "+", "-", "*", "/", "(", ")", "[", "]", ",", "|"];
    let mut found = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let word_length = |text: &str| {
            text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len())
        };
        let length = if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|character| {
                let ends = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                ends
            });
            found.push(Token::Literal(Text));
            end.ok_or("a text has no end")? + 2
        } else if first.is_ascii_digit() {
            let digits =
                rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
            let unit = word_length(&rest[digits..]);
            found.push(Token::Literal(match &rest[digits..digits + unit] {
                "" => Number,
                "d" | "h" | "m" | "s" | "ms" => Span,
                other => return Err(format!("{other} is no unit of time")),
            }));
            digits + unit
        } else if first.is_alphabetic() || first == '_' || rest.starts_with("!in") {
            let start = usize::from(first == '!');
            let mut length = start + word_length(&rest[start..]);
            if rest[length..].starts_with('~') && ["in", "!in"].contains(&&rest[..length]) {
                length += 1;
            }
            found.push(Token::Word(rest[..length].to_owned()));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or(format!("'{first}' is not known"))?;
            found.push(Token::Sign((*sign).to_owned()));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    scope: Scope,
    /// Whether aggregates may stand here.
    aggregates: bool,
}

/// The columns of the result of a query, or what is wrong with it.
fn check(query: &str) -> Result<Scope, String> {
    let mut parser = Parser { tokens: tokens(query)?, position: 0, scope: Scope::new(), aggregates: false };
    let table = parser.word()?;
    let (_, columns) = TABLES.iter().find(|(name, _)| *name == table).ok_or(format!("no table {table}"))?;
    parser.scope = columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
    while parser.position < parser.tokens.len() {
        parser.sign("|")?;
        parser.operator()?;
    }
    Ok(parser.scope)
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if found == sign)
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is_it = self.is_sign(sign);
        self.position += usize::from(is_it);
        is_it
    }

    fn takes_word(&mut self, words: &[&str]) -> Option<String> {
        let found = match self.peek() {
            Some(Token::Word(word)) if words.contains(&word.as_str()) => word.clone(),
            _ => return None,
        };
        self.position += 1;
        Some(found)
    }

    fn sign(&mut self, sign: &str) -> Result<(), String> {
        let found = self.peek().cloned();
        if self.takes_sign(sign) { Ok(()) } else { Err(format!("{sign} is needed where {found:?} is")) }
    }

    fn word(&mut self) -> Result<String, String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.position += 1;
                Ok(word)
            }
            other => Err(format!("a name is needed where {other:?} is")),
        }
    }

    fn column(&self, name: &str) -> Result<Type, String> {
        let found = self.scope.iter().find(|(known, _)| known == name);
        found.map(|(_, kind)| *kind).ok_or(format!("no column {name}"))
    }

    fn operator(&mut self) -> Result<(), String> {
        match self.word()?.as_str() {
            "where" => self.wants(Flag),
            "extend" => {
                for (name, kind) in self.assignments(false)? {
                    self.scope.retain(|(known, _)| *known != name);
                    self.scope.push((name, kind));
                }
                Ok(())
            }
            "project" => {
                self.scope = self.assignments(true)?;
                Ok(())
            }
            "summarize" => self.summarize(),
            other => Err(format!("no operator {other}")),
        }
    }

    fn wants(&mut self, wanted: Type) -> Result<(), String> {
        let found = self.expression()?;
        if found == wanted { Ok(()) } else { Err(format!("{found:?} is where {wanted:?} is needed")) }
    }

    /// `name = expression` or, where that is enough, the name of a column; separated by commas.
    fn assignments(&mut self, columns: bool) -> Result<Scope, String> {
        let mut made = Scope::new();
        loop {
            let name = self.word()?;
            let kind = if self.takes_sign("=") {
                self.expression()?
            } else if columns {
                self.column(&name)?
            } else {
                return Err(format!("{name} is given no value"));
            };
            if made.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name} is here twice"));
            }
            made.push((name, kind));
            if !self.takes_sign(",") {
                return Ok(made);
            }
        }
    }

    fn summarize(&mut self) -> Result<(), String> {
        let mut made = if self.takes_word(&["arg_max"]).is_some() {
            self.sign("(")?;
            let by = self.word()?;
            self.column(&by)?;
            self.sign(",")?;
            self.sign("*")?;
            self.sign(")")?;
            self.scope.clone()
        } else {
            self.aggregates = true;
            let made = self.assignments(false)?;
            self.aggregates = false;
            made
        };
        if self.takes_word(&["by"]).is_some() {
            for (name, kind) in self.assignments(true)? {
                if !made.iter().any(|(known, _)| *known == name) {
                    made.push((name, kind));
                }
            }
        }
        self.scope = made;
        Ok(())
    }

    fn expression(&mut self) -> Result<Type, String> {
        let kind = self.comparison()?;
        while let Some(word) = self.takes_word(&["and", "or"]) {
            let other = self.comparison()?;
            if (kind, other) != (Flag, Flag) {
                return Err(format!("{word} stands between {kind:?} and {other:?}"));
            }
        }
        Ok(kind)
    }

    fn comparison(&mut self) -> Result<Type, String> {
        let kind = self.sum()?;
        if let Some(word) = self.takes_word(&["in", "in~", "!in", "!in~", "has"]) {
            if word == "has" {
                let other = self.sum()?;
                return same(Text, kind, &word).and(same(kind, other, &word)).map(|()| Flag);
            }
            self.sign("(")?;
            loop {
                let other = self.expression()?;
                same(kind, other, &word)?;
                if !self.takes_sign(",") {
                    break;
                }
            }
            return self.sign(")").map(|()| Flag);
        }
        for sign in ["==", "=~", "!=", "!~", ">=", "<=", "<", ">"] {
            if self.takes_sign(sign) {
                let other = self.sum()?;
                if sign.ends_with('~') {
                    same(Text, kind, sign)?;
                }
                return same(kind, other, sign).map(|()| Flag);
            }
        }
        Ok(kind)
    }

    fn sum(&mut self) -> Result<Type, String> {
        let mut kind = self.product()?;
        loop {
            let minus = self.is_sign("-");
            if !minus && !self.is_sign("+") {
                return Ok(kind);
            }
            self.position += 1;
            kind = match (kind, self.product()?) {
                (Number, Number) => Number,
                (Time, Time) if minus => Span,
                (Time, Span) => Time,
                (Span, Span) => Span,
                (one, other) => return Err(format!("{one:?} and {other:?} are added or subtracted")),
            };
        }
    }

    fn product(&mut self) -> Result<Type, String> {
        let kind = self.value()?;
        while self.takes_sign("*") || self.takes_sign("/") {
            let other = self.value()?;
            same(Number, kind, "*").and(same(kind, other, "*"))?;
        }
        Ok(kind)
    }

    fn value(&mut self) -> Result<Type, String> {
        let token = self.peek().cloned().ok_or("the query ends too soon")?;
        self.position += 1;
        let mut kind = match token {
            Token::Literal(kind) => kind,
            Token::Sign(sign) if sign == "(" => {
                let kind = self.expression()?;
                self.sign(")")?;
                kind
            }
            Token::Word(name) if self.takes_sign("(") => self.call(&name)?,
            Token::Word(name) => self.column(&name)?,
            Token::Sign(sign) => return Err(format!("a value is needed where {sign} is")),
        };
        while self.takes_sign("[") {
            same(Dynamic, kind, "[")?;
            self.expression()?;
            self.sign("]")?;
            kind = Dynamic;
        }
        Ok(kind)
    }

    fn call(&mut self, name: &str) -> Result<Type, String> {
        let (_, aggregates, takes, gives) =
            FUNCTIONS.iter().find(|(known, ..)| *known == name).ok_or(format!("no function {name}"))?;
        if *aggregates && !std::mem::take(&mut self.aggregates) {
            return Err(format!("{name} is no function of one row, or stands in another aggregate"));
        }
        // Alert rules take it with a literal only.
        if name == "ago" && self.peek() != Some(&Token::Literal(Span)) {
            return Err("ago has something else than a literal".to_owned());
        }
        let mut given = Vec::new();
        if !self.is_sign(")") {
            given.push(self.expression()?);
            while self.takes_sign(",") {
                given.push(self.expression()?);
            }
        }
        self.sign(")")?;
        self.aggregates |= *aggregates;
        if given.len() != takes.len() {
            return Err(format!("{name} takes {} values, not {}", takes.len(), given.len()));
        }
        for (wanted, found) in takes.iter().zip(&given) {
            wanted.map_or(Ok(()), |wanted| same(wanted, *found, name))?;
        }
        Ok(match gives {
            Gives::Always(kind) => *kind,
            Gives::Argument(index) => given[*index],
        })
    }
}

fn same(wanted: Type, found: Type, whose: &str) -> Result<(), String> {
    if wanted == found { Ok(()) } else { Err(format!("{whose}: {found:?} is where {wanted:?} is needed")) }
}

#[test]
fn every_built_in_query_is_right() {
    for definition in built_in() {
        let defaults = definition.parameters.iter().flatten();
        let values = defaults.map(|(name, value)| (name.clone(), parameter_text(value).unwrap())).collect();
        let columns = definition.columns.as_deref().unwrap();
        let filled = fill(&definition.query, &values);
        let whole = filtered(&filled, Columns::Named(columns), true, &["vm-1".to_owned(), "vm-2".to_owned()]);
        let result = check(&whole).unwrap_or_else(|error| panic!("{}: {error}\n{whole}", definition.name));
        for column in columns {
            assert!(result.iter().any(|(name, _)| name == column), "{}: {column}", definition.name);
        }
        assert!(
            !filled
                .split(|character: char| !character.is_alphanumeric() && character != '_')
                .any(|word| { word.starts_with('_') && word != "_ResourceId" })
        );
    }
}

#[test]
fn mistakes_are_found() {
    let table = [
        ("Evnt", "no table Evnt"),
        ("Event | were EventID == 1", "no operator were"),
        ("Event | where EventId == 1", "no column EventId"),
        ("Event | where EventID == \"1\"", "==: Text is where Number is needed"),
        ("Event | where EventID =~ 1", "=~: Number is where Text is needed"),
        ("Event | where EventID", "Number is where Flag is needed"),
        ("Event | where (EventID == 1", ") is needed where None is"),
        ("Event | where Source == \"a", "a text has no end"),
        ("Event where EventID == 1", "| is needed where Some(Word(\"where\")) is"),
        ("Event | where Source in~ (\"a\", 1)", "in~: Number is where Text is needed"),
        ("Event | where TimeGenerated > ago(EventID)", "ago has something else than a literal"),
        ("Event | where TimeGenerated > ago(1hour)", "hour is no unit of time"),
        ("Event | where TimeGenerated > 1h", ">: Span is where Time is needed"),
        ("Event | where avg(EventID) > 1", "avg is no function of one row, or stands in another aggregate"),
        (
            "Event | summarize A = max(min(EventID)) by Source",
            "min is no function of one row, or stands in another aggregate",
        ),
        ("Event | summarize A = avg(EventID) by Source | where Computer == \"\"", "no column Computer"),
        ("Event | project Source | extend A = EventID", "no column EventID"),
        ("Event | project Source, Source", "Source is here twice"),
        ("Event | extend A = tostrin(EventID)", "no function tostrin"),
        ("Event | extend A = iff(EventID == 1, 2)", "iff takes 3 values, not 2"),
        ("Event | extend A = Source[0]", "[: Text is where Dynamic is needed"),
        ("Event | extend A = 1 + Source", "Number and Text are added or subtracted"),
        ("Event | where EventID == 1 and", "the query ends too soon"),
        ("Event | where EventID == 1 ; Event", "';' is not known"),
    ];
    for (query, expected) in table {
        assert_eq!(check(query).unwrap_err(), expected, "{query}");
    }
}
