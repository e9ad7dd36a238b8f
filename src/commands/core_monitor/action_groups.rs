//! Action groups, each with its receivers.

use serde_json::json;

use super::settings::ActionGroup;
use super::{GLOBAL, Run, receivers};
use crate::azure::ResourceId;
use crate::azure::types::ACTION_GROUP;
use crate::commands::shared::compilation::{Compilation, Published};
use crate::commands::shared::service::Named;
use crate::desired::Desired;
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The longest short name (REST specification of action groups).
const LONGEST_SHORT_NAME: usize = 12;

impl Run<'_> {
    /// Adds the action groups; returns their names in the settings with their ids.
    pub(super) fn action_groups(&self, compilation: &mut Compilation<'_>) -> Vec<(&str, ResourceId)> {
        let list = self.root.dotted("actionGroups");
        self.settings
            .action_groups
            .iter()
            .flatten()
            .enumerate()
            .map(|(index, group)| (group.name.as_str(), self.action_group(group, &list.index(index), compilation)))
            .collect()
    }

    fn action_group(&self, group: &ActionGroup, place: &Place, compilation: &mut Compilation<'_>) -> ResourceId {
        let request = NameRequest::new(ResourceKind::ActionGroup, &group.name, Architecture::Core, Some(GLOBAL));
        let name = compilation.name(&ACTION_GROUP, &request, &place.dotted("name"));
        let id = ACTION_GROUP.child_of(self.group, &name);
        let length = group.shortname.chars().count();
        if length > LONGEST_SHORT_NAME {
            let message =
                format!("short names can have at most {LONGEST_SHORT_NAME} characters; this one has {length}");
            compilation.finding(place.dotted("shortname"), FindingCode::OutOfRange, message);
        }
        let mut body = json!({ "location": GLOBAL, "properties": { "groupShortName": group.shortname } });
        receivers::set(group, place, &mut body, compilation);
        let publish = Published::first(
            "service.publish.actionGroup",
            (group.service.publish().and_then(|publish| publish.action_group.as_ref()), place),
            (self.settings.service.publish.action_group.as_ref(), self.root),
        );
        compilation.add(Desired {
            // The settings do not say whether it is enabled, so one that somebody has disabled stays it.
            creation_body: json!({ "properties": { "enabled": true } }),
            tags: compilation.tags(publish.as_ref()),
            origins: std::iter::once(("properties.groupShortName", "shortname")).chain(receivers::lists()).collect(),
            ..Desired::new(id.clone(), &ACTION_GROUP, body, place.clone())
        });
        id
    }
}
