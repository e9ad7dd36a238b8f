//! The template as a whole: what is in it, and the nested deployments of its resource groups.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use super::Input;
use super::expression::{Text, group_of, name_of, subscription_of};
use super::names::{Names, deployment, symbol};
use super::parameters::{Parameters, Passed, declared};
use super::scope::{Ids, Scope};
use super::sheet::{Sheet, all_references};
use super::units::{Unit, units};
use crate::azure::ResourceId;
use crate::desired::Desired;
use crate::plan::{in_order, prerequisites};
use crate::protocol::TemplateParameter;

/// The schemas of templates (Azure Resource Manager, "Template structure").
const SUBSCRIPTION_SCHEMA: &str =
    "https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#";
const GROUP_SCHEMA: &str = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
/// That of Microsoft.Resources/deployments (REST specification of Microsoft.Resources).
const DEPLOYMENTS_API_VERSION: &str = "2025-04-01";

/// The template of resources, and its parameters.
pub(super) fn assemble(
    input: &Input<'_>,
    resources: &[Desired],
    root_group: Option<&ResourceId>,
) -> (Value, Vec<TemplateParameter>) {
    let ordered: Vec<&Desired> = in_order(resources).into_iter().map(|at| &resources[at]).collect();
    let made: HashMap<ResourceId, usize> =
        ordered.iter().enumerate().map(|(at, resource)| (resource.id.clone(), at)).collect();
    let bound = if input.late_binding { input.looked_up.clone() } else { BTreeMap::new() };
    let bound = bound.into_iter().filter(|(id, _)| !made.contains_key(id)).collect();
    let ids = Ids { subscription: input.subscription, made, bound, root_group };
    let mut scopes: Vec<Scope> = Vec::new();
    let numbers: Vec<usize> = ordered
        .iter()
        .map(|resource| {
            let scope = ids.scope_of(resource);
            scopes.iter().position(|known| *known == scope).unwrap_or_else(|| {
                scopes.push(scope);
                scopes.len() - 1
            })
        })
        .collect();
    let needs = needs(&ordered, &ids.made);
    let units = units(&numbers, &needs);
    let mut assembly = Assembly {
        input,
        ids: &ids,
        ordered: &ordered,
        needs: &needs,
        scopes: &scopes,
        parameters: Parameters::default(),
        symbols: Vec::new(),
    };
    let resources = assembly.root(&units);
    let parameters = assembly.parameters.into_list();
    let schema = if root_group.is_some() { GROUP_SCHEMA } else { SUBSCRIPTION_SCHEMA };
    let mut body = head(schema);
    body.insert("metadata".to_owned(), json!({ "_generator": { "name": "svc" } }));
    body.insert("parameters".to_owned(), declared(parameters.iter()));
    body.insert("resources".to_owned(), Value::Object(resources));
    (Value::Object(body), parameters)
}

/// The beginning of every template.
fn head(schema: &str) -> Map<String, Value> {
    let head = [("$schema", schema), ("languageVersion", "2.0"), ("contentVersion", "1.0.0.0")];
    head.into_iter().map(|(key, value)| (key.to_owned(), json!(value))).collect()
}

/// For each resource the positions of those that it waits for. Of those that nothing but one write at a time may touch, each waits for
/// the one before.
fn needs(ordered: &[&Desired], made: &HashMap<ResourceId, usize>) -> Vec<Vec<usize>> {
    let mut last: HashMap<&ResourceId, usize> = HashMap::new();
    let needs = ordered.iter().enumerate().map(|(at, resource)| {
        let read = all_references(resource).into_iter().map(|reference| reference.of.clone());
        let ids = prerequisites(resource).into_iter().chain(read);
        let mut needs: Vec<usize> = ids.filter_map(|id| made.get(&id).copied()).filter(|before| *before < at).collect();
        needs.extend(resource.lock.as_ref().and_then(|lock| last.insert(lock, at)));
        needs.sort_unstable();
        needs.dedup();
        needs
    });
    needs.collect()
}

struct Assembly<'a> {
    input: &'a Input<'a>,
    ids: &'a Ids<'a>,
    ordered: &'a [&'a Desired],
    needs: &'a [Vec<usize>],
    scopes: &'a [Scope],
    parameters: Parameters,
    /// The symbols of the units in the template itself.
    symbols: Vec<String>,
}

