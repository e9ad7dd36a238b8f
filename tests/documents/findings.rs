//! Settings that are wrong: every finding at once, with its place, before anything is contacted.

use serde_json::json;
use svc_engine::protocol::ErrorCategory;

use crate::support::*;

/// The findings about a document, without its first line. Nothing may have been contacted.
fn findings(text: &str) -> Vec<String> {
    let cloud = cloud();
    let outcome = Project::with(text).deploy(&cloud);
    assert!(cloud.requests().is_empty(), "nothing is contacted before the settings are right");
    assert!(outcome.plan().is_empty());
    let report = outcome.last_error();
    assert_eq!(
        (report.failure.code.as_str(), report.failure.category),
        ("SettingsInvalid", ErrorCategory::InvalidData)
    );
    assert_eq!(report.failure.target.as_deref(), Some("storage.yml"));
    let lines: Vec<String> = report.failure.message.lines().map(str::to_owned).collect();
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
    let text = "resourceGroupName: Shop\nstorageAcounts:\n  - accountType: Standard\n";
    let outcome = Project::with(text).deploy(&cloud());
    assert_eq!(
        outcome.failed_with().1,
        "storage.yml has 2 problems:\n\
         [1] 1:1 location: required, but not set\n\
         [2] 2:1 storageAcounts: unknown key, did you mean 'storageAccounts'?"
    );
    assert_eq!(
        outcome.last_error().failure.recommendation.as_deref(),
        Some("Correct the settings and run the command again. Nothing was contacted or changed.")
    );
    let codes: Vec<&str> = outcome.last_error().findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["Missing", "UnknownKey"]);
}

#[test]
fn of_very_many_findings_the_first_hundred_are_shown() {
    let unknown: String = (0..20_000).map(|number| format!("unknown{number}: x\n")).collect();
    let text = format!("location: UK South\nresourceGroupName: Shop\nstorageAccounts: []\n{unknown}");
    let outcome = Project::with(&text).deploy(&cloud());
    let report = outcome.last_error();
    assert_eq!(report.findings.len(), 100);
    let lines: Vec<&str> = report.failure.message.lines().collect();
    assert_eq!(lines.len(), 102);
    assert_eq!(lines[0], "storage.yml has 20,000 problems:");
    assert!(lines[1].starts_with("[1] 4:1 unknown0: unknown key; known keys are "), "{}", lines[1]);
    assert!(lines[100].starts_with("[100] 103:1 unknown99: unknown key"), "{}", lines[100]);
    assert_eq!(lines[101], "and 19,900 more");
}

