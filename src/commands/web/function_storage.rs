//! The access of a function app to the storage account of its host: by its identity where that can be, else by a key.

use md5::{Digest, Md5};
use serde_json::{Value, json};

use super::app_settings::{self, AppSettings};
use super::plan::Plan;
use super::settings::FunctionApp;
use super::solutions::Solution;
use crate::azure::types::{FUNCTION_APP, ROLE_ASSIGNMENT, STORAGE_ACCOUNT};
use crate::azure::{
    ResourceId, Role, STORAGE_BLOB_DATA_OWNER, STORAGE_QUEUE_DATA_CONTRIBUTOR, STORAGE_TABLE_DATA_CONTRIBUTOR,
};
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::found::Found;
use crate::commands::shared::service::Named;
use crate::commands::shared::wanted::Wanted;
use crate::desired::{Desired, Reference, Source};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The setting that names the account.
const DEPENDENCY: &str = "service.dependencies.storage";
/// The same at the root of the document.
const ROOT_DEPENDENCY: &str = "/service.dependencies.storage";

/// The app setting with a connection string; those of the identity begin with it.
const CONNECTION: &str = "AzureWebJobsStorage";
const CONNECTION_PATH: &str = "properties.AzureWebJobsStorage";
const ACCOUNT_NAME: &str = "AzureWebJobsStorage__accountName";
const ACCOUNT_NAME_PATH: &str = "properties.AzureWebJobsStorage__accountName";
const CREDENTIAL: &str = "AzureWebJobsStorage__credential";
/// The beginning of a reference to a value that a key vault has (App Service documentation, "Use Key Vault references").
const KEY_VAULT_REFERENCE: &str = "@Microsoft.KeyVault(";
const SERVICES: &[(&str, &str)] = &[
    ("AzureWebJobsStorage__blobServiceUri", "blob"),
    ("AzureWebJobsStorage__queueServiceUri", "queue"),
    ("AzureWebJobsStorage__tableServiceUri", "table"),
];
/// Settings of an identity that somebody chose for the connection.
const CHOSEN_IDENTITY: &[&str] = &["AzureWebJobsStorage__clientId", "AzureWebJobsStorage__managedIdentityResourceId"];

/// The domain of storage accounts in the public cloud, the only one for which an account's name is enough.
const PUBLIC_DOMAIN: &str = "core.windows.net";

/// The permission that assigning a role takes.
const ASSIGN: &str = "Microsoft.Authorization/roleAssignments/write";

/// The roles that the host of function apps needs (Functions documentation, "Connecting to host storage with an identity").
const ROLES: [Role; 3] = [STORAGE_BLOB_DATA_OWNER, STORAGE_QUEUE_DATA_CONTRIBUTOR, STORAGE_TABLE_DATA_CONTRIBUTOR];

/// The things that the way of access takes beside app settings.
pub(super) struct Storage {
    /// The app needs an identity of its own.
    pub(super) needs_identity: bool,
    /// The roles of that identity.
    pub(super) role_assignments: Vec<Desired>,
    /// The setting that names the account.
    pub(super) origin: &'static str,
    /// The account; none where none is named.
    pub(super) host: Option<Host>,
}

/// The account of a function app.
pub(super) struct Host {
    pub(super) account: ResourceId,
    /// The address of its containers, without a slash at the end.
    pub(super) blob_address: String,
    /// The app setting with the connection string, where the account is accessed with a key.
    pub(super) key_setting: Option<&'static str>,
}

/// The ways in which an existing app gets at its account.
enum Access {
    /// There is no app, or it has no account, or nobody can be asked.
    None,
    /// By a connection string.
    Key,
    /// By a connection string that a key vault has.
    KeyVault,
    /// By the identity of the app itself; whether to this account, and whether by the addresses of its services.
    Identity { right: bool, by_address: bool },
    /// By another identity.
    OtherIdentity { right: bool, by_address: bool },
}

/// A function app whose host needs a storage account.
pub(super) struct Hosted<'a> {
    pub(super) function: &'a FunctionApp,
    pub(super) app: &'a ResourceId,
    pub(super) place: &'a Place,
    pub(super) plan: &'a Plan,
    pub(super) solution: &'a Solution<'a>,
}

