//! The permissions of the caller for a resource, by what Azure lists of it.

use serde_json::Value;

/// Whether one of the permissions has an action that is not taken out of it again (Azure role-based access control, "Actions
/// and NotActions").
pub(in crate::commands) fn allow(permissions: &[Value], action: &str) -> bool {
    let has = |permission: &Value, list: &str| {
        let patterns = permission.get(list).and_then(Value::as_array);
        patterns.into_iter().flatten().filter_map(Value::as_str).any(|pattern| fits(pattern, action))
    };
    permissions.iter().any(|permission| has(permission, "actions") && !has(permission, "notActions"))
}

/// Whether an action is one of a pattern, in which `*` stands for any text. Letter case makes no difference.
fn fits(pattern: &str, action: &str) -> bool {
    let (pattern, action) = (pattern.to_ascii_lowercase(), action.to_ascii_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| action.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const WRITE: &str = "Microsoft.Authorization/roleAssignments/write";

    #[test]
    fn patterns_of_actions() {
        for (pattern, expected) in [
            ("*", true),
            ("microsoft.authorization/*", true),
            ("Microsoft.Authorization/*/Write", true),
            ("Microsoft.Authorization/*/Delete", false),
            ("*/read", false),
            ("*/write", true),
            ("Microsoft.Authorization/roleAssignments/write", true),
            ("Microsoft.Authorization/roleAssignments/write/more", false),
            ("Microsoft.Authorization/*Assign*/write", true),
            ("Microsoft.Authorization", false),
            ("", false),
        ] {
            assert_eq!(fits(pattern, WRITE), expected, "{pattern}");
        }
    }

    #[test]
    fn what_is_taken_out_of_one_permission_another_may_give() {
        let contributor = json!({"actions": ["*"], "notActions": ["Microsoft.Authorization/*/Write"]});
        let administrator = json!({"actions": [WRITE], "notActions": []});
        assert!(!allow(std::slice::from_ref(&contributor), WRITE));
        assert!(allow(std::slice::from_ref(&contributor), "Microsoft.Web/sites/write"));
        assert!(allow(&[contributor, administrator], WRITE));
        assert!(!allow(&[], WRITE));
    }
}
