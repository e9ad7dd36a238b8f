//! Microsoft.Web/sites/config and the same of slots: settings of an app.
//!
//! `siteConfig` of a site is another spelling of its `config/web`, and `siteConfig.appSettings` of its `config/appsettings`: a
//! PUT of the site changes what it names there and leaves the rest. Settings and connection strings are secrets: they are
//! read by POST `list` only.

use super::app_service_plans::{self, is_dedicated};
use super::collections::DefaultChild;
use super::flex_consumption;
use super::shape;
use super::sites::{self, is_function_app, plan_of};
use super::web::invalid_value;
use super::{
    ActionEntry, Answer, Call, Companion, Refusal, ResourceId, State, Write, known_value, properties_mut, property,
};
use crate::lookup::look_up;
use crate::members;
use crate::state::Body;
use serde_json::{Value, json};

/// The names there are.
const NAMES: &[&str] = &[
    WEB,
    APP_SETTINGS,
    CONNECTION_STRINGS,
    "slotConfigNames",
    "logs",
    "metadata",
    "authsettings",
    "authsettingsV2",
    "azurestorageaccounts",
    "backup",
    "pushsettings",
    PUBLISHING_CREDENTIALS,
];
pub(super) const PUBLISHING_CREDENTIALS: &str = "publishingcredentials";
const WEB: &str = "web";
const APP_SETTINGS: &str = "appsettings";
const CONNECTION_STRINGS: &str = "connectionstrings";
/// The members that are read by POST `list` only.
const SECRET: &[&str] = &[
    APP_SETTINGS,
    CONNECTION_STRINGS,
    "metadata",
    "authsettings",
    "azurestorageaccounts",
    "backup",
    "pushsettings",
    PUBLISHING_CREDENTIALS,
];

/// The settings that every app has, as they are before they are written. Source: azure-rest-api-specs 2024-11-01,
/// `GetAuthSettingsV2` and `GetDiagnosticLogsConfiguration`, without the values of their examples.
pub(super) const ALWAYS_THERE: &[DefaultChild] = &[
    ("logs", || {
        json!({
            "applicationLogs": {"fileSystem": {"level": "Off"}},
            "httpLogs": {"fileSystem": {"enabled": false, "retentionInMb": 35, "retentionInDays": 0}, "azureBlobStorage": {"enabled": false}},
            "failedRequestsTracing": {"enabled": false},
            "detailedErrorMessages": {"enabled": false},
        })
    }),
    ("authsettingsV2", || {
        json!({
            "platform": {"enabled": false},
            "globalValidation": {"requireAuthentication": false, "unauthenticatedClientAction": "AllowAnonymous"},
            "login": {"tokenStore": {"enabled": false}},
            "httpSettings": {"requireHttps": true, "routes": {"apiPrefix": "/.auth"}},
        })
    }),
];

/// Whether settings are in a listing.
pub(super) fn is_shown(name: &str) -> bool {
    known_value(SECRET, name).is_none()
}

pub(super) const ACTIONS: &[ActionEntry] = &[("list", list_secret)];

/// The stacks of Linux apps and of Linux function apps.
const STACKS: &[&str] = &[
    "NODE",
    "DOTNETCORE",
    "PYTHON",
    "PHP",
    "JAVA",
    "TOMCAT",
    "JBOSSEAP",
    "RUBY",
    "GO",
    "STATICSITE",
    "DOCKER",
    "COMPOSE",
    "SITECONTAINERS",
];
const FUNCTION_STACKS: &[&str] =
    &["NODE", "DOTNET", "DOTNET-ISOLATED", "PYTHON", "JAVA", "POWERSHELL", "CUSTOM", "DOCKER", "GO"];
/// The stacks that need no version.
const WITHOUT_VERSION: &[&str] = &["CUSTOM", "SITECONTAINERS"];

/// The part of the configuration that a GET of the site shows; everything else in it is null.
const SUMMARY: &[&str] = &[
    "numberOfWorkers",
    "linuxFxVersion",
    "acrUseManagedIdentityCreds",
    "alwaysOn",
    "http20Enabled",
    "functionAppScaleLimit",
    "minimumElasticInstanceCount",
];

/// The configuration of an app when nothing is said.
fn defaults(site: &ResourceId) -> Body {
    let mut all = members::of("siteConfig").cloned().unwrap_or_default();
    all.insert("publishingUsername".to_owned(), format!("${}", site.top().name()).into());
    all
}

pub(super) fn check_name(id: &ResourceId) -> Result<(), Refusal> {
    match known_value(NAMES, id.name()) {
        Some(_) => Ok(()),
        None => Err(Refusal::not_found("NotFound", format!("A site has no configuration '{}'.", id.name()))),
    }
}

/// False for what is read by POST `list` only.
pub(super) fn is_readable(id: &ResourceId) -> bool {
    is_shown(id.name())
}

