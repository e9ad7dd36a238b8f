//! The forms of secrets, which are known by their name, by their form, or because nobody would write them.

use std::borrow::Cow;

use serde_json::Value;
use url::Url;

use super::redact::REDACTED;

/// The mark of a web address.
const ADDRESS: &str = "://";
/// Values that are words of messages, whatever the setting is called.
const ORDINARY: &[&str] = &[
    "enabled",
    "disabled",
    "default",
    "required",
    "optional",
    "production",
    "development",
    "integration",
    "staging",
    "managedidentity",
    "@microsoft.keyvault",
];
/// So many letters and digits in a row are no word and no name, where they are of both cases.
const RANDOM_IN_TWO_CASES: usize = 16;
/// So many are no name in any case: the longest that is made of letters and digits only is that of a storage account, 24.
const RANDOM: usize = 32;

/// Whether the value of something with this name is a secret: of a member, an app setting, a parameter of a URL, a part of a connection
/// string.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "key",
        "keys",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "pwd",
        "token",
        "tokens",
        "signature",
        "credential",
        "credentials",
        "connectionstring",
        "connectionstrings",
    ];
    const LAST_WORDS: &[&str] = &["pass", "sas", "sig"];
    // Of several the later ones have a number.
    let name = name.trim_end_matches(|character: char| !character.is_alphabetic());
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let last = name.rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    ENDS.iter().any(|end| letters.ends_with(end)) || LAST_WORDS.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Whether a text is a connection string, or a URL, with a secret in it.
fn has_secret_parts(text: &str) -> bool {
    secret_parts(text).next().is_some() || Url::parse(text).is_ok_and(|url| url.password().is_some())
}

/// The secrets in a connection string, or in the query of a URL, where functions call theirs `code`.
pub(super) fn secret_parts(text: &str) -> impl Iterator<Item = &str> {
    let pairs = text.split([';', '?', '&']).filter_map(|pair| pair.split_once('='));
    pairs.filter(|(name, value)| !value.is_empty() && (*name == "code" || is_secret_name(name))).map(|(_, value)| value)
}

/// Whether a member of a map whose names are the user's own is a secret, by its name or by its own form: an app setting, a custom property
/// of an alert.
#[must_use]
pub fn is_secret_member(name: &str, text: &str) -> bool {
    let start = text.split('(').next().unwrap_or_default();
    if ORDINARY.iter().any(|word| word.eq_ignore_ascii_case(start)) {
        return false;
    }
    is_secret_name(name) || has_secret_parts(text) || runs(text).any(is_random) || json_of(text).is_some_and(has_secret)
}

/// The JSON object or list that a text is; none for any other text.
fn json_of(text: &str) -> Option<Value> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    is_json.then(|| serde_json::from_str(text).ok()).flatten()
}

/// Whether a value has a secret member, by its name or its form.
fn has_secret(value: Value) -> bool {
    match value {
        Value::Array(items) => items.into_iter().any(has_secret),
        Value::Object(members) => members.into_iter().any(|(name, member)| match member {
            Value::String(text) => is_secret_member(&name, &text),
            other => has_secret(other),
        }),
        Value::String(text) => is_secret_member("", &text),
        _ => false,
    }
}

/// The web addresses in a text that have a secret in them: a signature, a key, a password.
pub fn secret_urls(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(ADDRESS).filter_map(move |(at, _)| {
        let is_scheme = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
        let start = text[..at]
            .rfind(|character| !is_scheme(character))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        let is_end = |character: char| character.is_whitespace() || "'\"`<>".contains(character);
        let end = text[at..].find(is_end).map_or(text.len(), |length| at + length);
        let url = &text[start..end];
        (Url::parse(url).is_ok() && has_secret_parts(url)).then_some(url)
    })
}

/// The text in the place of a secret: of a web address, where it leads.
#[must_use]
pub fn shown_of_secret(secret: &str) -> String {
    let address = Url::parse(secret).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    address.map_or_else(|| REDACTED.to_owned(), |url| format!("{}/{REDACTED}", url.origin().ascii_serialization()))
}

/// A text without the secrets of the web addresses in it.
#[must_use]
pub fn without_secret_urls(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    // Most texts have none.
    if text.contains(ADDRESS) {
        for url in secret_urls(text) {
            shown = Cow::Owned(shown.replace(url, &shown_of_secret(url)));
        }
    }
    shown
}

