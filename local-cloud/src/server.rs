//! The HTTP side: connections, headers, faults, the request log.

use super::deployments;
use super::fault::FaultKind;
use super::lists::Paging;
use super::moment::Moment;
use super::pending_faults::Faults;
use super::recorder::{RecordedRequest, Recorder};
use super::reply::{Answer, Refusal, error_envelope, push_retry_after};
use super::routes::{self, Request, Rules};
use super::saving::Saved;
use super::state::State;
use super::store::{StateFile, apart};
use super::telemetry::Author;
use super::token_buckets::{self, BucketKind, Buckets};
use super::{LocalCloud, LocalCloudError, LocalCloudOptions, Throttling, directory};
use bytes::Bytes;
use futures::{StreamExt, stream};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// The largest body a request may have. Source: Azure Resource Manager's request limit.
const LARGEST_BODY: usize = 4 * 1024 * 1024;
/// The bytes of a body that is too large which are read to its end, so that the client reads the answer.
const MOST_DRAINED: usize = 16 * LARGEST_BODY;
/// The stack of the thread that answers: it holds the deepest template that is evaluated, also in a build for debugging.
const STACK: usize = 32 << 20;
/// The time that half an answer stands before the connection ends, so that the client has seen it.
const HALF_ANSWER_STANDS: Duration = Duration::from_millis(20);

const JSON: &str = "application/json; charset=utf-8";
const FAULT_MESSAGE: &str = "The local cloud was told to answer like this.";

type ResponseBody = BoxBody<Bytes, io::Error>;
type Response = hyper::Response<ResponseBody>;

/// The data that the threads of a local cloud share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) guarded: Mutex<Guarded>,
    /// Told when the state changes or saving is to stop.
    pub(super) changed: Condvar,
    pub(super) saved: watch::Sender<Saved>,
    pub(super) state_file: Option<StateFile>,
    pub(super) faults: Faults,
    pub(super) recorder: Recorder,
    endpoint: String,
    host_names: Vec<String>,
    latency: Duration,
    pub(super) operation_time: super::OperationTime,
    throttling: Option<Throttling>,
    paging: Paging,
}

/// The data that is only touched under the lock.
#[derive(Debug)]
pub(super) struct Guarded {
    pub(super) state: State,
    pub(super) stopping: bool,
    buckets: Buckets,
}

impl Shared {
    /// Looks at or changes the state as it is now.
    pub(super) fn with_state<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let mut guarded = self.guarded.lock().unwrap_or_else(PoisonError::into_inner);
        deployments::advance(&mut guarded.state, Moment::now(), &self.faults, self.operation_time);
        let result = work(&mut guarded.state);
        drop(guarded);
        self.changed.notify_all();
        result
    }
}

/// Starts the two threads: one that answers, one that saves.
pub(super) fn start(options: LocalCloudOptions) -> Result<LocalCloud, LocalCloudError> {
    let listen = options.listen;
    if !listen.ip().is_loopback() {
        return Err(LocalCloudError::NotLoopback { listen });
    }
    if let (Some(state), Some(log)) = (&options.state_file, &options.request_log) {
        apart(state, log, "the request log")?;
    }
    let (state_file, state) = match &options.state_file {
        Some(path) => StateFile::open(path).map(|(file, state)| (Some(file), state))?,
        None => (None, State::default()),
    };
    let recorder =
        Recorder::open(options.record_requests, options.request_log.as_deref(), options.request_log_secrets)?;
    let (listener, address) = bind(listen).map_err(|source| LocalCloudError::Listen { listen, source })?;
    let endpoint = format!("http://{address}");
    let faults = Faults::default();
    options.faults.into_iter().for_each(|fault| faults.add(fault));
    let shared = Arc::new(Shared {
        guarded: Mutex::new(Guarded { state, stopping: false, buckets: Buckets::default() }),
        changed: Condvar::new(),
        saved: watch::Sender::new(Saved::default()),
        state_file,
        faults,
        recorder,
        endpoint: endpoint.clone(),
        host_names: options.host_names,
        latency: options.latency,
        operation_time: options.operation_time,
        throttling: options.throttling,
        paging: Paging { size: options.page_size, empty_first: options.empty_first_page },
    });
    let start = |source| LocalCloudError::Start { source };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(start)?;
    let (stop, stopped) = oneshot::channel();
    // From here on dropping `cloud` ends what has been started.
    let mut cloud = LocalCloud { shared: Arc::clone(&shared), endpoint, stop: Some(stop), server: None, saver: None };
    let for_saver = Arc::clone(&shared);
    let saver = thread::Builder::new().name("local-cloud-state".to_owned());
    cloud.saver = Some(saver.spawn(move || for_saver.save_until_stopped()).map_err(start)?);
    let server = thread::Builder::new().name("local-cloud".to_owned());
    let work = move || runtime.block_on(accept(shared, listener, stopped));
    cloud.server = Some(server.stack_size(STACK).spawn(work).map_err(start)?);
    Ok(cloud)
}

