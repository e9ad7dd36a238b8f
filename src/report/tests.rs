//! The text that people read of a plan.

use serde_json::{Value, json};

use super::*;
use crate::azure::{ResourceId, resource_type};
use crate::plan::resource_name;
use crate::protocol::Confirm;
use crate::protocol::{ActionKind, JsonText, PropertyChange};

const GROUP: &str = "/subscriptions/1/resourceGroups/rg-shop";
const APP: &str = "/subscriptions/1/resourceGroups/rg-shop/providers/Microsoft.Web/sites/app-shop";

fn action(kind: ActionKind, id: &str, changes: Vec<PropertyChange>) -> Action {
    let resource_id = ResourceId::new(id);
    let type_name = resource_id.resource_type();
    let known = resource_type(&type_name);
    Action {
        index: 0,
        action: kind,
        resource: resource_name(&resource_id, &type_name, known.map_or(&type_name, |known| known.label)),
        description: String::new(),
        question: String::new(),
        confirm: Confirm::Normal,
        depends_on: Vec::new(),
        together: Vec::new(),
        last: false,
        changes,
        state_unknown: false,
        origin: Some("web.yml:10:3".to_owned()),
        document: None,
        rehearsal: None,
    }
}

fn change(path: &str, before: Value, after: Value, origin: Option<&str>) -> PropertyChange {
    let text = |value: Value| (!value.is_null()).then_some(JsonText::from(value));
    PropertyChange {
        path: path.to_owned(),
        before: text(before),
        after: text(after),
        origin: origin.map(str::to_owned),
        by_policy: false,
    }
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect::<String>() + "\n").collect()
}

fn shown(actions: &[Action], width: usize, full: bool) -> String {
    text(&plan(actions, Layout { width, full }))
}

