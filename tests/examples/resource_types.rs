//! The facts of resource types against those of the local cloud, which has tables of its own.

use serde_json::{Value, json};
use svc_engine::azure::types::{
    API_MANAGEMENT, APP_SERVICE_PLAN, BASTION_HOST, METRIC_ALERT, PRIVATE_DNS_ZONE, PRIVATE_ENDPOINT,
    PUBLIC_IP_ADDRESS, RESOURCE_GROUP, RESOURCE_TYPES, ROLE_ASSIGNMENT, SLOT, STORAGE_ACCOUNT, VIRTUAL_NETWORK,
    VIRTUAL_NETWORK_LINK,
};
use svc_engine::azure::{ResourceId, ResourceType, resource_type};
use svc_local_cloud::KnownType;

/// The id of a resource of a type, below one of each type above it.
fn id_of(entry: &ResourceType, name: &str) -> ResourceId {
    let group = RESOURCE_GROUP.child_of(&ResourceId::subscription("1"), "group");
    if entry.name == RESOURCE_GROUP.name {
        return RESOURCE_GROUP.child_of(&ResourceId::subscription("1"), name);
    }
    let mut above = entry.name;
    while let Some((parent, _)) = above.rsplit_once('/') {
        above = parent;
        if let Some(parent) = resource_type(above) {
            return entry.child_of(&id_of(parent, "above"), name);
        }
    }
    entry.child_of(&group, name)
}

/// Names of every length and with every character at the beginning, in the middle and at the end. Those that no id can have
/// are not among them.
fn names() -> Vec<String> {
    let lengths = (1..=300).map(|length| "a".repeat(length));
    let labels = (1..=40).map(|count| vec!["a"; count].join("."));
    let characters = (' '..='~').filter(|character| !matches!(character, '/' | '%')).flat_map(|character| {
        [
            format!("{character}bcd"),
            format!("ab{character}cd"),
            format!("abc{character}"),
            format!("a{character}{character}b"),
        ]
    });
    let domains = ["a.b", "a..b", ".a.b", "a.b.", "x_y.z", "tables", "Tables", "table"].map(str::to_owned);
    lengths.chain(labels).chain(characters).chain(domains).collect()
}

#[test]
fn the_local_cloud_takes_every_api_version() {
    for entry in RESOURCE_TYPES {
        let id = id_of(entry, "name");
        let known =
            KnownType::of(id.as_str()).unwrap_or_else(|| panic!("{} has no entry in the local cloud", entry.name));
        let versions = known.api_versions();
        assert!(versions.is_empty() || versions.contains(&entry.api_version), "{} {}", entry.name, entry.api_version);
    }
}

/// What people are told of the time of a creation is what the local cloud takes where it is as slow as Azure.
#[test]
fn the_usual_times_are_those_of_the_local_cloud() {
    let slow = RESOURCE_TYPES.iter().filter(|entry| !entry.usual_creation.is_zero());
    let mut count = 0;
    for entry in slow {
        let known = KnownType::of(id_of(entry, "name").as_str()).unwrap();
        assert_eq!(u64::from(known.seconds()), entry.usual_creation.as_secs(), "{}", entry.name);
        count += 1;
    }
    assert_eq!(count, 3, "bastion hosts, private endpoints, API management");
}

/// What the local cloud has fixed, and no command of the set ever writes.
const WRITTEN_BY_NO_COMMAND: &[(&str, &[&str])] = &[(
    "Microsoft.Storage/storageAccounts",
    &["properties.isHnsEnabled", "properties.isNfsV3Enabled", "properties.dnsEndpointType"],
)];

#[test]
fn the_local_cloud_refuses_the_same_changes() {
    for entry in RESOURCE_TYPES {
        let known = KnownType::of(id_of(entry, "name").as_str()).unwrap();
        let mut ours: Vec<&str> =
            entry.fixed.iter().map(|fixed| fixed.path).filter(|path| *path != "location").collect();
        let others = WRITTEN_BY_NO_COMMAND.iter().filter(|(kind, _)| *kind == entry.name).flat_map(|(_, paths)| *paths);
        ours.extend(others);
        let mut theirs: Vec<&str> = known.fixed().collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{}", entry.name);
    }
}

