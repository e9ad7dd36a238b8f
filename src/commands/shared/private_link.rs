//! What can be connected to privately: the group ids of resource types and the private DNS zones for them. One table.
//! Source: "Azure Private Endpoint private DNS zone values" (2023-10), with the additions of the Azure Verified Modules
//! (2026-08); public cloud.

/// One group id, or several with the same zones, of a resource type.
struct Target {
    resource_type: &'static str,
    group_ids: &'static [&'static str],
    /// `*` stands for a label that depends on the region or on the resource.
    zones: &'static [&'static str],
}

const fn target(
    resource_type: &'static str,
    group_ids: &'static [&'static str],
    zones: &'static [&'static str],
) -> Target {
    Target { resource_type, group_ids, zones }
}

static TARGETS: &[Target] = &[
    target("Microsoft.Storage/storageAccounts", &["blob", "blob_secondary"], &["privatelink.blob.core.windows.net"]),
    target("Microsoft.Storage/storageAccounts", &["file"], &["privatelink.file.core.windows.net"]),
    target("Microsoft.Storage/storageAccounts", &["queue", "queue_secondary"], &["privatelink.queue.core.windows.net"]),
    target("Microsoft.Storage/storageAccounts", &["table", "table_secondary"], &["privatelink.table.core.windows.net"]),
    target("Microsoft.Storage/storageAccounts", &["web", "web_secondary"], &["privatelink.web.core.windows.net"]),
    target("Microsoft.Storage/storageAccounts", &["dfs", "dfs_secondary"], &["privatelink.dfs.core.windows.net"]),
    target("Microsoft.KeyVault/vaults", &["vault"], &["privatelink.vaultcore.azure.net"]),
    target("Microsoft.KeyVault/managedHSMs", &["managedhsm"], &["privatelink.managedhsm.azure.net"]),
    target("Microsoft.Web/sites", &["sites"], &["privatelink.azurewebsites.net", "scm.privatelink.azurewebsites.net"]),
    target(
        "Microsoft.Web/staticSites",
        &["staticSites"],
        &["privatelink.azurestaticapps.net", "privatelink.*.azurestaticapps.net"],
    ),
    target("Microsoft.Sql/servers", &["sqlServer"], &["privatelink.database.windows.net"]),
    target("Microsoft.Sql/managedInstances", &["managedInstance"], &["privatelink.*.database.windows.net"]),
    target("Microsoft.Synapse/workspaces", &["Sql", "SqlOnDemand"], &["privatelink.sql.azuresynapse.net"]),
    target("Microsoft.Synapse/workspaces", &["Dev"], &["privatelink.dev.azuresynapse.net"]),
    target("Microsoft.Synapse/privateLinkHubs", &["Web"], &["privatelink.azuresynapse.net"]),
    target("Microsoft.DocumentDB/databaseAccounts", &["Sql"], &["privatelink.documents.azure.com"]),
    target("Microsoft.DocumentDB/databaseAccounts", &["MongoDB"], &["privatelink.mongo.cosmos.azure.com"]),
    target("Microsoft.DocumentDB/databaseAccounts", &["Cassandra"], &["privatelink.cassandra.cosmos.azure.com"]),
    target("Microsoft.DocumentDB/databaseAccounts", &["Gremlin"], &["privatelink.gremlin.cosmos.azure.com"]),
    target("Microsoft.DocumentDB/databaseAccounts", &["Table"], &["privatelink.table.cosmos.azure.com"]),
    target("Microsoft.DBforPostgreSQL/serverGroupsv2", &["coordinator"], &["privatelink.postgres.cosmos.azure.com"]),
    target("Microsoft.DBforPostgreSQL/servers", &["postgresqlServer"], &["privatelink.postgres.database.azure.com"]),
    target("Microsoft.DBforMySQL/servers", &["mysqlServer"], &["privatelink.mysql.database.azure.com"]),
    target("Microsoft.DBforMariaDB/servers", &["mariadbServer"], &["privatelink.mariadb.database.azure.com"]),
    target(
        "Microsoft.Batch/batchAccounts",
        &["batchAccount"],
        &["privatelink.batch.azure.com", "*.privatelink.batch.azure.com"],
    ),
    target("Microsoft.ContainerService/managedClusters", &["management"], &["privatelink.*.azmk8s.io"]),
    target("Microsoft.Search/searchServices", &["searchService"], &["privatelink.search.windows.net"]),
    target("Microsoft.ContainerRegistry/registries", &["registry"], &["privatelink.azurecr.io"]),
    target("Microsoft.AppConfiguration/configurationStores", &["configurationStores"], &["privatelink.azconfig.io"]),
    target("Microsoft.RecoveryServices/vaults", &["AzureBackup"], &["privatelink.*.backup.windowsazure.com"]),
    target("Microsoft.RecoveryServices/vaults", &["AzureSiteRecovery"], &["privatelink.siterecovery.windowsazure.com"]),
    target("Microsoft.EventHub/namespaces", &["namespace"], &["privatelink.servicebus.windows.net"]),
    target("Microsoft.ServiceBus/namespaces", &["namespace"], &["privatelink.servicebus.windows.net"]),
    target("Microsoft.Relay/namespaces", &["namespace"], &["privatelink.servicebus.windows.net"]),
    target(
        "Microsoft.Devices/IotHubs",
        &["iotHub"],
        &["privatelink.azure-devices.net", "privatelink.servicebus.windows.net"],
    ),
    target("Microsoft.Devices/ProvisioningServices", &["iotDps"], &["privatelink.azure-devices-provisioning.net"]),
    target("Microsoft.EventGrid/topics", &["topic"], &["privatelink.eventgrid.azure.net"]),
    target("Microsoft.EventGrid/domains", &["domain"], &["privatelink.eventgrid.azure.net"]),
    target(
        "Microsoft.MachineLearningServices/workspaces",
        &["amlworkspace"],
        &["privatelink.api.azureml.ms", "privatelink.notebooks.azure.net"],
    ),
    target("Microsoft.SignalRService/SignalR", &["signalR"], &["privatelink.service.signalr.net"]),
    target(
        "Microsoft.Insights/privateLinkScopes",
        &["azuremonitor"],
        &[
            "privatelink.monitor.azure.com",
            "privatelink.oms.opinsights.azure.com",
            "privatelink.ods.opinsights.azure.com",
            "privatelink.agentsvc.azure-automation.net",
            "privatelink.blob.core.windows.net",
        ],
    ),
    target(
        "Microsoft.CognitiveServices/accounts",
        &["account"],
        &[
            "privatelink.cognitiveservices.azure.com",
            "privatelink.openai.azure.com",
            "privatelink.services.ai.azure.com",
        ],
    ),
    target(
        "Microsoft.StorageSync/storageSyncServices",
        &["afs"],
        &["privatelink.afs.azure.net", "*.privatelink.afs.azure.net"],
    ),
    target("Microsoft.DataFactory/factories", &["dataFactory"], &["privatelink.datafactory.azure.net"]),
    target("Microsoft.DataFactory/factories", &["portal"], &["privatelink.adf.azure.com"]),
    target("Microsoft.Cache/Redis", &["redisCache"], &["privatelink.redis.cache.windows.net"]),
    target("Microsoft.Cache/RedisEnterprise", &["redisEnterprise"], &["privatelink.redisenterprise.cache.azure.net"]),
    target("Microsoft.Purview/accounts", &["account"], &["privatelink.purview.azure.com"]),
    target("Microsoft.Purview/accounts", &["portal"], &["privatelink.purviewstudio.azure.com"]),
    target(
        "Microsoft.DigitalTwins/digitalTwinsInstances",
        &["digitalTwinsInstances"],
        &["privatelink.digitaltwins.azure.net"],
    ),
    target(
        "Microsoft.HybridCompute/privateLinkScopes",
        &["hybridcompute"],
        &[
            "privatelink.his.arc.azure.com",
            "privatelink.guestconfiguration.azure.com",
            "privatelink.dp.kubernetesconfiguration.azure.com",
        ],
    ),
    target("Microsoft.Kusto/clusters", &["cluster"], &["privatelink.*.kusto.windows.net"]),
    target("Microsoft.Migrate/migrateProjects", &["Default"], &["privatelink.prod.migration.windowsazure.com"]),
    target("Microsoft.Migrate/assessmentProjects", &["Default"], &["privatelink.prod.migration.windowsazure.com"]),
    target("Microsoft.ApiManagement/service", &["Gateway"], &["privatelink.azure-api.net"]),
    target("Microsoft.BotService/botServices", &["Bot"], &["privatelink.directline.botframework.com"]),
    target("Microsoft.BotService/botServices", &["Token"], &["privatelink.token.botframework.com"]),
    target(
        "Microsoft.HealthcareApis/workspaces",
        &["healthcareworkspace"],
        &[
            "privatelink.workspace.azurehealthcareapis.com",
            "privatelink.fhir.azurehealthcareapis.com",
            "privatelink.dicom.azurehealthcareapis.com",
        ],
    ),
    target(
        "Microsoft.Databricks/workspaces",
        &["databricks_ui_api", "browser_authentication"],
        &["privatelink.azuredatabricks.net"],
    ),
    target("Microsoft.DesktopVirtualization/workspaces", &["global"], &["privatelink-global.wvd.microsoft.com"]),
    target("Microsoft.DesktopVirtualization/workspaces", &["feed"], &["privatelink.wvd.microsoft.com"]),
    target("Microsoft.DesktopVirtualization/hostpools", &["connection"], &["privatelink.wvd.microsoft.com"]),
    target(
        "Microsoft.Automation/automationAccounts",
        &["Webhook", "DSCAndHybridWorker"],
        &["privatelink.azure-automation.net"],
    ),
    target("Microsoft.App/managedEnvironments", &["managedEnvironments"], &["privatelink.*.azurecontainerapps.io"]),
    target("Microsoft.SignalRService/webPubSub", &["webpubsub"], &["privatelink.webpubsub.azure.com"]),
    target("Microsoft.Dashboard/grafana", &["grafana"], &["privatelink.grafana.azure.com"]),
    target("Microsoft.DocumentDB/mongoClusters", &["MongoCluster"], &["privatelink.mongocluster.cosmos.azure.com"]),
    target("Microsoft.Monitor/accounts", &["prometheusMetrics"], &["privatelink.*.prometheus.monitor.azure.com"]),
];

