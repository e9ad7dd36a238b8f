use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};

use super::*;
use crate::report::samples::{action, change, hostile, many, report, several};

/// The tags that a report has.
const TAGS: &[&str] =
    &["<details>", "<details open>", "</details>", "<summary>", "</summary>", "<p>", "</p>", "<code>", "</code>"];

/// The parts that GitHub reads: the texts that are not code, and the HTML. Fails for everything else that a report does not have.
fn read(markdown: &str) -> (Vec<String>, Vec<String>) {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    let arena = Arena::new();
    let (mut texts, mut html) = (Vec::new(), Vec::new());
    for node in parse_document(&arena, markdown, &options).descendants() {
        match &node.data.borrow().value {
            NodeValue::Text(text) => texts.push(text.to_string()),
            NodeValue::HtmlBlock(block) => html.push(block.literal.clone()),
            NodeValue::HtmlInline(tag) => html.push(tag.clone()),
            NodeValue::Code(_)
            | NodeValue::CodeBlock(_)
            | NodeValue::Document
            | NodeValue::Paragraph
            | NodeValue::SoftBreak
            | NodeValue::Heading(_)
            | NodeValue::List(_)
            | NodeValue::Item(_)
            | NodeValue::Strong
            | NodeValue::Emph
            | NodeValue::Table(_)
            | NodeValue::TableRow(_)
            | NodeValue::TableCell => {}
            other => panic!("{other:?}"),
        }
    }
    (texts, html)
}

#[test]
fn no_text_gets_out_of_where_it_is_shown() {
    let markdown = with(&hostile(), &EVERYTHING, &Told::all(&hostile()));
    let (texts, html) = read(&markdown);
    assert!(markdown.matches("EVIL").count() > 100);
    for text in &texts {
        assert!(!text.contains("EVIL") && !text.contains('@') && !text.contains("://"), "{text}");
    }
    let html = html.concat();
    let outside = TAGS.iter().fold(html.clone(), |html, tag| html.replace(tag, "\n"));
    assert!(!outside.contains(['<', '>', '@', '`']), "{outside}");
    // What is in the names of blocks is code as well.
    for (before, code) in html.match_indices("EVIL").map(|(at, _)| html.split_at(at)) {
        let opened = before.matches("<code>").count() > before.matches("</code>").count();
        assert!(opened && code.contains("</code>"), "{before}");
    }
    assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
}

#[test]
fn every_row_of_a_table_has_its_cells_and_every_list_its_items() {
    let report = hostile();
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    let markdown = with(&report, &EVERYTHING, &Told::all(&report));
    let root = parse_document(&arena, &markdown, &options);
    let count =
        |fits: fn(&NodeValue) -> bool| root.descendants().filter(|node| fits(&node.data.borrow().value)).count();
    let tables = count(|value| matches!(value, NodeValue::Table(_)));
    assert_eq!(tables, 4, "facts, what is kept, documents, types");
    let documents = summary::documents(&report).len();
    let rows =
        summary::facts(&report).len() + report.kept.len() + documents + summary::types(&report.actions).len() + tables;
    assert_eq!(count(|value| matches!(value, NodeValue::TableRow(_))), rows);
    let deleted = summary::of_kind(&report, ActionKind::Delete).count();
    assert_eq!(count(|value| matches!(value, NodeValue::Item(_))), report.head.warnings.len() + deleted);
}

#[test]
fn a_report_fits_a_comment_and_says_what_it_leaves_out() {
    for (apps, missing) in [
        (60, None),
        (100, Some("most properties of created resources")),
        (300, Some("the properties of created resources")),
        (1000, Some("the properties of created resources, the graph and ")),
    ] {
        let markdown = write(&report(many(apps, 12)));
        assert!(markdown.chars().count() <= LONGEST, "{apps}: {}", markdown.len());
        match missing {
            Some(missing) => assert!(markdown.contains(missing), "{apps}: {}", &markdown[markdown.len() - 300..]),
            None => assert!(!markdown.contains("Left out"), "{apps}"),
        }
        assert!(
            markdown.starts_with(&format!("## Plan of `web.yml` for `Production`: {} to create", many(apps, 0).len()))
        );
        read(&markdown);
    }
}

#[test]
fn what_is_deleted_and_kept_is_there_however_long_the_report_is() {
    let mut actions = many(1000, 12);
    for action in actions.iter_mut().take(15) {
        action.action = ActionKind::Delete;
        action.resource.full_name = "é".repeat(3000);
    }
    let mut long = report(actions);
    long.head.warnings = vec!["x".repeat(3000); 500];
    let markdown = write(&long);
    assert!(markdown.chars().count() <= LONGEST);
    assert!(markdown.contains("### Deleted, which cannot be undone (15)"));
    assert_eq!(markdown.matches("ééé… (3000 characters)").count(), 15);
    assert!(markdown.contains("### Warnings (500)") && markdown.contains("… and "));
    let of_everything = many(1000, 0).len();
    long.actions.iter_mut().for_each(|action| action.action = ActionKind::Delete);
    let markdown = write(&long);
    assert!(markdown.chars().count() <= LONGEST);
    assert!(markdown.contains(&format!("({of_everything})")));
}

