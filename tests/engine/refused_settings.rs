//! Settings that are wrong: every finding at once, with its place, before anything is contacted.

use serde_json::json;
use svc_engine::protocol::ErrorCategory;

use super::support::*;

/// What is said of a document, without its first line. Nothing may have been contacted.
fn findings(text: &str) -> Vec<String> {
    let cloud = cloud();
    let outcome = Project::with(text).deploy(&cloud);
    assert!(cloud.requests().is_empty(), "nothing is contacted before the settings are right");
    assert!(outcome.plan().is_empty());
    let report = outcome.failure();
    assert_eq!((report.code.as_str(), report.category), ("SettingsInvalid", ErrorCategory::InvalidData));
    assert_eq!(report.target.as_deref(), Some("storage.yml"));
    let lines: Vec<String> = report.message.lines().map(str::to_owned).collect();
    let count = lines.len() - 1;
    assert_eq!(lines[0], format!("storage.yml has {count} problem{}:", if count == 1 { "" } else { "s" }));
    assert_eq!(report.findings.len(), count);
    for (number, finding) in report.findings.iter().enumerate() {
        let place = format!("[{}] {}:{} ", number + 1, finding.line.unwrap(), finding.column.unwrap());
        assert!(lines[number + 1].starts_with(&place), "{} is not at {place}", lines[number + 1]);
        assert!(lines[number + 1].ends_with(&finding.message));
    }
    lines[1..].to_vec()
}

/// The findings in an account with these lines, which begin in line 5.
fn in_account(lines: &str) -> Vec<String> {
    findings(&document_of(&[("Orders", lines)]))
}

#[test]
fn the_whole_message_of_several_findings() {
    let text = "location: UK South\nresourceGroupName: Shop\nstorageAcounts:\n  - accountType: Standard\n";
    let outcome = Project::with(text).deploy(&cloud());
    assert_eq!(
        outcome.failed_with().1,
        "storage.yml has 2 problems:\n\
         [1] 1:1 storageAccounts: it is mandatory and missing\n\
         [2] 3:1 storageAcounts: unknown key, did you mean 'storageAccounts'?"
    );
    assert_eq!(
        outcome.failure().recommendation.as_deref(),
        Some("Correct the settings and run the command again. Nothing was contacted or changed.")
    );
    let codes: Vec<&str> = outcome.failure().findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["Missing", "UnknownKey"]);
}

#[test]
fn an_object_has_paths_instead_of_lines() {
    let cloud = cloud();
    let settings = json!({"location": "UK South", "resourceGroupName": "Shop", "storageAccounts": [{"storageAccountName": "Orders", "accountType": "Gold"}]});
    let request = json!({"settings": settings, "context": {"cloud": cloud.endpoint()}});
    assert_eq!(
        run(&request).failed_with().1,
        "The settings object has 1 problem:\n[1] storageAccounts[0].accountType: 'Gold' is none of Standard, Premium"
    );
}

