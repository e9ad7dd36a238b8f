//! Listings, page by page.

use super::authorization::{Assignments, Roles};
use super::filter::Filter;
use super::lookup;
use super::operations::Surroundings;
use super::path::{GROUP_TYPE, ResourceId};
use super::query::Query;
use super::reply::{Answer, Refusal};
use super::resource_types::authorization::ROLE_ASSIGNMENT;
use super::resource_types::{self, collections};
use super::state::{Body, Resource, State};
use serde_json::{Value, json};

/// The rules by which pages are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paging {
    /// The most items on a page.
    pub(super) size: usize,
    /// The first page of every listing is empty and leads to the next, which Azure may do.
    pub(super) empty_first: bool,
}

/// The members of a resource that `/resources` shows.
const LISTED: &[&str] = &[
    "id",
    "name",
    "type",
    "location",
    "tags",
    "kind",
    "sku",
    "managedBy",
    "identity",
    "plan",
    "zones",
    "extendedLocation",
    "systemData",
];

/// The listings of one request.
pub(super) struct Lists<'a> {
    pub(super) state: &'a State,
    /// The path as it was sent, for `nextLink`.
    pub(super) path: &'a str,
    pub(super) query: &'a Query,
    pub(super) paging: Paging,
    pub(super) around: &'a Surroundings,
}

