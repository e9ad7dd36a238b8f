//! Storage documents of any size, the same in every run.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The formats in which a document is written.
#[derive(Clone, Copy)]
pub(crate) enum Format {
    Json,
    Yaml,
}

impl Format {
    pub(crate) const ALL: [Format; 2] = [Format::Yaml, Format::Json];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Json => "JSON",
            Format::Yaml => "YAML",
        }
    }

    /// The name of a file in this format; its ending decides how it is read.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Format::Json => "storage.json",
            Format::Yaml => "storage.yml",
        }
    }
}

/// The number of resources that a document of so many accounts describes: the resource group, the accounts and what is in them.
pub(crate) fn resources_of(accounts: usize) -> usize {
    let children = (0..accounts).map(children_of).sum::<usize>();
    1 + accounts + children
}

/// The text of a document of so many accounts, laid out as people write it.
pub(crate) fn text(format: Format, accounts: usize) -> String {
    let document = storage(accounts);
    match format {
        Format::Json => serde_json::to_string_pretty(&document).expect("a value can be written as JSON"),
        Format::Yaml => serde_yaml::to_string(&document).expect("a value can be written as YAML"),
    }
}

/// Writes a document into a folder.
pub(crate) fn write(folder: &Path, format: Format, accounts: usize) -> PathBuf {
    let path = folder.join(format.file_name());
    std::fs::write(&path, text(format, accounts)).expect("the document can be written");
    path
}

fn storage(accounts: usize) -> Value {
    json!({
        "component": "storage",
        "location": "UK South",
        "resourceGroupName": "Bench",
        "service": { "publish": { "resourceGroup": "bench-storage", "storage": "bench-files" } },
        "storageAccounts": (0..accounts).map(account).collect::<Vec<Value>>(),
    })
}

/// The three accounts of `examples/storage.yml` in turn: one of defaults, one closed to the network, one of file shares.
fn account(index: usize) -> Value {
    let name = format!("Account{index:05}");
    match index % 3 {
        0 => json!({
            "storageAccountName": name,
            "accountType": "Standard",
            "blobContainer": [{ "name": "invoices" }, { "name": "catalogue", "publicAccess": "Blob" }],
            "queue": ["new-orders"],
            "table": ["customers"],
        }),
        1 => json!({
            "storageAccountName": name,
            "accountType": "Standard",
            "replication": "ZRS",
            "allowBlobPublicAccess": false,
            "networkAclsBypass": "AzureServices",
            "networkAclsDefaultAction": "Deny",
            "blobContainer": [{ "name": "entries" }],
            "service": { "publish": { "storage": format!("ledger-{index}") } },
        }),
        _ => json!({
            "storageAccountName": name,
            "accountType": "Premium",
            "kind": "FileStorage",
            "fileShare": [{ "name": "originals", "size": 1024 }],
        }),
    }
}

fn children_of(index: usize) -> usize {
    let account = account(index);
    let lists = ["blobContainer", "fileShare", "queue", "table"];
    lists.iter().filter_map(|list| account.get(list).and_then(Value::as_array)).map(Vec::len).sum()
}
