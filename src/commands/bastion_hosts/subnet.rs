//! The subnet of a bastion host: whether the network has it, and whether the wanted range fits in.

use ipnet::IpNet;
use serde_json::Value;

use crate::azure::ResourceId;
use crate::azure::types::BASTION_HOST;
pub(super) use crate::commands::shared::virtual_network::{BASTION_SUBNET, subnet};
use crate::commands::shared::virtual_network::{name_of, subnets};

/// The longest prefix Azure takes for it ("Azure Bastion configuration settings").
const LONGEST_PREFIX: u8 = 26;

/// The bastion host that is in a subnet.
pub(super) fn host_in(subnet: &Value) -> Option<ResourceId> {
    let configurations = subnet.pointer("/properties/ipConfigurations").and_then(Value::as_array);
    let ids = configurations.into_iter().flatten().filter_map(|configuration| configuration.get("id")?.as_str());
    // An id of a configuration of a host: that of the host, and two segments.
    ids.filter_map(|id| ResourceId::new(id).parent()).find(|id| id.is_of_type(BASTION_HOST.name))
}

/// The ranges of a subnet that are not as wanted; none where it has the wanted one.
pub(super) fn other_ranges(subnet: &Value, wanted: IpNet) -> Option<String> {
    let ranges = subnet_ranges(subnet);
    (!ranges.is_empty() && !ranges.contains(&wanted)).then(|| list(&ranges))
}

/// The range of a subnet that settings can say; none where it has only others.
pub(super) fn first_range(subnet: &Value) -> Option<IpNet> {
    subnet_ranges(subnet).into_iter().find(|known| range(&known.to_string()).is_ok())
}

/// The range that a text stands for.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn range(text: &str) -> Result<IpNet, String> {
    let range: IpNet =
        text.trim().parse().map_err(|_| format!("'{text}' is not an address range; use the form 10.0.1.0/26"))?;
    if matches!(range, IpNet::V6(_)) {
        // "Azure Bastion FAQ".
        return Err(format!(
            "{range} is an IPv6 range, which Azure Bastion does not support; use the form 10.0.1.0/26"
        ));
    }
    if range.trunc() != range {
        return Err(format!("'{text}' is not the first address of its range; use {}", range.trunc()));
    }
    if range.prefix_len() > LONGEST_PREFIX {
        return Err(format!("{range} is too small; {BASTION_SUBNET} must be /{LONGEST_PREFIX} or larger"));
    }
    Ok(range)
}

/// Whether a range is free in a network.
///
/// # Errors
/// The ranges that are in its way, in words.
pub(super) fn check_free(range: IpNet, network: &Value, network_name: &str) -> Result<(), String> {
    let space = address_space(network);
    if !space.iter().any(|known| known.contains(&range)) {
        return Err(format!(
            "{range} is outside the address space of the virtual network '{network_name}', which is {}",
            list(&space)
        ));
    }
    for subnet in subnets(network) {
        let in_the_way = |taken: &IpNet| taken.contains(&range) || range.contains(taken);
        if let Some(taken) = subnet_ranges(subnet).into_iter().find(in_the_way) {
            return Err(format!(
                "{range} overlaps {taken}, the subnet '{}' of the virtual network '{network_name}'",
                name_of(subnet)
            ));
        }
    }
    Ok(())
}

/// The ranges that are taken and those that there are, for people who have to choose a range.
pub(super) fn choice(network: &Value) -> String {
    let taken: Vec<IpNet> = subnets(network).flat_map(subnet_ranges).collect();
    let taken = if taken.is_empty() { "all of it is free".to_owned() } else { format!("in use are {}", list(&taken)) };
    format!("the address space is {}, {taken}", list(&address_space(network)))
}

fn list(ranges: &[IpNet]) -> String {
    ranges.iter().map(IpNet::to_string).collect::<Vec<_>>().join(", ")
}

