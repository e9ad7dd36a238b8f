use super::common::{
    ACTION_GROUPS, Bench, RESOURCES, absolute, account_path, action_group_body, change_members, insights_path,
    machine_path,
};
use serde_json::{Value, json};

const VERSION: &str = "2018-03-01";
const MACHINES: &str = "Microsoft.Compute/virtualMachines";
const MULTIPLE: &str = "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria";
const SINGLE: &str = "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria";

/// Two machines in UK South, one in West Europe, an account and an action group.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.group("g");
    for (name, location) in [("vm-1", "uksouth"), ("vm-2", "UK South"), ("vm-3", "westeurope")] {
        assert_eq!(bench.put(&machine_path(name), "2025-04-01", &json!({"location": location})).status, 201);
    }
    bench.account("abc", json!({}));
    bench.put(&insights_path("actionGroups", "ag-ops"), ACTION_GROUPS, &action_group_body(json!({})));
    bench
}

fn path() -> String {
    insights_path("metricAlerts", "rule")
}

fn machines(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| absolute(&machine_path(name))).collect()
}

fn condition(name: &str) -> Value {
    json!({
        "criterionType": "StaticThresholdCriterion", "name": name, "metricName": "Percentage CPU", "metricNamespace": MACHINES,
        "timeAggregation": "Average", "operator": "GreaterThan", "threshold": 90.5,
    })
}

/// A rule on two machines. `change` sets members of `properties`.
pub(super) fn body(change: Value) -> Value {
    let mut body = json!({"location": "global", "properties": {
        "severity": 3, "enabled": true, "scopes": machines(&["vm-1", "vm-2"]),
        "targetResourceType": MACHINES, "targetResourceRegion": "uksouth",
        "evaluationFrequency": "PT1M", "windowSize": "PT5M",
        "criteria": {"odata.type": MULTIPLE, "allOf": [condition("Alert Criteria 0")]},
        "actions": [{"actionGroupId": absolute(&insights_path("actionGroups", "ag-ops"))}],
    }});
    change_members(&mut body["properties"], change);
    body
}

fn statuses(bench: &Bench, cases: Vec<(Value, u16)>) {
    for (change, expected) in cases {
        let reply = bench.put(&path(), VERSION, &body(change.clone()));
        assert_eq!(reply.status, expected, "{change}: {reply:?}");
    }
}

#[test]
fn a_rule_comes_back_as_azure_fills_it_in() {
    let bench = bench();
    let made = bench.put(&path(), VERSION, &body(json!({"evaluationFrequency": "PT60M", "windowSize": "PT24H"})));
    assert_eq!(made.status, 200, "{made:?}");
    let made = made.json();
    let properties = &made["properties"];
    assert_eq!((&properties["evaluationFrequency"], &properties["windowSize"]), (&json!("PT1H"), &json!("P1D")));
    assert_eq!((&properties["autoMitigate"], &properties["isMigrated"]), (&json!(true), &json!(false)));
    assert_eq!(properties["criteria"]["allOf"][0]["dimensions"], json!([]));
    assert_eq!(properties["criteria"]["odata.type"], MULTIPLE);
    assert_eq!(properties["actions"][0]["webHookProperties"], json!({}));
    assert!(properties["lastUpdatedTime"].is_string());
    let again = bench.put(&path(), "2026-01-01", &made);
    assert_eq!(again.status, 200, "{again:?}");
    assert_eq!(bench.get("resourceGroups/g/resources", RESOURCES).json()["value"].as_array().unwrap().len(), 6);
    assert_eq!([bench.delete(&path(), VERSION).status, bench.delete(&path(), VERSION).status], [200, 204]);
}

#[test]
fn times_and_severities_are_those_azure_has() {
    let bench = bench();
    statuses(
        &bench,
        vec![
            (json!({"evaluationFrequency": "PT5M", "windowSize": "PT5M"}), 200),
            (json!({"evaluationFrequency": "PT15M", "windowSize": "PT5M"}), 400),
            (json!({"evaluationFrequency": "PT2M"}), 400),
            (json!({"evaluationFrequency": "1 minute"}), 400),
            (json!({"evaluationFrequency": null}), 400),
            (json!({"windowSize": "PT10M"}), 400),
            (json!({"windowSize": null}), 400),
            (json!({"severity": 0}), 200),
            (json!({"severity": 5}), 400),
            (json!({"severity": -1}), 400),
            (json!({"severity": "3"}), 400),
            (json!({"severity": null}), 400),
            (json!({"enabled": null}), 400),
            (json!({"description": "x".repeat(2049)}), 400),
            (json!({"frequency": "PT1M"}), 400),
        ],
    );
    for location in ["uksouth", "westeurope"] {
        let mut rule = body(json!({}));
        rule["location"] = location.into();
        let refused = bench.put(&path().replace("rule", "other"), VERSION, &rule);
        assert_eq!(refused.refusal(), (400, "LocationNotAvailableForResourceType".into()));
    }
    let mut query = body(json!({
        "windowSize": null, "targetResourceType": null, "targetResourceRegion": null, "scopes": machines(&["vm-1"]),
        "criteria": {
            "odata.type": "Microsoft.Azure.Monitor.PromQLCriteria",
            "allOf": [{"criterionType": "StaticThresholdCriterion", "name": "q", "query": "avg(up) < 1"}],
        },
    }));
    query["location"] = "UK South".into();
    let made = bench.put(&path().replace("rule", "query"), "2026-01-01", &query);
    assert_eq!((made.status, &made.json()["location"]), (200, &json!("uksouth")), "{made:?}");
    let mut global = body(json!({}));
    global["location"] = "Global".into();
    assert_eq!(bench.put(&path(), VERSION, &global).json()["location"], "global");
    let refused = bench.put(&path().replace("rule", "a%23b"), VERSION, &body(json!({})));
    assert_eq!(refused.refusal(), (400, "BadRequest".into()));
}

