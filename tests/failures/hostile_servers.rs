//! Servers that mean harm: answers without end, packed ones, listings in a circle, ids that lead elsewhere, links that would give
//! the token away.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use serde_json::{Value, json};
use svc_engine::azure::cloud::{self, CloudChoice};
use svc_engine::azure::{ArmClient, ArmError, Entries, Timeouts, http_client};
use svc_engine::protocol::Operation;
use svc_local_cloud::LOCAL_SUBSCRIPTION_ID;

use crate::alerts::log_rules::log_alerts;
use crate::sign_in::run_impatient;
use crate::support::estate::*;
use crate::support::internet::Internet;
#[cfg(unix)]
use crate::support::little_memory::in_little_memory;
use crate::support::*;

/// A server that answers each connection in this way, and its address. It ends with the process of the tests.
fn server(answer: impl Fn(&mut TcpStream, SocketAddr) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 8192]);
            answer(&mut stream, address);
        }
    });
    address
}

/// The reason for which a listing of this server is not taken.
fn refused_listing(address: SocketAddr) -> String {
    let endpoint = format!("http://{address}");
    let Ok(CloudChoice::Remote(remote)) = cloud::choose(Some(&endpoint), None, None, None) else { panic!("no cloud") };
    let (sender, receiver) = std::sync::mpsc::channel();
    let _operation = Operation::start(move |host| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let http = http_client(&BTreeMap::new(), true, host.secrets()).unwrap();
        let client = ArmClient::new(http, remote, None, Timeouts::default(), host);
        sender.send(runtime.block_on(client.list("/subscriptions", "2022-12-01", "", Entries::Resources))).unwrap();
    });
    match receiver.recv_timeout(PATIENCE).unwrap() {
        Err(ArmError::NotAzure { host, reason }) => {
            assert_eq!(host, address.to_string());
            reason
        }
        other => panic!("{:?}", other.map(|items| items.len())),
    }
}

fn respond(stream: &mut TcpStream, body: &Value) {
    respond_text(stream, &body.to_string());
}

fn respond_text(stream: &mut TcpStream, body: &str) {
    let head = format!("content-type: application/json\r\ncontent-length: {}\r\nconnection: close", body.len());
    let _ = write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}");
}

/// The memory that the child process of a test may have, in KiB: several times the largest answer, and less than what is sent.
#[cfg(unix)]
const MEMORY: u32 = 900_000;

#[cfg(unix)]
#[test]
fn answers_that_would_fill_the_memory_are_given_up() {
    in_little_memory("failures::hostile_servers::answers_that_would_fill_the_memory_are_given_up", MEMORY, || {
        an_answer_without_end();
        a_small_answer_that_unpacks_to_a_large_one();
        an_authority_whose_answer_has_no_end();
    });
}

fn an_answer_without_end() {
    let endless = server(|stream, _| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{{\"value\": [\"");
        while stream.write_all(&[b'x'; 65_536]).is_ok() {}
    });
    assert_eq!(refused_listing(endless), "status 200, an answer of more than 64 MiB");
}

/// A MiB of spaces, packed as zlib does (RFC 1951) and flushed, so that it can follow itself.
fn packed_spaces() -> Vec<u8> {
    let (head, tail) = (
        [0xec, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0x2a, 0xeb, 0x9f, 0xd2, 0x10, 0xbe, 0x40, 0x01],
        [0x7c, 0x06, 0x00, 0x00, 0xff, 0xff],
    );
    [&head[..], &[0; 1015], &tail].concat()
}

fn a_small_answer_that_unpacks_to_a_large_one() {
    let bomb = server(|stream, _| {
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"
        );
        // The head of gzip, and then 3 GiB in 3 MB.
        let _ = stream.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        let spaces = packed_spaces();
        for _ in 0..3072 {
            if stream.write_all(&spaces).is_err() {
                return;
            }
        }
    });
    assert_eq!(refused_listing(bomb), "status 200, an answer of more than 64 MiB");
}

