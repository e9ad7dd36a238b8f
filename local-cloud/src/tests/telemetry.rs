//! The past: what is imported, and what is answered of it.

use super::common::{Bench, absolute, account_path};
use crate::{LocalCloud, LocalCloudOptions};
use serde_json::{Value, json};

const METRICS: &str = "2024-02-01";
const EVENTS: &str = "2015-04-01";
const LOGS: &str = "2018-03-01-preview";
const WORKSPACE: &str = "resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/log";

/// Options for a cloud that keeps its state in a file.
fn with_file(path: &std::path::Path) -> LocalCloudOptions {
    LocalCloudOptions { state_file: Some(path.to_owned()), ..LocalCloudOptions::default() }
}

fn bench_with(options: LocalCloudOptions) -> Bench {
    let bench = Bench::with(options);
    let account = |name: &str, location: &str| json!({"id": absolute(&account_path(name)), "location": location, "kind": "StorageV2", "sku": {"name": "Standard_LRS"}, "properties": {}});
    let workspace = json!({"id": absolute(WORKSPACE), "location": "uksouth", "properties": {}});
    bench
        .cloud
        .import(&[account("one", "uksouth"), account("two", "UK South"), account("far", "northeurope"), workspace])
        .unwrap();
    bench
}

fn import(cloud: &LocalCloud, document: Value) -> Result<usize, String> {
    cloud.import_telemetry(document).map_err(|error| error.to_string())
}

fn metric(name: &str, values: Value) -> Value {
    json!({"resource": absolute(&account_path(name)), "metric": "Ingress", "from": "2026-11-20T00:00:00Z", "to": "2026-11-20T01:00:00Z", "every": "PT5M", "values": values, "dimensions": {"Api": format!("of-{name}")}})
}

/// The values of the first point of each time series.
fn first_points(answer: &Value) -> Vec<Value> {
    let series = answer["value"][0]["timeseries"].as_array().unwrap();
    series.iter().map(|series| series["data"][0].clone()).collect()
}

/// The shape is that of the examples of the published specification.
#[test]
fn metrics_are_answered_in_their_intervals() {
    let bench = bench_with(LocalCloudOptions::default());
    let count = import(
        &bench.cloud,
        json!({"metrics": [metric("one", json!([1, 2, null])), metric("two", json!([10])), metric("far", json!([100]))]}),
    );
    assert_eq!(count, Ok(3));
    let query =
        "providers/Microsoft.Insights/metrics?metricnames=Ingress&timespan=2026-11-20T00:00:00Z/2026-11-20T00:30:00Z";
    let one = bench
        .get(
            &format!("{}/{query}&interval=PT15M&aggregation=Average,Count,Total,Minimum,Maximum", account_path("one")),
            METRICS,
        )
        .json();
    assert_eq!(
        first_points(&one),
        [
            json!({"timeStamp": "2026-11-20T00:00:00Z", "average": 1.5, "count": 10.0, "total": 15.0, "minimum": 1.0, "maximum": 2.0})
        ]
    );
    let minutes =
        bench.get(&format!("{}/{query}&interval=PT1M&aggregation=Total", account_path("one")), METRICS).json();
    let data = minutes["value"][0]["timeseries"][0]["data"].as_array().unwrap();
    assert_eq!(
        (data.len(), &data[12]),
        (30, &json!({"timeStamp": "2026-11-20T00:12:00Z"})),
        "a minute without a value has a time only"
    );
    let region = format!(
        "{query}&interval=PT15M&aggregation=Total&region=uksouth&metricnamespace=Microsoft.Storage/storageAccounts"
    );
    let together = bench.get(&region, METRICS).json();
    assert_eq!(first_points(&together), [json!({"timeStamp": "2026-11-20T00:00:00Z", "total": 165.0})]);
    let apart = bench.get(&format!("{region}&$filter=Microsoft.ResourceId eq '*' and Api eq '*'"), METRICS).json();
    let series = apart["value"][0]["timeseries"].as_array().unwrap();
    let values = |index: usize| -> Vec<&str> {
        series[index]["metadatavalues"].as_array().unwrap().iter().map(|data| data["value"].as_str().unwrap()).collect()
    };
    assert_eq!((values(0)[1], values(1)[1], series.len()), ("of-one", "of-two", 2));
    let chosen = bench.get(&format!("{region}&$filter=Api eq 'of-two'"), METRICS).json();
    assert_eq!(first_points(&chosen), [json!({"timeStamp": "2026-11-20T00:00:00Z", "total": 150.0})]);
    for wrong in [
        "interval=PT7M",
        "aggregation=Median",
        "timespan=yesterday",
        "timespan=0001-01-01T00:00:00Z/2026-01-01T00:00:00Z",
        "metricnames=",
        "$filter=Api ne 'x'",
    ] {
        let (name, _) = wrong.split_once('=').unwrap();
        let kept: Vec<&str> = query.split('&').filter(|part| !part.contains(&format!("{name}="))).collect();
        let path = format!(
            "{}/providers/Microsoft.Insights/metrics?{wrong}&{}",
            account_path("one"),
            kept.join("&").replace("providers/Microsoft.Insights/metrics?", "")
        );
        assert_eq!(bench.get(&path, METRICS).status, 400, "{wrong}");
    }
    let nobody = bench.get(&format!("{}/{query}", account_path("nobody")), METRICS);
    assert_eq!(nobody.status, 404);
}

