//! Templates of a few lines that name more than any machine holds: Azure refuses them, and so does the local cloud. Source: learn.microsoft.com,
//! "Template limits".

use super::common::Bench;
use super::deployments::{bench, outputs, refused, template};
use serde_json::{Map, Value, json};

/// Why a template with these variables is refused, of which an output needs one.
fn refusal(bench: &Bench, variables: Value, used: &str) -> String {
    let outputs = json!({"x": {"type": "int", "value": used}});
    refused(bench, &template(json!([]), json!({"variables": variables, "outputs": outputs})), json!({}))
}

/// Variables of which each is made of the one before it.
fn chain(first: &str, count: usize, next: impl Fn(&str) -> String) -> Value {
    let mut variables = Map::new();
    variables.insert("v0".to_owned(), first.into());
    for number in 1..=count {
        let before = format!("variables('v{}')", number - 1);
        variables.insert(format!("v{number}"), format!("[{}]", next(&before)).into());
    }
    Value::Object(variables)
}

#[test]
fn an_expression_with_thousands_of_operators_is_refused() {
    let bench = bench();
    for operators in
        [".a".repeat(8000), "[0]".repeat(7000), format!("{}{}", "[length(createObject()".repeat(150), ")]".repeat(150))]
    {
        let message = refusal(&bench, json!({"v": format!("[createObject(){operators}]")}), "[length(variables('v'))]");
        assert!(message.contains("nested too deeply"), "{message}");
    }
    let usual = json!({"v": {"a": [{"b": 7}]}});
    let outputs = outputs(
        &bench,
        json!({"variables": usual, "outputs": {"x": {"type": "int", "value": "[variables('v').a[0]['b']]"}}}),
    );
    assert_eq!(outputs["x"]["value"], 7);
}

#[test]
fn a_value_that_doubles_itself_is_refused() {
    let bench = bench();
    let doubled = chain("0123456789", 39, |before| format!("concat({before}, {before})"));
    assert!(refusal(&bench, doubled, "[length(variables('v39'))]").contains("larger than 4 MB"));
    let lists = chain("[createArray(1)]", 39, |before| format!("concat({before}, {before})"));
    assert!(refusal(&bench, lists, "[length(variables('v39'))]").contains("larger than 4 MB"));
}

#[test]
fn functions_that_make_much_of_little_are_bounded_before_they_begin() {
    let bench = bench();
    // A MiB of one letter.
    let mega = chain("a", 20, |before| format!("concat({before}, {before})"));
    let with = |expression: &str| {
        let mut variables = mega.clone();
        variables["x"] = format!("[{expression}]").into();
        refusal(&bench, variables, "[length(variables('x'))]")
    };
    let big = "variables('v20')";
    for expression in [
        format!("replace({big}, 'a', {big})"),
        format!("join(range(0, 10000), {big})"),
        format!("format('{}', {big})", "{0}".repeat(4000)),
        format!("map(range(0, 10000), lambda('x', {big}))"),
        "map(range(0, 10000), lambda('x', map(range(0, 10000), lambda('y', map(range(0, 10000), lambda('z', 1))))))"
            .to_owned(),
    ] {
        let message = with(&expression);
        assert!(message.contains(" MB"), "{expression}: {message}");
    }
}

#[test]
fn chains_of_variables_are_bounded_in_depth_and_all_variables_in_size() {
    let bench = bench();
    // Each is as deep as an expression may be.
    let nested = |before: &str| format!("{}{before}{}", "createArray(".repeat(150), ")".repeat(150));
    let deep = chain("x", 200, nested);
    let message = refusal(&bench, deep, "[length(variables('v200'))]");
    assert!(message.contains("nested too deeply") || message.contains("levels"), "{message}");
    let mut variables = Map::new();
    for number in 0..200 {
        variables.insert(format!("v{number}"), format!("[padLeft('{number}', 16000)]").into());
    }
    let all = (0..200).map(|number| format!("length(variables('v{number}'))")).collect::<Vec<_>>().join(", ");
    let fine = json!({"variables": variables, "outputs": {"x": {"type": "int", "value": format!("[max({all})]")}}});
    assert_eq!(outputs(&bench, fine)["x"]["value"], 16_000);
    for number in 0..200 {
        let text = format!("[concat(padLeft('{number}', 16000), padLeft('', 16000))]");
        variables.insert(format!("v{number}"), text.into());
    }
    assert!(
        refusal(&super::deployments::bench(), Value::Object(variables), &format!("[max({all})]"))
            .contains("together larger than 4 MB")
    );
}

#[test]
fn a_chain_of_as_many_variables_as_there_may_be_is_fine() {
    let variables = chain("x", 255, |before| format!("toLower({before})"));
    let outputs = outputs(
        &bench(),
        json!({"variables": variables, "outputs": {"x": {"type": "string", "value": "[variables('v255')]"}}}),
    );
    assert_eq!(outputs["x"]["value"], "x");
}
