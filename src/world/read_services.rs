//! Reads what the look-ups of a run need.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::existing::start;
use super::group_content::start_group_content;
use super::reads::{Answer, Found, Reads, Request, RequestKind};
use crate::azure::types::PRIVATE_DNS_ZONE;
use crate::azure::{
    ArmError, Entries, Listing, RESOURCE_GROUP_TYPE, ResourceId, is_being_deleted, label_of_type, resource_type,
};
use crate::commands::{Compiled, Content, EnvironmentTag, Index, Listed, Needs, Part, Planned, RunFacts, Services};
use crate::desired::Desired;

/// The api-version of the listings of groups and of resources (REST specification of Microsoft.Resources).
const RESOURCES_API_VERSION: &str = "2025-04-01";
/// The api-version of what the caller may do (REST specification of Microsoft.Authorization).
const PERMISSIONS_API_VERSION: &str = "2022-04-01";

/// The needs of the documents of a run, as far as it is known what there is.
pub trait Wants {
    /// The facts that the documents share.
    fn run(&self) -> &RunFacts;

    /// The tags of their environments, of which projects may have words of their own; none where environments have no tag.
    fn environments(&self) -> Vec<&EnvironmentTag>;

    /// Whether there is only one document.
    fn is_alone(&self) -> bool;

    /// Compiles all of them, each with what those before it make.
    fn compile(&self, services: &mut Services) -> Compiled;
}

/// Reads what the look-ups of a run need: at most one paged listing of tagged groups, one of tagged resources for each of
/// the two tags and one of private DNS zones, each resource that is needed whole, and what is below those whose children are
/// needed; what is in resource groups; what the caller may do, and how resources of the document's own are, where that decides what is wanted.
///
/// What exists of the document's resources is started beside it, as far as their ids are known without the look-ups, or with
/// those that have an answer already: [`read`](super::read) finds it under way.
///
/// # Errors
/// The request that fails.
pub async fn read_services(
    reads: &mut Reads,
    wants: &dyn Wants,
    needs: &Needs,
    placeholders: bool,
) -> Result<Services, Arc<ArmError>> {
    let mut index = Index::read(reads.storage_domain(), placeholders);
    if *needs == Needs::default() {
        return Ok(Services::Known(Box::new(index)));
    }
    let (run, environments) = (wants.run(), wants.environments());
    let RunFacts { subscription, service_tag_key: tag_key, exception_tag_key: exception_key } = run;
    let (all_groups, all_resources) = (Collection::groups(subscription), Collection::resources(subscription));
    let groups = needs.groups.then(|| all_groups.start(reads, tag_key));
    let resources = needs.resources.then(|| all_resources.start(reads, tag_key));
    let exceptions = needs.exceptions.then(|| all_resources.start(reads, exception_key));
    let zones = needs.zones.then(|| reads.start(Request::list(zones_path(subscription), PRIVATE_DNS_ZONE.api_version)));
    let own = start_own(reads, needs, subscription);
    let unread = wants.compile(&mut Services::NotRead);
    let started = start(reads, &unread);
    let mut planned = Planned::default();
    if !wants.is_alone() {
        planned.add(&unread.desired, run, needs, &index);
        if needs.groups {
            index.group_locations = group_locations(&started).await;
        }
    }

    let states = all_groups.read(reads, groups).await?;
    let tagged = all_resources.read(reads, resources).await?;
    index.see(states.iter().chain(&tagged), tag_key, &environments);
    index.take_leaving(&states);
    let published = Published::start(reads, needs, &index, &planned, subscription);
    let excepted = all_resources.read(reads, exceptions).await?;
    let is_seen = |item: &&Value| EnvironmentTag::other(&environments, item).is_none();
    index.excepted.extend(excepted.iter().filter(is_seen).filter_map(|item| Listed::tagged(item, exception_key)));
    index.take_leaving(&states);
    if let Some(answer) = zones {
        let zones = answer.await?;
        let all = Collection {
            scope: subscription.clone(),
            path: zones_path(subscription),
            kind: Some(PRIVATE_DNS_ZONE.name),
        };
        index.zones.extend(all.own(reads, &zones.items).filter(is_seen).filter_map(Listed::read));
        index.take_leaving(&zones.items);
    }
    for (id, answer) in own {
        let found = own_item(&id, &answer.await?.items).filter(|body| !is_being_deleted(body)).cloned();
        index.own.extend(found.map(|found| (id, found)));
    }
    let mut services = Services::Known(Box::new(index));
    if !published.is_empty() {
        start(reads, &wants.compile(&mut services));
    }
    if let Services::Known(index) = &mut services {
        published.finish(index).await?;
    }
    Ok(services)
}

