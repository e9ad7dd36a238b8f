//! A solution of a document: the plans of a resource group with their apps, and its API management services.

use serde_json::Value;

use super::{Document, is_function, region, service_of};
use crate::azure::types::private_link::slot_group_id;
use crate::azure::types::{
    API_MANAGEMENT, APP_SERVICE_PLAN, APP_SETTINGS, CDN_PROFILE, COMPONENT, FRONT_DOOR_ENDPOINT, FUNCTION_APP,
    RESOURCE_GROUP, SLOT, STORAGE_ACCOUNT, WEB_APP,
};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::shared::export::{Estate, NOT_GENERATED, Names, There, list, object, plain, required};
use crate::commands::shared::private_link::nested;
use crate::commands::shared::property;
use crate::commands::web::api_management;
use crate::commands::web::app::CONNECTION_STRING;
use crate::commands::web::app_settings;
use crate::commands::web::content_delivery::name_of_endpoint;
use crate::commands::web::function_storage::account_of;
use crate::naming::{Architecture, ResourceKind, same_location};
use crate::settings::{Written, WrittenKey};

/// The group id that a private endpoint connects to in an app.
const APP: &str = "sites";

/// The published application insights that most apps report to, with their connection string. A document has one.
pub(super) fn insights<'a>(estate: &'a Estate<'a>) -> Option<(&'a str, String)> {
    let settings: Vec<&There> = estate.of_type(&APP_SETTINGS).collect();
    let known = estate.of_type(&COMPONENT).filter_map(|there| {
        let text = there.said("properties.ConnectionString")?.as_str()?.to_owned();
        let reports = |there: &&&There| app_settings::value(Some(&there.body), CONNECTION_STRING) == Some(&text);
        let count = settings.iter().filter(reports).count();
        (count > 0).then_some((count, estate.publish_name(&there.id)?, text))
    });
    known.max_by_key(|(count, ..)| *count).map(|(_, name, text)| (name, text))
}

impl<'a> Document<'a> {
    /// The keys of the solution in a group; none where there is none, or with a note that says why.
    pub(super) fn solution(&self, group: &'a ResourceId, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        let estate = self.estate;
        let plans: Vec<&There> = self.below(group, &APP_SERVICE_PLAN).collect();
        let services: Vec<&There> = self.below(group, &API_MANAGEMENT).collect();
        // The group is where its first plan is, or else its first API management service.
        let first = plans.first().or(services.first())?;
        let location = if *group == estate.group.id {
            estate.group.location()
        } else {
            estate.published_at(group).map_or(first.location(), |(_, location)| location)
        };
        let made = (ResourceKind::ResourceGroup, Architecture::Paas, Some(location));
        let Some(name) = estate.name_behind(group.name(), &RESOURCE_GROUP, made) else {
            notes.push(format!("The {} '{}' is left out: {NOT_GENERATED}.", RESOURCE_GROUP.label, group.name()));
            return None;
        };
        let mut keys = vec![required("name", name)];
        let own = (*group == estate.group.id).then(|| estate.published(estate.group)).flatten();
        let publish = own.or_else(|| estate.publish_name(group)).map(|name| plain("resourceGroup", name));
        keys.extend(Names { publish: publish.into_iter().collect(), ..Names::default() }.key());
        let in_place = |there: &&There| !same_location(there.location(), location);
        let (mut plans, mut services) = (plans, services);
        plans.sort_by_key(in_place);
        services.sort_by_key(in_place);
        let plans = plans.into_iter().filter_map(|plan| self.plan(plan, notes)).map(Written::Object).collect();
        keys.extend(list("appServicePlans", plans));
        let services = services.into_iter().filter_map(|service| self.api_management(service, notes));
        keys.extend(list("apiManagementServices", services.map(Written::Object).collect()));
        Some(keys)
    }

