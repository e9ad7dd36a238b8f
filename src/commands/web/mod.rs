//! New-SvcPaasWeb: web apps with slots, function apps, CDNs and API management, and the front door before them.

mod content_delivery;
mod front_door;
mod profile;
mod settings;
mod solutions;

use self::settings::WebSettings;
use super::Settings;
use super::compilation::Compilation;
use crate::azure::{ResourceId, ResourceType};
use crate::plan::Source;
use crate::settings::Place;

/// Something that a pool of the front door sends requests to.
#[derive(Debug, Clone)]
struct Backend {
    /// The pool, as the backend names it.
    pool: String,
    /// Its name in the settings, which is that of the origin.
    name: String,
    /// The web app or API management service.
    id: ResourceId,
    /// The facts of its type.
    resource_type: &'static ResourceType,
    /// Where Azure says under which host name it answers. It is never guessed.
    host: Source,
    /// Whether it is asked for by that host name.
    host_header: bool,
    /// Its share among backends of one priority.
    weight: i64,
    /// Backends of a lower number are asked first.
    priority: i64,
    /// The object that describes it.
    place: Place,
}

impl Settings for WebSettings {
    fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }

    fn compile(&self, root: &Place, compilation: &mut Compilation<'_>) {
        let mut backends = Vec::new();
        solutions::compile(self, root, &mut backends, compilation);
        front_door::compile(self, root, &backends, compilation);
    }
}