#[test]
fn keys_types_and_values() {
    let table: &[(&str, &[&str])] = &[
        // Unknown keys, with the nearest or with all.
        (
            "accountTpye: Standard",
            &[
                "[1] 4:5 storageAccounts[0].accountType: it is mandatory and missing",
                "[2] 5:5 storageAccounts[0].accountTpye: unknown key, did you mean 'accountType'?",
            ],
        ),
        (
            "accountType: Standard\nservice: {publish: {storage: a, colour: red}}",
            &["[1] 6:37 storageAccounts[0].service.publish.colour: unknown key; known are storage"],
        ),
        (
            "accountType: Standard\nservice: {dependencies: {resourceGroup: a}}",
            &["[1] 6:30 storageAccounts[0].service.dependencies.resourceGroup: unknown key; there are none here"],
        ),
        // Wrong types.
        ("accountType: [Standard]", &["[1] 5:18 storageAccounts[0].accountType: expected text, found a list"]),
        (
            "accountType: Standard\nsupportsHttpsTrafficOnly: 1",
            &["[1] 6:31 storageAccounts[0].supportsHttpsTrafficOnly: expected true or false, found 1"],
        ),
        (
            "accountType: Standard\nallowBlobPublicAccess: yes",
            &["[1] 6:28 storageAccounts[0].allowBlobPublicAccess: expected true or false, found 'yes'"],
        ),
        (
            "accountType: Standard\nblobContainer: data",
            &[
                "[1] 6:20 storageAccounts[0].blobContainer: expected a list of objects, found 'data'; their keys are name, publicAccess",
            ],
        ),
        (
            "accountType: Standard\nblobContainer: [data]",
            &[
                "[1] 6:21 storageAccounts[0].blobContainer[0]: expected an object, found 'data'; its keys are name, publicAccess",
            ],
        ),
        (
            "accountType: Standard\nqueue: [{name: orders}]",
            &["[1] 6:13 storageAccounts[0].queue[0]: expected text, found an object"],
        ),
        (
            "accountType: Standard\nqueue: [true]",
            &["[1] 6:13 storageAccounts[0].queue[0]: expected text, found true; write \"true\" to use it as text"],
        ),
        (
            "accountType: Standard\nfileShare: [{name: shared, size: big}]",
            &["[1] 6:38 storageAccounts[0].fileShare[0].size: expected a whole number, found 'big'"],
        ),
        (
            "accountType: Standard\nfileShare: [{name: shared, size: 1.5}]",
            &["[1] 6:38 storageAccounts[0].fileShare[0].size: expected a whole number, found 1.5"],
        ),
        (
            "accountType: Standard\nservice: files",
            &[
                "[1] 6:14 storageAccounts[0].service: expected an object, found 'files'; its keys are dependencies, publish",
            ],
        ),
        // Values out of the list or range.
        ("accountType: Gold", &["[1] 5:18 storageAccounts[0].accountType: 'Gold' is none of Standard, Premium"]),
        (
            "accountType: Standard\nkind: StorageV3",
            &[
                "[1] 6:11 storageAccounts[0].kind: 'StorageV3' is none of Storage, StorageV2, BlobStorage, FileStorage, BlockBlobStorage, did you mean 'StorageV2'?",
            ],
        ),
        (
            "accountType: Standard\nreplication: GZRS",
            &["[1] 6:18 storageAccounts[0].replication: 'GZRS' is none of LRS, ZRS, GRS, RAGRS"],
        ),
        (
            "accountType: Standard\nminimumTlsVersion: TLS1_3",
            &["[1] 6:24 storageAccounts[0].minimumTlsVersion: 'TLS1_3' is none of TLS1_0, TLS1_1, TLS1_2"],
        ),
        (
            "accountType: Standard\nnetworkAclsBypass: All\nnetworkAclsDefaultAction: Audit",
            &[
                "[1] 6:24 storageAccounts[0].networkAclsBypass: 'All' is none of None, Logging, Metrics, CloudServices",
                "[2] 7:31 storageAccounts[0].networkAclsDefaultAction: 'Audit' is none of Allow, Deny",
            ],
        ),
        (
            "accountType: Standard\nblobContainer: [{name: data, publicAccess: All}]",
            &["[1] 6:48 storageAccounts[0].blobContainer[0].publicAccess: 'All' is none of Container, Blob, None"],
        ),
        (
            "accountType: Standard\nfileShare: [{name: big, size: 102401}, {name: nil, size: 0}, {name: less, size: -5}]",
            &[
                "[1] 6:35 storageAccounts[0].fileShare[0].size: 102401 is not between 1 and 102400",
                "[2] 6:62 storageAccounts[0].fileShare[1].size: 0 is not between 1 and 102400",
                "[3] 6:85 storageAccounts[0].fileShare[2].size: -5 is not between 1 and 102400",
            ],
        ),
        (
            "accountType: Standard\nqueue: [orders, '', returns]",
            &["[1] 6:21 storageAccounts[0].queue[1]: the item is empty; fill it or remove it"],
        ),
        // Missing mandatory fields.
        ("kind: StorageV2", &["[1] 4:5 storageAccounts[0].accountType: it is mandatory and missing"]),
        ("accountType:", &["[1] 5:16 storageAccounts[0].accountType: it is mandatory and missing"]),
    ];
    for (lines, expected) in table {
        assert_eq!(in_account(lines), *expected, "{lines}");
    }
}

