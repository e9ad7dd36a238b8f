//! The table of types against what Microsoft's own management libraries accept, where that list is at hand.

use crate::resource_types::{self, Follow, Reply, ResourceType};
use serde_json::Value;
use std::path::PathBuf;

/// A file of the folder that is no part of the project: `SVC_SHARED`, or a folder `shared` above.
pub(super) fn shared_file(path: &str) -> Option<PathBuf> {
    let named = std::env::var_os("SVC_SHARED").map(PathBuf::from);
    let above = || {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        here.ancestors().map(|folder| folder.join("shared")).find(|shared| shared.join("spec/command-set.md").is_file())
    };
    Some(named.or_else(above)?.join(path)).filter(|file| file.is_file())
}

fn published() -> Option<Vec<Value>> {
    serde_json::from_slice(&std::fs::read(shared_file("arm/operations.json")?).ok()?).ok()
}

/// The resource type a URL template is for, in lower case.
fn type_of(url: &str) -> Option<String> {
    let url = url.to_lowercase();
    if url.ends_with("/resourcegroups/{resourcegroupname}") {
        return Some("microsoft.resources/resourcegroups".to_owned());
    }
    let mut segments = url.rsplit_once("/providers/")?.1.split('/');
    let mut type_name = segments.next()?.to_owned();
    let rest: Vec<&str> = segments.collect();
    for level in rest.chunks(2) {
        let [kind, _name] = level else { return None };
        type_name = format!("{type_name}/{kind}");
    }
    Some(type_name)
}

fn check(entry: &ResourceType, method: &str, what: &str, reply: Reply, operations: &[&Value]) -> Option<String> {
    let of_method: Vec<&&Value> = operations.iter().filter(|operation| operation["method"] == method).collect();
    let accepted = |operation: &&&Value| {
        let codes = operation["initialCodes"].as_str().unwrap();
        let headers = operation["headers"].to_string().to_lowercase();
        codes.split(", ").any(|code| code == reply.status.to_string())
            && match reply.follow {
                Follow::Done => true,
                // Which headers there are the libraries do not always say.
                Follow::ProvisioningState | Follow::EitherHeader => operation["lro"] == true,
                Follow::Location => headers.contains("\"location\""),
                Follow::AsyncOperation => headers.contains("\"azure-asyncoperation\""),
            }
    };
    if of_method.is_empty() || of_method.iter().any(accepted) {
        return None;
    }
    Some(format!(
        "{} {what}: {reply:?} is none of {:?}",
        entry.name,
        of_method.iter().map(|o| &o["initialCodes"]).collect::<Vec<_>>()
    ))
}

#[test]
fn status_codes_are_those_the_libraries_accept() {
    let Some(operations) = published() else {
        println!("Skipped: the list of published operations is not at hand (set SVC_SHARED).");
        return;
    };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for entry in resource_types::all() {
        let of_type = |operation: &&Value| {
            type_of(operation["url"].as_str().unwrap()).is_some_and(|name| name.eq_ignore_ascii_case(entry.name))
        };
        let operations: Vec<&Value> = operations.iter().filter(of_type).collect();
        compared += usize::from(!operations.is_empty());
        wrong.extend(check(entry, "PUT", "created", entry.create, &operations));
        wrong.extend(check(entry, "PUT", "updated", entry.update, &operations));
        wrong.extend(check(entry, "PATCH", "patched", entry.patch, &operations));
        wrong.extend(check(entry, "DELETE", "deleted", entry.delete, &operations));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 30, "only {compared} types were compared");
}