#[test]
fn what_is_changed_is_told_longer_than_what_is_created() {
    let mut actions = many(1000, 12);
    actions[2500].action = ActionKind::Modify;
    let markdown = write(&report(actions));
    assert!(markdown.contains("the properties of created resources, the graph and "));
    assert!(
        markdown.contains("<details open><summary>resource group <code>rg-8</code>: 1 to change</summary>"),
        "{markdown}"
    );
}

#[test]
fn of_what_does_not_fit_as_many_resources_as_do_are_there_group_by_group() {
    let actions = many(1500, 12);
    let all = actions.len();
    let markdown = write(&report(actions.clone()));
    let length = markdown.chars().count();
    assert!(length <= LONGEST && length > LONGEST - 1_000, "{length}");
    let end = markdown.lines().last().unwrap();
    let left: usize =
        end.split(" resources, which are in").next().unwrap().rsplit(' ').nth(2).unwrap().parse().unwrap();
    // The second way: an app of which there is a block is there, in this order, with the two resources in it.
    let is_there = |app: usize| markdown.contains(&format!("sites <code>app-{app}</code>"));
    let apps = (0..1500).take_while(|app| is_there(*app)).count();
    assert!((apps + 1..1500).all(|app| !is_there(app)), "{apps}");
    let groups = apps.div_ceil(100);
    let plans = apps.div_ceil(10);
    assert!((all - left).abs_diff(3 * apps + plans + groups) <= 4, "{apps} apps: {end}");
    assert_eq!(markdown.matches("resourceGroups <code>").count(), groups);
    assert!(end.contains(&format!("`rg-{}`", groups - 1)) && !end.contains("`rg-0`"), "{end}");
    read(&markdown);
}

#[test]
fn a_changed_resource_shows_both_values_and_a_text_its_lines() {
    let mut changed = action(0, "resourceGroups/rg/providers/Microsoft.Web/sites/shop", &[]);
    changed.action = ActionKind::Modify;
    changed.changes = vec![
        change("properties.tier", Some("\"Basic\""), Some("\"Standard\"")),
        change("properties.query", Some("\"a\\nb\\nc\""), Some("\"a\\nx\\nc\"")),
        change("properties.old", Some("true"), None),
    ];
    let markdown = write(&report(vec![changed]));
    let block = "```diff\n! sites shop  # web.yml:1:1\n-   tier: Basic\n+   tier: Standard  # web.yml:2:3\n    query:  # web.yml:2:3\n      a\n-     b\n+     x\n      c\n-   old: true  # web.yml:2:3\n```";
    assert!(markdown.contains(block), "{markdown}");
    assert!(markdown.contains("<details open>"));
}

#[test]
fn offline_plans_and_plans_without_changes_say_so() {
    let mut offline = report(many(1, 0));
    (offline.head.offline, offline.head.target) = (true, None);
    let markdown = write(&offline);
    assert!(markdown.contains("made offline") && !markdown.contains("Subscription"));
    let mut nothing = report(Vec::new());
    nothing.head.counts.unchanged = 12;
    let markdown = write(&nothing);
    assert!(markdown.starts_with("## Plan of `web.yml` for `Production`: no changes, 12 up to date\n"));
    assert!(!markdown.contains("<details>") && !markdown.contains("### Changes"));
}

#[test]
fn the_graph_is_what_forges_draw() {
    for apps in [1, 5, 24, 100, 1000, 4000] {
        let Some(graph) = graph(&report(many(apps, 0))) else {
            assert!(apps > 1000, "{apps}");
            continue;
        };
        let edges = graph.matches(" --> ").count();
        assert!((1..280).contains(&edges), "{apps}: {edges}");
        assert_eq!(graph.matches("  subgraph ").count(), graph.matches("  end\n").count());
    }
    let hostile = graph(&hostile()).unwrap();
    for line in hostile.lines().filter(|line| line.contains("[\"")) {
        let (before, label) = line.split_once("[\"").unwrap();
        let label = label.strip_suffix("\"]").unwrap();
        assert!(before.trim_start().starts_with(['n', 's']), "{line}");
        let own = label.replace("<br/>", "");
        assert!(!own.contains(['"', '<', '>', '[', ']', '`', '&', '@', '%', '(', '*', '_', '|']), "{line}");
    }
}

#[test]
fn each_document_of_several_has_its_part() {
    let markdown = write(&several());
    assert!(
        markdown.starts_with("## Plan of `core.yml and 2 more` for `Production`: 3 to create, 1 to delete\n"),
        "{markdown}"
    );
    let table = "### Documents (3)\n\n| Document | Create | Change | Delete | Kept |\n|---|--:|--:|--:|--:|\n\
                 | `core.yml` | 2 |  |  |  |\n| `web.yml` | 1 |  | 1 |  |\n| `storage.yml` |  |  |  |  |\n";
    assert!(markdown.contains(table), "{markdown}");
    let (before, of_web) = markdown.split_once("#### `web.yml`: 1 to create, 1 to delete\n").unwrap();
    assert!(before.contains("#### `core.yml`: 2 to create\n") && before.contains("app-core"), "{markdown}");
    assert!(!before.contains("app-web") && of_web.contains("app-web"), "{markdown}");
    assert!(!markdown.contains("#### `storage.yml`"), "{markdown}");
    assert!(markdown.contains("in `rg-web` of `web.yml`"), "{markdown}");
    assert_eq!(markdown.matches("```mermaid").count(), 1, "one graph for all");
}
