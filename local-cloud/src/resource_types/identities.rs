//! Managed identities of resources.

use super::{Write, text};
use crate::LOCAL_TENANT_ID;
use crate::state::Body;
use serde_json::{Value, json};

/// Gives a system-assigned identity its ids, which stay, and each user-assigned one its own. A body without `identity` keeps
/// the one there is; the type `None` takes it away.
pub(super) fn complete_identity(write: &Write<'_>, body: &mut Body) {
    let before = write.existing.and_then(|existing| existing.get("identity"));
    let wanted = body.get("identity").filter(|identity| !identity.is_null()).or(before).cloned();
    let Some(Value::Object(mut identity)) = wanted else { return };
    let kind = text(&identity, "type").unwrap_or("None").to_lowercase();
    if kind == "none" {
        body.shift_remove("identity");
        return;
    }
    if kind.contains("systemassigned") {
        let principal = before.and_then(|before| before.get("principalId")).cloned();
        let principal = principal.unwrap_or_else(|| json!(uuid::Uuid::new_v4().to_string()));
        identity.insert("principalId".to_owned(), principal);
        identity.insert("tenantId".to_owned(), LOCAL_TENANT_ID.into());
    } else {
        identity.shift_remove("principalId");
        identity.shift_remove("tenantId");
    }
    if let Some(Value::Object(assigned)) = identity.get_mut("userAssignedIdentities") {
        let known = before.and_then(|before| before.get("userAssignedIdentities"));
        for (id, ids) in assigned.iter_mut() {
            if let Some(known) = known.and_then(|known| known.get(id)).filter(|known| known.get("clientId").is_some()) {
                *ids = known.clone();
                continue;
            }
            let mut random = super::random_of(&id.to_lowercase());
            let mut guid =
                || uuid::Builder::from_random_bytes(std::array::from_fn(|_| random.u8(..))).into_uuid().to_string();
            *ids = json!({"principalId": guid(), "clientId": guid()});
        }
    }
    body.insert("identity".to_owned(), identity.into());
}
