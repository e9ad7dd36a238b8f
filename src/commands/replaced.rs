//! Documents of the replaced module that no command here takes, by what they say they are and by their keys.

use serde_json::Value;

/// Components that no command here has, each with the command of the replaced module that deploys them.
const ELSEWHERE: &[(&str, &str)] = &[
    ("activityLog", "New-<Prefix>MonitorActivityLogAlerts"),
    ("activityLogAlerts", "New-<Prefix>MonitorActivityLogAlerts"),
    ("automation", "New-<Prefix>CoreAutomation"),
    ("budgets", "New-<Prefix>CoreBillingRule"),
    ("core", "New-<Prefix>Core"),
    ("deleteService", "Set-<Prefix>CoreAutomationDeleteResource"),
    ("extension", "New-<Prefix>CustomExtension"),
    ("firewalls", "New-<Prefix>IaasFirewalls"),
    ("functions", "New-<Prefix>PaasFunction"),
    ("keyvaults", "New-<Prefix>CoreKeyVault"),
    ("networking", "New-<Prefix>IaasNetworking"),
    ("recoveryVault", "New-<Prefix>IaasRecoveryServicesVault"),
    ("security", "Set-<Prefix>SecurityCentre"),
    ("securityCentre", "Set-<Prefix>SecurityCentre"),
    ("serviceHealthAlerts", "New-<Prefix>MonitorServiceHealthAlerts"),
    ("services", "New-<Prefix>Service"),
    ("sharedImageGallery", "New-<Prefix>PaasSharedImageGallery"),
    ("sql", "New-<Prefix>PaasSql"),
    ("tags", "Set-<Prefix>Tag"),
    ("updateManagement", "Set-<Prefix>IaasUpdateManagement"),
    ("virtualMachines", "New-<Prefix>IaasVm"),
    ("vnetPeerings", "New-<Prefix>IaasVnetPeerings"),
    ("vpngw", "New-<Prefix>IaasVpnGw"),
    ("webStatic", "New-<Prefix>PaasWebStatic"),
    ("wvd", "New-<Prefix>IaasWvd"),
];

/// Those of them whose alerts core monitoring deploys, each with its keys there.
const OF_CORE_MONITORING: &[(&str, &str)] = &[
    ("activityLog", "alerts.keyvaultAdmin and alerts.resourceHealth"),
    ("activityLogAlerts", "alerts.keyvaultAdmin and alerts.resourceHealth"),
    ("serviceHealthAlerts", "alerts.serviceHealth"),
];

/// The keys that a web document of 2020 has at its root.
const WEB_OF_2020: &[&str] = &["appServicePlans", "apiManagementServices"];

/// The sentence that says which command a component of the replaced module stays with; none for one that it does not have.
pub(super) fn stays_with(component: &str) -> Option<String> {
    let name = component.rsplit('.').next().unwrap_or(component);
    let of = |table: &[(&str, &'static str)]| {
        table.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, text)| *text)
    };
    let command = of(ELSEWHERE)?;
    Some(match of(OF_CORE_MONITORING) {
        Some(keys) => format!(
            "'{component}' has no command of its own: New-SvcCoreMonitor deploys such alerts ({keys}); what it does not have stays with {command} of the replaced module"
        ),
        None => format!("'{component}' stays with {command} of the replaced module; no command here deploys it"),
    })
}

/// Whether the keys are those of a web document of 2020, with the plans at its root.
pub(super) fn is_web_of_2020(document: &Value) -> bool {
    let has = |name: &str| {
        document.as_object().is_some_and(|members| members.keys().any(|key| key.eq_ignore_ascii_case(name)))
    };
    WEB_OF_2020.iter().any(|key| has(key)) && !has("webSolutions")
}

/// The message about such a document.
pub(super) const WEB_OF_2020_MESSAGE: &str = "this is a web document of 2020: appServicePlans and apiManagementServices stand at its root; put them into an item of webSolutions, with its name from resourceGroupName, and the publish names into service.publish (docs/settings/web.md, or 'svc new web')";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_component_of_a_command_stays_elsewhere() {
        for command in crate::commands::COMMANDS {
            assert_eq!(stays_with(command.component), None, "{}", command.component);
        }
        assert_eq!(stays_with("colour"), None);
    }

    #[test]
    fn components_of_the_replaced_module_are_told_in_every_spelling() {
        assert_eq!(
            stays_with("IaaS.Networking").unwrap(),
            "'IaaS.Networking' stays with New-<Prefix>IaasNetworking of the replaced module; no command here deploys it"
        );
        assert_eq!(
            stays_with("serviceHealthAlerts").unwrap(),
            "'serviceHealthAlerts' has no command of its own: New-SvcCoreMonitor deploys such alerts (alerts.serviceHealth); what it does not have stays with New-<Prefix>MonitorServiceHealthAlerts of the replaced module"
        );
    }
}
