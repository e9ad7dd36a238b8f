//! Microsoft.Web, Microsoft.ApiManagement, and the role assignments that function apps need.

use serde_json::{Value, json};

use super::fixed::never;
use super::name_rule::{ALPHANUMERIC_ENDS, ANY_FORM, LETTER_FIRST_ALPHANUMERIC_END, LETTERS_DIGITS_HYPHENS, NameRule};
use super::{Fixed, LeftAlone, Listing, Otherwise, PlanSku, PrivateLink, ResourceType, TagLimits};
use crate::protocol::Code;

const WEB_API_VERSION: &str = "2025-03-01";

/// The machines that apps run on.
pub static APP_SERVICE_PLAN: ResourceType = ResourceType {
    name: "Microsoft.Web/serverfarms",
    label: "app service plan",
    api_version: WEB_API_VERSION,
    name_rule: Some(NameRule::new(1, 60, LETTERS_DIGITS_HYPHENS, ANY_FORM)),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        // They follow from the name of the sku; sent back they would contradict another one.
        "sku.tier",
        "sku.size",
        "sku.family",
        "identity.principalId",
        "identity.tenantId",
        "identity.userAssignedIdentities.*.principalId",
        "identity.userAssignedIdentities.*.clientId",
        "properties.currentNumberOfWorkers",
        "properties.geoRegion",
        "properties.maximumNumberOfWorkers",
        "properties.numberOfSites",
        "properties.numberOfWorkers",
        "properties.planName",
        "properties.resourceGroup",
        "properties.serverFarmId",
        "properties.status",
        "properties.subscription",
        "properties.webSpace",
    ],
    // Source: the examples of the REST specification.
    usual: &[
        ("sku.capacity", &["0", "1"]),
        ("properties.maximumElasticWorkerCount", &["1"]),
        ("properties.targetWorkerCount", &["0"]),
        ("properties.targetWorkerSizeId", &["0"]),
    ],
    fixed: &[
        Fixed {
            path: "location",
            allows: never,
            otherwise: Otherwise::Refused(
                "use that region, or another name for the plan and for each app on it, and delete the old ones when the new ones work",
            ),
        },
        Fixed {
            path: "sku.name",
            allows: plan_can_become,
            otherwise: Otherwise::Refused("use a sku of the same kind, or another name for the plan"),
        },
    ],
    left_alone: Some(runs_windows),
    ..ResourceType::PLAIN
};

/// The properties that Azure sets by itself in web apps and slots. The site configuration is among them because reading an app shows only a
/// part of it, and what a request leaves out stays as it is.
const SITE_READ_ONLY: &[&str] = &[
    "identity.principalId",
    "identity.tenantId",
    "identity.userAssignedIdentities.*.principalId",
    "identity.userAssignedIdentities.*.clientId",
    "properties.availabilityState",
    "properties.contentAvailabilityState",
    "properties.customDomainVerificationId",
    "properties.defaultHostName",
    "properties.deploymentId",
    "properties.dnsConfiguration.dnsLegacySortOrder",
    "properties.eligibleLogCategories",
    "properties.enabledHostNames",
    "properties.ftpUsername",
    "properties.ftpsHostName",
    "properties.homeStamp",
    "properties.hostNames",
    "properties.inProgressOperationId",
    "properties.inboundIpAddress",
    "properties.isDefaultContainer",
    "properties.lastModifiedTimeUtc",
    "properties.maxNumberOfWorkers",
    "properties.outboundIpAddresses",
    "properties.possibleInboundIpAddresses",
    "properties.possibleOutboundIpAddresses",
    "properties.privateEndpointConnections",
    "properties.repositorySiteName",
    "properties.resourceGroup",
    "properties.runtimeAvailabilityState",
    "properties.selfLink",
    "properties.siteConfig",
    "properties.sku",
    "properties.slotSwapStatus",
    "properties.state",
    "properties.suspendedTill",
    "properties.targetSwapSlot",
    "properties.trafficManagerHostNames",
    "properties.usageState",
    "properties.webSpace",
];

