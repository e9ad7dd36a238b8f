//! Takes what somebody else changed since the plan was made into account: of what is wanted, only what was approved as a change counts.
//! The rest is as it is now.

use serde_json::{Map, Value};

use super::compare::{At, compare, is_empty};
use crate::azure::ResourceType;
use crate::desired::body::member_of;
use crate::desired::items::{Pair, have_keys, pairs};

/// A property that somebody else changed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Changed {
    /// Path in the body, as plans show it.
    pub(super) path: String,
    /// As the plan saw it.
    pub(super) before: Option<Value>,
    /// As it is now.
    pub(super) now: Option<Value>,
}

/// The wanted body, seen from how the resource is now.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Rebased {
    /// The values that are to be put over those that are there now.
    pub(super) wanted: Value,
    /// The values that are wanted otherwise, were so when the plan was made, and stay as they are now.
    pub(super) kept: Vec<Changed>,
    /// The values that were to be changed and are no longer as the plan saw them.
    pub(super) conflicts: Vec<Changed>,
}

/// A resource, or a part of one, at different times. `sendable` is what is there now without what Azure sets by itself.
#[derive(Clone, Copy)]
struct Times<'a> {
    seen: Option<&'a Value>,
    now: Option<&'a Value>,
    sendable: Option<&'a Value>,
}

/// The rest of `wanted`, which was compared with `seen`, where `now` is there.
pub(super) fn rebase(kind: &ResourceType, wanted: &Value, seen: &Value, now: &Value, sendable: &Value) -> Rebased {
    let mut rebase = Rebase { kind, rebased: Rebased::default() };
    let times = Times { seen: Some(seen), now: Some(now), sendable: Some(sendable) };
    let wanted = rebase.part(&At::root(), wanted, times);
    Rebased { wanted: wanted.unwrap_or_else(|| Value::Object(Map::new())), ..rebase.rebased }
}

struct Rebase<'a> {
    kind: &'a ResourceType,
    rebased: Rebased,
}

impl Rebase<'_> {
    /// The rest of a wanted value; none where there is to be none.
    fn part(&mut self, at: &At, wanted: &Value, times: Times<'_>) -> Option<Value> {
        let present = |value: Option<&Value>| value.is_some_and(|value| !value.is_null());
        if times.seen == times.now || !present(times.seen) && !present(times.now) {
            return Some(wanted.clone());
        }
        let are = |is: fn(&Value) -> bool| {
            [times.seen, times.now].into_iter().all(|value| !present(value) || value.is_some_and(is))
        };
        match wanted {
            Value::Object(members) if are(Value::is_object) => self.members(at, members, times),
            Value::Array(items) if are(Value::is_array) && self.tells_items_apart(at, items, times) => {
                Some(Value::Array(self.items(at, items, times)))
            }
            _ => self.value(at, wanted, times),
        }
    }

    fn members(&mut self, at: &At, wanted: &Map<String, Value>, times: Times<'_>) -> Option<Value> {
        let mut left = Map::new();
        for (key, member) in wanted {
            if let Some(member) = self.part(&at.member(key), member, times.member(key)) {
                left.insert(key.clone(), member);
            }
        }
        if at.is_in(self.kind.whole) {
            let now = times.now.and_then(Value::as_object).into_iter().flatten();
            for (key, now) in now.filter(|(key, _)| member_of(wanted, key).is_none()) {
                if let Some(member) = self.unwanted(at.member(key), now, times.member(key)) {
                    left.insert(key.clone(), member);
                }
            }
        }
        (!left.is_empty() || times.now.is_some()).then_some(Value::Object(left))
    }

    fn items(&mut self, at: &At, wanted: &[Value], times: Times<'_>) -> Vec<Value> {
        let list = |value: Option<&'_ Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (seen, now, sendable) = (list(times.seen), list(times.now), list(times.sendable));
        let of = |known| pairs(self.kind, at.pattern(), wanted, known).unwrap_or_default();
        let (seen, now, sendable) = (of(&seen), of(&now), of(&sendable));
        let mut left = Vec::new();
        for pair in &now {
            let found = Times { seen: known_as(&seen, pair), now: pair.known, sendable: known_as(&sendable, pair) };
            let at = at.item(&pair.label);
            left.extend(match (pair.wanted, pair.known) {
                (Some(wanted), None) if found.seen.is_some() => self.value(&at, wanted, found),
                (Some(wanted), _) => self.part(&at, wanted, found),
                (None, Some(now)) => self.unwanted(at, now, found),
                (None, None) => None,
            });
        }
        left
    }

    /// The rest of something that is there now and not wanted: nothing where it was there before, because then it was to go.
    fn unwanted(&mut self, at: At, now: &Value, times: Times<'_>) -> Option<Value> {
        match times.seen {
            None => {
                self.rebased.kept.push(at.changed(times));
                times.sendable.or(Some(now)).cloned()
            }
            Some(seen) => {
                if self.differs(&at, seen, Some(now)) {
                    self.rebased.conflicts.push(at.changed(times));
                }
                None
            }
        }
    }

    /// The rest of a value that is compared whole.
    fn value(&mut self, at: &At, wanted: &Value, times: Times<'_>) -> Option<Value> {
        if !self.differs(at, wanted, times.now) {
            return Some(wanted.clone());
        }
        if !self.differs(at, wanted, times.seen) {
            self.rebased.kept.push(at.clone().changed(times));
            return times.sendable.or(times.now).cloned();
        }
        let is_as_seen = match (times.seen, times.now) {
            (Some(seen), Some(now)) => !self.differs(at, seen, Some(now)),
            (None, Some(value)) | (Some(value), None) => is_empty(value),
            (None, None) => true,
        };
        if !is_as_seen {
            self.rebased.conflicts.push(at.clone().changed(times));
        }
        Some(wanted.clone())
    }

    fn differs(&self, at: &At, wanted: &Value, known: Option<&Value>) -> bool {
        let mut found = Vec::new();
        compare(self.kind, at.clone(), wanted, known, &mut found);
        !found.is_empty()
    }

    /// Whether the items of a list can be followed from one time to the other.
    fn tells_items_apart(&self, at: &At, wanted: &[Value], times: Times<'_>) -> bool {
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (seen, now) = (list(times.seen), list(times.now));
        let of_objects = [wanted, &seen, &now].into_iter().flatten().all(Value::is_object);
        let have_keys = |items: &[Value]| have_keys(self.kind, at.pattern(), items);
        let by_key = have_keys(wanted) && have_keys(&seen) && have_keys(&now);
        of_objects && (by_key || seen.len() == now.len())
    }
}

impl<'a> Times<'a> {
    fn member(self, key: &str) -> Times<'a> {
        let of =
            |value: Option<&'a Value>| value.and_then(Value::as_object).and_then(|members| member_of(members, key));
        Times { seen: of(self.seen), now: of(self.now), sendable: of(self.sendable) }
    }
}

impl At {
    fn changed(self, times: Times<'_>) -> Changed {
        Changed { path: self.shown().to_owned(), before: times.seen.cloned(), now: times.now.cloned() }
    }
}

/// The value that another list has in the place of an item.
fn known_as<'a>(pairs: &[Pair<'a>], item: &Pair<'_>) -> Option<&'a Value> {
    pairs.iter().find(|pair| pair.label.eq_ignore_ascii_case(&item.label)).and_then(|pair| pair.known)
}
