//! A comparison of what exists with the documents as people keep it: Markdown for an issue, and a page.

use maud::{DOCTYPE, Markup, html};

use serde::Serialize;

use super::markdown::{LONGEST, cell, clip, code};
use super::value;
use crate::azure::ResourceId;
use crate::protocol::{Difference, DifferenceKind, Drift, JsonText, escaped_json, visible};

/// The environment and the subscription of a comparison, as a heading names them.
fn subject(drift: &Drift) -> String {
    let target = drift.target.as_ref();
    let subscription =
        target.map(|target| target.subscription_name.as_ref().unwrap_or(&target.subscription_id).as_str());
    let environment = drift.made_with.environment_in_words();
    subscription.map_or_else(|| environment.clone(), |subscription| format!("{environment}, {subscription}"))
}

/// The two values of a property as people read them; of a resource as a whole what is wrong with it.
fn values(difference: &Difference) -> (String, String) {
    let of = ResourceId::new(difference.resource.resource_id.clone());
    let shown = |json: &Option<JsonText>| json.as_deref().map_or_else(|| "nothing".to_owned(), |json| value(json, &of));
    match difference.kind {
        DifferenceKind::Changed => (shown(&difference.wanted), shown(&difference.existing)),
        DifferenceKind::Missing => ("there".to_owned(), "missing".to_owned()),
        DifferenceKind::Surplus => ("not there".to_owned(), "there".to_owned()),
    }
}

/// The words on who has changed it, or that this is not known.
fn who(difference: &Difference) -> String {
    difference.changed.as_ref().map_or_else(|| "not known".to_owned(), crate::protocol::Attribution::in_words)
}

/// The comparison as Markdown, in at most [`LONGEST`] characters: a table with a row for each difference that fits. Each row ends with the fingerprint of
/// its difference as a comment, so that an issue can be updated.
#[must_use]
pub fn drift_markdown(drift: &Drift) -> String {
    let mut text = format!("## Drift of {}\n\n{}\n", code(&subject(drift)), drift.sentence);
    let head = "\n| Resource | Property | Wanted | Exists | Changed by | Setting |\n|---|---|---|---|---|---|\n";
    add(&mut text, head, "differences", drift.differences.iter().map(row));
    let kept = drift.kept.iter().map(|kept| format!("- {}\n", cell(&clip(&kept.reason))));
    add(&mut text, "\n## Kept as it is\n\n", "of them", kept);
    text
}

/// Adds lines below a head, as many as fit; where some do not, the last one says how many.
fn add(text: &mut String, head: &str, what: &str, lines: impl ExactSizeIterator<Item = String>) {
    // What is left is for the sentences about what does not fit.
    const ROOM: usize = LONGEST - 1_000;
    let count = lines.len();
    let mut length = text.chars().count() + head.len();
    for (index, line) in lines.enumerate() {
        length += line.chars().count();
        if length > ROOM {
            *text += &format!(
                "\n{} more {what} are not shown here; the other forms of this report have all.\n",
                count - index
            );
            return;
        }
        *text += if index == 0 { head } else { "" };
        *text += &line;
    }
}

fn row(difference: &Difference) -> String {
    let (wanted, existing) = values(difference);
    format!(
        "| {} | {} | {} | {} | {} | {}<!-- {} --> |\n",
        cell(&format!("{} {}", difference.resource.label, difference.resource.full_name)),
        if difference.path.is_empty() { String::new() } else { cell(super::short_path(&difference.path)) },
        cell(&clip(&wanted)),
        cell(&clip(&existing)),
        cell(&who(difference)),
        difference.origin.as_deref().map(cell).unwrap_or_default(),
        difference.fingerprint
    )
}

/// The comparison as programs read it: the members of the message, after the version of their shape and the cmdlet name of the comparison.
#[must_use]
pub fn drift_json(command: &str, drift: &Drift) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        format: u32,
        version: &'static str,
        command: &'a str,
        #[serde(flatten)]
        drift: &'a Drift,
    }
    let file = File { format: 1, version: env!("CARGO_PKG_VERSION"), command, drift };
    escaped_json(serde_json::to_string_pretty(&file).unwrap_or_default()) + "\n"
}

/// The comparison as a page without scripts.
#[must_use]
pub fn drift_html(drift: &Drift) -> String {
    let row = |difference: &Difference| -> Markup {
        let (wanted, existing) = values(difference);
        html! {
            tr id=(difference.fingerprint) {
                td { (visible(&difference.resource.label)) " " b { (visible(&difference.resource.full_name)) } }
                td { code { (visible(super::short_path(&difference.path))) } }
                td { code { (visible(&wanted)) } }
                td { code { (visible(&existing)) } }
                td { (visible(&who(difference))) }
                td { (visible(difference.origin.as_deref().unwrap_or_default())) }
            }
        }
    };
    let title = format!("Drift of {}", subject(drift));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (visible(&title)) }
                style { "body{font:15px system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color-scheme:light dark}table{border-collapse:collapse;width:100%}td,th{border:1px solid #8888;padding:.3em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}" }
            }
            body {
                h1 { (visible(&title)) }
                p { (visible(&drift.sentence)) }
                @if drift.has_differences {
                    table {
                        thead { tr { th { "Resource" } th { "Property" } th { "Wanted" } th { "Exists" } th { "Changed by" } th { "Setting" } } }
                        tbody { @for difference in &drift.differences { (row(difference)) } }
                    }
                }
                @if !drift.kept.is_empty() {
                    h2 { "Kept as it is" }
                    ul { @for kept in &drift.kept { li { (visible(&kept.reason)) } } }
                }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Attribution, ResourceName};

    fn difference(number: usize) -> Difference {
        Difference {
            fingerprint: format!("{number:016x}"),
            kind: DifferenceKind::Changed,
            resource: ResourceName {
                resource_id: "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/a"
                    .to_owned(),
                label: "storage account".to_owned(),
                full_name: "a".to_owned(),
                ..ResourceName::default()
            },
            path: format!("tags.number{number}"),
            wanted: Some("a | b".into()),
            existing: Some("<script>".into()),
            origin: None,
            place: None,
            document: None,
            changed: Some(Attribution {
                by: Some("@everyone".to_owned()),
                at: "2026-11-21T22:14:00Z".to_owned(),
                ..Attribution::default()
            }),
            sentence: String::new(),
        }
    }

    fn drift(count: usize) -> Drift {
        Drift {
            has_differences: count > 0,
            differences: (0..count).map(difference).collect(),
            sentence: "Some.".to_owned(),
            ..Drift::default()
        }
    }

    #[test]
    fn an_issue_is_never_too_long_for_its_forge() {
        let text = drift_markdown(&drift(3_000));
        assert!(text.chars().count() <= LONGEST && text.chars().count() > LONGEST - 2_000);
        let rows = text.lines().filter(|line| line.starts_with("| `storage account a`")).count();
        assert!(
            text.ends_with(&format!(
                "\n{} more differences are not shown here; the other forms of this report have all.\n",
                3_000 - rows
            )),
            "{rows}"
        );
    }

    #[test]
    fn what_others_wrote_is_code_and_ends_no_cell() {
        let text = drift_markdown(&drift(1));
        assert!(
            text.contains("| `a \\| b` | `<script>` | `@everyone, 2026-11-21 22:14 UTC` | <!-- 0000000000000000 --> |"),
            "{text}"
        );
        assert!(!drift_html(&drift(1)).contains("<script>"));
        assert_eq!(drift_markdown(&drift(0)), "## Drift of `\"\"`\n\nSome.\n");
    }
}
