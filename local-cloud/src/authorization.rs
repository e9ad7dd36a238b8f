//! The authorization of a client, as Azure has it: permissions, and the role assignments that hold for a scope.

use super::path::ResourceId;
use super::pending_faults::Faults;
use super::reply::{Answer, Refusal};
use super::resource_types::collections::role_name;
use super::state::{Body, Resource};
use serde_json::{Value, json};

/// The namespace, and the word that asks for permissions.
pub(super) const NAMESPACE: &str = "Microsoft.Authorization";
pub(super) const PERMISSIONS: &str = "permissions";

/// The answer to `GET {scope}/providers/Microsoft.Authorization/permissions`: everything, unless a fault says less.
pub(super) fn permissions(faults: &Faults, url: &str) -> Answer {
    let (actions, not_actions) =
        faults.for_permissions("GET", url).unwrap_or_else(|| (vec!["*".to_owned()], Vec::new()));
    let permission = json!({"actions": actions, "notActions": not_actions, "dataActions": [], "notDataActions": []});
    Answer::json(200, json!({"value": [permission]}))
}

/// The role assignments of a listing: those at a scope, above it and, unless `atScope()` is asked for, below it; of one
/// principal where it is named.
pub(super) struct Assignments {
    scope: String,
    at_scope: bool,
    principal: Option<String>,
}

impl Assignments {
    /// Reads `$filter`: `atScope()`, `principalId eq '...'` and `assignedTo('...')`, joined by `and`.
    pub(super) fn parse(scope: &ResourceId, filter: Option<&str>) -> Result<Assignments, Refusal> {
        let mut assignments = Assignments { scope: scope.key(), at_scope: false, principal: None };
        for part in filter.into_iter().flat_map(|filter| filter.split(" and ")).map(str::trim) {
            let lower = part.to_lowercase();
            let quoted = |before: &str, after: &str| {
                lower.strip_prefix(before)?.trim().strip_prefix('\'')?.strip_suffix(after).map(str::to_owned)
            };
            if lower == "atscope()" {
                assignments.at_scope = true;
            } else if let Some(principal) = quoted("principalid eq", "'").or_else(|| quoted("assignedto(", "')")) {
                assignments.principal = Some(principal);
            } else {
                return Err(Refusal::bad_request("BadRequestFormat", format!("The filter '{part}' is not supported.")));
            }
        }
        Ok(assignments)
    }

    /// Whether an assignment with this key is meant.
    pub(super) fn have(&self, key: &str, assignment: &Resource) -> bool {
        let Some(scope) = ResourceId::parse(key).map(|id| id.parent().key()) else { return false };
        let within = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
        let at = scope == self.scope || within(&scope, &self.scope) || !self.at_scope && within(&self.scope, &scope);
        let principal = assignment.body.get("properties").and_then(|properties| properties.get("principalId"));
        let principal = principal.and_then(Value::as_str).unwrap_or_default();
        at && self.principal.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(principal))
    }
}

/// The role definitions of a listing: all, or the one of a name. Every one of any other collection.
pub(super) struct Roles(Option<String>);

impl Roles {
    /// Reads `$filter`: `roleName eq '...'`, `type eq 'BuiltInRole'` and `atScopeAndBelow()`, which is meant without it too.
    pub(super) fn parse(word: &str, filter: Option<&str>) -> Result<Roles, Refusal> {
        let Some(filter) = filter.filter(|_| word.eq_ignore_ascii_case("roleDefinitions")) else {
            return Ok(Roles(None));
        };
        let mut name = None;
        for part in filter.split(" and ").map(str::trim) {
            match part.split_once(" eq ") {
                Some((member, value)) if member.eq_ignore_ascii_case("roleName") => {
                    name = Some(value.trim().trim_matches('\'').to_owned());
                }
                Some((member, "'BuiltInRole'")) if member.eq_ignore_ascii_case("type") => {}
                None if part.eq_ignore_ascii_case("atScopeAndBelow()") => {}
                _ => {
                    let message = format!("The filter '{part}' is not supported.");
                    return Err(Refusal::bad_request("BadRequestFormat", message));
                }
            }
        }
        Ok(Roles(name))
    }

    /// Whether an item is meant.
    pub(super) fn have(&self, item: &Body) -> bool {
        self.0.as_ref().is_none_or(|name| role_name(item).is_some_and(|role| role.eq_ignore_ascii_case(name)))
    }
}
