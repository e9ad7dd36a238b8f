//! The actions of a POST, and the questions of a GET of a word that is no collection.

use super::{
    Companion, api_management, front_door_endpoints, keyvault, network_interfaces, of, properties_mut,
    public_addresses, site_config, sites, storage, virtual_networks,
};
use crate::path::ResourceId;
use crate::policies;
use crate::query::Query;
use crate::reply::{Answer, Refusal};
use crate::state::{Body, State};
use serde_json::Value;

/// A POST to an action of a resource or provider.
pub(crate) struct Call<'a> {
    /// The resource, or the subscription when the action is the provider's.
    pub(crate) id: &'a ResourceId,
    pub(crate) body: &'a Value,
    pub(crate) state: &'a State,
}

/// Answers a GET of a word that is no collection.
pub(crate) type Question = fn(&State, &ResourceId, &Query) -> Result<Answer, Refusal>;
/// Answers a POST.
pub(crate) type Action = fn(&Call<'_>) -> Result<Answer, Refusal>;
/// An action and the word that calls it.
pub(super) type ActionEntry = (&'static str, Action);
/// The change that a POST makes to resources.
pub(crate) type Command = fn(&Call<'_>) -> Result<Vec<Companion>, Refusal>;
/// A command and the word that calls it. It is answered by the action of the same word, and with nothing where there is none.
pub(super) type CommandEntry = (&'static str, Command);

/// POST actions of a provider in a subscription: namespace, word, function.
static PROVIDER_ACTIONS: &[(&str, ActionEntry)] = &[
    ("Microsoft.Storage", ("checkNameAvailability", storage::check_name_availability)),
    ("Microsoft.KeyVault", ("checkNameAvailability", keyvault::check_name_availability)),
    ("Microsoft.Cdn", ("checkNameAvailability", front_door_endpoints::check_endpoint_name)),
    ("Microsoft.ApiManagement", ("checkNameAvailability", api_management::check_name_availability)),
    ("Microsoft.Cdn", ("checkEndpointNameAvailability", front_door_endpoints::check_name_availability)),
    ("Microsoft.Web", ("checkNameAvailability", sites::check_name_availability)),
    ("Microsoft.PolicyInsights", ("checkPolicyRestrictions", policies::check_restrictions)),
];

/// The answers to a GET of a word below a type: type, word, function.
static QUESTIONS: &[(&str, &str, Question)] = &[
    ("Microsoft.Network/locations", "CheckDnsNameAvailability", public_addresses::is_label_free),
    (virtual_networks::NETWORK, "CheckIPAddressAvailability", network_interfaces::is_address_free),
];

/// The action of a POST to `<id>/<word>`; none where the type has no such action.
pub(crate) fn action(id: &ResourceId, word: &str) -> Option<Action> {
    let (_, action) = of(id).actions.iter().find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    Some(*action)
}

/// The resource that has to be there for an action: publishing credentials are there with their app.
pub(crate) fn needed_for_action(id: &ResourceId) -> ResourceId {
    let is_credentials = id.name().eq_ignore_ascii_case(site_config::PUBLISHING_CREDENTIALS);
    if is_credentials && id.type_name().to_lowercase().ends_with("/config") { id.parent() } else { id.clone() }
}

/// The answer to a GET of `<id>/<word>`, where the word is of a question and not of a collection.
pub(crate) fn question(id: &ResourceId, word: &str) -> Option<Question> {
    let type_name = id.type_name();
    let asked = |entry: &&(&str, &str, Question)| {
        entry.0.eq_ignore_ascii_case(&type_name) && entry.1.eq_ignore_ascii_case(word)
    };
    QUESTIONS.iter().find(asked).map(|(.., question)| *question)
}

/// The resource that is called, changed.
pub(super) fn changed(call: &Call<'_>, change: impl FnOnce(&mut Body)) -> Vec<Companion> {
    let mut body = call.state.get(&call.id.key()).map(|resource| resource.body.clone()).unwrap_or_default();
    properties_mut(&mut body).map(change);
    vec![Companion::Put(body)]
}

/// The change that a POST to `<id>/<word>` makes to the resource; none where the type has no such command.
pub(crate) fn command(id: &ResourceId, word: &str) -> Option<Command> {
    let (_, command) = of(id).commands.iter().find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    Some(*command)
}

/// The action of a POST to `/subscriptions/<id>/providers/<namespace>/<word>`.
pub(crate) fn provider_action(namespace: &str, word: &str) -> Option<Action> {
    let (_, (_, action)) = PROVIDER_ACTIONS
        .iter()
        .find(|(provider, (name, _))| provider.eq_ignore_ascii_case(namespace) && name.eq_ignore_ascii_case(word))?;
    Some(*action)
}
