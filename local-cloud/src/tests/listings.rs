use super::common::{Bench, RESOURCES, Reply, STORAGE, absolute, account_path, quick};
use crate::LocalCloudOptions;
use serde_json::{Value, json};

fn names(reply: &Reply) -> Vec<String> {
    let value = reply.json();
    let items = value["value"].as_array().unwrap_or_else(|| panic!("{reply:?}"));
    items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

fn bench(options: LocalCloudOptions) -> Bench {
    let bench = Bench::with(options);
    bench.group("g");
    bench.group("other");
    for (name, tags) in [("aaa", json!({"svc": "One"})), ("bbb", json!({"Svc": "two"})), ("ccc", json!({}))] {
        bench.account(name, json!({"tags": tags}));
    }
    bench.put(&format!("{}/blobServices/default/containers/logs", account_path("aaa")), STORAGE, &json!({}));
    bench
}

fn filter(text: &str) -> String {
    let encoded: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("$filter", text).finish();
    format!("resources?{encoded}")
}

#[test]
fn resources_are_what_is_tracked() {
    let bench = bench(quick());
    let all = bench.get("resources", RESOURCES);
    assert_eq!(names(&all), ["aaa", "bbb", "ccc"]);
    let first = &all.json()["value"][0];
    assert_eq!(first["tags"], json!({"svc": "One"}));
    assert_eq!(first["sku"]["tier"], "Standard");
    assert_eq!(first.get("properties"), None);
    assert_eq!(names(&bench.get("resourceGroups/g/resources", RESOURCES)).len(), 3);
    assert_eq!(names(&bench.get("resourceGroups/other/resources", RESOURCES)).len(), 0);
    assert_eq!(bench.get("resourceGroups/none/resources", RESOURCES).refusal().1, "ResourceGroupNotFound");
}

#[test]
fn a_listing_by_name_and_value_of_a_tag_has_no_tags() {
    let bench = bench(quick());
    let by_name = bench.get(&filter("tagName eq 'svc'"), RESOURCES);
    assert_eq!(names(&by_name), ["aaa", "bbb"]);
    assert_eq!(by_name.json()["value"][0]["tags"], json!({"svc": "One"}));
    let by_both = bench.get(&filter("tagName eq 'SVC' and tagValue eq 'One'"), RESOURCES);
    assert_eq!(names(&by_both), ["aaa"]);
    assert_eq!(by_both.json()["value"][0].get("tags"), None);
    assert_eq!(names(&bench.get(&filter("tagName eq 'svc' and tagValue eq 'one'"), RESOURCES)), Vec::<String>::new());
    let by_type = filter("resourceType eq 'microsoft.storage/storageaccounts' and tagName eq 'svc'");
    assert_eq!(names(&bench.get(&by_type, RESOURCES)), ["aaa", "bbb"]);
    assert_eq!(bench.get(&filter("colour eq 'red'"), RESOURCES).refusal().1, "InvalidFilterInQueryString");
}

#[test]
fn groups_can_be_filtered_by_tag() {
    let bench = bench(quick());
    let tagged = json!({"location": "uksouth", "tags": {"svc": "x"}});
    bench.put("resourceGroups/tagged", RESOURCES, &tagged);
    assert_eq!(names(&bench.get("resourcegroups", RESOURCES)), ["g", "other", "tagged"]);
    let path = filter("tagName eq 'svc' and tagValue eq 'x'").replace("resources?", "resourceGroups?");
    let found = bench.get(&path, RESOURCES);
    assert_eq!(names(&found), ["tagged"]);
    assert_eq!(found.json()["value"][0]["tags"], json!({"svc": "x"}));
}

#[test]
fn types_are_listed_per_group_subscription_and_parent() {
    let bench = bench(quick());
    let in_group = "resourceGroups/g/providers/microsoft.storage/storageaccounts";
    assert_eq!(names(&bench.get(in_group, STORAGE)), ["aaa", "bbb", "ccc"]);
    assert_eq!(names(&bench.get("providers/Microsoft.Storage/storageAccounts", STORAGE)).len(), 3);
    assert_eq!(names(&bench.get(&in_group.replace("/g/", "/other/"), STORAGE)).len(), 0);
    assert_eq!(bench.get(&in_group.replace("/g/", "/none/"), STORAGE).refusal().1, "ResourceGroupNotFound");
    let containers = |account: &str| format!("{}/blobServices/default/containers", account_path(account));
    assert_eq!(names(&bench.get(&containers("aaa"), STORAGE)), ["logs"]);
    assert_eq!(names(&bench.get(&containers("bbb"), STORAGE)).len(), 0);
    assert_eq!(bench.get(&containers("none"), STORAGE).refusal(), (404, "ResourceNotFound".into()));
    let whole = &bench.get(in_group, STORAGE).json()["value"][0];
    assert_eq!(whole["properties"]["primaryLocation"], "uksouth");
}

/// Follows a listing to its end and gives the names on every page.
fn pages(bench: &Bench, path: &str) -> Vec<Vec<String>> {
    let mut reply = bench.get(path, RESOURCES);
    let mut pages = Vec::new();
    loop {
        pages.push(names(&reply));
        match reply.json().get("nextLink").and_then(Value::as_str) {
            Some(next) => reply = bench.follow(next),
            None => return pages,
        }
    }
}

#[test]
fn listings_come_in_pages() {
    let bench = bench(LocalCloudOptions { page_size: 2, ..quick() });
    let expected: Vec<Vec<String>> = vec![vec!["aaa".into(), "bbb".into()], vec!["ccc".into()]];
    assert_eq!(pages(&bench, "resources"), expected);
    assert_eq!(pages(&bench, "resources?$top=1").len(), 3);
    assert_eq!(pages(&bench, &filter("tagName eq 'svc'")), expected[..1]);
    assert_eq!(bench.get("resources?$top=none", RESOURCES).refusal().1, "InvalidTopInQueryString");
}

#[test]
fn a_page_may_be_empty() {
    let bench = bench(LocalCloudOptions { page_size: 2, empty_first_page: true, ..quick() });
    let pages = pages(&bench, "resources");
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [0, 2, 1]);
}

