//! Placeholders: what stands in ids and bodies where a value is not known before something was looked up.

use serde_json::Value;

use crate::azure::ResourceId;

/// The text that a plan shows for a value that only another resource has once it is made.
pub(crate) const KNOWN_AFTER_APPLY: &str = "(known after apply)";

/// The text that stands for something that is not known yet: `<resource group published as 'shop'>`. One segment of an id.
pub(crate) fn placeholder(what: &str) -> String {
    // A slash would end the name in an id.
    format!("<{what}>").replace('/', " ")
}

/// Whether there is a placeholder in an id, so that nothing of this id can exist: Azure takes `<` in no name.
pub(crate) fn has_placeholder(id: &ResourceId) -> bool {
    id.as_str().contains('<')
}

/// Whether there is a placeholder in a value: nobody knows it before something was looked up.
pub(crate) fn is_unknown(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with('<') || text.starts_with('/') && text.contains('<'),
        Value::Array(items) => items.iter().any(is_unknown),
        Value::Object(members) => members.values().any(is_unknown),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_placeholder_is_one_segment_and_is_known_again() {
        let subscription = ResourceId::subscription("s");
        let group = subscription.group(&placeholder("resource of Microsoft.Web/sites"));
        assert_eq!(group.name(), "<resource of Microsoft.Web sites>");
        assert!(has_placeholder(&group) && has_placeholder(&group.resource("Microsoft.Web/sites", "app")));
        assert!(!has_placeholder(&subscription.group("rg-shop")));
        assert!(is_unknown(&json!({"id": group.as_str()})) && is_unknown(&json!([placeholder("a")])));
        assert!(!is_unknown(&json!({"id": subscription.as_str(), "text": "1 < 2", "number": 1})));
    }
}
