//! Microsoft.Web/serverfarms: App Service plans.
//!
//! Sources: learn.microsoft.com "App Service limits" (instances and slots of a tier), "Azure Functions hosting options" (what runs
//! where), "Using private endpoints for App Service apps"; the azurerm provider (names of skus).

use super::web::{self, invalid_value};
use super::{Departure, Fixed, Refusal, ResourceId, State, Write, fill, properties_mut, property, random_of, text};
use crate::locations::run_together;
use crate::state::{Body, Resource};
use serde_json::{Value, json};

pub(super) const PLAN: &str = "Microsoft.Web/serverfarms";

pub(super) const READ_ONLY: &[&str] = &[
    "status",
    "subscription",
    "geoRegion",
    "maximumNumberOfWorkers",
    "numberOfWorkers",
    "numberOfSites",
    "resourceGroup",
    "webSpace",
    "planName",
    "currentNumberOfWorkers",
    "serverFarmId",
];

/// A tier of plans.
pub(super) struct Tier {
    pub(super) name: &'static str,
    skus: &'static [&'static str],
    /// The most instances.
    most_workers: u64,
    /// The most slots of an app beside production.
    pub(super) slots: usize,
}

const fn tier(name: &'static str, skus: &'static [&'static str], most_workers: u64, slots: usize) -> Tier {
    Tier { name, skus, most_workers, slots }
}

const TIERS: &[Tier] = &[
    tier("Free", &["F1"], 1, 0),
    tier("Shared", &["D1"], 1, 0),
    tier("Basic", &["B1", "B2", "B3"], 3, 0),
    tier("Standard", &["S1", "S2", "S3"], 10, 5),
    tier("Premium", &["P1", "P2", "P3"], 20, 20),
    tier("PremiumV2", &["P1v2", "P2v2", "P3v2"], 30, 20),
    tier("Premium0V3", &["P0v3"], 30, 20),
    tier("PremiumV3", &["P1v3", "P2v3", "P3v3"], 30, 20),
    tier("PremiumMV3", &["P1mv3", "P2mv3", "P3mv3", "P4mv3", "P5mv3"], 30, 20),
    tier("PremiumV4", &["P0v4", "P1v4", "P2v4", "P3v4"], 30, 20),
    tier("PremiumMV4", &["P1mv4", "P2mv4", "P3mv4", "P4mv4", "P5mv4"], 30, 20),
    tier("Isolated", &["I1", "I2", "I3"], 100, 20),
    tier("IsolatedV2", &["I1v2", "I2v2", "I3v2", "I4v2", "I5v2", "I6v2"], 100, 20),
    tier("IsolatedMV2", &["I1mv2", "I2mv2", "I3mv2", "I4mv2", "I5mv2"], 100, 20),
    tier("ElasticPremium", &["EP1", "EP2", "EP3"], 100, 2),
    tier("WorkflowStandard", &["WS1", "WS2", "WS3"], 100, 0),
    tier("Dynamic", &["Y1"], 0, 1),
    tier("FlexConsumption", &["FC1"], 1000, 0),
];

/// A sku in Azure's spelling, with its tier.
fn sku(name: &str) -> Option<(&'static Tier, &'static str)> {
    TIERS.iter().find_map(|tier| Some((tier, super::known_value(tier.skus, name)?)))
}

/// The tier of a plan; `None` where it is imported without a sku that is known.
pub(super) fn tier_of(plan: &Body) -> Option<&'static Tier> {
    sku(text(plan, "sku/name")?).map(|(tier, _)| tier)
}

/// True for plans whose instances run Linux. `kind` has no say in it.
pub(super) fn is_linux(plan: &Body) -> bool {
    property(plan, "reserved") == Some(&json!(true))
}

/// True for plans in an App Service Environment.
fn is_isolated(tier: &Tier) -> bool {
    tier.name.starts_with("Isolated")
}

/// True for Flex Consumption plans.
pub(super) fn is_flex(tier: &Tier) -> bool {
    tier.name == "FlexConsumption"
}

/// True where web apps run.
pub(super) fn runs_web_apps(tier: &Tier) -> bool {
    !matches!(tier.name, "ElasticPremium" | "WorkflowStandard" | "Dynamic" | "FlexConsumption")
}

