use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use svc_engine::azure::cloud::{self, CloudChoice};
use svc_engine::azure::{ArmClient, ArmError, Entries, Timeouts};
use svc_engine::commands::{Compile, Compiled, EnvironmentTag, Project, RunFacts, Services};
use svc_engine::desired::World;
use svc_engine::plan::{adopt, plan};
use svc_engine::protocol::{Code, Host, MadeWith, Message, Next, Operation};
use svc_engine::world::{Reads, Wants, read, read_services, taken_names};

use super::{SUBSCRIPTION, example, first_line, project};

/// Between two answers.
const SEPARATOR: &str = "\n====\n";
/// The time that one input may take, which waits for nothing for more than a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);
const API_VERSION: &str = "2024-01-01";

/// Answers of Resource Manager, byte by byte: head and body. The first line says what is asked: `get`, `list`, `put`, `delete`, `action`, or the
/// component of an example that is read and planned. The answers are given one after another, and then again from the first.
pub fn answers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (asked, script) = first_line(&text);
    let server = server();
    *server.script.lock().unwrap() = Script {
        answers: script
            .split(SEPARATOR)
            .map(|answer| answer.replace("\r\n", "\n").replacen("\n\n", "\r\n\r\n", 1).into_bytes())
            .collect(),
        next: 0,
    };
    let (asked, socket) = (asked.trim().to_owned(), server.socket.clone());
    let operation = Operation::start(move |host| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { ask(&asked, client(socket, host.clone()), &host).await });
    });
    loop {
        match operation.next(PATIENCE) {
            Next::Message(message) => check(&message),
            Next::Finished => break,
            Next::Timeout => panic!("an operation without end"),
        }
    }
}

fn check(message: &Message) {
    if let Message::Error(report) = message {
        assert_ne!(report.failure.code, Code::InternalError, "{}", report.failure.message);
    }
    serde_json::to_string(message).unwrap();
}

async fn ask(asked: &str, client: ArmClient, host: &Host) {
    let id = format!("/subscriptions/{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/st");
    let patience = Duration::from_millis(5);
    let result = match asked {
        "get" => client.get(&id, API_VERSION).await.map(drop),
        "list" => client.list("/subscriptions", API_VERSION, "", Entries::Resources).await.map(drop),
        "put" => client.put(&id, API_VERSION, &serde_json::json!({"location": "uksouth"}), patience).await.map(drop),
        "delete" => client.delete(&id, API_VERSION, &serde_json::Value::Null, patience).await,
        "action" => client.action(&format!("{id}/listKeys"), API_VERSION).await.map(drop),
        component => return read_and_plan(component, client, host).await,
    };
    tell(result, host);
}

fn tell(result: Result<(), ArmError>, host: &Host) {
    if let Err(error) = result {
        let _ = error.code();
        host.send(Message::Error(error.report("The answer cannot be used")));
    }
}

/// The only document of a run.
struct Alone<'a> {
    settings: &'a dyn Compile,
    project: &'a Project,
}

impl Wants for Alone<'_> {
    fn run(&self) -> &RunFacts {
        &self.project.run
    }

    fn environments(&self) -> Vec<&EnvironmentTag> {
        self.project.environment_tag.iter().collect()
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn compile(&self, services: &mut Services) -> Compiled {
        self.settings.compile(self.project, services)
    }
}

/// Everything of a run that reads: look-ups, what exists, the plan.
async fn read_and_plan(component: &str, client: ArmClient, host: &Host) {
    let (document, command) = example(component);
    let (settings, project) = (command.read(&document), project());
    let first = settings.compile(&project, &Services::NotRead);
    let mut reads = Reads::new(client);
    let wants = Alone { settings: settings.as_ref(), project: &project };
    let services = match read_services(&mut reads, &wants, &first.needs, true).await {
        Ok(services) => services,
        Err(error) => return host.send(Message::Error(error.report("The published services cannot be read"))),
    };
    let mut compiled = settings.compile(&project, &services);
    let (mut existing, _) = match read(&mut reads, &mut compiled).await {
        Ok(existing) => existing,
        Err(report) => return host.send(Message::Error(*report)),
    };
    taken_names(&mut reads, &compiled, &mut existing, false, host).await;
    let world = World::Known(existing);
    let actions = plan(&adopt(compiled.desired, &world), &world).actions();
    let made_with = MadeWith::default();
    host.send(Message::Plan {
        format: svc_engine::protocol::PLAN_FORMAT,
        id: 1,
        target: None,
        made_with,
        refused: false,
        actions,
    });
}

fn client(socket: PathBuf, host: Host) -> ArmClient {
    let Ok(CloudChoice::Remote(cloud)) = cloud::choose(Some("http://127.0.0.1:1"), None, None, None) else {
        panic!("no cloud")
    };
    let timeouts = Timeouts {
        request: Duration::from_secs(2),
        operation: Some(Duration::from_millis(5)),
        retry_pause: Some(Duration::from_micros(1)),
        ..Timeouts::default()
    };
    // Whatever a link says leads to the server of the script.
    let http = reqwest::Client::builder()
        .unix_socket(socket)
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .tls_certs_only([])
        .build()
        .unwrap();
    ArmClient::new(http, cloud, None, timeouts, host)
}

#[derive(Default)]
struct Script {
    answers: Vec<Vec<u8>>,
    next: usize,
}

struct Server {
    socket: PathBuf,
    script: Arc<Mutex<Script>>,
    _folder: tempfile::TempDir,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("arm");
        let listener = UnixListener::bind(&socket).unwrap();
        let script: Arc<Mutex<Script>> = Arc::default();
        let shared = Arc::clone(&script);
        std::thread::spawn(move || listener.incoming().map_while(Result::ok).for_each(|stream| serve(stream, &shared)));
        Server { socket, script, _folder: folder }
    })
}

/// Gives the next answer to one request. What is wrong with a connection is for the client to find out.
fn serve(mut stream: UnixStream, script: &Mutex<Script>) {
    let mut head = [0; 16_384];
    let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    let _ = stream.read(&mut head);
    let mut script = script.lock().unwrap();
    let count = script.answers.len().max(1);
    let answer = script.answers.get(script.next).cloned().unwrap_or_default();
    script.next = (script.next + 1) % count;
    drop(script);
    let _ = stream.write_all(&answer);
}
