//! A server between the engine and a local cloud that answers as Azure might: what Azure ignores in its spelling, it spells in
//! another way, and what says nothing, it says or leaves out.
//!
//! Sources of what differs: answers of the providers in the examples of the REST specifications (`resource-manager` of each), where
//! ids, types, skus and locations stand in other spellings than in the requests, and nulls and empty objects beside them. Lists whose
//! order says nothing come in any order, and solutions have ids without their first slash.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use bytes::Bytes;
use fastrand::Rng;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Map, Value, json};
use svc_engine::azure::{ResourceType, resource_type};
use svc_local_cloud::LocalCloud;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The server. It stops when it is dropped.
pub(crate) struct Spellings {
    endpoint: String,
    seed: Arc<AtomicU64>,
    spelled: Arc<Mutex<BTreeSet<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Spellings {
    /// In front of this local cloud.
    pub(crate) fn of(cloud: &LocalCloud) -> Spellings {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let seed = Arc::new(AtomicU64::new(0));
        let spelled = Arc::<Mutex<BTreeSet<String>>>::default();
        let (stop, stopped) = oneshot::channel();
        let server = Arc::new(Server {
            cloud: cloud.endpoint().to_owned(),
            seed: Arc::clone(&seed),
            spelled: Arc::clone(&spelled),
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        });
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener, server) => {}
                }
            });
        });
        Spellings { endpoint, seed, spelled, stop: Some(stop), thread: Some(thread) }
    }

    /// The endpoint at which it is reached, as a cloud.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The types of which something has been spelled in another way, in lower case.
    pub(crate) fn types(&self) -> BTreeSet<String> {
        self.spelled.lock().unwrap().clone()
    }

    /// Spells in another way from now on, the same for the same seed.
    pub(crate) fn spell_by(&self, seed: u64) {
        self.seed.store(seed, Ordering::SeqCst);
    }
}

impl Drop for Spellings {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Server {
    cloud: String,
    seed: Arc<AtomicU64>,
    spelled: Arc<Mutex<BTreeSet<String>>>,
    client: reqwest::Client,
}

async fn accept(listener: TcpListener, server: Arc<Server>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let service = service_fn(move |request| respond(Arc::clone(&server), request));
            // A client that goes away is no failure of the server.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Sends a request on, and spells the answer in another way where it is of a resource or of several.
async fn respond(
    server: Arc<Server>,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Full<Bytes>>, Failure> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let onward = server.client.request(parts.method.clone(), format!("{}{target}", server.cloud));
    let answer = onward.headers(parts.headers.clone()).body(body.collect().await?.to_bytes()).send().await?;
    let mut response = hyper::Response::builder().status(answer.status());
    for (name, value) in answer.headers() {
        if !["transfer-encoding", "content-length", "connection"].contains(&name.as_str()) {
            response = response.header(name, value);
        }
    }
    let bytes = answer.bytes().await?;
    let Ok(mut body) = serde_json::from_slice::<Value>(&bytes) else { return Ok(response.body(Full::new(bytes))?) };
    let mut hasher = DefaultHasher::new();
    (server.seed.load(Ordering::SeqCst), &target).hash(&mut hasher);
    let mut speller = Speller { random: Rng::with_seed(hasher.finish()), spelled: BTreeSet::new() };
    speller.answer(&mut body);
    server.spelled.lock().unwrap().extend(speller.spelled);
    Ok(response.body(Full::new(body.to_string().into()))?)
}

/// Locations as people read them (`az account list-locations`), by their names.
const LOCATIONS: &[(&str, &str)] = &[
    ("uksouth", "UK South"),
    ("ukwest", "UK West"),
    ("northeurope", "North Europe"),
    ("westeurope", "West Europe"),
    ("eastus", "East US"),
    ("eastus2", "East US 2"),
    ("global", "Global"),
];

/// Objects whose members have names of people, whatever the type.
const MAPS: &[&str] = &["tags", "customProperties", "webhookProperties", "webHookProperties", "userAssignedIdentities"];

/// Solutions of a workspace, whose provider answers ids without their first slash (REST specification, `SolutionCreate`); listings of
/// all resources are Resource Manager's own.
const SOLUTION: &str = "Microsoft.OperationsManagement/solutions";

/// The properties of each type whose values Azure's schemas enumerate, as `tests/enumerations.py` has read them.
pub(crate) static ENUMERATED: LazyLock<BTreeMap<String, BTreeSet<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("enumerations.json")).unwrap());

struct Speller {
    random: Rng,
    /// The types that were met.
    spelled: BTreeSet<String>,
}

impl Speller {
    /// One resource, or a page of them; anything else stays as it is.
    fn answer(&mut self, body: &mut Value) {
        if let Some(items) = body.get_mut("value").and_then(Value::as_array_mut) {
            items.iter_mut().for_each(|item| self.resource(item));
        } else {
            self.resource(body);
            let is_solution = body["type"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(SOLUTION));
            if is_solution && self.random.bool() {
                let id = body["id"].as_str().map(|id| id.trim_start_matches('/').to_owned());
                body["id"] = json!(id);
            }
        }
    }

    fn resource(&mut self, body: &mut Value) {
        let name = body.get("type").and_then(Value::as_str).filter(|_| body.get("id").is_some());
        let Some(name) = name.map(str::to_owned) else { return };
        self.spelled.insert(name.to_lowercase());
        self.value(resource_type(&name), "", body);
    }