impl Hosted<'_> {
    /// Adds the app settings of the storage account, and says what else is needed. What works already stays as it is.
    pub(super) fn compile(&self, settings: &mut AppSettings, compilation: &mut Compilation<'_>) -> Storage {
        let &Hosted { app, place, plan, .. } = self;
        let (origin, service) = self.named_account();
        let mut storage = Storage { needs_identity: false, role_assignments: Vec::new(), origin, host: None };
        let Some(service) = service else {
            compilation.finding(
                place.dotted(DEPENDENCY),
                FindingCode::Missing,
                "a storage account is required, here or at the root",
            );
            return storage;
        };
        let near = Some(plan.location.as_str());
        let wanted = compilation.find(Wanted::Type(STORAGE_ACCOUNT.name)).published_as(&service.name, &service.place);
        let account = with_address(wanted.near(near).whole().with_right(ASSIGN).one(), compilation);
        let (app_settings, resource_type) = app_settings::of(app);
        let access = access(compilation.before(resource_type, &app_settings), &account);
        settings.origins.extend([(CONNECTION_PATH, origin), (ACCOUNT_NAME_PATH, origin)]);
        storage.host = Some(Host {
            account: account.id.clone(),
            blob_address: format!("https://{}.blob.{}", account.id.name(), domain(&account)),
            key_setting: access.is_by_key_alone(&account).then_some(CONNECTION),
        });
        if account.allowed && matches!(access, Access::None | Access::Identity { .. }) {
            storage.needs_identity = true;
            storage.role_assignments = role_assignments(app, &account.id, place, origin, compilation);
        }
        match access {
            Access::KeyVault | Access::Identity { right: true, .. } | Access::OtherIdentity { right: true, .. } => {}
            Access::Identity { by_address, .. } | Access::OtherIdentity { by_address, .. } => {
                by_identity(&account, by_address, settings);
            }
            Access::None if account.allowed => {
                by_identity(&account, domain(&account) != PUBLIC_DOMAIN, settings);
                settings.set(CREDENTIAL, "managedidentity");
            }
            Access::None | Access::Key => {
                let is_new = matches!(access, Access::None);
                if takes_keys(&account, is_new, &service.place, compilation) {
                    by_key(&account, settings);
                }
            }
        }
        storage
    }

    /// The publish name of the account of an app, with the setting that it comes from.
    fn named_account(&self) -> (&'static str, Option<Published>) {
        let Hosted { function, solution, .. } = self;
        let own = function.service.dependencies().and_then(|dependencies| dependencies.storage.as_ref());
        let all =
            solution.settings.service.dependencies.as_ref().and_then(|dependencies| dependencies.storage.as_ref());
        let origin = if own.is_some() { DEPENDENCY } else { ROOT_DEPENDENCY };
        (origin, Published::first(DEPENDENCY, (own, self.place), (all, solution.root)))
    }
}

/// The name of the account that an existing app gets at, by its settings, or by its configuration on a Flex Consumption plan; none where
/// they do not say.
pub(super) fn account_of(app: &Value, settings: Option<&Value>) -> Option<String> {
    let setting = |name: &str| app_settings::value(settings, name);
    let host = |address: &str| Some(address.strip_prefix("https://")?.split('.').next()?.to_owned());
    let key = |text: &str| {
        let mut parts = text.split(';').filter_map(|part| part.split_once('='));
        parts.find(|(key, _)| key.eq_ignore_ascii_case("AccountName")).map(|(_, name)| name.to_owned())
    };
    let flex = || app.pointer("/properties/functionAppConfig/deployment/storage/value")?.as_str();
    setting(ACCOUNT_NAME)
        .map(str::to_owned)
        .or_else(|| SERVICES.iter().find_map(|(name, _)| host(setting(name)?)))
        .or_else(|| setting(CONNECTION).and_then(key))
        .or_else(|| flex().and_then(host))
}

impl Access {
    /// Whether the app gets at its account by nothing but a connection string: that of today, or a new one.
    fn is_by_key_alone(&self, account: &Found) -> bool {
        match self {
            Access::Key | Access::KeyVault => true,
            Access::None => !account.allowed,
            Access::Identity { .. } | Access::OtherIdentity { .. } => false,
        }
    }
}

/// Whether an account that has to be accessed with a key allows keys; if not, it is a finding. A new app that needs one is told.
fn takes_keys(account: &Found, is_new: bool, place: &Place, compilation: &mut Compilation<'_>) -> bool {
    let keys = account.details.as_ref().and_then(|details| details.pointer("/properties/allowSharedKeyAccess"));
    if keys.and_then(Value::as_bool) != Some(false) {
        if is_new {
            let message = format!(
                "the function app accesses the storage account '{}' with a key, because you may not assign roles on it ({ASSIGN})",
                account.id.name()
            );
            compilation.warning(place, message);
        }
        return true;
    }
    let why = if is_new {
        format!("and you may not assign roles on it ({ASSIGN}); one of the two is required")
    } else {
        format!(
            "but the function app has a connection string; delete its app setting {CONNECTION} so that it accesses the account with its identity"
        )
    };
    let message = format!("the storage account {} does not allow keys (allowSharedKeyAccess), {why}", account.id);
    compilation.finding(place.clone(), FindingCode::DependencyNotUsable, message);
    false
}

