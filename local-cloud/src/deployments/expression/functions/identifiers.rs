//! Functions that make names, URLs and encodings. Source: learn.microsoft.com, "String functions for ARM templates".

use super::super::values::{items, printed, text};
use super::objects::parse_json;
use super::{ANY, Function, function};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;
use url::Url;
use uuid::Uuid;

/// The namespace of `guid`, which makes a version 5 UUID (RFC 4122) of its arguments, joined by hyphens.
const GUIDS: Uuid = Uuid::from_u128(0x11fb06fb_712d_4ddd_98c7_e71bbd588830);
/// The namespace of `uniqueString` of the local cloud: Azure's own hash is not published.
const UNIQUE_TEXTS: Uuid = Uuid::from_u128(0x10ca1c10_0d00_4000_8000_000000000013);
/// The letters of `uniqueString`.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
/// What `uriComponent` leaves as it is, RFC 3986.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

pub(super) static FUNCTIONS: &[Function] = &[
    function("guid", 1, ANY, |arguments| Ok(Uuid::new_v5(&GUIDS, joined(arguments)?.as_bytes()).to_string().into())),
    function("uniqueString", 1, ANY, |arguments| Ok(unique_text(&joined(arguments)?).into())),
    function("base64", 1, 1, |arguments| Ok(STANDARD.encode(text(&arguments[0])?).into())),
    function("base64ToString", 1, 1, |arguments| Ok(decoded(text(&arguments[0])?)?.into())),
    function("base64ToJson", 1, 1, |arguments| parse_json(&decoded(text(&arguments[0])?)?)),
    function("dataUri", 1, 1, |arguments| {
        Ok(format!("data:text/plain;charset=utf8;base64,{}", STANDARD.encode(printed(&arguments[0]))).into())
    }),
    function("dataUriToString", 1, 1, |arguments| {
        let text = text(&arguments[0])?;
        match text.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
            Some((kind, data)) if kind.ends_with(";base64") => Ok(decoded(data)?.into()),
            Some((_, data)) => unescaped(data),
            None => Err(format!("'{text}' is not a data URI")),
        }
    }),
    function("uri", 2, 2, uri),
    function("uriComponent", 1, 1, |arguments| Ok(utf8_percent_encode(text(&arguments[0])?, KEPT).to_string().into())),
    function("uriComponentToString", 1, 1, |arguments| unescaped(text(&arguments[0])?)),
];

fn joined(arguments: &[Value]) -> Result<String, String> {
    Ok(arguments.iter().map(text).collect::<Result<Vec<_>, _>>()?.join("-"))
}

fn unique_text(text: &str) -> String {
    let (mut bits, _) = Uuid::new_v5(&UNIQUE_TEXTS, text.as_bytes()).as_u64_pair();
    let mut letters = String::new();
    for _ in 0..13 {
        letters.push(char::from(LETTERS[usize::try_from(bits & 31).unwrap_or(0)]));
        bits >>= 5;
    }
    letters
}

fn decoded(text: &str) -> Result<String, String> {
    let bytes = STANDARD.decode(text).map_err(|error| format!("the text is not base64: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "what is decoded is not a text".to_owned())
}

fn unescaped(text: &str) -> Result<Value, String> {
    percent_decode_str(text)
        .decode_utf8()
        .map(|text| text.into_owned().into())
        .map_err(|_| "what is decoded is not a text".to_owned())
}

/// The base with the last part of its path replaced.
fn uri(arguments: &[Value]) -> Result<Value, String> {
    let (base, relative) = (text(&arguments[0])?, text(&arguments[1])?);
    let url = Url::parse(base).and_then(|base| base.join(relative));
    url.map(|url| url.to_string().into()).map_err(|error| format!("'{base}' and '{relative}' make no URI: {error}"))
}

/// The items of a list or the arguments themselves, where a function takes both.
pub(super) fn listed(arguments: &[Value]) -> Result<&[Value], String> {
    match arguments {
        [list @ Value::Array(_)] => items(list),
        several => Ok(several),
    }
}