/// True where function apps run. Workflows are another kind of them.
pub(super) fn runs_function_apps(tier: &Tier) -> bool {
    !matches!(tier.name, "Free" | "Shared" | "WorkflowStandard")
}

/// True where apps can have private endpoints.
pub(super) fn has_private_endpoints(tier: &Tier) -> bool {
    !matches!(tier.name, "Free" | "Shared" | "Dynamic")
}

/// The kind of a tier, which a plan cannot leave by another sku.
fn kind_of_tier(tier: &Tier) -> &'static str {
    match tier.name {
        "ElasticPremium" | "WorkflowStandard" | "Dynamic" | "FlexConsumption" => tier.name,
        _ if is_isolated(tier) => "Isolated",
        _ => "Dedicated",
    }
}

/// True for plans with instances of their own that stay on.
pub(super) fn is_dedicated(tier: &Tier) -> bool {
    !matches!(tier.name, "Free" | "Shared" | "Dynamic" | "FlexConsumption")
}

pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    web::check_name(id, "name", 1..=60)
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let before = write.existing.and_then(|existing| text(existing, "sku/name"));
    let name = text(write.body, "sku/name").or(before).ok_or_else(|| invalid_value("sku.name"))?;
    let (tier, _) = sku(name).ok_or_else(|| invalid_value("sku.name"))?;
    let capacity = write.body.get("sku").and_then(|sku| sku.get("capacity")).filter(|capacity| !capacity.is_null());
    if let Some(capacity) = capacity {
        let number = capacity.as_u64().ok_or_else(|| invalid_value("sku.capacity"))?;
        if number > tier.most_workers.max(1) {
            return Err(Refusal::bad_request(
                "BadRequest",
                format!(
                    "A plan of the tier '{}' has at most {} instances, not {number}.",
                    tier.name, tier.most_workers
                ),
            ));
        }
    }
    let linux = is_linux(write.body);
    if linux && tier.name == "Shared" {
        return Err(Refusal::bad_request("BadRequest", "The tier 'Shared' is not available for Linux plans."));
    }
    check_tier(write, tier, linux || write.existing.is_some_and(is_linux))?;
    if let Some(existing) = write.existing
        && property(write.body, "reserved").is_some_and(Value::is_boolean)
        && is_linux(existing) != linux
    {
        return Err(Refusal::conflict(
            "Conflict",
            format!("The property 'reserved' of App Service plan '{}' cannot be changed.", write.id.name()),
        ));
    }
    let key = write.id.key();
    if tier.slots == 0 && apps(write.state, &key).any(|app| app.text("type") == super::slots::SLOT) {
        return Err(super::slots::too_many(tier));
    }
    Ok(())
}

/// The tier can be had there, and an existing plan can come to it.
fn check_tier(write: &Write<'_>, tier: &'static Tier, linux: bool) -> Result<(), Refusal> {
    if is_flex(tier) && !linux {
        let message = format!("The tier '{}' is available for Linux plans only.", tier.name);
        return Err(Refusal::bad_request("BadRequest", message));
    }
    let environment = |body: &Body| text(body, "properties/hostingEnvironmentProfile/id").is_some();
    if is_isolated(tier) && !environment(write.body) && !write.existing.is_some_and(environment) {
        let message = format!("The tier '{}' is available in an App Service Environment only.", tier.name);
        return Err(Refusal::bad_request("BadRequest", message));
    }
    Ok(())
}

pub(super) const FIXED: &[Fixed] = &[Fixed { path: "sku.name", check: check_kind_of_tier }];

