//! Log alerts: what a rule is made of, what is looked up for it, and what is refused.

use serde_json::{Value, json};
use svc_local_cloud::LocalCloud;

use crate::support::estate::*;
use crate::support::*;

pub(crate) const RULES: &str =
    "resourceGroups/rg-log-alerts-mon-b215e283/providers/Microsoft.Insights/scheduledQueryRules";

/// A document with these alerts, each of several lines, in one set for virtual machines.
pub(crate) fn log_alerts(alerts: &[&str]) -> String {
    let mut text = "component: logAlerts\nlocation: UK South\nservice:\n  dependencies: {workspace: central-logs, actionGroups: [ops-team]}\n  \
        publish: {resourceGroup: logs, logAlert: rules}\ngroups:\n  - name: Servers\n    alertSets:\n      - type: VirtualMachines\n        name: compute\n        alerts:\n"
        .to_owned();
    for alert in alerts {
        for (index, line) in alert.lines().enumerate() {
            text.push_str(&format!("          {}{line}\n", if index == 0 { "- " } else { "  " }));
        }
    }
    text
}

/// An alert with a query of its own and nothing that it could leave out.
pub(crate) const OWN: &str = "description: Mine\nseverity: Error\nthreshold: {operator: greaterThan, value: 1}\nschedule: {frequencyInMinutes: 5, timeWindowInMinutes: 5}\nquery: Heartbeat";

/// The filter for machines of Azure alone.
pub(crate) const AZURE_ONLY: &str =
    "\n| where isnotempty(_ResourceId) and _ResourceId !contains \"/microsoft.hybridcompute/\"";

/// The only rule there is.
pub(crate) fn rule(cloud: &LocalCloud) -> Value {
    let puts: Vec<_> = writes(&cloud.requests());
    let mut ids: Vec<&str> = puts
        .iter()
        .filter(|request| request.method == "PUT" && request.url.contains("/scheduledQueryRules/"))
        .map(|request| request.url.split('?').next().unwrap())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    cloud.resource(ids[0]).unwrap()
}

pub(crate) fn query(rule: &Value) -> &str {
    rule["properties"]["criteria"]["allOf"][0]["query"].as_str().unwrap()
}

/// The path of the only rule in the subscription.
pub(crate) fn rule_path(cloud: &LocalCloud) -> String {
    rule(cloud)["id"].as_str().unwrap().trim_start_matches(&in_subscription("")).to_owned()
}

/// The changes of the only action of a plan: path, before and after.
pub(crate) fn changes(outcome: &Outcome) -> Vec<(String, Option<String>, Option<String>)> {
    assert_eq!(outcome.plan().len(), 1, "{:?}", outcome.plan());
    let changes = outcome.plan()[0].changes.iter();
    changes
        .map(|change| {
            (
                change.path.clone(),
                change.before.as_ref().map(ToString::to_string),
                change.after.as_ref().map(ToString::to_string),
            )
        })
        .collect()
}

/// Deploys one alert into a landing zone of its own.
pub(crate) fn deployed(alert: &str) -> (Value, Vec<String>) {
    let cloud = landing_zone();
    let outcome = Deployment::new(LOG_ALERTS, &log_alerts(&[alert])).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 2", "{outcome:?}");
    (rule(&cloud), outcome.warnings().into_iter().map(str::to_owned).collect())
}

#[test]
fn a_rule_has_what_its_definition_gives() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&["definition: high_CPU_usage_percent"]));
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
    let rule = rule(&cloud);
    let properties = &rule["properties"];
    assert_eq!((&rule["location"], &rule["tags"]["svc-service"]), (&json!("uksouth"), &json!("rules")));
    assert_eq!(
        properties["scopes"],
        json!([in_subscription(&format!(
            "{LANDING_ZONE}/providers/Microsoft.OperationalInsights/workspaces/log-landing-zone"
        ))])
    );
    let expected = json!({
        "severity": 0, "enabled": true, "evaluationFrequency": "PT10M", "windowSize": "PT1H", "autoMitigate": false, "skipQueryValidation": true,
        "description": "The average CPU usage of a virtual machine is at or over the minimum.",
        "actions": {"actionGroups": [in_subscription(&format!("{LANDING_ZONE}/providers/microsoft.insights/actionGroups/ag-ops-team"))]},
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&properties[name], value, "{name}");
    }
    assert!(properties.get("muteActionsDuration").is_none());
    let condition = &properties["criteria"]["allOf"][0];
    assert_eq!(
        (&condition["timeAggregation"], &condition["operator"], &condition["threshold"]),
        (&json!("Count"), &json!("GreaterThan"), &json!(0))
    );
    assert_eq!(
        (&condition["dimensions"], &condition["failingPeriods"]),
        (&json!([]), &json!({"numberOfEvaluationPeriods": 1, "minFailingPeriodsToAlert": 1}))
    );
    assert!(query(&rule).contains("bin_at(TimeGenerated, 1h, now())"), "{}", query(&rule));
    assert!(query(&rule).contains(">= 100\n"), "{}", query(&rule));
    assert!(query(&rule).ends_with(AZURE_ONLY), "{}", query(&rule));
    let before = cloud.requests().len();
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

