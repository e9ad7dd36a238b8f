//! A client for tests.

use crate::{LOCAL_SUBSCRIPTION_ID, LocalCloud, LocalCloudOptions, OperationTime};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The api-versions the tests use.
pub(super) const RESOURCES: &str = "2025-04-01";
pub(super) const STORAGE: &str = "2026-04-01";
pub(super) const NETWORK: &str = "2025-09-01";
pub(super) const DNS: &str = "2024-06-01";
pub(super) const ACTION_GROUPS: &str = "2023-01-01";
pub(super) const LOGS: &str = "2025-07-01";

/// A local cloud and a client of it.
pub(super) struct Bench {
    pub(super) cloud: LocalCloud,
    client: reqwest::Client,
    runtime: tokio::runtime::Runtime,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    headers: reqwest::header::HeaderMap,
    pub(super) text: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Status and error code of a refusal.
    pub(super) fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    }
}

/// Options for a cloud in which operations take no time.
pub(super) fn quick() -> LocalCloudOptions {
    LocalCloudOptions { operation_time: OperationTime::Fixed(Duration::ZERO), ..LocalCloudOptions::default() }
}

impl Bench {
    pub(super) fn new() -> Bench {
        Bench::with(quick())
    }

    pub(super) fn with(options: LocalCloudOptions) -> Bench {
        let cloud = LocalCloud::start(options).unwrap();
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Bench { cloud, client, runtime }
    }

    /// A request whose URL and body are given as they are.
    pub(super) fn try_raw(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> reqwest::Result<Reply> {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, url).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.runtime.block_on(async {
            let response = request.send().await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            Ok(Reply { status, headers, text: response.text().await? })
        })
    }

    pub(super) fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let url = format!("{}{path}", self.cloud.endpoint());
        self.try_raw(method, &url, headers, body.as_bytes().to_vec()).unwrap()
    }

    /// A request to a path, which is relative to the local subscription unless it begins with `/`.
    pub(super) fn call(&self, method: &str, path: &str, api_version: &str, body: Option<&Value>) -> Reply {
        let join = if path.contains('?') { '&' } else { '?' };
        let path = format!("{}{join}api-version={api_version}", absolute(path));
        self.raw(method, &path, &[], &body.map(Value::to_string).unwrap_or_default())
    }

    pub(super) fn get(&self, path: &str, api_version: &str) -> Reply {
        self.call("GET", path, api_version, None)
    }

    pub(super) fn put(&self, path: &str, api_version: &str, body: &Value) -> Reply {
        self.call("PUT", path, api_version, Some(body))
    }

    /// GET of a whole URL, such as a `nextLink`.
    pub(super) fn follow(&self, url: &str) -> Reply {
        self.try_raw("GET", url, &[], Vec::new()).unwrap()
    }

    /// Asks a `Location` until it no longer says 202.
    pub(super) fn finish(&self, started: &Reply) -> Reply {
        let url = started.header("location").unwrap_or_else(|| panic!("no Location in {started:?}"));
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let reply = self.follow(url);
            if reply.status != 202 {
                return reply;
            }
            assert!(Instant::now() < deadline, "the operation does not end: {reply:?}");
            let wait = reply.header("x-ms-retry-after-ms").unwrap().parse().unwrap();
            std::thread::sleep(Duration::from_millis(wait));
        }
    }

    /// PUT of something that is answered at once or followed by `Azure-AsyncOperation`; what it looks like then.
    pub(super) fn made(&self, path: &str, api_version: &str, body: &Value) -> Value {
        let started = self.put(path, api_version, body);
        assert!([200, 201, 202].contains(&started.status), "{started:?}");
        self.get(path, api_version).json()
    }

    /// PUT that is refused: status, code and message.
    pub(super) fn refused(&self, path: &str, api_version: &str, body: &Value) -> (u16, String, String) {
        let reply = self.put(path, api_version, body);
        let (status, code) = reply.refusal();
        (status, code, reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned())
    }

    pub(super) fn delete(&self, path: &str, api_version: &str) -> Reply {
        self.call("DELETE", path, api_version, None)
    }

    /// A virtual network with subnets in the group `g`.
    pub(super) fn network(&self, name: &str, space: &str, subnets: &[(&str, &str)]) -> Value {
        self.made(&network_path("virtualNetworks", name), NETWORK, &network_body(space, subnets))
    }

    /// A resource group in UK South.
    pub(super) fn group(&self, name: &str) {
        let reply = self.put(&format!("resourceGroups/{name}"), RESOURCES, &json!({"location": "uksouth"}));
        assert!([200, 201].contains(&reply.status), "{reply:?}");
    }

    /// A storage account in the group `g`, ready for use. `change` is merged into a plain body.
    pub(super) fn account(&self, name: &str, change: Value) -> Value {
        let started = self.put(&account_path(name), STORAGE, &account_body(change));
        assert_eq!(started.status, 202, "{started:?}");
        let finished = self.finish(&started);
        assert_eq!(finished.status, 200, "{finished:?}");
        finished.json()
    }
}

/// A path in the local subscription.
pub(super) fn absolute(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}/{path}") }
}

pub(super) fn account_path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Storage/storageAccounts/{name}")
}

pub(super) fn account_body(change: Value) -> Value {
    let mut body = json!({"location": "uksouth", "kind": "StorageV2", "sku": {"name": "Standard_LRS"}});
    if let (Value::Object(body), Value::Object(change)) = (&mut body, change) {
        body.extend(change);
    }
    body
}

/// A resource of Microsoft.Network in the group `g`: `virtualNetworks`, or with children `virtualNetworks/v/subnets`.
pub(super) fn network_path(kind: &str, name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Network/{kind}/{name}")
}

pub(super) fn network_body(space: &str, subnets: &[(&str, &str)]) -> Value {
    let subnets: Vec<Value> =
        subnets.iter().map(|(name, prefix)| json!({"name": name, "properties": {"addressPrefix": prefix}})).collect();
    json!({"location": "uksouth", "properties": {"addressSpace": {"addressPrefixes": [space]}, "subnets": subnets}})
}

/// A resource of Microsoft.Insights in the group `g`.
pub(super) fn insights_path(kind: &str, name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Insights/{kind}/{name}")
}

/// A workspace in the group `g`.
pub(super) fn workspace_path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/{name}")
}

/// A virtual machine in the group `g`, which is of a type without an entry.
pub(super) fn machine_path(name: &str) -> String {
    format!("resourceGroups/g/providers/Microsoft.Compute/virtualMachines/{name}")
}

/// An action group without receivers.
pub(super) fn action_group_body(change: Value) -> Value {
    let mut body = json!({"location": "Global", "properties": {"groupShortName": "ops", "enabled": true}});
    change_members(&mut body["properties"], change);
    body
}

/// Sets the members of an object; null removes one. `a/b` is the member `b` of the member `a`, and `a/0` an item of a list.
pub(super) fn change_members(body: &mut Value, change: Value) {
    let Value::Object(change) = change else { panic!("{change} is no object") };
    for (path, value) in change {
        let (holder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let pointer = if holder.is_empty() { String::new() } else { format!("/{holder}") };
        let holder = body.pointer_mut(&pointer).unwrap_or_else(|| panic!("there is no {pointer}"));
        match holder {
            Value::Object(members) if value.is_null() => drop(members.shift_remove(name)),
            Value::Object(members) => drop(members.insert(name.to_owned(), value)),
            Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
            other => panic!("{other} at {pointer} has no members"),
        }
    }
}
