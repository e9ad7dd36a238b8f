use serde_json::json;

use super::*;
use crate::protocol::Target;

#[test]
fn a_file_for_something_else_approves_nothing() {
    let target =
        |cloud: &str, id: &str| Target { cloud: cloud.to_owned(), subscription_id: id.to_owned(), ..Target::default() };
    let planned = PlanHead {
        format: REPORT_FORMAT,
        command: "New-A".to_owned(),
        documents: vec!["a.yml".to_owned()],
        target: Some(target("public", "one")),
        ..PlanHead::default()
    };
    let file = |target: Option<Target>| PlanFile {
        head: PlanHead { offline: target.is_none(), target, ..planned.clone() },
        digest_key: "10ca1c100d004000800000000000000f".to_owned(),
        ..PlanFile::default()
    };
    let fit = file(Some(target("public", "ONE")));
    assert_eq!(unfit(&fit, &planned), None);
    assert_eq!(unfit(&fit, &PlanHead { target: None, ..planned.clone() }), None, "the target is not known yet");
    let of = |documents: [&str; 2]| documents.map(str::to_owned).to_vec();
    let with = |head: PlanHead| PlanFile { head, ..fit.clone() };
    let head = || fit.head.clone();
    let two = PlanHead { documents: of(["a.yml", "b.yml"]), ..planned.clone() };
    assert_eq!(unfit(&with(PlanHead { documents: of(["b.yml", "a.yml"]), ..head() }), &two), None, "in another order");
    assert!(unfit(&with(PlanHead { documents: of(["a.yml", "c.yml"]), ..head() }), &two).is_some());
    let unfit = |approved: PlanFile| unfit(&approved, &planned).unwrap_or_default();
    assert_eq!(unfit(file(None)), "it was made offline, so it does not say what exists");
    assert_eq!(unfit(with(PlanHead { format: 1, ..head() })), "its format is 1, expected 2");
    let without_key = PlanFile { digest_key: String::new(), ..fit.clone() };
    assert_eq!(unfit(without_key), "its digestKey is no key, so its digests say nothing");
    assert_eq!(unfit(with(PlanHead { command: "New-B".to_owned(), ..head() })), "it is a plan of New-B, not of New-A");
    assert_eq!(
        unfit(with(PlanHead { documents: Vec::new(), ..head() })),
        "it is a plan for a settings object, not for 'a.yml'"
    );
    assert_eq!(unfit(file(Some(target("china", "one")))), "it is a plan for the cloud 'china', not for 'public'");
    assert_eq!(unfit(file(Some(target("public", "two")))), "it is a plan for the subscription two, not for one");
}

#[test]
fn two_long_texts_are_shown_where_they_differ_first() {
    let (one, other) = (format!("{}one{}", "a".repeat(100), "b".repeat(100)), format!("{}two", "a".repeat(100)));
    let (one, other) = apart(&one, &other);
    assert_eq!(one, format!("…{}one{}…", "a".repeat(20), "b".repeat(37)));
    assert_eq!(other, format!("…{}two", "a".repeat(20)));
    assert_eq!(apart("short", "shorter"), ("short".to_owned(), "shorter".to_owned()));
}

#[test]
fn a_pointer_finds_items_by_what_tells_them_apart() {
    let body = json!({"tags": {"a/b": 1}, "list": [{"name": "One", "x": 2}, {"id": "/i", "x": 3}, {"x": 4}]});
    for (pointer, found) in [("/tags/a~1b", 1), ("/LIST/one/x", 2), ("/list/~1i/x", 3), ("/list/2/x", 4)] {
        assert_eq!(at(&body, pointer), Some(&json!(found)), "{pointer}");
    }
    assert_eq!(at(&body, "/list/two"), None);
}
