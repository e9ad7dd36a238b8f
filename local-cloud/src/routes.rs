//! From a request to its answer: which part of the local cloud a method and path belong to.

use super::deployment_paths;
use super::deployments;
use super::lists::{Lists, Paging};
use super::lookup;
use super::moment::Moment;
use super::operations::{self, Question, Surroundings};
use super::path::{ArmPath, ResourceId};
use super::pending_faults::Faults;
use super::providers;
use super::published;
use super::query::{Query, check_api_version};
use super::reply::{Answer, Refusal};
use super::resource_types::{self, Call, collections, private_link};
use super::resources::{self, Context};
use super::state::State;
use super::{OperationTime, authorization, directory, tags, telemetry};
use serde_json::{Value, json};

/// The provider of metrics, the activity log and queries.
const MONITOR: &str = "Microsoft.Insights";
const GRAPH: &str = "Microsoft.ResourceGraph";
const EVENT_TYPES: &str = "Microsoft.Insights/eventtypes";

/// A request as it came in.
pub(super) struct Request<'a> {
    /// In capitals.
    pub(super) method: &'a str,
    /// Path and query as they were sent.
    pub(super) url: &'a str,
    /// The bytes of the body.
    pub(super) body: &'a [u8],
    /// `http://127.0.0.1:8090`, as the client called it.
    pub(super) base: &'a str,
    /// The header `If-Match`.
    pub(super) if_match: Option<&'a str>,
    /// The header `x-ms-policy-external-evaluations`.
    pub(super) policy_token: Option<&'a str>,
    /// The client that sent it.
    pub(super) author: telemetry::Author<'a>,
}

/// The rules for every request.
pub(super) struct Rules<'a> {
    pub(super) faults: &'a Faults,
    pub(super) operation_time: OperationTime,
    pub(super) paging: Paging,
}

/// Carries a request out on a state that has been brought up to the present.
pub(super) fn handle(state: &mut State, request: &Request<'_>, rules: &Rules<'_>) -> Answer {
    let written = written(request);
    let before = written.as_ref().and_then(|id| state.get(&id.key())).map(|resource| resource.body.clone());
    let by_policy = rules.faults.policy_tokens().answer(request, written.as_ref());
    let answer = by_policy.unwrap_or_else(|| route(state, request, rules, Moment::now())).unwrap_or_else(Answer::from);
    if let (Some(id), Some(before), 200..=299) = (&written, before, answer.status) {
        let after = state.get(&id.key()).map(|resource| resource.body.clone());
        telemetry::record(state, id, request.method, (&before, after.as_ref()), request.author);
    }
    if request.method != "HEAD" {
        return answer;
    }
    // HEAD asks whether something is there: 204 or the status of the refusal, never a body.
    Answer { status: if answer.status == 200 { 204 } else { answer.status }, body: None, ..answer }
}

/// The resource that a request writes or deletes.
fn written(request: &Request<'_>) -> Option<ResourceId> {
    let (path, _) = request.url.split_once('?').unwrap_or((request.url, ""));
    match ArmPath::parse(path).filter(|_| matches!(request.method, "PUT" | "PATCH" | "DELETE")) {
        Some(ArmPath::Resource(id)) => Some(id),
        _ => None,
    }
}

