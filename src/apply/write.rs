//! The writes of approved changes. A resource that was read some time ago is read again before each try, because somebody may have been
//! asked for minutes, or another operation may have had it: what others changed meanwhile is not undone.

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::body::{completed, values};
use super::sightings::Sighting;
use crate::azure::{ArmClient, ArmError, Listing, ResourceType, Write, Writing};
use crate::plan::{Approved, Change, kept_meanwhile, still_to_go};
use crate::world::look_again;

/// A body that is put over what is there.
pub(super) struct Put<'a> {
    client: &'a ArmClient,
    change: &'a Change,
    kind: &'static ResourceType,
    /// The wanted properties of the resource, and the whole body.
    wanted: &'a Value,
    body: &'a Value,
    /// Whether people are told what stays as somebody else changed it.
    tells: bool,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    /// As the plan saw it.
    seen: Sighting<'a>,
    /// As it was found later.
    found: Option<Option<Value>>,
    read_at: Option<Instant>,
    /// `wanted` and `body` with the values of other resources.
    completed: Option<(Value, Value)>,
    was_sent: bool,
}

impl<'a> Put<'a> {
    /// The write of a change.
    pub(super) fn of(
        client: &'a ArmClient,
        change: &'a Change,
        kind: &'static ResourceType,
        body: &'a Value,
        seen: Sighting<'a>,
    ) -> Put<'a> {
        let wanted = change.wanted.as_ref().unwrap_or(body);
        let state = State { read_at: seen.at, seen, found: None, completed: None, was_sent: false };
        Put { client, change, kind, wanted, body, tells: true, state: Mutex::new(state) }
    }

    /// The write of the step before a change.
    pub(super) fn first(
        client: &'a ArmClient,
        change: &'a Change,
        kind: &'static ResourceType,
        body: &'a Value,
        seen: Sighting<'a>,
    ) -> Put<'a> {
        Put { wanted: body, tells: false, ..Put::of(client, change, kind, body, seen) }
    }

    /// Whether a try was sent. If none was, somebody else made the resource what is wanted.
    pub(super) async fn was_sent(&self) -> bool {
        self.state.lock().await.was_sent
    }

    async fn step(&self, overtaken: bool) -> Result<Writing, ArmError> {
        let mut state = self.state.lock().await;
        if state.completed.is_none() {
            let values = values(self.client, &self.change.references).await?;
            let completed = |body: &Value| completed(body, &self.change.references, &values);
            state.completed = Some((completed(self.wanted), completed(self.body)));
        }
        // Others write into app settings all the time.
        let is_shared = self.kind.listing == Listing::ListAction && state.found.is_none();
        let is_old = state.read_at.is_some_and(|at| !self.client.is_fresh(at));
        if overtaken || is_shared || is_old {
            state.read_at = Some(Instant::now());
            let found = look_again(self.client, &self.change.id, self.kind).await?;
            let secrets = found.as_ref().map(|found| self.kind.secrets_of(found)).unwrap_or_default();
            secrets.into_iter().for_each(|secret| self.client.announce_secret(secret));
            state.found = Some(found);
        }
        self.decide(&mut state)
    }

    /// Decides by what was found last, or by what the plan saw where nothing was looked at again.
    fn decide(&self, state: &mut State<'_>) -> Result<Writing, ArmError> {
        let Some((wanted, body)) = &state.completed else { return Ok(Writing::Done(None)) };
        let etag = |body: Option<&Value>| {
            let etag = body.filter(|_| self.kind.checks_etag)?.get("etag")?.as_str()?;
            Some(etag.to_owned())
        };
        let seen = state.seen.body.as_deref();
        let Some(now) = &state.found else {
            let writing = Writing::Send { body: Some(body.clone()), etag: etag(seen) };
            state.was_sent = true;
            return Ok(writing);
        };
        let keep_existing = self.change.keep_existing;
        let approved = Approved { kind: self.kind, wanted, body, keep_existing, was_sent: state.was_sent };
        let left = approved.left(seen, now.as_ref())?;
        if !left.kept.is_empty() && self.tells && !state.was_sent {
            self.client.warn(kept_meanwhile(self.change, &left.kept));
        }
        let Some(body) = left.body else { return Ok(Writing::Done(now.clone())) };
        let writing = Writing::Send { body: Some(body), etag: etag(now.as_ref()) };
        state.was_sent = true;
        Ok(writing)
    }
}

impl Write for Put<'_> {
    fn next(&self, overtaken: bool) -> BoxFuture<'_, Result<Writing, ArmError>> {
        Box::pin(self.step(overtaken))
    }
}

/// A deletion of what is still as the plan saw it.
pub(super) struct Delete<'a> {
    pub(super) client: &'a ArmClient,
    pub(super) change: &'a Change,
    pub(super) seen: Sighting<'a>,
}

impl Delete<'_> {
    async fn step(&self) -> Result<Writing, ArmError> {
        let go = Writing::Send { body: None, etag: None };
        let (Some(kind), Some(seen)) = (self.change.resource_type.known, &self.seen.body) else { return Ok(go) };
        if !self.seen.is_old(self.client) {
            return Ok(go);
        }
        match look_again(self.client, &self.change.id, kind).await? {
            Some(now) => still_to_go(kind, seen, &now).map(|()| go),
            None => Ok(Writing::Done(None)),
        }
    }
}

impl Write for Delete<'_> {
    fn next(&self, _: bool) -> BoxFuture<'_, Result<Writing, ArmError>> {
        Box::pin(self.step())
    }
}
