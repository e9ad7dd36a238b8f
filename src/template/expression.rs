//! Texts of a template: plain ones, and expressions in brackets (Azure Resource Manager, "Template syntax", expressions).

use serde_json::Value;

use crate::desired::{Reference, Source};

/// A text of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// As it is.
    Plain(String),
    /// An expression that Azure evaluates, without its brackets.
    Code(String),
}

impl Text {
    /// As a value of the template.
    pub(super) fn value(self) -> Value {
        match self {
            Text::Plain(text) => Value::String(escaped(&text)),
            Text::Code(code) => Value::String(format!("[{code}]")),
        }
    }

    /// As an argument of a function.
    pub(super) fn argument(&self) -> String {
        match self {
            Text::Plain(text) => quoted(text),
            Text::Code(code) => code.clone(),
        }
    }
}

/// A plain text: one that looks like an expression gets a second bracket, by which Azure tells that it is none.
pub(super) fn escaped(text: &str) -> String {
    if text.starts_with('[') && text.ends_with(']') { format!("[{text}") } else { text.to_owned() }
}

/// A text in an expression.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text with the value of an expression in the middle.
pub(super) fn formatted(before: &str, code: &str, after: &str) -> Text {
    if before.is_empty() && after.is_empty() {
        return Text::Code(code.to_owned());
    }
    // Braces have a meaning in the pattern of `format`.
    let part = |text: &str| text.replace('{', "{{").replace('}', "}}");
    Text::Code(format!("format({}, {code})", quoted(&format!("{}{{0}}{}", part(before), part(after)))))
}

/// The name at the end of the id that an expression gives.
pub(super) fn name_of(id: &str) -> String {
    format!("last(split({id}, '/'))")
}

/// The resource group in the id that an expression gives.
pub(super) fn group_of(id: &str) -> String {
    format!("split({id}, '/')[4]")
}

/// The subscription in the id that an expression gives.
pub(super) fn subscription_of(id: &str) -> String {
    format!("split({id}, '/')[2]")
}

/// The value of a reference. `of` is the argument that names the other resource: its id, or its name in the template.
pub(super) fn reference(reference: &Reference, of: &str) -> Text {
    let version = quoted(reference.resource_type.api_version);
    // Without 'Full' Azure gives the properties only.
    let read = |path: &str| match path.strip_prefix("properties.") {
        Some(property) => format!("reference({of}, {version}).{property}"),
        None => format!("reference({of}, {version}, 'Full').{path}"),
    };
    let code = match &reference.source {
        Source::Property(path) => read(path),
        // What stands between the slashes of `https://host/`.
        Source::Host(path) => format!("split({}, '/')[2]", read(path)),
        Source::Action { name, pointer, .. } => format!("{name}({of}, {version}){}", members(pointer)),
    };
    let (before, after) = reference.text.split_once("{}").unwrap_or(("", ""));
    formatted(before, &code, after)
}

/// A JSON pointer in the notation of expressions: `.keys[0].value`.
fn members(pointer: &str) -> String {
    let member = |segment: &str| match segment.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{segment}"),
    };
    pointer.split('/').skip(1).map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::ResourceId;
    use crate::azure::types::STORAGE_ACCOUNT;

    #[test]
    fn plain_texts_stay_plain() {
        for (text, written) in [
            ("plain", "plain"),
            ("[parameters('x')]", "[[parameters('x')]"),
            ("[open", "[open"),
            ("[]", "[[]"),
            ("]", "]"),
        ] {
            assert_eq!(Text::Plain(text.to_owned()).value(), written);
        }
        assert_eq!(Text::Plain("it's".to_owned()).argument(), "'it''s'");
    }

    #[test]
    fn braces_of_the_text_are_no_places_of_format() {
        assert_eq!(formatted("{a} '", "x()", "").argument(), "format('{{a}} ''{0}', x())");
        assert_eq!(formatted("", "x()", "").value(), "[x()]");
    }

    #[test]
    fn each_source_has_its_function() {
        let of = |source: Source, text: &str| {
            let id = ResourceId::new("/subscriptions/s");
            let made = Reference { path: "p", of: id, resource_type: &STORAGE_ACCOUNT, source, text: text.to_owned() };
            reference(&made, "'x'").argument()
        };
        let version = STORAGE_ACCOUNT.api_version;
        assert_eq!(
            of(Source::Property("properties.host.name"), "{}"),
            format!("reference('x', '{version}').host.name")
        );
        assert_eq!(
            of(Source::Property("identity.principalId"), "{}"),
            format!("reference('x', '{version}', 'Full').identity.principalId")
        );
        assert_eq!(
            of(Source::Host("properties.gatewayUrl"), "{}"),
            format!("split(reference('x', '{version}').gatewayUrl, '/')[2]")
        );
        let keys = Source::Action { name: "listKeys", pointer: "/keys/0/value", right: String::new() };
        assert_eq!(of(keys, "Key={};"), format!("format('Key={{0}};', listKeys('x', '{version}').keys[0].value)"));
    }
}