#[test]
fn the_local_cloud_judges_single_changes_alike() {
    let sku = |name: &str| json!({"name": name, "capacity": 1});
    let table: &[(&ResourceType, &str, Vec<Value>)] = &[
        (
            &STORAGE_ACCOUNT,
            "kind",
            ["Storage", "StorageV2", "BlobStorage", "FileStorage", "BlockBlobStorage"].map(Value::from).to_vec(),
        ),
        (
            &STORAGE_ACCOUNT,
            "sku.name",
            ["Standard_LRS", "Standard_GRS", "Standard_RAGRS", "Standard_ZRS", "Premium_LRS", "Premium_ZRS"]
                .map(Value::from)
                .to_vec(),
        ),
        (&PUBLIC_IP_ADDRESS, "sku.name", ["Basic", "Standard", "StandardV2"].map(Value::from).to_vec()),
        (&PUBLIC_IP_ADDRESS, "sku.tier", ["Regional", "Global"].map(Value::from).to_vec()),
        (
            &APP_SERVICE_PLAN,
            "sku.name",
            ["F1", "B1", "S1", "P1v3", "P1mv4", "I1v2", "I1mv2", "EP1", "EP3", "WS1", "Y1", "FC1"]
                .map(Value::from)
                .to_vec(),
        ),
        (
            &API_MANAGEMENT,
            "sku",
            ["Consumption", "Developer", "Basic", "Standard", "Premium", "BasicV2", "StandardV2"].map(sku).to_vec(),
        ),
    ];
    for (entry, path, values) in table {
        let id = id_of(entry, "name");
        let known = KnownType::of(id.as_str()).unwrap();
        let allows = entry.fixed.iter().find(|fixed| fixed.path == *path).unwrap().allows;
        // Of a kind that goes with every sku of the table, so that the change alone is judged.
        let body = |value: &Value| {
            let plain = json!({"kind": "StorageV2", "sku": {"name": kind_sku(value)}});
            let mut plain = if *path == "kind" || *path == "sku.name" { plain } else { json!({}) };
            match path.split_once('.') {
                Some((holder, member)) => plain[holder] = json!({ member: value }),
                None => plain[*path] = value.clone(),
            }
            plain
        };
        for before in values {
            for after in values {
                let ours = before == after || allows(before, after);
                let theirs = known.changes(path, id.as_str(), &body(before), &body(after));
                assert_eq!(ours, theirs, "{} {path}: {before} to {after}", entry.name);
            }
        }
    }
}

#[test]
fn the_local_cloud_judges_single_changes_of_networks_alike() {
    let id =
        |kind: &str, name: &str| format!("/subscriptions/1/resourceGroups/g/providers/Microsoft.Network/{kind}/{name}");
    let connection = |list: &str, target: &str, group: &str| json!({"properties": {list: [{"name": "c", "properties": {"privateLinkServiceId": target, "groupIds": [group]}}]}});
    let host = |subnet: &str| json!({"properties": {"ipConfigurations": [{"name": "c", "properties": {"subnet": {"id": subnet}}}]}});
    let (one, two) = (id("virtualNetworks", "one"), id("virtualNetworks", "two"));
    let subnets = [&one, &two].map(|network| format!("{network}/subnets/s"));
    let subnet = |id: &str| json!({"properties": {"subnet": {"id": id}}});
    let link = |id: &str| json!({"properties": {"virtualNetwork": {"id": id}}});
    let mut table: Vec<(&ResourceType, String, [Value; 2])> = vec![
        (&PRIVATE_ENDPOINT, "properties.subnet.id".to_owned(), [subnet(&subnets[0]), subnet(&subnets[1])]),
        (
            &BASTION_HOST,
            "properties.ipConfigurations[].properties.subnet.id".to_owned(),
            [host(&subnets[0]), host(&subnets[1])],
        ),
        (&VIRTUAL_NETWORK_LINK, "properties.virtualNetwork.id".to_owned(), [link(&one), link(&two)]),
    ];
    for list in ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"] {
        let of = |target: &str, group: &str| connection(list, target, group);
        let path = |member: &str| format!("properties.{list}[].properties.{member}");
        table.push((&PRIVATE_ENDPOINT, path("privateLinkServiceId"), [of(&one, "blob"), of(&two, "blob")]));
        table.push((&PRIVATE_ENDPOINT, path("groupIds"), [of(&one, "blob"), of(&one, "file")]));
    }
    for (entry, path, bodies) in &table {
        let id = id_of(entry, "name");
        let known = KnownType::of(id.as_str()).unwrap();
        let allows = entry.fixed.iter().find(|fixed| fixed.path == path).unwrap().allows;
        for before in bodies {
            for after in bodies {
                let ours = before == after || allows(before, after);
                assert_eq!(ours, known.changes(path, id.as_str(), before, after), "{} {path}", entry.name);
            }
        }
    }
}

