//! Microsoft.Web/sites/slots: deployment slots.

use super::app_service_plans::{self, Tier};
use super::sites::{
    self, check_app, check_plan, complete_app, default_host_name, is_host_name_taken, plan_of, show_app,
};
use super::web::{self, invalid_value};
use super::{Call, Companion, Refusal, ResourceId, State, Write, text};
use crate::lookup::look_up;
use crate::state::{Body, Resource};
use serde_json::Value;

pub(super) const SLOT: &str = "Microsoft.Web/sites/slots";
/// The site itself counts as a slot of this name.
const PRODUCTION: &str = "production";
/// The most letters of the site's and the slot's name with a hyphen between them: they are one label of a host name.
const LONGEST_HOST_LABEL: usize = 63;

/// The refusal where the tier has no room for another slot.
pub(super) fn too_many(tier: &Tier) -> Refusal {
    Refusal::conflict(
        "Conflict",
        format!(
            "Cannot complete the operation because the site will exceed the number of slots allowed for the '{}' SKU.",
            tier.name
        ),
    )
}

pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    web::check_name(id, "slot", 2..=59)?;
    if id.name().eq_ignore_ascii_case(PRODUCTION) || host_label(id).len() > LONGEST_HOST_LABEL {
        return Err(invalid_value("slot"));
    }
    Ok(())
}

fn host_label(id: &ResourceId) -> String {
    format!("{}-{}", id.parent().name(), id.name())
}

/// A slot is on the plan of its site where it names none.
fn plan_in<'a>(body: &'a Body, site: &'a Body) -> &'a Body {
    if text(body, "properties/serverFarmId").is_some_and(|plan| !plan.is_empty()) { body } else { site }
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let site_id = write.id.parent();
    let site = look_up(write.state, &site_id)?;
    let plan = check_plan(write, plan_in(write.body, &site))?;
    check_app(write, &plan)?;
    if write.existing.is_some() {
        return Ok(());
    }
    // Also those that are still being created.
    let prefix = format!("{}/slots/", site_id.key());
    let is_slot = |key: &str| key.strip_prefix(&prefix).is_some_and(|rest| !rest.contains('/'));
    let others = write.state.all().filter(|(key, _)| is_slot(key) && *key != write.id.key()).count();
    if let Some(tier) = app_service_plans::tier_of(&plan)
        && others >= tier.slots
    {
        return Err(too_many(tier));
    }
    let host = default_host_name(write.id, write.body, &host_label(write.id));
    if is_host_name_taken(write.state, write.id, &host) {
        let message = format!("Website with given name {} already exists.", host_label(write.id));
        return Err(Refusal::conflict("Conflict", message));
    }
    Ok(())
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let site = look_up(write.state, &write.id.parent()).ok();
    let holder = site.as_deref().map_or(&*body, |site| plan_in(body, site));
    let plan = plan_of(write.state, write.id, holder);
    complete_app(write, body, plan.as_deref(), &host_label(write.id));
    // A slot prints the name of its site before its own.
    let id = text(body, "id").and_then(ResourceId::parse).unwrap_or_default();
    body.insert("name".to_owned(), id.names().join("/").into());
}

/// A slot shows the tier of its plan and little of its configuration.
pub(super) fn show(state: &State, body: &mut Body) {
    show_app(state, body);
}

/// The default host name of a slot of a site, where there is such a slot.
pub(super) fn default_host(state: &State, site: &ResourceId, slot: &str) -> Option<String> {
    let body = look_up(state, &site.with(None, "slots", slot)).ok()?;
    text(&body, "properties/defaultHostName").map(str::to_owned)
}

/// The default host name of a site.
pub(super) fn default_host_of_site(state: &State, site: &ResourceId) -> Option<String> {
    let body = look_up(state, site).ok().filter(|body| text(body, "type") == Some(sites::SITE))?;
    text(&body, "properties/defaultHostName").map(str::to_owned)
}

/// `POST {app}/slotsswap` and `applySlotConfig`: an app and a slot change places in how they are configured, or the app gets what the
/// slot has. Settings that stay with their slot do. Source: azure-rest-api-specs 2024-04-01, `ApplySlotConfig`.
pub(super) fn exchange(call: &Call<'_>, both: bool) -> Result<Vec<Companion>, Refusal> {
    let target = call.body.get("targetSlot").and_then(Value::as_str).filter(|slot| !slot.is_empty());
    let target = target.ok_or_else(|| invalid_value("targetSlot"))?;
    let site = call.id.top();
    let other = if target.eq_ignore_ascii_case(PRODUCTION) { site.clone() } else { site.with(None, "slots", target) };
    look_up(call.state, &other)?;
    let config = |app: &ResourceId, name: &str| call.state.get(&app.with(None, "config", name).key());
    let sticky = config(&site, "slotConfigNames").map(|names| &names.body);
    let mut changes = Vec::new();
    for (name, stays) in
        [("web", ""), ("appsettings", "appSettingNames"), ("connectionstrings", "connectionStringNames")]
    {
        let names = sticky.and_then(|names| super::property(names, stays)).and_then(Value::as_array);
        let stays =
            |name: &str| name == "publishingUsername" || names.is_some_and(|names| names.contains(&name.into()));
        let (Some(one), Some(two)) = (config(call.id, name), config(&other, name)) else { continue };
        let ends = if both { vec![(one, two), (two, one)] } else { vec![(one, two)] };
        for (to, from) in ends {
            let of = |app: &Resource, own: bool| {
                let all = app.body.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
                all.into_iter().filter(move |(name, _)| stays(name) == own).collect::<Body>()
            };
            let mut body = to.body.clone();
            body.insert("properties".to_owned(), of(from, false).into_iter().chain(of(to, true)).collect());
            changes.push(Companion::Put(body));
        }
    }
    Ok(changes)
}