impl<'a> Assembly<'a> {
    /// The resources of the template itself.
    fn root(&mut self, units: &[Unit]) -> Map<String, Value> {
        let mut names = Names::default();
        let mut own: HashMap<&'a ResourceId, String> = HashMap::new();
        for unit in units {
            let wanted = match (&self.scopes[unit.scope], unit.members.first()) {
                (Scope::Root(id), Some(first)) => symbol(self.ordered[*first].resource_type.label, id),
                (Scope::Group { id, has_roles: true, .. }, _) => symbol("role assignments", id),
                (Scope::Group { id, .. } | Scope::Root(id), _) => symbol("deployment", id),
            };
            let symbol = names.unique(&wanted);
            if let Scope::Root(_) = self.scopes[unit.scope] {
                own.extend(unit.members.iter().map(|at| (&self.ordered[*at].id, symbol.clone())));
            }
            self.symbols.push(symbol);
        }
        let mut resources = Map::new();
        for (unit, symbol) in units.iter().zip(self.symbols.clone()) {
            let mut written = match (&self.scopes[unit.scope], unit.members.as_slice()) {
                (Scope::Root(_), [only]) => {
                    let mut sheet = self.sheet(own.clone(), false);
                    let resource = self.ordered[*only];
                    let written = sheet.resource(resource);
                    self.parameters = sheet.parameters;
                    written
                }
                (scope, _) => self.nested(unit, scope),
            };
            let after: Vec<&String> = unit.after.iter().map(|before| &self.symbols[*before]).collect();
            if !after.is_empty() {
                written.insert("dependsOn".to_owned(), json!(after));
            }
            resources.insert(symbol, Value::Object(written));
        }
        resources
    }

    fn sheet(&mut self, symbols: HashMap<&'a ResourceId, String>, is_elsewhere: bool) -> Sheet<'a> {
        Sheet {
            ids: self.ids,
            parameters: std::mem::take(&mut self.parameters),
            symbols,
            passed: Passed::default(),
            is_elsewhere,
            service_tag_key: self.input.service_tag_key,
            secrets: self.input.secrets,
        }
    }

    /// The nested deployment of a unit, which is evaluated by itself.
    fn nested(&mut self, unit: &Unit, scope: &Scope) -> Map<String, Value> {
        let (group, by) = match scope {
            Scope::Group { id, by, .. } => (id.clone(), by.as_ref()),
            Scope::Root(id) => (id.clone(), None),
        };
        let mut names = Names::default();
        let members: Vec<&'a Desired> = unit.members.iter().map(|at| self.ordered[*at]).collect();
        let symbols: Vec<String> =
            members.iter().map(|member| names.unique(&symbol(member.resource_type.label, &member.id))).collect();
        let of_position: HashMap<usize, &String> = unit.members.iter().copied().zip(&symbols).collect();
        let own = members.iter().map(|member| &member.id).zip(symbols.iter().cloned()).collect();
        let mut sheet = self.sheet(own, by.is_some());
        let mut resources = Map::new();
        for ((member, symbol), at) in members.iter().zip(&symbols).zip(&unit.members) {
            let mut written = sheet.resource(member);
            let after: Vec<&&String> = self.needs[*at].iter().filter_map(|before| of_position.get(before)).collect();
            if !after.is_empty() {
                written.insert("dependsOn".to_owned(), json!(after));
            }
            resources.insert(symbol.clone(), Value::Object(written));
        }
        let at = sheet.group(&group, by);
        let passed = std::mem::take(&mut sheet.passed);
        self.parameters = sheet.parameters;
        let (declared, given) = passed.into_parts();
        let mut template = head(GROUP_SCHEMA);
        template.insert("parameters".to_owned(), declared);
        template.insert("resources".to_owned(), Value::Object(resources));
        let mut written = Map::new();
        written.insert("type".to_owned(), json!("Microsoft.Resources/deployments"));
        written.insert("apiVersion".to_owned(), json!(DEPLOYMENTS_API_VERSION));
        written.insert("name".to_owned(), json!(deployment(group.name(), members.iter().map(|member| &member.id))));
        written.extend(at);
        let properties = json!({
            "mode": "Incremental",
            "expressionEvaluationOptions": { "scope": "inner" },
            "parameters": given,
            "template": template,
        });
        written.insert("properties".to_owned(), properties);
        written
    }
}

impl Sheet<'_> {
    /// The target of a nested deployment: the members of its resource that say so.
    fn group(&mut self, group: &ResourceId, by: Option<&ResourceId>) -> Map<String, Value> {
        let mut written = Map::new();
        let Some(by) = by else {
            if let Some(other) = group.subscription_id().filter(|_| !group.is_within(self.ids.subscription)) {
                written.insert("subscriptionId".to_owned(), json!(other));
            }
            written.insert("resourceGroup".to_owned(), json!(group.name()));
            return written;
        };
        let parameter = self.parameters.look_up(by, &self.ids.bound[by]);
        let id = format!("parameters('{}')", parameter.name);
        let name = if by == group { name_of(&id) } else { group_of(&id) };
        written.insert("subscriptionId".to_owned(), Text::Code(subscription_of(&id)).value());
        written.insert("resourceGroup".to_owned(), Text::Code(name).value());
        written
    }
}
