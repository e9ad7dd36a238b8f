//! Reads what the look-ups of a run need.

use futures::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value;

use crate::azure::types::PRIVATE_DNS_ZONE;
use crate::azure::{ArmClient, ArmError, Listing, READS_AT_ONCE, RESOURCE_GROUP_TYPE, ResourceId, resource_type};
use crate::commands::{Index, Listed, Needs, Project, Services};

/// Reads what a run needs: at most one paged listing of tagged groups, one of tagged resources for each of the two tags and
/// one of private DNS zones, each resource that is needed whole, and what is below those whose children are needed; what the
/// caller may do, and how resources of the document's own are, where that decides what is wanted.
///
/// # Errors
/// The request that fails.
pub async fn read_services(
    client: &ArmClient,
    project: &Project,
    needs: &Needs,
    placeholders: bool,
) -> Result<Services, ArmError> {
    const API_VERSION: &str = "2025-04-01";
    let Project { subscription, service_tag_key: tag_key, exception_tag_key: exception_key, .. } = project;
    let mut index = Index { placeholders, ..Index::default() };
    if needs.groups {
        let groups = tagged_items(client, &format!("{subscription}/resourcegroups"), tag_key, API_VERSION).await?;
        index.tagged.extend(groups.iter().filter_map(|item| Listed::tagged(item, tag_key, Some(RESOURCE_GROUP_TYPE))));
    }
    if needs.resources {
        let resources = tagged_items(client, &format!("{subscription}/resources"), tag_key, API_VERSION).await?;
        index.tagged.extend(resources.iter().filter_map(|item| Listed::tagged(item, tag_key, None)));
    }
    if needs.exceptions {
        let resources = tagged_items(client, &format!("{subscription}/resources"), exception_key, API_VERSION).await?;
        index.excepted.extend(resources.iter().filter_map(|item| Listed::tagged(item, exception_key, None)));
    }
    if needs.zones {
        let path = format!("{subscription}/providers/{}", PRIVATE_DNS_ZONE.name);
        let zones = client.list(&path, PRIVATE_DNS_ZONE.api_version, "").await?;
        index.zones.extend(zones.iter().filter_map(|zone| Listed::read(zone, None)));
    }
    // There may be one of these for each item of the document, so they do not wait for each other.
    let details = needs.details.iter().filter_map(|(wanted, service)| Some((resource_type(wanted)?, wanted, service)));
    let details = details.flat_map(|(known, wanted, service)| {
        let read = move |id: ResourceId| async move { Ok((client.get(id.as_str(), known.api_version).await?, id)) };
        index.published(wanted, service).into_iter().map(read)
    });
    let details: Vec<(Option<Value>, ResourceId)> = read_all(details.collect()).await?;
    index.details.extend(details.into_iter().filter_map(|(found, id)| Some((id, found?))));

    let children = needs.children.iter().filter_map(|(wanted, service, children)| {
        Some((resource_type(children)?, children.rsplit_once('/')?.1, wanted, service, *children))
    });
    let children = children.flat_map(|(known, collection, wanted, service, children)| {
        let read = move |id: ResourceId| async move {
            let items = client.list(&format!("{id}/{collection}"), known.api_version, "").await?;
            let names =
                items.iter().filter_map(|item| Some(ResourceId::new(item.get("id")?.as_str()?).name().to_owned()));
            Ok(((id, children), names.collect::<Vec<String>>()))
        };
        index.published(wanted, service).into_iter().map(read)
    });
    let children = read_all(children.collect()).await?;
    index.children.extend(children);

    let permissions = needs.permissions.iter().flat_map(|(wanted, service)| {
        let read = |id: ResourceId| async move { Ok((permissions_of(client, &id).await?, id)) };
        index.published(wanted, service).into_iter().map(read)
    });
    let permissions = read_all(permissions.collect()).await?;
    index.permissions.extend(permissions.into_iter().map(|(permissions, id)| (id, permissions)));

    let own = needs.own.iter().filter_map(|(wanted, path)| {
        let (known, id) = (resource_type(wanted)?, ResourceId::new(format!("{subscription}{path}")));
        Some(async move {
            let found = match known.listing {
                Listing::ListAction => client.action(&format!("{id}/list"), known.api_version).await?,
                Listing::Single | Listing::InGroup | Listing::InParent => {
                    client.get(id.as_str(), known.api_version).await?
                }
            };
            Ok((found, id))
        })
    });
    let own = read_all(own.collect()).await?;
    index.own.extend(own.into_iter().filter_map(|(found, id)| Some((id, found?))));
    Ok(Services::Read(Box::new(index)))
}

/// Reads the permissions of the caller on a resource.
///
/// # Errors
/// The request that fails.
async fn permissions_of(client: &ArmClient, id: &ResourceId) -> Result<Vec<Value>, ArmError> {
    const API_VERSION: &str = "2022-04-01";
    client.list(&format!("{id}/providers/Microsoft.Authorization/permissions"), API_VERSION, "").await
}

/// What the reads give, in the order in which they end.
async fn read_all<T>(reads: Vec<impl Future<Output = Result<T, ArmError>>>) -> Result<Vec<T>, ArmError> {
    stream::iter(reads).buffer_unordered(READS_AT_ONCE).try_collect().await
}

/// A listing filtered by tag. Azure documents that such a listing may leave the tags out; then the whole is listed.
async fn tagged_items(
    client: &ArmClient,
    path: &str,
    tag_key: &str,
    api_version: &str,
) -> Result<Vec<Value>, ArmError> {
    let quoted = tag_key.replace('\'', "''");
    let filter =
        percent_encoding::utf8_percent_encode(&format!("tagName eq '{quoted}'"), percent_encoding::NON_ALPHANUMERIC)
            .to_string();
    let items = client.list(path, api_version, &format!("$filter={filter}")).await?;
    if items.iter().all(|item| item.get("tags").is_some_and(Value::is_object)) {
        return Ok(items);
    }
    client.list(path, api_version, "").await
}