fn bind(listen: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Takes connections until told to stop; those still open end with the runtime.
async fn accept(shared: Arc<Shared>, listener: TcpListener, mut stopped: oneshot::Receiver<()>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    loop {
        let accepted = tokio::select! {
            _ = &mut stopped => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file descriptors, most likely: some may be free again soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Without it small answers wait for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(move |request| serve(Arc::clone(&shared), request));
            // An error here is the client's going away, or a fault that was asked for.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// The connection is to end without an answer.
#[derive(Debug, thiserror::Error)]
#[error("The connection is dropped, as it was told to be.")]
struct Dropped;

/// The outcomes of a request.
enum Outcome {
    Answer(Answer),
    Text { status: u16, content_type: &'static str, body: String, retry_after: Option<Duration> },
    Truncated(Answer),
    Drop,
}

async fn serve(shared: Arc<Shared>, request: hyper::Request<Incoming>) -> Result<Response, Dropped> {
    let (parts, body) = request.into_parts();
    let url = parts.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
    let method = parts.method.as_str().to_uppercase();
    let body = read(body).await;
    let json = match &body {
        Ok(body) if !directory::is_confidential(&url) => serde_json::from_slice(body).ok(),
        _ => None,
    };
    let mut record = RecordedRequest { method, url, body: json, status: 0 };
    let number = shared.recorder.arrived(&record);
    if !shared.latency.is_zero() {
        tokio::time::sleep(shared.latency).await;
    }
    let kind = BucketKind::of(&record.method);
    let quota = take_quota(&shared, &record.url, kind);
    let left = *quota.as_ref().unwrap_or(&0);
    let is_ours = check_host(&shared, &parts.headers).and_then(|()| check_origin(&shared, &parts.headers));
    let outcome = match (is_ours.and(body), quota) {
        (Err(refusal), _) => Outcome::Answer(refusal.into()),
        (Ok(_), Err(too_early)) => Outcome::Answer(too_early),
        (Ok(body), Ok(_)) => respond(&shared, &record, &body, &parts.headers).await,
    };
    let response = to_http(outcome).map(|mut response| {
        add_common_headers(response.headers_mut(), &parts.headers, kind, left);
        response
    });
    record.status = response.as_ref().map_or(0, |response| response.status().as_u16());
    shared.recorder.answered(number, &record);
    response.ok_or(Dropped)
}

/// Reads a body as far as it may be long.
async fn read(mut body: Incoming) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            Refusal::bad_request("InvalidRequestContent", format!("The request content could not be read: {error}."))
        })?;
        if let Some(data) = frame.data_ref() {
            length += data.len();
            if length <= LARGEST_BODY {
                bytes.extend_from_slice(data);
            } else if length > MOST_DRAINED {
                break;
            }
        }
    }
    if length > LARGEST_BODY {
        return Err(Refusal::new(
            413,
            "RequestContentTooLarge",
            format!("The request content is larger than {LARGEST_BODY} bytes."),
        ));
    }
    Ok(bytes)
}

/// `http://` and the host the client called; `https://` behind a proxy that says so.
fn base(shared: &Shared, headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match (text("host"), text("x-forwarded-proto")) {
        (Some(host), Some("https")) => format!("https://{host}"),
        (Some(host), _) => format!("http://{host}"),
        (None, _) => shared.endpoint.clone(),
    }
}

/// Refuses a request that was sent under a host name that is not one of this server: a page in a browser can make a name of its own
/// lead to loopback.
fn check_host(shared: &Shared, headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(host) = headers.get("host").and_then(|value| value.to_str().ok()) else { return Ok(()) };
    // The colons of an IPv6 address stand in brackets.
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let own = ["localhost", "127.0.0.1", "[::1]"].into_iter().chain(shared.host_names.iter().map(String::as_str));
    if own.into_iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let message = format!("The local cloud does not answer under the host name '{name}'.");
    Err(Refusal::new(421, "MisdirectedRequest", message))
}

/// Refuses a request of a page in a browser: browsers say whose page it is wherever it may change something, and this server has none.
fn check_origin(shared: &Shared, headers: &HeaderMap) -> Result<(), Refusal> {
    match headers.get("origin") {
        Some(origin) if origin.as_bytes() != base(shared, headers).as_bytes() => {
            let message = "The local cloud does not answer the pages of others in a browser.";
            Err(Refusal::new(403, "CrossOriginRequest", message))
        }
        _ => Ok(()),
    }
}

/// Takes from the bucket of a subscription and gives what is left in it, or the refusal. Without throttling it is always
/// full.
fn take_quota(shared: &Shared, url: &str, kind: BucketKind) -> Result<u32, Answer> {
    let Some(throttling) = &shared.throttling else {
        return Ok(Throttling::azure().size(kind) - 1);
    };
    let mut segments = url.split(['/', '?']).filter(|part| !part.is_empty());
    let subscription = match segments.next() {
        Some(word) if word.eq_ignore_ascii_case("subscriptions") => segments.next().unwrap_or_default(),
        _ => "",
    };
    let mut guarded = shared.guarded.lock().unwrap_or_else(PoisonError::into_inner);
    guarded.buckets.take(throttling, subscription, kind, Instant::now()).map_err(|wait| {
        let mut answer = Answer::from(token_buckets::refusal(subscription, kind, wait));
        push_retry_after(&mut answer.headers, wait);
        answer
    })
}

/// Carries a request out, or does wrong what is to go wrong.
async fn respond(shared: &Shared, request: &RecordedRequest, body: &[u8], headers: &HeaderMap) -> Outcome {
    let fault = shared.faults.for_request(&request.method, &request.url);
    match fault {
        Some(FaultKind::Status { code, body, retry_after }) => {
            let body = body.unwrap_or_else(|| error_envelope(status_code(code), FAULT_MESSAGE).to_string());
            let content_type =
                if body.trim_start().starts_with(['{', '[']) { JSON } else { "text/plain; charset=utf-8" };
            return Outcome::Text { status: code, content_type, body, retry_after };
        }
        Some(FaultKind::Html { status }) => {
            let body =
                format!("<html><head><title>{status}</title></head><body><h1>{FAULT_MESSAGE}</h1></body></html>");
            return Outcome::Text { status, content_type: "text/html; charset=utf-8", body, retry_after: None };
        }
        Some(FaultKind::ResetBeforeAnswer) => return Outcome::Drop,
        Some(FaultKind::Delay(time)) => tokio::time::sleep(time).await,
        _ => {}
    }
    let answer = carry_out(shared, request, body, headers).await;
    match fault {
        Some(FaultKind::ResetAfterCarryingOut) => Outcome::Drop,
        Some(FaultKind::TruncatedBody) => Outcome::Truncated(answer),
        _ => Outcome::Answer(answer),
    }
}

/// Carries a request out and waits until what it changed is on disk.
async fn carry_out(shared: &Shared, request: &RecordedRequest, body: &[u8], headers: &HeaderMap) -> Answer {
    let rules = Rules { faults: &shared.faults, operation_time: shared.operation_time, paging: shared.paging };
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let author = Author { authorization: header("authorization"), user_agent: header("user-agent") };
    let (base, if_match, policy_token) =
        (base(shared, headers), header("if-match"), header("x-ms-policy-external-evaluations"));
    let (method, url) = (request.method.as_str(), request.url.as_str());
    let request = Request { method, url, body, base: &base, if_match, policy_token, author };
    let (answer, before, after) = shared.with_state(|state| {
        let before = state.revision();
        let answer = routes::handle(state, &request, &rules);
        (answer, before, state.revision())
    });
    if before == after {
        return answer;
    }
    match shared.wait_until_saved(after).await {
        Ok(()) => answer,
        Err(message) => Refusal::new(500, "StateNotSaved", message).into(),
    }
}

/// The answer for hyper; `None` when the connection is to end.
fn to_http(outcome: Outcome) -> Option<Response> {
    match outcome {
        Outcome::Drop => None,
        Outcome::Answer(answer) => {
            let body = bytes(&answer);
            Some(build(answer, Full::new(body).map_err(never).boxed()))
        }
        Outcome::Truncated(answer) => {
            let body = bytes(&answer);
            // An answer without a body promises one, and does not keep it.
            let promised = body.len().max(1);
            let mut response = build(answer, half_of(body));
            response.headers_mut().insert("content-length", HeaderValue::from(promised));
            Some(response)
        }
        Outcome::Text { status, content_type, body, retry_after } => {
            let mut answer = Answer::empty(status);
            answer.headers.push(("content-type", content_type.to_owned()));
            if let Some(wait) = retry_after {
                push_retry_after(&mut answer.headers, wait);
            }
            Some(build(answer, Full::new(Bytes::from(body)).map_err(never).boxed()))
        }
    }
}

fn never(impossible: Infallible) -> io::Error {
    match impossible {}
}

fn bytes(answer: &Answer) -> Bytes {
    answer.body.as_ref().map(|body| Bytes::from(body.to_string())).unwrap_or_default()
}

/// The first half of a body, then the end of the connection.
fn half_of(body: Bytes) -> ResponseBody {
    let half = body.slice(..body.len() / 2);
    let first = stream::once(async move { Ok(Frame::data(half)) });
    let then = stream::once(async {
        tokio::time::sleep(HALF_ANSWER_STANDS).await;
        Err(io::Error::other(Dropped))
    });
    BodyExt::boxed(StreamBody::new(first.chain(then)))
}

fn build(answer: Answer, body: ResponseBody) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = hyper::StatusCode::from_u16(answer.status).unwrap_or_default();
    if answer.body.is_some() {
        response.headers_mut().insert("content-type", HeaderValue::from_static(JSON));
    }
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Adds the headers that every answer of Resource Manager has.
fn add_common_headers(headers: &mut HeaderMap, request: &HeaderMap, kind: BucketKind, left: u32) {
    let mut set = |name: &'static str, value: HeaderValue| headers.insert(HeaderName::from_static(name), value);
    let unique = || HeaderValue::try_from(uuid::Uuid::new_v4().to_string()).ok();
    if let Some(id) = unique() {
        set("x-ms-request-id", id);
    }
    if let Some(id) = request.get("x-ms-correlation-request-id").cloned().or_else(unique) {
        if let Ok(routing) = HeaderValue::try_from(format!("LOCAL:{}:{}", Moment::now().text(), uuid::Uuid::new_v4())) {
            set("x-ms-routing-request-id", routing);
        }
        set("x-ms-correlation-request-id", id);
    }
    if let Some(id) = request.get("x-ms-client-request-id") {
        set("x-ms-client-request-id", id.clone());
    }
    set(kind.header(), HeaderValue::from(left));
    set("cache-control", HeaderValue::from_static("no-cache"));
}

/// The error code that goes with a status, for faults that give no body.
fn status_code(status: u16) -> &'static str {
    match status {
        401 => "AuthenticationFailed",
        403 => "AuthorizationFailed",
        408 => "RequestTimeout",
        409 => "Conflict",
        412 => "PreconditionFailed",
        429 => "TooManyRequests",
        500 => "InternalServerError",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        _ => "LocalCloudFault",
    }
}
