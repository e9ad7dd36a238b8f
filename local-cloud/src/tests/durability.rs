use super::common::{Bench, RESOURCES, STORAGE, absolute, account_body, account_path, quick};
use crate::{ImportError, Imported, LocalCloud, LocalCloudError, LocalCloudOptions, OperationTime, import_file};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn with_file(path: &Path) -> LocalCloudOptions {
    LocalCloudOptions { state_file: Some(path.to_owned()), ..quick() }
}

fn state_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/state.json");
    (folder, path)
}

#[test]
fn state_survives_a_restart() {
    let (_folder, path) = state_file();
    let before = {
        let bench = Bench::with(with_file(&path));
        bench.group("g");
        bench.account("abc", json!({"tags": {"a": "1"}}))
    };
    let bench = Bench::with(with_file(&path));
    assert_eq!(bench.get(&account_path("abc"), STORAGE).json(), before);
    assert_eq!(bench.cloud.state_file(), Some(path.as_path()));
}

#[test]
fn an_answered_change_is_on_disk_before_the_cloud_stops() {
    let (_folder, path) = state_file();
    let bench = Bench::with(with_file(&path));
    for name in ["one", "two", "three"] {
        bench.group(name);
        assert!(std::fs::read_to_string(&path).unwrap().contains(&format!("\"name\":\"{name}\"")));
    }
}

/// A snapshot writes again as it was what stayed as it was since the last one, and nothing else.
#[test]
fn each_snapshot_has_what_changed_since_the_last_one() {
    let (_folder, path) = state_file();
    let bench = Bench::with(with_file(&path));
    let group = |name: &str, body: Value| bench.made(&format!("resourceGroups/{name}"), RESOURCES, &body);
    let here = json!({"location": "uksouth"});
    for (name, body) in [
        ("one", Some(here.clone())),
        ("two", Some(here.clone())),
        ("one", Some(json!({"location": "uksouth", "tags": {"a": "1"}}))),
        ("two", None),
        ("two", Some(json!({"location": "westeurope"}))),
        ("three", Some(here)),
        ("one", Some(json!({"location": "uksouth", "tags": {"a": "2"}}))),
    ] {
        let Some(body) = body else {
            // That a deletion has ended is seen from its time, and written with the next change.
            bench.finish(&bench.delete(&format!("resourceGroups/{name}"), RESOURCES));
            continue;
        };
        group(name, body);
        let state: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let saved: Vec<&Value> = state["resources"].as_array().unwrap().iter().map(|saved| &saved["body"]).collect();
        let shown = bench.get("resourceGroups", RESOURCES).json();
        assert_eq!(json!(saved), shown["value"], "after {name}");
    }
}

