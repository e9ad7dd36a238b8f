//! Whether every name in a template stands for something, and whether Azure's schemas take its resources.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::process::Command;

use serde_json::{Value, json};
use svc_engine::azure::resource_type;
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use super::*;
use crate::environment::shop;
use crate::examples::requests::{check, validator_for};
use crate::support::examples::documents;

/// The expressions of a value, without their brackets.
fn expressions(value: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    texts(value, &mut found);
    let code =
        |text: &&str| text.strip_prefix('[')?.strip_suffix(']').filter(|code| !code.starts_with('[')).map(|_| ());
    let found = found.into_iter().filter(|text| code(text).is_some());
    found.map(|text| &text[1..text.len() - 1]).collect()
}

/// The first argument of every call of a function in an expression, up to its comma or bracket.
fn arguments<'a>(code: &'a str, function: &str) -> Vec<&'a str> {
    let call = format!("{function}(");
    let at = code.match_indices(&call).map(|(at, _)| &code[at + call.len()..]);
    at.map(|rest| {
        let mut depth = 0;
        let mut is_text = false;
        let end = rest.find(|sign: char| {
            is_text ^= sign == '\'';
            depth += i32::from(!is_text && sign == '(');
            let ends = !is_text && depth == 0 && (sign == ',' || sign == ')');
            depth -= i32::from(!is_text && sign == ')');
            ends
        });
        &rest[..end.unwrap_or_else(|| panic!("no end of {function} in {code}"))]
    })
    .collect()
}

/// The id that an argument says: `format('{0}/x', subscription().id)` in the subscription of the tests.
fn id(argument: &str, parameters: &BTreeMap<String, String>) -> String {
    if let Some(text) = argument.strip_prefix('\'').filter(|_| !argument.contains("format(")) {
        return text.trim_end_matches('\'').to_owned();
    }
    let (code, after) = match argument.strip_prefix("format('{0}") {
        Some(rest) => {
            let (after, code) = rest.split_once("', ").unwrap();
            (code.strip_suffix(')').unwrap(), after)
        }
        None => (argument, ""),
    };
    let subscription = || format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}");
    let name = code.strip_prefix("parameters('").and_then(|rest| rest.strip_suffix("')"));
    let base = match name {
        None if code == "subscription().id" => subscription(),
        None => panic!("no id: {argument}"),
        Some("deploymentSubscriptionId") => subscription(),
        Some(name) => parameters.get(name).unwrap_or_else(|| panic!("no default of {name}")).clone(),
    };
    format!("{base}{after}")
}

/// The ids that a template makes.
fn made(template: &Value) -> HashSet<String> {
    let subscription = format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}");
    let mut ids = HashSet::new();
    for part in parts(template) {
        let outer = &template["resources"][&part.name];
        let group = outer["resourceGroup"].as_str().map(|group| format!("{subscription}/resourceGroups/{group}"));
        for resource in resources(part.template) {
            let (kind, name) = (resource["type"].as_str().unwrap(), resource["name"].as_str().unwrap());
            if kind == "Microsoft.Resources/resourceGroups" {
                ids.insert(format!("{subscription}/resourceGroups/{name}").to_lowercase());
                continue;
            }
            let scope = match resource["scope"].as_str() {
                Some(scope) if scope.starts_with('/') => scope.to_owned(),
                Some(scope) => format!("{}/providers/{scope}", group.clone().unwrap_or_default()),
                None => group.clone().unwrap_or(subscription.clone()),
            };
            let mut kinds = kind.split('/');
            let mut id = format!("{scope}/providers/{}", kinds.next().unwrap());
            kinds.zip(name.split('/')).for_each(|(kind, name)| id.push_str(&format!("/{kind}/{name}")));
            ids.insert(id.to_lowercase());
        }
    }
    ids
}

