//! The subnets of a virtual network, as Azure shows it.

use serde_json::Value;

/// The subnet of bastion hosts.
pub(in crate::commands) const BASTION_SUBNET: &str = "AzureBastionSubnet";

/// The subnets in the body of a network, as Azure answers it.
pub(in crate::commands) fn subnets(network: &Value) -> impl Iterator<Item = &Value> {
    network.pointer("/properties/subnets").and_then(Value::as_array).into_iter().flatten()
}

/// The name of a subnet; empty where it has none.
pub(in crate::commands) fn name_of(subnet: &Value) -> &str {
    subnet.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// The subnet of a name, in Azure's spelling and any letter case.
pub(in crate::commands) fn subnet<'a>(network: &'a Value, name: &str) -> Option<&'a Value> {
    subnets(network).find(|subnet| name_of(subnet).eq_ignore_ascii_case(name))
}

/// Whether the machines of a network ask name servers of its own instead of Azure's: then links of private DNS zones to it have no
/// effect.
pub(in crate::commands) fn has_own_name_servers(network: &Value) -> bool {
    network.pointer("/properties/dhcpOptions/dnsServers").and_then(Value::as_array).is_some_and(|list| !list.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_in_a_network() {
        let network =
            json!({ "properties": { "subnets": [{ "name": "One" }, {}], "dhcpOptions": { "dnsServers": [] } } });
        assert_eq!(subnets(&network).map(name_of).collect::<Vec<_>>(), ["One", ""]);
        assert!(subnet(&network, "one").is_some() && subnet(&network, "two").is_none());
        assert!(!has_own_name_servers(&network) && !has_own_name_servers(&json!({})));
        assert!(has_own_name_servers(&json!({ "properties": { "dhcpOptions": { "dnsServers": ["10.0.0.4"] } } })));
    }
}
