//! New-SvcPaasWeb: web apps with slots, function apps, CDNs and API management, and the front door in front of them.

mod api_management;
mod app;
mod app_settings;
mod content_delivery;
mod export;
mod flex;
mod front_door;
mod function_app;
mod function_storage;
mod plan;
mod profile;
mod settings;
mod solutions;
mod stacks;
mod web_app;

use self::settings::WebSettings;
use self::stacks::Runner;
use super::shared::command::{Command, Example, Settings, documents, settings_of};
use super::shared::compilation::Compilation;
use super::shared::parameters::{SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE};
use super::shared::property::{PropertiesAt, defaults};
use crate::azure::types::{self, PlanSku};
use crate::azure::{ResourceId, ResourceType};
use crate::desired::Source;
use crate::settings::Place;

/// The values that editors offer for a setting, by the name in its schema; none where they are not of web hosting.
pub(super) fn offered(name: &str) -> Option<Vec<String>> {
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    Some(match name {
        "plan skus" => owned(PlanSku::names().collect()),
        "api management tiers" => owned(api_management::tiers().collect()),
        "web stacks" => stacks::offered(Runner::WebApp),
        "function stacks" => stacks::offered(Runner::FunctionApp),
        _ => return None,
    })
}

/// The entry in the registry.
pub(super) const COMMAND: Command = Command {
    name: "New-SvcPaasWeb",
    component: "web",
    synopsis: "Deploys web apps, function apps and API management services, and the front door and CDNs in front of them.",
    description: "Reads a settings document and creates or updates resource groups with app service plans, web apps with their slots, \
        function apps and API management services, and a front door with pools, domains and rules that sends requests to them. \
        App settings that the document does not mention are kept. Resources that already match the document are not changed, so a second run of the same \
        document does nothing.",
    parameters: &[SETTINGS_FILE, SETTINGS_OBJECT, TAG_SETTINGS_FILE],
    examples: &[
        Example {
            code: "New-SvcPaasWeb -SettingsFile web.yml -WhatIf",
            text: "Shows what would be created or changed, property by property.",
        },
        Example {
            code: "New-SvcPaasWeb -SettingsFile web.yml -TagSettingsFile tags.yml",
            text: "Deploys the document and puts the tags of a tag settings file on everything that takes tags.",
        },
        Example {
            code: "Get-Content web.json -Raw | ConvertFrom-Json | New-SvcPaasWeb",
            text: "Deploys settings that are already an object, from the pipeline.",
        },
        Example {
            code: "$settings = Get-Content web.json -Raw | ConvertFrom-Json -AsHashtable\n$settings.webSolutions = @($settings.webSolutions | Where-Object name -eq 'Shop')\nNew-SvcPaasWeb -SettingsObject $settings",
            text: "Deploys one of the solutions of a document. The script changes the settings object first.",
        },
    ],
    documents: documents!("web"),
    settings: settings_of::<WebSettings>(),
    properties: &[
        PropertiesAt::new("frontdoor.backEndPools", || defaults(front_door::OF_POOL)),
        PropertiesAt::new("webSolutions.appServicePlans.webapps", || defaults(profile::OF_ORIGIN)),
        PropertiesAt::new("webSolutions.apiManagementServices", || defaults(profile::OF_ORIGIN)),
    ],
    publishes: &[
        &types::API_MANAGEMENT,
        &types::CDN_PROFILE,
        &types::PRIVATE_ENDPOINT,
        &types::APP_SERVICE_PLAN,
        &types::WEB_APP,
        &types::SLOT,
    ],
    export: export::EXPORT,
};

/// Something that a pool of the front door can send requests to.
#[derive(Debug, Clone)]
struct Backend {
    /// Its name in the settings.
    name: String,
    /// The web app or API management service.
    id: ResourceId,
    /// The facts of its type.
    resource_type: &'static ResourceType,
    /// The property in which Azure says under which host name it answers. It is never guessed.
    host: Source,
    routing: Routing,
    /// The object that describes it.
    place: Place,
}

impl Backend {
    /// Whether it names this pool.
    fn is_in(&self, pool: &str) -> bool {
        self.routing.pool.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(pool))
    }
}

/// The settings of a web app or an API management service about the pool that sends requests to it.
#[derive(Debug, Clone, Default)]
struct Routing {
    /// The pool, as the backend names it; none where it names none.
    pool: Option<String>,
    /// Whether it is asked for by its own host name, where the settings say.
    host_header: Option<bool>,
    /// Its share among backends of one priority, where the settings say.
    weight: Option<i64>,
    /// Backends of a lower number are asked first, where the settings say.
    priority: Option<i64>,
}

impl Settings for WebSettings {
    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        if self.web_solutions.as_ref().is_none_or(Vec::is_empty) && self.frontdoor.is_none() {
            compilation
                .warning(&root.dotted("webSolutions"), "not set, and frontdoor is not set either; nothing is deployed");
        }
        let mut backends = Vec::new();
        solutions::compile(self, root, &mut backends, compilation);
        front_door::compile(self, root, &backends, compilation);
    }
}