impl Lists<'_> {
    /// `/subscriptions/{id}/resources` and `/subscriptions/{id}/resourceGroups/{name}/resources`: what is tracked, which is
    /// what has a location.
    pub(super) fn resources(&self, scope: &ResourceId) -> Result<Answer, Refusal> {
        lookup::require_group(self.state, scope)?;
        let filter = self.filter()?;
        let prefix = format!("{}/", scope.key());
        let tracked = |key: &str, resource: &Resource| {
            resource.body.contains_key("location")
                && resource.text("type") != GROUP_TYPE
                && filter.matches(key, resource)
        };
        let found = self.state.below(&prefix).filter(|(key, resource)| tracked(key, resource));
        self.page(found, |resource| listed(&resource.body, &filter))
    }

    /// `/subscriptions/{id}/resourceGroups`.
    pub(super) fn groups(&self, subscription: &ResourceId) -> Result<Answer, Refusal> {
        let filter = self.filter()?;
        let prefix = format!("{}/resourcegroups/", subscription.key());
        let found = self
            .state
            .below(&prefix)
            .filter(|(key, resource)| resource.text("type") == GROUP_TYPE && filter.matches(key, resource));
        self.page(found, whole)
    }

    /// `/subscriptions`: the local one, and each that something was put into.
    pub(super) fn subscriptions(&self) -> Result<Answer, Refusal> {
        let mut ids = std::collections::BTreeSet::from([super::LOCAL_SUBSCRIPTION_ID.to_owned()]);
        ids.extend(self.state.all().filter_map(|(key, _)| ResourceId::parse(key)?.subscription));
        let bodies = ids.into_iter().filter_map(|id| {
            let id = ResourceId::of_subscription(&id);
            let body = lookup::look_up(self.state, &id).ok()?.into_owned();
            Some((id.key(), Value::Object(body)))
        });
        self.page(bodies, |body| body)
    }

    /// The resources of one type in a group or subscription, on a resource, or the children of one type of a resource. None
    /// where it is not known that Azure lists such.
    pub(super) fn of_type(
        &self,
        scope: &ResourceId,
        namespace: Option<&str>,
        word: &str,
    ) -> Result<Option<Answer>, Refusal> {
        lookup::look_up(self.state, scope)?;
        if let Some(bodies) = collections::following(self.state, scope, namespace, word) {
            let filter = Roles::parse(word, self.query.get("$filter"))?;
            let keyed = bodies.into_iter().filter(|body| filter.have(body)).map(|body| {
                let key = body.get("id").and_then(Value::as_str).unwrap_or_default().to_lowercase();
                (key, Value::Object(body))
            });
            return self.page(keyed, |body| body).map(Some);
        }
        let sample = scope.with(namespace, word, "default");
        if resource_types::of(&sample).implied.is_some() {
            let body = lookup::view(self.state, &sample)?;
            return self.page(std::iter::once((sample.key(), Value::Object(body))), |body| body).map(Some);
        }
        let type_name = sample.type_name();
        if type_name.eq_ignore_ascii_case(ROLE_ASSIGNMENT) {
            let assignments = Assignments::parse(scope, self.query.get("$filter"))?;
            let of_type = |resource: &Resource| resource.text("type") == ROLE_ASSIGNMENT;
            let found = self.state.all().filter(|(key, other)| of_type(other) && assignments.have(key, other));
            return self.page(found, whole).map(Some);
        }
        // In a subscription the resources of all its groups are meant.
        let wide = scope.is_container() && scope.group.is_none();
        let key = sample.key();
        let prefix = if wide { format!("{}/", scope.key()) } else { key[..key.len() - sample.name().len()].to_owned() };
        let entry = resource_types::of(&sample);
        let found = self.state.below(&prefix).filter(|(key, resource)| {
            resource.text("type").eq_ignore_ascii_case(&type_name)
                && ResourceId::parse(key).is_some_and(|id| (entry.readable)(&id))
                && if wide {
                    ResourceId::parse(key).is_some_and(|id| !id.is_extension())
                } else {
                    !key[prefix.len()..].contains('/')
                }
        });
        let mut found = found.peekable();
        if !resource_types::has_collection(&sample) && found.peek().is_none() {
            return Ok(None);
        }
        self.page(found, |resource| Value::Object(lookup::shown(self.state, entry, resource.body.clone()))).map(Some)
    }

    fn filter(&self) -> Result<Filter, Refusal> {
        self.query.get("$filter").map_or(Ok(Filter::default()), Filter::parse)
    }

    /// One page of the items, which come in the order of their keys. Only what is on the page is shown: the pages before
    /// it are passed over each time.
    pub(super) fn page<K: AsRef<str>, T>(
        &self,
        items: impl Iterator<Item = (K, T)>,
        show: impl Fn(T) -> Value,
    ) -> Result<Answer, Refusal> {
        let after = self.query.get("$skiptoken");
        let top = match self.query.get("$top").map(str::parse::<usize>) {
            None => usize::MAX,
            Some(Ok(top)) if top > 0 => top,
            Some(_) => {
                return Err(Refusal::bad_request(
                    "InvalidTopInQueryString",
                    "The value of $top is not a positive number.",
                ));
            }
        };
        if after.is_none() && self.paging.empty_first {
            return Ok(Answer::json(200, json!({"value": [], "nextLink": self.next_link("")})));
        }
        let mut items = items.skip_while(|(key, _)| after.is_some_and(|after| key.as_ref() <= after)).peekable();
        let page: Vec<(K, T)> = items.by_ref().take(top.min(self.paging.size).max(1)).collect();
        let more = items.peek().is_some();
        let next = page.last().filter(|_| more).map(|(key, _)| self.next_link(key.as_ref()));
        let mut body = Body::from_iter([("value".to_owned(), page.into_iter().map(|(_, item)| show(item)).collect())]);
        if let Some(next) = next {
            body.insert("nextLink".to_owned(), next.into());
        }
        Ok(Answer::json(200, Value::Object(body)))
    }

    /// The key of the last item goes on in `$skiptoken`, so that a listing is right also when something is added meanwhile.
    fn next_link(&self, last: &str) -> String {
        format!("{}{}?{}", self.around.base, self.path, self.query.with("$skiptoken", last))
    }
}

fn whole(resource: &Resource) -> Value {
    Value::Object(resource.body.clone())
}

fn listed(body: &Body, filter: &Filter) -> Value {
    let type_name = body.get("type").and_then(Value::as_str).unwrap_or_default();
    let mut body = body.clone();
    if let Some(entry) = resource_types::find(type_name) {
        lookup::print_as_azure(entry, &mut body);
    }
    let shown = |name: &str| LISTED.contains(&name) && !(name == "tags" && filter.hides_tags());
    body.into_iter().filter(|(name, _)| shown(name)).collect()
}