/// Ends of the zones of other clouds, which the table does not have.
const OTHER_CLOUDS: &[&str] = &["usgovcloudapi.net", "chinacloudapi.cn", "azure.us", "azure.cn"];

fn targets(resource_type: &str) -> impl Iterator<Item = &'static Target> {
    TARGETS.iter().filter(move |target| target.resource_type.eq_ignore_ascii_case(resource_type))
}

/// Whether resources of a type are known to be connected to privately.
pub(in crate::commands) fn is_connectable(resource_type: &str) -> bool {
    targets(resource_type).next().is_some()
}

/// The group ids of a type; empty where they are not known.
pub(in crate::commands) fn group_ids(resource_type: &str) -> Vec<&'static str> {
    targets(resource_type).flat_map(|target| target.group_ids).copied().collect()
}

/// The zones that are recommended for a group id of a type; empty where they are not known. A slot of a web app has a group
/// id of its own, `sites-<slot>`, and the zones of the app.
pub(in crate::commands) fn recommended_zones(resource_type: &str, group_id: &str) -> Vec<&'static str> {
    let group_id = if group_id.to_ascii_lowercase().starts_with("sites-") { "sites" } else { group_id };
    targets(resource_type)
        .filter(|target| target.group_ids.iter().any(|known| known.eq_ignore_ascii_case(group_id)))
        .flat_map(|target| target.zones)
        .copied()
        .collect()
}

/// Whether a zone is one of the recommended ones, or one of another cloud.
pub(in crate::commands) fn is_recommended(zone: &str, recommended: &[&str]) -> bool {
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
    fn group_ids_and_zones() {
        assert!(is_connectable("microsoft.keyvault/VAULTS"));
        assert!(!is_connectable("Microsoft.Network/virtualNetworks"));
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