fn check_kind_of_tier(write: &Write<'_>, existing: &Body) -> Result<(), Refusal> {
    match (tier_of(existing), tier_of(write.body)) {
        (Some(before), Some(tier)) if kind_of_tier(before) != kind_of_tier(tier) => Err(Refusal::conflict(
            "Conflict",
            format!(
                "App Service plan '{}' cannot be changed from the tier '{}' to '{}'.",
                write.id.name(),
                before.name,
                tier.name
            ),
        )),
        _ => Ok(()),
    }
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    let before = |path: &str| write.existing.and_then(|existing| text(existing, path)).map(str::to_owned);
    let wanted = text(body, "sku/name").map(str::to_owned).or_else(|| before("sku/name")).unwrap_or_default();
    let capacity = body.get("sku").and_then(|sku| sku.get("capacity")).and_then(Value::as_u64);
    let (tier, name) = sku(&wanted).unwrap_or((&TIERS[0], "F1"));
    let capacity = match tier.name {
        "Dynamic" | "FlexConsumption" => 0,
        _ => capacity.unwrap_or(1).max(1),
    };
    // The first digit is the size: `P1v3` is of the family `Pv3`.
    let family = name.split_once(|letter: char| letter.is_ascii_digit());
    let family = family.map_or_else(|| name.to_owned(), |(before, after)| format!("{before}{after}"));
    body.insert(
        "sku".to_owned(),
        json!({"name": name, "tier": tier.name, "size": name, "family": family, "capacity": capacity}),
    );
    let linux_before = write.existing.is_some_and(is_linux);
    let region = text(body, "location").unwrap_or_default().to_owned();
    let group = write.id.group.clone().unwrap_or_default();
    let number = random_of(&write.id.key()).u32(10_000..99_999);
    let Some(properties) = properties_mut(body) else { return };
    fill(properties, "reserved", linux_before);
    let linux = properties.get("reserved") == Some(&json!(true));
    let elastic = tier.name == "ElasticPremium";
    for name in ["hyperV", "isXenon", "isSpot", "perSiteScaling", "zoneRedundant"] {
        fill(properties, name, false);
    }
    fill(properties, "elasticScaleEnabled", elastic);
    fill(properties, "maximumElasticWorkerCount", if elastic { 1_u64.max(capacity) } else { 1 });
    fill(properties, "targetWorkerCount", 0);
    fill(properties, "targetWorkerSizeId", 0);
    for (member, value) in [
        ("serverFarmId", json!(number)),
        ("status", json!("Ready")),
        ("subscription", json!(write.id.subscription)),
        ("geoRegion", json!(region)),
        ("resourceGroup", json!(group)),
        ("webSpace", json!(format!("{group}-{}webspace{}", run_together(&region), if linux { "-Linux" } else { "" }))),
        ("maximumNumberOfWorkers", json!(tier.most_workers)),
        ("numberOfWorkers", json!(capacity)),
        ("currentNumberOfWorkers", json!(capacity)),
    ] {
        properties.insert(member.to_owned(), value);
    }
    let kind = match tier.name {
        "ElasticPremium" => "elastic",
        "Dynamic" | "FlexConsumption" => "functionapp",
        _ if linux => "linux",
        _ => "app",
    };
    fill(body, "kind", before("kind").unwrap_or_else(|| kind.to_owned()));
}

/// The apps and slots on a plan.
pub(super) fn apps<'a>(state: &'a State, plan: &'a str) -> impl Iterator<Item = &'a Resource> {
    state.referrers(plan).map(|(_, resource)| resource).filter(move |resource| {
        let app = [super::sites::SITE, super::slots::SLOT].contains(&resource.text("type"));
        app && text(&resource.body, "properties/serverFarmId").is_some_and(|id| id.eq_ignore_ascii_case(plan))
    })
}

/// A plan counts its apps.
pub(super) fn show(state: &State, body: &mut Body) {
    let key = text(body, "id").unwrap_or_default().to_lowercase();
    let count = apps(state, &key).filter(|app| app.text("type") == super::sites::SITE).count();
    if let Some(properties) = properties_mut(body) {
        properties.insert("numberOfSites".to_owned(), count.into());
    }
}

pub(super) fn check_departure(departure: &Departure<'_>) -> Result<(), Refusal> {
    let key = departure.id.key();
    let staying: Vec<&str> = apps(departure.state, &key)
        .filter(|app| !departure.takes_along(&app.text("id").to_lowercase()))
        .map(|app| app.text("name"))
        .collect();
    if staying.is_empty() {
        return Ok(());
    }
    Err(Refusal::conflict(
        "Conflict",
        format!(
            "Server farm '{}' cannot be deleted because it has web app(s) {} assigned to it.",
            departure.id.name(),
            staying.join(", ")
        ),
    ))
}
