use super::common::{
    ACTION_GROUPS, Bench, LOGS, RESOURCES, absolute, action_group_body, change_members, insights_path, workspace_path,
};
use serde_json::{Value, json};

const VERSION: &str = "2023-12-01";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    for (name, location) in [("logs", "uksouth"), ("more", "westeurope")] {
        bench.made(&workspace_path(name), LOGS, &json!({"location": location}));
    }
    bench.put(&insights_path("actionGroups", "ag-ops"), ACTION_GROUPS, &action_group_body(json!({})));
    bench
}

fn path() -> String {
    insights_path("scheduledQueryRules", "rule")
}

/// A rule on heartbeats. `change` sets members of `properties`.
pub(super) fn body(change: Value) -> Value {
    let mut body = json!({"location": "uksouth", "properties": {
        "severity": 1, "scopes": [absolute(&workspace_path("logs"))],
        "evaluationFrequency": "PT10M", "windowSize": "PT1H",
        "criteria": {"allOf": [{
            "query": "Heartbeat | where TimeGenerated > ago(1h)", "timeAggregation": "Count", "operator": "GreaterThan",
            "threshold": 0,
        }]},
        "actions": {
            "actionGroups": [absolute(&insights_path("actionGroups", "ag-ops"))],
            "actionProperties": {"Email.Subject": "Heartbeats are missing"},
        },
    }});
    change_members(&mut body["properties"], change);
    body
}

fn statuses(bench: &Bench, cases: Vec<(Value, u16)>) {
    assert_eq!(bench.put(&path(), VERSION, &body(json!({}))).status, 201);
    for (change, expected) in cases {
        let reply = bench.put(&path(), VERSION, &body(change.clone()));
        assert_eq!(reply.status, expected, "{change}: {reply:?}");
    }
}

#[test]
fn a_rule_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let made = bench.put(&path(), VERSION, &body(json!({"windowSize": "PT60M"})));
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    let properties = &made["properties"];
    assert_eq!((&made["kind"], &properties["windowSize"]), (&json!("LogAlert"), &json!("PT1H")));
    assert_eq!((&properties["enabled"], &properties["autoMitigate"]), (&json!(true), &json!(true)));
    assert_eq!(properties["skipQueryValidation"], false);
    assert_eq!(
        properties["criteria"]["allOf"][0]["failingPeriods"],
        json!({"numberOfEvaluationPeriods": 1, "minFailingPeriodsToAlert": 1})
    );
    assert!(made["etag"].is_string() && made["systemData"]["createdAt"].is_string());
    let again = bench.put(&path(), VERSION, &made);
    assert_eq!((again.status, &again.json()["properties"]), (200, properties));
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 4);
    assert_eq!([bench.delete(&path(), VERSION).status, bench.delete(&path(), VERSION).status], [200, 204]);
    assert_eq!(bench.put(&path(), "2018-04-16", &body(json!({}))).status, 400);
}