/// The names that the replaced module composed.
#[test]
fn rules_are_named_as_they_were() {
    let alerts = |count: usize, last: &str| {
        let mut text = "        alerts:\n".to_owned();
        text.push_str(&"          - definition: VM_Reboot\n".repeat(count));
        text.push_str(&format!("          - {{definition: VM_Reboot{last}}}\n"));
        text
    };
    let text = format!(
        "component: logAlerts\nlocation: UK South\nservice:\n  dependencies: {{workspace: central-logs}}\n  publish: {{resourceGroup: logs}}\ngroups:\n  \
         - name: Servers\n    alertSets:\n      - type: VirtualMachines\n        name: compute\n{}      - type: VirtualMachines\n{}  \
         - name: VMStandard\n    alertSets:\n      - type: VirtualMachines\n{}  \
         - name: Two\n    alertSets:\n      - type: VirtualMachines\n        name: b\n{}",
        alerts(3, ", name: custom"),
        alerts(1, ""),
        alerts(10, ", name: Reboot"),
        alerts(0, ""),
    );
    let cloud = landing_zone();
    let outcome = Deployment::new(LOG_ALERTS, &text).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 19");
    for name in [
        "alt-log-servers-compute-1-dev-uks-2c788a2f",
        "alt-log-servers-compute-custom-3-dev-uks-1769ae9c",
        "alt-log-servers-1-dev-uks-f57b8eec",
        "alt-log-vmstandard-reboot-10-dev-uks-603b54a2",
        "alt-log-two-b-0-dev-uks-4df7a06c",
    ] {
        resource(&cloud, &format!("{RULES}/{name}"));
    }
}

