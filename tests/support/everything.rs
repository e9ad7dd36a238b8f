//! Everything that exists in a local cloud, to compare two of them.

use std::collections::BTreeMap;

use serde_json::Value;
use svc_local_cloud::LocalCloud;

/// The leaves of all bodies, by id and path.
pub(crate) type State = BTreeMap<String, Value>;

/// Everything that exists in a cloud.
pub(crate) fn state(cloud: &LocalCloud) -> State {
    let mut state = State::new();
    for id in cloud.ids() {
        // The name of the network interface of an endpoint ends in a new GUID.
        let name = id.rsplit_once(".nic.").map_or(id.as_str(), |(endpoint, _)| endpoint).to_owned();
        leaves(name, cloud.resource(&id).unwrap_or_else(|| panic!("{id} does not exist")), &mut state);
    }
    state
}

fn leaves(path: String, value: Value, state: &mut State) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.into_iter().for_each(|(key, member)| leaves(format!("{path} {key}"), member, state));
        }
        Value::Array(items) if !items.is_empty() => {
            items.into_iter().enumerate().for_each(|(index, item)| leaves(format!("{path} {index}"), item, state));
        }
        leaf => {
            state.insert(path, leaf);
        }
    }
}