/// A tree in one line: `rg[a[b, c]]`, with a sign before what is changed.
fn outline(nodes: &[Node<'_>]) -> String {
    let one = |node: &Node<'_>| {
        let sign = node.action.map_or_else(String::new, |action| sign(action.action).0.to_string());
        let held = if node.children.is_empty() { String::new() } else { format!("[{}]", outline(&node.children)) };
        format!("{sign}{} {}{held}", node.label, node.name)
    };
    nodes.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_is_held_stands_below_what_holds_it() {
    let create = |id: String| action(ActionKind::Create, &id, Vec::new());
    let account = format!("{GROUP}/providers/Microsoft.Storage/storageAccounts/stx");
    let actions = [
        create("/subscriptions/1/providers/Microsoft.Insights/diagnosticSettings/log".to_owned()),
        create(format!("{account}/queueServices/default/queues/orders")),
        create(format!("{APP}/slots/staging")),
        create(format!("{GROUP}/providers/Microsoft.Foo/bars/one/bazes/two")),
        create("/subscriptions/1/resourceGroups/rg-other/providers/Microsoft.Web/sites/app-2".to_owned()),
        create(format!("{APP}/slots/staging/config/appsettings")),
        create(GROUP.to_owned()),
    ];
    assert_eq!(
        outline(&tree(&actions)),
        "+resource group rg-shop[storage account stx[+queue orders], app app-shop[+slot staging[+configuration appsettings]], \
         +Microsoft.Foo/bars/bazes one/two], resource group rg-other[+web app app-2], subscription 1[+diagnostic setting log]"
    );
}

#[test]
fn a_resource_is_named_by_what_it_is_and_where_it_is_not_obvious() {
    let of = ResourceId::new(APP);
    let named = |text: &str| value(&json!(text), &of);
    let subnet = "/providers/Microsoft.Network/virtualNetworks/vnet-x/subnets/endpoints";
    assert_eq!(named(&format!("{GROUP}{subnet}")), "subnet 'vnet-x/endpoints'");
    assert_eq!(
        named(&format!("/subscriptions/1/resourceGroups/rg-hub{subnet}")),
        "subnet 'vnet-x/endpoints' in 'rg-hub'"
    );
    assert_eq!(
        named(&format!("/subscriptions/2/resourceGroups/rg-shop{subnet}")),
        "subnet 'vnet-x/endpoints' in 'rg-shop' of subscription '2'"
    );
    assert_eq!(named("/subscriptions/2"), "subscription '2'");
    assert_eq!(named("/subscriptions/1/resourceGroups/rg-hub"), "resource group 'rg-hub'");
    assert_eq!(named(&format!("{GROUP}/providers/Microsoft.Foo/bars/one")), "Microsoft.Foo/bars 'one'");
    assert_eq!(
        named(&format!("{GROUP}/providers/Microsoft.Network/virtualNetworks/<virtual network>")),
        "<virtual network>"
    );
    let role =
        "/subscriptions/1/providers/Microsoft.Authorization/roleDefinitions/B7E6DC6D-f1e8-4753-8033-0f276bb0955b";
    assert_eq!(named(role), "role 'Storage Blob Data Owner'");
}

#[test]
fn other_values_are_as_a_document_would_have_them() {
    let of = ResourceId::new(APP);
    let shown = |json: Value| value(&json, &of);
    for (json, expected) in [
        (json!("TLS1_2"), "TLS1_2"),
        (json!("UK South"), "UK South"),
        (json!("(known after apply)"), "(known after apply)"),
        (json!("***"), "***"),
        (json!("true"), "\"true\""),
        (json!("12"), "\"12\""),
        (json!(""), "\"\""),
        (json!("a, b"), "\"a, b\""),
        (json!("a\nb"), "\"a\\nb\""),
        (json!(true), "true"),
        (json!(["/*", {"field": "status", "equals": "Active"}]), "[/*, {field: status, equals: Active}]"),
    ] {
        assert_eq!(shown(json.clone()), expected, "{json}");
    }
}

#[test]
fn a_list_is_told_item_by_item() {
    let of = ResourceId::new(APP);
    let parts = |before: Value, after: Value| match difference(&change("p", before, after, None), &of) {
        Difference::Parts(parts) => parts.iter().map(|part| format!("{:?} {}", part.sign, part.text)).collect(),
        other => vec![format!("{other:?}")],
    };
    assert_eq!(
        parts(json!(["a", "b", "c"]), json!(["c", "a", "d"])),
        ["Removed b", "Added d", "Left 2 items unchanged"],
        "what only moved is no news beside what changed"
    );
    assert_eq!(parts(json!(["a", "b"]), json!(["b", "a"])), ["Added b", "Kept a", "Removed b"]);
    assert_eq!(parts(json!(null), json!(["a", "b"])), ["Added a", "Added b"]);
    assert_eq!(parts(json!(["a"]), json!([])), ["Removed a"]);
    // Items that read alike are shown as they are.
    assert_eq!(
        parts(json!(["/subscriptions/1/resourceGroups/X"]), json!(["/subscriptions/9/resourceGroups/X"])).len(),
        2
    );
}

#[test]
fn a_text_is_told_line_by_line() {
    let of = ResourceId::new(APP);
    let query = "Heartbeat\n| where A\n| where B\n| where C\n| where D\n";
    let Difference::Parts(parts) =
        difference(&change("q", json!(query), json!(query.replace("| where A", "| where Z")), None), &of)
    else {
        panic!("no parts");
    };
    let parts: Vec<String> = parts.iter().map(|part| format!("{:?} {}", part.sign, part.text)).collect();
    assert_eq!(
        parts,
        ["Kept Heartbeat", "Removed | where A", "Added | where Z", "Kept | where B", "Left 2 lines unchanged"]
    );
}

#[test]
fn values_that_read_alike_and_are_not_are_shown_as_they_are() {
    let of = ResourceId::new(APP);
    let id = |case: &str| json!(format!("{GROUP}/providers/Microsoft.Web/sites/{case}"));
    let difference = difference(&change("p", id("a?b"), id("ab"), None), &of);
    assert!(matches!(difference, Difference::Value { before: Some(before), .. } if before.contains("a?b")));
    let placeholder =
        |group: &str| json!(format!("/subscriptions/1/resourceGroups/{group}/providers/Microsoft.Web/sites/<app>"));
    let Difference::Value { before, after } =
        super::difference(&change("p", placeholder("a"), placeholder("b"), None), &of)
    else {
        panic!("no value");
    };
    assert_ne!(before, after);
}

#[test]
fn new_resources_are_short_and_everything_is_shown_on_request() {
    let actions = [
        action(
            ActionKind::Create,
            GROUP,
            vec![change("location", json!(null), json!("uksouth"), Some("web.yml:2:11"))],
        ),
        action(
            ActionKind::Create,
            APP,
            vec![
                change("location", json!(null), json!("uksouth"), Some("web.yml:2:11")),
                change("properties.siteConfig.linuxFxVersion", json!(null), json!("NODE|22-lts"), Some("web.yml:12:5")),
                change("properties.httpsOnly", json!(null), json!(true), None),
                change("properties.hostName", json!(null), json!("(known after apply)"), None),
            ],
        ),
    ];
    assert_eq!(
        shown(&actions, 80, false),
        "\
+ resource group 'rg-shop'  location: uksouth                       web.yml:10:3
  + web app 'app-shop'  linuxFxVersion: NODE|22-lts                 web.yml:10:3

3 defaults and repeated values of new resources not shown; --full shows
  everything.
Plan: 2 to create, 0 to change, 0 to delete.
  + 1 × resource group, 1 × web app
"
    );
    assert_eq!(
        shown(&actions[1..], 80, true),
        "  resource group 'rg-shop'
  + web app 'app-shop'                                              web.yml:10:3
      location: uksouth                                             web.yml:2:11
      siteConfig.linuxFxVersion: NODE|22-lts                        web.yml:12:5
      httpsOnly: true  # default
      hostName: (known after apply)

Plan: 1 to create, 0 to change, 0 to delete.
  + 1 × web app
"
    );
}

#[test]
fn long_texts_in_lists_of_new_resources_are_begun_and_keys_leave_a_word_whole() {
    let query = "Heartbeat\n| where Computer == \"vm-shop\"\n| take 10";
    let kind = "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria";
    let origin = Some("web.yml:11:5");
    let create = action(
        ActionKind::Create,
        APP,
        vec![
            change("properties.criteria.allOf", Value::Null, json!([{"query": query, "threshold": 0}]), origin),
            change("properties.criteria.odata.type", Value::Null, json!(kind), origin),
        ],
    );
    let lines = shown(std::slice::from_ref(&create), 80, false);
    assert!(lines.contains("allOf: [{query: Heartbeat…, threshold: 0}],"), "{lines}");
    assert!(lines.lines().any(|line| line.trim_start() == kind), "{lines}");
    assert!(shown(&[create], 80, true).contains("take 10"), "everything is shown on request");
}

#[test]
fn changes_are_told_by_property_and_deletions_stand_out() {
    let rule = format!("{GROUP}/providers/Microsoft.Insights/metricAlerts/alt-old");
    let actions = [
        action(
            ActionKind::Modify,
            APP,
            vec![
                change("properties.siteConfig.minTlsVersion", json!("1.0"), json!("1.2"), Some("web.yml:12:5")),
                change("properties.rules", json!(["1.2.3.4", "5.6.7.8"]), json!(["1.2.3.4"]), Some("web.yml:13:5")),
                change("tags.owner", json!(null), json!("shop"), None),
                change("properties.gone", json!("x"), json!(null), None),
            ],
        ),
        action(ActionKind::Delete, &rule, Vec::new()),
    ];
    assert_eq!(
        shown(&actions, 80, false),
        "  resource group 'rg-shop'
  ~ web app 'app-shop'                                              web.yml:10:3
      siteConfig.minTlsVersion: \"1.0\" -> \"1.2\"                      web.yml:12:5
      rules:                                                        web.yml:13:5
        - 5.6.7.8
        … 1 item unchanged
      tags.owner: (none) -> shop  # default
      gone: x -> (none)
  - metric alert 'alt-old' will be deleted                          web.yml:10:3

Plan: 0 to create, 1 to change, 1 to delete.
  ~ 1 × web app
  - 1 × metric alert
"
    );
    let lines = plan(&actions, Layout { width: 80, full: false });
    let style_of = |part: &str| {
        let spans = lines.iter().flatten().find(|span| span.text.contains(part));
        spans.map(|span| span.style)
    };
    assert_eq!(style_of("alt-old"), Some(Style::Alarm));
    assert_eq!(style_of("web.yml:12:5"), Some(Style::Faint));
    assert_eq!(
        text(&deletions(&actions, 80)),
        "1 resource will be deleted:\n  - metric alert 'alt-old' in resource group 'rg-shop'\n"
    );
    assert!(deletions(&actions[..1], 80).is_empty());
}

#[test]
fn three_hundred_resources_are_readable_at_eighty_columns() {
    let create = |index: usize| {
        let id = format!("{GROUP}/providers/Microsoft.Web/sites/app-{}-{index}", "long-name-".repeat(index % 9));
        let words = "one value of many words and then some ".repeat(index % 7);
        let change =
            change("properties.text", json!(null), json!(words), Some("a-document-with-a-long-name.yml:1000:20"));
        action(ActionKind::Create, &id, vec![change])
    };
    let actions: Vec<Action> = (0..300).map(create).collect();
    for width in [40, 80, 120] {
        let shown = shown(&actions, width, false);
        let widest = shown.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{widest:?} columns of {width}");
        let whole = shown.split_whitespace().collect::<String>();
        for action in &actions {
            assert!(whole.contains(&format!("'{}'", action.resource.name)), "{} is cut off", action.resource.name);
        }
        assert!(width < 80 || shown.lines().count() < 1000, "{} lines at {width}", shown.lines().count());
    }
}

#[test]
fn each_document_of_several_has_its_tree_and_its_counts() {
    let several = super::samples::several();
    assert_eq!(
        shown(&several.actions, 60, false),
        "core.yml: 2 to create\n\
         + resourceGroups 'rg-shop'                       web.yml:1:1\n\
         \u{20}\u{20}+ sites 'app-core'                             web.yml:1:1\n\
         \n\
         web.yml: 1 to create, 1 to delete\n\
         \u{20}\u{20}resource group 'rg-shop'\n\
         \u{20}\u{20}+ sites 'app-web'                              web.yml:1:1\n\
         - resourceGroups 'rg-web' will be deleted        web.yml:1:1\n\
         \n\
         Plan: 3 to create, 0 to change, 1 to delete in 2 documents.\n\
         \u{20}\u{20}+ 2 × sites, 1 × resourceGroups\n\
         \u{20}\u{20}- 1 × resourceGroups\n"
    );
    assert_eq!(
        text(&deletions(&several.actions, 60)),
        "1 resource will be deleted:\n\u{20}\u{20}- resourceGroups 'rg-web'                          web.yml\n"
    );
}
