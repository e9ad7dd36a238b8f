//! Bodies held against Azure's own schemas where these are at hand.

use super::common::absolute;
use super::published_operations::shared_file;
use serde_json::{Value, json};
use std::process::Command;

/// Takes away the members that only the service sets, which a request cannot have.
pub(super) fn without_read_only(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !names.contains(&name.as_str()));
            members.values_mut().for_each(|value| without_read_only(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| without_read_only(value, names)),
        _ => {}
    }
}

/// A recorded PUT.
pub(super) fn put_request(path: &str, version: &str, body: &Value) -> Value {
    let url = format!("https://management.azure.com{}?api-version={version}", absolute(path));
    json!({"method": "PUT", "url": url, "body": body})
}

/// Fails where a request does not fit the published schema of its type. Without script and schemas nothing is compared.
pub(super) fn assert_fit(requests: Vec<Value>) {
    let script = shared_file("arm/validate_arm.py");
    let python = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    let Some(script) = script.filter(|_| python) else {
        println!("Skipped: validate_arm.py or python3 is not at hand (set SVC_SHARED).");
        return;
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), Value::from(requests).to_string()).unwrap();
    let output = Command::new("python3").arg(script).arg(file.path()).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
}
