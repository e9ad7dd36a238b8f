//! The state of the local cloud: resources and long-running operations.

use super::deployments::Kept;
use super::moment::Moment;
use super::operations::{Change, Operation, Status};
use super::path::ResourceId;
use super::resource_types;
use super::telemetry::Telemetry;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// The body of a resource, a JSON object.
pub(super) type Body = Map<String, Value>;

/// The number of finished operations that are kept for clients that still ask for them.
const FINISHED_OPERATIONS: usize = 1000;

/// A resource, resource group or subscription.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resource {
    /// The body as a GET returns it. Always has `id`, `name` and `type`.
    #[serde(deserialize_with = "complete_body")]
    pub(super) body: Body,
    /// True while it is being created by an operation that shows it only when done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) hidden: bool,
    /// The operation that works on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) operation: Option<String>,
}

/// Reads a body that has what everything else relies on.
fn complete_body<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Body, D::Error> {
    let body = Body::deserialize(deserializer)?;
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    if text("id").and_then(ResourceId::parse).is_none() || text("name").is_none() || text("type").is_none() {
        return Err(serde::de::Error::custom("a resource needs a valid id, a name and a type"));
    }
    Ok(body)
}

impl Resource {
    /// A resource nothing is working on.
    pub(super) fn new(body: Body) -> Resource {
        Resource { body, hidden: false, operation: None }
    }

    /// A member of the body that is a text, or the empty text.
    pub(super) fn text(&self, member: &str) -> &str {
        self.body.get(member).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Everything the local cloud remembers. A clone is cheap: bodies are shared.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    resources: BTreeMap<String, Arc<Resource>>,
    /// The references between resources: the key of what is referred to, and the key of the resource whose body has its id.
    references: BTreeSet<(Arc<str>, Arc<str>)>,
    operations: BTreeMap<String, Arc<Operation>>,
    deployments: Kept,
    /// The worldwide names in use: `type/name` in lower case, and the key of the resource. Every new
    /// account asks for its name; without this each would look at everything there is.
    worldwide_names: BTreeSet<(String, String)>,
    /// The past, as Azure Monitor keeps it.
    telemetry: Arc<Telemetry>,
    revision: u64,
}

impl State {
    /// State as it was saved.
    pub(super) fn restore(
        resources: Vec<Resource>,
        operations: Vec<Operation>,
        deployments: Kept,
        telemetry: Telemetry,
    ) -> State {
        let mut state = State { deployments, telemetry: Arc::new(telemetry), ..State::default() };
        for resource in resources {
            state.put(resource);
        }
        for operation in operations {
            state.operations.insert(operation.id.clone(), Arc::new(operation));
        }
        state.revision = 0;
        state
    }

    /// Grows with every change.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// A resource by its key (`ResourceId::key`), unless it is still hidden.
    pub(super) fn get(&self, key: &str) -> Option<&Resource> {
        self.get_any(key).filter(|resource| !resource.hidden)
    }

    /// A resource by its key, also while it is hidden.
    pub(super) fn get_any(&self, key: &str) -> Option<&Resource> {
        self.resources.get(key).map(Arc::as_ref)
    }

    /// Every resource with its key, in the order of the keys.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(key, resource)| (key.as_str(), resource.as_ref()))
    }

    /// The same, shared with this state: what is changed becomes another one.
    pub(super) fn all_shared(&self) -> impl Iterator<Item = (&String, &Arc<Resource>)> {
        self.resources.iter()
    }

