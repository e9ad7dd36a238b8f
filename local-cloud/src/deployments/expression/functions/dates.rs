//! Functions of dates. Source: learn.microsoft.com, "Date functions for ARM templates".

use super::super::values::{text, whole};
use super::{Function, function};
use serde_json::Value;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime, UtcOffset};

/// The format of `utcNow` where none is given.
const NOW: &str = "yyyyMMddTHHmmssZ";
/// The format of dates otherwise.
const SORTABLE: &str = "yyyy-MM-ddTHH:mm:ssZ";

pub(super) static FUNCTIONS: &[Function] = &[
    function("dateTimeAdd", 2, 3, |arguments| {
        let base = parse(text(&arguments[0])?)?;
        let sum = base.checked_add(duration(text(&arguments[1])?)?).ok_or("there is no such date")?;
        Ok(print(sum, arguments.get(2).map_or(Ok(SORTABLE), text)?)?.into())
    }),
    function("dateTimeFromEpoch", 1, 1, |arguments| {
        let seconds = whole(&arguments[0])?;
        let moment = OffsetDateTime::from_unix_timestamp(seconds).map_err(|_| format!("{seconds} is out of range"))?;
        Ok(print(moment, SORTABLE)?.into())
    }),
    function("dateTimeToEpoch", 1, 1, |arguments| Ok(parse(text(&arguments[0])?)?.unix_timestamp().into())),
];

/// `utcNow`
pub(crate) fn now_text(now: OffsetDateTime, format: Option<&Value>) -> Result<String, String> {
    print(now, format.map_or(Ok(NOW), text)?)
}

/// A date and time of ISO 8601; a blank may stand for the `T`, and `Z` for no zone.
pub(crate) fn parse(text: &str) -> Result<OffsetDateTime, String> {
    let normal = text.trim().replacen(' ', "T", 1);
    // The format that utcNow has by itself.
    let normal = match normal.as_bytes() {
        [date @ .., b'T', h1, h2, m1, m2, s1, s2, b'Z'] if date.len() == 8 && normal.is_ascii() => {
            let date = String::from_utf8_lossy(date);
            let time = [*h1, *h2, b':', *m1, *m2, b':', *s1, *s2];
            format!("{}-{}-{}T{}Z", &date[..4], &date[4..6], &date[6..], String::from_utf8_lossy(&time))
        }
        _ => normal,
    };
    [normal.clone(), format!("{normal}Z"), format!("{normal}T00:00:00Z")]
        .iter()
        .find_map(|text| OffsetDateTime::parse(text, &Rfc3339).ok())
        .map(|moment| moment.to_offset(UtcOffset::UTC))
        .ok_or_else(|| format!("'{text}' is not a date and time of ISO 8601"))
}

/// A duration of ISO 8601. A year is 365 days and a month 30.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a duration of ISO 8601");
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let rest = rest.strip_prefix('P').filter(|rest| !rest.is_empty()).ok_or_else(wrong)?;
    let mut sum = Duration::ZERO;
    let mut number = String::new();
    let mut in_time = false;
    for letter in rest.chars() {
        let seconds_each = match (letter, in_time) {
            ('T', false) if number.is_empty() => {
                in_time = true;
                continue;
            }
            (letter, _) if letter.is_ascii_digit() => {
                number.push(letter);
                continue;
            }
            ('Y', false) => 365 * 86_400,
            ('M', false) => 30 * 86_400,
            ('W', false) => 7 * 86_400,
            ('D', false) => 86_400,
            ('H', true) => 3600,
            ('M', true) => 60,
            ('S', true) => 1,
            _ => return Err(wrong()),
        };
        let many: i32 = number.parse().map_err(|_| wrong())?;
        number.clear();
        sum = Duration::seconds(seconds_each)
            .checked_mul(many * sign)
            .and_then(|part| sum.checked_add(part))
            .ok_or_else(wrong)?;
    }
    if number.is_empty() { Ok(sum) } else { Err(wrong()) }
}

/// A moment in a format of .NET: a standard one of one letter, or a custom one. Source: learn.microsoft.com, "Custom date and time
/// format strings".
fn print(moment: OffsetDateTime, format: &str) -> Result<String, String> {
    let format = match format {
        "d" => "MM/dd/yyyy",
        "D" => "dddd, dd MMMM yyyy",
        "s" => "yyyy-MM-ddTHH:mm:ss",
        "u" => "yyyy-MM-dd HH:mm:ssZ",
        "o" | "O" => "yyyy-MM-ddTHH:mm:ss.fffffffZ",
        "t" => "HH:mm",
        "T" => "HH:mm:ss",
        "g" => "MM/dd/yyyy HH:mm",
        "G" => "MM/dd/yyyy HH:mm:ss",
        one if one.chars().count() == 1 => {
            return Err(format!("the local cloud does not know the date format '{one}'"));
        }
        custom => custom,
    };
    let letters: Vec<char> = format.chars().collect();
    let mut result = String::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let length = letters[at..].iter().take_while(|other| **other == letter).count();
        if matches!(letter, '\'' | '"') {
            let rest = &letters[at + 1..];
            let end =
                rest.iter().position(|other| *other == letter).ok_or("a quotation in the date format never ends")?;
            result.extend(&rest[..end]);
            at += end + 2;
            continue;
        }
        result.push_str(&print_part(moment, letter, length));
        at += length;
    }
    Ok(result)
}

fn print_part(moment: OffsetDateTime, letter: char, length: usize) -> String {
    let number = |number: u32| format!("{number:0length$}");
    let hour = u32::from(moment.hour());
    match (letter, length) {
        ('y', 1 | 2) => number(moment.year().unsigned_abs() % 100),
        ('y', _) => number(moment.year().unsigned_abs()),
        ('M', 1 | 2) => number(u32::from(u8::from(moment.month()))),
        ('M', 3) => moment.month().to_string().chars().take(3).collect(),
        ('M', _) => moment.month().to_string(),
        ('d', 1 | 2) => number(u32::from(moment.day())),
        ('d', 3) => moment.weekday().to_string().chars().take(3).collect(),
        ('d', _) => moment.weekday().to_string(),
        ('H', _) => number(hour),
        ('h', _) => number((hour + 11) % 12 + 1),
        ('m', _) => number(u32::from(moment.minute())),
        ('s', _) => number(u32::from(moment.second())),
        ('f', _) => format!("{:09}", moment.nanosecond()).chars().take(length).collect(),
        ('t', 1) => if hour < 12 { "A" } else { "P" }.to_owned(),
        ('t', _) => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        ('z', _) => "+00:00".to_owned(),
        (other, _) => other.to_string().repeat(length),
    }
}