pub(super) fn check(write: &Write<'_>) -> Result<(), Refusal> {
    let site_id = write.id.parent();
    let site = look_up(write.state, &site_id)?;
    let properties = match write.body.get("properties") {
        None | Some(Value::Null) => &Body::new(),
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err(invalid_value("properties")),
    };
    let plan = plan_of(write.state, &site_id, &site);
    match known_value(NAMES, write.id.name()) {
        Some(WEB) => check_config(properties, &site, plan.as_deref().unwrap_or(&Body::new())),
        Some(APP_SETTINGS) => {
            let settings = properties.iter().map(|(name, value)| (name.as_str(), value));
            check_settings(settings, plan.as_deref().unwrap_or(&Body::new()))
        }
        _ => Ok(()),
    }
}

/// Refuses a configuration that an app on a plan cannot have. Null stands for what is left as it is.
pub(super) fn check_config(config: &Body, site: &Body, plan: &Body) -> Result<(), Refusal> {
    shape::check(config, "siteConfig", "siteConfig")?;
    let linux = app_service_plans::is_linux(plan);
    check_stack(config, site, linux)?;
    if config.get("alwaysOn") == Some(&json!(true))
        && let Some(tier) = app_service_plans::tier_of(plan)
        && !is_dedicated(tier)
    {
        return Err(Refusal::conflict(
            "Conflict",
            "There was a conflict. AlwaysOn cannot be set for this site as the plan does not allow it. For more information on \
             pricing and features, please see: https://aka.ms/appservicepricingdetails",
        ));
    }
    match config.get("appSettings") {
        None | Some(Value::Null) => Ok(()),
        Some(Value::Array(list)) => {
            let pairs: Vec<(&str, &Value)> = list
                .iter()
                .map(|item| Some((item.get("name")?.as_str()?, item.get("value").unwrap_or(&Value::Null))))
                .collect::<Option<_>>()
                .ok_or_else(|| invalid_value("appSettings"))?;
            let repeated = pairs
                .iter()
                .enumerate()
                .find(|(place, (name, _))| pairs[..*place].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
            if let Some((_, (name, _))) = repeated {
                return Err(Refusal::bad_request("BadRequest", format!("The app setting '{name}' is duplicated.")));
            }
            check_settings(pairs.into_iter(), plan)
        }
        Some(_) => Err(invalid_value("appSettings")),
    }
}

/// `STACK|version`, on a plan of Linux only.
fn check_stack(config: &Body, site: &Body, linux: bool) -> Result<(), Refusal> {
    let Some(given) = config.get("linuxFxVersion").filter(|value| !value.is_null() && *value != "") else {
        return Ok(());
    };
    let known = if is_function_app(site) { FUNCTION_STACKS } else { STACKS };
    let legal = given.as_str().is_some_and(|given| {
        let (stack, version) = given.split_once('|').unwrap_or((given, ""));
        known_value(known, stack)
            .is_some_and(|stack| WITHOUT_VERSION.contains(&stack) || !version.is_empty() && version.trim() == version)
    });
    if legal && linux { Ok(()) } else { Err(invalid_value("LinuxFxVersion")) }
}

/// Names are not blank, and what becomes an environment variable of Linux has the letters of one.
fn check_settings<'a>(settings: impl Iterator<Item = (&'a str, &'a Value)>, plan: &Body) -> Result<(), Refusal> {
    let linux = app_service_plans::is_linux(plan);
    let is_flex = app_service_plans::tier_of(plan).is_some_and(app_service_plans::is_flex);
    for (name, value) in settings {
        if is_flex {
            flex_consumption::check_setting(name)?;
        }
        let letter = |letter: char| letter.is_ascii_alphanumeric() || "_.:".contains(letter);
        if name.is_empty() || linux && !name.chars().all(letter) {
            return Err(Refusal::bad_request(
                "BadRequest",
                format!("AppSetting with name(s) '{name}' is not allowed."),
            ));
        }
        if !value.is_string() && !value.is_null() {
            return Err(invalid_value(&format!("appSettings['{name}']")));
        }
    }
    Ok(())
}

pub(super) fn complete(write: &Write<'_>, body: &mut Body) {
    if let Some(name) = known_value(NAMES, write.id.name()) {
        body.insert("name".to_owned(), name.into());
        if name == WEB {
            let wanted = body.get("properties").and_then(Value::as_object);
            let properties = merged(write.state, &write.id.parent(), wanted);
            body.insert("properties".to_owned(), properties.into());
        }
    }
    properties_mut(body);
}