fn access(before: Option<&Value>, account: &Found) -> Access {
    let text = |name: &str| app_settings::value(before, name);
    match text(CONNECTION) {
        Some(value) if value.starts_with(KEY_VAULT_REFERENCE) => return Access::KeyVault,
        Some(_) => return Access::Key,
        None => {}
    }
    let name = account.id.name();
    let (by_name, by_address) = (text(ACCOUNT_NAME), SERVICES.first().and_then(|(setting, _)| text(setting)));
    if by_name.is_none() && by_address.is_none() {
        return Access::None;
    }
    let right = by_name.is_none_or(|known| known.eq_ignore_ascii_case(name))
        && by_address.is_none_or(|known| known.to_lowercase().starts_with(&format!("https://{name}.")));
    let by_address = by_address.is_some();
    if CHOSEN_IDENTITY.iter().any(|setting| text(setting).is_some()) {
        Access::OtherIdentity { right, by_address }
    } else {
        Access::Identity { right, by_address }
    }
}

/// The settings that name the account. Its name alone is enough in the public cloud only.
fn by_identity(account: &Found, by_address: bool, settings: &mut AppSettings) {
    let (name, domain) = (account.id.name(), domain(account));
    if !by_address {
        return settings.set(ACCOUNT_NAME, name);
    }
    for (setting, service) in SERVICES {
        settings.set(setting, &format!("https://{name}.{service}.{domain}"));
    }
}

/// A connection string; one that names the account already is right, whichever of its keys is in it.
fn by_key(account: &Found, settings: &mut AppSettings) {
    let name = account.id.name();
    settings.references.push(Reference {
        path: CONNECTION_PATH,
        of: account.id.clone(),
        resource_type: &STORAGE_ACCOUNT,
        source: Source::Action { name: "listKeys", pointer: "/keys/0/value", right: format!("AccountName={name};") },
        text: format!(
            "DefaultEndpointsProtocol=https;AccountName={name};AccountKey={{}};EndpointSuffix={}",
            domain(account)
        ),
    });
}

/// The account with its address, also where another document of the run makes it: each cloud gives all of its accounts alike.
fn with_address(mut account: Found, compilation: &Compilation<'_>) -> Found {
    if let (true, Some(domain), Some(details)) = (account.is_new, compilation.storage_domain(), &mut account.details) {
        details["properties"]["primaryEndpoints"]["blob"] =
            json!(format!("https://{}.blob.{domain}/", account.id.name()));
    }
    account
}

/// The ending of the addresses of the account's services; each cloud has its own.
fn domain(account: &Found) -> String {
    let address = account.details.as_ref().and_then(|details| details.pointer("/properties/primaryEndpoints/blob"));
    let domain = address.and_then(Value::as_str).and_then(|address| address.split_once(".blob."));
    domain.map_or(PUBLIC_DOMAIN, |(_, domain)| domain.trim_end_matches('/')).to_owned()
}

/// The assignments of the roles to the identity of the app. Their names are always the same, so that they are found again.
fn role_assignments(
    app: &ResourceId,
    account: &ResourceId,
    place: &Place,
    origin: &'static str,
    compilation: &Compilation<'_>,
) -> Vec<Desired> {
    let definitions = format!("{}/providers/Microsoft.Authorization/roleDefinitions", compilation.subscription());
    let assignment = |role: &Role| {
        let role = role.id;
        let seed = format!("{account}|{app}|{role}").to_lowercase();
        let name = uuid::Builder::from_md5_bytes(Md5::digest(seed).into()).into_uuid();
        let body = json!({ "properties": {
            "roleDefinitionId": format!("{definitions}/{role}"),
            // Azure does not know a new identity everywhere at once; with its type it takes the assignment all the same.
            "principalType": "ServicePrincipal",
        } });
        let principal = Reference {
            path: "properties.principalId",
            of: app.clone(),
            resource_type: &FUNCTION_APP,
            source: Source::Property("identity.principalId"),
            text: "{}".to_owned(),
        };
        Desired {
            references: vec![principal],
            origins: vec![("properties.roleDefinitionId", origin)],
            ..Desired::new(ROLE_ASSIGNMENT.child_of(account, &name.to_string()), &ROLE_ASSIGNMENT, body, place.clone())
        }
    };
    ROLES.iter().map(assignment).collect()
}
