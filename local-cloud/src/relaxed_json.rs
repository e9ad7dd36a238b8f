//! JSON as Azure's reader takes it, which is more than the standard has: comments, single quotation marks, names without any, line breaks in
//! texts, commas at the end. The Azure CLI sends templates like that.

use serde_json::Value;
use std::iter::Peekable;
use std::str::Chars;

/// The value, or what is wrong by the standard.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| serde_json::from_str(&strict(text)).map_err(|_| error))
}

/// The same in standard JSON, as far as it can be.
fn strict(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut result = String::with_capacity(text.len());
    // A comma is written when it is known that something comes after it.
    let mut comma = false;
    while let Some(&letter) = letters.peek() {
        match letter {
            letter if letter.is_whitespace() => drop(letters.next()),
            ',' => {
                letters.next();
                comma = true;
            }
            '/' => skip_comment(&mut letters),
            other => {
                if std::mem::take(&mut comma) && !matches!(other, '}' | ']') {
                    result.push(',');
                }
                push_token(&mut letters, &mut result);
                // Two numbers in a row stay two.
                result.push(' ');
            }
        }
    }
    result
}

fn push_token(letters: &mut Peekable<Chars<'_>>, result: &mut String) {
    let Some(first) = letters.next() else { return };
    if matches!(first, '"' | '\'') {
        push_text(first, letters, result);
    } else if first.is_alphabetic() || matches!(first, '_' | '$') {
        let mut word = String::from(first);
        while let Some(letter) = letters.next_if(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$')) {
            word.push(letter);
        }
        let is_value = matches!(word.as_str(), "true" | "false" | "null");
        result.push_str(&if is_value { word } else { format!("\"{word}\"") });
    } else if first.is_ascii_digit() || first == '-' {
        result.push(first);
        while let Some(letter) =
            letters.next_if(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '+' | '-'))
        {
            result.push(letter);
        }
    } else {
        result.push(first);
    }
}

/// The rest of a text that began with `mark`.
fn push_text(mark: char, letters: &mut Peekable<Chars<'_>>, result: &mut String) {
    result.push('"');
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('\'') => result.push('\''),
                Some(other) => result.extend(['\\', other]),
                None => result.push('\\'),
            },
            letter if letter == mark => break,
            '"' => result.push_str("\\\""),
            letter if letter.is_control() => result.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => result.push(letter),
        }
    }
    result.push('"');
}

fn skip_comment(letters: &mut Peekable<Chars<'_>>) {
    letters.next();
    match letters.next() {
        Some('/') => while letters.next_if(|letter| *letter != '\n').is_some() {},
        Some('*') => {
            let mut before = ' ';
            for letter in letters.by_ref() {
                if before == '*' && letter == '/' {
                    return;
                }
                before = letter;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_the_azure_cli_sends() {
        let text = "{\"properties\": {\"mode\": \"Incremental\", template:{ // a template\n 'it': 'has \"marks\"', /* and\n more, */ \"lines\": \"a\nb\\\"c\",\n\"list\": [1, -2.5e+3, true, null,], }}}";
        assert_eq!(
            parse(text).unwrap(),
            json!({"properties": {"mode": "Incremental", "template": {"it": "has \"marks\"", "lines": "a\nb\"c", "list": [1, -2500.0, true, null]}}})
        );
    }

    #[test]
    fn what_is_wrong_is_said_of_the_text_as_it_came() {
        for text in ["{\"a\": ", "{a b}", "[1 2]", "{'a': }", "/", "/*"] {
            let expected = serde_json::from_str::<Value>(text).unwrap_err().to_string();
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }
}
