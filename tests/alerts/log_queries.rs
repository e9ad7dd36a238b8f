//! Queries and parameters of log alerts: where the engine's filters go, and what is told of values that make no sense.

use crate::alerts::log_rules::{OWN, deployed, query};

const ID: &str = "column_ifexists(\"_ResourceId\", \"unknown\")";

/// The query that an alert with a query of its own is deployed with.
fn sent(own: &str) -> String {
    let quoted = serde_json::Value::String(own.to_owned()).to_string();
    let (rule, warnings) = deployed(&OWN.replace("query: Heartbeat", &format!("query: {quoted}")));
    assert_eq!(warnings, [""; 0], "{own}");
    query(&rule).to_owned()
}

#[test]
fn the_filter_of_resource_ids_goes_where_the_query_still_has_them() {
    let filter = format!("\n| where isnotempty({ID}) and {ID} !contains \"/microsoft.hybridcompute/\"");
    for (own, expected) in [
        ("Heartbeat | where A == 1;", format!("Heartbeat | where A == 1{filter};")),
        ("Heartbeat // all of them", format!("Heartbeat{filter} // all of them")),
        ("Perf | take 1 | render timechart", format!("Perf | take 1{filter} | render timechart")),
        (
            "Heartbeat | summarize count() by Computer | where count_ > 3",
            format!("Heartbeat{filter} | summarize count() by Computer | where count_ > 3"),
        ),
        (
            "let limit = 3;\nHeartbeat | summarize N = count() by _ResourceId | where N > limit",
            format!("let limit = 3;\nHeartbeat | summarize N = count() by _ResourceId | where N > limit{filter}"),
        ),
    ] {
        assert_eq!(sent(own), expected);
    }
}

#[test]
fn words_that_azure_refuses_are_fine_in_strings_and_comments() {
    let query = sent("Event | where RenderedDescription has \"pivot(x)\" // no evaluate narrow(), no ago(t)");
    assert!(query.contains("\"pivot(x)\"") && query.ends_with("// no evaluate narrow(), no ago(t)"), "{query}");
}

#[test]
fn a_minimum_over_the_default_maximum_is_a_warning() {
    let (_, warnings) = deployed("definition: High_CPU_Usage_Percent_Range\nparameters: {_minPercentage: 99.5}");
    assert_eq!(
        warnings,
        [
            "settings.yml:13:42: groups[0].alertSets[0].alerts[0].parameters._minPercentage: _minPercentage (99.5) is not less than _maxPercentage (99), so the alert can never fire; set both"
        ]
    );
    let (_, warnings) = deployed("definition: High_Memory_Usage_Percent_Range\nparameters: {_maxPercentage: 1}");
    assert!(
        warnings[0].ends_with("parameters._maxPercentage: _minPercentage (1) is not less than _maxPercentage (1), so the alert can never fire; set both"),
        "{warnings:?}"
    );
}

#[test]
fn numbers_may_be_written_as_text() {
    let (rule, warnings) = deployed("definition: High_CPU_Usage_Percent\nparameters: {_minPercentage: '42.5'}");
    assert_eq!(warnings, [""; 0]);
    assert!(query(&rule).contains(">= 42.5\n"), "{}", query(&rule));
}

#[test]
fn a_query_of_ones_own_over_a_table_that_nothing_fills_is_a_warning() {
    let (_, warnings) = deployed(&OWN.replace("query: Heartbeat", "query: ProtectionStatus | where Computer == \"a\""));
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("alerts[0].query: nothing fills the table ProtectionStatus since"), "{warnings:?}");
}

#[test]
fn several_periods_without_a_time_in_the_result_are_a_warning() {
    let periods = "failingPeriods: {minFailingPeriodsToAlert: 1, numberOfEvaluationPeriods: 2}";
    let with = |own: &str| OWN.replace("query: Heartbeat", &format!("query: {own}\n{periods}"));
    let (_, warnings) = deployed(&with("Heartbeat | summarize N = count() by Computer"));
    assert_eq!(
        warnings,
        [
            "settings.yml:17:86: groups[0].alertSets[0].alerts[0].failingPeriods.numberOfEvaluationPeriods: the result of the query has no column TimeGenerated, which Azure needs for more than one period"
        ]
    );
    let (_, warnings) = deployed(&with("Heartbeat | summarize N = count() by Computer, bin(TimeGenerated, 5m)"));
    assert_eq!(warnings, [""; 0]);
}
