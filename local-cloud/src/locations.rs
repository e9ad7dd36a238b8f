//! The regions of the local cloud: the public Azure regions.
//!
//! Source: `az account list-locations`, public cloud, without staging and logical ones.

/// Name, display name and paired region (empty where a region has none). Source for pairs: learn.microsoft.com,
/// "Azure region pairs and nonpaired regions".
const REGIONS: &[(&str, &str, &str)] = &[
    ("australiacentral", "Australia Central", "australiacentral2"),
    ("australiacentral2", "Australia Central 2", "australiacentral"),
    ("australiaeast", "Australia East", "australiasoutheast"),
    ("australiasoutheast", "Australia Southeast", "australiaeast"),
    ("austriaeast", "Austria East", ""),
    ("belgiumcentral", "Belgium Central", ""),
    ("brazilsouth", "Brazil South", "southcentralus"),
    ("brazilsoutheast", "Brazil Southeast", "brazilsouth"),
    ("canadacentral", "Canada Central", "canadaeast"),
    ("canadaeast", "Canada East", "canadacentral"),
    ("centralindia", "Central India", "southindia"),
    ("centralus", "Central US", "eastus2"),
    ("chilecentral", "Chile Central", ""),
    ("eastasia", "East Asia", "southeastasia"),
    ("eastus", "East US", "westus"),
    ("eastus2", "East US 2", "centralus"),
    ("francecentral", "France Central", "francesouth"),
    ("francesouth", "France South", "francecentral"),
    ("germanynorth", "Germany North", "germanywestcentral"),
    ("germanywestcentral", "Germany West Central", "germanynorth"),
    ("indonesiacentral", "Indonesia Central", ""),
    ("israelcentral", "Israel Central", ""),
    ("italynorth", "Italy North", ""),
    ("japaneast", "Japan East", "japanwest"),
    ("japanwest", "Japan West", "japaneast"),
    ("jioindiacentral", "Jio India Central", "jioindiawest"),
    ("jioindiawest", "Jio India West", "jioindiacentral"),
    ("koreacentral", "Korea Central", "koreasouth"),
    ("koreasouth", "Korea South", "koreacentral"),
    ("malaysiawest", "Malaysia West", ""),
    ("mexicocentral", "Mexico Central", ""),
    ("newzealandnorth", "New Zealand North", ""),
    ("northcentralus", "North Central US", "southcentralus"),
    ("northeurope", "North Europe", "westeurope"),
    ("norwayeast", "Norway East", "norwaywest"),
    ("norwaywest", "Norway West", "norwayeast"),
    ("polandcentral", "Poland Central", ""),
    ("qatarcentral", "Qatar Central", ""),
    ("southafricanorth", "South Africa North", "southafricawest"),
    ("southafricawest", "South Africa West", "southafricanorth"),
    ("southcentralus", "South Central US", "northcentralus"),
    ("southeastasia", "Southeast Asia", "eastasia"),
    ("southindia", "South India", "centralindia"),
    ("spaincentral", "Spain Central", ""),
    ("swedencentral", "Sweden Central", "swedensouth"),
    ("swedensouth", "Sweden South", "swedencentral"),
    ("switzerlandnorth", "Switzerland North", "switzerlandwest"),
    ("switzerlandwest", "Switzerland West", "switzerlandnorth"),
    ("uaecentral", "UAE Central", "uaenorth"),
    ("uaenorth", "UAE North", "uaecentral"),
    ("uksouth", "UK South", "ukwest"),
    ("ukwest", "UK West", "uksouth"),
    ("westcentralus", "West Central US", "westus2"),
    ("westeurope", "West Europe", "northeurope"),
    ("westindia", "West India", "southindia"),
    ("westus", "West US", "eastus"),
    ("westus2", "West US 2", "westcentralus"),
    ("westus3", "West US 3", "eastus"),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    /// The run-together form, `uksouth`.
    pub(super) name: &'static str,
    /// The form for people, `UK South`.
    pub(super) display_name: &'static str,
    /// The region geo-redundant storage copies to, if there is one.
    pub(super) pair: Option<&'static str>,
}

/// Every region.
pub(super) fn all() -> impl Iterator<Item = Region> {
    REGIONS.iter().map(|&(name, display_name, pair)| Region {
        name,
        display_name,
        pair: (!pair.is_empty()).then_some(pair),
    })
}

/// The region a location names, ignoring case and blanks.
pub(super) fn find(location: &str) -> Option<Region> {
    let name = run_together(location);
    all().find(|region| region.name == name)
}

/// The region that a location is nearly: one of a few letters is another. None for what is nothing like one, and for what has no region.
pub(super) fn nearest(location: &str) -> Option<&'static str> {
    const WITHOUT_REGION: &[&str] = &["", "global"];
    let name = run_together(location);
    if WITHOUT_REGION.contains(&name.as_str()) {
        return None;
    }
    let distance = |region: &Region| strsim::damerau_levenshtein(&name, region.name);
    let region = all().min_by_key(distance)?;
    (distance(&region) <= 2).then_some(region.name)
}

/// A location without blanks, in lower case: how Azure compares locations.
pub(super) fn run_together(location: &str) -> String {
    location.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_lowercase()
}
