use super::common::{Bench, RESOURCES, absolute};
use crate::{Fault, FaultKind};
use serde_json::json;
use std::time::Duration;

fn try_put(bench: &Bench, name: &str) -> reqwest::Result<super::common::Reply> {
    let path = absolute(&format!("resourceGroups/{name}"));
    let url = format!("{}{path}?api-version={RESOURCES}", bench.cloud.endpoint());
    bench.try_raw("PUT", &url, &[], b"{\"location\":\"uksouth\"}".to_vec())
}

fn exists(bench: &Bench, name: &str) -> bool {
    bench.cloud.resource(&absolute(&format!("resourceGroups/{name}"))).is_some()
}

#[test]
fn a_status_is_answered_as_often_as_asked() {
    let bench = Bench::new();
    bench
        .cloud
        .misbehave("status=429,retry-after=1500ms,method=PUT,path=/RESOURCEGROUPS/g,skip=1,times=2".parse().unwrap());
    assert_eq!(try_put(&bench, "g").unwrap().status, 201);
    for _ in 0..2 {
        let refused = try_put(&bench, "g").unwrap();
        assert_eq!(refused.refusal(), (429, "TooManyRequests".into()));
        assert_eq!((refused.header("retry-after"), refused.header("x-ms-retry-after-ms")), (Some("2"), Some("1500")));
    }
    assert_eq!(try_put(&bench, "g").unwrap().status, 200);
    bench.cloud.misbehave("status=400,body={\"code\":\"Bare\"}".parse().unwrap());
    let bare = try_put(&bench, "h").unwrap();
    assert_eq!((bare.status, bare.json()), (400, json!({"code": "Bare"})));
    assert!(!exists(&bench, "h"));
}

#[test]
fn connections_end_before_or_after_the_work() {
    let bench = Bench::with(crate::LocalCloudOptions { record_requests: 10, ..super::common::quick() });
    bench.cloud.misbehave(Fault::new(FaultKind::ResetBeforeAnswer).on("PUT", "before"));
    bench.cloud.misbehave(Fault::new(FaultKind::ResetAfterCarryingOut).on("PUT", "after"));
    assert!(try_put(&bench, "before").is_err());
    assert!(!exists(&bench, "before"));
    assert!(try_put(&bench, "after").is_err());
    assert!(exists(&bench, "after"));
    assert_eq!(try_put(&bench, "before").unwrap().status, 201);
    let statuses: Vec<u16> = bench.cloud.requests().iter().map(|request| request.status).collect();
    assert_eq!(statuses, [0, 0, 201]);
}

#[test]
fn answers_are_cut_short_or_not_json() {
    let bench = Bench::new();
    bench.cloud.misbehave(Fault::new(FaultKind::TruncatedBody));
    let cut = try_put(&bench, "g").unwrap_err();
    assert!(cut.is_body() || cut.is_decode(), "{cut:?}");
    assert!(exists(&bench, "g"));
    bench.cloud.misbehave(Fault::new(FaultKind::Html { status: 200 }));
    let page = try_put(&bench, "h").unwrap();
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.text.starts_with("<html>"));
    assert!(!exists(&bench, "h"));
}

#[test]
fn a_delay_changes_nothing_else() {
    let bench = Bench::new();
    bench.cloud.misbehave(Fault::new(FaultKind::Delay(Duration::from_millis(30))));
    let started = std::time::Instant::now();
    assert_eq!(try_put(&bench, "g").unwrap().status, 201);
    assert!(started.elapsed() >= Duration::from_millis(30));
}
