//! The locations: Azure's names, what people call them, and the codes that generated names carry. One table.

use thiserror::Error;

use crate::protocol::nearest;

/// A location of Azure.
#[derive(Debug, PartialEq, Eq)]
pub struct Location {
    name: &'static str,
    display_name: &'static str,
    code: &'static str,
}

/// A location that is in no table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not an Azure location{}", hint.as_ref().map_or(String::new(), |hint| format!(", did you mean {hint}?")))]
pub struct UnknownLocation {
    text: String,
    hint: Option<String>,
}

const fn at(name: &'static str, display_name: &'static str, code: &'static str) -> Location {
    Location { name, display_name, code }
}

/// Names as of 2026 (Azure, "List of Azure regions"). The first six codes are those of the replaced module; names of
/// existing resources carry them. A code never changes.
static LOCATIONS: &[Location] = &[
    at("global", "Global", "gbl"),
    at("northeurope", "North Europe", "eun"),
    at("westeurope", "West Europe", "euw"),
    at("uksouth", "UK South", "uks"),
    at("ukwest", "UK West", "ukw"),
    at("eastus", "East US", "eus"),
    at("eastus2", "East US 2", "eus2"),
    at("centralus", "Central US", "cus"),
    at("northcentralus", "North Central US", "ncus"),
    at("southcentralus", "South Central US", "scus"),
    at("westcentralus", "West Central US", "wcus"),
    at("westus", "West US", "wus"),
    at("westus2", "West US 2", "wus2"),
    at("westus3", "West US 3", "wus3"),
    at("southeastus", "Southeast US", "seus"),
    at("southwestus", "Southwest US", "swus"),
    at("eastus2euap", "East US 2 EUAP", "eu2p"),
    at("centraluseuap", "Central US EUAP", "cusp"),
    at("canadacentral", "Canada Central", "cac"),
    at("canadaeast", "Canada East", "cae"),
    at("mexicocentral", "Mexico Central", "mxc"),
    at("brazilsouth", "Brazil South", "brs"),
    at("brazilsoutheast", "Brazil Southeast", "brse"),
    at("chilecentral", "Chile Central", "clc"),
    at("francecentral", "France Central", "frc"),
    at("francesouth", "France South", "frs"),
    at("germanywestcentral", "Germany West Central", "dewc"),
    at("germanynorth", "Germany North", "den"),
    at("switzerlandnorth", "Switzerland North", "chn"),
    at("switzerlandwest", "Switzerland West", "chw"),
    at("norwayeast", "Norway East", "noe"),
    at("norwaywest", "Norway West", "now"),
    at("swedencentral", "Sweden Central", "sec"),
    at("swedensouth", "Sweden South", "ses"),
    at("polandcentral", "Poland Central", "plc"),
    at("italynorth", "Italy North", "itn"),
    at("spaincentral", "Spain Central", "esc"),
    at("austriaeast", "Austria East", "ate"),
    at("belgiumcentral", "Belgium Central", "bec"),
    at("denmarkeast", "Denmark East", "dke"),
    at("finlandcentral", "Finland Central", "fic"),
    at("greececentral", "Greece Central", "grc"),
    at("israelcentral", "Israel Central", "ilc"),
    at("israelnorthwest", "Israel Northwest", "ilnw"),
    at("qatarcentral", "Qatar Central", "qac"),
    at("uaenorth", "UAE North", "uaen"),
    at("uaecentral", "UAE Central", "uaec"),
    at("saudiarabiaeast", "Saudi Arabia East", "sae"),
    at("southafricanorth", "South Africa North", "zan"),
    at("southafricawest", "South Africa West", "zaw"),
    at("australiaeast", "Australia East", "aue"),
    at("australiasoutheast", "Australia Southeast", "ause"),
    at("australiacentral", "Australia Central", "auc"),
    at("australiacentral2", "Australia Central 2", "auc2"),
    at("newzealandnorth", "New Zealand North", "nzn"),
    at("eastasia", "East Asia", "ase"),
    at("southeastasia", "Southeast Asia", "asse"),
    at("japaneast", "Japan East", "jpe"),
    at("japanwest", "Japan West", "jpw"),
    at("koreacentral", "Korea Central", "krc"),
    at("koreasouth", "Korea South", "krs"),
    at("taiwannorth", "Taiwan North", "twn"),
    at("taiwannorthwest", "Taiwan Northwest", "twnw"),
    at("indonesiacentral", "Indonesia Central", "idc"),
    at("malaysiawest", "Malaysia West", "myw"),
    at("malaysiasouth", "Malaysia South", "mys"),
    at("centralindia", "Central India", "inc"),
    at("southindia", "South India", "ins"),
    at("westindia", "West India", "inw"),
    at("southcentralindia", "South Central India", "insc"),
    at("jioindiawest", "Jio India West", "jinw"),
    at("jioindiacentral", "Jio India Central", "jinc"),
    at("usgovvirginia", "USGov Virginia", "ugv"),
    at("usgovtexas", "USGov Texas", "ugt"),
    at("usgovarizona", "USGov Arizona", "uga"),
    at("usgoviowa", "USGov Iowa", "ugi"),
    at("usdodeast", "USDoD East", "ude"),
    at("usdodcentral", "USDoD Central", "udc"),
    at("chinaeast", "China East", "cne"),
    at("chinaeast2", "China East 2", "cne2"),
    at("chinaeast3", "China East 3", "cne3"),
    at("chinanorth", "China North", "cnn"),
    at("chinanorth2", "China North 2", "cnn2"),
    at("chinanorth3", "China North 3", "cnn3"),
];

