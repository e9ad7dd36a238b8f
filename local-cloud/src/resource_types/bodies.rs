//! The members that the rules of the types read in bodies, and write into them.

use serde_json::Value;

use super::Write;
use crate::path::ResourceId;
use crate::state::Body;

/// A member of `properties` of a body.
pub(super) fn property<'a>(body: &'a Body, name: &str) -> Option<&'a Value> {
    body.get("properties")?.get(name)
}

/// A text somewhere in a body, by JSON pointer without the first slash: `sku/name`.
pub(super) fn text<'a>(body: &'a Body, path: &str) -> Option<&'a str> {
    let mut steps = path.split('/');
    let mut value = body.get(steps.next()?)?;
    for step in steps {
        value = value.get(step)?;
    }
    value.as_str()
}

/// The `properties` of a body, made when missing.
pub(crate) fn properties_mut(body: &mut Body) -> Option<&mut Body> {
    let properties = body.entry("properties").or_insert_with(|| Value::Object(Body::new()));
    if !properties.is_object() {
        *properties = Value::Object(Body::new());
    }
    properties.as_object_mut()
}

/// Sets a member where it is absent or null.
pub(super) fn fill(body: &mut Body, name: &str, value: impl Into<Value>) {
    if body.get(name).is_none_or(Value::is_null) {
        body.insert(name.to_owned(), value.into());
    }
}

/// The objects of a list in `properties`.
pub(super) fn list<'a>(body: &'a Body, name: &str) -> impl Iterator<Item = &'a Body> {
    property(body, name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// The objects of a list that another object has.
pub(super) fn list_mut<'a>(holder: &'a mut Body, name: &str) -> impl Iterator<Item = &'a mut Body> {
    let list = holder.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Gives the parts of a network resource, which are no resources of their own, what Azure prints of each, and yields their `properties`. `kind` is
/// the word for the parts in ids, and `id` and `type_name` are those of the resource.
pub(super) fn complete_parts<'a>(
    parts: impl Iterator<Item = &'a mut Body>,
    kind: &str,
    id: &str,
    type_name: &str,
) -> impl Iterator<Item = &'a mut Body> {
    parts.filter_map(move |part| {
        let name = text(part, "name").unwrap_or_default();
        let own_id = format!("{id}/{kind}/{name}");
        part.insert("id".to_owned(), own_id.into());
        part.insert("type".to_owned(), format!("{type_name}/{kind}").into());
        fill(part, "etag", format!("W/\"{}\"", uuid::Uuid::new_v4()));
        let properties = properties_mut(part)?;
        properties.insert("provisioningState".to_owned(), "Succeeded".into());
        Some(properties)
    })
}

/// The resource a member refers to: `{"id": "/subscriptions/..."}`.
pub(super) fn reference(holder: Option<&Value>) -> Option<ResourceId> {
    ResourceId::parse(holder?.get("id")?.as_str()?)
}

/// The GUID the service gave a resource, or a new one.
pub(super) fn guid_of(write: &Write<'_>, name: &str) -> Value {
    let before = write.existing.and_then(|existing| property(existing, name)).filter(|guid| guid.is_string());
    before.cloned().unwrap_or_else(|| uuid::Uuid::new_v4().to_string().into())
}

/// Random numbers that follow from a text, for keys and GUIDs that stay the same for a resource.
pub(super) fn random_of(text: &str) -> fastrand::Rng {
    let seed = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    fastrand::Rng::with_seed(seed)
}

/// The spelling in `known` that equals `text` ignoring case.
pub(super) fn known_value(known: &[&'static str], text: &str) -> Option<&'static str> {
    known.iter().copied().find(|value| value.eq_ignore_ascii_case(text))
}

/// 64 bytes in base64, made from a text.
pub(super) fn made_up_key(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut random = random_of(text);
    let mut key: String = (0..85).map(|_| char::from(LETTERS[random.usize(..LETTERS.len())])).collect();
    // The last of 86 letters carries two bits only.
    key.push_str("A==");
    key
}