/// The locations of the resource groups that documents have, as far as they are there: a group stays where it is. Whoever reads one for its
/// document tells why that failed.
async fn group_locations(started: &[(Request, Answer, &Desired)]) -> HashMap<ResourceId, String> {
    let groups = started.iter().filter(|(_, _, resource)| resource.resource_type.name == RESOURCE_GROUP_TYPE);
    let mut locations = HashMap::new();
    for (_, answer, group) in groups {
        let Ok(found) = answer.clone().await else { continue };
        let location = found.items.first().and_then(|item| item.get("location")?.as_str().map(str::to_owned));
        locations.extend(location.map(|location| (group.id.clone(), location)));
    }
    locations
}

/// Whether a resource is read by a listing of what is beside it.
fn is_listed(id: &ResourceId) -> bool {
    let known = resource_type(&id.resource_type());
    known.is_some_and(|known| matches!(known.listing, Listing::InGroup | Listing::InParent))
}

/// The path at which the private DNS zones of a subscription are listed.
fn zones_path(subscription: &ResourceId) -> ResourceId {
    ResourceId::new(format!("{subscription}/providers/{}", PRIVATE_DNS_ZONE.name))
}

/// Starts reading the resources of the document's own that decide what is wanted.
fn start_own(reads: &mut Reads, needs: &Needs, subscription: &ResourceId) -> Vec<(ResourceId, Answer)> {
    let own = needs.own.iter().filter_map(|(wanted, path)| {
        let (known, id) = (resource_type(wanted)?, ResourceId::new(format!("{subscription}{path}")));
        Some((id.clone(), reads.start(Request::of(&id, known))))
    });
    own.collect()
}

/// The reading of resources that are found by their publish names. There may be one for each item of the document.
struct Published {
    details: Vec<(ResourceId, Answer)>,
    children: Vec<((ResourceId, &'static str), Answer)>,
    contents: Vec<(ResourceId, Answer)>,
    parts: Vec<(ResourceId, Answer)>,
    permissions: Vec<(ResourceId, Answer)>,
}

impl Published {
    /// Starts them, of what is there and of what the run makes: that may be there under another name.
    fn start(
        reads: &mut Reads,
        needs: &Needs,
        index: &Index,
        planned: &Planned,
        subscription: &ResourceId,
    ) -> Published {
        let ids = |wanted: &str, service: &str| {
            let mut ids = index.published(wanted, service);
            let new: Vec<ResourceId> = planned.ids(wanted, service).filter(|id| !ids.contains(id)).cloned().collect();
            ids.extend(new);
            ids
        };
        let mut published = Published {
            details: Vec::new(),
            children: Vec::new(),
            contents: Vec::new(),
            parts: Vec::new(),
            permissions: Vec::new(),
        };
        for (wanted, service) in &needs.details {
            let Some(known) = resource_type(wanted) else { continue };
            for id in ids(wanted, service) {
                let request = Request::get(id.clone(), known.api_version);
                published.details.push((id, reads.start(request)));
            }
        }
        for (wanted, service, children) in &needs.children {
            let Some((known, (_, collection))) = resource_type(children).zip(children.rsplit_once('/')) else {
                continue;
            };
            for id in index.published(wanted, service) {
                let request = Request::list(ResourceId::new(format!("{id}/{collection}")), known.api_version);
                published.children.push(((id, *children), reads.start(request)));
            }
        }
        for service in &needs.contents {
            for id in ids(RESOURCE_GROUP_TYPE, service) {
                let answer = start_group_content(reads, &id);
                published.contents.push((id, answer));
            }
        }
        for (wanted, service, part, name) in &needs.parts {
            let Some(known) = resource_type(part) else { continue };
            for id in index.published(wanted, service) {
                let part = known.child_of(&id, name);
                let request = Request::get(part.clone(), known.api_version);
                published.parts.push((part, reads.start(request)));
            }
        }
        for (wanted, service) in &needs.permissions {
            // With what the run makes the caller may do what they may do everywhere.
            let new = planned.ids(wanted, service).next().map(|_| subscription.clone());
            for id in index.published(wanted, service).into_iter().chain(new) {
                let request = Request::permissions(&id, PERMISSIONS_API_VERSION);
                published.permissions.push((id, reads.start(request)));
            }
        }
        published
    }

    fn is_empty(&self) -> bool {
        let Published { details, children, contents, parts, permissions } = self;
        details.is_empty() && children.is_empty() && contents.is_empty() && parts.is_empty() && permissions.is_empty()
    }

    async fn finish(self, index: &mut Index) -> Result<(), Arc<ArmError>> {
        for (id, answer) in self.details {
            index.details.extend(answer.await?.items.first().map(|found| (id, found.clone())));
        }
        let details = std::mem::take(&mut index.details);
        index.take_leaving(details.values());
        index.details = details;
        for (key, answer) in self.children {
            let found = answer.await?;
            let ids = found.items.iter().filter_map(|item| item.get("id").and_then(Value::as_str));
            let ids = ids.filter_map(ResourceId::checked).filter(|id| id.is_within(&key.0));
            index.children.insert(key.clone(), ids.map(|id| id.name().to_owned()).collect());
        }
        for (id, answer) in self.contents {
            // It is read to warn of what looks like a mistake. Who may not read it is not kept from what they came for.
            if let Ok(found) = answer.await {
                index.contents.insert(id, found.items.iter().filter_map(Content::read).collect());
            }
        }
        for (id, answer) in self.parts {
            index.parts.insert(id, part(answer.await)?);
        }
        for (id, answer) in self.permissions {
            index.permissions.insert(id, answer.await?.items.clone());
        }
        Ok(())
    }
}

/// Whether something is there. That the caller may not see it does not mean that it is missing.
fn part(answer: Result<Arc<Found>, Arc<ArmError>>) -> Result<Part, Arc<ArmError>> {
    match answer {
        Ok(found) if found.items.is_empty() => Ok(Part::Missing),
        Ok(_) => Ok(Part::There),
        Err(error) => match &*error {
            ArmError::Refused(refusal) if refusal.status == 403 => Ok(Part::Hidden(refusal.message.clone())),
            _ => Err(error),
        },
    }
}

/// Everything of one kind in a subscription.
pub(super) struct Collection {
    /// The subscription.
    scope: ResourceId,
    path: ResourceId,
    /// The type; none for resources of any.
    kind: Option<&'static str>,
}

impl Collection {
    fn groups(subscription: &ResourceId) -> Collection {
        let path = ResourceId::new(format!("{subscription}/resourcegroups"));
        Collection { scope: subscription.clone(), path, kind: Some(RESOURCE_GROUP_TYPE) }
    }

    pub(super) fn resources(subscription: &ResourceId) -> Collection {
        let path = ResourceId::new(format!("{subscription}/resources"));
        Collection { scope: subscription.clone(), path, kind: None }
    }

    /// Those of the entries that may be used: their ids become parts of requests and of what is sent, so an id of something
    /// else, or of another subscription, is not taken.
    fn own<'a>(&self, reads: &Reads, items: &'a [Value]) -> impl Iterator<Item = &'a Value> {
        items.iter().filter(|item| self.is_own(reads, item)).collect::<Vec<_>>().into_iter()
    }

