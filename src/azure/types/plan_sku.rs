//! The skus of App Service plans: which there are, and what apps on them can have.
//!
//! Sources: App Service documentation ("App Service limits", "Use private endpoints for App Service apps"), Functions documentation
//! ("Azure Functions hosting options", "Dedicated hosting plans", "Flex Consumption plan").

use crate::protocol::nearest;

/// A tier: skus that differ in their size only.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanTier {
    skus: &'static [&'static str],
    family: Family,
    /// The kinds of apps that Azure accepts on its plans.
    pub runs: Runs,
    /// The most slots of an app beside production.
    pub slots: usize,
    /// Whether apps can have private endpoints.
    pub private_endpoints: bool,
    /// Whether apps can stay loaded when nobody asks for them.
    pub always_on: bool,
}

/// Tiers that a plan can change between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// On machines of its own, or shared ones.
    Dedicated,
    /// In an App Service Environment.
    Environment,
    ElasticPremium,
    Workflows,
    Consumption,
    FlexConsumption,
}

/// The kinds of apps that a plan runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// Web apps and function apps.
    Everything,
    /// Web apps only.
    WebApps,
    /// Function apps only.
    Functions,
    /// Logic apps only.
    Workflows,
}

/// A size that a plan can be bought in, and what its tier allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanSku {
    /// Its name, as Azure spells it.
    pub name: &'static str,
    /// The tier: what all skus have in common that differ from it in size only.
    pub tier: &'static PlanTier,
}

const fn dedicated(skus: &'static [&'static str], slots: usize) -> PlanTier {
    PlanTier {
        skus,
        family: Family::Dedicated,
        runs: Runs::Everything,
        slots,
        private_endpoints: true,
        always_on: true,
    }
}

const fn environment(skus: &'static [&'static str]) -> PlanTier {
    PlanTier { family: Family::Environment, ..dedicated(skus, 20) }
}

const fn serverless(skus: &'static [&'static str], family: Family, slots: usize, private_endpoints: bool) -> PlanTier {
    PlanTier { skus, family, runs: Runs::Functions, slots, private_endpoints, always_on: false }
}

/// Those of Linux plans. `D1`, the shared plan, is not among them: it runs Windows only.
const TIERS: &[PlanTier] = &[
    PlanTier { runs: Runs::WebApps, private_endpoints: false, always_on: false, ..dedicated(&["F1"], 0) },
    dedicated(&["B1", "B2", "B3"], 0),
    dedicated(&["S1", "S2", "S3"], 5),
    dedicated(&["P1", "P2", "P3"], 20),
    dedicated(&["P1v2", "P2v2", "P3v2"], 20),
    dedicated(&["P0v3", "P1v3", "P2v3", "P3v3"], 20),
    dedicated(&["P1mv3", "P2mv3", "P3mv3", "P4mv3", "P5mv3"], 20),
    dedicated(&["P0v4", "P1v4", "P2v4", "P3v4"], 20),
    dedicated(&["P1mv4", "P2mv4", "P3mv4", "P4mv4", "P5mv4"], 20),
    environment(&["I1", "I2", "I3"]),
    environment(&["I1v2", "I2v2", "I3v2", "I4v2", "I5v2", "I6v2"]),
    environment(&["I1mv2", "I2mv2", "I3mv2", "I4mv2", "I5mv2"]),
    serverless(&["EP1", "EP2", "EP3"], Family::ElasticPremium, 2, true),
    PlanTier { runs: Runs::Workflows, ..serverless(&["WS1", "WS2", "WS3"], Family::Workflows, 0, true) },
    serverless(&["Y1"], Family::Consumption, 1, false),
    serverless(&["FC1"], Family::FlexConsumption, 0, true),
];

impl PlanSku {
    /// The names of all of them, as Azure spells them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TIERS.iter().flat_map(|tier| tier.skus.iter().copied())
    }

    /// The sku of a name in any letter case.
    #[must_use]
    pub fn find(name: &str) -> Option<PlanSku> {
        let name = name.trim();
        TIERS.iter().find_map(|tier| {
            let known = tier.skus.iter().find(|known| known.eq_ignore_ascii_case(name))?;
            Some(PlanSku { name: known, tier })
        })
    }

    /// The end of a sentence about a name that is not a sku of Linux plans: the nearest one, and what there is.
    #[must_use]
    pub fn not_valid(name: &str) -> String {
        let near = nearest(name.trim(), PlanSku::names());
        let hint = near.map_or("; use ".to_owned(), |near| format!(", did you mean '{near}'? Use "));
        let ranges: Vec<String> = TIERS
            .iter()
            .map(|tier| match tier.skus {
                [first, .., last] => format!("{first} to {last}"),
                single => single.concat(),
            })
            .collect();
        format!("'{name}' is not valid{hint}{}", crate::protocol::alternatives(&ranges))
    }

    /// Whether its plans are Flex Consumption plans, whose apps have a configuration of their own.
    #[must_use]
    pub fn is_flex(self) -> bool {
        self.tier.family == Family::FlexConsumption
    }

    /// Whether its plans can be made in an App Service Environment only.
    #[must_use]
    pub fn needs_environment(self) -> bool {
        self.tier.family == Family::Environment
    }

    /// Whether an existing plan can change from this sku to another one.
    #[must_use]
    pub fn can_become(self, other: PlanSku) -> bool {
        self.tier.family == other.tier.family
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sku(name: &str) -> PlanSku {
        PlanSku::find(name).unwrap()
    }

    #[test]
    fn skus_are_found_in_any_letter_case_and_told_in_ranges() {
        assert_eq!(sku(" p1V3 ").name, "P1v3");
        assert_eq!(PlanSku::find("D1"), None);
        let message = PlanSku::not_valid("S4");
        assert!(
            message.starts_with("'S4' is not valid, did you mean 'S1'? Use F1, B1 to B3, S1 to S3, P1 to P3,"),
            "{message}"
        );
        assert!(message.ends_with(", EP1 to EP3, WS1 to WS3, Y1 or FC1"), "{message}");
        assert!(PlanSku::not_valid("Standard").starts_with("'Standard' is not valid; use F1"));
    }

    #[test]
    fn plans_change_their_size_but_not_their_kind() {
        for (before, after) in [("B1", "P1v3"), ("P5mv4", "F1"), ("EP1", "EP3"), ("I1v2", "I2mv2")] {
            assert!(sku(before).can_become(sku(after)), "{before} {after}");
        }
        for (before, after) in [("B1", "EP1"), ("Y1", "FC1"), ("FC1", "B1"), ("S1", "I1v2"), ("EP1", "Y1")] {
            assert!(!sku(before).can_become(sku(after)), "{before} {after}");
        }
    }
}