fn route(state: &mut State, request: &Request<'_>, rules: &Rules<'_>, now: Moment) -> Result<Answer, Refusal> {
    let (path, query) = request.url.split_once('?').unwrap_or((request.url, ""));
    let query = Query::parse(query);
    if let Some(answer) = directory::answer(request.method, path, &query, request.base, now) {
        return answer;
    }
    let api_version = query.api_version()?;
    let around = Surroundings { base: request.base.to_owned(), api_version: api_version.to_owned(), now };
    let lists = |state| Lists { state, path, query: &query, paging: rules.paging, around: &around };
    let parsed = ArmPath::parse(path).ok_or_else(|| no_route(request.method, path))?;
    check_subscription(&parsed)?;
    check_namespaces(&parsed)?;
    if let Some(scoped) = deployment_paths::scoped(&parsed) {
        return deployments::handle(state, &scoped, request, rules, &around);
    }
    let method = if request.method == "HEAD" { "GET" } else { request.method };
    if let ArmPath::Within { scope, namespace, word } = &parsed
        && let Some(answer) = of_the_past(state, scope, namespace.as_deref(), word, request, rules.paging)
    {
        return answer;
    }
    match (method, parsed) {
        (_, ArmPath::Resource(id)) => resource(state, &id, request, rules, &around),
        ("GET", ArmPath::Provider { scope, namespace }) => Ok(providers::show(state, &scope, &namespace, rules.faults)),
        ("POST", ArmPath::Within { scope, namespace: Some(namespace), word })
            if scope.is_container() && scope.group.is_none() && word.eq_ignore_ascii_case("register") =>
        {
            Ok(providers::register(state, &scope, &namespace, rules.faults))
        }
        ("GET", ArmPath::Within { scope, namespace: None, word }) if scope.is_container() => {
            list_of_container(&lists(state), &scope, &word, rules, &around)?
                .ok_or_else(|| no_route(request.method, path))
        }
        // It reads like a type of children, but it is something that follows from the type.
        ("GET", ArmPath::Within { scope, namespace: None, word })
            if word.eq_ignore_ascii_case(private_link::RESOURCES) =>
        {
            check_api_version(api_version, &scope.type_name(), resource_types::find(&scope.type_name()))?;
            lookup::look_up(state, &scope)?;
            private_link::resources(state, &scope).ok_or_else(|| no_route(request.method, path))
        }
        ("GET", ArmPath::Within { scope, namespace: Some(namespace), word })
            if namespace.eq_ignore_ascii_case(authorization::NAMESPACE)
                && word.eq_ignore_ascii_case(authorization::PERMISSIONS) =>
        {
            lookup::look_up(state, &scope)?;
            Ok(authorization::permissions(rules.faults, request.url))
        }
        ("GET", ArmPath::Within { scope, namespace: Some(namespace), word })
            if scope.is_container() && scope.group.is_none() && word.eq_ignore_ascii_case("resourceTypes") =>
        {
            Ok(providers::resource_types_of(state, &namespace))
        }
        ("GET", ArmPath::Within { scope, namespace, word }) => {
            below(&lists(state), &scope, namespace.as_deref(), &word)?.ok_or_else(|| no_route(request.method, path))
        }
        ("POST", ArmPath::Within { scope, namespace, word }) => {
            rules.faults.registrations().check(namespace.as_deref().unwrap_or(scope.namespace()))?;
            post(state, &scope, namespace.as_deref(), &word, request, api_version)
        }
        _ => Err(no_route(request.method, path)),
    }
}

/// The answer to a question about the past: values of metrics, events of the activity log, a log query, who has changed what. None for other words.
fn of_the_past(
    state: &State,
    scope: &ResourceId,
    namespace: Option<&str>,
    word: &str,
    request: &Request<'_>,
    paging: Paging,
) -> Option<Result<Answer, Refusal>> {
    let (path, query) = request.url.split_once('?').unwrap_or((request.url, ""));
    let query = Query::parse(query);
    let is_monitor = namespace.is_some_and(|namespace| namespace.eq_ignore_ascii_case(MONITOR));
    match (request.method, word.to_ascii_lowercase().as_str()) {
        ("GET", "metrics") if is_monitor => {
            let of_subscription = scope.is_container() && scope.group.is_none();
            let answer = if of_subscription { telemetry::of_subscription } else { telemetry::of_resource };
            Some(answer(state, scope, &query))
        }
        ("GET", "values") if namespace.is_none() && scope.type_name().eq_ignore_ascii_case(EVENT_TYPES) => {
            Some(telemetry::events(state, scope, &query, (request.base, path), paging))
        }
        ("POST", "logs") if is_monitor => {
            Some(json_body(request.body).and_then(|body| telemetry::query(state, scope, &body)))
        }
        ("POST", "resources")
            if scope.subscription.is_none() && namespace.is_some_and(|name| name.eq_ignore_ascii_case(GRAPH)) =>
        {
            Some(json_body(request.body).and_then(|body| telemetry::graph(state, &body)))
        }
        _ => None,
    }
}