#[test]
fn times_are_those_azure_has() {
    let bench = bench();
    let schedule = |frequency: &str, window: &str| json!({"evaluationFrequency": frequency, "windowSize": window});
    let daily = |change: Value| {
        let mut daily = schedule("P1D", "P1D");
        change_members(&mut daily, change);
        daily
    };
    let periods = |number: Value, failing: Value| json!({"numberOfEvaluationPeriods": number, "minFailingPeriodsToAlert": failing});
    let over = |window: &str, number: u32| json!({"windowSize": window, "criteria/allOf/0/failingPeriods": periods(number.into(), 1.into())});
    statuses(
        &bench,
        vec![
            (schedule("PT5M", "PT5M"), 200),
            (schedule("PT1M", "PT1M"), 200),
            (schedule("PT6H", "P2D"), 200),
            (schedule("PT5M", "PT1M"), 400),
            (schedule("PT20M", "PT1H"), 400),
            (schedule("PT5M", "PT12H"), 400),
            (schedule("PT1H", "PT30M"), 400),
            (schedule("soon", "PT30M"), 400),
            (json!({"evaluationFrequency": null}), 400),
            (json!({"windowSize": null}), 400),
            (over("PT5M", 2), 200),
            (over("P1D", 2), 200),
            (over("P2D", 2), 400),
            (over("PT5M", 7), 400),
            (json!({"overrideQueryTimeRange": "P2D"}), 200),
            (json!({"overrideQueryTimeRange": "PT20M"}), 200),
            (json!({"overrideQueryTimeRange": "P7D"}), 400),
            (json!({"criteria/allOf/0/failingPeriods": periods(2.0.into(), 2.into())}), 200),
            (json!({"criteria/allOf/0/failingPeriods": periods(2.into(), 3.into())}), 400),
            (json!({"criteria/allOf/0/failingPeriods": periods(0.into(), 0.into())}), 400),
            // A rule that resolves its alerts runs every 12 hours at least.
            (daily(json!({})), 400),
            (daily(json!({"autoMitigate": false})), 200),
            (daily(json!({"autoMitigate": true})), 400),
        ],
    );
}

#[test]
fn muting_excludes_resolving() {
    let bench = bench();
    let message = |change: Value| bench.refused(&path(), VERSION, &body(change)).2;
    let (status, code, text) = bench.refused(&path(), VERSION, &body(json!({"muteActionsDuration": "PT30M"})));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert_eq!(text, "Auto mitigation must be disabled when action suppression is set");
    let unsupported = message(json!({"muteActionsDuration": "PT12H", "autoMitigate": false}));
    assert!(unsupported.contains("MuteActionsDuration of 720 minutes is not supported."), "{unsupported}");
    let short = message(json!({"muteActionsDuration": "PT5M", "autoMitigate": false}));
    assert!(short.contains("EvaluationFrequency cannot be greater than MuteActionsDuration"), "{short}");
    let resolve = json!({"autoResolved": true, "timeToResolve": "PT10M"});
    statuses(
        &bench,
        vec![
            (json!({"muteActionsDuration": "P2D", "autoMitigate": false}), 200),
            (json!({"ruleResolveConfiguration": resolve}), 200),
            (json!({"ruleResolveConfiguration": resolve, "autoMitigate": true}), 400),
        ],
    );
    let with = |name: &str| body(json!({name: resolve}));
    for (version, name, expected) in [
        ("2022-06-15", "resolveConfiguration", 400),
        ("2022-06-15", "ruleResolveConfiguration", 400),
        ("2023-12-01", "resolveConfiguration", 400),
        ("2025-01-01-preview", "resolveConfiguration", 200),
        ("2026-03-01", "ruleResolveConfiguration", 400),
        ("2026-03-01", "resolveConfiguration", 200),
    ] {
        let reply = bench.put(&path(), version, &with(name));
        assert_eq!(reply.status, expected, "{version} {name}: {reply:?}");
    }
    let nulls = body(json!({"resolveConfiguration": Value::Null, "autoMitigate": false}));
    assert_eq!(bench.put(&path(), "2023-12-01", &nulls).status, 200);
}

#[test]
fn the_scope_is_one_workspace_in_the_region_of_the_rule() {
    let bench = bench();
    let refused = |scopes: Value| bench.put(&path(), VERSION, &body(json!({"scopes": scopes}))).refusal();
    let (logs, more) = (absolute(&workspace_path("logs")), absolute(&workspace_path("more")));
    assert_eq!(refused(json!([])), (400, "InvalidRequestContent".into()));
    assert_eq!(refused(json!([logs, more])), (400, "InvalidRequestContent".into()));
    assert_eq!(refused(json!(["logs"])), (400, "InvalidRequestContent".into()));
    assert_eq!(refused(json!([absolute(&workspace_path("none"))])), (404, "ResourceNotFound".into()));
    assert_eq!(refused(json!([more])), (400, "BadRequest".into()));
    let mut moved = body(json!({"scopes": [more]}));
    moved["location"] = "West Europe".into();
    assert_eq!(bench.put(&path(), VERSION, &moved).json()["location"], "westeurope");
    moved["location"] = "global".into();
    assert_eq!(bench.put(&path().replace("rule", "other"), VERSION, &moved).status, 400);
    assert_eq!(
        bench.put(&path().replace("rule", "a%23b"), VERSION, &body(json!({}))).refusal(),
        (400, "BadRequest".into())
    );
}