#[test]
fn tags_are_merged_replaced_and_deleted() {
    let bench = bench(quick());
    let path = format!("{}/providers/Microsoft.Resources/tags/default", account_path("aaa"));
    let patch = |operation: &str, tags: Value| {
        let body = json!({"operation": operation, "properties": {"tags": tags}});
        let reply = bench.call("PATCH", &path, RESOURCES, Some(&body));
        if reply.status == 200 { reply.json()["properties"]["tags"].clone() } else { json!(reply.refusal().1) }
    };
    assert_eq!(patch("Merge", json!({"SVC": "new", "b": "2"})), json!({"SVC": "new", "b": "2"}));
    assert_eq!(patch("Delete", json!({"svc": "other"})), json!({"SVC": "new", "b": "2"}));
    assert_eq!(patch("Delete", json!({"svc": "new"})), json!({"b": "2"}));
    assert_eq!(patch("Replace", json!({"c": "3"})), json!({"c": "3"}));
    assert_eq!(patch("Explode", json!({})), "InvalidTagPatchOperation");
    let many: Value = (0..51).map(|number| (format!("t{number}"), json!(""))).collect();
    assert_eq!(patch("Merge", many), "InvalidTagCount");
    assert_eq!(patch("Merge", json!({"n".repeat(129): ""})), "InvalidTagNameLength");
    assert_eq!(patch("Merge", json!({"n": "v".repeat(257)})), "InvalidTagValueLength");
    assert_eq!(patch("Merge", json!({"n": "", "N": ""})), "DuplicateTagNames");
    assert_eq!(bench.cloud.resource(&absolute(&account_path("aaa"))).unwrap()["tags"], json!({"c": "3"}));
    let replaced = bench.put(&path, RESOURCES, &json!({"properties": {"tags": {"d": "4"}}}));
    assert_eq!((replaced.status, &replaced.json()["properties"]["tags"]), (200, &json!({"d": "4"})));
    assert_eq!(bench.call("DELETE", &path, RESOURCES, None).status, 200);
    assert_eq!(bench.get(&path, RESOURCES).json()["properties"]["tags"], json!({}));
    let subscription = "providers/Microsoft.Resources/tags/default";
    assert_eq!(bench.put(subscription, RESOURCES, &json!({"properties": {"tags": {"s": "1"}}})).status, 200);
    assert_eq!(bench.get(subscription, RESOURCES).json()["properties"]["tags"], json!({"s": "1"}));
    let missing = path.replace("aaa", "zzz");
    assert_eq!(bench.get(&missing, RESOURCES).refusal(), (404, "ResourceNotFound".into()));
}
