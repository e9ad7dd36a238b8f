//! Runs the C programs of `tests/abi`, and the Python one that does what the PowerShell module does, against the built
//! library. With SVC_VALGRIND set (`tests/abi/run-valgrind` does it) the C programs run under valgrind. SVC_ABI_LIBRARY is
//! the folder of a library that is built already, and tested in place of the one that cargo builds beside this test. With
//! SVC_ABI_MACHINE (`packaging/test-cross` does it) that is a library for another machine, whose programs run under an emulator.
//!
//! A program prints nothing when all is well, so that this also shows that the library prints nothing. All messages
//! that the programs take are checked against `tests/abi/messages.schema.json`.

#![cfg(test)]

mod support;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

use serde_json::Value;
use support::{C_OPTIONS, abi_folder, available, build, include_folder, profile_folder, repository, text};
use svc_engine::run::registry::COMMANDS;
use svc_engine::run::registry::DEPLOYMENT;
use svc_local_cloud::{Fault, FaultKind, LocalCloud, LocalCloudOptions, import_file};

/// A kind of machine that the programs are compiled for: its compiler, what runs its programs here, and how a library is called.
#[derive(Clone, Copy)]
struct Machine {
    compiler: &'static str,
    runner: &'static [&'static str],
    prefix: &'static str,
    suffix: &'static str,
    /// The beginning that absolute paths of this machine have there.
    drive: &'static str,
}

impl Machine {
    /// This one, or the one that SVC_ABI_MACHINE names.
    fn chosen() -> Machine {
        match std::env::var("SVC_ABI_MACHINE").as_deref() {
            Err(_) => Machine {
                compiler: "cc",
                runner: &[],
                prefix: std::env::consts::DLL_PREFIX,
                suffix: std::env::consts::DLL_SUFFIX,
                drive: "",
            },
            Ok("win-x64") => Machine {
                compiler: "x86_64-w64-mingw32-gcc",
                runner: &["wine"],
                prefix: "",
                suffix: ".dll",
                drive: "Z:",
            },
            Ok("linux-arm64") => Machine {
                compiler: "aarch64-linux-gnu-gcc",
                runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
                prefix: "lib",
                suffix: ".so",
                drive: "",
            },
            Ok(other) => panic!("SVC_ABI_MACHINE is {other}, and the programs run for win-x64 and linux-arm64"),
        }
    }

    /// Whether it is another one than this, on which only what is built already can be tested.
    fn is_another(self) -> bool {
        !self.runner.is_empty()
    }

    fn is_windows(self) -> bool {
        self.suffix == ".dll"
    }

    /// A program, as it is run here.
    fn command(self, program: &Path) -> Command {
        let mut words = self.runner.iter();
        let Some(first) = words.next() else { return Command::new(program) };
        let mut command = Command::new(first);
        command.args(words).arg(program);
        command
    }

    /// A path of this machine as the program sees it.
    fn seen(self, argument: &OsStr) -> OsString {
        let is_path = Path::new(argument).is_absolute();
        let mut seen = OsString::from(if is_path { self.drive } else { "" });
        seen.push(argument);
        seen
    }
}

/// The example that is the library of `panicking.rs`.
const PANICKING: &str = "svc_deploy_panicking";

/// The folder and the name of the library.
struct Library {
    folder: PathBuf,
    name: &'static str,
}

impl Library {
    /// The shipped library. For a test of its own package cargo builds a library only when Rust can link to it.
    fn shipped() -> Library {
        static BUILT: Once = Once::new();
        let folder = std::env::var_os("SVC_ABI_LIBRARY").map(PathBuf::from).unwrap_or_else(|| {
            BUILT.call_once(|| drop(build(PANICKING, &[])));
            profile_folder()
        });
        Library { folder, name: "svc_deploy" }
    }

    /// The library of `panicking.rs`.
    fn panicking() -> Library {
        static BUILT: Once = Once::new();
        BUILT.call_once(|| drop(build(PANICKING, &[])));
        Library { folder: profile_folder().join("examples"), name: PANICKING }
    }

    fn path(&self) -> PathBuf {
        let machine = Machine::chosen();
        let file = format!("{}{}{}", machine.prefix, self.name, machine.suffix);
        let path = self.folder.join(file);
        assert!(path.is_file(), "{} was not built", path.display());
        path
    }
}

/// Compiles `tests/abi/<name>.c` into the folder and links it to the library.
fn compile(name: &str, library: &Library, folder: &Path) -> PathBuf {
    library.path();
    let machine = Machine::chosen();
    let program = folder.join(if machine.is_windows() { format!("{name}.exe") } else { name.to_owned() });
    let output = Command::new(machine.compiler)
        .args(C_OPTIONS)
        .args(["-g", "-D_GNU_SOURCE", "-pthread", "-I"])
        .arg(include_folder())
        .arg(abi_folder().join(name).with_extension("c"))
        .args(link_arguments(machine, library))
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}.c does not compile:\n{}", text(&output.stderr));
    program
}

