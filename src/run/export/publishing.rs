//! Writes the publish names that documents lack, as tags of what they depend on: a plan that is asked for like any other.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;

use super::reader::Reader;
use crate::apply::{Record, report_of};
use crate::azure::types::resource_type;
use crate::azure::{ArmClient, ResourceId};
use crate::plan::{Plan, TypeFacts, failure, publishing};
use crate::protocol::{Code, Host, MadeWith, Message, Target};
use crate::run::failure::{self as failures, Failure};
use crate::settings::{Document, Place, SettingsPath};
use crate::world::Reads;

/// The number of looks whether Azure lists a new tag, and the pause between two looks: its lists are minutes late at worst.
const MOST_LOOKS: usize = 12;
const PAUSE: Duration = Duration::from_secs(5);

/// The asking and the writing of publish names.
pub(super) struct Publishing<'a> {
    pub(super) client: &'a ArmClient,
    pub(super) target: Option<&'a Target>,
    pub(super) made_with: MadeWith,
    /// The plan is only shown.
    pub(super) is_what_if: bool,
    pub(super) host: &'a Host,
    pub(super) record: &'a Record,
    /// The resources that were asked for already; nobody is asked twice.
    pub(super) asked: HashSet<ResourceId>,
}

impl Publishing<'_> {
    /// Asks for the publish names that the documents of a reader lack, and writes those that are approved. Returns whether there are any, so
    /// that the documents are others now.
    ///
    /// # Errors
    /// A tag cannot be written; those before it are.
    pub(super) async fn publish(&mut self, reader: &mut Reader<'_>) -> Result<bool, Failure> {
        let key = reader.project.run.service_tag_key.clone();
        reader.unpublished.retain(|id| self.asked.insert(id.clone()));
        let (names, plan) = plan(reader, &key)?;
        if plan.changes.is_empty() {
            return Ok(false);
        }
        let approved = self.host.confirm(self.target.cloned(), self.made_with.clone(), plan.actions()).await;
        if self.host.cancellation().is_cancelled() {
            return Err(failures::failure(Code::InternalError, "The export was stopped."));
        }
        let approved: HashSet<usize> = approved.into_iter().filter(|_| !self.is_what_if).collect();
        let chosen = || plan.changes.iter().zip(&names).enumerate().filter(|(index, _)| approved.contains(index));
        for (_, (change, name)) in chosen() {
            let begun = Instant::now();
            let written = self.client.add_tags(&change.id, &json!({ &key: name })).await;
            written.map_err(|error| Box::new(failure(change, &error)))?;
            self.record.changed();
            self.host.send(Message::Resource(report_of(change, begun.elapsed())));
        }
        if approved.is_empty() {
            return Ok(false);
        }
        let ids: Vec<&ResourceId> = chosen().map(|(_, (change, _))| &change.id).collect();
        self.wait_until_listed(&ids, reader).await?;
        Ok(true)
    }

    /// Reads everything once more, until Azure lists the new names.
    async fn wait_until_listed(&self, ids: &[&ResourceId], reader: &mut Reader<'_>) -> Result<(), Failure> {
        for look in 0..MOST_LOOKS {
            if look > 0 {
                let why = || "The publish names are written; waiting until Azure lists them.".to_owned();
                self.client.wait_at_most(PAUSE, why).await;
            }
            reader.begin_again(Reads::new(self.client.clone())).await?;
            if ids.iter().all(|id| reader.services.publish_name(id).is_some()) {
                return Ok(());
            }
        }
        self.host.warning("Azure does not list all of the new publish names yet. Export again in a few minutes.");
        Ok(())
    }
}

/// The changes that publish what documents lack, each with its name: its own, or one with that of its group where something of its type
/// has that already.
fn plan(reader: &Reader<'_>, key: &str) -> Result<(Vec<String>, Plan), Failure> {
    let nowhere = Document::parse(None, "{}".to_owned());
    let nowhere = nowhere.map_err(|_| failures::failure(Code::InternalError, "There is no document."))?;
    let place = Place::value(&nowhere, SettingsPath::root());
    let mut taken: HashSet<(&str, String)> = HashSet::new();
    let (mut names, mut plan) = (Vec::new(), Plan::default());
    for id in &reader.unpublished {
        let Some(known) = resource_type(&id.resource_type()) else { continue };
        let is_published =
            |name: &str| reader.services.published_of(known).any(|(_, own)| own.eq_ignore_ascii_case(name));
        let own = id.name().to_lowercase();
        let with_group = format!("{own}-{}", id.resource_group().unwrap_or_default().to_lowercase());
        let numbered = (2..).map(|number| format!("{with_group}-{number}"));
        let mut candidates = [own, with_group.clone()].into_iter().chain(numbered);
        let Some(name) = candidates.find(|name| !is_published(name) && taken.insert((known.name, name.clone()))) else {
            continue;
        };
        plan.changes.push(publishing(id.clone(), TypeFacts::from(known), (key, &name), &place));
        names.push(name);
    }
    Ok((names, plan))
}
