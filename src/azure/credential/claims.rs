//! The claims of an access token about its owner. Tokens are for the service they were asked for; their claims are read only to tell people
//! who they are.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use serde_json::Value;

/// Longer values than this are not what people know themselves by.
const LONGEST: usize = 256;

/// Whose token it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// The name that the owner signs in with, or the id of the application. None where the token says neither.
    pub(super) owner: Option<String>,
    /// GUID of the tenant that issued it.
    pub(super) tenant_id: Option<String>,
}

/// The claims of a token; empty where it is not one that can be read.
///
/// Source: Microsoft identity platform, "Access token claims reference".
pub(super) fn claims_of(token: &str) -> Claims {
    let payload =
        token.split('.').nth(1).and_then(|part| BASE64_URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok());
    let payload: Value = payload.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let text = |name: &str| {
        let text = payload.get(name)?.as_str()?.trim();
        let is_plain = !text.is_empty() && text.len() <= LONGEST && !text.chars().any(char::is_control);
        is_plain.then(|| text.to_owned())
    };
    let user = ["upn", "preferred_username", "unique_name", "email"].into_iter().find_map(text);
    let application = || ["appid", "azp"].into_iter().find_map(text).map(|id| format!("application {id}"));
    let owner = user.or_else(application).or_else(|| text("oid").map(|id| format!("object {id}")));
    Claims { owner, tenant_id: text("tid") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(payload: &Value) -> String {
        format!("e30.{}.signature", BASE64_URL_SAFE_NO_PAD.encode(payload.to_string()))
    }

    #[test]
    fn a_token_says_whose_it_is() {
        let owner = |payload: Value| claims_of(&token(&payload)).owner;
        assert_eq!(
            owner(json!({"upn": "me@example.com", "appid": "a", "oid": "o"})).as_deref(),
            Some("me@example.com")
        );
        assert_eq!(owner(json!({"unique_name": "me@example.com"})).as_deref(), Some("me@example.com"));
        assert_eq!(owner(json!({"appid": "a", "oid": "o"})).as_deref(), Some("application a"));
        assert_eq!(owner(json!({"oid": "o"})).as_deref(), Some("object o"));
        assert_eq!(owner(json!({"upn": "two\nlines", "oid": "o"})).as_deref(), Some("object o"));
        assert_eq!(owner(json!({"upn": "x".repeat(300)})), None);
        assert_eq!(claims_of(&token(&json!({"tid": "t"}))).tenant_id.as_deref(), Some("t"));
    }

    #[test]
    fn what_is_not_a_token_of_entra_says_nothing() {
        for text in ["", "opaque", "a.b.c", "e30.e30", "e30.W10.x", "..."] {
            assert_eq!(claims_of(text), Claims::default(), "{text}");
        }
    }
}
