//! The settings type of the tests.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::check;
use crate::settings::Document;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
pub(super) enum Tier {
    Standard,
    /// Documented variants come as another form of schema.
    Premium,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Account {
    pub(super) account_name: String,
    pub(super) tier: Option<Tier>,
    #[schemars(range(min = 1, max = 5120))]
    pub(super) size: Option<i64>,
    #[schemars(extend("enum" = [5, 10, 15]))]
    pub(super) minutes: Option<i64>,
    pub(super) https: Option<bool>,
    pub(super) ratio: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Settings {
    #[schemars(extend("x-aliases" = ["location"]))]
    pub(super) region: Option<String>,
    pub(super) accounts: Vec<Account>,
    pub(super) inner: Option<Account>,
    pub(super) tags: Option<BTreeMap<String, String>>,
    pub(super) queue: Option<Vec<String>>,
    pub(super) modes: Option<Vec<Mode>>,
    #[schemars(extend("x-empty-items" = "refused"))]
    pub(super) targets: Option<Vec<String>>,
    #[schemars(length(min = 1))]
    pub(super) patterns: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
pub(super) enum Mode {
    None,
    Some,
}

pub(super) fn read(text: &str) -> Result<Settings, Vec<String>> {
    let document = Document::parse(Some("s.yml".into()), text.to_owned()).unwrap();
    check::<Settings>(&document).map_err(|findings| {
        findings
            .iter()
            .map(|finding| format!("{} {}: {}", finding.place.show(), finding.place.path(), finding.message))
            .collect()
    })
}
