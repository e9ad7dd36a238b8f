use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::*;
use crate::report::samples::{HOSTILE, action, change, hostile, many, report, several};

/// The page as a browser reads it: it must have nothing that a strict parser objects to.
fn read(page: &str) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { exact_errors: true, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let read = parse_document(RcDom::default(), options).one(page);
    assert!(read.errors.borrow().is_empty(), "{:?}", read.errors.borrow());
    read
}

/// Visits the elements of a page: their name, attributes and text.
fn elements(node: &Handle, visit: &mut impl FnMut(&str, &[(String, String)], &Handle)) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes = attrs.borrow();
        let attributes: Vec<(String, String)> = attributes
            .iter()
            .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
            .collect();
        visit(&name.local, &attributes, node);
    }
    node.children.borrow().iter().for_each(|child| elements(child, visit));
}

fn text_of(node: &Handle) -> String {
    let own = if let NodeData::Text { contents } = &node.data { contents.borrow().to_string() } else { String::new() };
    own + &node.children.borrow().iter().map(text_of).collect::<String>()
}

fn count(page: &RcDom, wanted: &str) -> usize {
    let mut count = 0;
    elements(&page.document, &mut |name, _, _| count += usize::from(name == wanted));
    count
}

/// Fails for everything that would be loaded, sent or run.
fn assert_needs_nothing(page: &RcDom) {
    elements(&page.document, &mut |name, attributes, _| {
        let known =
            ["link", "img", "iframe", "object", "embed", "base", "audio", "video", "image", "use", "foreignObject"];
        assert!(!known.contains(&name), "{name}");
        for (attribute, value) in attributes {
            let loads = ["src", "srcset", "action", "formaction", "poster", "data", "ping", "background", "style"];
            assert!(!loads.contains(&attribute.as_str()) && !attribute.starts_with("on"), "{name} {attribute}");
            assert!(
                !["href", "marker-end"].contains(&attribute.as_str())
                    || value.trim_start_matches("url(").starts_with('#'),
                "{value}"
            );
        }
    });
    assert_eq!((count(page, "script"), count(page, "style")), (1, 1));
    for text in [STYLE, SCRIPT] {
        assert!(["url(", "@import", "http:", "https:", "fetch(", "import("].iter().all(|word| !text.contains(word)));
    }
}

#[test]
fn a_page_is_strict_html_and_needs_nothing_else() {
    let mut changed = many(30, 3);
    changed[4].action = ActionKind::Modify;
    changed[4].changes = vec![change("properties.text", Some("\"a\\nb\""), Some("\"a\\nc\""))];
    changed[9].action = ActionKind::Delete;
    let page = read(&write(&report(changed)));
    assert_needs_nothing(&page);
    assert_eq!(count(&page, "svg"), 1);
}

#[test]
fn the_policy_allows_only_what_is_in_the_page() {
    let page = read(&write(&report(many(1, 1))));
    let mut policy = String::new();
    elements(&page.document, &mut |name, attributes, _| {
        let is_policy = attributes.iter().any(|(_, value)| value == "Content-Security-Policy");
        if name == "meta" && is_policy {
            policy = attributes.iter().find(|(name, _)| name == "content").unwrap().1.clone();
        }
    });
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
    elements(&page.document, &mut |name, _, node| {
        if ["script", "style"].contains(&name) {
            let hash = STANDARD.encode(digest(&SHA256, text_of(node).as_bytes()));
            assert!(policy.contains(&format!("{name}-src 'sha256-{hash}'")), "{name}");
        }
    });
}

#[test]
fn hostile_texts_are_only_text() {
    let page = read(&write(&hostile()));
    assert_needs_nothing(&page);
    let mut tables = String::new();
    elements(&page.document, &mut |name, _, node| {
        if name == "td" {
            tables.push_str(&text_of(node));
            tables.push('\n');
        }
    });
    for text in HOSTILE {
        assert!(tables.contains(&visible(text)), "{text}");
    }
}

#[test]
fn every_change_can_be_linked_to_and_filtered() {
    let actions = many(20, 2);
    let page = read(&write(&report(actions.clone())));
    let (mut found, mut links) = (Vec::new(), Vec::new());
    elements(&page.document, &mut |name, attributes, _| {
        let value = |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        match (name, value("data-action")) {
            ("details", Some(kind)) => found.push((value("id").unwrap(), kind, value("data-type").unwrap())),
            ("a", _) => links.extend(value("href")),
            _ => {}
        }
    });
    found.sort();
    let mut expected: Vec<(String, String, String)> = actions
        .iter()
        .map(|action| (format!("change-{}", action.index), "create".to_owned(), action.resource.label.clone()))
        .collect();
    expected.sort();
    assert_eq!(found, expected);
    // Every box of the drawing leads to its change.
    for (id, ..) in &found {
        assert!(links.contains(&format!("#{id}")), "{id}");
    }
}

#[test]
fn a_page_for_ten_thousand_changes_is_made_and_draws_types() {
    let actions = many(3300, 2);
    assert!(actions.len() > 10_000);
    let text = write(&report(actions.clone()));
    let page = read(&text);
    assert!(count(&page, "details") > actions.len());
    assert!(count(&page, "rect") <= DRAWN.nodes);
    assert!(text.len() < 40_000_000, "{}", text.len());
}

#[test]
fn what_is_deleted_and_kept_stands_before_the_changes() {
    let mut deleted = action(0, "resourceGroups/rg/providers/Microsoft.Web/sites/shop", &[]);
    deleted.action = ActionKind::Delete;
    let mut report = report(vec![deleted]);
    report.kept = hostile().kept;
    report.head.offline = true;
    let text = write(&report);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}"));
    assert!(at("made offline") < at("id=\"deletions\"") && at("id=\"deletions\"") < at("id=\"kept\""));
    assert!(at("id=\"kept\"") < at("id=\"changes\""));
}

#[test]
fn each_document_of_several_has_its_part_and_a_link_to_it() {
    let page = read(&write(&several()));
    assert_needs_nothing(&page);
    let (mut parts, mut links, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    elements(&page.document, &mut |name, attributes, node| {
        let value = |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        match name {
            "section" if value("class").as_deref() == Some("document") => parts.push(text_of(node)),
            "h3" => links.extend(value("id").map(|id| format!("#{id}"))),
            "th" if value("scope").is_some() => rows.push(text_of(node)),
            _ => {}
        }
    });
    assert_eq!(parts.len(), 2, "a document without changes has no part");
    assert!(parts[0].starts_with("core.yml") && parts[0].contains("app-core") && !parts[0].contains("app-web"));
    assert!(parts[1].starts_with("web.yml") && parts[1].contains("app-web") && !parts[1].contains("app-core"));
    assert!(rows.starts_with(&["core.yml", "web.yml", "storage.yml"].map(str::to_owned)), "{rows:?}");
    let mut targets = Vec::new();
    elements(&page.document, &mut |name, attributes, _| {
        let href = attributes.iter().find(|(attribute, _)| attribute == "href").map(|(_, value)| value.clone());
        targets.extend(href.filter(|href| name == "a" && href.starts_with("#document-")));
    });
    assert_eq!(targets, links);
    assert_eq!(count(&page, "svg"), 1, "one graph for all");
}
