//! The private endpoints that a storage account declares.

use super::Document;
use super::account::Account;
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::private_link::{Defaults, Owner, add_nested};
use crate::commands::shared::service::{Named, NetworkDependencies};
use crate::commands::shared::wanted::Wanted;

impl Account<'_> {
    /// Adds the endpoints of the account.
    pub(super) fn add_endpoints(&self, compilation: &mut Compilation<'_>) {
        let Document { settings, root, group, .. } = self.document;
        let none = NetworkDependencies::default();
        let dependencies = settings.service.dependencies().unwrap_or(&none);
        let publish = settings.service.publish();
        // A group found by one name and published under another keeps the first, so it cannot be found by the second: that is the name
        // of another group, or of none.
        let published = publish.and_then(|publish| publish.resource_group.as_ref());
        let (own, other) = if dependencies.resource_group.is_none() { (published, None) } else { (None, published) };
        let groups: Vec<_> = own.map(|name| (name.clone(), group.clone())).into_iter().collect();
        let elsewhere = |compilation: &mut Compilation<'_>| {
            let place = root.dotted("service.publish.resourceGroup");
            let found = compilation.find(Wanted::GROUP).published_as(other?, &place).one_known();
            found.map(|found| found.id)
        };
        let defaults = Defaults {
            dependencies,
            publish: publish.and_then(|publish| publish.private_endpoint.as_ref()),
            groups: &groups,
            root,
            tagged: false,
        };
        let owner = Owner {
            endpoints: self.said.private_endpoints.as_ref(),
            name: self.id.name(),
            group_id: None,
            id: &self.id,
            origin: "../../storageAccountName",
            group: &|compilation| elsewhere(compilation).unwrap_or_else(|| group.clone()),
            location: &self.location,
            place: &self.place,
        };
        add_nested(&owner, &defaults, compilation);
    }
}
