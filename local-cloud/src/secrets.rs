//! Takes secrets out of what is written to the request log.
//!
//! The local cloud does not know every type, so it goes by what members are called and by what values look like. Too much hidden
//! is better than too little: who needs it all asks for it ([`LocalCloudOptions::request_log_secrets`]).
//!
//! [`LocalCloudOptions::request_log_secrets`]: super::LocalCloudOptions::request_log_secrets

use serde_json::{Map, Value};

/// The text that stands for a secret.
const HIDDEN: &str = "***";
/// Parts of the names of members, in lower case, whose values are secrets.
const SECRET_NAMES: &[&str] = &[
    "password",
    "secret",
    "connectionstring",
    "accountkey",
    "sharedkey",
    "instrumentationkey",
    "sastoken",
    "certificate",
];
/// Members that are URLs with a secret in them: the receivers of action groups.
const SECRET_URLS: &[&str] = &["serviceuri", "callbackurl", "httptriggerurl"];
/// Resources whose every property is a secret: settings of apps.
const SECRET_RESOURCES: &[&str] = &["/config/appsettings", "/config/connectionstrings"];
/// The marks of a text with a secret in it, in lower case.
const MARKS: &[&str] = &["accountkey=", "sharedaccesskey=", "sig=", "instrumentationkey=", "code="];

pub(super) fn without_secrets(url: &str, body: &Value) -> Value {
    let path = url.split('?').next().unwrap_or_default().to_lowercase();
    let mut body = body.clone();
    // It has another request in it.
    if path.ends_with("/acquirepolicytoken")
        && let Some(operation) = body.get_mut("operation").and_then(Value::as_object_mut)
    {
        let uri = operation.get("uri").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(content) = operation.get_mut("content") {
            *content = without_secrets(&uri, content);
        }
    } else if SECRET_RESOURCES.iter().any(|resource| path.contains(resource)) {
        if let Some(properties) = body.get_mut("properties") {
            hide_all(properties);
        }
    } else {
        hide_named(&mut body);
    }
    body
}

/// A URL without the values of its query, other than those of Resource Manager's own parameters.
pub(super) fn url_without_secrets(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let parameters = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if ["sig", "code", "key", "token"].contains(&name.to_lowercase().as_str()) => {
            format!("{name}={HIDDEN}")
        }
        _ => parameter.to_owned(),
    });
    format!("{path}?{}", parameters.collect::<Vec<_>>().join("&"))
}

fn hide_all(value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(hide_all),
        Value::Array(items) => items.iter_mut().for_each(hide_all),
        Value::Null => {}
        scalar => *scalar = HIDDEN.into(),
    }
}

/// The values of the secure parameters of a template deployment, also of one in another template.
fn hide_secure_parameters(deployment: &mut Map<String, Value>) {
    let declared = match deployment.get("template") {
        Some(Value::Object(template)) => Some(template.get("parameters").cloned().unwrap_or_default()),
        // A text that is a template: any of its parameters may be one.
        Some(Value::String(_)) => None,
        _ => return,
    };
    let is_secure = |name: &str| {
        let Some(declared) = &declared else { return true };
        let declaration =
            declared.as_object().into_iter().flatten().find(|(other, _)| other.eq_ignore_ascii_case(name));
        let kind = declaration.and_then(|(_, declaration)| declaration.get("type")?.as_str());
        kind.is_some_and(|kind| kind.to_lowercase().starts_with("secure"))
    };
    let given = deployment.get_mut("parameters").and_then(Value::as_object_mut);
    for (_, parameter) in given.into_iter().flatten().filter(|(name, _)| is_secure(name)) {
        hide_all(parameter);
    }
}

fn hide_named(value: &mut Value) {
    match value {
        Value::Object(members) => {
            hide_secure_parameters(members);
            for (name, member) in members {
                let name = name.to_lowercase();
                let is_secret =
                    SECRET_URLS.contains(&name.as_str()) || SECRET_NAMES.iter().any(|part| name.contains(part));
                if is_secret && member.is_string() {
                    *member = HIDDEN.into();
                } else {
                    hide_named(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_named),
        Value::String(text) => {
            let lower = text.to_lowercase();
            if MARKS.iter().any(|mark| lower.contains(mark)) {
                *text = HIDDEN.to_owned();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secrets_are_hidden_by_name_and_by_look() {
        let url = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Insights/actionGroups/a?api-version=1";
        let body = json!({"properties": {"webhookReceivers": [{"name": "w", "serviceUri": "https://x/?a=b"}],
            "note": "https://x/?sig=abc", "adminPassword": "p", "enabled": true}});
        assert_eq!(
            without_secrets(url, &body),
            json!({"properties": {"webhookReceivers": [{"name": "w", "serviceUri": "***"}], "note": "***", "adminPassword": "***", "enabled": true}})
        );
    }

    #[test]
    fn every_app_setting_is_one() {
        let url = "/subscriptions/s/x/sites/a/config/appSettings?api-version=1";
        assert_eq!(
            without_secrets(url, &json!({"properties": {"A": "x", "B": 1}})),
            json!({"properties": {"A": "***", "B": "***"}})
        );
    }

    #[test]
    fn signatures_in_a_query_are_hidden() {
        assert_eq!(url_without_secrets("/a?api-version=1&sig=abc"), "/a?api-version=1&sig=***");
        assert_eq!(url_without_secrets("/a"), "/a");
    }
}