    /// The visible resources whose key begins with `prefix`.
    pub(super) fn below<'a>(&'a self, prefix: &str) -> impl Iterator<Item = (&'a str, &'a Resource)> {
        self.resources
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .take_while(move |(key, _)| key.starts_with(prefix))
            .filter(|(_, resource)| !resource.hidden)
            .map(|(key, resource)| (key.as_str(), resource.as_ref()))
    }

    /// Creates or replaces a resource.
    pub(super) fn put(&mut self, resource: Resource) {
        let key = resource.text("id").to_lowercase();
        self.remove(&key);
        let source: Arc<str> = key.as_str().into();
        for target in references(&key, &resource.body) {
            self.references.insert((target, source.clone()));
        }
        if let Some(name) = worldwide_name(&resource) {
            self.worldwide_names.insert((name, key.clone()));
        }
        self.resources.insert(key, Arc::new(resource));
        self.revision += 1;
    }

    /// The visible resources whose bodies have the id of a resource, with their keys.
    pub(super) fn referrers(&self, key: &str) -> impl Iterator<Item = (&str, &Resource)> {
        let target: Arc<str> = key.into();
        let first = (target.clone(), Arc::from(""));
        self.references
            .range((Bound::Included(first), Bound::Unbounded))
            .take_while(move |(other, _)| *other == target)
            .filter_map(|(_, source)| Some((source.as_ref(), self.get(source)?)))
    }

    /// Removes a resource, everything under it and on it, and what goes with any of these. Something may remain of some.
    pub(super) fn remove_tree(&mut self, key: &str, now: Moment) {
        let mut leaving = vec![key.to_owned()];
        while let Some(top) = leaving.pop() {
            let below = format!("{top}/");
            self.deployments.remove_below(&below);
            let range = (Bound::Included(below.as_str()), Bound::Unbounded);
            let under = self.resources.range::<str, _>(range).map(|(key, _)| key.clone());
            let mut gone: Vec<String> = under.take_while(|key| key.starts_with(&below)).collect();
            gone.push(top);
            for key in gone {
                let along = self
                    .referrers(&key)
                    .filter(|(_, resource)| resource_types::goes_with(&resource.body).as_ref() == Some(&key))
                    .map(|(other, _)| other.to_owned());
                leaving.extend(along);
                let remains = self.get(&key).and_then(|resource| resource_types::remains(&resource.body, now));
                self.remove(&key);
                if let Some(body) = remains {
                    self.put(Resource::new(body));
                }
            }
        }
        self.revision += 1;
    }

    /// Removes one resource and what it refers to from the tables.
    fn remove(&mut self, key: &str) {
        let Some(before) = self.resources.remove(key) else { return };
        let source: Arc<str> = key.into();
        for target in references(key, &before.body) {
            self.references.remove(&(target, source.clone()));
        }
        if let Some(name) = worldwide_name(&before) {
            self.worldwide_names.remove(&(name, key.to_owned()));
        }
    }

    /// The past, as Azure Monitor keeps it.
    pub(super) fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// The same, to add to it.
    pub(super) fn telemetry_mut(&mut self) -> &mut Telemetry {
        self.revision += 1;
        Arc::make_mut(&mut self.telemetry)
    }

    /// The deployments.
    pub(super) fn deployments(&self) -> &Kept {
        &self.deployments
    }

    /// The deployments, of which one changes.
    #[cfg(feature = "deployments")]
    pub(super) fn deployments_mut(&mut self) -> &mut Kept {
        self.revision += 1;
        &mut self.deployments
    }

    /// The key of the resource of a type that has a name nobody else may have, also while it is hidden.
    pub(super) fn owner_of_worldwide_name(&self, type_name: &str, name: &str) -> Option<&str> {
        let wanted = worldwide(type_name, name);
        let (known, key) = self.worldwide_names.range((wanted.clone(), String::new())..).next()?;
        (*known == wanted).then_some(key)
    }

    pub(super) fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.get(&id.to_lowercase()).map(Arc::as_ref)
    }

    /// Every operation.
    pub(super) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.values().map(Arc::as_ref)
    }

    /// Adds an operation that works on a resource.
    pub(super) fn begin(&mut self, operation: Operation) {
        if let Some(resource) = self.resources.get_mut(&operation.resource.to_lowercase()) {
            Arc::make_mut(resource).operation = Some(operation.id.clone());
        }
        self.operations.insert(operation.id.clone(), Arc::new(operation));
        self.revision += 1;
        self.forget_old_operations();
    }

    /// Finishes the operations whose time has come. Called before anything looks at the state, so that nothing has to
    /// run in the background; what it does is a function of what is saved, so it needs no saving itself.
    pub(super) fn advance(&mut self, now: Moment) {
        let due: Vec<Arc<Operation>> = self
            .operations
            .values()
            .filter(|operation| operation.status == Status::InProgress && operation.ends.is_some_and(|end| end <= now))
            .cloned()
            .collect();
        for operation in due {
            let status = if operation.failure.is_some() { Status::Failed } else { Status::Succeeded };
            self.settle(&operation, status);
            let finished = Operation { status, ..operation.as_ref().clone() };
            self.operations.insert(finished.id.clone(), Arc::new(finished));
        }
    }

    /// Ends now what is still under way, also what would never have ended.
    pub(super) fn end_operations(&mut self, now: Moment) {
        for operation in self.operations.values_mut().filter(|operation| operation.status == Status::InProgress) {
            Arc::make_mut(operation).ends = Some(now);
        }
        // What waits for them is looked at.
        self.deployments.wake(now);
        self.revision += 1;
        self.advance(now);
    }

    /// Carries out the end of an operation on its resource.
    fn settle(&mut self, operation: &Operation, status: Status) {
        let key = operation.resource.to_lowercase();
        let Some(resource) = self.resources.get_mut(&key) else { return };
        if resource.operation.as_deref() != Some(operation.id.as_str()) {
            return;
        }
        if (status == Status::Succeeded && operation.change == Change::Delete)
            || (status == Status::Failed && resource.hidden)
        {
            self.remove_tree(&key, operation.ends.unwrap_or(operation.started));
            return;
        }
        let resource = Arc::make_mut(resource);
        resource.operation = None;
        resource.hidden = false;
        set_provisioning_state(&mut resource.body, status.text());
    }

    /// Drops the oldest finished operations beyond the number kept.
    fn forget_old_operations(&mut self) {
        if self.operations.len() <= FINISHED_OPERATIONS {
            return;
        }
        let mut finished: Vec<(Moment, String)> = self
            .operations()
            .filter(|operation| operation.status != Status::InProgress)
            .map(|operation| (operation.started, operation.id.clone()))
            .collect();
        if finished.len() > FINISHED_OPERATIONS {
            finished.sort();
            for (_, id) in finished.drain(..finished.len() - FINISHED_OPERATIONS) {
                self.operations.remove(&id);
            }
        }
    }
}

