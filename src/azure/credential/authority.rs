//! The connection to the authority.

use azure_core::error::ErrorKind;
use azure_core::http::headers::{HeaderName, Headers};
use azure_core::http::{AsyncRawResponse, HttpClient, Request};
use futures::StreamExt;
use serde_json::{Value, json};
use thiserror::Error;

use super::LONGEST_LIFE;
use crate::azure::response::{LARGEST_SMALL_ANSWER, too_large};

/// The longest that the authority may ask to wait before the next try, in seconds.
const LONGEST_WAIT: u64 = 60;
/// The headers by which it asks.
const WAITS: [&str; 3] = ["retry-after", "retry-after-ms", "x-ms-retry-after-ms"];

/// An answer of the authority that is not read.
#[derive(Debug, Error)]
#[error("the authority sent {}", too_large(LARGEST_SMALL_ANSWER))]
pub(super) struct TooLarge;

/// Sends the requests of azure_identity and makes the answers safe and readable for it: it reads them whatever their size, adds
/// the life of a token to a clock that ends, waits as long as it is asked to, and reads descriptions without unescaping them, so
/// that one with a line break or a quotation mark in it would come out as an answer that is none.
#[derive(Debug)]
pub(super) struct Authority(pub(super) reqwest::Client);

#[async_trait::async_trait]
impl HttpClient for Authority {
    async fn execute_request(&self, request: &Request) -> azure_core::Result<AsyncRawResponse> {
        let response = self.0.execute_request(request).await?;
        let (status, mut headers, mut stream) = response.deconstruct();
        limit_waits(&mut headers);
        let mut body = Vec::new();
        while let Some(chunk) = stream.next().await {
            let chunk = chunk?;
            if body.len() + chunk.len() > LARGEST_SMALL_ANSWER {
                return Err(azure_core::Error::new(ErrorKind::Credential, TooLarge));
            }
            body.extend_from_slice(&chunk);
        }
        let Ok(answer) = serde_json::from_slice::<Value>(&body) else {
            return Ok(AsyncRawResponse::from_bytes(status, headers, body));
        };
        let plain =
            serde_json::to_vec(&safe(answer)).map_err(|error| azure_core::Error::new(ErrorKind::Other, error))?;
        Ok(AsyncRawResponse::from_bytes(status, headers, plain))
    }
}

/// Nothing is waited for longer than a minute, and nothing that is no number.
fn limit_waits(headers: &mut Headers) {
    for name in WAITS.map(HeaderName::from_static) {
        let unit = if name.as_str().ends_with("-ms") { 1000 } else { 1 };
        match headers.get_optional_str(&name).map(|text| text.trim().parse::<u64>()) {
            Some(Ok(asked)) if asked / unit <= LONGEST_WAIT => {}
            Some(Ok(_)) => headers.insert(name, (LONGEST_WAIT * unit).to_string()),
            Some(Err(_)) => drop(headers.remove(name)),
            None => {}
        }
    }
}

/// An answer whose numbers fit on a clock, and whose description has nothing that would have to be escaped.
fn safe(mut answer: Value) -> Value {
    for name in ["expires_in", "ext_expires_in"] {
        if let Some(life) = answer.get_mut(name).filter(|life| life.is_number()) {
            let seconds = life.as_f64().unwrap_or_default().clamp(0.0, LONGEST_LIFE.as_secs_f64());
            *life = json!(seconds as i64);
        }
    }
    if let Some(Value::String(description)) = answer.get_mut("error_description") {
        *description = description.replace(char::is_control, " ").replace('"', "'").replace('\\', "/");
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_that_asks_to_wait_for_years_is_asked_again_in_a_minute() {
        for (name, asked, waited) in [
            ("retry-after", "5", Some("5")),
            ("retry-after", "99999999", Some("60")),
            ("retry-after-ms", "99999999", Some("60000")),
            ("x-ms-retry-after-ms", "18446744073709551615", Some("60000")),
            ("retry-after", "-1e300", None),
            ("retry-after", "Fri, 01 Jan 2199 00:00:00 GMT", None),
        ] {
            let mut headers = Headers::new();
            headers.insert(name, asked);
            limit_waits(&mut headers);
            assert_eq!(headers.get_optional_str(&HeaderName::from_static(name)), waited, "{name}: {asked}");
        }
    }

    #[test]
    fn lives_of_tokens_that_no_clock_has_are_cut() {
        let life = |text: &str| {
            let answer: Value = serde_json::from_str(&format!("{{\"expires_in\": {text}}}")).unwrap();
            safe(answer)["expires_in"].clone()
        };
        let longest = json!(LONGEST_LIFE.as_secs());
        for (text, expected) in [
            ("3600", json!(3600)),
            ("3600.5", json!(3600)),
            ("-5", json!(0)),
            ("-1e300", json!(0)),
            ("9223372036854775807", longest.clone()),
            ("1e300", longest),
            ("\"soon\"", json!("soon")),
        ] {
            assert_eq!(life(text), expected, "{text}");
        }
    }
}
