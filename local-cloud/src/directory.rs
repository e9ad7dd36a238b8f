//! The surroundings of Resource Manager: the description of the cloud, and a directory that signs anybody in.
//!
//! This is what the Azure CLI asks for before it makes its first request. Tokens are made up and never looked at.

use super::moment::Moment;
use super::query::Query;
use super::reply::{Answer, Refusal};
use super::{LOCAL_SUBSCRIPTION_ID, LOCAL_TENANT_ID};
use serde_json::{Value, json};
use std::time::Duration;

/// The time that a token says it is good for.
const TOKEN_LIFE: Duration = Duration::from_secs(3599);

/// Answers when the path is one of the directory's or of the cloud's description.
pub(super) fn answer(
    method: &str,
    path: &str,
    query: &Query,
    base: &str,
    now: Moment,
) -> Option<Result<Answer, Refusal>> {
    let segments: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    match (method, segments.as_slice()) {
        ("GET", ["metadata", "endpoints"]) => Some(query.api_version().map(|version| metadata(version, base))),
        ("GET", [tenant, ".well-known", "openid-configuration"])
        | ("GET", [tenant, "v2.0", ".well-known", "openid-configuration"]) => {
            Some(Ok(Answer::json(200, openid_configuration(tenant, base))))
        }
        ("POST", [_, "oauth2", "token"]) | ("POST", [_, "oauth2", "v2.0", "token"]) => {
            Some(Ok(Answer::json(200, token(base, now))))
        }
        _ => None,
    }
}

/// True for paths whose bodies carry secrets and are never logged.
pub(super) fn is_confidential(path: &str) -> bool {
    path.to_lowercase().contains("/oauth2/")
}

/// The addresses of this cloud.
fn environment(base: &str) -> Value {
    json!({
        "name": "SvcLocal",
        "portal": base,
        "authentication": {
            "loginEndpoint": base,
            "audiences": [base, format!("{base}/")],
            "tenant": "common",
            "identityProvider": "AAD",
        },
        "graphAudience": format!("{base}/"),
        "graph": format!("{base}/"),
        "resourceManager": format!("{base}/"),
        "gallery": format!("{base}/"),
        "batch": format!("{base}/"),
        "media": format!("{base}/"),
        "sqlManagement": format!("{base}/"),
        "suffixes": {
            "storage": "core.windows.net",
            "keyVaultDns": "vault.azure.net",
            "sqlServerHostname": "database.windows.net",
            "acrLoginServer": "azurecr.io",
        },
    })
}

/// One object since 2022-09-01, a list of one before.
fn metadata(api_version: &str, base: &str) -> Answer {
    let cloud = environment(base);
    Answer::json(200, if api_version >= "2022-09-01" { cloud } else { json!([cloud]) })
}

fn openid_configuration(tenant: &str, base: &str) -> Value {
    json!({
        "issuer": format!("{base}/{tenant}/v2.0"),
        "authorization_endpoint": format!("{base}/{tenant}/oauth2/v2.0/authorize"),
        "token_endpoint": format!("{base}/{tenant}/oauth2/v2.0/token"),
        "device_authorization_endpoint": format!("{base}/{tenant}/oauth2/v2.0/devicecode"),
        "jwks_uri": format!("{base}/{tenant}/discovery/v2.0/keys"),
        "response_types_supported": ["code", "id_token"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
    })
}

fn token(base: &str, now: Moment) -> Value {
    let expires = now.after(TOKEN_LIFE).unix_seconds();
    let claims = json!({
        "aud": base,
        "iss": format!("{base}/{LOCAL_TENANT_ID}/"),
        "iat": now.unix_seconds(),
        "nbf": now.unix_seconds(),
        "exp": expires,
        "tid": LOCAL_TENANT_ID,
        "oid": LOCAL_SUBSCRIPTION_ID,
        "sub": LOCAL_SUBSCRIPTION_ID,
        "upn": "local@localhost",
        "ver": "1.0",
    });
    let header = json!({"alg": "none", "typ": "JWT"});
    let access_token = format!("{}.{}.bG9jYWw", base64_url(&header.to_string()), base64_url(&claims.to_string()));
    json!({
        "token_type": "Bearer",
        "expires_in": TOKEN_LIFE.as_secs(),
        "ext_expires_in": TOKEN_LIFE.as_secs(),
        "expires_on": expires.to_string(),
        "access_token": access_token,
    })
}

/// `/tenants`.
pub(super) fn tenants() -> Answer {
    let tenant = json!({
        "id": format!("/tenants/{LOCAL_TENANT_ID}"),
        "tenantId": LOCAL_TENANT_ID,
        "displayName": "Local cloud",
        "tenantCategory": "Home",
        "countryCode": "GB",
        "domains": ["localhost"],
        "defaultDomain": "localhost",
    });
    Answer::json(200, json!({"value": [tenant]}))
}

/// Base64 in the alphabet of tokens, without padding.
fn base64_url(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            let index = bits >> (18 - 6 * place) & 0x3f;
            encoded.push(char::from(LETTERS[index as usize]));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_as_rfc_4648_says() {
        for (text, expected) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("ü>?", "w7w-Pw")]
        {
            assert_eq!(base64_url(text), expected, "{text}");
        }
    }

    #[test]
    fn the_description_is_a_list_for_old_clients_only() {
        let body = |query: &str| {
            let query = Query::parse(query);
            answer("GET", "/metadata/endpoints", &query, "http://h", Moment::now()).unwrap().unwrap().body.unwrap()
        };
        assert!(body("api-version=2022-09-01").is_object());
        assert!(body("api-version=2019-05-01").is_array());
    }
}