/// A text of a document without what is secret in it, by its form, or by the name of the member that has it; none where nothing is.
#[must_use]
pub fn without_secrets(name: &str, text: &str) -> Option<String> {
    if let Some(json) = json_of(text) {
        return has_secret(json.clone()).then(|| hidden(json).to_string());
    }
    let shown = without_secret_urls(text);
    // Sentences and queries have `key = value` in them.
    let is_one_word = !shown.contains(char::is_whitespace);
    let is_secret = is_secret_name(name) || is_one_word && secret_kind(&shown).is_some();
    (is_secret || shown != text).then(|| if is_secret { shown_of_secret(text) } else { shown.into_owned() })
}

fn hidden(value: Value) -> Value {
    let member = |name: &str, value: Value| match value {
        Value::String(text) if is_secret_member(name, &text) => shown_of_secret(&text).into(),
        other => hidden(other),
    };
    match value {
        Value::Array(items) => items.into_iter().map(|item| member("", item)).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name.clone(), member(&name, value))).collect()
        }
        other => other,
    }
}

/// The kind of secret that a text looks like, in a place that has none; nothing for any other text. Names of people's own making are none,
/// however long.
#[must_use]
pub fn secret_kind(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN ") {
        return Some("a key or a certificate");
    }
    if text.starts_with("eyJ") && text.matches('.').count() >= 2 {
        return Some("a token");
    }
    if has_secret_parts(text) {
        return Some(if Url::parse(text).is_ok_and(|url| url.has_host()) {
            "a URL with a secret in it"
        } else {
            "a text with a secret in it"
        });
    }
    runs(text).any(|run| is_random(run) && is_mixed(run)).then_some("what looks like a key")
}

/// The letters and digits of a text, as far as nothing is between them.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_alphanumeric())
}

/// Whether letters and digits are in no order that anybody would give them.
fn is_random(run: &str) -> bool {
    let has = |kind: fn(&char) -> bool| run.chars().any(|character| kind(&character));
    let (upper, lower) = (has(char::is_ascii_uppercase), has(char::is_ascii_lowercase));
    let digits = has(char::is_ascii_digit);
    digits && (run.len() >= RANDOM_IN_TWO_CASES && upper && lower || run.len() >= RANDOM && (upper || lower))
}

/// Whether capitals, small letters and digits follow each other as they do by chance: words have more of a kind in a row, and names
/// their digits in one place.
fn is_mixed(run: &str) -> bool {
    let kind = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes = run.as_bytes().windows(2).filter(|pair| kind(&pair[0]) != kind(&pair[1])).count();
    let numbers = run.split(|character: char| !character.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    numbers > 1 && changes * 10 >= run.len() * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "AccountKey",
            "STORAGE_KEY_2",
            "Smtp:Password",
            "DB_PASS",
            "sig",
            "APPLICATIONINSIGHTS_CONNECTION_STRING",
            "keys",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in
            ["KEY_VAULT_NAME", "Network__Bypass", "sigma", "AccountName", "SharedAccessKeyName", "COUNTRY_CODE", ""]
        {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn a_document_has_none_of_its_secrets_left() {
        for (name, text, shown) in [
            ("apiToken", "hunter2", Some("***")),
            ("emailSubject", "Look", None),
            ("query", "T | where Key == 'x' and b = 1", None),
            (
                "query",
                "externaldata(a:string) [@'https://st.example/a?sv=1&sig=b' ]",
                Some("externaldata(a:string) [@'https://st.example/***' ]"),
            ),
            ("payload", r#"{"a":{"password":"p"},"b":["x",1]}"#, Some(r#"{"a":{"password":"***"},"b":["x",1]}"#)),
            ("payload", r#"{"a":"b"}"#, None),
            ("note", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", Some("***")),
            ("link", "https://user:hunter2@hooks.example/x", Some("https://hooks.example/***")),
        ] {
            assert_eq!(without_secrets(name, text).as_deref(), shown, "{name}: {text}");
        }
        let urls: Vec<&str> = secret_urls("é https://a.example/?sig=x, <https://b.example/?q=x> ftp://u:p@c").collect();
        assert_eq!(urls, ["https://a.example/?sig=x,", "ftp://u:p@c"]);
    }

    #[test]
    fn what_looks_like_a_secret_is_told_from_long_names() {
        for secret in [
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "AccountName=st;AccountKey=Zm9vYmFy",
            "https://hooks.example/run?sig=ab",
            "d41d8cd98f00b204e9800998ecf8427e",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            assert!(secret_kind(secret).is_some(), "{secret}");
        }
        for name in [
            "MyStorageAccountForOrders2024",
            "rg-shop-iaas-99b8167f",
            "10ca1c10-0d00-4000-8000-000000000001",
            "/subscriptions/1/resourceGroups/ServicesOfTheShop01/providers/Microsoft.Web/sites/app",
            "https://search.example/find?q=shop",
            "Standard",
            "",
        ] {
            assert_eq!(secret_kind(name), None, "{name}");
        }
    }
}