/// The arguments that link a program to the library.
fn link_arguments(machine: Machine, library: &Library) -> Vec<OsString> {
    if machine.is_windows() {
        // MinGW links to the library itself. Its own threads go into the program, which would not find them elsewhere.
        return vec!["-static".into(), library.path().into()];
    }
    let mut rpath = OsString::from("-Wl,-rpath,");
    rpath.push(&library.folder);
    let mut arguments =
        vec!["-L".into(), library.folder.clone().into(), format!("-l{}", library.name).into(), rpath, "-ldl".into()];
    // A program that loads the library by itself must not have it beforehand.
    if cfg!(target_os = "linux") {
        arguments.insert(0, "-Wl,--as-needed".into());
    }
    arguments
}

/// The resources that the settings in `tests/abi/settings` may depend on.
fn landing_zone() -> PathBuf {
    repository().join("examples/landing-zone.json")
}

/// Compiles a C program, runs it in a folder of its own and checks the messages that it took. It has to end with 0
/// and, unless it is the example for people, to print nothing. Returns what it printed.
fn run(name: &str, library: &Library, arguments: &[&OsStr]) -> String {
    let machine = Machine::chosen();
    if !available(machine.compiler, &format!("{name}.c was not run")) {
        return String::new();
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compile(name, library, folder.path());
    let command = if std::env::var_os("SVC_VALGRIND").is_some() {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--num-callers=24"]);
        let suppressions = abi_folder().join("valgrind.supp");
        command.arg(format!("--suppressions={}", suppressions.display()));
        command.args(["--errors-for-leak-kinds=definite,indirect", "--show-leak-kinds=definite,indirect"]);
        command.arg(program);
        command
    } else {
        machine.command(&program)
    };
    let seen: Vec<OsString> = arguments.iter().map(|argument| machine.seen(argument)).collect();
    let seen: Vec<&OsStr> = seen.iter().map(OsString::as_os_str).collect();
    run_in(folder.path(), command, name, &seen)
}

/// Runs a program in a folder that has a state file of the local cloud with the landing zone, from which the program makes
/// the state files of its own.
fn run_in(folder: &Path, mut command: Command, name: &str, arguments: &[&OsStr]) -> String {
    import_file(&landing_zone(), &folder.join("landing-zone.json")).unwrap();
    let messages = folder.join("messages.jsonl");
    let output = command
        .args(arguments)
        .current_dir(folder)
        .env("SVC_ABI_MESSAGES", &messages)
        // A panic inside the library would print a good deal with this.
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}\n{}{}", output.status, text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{name} printed something");
    let printed = text(&output.stdout);
    let taken = std::fs::read_to_string(&messages).unwrap_or_default();
    check_messages(name, if taken.is_empty() { &printed } else { &taken });
    printed
}

/// Every line is a message as the schema describes it, and there is at least one.
fn check_messages(name: &str, lines: &str) {
    let schema = std::fs::read_to_string(abi_folder().join("messages.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    for line in lines.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let errors: Vec<String> = schema.iter_errors(&message).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name} took a message that the schema does not know: {line}\n{errors:#?}");
    }
    assert!(lines.lines().count() > 0, "{name} took no message");
}

/// The subjects that the programs are run for: the function of every command and its settings, which are its example; of several documents one of the
/// tests. The folder has the settings as JSON.
fn subjects(folder: &Path) -> Vec<(String, PathBuf)> {
    let of_commands = COMMANDS.iter().map(|command| {
        let path = folder.join(command.documents.name).with_extension("json");
        std::fs::write(&path, command.example().unwrap().value().to_string()).unwrap();
        (command.function(), path)
    });
    let of_several = (DEPLOYMENT.function(), abi_folder().join("settings/deployment.json"));
    of_commands.chain([of_several]).collect()
}

/// Runs a program once for each of the subjects.
fn run_for_each_subject(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (function, settings) in subjects(folder.path()) {
        let printed = run(name, &Library::shipped(), &[function.as_ref(), settings.as_os_str()]);
        assert_eq!(printed, "", "{name} printed something");
    }
}

#[test]
fn boundary() {
    assert_eq!(run("boundary", &Library::shipped(), &[]), "");
}

/// Whether a test is left out on another machine; says why past the test harness.
fn is_left_out(name: &str, reason: &str) -> bool {
    if Machine::chosen().is_another() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {name} was not run on another machine, because {reason}.");
    }
    Machine::chosen().is_another()
}

#[test]
fn panics() {
    if is_left_out("panics", "its library is built for this one") {
        return;
    }
    assert_eq!(run("panics", &Library::panicking(), &[]), "");
}

