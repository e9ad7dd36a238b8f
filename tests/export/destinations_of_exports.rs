//! The files that an export writes.

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::support::estate::STORAGE;

/// Exports the group of the storage document to a path.
fn to(path: &Path, members: Value, cloud: &LocalCloud) -> Outcome {
    export_with(&with(with(request("storage", GROUP, cloud), json!({"path": path})), members))
}

/// The names of everything in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_export_takes_the_place_of_an_earlier_export_only_where_that_is_said() {
    let (cloud, folder) = (cloud(), Project::new());
    deploy(STORAGE, &document(""), &cloud);
    let file = folder.path("new/folder/exported.yml");
    let outcome = to(&file, json!({}), &cloud);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), outcome.document());
    let Some(Message::Document { path, .. }) = outcome.messages.last() else { panic!("{outcome:#?}") };
    assert_eq!(path.as_deref(), file.to_str());
    deploy(STORAGE, &document("queue: [orders]"), &cloud);
    folder.write("storage.yml", document(""));
    let asked = cloud.requests().len();
    for (path, overwrite) in [(&file, false), (&folder.path("storage.yml"), true)] {
        let outcome = to(path, json!({"overwrite": overwrite}), &cloud);
        assert_eq!(outcome.failed_with().0, "FileExists", "{}", path.display());
    }
    assert_eq!(cloud.requests().len(), asked, "nothing is asked for what cannot be written");
    assert_eq!(std::fs::read_to_string(folder.path("storage.yml")).unwrap(), document(""));
    assert_eq!(to(&file, json!({"overwrite": true}), &cloud).errors().len(), 0);
    assert!(std::fs::read_to_string(&file).unwrap().contains("orders"));
}

#[test]
fn names_of_others_have_a_folder_to_themselves() {
    let (cloud, folder) = (cloud(), Project::new());
    deploy(STORAGE, &document(""), &cloud);
    let own = folder.path("own/storage.yml");
    for overwrite in [false, true] {
        let outcome = to(&own, json!({"names": true, "overwrite": overwrite}), &cloud);
        assert_eq!(outcome.errors().len(), 0, "{outcome:#?}");
        assert_eq!(names(&folder.path("own")), ["_names", "storage.yml"]);
    }
    let again = to(&own, json!({"names": true}), &cloud);
    assert_eq!(again.failed_with().0, "FileExists");
    folder.write("own/_names/resources.yml", "# Mine.\n");
    folder.write("other/web.yml", "component: web\n");
    for path in [&own, &folder.path("other/storage.yml")] {
        let outcome = to(path, json!({"names": true, "overwrite": true}), &cloud);
        assert_eq!(outcome.failed_with().0, "FileExists", "{}", path.display());
    }
    assert_eq!(std::fs::read_to_string(folder.path("own/_names/resources.yml")).unwrap(), "# Mine.\n");
    assert_eq!(names(&folder.path("other")), ["web.yml"]);
}

#[test]
fn a_failed_export_leaves_nothing_behind() {
    let (cloud, folder) = (cloud(), Project::new());
    deploy(STORAGE, &document(""), &cloud);
    let before = names(&folder.path(""));
    let missing = export_with(&with(
        request("storage", "missing", &cloud),
        json!({"path": folder.path("new/x.yml"), "names": true}),
    ));
    assert_eq!(missing.failed_with().0, "NothingToExport");
    assert_eq!(names(&folder.path("")), before, "no folder for what was not read");
    folder.write("file", "Mine.");
    let outcome = to(&folder.path("file/x.yml"), json!({"names": true}), &cloud);
    assert_eq!(outcome.failed_with().0, "FileNotWritten");
    std::fs::remove_file(folder.path("file")).unwrap();
    assert_eq!(names(&folder.path("")), before);
}
