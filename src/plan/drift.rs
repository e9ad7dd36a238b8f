//! The differences of a plan, and who has made them.

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::Value;

use super::{Change, Plan, resource_name};
use crate::azure::ResourceId;
use crate::protocol::{ActionKind, Attribution, Difference, DifferenceKind, FilePlace, JsonText, PropertyChange};

/// The applications of clients of Microsoft's own (Microsoft Entra, "Verify first-party Microsoft applications in sign-in reports").
const CLIENTS: &[(&str, &str)] = &[
    ("c44b4083-3bb0-49c1-b47d-974e53cbdf3c", "Azure Portal"),
    ("04b07795-8ddb-461a-bbee-02f9e1bf7b46", "Azure CLI"),
    ("1950a258-227b-4e31-a9cf-717495945fc2", "Azure PowerShell"),
];

/// The word that Azure writes for a client that it does not know.
const UNSPECIFIED: &str = "Unspecified";

/// Each property that a plan would change, and each resource that it would make or delete.
#[must_use]
pub fn differences(plan: &Plan) -> Vec<Difference> {
    let of = |change: &Change| match change.kind {
        ActionKind::Create => vec![difference(change, DifferenceKind::Missing, None)],
        ActionKind::Delete => vec![difference(change, DifferenceKind::Surplus, None)],
        ActionKind::Modify => {
            change.changes.iter().map(|property| difference(change, DifferenceKind::Changed, Some(property))).collect()
        }
    };
    let mut found: Vec<Difference> = plan.changes.iter().flat_map(of).collect();
    found.iter_mut().for_each(tell);
    found
}

fn difference(change: &Change, kind: DifferenceKind, property: Option<&PropertyChange>) -> Difference {
    let path = property.map(|property| property.path.clone()).unwrap_or_default();
    let own = change.place.show();
    let origin = match property {
        Some(property) => property.origin.clone(),
        None => Some(own.clone()).filter(|own| !own.is_empty()),
    };
    let resource = change.place.remark("").place;
    let place = origin.as_deref().and_then(|origin| in_same_file(origin, &own, resource.as_ref()?)).or(resource);
    Difference {
        fingerprint: fingerprint(change.id.as_str(), kind, &path),
        kind,
        resource: resource_name(&change.id, &change.resource_type.name, &change.resource_type.label),
        path,
        wanted: property.and_then(|property| property.after.clone()),
        existing: property.and_then(|property| property.before.clone()),
        origin,
        place,
        document: change.place.document(),
        changed: None,
        sentence: String::new(),
    }
}

/// The place of a setting in the file of its resource; none of one in another file.
fn in_same_file(origin: &str, own: &str, resource: &FilePlace) -> Option<FilePlace> {
    let (rest, column) = origin.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    own.strip_prefix(file)?.starts_with(':').then(|| FilePlace { file: resource.file.clone(), line, column })
}

fn fingerprint(id: &str, kind: DifferenceKind, path: &str) -> String {
    // The issues that pipelines keep go by these words.
    let kind = match kind {
        DifferenceKind::Changed => "Changed",
        DifferenceKind::Missing => "Missing",
        DifferenceKind::Surplus => "Surplus",
    };
    let text = format!("{}\n{kind}\n{path}", id.to_ascii_lowercase());
    digest(&SHA256, text.as_bytes()).as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn tell(difference: &mut Difference) {
    let value = |value: &Option<JsonText>| match value {
        None => "nothing".to_owned(),
        Some(value) => value.to_string().trim_matches('"').to_owned(),
    };
    let what = match difference.kind {
        DifferenceKind::Missing => "does not exist".to_owned(),
        DifferenceKind::Surplus => "is in no document of the group, and would be deleted".to_owned(),
        DifferenceKind::Changed => {
            format!("{}: {} -> {}", difference.path, value(&difference.wanted), value(&difference.existing))
        }
    };
    let by = difference.changed.as_ref().map(|changed| format!(" ({})", changed.in_words())).unwrap_or_default();
    difference.sentence = what + &by;
}

/// Says of differences which of these rows of `resourcechanges` led to them: of each the newest that is about the property, or about the
/// deletion of the resource.
pub fn attribute_by_rows(differences: &mut [Difference], rows: &[Value]) {
    attribute(
        differences,
        rows,
        |difference, row| {
            let properties = &row["properties"];
            let kind = properties["changeType"].as_str()?;
            let is_about = match difference.kind {
                DifferenceKind::Missing => kind == "Delete",
                DifferenceKind::Surplus => kind == "Create",
                DifferenceKind::Changed => {
                    let mut paths = properties["changes"].as_object()?.keys();
                    kind != "Delete" && paths.any(|path| is_same_place(path, &difference.path))
                }
            };
            let attributes = &properties["changeAttributes"];
            let text = |name: &str| attributes[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
            is_about.then(|| Attribution {
                by: text("changedBy"),
                client: text("clientType").filter(|client| client != UNSPECIFIED),
                operation: text("operation").unwrap_or_default(),
                at: text("timestamp").unwrap_or_default(),
            })
        },
        |row| row["properties"]["targetResourceId"].as_str(),
    );
}

/// The same by these events of the activity log, which say nothing of properties.
pub fn attribute_by_events(differences: &mut [Difference], events: &[Value]) {
    attribute(
        differences,
        events,
        |difference, event| {
            let operation = event["operationName"]["value"].as_str()?;
            let (verb, is_done) = (operation.rsplit_once('/')?.1, event["status"]["value"] == "Succeeded");
            let is_about = match difference.kind {
                DifferenceKind::Missing => verb.eq_ignore_ascii_case("delete"),
                DifferenceKind::Changed | DifferenceKind::Surplus => verb.eq_ignore_ascii_case("write"),
            };
            let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
            let application = text(&event["claims"]["appid"]).unwrap_or_default();
            (is_about && is_done).then(|| Attribution {
                by: text(&event["caller"]),
                client: CLIENTS.iter().find(|(id, _)| *id == application).map(|(_, name)| (*name).to_owned()),
                operation: operation.to_owned(),
                at: text(&event["eventTimestamp"]).unwrap_or_default(),
            })
        },
        |event| event["resourceId"].as_str(),
    );
}

fn attribute(
    differences: &mut [Difference],
    rows: &[Value],
    of: impl Fn(&Difference, &Value) -> Option<Attribution>,
    id_of: impl Fn(&Value) -> Option<&str>,
) {
    for difference in differences.iter_mut().filter(|difference| difference.changed.is_none()) {
        let id = ResourceId::new(difference.resource.resource_id.clone());
        let own = rows.iter().filter(|row| id_of(row).and_then(ResourceId::checked).is_some_and(|other| other == id));
        let mut found: Vec<Attribution> = own.filter_map(|row| of(difference, row)).collect();
        found.sort_by(|one, other| one.at.cmp(&other.at));
        difference.changed = found.pop();
        tell(difference);
    }
}

/// Whether a path of Azure's is that of a difference, or one of them is below the other. Items of lists have names here and numbers there.
fn is_same_place(path: &str, other: &str) -> bool {
    let general = |path: &str| -> Vec<String> {
        let path = path.replace('[', ".[");
        let steps =
            path.split('.').map(|step| if step.starts_with('[') { "[]".to_owned() } else { step.to_ascii_lowercase() });
        steps.collect()
    };
    let (one, other) = (general(path), general(other));
    one.iter().zip(&other).all(|(one, other)| one == other)
}