/// The answer to a GET of a word below a resource: a question that its type answers, or a list of children.
fn below(
    lists: &Lists<'_>,
    scope: &ResourceId,
    namespace: Option<&str>,
    word: &str,
) -> Result<Option<Answer>, Refusal> {
    let api_version = &lists.around.api_version;
    if namespace.is_none()
        && let Some(question) = resource_types::question(scope, word)
    {
        check_api_version(api_version, &scope.type_name(), resource_types::find(&scope.type_name()))?;
        return question(lists.state, scope, lists.query).map(Some);
    }
    let type_name = scope.with(namespace, word, "x").type_name();
    check_api_version(api_version, &type_name, resource_types::find(&type_name))?;
    lists.of_type(scope, namespace, word)
}

/// The answer to a GET of a collection that is known by one word: below the tenant, a subscription or a resource group. None for
/// other words.
fn list_of_container(
    lists: &Lists<'_>,
    scope: &ResourceId,
    word: &str,
    rules: &Rules<'_>,
    around: &Surroundings,
) -> Result<Option<Answer>, Refusal> {
    let tenant = scope.subscription.is_none();
    let subscription = !tenant && scope.group.is_none();
    let answer = match word.to_lowercase().as_str() {
        "subscriptions" if tenant => lists.subscriptions()?,
        "tenants" if tenant => directory::tenants(),
        "providers" if tenant || subscription => providers::list(lists.state, scope, rules.faults),
        "locations" if subscription => providers::regions(scope)?,
        "resourcegroups" if subscription => {
            let group_type = super::path::GROUP_TYPE;
            check_api_version(&around.api_version, group_type, resource_types::find(group_type))?;
            lists.groups(scope)?
        }
        "resources" if !tenant => lists.resources(scope)?,
        _ => return Ok(None),
    };
    Ok(Some(answer))
}

/// POST: a command that changes a resource, or an action.
fn post(
    state: &mut State,
    scope: &ResourceId,
    namespace: Option<&str>,
    word: &str,
    request: &Request<'_>,
    api_version: &str,
) -> Result<Answer, Refusal> {
    let (path, _) = request.url.split_once('?').unwrap_or((request.url, ""));
    let action = find_action(state, scope, namespace, word, api_version)?;
    let command = resource_types::command(scope, word).filter(|_| namespace.is_none());
    let body = if request.body.is_empty() { Value::Null } else { json_body(request.body)? };
    if let Some(command) = command {
        let changes = command(&Call { id: scope, body: &body, state })?;
        resources::apply(state, changes, Moment::now());
    }
    match action {
        Some(action) => action(&Call { id: scope, body: &body, state }),
        None if command.is_some() => Ok(Answer::empty(200)),
        None => Err(no_route(request.method, path)),
    }
}

/// The action of a provider or of an existing resource; none where there is no such one.
fn find_action(
    state: &State,
    scope: &ResourceId,
    namespace: Option<&str>,
    word: &str,
    api_version: &str,
) -> Result<Option<resource_types::Action>, Refusal> {
    if let Some(namespace) = namespace {
        return Ok(resource_types::provider_action(namespace, word));
    }
    check_api_version(api_version, &scope.type_name(), resource_types::find(&scope.type_name()))?;
    lookup::look_up(state, &resource_types::needed_for_action(scope))?;
    Ok(resource_types::action(scope, word))
}

