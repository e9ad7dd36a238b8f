//! Web solutions: plans, the apps on them, and API management.

use schemars::JsonSchema;
use serde::Deserialize;

use super::PublishOnly;
use crate::commands::shared::service::{NestedEndpoint, Service};

/// A resource group with its plans and API management services.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebSolution {
    /// Part of the generated name of the resource group.
    pub(in crate::commands::web) name: String,
    /// Names under which the resource group is published.
    pub(in crate::commands::web) service: PublishOnly<GroupPublish>,
    /// The plans that apps run on, each with its apps.
    pub(in crate::commands::web) app_service_plans: Option<Vec<AppServicePlan>>,
    /// Gateways of Azure API Management.
    pub(in crate::commands::web) api_management_services: Option<Vec<ApiManagement>>,
}

/// Names for the resource group of a solution.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct GroupPublish {
    /// The resource group that the plan and its apps are in.
    pub(in crate::commands::web) resource_group: Option<String>,
}

/// An app service plan and the apps that share it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct AppServicePlan {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// The size of its machines, such as B1, S1 or P1v3; EP1, Y1 or FC1 for function apps.
    #[schemars(extend("x-offered" = "plan skus"))]
    pub(in crate::commands::web) sku: String,
    /// Where the plan and its apps are.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// Accepted; every plan is a Linux one.
    #[schemars(extend("deprecated" = true))]
    pub(in crate::commands::web) kind: Option<String>,
    /// Names under which the plan is published.
    pub(in crate::commands::web) service: PublishOnly<PlanPublish>,
    /// The function apps that run on the plan.
    pub(in crate::commands::web) functions: Option<Vec<FunctionApp>>,
    /// The web apps that run on the plan.
    pub(in crate::commands::web) webapps: Option<Vec<WebApp>>,
}

/// Names for a plan.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct PlanPublish {
    /// The name under which the plan is published.
    pub(in crate::commands::web) app_service_plan: Option<String>,
}

/// An app of functions that events start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionApp {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// Whether it reports to application insights; false also removes the settings of those of the document. Default: false
    /// for a new app; an existing one keeps its settings.
    pub(in crate::commands::web) enable_app_insight: Option<bool>,
    /// The technology stack and its version, such as PYTHON|3.12.
    #[schemars(extend("x-offered" = "function stacks"))]
    pub(in crate::commands::web) runtime: String,
    /// Names under which the app is published and its storage account is found.
    pub(in crate::commands::web) service: Option<Service<FunctionDependencies, FunctionPublish>>,
    /// Addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// What a function app needs.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionDependencies {
    /// The storage account of its host.
    pub(in crate::commands::web) storage: Option<String>,
}

/// Names for a function app.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct FunctionPublish {
    /// The name under which the app is published.
    pub(in crate::commands::web) function: Option<String>,
}

/// A web site or an API, with its slots.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebApp {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// Whether it reports to application insights; false also removes the settings of those of the document. Default: false
    /// for a new app; an existing one keeps its settings.
    pub(in crate::commands::web) enable_app_insight: Option<bool>,
    /// The backend pool of the front door that sends requests to the app.
    pub(in crate::commands::web) backendpool: Option<String>,
    /// Whether the front door sends requests with the app's own host name.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) backend_host_header: Option<bool>,
    /// The share of the requests among backends of the same priority.
    #[schemars(extend("default" = 100))]
    #[schemars(range(min = 1, max = 1000))]
    pub(in crate::commands::web) weight: Option<i64>,
    /// Backends with a lower number are used first.
    #[schemars(extend("default" = 1))]
    #[schemars(range(min = 1, max = 5))]
    pub(in crate::commands::web) priority: Option<i64>,
    /// The technology stack and its version, such as NODE|22-lts. Existing slots keep their own.
    #[schemars(extend("x-offered" = "web stacks"))]
    pub(in crate::commands::web) run_time: String,
    /// Names under which the app is published.
    pub(in crate::commands::web) service: PublishOnly<WebAppPublish>,
    /// Staging slots: names, or objects with a name.
    pub(in crate::commands::web) slots: Option<Vec<SlotEntry>>,
    /// A CDN in front of the app.
    pub(in crate::commands::web) content_delivery_network: Option<ContentDeliveryNetwork>,
    /// Addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Names for a web app.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct WebAppPublish {
    /// The name under which the app is published.
    pub(in crate::commands::web) webapp: Option<String>,
}

/// A staging slot as it is written: just its name, or more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::commands::web) enum SlotEntry {
    /// The name.
    Name(String),
    /// The name and more.
    Slot(Slot),
}

/// A staging slot.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct Slot {
    /// The name; production is the app itself.
    pub(in crate::commands::web) name: String,
    /// Names under which the slot is published.
    pub(in crate::commands::web) service: PublishOnly<SlotPublish>,
    /// Addresses in virtual networks by which it is reached without the internet.
    pub(in crate::commands::web) private_endpoints: Option<Vec<NestedEndpoint>>,
}

/// Names for a slot.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct SlotPublish {
    /// The name under which the slot is published.
    pub(in crate::commands::web) slot: Option<String>,
}

/// A CDN in front of a web app.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ContentDeliveryNetwork {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// The tier, or one of the former vendors: everything but a premium one is Front Door Standard.
    pub(in crate::commands::web) sku: String,
    /// The location in the generated name, in lower case without spaces, such as westeurope.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "location names"))]
    pub(in crate::commands::web) region: String,
    /// Names under which the profile and its endpoint are published.
    pub(in crate::commands::web) service: PublishOnly<ContentDeliveryPublish>,
}

/// Names for a CDN.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ContentDeliveryPublish {
    /// The name under which the profile is published.
    pub(in crate::commands::web) cdn: Option<String>,
    /// The name under which its endpoint is published.
    pub(in crate::commands::web) endpoint: Option<String>,
}

/// An API management service.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ApiManagement {
    /// Part of the generated name.
    pub(in crate::commands::web) name: String,
    /// Where it is.
    #[schemars(extend("x-aliases" = ["location"]))]
    #[schemars(extend("x-offered" = "locations"))]
    pub(in crate::commands::web) region: String,
    /// The name of the organisation.
    pub(in crate::commands::web) publisher_name: String,
    /// The email address of the administrator.
    pub(in crate::commands::web) publisher_email: String,
    /// The tier, such as Developer, Premium or Consumption.
    #[schemars(extend("x-offered" = "api management tiers"))]
    pub(in crate::commands::web) sku: String,
    /// The number of units. Default: 1 for a new service; an existing one keeps its own.
    pub(in crate::commands::web) sku_count: Option<i64>,
    /// The backend pool of the front door that sends requests to the service.
    pub(in crate::commands::web) backendpool: Option<String>,
    /// Whether the front door sends requests with the service's own host name.
    #[schemars(extend("default" = true))]
    pub(in crate::commands::web) backend_host_header: Option<bool>,
    /// The share of the requests among backends of the same priority.
    #[schemars(extend("default" = 100))]
    #[schemars(range(min = 1, max = 1000))]
    pub(in crate::commands::web) weight: Option<i64>,
    /// Backends with a lower number are used first.
    #[schemars(extend("default" = 1))]
    #[schemars(range(min = 1, max = 5))]
    pub(in crate::commands::web) priority: Option<i64>,
    /// Names under which the service is published.
    pub(in crate::commands::web) service: PublishOnly<ApiManagementPublish>,
}

/// Names for an API management service.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::commands::web) struct ApiManagementPublish {
    /// The name under which the service is published.
    pub(in crate::commands::web) api_management: Option<String>,
}