#[test]
fn operations_go_on_after_a_restart() {
    let (_folder, path) = state_file();
    let location = {
        let operation_time = OperationTime::Fixed(Duration::from_millis(300));
        let bench = Bench::with(LocalCloudOptions { operation_time, ..with_file(&path) });
        bench.group("g");
        let started = bench.put(&account_path("abc"), STORAGE, &account_body(json!({})));
        let url = started.header("location").unwrap();
        url[url.find("/subscriptions").unwrap()..].to_owned()
    };
    let bench = Bench::with(with_file(&path));
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        let polled = bench.raw("GET", &location, &[], "");
        if polled.status == 200 {
            assert_eq!(polled.json()["name"], "abc");
            break;
        }
        assert_eq!(polled.status, 202, "{polled:?}");
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_second_cloud_does_not_get_the_same_file() {
    let (_folder, path) = state_file();
    let bench = Bench::with(with_file(&path));
    let refused = LocalCloud::start(with_file(&path));
    assert!(matches!(&refused, Err(LocalCloudError::StateInUse { path: named }) if *named == path), "{refused:?}");
    drop(bench);
    assert!(LocalCloud::start(with_file(&path)).is_ok());
}

#[test]
fn a_damaged_file_is_named_and_left_alone() {
    let (_folder, path) = state_file();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let head = "{\"format\":\"svc-local-cloud\",\"version\":1,\n\"resources\":[\n";
    for (text, line) in [
        (format!("{head}{{\"body\":{{}}}},\n{{}}],\"operations\":[]}}"), 3),
        (format!("{head}{{\"body\":"), 3),
        ("{\"format\":\"other\"}".to_owned(), 1),
        (head.replace('1', "9"), 1),
        (String::new(), 1),
    ] {
        std::fs::write(&path, &text).unwrap();
        match LocalCloud::start(with_file(&path)) {
            Err(error @ LocalCloudError::StateDamaged { .. }) => {
                let message = error.to_string();
                assert!(message.contains(&format!("damaged at line {line}, column")), "{message}");
                assert!(message.contains("move it away"), "{message}");
            }
            other => panic!("{text}: {other:?}"),
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn many_changes_at_once_are_all_kept() {
    let (_folder, path) = state_file();
    let cloud = LocalCloud::start(with_file(&path)).unwrap();
    let endpoint = cloud.endpoint().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let requests = (0..40).map(|number| {
            let path = absolute(&format!("resourceGroups/g{number}"));
            client.put(format!("{endpoint}{path}?api-version={RESOURCES}")).body("{\"location\":\"uksouth\"}").send()
        });
        for reply in futures::future::join_all(requests).await {
            assert_eq!(reply.unwrap().status(), 201);
        }
    });
    let saved: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(saved["resources"].as_array().unwrap().len(), 40);
}

#[test]
fn a_state_that_cannot_be_saved_is_said() {
    let (_folder, path) = state_file();
    let bench = Bench::with(with_file(&path));
    bench.group("g");
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let refused = bench.put("resourceGroups/h", RESOURCES, &json!({"location": "uksouth"}));
    assert_eq!(refused.refusal(), (500, "StateNotSaved".into()));
    assert!(refused.text.contains("state.json"), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_the_state_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link, loose) = ["real.json", "link.json", "loose.json"].map(|name| folder.path().join(name)).into();
    Bench::with(with_file(&real)).group("before");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    std::os::unix::fs::symlink(folder.path().join("nowhere.json"), &loose).unwrap();
    let bench = Bench::with(with_file(&link));
    bench.group("g");
    assert!(link.is_symlink() && std::fs::read_to_string(&real).unwrap().contains(r#""name":"g""#));
    let other = LocalCloud::start(with_file(&real)).err().unwrap();
    assert!(matches!(other, LocalCloudError::StateInUse { .. }), "one file has one lock: {other}");
    let error = LocalCloud::start(with_file(&loose)).err().unwrap();
    assert!(matches!(error, LocalCloudError::StateUnreadable { .. }), "{error}");
    assert!(loose.is_symlink());
}

#[test]
fn imported_resources_are_filled_in_and_kept() {
    let (folder, path) = state_file();
    let file = folder.path().join("landing-zone.json");
    let container = format!("{}/blobServices/default/containers/logs", account_path("old"));
    let resources = json!([
        {"id": absolute(&container)},
        {"id": absolute(&account_path("old")), "location": "UK South", "kind": "StorageV2", "sku": {"name": "Standard_LRS"},
         "tags": {"svc-service": "logs"}, "properties": {"minimumTlsVersion": "TLS1_0", "creationTime": "2020-01-01T00:00:00Z"}},
    ]);
    std::fs::write(&file, resources.to_string()).unwrap();
    assert_eq!(import_file(&file, &path).unwrap(), Imported::Resources(2));
    let bench = Bench::with(with_file(&path));
    let account = bench.get(&account_path("old"), STORAGE).json();
    assert_eq!(account["location"], "uksouth");
    assert_eq!(account["properties"]["minimumTlsVersion"], "TLS1_0");
    assert_eq!(account["properties"]["creationTime"], "2020-01-01T00:00:00Z");
    assert_eq!(account["properties"]["provisioningState"], "Succeeded");
    assert_eq!(account["properties"]["primaryEndpoints"]["blob"], "https://old.blob.core.windows.net/");
    assert_eq!(bench.get("resourceGroups/g", RESOURCES).json()["location"], "uksouth");
    assert_eq!(bench.get(&container, STORAGE).json()["properties"]["publicAccess"], "None");
}

#[test]
fn an_import_is_all_or_nothing() {
    let bench = Bench::new();
    let good = json!({"id": absolute("resourceGroups/g"), "location": "uksouth"});
    let import = |bad: Value| bench.cloud.import(&[good.clone(), bad]).unwrap_err();
    assert!(matches!(import(json!({"id": "/nothing"})), ImportError::NoId { position: 2, .. }));
    assert!(matches!(import(json!("text")), ImportError::NoId { position: 2, .. }));
    let orphan = json!({"id": absolute(&format!("{}/blobServices/default/containers/logs", account_path("a")))});
    assert!(matches!(import(orphan), ImportError::NoParent { .. }));
    let homeless = json!({"id": absolute("resourceGroups/none/providers/A.B/c/d"), "location": "global"});
    assert!(matches!(import(homeless), ImportError::NoGroup { .. }));
    assert_eq!(bench.cloud.resource(&absolute("resourceGroups/g")), None);
    assert_eq!(bench.cloud.import(std::slice::from_ref(&good)).unwrap(), 1);
    assert!(bench.cloud.resource(&absolute("resourceGroups/g")).is_some());
}

#[test]
fn dropping_ends_open_connections_and_slow_requests() {
    let bench = Bench::with(LocalCloudOptions { latency: Duration::from_secs(3600), ..quick() });
    let endpoint = bench.cloud.endpoint().to_owned();
    let client = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        runtime.block_on(client.get(endpoint).send()).is_err()
    });
    drop(bench);
    assert!(client.join().unwrap());
}