/// A sku that a kind of storage account may have.
fn kind_sku(kind: &Value) -> &'static str {
    match kind.as_str() {
        Some("FileStorage" | "BlockBlobStorage") => "Premium_LRS",
        _ => "Standard_LRS",
    }
}

#[test]
fn the_local_cloud_reads_ids_alike() {
    for entry in RESOURCE_TYPES {
        let id = id_of(entry, "name");
        let known = KnownType::of(id.as_str()).map(KnownType::name).unwrap_or_default();
        assert!(known.eq_ignore_ascii_case(entry.name), "{id} is of the type '{known}' there");
        // What is between a resource and the parent that it is written below has the only name that it may have.
        if let (Some(between), true) = (id.parent(), entry.only_parent.is_some()) {
            let known = KnownType::of(between.as_str()).unwrap_or_else(|| panic!("{between}"));
            assert!(known.takes(between.as_str()), "{between}");
            let kind = between.as_str().rsplit('/').nth(1).unwrap();
            let other = between.parent().unwrap().child(kind, "other");
            assert!(!known.takes(other.as_str()), "{other}");
        }
    }
}

#[test]
fn names_that_are_worldwide_there_are_worldwide_here() {
    // The engine makes the names of role assignments from what they assign, so two of one name are one.
    for entry in RESOURCE_TYPES.iter().filter(|entry| entry.name != ROLE_ASSIGNMENT.name) {
        let known = KnownType::of(id_of(entry, "name").as_str()).unwrap();
        assert!(entry.worldwide_name || !known.has_worldwide_names(), "{}", entry.name);
    }
}

#[test]
fn the_local_cloud_looks_at_the_same_etags() {
    for entry in RESOURCE_TYPES {
        let known = KnownType::of(id_of(entry, "name").as_str()).unwrap();
        assert_eq!(entry.checks_etag, known.checks_etag(), "{}", entry.name);
    }
}

/// A type, and the names about which the two may differ.
type Difference = (&'static ResourceType, fn(&str) -> bool);

/// Where the two differ. But for slots the engine is the stricter one.
static DIFFERENCES: &[Difference] = &[
    (&VIRTUAL_NETWORK, |name| !(2..=64).contains(&name.len())),
    (&PRIVATE_ENDPOINT, |name| !(2..=64).contains(&name.len())),
    (&PRIVATE_DNS_ZONE, |name| !name.contains('.')),
    (&METRIC_ALERT, |name| name.contains('\\')),
    // With the name of the app it is a label of a host name.
    (&SLOT, |name| format!("above-{name}").len() > 63),
];

#[test]
fn the_local_cloud_takes_the_same_names() {
    let mut used = vec![false; DIFFERENCES.len()];
    let mut others = Vec::new();
    // Names of types without a rule are made by the engine, or looked up.
    for entry in RESOURCE_TYPES.iter().filter(|entry| entry.name_rule.is_some()) {
        for name in names() {
            let id = id_of(entry, &name);
            let known = KnownType::of(id.as_str()).unwrap();
            let (here, there) = (entry.check_name(&name).is_ok(), known.takes(id.as_str()));
            if here == there {
                continue;
            }
            match DIFFERENCES.iter().position(|(known, may_differ)| known.name == entry.name && may_differ(&name)) {
                Some(index) => used[index] = true,
                None => others.push(format!("{} '{name}': {here} here, {there} there", entry.name)),
            }
        }
    }
    assert!(others.is_empty(), "{} differences:\n{}", others.len(), others.join("\n"));
    for ((entry, _), used) in DIFFERENCES.iter().zip(used) {
        assert!(used, "{} has no difference any more", entry.name);
    }
}
