//! What comes back from a server, as far as no request has to be known for it.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use url::Url;

/// An answer with a status that is no error.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Value>,
}

/// Why a body cannot be had.
pub(super) enum BodyError {
    Lost(reqwest::Error),
    NotJson(String),
}

/// The body of an answer; none when it is empty.
pub(super) async fn read_body(response: Response) -> Result<Option<Value>, BodyError> {
    let content_type = header(response.headers(), "content-type").unwrap_or("no content type").to_owned();
    let bytes = response.bytes().await.map_err(BodyError::Lost)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|_| BodyError::NotJson(format!("{content_type} instead of JSON")))
}

/// How long Azure asks to wait. `x-ms-retry-after-ms` and `retry-after-ms` are what the Azure SDKs read as well.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    for name in ["x-ms-retry-after-ms", "retry-after-ms"] {
        if let Some(milliseconds) = header(headers, name).and_then(|text| text.trim().parse().ok()) {
            return Some(Duration::from_millis(milliseconds));
        }
    }
    let seconds: u64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
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

/// What a refusal of a token asks for in addition (Microsoft identity platform, "Claims challenges"): base64 text.
pub(super) fn claims_of(challenge: &str) -> Option<String> {
    let (_, rest) = challenge.split_once("claims=\"")?;
    let (claims, _) = rest.split_once('"')?;
    let is_base64 = |character: char| character.is_ascii_alphanumeric() || "+/=-_".contains(character);
    (!claims.is_empty() && claims.chars().all(is_base64)).then(|| claims.to_owned())
}
