//! Web solutions: plans, the apps on them, and API management.

use schemars::JsonSchema;
use serde::Deserialize;

use super::PublishOnly;
use crate::commands::shared::service::{NestedEndpoint, Service};

/// A web solution: a resource group with its plans and API management services.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebSolution {
    /// Name from which the name of the resource group is generated.
    pub(in crate::commands::web) name: String,
    /// Publish name of the resource group.
    pub(in crate::commands::web) service: PublishOnly<GroupPublish>,
    /// App service plans, each with the apps that run on it.
    pub(in crate::commands::web) app_service_plans: Option<Vec<AppServicePlan>>,
    /// API management services.
    pub(in crate::commands::web) api_management_services: Option<Vec<ApiManagement>>,
}

/// Publish name of the resource group of a solution.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct GroupPublish {
    /// Publish name of the resource group of this solution.
    pub(in crate::commands::web) resource_group: Option<String>,
}

/// An app service plan and the apps that share it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct AppServicePlan {
    /// Name from which the name of the plan is generated.
    pub(in crate::commands::web) name: String,
    /// Size of the plan, such as B1, S1 or P1v3; EP1, Y1 or FC1 for function apps.
    #[schemars(extend("x-offered" = "plan skus"))]
    pub(in crate::commands::web) sku: String,
    /// Location of the plan and its apps.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// Accepted, but ignored: every plan runs Linux.
    #[schemars(extend("deprecated" = true))]
    pub(in crate::commands::web) kind: Option<String>,
    /// Publish name of the plan.
    pub(in crate::commands::web) service: PublishOnly<PlanPublish>,
    /// Function apps that run on the plan.
    pub(in crate::commands::web) functions: Option<Vec<FunctionApp>>,
    /// Web apps that run on the plan.
    pub(in crate::commands::web) webapps: Option<Vec<WebApp>>,
}

/// Publish name of a plan.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct PlanPublish {
    /// Publish name of this plan.
    pub(in crate::commands::web) app_service_plan: Option<String>,
}

/// A function app.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionApp {
    /// Name from which the name of the app is generated.
    pub(in crate::commands::web) name: String,
    /// Whether the app reports to application insights. With false, the app settings for those of the document are removed. Default: false
    /// for a new app; an existing one keeps its settings.
    pub(in crate::commands::web) enable_app_insight: Option<bool>,
    /// The technology stack and its version, such as PYTHON|3.12.
    #[schemars(extend("x-offered" = "function stacks"))]
    pub(in crate::commands::web) runtime: String,
    /// Publish names of the app and of its storage account.
    pub(in crate::commands::web) service: Option<Service<FunctionDependencies, FunctionPublish>>,
    /// Private endpoints: addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Publish name of what a function app depends on.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionDependencies {
    /// Publish name of the storage account of this function app.
    pub(in crate::commands::web) storage: Option<String>,
}

/// Publish name of a function app.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionPublish {
    /// Publish name of this function app.
    pub(in crate::commands::web) function: Option<String>,
}

/// A web app with its slots.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebApp {
    /// Name from which the name of the app is generated.
    pub(in crate::commands::web) name: String,
    /// Whether the app reports to application insights. With false, the app settings for those of the document are removed. Default: false
    /// for a new app; an existing one keeps its settings.
    pub(in crate::commands::web) enable_app_insight: Option<bool>,
    /// Name of the backend pool of the front door that the app joins.
    pub(in crate::commands::web) backendpool: Option<String>,
    /// Whether the front door sends requests with the app's own host name.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) backend_host_header: Option<bool>,
    /// Share of the requests among backends of the same priority, from 1 to 1000.
    #[schemars(range(min = 1, max = 1000))]
    pub(in crate::commands::web) weight: Option<i64>,
    /// Priority of the backend, from 1 to 5. The lowest number is used first.
    #[schemars(range(min = 1, max = 5))]
    pub(in crate::commands::web) priority: Option<i64>,
    /// The technology stack and its version, such as NODE|22-lts. Existing slots keep their own.
    #[schemars(extend("x-offered" = "web stacks"))]
    pub(in crate::commands::web) run_time: String,
    /// Publish name of the app.
    pub(in crate::commands::web) service: PublishOnly<WebAppPublish>,
    /// Deployment slots: names, or objects with a name.
    pub(in crate::commands::web) slots: Option<Vec<SlotEntry>>,
    /// A CDN in front of the app.
    pub(in crate::commands::web) content_delivery_network: Option<ContentDeliveryNetwork>,
    /// Private endpoints: addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Publish name of a web app.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebAppPublish {
    /// Publish name of this web app.
    pub(in crate::commands::web) webapp: Option<String>,
}