#[test]
fn an_alert_overrides_its_definition() {
    let alert = "definition: High_CPU_Usage_Percent_Range\ndescription: Mine\nseverity: verbose\nenabled: false\nthreshold: {operator: lessThan, value: 3}\n\
        schedule: {frequencyInMinutes: 1440, timeWindowInMinutes: 2880}\nparameters: {_MINpercentage: 12.5, _timeWindow: 2d, _maxPercentage: null}\nmonitorOnPrem: true";
    let (rule, warnings) = deployed(alert);
    let properties = &rule["properties"];
    let expected = json!({
        "description": "Mine", "severity": 4, "enabled": false, "evaluationFrequency": "P1D", "windowSize": "P2D",
        "autoMitigate": false,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&properties[name], value, "{name}");
    }
    let condition = &properties["criteria"]["allOf"][0];
    assert_eq!((&condition["operator"], &condition["threshold"]), (&json!("LessThan"), &json!(3)));
    assert!(query(&rule).contains("bin_at(TimeGenerated, 2d, now())"), "{}", query(&rule));
    assert!(query(&rule).ends_with(">= 12.5 and AverageCpuPercentage <= 99"), "{}", query(&rule));
    // The window is two days as well, so nothing is overridden.
    assert!(properties.get("overrideQueryTimeRange").is_none(), "{properties}");
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn a_definition_used_twice_does_not_keep_the_parameters_of_the_first_use() {
    let cloud = landing_zone();
    let alerts =
        ["definition: High_CPU_Usage_Percent\nparameters: {_minPercentage: 1}", "definition: High_CPU_Usage_Percent"];
    let outcome = Deployment::new(LOG_ALERTS, &log_alerts(&alerts)).rehearse(&cloud);
    let queries: Vec<String> = outcome.plan()[1..]
        .iter()
        .map(|action| planned(&outcome, &action.resource.name)["properties.criteria.allOf"].clone())
        .collect();
    assert!(queries[0].contains(">= 1\\n") && queries[1].contains(">= 100\\n"), "{queries:?}");
}

#[test]
fn a_query_of_its_own_wins_over_the_definition_and_takes_parameters_of_its_own() {
    let (rule, warnings) = deployed(
        "definition: High_CPU_Usage_Percent\nparameters: {_mine: 7, _other: 1}\nquery: 'Perf | where CounterValue > _minPercentage + _mine;'",
    );
    assert_eq!(
        query(&rule),
        "Perf | where CounterValue > 100 + 7\n| where isnotempty(column_ifexists(\"_ResourceId\", \"unknown\")) and column_ifexists(\"_ResourceId\", \"unknown\") !contains \"/microsoft.hybridcompute/\";"
    );
    // Azure looks at queries that are not the engine's own.
    assert_eq!(rule["properties"]["skipQueryValidation"], json!(false));
    assert_eq!(
        warnings,
        [
            "settings.yml:13:44: groups[0].alertSets[0].alerts[0].parameters._other: the query has no parameter '_other', so it is ignored; its parameters are _minPercentage, _timeWindow"
        ]
    );
}

#[test]
fn an_alert_needs_no_definition() {
    let (rule, warnings) = deployed(OWN);
    assert_eq!(rule["properties"]["description"], "Mine");
    assert!(query(&rule).starts_with("Heartbeat\n| where isnotempty(column_ifexists("), "{}", query(&rule));
    assert_eq!(warnings, [""; 0]);
    let (rule, _) = deployed(&format!("{OWN}\nmonitorOnPrem: true"));
    assert_eq!(query(&rule), "Heartbeat");
}

#[test]
fn an_unknown_parameter_is_a_warning_that_names_the_known_ones() {
    for (definition, known) in [
        ("VM_NonResponsive", "its parameters are _timeWindow"),
        ("VM_Reboot", "it has no parameters"),
        ("Low_Disk_Space", "its parameters are _maxPercentage, _maxValueMB, _timeWindow"),
    ] {
        let (_, warnings) = deployed(&format!("definition: {definition}\nparameters: {{Computer: x}}"));
        assert!(
            warnings[0].ends_with(&format!("the query has no parameter 'Computer', so it is ignored; {known}")),
            "{warnings:?}"
        );
    }
}

#[test]
fn suppression_is_a_value_that_azure_has() {
    let table = [
        ("mins: 60", 5, "PT1H", ""),
        ("mins: 50", 5, "PT1H", "suppress.mins: Azure does not allow this value; 60 minutes are used instead of 50"),
        (
            "mins: 5",
            60,
            "PT1H",
            "suppress.mins: Azure suppresses for at least the frequency; 60 minutes are used instead of 5",
        ),
        (
            "mins: 10000",
            5,
            "P2D",
            "suppress.mins: Azure suppresses for at most two days; 2880 minutes are used instead of 10000",
        ),
        (
            "mins: 60, windows: 2",
            5,
            "PT1H",
            "suppress.windows: log alerts are suppressed by time alone since the API of 2021-08-01; it is ignored, and suppress.mins sets the time",
        ),
        ("windows: ", 5, "", "suppress: suppress.mins is not set, so nothing is suppressed"),
    ];
    for (suppress, frequency, muting, warning) in table {
        let alert = format!(
            "definition: VM_Reboot\nschedule: {{frequencyInMinutes: {frequency}, timeWindowInMinutes: 120}}\nsuppress: {{enabled: true, {suppress}}}"
        );
        let (rule, warnings) = deployed(&alert);
        let properties = &rule["properties"];
        assert_eq!(properties["muteActionsDuration"].as_str().unwrap_or_default(), muting, "{suppress}");
        assert_eq!(properties["autoMitigate"], json!(false), "{suppress}");
        assert_eq!(warnings.len(), usize::from(!warning.is_empty()), "{warnings:?}");
        assert!(warnings.iter().all(|text| text.ends_with(warning)), "{warnings:?}");
    }
}

#[test]
fn suppression_that_is_taken_out_ends() {
    let cloud = landing_zone();
    let suppressed = "definition: VM_Reboot\nsuppress: {enabled: true, mins: 60}";
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&[suppressed]));
    deployment.deploy(&cloud);
    deployment.rewrite(&log_alerts(&["definition: VM_Reboot"]));
    let ended = deployment.deploy(&cloud);
    let changes: Vec<_> = ended.plan()[0]
        .changes
        .iter()
        .map(|change| {
            (
                change.path.as_str(),
                change.before.as_deref().and_then(Value::as_str),
                change.after.as_deref().and_then(Value::as_str),
            )
        })
        .collect();
    assert_eq!(changes, [("properties.muteActionsDuration", Some("PT1H"), None)]);
    assert_eq!(ended.summary(), "modified 1, unchanged 1");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn customised_actions_are_properties_of_the_actions() {
    let (rule, warnings) = deployed(
        "definition: VM_Reboot\ncustomisedActions:\n  emailSubject: Look\n  webhookJsonPayload: '{\"a\": \"x\", \"b\": 2, \"c\": {\"d\": [true]}, \"e\": null}'",
    );
    let actions = &rule["properties"]["actions"];
    assert_eq!(actions["actionProperties"], json!({"Email.Subject": "Look"}));
    assert_eq!(actions["customProperties"], json!({"a": "x", "b": "2", "c": "{\"d\":[true]}", "e": "null"}));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("customisedActions.webhookJsonPayload: log alerts have no payload template since"),
        "{warnings:?}"
    );
}