impl Location {
    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Location> {
        LOCATIONS.iter()
    }

    /// Finds a location by any of its spellings: `UK South`, `uksouth` and `UKSouth` are one.
    ///
    /// # Errors
    /// [`UnknownLocation`] with the nearest known one.
    pub fn find(text: &str) -> Result<&'static Location, UnknownLocation> {
        let wanted = normalise_location(text);
        LOCATIONS.iter().find(|location| location.name == wanted).ok_or_else(|| {
            let hint = nearest(&wanted, LOCATIONS.iter().map(|location| location.name));
            let hint = hint.and_then(|name| LOCATIONS.iter().find(|location| location.name == name));
            UnknownLocation {
                text: text.to_owned(),
                hint: hint.map(|location| format!("{} ({})", location.display_name, location.name)),
            }
        })
    }

    /// As Azure writes it in ids and answers: `uksouth`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// As the portal writes it: `UK South`.
    #[must_use]
    pub fn display_name(&self) -> &'static str {
        self.display_name
    }

    /// The part of generated names: `uks`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }
}

/// The run-together form of a location. Blanks and letter case make no difference (Resource Provider Contract).
#[must_use]
pub fn normalise_location(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

/// Whether two spellings are one location.
#[must_use]
pub fn same_location(one: &str, other: &str) -> bool {
    normalise_location(one) == normalise_location(other)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_short_and_unique() {
        let codes: HashSet<&str> = LOCATIONS.iter().map(|location| location.code).collect();
        assert_eq!(codes.len(), LOCATIONS.len());
        for location in LOCATIONS {
            assert!((3..=4).contains(&location.code.len()), "{}", location.code);
            assert!(
                location.code.chars().all(|character| character.is_ascii_lowercase() || character.is_ascii_digit())
            );
            assert_eq!(normalise_location(location.display_name), location.name);
        }
    }

    #[test]
    fn spellings() {
        for text in ["UK South", "uksouth", "UKSouth", " uk south "] {
            assert_eq!(Location::find(text).unwrap().code(), "uks");
        }
        assert_eq!(
            Location::find("uksoth").unwrap_err().to_string(),
            "'uksoth' is not an Azure location, did you mean UK South (uksouth)?"
        );
        assert_eq!(Location::find("Atlantis").unwrap_err().to_string(), "'Atlantis' is not an Azure location");
    }
}