#[test]
fn events_are_answered_page_by_page_the_newest_first() {
    let bench = bench_with(LocalCloudOptions { page_size: 2, ..LocalCloudOptions::default() });
    let event = |time: &str| json!({"eventTimestamp": time, "category": "Administrative", "resourceId": absolute(&account_path("one"))});
    let times = ["2026-11-20T00:00:00Z", "2026-11-20T02:00:00Z", "2026-11-20T01:00:00Z", "2026-11-21T00:00:00Z"];
    import(&bench.cloud, json!({"activityLog": times.map(event)})).unwrap();
    let path = "providers/Microsoft.Insights/eventtypes/management/values?$filter=eventTimestamp ge '2026-11-20T00:00:00Z' and eventTimestamp le '2026-11-20T12:00:00Z'";
    let first = bench.get(path, EVENTS).json();
    let times = |page: &Value| -> Vec<String> {
        page["value"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["eventTimestamp"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(times(&first), ["2026-11-20T02:00:00Z", "2026-11-20T01:00:00Z"]);
    let event = &first["value"][0];
    assert_eq!(
        (&event["category"]["value"], &event["resourceGroupName"], &event["resourceType"]["value"]),
        (&json!("Administrative"), &json!("g"), &json!("Microsoft.Storage/storageAccounts"))
    );
    let second = bench.follow(first["nextLink"].as_str().unwrap()).json();
    assert_eq!((times(&second), second.get("nextLink")), (vec!["2026-11-20T00:00:00Z".to_owned()], None));
    assert_eq!(
        bench.get("providers/Microsoft.Insights/eventtypes/management/values?$filter=caller eq 'x'", EVENTS).status,
        400
    );
}

#[test]
fn queries_see_the_tables_of_their_workspace_and_time() {
    let bench = bench_with(LocalCloudOptions::default());
    let rows = json!([{"TimeGenerated": "2026-11-20T00:00:00Z", "Level": 3}, {"from": "2026-11-20T01:00:00Z", "to": "2026-11-20T01:05:00Z", "every": "PT1M", "row": {"Level": 5}}]);
    assert_eq!(import(&bench.cloud, json!({"tables": {absolute(WORKSPACE): {"Shop_CL": rows}}})), Ok(6));
    let ask = |scope: &str, body: Value| {
        bench.call("POST", &format!("{scope}/providers/Microsoft.Insights/logs"), LOGS, Some(&body))
    };
    let answer =
        ask(WORKSPACE, json!({"query": "Shop_CL | summarize N = count(), Last = max(TimeGenerated) by Level"})).json();
    let expected = json!({"tables": [{"name": "PrimaryResult",
        "columns": [{"name": "Level", "type": "real"}, {"name": "N", "type": "real"}, {"name": "Last", "type": "datetime"}],
        "rows": [[3.0, 1.0, "2026-11-20T00:00:00Z"], [5.0, 5.0, "2026-11-20T01:04:00Z"]]}]});
    assert_eq!(answer, expected);
    let some =
        ask(WORKSPACE, json!({"query": "Shop_CL | count", "timespan": "2026-11-20T01:02:00Z/2026-11-20T02:00:00Z"}))
            .json();
    assert_eq!(some["tables"][0]["rows"], json!([[3.0]]));
    assert_eq!(
        ask(WORKSPACE, json!({"query": "Heartbeat | count"})).json()["tables"][0]["rows"],
        json!([[0.0]]),
        "a table of Azure is there"
    );
    for body in [
        json!({"query": "Nothing_CL"}),
        json!({"query": " "}),
        json!({}),
        json!({"query": "Shop_CL | evaluate x()"}),
        json!({"query": "Shop_CL", "timespan": "P1D"}),
    ] {
        assert_eq!(ask(WORKSPACE, body.clone()).status, 400, "{body}");
    }
    let named = ask(WORKSPACE, json!({"query": "Shop_CL | evaluate x()"})).json();
    assert!(named["error"]["details"][0]["message"].as_str().unwrap().starts_with("no operator evaluate."), "{named}");
    assert_eq!(
        ask("resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/other", json!({"query": "Shop_CL"}))
            .status,
        404
    );
}

#[test]
fn what_is_wrong_with_an_import_is_said_and_nothing_is_imported() {
    let bench = bench_with(LocalCloudOptions::default());
    let series = |member: &str, value: Value| {
        let mut series = metric("one", json!([1]));
        series[member] = value;
        json!({"metrics": [metric("one", json!([1])), series]})
    };
    let rows = |rows: Value| json!({"tables": {absolute(WORKSPACE): {"T": [rows]}}});
    for (document, expected) in [
        (json!([]), "it is not an object"),
        (json!({"metric": []}), "'metric' is not known"),
        (series("resource", json!("one")), "metrics[1]: 'one' is not a resource id"),
        (
            series("from", json!("yesterday")),
            "metrics[1]: 'yesterday' is neither a time such as 2026-11-20T08:00:00Z nor one before now such as -P7D",
        ),
        (series("every", json!("PT30S")), "metrics[1]: at least a minute and a value are needed"),
        (series("every", json!("5m")), "metrics[1]: '5m' is not a duration such as PT5M or P7D"),
        (series("values", json!([])), "metrics[1]: at least a minute and a value are needed"),
        (rows(json!({"Level": 1})), "tables, T[0]: 'TimeGenerated' is missing"),
        (
            rows(json!({"from": "-P30D", "every": "PT1S", "row": {}})),
            "tables, T[0]: more than 1000000 rows; repeat it less often",
        ),
        (
            rows(json!({"from": "-P1D", "every": "PT0S", "row": {}})),
            "tables, T[0]: more than 1000000 rows; repeat it less often",
        ),
        (
            rows(json!({"from": "-P99999999999999999999D", "every": "PT1S", "row": {}})),
            "tables, T[0]: 'P99999999999999999999D' is not a duration such as PT5M or P7D",
        ),
        (json!({"tables": {"log": {}}}), "tables: 'log' is not the id of a workspace"),
        (json!({"activityLog": [{"category": "x"}]}), "activityLog[0]: 'eventTimestamp' is missing"),
    ] {
        assert_eq!(
            import(&bench.cloud, document.clone()),
            Err(format!("The past cannot be imported: {expected}.")),
            "{document}"
        );
    }
    let query = format!(
        "{}/providers/Microsoft.Insights/metrics?metricnames=Ingress&timespan=2026-11-20T00:00:00Z/2026-11-20T00:30:00Z",
        account_path("one")
    );
    assert_eq!(bench.get(&query, METRICS).json()["value"][0]["timeseries"], json!([]));
}

#[test]
fn the_past_is_in_the_state_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let bench = bench_with(with_file(&path));
    let without = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(!without.contains("telemetry"), "a state without a past can be read by older programs");
    import(&bench.cloud, json!({"metrics": [metric("one", json!([7]))]})).unwrap();
    drop(bench);
    let again = Bench::with(with_file(&path));
    let query = format!(
        "{}/providers/Microsoft.Insights/metrics?metricnames=Ingress&interval=PT1H&aggregation=Average&timespan=2026-11-20T00:00:00Z/2026-11-20T01:00:00Z",
        account_path("one")
    );
    assert_eq!(first_points(&again.get(&query, METRICS).json())[0]["average"], 7.0);
}