    fn is_own(&self, reads: &Reads, item: &Value) -> bool {
        let text = |member: &str| item.get(member).and_then(Value::as_str);
        let Some(written) = text("id") else { return false };
        let is_right = ResourceId::checked(written).is_some_and(|id| {
            let found = id.resource_type();
            let kinds = [self.kind, text("type").filter(|_| self.kind.is_none())];
            id.is_within(&self.scope) && kinds.into_iter().flatten().all(|kind| kind.eq_ignore_ascii_case(&found))
        });
        if !is_right {
            let what = self.kind.and_then(label_of_type).unwrap_or("resource");
            reads.warn(format!(
                "A listing of the subscription has '{written}', which is not the id of a {what} in it. It is ignored."
            ));
        }
        is_right
    }

    /// Those of a listing that may be used; none where it was not started.
    pub(super) async fn read(&self, reads: &mut Reads, listing: Option<Answer>) -> Result<Vec<Value>, Arc<ArmError>> {
        let Some(listing) = listing else { return Ok(Vec::new()) };
        let mut items = self.whole(reads, listing).await?;
        items.retain(|item| self.is_own(reads, item));
        Ok(items)
    }

    /// Starts a listing of what carries a tag.
    pub(super) fn start(&self, reads: &mut Reads, tag_key: &str) -> Answer {
        let quoted = tag_key.replace('\'', "''");
        let filter = format!("tagName eq '{quoted}'");
        let filter = percent_encoding::utf8_percent_encode(&filter, percent_encoding::NON_ALPHANUMERIC);
        let kind = RequestKind::List { query: format!("$filter={filter}"), of: Entries::Resources };
        reads.start(Request { target: self.path.clone(), api_version: RESOURCES_API_VERSION, kind })
    }

    /// The items of a listing. Azure documents that it may leave the tags out; then the whole collection is listed.
    async fn whole(&self, reads: &mut Reads, listing: Answer) -> Result<Vec<Value>, Arc<ArmError>> {
        let found = listing.await?;
        if found.items.iter().all(|item| item.get("tags").is_some_and(Value::is_object)) {
            return Ok(found.items.clone());
        }
        Ok(reads.start(Request::list(self.path.clone(), RESOURCES_API_VERSION)).await?.items.clone())
    }
}

/// A resource in an answer, which may be a listing that has it.
fn own_item<'a>(id: &ResourceId, items: &'a [Value]) -> Option<&'a Value> {
    let is_it = |item: &&Value| item.get("id").and_then(Value::as_str).is_some_and(|it| ResourceId::new(it) == *id);
    if is_listed(id) { items.iter().find(is_it) } else { items.first() }
}
