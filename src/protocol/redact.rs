//! The last line of defence for secrets: values that were announced never leave in a message.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use aho_corasick::{AhoCorasick, MatchKind};
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD, Engine as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Serialize, de::DeserializeOwned};
use url::Url;

use super::message::Message;
use super::message_texts::Texts;
use super::secret_form::secret_parts;

/// The text in the place of a secret.
pub const REDACTED: &str = "***";

/// The length of a secret in bytes, at least: shorter values are not replaced, for they would blank out ordinary words.
pub const LENGTH_OF_SECRETS: usize = 6;
/// The last part of a path is a word where it is shorter: `https://hooks.example/alerts`.
const LONG_SEGMENT: usize = 16;
/// The characters that RFC 3986 leaves as they are.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Stands in ids for a subscription that is not known: in a plan that is made offline, and before the connection is made. People and
/// programs are shown [`SHOWN_SUBSCRIPTION`].
pub const UNKNOWN_SUBSCRIPTION: &str = "subscription-that-is-not-known";
/// The text that is shown for a subscription that is not known. No id of Azure has it.
const SHOWN_SUBSCRIPTION: &str = "<subscription>";

/// Takes the secrets out of a text.
type Clean<'a> = &'a mut dyn FnMut(&mut String);

/// Values that must not be shown.
#[derive(Default)]
pub struct Secrets {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    /// Every spelling of every value.
    spellings: HashSet<String>,
    /// Finds them; none when a value came after it was made.
    finder: Option<AhoCorasick>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// From now on the value is replaced wherever it would be shown, in any letter case, and as a server may echo it: percent-encoded,
    /// as JSON text, in base64, without its line breaks. Of a URL the query is a secret too, and each of its values.
    pub fn add(&self, value: &str) {
        if value.len() < LENGTH_OF_SECRETS {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for spelling in spellings(value) {
            if spelling.len() >= LENGTH_OF_SECRETS && known.spellings.insert(spelling) {
                known.finder = None;
            }
        }
    }

    /// The text without secrets.
    #[must_use]
    pub fn redact_text(&self, mut text: String) -> String {
        self.clean(&mut |clean| clean(&mut text));
        text
    }

    /// The message without secrets.
    #[must_use]
    pub fn redact(&self, mut message: Message) -> Message {
        self.clean(&mut |clean| message.each_text(clean));
        message
    }

    /// The data without secrets in any of its texts; the default of data that does not read back what it writes.
    #[must_use]
    pub fn redact_data<T: Serialize + DeserializeOwned + Default>(&self, data: T) -> T {
        let mut value = serde_json::to_value(data).unwrap_or_default();
        self.clean(&mut |clean| value.each_text(clean));
        serde_json::from_value(value).unwrap_or_default()
    }

    /// Hands out what takes the secrets out of a text, and the name of what is not known.
    fn clean(&self, with: &mut dyn FnMut(Clean<'_>)) {
        let mut known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.spellings.is_empty() {
            with(&mut name_subscription);
            return;
        }
        if known.finder.is_none() {
            drop(known);
            self.known.write().unwrap_or_else(PoisonError::into_inner).make_finder();
            known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        }
        with(&mut |text| {
            name_subscription(text);
            match &known.finder {
                Some(finder) if finder.is_match(text.as_str()) => {
                    *text = finder.replace_all(text, &vec![REDACTED; finder.patterns_len()]);
                }
                Some(_) => {}
                // Without a finder nothing is shown: rather an empty message than a secret.
                None => REDACTED.clone_into(text),
            }
        });
    }
}

/// Says people's words for a subscription that is not known.
fn name_subscription(text: &mut String) {
    if text.contains(UNKNOWN_SUBSCRIPTION) {
        *text = text.replace(UNKNOWN_SUBSCRIPTION, SHOWN_SUBSCRIPTION);
    }
}

impl Known {
    fn make_finder(&mut self) {
        if self.finder.is_none() {
            // A secret that contains another one is replaced as a whole.
            let builder =
                AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).ascii_case_insensitive(true).clone();
            self.finder = builder.build(&self.spellings).ok();
        }
    }
}

/// The spellings in which a value may be written where it is echoed.
fn spellings(value: &str) -> Vec<String> {
    let mut values = vec![value.to_owned()];
    let joined: String = value.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
    if joined != value {
        values.extend(value.lines().filter(|line| line.len() >= LENGTH_OF_SECRETS).map(str::to_owned));
        values.push(joined);
    }
    values.extend(parts_of_url(value));
    values.extend(secret_parts(value).map(str::to_owned));
    let mut spellings = Vec::new();
    for value in values {
        let as_json = serde_json::Value::from(value.as_str()).to_string();
        spellings.extend([
            as_json.trim_matches('"').to_owned(),
            as_json.trim_matches('"').replace('/', "\\/"),
            utf8_percent_encode(&value, UNRESERVED).to_string(),
            utf8_percent_encode(&value, NON_ALPHANUMERIC).to_string(),
            BASE64_STANDARD.encode(&value),
            BASE64_STANDARD_NO_PAD.encode(&value),
            BASE64_URL_SAFE_NO_PAD.encode(&value),
            value,
        ]);
    }
    spellings
}

/// The secret parts of a URL of its own: it as a whole with and without the port that goes without saying, its query, and the values in
/// that. Nothing for other texts.
fn parts_of_url(value: &str) -> Vec<String> {
    let Ok(url) = Url::parse(value) else { return Vec::new() };
    let Some(host) = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https")) else { return Vec::new() };
    let mut parts = vec![url.to_string()];
    if let Some(port) = url.port_or_known_default() {
        let rest = &url[url::Position::BeforePath..];
        parts.push(format!("{}://{host}:{port}{rest}", url.scheme()));
    }
    parts.extend(url.password().map(str::to_owned));
    // The secret of one without a query is its path: the last of it, and that as a whole.
    if url.query().is_none() {
        let last = url.path().rsplit('/').next().filter(|last| last.len() >= LONG_SEGMENT);
        parts.extend(last.map(|last| [last, url.path()]).into_iter().flatten().map(str::to_owned));
    }
    if let Some(query) = url.query() {
        parts.push(query.to_owned());
        parts.extend(query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned()));
        parts.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
        // What every such URL has is no secret, and is shown elsewhere.
        parts.retain(|part| {
            part.len() >= LENGTH_OF_SECRETS && !part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Code, ErrorReport};

    #[test]
    fn announced_values_are_replaced_everywhere() {
        let secrets = Secrets::default();
        secrets.add("hunter2-key");
        secrets.add("short");
        let error = ErrorReport::new(Code::InternalError, "key hunter2-key is short");
        let summary = ErrorReport { failures: vec![error.failure.clone()], ..error.clone() };
        let Message::Error(error) = secrets.redact(Message::Error(error)) else { panic!("another message") };
        assert_eq!(error.failure.message, "key *** is short");
        let Message::Error(summary) = secrets.redact(Message::Error(summary)) else { panic!("another message") };
        assert_eq!(summary.failures[0].message, "key *** is short");
    }

    #[test]
    fn a_secret_is_found_as_json_text_too() {
        let secrets = Secrets::default();
        secrets.add(r#"{"key":"x"}"#);
        assert_eq!(secrets.redact_text(r#"["{\"key\":\"x\"}"]"#.to_owned()), r#"["***"]"#);
    }

    #[test]
    fn a_secret_is_found_however_it_is_echoed() {
        let secrets = Secrets::default();
        secrets.add("Pass/word+1\nsecond-line");
        for echo in [
            "pass/WORD+1\nsecond-line",
            "Pass%2Fword%2B1%0Asecond-line",
            "pass%2fword%2b1%0asecond%2dline",
            r"Pass\/word+1\nsecond-line",
            "UGFzcy93b3JkKzEKc2Vjb25kLWxpbmU",
            "Pass/word+1second-line",
        ] {
            assert_eq!(secrets.redact_text(format!("<{echo}>")), "<***>", "{echo}");
        }
        assert_eq!(secrets.redact_text("the line Pass/word+1 of it".to_owned()), "the line *** of it");
    }

    #[test]
    fn a_url_hides_its_query_and_the_port_that_goes_without_saying() {
        let secrets = Secrets::default();
        secrets.add("https://hooks.example/run?api-version=2016-10-01&sig=Ab%2FcDeFgH");
        for echo in [
            "https://hooks.example:443/run?api-version=2016-10-01&sig=Ab%2FcDeFgH",
            "HTTPS://HOOKS.example/run?api-version=2016-10-01&sig=Ab%2FcDeFgH",
            "api-version=2016-10-01&sig=Ab%2FcDeFgH",
            "Ab/cDeFgH",
            "Ab%2FcDeFgH",
        ] {
            assert_eq!(secrets.redact_text(format!("<{echo}>")), "<***>", "{echo}");
        }
        let version = "the api-version 2016-10-01 of hooks.example".to_owned();
        assert_eq!(secrets.redact_text(version.clone()), version);
    }

    #[test]
    fn a_url_without_a_query_hides_the_path_that_is_its_secret() {
        let secrets = Secrets::default();
        secrets.add("https://hooks.example/services/T0/B0/Xy3ab9QwErTyUiOp12");
        secrets.add("https://hooks.example/services/alerts");
        let shown = secrets
            .redact_text("POST /services/T0/B0/Xy3ab9QwErTyUiOp12 (Xy3ab9QwErTyUiOp12), /services/alerts".to_owned());
        assert_eq!(shown, "POST *** (***), /services/alerts");
    }

    #[test]
    fn a_connection_string_hides_the_secret_in_it_and_shows_the_rest() {
        let secrets = Secrets::default();
        secrets.add("Endpoint=sb://bus.example/;SharedAccessKeyName=root;SharedAccessKey=abc/def=;EntityPath=orders");
        let echo = "abc/def= is no key for bus.example, root, orders".to_owned();
        assert_eq!(secrets.redact_text(echo), "*** is no key for bus.example, root, orders");
    }

    #[test]
    fn every_text_of_a_message_is_cleaned() {
        let secrets = Secrets::default();
        secrets.add("hunter2-key");
        let echo = || "hunter2-key".to_owned();
        let mut error = ErrorReport::new(Code::Azure(echo()), echo());
        error.failure.target = Some(echo());
        error.failure.recommendation = Some(echo());
        error.failure.resource_id = Some(echo());
        error.failure.request_id = Some(echo());
        let failures = vec![error.failure.clone()];
        let message = Message::Error(ErrorReport { failures, ..error });
        let json = serde_json::to_string(&secrets.redact(message)).unwrap();
        assert!(!json.contains("hunter2"), "{json}");
        assert_eq!(json.matches("***").count(), 12, "{json}");
    }

    #[test]
    fn a_secret_inside_another_one_does_not_break_it() {
        let secrets = Secrets::default();
        secrets.add("abcdef");
        secrets.add("xxabcdefyy");
        assert_eq!(secrets.redact_text("xxabcdefyy abcdef".to_owned()), "*** ***");
    }
}