#[test]
fn a_listing_that_is_linked_in_a_circle_or_has_no_end_is_given_up() {
    let circle = server(|stream, address| {
        respond(stream, &json!({"value": [], "nextLink": format!("http://{address}/page?api-version=1")}));
    });
    assert_eq!(refused_listing(circle), "a listing whose pages are linked in a circle");
    let pages = std::sync::atomic::AtomicUsize::new(0);
    // Written once: a value of that many entries takes a debug build longer to make than the engine to read.
    let entries = [r#"{"id":"/"}"#; 300_000].join(",");
    let large = server(move |stream, address| {
        let page = pages.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        respond_text(stream, &format!(r#"{{"value":[{entries}],"nextLink":"http://{address}/{page}"}}"#));
    });
    assert_eq!(refused_listing(large), "a listing of more than 1000000 entries");
}

/// What is on a page that is not there is not known to be missing.
#[test]
fn a_listing_whose_later_page_is_not_there_is_no_shorter_listing() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let link = "https://management.azure.com/later?api-version=1";
    internet.answer("GET management.azure.com*/storageAccounts?", 200, &json!({"value": [], "nextLink": link}));
    let error = json!({"error": {"code": "ResourceNotFound", "message": "The page is gone."}});
    internet.answer("GET management.azure.com/later?", 404, &error);
    let project = Project::with(&document(""));
    let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    assert!(outcome.last_error().failure.message.ends_with("The page is gone."), "{:?}", outcome.last_error());
    assert!(outcome.plan().is_empty());
}

#[test]
fn a_link_without_tls_gets_no_token_and_is_not_followed() {
    for (link, host) in [
        ("http://management.azure.com/next", "management.azure.com"),
        ("http://management.azure.com:443/next", "management.azure.com:443"),
        ("http://127.0.0.1:1/next", "127.0.0.1:1"),
    ] {
        let cloud = cloud();
        let internet = Internet::with(&cloud);
        internet.answer("GET management.azure.com*/storageAccounts?", 200, &json!({"value": [], "nextLink": link}));
        let project = Project::with(&document(""));
        let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
        let report = outcome.last_error();
        let end = format!(
            "management.azure.com did not answer as Azure Resource Manager does (a link to {host} that does not use https)."
        );
        assert!(report.failure.message.ends_with(&end), "{link}: {report:?}");
        assert!(internet.seen().iter().all(|seen| !seen.target.contains("/next")), "{:?}", internet.seen());
    }
}

#[test]
fn a_link_to_another_host_is_named_and_not_followed() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let link = "https://arm.ours.example/next";
    internet.answer("GET management.azure.com*/storageAccounts?", 200, &json!({"value": [], "nextLink": link}));
    let project = Project::with(&document(""));
    let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let report = outcome.last_error();
    let end = "management.azure.com did not answer as Azure Resource Manager does (a link to another host, arm.ours.example).";
    assert!(report.failure.message.ends_with(end), "{report:?}");
    assert!(internet.seen_by("arm.ours.example").is_empty());
}

#[test]
fn numbers_in_headers_that_no_clock_has_neither_stop_a_run_nor_end_it() {
    for number in ["-1e300", "inf", "NaN", "-5", "1e300"] {
        let cloud = cloud();
        let internet = Internet::with(&cloud);
        let busy = json!({"error": {"code": "ServerBusy", "message": "Wait."}}).to_string();
        let headers = [
            ("retry-after", number),
            ("x-ms-retry-after-ms", number),
            ("x-ms-ratelimit-remaining-subscription-writes", number),
            ("x-ms-ratelimit-remaining-subscription-reads", number),
        ];
        for method in ["GET", "PUT"] {
            internet.answer_with(&format!("{method} management.azure.com*"), 503, &headers, &busy);
        }
        let project = Project::with(&document(""));
        let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
        assert_eq!(outcome.summary(), "created 2", "{number}: {:#?}", outcome.errors());
    }
}

#[test]
fn a_token_that_is_said_to_live_for_ever_is_used() {
    for life in ["9223372036854775807", "1e300"] {
        let cloud = cloud();
        let internet = Internet::with(&cloud);
        let token = format!(
            r#"{{"token_type": "Bearer", "expires_in": {life}, "ext_expires_in": {life}, "access_token": "long-lived-token"}}"#
        );
        internet.answer_with("POST login.microsoftonline.com*/token*", 200, &[], &token);
        let project = Project::with(&document(""));
        let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
        assert_eq!(outcome.summary(), "created 2", "{life}: {:#?}", outcome.errors());
    }
}

fn an_authority_whose_answer_has_no_end() {
    let cloud = cloud();
    let internet = Internet::with(&cloud);
    let long = json!({"token_type": "Bearer", "expires_in": 3600, "ext_expires_in": 3600, "access_token": "x".repeat(2 << 20)});
    // It is asked again before it is given up.
    for _ in 0..5 {
        internet.answer("POST login.microsoftonline.com*/token*", 200, &long);
    }
    let project = Project::with(&document(""));
    let outcome = run_impatient(&internet.request(&project.path("storage.yml"), internet.signed_in()));
    let report = outcome.last_error();
    assert!(report.failure.message.contains("the authority sent an answer of more than 1 MiB"), "{report:?}");
}

#[test]
fn what_a_listing_says_is_deleted_only_where_it_is_in_the_group() {
    let cloud = landing_zone();
    let text = log_alerts(&["definition: VM_Reboot"]);
    let deployment = Deployment::new(LOG_ALERTS, &text);
    assert_eq!(deployment.deploy(&cloud).counts().failed, 0);
    let group = deployment.rehearse(&cloud);
    assert_eq!(group.plan().len(), 0);
    let rule = "Microsoft.Insights/scheduledQueryRules";
    let name = cloud
        .requests()
        .iter()
        .find_map(|request| Some(request.url.split_once("/resourceGroups/")?.1.split_once("/resources?")?.0.to_owned()))
        .unwrap();
    let vault = in_subscription("resourceGroups/rg-landing-zone/providers/Microsoft.KeyVault/vaults/kv-landing-zone");
    let own = in_subscription(&format!("resourceGroups/{name}"));
    let strangers = [
        vault.clone(),
        format!("{own}/providers/{rule}/../../../../rg-landing-zone/providers/Microsoft.KeyVault/vaults/kv-landing-zone"),
        format!("{own}/providers/Microsoft.KeyVault/vaults/kv-landing-zone"),
        "/subscriptions/00000000-0000-0000-0000-000000000009/resourceGroups/g/providers/Microsoft.Insights/scheduledQueryRules/x".to_owned(),
    ];
    let listed: Vec<Value> = strangers.iter().map(|id| json!({"id": id, "type": rule})).collect();
    cloud.misbehave(fault(&format!("status=200,method=GET,path=/{name}/resources?,body={}", json!({"value": listed}))));
    let before = cloud.requests().len();
    let outcome = deployment.deploy(&cloud);
    assert!(outcome.plan().is_empty(), "{:#?}", outcome.descriptions());
    for id in &strangers {
        let warning = format!("has '{id}', which is not in the group. It is not deleted.");
        assert!(outcome.warnings().iter().any(|told| told.ends_with(&warning)), "{id}: {:#?}", outcome.warnings());
    }
    assert!(writes(&requests_after(&cloud, before)).is_empty());
}

#[test]
fn a_dependency_outside_of_the_subscription_or_of_another_type_is_not_found() {
    let text = "location: UK South\nservice: {dependencies: {resourceGroup: shop-group}}\nstorageAccounts: [{storageAccountName: Orders, accountType: Standard}]\n";
    for id in [
        "/subscriptions/00000000-0000-0000-0000-000000000009/resourceGroups/rg-theirs".to_owned(),
        format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}/resourceGroups/rg-a/../rg-theirs"),
        format!("/subscriptions/{LOCAL_SUBSCRIPTION_ID}/resourceGroups/rg-a%2F..%2Frg-theirs"),
        in_subscription("resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv"),
    ] {
        let (cloud, project) = (cloud(), Project::with(text));
        let listed = json!({"value": [{"id": id, "location": "uksouth", "tags": {"svc-service": "shop-group"}}]});
        cloud.misbehave(fault(&format!("status=200,method=GET,path=/resourcegroups?,times=always,body={listed}")));
        let outcome = project.deploy(&cloud);
        assert_eq!(outcome.failed_with().0, "ServiceNotFound", "{id}");
        let warning = format!(
            "A listing of the subscription has '{id}', which is not the id of a resource group in it. It is ignored."
        );
        assert!(outcome.warnings().contains(&warning.as_str()), "{id}: {:#?}", outcome.warnings());
        assert!(writes(&cloud.requests()).is_empty(), "{id}");
    }
}