/// Holds everything in a template that names something against what it names.
fn hold(what: &str, made_here: &Made, cloud: &LocalCloud) {
    let (report, template) = (made_here.report(), made_here.template());
    let defaults: BTreeMap<String, String> =
        report.parameters.iter().filter_map(|known| Some((known.name.clone(), known.default.clone()?))).collect();
    let ids = made(template);
    for part in parts(template) {
        let name = format!("{what}, {}", part.name);
        let resources = part.template["resources"].as_object().unwrap();
        let symbols: HashSet<String> = resources.keys().map(|symbol| symbol.to_lowercase()).collect();
        assert_eq!(symbols.len(), resources.len(), "{name}: symbols differ in more than case");
        let is_symbol = |symbol: &str| {
            let starts = symbol.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            starts && symbol.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
        };
        let declared = part.template["parameters"].as_object().unwrap();
        let mut own = part.template.clone();
        for (symbol, resource) in own["resources"].as_object_mut().unwrap() {
            assert!(is_symbol(symbol), "{name}: {symbol}");
            for before in resource["dependsOn"].as_array().into_iter().flatten() {
                let before = before.as_str().unwrap();
                assert!(resources.contains_key(before) && before != symbol, "{name}: {symbol} waits for {before}");
            }
            if let Some(nested) = resource.pointer_mut("/properties/template") {
                let declared: Vec<String> = nested["parameters"].as_object().unwrap().keys().cloned().collect();
                *nested = Value::Null;
                let given: Vec<String> =
                    resource["properties"]["parameters"].as_object().unwrap().keys().cloned().collect();
                assert_eq!(given, declared, "{name}: {symbol}");
            }
        }
        let mut used = HashSet::new();
        for code in expressions(&own) {
            for argument in arguments(code, "parameters") {
                let parameter = argument.trim_matches('\'');
                assert!(declared.contains_key(parameter), "{name}: no parameter {parameter}: {code}");
                used.insert(parameter.to_owned());
            }
            for argument in ["reference", "listKeys"].iter().flat_map(|function| arguments(code, function)) {
                if let Some(symbol) = argument.strip_prefix('\'').filter(|text| !text.starts_with('/')) {
                    let symbol = symbol.trim_end_matches('\'');
                    assert!(resources.contains_key(symbol), "{name}: {code} has no resource");
                    continue;
                }
                let id = id(argument, &defaults);
                let is_there = ids.contains(&id.to_lowercase()) || cloud.resource(&id).is_some();
                assert!(is_there, "{name}: {code}: {id} is nowhere");
            }
        }
        let unused: Vec<&String> = declared.keys().filter(|known| !used.contains(*known)).collect();
        assert!(unused.is_empty(), "{name}: nobody uses {unused:?}");
        let mut all = Vec::new();
        texts(part.template, &mut all);
        let placeholder =
            all.iter().find(|text| text.starts_with('<') || text.contains("published as '") && text.contains("/<"));
        assert_eq!(placeholder, None, "{name}");
    }
}

#[test]
fn every_name_in_a_template_stands_for_something() {
    for example in documents() {
        let cloud = zone_of(&example);
        for options in [json!({}), json!({"lateBinding": true})] {
            let made = make_example(&example, &cloud, options.clone());
            hold(&format!("{} {options}", example.file), &made, &cloud);
        }
        if is_of_alerts(&example) {
            let made = make_example(&example, &cloud, json!({"stack": true}));
            hold(&format!("the stack of {}", example.file), &made, &cloud);
        }
    }
}

/// The app settings that a template writes, by the name of their resource.
fn app_settings(template: &Value) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for part in parts(template) {
        for resource in resources(part.template) {
            let kind = resource["type"].as_str().unwrap();
            if kind.starts_with("Microsoft.Web/sites") && kind.ends_with("/config") {
                found.insert(resource["name"].as_str().unwrap().to_owned(), resource["properties"].clone());
            }
        }
    }
    found
}

/// A deployment replaces the settings of an app, so one that is right already has to be in the template, too.
#[test]
fn the_settings_of_an_app_are_whole_in_the_template_of_one_that_exists() {
    let mut compared = 0;
    for example in documents().iter().filter(|example| example.command == WEB) {
        let cloud = zone_of(example);
        let new = app_settings(make_example(example, &cloud, json!({})).template());
        let outcome = Deployment::new(example.command, &example.text()).deploy(&cloud);
        assert!(outcome.errors().is_empty(), "{}: {outcome:#?}", example.file);
        let existing = app_settings(make_example(example, &cloud, json!({})).template());
        assert_eq!(existing, new, "{}", example.file);
        compared += new.len();
    }
    assert!(compared > 3, "{compared} apps");
}

