//! Web apps with their slots.

use super::app::{self, Insights};
use super::app_settings::{self, AppSettings};
use super::plan::Plan;
use super::settings::{Slot, SlotEntry, WebApp};
use super::solutions::{Connected, Solution};
use super::stacks::Runner;
use super::{Backend, Routing, content_delivery};
use crate::azure::ResourceId;
use crate::azure::types::{SLOT, WEB_APP, private_link};
use crate::commands::shared::compilation::Compilation;
use crate::commands::shared::service::Named;
use crate::desired::{Desired, Source};
use crate::naming::{Architecture, NameRequest, ResourceKind};
use crate::protocol::FindingCode;
use crate::settings::Place;

/// The kind of a new app.
const KIND: &str = "app,linux";

/// The slot that an app itself is.
const PRODUCTION: &str = "production";

/// The most letters of the name of an app and that of its slot with a hyphen between them: they are one label of a host name
/// (RFC 1035).
const LONGEST_HOST_LABEL: usize = 63;

/// The word in a list without slots.
const NO_SLOT: &str = "none";

/// The settings that the properties of an app come from.
const ORIGINS: &[(&str, &str)] = &[
    ("location", "../../region"),
    ("properties.serverFarmId", "../../name"),
    ("properties.siteConfig.linuxFxVersion", "runTime"),
];
/// The same for slots, which are below their app.
const SLOT_ORIGINS: &[(&str, &str)] = &[
    ("name", ""),
    ("name", "name"),
    ("location", "../../../../region"),
    ("properties.serverFarmId", "../../../../name"),
    ("properties.siteConfig.linuxFxVersion", "../../runTime"),
];

/// The property in which Azure says under which host name an app answers.
const HOST: Source = Source::Property("properties.defaultHostName");

/// The facts that the app and its slots have alike.
struct Run<'a> {
    app: &'a WebApp,
    id: &'a ResourceId,
    stack: &'a str,
    insights: &'a Insights,
    place: &'a Place,
    plan: &'a Plan,
    solution: &'a Solution<'a>,
}

/// Adds an app with its slots, its CDN and its private endpoints.
pub(super) fn compile(
    app: &WebApp,
    place: &Place,
    plan: &Plan,
    solution: &Solution<'_>,
    backends: &mut Vec<Backend>,
    compilation: &mut Compilation<'_>,
) {
    let request = NameRequest::new(ResourceKind::WebApp, &app.name, Architecture::Paas, Some(&plan.location));
    let name = compilation.name(&WEB_APP, &request, &place.dotted("name"));
    let id = &WEB_APP.child_of(&solution.group, &name);
    let stack = app::stack(&app.run_time, Runner::WebApp, &place.dotted("runTime"), compilation);
    let insights = &app::insights(app.enable_app_insight, place, plan, solution, compilation);
    let run = Run { app, id, stack, insights, place, plan, solution };
    let publish = solution.publish(
        "service.publish.webapp",
        app.service.publish().and_then(|publish| publish.webapp.as_ref()),
        place,
        solution.settings.service.publish.webapp.as_ref(),
    );
    compilation.add(Desired {
        creation_body: app::creation_body(KIND),
        tags: compilation.tags(publish.as_ref()),
        depends_on: vec![plan.id.clone()],
        origins: ORIGINS.to_vec(),
        ..Desired::new(id.clone(), &WEB_APP, app::with_stack(app::body(plan), stack), place.clone())
    });
    run.settings(id, "enableAppInsight", place, compilation);
    run.slots(compilation);
    let endpoints = app.private_endpoints.as_ref();
    solution.add_endpoints(&Connected { endpoints, name: &app.name, group_id: "sites", id, plan, place }, compilation);
    run.content_delivery(compilation);
    let routing = Routing {
        pool: app.backendpool.clone(),
        host_header: app.backend_host_header,
        weight: app.weight,
        priority: app.priority,
    };
    backends.push(Backend {
        routing,
        name: app.name.clone(),
        id: id.clone(),
        resource_type: &WEB_APP,
        host: HOST,
        place: place.clone(),
    });
}

