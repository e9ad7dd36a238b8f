//! Expressions cut into words.

use serde_json::{Number, Value};

/// A word of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A text, without its quotation marks.
    Text(String),
    /// A number.
    Number(Number),
    /// The name of a function or member.
    Name(String),
    /// One of `( ) [ ] , .`
    Mark(char),
}

impl Token {
    /// As it is shown to people.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Text(text) => format!("'{text}'"),
            Token::Number(number) => Value::Number(number.clone()).to_string(),
            Token::Name(name) => name.clone(),
            Token::Mark(mark) => mark.to_string(),
        }
    }
}

/// The words with the places where they begin, or a reason and its place.
pub(super) fn words(text: &str) -> Result<Vec<(Token, usize)>, (String, usize)> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let begin = at;
        let token = match letter {
            letter if letter.is_whitespace() => {
                at += 1;
                continue;
            }
            '(' | ')' | '[' | ']' | ',' | '.' => {
                at += 1;
                Token::Mark(letter)
            }
            '\'' => text_from(&letters, &mut at)?,
            '-' | '0'..='9' => number_from(&letters, &mut at)?,
            letter if letter.is_alphabetic() || letter == '_' || letter == '$' => {
                let is_part = |letter: &&char| letter.is_alphanumeric() || **letter == '_' || **letter == '$';
                let name: String = letters[at..].iter().take_while(is_part).collect();
                at += name.chars().count();
                Token::Name(name)
            }
            other => return Err((format!("'{other}' means nothing here"), at)),
        };
        found.push((token, begin));
    }
    Ok(found)
}

/// A text in quotation marks; two of them in it are one.
fn text_from(letters: &[char], at: &mut usize) -> Result<Token, (String, usize)> {
    let begin = *at;
    let mut text = String::new();
    *at += 1;
    loop {
        match (letters.get(*at), letters.get(*at + 1)) {
            (Some('\''), Some('\'')) => {
                text.push('\'');
                *at += 2;
            }
            (Some('\''), _) => {
                *at += 1;
                return Ok(Token::Text(text));
            }
            (Some(&letter), _) => {
                text.push(letter);
                *at += 1;
            }
            (None, _) => return Err(("the text that begins here never ends".to_owned(), begin)),
        }
    }
}

fn number_from(letters: &[char], at: &mut usize) -> Result<Token, (String, usize)> {
    let begin = *at;
    let is_part = |(index, letter): &(usize, &char)| {
        letter.is_ascii_digit() || **letter == '.' || (*index == 0 && **letter == '-')
    };
    let text: String = letters[begin..].iter().enumerate().take_while(is_part).map(|(_, letter)| *letter).collect();
    *at += text.len();
    let number = match text.parse::<i64>() {
        Ok(whole) => Some(Number::from(whole)),
        Err(_) => text.parse::<f64>().ok().and_then(Number::from_f64),
    };
    number.map(Token::Number).ok_or_else(|| (format!("'{text}' is not a number"), begin))
}