/// The configuration of an app with what is wanted put over it. Null changes nothing.
fn merged(state: &State, site: &ResourceId, wanted: Option<&Body>) -> Body {
    let before = state.get_any(&config_id(site, WEB).key()).and_then(|config| config.body.get("properties").cloned());
    let mut all = before.and_then(|before| before.as_object().cloned()).unwrap_or_else(|| defaults(site));
    let secret = ["appSettings", "connectionStrings", "metadata"];
    for (name, value) in wanted.into_iter().flatten().filter(|(name, _)| !secret.contains(&name.as_str())) {
        if !value.is_null() {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

fn config_id(site: &ResourceId, name: &str) -> ResourceId {
    site.with(None, "config", name)
}

fn config_body(site: &ResourceId, name: &str, properties: Value) -> Body {
    let id = config_id(site, name);
    Body::from_iter([
        ("id".to_owned(), id.text().into()),
        ("name".to_owned(), name.into()),
        ("type".to_owned(), id.type_name().into()),
        ("properties".to_owned(), properties),
    ])
}

/// The effect of a write of a site or slot on its configuration.
pub(super) fn companions(write: &Write<'_>, _: &mut Body) -> Vec<Companion> {
    let wanted = property(write.body, "siteConfig").and_then(Value::as_object);
    let mut companions = vec![Companion::Put(config_body(write.id, WEB, merged(write.state, write.id, wanted).into()))];
    companions.extend(secrets(write.state, write.id, wanted));
    if write.state.get_any(&config_id(write.id, "slotConfigNames").key()).is_none() && !is_slot(write.id) {
        let none = json!({"appSettingNames": null, "connectionStringNames": null, "azureStorageConfigNames": null});
        companions.push(Companion::Put(config_body(write.id, "slotConfigNames", none)));
    }
    companions
}

fn is_slot(id: &ResourceId) -> bool {
    id.is_child()
}

/// A PUT of `config/web` may carry settings as well.
pub(super) fn companions_of_web(write: &Write<'_>, _: &mut Body) -> Vec<Companion> {
    if !write.id.name().eq_ignore_ascii_case(WEB) {
        return Vec::new();
    }
    secrets(write.state, &write.id.parent(), write.body.get("properties").and_then(Value::as_object))
}

/// Settings and connection strings, where a configuration has them or the app has none yet.
fn secrets(state: &State, site: &ResourceId, config: Option<&Body>) -> Vec<Companion> {
    let of = |name: &str, member: &str, value: fn(&Value) -> Value| {
        let list = config.and_then(|config| config.get(member)).and_then(Value::as_array);
        let there = state.get_any(&config_id(site, name).key()).is_some();
        let pairs = list.into_iter().flatten().filter_map(|item| {
            let name = item.get("name")?.as_str()?;
            Some((name.to_owned(), value(item)))
        });
        (list.is_some() || !there)
            .then(|| Companion::Put(config_body(site, name, Value::Object(Body::from_iter(pairs)))))
    };
    let setting = |item: &Value| item.get("value").cloned().unwrap_or_default();
    let connection = |item: &Value| json!({"value": item.get("connectionString"), "type": item.get("type")});
    [of(APP_SETTINGS, "appSettings", setting), of(CONNECTION_STRINGS, "connectionStrings", connection)]
        .into_iter()
        .flatten()
        .collect()
}

/// `siteConfig` as a GET of the site has it.
pub(super) fn summary(state: &State, site: &ResourceId) -> Value {
    let config = look_up(state, &config_id(site, WEB)).ok();
    let mut summary = defaults(site);
    for name in ["appSettings", "connectionStrings", "metadata", "machineKey"] {
        summary.insert(name.to_owned(), Value::Null);
    }
    for (name, value) in &mut summary {
        let shown =
            config.as_deref().and_then(|config| property(config, name)).filter(|_| SUMMARY.contains(&name.as_str()));
        *value = shown.cloned().unwrap_or_default();
    }
    summary.into()
}

/// `POST {site}/config/appsettings/list`.
fn list_secret(call: &Call<'_>) -> Result<Answer, Refusal> {
    if is_readable(call.id) {
        let message = format!("'{}' is read by GET and has no list.", call.id.name());
        return Err(Refusal::not_found("NotFound", message));
    }
    if call.id.name().eq_ignore_ascii_case(PUBLISHING_CREDENTIALS) {
        let app = call.id.parent();
        let host = look_up(call.state, &app)?.get("properties").and_then(|app| app.get("defaultHostName")).cloned();
        let host = sites::deployment_host_name(host.as_ref().and_then(Value::as_str).unwrap_or_default());
        let (user, password) = (format!("${}", app.names().join("__")), super::made_up_key(&app.key()));
        let uri = format!("https://{user}:{password}@{host}");
        let properties = json!({
            "name": null, "publishingUserName": user, "publishingPassword": password, "publishingPasswordHash": null,
            "publishingPasswordHashSalt": null, "scmUri": uri,
        });
        return Ok(Answer::json(200, config_body(&app, PUBLISHING_CREDENTIALS, properties).into()));
    }
    Ok(Answer::json(200, look_up(call.state, call.id)?.into_owned().into()))
}
