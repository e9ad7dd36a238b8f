//! Lines of a document as they may be shown to people: without the values of secret settings.

use crate::protocol::is_secret_name;

/// The mark of a web address. One may carry a key, and in the wrong place it is no less a secret, so none is shown.
pub(super) const ADDRESS: &str = "://";

/// The settings whose values are shown nowhere, whether or not they look like addresses.
const SECRET_SETTINGS: &[&str] = &["callbackUrl", "httpTriggerUrl", "serviceUri"];

/// Whether the value of a setting is shown nowhere, whatever it looks like.
#[must_use]
pub fn is_secret_setting(key: &str) -> bool {
    SECRET_SETTINGS.iter().any(|secret| secret.eq_ignore_ascii_case(key))
}

/// A line with `*` in the place of every character of a secret; every other character stays where it is. `path` is that of a setting
/// in the line: where its own value is the secret, the line has nothing else in it that tells so, and is hidden as a whole.
#[must_use]
pub fn hide_secrets(line: &str, path: &str) -> String {
    if let Some(end) = end_of_secret_key(line) {
        let (shown, hidden) = line.split_at(end);
        return format!("{shown}{}", stars(hidden));
    }
    let last_key = path.rsplit('.').next().unwrap_or_default();
    let last_key = last_key.split('[').next().unwrap_or_default();
    if is_secret_setting(last_key) {
        return stars(line);
    }
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(ADDRESS) {
        shown.push_str(before);
        shown.push_str(ADDRESS);
        let length = after.find(|character: char| character.is_whitespace() || "'\"`<>".contains(character));
        let (address, behind) = after.split_at(length.unwrap_or(after.len()));
        shown.push_str(&stars(address));
        rest = behind;
    }
    hide_names(shown + rest)
}

/// A line without the values of what its name makes a secret: `apiKey: …`, `"token": "…"`, `AccountKey=…`.
fn hide_names(line: String) -> String {
    let is_of_name = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    let (mut shown, mut rest) = (String::with_capacity(line.len()), line.as_str());
    while let Some(at) = rest.find([':', '=']) {
        let (before, after) = rest.split_at(at + 1);
        shown.push_str(before);
        let name = before[..at].trim_end_matches(['\'', '"', '\\', ' ']);
        let before_name = name.char_indices().rev().find(|(_, character)| !is_of_name(*character));
        let start = before_name.map_or(0, |(at, character)| at + character.len_utf8());
        rest = after;
        if is_secret_name(&name[start..]) {
            let value = after.trim_start_matches([' ', '\'', '"', '\\']);
            let length = value.find(|character| "'\",;&}\\".contains(character)).unwrap_or(value.len());
            let (value, behind) = value.split_at(length);
            shown.push_str(&after[..after.len() - value.len() - behind.len()]);
            shown.push_str(&stars(value));
            rest = behind;
        }
    }
    shown + rest
}

/// The place at which the first secret setting of a line has its value: behind the colon of its key, which may be quoted.
fn end_of_secret_key(line: &str) -> Option<usize> {
    let lower = line.to_ascii_lowercase();
    let ends = SECRET_SETTINGS.iter().filter_map(|secret| {
        let secret = secret.to_ascii_lowercase();
        lower.match_indices(&secret).find_map(|(start, _)| {
            let behind = &line[start + secret.len()..];
            let colon = behind.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?;
            Some(line.len() - colon.len())
        })
    });
    ends.min()
}

fn stars(hidden: &str) -> String {
    hidden.chars().map(|character| if character.is_whitespace() { character } else { '*' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_settings_are_hidden() {
        for (line, path, shown) in [
            ("  name: ops # fine", "actionGroups[0].name", "  name: ops # fine"),
            ("    serviceUri: abc?code=k", "", "    serviceUri: **********"),
            ("{\"name\": \"ops\", \"CALLBACKURL\": \"k\"}", "x.name", "{\"name\": \"ops\", \"CALLBACKURL\": ****"),
            ("    - k3y", "webhooks[0].serviceUri", "    * ***"),
            ("      abc", "functions[1].httpTriggerUrl", "      ***"),
            ("page: https://a.example/?sig=k 'x'", "page", "page: https://**************** 'x'"),
            ("a: {b: \"http://u:p@h\", c: ftp://é}", "c", "a: {b: \"http://*****\", c: ftp://**"),
            ("serviceUriOld: x", "", "serviceUriOld: x"),
            ("  apiKey: hunter2 # é", "", "  apiKey: ******* * *"),
            ("{'apiKey': 'hunter2', 'team': 'shop'}", "", "{'apiKey': '*******', 'team': 'shop'}"),
            (r#"p: "{\"token\": \"hunter2\", \"a\": 1}""#, "", r#"p: "{\"token\": \"*******\", \"a\": 1}""#),
            ("x: Server=s;Password=hunter2;Encrypt=on", "x", "x: Server=s;Password=*******;Encrypt=on"),
            ("tokens:", "", "tokens:"),
            ("keyvault: kv-shop", "", "keyvault: kv-shop"),
        ] {
            assert_eq!(hide_secrets(line, path), shown);
            assert_eq!(shown.chars().count(), line.chars().count(), "columns stay what they are: {line}");
        }
    }
}