#[test]
fn an_object_has_paths_instead_of_lines() {
    let cloud = cloud();
    let settings = json!({"location": "UK South", "resourceGroupName": "Shop", "storageAccounts": [{"storageAccountName": "Orders", "accountType": "Gold"}]});
    let request = json!({"settings": settings, "context": {"cloud": cloud.endpoint()}});
    assert_eq!(
        run(&request).failed_with().1,
        "The settings object has 1 problem:\n[1] storageAccounts[0].accountType: 'Gold' is not valid; use Standard or Premium"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn keys_types_and_values() {
    let table: &[(&str, &[&str])] = &[
        // Unknown keys, with the nearest or with all.
        (
            "accountTpye: Standard",
            &["[1] 5:5 storageAccounts[0].accountTpye: unknown key, did you mean 'accountType'?"],
        ),
        (
            "accountType: Standard\nservice: {publish: {storage: a, colour: red}}",
            &["[1] 6:37 storageAccounts[0].service.publish.colour: unknown key; known keys are storage"],
        ),
        (
            "accountType: Standard\nservice: {dependencies: {resourceGroup: a}}",
            &["[1] 6:30 storageAccounts[0].service.dependencies.resourceGroup: unknown key; no keys are allowed here"],
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
        (
            "accountType: Gold",
            &["[1] 5:18 storageAccounts[0].accountType: 'Gold' is not valid; use Standard or Premium"],
        ),
        (
            "accountType: Standard\nkind: StorageV3",
            &[
                "[1] 6:11 storageAccounts[0].kind: 'StorageV3' is not valid, did you mean 'StorageV2'? Use Storage, StorageV2, BlobStorage, FileStorage or BlockBlobStorage",
            ],
        ),
        (
            "accountType: Standard\nreplication: GZRS",
            &["[1] 6:18 storageAccounts[0].replication: 'GZRS' is not valid; use LRS, ZRS, GRS or RAGRS"],
        ),
        (
            "accountType: Standard\nminimumTlsVersion: TLS1_3",
            &["[1] 6:24 storageAccounts[0].minimumTlsVersion: 'TLS1_3' is not valid; use TLS1_0, TLS1_1 or TLS1_2"],
        ),
        (
            "accountType: Standard\nnetworkAclsDefaultAction: Audit",
            &["[1] 6:31 storageAccounts[0].networkAclsDefaultAction: 'Audit' is not valid; use Allow or Deny"],
        ),
        (
            "accountType: Standard\nblobContainer: [{name: data, publicAccess: All}]",
            &[
                "[1] 6:48 storageAccounts[0].blobContainer[0].publicAccess: 'All' is not valid; use Container, Blob or None",
            ],
        ),
        (
            "accountType: Standard\nfileShare: [{name: big, size: 102401}, {name: nil, size: 0}, {name: less, size: -5}]",
            &[
                "[1] 6:35 storageAccounts[0].fileShare[0].size: 102401 is out of range; use 1 to 102400",
                "[2] 6:62 storageAccounts[0].fileShare[1].size: 0 is out of range; use 1 to 102400",
                "[3] 6:85 storageAccounts[0].fileShare[2].size: -5 is out of range; use 1 to 102400",
            ],
        ),
        // Missing mandatory fields.
        ("kind: StorageV2", &["[1] 4:5 storageAccounts[0].accountType: required, but not set"]),
        ("accountType:", &["[1] 5:16 storageAccounts[0].accountType: required, but not set"]),
    ];
    for (lines, expected) in table {
        assert_eq!(in_account(lines), *expected, "{lines}");
    }
}

#[test]
fn the_root_of_the_document() {
    let accounts = "storageAccounts: [{storageAccountName: Orders, accountType: Standard}]\n";
    let table: &[(String, &[&str])] = &[
        (format!("resourceGroupName: Shop\n{accounts}"), &["[1] 1:1 location: required, but not set"]),
        (format!("location:\nresourceGroupName: Shop\n{accounts}"), &["[1] 1:9 location: required, but not set"]),
        (
            "location: UK South\nresourceGroupName: Shop\nstorageAccounts:\n".to_owned(),
            &["[1] 3:16 storageAccounts: required, but not set"],
        ),
        (
            format!("location: UK South\n{accounts}"),
            &["[1] 1:1 resourceGroupName: required, unless service.dependencies.resourceGroup is set"],
        ),
        (
            format!("location: UK Suoth\nresourceGroupName: Shop\n{accounts}"),
            &["[1] 1:11 location: 'UK Suoth' is not an Azure location, did you mean UK South (uksouth)?"],
        ),
        (
            format!(
                "location: UK South\nlocation: UK West\nresourceGroupName: Shop\nresourceGroupName: Shop\n{accounts}"
            ),
            &[
                "[1] 2:1 duplicate key 'location', first set in line 1",
                "[2] 4:1 duplicate key 'resourceGroupName', first set in line 3",
            ],
        ),
        (
            format!("location: UK South\nLocation: UK West\nresourceGroupName: Shop\n{accounts}"),
            &["[1] 2:1 Location: duplicate key 'location'; letter case makes no difference"],
        ),
        (
            "just text".to_owned(),
            &[
                "[1] 1:1 expected an object, found a text; its keys are component, resourceGroupName, location, service, storageAccounts",
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
            &["[1] 6:18 storageAccounts[0].replication: Premium accounts do not support GRS; use LRS or ZRS"],
        ),
        (
            "accountType: Premium\nreplication: ragrs",
            &["[1] 6:18 storageAccounts[0].replication: Premium accounts do not support RAGRS; use LRS or ZRS"],
        ),
        (
            "accountType: Premium\nkind: BlockBlobStorage\nfileShare: [{name: shared}]",
            &[
                "[1] 7:17 storageAccounts[0].fileShare[0]: Premium accounts of the kind BlockBlobStorage do not support file shares; use the kind FileStorage",
            ],
        ),
        (
            "accountType: Premium\nfileShare: [{name: shared}]",
            &[
                "[1] 6:17 storageAccounts[0].fileShare[0]: Premium accounts of the kind StorageV2 do not support file shares; use the kind FileStorage",
            ],
        ),
        (
            "accountType: Premium\nkind: FileStorage\nfileShare: [{name: shared, size: 99}]",
            &["[1] 7:38 storageAccounts[0].fileShare[0].size: premium file shares must have at least 100 GiB"],
        ),
        (
            "accountType: Premium\nqueue: [orders]\ntable: [customers]",
            &[
                "[1] 6:13 storageAccounts[0].queue[0]: Premium accounts do not support queues",
                "[2] 7:13 storageAccounts[0].table[0]: Premium accounts do not support tables",
            ],
        ),
        (
            "accountType: Premium\nkind: FileStorage\nblobContainer: [{name: data}]",
            &["[1] 7:21 storageAccounts[0].blobContainer[0]: FileStorage accounts do not support blob containers"],
        ),
        (
            "accountType: Standard\nallowBlobPublicAccess: false\nblobContainer:\n  - name: data\n    publicAccess: Blob\n  - name: more\n    publicAccess: container",
            &[
                "[1] 9:23 storageAccounts[0].blobContainer[0].publicAccess: Blob requires allowBlobPublicAccess to be true for the account",
                "[2] 11:23 storageAccounts[0].blobContainer[1].publicAccess: Container requires allowBlobPublicAccess to be true for the account",
            ],
        ),
        (
            "accountType: Standard\nprivateEndpoints: [{subnetName: endpoints, subResourceName: blob}]",
            &[
                "[1] 6:24 storageAccounts[0].privateEndpoints[0].service.dependencies.vnet: a virtual network is required, here or at the root",
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
                "[1] 6:28 storageAccounts[0].blobContainer[0].name: blob container names must have 3 to 63 characters; 'a' has 1",
                "[2] 6:39 storageAccounts[0].blobContainer[1].name: blob container names can contain only lower-case letters, digits and hyphens; 'a_b' contains '_'",
                "[3] 6:52 storageAccounts[0].blobContainer[2].name: blob container names must begin and end with a letter or digit and have no two hyphens in a row; found 'a--b'",
                "[4] 6:66 storageAccounts[0].blobContainer[3].name: blob container names must begin and end with a letter or digit and have no two hyphens in a row; found '$data'",
            ],
        ),
        (
            "accountType: Standard\nfileShare: [{name: $web}]\nqueue: [ends-]\ntable: [with-hyphen, 1st]",
            &[
                "[1] 6:24 storageAccounts[0].fileShare[0].name: file share names can contain only lower-case letters, digits and hyphens; '$web' contains '$'",
                "[2] 7:13 storageAccounts[0].queue[0]: queue names must begin and end with a letter or digit and have no two hyphens in a row; found 'ends-'",
                "[3] 8:13 storageAccounts[0].table[0]: table names can contain only letters and digits; 'with-hyphen' contains '-'",
                "[4] 8:26 storageAccounts[0].table[1]: table names must begin with a letter and not be 'tables'; found '1st'",
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
            "[1] 6:5 storageAccounts[1]: duplicate storage account 'stordersdb8e13ec', first used by storageAccounts[0] (storage.yml:4:5)"
        ]
    );
    let lines = "accountType: Standard\nblobContainer: [{name: data}, {name: Data}]\nqueue: [orders, Orders]";
    assert_eq!(
        in_account(lines),
        [
            "[1] 6:35 storageAccounts[0].blobContainer[1]: duplicate blob container 'data', first used by storageAccounts[0].blobContainer[0] (storage.yml:6:21)",
            "[2] 7:21 storageAccounts[0].queue[1]: duplicate queue 'orders', first used by storageAccounts[0].queue[0] (storage.yml:7:13)",
        ]
    );
    // One name in two kinds, or in two accounts, is fine.
    let fine =
        "accountType: Standard\nqueue: [data]\nblobContainer: [{name: data}]\nfileShare: [{name: data}]\ntable: [data]";
    let project = Project::with(&document_of(&[("Orders", fine), ("Ledger", fine)]));
    assert_eq!(project.deploy(&cloud()).summary(), "created 11");
}

#[test]
fn a_finding_repeats_little_of_a_value_and_nothing_of_a_secret() {
    let (long, token) = ("Standard ".repeat(200), "ghp_16C7e42F292c6912E7710c838347Ae178B4a");
    let found = in_account(&format!("accountType: \"{}\"", long.trim())).concat();
    let beginning: String = long.chars().take(40).collect();
    assert!(found.contains(&format!("'{beginning}…'")) && found.len() < 500, "{found}");
    for (secret, kind) in [
        (token, "what looks like a key"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "a token"),
        ("AccountName=st;AccountKey=Zm9vYmFy", "a text with a secret in it"),
    ] {
        let found = in_account(&format!("accountType: {secret}")).concat();
        assert!(!found.contains(secret) && found.contains(&format!("{kind} is not valid")), "{found}");
    }
    let found = in_account(&format!("accountType: Standard\n{}: x", "k".repeat(1 << 20))).concat();
    assert!(found.len() < 5000, "{}", found.len());
    // The file of a token in the place of a document, whatever it looks like.
    for text in ["hunter2-is-short", token, &long] {
        let found = findings(text).concat();
        assert!(found.contains("found a text") && found.len() < 1000, "{found}");
    }
}
