//! The resources that can be connected to privately: the group ids of resource types and the private DNS zones for them. Types that the
//! engine deploys or looks up have them in their entries, the others in the table here.
//! Source: "Azure Private Endpoint private DNS zone values" (2023-10), with the additions of the Azure Verified Modules
//! (2026-08); public cloud.

use super::resource_type;

/// One group id, or several with the same zones, of a resource type.
#[derive(Debug, Clone, Copy)]
pub struct PrivateLink {
    /// The group ids that a private endpoint connects to: `blob`.
    pub group_ids: &'static [&'static str],
    /// The private DNS zones for it. `*` stands for a label that depends on the region or on the resource.
    pub zones: &'static [&'static str],
}

impl PrivateLink {
    /// A link of its parts.
    pub(super) const fn to(group_ids: &'static [&'static str], zones: &'static [&'static str]) -> PrivateLink {
        PrivateLink { group_ids, zones }
    }
}

/// Types of which the engine knows nothing else.
static OTHER_TYPES: &[(&str, &[PrivateLink])] = &[
    ("Microsoft.KeyVault/managedHSMs", &[PrivateLink::to(&["managedhsm"], &["privatelink.managedhsm.azure.net"])]),
    (
        "Microsoft.Web/staticSites",
        &[PrivateLink::to(&["staticSites"], &["privatelink.azurestaticapps.net", "privatelink.*.azurestaticapps.net"])],
    ),
    ("Microsoft.Sql/servers", &[PrivateLink::to(&["sqlServer"], &["privatelink.database.windows.net"])]),
    (
        "Microsoft.Sql/managedInstances",
        &[PrivateLink::to(&["managedInstance"], &["privatelink.*.database.windows.net"])],
    ),
    (
        "Microsoft.Synapse/workspaces",
        &[
            PrivateLink::to(&["Sql", "SqlOnDemand"], &["privatelink.sql.azuresynapse.net"]),
            PrivateLink::to(&["Dev"], &["privatelink.dev.azuresynapse.net"]),
        ],
    ),
    ("Microsoft.Synapse/privateLinkHubs", &[PrivateLink::to(&["Web"], &["privatelink.azuresynapse.net"])]),
    (
        "Microsoft.DocumentDB/databaseAccounts",
        &[
            PrivateLink::to(&["Sql"], &["privatelink.documents.azure.com"]),
            PrivateLink::to(&["MongoDB"], &["privatelink.mongo.cosmos.azure.com"]),
            PrivateLink::to(&["Cassandra"], &["privatelink.cassandra.cosmos.azure.com"]),
            PrivateLink::to(&["Gremlin"], &["privatelink.gremlin.cosmos.azure.com"]),
            PrivateLink::to(&["Table"], &["privatelink.table.cosmos.azure.com"]),
        ],
    ),
    (
        "Microsoft.DBforPostgreSQL/serverGroupsv2",
        &[PrivateLink::to(&["coordinator"], &["privatelink.postgres.cosmos.azure.com"])],
    ),
    (
        "Microsoft.DBforPostgreSQL/servers",
        &[PrivateLink::to(&["postgresqlServer"], &["privatelink.postgres.database.azure.com"])],
    ),
    (
        "Microsoft.DBforPostgreSQL/flexibleServers",
        &[PrivateLink::to(&["postgresqlServer"], &["privatelink.postgres.database.azure.com"])],
    ),
    ("Microsoft.DBforMySQL/servers", &[PrivateLink::to(&["mysqlServer"], &["privatelink.mysql.database.azure.com"])]),
    (
        "Microsoft.DBforMySQL/flexibleServers",
        &[PrivateLink::to(&["mysqlServer"], &["privatelink.mysql.database.azure.com"])],
    ),
    (
        "Microsoft.DBforMariaDB/servers",
        &[PrivateLink::to(&["mariadbServer"], &["privatelink.mariadb.database.azure.com"])],
    ),
    (
        "Microsoft.Batch/batchAccounts",
        &[PrivateLink::to(&["batchAccount"], &["privatelink.batch.azure.com", "*.privatelink.batch.azure.com"])],
    ),
    ("Microsoft.ContainerService/managedClusters", &[PrivateLink::to(&["management"], &["privatelink.*.azmk8s.io"])]),
    ("Microsoft.Search/searchServices", &[PrivateLink::to(&["searchService"], &["privatelink.search.windows.net"])]),
    ("Microsoft.ContainerRegistry/registries", &[PrivateLink::to(&["registry"], &["privatelink.azurecr.io"])]),
    (
        "Microsoft.AppConfiguration/configurationStores",
        &[PrivateLink::to(&["configurationStores"], &["privatelink.azconfig.io"])],
    ),
    (
        "Microsoft.RecoveryServices/vaults",
        &[
            // Backup copies data to accounts of its own, whose names have to resolve as well ("Create and use private endpoints
            // for Azure Backup").
            PrivateLink::to(
                &["AzureBackup"],
                &[
                    "privatelink.*.backup.windowsazure.com",
                    "privatelink.blob.core.windows.net",
                    "privatelink.queue.core.windows.net",
                ],
            ),
            PrivateLink::to(&["AzureSiteRecovery"], &["privatelink.siterecovery.windowsazure.com"]),
        ],
    ),
    ("Microsoft.EventHub/namespaces", &[PrivateLink::to(&["namespace"], &["privatelink.servicebus.windows.net"])]),
    ("Microsoft.ServiceBus/namespaces", &[PrivateLink::to(&["namespace"], &["privatelink.servicebus.windows.net"])]),
    ("Microsoft.Relay/namespaces", &[PrivateLink::to(&["namespace"], &["privatelink.servicebus.windows.net"])]),
    (
        "Microsoft.Devices/IotHubs",
        &[PrivateLink::to(&["iotHub"], &["privatelink.azure-devices.net", "privatelink.servicebus.windows.net"])],
    ),
    (
        "Microsoft.Devices/ProvisioningServices",
        &[PrivateLink::to(&["iotDps"], &["privatelink.azure-devices-provisioning.net"])],
    ),
    ("Microsoft.EventGrid/topics", &[PrivateLink::to(&["topic"], &["privatelink.eventgrid.azure.net"])]),
    ("Microsoft.EventGrid/domains", &[PrivateLink::to(&["domain"], &["privatelink.eventgrid.azure.net"])]),
    (
        "Microsoft.MachineLearningServices/workspaces",
        &[PrivateLink::to(&["amlworkspace"], &["privatelink.api.azureml.ms", "privatelink.notebooks.azure.net"])],
    ),
    ("Microsoft.SignalRService/SignalR", &[PrivateLink::to(&["signalR"], &["privatelink.service.signalr.net"])]),
    (
        "Microsoft.Insights/privateLinkScopes",
        &[PrivateLink::to(
            &["azuremonitor"],
            &[
                "privatelink.monitor.azure.com",
                "privatelink.oms.opinsights.azure.com",
                "privatelink.ods.opinsights.azure.com",
                "privatelink.agentsvc.azure-automation.net",
                "privatelink.blob.core.windows.net",
            ],
        )],
    ),
    (
        "Microsoft.CognitiveServices/accounts",
        &[PrivateLink::to(
            &["account"],
            &[
                "privatelink.cognitiveservices.azure.com",
                "privatelink.openai.azure.com",
                "privatelink.services.ai.azure.com",
            ],
        )],
    ),
    (
        "Microsoft.StorageSync/storageSyncServices",
        &[PrivateLink::to(&["afs"], &["privatelink.afs.azure.net", "*.privatelink.afs.azure.net"])],
    ),
    (
        "Microsoft.DataFactory/factories",
        &[
            PrivateLink::to(&["dataFactory"], &["privatelink.datafactory.azure.net"]),
            PrivateLink::to(&["portal"], &["privatelink.adf.azure.com"]),
        ],
    ),
    ("Microsoft.Cache/Redis", &[PrivateLink::to(&["redisCache"], &["privatelink.redis.cache.windows.net"])]),
    (
        "Microsoft.Cache/RedisEnterprise",
        // Azure Managed Redis is of the same type and group id, and has a zone of its own.
        &[PrivateLink::to(
            &["redisEnterprise"],
            &["privatelink.redis.azure.net", "privatelink.redisenterprise.cache.azure.net"],
        )],
    ),
    (
        "Microsoft.Purview/accounts",
        &[
            PrivateLink::to(&["account"], &["privatelink.purview.azure.com"]),
            PrivateLink::to(&["portal"], &["privatelink.purviewstudio.azure.com"]),
        ],
    ),
    (
        "Microsoft.DigitalTwins/digitalTwinsInstances",
        &[PrivateLink::to(&["digitalTwinsInstances"], &["privatelink.digitaltwins.azure.net"])],
    ),
    (
        "Microsoft.HybridCompute/privateLinkScopes",
        &[PrivateLink::to(
            &["hybridcompute"],
            &[
                "privatelink.his.arc.azure.com",
                "privatelink.guestconfiguration.azure.com",
                "privatelink.dp.kubernetesconfiguration.azure.com",
            ],
        )],
    ),
    ("Microsoft.HDInsight/clusters", &[PrivateLink::to(&["gateway", "headnode"], &["privatelink.azurehdinsight.net"])]),
    ("Microsoft.Kusto/clusters", &[PrivateLink::to(&["cluster"], &["privatelink.*.kusto.windows.net"])]),
    (
        "Microsoft.Migrate/migrateProjects",
        &[PrivateLink::to(&["Default"], &["privatelink.prod.migration.windowsazure.com"])],
    ),
    (
        "Microsoft.Migrate/assessmentProjects",
        &[PrivateLink::to(&["Default"], &["privatelink.prod.migration.windowsazure.com"])],
    ),
    (
        "Microsoft.BotService/botServices",
        &[
            PrivateLink::to(&["Bot"], &["privatelink.directline.botframework.com"]),
            PrivateLink::to(&["Token"], &["privatelink.token.botframework.com"]),
        ],
    ),
    (
        "Microsoft.HealthcareApis/workspaces",
        &[PrivateLink::to(
            &["healthcareworkspace"],
            &[
                "privatelink.workspace.azurehealthcareapis.com",
                "privatelink.fhir.azurehealthcareapis.com",
                "privatelink.dicom.azurehealthcareapis.com",
            ],
        )],
    ),
    (
        "Microsoft.Databricks/workspaces",
        &[PrivateLink::to(&["databricks_ui_api", "browser_authentication"], &["privatelink.azuredatabricks.net"])],
    ),
    (
        "Microsoft.DesktopVirtualization/workspaces",
        &[
            PrivateLink::to(&["global"], &["privatelink-global.wvd.microsoft.com"]),
            PrivateLink::to(&["feed"], &["privatelink.wvd.microsoft.com"]),
        ],
    ),
    (
        "Microsoft.DesktopVirtualization/hostpools",
        &[PrivateLink::to(&["connection"], &["privatelink.wvd.microsoft.com"])],
    ),
    (
        "Microsoft.Automation/automationAccounts",
        &[PrivateLink::to(&["Webhook", "DSCAndHybridWorker"], &["privatelink.azure-automation.net"])],
    ),
    (
        "Microsoft.App/managedEnvironments",
        &[PrivateLink::to(&["managedEnvironments"], &["privatelink.*.azurecontainerapps.io"])],
    ),
    ("Microsoft.SignalRService/webPubSub", &[PrivateLink::to(&["webpubsub"], &["privatelink.webpubsub.azure.com"])]),
    ("Microsoft.Dashboard/grafana", &[PrivateLink::to(&["grafana"], &["privatelink.grafana.azure.com"])]),
    (
        "Microsoft.DocumentDB/mongoClusters",
        &[PrivateLink::to(&["MongoCluster"], &["privatelink.mongocluster.cosmos.azure.com"])],
    ),
    (
        "Microsoft.Monitor/accounts",
        &[PrivateLink::to(&["prometheusMetrics"], &["privatelink.*.prometheus.monitor.azure.com"])],
    ),
];

