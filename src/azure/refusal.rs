//! The refusals of Azure: the error envelope, and the forms of providers that send none.

use std::borrow::Cow;

use serde_json::Value;

use super::policy_restrictions::{found, found_in_words};
use super::policy_token::MissingToken;
use crate::protocol::cut;

/// The longest message of Azure's that is repeated, in characters. Those of policies are the longest that help.
const LONGEST_MESSAGE: usize = 4000;
/// The longest code, id, path or policy, in characters.
const LONGEST_NAME: usize = 400;
/// The most paths and policies of one refusal.
const MOST_PLACES: usize = 20;

/// Azure's refusal.
#[derive(Debug, Clone, Default)]
pub struct Refusal {
    /// The HTTP status; 0 for an operation that was accepted and failed later.
    pub status: u16,
    /// Azure's code, such as `AuthorizationFailed`.
    pub code: String,
    /// Azure's words, the deepest detail first where there are details.
    pub message: String,
    /// `x-ms-request-id`.
    pub request_id: Option<String>,
    /// The paths in the body of the request that Azure names as the trouble.
    pub paths: Vec<String>,
    /// The names of the policies that deny the request.
    pub policies: Vec<String>,
    /// A policy that wants a token, which the request did not carry.
    pub missing_token: Option<MissingToken>,
    /// The claims challenge of a refused token: what a token would have to prove in addition, as base64 text.
    pub claims: Option<String>,
}

impl Refusal {
    /// Reads Azure's error envelope, or what providers send without one.
    #[must_use]
    pub fn from_body(status: u16, body: Option<&Value>, request_id: Option<String>) -> Refusal {
        let error = body.map(|body| body.get("error").or_else(|| body.get("odata.error")).unwrap_or(body));
        let (code, message) = error.map(deepest).unwrap_or_default();
        let code = if code.is_empty() { format!("HttpStatus{status}") } else { code };
        let message = if message.is_empty() {
            format!("Azure Resource Manager answered with the status {status} and no explanation.")
        } else {
            message
        };
        let mut refusal = Refusal { status, code, message, request_id, ..Refusal::default() };
        if let Some(error) = error {
            refusal.note_places(error);
        }
        refusal.name_policies();
        refusal.shorten();
        refusal
    }

    /// Cuts what nobody reads to its end; an answer may have megabytes of it.
    fn shorten(&mut self) {
        let shorten = |text: &mut String, most| {
            if let Cow::Owned(short) = cut(text, most) {
                *text = short;
            }
        };
        shorten(&mut self.code, LONGEST_NAME);
        shorten(&mut self.message, LONGEST_MESSAGE);
        self.request_id.iter_mut().for_each(|id| shorten(id, LONGEST_NAME));
        for list in [&mut self.paths, &mut self.policies] {
            list.truncate(MOST_PLACES);
            list.iter_mut().for_each(|text| shorten(text, LONGEST_NAME));
        }
    }

    /// Notes what an error, and the errors in its details, say of places and policies.
    fn note_places(&mut self, error: &Value) {
        let list = |key: &str| error.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if let Some(target) = error.get("target").and_then(Value::as_str) {
            self.paths.push(target.to_owned());
        }
        for info in list("additionalInfo").iter().filter(|info| info["type"] == "PolicyViolation") {
            self.note_policy(&info["info"]);
        }
        for detail in list("details") {
            self.note_places(detail);
        }
    }

    /// Notes a policy by its names (Azure Policy, "Troubleshoot errors"), and what it found wrong.
    fn note_policy(&mut self, info: &Value) {
        let text = |keys: [&str; 2]| keys.iter().find_map(|key| info[*key].as_str().filter(|text| !text.is_empty()));
        let definition = text(["policyDefinitionDisplayName", "policyDefinitionName"]);
        let assignment = text(["policyAssignmentDisplayName", "policyAssignmentName"]);
        let missing = [&info["evaluationDetails"], info].map(|part| &part["missingPolicyTokenDetails"]);
        if let Some(missing) = missing.into_iter().find(|missing| missing["shouldDeny"] == true) {
            let wants_change_reference = missing["isChangeReferenceRequired"] == true;
            let known = self.missing_token.is_some_and(|known| known.wants_change_reference);
            self.missing_token = Some(MissingToken { wants_change_reference: wants_change_reference || known });
        }
        let found = found(&info["evaluationDetails"]["evaluatedExpressions"]);
        self.paths.extend(found.iter().map(|(path, _)| path.clone()));
        let Some(name) = definition.or(assignment) else { return };
        let assigned = assignment.filter(|assignment| *assignment != name);
        let assigned = assigned.map_or(String::new(), |assignment| format!(" (assigned as '{assignment}')"));
        self.policies.push(format!("'{name}'{assigned}{}", found_in_words(&found)));
    }

