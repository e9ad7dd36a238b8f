//! Microsoft.Insights without diagnostic settings, Microsoft.OperationalInsights and what belongs to them.

use super::name_rule::{
    ACTION_GROUP_CHARACTERS, ALPHANUMERIC_ENDS, ANY_FORM, COMPONENT_CHARACTERS, LETTERS_DIGITS_HYPHENS,
    METRIC_ALERT_CHARACTERS, NO_BLANK_OR_DOT_AT_THE_END, NameRule, QUERY_RULE_CHARACTERS, WORDS_DOTS_HYPHENS_BRACKETS,
};
use serde_json::Value;

use super::{Listing, ResourceType, TagLimits};
use crate::azure::ResourceId;

/// Log Analytics workspaces.
pub static WORKSPACE: ResourceType = ResourceType {
    name: "Microsoft.OperationalInsights/workspaces",
    label: "Log Analytics workspace",
    api_version: "2026-03-01",
    name_rule: Some(NameRule::new(4, 63, LETTERS_DIGITS_HYPHENS, ALPHANUMERIC_ENDS)),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "properties.createdDate",
        "properties.customerId",
        "properties.failover",
        "properties.features.associations",
        "properties.features.unifiedSentinelBillingOnly",
        "properties.modifiedDate",
        "properties.privateLinkScopedResources",
        "properties.replication.createdDate",
        "properties.replication.lastModifiedDate",
        "properties.replication.provisioningState",
        "properties.sku.lastSkuUpdate",
        "properties.workspaceCapping.dataIngestionStatus",
        "properties.workspaceCapping.quotaNextResetTime",
    ],
    any_case: &["properties.sku.name"],
    // Source: the examples of the REST specification.
    usual: &[
        ("properties.features.legacy", &["0"]),
        ("properties.features.searchVersion", &["1"]),
        ("properties.publicNetworkAccessForIngestion", &["Enabled"]),
        ("properties.publicNetworkAccessForQuery", &["Enabled"]),
        ("properties.workspaceCapping.dailyQuotaGb", &["-1", "-1.0"]),
    ],
    ..ResourceType::PLAIN
};

/// Management solutions of workspaces, such as `VMInsights(log-x)`.
pub static SOLUTION: ResourceType = ResourceType {
    name: "Microsoft.OperationsManagement/solutions",
    label: "management solution",
    // There is only this one.
    api_version: "2015-11-01-preview",
    tags: Some(TagLimits::USUAL),
    read_only: &["properties.creationTime", "properties.lastModifiedTime", "properties.sku"],
    ..ResourceType::PLAIN
};