/// Private link services: of a person's own, behind a load balancer. They are connected to as a whole.
const PRIVATE_LINK_SERVICE: &str = "Microsoft.Network/privateLinkServices";

/// Ends of the zones of other clouds, which the table does not have.
const OTHER_CLOUDS: &[&str] = &["usgovcloudapi.net", "chinacloudapi.cn", "azure.us", "azure.cn"];

/// The links of a type, ignoring case.
fn links(type_name: &str) -> &'static [PrivateLink] {
    let other = || OTHER_TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(type_name)).map(|(_, links)| *links);
    resource_type(type_name).map(|known| known.private_links).or_else(other).unwrap_or_default()
}

/// Whether resources of a type are known to be connected to privately.
#[must_use]
pub fn is_connectable(type_name: &str) -> bool {
    is_connected_whole(type_name) || !links(type_name).is_empty()
}

/// Whether resources of a type are connected to as a whole, without a group id.
#[must_use]
pub fn is_connected_whole(type_name: &str) -> bool {
    type_name.eq_ignore_ascii_case(PRIVATE_LINK_SERVICE)
}

/// The group ids of a type; empty where they are not known.
#[must_use]
pub fn group_ids(type_name: &str) -> Vec<&'static str> {
    links(type_name).iter().flat_map(|link| link.group_ids).copied().collect()
}

