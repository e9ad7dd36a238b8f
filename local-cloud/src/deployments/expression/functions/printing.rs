//! `format`, which prints as .NET's composite formatting does. Source: learn.microsoft.com, "Composite formatting".

use super::super::effort::may_be;
use super::super::values::{printed, text};
use super::{ANY, Function, function};
use serde_json::Value;

pub(super) static FUNCTIONS: &[Function] = &[function("format", 1, ANY, format_text)];

fn format_text(arguments: &[Value]) -> Result<Value, String> {
    let letters: Vec<char> = text(&arguments[0])?.chars().collect();
    let mut result = String::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        match (letter, letters.get(at + 1)) {
            ('{', Some('{')) | ('}', Some('}')) => {
                result.push(letter);
                at += 2;
            }
            ('{', _) => {
                let end = letters[at..].iter().position(|letter| *letter == '}');
                let end = at + end.ok_or_else(|| "a '{' in the format has no '}'".to_owned())?;
                let item: String = letters[at + 1..end].iter().collect();
                result.push_str(&format_item(&item, &arguments[1..])?);
                may_be(result.len())?;
                at = end + 1;
            }
            ('}', _) => return Err("a '}' in the format has no '{'".to_owned()),
            _ => {
                result.push(letter);
                at += 1;
            }
        }
    }
    Ok(result.into())
}

/// `index[,alignment][:format]`
fn format_item(item: &str, arguments: &[Value]) -> Result<String, String> {
    let (place, style) = item.split_once(':').map_or((item, None), |(place, style)| (place, Some(style)));
    let (index, width) = place.split_once(',').map_or((place, None), |(index, width)| (index, Some(width)));
    let argument = index.trim().parse::<usize>().ok().and_then(|index| arguments.get(index));
    let argument = argument
        .ok_or_else(|| format!("'{{{item}}}' is not one of the {} values that follow the format", arguments.len()))?;
    let plain = match style {
        Some(style) if !style.is_empty() => styled(argument, style)?,
        _ => printed(argument),
    };
    let Some(width) = width else { return Ok(plain) };
    let width: i64 = width.trim().parse().map_err(|_| format!("'{width}' is not a width"))?;
    let blanks = usize::try_from(width.unsigned_abs()).unwrap_or(0).min(1024).saturating_sub(plain.chars().count());
    let blanks = " ".repeat(blanks);
    Ok(if width < 0 { plain + &blanks } else { blanks + &plain })
}

/// A number in one of .NET's standard formats.
fn styled(value: &Value, style: &str) -> Result<String, String> {
    let unsupported = || format!("the local cloud does not know the number format '{style}'");
    let Some(number) = value.as_i64() else {
        // Formats have no effect on texts.
        return if value.is_string() { Ok(printed(value)) } else { Err(unsupported()) };
    };
    if style.chars().all(|letter| letter == '0') {
        return Ok(padded(number, style.len()));
    }
    let (letter, digits) = style.split_at(style.chars().next().map_or(0, char::len_utf8));
    let digits: Option<usize> = if digits.is_empty() { None } else { Some(digits.parse().map_err(|_| unsupported())?) };
    let digits = digits.map(|digits| digits.min(99));
    let decimals = |by_default: usize| match digits.unwrap_or(by_default) {
        0 => String::new(),
        some => format!(".{}", "0".repeat(some)),
    };
    match letter {
        "D" | "d" => Ok(padded(number, digits.unwrap_or(0))),
        "X" => Ok(format!("{number:0width$X}", width = digits.unwrap_or(0))),
        "x" => Ok(format!("{number:0width$x}", width = digits.unwrap_or(0))),
        "F" | "f" => Ok(format!("{number}{}", decimals(2))),
        "N" | "n" => Ok(format!("{}{}", grouped(number), decimals(2))),
        _ => Err(unsupported()),
    }
}

fn padded(number: i64, digits: usize) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{:0digits$}", number.unsigned_abs())
}

/// With a comma after each three digits.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut result = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}