#[test]
fn members_are_read_in_any_spelling() {
    let bench = bench();
    let usual = bench.made(&path(), VERSION, &body(json!({})));
    let mut unusual =
        body(json!({"severity": null, "Severity": 3, "criteria": {"oData.Type": MULTIPLE, "AllOf": [condition("c")]}}));
    let properties = unusual["properties"].take();
    unusual = json!({"Location": "global", "Properties": properties});
    let made = bench.put(&path().replace("rule", "other"), VERSION, &unusual);
    assert_eq!(made.status, 200, "{made:?}");
    assert_eq!(made.json()["properties"]["criteria"]["odata.type"], usual["properties"]["criteria"]["odata.type"]);
    assert_eq!(made.json()["properties"]["severity"], 3);
    let patch = json!({"PROPERTIES": {"Enabled": false}});
    let patched = bench.call("PATCH", &path(), VERSION, Some(&patch)).json();
    assert_eq!((&patched["properties"]["enabled"], patched["properties"].get("Enabled")), (&json!(false), None));
}

#[test]
fn scopes_exist_and_are_of_one_kind() {
    let bench = bench();
    let group = absolute("resourceGroups/g");
    let refused = |scopes: Value| bench.put(&path(), VERSION, &body(json!({"scopes": scopes}))).refusal();
    assert_eq!(refused(json!(machines(&["vm-1", "vm-9"]))), (404, "ResourceNotFound".into()));
    assert_eq!(refused(json!([absolute("resourceGroups/none")])), (404, "ResourceGroupNotFound".into()));
    let account = absolute(&account_path("abc"));
    for scopes in [
        json!([]),
        json!(["vm-1"]),
        json!(machines(&["vm-1", "vm-1"])),
        json!([machines(&["vm-1"])[0], group]),
        json!(machines(&["vm-1", "vm-3"])),
        json!([machines(&["vm-1"])[0], account]),
    ] {
        assert_eq!(refused(scopes.clone()), (400, "BadRequest".into()), "{scopes}");
    }
    let subscription = absolute("").trim_end_matches('/').to_owned();
    statuses(
        &bench,
        vec![
            (json!({"scopes": [group]}), 200),
            (json!({"scopes": [subscription]}), 200),
            (json!({"scopes": [group], "targetResourceType": null}), 400),
            (json!({"targetResourceRegion": null}), 400),
            (json!({"targetResourceRegion": "UK South"}), 200),
            (json!({"targetResourceRegion": "westeurope"}), 400),
            (json!({"targetResourceType": "Microsoft.Storage/storageAccounts"}), 400),
            (json!({"scopes": machines(&["vm-3"]), "targetResourceType": null, "targetResourceRegion": null}), 200),
            (json!({"scopes": machines(&["vm-3"])}), 400),
        ],
    );
}

#[test]
fn several_resources_have_one_condition_and_a_resource_up_to_five() {
    let bench = bench();
    let conditions = |count: usize| (0..count).map(|index| condition(&format!("c{index}"))).collect::<Value>();
    let one = |kind: &str, count: usize| json!({"scopes": machines(&["vm-1"]), "criteria": {"odata.type": kind, "allOf": conditions(count)}});
    statuses(
        &bench,
        vec![
            (json!({"criteria/allOf": conditions(2)}), 400),
            (json!({"criteria/allOf": []}), 400),
            (json!({"criteria/odata.type": SINGLE}), 400),
            (json!({"scopes": [absolute("resourceGroups/g")], "criteria/allOf": conditions(2)}), 400),
            (one(MULTIPLE, 5), 200),
            (one(MULTIPLE, 6), 400),
            (one(SINGLE, 5), 200),
            (one("Microsoft.Azure.Monitor.Nothing", 1), 400),
            (json!({"criteria/odata.type": null}), 400),
            (json!({"criteria": null}), 400),
            (json!({"scopes": machines(&["vm-1"]), "criteria/allOf": [condition("a"), condition("A")]}), 400),
        ],
    );
}