    fn value(&mut self, kind: Option<&'static ResourceType>, path: &str, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(kind, path, text),
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.value(kind, &format!("{path}[]"), item));
                if kind.is_some_and(|kind| kind.sets.contains(&path)) {
                    self.random.shuffle(items);
                }
            }
            Value::Object(members) if is_map(kind, path) => {
                let entries = std::mem::take(members);
                let respelled = entries.into_iter().map(|(key, entry)| (self.id(&key).unwrap_or(key), entry));
                *members = respelled.collect();
            }
            Value::Object(members) => self.members(kind, path, members),
            _ => {}
        }
    }

    fn members(&mut self, kind: Option<&'static ResourceType>, path: &str, members: &mut Map<String, Value>) {
        self.name(members);
        self.condition(members);
        for (key, member) in members.iter_mut() {
            let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            self.value(kind, &below, member);
        }
        for key in members.keys().cloned().collect::<Vec<_>>() {
            if is_nothing(&members[&key]) {
                match self.random.u8(..3) {
                    0 => drop(members.remove(&key)),
                    1 => members[&key] = Value::Null,
                    _ => {}
                }
            }
        }
        if self.random.bool() {
            let unknown =
                [json!(null), json!({}), json!([]), json!("new"), json!(7), json!({"on": true, "list": [null]})];
            let unknown = self.random.choice(unknown).unwrap();
            members.insert("ofALaterVersion".to_owned(), unknown);
        }
        let is_address = kind.is_some_and(|kind| kind.name == "Microsoft.Network/publicIPAddresses");
        // Addresses of the time before there were tiers have none (REST specification, PublicIpAddressGet).
        if is_address && path == "sku" && self.random.bool() {
            members.remove("tier");
        }
    }

    /// The name of what has an id.
    fn name(&mut self, members: &mut Map<String, Value>) {
        let Some(name) = members.get("name").and_then(Value::as_str).map(str::to_owned) else { return };
        let last = members.get("id").and_then(Value::as_str).and_then(|id| id.rsplit('/').next());
        if last.is_some_and(|last| last.eq_ignore_ascii_case(&name)) {
            members["name"] = json!(self.letters(&name));
        }
    }

    /// Rewrites what a condition of an activity log alert compares groups and types with.
    fn condition(&mut self, members: &mut Map<String, Value>) {
        let field = members.get("field").and_then(Value::as_str).unwrap_or_default();
        let compared = members.get("equals").and_then(Value::as_str).map(str::to_owned);
        if let Some(compared) = compared.filter(|_| ["resourceGroup", "resourceType"].contains(&field)) {
            members["equals"] = json!(self.letters(&compared));
        }
    }

    fn text(&mut self, kind: Option<&'static ResourceType>, path: &str, text: &str) -> String {
        if let Some(id) = self.id(text) {
            return id;
        }
        let last = path.rsplit('.').next().unwrap_or_default();
        if last == "location" || kind.is_some_and(|kind| kind.locations.contains(&path)) {
            let shown = LOCATIONS.iter().find(|(name, shown)| [name, shown].contains(&&text));
            return shown.map(|(name, shown)| [*name, *shown][self.random.usize(..2)]).unwrap_or(text).to_owned();
        }
        let is_type = text.starts_with("Microsoft.") && text.contains('/') && !text.contains(' ');
        let enumerated = kind.and_then(|kind| ENUMERATED.get(kind.name)).is_some_and(|paths| paths.contains(path));
        let ignores_case = kind.is_some_and(|kind| kind.any_case.contains(&path));
        if is_type || enumerated || ignores_case {
            return self.letters(text);
        }
        text.to_owned()
    }

    /// An id of a resource in another spelling; nothing for other texts.
    fn id(&mut self, text: &str) -> Option<String> {
        if !text.starts_with("/subscriptions/") && !text.starts_with("/providers/") {
            return None;
        }
        // A role is one in every subscription.
        let role = text.find("/providers/Microsoft.Authorization/roleDefinitions/").filter(|_| self.random.bool());
        let text = &text[role.unwrap_or(0)..];
        Some(match self.random.u8(..4) {
            0 => text.to_owned(),
            1 => {
                let mut upper = false;
                let segments = text.split('/').map(|segment| {
                    let is_group = std::mem::replace(&mut upper, segment.eq_ignore_ascii_case("resourceGroups"));
                    if is_group { segment.to_uppercase() } else { segment.to_owned() }
                });
                segments.collect::<Vec<_>>().join("/")
            }
            2 => text.replace("/resourceGroups/", "/resourcegroups/"),
            _ => self.letters(text),
        })
    }

    /// The same letters in another case.
    fn letters(&mut self, text: &str) -> String {
        match self.random.u8(..4) {
            0 => text.to_owned(),
            1 => text.to_ascii_uppercase(),
            _ => text.to_ascii_lowercase(),
        }
    }
}

/// Whether the members of an object have names that the settings, or people, give them.
fn is_map(kind: Option<&ResourceType>, path: &str) -> bool {
    let every_value = format!("{path}.*");
    // Of a configuration every member is a setting.
    let settings = |kind: &ResourceType| path == "properties" && kind.name.ends_with("/config");
    MAPS.contains(&path.rsplit('.').next().unwrap_or_default())
        || kind.is_some_and(|kind| {
            settings(kind) || kind.whole.contains(&path) || kind.secret.contains(&every_value.as_str())
        })
}

/// Whether a value says nothing, so that Azure may as well leave it out.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