/// Application insights.
pub static COMPONENT: ResourceType = ResourceType {
    name: "Microsoft.Insights/components",
    label: "application insights",
    api_version: "2020-02-02",
    name_rule: Some(NameRule::new(1, 260, COMPONENT_CHARACTERS, NO_BLANK_OR_DOT_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "properties.AppId",
        "properties.ApplicationId",
        "properties.ConnectionString",
        "properties.CreationDate",
        "properties.HockeyAppToken",
        "properties.InstrumentationKey",
        "properties.LaMigrationDate",
        "properties.Name",
        "properties.PrivateLinkScopedResources",
        "properties.TenantId",
    ],
    any_case: &["properties.Application_Type", "properties.IngestionMode"],
    secret: &["properties.ConnectionString", "properties.InstrumentationKey"],
    // Source: the examples of the REST specification.
    usual: &[
        ("etag", &["*"]),
        ("properties.Flow_Type", &["Bluefield"]),
        ("properties.Request_Source", &["rest"]),
        ("properties.RetentionInDays", &["90"]),
        ("properties.publicNetworkAccessForIngestion", &["Enabled"]),
        ("properties.publicNetworkAccessForQuery", &["Enabled"]),
    ],
    ..ResourceType::PLAIN
};

/// The action group: who is told when an alert fires. It is in no region: `Global`.
pub static ACTION_GROUP: ResourceType = ResourceType {
    name: "Microsoft.Insights/actionGroups",
    label: "action group",
    api_version: "2023-01-01",
    name_rule: Some(NameRule::new(1, 260, ACTION_GROUP_CHARACTERS, NO_BLANK_OR_DOT_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    read_only: &["properties.emailReceivers[].status", "properties.smsReceivers[].status"],
    // Whoever knows such an address may call it: it carries its key.
    secret: &[
        "properties.automationRunbookReceivers[].serviceUri",
        "properties.azureFunctionReceivers[].httpTriggerUrl",
        "properties.logicAppReceivers[].callbackUrl",
        "properties.webhookReceivers[].serviceUri",
    ],
    ..ResourceType::PLAIN
};

/// Activity log alerts, which resource health and service health alerts are.
pub static ACTIVITY_LOG_ALERT: ResourceType = ResourceType {
    name: "Microsoft.Insights/activityLogAlerts",
    label: "activity log alert",
    api_version: "2020-10-01",
    name_rule: Some(NameRule::new(1, 260, WORDS_DOTS_HYPHENS_BRACKETS, ANY_FORM)),
    tags: Some(TagLimits::USUAL),
    sets: &[
        "properties.scopes",
        "properties.condition.allOf[].containsAny",
        "properties.condition.allOf[].anyOf[].containsAny",
    ],
    item_keys: &[
        ("properties.actions.actionGroups", action_group_id),
        ("properties.condition.allOf", condition_key),
        ("properties.condition.allOf[].anyOf", value_key),
    ],
    // Fields ignore case (REST specification of 2026-01-01), and what they are compared with is mostly types, groups and ids.
    any_case: &[
        "properties.condition.allOf[].field",
        "properties.condition.allOf[].equals",
        "properties.condition.allOf[].anyOf[].field",
        "properties.condition.allOf[].anyOf[].equals",
    ],
    free_form: &["properties.actions.actionGroups[].webhookProperties"],
    remainder: Some(with_its_conditions),
    ..ResourceType::PLAIN
};

fn action_group_id(action: &Value) -> Option<String> {
    Some(action.get("actionGroupId")?.as_str()?.to_owned())
}

/// The field that a condition looks at, and how: Azure takes one of the three ways in a condition, so that a condition cannot
/// become one of another way.
fn condition_key(condition: &Value) -> Option<String> {
    let field = |leaf: &Value| Some(leaf.get("field")?.as_str()?.to_owned());
    let is_list = |name: &str| condition.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if is_list("anyOf") {
        return Some(format!("any {}", field(condition.pointer("/anyOf/0")?)?));
    }
    let field = field(condition)?;
    Some(if is_list("containsAny") { format!("any {field}") } else { field })
}

/// The value that a condition inside an "any of" wants.
fn value_key(leaf: &Value) -> Option<String> {
    Some(leaf.get("equals")?.as_str()?.to_owned())
}

/// Rules on metrics, of one resource or of several of one type and region.
pub static METRIC_ALERT: ResourceType = ResourceType {
    name: "Microsoft.Insights/metricAlerts",
    label: "metric alert",
    api_version: "2018-03-01",
    name_rule: Some(NameRule::new(1, 260, METRIC_ALERT_CHARACTERS, NO_BLANK_OR_DOT_AT_THE_END)),
    tags: Some(TagLimits::USUAL),
    read_only: &["properties.isMigrated", "properties.lastUpdatedTime"],
    sets: &["properties.scopes", "properties.criteria.allOf[].dimensions[].values"],
    item_keys: &[("properties.actions", action_group_id)],
    any_case: &[
        "properties.targetResourceType",
        "properties.criteria.odata.type",
        "properties.criteria.allOf[].alertSensitivity",
        "properties.criteria.allOf[].criterionType",
        "properties.criteria.allOf[].dimensions[].operator",
        "properties.criteria.allOf[].metricNamespace",
        "properties.criteria.allOf[].operator",
        "properties.criteria.allOf[].timeAggregation",
    ],
    remainder: Some(with_its_criteria),
    locations: &["properties.targetResourceRegion"],
    free_form: &["properties.actions[].webHookProperties"],
    ..ResourceType::PLAIN
};

/// Conditions of which each is one value, whether a rule has it as that or as "any of" one: Azure does not make the one of the other.
fn with_its_conditions(desired: &Value, own: Option<&Value>, _: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    const CONDITIONS: &str = "/properties/condition/allOf";
    let mut body = desired.clone();
    let existing = own.and_then(|own| own.pointer(CONDITIONS)?.as_array());
    let wanted = body.pointer_mut(CONDITIONS).and_then(Value::as_array_mut);
    for condition in wanted.into_iter().flatten() {
        let Some([leaf]) = condition.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) else { continue };
        if existing.into_iter().flatten().any(|known| is_like(leaf, known)) {
            *condition = leaf.clone();
        }
    }
    Some(body)
}

/// Whether a wanted criterion at a place is an existing one at another.
type IsSame<'a> = &'a dyn Fn(usize, &Value, usize, &Value) -> bool;

/// Criteria under the names that the existing ones have: the portal and others name them in their own ways. One is known again by what it
/// says, else by its name and metric, else by its place and metric.
fn with_its_criteria(desired: &Value, own: Option<&Value>, _: &mut dyn Iterator<Item = &Value>) -> Option<Value> {
    const CRITERIA: &str = "/properties/criteria/allOf";
    let mut body = desired.clone();
    let mut left: Vec<(usize, &Value)> =
        own.and_then(|own| own.pointer(CRITERIA)?.as_array()).into_iter().flatten().enumerate().collect();
    let Some(wanted) = body.pointer_mut(CRITERIA).and_then(Value::as_array_mut) else { return Some(body) };
    let mut names: Vec<Option<Value>> = vec![None; wanted.len()];
    let is_same: [IsSame<'_>; 3] = [
        &|_, wanted, _, known| is_like(&without_name(wanted), known),
        &|_, wanted, _, known| ["name", "metricName"].iter().all(|key| is_like(&wanted[*key], &known[*key])),
        &|at, wanted, place, known| at == place && is_like(&wanted["metricName"], &known["metricName"]),
    ];
    for is_same in is_same {
        for (at, wanted) in wanted.iter().enumerate().filter(|(_, wanted)| wanted.is_object()) {
            let found = left.iter().position(|(place, known)| is_same(at, wanted, *place, known));
            if let Some(found) = found.filter(|_| names[at].is_none()) {
                names[at] = left.remove(found).1.get("name").cloned();
            }
        }
    }
    let mut taken: Vec<Value> = names.iter().flatten().cloned().collect();
    for (criterion, name) in wanted.iter_mut().zip(names).filter(|(criterion, _)| criterion.is_object()) {
        let is_free = |name: &Value| !taken.iter().any(|other| is_like(name, other));
        let own = std::iter::once(criterion["name"].clone());
        let others = (0..).map(|number| Value::from(format!("Alert Criteria {number}")));
        let name = name.or_else(|| own.chain(others).find(is_free)).unwrap_or_default();
        taken.push(name.clone());
        criterion["name"] = name;
    }
    Some(body)
}

fn without_name(criterion: &Value) -> Value {
    let mut criterion = criterion.clone();
    if let Some(members) = criterion.as_object_mut() {
        members.remove("name");
    }
    criterion
}

/// Whether what exists says everything of what is wanted, but for letter case, and for what is empty.
fn is_like(wanted: &Value, known: &Value) -> bool {
    match (wanted, known) {
        (Value::Null, known) => known.is_null() || known == &Value::Array(Vec::new()),
        (Value::Array(wanted), Value::Null) => wanted.is_empty(),
        (Value::String(wanted), Value::String(known)) => wanted.eq_ignore_ascii_case(known),
        (Value::Number(wanted), Value::Number(known)) => wanted.as_f64() == known.as_f64(),
        (Value::Array(wanted), Value::Array(known)) => {
            wanted.len() == known.len() && wanted.iter().zip(known).all(|(wanted, known)| is_like(wanted, known))
        }
        (Value::Object(wanted), Value::Object(known)) => {
            wanted.iter().all(|(key, wanted)| is_like(wanted, known.get(key).unwrap_or(&Value::Null)))
        }
        (wanted, known) => wanted == known,
    }
}

/// Scheduled query rules, which log alerts are.
pub static SCHEDULED_QUERY_RULE: ResourceType = ResourceType {
    name: "Microsoft.Insights/scheduledQueryRules",
    label: "log alert",
    api_version: "2026-03-01",
    name_rule: Some(
        NameRule::new(1, 260, QUERY_RULE_CHARACTERS, NO_BLANK_OR_DOT_AT_THE_END).called("scheduled query rule"),
    ),
    tags: Some(TagLimits::USUAL),
    read_only: &[
        "identity.principalId",
        "identity.tenantId",
        "properties.createdWithApiVersion",
        "properties.isLegacyLogAnalyticsRule",
        "properties.isWorkspaceAlertsStorageConfigured",
    ],
    sets: &["properties.scopes", "properties.actions.actionGroups", "properties.criteria.allOf[].dimensions[].values"],
    whole: &["properties.actions.customProperties"],
    free_form: &["properties.actions.customProperties", "properties.actions.actionProperties"],
    any_case: &[
        "properties.criteria.allOf[].dimensions[].operator",
        "properties.criteria.allOf[].operator",
        "properties.criteria.allOf[].timeAggregation",
    ],
    // Rules of the portal show none (REST specification, `getScheduledQueryRule`).
    unshown: &[("properties.skipQueryValidation", "false")],
    usual: &[
        ("kind", &["LogAlert"]),
        ("properties.criteria.allOf[].criterionType", &["StaticThresholdCriterion"]),
        ("properties.displayName", &["*"]),
        ("properties.targetResourceTypes", &["*"]),
    ],
    ..ResourceType::PLAIN
};

/// The configuration of Azure Advisor, of which a subscription has one.
pub static ADVISOR_CONFIGURATION: ResourceType = ResourceType {
    name: "Microsoft.Advisor/configurations",
    label: "Advisor configuration",
    api_version: "2025-01-01",
    // Azure has no operation that reads one.
    listing: Listing::InParent,
    also_listed_as: Some(advisor_by_subscription),
    ..ResourceType::PLAIN
};

/// Written as `default`, the configuration of a subscription is also listed by the id of the subscription (help of
/// Get-AzAdvisorConfiguration).
fn advisor_by_subscription(id: &ResourceId) -> ResourceId {
    match (id.parent(), id.subscription_id()) {
        (Some(subscription), Some(name)) => subscription.resource(ADVISOR_CONFIGURATION.name, name),
        _ => id.clone(),
    }
}