#[test]
fn conditions_are_checked() {
    let bench = bench();
    let place = "criteria/allOf/0";
    let with = |name: &str, value: Value| json!({format!("{place}/{name}"): value});
    let dimension = |operator: &str, values: Value| json!([{"name": "d", "operator": operator, "values": values}]);
    let mut cases: Vec<(Value, u16)> =
        ["criterionType", "name", "metricName", "timeAggregation", "operator", "threshold"]
            .into_iter()
            .map(|name| (with(name, Value::Null), 400))
            .collect();
    for operator in ["Equals", "GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"] {
        cases.push((with("operator", operator.into()), 200));
    }
    cases.extend([
        (with("operator", "NotEquals".into()), 400),
        (with("timeAggregation", "Total".into()), 200),
        (with("timeAggregation", "Median".into()), 400),
        (with("threshold", 0.into()), 200),
        (with("threshold", "90".into()), 400),
        (with("metricNamespace", Value::Null), 200),
        (with("metricNamespace", "microsoft.compute/virtualmachines".into()), 200),
        (with("metricNamespace", "Microsoft.Storage/storageAccounts".into()), 400),
        (with("metricNamespace", "Azure.VM.Windows.GuestMetrics".into()), 200),
        (with("dimensions", dimension("Include", json!(["*"]))), 200),
        (with("dimensions", dimension("StartsWith", json!(["a"]))), 400),
        (with("dimensions", dimension("Exclude", json!([]))), 400),
        (with("dimensions", json!([{"name": "d"}])), 400),
        (with("alertSensitivity", "High".into()), 400),
        (with("colour", "red".into()), 400),
        (with("criterionType", "StaticThreshold".into()), 400),
    ]);
    statuses(&bench, cases);
    let blobs = json!({
        "scopes": [absolute(&account_path("abc"))], "targetResourceType": "Microsoft.Storage/storageAccounts",
        "criteria/allOf/0/metricNamespace": "Microsoft.Storage/storageAccounts/blobServices",
    });
    statuses(&bench, vec![(blobs, 200)]);
}

#[test]
fn dynamic_conditions_and_web_tests_are_checked() {
    let bench = bench();
    let dynamic = |operator: &str, periods: u32, failing: u32| {
        let mut condition = condition("c");
        let periods = json!({"numberOfEvaluationPeriods": periods, "minFailingPeriodsToAlert": failing});
        change_members(
            &mut condition,
            json!({
                "criterionType": "DynamicThresholdCriterion", "threshold": null, "operator": operator,
                "alertSensitivity": "Medium", "failingPeriods": periods,
            }),
        );
        json!({"criteria/allOf": [condition]})
    };
    statuses(
        &bench,
        vec![
            (dynamic("GreaterOrLessThan", 4, 4), 200),
            (dynamic("Equals", 4, 4), 400),
            (dynamic("LessThan", 4, 5), 400),
            (dynamic("LessThan", 7, 1), 400),
        ],
    );
    let mut one = dynamic("LessThan", 4, 4)["criteria/allOf"][0].take();
    one["name"] = json!("Other");
    let of_one = |conditions: Value| json!({"scopes": machines(&["vm-1"]), "criteria/allOf": conditions});
    statuses(
        &bench,
        vec![
            (of_one(json!([condition("CPU"), condition("More")])), 200),
            (of_one(json!([condition("CPU"), one])), 400),
        ],
    );
    let (test, component) = (absolute(&insights_path("webtests", "t")), absolute(&insights_path("components", "c")));
    bench.put(&insights_path("webtests", "t"), "2022-06-15", &json!({"location": "uksouth"}));
    bench.cloud.import(&[json!({"id": component, "location": "uksouth", "properties": {}})]).unwrap();
    let web = |scopes: Value| {
        json!({
            "scopes": scopes, "targetResourceType": null, "targetResourceRegion": null,
            "criteria": {
                "odata.type": "Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria",
                "webTestId": test, "componentId": component, "failedLocationCount": 2,
            },
        })
    };
    statuses(&bench, vec![(web(json!([test, component])), 200), (web(json!([test])), 400)]);
}

#[test]
fn action_groups_exist() {
    let bench = bench();
    let missing = absolute(&insights_path("actionGroups", "none"));
    let (status, code, message) =
        bench.refused(&path(), VERSION, &body(json!({"actions/0/actionGroupId": missing.clone()})));
    assert_eq!((status, code.as_str()), (400, "BadRequest"));
    assert!(message.contains(&missing), "{message}");
    statuses(&bench, vec![(json!({"actions": null}), 200), (json!({"actions": [{}]}), 400)]);
}