/// The beginning of the group id of a slot of a web app; its name follows.
const SLOT_GROUP: &str = "sites-";

/// The group id of a slot of a web app.
#[must_use]
pub fn slot_group_id(slot: &str) -> String {
    format!("{SLOT_GROUP}{slot}")
}

/// The slot of a web app that a group id stands for.
#[must_use]
pub fn slot_of(group_id: &str) -> Option<&str> {
    let (prefix, slot) = group_id.split_at_checked(SLOT_GROUP.len())?;
    prefix.eq_ignore_ascii_case(SLOT_GROUP).then_some(slot)
}

/// The zones that are recommended for a group id of a type; empty where they are not known. A slot of a web app has a group
/// id of its own, `sites-<slot>`, and the zones of the app.
#[must_use]
pub fn recommended_zones(type_name: &str, group_id: &str) -> Vec<&'static str> {
    let group_id = if slot_of(group_id).is_some() { "sites" } else { group_id };
    links(type_name)
        .iter()
        .filter(|link| link.group_ids.iter().any(|known| known.eq_ignore_ascii_case(group_id)))
        .flat_map(|link| link.zones)
        .copied()
        .collect()
}

/// Whether a zone is one of the recommended ones, or one of another cloud.
#[must_use]
pub fn is_recommended(zone: &str, recommended: &[&str]) -> bool {
    let zone = zone.to_ascii_lowercase();
    OTHER_CLOUDS.iter().any(|end| zone.ends_with(end)) || recommended.iter().any(|pattern| fits(&zone, pattern))
}