    /// The name in the settings of a resource; none, with a note, where the convention does not generate its name.
    fn name(
        &self,
        kind: ResourceKind,
        resource_type: &ResourceType,
        there: &There,
        notes: &mut Vec<String>,
    ) -> Option<WrittenKey> {
        let made = (kind, Architecture::Paas, Some(there.location()));
        let name = self.estate.name_behind(there.id.name(), resource_type, made);
        if name.is_none() {
            notes.push(format!("The {} '{}' is left out: {NOT_GENERATED}.", resource_type.label, there.id.name()));
        }
        name.map(|name| required("name", name))
    }

    fn plan(&self, plan: &'a There, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        let mut keys = vec![self.name(ResourceKind::AppServicePlan, &APP_SERVICE_PLAN, plan, notes)?];
        keys.push(required("sku", plan.said("sku.name")?));
        keys.push(required("region", region(plan)));
        keys.extend(service_of("appServicePlan", plan, self.estate));
        let on_plan = |app: &&There| {
            app.said("properties.serverFarmId").as_ref().and_then(Value::as_str).and_then(ResourceId::checked).as_ref()
                == Some(&plan.id)
        };
        let (mut functions, mut webapps) = (Vec::new(), Vec::new());
        for app in self.estate.of_type(&WEB_APP).filter(on_plan) {
            if app.id.group_id() != plan.id.group_id() {
                notes.push(format!("The app '{}' is left out: its plan is in another resource group.", app.id.name()));
            } else if is_function(app) {
                functions.extend(self.function(app, notes).map(Written::Object));
            } else {
                webapps.extend(self.web_app(app, notes).map(Written::Object));
            }
        }
        keys.extend(list("functions", functions));
        keys.extend(list("webapps", webapps));
        Some(keys)
    }

    /// The setting of an app for application insights. One that does not report keeps its settings where nothing is said.
    fn reports(&self, app: &There) -> Option<WrittenKey> {
        let (_, connection_string) = self.insights.as_ref()?;
        let settings = self.settings(app)?;
        let own = app_settings::value(Some(settings), CONNECTION_STRING);
        (own == Some(connection_string)).then(|| plain("enableAppInsight", true))
    }