#[test]
fn a_description_that_somebody_wrote_stays_unless_the_document_gives_one() {
    let cloud = landing_zone();
    let deployment = Deployment::new(LOG_ALERTS, &log_alerts(&["definition: VM_Reboot"]));
    deployment.deploy(&cloud);
    let id = rule_path(&cloud);
    tamper(&cloud, &id, |rule| rule["properties"]["description"] = json!("Better words"));
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
    deployment.rewrite(&log_alerts(&["definition: VM_Reboot\ndescription: Mine"]));
    assert_eq!(deployment.deploy(&cloud).plan()[0].changes[0].path, "properties.description");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn everything_that_is_wrong_is_told_before_anything_is_contacted() {
    let table = [
        (
            "definition: VM_Reboots",
            "definition: the type 'VirtualMachines' has no log alert definition 'VM_Reboots', did you mean 'VM_Reboot'?",
        ),
        ("name: Own", "schedule: required, unless the alert names a definition"),
        ("name: Own", "severity: required, unless the alert names a definition"),
        ("name: Own", "threshold: required, unless the alert names a definition"),
        ("name: Own", "query: required, unless the alert names a definition"),
        ("name: Own", "description: required, unless the alert names a definition"),
        (
            "definition: VM_Reboot\nschedule: {frequencyInMinutes: 60, timeWindowInMinutes: 30}",
            "schedule.timeWindowInMinutes: the window of 30 minutes is shorter than the frequency of 60 minutes",
        ),
        // What Azure does not take together (azurerm provider, scheduled_query_rules_alert_v2).
        (
            "definition: VM_Reboot\ntimeAggregation: Total",
            "measure: required for every timeAggregation but Count: the column whose values are aggregated",
        ),
        (
            "definition: VM_Reboot\nmeasure: Val",
            "timeAggregation: required with measure: Average, Maximum, Minimum or Total of its values",
        ),
        (
            "definition: VM_Reboot\nmeasure: Val\ntimeAggregation: Count",
            "timeAggregation: Count counts rows, whatever is in the column 'Val'; leave measure out, or use Average, Maximum, Minimum or Total",
        ),
        ("definition: VM_Reboot\nmeasure: ' '\ntimeAggregation: Minimum", "measure: the column is required"),
        (
            "definition: VM_Reboot\nschedule: {frequencyInMinutes: 7, timeWindowInMinutes: 30}",
            "schedule.frequencyInMinutes: 7 is not valid; use 5, 10, 15, 30, 45, 60, 120, 180, 240, 300, 360 or 1440",
        ),
        (
            "definition: VM_Reboot\ncustomisedActions: {webhookJsonPayload: '{\"a\": }'}",
            "customisedActions.webhookJsonPayload: the payload is invalid JSON: expected value at line 1 column 7",
        ),
        (
            "definition: VM_Reboot\ncustomisedActions: {webhookJsonPayload: '[1]'}",
            "customisedActions.webhookJsonPayload: the payload must be a JSON object",
        ),
        (
            "definition: VM_Reboot\nquery: T | evaluate bag_unpack(d)",
            "query: the query uses 'bag_unpack', which Azure's log alerts do not support",
        ),
        (
            "definition: VM_NonResponsive\nparameters: {_timeWindow: [1h]}",
            "parameters._timeWindow: expected text, a number, true or false",
        ),
        (
            "definition: VM_NonResponsive\nparameters: {_timeWindow: 30}",
            "parameters._timeWindow: expected a length of time such as 30m or 2h, found '30'",
        ),
        (
            "definition: VM_NonResponsive\nparameters: {_timeWindow: ''}",
            "parameters._timeWindow: a value is required; leave the parameter out for its default",
        ),
        (
            "definition: VM_NonResponsive\nparameters: {_timeWindow: 2d}",
            "parameters._timeWindow: '2d' is longer than the query can look back; use at most 2879m",
        ),
        (
            "definition: Low_Disk_Space\nparameters: {_timeWindow: 3d}",
            "parameters._timeWindow: '3d' is longer than the query can look back; use at most 2d",
        ),
        (
            "definition: High_CPU_Usage_Percent\nparameters: {_minPercentage: high}",
            "parameters._minPercentage: expected a number, found 'high'",
        ),
        (
            "definition: High_CPU_Usage_Percent_Range\nparameters: {_minPercentage: 80, _maxPercentage: 70}",
            "parameters._minPercentage: _minPercentage (80) must be less than _maxPercentage (70)",
        ),
        ("definition: VM_Reboot\nquery: '  '", "query: the query is empty"),
        ("definition: VM_Reboot\nquery: // nothing", "query: the query is empty"),
        ("definition: VM_Reboot\nquery: T | where A == \"b", "query: the string that begins with \"b has no end"),
        (
            "definition: VM_Reboot\nquery: let t = 1h; T | where TimeGenerated > ago(t)",
            "query: Azure's log alerts take ago() with a literal only, such as ago(1h), not 't'",
        ),
        (
            "definition: VM_Reboot\nautoMitigate: true\nsuppress: {enabled: true, mins: 60}",
            "autoMitigate: an alert that is suppressed cannot resolve by itself; set suppress.enabled to false, or leave this out",
        ),
        (
            "definition: VM_Missing_Backup\nautoMitigate: true",
            "autoMitigate: an alert whose query runs less than every 12 hours cannot resolve by itself; leave this out",
        ),
        (
            "definition: VM_Reboot\nfailingPeriods: {minFailingPeriodsToAlert: 3, numberOfEvaluationPeriods: 2}",
            "failingPeriods.minFailingPeriodsToAlert: 3 is more than the 2 evaluation periods",
        ),
        (
            "definition: VM_Missing_Backup\nfailingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 3}",
            "failingPeriods.numberOfEvaluationPeriods: 3 windows of 1440 minutes are longer than the two days that Azure looks back; use at most 2",
        ),
        (
            "definition: VM_NonResponsive\nfailingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 2}",
            "failingPeriods.numberOfEvaluationPeriods: the result of the query has no column TimeGenerated, which Azure needs for more than one period; use 1",
        ),
        (
            "definition: VM_Reboot\nfailingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 7}",
            "failingPeriods.numberOfEvaluationPeriods: 7 is out of range; use 1 to 6",
        ),
        (
            "definition: VM_Reboot\ndimensions: [{name: a, values: ['*']}, {name: b, values: [x]}, {name: c, values: [x]}, {name: d, values: [x]}, {name: e, values: [x]}, {name: f, values: [x]}, {name: g, values: [x]}]",
            "dimensions: 7 dimensions are too many; a log alert takes at most 6",
        ),
        (
            "definition: VM_Reboot\ndimensions: [{name: a, values: [x]}, {name: a, values: [y]}]",
            "dimensions[1].name: duplicate dimension 'a'; put its values into one",
        ),
        ("definition: VM_Reboot\ndimensions: [{name: a, values: []}]", "dimensions[0].values: "),
        (
            "definition: VM_Reboot\ndimensions: [{name: a, operator: Only, values: [x]}]",
            "dimensions[0].operator: 'Only' is not valid; use Include or Exclude",
        ),
        (
            "definition: VM_Reboot\nthreshold: {operator: notEqual, value: 1}",
            "threshold.operator: 'notEqual' is not valid; use greaterThan, equal or lessThan",
        ),
    ];
    let cloud = landing_zone();
    for (alert, expected) in table {
        let outcome = Deployment::new(LOG_ALERTS, &log_alerts(&[alert])).deploy(&cloud);
        let place = format!("groups[0].alertSets[0].alerts[0].{expected}");
        assert!(
            outcome.last_error().failure.message.contains(&place),
            "{alert}\n{}",
            outcome.last_error().failure.message
        );
    }
    let without = "component: logAlerts\nlocation: UK South\nservice: {publish: {resourceGroup: logs}}\ngroups: [{name: A, alertSets: [{type: SQL, alerts: [{definition: nCleanup}]}]}]\n";
    let outcome = Deployment::new(LOG_ALERTS, without).deploy(&cloud);
    assert!(outcome.last_error().failure.message.contains("service.dependencies.workspace: required, but not set"));
    assert!(cloud.requests().is_empty());
}
