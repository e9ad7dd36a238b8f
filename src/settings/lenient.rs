//! The second reader: some texts that the specification of YAML forbids were documents of the replaced module, because its
//! reader was more lenient: a list in brackets or a quoted text whose next line is not indented, a tab behind a colon. They
//! are read here when the first reader refuses them.

use serde_json::{Map, Number, Value};

use super::parse::DEEPEST;

/// The values of a text; none where it cannot be read like this, either.
#[must_use]
pub(super) fn read(text: &str) -> Option<Value> {
    // What aliases repeat is counted by the first reader only, and brackets in brackets take this one very long.
    if text.split_whitespace().any(is_alias) || has_more_open_brackets(text, DEEPEST) {
        return None;
    }
    value(serde_yaml::from_str(text).ok()?)
}

fn is_alias(word: &str) -> bool {
    word.trim_start_matches(['[', '{', ',']).strip_prefix('*').is_some_and(|name| !name.is_empty())
}

/// Whether more brackets are open somewhere than a number, those in quoted texts counted, too.
fn has_more_open_brackets(text: &str, most: usize) -> bool {
    let mut open = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > most
    })
}

fn value(value: serde_yaml::Value) -> Option<Value> {
    Some(match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(flag) => Value::Bool(flag),
        serde_yaml::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => integer.into(),
            (None, Some(integer)) => integer.into(),
            (None, None) => {
                number.as_f64().and_then(Number::from_f64).map_or_else(|| number.to_string().into(), Value::Number)
            }
        },
        serde_yaml::Value::String(text) => Value::String(text),
        serde_yaml::Value::Sequence(items) => Value::Array(items.into_iter().map(self::value).collect::<Option<_>>()?),
        serde_yaml::Value::Mapping(members) => {
            let member = |(key, member)| Some((self::key(key)?, self::value(member)?));
            Value::Object(members.into_iter().map(member).collect::<Option<Map<_, _>>>()?)
        }
        serde_yaml::Value::Tagged(_) => return None,
    })
}

fn key(key: serde_yaml::Value) -> Option<String> {
    match key {
        serde_yaml::Value::String(text) => Some(text),
        serde_yaml::Value::Number(number) => Some(number.to_string()),
        serde_yaml::Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_deeply_is_not_read() {
        let nested = |depth: usize| format!("a: \"x\ny\"\nb: {}{}\n", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(60)).is_some());
        assert!(read(&nested(65)).is_none());
        assert!(read(&format!("a: \"x\ny\"\nb: {}", "[".repeat(80_000))).is_none());
    }

    #[test]
    fn what_may_repeat_values_is_not_read() {
        assert!(read("a: [\nx,\ny\n]\nb: /*\nc: '*.example.com'\nd: *\n").is_none(), "no YAML at all");
        assert!(read("a: [\nx,\ny\n]\nb: /*\nc: '*.example.com'\n").is_some());
        for text in ["a: &x [\n1\n]\nb: *x\n", "a: &x 1\nb: [*x]\n", "a: !tag [\n1\n]\n", "a: [\n1\n]\na: 2\n"] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
