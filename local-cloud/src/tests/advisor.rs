use super::common::{ACTION_GROUPS, Bench, RESOURCES, absolute, action_group_body, insights_path};
use serde_json::{Value, json};

const VERSION: &str = "2025-01-01";
const PATH: &str = "providers/Microsoft.Advisor/configurations/default";

fn put(bench: &Bench, properties: Value) -> super::common::Reply {
    bench.put(PATH, VERSION, &json!({"properties": properties}))
}

#[test]
fn a_configuration_comes_back_with_texts_and_defaults() {
    let bench = Bench::new();
    let made = put(&bench, json!({"lowCpuThreshold": "10"}));
    assert_eq!(made.status, 200, "{made:?}");
    let expected = json!({"lowCpuThreshold": "10", "exclude": false, "duration": "7"});
    assert_eq!((&made.json()["properties"], &made.json()["id"]), (&expected, &json!(absolute(PATH))));
    assert_eq!(made.json().get("location"), None);
    let listed = bench.get("providers/Microsoft.Advisor/configurations", VERSION).json();
    assert_eq!(listed["value"][0]["properties"], expected);
    assert_eq!(bench.get("resources", RESOURCES).json()["value"], json!([]));
    // A PUT without a member resets it.
    assert_eq!(put(&bench, json!({})).json()["properties"]["lowCpuThreshold"], "5");
}

#[test]
fn values_are_those_azure_has() {
    let bench = Bench::new();
    bench.group("g");
    for (properties, code) in [
        (json!({"lowCpuThreshold": 10}), "InvalidRequestContent"),
        (json!({"exclude": "false"}), "InvalidRequestContent"),
        (json!({"threshold": "5"}), "InvalidRequestContent"),
        (json!({"lowCpuThreshold": "0"}), "BadRequest"),
        (json!({"duration": "8"}), "BadRequest"),
    ] {
        assert_eq!(put(&bench, properties.clone()).refusal(), (400, code.into()), "{properties}");
    }
    let other = PATH.replace("default", "other");
    assert_eq!(bench.put(&other, VERSION, &json!({"properties": {}})).refusal(), (400, "BadRequest".into()));
    let of_group = |properties: Value| {
        bench.put(&format!("resourceGroups/g/{PATH}"), VERSION, &json!({"properties": properties})).status
    };
    assert_eq!([of_group(json!({"lowCpuThreshold": "5"})), of_group(json!({"exclude": true}))], [400, 200]);
}

#[test]
fn digests_are_checked() {
    let bench = Bench::new();
    bench.group("g");
    let group = insights_path("actionGroups", "ag-ops");
    bench.put(&group, ACTION_GROUPS, &action_group_body(json!({})));
    let digest = |name: &str, group: &str, frequency: u32, state: &str| json!({"name": name, "actionGroupResourceId": absolute(group), "frequency": frequency, "state": state});
    let good = digest("weekly", &group, 7, "Active");
    for (digests, expected) in [
        (json!([good]), 200),
        (json!([good, digest("Weekly", &group, 30, "Active")]), 400),
        (json!([digest("a", "resourceGroups/g", 7, "Active")]), 400),
        (json!([digest("a", &insights_path("actionGroups", "none"), 7, "Active")]), 400),
        (json!([digest("a", &group, 6, "Active")]), 400),
        (json!([digest("a", &group, 7, "Asleep")]), 400),
    ] {
        assert_eq!(put(&bench, json!({"digests": digests})).status, expected, "{digests}");
    }
}
