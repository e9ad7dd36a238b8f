//! The subnet of a bastion host: whether the network has it, and whether the wanted range fits in.

use ipnet::IpNet;
use serde_json::Value;

/// The subnet as the settings and messages call it.
pub(super) const BASTION_SUBNET: &str = "CloudBastionSubnet";

/// The longest prefix Azure takes for it ("Azure Bastion configuration settings").
const LONGEST_PREFIX: u8 = 26;

/// Whether a network has a subnet of this name, in Azure's spelling.
pub(super) fn has_subnet(network: &Value, name: &str) -> bool {
    subnets(network)
        .any(|subnet| subnet.get("name").and_then(Value::as_str).is_some_and(|known| known.eq_ignore_ascii_case(name)))
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
        let name = subnet.get("name").and_then(Value::as_str).unwrap_or_default();
        if let Some(taken) =
            subnet_ranges(subnet).into_iter().find(|taken| taken.contains(&range) || range.contains(taken))
        {
            return Err(format!(
                "{range} overlaps {taken}, the subnet '{name}' of the virtual network '{network_name}'"
            ));
        }
    }
    Ok(())
}

/// What is taken and what there is, for people who have to choose a range.
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

fn subnets(network: &Value) -> impl Iterator<Item = &Value> {
    network.pointer("/properties/subnets").and_then(Value::as_array).into_iter().flatten()
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
            "10.0.3.0/27 is too small; CloudBastionSubnet must be /26 or larger"
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
        assert!(has_subnet(&network(), "ONE") && !has_subnet(&network(), "AzureBastionSubnet"));
    }
}