/// A deployment slot: its name, or an object with its name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::commands::web) enum SlotEntry {
    /// The name.
    Name(String),
    /// The name and more.
    Slot(Slot),
}

/// A deployment slot.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct Slot {
    /// Name of the slot. The name production stands for the app itself, and no slot is made of it.
    pub(in crate::commands::web) name: String,
    /// Publish name of the slot.
    pub(in crate::commands::web) service: PublishOnly<SlotPublish>,
    /// Private endpoints: addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Publish name of a slot.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct SlotPublish {
    /// Publish name of this slot.
    pub(in crate::commands::web) slot: Option<String>,
}

/// A CDN in front of a web app.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ContentDeliveryNetwork {
    /// Name from which the name of the profile is generated.
    pub(in crate::commands::web) name: String,
    /// Tier of the profile, such as Standard_AzureFrontDoor or Premium_AzureFrontDoor. Words of retired tiers are taken: Front Door Premium is used where one says premium, else Standard.
    pub(in crate::commands::web) sku: String,
    /// Location in the generated name, in lower case without spaces, such as westeurope. The profile itself is global.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "location names"))]
    pub(in crate::commands::web) region: String,
    /// Publish names of the profile and its endpoint.
    pub(in crate::commands::web) service: PublishOnly<ContentDeliveryPublish>,
}

/// Publish names of a CDN profile and its endpoint.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ContentDeliveryPublish {
    /// Publish name of this profile.
    pub(in crate::commands::web) cdn: Option<String>,
    /// Publish name of its endpoint.
    pub(in crate::commands::web) endpoint: Option<String>,
}

/// An API management service.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ApiManagement {
    /// Name from which the name of the service is generated.
    pub(in crate::commands::web) name: String,
    /// Location of the service.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// Name of the organisation that publishes the APIs.
    pub(in crate::commands::web) publisher_name: String,
    /// Email address of the administrator, who gets notifications of the service.
    pub(in crate::commands::web) publisher_email: String,
    /// Tier of the service, such as Developer, Premium or Consumption.
    #[schemars(extend("x-offered" = "api management tiers"))]
    pub(in crate::commands::web) sku: String,
    /// The number of units. Default: 1 for a new service; an existing one keeps its own.
    pub(in crate::commands::web) sku_count: Option<i64>,
    /// Name of the backend pool of the front door that the service joins.
    pub(in crate::commands::web) backendpool: Option<String>,
    /// Whether the front door sends requests with the service's own host name.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) backend_host_header: Option<bool>,
    /// Share of the requests among backends of the same priority, from 1 to 1000.
    #[schemars(range(min = 1, max = 1000))]
    pub(in crate::commands::web) weight: Option<i64>,
    /// Priority of the backend, from 1 to 5. The lowest number is used first.
    #[schemars(range(min = 1, max = 5))]
    pub(in crate::commands::web) priority: Option<i64>,
    /// Publish name of the service.
    pub(in crate::commands::web) service: PublishOnly<ApiManagementPublish>,
}

/// Publish name of an API management service.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ApiManagementPublish {
    /// Publish name of this service.
    pub(in crate::commands::web) api_management: Option<String>,
}