fn fits(zone: &str, pattern: &str) -> bool {
    let (labels, wanted): (Vec<&str>, Vec<&str>) = (zone.split('.').collect(), pattern.split('.').collect());
    labels.len() == wanted.len() && labels.iter().zip(&wanted).all(|(label, wanted)| *wanted == "*" || label == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_has_its_links_in_one_place() {
        for (index, (name, links)) in OTHER_TYPES.iter().enumerate() {
            assert!(resource_type(name).is_none(), "{name} has an entry, and its links belong there");
            assert!(
                OTHER_TYPES[..index].iter().all(|(other, _)| !other.eq_ignore_ascii_case(name)),
                "{name} is there twice"
            );
            assert!(!links.is_empty());
        }
    }

    #[test]
    fn group_ids_and_zones() {
        assert!(is_connectable("microsoft.keyvault/VAULTS"));
        assert!(!is_connectable("Microsoft.Network/virtualNetworks"));
        assert!(!is_connectable("Microsoft.Web/sites/slots"), "a slot is connected to through its app");
        assert!(group_ids("Microsoft.Storage/storageAccounts").contains(&"dfs_secondary"));
        assert_eq!(
            recommended_zones("Microsoft.Storage/storageAccounts", "BLOB"),
            ["privatelink.blob.core.windows.net"]
        );
        assert!(is_recommended(
            "privatelink.azurewebsites.net",
            &recommended_zones("Microsoft.Web/sites", "sites-staging")
        ));
    }

    /// Lines that were wrong or missing once, as Microsoft's documentation has them.
    #[test]
    fn lines_that_were_wrong_once() {
        let zones = |type_name: &str, group_id: &str| recommended_zones(type_name, group_id);
        let backup = zones("Microsoft.RecoveryServices/vaults", "AzureBackup");
        for zone in [
            "privatelink.uks.backup.windowsazure.com",
            "privatelink.blob.core.windows.net",
            "privatelink.queue.core.windows.net",
        ] {
            assert!(is_recommended(zone, &backup), "{zone}");
        }
        assert!(!is_recommended("privatelink.table.core.windows.net", &backup));
        for zone in ["privatelink.redis.azure.net", "privatelink.redisenterprise.cache.azure.net"] {
            assert!(is_recommended(zone, &zones("Microsoft.Cache/redisEnterprise", "redisEnterprise")), "{zone}");
        }
        for (type_name, group_id, zone) in [
            (
                "Microsoft.DBforPostgreSQL/flexibleServers",
                "postgresqlServer",
                "privatelink.postgres.database.azure.com",
            ),
            ("Microsoft.DBforMySQL/flexibleServers", "mysqlServer", "privatelink.mysql.database.azure.com"),
            ("Microsoft.HDInsight/clusters", "gateway", "privatelink.azurehdinsight.net"),
            ("Microsoft.HDInsight/clusters", "headnode", "privatelink.azurehdinsight.net"),
        ] {
            assert_eq!(zones(type_name, group_id), [zone], "{type_name}");
        }
        let service = "microsoft.network/PrivateLinkServices";
        assert!(is_connectable(service) && is_connected_whole(service) && group_ids(service).is_empty());
        assert!(!is_connected_whole("Microsoft.Storage/storageAccounts"));
    }

    #[test]
    fn the_group_id_of_a_slot() {
        assert_eq!(slot_of(&slot_group_id("beta")), Some("beta"));
        assert_eq!(slot_of("Sites-Beta"), Some("Beta"));
        assert_eq!((slot_of("sites"), slot_of("sitesé"), slot_of("vault")), (None, None, None));
    }

    #[test]
    fn zones_that_depend_on_something() {
        let recommended = recommended_zones("Microsoft.ContainerService/managedClusters", "management");
        assert!(is_recommended("privatelink.uksouth.azmk8s.io", &recommended));
        assert!(!is_recommended("privatelink.azmk8s.io", &recommended));
        assert!(!is_recommended(
            "privatelink.file.core.windows.net",
            &recommended_zones("Microsoft.Storage/storageAccounts", "blob")
        ));
        assert!(is_recommended(
            "privatelink.blob.core.usgovcloudapi.net",
            &recommended_zones("Microsoft.Storage/storageAccounts", "blob")
        ));
    }
}
