use serde_json::Value;
use svc_engine::commands::Services;
use svc_engine::desired::{Existing, World};
use svc_engine::plan::{adopt, arrange, departures, plan};

use super::{example, first_line, project};

/// Compares what exists, as an answer says it, with an example. The first line is a component; each other one is the number of a resource that the example
/// wants, a path and a JSON value: the resource exists as it is wanted, with that value at that path. A line without a value takes the
/// resource away.
pub fn plans(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (component, lines) = first_line(text);
    let (document, command) = example(component);
    let compiled = command.read(&document).compile(&project(), &Services::NotRead);
    let mut existing: Existing =
        compiled.desired.iter().map(|resource| (resource.id.clone(), resource.body.clone())).collect();
    for line in lines.lines().take(64) {
        let mut parts = line.splitn(3, ' ');
        let index = parts.next().and_then(|index| index.parse::<usize>().ok()).unwrap_or_default();
        let resource = &compiled.desired[index % compiled.desired.len()];
        let (Some(path), Some(value)) = (parts.next(), parts.next()) else {
            existing.remove(&resource.id);
            continue;
        };
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        let body = existing.entry(resource.id.clone()).or_default();
        if path == "." { *body = value } else { put(body, path, value) }
    }
    let mut desired = adopt(compiled.desired, &World::Known(existing.clone()));
    let leaving = compiled.owned.first().map(|owned| (departures(owned, &mut desired, &existing), owned));
    let world = World::Known(existing);
    let mut planned = plan(&desired, &world);
    let World::Known(existing) = world else { return };
    if let Some((departures, owned)) = leaving {
        departures.join(owned, &existing, &mut planned);
    }
    arrange(&mut planned.changes, &existing);
    let actions = planned.actions();
    for action in &actions {
        assert!(action.depends_on.iter().all(|before| *before < actions.len()), "{action:?}");
    }
    let shown = serde_json::to_string(&actions).unwrap();
    for secret in desired.iter().flat_map(|resource| resource.resource_type.secrets_of(&resource.body)) {
        assert!(secret.len() < 6 || !shown.contains(secret), "the secret '{secret}' is in {shown}");
    }
}

/// Puts a value at a path of names and numbers with dots between them.
fn put(body: &mut Value, path: &str, value: Value) {
    let mut place = body;
    for segment in path.split('.').take(16) {
        place = match segment.parse::<usize>() {
            Ok(index) if place.is_array() => {
                let items = place.as_array_mut().unwrap();
                if items.is_empty() {
                    items.push(Value::Null);
                }
                let index = index % items.len();
                &mut items[index]
            }
            _ => {
                if !place.is_object() {
                    *place = Value::Object(serde_json::Map::new());
                }
                place.as_object_mut().unwrap().entry(segment).or_insert(Value::Null)
            }
        };
    }
    *place = value;
}