#[test]
fn the_root_of_the_document() {
    let accounts = "storageAccounts: [{storageAccountName: Orders, accountType: Standard}]\n";
    let table: &[(String, &[&str])] = &[
        (format!("resourceGroupName: Shop\n{accounts}"), &["[1] 1:1 location: it is mandatory and missing"]),
        (format!("location:\nresourceGroupName: Shop\n{accounts}"), &["[1] 1:9 location: it is mandatory and missing"]),
        (
            "location: UK South\nresourceGroupName: Shop\nstorageAccounts: []\n".to_owned(),
            &["[1] 3:18 storageAccounts: it is mandatory and missing"],
        ),
        (
            format!("location: UK South\n{accounts}"),
            &["[1] 1:1 resourceGroupName: either it or service.dependencies.resourceGroup is needed"],
        ),
        (
            format!("location: UK Suoth\nresourceGroupName: Shop\n{accounts}"),
            &["[1] 1:11 location: 'UK Suoth' is no location of Azure, did you mean UK South (uksouth)?"],
        ),
        (
            format!(
                "location: UK South\nlocation: UK West\nresourceGroupName: Shop\nresourceGroupName: Shop\n{accounts}"
            ),
            &[
                "[1] 2:1 the key 'location' is here a second time, the first is in line 1",
                "[2] 4:1 the key 'resourceGroupName' is here a second time, the first is in line 3",
            ],
        ),
        (
            format!("location: UK South\nLocation: UK West\nresourceGroupName: Shop\n{accounts}"),
            &["[1] 2:1 Location: the key 'location' is here twice; letter case makes no difference"],
        ),
        (
            "just text".to_owned(),
            &[
                "[1] 1:1 expected an object, found 'just text'; its keys are component, resourceGroupName, location, service, storageAccounts",
            ],
        ),
        (
            "- a\n- b\n".to_owned(),
            &[
                "[1] 1:1 expected an object, found a list; its keys are component, resourceGroupName, location, service, storageAccounts",
            ],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(findings(text), *expected, "{text}");
    }
}

#[test]
fn combinations_that_azure_has_not() {
    let table: &[(&str, &[&str])] = &[
        (
            "accountType: Premium\nreplication: GRS",
            &["[1] 6:18 storageAccounts[0].replication: Premium accounts have no GRS; write LRS or ZRS"],
        ),
        (
            "accountType: Premium\nreplication: ragrs",
            &["[1] 6:18 storageAccounts[0].replication: Premium accounts have no RAGRS; write LRS or ZRS"],
        ),
        (
            "accountType: Premium\nkind: BlockBlobStorage\nfileShare: [{name: shared}]",
            &[
                "[1] 7:17 storageAccounts[0].fileShare[0]: Premium accounts of the kind BlockBlobStorage have no file shares; the kind FileStorage has",
            ],
        ),
        (
            "accountType: Premium\nfileShare: [{name: shared}]",
            &[
                "[1] 6:17 storageAccounts[0].fileShare[0]: Premium accounts of the kind StorageV2 have no file shares; the kind FileStorage has",
            ],
        ),
        (
            "accountType: Premium\nkind: FileStorage\nfileShare: [{name: shared, size: 99}]",
            &["[1] 7:38 storageAccounts[0].fileShare[0].size: premium file shares have at least 100 GiB"],
        ),
        (
            "accountType: Premium\nqueue: [orders]\ntable: [customers]",
            &[
                "[1] 6:13 storageAccounts[0].queue[0]: Premium accounts have no queues",
                "[2] 7:13 storageAccounts[0].table[0]: Premium accounts have no tables",
            ],
        ),
        (
            "accountType: Premium\nkind: FileStorage\nblobContainer: [{name: data}]",
            &["[1] 7:21 storageAccounts[0].blobContainer[0]: FileStorage accounts have no blob containers"],
        ),
        (
            "accountType: Standard\nallowBlobPublicAccess: false\nblobContainer:\n  - name: data\n    publicAccess: Blob\n  - name: more\n    publicAccess: container",
            &[
                "[1] 9:23 storageAccounts[0].blobContainer[0].publicAccess: Blob needs an account whose allowBlobPublicAccess is true",
                "[2] 11:23 storageAccounts[0].blobContainer[1].publicAccess: Container needs an account whose allowBlobPublicAccess is true",
            ],
        ),
        (
            "accountType: Standard\nprivateEndpoints: [{subnetName: endpoints, subResourceName: blob}]",
            &[
                "[1] 6:24 storageAccounts[0].privateEndpoints[0].service.dependencies.vnet: a virtual network is needed, here or at the root",
            ],
        ),
    ];
    for (lines, expected) in table {
        assert_eq!(in_account(lines), *expected, "{lines}");
    }
}

#[test]
fn names_that_azure_refuses() {
    let table: &[(&str, &[&str])] = &[
        (
            "accountType: Standard\nblobContainer: [{name: a}, {name: a_b}, {name: a--b}, {name: $data}]",
            &[
                "[1] 6:28 storageAccounts[0].blobContainer[0].name: blob container names have 3 to 63 characters, 'a' has 1",
                "[2] 6:39 storageAccounts[0].blobContainer[1].name: blob container names have only lower-case letters, digits and hyphens, 'a_b' has '_'",
                "[3] 6:52 storageAccounts[0].blobContainer[2].name: blob container names begin and end with a letter or digit and have no two hyphens in a row, 'a--b' does not",
                "[4] 6:66 storageAccounts[0].blobContainer[3].name: blob container names begin and end with a letter or digit and have no two hyphens in a row, '$data' does not",
            ],
        ),
        (
            "accountType: Standard\nfileShare: [{name: $web}]\nqueue: [ends-]\ntable: [with-hyphen, 1st]",
            &[
                "[1] 6:24 storageAccounts[0].fileShare[0].name: file share names have only lower-case letters, digits and hyphens, '$web' has '$'",
                "[2] 7:13 storageAccounts[0].queue[0]: queue names begin and end with a letter or digit and have no two hyphens in a row, 'ends-' does not",
                "[3] 8:13 storageAccounts[0].table[0]: table names have only letters and digits, 'with-hyphen' has '-'",
                "[4] 8:26 storageAccounts[0].table[1]: table names begin with a letter, '1st' does not",
            ],
        ),
    ];
    for (lines, expected) in table {
        assert_eq!(in_account(lines), *expected, "{lines}");
    }
}

#[test]
fn what_is_there_twice() {
    let twice = document_of(&[("Orders", "accountType: Standard"), ("ORDERS", "accountType: Premium")]);
    assert_eq!(
        findings(&twice),
        [
            "[1] 6:5 storageAccounts[1]: the storage account 'stordersdb8e13ec' is here a second time, the first is storageAccounts[0] (storage.yml:4:5)"
        ]
    );
    let lines = "accountType: Standard\nblobContainer: [{name: data}, {name: Data}]\nqueue: [orders, Orders]";
    assert_eq!(
        in_account(lines),
        [
            "[1] 6:35 storageAccounts[0].blobContainer[1]: the blob container 'data' is here a second time, the first is storageAccounts[0].blobContainer[0] (storage.yml:6:21)",
            "[2] 7:21 storageAccounts[0].queue[1]: the queue 'orders' is here a second time, the first is storageAccounts[0].queue[0] (storage.yml:7:13)",
        ]
    );
    // One name in two kinds, or in two accounts, is fine.
    let fine =
        "accountType: Standard\nqueue: [data]\nblobContainer: [{name: data}]\nfileShare: [{name: data}]\ntable: [data]";
    let project = Project::with(&document_of(&[("Orders", fine), ("Ledger", fine)]));
    assert_eq!(project.deploy(&cloud()).summary(), "created 11");
}