/// Web apps. Each is read by itself: a listing shows less of the site configuration.
pub static WEB_APP: ResourceType = ResourceType {
    name: "Microsoft.Web/sites",
    label: "web app",
    label_of_any: Some("app"),
    api_version: WEB_API_VERSION,
    name_rule: Some(NameRule::new(2, 60, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    worldwide_name: true,
    name_check: Some(|name| json!({ "name": name, "type": "Microsoft.Web/sites" })),
    listing: Listing::Single,
    tags: Some(TagLimits::USUAL),
    read_only: SITE_READ_ONLY,
    any_case: &["properties.siteConfig.linuxFxVersion"],
    fixed: &[Fixed {
        path: "location",
        allows: never,
        otherwise: Otherwise::Refused(
            "use that region for its plan, or another name for the app, and delete the old one when the new one works",
        ),
    }],
    joined: &["identity.type"],
    // Source: the examples of the REST specification; the certificates of host names are resources of their own.
    usual: &[
        ("properties.clientAffinityEnabled", &["*"]),
        ("properties.clientCertMode", &["Required"]),
        ("properties.containerSize", &["*"]),
        ("properties.dailyMemoryTimeQuota", &["0"]),
        ("properties.enabled", &["true"]),
        ("properties.hostNameSslStates", &["*"]),
        ("properties.keyVaultReferenceIdentity", &["SystemAssigned"]),
    ],
    left_alone: Some(runs_windows),
    private_links: &[PrivateLink::to(
        &["sites"],
        &["privatelink.azurewebsites.net", "scm.privatelink.azurewebsites.net"],
    )],
    ..ResourceType::PLAIN
};

/// Function apps, which are web apps of another kind.
pub static FUNCTION_APP: ResourceType = ResourceType { label: "function app", ..WEB_APP };

/// Slots of web apps.
pub static SLOT: ResourceType = ResourceType {
    name: "Microsoft.Web/sites/slots",
    label: "slot",
    label_of_any: None,
    name_rule: Some(NameRule::new(2, 59, LETTERS_DIGITS_HYPHENS, ANY_FORM)),
    worldwide_name: false,
    left_behind: Some(|_| true),
    // It is where its app is.
    fixed: &[Fixed { path: "location", allows: never, otherwise: Otherwise::Left }],
    name_check: None,
    private_links: &[],
    ..WEB_APP
};

/// App settings. A request replaces them all, so it carries those of others as well; they are read by an action of their
/// own, because their values are secrets.
pub static APP_SETTINGS: ResourceType = ResourceType {
    name: "Microsoft.Web/sites/config",
    label: "configuration",
    api_version: WEB_API_VERSION,
    listing: Listing::ListAction,
    read_only: &["location", "tags"],
    secret: &["properties.APPLICATIONINSIGHTS_CONNECTION_STRING", "properties.AzureWebJobsStorage"],
    free_form: &["properties"],
    ..ResourceType::PLAIN
};

/// Those of a slot, which a swap moves unless they stick to it.
pub static SLOT_APP_SETTINGS: ResourceType = ResourceType { name: "Microsoft.Web/sites/slots/config", ..APP_SETTINGS };

/// API management services.
pub static API_MANAGEMENT: ResourceType = ResourceType {
    name: "Microsoft.ApiManagement/service",
    label: "API management service",
    api_version: "2024-05-01",
    name_rule: Some(NameRule::new(1, 50, LETTERS_DIGITS_HYPHENS, LETTER_FIRST_ALPHANUMERIC_END)),
    worldwide_name: true,
    name_check: Some(|name| json!({ "name": name })),
    // Its creation takes up to an hour and a half ("Create an API Management service instance").
    longest_operation: std::time::Duration::from_secs(2 * 60 * 60),
    usual_creation: std::time::Duration::from_secs(30 * 60),
    is_busy: Some("ServiceLocked"),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "identity.userAssignedIdentities.*.principalId",
        "identity.userAssignedIdentities.*.clientId",
        "properties.additionalLocations[].gatewayRegionalUrl",
        "properties.additionalLocations[].outboundPublicIPAddresses",
        "properties.additionalLocations[].platformVersion",
        "properties.additionalLocations[].privateIPAddresses",
        "properties.additionalLocations[].publicIPAddresses",
        "properties.additionalLocations[].virtualNetworkConfiguration.subnetname",
        "properties.additionalLocations[].virtualNetworkConfiguration.vnetid",
        "properties.createdAtUtc",
        "properties.developerPortalUrl",
        "properties.gatewayRegionalUrl",
        "properties.gatewayUrl",
        "properties.managementApiUrl",
        "properties.outboundPublicIPAddresses",
        "properties.platformVersion",
        "properties.portalUrl",
        "properties.privateEndpointConnections",
        "properties.privateIPAddresses",
        "properties.publicIPAddresses",
        "properties.scmUrl",
        "properties.targetProvisioningState",
        "properties.virtualNetworkConfiguration.subnetname",
        "properties.virtualNetworkConfiguration.vnetid",
    ],
    fixed: &[
        Fixed {
            path: "location",
            allows: never,
            otherwise: Otherwise::Refused(
                "use that region, or another name for the service, and delete the old one when the new one works",
            ),
        },
        Fixed { path: "sku", allows: tier_can_change, otherwise: Otherwise::Kept },
    ],
    // Source: the examples of the REST specification.
    usual: &[
        ("properties.developerPortalStatus", &["Enabled"]),
        // The one that every service has is among them.
        ("properties.hostnameConfigurations", &["*"]),
        ("properties.legacyPortalStatus", &["Disabled"]),
        ("properties.natGatewayState", &["*"]),
        ("properties.notificationSenderEmail", &["apimgmt-noreply@mail.windowsazure.com"]),
        ("properties.publicNetworkAccess", &["Enabled"]),
    ],
    private_links: &[PrivateLink::to(&["Gateway"], &["privatelink.azure-api.net"])],
    ..ResourceType::PLAIN
};

/// Role assignments, which are extensions of what they give access to.
pub static ROLE_ASSIGNMENT: ResourceType = ResourceType {
    name: "Microsoft.Authorization/roleAssignments",
    label: "role assignment",
    api_version: "2022-04-01",
    listing: Listing::InParent,
    read_only: &[
        "properties.createdBy",
        "properties.createdOn",
        "properties.scope",
        "properties.updatedBy",
        "properties.updatedOn",
    ],
    any_case: &["properties.principalType"],
    remainder: Some(not_assigned_yet),
    // Azure says `RoleAssignmentUpdateNotPermitted` (Azure RBAC documentation, "Troubleshoot Azure RBAC").
    replaced: &["properties.principalId", "properties.roleDefinitionId"],
    is_there: Some("RoleAssignmentExists"),
    ..ResourceType::PLAIN
};

/// A plan and what is on it run Linux or Windows for good (App Service documentation, "Manage an App Service plan"). `reserved`
/// tells which. `kind` does not: what the replaced module made is `app` on Linux as well.
fn runs_windows(existing: &Value, _: &Value) -> Option<LeftAlone> {
    let is_windows = existing.pointer("/properties/reserved").and_then(Value::as_bool) == Some(false);
    is_windows.then(|| LeftAlone {
        code: Code::ExistsOnWindows,
        reason: "it runs Windows, and Azure cannot make it run Linux".to_owned(),
        recommendation: "Choose another name in the settings, or delete the existing resource and run the command again."
            .to_owned(),
    })
}

/// Whether a plan of one sku can become one of the other; of a sku that is not known nothing is said.
fn plan_can_become(before: &Value, after: &Value) -> bool {
    let sku = |name: &Value| name.as_str().and_then(PlanSku::find);
    sku(before).zip(sku(after)).is_none_or(|(before, after)| before.can_become(after))
}

/// Consumption, the classic tiers and the v2 tiers cannot become each other (API Management documentation, "Upgrade and scale
/// an API Management instance").
fn tier_can_change(before: &Value, after: &Value) -> bool {
    let family = |sku: &Value| {
        let name = sku.get("name").and_then(Value::as_str).map(str::to_ascii_lowercase);
        name.map(|name| (name == "consumption", name.ends_with("v2")))
    };
    family(before) == family(after)
}

/// Azure refuses a second assignment of one role to one identity, whatever its name is. The one under our name may be that of
/// an identity that is gone.
fn not_assigned_yet(desired: &Value, _: Option<&Value>, mut others: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    let text = |body: &Value, path: &str| body.pointer(path).and_then(Value::as_str).map(str::to_ascii_lowercase);
    // A role has one id in every subscription, and others before it.
    let role = |body: &Value| text(body, "/properties/roleDefinitionId")?.rsplit('/').next().map(str::to_owned);
    let grant = |body: &Value| Some((text(body, "/properties/principalId")?, role(body)?));
    let wanted = grant(desired);
    let is_there = wanted.is_some() && Iterator::any(&mut others, |other| grant(other) == wanted);
    (!is_there).then(|| desired.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_is_told_by_reserved_alone() {
        let left_alone = |existing: Value| runs_windows(&existing, &Value::Null).is_some();
        assert!(left_alone(json!({"kind": "linux", "properties": {"reserved": false}})));
        assert!(!left_alone(json!({"kind": "app", "properties": {"reserved": true}})));
        assert!(!left_alone(json!({"kind": "app", "properties": {}})));
    }

    #[test]
    fn tiers_of_one_family_can_change() {
        let sku = |name: &str| json!({"name": name, "capacity": 1});
        assert!(tier_can_change(&sku("Developer"), &sku("Premium")));
        assert!(tier_can_change(&sku("BasicV2"), &sku("StandardV2")));
        assert!(!tier_can_change(&sku("Consumption"), &sku("Developer")));
        assert!(!tier_can_change(&sku("Basic"), &sku("BasicV2")));
    }

    #[test]
    fn a_role_that_is_assigned_under_another_name_is_assigned() {
        let assignment = |principal: &str| json!({"properties": {"principalId": principal, "roleDefinitionId": "/R"}});
        let (mine, other) = (assignment("one"), assignment("two"));
        assert_eq!(not_assigned_yet(&mine, None, &mut [&other].into_iter()), Some(mine.clone()));
        assert_eq!(not_assigned_yet(&mine, None, &mut [&other, &assignment("ONE")].into_iter()), None);
        assert_eq!(
            not_assigned_yet(&mine, Some(&other), &mut [&assignment("one")].into_iter()),
            None,
            "ours is of another identity"
        );
        let elsewhere = json!({"properties": {"principalId": "one", "roleDefinitionId": "/subscriptions/s/r"}});
        assert_eq!(not_assigned_yet(&mine, None, &mut [&elsewhere].into_iter()), None);
        let unknown = json!({"properties": {"roleDefinitionId": "/R"}});
        assert_eq!(not_assigned_yet(&unknown, None, &mut [&other].into_iter()), Some(unknown.clone()));
    }
}