/// Requests to one resource.
fn resource(
    state: &mut State,
    id: &ResourceId,
    request: &Request<'_>,
    rules: &Rules<'_>,
    around: &Surroundings,
) -> Result<Answer, Refusal> {
    let type_name = id.type_name();
    let (path, _) = request.url.split_once('?').unwrap_or((request.url, ""));
    if let Some((question, operation)) = operations::asked_for(id) {
        if let Some(answer) = deployments::pending(state, id, around) {
            return Ok(answer);
        }
        return match question {
            Question::Status => operations::poll_status(state, operation, around),
            Question::Result => operations::poll_result(state, operation, around),
        };
    }
    if type_name.eq_ignore_ascii_case(tags::TYPE) {
        let scope = id.parent();
        return match request.method {
            "GET" | "HEAD" => tags::get(state, &scope),
            "PUT" => tags::replace(state, &scope, &json_body(request.body)?),
            "PATCH" => tags::patch(state, &scope, &json_body(request.body)?),
            "DELETE" => tags::remove_all(state, &scope),
            _ => Err(no_route(request.method, path)),
        };
    }
    check_api_version(&around.api_version, &type_name, resource_types::find(&type_name))?;
    if let Some(if_match) = request.if_match.filter(|_| matches!(request.method, "PUT" | "PATCH" | "DELETE")) {
        resources::check_etag(state, id, if_match)?;
    }
    check_change(id, request.method, path, rules.faults)?;
    let subscription = id.is_container() && id.group.is_none();
    let context = Context {
        around,
        faults: rules.faults,
        operation_time: rules.operation_time,
        method: request.method,
        path: request.url,
    };
    match request.method {
        "GET" | "HEAD" => resources::get(state, id),
        "PUT" if !subscription => resources::put(state, id, &wanted(request.body)?, &context),
        "PATCH" if !subscription => resources::patch(state, id, &wanted(request.body)?, &context),
        "DELETE" if !subscription => resources::delete(state, id, &context),
        _ => Err(no_route(request.method, path)),
    }
}

/// The body of a write; the libraries create and change a table without one.
fn wanted(body: &[u8]) -> Result<Value, Refusal> {
    if body.is_empty() { Ok(json!({})) } else { json_body(body) }
}

/// Refuses a write to what follows from other resources, or to a provider that is not registered.
fn check_change(id: &ResourceId, method: &str, path: &str, faults: &Faults) -> Result<(), Refusal> {
    if collections::is_only_read(id) && !matches!(method, "GET" | "HEAD") {
        return Err(no_route(method, path));
    }
    if matches!(method, "PUT" | "PATCH") {
        faults.registrations().check(id.namespace())?;
    }
    Ok(())
}

/// PUT of a resource that a deployment asks for: the same as when a client does.
#[cfg(feature = "deployments")]
pub(super) fn put(state: &mut State, id: &ResourceId, body: &Value, context: &Context<'_>) -> Result<Answer, Refusal> {
    let type_name = id.type_name();
    if type_name.eq_ignore_ascii_case(tags::TYPE) {
        return tags::replace(state, &id.parent(), body);
    }
    check_api_version(&context.around.api_version, &type_name, resource_types::find(&type_name))?;
    check_change(id, context.method, context.path, context.faults)?;
    resources::put(state, id, body, context)
}

/// Refuses what belongs to a provider that there is not.
fn check_namespaces(path: &ArmPath) -> Result<(), Refusal> {
    match path.namespaces().find(|namespace| !published::has_namespace(namespace)) {
        Some(namespace) => Err(Refusal::not_found(
            "InvalidResourceNamespace",
            format!("The resource namespace '{namespace}' is invalid."),
        )),
        None => Ok(()),
    }
}

fn check_subscription(path: &ArmPath) -> Result<(), Refusal> {
    match &path.scope().subscription {
        Some(text) if uuid::Uuid::try_parse(text).is_err() || text.len() != 36 => Err(Refusal::bad_request(
            "InvalidSubscriptionId",
            format!("The provided subscription identifier '{text}' is malformed or invalid."),
        )),
        _ => Ok(()),
    }
}

pub(super) fn json_body(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body).map_err(|error| invalid_content(&error))
}

pub(super) fn invalid_content(error: &serde_json::Error) -> Refusal {
    Refusal::bad_request(
        "InvalidRequestContent",
        format!("The request content was invalid and could not be deserialized: '{error}'."),
    )
}

pub(super) fn no_route(method: &str, path: &str) -> Refusal {
    Refusal::not_found("NotFound", format!("The local cloud has nothing that answers {method} {path}."))
}