    fn settings(&self, app: &There) -> Option<&'a Value> {
        let (id, _) = app_settings::of(&app.id);
        self.estate.of_type(&APP_SETTINGS).find(|there| there.id == id).map(|there| &there.body)
    }

    fn web_app(&self, app: &'a There, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        let mut keys = vec![self.name(ResourceKind::WebApp, &WEB_APP, app, notes)?];
        keys.extend(self.reports(app));
        keys.extend(self.door.iter().flat_map(|door| door.routing(app)));
        let stack = app.said("properties.siteConfig.linuxFxVersion").filter(|stack| *stack != "");
        let Some(stack) = stack else {
            notes.push(format!("The {} '{}' is left out: it has no Linux stack.", WEB_APP.label, app.id.name()));
            return None;
        };
        keys.push(required("runTime", stack));
        keys.extend(service_of("webapp", app, self.estate));
        let slots = self.below(&app.id, &SLOT).map(|slot| self.slot(slot, app, notes)).collect();
        keys.extend(list("slots", slots));
        keys.extend(nested(app, Some(APP), self.estate, notes));
        let profile = self.below_group_of(app).find(|profile| self.is_of(app, &profile.id));
        keys.extend(
            profile.and_then(|profile| object("contentDeliveryNetwork", self.content_delivery(profile, app, notes)?)),
        );
        Some(keys)
    }

    fn below_group_of(&self, app: &'a There) -> impl Iterator<Item = &'a There> {
        let group = app.id.group_id();
        self.estate.of_type(&CDN_PROFILE).filter(move |profile| profile.id.group_id() == group)
    }

    fn slot(&self, slot: &There, app: &There, notes: &mut Vec<String>) -> Written {
        let service = service_of("slot", slot, self.estate);
        let endpoints = nested(app, Some(&slot_group_id(slot.id.name())), self.estate, notes);
        if service.is_none() && endpoints.is_none() {
            return Written::Plain(slot.id.name().into());
        }
        Written::Object([required("name", slot.id.name())].into_iter().chain(service).chain(endpoints).collect())
    }

    /// Whether a profile is the CDN of an app.
    pub(super) fn is_of(&self, app: &There, profile: &ResourceId) -> bool {
        self.endpoint_of(app, profile).is_some() && app.id.group_id() == profile.group_id()
    }

    fn endpoint_of(&self, app: &There, profile: &ResourceId) -> Option<&'a There> {
        let name = name_of_endpoint(app.id.name());
        let mut endpoints = self.estate.of_type(&FRONT_DOOR_ENDPOINT);
        endpoints
            .find(|there| there.id.parent().as_ref() == Some(profile) && there.id.name().eq_ignore_ascii_case(&name))
    }

    fn content_delivery(&self, profile: &There, app: &There, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        // The profile is global, so only its name says which region the settings have.
        let (name, likely) = (profile.id.name(), region(app));
        let behind = self.estate.name_and_region_behind(name, &CDN_PROFILE, ResourceKind::CdnProfile, &likely);
        let Some((name, region)) = behind else {
            notes.push(format!("The {} '{}' is left out: {NOT_GENERATED}.", CDN_PROFILE.label, profile.id.name()));
            return None;
        };
        let mut names = Names::default();
        names.publish.extend(self.estate.published(profile).map(|name| plain("cdn", name)));
        let endpoint = self.endpoint_of(app, &profile.id);
        let endpoint = endpoint.and_then(|endpoint| self.estate.published(endpoint));
        names.publish.extend(endpoint.map(|name| plain("endpoint", name)));
        let mut keys =
            vec![required("name", name), required("sku", profile.said("sku.name")?), required("region", region)];
        keys.extend(names.key());
        Some(keys)
    }

    fn function(&self, app: &There, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        let mut keys = vec![self.name(ResourceKind::FunctionApp, &FUNCTION_APP, app, notes)?];
        keys.extend(self.reports(app));
        // On a Flex Consumption plan the configuration has what elsewhere is one text.
        let flex = app.said("properties.functionAppConfig.runtime").and_then(|runtime| {
            let text = |key: &str| runtime.get(key)?.as_str().map(str::to_owned);
            Some(format!("{}|{}", text("name")?.to_uppercase(), text("version")?).into())
        });
        let stack = flex.or_else(|| app.said("properties.siteConfig.linuxFxVersion")).filter(|stack| *stack != "");
        let account = account_of(&app.body, self.settings(app));
        let published = account.and_then(|account| {
            let mut accounts = self.estate.services.published_of(&STORAGE_ACCOUNT);
            accounts.find(|(id, _)| id.name().eq_ignore_ascii_case(&account)).map(|(_, name)| name)
        });
        let why = match (&stack, published) {
            (None, _) => "it has no Linux stack",
            (_, None) => "its storage account is not known, or has no publish name",
            _ => "",
        };
        let (Some(stack), Some(storage)) = (stack, published) else {
            notes.push(format!("The {} '{}' is left out: {why}.", FUNCTION_APP.label, app.id.name()));
            return None;
        };
        keys.push(required("runtime", stack));
        let publish = self.estate.published(app).map(|name| plain("function", name)).into_iter().collect();
        keys.extend(Names { dependencies: vec![required("storage", storage)], publish }.key());
        keys.extend(nested(app, Some(APP), self.estate, notes));
        Some(keys)
    }

    fn api_management(&self, service: &There, notes: &mut Vec<String>) -> Option<Vec<WrittenKey>> {
        let mut keys = vec![self.name(ResourceKind::ApiManagementService, &API_MANAGEMENT, service, notes)?];
        keys.push(required("region", region(service)));
        keys.extend(property::keys(api_management::PROPERTIES, &API_MANAGEMENT, &service.body));
        keys.extend(service.said("sku.name").map(|tier| required("sku", tier)));
        let units = service.said("sku.capacity").filter(|units| units.as_i64() != Some(0));
        keys.extend(units.map(|units| plain("skuCount", units)));
        keys.extend(self.door.iter().flat_map(|door| door.routing(service)));
        keys.extend(service_of("apiManagement", service, self.estate));
        Some(keys)
    }
}
