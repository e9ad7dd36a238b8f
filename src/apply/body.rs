//! The body that is sent: with the values of other resources, and over what others have written.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Value, json};

use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::desired::{Reference, Source, body};
use crate::plan::Change;

/// The body to send: with the values of other resources, and with what others have written into it until now. Between the plan
/// and this moment somebody may have been asked, for minutes.
///
/// # Errors
/// The request that fails, or a value that is not there.
pub(super) async fn body_to_send(client: &ArmClient, change: &Change, body: &Value) -> Result<Value, ArmError> {
    let body = complete_body(client, body, &change.references).await?;
    let Some(resource_type) = change.put_over else { return Ok(body) };
    let present = client.action(&format!("{}/list", change.id), resource_type.api_version).await?;
    let mut whole = present.map_or(Value::Null, |present| body::writable(resource_type, &present));
    body::overlay(resource_type, &mut whole, &body);
    body::drop_nulls(&mut whole);
    Ok(whole)
}

/// The body with the values that are known by now.
///
/// # Errors
/// The request that fails, or the value that is not there.
async fn complete_body(client: &ArmClient, body: &Value, references: &[Reference]) -> Result<Value, ArmError> {
    let mut body = body.clone();
    // An origin takes two values from one app: what is read is read once.
    let mut answers: HashMap<(&ResourceId, Option<&str>), Option<Value>> = HashMap::new();
    for reference in references {
        let (api_version, id) = (reference.resource_type.api_version, reference.of.as_str());
        let (action, what) = match &reference.source {
            Source::Property(path) | Source::Host(path) => (None, *path),
            Source::Action { name, .. } => (Some(*name), *name),
        };
        let answer = match answers.entry((&reference.of, action)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(match action {
                None => client.get(id, api_version).await?,
                Some(name) => client.action(&format!("{id}/{name}"), api_version).await?,
            }),
        };
        let Some(value) = answer.as_ref().and_then(|answer| reference.source.read(answer)) else {
            let (resource, value) = (format!("{} {id}", reference.resource_type.label), what);
            return Err(ArmError::NoValue { resource, value });
        };
        body::put(&mut body, reference.path, json!(reference.text.replace("{}", &value)));
    }
    Ok(body)
}