impl Run<'_> {
    /// Adds the settings of the app or of a slot: both report, so that they may be swapped.
    fn settings(&self, app: &ResourceId, origin: &'static str, place: &Place, compilation: &mut Compilation<'_>) {
        let mut settings = AppSettings { origins: app::insights_origins(origin), ..AppSettings::default() };
        self.insights.set(true, app, &mut settings, compilation);
        app_settings::add(settings, app, self.id, place, compilation);
    }

    fn content_delivery(&self, compilation: &mut Compilation<'_>) {
        let Some(cdn) = &self.app.content_delivery_network else { return };
        let place = self.place.dotted("contentDeliveryNetwork");
        let behind = content_delivery::App { id: self.id, resource_type: &WEB_APP, host: HOST };
        let publish = &self.solution.settings.service.publish;
        content_delivery::compile(cdn, &place, &behind, publish, self.solution.root, compilation);
    }

    fn slots(&self, compilation: &mut Compilation<'_>) {
        let list = self.place.dotted("slots");
        let mut count = 0;
        for (index, entry) in entries(self.app.slots.as_deref().unwrap_or_default()).iter().enumerate() {
            let place = list.index(index);
            let only_name;
            let slot = match entry {
                SlotEntry::Slot(slot) => slot,
                SlotEntry::Name(name) => {
                    only_name = Slot { name: name.clone(), service: None, private_endpoints: None };
                    &only_name
                }
            };
            if slot.name.eq_ignore_ascii_case(PRODUCTION) {
                production(slot, &place, compilation);
                continue;
            }
            count += 1;
            let name_place = if matches!(entry, SlotEntry::Name(_)) { place.clone() } else { place.dotted("name") };
            self.slot(slot, &place, &name_place, compilation);
        }
        self.plan.check_slots(count, &list, compilation);
    }

    fn slot(&self, slot: &Slot, place: &Place, name_place: &Place, compilation: &mut Compilation<'_>) {
        compilation.check_name(&SLOT, &slot.name, name_place);
        let id = SLOT.child_of(self.id, &slot.name);
        let label = format!("{}-{}", self.id.name(), slot.name);
        // An existing slot has its host name, whatever the rule was when it was made.
        if label.len() > LONGEST_HOST_LABEL && compilation.before(&SLOT, &id).is_none() {
            let message = format!(
                "the host name of a slot begins with '{label}', which has {} characters, and Azure takes {LONGEST_HOST_LABEL}; use a shorter name for the slot or the app",
                label.len()
            );
            compilation.finding(name_place.clone(), FindingCode::NameRefused, message);
        }
        let publish = self.solution.publish(
            "service.publish.slot",
            slot.service.publish().and_then(|publish| publish.slot.as_ref()),
            place,
            self.solution.settings.service.publish.slot.as_ref(),
        );
        compilation.add(Desired {
            // An existing slot may be about to become the app with another runtime.
            creation_body: app::with_stack(app::creation_body(KIND), self.stack),
            tags: compilation.tags(publish.as_ref()),
            depends_on: vec![self.plan.id.clone()],
            // Azure refuses two writes that concern one app.
            lock: Some(self.id.clone()),
            origins: SLOT_ORIGINS.to_vec(),
            ..Desired::new(id.clone(), &SLOT, app::body(self.plan), place.clone())
        });
        self.settings(&id, "../../enableAppInsight", place, compilation);
        let connected = Connected {
            endpoints: slot.private_endpoints.as_ref(),
            name: &slot.name,
            group_id: &private_link::slot_group_id(&slot.name),
            id: self.id,
            plan: self.plan,
            place,
        };
        self.solution.add_endpoints(&connected, compilation);
    }
}

/// The slots of a list, which has none where its only item says so.
fn entries(list: &[SlotEntry]) -> &[SlotEntry] {
    let name = match list {
        [SlotEntry::Name(name)] => name,
        [SlotEntry::Slot(slot)] if slot.service.is_none() && slot.private_endpoints.is_none() => &slot.name,
        _ => return list,
    };
    if name.trim().eq_ignore_ascii_case(NO_SLOT) { &[] } else { list }
}

/// A slot that is called like the app itself.
fn production(slot: &Slot, place: &Place, compilation: &mut Compilation<'_>) {
    if slot.service.publish().is_some_and(|publish| publish.slot.is_some()) || slot.private_endpoints.is_some() {
        let message = format!(
            "'{}' is the app itself, so its settings cannot be those of a slot; put them at the app",
            slot.name
        );
        compilation.finding(place.clone(), FindingCode::NameReserved, message);
    } else {
        compilation.warning(place, format!("'{}' is the app itself, not a slot; it is skipped", slot.name));
    }
}
