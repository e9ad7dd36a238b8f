//! The values of other resources in a body.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Value, json};

use crate::azure::{ArmClient, ArmError, ResourceId};
use crate::desired::{Reference, Source, body};

/// The body with the values of its references, which come in the same order.
pub(super) fn completed(body: &Value, references: &[Reference], values: &[String]) -> Value {
    let mut body = body.clone();
    for (reference, value) in references.iter().zip(values) {
        body::put(&mut body, reference.path, json!(reference.text.replace("{}", value)));
    }
    body
}

/// The value that each reference stands for by now.
///
/// # Errors
/// The request that fails, or the value that is not there.
pub(super) async fn values(client: &ArmClient, references: &[Reference]) -> Result<Vec<String>, ArmError> {
    let mut values = Vec::with_capacity(references.len());
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
        values.push(value);
    }
    Ok(values)
}