#[test]
fn conditions_are_checked() {
    let bench = bench();
    let with = |name: &str, value: Value| json!({format!("criteria/allOf/0/{name}"): value});
    let dimensions = |count: usize| vec![json!({"name": "d", "operator": "Include", "values": ["*"]}); count];
    let mut cases: Vec<(Value, u16)> = ["query", "timeAggregation", "operator", "threshold"]
        .into_iter()
        .map(|name| (with(name, Value::Null), 400))
        .collect();
    cases.extend([
        (with("query", " ".into()), 400),
        (with("query", "T | evaluate pivot(a)".into()), 400),
        (with("query", "T | evaluate bag_unpack(d)".into()), 400),
        (with("query", "T | where pivoted == 1".into()), 200),
        (with("query", "T | where A has 'pivot(x)' // ago(x)".into()), 200),
        (with("query", "// nothing".into()), 400),
        (with("query", "let t = 1h; T | where A > ago(t)".into()), 400),
        (with("operator", "Equals".into()), 200),
        (with("operator", "Equal".into()), 400),
        (with("operator", "GreaterOrLessThan".into()), 400),
        (with("threshold", "0".into()), 400),
        (with("timeAggregation", "Average".into()), 400),
        (with("metricMeasureColumn", "Value".into()), 400),
        (json!({"criteria/allOf/0/timeAggregation": "Average", "criteria/allOf/0/metricMeasureColumn": "Value"}), 200),
        (with("dimensions", dimensions(6).into()), 200),
        (with("dimensions", dimensions(7).into()), 400),
        (with("dimensions", json!([{"name": "d", "operator": "Include", "values": []}])), 400),
        (with("criterionType", "StaticThresholdCriterion".into()), 200),
        (with("criterionType", "Static".into()), 400),
        (with("color", "red".into()), 400),
        (json!({"criteria/allOf": []}), 400),
        (json!({"criteria": null}), 400),
        (json!({"severity": 5}), 400),
        (json!({"severity": null}), 400),
        (json!({"throttleConsecutiveWindowCount": 2}), 400),
        (json!({"description": "x".repeat(4097)}), 400),
        (with("query", format!("T // {}", "x".repeat(64 * 1024)).into()), 400),
        (json!({"actions/actionGroups": absolute(&insights_path("actionGroups", "ag-ops"))}), 400),
        (json!({"actions/actionGroups": [absolute(&insights_path("actionGroups", "none"))]}), 400),
        (json!({"actions": null}), 200),
    ]);
    statuses(&bench, cases);
}

#[test]
fn other_kinds_have_other_rules() {
    let bench = bench();
    let of_kind = |kind: &str, change: Value| {
        let mut body = body(change);
        body["kind"] = kind.into();
        bench.put(&insights_path("scheduledQueryRules", kind), "2026-03-01", &body).status
    };
    let without_times = json!({"severity": null, "evaluationFrequency": null, "windowSize": null});
    assert_eq!(of_kind("LogToMetric", without_times.clone()), 400);
    let mut metric = without_times.clone();
    metric["criteria/allOf/0/metricName"] = "Beats".into();
    assert_eq!(of_kind("LogToMetric", metric), 201);
    assert_eq!(of_kind("SimpleLogAlert", without_times), 201);
    assert_eq!(of_kind("Alert", json!({})), 400);
}
