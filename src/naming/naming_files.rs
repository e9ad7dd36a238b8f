//! The shapes of the naming files of a project: `_names/generators.yml`, `resources.yml`, `locations.yml` and `tokens.yml`.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::convention::Source;
use crate::settings::schema_of;

// Members that are in every such file and mean nothing are accepted as `Value`.

/// The file on how names are put together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GeneratorsFile {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["generators"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    pub(super) component: Option<String>,
    /// The generators. One with the name of a built-in one replaces it; these are standard, resourcegroup, app and storage.
    pub(super) formats: Vec<GeneratorEntry>,
}

/// A generator: what names are made of, and in which order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "case, minLength and salt are in every file and have no effect")]
pub(super) struct GeneratorEntry {
    /// Name of the generator, as resources.yml uses it.
    #[schemars(extend("examples" = ["standard"]))]
    pub(super) name: String,
    /// Text between the parts, such as a hyphen.
    #[schemars(extend("examples" = ["-"]))]
    pub(super) separator: Option<String>,
    /// The parts of the names, in this order.
    pub(super) components: Vec<ComponentEntry>,
    /// Texts that are removed from the names.
    #[schemars(extend("x-empty-items" = "unless blank"))]
    #[schemars(extend("examples" = [["_"]]))]
    pub(super) remove_characters: Option<Vec<String>>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) case: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) min_length: Option<Value>,
    /// Accepted, but ignored: set maxLength in resources.yml.
    #[schemars(extend("deprecated" = true))]
    pub(super) max_length: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) salt: Option<Value>,
}

/// A part of names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "case, minLength and salt are in every file and have no effect")]
pub(super) struct ComponentEntry {
    /// Source of the part: the kind of resource, the name in the settings, the environment, the location and the like.
    pub(super) source: Source,
    /// The largest number of characters of the part; for a hash, the number of its digits. Default: no limit, and 8 digits of a hash.
    #[schemars(range(min = 1, max = 260))]
    pub(super) max_length: Option<usize>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) case: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) min_length: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) salt: Option<Value>,
}

/// The file on the names of each kind of resource.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ResourcesFile {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["resources"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    pub(super) component: Option<String>,
    /// Defaults for entries without their own values, and for kinds without an entry.
    pub(super) defaults: Option<DefaultsEntry>,
    /// The kinds of resources.
    pub(super) resources: Option<Vec<ResourceEntry>>,
}

/// Defaults for entries without their own values.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DefaultsEntry {
    /// The generator of the names.
    #[schemars(extend("examples" = ["standard"]))]
    pub(super) generator: Option<String>,
    /// The word that stands for the kind in names.
    #[schemars(extend("examples" = ["res"]))]
    pub(super) shortname: Option<String>,
}

/// A kind of resource.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "case, minLength and salt are in every file and have no effect")]
pub(super) struct ResourceEntry {
    /// The kind of resource. Kinds that no command deploys are accepted.
    #[schemars(extend("x-offered" = "kinds"))]
    #[schemars(extend("examples" = ["StorageAccount"]))]
    pub(super) name: String,
    /// The word that stands for the kind in names.
    #[schemars(extend("examples" = ["st"]))]
    pub(super) shortname: Option<String>,
    /// The largest number of characters of a name. Default: that of the built-in convention.
    #[schemars(range(min = 1, max = 260))]
    pub(super) max_length: Option<usize>,
    /// The generator of the names, built-in or of the file generators.yml.
    #[schemars(extend("examples" = ["storage"]))]
    pub(super) generator: Option<String>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) case: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) min_length: Option<Value>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    pub(super) salt: Option<Value>,
}

/// The codes of locations.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LocationsFile {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["locations"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    pub(super) component: Option<String>,
    /// Locations of Azure, and of your own.
    // As the files were called before June 2021.
    #[schemars(extend("x-aliases" = ["regions"]))]
    pub(super) locations: Vec<LocationEntry>,
}

/// A location and its code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LocationEntry {
    /// The location, as in the settings.
    #[schemars(extend("x-offered" = "locations"))]
    #[schemars(extend("examples" = ["UK South"]))]
    pub(super) name: String,
    /// Its code in names.
    #[schemars(extend("examples" = ["uks"]))]
    pub(super) shortname: String,
    /// Other names of the location.
    #[schemars(extend("examples" = [["London"]]))]
    pub(super) alias: Option<Vec<String>>,
}

/// Words that stand for things in names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct TokensFile {
    /// Optional label; ignored.
    #[schemars(extend("examples" = ["tokens"]))]
    #[expect(dead_code, reason = "the file may say what it is for")]
    pub(super) component: Option<String>,
    /// The words. They replace those at the top of the file.
    pub(super) tokens: Option<TokensEntry>,
    /// Accepted, but ignored.
    #[schemars(extend("deprecated" = true))]
    #[expect(dead_code, reason = "the salt is in every file and has no effect")]
    pub(super) salt: Option<Value>,
    /// The word for the organisation.
    // The replaced module's own file has the tokens at its top.
    #[schemars(extend("examples" = ["contoso"]))]
    pub(super) organisation: Option<String>,
    /// The word for the project.
    #[schemars(extend("examples" = ["shop"]))]
    pub(super) project: Option<String>,
    /// The words for the architectures. Their keys are core, iaas, paas and monitor.
    pub(super) architecture: Option<BTreeMap<String, String>>,
    /// The words for the environments, by their keys. Another key adds an environment.
    pub(super) environments: Option<BTreeMap<String, String>>,
}

/// Words that stand for things in names.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct TokensEntry {
    /// The word for the organisation.
    #[schemars(extend("examples" = ["contoso"]))]
    pub(super) organisation: Option<String>,
    /// The word for the project.
    #[schemars(extend("examples" = ["shop"]))]
    pub(super) project: Option<String>,
    /// The words for the architectures. Their keys are core, iaas, paas and monitor.
    pub(super) architecture: Option<BTreeMap<String, String>>,
    /// The words for the environments, by their keys. Another key adds an environment.
    pub(super) environments: Option<BTreeMap<String, String>>,
}

/// The JSON Schema of `_names/generators.yml`.
pub const GENERATORS_SCHEMA: fn() -> Schema = schema_of::<GeneratorsFile>;

/// The JSON Schema of `_names/resources.yml`.
pub const RESOURCES_SCHEMA: fn() -> Schema = schema_of::<ResourcesFile>;

/// The JSON Schema of `_names/locations.yml`.
pub const LOCATIONS_SCHEMA: fn() -> Schema = schema_of::<LocationsFile>;

/// The JSON Schema of `_names/tokens.yml`.
pub const TOKENS_SCHEMA: fn() -> Schema = schema_of::<TokensFile>;