#[test]
fn no_secret_is_in_a_template() {
    for example in documents() {
        let cloud = zone_of(&example);
        let log = Project::new();
        let options = svc_local_cloud::LocalCloudOptions {
            request_log: Some(log.path("requests.jsonl")),
            request_log_secrets: true,
            ..svc_local_cloud::LocalCloudOptions::default()
        };
        let other = fields_zone_with(options);
        Deployment::new(example.command, &example.text()).deploy(&other);
        drop(other);
        let text = std::fs::read_to_string(log.path("requests.jsonl")).unwrap();
        let requests = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let secrets: HashSet<String> = requests
            .filter_map(|request| {
                let kind = resource_type(&kind_of(&request))?;
                Some(kind.secrets_of(&request["body"]).into_iter().map(str::to_owned).collect::<Vec<_>>())
            })
            .flatten()
            .collect();
        if example.file.contains("core-monitor-all-fields") || example.file == "web.yml" {
            assert!(!secrets.is_empty(), "{}: nothing is tested", example.file);
        }
        let made = make_example(&example, &cloud, json!({}));
        let said = serde_json::to_string(&made.outcome.messages).unwrap();
        for secret in secrets.iter().filter(|secret| secret.len() > 5) {
            assert!(!said.contains(secret.as_str()), "{}: {secret}", example.file);
        }
    }
}

/// The type of the resource that a request is for.
fn kind_of(request: &Value) -> String {
    let url = request["url"].as_str().unwrap().split('?').next().unwrap();
    svc_engine::azure::ResourceId::new(url).resource_type()
}

/// A deployment of a template, as a request that the validator reads.
fn request(made: &Made) -> String {
    let (report, template) = (made.report(), made.template());
    let is_group = template["$schema"].as_str().unwrap().ends_with("/deploymentTemplate.json#");
    let scope = if is_group { "resourceGroups/rg-x/" } else { "" };
    let url = format!(
        "https://management.azure.com/subscriptions/{LOCAL_SUBSCRIPTION_ID}/{scope}providers/Microsoft.Resources/deployments/d?api-version=2025-04-01"
    );
    let parameters: Value = report
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), json!({"value": parameter.default.as_deref().unwrap_or("secret")})))
        .collect();
    let mut body = json!({"properties": {"mode": "Incremental", "template": template, "parameters": parameters}});
    if !is_group {
        body["location"] = json!("uksouth");
    }
    json!({"method": "PUT", "url": url, "body": body}).to_string()
}

#[test]
fn azures_schemas_take_every_template() {
    let Some(validator) = validator_for("templates") else { return };
    let project = Project::new();
    let log = project.path("templates.jsonl");
    let mut file = std::fs::File::create(&log).unwrap();
    for example in documents() {
        let cloud = zone_of(&example);
        for options in [json!({}), json!({"lateBinding": true})] {
            writeln!(file, "{}", request(&make_example(&example, &cloud, options))).unwrap();
        }
        if is_of_alerts(&example) {
            writeln!(file, "{}", request(&make_example(&example, &cloud, json!({"stack": true})))).unwrap();
        }
    }
    drop(file);
    check("templates", &validator, &log);
    // The checker would say so.
    let broken = std::fs::read_to_string(&log).unwrap().replace("\"Standard_LRS\"", "17");
    std::fs::write(&log, broken).unwrap();
    let output =
        Command::new("python3").args([&repository("tests/check_requests.py"), &validator, &log]).output().unwrap();
    assert!(!output.status.success(), "the checker looks into templates");
}

#[test]
fn an_environment_is_one_template() {
    let cloud = landing_zone();
    let request = json!({
        "settingsFiles": [shop::folder()],
        "context": {"cloud": cloud.endpoint(), "environment": "test"},
        "environment": {},
    });
    let made = make(&request);
    hold("the environment", &made, &cloud);
    assert!(types(made.template()).len() > 20, "{:?}", types(made.template()));
}