fn address_space(network: &Value) -> Vec<IpNet> {
    let prefixes = network.pointer("/properties/addressSpace/addressPrefixes").and_then(Value::as_array);
    prefixes.into_iter().flatten().filter_map(|prefix| prefix.as_str()?.parse().ok()).collect()
}

fn subnet_ranges(subnet: &Value) -> Vec<IpNet> {
    let one = subnet.pointer("/properties/addressPrefix").into_iter();
    let several = subnet.pointer("/properties/addressPrefixes").and_then(Value::as_array).into_iter().flatten();
    let mut ranges: Vec<IpNet> = one.chain(several).filter_map(|prefix| prefix.as_str()?.parse().ok()).collect();
    ranges.dedup();
    ranges
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn network() -> Value {
        json!({"properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/16", "fd00::/48"]}, "subnets": [
            {"name": "one", "properties": {"addressPrefix": "10.0.1.0/24", "addressPrefixes": ["10.0.1.0/24"]}},
            {"name": "two", "properties": {"addressPrefixes": ["10.0.2.0/25", "fd00::/64"]}}]}})
    }

    #[test]
    fn ranges() {
        assert_eq!(range("10.0.3.0/26").map(|range| range.to_string()).as_deref(), Ok("10.0.3.0/26"));
        assert_eq!(range("10.0.3.0").unwrap_err(), "'10.0.3.0' is not an address range; use the form 10.0.1.0/26");
        assert_eq!(
            range("10.0.3.5/26").unwrap_err(),
            "'10.0.3.5/26' is not the first address of its range; use 10.0.3.0/26"
        );
        assert_eq!(
            range("10.0.3.0/27").unwrap_err(),
            "10.0.3.0/27 is too small; AzureBastionSubnet must be /26 or larger"
        );
    }

    #[test]
    fn what_is_in_the_way() {
        let check = |text: &str| check_free(range(text).unwrap(), &network(), "net");
        assert_eq!(check("10.0.3.0/26"), Ok(()));
        assert_eq!(
            check("10.1.3.0/26").unwrap_err(),
            "10.1.3.0/26 is outside the address space of the virtual network 'net', which is 10.0.0.0/16, fd00::/48"
        );
        assert_eq!(
            check("10.0.2.64/26").unwrap_err(),
            "10.0.2.64/26 overlaps 10.0.2.0/25, the subnet 'two' of the virtual network 'net'"
        );
        assert_eq!(
            check("10.0.0.0/23").unwrap_err(),
            "10.0.0.0/23 overlaps 10.0.1.0/24, the subnet 'one' of the virtual network 'net'"
        );
        assert_eq!(
            choice(&network()),
            "the address space is 10.0.0.0/16, fd00::/48, in use are 10.0.1.0/24, 10.0.2.0/25, fd00::/64"
        );
    }

    #[test]
    fn what_a_subnet_has() {
        let host = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/bastionHosts/b";
        let interface = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/n";
        let of = |ids: &[String]| {
            let ids: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
            host_in(&json!({ "properties": { "ipConfigurations": ids } })).map(|id| id.to_string())
        };
        let host_configuration = format!("{host}/bastionHostIpConfigurations/IpConf");
        let interface_configuration = format!("{interface}/ipConfigurations/one");
        assert_eq!(of(&[interface_configuration.clone(), host_configuration]).as_deref(), Some(host));
        assert_eq!((of(&[interface_configuration]), of(&[])), (None, None));
        let subnet = |ranges: Value| json!({ "properties": { "addressPrefixes": ranges } });
        let wanted = range("10.0.3.0/26").unwrap();
        assert_eq!(other_ranges(&subnet(json!(["10.0.3.0/26", "fd00::/64"])), wanted), None);
        assert_eq!(other_ranges(&subnet(json!(["10.0.4.0/26"])), wanted).as_deref(), Some("10.0.4.0/26"));
        assert_eq!(other_ranges(&subnet(json!([])), wanted), None);
    }
}
