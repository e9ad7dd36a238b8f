//! What looks like a secret: by its name, by its form, or because nobody would write it.

use url::Url;

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
    is_secret_name(name) || has_secret_parts(text) || runs(text).any(is_random)
}

/// Whether a text is a web address with a secret in it.
#[must_use]
pub fn is_secret_url(text: &str) -> bool {
    text.contains("://") && Url::parse(text).is_ok() && has_secret_parts(text)
}

/// What a text looks like that is a secret in a place that has none; nothing for any other text. Names of people's own making are none,
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
