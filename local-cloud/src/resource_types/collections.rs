//! Collections whose items follow from other resources, all or in part, instead of being written: connections, apps of a plan,
//! host names, record sets, categories, built-in roles.

use super::authorization::ROLE_DEFINITION;
use super::{
    app_service_plans, diagnostic_settings, private_dns, private_link, property, site_config, sites, slots, text,
};
use crate::lookup::{look_up, shown};
use crate::path::ResourceId;
use crate::published;
use crate::state::{Body, Resource, State};
use serde_json::{Value, json};

/// A child that is there from the start: its name, and its properties.
pub(super) type DefaultChild = (&'static str, fn() -> Value);

/// The items of such a collection of a scope; none where the word is of no such one.
pub(crate) fn following(state: &State, scope: &ResourceId, namespace: Option<&str>, word: &str) -> Option<Vec<Body>> {
    let type_name = scope.type_name();
    let of = |name: &str| type_name.eq_ignore_ascii_case(name);
    match (namespace.map(str::to_lowercase).as_deref(), word.to_lowercase().as_str()) {
        (None, "privateendpointconnections") => {
            let connections = private_link::connections(state, scope);
            (private_link::has_groups(&type_name) || !connections.is_empty()).then_some(connections)
        }
        (None, "sites") if of(app_service_plans::PLAN) => Some(sites_of(state, scope)),
        (None, "hostnamebindings") if of(sites::SITE) || of(slots::SLOT) => host_name_bindings(state, scope),
        (None, "config") if of(sites::SITE) || of(slots::SLOT) => {
            let here = with_defaults(state, scope, "config", site_config::ALWAYS_THERE);
            Some(here.into_iter().filter(|config| text(config, "name").is_some_and(site_config::is_shown)).collect())
        }
        (None, "basicpublishingcredentialspolicies") if of(sites::SITE) || of(slots::SLOT) => {
            Some(with_defaults(state, scope, "basicPublishingCredentialsPolicies", sites::PUBLISHING_POLICIES))
        }
        (None, kind) if of(private_dns::ZONE) => private_dns::record_sets(state, scope, kind),
        (Some("microsoft.insights"), "diagnosticsettingscategories") => diagnostic_settings::categories(scope),
        (Some("microsoft.authorization"), "roledefinitions") => Some(role_definitions(state, scope)),
        _ => None,
    }
}

/// The item with an id, where the id is of one.
pub(crate) fn item(state: &State, id: &ResourceId) -> Option<Body> {
    let (parent, type_name, key) = (id.parent(), id.type_name(), id.key());
    look_up(state, &parent).ok()?;
    let (namespace, word) = (id.namespace(), type_name.rsplit('/').next()?);
    let items = following(state, &parent, (!id.is_child()).then_some(namespace), word)?;
    items.into_iter().find(|item| text(item, "id").is_some_and(|id| id.eq_ignore_ascii_case(&key)))
}

/// Whether the resource with an id follows from others alone, so that it is not written.
pub(crate) fn is_only_read(id: &ResourceId) -> bool {
    let type_name = id.type_name().to_lowercase();
    let of = |parent: &str| id.is_child() && id.parent().type_name().eq_ignore_ascii_case(parent);
    match type_name.rsplit('/').next() {
        Some("privateendpointconnections") => id.is_child(),
        Some("diagnosticsettingscategories") => true,
        Some("sites") => of(app_service_plans::PLAN),
        _ => false,
    }
}

/// The children of one kind: those that every app has, as they are while nobody has changed them, and those that were written.
fn with_defaults(state: &State, app: &ResourceId, kind: &str, defaults: &[DefaultChild]) -> Vec<Body> {
    let prefix = format!("{}/{}/", app.key(), kind.to_lowercase());
    let written = |key: &str| state.get(key).is_some();
    let own = defaults.iter().filter(|(name, _)| !written(&format!("{prefix}{}", name.to_lowercase())));
    let own = own.filter_map(|(name, properties)| {
        let id = app.with(None, kind, name);
        json!({"id": id.text(), "name": name, "type": id.type_name(), "properties": properties()}).as_object().cloned()
    });
    let there = state.below(&prefix).filter(|(key, _)| !key[prefix.len()..].contains('/'));
    own.chain(there.map(|(_, child)| child.body.clone())).collect()
}

/// The sites on a plan, as they are shown.
fn sites_of(state: &State, plan: &ResourceId) -> Vec<Body> {
    let key = plan.key();
    let sites = app_service_plans::apps(state, &key).filter(|app| app.text("type") == sites::SITE);
    let show = |site: &Resource| super::find(sites::SITE).map(|entry| shown(state, entry, site.body.clone()));
    sites.filter_map(show).collect()
}

/// The bindings of an app: the one of the name it has by itself, and those that were made.
fn host_name_bindings(state: &State, app: &ResourceId) -> Option<Vec<Body>> {
    let body = look_up(state, app).ok()?;
    let host = text(&body, "properties/defaultHostName")?;
    let names = app.names().join("/");
    let own = json!({
        "id": format!("{}/hostNameBindings/{host}", app.text()),
        "name": format!("{names}/{host}"),
        "type": format!("{}/hostNameBindings", app.type_name()),
        "location": body.get("location"),
        "properties": {"siteName": app.top().name(), "hostNameType": "Verified", "azureResourceType": "Website"},
    });
    let made = sites::bindings(state, app).into_iter().map(|binding| binding.body.clone());
    Some(own.as_object().cloned().into_iter().chain(made).collect())
}

/// The built-in roles, and those that were defined at the scope.
fn role_definitions(state: &State, scope: &ResourceId) -> Vec<Body> {
    let built_in = published::roles().filter_map(|(guid, name)| {
        let id = scope.container().with_group(None).with(Some("Microsoft.Authorization"), "roleDefinitions", guid);
        let body = json!({
            "id": id.text(), "name": guid, "type": ROLE_DEFINITION,
            "properties": {"roleName": name, "type": "BuiltInRole", "assignableScopes": ["/"]},
        });
        body.as_object().cloned()
    });
    let prefix = format!("{}/providers/microsoft.authorization/roledefinitions/", scope.key());
    let defined = state.below(&prefix).map(|(_, role)| role.body.clone());
    built_in.chain(defined).collect()
}

/// The name of a role.
pub(crate) fn role_name(role: &Body) -> Option<&str> {
    property(role, "roleName").and_then(Value::as_str)
}