    /// Puts the names of policies into the message, in the place of the JSON that Azure puts there.
    fn name_policies(&mut self) {
        const IDENTIFIERS: &str = " Policy identifiers: '";
        let (before, identifiers) = self.message.split_once(IDENTIFIERS).unwrap_or((&self.message, ""));
        if self.policies.is_empty() {
            let list: Vec<Value> = identifiers
                .rfind(']')
                .and_then(|end| serde_json::from_str(&identifiers[..=end]).ok())
                .unwrap_or_default();
            self.policies = list
                .iter()
                .filter_map(|item| {
                    let name = |key: &str| item[key]["name"].as_str();
                    name("policyDefinition").or_else(|| name("policyAssignment")).map(|name| format!("'{name}'"))
                })
                .collect();
        }
        if !self.policies.is_empty() {
            self.message = format!("{before} Denied by the policy {}.", self.policies.join("; and by the policy "));
        }
    }
}

/// The code and message of the innermost cause: Azure wraps it in `details`, and sometimes as JSON text in `message`.
fn deepest(error: &Value) -> (String, String) {
    let text = |key: &str| match error.get(key) {
        Some(Value::String(text)) => text.trim().to_owned(),
        // Some providers send `message: {"lang": "en", "value": "…"}`.
        Some(Value::Object(object)) => object.get("value").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    let (code, message) = (text("code"), text("message"));
    if let Some(details) = error.get("details").and_then(Value::as_array).filter(|details| !details.is_empty()) {
        let inner: Vec<(String, String)> =
            details.iter().map(deepest).filter(|(_, message)| !message.is_empty()).collect();
        if let Some((inner_code, _)) = inner.first() {
            let messages: Vec<&str> = inner.iter().map(|(_, message)| message.as_str()).collect();
            let code = if inner_code.is_empty() { code } else { inner_code.clone() };
            return (code, messages.join(" "));
        }
    }
    if message.starts_with('{')
        && let Ok(inner) = serde_json::from_str::<Value>(&message)
    {
        let (inner_code, inner_message) = deepest(inner.get("error").unwrap_or(&inner));
        if !inner_message.is_empty() {
            return (if inner_code.is_empty() { code } else { inner_code }, inner_message);
        }
    }
    (code, one_line(&message))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_leaf_cause_is_what_people_read() {
        let body = json!({"error": {"code": "DeploymentFailed", "message": "At least one failed.", "details": [
            {"code": "Conflict", "message": "{\"error\":{\"code\":\"StorageAccountAlreadyTaken\",\"message\":\"The name is\\n taken.\"}}"}]}});
        let refusal = Refusal::from_body(409, Some(&body), None);
        assert_eq!(
            (refusal.code.as_str(), refusal.message.as_str()),
            ("StorageAccountAlreadyTaken", "The name is taken.")
        );
    }

    #[test]
    fn what_is_repeated_of_an_answer_has_an_end() {
        let long = "x".repeat(100 << 10);
        let policy = json!({"type": "PolicyViolation", "info": {"policyDefinitionName": long}});
        let details = vec![json!({"code": long, "message": long, "target": long, "additionalInfo": [policy]}); 50];
        let error = json!({"code": "X", "details": details});
        let refusal = Refusal::from_body(500, Some(&json!({"error": error})), Some(long.clone()));
        assert!(format!("{refusal:?}").len() < 64 << 10);
        assert!(refusal.message.starts_with("xxx") && refusal.message.ends_with('…'));
    }

    #[test]
    fn providers_without_the_envelope() {
        let refusal = Refusal::from_body(400, Some(&json!({"code": "Bad", "message": "No."})), None);
        assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("Bad", "No."));
        let odata = json!({"odata.error": {"code": "X", "message": {"lang": "en", "value": "Why"}}});
        assert_eq!(Refusal::from_body(400, Some(&odata), None).message, "Why");
        assert_eq!(Refusal::from_body(503, None, None).code, "HttpStatus503");
    }

    #[test]
    fn policies_are_named_with_and_without_additional_information() {
        let identifiers =
            json!([{"policyAssignment": {"name": "corp-locations"}, "policyDefinition": {"name": "allowed"}}]);
        let message = format!("Resource 'st' was disallowed by policy. Policy identifiers: '{identifiers}'.");
        let error = json!({"code": "RequestDisallowedByPolicy", "target": "st", "message": message});
        let refusal = Refusal::from_body(403, Some(&json!({"error": error})), None);
        assert_eq!(refusal.message, "Resource 'st' was disallowed by policy. Denied by the policy 'allowed'.");
        let mut error = error;
        error["additionalInfo"] = json!([{"type": "PolicyViolation", "info": {
            "policyDefinitionDisplayName": "Allowed locations", "policyAssignmentDisplayName": "Corp",
            "evaluationDetails": {"evaluatedExpressions": [
                {"result": "True", "path": "type", "expressionValue": "Microsoft.Storage/storageAccounts"},
                {"result": "True", "path": "location", "expressionValue": "uksouth"}]}}}]);
        let refusal = Refusal::from_body(403, Some(&json!({"error": error})), None);
        assert_eq!(
            refusal.message,
            "Resource 'st' was disallowed by policy. Denied by the policy 'Allowed locations' (assigned as 'Corp'): location is \"uksouth\"."
        );
        assert_eq!(refusal.paths, ["st", "location"]);
        error["message"] = json!("Not allowed.");
        let refusal = Refusal::from_body(403, Some(&json!({"error": error})), None);
        assert!(refusal.message.starts_with("Not allowed. Denied by the policy 'Allowed locations'"), "{refusal:?}");
    }
}
