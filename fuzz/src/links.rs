use std::sync::OnceLock;

use svc_engine::azure::cloud::{self, CloudChoice};
use svc_engine::azure::{ArmClient, ResourceId, Timeouts, parse_duration, plain_http_client};
use svc_engine::protocol::Operation;
use url::Url;

/// Reads what leads somewhere, a line each: ids and links of answers, endpoints of the context, durations. A checked id stays what it is in the
/// path of a URL, and the token goes to nobody but the cloud.
pub fn links(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in text.lines().take(16) {
        id(line);
        link(line);
        let _ = cloud::choose(Some(line), Some(line), Some(line), Some(line)).map_err(|error| error.report());
        let _ = cloud::choose(Some(line), None, None, None).map_err(|error| error.report());
        let _ = parse_duration(line);
    }
}

fn id(text: &str) {
    let any = ResourceId::new(text);
    let _ = (any.full_name(), any.group_id(), any.resource_type(), any.parent(), any.is_within(&any));
    let Some(id) = ResourceId::checked(text) else { return };
    let mut url = Url::parse("https://management.azure.com").unwrap();
    url.set_path(id.as_str());
    url.set_query(Some("api-version=1"));
    let sent: Vec<&str> = url.path().split('/').collect();
    let meant: Vec<&str> = id.as_str().split('/').collect();
    assert_eq!(sent.len(), meant.len(), "{text:?} leads to {url}");
    for (sent, meant) in sent.iter().zip(&meant) {
        let name: String = url::form_urlencoded::parse(sent.replace('+', "%2B").as_bytes())
            .map(|(name, _)| name.into_owned())
            .collect();
        assert!(name == *meant || meant.contains(['%', '&', '=', '\u{fffd}']), "{sent:?} instead of {meant:?}");
    }
    assert!(id.parent().is_none_or(|parent| id.is_within(&parent)), "{id}");
}

fn link(text: &str) {
    let Ok(url) = client().follow(text) else { return };
    assert_eq!(url.scheme(), "https", "{text:?}");
    if client().is_trusted(&url) {
        let host = url.host_str().unwrap();
        assert!(host == "management.azure.com" || host.ends_with(".management.azure.com"), "{text:?} leads to {host}");
    }
}

fn client() -> &'static ArmClient {
    static CLIENT: OnceLock<ArmClient> = OnceLock::new();
    CLIENT.get_or_init(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let _operation = Operation::start(move |host| {
            let Ok(CloudChoice::Remote(public)) = cloud::choose(None, None, None, None) else { return };
            let client = ArmClient::new(plain_http_client().unwrap(), public, None, Timeouts::default(), host);
            sender.send(client).unwrap();
        });
        receiver.recv().unwrap()
    })
}