/// The keys of the resources a body refers to: every text in it that is a resource id, except those of the resource's own
/// parts.
pub(super) fn references(key: &str, body: &Body) -> BTreeSet<Arc<str>> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Value> = body.values().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::String(text) if text.get(..15).is_some_and(|head| head.eq_ignore_ascii_case("/subscriptions/")) => {
                let target = ResourceId::parse(text).map(|id| id.key());
                let own = |target: &str| target.strip_prefix(key).is_some_and(|r| r.is_empty() || r.starts_with('/'));
                found.extend(target.filter(|target| !own(target)).map(Arc::from));
            }
            _ => {}
        }
    }
    found
}

/// The entry of a resource among the worldwide names, if its type has such.
fn worldwide_name(resource: &Resource) -> Option<String> {
    let type_name = resource.text("type");
    resource_types::find(type_name)?.worldwide_name.then(|| worldwide(type_name, resource.text("name")))
}

fn worldwide(type_name: &str, name: &str) -> String {
    format!("{type_name}/{name}").to_lowercase()
}

/// Sets `properties.provisioningState` where the body has one: some types have not.
pub(super) fn set_provisioning_state(body: &mut Body, text: &str) {
    if let Some(Value::Object(properties)) = body.get_mut("properties")
        && properties.contains_key("provisioningState")
    {
        properties.insert("provisioningState".to_owned(), Value::from(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ACCOUNT: &str = "Microsoft.Storage/storageAccounts";

    fn put(state: &mut State, id: &str) {
        let path = ResourceId::parse(id).unwrap();
        let body = json!({"id": id, "name": path.name(), "type": path.type_name()});
        state.put(Resource::new(body.as_object().unwrap().clone()));
    }

    #[test]
    fn a_worldwide_name_is_owned_until_its_last_owner_is_removed() {
        let mut state = State::default();
        let account =
            |group: &str, name: &str| format!("/subscriptions/s/resourceGroups/{group}/providers/{ACCOUNT}/{name}");
        let owner = |state: &State, name: &str| state.owner_of_worldwide_name(ACCOUNT, name).map(str::to_owned);
        for group in ["a", "b", "ab"] {
            put(&mut state, &format!("/subscriptions/s/resourceGroups/{group}"));
        }
        // Imports may bring one name twice.
        for id in [account("a", "Stx"), account("b", "stx"), account("ab", "other")] {
            put(&mut state, &id);
        }
        put(&mut state, &format!("{}/blobServices/default/containers/c", account("a", "Stx")));
        assert_eq!(owner(&state, "STX"), Some(account("a", "stx").to_lowercase()));
        assert_eq!(owner(&state, "st"), None);
        assert_eq!(state.owner_of_worldwide_name("Microsoft.Network/virtualNetworks", "stx"), None);
        state.remove_tree("/subscriptions/s/resourcegroups/a", Moment::now());
        assert_eq!(owner(&state, "stx"), Some(account("b", "stx").to_lowercase()));
        assert_eq!(owner(&state, "other"), Some(account("ab", "other").to_lowercase()));
        state.remove_tree(&account("b", "stx").to_lowercase(), Moment::now());
        assert_eq!(owner(&state, "stx"), None);
        let left: Vec<&str> = state.all().map(|(key, _)| key).collect();
        assert_eq!(left.len(), 3, "{left:?}");
    }
}
