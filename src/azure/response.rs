//! The answers of a server, as far as no request has to be known for it.

use std::time::Duration;

use azure_core::time::{OffsetDateTime, parse_rfc7231};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use url::Url;

use crate::protocol::cut;

/// The largest answer of Resource Manager that is read, unpacked.
const LARGEST_ANSWER: usize = 64 << 20;
/// More of a content type is not repeated, in characters.
const LONGEST_CONTENT_TYPE: usize = 100;
/// The largest answer that is read of who gives tokens, describes a cloud or lists secrets, unpacked.
pub const LARGEST_SMALL_ANSWER: usize = 1 << 20;

/// An answer with a status that is no error.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Value>,
    /// The number of bytes of the body.
    pub(super) size: usize,
}

impl Answer {
    /// The answer if nothing had to be done: the resource as it is.
    pub(super) fn found(resource: Option<Value>) -> Answer {
        Answer { status: StatusCode::OK, headers: HeaderMap::new(), body: resource, size: 0 }
    }
}

/// Why the bytes of an answer cannot be had.
#[derive(Debug)]
pub enum BytesError {
    /// The connection was lost.
    Lost(reqwest::Error),
    /// There are more than are read.
    TooMany,
}

/// Why a body cannot be had.
pub(super) enum BodyError {
    Lost(reqwest::Error),
    NotJson(String),
}

/// The body of an answer with its size; none when it is empty.
pub(super) async fn read_body(response: Response) -> Result<(Option<Value>, usize), BodyError> {
    let content_type = header(response.headers(), "content-type").unwrap_or("no content type").to_owned();
    let bytes = read_bytes(response, LARGEST_ANSWER).await.map_err(|error| match error {
        BytesError::Lost(error) => BodyError::Lost(error),
        BytesError::TooMany => BodyError::NotJson(too_large(LARGEST_ANSWER)),
    })?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok((None, 0));
    }
    match serde_json::from_slice(&bytes) {
        Ok(body) => Ok((Some(body), bytes.len())),
        Err(error) => Err(BodyError::NotJson(instead_of_json(&content_type, &error))),
    }
}

/// The problem of a body that is not JSON: that it is something else, or where it is broken.
fn instead_of_json(content_type: &str, error: &serde_json::Error) -> String {
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media_type == "text/json" || media_type == "application/json" || media_type.ends_with("+json") {
        return format!("broken JSON: {error}");
    }
    format!("{} instead of JSON", cut(content_type, LONGEST_CONTENT_TYPE))
}

/// The bytes of an answer, as long as there are not more than so many. They are counted unpacked and while they come: what a
/// server promises, or packs, says nothing of what it sends.
///
/// # Errors
/// [`BytesError`].
pub async fn read_bytes(mut response: Response, most: usize) -> Result<Vec<u8>, BytesError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BytesError::Lost)? {
        if bytes.len() + chunk.len() > most {
            return Err(BytesError::TooMany);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The problem of an answer of more bytes than are read.
pub(super) fn too_large(most: usize) -> String {
    format!("an answer of more than {} MiB", most >> 20)
}

/// The time that Azure asks to wait. `x-ms-retry-after-ms` and `retry-after-ms` are what the Azure SDKs read as well. What is no
/// number, or a number that no clock has, is not asked at all.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| header(headers, name)?.trim().parse::<f64>().ok().filter(|number| *number >= 0.0);
    for name in ["x-ms-retry-after-ms", "retry-after-ms"] {
        if let Some(milliseconds) = number(name) {
            return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
        }
    }
    if let Some(seconds) = number(RETRY_AFTER.as_str()) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let moment = parse_rfc7231(header(headers, RETRY_AFTER.as_str())?.trim()).ok()?;
    // One that is over is a wait of no length.
    Some((moment - OffsetDateTime::now_utc()).try_into().unwrap_or_default())
}

/// A header, where it is text.
pub(super) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The host of a URL, with its port where it has one of its own.
pub(super) fn host_of(url: &Url) -> String {
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => "the endpoint".to_owned(),
    }
}

/// The innermost reason of a connection error; the outer ones only repeat the URL.
pub(super) fn innermost(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

/// The claims that a refusal of a token asks for in addition (Microsoft identity platform, "Claims challenges"): base64 text.
pub(super) fn claims_of(challenge: &str) -> Option<String> {
    let (_, rest) = challenge.split_once("claims=\"")?;
    let (claims, _) = rest.split_once('"')?;
    let is_base64 = |character: char| character.is_ascii_alphanumeric() || "+/=-_".contains(character);
    (!claims.is_empty() && claims.chars().all(is_base64)).then(|| claims.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(name: &'static str, text: &str) -> Option<Duration> {
        retry_after(&HeaderMap::from_iter([(name.parse().unwrap(), text.parse().unwrap())]))
    }

    #[test]
    fn what_azure_asks_to_wait_is_read_in_every_form_and_never_panics() {
        assert_eq!(wait("retry-after", " 15 "), Some(Duration::from_secs(15)));
        assert_eq!(wait("retry-after", "1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(wait("x-ms-retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(wait("retry-after", "0"), Some(Duration::ZERO));
        assert_eq!(wait("retry-after", "Fri, 01 Jan 2021 00:00:00 GMT"), Some(Duration::ZERO));
        let future = wait("retry-after", "Fri, 01 Jan 2199 00:00:00 GMT").unwrap();
        assert!(future > Duration::from_secs(86_400 * 365 * 100), "{future:?}");
        for text in ["-5", "-1e300", "1e300", "inf", "NaN", "", "soon", "Fri, 32 Jan 2021 00:00:00 GMT"] {
            assert_eq!(wait("retry-after", text), None, "{text}");
            assert_eq!(wait("x-ms-retry-after-ms", text), None, "{text}");
        }
        assert!(wait("retry-after", "18446744073709551615").is_none_or(|wait| wait > Duration::from_secs(1)));
    }
}
