//! The templates of every example and of every document with all fields, against files in `tests/golden/arm`.

use serde_json::{Value, json};

use super::*;
use crate::support::examples::documents;

/// The template with the warnings that came with it, the parameters and the calls.
fn whole(made: &Made) -> String {
    let report = made.report();
    let whole = json!({"warnings": made.outcome.warnings(), "calls": report.calls, "template": made.template()});
    format!("{whole:#}\n")
}

fn compare(example: &Example, folder: &str, options: Value) {
    let made = make_example(example, &zone_of(example), options);
    assert!(made.outcome.errors().is_empty(), "{}: {:?}", example.file, made.outcome.errors());
    let golden = repository("tests/golden/arm").join(folder).join(example.stem()).with_extension("json");
    expectorate::assert_contents(golden, &whole(&made));
}

#[test]
fn the_template_of_every_example_and_of_every_field() {
    documents().iter().for_each(|example| compare(example, "", json!({})));
}

#[test]
fn the_template_with_the_ids_of_look_ups_as_parameters() {
    documents().iter().for_each(|example| compare(example, "late-binding", json!({"lateBinding": true})));
}

#[test]
fn the_template_of_a_stack_of_every_alert_document() {
    documents().iter().filter(|example| is_of_alerts(example)).for_each(|example| {
        compare(example, "stacks", json!({"stack": true, "lateBinding": true}));
    });
}