#[test]
fn manners() {
    if Machine::chosen().is_windows() && is_left_out("manners", "Windows has no signals") {
        return;
    }
    let library = Library::shipped();
    assert_eq!(run("manners", &library, &[library.path().as_os_str()]), "");
}

#[test]
fn exchange() {
    run_for_each_subject("exchange");
}

#[test]
fn answers() {
    run_for_each_subject("answers");
}

/// Runs a program with the settings of storage accounts.
fn run_for_storage(name: &str) {
    let settings = abi_folder().join("settings/storage.json");
    let arguments: [&OsStr; 2] = ["svc_new_iaas_storage".as_ref(), settings.as_os_str()];
    assert_eq!(run(name, &Library::shipped(), &arguments), "");
}

#[test]
fn reports() {
    run_for_storage("reports");
}

#[test]
fn shared_cloud() {
    run_for_storage("shared_cloud");
}

/// The document of what a command has made, whose plan is empty. The hosts of its settings are in the group of the landing zone.
#[test]
fn export() {
    let settings = abi_folder().join("settings/bastion-host.json");
    let arguments: [&OsStr; 2] = ["svc_new_iaas_bastion_host".as_ref(), settings.as_os_str()];
    assert_eq!(run("export", &Library::shipped(), &arguments), "");
}

#[test]
fn cancel() {
    run_for_each_subject("cancel");
}

#[test]
fn threads() {
    run_for_each_subject("threads");
}

/// The warning about what Azure is still working on. The cloud is one that this test serves, because only such a one can
/// be told never to finish a bastion host.
#[test]
fn in_flight() {
    let never_made = Fault::new(FaultKind::OperationNeverEnds).on("PUT", "/bastionHosts/");
    let cloud = LocalCloud::start(LocalCloudOptions { faults: vec![never_made], ..Default::default() }).unwrap();
    let resources: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(landing_zone()).unwrap()).unwrap();
    cloud.import(&resources).unwrap();
    let settings = abi_folder().join("settings/bastion-host.json");
    let arguments: [&OsStr; 5] = [
        "svc_new_iaas_bastion_host".as_ref(),
        settings.as_os_str(),
        cloud.endpoint().as_ref(),
        "bastionHosts".as_ref(),
        "may still be working on 1 resource: bastion host 'bastion-boundary-dev-uks-".as_ref(),
    ];
    assert_eq!(run("in_flight", &Library::shipped(), &arguments), "");
}

/// A failure, which is told after everything that was done. The cloud refuses the one resource that the others do not need.
#[test]
fn failure() {
    let refused: Fault = "status=409,method=PUT,path=/bastionHosts/,times=always".parse().unwrap();
    let cloud = LocalCloud::start(LocalCloudOptions { faults: vec![refused], ..Default::default() }).unwrap();
    let resources: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(landing_zone()).unwrap()).unwrap();
    cloud.import(&resources).unwrap();
    let settings = abi_folder().join("settings/bastion-host.json");
    let arguments: [&OsStr; 4] = [
        "svc_new_iaas_bastion_host".as_ref(),
        settings.as_os_str(),
        cloud.endpoint().as_ref(),
        "resources failed: bastion host 'bastion-boundary-dev-uks-".as_ref(),
    ];
    assert_eq!(run("failure", &Library::shipped(), &arguments), "");
}

#[test]
fn example() {
    let state = tempfile::tempdir().unwrap();
    let settings = abi_folder().join("settings/storage.json");
    let arguments = [settings.as_os_str(), &state.path().join("cloud.json").into_os_string()];
    let first = run("example", &Library::shipped(), &arguments);
    if first.is_empty() {
        return;
    }
    let count = |printed: &str, event: &str| printed.matches(&format!("{{\"event\":\"{event}\"")).count();
    assert_eq!(count(&first, "plan"), 1, "{first}");
    assert_eq!(count(&first, "resource"), first.matches("{\"index\":").count(), "{first}");
    assert_eq!(count(&first, "result"), 1, "{first}");
    let second = run("example", &Library::shipped(), &arguments);
    assert_eq!(count(&second, "plan"), 0, "{second}");
    assert_eq!(count(&second, "resource"), 0, "{second}");
    assert_eq!(count(&second, "result"), 1, "{second}");
}

/// The library is driven as the PowerShell module does it, from a language that is not C.
#[test]
fn python() {
    if is_left_out("drive.py", "Python is one of this machine") || !available("python3", "drive.py was not run") {
        return;
    }
    let documents = tempfile::tempdir().unwrap();
    for (function, settings) in subjects(documents.path()) {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("python3");
        command.arg(abi_folder().join("drive.py")).arg(Library::shipped().path());
        let printed = run_in(folder.path(), command, "drive.py", &[function.as_ref(), settings.as_os_str()]);
        assert_eq!(printed, "", "drive.py printed something");
    }
}
