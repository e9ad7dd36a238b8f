//! Templates of a few lines that name more than any machine holds: Azure refuses them, and so does the local cloud. Source: learn.microsoft.com,
//! "Template limits".

use super::common::Bench;
use super::deployments::{DEPLOYMENTS, account, bench, body, deploy, deployed, path, refused, template};
use serde_json::{Map, Value, json};

/// Why an account is refused whose tags are these.
fn refusal(bench: &Bench, tags: Value, given: &str) -> String {
    let mut resource = account("sta");
    resource["tags"] = tags;
    let template = template(json!({"sta": resource}), json!({"parameters": {"p": {"type": "string"}}}));
    refused(bench, &template, json!({"p": {"value": given}}))
}

/// A text of 2^20 letters.
fn mega() -> String {
    "a".repeat(1 << 20)
}

#[test]
fn an_expression_with_thousands_of_operators_is_refused() {
    let bench = bench();
    for expression in [
        format!("subscription(){}", ".a".repeat(8000)),
        format!("subscription(){}", "[0]".repeat(7000)),
        format!("{}'a'{}", "last(split(".repeat(1000), ", '/'))".repeat(1000)),
        format!("{}'a'{}", "subscription()[".repeat(1000), "]".repeat(1000)),
        format!("format('a', {})", vec!["'b'"; 4000].join(", ")),
    ] {
        let message = refusal(&bench, json!({"a": format!("[{expression}]")}), "x");
        assert!(message.contains("more than 200 parts"), "{message}");
    }
}

#[test]
fn what_is_made_of_little_is_bounded() {
    let bench = bench();
    let five = refusal(&bench, json!({"a": "[format('{0}{0}{0}{0}{0}', parameters('p'))]"}), &mega());
    assert!(five.contains("larger than 4 MB"), "{five}");
    let pieces = refusal(&bench, json!({"a": "[last(split(parameters('p'), 'a'))]"}), &"a".repeat(3 << 19));
    assert!(pieces.contains("larger than 4 MB"), "{pieces}");
    let each = |count: usize, text: &str| (0..count).map(|at| (format!("t{at}"), text.into())).collect::<Map<_, _>>();
    let many = refusal(&bench, Value::Object(each(70, "[parameters('p')]")), &mega());
    assert!(many.contains(" MB"), "{many}");
    let steps = refusal(&bench, Value::Object(each(70_000, "[last(split('a', '/'))]")), "x");
    assert!(steps.contains("expressions make is larger than 64 MB"), "{steps}");
}

#[test]
fn a_resource_has_at_most_a_megabyte() {
    let bench = bench();
    let of = |count: usize| {
        let tags: Map<String, Value> = (0..count).map(|at| (format!("t{at}"), "[parameters('p')]".into())).collect();
        let mut resource = account("sta");
        resource["properties"] = json!({"customDomain": tags});
        let template = template(json!({"sta": resource}), json!({"parameters": {"p": {"type": "string"}}}));
        let given = json!({"p": {"value": "a".repeat(100 << 10)}});
        bench.put(&path("d"), DEPLOYMENTS, &body(&template, given))
    };
    assert_eq!(of(9).status, 201);
    let refused = of(11);
    assert_eq!(refused.refusal(), (400, "InvalidTemplate".into()));
    assert!(refused.text.contains("The resource is larger than 1 MB. The place is 'resources.sta'."), "{refused:?}");
}

#[test]
fn a_parameter_that_doubles_from_deployment_to_deployment_is_refused() {
    let bench = bench();
    let parameters = json!({"parameters": {"p": {"type": "string"}}});
    let mut whole = template(json!({}), parameters.clone());
    for level in 0..8 {
        let nested = json!({"type": "Microsoft.Resources/deployments", "apiVersion": DEPLOYMENTS, "name": format!("n{level}"),
            "properties": {"mode": "Incremental", "parameters": {"p": {"value": "[format('{0}{0}', parameters('p'))]"}}, "template": whole}});
        whole = template(json!({ "n": nested }), parameters.clone());
    }
    let given = json!({"p": {"value": "a".repeat(100 << 10)}});
    let shown = deployed(&bench, &path("d"), &body(&whole, given));
    let error = shown["properties"]["error"].to_string();
    assert!(error.contains("InvalidTemplate") && error.contains("larger than 4 MB"), "{error}");
}

#[test]
fn what_is_large_but_may_be_is_carried_out() {
    let bench = bench();
    let mut resource = account("sta");
    let levels = format!("{}subscription().id{}", "last(split(".repeat(40), ", '/'))".repeat(40));
    resource["tags"] = json!({"a": format!("[{levels}]")});
    let shown = deploy(&bench, &template(json!({"sta": resource}), json!({})));
    assert_eq!(shown["properties"]["provisioningState"], "Succeeded", "{shown}");
}
