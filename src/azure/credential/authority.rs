//! The connection to the authority.

use azure_core::error::ErrorKind;
use azure_core::http::{AsyncRawResponse, HttpClient, Request};
use serde_json::Value;

/// Sends the requests of azure_identity and makes refusals readable for it: it reads descriptions without unescaping them, so
/// one with a line break or a quotation mark in it would come out as an answer that is none.
#[derive(Debug)]
pub(super) struct Authority(pub(super) reqwest::Client);

#[async_trait::async_trait]
impl HttpClient for Authority {
    async fn execute_request(&self, request: &Request) -> azure_core::Result<AsyncRawResponse> {
        let response = self.0.execute_request(request).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers, body) = response.deconstruct();
        let body = body.collect().await?;
        let Ok(mut error) = serde_json::from_slice::<Value>(&body) else {
            return Ok(AsyncRawResponse::from_bytes(status, headers, body));
        };
        if let Some(Value::String(description)) = error.get_mut("error_description") {
            *description = description.replace(char::is_control, " ").replace('"', "'").replace('\\', "/");
        }
        let plain = serde_json::to_vec(&error).map_err(|error| azure_core::Error::new(ErrorKind::Other, error))?;
        Ok(AsyncRawResponse::from_bytes(status, headers, plain))
    }
}
